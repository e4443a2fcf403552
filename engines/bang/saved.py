"""States from JSON: dumps, also such as somebody has edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engines.bang.cards import CARDS
from engines.bang.deal import roles
from engines.bang.legal import legal
from engines.bang.state import KitKeep, LuckyPick, State, Store
from engines.bang.table import Table
from engines.kernel import codec
from engines.kernel.contract import Json


def load(data: Json) -> State:
    """A state from its dump; raises ``ValueError`` where it cannot be a moment of a game."""
    state = codec.load(State, data)
    if wrong := "; ".join(_inconsistencies(state)):
        raise ValueError(f"not a state of bang: {wrong}")
    return state


def _inconsistencies(state: State) -> Iterator[str]:
    names = [player.id for player in state.players]
    if len(set(names)) < len(names) or not 4 <= len(names) <= 7:
        yield "the players are not four to seven different ones"
        return
    if [player.seat for player in state.players] != list(range(len(names))):
        yield "the players are not in the order of their seats"
    if Counter(player.role for player in state.players) != Counter(roles(state.options, len(names))):
        yield "the roles are not those of so many players"
    if sorted(cards_of(state)) != list(range(len(CARDS))):
        yield "the 80 cards are not each there once"
    dead = [player.id for player in state.players if not player.alive]
    if sorted(dead) != sorted(state.death_order):
        yield "deathOrder and alive disagree"
    if any((player.hand or player.in_play) for player in state.players if not player.alive):
        yield "a dead player has cards"
    if state.turn.player not in names or (state.winner is None and state.turn.player in dead):
        yield "the turn is not that of a living player"
        return
    if any(window.asked not in names or window.asked in dead for window in state.reactions):
        yield "somebody is asked who does not live"
        return
    chosen = [player.character for player in state.players if player.character is not None]
    if len(set(chosen)) < len(chosen) or (state.turn.phase == "setup") != (not chosen):
        yield "the characters are not different ones, all chosen once the game is under way"
        return
    if state.winner is not None:
        if state.reactions:
            yield "the game is over, and somebody is asked"
    elif not any(legal(Table(state), player) for player in names):
        yield "nobody can do anything, which would have been settled at once"


def cards_of(state: State) -> list[int]:
    """Every card there is, wherever it lies: also in the windows."""
    cards = [*state.deck, *state.discard]
    for player in state.players:
        cards += (*player.hand, *player.in_play)
    for window in state.reactions:
        if isinstance(window, Store):
            cards += (*window.revealed, window.card)
        elif isinstance(window, LuckyPick | KitKeep):
            cards += window.options
    return cards
