"""The image without Docker: its root, made by the Dockerfile's own steps; what runs in it as its user, read-only."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from cluster.stores.schema import migrate
from ops import postgres as servers
from ops.chaos.nodes import HEAD, free_ports
from tests.conftest import QUICK
from tests.e2e.running import alive, descendants, wait_until
from tests.helm.chart import one
from tests.helm.test_commands import kuberays_command
from tests.image.dockerfile import ROOT, Image, built


def _may_mount() -> bool:
    if os.geteuid() != 0 or not shutil.which("unshare") or not shutil.which("nsenter"):
        return False
    return subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0


pytestmark = [
    pytest.mark.e2e,
    pytest.mark.timeout(600),
    pytest.mark.skipif("HANPAN_SOAK" not in os.environ, reason="lays out a whole root: only `make image`"),
    pytest.mark.skipif(not _may_mount(), reason="laying a root out takes root, and mounts"),
    pytest.mark.skipif(not Path("/usr/bin/python3.11").exists(), reason="no Python of Debian's"),
]


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    with tempfile.TemporaryDirectory(prefix="hpi-") as folder, built(Path(folder)) as image:
        yield image


def get(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bytes(answer.read())
    except OSError:
        return b""


def ended(process: subprocess.Popen[bytes], everything: set[int], number: signal.Signals) -> int:
    """Tells the command itself, below the shell and nsenter that run it; its exit status once all of it is gone."""
    process.send_signal(number)
    status = process.wait(60)
    wait_until(lambda: not alive(everything), 60)
    return status


def test_what_pods_and_compose_call_is_there_and_nothing_can_be_changed(image: Image) -> None:
    for words in (["hanpan", "games", "--json"], ["ray", "--version"], ["bash", "-c", "true"], ["sleep", "0"]):
        done = image.run(*words)
        assert done.returncode == 0, done.stderr
    for word in yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["hanpan"]["healthcheck"]["test"][1:2]:
        assert image.run("which", word).returncode == 0
    assert image.run("id", "-u").stdout == "10001\n"
    assert image.run("id", "-un").stdout == "hanpan\n"
    for path in ("/opt/hanpan/x", "/x", "/usr/x"):
        assert image.run("touch", path).returncode != 0, path
    assert image.run("sh", "-c", "touch /tmp/x && rm /tmp/x").returncode == 0
    assert image.run("test", "-e", "/opt/hanpan/bin/pip").returncode != 0
    games = image.run("hanpan", "games").stdout
    assert all(game in games for game in ("ninety-nine", "parlett-ninety-nine"))


def test_a_whole_hanpan_plays_in_it_as_compose_starts_it(image: Image, tmp_path: Path) -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    port, metrics = free_ports("127.0.0.1", 2)
    words = list(services["hanpan"]["command"])
    for option, value in (("--port", str(port)), ("--metrics-port", str(metrics)), ("--host", "127.0.0.1")):
        words[words.index(option) + 1] = value
    words[words.index("--data") + 1] = "/tmp/data"  # /data is a volume, which the test's root has not
    with servers.postgres(QUICK) as server:
        running = image.start(*words, log=tmp_path / "log", HANPAN_STORE=server.url)
        try:
            wait_until(lambda: get(f"http://127.0.0.1:{port}/readyz/rooms") or running.poll() is not None, 180)
            done = image.run(
                *("hanpan", "load", "--url", f"http://127.0.0.1:{port}", "--rooms", "1", "--players", "3"),
                *("--period", "300", "--seconds", "3", "--json"),
            )
            assert '"errors": 0' in done.stdout, done.stdout + done.stderr
            assert b"hanpan_turn_seconds_bucket" in get(f"http://127.0.0.1:{metrics}/metrics")
        finally:
            everything = {running.pid} | descendants(running.pid)
            status = ended(running, everything, signal.SIGTERM)
        assert status == 0


def test_rays_nodes_run_in_it_and_answer_kubernetes_probes(image: Image, tmp_path: Path) -> None:
    """As KubeRay starts the head's pod, with Ray's metrics on: the agent's health page and the page of metrics."""
    gcs, directory, probe, metrics, *others = free_ports(HEAD, 7)
    params = one("raycluster/raycluster.yaml")["spec"]["headGroupSpec"]["rayStartParams"]
    params |= {"port": str(gcs), "dashboard-agent-listen-port": str(probe), "metrics-export-port": str(metrics)}
    names = ("node-manager-port", "object-manager-port", "runtime-env-agent-port")
    params |= dict(zip(names, map(str, others), strict=True))
    params |= {"dashboard-agent-grpc-port": "0", "min-worker-port": "0", "max-worker-port": "0", "temp-dir": "/tmp/r"}
    params["ray-client-server-port"] = str(free_ports("127.0.0.1", 1)[0])
    with servers.postgres(QUICK) as server:
        asyncio.run(migrate(server.url))
        running = image.start(
            *("hanpan", "join", "--role", "directory"),
            log=tmp_path / "log",
            HANPAN_SECRET=secrets.token_hex(32),
            HANPAN_NAME="head",
            HANPAN_HOST=HEAD,
            HANPAN_DIRECTORY=f"{HEAD}:{directory}",
            HANPAN_LISTEN=f"{HEAD}:{directory}",
            HANPAN_STORE=server.url,
            RAY_ADDRESS=f"{HEAD}:{gcs}",
            RAY_AUTH_MODE="token",
            RAY_AUTH_TOKEN=secrets.token_hex(32),
            RAY_enable_metrics_collection="1",
            RAY_metrics_report_interval_ms="1000",
            KUBERAY_GEN_RAY_START_CMD=kuberays_command(params, head=True),
        )
        try:
            wait_until(lambda: '"event":"directory_ready"' in (tmp_path / "log").read_text(), 180)
            wait_until(lambda: b"success" in get(f"http://{HEAD}:{probe}/api/healthz"), 180)
            wait_until(lambda: b"ray_" in get(f"http://{HEAD}:{metrics}/metrics"), 60)
        finally:
            everything = {running.pid} | descendants(running.pid)
            status = ended(running, everything, signal.SIGTERM)
        assert status == 0
