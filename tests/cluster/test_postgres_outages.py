"""Wires that are cut or slow, servers that go and come back: nothing acknowledged is lost, nothing is written twice."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
from collections.abc import Iterator
from typing import Any

import asyncpg
import pytest

from cluster.log import Conflict, RoomRow, Unavailable
from cluster.stores import connections
from cluster.stores.group import LANES
from cluster.stores.postgres import READERS, PostgresStore
from cluster.stores.schema import migrate
from ops import postgres as servers
from ops import proc
from ops.chaos.wire import wire_to
from ops.postgres import Server
from tests.cluster.mini import RED, clerk_at, light, mini_cluster, start_game, until
from tests.cluster.pg import diarists, entry, opened, psql, sessions, socket_in_a_short_place
from tests.cluster.test_log_contract import ThroughClerk
from tests.conftest import QUICK


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    """For tests that stop it. Each leaves it running."""
    with servers.postgres(QUICK) as server:
        yield server


@pytest.fixture
async def own_url(own_server: Server) -> str:
    url = f"{own_server.url}?schema=t_{secrets.token_hex(6)}"
    await migrate(url)
    return url


# ---------------------------------------------------------------- wires


async def test_an_append_that_was_long_on_its_way_is_refused(postgres_url: str):
    """It left the old owner before the new one claimed, and arrives after that has written in the same place."""
    async with wire_to(postgres_url) as (wire, slow_url), opened(slow_url) as slow, opened(postgres_url) as quick:
        old = await slow.room("r1", create=True)
        await old.claim(1, "old", 0)
        await old.append(1, 1, [entry(1)])
        wire.hold_requests()
        late = asyncio.create_task(old.append(1, 2, [entry(2, id="late")]))
        await asyncio.sleep(0.05)
        new = await quick.room("r1")
        assert await new.claim(2, "new", 0) == 1
        await new.append(2, 2, [entry(2, 2, id="new")])
        wire.works()
        with pytest.raises(Conflict):
            await late
        assert [e.id for e in await new.read()] == [None, "new"]


async def test_the_same_where_its_sender_has_given_up_waiting(postgres_url: str, monkeypatch: pytest.MonkeyPatch):
    """The bytes arrive all the same, without anybody who could be told no."""
    monkeypatch.setattr(connections, "COMMAND_SECONDS", 1.0)
    async with wire_to(postgres_url) as (wire, slow_url), opened(slow_url) as slow, opened(postgres_url) as quick:
        old = await slow.room("r1", create=True)
        await old.claim(1, "old", 0)
        await old.append(1, 1, [entry(1)])
        wire.hold_requests()
        with pytest.raises(Unavailable):
            await old.append(1, 2, [entry(2, id="late")])
        new = await quick.room("r1")
        await new.claim(2, "new", 0)
        wire.works()
        await until(lambda: wire.open == 1)  # what is left is the connection that opened and claimed
        await new.append(2, 2, [entry(2, 2, id="new")])
        assert [e.id for e in await new.read()] == [None, "new"]


async def test_an_append_whose_answer_was_lost_has_happened_and_is_not_sent_again(postgres_url: str):
    async with wire_to(postgres_url) as (wire, url), opened(url) as store:
        log = await store.room("r1", create=True)
        await log.claim(1, "a", 0)
        await log.append(1, 1, [entry(1)])
        wire.hold_answers()
        unsure = asyncio.create_task(log.append(1, 2, [entry(2)]))
        async with opened(postgres_url) as direct:

            async def there() -> bool:
                return len((await direct.read("r1", 0)).lines) == 2

            await until(there)
        wire.cut()
        wire.works()
        with pytest.raises(Unavailable):
            await unsure
        assert await log.read() == [entry(1), entry(2)]
        with pytest.raises(Conflict):
            await log.append(1, 2, [entry(2)])
        await log.append(1, 3, [entry(3)])


async def test_a_server_that_says_nothing_is_given_up_and_found_again(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(connections, "COMMAND_SECONDS", 1.0)
    monkeypatch.setattr(connections, "CONNECT_SECONDS", 1.0)
    async with wire_to(postgres_url) as (wire, url), opened(url) as store:
        log = await store.room("r1", create=True)
        await log.claim(1, "a", 0)
        wire.hold_requests()
        wire.hold_answers()
        attempts = [log.read(), log.append(1, 1, [entry(1)]), log.claim(2, "b", 0), store.room("r2"), store.catalogue()]
        outcomes = await asyncio.gather(*attempts, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [Unavailable] * 5
        wire.cut()
        wire.works()
        await asyncio.sleep(connections.RETRY_SECONDS)
        held = await log.read()
        assert held in ([], [entry(1)])
        assert wire.open <= LANES + READERS


async def test_while_the_server_is_away_it_is_tried_now_and_then_and_not_by_everyone(postgres_url: str):
    async with wire_to(postgres_url) as (wire, url), opened(url) as store:
        wire.refuses = True
        attempts = [store.read("r1", 0) for _ in range(50)]
        outcomes = await asyncio.gather(*attempts, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {Unavailable}
        assert wire.accepted <= 4  # asyncpg tries with and without TLS
        wire.refuses = False


async def test_the_catalogue_survives_a_cut(postgres_url: str):
    async with wire_to(postgres_url) as (wire, url), opened(url) as store:
        catalogue = await store.catalogue()
        await catalogue.add(RoomRow(id="r1", code="A", game="g", created=1, wish=b""))
        wire.cut()
        with pytest.raises(Unavailable):
            await catalogue.update("r1", parked=True)
        await catalogue.update("r1", parked=True)
        assert (await catalogue.open_rooms())[0].parked


# ---------------------------------------------------------------- servers


@pytest.mark.parametrize("how", ["fast", "immediate", "kill"])
async def test_a_server_that_is_restarted_in_the_middle_loses_and_doubles_nothing(
    own_server: Server, own_url: str, how: servers.Shutdown
):
    async with opened(own_url, name="mine") as store:
        async with diarists(store, 5) as writers:
            await asyncio.to_thread(own_server.stop, how)
            await until(lambda: all(writer.outages for writer in writers))
            own_server.start()  # here, and not in a thread: the server dies with the thread that starts it
        async with psql(own_url) as db:
            assert await sessions(db, "mine") <= LANES + READERS


FLAPS = 50  # and of one connection lost each time, more than there may be


async def test_a_server_that_flaps_fifty_times_leaves_no_connection_behind(own_server: Server, own_url: str):
    """Fifty times every session is ended and new ones are refused for a moment; rooms write through all of it."""
    flap = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'flapped'"
    admin = await asyncpg.connect(own_server.url.rpartition("/")[0] + "/postgres")
    files = len(os.listdir("/proc/self/fd"))
    tasks = len(asyncio.all_tasks())
    async with opened(own_url, name="flapped") as store:
        async with diarists(store, 8) as writers:
            for number in range(FLAPS):
                await admin.execute(f"ALTER DATABASE {servers.USER} ALLOW_CONNECTIONS false")
                await admin.fetch(flap)
                await asyncio.sleep(0.03 * (number % 3))
                await admin.execute(f"ALTER DATABASE {servers.USER} ALLOW_CONNECTIONS true")
                await writers[0].writes_again()
            assert sum(writer.outages for writer in writers) >= FLAPS
        assert await sessions(admin, "flapped") <= LANES + READERS
        assert await sessions(admin, "flapped") == store._readers.open + store._writers.open  # as it is counted
    await until(lambda: gone(admin))
    assert len(os.listdir("/proc/self/fd")) <= files
    assert len(asyncio.all_tasks()) <= tasks
    await admin.close()


async def gone(db: Any) -> bool:
    return await sessions(db, "flapped") == 0


async def test_a_server_that_stands_still_is_an_outage_and_what_it_took_is_there_when_it_wakes(
    own_server: Server, own_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(connections, "COMMAND_SECONDS", 1.0)
    monkeypatch.setattr(connections, "CONNECT_SECONDS", 1.0)
    async with opened(own_url) as store, diarists(store, 3) as writers:
        everyone = proc.tree(own_server.pid)
        for pid in everyone:
            os.kill(pid, signal.SIGSTOP)
        try:
            await until(lambda: all(writer.outages for writer in writers))
        finally:
            for pid in everyone:
                os.kill(pid, signal.SIGCONT)


# ---------------------------------------------------------------- whole clusters


@pytest.fixture
def _quick_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cluster.running.PROBE_SECONDS", 0.02)


@pytest.mark.usefixtures("_quick_probes")
async def test_rooms_pause_while_the_server_is_away_and_go_on_by_themselves(own_server: Server, own_url: str):
    """Every room of a node, also one that is made, one that is taken over, and the directory's own work."""
    async with (
        socket_in_a_short_place() as socket,
        clerk_at(socket, PostgresStore(own_url, name="clerk")),
        mini_cluster(store=ThroughClerk(own_url, socket), spares=4) as mini,
    ):
        games = [await start_game(mini) for _ in range(3)]
        own_server.stop()
        sent = [anna.say("action", decision=await anna.my_turn(), action=RED) for _, (anna, _) in games]
        for room, (_, bob) in games:
            await until(lambda room=room: mini.running(room)._down)
            refused = await bob.do("ready")
            assert (refused["code"], refused["retry"]) == ("storage_down", True)
        mini.kill_owner(games[0][0])
        await asyncio.sleep(0.3)
        own_server.start()
        for (room, (anna, bob)), id in zip(games, sent, strict=True):
            assert (await anna.answer(id))["type"] == "ack"
            assert (await light(bob))["type"] == "ack"
            assert (await mini.kinds(room)).count("action") == 2
        assert "timeout" not in {kind for room, _ in games for kind in await mini.kinds(room)}
        assert mini.records[games[0][0]].quarantine is None


async def test_a_closed_room_is_put_away_and_its_games_can_be_watched_as_before(postgres_url: str):
    """By the directory, between times. A process that only reads is handed the room."""
    async with (
        socket_in_a_short_place() as socket,
        clerk_at(socket, PostgresStore(postgres_url)),
        mini_cluster(store=ThroughClerk(postgres_url, socket), directory={"archive_hours": 0.0}) as mini,
        psql(postgres_url) as db,
    ):
        room, (anna, bob) = await start_game(mini, options={"lamps": 2})
        await light(anna)
        await light(bob)
        before = await mini.gateway.replay(room, 0, "anna")
        assert before["result"]
        await anna.do("close")
        await until(lambda: room not in mini.records)
        await mini.directory.upkeep.tidy()
        assert await db.fetchval("SELECT count(*) FROM archive") == 1
        assert await db.fetchval("SELECT count(*) FROM entries") == 0
        assert await mini.gateway.replay(room, 0, "anna") == before
