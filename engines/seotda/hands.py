"""족보: what two cards are worth (document 6.1, 6.2). Pure, and one ordered table.

`RANKING` is read from the top, and the first line that fits counts. `SPECIALS` says which pairs are more than their
line under which option; what that is good for is `judge.py`'s business.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple

import msgspec

from engines.seotda.cards import DECK, Card, Kind
from engines.seotda.options import Options

Special = Literal["ttaengjabi", "amhaeng", "gusa", "mungGusa"]


class Row(NamedTuple):
    """One line of 6.1. It fits two cards of these months, or, where it has none, whose months add up to ``ends``."""

    name: str
    value: int
    months: tuple[int, int] | None = None
    lights: bool = False  # both must be 광
    only_all: bool = False  # a line of gwangTtaeng=all alone (SD-27)
    ends: int = -1


RANKING: tuple[Row, ...] = (
    Row("38광땡", 1000, (3, 8), lights=True),
    Row("18광땡", 990, (1, 8), lights=True, only_all=True),
    Row("13광땡", 980, (1, 3), lights=True, only_all=True),
    Row("장땡", 910, (10, 10)),
    *(Row(f"{month}땡", 900 + month, (month, month)) for month in range(9, 1, -1)),
    Row("삥땡", 901, (1, 1)),
    Row("알리", 806, (1, 2)),
    Row("독사", 805, (1, 4)),
    Row("구삥", 804, (1, 9)),
    Row("장삥", 803, (1, 10)),
    Row("장사", 802, (4, 10)),
    Row("세륙", 801, (4, 6)),
    Row("갑오", 9, ends=9),
    *(Row(f"{ends}끗", ends, ends=ends) for ends in range(8, 0, -1)),
    Row("망통", 0, ends=0),
)

SPECIAL_NAMES: dict[Special, str] = {
    "ttaengjabi": "땡잡이",
    "amhaeng": "암행어사",
    "gusa": "구사",
    "mungGusa": "멍텅구리구사",
}

# Pairs of month and kind that are special, the option and its values that make them so; the first that fits counts.
SPECIALS: tuple[tuple[Special, tuple[int, Kind | None], tuple[int, Kind | None], str, tuple[object, ...]], ...] = (
    ("ttaengjabi", (3, "gwang"), (7, "yeol"), "ttaengjabi", ("strict",)),
    ("ttaengjabi", (3, None), (7, None), "ttaengjabi", ("loose",)),
    ("amhaeng", (4, "yeol"), (7, "yeol"), "amhaeng", (True,)),
    ("mungGusa", (4, "yeol"), (9, "yeol"), "mung_gusa", ("upTo8", "upTo9", "upToJang")),  # off: a plain 구사 (SD-26)
    ("gusa", (4, None), (9, None), "gusa", (True,)),
)
NEEDS_GUSA: frozenset[Special] = frozenset({"gusa", "mungGusa"})  # gusa=off ignores mungGusa (SD-26)


class Made(msgspec.Struct, frozen=True, gc=False):
    """What two cards make."""

    value: int  # the general value (일반값), also of a special pair
    name: str  # of a special pair the special's name
    plain: str  # the name of its line of 6.1
    special: Special | None = None


def evaluate(a: Card, b: Card, options: Options) -> Made:
    """What two cards make under these options."""
    return _evaluate(
        a.id, b.id, options.gwang_ttaeng, options.ttaengjabi, options.amhaeng, options.gusa, options.mung_gusa
    )


@lru_cache(maxsize=1 << 16)  # a game has 380 entries; all option combinations together fit as well
def _evaluate(
    first: int, second: int, gwang_ttaeng: str, ttaengjabi: str, amhaeng: bool, gusa: bool, mung_gusa: str
) -> Made:
    cards = sorted((DECK[first], DECK[second]), key=lambda card: card.month)
    months = (cards[0].month, cards[1].month)
    lights = cards[0].kind == cards[1].kind == "gwang"
    row = next(
        row
        for row in RANKING
        if (row.months == months and lights >= row.lights and (gwang_ttaeng == "all" or not row.only_all))
        or row.ends == sum(months) % 10
    )
    chosen = {"ttaengjabi": ttaengjabi, "amhaeng": amhaeng, "gusa": gusa, "mung_gusa": mung_gusa}
    for special, low, high, option, values in SPECIALS:
        fits = all(
            card.month == month and kind in (None, card.kind)
            for card, (month, kind) in zip(cards, (low, high), strict=True)
        )
        if fits and chosen[option] in values and (gusa or special not in NEEDS_GUSA):
            return Made(row.value, SPECIAL_NAMES[special], row.name, special)
    return Made(row.value, row.name, row.name)


def pairs(hand: Sequence[Card]) -> Iterator[tuple[Card, Card]]:
    """Every two of these cards, by id."""
    return combinations(sorted(hand, key=lambda card: card.id), 2)


def automatic(hand: Sequence[Card], options: Options) -> tuple[Card, Card]:
    """The pair that is chosen for someone whose time is up (8.5): the general value alone counts (SD-29).

    Then a special before a plain pair, then the smaller sum of ids; neither can come to pass in real hands (SD-28).
    """

    def worth(pair: tuple[Card, Card]) -> tuple[int, bool, int]:
        made = evaluate(*pair, options)
        return made.value, made.special is not None, -(pair[0].id + pair[1].id)

    return max(pairs(hand), key=worth)
