"""The door of a gateway's port: how many TCP connections there may be, in all and from one peer, before a byte is read.

Whoever is turned away is told so in HTTP, and closed. What a connection may do once it is in, and how long it may take
to say anything, is the business of those behind: aiohttp cuts off who has not sent a whole head in time.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

import msgspec

from gateway.limits import Caps, address_key
from gateway.metering import GatewayMetrics
from gateway.refusals import REFUSALS

_BODY = msgspec.json.encode({"code": "overloaded", "message": REFUSALS["overloaded"][1]})
TURNED_AWAY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
    b"Retry-After: 5\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY)
)


class Doorkeeper:
    """Makes a protocol for each connection: what ``make`` makes, behind a `Door`."""

    def __init__(self, make: Any, caps: Caps, metrics: GatewayMetrics, *, by_peer: bool) -> None:
        """``by_peer``: peers are clients; not so where all of them come through a proxy."""
        self._make, self.caps, self._metrics = make, caps, metrics
        self._by_peer = by_peer

    def __call__(self) -> Door:
        return Door(self)

    def let_in(self, transport: asyncio.Transport) -> tuple[str, asyncio.Protocol] | None:
        """Under which name it counts, and who speaks with it; None: nobody does."""
        peer = transport.get_extra_info("peername")
        key = address_key(peer[0]) if self._by_peer and peer else ""
        if self.caps.full(key) is not None:
            self._metrics.refused("overloaded")
            return None
        self.caps.enter(key)
        return key, self._make()


class Door(asyncio.Protocol):
    """One connection; passes everything on."""

    __slots__ = ("_behind", "_keeper", "_key")

    def __init__(self, keeper: Doorkeeper) -> None:
        self._keeper = keeper
        self._key = ""
        self._behind: asyncio.Protocol | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        stream = cast(asyncio.Transport, transport)
        if (found := self._keeper.let_in(stream)) is None:
            stream.write(TURNED_AWAY)
            stream.close()
            return
        self._key, self._behind = found
        self._behind.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._behind is not None:
            self._behind.data_received(data)

    def eof_received(self) -> bool | None:
        return self._behind.eof_received() if self._behind is not None else None

    def pause_writing(self) -> None:
        if self._behind is not None:
            self._behind.pause_writing()

    def resume_writing(self) -> None:
        if self._behind is not None:
            self._behind.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        behind, self._behind = self._behind, None
        if behind is not None:
            self._keeper.caps.leave(self._key)
            behind.connection_lost(exc)
