"""The cards (-카드-), as ids with tables beside them; the state holds nothing but ids.

An id is ``<bid value><suit><rank>``, such as ``2H10``, and the joker's is ``JK``. So ids sort, as strings, by suit in
the order of what it bids, then by rank (PN-23): the three lowest ids bid least, and the lowest id is a small card.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal

import msgspec

CardId = str
Suit = Literal["D", "S", "H", "C"]

# -비딩-: 다이아몬드 0, 스페이드 1, 하트 2, 클로버 3. The rank means nothing in a bid.
VALUE: dict[Suit, int] = {"D": 0, "S": 1, "H": 2, "C": 3}
SIGN: dict[Suit, str] = {"D": "♦", "S": "♠", "H": "♥", "C": "♣"}
NAME: dict[Suit, str] = {"D": "♦ 다이아몬드", "S": "♠ 스페이드", "H": "♥ 하트", "C": "♣ 클로버"}

ACE = 14  # the highest (-카드-)
NINE = 9
PICTURES = {11: "J", 12: "Q", 13: "K", ACE: "A"}

JOKER: CardId = "JK"
JOKER_FACE = "조커"


class Card(msgspec.Struct, frozen=True, gc=False):
    """A card of a suit. What a joker is depends on the turn-up (`counting`)."""

    id: CardId
    suit: Suit
    rank: int
    face: str


CARDS: dict[CardId, Card] = {
    card.id: card
    for suit, value in VALUE.items()
    for rank in range(2, ACE + 1)
    for card in (Card(f"{value}{suit}{rank:02}", suit, rank, f"{PICTURES.get(rank, rank)}{SIGN[suit]}"),)
}


def deck(lowest: int, joker: bool) -> tuple[CardId, ...]:
    """All cards from this rank up, in the order of their ids, and perhaps the joker."""
    return (*(card.id for card in CARDS.values() if card.rank >= lowest), *((JOKER,) if joker else ()))


@cache
def counting(turn_up: CardId | None) -> dict[CardId, Card]:
    """What each card counts as, in bids and in play: a joker is the card that was turned up, also a 9 (PN-1, PN-2).

    Nothing can be equal to it, for the turn-up itself is out of play (PN-3). A joker is in play only where another card
    was turned up.
    """
    return CARDS if turn_up is None or turn_up == JOKER else {**CARDS, JOKER: CARDS[turn_up]}


@cache
def faces(turn_up: CardId | None) -> dict[CardId, str]:
    """What is printed on each card; on a joker in play, also what it counts as."""
    counts = counting(turn_up)
    joker = f"{JOKER_FACE}({counts[JOKER].face})" if JOKER in counts else JOKER_FACE
    return {**{card.id: card.face for card in CARDS.values()}, JOKER: joker}


@cache
def values(turn_up: CardId | None) -> dict[CardId, int]:
    """How many tricks each card bids."""
    return {card: VALUE[counts.suit] for card, counts in counting(turn_up).items()}


def bid_value(cards: Iterable[CardId], turn_up: CardId | None) -> int:
    """How many tricks these cards bid."""
    worth = values(turn_up)
    return sum([worth[card] for card in cards])
