"""How a game goes: what an accepted action does, and what then follows by itself (document 4, 5.2, 5.4)."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from engines.bang import deal, effects, flips, life, piles, turns
from engines.bang.actions import (
    Action,
    Discard,
    Draw,
    EndPlay,
    GiveUp,
    KitKeepTwo,
    PickCharacter,
    PickFlip,
    Play,
    Respond,
    SidHeal,
    StorePick,
    TakeHit,
    UseBarrel,
)
from engines.bang.cards import CARDS, CardId
from engines.bang.rules import KEPT_BY_KIT
from engines.bang.state import Duel, Dying, Indians, KitKeep, Shot
from engines.bang.table import Draft
from engines.kernel.contract import PlayerId


def perform(draft: Draft, player: PlayerId, action: Action) -> None:
    """Carries out an action that may be done, and whatever follows by itself."""
    match action:
        case Play():
            effects.play(draft, player, action)
        case Respond(card_ids=cards):
            _respond(draft, player, cards)
        case TakeHit():
            _take_hit(draft, player)
        case GiveUp():
            _give_up(draft, player)
        case EndPlay():
            _end_play(draft, player)
        case Draw():
            _draw(draft, player, action)
        case Discard(card_ids=cards):
            draft.tell("cardsDiscarded", player=player, cards=draft.seen(*cards))
            piles.discard_from_hand(draft, player, cards)
            turns.pass_on(draft)
        case SidHeal(card_ids=cards):
            _sid_heal(draft, player, cards)
        case UseBarrel():
            at = _at(draft, player)
            window = draft.reactions[at]
            assert isinstance(window, Shot)
            flips.flip_barrel(draft, player, at, window)
        case StorePick(card_id=card):
            effects.store_pick(draft, player, _at(draft, player), card)
        case PickFlip(card_id=card):
            flips.pick(draft, player, _at(draft, player), card)
        case KitKeepTwo(keep=cards):
            _kit_keep(draft, player, cards)
        case PickCharacter(character=character):
            draft.set(player, character_offer=(character,))  # seen by others when all have chosen (BG-51)
            draft.reactions.pop(_at(draft, player))
            draft.tell("characterPicked", player=player)
        case _:
            assert_never(action)
    settle(draft)


def settle(draft: Draft) -> None:
    """While nobody is asked, the game goes on by itself: the deal, the turn of one who died, the start of a turn."""
    while draft.winner is None and not draft.reactions:
        turn = draft.turn
        if turn.phase == "setup":
            deal.deal(draft)
            turns.begin(draft, turn.player)
        elif not draft.players[turn.player].alive:
            turns.pass_on(draft)
        elif turn.phase == "start":
            _start(draft, turn.player)
        else:
            return


def _at(draft: Draft, player: PlayerId) -> int:
    at = draft.window_of(player)
    assert at is not None
    return at


# ---------------------------------------------------------------- the turn (5.2)


def _start(draft: Draft, player: PlayerId) -> None:
    """The dynamite, then the jail, each flip after all that came of the one before (BG-30, BG-32)."""
    if draft.has(player, "dynamite"):
        flips.flip(draft, player, "dynamite")
    elif draft.has(player, "jail"):
        flips.flip(draft, player, "jail")
    else:
        draft.set_phase("draw")


def _draw(draft: Draft, player: PlayerId, action: Draw) -> None:
    """The first phase, each character in its way (3.2)."""
    draft.set_phase("play")
    if action.jesse_from is not None:
        piles.steal(draft, player, action.jesse_from)  # whose empty hand is refilled before the second card (BG-26)
        piles.draw(draft, player, 1)
    elif action.pedro_discard:
        card, draft.discard = draft.discard[-1], draft.discard[:-1]
        piles.gain(draft, player, (card,))
        draft.tell("discardTaken", player=player, card=draft.seen(card)[0])
        draft.note("discardTaken", player, None, card)
        piles.draw(draft, player, 1)
    else:
        match draft.players[player].traits.draws:
            case "topThree":
                _look_at_three(draft, player)
            case "showSecond":
                _show_second(draft, player, piles.draw(draft, player, 2))
            case "two" | "fromHand" | "fromDiscard":
                piles.draw(draft, player, 2)


def draw_plainly(draft: Draft, player: PlayerId) -> None:
    """What is drawn for one who lets the time pass: two cards, with no ability that has to be chosen (8.5)."""
    if draft.players[player].traits.draws == "topThree":
        draft.set_phase("play")
        piles.draw(draft, player, 2)
    else:
        _draw(draft, player, Draw())


def _show_second(draft: Draft, player: PlayerId, cards: tuple[CardId, ...]) -> None:
    """Red brings a third, which nobody else sees (BG-45)."""
    if len(cards) < 2:
        return
    shown = cards[1]
    draft.turn = replace(draft.turn, black_jack_reveal=shown)
    draft.tell("cardShown", player=player, card=draft.seen(shown)[0])
    draft.note("shown", player, None, shown)
    if CARDS[shown].suit in ("H", "D"):
        piles.draw(draft, player, 1)


def _look_at_three(draft: Draft, player: PlayerId) -> None:
    """Where there are only two or fewer, there is nothing to choose (BG-44)."""
    cards = piles.tops(draft, KEPT_BY_KIT + 1)
    if len(cards) > KEPT_BY_KIT:
        draft.reactions.append(KitKeep(player=player, options=cards, deadline=draft.wait(player)))
        draft.tell("lookedAt", player=player, count=len(cards))
        draft.tell("cardsSeen", player=player, cards=draft.seen(*cards), audience=[player])
        return
    piles.receive(draft, player, cards)


def _kit_keep(draft: Draft, player: PlayerId, keep: tuple[CardId, ...]) -> None:
    """The third goes back on top."""
    window = draft.reactions.pop(_at(draft, player))
    assert isinstance(window, KitKeep)
    draft.deck += tuple([card for card in window.options if card not in keep])
    piles.receive(draft, player, keep)


def _end_play(draft: Draft, player: PlayerId) -> None:
    """The hand may hold as many cards as there is life now (BG-56)."""
    found = draft.players[player]
    if len(found.hand) > found.life:
        draft.set_phase("discard")
        draft.tell("mustDiscard", player=player, count=len(found.hand) - found.life)
    else:
        turns.pass_on(draft)


# ---------------------------------------------------------------- answers (5.4)


def _respond(draft: Draft, player: PlayerId, cards: tuple[CardId, ...]) -> None:
    at = _at(draft, player)
    window = draft.reactions[at]
    draft.tell("responded", player=player, cards=draft.seen(*cards))
    draft.note("responded", player, None, *cards)
    match window:
        case Shot() | Indians():
            draft.reactions.pop(at)
            piles.discard_from_hand(draft, player, cards)
            draft.tell("evaded", player=player)
        case Duel(actor=actor, other=other):
            piles.discard_from_hand(draft, player, cards)
            draft.reactions[at] = replace(window, actor=other, other=actor, deadline=draft.wait(other))
        case Dying():
            piles.discard_from_hand(draft, player, cards)
            life.gain_life(draft, player, len(cards))
            life.check_dying(draft, player, at)
        case _:
            raise AssertionError(window)


def _take_hit(draft: Draft, player: PlayerId) -> None:
    """Who played the card is paid back by the hurt; who wins a duel is its killer, whoever began it (BG-16, BG-17)."""
    at = _at(draft, player)
    window = draft.reactions.pop(at)
    assert isinstance(window, Shot | Indians | Duel)
    killer = window.other if isinstance(window, Duel) else window.source
    life.lose_life(draft, player, 1, source=window.source, killer=killer, at=at)


def _give_up(draft: Draft, player: PlayerId) -> None:
    window = draft.reactions.pop(_at(draft, player))
    assert isinstance(window, Dying)
    life.eliminate(draft, player, window.killer)


def _sid_heal(draft: Draft, player: PlayerId, cards: tuple[CardId, ...]) -> None:
    """Closes no window but that of the dying whom it saves, and gives nobody more time (BG-3, BG-4)."""
    draft.tell("healedByDiscard", player=player, cards=draft.seen(*cards))
    draft.note("healed", player, None, *cards)
    piles.discard_from_hand(draft, player, cards)
    life.gain_life(draft, player)
    at = draft.window_of(player)
    if at is not None and isinstance(draft.reactions[at], Dying):
        life.check_dying(draft, player, at)
