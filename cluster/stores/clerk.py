"""The log as a room process sees it where the store lies elsewhere: everything goes through the node's clerk.

It needs nothing but the link, which the process has loaded anyway; PostgreSQL's driver alone would be a tenth of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec

from cluster import clerk, link_io
from cluster.clerk import Ask
from cluster.link import Who
from cluster.link_io import BaseHandler, LinkLost, Peer, RequestRefused
from cluster.log import Owner, Snapshot, Unavailable
from cluster.stores.lines import LineLog, Page

ASK_SECONDS = 10.0  # longer than the clerk itself waits: it says better what is wrong
DIAL_SECONDS = 3.0

_RAISED = {code: kind for kind, code in clerk.REFUSALS.items()}


class ClerkStore:
    """``kind`` is that of the store behind the clerk. A link is open while a log is.

    The node has a second clerk in reserve, for when the first one does not answer.
    """

    def __init__(self, addresses: Sequence[str], secret: bytes, name: str, kind: str = "postgres") -> None:
        self.kind = kind
        self._addresses, self._secret, self._name = list(addresses), secret, name
        self._peer: Peer | None = None
        self._dialling = asyncio.Lock()
        self._opened = 0

    async def ready(self) -> None:
        return None

    async def room(self, room: str, *, create: bool = False) -> LineLog:
        self._opened += 1
        try:
            await self.open(room, create)
        except BaseException:
            await self.leave(room)
            raise
        return LineLog(self, room)

    async def leave(self, room: str) -> None:
        self._opened -= 1
        if self._opened == 0 and self._peer is not None:
            self._peer.close()
            self._peer = None

    async def open(self, room: str, create: bool) -> None:
        await self._ask(clerk.Open(room, create))

    async def claim(self, room: str, epoch: int, owner: str, wall: int) -> int:
        return int(await self._ask(clerk.Claim(room, epoch, owner, wall)))

    async def append(self, room: str, epoch: int, expected_seq: int, lines: Sequence[str]) -> None:
        await self._ask(clerk.Append(room, epoch, expected_seq, list(lines)))

    async def read(self, room: str, after: int) -> Page:
        return msgspec.convert(await self._ask(clerk.Read(room, after)), Page)

    async def save_snapshot(self, room: str, epoch: int, snapshot: Snapshot) -> None:
        await self._ask(clerk.Save(room, epoch, snapshot))

    async def snapshot(self, room: str) -> Snapshot | None:
        return msgspec.convert(await self._ask(clerk.Latest(room)), Snapshot | None)

    async def owners(self, room: str) -> list[Owner]:
        return msgspec.convert(await self._ask(clerk.Owners(room)), list[Owner])

    async def _ask(self, request: Ask) -> Any:
        try:
            peer = await self._link()
            try:
                return await peer.ask(request, ASK_SECONDS)
            except TimeoutError:
                peer.abort("it does not answer")  # the next question goes to whoever does
                raise
        except RequestRefused as no:
            raise _RAISED.get(no.refusal.code, Unavailable)(no.refusal.message) from no
        except (OSError, LinkLost, TimeoutError) as away:
            raise Unavailable(f"the clerk: {type(away).__name__}: {away}") from away

    async def _link(self) -> Peer:
        async with self._dialling:
            if self._peer is None or not self._peer.open:
                self._peer = await self._dial()
            return self._peer

    async def _dial(self) -> Peer:
        """The first that answers; it is tried first the next time, so that a node's rooms stay together."""
        me = Who(kind="room", name=self._name)
        for address in list(self._addresses):
            try:
                return await link_io.dial(address, self._secret, me, BaseHandler(), DIAL_SECONDS)
            except (OSError, LinkLost, TimeoutError) as gone:
                away: Exception = gone
                self._addresses.append(self._addresses.pop(0))
        raise away
