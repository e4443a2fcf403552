"""The 16 characters (document 3.2), each as its difference from the plain rule.

Nothing else in this package knows a character by name: the rules ask for a trait, and the plain answer is its default.
"""

from __future__ import annotations

from typing import Literal

import msgspec

CharacterId = Literal[
    "bart",
    "blackJack",
    "calamity",
    "elGringo",
    "jesse",
    "jourdonnais",
    "kit",
    "lucky",
    "paul",
    "pedro",
    "rose",
    "sid",
    "slab",
    "suzy",
    "vulture",
    "willy",
]
# How the first phase goes: two from the deck; or the second is shown, and red brings a third; or the first may come
# from another's hand, or from the discard pile; or two of the top three.
Draws = Literal["two", "showSecond", "fromHand", "fromDiscard", "topThree"]


class Traits(msgspec.Struct, frozen=True, kw_only=True):
    """What the rules ask of a character."""

    life: int = 4
    draws: Draws = "two"
    sight: int = 0  # how much nearer others are
    cover: int = 0  # how much farther away it is for others
    barrels: int = 0  # barrels it always has
    misses_needed: int = 1  # to evade its 뱅!
    shots_unlimited: bool = False
    either_way: bool = False  # 뱅! and 빗나감! serve as each other
    flips: int = 1  # cards turned over for a flip, one of which counts
    draws_when_hurt: bool = False  # a card for each life lost
    robs_when_hurt: bool = False  # a card from whoever played the card that hurt
    heals_by_discard: bool = False
    draws_when_empty: bool = False
    loots: bool = False  # takes what the eliminated leave


PLAIN = Traits()
CHARACTERS: dict[CharacterId, Traits] = {
    "bart": Traits(draws_when_hurt=True),
    "blackJack": Traits(draws="showSecond"),
    "calamity": Traits(either_way=True),
    "elGringo": Traits(life=3, robs_when_hurt=True),
    "jesse": Traits(draws="fromHand"),
    "jourdonnais": Traits(barrels=1),
    "kit": Traits(draws="topThree"),
    "lucky": Traits(flips=2),
    "paul": Traits(life=3, cover=1),
    "pedro": Traits(draws="fromDiscard"),
    "rose": Traits(sight=1),
    "sid": Traits(heals_by_discard=True),
    "slab": Traits(misses_needed=2),
    "suzy": Traits(draws_when_empty=True),
    "vulture": Traits(loots=True),
    "willy": Traits(shots_unlimited=True),
}
