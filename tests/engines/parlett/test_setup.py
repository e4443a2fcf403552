"""Players, options, cards and the deal (RULES 1 to 4)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines.kernel import codec
from engines.kernel.contract import Rejected
from engines.parlett import GAME
from engines.parlett.cards import CARDS, VALUE, bid_value, counting, faces
from engines.parlett.forms import DECKS, FORMS, NPC
from engines.parlett.options import Options
from tests.engines.parlett.positions import (
    NOW,
    SEED,
    all_bid,
    card,
    cards,
    every,
    new,
    offers,
    one,
    over_at_once,
    stepped,
    with_turn_up,
)

TABLE: dict[str, tuple[list[Any], Any, bool]] = {  # RULES 2: choices, default, a house rule
    "twoPlayer": (["npc", "noNpc"], "npc", False),
    "variant": (["standard", "trump", "sphinx", "unbid"], "standard", False),
    "unbidPremium": (["on", "off"], "on", True),
    "rounds": ([1, 3, 6, 9, 12], 9, False),
    "turnSeconds": ([10, 15, 20, 30, 60], 20, False),
}


def test_r1_2_two_to_four_players() -> None:
    """Three is the game itself; two play beside an NPC, if not told otherwise."""
    assert (GAME.min_players, GAME.max_players) == (2, 4)
    forms = {n: new("ABCD"[:n]).form for n in (2, 3, 4)}
    assert forms == {2: "npc", 3: "three", 4: "four"}
    assert new("AB", twoPlayer="noNpc").form == "noNpc"
    assert new("ABC", twoPlayer="noNpc").form == "three"
    for players in ("", "A", "ABCDE", "AAB"):
        answer = GAME.setup({}, tuple(players), SEED, NOW)
        assert isinstance(answer, Rejected)
        assert answer.code == "bad_players"


def test_r2_1_the_options_are_the_documents() -> None:
    """Keys, order, choices and defaults; nine rounds whatever the head count (PN-10)."""
    properties = codec.options_schema(GAME.Options)["properties"]
    assert {k: (p["enum"], p["default"], p["x-house"]) for k, p in properties.items()} == TABLE
    assert list(properties) == list(TABLE)
    typed = GAME.setup(Options(variant="trump", rounds=3), "ABC", SEED, NOW)
    assert typed == GAME.setup({"variant": "trump", "rounds": 3}, "ABC", SEED, NOW)
    assert {new("ABCD"[:n]).options.rounds for n in (2, 3, 4)} == {9}


@pytest.mark.parametrize("variant", TABLE["variant"][0])
@pytest.mark.parametrize(("players", "two"), [("AB", "npc"), ("AB", "noNpc"), ("ABC", "npc"), ("ABCD", "npc")])
def test_r2_2_every_combination_but_one(players: str, two: str, variant: str) -> None:
    """Sphinx is nothing without premium bids, which two players without an NPC do not have."""
    answer = GAME.setup({"variant": variant, "twoPlayer": two}, tuple(players), SEED, NOW)
    if (variant, two) == ("sphinx", "noNpc"):
        assert isinstance(answer, Rejected)
        assert answer.code == "bad_options"
    else:
        assert not isinstance(answer, Rejected)


def test_r2_3_nobody_is_called_npc() -> None:
    """At no table, so that an id is always the same person's."""
    for players in (("A", NPC), ("A", "B", NPC)):
        answer = GAME.setup({}, players, SEED, NOW)
        assert isinstance(answer, Rejected)
        assert answer.code == "bad_players"


# ---------------------------------------------------------------- cards


@pytest.mark.parametrize(
    ("form", "count", "lowest", "dealt", "tricks"),
    [("three", 37, 6, 12, 9), ("four", 53, 2, 13, 10), ("npc", 37, 6, 12, 9), ("noNpc", 33, 7, 16, 13)],
)
def test_r3_1_pn_18_the_cards_of_each_table(form: Any, count: int, lowest: int, dealt: int, tricks: int) -> None:
    """How many, from which rank; ace high; a bid of three leaves the rest for tricks."""
    deck = DECKS[form, "standard"]
    assert (len(deck), len(set(deck))) == (count, count)
    ranks = Counter(CARDS[one].rank for one in deck if one != "JK")
    assert ranks == dict.fromkeys(range(lowest, 15), 4)
    assert CARDS[card("HA")].rank > CARDS[card("HK")].rank > CARDS[card("HQ")].rank > CARDS[card("HJ")].rank
    assert CARDS[card("HJ")].rank > CARDS[card("H10")].rank > CARDS[card("H9")].rank
    assert (FORMS[form].dealt, FORMS[form].tricks) == (dealt, tricks)


@pytest.mark.parametrize("variant", ["trump", "sphinx"])
def test_r3_2_no_joker_and_nothing_turned_up(variant: str) -> None:
    """So every card is dealt."""
    for players in ("AB", "ABC", "ABCD"):
        state = new(players, variant=variant)
        dealt = [one for pile in (*state.hands.values(), *state.bids.values()) for one in pile]
        assert "JK" not in dealt
        assert len(dealt) == len(DECKS[state.form, state.options.variant])
        assert state.turn_up is None
    assert new("AB", variant="trump", twoPlayer="noNpc").turn_up is None


def test_r3_3_pn_1_pn_3_a_joker_is_the_turn_up() -> None:
    """Suit and rank, in bids and in play; nothing in play is equal to it."""
    counts = counting(card("C10"))
    assert (counts["JK"].suit, counts["JK"].rank) == ("C", 10)
    assert bid_value(cards("JK D6 S6"), card("C10")) == 3 + 0 + 1
    assert faces(card("C10"))["JK"] == "조커(10♣)"
    state = with_turn_up("C10")
    there = [one for pile in state.hands.values() for one in pile]
    assert "JK" in there
    assert card("C10") not in there


def test_r3_3_pn_2_also_where_the_turn_up_is_a_nine_or_the_joker() -> None:
    """A 9: no trumps, and the joker is that 9. The joker turned up: none is in play."""
    nine = with_turn_up("S9")
    assert nine.trump is None
    assert (counting(nine.turn_up)["JK"].suit, counting(nine.turn_up)["JK"].rank) == ("S", 9)
    joker = with_turn_up("JK")
    assert joker.trump is None
    assert "JK" not in [one for pile in joker.hands.values() for one in pile]


def test_r3_4_pn_23_ids_sort_by_suit_then_rank() -> None:
    """As strings: diamonds, spades, hearts, clubs; the joker last."""
    assert (card("D6"), card("H10"), card("CA")) == ("0D06", "2H10", "3C14")
    by_table = sorted(CARDS.values(), key=lambda one: (VALUE[one.suit], one.rank))
    assert sorted([*CARDS, "JK"]) == [*(one.id for one in by_table), "JK"]


# ---------------------------------------------------------------- the deal


def test_r4_1_pn_10_the_first_dealer_is_drawn_and_the_deal_goes_round() -> None:
    """Everybody first about equally often; then clockwise, and never the NPC."""
    firsts = Counter(new("ABCD", n.to_bytes(32, "big")).dealer for n in range(400))
    assert all(70 < firsts[player] < 130 for player in "ABCD")
    for players in ("AB", "ABC", "ABCD"):
        state = new(players, rounds=6)
        dealers: list[str] = []
        while (due := GAME.deadline(state)) is not None:
            if len(dealers) < state.round:
                dealers.append(state.dealer)
            state = GAME.timeout(state, due).state
        at = players.index(dealers[0])
        assert dealers == [(players * 7)[at + n] for n in range(6)]


def test_r4_2_cards_go_round_one_by_one_from_the_dealers_left() -> None:
    """Read off the order in which the cards were shuffled."""
    for players in ("AB", "ABC", "ABCD"):
        state = new(players)
        generator = type(state.rng)(SEED).below(len(players))[1]
        mixed, _ = generator.shuffle(DECKS[state.form, "standard"])
        table = [*players, NPC] if state.form == "npc" else [*players]
        at = table.index(state.dealer) + 1
        order = [*table[at:], *table[:at]]
        got: dict[str, list[str]] = {player: [] for player in table}
        for i, one_card in enumerate(mixed[:-1]):
            got[order[i % len(table)]].append(one_card)
        if state.form == "npc":
            assert state.bids == {NPC: tuple(got[NPC][:3])}
            got[NPC] = got[NPC][3:]
        assert {player: sorted(hand) for player, hand in got.items()} == {k: [*v] for k, v in state.hands.items()}


@pytest.mark.parametrize("players", ["ABC", "ABCD", "AB", "noNpc"])
def test_r4_3_what_is_left_over_is_turned_up(players: str) -> None:
    """Its suit is trumps; a 9 or the joker is none."""
    for number in range(60):
        if players == "noNpc":
            state = new("AB", number.to_bytes(32, "big"), twoPlayer="noNpc")
        else:
            state = new(players, number.to_bytes(32, "big"))
        assert state.turn_up is not None
        printed = faces(None)[state.turn_up]
        expected = (
            None if printed == "조커" or printed[0] == "9" else {"♦": "D", "♠": "S", "♥": "H", "♣": "C"}[printed[-1]]
        )
        assert state.trump == expected


def test_r4_3_the_deal_is_told() -> None:
    """The round and the trumps to everybody, each hand to its owner."""
    step = stepped(GAME.setup({}, "ABC", SEED, NOW))
    state = step.state
    assert one(step.events, "roundStarted") == {"round": 1, "dealer": state.dealer}
    told = one(step.events, "trumpSet")
    assert (told["trump"], told["turnUp"]["id"]) == (state.trump, state.turn_up)
    for deal in every(step.events, "handDealt"):
        assert deal["audience"] == [deal["player"]]
        assert tuple(one["id"] for one in deal["cards"]) == state.hands[deal["player"]]


def test_r4_4_pn_13_nobody_sees_the_npcs_bid() -> None:
    """Laid down with the deal, and hidden while bids are made and cards played."""
    state = new("AB")
    assert len(state.bids[NPC]) == 3
    assert len(state.hands[NPC]) == 9
    state = offers(all_bid(state).state).state
    for viewer in ("A", "B", None):
        assert GAME.view(state, viewer)["bids"][NPC] == {"hidden": True}


def test_r1_1_r1_3_a_whole_game() -> None:
    """Nine rounds, then whoever has most wins."""
    state = over_at_once()
    result: Any = GAME.result(state)
    assert len(state.round_scores) == 9
    best = max(state.scores.values())
    assert result["winner"] == [player for player in "ABC" if state.scores[player] == best]
    assert state.scores == {p: sum(points[p] for points in state.round_scores) for p in "ABC"}


def test_an_unknown_version_is_no_game() -> None:
    """A log of a version this code never knew is for an operator, not for a guess."""
    with pytest.raises(ValueError, match="version 2"):
        GAME.setup({}, "ABC", SEED, NOW, 2)
