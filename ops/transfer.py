"""Rooms in a file: what `hanpan store export` writes, and `import` reads.

Lines of JSON: what it is, then a room each, then how many there were. A room's line holds its digest, and the last line
says that the file is whole; entries stand in it as the text they were written as. Logs hold the seeds of games that are
still played: the file is as secret as the store.

    {"hanpan":"rooms","version":1,"store":"sqlite","rooms":2}
    {"digest":"…","room":{"row":{…},"owners":[…],"snapshot":{…},"entries":["{\\"seq\\":1,…}",…]}}
    {"digest":"…","room":{…}}
    {"end":true,"rooms":2,"entries":137}
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import IO, Any, Literal

import msgspec

from cluster import entries as codec
from cluster.entries import Closed
from cluster.log import Conflict, Damaged, UnknownRoom
from cluster.stores.rooms import Movable, RoomCopy

VERSION = 1
_encode = msgspec.json.Encoder().encode

Say = Callable[[str], None]


class BadFile(Exception):
    """The file is not what it should be: cut off, changed, or something else."""


class Head(msgspec.Struct, frozen=True):
    hanpan: Literal["rooms"]
    version: int
    store: str
    rooms: int  # as many as there were when it began


class Line(msgspec.Struct, frozen=True):
    digest: str
    room: msgspec.Raw


class End(msgspec.Struct, frozen=True):
    end: Literal[True]
    rooms: int
    entries: int


class Moved(msgspec.Struct):
    """What came of it."""

    rooms: int = 0
    entries: int = 0
    added: int = 0
    same: int = 0  # they were there already
    advanced: int = 0  # an earlier state of them was there
    refused: list[str] = []


async def export(source: Movable, file: IO[bytes], say: Say) -> Moved:
    """Writes every room."""
    rows = await source.rows()
    moved = Moved()
    file.write(_encode(Head("rooms", VERSION, source.kind, len(rows))) + b"\n")
    for row in rows:
        try:
            copy = await source.copy_out(row)
        except UnknownRoom:
            continue  # forgotten since, by a hanpan that plays meanwhile
        text = _encode(copy)
        file.write(_encode(Line(_digest(text), msgspec.Raw(text))) + b"\n")
        moved.rooms += 1
        moved.entries += len(copy.entries)
        say(f"{moved.rooms} of {len(rows)} rooms, {moved.entries} entries")
    file.write(_encode(End(True, moved.rooms, moved.entries)) + b"\n")
    return moved


def read(file: Iterable[bytes]) -> Iterator[RoomCopy]:
    """The rooms of a file, one after the other. Raises `BadFile`: at its end too, if that is not its end."""
    lines = iter(file)
    head = _decoded(next(lines, b""), Head, "the first line")
    if head.version != VERSION:
        raise BadFile(f"a file of version {head.version}; this hanpan reads {VERSION}")
    rooms = entries = 0
    for line in lines:
        if line.startswith(b'{"end"'):
            end = _decoded(line, End, "the last line")
            if (end.rooms, end.entries) != (rooms, entries):
                raise BadFile(f"it should hold {end.rooms} rooms and {end.entries} entries: {rooms} and {entries}")
            return
        one = _decoded(line, Line, f"line {rooms + 2}")
        if _digest(bytes(one.room)) != one.digest:
            raise BadFile(f"line {rooms + 2} is not what was written")
        copy = _decoded(bytes(one.room), RoomCopy, f"line {rooms + 2}")
        rooms, entries = rooms + 1, entries + len(copy.entries)
        yield copy
    raise BadFile(f"it is cut off after {rooms} of {head.rooms} rooms")


async def take_in(target: Movable, copies: Iterable[RoomCopy], say: Say) -> Moved:
    """Puts every room into the store. What is there already stays; so it can be broken off and done again."""
    moved = Moved()
    for copy in copies:
        if findings := list(faults(copy)):
            moved.refused += findings
            continue
        try:
            came = await target.copy_in(copy)
        except Conflict as other:
            moved.refused.append(str(other))
            continue
        moved.rooms += 1
        moved.entries += len(copy.entries)
        setattr(moved, came, getattr(moved, came) + 1)
        say(f"{moved.rooms} rooms, {moved.entries} entries")
    return moved


async def check(store: Movable) -> AsyncIterator[tuple[RoomCopy | None, list[str]]]:
    """Each room, and what is wrong with it."""
    for row in await store.rows():
        try:
            copy = await store.copy_out(row)
        except UnknownRoom:
            continue  # as above
        except Damaged as broken:
            yield None, [f"room {row.id}: {broken}"]
            continue
        yield copy, list(faults(copy))


def faults(copy: RoomCopy) -> Iterator[str]:
    """What cannot be so in a log, whatever the game: that it replays is for `hanpan verify` to say."""
    room = f"room {copy.row.id}"
    owned = {owner.epoch: owner.seq for owner in copy.owners}
    if list(owned) != sorted(owned) or len(owned) < len(copy.owners):
        yield f"{room}: its owners' epochs do not grow"
    before: Any = None
    for seq, line in enumerate(copy.entries, 1):
        try:
            entry = codec.decode(line)
        except msgspec.MsgspecError as bad:
            yield f"{room}: entry {seq} is none: {bad}"
            return
        if entry.seq != seq:
            yield f"{room}: entry {entry.seq} stands in place {seq}"
            return
        if owned.get(entry.epoch, seq) >= seq:
            yield f"{room}: entry {seq} is of epoch {entry.epoch}, which nobody owned then"
        if before is not None and (entry.epoch < before.epoch or entry.at < before.at):
            yield f"{room}: entry {seq} is older than the one before it"
        before = entry
    if copy.snapshot is not None and copy.snapshot.seq > len(copy.entries):
        yield f"{room}: a snapshot of entry {copy.snapshot.seq}, of {len(copy.entries)}"
    if before is not None and isinstance(before.fact, Closed) and not copy.row.closed and copy.row.quarantine is None:
        yield f"{room}: its log is closed, and the catalogue does not say so"


def _decoded(text: bytes, kind: type[Any], what: str) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError as bad:
        raise BadFile(f"{what} is not one: {bad}") from bad


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()
