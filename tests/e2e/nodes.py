"""A hanpan on several nodes, all on this machine: each has a loopback address and a Ray node of its own."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ops
from ops.admin import Admin
from tests.e2e.running import QUICK_BOTS, cut_off, descendants, end_process, wait_until

ROOT = Path(ops.__file__).parent.parent
HEAD = "127.0.0.2"
READY_SECONDS = 180
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


class Part:
    """A command of hanpan's in a process of its own, with all that it starts."""

    def __init__(self, name: str, log: Path, *words: str, **environment: str) -> None:
        self.name, self.log = name, log
        self._mark = len(log.read_text()) if log.exists() else 0
        with open(log, "ab") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "ops.cli", *words],
                stdout=out,
                stderr=out,
                cwd=ROOT,
                env={**os.environ, **environment},
                start_new_session=True,
            )

    @property
    def said(self) -> str:
        """What it has said since it was started."""
        return self.log.read_text()[self._mark :]

    def processes(self) -> set[int]:
        return {self.process.pid} | descendants(self.process.pid)

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Asks it to end; its exit status, once everything below it is gone."""
        return end_process(self.process, number)

    def kill(self) -> None:
        """As if its machine lost power: everything at once."""
        cut_off(self.process)


class Nodes:
    """A head with the directory, nodes for rooms, and a gateway."""

    def __init__(self, folder: Path, store: str, *, spares: int = 2, slots: int = 20) -> None:
        self.folder, self.store = folder, store
        self.spares, self.slots = spares, slots
        self.gcs, self.directory, self.port = free_ports(HEAD, 3)
        self.token = secrets.token_hex(16)
        self.url = f"http://{HEAD}:{self.port}"
        self.parts: dict[str, Part] = {}
        self.common = {
            "HANPAN_SECRET": secrets.token_hex(32),
            "HANPAN_DIRECTORY": f"{HEAD}:{self.directory}",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
        }

    def node(self, name: str, ip: str, role: str = "rooms", **environment: str) -> Part:
        """Starts one as KubeRay would, the command for Ray in the environment; it has joined when this returns.

        On a busy machine Ray gives a start up; then it is done again, as Kubernetes would.
        """
        for _ in range(STARTS):
            part = self._node(name, ip, role, **environment)
            wait_until(
                lambda part=part: '"event":"joined"' in part.said or part.process.poll() is not None, READY_SECONDS
            )
            if part.process.poll() is None:
                return part
        raise AssertionError(part.said[-3000:])

    def _node(self, name: str, ip: str, role: str, **environment: str) -> Part:
        agent, metrics, ours = free_ports(ip, 3)
        where = f"--head --port={self.gcs}" if ip == HEAD else f"--address={HEAD}:{self.gcs}"
        ray = (
            f"{Path(sys.executable).with_name('ray')} start {where}  --block  --node-ip-address=$POD_IP  --num-cpus=2 "
            f" --resources='{{\"room_slot\":{self.slots}}}'  --object-store-memory=83886080 "
            f" --include-log-monitor=false "
            f" --dashboard-agent-listen-port={agent}  --metrics-export-port={metrics} "
            f" --min-worker-port=0  --max-worker-port=0 "
        )
        if ip == HEAD:
            ray += f"--include-dashboard=false --no-monitor --temp-dir={self.folder}/ray {client_port()}"
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
            "HANPAN_ROOM_SETTINGS": QUICK_BOTS,
            "POD_IP": ip,
            "RAY_ADDRESS": f"{HEAD}:{self.gcs}",
            "KUBERAY_GEN_RAY_START_CMD": ray,
        }
        self.parts[name] = Part(name, self.folder / f"{name}.log", "join", **{**settings, **environment})
        return self.parts[name]

    def gateway(self) -> Part:
        self.parts["gateway"] = Part(
            "gateway",
            self.folder / "gateway.log",
            "gateway",
            **self.common,
            HANPAN_HOST=HEAD,
            HANPAN_PORT=str(self.port),
            HANPAN_TOKEN_KEYS=secrets.token_hex(32),
            HANPAN_ADMIN_TOKEN=self.token,
        )
        return self.parts["gateway"]

    @property
    def admin(self) -> Admin:
        return Admin(self.url, self.token)

    def rows(self) -> dict[str, dict[str, Any]]:
        """The nodes by name, while the gateway answers."""
        with contextlib.suppress(Exception):
            return {row["node"]: row for row in self.admin.nodes()}
        return {}

    def wait_for(self, *names: str, spares: int = 2) -> None:
        """Until these nodes have their spares, and rooms can be made."""
        try:
            wait_until(
                lambda: all(self.rows().get(name, {}).get("spares", 0) >= spares for name in names) and self.ready(),
                READY_SECONDS,
            )
        except TimeoutError as late:
            raise AssertionError("\n".join(part.said[-3000:] for part in self.parts.values())) from late

    def ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def room(self, room: str) -> dict[str, Any]:
        return next(row for row in self.admin.rooms() if row["id"] == room)

    def end(self) -> None:
        """Rooms' nodes need the directory and Ray's head for leaving: those end last."""
        for part in reversed(self.parts.values()):
            if part.process.poll() is None:
                part.kill()


@contextlib.contextmanager
def nodes(store: str, *, spares: int = 2, slots: int = 20) -> Iterator[Nodes]:
    with tempfile.TemporaryDirectory(prefix="hpn-") as folder:
        cluster = Nodes(Path(folder), store, spares=spares, slots=slots)
        try:
            yield cluster
        finally:
            cluster.end()
