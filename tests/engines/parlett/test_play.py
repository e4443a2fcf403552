"""Tricks (RULES 5.3) and the NPC (RULES 5.4)."""

from __future__ import annotations

import pytest

from engines.parlett import GAME
from engines.parlett.forms import NPC
from engines.parlett.state import awaited
from tests.engines.parlett.positions import (
    all_bid,
    card,
    cards,
    every,
    kinds,
    lapse,
    new,
    offers,
    one,
    play,
    playable,
    position,
    why_not,
)


@pytest.mark.parametrize(("players", "options"), [("ABC", {}), ("ABCD", {}), ("AB", {"twoPlayer": "noNpc"})])
def test_r5_3_1_pn_18_the_dealers_left_leads(players: str, options: dict[str, str]) -> None:
    """Of two that is who did not deal; then the turn goes clockwise."""
    for number in range(12):
        state = all_bid(new(players, number.to_bytes(32, "big"), **options)).state
        if state.phase == "premium":
            state = offers(state).state
        left = players[(players.index(state.dealer) + 1) % len(players)]
        assert awaited(state) == (left,)
        state = lapse(state).state
        assert awaited(state) == (players[(players.index(left) + 1) % len(players)],)


def test_r5_3_2_pn_4_the_suit_led_must_be_followed() -> None:
    """Where one has it; else anything goes, trumps or not. No duty to head the trick."""
    state = position(hands={"A": "C6 C7", "B": "H8 HA S7", "C": "D6 S8 CA"}, turn_up="S6", trick="A:H10", current="B")
    assert playable(state) == {card("H8"), card("HA")}
    assert why_not(state, "B", "play", cardId=card("S7")) == "must_follow"
    state = play(state, "H8").state
    assert playable(state) == set(cards("D6 S8 CA"))
    free = position(hands={"A": "H10 C6", "B": "H8 S7", "C": "D6 S8"}, turn_up="S6")
    assert playable(free) == set(cards("H10 C6"))


@pytest.mark.parametrize(
    ("led", "second", "third", "trump", "taker"),
    [
        ("H10", "H8", "H9", "S", "A"),
        ("H10", "HJ", "HA", "S", "C"),
        ("H10", "S7", "HA", "S", "B"),
        ("H10", "S7", "S8", "S", "C"),
        ("H10", "CA", "DA", "S", "A"),
        ("H10", "CA", "H9", None, "A"),
        ("S7", "SA", "HA", "S", "B"),
        ("H10", "S7", "CA", None, "A"),
    ],
)
def test_r5_3_3_pn_4_who_takes_a_trick(led: str, second: str, third: str, trump: str | None, taker: str) -> None:
    """The highest trump, else the highest of the suit led; the taker leads."""
    hands = {"A": f"{led} C6", "B": f"{second} C7", "C": f"{third} C8"}
    state = position(hands=hands, turn_up="S6", trump=trump, won={"A": 3, "B": 2, "C": 2})
    step = play(state, f"{led} {second} {third}")
    assert one(step.events, "trickWon")["player"] == taker
    assert awaited(step.state) == (taker,)
    assert step.state.tricks_won[taker] == state.tricks_won[taker] + 1
    assert step.state.last_trick[0].card == card(led)
    assert set(step.state.played) - set(state.played) == {card(led), card(second), card(third)}


def test_r5_3_4_pn_4_a_joker_follows_as_the_turn_up() -> None:
    """It must follow the turn-up's suit, and may not where another was led and can be followed."""
    state = position(hands={"A": "H10 C6", "B": "JK C7", "C": "HA C8"}, turn_up="HJ")
    state = play(state, "H10").state
    assert playable(state) == {"JK"}
    assert one(play(state, "JK HA").events, "trickWon")["player"] == "C"
    clubs = position(hands={"A": "C6 D6", "B": "JK C7", "C": "HA C8"}, turn_up="HJ")
    assert playable(play(clubs, "C6").state) == {card("C7")}


def test_r5_3_4_pn_4_a_joker_led_leads_the_turn_ups_suit() -> None:
    """And wins over what is lower than the turn-up; the turn-up's is the trump suit too."""
    state = position(hands={"A": "JK C6", "B": "H10 C7", "C": "D6 C8"}, turn_up="HJ", current="A")
    after = play(state, "JK")
    assert one(after.events, "cardPlayed")["face"] == "조커(J♥)"
    assert playable(after.state) == {card("H10")}
    assert one(play(after.state, "H10 D6").events, "trickWon")["player"] == "A"


def test_r5_3_4_pn_2_a_joker_that_is_a_nine_is_no_trump() -> None:
    """A 9 turned up: the joker follows its suit, and loses to the 10 of it."""
    state = position(hands={"A": "S10 C6", "B": "JK C7", "C": "C8 D8"}, turn_up="S9", trump=None)
    state = play(state, "S10").state
    assert playable(state) == {"JK"}
    assert one(play(state, "JK C8").events, "trickWon")["player"] == "A"


# ---------------------------------------------------------------- the NPC


def test_r5_4_1_the_npcs_hand_is_laid_open_when_play_begins() -> None:
    """By suits, to everybody; not while bids are made."""
    state = all_bid(new("AB")).state
    assert GAME.view(state, "A")["hands"] == {}
    step = offers(state)
    shown = [c["id"] for c in one(step.events, "handShown")["cards"]]
    assert shown == sorted(step.state.hands[NPC])
    for viewer in ("A", "B", None):
        assert [c["id"] for c in GAME.view(step.state, viewer)["hands"][NPC]] == shown


def test_r5_4_1_pn_1_a_joker_lies_with_the_suit_it_counts_as() -> None:
    """Where the turn-up would be: between the ten and the king of it, and what it counts as is printed beside it."""
    hands = {"A": "C6 C7 C8 C9", "B": "D6 D7 D8 D9", "npc": "JK C10 H10 HK"}
    state = position("AB", hands=hands, turn_up="HQ", current="A")
    for viewer in ("A", "B", None):
        assert [c["face"] for c in GAME.view(state, viewer)["hands"][NPC]] == ["10♥", "조커(Q♥)", "K♥", "10♣"]
    told = [
        [c["id"] for c in one(step.events, "handShown")["cards"]]
        for step in (offers(all_bid(new("AB", n.to_bytes(32, "big"))).state) for n in range(60))
        if step.state.turn_up != "JK" and "JK" in step.state.hands[NPC]
    ]
    assert len(told) > 5
    assert any(cards[-1] != "JK" for cards in told)


@pytest.mark.parametrize(
    ("declared", "leads"),
    [({}, "other"), ({"dealer": 1, "other": 1}, "other"), ({"dealer": 1}, "other"), ({"other": 1}, "dealer")],
)
def test_r5_4_2_pn_14_who_leads_beside_an_npc(declared: dict[str, int], leads: str) -> None:
    """Who has not declared, where one has; else who did not deal."""
    for number in range(6):
        state = all_bid(new("AB", number.to_bytes(32, "big"))).state
        who = {"dealer": state.dealer, "other": "BA"["AB".index(state.dealer)]}
        state = offers(state, **{who[one]: "declaration" for one in declared}).state
        assert state.current == who[leads]
        assert state.controller == who[leads]


def test_r5_4_3_pn_15_the_leader_plays_the_npcs_card_last() -> None:
    """Leader, the other, the NPC; and nobody but the leader may play it."""
    state = position("AB", hands={"A": "H10 C6", "B": "H8 C7", "npc": "HA C8"}, turn_up="S6", current="A")
    state = play(state, "H10 H8").state
    assert state.current == NPC
    assert awaited(state) == ("A",)
    assert why_not(state, "B", "play", cardId=card("HA")) == "not_your_turn"
    assert why_not(state, "A", "play", cardId=card("C6")) == "no_such_card"
    step = play(state, "HA")
    assert one(step.events, "cardPlayed") == {
        "player": NPC,
        "cardId": card("HA"),
        "face": "A♥",
        "by": "A",
    }
    assert step.state.hands["A"] == (card("C6"),)


def test_r5_4_4_pn_15_an_npc_that_wins_leads() -> None:
    """Played by who played it last; then the opponent, then that one. A player who wins plays it from then on."""
    hands = {"A": "H10 C6 D6", "B": "H8 C7 D7", "npc": "HA C8 D8"}
    state = position("AB", hands=hands, turn_up="S6", trump=None, current="A")
    state = play(state, "H10 H8 HA").state
    assert (state.current, state.controller, awaited(state)) == (NPC, "A", ("A",))
    state = play(state, "C8").state
    assert state.current == "B"
    state = play(state, "C7").state
    assert state.current == "A"
    state = play(state, "C6").state
    assert (state.current, state.controller) == (NPC, "A")
    hands = {"A": "H10 C6 D6", "B": "HK C7 D7", "npc": "H9 C8 D8"}
    state = position("AB", hands=hands, turn_up="S6", trump=None, current="A")
    state = play(state, "H10 HK H9").state
    assert (state.current, state.controller) == ("B", "B")
    state = play(state, "D7 D6").state
    assert (state.current, awaited(state)) == (NPC, ("B",))


def test_r5_4_5_pn_15_an_npc_must_follow() -> None:
    """Whoever plays it picks among the cards that do."""
    hands = {"A": "H10 C6 D6", "B": "H8 C7 D7", "npc": "HA H7 D8"}
    state = position("AB", hands=hands, turn_up="S6", current="A")
    state = play(state, "H10 H8").state
    assert playable(state) == {card("HA"), card("H7")}
    assert why_not(state, "A", "play", cardId=card("D8")) == "must_follow"


def test_r5_3_a_round_is_told_in_order() -> None:
    """Each card, and after the last of a trick who took it; after the last trick the score."""
    state = position(hands={"A": "HA", "B": "C7", "C": "D8"}, won={"A": 4, "B": 2, "C": 2}, rounds=3)
    step = play(state, "HA C7")
    assert kinds(step.events) == ["cardPlayed"]
    step = play(step.state, "D8")
    assert kinds(step.events)[:3] == ["cardPlayed", "trickWon", "roundScored"]
    assert set(kinds(step.events)[3:]) <= {"bidShown"}
    assert every(step.events, "trickWon") == [{"player": "A", "tricks": 5}]
