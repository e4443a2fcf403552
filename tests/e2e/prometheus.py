"""A Prometheus that scrapes a running hanpan."""

from __future__ import annotations

import contextlib
import json
import math
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from ops.generated import OPS
from tests.e2e.running import Hanpan, wait_until

WINDOW = "20s"  # of rates; scraped every second

needs_prometheus = pytest.mark.skipif(
    not (shutil.which("prometheus") and shutil.which("promtool")),
    reason="no prometheus or promtool (Debian's package prometheus; `make prometheus` installs it): "
    "dashboards and alerts are NOT tested here",
)


class QueryFailed(Exception):
    """Prometheus refused a query."""


class Prometheus:
    def __init__(self, url: str) -> None:
        self._url = url
        self._since = time.time()

    def api(self, path: str, **args: str) -> Any:
        """What Prometheus answers to a request of its HTTP API."""
        try:
            with urllib.request.urlopen(f"{self._url}{path}?{urllib.parse.urlencode(args)}", timeout=30) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as no:
            raise QueryFailed(no.read().decode()) from no

    def drawn(self, query: str) -> list[float]:
        """What a panel with this query would draw, from the beginning until now; what is no number is none."""
        for variable in ("$game", "$node", "$gateway"):
            query = query.replace(f'"{variable}"', '".*"')
        query = query.replace("$__rate_interval", WINDOW)
        result = self.api(
            "/api/v1/query_range", query=query, start=f"{self._since:.3f}", end=f"{time.time():.3f}", step="1"
        )["result"]
        values = [float(value) for line in result for _, value in line["values"]]
        return [value for value in values if not math.isnan(value)]

    def labels(self, metric: str, label: str) -> list[str]:
        values: list[str] = self.api(f"/api/v1/label/{label}/values", **{"match[]": metric})
        return values


def config(hanpan: Hanpan) -> str:
    """What we ship, with this hanpan's addresses, and in more of a hurry."""
    shipped = yaml.safe_load((OPS / "prometheus.yml").read_text())
    shipped["global"] = {"scrape_interval": "1s", "evaluation_interval": "2s"}
    shipped["rule_files"] = [str(OPS / file) for file in shipped["rule_files"]]
    addresses = {
        "hanpan-gateways": hanpan.url.removeprefix("http://"),
        "hanpan-nodes": hanpan.admin("nodes")["nodes"][0]["metrics"],
    }
    for job in shipped["scrape_configs"]:
        job["static_configs"] = [{"targets": [addresses[job["job_name"]]]}]
    return yaml.safe_dump(shipped)


@contextlib.contextmanager
def prometheus(hanpan: Hanpan, folder: Path) -> Iterator[Prometheus]:
    (folder / "prometheus.yml").write_text(config(hanpan))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    command = ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/tsdb"]
    with (folder / "prometheus.log").open("wb") as log:
        process = subprocess.Popen([*command, f"--web.listen-address={address}"], stdout=log, stderr=log)

    def ready() -> bool:
        if process.poll() is not None:
            raise AssertionError((folder / "prometheus.log").read_text()[-2000:])
        try:
            with urllib.request.urlopen(f"http://{address}/-/ready", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    asked = Prometheus(f"http://{address}")

    def sees_all() -> bool:
        """What happens before a counter's first value was read is no rise of it."""
        targets = asked.api("/api/v1/targets")["activeTargets"]
        return bool(targets) and all(target["health"] == "up" for target in targets)

    try:
        wait_until(ready, 60)
        wait_until(sees_all, 60)
        yield asked
    finally:
        process.terminate()
        process.wait(30)
