"""The cards of both modes as tables (document section 3), and the decks made of them.

A card's ``kind`` says what it does; nothing but the deck's builder looks at mode or version. So an old game's 0 goes on
turning the direction for as long as its cards are dealt again (NN-4).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.ninety_nine.options import Effective

Kind = Literal["add", "plusMinus", "reverse", "zero", "hold", "minus", "ace", "to99", "joker"]


class Card(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One card. Ids are compared as strings where the document says "카드 ID 순" (NN-24), hence their zeros."""

    id: str
    kind: Kind
    face: str
    v: int = 0


# kr-product: id, kind, value, face, copies (None: the option specialCounts). There is no plain 9.
KR: tuple[tuple[str, Kind, int, str, int | None], ...] = (
    *((f"{n:02}", "add", n, str(n), 7) for n in range(1, 9)),
    ("10", "add", 10, "10", 21),
    ("p09", "plusMinus", 9, "±9", None),
    ("p10", "plusMinus", 10, "±10", None),
    ("z", "zero", 0, "0", None),
    ("j", "joker", 0, "조커", 2),
)

# What an old version's deck has in a card's place: its 0 always turns the direction (v1 section 3).
INSTEAD: dict[int, dict[Kind, Kind]] = {1: {"zero": "reverse"}, 2: {}}

# classic: rank, kind, value, face; one of each in four suits, in each deck.
CLASSIC: tuple[tuple[int, Kind, int, str], ...] = (
    (1, "ace", 0, "A"),
    (2, "add", 2, "2"),
    (3, "add", 3, "3"),
    (4, "reverse", 0, "4"),
    (5, "add", 5, "5"),
    (6, "add", 6, "6"),
    (7, "add", 7, "7"),
    (8, "add", 8, "8"),
    (9, "hold", 0, "9"),
    (10, "minus", 10, "10"),
    (11, "add", 10, "J"),
    (12, "add", 10, "Q"),
    (13, "to99", 0, "K"),
)
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def deck(rules: Effective, version: int) -> tuple[Card, ...]:
    """All cards of a game, in the order of the tables."""
    if rules.mode == "classic":
        # Equal faces of two decks are different cards (NN-19).
        return tuple(
            Card(f"{rank:02}{suit}{copy}", kind, face + SUITS[suit], v)
            for copy in range(1, rules.deck_count + 1)
            for rank, kind, v, face in CLASSIC
            for suit in SUITS
        )
    instead = INSTEAD[version]
    return tuple(
        Card(f"{name}-{copy:02}", instead.get(kind, kind), face, v)
        for name, kind, v, face, copies in KR
        for copy in range(1, (rules.special_counts if copies is None else copies) + 1)
    )
