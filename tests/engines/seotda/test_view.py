"""What is shown to whom, and hints (8.3, 9)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engines.kernel.contract import Json
from engines.seotda import GAME
from engines.seotda.state import State
from tests.engines.seotda.table import checked, next_hand, play, table
from tests.engines.seotda.test_properties import cards_in

ABC = {"A": "2열 3광", "B": "5열 8띠", "C": "6열 8광"}
GUSA = {"A": "4띠 9열", "B": "1광 2열", "C": "5열 8띠"}
ONE = "oneRound"


def seen_by(state: State, viewer: str | None) -> Json:
    return GAME.view(state, viewer)


def test_s8_3_own_cards_and_only_how_many_others_have() -> None:
    state = table(ABC, dealMode=ONE)
    view = seen_by(state, "A")
    assert [one["face"] for one in view["hand"]] == ["2열", "3광"]
    assert view["players"]["A"]["cards"] == view["hand"]
    assert view["players"]["B"]["cards"] == [{"hidden": True}, {"hidden": True}]
    for viewer in (None, "stranger"):
        view = seen_by(state, viewer)
        assert not view.keys() & {"hand", "me", "legalActions", "handName", "hint", "strength", "discarded"}
        assert not cards_in(view)
    assert "deck" not in str(seen_by(state, "A"))


def test_s8_3_what_everybody_sees_of_the_table() -> None:
    """Seats, stacks, dealer, pots, bets of the round, last actions, whose turn, until when."""
    state = play(table(ABC, stacks={"C": 10}), "A half").state
    view = seen_by(state, None)
    assert view["phase"] == "betting"
    assert (view["dealer"], view["current"], view["waitingFor"], view["street"]) == ("A", "B", ["B"], 0)
    assert (view["pot"], view["currentBet"], view["baseUnit"]) == (45, 15, 10)
    assert view["pots"] == [{"amount": 30, "eligible": ["A", "B", "C"]}]
    assert view["deadline"] == GAME.deadline(state)
    one = view["players"]["A"]
    assert (one["stack"], one["committedRound"], one["committedTotal"], one["lastAction"]) == (975, 15, 25, "하프")
    assert view["players"]["C"]["allIn"] is True
    assert view["players"]["B"]["lastAction"] is None


def test_s8_3_last_actions_are_of_this_round() -> None:
    """But who has died or is all-in still has said so."""
    state = play(table(ABC, stacks={"C": 20}), "A ping", "B die", "C call").state
    assert state.hand.phase == "handEnd"  # A alone could bet
    state = play(table(ABC | {"D": "7열 8광"}, stacks={"C": 20}), "A ping", "B die", "C call", "D call").state
    last = {player: one["lastAction"] for player, one in seen_by(state, None)["players"].items()}
    assert last == {"A": None, "B": "다이", "C": "콜", "D": None}


def test_s8_3_a_dead_hand_is_its_owners_alone_even_after_the_showdown() -> None:
    state = checked(play(table(ABC, dealMode=ONE), "A die").state).state
    assert state.hand.phase == "handEnd"
    assert [one["face"] for one in seen_by(state, "A")["hand"]] == ["2열", "3광"]
    for viewer in (None, "B", "C"):
        view = seen_by(state, viewer)
        assert view["players"]["A"]["cards"] == [{"hidden": True}] * 2
        assert view["players"]["A"]["folded"] is True
        assert [one["face"] for one in view["players"]["B"]["cards"]] == ["5열", "8기러기"]
        assert {one["player"] for one in view["showdown"]["hands"]} == {"B", "C"}


def test_s8_3_a_rematch_says_its_number_and_why() -> None:
    """And the last showdown stays to be read; its cards are gone from the table."""
    state = checked(table(GUSA, dealMode=ONE)).state
    view = seen_by(state, "C")
    assert (view["rematchNo"], view["rematchReason"]) == (1, "gusa")
    assert {one["player"]: one["name"] for one in view["showdown"]["hands"]} == {"A": "구사", "B": "알리", "C": "3끗"}
    assert view["showdown"]["outcomes"] == [
        {"type": "rematch", "potIndex": 0, "amount": 30, "players": ["A", "B", "C"], "reason": "gusa"}
    ]
    assert view["players"]["A"]["cards"] == [{"hidden": True}] * 2


def test_s8_3_a_new_hand_shows_nothing_of_the_last_one() -> None:
    view = seen_by(next_hand(checked(table(ABC, dealMode=ONE)).state).state, None)
    assert view["showdown"] is None
    assert not cards_in(view)


def test_s8_3_legal_actions_carry_the_exact_amount_and_the_words_of_the_button() -> None:
    """Only for whoever is asked."""
    state = play(table(ABC), "A half").state
    assert seen_by(state, "B")["legalActions"] == [
        {"type": "die", "amount": 0, "label": "다이"},
        {"type": "call", "amount": 15, "label": "콜 (+15)"},
        {"type": "ddadang", "amount": 30, "label": "따당 (+30)"},
        {"type": "quarter", "amount": 30, "label": "쿼터 (+30)"},
        {"type": "half", "amount": 45, "label": "하프 (+45)"},
    ]
    assert seen_by(state, "A")["legalActions"] == seen_by(state, "C")["legalActions"] == []
    assert GAME.legal(state, "B") == [{"type": bet} for bet in ("die", "call", "ddadang", "quarter", "half")]


def test_s9_every_offer_has_a_korean_button() -> None:
    """Bets, choices, coming back, ready, new chips."""
    states = [
        (table(ABC), "A"),
        (play(table(GUSA, dealMode=ONE, rejoinCost="half"), "A ping", "B call", "C die").state, "C"),
        (checked(table(ABC, dealMode=ONE)).state, "A"),
        (next_hand(table({"A": "10열 10띠", "B": "2열 4띠"}, stacks={"B": 10}, dealMode=ONE)).state, "B"),
        (checked(table({"A": "1광 8광 4열", "B": "5열 8띠 9띠"}, cardMode="three")).state, "A"),
    ]
    types = set()
    for state, player in states:
        offers = seen_by(state, player)["legalActions"]
        assert offers
        for offer in offers:
            assert re.search("[가-힣]", offer["label"]), offer
            types.add(offer["type"])
    assert types == {"die", "check", "ping", "quarter", "half", "rejoin", "ready", "rebuy", "choose"}
    assert [one["label"] for one in seen_by(states[1][0], "C")["legalActions"]] == ["재참가 (+25)", "구경하기"]
    assert [one["label"] for one in seen_by(states[3][0], "B")["legalActions"]] == ["칩 다시 받기 (+1000)", "그만하기"]


def test_s9_a_choice_shows_its_name_and_the_best_is_recommended() -> None:
    """Where hints are on."""
    hands = {"A": "1광 8광 4열", "B": "5열 8띠 9띠"}
    offers = seen_by(checked(table(hands, cardMode="three")).state, "A")["legalActions"]
    assert [(one["label"], one["recommended"]) for one in offers] == [
        ("1광 4열 (독사)", False),
        ("1광 8광 (18광땡)", True),
        ("4열 8광 (2끗)", False),
    ]
    plain = seen_by(checked(table(hands, cardMode="three", hints=False)).state, "A")["legalActions"]
    assert [one["label"] for one in plain] == ["1광 4열", "1광 8광", "4열 8광"]
    assert all(one.keys() == {"type", "cardIds", "label"} for one in plain)


HINTS: list[tuple[str, str, str, str]] = [
    ("1광 2열", "알리", "높음", "지금 패는 알리예요. 좋은 패예요."),
    ("2열 3광", "5끗", "중간", "지금 패는 5끗이에요. 중간 정도 패예요."),
    ("2열 8띠", "망통", "낮음", "지금 패는 망통이에요. 낮은 패예요."),
    ("3광 8광", "38광땡", "높음", "지금 패는 38광땡이에요. 좋은 패예요."),
    ("4띠 9열", "구사 - 상대가 알리 이하면 재경기", "낮음", "지금 패는 3끗이에요. 낮은 패예요."),
    ("4열 9열", "멍텅구리구사 - 상대가 8땡 이하면 재경기", "낮음", "지금 패는 3끗이에요. 낮은 패예요."),
    ("3광 7열", "땡잡이 - 상대 최고 패가 삥땡~9땡이면 이겨요", "낮음", "지금 패는 망통이에요. 낮은 패예요."),
    ("4열 7열", "암행어사 - 상대 최고 패가 13광땡이나 18광땡이면 이겨요", "낮음", "지금 패는 1끗이에요. 낮은 패예요."),
]


@pytest.mark.parametrize(("mine", "name", "strength", "sentence"), HINTS, ids=[hint[0] for hint in HINTS])
def test_s8_3_s9_hints_name_the_own_hand(mine: str, name: str, strength: str, sentence: str) -> None:
    state = table({"A": mine, "B": "6열 6띠"}, dealMode=ONE)
    view = seen_by(state, "A")
    assert (view["handName"], view["strength"], view["hint"]) == (name, strength, sentence)
    assert "handName" not in seen_by(state, None)
    assert "handName" not in seen_by(table({"A": mine, "B": "6열 6띠"}, dealMode=ONE, hints=False), "A")


@pytest.mark.parametrize(("mung", "limit"), [("upTo9", "9땡"), ("upToJang", "장땡")])
def test_s8_3_a_mung_gusas_hint_knows_its_limit(mung: str, limit: str) -> None:
    view = seen_by(table({"A": "4열 9열", "B": "6열 6띠"}, dealMode=ONE, mungGusa=mung), "A")
    assert view["handName"] == f"멍텅구리구사 - 상대가 {limit} 이하면 재경기"


def test_s8_3_sd_27_without_13_and_18_the_hint_promises_no_catch() -> None:
    view = seen_by(table({"A": "4열 7열", "B": "6열 6띠"}, dealMode=ONE, gwangTtaeng="only38"), "A")
    assert view["handName"] == "1끗"


def test_s8_3_one_card_has_no_name() -> None:
    view = seen_by(table(ABC), "A")
    assert (len(view["hand"]), view["handName"], view["hint"]) == (1, None, None)


def test_s8_3_phases_are_few_and_say_what_is_asked() -> None:
    """betting, choose, rejoin, handEnd; rebuy and finished for the whole table."""
    phases = {
        seen_by(state, None)["phase"]
        for state in (
            table(ABC),
            checked(table({"A": "1광 8광 4열", "B": "5열 8띠 9띠"}, cardMode="three")).state,
            play(table(GUSA, dealMode=ONE, rejoinCost="half"), "A ping", "B call", "C die").state,
            checked(table(ABC, dealMode=ONE)).state,
            next_hand(table({"A": "10열 10띠", "B": "2열 4띠"}, stacks={"B": 10}, dealMode=ONE)).state,
            next_hand(checked(table(ABC, dealMode=ONE, hand_no=20)).state).state,
        )
    }
    assert phases == {"betting", "choose", "rejoin", "handEnd", "rebuy", "finished"}


def test_s8_3_a_view_may_be_changed_by_whoever_asked() -> None:
    """It shares nothing with the state or with the next view."""
    state = checked(table(ABC, dealMode=ONE)).state
    before = seen_by(state, "A")

    def spoil(value: Any) -> None:
        if isinstance(value, dict):
            for inner in value.values():
                spoil(inner)
            value["spoiled"] = True
        elif isinstance(value, list):
            for inner in value:
                spoil(inner)
            value.append("spoiled")

    spoil(seen_by(state, "A"))
    assert seen_by(state, "A") == before
