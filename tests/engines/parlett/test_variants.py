"""The variants: Trump, Sphinx, Unbid (RULES 7)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.kernel.contract import Step
from engines.parlett import GAME
from engines.parlett.cards import bid_value
from engines.parlett.forms import NPC, PREMIUMS
from engines.parlett.state import State, awaited
from tests.engines.parlett.positions import (
    all_bid,
    bid,
    do,
    every,
    kinds,
    lapse,
    new,
    offers,
    one,
    play,
    position,
    why_not,
)


def round_end(made: int, players: str = "ABC", **options: Any) -> State:
    """The end of a first round which so many have made."""
    dump = GAME.dump(new(players, rounds=3, **options))
    table = [*dump["hands"]]
    deck = [one_card for hand in dump["hands"].values() for one_card in hand]
    deck += [one_card for three in dump["bids"].values() for one_card in three]
    row = {"tricks": 3, "bid": None, "bonus": 0, "premium": 0}
    tricks = (len(deck) - 3 * len(table)) // len(table)
    return GAME.load(
        dump
        | {
            "phase": "roundEnd",
            "hands": {who: [] for who in table},
            "bids": {who: deck[3 * i : 3 * i + 3] for i, who in enumerate(table)},
            "played": deck[3 * len(table) :],
            "tricksWon": {who: tricks if i == 0 else 0 for i, who in enumerate(table)},
            "lastRound": {who: {**row, "made": i < made} for i, who in enumerate(table)},
            "roundScores": [dict.fromkeys(table, 3)],
        }
    )


def next_round(state: State) -> Step[State]:
    step = Step(state, ())
    for who in state.seats:
        step = do(step.state, who, "ready")
    return step


# ---------------------------------------------------------------- trump


@pytest.mark.parametrize(("made", "trump"), [(3, "C"), (2, "H"), (1, "S"), (0, "D")])
def test_r7_1_1_pn_20_trumps_by_how_many_made_it(made: int, trump: str) -> None:
    """Diamonds first; then three clubs, two hearts, one spades, none diamonds."""
    assert new(variant="trump").trump == "D"
    step = next_round(round_end(made, variant="trump"))
    assert (step.state.round, step.state.trump) == (2, trump)
    assert one(step.events, "trumpSet")["trump"] == trump


@pytest.mark.parametrize(
    ("players", "made", "trump"),
    [("ABCD", 4, None), ("ABCD", 3, "C"), ("ABCD", 0, "D"), ("AB", 3, "C"), ("AB", 1, "S")],
)
def test_r7_1_2_pn_20_four_of_four_and_the_npc(players: str, made: int, trump: str | None) -> None:
    """All four: none. The NPC is one of three."""
    assert next_round(round_end(made, players, variant="trump")).state.trump == trump


# ---------------------------------------------------------------- sphinx


def test_r7_2_1_pn_21_premium_bids_come_first() -> None:
    """Deal, premium bids, the trump, bids, play; without a premium bid nobody is asked for the trump."""
    state = new(variant="sphinx")
    assert state.phase == "premium"
    assert why_not(state, "A", "bid", cardIds=list(state.hands["A"][:3])) == "not_bidding"
    quiet = offers(state).state
    assert quiet.phase == "bidding"
    state = offers(state, B="declaration").state
    assert (state.phase, awaited(state)) == ("trump", ("B",))
    state = do(state, "B", "trump", suit="H").state
    assert state.phase == "bidding"
    assert all_bid(state).state.phase == "playing"


def test_r7_2_2_pn_21_the_declarer_names_the_trump() -> None:
    """Any suit, or none; whoever else tries is told to wait. The next round inherits it."""
    asked = offers(new(variant="sphinx"), B="declaration").state
    assert [action["suit"] for action in GAME.legal(asked, "B")] == ["D", "S", "H", "C", None]
    assert why_not(asked, "A", "trump", suit="H") == "not_your_turn"
    for said, trump in (({"suit": "C"}, "C"), ({"suit": None}, None), ({}, None)):
        step = do(asked, "B", "trump", **said)
        assert step.state.trump == trump
        assert one(step.events, "trumpNamed")["trump"] == trump
    for trump in ("S", None):
        ended = GAME.load(GAME.dump(round_end(1, variant="sphinx")) | {"trump": trump})
        assert next_round(ended).state.trump == trump
    inherited = GAME.load(GAME.dump(round_end(1, variant="sphinx")) | {"trump": "S"})
    again = offers(next_round(inherited).state, B="declaration").state
    assert do(again, "B", "trump", suit=None).state.trump is None  # not naming is none, not what was before


def test_r7_2_3_without_a_premium_bid_the_trump_stays() -> None:
    """In the first round there is none."""
    first = all_bid(offers(new(variant="sphinx")).state).state
    assert (first.phase, first.trump) == ("playing", None)
    ended = GAME.load(GAME.dump(round_end(0, variant="sphinx")) | {"trump": "H"})
    again = offers(next_round(ended).state).state
    assert (again.phase, again.trump) == ("bidding", "H")


def test_r7_2_4_pn_21_a_declared_bid_is_seen_once_all_are_down() -> None:
    """Laid at the same time, none is an answer to another. A revealed hand with it."""
    state = do(offers(new(variant="sphinx"), B="revelation").state, "B", "trump", suit="H").state
    state = bid(bid(state, "B").state, "A").state
    assert GAME.view(state, "C")["bids"]["B"] == {"hidden": True}
    step = bid(state, "C")
    assert kinds(step.events) == ["bidPlaced", "playStarted", "bidShown", "handShown"]
    view = GAME.view(step.state, "C")
    assert [c["id"] for c in view["bids"]["B"]["cards"]] == [*step.state.bids["B"]]
    assert [c["id"] for c in view["hands"]["B"]] == [*step.state.hands["B"]]


def test_r7_2_5_of_two_declarers_the_one_who_did_not_deal_names_the_trump() -> None:
    """Beside an NPC; both declarations hold."""
    for number in range(6):
        state = new("AB", number.to_bytes(32, "big"), variant="sphinx")
        state = offers(state, A="declaration", B="declaration").state
        assert awaited(state) == ("BA"["AB".index(state.dealer)],)
        assert len(state.premiums) == 2


# ---------------------------------------------------------------- unbid


def test_r7_3_1_pn_22_what_is_left_is_the_bid() -> None:
    """No bids are laid; nine tricks with twelve cards; the three left must come to the tricks."""
    state = offers(new(variant="unbid")).state
    assert (state.phase, state.bids) == ("playing", {})
    assert [len(state.hands[p]) for p in "ABC"] == [12, 12, 12]
    hands = {"A": "HA C6 D6 S6", "B": "H8 C7 D7 S7", "C": "H9 C8 H10 CJ"}
    state = position(hands=hands, variant="unbid", won={"A": 3, "B": 4, "C": 1})
    step = play(state, "HA H8 H9")
    assert step.state.bids["A"] == tuple(sorted(("3C06", "0D06", "1S06")))
    assert {who: row.made for who, row in step.state.last_round.items()} == {"A": True, "B": True, "C": False}
    assert step.state.round_scores[-1] == {"A": 24, "B": 24, "C": 1}
    assert [event["player"] for event in every(step.events, "bidShown")] == ["A", "B"]
    for viewer in ("A", None):
        assert GAME.view(step.state, viewer)["bids"]["C"] == {"hidden": True}


def test_r7_3_1_pn_22_a_joker_left_is_of_the_turn_ups_suit() -> None:
    """A heart here: two tricks."""
    hands = {"A": "HA JK D6 S6", "B": "H8 C7 D7 S7", "C": "H9 C8 H10 CJ"}
    state = position(hands=hands, variant="unbid", won={"A": 2, "B": 5, "C": 1})
    assert play(state, "HA H8 H9").state.last_round["A"].made


def test_r7_3_2_pn_22_three_premium_bids_in_rising_order() -> None:
    """30, 60, 90; the later ones go before; and the option takes them away."""
    assert [(kind, PREMIUMS[kind].value) for kind in ("declare", "reveal", "both")] == [
        ("declare", 30),
        ("reveal", 60),
        ("both", 90),
    ]
    state = new(variant="unbid")
    assert [action["kind"] for action in GAME.legal(state, "A")] == ["none", "declare", "reveal", "both"]
    for made, best in (
        ({"A": "declare:3", "B": "reveal", "C": "both:4"}, "C"),
        ({"A": "declare:3", "B": "reveal"}, "B"),
    ):
        assert offers(state, **made).state.premiums[0].player == best
    assert new(variant="unbid", unbidPremium="off").phase == "playing"
    assert new(variant="standard", unbidPremium="off").phase == "bidding"


def test_r7_3_2_pn_22_a_revealed_hand_is_all_twelve() -> None:
    """Seen by everybody from the first card on, and so the three that are left."""
    step = offers(new(variant="unbid"), B="reveal")
    assert len(one(step.events, "handShown")["cards"]) == 12
    hands = {"A": "HA C6 D6 S6", "B": "H8 C7 D7 S8", "C": "H9 C8 H10 CJ"}
    premiums = [{"player": "B", "kind": "reveal"}]
    state = position(hands=hands, variant="unbid", won={"A": 8}, changes={"premiums": premiums})
    ended = play(state, "HA H8 H9").state
    assert GAME.view(ended, "A")["bids"]["B"]["tricks"] == bid_value(ended.bids["B"], ended.turn_up) == 4
    assert ended.last_round["B"].bid == 4
    assert ended.round_scores[-1] == {"A": 9 + 60, "B": 0, "C": 60}


def test_r7_3_3_the_number_goes_from_none_to_all() -> None:
    """It must be said where it belongs, and only the number that counts is told."""
    state = new(variant="unbid")
    listed = {action["kind"]: action.get("tricks") for action in GAME.legal(state, "A")}
    assert listed == {"none": None, "declare": {"min": 0, "max": 9}, "reveal": None, "both": {"min": 0, "max": 9}}
    assert GAME.legal(new("ABCD", variant="unbid"), "A")[1]["tricks"] == {"min": 0, "max": 10}
    assert why_not(state, "A", "premium", kind="declare") == "tricks_missing"
    assert why_not(state, "A", "premium", kind="reveal", tricks=3) == "tricks_stray"
    assert why_not(state, "A", "premium", kind="none", tricks=3) == "tricks_stray"
    assert why_not(state, "A", "premium", kind="both", tricks=10) == "tricks_range"
    assert why_not(state, "A", "premium", kind="both", tricks=-1) == "tricks_range"
    step = offers(state, A="declare:7", B="both:4")
    told = one(step.events, "premiumsShown")
    assert told["premiums"] == [{"player": "B", "kind": "both", "tricks": 4}]
    assert told["offers"] == {"A": "declare", "B": "both", "C": "none"}
    assert GAME.view(step.state, "C")["offers"] == told["offers"]


@pytest.mark.parametrize(
    ("said", "won", "bonus", "premium"),
    [(4, 4, True, 30), (3, 4, True, 0), (4, 3, False, 0), (3, 3, False, 0)],
)
def test_r7_3_4_the_number_said_must_be_taken_and_left(said: int, won: int, bonus: bool, premium: int) -> None:
    """With cards left that come to 4: the premium where 4 was said and taken; the bonus wherever 4 are taken."""
    hands = {"A": "HA C6 D6 S6", "B": "H8 C7 C9 C10", "C": "H9 C8 H10 CJ"}
    premiums = [{"player": "A", "kind": "declare", "tricks": said}]
    state = position(hands=hands, variant="unbid", won={"A": won - 1, "B": 9 - won}, changes={"premiums": premiums})
    row = play(state, "HA H8 H9").state.last_round
    assert row["A"].made == bonus
    assert row["A"].premium == premium
    assert row["B"].premium == row["C"].premium == (0 if premium else 30)


def test_r7_3_5_pn_13_beside_an_npc() -> None:
    """Its first three are its bid here too; and a number may be said, nothing more."""
    state = new("AB", variant="unbid")
    assert [action["kind"] for action in GAME.legal(state, "A")] == ["none", "declare"]
    assert [len(state.hands[who]) for who in ("A", "B", NPC)] == [12, 12, 9]
    assert len(state.bids[NPC]) == 3
    state = offers(state, A="declare:4").state
    while state.phase == "playing":
        state = lapse(state).state
    assert {len(three) for three in state.bids.values()} == {3}
    assert not any(state.hands.values())
