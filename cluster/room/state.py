"""What a room is after any entry of its log: the lobby around the table, and the table with the game on it.

All of it is frozen. A step makes a new state, so a step that is refused, or crashes, has changed nothing.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Literal

import msgspec

from engines.kernel import codec
from engines.kernel.contract import Presence

Status = Literal["waiting", "playing", "finished", "closed"]


class SeatState(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A taken seat."""

    player: str
    name: str
    bot: bool = False
    ready: bool = False
    left: bool = False  # left for good in mid-game; the seat falls free when the game is over
    pledge: str = ""  # what this player's number for the next game hashes to


class Deal(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """What stands behind one game's deals (`engines.kernel.sealed`): the next game's, or the last one's that began."""

    seal: str
    width: int
    draws: int
    at: int  # room ms when it was sealed
    pledges: dict[str, str]
    awaited: tuple[str, ...]  # whose numbers are still to come
    secret: str = ""  # in hex, until the game begins; never told
    numbers: dict[str, str] = {}
    begun: bool = False


class Lobby(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Everything but the game."""

    room: str
    code: str
    game: str
    creator: str
    options: dict[str, Any]
    seats: tuple[SeatState | None, ...]
    status: Status = "waiting"
    public: bool = False
    spectators: bool = True
    auto_start: bool = False
    host: str | None = None
    banned: tuple[str, ...] = ()
    lock: str = ""  # of a password; none: whoever knows the room may come in
    invite: str = ""  # the key of an invitation
    games: int = 0  # begun so far
    closed: str | None = None  # why it was closed
    deal: Deal | None = None

    @property
    def dealing(self) -> Deal | None:
        """The deal of a game that has been sealed and has not begun: players' numbers are awaited."""
        return self.deal if self.deal is not None and not self.deal.begun and self.status != "closed" else None

    def seat_of(self, player: str) -> int | None:
        """The index of the seat this player has; a seat that was left for good is nobody's."""
        for index, seat in enumerate(self.seats):
            if seat is not None and seat.player == player and not seat.left:
                return index
        return None

    def taken(self) -> list[SeatState]:
        """The taken seats in clockwise order, those that were left included."""
        return [seat for seat in self.seats if seat is not None]

    def people(self) -> list[SeatState]:
        """The seats that a person still has."""
        return [seat for seat in self.seats if seat is not None and not seat.bot and not seat.left]


class Question(msgspec.Struct, frozen=True, array_like=True):
    """What the game is asking a player: ``seq`` numbers it, and an answer must name that number."""

    seq: int
    at: int  # room ms when it was asked
    types: tuple[str, ...]  # the types of the actions that may answer it


class Table(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A game on the table, running or over."""

    number: int  # 0 for the room's first game
    state_version: int
    players: tuple[str, ...]
    state: Any  # the engine's own
    questions: dict[str, Question] = {}
    presence: dict[str, Presence] = {}  # those the engine was told are not online
    over: bool = False


class RoomState(msgspec.Struct, frozen=True):
    """A room after some entry; before the first one there is no lobby yet."""

    lobby: Lobby | None = None
    table: Table | None = None

    @property
    def running(self) -> Table | None:
        """The table, while a game is played on it: none before, none after, and none in a room that was closed."""
        lobby, table = self.lobby, self.table
        return table if lobby is not None and lobby.status == "playing" and table is not None else None


_encode = msgspec.json.Encoder(order="deterministic").encode


class Digester:
    """Digests states of one room. Remembers the lobby's bytes: in a game it stays the same object for many steps."""

    def __init__(self) -> None:
        self._lobby: Lobby | None = None
        self._lobby_bytes = b""

    def __call__(self, room: RoomState) -> str:
        """32 hex digits: SHA-256, cut, of the state's canonical JSON (lobby, table, engine state; a line each)."""
        if room.lobby is not self._lobby:
            self._lobby, self._lobby_bytes = room.lobby, _encode(room.lobby)
        hasher = sha256(self._lobby_bytes)
        if (table := room.table) is not None:
            frame = (table.number, table.state_version, table.players, table.questions, table.presence, table.over)
            hasher.update(b"\n" + _encode(frame) + b"\n" + codec.canonical(table.state))
        return hasher.hexdigest()[:32]


class _Saved(msgspec.Struct, frozen=True):
    lobby: Lobby | None
    table: Table | None


def dump(room: RoomState) -> bytes:
    """The whole state as JSON, for a snapshot."""
    return _encode(_Saved(room.lobby, room.table))


class _SavedTable(msgspec.Struct, frozen=True, rename="camel"):
    state_version: int


class _SavedVersion(msgspec.Struct, frozen=True):
    table: _SavedTable | None = None


def saved_version(data: bytes | msgspec.Raw) -> int | None:
    """The version of the game on the table, from the state's JSON, without any need of the game; None without one."""
    table = msgspec.json.decode(data, type=_SavedVersion).table
    return None if table is None else table.state_version


def load(data: bytes, game: Any) -> RoomState:
    """The state from its JSON; ``game`` reads its own part. Raises `ValueError` (or its subclass msgspec's)."""
    saved = msgspec.json.decode(data, type=_Saved)
    table = saved.table
    if table is not None:
        table = msgspec.structs.replace(table, state=game.load(table.state))
    return RoomState(saved.lobby, table)
