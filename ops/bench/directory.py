"""What one directory can do: rooms it knows, makes, wakes and adopts, and what each costs.

    python -m ops.bench.directory --parked 0 1000 10000 50000

The real directory, in a process of its own, over real links, on a catalogue in SQLite (every commit synced, where this
is started). Its node is an agent of ours that answers a hand-over at once: what is measured is the directory and
nothing behind it. All CPU time is the directory's. ``stallMs`` is the longest answer to a ping, one every 5 ms, while
nothing else is asked, over a whole round of counting its rooms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from cluster import link, link_io
from cluster.client import CreateRoom
from cluster.link import Who
from cluster.link_io import BaseHandler, LinkLost, Peer
from cluster.log import RoomRow
from ops import proc
from ops.bench.parked import GAME, fill_catalogue, parked_row
from ops.options import add_json, natural, option, positive
from ops.stats import summary_ms

SECRET = b"s" * 32
START_SECONDS = 120.0
AT_ONCE = 64  # requests under way
STALL_SECONDS = 6.0  # a round of counting, which is every 5 s


class Agent(BaseHandler):
    """A node that has a spare for everybody."""

    def __init__(self) -> None:
        self.peer: Peer
        self.placed: dict[str, dict[str, Any]] = {}

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        if request["type"] != "place":
            return await super().asked(peer, request)
        order = request["order"]
        process = f"p{len(self.placed)}"
        answer = {"address": "127.0.0.1:1", "process": process, "pid": 1, "seq": 3, "version": 0}
        self.placed[order["room"]] = {**answer, "room": order["room"], "epoch": order["epoch"], "reading": False}
        return answer

    def received(self, peer: Peer, kind: int, body: bytes) -> None:
        if kind != link.TALLY:  # what the directory has counted
            super().received(peer, kind, body)

    async def connect(self, address: str) -> None:
        self.peer = await link_io.dial(address, SECRET, Who(kind="agent", name="n1"), self)
        rooms = [{**row, "summary": None} for row in self.placed.values()]
        status = {"node": "n1", "pid": 1, "spares": 10**6, "processes": 10**6, "draining": False, "limit": 10**6}
        self.peer.notify({"type": "node", **status, "rooms": rooms, "settled": True})


def _fill(parked: int, folder: str) -> None:
    """In a process of its own: the directory, forked from us, is not to have our memory of the rooms as its own."""
    pid = os.fork()
    if pid == 0:
        try:
            asyncio.new_event_loop().run_until_complete(fill_catalogue(folder, parked))
            os._exit(0)
        finally:
            os._exit(1)
    if os.waitpid(pid, 0)[1]:
        raise SystemExit("the catalogue could not be filled")


def _fork_directory(folder: str, address: str) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        from cluster.directory import Directory
        from cluster.directory_config import DirectoryConfig
        from cluster.stores import open_store
        from ops import logs

        logs.configure(process="directory", level="error")
        config = DirectoryConfig(secret=SECRET, address=address)
        uvloop.run(Directory(config, open_store(f"sqlite:{folder}")).serve())
    finally:
        os._exit(1)


@asynccontextmanager
async def directory(folder: str) -> AsyncIterator[tuple[int, str, float]]:
    """Its pid, its address, and how long it took to be there."""
    address = f"unix:{folder}/directory"
    began = time.perf_counter()
    pid = _fork_directory(folder, address)
    try:
        while True:
            try:
                (await link_io.dial(address, SECRET, Who(kind="tool", name="t"), BaseHandler())).close()
                break
            except (OSError, LinkLost):
                if time.perf_counter() - began > START_SECONDS:
                    raise
                await asyncio.sleep(0.005)
        yield pid, address, time.perf_counter() - began
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)  # noqa: ASYNC222  # it ends at once


async def _many(pid: int, each: Callable[[int], Awaitable[Any]], count: int) -> dict[str, float]:
    """So many of them, some at a time."""
    numbers = iter(range(count))

    async def worker() -> None:
        for number in numbers:
            await each(number)

    cpu, began = proc.cpu_seconds(pid), time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(AT_ONCE)))
    seconds, spent = time.perf_counter() - began, proc.cpu_seconds(pid) - cpu
    return {"perSecond": round(count / seconds), "cpuMicroseconds": round(spent / count * 1e6)}


async def measure(parked: int, count: int, folder: str) -> dict[str, Any]:
    """One directory, with so many parked rooms."""
    _fill(parked, folder)
    rows = [parked_row(number) for number in range(min(parked, count))]
    async with directory(folder) as (pid, address, seconds):
        started = proc.cpu_seconds(pid)
        memory = proc.usage([pid]).pss_mib
        gateway = await link_io.dial(address, SECRET, Who(kind="gateway", name="g"), BaseHandler())
        agent = Agent()
        await agent.connect(address)
        stall = await _stall(gateway)
        report: dict[str, Any] = {
            "parked": parked,
            "startSeconds": round(seconds, 3),
            "startCpuSeconds": round(started, 3),
            "pssMiB": round(memory, 1),
            "stallMs": stall,
        }
        report["create"] = await _many(pid, lambda n: gateway.ask(_create(n), 60.0), count)
        if rows:
            report |= await _parked(pid, gateway, agent, rows, count)
        report["summary"] = await _summaries(pid, agent, count)
        agent.peer.close()
        cpu, began = proc.cpu_seconds(pid), time.perf_counter()
        await agent.connect(address)
        await agent.peer.ping(60.0)
        took, spent = time.perf_counter() - began, proc.cpu_seconds(pid) - cpu
        known = len(agent.placed)
        report["adopt"] = {"perSecond": round(known / took), "cpuMicroseconds": round(spent / known * 1e6)}
        return report


async def _parked(pid: int, gateway: Peer, agent: Agent, rows: list[RoomRow], count: int) -> dict[str, Any]:
    """What is asked of rooms that are parked: by their code, by who comes back, and given back again."""
    found = await _many(pid, lambda n: gateway.ask({"type": "find", "code": rows[n % len(rows)].code}, 60.0), count)

    async def wake(number: int) -> None:
        room = rows[number].id
        await gateway.ask({"type": "locate", "room": room, "notEpoch": 0, "reading": False}, 60.0)

    async def release(number: int) -> None:
        row = rows[number]
        notice = {"room": row.id, "epoch": agent.placed[row.id]["epoch"], "state": "parked"}
        await agent.peer.ask({"type": "release", **notice, "summary": msgspec.Raw(row.summary)}, 60.0)

    woken = await _many(pid, wake, len(rows))
    released = await _many(pid, release, len(rows))
    for row in rows:
        del agent.placed[row.id]
    return {"find": found, "wake": woken, "release": released}


async def _summaries(pid: int, agent: Agent, count: int) -> dict[str, float]:
    """Rooms that run tell how things stand: somebody came, a game began."""
    running = list(agent.placed.values())
    notices = []
    for number in range(count):
        row = running[number % len(running)]
        said = msgspec.json.decode(parked_row(number).summary)
        summary = {**said, "public": True, "online": number % 3, "status": "playing"}
        notices.append(
            {"type": "summary", "room": row["room"], "epoch": row["epoch"], "seq": number, "summary": summary}
        )
    cpu, began = proc.cpu_seconds(pid), time.perf_counter()
    for notice in notices:
        agent.peer.notify(notice)
    await agent.peer.ping(60.0)
    seconds, spent = time.perf_counter() - began, proc.cpu_seconds(pid) - cpu
    return {"perSecond": round(count / seconds), "cpuMicroseconds": round(spent / count * 1e6)}


def _create(number: int) -> dict[str, Any]:
    return {"type": "create", "wish": CreateRoom(game=GAME, creator=f"c{number}", key=secrets.token_hex(8), seats=2)}


async def _stall(gateway: Peer) -> dict[str, float | None]:
    waits: list[float] = []
    deadline = time.perf_counter() + STALL_SECONDS
    while (began := time.perf_counter()) < deadline:
        await gateway.ping(30.0)
        waits.append(time.perf_counter() - began)
        await asyncio.sleep(0.005)
    return summary_ms(waits, (0.5, 0.99))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m ops.bench.directory", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--parked", type=natural, nargs="+", default=[0, 1000, 10_000, 50_000], help="parked rooms")
    option(parser, "--count", default=2000, type=positive, help="how many of each request")
    add_json(parser)
    args = parser.parse_args()
    empty: float | None = None
    for parked in args.parked:
        with tempfile.TemporaryDirectory(prefix="hp-", dir=Path()) as folder:  # on a disk, not in memory
            load = os.getloadavg()[0]
            report = uvloop.run(measure(parked, args.count, str(Path(folder).absolute())))
        if parked == 0:
            empty = report["pssMiB"]
        elif empty is not None:
            report["bytesPerRoom"] = round((report["pssMiB"] - empty) * 2**20 / parked)
        print(json.dumps({**report, "load": round(load, 2)}, indent=None if args.json else 1), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
