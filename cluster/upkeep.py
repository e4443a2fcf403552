"""Between times: rooms that nobody claims are brought back, all are counted, old ones are closed and put away."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from itertools import islice, product, takewhile
from typing import Any

from cluster import link
from cluster.directory_config import DirectoryConfig
from cluster.faults import place_of
from cluster.gateways import Gateways
from cluster.link_io import LinkLost, RequestRefused
from cluster.log import Damaged, Tidied, Unavailable
from cluster.orders import Orders
from cluster.placement import Placement
from cluster.records import ROOM_STATES, Node, Record
from cluster.registry import Registry
from cluster.roster import Roster
from cluster.stored import Stored
from ops.metrics import Tally

ADOPTION_SECONDS = 2.0  # after its start, the directory gives agents so long to say what still runs
RETURN_SECONDS = 3600.0  # after its start, the directory closes no room for so long: before, nobody could come back
HOUSEKEEPING_SECONDS = 60.0
TIDY_SECONDS = 600.0
COUNT_SECONDS = 5.0
COUNTED_AT_ONCE = 5_000  # records, before others get their turn of the loop
OVERDUE_SECONDS = 60.0  # a room that has waited for a process for longer is for an operator to look at


class Upkeep:
    """`adopt` once, the others for ever."""

    def __init__(
        self,
        config: DirectoryConfig,
        registry: Registry,
        roster: Roster,
        gateways: Gateways,
        placement: Placement,
        orders: Orders,
        stored: Stored,
        tally: Tally,
        log: Any,
    ) -> None:
        self.config = config  # for how long rooms and their logs are kept
        self._registry, self._roster, self._gateways = registry, roster, gateways  # which it counts
        self._placement, self._orders, self._stored = placement, orders, stored
        self._tally, self._log = tally, log
        self.expires_from = math.inf  # monotonic; known once the directory has begun
        self._counted_by: Node | None = None  # whose page has our counts
        self._games: set[str] = set()  # that were ever counted: a gauge must come down to 0 again

    # ------------------------------------------------------------ after a start

    async def adopt(self) -> None:
        """After a start: what no agent claims, and is not parked, is brought back."""
        self.expires_from = time.monotonic() + RETURN_SECONDS
        await asyncio.sleep(ADOPTION_SECONDS if self._registry.records else 0)
        records = self._registry.records.values()
        orphans = [r for r in records if r.owner is None and not r.parked and r.quarantine is None]
        for record in sorted(orphans, key=lambda record: record.summary.status != "playing"):
            record.lost = (time.monotonic(), "restart")
            self._placement.place(record)

    # ------------------------------------------------------------ counting

    async def count(self) -> None:
        """Hands what was counted here to an agent, for its page of metrics; rooms by state among it."""
        while True:
            await asyncio.sleep(COUNT_SECONDS)
            rooms = await self.count_rooms()
            self._games.update(game for _, game in rooms)
            for state, game in product(ROOM_STATES, sorted(self._games)):
                self._tally.gauge("hanpan_rooms", state, game, value=rooms[state, game])
            self._tally.gauge("hanpan_rooms_overdue", value=self._count_overdue())
            self._tally.gauge("hanpan_tasks", value=len(asyncio.all_tasks()))
            self._tally.gauge("hanpan_nodes", value=len(self._roster.here))
            self._tally.gauge("hanpan_gateways", value=len(self._gateways.peers))
            if not self._roster.here:
                continue
            node = self._counted_by  # one of them: nothing twice
            if node is None or not self._roster.is_there(node):  # a new agent, or a new stream to it, has no gauges yet
                node = self._roster.here[min(self._roster.here)]
            if delta := self._tally.drain(all_gauges=node is not self._counted_by):
                node.peer.write(link.frame(link.TALLY, delta))
            self._counted_by = node

    async def count_rooms(self) -> Counter[tuple[str, str]]:
        """By state and game; a part at a time, for hand-overs are waiting."""
        rooms: Counter[tuple[str, str]] = Counter()
        records = iter(list(self._registry.records.values()))
        while part := list(islice(records, COUNTED_AT_ONCE)):
            rooms.update((record.state, record.game) for record in part)
            await asyncio.sleep(0)
        return rooms

    def _count_overdue(self) -> int:
        """Rooms that have waited for too long; not those of which we know that no node can play them."""
        since = time.monotonic() - OVERDUE_SECONDS
        overdue = takewhile(lambda waiting: waiting[1] < since, self._registry.unplaced.items())
        return sum(record.state == "placing" for record, _ in overdue)

    # ------------------------------------------------------------ rooms that nobody comes back to

    async def keep_house(self) -> None:
        """Closes rooms that nobody has come back to."""
        while True:
            await asyncio.sleep(HOUSEKEEPING_SECONDS)
            await self._expire()

    async def _expire(self) -> None:
        if time.monotonic() < self.expires_from:
            return
        for record in [record for record in self._registry.records.values() if self._is_expired(record)]:
            if not self._roster.open():
                return  # a room has to be brought up to be closed, and those that people wait for come first
            if not self._is_expired(record):
                continue  # somebody has come back to it, while others were closed
            try:
                await self._orders.close(record, "expired")
            except (RequestRefused, LinkLost, TimeoutError, Unavailable) as no:
                self._log.warning("not_expired", room=record.id, why=str(no))
            except Exception as bug:  # of this room: the others are closed all the same
                self._log.warning("not_expired", room=record.id, why=place_of(bug))

    def _is_expired(self, record: Record) -> bool:
        """Has nobody come back to it for long? Also not where no node could have played it with them."""
        waits = record.parked or (record.owner is None and record.stranded is not None)
        return waits and record.touched < time.time() - self.config.expire_hours * 3600

    # ------------------------------------------------------------ logs that nobody reads

    async def keep_store(self) -> None:
        while True:
            await asyncio.sleep(TIDY_SECONDS)
            await self.tidy()

    async def tidy(self) -> None:
        """Puts closed rooms away, and forgets old ones; as many as there are, a part at a time."""
        keep = None if self.config.keep_days is None else self.config.keep_days * 86400
        try:
            while (tidied := await self._stored.store.tidy(self.config.archive_hours * 3600, keep)) != Tidied():
                self._log.info("tidied", archived=tidied.archived, forgotten=tidied.forgotten)
        except (Unavailable, Damaged) as no:
            self._log.warning("not_tidied", why=str(no))
