"""Figures for the operators' page: what an agent adds up, what the directory keeps, and what charts are made of."""

from __future__ import annotations

import msgspec
import pytest

from cluster import figures
from cluster.figures import (
    BOUNDS,
    GAMES_MOST,
    NODES_MOST,
    STEP_SECONDS,
    STEPS,
    Diary,
    Figures,
    Gatherer,
    Hour,
    Step,
    Vitals,
    quantile,
)
from ops.metrics import Tally

NOW = 1_800_000_000.0  # the start of a step, and of a point of an hour's chart


def told(diary: Diary, after: int, now: float) -> list[Step]:
    """What a directory reads of it, in as many parts as it takes."""
    steps: list[Step] = []
    while part := diary.after(steps[-1].number if steps else after, now):
        steps += figures.read(msgspec.json.decode(msgspec.json.encode(part)))
    return steps


def turns(**seconds: list[float]) -> Figures:
    """So many turns, as they would be counted."""
    tally = Tally()
    for game, each in seconds.items():
        for one in each:
            tally.observe("hanpan_turn_seconds", game, "classic", one)
    return Gatherer(tally).gather()


# ---------------------------------------------------------------- an agent's side


def test_only_what_was_added_is_told():
    nothing = Figures(vitals=Vitals(sessions=0))  # which is known; a node that has told nothing yet has none
    tally = Tally()
    gatherer = Gatherer(tally)
    assert gatherer.gather() == nothing
    tally.observe("hanpan_turn_seconds", "g", "a", 0.004)
    tally.observe("hanpan_turn_seconds", "g", "b", 0.004)
    tally.count("hanpan_timeouts_total", "g", "a", "bidding", by=3)
    for reason in ("died", "drain", "woken"):
        tally.count("hanpan_recoveries_total", reason)
    told = gatherer.gather()
    assert sum(told.turns["g"]) == 2
    assert (told.timeouts, told.recoveries) == ({"g": 3}, 1)  # drained and woken rooms were not lost
    assert gatherer.gather() == nothing


def test_vitals_are_those_of_the_metrics():
    tally = Tally()
    gatherer = Gatherer(tally)
    tally.count("hanpan_node_cpu_seconds_total", "busy", by=1)
    tally.count("hanpan_node_cpu_seconds_total", "idle", by=3)
    for kind, size in (("total", 100), ("available", 40)):
        tally.gauge("hanpan_node_memory_bytes", kind, value=size)
        tally.gauge("hanpan_node_disk_bytes", "data", kind, value=size)
    tally.gauge("hanpan_node_disk_bytes", "logs", "total", value=100)
    tally.gauge("hanpan_node_disk_bytes", "logs", "available", value=5)
    room = Tally()
    room.gauge("hanpan_sessions", "player", value=4)
    room.gauge("hanpan_rooms_paused", value=1)
    tally.merge(room.drain(), "r")
    vitals = gatherer.gather().vitals
    assert (vitals.cpu, vitals.sessions, vitals.paused) == (0.25, 4, 1)
    assert (vitals.memory_free, vitals.disk_free) == (40, 5)  # the disk that is closest to being full
    assert gatherer.gather().vitals.cpu == 0.25  # nothing was read anew: it is as it was


# ---------------------------------------------------------------- the directory's


def test_nodes_and_games_are_added_up_and_told_apart():
    hour = Hour()
    hour.add("n1", turns(a=[0.004] * 3), NOW - 30, NOW)
    hour.add("n2", turns(a=[0.2], b=[0.004]), NOW - 30, NOW)
    assert sum(n or 0 for n in hour.chart("", 60, NOW).turns) == 5
    one = hour.chart("a", 60, NOW)
    assert sum(n or 0 for n in one.turns) == 4
    assert sum(n or 0 for n in one.slow) == 1
    assert one.games == ["a", "b"]


def test_what_is_not_known_is_not_nought():
    """Before the directory's start there is nothing; after it, a quiet time is a 0."""
    hour = Hour()
    hour.add("n", Figures(vitals=Vitals(sessions=7)), NOW - 50, NOW)
    hour.add("n", Figures(), NOW - 20, NOW)
    chart = hour.chart("", 1, NOW)
    assert chart.turns == [None, 0, 0, 0, 0, 0]
    assert chart.sessions == [None, 7, None, None, 0, None]
    assert chart.p99 == [None] * 6


def test_the_step_under_way_is_left_out_and_points_do_not_change_as_time_goes_on():
    hour = Hour()
    hour.add("n", turns(a=[0.004]), NOW - 5, NOW)
    hour.add("n", turns(a=[0.004]), NOW + 1, NOW)
    before, after = hour.chart("", 60, NOW + 2), hour.chart("", 60, NOW + 9)
    assert before == after
    assert sum(n or 0 for n in before.turns) == 1
    assert len(before.turns) == 120
    assert before.step == 3 * STEP_SECONDS


def test_a_directory_that_follows_another_is_told_the_hour_and_nothing_counts_twice():
    """An agent's clock is its own: how long ago is what it says."""
    diary = Diary()
    for step in range(6):
        diary.note(turns(a=[0.004] * step), 500.0 + step * STEP_SECONDS)
    now = 555.0  # monotonic; the newest was 5 s ago
    before, after = Hour(), Hour()
    before.hear("n", "d1", told(diary, 0, now)[:4], NOW)
    assert (before.heard("n", "d1"), before.heard("n", "d2"), before.heard("m", "d1")) == (4, 0, 0)
    before.hear("n", "d1", told(diary, 3, now), NOW)  # the fourth once more
    after.hear("n", "d1", told(diary, after.heard("n", "d1"), now), NOW)
    assert before.chart("", 1, NOW) == after.chart("", 1, NOW)
    assert after.chart("", 1, NOW).turns == [0, 1, 2, 3, 4, 5]


def test_an_agent_that_follows_another_begins_its_diary_anew():
    hour, first, second = Hour(), Diary(), Diary()
    for diary, name in ((first, "d1"), (second, "d2")):
        diary.note(turns(a=[0.004]), 0.0)
        hour.hear("n", name, told(diary, hour.heard("n", name), 15.0), NOW)
    assert sum(n or 0 for n in hour.chart("", 60, NOW).turns) == 2


def test_a_diary_goes_back_an_hour_and_nodes_that_come_and_go_are_forgotten():
    diary, hour = Diary(), Hour()
    for step in range(STEPS + 3):
        diary.note(Figures(), step * STEP_SECONDS)
    kept = told(diary, 0, STEPS * STEP_SECONDS)
    assert (len(kept), kept[0].number, kept[-1].number) == (STEPS, 4, diary.last)
    for number in range(NODES_MOST + 5):
        hour.hear(f"n{number}", "d", kept[-1:], NOW)
    assert len(hour._heard) == NODES_MOST
    assert hour.heard(f"n{NODES_MOST + 4}", "d") == diary.last


def test_an_hour_is_all_that_is_kept():
    hour = Hour()
    for step in range(2 * STEPS):
        now = NOW + step * STEP_SECONDS
        hour.add("n", turns(a=[0.004]), now, now)
    assert len(hour._steps) == STEPS
    assert sum(n or 0 for n in hour.chart("a", 60, NOW + 2 * STEPS * STEP_SECONDS).turns) == STEPS


def test_games_beyond_the_bound_count_as_one():
    hour = Hour()
    for number in range(GAMES_MOST + 5):
        hour.add("n", turns(**{f"g{number}": [0.004]}), NOW - 30, NOW)
    assert len(hour.chart("", 60, NOW).games) == GAMES_MOST
    assert sum(n or 0 for n in hour.chart("other", 60, NOW).turns) == 5
    assert sum(n or 0 for n in hour.chart("", 60, NOW).turns) == GAMES_MOST + 5


def test_a_clock_that_is_set_back_loses_nothing_and_one_that_was_ahead_is_forgotten():
    hour = Hour()
    hour.add("n", turns(a=[0.004]), NOW - 30, NOW - 30)
    hour.add("n", turns(a=[0.004]), NOW - 300, NOW - 300)
    assert sum(n or 0 for n in hour.chart("", 60, NOW).turns) == 2
    ahead = NOW + 86_400
    hour.add("n", turns(a=[0.004]), ahead, ahead)
    for step in range(STEPS):
        hour.add("n", turns(a=[0.004]), NOW + step * STEP_SECONDS, NOW + step * STEP_SECONDS)
    assert len(hour._steps) == STEPS
    assert sum(n or 0 for n in hour.chart("", 60, NOW + STEPS * STEP_SECONDS).turns) == STEPS


def test_a_node_with_other_buckets_is_left_out():
    hour = Hour()
    hour.add("n", Figures(turns={"a": [1, 2, 3]}, timeouts={"a": 1}), NOW - 30, NOW)
    chart = hour.chart("", 60, NOW)
    assert (sum(n or 0 for n in chart.turns), sum(n or 0 for n in chart.timeouts)) == (0, 1)


@pytest.mark.parametrize(
    ("seconds", "share", "expected"),
    [
        ([], 0.5, None),
        ([0.004], 0.5, 0.004),  # the middle of 3 to 5 ms
        ([0.004] * 4, 0.25, 0.0035),
        ([0.004] * 99 + [60], 0.999, BOUNDS[-1]),  # beyond the last bound nothing more is known
        ([0.0001], 1.0, 0.0002),
    ],
)
def test_quantiles_are_those_of_prometheus(seconds: list[float], share: float, expected: float | None):
    counts = turns(a=seconds).turns.get("a", [0.0] * (len(BOUNDS) + 1))
    assert quantile(counts, share) == (None if expected is None else pytest.approx(expected))


def test_slow_is_what_the_promise_calls_slow():
    from ops.alerts.slo import SLOW_SECONDS

    assert BOUNDS[figures.SLOW - 1] == float(SLOW_SECONDS)
