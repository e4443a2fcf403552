"""How long players have, and what is played for them when the time is up (document 8.5, 5.7)."""

from __future__ import annotations

from engines.kernel.betting import price
from engines.kernel.contract import PlayerId, Rejected
from engines.seotda import bets, between, choosing, rejoin
from engines.seotda.actions import Question, asked, spot
from engines.seotda.state import Draft, State

CHOOSE_EXTRA_MS = 10_000
FIXED_MS: dict[Question, int] = {"rejoin": 15_000, "rebuy": 15_000, "ready": 4_000}
AWAY_MS = 5_000
AWAY_AFTER = 2  # timeouts in a row, of betting and choosing (SD-38), until any action of one's own


def due(state: State) -> list[tuple[PlayerId, int]]:
    """Everybody who is being waited for, and until when."""
    now = asked(state)
    if now is None:
        return []
    question, players = now
    return [(player, state.asked_at + _patience(state, question, player)) for player in players]


def _patience(state: State, question: Question, player: PlayerId) -> int:
    """How long this player may take. Somebody who is away has 5 seconds for what they let pass before (5.7)."""
    fixed = FIXED_MS.get(question)
    if fixed is not None:
        return fixed
    seat = state.seat(player)
    assert seat is not None
    if seat.away:
        return AWAY_MS
    return state.options.turn_seconds * 1000 + (CHOOSE_EXTRA_MS if question == "choose" else 0)


def deadline(state: State) -> int | None:
    """The earliest."""
    waits = due(state)
    return min([at for _, at in waits]) if waits else None


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
