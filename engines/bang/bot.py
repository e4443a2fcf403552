"""placeholder"""

from __future__ import annotations

from random import Random

from engines.kernel.contract import Action, Json


def bot(view: Json, legal: list[Action], rng: Random) -> Action:
    return rng.choice(legal)
