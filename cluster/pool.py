"""The room processes of a node: started ahead of need, taken when a room comes, ended when they are too many."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable
from typing import Any

from cluster import vitals
from cluster.agent_config import AgentConfig
from cluster.background import Background
from cluster.freezer import Freezer
from cluster.link_io import LinkLost, RequestRefused
from cluster.spawner import Process, Spawner
from ops.metrics import Tally

PROCESS_BYTES = 48 * 2**20  # what a process that is being started will take
START_GUESS = 1.0  # seconds that a start takes, before any was seen
START_SECONDS = 60.0  # a process that lives and has not come after so long is given up
REFILL_SECONDS = 0.3  # between a spare's use and the start of the next
PRESSED_SECONDS = 5.0  # after somebody had to wait for a spare, more will come


class Pool:
    """Keeps as many spares as are wanted. ``changed``: is told when that, or how many there are, has changed."""

    def __init__(
        self,
        config: AgentConfig,
        processes: dict[str, Process],
        freezer: Freezer,
        spawner: Spawner,
        changed: Callable[[], None],
        tally: Tally,
        log: Any,
        background: Background,
    ) -> None:
        self._config = config
        self.processes = processes  # by name: spares, and those that have rooms
        self.starting: dict[str, asyncio.Future[None]] = {}
        self._freezer, self._spawner = freezer, spawner
        self._changed = changed
        self._tally, self._log, self._background = tally, log, background
        self.open = True  # are processes started?
        self.draining = False  # the node is to become empty: no room comes here any more, and no spare is kept
        self.start_seconds = START_GUESS  # what a start takes, of late
        self.told = 0  # spares that the directory wants
        self._waiters: list[asyncio.Future[Process]] = []
        self._pressed_until = 0.0  # monotonic; until then starting comes before a quiet life for rooms that play
        self._birth = os.urandom(3).hex()
        self._names = 0
        self._dead: list[str] = []  # processes whose spawner is yet to hear of it

    # ------------------------------------------------------------ how many

    def spares(self) -> list[Process]:
        """Those that are ready for a room."""
        return [process for process in self.processes.values() if process.spare]

    @property
    def wanted(self) -> int:
        """How many spares there should be."""
        if self.draining:
            return 0
        return max(self._config.spares, min(self.told, self._config.spares_most))

    def want(self, count: int) -> None:
        """The directory has looked at demand, and at what there is elsewhere."""
        self.told = count
        self._tally.gauge("hanpan_spares_wanted", value=self.wanted)
        if self.draining:
            self._trim()
        self.refill()
        self._changed()

    def _may_start(self) -> bool:
        """Is there room for one more process, by number and by memory?"""
        config = self._config
        if len(self.processes) + len(self.starting) >= config.limit:
            return False
        memory = vitals.memory()
        left = memory["available"] - (len(self.starting) + 1) * PROCESS_BYTES
        return left >= config.keep_memory * memory["total"]

    @property
    def full(self) -> bool:
        """No room can be taken: there is no spare, none is coming, and none may be started."""
        return not self.spares() and not self.starting and not self._may_start()

    # ------------------------------------------------------------ starts

    def refill(self) -> None:
        """Starts processes until the spares that are ready or coming are as many as wanted."""
        if not self.open:
            return
        while self._dead:
            self._forget(self._dead.pop())
        wanted = self.wanted + (0 if self.draining else len(self._waiters))
        pressed = bool(self._waiters) or time.monotonic() < self._pressed_until
        at_once = self._config.starts_at_once if pressed else max(1, self._config.starts_at_once // 2)
        while len(self.spares()) + len(self.starting) < wanted and len(self.starting) < at_once and self._may_start():
            self._names += 1
            name = f"{self._config.node}-{self._birth}-{self._names}"
            self.starting[name] = asyncio.get_running_loop().create_future()
            self._background.spawn(self._start(name, self.starting[name]))
        self.gauges()

    def refill_soon(self) -> None:
        """Not at once: a start takes half a second of a core, and whoever waits for a hand-over needs that now."""
        asyncio.get_running_loop().call_later(REFILL_SECONDS, self.refill)
        self.gauges()

    async def _start(self, name: str, came: asyncio.Future[None]) -> None:
        began, loop = time.monotonic(), asyncio.get_running_loop()

        def ended() -> None:
            with contextlib.suppress(RuntimeError):  # our loop has ended before it
                loop.call_soon_threadsafe(_will_not_come, came)

        try:
            await asyncio.to_thread(self._spawner.spawn, name, ended)
            async with asyncio.timeout(START_SECONDS):
                await came
            took = time.monotonic() - began
            self.start_seconds += (took - self.start_seconds) / 8
            self._tally.count("hanpan_process_starts_total", "ok")
            self._tally.observe("hanpan_process_start_seconds", took)
        except Exception as failure:  # whatever Ray may raise: without a process there is nothing to do but try again
            self.starting.pop(name, None)
            self._tally.count("hanpan_process_starts_total", "failed")
            self._log.error("start_failed", process=name, why=f"{type(failure).__name__}: {failure}")
            self._forget(name)
            await asyncio.sleep(1.0)
        self.refill()

    def _forget(self, name: str) -> None:
        """In its own time: what asks Ray may take as long as Ray is away, or raise; no start is to wait for that."""
        self._background.spawn(asyncio.to_thread(self._spawner.forget, name))

    # ------------------------------------------------------------ taken, and given back

    async def take(self, seconds: float) -> Process:
        """A spare, now taken; waits for one to start, if it must."""
        if spare := next(iter(self.spares()), None):
            return spare
        future: asyncio.Future[Process] = asyncio.get_running_loop().create_future()
        self._waiters.append(future)
        self._pressed_until = time.monotonic() + PRESSED_SECONDS
        self._tally.count("hanpan_spare_waits_total")
        self.refill()
        try:
            async with asyncio.timeout(seconds):
                return await future
        except BaseException:
            if future.done() and not future.cancelled():  # it came just too late: let the next one have it
                process = future.result()
                process.room = None
                self.offer(process)
            raise
        finally:
            if future in self._waiters:
                self._waiters.remove(future)

    def offer(self, process: Process) -> None:
        """It has become a spare: whoever waits has it, the longest first."""
        while self._waiters:
            waiter = self._waiters.pop(0)
            if not waiter.done():
                process.room = ""  # taken: the waiter fills in what for, before anyone else looks
                waiter.set_result(process)
                return
        if self.draining:
            self._trim()
        self._changed()

    # ------------------------------------------------------------ ends

    def _surplus(self) -> list[Process]:
        """Spares that are too many, the longest running first: they have served most."""
        spares = sorted(self.spares(), key=lambda process: process.started)
        return spares[: max(0, len(spares) - self.wanted)]

    def _trim(self) -> None:
        """Ends spares that are too many, all at once."""
        for process in self._surplus():
            self._dismiss(process)

    def _dismiss(self, spare: Process) -> None:
        spare.ending = True
        self._freezer.thaw(spare)
        self._background.spawn(self.end(spare))

    async def trim_in_time(self) -> None:
        """Ends them one by one, those that have not been needed for a while."""
        while True:
            await asyncio.sleep(self._config.trim_seconds)
            unneeded = time.monotonic() - self._config.surplus_seconds
            if old := next((process for process in self._surplus() if process.free_since <= unneeded), None):
                self._dismiss(old)

    async def end(self, process: Process) -> None:
        """In peace, where it still answers."""
        if process.peer is not None:
            try:
                await process.peer.ask({"type": "stop"}, 5.0)
            except (LinkLost, TimeoutError, RequestRefused) as deaf:
                self._log.warning("would_not_stop", process=process.name, why=str(deaf))
                self.kill(process)

    def kill(self, process: Process) -> None:
        """At once."""
        if process.pid:
            self._spawner.kill(process.name, process.pid)

    # ------------------------------------------------------------ what comes and goes by itself

    def came(self, name: str) -> Process:
        """Of this name: one that we have started, or one that an agent before us has."""
        came = self.starting.pop(name, None)
        if came is not None and not came.done():
            came.set_result(None)
        return self.processes.setdefault(name, Process(name))

    def gone(self, process: Process) -> None:
        """It has ended, or is as good as ended."""
        self.processes.pop(process.name, None)
        process.ended.set()

    def replace(self, process: Process) -> None:
        """One that is gone: nothing of it is to remain, and others are started as long as that leaves too few."""
        self.kill(process)  # a stream can break while its process lives on; two owners are no danger, but a waste
        self._dead.append(process.name)
        self.refill_soon()

    def gauges(self) -> None:
        """What there is just now, for the page of metrics."""
        owned = sum(1 for process in self.processes.values() if process.room)
        self._tally.gauge("hanpan_room_processes", value=owned)
        self._tally.gauge("hanpan_spares", value=len(self.spares()))
        self._tally.gauge("hanpan_processes_starting", value=len(self.starting))


def _will_not_come(came: asyncio.Future[None]) -> None:
    if not came.done():
        came.set_exception(ChildProcessError("it ended before it came"))
