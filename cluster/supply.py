"""Tells each agent how many spares are wanted of its node. How many those are is `cluster.spares`' to say."""

from __future__ import annotations

import asyncio
import time

from cluster.registry import Registry
from cluster.roster import Roster
from cluster.spares import Demand, Site, wanted

SPARES_SECONDS = 5.0  # how often demand is looked at
SPARES_SOON_SECONDS = 0.05  # after a room was placed


class Supply:
    """Looks at demand, and at the rooms that need another process."""

    def __init__(self, registry: Registry, roster: Roster) -> None:
        self._registry, self._roster = registry, roster
        self.demand = Demand()
        self._soon: asyncio.TimerHandle | None = None

    async def keep(self) -> None:
        """For ever."""
        while True:
            await asyncio.sleep(SPARES_SECONDS)
            self.tell()

    def tell_soon(self) -> None:
        """Once for many rooms that are placed in a moment."""
        if self._soon is None:
            self._soon = asyncio.get_running_loop().call_later(SPARES_SOON_SECONDS, self.tell)

    def stop(self) -> None:
        """Nobody is told any more."""
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None

    def tell(self) -> None:
        """Each agent, where the number is another."""
        self.stop()  # it need not be told soon as well
        sites = [
            Site(
                node.name,
                self._registry.count_on(node.name),
                int(node.status.get("least", 0)),
                float(node.status.get("starts", 1.0)),
            )
            for node in self._roster.here.values()
            if not node.draining
        ]
        taking = {site.name for site in sites}
        leaving = sum(len(rooms) for node, rooms in self._registry.running.items() if node not in taking)
        homeless = leaving + len(self._registry.unplaced)
        for name, count in wanted(sites, self.demand.peak(time.monotonic()), homeless).items():
            node = self._roster.here[name]
            if count != node.told_spares:
                node.told_spares = count
                node.peer.notify({"type": "spares", "wanted": count})
