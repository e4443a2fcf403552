"""``hanpan join``: one node of a hanpan on many, inside a Ray cluster that somebody else lays out, KubeRay above all.

    this process ──child──▶ ray start --block
         └── Ray ──▶ on the head: the directory
                     on every other node: its agent, its clerks, and through the agent its room processes

A node lives and dies as one: where Ray ends, this ends, and whoever started it starts it anew. The parts that this
process keeps end with it; room processes end with Ray's node. On SIGTERM the node is drained first: its rooms go
elsewhere while they are played, as long as there is somewhere to go and time is left. So they do when Ray is told that
the node will go; then it retires, and waits to be ended.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ctypes
import functools
import os
import resource
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import structlog

from ops.keeper import CLERKS, actor_once, keep
from ops.keys import links_secret
from ops.options import add_node, natural, option, room_settings
from ops.problem import Problem
from ops.relay import Relay
from ops.scratch import scratch

SCALE_SECONDS = 10.0
HEAD_SECONDS = 10.0  # so often Ray's head is asked what it takes this node for, and must answer within as long
RAY_SECONDS = 120.0  # from our start until Ray's node must be there
RAY_STOP_SECONDS = 15.0
RAY_DRAIN_SECONDS = "2"  # Ray waits for its node to be idle when it ends; by then we have seen to that
OPEN_FILES = 65_536
LINES = "lines"  # the file that our actors log to; what Ray does with their standard error, nobody reads

Part = Callable[[], Awaitable[str]]

log = structlog.get_logger()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = option
    parser.add_argument(
        "--role",
        choices=("directory", "rooms", "both"),
        default=os.environ.get("HANPAN_ROLE", "rooms"),
        help="what this node is for [rooms; HANPAN_ROLE]",
    )
    add(parser, "--name", default=socket.gethostname(), help="this node's name, which no other has")
    add(parser, "--host", default=None, help="this machine's address, for Ray and for gateways")
    add(parser, "--found-at", default="", help="the address that gateways find this node's rooms at, if it is another")
    add(parser, "--directory", default=None, help="host:port at which the directory is found")
    add(parser, "--listen", default="0.0.0.0:7400", help="where the directory listens")
    add(parser, "--store", default=None, help="postgres://user:password@host/database; better given in the environment")
    add_node(parser, limit=200)
    add(parser, "--room-ports", default="20000-29999", help="the ports that room processes listen on, for gateways")
    add(parser, "--metrics-port", default=9640, type=natural, help="where the node's metrics are")
    add(parser, "--drain-seconds", default=60.0, type=float, help="how long a node that is to end waits to be empty")
    add(parser, "--headroom", default=0, type=natural, help="for the directory, where Ray scales: slots beyond rooms")
    add(parser, "--least-nodes", default=1, type=natural, help="and how many nodes always stay")
    parser.add_argument(
        "--ray",
        default=os.environ.get("KUBERAY_GEN_RAY_START_CMD"),
        help="the command that starts Ray here, and stays: ray start … --block; variables in it are filled in. "
        "Without one, Ray's node must be there already [KUBERAY_GEN_RAY_START_CMD]",
    )
    parser.add_argument(
        "--ray-address", default=os.environ.get("RAY_ADDRESS"), help="host:port of Ray's head [RAY_ADDRESS]"
    )
    add(parser, "--log", default="", help="a file for the node's logs; our standard error without it")
    parser.epilog = (
        "From the environment alone come the secret of the cluster's links, in hex, HANPAN_SECRET, and the settings of "
        "rooms, as JSON, HANPAN_ROOM_SETTINGS: see cluster/room/room.py."
    )


def run(args: argparse.Namespace) -> int:
    """Runs until SIGTERM, or until Ray's node ends (1)."""
    from ops import logs

    secret = _checked(args)
    logs.configure(process=f"join {args.name}", level=args.log_level, file=args.log)
    with scratch() as temp:
        return _Node(args, secret, temp).run()


def _checked(args: argparse.Namespace) -> bytes:
    """Refuses what cannot work before anything is started; the secret."""
    for name in ("host", "directory", "store", "ray_address"):
        if not getattr(args, name):
            option_name = "--" + name.replace("_", "-")
            raise Problem("usage", f"{option_name} must be given, by option or environment: see --help", 2)
    room_settings()
    if not args.store.startswith(("postgres://", "postgresql://")):
        raise Problem("usage", "nodes need a store that all of them reach: postgres://…", 2)
    if not (secret := links_secret(os.environ)):
        raise Problem("bad_config", "HANPAN_SECRET must be given: 32 hexadecimal digits or more", 2)
    return secret


def ray_command(text: str, env: Mapping[str, str]) -> list[str]:
    """The words of Ray's command, as a shell would make them of what KubeRay writes, but without a shell."""
    words = []
    for word in shlex.split(text):
        option_name, _, value = word.partition("=")
        if value.startswith("$"):
            if (name := value[1:]) not in env:
                raise Problem("bad_config", f"{option_name} is to be ${name}, which is not in the environment", 2)
            word = f"{option_name}={env[name]}"
        words.append(word)
    return words


class _Node:
    def __init__(self, args: argparse.Namespace, secret: bytes, temp: Path) -> None:
        self.args, self.secret, self.temp = args, secret, temp
        self._ray: subprocess.Popen[bytes] | None = None
        self._retired = False  # there is no agent any more, and nothing to drain

    def run(self) -> int:
        from cluster.ray_cluster import join_local, node_id, stop_local

        signal.signal(signal.SIGTERM, _end_now)  # until the loop below takes over: nothing is here to be drained
        try:
            self._start_ray()
            try:
                join_local(self.args.ray_address, self.args.host, RAY_SECONDS, still=self._ray_lives)
            except TimeoutError as late:
                raise Problem("no_ray", str(late)) from late
            try:
                return asyncio.run(self._main(node_id()))
            finally:
                stop_local()
        finally:
            self._stop_ray()

    # ------------------------------------------------------------ Ray's own processes

    def _start_ray(self) -> None:
        from cluster.ray_cluster import NODES_ENVIRONMENT, environment

        ours = environment(NODES_ENVIRONMENT, os.environ)
        os.environ.update(ours)  # a driver reads some of it, too
        if not self.args.ray:
            return
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        # Room processes inherit Ray's environment: our secrets are not for them to have lying about.
        env = {name: value for name, value in ours.items() if not name.startswith("HANPAN_")}
        env.setdefault("RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S", RAY_DRAIN_SECONDS)
        command = ray_command(self.args.ray, ours)
        self._ray = subprocess.Popen(  # noqa: S603  # what whoever starts us has said
            command, env=env, stdout=sys.stderr, start_new_session=True, preexec_fn=_end_with_us
        )
        log.info("ray_started", pid=self._ray.pid)

    def _stop_ray(self) -> None:
        if self._ray is None or self._ray.poll() is not None:
            return
        self._ray.terminate()
        try:
            self._ray.wait(RAY_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            log.error("ray_would_not_stop", pid=self._ray.pid)
            os.killpg(self._ray.pid, signal.SIGKILL)
            self._ray.wait()

    def _ray_lives(self) -> bool:
        """As far as it is ours to know."""
        return self._ray is None or self._ray.poll() is None

    async def _ray_ended(self) -> int | None:
        while self._ray_lives():  # noqa: ASYNC110  # a child of subprocess's, and no loop is told of its end
            await asyncio.sleep(0.2)
        return self._ray.returncode if self._ray is not None else None

    async def _heed_head(self, ray_node: str) -> None:
        """Has our rooms leave when Ray's head is told that this node will go. Returns when the head does not know us.

        Then it was started anew, and has kept nothing. Rooms would play on, but no process could be started here any
        more; and Ray waits minutes before it ends.
        """
        from cluster.ray_cluster import standing

        leaving: asyncio.Task[None] | None = None
        try:
            while True:
                await asyncio.sleep(HEAD_SECONDS)
                with contextlib.suppress(ConnectionError):  # it is away: it may come back, and know us
                    now = await asyncio.to_thread(standing, self.args.ray_address, ray_node, HEAD_SECONDS)
                    if now == "unknown":
                        return
                    if now == "leaving" and leaving is None and self.args.role != "directory":
                        log.info("told_to_go", ray_node=ray_node)
                        leaving = asyncio.create_task(self._drain(self.args.drain_seconds, retire=True))
                if leaving is not None and leaving.done():
                    leaving.result()
        finally:
            if leaving is not None:
                leaving.cancel()
                await asyncio.gather(leaving, return_exceptions=True)

    # ------------------------------------------------------------ our parts

    async def _main(self, ray_node: str) -> int:
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()

        def told(number: int, frame: FrameType | None) -> None:
            """Not by `loop.add_signal_handler`: a second signal, when the loop has ended, would kill us before Ray."""
            if not loop.is_closed():
                loop.call_soon_threadsafe(stop.set)

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, told)
        keepers = [loop.create_task(keep(part, once)) for part, once in self._parts(ray_node).items()]
        if self.args.role != "rooms" and self.args.headroom:
            keepers.append(loop.create_task(self._scale()))
        relay = loop.create_task(Relay(self.temp / LINES, _say).run())
        stopping, dead = loop.create_task(stop.wait()), loop.create_task(self._ray_ended())
        stranger = loop.create_task(self._heed_head(ray_node))
        log.info("joined", node=self.args.name, role=self.args.role, ray_node=ray_node)
        try:
            await asyncio.wait({stopping, dead, stranger, *keepers}, return_when=asyncio.FIRST_COMPLETED)
            if stop.is_set():
                await self._leave(self.args.drain_seconds, dead)
            if self._retired and (dead.done() or stranger.done()):
                log.info("let_go")  # its node ends where it is to go, and is idle
                return 0
            if dead.done():
                log.error("ray_ended", status=dead.result())
                return 1
            if stranger.done():
                stranger.result()
                log.error("ray_knows_us_not", ray_node=ray_node)
                return 1
            for keeper in keepers:
                if keeper.done():
                    keeper.result()
            return 0
        finally:
            for task in (stopping, dead, stranger, *keepers, relay):
                task.cancel()
            await asyncio.gather(stopping, dead, stranger, *keepers, relay, return_exceptions=True)

    def _parts(self, ray_node: str) -> dict[str, Any]:
        from cluster.ray_actors import end_actor, start_agent, start_clerk, start_directory

        parts: dict[str, Any] = {}
        if self.args.role in ("directory", "both"):
            there = self._config(ray_node, directory=self.args.listen)
            parts["directory"] = actor_once(lambda: start_directory(there, ray_node))
        if self.args.role in ("rooms", "both"):
            here = self._config(ray_node, directory=self.args.directory)
            starts = [functools.partial(start_clerk, here, ray_node, number) for number in range(CLERKS)]
            clerks = [actor_once(start, end_actor) for start in starts]
            parts["rooms"] = self._until_retired(actor_once(lambda: start_agent(here, ray_node)), *clerks)
        return parts

    def _until_retired(self, agent: Part, *clerks: Part) -> Part:
        """Keeps them until the agent retires; then there is nothing of ours on the node, and Ray sees it idle."""

        async def once() -> str:
            from cluster.ray_actors import RETIRED

            retired = asyncio.Event()

            async def agent_once() -> str:
                why = await agent()
                if why == RETIRED:
                    retired.set()
                return why

            keepers = [asyncio.create_task(keep("agent", agent_once))]
            keepers += [asyncio.create_task(keep(f"clerk {number}", clerk)) for number, clerk in enumerate(clerks)]
            leaving = asyncio.create_task(retired.wait())
            try:
                await asyncio.wait({leaving, *keepers}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (leaving, *keepers):
                    task.cancel()
                await asyncio.gather(leaving, *keepers, return_exceptions=True)
            if retired.is_set():
                self._retired = True
                log.info("retired", node=self.args.name)
                await asyncio.Event().wait()  # until Ray's autoscaler, or an operator, ends the node
            return "ended"

        return once

    async def _scale(self) -> None:
        """Tells Ray's autoscaler what the rooms need, and empties a node when there are too many."""
        from cluster.client import Refused
        from cluster.connection import ClusterConnection
        from cluster.ray_cluster import ask_for_slots
        from cluster.scaling import Scaler, nodes_of

        directory = ClusterConnection(self.args.directory, self.secret, f"join {self.args.name}")
        await directory.start()
        scaler, asked = Scaler(self.args.headroom, self.args.least_nodes), 0
        while True:
            try:
                plan = scaler.plan(nodes_of((await directory.admin("nodes", {}))["nodes"]), time.monotonic())
                if plan.slots != asked:
                    await asyncio.to_thread(ask_for_slots, plan.slots)
                    asked = plan.slots
                if plan.retire is not None:
                    log.info("too_many_nodes", retires=plan.retire, slots=plan.slots)
                    await directory.admin("drain", {"node": plan.retire, "retire": True}, "autoscaling")
            except Refused as away:
                log.warning("not_scaled", why=str(away))
            await asyncio.sleep(SCALE_SECONDS)

    def _config(self, ray_node: str, directory: str) -> bytes:
        from cluster.ray_actors import ProcessConfig

        args = self.args
        return msgspec.msgpack.encode(
            ProcessConfig(
                node=args.name,
                ray_node=ray_node,
                secret=self.secret,
                store=args.store,
                clerks=tuple(f"unix:{self.temp}/clerk-{number}.sock" for number in range(CLERKS)),
                directory=directory,
                socket=f"unix:{self.temp}/agent.sock",
                host=args.host,
                found_at=args.found_at,
                ports=args.room_ports,
                log=args.log or str(self.temp / LINES),
                log_level=args.log_level,
                spares=args.spares,
                spares_most=args.spares_most,
                room_memory=args.room_memory,
                limit=args.limit,
                metrics_port=args.metrics_port,
                keep_days=args.keep_days,
                rooms_each=args.rooms_each,
                chaos=args.chaos,
                settings=room_settings(),
            )
        )

    # ------------------------------------------------------------ leaving

    async def _leave(self, seconds: float, dead: asyncio.Task[int | None]) -> None:
        """Has our rooms leave, if they can within so long, and while they are there: they end with Ray's node."""
        if self.args.role == "directory" or self._retired:
            return
        leaving = asyncio.create_task(self._drain(seconds))
        await asyncio.wait({leaving, dead}, return_when=asyncio.FIRST_COMPLETED)
        if leaving.done():
            leaving.result()
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)

    async def _drain(self, seconds: float, retire: bool = False) -> None:
        """Asks the directory to take our rooms away, and waits until it has, or time is up: then they are recovered.

        Where our node is to ``retire`` its agent ends afterwards, and nothing of ours is left on it.
        """
        from cluster.client import Refused
        from cluster.connection import ClusterConnection

        name, began = self.args.name, time.monotonic()
        directory = ClusterConnection(self.args.directory, self.secret, f"join {name}")
        await directory.start()
        left: int | None = None  # not known: a directory that has just been started does not list us yet
        ordered = False
        try:
            async with asyncio.timeout(seconds):
                while left != 0 and not self._retired:
                    with contextlib.suppress(Refused):  # the directory is away, or does not know us yet: once more
                        if not ordered:  # the agent keeps it in mind
                            await directory.admin("drain", {"node": name, "retire": retire}, f"node {name}")
                            ordered = True
                        rows = (await directory.admin("nodes", {}))["nodes"]
                        left = next((int(row["rooms"]) for row in rows if row["node"] == name), None)
                    await asyncio.sleep(0.2)
            log.info("drained", node=name, seconds=round(time.monotonic() - began, 2))
        except TimeoutError:
            log.error("not_drained", node=name, rooms=left, seconds=seconds)
        finally:
            await directory.close()


def _end_with_us() -> None:
    """In Ray's process, before it is Ray's: should we be killed, it is to end as well."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def _say(lines: bytes) -> None:
    sys.stderr.buffer.write(lines)
    sys.stderr.buffer.flush()


def _end_now(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
