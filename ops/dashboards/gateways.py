"""Gateways and sessions."""

from __future__ import annotations

from ops.dashboards.common import GATEWAY
from ops.dashboards.grafana import Board, Query, gauge, occurring, panel, quantile, rate, row

_GATEWAY_JOB = 'job="hanpan-gateways", instance=~"$gateway"'

BOARD = Board(
    "hanpan-gateways",
    "hanpan / gateways and sessions",
    "People cannot come in, or are sent away: what the gateways say, and to whom.",
    (
        row(
            "Sockets",
            panel(
                "Open",
                "By gateway, and the most that each takes.",
                "short",
                Query(gauge("hanpan_gateway_sockets", GATEWAY, "instance"), "{{instance}}"),
                Query(gauge("hanpan_gateway_sockets_limit", GATEWAY, "instance"), "{{instance}} limit"),
            ),
            panel(
                "Rooms can be made",
                "1, as far as each gateway knows; 0 on all of them: no node takes a room, or the directory is away.",
                "short",
                Query(gauge("hanpan_gateway_makes_rooms", GATEWAY, "instance"), "{{instance}}"),
            ),
            panel(
                "Late",
                "How late the event loop's heartbeat is; and 1 while new business is turned away.",
                "s",
                Query(quantile(0.99, "hanpan_gateway_loop_late_seconds", GATEWAY), "p99"),
                Query(gauge("hanpan_gateway_overloaded", GATEWAY, "instance"), "{{instance}} overloaded"),
            ),
            panel(
                "Hellos",
                "By what came of them.",
                "ops",
                Query(occurring(rate("hanpan_gateway_handshakes_total", GATEWAY, "code")), "{{code}}"),
                stack=True,
            ),
            panel(
                "Ended by us",
                "By the code of the Bye.",
                "ops",
                Query(occurring(rate("hanpan_gateway_byes_total", GATEWAY, "code")), "{{code}}"),
                stack=True,
            ),
            panel(
                "Came back",
                "Told what they had missed, or given a fresh view.",
                "ops",
                Query(rate("hanpan_gateway_resumes_total", GATEWAY, "kind"), "{{kind}}"),
                stack=True,
            ),
            panel(
                "Dropped outboxes",
                "Clients that did not read. Many at once: our way out is full.",
                "ops",
                Query(rate("hanpan_outbox_drops_total", GATEWAY, "instance"), "{{instance}}"),
            ),
            panel(
                "Sessions in rooms",
                "As the rooms see them.",
                "short",
                Query(gauge("hanpan_sessions", by="role"), "{{role}}"),
                stack=True,
            ),
        ),
        row(
            "Messages",
            panel(
                "In",
                "By type.",
                "ops",
                Query(rate("hanpan_gateway_messages_in_total", GATEWAY, "type"), "{{type}}"),
                stack=True,
            ),
            panel(
                "Out",
                "By gateway.",
                "ops",
                Query(rate("hanpan_gateway_messages_out_total", GATEWAY, "instance"), "{{instance}}"),
                stack=True,
            ),
            panel(
                "Bytes out",
                "By gateway.",
                "Bps",
                Query(rate("hanpan_gateway_bytes_out_total", GATEWAY, "instance"), "{{instance}}"),
                stack=True,
            ),
            panel(
                "Refused by the gateway",
                "By code. too_fast: limits; bad_token: keys; unavailable: the cluster.",
                "ops",
                Query(occurring(rate("hanpan_gateway_refused_total", GATEWAY, "code")), "{{code}}"),
                stack=True,
            ),
        ),
        row(
            "HTTP",
            panel(
                "Requests",
                "By route.",
                "ops",
                Query(rate("hanpan_gateway_http_requests_total", GATEWAY, "route"), "{{route}}"),
                stack=True,
            ),
            panel(
                "By status",
                "5xx are ours.",
                "ops",
                Query(rate("hanpan_gateway_http_requests_total", GATEWAY, "status"), "{{status}}"),
                stack=True,
            ),
            panel(
                "Identity provider's keys",
                "Tries to fetch them, where people have accounts.",
                "ops",
                Query(rate("hanpan_gateway_account_keys_total", GATEWAY, "outcome"), "{{outcome}}"),
            ),
            panel(
                "Latency, p99",
                "By route. Creating a room takes as long as a hand-over.",
                "s",
                Query(quantile(0.99, "hanpan_gateway_http_seconds", GATEWAY, "route"), "{{route}}"),
            ),
        ),
        row(
            "The processes",
            panel(
                "CPU",
                "Of one core; a gateway uses one.",
                "percentunit",
                Query(f"rate(process_cpu_seconds_total{{{_GATEWAY_JOB}}}[$__rate_interval])", "{{instance}}"),
                bad=0.8,
            ),
            panel("Memory", "", "bytes", Query(f"process_resident_memory_bytes{{{_GATEWAY_JOB}}}", "{{instance}}")),
            panel(
                "Open files, of the most",
                "One for each socket and room.",
                "percentunit",
                Query(f"process_open_fds{{{_GATEWAY_JOB}}} / process_max_fds{{{_GATEWAY_JOB}}}", "{{instance}}"),
                bad=0.8,
            ),
            panel(
                "Tasks",
                "Of its event loop.",
                "short",
                Query(gauge("hanpan_tasks", GATEWAY, "instance"), "{{instance}}"),
            ),
            panel(
                "Links",
                "To rooms that have people here, and to the directory.",
                "short",
                Query(gauge("hanpan_links", GATEWAY, "instance, kind"), "{{instance}} {{kind}}"),
            ),
        ),
    ),
    ("gateway",),
)
