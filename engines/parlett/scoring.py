"""-득점-: what a round is worth to each, worked out from what happened alone."""

from __future__ import annotations

from engines.kernel.contract import PlayerId
from engines.parlett.cards import CardId, bid_value
from engines.parlett.forms import FORMS, PREMIUMS, FormName
from engines.parlett.state import Taken


def right_numbers(bid: tuple[CardId, ...], turn_up: CardId | None, form: FormName) -> frozenset[int]:
    """The numbers of tricks with which this bid is made.

    The sum of the three; without an NPC also ten more (PN-19); for four, also ten more than three diamonds (PN-11).
    """
    value = bid_value(bid, turn_up)
    return frozenset((value, value + 10)) if value in FORMS[form].ten_more else frozenset((value,))


def bonuses(made: dict[PlayerId, bool], form: FormName, streaks: dict[PlayerId, int]) -> dict[PlayerId, int]:
    """[비딩 보너스]: by how many made it; without an NPC, ten for each round in a row that one has made (PN-19)."""
    table = FORMS[form].bonus
    if not table:
        return {player: 10 * streaks[player] if did else 0 for player, did in made.items()}
    each = table[sum(made.values())]
    return {player: each if did else 0 for player, did in made.items()}


def premium_points(
    players: tuple[PlayerId, ...], premiums: tuple[Taken, ...], failed: frozenset[PlayerId]
) -> dict[PlayerId, int]:
    """[프리미엄 비딩]: the value to whoever has kept it; where it failed, to every other, made or not (PN-7).

    PN-17: whoever has failed too gets nothing of another's failure. So of two declarers in an NPC's game who both fail
    neither gets anything, and the NPC gets both.
    """
    points = dict.fromkeys(players, 0)
    for taken in premiums:
        value = PREMIUMS[taken.kind].value
        if taken.player not in failed:
            points[taken.player] += value
            continue
        for other in players:
            if other not in failed:
                points[other] += value
    return points
