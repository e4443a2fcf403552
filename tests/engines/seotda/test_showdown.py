"""Pots, rematches and coming back in (5.5, 6.3 to 6.5)."""

from __future__ import annotations

import pytest

from engines.seotda import GAME
from tests.engines.seotda.table import (
    checked,
    next_hand,
    one,
    opened,
    play,
    pot,
    prices,
    stacks,
    table,
    to_act,
    told,
    why_not,
    wins,
)

GUSA = {"A": "4띠 9열", "B": "1광 2열"}
TIE = {"A": "2열 3광", "B": "6열 9열"}
TIE_BESIDE_GUSA = {"A": "4띠 9열", "B": "2열 3광", "C": "6열 9띠", "D": "5열 8띠"}
ONE = "oneRound"


# ---------------------------------------------------------------- 구사


def test_s10_a_gusa_rematch_keeps_the_pot_and_asks_no_school() -> None:
    """Only those who were in the showdown play on; who died stays out (rejoinCost=none)."""
    state = table(GUSA | {"C": "5열 8띠"}, {"A": "10열 10띠", "B": "5열 5띠"}, dealMode=ONE)
    step = play(state, "A ping", "B call", "C die")
    assert one(step, "rematchStarted") == {
        "rematchNo": 1,
        "reason": "gusa",
        "dealer": "A",
        "participants": ["A", "B"],
    }
    assert pot(step.state) == 50
    assert stacks(step.state) == {"A": 980, "B": 980, "C": 990}
    assert not told(step, "ante")
    assert not told(step, "potWon")
    assert (step.state.hand.hand_no, step.state.hands_played) == (1, 0)
    done = play(step.state, "A half", "B call")
    assert wins(done) == [(50, {"A": 50}, "normal"), (50, {"A": 50}, "normal")]  # the new bets, then the old pot
    assert (done.state.hands_played, done.state.rematches) == (1, 1)


def test_s5_5_2_sd_4_new_bets_go_on_top_of_the_old_pot() -> None:
    """The price of a raise is of everything on the table."""
    state = checked(table(GUSA, {"A": "10열 10띠", "B": "5열 5띠"}, dealMode=ONE)).state
    assert pot(state) == 20
    assert prices(state)["half"] == 10
    state = play(state, "A half").state
    assert pot(state) == 30
    assert prices(state)["half"] == 10 + 20


def test_sd_19_a_rematch_goes_the_same_way_as_the_hand() -> None:
    """twoRounds: one card, bets, one card, bets."""
    state = checked(table(GUSA, {"A": "10열 10띠", "B": "5열 5띠"})).state
    assert state.hand.rematch_no == 1
    assert len(state.hand.players["A"].hand) == 1
    step = play(state, "A check", "B check")
    assert len(step.state.hand.players["A"].hand) == 2
    assert step.state.hand.phase == "betting"


def test_s6_4_08_a_gusa_that_wins_takes_the_pot() -> None:
    step = checked(table({"A": "4띠 9열", "B": "5열 7열", "C": "2열 8띠"}, dealMode=ONE))
    assert wins(step) == [(30, {"A": 30}, "normal")]


# ---------------------------------------------------------------- ties


def test_s5_5_1_a_tie_is_played_again_by_the_best_alone() -> None:
    """Who has lost is out, though they have not died."""
    step = checked(table(TIE | {"C": "2띠 10열"}, {"A": "10열 10띠", "B": "5열 5띠"}, dealMode=ONE))
    assert one(step, "rematchStarted")["participants"] == ["A", "B"]
    assert step.state.hand.rematch_reason == "tie"


@pytest.mark.parametrize(("dealer", "first"), [("A", "A"), ("B", "B"), ("C", "A")])
def test_s6_3_6_a_tie_may_be_split(dealer: str, first: str) -> None:
    """The odd chip of 15 goes to the winner nearest to the dealer, the dealer himself first (SD-14)."""
    state = table(TIE | {"C": "2띠 10띠"}, dealer=dealer, dealMode=ONE, tieRule="split", stacks={"C": 5})
    shares = next(event["shares"] for event in told(checked(state), "potWon") if event["amount"] == 15)
    assert shares == {"A": 7, "B": 7} | {first: 8}


def test_s10_sd_23_the_fourth_rematch_is_an_equal_split() -> None:
    """Three ties in a row are played again, the fourth is not; the odd chip is the nearest winner's."""
    state = table(TIE | {"C": "2띠 10열"}, TIE, TIE, TIE, dealMode=ONE, stacks={"C": 5})
    for number in (1, 2, 3):
        state = checked(state).state
        assert state.hand.rematch_no == number
    step = checked(state)
    assert not told(step, "rematchStarted")
    assert wins(step) == [(10, {"A": 5, "B": 5}, "tie"), (15, {"A": 8, "B": 7}, "tie")]
    assert step.state.rematches == 3


def test_sd_23_gusa_counts_too_and_also_the_weaker_hand_gets_a_share() -> None:
    """All who would have played the fourth; and nobody who died is asked back for it."""
    state = table(GUSA | {"C": "5열 8띠"}, TIE, GUSA, GUSA, dealMode=ONE, rejoinCost="half")
    state = play(state, "A ping", "B call", "C die", "C rejoin no").state
    state = checked(state).state  # a tie asks nobody
    state = play(checked(state).state, "C rejoin no").state
    assert state.hand.rematch_no == 3
    step = checked(state)
    assert wins(step) == [(50, {"A": 25, "B": 25}, "gusa")]
    assert not told(step, "rejoinAsked")
    assert step.state.hand.phase == "handEnd"


# ---------------------------------------------------------------- side pots


def test_s10_a_side_pot_is_paid_at_once_while_the_main_pot_is_played_again() -> None:
    """A, all-in, and B tie for the main pot; the side pot of B and C is B's. Only the main pot is played for again."""
    state = table(
        {"A": "2열 3광", "B": "6열 9열", "C": "2띠 10열"},
        {"A": "10열 10띠", "B": "5열 5띠"},
        stacks={"A": 10},
        dealMode=ONE,
    )
    step = play(state, "B half", "C call")
    kinds = [event["type"] for event in step.events if event["type"] in ("potWon", "rematchStarted")]
    assert kinds == ["potWon", "rematchStarted", "potWon"]  # nobody can bet, so the rematch comes in the same step
    assert one(step, "rematchStarted")["participants"] == ["A", "B"]
    assert wins(step) == [(30, {"B": 30}, "normal"), (30, {"A": 30}, "normal")]
    assert stacks(step.state) == {"A": 30, "B": 1005, "C": 975}


def test_s5_5_4_what_a_rematch_leaves_is_the_main_pot_alone() -> None:
    """Another player with chips keeps the rematch from running through."""
    state = table(
        {"A": "2열 3광", "B": "6열 9열", "C": "7열 8띠", "D": "2띠 10열"},
        {"A": "10열 10띠", "B": "5열 5띠", "C": "8광 8띠"},
        stacks={"A": 10},
        dealMode=ONE,
    )
    step = play(state, "B half", "C call", "D call")
    assert step.state.hand.phase == "betting"  # B and C tie for the side pot too
    assert [(p.amount, p.eligible, p.reason) for p in step.state.hand.carried_pots] == [
        (40, ("A", "B", "C"), "tie"),
        (60, ("B", "C"), "tie"),
    ]
    done = play(step.state, "B check", "C check")
    assert wins(done) == [(60, {"C": 60}, "normal"), (40, {"A": 40}, "normal")]


def test_sd_12_a_ttaengjabi_wins_the_main_pot_and_loses_the_side_pot() -> None:
    """The pair it catches is all-in; without it in the side pot the 땡잡이 is 망통."""
    state = table({"A": "5열 5띠", "B": "3광 7열", "C": "2열 4띠"}, stacks={"A": 10}, dealMode=ONE)
    step = play(state, "B half", "C call")
    assert wins(step) == [(30, {"C": 30}, "normal"), (30, {"B": 30}, "ttaengjabi")]


def test_sd_12_a_gusa_voids_the_side_pot_and_not_the_main_pot() -> None:
    """A pair that is all-in takes the main pot; the side pot is played again."""
    state = table(
        {"A": "5열 5띠", "B": "4띠 9열", "C": "1광 2열"},
        {"B": "10열 10띠", "C": "5열 5띠"},
        stacks={"A": 10},
        dealMode=ONE,
    )
    step = play(state, "B half", "C call")
    assert wins(step) == [(30, {"A": 30}, "normal")]
    assert step.state.hand.participants == ("B", "C")
    assert [(p.amount, p.main) for p in step.state.hand.carried_pots] == [(30, False)]
    done = play(step.state, "B check", "C check")
    assert wins(done) == [(30, {"B": 30}, "normal")]
    assert done.state.hand.main_takers == ("A",)


def test_sd_16_who_is_in_no_carried_pot_is_not_in_the_rematch() -> None:
    """Main pot: A (all-in) and B tie. The side pot is B's alone: C and D are out."""
    state = table(
        {"A": "1광 4띠", "B": "1띠 4열", "C": "2열 3광", "D": "2띠 3띠"},
        {"A": "2열 8띠", "B": "5열 5띠"},
        stacks={"A": 10},
        dealMode=ONE,
    )
    step = play(state, "B half", "C call", "D call")
    assert one(step, "rematchStarted")["participants"] == ["A", "B"]
    assert wins(step) == [(60, {"B": 60}, "normal"), (40, {"B": 40}, "normal")]


def test_sd_15_sd_16_a_tie_loser_in_the_rematch_for_another_pot_cannot_win_this_one() -> None:
    """A and B (all-in) tie the main pot; C and D, who lost it, tie the side pot. All four play the rematch.

    There C has the best cards of all, and wins the side pot and what is bet anew, but not the main pot.
    """
    state = table(
        {"A": "1광 2열", "B": "1띠 2띠", "C": "4띠 6열", "D": "4열 6띠"},
        {"A": "2열 8띠", "B": "3광 7띠", "C": "10열 10띠", "D": "5열 6열"},
        {"A": "10열 10띠", "B": "5열 5띠"},
        stacks={"A": 10, "B": 10},
        dealMode=ONE,
    )
    step = play(state, "C half", "D call")
    assert [(p.amount, p.eligible) for p in step.state.hand.carried_pots] == [(40, ("A", "B")), (40, ("C", "D"))]
    assert step.state.hand.participants == ("A", "B", "C", "D")
    done = play(step.state, "C half", "D call")
    assert wins(done) == [(80, {"C": 80}, "normal"), (40, {"C": 40}, "normal"), (40, {"A": 40}, "normal")]
    assert one(done, "rematchStarted")["participants"] == ["A", "B"]  # both 망통: once more, for the main pot alone


def test_sd_4_sd_17_all_in_stays_all_in_after_a_side_pot_has_been_paid() -> None:
    """A's 구사 voids the main pot. B, all-in with 25, wins a side pot at once, and is not asked in the rematch."""
    state = table(
        {"A": "4띠 9열", "B": "1광 2열", "C": "5열 8띠", "D": "6열 8광"},
        {"A": "2열 8띠", "B": "10열 10띠", "C": "5열 6열", "D": "5띠 7열"},
        stacks={"A": 10, "B": 25},
        dealMode=ONE,
    )
    state = play(state, "B half", "C call", "D call").state
    assert stacks(state)["B"] == 45
    assert state.hand.participants == ("A", "B", "C", "D")
    assert to_act(state) == "C"
    assert pot(state) == 40  # SD-4: what has been paid is no longer 판돈
    assert prices(state)["half"] == 20
    step = play(state, "C ping", "D call")
    assert step.state.hand.phase == "handEnd"
    assert wins(step) == [(20, {"D": 20}, "normal"), (40, {"B": 40}, "normal")]


def test_sd_18_who_dies_in_a_rematch_has_lost_the_carried_pots() -> None:
    """And who is then alone in one has won it, whatever else they do."""
    state = table(
        GUSA | {"C": "5열 8띠"},
        {"A": "5열 5띠", "B": "2열 8띠", "C": "10열 10띠"},
        dealMode=ONE,
    )
    state = checked(state).state
    step = play(state, "A half", "B die", "C die")
    assert wins(step) == [(30, {"A": 30}, "alone")]


def test_sd_18_a_carried_pot_that_is_ones_own_is_kept_by_who_dies_later() -> None:
    """Two loose 땡잡이 tie for the main pot, two others for the side pot. C dies: the main pot is B's, who dies too."""
    state = table(
        {"A": "5열 5띠", "B": "3광 7열", "C": "3띠 7띠", "D": "6열 9열", "E": "6띠 9띠"},
        {"B": "2열 8띠", "C": "2띠 8광", "D": "10열 10띠", "E": "5열 6열"},
        stacks={"A": 10},
        dealMode=ONE,
        ttaengjabi="loose",
    )
    state = play(state, "B ping", "C call", "D call", "E call").state
    assert [(p.amount, p.eligible) for p in state.hand.carried_pots] == [(50, ("B", "C")), (40, ("D", "E"))]
    step = play(state, "B ping", "C die", "D ddadang", "E call", "B die")
    assert wins(step) == [(50, {"D": 50}, "normal"), (40, {"D": 40}, "normal"), (50, {"B": 50}, "alone")]
    assert step.state.hand.main_takers == ("B",)


def test_sd_41_who_is_left_alone_in_a_rematch_takes_all_and_shows_nothing() -> None:
    """The old hands are gone from the table."""
    state = checked(table(GUSA, {"A": "10열 10띠", "B": "5열 5띠"}, dealMode=ONE)).state
    step = play(state, "A half", "B die")
    assert wins(step) == [(20, {"A": 20}, "alone")]
    assert GAME.view(step.state, "B")["showdown"]["hands"] == []
    assert GAME.view(step.state, "B")["players"]["A"]["cards"] == [{"hidden": True}] * 2


@pytest.mark.parametrize(("dealer", "expected"), [("A", "A"), ("B", "B"), ("C", "A")])
def test_s5_3_the_dealer_of_a_rematch(dealer: str, expected: str) -> None:
    """The same if in it, else the next in it."""
    step = checked(table(TIE | {"C": "2띠 10띠"}, dealer=dealer, dealMode=ONE))
    assert one(step, "rematchStarted")["dealer"] == expected
    assert to_act(step.state) == expected


def test_s6_5_the_main_pot_is_judged_last() -> None:
    """The fewer may win a pot the earlier."""
    state = table(
        {"A": "3광 8광", "B": "10열 10띠", "C": "5열 5띠", "D": "2열 4띠"}, stacks={"A": 10, "B": 25}, dealMode=ONE
    )
    step = play(state, "B half", "C ddadang", "D call")
    assert [(event["amount"], event["winners"]) for event in told(step, "potWon")] == [
        (30, ["C"]),
        (45, ["B"]),
        (40, ["A"]),
    ]


# ---------------------------------------------------------------- coming back in


@pytest.mark.parametrize(("cost", "price"), [("half", 27), ("full", 55)])
def test_s10_who_died_may_buy_back_in(cost: str, price: int) -> None:
    """For half of the pot, rounded down, or all of it; that goes into the pot, and the player can win it."""
    state = table(
        GUSA | {"C": "5열 8띠", "D": "5띠 6열"},
        {"A": "2열 8띠", "B": "5열 5띠", "C": "10열 10띠", "D": "6열 7열"},
        dealMode=ONE,
        rejoinCost=cost,
        stacks={"A": 15},
    )
    state = play(state, "A ping", "B call", "C die", "D call").state
    assert (state.hand.phase, pot(state)) == ("rejoin", 55)
    assert GAME.view(state, "C")["rejoinPrice"] == price
    step = play(state, "C rejoin yes")
    assert pot(step.state) == 55 + price
    assert stacks(step.state)["C"] == 990 - price
    assert step.state.hand.participants == ("A", "B", "C", "D")
    done = checked(step.state)
    assert wins(done) == [(55 + price, {"C": 55 + price}, "normal")]
    assert done.state.hand.main_takers == ("C",)


def test_s10_too_few_chips_to_come_back() -> None:
    """Not asked, and refused with the document's sentence; the others are asked."""
    state = table(GUSA | {"C": "5열 8띠", "D": "5띠 6열"}, dealMode=ONE, rejoinCost="full", stacks={"C": 40})
    state = play(state, "A ping", "B call", "C die", "D die").state
    assert state.hand.rejoin_price == 60
    assert state.hand.rejoin_pending == ("D",)
    assert why_not(state, "C rejoin yes") == ("too_poor_to_rejoin", "칩이 모자라 재참가할 수 없어요")


def test_sd_22_the_price_may_be_the_last_chip() -> None:
    """All-in: cards only."""
    state = table(GUSA | {"C": "5열 8띠"}, dealMode=ONE, rejoinCost="full", stacks={"C": 60})
    state = play(state, "A ping", "B call", "C die").state
    assert state.hand.rejoin_price == 50
    step = play(state, "C rejoin yes")
    assert stacks(step.state)["C"] == 0
    assert step.state.hand.players["C"].all_in


def test_s10_no_answer_is_staying_out() -> None:
    """After 15 seconds."""
    state = table(GUSA | {"C": "5열 8띠"}, dealMode=ONE, rejoinCost="half")
    state = play(state, "A ping", "B call", "C die").state
    assert GAME.deadline(state) == state.asked_at + 15_000
    step = play(state, "timeout")
    assert one(step, "rejoinDeclined") == {"player": "C"}
    assert step.state.hand.participants == ("A", "B")


def test_sd_20_the_price_is_the_same_for_everybody() -> None:
    """Of the pot as the question opens."""
    state = table(GUSA | {"C": "5열 8띠", "D": "5띠 6열"}, dealMode=ONE, rejoinCost="half")
    state = play(state, "A ping", "B call", "C die", "D die").state
    step = play(state, "C rejoin yes", "D rejoin yes")
    assert [event["amount"] for event in told(step, "rejoined")] == [30, 30]
    assert pot(step.state) == 120


def test_sd_21_sd_22_a_tie_asks_nobody_back() -> None:
    """Only 구사 does; and losing a tie is not dying."""
    step = play(table(TIE | {"C": "2띠 10열"}, dealMode=ONE, rejoinCost="half"), "A ping", "B call", "C die")
    assert not told(step, "rejoinAsked")
    assert one(step, "rematchStarted")["participants"] == ["A", "B"]


def test_sd_22_who_died_is_asked_at_each_gusa_rematch() -> None:
    """Also after having said no."""
    state = table(GUSA | {"C": "5열 8띠"}, GUSA, dealMode=ONE, rejoinCost="half")
    state = play(state, "A ping", "B call", "C die", "C rejoin no").state
    step = checked(state)
    assert one(step, "rejoinAsked") == {"players": ["C"], "price": 25}


def test_sd_22_who_is_back_in_is_not_asked_again() -> None:
    """Unless they die once more."""
    state = table(GUSA | {"C": "5열 8띠"}, GUSA | {"C": "5열 8띠"}, dealMode=ONE, rejoinCost="half")
    state = play(state, "A ping", "B call", "C die", "C rejoin yes").state
    step = checked(state)
    assert not told(step, "rejoinAsked")
    assert one(step, "rematchStarted")["participants"] == ["A", "B", "C"]
    state = play(state, "A ping", "B call", "C die").state
    assert state.hand.rejoin_pending == ("C",)


def test_sd_21_coming_back_buys_no_part_of_a_pot_that_a_tie_has_carried() -> None:
    """A, all-in, voids the main pot by 구사; B and C tie for the side pot. D comes back for the main pot alone."""
    state = table(TIE_BESIDE_GUSA, dealMode=ONE, rejoinCost="half", stacks={"A": 10})
    state = play(state, "B half", "C call", "D die").state
    assert state.hand.rejoin_price == 40  # half of 40 + 40
    state = play(state, "D rejoin yes").state
    assert [(p.amount, p.eligible, p.reason) for p in state.hand.carried_pots] == [
        (80, ("A", "B", "C", "D"), "gusa"),
        (40, ("B", "C"), "tie"),
    ]


def test_sd_21_the_price_goes_into_the_first_pot_that_can_be_won_for_it() -> None:
    """B and C, loose 땡잡이, tie for the main pot; D's 구사 voids the side pot, in which nobody has a pair."""
    hands = {"A": "5열 5띠", "B": "3광 7열", "C": "3띠 7띠", "D": "4띠 9열", "E": "1광 2열", "F": "6열 8띠"}
    state = table(hands, dealMode=ONE, rejoinCost="half", ttaengjabi="loose", stacks={"A": 10})
    state = play(state, "B half", "C call", "D call", "E call", "F die").state
    assert state.hand.rejoin_price == 90  # half of 60 + 120
    state = play(state, "F rejoin yes").state
    assert [(p.amount, p.eligible, p.reason) for p in state.hand.carried_pots] == [
        (60, ("B", "C"), "tie"),
        (210, ("B", "C", "D", "E", "F"), "gusa"),
    ]


def test_s5_4_who_gets_chips_back_is_not_all_in_any_more() -> None:
    """A's last 30 met 20 of B's. In the rematch A may bet the other 10 against C, who has come back."""
    state = table(GUSA | {"C": "5열 8띠"}, dealMode=ONE, rejoinCost="half", maxRaise="full", stacks={"A": 40, "B": 30})
    step = play(state, "A full", "B call", "C die")
    assert told(step, "returned") == [{"player": "A", "amount": 10}]
    state = play(step.state, "C rejoin yes").state
    assert (to_act(state), prices(state)["ping"]) == ("A", 10)
    assert GAME.view(state, None)["players"]["A"]["allIn"] is False
    assert state.hand.players["B"].all_in


def test_sd_37_who_left_all_in_plays_the_rematch_too() -> None:
    """And is not made to die as it begins."""
    again = {"A": "10열 10띠", "B": "5열 5띠", "C": "2열 4띠"}
    state = table(GUSA | {"C": "5열 8띠"}, again, dealMode=ONE, stacks={"A": 20})
    step = play(state, "A ping", "A leaves", "B call", "C call")
    assert one(step, "rematchStarted")["participants"] == ["A", "B", "C"]
    assert wins(play(step.state, "B check", "C check")) == [(60, {"A": 60}, "normal")]


def test_sd_44_the_last_hand_ends_after_its_rematches() -> None:
    """handLimit counts the hand once."""
    state = table(GUSA, TIE, {"A": "10열 10띠", "B": "5열 5띠"}, dealMode=ONE, handLimit=10, hand_no=10)
    for _ in range(2):
        state = checked(state).state
        assert GAME.result(state) is None
        assert state.hands_played == 9
    state = checked(state).state
    assert state.hands_played == 10
    assert next_hand(state).state.phase == "finished"


def test_two_all_in_players_play_a_tie_to_its_end_in_one_step() -> None:
    """Nobody can be asked anything: three rematches and the split come by themselves."""
    step = opened(*[TIE] * 4, stacks={"A": 10, "B": 10})
    assert [event["rematchNo"] for event in told(step, "rematchStarted")] == [1, 2, 3]
    assert len(told(step, "showdown")) == 4
    assert stacks(step.state) == {"A": 10, "B": 10}
    assert step.state.hand.phase == "handEnd"
