"""A room process: it waits as a spare, is handed a room, runs it, and gives it back.

node agent ──link (Unix socket)──▶ hand-over, release, counts
gateways ────link (TCP)──────────▶ the inbox of the room that it runs: `cluster.running`
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from typing import Any

import msgspec
import structlog

from cluster import link, link_io
from cluster.counting import RoomCounts
from cluster.fairness import fairness_of
from cluster.faults import place_of
from cluster.forever import forever
from cluster.link import Refusal, Who
from cluster.link_io import BaseHandler, LinkCounts, LinkLost, Peer, RequestRefused
from cluster.log import Conflict, Logs, Unavailable
from cluster.replay import replay_of
from cluster.room.room import CannotPlay, DigestMismatch
from cluster.running import HostConfig, Own, RunningRoom
from engines.catalog import GAMES, Catalog
from ops.metrics import Tally

TALLY_SECONDS = 5.0  # and the agent of counts
PASTS = {"replay": replay_of, "fairness": fairness_of}  # what can be told of a room's games from its log


class RoomProcess:
    """The process around at most one room at a time."""

    def __init__(self, config: HostConfig, store: Logs, die: Callable[[str], None], games: Catalog = GAMES) -> None:
        self.config = config
        self.store = store
        self.games = games
        self.tally = Tally()
        self.log = structlog.get_logger().bind(process=config.name)
        self.running: RunningRoom | None = None
        self._changing = False  # a room is being taken over, or given back: we are neither a spare nor an owner
        self._die = die  # ends the process at once: it may not go on
        self._agent: Peer | None = None
        self._gateways: set[Peer] = set()
        self._server: asyncio.Server | None = None
        self._address = ""
        self._plays: dict[str, int] = {}  # the games that can be played here, and up to which version of their state
        self._stop = asyncio.Event()
        self._tally_timer: asyncio.TimerHandle | None = None
        self._new_agent = True  # which has none of our gauges yet

    async def serve(self) -> None:
        """Lives until the agent says `stop`, or is gone for a minute."""
        me = Who(kind="room", name=self.config.name)
        self._plays = {game.id: game.state_version for game in self.games.working()}
        gateways = _GatewayHandler(self)
        config = self.config
        self._server, address = await link_io.listen(
            f"{config.host}:{config.ports}", config.secret, me, lambda: gateways, LinkCounts(self.tally)
        )
        self._address = f"{config.found_at or config.host}:{address.rpartition(':')[2]}"
        await self.store.ready()
        tasks = [
            asyncio.create_task(forever(lambda: self._keep_agent(me), self.log)),
            asyncio.create_task(link_io.cut_off_the_silent(lambda: self._gateways)),
        ]
        try:
            await self._stop.wait()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._close()

    def stop(self) -> None:
        self._stop.set()

    async def _close(self) -> None:
        if self.running is not None:
            await self.running.let_go()
            self.running = None
        for peer in list(self._gateways):
            peer.close("the room process ends")
        if self._server is not None:
            self._server.close()
        if self._agent is not None:
            self.flush_tally()
            self._agent.close()

    async def _keep_agent(self, me: Who) -> None:
        """Finds the agent, again and again; a process that nobody looks after must not stay."""
        missing_since = time.monotonic()
        while True:
            lost = asyncio.Event()
            try:
                handler = _AgentHandler(self, lost)
                self._agent = await link_io.dial(self.config.agent, self.config.secret, me, handler)
                self._new_agent = True
                self._register()
                self.counted()
                await lost.wait()
                missing_since = time.monotonic()
            except (OSError, LinkLost, TimeoutError):
                if time.monotonic() - missing_since > 60:
                    self._die("no node agent for a minute")
                    return
            await asyncio.sleep(0.1)

    def _register(self) -> None:
        """Says to the agent what we are. While that changes, nobody is told; when it has changed, it is said again."""
        if self._changing:
            return
        who = {"type": "process", "pid": os.getpid(), "address": self._address, "games": self._plays}
        if self.running is None:
            self.tell_agent(who)
        else:
            self.tell_agent({**who, **self.running.identity()})
            self.running.summarise_anew()

    # ------------------------------------------------------------ for the room

    def tell_agent(self, notice: dict[str, Any]) -> None:
        if self._agent is not None:
            self._agent.notify(notice)

    async def ask_agent(self, request: dict[str, Any], seconds: float) -> Any:
        if self._agent is None:
            raise LinkLost("no agent")
        return await self._agent.ask(request, seconds)

    def counted(self) -> None:
        """Something was counted: the agent hears of it soon."""
        if self._tally_timer is None:
            self._tally_timer = asyncio.get_running_loop().call_later(TALLY_SECONDS, self.flush_tally)

    def flush_tally(self) -> None:
        if self._tally_timer is not None:
            self._tally_timer.cancel()
            self._tally_timer = None
        if self._agent is not None and self._agent.open and (delta := self.tally.drain(all_gauges=self._new_agent)):
            self._new_agent = False
            self._agent.write(link.frame(link.TALLY, delta))

    def fatal(self, why: str) -> None:
        """The room may not go on in this process, and nothing else is known for sure. The log knows the rest."""
        self.log.error("fatal", why=why)
        self.tell_agent({"type": "fault", "why": why})
        self.flush_tally()
        self._die(why)

    async def released(self) -> None:
        """The room is given back; the process is a spare again."""
        assert self.running is not None
        self._changing = True
        try:
            await self.running.let_go()
            self.running = None
            for peer in list(self._gateways):
                peer.close("the room has left this process")
            await self.store.ready()
        finally:
            self._changing = False
        self.flush_tally()
        self._register()

    # ------------------------------------------------------------ for the agent

    async def own(self, order: Own) -> dict[str, Any]:
        """Takes a room over.

        Refuses with ``conflict``, ``quarantine``, ``cannot_play`` (another node may) or, for now, ``storage_down``.
        """
        if self.running is not None or self._changing:
            raise RequestRefused(Refusal("busy", "has a room already"))
        asked_by, self._changing = self._agent, True
        try:
            return await self._take(order)
        finally:
            self._changing = False
            if self._agent is not asked_by:  # the answer is for one who has gone; who came meanwhile knows nothing yet
                self._register()

    async def _take(self, order: Own) -> dict[str, Any]:
        running = RunningRoom(self, order)
        counts = RoomCounts(self.tally, self.store.kind)
        try:
            seq = await running.take_over()
        except RequestRefused:
            raise
        except Conflict as conflict:
            counts.store_error("conflict")
            self.counted()
            raise RequestRefused(Refusal("conflict", str(conflict))) from conflict
        except Unavailable as down:
            counts.store_error("unavailable")
            self.counted()
            raise RequestRefused(Refusal("storage_down", str(down), retry=True)) from down
        except CannotPlay as elsewhere:
            raise RequestRefused(Refusal("cannot_play", str(elsewhere))) from elsewhere
        except DigestMismatch as wrong:
            raise RequestRefused(Refusal("quarantine", str(wrong))) from wrong
        except Exception as bug:
            self.log.error("take_over_failed", room=order.room, epoch=order.epoch, bug=place_of(bug))
            raise RequestRefused(Refusal("quarantine", place_of(bug))) from bug
        self.running = running
        running.start()
        return {"address": self._address, "seq": seq, "version": running.version}


class _AgentHandler(BaseHandler):
    def __init__(self, process: RoomProcess, lost: asyncio.Event) -> None:
        self._process = process
        self._lost = lost

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        process = self._process
        match request["type"]:
            case "own":
                return await process.own(msgspec.convert(request["order"], Own))
            case "close":
                if process.running is None:
                    raise RequestRefused(Refusal("not_here", "no room"))
                return await process.running.expire(request["reason"])
            case "stop":
                process.stop()
                return None
            case _:
                return await super().asked(peer, request)

    def closed(self, peer: Peer, why: str) -> None:
        self._lost.set()


class _GatewayHandler(BaseHandler):
    """All gateways' links; what they bring goes into the running room's inbox."""

    def __init__(self, process: RoomProcess) -> None:
        self._process = process

    def opened(self, peer: Peer) -> None:
        self._process._gateways.add(peer)

    def closed(self, peer: Peer, why: str) -> None:
        self._process._gateways.discard(peer)
        if self._process.running is not None:
            self._process.running.put(("lost", peer, 0, b""))

    def received(self, peer: Peer, kind: int, body: bytes) -> None:
        number = link.number_of(body)
        running = self._process.running
        if running is None:
            if kind == link.ATTACH:
                peer.write(link.numbered(link.MOVED, number))
        elif kind == link.SAY:
            running.put(("say", peer, number, body[4:]))
        elif kind == link.ATTACH:
            running.put(("attach", peer, number, body[4:]))
        elif kind == link.DETACH:
            running.put(("detach", peer, number, b""))
        else:
            super().received(peer, kind, body)

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        running = self._process.running
        tell = PASTS.get(request["type"])
        if tell is not None and running is not None and running.room_id == request["room"]:
            return await running.past(tell, request["game"], request.get("viewer"))
        if tell is not None:
            raise RequestRefused(Refusal("moved", "the room is not here", retry=True))
        return await super().asked(peer, request)
