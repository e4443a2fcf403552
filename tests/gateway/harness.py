"""A gateway on a real socket, with a cluster that is not; and clients for it, well-behaved or not."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp
import msgspec
from aiohttp import web

from gateway.app import HUB, make_app, make_runner
from gateway.auth import Guests
from gateway.config import Settings
from gateway.limits import Caps
from gateway.sockets import Hub
from tests.gateway.fake import FakeCluster, FakeRoom

KEY = "k" * 32
ADMIN = "operator"
HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{more}\r\n"
)


async def until(condition: Callable[[], Any]) -> Any:
    """Waits for something to become true; its value."""
    async with asyncio.timeout(10):
        while not (value := condition()):  # noqa: ASYNC110  # many things, few of which have an event
            await asyncio.sleep(0.002)
    return value


class Gateway:
    """A gateway under test."""

    def __init__(self, app: web.Application, cluster: FakeCluster, address: tuple[str, int], caps: Caps) -> None:
        self.hub: Hub = app[HUB]
        self.caps = caps  # of TCP connections
        self.cluster = cluster
        self.host, self.port = address
        self.url = f"http://{self.host}:{self.port}"
        self.guests = Guests([KEY])
        self.http = aiohttp.ClientSession()

    def token(self, player: str = "g_anna", name: str = "안나") -> str:
        return self.guests.issue(name, player).token

    async def room(self, **wish: Any) -> FakeRoom:
        from cluster.client import CreateRoom

        summary = await self.cluster.create(
            CreateRoom(game="ninety-nine", creator="g_anna", key=f"k{len(self.cluster.rooms)}", **wish)
        )
        return self.cluster.rooms[summary.id]

    async def call(self, method: str, path: str, **request: Any) -> Answer:
        async with self.http.request(method, self.url + path, **request) as answer:
            return Answer(answer.status, answer.headers, await answer.read())

    async def post(self, path: str, body: Any, token: str | None = None, **headers: str) -> Answer:
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return await self.call("POST", path, json=body, headers=headers)

    async def client(self, **options: Any) -> Client:
        """A socket that has said nothing yet."""
        return Client(await self.http.ws_connect(f"{self.url}/ws", **options))

    async def player(self, room: FakeRoom, player: str = "g_anna", **hello: Any) -> Client:
        """A socket that has its welcome."""
        client = await self.client()
        await client.hello(self.token(player), room.summary.id, **hello)
        assert (await client.next())["type"] == "welcome"
        return client

    async def raw(self, more: str = "") -> RawClient:
        """A bare TCP connection after the handshake, to be used badly."""
        client = RawClient(self.host, self.port)
        await client.shake(more)
        return client


class Answer(msgspec.Struct, frozen=True):
    status: int
    headers: Any
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class Client:
    """A well-behaved client, which reads what it is sent."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse[bool]) -> None:
        self.ws = ws

    async def hello(self, token: str, room: str, **fields: Any) -> None:
        await self.say("hello", token=token, room=room, **fields)

    async def say(self, type_: str, **fields: Any) -> None:
        await self.ws.send_str(msgspec.json.encode({"type": type_, **fields}).decode())

    async def act(self, id: str, **action: Any) -> None:
        await self.say("action", id=id, decision=1, action=action)

    async def next(self) -> dict[str, Any]:
        """The next message; there must be one."""
        got = await self.ws.receive(timeout=10)
        assert got.type is aiohttp.WSMsgType.TEXT, got
        message: dict[str, Any] = msgspec.json.decode(got.data)
        return message

    async def find(self, type_: str, **fields: Any) -> dict[str, Any]:
        """The next message of this type with these fields; others are skipped."""
        while True:
            message = await self.next()
            if message["type"] == type_ and fields.items() <= message.items():
                return message

    async def farewell(self) -> tuple[dict[str, Any], int | None]:
        """The Bye, and the close code after it."""
        message = await self.find("bye")
        got = await self.ws.receive(timeout=10)
        assert got.type is aiohttp.WSMsgType.CLOSE, got
        return message, got.data

    async def close(self) -> None:
        await self.ws.close()


class RawClient:
    """A TCP connection that sends exactly what it is told to."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self.sock = socket.socket()
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # before connect: the window stays small
        self.sock.setblocking(False)

    async def shake(self, more: str) -> None:
        loop = asyncio.get_running_loop()
        await loop.sock_connect(self.sock, (self._host, self._port))
        await self.send(HANDSHAKE.format(host=f"{self._host}:{self._port}", more=more).encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += await loop.sock_recv(self.sock, 1)
        assert head.startswith(b"HTTP/1.1 101"), head

    async def send(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.sock, data)

    async def rest(self) -> bytes:
        """All that comes until the connection ends, also where it is reset."""
        loop, got = asyncio.get_running_loop(), b""
        with contextlib.suppress(ConnectionError):
            while piece := await loop.sock_recv(self.sock, 65_536):
                got += piece
        return got

    def close(self) -> None:
        self.sock.close()


def masked(opcode: int, body: bytes, *, fin: bool = True, mask: bytes = b"\x11\x22\x33\x44", rsv: int = 0) -> bytes:
    """A client's frame."""
    first = (0x80 if fin else 0) | rsv | opcode
    if len(body) < 126:
        head = bytes((first, 0x80 | len(body)))
    elif len(body) < 65_536:
        head = bytes((first, 0x80 | 126)) + len(body).to_bytes(2, "big")
    else:
        head = bytes((first, 0x80 | 127)) + len(body).to_bytes(8, "big")
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(body))


def text(message: dict[str, Any]) -> bytes:
    return masked(1, msgspec.json.encode(message))


@contextlib.asynccontextmanager
async def gateway(
    *, authenticator: Any = None, accounts: Any = None, metrics: Any = None, **settings: Any
) -> AsyncIterator[Gateway]:
    """Starts one, and sees to it that nothing of it is left afterwards."""
    cluster = FakeCluster()
    given = Settings(
        **{"token_keys": (KEY,), "admin_token": ADMIN, "close_seconds": 0.3, "lag_seconds": 0.0} | settings
    )
    app = make_app(cluster, given, metrics, authenticator=authenticator, accounts=accounts)
    runner = make_runner(app, given)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    under_test = Gateway(app, cluster, runner.addresses[0], runner.caps)
    try:
        yield under_test
    finally:
        await under_test.http.close()
        await runner.cleanup()
        await until(lambda: len(under_test.hub) == 0)
        assert under_test.hub.caps.open == under_test.hub.strangers.open == under_test.hub.people.open == 0
        assert runner.caps.open == 0
        assert not any(room.here for room in cluster.rooms.values())
        await until(lambda: asyncio.all_tasks() == {asyncio.current_task()})
