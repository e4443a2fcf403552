"""What follows from a fact. The one function that changes a room, live and in a replay alike.

Nothing here asks whether the fact may happen: that was decided before it was logged (`decide`). The one exception is
the engine, which judges a move by making it: `advance` hands its refusal on, and the fact never becomes an entry.
"""

from __future__ import annotations

from typing import Any, assert_never

import msgspec

from cluster.entries import (
    Acted,
    AnyFact,
    Began,
    Closed,
    Created,
    HostPassed,
    Kicked,
    Left,
    Lent,
    OptionsSet,
    Pledged,
    PresenceSet,
    ReadySet,
    RoomSet,
    Sat,
    Sealed,
    Stood,
    TimedOut,
    Unsealed,
)
from cluster.room.state import Deal, Lobby, Question, RoomState, SeatState, Table
from engines.kernel.contract import Action, Event, Game, PlayerId, Rejected, Step

BANNED_KEPT = 1_000  # people whom a host has sent away, the last ones: a room does not grow without end

_replace = msgspec.structs.replace


class Stuck(Exception):
    """The engine's timeout did not move the game past its deadline: a bug in the engine."""


class Outcome(msgspec.Struct, frozen=True):
    """The room after a fact, what happened in the game, and what each player may do now."""

    room: RoomState
    events: tuple[Event, ...] = ()
    legal: dict[PlayerId, list[Action]] | None = None  # None: as before


def advance(
    game: Game[Any], room: RoomState, fact: AnyFact, who: PlayerId | None, seq: int, at: int
) -> Outcome | Rejected:
    """The room after this fact, as entry ``seq`` at room time ``at``. Raises `Stuck`, and whatever an engine raises."""
    lobby = room.lobby
    if lobby is None:
        if not isinstance(fact, Created):
            raise ValueError(f"a log begins with 'created', not {type(fact).__name__}")
        return Outcome(RoomState(_created(fact)))
    match fact:
        case Acted():
            assert who is not None
            table = _table(room)
            return _stepped(game, room, game.apply(table.state, who, fact.action, at), seq, at, (who,))
        case TimedOut():
            table = _table(room)
            waited = tuple(player for player in table.players if player in table.questions)
            outcome = _stepped(game, room, game.timeout(table.state, at), seq, at, waited)
            _must_have_moved(game, outcome, at)
            return outcome
        case PresenceSet():
            table = _table(room)
            presence = {p: s for p, s in table.presence.items() if p != fact.player}
            if fact.status != "online":
                presence[fact.player] = fact.status
            room = _replace(room, table=_replace(table, presence=presence))
            return _stepped(game, room, game.presence(table.state, fact.player, fact.status, at), seq, at)
        case Began():
            seed = bytes.fromhex(fact.seed)
            begun = game.setup(fact.options, fact.players, seed, at, fact.state_version)
            if isinstance(begun, Rejected):
                return begun
            seats = tuple(seat and _replace(seat, ready=False, pledge="") for seat in lobby.seats)
            table = Table(lobby.games, fact.state_version, tuple(fact.players), begun.state)
            deal = lobby.dealing  # None: nobody added a number, and there is no seal
            deal = deal and _replace(deal, secret="", awaited=(), begun=True)
            lobby = _replace(lobby, status="playing", games=lobby.games + 1, seats=seats, deal=deal)
            return _stepped(game, RoomState(lobby, table), begun, seq, at)
        case Pledged():
            seats = tuple(
                _replace(seat, pledge=fact.pledge) if seat and seat.player == fact.player else seat
                for seat in lobby.seats
            )
            return Outcome(_replace(room, lobby=_replace(lobby, seats=seats)))
        case Sealed():
            pledges = {seat.player: seat.pledge for seat in lobby.taken() if seat.player in fact.awaited}
            deal = Deal(fact.seal, fact.width, fact.draws, at, pledges, tuple(fact.awaited), fact.secret)
            return Outcome(_replace(room, lobby=_replace(lobby, deal=deal)))
        case Lent():
            assert lobby.deal is not None
            awaited = tuple(player for player in lobby.deal.awaited if player != fact.player)
            numbers = {**lobby.deal.numbers, fact.player: fact.number}
            deal = _replace(lobby.deal, awaited=awaited, numbers=numbers)
            return Outcome(_replace(room, lobby=_replace(lobby, deal=deal)))
        case Unsealed():
            seats = tuple(seat and _replace(seat, pledge="") for seat in lobby.seats)
            return Outcome(_replace(room, lobby=_replace(lobby, seats=seats, deal=None)))
        case Sat():
            seat = SeatState(fact.player, fact.name, fact.bot, ready=fact.bot, pledge=fact.pledge)
            seats = _with_seat(lobby, fact.seat, seat)
            host = lobby.host
            if not fact.bot and (host is None or (fact.player == lobby.creator and lobby.games == 0)):
                host = fact.player
            return Outcome(_replace(room, lobby=_replace(lobby, seats=seats, host=host)))
        case Stood():
            return Outcome(_replace(room, lobby=_without(lobby, fact.player)))
        case Left():
            return _gone(game, room, fact.player, seq, at)
        case Kicked():
            banned = lobby.banned
            if not any(seat.player == fact.player and seat.bot for seat in lobby.taken()):
                banned = (*banned, fact.player)[-BANNED_KEPT:]
            lobby = _replace(lobby, banned=banned, invite=fact.invite or lobby.invite)
            return _gone(game, _replace(room, lobby=lobby), fact.player, seq, at)
        case ReadySet():
            seats = tuple(
                _replace(seat, ready=fact.ready) if seat and seat.player == fact.player else seat
                for seat in lobby.seats
            )
            return Outcome(_replace(room, lobby=_replace(lobby, seats=seats)))
        case OptionsSet():
            seats = tuple(seat and _replace(seat, ready=seat.bot) for seat in lobby.seats)
            return Outcome(_replace(room, lobby=_replace(lobby, options=fact.options, seats=seats)))
        case RoomSet():
            seats = _resized(lobby, fact.seats)
            changes = {"public": fact.public, "spectators": fact.spectators, "auto_start": fact.auto_start}
            keys = {"lock": fact.lock, "invite": fact.invite or lobby.invite}
            return Outcome(_replace(room, lobby=_replace(lobby, seats=seats, **changes, **keys)))
        case HostPassed():
            return Outcome(_replace(room, lobby=_replace(lobby, host=fact.player)))
        case Closed():
            return Outcome(_replace(room, lobby=_replace(lobby, status="closed", closed=fact.reason)), legal={})
        case Created():
            raise ValueError("a room is created once")
        case _:
            assert_never(fact)


def _created(fact: Created) -> Lobby:
    return Lobby(
        room=fact.room,
        code=fact.code,
        game=fact.game,
        creator=fact.creator,
        options=fact.options,
        seats=(None,) * fact.seats,
        public=fact.public,
        spectators=fact.spectators,
        auto_start=fact.auto_start,
        lock=fact.lock,
        invite=fact.invite,
    )


# ---------------------------------------------------------------- the game


def _table(room: RoomState) -> Table:
    if room.running is None:
        raise ValueError("no game is running")
    return room.running


def _stepped(
    game: Game[Any],
    room: RoomState,
    step: Step[Any] | Rejected,
    seq: int,
    at: int,
    answered: tuple[PlayerId, ...] = (),
) -> Outcome | Rejected:
    """The room after the engine's step: what is now asked of whom, and whether the game is over."""
    if isinstance(step, Rejected):
        return step
    table, lobby = room.table, room.lobby
    assert table is not None
    assert lobby is not None
    state = step.state
    if game.result(state) is not None:
        lobby = _replace(lobby, status="finished", seats=tuple(None if s and s.left else s for s in lobby.seats))
        lobby = _hosted(lobby)
        table = _replace(table, state=state, questions={}, over=True)
        return Outcome(RoomState(lobby, table), step.events, {})
    questions, legal = {}, {}
    before = table.questions
    for player in table.players:
        if actions := game.legal(state, player):
            legal[player] = actions
            types = tuple(dict.fromkeys([action["type"] for action in actions]))
            asked = before.get(player)
            # The same question goes on being open while others move. It is a new one once the player has answered,
            # or was not asked anything before, or is asked for something of another kind.
            if asked is None or player in answered or asked.types != types:
                asked = Question(seq, at, types)
            questions[player] = asked
    table = _replace(table, state=state, questions=questions)
    return Outcome(RoomState(lobby, table), step.events, legal)


def _must_have_moved(game: Game[Any], outcome: Outcome | Rejected, at: int) -> None:
    if isinstance(outcome, Rejected):
        raise Stuck(f"timeout was refused: {outcome.code}")
    table = outcome.room.table
    assert table is not None
    deadline = None if table.over else game.deadline(table.state)
    if deadline is not None and deadline <= at:
        raise Stuck(f"deadline {deadline} is still open after the timeout at {at}")


def _gone(game: Game[Any], room: RoomState, player: PlayerId, seq: int, at: int) -> Outcome | Rejected:
    """Left for good. In mid-game the seat stays, and the engine plays for it as the documents say."""
    lobby, table = room.lobby, room.table
    assert lobby is not None
    index = lobby.seat_of(player)
    if index is None:
        return Outcome(room)
    if table is None or table.over or player not in table.players:
        return Outcome(_replace(room, lobby=_undealt(_without(lobby, player), player)))
    seat = lobby.seats[index]
    assert seat is not None
    lobby = _hosted(_replace(lobby, seats=_with_seat(lobby, index, _replace(seat, left=True))))
    table = _replace(table, presence={**table.presence, player: "left"})
    return _stepped(game, RoomState(lobby, table), game.presence(table.state, player, "left", at), seq, at)


def _undealt(lobby: Lobby, gone: PlayerId) -> Lobby:
    """Who leaves between the seal and the first card is not waited for, and a number already opened does not count."""
    deal = lobby.dealing
    if deal is None:
        return lobby
    awaited = tuple(player for player in deal.awaited if player != gone)
    numbers = {player: number for player, number in deal.numbers.items() if player != gone}
    return _replace(lobby, deal=_replace(deal, awaited=awaited, numbers=numbers))


# ---------------------------------------------------------------- seats and host


def _with_seat(lobby: Lobby, index: int, seat: SeatState | None) -> tuple[SeatState | None, ...]:
    return (*lobby.seats[:index], seat, *lobby.seats[index + 1 :])


def _without(lobby: Lobby, player: PlayerId) -> Lobby:
    index = lobby.seat_of(player)
    return lobby if index is None else _hosted(_replace(lobby, seats=_with_seat(lobby, index, None)), index)


def _hosted(lobby: Lobby, vacated: int | None = None) -> Lobby:
    """A host who has no seat any more is followed by the next seated person clockwise; without one there is none."""
    if lobby.host is None or lobby.seat_of(lobby.host) is not None:
        return lobby
    if vacated is None:
        vacated = next((i for i, seat in enumerate(lobby.seats) if seat and seat.player == lobby.host), 0)
    clockwise = lobby.seats[vacated + 1 :] + lobby.seats[: vacated + 1]
    heir = next((seat.player for seat in clockwise if seat and not seat.bot and not seat.left), None)
    return _replace(lobby, host=heir)


def _resized(lobby: Lobby, seats: int) -> tuple[SeatState | None, ...]:
    """More seats at the end, or fewer: empty ones go, and people keep their order."""
    kept = list(lobby.seats)
    while len(kept) > seats and None in kept:
        kept.remove(None) if kept[-1] is not None else kept.pop()
    return tuple(kept + [None] * (seats - len(kept)))
