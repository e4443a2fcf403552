"""hanpan's dashboards, as Python: `grafana.py` has the words, each other module is one; `built/` comes of them."""

from __future__ import annotations

from ops.dashboards import capacity, games, gateways, node, overview, recoveries, store, turns
from ops.dashboards.grafana import Board

BOARDS: tuple[Board, ...] = (
    overview.BOARD,
    turns.BOARD,
    games.BOARD,
    node.BOARD,
    recoveries.BOARD,
    gateways.BOARD,
    store.BOARD,
    capacity.BOARD,
)
