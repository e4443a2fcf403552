"""Does a log replay to the states it was written from?"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cluster.entries import Created, Entry
from cluster.recovery import FindGame, states


class Verdict(msgspec.Struct, frozen=True):
    """What a replay of one log came to."""

    game: str | None
    entries: int
    replayed: int  # entries whose digests came out as logged; the next one did not
    why: str | None = None  # what is wrong

    @property
    def ok(self) -> bool:
        return self.why is None


def check_log(entries: Sequence[Entry], find_game: FindGame | None = None) -> Verdict:
    """Replays the whole log from its first entry, without any snapshot, and compares every digest."""
    if find_game is None:
        from engines.catalog import GAMES

        find_game = GAMES.__getitem__
    if not entries:
        return Verdict(None, 0, 0, "the log is empty")
    first = entries[0].fact
    game = first.game if isinstance(first, Created) else None
    replayed = 0
    try:
        for _ in states(entries, find_game):
            replayed += 1
    except Exception as wrong:  # a digest that differs, or whatever an engine does with a state it did not expect
        return Verdict(game, len(entries), replayed, f"{type(wrong).__name__}: {wrong}")
    return Verdict(game, len(entries), replayed)
