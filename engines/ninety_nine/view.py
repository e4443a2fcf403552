"""What each viewer may see (document 8.3), and the result of a finished game (8.6).

Built from nothing: a field is here because somebody may see it, never copied from the state and then struck out.
"""

from __future__ import annotations

import msgspec

from engines.kernel.contract import Json, PlayerId
from engines.kernel.legal import ranged
from engines.ninety_nine.cards import Card
from engines.ninety_nine.flow import seen
from engines.ninety_nine.options import Effective
from engines.ninety_nine.rules import Offer, offers
from engines.ninety_nine.state import State


def view(state: State, viewer: PlayerId | None, deadline: int | None) -> Json:
    """The public table, and for a player their own hand. An eliminated player's hand is gone, for everyone."""
    finished, rules = state.phase == "finished", state.rules
    shown: Json = {
        "mode": state.mode,
        "options": msgspec.to_builtins(rules),
        "total": state.total,
        "direction": state.direction,
        "current": None if finished else state.current,
        "seats": list(state.seats),
        "handCounts": {player: len(state.hands[player]) for player in state.seats},
        "lives": state.lives.copy(),
        "alive": state.alive.copy(),
        "onBoard": state.on_board.copy(),
        "eliminationOrder": list(state.elimination_order),
        "drawCount": len(state.draw_pile),
        "discardCount": len(state.discard),
        "recentPlays": msgspec.to_builtins(list(state.recent_plays)),
        "round": state.round,
        "phase": state.phase,
        "deadline": deadline,
    }
    hand = state.hands.get(viewer) if viewer is not None else None
    if hand is not None:
        shown["hand"] = [_held(card, state.total, rules) for card in hand]
    if finished:
        shown["result"] = result(state)
    return shown


def _held(card: Card, total: int, rules: Effective) -> Json:
    """A card in the viewer's hand, with what each way to play it would make of the total, whoever's turn it is."""
    held = seen(card)
    held["previews"] = previews = [_preview(offer) for offer in offers(card, total, rules)]
    held["playable"] = previews[0]["legal"] or previews[-1]["legal"]  # there are one or two ways
    return held


def _preview(offer: Offer) -> Json:
    if offer.refusal is not None:
        preview: Json = {"legal": False, "total": offer.total, "reason": offer.refusal.message}
    elif offer.upto is None:
        preview = {"legal": True, "total": offer.total}
    else:
        return {
            "legal": True,
            "total": ranged(offer.total, offer.upto),
            "jokerValue": ranged(offer.total, offer.upto),
        }
    if offer.field is not None:
        preview[offer.field] = offer.choice
    return preview


def result(state: State) -> Json:
    """The GameResult: the winner, then the others, latest out first. Nobody shares a rank (section 6, NN-29)."""
    winner = state.current
    tokens = state.rules.lives
    ranking = [
        {
            "player": player,
            "rank": rank,
            "livesLost": tokens - state.lives[player],  # NN-18
            "eliminatedAtRound": state.eliminated_at_round.get(player),
        }
        for rank, player in enumerate((winner, *reversed(state.elimination_order)), start=1)
    ]
    return {
        "ranking": ranking,
        "winner": [winner],
        "summary": f"끝까지 살아남은 사람은 {winner} 님! 마지막 합계 {state.total}",
    }
