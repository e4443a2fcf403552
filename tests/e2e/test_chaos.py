"""A short storm on a hanpan of its own: what `make test` can afford of `make chaos`; and single faults."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


def chaos(*words: str) -> dict[str, Any]:
    """Its report; it must find nothing wrong."""
    command = [sys.executable, "-m", "ops.cli", "chaos", *words, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr[-3000:]
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert done.returncode == 0, json.dumps(report, indent=1)  # whole, whatever pytest would show of it
    assert [report[name] for name in ("lost", "doubled", "digestMismatches", "viewMismatches")] == [0, 0, 0, 0]
    return report


def test_a_short_storm_costs_nobody_anything() -> None:
    words = ("--nodes", "0", "--spares", "2", "--rooms", "3", "--players", "2", "--reconnects", "60", "--longest", "2")
    report = chaos("storm", "--seconds", "10", "--seed", "7", *words)
    assert report["faults"]
    assert report["acknowledged"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["disk-full", "room-paused", "engine-fatal", "thrice-killed"])
def test_on_one_machine(fault: str) -> None:
    report = chaos(fault, "--nodes", "0", "--spares", "2", "--rooms", "3", "--players", "2", "--period", "50")
    assert report["faults"] == {fault: 1}


@pytest.mark.slow
def test_a_storm_over_nodes_with_postgresql() -> None:
    words = ("--spares", "2", "--rooms", "4", "--players", "2", "--reconnects", "200", "--longest", "5")
    report = chaos("storm", "--seconds", "60", "--seed", "7", *words)
    assert report["faults"]
    assert "disk-full" in report["skipped"]
