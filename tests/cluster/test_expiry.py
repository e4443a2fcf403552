"""Rooms that nobody comes back to are closed: those, and no others, whatever goes wrong with one of them."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from cluster import placement, upkeep
from cluster.client import Refused, RoomReport
from cluster.records import Record
from tests.cluster.mini import Client, MiniCluster, mini_cluster, until
from tests.cluster.test_lifecycle import RESTLESS, parked


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "HOUSEKEEPING_SECONDS", 0.05)
    monkeypatch.setattr(upkeep, "RETURN_SECONDS", 0.0)


async def left(mini: MiniCluster, **wish: Any) -> str:
    """A room that anna has left, parked."""
    room = await mini.create(seats=2, **wish)
    anna = Client(mini, room.id, "anna")
    await anna.welcome()
    anna.attachment.detach()
    await parked(mini, room.id)
    return room.id


def expire(mini: MiniCluster) -> None:
    """From now on nobody is waited for."""
    keeper = mini.directory.upkeep
    keeper.config = msgspec.structs.replace(keeper.config, expire_hours=0.0)


async def closed(mini: MiniCluster, room: str) -> bool:
    row = await mini.directory.stored.catalogue.get(room)
    assert row is not None
    return row.closed


async def test_a_room_that_somebody_comes_back_to_while_others_are_closed_stays(monkeypatch: pytest.MonkeyPatch):
    async with mini_cluster(settings=RESTLESS, spares=3) as mini:
        first, second = await left(mini), await left(mini)
        close = mini.directory.orders.close
        back: list[Client] = []

        async def slowly(record: Record, reason: str) -> None:
            if not back:
                back.append(Client(mini, second, "anna"))
                await back[0].welcome()
            await close(record, reason)

        monkeypatch.setattr(mini.directory.orders, "close", slowly)
        expire(mini)
        await until(lambda: first not in mini.records)
        assert (await mini.log(first))[-1].fact.reason == "expired"
        assert (await back[0].do("ready"))["type"] == "ack"
        assert not await closed(mini, second)


async def test_a_room_that_no_node_can_play_is_closed_too_and_keeps_none_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
):
    """Where it has no writer, its log stays as it is: the catalogue alone says so, and its maker may make another."""
    async with mini_cluster(settings=RESTLESS) as mini:
        first, second = await left(mini, game="together"), await left(mini)
        monkeypatch.setattr(mini.nodes["n"], "plays", lambda game, version=0: game != "together")
        expire(mini)
        await until(lambda: not mini.records)
        assert await closed(mini, first)
        assert "closed" not in await mini.kinds(first)
        assert (await mini.log(second))[-1].fact.reason == "expired"
        assert mini.directory.registry.made_by == {}


async def test_a_room_that_cannot_be_closed_keeps_none_of_the_others():
    async with mini_cluster(settings=RESTLESS) as mini:
        first, second = await left(mini), await left(mini)
        catalogue: Any = await mini.make_store().catalogue()
        catalogue.forget(first)  # whatever took it away
        await catalogue.close()
        expire(mini)
        await until(lambda: second not in mini.records)
        assert (await mini.log(second))[-1].fact.reason == "expired"


async def test_nothing_is_closed_while_there_is_no_node_with_a_place():
    """To be closed, a room takes a process as any other: those that people wait for come first."""
    async with mini_cluster(settings=RESTLESS, limit=1, spares=1) as mini:
        room = await left(mini)
        running = await mini.create()
        await until(lambda: mini.nodes["n"].full)
        expire(mini)
        await asyncio.sleep(0.3)  # some sweeps
        assert mini.records[room].parked
        await mini.gateway.admin("close", {"room": running.id})
        await until(lambda: room not in mini.records)


async def test_whoever_makes_a_room_hears_in_time_that_there_is_no_place_and_the_same_wish_finds_it(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(placement, "LOCATE_SECONDS", 0.2)
    async with mini_cluster(limit=1, spares=1) as mini:
        running = await mini.create()
        await until(lambda: mini.nodes["n"].full)
        for _ in range(3):
            with pytest.raises(Refused) as no:
                await mini.create()
            assert (no.value.code, no.value.retry) == ("unavailable", True)
            assert no.value.message == placement.LATE.message  # the directory has said so: it does not wait on
            assert len(mini.records) == 2
            mini._keys -= 1
        [waits] = [room for room in mini.records if room != running.id]
        await mini.gateway.admin("close", {"room": running.id})
        await until(lambda: mini.where(waits))
        assert (await mini.create()).id == waits


async def test_how_long_nobody_came_is_known_to_the_next_directory():
    """One that is replaced every day would close nothing. What an older one gave no time for waits from now on."""
    async with mini_cluster(settings=RESTLESS) as mini:
        fresh, old, unknown = await left(mini), await left(mini), await left(mini)
        touched = mini.records[fresh].touched
        catalogue = mini.directory.stored.catalogue
        for room, since in ((old, 1), (unknown, 0)):
            row = await catalogue.get(room)
            assert row is not None
            report = msgspec.json.decode(row.summary, type=RoomReport)
            await catalogue.update(room, summary=msgspec.json.encode(msgspec.structs.replace(report, parked=since)))
        await mini.restart_directory()
        await until(lambda: old not in mini.records)
        assert (await mini.log(old))[-1].fact.reason == "expired"
        assert mini.records[fresh].touched == touched
        assert mini.records[unknown].parked


async def test_a_directory_that_has_just_begun_closes_nothing(monkeypatch: pytest.MonkeyPatch):
    """hanpan was away, perhaps for days: nobody could have come back."""
    async with mini_cluster(settings=RESTLESS) as mini:
        room = await left(mini)
        monkeypatch.setattr(upkeep, "RETURN_SECONDS", 3600.0)
        await mini.restart_directory()
        await until(lambda: mini.directory.roster.open())
        expire(mini)
        await asyncio.sleep(0.3)  # some sweeps
        assert mini.records[room].parked
        mini.directory.upkeep.expires_from = 0.0
        await until(lambda: room not in mini.records)
