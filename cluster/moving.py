"""Rooms that leave their process in peace: one that an operator moves, and all of a node that is to be emptied."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

from cluster.background import Background
from cluster.link import Refusal
from cluster.link_io import LinkLost, RequestRefused
from cluster.placement import LOCATE_SECONDS, RETRY_SECONDS, Placement
from cluster.records import Node, Record
from cluster.registry import Registry
from cluster.roster import Roster, freest

MOVED_AT_ONCE = 4  # rooms that leave a draining node in parallel: each pauses for the blink of its hand-over


class Moving:
    """Ends rooms where they are, and has them placed elsewhere, at the next epoch. A move is no death."""

    def __init__(
        self, registry: Registry, roster: Roster, placement: Placement, log: Any, background: Background
    ) -> None:
        self._registry, self._roster, self._placement = registry, roster, placement
        self._log, self._background = log, background

    # ------------------------------------------------------------ all of a node

    async def drain(self, name: str, on: bool, retire: bool = False) -> dict[str, Any]:
        """Takes a node's rooms elsewhere, a few at a time, and gives it no new ones; or gives it rooms again.

        A node that is to ``retire`` loses its agent, too, when it is empty, and does not come back without a restart.

        The agent keeps it in mind: also a directory that is started meanwhile goes on with it.
        """
        node = self._roster.here.get(name)
        if node is None:
            raise RequestRefused(Refusal("no_such_node", f"no node is called {name}"))
        await node.peer.ask({"type": "drain", "on": on, "retire": retire}, 5.0)
        return {"node": name, "draining": on, "rooms": len(self._registry.of_node(name))}

    def empty_if_draining(self, node: Node) -> None:
        if node.draining and node.emptying is None:
            node.emptying = self._background.spawn(self._empty(node))

    async def _empty(self, node: Node) -> None:
        """Moves rooms away until there are none, or the node is gone or may keep them.

        Only where there are spares, and only to nodes that can play them: a room is better off here than nowhere.
        """
        moving: set[asyncio.Task[None]] = set()
        try:
            while node.draining and self._roster.is_there(node) and (rooms := self._registry.of_node(node.name)):
                others = [other for other in self._roster.here.values() if not other.draining and other.free > 0]
                free = sum(other.free for other in others)
                movable = [record for record in rooms if any(other.can_play(record) for other in others)]
                for record in movable[: min(MOVED_AT_ONCE, free)]:
                    moving.add(self._background.spawn(self._move(record, node, "drain")))
                if moving:
                    await asyncio.wait(moving)
                    moving.clear()
                else:
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            node.emptying = None

    # ------------------------------------------------------------ one room

    async def move(self, record: Record, to: str | None) -> None:
        """Moves one room: to this node, or to the one with the most free spares, another one where that can be.

        Refuses ``not_running``, ``no_such_node``, ``draining``, ``cannot_play``, ``no_spare``, or ``not_moved`` where
        it went wrong.
        """
        owner = record.owner
        node = self._roster.of(owner)
        if owner is None or node is None:
            raise RequestRefused(Refusal("not_running", "the room runs in no process just now"))
        if to is None:
            others = [other for other in self._roster.open() if other is not node and other.can_play(record)]
            aim = freest(others) or node
            aim = aim if aim.free > 0 else node
        elif (named := self._roster.here.get(to)) is None:
            raise RequestRefused(Refusal("no_such_node", f"no node is called {to}"))
        else:
            aim = named
        if aim.draining:
            raise RequestRefused(Refusal("draining", f"{aim.name} is being drained"))
        if not aim.can_play(record):
            raise RequestRefused(Refusal("cannot_play", f"{aim.name} does not have {record.game} as the room needs it"))
        if aim.free <= 0:
            raise RequestRefused(Refusal("no_spare", f"{aim.name} has no spare process just now", retry=True))
        record.aim = aim.name
        await self._move(record, node, "move")
        if record.owner is None or record.owner is owner:
            record.aim = None
            raise RequestRefused(Refusal("not_moved", "the room could not be moved; see the log", retry=True))

    async def _move(self, record: Record, node: Node, reason: str) -> None:
        """Ends the room where it is, and hands it to another process. Its players see it pause for that."""
        owner, began = record.owner, time.monotonic()
        if owner is None:
            return  # it has died, or was given back, while others were moved
        try:
            await node.peer.ask({"type": "evict", "room": record.id, "epoch": owner.epoch}, 2 * LOCATE_SECONDS)
        except (LinkLost, TimeoutError, RequestRefused) as no:
            self._log.warning("not_moved", room=record.id, node=node.name, why=str(no))
            await asyncio.sleep(RETRY_SECONDS)
            return
        if record.owner is not owner:
            return  # it was given back, or has died, meanwhile
        record.lost = (began, reason)
        self._registry.set_owner(record, None)
        if record.closed:
            self._registry.drop(record)
            return
        with contextlib.suppress(RequestRefused):  # has been logged, and whoever asks for the room is told
            await self._placement.placed(record)
