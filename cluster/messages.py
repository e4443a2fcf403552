"""What a client and hanpan say to each other over one WebSocket: the whole vocabulary, both ways.

JSON text frames, one message each, a flat object with a ``type``. The room process writes most server messages;
the gateway writes those about the connection itself (`Pause`, `Resume`, `Bye`, `Error`, `Pong`). JSON Schemas are
made from these types (``python -m gateway.schemas``); ``gateway/PROTOCOL.md`` tells the story around them.

A client that wants something gives it an ``id`` of its own making. The answer is one `Ack` or one `Reject` with that
id. A room knows the last 32 ids of each player again, on whatever connection. What was done under one is acknowledged
again and not done twice, also when the room has moved to another process. What changed nothing, as a `Reject` did, is
answered as before in the same process, and judged anew in another; and after a `Reject` with ``retry`` always.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from cluster.room.lock import KEY_LENGTH, PASSWORD_LENGTH

PROTOCOL_VERSION = 1

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+\Z")]
PlayerIdText = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
RoomIdText = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]
Seat = Annotated[int, msgspec.Meta(ge=0, le=31)]
Seq = Annotated[int, msgspec.Meta(ge=0)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=20)]
Password = Annotated[str, msgspec.Meta(max_length=PASSWORD_LENGTH)]
Key = Annotated[str, msgspec.Meta(max_length=KEY_LENGTH)]
Hash = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]  # 32 bytes in hex


class Message(
    msgspec.Struct, frozen=True, rename="camel", tag_field="type", omit_defaults=True, forbid_unknown_fields=True
):
    """Base of all messages: frozen, camelCase on the wire, told apart by ``type``."""


# ---------------------------------------------------------------- client -> server


class Hello(Message, tag="hello", frozen=True):
    """The first message on a socket, within 10 s. Nothing else is accepted before its `Welcome`."""

    token: Annotated[str, msgspec.Meta(max_length=2048)]  # from POST /api/guest
    room: RoomIdText
    join: Literal["seat", "watch"] = "watch"  # seat: take a free seat on arrival (a player with a seat keeps it)
    seq: Seq | None = None  # the last seq this client saw of this room: ask for what it missed
    key: Key = ""  # into a locked room, for whoever has no seat in it: its password, or the key of an invitation
    pledge: Hash | None = None  # where a seat is taken on arrival: as in `Pledge`
    v: int = PROTOCOL_VERSION


class Act(Message, tag="action", frozen=True):
    """A move in the game."""

    id: Id
    decision: Seq  # the number of the question that this answers, from the last Welcome or Update
    action: dict[str, Any]  # one of `legal`, ranges filled in


class Sit(Message, tag="sit", frozen=True):
    """Take a seat (the first free one where none is named). Only while the room is not playing."""

    id: Id
    seat: Seat | None = None
    pledge: Hash | None = None  # as in `Pledge`


class Stand(Message, tag="stand", frozen=True):
    """Give the seat back and stay as spectator. Only while the room is not playing."""

    id: Id


class Ready(Message, tag="ready", frozen=True):
    """Say that one is (not) ready for the next game; after a game this is the call for a rematch."""

    id: Id
    ready: bool = True


class Pledge(Message, tag="pledge", frozen=True):
    """Add a number to the next game's deals; this is its hash (`gateway/FAIRNESS.md`), and falls with every start."""

    id: Id
    pledge: Hash


class Lend(Message, tag="lend", frozen=True):
    """The number that was pledged, once the room's `deal` awaits it. Never for a second seal."""

    id: Id
    number: Hash


class Start(Message, tag="start", frozen=True):
    """Host: start the game. All other seated people must be ready."""

    id: Id


class SetOptions(Message, tag="options", frozen=True):
    """Host: choose the game's options for the next game; ready marks fall."""

    id: Id
    options: dict[str, Any]


class SetRoom(Message, tag="room", frozen=True):
    """Host: change who can find, watch or enter the room, and how it starts. Absent fields stay."""

    id: Id
    public: bool | None = None
    spectators: bool | None = None
    auto_start: bool | None = None
    seats: Annotated[int, msgspec.Meta(ge=2, le=32)] | None = None
    password: Password | None = None  # an empty one takes it away


class AddBot(Message, tag="addBot", frozen=True):
    """Host: put a bot on a free seat."""

    id: Id
    seat: Seat | None = None


class Kick(Message, tag="kick", frozen=True):
    """Host: remove a player, spectator or bot. A person who was kicked cannot come back into this room."""

    id: Id
    player: PlayerIdText


class PassHost(Message, tag="host", frozen=True):
    """Host: make another seated person the host."""

    id: Id
    player: PlayerIdText


class Leave(Message, tag="leave", frozen=True):
    """Leave for good. During a game the documents say what is played for one who left."""

    id: Id


class Close(Message, tag="close", frozen=True):
    """Host: close the room for everyone."""

    id: Id


class Ping(Message, tag="ping", frozen=True):
    """Is anybody there? For clients that cannot send WebSocket pings."""

    t: float = 0  # comes back as it was


Command = Sit | Stand | Ready | Pledge | Lend | Start | SetOptions | SetRoom | AddBot | Kick | PassHost | Leave | Close
ToRoom = Act | Command
ClientMessage = Hello | ToRoom | Ping


# ---------------------------------------------------------------- server -> client


class SeatInfo(msgspec.Struct, frozen=True, rename="camel"):
    """One taken seat, as everyone sees it."""

    player: str
    name: str
    bot: bool
    ready: bool
    online: bool
    left: bool  # left for good during this game; the seat falls free when it ends
    pledge: str = ""  # the hash of the number that this player adds to the next game's deals


class DealInfo(msgspec.Struct, frozen=True, rename="camel"):
    """What can be said before and after of a game whose deals can be checked (`gateway/FAIRNESS.md`)."""

    seal: str
    width: int
    draws: int
    pledges: dict[str, str]
    numbers: dict[str, str]
    awaited: list[str]  # whose numbers are still to come; a game that has begun awaits none
    begun: bool


class RoomInfo(msgspec.Struct, frozen=True, rename="camel"):
    """The room around the game, the same for everyone in it."""

    id: str
    code: str  # six characters; type it to come in
    game: str
    title: str
    status: Literal["waiting", "playing", "finished", "closed"]
    public: bool
    spectators: bool  # may people watch?
    auto_start: bool  # starts as soon as all seats are taken
    locked: bool  # whoever has no seat needs the password, or the key of an invitation
    invite: str  # that key, for whoever is in the room: put it behind the room's address, after a #
    options: dict[str, Any]  # as chosen for the next game (or the running one)
    seats: list[SeatInfo | None]
    min_players: int
    max_players: int
    host: str | None
    watching: int  # spectators connected now
    games: int  # games begun in this room; the running or last one is number games - 1
    deal: DealInfo | None = None  # of a game that has been sealed: the next one, or the last that began


class You(msgspec.Struct, frozen=True, rename="camel"):
    """Who this connection is."""

    player: str
    name: str
    seat: int | None  # None: spectator


class Missed(msgspec.Struct, frozen=True):
    """What one missed step told this viewer."""

    seq: int
    events: list[dict[str, Any]]


class Situation(Message, frozen=True):
    """What `Welcome` and `Update` share: how things stand for this viewer after entry ``seq``."""

    seq: Seq
    room: RoomInfo | None = None  # in a Welcome, and whenever it changed
    view: dict[str, Any] | None = None  # the engine's; absent before the first game, and where it did not change
    legal: list[dict[str, Any]] = []  # what you may do now; a {"min","max"} value stands for any integer in it
    decision: Seq = 0  # the number of the question now open to you; 0 when you are asked nothing
    deadline_in: int | None = None  # ms until the next timeout


class Welcome(Situation, tag="welcome", frozen=True):
    """The answer to Hello, and again after the room had to move: the whole picture."""

    you: You = You("", "", None)
    resumed: bool = False  # `missed` holds everything since the seq of your Hello
    missed: list[Missed] = []
    v: int = PROTOCOL_VERSION


class Update(Situation, tag="update", frozen=True):
    """One entry of the room's log took effect: what happened, and how things stand now."""

    events: list[dict[str, Any]] = []


class Ack(Message, tag="ack", frozen=True):
    """Done, and kept. ``seq`` is the entry that holds it."""

    id: str
    seq: Seq


class Reject(Message, tag="reject", frozen=True):
    """Not done; nothing changed. With ``retry`` the same message may be sent again later."""

    id: str
    code: str
    message: str
    retry: bool = False


class Online(Message, tag="presence", frozen=True):
    """Somebody's connection came or went; ``watching`` is the number of spectators, of whom not each is told of."""

    player: str
    online: bool
    watching: int


class Pause(Message, tag="pause", frozen=True):
    """The room cannot go on for a moment; its timers stand still.

    ``recovering``: what is sent is kept, and answered after `Resume`. ``storage``: it is refused as ``storage_down``,
    to be sent again; only of what was being written just then the answer comes later, when it is known.
    """

    reason: Literal["recovering", "storage"]
    message: str


class Resume(Message, tag="resume", frozen=True):
    """The room goes on. After ``recovering`` a fresh `Welcome` has come just before."""

    deadline_in: int | None = None


class Bye(Message, tag="bye", frozen=True):
    """The last message before the server closes this socket. ``again``: worth connecting anew."""

    code: Literal[
        "replaced",
        "kicked",
        "left",
        "closed",
        "slow",
        "flood",
        "too_big",
        "bad_message",
        "bad_token",
        "bad_version",
        "room_not_found",
        "room_full",
        "banned",
        "not_public",
        "locked",
        "wrong_key",
        "crowded",
        "overloaded",
        "quarantined",
        "unavailable",
        "idle",
        "shutdown",
    ]
    message: str
    again: bool = False
    after: int = 0  # ms to wait before connecting again
    at: str = ""  # and where: another gateway's address, https://host; none: the same address as before


class Error(Message, tag="error", frozen=True):
    """A message that could not be understood, and had no usable id to reject. The connection stays."""

    code: str
    message: str


class Pong(Message, tag="pong", frozen=True):
    """The answer to Ping."""

    t: float


ServerMessage = Welcome | Update | Ack | Reject | Online | Pause | Resume | Bye | Error | Pong
