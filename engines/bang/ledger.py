"""뱅! for proofs.

Cards move between hands unseen (BG-57), so when a card came from the deck would tell who had held it: of what was drawn
into a hand only the drawer ever sees the place. Everybody sees those of cards that came face up from the deck, of
roles and of characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.bang.names import NAMES, NameSet
from engines.bang.state import State
from engines.kernel.contract import Event
from engines.kernel.ledger import Ledger
from engines.kernel.rng import Drawn


class BangLedger(Ledger):
    """Setup draws seats, roles, characters and deck; later come reshuffles, and draws that nobody is told of."""

    _roles = _characters = 0

    def step(self, before: State | None, draws: Sequence[Drawn], events: Sequence[Event], after: State) -> None:
        coming = iter(draws)
        if before is None:
            self._set_up(coming, after)
        in_hand = set() if before is None else {str(card) for card in _hand_of_turn(before)}
        names = NAMES[after.options.names]
        turn = None if before is None else before.turn.player
        looted = False
        for event in events:
            if event["type"] == "cardsReceived" and event["player"] == turn:
                in_hand |= {str(card["id"]) for card in event["cards"]}
            self._heard(event, coming, in_hand, names, looted, after)
            looted = event["type"] == "looted"
        for drawn in coming:
            self.secret(drawn)

    def _set_up(self, coming: Iterator[Drawn], state: State) -> None:
        seats, roles, characters, deck = next(coming), next(coming), next(coming), next(coming)
        self.table(seats, "seats")
        for player in state.players:
            self.place(seats.draw, player.seat, player.id, player.id)
        self.given(roles, "roles")
        self.given(characters, "characters")
        self._roles, self._characters = roles.draw, characters.draw
        self.deck(deck)
        assert characters.items is not None
        for position, index in enumerate(characters.order):
            self._lies[characters.items[index]] = (characters.draw, position)  # no card is called as a character is

    def _heard(
        self, event: Event, coming: Iterator[Drawn], in_hand: set[str], names: NameSet, looted: bool, after: State
    ) -> None:
        player = event.get("player")
        match event["type"]:
            case "reshuffled":
                self.deck(self._reshuffle(coming, in_hand, event["deckCount"]))
            case "roleDealt":
                self._role(player, names.words[event["role"]], after, to=player)
            case "roleRevealed":
                self._role(player, names.words[event["role"]], after)
            case "gameFinished":  # then all roles are seen (8.3)
                for each in after.players:
                    self._role(each.id, names.words[each.role], after)
            case "charactersOffered":
                for character in event["characters"]:
                    self.show(character, names.characters[character], player, to=player)
            case "characterRevealed":
                self.show(event["character"], names.characters[event["character"]], player)
            case "handDealt" | "cardsSeen":
                for card in event["cards"]:
                    self.show(card["id"], card["face"], player, to=player)
            case "cardsReceived" if not looted:
                for card in event["cards"]:
                    self.show(card["id"], card["face"], player, to=player)
            case "flipped" | "checked" | "storeRevealed":
                for card in event["cards"]:
                    self.show(card["id"], card["face"], player)
            case "cardShown":
                self.show(event["card"]["id"], event["card"]["face"], player)

    def _role(self, player: str | None, face: str, state: State, to: str | None = None) -> None:
        seat = next(one.seat for one in state.players if one.id == player)
        self.place(self._roles, seat, face, player, to)

    def _reshuffle(self, coming: Iterator[Drawn], in_hand: set[str], size: int) -> Drawn:
        """The next draw that mixed the discards: not one card out of a hand, nor the hand of one who must discard."""
        while (drawn := next(coming)).items is None or drawn.count != size or set(drawn.items) == in_hand:
            self.secret(drawn)
        return drawn


def _hand_of_turn(state: State) -> tuple[int, ...]:
    return next((player.hand for player in state.players if player.id == state.turn.player), ())
