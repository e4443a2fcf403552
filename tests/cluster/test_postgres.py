"""What only PostgreSQL must bear: transactions that meet half-way, and databases that are not as they should be."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
from collections.abc import AsyncIterator
from typing import Any

import pytest

from cluster.log import Conflict, Damaged, InUse, Snapshot, Unavailable, UnknownRoom
from cluster.stores import connections, postgres, schema
from cluster.stores.group import Append
from cluster.stores.postgres import PostgresStore
from cluster.stores.schema import alone, migrate
from ops.postgres import Server
from tests.cluster.mini import until
from tests.cluster.pg import entry, opened, psql


async def is_waiting(db: Any) -> bool:
    """Somebody waits for a lock that another transaction holds."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'hanpan'"
    return bool(await db.fetchval(query))


# ---------------------------------------------------------------- transactions that meet, at READ COMMITTED

_ONE = [["r1"], [1], [1], [2], ["r1"], [2], ["{}"]]  # the arguments of an append of entry 2 to r1, at epoch 1


@contextlib.asynccontextmanager
async def one_entry(url: str) -> AsyncIterator[tuple[PostgresStore, Any, Any]]:
    """A room whose owner of epoch 1 has written an entry, and an operator's connection that sees who waits."""
    async with opened(url) as store, psql(url) as db, psql(url) as watch:
        log = await store.room("r1", create=True)
        await log.claim(1, "old", 0)
        await log.append(1, 1, [entry(1)])
        yield store, db, watch


@pytest.mark.parametrize("what", ["append", "snapshot"])
async def test_what_the_old_owner_writes_waits_for_a_claim_under_way_and_is_refused_when_it_commits(
    postgres_url: str, what: str
):
    """Its statement began before the claim was committed: by its own snapshot, it still owned the room."""
    async with one_entry(postgres_url) as (store, db, watch):
        log = await store.room("r1")
        claim = db.transaction()
        await claim.start()
        assert await db.fetchval(postgres._CLAIM, "r1", 2, 0, "new") == 1
        late = asyncio.create_task(
            log.append(1, 2, [entry(2)]) if what == "append" else log.save_snapshot(1, Snapshot(1, b"old"))
        )
        await until(lambda: is_waiting(watch))
        await claim.commit()
        with pytest.raises(Conflict):
            await late
        assert await log.read() == [entry(1)]
        assert await log.snapshot() is None


async def test_what_the_old_owner_writes_happens_where_the_claim_under_way_is_rolled_back(postgres_url: str):
    async with one_entry(postgres_url) as (store, db, watch):
        log = await store.room("r1")
        claim = db.transaction()
        await claim.start()
        await db.fetchval(postgres._CLAIM, "r1", 2, 0, "new")
        late = asyncio.create_task(log.append(1, 2, [entry(2)]))
        await until(lambda: is_waiting(watch))
        await claim.rollback()
        await late
        assert await log.read() == [entry(1), entry(2)]


@pytest.mark.parametrize(("end", "seq"), [("commit", 2), ("rollback", 1)])
async def test_a_claim_waits_for_an_append_under_way_and_knows_its_entry(postgres_url: str, end: str, seq: int):
    """The new owner's seq is what the log holds, whatever the old one was just doing."""
    async with one_entry(postgres_url) as (store, db, watch):
        log = await store.room("r1")
        append = db.transaction()
        await append.start()
        assert [room for (room,) in await db.fetch(postgres._APPEND, *_ONE)] == ["r1"]
        claim = asyncio.create_task(log.claim(2, "new", 0))
        await until(lambda: is_waiting(watch))
        await getattr(append, end)()
        assert await claim == seq
        assert (await log.owners())[-1].seq == seq
        await log.append(2, seq + 1, [entry(seq + 1, 2)])


async def test_of_two_appends_for_one_place_the_second_waits_and_is_refused(postgres_url: str):
    async with one_entry(postgres_url) as (store, db, watch):
        log = await store.room("r1")
        append = db.transaction()
        await append.start()
        await db.fetch(postgres._APPEND, *_ONE)
        second = asyncio.create_task(log.append(1, 2, [entry(2)]))
        await until(lambda: is_waiting(watch))
        await append.commit()
        with pytest.raises(Conflict):
            await second


async def test_of_two_claims_of_one_epoch_one_happens(postgres_url: str):
    async with one_entry(postgres_url) as (store, db, watch):
        log = await store.room("r1")
        first = db.transaction()
        await first.start()
        await db.fetchval(postgres._CLAIM, "r1", 2, 0, "new")
        second = asyncio.create_task(log.claim(2, "other", 0))
        await until(lambda: is_waiting(watch))
        await first.commit()
        with pytest.raises(Conflict):
            await second


async def test_in_a_batch_each_room_has_its_own_fate(postgres_url: str):
    """One owner is current, one is fenced, one is at the wrong place, one has no log at all."""
    async with opened(postgres_url) as store:
        for room in ("good", "fenced", "wrong"):
            log = await store.room(room, create=True)
            await log.claim(1, "a", 0)
        await (await store.room("fenced")).claim(2, "b", 0)
        batch = [Append(room, 1, 2 if room == "wrong" else 1, ["{}"]) for room in ("wrong", "none", "good", "fenced")]
        outcomes = await store._write(batch)
        assert [type(outcome).__name__ for outcome in outcomes] == ["Conflict", "Conflict", "NoneType", "Conflict"]
        assert [(await store.read(room, 0)).lines for room in ("good", "fenced", "wrong")] == [["{}"], [], []]


async def test_a_row_that_an_operator_holds_keeps_back_its_own_room_alone(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(connections, "LOCK_SECONDS", 0.05)
    async with opened(postgres_url) as store, psql(postgres_url) as db:
        for room in ("free", "held"):
            await (await store.room(room, create=True)).claim(1, "a", 0)
        async with db.transaction():
            await db.execute("SELECT FROM logs WHERE room = 'held' FOR UPDATE")
            outcomes = await store._write([Append("held", 1, 1, ["{}"]), Append("free", 1, 1, ["{}"])])
        assert [type(outcome).__name__ for outcome in outcomes] == ["Unavailable", "NoneType"]
        assert (await store._write([Append("held", 1, 1, ["{}"])])) == [None]


async def test_two_nodes_that_fight_over_the_same_rooms_leave_gapless_logs(postgres_url: str):
    """Two stores, as two nodes have, claim and append to six rooms at random; whoever is refused claims again.

    Every log is one line of entries with ever higher epochs, and holds exactly what was acknowledged.
    """
    rooms = [f"r{number}" for number in range(6)]
    acknowledged: dict[str, set[str]] = {room: set() for room in rooms}
    epochs = dict.fromkeys(rooms, 0)

    async def owner(store: PostgresStore, room: str, name: str, chance: random.Random) -> None:
        log = await store.room(room, create=True)
        epoch = seq = -1
        for turn in range(25):
            try:
                if epoch < 0 or chance.random() < 0.2:
                    epochs[room] += 1
                    epoch = epochs[room]
                    seq = await log.claim(epoch, name, 0)
                seq += 1
                await log.append(epoch, seq, [entry(seq, epoch, f"{name}.{turn}")])
                acknowledged[room].add(f"{name}.{turn}")
            except Conflict:
                epoch = -1

    async with opened(postgres_url) as one, opened(postgres_url) as other:
        await asyncio.gather(
            *(
                owner(store, room, f"{node}{room}", random.Random(f"{node}{room}"))
                for node, store in (("a", one), ("b", other))
                for room in rooms
            )
        )
        owners = 0
        for room in rooms:
            entries = await (await one.room(room)).read()
            owners += len({e.epoch for e in entries})
            assert [e.seq for e in entries] == list(range(1, len(entries) + 1))
            assert [e.epoch for e in entries] == sorted(e.epoch for e in entries)
            assert {e.id for e in entries} == acknowledged[room]
        assert owners > 3 * len(rooms)  # they did meet


# ---------------------------------------------------------------- the database


async def test_a_database_that_nobody_migrated_says_what_to_do(postgres_server: Server):
    async with opened(f"{postgres_server.url}?schema=nothing_here") as store:
        with pytest.raises(Unavailable, match="hanpan store migrate"):
            await store.room("r1", create=True)
        with pytest.raises(Unavailable, match="hanpan store migrate"):
            await store.catalogue()


async def test_a_database_that_is_too_old_says_what_to_do(postgres_url: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(postgres, "VERSION", schema.VERSION + 1)
    async with opened(postgres_url) as store:
        with pytest.raises(Unavailable, match=r"version 1, 2 is needed.*hanpan store migrate"):
            await store.room("r1", create=True)


async def test_a_wrong_password_is_an_outage_and_is_not_repeated_in_the_message(postgres_url: str):
    where = postgres_url.replace("hanpan:", "hanpan:geheim")
    async with opened(where) as store:
        with pytest.raises(Unavailable) as no:
            await store.room("r1", create=True)
    assert "geheim" not in str(no.value)


async def test_commits_are_synced_also_where_the_database_would_not(postgres_server: Server):
    """`synchronous_commit = off` would acknowledge what a crash may lose."""
    async with psql(postgres_server.url) as admin:
        name = f"lazy_{secrets.token_hex(4)}"
        await admin.execute(f"CREATE DATABASE {name}")
        await admin.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    url = postgres_server.url.rpartition("/")[0] + f"/{name}"
    await migrate(url)
    async with opened(url) as store:
        for part in (store._readers, store._writers):
            async with part.one() as db:
                assert await db.fetchval("SHOW synchronous_commit") == "on"


async def test_a_server_that_takes_no_writes_any_more_is_left_for_the_one_that_does(postgres_url: str):
    """As after a failover: the old connection leads to what is a standby now."""
    async with opened(postgres_url) as store:
        log = await store.room("r1", create=True)
        await log.claim(1, "a", 0)
        async with store._readers.one() as db:
            await db.execute("SET default_transaction_read_only = on")
        with pytest.raises(Unavailable, match="read-only"):
            await log.claim(2, "b", 0)
        assert await log.claim(2, "b", 0) == 0


async def test_an_entry_that_is_no_entry_is_damaged(postgres_url: str):
    async with opened(postgres_url) as store, psql(postgres_url) as db:
        log = await store.room("r1", create=True)
        await db.execute("INSERT INTO entries VALUES ('r1', 1, '{\"seq\": 1}')")
        with pytest.raises(Damaged):
            await log.read()


async def test_a_long_log_is_read_in_pages(postgres_url: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(postgres, "PAGE", 7)
    async with opened(postgres_url) as store:
        log = await store.room("r1", create=True)
        await log.claim(1, "a", 0)
        await log.append(1, 1, [entry(seq) for seq in range(1, 51)])
        assert await log.read() == [entry(seq) for seq in range(1, 51)]
        assert await log.read(13) == [entry(seq) for seq in range(14, 51)]
        monkeypatch.setattr(postgres, "PAGE_BYTES", 1)  # an entry each
        assert await log.read(40) == [entry(seq) for seq in range(41, 51)]


async def test_migrating_twice_or_by_two_at_once_is_migrating_once(postgres_server: Server):
    url = f"{postgres_server.url}?schema=t_{secrets.token_hex(6)}"
    applied = await asyncio.gather(*(migrate(url) for _ in range(3)))
    assert sorted(len(each) for each in applied) == [0, 0, schema.VERSION]
    assert await migrate(url) == []
    assert len(schema.migrations()) == schema.VERSION


async def test_a_schema_that_is_no_name_is_refused(postgres_server: Server):
    with pytest.raises(ValueError, match="not the name of a schema"):
        PostgresStore(f"{postgres_server.url}?schema=a;drop")


async def test_while_a_hanpan_is_here_nobody_is_alone_and_the_other_way_round(postgres_url: str):
    async with opened(postgres_url, present=True) as here, opened(postgres_url) as tool:
        await here.room("r1", create=True)
        with pytest.raises(InUse):
            async with alone(postgres_url):
                pass
        await tool.room("r1")
        await here.close()
        async with alone(postgres_url, patience=2.0), opened(postgres_url, present=True) as late:
            with pytest.raises(Unavailable, match="import"):
                await late.room("r1")
            await tool.room("r1")


async def test_a_refusal_costs_no_connection(postgres_url: str):
    """A conflict, a room that is not there: the server answered, and its connection is as good as before."""
    async with one_entry(postgres_url) as (store, _, _):

        async def connections_in_use() -> list[int]:
            pids = []
            for part in (store._readers, store._writers):
                async with part.one() as db:
                    assert await db.fetchval("SHOW transaction_isolation") == "read committed"
                    pids.append(await db.fetchval("SELECT pg_backend_pid()"))
            return pids

        log = await store.room("r1")
        before = await connections_in_use()
        for _ in range(3):
            with pytest.raises(Conflict):
                await log.claim(1, "b", 0)
            with pytest.raises(Conflict):
                await log.append(1, 9, [entry(9)])
            with pytest.raises(UnknownRoom):
                await store.room("r2")
        assert await connections_in_use() == before
