"""What players can say (document 8.2), and what they are told when it is not the time for it.

`asked` is the one place that knows what is being asked of whom; the legal list, `apply`, clock and view read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, assert_never

import msgspec

from engines.kernel.betting import Bet, Spot
from engines.kernel.contract import PlayerId, Rejected
from engines.seotda.state import State


class _Action(msgspec.Struct, frozen=True, rename="camel", tag_field="type", forbid_unknown_fields=True, gc=False):
    """An action; its tag is its ``type``. Bets have no fields: what they cost is the engine's to say."""


class Check(_Action, frozen=True, tag="check"):
    """체크"""


class Ping(_Action, frozen=True, tag="ping"):
    """삥"""


class Call(_Action, frozen=True, tag="call"):
    """콜"""


class Ddadang(_Action, frozen=True, tag="ddadang"):
    """따당"""


class Quarter(_Action, frozen=True, tag="quarter"):
    """쿼터"""


class Half(_Action, frozen=True, tag="half"):
    """하프"""


class Full(_Action, frozen=True, tag="full"):
    """풀"""


class Die(_Action, frozen=True, tag="die"):
    """다이"""


class Choose(_Action, frozen=True, tag="choose"):
    """Two of three cards, in either order."""

    card_ids: list[int]


class Rejoin(_Action, frozen=True, tag="rejoin"):
    """Back into a 구사 rematch, or not."""

    accept: bool


class Ready(_Action, frozen=True, tag="ready"):
    """Has seen how the hand ended."""


class Rebuy(_Action, frozen=True, tag="rebuy"):
    """New chips, or no more."""

    accept: bool


Bets = Check | Ping | Call | Ddadang | Quarter | Half | Full | Die
Action = Bets | Choose | Rejoin | Ready | Rebuy

BET_OF: dict[type, Bet] = {
    Die: "die",
    Check: "check",
    Ping: "ping",
    Call: "call",
    Ddadang: "ddadang",
    Quarter: "quarter",
    Half: "half",
    Full: "full",
}

Question = Literal["bet", "choose", "rejoin", "ready", "rebuy"]
ASKED_BY: dict[type, Question] = {
    **dict.fromkeys(BET_OF, "bet"),
    Choose: "choose",
    Rejoin: "rejoin",
    Ready: "ready",
    Rebuy: "rebuy",
}

FINISHED = Rejected("finished", "이미 끝난 게임이에요")
NOT_PLAYING = Rejected("not_playing", "이 게임을 하고 있지 않아요")
LEFT = Rejected("left", "이미 나간 게임이에요")
ELIMINATED = Rejected("eliminated", "탈락해서 더 할 수 없어요")
NOT_YOUR_TURN = Rejected("not_your_turn", "지금은 내 차례가 아니에요")
NOT_BETTING = Rejected("not_betting", "지금은 베팅할 때가 아니에요")
FOLDED = Rejected("folded", "이번 판은 다이해서 할 수 없어요")
NOT_CHOOSING = Rejected("not_choosing", "지금은 카드를 고를 때가 아니에요")
ALREADY_CHOSEN = Rejected("already_chosen", "이미 카드를 골랐어요")
CHOOSE_TWO = Rejected("choose_two", "카드 두 장을 골라 주세요")
NO_SUCH_CARD = Rejected("no_such_card", "손에 없는 카드예요")
NOT_REJOINING = Rejected("not_rejoining", "지금은 재참가할 수 없어요")
TOO_POOR_TO_REJOIN = Rejected("too_poor_to_rejoin", "칩이 모자라 재참가할 수 없어요")
HAND_NOT_OVER = Rejected("hand_not_over", "아직 판이 끝나지 않았어요")
ALREADY_READY = Rejected("already_ready", "이미 준비했어요")
NO_REBUY = Rejected("no_rebuy", "지금은 칩을 다시 받을 수 없어요")


def asked(state: State) -> tuple[Question, Sequence[PlayerId]] | None:
    """What is being asked now, and of whom; None when the game is over."""
    hand = state.hand
    match state.phase:
        case "finished":
            return None
        case "rebuy":
            return "rebuy", state.rebuy_pending
    match hand.phase:
        case "betting":
            return "bet", () if hand.betting is None or hand.betting.to_act is None else (hand.betting.to_act,)
        case "choose":
            players = hand.players
            return "choose", [p for p in hand.participants if not players[p].folded and players[p].chosen is None]
        case "rejoin":
            return "rejoin", hand.rejoin_pending
        case "handEnd":
            return "ready", hand.ready_pending
        case "dealing" | "showdown":
            raise AssertionError(f"nobody ever waits in {hand.phase}")
        case never:
            assert_never(never)


def question(state: State, player: PlayerId) -> Question | None:
    """What this player is being asked now."""
    now = asked(state)
    return now[0] if now is not None and player in now[1] else None


def out_of_place(state: State, player: PlayerId, answered: Question) -> Rejected:
    """Why the player may not answer this question: it is not asked, or not of them."""
    seat = state.seat(player)
    if seat is None:
        return NOT_PLAYING
    if state.phase == "finished":
        return FINISHED
    if seat.status == "left":
        return LEFT
    if seat.status == "eliminated":
        return ELIMINATED
    hand = state.hand
    playing = hand.phase if state.phase == "playing" else None
    seated = hand.players.get(player)
    match answered:
        case "bet":
            if playing != "betting":
                return NOT_BETTING
            return FOLDED if seated is not None and seated.folded else NOT_YOUR_TURN
        case "choose":
            if playing != "choose" or seated is None:
                return NOT_CHOOSING
            return FOLDED if seated.folded else ALREADY_CHOSEN
        case "rejoin":
            short = playing == "rejoin" and player in hand.died and seat.stack < hand.rejoin_price
            return TOO_POOR_TO_REJOIN if short else NOT_REJOINING
        case "ready":
            return ALREADY_READY if playing == "handEnd" else HAND_NOT_OVER
        case "rebuy":
            return NO_REBUY


def chosen(state: State, player: PlayerId, said: Choose) -> tuple[int, int] | Rejected:
    """The two ids that are chosen, the lower first, or why they may not be (8.2)."""
    ids = sorted(set(said.card_ids))
    if len(said.card_ids) != 2 or len(ids) != 2:
        return CHOOSE_TWO
    if not set(ids) <= {card.id for card in state.hand.players[player].hand}:
        return NO_SUCH_CARD
    return ids[0], ids[1]


def table_pot(state: State) -> int:
    """판돈: everything on the table, carried pots among it, not what has been paid out (SD-4)."""
    hand = state.hand
    pot = 0
    for part in hand.carried_pots:
        pot += part.amount
    for part in hand.pots:
        pot += part.amount
    for seated in hand.players.values():
        pot += seated.committed_round
    return pot


def spot(state: State, player: PlayerId) -> Spot:
    """What the bets of the player whose turn it is cost."""
    hand = state.hand
    seat, seated, betting = state.seat(player), hand.players[player], hand.betting
    assert seat is not None
    assert betting is not None
    return Spot(
        pot=table_pot(state),
        to_call=betting.current_bet - seated.committed_round,
        opened=betting.current_bet > 0,
        acted=seated.acted_this_round,
        stack=seat.stack,
        unit=state.base_unit,
        full=state.options.max_raise == "full",
    )
