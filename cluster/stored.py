"""What the directory must not forget, and what it looks up: the catalogue of all rooms, and each room's log."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

from cluster.log import Catalogue, RoomLog, RoomRow, Store, Unavailable

STORE_RETRY_SECONDS = 0.5


class Stored:
    """The store, as the directory uses it. There is a ``catalogue`` once it is opened."""

    catalogue: Catalogue

    def __init__(self, store: Store, log: Any) -> None:
        self.store = store
        self._log = log

    async def open(self) -> deque[RoomRow]:
        """Every room that is not closed, oldest first; waits for a store that is away."""
        while True:
            try:
                self.catalogue = await self.store.catalogue()
                return deque(await self.catalogue.open_rooms())
            except Unavailable as down:
                self._log.error("store_down", why=str(down))
                await asyncio.sleep(STORE_RETRY_SECONDS)

    async def close(self) -> None:
        await self.catalogue.close()

    @contextlib.asynccontextmanager
    async def log_of(self, room: str) -> AsyncIterator[RoomLog]:
        """Its log, to be read. Raises `UnknownRoom`."""
        log = await self.store.room(room)
        try:
            yield log
        finally:
            await log.close()
