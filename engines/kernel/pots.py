"""Main pot and side pots: who may win which of the chips that were put in.

Contributions are cut into layers at every level somebody stopped at. A layer belongs to those who reached its top and
are still in; so whoever went all-in for less cannot win what others put in above. Layers that the same players may win
are one pot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from engines.kernel.contract import PlayerId


class Layer(NamedTuple):
    """Chips, and who may win them."""

    amount: int
    eligible: tuple[PlayerId, ...]


class Layers(NamedTuple):
    """Contributions, sorted out. Adds up to what was put in."""

    pots: list[Layer]  # lowest first; each has somebody eligible, fewer the higher it is
    uncalled: tuple[PlayerId, int] | None  # what nobody matched, to be given back
    orphaned: int  # chips of players who are out, from when nobody still in has put in anything


def layers(contributions: Mapping[PlayerId, int], live: Iterable[PlayerId]) -> Layers:
    """Sorts contributions out; ``live`` are those still in, in the order in which they are to be named.

    Where all who reached a layer are out, it goes to the pot below it: there is never a pot without an owner.
    """
    left, pots, uncalled, orphaned, floor = tuple(live), list[Layer](), None, 0, 0
    for top in sorted({amount for amount in contributions.values() if amount > 0}):
        payers = [player for player, amount in contributions.items() if amount >= top]
        amount = (top - floor) * len(payers)
        eligible = tuple([player for player in left if contributions.get(player, 0) >= top])
        floor = top
        if len(payers) == 1 and eligible:  # SD-9
            uncalled = (payers[0], amount)
        elif pots and eligible in ((), pots[-1].eligible):  # SD-10, SD-11
            pots[-1] = Layer(pots[-1].amount + amount, pots[-1].eligible)
        elif eligible:
            pots.append(Layer(amount, eligible))
        else:
            orphaned += amount
    return Layers(pots, uncalled, orphaned)


def split(amount: int, winners: Sequence[PlayerId]) -> dict[PlayerId, int]:
    """Equal shares; the odd chips go one each to the first of ``winners``, who stand in the order of precedence."""
    share, odd = divmod(amount, len(winners))
    return {winner: share + (i < odd) for i, winner in enumerate(winners)}
