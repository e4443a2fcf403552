"""What is played for someone whose time is up (document 8.5), and how long they have.

It looks at that player's own hand and the public total only, so it tells nobody anything.
"""

from __future__ import annotations

from engines.kernel.contract import PlayerId
from engines.ninety_nine.cards import Card, Kind
from engines.ninety_nine.rules import Offer, offers
from engines.ninety_nine.state import State

# Among equal totals: no change, then number cards, then ±, then K and joker. A, J and Q count as numbers, the classic
# 10 as a ± (NN-24).
CLASS: dict[Kind, int] = {
    "zero": 0,
    "reverse": 0,
    "hold": 0,
    "add": 1,
    "ace": 1,
    "plusMinus": 2,
    "minus": 2,
    "to99": 3,
    "joker": 3,
}


def automatic(state: State) -> tuple[Card, Offer]:
    """The play with the least total; then by class, then by card id.

    A joker names its least number and a 0 keeps the direction: their offers come first, and ``min`` keeps the first.
    """
    playable = (
        (card, offer)
        for card in state.hands[state.current]
        for offer in offers(card, state.total, state.rules)
        if offer.refusal is None
    )
    return min(playable, key=lambda one: (one[1].total, CLASS[one[0].kind], one[0].id))


HURRY_AFTER = 3  # deadlines missed in a row (8.5), until the player's own next play (NN-25)
HURRIED_MS = 3_000


def turn_ms(state: State, player: PlayerId) -> int:
    """How long this player's turns last."""
    if waits_no_longer(state, player) or state.missed_turns.get(player, 0) >= HURRY_AFTER:
        return HURRIED_MS
    return state.rules.turn_seconds * 1000


def waits_no_longer(state: State, player: PlayerId) -> bool:
    """NN-26 (an owner may want another): who has left keeps the seat, and is played for without the long wait."""
    return player in state.left
