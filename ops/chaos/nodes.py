"""A hanpan on several nodes, all on this machine: each has a loopback address and a Ray node of its own.

Laid out as KubeRay lays it out, by `hanpan join`: a head with Ray's GCS and the directory, nodes for rooms, a gateway.
Whatever ends may be started again as Kubernetes would.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ops
from ops import proc
from ops.admin import Admin, is_ready
from ops.environment import of_our_own
from ops.problem import Problem

ROOT = Path(ops.__file__).parent.parent
HEAD = "127.0.0.2"
ROOM_SETTINGS = '{"bot_delay": [20, 60], "watchers": 5000}'  # quick bots, and places for all who come at once
READY_SECONDS = 180.0
END_SECONDS = 60.0
STARTS = 3


def free_ports(host: str, count: int) -> list[int]:
    """Ports that nobody has now; they are held open together, so that they differ."""
    with contextlib.ExitStack() as open_ones:
        probes = [open_ones.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind((host, 0))
        return [probe.getsockname()[1] for probe in probes]


def client_port() -> str:
    """Where it can, Ray's head has a server for clients, by default at one port for all; elsewhere it takes no port."""
    return f"--ray-client-server-port={free_ports('127.0.0.1', 1)[0]}" if importlib.util.find_spec("grpc") else ""


def wait_until(condition: Callable[[], Any], seconds: float = 30.0) -> Any:
    """Waits for something to become true; its value. Raises `TimeoutError`."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"not so after {seconds} s")
        time.sleep(0.05)
    return value


def signal_all(pids: list[int], number: signal.Signals) -> None:
    """To each of these processes that is still there."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


class Part:
    """A command of hanpan's in a process of its own, and all that it starts. It dies with the thread that starts it."""

    def __init__(self, name: str, log: Path, *words: str, **environment: str) -> None:
        self.name, self.log = name, log
        self._mark = len(log.read_text()) if log.exists() else 0
        with open(log, "ab") as out:
            self.process = subprocess.Popen(  # noqa: S603  # ourselves
                [sys.executable, "-m", "ops.cli", *words],
                stdout=out,
                stderr=out,
                cwd=ROOT,
                env=of_our_own(**environment),
                start_new_session=True,
                preexec_fn=_die_with_parent,
            )

    @property
    def said(self) -> str:
        """What it has said since it was started."""
        return self.log.read_text()[self._mark :]

    @property
    def ended(self) -> bool:
        return self.process.poll() is not None

    def processes(self) -> list[int]:
        """It and everything below it."""
        return [] if self.ended else proc.tree(self.process.pid)

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Asks it to end; its exit status, once everything below it is gone."""
        everything = self.processes()
        self.process.send_signal(number)
        status = self.process.wait(END_SECONDS)
        wait_until(lambda: not proc.alive(everything), END_SECONDS)
        return status

    def kill(self) -> None:
        """As if its machine lost power: everything at once."""
        everything = self.processes()
        signal_all(everything, signal.SIGKILL)
        self.process.wait(END_SECONDS)
        wait_until(lambda: not proc.alive(everything), END_SECONDS)


class Nodes:
    """A head with the directory, nodes for rooms, and a gateway."""

    def __init__(self, folder: Path, store: str, *, spares: int = 2, slots: int = 20) -> None:
        self.folder, self.store = folder, store
        self.spares, self.slots = spares, slots
        self.gcs, self.directory, self.port = free_ports(HEAD, 3)
        self.token = secrets.token_hex(16)
        self.secret = secrets.token_hex(32)
        self.url = f"http://{HEAD}:{self.port}"
        self.parts: dict[str, Part] = {}
        self.common = {
            "HANPAN_SECRET": self.secret,
            "HANPAN_DIRECTORY": f"{HEAD}:{self.directory}",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
        }
        self._token_keys = secrets.token_hex(32)
        self._starts: dict[str, Callable[[], Part]] = {}

    def node(self, name: str, ip: str, role: str = "rooms", **environment: str) -> Part:
        """Starts one as KubeRay would, the command for Ray in the environment; it has joined when this returns.

        On a busy machine Ray gives a start up; then it is done again, as Kubernetes would.
        """
        for _ in range(STARTS):
            part = self.start_node(name, ip, role, **environment)
            wait_until(lambda part=part: '"event":"joined"' in part.said or part.ended, READY_SECONDS)  # type: ignore[misc]
            if not part.ended:
                return part
        raise Problem("no_node", part.said[-3000:], 1)

    def start_node(self, name: str, ip: str, role: str = "rooms", **environment: str) -> Part:
        """The same, without waiting for it."""
        agent, metrics, ours = free_ports(ip, 3)
        where = f"--head --port={self.gcs}" if ip == HEAD else f"--address={HEAD}:{self.gcs}"
        ray = (
            f"{Path(sys.executable).with_name('ray')} start {where}  --block  --node-ip-address=$POD_IP  --num-cpus=2 "
            f" --resources='{{\"room_slot\":{self.slots}}}'  --object-store-memory=83886080 "
            f" --include-log-monitor=false  --dashboard-agent-listen-port={agent}  --metrics-export-port={metrics} "
            f" --min-worker-port=0  --max-worker-port=0 "
        )
        if ip == HEAD:
            ray += f"--include-dashboard=false --no-monitor --temp-dir={self.folder}/ray {client_port()}"
            # By this file Ray takes the other nodes' raylets for ones that a head here has left, and does not start.
            (self.folder / "ray" / "ray_current_cluster").unlink(missing_ok=True)
        settings = {
            **self.common,
            "HANPAN_ROLE": role,
            "HANPAN_NAME": name,
            "HANPAN_HOST": ip,
            "HANPAN_LISTEN": f"{HEAD}:{self.directory}",
            "HANPAN_STORE": self.store,
            "HANPAN_SPARES": str(self.spares),
            "HANPAN_LIMIT": str(self.slots),
            "HANPAN_CHAOS": "1",
            "HANPAN_METRICS_PORT": str(ours),
            "HANPAN_ROOM_SETTINGS": ROOM_SETTINGS,
            "POD_IP": ip,
            "RAY_ADDRESS": f"{HEAD}:{self.gcs}",
            "KUBERAY_GEN_RAY_START_CMD": ray,
            **environment,
        }
        self._starts[name] = lambda: self.start_node(name, ip, role, **environment)
        self.parts[name] = Part(name, self.folder / f"{name}.log", "join", **settings)
        return self.parts[name]

    def gateway(self, **environment: str) -> Part:
        settings = {
            **self.common,
            "HANPAN_HOST": HEAD,
            "HANPAN_PORT": str(self.port),
            "HANPAN_TOKEN_KEYS": self._token_keys,
            "HANPAN_ADMIN_TOKEN": self.token,
            **environment,
        }
        self._starts["gateway"] = lambda: self.gateway(**environment)
        self.parts["gateway"] = Part("gateway", self.folder / "gateway.log", "gateway", **settings)
        return self.parts["gateway"]

    def start_again(self, name: str) -> Part:
        """A part that has ended, as it was started before."""
        return self._starts[name]()

    @property
    def admin(self) -> Admin:
        return Admin(self.url, self.token)

    def rows(self) -> dict[str, dict[str, Any]]:
        """The nodes by name, while the gateway answers."""
        try:
            return {row["node"]: row for row in self.admin.nodes()}
        except Problem:
            return {}

    def wait_for(self, *names: str, spares: int | None = None) -> None:
        """Until these nodes have their spares, and rooms can be made."""
        wanted = self.spares if spares is None else spares

        def ready() -> bool:
            rows = self.rows()
            return all(rows.get(name, {}).get("spares", 0) >= wanted for name in names) and self.ready()

        try:
            wait_until(ready, READY_SECONDS)
        except TimeoutError as late:
            said = "\n".join(part.said[-3000:] for part in self.parts.values())
            raise Problem("not_ready", said, 1) from late

    def ready(self) -> bool:
        return is_ready(self.url)

    def room(self, room: str) -> dict[str, Any]:
        return next(row for row in self.admin.rooms() if row["id"] == room)

    def end(self) -> None:
        """At once: what is not ended in peace by now does not matter any more."""
        for part in reversed(self.parts.values()):
            if not part.ended:
                part.kill()


@contextlib.contextmanager
def nodes(store: str, **options: Any) -> Iterator[Nodes]:
    """Parts that are started within are gone, with their folder, after the block."""
    with tempfile.TemporaryDirectory(prefix="hpn-") as folder:
        cluster = Nodes(Path(folder), store, **options)
        try:
            yield cluster
        finally:
            cluster.end()


def _die_with_parent() -> None:
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_LIBC = ctypes.CDLL(None)
