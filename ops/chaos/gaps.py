"""How long a room that was struck could not be played."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from ops.chaos.fault import Hit


def gap(hit: Hit, owners: Mapping[int, int]) -> float | None:
    """Seconds; None where the room was never played again. ``owners``: the epoch of each entry, from the room's log.

    Where the owner was lost, from the strike to the first acknowledged action that a *later* owner took. Elsewhere the
    longest time without an acknowledged action, from the strike to the first one after the fault was over: in a room
    that noticed nothing that is the time between two turns, and an outage's own length is part of it.
    """
    if hit.moves:
        return next((at - hit.at for at, seq in hit.acks if owners.get(seq, 0) > hit.epoch), None)
    if not hit.back:
        return None
    return max(later - earlier for earlier, later in pairwise([hit.at, *(at for at, _ in hit.acks)]))
