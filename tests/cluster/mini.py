"""A whole cluster in one event loop: real links, real stores, real directory and agent; processes are tasks.

What Ray does is done by `TaskSpawner`. Killing a process cuts its links without a word, as the kernel would.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from cluster.agent import NodeAgent
from cluster.agent_config import AgentConfig
from cluster.clerk import Clerk
from cluster.client import CreateRoom, RoomSummary
from cluster.connection import ClusterConnection
from cluster.directory import Directory
from cluster.directory_config import DirectoryConfig
from cluster.entries import Entry
from cluster.inspector import Inspects
from cluster.link_io import Peer
from cluster.log import RoomLog, Store, Unavailable
from cluster.messages import Bye
from cluster.process import RoomProcess
from cluster.records import Node, Record
from cluster.room.room import Settings
from cluster.running import HostConfig, RunningRoom
from cluster.stores import open_store
from cluster.stores.postgres import PostgresStore
from engines.catalog import GAMES, Catalog

SECRET = b"s" * 32
QUICK = Settings(bot_delay=(1, 3), away_after=50, host_away_after=100, park_after=60_000, unused_after=60_000)


async def until(condition: Any, seconds: float = 10.0) -> Any:
    """Waits for something to become true; its value. The condition may be a coroutine function."""
    async with asyncio.timeout(seconds):
        while True:
            value = condition()
            if asyncio.iscoroutine(value):
                value = await value
            if value:
                return value
            await asyncio.sleep(0.005)


class FlakyStore:
    """A store that does as it is told: works, fails before it has done anything, or fails after it has done it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.kind = store.kind
        self.mode: Literal["works", "refuses", "does it and says no"] = "works"
        # Called before an append begins, and when it is durable but its owner has not heard of it; may be a coroutine.
        self.appending: Any = lambda room: None
        self.appended: Any = lambda room: None
        self.attempts = 0

    async def ready(self) -> None:
        await self._store.ready()

    async def room(self, room: str, *, create: bool = False) -> Any:
        return _FlakyLog(self, room, await self._attempt(self._store.room(room, create=create)))

    async def catalogue(self) -> Any:
        return await self._store.catalogue()

    async def _attempt(self, work: Any) -> Any:
        self.attempts += 1
        if self.mode == "refuses":
            work.close()
            raise Unavailable("as told")
        done = await work
        if self.mode == "does it and says no":
            self.mode = "refuses"
            raise Unavailable("as told, but it is done")
        return done


class _FlakyLog:
    def __init__(self, store: FlakyStore, room: str, log: RoomLog) -> None:
        self._store, self._room, self._log = store, room, log

    async def append(self, *args: Any) -> None:
        await self._done(self._store.appending)
        await self._store._attempt(self._log.append(*args))
        await self._done(self._store.appended)
        await asyncio.sleep(0)

    async def _done(self, what: Any) -> None:
        if asyncio.iscoroutine(done := what(self._room)):
            await done

    async def close(self) -> None:
        await self._log.close()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._log, name)
        return lambda *args, **kwargs: self._store._attempt(method(*args, **kwargs))


class TaskSpawner:
    """Room processes as tasks of the test's own loop."""

    def __init__(self, mini: MiniCluster, socket: str, games: Catalog = GAMES) -> None:
        self._mini, self._socket, self._games = mini, socket, games
        self.processes: dict[str, tuple[RoomProcess, asyncio.Task[None]]] = {}

    def spawn(self, name: str, ended: Callable[[], None]) -> None:
        asyncio.run_coroutine_threadsafe(self._start(name, ended), self._mini.loop).result(10)

    async def _start(self, name: str, ended: Callable[[], None]) -> None:
        mini = self._mini
        config = HostConfig(name=name, secret=SECRET, agent=self._socket, host="127.0.0.1", settings=mini.settings)
        process = RoomProcess(config, mini.make_store(), lambda why: self.kill(name, 0), self._games)
        task = asyncio.get_running_loop().create_task(process.serve())
        task.add_done_callback(lambda _: ended())
        self.processes[name] = (process, task)

    def forget(self, name: str) -> None:
        self.processes.pop(name, None)

    def tidy(self) -> tuple[int, int, int]:
        return 0, 0, 0

    def freeze(self, pid: int) -> None:
        return None  # a task has no pid to stop

    def thaw(self, pid: int) -> None:
        return None

    def kill(self, name: str, pid: int) -> None:
        """As kill -9 would: its sockets close, and nothing else happens in it any more."""
        if name not in self.processes:
            return
        process, task = self.processes[name]
        if process.running is not None and process.running._worker is not None:
            process.running._worker.cancel()
        task.cancel()
        for peer in (*process._gateways, process._agent):
            if peer is not None:
                peer.abort("killed")
        if process._server is not None:
            process._server.close()
        process._gateways = _Grave()  # links that are just being made die too
        process._close = _nothing  # type: ignore[method-assign]  # the dead do not tidy up


class _Grave(set[Peer]):
    """Nobody is linked to a process that was killed."""

    def add(self, peer: Peer) -> None:
        peer.abort("killed")


async def _nothing() -> None:
    return None


def agent_settings(spares: int, given: dict[str, Any]) -> dict[str, Any]:
    """No more spares than that, where a test does not say so; and none that is too many is kept for long."""
    return {"spares_most": spares, "surplus_seconds": 0.5, "trim_seconds": 0.05, **given}


class MiniNode:
    """One more node: its agent, and its processes as tasks."""

    def __init__(self, mini: MiniCluster, name: str, spares: int, games: Catalog, **config: Any) -> None:
        socket = f"unix:{mini.folder}/{name}.sock"
        self.name = name
        self.spawner = TaskSpawner(mini, socket, games)
        self.agent = NodeAgent(
            AgentConfig(
                node=name,
                secret=SECRET,
                directory=mini.directory.address,
                socket=socket,
                spares=spares,
                **agent_settings(spares, config),
            ),
            self.spawner,
        )
        self.task = asyncio.create_task(self.agent.serve())

    async def stop(self) -> None:
        self.agent.stop()
        for process, _ in list(self.spawner.processes.values()):
            process.stop()
        await asyncio.gather(self.task, *self._tasks(), return_exceptions=True)

    async def kill(self) -> None:
        """As if its machine lost power, and the network said so: everything at once."""
        self.agent.stop()  # what it hears of now is nobody's any more
        if self.agent.reports.peer is not None:
            self.agent.reports.peer.abort("killed")
        for name in list(self.spawner.processes):
            self.spawner.kill(name, 0)
        await asyncio.gather(self.task, *self._tasks(), return_exceptions=True)

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [task for _, task in self.spawner.processes.values()]


class MiniCluster:
    def __init__(
        self,
        folder: Path,
        spares: int = 2,
        settings: Settings = QUICK,
        store: Store | None = None,
        directory: dict[str, Any] | None = None,
        inspector: Inspects | None = None,
        **agent: Any,
    ) -> None:
        """``directory``, ``agent``: what their settings are to be, where it is not as usual."""
        self.folder = folder
        self.loop = asyncio.get_running_loop()
        self.settings = settings
        self.socket = f"unix:{folder}/agent.sock"
        self._store = store
        self._spares, self._agent = spares, agent_settings(spares, agent)
        self._directory, self._inspector = directory or {}, inspector
        self.spawner = TaskSpawner(self, self.socket)
        self._spawners = {"n": self.spawner}  # by node
        self.directory: Directory
        self.agent: NodeAgent
        self.gateway: ClusterConnection
        self._tasks: list[asyncio.Task[None]] = []
        self._directory_task: asyncio.Task[None]
        self._agent_task: asyncio.Task[None]

    def make_store(self) -> Store:
        return self._store or open_store(f"sqlite:{self.folder}/data")

    async def start(self) -> None:
        self.start_directory("127.0.0.1:0")
        await until(lambda: self.directory.address)
        self.start_agent()
        self.gateway = ClusterConnection(self.directory.address, SECRET, "gw")
        await self.gateway.start()
        await until(lambda: self.gateway.ready)

    def start_directory(self, address: str) -> None:
        config = DirectoryConfig(secret=SECRET, address=address, **self._directory)
        self.directory = Directory(config, self.make_store(), self._inspector)
        self._directory_task = asyncio.create_task(self.directory.serve())
        self._tasks.append(self._directory_task)

    async def restart_directory(self, between: Any = lambda: None) -> None:
        """Another one at the same address, on the same store."""
        address = self.directory.address
        self.directory.stop()
        await self._directory_task
        between()
        self.start_directory(address)
        await until(lambda: self.directory.address)

    async def restart_agent(self) -> None:
        self.agent.stop()
        await self._agent_task
        self.start_agent()

    def start_agent(self) -> None:
        config = AgentConfig(
            node="n",
            secret=SECRET,
            directory=self.directory.address,
            socket=self.socket,
            spares=self._spares,
            **self._agent,
        )
        self.agent = NodeAgent(config, self.spawner)
        self._agent_task = asyncio.create_task(self.agent.serve())
        self._tasks.append(self._agent_task)

    @contextlib.asynccontextmanager
    async def node(
        self, name: str = "second", spares: int = 2, games: Catalog = GAMES, **config: Any
    ) -> AsyncIterator[MiniNode]:
        """Another node of the same cluster, for as long as the block lasts."""
        node = MiniNode(self, name, spares, games, **config)
        self._spawners[name] = node.spawner
        try:
            await until(lambda: name in self.nodes and self.nodes[name].free >= spares)
            yield node
        finally:
            await node.stop()

    async def stop(self) -> None:
        await self.gateway.close()
        self.agent.stop()
        self.directory.stop()
        for process, _ in list(self.spawner.processes.values()):
            process.stop()
        everything = [*self._tasks, *(task for _, task in list(self.spawner.processes.values()))]
        await asyncio.gather(*everything, return_exceptions=True)

    async def create(self, game: str = "lamps", **wish: Any) -> RoomSummary:
        self._keys = getattr(self, "_keys", 0) + 1
        return await self.gateway.create(
            CreateRoom(game=game, creator=wish.pop("creator", "anna"), key=f"k{self._keys}", **wish)
        )

    @property
    def records(self) -> dict[str, Record]:
        """What the directory knows of each room."""
        return self.directory.registry.records

    @property
    def nodes(self) -> dict[str, Node]:
        """Those whose agents are connected to it."""
        return self.directory.roster.here

    def where(self, room: str) -> str | None:
        """The node that the room runs on."""
        owner = self.records[room].owner
        return owner.node if owner else None

    def process_of(self, room: str) -> str:
        """The name of the process that owns the room."""
        owner = self.records[room].owner
        assert owner is not None
        return owner.process

    def running(self, room: str) -> RunningRoom:
        """The room in the process that owns it."""
        running = self._spawner_of(room).processes[self.process_of(room)][0].running
        assert running is not None
        return running

    async def log(self, room: str) -> list[Entry]:
        """All that the room's log holds, read past any fault that the test has set."""
        store = self._store._store if isinstance(self._store, FlakyStore) else self.make_store()
        log = await store.room(room)
        try:
            return await log.read()
        finally:
            await log.close()

    async def kinds(self, room: str) -> list[str]:
        return [str(entry.fact.__struct_config__.tag) for entry in await self.log(room)]

    async def logged(self, room: str, kind: str, count: int = 1) -> None:
        """Waits until the log holds so many entries of this kind."""

        async def enough() -> bool:
            return (await self.kinds(room)).count(kind) >= count

        await until(enough)

    def _spawner_of(self, room: str) -> TaskSpawner:
        node = self.where(room)
        assert node is not None
        return self._spawners[node]

    def kill_owner(self, room: str) -> None:
        self._spawner_of(room).kill(self.process_of(room), 0)


class Client:
    """A session without a socket: what a gateway passes on, decoded."""

    def __init__(
        self,
        mini: MiniCluster,
        room: str,
        player: str,
        join: Literal["seat", "watch"] = "seat",
        seq: int | None = None,
        gateway: ClusterConnection | None = None,
        pledge: str | None = None,
    ) -> None:
        self.player = player
        self.messages: list[dict[str, Any]] = []
        self.pauses = 0
        self.resumes = 0
        self.bye: Bye | None = None
        self._ids = 0
        self.attachment = (gateway or mini.gateway).attach(
            self, room=room, player=player, name=player.title(), join=join, seq=seq, pledge=pledge
        )

    # the sink
    def deliver(self, frames: Sequence[bytes]) -> None:
        self.messages += [msgspec.json.decode(frame) for frame in frames]

    def paused(self, reason: str) -> None:
        self.pauses += 1

    def resumed(self) -> None:
        self.resumes += 1

    def closed(self, bye: Bye) -> None:
        self.bye = bye

    # what tests ask
    def say(self, type_: str, id: str | None = None, **fields: Any) -> str:
        self._ids += 1
        id = id or f"{self.player}{self._ids}"
        message = msgspec.json.encode({"type": type_, "id": id, **fields})
        assert self.attachment.send(message, id)
        return id

    async def answer(self, id: str, count: int = 1) -> dict[str, Any]:
        """The ``count``-th answer to this id."""
        found = await until(lambda: [m for m in self.messages if m.get("id") == id][count - 1 : count])
        return found[0]

    async def do(self, type_: str, **fields: Any) -> dict[str, Any]:
        return await self.answer(self.say(type_, **fields))

    @property
    def situation(self) -> dict[str, Any]:
        """The last welcome or update."""
        return next((m for m in reversed(self.messages) if m["type"] in ("welcome", "update")), {})

    @property
    def room(self) -> dict[str, Any]:
        return next((m["room"] for m in reversed(self.messages) if "room" in m), {})

    @property
    def view(self) -> dict[str, Any]:
        return next((m["view"] for m in reversed(self.messages) if "view" in m), {})

    @property
    def paused_now(self) -> bool:
        return self.pauses > self.resumes

    async def welcome(self) -> dict[str, Any]:
        return await until(lambda: next((m for m in self.messages if m["type"] == "welcome"), None))

    async def my_turn(self) -> int:
        """The number of the question that is open to this player."""
        return await until(lambda: self.situation.get("decision"))


@contextlib.asynccontextmanager
async def clerk_at(socket: str, store: PostgresStore) -> AsyncIterator[Clerk]:
    """A clerk that answers at this socket for as long as the block does."""
    clerk = Clerk(socket, SECRET, "clerk", store)
    task = asyncio.create_task(clerk.serve())
    await clerk.ready.wait()
    try:
        yield clerk
    finally:
        clerk.stop()
        await task
        await store.close()


@contextlib.asynccontextmanager
async def mini_cluster(**kwargs: Any) -> AsyncIterator[MiniCluster]:
    with tempfile.TemporaryDirectory(prefix="hp-") as folder:  # short: a socket lives in it
        mini = MiniCluster(Path(folder), **kwargs)
        await mini.start()
        try:
            yield mini
        finally:
            await mini.stop()


async def start_game(
    mini: MiniCluster, players: Sequence[str] = ("anna", "bob"), **wish: Any
) -> tuple[str, list[Client]]:
    """A room whose seats these players take, and in which the game has begun."""
    wish = {"seats": len(players), "auto_start": True, "creator": players[0], **wish}
    room = await mini.create(**wish)
    clients = [Client(mini, room.id, player) for player in players]
    for client in clients:
        await client.welcome()
    await until(lambda: all(client.room.get("status") == "playing" for client in clients))
    return room.id, clients


async def light(client: Client, **fields: Any) -> dict[str, Any]:
    """This player's move, when it is their turn; the answer."""
    decision = await client.my_turn()
    return await client.do("action", **{"decision": decision, "action": RED, **fields})


RED = {"type": "light", "colour": "red"}
