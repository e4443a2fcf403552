"""What each viewer may see (RULES 8.3), and the result of a finished game (RULES 8.6).

Built from nothing: a field is here because somebody may see it, never copied from the state and then struck out.
"""

from __future__ import annotations

from typing import Any

from engines.kernel.contract import Json, PlayerId
from engines.parlett.cards import NAME, CardId, faces, values
from engines.parlett.forms import NPC, PREMIUMS, Phase, premium_kinds
from engines.parlett.state import Played, State, awaited, table
from engines.parlett.told import (
    bid_json,
    open_bids_in_play,
    open_hand,
    open_hands,
    row_json,
    seen,
    suit_name,
    taken_json,
)

# In these phases what is laid open lies open.
OPEN: frozenset[Phase] = frozenset({"playing", "roundEnd", "finished"})
SCORED: frozenset[Phase] = frozenset({"roundEnd", "finished"})


def view(state: State, viewer: PlayerId | None, deadline: int | None) -> Json:
    """The public table, and for a player their own cards, bid and offer."""
    if (
        viewer not in state.seats
    ):  # whoever has no seat sees what a spectator sees, also one who is called as the NPC is
        viewer = None
    turn_up = state.turn_up
    names = faces(turn_up)
    shown: Json = {
        "phase": state.phase,
        "round": state.round,
        "trump": state.trump,
        "trumpFace": suit_name(state.trump),
        "turnUp": None if turn_up is None else seen(turn_up, turn_up),
        "dealer": state.dealer,
        "current": state.current,
        "waiting": list(awaited(state)),
        "trick": _trick(state.trick, turn_up),
        "lastTrick": _trick(state.last_trick, turn_up),
    }
    if viewer is not None:
        worth = values(turn_up)
        shown["hand"] = [{"id": card, "face": names[card], "value": worth[card]} for card in state.hands[viewer]]
    shown |= {
        "bids": _bids(state, viewer),
        "hands": _open_hands(state),
        "handCounts": {player: len(cards) for player, cards in state.hands.items()},
        "tricksWon": state.tricks_won.copy(),
        "scores": state.scores.copy(),
        "roundScores": [points.copy() for points in state.round_scores],
        "lastRound": {player: row_json(row) for player, row in state.last_round.items()},
        "premiums": [taken_json(taken) for taken in state.premiums],
        "offers": _offers(state, viewer),
        "played": [names[card] for card in state.played],
        "seats": list(state.seats),
        "options": _options(state),
        "deadline": deadline,
    }
    if state.form == "npc":
        shown["controller"] = state.controller
    if state.form == "noNpc":
        shown["streaks"] = state.streaks.copy()
    if state.phase in ("premium", "trump"):
        shown["labels"] = _labels(state)
    if state.phase == "finished":
        shown["result"] = result(state)
    return shown


def _options(state: State) -> Json:
    options = state.options
    return {
        "form": state.form,
        "variant": options.variant,
        "unbidPremium": options.unbid_premium,
        "rounds": options.rounds,
        "turnSeconds": options.turn_seconds,
    }


def _trick(trick: tuple[Played, ...], turn_up: CardId | None) -> list[Json]:
    names = faces(turn_up)
    return [{"id": played.card, "face": names[played.card], "player": played.player} for played in trick]


def _bids(state: State, viewer: PlayerId | None) -> Json:
    """Who has laid cards down, and what they are: one's own; declared ones, from the first trick on (PN-6); those that
    were made, from the score on. The others never (PN-9), the NPC's among them (PN-13)."""
    open_now = open_bids_in_play(state) if state.phase in OPEN else frozenset()
    scored = state.phase in SCORED
    bids: Json = {}
    for player, cards in state.bids.items():
        if player == viewer or player in open_now or (scored and state.last_round[player].made):
            bids[player] = bid_json(cards, state.turn_up)
        else:
            bids[player] = {"hidden": True}
    return bids


def _open_hands(state: State) -> Json:
    if state.phase not in OPEN:
        return {}
    shown = open_hands(state)
    return {player: open_hand(state.hands[player], state.turn_up) for player in table(state) if player in shown}


def _offers(state: State, viewer: PlayerId | None) -> Json:
    """The kinds, once all have answered (PN-5); until then one's own, with its number."""
    if state.phase == "premium":
        own = None if viewer is None else state.offers.get(viewer)
        if viewer is None or own is None:
            return {}
        return {viewer: own.kind if own.tricks is None else {"kind": own.kind, "tricks": own.tricks}}
    return {player: offer.kind for player, offer in state.offers.items()}


def _labels(state: State) -> list[Json]:
    """What the values of an action are called, in the form of cards, so that any table can show them."""
    if state.phase == "trump":
        return [{"id": suit, "face": name} for suit, name in NAME.items()]
    return [
        {"id": kind, "face": "프리미엄 비딩 없이" if kind == "none" else PREMIUMS[kind].label}
        for kind in premium_kinds(state.options, state.form)
    ]


def result(state: State) -> Json:
    """The GameResult: by score, equal scores sharing their rank (PN-10).

    The NPC's score is told beside it: it is no player, so it neither has a rank nor wins.
    """
    scores = {player: state.scores[player] for player in state.seats}
    best = max(scores.values())
    winners = [player for player in state.seats if scores[player] == best]
    ranking = [
        {
            "player": player,
            "rank": 1 + sum(other > score for other in scores.values()),
            "score": score,
            "rounds": [points[player] for points in state.round_scores],
        }
        for player, score in sorted(scores.items(), key=lambda one: (-one[1], state.seats.index(one[0])))
    ]
    names, won = ", ".join(f"{player} 님" for player in winners), "함께 이긴" if len(winners) > 1 else "이긴"
    told: dict[str, Any] = {
        "ranking": ranking,
        "winner": winners,
        "summary": f"{state.options.rounds}라운드 끝에 {best}점으로 {won} 사람은 {names}!",
    }
    if state.form == "npc":
        told["npcScore"] = state.scores[NPC]
    return told
