"""Who wins a pot (document 6.3). Pure.

It is asked for each pot by itself, with that pot's own players: a 땡잡이 may win the main pot and lose a side pot, a
구사 may void the one and not the other (SD-12).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from engines.kernel.contract import PlayerId
from engines.seotda.hands import Made
from engines.seotda.options import Options

Reason = Literal["normal", "ttaengjabi", "amhaeng", "gusa", "mungGusa", "tie", "alone"]

TTAENG = range(901, 910)  # 삥땡 to 9땡: what a 땡잡이 catches
CAUGHT_BY_AMHAENG = (980, 990)  # 13광땡, 18광땡
GUSA_LIMIT = 806  # 알리
MUNG_LIMIT = {"off": GUSA_LIMIT, "upTo8": 908, "upTo9": 909, "upToJang": 910}  # SD-25: 909 cannot be met in play


class Verdict(msgspec.Struct, frozen=True, gc=False):
    """One pot judged: won, split, or to be played again by ``players``."""

    type: Literal["win", "split", "rematch"]
    players: tuple[PlayerId, ...]  # in the order they were given
    reason: Reason


def resolve(shown: Mapping[PlayerId, Made], options: Options) -> Verdict:
    """The six steps of 6.3, for two or more players."""
    winners, reason = _standing(shown)
    if (again := _gusa(shown, winners, options)) is not None:
        return Verdict("rematch", tuple(shown), again)
    if len(winners) == 1:
        return Verdict("win", winners, reason)
    if options.tie_rule == "split":
        return Verdict("split", winners, reason)
    return Verdict("rematch", winners, "tie")


def _standing(shown: Mapping[PlayerId, Made]) -> tuple[tuple[PlayerId, ...], Reason]:
    """Steps 1 to 3: who would win. Options stand behind ``special`` already, so 암행어사 never meets only38 (SD-27)."""
    best = max([made.value for made in shown.values()])
    if best in TTAENG and (holders := _holders(shown, "ttaengjabi")):
        return holders, "ttaengjabi"
    if best in CAUGHT_BY_AMHAENG and (holders := _holders(shown, "amhaeng")):
        return holders, "amhaeng"
    return tuple([player for player, made in shown.items() if made.value == best]), "normal"


def _holders(shown: Mapping[PlayerId, Made], special: str) -> tuple[PlayerId, ...]:
    return tuple([player for player, made in shown.items() if made.special == special])


def _gusa(shown: Mapping[PlayerId, Made], winners: tuple[PlayerId, ...], options: Options) -> Reason | None:
    """Step 4: whether a 4·9 that does not win voids the game; each by its own limit (SD-24)."""
    voids: Reason | None = None
    for holder, made in shown.items():
        if made.special not in ("gusa", "mungGusa") or holder in winners:
            continue
        limit = GUSA_LIMIT if made.special == "gusa" else MUNG_LIMIT[options.mung_gusa]
        if max([other.value for player, other in shown.items() if player != holder]) > limit:
            continue
        if made.special == "mungGusa":
            return "mungGusa"
        voids = "gusa"
    return voids
