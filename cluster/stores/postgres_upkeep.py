"""What operators do with a PostgreSQL store: carry rooms out and in, put closed ones away, look whether all is well.

None of it is on the path of a room.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any, Final

import asyncpg
import msgspec

from cluster.log import Conflict, Owner, RoomRow, Snapshot, Tidied, UnknownRoom
from cluster.stores.connections import Connections
from cluster.stores.lines import packed, unpacked
from cluster.stores.rooms import CopiedIn, RoomCopy, StoreReport
from cluster.stores.schema import alone, connected

TIDIED_AT_ONCE = 100  # rooms

_COLUMNS: Final = RoomRow.__struct_fields__
_ROWS = "SELECT id, code, game, created, wish, key, epoch, parked, closed, quarantine, summary FROM rooms"
_TO_ARCHIVE = """
SELECT logs.room, logs.seq FROM rooms JOIN logs ON logs.room = rooms.id
WHERE rooms.closed AND rooms.closed_at <= now() - make_interval(secs => $1) AND NOT logs.archived
ORDER BY rooms.closed_at LIMIT $2
"""
# Meets a late append at the same row as everybody: if the log has moved since it was read, nothing happens.
_ARCHIVE = """
WITH mine AS (
    UPDATE logs SET archived = true WHERE room = $1 AND seq = $2 AND NOT archived RETURNING room
), emptied AS (
    DELETE FROM entries USING mine WHERE entries.room = mine.room
), unneeded AS (
    DELETE FROM snapshots USING mine WHERE snapshots.room = mine.room
)
INSERT INTO archive (room, lines) SELECT room, $3 FROM mine RETURNING room
"""
_FORGET = """
WITH old AS (
    DELETE FROM rooms WHERE id IN (
        SELECT id FROM rooms WHERE closed AND closed_at <= now() - make_interval(secs => $1)
        ORDER BY closed_at LIMIT $2
    ) RETURNING id
), a AS (DELETE FROM logs USING old WHERE room = id),
   b AS (DELETE FROM entries USING old WHERE room = id),
   c AS (DELETE FROM owners USING old WHERE room = id),
   d AS (DELETE FROM snapshots USING old WHERE room = id),
   e AS (DELETE FROM archive USING old WHERE room = id)
SELECT count(*) FROM old
"""


async def tidy(connections: Connections, archive_after: float, keep: float | None) -> Tidied:
    """As `Store.tidy`."""
    archived = forgotten = 0
    async with connections.one() as db:
        if keep is not None:
            forgotten = await db.fetchval(_FORGET, keep, TIDIED_AT_ONCE)
        for room, seq in await db.fetch(_TO_ARCHIVE, archive_after, TIDIED_AT_ONCE):
            lines = [line for (line,) in await db.fetch("SELECT entry FROM entries WHERE room = $1 ORDER BY seq", room)]
            archived += await db.fetchval(_ARCHIVE, room, seq, packed(lines)) is not None
    return Tidied(archived, forgotten)


class PostgresRooms:
    """`Movable`, over one connection at a time and without limits on time."""

    kind = "postgres"

    def __init__(self, url: str) -> None:
        self._url = url
        self._context: AbstractAsyncContextManager[Any] | None = None
        self._connection: Any = None

    def alone(self) -> AbstractAsyncContextManager[object]:
        return alone(self._url)

    async def _db(self) -> Any:
        if self._context is None:
            self._context = connected(self._url)
            self._connection = await self._context.__aenter__()
        return self._connection

    async def close(self) -> None:
        if self._context is not None:
            await self._context.__aexit__(None, None, None)
            self._context = None

    async def rows(self) -> list[RoomRow]:
        return [RoomRow(**row) for row in await (await self._db()).fetch(f"{_ROWS} ORDER BY created, id")]

    async def copy_out(self, row: RoomRow) -> RoomCopy:
        db = await self._db()
        async with db.transaction(isolation="repeatable_read", readonly=True):
            copy = await _copy(db, row.id)
        if copy is None:
            raise UnknownRoom(row.id)
        return copy

    async def copy_in(self, copy: RoomCopy) -> CopiedIn:
        db = await self._db()
        room = copy.row.id
        try:
            async with db.transaction():
                await db.execute("SELECT FROM logs WHERE room = $1 FOR UPDATE", room)
                held = await _copy(db, room)
                if held == copy:
                    return "same"
                if held is not None:
                    if not held.begins(copy):
                        raise Conflict(f"room {room}: the store holds another one, or a later state of it")
                    for table in ("logs", "entries", "owners", "snapshots", "archive"):
                        await db.execute(f"DELETE FROM {table} WHERE room = $1", room)  # noqa: S608  # names above
                    await db.execute("DELETE FROM rooms WHERE id = $1", room)
                await _put(db, copy)
                return "added" if held is None else "advanced"
        except asyncpg.UniqueViolationError as taken:
            raise Conflict(f"room {room}: its code or its key is another room's") from taken

    async def check(self) -> StoreReport:
        db = await self._db()
        facts = dict(await db.fetchrow(_FACTS))
        findings = [text for setting, text in _SETTINGS.items() if facts[setting] == "off"]
        findings += [text for (text,) in await db.fetch(_FINDINGS)]
        return StoreReport(facts, findings)


async def _copy(db: Any, room: str) -> RoomCopy | None:
    row = await db.fetchrow(f"{_ROWS} WHERE id = $1", room)
    if row is None:
        return None
    head = await db.fetchrow("SELECT archived FROM logs WHERE room = $1", room)
    owners = await db.fetch("SELECT epoch, seq, wall, name FROM owners WHERE room = $1 ORDER BY epoch", room)
    snapshot = await db.fetchrow("SELECT seq, data FROM snapshots WHERE room = $1", room)
    if head is not None and head["archived"]:
        entries = unpacked(await db.fetchval("SELECT lines FROM archive WHERE room = $1", room))
    else:
        entries = [line for (line,) in await db.fetch("SELECT entry FROM entries WHERE room = $1 ORDER BY seq", room)]
    return RoomCopy(
        row=RoomRow(**row),
        logged=head is not None,
        owners=[Owner(*owner) for owner in owners],
        snapshot=Snapshot(*snapshot) if snapshot else None,
        entries=entries,
    )


async def _put(db: Any, copy: RoomCopy) -> None:
    room, row = copy.row.id, copy.row
    await db.copy_records_to_table("rooms", records=[msgspec.structs.astuple(row)], columns=_COLUMNS)
    if row.closed:
        await db.execute("UPDATE rooms SET closed_at = now() WHERE id = $1", room)
    if not copy.logged:
        return
    epoch = copy.owners[-1].epoch if copy.owners else 0
    await db.execute("INSERT INTO logs (room, epoch, seq) VALUES ($1, $2, $3)", room, epoch, len(copy.entries))
    owners = [(room, owner.epoch, owner.seq, owner.wall, owner.name) for owner in copy.owners]
    await db.copy_records_to_table("owners", records=owners, columns=("room", "epoch", "seq", "wall", "name"))
    entries = [(room, seq, line) for seq, line in enumerate(copy.entries, 1)]
    await db.copy_records_to_table("entries", records=entries, columns=("room", "seq", "entry"))
    if copy.snapshot is not None:
        await db.execute(
            "INSERT INTO snapshots (room, seq, data) VALUES ($1, $2, $3)", room, copy.snapshot.seq, copy.snapshot.data
        )


_SETTINGS = {
    "fsync": "fsync is off: a crash of the machine can lose anything, or everything",
    "full_page_writes": "full_page_writes is off: a crash of the machine can damage pages",
}
_FACTS = """
SELECT current_setting('server_version') AS server,
       (SELECT max(version) FROM schema_versions) AS schema,
       current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit,
       (SELECT count(*) FROM rooms) AS rooms,
       (SELECT count(*) FROM rooms WHERE NOT closed) AS open,
       (SELECT count(*) FROM archive) AS archived,
       (SELECT count(*) FROM entries) AS entries,
       (SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r') AS bytes
"""
_FINDINGS = """
SELECT format('room %s: its head says entry %s, its entries end with %s', l.room, l.seq, coalesce(e.seq, 0))
FROM logs l LEFT JOIN (SELECT room, max(seq) AS seq FROM entries GROUP BY room) e USING (room)
WHERE NOT l.archived AND l.seq <> coalesce(e.seq, 0)
UNION ALL
SELECT format('room %s: it has a log, and is not in the catalogue', l.room)
FROM logs l LEFT JOIN rooms r ON r.id = l.room WHERE r.id IS NULL
UNION ALL
SELECT format('room %s: it is archived, and its entries are not there', l.room)
FROM logs l LEFT JOIN archive a USING (room) WHERE l.archived AND a.room IS NULL
UNION ALL
SELECT format('room %s: it has entries, and no log', e.room)
FROM (SELECT DISTINCT room FROM entries) e LEFT JOIN logs l USING (room) WHERE l.room IS NULL
"""
