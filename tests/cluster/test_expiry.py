"""Rooms that nobody comes back to are closed: those, and no others, whatever goes wrong with one of them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cluster import directory
from cluster.records import Record
from tests.cluster.mini import Client, MiniCluster, mini_cluster, until
from tests.cluster.test_lifecycle import RESTLESS, parked


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "HOUSEKEEPING_SECONDS", 0.05)


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
    mini.directory.config = msgspec.structs.replace(mini.directory.config, expire_hours=0.0)


async def closed(mini: MiniCluster, room: str) -> bool:
    row = await mini.directory._catalogue.get(room)
    assert row is not None
    return row.closed


async def test_a_room_that_somebody_comes_back_to_while_others_are_closed_stays(monkeypatch: pytest.MonkeyPatch):
    async with mini_cluster(settings=RESTLESS, spares=3) as mini:
        first, second = await left(mini), await left(mini)
        close = mini.directory._close
        back: list[Client] = []

        async def slowly(record: Record, reason: str) -> None:
            if not back:
                back.append(Client(mini, second, "anna"))
                await back[0].welcome()
            await close(record, reason)

        monkeypatch.setattr(mini.directory, "_close", slowly)
        expire(mini)
        await until(lambda: first not in mini.directory._records)
        assert (await mini.log(first))[-1].fact.reason == "expired"
        assert (await back[0].do("ready"))["type"] == "ack"
        assert not await closed(mini, second)
