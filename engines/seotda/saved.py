"""States from JSON: those that were written, and such as somebody has edited."""

from __future__ import annotations

from collections.abc import Iterator

from engines.kernel import codec
from engines.kernel.contract import Json
from engines.seotda.actions import asked, table_pot
from engines.seotda.cards import DECK
from engines.seotda.deal import Choice, Deal, plan
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
    if wrong := "; ".join((*_people(state.hand, ids), *_cards(state))):
        yield wrong
        return
    yield from _chips(state)
    if state.hand.phase in ("dealing", "showdown"):
        yield f"no state stops in {state.hand.phase}"
    elif (now := asked(state)) is not None:
        here = {seat.id for seat in state.seats if seat.status in ("playing", "busted")}
        if not now[1] or not set(now[1]) <= here:
            yield f"nobody who is here is asked anything in {state.phase}, {state.hand.phase}"
    if state.phase != "playing" and state.hand.phase != "handEnd":
        yield f"the phase is {state.phase}, but the hand is not over"


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
    if betting is not None:
        seated = None if betting.to_act is None else hand.players.get(betting.to_act)
        if seated is None or seated.folded or seated.all_in:
            yield "whoever is to act is not in the hand, or not able to"
        if betting.current_bet != max((seated.committed_round for seated in hand.players.values()), default=0):
            yield "the highest bet is nobody's"
    if any(not pot.eligible for pot in pots):
        yield "a pot is nobody's"


def _cards(state: State) -> Iterator[str]:
    """Each of the twenty is there once, who is in has as many as the plan has dealt, and what is chosen is held."""
    hand, stages = state.hand, plan(state.options)
    if not 0 <= hand.stage <= len(stages):
        yield f"the plan has no stage {hand.stage}"
        return
    gone_by = stages[: hand.stage]
    dealt, choice = sum(stage.cards for stage in gone_by if isinstance(stage, Deal)), Choice() in gone_by
    cards = [*hand.deck, *(card for seated in hand.players.values() for card in seated.hand)]
    if sorted(cards, key=lambda card: card.id) != list(DECK):
        yield "the cards are not the twenty"
    for player, seated in hand.players.items():
        held = [card.id for card in seated.hand]
        if not seated.folded and len(held) != dealt:
            yield f"{player} has {len(held)} cards, and {dealt} were dealt"
        if not seated.folded and choice and seated.chosen is None:
            yield f"{player} has not chosen"
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
