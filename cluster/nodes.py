"""Nodes that come and go: what their agents say of them, and what becomes of the rooms of one that is lost."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from cluster import figures, link_io
from cluster.background import Background
from cluster.figures import Hour
from cluster.gateways import Gateways
from cluster.link import Who
from cluster.link_io import BaseHandler, LinkLost, Peer
from cluster.moving import Moving
from cluster.placement import Placement
from cluster.records import Node, Record
from cluster.registry import Registry
from cluster.roster import Roster
from cluster.supply import Supply

NODE_GONE_SECONDS = 20.0  # an agent that stays away for so long has lost its node, and its rooms with it
PROBE_SECONDS = 1.0  # meanwhile the rooms' own ports are tried: so soon, and an answer must come within as long
PROBE_AGAIN_SECONDS = 5.0
PROBED_AT_ONCE = 32


class Nodes:
    """Keeps the roster, and tells everybody whom it concerns. ``secret``: of the links to rooms that are probed."""

    def __init__(
        self,
        registry: Registry,
        roster: Roster,
        gateways: Gateways,
        supply: Supply,
        placement: Placement,
        moving: Moving,
        hour: Hour,
        secret: bytes,
        log: Any,
        background: Background,
    ) -> None:
        self._registry, self._roster = registry, roster
        self._gateways, self._supply = gateways, supply
        self._placement, self._moving = placement, moving
        self._hour = hour
        self._secret = secret
        self._log, self._background = log, background

    # ------------------------------------------------------------ what agents say of nodes

    def came(self, peer: Peer, notice: dict[str, Any]) -> None:
        """An agent, new or returned, says what runs on its node."""
        node = Node(peer, notice["node"])
        node.status = {key: value for key, value in notice.items() if key not in ("rooms", "settled")}
        peer.data = node
        self._roster.came(node)
        running = {row["room"] for row in notice["rooms"]}
        for row in notice["rooms"]:
            self._placement.runs(node, row)
        for record in self._registry.of_node(node.name) if notice["settled"] else ():
            if record.owner is not None and record.id not in running:
                self._placement.died(record.id, record.owner.epoch, None, "its node does not know it any more", "node")
        self._supply.tell()
        self._moving.empty_if_draining(node)
        self._gateways.tell_ready()

    def status(self, node: Node, notice: dict[str, Any]) -> None:
        node.status = {**node.status, **notice}
        self._moving.empty_if_draining(node)
        self._gateways.tell_ready()

    def told(self, node: Node, diary: str, told: Any) -> None:
        """What was counted there, as far as we have not heard it."""
        if steps := figures.read(told):
            node.vitals = steps[-1].figures.vitals
            self._hour.hear(node.name, diary, steps, time.time())

    def went(self, node: Node, why: str) -> None:
        """The agent's stream ended. Its rooms may live on: they are believed to, until it is known otherwise."""
        if self._roster.is_there(node):
            self._roster.went_away(node, time.monotonic())
            self._log.warning("node_gone", node=node.name)
            self._background.spawn(self._look_after(node.name, silent=why == link_io.SILENT))
            self._gateways.tell_ready()
            self._supply.tell()

    # ------------------------------------------------------------ nodes that are lost

    async def _look_after(self, node: str, *, silent: bool) -> None:
        """An agent is gone. Whether its rooms are gone too, their own ports tell; and in the end, time."""
        deadline = time.monotonic() + NODE_GONE_SECONDS
        pause, at_once = PROBE_SECONDS, asyncio.Semaphore(PROBED_AT_ONCE)

        async def probe(record: Record) -> None:
            async with at_once:
                await self._probe(record, silent)

        while (left := deadline - time.monotonic()) > 0:
            await asyncio.sleep(min(pause, left))
            pause = PROBE_AGAIN_SECONDS
            if node in self._roster.here:
                return
            await asyncio.gather(*(probe(record) for record in self._registry.of_node(node)))
        if node in self._roster.here:
            return
        self._roster.gave_up(node)
        for record in self._registry.of_node(node):
            if record.owner is not None:
                self._placement.died(record.id, record.owner.epoch, None, "its node is gone", "node")

    async def _probe(self, record: Record, silent: bool) -> None:
        """A port that is closed, or where nobody is behind it, is a dead process. Where nothing answers, who knows.

        But where its agent has not answered either, it is as good as dead.
        """
        owner = record.owner
        if owner is None:
            return
        me = Who(kind="directory", name="directory")
        try:
            peer = await link_io.dial(owner.address, self._secret, me, BaseHandler(), PROBE_SECONDS)
            peer.close("it lives")
        except (ConnectionRefusedError, LinkLost):  # a proxy before the process answers, and hangs up
            if record.owner is owner:
                self._placement.died(record.id, owner.epoch, None, "its port is closed", "node")
        except (OSError, TimeoutError) as unknown:
            if silent and record.owner is owner:
                self._placement.died(record.id, owner.epoch, None, "neither it nor its agent answers", "node")
                return
            self._log.debug("no_answer", room=record.id, node=owner.node, why=str(unknown))
