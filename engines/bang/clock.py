"""Deadlines, what is played when they pass, and who is away (document 8.5).

Every question has its own deadline in the state. Connection changes and timeouts are inputs like any other (BG-50):
someone who has been away for two minutes is played for from a timeout of its own on, until the return.
"""

from __future__ import annotations

from msgspec.structs import replace

from engines.bang import auto
from engines.bang.state import Player, State
from engines.bang.table import BOT_MS, Draft, Table
from engines.kernel.contract import Event, PlayerId, Presence, Step

AWAY_MS = 120_000


def deadline(state: State) -> int | None:
    """The earliest of all that is waited for; None when it is over."""
    if state.winner is not None:
        return None
    table = Table(state)
    waits = [table.reactions[at].deadline for at in table.asked().values()] or [state.turn.deadline]
    return min(waits + [due for player in state.players if (due := played_for_from(player)) is not None])


def played_for_from(player: Player) -> int | None:
    """When someone who is away begins to be played for."""
    if player.away_since is None or player.bot or not player.alive:
        return None
    return player.away_since + AWAY_MS


def timeout(state: State, now: int) -> Step[State]:
    """Everything that is due, one after another: of simultaneous windows clockwise from the source (BG-7)."""
    events: list[Event] = []
    while state.winner is None:
        draft = Draft(state, now)
        if not (_begin_absence(draft) or _play_due(draft)):
            break
        step = draft.step()
        state = step.state
        events += step.events
    return Step(state, tuple(events))


def _begin_absence(draft: Draft) -> bool:
    for name, player in draft.players.items():
        due = played_for_from(player)
        if due is not None and due <= draft.now:
            draft.set(name, bot=True)
            draft.tell("playedFor", player=name)
            _hurry(draft, name)
            return True
    return False


def _play_due(draft: Draft) -> bool:
    asked = draft.asked()
    for name, at in sorted(asked.items(), key=lambda one: one[1]):
        if draft.reactions[at].deadline <= draft.now:
            draft.tell("timedOut", player=name)
            auto.answer(draft, name)
            return True
    if not asked and draft.turn.deadline <= draft.now:
        draft.tell("timedOut", player=draft.turn.player)
        auto.go_on(draft, draft.turn.player)
        return True
    return False


# ---------------------------------------------------------------- who is away


def presence(state: State, player: PlayerId, status: Presence, now: int) -> Step[State]:
    """Away, back, or gone for good: who leaves is played for from now on."""
    draft = Draft(state, now)
    found = draft.players.get(player)
    if state.winner is not None or found is None or not found.alive or found.left:
        return Step(state, ())
    match status:
        case "offline":
            if found.away_since is not None:
                return Step(state, ())
            draft.set(player, away_since=now)
            draft.tell("playerAway", player=player)
        case "online":
            if found.away_since is None:
                return Step(state, ())
            draft.set(player, away_since=None, bot=False)
            draft.tell("playerBack", player=player)
            if found.bot:
                _take_time(draft, player)
        case "left":
            draft.set(player, away_since=now if found.away_since is None else found.away_since, bot=True, left=True)
            draft.tell("playerLeft", player=player)
            _hurry(draft, player)
    return draft.step()


def _hurry(draft: Draft, player: PlayerId) -> None:
    """Whatever is open to this player is answered at once."""
    soon = draft.now + BOT_MS
    for at, window in enumerate(draft.reactions):
        if window.asked == player:
            draft.reactions[at] = replace(window, deadline=min(window.deadline, soon))
    if draft.turn.player == player:
        start = draft.now if draft.turn.paused_at is None else draft.turn.paused_at
        draft.turn = replace(draft.turn, deadline=min(draft.turn.deadline, start + BOT_MS))


def _take_time(draft: Draft, player: PlayerId) -> None:
    """Who comes back has the full time for whatever is open."""
    for at, window in enumerate(draft.reactions):
        if window.asked == player:
            draft.reactions[at] = replace(window, deadline=draft.wait(player))
    if draft.turn.player == player:
        start = draft.now if draft.turn.paused_at is None else draft.turn.paused_at
        draft.turn = replace(draft.turn, deadline=start + draft.options.turn_seconds * 1000)
