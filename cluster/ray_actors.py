"""The actors: thin shells in which directory, node agent and room processes run.

A constructor only keeps its argument: one that raised would end the actor for good. All work is in ``serve``.
"""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import ray

from cluster import ray_logs
from cluster.ray_cluster import logs_folder, on_node

RETIRED = "retired"  # what an agent's call returns

_remote: Any = ray.remote  # its type knows only some of its options
_actor: Any = _remote(num_cpus=0, max_restarts=0, max_task_retries=0, enable_task_events=False)


def _class(actor: Any) -> Any:
    """An actor's class as Ray has made it anew; what the checker sees is the class as it was written."""
    return actor


class ProcessConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What every process of a node is told."""

    node: str  # the node's name
    ray_node: str  # Ray's id of it
    secret: bytes
    store: str  # a store URL; room processes that have a clerk are not told
    clerks: tuple[str, ...] = ()  # the sockets of the node's clerks, unix:/path, where the store needs them
    directory: str  # host:port
    socket: str  # the agent's, unix:/path
    host: str  # the address that room processes listen on
    found_at: str = ""  # and that gateways find them at, where that is another
    ports: str = "0"  # and the port; 0: any, 20000-29999: one of these
    log: str  # file that all processes of the node append their log lines to; "" for stderr
    log_level: str = "info"
    spares: int = 4  # at least
    spares_most: int = 32
    limit: int = 1000
    room_memory: int = 256  # MiB that a room's process may have for itself; 0: any
    metrics_port: int = 0
    keep_days: float | None = None  # how long closed rooms can be replayed; None: for ever
    rooms_each: int = 30  # open rooms that one person has made
    folders: dict[str, str] = {}  # whose disks are watched, by name: data, logs
    chaos: bool = False
    settings: dict[str, Any] = {}


def _open_log(config: ProcessConfig, process: str) -> None:
    # structlog loads rich, where that is installed, to print for people: 4 MiB in every room, and nobody there to read.
    sys.modules.setdefault("rich", None)  # type: ignore[arg-type]  # None: "cannot be imported"
    from ops import logs

    logs.configure(process=process, level=config.log_level, file=config.log)


def _let_ray_sleep() -> None:
    """Ray's threads poll every 200 ms, each at its own time; now the kernel may let them do so together, once a second.

    A thread's timer slack is how late its timers may fire. Ours, the main thread, keeps its own, and what a socket
    brings wakes any thread at once as before. Needs the right to do it (CAP_SYS_NICE); without, it is left alone.
    """
    own = str(threading.get_native_id())
    for thread in os.listdir("/proc/self/task"):
        if thread != own:
            try:
                with open(f"/proc/{thread}/timerslack_ns", "w") as slack:  # not below task/: it stands only here
                    slack.write(str(_RAY_SLACK_NS))
            except PermissionError:
                return
            except FileNotFoundError:
                continue  # the thread has just ended


_RAY_SLACK_NS = 1_000_000_000


def _run(work: Any) -> None:
    import uvloop

    _let_ray_sleep()
    gc.collect()
    gc.freeze()  # what is loaded by now stays; the collector need not look at it again, nor touch its pages
    sys.setswitchinterval(0.0005)  # beside a thread that shows the past, a turn must not wait for 5 ms each time
    gc.set_threshold(10_000, 20, 50)  # a step makes hundreds of objects, and hardly ever a cycle
    uvloop.run(work)


UNCALLED_SECONDS = 30.0  # an actor that was made and not yet told to serve lives so long


@_actor
class RoomActor:
    """A room process. Holds one `room_slot`.

    It is told to serve by the agent that has made it, once it is there. Is that agent dead by then, nobody ever tells
    it, and nobody knows of it: so it ends by itself.
    """

    def __init__(self, config: bytes, name: str) -> None:
        self._config, self._name = config, name
        self._uncalled = threading.Timer(UNCALLED_SECONDS, os._exit, (3,))
        self._uncalled.daemon = True
        self._uncalled.start()

    def serve(self) -> None:
        self._uncalled.cancel()
        from cluster.process import RoomProcess
        from cluster.room.room import Settings
        from cluster.running import HostConfig
        from engines.catalog import GAMES

        config = msgspec.msgpack.decode(self._config, type=ProcessConfig)
        _open_log(config, self._name)
        host = HostConfig(
            name=self._name,
            secret=config.secret,
            agent=config.socket,
            host=config.host,
            found_at=config.found_at,
            ports=config.ports,
            settings=msgspec.convert(config.settings, Settings),
        )

        GAMES.working()  # loads them now, not when a room that has players waiting is handed over
        if config.room_memory:
            limit_memory(max(2 * config.room_memory, LEAST_MORE_MIB) * 2**20)

        async def main() -> None:
            await RoomProcess(host, _logs(config, self._name), _die).serve()

        _run(main())
        os._exit(0)  # what is left is Ray's, and would only take its time


LEAST_MORE_MIB = 256  # a thread's stack alone counts as 8 MiB, and Ray starts some when it likes


def limit_memory(more: int) -> None:
    """Lets this process have so many bytes more than it has now, and no more: then Python raises `MemoryError`.

    The agent looks every two seconds, and kills what has outgrown its room. An engine that takes a gigabyte in one of
    them must not take the node along meanwhile; and where it raises while it judges an action, that is just refused.
    """
    status = Path("/proc/self/status").read_text()
    have = next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmData:"))
    resource.setrlimit(resource.RLIMIT_DATA, (have + more, have + more))


def _logs(config: ProcessConfig, name: str) -> Any:
    """Where a room process keeps its log. Each kind is imported only where it is used."""
    if config.clerks:
        from cluster.stores.clerk import ClerkStore

        return ClerkStore(config.clerks, config.secret, name)
    from cluster.stores import open_store

    return open_store(config.store)


def _die(why: str) -> None:
    os._exit(3)


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


class RaySpawner:
    """Room processes as detached actors: they outlive their agent, and go on playing until it is back."""

    def __init__(self, config: bytes, ray_node: str) -> None:
        self._config = config
        self._where = on_node(ray_node)
        self._actors: dict[str, Any] = {}

    def spawn(self, name: str, ended: Callable[[], None]) -> None:
        actor = (
            _class(RoomActor)
            .options(name=name, lifetime="detached", scheduling_strategy=self._where, resources={"room_slot": 1})
            .remote(self._config, name)
        )
        actor.serve.remote().future().add_done_callback(lambda _: ended())
        self._actors[name] = actor

    def kill(self, name: str, pid: int) -> None:
        _signal(pid, signal.SIGKILL)

    def freeze(self, pid: int) -> None:
        _signal(pid, signal.SIGSTOP)

    def thaw(self, pid: int) -> None:
        _signal(pid, signal.SIGCONT)

    def forget(self, name: str) -> None:
        actor = self._actors.pop(name, None)
        if actor is None:
            try:
                actor = ray.get_actor(name)
            except ValueError:
                return
        ray.kill(actor)

    def tidy(self) -> tuple[int, int, int]:
        swept = ray_logs.sweep(logs_folder(), ray_logs.lives, time.time())
        return swept.removed, swept.files, swept.bytes


@_actor
class AgentActor:
    """The node agent."""

    def __init__(self, config: bytes) -> None:
        self._config = config

    def serve(self) -> str:
        """Ends where the agent retires."""
        from cluster.agent import NodeAgent
        from cluster.agent_config import AgentConfig
        from ops.metrics import serve_metrics

        config = msgspec.msgpack.decode(self._config, type=ProcessConfig)
        _open_log(config, f"agent {config.node}")
        agent_config = AgentConfig(
            node=config.node,
            secret=config.secret,
            directory=config.directory,
            socket=config.socket,
            spares=config.spares,
            spares_most=config.spares_most,
            starts_at_once=len(os.sched_getaffinity(0)),
            limit=config.limit,
            room_memory=config.room_memory * 2**20,
            folders={"ray": str(logs_folder())} | config.folders,
        )

        rooms = msgspec.structs.replace(config, store="") if config.clerks else config

        async def main() -> None:
            agent = NodeAgent(agent_config, RaySpawner(msgspec.msgpack.encode(rooms), config.ray_node))
            port, stop = serve_metrics(agent.tally, config.host, config.metrics_port)
            agent.metrics_address = f"{config.host}:{port}"
            try:
                await agent.serve()
            finally:
                stop()

        _run(main())
        return RETIRED


@_actor
class DirectoryActor:
    """The directory."""

    def __init__(self, config: bytes) -> None:
        self._config = config

    def serve(self) -> None:
        from cluster.directory import Directory
        from cluster.directory_config import DirectoryConfig
        from cluster.stores import open_store

        config = msgspec.msgpack.decode(self._config, type=ProcessConfig)
        _open_log(config, "directory")

        async def main() -> None:
            store = open_store(config.store, name="hanpan directory", present=True)
            settings = DirectoryConfig(
                secret=config.secret,
                address=config.directory,
                keep_days=config.keep_days,
                rooms_each=config.rooms_each,
                chaos=config.chaos,
            )
            await Directory(settings, store).serve()

        _run(main())


@_actor
class ClerkActor:
    """One of a node's clerks, where the store is PostgreSQL."""

    def __init__(self, config: bytes, number: int) -> None:
        self._config, self._number = config, number

    def serve(self) -> None:
        from cluster.clerk import Clerk
        from cluster.stores.postgres import PostgresStore

        config = msgspec.msgpack.decode(self._config, type=ProcessConfig)
        name = f"clerk {config.node} {self._number}"
        _open_log(config, name)

        async def main() -> None:
            store = PostgresStore(config.store, name=f"hanpan {name}", present=True)
            await Clerk(config.clerks[self._number], config.secret, name, store, config.socket).serve()

        _run(main())


def start_clerk(config: bytes, ray_node: str, number: int) -> tuple[Any, Any]:
    """One of a node's clerks, and the call that ends when it does."""
    actor = _class(ClerkActor).options(scheduling_strategy=on_node(ray_node)).remote(config, number)
    return actor, actor.serve.remote()


def end_actor(actor: Any) -> None:
    """Ends it at once. An actor whose handle is let go of only ends after its call, and these are endless."""
    ray.kill(actor)


def start_directory(config: bytes, ray_node: str) -> tuple[Any, Any]:
    """The directory's actor, and the call that ends when it does."""
    actor = _class(DirectoryActor).options(scheduling_strategy=on_node(ray_node)).remote(config)
    return actor, actor.serve.remote()


def start_agent(config: bytes, ray_node: str) -> tuple[Any, Any]:
    """A node's agent, and the call that ends when it does."""
    actor = _class(AgentActor).options(scheduling_strategy=on_node(ray_node)).remote(config)
    return actor, actor.serve.remote()
