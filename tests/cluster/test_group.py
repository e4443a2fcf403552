"""Group commit by itself: what is written together, and who hears what."""

from __future__ import annotations

import asyncio

import pytest

from cluster.log import Conflict, Unavailable
from cluster.stores import group
from cluster.stores.group import Append, GroupCommit, Outcome


class Disk:
    """Writes when it is told to, and remembers what was written together."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.outcome: Outcome = None
        self.bug: Exception | None = None
        self._go = asyncio.Semaphore(0)

    async def write(self, batch: list[Append]) -> list[Outcome]:
        self.batches.append([one.room for one in batch])
        await self._go.acquire()
        if self.bug is not None:
            raise self.bug
        return [self.outcome for _ in batch]

    def go(self, times: int = 1) -> None:
        for _ in range(times):
            self._go.release()


def start(commits: GroupCommit, *rooms: str) -> list[asyncio.Task[None]]:
    return [asyncio.create_task(commits.append(Append(room, 1, 1, ["{}"]))) for room in rooms]


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_one_alone_is_written_at_once_and_those_that_come_meanwhile_together():
    disk = Disk()
    commits = GroupCommit(disk.write, lanes=1)
    first = start(commits, "a")
    await settle()
    others = start(commits, "b", "c", "d")
    await settle()
    assert disk.batches == [["a"]]
    disk.go(2)
    await asyncio.gather(*first, *others)
    assert disk.batches == [["a"], ["b", "c", "d"]]
    assert (commits.writes, commits.appends) == (2, 4)


async def test_no_batch_is_larger_than_it_may_be_and_no_lane_idles():
    disk = Disk()
    commits = GroupCommit(disk.write, lanes=2, batch=2)
    first = start(commits, "a")
    await settle()
    others = start(commits, *"bcdef")
    await settle()
    assert disk.batches == [["a"], ["b", "c"]]
    disk.go(4)
    await asyncio.gather(*first, *others)
    assert disk.batches == [["a"], ["b", "c"], ["d", "e"], ["f"]]


async def test_two_of_one_room_are_never_in_one_batch():
    disk = Disk()
    commits = GroupCommit(disk.write, lanes=1)
    tasks = start(commits, "a", "a", "b", "a")
    disk.go(3)
    await asyncio.gather(*tasks)
    assert disk.batches == [["a", "b"], ["a"], ["a"]]


async def test_everyone_hears_what_came_of_it_also_of_a_bug():
    disk = Disk()
    commits = GroupCommit(disk.write, lanes=1)
    disk.outcome = Conflict("no")
    disk.go()
    outcomes = await asyncio.gather(*start(commits, "a", "b"), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [Conflict, Conflict]
    disk.bug = RuntimeError("bug")
    disk.go()
    outcomes = await asyncio.gather(*start(commits, "a", "b"), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [RuntimeError, RuntimeError]
    disk.bug, disk.outcome = None, None
    disk.go()
    assert await asyncio.gather(*start(commits, "a")) == [None]


async def test_one_who_waits_no_more_holds_up_nobody():
    disk = Disk()
    commits = GroupCommit(disk.write, lanes=1)
    gone, stays = start(commits, "a", "b")
    await settle()
    gone.cancel()
    disk.go()
    await stays
    assert gone.cancelled()


@pytest.mark.parametrize("lanes", [1, 2])
async def test_what_is_said_the_moment_a_write_ends_is_not_forgotten(lanes: int):
    """Everyone who is told appends again at once, before anything else runs: each is written all the same."""

    async def at_once(batch: list[Append]) -> list[Outcome]:
        await asyncio.sleep(0)
        return [None for _ in batch]

    commits = GroupCommit(at_once, lanes)

    async def room(name: str) -> None:
        for _ in range(20):
            await commits.append(Append(name, 1, 1, []))

    async with asyncio.timeout(5):
        await asyncio.gather(*map(room, "abc"))
    assert commits.appends == 60


async def test_the_queue_is_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(group, "QUEUE", 3)
    disk = Disk()
    commits = GroupCommit(disk.write, lanes=1)
    first = start(commits, "a")
    await settle()
    others = start(commits, *"bcd")
    await settle()
    with pytest.raises(Unavailable):
        await commits.append(Append("e", 1, 1, []))
    disk.go(2)
    await asyncio.gather(*first, *others)
