"""What is to become a fact: people's messages and the room's own business, judged against the room as it stands.

Each function returns the facts to log, in order; none, where all is as wished already; or a refusal. Chance comes in
as ``chance``, 32 random bytes that seed the game if one begins now, or its envelopes if it is sealed (`dealing`).
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any, assert_never

import msgspec

from cluster.client import CreateRoom
from cluster.entries import (
    Acted,
    AnyFact,
    Closed,
    Created,
    HostPassed,
    Kicked,
    Left,
    OptionsSet,
    PresenceSet,
    ReadySet,
    RoomSet,
    Sat,
    Stood,
)
from cluster.messages import (
    Act,
    AddBot,
    Close,
    Kick,
    Leave,
    Lend,
    PassHost,
    Pledge,
    Ready,
    SetOptions,
    SetRoom,
    Sit,
    Stand,
    Start,
    ToRoom,
)
from cluster.room import dealing
from cluster.room.lock import invitation, lock_of
from cluster.room.refusals import refuse
from cluster.room.state import Lobby, RoomState, SeatState
from engines.kernel import codec
from engines.kernel.contract import Game, PlayerId, Rejected

Verdict = list[AnyFact] | Rejected


class Person(msgspec.Struct, frozen=True):
    """Who is speaking, as the gateway has authenticated them."""

    player: PlayerId
    name: str


class Around(msgspec.Struct, frozen=True):
    """What a decision may depend on beside the room's state. It is not logged; what follows from it is."""

    game: Game[Any]
    online: Set[PlayerId]  # people connected now
    chance: bytes

    def begin(self, lobby: Lobby, taken: list[SeatState]) -> list[AnyFact]:
        """A game with these people is to begin."""
        return dealing.begin(self.game, lobby, taken, self.online, self.chance)


def first_fact(wish: CreateRoom, room: str, code: str, game: Game[Any]) -> Created:
    """The fact that a wish comes to, if it can be."""
    return Created(
        room=room,
        code=code,
        game=wish.game,
        creator=wish.creator,
        options=wish.options,
        seats=game.max_players if wish.seats is None else wish.seats,
        public=wish.public,
        spectators=wish.spectators,
        auto_start=wish.auto_start,
        lock=wish.lock,
    )


def created(fact: Created, bots: int, around: Around) -> Verdict:
    """A new room, with bots on its first seats."""
    options = codec.decode_options(around.game.Options, fact.options)
    if isinstance(options, Rejected):
        return options
    if not around.game.min_players <= fact.seats <= around.game.max_players:
        return refuse("too_many_seats")
    if not 0 <= bots < fact.seats:
        return refuse("room_full")
    # Bots sit from the last seat down, so that people fill the table from the first.
    seated = [Sat(f"bot-{n + 1}", f"봇 {n + 1}", fact.seats - 1 - n, bot=True) for n in range(bots)]
    return [msgspec.structs.replace(fact, invite=invitation(around.chance)), *seated]


def message(room: RoomState, person: Person, said: ToRoom, around: Around) -> Verdict:
    """What a person's message comes to."""
    lobby = room.lobby
    assert lobby is not None
    if lobby.status == "closed":
        return refuse("room_closed")
    me = person.player
    if lobby.dealing is not None and not isinstance(said, Lend | Leave | PassHost | Close):
        return refuse("starting")
    match said:
        case Act():
            return _act(room, me, said)
        case Sit():
            return _sit(lobby, person, said, around)
        case Stand():
            if lobby.status == "playing":
                return refuse("already_playing")
            return [Stood(me)] if lobby.seat_of(me) is not None else []
        case Ready():
            return _ready(lobby, me, said, around)
        case Pledge():
            return dealing.pledge(lobby, me, said)
        case Lend():
            return dealing.lend(around.game, lobby, me, said, around.online)
        case Leave():
            return leave(room, me, around)
        case Start() | SetOptions() | SetRoom() | AddBot() | Kick() | PassHost() | Close():
            return _as_host(room, me, said, around) if lobby.host == me else refuse("not_host")
        case _:
            assert_never(said)


def _act(room: RoomState, me: PlayerId, said: Act) -> Verdict:
    table = room.table
    if table is None or table.over:
        return refuse("no_game")
    if me not in table.players or table.presence.get(me) == "left":
        return refuse("not_playing")
    question = table.questions.get(me)
    if question is not None and question.seq != said.decision:
        return refuse("stale_decision")
    if question is None and said.decision != 0:
        return refuse("stale_decision")
    # Whoever is asked nothing and says so (decision 0) hears from the engine why, in the game's own words.
    return [Acted(said.action, said.decision)]


def _sit(lobby: Lobby, person: Person, said: Sit, around: Around) -> Verdict:
    if person.player in lobby.banned:
        return refuse("banned")
    if lobby.seat_of(person.player) is not None:
        return [] if said.seat in (None, lobby.seat_of(person.player)) else refuse("already_seated")
    if lobby.status == "playing":
        return refuse("already_playing")
    seat = _free_seat(lobby, said.seat)
    if isinstance(seat, Rejected):
        return seat
    return _then_full(lobby, Sat(person.player, person.name, seat, pledge=said.pledge or ""), around)


def _free_seat(lobby: Lobby, wished: int | None) -> int | Rejected:
    if wished is None:
        return next((i for i, seat in enumerate(lobby.seats) if seat is None), refuse("room_full"))
    if wished >= len(lobby.seats):
        return refuse("no_such_seat")
    return refuse("seat_taken") if lobby.seats[wished] is not None else wished


def _then_full(lobby: Lobby, sat: Sat, around: Around) -> Verdict:
    """Sits down, and where that fills a room that starts by itself, begins."""
    seats = list(lobby.seats)
    seats[sat.seat] = SeatState(sat.player, sat.name, sat.bot, pledge=sat.pledge)
    if not lobby.auto_start or None in seats or lobby.status != "waiting":
        return [sat]
    return [sat, *around.begin(lobby, [seat for seat in seats if seat])]


def _ready(lobby: Lobby, me: PlayerId, said: Ready, around: Around) -> Verdict:
    if lobby.status == "playing":
        return refuse("already_playing")
    index = lobby.seat_of(me)
    if index is None:
        return refuse("not_seated")
    seat = lobby.seats[index]
    assert seat is not None
    if seat.ready == said.ready:
        return []
    facts: list[AnyFact] = [ReadySet(me, said.ready)]
    others = [other for other in lobby.taken() if other.player != me]
    everyone = said.ready and all(other.ready or other.bot for other in others)
    # After a game, ready means "again!": the rematch begins when the last person at the table has said so.
    if lobby.status == "finished" and everyone and len(others) + 1 >= around.game.min_players:
        facts += around.begin(lobby, lobby.taken())
    return facts


def leave(room: RoomState, me: PlayerId, around: Around) -> Verdict:
    """Leaves for good; a room whose last person has left is closed with it."""
    lobby = room.lobby
    assert lobby is not None
    if lobby.seat_of(me) is None:
        return []
    facts = _without_person(lobby, me, Left(me))
    return facts if len(facts) > 1 else [*facts, *dealing.left(around.game, lobby, me, around.online)]


def _without_person(lobby: Lobby, player: PlayerId, gone: Left | Kicked) -> list[AnyFact]:
    others = [seat for seat in lobby.people() if seat.player != player]
    was_person = any(seat.player == player for seat in lobby.people())
    return [gone] if others or not was_person else [gone, Closed("empty")]


def _as_host(
    room: RoomState,
    me: PlayerId,
    said: Start | SetOptions | SetRoom | AddBot | Kick | PassHost | Close,
    around: Around,
) -> Verdict:
    lobby = room.lobby
    assert lobby is not None
    playing = lobby.status == "playing"
    match said:
        case Start():
            taken = lobby.taken()
            if playing:
                return refuse("already_playing")
            if len(taken) < around.game.min_players:
                return refuse("not_enough_players")
            if not all(seat.ready or seat.bot or seat.player == me for seat in taken):
                return refuse("not_ready")
            return around.begin(lobby, taken)
        case SetOptions():
            if playing:
                return refuse("already_playing")
            options = codec.decode_options(around.game.Options, said.options)
            return options if isinstance(options, Rejected) else [OptionsSet(said.options)]
        case SetRoom():
            return _set_room(lobby, said, around)
        case AddBot():
            if playing:
                return refuse("already_playing")
            seat = _free_seat(lobby, said.seat)
            if isinstance(seat, Rejected):
                return seat
            names = {other.player for other in lobby.taken()}
            number = next(n for n in range(1, len(lobby.seats) + 1) if f"bot-{n}" not in names)
            return _then_full(lobby, Sat(f"bot-{number}", f"봇 {number}", seat, bot=True), around)
        case Kick():
            if said.player == me:
                return refuse("yourself")
            if lobby.seat_of(said.player) is None and said.player not in around.online:
                return refuse("no_such_player")
            bot = any(seat.player == said.player and seat.bot for seat in lobby.taken())
            invite = "" if bot else invitation(around.chance)
            return _without_person(lobby, said.player, Kicked(said.player, invite))
        case PassHost():
            if said.player == me:
                return []
            if not any(seat.player == said.player for seat in lobby.people()):
                return refuse("no_such_player")
            return [HostPassed(said.player)]
        case Close():
            return [Closed("host")]
        case _:
            assert_never(said)


def _set_room(lobby: Lobby, said: SetRoom, around: Around) -> Verdict:
    wished = RoomSet(
        public=lobby.public if said.public is None else said.public,
        spectators=lobby.spectators if said.spectators is None else said.spectators,
        auto_start=lobby.auto_start if said.auto_start is None else said.auto_start,
        seats=len(lobby.seats) if said.seats is None else said.seats,
        lock=lobby.lock if said.password is None else lock_of(said.password.strip(), around.chance),
        invite="" if said.password is None else invitation(around.chance),
    )
    if wished.seats != len(lobby.seats):
        if lobby.status == "playing":
            return refuse("already_playing")
        if not around.game.min_players <= wished.seats <= around.game.max_players:
            return refuse("too_many_seats")
        if wished.seats < len(lobby.taken()):
            return refuse("seats_in_use")
    return [wished]


# ---------------------------------------------------------------- the room's own business


def presence(room: RoomState, player: PlayerId, online: bool) -> list[AnyFact]:
    """A player's connection came, or has been away for a while."""
    table = room.running
    if table is None or player not in table.players:
        return []
    known = table.presence.get(player, "online")
    if known == "left" or (known == "online") == online:
        return []
    return [PresenceSet(player, "online" if online else "offline")]


def host_is_away(room: RoomState, online: Set[PlayerId]) -> list[AnyFact]:
    """A host who stays away is followed by the next seated person who is there, if any."""
    lobby = room.lobby
    assert lobby is not None
    if lobby.host is None or lobby.host in online or lobby.status == "closed":
        return []
    start = lobby.seat_of(lobby.host) or 0
    clockwise = lobby.seats[start:] + lobby.seats[:start]
    heir = next((s.player for s in clockwise if s and not s.bot and not s.left and s.player in online), None)
    return [HostPassed(heir)] if heir else []
