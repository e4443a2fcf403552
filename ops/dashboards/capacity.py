"""Capacity: how much more fits, and what gives out first."""

from __future__ import annotations

from ops.dashboards.common import available, spent
from ops.dashboards.grafana import Board, Query, gauge, panel, rate, row, selected, share

_USED = f"({gauge('hanpan_room_processes', by='node')} + {gauge('hanpan_spares', by='node')})"
# What an agent starts processes for: a tenth of all memory is kept free (`keep_memory` in `cluster/agent_config.py`).
_LEFT = (
    f"""({gauge("hanpan_node_memory_bytes", 'kind="available"', by="node")}"""
    f""" - 0.1 * {gauge("hanpan_node_memory_bytes", 'kind="total"', by="node")})"""
)

BOARD = Board(
    "hanpan-capacity",
    "hanpan / capacity",
    "How much more fits, what gives out first, and when. For planning, and before an evening of many players.",
    (
        row(
            "Rooms",
            panel(
                "Processes, of the most",
                "Rooms and spares. Near 1: add nodes.",
                "percentunit",
                Query(share(_USED, gauge("hanpan_process_limit", by="node")), "{{node}}"),
                bad=0.9,
            ),
            panel(
                "Rooms that still fit",
                "By the memory that is left; a tenth of all is kept free.",
                "short",
                Query(
                    f"clamp_min({share(_LEFT, gauge('hanpan_process_memory_bytes', by='node'))}, 0)",
                    "{{node}}",
                ),
            ),
            panel(
                "Waits for a spare",
                "Rooms that found none ready: more spares, or faster nodes.",
                "ops",
                Query(rate("hanpan_spare_waits_total", by="node"), "{{node}}"),
                stack=True,
            ),
            panel(
                "Rooms by state",
                "Parked rooms cost nothing; playing and waiting ones a process each.",
                "short",
                Query(gauge("hanpan_rooms", by="state"), "{{state}}"),
                stack=True,
            ),
            panel(
                "Memory of a room process",
                "Mean (PSS).",
                "bytes",
                Query(gauge("hanpan_process_memory_bytes", by="node"), "{{node}}"),
            ),
            panel(
                "Processes starting",
                "By node.",
                "short",
                Query(gauge("hanpan_processes_starting", by="node"), "{{node}}"),
                stack=True,
            ),
        ),
        row(
            "Machines",
            panel(
                "CPU",
                "Share of the cores' time. Above 0.7, turns begin to wait.",
                "percentunit",
                Query(spent("busy"), "{{node}}"),
                bad=0.7,
            ),
            panel(
                "CPU of a turn",
                "Core-seconds that nodes spend for each turn, all they do counted in.",
                "s",
                Query(share(rate("hanpan_node_cpu_seconds_total", 'kind="busy"'), rate("hanpan_turn_seconds_count"))),
            ),
            panel("Memory that is left", "", "percentunit", Query(available("hanpan_node_memory_bytes"), "{{node}}")),
            panel(
                "Disk that is left",
                "",
                "percentunit",
                Query(available("hanpan_node_disk_bytes", by="node, folder"), "{{node}} {{folder}}"),
            ),
            panel(
                "Disk in a week",
                "As it would go on from the last six hours.",
                "bytes",
                Query(
                    f"""predict_linear({selected("hanpan_node_disk_bytes", 'kind="available"')}[6h], 604800)""",
                    "{{node}} {{folder}}",
                ),
            ),
        ),
        row(
            "Gateways",
            panel(
                "Sockets, of the most",
                "By gateway.",
                "percentunit",
                Query(
                    share(
                        gauge("hanpan_gateway_sockets", by="instance"),
                        gauge("hanpan_gateway_sockets_limit", by="instance"),
                    ),
                    "{{instance}}",
                ),
                bad=0.8,
            ),
            panel(
                "CPU",
                "Of one core each.",
                "percentunit",
                Query('rate(process_cpu_seconds_total{job="hanpan-gateways"}[$__rate_interval])', "{{instance}}"),
                bad=0.8,
            ),
            panel(
                "Bytes out",
                "By gateway.",
                "Bps",
                Query(rate("hanpan_gateway_bytes_out_total", by="instance"), "{{instance}}"),
                stack=True,
            ),
        ),
    ),
)
