"""How room processes are started and ended, whatever does it; and what their agent knows of each."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Protocol

from cluster.link_io import Peer


class Spawner(Protocol):
    """Starts and ends room processes. Called off the event loop; may block."""

    def spawn(self, name: str, ended: Callable[[], None]) -> None:
        """Starts a process that will come to the agent's socket under this name. Raises on failure.

        ``ended`` is called, on any thread, when the process has ended, or will never be.
        """
        ...

    def kill(self, name: str, pid: int) -> None:
        """Ends the process at once, if it still lives. Must not block."""
        ...

    def freeze(self, pid: int) -> None:
        """Stops a spare where it stands: it costs nothing until it is thawed. Must not block."""
        ...

    def thaw(self, pid: int) -> None:
        """Lets it go on. Nothing happens to a process that was not frozen."""
        ...

    def forget(self, name: str) -> None:
        """Its process has ended, or was killed: let go of what the spawner keeps of it."""
        ...

    def tidy(self) -> tuple[int, int, int]:
        """Removes what ended processes have left behind: how many files; how many remain, and their bytes."""
        ...


class Process:
    """One room process, as its agent knows it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.started = time.monotonic()
        self.peer: Peer | None = None
        self.pid = 0
        self.address = ""
        self.room: str | None = None  # owned, or being handed over
        self.epoch = 0
        self.seq = 0
        self.version = 0  # the state version of its game, as its room said last
        self.reading = False
        self.summary: dict[str, Any] | None = None
        self.silent_since: float | None = None  # an unanswered question whether it still lives
        self.idle_since = 0.0
        self.free_since = 0.0
        self.frozen = False
        self.ending = False
        self.ended = asyncio.Event()
        self.doom = ""  # why it was killed by us

    @property
    def spare(self) -> bool:
        return self.peer is not None and self.room is None and not self.ending

    def row(self) -> dict[str, Any]:
        """For the directory and for operators."""
        return {
            "room": self.room,
            "epoch": self.epoch,
            "seq": self.seq,
            "version": self.version,
            "pid": self.pid,
            "address": self.address,
            "process": self.name,
            "reading": self.reading,
            "summary": self.summary,
        }
