"""What a dashboard is made of, and how it becomes Grafana's JSON.

A query names metrics of `ops.metrics` and nothing else: `rate`, `quantile` and the others raise at once for a metric or
label that does not exist, so that a dashboard cannot outlive what it shows.
"""

from __future__ import annotations

import re
from typing import Any, Literal

import msgspec

from ops.metrics import BY_NAME

SOURCE = {"type": "prometheus", "uid": "${source}"}
WINDOW = "$__rate_interval"
WIDTH = 24  # of Grafana's grid

# What a target has besides the catalogue's own labels: the node's (on all of a node's page) and Prometheus' two.
EVERYWHERE = frozenset({"node", "job", "instance", "le"})

Kind = Literal["timeseries", "stat", "heatmap", "bargauge"]


class Query(msgspec.Struct, frozen=True):
    """PromQL, and the name of each line that comes of it."""

    expr: str
    legend: str = ""


class Panel(msgspec.Struct, frozen=True):
    """One question, and what answers it."""

    title: str
    why: str  # what to see in it, or when to look at it
    unit: str  # one of Grafana's: s, short, percentunit, bytes, ops, …
    queries: tuple[Query, ...]
    kind: Kind = "timeseries"
    width: int = 8
    stack: bool = False
    bad: float | None = None  # from here on it is red


class Row(msgspec.Struct, frozen=True):
    title: str
    panels: tuple[Panel, ...]


class Board(msgspec.Struct, frozen=True):
    """A dashboard."""

    uid: str
    title: str
    why: str  # who looks at it, and when
    rows: tuple[Row, ...]
    variables: tuple[str, ...] = ()  # of VARIABLES


VARIABLES = {
    "game": "label_values(hanpan_actions_total, game)",
    "node": "label_values(hanpan_spares, node)",
    "gateway": "label_values(hanpan_gateway_sockets, instance)",
}


def panel(title: str, why: str, unit: str, *queries: Query, **more: Any) -> Panel:
    return Panel(title, why, unit, queries, **more)


def row(title: str, *panels: Panel) -> Row:
    return Row(title, panels)


# ---------------------------------------------------------------- queries


def selected(metric: str, where: str = "") -> str:
    """The metric, where its labels are so. Its suffixes (_bucket, _sum, _count) may be given with it."""
    known = BY_NAME.get(metric) or BY_NAME.get(re.sub(r"_(bucket|sum|count)$", "", metric))
    if known is None:
        raise KeyError(f"no metric is called {metric}")
    labels = {label.name for label in known.labels} | EVERYWHERE
    if unknown := set(re.findall(r"(\w+)\s*[=!]", where)) - labels:
        raise KeyError(f"{metric} has no label {unknown}")
    return f"{metric}{{{where}}}" if where else metric


def summed(inner: str, by: str = "") -> str:
    return f"sum by ({by}) ({inner})" if by else f"sum({inner})"


def gauge(metric: str, where: str = "", by: str = "") -> str:
    """A gauge, over all who show it."""
    return summed(selected(metric, where), by)


def rate(metric: str, where: str = "", by: str = "", window: str = WINDOW) -> str:
    """How many a second."""
    return summed(f"rate({selected(metric, where)}[{window}])", by)


def occurring(expr: str) -> str:
    """Of many lines those that are not zero: what is foreseen, and does not happen, would fill the legend."""
    return f"{expr} > 0"


def share(part: str, whole: str) -> str:
    """Part of the whole, 0 to 1; nothing where there is no whole."""
    return f"{part} / ({whole} > 0)"


def quantile(q: float, metric: str, where: str = "", by: str = "", window: str = WINDOW) -> str:
    """The value that this share of a histogram's observations does not exceed."""
    buckets = rate(f"{metric}_bucket", where, "le" + (f", {by}" if by else ""), window)
    return f"histogram_quantile({q}, {buckets})"


def mean(metric: str, where: str = "", by: str = "") -> str:
    return share(rate(f"{metric}_sum", where, by), rate(f"{metric}_count", where, by))


def quantiles(metric: str, where: str = "", by: str = "", shares: tuple[float, ...] = (0.5, 0.99)) -> tuple[Query, ...]:
    """A line for each share, and each value of ``by``."""
    name = " ".join(f"{{{{{label.strip()}}}}}" for label in by.split(",") if by)
    return tuple([Query(quantile(q, metric, where, by), f"p{q * 100:g} {name}".strip()) for q in shares])


def heat(metric: str, where: str = "") -> Query:
    """How many observations fell into each bucket."""
    return Query(rate(f"{metric}_bucket", where, "le"), "{{le}}")


# ---------------------------------------------------------------- Grafana's JSON


def dashboard(board: Board) -> dict[str, Any]:
    """What Grafana imports, or is provisioned with."""
    panels: list[dict[str, Any]] = []
    top = 0
    for section in board.rows:
        panels.append(_section(len(panels) + 1, section, top))
        top, left, tallest = top + 1, 0, 0
        for one in section.panels:
            height = 4 if one.kind == "stat" else 8
            if left + one.width > WIDTH:
                top, left, tallest = top + tallest, 0, 0
            place = {"x": left, "y": top, "w": one.width, "h": height}
            panels.append(_panel(len(panels) + 1, one, place))
            left, tallest = left + one.width, max(tallest, height)
        top += tallest
    return {
        "uid": board.uid,
        "title": board.title,
        "description": board.why,
        "tags": ["hanpan"],
        "schemaVersion": 39,
        "editable": False,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-1h", "to": "now"},
        "timezone": "browser",
        "links": [{"type": "dashboards", "title": "hanpan", "tags": ["hanpan"], "asDropdown": True, "keepTime": True}],
        "templating": {"list": [_source(), *(_variable(name) for name in board.variables)]},
        "annotations": {"list": []},
        "panels": panels,
    }


def _source() -> dict[str, Any]:
    return {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus", "hide": 0}


def _variable(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "type": "query",
        "datasource": SOURCE,
        "query": {"query": VARIABLES[name], "refId": name},
        "refresh": 2,
        "includeAll": True,
        "allValue": ".*",
        "multi": True,
        "sort": 1,
        "current": {"text": "All", "value": "$__all"},
    }


def _section(number: int, section: Row, top: int) -> dict[str, Any]:
    place = {"x": 0, "y": top, "w": WIDTH, "h": 1}
    return {"id": number, "type": "row", "title": section.title, "collapsed": False, "gridPos": place, "panels": []}


def _panel(number: int, one: Panel, place: dict[str, int]) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
    if one.bad is not None:
        steps.append({"color": "red", "value": one.bad})
    defaults = {"unit": one.unit, "thresholds": {"mode": "absolute", "steps": steps}, "min": 0}
    if one.kind == "timeseries":
        defaults["custom"] = {
            "fillOpacity": 30 if one.stack else 0,
            "stacking": {"mode": "normal" if one.stack else "none"},
            "thresholdsStyle": {"mode": "off" if one.bad is None else "line"},
            "showPoints": "never",
        }
    return {
        "id": number,
        "type": one.kind,
        "title": one.title,
        "description": one.why,
        "datasource": SOURCE,
        "gridPos": place,
        "targets": [
            {
                "refId": chr(ord("A") + index),
                "datasource": SOURCE,
                "expr": query.expr,
                "legendFormat": query.legend or "__auto",
                "format": "heatmap" if one.kind == "heatmap" else "time_series",
                "instant": False,
                "range": True,
            }
            for index, query in enumerate(one.queries)
        ],
        "fieldConfig": {"defaults": defaults, "overrides": []},
        "options": _OPTIONS[one.kind],
    }


_LEGEND = {"displayMode": "list", "placement": "bottom", "showLegend": True}
_OPTIONS: dict[Kind, dict[str, Any]] = {
    "timeseries": {"legend": _LEGEND, "tooltip": {"mode": "multi", "sort": "desc"}},
    "stat": {"reduceOptions": {"calcs": ["lastNotNull"]}, "colorMode": "value", "graphMode": "area"},
    "bargauge": {"reduceOptions": {"calcs": ["lastNotNull"]}, "orientation": "horizontal", "displayMode": "basic"},
    "heatmap": {"calculate": False, "yAxis": {"unit": "s"}, "color": {"scheme": "Spectral", "mode": "scheme"}},
}
