"""What goes on in the background goes on, whatever goes wrong in it once."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
import structlog

from cluster import forever, freezer, upkeep
from cluster.client import Refused
from tests.cluster.mini import mini_cluster, start_game, until


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forever, "AGAIN_SECONDS", 0.01)


async def test_work_is_done_to_its_end_however_often_it_raises():
    tries: list[int] = []

    async def work() -> None:
        tries.append(len(tries))
        if len(tries) < 3:
            raise KeyError("its own words")

    with structlog.testing.capture_logs() as lines:
        await forever.forever(work, structlog.get_logger())
    assert tries == [0, 1, 2]
    assert [line["event"] for line in lines] == ["task_failed", "task_failed"]
    assert "KeyError at " in lines[0]["bug"]
    assert "its own words" not in str(lines)


async def test_work_that_is_cancelled_is_over():
    begun = asyncio.Event()

    async def work() -> None:
        begun.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(forever.forever(work, structlog.get_logger()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_an_agent_freezes_spares_though_it_could_not_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(freezer, "REST_SECONDS", 0.0)
    async with mini_cluster() as mini:
        frozen: list[int] = []

        def freeze(pid: int) -> None:
            frozen.append(pid)
            if len(frozen) == 1:
                raise PermissionError(pid)

        monkeypatch.setattr(mini.spawner, "freeze", freeze)
        await until(lambda: len(frozen) > 1)


async def test_a_directory_counts_its_rooms_though_it_could_not_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(upkeep, "COUNT_SECONDS", 0.01)
    async with mini_cluster() as mini:
        real, tries = mini.directory.upkeep.count_rooms, 0

        async def count() -> Counter[tuple[str, str]]:
            nonlocal tries
            tries += 1
            if tries == 1:
                raise ZeroDivisionError
            return await real()

        monkeypatch.setattr(mini.directory.upkeep, "count_rooms", count)
        await until(lambda: tries > 1)


async def test_a_room_that_could_not_be_placed_is_no_bug():
    """Whoever asked for it is told."""
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        await anna.do("close")
        await until(lambda: room not in mini.records)
        mini.nodes["n"].plays = lambda game, version=0: False  # type: ignore[method-assign]
        events: list[Any]
        with structlog.testing.capture_logs() as lines:
            with pytest.raises(Refused, match="game_unavailable"):
                await mini.gateway.replay(room, 0, None)
            events = [line["event"] for line in lines]
        assert "not_placed" in events
        assert "task_failed" not in events
