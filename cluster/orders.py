"""What is ordered of a room: to be tried again, to be closed, to have its process killed."""

from __future__ import annotations

from typing import Any

from cluster.link import Refusal
from cluster.link_io import RequestRefused
from cluster.placement import Placement
from cluster.records import Record
from cluster.registry import Registry
from cluster.roster import Roster
from cluster.stored import Stored

CLOSE_TRIES = 3  # a room that nobody needs may be given back before it hears that it is to be closed


class Orders:
    """Carries them out, with the room's owner where it has one. ``chaos``: may rooms be killed?"""

    def __init__(
        self, registry: Registry, roster: Roster, placement: Placement, stored: Stored, log: Any, chaos: bool
    ) -> None:
        self._registry, self._roster, self._placement = registry, roster, placement
        self._stored = stored
        self._log = log
        self.chaos = chaos

    async def unquarantine(self, record: Record) -> None:
        """Tries a room again. Where nothing was mended it is stopped again."""
        if record.quarantine is None:
            raise RequestRefused(Refusal("not_quarantined", f"the room is {record.state}, not quarantined"))
        await self._stored.catalogue.update(record.id, quarantine="")
        record.quarantine, record.deaths, record.dooms = None, (0, 0), ()
        await self._placement.placed(record)

    async def close(self, record: Record, reason: str) -> None:
        """Closes a room, by an entry of its log.

        One whose log has no writer, quarantined or stranded, is closed in the catalogue alone.
        """
        if record.quarantine is None and (record.owner is not None or record.stranded is None):
            await self._close(record, reason)
            return
        await self._stored.catalogue.update(record.id, closed=True)
        if record.owner is not None:  # a node has come meanwhile that can play it
            await self._close(record, reason)
        else:
            self._registry.drop(record)

    async def _close(self, record: Record, reason: str) -> None:
        for _ in range(CLOSE_TRIES):
            if not self._registry.is_kept(record):
                return  # it has closed itself meanwhile
            if record.owner is None:
                await self._placement.placed(record)
            owner = record.owner
            node = self._roster.of(owner)
            if owner is None or node is None:
                continue
            order = {"type": "close", "room": record.id, "epoch": owner.epoch, "reason": reason}
            try:
                await node.peer.ask(order, 10.0)
            except RequestRefused as no:
                if no.refusal.code != "not_here":
                    raise
            else:
                return
        raise RequestRefused(Refusal("unavailable", "the room is not on any node", retry=True))

    async def kill(self, record: Record) -> dict[str, Any]:
        """Kills the process of a room, as a fault would. The room is brought back like any other that has died."""
        if not self.chaos:
            raise RequestRefused(Refusal("not_enabled", "this hanpan does not let its rooms be killed"))
        owner = record.owner
        node = self._roster.of(owner)
        if owner is None or node is None:
            raise RequestRefused(Refusal("unavailable", "the room is not on any node", retry=True))
        self._log.warning("killed_on_purpose", room=record.id, epoch=owner.epoch, node=owner.node)
        await node.peer.ask({"type": "kill", "room": record.id, "epoch": owner.epoch}, 5.0)
        return {"killed": record.id, "epoch": owner.epoch}
