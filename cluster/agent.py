"""The node agent: keeps spares, hands rooms to them, watches the room processes of its node, and counts for them.

It knows nothing of Ray: a `Spawner` starts processes and ends them. Room processes find it at a Unix socket whose
path outlives it, so a restarted agent meets them again, and they go on playing meanwhile. It reports to the directory,
which decides; after a directory's restart it says anew what runs here.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import msgspec
import structlog

from cluster import figures, link, link_io, vitals
from cluster.forever import forever
from cluster.link import Refusal, Who
from cluster.link_io import BaseHandler, LinkCounts, LinkLost, Peer, RequestRefused
from ops.metrics import Tally

PROCESS_BYTES = 48 * 2**20  # what a process that is being started will take
PLACE_SECONDS = 30.0  # a hand-over must be answered within; long, as a busy node starts processes slowly
WATCH_SECONDS = 5.0  # every process is asked so often whether it still answers
HANG_SECONDS = 15.0  # one that has not answered for so long is killed
MEMORY_SECONDS = 2.0  # so often it is looked whether one has outgrown its memory
START_GUESS = 1.0  # seconds that a start takes, before any was seen
REST_SECONDS = 2.0  # a spare that was not needed for so long is frozen
BREATH_SECONDS = 240.0  # and goes on for a second as often as this: Ray's connections give up after 420 s
REFILL_SECONDS = 0.3  # between a spare's use and the start of the next
PRESSED_SECONDS = 5.0  # after somebody had to wait for a spare, more will come
SETTLE_SECONDS = 3.0  # room processes look for their agent ten times a second
VITALS_SECONDS = 15.0
TIDY_SECONDS = 60.0
END_SECONDS = 5.0  # and one that is to end has so long
START_SECONDS = 60.0  # a process that lives and has not come after so long is given up


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


class AgentConfig(msgspec.Struct, frozen=True, kw_only=True):
    node: str
    secret: bytes
    directory: str  # host:port
    socket: str  # unix:/path
    spares: int  # kept ready at least
    spares_most: int = 32  # and at most, however many the directory asks for
    starts_at_once: int = 2  # processes started in parallel where people have had to wait for one; else half as many
    limit: int = 1000  # room processes on this node, spares included
    keep_memory: float = 0.1  # of the node's memory: with less than that left, no process is started
    room_memory: int = 0  # bytes that a room's process may have for itself; it is killed where it has more. 0: any
    surplus_seconds: float = 60.0  # spares beyond those wanted are kept so long; many ends are followed by beginnings
    trim_seconds: float = 2.0  # and then end one by one, as each end costs some CPU, and rooms are playing
    folders: dict[str, str] = {}  # whose disks are watched, by name: data, logs, ray


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


class NodeAgent:
    """Runs until `stop`."""

    def __init__(self, config: AgentConfig, spawner: Spawner) -> None:
        self.config = config
        self.tally = Tally("node", config.node)
        self.links = LinkCounts(self.tally, "directory", "room")
        self.metrics_address = ""
        self.log = structlog.get_logger().bind(node=config.node)
        self._spawner = spawner
        self._processes: dict[str, Process] = {}
        self._starting: dict[str, asyncio.Future[None]] = {}
        self._spare_waiters: list[asyncio.Future[Process]] = []
        self._pressed_until = 0.0  # monotonic; until then starting comes before a quiet life for rooms that play
        self._peers: set[Peer] = set()  # room processes, and the clerk
        self._directory: Peer | None = None
        self._stop = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._names = 0
        self._version = version("hanpan")
        self._told = 0  # spares that the directory wants
        self._diary = figures.Diary()
        self._heard: int | None = None  # up to where the directory knows it; None: it is yet to be asked
        self._start_seconds = START_GUESS
        self.games: dict[str, int] = {}  # what our processes can play, and up to which state version
        self._settled = True
        self.retiring = False  # and the agent with it
        self.draining = False  # the node is to become empty: no room comes here any more, and no spare is kept
        self._dead: list[str] = []  # processes whose spawner is yet to hear of it
        self._birth = os.urandom(3).hex()
        self._frozen_list = config.socket.removeprefix("unix:") + ".frozen"

    async def serve(self) -> None:
        config = self.config
        me = Who(kind="agent", name=config.node)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(config.socket.removeprefix("unix:"))  # left by an agent that was killed:
            self._settled = False  # its processes will come to us now
        server, _ = await link_io.listen(config.socket, config.secret, me, lambda: _RoomHandler(self), self.links)
        self.tally.gauge("hanpan_info", self._version, value=1)
        self.tally.gauge("hanpan_process_limit", value=config.limit)
        self.tally.gauge("hanpan_spares_wanted", value=self.wanted)
        for work in (
            lambda: self._keep_directory(me),
            self._keep_vitals,
            self._keep_tidy,
            self._keep_figures,
            self._watch,
            self._watch_memory,
            self._rest_spares,
            self._trim_in_time,
        ):
            self._spawn_task(forever(work, self.log))
        self._spawn_task(link_io.cut_off_the_silent(lambda: [self._directory] if self._directory is not None else []))
        self._thaw_orphans()
        self._spawn_task(self._settle())
        try:
            await self._stop.wait()
        finally:
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for process in list(self._processes.values()):
                self._thaw(process)
            for peer in list(self._peers):
                peer.close("the agent ends")
            server.close()
            if self._directory is not None:
                self._directory.close()

    def stop(self) -> None:
        self._stop.set()

    async def _settle(self) -> None:
        """An agent that follows another first waits for those who live; only then does it say who is missing."""
        if not self._settled:
            await asyncio.sleep(SETTLE_SECONDS)
            self._settled = True
            self._introduce()
        self.refill()

    def _spawn_task(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)

    def _task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (bug := task.exception()) is not None:
            self.log.error("task_failed", exc_info=bug)

    # ------------------------------------------------------------ spares

    def spares(self) -> list[Process]:
        return [process for process in self._processes.values() if process.spare]

    @property
    def wanted(self) -> int:
        """How many spares there should be."""
        if self.draining:
            return 0
        return max(self.config.spares, min(self._told, self.config.spares_most))

    def want(self, count: int) -> None:
        """The directory has looked at demand, and at what there is elsewhere."""
        self._told = count
        self.tally.gauge("hanpan_spares_wanted", value=self.wanted)
        if self.draining:
            self._trim()
        self.refill()
        self._status()

    def _may_start(self) -> bool:
        """Is there room for one more process, by number and by memory?"""
        config = self.config
        if len(self._processes) + len(self._starting) >= config.limit:
            return False
        memory = vitals.memory()
        left = memory["available"] - (len(self._starting) + 1) * PROCESS_BYTES
        return left >= config.keep_memory * memory["total"]

    @property
    def full(self) -> bool:
        """No room can be taken: there is no spare, none is coming, and none may be started."""
        return not self.spares() and not self._starting and not self._may_start()

    def refill(self) -> None:
        """Starts processes until the spares that are ready or coming are as many as wanted."""
        if self._stop.is_set() or not self._settled:
            return
        while self._dead:
            self._forget(self._dead.pop())
        wanted = self.wanted + (0 if self.draining else len(self._spare_waiters))
        pressed = bool(self._spare_waiters) or time.monotonic() < self._pressed_until
        at_once = self.config.starts_at_once if pressed else max(1, self.config.starts_at_once // 2)
        while len(self.spares()) + len(self._starting) < wanted and len(self._starting) < at_once and self._may_start():
            self._names += 1
            name = f"{self.config.node}-{self._birth}-{self._names}"
            self._starting[name] = asyncio.get_running_loop().create_future()
            self._spawn_task(self._start(name, self._starting[name]))
        self._gauges()

    def _refill_soon(self) -> None:
        """Not at once: a start takes half a second of a core, and whoever waits for a hand-over needs that now."""
        asyncio.get_running_loop().call_later(REFILL_SECONDS, self.refill)
        self._gauges()

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
            self._start_seconds += (took - self._start_seconds) / 8
            self.tally.count("hanpan_process_starts_total", "ok")
            self.tally.observe("hanpan_process_start_seconds", took)
        except Exception as failure:  # whatever Ray may raise: without a process there is nothing to do but try again
            self._starting.pop(name, None)
            self.tally.count("hanpan_process_starts_total", "failed")
            self.log.error("start_failed", process=name, why=f"{type(failure).__name__}: {failure}")
            self._forget(name)
            await asyncio.sleep(1.0)
        self.refill()

    def _forget(self, name: str) -> None:
        """In its own time: what asks Ray may take as long as Ray is away, or raise; no start is to wait for that."""
        self._spawn_task(asyncio.to_thread(self._spawner.forget, name))

    async def _a_spare(self, seconds: float) -> Process:
        """A spare, now taken; waits for one to start, if it must."""
        if spare := next(iter(self.spares()), None):
            return spare
        future: asyncio.Future[Process] = asyncio.get_running_loop().create_future()
        self._spare_waiters.append(future)
        self._pressed_until = time.monotonic() + PRESSED_SECONDS
        self.tally.count("hanpan_spare_waits_total")
        self.refill()
        try:
            async with asyncio.timeout(seconds):
                return await future
        except BaseException:
            if future.done() and not future.cancelled():  # it came just too late: let the next one have it
                process = future.result()
                process.room = None
                self._offer_spare(process)
            raise
        finally:
            if future in self._spare_waiters:
                self._spare_waiters.remove(future)

    def _offer_spare(self, process: Process) -> None:
        while self._spare_waiters:
            waiter = self._spare_waiters.pop(0)
            if not waiter.done():
                process.room = ""  # taken: the waiter fills in what for, before anyone else looks
                waiter.set_result(process)
                return
        if self.draining:
            self._trim()
        self._status()

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
        self._thaw(spare)
        self._spawn_task(self._end(spare))

    async def _trim_in_time(self) -> None:
        """Ends them one by one, those that have not been needed for a while."""
        while True:
            await asyncio.sleep(self.config.trim_seconds)
            unneeded = time.monotonic() - self.config.surplus_seconds
            if old := next((process for process in self._surplus() if process.free_since <= unneeded), None):
                self._dismiss(old)

    async def _end(self, process: Process) -> None:
        if process.peer is not None:
            try:
                await process.peer.ask({"type": "stop"}, 5.0)
            except (LinkLost, TimeoutError, RequestRefused) as deaf:
                self.log.warning("would_not_stop", process=process.name, why=str(deaf))
                self._kill(process)

    def _kill(self, process: Process) -> None:
        if process.pid:
            self._spawner.kill(process.name, process.pid)

    # ------------------------------------------------------------ rooms

    async def place(self, order: dict[str, Any]) -> dict[str, Any]:
        """Hands a room to a spare. Refuses as the process does, or with ``no_spare``."""
        if self.draining:
            raise RequestRefused(Refusal("unavailable", "the node is draining", retry=True))
        if self.full:
            raise RequestRefused(Refusal("full", "the node has no place for another process", retry=True))
        try:
            process = await self._a_spare(PLACE_SECONDS)
        except TimeoutError as none:
            raise RequestRefused(Refusal("no_spare", "no room process is free", retry=True)) from none
        self._thaw(process)
        process.room, process.epoch = order["room"], order["epoch"]
        process.reading = bool(order.get("reading"))
        process.summary = None
        assert process.peer is not None
        asyncio.get_running_loop().call_soon(self._status)  # after the question: people wait for its answer
        try:
            answer = await process.peer.ask({"type": "own", "order": order}, PLACE_SECONDS)
        except RequestRefused:
            process.room = None
            self._offer_spare(process)
            raise
        except TimeoutError as hung:
            self.log.error("hung_in_hand_over", process=process.name, room=order["room"])
            self._kill(process)
            raise RequestRefused(Refusal("hung", "the room process did not answer", retry=True)) from hung
        except LinkLost as died:
            raise RequestRefused(Refusal("died", "the room process died", retry=True)) from died
        process.seq, process.version = answer["seq"], answer.get("version", 0)
        self._refill_soon()
        return {**answer, "pid": process.pid, "process": process.name}

    def drain(self, on: bool, retire: bool = False) -> None:
        """No room comes here any more, or rooms may come again. The directory takes those away that are here.

        An agent that is to ``retire`` ends when its node is empty: then Ray sees that nothing is done there.
        """
        self.retiring = on and retire
        if on != self.draining:
            self.draining = on
            self.log.info("draining" if on else "not_draining", rooms=len(self.rooms()))
            self.want(self._told)

    async def evict(self, room: str, epoch: int | None) -> None:
        """Ends the process that owns the room, in peace where that can be. It is no death: who asks will place it."""
        process, _ = self._owner(room, epoch)
        process.ending = True
        await self._end(process)
        try:
            async with asyncio.timeout(END_SECONDS):
                await process.ended.wait()
        except TimeoutError:
            self.log.warning("would_not_end", process=process.name, room=room)
            self._kill(process)

    def stale(self, room: str, epoch: int) -> None:
        """Another process owns the room at a later epoch: what was given up while it stood still has to go."""
        for process in self._processes.values():
            if process.room == room and process.epoch == epoch:
                process.doom = "fenced"
                self._kill(process)

    def kill(self, room: str, epoch: int | None) -> None:
        """Ends the process that owns the room as a fault would, to see that nothing comes of it."""
        process, _ = self._owner(room, epoch)
        self._kill(process)

    async def close(self, room: str, epoch: int | None, reason: str) -> None:
        """Has the process that owns the room close it."""
        _, peer = self._owner(room, epoch)
        await peer.ask({"type": "close", "reason": reason}, 5.0)

    def _owner(self, room: str, epoch: int | None) -> tuple[Process, Peer]:
        """Who owns it at this epoch: one that was given up may live on beside it. None: an older directory asks."""
        for process in self._processes.values():
            if process.room == room and epoch in (None, process.epoch) and process.peer is not None:
                return process, process.peer
        raise RequestRefused(Refusal("not_here", "the room is not on this node", retry=True))

    def rooms(self) -> list[dict[str, Any]]:
        return [process.row() for process in self._processes.values() if process.room]

    def came(self, peer: Peer, notice: dict[str, Any]) -> None:
        """A process says who it is: after its start, after a release, or to a new agent."""
        assert peer.who is not None
        name = peer.who.name
        came = self._starting.pop(name, None)
        if came is not None and not came.done():
            came.set_result(None)
        process = self._processes.setdefault(name, Process(name))
        process.peer, process.pid, process.address = peer, notice["pid"], notice["address"]
        self.games = notice["games"]
        process.room, process.epoch = notice.get("room"), notice.get("epoch", 0)
        process.seq, process.reading = notice.get("seq", 0), notice.get("reading", False)
        process.version = notice.get("version", 0)
        peer.data = process
        if process.room is None:
            process.idle_since = process.free_since = time.monotonic()
            self._offer_spare(process)
        else:
            self._report({"type": "running", **process.row()})
            self._status()
        self._gauges()

    def gone(self, process: Process, why: str) -> None:
        """A process's stream ended: it is dead, or as good as. Where it is we who end, it will find the next agent."""
        self._processes.pop(process.name, None)
        process.ended.set()
        if self._stop.is_set():
            return
        self.tally.forget(process.name)
        if not process.ending:
            self.tally.count("hanpan_process_deaths_total", (process.doom or "died") if process.room else "spare")
        if process.room and not process.ending:
            self.log.warning("process_died", process=process.name, room=process.room, epoch=process.epoch, why=why)
            seq = None if process.doom == "stopped" else process.seq  # which is nothing that the room has done
            death = {"room": process.room, "epoch": process.epoch, "seq": seq, "why": why}
            self._report({"type": "died", **death, "reason": process.doom or "died"})
        self._kill(process)  # a stream can break while its process lives on; two owners are no danger, but a waste
        self._dead.append(process.name)
        self._refill_soon()
        self._status()

    def _gauges(self) -> None:
        owned = sum(1 for process in self._processes.values() if process.room)
        self.tally.gauge("hanpan_room_processes", value=owned)
        self.tally.gauge("hanpan_spares", value=len(self.spares()))
        self.tally.gauge("hanpan_processes_starting", value=len(self._starting))

    # ------------------------------------------------------------ between times

    async def _keep_vitals(self) -> None:
        """Says how the node is, as often as anyone looks."""
        before: Mapping[str, float] = {}
        while True:
            pids = [process.pid for process in self._processes.values() if process.room and process.pid]
            now = await asyncio.to_thread(vitals.read, self.config.folders, pids)
            for kind, seconds in now.cpu.items() if before else ():
                self.tally.count("hanpan_node_cpu_seconds_total", kind, by=max(0.0, seconds - before[kind]))
            before = now.cpu
            for kind, size in now.memory.items():
                self.tally.gauge("hanpan_node_memory_bytes", kind, value=size)
            for folder, disk in now.disks.items():
                for kind, size in disk.items():
                    self.tally.gauge("hanpan_node_disk_bytes", folder, kind, value=size)
            self.tally.gauge("hanpan_tasks", value=len(asyncio.all_tasks()))
            if now.process_memory is not None:
                self.tally.gauge("hanpan_process_memory_bytes", value=now.process_memory)
            self.refill()  # where memory was short, there may be some again
            self._status()
            await asyncio.sleep(VITALS_SECONDS)

    async def _keep_tidy(self) -> None:
        """Room processes come and go by the thousand, and Ray keeps what each has written."""
        while True:
            removed, files, size = await asyncio.to_thread(self._spawner.tidy)
            self.tally.count("hanpan_ray_log_files_removed_total", by=removed)
            self.tally.gauge("hanpan_ray_log_files", value=files)
            self.tally.gauge("hanpan_ray_log_bytes", value=size)
            await asyncio.sleep(TIDY_SECONDS)

    async def _keep_figures(self) -> None:
        """Tells the directory what was counted here, for whoever looks at the page of operators."""
        gatherer = figures.Gatherer(self.tally)
        while True:
            await asyncio.sleep(figures.STEP_SECONDS)
            self._diary.note(gatherer.gather(), time.monotonic())
            with contextlib.suppress(RequestRefused, LinkLost, TimeoutError):
                await self._tell_figures()

    async def _tell_figures(self) -> None:
        """What the directory has not heard: the newest alone, or up to an hour of it after another has begun."""
        directory, diary = self._directory, self._birth
        if self._heard is None:
            heard = await self.ask_directory({"type": "heard", "diary": diary}, 5.0)
            if directory is not self._directory:
                return  # that was another stream's
            self._heard = heard
        number = self._heard
        while directory is self._directory and (steps := self._diary.after(number, time.monotonic())):
            self._report({"type": "figures", "diary": diary, "steps": steps})
            self._heard = number = steps[-1][0]
            await asyncio.sleep(figures.PAUSE_SECONDS)

    # ------------------------------------------------------------ spares cost nothing

    async def _rest_spares(self) -> None:
        """Freezes spares that have been idle for a moment; lets each breathe now and then, for Ray's sake.

        Ray's threads in a process wake thirty times a second, used or not. A frozen process has none of that, and is
        back within microseconds. The breath lets it answer what has piled up (keepalives, at 300 s).
        """
        breath = time.monotonic() + BREATH_SECONDS
        while True:
            await asyncio.sleep(1.0)
            if self.retiring and not self._processes and not self._starting:
                self.log.info("retired")
                self.stop()
            now = time.monotonic()
            if now >= breath:
                breath = now + BREATH_SECONDS
                for process in self.spares():
                    self._thaw(process)
                    process.idle_since = now - REST_SECONDS + 1.0
            for process in self.spares():
                if not process.frozen and now - process.idle_since >= REST_SECONDS:
                    process.frozen = True
                    self._note_frozen()
                    self._spawner.freeze(process.pid)

    def _thaw(self, process: Process) -> None:
        if process.frozen:
            process.frozen = False
            self._spawner.thaw(process.pid)
            # Later, as somebody may wait for this very process. One that is thawed in vain, by another agent, bears it.
            asyncio.get_running_loop().call_soon(self._note_frozen)

    def _note_frozen(self) -> None:
        """Should this agent die, the next one must find those that cannot come to it by themselves."""
        pids = [str(process.pid) for process in self._processes.values() if process.frozen]
        being_written = Path(self._frozen_list + ".new")
        being_written.write_text(" ".join(pids))
        os.replace(being_written, self._frozen_list)  # at once: death may come in the middle of this, too

    def _thaw_orphans(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            for pid in Path(self._frozen_list).read_text().split():
                self._spawner.thaw(int(pid))

    async def _watch(self) -> None:
        """Kills processes that hang: alive for the kernel, but deaf."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            for process in list(self._processes.values()):
                if process.peer is not None and process.silent_since is None and process.room:
                    process.silent_since = time.monotonic()
                    self._spawn_task(self._ping(process))

    async def _ping(self, process: Process) -> None:
        assert process.peer is not None
        try:
            await link_io.hear(process.peer, HANG_SECONDS)
        except TimeoutError:
            stopped = vitals.is_stopped(process.pid)
            self.log.error("hung", process=process.name, room=process.room, epoch=process.epoch, stopped=stopped)
            process.doom = "stopped" if stopped else "hung"
            self._kill(process)
        except LinkLost:
            return
        finally:
            process.silent_since = None

    async def _watch_memory(self) -> None:
        """Kills processes that outgrow what a room may have, before others on the node must do without."""
        limit = self.config.room_memory
        while limit:
            await asyncio.sleep(MEMORY_SECONDS)
            for process in self._processes.values():
                if process.room and not process.doom and (size := vitals.own_memory(process.pid)) > limit:
                    self.log.error("outgrown", process=process.name, room=process.room, epoch=process.epoch, bytes=size)
                    process.doom = "memory"
                    self._kill(process)

    # ------------------------------------------------------------ the directory

    async def _keep_directory(self, me: Who) -> None:
        delay = 0.1
        while True:
            lost = asyncio.Event()
            try:
                handler = _DirectoryHandler(self, lost)
                self._directory = await link_io.dial(
                    self.config.directory, self.config.secret, me, handler, counts=self.links
                )
                self._heard = None
                self._introduce()
                delay = 0.1
                await lost.wait()
                self.log.warning("directory_lost")
            except (OSError, LinkLost, TimeoutError) as away:
                delay = min(delay * 1.5, 1.0)  # a new directory waits a little longer than that for agents to come
                self.log.debug("no_directory", why=str(away))
            await asyncio.sleep(delay)

    def _introduce(self) -> None:
        """Who we are and what runs here. While we are not settled, that is not all."""
        self._report({"type": "node", **self._node(), "rooms": self.rooms(), "settled": self._settled})

    def _node(self) -> dict[str, Any]:
        return {
            "node": self.config.node,
            "pid": os.getpid(),
            "spares": len(self.spares()),
            "starting": len(self._starting),
            "processes": len(self._processes),
            "metrics": self.metrics_address,
            "draining": self.draining,
            "limit": self.config.limit,
            "least": self.config.spares,
            "wanted": self.wanted,
            "starts": round(self.config.starts_at_once / self._start_seconds, 1),
            "full": self.full,
            "games": self.games,
            "version": self._version,
        }

    def _status(self) -> None:
        self._report({"type": "status", **self._node()})

    def _report(self, notice: dict[str, Any]) -> None:
        if self._directory is not None:
            self._directory.notify(notice)

    async def ask_directory(self, request: dict[str, Any], seconds: float) -> Any:
        if self._directory is None or not self._directory.open:
            raise RequestRefused(Refusal("unavailable", "the directory does not answer", retry=True))
        return await self._directory.ask(request, seconds)


def _will_not_come(came: asyncio.Future[None]) -> None:
    if not came.done():
        came.set_exception(ChildProcessError("it ended before it came"))


class _RoomHandler(BaseHandler):
    """One room process's stream, or the clerk's, which only counts."""

    def __init__(self, agent: NodeAgent) -> None:
        self._agent = agent

    def opened(self, peer: Peer) -> None:
        self._agent._peers.add(peer)

    def received(self, peer: Peer, kind: int, body: bytes) -> None:
        if kind == link.TALLY and peer.who is not None:
            self._agent.tally.merge(body, peer.who.name)
        else:
            super().received(peer, kind, body)

    def noticed(self, peer: Peer, notice: dict[str, Any]) -> None:
        process: Process | None = peer.data
        match notice["type"]:
            case "process":
                self._agent.came(peer, notice)
            case "summary" if process is not None and process.room == notice["room"]:
                process.seq, process.summary = notice["seq"], notice["summary"]
                process.version = notice.get("version", 0)
                self._agent._report(notice)
            case "fault" if process is not None:
                self._agent.log.error("process_fault", process=process.name, room=process.room, why=notice["why"])
                if notice["why"].startswith("fenced"):
                    process.doom = "fenced"

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        if request["type"] == "release":
            return await self._agent.ask_directory(request, 5.0)
        return await super().asked(peer, request)

    def closed(self, peer: Peer, why: str) -> None:
        self._agent._peers.discard(peer)
        process: Process | None = peer.data
        if process is not None and process.peer is peer:
            self._agent.gone(process, why)


class _DirectoryHandler(BaseHandler):
    def __init__(self, agent: NodeAgent, lost: asyncio.Event) -> None:
        self._agent = agent
        self._lost = lost

    def noticed(self, peer: Peer, notice: dict[str, Any]) -> None:
        match notice["type"]:
            case "spares":
                self._agent.want(notice["wanted"])
            case "stale":
                self._agent.stale(notice["room"], notice["epoch"])

    def received(self, peer: Peer, kind: int, body: bytes) -> None:
        if kind == link.TALLY:
            self._agent.tally.merge(body, "directory")
        else:
            super().received(peer, kind, body)

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        agent = self._agent
        match request["type"]:
            case "place":
                return await agent.place(request["order"])
            case "evict":
                return await agent.evict(request["room"], request.get("epoch"))
            case "kill":
                return agent.kill(request["room"], request.get("epoch"))
            case "drain":
                return agent.drain(request["on"], request.get("retire", False))
            case "close":
                return await agent.close(request["room"], request.get("epoch"), request["reason"])
            case _:
                return await super().asked(peer, request)

    def closed(self, peer: Peer, why: str) -> None:
        self._agent.tally.forget("directory")  # it is heard of no more, or starts to count anew
        self._lost.set()
