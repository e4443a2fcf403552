"""WebSockets: between a transport and a session, and nothing of its own to decide.

    transport ─feed_data─▶ FrameReader ─▶ Session ─effects─▶ Connection ─send─▶ Attachment ─▶ room
    transport ◀─────────── write ◀─────── Connection ◀──deliver── (the attachment's sink)

A message goes from the transport to the attachment in one call, and a room's frames go to the transport in one write:
no task, no queue, nothing to wait for. What waits for a slow client is the transport's own buffer, and that is capped.
"""

from __future__ import annotations

import asyncio
import math
import random
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Sequence
from hashlib import sha1
from typing import Any, Literal, assert_never

import msgspec
import structlog
from aiohttp import web

from cluster import messages
from cluster.client import Attachment, Cluster
from cluster.faults import place_of
from cluster.messages import Bye
from gateway import frames
from gateway.auth import Authenticator
from gateway.config import Settings
from gateway.frames import Binary, Broken, Closed, FrameReader, Ping, Pong, Text
from gateway.limits import Caps, Gate, Rate
from gateway.metering import GatewayMetrics
from gateway.pressure import NEARLY_FULL, Pressure
from gateway.refusals import bye, close_code, refusal
from gateway.session import Authenticate, Effect, End, Join, Pass, Session, Tell

MISSED_PINGS = 3
LAST_BYTES = 65_536  # after a Bye: what comes past so many is not even looked at
RESUMED = b'"resumed":true'
RECOVERING = "방이 잠시 멈췄어요. 곧 되살아나요"
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

log = structlog.get_logger()
_encode = msgspec.json.Encoder().encode


class Hub:
    """All connections of this gateway, and what they share."""

    def __init__(
        self, cluster: Cluster, authenticator: Authenticator, settings: Settings, metrics: GatewayMetrics
    ) -> None:
        self.cluster, self.authenticator = cluster, authenticator
        self.settings, self.metrics = settings, metrics
        self.rates = settings.rates
        self.caps = Caps(settings.sessions, settings.sessions_per_address)
        self.strangers = Caps(settings.sessions, settings.strangers_per_address)  # of them, who has not said who it is
        self.people = Caps(settings.sessions, settings.sessions_each)  # and who has, by person
        self.pressure = Pressure(settings.lag_seconds)
        self.joins = Gate(
            Rate(settings.joins_each_rate, settings.joins_each_burst), Rate(settings.joins_rate, settings.joins_burst)
        )
        self.keys = Gate(
            Rate(settings.keys_each_rate, settings.keys_each_burst), Rate(settings.keys_rate, settings.keys_burst)
        )
        self.draining = False
        self._connections: set[Connection] = set()

    def __len__(self) -> int:
        return len(self._connections)

    def opened(self, connection: Connection) -> None:
        self._connections.add(connection)
        self.caps.enter(connection.address)
        self.strangers.enter(connection.address)
        self.metrics.sockets(self.caps.open)

    def known(self, connection: Connection, player: str) -> None:
        """It has said who it is."""
        self.strangers.leave(connection.address)
        self.people.enter(player)

    def gone(self, connection: Connection) -> None:
        self._connections.discard(connection)
        self.caps.leave(connection.address)
        if connection.player is None:
            self.strangers.leave(connection.address)
        else:
            self.people.leave(connection.player)
        self.metrics.sockets(self.caps.open)

    def no_room_for(self, address: str) -> Bye | None:
        """Why there can be no connection from here now."""
        if self.draining:
            return self.shutdown()
        match self.caps.full(address):
            case "total":
                return bye("overloaded", after=random.randint(2_000, 10_000))
            case "key":
                return bye("flood", after=random.randint(5_000, 30_000))
            case _ if self.strangers.full(address) is not None:
                return bye("flood", after=random.randint(5_000, 30_000))
            case _:
                return None

    @property
    def nearly_full(self) -> bool:
        """The last places are for those who come back."""
        return self.caps.open > math.ceil(self.settings.sessions * NEARLY_FULL)

    def turned_away(self, address: str, wish: Join, now: float) -> Bye | None:
        """Why this person may not come in now, whatever the room would say."""
        if not wish.seq and (self.pressure.overloaded or self.nearly_full):
            return bye("overloaded", after=random.randint(2_000, 10_000))
        if self.people.full(wish.player) == "key":
            return bye("flood", after=random.randint(5_000, 30_000))
        if wait := self.joins.take(wish.player, address, now):
            return bye("flood", after=int(wait * 1000) + random.randint(500, 2_000))
        if wish.key and self.keys.wait(wish.player, address, now):
            return bye("wrong_key")
        return None

    def shutdown(self) -> Bye:
        """Everybody is to come back, but not all at once; to other gateways, where their addresses are not ours."""
        others = self.settings.drain_to
        spread = random.randint(0, int(self.settings.drain_spread * 1000))
        return bye("shutdown", after=spread, at=random.choice(others) if others else "")

    async def drain(self) -> None:
        """Says good-bye to everyone. Returns when all sockets are closed, after a limited time."""
        self.draining = True
        connections = list(self._connections)
        for connection in connections:
            connection.end(self.shutdown())
        if connections:
            log.info("draining", sockets=len(connections))
            await asyncio.wait([connection.ended for connection in connections], timeout=self.settings.close_seconds)
        for connection in list(self._connections):
            connection.abort()


class Connection:
    """One socket. It is the parser of its HTTP connection, and the sink of its session."""

    __slots__ = (
        "_attachment",
        "_authenticating",
        "_closing",
        "_counted",
        "_frames",
        "_heartbeat",
        "_hub",
        "_ignored",
        "_key_tried",
        "_loop",
        "_resuming",
        "_session",
        "_timer",
        "_transport",
        "_unheard",
        "address",
        "ended",
        "player",
    )

    def __init__(self, hub: Hub, transport: asyncio.Transport, address: str) -> None:
        self._hub, self._transport, self.address = hub, transport, address
        self._loop = asyncio.get_running_loop()
        self._frames = FrameReader(hub.settings.frame_bytes)
        self._session = Session(hub.rates, self._loop.time())
        self._attachment: Attachment | None = None
        self._authenticating: asyncio.Task[None] | None = None
        self.player: str | None = None  # who it is, once that is known
        self._key_tried = False  # it came with a key for the room's lock
        self._closing = False  # nothing more is sent
        self._ignored = 0  # bytes that came after that
        self._counted = False  # what came of the hello
        self._resuming = False  # its first message tells whether it has missed something
        self._unheard = 0  # heartbeats since anything was heard
        self._timer: asyncio.TimerHandle | None = None  # of the hello, then of the closing
        self._heartbeat: asyncio.TimerHandle | None = None
        self.ended: asyncio.Future[None] = self._loop.create_future()

    def start(self) -> None:
        """The handshake is done."""
        settings = self._hub.settings
        no = self._hub.no_room_for(self.address)
        self._hub.opened(self)
        if no is not None:
            self.end(no)
            return
        self._timer = self._loop.call_later(settings.hello_seconds, self._late)
        self._heartbeat = self._loop.call_later(settings.ping_seconds, self._beat)

    # ------------------------------------------------------------ from the transport

    def feed_data(self, data: bytes) -> tuple[bool, bytes]:
        """aiohttp has read this. The answer is "go on"."""
        self._unheard = 0
        try:
            if self._closing:
                self._look_for_close(data)
            else:
                self._read(data)
        except Exception as bug:  # of ours: it must not take the gateway's other sockets along
            log.error("connection_failed", bug=place_of(bug))
            self.abort()
        return False, b""

    def _read(self, data: bytes) -> None:
        for arrival in self._frames.feed(data):
            if self._closing and not isinstance(arrival, Closed):
                continue
            if isinstance(arrival, Text):
                self._carry_out(self._session.received(arrival.data, self._loop.time()))
            else:
                self._take(arrival)

    def _look_for_close(self, data: bytes) -> None:
        """After the last words only the client's own Close is of interest, and that for a while."""
        self._ignored += len(data)
        if self._ignored <= LAST_BYTES and any(isinstance(arrival, Closed) for arrival in self._frames.feed(data)):
            self._transport.close()

    def feed_eof(self) -> None:
        """The TCP connection is gone."""
        if self.ended.done():
            return
        self._came_to("gone")
        self._leave_room()
        self._closing = True
        for timer in (self._timer, self._heartbeat):
            if timer is not None:
                timer.cancel()
        self._hub.gone(self)
        self.ended.set_result(None)

    def _take(self, arrival: Binary | Ping | Pong | Closed | Broken) -> None:
        match arrival:
            case Ping(data):
                self._write(frames.pong_frame(data))
                self._carry_out(self._session.control(self._loop.time()))
            case Pong():
                self._carry_out(self._session.control(self._loop.time()))
            case Binary():
                self._carry_out(self._session.binary(self._loop.time()))
            case Broken(code, why):
                self._broken(code, why)
            case Closed(code):
                self._leave_room()
                self._write(frames.close_frame(code))
                self._close_soon()
                self._transport.close()
            case _ as never:
                assert_never(never)

    def _broken(self, code: int, why: str) -> None:
        log.debug("frames_broken", code=code, why=why)
        self.end(bye("too_big" if code == frames.TOO_BIG else "bad_message"), code)

    # ------------------------------------------------------------ what the session wants

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Pass(id, kind, data):
                    self._hub.metrics.message_in(kind)
                    if self._attachment is not None and not self._attachment.send(data, id):
                        self._carry_out(self._session.refused(id))
                case Tell(message):
                    if isinstance(message, messages.Pong):
                        self._hub.metrics.message_in("ping")
                    else:
                        self._hub.metrics.refused(message.code)
                    self._write(frames.text_frame(_encode(message)), 1)
                case Authenticate(token):
                    self._hub.metrics.message_in("hello")
                    self._authenticating = self._loop.create_task(self._authenticate(token))
                case Join():
                    self._join(effect)
                case End(farewell):
                    self.end(farewell)
                case _ as never:
                    assert_never(never)

    async def _authenticate(self, token: str) -> None:
        try:
            identity = await self._hub.authenticator.identify(token)
            self._authenticating = None
            self._carry_out(self._session.identified(identity))
        except Exception as bug:  # whatever an authenticator may raise: this client comes again, nobody else notices
            self._authenticating = None
            log.error("authentication_failed", bug=place_of(bug))
            self.end(bye("unavailable", after=random.randint(1_000, 5_000)))

    def _join(self, wish: Join) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if (no := self._hub.turned_away(self.address, wish, self._loop.time())) is not None:
            self.end(no)
            return
        self._hub.known(self, wish.player)
        self.player = wish.player
        self._resuming = wish.seq is not None
        self._key_tried = bool(wish.key)
        self._came_to("ok")
        attachment = self._hub.cluster.attach(
            self,
            room=wish.room,
            player=wish.player,
            name=wish.name,
            join=wish.join,
            seq=wish.seq,
            key=wish.key,
            pledge=wish.pledge,
        )
        if self._closing:  # the room has said no before we knew where it was
            attachment.detach()
        else:
            self._attachment = attachment

    def _leave_room(self) -> None:
        """Nothing reaches the room from here any more, and nothing comes."""
        self._session.lost()
        if self._authenticating is not None:
            self._authenticating.cancel()
            self._authenticating = None
        attachment, self._attachment = self._attachment, None
        if attachment is not None:
            attachment.detach()

    def _came_to(self, code: str) -> None:
        """Counts, once, what came of the hello."""
        if not self._counted:
            self._counted = True
            self._hub.metrics.handshake(code)

    # ------------------------------------------------------------ the sink: from the room

    def deliver(self, texts: Sequence[bytes]) -> None:
        if self._resuming and texts:
            self._resuming = False
            self._hub.metrics.resumed(RESUMED in texts[0])
        self._write(frames.text_frames(texts), len(texts))

    def paused(self, reason: Literal["recovering"]) -> None:
        self._write(frames.text_frame(_encode(messages.Pause(reason, RECOVERING))), 1)

    def resumed(self) -> None:
        self._write(frames.text_frame(_encode(messages.Resume())), 1)

    def closed(self, bye: Bye) -> None:
        self._attachment = None  # the room has let go of it already
        if bye.code == "wrong_key" and self._key_tried and self.player is not None:
            self._hub.keys.take(self.player, self.address, self._loop.time())
        self._carry_out(self._session.parted(bye))

    # ------------------------------------------------------------ to the transport

    def _write(self, data: bytes, count: int = 0) -> None:
        """Into the transport's buffer, if the client keeps up with reading; otherwise it is sent away."""
        transport, hub = self._transport, self._hub
        if self._closing or transport.is_closing():
            return
        if transport.get_write_buffer_size() > hub.settings.outbox_bytes:
            hub.metrics.outbox_dropped()
            self.end(bye("slow"))
            return
        transport.write(data)
        if count:
            hub.metrics.messages_out(count, len(data))

    def end(self, farewell: Bye, code: int | None = None) -> None:
        """The last message, and the closing handshake. What still comes in is thrown away until the client closes.

        It must be read, for a socket closed with something unread in it is reset, and the last words with it.
        """
        if self._closing:
            return
        self._leave_room()
        self._came_to(farewell.code)
        self._hub.metrics.bye(farewell.code)
        self._close_soon()
        if not self._transport.is_closing():
            last = frames.text_frame(_encode(farewell))
            self._transport.write(last + frames.close_frame(code or close_code(farewell.code), farewell.code))

    def _close_soon(self) -> None:
        """Nothing more is sent; the connection is cut if it has not ended in a while."""
        self._closing = True
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(self._hub.settings.close_seconds, self.abort)

    def abort(self) -> None:
        """Cuts the connection."""
        self._closing = True
        self._leave_room()
        self._transport.abort()

    # ------------------------------------------------------------ timers

    def _late(self) -> None:
        self._timer = None
        self._carry_out(self._session.late())

    def _beat(self) -> None:
        """Asks whether the peer is there; a peer that is silent for too long is not."""
        if self._closing:
            return
        self._unheard += 1
        if self._unheard >= MISSED_PINGS:
            log.debug("peer_silent")
            self.abort()
            return
        self._heartbeat = self._loop.call_later(self._hub.settings.ping_seconds, self._beat)
        self._write(frames.ping_frame())
        self._carry_out(self._session.rests(self._loop.time(), self._hub.settings.idle_seconds))


# ---------------------------------------------------------------- the handshake


async def upgrade(request: web.Request, hub: Hub, address: str) -> web.StreamResponse:
    """Turns an HTTP request into a WebSocket, and returns when that has ended.

    aiohttp's own WebSocketResponse would put its reader in the way, so the answer 101 is an ordinary response, and the
    connection becomes the parser of whatever comes after it, also of what has come already.
    """
    response = web.StreamResponse(status=101, headers=_answer(request))
    response.force_close()
    try:
        await response.prepare(request)
    except ConnectionError:  # gone before it was answered
        return response
    transport: Any = request.transport
    if transport is None:
        return response
    request.protocol.keep_alive(False)
    connection = Connection(hub, transport, address)
    connection.start()
    request.protocol.set_parser(connection)  # type: ignore[arg-type]  # all it needs is feed_data and feed_eof
    await asyncio.shield(connection.ended)
    return response


def _answer(request: web.Request) -> dict[str, str]:
    """The headers that complete the handshake (RFC 6455, 4.2); `Refused` where it is none."""
    headers = request.headers
    connection = {part.strip() for part in headers.get("Connection", "").lower().split(",")}
    if headers.get("Upgrade", "").lower() != "websocket" or "upgrade" not in connection:
        raise refusal("upgrade_required")
    key = headers.get("Sec-WebSocket-Key", "")
    try:
        fits = len(b64decode(key, validate=True)) == 16
    except (NotBase64, ValueError):
        fits = False
    if not fits or headers.get("Sec-WebSocket-Version") != "13":
        raise refusal("upgrade_required")
    accept = b64encode(sha1(key.encode() + _GUID).digest()).decode()  # noqa: S324  # as the standard has it
    return {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accept}
