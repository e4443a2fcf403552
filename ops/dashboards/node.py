"""One node: its processes, and what they live on."""

from __future__ import annotations

from ops.dashboards.common import NODE, available, spent
from ops.dashboards.grafana import Board, Query, gauge, panel, quantiles, rate, row


def _by_node(metric: str) -> Query:
    return Query(gauge(metric, NODE, "node"), "{{node}}")


BOARD = Board(
    "hanpan-node",
    "hanpan / one node",
    "A node is absent, slow or full: what runs there, and what it lives on.",
    (
        row(
            "Processes",
            panel("Rooms", "Room processes that own a room.", "short", _by_node("hanpan_room_processes"), stack=True),
            panel(
                "Spares",
                "Ready, and as many as are wanted.",
                "short",
                _by_node("hanpan_spares"),
                Query(gauge("hanpan_spares_wanted", NODE, "node"), "{{node}} wanted"),
            ),
            panel(
                "Starting",
                "Never coming down: the node cannot keep up.",
                "short",
                _by_node("hanpan_processes_starting"),
            ),
            panel(
                "Starts",
                "By what came of them.",
                "ops",
                Query(rate("hanpan_process_starts_total", NODE, "node, outcome"), "{{node}} {{outcome}}"),
            ),
            panel(
                "Time to start",
                "Half a second of a core, where one is free.",
                "s",
                *quantiles("hanpan_process_start_seconds", NODE, "node", (0.5, 0.95)),
            ),
            panel(
                "Deaths",
                "Ended without being told to.",
                "ops",
                Query(rate("hanpan_process_deaths_total", NODE, "node, reason"), "{{node}} {{reason}}"),
                stack=True,
            ),
        ),
        row(
            "The machine",
            panel(
                "CPU",
                "Share of the cores' time that was spent.",
                "percentunit",
                Query(spent("busy", NODE), "{{node}}"),
                bad=0.9,
            ),
            panel(
                "Waiting for disks",
                "Share of the cores' time.",
                "percentunit",
                Query(
                    spent("waiting", NODE),
                    "{{node}}",
                ),
            ),
            panel(
                "Memory that is left",
                "Of the machine, or of what the container may have.",
                "percentunit",
                Query(available("hanpan_node_memory_bytes", NODE), "{{node}}"),
            ),
            panel(
                "Memory of a room process",
                "Mean (PSS). Growing: a leak; times its rooms is what the node needs.",
                "bytes",
                _by_node("hanpan_process_memory_bytes"),
            ),
            panel(
                "Disks that are left",
                "By folder.",
                "percentunit",
                Query(available("hanpan_node_disk_bytes", NODE, "node, folder"), "{{node}} {{folder}}"),
            ),
            panel(
                "Ray's log folder",
                "Files of ended processes go within a minute or two.",
                "short",
                _by_node("hanpan_ray_log_files"),
                Query(rate("hanpan_ray_log_files_removed_total", NODE, "node"), "{{node}} removed a second"),
            ),
            panel(
                "Its size",
                "Bounded: 32 MiB of ended processes, beside those of the living.",
                "bytes",
                _by_node("hanpan_ray_log_bytes"),
            ),
        ),
        row(
            "The agent",
            panel(
                "Its CPU",
                "Of one core; it has one thread that matters.",
                "percentunit",
                Query('rate(process_cpu_seconds_total{job="hanpan-nodes"}[$__rate_interval])', "{{instance}}"),
            ),
            panel(
                "Its memory", "", "bytes", Query('process_resident_memory_bytes{job="hanpan-nodes"}', "{{instance}}")
            ),
            panel("Its tasks", "And the directory's.", "short", _by_node("hanpan_tasks")),
            panel(
                "Its links",
                "By who is at the other end.",
                "short",
                Query(gauge("hanpan_links", NODE, "node, kind"), "{{node}} {{kind}}"),
            ),
            panel(
                "Counts thrown away",
                "A process of another version; nothing, outside of upgrades.",
                "ops",
                Query(rate("hanpan_metrics_discarded_total", NODE, "node, reason"), "{{node}} {{reason}}"),
            ),
            panel(
                "Strangers",
                "Peers that did not know the secret.",
                "ops",
                Query(rate("hanpan_link_auth_failures_total", NODE, "node"), "{{node}}"),
            ),
        ),
    ),
    ("node",),
)
