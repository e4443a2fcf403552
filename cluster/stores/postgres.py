"""The log in PostgreSQL: for several nodes, and for operators who have one already.

A room's row in ``logs`` says who may write and where. An append is one statement: it moves that row on where epoch and
seq are what the room believes, and inserts the entries only then. A claim is one statement on the same row. Both are
`UPDATE … WHERE`, so at READ COMMITTED (PostgreSQL's default) whoever comes second waits for the first to commit, and
then has its condition *checked again against the row as it now is*: an append that meets a claim half-way sees the new
epoch and changes nothing, and a claim that meets an append half-way returns the seq after it. The same holds for an
append that was on its way for an hour.

Appends of many rooms share a commit (`cluster.stores.group`). A connection that breaks leaves open whether its last
statement happened: `Unavailable`. Nothing is sent twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import asyncpg
import msgspec

from cluster.log import Conflict, Damaged, Owner, RoomRow, Snapshot, Tidied, Unavailable, UnknownRoom
from cluster.stores import postgres_upkeep as upkeep
from cluster.stores.connections import Connections, Where, in_our_words, rolled_back
from cluster.stores.group import LANES, Append, GroupCommit, Outcome
from cluster.stores.lines import PAGE, PAGE_BYTES, LineLog, Page, unpacked
from cluster.stores.schema import LOCK, VERSION
from ops.metrics import Tally

CATALOGUE_SECONDS = 60.0  # to read all of it, with a million rooms
READERS = 2  # connections for all but appends: they are for taking over, and for what nobody waits for

_OPEN = "SELECT FROM logs WHERE room = $1"
_CREATE = "INSERT INTO logs (room) VALUES ($1) ON CONFLICT DO NOTHING"
_CLAIM = """
WITH mine AS (
    UPDATE logs SET epoch = $2 WHERE room = $1 AND epoch < $2 AND NOT archived RETURNING seq
)
INSERT INTO owners (room, epoch, seq, wall, name) SELECT $1, $2, seq, $3, $4 FROM mine RETURNING seq
"""
# One statement for a whole batch. The rooms come sorted, so that two batches do not wait for each other crosswise.
_APPEND = """
WITH asked AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS asked (room, epoch, before, after)
), moved AS (
    UPDATE logs SET seq = asked.after FROM asked
    WHERE logs.room = asked.room AND logs.epoch = asked.epoch AND logs.seq = asked.before AND NOT logs.archived
    RETURNING logs.room
), written AS (
    INSERT INTO entries (room, seq, entry)
    SELECT new.room, new.seq, new.entry
    FROM unnest($5::text[], $6::bigint[], $7::text[]) AS new (room, seq, entry) JOIN moved USING (room)
)
SELECT room FROM moved
"""
_POSITION = "SELECT epoch, seq, archived FROM logs WHERE room = $1"
_READ = "SELECT entry FROM entries WHERE room = $1 AND seq > $2 ORDER BY seq LIMIT $3"
_ARCHIVED = "SELECT lines FROM archive WHERE room = $1"
_SAVE = """
WITH mine AS (
    SELECT room FROM logs WHERE room = $1 AND epoch = $2 AND NOT archived FOR SHARE
), saved AS (
    INSERT INTO snapshots (room, seq, data) SELECT room, $3, $4 FROM mine
    ON CONFLICT (room) DO UPDATE SET seq = excluded.seq, data = excluded.data WHERE snapshots.seq <= excluded.seq
)
SELECT room FROM mine
"""


class PostgresStore:
    """Every room's log and the catalogue, over a handful of connections. Use it from one event loop.

    ``present``: this process belongs to a hanpan that plays; while there is one, nothing can be imported.
    """

    kind = "postgres"

    def __init__(self, url: str, *, name: str = "hanpan", present: bool = False, lanes: int = LANES) -> None:
        self.where = Where.parse(url)
        self._present = present
        self._writers = Connections(self.where, name, lanes, self._prepare)
        self._readers = Connections(self.where, name, READERS, self._prepare)
        self.commits = GroupCommit(self._write, lanes)
        self._counted = 0

    async def ready(self) -> None:
        return None

    async def room(self, room: str, *, create: bool = False) -> LineLog:
        await self.open(room, create)
        return LineLog(self, room)

    async def catalogue(self) -> PostgresCatalogue:
        async with self._readers.one():
            return PostgresCatalogue(self._readers)

    async def stay(self) -> None:
        """Opens a connection if there is none: without, nobody sees that a hanpan is here."""
        if self._readers.open == 0:
            async with self._readers.one():
                pass

    def count(self, tally: Tally) -> None:
        """Adds what was done since the last call; the clerk asks."""
        writes, self._counted = self.commits.writes - self._counted, self.commits.writes
        if writes:
            tally.count("hanpan_log_commits_total", self.kind, by=writes)
        tally.gauge("hanpan_store_connections", self.kind, value=self._writers.open + self._readers.open)

    async def tidy(self, archive_after: float, keep: float | None) -> Tidied:
        return await upkeep.tidy(self._readers, archive_after, keep)

    async def close(self) -> None:
        """Ends the connections."""
        await self._writers.close()
        await self._readers.close()

    async def _prepare(self, connection: Any) -> None:
        """Is this a hanpan's database, and one that keeps what it acknowledges?"""
        try:
            version, durable, standby = await connection.fetchrow(_LOOK)
        except (asyncpg.UndefinedTableError, asyncpg.InvalidSchemaNameError) as missing:
            raise Unavailable(f"no hanpan in schema {self.where.schema}: hanpan store migrate") from missing
        if version is None or version < VERSION:
            raise Unavailable(f"schema version {version}, {VERSION} is needed: hanpan store migrate")
        if standby:
            raise Unavailable("the server is a standby: it takes no writes")
        if self._present and not await connection.fetchval(_HERE, LOCK, self.where.schema):
            raise Unavailable("an import is under way")
        if durable in ("off", "local"):
            await connection.execute("SET synchronous_commit = on")

    # ------------------------------------------------------------ Lines

    async def open(self, room: str, create: bool) -> None:
        async with self._readers.one() as db:
            if create:
                await db.execute(_CREATE, room)
            elif await db.fetchrow(_OPEN, room) is None:
                raise UnknownRoom(room)

    async def claim(self, room: str, epoch: int, owner: str, wall: int) -> int:
        async with self._readers.one() as db:
            seq = await db.fetchval(_CLAIM, room, epoch, wall, owner)
            if seq is None:
                raise Conflict(f"epoch {epoch} at {await self._position(db, room)}")
            return int(seq)

    async def append(self, room: str, epoch: int, expected_seq: int, lines: Sequence[str]) -> None:
        await self.commits.append(Append(room, epoch, expected_seq, lines))

    async def _write(self, batch: list[Append]) -> list[Outcome]:
        """Writes a batch; if the server refuses it as a whole, each by itself, so that one harms no other."""
        try:
            async with self._writers.one() as db:
                try:
                    return await self._write_at_once(db, batch)
                except asyncpg.PostgresError as fault:
                    if len(batch) == 1 or not rolled_back(fault):
                        raise
                return [await self._write_alone(db, one) for one in batch]
        except (Unavailable, Damaged) as fault:
            return [fault for _ in batch]

    async def _write_alone(self, db: Any, one: Append) -> Outcome:
        try:
            return (await self._write_at_once(db, [one]))[0]
        except asyncpg.PostgresError as fault:
            if not rolled_back(fault):
                raise
            return in_our_words(fault)

    async def _write_at_once(self, db: Any, batch: list[Append]) -> list[Outcome]:
        ordered = sorted(batch, key=lambda one: one.room)
        moved = await db.fetch(
            _APPEND,
            [one.room for one in ordered],
            [one.epoch for one in ordered],
            [one.expected_seq - 1 for one in ordered],
            [one.expected_seq - 1 + len(one.lines) for one in ordered],
            [one.room for one in ordered for _ in one.lines],
            [one.expected_seq + index for one in ordered for index in range(len(one.lines))],
            [line for one in ordered for line in one.lines],
        )
        done = {room for (room,) in moved}
        return [None if one.room in done else await self._conflict(db, one) for one in batch]

    async def _conflict(self, db: Any, one: Append) -> Conflict:
        return Conflict(f"epoch {one.epoch}, seq {one.expected_seq} at {await self._position(db, one.room)}")

    @staticmethod
    async def _position(db: Any, room: str) -> str:
        row = await db.fetchrow(_POSITION, room)
        if row is None:
            return "no log"
        return f"epoch {row['epoch']}, seq {row['seq']}" + (", archived" if row["archived"] else "")

    async def read(self, room: str, after: int) -> Page:
        async with self._readers.one() as db:
            lines = [line for (line,) in await db.fetch(_READ, room, after, PAGE)]
            more = len(lines) == PAGE
            if not lines:
                lines = unpacked(await db.fetchval(_ARCHIVED, room))[after:]
        return _cut(lines, more)

    async def save_snapshot(self, room: str, epoch: int, snapshot: Snapshot) -> None:
        async with self._readers.one() as db:
            if await db.fetchval(_SAVE, room, epoch, snapshot.seq, snapshot.data) is None:
                raise Conflict(f"snapshot of epoch {epoch} at {await self._position(db, room)}")

    async def snapshot(self, room: str) -> Snapshot | None:
        async with self._readers.one() as db:
            row = await db.fetchrow("SELECT seq, data FROM snapshots WHERE room = $1", room)
        return Snapshot(*row) if row else None

    async def owners(self, room: str) -> list[Owner]:
        async with self._readers.one() as db:
            rows = await db.fetch("SELECT epoch, seq, wall, name FROM owners WHERE room = $1 ORDER BY epoch", room)
        return [Owner(*row) for row in rows]

    async def leave(self, room: str) -> None:
        """The connections are everybody's."""


_LOOK = """
SELECT (SELECT max(version) FROM schema_versions), current_setting('synchronous_commit'), pg_is_in_recovery()
"""
_HERE = "SELECT pg_try_advisory_lock_shared($1, hashtext($2))"


def _cut(lines: list[str], more: bool) -> Page:
    size = 0
    for count, line in enumerate(lines):
        size += len(line)
        if size > PAGE_BYTES and count:
            return Page(lines[:count], True)
    return Page(lines[:PAGE], more or len(lines) > PAGE)


# ---------------------------------------------------------------- the catalogue

_CHOSEN = "SELECT id, code, game, created, wish, key, epoch, parked, closed, quarantine, summary FROM rooms"
_ADD = """
INSERT INTO rooms (id, code, game, created, wish, key, epoch, parked, closed, quarantine, summary, closed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, CASE WHEN $9 THEN now() END)
ON CONFLICT DO NOTHING RETURNING id
"""
_UPDATE = """
UPDATE rooms SET
    epoch = coalesce($2, epoch),
    parked = coalesce($3, parked),
    closed = coalesce($4, closed),
    closed_at = CASE WHEN coalesce($4, closed) THEN coalesce(closed_at, now()) END,
    quarantine = CASE WHEN $5::text IS NULL THEN quarantine ELSE nullif($5, '') END,
    summary = coalesce($6, summary)
WHERE id = $1 RETURNING id
"""


class PostgresCatalogue:
    """The table of rooms."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def add(self, row: RoomRow) -> RoomRow:
        async with self._connections.one() as db:
            if await db.fetchval(_ADD, *msgspec.structs.astuple(row)) is not None:
                return row
            known = await db.fetchrow(f"{_CHOSEN} WHERE key = $1", row.key) if row.key is not None else None
        if known is None:
            raise Conflict(f"room {row.id} or code {row.code} is taken")
        return RoomRow(**known)

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
        async with self._connections.one() as db:
            if await db.fetchval(_UPDATE, room, epoch, parked, closed, quarantine, summary) is None:
                raise UnknownRoom(room)

    async def get(self, room: str) -> RoomRow | None:
        async with self._connections.one() as db:
            row = await db.fetchrow(f"{_CHOSEN} WHERE id = $1", room)
        return RoomRow(**row) if row else None

    async def open_rooms(self) -> list[RoomRow]:
        return await self._select("WHERE NOT closed ORDER BY created, id")

    async def all_rooms(self) -> list[RoomRow]:
        return await self._select("ORDER BY created, id")

    async def _select(self, rest: str) -> list[RoomRow]:
        async with self._connections.one() as db, db.transaction(readonly=True):
            await db.execute(f"SET LOCAL statement_timeout = '{CATALOGUE_SECONDS:.0f}s'")
            return [RoomRow(**row) for row in await db.fetch(f"{_CHOSEN} {rest}", timeout=CATALOGUE_SECONDS)]

    async def close(self) -> None:
        """The connections are the store's."""
