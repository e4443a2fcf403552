"""The log store."""

from __future__ import annotations

from ops.dashboards.common import available
from ops.dashboards.grafana import Board, Query, gauge, heat, panel, quantiles, rate, row, share

_POSTGRES = 'store="postgres"'

BOARD = Board(
    "hanpan-store",
    "hanpan / log store",
    "Rooms are paused, or turns slow in their append: how the store is doing.",
    (
        row(
            "Health",
            panel(
                "Rooms paused",
                "Their store does not answer; they go on by themselves.",
                "short",
                Query(gauge("hanpan_rooms_paused", by="node"), "{{node}}"),
                stack=True,
                bad=1,
            ),
            panel(
                "Errors",
                "unavailable: no answer; conflict: another owns the room.",
                "ops",
                Query(rate("hanpan_log_errors_total", by="store, kind"), "{{store}} {{kind}}"),
                stack=True,
            ),
            panel(
                "Disk of the data",
                "What is left of it.",
                "percentunit",
                Query(available("hanpan_node_disk_bytes", 'folder="data"'), "{{node}}"),
            ),
        ),
        row(
            "Speed",
            panel(
                "Append",
                "Until it is durable.",
                "s",
                *quantiles("hanpan_log_append_seconds", by="store", shares=(0.5, 0.95, 0.99)),
                bad=0.05,
            ),
            panel(
                "Append",
                "A band far above the other: one slow disk or connection.",
                "s",
                heat("hanpan_log_append_seconds"),
                kind="heatmap",
            ),
            panel(
                "Append, p99 by node",
                "One node alone: its disk, or its way to the database.",
                "s",
                *quantiles("hanpan_log_append_seconds", by="node", shares=(0.99,)),
            ),
            panel(
                "Its share of a turn",
                "Of all the time that turns take.",
                "percentunit",
                Query(
                    share(
                        rate("hanpan_turn_append_seconds_sum", by="game"), rate("hanpan_turn_seconds_sum", by="game")
                    ),
                    "{{game}}",
                ),
            ),
        ),
        row(
            "Load",
            panel(
                "Appends", "By node.", "ops", Query(rate("hanpan_log_appends_total", by="node"), "{{node}}"), stack=True
            ),
            panel(
                "Snapshots",
                "One every 64 entries of a room.",
                "ops",
                Query(rate("hanpan_log_snapshots_total", by="store"), "{{store}}"),
                stack=True,
            ),
            panel(
                "Appends a commit",
                "PostgreSQL: a node's clerk puts those of several rooms into one commit.",
                "short",
                Query(share(rate("hanpan_log_appends_total", _POSTGRES), rate("hanpan_log_commits_total", _POSTGRES))),
            ),
            panel(
                "Connections",
                "PostgreSQL: those of all clerks; a few a node.",
                "short",
                Query(gauge("hanpan_store_connections", _POSTGRES)),
            ),
            panel("Take-over", "Reading a room's log and replaying it.", "s", *quantiles("hanpan_takeover_seconds")),
        ),
    ),
)
