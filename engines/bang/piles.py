"""Cards on the move: from the deck, to the discards, out of a hand.

Whatever takes cards out of a hand does it here, so that an empty hand is noticed at that very instant (BG-22).
"""

from __future__ import annotations

from engines.bang.cards import CardId
from engines.bang.table import Draft
from engines.kernel.contract import PlayerId

# ---------------------------------------------------------------- the deck


def top(draft: Draft) -> CardId | None:
    """Takes the top card off the deck, or nothing where both piles are empty (5.7).

    BG-42 (an owner may want another): the discards become the new deck as soon as the deck is empty. Where there were
    none either, it is tried again when a card is next needed.
    """
    if not draft.deck:
        _reshuffle(draft)
        if not draft.deck:
            return None
    card, draft.deck = draft.deck[-1], draft.deck[:-1]
    if not draft.deck:
        _reshuffle(draft)
    return card


def tops(draft: Draft, number: int) -> tuple[CardId, ...]:
    """Up to so many, the first taken first."""
    return tuple(card for _ in range(number) if (card := top(draft)) is not None)


def _reshuffle(draft: Draft) -> None:
    if draft.discard:
        draft.deck, draft.rng = draft.rng.shuffle(draft.discard)
        draft.discard = ()
        draft.tell("reshuffled", deckCount=len(draft.deck))


def draw(draft: Draft, player: PlayerId, number: int) -> tuple[CardId, ...]:
    """So many cards from the deck into a hand; what cannot be drawn is left out (5.7)."""
    cards = tops(draft, number)
    receive(draft, player, cards)
    return cards


def receive(draft: Draft, player: PlayerId, cards: tuple[CardId, ...]) -> None:
    """From the deck into a hand: everybody sees how many, one sees which."""
    if cards:
        gain(draft, player, cards)
        draft.tell("cardsDrawn", player=player, count=len(cards), deckCount=len(draft.deck))
        draft.tell("cardsReceived", player=player, cards=draft.seen(*cards), audience=[player])


# ---------------------------------------------------------------- the discards


def discard(draft: Draft, *cards: CardId) -> None:
    """Onto the discard pile, the last on top (BG-43)."""
    draft.discard = (*draft.discard, *cards)


# ---------------------------------------------------------------- hands


def gain(draft: Draft, player: PlayerId, cards: tuple[CardId, ...]) -> None:
    """Into a hand."""
    draft.set(player, hand=draft.players[player].hand + cards)


def lose(draft: Draft, player: PlayerId, cards: tuple[CardId, ...]) -> None:
    """Out of a hand. Whoever calls this has a place for the cards, and then asks `refill`."""
    draft.set(player, hand=tuple([card for card in draft.players[player].hand if card not in cards]))


def refill(draft: Draft, player: PlayerId) -> None:
    """BG-22 (an owner may want another): one who draws when empty does so at once, before what was played takes effect.

    Where nothing can be drawn it is not made up for later (BG-24), and the dead use no abilities (BG-25).
    """
    found = draft.players[player]
    if not found.hand and found.alive and found.traits.draws_when_empty:
        draw(draft, player, 1)


def discard_from_hand(draft: Draft, player: PlayerId, cards: tuple[CardId, ...]) -> None:
    """From a hand onto the discard pile, in this order."""
    lose(draft, player, cards)
    discard(draft, *cards)
    refill(draft, player)


def steal(draft: Draft, thief: PlayerId, victim: PlayerId) -> None:
    """A random card from a hand into another. Only these two learn which (BG-57)."""
    hand = draft.players[victim].hand
    at, draft.rng = draft.rng.below(len(hand))
    card = hand[at]
    draft.tell("cardTaken", player=thief, target=victim, where="hand")
    draft.tell("takenCardSeen", player=thief, target=victim, card=draft.seen(card)[0], audience=[thief, victim])
    draft.note("took", thief, victim)
    lose(draft, victim, (card,))
    gain(draft, thief, (card,))
    refill(draft, victim)
