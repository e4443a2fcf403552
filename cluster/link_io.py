"""The link on asyncio: TCP or a Unix socket, the handshake, requests with time limits, and frames to a handler.

Writing never waits. What is written to a peer that does not read is bounded by ``outbox`` bytes; past that the stream
is cut, and both ends treat it as the other's death, which they must be able to survive anyway. A request or an answer
that would do so by itself is refused instead.
"""

from __future__ import annotations

import asyncio
import errno
import itertools
import os
import random
import socket
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Protocol, cast

import msgspec
import structlog

from cluster import link
from cluster.faults import place_of
from cluster.link import Frames, Handshake, LinkError, Refusal, Reply, Role, Who, WrongSecret
from ops.metrics import Tally

HANDSHAKE_SECONDS = 5.0
QUIET_SECONDS = 5.0  # a peer that has said nothing for so long is asked whether it is still there
SILENT_SECONDS = 10.0  # and is given up when it does not answer within
SILENT = "it has fallen silent"  # why the stream to it ends then
AWAKE_SECONDS = 1.0  # once more, should it be we who were asleep meanwhile
BACKLOG = 1024  # a node's rooms may all come at once, and a Unix socket turns away whom it has no place for
OUTBOX = link.FRAME_LIMIT  # bytes that may wait for a peer to read them
MESSAGE_LIMIT = 12 * 1024 * 1024  # a request or an answer: a larger one, with what waits before it, might cut the link

log = structlog.get_logger()

# What a refusal says of a fault here; its words may go as far as a player, and so say nothing of what is inside.
AWAY = "지금은 서버가 답하지 못해요. 잠시 뒤에 다시 해 주세요"
TOO_LARGE = "보여 주기에는 너무 커요"
BUG = "서버에 문제가 생겼어요. 잠시 뒤에 다시 해 주세요"

_decode_object = msgspec.json.Decoder(dict[str, Any]).decode


class RequestRefused(Exception):
    """The peer answered a request with a refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code}: {refusal.message}")
        self.refusal = refusal


class LinkLost(Exception):
    """The stream ended before the answer came."""


class Handler(Protocol):
    """What an end of a link does with what arrives. Called from the event loop, in order; must not block."""

    def opened(self, peer: Peer) -> None:
        """Both ends have proved themselves."""

    def received(self, peer: Peer, kind: int, body: bytes) -> None:
        """A frame that is not part of the machinery below."""

    def flushed(self, peer: Peer) -> None:
        """All frames that came in one piece have been received."""

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        """A REQUEST; the return value is the answer. Raise `RequestRefused` to refuse."""

    def noticed(self, peer: Peer, notice: dict[str, Any]) -> None:
        """A NOTIFY."""

    def closed(self, peer: Peer, why: str) -> None:
        """The stream is gone. Called once for every `opened`."""


class BaseHandler:
    """Does nothing, and refuses requests. For inheriting."""

    def opened(self, peer: Peer) -> None:
        return None

    def received(self, peer: Peer, kind: int, body: bytes) -> None:
        peer.abort(f"a frame of kind {kind}")

    def flushed(self, peer: Peer) -> None:
        return None

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        raise RequestRefused(Refusal("unknown_request", str(request.get("type"))))

    def noticed(self, peer: Peer, notice: dict[str, Any]) -> None:
        return None

    def closed(self, peer: Peer, why: str) -> None:
        return None


class LinkCounts:
    """Counts one process's links; its tally may be shown or drained."""

    def __init__(self, tally: Tally, *expected: str) -> None:
        """``expected``: kinds of peers that are counted as 0 from the start, so that their absence can be seen."""
        self._tally = tally
        self._open = dict.fromkeys(expected, 0)
        for kind in expected:
            tally.gauge("hanpan_links", kind, value=0)

    def changed(self, kind: str, by: int) -> None:
        self._open[kind] = self._open.get(kind, 0) + by
        self._tally.gauge("hanpan_links", kind, value=self._open[kind])

    def dialled(self, outcome: str) -> None:
        self._tally.count("hanpan_link_dials_total", outcome)

    def stranger(self) -> None:
        """A peer that did not prove to know the secret."""
        self._tally.count("hanpan_link_auth_failures_total")


class Peer(asyncio.Protocol):
    """One end of one stream."""

    def __init__(
        self,
        role: Role,
        secret: bytes,
        me: Who,
        handler: Handler,
        outbox: int = OUTBOX,
        counts: LinkCounts | None = None,
    ) -> None:
        self._counts = counts
        self._handshake = Handshake(role, secret, me, os.urandom(link.NONCE))
        self._frames = Frames(link.HELLO_LIMIT)
        self._handler = handler
        self._outbox = outbox
        self._transport: asyncio.WriteTransport | None = None
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self._why = "closed by the peer"
        self._opened = False  # and the handler knows
        self.ready: asyncio.Future[None] = self._loop.create_future()
        self.who: Who | None = None
        self.heard = self._loop.time()  # when anything came last
        self.data: Any = None  # the handler's own note about this peer

    # ------------------------------------------------------------ asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport = cast(asyncio.WriteTransport, transport)  # uvloop's does not inherit from it
        raw = transport.get_extra_info("socket")
        if raw is not None and raw.family in (socket.AF_INET, socket.AF_INET6):
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        transport.write(self._handshake.opening())
        self._timer = self._loop.call_later(HANDSHAKE_SECONDS, self.abort, "no handshake in time")

    def data_received(self, data: bytes) -> None:
        self.heard = self._loop.time()
        try:
            for kind, body in self._frames.feed(data):
                if self._opened:
                    self._take(kind, body)
                elif not self._handshake.done:
                    self._shake(kind, body)
        except (LinkError, msgspec.MsgspecError) as broken:
            if self._counts is not None and isinstance(broken, WrongSecret):
                self._counts.stranger()
            self.abort(str(broken))
            return
        except Exception as bug:  # what a peer of another kind or time may bring: it costs its stream, and nothing else
            log.error("link_failed", peer=None if self.who is None else self.who.kind, bug=place_of(bug))
            self.abort("a frame that could not be taken")
            return
        if self._opened:
            self._handler.flushed(self)

    def connection_lost(self, exc: Exception | None) -> None:
        if exc is not None and self._why == "closed by the peer":
            self._why = f"{type(exc).__name__}: {exc}"
        if self._timer is not None:
            self._timer.cancel()
        lost = LinkLost(self._why)
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(lost)
        self._waiting.clear()
        self._transport = None
        if not self.ready.done():
            self.ready.set_exception(lost)
            self.ready.exception()  # whoever waits is told; without one it is nobody's loss
        elif self._opened:
            if self._counts is not None and self.who is not None:
                self._counts.changed(self.who.kind, -1)
            self._handler.closed(self, self._why)

    def _shake(self, kind: int, body: bytes) -> None:
        reply = self._handshake.receive(kind, body)
        if reply:
            self.write(reply)
        if self._handshake.done:
            assert self._timer is not None
            self._timer.cancel()
            if self.ready.done():  # whoever dialled has given up meanwhile
                self.abort("nobody waits for it any more")
                return
            self._opened = True
            self._frames.limit = link.FRAME_LIMIT
            self.who = self._handshake.peer
            self.ready.set_result(None)
            if self._counts is not None and self.who is not None:
                self._counts.changed(self.who.kind, 1)
            self._handler.opened(self)

    def _take(self, kind: int, body: bytes) -> None:
        if kind >= link.ATTACH:  # between gateway and room: a player waits for it
            self._handler.received(self, kind, body)
        elif kind == link.REPLY:
            reply = msgspec.json.decode(body[4:], type=Reply)
            future = self._waiting.pop(link.number_of(body), None)
            if future is not None and not future.done():
                if reply.refused is not None:
                    future.set_exception(RequestRefused(reply.refused))
                else:
                    future.set_result(reply.ok)
        elif kind == link.REQUEST:
            task = self._loop.create_task(self._answer(link.number_of(body), _decode_object(body[4:])))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
        elif kind == link.NOTIFY:
            self._handler.noticed(self, _decode_object(body))
        elif kind == link.PING:
            self.write(link.numbered(link.PONG, link.number_of(body)))
        elif kind == link.PONG:
            future = self._waiting.pop(link.number_of(body), None)
            if future is not None and not future.done():
                future.set_result(None)
        else:
            self._handler.received(self, kind, body)

    async def _answer(self, number: int, request: dict[str, Any]) -> None:
        try:
            reply = Reply(ok=await self._handler.asked(self, request))
        except RequestRefused as no:
            reply = Reply(refused=no.refusal)
        except (LinkLost, TimeoutError):  # somebody whom the handler had to ask in turn
            reply = Reply(refused=Refusal("unavailable", AWAY, retry=True))
        except Exception as bug:
            log.error("link_request_failed", request=str(request.get("type"))[:40], bug=place_of(bug))
            reply = Reply(refused=Refusal("internal", BUG))
        body = self._encoded(reply, request)
        self.write(link.numbered(link.REPLY, number, body))

    def _encoded(self, reply: Reply, request: dict[str, Any]) -> bytes:
        """What is sent; a refusal instead of what cannot be. Whoever asked must not wait for it, nor lose the link."""
        kind = str(request.get("type"))[:40]
        try:
            body = msgspec.json.encode(reply)
        except Exception as bug:
            log.error("link_request_failed", request=kind, bug=place_of(bug))
            return msgspec.json.encode(Reply(refused=Refusal("internal", BUG)))
        if len(body) <= MESSAGE_LIMIT:
            return body
        log.error("link_answer_too_large", request=kind, bytes=len(body))
        return msgspec.json.encode(Reply(refused=Refusal("too_large", TOO_LARGE)))

    # ------------------------------------------------------------ for its owner

    @property
    def open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    def write(self, data: bytes) -> None:
        """Sends one or more whole frames. Nothing happens where the stream is gone: `closed` tells."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        transport.write(data)
        if transport.get_write_buffer_size() > self._outbox:
            self.abort("the peer does not read")

    def notify(self, notice: dict[str, Any]) -> None:
        self.write(link.frame(link.NOTIFY, msgspec.json.encode(notice)))

    async def ask(self, request: dict[str, Any] | msgspec.Struct, seconds: float) -> Any:
        """The answer to a request, which has a ``type``. Raises `RequestRefused`, `LinkLost`, or `TimeoutError`.

        Refused as ``too_large`` are requests and answers over `MESSAGE_LIMIT` bytes.
        """
        body = msgspec.json.encode(request)
        if len(body) > MESSAGE_LIMIT:
            raise RequestRefused(Refusal("too_large", TOO_LARGE))
        return await self._await_number(link.REQUEST, seconds, body)

    async def ping(self, seconds: float) -> None:
        """Returns when the peer's event loop has answered. Raises like `ask`."""
        await self._await_number(link.PING, seconds)

    async def _await_number(self, kind: int, seconds: float, body: bytes = b"") -> Any:
        if not self.open:
            raise LinkLost(self._why)
        number = next(self._numbers)
        future: asyncio.Future[Any] = self._loop.create_future()
        self._waiting[number] = future
        self.write(link.numbered(kind, number, body))
        try:
            async with asyncio.timeout(seconds):
                return await future
        finally:
            self._waiting.pop(number, None)

    def close(self, why: str = "closed by us") -> None:
        """Sends what is written, then ends the stream."""
        self._why = why
        if self._transport is not None:
            self._transport.close()

    def abort(self, why: str) -> None:
        """Ends the stream at once."""
        self._why = why
        if self._transport is not None:
            self._transport.abort()


async def cut_off_the_silent(peers: Callable[[], Iterable[Peer]]) -> None:
    """Ends streams to whoever says nothing any more, for as long as it runs; their handlers see that as a death.

    A machine that loses power, a network that is cut, a process that stands still: none of them closes a stream, and
    the kernel would keep it for a quarter of an hour. Whoever talks is never asked.
    """
    asking: dict[Peer, asyncio.Task[None]] = {}
    loop = asyncio.get_running_loop()
    try:
        while True:
            await asyncio.sleep(QUIET_SECONDS)
            for peer in list(peers()):
                if peer.open and peer not in asking and loop.time() - peer.heard >= QUIET_SECONDS:
                    asking[peer] = task = loop.create_task(_cut_off_if_silent(peer))
                    task.add_done_callback(lambda _, peer=peer: asking.pop(peer))  # type: ignore[misc]
    finally:
        for task in list(asking.values()):
            task.cancel()


async def _cut_off_if_silent(peer: Peer) -> None:
    try:
        await hear(peer, SILENT_SECONDS)
    except TimeoutError:
        peer.abort(SILENT)
    except LinkLost:
        return


async def hear(peer: Peer, seconds: float) -> None:
    """Returns when the peer has shown that it is there. Raises `LinkLost`, or `TimeoutError` when it has not.

    It is asked a second time before that: a process that stood still itself finds the time up when it wakes, and the
    answer unread.
    """
    try:
        await peer.ping(seconds)
    except TimeoutError:
        await peer.ping(AWAKE_SECONDS)


async def dial(
    address: str,
    secret: bytes,
    me: Who,
    handler: Handler,
    seconds: float = HANDSHAKE_SECONDS,
    counts: LinkCounts | None = None,
) -> Peer:
    """A proven link to ``host:port`` or ``unix:/path``. Raises `OSError`, `LinkLost` or `TimeoutError`."""
    try:
        peer = await _dial(address, seconds, lambda: Peer("dial", secret, me, handler, counts=counts))
    except (OSError, LinkLost, TimeoutError):
        if counts is not None:
            counts.dialled("failed")
        raise
    if counts is not None:
        counts.dialled("ok")
    return peer


async def _dial(address: str, seconds: float, make: Callable[[], Peer]) -> Peer:
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(seconds):
        if address.startswith("unix:"):
            transport, peer = await loop.create_unix_connection(make, address.removeprefix("unix:"))
        else:
            host, _, port = address.rpartition(":")
            transport, peer = await loop.create_connection(make, host, int(port))
        try:
            await peer.ready
        except BaseException:
            transport.abort()
            raise
    return peer


async def listen(
    address: str, secret: bytes, me: Who, handler_for: Callable[[], Handler], counts: LinkCounts | None = None
) -> tuple[asyncio.Server, str]:
    """Accepts links on ``host:port`` or ``unix:/path``; returns the server and its real address.

    A port of 0 is any; ``from-to`` is any of these, both included. Raises `OSError` where none is free.
    """
    loop = asyncio.get_running_loop()

    def make() -> Peer:
        return Peer("accept", secret, me, handler_for(), counts=counts)

    if address.startswith("unix:"):
        path = address.removeprefix("unix:")
        server = await loop.create_unix_server(make, path, backlog=BACKLOG)
        os.chmod(path, 0o600)
        return server, address
    host, _, wanted = address.rpartition(":")
    server = await _serve(make, host, wanted)
    return server, f"{host}:{server.sockets[0].getsockname()[1]}"


async def _serve(make: Callable[[], Peer], host: str, wanted: str) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    first, _, last = wanted.partition("-")
    ports = list(range(int(first), int(last or first) + 1))
    random.shuffle(ports)  # processes that start together should not all try the same ones
    for port in ports:
        try:
            return await loop.create_server(make, host, port, reuse_address=True, backlog=BACKLOG)
        except OSError as taken:
            if taken.errno != errno.EADDRINUSE or len(ports) == 1:
                raise
    raise OSError(errno.EADDRINUSE, f"no port of {host} from {first} to {last} is free")


Ask = Callable[[dict[str, Any], float], Awaitable[Any]]
