"""What chaos brings into hanpan's own room processes: a game with fatal actions, and a clock that is wrong.

Nothing installs it: a hanpan that chaos starts for itself finds ``ops/chaos/plugin`` on its path, which registers the
game as any package of others would register its own. As every room process loads all games, the clock comes with it.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from engines.kernel.contract import Game, PlayerId, Rejected, Step
from engines.ninety_nine.game import NinetyNine
from engines.ninety_nine.state import State as NinetyNineState

CLOCK = "CHAOS_CLOCK_SECONDS"  # how much later this node believes it to be


class Poison(NinetyNine):
    """구십구 with two actions that have a bug: over one the engine raises, over the other its process dies."""

    id = "chaos-poison"

    def apply(
        self, state: NinetyNineState, player: PlayerId, action: Mapping[str, Any] | msgspec.Struct, now: int
    ) -> Step[NinetyNineState] | Rejected:
        if action == {"type": "crash"}:
            raise ZeroDivisionError("asked for")
        if action == {"type": "die"}:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().apply(state, player, action, now)


GAME: Game[NinetyNineState] = Poison()

if _shift := float(os.environ.get(CLOCK, "0")):
    _right = time.time
    time.time = lambda: _right() + _shift
