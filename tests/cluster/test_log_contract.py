"""The contract of `cluster.log`, held against every store.

A store is given as something that can be opened again and again at one place: what one opening has acknowledged, the
next one finds. (In memory, the place is the object.)
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cluster.entries import Began, Created, Entry, ReadySet
from cluster.log import Conflict, Owner, RoomRow, Snapshot, Store, Tidied, UnknownRoom
from cluster.stores import open_store
from cluster.stores.clerk import ClerkStore
from cluster.stores.postgres import PostgresStore
from tests.cluster.mini import SECRET, clerk_at

Open = Callable[[], Store]


class ThroughClerk:
    """What a room process and its directory have on a node where the store is PostgreSQL."""

    kind = "postgres"

    def __init__(self, url: str, socket: str) -> None:
        self._logs = ClerkStore([socket], SECRET, "room")
        self._store = PostgresStore(url)
        self.room, self.ready, self.catalogue = self._logs.room, self._logs.ready, self._store.catalogue
        self.tidy, self.close = self._store.tidy, self._store.close


@pytest.fixture(params=["memory", "sqlite", "postgres", "clerk"])
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Open]:
    """Opens the same store, anew where it can be."""
    if request.param == "memory":
        store = open_store("memory:")
        yield lambda: store
        return
    if request.param == "sqlite":
        yield lambda: open_store(f"sqlite:{tmp_path}/한판 100% #1?/data")
        return
    url = request.getfixturevalue("postgres_url")
    stores: list[Any] = []

    def another() -> Store:
        stores.append(open_store(url) if request.param == "postgres" else ThroughClerk(url, f"unix:{folder}/clerk"))
        return stores[-1]

    with tempfile.TemporaryDirectory(prefix="hp-") as folder:  # short: a socket lives in it
        async with clerk_at(f"unix:{folder}/clerk", PostgresStore(url)):
            yield another
        for store in stores:
            await store.close()


def entry(seq: int, epoch: int = 1, **fields) -> Entry:
    return Entry(seq, epoch, 1000 + seq, ReadySet("안나", seq % 2 == 0), f"{seq:032x}", **fields)


def row(room: str = "r1", code: str = "AAAAAA", **fields) -> RoomRow:
    return RoomRow(**{"id": room, "code": code, "game": "lamps", "created": 7, "wish": b"{}", **fields})


# ---------------------------------------------------------------- a room's log


async def test_what_was_appended_is_read_in_order_and_after_any_seq(opened: Open):
    log = await opened().room("r1", create=True)
    await log.claim(1, "a", 5)
    await log.append(1, 1, [entry(1)])
    await log.append(1, 2, [entry(2), entry(3), entry(4)])
    assert await log.read() == [entry(seq) for seq in (1, 2, 3, 4)]
    assert await log.read(2) == [entry(3), entry(4)]
    assert await log.read(4) == []
    await log.close()


async def test_every_kind_of_fact_comes_back_as_it_was(opened: Open):
    """Text in any script, 32-byte seeds, who and id."""
    log = await opened().room("r1", create=True)
    await log.claim(1, "a", 5)
    facts = [
        Created("r1", "AAAAAA", "lamps", "안나", {"lamps": 5, "이름": ["한", None, 1.5]}, 4),
        Began(["안나", "밥"], {}, "ff" * 32, 1),
    ]
    entries = [Entry(n, 1, n, fact, "0" * 32, "안나", f"id.{n}") for n, fact in enumerate(facts, 1)]
    await log.append(1, 1, entries)
    assert await log.read() == entries
    await log.close()


async def test_what_was_acknowledged_is_there_when_the_store_is_opened_again(opened: Open):
    log = await opened().room("r1", create=True)
    await log.claim(1, "a", 5)
    await log.append(1, 1, [entry(1)])
    await log.save_snapshot(1, Snapshot(1, b"\x00\xffstate"))
    await log.close()
    again = await opened().room("r1")
    assert await again.read() == [entry(1)]
    assert await again.snapshot() == Snapshot(1, b"\x00\xffstate")
    assert await again.owners() == [Owner(1, 0, 5, "a")]
    await again.close()


async def test_a_room_that_nobody_made_is_unknown(opened: Open):
    with pytest.raises(UnknownRoom):
        await opened().room("r1")


async def test_a_room_is_created_once_and_keeps_what_it_holds(opened: Open):
    log = await opened().room("r1", create=True)
    await log.claim(1, "a", 5)
    await log.append(1, 1, [entry(1)])
    other = await opened().room("r1", create=True)
    assert await other.read() == [entry(1)]
    await log.close()
    await other.close()


async def test_a_room_that_the_store_was_ready_for_is_like_any_other(opened: Open):
    store = opened()
    await store.ready()
    for room in ("ready", "other"):
        log = await store.room(room, create=True)
        assert await log.claim(1, "a", 0) == 0
        await log.append(1, 1, [entry(1)])
        await log.prepare()
        await log.append(1, 2, [entry(2)])
        await log.close()
    again = opened()
    for room in ("ready", "other"):
        log = await again.room(room)
        assert await log.read() == [entry(1), entry(2)]
        assert await log.claim(2, "b", 0) == 2
        await log.close()


async def test_rooms_do_not_see_each_other(opened: Open):
    store = opened()
    one, two = await store.room("r1", create=True), await store.room("r2", create=True)
    await one.claim(7, "a", 5)
    await two.claim(1, "b", 5)
    await one.append(7, 1, [entry(1, 7)])
    assert await two.read() == []
    await one.close()
    await two.close()


async def test_an_epoch_is_claimed_once_and_only_upwards(opened: Open):
    log = await opened().room("r1", create=True)
    assert await log.claim(3, "a", 5) == 0
    for epoch in (3, 2, 1, 0):
        with pytest.raises(Conflict):
            await log.claim(epoch, "b", 6)
    await log.append(3, 1, [entry(1, 3), entry(2, 3)])
    assert await log.claim(10, "b", 7) == 2
    assert await log.owners() == [Owner(3, 0, 5, "a"), Owner(10, 2, 7, "b")]
    await log.close()


async def test_the_old_owner_is_fenced_whatever_it_tries(opened: Open):
    """It was asleep, knows nothing of the claim, and has the room open."""
    old = await opened().room("r1", create=True)
    await old.claim(1, "old", 5)
    await old.append(1, 1, [entry(1)])
    new = await opened().room("r1")
    assert await new.claim(2, "new", 6) == 1
    with pytest.raises(Conflict):
        await old.append(1, 2, [entry(2)])
    with pytest.raises(Conflict):
        await old.save_snapshot(1, Snapshot(1, b"old"))
    await new.append(2, 2, [entry(2, 2)])
    with pytest.raises(Conflict):
        await old.append(1, 3, [entry(3)])
    assert await old.read() == [entry(1), entry(2, 2)]
    assert await new.snapshot() is None
    await old.close()
    await new.close()


async def test_nobody_appends_without_a_claim_or_with_an_epoch_of_the_future(opened: Open):
    log = await opened().room("r1", create=True)
    with pytest.raises(Conflict):
        await log.append(1, 1, [entry(1)])
    await log.claim(1, "a", 5)
    with pytest.raises(Conflict):
        await log.append(2, 1, [entry(1, 2)])
    assert await log.read() == []
    await log.close()


@pytest.mark.parametrize("expected", [0, 1, 2, 4, 5])
async def test_an_append_at_the_wrong_place_is_refused_whole(opened: Open, expected: int):
    log = await opened().room("r1", create=True)
    await log.claim(1, "a", 5)
    await log.append(1, 1, [entry(1), entry(2)])
    with pytest.raises(Conflict):
        await log.append(1, expected, [entry(expected), entry(expected + 1)])
    assert await log.read() == [entry(1), entry(2)]
    await log.append(1, 3, [entry(3)])
    assert len(await log.read()) == 3
    await log.close()


async def test_of_two_appends_for_one_place_one_happens(opened: Open):
    first, second = await opened().room("r1", create=True), await opened().room("r1")
    await first.claim(1, "a", 5)
    outcomes = await asyncio.gather(
        first.append(1, 1, [entry(1, id="x")]), second.append(1, 1, [entry(1, id="y")]), return_exceptions=True
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "NoneType"]
    assert len(await first.read()) == 1
    await first.close()
    await second.close()


async def test_the_newest_snapshot_is_kept_and_the_entries_stay(opened: Open):
    log = await opened().room("r1", create=True)
    await log.claim(1, "a", 5)
    await log.append(1, 1, [entry(1), entry(2), entry(3)])
    assert await log.snapshot() is None
    await log.save_snapshot(1, Snapshot(1, b"one"))
    await log.save_snapshot(1, Snapshot(3, b"three"))
    await log.save_snapshot(1, Snapshot(3, b"three again"))
    assert await log.snapshot() == Snapshot(3, b"three again")
    assert len(await log.read()) == 3
    await log.close()


async def test_what_was_read_is_not_the_log_itself(opened: Open):
    log = await opened().room("r1", create=True)
    await log.claim(1, "a", 5)
    await log.append(1, 1, [entry(1)])
    (await log.read()).clear()
    assert await log.read() == [entry(1)]
    await log.close()


# ---------------------------------------------------------------- the catalogue


async def test_the_catalogue_keeps_every_column(opened: Open):
    full = row(key="anna/k", epoch=4, parked=True, quarantine="why", summary="요약".encode())
    catalogue = await opened().catalogue()
    assert await catalogue.add(full) == full
    await catalogue.close()
    again = await opened().catalogue()
    assert await again.get("r1") == full
    assert await again.get("r2") is None
    await again.close()


async def test_the_same_key_is_the_same_room_also_when_closed_or_when_code_and_id_collide(opened: Open):
    catalogue = await opened().catalogue()
    await catalogue.add(row("r0", "BBBBBB", key="anna/other"))
    first = await catalogue.add(row(key="anna/k"))
    assert await catalogue.add(row("r2", "CCCCCC", key="anna/k")) == first
    assert await catalogue.add(row("r0", "BBBBBB", key="anna/k")) == first
    await catalogue.update("r1", closed=True)
    assert (await catalogue.add(row("r3", "DDDDDD", key="anna/k"))).id == "r1"
    assert [r.id for r in await catalogue.all_rooms()] == ["r0", "r1"]
    await catalogue.close()


async def test_rooms_without_a_key_are_all_different(opened: Open):
    catalogue = await opened().catalogue()
    await catalogue.add(row("r1", "AAAAAA"))
    await catalogue.add(row("r2", "BBBBBB"))
    assert len(await catalogue.all_rooms()) == 2
    await catalogue.close()


async def test_a_code_belongs_to_one_open_room_and_is_free_again_when_it_closes(opened: Open):
    catalogue = await opened().catalogue()
    await catalogue.add(row("r1", "AAAAAA"))
    with pytest.raises(Conflict):
        await catalogue.add(row("r2", "AAAAAA"))
    with pytest.raises(Conflict):
        await catalogue.add(row("r1", "BBBBBB"))
    await catalogue.update("r1", closed=True)
    await catalogue.add(row("r2", "AAAAAA"))
    assert [r.id for r in await catalogue.open_rooms()] == ["r2"]
    await catalogue.close()


async def test_an_update_changes_the_given_columns_alone(opened: Open):
    catalogue = await opened().catalogue()
    kept = await catalogue.add(row(key="k"))
    changes = [{"epoch": 3}, {"parked": True}, {"quarantine": "broken"}, {"summary": b"{}"}, {"closed": True}]
    for change in changes:
        await catalogue.update("r1", **change)
        kept = msgspec.structs.replace(kept, **change)
        assert await catalogue.get("r1") == kept
    await catalogue.update("r1", quarantine="", parked=False)
    assert await catalogue.get("r1") == msgspec.structs.replace(kept, quarantine=None, parked=False)
    await catalogue.update("r1")
    with pytest.raises(UnknownRoom):
        await catalogue.update("r2", parked=True)
    await catalogue.close()


async def test_open_rooms_come_oldest_first(opened: Open):
    catalogue = await opened().catalogue()
    for number in (1, 2, 3):
        await catalogue.add(row(f"r{number}", f"AAAAA{number}", created=number))
    await catalogue.update("r2", closed=True)
    assert [r.id for r in await catalogue.open_rooms()] == ["r1", "r3"]
    assert [r.id for r in await catalogue.all_rooms()] == ["r1", "r2", "r3"]
    await catalogue.close()


async def test_a_closed_room_that_was_tidied_is_read_as_before_and_the_open_one_is_written_on(opened: Open):
    store = opened()
    catalogue = await store.catalogue()
    for room in ("r1", "r2"):
        await catalogue.add(row(room, f"CODE{room}"))
        log = await store.room(room, create=True)
        await log.claim(1, "a", 5)
        await log.append(1, 1, [entry(1), entry(2), entry(3)])
        await log.close()
    await catalogue.update("r1", closed=True)
    while await store.tidy(0.0, None) != Tidied():
        pass
    again = opened()
    closed, running = await again.room("r1"), await again.room("r2")
    assert await closed.read() == [entry(1), entry(2), entry(3)]
    assert await closed.read(2) == [entry(3)]
    assert await closed.owners() == [Owner(1, 0, 5, "a")]
    await running.append(1, 4, [entry(4)])
    assert len(await running.read()) == 4
    for log in (closed, running, catalogue):
        await log.close()


def test_a_url_of_no_store_says_so():
    with pytest.raises(ValueError, match="no such store"):
        open_store("mysql://x")
