"""Options (2, 7), setup (4), where chance comes in (8.4)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from engines.kernel.codec import options_schema
from engines.kernel.contract import Rejected
from engines.seotda import GAME
from engines.seotda.cards import DECK
from engines.seotda.options import Options, player_range, school
from engines.seotda.state import State
from tests.engines.seotda.table import NOW, SEED, ok, opened, play, told

# Section 2 as it stands: key, choices, default.
SECTION_2: dict[str, tuple[list[Any], Any]] = {
    "cardMode": (["two", "three"], "two"),
    "dealMode": (["twoRounds", "oneRound"], "twoRounds"),
    "startingChips": ([500, 1000, 2000, 5000], 1000),
    "baseUnit": ([2, 10, 20, 50], 10),
    "maxRaise": (["half", "full"], "half"),
    "endCondition": (["hands", "lastStanding"], "hands"),
    "handLimit": ([10, 20, 30, 50], 20),
    "schoolUpEvery": ([0, 5, 10, 15], 0),
    "rebuy": (["off", "limited", "unlimited"], "unlimited"),
    "rebuyLimit": ([1, 2, 3], 1),
    "turnSeconds": ([15, 20, 30, 60], 20),
    "dealerRule": (["winner", "rotate"], "winner"),
    "gwangTtaeng": (["all", "only38"], "all"),
    "ttaengjabi": (["off", "strict", "loose"], "strict"),
    "amhaeng": ([True, False], True),
    "gusa": ([True, False], True),
    "mungGusa": (["off", "upTo8", "upTo9", "upToJang"], "upTo8"),
    "tieRule": (["rematch", "split"], "rematch"),
    "rejoinCost": (["none", "half", "full"], "none"),
    "hints": ([True, False], True),
}
HOUSE_RULES = {  # section 7
    *("dealMode", "cardMode", "gwangTtaeng", "ttaengjabi", "amhaeng", "gusa"),
    *("mungGusa", "tieRule", "rejoinCost", "dealerRule", "maxRaise"),
}


def new(players: int = 3, seed: bytes = SEED, **options: Any) -> State:
    return ok(GAME.setup(options, "ABCDEFGHIJ"[:players], seed, NOW)).state


def no(players: int = 3, **options: Any) -> Rejected:
    answer = GAME.setup(options, [f"p{n}" for n in range(players)], SEED, NOW)
    assert isinstance(answer, Rejected)
    return answer


def test_s2_the_options_are_the_documents() -> None:
    """Keys, choices in their order, defaults; section 7 says which are house rules."""
    schema = options_schema(GAME.Options)["properties"]
    assert {key: (about["enum"], about["default"]) for key, about in schema.items()} == SECTION_2
    assert {key for key, about in schema.items() if about["x-house"]} == HOUSE_RULES


@pytest.mark.parametrize(("chips", "unit"), [*product((500, 1000, 2000, 5000), (2, 10, 20, 50))])
def test_s2_sd_43_twenty_base_units_must_be_there(chips: int, unit: int) -> None:
    """All sixteen pairs; one refusal: 50 of 500."""
    if unit * 20 <= chips:
        assert new(startingChips=chips, baseUnit=unit).options.base_unit == unit
    else:
        assert (chips, unit) == (500, 50)
        assert no(startingChips=chips, baseUnit=unit) == Rejected(
            "bad_options", "시작 칩은 기본 단위의 20배 이상이어야 해요"
        )


def test_s1_sd_43_ten_may_play_and_six_with_three_cards() -> None:
    """Twenty cards, and 18 of them."""
    assert player_range(Options()) == (2, 10)
    assert player_range(Options(card_mode="three")) == (2, 6)
    assert len(new(10, dealMode="oneRound").hand.deck) == 0
    assert len(new(6, cardMode="three").seats) == 6
    assert no(11).code == no(1).code == "bad_players"
    assert no(7, cardMode="three") == Rejected("bad_players", "3장 섯다는 2명부터 6명까지 할 수 있어요")


@pytest.mark.parametrize("deal", ["twoRounds", "oneRound"])
def test_sd_43_three_card_play_has_no_deal_mode(deal: str) -> None:
    """Two cards, and bets, whatever it says."""
    state = new(cardMode="three", dealMode=deal)
    assert [len(seated.hand) for seated in state.hand.players.values()] == [2, 2, 2]
    assert state.hand.betting is not None


def test_sd_43_what_means_nothing_is_ignored() -> None:
    """rebuyLimit without limited, handLimit with lastStanding, mungGusa and rejoinCost without 구사."""
    new(rebuy="off", rebuyLimit=3, endCondition="lastStanding", handLimit=10)
    new(gusa=False, mungGusa="upToJang", rejoinCost="full")


def test_s4_seats_and_the_first_dealer_are_drawn() -> None:
    """Every order and every dealer comes about; everybody has the starting chips, less 학교."""
    orders, dealers = set(), set()
    for n in range(200):
        step = ok(GAME.setup({}, "ABC", n.to_bytes(32, "big"), NOW))
        state = step.state
        orders.add("".join(seat.id for seat in state.seats))
        dealers.add(state.hand.dealer_seat)
        assert [seat.seat for seat in state.seats] == [0, 1, 2]
        assert {seat.stack for seat in state.seats} == {990}
        assert step.events[0] == {"type": "gameStarted", "seats": [seat.id for seat in state.seats]}
    assert len(orders) == 6
    assert dealers == {0, 1, 2}


def test_s8_4_chance_is_drawn_at_setup_and_for_each_hand_and_rematch_alone() -> None:
    """The generator stands still through all bets; the shuffle is of all twenty."""
    state = new()
    drawn = state.rng.counter
    assert drawn >= 2 + 1 + 19  # seats, dealer, deck
    decks = {state.hand.deck}
    while state.hand.hand_no == 1:
        before = state
        who = state.hand.betting.to_act if state.hand.betting else state.hand.ready_pending[0]
        move = "ready" if state.hand.phase == "handEnd" else "check"
        state = play(state, f"{who} {move}").state
        new_deal = (state.hand.hand_no, state.hand.rematch_no) != (before.hand.hand_no, before.hand.rematch_no)
        assert (state.rng.counter > before.rng.counter) == new_deal
        decks.add(state.hand.deck)
    held = [card for seated in state.hand.players.values() for card in seated.hand]
    assert sorted([*held, *state.hand.deck], key=lambda card: card.id) == list(DECK)


def test_s5_1_what_is_told_as_a_hand_begins() -> None:
    """학교 of each, then so many cards to each, from the dealer; no card is named."""
    step = opened({"A": "2열 3광", "B": "5열 8띠", "C": "6열 8광"}, dealer="B")
    assert [event["type"] for event in step.events] == [
        "handStarted",
        *["ante"] * 3,
        *["dealt"] * 3,
        "bettingStarted",
    ]
    assert told(step, "ante") == [{"player": player, "amount": 10, "allIn": False} for player in "BCA"]
    assert told(step, "dealt") == [{"to": player, "count": 1} for player in "BCA"]


# ---------------------------------------------------------------- 학교 rises (5.7)


def test_s5_7_sd_30_the_school_doubles_up_to_a_fifth_of_the_chips() -> None:
    """Hand n: min(unit · 2^⌊(n−1)/N⌋, chips/5); the cap is a least of two, not an end to doubling."""
    options = Options(base_unit=20, school_up_every=5)
    assert [school(options, n) for n in (1, 5, 6, 10, 11, 16, 21, 26, 300)] == [20, 20, 40, 40, 80, 160, 200, 200, 200]
    assert {school(Options(), n) for n in range(1, 301)} == {10}


def test_sd_30_the_risen_unit_is_what_ping_and_raises_go_by() -> None:
    """Hand 6 of a game that doubles after five."""
    step = opened({"A": "2열 3광", "B": "5열 8띠"}, hand_no=6, schoolUpEvery=5)
    assert {event["amount"] for event in told(step, "ante")} == {20}
    offers = {one["type"]: one["amount"] for one in GAME.view(step.state, "A")["legalActions"]}
    assert offers == {"die": 0, "check": 0, "ping": 20, "quarter": 20, "half": 20}
    assert GAME.view(step.state, None)["baseUnit"] == 20
    faced = play(step.state, "A ping").state
    assert next(one["amount"] for one in GAME.view(faced, "B")["legalActions"] if one["type"] == "ddadang") == 40


def test_sd_30_rematches_do_not_count_for_the_school() -> None:
    """Hand 5 with a rematch: still the old unit in it, the new one in hand 6."""
    gusa = {"A": "4띠 9열", "B": "1광 2열"}
    state = opened(gusa, {"A": "10열 10띠", "B": "5열 5띠"}, hand_no=5, schoolUpEvery=5, dealMode="oneRound").state
    state = play(state, "A check", "B check").state
    assert (state.hand.rematch_no, state.base_unit) == (1, 10)
    state = play(state, "A check", "B check", "A ready", "B ready").state
    assert (state.hand.hand_no, state.base_unit) == (6, 20)
