"""The twenty cards as a table (document section 3), and how they are shown.

Only the lights (광) of 1, 3 and 8 and the tens (열끗) of 4, 7 and 9 mean more than their month; the table names the
others too, for they are on the cards.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.kernel.contract import Json

Kind = Literal["gwang", "yeol", "normal"]


class Card(msgspec.Struct, frozen=True, gc=False):
    """One card. ``id`` is ``(month - 1) * 2``, and one more for the plain card of the month (8.1)."""

    id: int
    month: int
    kind: Kind


# month, flower, the special card's kind and word, the plain card's word
MONTHS: tuple[tuple[int, str, Kind, str, str], ...] = (
    (1, "송학", "gwang", "광", "띠"),
    (2, "매조", "yeol", "열", "띠"),
    (3, "벚꽃", "gwang", "광", "띠"),
    (4, "흑싸리", "yeol", "열", "띠"),
    (5, "난초", "yeol", "열", "띠"),
    (6, "모란", "yeol", "열", "띠"),
    (7, "홍싸리", "yeol", "열", "띠"),
    (8, "공산", "gwang", "광", "기러기"),
    (9, "국진", "yeol", "열", "띠"),
    (10, "단풍", "yeol", "열", "띠"),
)
WORDS = {"광": "광", "열": "열끗", "띠": "띠", "기러기": "기러기"}  # the long form of what is printed short

DECK: tuple[Card, ...] = tuple(
    Card((month - 1) * 2 + plain, month, "normal" if plain else kind)
    for month, _, kind, _, _ in MONTHS
    for plain in (0, 1)
)

_SEEN: tuple[Json, ...] = tuple(
    {
        "id": card.id,
        "month": card.month,
        "kind": card.kind,
        "face": f"{card.month}{word}",
        "label": f"{card.month}월 {flower} {WORDS[word]}",
    }
    for month, flower, _, special, plain in MONTHS
    for card, word in zip(DECK[(month - 1) * 2 : month * 2], (special, plain), strict=True)
)


def seen(card: Card) -> Json:
    """A card as it is shown to those who may see it."""
    return _SEEN[card.id].copy()
