"""The 80 cards as a table (document 3.3), and what sort of thing each kind is (3.3, 5.3)."""

from __future__ import annotations

from typing import Literal

import msgspec

Suit = Literal["S", "H", "D", "C"]
Rank = Literal[2, 3, 4, 5, 6, 7, 8, 9, 10, "J", "Q", "K", "A"]
CardId = int  # 0..79, the place in the table below, fixed (8.1)
CardKind = Literal[
    "bang",
    "missed",
    "beer",
    "saloon",
    "stagecoach",
    "wellsFargo",
    "generalStore",
    "panic",
    "catBalou",
    "duel",
    "indians",
    "gatling",
    "barrel",
    "mustang",
    "scope",
    "jail",
    "dynamite",
    "volcanic",
    "schofield",
    "remington",
    "carabine",
    "winchester",
]


class Card(msgspec.Struct, frozen=True, gc=False):
    """One card."""

    id: CardId
    kind: CardKind
    suit: Suit
    rank: Rank


TABLE: tuple[tuple[CardKind, str], ...] = (
    ("bang", "A♠ 2♦ 3♦ 4♦ 5♦ 6♦ 7♦ 8♦ 9♦ 10♦ J♦ Q♦ K♦ A♦ 2♣ 3♣ 4♣ 5♣ 6♣ 7♣ 8♣ 9♣ Q♥ K♥ A♥"),
    ("missed", "10♣ J♣ Q♣ K♣ A♣ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠"),
    ("beer", "6♥ 7♥ 8♥ 9♥ 10♥ J♥"),
    ("panic", "J♥ Q♥ A♥ 8♦"),
    ("catBalou", "K♥ 9♦ 10♦ J♦"),
    ("duel", "Q♦ J♠ 8♣"),
    ("generalStore", "9♣ Q♠"),
    ("indians", "K♦ A♦"),
    ("stagecoach", "9♠ 9♠"),
    ("gatling", "10♥"),
    ("saloon", "5♥"),
    ("wellsFargo", "3♥"),
    ("barrel", "Q♠ K♠"),
    ("mustang", "8♥ 9♥"),
    ("scope", "A♠"),
    ("jail", "J♠ 10♠ 4♥"),
    ("dynamite", "2♥"),
    ("volcanic", "10♠ 10♣"),
    ("schofield", "J♣ Q♣ K♠"),
    ("remington", "K♣"),
    ("carabine", "A♣"),
    ("winchester", "8♠"),
)
SUITS: dict[str, Suit] = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
PIPS = {suit: pip for pip, suit in SUITS.items()}


def _rank(text: str) -> Rank:
    return int(text) if text.isdigit() else text  # type: ignore[return-value]  # the table's ranks are ranks


CARDS: tuple[Card, ...] = tuple(
    Card(number, kind, SUITS[face[-1]], _rank(face[:-1]))
    for number, (kind, face) in enumerate((kind, face) for kind, faces in TABLE for face in faces.split())
)
KIND: tuple[CardKind, ...] = tuple(card.kind for card in CARDS)  # by id
IDS: dict[CardKind, frozenset[CardId]] = {
    kind: frozenset(card.id for card in CARDS if card.kind == kind) for kind, _ in TABLE
}

# Weapons and how far they reach. Without one it is the Colt 45, which is not a card (3.3).
WEAPONS: dict[CardKind, int] = {"volcanic": 1, "schofield": 2, "remington": 3, "carabine": 4, "winchester": 5}
BARE_RANGE = 1
REACH: dict[CardId, int] = {card: WEAPONS[kind] for card, kind in enumerate(KIND) if kind in WEAPONS}
# What stays in front of its player; the jail alone goes before another one.
BLUE: frozenset[CardKind] = frozenset({"barrel", "mustang", "scope", "jail", "dynamite", *WEAPONS})

# At whom a card is played. "shot": another one in range; "near": another one at distance 1; "other": any other one;
# "jail": another one who can be jailed; None: nobody is chosen (5.3).
Aim = Literal["shot", "near", "other", "jail"]
AIM: dict[CardKind, Aim] = {
    "bang": "shot",
    "panic": "near",
    "catBalou": "other",
    "duel": "other",
    "jail": "jail",
}
TAKES: frozenset[CardKind] = frozenset({"panic", "catBalou"})  # they name one of the target's cards, or the hand

# BG-41 (an owner may want another): these lie on the discard pile as soon as they are played, for their windows stay
# open long; every other brown card only after its effect ("즉시 효과 후 버림", 3.3).
DISCARDED_WHEN_PLAYED: frozenset[CardKind] = frozenset({"bang", "missed", "duel", "indians", "gatling"})


def explodes(card: Card) -> bool:
    """Whether this flip sets the dynamite off: ♠2 to ♠9 (5.2)."""
    return card.suit == "S" and isinstance(card.rank, int) and card.rank <= 9
