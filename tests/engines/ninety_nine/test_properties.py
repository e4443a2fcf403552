"""What holds in every game of 구십구, whatever the options, seats, seed and play, beyond the contract's points."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engines.kernel.codec import options_schema
from engines.ninety_nine import GAME
from engines.ninety_nine.rules import can_play
from engines.ninety_nine.state import State
from tests.engines.play import NAMES, Start, play

CHOICES = {name: about["enum"] for name, about in options_schema(GAME.Options)["properties"].items()}
OPTIONS = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in CHOICES.items()})
STARTS = st.builds(
    lambda options, players, seed, version: Start("ninety-nine", options, NAMES[:players], seed.hex(), 0, version),
    OPTIONS,
    st.integers(2, 10),
    st.binary(min_size=32, max_size=32),
    st.sampled_from((1, 2)),
)
some_games = settings(max_examples=40)


def moments(start: Start, chance: int) -> list[State]:
    return [moment.state for moment in play(GAME, start, Random(chance), 5_000)]


@some_games
@given(STARTS, st.integers(0, 2**32))
def test_nn_7_with_refill_every_hand_keeps_its_size(start: Start, chance: int) -> None:
    """A refill never fails. Without it hands only shrink within a round."""
    for state in moments(start, chance):
        sizes = {len(state.hands[player]) for player in state.seats if state.alive[player]}
        if state.rules.refill == "on":
            assert sizes == {state.rules.hand_size}
        else:
            assert max(sizes) <= state.rules.hand_size
        assert not any(state.hands[player] for player in state.seats if not state.alive[player])


@some_games
@given(STARTS, st.integers(0, 2**32))
def test_s5_2_the_total_stays_within_0_and_99_and_someone_can_play(start: Start, chance: int) -> None:
    """Whoever has the turn can play; when nobody need, one is left."""
    for state in moments(start, chance):
        assert 0 <= state.total <= 99
        living = [player for player in state.seats if state.alive[player]]
        assert state.current in living
        if state.phase == "playing":
            assert len(living) > 1
            assert can_play(state.hands[state.current], state.total, state.rules)
        else:
            assert living == [state.current]


@some_games
@given(STARTS, st.integers(0, 2**32))
def test_s5_3_lives_and_players_are_only_ever_lost(start: Start, chance: int) -> None:
    """Never won back; the order of going out only grows; seq counts the steps."""
    states = moments(start, chance)
    for before, after in pairwise(states):
        assert all(after.lives[player] <= before.lives[player] for player in after.seats)
        assert after.elimination_order[: len(before.elimination_order)] == before.elimination_order
        assert after.round >= before.round
        assert after.seq in (before.seq, before.seq + 1)
        assert (after.seq == before.seq) == (after is before)


@some_games
@given(STARTS, st.integers(0, 2**32))
def test_nn_18_nn_29_the_result_adds_up(start: Start, chance: int) -> None:
    """Ranks 1 to N without ties, tokens lost no more than there were, rounds in the order of going out."""
    last = moments(start, chance)[-1]
    result: Any = GAME.result(last)
    rows = result["ranking"]
    assert [row["rank"] for row in rows] == list(range(1, len(last.seats) + 1))
    assert all(0 <= row["livesLost"] <= last.rules.lives for row in rows)
    assert result["winner"] == [rows[0]["player"]]
    assert rows[0]["eliminatedAtRound"] is None
    rounds = [row["eliminatedAtRound"] for row in rows[1:]]
    assert rounds == sorted(rounds, reverse=True)
    if last.rules.lives == 0 and last.rules.after_elimination == "continue":
        assert set(rounds) == {1}


@some_games
@given(STARTS, st.integers(0, 2**32))
def test_nn_4_an_old_games_zeros_stay_as_they_are(start: Start, chance: int) -> None:
    """In every round of every game: `reverse` in version 1, `zero` in version 2."""
    for state in moments(start, chance):
        piles = (state.draw_pile, state.discard, *state.hands.values())
        zeros = {card.kind for pile in piles for card in pile if card.face == "0"}
        if state.mode == "kr-product":
            assert zeros == ({"reverse"} if state.state_version == 1 else {"zero"})
