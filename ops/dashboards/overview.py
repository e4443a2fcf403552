"""The first page: is hanpan well, and if not, where to look next."""

from __future__ import annotations

from ops.dashboards.common import GAME, LOST, SLOW_TURNS_BY_GAME, TIMEOUTS_BY_GAME, burn
from ops.dashboards.grafana import Board, Query, gauge, panel, quantile, quantiles, rate, row

_NOW = {"kind": "stat", "width": 4}

BOARD = Board(
    "hanpan-overview",
    "hanpan / overview",
    "Is all well? One look, and the page to go to where it is not.",
    (
        row(
            "Now",
            panel(
                "Rooms played",
                "Rooms with a game on the table.",
                "short",
                Query(gauge("hanpan_rooms", 'state="playing"')),
                **_NOW,
            ),
            panel(
                "People", "Players and spectators who are connected.", "short", Query(gauge("hanpan_sessions")), **_NOW
            ),
            panel(
                "Turns a second",
                "Actions that were accepted.",
                "ops",
                Query(rate("hanpan_actions_total", 'outcome="accepted"')),
                **_NOW,
            ),
            panel(
                "Turn, p99",
                "From an action's arrival until all are told. Promised: 99.9 % within 100 ms.",
                "s",
                Query(quantile(0.99, "hanpan_turn_seconds")),
                bad=0.1,
                **_NOW,
            ),
            panel(
                "Rooms without a process",
                "Being brought up, or back. For more than a moment: recoveries.",
                "short",
                Query(gauge("hanpan_rooms", 'state="placing"')),
                bad=10,
                **_NOW,
            ),
            panel(
                "Rooms paused",
                "Their store does not answer: log store.",
                "short",
                Query(gauge("hanpan_rooms_paused")),
                bad=1,
                **_NOW,
            ),
            panel(
                "Quarantined",
                "Rooms that wait for an operator.",
                "short",
                Query(gauge("hanpan_rooms", 'state="quarantined"')),
                bad=1,
                **_NOW,
            ),
            panel(
                "Spares",
                "Room processes that are ready. None: rooms wait seconds to begin.",
                "short",
                Query(gauge("hanpan_spares")),
                **_NOW,
            ),
            panel("Nodes", "Agents that the directory knows.", "short", Query(gauge("hanpan_nodes")), **_NOW),
            panel("Gateways", "Gateways that the directory knows.", "short", Query(gauge("hanpan_gateways")), **_NOW),
            panel(
                "Directory, seen by",
                "Gateways and agents that have it on the line.",
                "short",
                Query(gauge("hanpan_links", 'kind="directory"')),
                **_NOW,
            ),
            panel(
                "Versions",
                "More than one for longer than an upgrade takes is a forgotten node.",
                "short",
                Query("count(count by (version) (hanpan_info))"),
                bad=2,
                **_NOW,
            ),
        ),
        row(
            "Players",
            panel(
                "Turn latency",
                "The first thing that players feel.",
                "s",
                *quantiles("hanpan_turn_seconds", GAME, "game"),
                bad=0.1,
            ),
            panel(
                "Timeouts",
                "Share of questions whose deadline passed. Everyone at once: they cannot reach us.",
                "percentunit",
                TIMEOUTS_BY_GAME,
                bad=0.05,
            ),
            panel("Slow turns", "Share that took more than 100 ms.", "percentunit", SLOW_TURNS_BY_GAME, bad=0.001),
            panel(
                "Turns by game",
                "What is played.",
                "ops",
                Query(rate("hanpan_actions_total", f'outcome="accepted", {GAME}', "game"), "{{game}}"),
                stack=True,
            ),
            panel(
                "People",
                "By what they do here.",
                "short",
                Query(gauge("hanpan_sessions", by="role"), "{{role}}"),
                stack=True,
            ),
            panel(
                "Turn budget, burn rate",
                "1 uses it up in 30 days; 14.4 for an hour wakes somebody.",
                "short",
                *burn("turns", 0.001),
                bad=14.4,
            ),
        ),
        row(
            "Rooms",
            panel(
                "Rooms by state",
                "Parked rooms cost nothing.",
                "short",
                Query(gauge("hanpan_rooms", GAME, "state"), "{{state}}"),
                stack=True,
            ),
            panel(
                "Room processes",
                "By node.",
                "short",
                Query(gauge("hanpan_room_processes", by="node"), "{{node}}"),
                stack=True,
            ),
            panel(
                "Recoveries",
                "That nobody asked for, by reason.",
                "ops",
                Query(rate("hanpan_recoveries_total", f'reason=~"{LOST}"', "reason"), "{{reason}}"),
                stack=True,
            ),
        ),
    ),
    ("game",),
)
