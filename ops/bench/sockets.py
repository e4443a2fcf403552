"""What idle connections cost a gateway: 10,000 of them, in rooms, each with its session.

    python -m ops.bench.sockets [--sockets 10000] [--rooms 40] [--json]

Starts a hanpan of its own, lets people in who watch rooms where nothing happens, waits, lets them go, and lets as many
in again. Memory is the gateway's PSS, CPU what it spends on heartbeats meanwhile. What allocators keep of those who
have gone must be there for those who come: ends with 1 where the second wave needs more than the first, or a socket
was refused or lost.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
from collections import Counter
from typing import Any, cast
from urllib.parse import urlsplit

import aiohttp
import msgspec
import uvloop

from gateway.auth import Guests
from ops import proc
from ops.bench.report import told
from ops.bench.running import Running, hanpan
from ops.options import add_json, natural, option, positive
from ops.player_io import Lobby
from ops.problem import Problem
from ops.progress import Progress

OPENED_AT_ONCE = 100
SETTLE_SECONDS = 5.0
LET_GO_SECONDS = 120.0  # until the gateway has seen that all are gone
GIVE_BACK_SECONDS = 10.0
GROWTH = 0.1  # of what the first wave took, that a second may take more
_GAUGE = ("hanpan_gateway_sockets ", "hanpan_gateway_sockets{")
PONG = bytes((0x8A, 0x80, 0, 0, 0, 0))  # masked with zeros

# One machine is one address, and all of its people come at once.
WIDE = {
    "HANPAN_SESSIONS_PER_ADDRESS": "100000",
    "HANPAN_STRANGERS_PER_ADDRESS": "100000",
    "HANPAN_CONNECTIONS_PER_ADDRESS": "100000",
    "HANPAN_CONNECTIONS": "100000",
    "HANPAN_SESSIONS": "100000",
    "HANPAN_JOINS_RATE": "0",
    "HANPAN_LAG_SECONDS": "0",
    # Nobody ever sits: a room would be closed when the first wave has left it, or before it has come.
    "HANPAN_ROOM_SETTINGS": '{"watchers": 100000, "unused_after": 86400000, "park_after": 86400000}',
}


class Watcher(asyncio.Protocol):
    """A client that says hello, answers pings, and counts what became of it."""

    def __init__(self, host: str, hello: bytes, counts: Counter[str]) -> None:
        self._first = (
            f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ).encode() + _text(hello)
        self._counts = counts
        self._buffer = bytearray()
        self._shaken = False
        self._farewell = "no word"
        self.transport: asyncio.Transport | None = None
        self.welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = stream = cast(asyncio.Transport, transport)  # uvloop's does not inherit from it
        stream.write(self._first)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._shaken:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            del self._buffer[: end + 4]
            self._shaken = True
        while (size := _frame(self._buffer)) is not None:
            head, whole = size
            kind = self._buffer[0] & 0x0F
            if kind == 9 and self.transport is not None:
                self.transport.write(PONG)
            elif kind == 1:
                self._told(bytes(self._buffer[head : head + 40]))
            del self._buffer[:whole]

    def _told(self, begins: bytes) -> None:
        if begins.startswith(b'{"type":"welcome"') and not self.welcome.done():
            self.welcome.set_result(None)
        elif begins.startswith(b'{"type":"bye"'):
            self._farewell = begins[14:40].decode()
            self._counts[self._farewell] += 1

    def connection_lost(self, exc: Exception | None) -> None:
        self._counts["closed"] += 1
        if not self.welcome.done():
            self.welcome.set_exception(
                Problem("lost", f"a socket was closed before its welcome: {self._farewell}, {exc}")
            )


def _text(body: bytes) -> bytes:
    """A masked text frame; the mask is of zeros."""
    size = bytes((0x80 | len(body),)) if len(body) < 126 else bytes((0xFE,)) + len(body).to_bytes(2, "big")
    return b"\x81" + size + bytes(4) + body


def _frame(data: bytearray) -> tuple[int, int] | None:
    """Head and whole length of the frame that a server's bytes begin with, if it is there."""
    if len(data) < 2:
        return None
    size, head = data[1], 2
    if size == 126:
        if len(data) < 4:
            return None
        size, head = int.from_bytes(data[2:4], "big"), 4
    elif size == 127:
        if len(data) < 10:
            return None
        size, head = int.from_bytes(data[2:10], "big"), 10
    return (head, head + size) if len(data) >= head + size else None


async def measure(running: Running, args: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    guests = Guests([(running.data / "token-key").read_text().strip()])
    pid = next(pid for pid in running.pids() if "ops.cli gateway" in proc.command(pid))
    async with aiohttp.ClientSession() as http:
        lobby = Lobby(http, running.url)
        rooms = []
        for number in range(args.rooms):
            host = guests.issue(f"h{number}").token
            rooms.append((await lobby.create(host, game="ninety-nine", seats=2))["id"])
    await asyncio.sleep(SETTLE_SECONDS)
    before, rooms_before = _memory([pid]), _memory(running.room_pids())
    cpu_before = proc.cpu_seconds(pid)
    counts: Counter[str] = Counter()
    watchers = await _open(running.url, guests, rooms, args.sockets, counts, progress)
    opening = proc.cpu_seconds(pid) - cpu_before
    await asyncio.sleep(SETTLE_SECONDS)
    full, rooms_full = _memory([pid]), _memory(running.room_pids())
    cpu_before = proc.cpu_seconds(pid)
    await asyncio.sleep(args.seconds)
    idle = (proc.cpu_seconds(pid) - cpu_before) / args.seconds * 100
    lost = dict(counts)
    await _let_go(running.url, watchers)
    await asyncio.sleep(GIVE_BACK_SECONDS)
    after = _memory([pid])
    watchers = await _open(running.url, guests, rooms, args.sockets, counts, progress)
    await asyncio.sleep(SETTLE_SECONDS)
    again = _memory([pid])
    await _let_go(running.url, watchers)
    wrong = [f"{what}: {number}" for what, number in lost.items()]
    if again - full > GROWTH * (full - before):
        wrong.append(f"the second wave took {again - full:.0f} MiB more than the first")
    memory = {"before": before, "full": full, "after": after, "fullAgain": again}
    return {
        "sockets": len(watchers),
        "rooms": args.rooms,
        "gatewayMiB": {when: round(mib, 1) for when, mib in memory.items()},
        "kibPerConnection": round((full - before) * 1024 / len(watchers), 2),
        "kibPerSessionInRooms": round((rooms_full - rooms_before) * 1024 / len(watchers), 2),
        "cpuMsToOpenOne": round(opening * 1000 / len(watchers), 3),
        "idleCpuPercent": round(idle, 2),
        "wrong": wrong,
    }


async def _open(
    url: str, guests: Guests, rooms: list[str], sockets: int, counts: Counter[str], progress: Progress
) -> list[Watcher]:
    loop, address = asyncio.get_running_loop(), urlsplit(url)
    assert address.hostname is not None
    assert address.port is not None
    host, port = address.hostname, address.port
    opened: list[Watcher] = []
    width = asyncio.Semaphore(OPENED_AT_ONCE)

    async def one(number: int) -> None:
        async with width:
            token = guests.issue(f"w{number}").token
            hello = msgspec.json.encode({"type": "hello", "token": token, "room": rooms[number % len(rooms)]})
            _, watcher = await loop.create_connection(lambda: Watcher(address.netloc, hello, counts), host, port)
            await asyncio.wait_for(watcher.welcome, 60)
            opened.append(watcher)
            progress.say(f"{len(opened)} of {sockets} sockets open")

    await asyncio.gather(*(one(number) for number in range(sockets)))
    return opened


async def _let_go(url: str, watchers: list[Watcher]) -> None:
    """Cut off all at once; until the gateway knows of none."""
    for watcher in watchers:
        if watcher.transport is not None:
            watcher.transport.abort()
    async with aiohttp.ClientSession() as http, asyncio.timeout(LET_GO_SECONDS):
        while await _sockets(http, url):  # noqa: ASYNC110  # it is another process's
            await asyncio.sleep(1.0)


async def _sockets(http: aiohttp.ClientSession, url: str) -> int:
    """How many the gateway counts."""
    async with http.get(f"{url}/metrics") as answer:
        lines = (await answer.text()).splitlines()
    return int(sum(float(line.split()[-1]) for line in lines if line.startswith(_GAUGE)))


def _memory(pids: list[int]) -> float:
    return proc.usage(pids).pss_mib


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m ops.bench.sockets", description=(__doc__ or "").split("\n")[0])
    option(parser, "--sockets", default=10_000, type=positive, help="connections")
    option(parser, "--rooms", default=40, type=positive, help="rooms that they are spread over")
    option(parser, "--seconds", default=20, type=natural, help="how long they stay, doing nothing")
    add_json(parser)
    args = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    def measured() -> dict[str, Any]:
        limit = 2 * args.rooms + 8
        with Progress() as progress, hanpan(spares=args.rooms, limit=limit, env=WIDE) as running:
            return uvloop.run(measure(running, args, progress))

    return told(measured, as_json=args.json, measure="sockets")


if __name__ == "__main__":
    sys.exit(main())
