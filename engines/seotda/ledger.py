"""섯다 for proofs: one's own cards at once, those of a showdown once the game is over, and no others ever (8.3)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kernel.contract import Event
from engines.kernel.ledger import Ledger
from engines.kernel.rng import Drawn
from engines.seotda.cards import DECK, seen
from engines.seotda.state import State

_FACES = {str(card.id): str(seen(card)["face"]) for card in DECK}


class SeotdaLedger(Ledger):
    """Each hand and each rematch mixes all twenty. Which cards are dealt is in no event: they come off the top."""

    def step(self, before: State | None, draws: Sequence[Drawn], events: Sequence[Event], after: State) -> None:
        coming = iter(draws)
        if before is None:
            self._sit(next(coming), next(coming), after)
        for event in events:
            match event["type"]:
                case "handStarted" | "rematchStarted":
                    self.deck(next(coming))
                case "dealt":
                    for card in self.take(event["to"], event["count"]):
                        self.show(card, _FACES[card], event["to"], to=event["to"])
                case "shown":
                    for card in event["cards"]:
                        self.show(card["id"], card["face"], event["player"])

    def _sit(self, seats: Drawn, dealer: Drawn, state: State) -> None:
        players = [seat.id for seat in state.seats]
        self.table(seats, "seats")
        for position, player in enumerate(players):
            self.place(seats.draw, position, player, player)
        self.table(dealer, "dealer", players)
        first = players[dealer.order[0]]
        self.place(dealer.draw, 0, first, first)
