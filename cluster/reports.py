"""The agent's stream to the directory: kept, and dialled anew when it breaks; and the figures that are told there."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable
from typing import Any

from cluster import figures, link_io
from cluster.link import Refusal, Who
from cluster.link_io import BaseHandler, LinkCounts, LinkLost, Peer, RequestRefused
from ops.metrics import Tally


class Reports:
    """What goes to the directory. ``handler``: of what it says, with an event for its end. ``met``: it has answered."""

    def __init__(
        self,
        address: str,
        secret: bytes,
        me: Who,
        handler: Callable[[asyncio.Event], BaseHandler],
        met: Callable[[], None],
        tally: Tally,
        links: LinkCounts,
        log: Any,
    ) -> None:
        self.address = address
        self._secret, self._me = secret, me
        self._handler, self._met = handler, met
        self._tally, self._links, self._log = tally, links, log
        self.peer: Peer | None = None
        self._diary, self._name = figures.Diary(), os.urandom(3).hex()
        self._heard: int | None = None  # up to where the directory knows the diary; None: it is yet to be asked

    # ------------------------------------------------------------ the stream

    async def keep(self) -> None:
        """For ever."""
        delay = 0.1
        while True:
            lost = asyncio.Event()
            try:
                handler = self._handler(lost)
                self.peer = await link_io.dial(self.address, self._secret, self._me, handler, counts=self._links)
                self._heard = None
                self._met()
                delay = 0.1
                await lost.wait()
                self._log.warning("directory_lost")
            except (OSError, LinkLost, TimeoutError) as away:
                delay = min(delay * 1.5, 1.0)  # a new directory waits a little longer than that for agents to come
                self._log.debug("no_directory", why=str(away))
            await asyncio.sleep(delay)

    def report(self, notice: dict[str, Any]) -> None:
        """Tells it, if it is there: whatever it misses now it is told when it is met again."""
        if self.peer is not None:
            self.peer.notify(notice)

    async def ask(self, request: dict[str, Any], seconds: float) -> Any:
        """Its answer. Raises as `Peer.ask`; refused as ``unavailable`` where it is away."""
        if self.peer is None or not self.peer.open:
            raise RequestRefused(Refusal("unavailable", "the directory does not answer", retry=True))
        return await self.peer.ask(request, seconds)

    def close(self) -> None:
        if self.peer is not None:
            self.peer.close()

    # ------------------------------------------------------------ figures

    async def keep_figures(self) -> None:
        """Tells the directory what was counted here, for whoever looks at the page of operators."""
        gatherer = figures.Gatherer(self._tally)
        while True:
            await asyncio.sleep(figures.STEP_SECONDS)
            self._diary.note(gatherer.gather(), time.monotonic())
            with contextlib.suppress(RequestRefused, LinkLost, TimeoutError):
                await self._tell_figures()

    async def _tell_figures(self) -> None:
        """What the directory has not heard: the newest alone, or up to an hour of it after another has begun."""
        directory, diary = self.peer, self._name
        if self._heard is None:
            heard = await self.ask({"type": "heard", "diary": diary}, 5.0)
            if directory is not self.peer:
                return  # that was another stream's
            self._heard = heard
        number = self._heard
        while directory is self.peer and (steps := self._diary.after(number, time.monotonic())):
            self.report({"type": "figures", "diary": diary, "steps": steps})
            self._heard = number = steps[-1][0]
            await asyncio.sleep(figures.PAUSE_SECONDS)
