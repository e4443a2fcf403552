"""States from JSON, also such as somebody has edited."""

from __future__ import annotations

from collections.abc import Iterator

from engines.kernel import codec
from engines.kernel.contract import Json
from engines.parlett.forms import BID_CARDS, DECKS, FORMS, NPC, form_of
from engines.parlett.state import State, awaited, table


def load(data: Json) -> State:
    """A state from its dump; raises ``ValueError`` where it cannot be a moment of a game.

    Whether the tricks of the past were played by the rules, and what was scored for them, is not asked.
    """
    state = codec.load(State, data)
    if wrong := "; ".join(_inconsistencies(state)):
        raise ValueError(f"not a state of parlett-ninety-nine: {wrong}")
    return state


def _inconsistencies(state: State) -> Iterator[str]:
    seats = set(state.seats)
    if len(seats) < len(state.seats) or not 2 <= len(seats) <= 4 or NPC in seats:
        yield "seats are not two to four different players"
        return
    if form_of(state.options, len(seats)) != state.form:
        yield f"{len(seats)} players do not play {state.form}"
        return
    players = set(table(state))
    if any(named.keys() != players for named in (state.hands, state.tricks_won, state.scores, state.streaks)):
        yield "hands, tricksWon, scores and streaks do not name the players"
        return
    if not state.bids.keys() <= players or not state.offers.keys() <= seats or state.dealer not in seats:
        yield "bids, offers or dealer name somebody who does not play"
        return
    yield from _wrong_cards(state)
    yield from _wrong_turn(state, players)
    if state.phase in ("roundEnd", "finished") and state.last_round.keys() != players:
        yield "a round has ended without a score"
    elif state.phase != "finished" and not awaited(state):
        yield "nobody is asked anything"


def _wrong_cards(state: State) -> Iterator[str]:
    there = [card for cards in (*state.hands.values(), *state.bids.values()) for card in cards]
    there += [*state.played, *(played.card for played in state.trick)]
    there += [] if state.turn_up is None else [state.turn_up]
    if sorted(there) != sorted(DECKS[state.form, state.options.variant]):
        yield "the cards are not one deck"
    if any(len(cards) != BID_CARDS for cards in state.bids.values()):
        yield "a bid is not three cards"
    finished = sum(state.tricks_won.values())
    if len(state.played) != finished * len(state.hands):
        yield "played and tricksWon disagree"
    in_trick = [played.player for played in state.trick]
    for player, hand in state.hands.items():
        held = FORMS[state.form].dealt - finished - in_trick.count(player) - BID_CARDS * (player in state.bids)
        if len(hand) != held:
            yield f"{player} holds {len(hand)} cards, not {held}"


def _wrong_turn(state: State, players: set[str]) -> Iterator[str]:
    if (state.current in players) != (state.phase in ("trump", "playing")):
        yield f"the phase is {state.phase}, and the current player {state.current}"
    if (state.controller in state.seats) != (state.phase == "playing" and state.form == "npc"):
        yield f"the NPC is played by {state.controller}"
    if state.current in [played.player for played in state.trick]:
        yield "the current player has played to the trick"
