"""The gateways that are connected to the directory, and what they are told without asking."""

from __future__ import annotations

from typing import Any

from cluster.link_io import Peer
from cluster.records import Record
from cluster.roster import Roster


class Gateways:
    """They are told whether rooms can be made, and which rooms have moved."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self.peers: set[Peer] = set()
        self.ready = False  # can rooms be made?

    def came(self, peer: Peer) -> None:
        self.peers.add(peer)
        peer.notify({"type": "ready", "ready": self.ready})

    def went(self, peer: Peer) -> None:
        self.peers.discard(peer)

    def tell_ready(self) -> None:
        """After whatever may have changed it."""
        ready = self._roster.makes_rooms()
        if ready != self.ready:
            self.ready = ready
            for peer in self.peers:
                peer.notify({"type": "ready", "ready": ready})

    def tell_moved(self, record: Record) -> None:
        """They may be linked to an owner before this one, which nobody has closed: it stands still."""
        for peer in self.peers:
            peer.notify({"type": "moved", "room": record.id, "epoch": record.epoch})

    def listed(self) -> list[dict[str, Any]]:
        """Those that are connected, as they told us last, by name."""
        known = [(peer.who.name if peer.who is not None else "", peer.data or {}) for peer in self.peers]
        return [{**told, "name": name} for name, told in sorted(known, key=lambda one: one[0])]
