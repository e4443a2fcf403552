"""Parlett's Ninety-Nine for proofs: one's own hand at once, what was laid open once the game is over.

Cards are dealt all at once, so which of one's places a card lay in means nothing. Bids that failed are never opened
(PN-9).
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.kernel.contract import Event, PlayerId
from engines.kernel.ledger import Ledger
from engines.kernel.rng import Drawn
from engines.parlett.forms import FORMS
from engines.parlett.state import State, table


class ParlettLedger(Ledger):
    """The first dealer is drawn, and each round mixes all cards."""

    def step(self, before: State | None, draws: Sequence[Drawn], events: Sequence[Event], after: State) -> None:
        coming = iter(draws)
        if before is None:
            dealer = next(coming)
            self.table(dealer, "dealer", after.seats)
            first = after.seats[dealer.order[0]]
            self.place(dealer.draw, 0, first, first)
        for event in events:
            player = event.get("player")
            match event["type"]:
                case "roundStarted":
                    self.deck(next(coming))
                    self._deal(after, event["dealer"])
                case "handDealt":
                    for card in event["cards"]:
                        self.show(card["id"], card["face"], player, to=player)
                case "trumpSet" if "turnUp" in event:
                    self.take(None, 1)
                    self.show(event["turnUp"]["id"], event["turnUp"]["face"], None)
                case "bidShown" | "handShown":
                    for card in event["cards"]:
                        self.show(card["id"], card["face"], player)
                case "cardPlayed":
                    self.show(event["cardId"], event["face"], player)

    def _deal(self, state: State, dealer: PlayerId) -> None:
        """One card at a time, from the dealer's left (-카드 분배-)."""
        players = table(state)
        at = players.index(dealer) + 1
        for _ in range(FORMS[state.form].dealt):
            for player in (*players[at:], *players[:at]):
                self.take(player, 1)
