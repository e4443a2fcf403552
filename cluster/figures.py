"""Figures for whoever is on call and has no Prometheus at hand: the last hour of turns, timeouts and nodes.

    agent: Gatherer.gather() ──every 10 s──▶ Diary ──what was not heard yet──▶ directory: Hour ──▶ Hour.chart(…)

They are what the agents' tallies count anyway, so they agree with the metrics; sums and quantiles are made here. The
directory keeps an hour of all nodes in its memory, at most `STEPS` times `GAMES_MOST` rows of buckets, and each agent
an hour of its own node: a directory that follows another is told it again, and one whose link was cut for a while hears
what it has missed. So the hour is lost with a node's agent alone, for that node, and with all of hanpan; Prometheus is
what remembers longer. Quantiles are its `histogram_quantile`: straight lines between a bucket's bounds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Any

import msgspec

from ops.metrics import BY_NAME, OTHER, Tally

STEP_SECONDS = 10
STEPS = 360  # an hour
TOLD_AT_ONCE = 36  # of an agent's steps: a few ms of the directory's time
PAUSE_SECONDS = 0.1  # and it has other things to do in between
POINTS = 120  # of a chart, at most: longer times are put together
GAMES_MOST = 32  # the others count as one
NODES_MOST = 512
BOUNDS = BY_NAME["hanpan_turn_seconds"].buckets
SLOW = BOUNDS.index(0.1) + 1  # buckets up to here are turns as promised: `ops.alerts.slo`


class Vitals(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """How a node is. None: not read yet."""

    sessions: int | None = None
    paused: int = 0  # rooms that stand still as the store does not answer
    cpu: float | None = None  # the part of its cores that is busy, 0 to 1
    memory_total: float | None = None  # bytes
    memory_free: float | None = None
    disk_total: float | None = None  # of the folder that is closest to being full
    disk_free: float | None = None


class Figures(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What a node has counted since the last time."""

    turns: dict[str, list[float]] = {}  # by game; how many, for each bucket of hanpan_turn_seconds
    timeouts: dict[str, float] = {}  # by game
    recoveries: float = 0  # of rooms whose process was lost
    vitals: Vitals = Vitals()


class Step(msgspec.Struct, frozen=True, array_like=True):
    """One gathering, as it is told."""

    number: int  # from 1, in the order of a diary
    ago: float  # seconds: machines' clocks differ, and only the directory's counts
    figures: Figures


LOST = ("died", "hung", "stopped", "memory", "fenced", "node")  # reasons of recoveries that nobody meant


class Gatherer:
    """An agent's side: what has been added to its tally."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._before: dict[tuple[str, tuple[str, ...]], tuple[float, ...]] = {}
        self._cpu: float | None = None

    def gather(self) -> Figures:
        """What was counted since the last call, and how the node is now."""
        turns: dict[str, list[float]] = {}
        for (game, _), more in self._added("hanpan_turn_seconds"):
            counts = turns.setdefault(game, [0.0] * (len(BOUNDS) + 1))
            turns[game] = [old + new for old, new in zip(counts, more[:-1], strict=True)]
        timeouts: dict[str, float] = {}
        for (game, *_), more in self._added("hanpan_timeouts_total"):
            timeouts[game] = timeouts.get(game, 0) + more[0]
        recoveries = sum(more[0] for (reason,), more in self._added("hanpan_recoveries_total") if reason in LOST)
        return Figures(
            turns={game: counts for game, counts in turns.items() if any(counts)},
            timeouts={game: count for game, count in timeouts.items() if count},
            recoveries=recoveries,
            vitals=self._vitals(),
        )

    def _added(self, name: str) -> list[tuple[tuple[str, ...], tuple[float, ...]]]:
        added = []
        for labels, now in self._tally.standing(name).items():
            before = self._before.get((name, labels), (0.0,) * len(now))
            self._before[name, labels] = now
            added.append((labels, tuple(new - old for new, old in zip(now, before, strict=True))))
        return added

    def _vitals(self) -> Vitals:
        spent = {labels[0]: more[0] for labels, more in self._added("hanpan_node_cpu_seconds_total")}
        if (whole := sum(spent.values())) > 0:
            self._cpu = spent.get("busy", 0.0) / whole
        memory = {labels[0]: value for labels, (value,) in self._tally.standing("hanpan_node_memory_bytes").items()}
        disks: dict[str, dict[str, float]] = {}
        for (folder, kind), (value,) in self._tally.standing("hanpan_node_disk_bytes").items():
            disks.setdefault(folder, {})[kind] = value
        fullest = min(disks.values(), key=lambda disk: disk["available"] / disk["total"], default={})
        return Vitals(
            sessions=int(sum(value for (value,) in self._tally.standing("hanpan_sessions").values())),
            paused=int(sum(value for (value,) in self._tally.standing("hanpan_rooms_paused").values())),
            cpu=self._cpu,
            memory_total=memory.get("total"),
            memory_free=memory.get("available"),
            disk_total=fullest.get("total"),
            disk_free=fullest.get("available"),
        )


class Diary:
    """The same: what was gathered in the last hour, for a directory that has not heard it. Times are monotonic."""

    def __init__(self) -> None:
        self._kept: deque[tuple[int, float, msgspec.Raw]] = deque(maxlen=STEPS)  # as text: a tenth of the objects
        self.last = 0  # number of the newest

    def note(self, figures: Figures, now: float) -> None:
        self.last += 1
        self._kept.append((self.last, now, msgspec.Raw(msgspec.json.encode(figures))))

    def after(self, number: int, now: float) -> list[tuple[int, float, msgspec.Raw]]:
        """What came after this one, oldest first, as `Step`s are written in JSON; at most `TOLD_AT_ONCE`."""
        unheard = (entry for entry in self._kept if entry[0] > number)
        return [(kept, round(now - at, 3), text) for kept, at, text in islice(unheard, TOLD_AT_ONCE)]


class _Sums:
    """What all nodes told of one step of time."""

    __slots__ = ("recoveries", "sessions", "timeouts", "turns")

    def __init__(self) -> None:
        self.turns: dict[str, list[float]] = {}
        self.timeouts: dict[str, float] = {}
        self.recoveries = 0.0
        self.sessions: dict[str, int] = {}  # by node


class Chart(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Columns of equal length, oldest first; None where nothing is known of that time, or where there is no value."""

    step: int  # seconds
    since: int  # unix seconds: where the first step begins
    turns: list[float | None]
    p50: list[float | None]  # ms
    p99: list[float | None]
    slow: list[float | None]  # turns that took longer than promised
    timeouts: list[float | None]
    recoveries: list[float | None]  # of all games
    sessions: list[float | None]
    games: list[str]  # that there were figures of


class Hour:
    """The directory's side. Times are unix seconds and come in as arguments."""

    def __init__(self) -> None:
        self._steps: dict[int, _Sums] = {}  # by the number of their time
        self._games: set[str] = set()
        self._began: int | None = None  # the first step that is known
        self._heard: dict[str, tuple[str, int]] = {}  # by node: its agent's diary, and the last number of it

    def heard(self, node: str, diary: str) -> int:
        """Up to which number of this diary is known; 0: nothing."""
        known, number = self._heard.get(node, ("", 0))
        return number if known == diary else 0

    def hear(self, node: str, diary: str, steps: Sequence[Step], now: float) -> None:
        """What a node told of itself. What is told twice counts once."""
        for step in steps:
            if step.number > self.heard(node, diary):
                self.add(node, step.figures, now - step.ago, now)
                self._heard[node] = (diary, step.number)
        while len(self._heard) > NODES_MOST:
            del self._heard[next(iter(self._heard))]

    def add(self, node: str, figures: Figures, at: float, now: float) -> None:
        """What a node has counted by then."""
        step = self._step(int(at) // STEP_SECONDS, int(now) // STEP_SECONDS)
        for game, counts in figures.turns.items():
            if len(counts) != len(BOUNDS) + 1:
                continue  # a node of another version, with other buckets
            game = self._known(game)
            before = step.turns.get(game, [0.0] * len(counts))
            step.turns[game] = [old + new for old, new in zip(before, counts, strict=True)]
        for game, count in figures.timeouts.items():
            game = self._known(game)
            step.timeouts[game] = step.timeouts.get(game, 0) + count
        step.recoveries += figures.recoveries
        if node in step.sessions or len(step.sessions) < NODES_MOST:
            step.sessions[node] = figures.vitals.sessions or 0

    def _step(self, number: int, present: int) -> _Sums:
        self._began = number if self._began is None else min(number, self._began)
        step = self._steps.setdefault(number, _Sums())
        if len(self._steps) > STEPS:  # what is furthest away goes, on either side: clocks are set back, too
            del self._steps[max(self._steps, key=lambda other: abs(other - present))]
        return step

    def _known(self, game: str) -> str:
        if game not in self._games and len(self._games) >= GAMES_MOST:
            return OTHER
        self._games.add(game)
        return game

    def chart(self, game: str, minutes: int, now: float) -> Chart:
        """The last so many minutes; of all games where none is named. The step under way is left out."""
        steps = minutes * 60 // STEP_SECONDS
        size = -(-steps // POINTS)  # steps put together into one point
        last = int(now) // STEP_SECONDS // size * size  # points begin at full sizes: they do not change as time goes on
        columns: dict[str, list[float | None]] = {name: [] for name in _COLUMNS}
        for first in range(last - steps, last, size):
            there = [self._steps[number] for number in range(first, first + size) if number in self._steps]
            began = self._began is not None and first + size > self._began
            point = _point(there, game) if there or began else dict.fromkeys(_COLUMNS)
            for name, column in columns.items():
                column.append(point[name])
        since = (last - steps) * STEP_SECONDS
        return Chart(step=size * STEP_SECONDS, since=since, games=sorted(self._games), **columns)


_COLUMNS = ("turns", "p50", "p99", "slow", "timeouts", "recoveries", "sessions")


def _point(steps: Sequence[_Sums], game: str) -> dict[str, float | None]:
    counts = [0.0] * (len(BOUNDS) + 1)
    for step in steps:
        for name, more in step.turns.items():
            if game in ("", name):
                counts = [old + new for old, new in zip(counts, more, strict=True)]
    sessions = [sum(step.sessions.values()) for step in steps if step.sessions]
    return {
        "turns": sum(counts),
        "p50": _in_ms(quantile(counts, 0.5)),
        "p99": _in_ms(quantile(counts, 0.99)),
        "slow": sum(counts[SLOW:]),
        "timeouts": sum(count for step in steps for name, count in step.timeouts.items() if game in ("", name)),
        "recoveries": sum(step.recoveries for step in steps),
        "sessions": float(max(sessions)) if sessions else None,
    }


def quantile(counts: Sequence[float], share: float) -> float | None:
    """Seconds; None where nothing was counted. ``counts``: for each bucket of `BOUNDS`, and beyond the last."""
    rank = sum(counts) * share
    if rank <= 0:
        return None
    below = 0.0
    for index, count in enumerate(islice(counts, len(BOUNDS))):
        if below + count >= rank:
            floor = BOUNDS[index - 1] if index else 0.0
            return floor + (BOUNDS[index] - floor) * (rank - below) / count
        below += count
    return BOUNDS[-1]


def _in_ms(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 3)


def read(told: Any) -> list[Step]:
    """From a node's notice. Raises `msgspec.ValidationError`."""
    return msgspec.convert(told, list[Step])
