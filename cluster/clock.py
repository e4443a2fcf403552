"""The room's clock: integer milliseconds that only run while the room can be played.

It starts where the log ends and stands still during an outage, so time that nobody could use is given back, and no
machine's idea of the date matters. An outage is known only when a write has failed, which may take its store seconds:
then the clock goes back to when that began. The source is a monotonic clock, handed in.
"""

from __future__ import annotations

from collections.abc import Callable


class RoomClock:
    """Maps a monotonic clock (seconds) to room time (ms)."""

    def __init__(self, monotonic: Callable[[], float], start: int) -> None:
        self._monotonic = monotonic
        self._base = start
        self._anchor: float | None = monotonic()  # None: standing still

    def now(self) -> int:
        """Room time in ms."""
        if self._anchor is None:
            return self._base
        return self._base + int((self._monotonic() - self._anchor) * 1000)

    def pause(self) -> None:
        """Stands still until `resume`. Pausing twice is pausing once."""
        if self._anchor is not None:
            self._base = self.now()
            self._anchor = None

    def back_to(self, at: int) -> None:
        """It is ``at`` again, where that is over: since then nobody could do anything."""
        if at < self.now():
            self._base = at
            if self._anchor is not None:
                self._anchor = self._monotonic()

    def resume(self) -> None:
        if self._anchor is None:
            self._anchor = self._monotonic()

    def seconds_until(self, at: int) -> float:
        """How long until room time ``at``, if the clock runs; 0 when it has passed."""
        return max(0.0, (at - self.now()) / 1000)
