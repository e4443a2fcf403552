"""Three-card play (5.2)."""

from __future__ import annotations

from typing import Any

from engines.seotda import GAME
from engines.seotda.state import State
from tests.engines.seotda.table import card, checked, one, play, stacks, table, to_act, told, why_not, wins
from tests.engines.seotda.test_properties import cards_in

THREE = {"A": "1광 8광 4열", "B": "5열 8띠 9띠", "C": "2열 3띠 10열"}


def choosing(**how: Any) -> State:
    state = checked(table(THREE, cardMode="three", **how)).state
    assert state.hand.phase == "choose"
    return state


def test_s5_2_two_cards_bets_a_third_a_choice_bets_showdown() -> None:
    state = table(THREE, cardMode="three")
    assert {len(seated.hand) for seated in state.hand.players.values()} == {2}
    step = checked(state)
    assert [event["count"] for event in told(step, "dealt")] == [1, 1, 1]
    assert one(step, "chooseStarted") == {"players": ["A", "B", "C"]}
    step = play(step.state, "C choose 2열 3띠", "A choose 4열 8광", "B choose 8띠 9띠")  # at once, in any order
    assert step.state.hand.betting is not None
    assert step.state.hand.betting.street == 1
    done = checked(step.state)
    assert {event["player"]: event["name"] for event in told(done, "shown")} == {"A": "2끗", "B": "7끗", "C": "5끗"}
    assert wins(done) == [(30, {"B": 30}, "normal")]


def test_s10_before_the_showdown_others_see_only_that_a_choice_was_made() -> None:
    """Not which; the chooser sees the two that are left, and the one that is not."""
    state = choosing()
    unchosen = {viewer: GAME.view(state, viewer) for viewer in (None, "B", "C")}
    step = play(state, "A choose 1광 8광")
    assert step.events[0] == {"type": "chose", "player": "A"}
    for viewer, before in unchosen.items():
        view = GAME.view(step.state, viewer)
        assert view["players"]["A"]["chosen"] is True
        assert view["players"]["A"]["cards"] == [{"hidden": True}] * 2
        assert cards_in(view) == cards_in(before)
    own = GAME.view(step.state, "A")
    assert [one["face"] for one in own["hand"]] == ["1광", "8광"]
    assert [one["face"] for one in own["discarded"]] == ["4열"]
    other = play(state, "A choose 1광 4열").state
    for viewer in unchosen:
        assert GAME.view(other, viewer) == GAME.view(step.state, viewer)


def test_s10_the_discarded_card_is_never_shown_to_anybody_else() -> None:
    """Not at the showdown, not after it, in no event and no view."""
    step = play(choosing(), "A choose 1광 8광", "B choose 5열 9띠", "C choose 2열 10열")
    done = checked(step.state)
    gone = {"A": card("4열").id, "B": card("8띠").id, "C": card("3띠").id}
    assert not cards_in(done.events) & set(gone.values())
    for viewer in (None, "A", "B", "C"):
        appear = cards_in(GAME.view(done.state, viewer))
        assert {player for player, id_ in gone.items() if id_ in appear} == ({viewer} if viewer else set())


def test_s10_s8_5_time_up_chooses_the_highest_value() -> None:
    """1광 8광 4열: 18광땡."""
    step = play(choosing(), "timeout")
    assert step.state.hand.players["A"].chosen == (card("1광").id, card("8광").id)
    assert [event["player"] for event in told(step, "chose")] == ["A", "B", "C"]


def test_s8_2_a_choice_is_two_different_cards_of_ones_own_once() -> None:
    state = choosing()
    two = ("choose_two", "카드 두 장을 골라 주세요")
    for faces in ("1광", "1광 1광", "1광 8광 4열", ""):
        assert why_not(state, f"A choose {faces}".strip()) == two
    assert why_not(state, "A choose 1광 5열") == ("no_such_card", "손에 없는 카드예요")
    assert why_not(state, "A choose 1광 6열")[0] == "no_such_card"  # in the deck
    state = play(state, "A choose 1광 8광").state
    assert why_not(state, "A choose 1광 8광") == ("already_chosen", "이미 카드를 골랐어요")
    assert why_not(state, "A choose 4열 8광")[0] == "already_chosen"
    assert why_not(state, "B check") == ("not_betting", "지금은 베팅할 때가 아니에요")


def test_s8_2_the_order_of_the_two_does_not_matter() -> None:
    state = choosing()
    assert play(state, "A choose 8광 1광").state == play(state, "A choose 1광 8광").state


def test_sd_42_all_in_players_choose_too() -> None:
    """And are waited for."""
    state = choosing(stacks={"A": 10})
    assert state.hand.players["A"].all_in
    state = play(state, "B choose 5열 9띠", "C choose 2열 3띠").state
    assert state.hand.phase == "choose"
    state = play(state, "A choose 1광 8광").state
    assert to_act(state) == "B"


def test_sd_42_where_only_one_is_left_nobody_chooses() -> None:
    """By dying in the first round, or leaving while the others choose."""
    step = play(table(THREE, cardMode="three"), "A ping", "B die", "C die")
    assert not told(step, "chooseStarted")
    step = play(choosing(), "A choose 1광 8광", "B leaves", "C leaves")
    assert step.state.hand.won == {"A": 30}
    assert not told(step, "shown")


def test_s5_2_who_has_died_does_not_choose() -> None:
    state = play(table(THREE, cardMode="three"), "A die", "B check", "C check").state
    assert state.hand.phase == "choose"
    assert GAME.legal(state, "A") == []
    assert why_not(state, "A choose 1광 8광") == ("folded", "이번 판은 다이해서 할 수 없어요")


def test_s5_2_a_rematch_goes_the_same_way() -> None:
    """SD-19: two cards, bets, a third, a choice, bets."""
    hands = {"A": "4띠 9열 10열", "B": "1광 2열 7띠", "C": "2띠 5열 8띠"}
    again = {"A": "10열 10띠 1광", "B": "5열 5띠 6열", "C": "2열 4띠 7열"}
    state = checked(table(hands, again, cardMode="three")).state
    state = play(state, "A choose 4띠 9열", "B choose 1광 2열", "C choose 2띠 5열").state
    state = checked(state).state
    assert (state.hand.rematch_no, state.hand.rematch_reason) == (1, "gusa")
    assert {len(seated.hand) for seated in state.hand.players.values()} == {2}
    state = checked(state).state
    assert state.hand.phase == "choose"
    state = play(state, "A choose 10열 10띠", "B choose 5열 5띠", "C choose 4띠 7열").state
    assert wins(checked(state)) == [(30, {"A": 30}, "normal")]
    assert stacks(checked(state).state) == {"A": 1020, "B": 990, "C": 990}
