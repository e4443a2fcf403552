"""States from JSON (NN-3): this version's, those of version 1, and such as somebody has edited."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engines.kernel import codec
from engines.kernel.contract import Json
from engines.ninety_nine.options import resolve
from engines.ninety_nine.rules import TOP, can_play
from engines.ninety_nine.state import State


def load(data: Json) -> State:
    """A state from its dump; raises ``ValueError`` where it cannot be a moment of a game.

    Which cards are about is not asked: those that are there are the deck, for this game's whole life.
    """
    state = codec.load(State, data)
    if state.effective is None:
        effective = resolve(state.options, state.state_version, len(state.seats))
        state = msgspec.structs.replace(state, effective=effective)
    if wrong := "; ".join(_inconsistencies(state)):
        raise ValueError(f"not a state of ninety-nine: {wrong}")
    return state


def _inconsistencies(state: State) -> Iterator[str]:
    seats = set(state.seats)
    if len(seats) < len(state.seats) or len(seats) < 2:
        yield "seats are not two or more different players"
    keys = (state.hands.keys(), state.alive.keys(), state.lives.keys(), state.on_board.keys())
    if any(named != seats for named in keys):
        yield "hands, alive, lives and onBoard do not name the seats"
        return
    if not state.mode == state.options.mode == state.rules.mode:
        yield "there are two modes"
    if not 0 <= state.total <= TOP:
        yield f"the total is {state.total}"
    piles = (state.draw_pile, state.discard, *state.hands.values())
    ids = [card.id for pile in piles for card in pile]
    if len(set(ids)) < len(ids):
        yield "a card is there twice"
    living = [player for player in state.seats if state.alive[player]]
    if sorted((*state.elimination_order, *living)) != sorted(seats):
        yield "eliminationOrder and alive disagree"
    if state.current not in living:
        yield "the current player is out of the game"
        return
    if (len(living) == 1) != (state.phase == "finished"):
        yield f"{len(living)} are alive, and the phase is {state.phase}"
    if state.phase == "playing" and not can_play(state.hands[state.current], state.total, state.rules):
        yield "the current player has no playable card, which would have been settled at once (8.2)"
