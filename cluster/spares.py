"""How many spares each node keeps: what the directory tells its agents. Pure: who asks and who is told is elsewhere.

Four reasons to keep one, of which the greatest counts:

- the node's own least number (``--spares``);
- rooms that need another process now, beyond that number: they are being placed, or their node is lost or to be
  emptied. As they get one, a spare is used, and one fewer is wanted: none is ended that is about to be needed, and none
  started in its place while there is most to do;
- demand: rooms were made and woken so fast lately that so many were wanted within the time in which one is started;
- the loss of another node: its rooms come here, and those that cannot be given a freshly started process in time must
  find a spare. Many nodes share a loss, and start many processes at once: the more there are, the fewer this takes.

What a node may have at most, by its limits on processes and memory, is its agent's to keep.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

LEAD_SECONDS = 5.0  # in which a spare that was used is replaced, also on a busy node
MEMORY_SECONDS = 300.0  # the busiest moment of so long counts
BACK_SECONDS = 8.0  # within which the rooms of a lost node are to have processes again


class Demand:
    """How many rooms wanted a process of late. Not those that were lost: they are no sign of more to come."""

    def __init__(self) -> None:
        self._counts: deque[tuple[int, int]] = deque()  # a stretch of LEAD_SECONDS by its number, and how many came

    def came(self, now: float) -> None:
        """A room was made, or woken."""
        stretch = int(now // LEAD_SECONDS)
        if self._counts and self._counts[-1][0] == stretch:
            self._counts[-1] = (stretch, self._counts[-1][1] + 1)
        else:
            self._counts.append((stretch, 1))

    def peak(self, now: float) -> int:
        """The most that came within LEAD_SECONDS."""
        oldest = int((now - MEMORY_SECONDS) // LEAD_SECONDS)
        while self._counts and self._counts[0][0] < oldest:
            self._counts.popleft()
        return max((count for _, count in self._counts), default=0)


class Site(NamedTuple):
    """A node that takes rooms."""

    name: str
    rooms: int
    least: int  # spares that it keeps in any case
    starts: float  # processes that it can start in a second


def wanted(sites: Sequence[Site], peak: int, homeless: int = 0) -> dict[str, int]:
    """Spares for each of these nodes. In total, ``peak`` are for demand, and ``homeless`` rooms need a process now."""
    if not sites:
        return {}
    each, now = ceil(peak / len(sites)), ceil(homeless / len(sites))
    return {site.name: max(site.least + now, each, _for_a_loss(site, sites)) for site in sites}


def _for_a_loss(site: Site, sites: Sequence[Site]) -> int:
    """This node's part of the rooms of the fullest other one, without those for which there is time to start one."""
    largest = max((other.rooms for other in sites if other is not site), default=0)
    return max(0, ceil(largest / max(1, len(sites) - 1) - site.starts * BACK_SECONDS))
