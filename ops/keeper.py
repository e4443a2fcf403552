"""Keeping the parts of a hanpan alive: each may end at any time, and is started again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

# Of each node: the second is for when the first dies, as every room would wait for its successor to start.
CLERKS = 2
RESTART_SECONDS = 0.25  # between the end of a part and its next start
RESTART_LIMIT = 10.0  # and at most, where it keeps ending at once
LIVED_SECONDS = 10.0  # a part that has lived so long did not end at once

log = structlog.get_logger()


async def keep(part: str, once: Callable[[], Awaitable[str]]) -> None:
    """Runs a part again and again; ever more slowly while it keeps ending at once."""
    delay = RESTART_SECONDS
    while True:
        began = time.monotonic()
        why = await once()
        delay = RESTART_SECONDS if time.monotonic() - began > LIVED_SECONDS else min(delay * 2, RESTART_LIMIT)
        log.error("part_ended", part=part, why=why, again_in=delay)
        await asyncio.sleep(delay)


def actor_once(
    start: Callable[[], tuple[Any, Any]], end: Callable[[Any], None] | None = None
) -> Callable[[], Awaitable[str]]:
    """Starts an actor and waits, off the loop for what blocks, until its one call has ended; what that returned.

    A caller that is cancelled leaves the actor to the end of the process, or has it ``end`` at once.
    """

    async def once() -> str:
        actor, served = await asyncio.to_thread(start)
        try:
            return str(await served or "ended")
        except asyncio.CancelledError:
            if end is not None:
                await asyncio.to_thread(end, actor)
            raise
        except Exception as death:  # Ray's many ways to say that it is gone
            return f"{type(death).__name__}: {death}"
        finally:
            del actor

    return once
