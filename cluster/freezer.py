"""Spares cost nothing: those that nobody needs are stopped where they stand.

Ray's threads in a process wake thirty times a second, used or not. A frozen process has none of that, and is back
within microseconds. Now and then each breathes, for Ray's sake: it answers what has piled up (keepalives, at 300 s).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from pathlib import Path

from cluster.spawner import Process, Spawner

REST_SECONDS = 2.0  # a spare that was not needed for so long is frozen
BREATH_SECONDS = 240.0  # and goes on for a second as often as this: Ray's connections give up after 420 s


class Freezer:
    """Freezes and thaws. ``path``: a file in which the next agent finds who is frozen."""

    def __init__(self, processes: dict[str, Process], spawner: Spawner, path: str) -> None:
        self._processes, self._spawner = processes, spawner
        self.path = path
        self._breath = time.monotonic() + BREATH_SECONDS

    def rest(self) -> None:
        """Freezes spares that have been idle for a moment, or lets all of them breathe. Each second."""
        spares = [process for process in self._processes.values() if process.spare]
        now = time.monotonic()
        if now >= self._breath:
            self._breath = now + BREATH_SECONDS
            for process in spares:
                self.thaw(process)
                process.idle_since = now - REST_SECONDS + 1.0
        for process in spares:
            if not process.frozen and now - process.idle_since >= REST_SECONDS:
                process.frozen = True
                self.note()
                self._spawner.freeze(process.pid)

    def thaw(self, process: Process) -> None:
        """It goes on, if it was frozen."""
        if process.frozen:
            process.frozen = False
            self._spawner.thaw(process.pid)
            # Later, as somebody may wait for this very process. One that is thawed in vain, by another agent, bears it.
            asyncio.get_running_loop().call_soon(self.note)

    def note(self) -> None:
        """Should this agent die, the next one must find those that cannot come to it by themselves."""
        pids = [str(process.pid) for process in self._processes.values() if process.frozen]
        being_written = Path(self.path + ".new")
        being_written.write_text(" ".join(pids))
        os.replace(being_written, self.path)  # at once: death may come in the middle of this, too

    def thaw_orphans(self) -> None:
        """Those that an agent before us has left."""
        with contextlib.suppress(FileNotFoundError):
            for pid in Path(self.path).read_text().split():
                self._spawner.thaw(int(pid))
