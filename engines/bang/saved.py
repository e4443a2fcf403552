"""States from JSON: dumps, also such as somebody has edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engines.bang.cards import BLUE, CARDS, KIND, WEAPONS
from engines.bang.deal import roles
from engines.bang.legal import legal
from engines.bang.state import Choose2, Duel, Dying, Indians, KitKeep, LuckyPick, Shot, State, Store
from engines.bang.table import Table
from engines.kernel import codec
from engines.kernel.contract import Json


def load(data: Json) -> State:
    """A state from its dump; raises ``ValueError`` where it cannot be a moment of a game."""
    state = codec.load(State, data)
    wrong = [*_inconsistencies(state)]
    if not wrong and state.winner is None and not any(legal(Table(state), player.id) for player in state.players):
        wrong = ["nobody can do anything, which would have been settled at once"]
    if wrong:
        raise ValueError(f"not a state of bang: {'; '.join(wrong)}")
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
    yield from _wrong_lives(state)
    yield from _wrong_equipment(state)
    yield from _wrong_windows(state, names)
    chosen = [player.character for player in state.players if player.character is not None]
    if len(set(chosen)) < len(chosen) or (state.turn.phase == "setup") != (not chosen):
        yield "the characters are not different ones, all chosen once the game is under way"
        return
    if state.winner is not None:
        if state.reactions:
            yield "the game is over, and somebody is asked"
        return
    surplus = next(len(player.hand) - player.life for player in state.players if player.id == state.turn.player)
    if state.turn.phase == "discard" and surplus <= 0:
        yield "somebody is to discard who has not too many cards"


def _wrong_lives(state: State) -> Iterator[str]:
    if any(player.life > player.max_life for player in state.players):
        yield "a life is above its maximum"
    dying = [window.player for window in state.reactions if isinstance(window, Dying)]
    short = [player.id for player in state.players if player.alive and player.life <= 0]
    if state.winner is None and state.turn.phase != "setup" and sorted(dying) != sorted(short):
        yield "those with no life left and those asked whether they can be saved are not the same"


def _wrong_equipment(state: State) -> Iterator[str]:
    for player in state.players:
        kinds = [KIND[card] for card in player.in_play if 0 <= card < len(CARDS)]
        if not BLUE.issuperset(kinds):
            yield "a card lies in front of somebody that does not stay there"
        if len(set(kinds)) < len(kinds) or len(WEAPONS.keys() & kinds) > 1:
            yield "two cards of a name, or two weapons, lie in front of one player"
        if player.role == "sheriff" and "jail" in kinds:
            yield "the sheriff is in jail"


def _wrong_windows(state: State, names: list[str]) -> Iterator[str]:
    own = Counter(window.asked for window in state.reactions)
    for window in state.reactions:
        match window:
            case Shot(source=other, needed=needed):
                if other not in names or needed < 1:
                    yield "a shot comes from nobody, or is evaded already"
            case Indians(source=other) | Duel(other=other):
                if other not in names:
                    yield "an attack comes from nobody"
            case Store(picker=picker, order=order, revealed=revealed):
                if not {picker, *order} <= {*names} or picker not in order or len(revealed) > len(order):
                    yield "a store has no place for somebody, or too many cards"
                if not revealed:
                    yield "a store is empty"
            case LuckyPick(options=options):
                if len(options) != 2:
                    yield "a pick is not of two"
            case KitKeep(options=options):
                if len(options) != 3:
                    yield "a look is not at three"
            case Choose2(player=player):
                offer = next(one.character_offer for one in state.players if one.id == player)
                if state.turn.phase != "setup" or len(offer) != 2:
                    yield "somebody is to choose a character who has none to choose from"
            case Dying(killer=killer, source=source):
                if not {killer, source} <= {None, *names}:
                    yield "somebody is dying of nobody"
        if own[window.asked] > 1 and not isinstance(window, Shot | LuckyPick):
            yield "somebody is asked two things at once"


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
