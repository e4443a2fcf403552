"""What an append costs, by the way it takes to the log: many processes, each with a room of its own.

    python -m ops.bench.appends --rooms 1 20 200

Ways: ``sqlite``, a file each; ``direct``, a connection to PostgreSQL each; ``clerk``, all through one process with a
few connections; ``clerk-alone``, the same with a commit for each append. With a period of a millisecond the figure to
look at is how many appends there are in a second. ``--clerks``: of so many nodes, among which the processes are shared
out: what one server takes from several. The processes are forks without Ray, and do
nothing but append, one entry every ``--period`` ms each, all at different times. CPU time is of everything that has a
part in it: the processes, the clerk, and the server with its background work. The server keeps its data beside where
this is started, with its own defaults: every commit is synced.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import uvloop

from cluster.entries import Acted, Entry
from cluster.log import Logs, Unavailable
from ops import proc
from ops.options import add_json, option, positive
from ops.postgres import Server, postgres
from ops.stats import summary_ms

WAYS = ("sqlite", "direct", "clerk", "clerk-alone")
SECRET = b"s" * 32
WARM_UP_SECONDS = 2.0
# About as large as an entry of a game is.
_ACTION = {"type": "play", "cardId": "c17", "n": 3, "note": "0123456789" * 12}


async def _room(open_logs: Callable[[], Logs], room: str, period: float, begin: float, end: float) -> list[float]:
    """One process's whole life; how long each append took, in seconds."""
    await asyncio.sleep(random.random() * max(0.0, begin - 1.0 - time.monotonic()))  # not all at once
    logs = open_logs()
    while True:
        try:
            log = await logs.room(room, create=True)
            break
        except Unavailable:  # two hundred who connect at once keep each other waiting
            await asyncio.sleep(0.5)
    seq = await log.claim(1, "bench", 0)
    took = []
    due = begin + random.random() * period
    while due < end and time.monotonic() < end:
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        seq += 1
        entry = Entry(seq, 1, int(due * 1000), Acted(_ACTION, seq), f"{seq:032x}", "anna", f"anna.{seq}")
        began = time.perf_counter()
        await log.append(1, seq, [entry])
        if time.monotonic() > begin + WARM_UP_SECONDS:
            took.append(time.perf_counter() - began)
        due += period
    await asyncio.sleep(max(0.0, end - time.monotonic()))  # a session that ended would take its CPU time with it
    await log.close()
    return took


def _fork(work: Callable[[], bytes]) -> tuple[int, int]:
    """A child that does this and sends back what comes of it; its pid, and where to read that."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    try:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(work())
        os._exit(0)
    except BaseException as fault:
        print("".join(traceback.format_exception_only(fault)), file=sys.stderr)
        os._exit(1)


def _direct(url: str) -> Logs:
    """With a single connection for everything, as a room would have it."""
    from cluster.stores.postgres import PostgresStore

    store = PostgresStore(url, name="room", lanes=1)
    store._readers = store._writers
    return store


@contextmanager
def _clerk(url: str, socket: str, batch: int) -> Iterator[int]:
    from cluster.clerk import Clerk
    from cluster.stores.group import GroupCommit
    from cluster.stores.postgres import PostgresStore

    def work() -> bytes:
        async def main() -> None:
            store = PostgresStore(url, name="clerk", present=True)
            store.commits = GroupCommit(store._write, batch=batch)
            clerk = Clerk(f"unix:{socket}", SECRET, "clerk", store)
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, clerk.stop)
            await clerk.serve()
            await store.close()
            print(f"{store.commits.appends / max(1, store.commits.writes):.2f} appends a commit", file=sys.stderr)

        uvloop.run(main())
        return b""

    pid, reading = _fork(work)
    try:
        while not Path(socket).exists():
            time.sleep(0.01)
        yield pid
    finally:
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
        os.close(reading)


def measure(
    way: str, rooms: int, period: float, seconds: float, server: Server, folder: Path, clerks: int = 1
) -> dict[str, Any]:
    """So many processes that append in this way."""
    from cluster.stores.clerk import ClerkStore
    from cluster.stores.schema import migrate
    from cluster.stores.sqlite import SqliteStore

    url = f"{server.url}?schema=b{time.monotonic_ns()}"
    asyncio.run(migrate(url))
    sockets = [str(folder / f"clerk{number}") for number in range(clerks)]
    open_logs: Callable[[int], Logs]
    match way:
        case "sqlite":
            open_logs = lambda number: SqliteStore(folder / "data")  # noqa: E731
        case "direct":
            open_logs = lambda number: _direct(url)  # noqa: E731
        case _:
            open_logs = lambda number: ClerkStore([f"unix:{sockets[number % clerks]}"], SECRET, "room")  # noqa: E731
    begin = time.monotonic() + 1.0 + rooms * 0.1
    middle, end = begin + WARM_UP_SECONDS, begin + WARM_UP_SECONDS + seconds

    def child(number: int) -> bytes:
        took = uvloop.run(_room(partial(open_logs, number), f"{way}-{rooms}-{number}", period, begin, end))
        return struct.pack(f"{len(took)}d", *took)

    def run(clerk: list[int]) -> dict[str, Any]:
        children = [_fork(partial(child, number)) for number in range(rooms)]
        pids = [pid for pid, _ in children]
        time.sleep(max(0.0, middle - time.monotonic()))
        parts = {"rooms": pids, "clerk": clerk, "server": proc.tree(server.pid)}
        before = {part: sum(map(proc.cpu_seconds, those)) for part, those in parts.items()}
        time.sleep(max(0.0, end - 0.3 - time.monotonic()))
        spent = {part: sum(map(proc.cpu_seconds, those)) - before[part] for part, those in parts.items()}
        sessions = [pid for pid in proc.tree(server.pid) if "127.0.0.1(" in proc.command(pid)]
        memory = proc.usage(proc.tree(server.pid)).pss_mib
        took: list[float] = []
        for pid, reading in children:
            with os.fdopen(reading, "rb") as pipe:
                data = pipe.read()
            _, status = os.waitpid(pid, 0)
            if status:
                raise SystemExit(f"a room ended with {status}")
            took += struct.unpack(f"{len(data) // 8}d", data)
        share = (seconds - 0.3) / seconds * len(took)  # of the appends, while the CPU was watched
        return {
            "way": way,
            "rooms": rooms,
            "clerks": clerks,
            "appendsPerSecond": round(len(took) / seconds),
            "latencyMs": summary_ms(took, (0.5, 0.99)),
            "cpuMicrosecondsEach": {part: round(cpu / share * 1e6) for part, cpu in spent.items()}
            | {"all": round(sum(spent.values()) / share * 1e6)},
            "connections": len(sessions),
            "serverMiB": round(memory),
        }

    if way.startswith("clerk"):
        with ExitStack() as running:
            batch = 1 if way == "clerk-alone" else 64
            return run([running.enter_context(_clerk(url, socket, batch)) for socket in sockets])
    return run([])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m ops.bench.appends", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rooms", type=positive, nargs="+", default=[1, 20, 200], help="processes")
    parser.add_argument("--ways", nargs="+", default=WAYS, choices=WAYS)
    option(parser, "--clerks", default=1, type=positive, help="clerks, where the way is through them")
    option(parser, "--period", default=1000, type=positive, help="ms between a room's appends")
    option(parser, "--seconds", default=10, type=positive, help="how long each")
    add_json(parser)
    args = parser.parse_args()
    here = Path()
    with postgres({"max_connections": "500"}, within=here.absolute()) as server:
        for rooms in args.rooms:
            for way in args.ways:
                with tempfile.TemporaryDirectory(prefix="hp-", dir=here) as folder:
                    load = os.getloadavg()[0]
                    where = Path(folder).absolute()
                    report = measure(way, rooms, args.period / 1000, args.seconds, server, where, args.clerks)
                    print(json.dumps({**report, "load": round(load, 2)}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
