"""The two promises that are measured all the time, and the rules that Prometheus watches them by.

    turns      99.9 % of accepted actions are told to everyone within 100 ms of their arrival in the room
    timeouts   95 % of questions are answered by their player before the deadline

The second says whether players can play: a broken page, network or gateway shows there first, as deadlines that pass.

A budget is what may fail: 0.1 % and 5 %. A burn rate of 1 uses it up in exactly 30 days. An alert needs two windows,
so that it is neither late nor goes on after the end (Google's SRE Workbook, chapter 5, "Multiwindow, Multi-Burn-Rate").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import yaml  # type: ignore[import-untyped]

SLOW_SECONDS = "0.1"  # a bucket's bound
WINDOWS = ("5m", "30m", "1h", "2h", "6h", "1d", "3d")
FEWEST = 0.05  # events a second over the long window, below which one slow turn would be a burning budget


class Slo(msgspec.Struct, frozen=True):
    name: str
    alert: str
    budget: float
    promise: str
    bad: Callable[[str], str]  # window -> how many fail, a second, by game
    all: Callable[[str], str]


def _by_game(metric: str, window: str) -> str:
    return f"sum by (game) (rate({metric}[{window}]))"


def _slow_turns(window: str) -> str:
    fast = _by_game(f"hanpan_turn_seconds_bucket{{le='{SLOW_SECONDS}'}}", window)
    return f"({_turns(window)} - {fast})"


def _turns(window: str) -> str:
    return _by_game("hanpan_turn_seconds_count", window)


def _timeouts(window: str) -> str:
    """A game in which none has passed yet has no such counter, and fails at a rate of 0."""
    return f"({_by_game('hanpan_timeouts_total', window)} or {_answers(window)} * 0)"


def _answers(window: str) -> str:
    return _by_game("hanpan_actions_total{outcome='accepted'}", window)


def _questions(window: str) -> str:
    return f"({_timeouts(window)} + ({_answers(window)} or {_by_game('hanpan_timeouts_total', window)} * 0))"


SLOS = (
    Slo("turns", "HanpanTurnLatencyBurn", 0.001, "99.9 % of turns take at most 100 ms", _slow_turns, _turns),
    Slo("timeouts", "HanpanTimeoutsBurn", 0.05, "95 % of questions are answered in time", _timeouts, _questions),
)

# How fast it burns, in which two windows, for how long, and how loud.
BURNS = (
    (14.4, "1h", "5m", "2m", "page"),
    (6, "6h", "30m", "15m", "page"),
    (3, "1d", "2h", "1h", "ticket"),
    (1, "3d", "6h", "3h", "ticket"),
)


def rules() -> str:
    """The rules' file."""
    groups: list[dict[str, Any]] = []
    for slo in SLOS:
        groups.append({"name": f"hanpan-slo-{slo.name}", "rules": [*_records(slo), *_alerts(slo)]})
    text: str = yaml.safe_dump({"groups": groups}, sort_keys=False, width=200, allow_unicode=True)
    return "# Made by `make generated` from ops/alerts/slo.py.\n" + text


def _records(slo: Slo) -> Iterator[dict[str, Any]]:
    for window in WINDOWS:
        yield {"record": f"hanpan:{slo.name}:rate{window}", "expr": slo.all(window)}
        ratio = f"{slo.bad(window)} / ({slo.all(window)} > 0)"
        yield {"record": f"hanpan:{slo.name}_failed:ratio_rate{window}", "expr": ratio}


def _alerts(slo: Slo) -> Iterator[dict[str, Any]]:
    for factor, long, short, hold, severity in BURNS:
        most = f"{factor * slo.budget:g}"
        ratio = f"hanpan:{slo.name}_failed:ratio_rate"
        yield {
            "alert": slo.alert,
            "expr": f"{ratio}{long} > {most} and {ratio}{short} > {most} and hanpan:{slo.name}:rate{long} > {FEWEST}",
            "for": hold,
            "labels": {"severity": severity, "window": long},
            "annotations": {
                "summary": f"{{{{ $labels.game }}}}: {{{{ $value | humanizePercentage }}}} fail over {long}; "
                f"the promise is that {slo.promise}",
                "runbook": f"ops/alerts/runbooks/{slo.alert}.md",
            },
        }
