"""Spares that nobody needs are frozen, breathe now and then, and are found by the next agent."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from cluster import freezer
from cluster.freezer import Freezer
from cluster.spawner import Process


class Noting:
    """A spawner that notes whom it was to stop, and whom to let go on."""

    def __init__(self) -> None:
        self.done: list[tuple[str, int]] = []

    def freeze(self, pid: int) -> None:
        self.done.append(("freeze", pid))

    def thaw(self, pid: int) -> None:
        self.done.append(("thaw", pid))


def process(pid: int, room: str | None = None) -> Process:
    made = Process(f"p{pid}")
    made.pid, made.room, made.idle_since = pid, room, -1e9
    made.peer = SimpleNamespace()  # type: ignore[assignment]
    return made


def freezer_of(path: Path, *processes: Process) -> tuple[Freezer, Noting]:
    spawner = Noting()
    made = Freezer({one.name: one for one in processes}, spawner, str(path))  # type: ignore[arg-type]
    return made, spawner


async def test_only_spares_that_have_been_idle_are_frozen_and_each_once(tmp_path: Path):
    idle, busy, fresh = process(1), process(2, room="r"), process(3)
    fresh.idle_since = 1e12
    made, spawner = freezer_of(tmp_path / "frozen", idle, busy, fresh)
    made.rest()
    made.rest()
    assert spawner.done == [("freeze", 1)]
    assert (idle.frozen, busy.frozen, fresh.frozen) == (True, False, False)


async def test_whom_it_freezes_it_has_noted_before(tmp_path: Path):
    """Should it die in between, the next agent thaws one that was not frozen, which bears it."""
    made, spawner = freezer_of(tmp_path / "frozen", process(1))
    seen: list[str] = []
    spawner.freeze = lambda pid: seen.append((tmp_path / "frozen").read_text())  # type: ignore[method-assign]
    made.rest()
    assert seen == ["1"]


async def test_one_that_is_thawed_goes_on_and_one_that_was_not_frozen_is_left_alone(tmp_path: Path):
    frozen, awake = process(1), process(2, room="r")
    made, spawner = freezer_of(tmp_path / "frozen", frozen, awake)
    made.rest()
    made.thaw(frozen)
    made.thaw(awake)
    assert spawner.done == [("freeze", 1), ("thaw", 1)]
    assert not frozen.frozen


async def test_all_breathe_when_it_is_time_and_rest_again_a_second_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    now = 1000.0
    monkeypatch.setattr(freezer, "time", SimpleNamespace(monotonic=lambda: now))
    made, spawner = freezer_of(tmp_path / "frozen", process(1), process(2))
    made.rest()
    spawner.done.clear()
    now += freezer.BREATH_SECONDS
    made.rest()
    assert spawner.done == [("thaw", 1), ("thaw", 2)]
    now += 1.0
    made.rest()
    assert spawner.done[2:] == [("freeze", 1), ("freeze", 2)]


async def test_the_next_agent_thaws_those_that_are_left_and_none_where_there_was_no_agent(tmp_path: Path):
    first, _ = freezer_of(tmp_path / "frozen", process(1), process(2))
    first.rest()
    second, spawner = freezer_of(tmp_path / "frozen")
    second.thaw_orphans()
    assert spawner.done == [("thaw", 1), ("thaw", 2)]
    alone, spawner = freezer_of(tmp_path / "none")
    alone.thaw_orphans()
    assert spawner.done == []
