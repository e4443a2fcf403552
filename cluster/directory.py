"""The directory: which rooms there are, which process owns each, at which epoch; and who takes over when one dies.

What it must not forget is in the catalogue; where rooms run is told by the agents, also after a restart. Here it is put
together, and what peers say goes to the part that it is for:

    gateways ──▶ reception ───────────────────┐
    agents ────▶ nodes ──────▶ moving ────────┼──▶ placement ──▶ gateways, supply
    tools ─────▶ operators ──▶ moving, orders ┤
    time ──────▶ upkeep ─────▶ orders ────────┘

All of them share the registry of rooms, the roster of nodes, and what is stored. A part knows those that stand before
it in `Directory.__init__`, and none after it; `pyproject.toml` holds that.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import structlog

from cluster import link_io
from cluster.background import Background
from cluster.client import CreateRoom
from cluster.directory_config import DirectoryConfig
from cluster.figures import Hour
from cluster.forever import forever
from cluster.gateways import Gateways
from cluster.inspector import Inspector, Inspects
from cluster.link import Refusal, Who
from cluster.link_io import BaseHandler, LinkCounts, Peer, RequestRefused
from cluster.log import Store, Unavailable
from cluster.moving import Moving
from cluster.nodes import Nodes
from cluster.operators import Operators
from cluster.orders import Orders
from cluster.placement import Placement
from cluster.reception import Reception
from cluster.records import Node
from cluster.registry import Registry
from cluster.roster import Roster
from cluster.stored import Stored
from cluster.supply import Supply
from cluster.upkeep import Upkeep
from ops.metrics import Tally


class Directory:
    """Runs until `stop`."""

    def __init__(self, config: DirectoryConfig, store: Store, inspector: Inspects | None = None) -> None:
        """``inspector``: what replays logs for operators; None: a process of its own."""
        self.config = config
        self.address = ""
        self.tally = tally = Tally()
        self.hour = Hour()
        self.log = log = structlog.get_logger().bind(process="directory")
        self.background = background = Background(log)
        self.inspector = inspector or Inspector()
        self._stop = asyncio.Event()

        # what is known
        self.registry = registry = Registry()
        self.roster = roster = Roster()
        self.stored = stored = Stored(store, log)
        # who is told
        self.gateways = gateways = Gateways(roster)
        self.supply = supply = Supply(registry, roster)
        # what is done
        self.placement = placement = Placement(registry, roster, gateways, supply, stored, tally, log, background)
        self.moving = moving = Moving(registry, roster, placement, log, background)
        self.orders = orders = Orders(registry, roster, placement, stored, log, config.chaos)
        # who asks for it
        self.nodes = Nodes(
            registry, roster, gateways, supply, placement, moving, self.hour, config.secret, log, background
        )
        self.reception = Reception(config, registry, roster, placement, supply.demand, stored, log)
        self.operators = Operators(registry, roster, gateways, moving, orders, stored, self.hour, self.inspector, log)
        self.upkeep = Upkeep(config, registry, roster, gateways, placement, orders, stored, tally, log)

    async def serve(self) -> None:
        rows = await self.stored.open()
        while rows:  # each record takes the memory that the line before it has let go of
            self.registry.add(rows.popleft())
        me = Who(kind="directory", name="directory")
        server, self.address = await link_io.listen(
            self.config.address, self.config.secret, me, self.handler, LinkCounts(self.tally)
        )
        self.background.spawn(self.upkeep.adopt())
        for work in (self.upkeep.keep_house, self.upkeep.keep_store, self.upkeep.count, self.supply.keep):
            self.background.spawn(forever(work, self.log))
        self.background.spawn(link_io.cut_off_the_silent(self._peers))
        self.log.info("directory_ready", address=self.address, rooms=len(self.registry.records))
        try:
            await self._stop.wait()
        finally:
            server.close()
            await self.background.close()
            self.supply.stop()  # whose placing was cut off would have had it told
            await self.inspector.close()
            for peer in self._peers():
                peer.close("the directory ends")
            await self.stored.close()

    def stop(self) -> None:
        self._stop.set()

    def handler(self) -> BaseHandler:
        """What a peer's link is read by: an agent's, a gateway's, or an operator's tool's."""
        return _Handler(self)

    def _peers(self) -> list[Peer]:
        return [*(node.peer for node in self.roster.here.values()), *self.gateways.peers]


class _Handler(BaseHandler):
    """One peer of the directory: an agent, a gateway, or an operator's tool."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    def opened(self, peer: Peer) -> None:
        if peer.who is not None and peer.who.kind == "gateway":
            self._directory.gateways.came(peer)

    def noticed(self, peer: Peer, notice: dict[str, Any]) -> None:
        directory, node = self._directory, peer.data
        match notice["type"]:
            case "node":
                directory.nodes.came(peer, notice)
            case "status" if node is not None:
                directory.nodes.status(node, notice)
            case "figures" if isinstance(node, Node):
                directory.nodes.told(node, notice["diary"], notice["steps"])
            case "gateway":
                peer.data = notice
            case "died":
                directory.placement.died(
                    notice["room"], notice["epoch"], notice["seq"], notice["why"], notice["reason"]
                )
            case "running" if node is not None:
                directory.placement.runs(node, notice)
            case "summary":
                directory.placement.summarised(notice)

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        try:
            return await self._answer(peer, request)
        except Unavailable as down:
            self._directory.log.error("store_down", request=request["type"], why=str(down))
            raise RequestRefused(
                Refusal("unavailable", "저장소가 잠시 멈췄어요. 잠시 뒤에 다시 해 주세요", retry=True)
            ) from down

    async def _answer(self, peer: Peer, request: dict[str, Any]) -> Any:
        directory = self._directory
        match request["type"]:
            case "create":
                return await directory.reception.create(msgspec.convert(request["wish"], CreateRoom))
            case "quick":
                return await directory.reception.quick(request["game"], request["player"])
            case "find":
                return directory.reception.find(request["code"])
            case "get":
                return await directory.reception.get(request["room"])
            case "list":
                return directory.reception.list_public(request["game"], request["limit"])
            case "locate":
                return await directory.reception.locate(request["room"], request["notEpoch"], request["reading"])
            case "release":
                return await directory.placement.released(request)
            case "heard" if isinstance(peer.data, Node):
                return directory.hour.heard(peer.data.name, request["diary"])
            case "admin":
                return await directory.operators.asked(request["what"], request["args"], str(request.get("by", "")))
            case _:
                return await super().asked(peer, request)

    def closed(self, peer: Peer, why: str) -> None:
        self._directory.gateways.went(peer)
        if isinstance(peer.data, Node):
            self._directory.nodes.went(peer.data, why)
