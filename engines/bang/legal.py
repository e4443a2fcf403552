"""Everything a player may do now, as the list that is sent to them.

Choices of several cards are written out, each set once, in the order of the hand; the order matters only for how they
come to lie on the discard pile, and `apply` takes any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Any

from engines.bang.cards import AIM, KIND, TAKES, CardId, CardKind
from engines.bang.rules import (
    HEAL_COST,
    KEPT_BY_KIT,
    defence,
    on_turn,
    two_left,
    why_not_barrel,
    why_not_card,
    why_not_heal,
    why_not_kind,
    why_not_target,
    window,
)
from engines.bang.state import Choose2, Duel, Dying, Indians, KitKeep, LuckyPick, Shot, Store
from engines.bang.table import Table
from engines.kernel.contract import Action, PlayerId

MOST = 512  # sets of cards that are written out; of more (a hand of 13 and up) so many, evenly spread


def legal(table: Table, player: PlayerId) -> list[Action]:
    """By kind of action; empty when nothing is asked of this player."""
    actions = [*_answers(table, player), *_turn(table, player)]
    if why_not_heal(table, player) is None:
        hand = table.players[player].hand
        actions += ({"type": "sidHeal", "cardIds": list(cards)} for cards in some_sets(hand, HEAL_COST))
    return actions


def _answers(table: Table, player: PlayerId) -> Iterator[Action]:
    match asked := window(table, player):
        case Shot() | Indians() | Duel():
            yield from _responses(table, player)
            if why_not_barrel(table, player) is None:
                yield {"type": "useBarrel"}
            yield {"type": "takeHit"}
        case Dying():
            if not two_left(table):
                yield from _responses(table, player)
            yield {"type": "giveUp"}
        case Store(revealed=cards):
            yield from ({"type": "storePick", "cardId": card} for card in cards)
        case LuckyPick(options=cards):
            yield from ({"type": "luckyPick", "cardId": card} for card in cards)
        case KitKeep(options=cards):
            yield from ({"type": "kitKeep", "keep": list(keep)} for keep in combinations(cards, KEPT_BY_KIT))
        case Choose2():
            offer = table.players[player].character_offer
            yield from ({"type": "pickCharacter", "character": character} for character in offer)
        case None:
            assert asked is None


def _responses(table: Table, player: PlayerId) -> Iterator[Action]:
    kinds, needed = defence(table, player, window(table, player))
    cards = [card for card in table.players[player].hand if KIND[card] in kinds]
    return ({"type": "respond", "cardIds": list(chosen)} for chosen in some_sets(cards, needed))


def _turn(table: Table, player: PlayerId) -> Iterator[Action]:
    phase = table.turn.phase
    if phase not in ("draw", "play", "discard") or on_turn(table, player, phase) is not None:
        return
    if phase == "draw":
        yield from _draws(table, player)
    elif phase == "play":
        yield from _plays(table, player)
        yield {"type": "endPlay"}
    else:
        found = table.players[player]
        for cards in some_sets(found.hand, len(found.hand) - found.life):
            yield {"type": "discard", "cardIds": list(cards)}


def _draws(table: Table, player: PlayerId) -> Iterator[Action]:
    draws = table.players[player].traits.draws
    yield {"type": "draw"}
    if draws == "fromHand":
        for other in table.others_from(player):
            if table.players[other].hand:
                yield {"type": "draw", "jesseFrom": other}
    elif draws == "fromDiscard" and table.discard:
        yield {"type": "draw", "pedroDiscard": True}


def _plays(table: Table, player: PlayerId) -> Iterator[Action]:
    ways: dict[CardKind, list[dict[str, Any]]] = {}
    found = table.players[player]
    for card in found.hand:
        kind, extra = KIND[card], {}
        if kind == "missed":
            if not found.traits.either_way:
                continue
            kind, extra = "bang", {"as": "bang"}
        if kind not in ways:
            ways[kind] = list(ways_to_play(table, player, kind))
        for way in ways[kind]:
            yield {"type": "play", "cardId": card, **extra, **way}


def ways_to_play(table: Table, player: PlayerId, kind: CardKind) -> Iterator[dict[str, Any]]:
    """The targets, and their cards, at which this kind may be played now."""
    if why_not_kind(table, player, kind) is not None:
        return
    if kind not in AIM:
        yield {}
        return
    for target in targets(table, player, kind):
        if kind not in TAKES:
            yield {"target": target}
            continue
        cards: tuple[CardId | str, ...] = ("hand", *table.players[target].in_play)
        for card in cards:
            if why_not_card(table, player, target, card) is None:
                yield {"target": target, "targetCard": card}


def targets(table: Table, player: PlayerId, kind: CardKind) -> list[PlayerId]:
    """At whom this kind may be played."""
    distances = table.distances(player)
    return [target for target in (*distances, player) if why_not_target(table, player, kind, target, distances) is None]


# ---------------------------------------------------------------- sets of cards


def some_sets(cards: Sequence[CardId], size: int) -> Iterator[tuple[CardId, ...]]:
    """All sets of this size; of more than `MOST`, that many of them, evenly spread through their order."""
    number = comb(len(cards), size)
    if number <= MOST:
        return combinations(cards, size)
    return (_nth_set(cards, size, at * number // MOST) for at in range(MOST))


def _nth_set(cards: Sequence[CardId], size: int, n: int) -> tuple[CardId, ...]:
    """What ``combinations`` would say at place ``n``, without saying all before it."""
    chosen: list[CardId] = []
    for at, card in enumerate(cards):
        if len(chosen) == size:
            break
        with_this = comb(len(cards) - at - 1, size - len(chosen) - 1)
        if n < with_this:
            chosen.append(card)
        else:
            n -= with_this
    return tuple(chosen)
