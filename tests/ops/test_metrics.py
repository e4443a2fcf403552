"""The catalogue is sound, and a tally shows exactly what was counted, wherever it was counted."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import msgspec
import prometheus_client
import pytest
from prometheus_client.parser import text_string_to_metric_families

from ops import metrics
from ops.alerts import slo
from ops.dashboards import BOARDS
from ops.dashboards.grafana import dashboard
from ops.metrics import BY_NAME, CATALOGUE, CONTENT_TYPE, LATER_LIMIT, OTHER, Tally, serve_metrics

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def samples(tally: Tally) -> Samples:
    """What Prometheus would read."""
    return dict(_parsed(tally.exposition().decode()))


def _parsed(text: str) -> Iterator[tuple[tuple[str, tuple[tuple[str, str], ...]], float]]:
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            yield (sample.name, tuple(sorted(sample.labels.items()))), sample.value


def value(tally: Tally, name: str, **labels: str) -> float | None:
    return samples(tally).get((name, tuple(sorted(labels.items()))))


# ---------------------------------------------------------------- the catalogue


@pytest.mark.parametrize("metric", CATALOGUE, ids=lambda metric: metric.name)
def test_a_row_follows_prometheus_conventions(metric) -> None:  # type: ignore[no-untyped-def]
    assert re.fullmatch(r"hanpan_[a-z_]+", metric.name)
    assert metric.name.endswith("_total") == (metric.kind == "counter")
    assert metric.name.endswith("_seconds") == (metric.kind == "histogram")
    assert metric.help.endswith(".")
    assert bool(metric.buckets) == (metric.kind == "histogram")
    assert sorted(set(metric.buckets)) == list(metric.buckets)
    assert all(re.fullmatch(r"[a-z]+", label.name) for label in metric.labels)


def test_names_are_unique() -> None:
    assert len(BY_NAME) == len(CATALOGUE)


def test_every_row_is_counted_somewhere_and_shown_on_a_dashboard() -> None:
    """A metric that nobody counts, or nobody would ever see, is not there."""
    root = Path(metrics.__file__).parent.parent
    counting = Path(metrics.__file__).read_text().partition("BY_NAME")[2]  # below the table itself
    counting += "".join(file.read_text() for part in ("cluster", "gateway") for file in (root / part).rglob("*.py"))
    assert [metric.name for metric in CATALOGUE if f'"{metric.name}"' not in counting] == []
    shown = "".join(json.dumps(dashboard(board)) for board in BOARDS) + slo.rules()
    assert [metric.name for metric in CATALOGUE if metric.name not in shown] == []


def test_no_label_can_name_a_room_or_a_player() -> None:
    names = {label.name for metric in CATALOGUE for label in metric.labels}
    assert names.isdisjoint({"room", "player", "id", "user", "address", "process"})


def test_counting_imports_no_prometheus_client() -> None:
    """A room process must stay lean."""
    code = "import sys; from ops.metrics import Tally; Tally().drain(); sys.exit('prometheus_client' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ---------------------------------------------------------------- counting


def test_what_is_counted_is_shown() -> None:
    tally = Tally()
    tally.count("hanpan_actions_total", "ninety-nine", "accepted", "ok")
    tally.count("hanpan_actions_total", "ninety-nine", "accepted", "ok", by=2)
    tally.gauge("hanpan_spares", value=4)
    tally.observe("hanpan_recovery_seconds", 0.025)
    assert value(tally, "hanpan_actions_total", game="ninety-nine", outcome="accepted", code="ok") == 3
    assert value(tally, "hanpan_spares") == 4
    assert value(tally, "hanpan_recovery_seconds_sum") == 0.025
    assert value(tally, "hanpan_recovery_seconds_count") == 1


def test_an_observation_is_in_every_bucket_from_its_own_on() -> None:
    """The bound itself belongs to the bucket, and what is above all bounds to +Inf alone."""
    tally = Tally()
    for seconds in (0.0001, 0.002, 0.0021, 11.0):
        tally.observe("hanpan_turn_decide_seconds", "g", seconds)
    counts = {
        le: value(tally, "hanpan_turn_decide_seconds_bucket", game="g", le=le)
        for le in ("0.0002", "0.002", "0.003", "10", "+Inf")
    }
    assert counts == {"0.0002": 1, "0.002": 2, "0.003": 3, "10": 3, "+Inf": 4}


def test_every_metric_is_announced_before_it_is_counted() -> None:
    """So that a dashboard and an alert can tell nothing from zero."""
    text = Tally().exposition().decode()
    assert all(f"# HELP {metric.name} " in text for metric in CATALOGUE)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda tally: tally.count("hanpan_no_such_total"), KeyError),
        (lambda tally: tally.count("hanpan_spares"), KeyError),
        (lambda tally: tally.gauge("hanpan_timeouts_total", "g", "p", value=1), KeyError),
        (lambda tally: tally.observe("hanpan_timeouts_total", "g", "p", 1.0), KeyError),
        (lambda tally: tally.count("hanpan_timeouts_total", "g"), ValueError),
        (lambda tally: tally.observe("hanpan_turn_decide_seconds", 1.0), ValueError),
        (lambda tally: tally.observe("hanpan_turn_decide_seconds", "g", "more", 1.0), ValueError),
    ],
)
def test_a_wrong_name_or_number_of_labels_is_a_bug(call, error) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error):
        call(Tally())


def test_on_a_known_page_what_can_be_foreseen_begins_at_zero() -> None:
    """A counter that begins at 1 has never risen, for all that Prometheus knows."""
    node = Tally("node", "n1")
    assert value(node, "hanpan_recoveries_total", node="n1", reason="hung") == 0
    assert value(node, "hanpan_recovery_seconds_count", node="n1") == 0
    assert value(node, "hanpan_spares", node="n1") is None  # a gauge says nothing before it knows
    node.count("hanpan_recoveries_total", "hung")
    assert value(node, "hanpan_recoveries_total", node="n1", reason="hung") == 1


def test_a_page_shows_its_own_parts_metrics_only() -> None:
    node, gateway = Tally("node").exposition().decode(), Tally("gateway").exposition().decode()
    shown = {
        metric.name: (f"# HELP {metric.name} " in node, f"# HELP {metric.name} " in gateway) for metric in CATALOGUE
    }
    assert shown == {metric.name: ("node" in metric.parts, "gateway" in metric.parts) for metric in CATALOGUE}
    assert shown["hanpan_spares"] == (True, False)
    assert shown["hanpan_outbox_drops_total"] == (False, True)
    assert shown["hanpan_links"] == (True, True)


# ---------------------------------------------------------------- bounds


def test_a_value_outside_a_closed_set_is_other() -> None:
    tally = Tally()
    tally.count("hanpan_recoveries_total", "moonlight")
    assert value(tally, "hanpan_recoveries_total", reason=OTHER) == 1


def test_an_open_label_takes_so_many_values_and_no_more() -> None:
    """Whatever clients and games invent: memory and Prometheus stay bounded, and nothing goes uncounted."""
    tally = Tally()
    for number in range(1000):
        tally.count("hanpan_actions_total", f"game-{number}", "refused", f"code-{number}")
    counted = {labels: n for (name, labels), n in samples(tally).items() if name == "hanpan_actions_total"}
    assert sum(counted.values()) == 1000
    assert len({dict(labels)["game"] for labels in counted}) == 65
    assert len({dict(labels)["code"] for labels in counted}) == 97
    assert len(counted) < 100


@pytest.mark.parametrize("odd", ["", "x" * 65])
def test_an_empty_or_endless_value_is_other(odd: str) -> None:
    tally = Tally()
    tally.count("hanpan_timeouts_total", "g", "m", odd)
    assert value(tally, "hanpan_timeouts_total", game="g", mode="m", phase=OTHER) == 1


def test_labels_are_bounded_across_processes() -> None:
    """Each of a hundred processes brings its own game: the node's tally holds the bound all the same."""
    node = Tally()
    for number in range(100):
        process = Tally()
        process.count("hanpan_timeouts_total", f"game-{number}", "m", "p")
        node.merge(process.drain(), f"process-{number}")
    counted = {labels: n for (name, labels), n in samples(node).items() if name == "hanpan_timeouts_total"}
    assert len(counted) == 65
    assert sum(counted.values()) == 100


# ---------------------------------------------------------------- between processes


def test_what_is_to_be_counted_soon_is_in_the_next_drain() -> None:
    at_once, later = Tally(), Tally()
    for seconds in (0.001, 0.3, 100.0):
        at_once.count("hanpan_actions_total", "g", "accepted", "ok")
        at_once.observe("hanpan_turn_decide_seconds", "g", seconds)
        later.soon(("hanpan_actions_total", "g", "accepted", "ok", 1), ("hanpan_turn_decide_seconds", "g", seconds))
    assert later.drain() == at_once.drain() != b""
    assert later.drain() == b""


def test_what_is_to_be_counted_soon_is_counted_before_it_is_too_much() -> None:
    tally = Tally()
    for _ in range(5 * LATER_LIMIT):
        tally.soon(("hanpan_turn_decide_seconds", "g", 0.5))
        assert len(tally._later) <= LATER_LIMIT


def test_a_drain_takes_what_was_added_since_the_last() -> None:
    process, node = Tally(), Tally()
    assert process.drain() == b""
    for expected in (2, 4):
        process.count("hanpan_log_appends_total", "sqlite", by=2)
        process.observe("hanpan_turn_decide_seconds", "g", 0.001)
        node.merge(process.drain(), "p")
        assert value(node, "hanpan_log_appends_total", store="sqlite") == expected
        assert value(node, "hanpan_turn_decide_seconds_count", game="g") == expected / 2
    assert process.drain() == b""


def test_gauges_of_all_sources_are_added_up_and_go_with_them() -> None:
    """What a process counted stays when it is gone; what it holds does not."""
    node = Tally()
    node.gauge("hanpan_sessions", "player", value=1)
    for name in ("a", "b"):
        process = Tally()
        process.gauge("hanpan_sessions", "player", value=10)
        process.count("hanpan_log_appends_total", "sqlite")
        node.merge(process.drain(), name)
    assert value(node, "hanpan_sessions", role="player") == 21
    node.forget("a")
    assert value(node, "hanpan_sessions", role="player") == 11
    assert value(node, "hanpan_log_appends_total", store="sqlite") == 2
    node.forget("a")
    node.forget("never seen")


def test_a_gauge_is_drained_when_it_changed_or_when_asked_for() -> None:
    process = Tally()
    process.gauge("hanpan_spares", value=3)
    assert process.drain()
    process.gauge("hanpan_spares", value=3)
    assert process.drain() == b""
    node = Tally()
    node.merge(process.drain(all_gauges=True), "p")
    assert value(node, "hanpan_spares") == 3
    process.gauge("hanpan_spares", value=0)
    node.merge(process.drain(), "p")
    assert value(node, "hanpan_spares") == 0


def test_what_a_merge_cannot_place_is_counted_as_discarded() -> None:
    """Processes of another version, or broken ones, do no harm; nor do they go unnoticed."""
    node = Tally()
    rows = [
        ("hanpan_of_tomorrow_total", (), [1]),
        ("hanpan_timeouts_total", ("g",), [1]),
        ("hanpan_timeouts_total", ("g", "m", "p"), [1, 2]),
        ("hanpan_timeouts_total", ("g", "m", "p"), [5]),
    ]
    node.merge(msgspec.msgpack.encode([rows, [("hanpan_turn_decide_seconds", ("g",), [1, 2, 3])], []]), "p")
    node.merge(b"\xc1", "p")
    node.merge(b"", "p")
    discarded = {
        reason: value(node, "hanpan_metrics_discarded_total", reason=reason)
        for reason in ("undecodable", "unknown", "misshapen")
    }
    assert discarded == {"undecodable": 1, "unknown": 1, "misshapen": 3}
    assert value(node, "hanpan_timeouts_total", game="g", mode="m", phase="p") == 5


def test_a_merge_does_not_hold_on_to_what_it_was_given() -> None:
    """Merged twice, the second does not change the first."""
    node, process = Tally(), Tally()
    process.observe("hanpan_turn_decide_seconds", "g", 0.001)
    delta = process.drain()
    node.merge(delta, "p")
    node.merge(delta, "p")
    assert value(node, "hanpan_turn_decide_seconds_count", game="g") == 2


# ---------------------------------------------------------------- showing


def test_the_content_type_is_the_librarys() -> None:
    assert prometheus_client.exposition.CONTENT_TYPE_LATEST == CONTENT_TYPE


def test_a_processs_own_vital_signs_are_shown() -> None:
    assert (value(Tally(), "process_resident_memory_bytes") or 0) > 1e6


def test_metrics_are_served_while_others_count() -> None:
    tally = Tally()
    port, stop = serve_metrics(tally, "127.0.0.1", 0)
    done = threading.Event()

    def count() -> None:
        number = 0
        while not done.is_set():
            number += 1
            tally.count("hanpan_actions_total", f"game-{number % 60}", "refused", f"code-{number % 90}")
            tally.merge(b"", "p")

    counting = threading.Thread(target=count)
    counting.start()
    try:
        for _ in range(20):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
                assert b"hanpan_actions_total" in answer.read()
                assert answer.headers["Content-Type"].startswith("text/plain")
    finally:
        done.set()
        counting.join()
        stop()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=1)
