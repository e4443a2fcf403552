"""``hanpan up``: a whole hanpan on one machine, until it is told to end.

    this process ── Ray ──▶ directory, node agent, room processes
         └── child ──▶ gateway (no Ray in it)

Each part may die and is started again; rooms are brought back from their logs. Nothing has to be saved at the end,
because everything that was acknowledged already is.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import structlog

from ops import runfile
from ops.admin import is_ready
from ops.commands.gateway import settings_from
from ops.keeper import CLERKS, actor_once, keep
from ops.keys import VARIABLES, keys_of
from ops.options import add_node, option, port, room_settings
from ops.problem import Problem
from ops.scratch import scratch

READY_SECONDS = 120.0
GATEWAY_STOP_SECONDS = 10.0
NOT_FOR_GATEWAYS = ("HANPAN_STORE", "RAY_AUTH_TOKEN")  # whoever takes one over has neither logs nor processes yet

log = structlog.get_logger()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    option(parser, "--host", default="127.0.0.1", help="address to listen on")
    option(parser, "--port", default=8080, type=port, help="port to listen on; 0: any free one")
    option(parser, "--data", default="data", type=Path, help="folder that everything is kept in")
    option(
        parser,
        "--store",
        default=None,
        help="where logs are kept, if not in the data folder: sqlite:/folder or postgres://user:password@host/name; "
        "a password is better given in the environment, where `ps` does not show it",
    )
    add_node(parser, limit=1000)
    option(parser, "--metrics-port", default=0, type=port, help="port of the node's /metrics; 0: any free one")
    parser.add_argument("--json", action="store_true", help="say things as JSON lines")
    parser.epilog = (
        "Rooms' settings, as JSON, come from the environment alone: HANPAN_ROOM_SETTINGS. See cluster/room/room.py. "
        f"Secrets come from there ({', '.join(VARIABLES)}) or from files in the data folder, which are made once."
    )


def run(args: argparse.Namespace) -> int:
    """Runs until SIGTERM or SIGINT; 0 after a clean end."""
    from cluster.log import InUse
    from cluster.stores.sqlite_upkeep import only_one

    data: Path = args.data.absolute()
    _must_be_free(args.host, args.port)
    kind, _, where = (args.store or "").partition(":")
    if kind not in ("", "sqlite", "postgres", "postgresql"):
        raise Problem("usage", "--store is sqlite:/folder or postgres://user:password@host/name", status=2)
    folders = {data, *([Path(where).absolute()] if kind == "sqlite" else [])}
    try:
        with contextlib.ExitStack() as locks:
            for folder in folders:
                try:
                    folder.mkdir(parents=True, exist_ok=True)
                except OSError as no:
                    raise Problem("no_folder", f"cannot make the folder {folder}: {no.strerror}", status=2) from no
                locks.enter_context(only_one(folder))
            return _Up(args, data, locks.enter_context(scratch())).run()
    except InUse as busy:
        raise Problem("in_use", str(busy)) from busy


def _must_be_free(host: str, number: int) -> None:
    """Another server at this port, perhaps another hanpan, would answer for ours."""
    try:
        socket.create_server((host, number)).close()
    except OSError as no:
        raise Problem("port_in_use", f"cannot listen on {host}:{number}: {no.strerror}") from no


def _free_port(host: str) -> int:
    """A port that nobody has now, and that the kernel gives to nobody by itself: Ray asks it for dozens meanwhile."""
    for number in random.sample(range(20_000, 32_000), 200):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind((host, number))
            return number
    raise Problem("no_port", "no port is free between 20000 and 32000")


async def _make_ready(store: str) -> None:
    """Brings the database's tables up to date, if nobody else plays on them."""
    from cluster.log import Damaged, Unavailable
    from cluster.stores.schema import alone, migrate

    try:
        async with alone(store, patience=3.0):
            for migration in await migrate(store):
                log.info("migrated", version=migration.version, name=migration.name)
    except (Unavailable, Damaged, ValueError) as away:
        raise Problem("store_unavailable", f"the store does not answer: {away}") from away


class _Up:
    def __init__(self, args: argparse.Namespace, data: Path, temp: Path) -> None:
        self.args = args
        self.settings = room_settings()
        self.data = data
        self.temp = temp
        self.port = args.port or _free_port(args.host)
        self.url = f"http://{'127.0.0.1' if args.host in ('0.0.0.0', '') else args.host}:{self.port}"  # noqa: S104
        self.log_path = data / "hanpan.log"
        self.keys = keys_of(data, os.environ)
        self.directory = f"127.0.0.1:{_free_port('127.0.0.1')}"
        self.store: str = args.store or f"sqlite:{data}"
        clerks = CLERKS if self.store.startswith("postgres") else 0
        self.clerks = tuple(f"unix:{self.temp}/clerk-{number}.sock" for number in range(clerks))

    def run(self) -> int:
        from cluster.ray_cluster import node_id, start_local, stop_local
        from ops import logs

        settings_from(self.gateway_environment())  # nobody would see what a gateway that cannot be has to say
        for name in (*VARIABLES, "HANPAN_STORE"):  # Ray's processes, and the rooms' among them, inherit all the rest
            os.environ.pop(name, None)
        logs.configure(process="up", level=self.args.log_level, file=self.log_path)
        if self.clerks:
            asyncio.run(_make_ready(self.store))
        start_local(self.temp / "ray", self.args.limit)
        try:
            return asyncio.run(self._main(node_id()))
        finally:
            stop_local()
            runfile.remove(self.port)

    def _say(self, text: str, **fields: Any) -> None:
        line = msgspec.json.encode({"event": text, **fields}).decode() if self.args.json else text
        print(line, flush=True)

    async def _main(self, ray_node: str) -> int:
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        config = self._process_config(ray_node)
        keepers = [
            loop.create_task(keep("directory", self._directory_once(config, ray_node))),
            loop.create_task(keep("agent", self._agent_once(config, ray_node))),
        ]
        for index in range(len(self.clerks)):
            once = self._clerk_once(config, ray_node, index)
            keepers.append(loop.create_task(keep(f"clerk {index}", once)))
        gateway = _Gateway(self.gateway_environment())
        keepers.append(loop.create_task(keep("gateway", gateway.once)))
        try:
            ready = loop.create_task(self._until_ready())
            stopping = loop.create_task(stop.wait())
            await asyncio.wait({ready, stopping, *keepers}, return_when=asyncio.FIRST_COMPLETED)
            if ready.done() and not stop.is_set():
                ready.result()
                runfile.write(
                    self.port,
                    {
                        "pid": os.getpid(),
                        "url": self.url,
                        "adminToken": self.keys.admin,
                        "data": str(self.data),
                        "directory": self.directory,
                    },
                )
                self._say(f"ready {self.url}")
                await asyncio.wait({stopping, *keepers}, return_when=asyncio.FIRST_COMPLETED)
            ready.cancel()
            for keeper in keepers:
                if keeper.done() and not keeper.cancelled():
                    keeper.result()
            self._say("stopping")
            await gateway.stop()
            return 0
        finally:
            for task in keepers:
                task.cancel()
            await asyncio.gather(*keepers, return_exceptions=True)
            await gateway.stop()

    def gateway_environment(self) -> dict[str, str]:
        return {
            **{name: value for name, value in os.environ.items() if name not in NOT_FOR_GATEWAYS},
            "HANPAN_HOST": self.args.host,
            "HANPAN_PORT": str(self.port),
            "HANPAN_DIRECTORY": self.directory,
            "HANPAN_SECRET": self.keys.links.hex(),
            "HANPAN_ADMIN_TOKEN": self.keys.admin,
            "HANPAN_TOKEN_KEYS": self.keys.tokens,
            "HANPAN_LOG": str(self.log_path),
            "HANPAN_LOG_LEVEL": self.args.log_level,
        }

    def _process_config(self, ray_node: str) -> bytes:
        from cluster.ray_actors import ProcessConfig

        return msgspec.msgpack.encode(
            ProcessConfig(
                node="local",
                ray_node=ray_node,
                secret=self.keys.links,
                store=self.store,
                clerks=self.clerks,
                directory=self.directory,
                socket=f"unix:{self.temp}/agent.sock",
                host="127.0.0.1",
                log=str(self.log_path),
                log_level=self.args.log_level,
                spares=self.args.spares,
                spares_most=self.args.spares_most,
                room_memory=self.args.room_memory,
                limit=self.args.limit,
                metrics_port=self.args.metrics_port,
                keep_days=self.args.keep_days,
                rooms_each=self.args.rooms_each,
                chaos=self.args.chaos,
                folders={"data": str(self.data), "logs": str(self.log_path.parent)},
                settings=self.settings,
            )
        )

    def _directory_once(self, config: bytes, ray_node: str) -> Callable[[], Awaitable[str]]:
        from cluster.ray_actors import start_directory

        return actor_once(lambda: start_directory(config, ray_node))

    def _agent_once(self, config: bytes, ray_node: str) -> Callable[[], Awaitable[str]]:
        from cluster.ray_actors import start_agent

        return actor_once(lambda: start_agent(config, ray_node))

    def _clerk_once(self, config: bytes, ray_node: str, number: int) -> Callable[[], Awaitable[str]]:
        from cluster.ray_actors import start_clerk

        return actor_once(lambda: start_clerk(config, ray_node, number))

    async def _until_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while not await asyncio.to_thread(is_ready, self.url):
            if time.monotonic() > deadline:
                raise Problem("not_ready", f"not ready after {READY_SECONDS:.0f} s; see {self.log_path}")
            await asyncio.sleep(0.1)


class _Gateway:
    """The gateway, a child process without Ray."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._child: asyncio.subprocess.Process | None = None
        self._stopping = False

    async def once(self) -> str:
        command = (sys.executable, "-m", "ops.cli", "gateway")
        self._child = await asyncio.create_subprocess_exec(*command, env=self._environment)
        return f"exit status {await self._child.wait()}"

    async def stop(self) -> None:
        """Lets it say good-bye to its sessions."""
        child = self._child
        if self._stopping or child is None or child.returncode is not None:
            return
        self._stopping = True
        child.terminate()
        try:
            async with asyncio.timeout(GATEWAY_STOP_SECONDS):
                await child.wait()
        except TimeoutError:
            child.kill()
            await child.wait()
