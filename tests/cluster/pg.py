"""What tests of the PostgreSQL store have in common: stores, an operator's connection, rooms that write without end."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator
from typing import Any

import asyncpg

from cluster.entries import Entry, ReadySet
from cluster.log import Conflict, Unavailable
from cluster.stores.connections import Where
from cluster.stores.postgres import PostgresStore
from tests.cluster.mini import until


def entry(seq: int, epoch: int = 1, id: str | None = None) -> Entry:
    return Entry(seq, epoch, seq, ReadySet("anna", True), f"{seq:032x}", "anna", id)


@contextlib.asynccontextmanager
async def opened(url: str, **kwargs: Any) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(url, **kwargs)
    try:
        yield store
    finally:
        await store.close()


@contextlib.asynccontextmanager
async def psql(url: str) -> AsyncIterator[Any]:
    """An operator's connection."""
    where = Where.parse(url)
    db = await asyncpg.connect(where.dsn, server_settings={"search_path": where.schema})
    try:
        yield db
    finally:
        await db.close()


async def sessions(db: Any, name: str) -> int:
    return int(await db.fetchval("SELECT count(*) FROM pg_stat_activity WHERE application_name = $1", name))


@contextlib.asynccontextmanager
async def socket_in_a_short_place() -> AsyncIterator[str]:
    with tempfile.TemporaryDirectory(prefix="hp-") as folder:
        yield f"unix:{folder}/clerk"


class Diarist:
    """One room as its process would keep it: appends without end; after each `Unavailable`, reads before it goes on."""

    def __init__(self, store: Any, room: str) -> None:
        self._store, self._room = store, room
        self.acknowledged: list[int] = []
        self.outages = 0
        self.stop = False

    async def run(self) -> None:
        log = await self._store.room(self._room, create=True)
        epoch, seq = 1, await log.claim(1, "diarist", 0)
        while not self.stop:
            try:
                await log.append(epoch, seq + 1, [entry(seq + 1)])
                seq += 1
                self.acknowledged.append(seq)
            except Unavailable:
                self.outages += 1
                seq = await self._ask_until_it_answers(log, seq)
            except Conflict:
                # What was given up came to pass after we had looked: a room is brought back from its log by that.
                if not self.outages:
                    raise
                with contextlib.suppress(Unavailable):
                    seq = await log.claim(epoch + 1, "diarist", 0)
                    epoch += 1
            await asyncio.sleep(0)
        await log.close()

    async def writes_again(self) -> None:
        before = len(self.acknowledged)
        await until(lambda: len(self.acknowledged) > before + 1, 20)

    async def _ask_until_it_answers(self, log: Any, seq: int) -> int:
        while True:
            try:
                found = await log.read(seq)
                return found[-1].seq if found else seq
            except Unavailable:
                await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def diarists(store: Any, count: int) -> AsyncIterator[list[Diarist]]:
    """So many write; afterwards each log is gapless and holds what was acknowledged."""
    writers = [Diarist(store, f"d{number}") for number in range(count)]
    tasks = [asyncio.create_task(writer.run()) for writer in writers]
    try:
        await until(lambda: all(writer.acknowledged for writer in writers))
        yield writers
        for writer in writers:
            await writer.writes_again()
            writer.stop = True
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for writer in writers:
        entries = await (await store.room(writer._room)).read()
        assert [e.seq for e in entries] == list(range(1, len(entries) + 1))
        assert set(writer.acknowledged) <= {e.seq for e in entries}
