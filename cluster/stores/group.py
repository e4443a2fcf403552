"""Group commit: what comes while a write is under way is written together, by the next one.

No append waits for others to come. With one room nothing is ever grouped; the more rooms there are, the more share a
commit, and the cost of one falls just when it matters.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from cluster.log import Unavailable

LANES = 2  # writes under way at once: while one waits for the disk, the other fills
BATCH = 64  # appends in one write
QUEUE = 4096  # appends that wait; a room has one, so it is a node's rooms several times over


class Append(msgspec.Struct, frozen=True):
    """What one room wants written."""

    room: str
    epoch: int
    expected_seq: int
    lines: Sequence[str]


Outcome = Exception | None
Write = Callable[[list[Append]], Awaitable[list[Outcome]]]


class GroupCommit:
    """Calls ``write`` with as many appends as are waiting, never two of one room; it answers for each of them."""

    def __init__(self, write: Write, lanes: int = LANES, batch: int = BATCH) -> None:
        self._write = write
        self._lanes = lanes
        self._batch = batch
        self._waiting: list[tuple[Append, asyncio.Future[None]]] = []
        self._busy = 0  # lanes that write, or are about to
        self._tasks: set[asyncio.Task[None]] = set()
        self.writes = 0  # calls of `write`; with `appends`, how many appends share one
        self.appends = 0

    async def append(self, wanted: Append) -> None:
        """Returns when it is durable; raises what came of it otherwise."""
        if len(self._waiting) >= QUEUE:
            raise Unavailable(f"{QUEUE} appends are waiting already")
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((wanted, future))
        if self._busy < self._lanes:
            self._busy += 1
            task = asyncio.get_running_loop().create_task(self._drain())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await future

    async def _drain(self) -> None:
        try:
            while self._waiting:
                await self._write_some()
        finally:
            self._busy -= 1  # in the same breath in which nobody was found waiting

    async def _write_some(self) -> None:
        taken = self._take()
        self.writes += 1
        self.appends += len(taken)
        outcomes: list[Outcome]
        try:
            outcomes = await self._write([wanted for wanted, _ in taken])
        except asyncio.CancelledError:  # the loop ends: nobody may wait for ever
            self._tell(taken, [Unavailable("the store was closed") for _ in taken])
            raise
        except Exception as bug:
            outcomes = [bug for _ in taken]
        self._tell(taken, outcomes)

    def _take(self) -> list[tuple[Append, asyncio.Future[None]]]:
        """The first that wait, each room's first alone: its second must see what came of the first."""
        taken: list[tuple[Append, asyncio.Future[None]]] = []
        left: list[tuple[Append, asyncio.Future[None]]] = []
        rooms: set[str] = set()
        for one in self._waiting:
            if len(taken) < self._batch and one[0].room not in rooms:
                rooms.add(one[0].room)
                taken.append(one)
            else:
                left.append(one)
        self._waiting = left
        return taken

    @staticmethod
    def _tell(taken: list[tuple[Append, asyncio.Future[None]]], outcomes: list[Outcome]) -> None:
        for (_, future), outcome in zip(taken, outcomes, strict=True):
            if future.done():
                continue  # whoever waited has gone
            if outcome is None:
                future.set_result(None)
            else:
                future.set_exception(outcome)
