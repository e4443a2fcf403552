"""Before a 구사 rematch those who died may buy themselves back in, where rejoinCost allows it (document 5.5.1)."""

from __future__ import annotations

from msgspec.structs import replace

from engines.kernel.contract import PlayerId
from engines.seotda.chips import count
from engines.seotda.deal import new_rematch
from engines.seotda.state import Draft

GUSA = ("gusa", "mungGusa")


def ask(draft: Draft) -> None:
    """Asks whoever can come back; where nobody can, `go_on` starts the rematch."""
    price = price_now(draft)
    asked = () if price is None else tuple([player for player in draft.hand.died if _may_come(draft, player, price)])
    draft.set_hand(phase="rejoin", rejoin_pending=asked, rejoin_price=price or 0)
    draft.asked_at = draft.now
    if asked:
        draft.tell("rejoinAsked", players=list(asked), price=price)


def price_now(draft: Draft) -> int | None:
    """SD-20 (an owner may want another): of the pot as it is when the question opens, the same for everybody.

    None where there is no way back: the option, or only ties are played again.
    """
    cost, pots = draft.options.rejoin_cost, draft.hand.carried_pots
    if cost == "none" or not any(pot.reason in GUSA for pot in pots):
        return None
    pot = sum([pot.amount for pot in pots])
    return pot // 2 if cost == "half" else pot


def _may_come(draft: Draft, player: PlayerId, price: int) -> bool:
    """SD-22: who died in this hand, is still here, and can pay. Losing a tie is not dying."""
    seat = draft.seats[player]
    return seat.status == "playing" and seat.stack >= price


def answer(draft: Draft, player: PlayerId, accept: bool) -> None:
    """Comes back, or stays out."""
    pending = tuple([other for other in draft.hand.rejoin_pending if other != player])
    draft.set_hand(rejoin_pending=pending)
    if not accept:
        draft.tell("rejoinDeclined", player=player)
        return
    price = draft.hand.rejoin_price
    draft.set_seat(player, stack=draft.seats[player].stack - price)
    count(draft, player, price)
    _let_in(draft, player, price)
    draft.tell("rejoined", player=player, amount=price)


def _let_in(draft: Draft, player: PlayerId, price: int) -> None:
    """SD-21 (an owner may want another): the price goes to the first pot that 구사 has carried, as a rule the main pot.

    It buys a part in every pot so carried, none in those that a tie has carried. Nobody matches it.
    """
    pots = list(draft.hand.carried_pots)
    first = next(i for i, pot in enumerate(pots) if pot.reason in GUSA)
    pots[first] = replace(pots[first], amount=pots[first].amount + price)
    draft.set_hand(
        carried_pots=tuple(
            [replace(pot, eligible=(*pot.eligible, player)) if pot.reason in GUSA else pot for pot in pots]
        ),
        died=tuple([other for other in draft.hand.died if other != player]),
    )


def go_on(draft: Draft) -> bool:
    """Waits for the last answer; then the rematch begins."""
    if draft.hand.rejoin_pending:
        return False
    new_rematch(draft)
    return True
