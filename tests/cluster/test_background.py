"""Tasks that nobody waits for: a bug in one is heard of, a refusal is not, and all end together."""

from __future__ import annotations

import asyncio
from typing import Any

from structlog.testing import CapturingLogger

from cluster.background import Background
from cluster.link import Refusal
from cluster.link_io import RequestRefused


async def raising(what: Exception) -> None:
    raise what


async def ended(*tasks: asyncio.Task[Any]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0)  # whatever is called when a task is done


async def test_a_bug_is_logged_and_a_refusal_is_told_to_whoever_asked():
    log = CapturingLogger()
    background = Background(log)
    bug = KeyError("x")
    await ended(background.spawn(raising(RequestRefused(Refusal("full", "no place")))))
    assert log.calls == []
    await ended(background.spawn(raising(bug)))
    [call] = log.calls
    assert (call.method_name, call.args, call.kwargs) == ("error", ("task_failed",), {"exc_info": bug})


async def test_what_goes_on_is_ended_and_waited_for_and_says_nothing():
    log, last_words = CapturingLogger(), []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            last_words.append("done")

    background = Background(log)
    tasks = [background.spawn(work()) for _ in range(3)]
    await asyncio.sleep(0)
    await background.close()
    assert all(task.cancelled() for task in tasks)
    assert last_words == ["done"] * 3
    assert log.calls == []
