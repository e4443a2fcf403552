"""구십구 for proofs: a hand is its owner's to check at once, a played card everybody's once the game is over.

A reshuffle may take in hands that nobody saw (8.3). Of such a draw nothing is opened, nor to all any card that was held
in a hand while it was made: that the one is open and the other is not would tell which of the two a card was in.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.kernel.contract import Event
from engines.kernel.ledger import Ledger
from engines.kernel.rng import Drawn
from engines.ninety_nine.state import State


class NinetyNineLedger(Ledger):
    """Every round mixes all cards, a reshuffle the discards."""

    _unseen = False  # a hand that nobody saw lies among the discards
    _blind = -1  # the last draw that mixed such a hand

    def step(self, before: State | None, draws: Sequence[Drawn], events: Sequence[Event], after: State) -> None:
        coming = iter(draws)
        if before is None:
            self.deck(next(coming))
            first = next(coming)
            self.table(first, "first", after.seats)
            starter = after.seats[first.order[0]]
            self.place(first.draw, 0, starter, starter)
        for event in events:
            match event["type"]:
                case "roundStarted" if event["round"] > 1:
                    self.deck(next(coming))
                    self._unseen = False
                case "reshuffled":
                    drawn = next(coming)
                    self.deck(drawn, public=not self._unseen)
                    self._blind = drawn.draw if self._unseen else self._blind
                    self._unseen = False
                case "eliminated":
                    self._unseen = True
                case "handDealt":
                    self.take(event["player"], len(event["cards"]))
                    for card in event["cards"]:
                        self.show(card["id"], card["face"], event["player"], to=event["player"])
                case "cardReceived":
                    card = event["card"]
                    self.take(event["player"], 1)
                    self.show(card["id"], card["face"], event["player"], to=event["player"])
                case "cardPlayed" if self._lies[event["cardId"]][0] > self._blind:
                    self.show(event["cardId"], event["face"], event["player"])
