"""The durable log: the contract that every store keeps (one test proves it for all of them).

One room, one writer. Ownership is a number, the epoch: `claim` makes an epoch current, and from then on an append that
names an older one is refused, even by an owner that was asleep and knows of nothing. An append also names the
sequence number it expects to write next, so that no two entries ever stand in one place.

What a method returns has happened durably. `Unavailable` means: perhaps it happened, perhaps not; read before going on.
Any method may raise it, or `Damaged`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from cluster.entries import Entry


class Conflict(Exception):
    """Another owner has the room: the epoch or the expected sequence number is not current."""


class Unavailable(Exception):
    """The store does not answer, or is out of space. Whether the last write happened is not known."""


class Damaged(Exception):
    """What the store holds cannot be read any more. Waiting will not mend it: it is for an operator."""


class UnknownRoom(Exception):
    """The store holds no such room."""


class InUse(Exception):
    """A hanpan plays on this store."""


class Snapshot(msgspec.Struct, frozen=True):
    """A room's whole state after entry ``seq``, to recover faster. Never the only copy: the entries stay."""

    seq: int
    data: bytes


class Owner(msgspec.Struct, frozen=True):
    """One line of a room's history of owners."""

    epoch: int
    seq: int  # the last entry when it took over
    wall: int  # unix ms, for people to read
    name: str  # node and process


class RoomLog(Protocol):
    """One room's log, opened by the process that owns the room or wants to read it."""

    async def claim(self, epoch: int, owner: str, wall: int) -> int:
        """Makes this epoch the room's current one; returns the last entry's seq (0: none yet).

        Raises `Conflict` if an epoch as high or higher was claimed before.
        """
        ...

    async def prepare(self) -> None:
        """The owner has a moment: what makes its appends cheaper later, and can be left out. Raises `Unavailable`."""
        ...

    async def append(self, epoch: int, expected_seq: int, entries: Sequence[Entry]) -> None:
        """Adds the entries, all or none; the first has seq ``expected_seq``. Raises `Conflict` or `Unavailable`."""
        ...

    async def read(self, after: int = 0) -> list[Entry]:
        """All entries with a seq above ``after``, in order."""
        ...

    async def save_snapshot(self, epoch: int, snapshot: Snapshot) -> None:
        """Keeps this snapshot instead of older ones. Raises `Conflict` for an epoch that is not current."""
        ...

    async def snapshot(self) -> Snapshot | None:
        """The newest snapshot, if there is one."""
        ...

    async def owners(self) -> list[Owner]:
        """Every owner the room has had, oldest first."""
        ...

    async def close(self) -> None:
        """Lets go of files and connections. Nothing is lost by not calling it."""
        ...


class RoomRow(msgspec.Struct, frozen=True, kw_only=True):
    """What the catalogue keeps of a room: enough to find it, and to create it again if its first owner died early."""

    id: str
    code: str
    game: str
    created: int  # unix ms
    wish: bytes  # the CreateRoom it was made from, as JSON
    key: str | None = None  # creator + idempotency key
    epoch: int = 0  # the highest epoch that was given out (the log itself has the last word)
    parked: bool = False  # nothing to time and nobody there: no process needed until somebody comes
    closed: bool = False
    quarantine: str | None = None  # why an operator must look at it
    summary: bytes = b""  # the last RoomReport that came (the one promised, before that), as JSON


class Catalogue(Protocol):
    """Which rooms there are. Written by the directory alone."""

    async def add(self, row: RoomRow) -> RoomRow:
        """Adds the room, or returns the one that the same key made before. Raises `Conflict` if id or code is taken."""
        ...

    async def update(
        self,
        room: str,
        *,
        epoch: int | None = None,
        parked: bool | None = None,
        closed: bool | None = None,
        quarantine: str | None = None,
        summary: bytes | None = None,
    ) -> None:
        """Changes the given columns; an empty ``quarantine`` text lifts it. Raises `UnknownRoom`."""
        ...

    async def get(self, room: str) -> RoomRow | None: ...

    async def open_rooms(self) -> list[RoomRow]:
        """Every room that is not closed, oldest first."""
        ...

    async def all_rooms(self) -> list[RoomRow]: ...

    async def close(self) -> None: ...


class Logs(Protocol):
    """A place for logs, as a room process sees it. ``kind`` names it in metrics."""

    kind: str

    async def ready(self) -> None:
        """Whoever may have to create a room soon has a moment: what makes that quicker, and can be left out."""
        ...

    async def room(self, room: str, *, create: bool = False) -> RoomLog:
        """Opens one room's log; `UnknownRoom` where there is none and ``create`` is not set."""
        ...


class Store(Logs, Protocol):
    """The whole of it."""

    async def catalogue(self) -> Catalogue:
        """Opens the catalogue. At most one process writes it at a time."""
        ...

    async def close(self) -> None:
        """Lets go of connections."""
        ...

    async def tidy(self, archive_after: float, keep: float | None) -> Tidied:
        """Puts away what was closed ``archive_after`` seconds ago, and forgets what was closed ``keep`` seconds ago.

        A part of it at a time: call it until it finds nothing. What is put away stays readable. None: keep for ever.
        """
        ...


class Tidied(msgspec.Struct, frozen=True):
    """How many rooms."""

    archived: int = 0
    forgotten: int = 0
