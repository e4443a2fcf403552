"""What may be done, and who wins a trick.

`judge` is the one check behind every door: `apply` asks it, and the legal list and the automatic play are made of the
same `playable` and `premium_kinds`. The rules of tricks (-플레이-, PN-4) are the usual ones: follow the suit that was
led where you can, else any card; the highest trump wins, else the highest card of the suit led; the winner leads.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from engines.kernel.contract import Action, PlayerId, Rejected
from engines.kernel.legal import ranged
from engines.parlett import actions
from engines.parlett.actions import AnyAction, Bid, Offering, Play, Ready, Trump
from engines.parlett.cards import NAME, SIGN, CardId, Suit, counting
from engines.parlett.forms import BID_CARDS, FORMS, NPC, PREMIUMS, Phase, premium_kinds
from engines.parlett.state import Draft, Played, State, awaited

ASKS: dict[Phase, type[AnyAction]] = {
    "bidding": Bid,
    "premium": Offering,
    "trump": Trump,
    "playing": Play,
    "roundEnd": Ready,
}


# ---------------------------------------------------------------- tricks


def led_suit(game: State | Draft) -> Suit | None:
    """The suit of the trick's first card; a joker leads the turn-up's (PN-4)."""
    return counting(game.turn_up)[game.trick[0].card].suit if game.trick else None


def playable(game: State | Draft) -> tuple[CardId, ...]:
    """The cards that whoever is next may play, the NPC too (PN-15)."""
    assert game.current is not None
    hand, led, counts = game.hands[game.current], led_suit(game), counting(game.turn_up)
    if led is None:
        return hand
    return tuple([card for card in hand if counts[card].suit == led]) or hand


def winner(trick: tuple[Played, ...], trump: Suit | None, turn_up: CardId | None) -> PlayerId:
    """Who takes this trick."""
    counts = counting(turn_up)
    best, best_card = trick[0].player, counts[trick[0].card]
    for played in trick[1:]:
        card = counts[played.card]
        if card.rank > best_card.rank if card.suit == best_card.suit else card.suit == trump:
            best, best_card = played.player, card
    return best


# ---------------------------------------------------------------- the check


def judge(state: State, player: PlayerId, action: AnyAction) -> Rejected | None:
    """Why this player may not do this now; None where they may."""
    if state.phase == "finished":
        return actions.FINISHED
    if player not in state.seats:
        return actions.NOT_PLAYING
    if type(action) is not ASKS[state.phase]:
        return actions.UNTIMELY[type(action)]
    if player not in awaited(state):
        return actions.AGAIN[type(action)]
    match action:
        case Bid():
            return _judge_bid(state.hands[player], action.card_ids)
        case Offering():
            return judge_premium(state, action)
        case Play():
            return _judge_card(state, action.card_id)
        case Trump() | Ready():
            return None


def _judge_bid(hand: tuple[CardId, ...], cards: tuple[CardId, ...]) -> Rejected | None:
    if len(cards) != BID_CARDS:
        return actions.BID_COUNT
    if len(set(cards)) < BID_CARDS:
        return actions.BID_REPEATED
    return None if all(card in hand for card in cards) else actions.NO_SUCH_CARD


def judge_premium(state: State, action: Offering) -> Rejected | None:
    """Why this is no premium bid of this table; None where it is one."""
    if action.kind not in premium_kinds(state.options, state.form):
        return actions.NO_SUCH_PREMIUM
    if action.kind == "none" or not PREMIUMS[action.kind].number:
        return None if action.tricks is None else actions.TRICKS_STRAY
    if action.tricks is None:
        return actions.TRICKS_MISSING
    most = FORMS[state.form].tricks
    return None if 0 <= action.tricks <= most else actions.tricks_range(most)


def _judge_card(state: State, card: CardId) -> Rejected | None:
    if card in playable(state):
        return None
    assert state.current is not None
    if card not in state.hands[state.current]:
        return actions.NOT_NPCS if state.current == NPC else actions.NO_SUCH_CARD
    led = led_suit(state)
    assert led is not None  # else the whole hand was playable
    return actions.must_follow(NAME[led])


# ---------------------------------------------------------------- the list


def legal(state: State, player: PlayerId) -> list[Action]:
    """Everything this player may do now."""
    if player not in awaited(state):
        return []
    match state.phase:
        case "bidding":
            return [{"type": "bid", "cardIds": list(cards)} for cards in _threes(state.hands[player])]
        case "premium":
            return _premiums(state)
        case "trump":
            return [{"type": "trump", "suit": suit} for suit in (*SIGN, None)]
        case "playing":
            return [{"type": "play", "cardId": card} for card in playable(state)]
        case _:
            return [{"type": "ready"}]


@lru_cache(maxsize=64)  # a room asks for the same few hands again while others bid
def _threes(hand: tuple[CardId, ...]) -> tuple[tuple[CardId, ...], ...]:
    return tuple(combinations(hand, BID_CARDS))


def _premiums(state: State) -> list[Action]:
    listed: list[Action] = []
    for kind in premium_kinds(state.options, state.form):
        listed.append({"type": "premium", "kind": kind})
        if kind != "none" and PREMIUMS[kind].number:
            listed[-1]["tricks"] = ranged(0, FORMS[state.form].tricks)
    return listed
