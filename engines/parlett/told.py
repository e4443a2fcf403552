"""What is told to whom: who sees which cards, and things of the state as JSON, for events and views alike."""

from __future__ import annotations

import msgspec

from engines.kernel.contract import Json, PlayerId
from engines.parlett.cards import JOKER, NAME, CardId, Suit, bid_value, counting, faces
from engines.parlett.forms import NPC, PREMIUMS
from engines.parlett.state import Draft, Row, State, Taken


def open_hands(game: State | Draft) -> frozenset[PlayerId]:
    """Whose hands everybody sees once play has begun: by a premium bid (PN-6, PN-22), and the NPC's."""
    shown = [taken.player for taken in game.premiums if PREMIUMS[taken.kind].hand]
    return frozenset([*shown, NPC] if game.form == "npc" else shown)


def open_bids_in_play(game: State | Draft) -> frozenset[PlayerId]:
    """Whose three cards everybody knows before the score: declared, revealed, or left of an open hand."""
    return frozenset([one.player for one in game.premiums if PREMIUMS[one.kind].bid or PREMIUMS[one.kind].hand])


def seen(card: CardId, turn_up: CardId | None) -> Json:
    return {"id": card, "face": faces(turn_up)[card]}


def seen_all(cards: tuple[CardId, ...], turn_up: CardId | None) -> list[Json]:
    names = faces(turn_up)
    return [{"id": card, "face": names[card]} for card in cards]


def open_hand(cards: tuple[CardId, ...], turn_up: CardId | None) -> list[Json]:
    """A hand laid open, by suits (-2인 게임 (NPC 포함)-): a joker lies where it belongs (PN-1)."""
    if JOKER in cards:
        counts = counting(turn_up)
        cards = tuple(sorted(cards, key=lambda card: counts[card].id))
    return seen_all(cards, turn_up)


def suit_name(suit: Suit | None) -> str:
    return "없음" if suit is None else NAME[suit]


def taken_json(taken: Taken) -> Json:
    shown: Json = {"player": taken.player, "kind": taken.kind}
    return shown if taken.tricks is None else {**shown, "tricks": taken.tricks}


def row_json(row: Row) -> Json:
    return {**msgspec.structs.asdict(row), "points": row.points}


def bid_json(cards: tuple[CardId, ...], turn_up: CardId | None) -> Json:
    return {"tricks": bid_value(cards, turn_up), "cards": seen_all(cards, turn_up)}
