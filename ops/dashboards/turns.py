"""Turn latency, and which of its parts is to blame."""

from __future__ import annotations

from ops.dashboards.common import GAME, SLOW_TURNS_BY_GAME, burn
from ops.dashboards.grafana import Board, Query, heat, mean, panel, quantile, quantiles, rate, row

_PARTS = ("decide", "append", "tell")


def _parts_sum() -> str:
    return " + ".join(rate(f"hanpan_turn_{part}_seconds_sum", GAME) for part in _PARTS)


BOARD = Board(
    "hanpan-turns",
    "hanpan / turn latency",
    "Turns are slow: where is the time spent? A turn waits in the inbox, is decided, appended, and told.",
    (
        row(
            "The whole",
            panel(
                "Turn latency",
                "From an action's arrival in the room until everyone is told.",
                "s",
                *quantiles("hanpan_turn_seconds", GAME, "game", (0.5, 0.95, 0.99)),
                width=12,
                bad=0.1,
            ),
            panel(
                "Distribution",
                "Two bands: two kinds of rooms, nodes or disks.",
                "s",
                heat("hanpan_turn_seconds", GAME),
                kind="heatmap",
                width=12,
            ),
            panel(
                "Slow turns",
                "Share that took more than 100 ms. Their rooms: `slow_turn` in the logs.",
                "percentunit",
                SLOW_TURNS_BY_GAME,
                bad=0.001,
            ),
            panel("Budget, burn rate", "1 uses it up in 30 days.", "short", *burn("turns", 0.001), bad=14.4),
            panel(
                "Turns",
                "Load, beside latency.",
                "ops",
                Query(rate("hanpan_turn_seconds_count", GAME, "game"), "{{game}}"),
                stack=True,
            ),
        ),
        row(
            "Its parts",
            panel(
                "Mean, by part",
                "What a turn's time consists of. Waiting: in the inbox, behind other messages.",
                "s",
                *(Query(mean(f"hanpan_turn_{part}_seconds", GAME), part) for part in _PARTS),
                Query(
                    f"clamp_min(({rate('hanpan_turn_seconds_sum', GAME)} - ({_parts_sum()})) / "
                    f"({rate('hanpan_turn_seconds_count', GAME)} > 0), 0)",
                    "waiting",
                ),
                stack=True,
            ),
            panel(
                "Decide, p99",
                "The engine. Slow everywhere: a starved CPU; in one game: that game.",
                "s",
                *quantiles("hanpan_turn_decide_seconds", GAME, "game", (0.99,)),
            ),
            panel(
                "Append, p99",
                "The log. Slow: see the log store's page.",
                "s",
                *quantiles("hanpan_turn_append_seconds", GAME, "game", (0.99,)),
            ),
            panel(
                "Tell, p99",
                "Views and writing. Grows with a room's people.",
                "s",
                *quantiles("hanpan_turn_tell_seconds", GAME, "game", (0.99,)),
            ),
            panel(
                "By rules",
                "Modes of one game can differ in what they cost.",
                "s",
                Query(quantile(0.99, "hanpan_turn_seconds", GAME, "game, mode"), "{{game}} {{mode}}"),
            ),
            panel(
                "By node",
                "One slow node: its disk or its neighbours.",
                "s",
                Query(quantile(0.99, "hanpan_turn_seconds", GAME, "node"), "{{node}}"),
            ),
        ),
    ),
    ("game",),
)
