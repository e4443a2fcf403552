"""Bids and premium bids (RULES 5.1, 5.2)."""

from __future__ import annotations

from itertools import combinations

import pytest

from engines.parlett import GAME
from engines.parlett.cards import bid_value
from engines.parlett.forms import PREMIUMS
from engines.parlett.state import awaited
from tests.engines.parlett.positions import (
    all_bid,
    bid,
    cards,
    every,
    kinds,
    lapse,
    new,
    offers,
    one,
    position,
    why_not,
    with_turn_up,
)


def test_r5_1_1_all_lay_three_cards_aside_at_once() -> None:
    """In any order; they leave the hand, and the rest is for play."""
    state = new()
    assert awaited(state) == ("A", "B", "C")
    state = bid(state, "C").state
    assert awaited(state) == ("A", "B")
    state = bid(state, "A").state
    state = bid(state, "B").state
    assert state.phase == "premium"
    assert [len(state.hands[p]) for p in "ABC"] == [9, 9, 9]
    assert all(not set(state.bids[p]) & set(state.hands[p]) for p in "ABC")


@pytest.mark.parametrize(("players", "count"), [("ABC", 220), ("ABCD", 286), ("AB", 220)])
def test_r5_1_1_every_three_cards_may_be_bid(players: str, count: int) -> None:
    """All of them are listed, and each may be laid in any order."""
    state = new(players)
    listed = [tuple(action["cardIds"]) for action in GAME.legal(state, "A")]
    assert listed == [*combinations(state.hands["A"], 3)]
    assert len(listed) == count
    backwards = [*reversed(listed[17])]
    step = GAME.apply(state, "A", {"type": "bid", "cardIds": backwards}, 0)
    assert GAME.apply(state, "A", {"type": "bid", "cardIds": [*listed[17]]}, 0) == step


@pytest.mark.parametrize(
    ("names", "tricks"),
    [
        ("C6 S6 D6", 4),
        ("C6 H6 D6", 5),
        ("C6 CA HK", 8),
        ("D6 D7 D8", 0),
        ("C6 C7 C8", 9),
        ("S6 S7 SA", 3),
        ("HA H6 S9", 5),
    ],
)
def test_r5_1_2_a_bid_is_the_sum_of_its_suits(names: str, tricks: int) -> None:
    """Ranks mean nothing. The document's first example, "3+1+0=4", is of a spade, though it says a heart."""
    assert bid_value(cards(names), cards("D9")[0]) == tricks


def test_r5_1_3_pn_24_a_bid_that_is_sent_stays() -> None:
    """Not twice; and nobody is told what it was."""
    state = new()
    step = bid(state, "A")
    assert one(step.events, "bidPlaced") == {"player": "A"}
    assert why_not(step.state, "A", "bid", cardIds=list(step.state.hands["A"][:3])) == "already_bid"
    state = all_bid(state).state
    assert why_not(state, "A", "bid", cardIds=list(state.hands["A"][:3])) == "not_bidding"


# ---------------------------------------------------------------- premium bids


def test_r5_2_1_pn_5_all_answer_at_once_and_in_secret() -> None:
    """Until the last has answered nobody sees another's answer; each answers once."""
    state = all_bid(new()).state
    assert [action["kind"] for action in GAME.legal(state, "A")] == ["none", "declaration", "revelation"]
    after = GAME.apply(state, "B", {"type": "premium", "kind": "revelation"}, 0)
    secret = GAME.apply(state, "B", {"type": "premium", "kind": "none"}, 0)
    assert after.events == secret.events  # type: ignore[union-attr]
    for viewer in ("A", "C", None):
        assert GAME.view(after.state, viewer) == GAME.view(secret.state, viewer)  # type: ignore[union-attr]
    assert GAME.view(after.state, "B")["offers"] == {"B": "revelation"}  # type: ignore[union-attr]
    assert why_not(after.state, "B", "premium", kind="none") == "already_offered"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("dealer", "made", "best"),
    [
        ("A", {}, None),
        ("A", {"C": "declaration"}, ("C", "declaration")),
        ("A", {"B": "declaration", "C": "declaration"}, ("B", "declaration")),
        ("A", {"A": "declaration", "C": "declaration"}, ("C", "declaration")),
        ("B", {"A": "declaration", "C": "declaration"}, ("C", "declaration")),
        ("C", {"A": "declaration", "C": "declaration"}, ("A", "declaration")),
        ("A", {"A": "revelation", "B": "declaration"}, ("A", "revelation")),
        ("A", {"A": "revelation", "B": "revelation", "C": "declaration"}, ("B", "revelation")),
    ],
)
def test_r5_2_2_pn_5_the_best_offer_takes_effect(
    dealer: str, made: dict[str, str], best: tuple[str, str] | None
) -> None:
    """Revelation before declaration, then from the dealer's left; the others are void, but everybody knows them."""
    seed = next(n for n in range(99) if new(seed=n.to_bytes(32, "big")).dealer == dealer)
    step = offers(all_bid(new(seed=seed.to_bytes(32, "big"))).state, **made)
    assert [(taken.player, taken.kind) for taken in step.state.premiums] == ([best] if best else [])
    told = one(step.events, "premiumsShown")
    assert told["offers"] == {player: made.get(player, "none") for player in "ABC"}
    assert GAME.view(step.state, None)["offers"] == told["offers"]
    assert [event["player"] for event in every(step.events, "bidShown")] == ([best[0]] if best else [])


def test_r5_2_3_pn_6_a_declaration_lays_the_bid_open_before_the_first_card() -> None:
    """The three, and what they come to; not the hand."""
    step = offers(all_bid(new()).state, B="declaration")
    assert step.state.trick == ()
    shown = one(step.events, "bidShown")
    assert tuple(c["id"] for c in shown["cards"]) == step.state.bids["B"]
    assert shown["tricks"] == bid_value(step.state.bids["B"], step.state.turn_up)
    for viewer in ("A", "C", None):
        view = GAME.view(step.state, viewer)
        assert [c["id"] for c in view["bids"]["B"]["cards"]] == [*step.state.bids["B"]]
        assert view["hands"] == {}
    assert kinds(step.events)[-2:] == ["playStarted", "bidShown"]


def test_r5_2_4_pn_6_a_revelation_lays_open_the_hand_too() -> None:
    """All nine, and what is left of them for the rest of the round."""
    step = offers(all_bid(new()).state, B="revelation")
    assert sorted(c["id"] for c in one(step.events, "handShown")["cards"]) == [*step.state.hands["B"]]
    state = step.state
    for _ in range(5):
        state = lapse(state).state
        for viewer in ("A", "B", "C", None):
            view = GAME.view(state, viewer)
            assert sorted(c["id"] for c in view["hands"]["B"]) == [*state.hands["B"]]
            assert "cards" in view["bids"]["B"]


def test_r5_2_5_pn_12_four_have_them_too() -> None:
    """The same kinds, the same values."""
    state = all_bid(new("ABCD")).state
    assert [action["kind"] for action in GAME.legal(state, "D")] == ["none", "declaration", "revelation"]
    assert (PREMIUMS["declaration"].value, PREMIUMS["revelation"].value) == (30, 60)
    assert offers(state, D="revelation").state.premiums[0].player == "D"


def test_r5_2_6_beside_an_npc_declarations_only_and_all_of_them() -> None:
    """A revelation is refused; both declarations take effect."""
    state = all_bid(new("AB")).state
    assert [action["kind"] for action in GAME.legal(state, "A")] == ["none", "declaration"]
    assert why_not(state, "A", "premium", kind="revelation") == "no_such_premium"
    step = offers(state, A="declaration", B="declaration")
    assert {taken.player for taken in step.state.premiums} == {"A", "B"}
    assert {event["player"] for event in every(step.events, "bidShown")} == {"A", "B"}


def test_r5_2_7_two_without_an_npc_have_none() -> None:
    """Nobody is asked: bids, then play."""
    state = all_bid(new("AB", twoPlayer="noNpc")).state
    assert state.phase == "playing"
    assert why_not(state, "A", "premium", kind="declaration") == "not_premium"


def test_r5_2_3_with_a_joker_the_declared_number_counts_it() -> None:
    """PN-1: the joker bids as the turn-up does."""
    state = position(hands={"A": "C6", "B": "C7", "C": "C8"}, turn_up="C10", bids={"A": "JK D6 D7"})
    assert GAME.view(state, "A")["bids"]["A"]["tricks"] == 3
    assert with_turn_up("C10").turn_up == cards("C10")[0]
