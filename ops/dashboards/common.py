"""Queries that several dashboards ask."""

from __future__ import annotations

from ops.dashboards.grafana import Query, rate, selected, share, summed

GAME = 'game=~"$game"'
NODE = 'node=~"$node"'
GATEWAY = 'instance=~"$gateway"'

LOST = "died|hung|fenced|node"  # reasons of recoveries that nobody has asked for

TIMEOUTS_BY_GAME = Query('hanpan:timeouts_failed:ratio_rate5m{game=~"$game"}', "{{game}}")
SLOW_TURNS_BY_GAME = Query('hanpan:turns_failed:ratio_rate5m{game=~"$game"}', "{{game}}")


def burn(slo: str, budget: float) -> tuple[Query, ...]:
    """How fast an objective's budget burns: 1 uses it up in 30 days."""
    windows = ("5m", "1h", "6h")
    return tuple(
        [
            Query(f"hanpan:{slo}_failed:ratio_rate{window}{{{GAME}}} / {budget:g}", f"{{{{game}}}} {window}")
            for window in windows
        ]
    )


def available(metric: str, where: str = "", by: str = "node") -> str:
    """The share that is left of something of which there is a total."""
    more = f", {where}" if where else ""
    left = summed(selected(metric, 'kind="available"' + more), by)
    return share(left, summed(selected(metric, 'kind="total"' + more), by))


def spent(kind: str, where: str = "", by: str = "node") -> str:
    """The share of the cores' time that went into this: busy, or waiting for disks."""
    metric = "hanpan_node_cpu_seconds_total"
    return share(rate(metric, f'kind="{kind}"' + (f", {where}" if where else ""), by), rate(metric, where, by))
