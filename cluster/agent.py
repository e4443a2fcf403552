"""The node agent: keeps spares, hands rooms to them, watches the room processes of its node, and counts for them.

It knows nothing of Ray: a `Spawner` starts processes and ends them. Room processes find it at a Unix socket whose
path outlives it, so a restarted agent meets them again, and they go on playing meanwhile. It reports to the directory,
which decides; after a directory's restart it says anew what runs here.

Here are the processes' streams, and what the directory orders of their rooms. Beside it are the pool of processes, the
freezer for those that nobody needs, the watch over them and the node, and the reports to the directory.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from importlib.metadata import version
from typing import Any

import structlog

from cluster import link, link_io
from cluster.agent_config import AgentConfig
from cluster.background import Background
from cluster.forever import forever
from cluster.freezer import Freezer
from cluster.link import Refusal, Who
from cluster.link_io import BaseHandler, LinkCounts, LinkLost, Peer, RequestRefused
from cluster.pool import Pool
from cluster.reports import Reports
from cluster.spawner import Process, Spawner
from cluster.watch import Watch
from ops.metrics import Tally

PLACE_SECONDS = 30.0  # a hand-over must be answered within; long, as a busy node starts processes slowly
SETTLE_SECONDS = 3.0  # room processes look for their agent ten times a second
END_SECONDS = 5.0  # and one that is to end has so long


class NodeAgent:
    """Runs until `stop`."""

    def __init__(self, config: AgentConfig, spawner: Spawner) -> None:
        self.config = config
        self.tally = tally = Tally("node", config.node)
        self.links = links = LinkCounts(tally, "directory", "room")
        self.metrics_address = ""
        self.log = log = structlog.get_logger().bind(node=config.node)
        self.background = background = Background(log)
        self.me = Who(kind="agent", name=config.node)
        self._socket = config.socket.removeprefix("unix:")
        processes: dict[str, Process] = {}
        self.freezer = Freezer(processes, spawner, self._socket + ".frozen")
        self.pool = Pool(config, processes, self.freezer, spawner, self.status, tally, log, background)
        self.watch = Watch(config, self.pool, spawner, self.status, tally, log, background)
        self.reports = Reports(
            config.directory,
            config.secret,
            self.me,
            lambda lost: _DirectoryHandler(self, lost),
            self.introduce,
            tally,
            links,
            log,
        )
        self.peers: set[Peer] = set()  # room processes, and the clerk
        self.games: dict[str, int] = {}  # what our processes can play, and up to which state version
        self.settled = True  # is known what runs here?
        self.retiring = False  # when the node is empty, the agent ends
        self._version = version("hanpan")
        self._stop = asyncio.Event()

    async def serve(self) -> None:
        config, pool, reports, watch = self.config, self.pool, self.reports, self.watch
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._socket)  # left by an agent that was killed:
            self.settled = pool.open = False  # its processes will come to us now
        server, _ = await link_io.listen(config.socket, config.secret, self.me, lambda: _RoomHandler(self), self.links)
        self.tally.gauge("hanpan_info", self._version, value=1)
        self.tally.gauge("hanpan_process_limit", value=config.limit)
        self.tally.gauge("hanpan_spares_wanted", value=pool.wanted)
        for work in (
            reports.keep,
            watch.keep_vitals,
            watch.keep_tidy,
            reports.keep_figures,
            watch.look_for_deaf,
            watch.look_for_large,
            self._rest,
            pool.trim_in_time,
        ):
            self.background.spawn(forever(work, self.log))
        self.background.spawn(link_io.cut_off_the_silent(lambda: [reports.peer] if reports.peer is not None else []))
        self.freezer.thaw_orphans()
        self.background.spawn(self._settle())
        try:
            await self._stop.wait()
        finally:
            await self.background.close()
            for process in list(pool.processes.values()):
                self.freezer.thaw(process)
            for peer in list(self.peers):
                peer.close("the agent ends")
            server.close()
            reports.close()

    def stop(self) -> None:
        self._stop.set()
        self.pool.open = False

    async def _settle(self) -> None:
        """An agent that follows another first waits for those who live; only then does it say who is missing."""
        if not self.settled:
            await asyncio.sleep(SETTLE_SECONDS)
            self.settled, self.pool.open = True, not self._stop.is_set()
            self.introduce()
        self.pool.refill()

    async def _rest(self) -> None:
        """A moment in which little happens: spares rest, and an agent that was only waiting for that retires."""
        while True:
            await asyncio.sleep(1.0)
            if self.retiring and not self.pool.processes and not self.pool.starting:
                self.log.info("retired")
                self.stop()
            self.freezer.rest()

    # ------------------------------------------------------------ what the directory is told

    def introduce(self) -> None:
        """Who we are and what runs here. While we are not settled, that is not all."""
        self.reports.report({"type": "node", **self._node(), "rooms": self.rooms(), "settled": self.settled})

    def _node(self) -> dict[str, Any]:
        return {
            "node": self.config.node,
            "pid": os.getpid(),
            "spares": len(self.pool.spares()),
            "starting": len(self.pool.starting),
            "processes": len(self.pool.processes),
            "metrics": self.metrics_address,
            "draining": self.pool.draining,
            "limit": self.config.limit,
            "least": self.config.spares,
            "wanted": self.pool.wanted,
            "starts": round(self.config.starts_at_once / self.pool.start_seconds, 1),
            "full": self.pool.full,
            "games": self.games,
            "version": self._version,
        }

    def status(self) -> None:
        """Tells the directory how the node is, after whatever may have changed it."""
        self.reports.report({"type": "status", **self._node()})

    # ------------------------------------------------------------ what the directory orders

    async def place(self, order: dict[str, Any]) -> dict[str, Any]:
        """Hands a room to a spare. Refuses as the process does, or with ``no_spare``."""
        if self.pool.draining:
            raise RequestRefused(Refusal("unavailable", "the node is draining", retry=True))
        if self.pool.full:
            raise RequestRefused(Refusal("full", "the node has no place for another process", retry=True))
        try:
            process = await self.pool.take(PLACE_SECONDS)
        except TimeoutError as none:
            raise RequestRefused(Refusal("no_spare", "no room process is free", retry=True)) from none
        self.freezer.thaw(process)
        process.room, process.epoch = order["room"], order["epoch"]
        process.reading = bool(order.get("reading"))
        process.summary = None
        assert process.peer is not None
        asyncio.get_running_loop().call_soon(self.status)  # after the question: people wait for its answer
        try:
            answer = await process.peer.ask({"type": "own", "order": order}, PLACE_SECONDS)
        except RequestRefused:
            process.room = None
            self.pool.offer(process)
            raise
        except TimeoutError as hung:
            self.log.error("hung_in_hand_over", process=process.name, room=order["room"])
            self.pool.kill(process)
            raise RequestRefused(Refusal("hung", "the room process did not answer", retry=True)) from hung
        except LinkLost as died:
            raise RequestRefused(Refusal("died", "the room process died", retry=True)) from died
        process.seq, process.version = answer["seq"], answer.get("version", 0)
        self.pool.refill_soon()
        return {**answer, "pid": process.pid, "process": process.name}

    def drain(self, on: bool, retire: bool = False) -> None:
        """No room comes here any more, or rooms may come again. The directory takes those away that are here.

        An agent that is to ``retire`` ends when its node is empty: then Ray sees that nothing is done there.
        """
        self.retiring = on and retire
        if on != self.pool.draining:
            self.pool.draining = on
            self.log.info("draining" if on else "not_draining", rooms=len(self.rooms()))
            self.pool.want(self.pool.told)

    async def evict(self, room: str, epoch: int | None) -> None:
        """Ends the process that owns the room, in peace where that can be. It is no death: who asks will place it."""
        process, _ = self._owner(room, epoch)
        process.ending = True
        await self.pool.end(process)
        try:
            async with asyncio.timeout(END_SECONDS):
                await process.ended.wait()
        except TimeoutError:
            self.log.warning("would_not_end", process=process.name, room=room)
            self.pool.kill(process)

    def stale(self, room: str, epoch: int) -> None:
        """Another process owns the room at a later epoch: what was given up while it stood still has to go."""
        for process in self.pool.processes.values():
            if process.room == room and process.epoch == epoch:
                process.doom = "fenced"
                self.pool.kill(process)

    def kill(self, room: str, epoch: int | None) -> None:
        """Ends the process that owns the room as a fault would, to see that nothing comes of it."""
        process, _ = self._owner(room, epoch)
        self.pool.kill(process)

    async def close(self, room: str, epoch: int | None, reason: str) -> None:
        """Has the process that owns the room close it."""
        _, peer = self._owner(room, epoch)
        await peer.ask({"type": "close", "reason": reason}, 5.0)

    def _owner(self, room: str, epoch: int | None) -> tuple[Process, Peer]:
        """Who owns it at this epoch: one that was given up may live on beside it. None: an older directory asks."""
        for process in self.pool.processes.values():
            if process.room == room and epoch in (None, process.epoch) and process.peer is not None:
                return process, process.peer
        raise RequestRefused(Refusal("not_here", "the room is not on this node", retry=True))

    def rooms(self) -> list[dict[str, Any]]:
        """Those that run here, for the directory."""
        return [process.row() for process in self.pool.processes.values() if process.room]

    # ------------------------------------------------------------ processes

    def came(self, peer: Peer, notice: dict[str, Any]) -> None:
        """A process says who it is: after its start, after a release, or to a new agent."""
        assert peer.who is not None
        process = self.pool.came(peer.who.name)
        process.peer, process.pid, process.address = peer, notice["pid"], notice["address"]
        self.games = notice["games"]
        process.room, process.epoch = notice.get("room"), notice.get("epoch", 0)
        process.seq, process.reading = notice.get("seq", 0), notice.get("reading", False)
        process.version = notice.get("version", 0)
        peer.data = process
        if process.room is None:
            process.idle_since = process.free_since = time.monotonic()
            self.pool.offer(process)
        else:
            self.reports.report({"type": "running", **process.row()})
            self.status()
        self.pool.gauges()

    def gone(self, process: Process, why: str) -> None:
        """A process's stream ended: it is dead, or as good as. Where it is we who end, it will find the next agent."""
        self.pool.gone(process)
        if self._stop.is_set():
            return
        self.tally.forget(process.name)
        if not process.ending:
            self.tally.count("hanpan_process_deaths_total", (process.doom or "died") if process.room else "spare")
        if process.room and not process.ending:
            self.log.warning("process_died", process=process.name, room=process.room, epoch=process.epoch, why=why)
            seq = None if process.doom == "stopped" else process.seq  # which is nothing that the room has done
            death = {"room": process.room, "epoch": process.epoch, "seq": seq, "why": why}
            self.reports.report({"type": "died", **death, "reason": process.doom or "died"})
        self.pool.replace(process)
        self.status()


class _RoomHandler(BaseHandler):
    """One room process's stream, or the clerk's, which only counts."""

    def __init__(self, agent: NodeAgent) -> None:
        self._agent = agent

    def opened(self, peer: Peer) -> None:
        self._agent.peers.add(peer)

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
                self._agent.reports.report(notice)
            case "fault" if process is not None:
                self._agent.log.error("process_fault", process=process.name, room=process.room, why=notice["why"])
                if notice["why"].startswith("fenced"):
                    process.doom = "fenced"

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        if request["type"] == "release":
            return await self._agent.reports.ask(request, 5.0)
        return await super().asked(peer, request)

    def closed(self, peer: Peer, why: str) -> None:
        self._agent.peers.discard(peer)
        process: Process | None = peer.data
        if process is not None and process.peer is peer:
            self._agent.gone(process, why)


class _DirectoryHandler(BaseHandler):
    """The stream to the directory. ``lost``: is set when it ends."""

    def __init__(self, agent: NodeAgent, lost: asyncio.Event) -> None:
        self._agent = agent
        self._lost = lost

    def noticed(self, peer: Peer, notice: dict[str, Any]) -> None:
        match notice["type"]:
            case "spares":
                self._agent.pool.want(notice["wanted"])
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
