"""Side pots, against examples and against another reckoning of what each player may win."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from random import Random

import pytest

from engines.kernel.pots import Layer, layers, split


def pots(contributions: dict[str, int], live: str) -> list[tuple[int, str]]:
    return [(pot.amount, "".join(pot.eligible)) for pot in layers(contributions, live).pots]


def test_equal_contributions_are_one_pot() -> None:
    """With everybody's chips in it, also of those who are out."""
    assert pots({"A": 70, "B": 70, "C": 70}, "ABC") == [(210, "ABC")]
    assert pots({"A": 70, "B": 70, "C": 70}, "AC") == [(210, "AC")]


def test_an_all_in_for_less_makes_a_side_pot() -> None:
    """The level everybody reached, then the rest among those who reached that."""
    assert pots({"A": 20, "B": 70, "C": 70}, "ABC") == [(60, "ABC"), (100, "BC")]
    assert pots({"A": 20, "B": 50, "C": 70, "D": 70}, "ABCD") == [(80, "ABCD"), (90, "BCD"), (40, "CD")]


def test_sd_9_what_nobody_matched_comes_back() -> None:
    """An ante too: 10 against an all-in of 4."""
    found = layers({"A": 10, "B": 4}, "AB")
    assert found.pots == [Layer(8, ("A", "B"))]
    assert found.uncalled == ("A", 6)


def test_sd_9_a_dead_players_chips_match_as_well() -> None:
    """Only what stands above every other contribution is uncalled."""
    found = layers({"A": 100, "B": 60, "C": 20}, "AC")
    assert found.uncalled == ("A", 40)
    assert found.pots == [Layer(60, ("A", "C")), Layer(80, ("A",))]


def test_sd_10_dead_chips_above_every_live_level_go_to_the_highest_pot() -> None:
    """Neither returned nor ownerless."""
    found = layers({"A": 100, "B": 20, "C": 20, "D": 10}, "BCD")
    assert found.pots == [Layer(40, ("B", "C", "D")), Layer(110, ("B", "C"))]
    assert found.uncalled is None


def test_sd_10_where_nobody_live_has_put_in_anything_it_is_left_over() -> None:
    """For the caller, who has other pots."""
    found = layers({"A": 50, "B": 30}, "CD")
    assert (found.pots, found.uncalled, found.orphaned) == ([], None, 80)


def test_sd_11_layers_of_the_same_players_are_one_pot() -> None:
    """However many levels the dead have made."""
    assert pots({"A": 100, "B": 100, "C": 30, "D": 60}, "AB") == [(290, "AB")]


def test_sd_14_odd_chips_go_to_the_first() -> None:
    """One each."""
    assert split(11, ["B", "C", "A"]) == {"B": 4, "C": 4, "A": 3}
    assert split(2, ["B", "C", "A"]) == {"B": 1, "C": 1, "A": 0}


def chip_by_chip(contributions: Mapping[str, int], live: str) -> tuple[dict[tuple[str, ...], int], int]:
    """Another reckoning: who could win the first chip, the second, … of everybody; and what comes back."""
    won: dict[tuple[str, ...], int] = {}
    back, below = 0, ()
    for level in range(1, max(contributions.values(), default=0) + 1):
        reached = [player for player, amount in contributions.items() if amount >= level]
        may_win = tuple(player for player in live if player in reached)
        if len(reached) == 1 and may_win:
            back += 1
            continue
        below = may_win or below
        won[below] = won.get(below, 0) + len(reached)
    return won, back


@pytest.mark.parametrize("seed", range(600))
def test_side_pots_against_an_independent_reckoning(seed: int) -> None:
    """Random contributions of 2 to 10 players, some of them out: the same chips to the same players, none lost."""
    rng = Random(seed)
    players = "ABCDEFGHIJ"[: rng.randint(2, 10)]
    contributions = {player: rng.choice((0, 4, 10, 35, 35, rng.randint(1, 90))) for player in players}
    live = "".join(player for player in players if rng.random() < 0.7) or players[0]
    found = layers(contributions, live)
    expected, back = chip_by_chip(contributions, live)
    assert (found.uncalled or ("", 0))[1] == back
    assert found.orphaned == expected.pop((), 0)
    assert {pot.eligible: pot.amount for pot in found.pots} == expected
    assert sum(pot.amount for pot in found.pots) + back + found.orphaned == sum(contributions.values())
    eligible = [set(pot.eligible) for pot in found.pots]
    assert all(higher < lower for lower, higher in pairwise(eligible))
