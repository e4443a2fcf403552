"""Which nodes are there, and which of them takes a room. Pure memory, but for the streams that it looks at."""

from __future__ import annotations

from collections.abc import Iterable

from cluster.records import Node, Owner


class Roster:
    """Nodes, by name. Anybody may read it; who comes and goes is `cluster.nodes`' to say."""

    def __init__(self) -> None:
        self.here: dict[str, Node] = {}  # those whose agents are connected
        self.went: dict[str, float] = {}  # those whose agents are away, and since when (monotonic)

    def came(self, node: Node) -> None:
        """Its agent is connected; an earlier link to it counts no more."""
        self.here[node.name] = node
        self.went.pop(node.name, None)

    def went_away(self, node: Node, now: float) -> None:
        """Its agent's stream has ended."""
        del self.here[node.name]
        self.went[node.name] = now

    def gave_up(self, name: str) -> None:
        """Nobody waits for its agent any more."""
        self.went.pop(name, None)

    def is_there(self, node: Node) -> bool:
        """An agent that comes anew may have come with other games."""
        return self.here.get(node.name) is node

    def of(self, owner: Owner | None) -> Node | None:
        """The node of a room's owner; None where it is away, or there is no owner."""
        return None if owner is None else self.here.get(owner.node)

    def open(self) -> list[Node]:
        """Those that take rooms just now."""
        # A link that is just breaking refuses at once: to ask it again and again would leave nobody else a turn.
        return [node for node in self.here.values() if not node.draining and not node.full and node.peer.open]

    def makes_rooms(self) -> bool:
        """Is there any node that has processes and takes rooms?"""
        return any(
            node.status.get("processes", 0) > 0 and not node.draining and not node.full for node in self.here.values()
        )


def freest(nodes: Iterable[Node]) -> Node | None:
    """The one with the most free spares; None of none."""
    return max(nodes, key=lambda node: node.free, default=None)
