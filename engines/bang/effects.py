"""What a card does when it is played (document 5.3). Whether it may be is the business of `rules`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec.structs import replace

from engines.bang import flips, life, piles
from engines.bang.actions import Play
from engines.bang.cards import BLUE, DISCARDED_WHEN_PLAYED, KIND, WEAPONS, CardId, CardKind
from engines.bang.state import Duel, Indians, Shot, Store
from engines.bang.table import Draft
from engines.kernel.contract import Event, PlayerId

Effect = Callable[[Draft, PlayerId, Play], None]


def play(draft: Draft, player: PlayerId, action: Play) -> None:
    """The card leaves the hand, which is refilled where it is to be (BG-22), and then takes effect.

    A blue card goes into play; a brown one to the discards, before or after its effect (BG-41).
    """
    card = action.card_id
    kind = KIND[card]
    _tell(draft, player, action)
    piles.lose(draft, player, (card,))
    if kind in DISCARDED_WHEN_PLAYED:
        piles.discard(draft, card)
    piles.refill(draft, player)
    EFFECTS[action.as_ or kind](draft, player, action)
    if kind not in DISCARDED_WHEN_PLAYED and kind not in BLUE and kind != "generalStore":
        piles.discard(draft, card)


def _tell(draft: Draft, player: PlayerId, action: Play) -> None:
    (seen,) = draft.seen(action.card_id)
    event: Event = {"type": "cardPlayed", "player": player, "card": seen}
    if action.target is not None:
        event["target"] = action.target
    if action.as_ is not None:
        event["as"] = action.as_
    draft.events.append(event)
    draft.note("played", player, action.target, action.card_id)


# ---------------------------------------------------------------- attacks


def _bang(draft: Draft, player: PlayerId, action: Play) -> None:
    """Counts for the turn, also where a 빗나감! was played as one (3.2)."""
    assert action.target is not None
    draft.turn = replace(draft.turn, bangs_played=draft.turn.bangs_played + 1)
    _shoot(draft, player, [action.target], "bang", draft.players[player].traits.misses_needed)


def _gatling(draft: Draft, player: PlayerId, action: Play) -> None:
    """At everybody at once; not counted, and one 빗나감! is enough whoever fires it (3.2, 5.3)."""
    _shoot(draft, player, draft.others_from(player), "gatling", 1)


def _shoot(
    draft: Draft, source: PlayerId, targets: list[PlayerId], via: Literal["bang", "gatling"], needed: int
) -> None:
    """A window for each, clockwise from the source (BG-7), with the barrels of its own (BG-28).

    It opens also for one who has nothing to answer with: that it did not would tell everybody (BG-49).
    """
    for target in targets:
        window = Shot(target=target, source=source, via=via, needed=needed, deadline=draft.wait(target))
        draft.reactions.append(window)
        draft.tell("attacked", player=target, source=source, via=via, needed=needed)
    for target in targets:
        flips.flip_barrels(draft, target)


def _indians(draft: Draft, player: PlayerId, action: Play) -> None:
    for target in draft.others_from(player):
        draft.reactions.append(Indians(target=target, source=player, deadline=draft.wait(target)))
        draft.tell("attacked", player=target, source=player, via="indians", needed=1)


def _duel(draft: Draft, player: PlayerId, action: Play) -> None:
    """The target answers first (5.3)."""
    target = action.target
    assert target is not None
    draft.reactions.append(Duel(actor=target, other=player, source=player, deadline=draft.wait(target)))
    draft.tell("attacked", player=target, source=player, via="duel", needed=1)


# ---------------------------------------------------------------- cards and life


def _beer(draft: Draft, player: PlayerId, action: Play) -> None:
    life.gain_life(draft, player)


def _saloon(draft: Draft, player: PlayerId, action: Play) -> None:
    """For everybody alive, also where two are left, and where nobody is hurt (5.3, BG-39)."""
    for each in draft.living():
        life.gain_life(draft, each)


def _stagecoach(draft: Draft, player: PlayerId, action: Play) -> None:
    piles.draw(draft, player, 2)


def _wells_fargo(draft: Draft, player: PlayerId, action: Play) -> None:
    piles.draw(draft, player, 3)


def _store(draft: Draft, player: PlayerId, action: Play) -> None:
    """As many as are alive, or as there are (BG-40); whoever played it chooses first."""
    order = (player, *draft.others_from(player))
    revealed = piles.tops(draft, len(order))
    draft.tell("storeRevealed", player=player, cards=draft.seen(*revealed))
    if not revealed:
        piles.discard(draft, action.card_id)
        return
    draft.reactions.append(
        Store(picker=player, order=order, revealed=revealed, card=action.card_id, deadline=draft.wait(player))
    )


def store_pick(draft: Draft, player: PlayerId, at: int, card: CardId) -> None:
    """One card; the next in order chooses from the others, until none is left (BG-40)."""
    window = draft.reactions[at]
    assert isinstance(window, Store)
    piles.gain(draft, player, (card,))
    draft.tell("storePicked", player=player, card=draft.seen(card)[0])
    draft.note("storePicked", player, None, card)
    left = tuple([other for other in window.revealed if other != card])
    if not left:
        draft.reactions.pop(at)
        piles.discard(draft, window.card)
        return
    following = window.order[window.order.index(player) + 1]
    draft.reactions[at] = replace(window, picker=following, revealed=left, deadline=draft.wait(following))


# ---------------------------------------------------------------- others' cards


def _panic(draft: Draft, player: PlayerId, action: Play) -> None:
    """One card of the target's into the hand: a random one of the hand, or one that lies there."""
    target, card = action.target, action.target_card
    assert target is not None
    if card == "hand":
        piles.steal(draft, player, target)
        return
    assert isinstance(card, int)
    _from_play(draft, target, card)
    piles.gain(draft, player, (card,))
    draft.tell("cardTaken", player=player, target=target, where="inPlay", card=draft.seen(card)[0])
    draft.note("took", player, target, card)


def _cat_balou(draft: Draft, player: PlayerId, action: Play) -> None:
    """One card of the target's onto the discards, for everybody to see (BG-57)."""
    target, card = action.target, action.target_card
    assert target is not None
    if card == "hand":
        hand = draft.players[target].hand
        at, draft.rng = draft.rng.below(len(hand))
        card = hand[at]
        draft.tell("cardStruck", player=player, target=target, where="hand")
        draft.tell("cardsDiscarded", player=target, cards=draft.seen(card))
        piles.discard_from_hand(draft, target, (card,))
    else:
        assert isinstance(card, int)
        draft.tell("cardStruck", player=player, target=target, where="inPlay")
        draft.tell("cardsDiscarded", player=target, cards=draft.seen(card))
        _from_play(draft, target, card)
        piles.discard(draft, card)
    draft.note("struck", player, target, card)


def _from_play(draft: Draft, player: PlayerId, card: CardId) -> None:
    in_play = draft.players[player].in_play
    draft.set(player, in_play=tuple([other for other in in_play if other != card]))


# ---------------------------------------------------------------- blue cards


def _equip(draft: Draft, player: PlayerId, action: Play) -> None:
    """In front of oneself; of weapons the new one alone stays (5.2.4, BG-37)."""
    card = action.card_id
    if KIND[card] in WEAPONS:
        for old in draft.players[player].in_play:
            if KIND[old] in WEAPONS:
                _from_play(draft, player, old)
                piles.discard(draft, old)
                draft.tell("cardsDiscarded", player=player, cards=draft.seen(old))
    draft.set(player, in_play=(*draft.players[player].in_play, card))


def _jail(draft: Draft, player: PlayerId, action: Play) -> None:
    """In front of the target, whose next turn begins with a flip."""
    assert action.target is not None
    draft.set(action.target, in_play=(*draft.players[action.target].in_play, action.card_id))


EFFECTS: dict[CardKind, Effect] = {
    "bang": _bang,
    "beer": _beer,
    "saloon": _saloon,
    "stagecoach": _stagecoach,
    "wellsFargo": _wells_fargo,
    "generalStore": _store,
    "panic": _panic,
    "catBalou": _cat_balou,
    "duel": _duel,
    "indians": _indians,
    "gatling": _gatling,
    "jail": _jail,
    **dict.fromkeys(BLUE - {"jail"}, _equip),
}
