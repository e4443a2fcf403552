"""판정: a card is turned over, and what follows (document 5.1, 5.2, 5.3)."""

from __future__ import annotations

from msgspec.structs import replace

from engines.bang import life, piles, turns
from engines.bang.cards import CARDS, KIND, CardId, CardKind, explodes
from engines.bang.rules import next_barrel
from engines.bang.state import Check, LuckyPick, Purpose, Shot
from engines.bang.table import Draft
from engines.kernel.contract import PlayerId

BLAST = 3


def succeeds(purpose: Purpose, card: CardId | None) -> bool:
    """Whether the flip is good for whoever flips. Where there was no card it is nothing (BG-31): no heart, no blast."""
    if purpose == "dynamite":
        return card is None or not explodes(CARDS[card])
    return card is not None and CARDS[card].suit == "H"


def flip(draft: Draft, player: PlayerId, purpose: Purpose) -> None:
    """Turns over one card; for some characters two, of which they choose one where there are two (BG-30, BG-31)."""
    draft.tell("flip", player=player, purpose=purpose)
    cards = piles.tops(draft, draft.players[player].traits.flips)
    if len(cards) < 2:
        resolve(draft, player, purpose, cards, cards[0] if cards else None)
        return
    # Nested in the shot where there is one, next to it, so that the order stays clockwise (BG-7).
    at = draft.window_of(player)
    pick = LuckyPick(player=player, purpose=purpose, options=cards, deadline=draft.wait(player))
    draft.reactions.insert(len(draft.reactions) if at is None else at + 1, pick)
    draft.tell("flipped", player=player, purpose=purpose, cards=draft.seen(*cards))


def pick(draft: Draft, player: PlayerId, at: int, card: CardId) -> None:
    """One of two. The shot that waited meanwhile is waited for anew (BG-30)."""
    window = draft.reactions.pop(at)
    assert isinstance(window, LuckyPick)
    outer = draft.window_of(player)
    if outer is not None:
        draft.reactions[outer] = replace(draft.reactions[outer], deadline=draft.wait(player))
    resolve(draft, player, window.purpose, window.options, card)


def resolve(draft: Draft, player: PlayerId, purpose: Purpose, cards: tuple[CardId, ...], counts: CardId | None) -> None:
    """The flipped cards are discarded in the order of their turning; then comes what they mean."""
    success = succeeds(purpose, counts)
    piles.discard(draft, *cards)
    draft.last_check = Check(player, cards, purpose, success)
    draft.tell("checked", player=player, purpose=purpose, cards=draft.seen(*cards), success=success)
    draft.note(f"{purpose}{'Passed' if success else 'Failed'}", player, None, *cards)
    match purpose:
        case "dynamite":
            _dynamite(draft, player, success)
        case "jail":
            _jail(draft, player, success)
        case "barrel":
            _barrel(draft, player, success)


def _take_away(draft: Draft, player: PlayerId, kind: CardKind) -> CardId:
    in_play = draft.players[player].in_play
    card = next(card for card in in_play if KIND[card] == kind)
    draft.set(player, in_play=tuple([other for other in in_play if other != card]))
    return card


def _dynamite(draft: Draft, player: PlayerId, success: bool) -> None:
    """Goes to the left, before any jail is looked at (BG-32); or is discarded, before anybody dies of it (BG-33)."""
    card = _take_away(draft, player, "dynamite")
    if success:
        following = draft.others_from(player)[0]
        draft.set(following, in_play=(*draft.players[following].in_play, card))
        draft.tell("dynamitePassed", player=player, target=following)
        return
    piles.discard(draft, card)
    draft.tell("dynamiteExploded", player=player)
    life.lose_life(draft, player, BLAST, source=None, killer=None)


def _jail(draft: Draft, player: PlayerId, success: bool) -> None:
    """The jail is discarded upon the flip (BG-43). In it, the whole turn is skipped, discarding too (BG-34)."""
    piles.discard(draft, _take_away(draft, player, "jail"))
    if success:
        draft.tell("jailEscaped", player=player)
        return
    draft.tell("turnSkipped", player=player)
    turns.pass_on(draft)


def _barrel(draft: Draft, player: PlayerId, success: bool) -> None:
    """One 빗나감! effect for a heart; two hearts of one flip are still one (BG-30)."""
    at = draft.window_of(player)
    assert at is not None
    window = draft.reactions[at]
    assert isinstance(window, Shot)
    if success:
        window = replace(window, needed=window.needed - 1)
        draft.reactions[at] = window
        if window.needed == 0:
            draft.reactions.pop(at)
            draft.tell("evaded", player=player)
            return
    flip_barrels(draft, player)


def flip_barrels(draft: Draft, player: PlayerId) -> None:
    """Where it is done by itself (``autoBarrel``): every barrel there is, until nothing more is needed (BG-28)."""
    at = draft.window_of(player)
    if draft.options.auto_barrel == "off" or at is None:
        return
    window = draft.reactions[at]
    if isinstance(window, Shot) and next_barrel(draft, player, window) is not None:
        flip_barrel(draft, player, at, window)


def flip_barrel(draft: Draft, player: PlayerId, at: int, window: Shot) -> None:
    """The next barrel, once."""
    barrel = next_barrel(draft, player, window)
    assert barrel is not None
    draft.reactions[at] = replace(window, **{barrel: True})
    flip(draft, player, "barrel")
