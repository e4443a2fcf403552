"""How many nodes the rooms need: what Ray's autoscaler is asked for, and which node may go.

Ray sees only that every node has spares, and so is never idle; it cannot know how many rooms will come. So it is told:
there must be slots for the rooms that run and so many more, or for all the spares that are wanted, where those are
more. A node goes when the others would still have twice as many more without it, and that for a while; it is emptied
first. Pure: who asks and who does it is elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

CALM_SECONDS = 300.0  # there must have been too many nodes for so long before one goes


class Node(NamedTuple):
    """One that has an agent."""

    name: str
    rooms: int
    limit: int
    draining: bool
    wanted: int = 0  # spares that it is to keep, by demand


class Plan(NamedTuple):
    slots: int  # room processes that there must be a place for
    retire: str | None  # the node to be emptied, for it to go


class Scaler:
    """Remembers since when there are too many nodes."""

    def __init__(self, headroom: int, least: int) -> None:
        self._headroom, self._least = headroom, least
        self._roomy_since: float | None = None

    def plan(self, nodes: Iterable[Node], now: float) -> Plan:
        nodes = list(nodes)
        headroom = max(self._headroom, sum(node.wanted for node in nodes if not node.draining))
        slots = sum(node.rooms for node in nodes) + headroom
        staying = [node for node in nodes if not node.draining]
        spare = min(staying, key=lambda node: (node.rooms, node.name), default=None)
        roomy = (
            spare is not None
            and len(staying) > self._least
            and len(staying) == len(nodes)  # one after the other
            and sum(node.limit for node in staying) - spare.limit >= slots + headroom
        )
        if not roomy:
            self._roomy_since = None
        elif self._roomy_since is None:
            self._roomy_since = now
        elif now - self._roomy_since >= CALM_SECONDS:
            assert spare is not None
            self._roomy_since = None
            return Plan(slots, spare.name)
        return Plan(slots, None)


def nodes_of(rows: Iterable[dict[str, Any]]) -> list[Node]:
    """From what the directory says of its nodes."""
    return [
        Node(row["node"], int(row["rooms"]), int(row["limit"]), bool(row["draining"]), int(row["wanted"]))
        for row in rows
    ]
