"""What is broken: a hanpan that chaos starts for itself, or one that is given. What can be done there depends on it."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Set
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal, Protocol, TypeVar

from ops import proc
from ops.admin import Admin, beside
from ops.chaos.inside import CLOCK
from ops.chaos.nodes import HEAD, ROOM_SETTINGS, Nodes, Part, nodes, signal_all
from ops.chaos.wire import Wire
from ops.environment import of_our_own
from ops.load import UNLIMITED
from ops.plugins import brought
from ops.postgres import Server, Shutdown, postgres
from ops.problem import Problem

PLUGIN = Path(__file__).parent / "plugin"  # the poisoned game, and the wrong clock
READY_SECONDS = 180.0
KEEP_SECONDS = 0.2
DISK_MIB = 24  # of the small disk
SHIFT_SECONDS = 300  # between the clocks of two nodes
ROOM_PORTS = 40  # that a node's rooms listen on, with a wire to each

Gcs = Literal["memory", "rocksdb"]
T = TypeVar("T")


class Need(enum.Enum):
    """What a fault needs of the place where it is to strike; in the words of the report where it is not there."""

    KILL = "a way to kill room processes: a `hanpan up` of this machine, or --remote where the directory has --chaos"
    PROCESSES = "the processes of a `hanpan up` of this machine"
    NODES = "nodes of chaos's own"
    POSTGRES = "a PostgreSQL of chaos's own"
    POISON = "a hanpan of chaos's own, that has the poisoned game"
    SMALL_DISK = "a small disk of chaos's own, which takes root to mount"


class Site(Protocol):
    """A hanpan that faults may strike."""

    @property
    def url(self) -> str: ...

    @property
    def token(self) -> str | None: ...

    @property
    def offers(self) -> Set[Need]: ...

    def pids(self) -> list[int]:
        """All its processes on this machine that can be known."""
        ...

    def has(self, pid: int) -> bool:
        """Is this process of this machine one of them? What hanpan says of its pids may be of another machine."""
        ...


class Given:
    """A hanpan that somebody else has started.

    That its address is of this machine proves nothing (`kubectl port-forward`): its run file does, with who wrote it.
    """

    def __init__(self, url: str, token: str | None, remote: bool) -> None:
        self.url, self.token = url.rstrip("/"), token
        run = beside(self.url)
        self._pid = None if run is None else run.pid
        here = self._pid is not None
        offers = ((Need.KILL, here or remote), (Need.PROCESSES, here))
        self.offers: Set[Need] = {need for need, there in offers if there}

    def pids(self) -> list[int]:
        return [] if self._pid is None else proc.tree(self._pid)

    def has(self, pid: int) -> bool:
        return self._pid in proc.ancestors(pid)


class Many:
    """Nodes, a gateway, PostgreSQL, and wires between them. What ends is started again, as Kubernetes would.

    bots ─▶ gateway ─wire─▶ room processes of each node ─▶ PostgreSQL
               └────wire──▶ directory
    """

    offers: Set[Need] = frozenset({Need.KILL, Need.PROCESSES, Need.NODES, Need.POSTGRES, Need.POISON})

    def __init__(self, cluster: Nodes, server: Server, starter: ThreadPoolExecutor) -> None:
        self.cluster, self.server = cluster, server
        self.url, self.token = cluster.url, cluster.token
        self.names: list[str] = []  # of the nodes that have rooms
        self.to_rooms: dict[str, Wire] = {}  # from the gateway to each node's
        self.to_directory = Wire()  # from the gateway
        self._starter = starter
        self._keeper: asyncio.Task[None] | None = None

    async def start(self, count: int, gcs: Gcs) -> None:
        cluster, addresses = self.cluster, {f"node{number}": number + 2 for number in range(1, count + 1)}
        head = brought(PLUGIN)
        if gcs == "rocksdb":
            head |= {"RAY_gcs_storage": "rocksdb", "RAY_gcs_storage_path": str(cluster.folder / "gcs")}
        self._keeper = asyncio.create_task(keep(cluster, self.starting))  # from here on: a busy Ray gives starts up
        await self.starting(lambda: cluster.start_node("head", HEAD, "directory", **head))
        port = await self.to_directory.lay((HEAD, cluster.directory))
        gateway = {**UNLIMITED, **brought(PLUGIN), "HANPAN_DIRECTORY": f"127.0.0.1:{port}"}
        await self.starting(lambda: cluster.gateway(**gateway))
        await self._head_is_there()
        for name, number in addresses.items():
            first = await self._lay_to_rooms(name, number)
            environment = {
                **brought(PLUGIN),
                "HANPAN_FOUND_AT": f"127.0.1.{number}",
                "HANPAN_ROOM_PORTS": f"{first}-{first + ROOM_PORTS - 1}",
                CLOCK: str(SHIFT_SECONDS if len(self.names) == 1 else 0),  # the second one's clock is wrong
            }
            self.names.append(name)
            await self.starting(
                lambda name=name, number=number, environment=environment: cluster.start_node(  # type: ignore[misc]
                    name, f"127.0.0.{number}", **environment
                )
            )
        await asyncio.to_thread(cluster.wait_for, *self.names)

    async def _lay_to_rooms(self, name: str, number: int) -> int:
        """A wire to every port that the node's rooms may have; the first of these."""
        wire = self.to_rooms[name] = Wire()
        while True:
            first = random.randrange(20_000, 29_000, ROOM_PORTS)
            try:
                for port in range(first, first + ROOM_PORTS):
                    await wire.lay((f"127.0.0.{number}", port), (f"127.0.1.{number}", port))
            except OSError:
                await wire.stop()
                continue
            return first

    async def _head_is_there(self) -> None:
        """A node that starts before Ray's head ends at once."""
        deadline = time.monotonic() + READY_SECONDS
        while True:
            try:
                _, writer = await asyncio.open_connection(HEAD, self.cluster.gcs)
            except OSError as none:
                if time.monotonic() > deadline:
                    raise Problem("not_ready", self.cluster.parts["head"].said[-3000:], 1) from none
                await asyncio.sleep(0.1)
                continue
            writer.close()
            return

    async def end(self) -> None:
        """Raises what went wrong with the keeping, if that was a bug."""
        try:
            if self._keeper is not None:
                self._keeper.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await self._keeper
        finally:
            for wire in (self.to_directory, *self.to_rooms.values()):
                await wire.stop()

    # ------------------------------------------------------------ for faults

    def pids(self) -> list[int]:
        return [pid for part in self.cluster.parts.values() for pid in part.processes()]

    def has(self, pid: int) -> bool:
        return not {part.process.pid for part in self.cluster.parts.values()}.isdisjoint(proc.ancestors(pid))

    def pids_of(self, name: str) -> list[int]:
        """All processes of one node."""
        return self.cluster.parts[name].processes()

    async def stop_postgres(self, how: Shutdown) -> None:
        await self.starting(lambda: self.server.stop(how))

    async def start_postgres(self) -> None:
        await self.starting(self.server.start)

    async def starting(self, work: Callable[[], T]) -> T:
        """In the one thread that starts processes: they die with it."""
        return await asyncio.get_running_loop().run_in_executor(self._starter, work)


async def keep(cluster: Nodes, starting: Callable[[Callable[[], Part]], Awaitable[Part]]) -> None:
    """Starts again what ends, by ``starting``, until cancelled. What cannot be started just now is tried again."""
    said: dict[str, str] = {}
    while True:
        await asyncio.sleep(KEEP_SECONDS)
        for name in [name for name, part in cluster.parts.items() if part.ended]:
            try:
                await starting(lambda name=name: cluster.start_again(name))  # type: ignore[misc]
            except OSError as why:  # no process, no memory, no port
                text = f"{name} is not started again: {type(why).__name__}: {why}"
                if said.get(name) != text:
                    print(text, file=sys.stderr, flush=True)
                said[name] = text
            else:
                said.pop(name, None)


@contextlib.asynccontextmanager
async def many(count: int, *, spares: int, gcs: Gcs = "memory") -> AsyncIterator[Many]:
    """Nodes and PostgreSQL that are gone after the block."""
    from cluster.stores.schema import migrate

    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1, "starter") as starter, contextlib.ExitStack() as ends:
        try:
            server = await loop.run_in_executor(starter, ends.enter_context, postgres())
            await migrate(server.url)
            options = {"spares": spares, "slots": ROOM_PORTS}
            cluster = await loop.run_in_executor(starter, ends.enter_context, nodes(server.url, **options))
            site = Many(cluster, server, starter)
            try:
                await site.start(count, gcs)
                yield site
            finally:
                await site.end()
        finally:
            await loop.run_in_executor(starter, ends.close)


class Single:
    """`hanpan up`, with SQLite on a disk so small that it can be filled, where that can be had."""

    everything: Set[Need] = frozenset({Need.KILL, Need.PROCESSES, Need.POISON, Need.SMALL_DISK})

    def __init__(self, process: subprocess.Popen[str], url: str, data: Path, small: bool) -> None:
        self._process, self.url, self.data = process, url, data
        self.token: str | None = (data / "admin-token").read_text()
        self.offers = self.everything if small else self.everything - {Need.SMALL_DISK}

    def pids(self) -> list[int]:
        return proc.tree(self._process.pid)

    def has(self, pid: int) -> bool:
        return self._process.pid in proc.ancestors(pid)


@contextlib.asynccontextmanager
async def single(*, spares: int) -> AsyncIterator[Single]:
    """One that is gone, with its disk, after the block."""
    loop = asyncio.get_running_loop()
    with contextlib.ExitStack() as ends, ThreadPoolExecutor(1, "starter") as starter:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="hanpan-chaos-")))
        small = _mount(folder / "disk", ends)
        data = folder / "disk" / "data"
        environment = of_our_own(**UNLIMITED, **brought(PLUGIN), HANPAN_ROOM_SETTINGS=ROOM_SETTINGS)
        words = ["up", "--port", "0", "--data", str(data), "--spares", str(spares)]

        def start() -> tuple[subprocess.Popen[str], str]:
            errors = ends.enter_context(open(folder / "up.log", "wb"))
            process = subprocess.Popen(  # noqa: S603  # ourselves
                [sys.executable, "-m", "ops.cli", *words],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=environment,
            )
            ends.callback(_end, process)
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("ready "):
                    return process, line.split()[1]
            raise Problem("not_ready", (folder / "up.log").read_text()[-3000:], 1)

        try:
            process, url = await loop.run_in_executor(starter, start)
            yield Single(process, url, data, small)
        finally:
            await asyncio.to_thread(ends.close)


def _mount(place: Path, ends: contextlib.ExitStack) -> bool:
    """A disk of its own at this place, if we may; else just a folder."""
    place.mkdir()
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if os.geteuid() != 0 or mount is None or umount is None:
        return False
    words = [mount, "-t", "tmpfs", "-o", f"size={DISK_MIB}m", "hanpan-chaos", str(place)]
    if subprocess.run(words, check=False, capture_output=True).returncode != 0:  # noqa: S603
        return False
    ends.callback(subprocess.run, [umount, "--lazy", str(place)], check=True)
    return True


def _end(process: subprocess.Popen[str]) -> None:
    everything = proc.tree(process.pid)
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        signal_all(everything, signal.SIGKILL)
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def admin_of(site: Site) -> Admin:
    return Admin(site.url, site.token)
