"""The clerk: one process a node, through which the node's rooms reach a store that lies elsewhere.

    room process ──link (Unix socket)──▶ clerk ──a few connections──▶ PostgreSQL
    room process ──────────────────────▶

Two hundred rooms share its four connections, and what they append at the same time shares a commit. It knows nothing
of rooms: it passes on what they say and what comes of it, and keeps nothing. If it dies, another takes its place at the
same socket; to the rooms that is a store that was away for a moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import Any, Protocol

import msgspec
import structlog

from cluster import link, link_io
from cluster.forever import forever
from cluster.link import Refusal, Who
from cluster.link_io import BaseHandler, LinkLost, Peer, RequestRefused
from cluster.log import Conflict, Damaged, Snapshot, Unavailable, UnknownRoom
from cluster.stores.lines import Lines
from ops.metrics import Tally

COUNT_SECONDS = 5.0
STAY_SECONDS = 1.0

REFUSALS: dict[type[Exception], str] = {
    Conflict: "conflict",
    Unavailable: "unavailable",
    Damaged: "damaged",
    UnknownRoom: "unknown_room",
}


class Ask(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower, omit_defaults=True):
    """What a room process asks of the clerk: a method of `Lines`, with its arguments."""

    room: str


class Open(Ask, frozen=True):
    create: bool


class Claim(Ask, frozen=True):
    epoch: int
    owner: str
    wall: int


class Append(Ask, frozen=True):
    epoch: int
    expected_seq: int
    lines: list[str]


class Read(Ask, frozen=True):
    after: int


class Save(Ask, frozen=True):
    epoch: int
    snapshot: Snapshot


class Latest(Ask, frozen=True):
    """The snapshot, if there is one."""


class Owners(Ask, frozen=True):
    pass


AnyAsk = Open | Claim | Append | Read | Save | Latest | Owners


class Served(Lines, Protocol):
    """A store that a clerk can stand for."""

    async def stay(self) -> None:
        """Lets others see that a hanpan is here, also while nothing is written."""
        ...

    def count(self, tally: Tally) -> None:
        """Adds what was done since the last call."""
        ...


class Clerk:
    """Runs until `stop`."""

    def __init__(self, socket: str, secret: bytes, name: str, lines: Served, agent: str = "") -> None:
        self.lines = lines
        self.tally = Tally()
        self.log = structlog.get_logger().bind(process=name)
        self._socket, self._secret, self._name = socket, secret, name
        self._agent = agent  # where its counts are shown; "": nowhere
        self._peers: set[Peer] = set()
        self.ready = asyncio.Event()
        self._stop = asyncio.Event()

    async def serve(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._socket.removeprefix("unix:"))  # left by one that was killed
        me = Who(kind="clerk", name=self._name)
        server, _ = await link_io.listen(self._socket, self._secret, me, lambda: _RoomHandler(self))
        self.ready.set()
        self.log.info("clerk_ready")
        tasks = [asyncio.create_task(forever(self._stay, self.log))]
        if self._agent:
            tasks.append(asyncio.create_task(forever(lambda: self._count(me), self.log)))
        try:
            await self._stop.wait()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            server.close()
            for peer in list(self._peers):
                peer.close("the clerk ends")

    def stop(self) -> None:
        self._stop.set()

    async def _stay(self) -> None:
        while True:
            try:
                await self.lines.stay()
            except (Unavailable, Damaged) as down:
                self.log.error("store_down", why=str(down))
            await asyncio.sleep(STAY_SECONDS)

    async def _count(self, me: Who) -> None:
        """Hands its counts to the node's agent, whichever that is just now."""
        peer: Peer | None = None
        while True:
            await asyncio.sleep(COUNT_SECONDS)
            self.lines.count(self.tally)
            try:
                if peer is None or not peer.open:
                    peer = await link_io.dial(self._agent, self._secret, me, BaseHandler())
                    delta = self.tally.drain(all_gauges=True)
                else:
                    delta = self.tally.drain()
            except (OSError, LinkLost, TimeoutError) as away:
                self.log.debug("no_agent", why=str(away))
                continue
            if delta:
                peer.write(link.frame(link.TALLY, delta))

    async def answer(self, request: AnyAsk) -> Any:
        """Does it; raises what `Lines` raises."""
        lines, room = self.lines, request.room
        match request:
            case Append(epoch=epoch, expected_seq=expected_seq, lines=entries):
                return await lines.append(room, epoch, expected_seq, entries)
            case Read(after=after):
                return await lines.read(room, after)
            case Save(epoch=epoch, snapshot=snapshot):
                return await lines.save_snapshot(room, epoch, snapshot)
            case Latest():
                return await lines.snapshot(room)
            case Claim(epoch=epoch, owner=owner, wall=wall):
                return await lines.claim(room, epoch, owner, wall)
            case Open(create=create):
                return await lines.open(room, create)
            case Owners():
                return await lines.owners(room)


class _RoomHandler(BaseHandler):
    """One room process's stream."""

    def __init__(self, clerk: Clerk) -> None:
        self._clerk = clerk

    def opened(self, peer: Peer) -> None:
        self._clerk._peers.add(peer)

    def closed(self, peer: Peer, why: str) -> None:
        self._clerk._peers.discard(peer)

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        try:
            return await self._clerk.answer(msgspec.convert(request, AnyAsk))
        except tuple(REFUSALS) as no:
            raise RequestRefused(Refusal(REFUSALS[type(no)], str(no))) from no
