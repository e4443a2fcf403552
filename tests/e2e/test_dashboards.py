"""Every panel of every dashboard, and every rule, asked of a real Prometheus that scrapes a hanpan under load."""

from __future__ import annotations

import asyncio
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ops.chaos.nodes import signal_all
from ops.dashboards import BOARDS
from ops.dashboards.grafana import VARIABLES
from tests.e2e.prometheus import Prometheus, QueryFailed, needs_prometheus, prometheus
from tests.e2e.running import QUICK_BOTS, Hanpan, hanpan, loaded, phones, wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(400), needs_prometheus]

PATIENCE = 150.0  # seconds, on a busy machine; it ends as soon as everything was seen
PANELS = {
    f"{board.uid} / {row.title} / {panel.title} / {query.legend}": query.expr
    for board in BOARDS
    for row in board.rows
    for panel in row.panels
    for query in panel.queries
}
# What only PostgreSQL has, and the hanpan of this test has none: its clerks count in `tests/cluster/test_clerk.py`.
ELSEWHERE = {name for name, query in PANELS.items() if 'store="postgres"' in query}


@pytest.fixture(scope="module")
def running() -> Iterator[Hanpan]:
    with hanpan("--spares", "2", HANPAN_ROOM_SETTINGS=QUICK_BOTS) as started:
        yield started


@pytest.fixture
def load(running: Hanpan) -> Iterator[None]:
    with loaded(running, "--rooms", "2", "--players", "3", "--period", "200"):
        yield


async def disturb(running: Hanpan) -> None:
    """What a day brings: a stranger's token, a person who falls asleep, processes that die.

    All spares die as well: one death can be made good by a spare more than is wanted, and then no process is started.
    """
    async with phones(running.url, "지호", "stranger") as (jiho, stranger):
        room = await jiho.post(
            "/api/rooms",
            {"game": "ninety-nine", "bots": 1, "seats": 2, "autoStart": True, "options": {"turnSeconds": 10}},
        )
        await jiho.join(room["id"])
        await jiho.my_turn()  # and no answer
        stranger.token = "none of yours"
        await stranger.post("/api/rooms", {"game": "ninety-nine"})
        assert (await stranger.join(room["id"]))["code"] == "bad_token"
        rooms = running.rooms()
        owners = {row["pid"] for row in rooms.values()}
        spares = [pid for pid in running.children("ray::RoomActor") if pid not in owners]
        other = next(row for id, row in rooms.items() if id != room["id"] and row["pid"])
        signal_all([*spares, other["pid"]], signal.SIGKILL)
        seen = jiho.situation["seq"]
        await jiho.until(lambda: jiho.situation["seq"] > seen, 60)  # the deadline has passed


def missing(asked: Prometheus, panels: dict[str, str]) -> dict[str, str]:
    """Those that have had nothing to show yet. One that Prometheus refuses fails the test at once."""
    empty = {}
    for name, query in panels.items():
        try:
            if not asked.drawn(query):
                empty[name] = query
        except QueryFailed as no:
            raise AssertionError(f"{name}: {query}: {no}") from no
    return empty


@pytest.mark.usefixtures("load")
def test_every_panel_has_something_to_show(running: Hanpan, tmp_path: Path) -> None:
    with prometheus(running, tmp_path) as asked:
        wait_until(lambda: len(running.rooms()) >= 2, 60)
        asyncio.run(disturb(running))
        here = {name: query for name, query in PANELS.items() if name not in ELSEWHERE}
        panels, end = missing(asked, here), time.monotonic() + PATIENCE
        while panels and time.monotonic() < end:
            time.sleep(1)
            panels = missing(asked, panels)
        assert not panels, "\n".join(f"{name}: {query}" for name, query in panels.items())

        elsewhere = {name: query for name, query in PANELS.items() if name in ELSEWHERE}
        assert missing(asked, elsewhere) == elsewhere, "then it can be looked for here"

        for name, query in VARIABLES.items():
            metric, label = re.fullmatch(r"label_values\((\w+), (\w+)\)", query).groups()  # type: ignore[union-attr]
            assert asked.labels(metric, label), f"${name} has no values"

        wait_until(lambda: all(rule["lastEvaluation"] > "0002" for rule in rules(asked)), 60)
        assert [rule for rule in rules(asked) if rule["health"] != "ok"] == []
        assert {target["health"] for target in asked.api("/api/v1/targets")["activeTargets"]} == {"up"}


def rules(asked: Prometheus) -> list[dict[str, str]]:
    return [rule for group in asked.api("/api/v1/rules")["groups"] for rule in group["rules"]]
