"""How long players have, and what is played for them when the time is up (document 8.5, 5.7)."""

from __future__ import annotations

from engines.kernel.betting import price
from engines.kernel.contract import PlayerId, Rejected
from engines.seotda import bets, between, choosing, rejoin
from engines.seotda.actions import spot
from engines.seotda.state import Draft, State

CHOOSE_EXTRA_MS = 10_000
REJOIN_MS = 15_000
REBUY_MS = 15_000
HAND_END_MS = 4_000
AWAY_MS = 5_000
AWAY_AFTER = 2  # timeouts in a row, of betting and choosing (SD-38), until any action of one's own


def due(state: State) -> list[tuple[PlayerId, int]]:
    """Everybody who is being waited for, and until when."""
    hand = state.hand
    match state.phase:
        case "finished":
            return []
        case "rebuy":
            return [(player, state.asked_at + REBUY_MS) for player in state.rebuy_pending]
    match hand.phase:
        case "betting":
            assert hand.betting is not None
            assert hand.betting.to_act is not None
            return [(hand.betting.to_act, state.asked_at + _turn_ms(state, hand.betting.to_act, 0))]
        case "choose":
            return [
                (player, state.asked_at + _turn_ms(state, player, CHOOSE_EXTRA_MS))
                for player in hand.participants
                if not hand.players[player].folded and hand.players[player].chosen is None
            ]
        case "rejoin":
            return [(player, state.asked_at + REJOIN_MS) for player in hand.rejoin_pending]
        case "handEnd":
            return [(player, state.asked_at + HAND_END_MS) for player in hand.ready_pending]
    raise AssertionError(f"nobody is asked in {hand.phase}")


def _turn_ms(state: State, player: PlayerId, extra: int) -> int:
    seat = state.seat(player)
    assert seat is not None
    return AWAY_MS if seat.away else state.options.turn_seconds * 1000 + extra


def deadline(state: State) -> int | None:
    """The earliest."""
    return min([at for _, at in due(state)], default=None)


def play_for(state: State, draft: Draft, player: PlayerId) -> None:
    """The automatic play of 8.5 for somebody who has been waited for long enough."""
    if state.phase == "rebuy":
        draft.tell("timedOut", player=player)
        between.rebuy(draft, player, accept=False)
        return
    match state.hand.phase:
        case "betting":
            _missed(draft, player)
            free = not isinstance(price("check", spot(state, player)), Rejected)  # SD-39
            bets.act(draft, player, "check" if free else "die", 0)
        case "choose":
            _missed(draft, player)
            choosing.choose_for(draft, player)
        case "rejoin":
            draft.tell("timedOut", player=player)
            rejoin.answer(draft, player, accept=False)
        case "handEnd":
            between.ready(draft, player)


def _missed(draft: Draft, player: PlayerId) -> None:
    seat = draft.seats[player]
    missed = seat.timeouts_in_row + 1
    draft.set_seat(player, timeouts_in_row=missed, away=missed >= AWAY_AFTER)
    draft.tell("timedOut", player=player)
    if missed == AWAY_AFTER:
        draft.tell("away", player=player)


def is_back(draft: Draft, player: PlayerId) -> None:
    """An action of one's own, of any kind, ends being away (5.7, SD-38)."""
    seat = draft.seats[player]
    if seat.away:
        draft.tell("back", player=player)
    if seat.timeouts_in_row:
        draft.set_seat(player, timeouts_in_row=0, away=False)
