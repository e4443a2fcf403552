"""Is this gateway doing more than it can? Told by how late its event loop is, and by how full it is; no clock here.

Whoever is overloaded turns new business away, at once and with a time to come again, and keeps its strength for those
who are playing. Late once is an accident: it takes LATE of the last BEATS heartbeats.
"""

from __future__ import annotations

from collections import deque

BEAT_SECONDS = 0.1
BEATS, LATE = 10, 5
NEARLY_FULL = 0.9  # of all sessions: from here on only those who come back are let in


class Pressure:
    """``limit``: seconds that a heartbeat may be late; 0: no matter how late."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._late: deque[bool] = deque(maxlen=BEATS)

    def beat(self, late: float) -> None:
        """A heartbeat came, so many seconds after it was due."""
        self._late.append(0 < self._limit < late)

    @property
    def overloaded(self) -> bool:
        return sum(self._late) >= LATE
