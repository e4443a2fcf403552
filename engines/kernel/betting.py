"""Korean pot betting (판돈 베팅): what a bet costs, whether it may be made, and whose turn comes next.

A round of betting goes clockwise. Everybody may put in chips of their own will once: whoever has checked, called, bet
or raised may afterwards only call or die, so there is no re-raising and no question of who may reopen a round (SD-6). A
round is over when everybody who can still act has acted and has matched the highest bet.

The law is 5.4 of the document of 섯다, which says again all that it takes from another (SD-1), and its rulings.

All amounts are what the player pays now, in chips. A bet that costs the whole stack or more is all-in for the stack.
The module knows nothing of cards: a game brings a `Spot` for prices and `Bettor`s for turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from engines.kernel.contract import PlayerId, Rejected

Bet = Literal["check", "ping", "call", "ddadang", "quarter", "half", "full", "die"]

# Every bet in the order of the buttons, with its name.
LABELS: dict[Bet, str] = {
    "die": "다이",
    "check": "체크",
    "ping": "삥",
    "call": "콜",
    "ddadang": "따당",
    "quarter": "쿼터",
    "half": "하프",
    "full": "풀",
}

CANNOT_CHECK = Rejected("cannot_check", "누가 이미 걸어서 체크할 수 없어요")
CANNOT_PING = Rejected("cannot_ping", "누가 이미 걸어서 삥을 할 수 없어요")
NOTHING_TO_CALL = Rejected("nothing_to_call", "아직 아무도 걸지 않아서 콜할 수 없어요")
NOTHING_TO_DOUBLE = Rejected("nothing_to_double", "아직 아무도 걸지 않아서 따당할 수 없어요")
NO_MORE_RAISE = Rejected("no_more_raise", "이번 라운드에는 더 올릴 수 없어요(콜 또는 다이)")
TOO_FEW_CHIPS = Rejected("too_few_chips", "칩이 모자라 올릴 수 없어요(콜 또는 다이)")
NO_FULL = Rejected("no_full", "하프까지만 걸 수 있어요")


class Spot(NamedTuple):
    """All that the price of a bet depends on, for the player whose turn it is."""

    pot: int  # everything on the table, bets of this round among it
    to_call: int  # what the player is behind the highest bet of this round
    opened: bool  # somebody has put in chips in this round
    acted: bool  # the player has had their one turn of their own will in this round
    stack: int
    unit: int  # 삥, and the least a raise adds
    full: bool = False  # a raise by the whole pot is allowed


def price(bet: Bet, spot: Spot) -> int | Rejected:
    """What this bet costs here, or why it may not be made. The one check behind every door."""
    pot, to_call, opened, acted, stack, unit, full = spot
    match bet:
        case "die":  # at any turn, though a check be free (SD-45)
            return 0
        case "check":  # SD-46
            return CANNOT_CHECK if opened else 0
        case "ping":
            return CANNOT_PING if opened else NO_MORE_RAISE if acted else min(unit, stack)  # SD-7
        case "call":
            return min(to_call, stack) if to_call > 0 else NOTHING_TO_CALL
        case "ddadang":
            if to_call <= 0:
                return NOTHING_TO_DOUBLE
            extra = to_call
        case "quarter":
            extra = (pot + to_call) // 4
        case "half":
            extra = (pot + to_call) // 2
        case "full":
            if not full:
                return NO_FULL
            extra = pot + to_call
    if acted:  # of whatever kind that was (SD-5)
        return NO_MORE_RAISE
    if stack <= to_call:  # SD-2: what is left after paying up must be a raise, be it a short one (all-in)
        return TOO_FEW_CHIPS
    return min(to_call + max(extra, unit), stack)  # SD-3: the least holds for every raise, 따당 too


def prices(spot: Spot) -> list[tuple[Bet, int]]:
    """Every bet that may be made here, in the order of the buttons, with its price."""
    found = []
    for bet in LABELS:
        cost = price(bet, spot)
        if not isinstance(cost, Rejected):
            found.append((bet, cost))
    return found


class Bettor(Protocol):
    """What a round of betting asks of a player."""

    @property
    def folded(self) -> bool: ...
    @property
    def all_in(self) -> bool: ...
    @property
    def acted_this_round(self) -> bool: ...
    @property
    def committed_round(self) -> int: ...


def next_to_act(
    order: Sequence[PlayerId], start: int, players: Mapping[PlayerId, Bettor], current_bet: int
) -> PlayerId | None:
    """The first from place ``start`` on, all the way round, who is still to act; None when the round is over.

    Whoever is all-in or has died is never asked. One who is alone in being able to act, and owes nothing, is not asked
    either (SD-8): nobody could answer the bet, and it would come back.
    """
    can_act, first = 0, None
    for i in range(start, start + len(order)):
        player = order[i % len(order)]
        bettor = players[player]
        if bettor.folded or bettor.all_in:
            continue
        can_act += 1
        if first is None and (not bettor.acted_this_round or bettor.committed_round < current_bet):
            first = player
    if first is not None and can_act == 1 and players[first].committed_round >= current_bet:
        return None
    return first
