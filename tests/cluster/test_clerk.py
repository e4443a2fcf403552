"""The clerk: many rooms over few connections, and what they see when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from pathlib import Path

import pytest

from cluster.clerk import Clerk
from cluster.log import InUse, Unavailable
from cluster.stores.clerk import ClerkStore
from cluster.stores.group import LANES
from cluster.stores.postgres import READERS, PostgresStore
from cluster.stores.schema import alone
from ops.chaos.wire import wire_to
from tests.cluster.mini import SECRET, clerk_at, mini_cluster, until
from tests.cluster.pg import entry, psql, sessions, socket_in_a_short_place


async def test_two_hundred_rooms_share_the_clerks_few_connections(postgres_url: str):
    """All write at the same time, each over a link of its own, as its process would."""
    async with (
        socket_in_a_short_place() as socket,
        clerk_at(socket, PostgresStore(postgres_url, name="clerk")) as clerk,
        psql(postgres_url) as db,
    ):
        assert isinstance(clerk.lines, PostgresStore)
        stores = [ClerkStore([socket], SECRET, f"room {number}") for number in range(200)]
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
        store = ClerkStore([socket], SECRET, "room")
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


async def test_where_the_first_clerk_dies_the_second_goes_on_at_once(postgres_url: str):
    """The append that was under way is unknown; the next one needs nobody's restart. Both may come and go."""
    async with socket_in_a_short_place() as first, socket_in_a_short_place() as second:
        log = None
        async with clerk_at(second, PostgresStore(postgres_url)) as reserve:
            async with clerk_at(first, PostgresStore(postgres_url)):
                log = await ClerkStore([first, second], SECRET, "room").room("r1", create=True)
                await log.claim(1, "a", 0)
                await log.append(1, 1, [entry(1)])
                assert not reserve._peers
            with contextlib.suppress(Unavailable):  # the link may be found dead before, or by asking
                await log.append(1, 2, [entry(2)])
            assert len(await log.read()) in (1, 2)
            if len(await log.read()) == 1:
                await log.append(1, 2, [entry(2)])
            assert reserve._peers
        async with clerk_at(first, PostgresStore(postgres_url)):
            with contextlib.suppress(Unavailable):
                await log.read()
            assert await log.read() == [entry(1), entry(2)]
            await log.close()


async def test_a_clerk_that_stands_still_is_left_for_the_second(postgres_url: str, monkeypatch: pytest.MonkeyPatch):
    """It takes connections, as a stopped process does, and says nothing."""
    monkeypatch.setattr("cluster.stores.clerk.ASK_SECONDS", 0.2)
    monkeypatch.setattr("cluster.stores.clerk.DIAL_SECONDS", 1.0)
    async with (
        socket_in_a_short_place() as first,
        socket_in_a_short_place() as second,
        clerk_at(second, PostgresStore(postgres_url)),
    ):
        async with clerk_at(first, PostgresStore(postgres_url)) as stops:
            log = await ClerkStore([first, second], SECRET, "room").room("r1", create=True)
            await log.claim(1, "a", 0)
            asked = asyncio.Event()
            monkeypatch.setattr(stops, "answer", lambda request: asked.wait())
            with pytest.raises(Unavailable):
                await log.append(1, 1, [entry(1)])
        monkeypatch.setattr("cluster.stores.clerk.ASK_SECONDS", 10.0)
        deaf = await asyncio.start_unix_server(lambda reader, writer: None, first.removeprefix("unix:"))
        await log.append(1, 1, [entry(1)])
        assert await log.read() == [entry(1)]
        await log.close()
        deaf.close()


async def test_a_clerk_in_the_middle_of_a_request_that_ends_leaves_it_unknown(postgres_url: str):
    async with (
        socket_in_a_short_place() as socket,
        wire_to(postgres_url) as (wire, url),
        clerk_at(socket, PostgresStore(url)) as clerk,
    ):
        log = await ClerkStore([socket], SECRET, "room").room("r1", create=True)
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


async def test_what_the_clerk_counts_is_on_the_nodes_page_also_after_the_agent_was_replaced(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    """How many commits there were, and how many connections there are."""
    monkeypatch.setattr("cluster.clerk.COUNT_SECONDS", 0.02)
    async with mini_cluster() as mini, socket_in_a_short_place() as socket:
        store = PostgresStore(postgres_url)
        clerk = Clerk(socket, SECRET, "clerk", store, mini.socket)
        serving = asyncio.create_task(clerk.serve())
        await clerk.ready.wait()
        log = await ClerkStore([socket], SECRET, "room").room("r1", create=True)
        await log.claim(1, "a", 0)
        for seq in (1, 2, 3):
            await log.append(1, seq, [entry(seq)])

        def shown(line: str) -> bool:
            return line in mini.agent.tally.exposition().decode()

        connections = store._readers.open + store._writers.open
        assert 2 <= connections <= LANES + READERS
        await until(lambda: shown('hanpan_log_commits_total{node="n",store="postgres"} 3.0'))
        await until(lambda: shown(f'hanpan_store_connections{{node="n",store="postgres"}} {connections}.0'))
        await mini.restart_agent()
        await until(lambda: shown(f'hanpan_store_connections{{node="n",store="postgres"}} {connections}.0'))
        await log.close()
        clerk.stop()
        await serving
        await store.close()


async def test_a_clerk_is_seen_by_an_import_also_before_and_between_its_rooms(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    """Also after every connection of it was ended while nobody played."""
    monkeypatch.setattr("cluster.clerk.STAY_SECONDS", 0.02)
    store = PostgresStore(postgres_url, name="idle", present=True)

    async def seen() -> bool:
        try:
            async with alone(postgres_url):
                return False
        except InUse:
            return True

    async with socket_in_a_short_place() as socket, clerk_at(socket, store), psql(postgres_url) as db:
        await until(seen)
        await db.fetch("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'idle'")
        await until(seen)
    assert not await seen()


def test_room_processes_do_not_load_the_driver():
    """On SQLite nor through a clerk: it is 4 MiB, a tenth of a room."""
    code = (
        "import sys, cluster.process, cluster.stores.sqlite, cluster.stores.clerk, cluster.stores\n"
        "cluster.stores.open_store('sqlite:/nowhere')\n"
        "cluster.stores.clerk.ClerkStore(['unix:/nowhere'], b'', 'room')\n"
        "sys.exit('asyncpg' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 0
