"""Alerts fire where they should and nowhere else; each has a page that says what to do; none asks for what is not."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from ops.dashboards import capacity
from ops.generated import OPS
from ops.metrics import BY_NAME
from tests.ops.alert_cases import CASES, Case

FILES = sorted((OPS / "alerts").glob("*.yaml"))
RULES = [rule for file in FILES for group in yaml.safe_load(file.read_text())["groups"] for rule in group["rules"]]
ALERTS = {
    rule["alert"]: [one for one in RULES if one.get("alert") == rule["alert"]] for rule in RULES if "alert" in rule
}
HEADINGS = ["## What it means", "## Who feels it", "## Look", "## Do"]

needs_promtool = pytest.mark.skipif(
    not shutil.which("promtool"),
    reason="no promtool (Debian's package prometheus; `make prometheus` installs it): alerts are NOT tested here",
)


def test_every_alert_has_cases_where_it_fires_and_where_it_does_not() -> None:
    assert CASES.keys() == ALERTS.keys()
    for name, cases in CASES.items():
        assert {bool(case.fires) for case in cases} == {True, False}, name


def needed(alert: str) -> list[dict[str, Any]]:
    """The alert's rules, behind the recording rules that they read: all of the file would take minutes."""
    asked = " ".join(rule["expr"] for rule in ALERTS[alert])
    recording = [rule for rule in RULES if "record" in rule and rule["record"] in re.findall(r"hanpan:[\w:]+", asked)]
    return recording + ALERTS[alert]


def as_promtool(alert: str, case: Case) -> dict[str, Any]:
    rules = ALERTS[alert]

    def expected(labels: dict[str, str], says: str) -> dict[str, Any]:
        [rule] = [rule for rule in rules if rule["labels"].get("window") == labels.get("window")]
        return {
            "exp_labels": rule["labels"] | labels,
            "exp_annotations": {"summary": says, "runbook": rule["annotations"]["runbook"]},
        }

    return {
        "name": case.why,
        "interval": case.interval,
        "input_series": [{"series": name, "values": values} for name, values in case.series.items()],
        "alert_rule_test": [
            {"alertname": alert, "eval_time": case.at, "exp_alerts": [expected(*one) for one in case.fires]}
        ],
    }


@needs_promtool
@pytest.mark.parametrize("alert", CASES)
def test_an_alert_fires_when_it_should_and_not_otherwise(alert: str, tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump({"groups": [{"name": "own", "rules": needed(alert)}]}))
    files = [tmp_path / f"{number}.yaml" for number in range(len(CASES[alert]))]
    for file, case in zip(files, CASES[alert], strict=True):
        whole = {
            "rule_files": ["rules.yaml"],
            "evaluation_interval": case.interval,
            "tests": [as_promtool(alert, case)],
        }
        file.write_text(yaml.safe_dump(whole, allow_unicode=True))
    checked = subprocess.run(["promtool", "test", "rules", *files], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@needs_promtool
def test_the_rules_and_the_scrape_config_are_sound() -> None:
    for command in (["check", "rules", *FILES], ["check", "config", OPS / "prometheus.yml"]):
        checked = subprocess.run(["promtool", *command], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        assert "duplicate" not in checked.stdout


@needs_promtool
@pytest.mark.parametrize(("left", "fit"), [(300, 2), (250, 1.5), (50, 0)])
def test_as_many_rooms_fit_as_an_agent_would_start_processes_for(left: int, fit: float, tmp_path: Path) -> None:
    """A tenth of *all* memory is kept free (`AgentConfig.keep_memory`), and fewer than none never fit."""
    panels = [panel for row in capacity.BOARD.rows for panel in row.panels]
    [query] = next(panel.queries for panel in panels if panel.title == "Rooms that still fit")
    series = {
        'hanpan_node_memory_bytes{node="n", kind="total"}': "1000",
        'hanpan_node_memory_bytes{node="n", kind="available"}': str(left),
        'hanpan_process_memory_bytes{node="n"}': "100",
    }
    asked = {
        "evaluation_interval": "15s",
        "tests": [
            {
                "interval": "15s",
                "input_series": [{"series": name, "values": values} for name, values in series.items()],
                "promql_expr_test": [
                    {
                        "expr": query.expr,
                        "eval_time": "0s",
                        "exp_samples": [{"labels": '{node="n"}', "value": fit}],
                    }
                ],
            }
        ],
    }
    (tmp_path / "asked.yaml").write_text(yaml.safe_dump(asked))
    checked = subprocess.run(
        ["promtool", "test", "rules", tmp_path / "asked.yaml"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("alert", ALERTS)
def test_an_alert_says_how_loud_it_is_and_has_a_page(alert: str) -> None:
    for rule in ALERTS[alert]:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["runbook"] == f"ops/alerts/runbooks/{alert}.md"
    page = (OPS / "alerts" / "runbooks" / f"{alert}.md").read_text()
    assert page.startswith(f"# {alert}\n")
    assert [line for line in page.splitlines() if line.startswith("## ")] == HEADINGS


# On call one has the page, not the repository: what it says to run must be where hanpan runs.
LOGS = """`hanpan.log` lies in the data folder. On Kubernetes the same lines are on each container's standard error:
`kubectl logs -l app.kubernetes.io/instance=RELEASE --tail=-1 | jq -cR 'fromjson? | select(…)'`.
"""


@pytest.mark.parametrize("alert", ALERTS)
def test_a_page_that_asks_the_log_says_where_it_is(alert: str) -> None:
    page = (OPS / "alerts" / "runbooks" / f"{alert}.md").read_text()
    look = page[page.index("## Look") : page.index("## Do")]
    assert ("hanpan.log" in page.replace(LOGS, "")) == look.endswith("\n" + LOGS + "\n")


def test_no_page_is_left_without_its_alert() -> None:
    assert {page.stem for page in (OPS / "alerts" / "runbooks").glob("*.md")} == ALERTS.keys()


def test_rules_ask_only_for_metrics_that_exist() -> None:
    recorded = {rule["record"] for rule in RULES if "record" in rule}
    for rule in RULES:
        for name in re.findall(r"hanpan[\w:]+", rule["expr"]):
            if ":" in name:
                assert name in recorded, rule
            elif not name.startswith("hanpan_"):
                continue  # a job's name
            else:
                assert name in BY_NAME or re.sub(r"_(bucket|sum|count)$", "", name) in BY_NAME, rule
