"""Deadlines, what is played when they pass, being away, lost connections, leaving (5.7, 8.5)."""

from __future__ import annotations

import pytest

from engines.seotda import GAME
from engines.seotda.state import State
from tests.engines.seotda.table import checked, next_hand, one, play, pot, stacks, table, to_act, told, why_not, wins

ABC = {"A": "2열 3광", "B": "5열 8띠", "C": "6열 8광"}
THREE = {"A": "1광 8광 4열", "B": "5열 8띠 9띠", "C": "2열 3띠 10열"}
GUSA = {"A": "4띠 9열", "B": "1광 2열", "C": "5열 8띠"}
ONE = "oneRound"


def left(state: State) -> int:
    """Milliseconds until the deadline, from when the question was asked."""
    due = GAME.deadline(state)
    assert due is not None
    return due - state.asked_at


@pytest.mark.parametrize("seconds", [15, 20, 30, 60])
def test_s8_5_a_bet_has_turn_seconds(seconds: int) -> None:
    assert left(table(ABC, turnSeconds=seconds)) == seconds * 1000


def test_s8_5_a_choice_has_ten_seconds_more_for_all_at_once() -> None:
    state = checked(table(THREE, cardMode="three")).state
    assert state.hand.phase == "choose"
    assert left(state) == 30_000


def test_s8_5_s5_1_9_the_end_of_a_hand_is_shown_for_four_seconds() -> None:
    """Then the next hand begins by itself."""
    state = checked(table(ABC, dealMode=ONE)).state
    assert state.hand.phase == "handEnd"
    assert left(state) == 4_000
    step = play(state, "timeout")
    assert one(step, "handStarted")["handNo"] == 2
    assert not told(step, "timedOut")


def test_s8_5_coming_back_in_and_new_chips_have_fifteen_seconds() -> None:
    """And silence is no."""
    state = play(table(GUSA, dealMode=ONE, rejoinCost="half"), "A ping", "B call", "C die").state
    assert (state.hand.phase, left(state)) == ("rejoin", 15_000)
    broke = table({"A": "10열 10띠", "B": "5열 5띠"}, stacks={"B": 10}, dealMode=ONE)
    state = next_hand(broke).state
    assert (state.phase, left(state)) == ("rebuy", 15_000)
    assert play(state, "timeout").state.phase == "finished"


def test_s10_sd_39_time_up_is_a_check_where_it_is_free_and_else_a_die() -> None:
    state = table(ABC)
    step = play(state, "timeout")
    assert one(step, "bet") == {"player": "A", "bet": "check", "label": "체크", "amount": 0}
    step = play(step.state, "B ping", "timeout")
    assert told(step, "bet")[-1] == {"player": "C", "bet": "die", "label": "다이", "amount": 0}


def test_s10_two_timeouts_in_a_row_are_being_away_with_five_seconds() -> None:
    """The next own action of any kind ends it."""
    state = play(table(ABC), "timeout", "B check", "C check").state
    assert not GAME.view(state, None)["players"]["A"]["away"]
    step = play(state, "timeout")
    assert one(step, "away") == {"player": "A"}
    assert GAME.view(step.state, None)["players"]["A"]["away"] is True
    state = play(step.state, "B ping", "C call").state
    assert (to_act(state), left(state)) == ("A", 5_000)
    step = play(state, "A call")
    assert one(step, "back") == {"player": "A"}
    seat = step.state.seat("A")
    assert seat is not None
    assert (seat.away, seat.timeouts_in_row) == (False, 0)


def test_s5_7_an_own_action_between_two_timeouts_is_not_being_away() -> None:
    state = play(table(ABC), "timeout", "B ping", "C call", "A call", "timeout").state
    seat = state.seat("A")
    assert seat is not None
    assert (seat.away, seat.timeouts_in_row) == (False, 1)


def test_sd_38_a_refused_action_does_not_bring_back() -> None:
    """It changes nothing at all."""
    state = play(table(ABC), "timeout", "B check", "C check", "timeout").state
    assert why_not(state, "A half")[0] == "not_your_turn"
    seat = state.seat("A")
    assert seat is not None
    assert seat.away


def test_sd_38_only_bets_and_choices_let_pass_count() -> None:
    """Not the end of a hand, not coming back in, not new chips. But ready is an action of one's own."""
    state = play(table(GUSA, dealMode=ONE, rejoinCost="half"), "A ping", "B call", "C die", "timeout").state
    assert state.hand.rematch_no == 1
    assert {seat.timeouts_in_row for seat in state.seats} == {0}
    state = play(checked(table(ABC, dealMode=ONE)).state, "timeout").state
    assert {seat.timeouts_in_row for seat in state.seats} == {0}
    away = play(table(ABC), "timeout", "B check", "C check", "timeout", "B check", "C check").state
    assert away.hand.phase == "handEnd"
    assert told(play(away, "A ready"), "back") == [{"player": "A"}]


def test_sd_38_a_choice_let_pass_counts_and_an_away_player_has_five_seconds_for_it() -> None:
    state = checked(table(THREE, cardMode="three")).state
    state = play(state, "A choose 1광 8광", "B choose 5열 9띠", "timeout").state
    seat = state.seat("C")
    assert seat is not None
    assert seat.timeouts_in_row == 1
    state = play(table(THREE, cardMode="three"), "timeout", "B check", "C check", "timeout").state
    seat = state.seat("A")  # a bet let pass, then a choice
    assert seat is not None
    assert seat.away
    again = play(table(THREE, cardMode="three", seats={"A": {"away": True, "timeouts_in_row": 2}}), "timeout")
    state = play(again.state, "B check", "C check").state
    assert (state.hand.phase, left(state)) == ("choose", 5_000)
    step = play(state, "timeout")
    assert told(step, "chose") == [{"player": "A"}]  # the others have their 30 seconds
    assert left(step.state) == 30_000


def test_sd_39_an_all_in_player_is_never_asked_to_bet() -> None:
    """And so never times out."""
    state = play(table(ABC, stacks={"A": 20}), "A ping", "B call", "C call").state
    assert to_act(state) == "B"
    state = play(state, "timeout", "timeout").state
    assert not told(play(table(ABC, stacks={"A": 20}), "A ping"), "timedOut")
    seat = state.seat("A")
    assert seat is not None
    assert seat.timeouts_in_row == 0


def test_s8_5_s10_a_lost_connection_waits_for_the_clock_and_comes_back_at_once() -> None:
    """The dealer's turn runs to its usual end, then is played; back again, they act as ever."""
    state = table(ABC)
    gone = GAME.presence(state, "A", "offline", state.asked_at)
    assert gone.state is state
    assert gone.events == ()
    assert left(state) == 20_000
    state = play(state, "timeout").state
    assert to_act(state) == "B"
    assert GAME.presence(state, "A", "online", state.asked_at).state is state
    state = play(state, "B ping", "C call").state
    assert to_act(play(state, "A call").state) == "A"


def test_sd_35_a_lost_connection_ends_no_game() -> None:
    """All but one are offline: hands are played on by the clock."""
    state = table(ABC, dealMode=ONE)
    for player in "BC":
        state = GAME.presence(state, player, "offline", state.asked_at).state
    for _ in range(9):
        state = play(state, "timeout").state
    assert state.phase == "playing"
    assert state.hands_played >= 2


# ---------------------------------------------------------------- leaving


def test_s5_7_sd_37_who_leaves_in_a_hand_dies_at_once() -> None:
    """What they put in stays; the turn passes on, or stays whose it was."""
    step = play(table(ABC), "A leaves")
    assert told(step, "playerLeft") == [{"player": "A"}]
    assert (to_act(step.state), stacks(step.state)["A"]) == ("B", 990)
    step = play(table(ABC), "C leaves")
    assert to_act(step.state) == "A"
    assert pot(step.state) == 30


def test_s5_7_who_has_left_pays_the_school_of_every_hand_and_dies() -> None:
    """Until the chips are gone; then out, with no question about new ones."""
    state = checked(play(table(ABC, dealMode=ONE, stacks={"C": 25}), "C leaves").state).state
    step = next_hand(state)
    assert {"player": "C", "amount": 10, "allIn": False} in told(step, "ante")
    assert one(step, "bet") == {"player": "C", "bet": "die", "label": "다이", "amount": 0, "auto": True}
    assert stacks(step.state)["C"] == 5
    step = next_hand(checked_through(step.state))
    assert {"player": "C", "amount": 5, "allIn": True} in told(step, "ante")
    assert stacks(step.state)["C"] == 0
    assert not told(step, "shown")  # SD-37: all-in with the last of 학교, and dead all the same
    end = play(checked_through(step.state), "A ready", "B ready")
    assert one(end, "eliminated") == {"player": "C", "handNo": 3}
    assert not told(end, "rebuyAsked")


def checked_through(state: State) -> State:
    """To the end of the hand, rematches and all, by checks."""
    while state.hand.phase == "betting":
        state = checked(state).state
    return state


def test_sd_37_who_leaves_all_in_stays_in_to_the_showdown() -> None:
    """And may win, as one who has left."""
    state = play(table({"A": "3광 8광", "B": "5열 5띠", "C": "2열 4띠"}, stacks={"A": 20}), "A ping", "A leaves").state
    assert not state.hand.players["A"].folded
    step = play(state, "B call", "C call", "B check", "C check")
    assert (60, {"A": 60}, "normal") in wins(step)
    seat = step.state.seat("A")
    assert seat is not None
    assert (seat.status, seat.stack) == ("left", 60)


def test_sd_37_the_seat_of_a_dealer_who_has_left_still_says_who_begins() -> None:
    """The next seat that is in, in both rounds."""
    state = play(table(ABC, dealer="B"), "B leaves").state
    assert to_act(state) == "C"
    state = play(state, "C check", "A check").state
    assert to_act(state) == "C"
    assert GAME.view(state, None)["dealer"] == "B"


def test_sd_37_in_three_card_play_a_leaver_who_is_all_in_is_chosen_for() -> None:
    """Who is not dies, whether they have chosen or not."""
    state = checked(table(THREE, cardMode="three", stacks={"A": 10})).state
    assert state.hand.phase == "choose"
    state = play(state, "B choose 5열 9띠", "A leaves", "B leaves").state
    assert state.hand.players["A"].chosen == (0, 14)
    assert state.hand.players["B"].folded


def test_sd_37_where_all_leave_the_last_takes_the_pot() -> None:
    """And the game is over."""
    step = play(table(ABC), "A leaves", "B leaves")
    assert wins(step) == [(30, {"C": 30}, "alone")]
    assert step.state.phase == "finished"
    again = table(GUSA, {"A": "2열 8띠", "B": "5열 5띠"}, dealMode=ONE, rejoinCost="half")
    step = play(again, "A ping", "B call", "C die")
    step = play(step.state, "A leaves", "B leaves", "C rejoin no")
    assert wins(step) == [(50, {"B": 50}, "alone")]


def test_sd_37_a_leaver_who_is_asked_something_has_said_no() -> None:
    """Coming back in, new chips."""
    state = play(table(GUSA, dealMode=ONE, rejoinCost="half"), "A ping", "B call", "C die").state
    step = play(state, "C leaves")
    assert told(step, "rejoinDeclined") == [{"player": "C"}]
    assert step.state.hand.rematch_no == 1
    broke = {"A": "10열 10띠", "B": "5열 5띠", "C": "2열 4띠"}
    state = next_hand(checked(table(broke, stacks={"B": 10}, dealMode=ONE)).state).state
    assert state.rebuy_pending == ("B",)
    step = play(state, "B leaves")
    assert one(step, "eliminated") == {"player": "B", "handNo": 1}
    assert step.state.hand.hand_no == 2


def test_leaving_twice_or_as_a_stranger_is_nothing() -> None:
    state = play(table(ABC), "B leaves").state
    for who in ("B", "nobody"):
        assert GAME.presence(state, who, "left", state.asked_at).state is state
    assert why_not(state, "B check") == ("left", "이미 나간 게임이에요")


def test_s8_5_before_the_deadline_nothing_happens() -> None:
    state = table(ABC)
    due = GAME.deadline(state)
    assert due is not None
    assert GAME.timeout(state, due - 1).state is state
    assert GAME.timeout(state, due).state is not state


def test_s8_5_the_clock_of_a_turn_begins_with_the_turn() -> None:
    """Somebody else's leaving does not give more time; the next turn has all of its own."""
    state = table(ABC)
    due = GAME.deadline(state)
    assert GAME.deadline(play(state, "C leaves", now=state.asked_at + 5_000).state) == due
    assert GAME.deadline(play(state, "A check", now=state.asked_at + 5_000).state) == state.asked_at + 25_000
