"""What an attacker can reach, each as a function of bytes that must not raise: for Hypothesis, atheris and the million.

Real code all of it, without a socket: bytes go into the same objects that a transport would call. What asyncio would
only print (an exception in a task, in a callback) is raised here, too, and whatever our own code logs as an error.

A target keeps a world of its own between calls, as a server does, and says with `check` that it is as it was: nothing
held, nothing grown, the room still playing.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

import msgspec
import structlog

from cluster import link
from cluster.connection import ClusterConnection, RoomLink
from cluster.directory import Directory
from cluster.directory_config import DirectoryConfig
from cluster.entries import Created
from cluster.link import Handshake, Who
from cluster.link_io import BaseHandler, Peer
from cluster.messages import Hello, Sit, ToRoom
from cluster.process import RoomProcess, _GatewayHandler
from cluster.room.audience import Audience, Session, Situation
from cluster.room.decide import Person
from cluster.room.room import Decision, Room
from cluster.room.state import RoomState
from cluster.running import HostConfig
from cluster.stores.memory import MemoryStore
from engines.catalog import GAMES
from gateway.app import HUB, make_app, make_runner
from gateway.auth import Guests, Identity, clean_name
from gateway.config import Settings
from gateway.frames import Binary, Broken, Closed, FrameReader, Text
from gateway.limits import Rate, address_key, client_address
from gateway.session import Authenticate, End, Join, Pass, Rates, Tell
from gateway.session import Session as GatewaySession
from gateway.shape import bearable
from tests.gateway.fake import FakeCluster

KEY = "k" * 32
SECRET = b"s" * 32
FREE = Rates(*[Rate(0, 0)] * len(Rates.__struct_fields__))  # limits would end a session after a handful of tries
LIMIT = 16_384
PATHS_WITH_BODY = (b"/api/guest", b"/api/rooms", b"/api/quick", b"/api/join", b"/api/account", b"/api/admin/close")


class Wire:
    """A transport that goes nowhere."""

    def __init__(self) -> None:
        self.written = 0
        self.closed = False
        self.last = b""

    def write(self, data: bytes) -> None:
        self.written += len(data)
        self.last = bytes(data)

    def writelines(self, pieces: Any) -> None:
        self.write(b"".join(pieces))

    def close(self) -> None:
        self.closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.closed

    def get_write_buffer_size(self) -> int:
        return 0

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": ("192.0.2.1", 1234), "sockname": ("127.0.0.1", 80)}.get(name, default)

    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...
    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...
    def can_write_eof(self) -> bool:
        return False


class Loop:
    """An event loop in which nothing may fail unheard.

    ``trusted``: whoever is at the other end is a part of hanpan, whose bugs may well be logged as errors.
    """

    def __init__(self, *, trusted: bool = False) -> None:
        self.loop = asyncio.new_event_loop()
        self.faults: list[dict[str, Any]] = []
        self._trusted = trusted
        self.loop.set_exception_handler(lambda _, context: self.faults.append(context))
        structlog.configure(processors=[self._log])

    def _log(self, _: Any, method: str, event: Any) -> Any:
        """An error in the log says that something is wrong with us, and calls people: nobody may bring it about."""
        if method in ("error", "critical", "exception") and not self._trusted:
            self.faults.append(dict(event))
        raise structlog.DropEvent

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def turn(self, times: int = 3) -> None:
        """Lets what is ready happen."""

        async def turns() -> None:
            for _ in range(times):
                await asyncio.sleep(0)

        self.run(turns())
        if self.faults:
            raise AssertionError(self.faults)


class Target:
    """Something that can be reached."""

    def __call__(self, data: bytes) -> None:
        """One attack. Raises where it did harm."""
        raise NotImplementedError

    def check(self) -> None:
        """The world is as it was."""


class Sockets(Target):
    """A WebSocket's bytes, from the frame to the room: a session for each attack, and one room for all."""

    def __init__(self) -> None:
        self._guests = Guests([KEY])
        self._token = self._guests.issue("안나", "g_anna").token
        self._room = TableOfAll()

    def __call__(self, data: bytes) -> None:
        reader = FrameReader(LIMIT)
        session = GatewaySession(FREE, 0.0)
        cut = data[0] if data else 0
        pieces = [data[1:]] if cut < 128 else [data[1 : cut - 126], data[cut - 126 :]]
        if cut % 2:  # somebody who is let in
            hello = msgspec.json.encode(Hello(self._token, "r1"))
            for effect in session.received(hello, 0.0):
                assert isinstance(effect, Authenticate)
                session.identified(self._guests.known(effect.token))
        for piece in pieces:
            for arrival in reader.feed(piece):
                match arrival:
                    case Text(text):
                        self._effects(session, session.received(text, 0.0))
                    case Binary():
                        self._effects(session, session.binary(0.0))
                    case Closed() | Broken():
                        assert reader.feed(data) == []
                    case _:
                        self._effects(session, session.control(0.0))
            assert len(reader._buffer) + len(reader._parts) <= 2 * LIMIT + 14

    def _effects(self, session: GatewaySession, effects: list[Any]) -> None:
        for effect in effects:
            match effect:
                case Pass(data=said):
                    self._room.say(said)
                case Authenticate(token):
                    self._effects(session, session.identified(self._guests.known(token)))
                case Tell(message):
                    msgspec.json.encode(message)
                case Join(room=room, seq=seq):
                    assert len(room) <= 64
                    assert seq is None or seq >= 0
                case End(bye):
                    msgspec.json.encode(bye)

    def check(self) -> None:
        self._room.check()


class Messages(Target):
    """A text message of somebody who plays, in any game; and what a room makes of it."""

    def __init__(self) -> None:
        self._room = TableOfAll()

    def __call__(self, data: bytes) -> None:
        session = GatewaySession(FREE, 0.0)
        for effect in session.received(msgspec.json.encode(Hello("t", "r1")), 0.0):
            assert isinstance(effect, Authenticate)
        session.identified(Identity("g_anna", "안나"))
        for effect in session.received(data, 0.0):
            if isinstance(effect, Pass):
                self._room.say(effect.data)
            elif isinstance(effect, Tell):
                assert len(msgspec.json.encode(effect.message)) < 4 * LIMIT

    def check(self) -> None:
        self._room.check()


class TableOfAll:
    """A room of each game, in each of which 안나 is asked; every message is said in all of them."""

    def __init__(self) -> None:
        self._decode: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ToRoom)
        self.rooms: list[tuple[Room, RoomState, Audience[str]]] = []
        for game in GAMES.working():
            seats = max(2, game.min_players)
            room = Room(game, 1)
            fact = Created("r1", "ABCDEF", game.id, "g_anna", {}, seats, auto_start=True)
            room.commit(_sure(room.create(fact, seats - 1, 1_000, bytes(32))))
            room.commit(_sure(room.judge(_ANNA, Sit("s"), 1_000, {"g_anna"}, bytes(range(32)))))
            while not room.legal.get("g_anna"):  # until she is asked something
                room.commit(_sure(room.due(room.wake_at({"g_anna"}) or 0, {"g_anna"}, b"x" * 32)))
            audience: Audience[str] = Audience()
            audience.enter(Session("g_anna", _ANNA))
            self.rooms.append((room, room.state, audience))

    def say(self, data: bytes) -> None:
        try:
            said = self._decode.decode(data)
        except msgspec.MsgspecError:
            return  # the room's own worker says so in its log
        for room, state, audience in self.rooms:
            answer = room.judge(_ANNA, said, room.at + 1, {"g_anna"}, bytes(range(32)))
            if isinstance(answer, Decision):
                situation = Situation(room.game, answer.outcome.room, room.legal, room.seq + 1, room.at + 1)
                audience.tell_step(situation, answer.outcome.events, lobby_changed=True, game_changed=True)
            else:
                msgspec.json.encode(answer)
            assert room.state is state  # nothing is let be so here: the next attack finds it as it was

    def check(self) -> None:
        for room, state, _ in self.rooms:
            assert room.state is state
            assert len(room._answers["g_anna"]) <= 32


_ANNA = Person("g_anna", "안나")


def _sure(decision: Any) -> Decision:
    assert isinstance(decision, Decision), decision
    return decision


class Requests(Target):
    """The bytes of an HTTP connection, with the gateway's own application behind them."""

    def __init__(self) -> None:
        self._loop = Loop()
        settings = Settings(token_keys=(KEY,), admin_token="operator", lag_seconds=0.0, body_seconds=0.05)
        free = {name: 0.0 for name in Settings.__struct_fields__ if name.endswith("_rate")}
        self.cluster = FakeCluster()
        self._app = make_app(self.cluster, msgspec.structs.replace(settings, **free))
        self._runner = make_runner(self._app, settings)
        asyncio.set_event_loop(self._loop.loop)
        self._loop.run(self._runner.setup())
        self._token = Guests([KEY]).issue("안나", "g_anna").token.encode()

    def __call__(self, data: bytes) -> None:
        async def attack() -> None:
            wire = Wire()
            door = self._runner.server()
            door.connection_made(wire)
            for piece in data.replace(b"TOKEN", self._token).split(b"\xfe\xff"):
                if not wire.closed:
                    door.data_received(piece)
                await asyncio.sleep(0)
            for _ in range(5):
                await asyncio.sleep(0)
            door.connection_lost(None)
            for _ in range(3):
                await asyncio.sleep(0)

        self._loop.run(attack())
        if len(self.cluster.rooms) > 1_000:
            self.cluster.rooms.clear()
            self.cluster._keys.clear()
        self._loop.turn(1)

    def check(self) -> None:
        async def settled() -> None:
            async with asyncio.timeout(5):
                while len(asyncio.all_tasks()) > 2 or self._runner.caps.open or len(self._app[HUB]):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)

        self._loop.run(settled())
        assert self._app[HUB].caps.open == 0


class Bodies(Requests):
    """The bodies of requests that are otherwise as they should be; the first byte says of which."""

    def __call__(self, data: bytes) -> None:
        path = PATHS_WITH_BODY[data[0] % len(PATHS_WITH_BODY)] if data else PATHS_WITH_BODY[0]
        head = b"POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\nContent-Length: %d\r\n\r\n"
        body = data[1:].replace(b"TOKEN", b"token").replace(b"\xfe\xff", b"")
        super().__call__(head % (path, len(body)) + body)


class Strangers(Target):
    """A link's bytes, of a peer that does not know the secret, to either end."""

    def __init__(self) -> None:
        self._loop = Loop()

    def __call__(self, data: bytes) -> None:
        async def attack() -> None:
            for role in ("accept", "dial"):
                opened: list[Peer] = []
                handler = BaseHandler()
                handler.opened = opened.append  # type: ignore[method-assign]
                peer = Peer(role, SECRET, Who(kind="room", name="r"), handler)  # type: ignore[arg-type]
                wire = Wire()
                peer.connection_made(wire)  # type: ignore[arg-type]
                peer.data_received(data)
                assert len(peer._frames._buffer) <= link.HELLO_LIMIT + 4
                assert not opened
                peer.connection_lost(None)

        self._loop.run(attack())
        self._loop.turn(1)


class Insiders(Target):
    """Frames of a peer that does know the secret, and is broken, or of another time: to all that listen for some."""

    def __init__(self) -> None:
        self._loop = Loop(trusted=True)
        self._loop.run(self._build())

    async def _build(self) -> None:
        config = DirectoryConfig(secret=SECRET, address="127.0.0.1:0")
        self._store = MemoryStore()
        self._directory = Directory(config, self._store)
        await self._directory.stored.open()
        host = HostConfig(name="p", secret=SECRET, agent="", host="")
        self._process = RoomProcess(host, MemoryStore(), lambda why: None)
        self._connection = ClusterConnection("127.0.0.1:1", SECRET, "gw")

    def __call__(self, data: bytes) -> None:
        async def attack() -> None:
            room = RoomLink(self._connection, "r1")
            for handler, kind in (
                (self._directory.handler(), "gateway"),
                (self._directory.handler(), "agent"),
                (_GatewayHandler(self._process), "gateway"),
                (room, "room"),
            ):
                peer = proven(handler, kind)
                peer.data_received(data)
                for _ in range(4):
                    await asyncio.sleep(0)
                for task in list(peer._answering):
                    task.cancel()
                peer.connection_lost(None)
                await asyncio.sleep(0)
            room.close()

        self._loop.run(attack())
        directory = self._directory
        directory.background.cancel()
        registry = directory.registry
        for known in (directory.roster.here, registry.records, registry.by_code, registry.made_by):
            known.clear()  # whoever is inside may well make rooms: the next attack is not to drag them along
        self._store._rows.clear()
        self._loop.turn(3)

    def check(self) -> None:
        self._loop.turn(3)
        assert not self._process._gateways
        assert not self._directory.gateways.peers
        assert self._process.running is None


def proven(handler: Any, kind: str) -> Peer:
    """The accepting end of a link whose other end has proved itself."""
    peer = Peer("accept", SECRET, Who(kind="room", name="r"), handler)
    wire = Wire()
    peer.connection_made(wire)  # type: ignore[arg-type]
    other = Handshake("dial", SECRET, Who(kind=kind, name="x"), os.urandom(link.NONCE))
    replies = [other.receive(number, body) for number, body in link.Frames().feed(wire.last)]
    peer.data_received(other.opening() + b"".join(replies))
    assert peer.ready.done()
    return peer


class Texts(Target):
    """Small things that come from outside as text: tokens, names, addresses, the shape of JSON."""

    def __init__(self) -> None:
        self._guests = Guests([KEY])

    def __call__(self, data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        assert self._guests.known(text) is None
        name = clean_name(text)
        assert name is None or (1 <= len(name) <= 20 and clean_name(name) == name)
        address_key(client_address("192.0.2.1", text, 2))
        if bearable(data):
            try:
                msgspec.json.decode(data)
            except (msgspec.DecodeError, UnicodeDecodeError):
                return


TARGETS: dict[str, Callable[[], Target]] = {
    "sockets": Sockets,
    "messages": Messages,
    "requests": Requests,
    "bodies": Bodies,
    "strangers": Strangers,
    "insiders": Insiders,
    "texts": Texts,
}
