"""Turns: at most so many at a time, and of those who wait, the urgent ones first.

Whoever asks is given a turn after all who ask in the same moment have asked: when a node dies, its rooms all ask at
once, and those with people in them go first, in whatever order they were lost.
"""

from __future__ import annotations

import asyncio


class Turns:
    """For one event loop. ``limit``: how many may have a turn at a time."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._taken = 0
        self._urgent: dict[str, asyncio.Future[None]] = {}  # those who wait, by name; the longest first
        self._others: dict[str, asyncio.Future[None]] = {}
        self._granting = False

    @property
    def waiting(self) -> int:
        """How many have none yet."""
        return len(self._urgent) + len(self._others)

    async def take(self, name: str, *, urgent: bool) -> None:
        """Waits for a turn. A name waits for one at a time. Cancelled: the turn is somebody else's."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        (self._urgent if urgent else self._others)[name] = turn
        self._grant_soon()
        try:
            await turn
        except BaseException:
            self._urgent.pop(name, None)
            self._others.pop(name, None)
            if turn.done() and not turn.cancelled():
                self.give_back()
            raise

    def hurry(self, name: str) -> None:
        """It has become urgent, if it still waits."""
        if (turn := self._others.pop(name, None)) is not None:
            self._urgent[name] = turn

    def give_back(self) -> None:
        """A turn is over."""
        self._taken -= 1
        self._grant_soon()

    def _grant_soon(self) -> None:
        if not self._granting:
            self._granting = True
            asyncio.get_running_loop().call_soon(self._grant)

    def _grant(self) -> None:
        self._granting = False
        while self._taken < self.limit and (waiting := self._urgent or self._others):
            turn = waiting.pop(next(iter(waiting)))
            if not turn.done():
                self._taken += 1
                turn.set_result(None)
