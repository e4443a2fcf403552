"""What a room's log holds: entries, each of them one fact that became true, in order.

An entry says what was decided, not what followed from it: the state after it is made again by `cluster.room.advance`,
and ``digest`` is there to prove that it was made again exactly.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from engines.kernel.contract import Presence


class Fact(msgspec.Struct, frozen=True, rename="camel", tag_field="kind", omit_defaults=True):
    """Base of all facts, told apart by ``kind``."""


class Created(Fact, tag="created", frozen=True):
    """The room exists. Always entry 1."""

    room: str
    code: str
    game: str
    creator: str
    options: dict[str, Any]
    seats: int
    public: bool = False
    spectators: bool = True
    auto_start: bool = False
    lock: str = ""  # `cluster.room.lock`: of a password
    invite: str = ""  # the key of an invitation


class Sat(Fact, tag="seat", frozen=True):
    player: str
    name: str
    seat: int
    bot: bool = False
    pledge: str = ""


class Stood(Fact, tag="stand", frozen=True):
    player: str


class ReadySet(Fact, tag="ready", frozen=True):
    player: str
    ready: bool


class OptionsSet(Fact, tag="options", frozen=True):
    options: dict[str, Any]


class RoomSet(Fact, tag="room", frozen=True):
    public: bool
    spectators: bool
    auto_start: bool
    seats: int
    lock: str = ""
    invite: str = ""  # a new one; none: as before


class HostPassed(Fact, tag="host", frozen=True):
    player: str


class Kicked(Fact, tag="kick", frozen=True):
    player: str
    invite: str = ""  # a new one, as they may have the old


class Left(Fact, tag="leave", frozen=True):
    player: str


class Pledged(Fact, tag="pledge", frozen=True):
    """What the player's number for the next game hashes to (`engines.kernel.sealed.pledge_of`)."""

    player: str
    pledge: str


class Sealed(Fact, tag="seal", frozen=True):
    """The next game's draws lie in their envelopes; now these players' numbers are waited for. ``secret`` is one."""

    secret: str  # 32 bytes in hex
    seal: str
    width: int
    draws: int
    awaited: list[str]


class Lent(Fact, tag="lend", frozen=True):
    """A player opened the number that was pledged: 32 bytes in hex."""

    player: str
    number: str


class Unsealed(Fact, tag="unseal", frozen=True):
    """The start is off: those who are left cannot play. Numbers that were opened for it are spent, and all pledges."""


class Began(Fact, tag="start", frozen=True):
    """A game begins: all that its engine needs to deal it again. ``seed`` is in hex, and secret.

    32 bytes; or 66, those of a sealed game (`engines.kernel.sealed`).
    """

    players: list[str]
    options: dict[str, Any]
    seed: str
    state_version: int


class Acted(Fact, tag="action", frozen=True):
    """``who`` made this move, in answer to question ``decision``."""

    action: dict[str, Any]
    decision: int = 0


class TimedOut(Fact, tag="timeout", frozen=True):
    """The deadline passed; the engine played for everyone it had waited for."""


class PresenceSet(Fact, tag="presence", frozen=True):
    """The engine was told that a player of the running game is there, is away, or has left."""

    player: str
    status: Presence


class Closed(Fact, tag="close", frozen=True):
    """The room is over. Always the last entry."""

    reason: Literal["host", "empty", "expired", "operator"]


AnyFact = (
    Created
    | Sat
    | Stood
    | ReadySet
    | OptionsSet
    | RoomSet
    | HostPassed
    | Kicked
    | Left
    | Pledged
    | Sealed
    | Lent
    | Unsealed
    | Began
    | Acted
    | TimedOut
    | PresenceSet
    | Closed
)


class Entry(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """One line of a room's log."""

    seq: int  # 1, 2, 3 … without a gap
    epoch: int  # of the owner that wrote it
    at: int  # ms on the room's clock; never less than the entry before
    fact: AnyFact
    digest: str  # of the room's state after this entry (`cluster.room.state.digest`)
    who: str | None = None  # the player whose message this answers; None: the room itself
    id: str | None = None  # that message's id


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Entry)


def encode(entry: Entry) -> bytes:
    """One entry as JSON text in UTF-8."""
    return _encoder.encode(entry)


def decode(data: bytes | str) -> Entry:
    """The entry from its JSON text; raises `msgspec.MsgspecError` where it is not one."""
    return _decoder.decode(data)
