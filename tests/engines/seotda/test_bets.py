"""Betting at the table (5.1, 5.4): whose turn, what it costs, when a round is over."""

from __future__ import annotations

import pytest

from engines.seotda import GAME
from tests.engines.seotda.table import checked, one, opened, play, pot, prices, stacks, table, to_act, told, why_not

ABC = {"A": "2열 3광", "B": "5열 8띠", "C": "6열 8광"}


def test_s5_4_s10_sd_1_the_documents_example_to_the_chip() -> None:
    """학교 30, A 삥 10, B 하프 35, C 따당 70, A calls 60, B calls 35: 240. A, having bet, may only call or die."""
    state = table(ABC)
    assert pot(state) == 30
    for move, costs, total in (
        ("A ping", 10, 40),
        ("B half", 35, 75),
        ("C ddadang", 70, 145),
        ("A call", 60, 205),
    ):
        who, bet = move.split()
        if who == "A" and bet == "call":
            assert prices(state).keys() == {"die", "call"}
        assert prices(state)[bet] == costs
        state = play(state, move).state
        assert pot(state) == total
    assert prices(state)["call"] == 35
    step = play(state, "B call")
    assert pot(step.state) == 240
    assert step.state.hand.pots[0].amount == 240
    assert stacks(step.state) == {"A": 920, "B": 920, "C": 920}
    assert told(step, "dealt") == [{"to": player, "count": 1} for player in "ABC"]


def test_s5_1_the_school_then_one_card_then_bets_from_the_dealer() -> None:
    """Everybody pays the base unit; the dealer is dealt to and asked first."""
    state = table(ABC, dealer="B")
    assert stacks(state) == dict.fromkeys("ABC", 990)
    assert state.hand.participants == ("B", "C", "A")
    assert to_act(state) == "B"
    assert {len(seated.hand) for seated in state.hand.players.values()} == {1}
    assert len(state.hand.deck) == 17


def test_s5_4_all_may_check_and_the_hand_goes_on() -> None:
    """After a check the next may check, bet or die; when all have checked the second card comes."""
    state = play(table(ABC), "A check").state
    assert prices(state).keys() == {"die", "check", "ping", "quarter", "half"}
    state = play(state, "B check", "C check").state
    assert state.hand.betting is not None
    assert (state.hand.betting.street, to_act(state)) == (1, "A")
    assert {len(seated.hand) for seated in state.hand.players.values()} == {2}


def test_s10_who_has_checked_cannot_raise_in_this_round_but_in_the_next() -> None:
    """SD-5; the refusal is the document's."""
    state = play(table(ABC), "A check", "B ping", "C call").state
    assert why_not(state, "A half") == ("no_more_raise", "이번 라운드에는 더 올릴 수 없어요(콜 또는 다이)")
    assert why_not(state, "A check") == ("cannot_check", "누가 이미 걸어서 체크할 수 없어요")
    state = play(state, "A call").state
    assert "half" in prices(state)


def test_s10_full_only_where_it_is_allowed() -> None:
    """maxRaise=half refuses it; maxRaise=full lists it with the whole pot."""
    assert "full" not in prices(table(ABC))
    assert why_not(table(ABC), "A full")[0] == "no_full"
    assert prices(table(ABC, maxRaise="full"))["full"] == 30


def test_s5_1_6_s10_the_second_round_begins_after_a_dealer_who_has_died() -> None:
    """The next seat still in."""
    state = play(table(ABC), "A die", "B check", "C check").state
    assert state.hand.betting is not None
    assert (state.hand.betting.street, to_act(state)) == (1, "B")


def test_sd_40_the_second_round_begins_after_a_dealer_who_is_all_in() -> None:
    """Who still gets a card."""
    state = play(table(ABC, stacks={"A": 20}), "A ping", "B call", "C call").state
    assert state.hand.players["A"].all_in
    assert len(state.hand.players["A"].hand) == 2
    assert to_act(state) == "B"


def test_s10_one_round_deals_two_cards_and_bets_once() -> None:
    """Then the showdown."""
    state = table(ABC, dealMode="oneRound")
    assert {len(seated.hand) for seated in state.hand.players.values()} == {2}
    step = checked(state)
    assert len(told(step, "bet")) == 3
    assert step.state.hand.phase == "handEnd"
    assert one(step, "showdown") == {"players": ["A", "B", "C"]}


def test_s5_1_8_s10_who_is_left_alone_takes_the_pot_and_shows_nothing() -> None:
    """Not the winner's cards, not the others', in no event and no view."""
    step = play(table(ABC), "A half", "B die", "C die")
    assert told(step, "returned") == [{"player": "A", "amount": 15}]
    assert one(step, "potWon")["shares"] == {"A": 30}
    assert stacks(step.state) == {"A": 1020, "B": 990, "C": 990}
    assert not told(step, "showdown")
    assert not told(step, "shown")
    for viewer in (None, "A", "B", "C"):
        view = GAME.view(step.state, viewer)
        assert view["showdown"]["hands"] == []
        for player in set("ABC") - {viewer}:
            assert view["players"][player]["cards"] == [{"hidden": True}]
        assert len(view.get("hand", [])) == (viewer is not None)


def test_sd_45_dying_is_legal_where_a_check_is_free() -> None:
    """자기 차례 언제나."""
    assert to_act(play(table(ABC), "A die").state) == "B"


# ---------------------------------------------------------------- all-in


def test_sd_9_an_unmatched_part_of_the_school_comes_back() -> None:
    """10 against the last 4 of both others: 6 come back, and nobody need be asked anything."""
    step = opened(ABC, stacks={"B": 4, "C": 4})
    assert told(step, "returned") == [{"player": "A", "amount": 6}]
    assert stacks(step.state) == {"A": 1000 - 4 + 12, "B": 0, "C": 0}


def test_s5_6_fewer_chips_than_the_school_is_all_in() -> None:
    """Pays what there is, and plays for that alone."""
    state = table(ABC, stacks={"B": 4})
    assert state.hand.players["B"].all_in
    assert [(p.amount, p.eligible) for p in state.hand.pots] == [(12, ("A", "B", "C")), (12, ("A", "C"))]
    assert to_act(play(state, "A check").state) == "C"


def test_sd_6_who_has_not_acted_may_raise_over_a_short_all_in() -> None:
    """From the new highest bet; who matched the old one owes the difference, and may not raise."""
    state = table(ABC, stacks={"B": 55})
    state = play(state, "A half").state  # 15
    assert prices(state)["half"] == 45
    state = play(state, "B half").state
    assert state.hand.players["B"].all_in
    assert prices(state)["ddadang"] == 90
    state = play(state, "C ddadang").state
    assert prices(state) == {"die": 0, "call": 75}


def test_sd_7_a_short_ping_opens() -> None:
    """And the others may raise over it, by no less than the base unit."""
    state = play(table(ABC, stacks={"A": 14}), "A ping").state
    assert state.hand.betting is not None
    assert state.hand.betting.current_bet == 4
    assert prices(state) == {"die": 0, "call": 4, "ddadang": 14, "quarter": 14, "half": 4 + 19}


def test_sd_2_a_stack_between_call_and_raise_is_a_raise_all_in() -> None:
    """Less than the base unit over the call is enough."""
    state = play(table(ABC, stacks={"B": 30}), "A half").state
    assert prices(state) == {"die": 0, "call": 15, "ddadang": 20, "quarter": 20, "half": 20}
    state = play(state, "B ddadang").state
    assert state.hand.players["B"].all_in
    assert prices(state)["call"] == 20


def test_sd_8_betting_is_skipped_where_only_one_could_answer() -> None:
    """B is all-in by a call: the second card, then the showdown."""
    step = play(table({"A": "2열 3광", "B": "5열 8띠"}, stacks={"B": 20}), "A half", "B call")
    assert step.state.hand.phase == "handEnd"
    assert stacks(step.state) == {"A": 1020, "B": 0}  # 5끗 beats 3끗


def test_s5_4_side_pots_go_to_whoever_reached_them() -> None:
    """A, all-in with 25, wins that much of each; the rest is B's, who has the better of the others."""
    state = table({"A": "3광 8광", "B": "10열 10띠", "C": "2열 4띠"}, stacks={"A": 25}, dealMode="oneRound")
    step = play(state, "A half", "B half", "C call")
    assert [(event["amount"], event["shares"]) for event in told(step, "potWon")] == [(60, {"B": 60}), (75, {"A": 75})]
    assert stacks(step.state) == {"A": 75, "B": 1005, "C": 945}


def test_sd_10_a_leavers_bet_above_all_others_stays_in_the_pot() -> None:
    """A bets 15 and goes; B and C have 5 each. Nobody gets the other 10 back, and they are no pot of their own."""
    state = table(ABC, stacks={"B": 15, "C": 15})
    step = play(state, "A half", "A leaves", "B call", "C call")
    assert [event["amount"] for event in told(step, "potWon")] == [30 + 15 + 5 + 5]
    assert not told(step, "returned")


@pytest.mark.parametrize("moves", [("A ping", "B call", "C call"), ("A check", "B check", "C check")])
def test_s5_4_a_round_ends_with_the_last_answer(moves: tuple[str, ...]) -> None:
    """Not before it."""
    state = table(ABC)
    for move in moves:
        assert state.hand.betting is not None
        assert state.hand.betting.street == 0
        state = play(state, move).state
    assert state.hand.betting is not None
    assert state.hand.betting.street == 1
