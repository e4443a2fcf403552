"""States from JSON: those that were written, and such as somebody has edited."""

from __future__ import annotations

from collections.abc import Iterator

from engines.kernel import codec
from engines.kernel.contract import Json
from engines.seotda.actions import asked, table_pot
from engines.seotda.cards import DECK
from engines.seotda.deal import plan
from engines.seotda.state import Hand, State


def load(data: Json) -> State:
    """A state from its dump; raises ``ValueError`` where it cannot be a moment of a game."""
    state = codec.load(State, data)
    if wrong := "; ".join(_inconsistencies(state)):
        raise ValueError(f"not a state of seotda: {wrong}")
    return state


def _inconsistencies(state: State) -> Iterator[str]:
    ids = [seat.id for seat in state.seats]
    if len(set(ids)) < len(ids) or len(ids) < 2:
        yield "seats are not two or more different players"
        return
    if [seat.seat for seat in state.seats] != list(range(len(ids))):
        yield "seats are not numbered from 0"
        return
    if wrong := "; ".join((*_people(state.hand, ids), *_cards(state.hand))):
        yield wrong
        return
    yield from _chips(state)
    if state.hand.phase in ("dealing", "showdown"):
        yield f"no state stops in {state.hand.phase}"
    elif (now := asked(state)) is not None and not now[1]:
        yield f"nobody is asked anything in {state.phase}, {state.hand.phase}"
    if state.phase != "playing" and state.hand.phase != "handEnd":
        yield f"the phase is {state.phase}, but the hand is not over"
    if not 0 <= state.hand.stage <= len(plan(state.options)):
        yield f"the plan has no stage {state.hand.stage}"


def _people(hand: Hand, ids: list[str]) -> Iterator[str]:
    """Everybody who is named has a seat, and the players of the hand are its participants."""
    betting = hand.betting
    pots = (*hand.carried_pots, *hand.pots)
    named = {player for pot in pots for player in pot.eligible}
    named |= {*hand.participants, *hand.died, *hand.main_takers, *hand.rejoin_pending, *hand.ready_pending}
    if not named <= set(ids):
        yield "somebody in the hand has no seat"
    if hand.players.keys() != set(hand.participants) or len(set(hand.participants)) < len(hand.participants):
        yield "players and participants disagree"
    if not 0 <= hand.dealer_seat < len(ids) or not 0 <= hand.first_dealer_seat < len(ids):
        yield "the dealer has no seat"
    if (hand.phase == "betting") != (betting is not None):
        yield f"the hand is in {hand.phase}, with betting {betting}"
    if betting is not None and betting.to_act not in hand.participants:
        yield "whoever is to act is not in the hand"
    if any(not pot.eligible for pot in pots):
        yield "a pot is nobody's"


def _cards(hand: Hand) -> Iterator[str]:
    """Each of the twenty is there once, and nothing is chosen that is not held."""
    cards = [*hand.deck, *(card for seated in hand.players.values() for card in seated.hand)]
    if sorted(cards, key=lambda card: card.id) != list(DECK):
        yield "the cards are not the twenty"
    for player, seated in hand.players.items():
        held = [card.id for card in seated.hand]
        if seated.chosen is not None and not (set(seated.chosen) < set(held) and len(set(seated.chosen)) == 2):
            yield f"{player} has chosen cards that are not in the hand"


def _chips(state: State) -> Iterator[str]:
    """None is made or lost (the last line but one of section 10)."""
    given = sum(state.options.starting_chips * (1 + seat.rebuys) for seat in state.seats)
    if sum(seat.stack for seat in state.seats) + table_pot(state) != given:
        yield f"there are not {given} chips"
    amounts = [
        *(seat.stack for seat in state.seats),
        *(pot.amount for pot in (*state.hand.carried_pots, *state.hand.pots)),
        *(seated.committed_round for seated in state.hand.players.values()),
    ]
    if min(amounts) < 0:
        yield "somebody owes chips"
