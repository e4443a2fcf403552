"""The decks (sections 3 and 10), and what they are in version 1."""

from __future__ import annotations

from collections import Counter

from engines.ninety_nine.cards import Card
from engines.ninety_nine.state import State
from tests.engines.ninety_nine.positions import new


def whole_deck(state: State) -> list[Card]:
    return [card for pile in (state.draw_pile, state.discard, *state.hands.values()) for card in pile]


def faces(state: State) -> Counter[str]:
    return Counter(card.face for card in whole_deck(state))


def test_s3_s10_the_kr_deck_has_91_cards() -> None:
    """1~8 seven each, 10 twenty-one, ±9, ±10 and 0 four each, two jokers; there is no plain 9 (NN-1)."""
    expected = {**{str(n): 7 for n in range(1, 9)}, "10": 21, "±9": 4, "±10": 4, "0": 4, "조커": 2}
    assert faces(new()) == expected
    assert sum(expected.values()) == 91


def test_s3_s10_special_counts() -> None:
    """specialCounts=2 makes 85 cards; every choice counts for ±9, ±10 and 0 alike."""
    assert len(whole_deck(new(specialCounts=2))) == 85
    for count in (2, 3, 4, 5, 6):
        deck = faces(new(specialCounts=count))
        assert [deck[face] for face in ("±9", "±10", "0", "조커")] == [count, count, count, 2]


def test_s3_s10_the_classic_deck_has_52_cards_and_from_seven_players_104() -> None:
    """deckCount auto; said outright it is as said, also 50 of 52 cards in ten hands (NN-19)."""
    assert len(whole_deck(new("ABCDEF", mode="classic"))) == 52
    assert len(whole_deck(new("ABCDEFG", mode="classic"))) == 104
    assert len(whole_deck(new("AB", mode="classic", deckCount=2))) == 104
    full = new("ABCDEFGHIJ", mode="classic", deckCount=1, handSize=5)
    assert len(whole_deck(full)) == 52


def test_s3_what_each_classic_card_is() -> None:
    """Four suits of thirteen ranks, with the effects of section 3."""
    deck = whole_deck(new(mode="classic"))
    kinds = {(card.face[:-1], card.kind, card.v) for card in deck}
    assert kinds == {
        ("A", "ace", 0),
        *((str(n), "add", n) for n in (2, 3, 5, 6, 7, 8)),
        ("4", "reverse", 0),
        ("9", "hold", 0),
        ("10", "minus", 10),
        ("J", "add", 10),
        ("Q", "add", 10),
        ("K", "to99", 0),
    }
    assert Counter(card.face[-1] for card in deck) == dict.fromkeys("♠♥♦♣", 13)


def test_nn_19_equal_faces_have_different_ids() -> None:
    """In two decks too; and ids of one length sort as their numbers do (NN-24)."""
    for state in (new(), new("ABCDEFGH", mode="classic")):
        ids = [card.id for card in whole_deck(state)]
        assert len(set(ids)) == len(ids)


def test_nn_4_the_v1_deck_has_zeros_that_reverse() -> None:
    """Otherwise it is the same deck."""
    old, now = whole_deck(new(version=1)), whole_deck(new())
    assert {card.kind for card in old if card.face == "0"} == {"reverse"}
    assert {card.kind for card in now if card.face == "0"} == {"zero"}
    assert {(c.id, c.face, c.v) for c in old} == {(c.id, c.face, c.v) for c in now}
