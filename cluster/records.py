"""What the directory keeps of each room and of each node, in memory.

There may be a hundred thousand rooms, nearly all of them parked. So a record is small: what only a room with a process
needs is not there before it has one.
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

import msgspec

from cluster.client import RoomReport, RoomSummary, Someone
from cluster.figures import Vitals
from cluster.link import Refusal
from cluster.link_io import Peer
from cluster.log import RoomRow

ROOM_STATES = ("waiting", "playing", "finished", "parked", "placing", "stranded", "quarantined")

_read_report = msgspec.json.Decoder(RoomReport).decode
_read_people = msgspec.json.Decoder(tuple[Someone, ...]).decode
_encode = msgspec.json.Encoder().encode


class Maker(msgspec.Struct, frozen=True):
    """Of a wish: whose it is, and which of theirs."""

    creator: str
    key: str


_read_maker = msgspec.json.Decoder(Maker).decode


class Owner(msgspec.Struct, frozen=True):
    """Where a room runs."""

    node: str
    process: str
    pid: int
    address: str
    epoch: int


class Record:
    """One room that is not closed, as the directory knows it."""

    __slots__ = (
        "_changed",
        "_people",
        "aim",
        "closed",
        "code",
        "created",
        "deaths",
        "died_early",
        "dooms",
        "epoch",
        "game",
        "id",
        "lost",
        "owner",
        "parked",
        "placing",
        "quarantine",
        "refusal",
        "seq_heard",
        "stranded",
        "summary",
        "touched",
        "unable",
        "version",
        "wish",
    )

    def __init__(self, row: RoomRow) -> None:
        self.id, self.code, self.game = row.id, row.code, sys.intern(row.game)
        self.created = row.created
        self.wish = row.wish  # a CreateRoom, as JSON
        self.epoch = row.epoch
        self.parked = row.parked
        self.quarantine = row.quarantine
        self.closed = row.closed
        self.summary: RoomSummary
        self._people: bytes
        report = _read_report(row.summary)
        self.reported(report)
        # When somebody asked for it last, or may have been in it; unix seconds, as a directory is replaced more often
        # than a room is given up.
        self.touched = report.parked / 1000 if row.parked and report.parked else time.time()
        self.owner: Owner | None = None
        self.placing: asyncio.Task[None] | None = None
        self.deaths = (0, 0)  # how many in a row without an entry after this seq
        self.dooms: tuple[float, ...] = ()  # when its process had to be killed, for hanging or for its memory
        # A death that was heard of before its hand-over was answered: what `Placement.died` is told.
        self.died_early: tuple[int, int | None, str, str] | None = None
        self.refusal: Refusal | None = None  # why there is no room to bring up, for whoever asks next
        self.stranded: str | None = None  # why none of the nodes can play it
        self.unable: tuple[Node, ...] = ()  # nodes whose processes have said that they cannot play it
        self.version = 0  # the state version of its game, where we have heard of it
        self.lost: tuple[float, str] | None = None  # since when it has no owner though it should, and why
        self.aim: str | None = None  # the node that an operator wants it on next
        self.seq_heard = 0  # the last entry that we were told of; the log may hold more
        self._changed: asyncio.Event | None = None

    @property
    def maker(self) -> Maker:
        """Who wished for the room; read anew each time, as it is asked for when a room comes and when it goes."""
        return _read_maker(self.wish)

    def reported(self, report: RoomReport) -> RoomSummary:
        """How things stand in the room, as it says itself."""
        self.summary = report.brief()
        self._people = _encode(report.people)  # as objects they would be most of a record, and hardly anyone asks
        return self.summary

    @property
    def people(self) -> tuple[Someone, ...]:
        """Who is in it; read anew each time."""
        return _read_people(self._people)

    def has(self, text: str) -> bool:
        """Is this, in small letters, a part of the name or the id of somebody in the room?"""
        if _encode(text)[1:-1].decode() not in self._people.decode().lower():
            return False
        return any(text in one.name.lower() or text in one.player.lower() for one in self.people)

    def found_in(self, text: str) -> bool:
        """The same, or of the room's own id or code."""
        return text in self.id or text in self.code.lower() or self.has(text)

    @property
    def state(self) -> str:
        """One of ROOM_STATES; ``closed`` while a closed room is read."""
        if self.closed:
            return "closed"
        if self.quarantine is not None:
            return "quarantined"
        if self.owner is None:
            return "parked" if self.parked else "stranded" if self.stranded else "placing"
        return self.summary.status if self.summary.status in ROOM_STATES else "finished"

    def set_owner(self, owner: Owner | None) -> None:
        """Whoever waits in `change` hears of it."""
        if self.owner is not None:
            self.touched = time.time()
        self.owner = owner
        event, self._changed = self._changed, None
        if event is not None:
            event.set()

    async def change(self, seconds: float) -> None:
        """Returns when the owner has changed, or after so long."""
        if self._changed is None:
            self._changed = asyncio.Event()
        event = self._changed
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            return


class Node:
    """A node agent that is connected."""

    def __init__(self, peer: Peer, name: str) -> None:
        self.peer = peer
        self.name = name
        self.status: dict[str, Any] = {}
        self.vitals = Vitals()
        self.handed = 0  # hand-overs under way
        self.emptying: asyncio.Task[None] | None = None
        self.told_spares = 0  # how many it was told to keep

    @property
    def free(self) -> int:
        return int(self.status.get("spares", 0)) - self.handed

    @property
    def draining(self) -> bool:
        """It is to become empty: its rooms are taken to other nodes, and it gets no new ones."""
        return bool(self.status.get("draining", False))

    @property
    def full(self) -> bool:
        """It has no spare, and may not start another process."""
        return bool(self.status.get("full", False))

    def plays(self, game: str, version: int = 0) -> bool:
        """Is the game installed there, and does it know this version of its state? Yes, as far as we know."""
        games: dict[str, int] | None = self.status.get("games")
        return not games or games.get(game, -1) >= version

    def can_play(self, record: Record) -> bool:
        """This room's game, as the room needs it; also after what one of its processes has said of that."""
        return self not in record.unable and self.plays(record.game, record.version)
