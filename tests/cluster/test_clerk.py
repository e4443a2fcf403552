"""The clerk: many rooms over few connections, and what they see when it dies."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from cluster.log import Unavailable
from cluster.stores.clerk import ClerkStore
from cluster.stores.group import LANES
from cluster.stores.postgres import READERS, PostgresStore
from tests.cluster.mini import SECRET, clerk_at, until
from tests.cluster.pg import entry, psql, sessions, socket_in_a_short_place
from tests.cluster.wire import wire_to


async def test_two_hundred_rooms_share_the_clerks_few_connections(postgres_url: str):
    """All write at the same time, each over a link of its own, as its process would."""
    async with (
        socket_in_a_short_place() as socket,
        clerk_at(socket, PostgresStore(postgres_url, name="clerk")) as clerk,
        psql(postgres_url) as db,
    ):
        assert isinstance(clerk.lines, PostgresStore)
        stores = [ClerkStore(socket, SECRET, f"room {number}") for number in range(200)]
        logs = await asyncio.gather(*(store.room(f"r{n}", create=True) for n, store in enumerate(stores)))
        await asyncio.gather(*(log.claim(1, "a", 0) for log in logs))
        for seq in range(1, 4):
            await asyncio.gather(*(log.append(1, seq, [entry(seq)]) for log in logs))
            assert await sessions(db, "clerk") <= LANES + READERS
        assert clerk.lines.commits.appends == 600
        assert clerk.lines.commits.writes < 100
        assert await db.fetchval("SELECT count(*) FROM entries") == 600
        await asyncio.gather(*(log.close() for log in logs))
        await until(lambda: not clerk._peers)


async def test_a_clerk_that_dies_is_a_store_that_was_away_for_a_moment(postgres_url: str):
    async with socket_in_a_short_place() as socket:
        store = ClerkStore(socket, SECRET, "room")
        async with clerk_at(socket, PostgresStore(postgres_url)):
            log = await store.room("r1", create=True)
            await log.claim(1, "a", 0)
            await log.append(1, 1, [entry(1)])
        with pytest.raises(Unavailable):
            await log.append(1, 2, [entry(2)])
        async with clerk_at(socket, PostgresStore(postgres_url)):
            await log.append(1, 2, [entry(2)])
            assert await log.read() == [entry(1), entry(2)]
            await log.close()


async def test_a_clerk_in_the_middle_of_a_request_that_ends_leaves_it_unknown(postgres_url: str):
    async with (
        socket_in_a_short_place() as socket,
        wire_to(postgres_url) as (wire, url),
        clerk_at(socket, PostgresStore(url)) as clerk,
    ):
        log = await ClerkStore(socket, SECRET, "room").room("r1", create=True)
        await log.claim(1, "a", 0)
        wire.hold_answers()
        unsure = asyncio.create_task(log.append(1, 1, [entry(1)]))
        await asyncio.sleep(0.05)
        for peer in list(clerk._peers):
            peer.abort("killed")
        with pytest.raises(Unavailable):
            await unsure
        wire.works()
        await until(lambda: not clerk._peers)


def test_room_processes_do_not_load_the_driver():
    """On SQLite nor through a clerk: it is 4 MiB, a tenth of a room."""
    code = (
        "import sys, cluster.process, cluster.stores.sqlite, cluster.stores.clerk, cluster.stores\n"
        "cluster.stores.open_store('sqlite:/nowhere')\n"
        "cluster.stores.clerk.ClerkStore('unix:/nowhere', b'', 'room')\n"
        "sys.exit('asyncpg' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 0
