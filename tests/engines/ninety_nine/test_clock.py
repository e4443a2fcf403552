"""Deadlines, automatic play, who is away and who has left (8.5)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.ninety_nine import GAME
from engines.ninety_nine.state import State
from tests.engines.ninety_nine.positions import NOW, kinds, new, one, play, position


def auto(hand: str, total: int, **options: Any) -> tuple[str, int, Any]:
    """Face, total and choice of what is played for A, as everybody is told."""
    state = position(A=hand, B="", total=total, options=options)
    told = one(GAME.timeout(state, 10**9).events, "cardPlayed")
    return told["face"].rstrip("♠♥♦♣"), told["total"], told.get("choice")


@pytest.mark.parametrize("seconds", [10, 15, 20, 30])
def test_s8_5_the_deadline_is_turn_seconds_after_the_turn_began(seconds: int) -> None:
    """At setup and after each play."""
    state = new(turnSeconds=seconds)
    assert GAME.deadline(state) == NOW + seconds * 1000
    after = play(position(A="1 2 3", B="1 2 3", total=20, options={"turnSeconds": seconds}), "1", now=NOW + 777)
    assert GAME.deadline(after.state) == NOW + 777 + seconds * 1000


def test_s8_5_not_before_the_deadline_and_once() -> None:
    """A millisecond early nothing happens; at the deadline one play; its deadline is a new one."""
    state = new()
    due = GAME.deadline(state)
    assert due is not None
    assert GAME.timeout(state, due - 1).state is state
    step = GAME.timeout(state, due)
    assert kinds(step.events)[:2] == ["timedOut", "cardPlayed"]
    assert GAME.timeout(step.state, due).state is step.state


def test_s10_the_least_total_is_played() -> None:
    """[10, 3, 0] on 50: the 0, keeping the direction. [±9, 3, 0] on 50: −9, which makes 41."""
    assert auto("10 3 0", 50) == ("0", 50, "방향 그대로")
    assert auto("±9 3 0", 50) == ("±9", 41, "빼기")


def test_nn_24_among_equal_totals_no_change_comes_first() -> None:
    """Then number cards, then ±, then K and joker."""
    assert auto("조커 0", 60) == ("0", 60, "방향 그대로")
    assert auto("조커 5", 55) == ("5", 60, None)
    assert auto("조커 ±9", 69) == ("±9", 60, "빼기")
    assert auto("K 4", 99, mode="classic") == ("4", 99, None)
    assert auto("K 9", 99, mode="classic") == ("9", 99, None)
    assert auto("K J", 89, mode="classic") == ("J", 99, None)
    assert auto("K A", 98, mode="classic") == ("A", 99, "1")
    assert auto("10 4", 0, mode="classic", floorAtZero="clamp") == ("4", 0, None)


def test_nn_24_number_cards_by_id() -> None:
    """Equal in everything else: the smaller card id, compared as a string."""
    state = position(A="5 5 10", B="1", total=50)
    fives = sorted(card.id for card in state.hands["A"] if card.face == "5")
    assert one(GAME.timeout(state, 10**9).events, "cardPlayed")["cardId"] == fives[0]


def test_nn_24_the_joker_names_the_least_number() -> None:
    """60, or 0 where the range begins there, which is then often the least of all."""
    assert auto("조커 10", 95) == ("조커", 60, "60")
    assert auto("조커 0", 50, jokerRange="0-99") == ("조커", 0, "0")


def test_nn_24_plus_minus_goes_to_its_smaller_legal_side() -> None:
    """Down where it may; up where down is below zero; to zero under clamp."""
    assert auto("±9", 5) == ("±9", 14, "더하기")
    assert auto("±9", 5, floorAtZero="clamp") == ("±9", 0, "빼기")


# ---------------------------------------------------------------- three in a row


def waits(state: State) -> int:
    due = GAME.deadline(state)
    assert due is not None
    return due - state.turn_started_at


def test_s8_5_three_timeouts_in_a_row_shorten_the_wait() -> None:
    """15 seconds for the first three, then 3; for this player only."""
    state = position(A="1 2 3 4 5", B="1 2 3 4 5", total=0, draw="1 2 3 4 5 1 2 3 4 5")
    expected = {"A": [15_000, 15_000, 15_000, 3_000, 3_000], "B": [15_000] * 5}
    waited: dict[str, list[int]] = {"A": [], "B": []}
    for _ in range(10):
        waited[state.current].append(waits(state))
        if state.current == "A":
            state = GAME.timeout(state, state.turn_started_at + waits(state)).state
        else:
            state = play(state, state.hands["B"][0].face).state
    assert waited == expected


def test_nn_25_an_own_play_ends_the_hurry() -> None:
    """And begins the count anew; a refused action does not."""
    state = position(A="1 2 3", B="1 2 3", total=0, changes={"missedTurns": {"A": 3}})
    assert waits(state) == 3_000
    GAME.apply(state, "A", {"type": "play", "cardId": "none"}, NOW)
    assert waits(state) == 3_000
    after = play(state, "1").state
    assert after.missed_turns == {}
    assert waits(play(after, "1").state) == 15_000


def test_nn_25_two_in_a_row_are_not_three() -> None:
    """A play in between starts the count from nothing."""
    state = position(A="1 2 3", B="1 2 3", total=0, changes={"missedTurns": {"A": 2}})
    state = play(play(state, "1").state, "1").state
    after = GAME.timeout(state, 10**9).state
    assert after.missed_turns == {"A": 1}


# ---------------------------------------------------------------- away, and gone


def test_s8_5_a_lost_connection_changes_nothing() -> None:
    """The clock runs on: same state, no events."""
    state = new()
    for status in ("offline", "online"):
        step = GAME.presence(state, "A", status, NOW)
        assert step.state is state
        assert step.events == ()


def test_nn_26_who_leaves_keeps_the_seat_and_is_played_for() -> None:
    """With three seconds instead of the full wait, from the running turn on; there is no way back."""
    state = position(A="1 2 3", B="1 2 3", C="1 2 3", total=0)
    step = GAME.presence(state, "A", "left", NOW + 1_000)
    assert one(step.events, "playerLeft") == {"player": "A"}
    assert (waits(step.state), step.state.alive["A"]) == (3_000, True)
    assert GAME.presence(step.state, "A", "online", NOW).state is step.state
    assert GAME.presence(step.state, "A", "left", NOW).state is step.state
    assert GAME.timeout(step.state, NOW + 3_000).state.current == "B"


def test_s10_the_game_goes_on_when_everybody_has_left() -> None:
    """To its end, on deadlines alone."""
    state = new("ABCD", mode="classic")
    for player in "ABCD":
        state = GAME.presence(state, player, "left", NOW).state
    steps = 0
    while (due := GAME.deadline(state)) is not None:
        state, steps = GAME.timeout(state, due).state, steps + 1
    assert GAME.result(state) is not None
    assert steps > 10


def test_nn_26_who_is_out_or_a_stranger_cannot_leave_again() -> None:
    """Nothing happens."""
    state = play(position(A="4", B="1 2", C="0 1", total=95), "4").state
    for player in ("B", "nobody"):
        assert GAME.presence(state, player, "left", NOW).state is state
