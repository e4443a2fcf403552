"""Tasks that nobody waits for: kept, so that they live; heard of, if a bug ends one; and ended together."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from cluster.link_io import RequestRefused

T = TypeVar("T")


class Background:
    """The tasks of one event loop's owner. ``log``: hears of their bugs."""

    def __init__(self, log: Any) -> None:
        self._log = log
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begins it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def cancel(self) -> None:
        """All of it is to end."""
        for task in list(self._tasks):
            task.cancel()

    async def close(self) -> None:
        """Ends all of it, and waits until that is so."""
        self.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or isinstance(bug := task.exception(), RequestRefused):  # which is told to whoever asked
            return
        if bug is not None:
            self._log.error("task_failed", exc_info=bug)
