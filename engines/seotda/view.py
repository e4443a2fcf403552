"""What each viewer may see (document 8.3).

Built from nothing: a field is here because somebody may see it, never copied from the state and then struck out. Of
another's cards it says how many there are; their faces come from the showdown's record alone, in which dead hands and
discarded cards have never been.
"""

from __future__ import annotations

import msgspec

from engines.kernel.betting import LABELS, prices
from engines.kernel.contract import Action, Json, PlayerId
from engines.seotda import hints
from engines.seotda.actions import asked, question, spot, table_pot
from engines.seotda.cards import Card, seen
from engines.seotda.hands import automatic, evaluate, pairs
from engines.seotda.result import result
from engines.seotda.showdown import seen_hand
from engines.seotda.state import Hand, RoundPlayer, Seat, Showdown, State

NOT_IN = RoundPlayer(folded=True)  # who takes no part in this game of the hand has nothing in it


def view(state: State, viewer: PlayerId | None, deadline: int | None) -> Json:
    """The public table; for a player also the own cards, and what may be done with them."""
    hand, betting, now = state.hand, state.hand.betting, asked(state)
    shown = _faces(hand)
    table: Json = {
        "phase": hand.phase if state.phase == "playing" else state.phase,
        "options": msgspec.to_builtins(state.options),
        "baseUnit": state.base_unit,
        "handNo": hand.hand_no,
        "handsPlayed": state.hands_played,
        "rematchNo": hand.rematch_no,
        "rematchReason": hand.rematch_reason,
        "seats": [seat.id for seat in state.seats],
        "dealer": state.seats[hand.dealer_seat].id,
        "current": betting.to_act if betting is not None else None,
        "waitingFor": [] if now is None else list(now[1]),
        "street": betting.street if betting is not None else None,
        "currentBet": betting.current_bet if betting is not None else 0,
        "pot": table_pot(state),
        "pots": [{"amount": pot.amount, "eligible": list(pot.eligible)} for pot in (*hand.carried_pots, *hand.pots)],
        "players": {
            seat.id: _player(seat, hand, hand.players.get(seat.id, NOT_IN), shown.get(seat.id), seat.id == viewer)
            for seat in state.seats
        },
        "showdown": None if hand.showdown is None else _showdown(hand.showdown),
        "won": hand.won.copy(),
        "publicLog": msgspec.to_builtins(list(state.public_log)),
        "deadline": deadline,
    }
    if hand.phase == "rejoin":
        table["rejoinPrice"] = hand.rejoin_price
    if viewer is not None and state.seat(viewer) is not None:
        _own(table, state, viewer)
    if now is None:
        table["result"] = result(state)
    return table


def _faces(hand: Hand) -> dict[PlayerId, tuple[Card, Card]]:
    """The hands that lie open. In a rematch those of the game before are gone from the table."""
    if hand.showdown is None or hand.phase not in ("rejoin", "handEnd"):
        return {}
    return {one.id: one.cards for one in hand.showdown.hands}


def kept(seated: RoundPlayer) -> tuple[Card, ...]:
    """The cards before a player, without the one that has been discarded."""
    if seated.chosen is None:
        return seated.hand
    return tuple([card for card in seated.hand if card.id in seated.chosen])


def _player(seat: Seat, hand: Hand, seated: RoundPlayer, face_up: tuple[Card, Card] | None, own: bool) -> Json:
    """One player as everybody sees them. Hidden cards have no id: it would say which they are."""
    cards = kept(seated)
    return {
        "seat": seat.seat,
        "stack": seat.stack,
        "status": seat.status,
        "away": seat.away,
        "rebuys": seat.rebuys,
        "inHand": not seated.folded,
        "folded": seated.last_action == "die",
        "allIn": seated.all_in,
        "committedRound": seated.committed_round,
        "committedTotal": hand.committed_total.get(seat.id, 0),
        "lastAction": None if seated.last_action is None else LABELS[seated.last_action],
        "chosen": seated.chosen is not None,
        "cards": (
            [seen(card) for card in (face_up or cards)]
            if own or face_up is not None
            else [{"hidden": True} for _ in cards]
        ),
    }


def _showdown(showdown: Showdown) -> Json:
    return {
        "hands": [seen_hand(one) for one in showdown.hands],
        "outcomes": [
            {
                "type": one.type,
                "potIndex": one.pot_index,
                "amount": one.amount,
                "players": list(one.players),
                "reason": one.reason,
            }
            for one in showdown.outcomes
        ],
    }


# ---------------------------------------------------------------- the viewer's own


def _own(table: Json, state: State, viewer: PlayerId) -> None:
    seated = state.hand.players.get(viewer, NOT_IN)
    cards = kept(seated)
    table["me"] = viewer
    table["hand"] = [seen(card) for card in cards]
    table["discarded"] = [seen(card) for card in seated.hand if card not in cards]
    if state.options.hints:
        table |= hints.about(cards, state.options)
    table["legalActions"] = offers(state, viewer)


def offers(state: State, player: PlayerId) -> list[Json]:
    """Everything the player may do now, as in the legal list, each with what it costs and what is on its button."""
    match question(state, player):
        case None:
            return []
        case "bet":
            return [
                {"type": bet, "amount": cost, "label": f"{LABELS[bet]} (+{cost})" if cost else LABELS[bet]}
                for bet, cost in prices(spot(state, player))
            ]
        case "choose":
            return _choices(state, player)
        case "rejoin":
            price = state.hand.rejoin_price
            return [
                {"type": "rejoin", "accept": True, "amount": price, "label": f"재참가 (+{price})"},
                {"type": "rejoin", "accept": False, "amount": 0, "label": "구경하기"},
            ]
        case "ready":
            return [{"type": "ready", "label": "다음 판"}]
        case "rebuy":
            return [
                {
                    "type": "rebuy",
                    "accept": True,
                    "label": f"칩 다시 받기 (+{state.options.starting_chips})",
                },
                {"type": "rebuy", "accept": False, "label": "그만하기"},
            ]


def _choices(state: State, player: PlayerId) -> list[Json]:
    """Every pair; with hints its name, and which the automatic choice would be ("추천 조합")."""
    options, cards = state.options, state.hand.players[player].hand
    best = automatic(cards, options)
    found = []
    for pair in pairs(cards):
        choice: Json = {
            "type": "choose",
            "cardIds": [card.id for card in pair],
            "label": " ".join(str(seen(card)["face"]) for card in pair),
        }
        if options.hints:
            made = evaluate(*pair, options)
            choice |= {"label": f"{choice['label']} ({made.name})", "handName": made.name, "recommended": pair == best}
        found.append(choice)
    return found


ON_THE_BUTTON = frozenset({"label", "handName", "recommended", "amount"})  # what an offer says beyond its action


def said(offer: Json) -> Action:
    """The action that an offer stands for. What a bet costs is not the player's to name."""
    return {name: value for name, value in offer.items() if name not in ON_THE_BUTTON}
