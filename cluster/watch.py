"""Watches a node, and the processes on it: those that hang, or outgrow what they may have, are killed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

from cluster import link_io, vitals
from cluster.agent_config import AgentConfig
from cluster.background import Background
from cluster.link_io import LinkLost
from cluster.pool import Pool
from cluster.spawner import Process, Spawner
from ops.metrics import Tally

WATCH_SECONDS = 5.0  # every process is asked so often whether it still answers
HANG_SECONDS = 15.0  # one that has not answered for so long is killed
MEMORY_SECONDS = 2.0  # so often it is looked whether one has outgrown its memory
VITALS_SECONDS = 15.0
TIDY_SECONDS = 60.0


class Watch:
    """Each of its rounds goes on for ever. ``changed``: is told when there are new figures of the node."""

    def __init__(
        self,
        config: AgentConfig,
        pool: Pool,
        spawner: Spawner,
        changed: Callable[[], None],
        tally: Tally,
        log: Any,
        background: Background,
    ) -> None:
        self._config = config
        self._pool, self._spawner = pool, spawner
        self._changed = changed
        self._tally, self._log, self._background = tally, log, background

    # ------------------------------------------------------------ its processes

    async def look_for_deaf(self) -> None:
        """Kills processes that hang: alive for the kernel, but deaf."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            for process in list(self._pool.processes.values()):
                if process.peer is not None and process.silent_since is None and process.room:
                    process.silent_since = time.monotonic()
                    self._background.spawn(self._ping(process))

    async def _ping(self, process: Process) -> None:
        assert process.peer is not None
        try:
            await link_io.hear(process.peer, HANG_SECONDS)
        except TimeoutError:
            stopped = vitals.is_stopped(process.pid)
            self._log.error("hung", process=process.name, room=process.room, epoch=process.epoch, stopped=stopped)
            process.doom = "stopped" if stopped else "hung"
            self._pool.kill(process)
        except LinkLost:
            return
        finally:
            process.silent_since = None

    async def look_for_large(self) -> None:
        """Kills processes that outgrow what a room may have, before others on the node must do without."""
        limit = self._config.room_memory
        while limit:
            await asyncio.sleep(MEMORY_SECONDS)
            for process in self._pool.processes.values():
                if process.room and not process.doom and (size := vitals.own_memory(process.pid)) > limit:
                    room, epoch = process.room, process.epoch
                    self._log.error("outgrown", process=process.name, room=room, epoch=epoch, bytes=size)
                    process.doom = "memory"
                    self._pool.kill(process)

    # ------------------------------------------------------------ the node

    async def keep_vitals(self) -> None:
        """Says how the node is, as often as anyone looks."""
        before: Mapping[str, float] = {}
        while True:
            pids = [process.pid for process in self._pool.processes.values() if process.room and process.pid]
            now = await asyncio.to_thread(vitals.read, self._config.folders, pids)
            for kind, seconds in now.cpu.items() if before else ():
                self._tally.count("hanpan_node_cpu_seconds_total", kind, by=max(0.0, seconds - before[kind]))
            before = now.cpu
            for kind, size in now.memory.items():
                self._tally.gauge("hanpan_node_memory_bytes", kind, value=size)
            for folder, disk in now.disks.items():
                for kind, size in disk.items():
                    self._tally.gauge("hanpan_node_disk_bytes", folder, kind, value=size)
            self._tally.gauge("hanpan_tasks", value=len(asyncio.all_tasks()))
            if now.process_memory is not None:
                self._tally.gauge("hanpan_process_memory_bytes", value=now.process_memory)
            self._pool.refill()  # where memory was short, there may be some again
            self._changed()
            await asyncio.sleep(VITALS_SECONDS)

    async def keep_tidy(self) -> None:
        """Room processes come and go by the thousand, and Ray keeps what each has written."""
        while True:
            removed, files, size = await asyncio.to_thread(self._spawner.tidy)
            self._tally.count("hanpan_ray_log_files_removed_total", by=removed)
            self._tally.gauge("hanpan_ray_log_files", value=files)
            self._tally.gauge("hanpan_ray_log_bytes", value=size)
            await asyncio.sleep(TIDY_SECONDS)
