"""Rooms that are brought back: how many, why, and how long their people wait. Also the page to watch a chaos run on."""

from __future__ import annotations

from ops.dashboards.grafana import Board, Query, gauge, heat, panel, quantiles, rate, row

BOARD = Board(
    "hanpan-recoveries",
    "hanpan / recoveries and chaos",
    "Processes or nodes die, or are killed on purpose: does every room come back, and how soon?",
    (
        row(
            "Deaths",
            panel(
                "Recoveries",
                "By reason. Woken, drained and restarted ones are meant.",
                "ops",
                Query(rate("hanpan_recoveries_total", by="reason"), "{{reason}}"),
                stack=True,
            ),
            panel(
                "Deaths of processes",
                "Spares too.",
                "ops",
                Query(rate("hanpan_process_deaths_total", by="reason"), "{{reason}}"),
                stack=True,
            ),
            panel(
                "Rooms without a process",
                "A peak comes with each lost node; a level is an outage.",
                "short",
                Query(gauge("hanpan_rooms", 'state="placing"', "game"), "{{game}}"),
                Query(gauge("hanpan_rooms_overdue"), "for more than a minute"),
            ),
        ),
        row(
            "How long",
            panel(
                "Recovery",
                "From a process's death until another owns the room.",
                "s",
                *quantiles("hanpan_recovery_seconds"),
                bad=1,
            ),
            panel(
                "Recovery",
                "A band above a second: no spares, or a slow store.",
                "s",
                heat("hanpan_recovery_seconds"),
                kind="heatmap",
            ),
            panel("Take-over", "The process's part: claim, read, replay.", "s", *quantiles("hanpan_takeover_seconds")),
            panel(
                "Placement",
                "The directory's part, of every room that gets a process.",
                "s",
                *quantiles("hanpan_placement_seconds"),
            ),
            panel(
                "Waits for a spare",
                "Rooms that found none ready.",
                "ops",
                Query(rate("hanpan_spare_waits_total", by="node"), "{{node}}"),
            ),
            panel(
                "Hand-overs that failed",
                "By code; each is tried again.",
                "ops",
                Query(rate("hanpan_handovers_refused_total", by="code"), "{{code}}"),
                stack=True,
            ),
        ),
        row(
            "What must stay low",
            panel(
                "Quarantined rooms",
                "Died three times at one entry, or do not replay.",
                "short",
                Query(gauge("hanpan_rooms", 'state="quarantined"', "game"), "{{game}}"),
                stack=True,
                bad=1,
            ),
            panel(
                "Stranded rooms",
                "No node can play their game, or its version.",
                "short",
                Query(gauge("hanpan_rooms", 'state="stranded"', "game"), "{{game}}"),
                stack=True,
                bad=1,
            ),
            panel(
                "Fenced appends",
                "An old owner that woke up late was refused. The log did its duty.",
                "ops",
                Query(rate("hanpan_log_errors_total", 'kind="conflict"', "store"), "{{store}}"),
            ),
            panel(
                "Clients that came back",
                "Told what they had missed, or given a fresh view.",
                "ops",
                Query(rate("hanpan_gateway_resumes_total", by="kind"), "{{kind}}"),
                stack=True,
            ),
            panel(
                "Dials",
                "Failed ones come with each death; a level is a network.",
                "ops",
                Query(rate("hanpan_link_dials_total", by="outcome"), "{{outcome}}"),
                stack=True,
            ),
        ),
    ),
)
