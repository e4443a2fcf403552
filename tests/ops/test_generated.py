"""What is committed as made is what would be made now; and the dashboards are as Grafana wants them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ops.dashboards import BOARDS
from ops.dashboards.grafana import VARIABLES, Board, dashboard, rate, selected
from ops.generated import OPS, generated


@pytest.mark.parametrize("path", generated(), ids=lambda path: path.name)
def test_it_is_current(path: Path) -> None:
    """Else: make generated."""
    assert path.read_text(encoding="utf-8") == generated()[path]


def test_no_dashboard_is_left_that_nobody_makes() -> None:
    assert set((OPS / "dashboards" / "built").iterdir()) <= set(generated())


def panels(board: Board) -> list[dict[str, Any]]:
    built: list[dict[str, Any]] = json.loads(json.dumps(dashboard(board)))["panels"]
    return built


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.uid)
def test_panels_have_their_place_and_their_number(board: Board) -> None:
    """No two overlap, none sticks out, and each id is there once."""
    taken: set[tuple[int, int]] = set()
    for panel in panels(board):
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells
    ids = [panel["id"] for panel in panels(board)]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.uid)
def test_a_board_has_the_variables_that_its_queries_use_and_no_others(board: Board) -> None:
    text = json.dumps(panels(board))
    assert {name for name in VARIABLES if f'\\"${name}\\"' in text} == set(board.variables)


def test_a_panel_shows_what_was_measured_and_makes_up_nothing() -> None:
    """A query that falls back on a number can never be empty, and the test that looks for empty panels never fail."""
    asked = [query.expr for board in BOARDS for row in board.rows for panel in row.panels for query in panel.queries]
    assert [expr for expr in asked if "vector(" in expr] == []


def test_boards_are_told_apart() -> None:
    assert len({board.uid for board in BOARDS}) == len({board.title for board in BOARDS}) == len(BOARDS) == 8


@pytest.mark.parametrize(
    ("metric", "where"), [("hanpan_rooms_of_old", ""), ("hanpan_rooms", 'room="x"'), ("hanpan_spares", 'game=~"$game"')]
)
def test_a_query_for_what_is_not_counted_cannot_be_written(metric: str, where: str) -> None:
    with pytest.raises(KeyError):
        selected(metric, where)


def test_queries_are_promql() -> None:
    assert rate("hanpan_turn_seconds_count", 'game=~"$game"', "game") == (
        'sum by (game) (rate(hanpan_turn_seconds_count{game=~"$game"}[$__rate_interval]))'
    )


def test_rules_and_dashboards_know_jobs_by_the_names_that_we_ship() -> None:
    """On one machine by prometheus.yml, in Kubernetes by the chart's monitors."""
    asked = "".join(file.read_text() for folder in ("alerts", "dashboards") for file in (OPS / folder).rglob("*.[yj]*"))
    monitors = "".join(file.read_text() for file in (OPS.parent / "helm" / "templates" / "monitoring").iterdir())
    shipped = re.findall(r"job_name: (\S+)", (OPS / "prometheus.yml").read_text())
    assert set(re.findall(r'job=\\?"([\w-]+)', asked)) == set(shipped)
    assert set(re.findall(r"targetLabel: job, replacement: ([\w-]+)", monitors)) == set(shipped)
