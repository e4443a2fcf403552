"""What parked rooms cost, and how soon one of them is back when somebody comes.

    python -m ops.bench.wake --rooms 5000 --wakes 100

A hanpan of its own on a store that holds so many parked rooms. First it is left alone: how many processes there are,
and what the directory holds. Then somebody comes to one room after the other: from the hello on an open WebSocket to
the welcome of the room. At the end all come at once to more rooms than there are spares.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from typing import Any

import aiohttp
import uvloop

from cluster.log import RoomRow
from ops import proc
from ops.bench.parked import fill
from ops.bench.report import told
from ops.bench.running import Running, hanpan
from ops.options import add_json, natural, option, positive
from ops.player_io import Lobby
from ops.problem import Problem
from ops.progress import Progress
from ops.stats import summary_ms

SETTLE_SECONDS = 10.0
WELCOME_SECONDS = 120.0


async def _wake(lobby: Lobby, room: RoomRow, begin: asyncio.Event | None = None) -> float:
    """Seconds from the hello to the welcome; then they go again."""
    token = await lobby.guest("손님")
    async with lobby.http.ws_connect(lobby.url.replace("http", "ws", 1) + "/ws") as socket:
        if begin is not None:
            await begin.wait()
        began = time.perf_counter()
        await socket.send_json({"type": "hello", "token": token, "room": room.id, "join": "watch"})
        message = await socket.receive_json(timeout=WELCOME_SECONDS)
        if message["type"] != "welcome":
            raise Problem("no_welcome", str(message))
        return time.perf_counter() - began


async def measure(running: Running, rows: Sequence[RoomRow], args: argparse.Namespace, progress: Progress) -> Any:
    """The report."""
    await asyncio.sleep(SETTLE_SECONDS)
    before = proc.usage(running.pids())
    [directory] = [pid for pid in running.pids() if "DirectoryActor" in proc.command(pid)]
    states = [(row["parked"], row["pid"]) for row in await asyncio.to_thread(running.admin.rooms)]
    parked = states.count((True, None))
    idle = proc.cpu_seconds(directory)
    await asyncio.sleep(SETTLE_SECONDS)
    idle = (proc.cpu_seconds(directory) - idle) / SETTLE_SECONDS * 100
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        lobby = Lobby(http, running.url)
        took = []
        for number, row in enumerate(rows[: args.wakes]):
            began = time.perf_counter()
            took.append(await _wake(lobby, row))
            progress.say(f"{number + 1} rooms woken")
            await asyncio.sleep(max(0.0, args.period / 1000 - (time.perf_counter() - began)))
        begin = asyncio.Event()
        storm = [asyncio.create_task(_wake(lobby, row, begin)) for row in rows[args.wakes : args.wakes + args.at_once]]
        await asyncio.sleep(3.0)
        begin.set()
        at_once = await asyncio.gather(*storm)
    wrong = [] if parked == len(rows) else [f"{len(rows) - parked} rooms are not parked"]
    return {
        "parked": parked,
        "processes": before.processes,
        "pssMiB": round(before.pss_mib),
        "directory": {"pssMiB": round(proc.usage([directory]).pss_mib, 1), "idleCpuPercent": round(idle, 2)},
        "wakeMs": summary_ms(took, (0.5, 0.95, 0.99)),
        "atOnce": {"rooms": args.at_once, "ms": summary_ms(at_once, (0.5, 0.95))},
        "wrong": wrong,
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m ops.bench.wake", description=(__doc__ or "").split("\n")[0])
    option(parser, "--rooms", default=5000, type=positive, help="parked rooms")
    option(parser, "--wakes", default=100, type=positive, help="how many of them somebody comes to")
    option(parser, "--period", default=1000, type=natural, help="ms from one to the next")
    option(parser, "--at-once", default=20, type=natural, help="and how many at last, all at once")
    option(parser, "--spares", default=4, type=positive, help="spares kept ready")
    add_json(parser)
    args = parser.parse_args()

    def measured() -> dict[str, Any]:
        rows: list[RoomRow] = []
        prepare = lambda data: rows.extend(asyncio.run(fill(str(data), args.rooms)))  # noqa: E731
        with Progress() as progress, hanpan(spares=args.spares, prepare=prepare) as running:
            return uvloop.run(measure(running, rows, args, progress))

    return told(measured, as_json=args.json, spares=args.spares)


if __name__ == "__main__":
    sys.exit(main())
