"""Between hands: the next dealer, new chips, elimination, the end, the result (5.3, 5.6, 6.6, 8.6)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.kernel.contract import Json
from engines.seotda import GAME
from engines.seotda.state import State
from tests.engines.seotda.table import checked, next_hand, one, opened, play, stacks, table, told, why_not, wins

ONE = "oneRound"
WINS = {"A": "3광 8광", "B": "10열 10띠", "C": "2열 4띠"}  # A before B before C
TIE = {"A": "2열 3광", "B": "6열 9열"}


def dealer(state: State) -> str:
    name: str = GAME.view(state, None)["dealer"]
    return name


def result(state: State) -> Json:
    found = GAME.result(state)
    assert found is not None
    return found


def ranks(state: State) -> dict[str, int]:
    return {row["player"]: row["rank"] for row in result(state)["ranking"]}


def scores(state: State) -> dict[str, int]:
    return {row["player"]: row["score"] for row in result(state)["ranking"]}


# ---------------------------------------------------------------- the next dealer (5.3)


@pytest.mark.parametrize(
    ("rule", "first", "following"), [("winner", "B", "A"), ("rotate", "B", "C"), ("rotate", "C", "A")]
)
def test_s5_3_the_next_dealer(rule: str, first: str, following: str) -> None:
    """Who took the main pot, or the seat after the last dealer."""
    state = checked(table(WINS, dealer=first, dealMode=ONE, dealerRule=rule)).state
    assert dealer(next_hand(state).state) == following


@pytest.mark.parametrize(("first", "following"), [("A", "A"), ("B", "B"), ("C", "A")])
def test_sd_13_of_two_who_share_the_main_pot_the_nearer_deals(first: str, following: str) -> None:
    """Distance 0 counts."""
    hands = TIE | {"C": "2띠 10열"}
    state = checked(table(hands, dealer=first, dealMode=ONE, tieRule="split")).state
    assert dealer(next_hand(state).state) == following


def test_sd_13_after_rematches_it_is_who_took_the_main_pot_in_the_end() -> None:
    """Counted from the dealer of the hand before them: C, whom the rematch left out."""
    hands = TIE | {"C": "2띠 10열"}
    again = {"A": "2열 3광", "B": "6열 9열"}
    state = table(hands, again, again, again, dealer="C", dealMode=ONE)
    for _ in range(4):
        state = checked(state).state
    assert state.hand.main_takers == ("A", "B")
    assert dealer(next_hand(state).state) == "A"


def test_sd_13_a_rotation_goes_by_the_dealer_before_the_rematches() -> None:
    """C dealt the hand and A its rematch: A is next."""
    hands = TIE | {"C": "2띠 10열"}
    state = table(hands, {"A": "10열 10띠", "B": "5열 5띠"}, dealer="C", dealMode=ONE, dealerRule="rotate")
    state = checked(state).state
    assert dealer(state) == "A"
    assert dealer(next_hand(checked(state).state).state) == "A"


def test_sd_13_the_main_pot_decides_not_the_larger_side_pot() -> None:
    state = table({"A": "3광 8광", "B": "10열 10띠", "C": "2열 4띠"}, stacks={"A": 10}, dealer="B", dealMode=ONE)
    step = play(state, "B half", "C call")
    assert wins(step) == [(30, {"B": 30}, "normal"), (30, {"A": 30}, "normal")]
    assert dealer(next_hand(step.state).state) == "A"


def test_sd_13_a_winner_who_has_no_next_hand_is_followed_by_the_next_who_has() -> None:
    """Who has won has chips; one who has left with chips still anchors the order (SD-37)."""
    state = checked(table(WINS, dealMode=ONE)).state
    state = play(state, "A leaves", "B ready", "C ready").state
    assert dealer(state) == "A"
    assert state.hand.participants[0] == "A"
    rotated = checked(table(WINS, dealer="A", dealMode=ONE, dealerRule="rotate", rebuy="off", stacks={"B": 10})).state
    assert dealer(next_hand(rotated).state) == "C"


# ---------------------------------------------------------------- new chips (5.6)


def broke(**options: Any) -> State:
    """The hand in which B has lost everything has been seen."""
    return next_hand(checked(table(WINS, stacks={"B": 10}, dealMode=ONE, **options)).state).state


def test_s5_6_without_rebuy_no_chips_is_out() -> None:
    """The result still has the player; the others play on."""
    state = broke(rebuy="off")
    seat = state.seat("B")
    assert seat is not None
    assert (seat.status, seat.eliminated_at_hand) == ("eliminated", 1)
    assert state.hand.participants == ("A", "C")
    assert why_not(state, "B check") == ("eliminated", "탈락해서 더 할 수 없어요")


def test_s5_6_sd_31_new_chips_are_the_starting_chips() -> None:
    """Also when 학교 has risen; and the next hand waits for the answer."""
    state = broke(rebuy="unlimited", startingChips=500)
    assert (state.phase, state.rebuy_pending) == ("rebuy", ("B",))
    step = play(state, "B rebuy yes")
    assert one(step, "rebought") == {"player": "B", "stack": 500}
    seat = step.state.seat("B")
    assert seat is not None
    assert (seat.stack, seat.rebuys, seat.status) == (490, 1, "playing")
    risen = opened(WINS, stacks={"B": 10}, dealMode=ONE, schoolUpEvery=5, hand_no=6).state
    state = play(next_hand(checked(risen).state).state, "B rebuy yes").state
    assert (state.base_unit, stacks(state)["B"]) == (20, 980)


def test_s5_6_no_is_out() -> None:
    step = play(broke(), "B rebuy no")
    assert one(step, "eliminated") == {"player": "B", "handNo": 1}
    assert step.state.hand.participants == ("A", "C")


@pytest.mark.parametrize(("limit", "had", "asked"), [(1, 0, True), (1, 1, False), (3, 2, True), (3, 3, False)])
def test_s5_6_limited_rebuys(limit: int, had: int, asked: bool) -> None:
    state = table(WINS, stacks={"B": 10}, dealMode=ONE, rebuy="limited", rebuyLimit=limit, seats={"B": {"rebuys": had}})
    state = next_hand(checked(state).state).state
    assert (state.phase == "rebuy") == asked
    assert (state.hand.hand_no == 2) == (not asked)


def test_s5_6_the_last_hand_asks_nobody_about_new_chips() -> None:
    """SD-44."""
    step = next_hand(checked(table(WINS, stacks={"B": 10}, dealMode=ONE, hand_no=20)).state)
    assert step.state.phase == "finished"
    assert not told(step, "rebuyAsked")
    assert told(step, "gameFinished") == [{"handsPlayed": 20}]


def test_s5_6_fewer_chips_than_the_school_are_enough_for_the_next_hand() -> None:
    """3 left: 3 paid, all-in."""
    state = next_hand(checked(table(WINS, stacks={"C": 13}, dealMode=ONE)).state)
    assert {"player": "C", "amount": 3, "allIn": True} in told(state, "ante")


# ---------------------------------------------------------------- the end (6.6)


def test_s6_6_hands_ends_after_so_many() -> None:
    """Not before everybody has seen the last."""
    state = checked(table(WINS, dealMode=ONE, handLimit=10, hand_no=10)).state
    assert GAME.result(state) is None
    assert state.hands_played == 10
    state = next_hand(state).state
    assert result(state)["winner"] == ["A"]
    assert GAME.deadline(state) is None
    assert why_not(state, "A ready") == ("finished", "이미 끝난 게임이에요")


def test_s6_6_hands_ends_when_at_most_one_has_chips() -> None:
    """With new chips declined, or none to be had."""
    state = next_hand(checked(table({"A": "3광 8광", "B": "2열 4띠"}, stacks={"B": 10}, dealMode=ONE)).state).state
    assert state.phase == "rebuy"
    assert play(state, "B rebuy no").state.phase == "finished"
    assert play(state, "B rebuy yes").state.hand.hand_no == 2


def test_s6_6_last_standing_waits_for_a_rebuy_before_it_ends() -> None:
    two = {"A": "3광 8광", "B": "2열 4띠"}
    state = next_hand(checked(table(two, stacks={"B": 10}, dealMode=ONE, endCondition="lastStanding")).state).state
    assert state.phase == "rebuy"
    done = play(state, "B rebuy no").state
    assert ranks(done) == {"A": 1, "B": 2}
    assert scores(done) == {"A": 2, "B": 1}


def test_s10_s6_6_score_is_chips_less_new_chips() -> None:
    """Final chips − starting chips × rebuys; the eliminated are ranked by it too (SD-33)."""
    state = table(WINS, dealMode=ONE, hand_no=20, stacks={"A": 1500, "B": 900, "C": 600}, seats={"A": {"rebuys": 1}})
    state = next_hand(checked(state).state).state
    assert scores(state) == {"A": 1520 - 1000, "B": 890, "C": 590}
    assert ranks(state) == {"B": 1, "C": 2, "A": 3}


def test_sd_33_equal_scores_share_a_rank() -> None:
    """1, 2, 2, 4."""
    state = table(WINS | {"D": "2띠 4열"}, dealMode=ONE, hand_no=20, stacks={"A": 2000, "B": 900, "C": 900, "D": 300})
    state = next_hand(checked(state).state).state
    assert ranks(state) == {"A": 1, "B": 2, "C": 2, "D": 4}
    shared = table(TIE, dealMode=ONE, hand_no=20, tieRule="split")
    state = next_hand(checked(shared).state).state
    assert result(state)["winner"] == ["A", "B"]
    assert result(state)["summary"].startswith("20판 종료. 공동 1위 A, B(+0칩)")


def test_s10_sd_34_last_standing_who_goes_in_the_same_hand() -> None:
    """Who began it with more chips is above; as many, the same rank; who went before, below both."""
    hands = {"A": "3광 8광", "B": "10열 10띠", "C": "2열 4띠", "D": "2띠 5열"}
    for chips, expected in (
        ({"B": 10, "C": 6, "D": 10}, {"A": 1, "B": 2, "D": 2, "C": 4}),
        ({"B": 4, "C": 6, "D": 8}, {"A": 1, "D": 2, "C": 3, "B": 4}),
    ):
        step = opened(hands, stacks=chips, dealMode=ONE, endCondition="lastStanding", rebuy="off")
        step = next_hand(step.state)
        assert ranks(step.state) == expected
        assert step.state.elimination_seq == (("B", "C", "D"),)
        assert scores(step.state) == {player: 5 - rank for player, rank in expected.items()}


def test_s6_6_last_standing_who_goes_later_is_above() -> None:
    """Though with fewer chips in the hand."""
    late = opened(
        WINS,
        {"A": "3광 8광", "C": "2열 4띠"},
        stacks={"B": 10, "C": 12},
        dealMode=ONE,
        rebuy="off",
        endCondition="lastStanding",
    ).state
    late = checked(late).state
    step = next_hand(late)
    assert one(step, "eliminated")["player"] == "B"
    end = next_hand(step.state).state
    assert ranks(end) == {"A": 1, "C": 2, "B": 3}
    assert [row["eliminatedAtHand"] for row in result(end)["ranking"]] == [None, 2, 1]


def test_s6_6_sd_34_three_hundred_hands_are_enough() -> None:
    """Then by score, as after so many hands."""
    state = checked(table(WINS, dealMode=ONE, endCondition="lastStanding", hand_no=300)).state
    state = next_hand(state).state
    assert state.phase == "finished"
    assert scores(state) == stacks(state)
    assert result(state)["stats"]["handsPlayed"] == 300
    state = checked(table(WINS, dealMode=ONE, endCondition="lastStanding", hand_no=299)).state
    assert next_hand(state).state.phase == "playing"


def test_s6_6_sd_36_when_the_others_have_left_the_hand_is_settled_and_the_game_over() -> None:
    """Nobody is waited for: not at the end of the hand, not for new chips."""
    step = play(table(WINS), "A half", "B leaves", "C leaves")
    assert one(step, "potWon")["shares"] == {"A": 30}
    assert step.state.phase == "finished"
    assert stacks(step.state) == {"A": 1020, "B": 990, "C": 990}
    resting = checked(table(WINS, dealMode=ONE)).state
    state = play(resting, "B leaves").state
    assert state.hand.phase == "handEnd"
    assert play(state, "A leaves").state.phase == "finished"


def test_s6_6_who_leaves_when_no_other_hand_can_follow_ends_the_game_at_once() -> None:
    """C has lost everything for good; B goes. A is not made to wait."""
    state = checked(table(WINS, stacks={"C": 10}, dealMode=ONE, rebuy="off")).state
    assert state.hand.phase == "handEnd"
    assert play(state, "B leaves").state.phase == "finished"


def test_s6_6_last_standing_who_is_here_stands_above_who_has_left() -> None:
    """Whatever chips are left on the table's other side."""
    state = checked(table({"A": "3광 8광", "B": "2열 4띠"}, dealMode=ONE, endCondition="lastStanding")).state
    state = play(state, "A leaves").state
    assert state.phase == "finished"
    assert ranks(state) == {"B": 1, "A": 2}
    assert stacks(state) == {"A": 1010, "B": 990}


def test_sd_36_one_who_is_alone_is_not_asked_about_new_chips() -> None:
    """A took it all and is gone; what B would say can bring no hand."""
    state = checked(table({"A": "3광 8광", "B": "2열 4띠"}, stacks={"B": 10}, dealMode=ONE)).state
    state = play(state, "B ready").state
    step = play(state, "A leaves")
    assert step.state.phase == "finished"
    assert not told(step, "rebuyAsked")


def test_sd_35_who_has_left_and_has_chips_keeps_no_game_alive() -> None:
    """6.6 counts those who are here."""
    state = next_hand(checked(table(WINS, stacks={"B": 10}, dealMode=ONE)).state).state
    assert state.phase == "rebuy"
    state = play(state, "A leaves").state
    assert state.phase == "rebuy"  # B may yet play with C
    assert play(state, "B rebuy no").state.phase == "finished"
    again = play(state, "B rebuy yes").state
    assert again.hand.participants == ("A", "B", "C")
    assert again.hand.players["A"].folded


# ---------------------------------------------------------------- the result (8.6)


def test_s8_6_sd_32_the_result() -> None:
    """All of the document's fields; the summary has what was won, the score what there is."""
    state = table(WINS, dealMode=ONE, hand_no=20, stacks={"A": 1850, "B": 700, "C": 450})
    state = next_hand(checked(state).state).state
    assert result(state) == {
        "ranking": [
            {"player": "A", "rank": 1, "score": 1870, "finalChips": 1870, "rebuys": 0, "eliminatedAtHand": None},
            {"player": "B", "rank": 2, "score": 690, "finalChips": 690, "rebuys": 0, "eliminatedAtHand": None},
            {"player": "C", "rank": 3, "score": 440, "finalChips": 440, "rebuys": 0, "eliminatedAtHand": None},
        ],
        "winner": ["A"],
        "summary": "20판 종료. 1위 A(+870칩), 최고 족보 38광땡",
        "stats": {
            "handsPlayed": 20,
            "rematches": 0,
            "bestHand": {"player": "A", "name": "38광땡", "handNo": 20},
            "biggestPot": {"handNo": 20, "amount": 30, "winners": ["A"]},
        },
    }


def test_s8_6_without_a_showdown_there_is_no_best_hand() -> None:
    """What was never shown is not told after the game either."""
    state = next_hand(play(table(WINS, hand_no=20), "A half", "B die", "C die").state).state
    assert result(state)["stats"]["bestHand"] is None
    assert result(state)["summary"] == "20판 종료. 1위 A(+20칩)"


def test_s8_6_statistics_go_through_hands_and_rematches() -> None:
    """The highest hand shown, the first of equals; the most a hand has paid, with all that its rematches added."""
    gusa = {"A": "4띠 9열", "B": "1광 2열"}
    state = table(gusa, {"A": "5열 5띠", "B": "2열 4띠"}, {"A": "6열 8띠", "B": "2열 8광"}, dealMode=ONE)
    state = play(state, "A ping", "B call", "A ping", "B call").state
    assert state.rematches == 1
    assert state.biggest_pot is not None
    assert (state.biggest_pot.amount, state.biggest_pot.winners) == (60, ("A",))
    state = checked(next_hand(state).state).state
    assert state.biggest_pot.amount == 60
    assert state.best_hand is not None
    assert (state.best_hand.player, state.best_hand.name, state.best_hand.hand_no) == ("A", "5땡", 1)


def test_s9_the_log_says_how_hands_ended() -> None:
    """The last five; what was not shown has no name."""
    state = next_hand(checked(table(WINS, dealMode=ONE)).state).state
    state = play(state, "A half", "B die", "C die").state
    assert GAME.view(state, None)["publicLog"] == [
        {"handNo": 1, "rematches": 0, "won": {"A": 30}, "name": "38광땡"},
        {"handNo": 2, "rematches": 0, "won": {"A": 30}, "name": None},
    ]
