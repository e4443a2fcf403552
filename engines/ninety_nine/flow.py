"""How a game goes: a card is played, the turn passes, whoever cannot play loses, and a round or the game ends.

Everything follows from one play within one step (document 8.2), told as events in the order of NN-27. Each function
changes the draft it is given.
"""

from __future__ import annotations

from engines.kernel.contract import Event, Json, PlayerId
from engines.ninety_nine.cards import Card
from engines.ninety_nine.options import start_total
from engines.ninety_nine.rules import Offer, can_play
from engines.ninety_nine.state import RECENT, Direction, Draft, Played

CHOICE_TEXT = {"+": "더하기", "-": "빼기", "keep": "방향 그대로", "reverse": "방향 바꾸기"}


def begin(draft: Draft) -> None:
    """Setup (document 4): shuffle, then the first player by lot, then the deal. The first player may lose (NN-14)."""
    draft.draw_pile, draft.rng = draft.rng.shuffle(draft.draw_pile)
    first, draft.rng = draft.rng.below(len(draft.seats))
    _open_round(draft, draft.seats[first])
    settle(draft)


def play(draft: Draft, card: Card, offer: Offer) -> None:
    """The current player plays a card, draws one, and the turn passes (document 5.1)."""
    player = draft.current
    draft.hands[player] = tuple([held for held in draft.hands[player] if held is not card])
    draft.discard = (*draft.discard, card)
    draft.total = offer.total
    _tell_play(draft, player, card, offer)
    if draft.rules.refill == "on":
        _draw(draft, player)
    if card.kind == "reverse" or offer.choice == "reverse":
        draft.direction = 1 if draft.direction == -1 else -1
        draft.tell("directionChanged", direction=draft.direction)
    draft.current = next_alive(draft, player)
    settle(draft)


def _tell_play(draft: Draft, player: PlayerId, card: Card, offer: Offer) -> None:
    choice = None if offer.choice is None else CHOICE_TEXT.get(str(offer.choice), str(offer.choice))
    played = Played(player, card.face, offer.total, draft.round, choice)
    draft.recent_plays = (*draft.recent_plays, played)[-RECENT:]
    event: Event = {
        "type": "cardPlayed",
        "player": player,
        "cardId": card.id,
        "face": card.face,
        "total": offer.total,
    }
    if choice is not None:
        event["choice"] = choice
    draft.events.append(event)


def _draw(draft: Draft, player: PlayerId) -> None:
    if not draft.draw_pile:  # only now that a card is needed (NN-8)
        again, draft.discard = split_discard(draft.discard)
        draft.draw_pile, draft.rng = draft.rng.shuffle(again)
        draft.tell("reshuffled", drawCount=len(draft.draw_pile))
    card, draft.draw_pile = draft.draw_pile[0], draft.draw_pile[1:]
    draft.hands[player] = (*draft.hands[player], card)
    draft.events += (
        {"type": "cardDrawn", "player": player, "drawCount": len(draft.draw_pile)},
        {"type": "cardReceived", "player": player, "card": seen(card), "audience": [player]},
    )


def split_discard(discard: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """NN-7 (an owner may want another): all discards make the new pile, also the last one, which was just played.

    So none stay behind, there is always one to draw, and "그래도 없으면 보충하지 않는다" never comes to pass.
    """
    return discard, ()


def next_alive(draft: Draft, player: PlayerId) -> PlayerId:
    """The next one still in the game, in the current direction (NN-10). Of two it is always the other (NN-28)."""
    seats, step = draft.seats, draft.direction
    at = seats.index(player)
    while True:
        at = (at + step) % len(seats)
        if draft.alive[seats[at]]:
            return seats[at]


# ---------------------------------------------------------------- losing


def settle(draft: Draft) -> None:
    """Whoever's turn begins without a playable card loses at once, and so on until somebody can play (8.2).

    The last one left is never tested (NN-15). Ends, for each pass takes a life or a player (NN-14).
    """
    while draft.phase == "playing" and not has_playable(draft):
        _lose(draft, draft.current)


def has_playable(draft: Draft) -> bool:
    """NN-6 (an owner may want another): an empty hand has no playable card, so without refill it loses its turn.

    The friendlier way would deal anew, keeping the total, once every hand is empty.
    """
    return can_play(draft.hands[draft.current], draft.total, draft.rules)


def _lose(draft: Draft, loser: PlayerId) -> None:
    """Document 5.3."""
    rules = draft.rules
    out = rules.lives == 0 or _loses_last_life(draft, loser)
    if out:
        _eliminate(draft, loser)
        if draft.phase == "finished":
            return
    following = next_alive(draft, loser) if out else loser  # NN-16
    if rules.lives == 0 and rules.after_elimination == "continue":
        draft.current = following
    else:
        _new_round(draft, following)


def _loses_last_life(draft: Draft, loser: PlayerId) -> bool:
    """Takes a life; true where that puts the player out."""
    if draft.on_board[loser]:
        return True  # there was no life left to take, so no lifeLost either (NN-18)
    left = draft.lives[loser] - 1
    draft.lives = {**draft.lives, loser: left}
    draft.tell("lifeLost", player=loser, left=left)
    if left == 0 and draft.rules.on_the_board == "on":
        draft.on_board = {**draft.on_board, loser: True}
        draft.tell("onTheBoard", player=loser)
        return False
    return left == 0


def _eliminate(draft: Draft, loser: PlayerId) -> None:
    """Out. The hand goes to the discard pile unseen (8.3)."""
    draft.discard = (*draft.discard, *draft.hands[loser])
    draft.hands[loser] = ()
    draft.alive = {**draft.alive, loser: False}
    draft.elimination_order = (*draft.elimination_order, loser)
    draft.eliminated_at_round = {**draft.eliminated_at_round, loser: draft.round}
    draft.tell("eliminated", player=loser, round=draft.round)
    living = [player for player in draft.seats if draft.alive[player]]
    if len(living) == 1:
        draft.current, draft.phase = living[0], "finished"
        draft.tell("gameFinished", winner=living[0], total=draft.total)


# ---------------------------------------------------------------- rounds


def _new_round(draft: Draft, starter: PlayerId) -> None:
    """Every card there is, mixed and dealt again (NN-12): the same cards, whatever version they are of (NN-4)."""
    hands = (card for player in draft.seats for card in draft.hands[player])
    draft.draw_pile, draft.rng = draft.rng.shuffle((*draft.draw_pile, *draft.discard, *hands))
    draft.discard = ()
    draft.round += 1
    draft.direction = direction_of_new_round(draft)
    _open_round(draft, starter)


def direction_of_new_round(draft: Draft) -> Direction:
    """NN-11 (an owner may want another): the direction stays as it was."""
    return draft.direction


def _open_round(draft: Draft, starter: PlayerId) -> None:
    """Deals in seat order, each player's cards together, to those still in; the head count says the total (NN-13)."""
    living = [player for player in draft.seats if draft.alive[player]]
    draft.total = start_total(draft.rules, len(living))
    draft.current = starter
    draft.tell("roundStarted", round=draft.round, starter=starter, total=draft.total)
    size = draft.rules.hand_size
    for player in living:
        hand, draft.draw_pile = draft.draw_pile[:size], draft.draw_pile[size:]
        draft.hands[player] = hand
        draft.tell("handDealt", player=player, cards=[seen(card) for card in hand], audience=[player])


def seen(card: Card) -> Json:
    """A card as its owner sees it."""
    if card.v:
        return {"id": card.id, "kind": card.kind, "face": card.face, "v": card.v}
    return {"id": card.id, "kind": card.kind, "face": card.face}
