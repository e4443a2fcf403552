"""Work that goes on for as long as its process does: what goes wrong in it once must not be its end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from cluster.faults import place_of

AGAIN_SECONDS = 5.0  # what fails each time must not fill the log


async def forever(work: Callable[[], Awaitable[None]], log: Any) -> None:
    """Does it, to its end if it has one. What it raises is a bug, and is logged; after a moment it begins anew."""
    while True:
        try:
            await work()
        except Exception as bug:
            log.error("task_failed", bug=place_of(bug))
        else:
            return
        await asyncio.sleep(AGAIN_SECONDS)
