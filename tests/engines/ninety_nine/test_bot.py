"""The bot: legal and quick is the contract's business; here, that it plays better than luck."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engines.kernel.contract import Action
from engines.kernel.legal import sample
from engines.ninety_nine import GAME
from engines.ninety_nine.state import State
from tests.engines.ninety_nine.positions import new, play, position, stepped

Player = Callable[[State, Random], Action]


def bot(state: State, rng: Random) -> Action:
    return GAME.bot(GAME.view(state, state.current), GAME.legal(state, state.current), rng)


def chance(state: State, rng: Random) -> Action:
    return sample(GAME.legal(state, state.current), rng)


def winner(players: dict[str, Player], seed: int, **options: Any) -> str:
    rng = Random(seed)
    state = new("".join(players), seed=seed.to_bytes(32, "big"), **options)
    while GAME.result(state) is None:
        state = stepped(GAME.apply(state, state.current, players[state.current](state, rng), 0)).state
    return state.current


@pytest.mark.parametrize("options", [{}, {"mode": "classic"}, {"lives": 3}])
def test_it_beats_chance(options: dict[str, Any]) -> None:
    """Of 100 games for two, taking turns on the first seat, more than 62."""
    wins = 0
    for seed in range(100):
        mine = "AB"[seed % 2]
        players: dict[str, Player] = {seat: bot if seat == mine else chance for seat in "AB"}
        wins += winner(players, seed, **options) == mine
    assert wins > 62


def test_it_keeps_its_ways_out() -> None:
    """While numbers fit, it plays a number, and the biggest."""
    state = position(A="조커 0 ±9 10 2", B="1", total=20)
    action = bot(state, Random(1))
    assert action["cardId"].startswith("10-")


def test_it_takes_a_way_out_when_it_must() -> None:
    """On 99 only these go."""
    state = position(A="조커 0 10 10 10", B="1", total=99)
    after = play(state, "0", dir="keep")
    assert after.state.phase == "finished"
    assert bot(state, Random(1))["cardId"][0] in "jz"
