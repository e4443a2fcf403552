"""A player that sees what a player sees: its own view and its legal list, nothing else.

It gets rid of big numbers while they still fit, keeps the cards that always fit for when nothing else does, and when
it holds such cards itself, drives the total up for the others.
"""

from __future__ import annotations

from random import Random

from engines.kernel.contract import Action, Json
from engines.kernel.legal import is_range

# What a card is worth in the hand near 99: how surely it can be played then, and be played again later.
WORTH = {
    "joker": 3.2,
    "zero": 3.0,
    "hold": 3.0,
    "reverse": 3.0,
    "plusMinus": 2.8,
    "minus": 2.6,
    "to99": 2.4,
    "ace": 0.8,
}
HIGH = 85  # from about here on, number cards begin not to fit
ENOUGH = 2.0  # ways out in hand with which a high total is the others' worry


def bot(view: Json, legal: list[Action], rng: Random) -> Action:
    """The action that leaves the best position; a little chance among equals."""
    hand = {card["id"]: card for card in view["hand"]}
    options = [(action, total) for listed in legal for action, total in _results(listed, hand)]
    return max(options, key=lambda one: _worth(one[0], one[1], hand) + rng.random() * 0.05)[0]


def _results(listed: Action, hand: Json) -> list[tuple[Action, int]]:
    """The concrete actions worth thinking about, each with the total it makes."""
    card = hand[listed["cardId"]]
    for name, value in listed.items():
        if is_range(value):
            low, high = value["min"], value["max"]
            return [({**listed, name: number}, number) for number in {low, min(high, max(low, HIGH)), high}]
    for preview in card["previews"]:
        if all(preview.get(name, value) == value for name, value in listed.items()):
            return [(listed, preview["total"])]
    return []


def _worth(action: Action, total: int, hand: Json) -> float:
    played = hand[action["cardId"]]
    kept = [card for card in hand.values() if card is not played]
    ways_out = sum(WORTH.get(card["kind"], 0.0) for card in kept) / 3.0
    fitting = sum(card["kind"] == "add" and total + card["v"] <= 99 for card in kept)
    shed = played["v"] / 12 if played["kind"] == "add" else 0.0
    crowding = max(0, total - HIGH) / (99 - HIGH)
    pressure = crowding * (0.9 if ways_out >= ENOUGH else -0.9 if ways_out < 1 else 0.2)
    return float(ways_out + 0.25 * fitting + shed + pressure)
