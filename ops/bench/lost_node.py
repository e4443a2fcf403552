"""How soon the rooms of a node are back when it is lost: a measurement, not a test.

    python -m ops.bench.lost_node --rooms 60

Two nodes of a real Ray cluster on this machine, PostgreSQL, a gateway. All rooms are on the one node, each with
somebody who sits in it; they are connected to every second room, and have left the others, which keep their processes.
When the other node has the spares that the directory wants of it, the first is killed, every process of it at once.
From the directory's log: when each room was taken for lost, and when another process owned it. From the sockets: how
long people were told to wait.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import FrameType
from typing import Any

import aiohttp
import uvloop

from cluster.messages import Pause, Resume, ServerMessage
from cluster.stores.schema import migrate
from ops.bench.report import told
from ops.chaos.nodes import HEAD, Nodes, nodes
from ops.options import add_json, option, positive
from ops.player import Player
from ops.player_io import Connection, Lobby
from ops.postgres import postgres
from ops.stats import summary_ms

BACK_SECONDS = 60.0
PATIENT = '{"park_after": 3600000}'  # as HANPAN_ROOM_SETTINGS
AT_ONCE = 4


class Guest:
    """Somebody who sits in a room."""

    def __init__(self, lobby: Lobby, room: str, token: str) -> None:
        self.connection = Connection(lobby, Player(room, token, "p", join="seat"), self._heard)
        self._paused_at = 0.0
        self.paused: list[float] = []  # seconds, each time

    async def _heard(self, connection: Connection, message: ServerMessage, at: float) -> None:
        if isinstance(message, Pause):
            self._paused_at = at
        elif isinstance(message, Resume):
            self.paused.append(at - self._paused_at)


async def _open(lobby: Lobby, count: int) -> dict[str, Guest]:
    """So many rooms; whoever sits in one is connected."""
    guests: dict[str, Guest] = {}
    numbers = iter(range(count))

    async def some() -> None:
        for _ in numbers:
            token = await lobby.guest("손님")
            room = (await lobby.create(token, game="ninety-nine", seats=4))["id"]
            guest = guests[room] = Guest(lobby, room, token)
            await guest.connection.join()

    await asyncio.gather(*(some() for _ in range(AT_ONCE)))
    return guests


async def _until(condition: Any, seconds: float) -> None:
    async with asyncio.timeout(seconds):
        while not await asyncio.to_thread(condition):  # noqa: ASYNC110  # other processes: they tell when asked
            await asyncio.sleep(0.1)


def _events(log: Path) -> Iterator[dict[str, Any]]:
    for line in log.read_text().splitlines():
        if line.startswith("{"):
            yield json.loads(line)


def _when(line: dict[str, Any]) -> float:
    return datetime.fromisoformat(line["at"]).timestamp()


async def measure(cluster: Nodes, args: argparse.Namespace) -> dict[str, Any]:
    """Opens the rooms, loses their node, and reads what came of it."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        guests = await _open(Lobby(http, cluster.url), args.rooms)
        connected = set(list(guests)[::2])
        for room in guests.keys() - connected:
            await guests[room].connection.close()
        await asyncio.to_thread(
            cluster.node, "two", "127.0.0.4", HANPAN_SPARES_MOST=str(args.spares_most), HANPAN_ROOM_SETTINGS=PATIENT
        )

        def has_spares() -> bool:
            two = cluster.rows().get("two", {})
            return bool(two and two["wanted"] > cluster.spares and two["spares"] >= two["wanted"])

        await _until(has_spares, 200.0)
        before = cluster.rows()
        lost = {row["id"] for row in await asyncio.to_thread(cluster.admin.rooms) if row["node"] == "one"}
        connected &= lost
        killed = time.time()
        await asyncio.to_thread(cluster.parts["one"].kill)
        await _until(lambda: all(row["node"] != "one" for row in _rows_of(cluster, lost)), BACK_SECONDS)
        await _until(lambda: all(row["node"] or row["parked"] for row in _rows_of(cluster, lost)), BACK_SECONDS)
        await asyncio.sleep(1.0)
        pauses = [guests[room].paused[-1] for room in connected]
        for room in connected:
            await guests[room].connection.close()
    log = [line for line in _events(cluster.parts["head"].log) if line.get("at") and _when(line) >= killed]
    died = {line["room"]: _when(line) for line in log if line["event"] == "room_died"}
    back = {line["room"]: _when(line) for line in log if line["event"] == "recovered"}
    first = min(died.values())
    kinds = {"connected": connected, "others": lost - connected}
    return {
        "rooms": len(lost),
        "connected": len(connected),
        "spares": before["two"]["spares"],
        "startsPerSecond": before["two"]["starts"],
        "detectedMs": summary_ms([at - killed for at in died.values()], (0.5,)),
        "allBackSeconds": round(max(back.values()) - first, 2),
        "backMs": {
            who: summary_ms([back[room] - first for room in rooms & back.keys()], (0.5, 0.95))
            for who, rooms in kinds.items()
        },
        "pausedMs": summary_ms(pauses, (0.5, 0.95)),
        "wrong": [] if back.keys() >= lost else [f"{len(lost - back.keys())} rooms are not back"],
    }


def _rows_of(cluster: Nodes, rooms: set[str]) -> list[dict[str, Any]]:
    return [row for row in cluster.admin.rooms() if row["id"] in rooms]


def _end(number: int, frame: FrameType | None) -> None:
    """Told to end, also for taking too long: two nodes and their rooms must not stay behind."""
    raise SystemExit(128 + number)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m ops.bench.lost_node", description=(__doc__ or "").split("\n")[0])
    option(parser, "--rooms", default=60, type=positive, help="rooms of the node that is lost")
    option(parser, "--spares", default=4, type=positive, help="spares that a node keeps at least")
    option(parser, "--spares-most", default=64, type=positive, help="and at most")
    add_json(parser)
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, _end)

    def measured() -> dict[str, Any]:
        with postgres(within=Path().absolute()) as server:
            asyncio.run(migrate(server.url))
            with nodes(server.url, spares=args.spares, slots=2 * args.rooms + args.spares_most) as cluster:
                cluster.node("head", HEAD, "directory")
                cluster.gateway()
                cluster.node("one", "127.0.0.3", HANPAN_SPARES_MOST=str(args.spares), HANPAN_ROOM_SETTINGS=PATIENT)
                cluster.wait_for("one", spares=args.spares)
                return uvloop.run(measure(cluster, args))

    return told(measured, as_json=args.json)


if __name__ == "__main__":
    sys.exit(main())
