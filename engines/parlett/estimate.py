"""How many tricks cards are likely to take, as a player may reckon it from their own view.

A card is as strong as the cards above it are few that somebody else may hold. The chances of single cards are taken as
independent, so a hand's tricks have a mean and a variance, and `fit` says how likely a certain number is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, sqrt

from engines.kernel.contract import Json
from engines.parlett.cards import Card, CardId, Suit, counting, faces
from engines.parlett.forms import DECKS, NPC, FormName

# What is left of a card's chance for each higher card that may be out: without trumps, and with. Found by letting bots
# play each other: with these they take, on average, about as many tricks as they bid.
FADE: dict[FormName, tuple[float, float]] = {
    "three": (0.62, 0.53),
    "npc": (0.62, 0.53),
    "four": (0.63, 0.54),
    "noNpc": (0.77, 0.60),
}
RUFFED = 0.8  # a side suit's ace, where there are trumps
LEAST_TRUMP = 0.3
TRUMP_FADE = 0.75


class Sight:
    """What one player sees, put in order."""

    def __init__(self, view: Json) -> None:
        self.view = view
        self.form: FormName = view["options"]["form"]
        self.turn_up: CardId | None = view["turnUp"] and view["turnUp"]["id"]
        self.counts = counting(self.turn_up)
        self.trump: Suit | None = view["trump"]
        self.hand: tuple[CardId, ...] = tuple(card["id"] for card in view["hand"])
        self.trick: list[tuple[str, Card]] = [(one["player"], self.card(one["id"])) for one in view["trick"]]
        self.open: dict[str, tuple[CardId, ...]] = {
            player: tuple(card["id"] for card in cards) for player, cards in view["hands"].items()
        }
        self.unseen = self._unseen()

    def card(self, card: CardId) -> Card:
        return self.counts[card]

    def _unseen(self) -> list[Card]:
        """What others may still hold, or have bid."""
        view = self.view
        known = {*self.hand, *(card["id"] for bid in view["bids"].values() for card in bid.get("cards", ()))}
        known |= {one["id"] for one in view["trick"]} | {card for cards in self.open.values() for card in cards}
        names, played = faces(self.turn_up), set(view["played"])
        deck = DECKS[self.form, view["options"]["variant"]]
        out = {*known, self.turn_up}
        return [self.card(card) for card in deck if card not in out and names[card] not in played]

    def above(self, card: Card) -> int:
        """How many cards of the suit that could beat it may be held by others, open hands among them."""
        higher = sum(one.suit == card.suit and one.rank > card.rank for one in self.unseen)
        for player, cards in self.open.items():
            if player == NPC or {*cards} != {*self.hand}:
                for one in map(self.card, cards):
                    higher += one.suit == card.suit and one.rank > card.rank
        return higher

    def chances(self, cards: Iterable[CardId], trump: Suit | None) -> dict[CardId, float]:
        """Each card's chance to take a trick at some time."""
        without, beside = FADE[self.form]
        found = {}
        for card_id in cards:
            card = self.card(card_id)
            above = self.above(card)
            if trump is None:
                found[card_id] = 0.95 * without**above
            elif card.suit == trump:
                found[card_id] = LEAST_TRUMP + (1 - LEAST_TRUMP) * TRUMP_FADE**above
            else:
                found[card_id] = RUFFED * beside**above
        return found


def fit(wanted: float, chances: Sequence[float]) -> float:
    """How likely just so many tricks are: the height of a bell curve over them."""
    mean = sum(chances)
    spread = 0.15 + sum(p * (1 - p) for p in chances)
    return exp(-((wanted - mean) ** 2) / (2 * spread)) / sqrt(6.283 * spread)
