"""A log as lines of text, for stores that are reached over a network: they carry entries, and need not understand them.

`Lines` is what such a store does for any room; `LineLog` is the contract of `cluster.log` for one room on top of it.
Two things are `Lines`: PostgreSQL itself, and a node's clerk, which stands between it and the room processes.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Protocol

import msgspec

from cluster import entries as codec
from cluster.entries import Entry
from cluster.log import Damaged, Owner, Snapshot

PAGE = 500  # entries that are read at once
PAGE_BYTES = 4 * 2**20  # and as text at most so much, but one entry at least


class Page(msgspec.Struct, frozen=True):
    """A part of a log."""

    lines: list[str]
    more: bool  # there are entries after these


class Lines(Protocol):
    """As `RoomLog`, with the room named in every call. Raises the same."""

    async def open(self, room: str, create: bool) -> None: ...

    async def claim(self, room: str, epoch: int, owner: str, wall: int) -> int: ...

    async def append(self, room: str, epoch: int, expected_seq: int, lines: Sequence[str]) -> None: ...

    async def read(self, room: str, after: int) -> Page:
        """The entries after this one, in order."""
        ...

    async def save_snapshot(self, room: str, epoch: int, snapshot: Snapshot) -> None: ...

    async def snapshot(self, room: str) -> Snapshot | None: ...

    async def owners(self, room: str) -> list[Owner]: ...

    async def leave(self, room: str) -> None:
        """Whoever opened the room needs it no more."""
        ...


class LineLog:
    """One room's log."""

    def __init__(self, lines: Lines, room: str) -> None:
        self._lines = lines
        self._room = room

    async def claim(self, epoch: int, owner: str, wall: int) -> int:
        return await self._lines.claim(self._room, epoch, owner, wall)

    async def prepare(self) -> None:
        """There is nothing that a server would want to have made before."""

    async def append(self, epoch: int, expected_seq: int, entries: Sequence[Entry]) -> None:
        lines = [codec.encode(entry).decode() for entry in entries]
        await self._lines.append(self._room, epoch, expected_seq, lines)

    async def read(self, after: int = 0) -> list[Entry]:
        found: list[Entry] = []
        more = True
        try:
            while more:
                page = await self._lines.read(self._room, after)
                found += map(codec.decode, page.lines)
                more = page.more
                after = found[-1].seq if found else after
        except msgspec.MsgspecError as bad:
            raise Damaged(f"an entry after {after} is none: {bad}") from bad
        return found

    async def save_snapshot(self, epoch: int, snapshot: Snapshot) -> None:
        await self._lines.save_snapshot(self._room, epoch, snapshot)

    async def snapshot(self) -> Snapshot | None:
        return await self._lines.snapshot(self._room)

    async def owners(self) -> list[Owner]:
        return await self._lines.owners(self._room)

    async def close(self) -> None:
        await self._lines.leave(self._room)


def packed(lines: Sequence[str]) -> bytes:
    """Entries as the archive keeps them. JSON has no line breaks of its own."""
    return zlib.compress("\n".join(lines).encode(), 6)


def unpacked(data: bytes | None) -> list[str]:
    """The entries again; none where there is no archive. Raises `Damaged`."""
    if data is None:
        return []
    try:
        text = zlib.decompress(data).decode()
    except (zlib.error, UnicodeDecodeError) as broken:
        raise Damaged(f"an archived log that cannot be read: {broken}") from broken
    return text.split("\n") if text else []
