"""A short storm on a hanpan of its own: what `make test` can afford of `make chaos`; and single faults."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from ops.chaos import drill
from ops.chaos.drill import Drill
from ops.chaos.fault import Fault, Scene
from ops.chaos.faults import FAULTS
from ops.chaos.site import Given
from ops.load import Plan
from ops.problem import Problem
from tests.e2e.running import hanpan

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
async def test_what_cannot_be_broken_or_is_not_whole_again_is_a_finding_and_the_rest_is_proven(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A storm of half an hour is not to end without a word of what it has seen."""
    monkeypatch.setattr(drill, "WHOLE_SECONDS", 20.0)

    async def no(scene: Scene) -> None:
        raise Problem("not_now", "nothing is there to be broken")

    async def lose(scene: Scene) -> None:
        one._nodes += 1  # as if there had been another node

    faults = iter([Fault("no", "", frozenset(), no), FAULTS["room-killed"], Fault("lose", "", frozenset(), lose)])
    with hanpan("--spares", "2") as running:
        plan = Plan(url=running.url, game="ninety-nine", rooms=1, players=2, period=50, seconds=0)
        one = Drill(plan, Given(running.url, None, False), lambda said: None)
        report = await one.run(lambda elapsed: next(faults))
    assert report.faults == {"no": 1, "room-killed": 1, "lose": 1}
    assert report.unmet[0] == "no: nothing is there to be broken"
    assert report.unmet[1].startswith("not whole after 20 s: of 2 nodes ")
    assert [proof.ok for proof in report.proofs] == [True]
    assert report.acknowledged > 0


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["disk-full", "room-paused", "engine-fatal", "thrice-killed"])
def test_on_one_machine(fault: str) -> None:
    report = chaos(fault, "--nodes", "0", "--spares", "2", "--rooms", "3", "--players", "2", "--period", "50")
    assert report["faults"] == {fault: 1}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "words",
    [("gcs-paused",), ("head-killed", "--gcs", "memory"), ("head-killed", "--gcs", "rocksdb"), ("node-paused",)],
    ids=" ".join,
)
def test_on_nodes(words: tuple[str, ...]) -> None:
    """What has to do with Ray's head: a partition from it alone, its death, and a node that it may give up."""
    report = chaos(*words, "--nodes", "2", "--spares", "2", "--rooms", "4", "--players", "2")
    assert report["faults"] == {words[0]: 1}


@pytest.mark.slow
def test_a_storm_over_nodes_with_postgresql() -> None:
    words = ("--spares", "2", "--rooms", "4", "--players", "2", "--reconnects", "200", "--longest", "5")
    report = chaos("storm", "--seconds", "60", "--seed", "7", *words)
    assert report["faults"]
    assert "disk-full" in report["skipped"]
