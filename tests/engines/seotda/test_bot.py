"""The bot: legal is the contract's business; here, that it plays better than luck, and sensibly where one can tell."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engines.kernel.legal import sample
from engines.seotda import GAME
from engines.seotda.bot import chance, strength
from engines.seotda.options import Options
from engines.seotda.state import State
from tests.engines.seotda.table import NOW, cards, checked, next_hand, ok, play, table

ONE = "oneRound"


def gain(seed: int, players: str, **options: Any) -> tuple[int, float]:
    """A game of one bot among players by chance: what the bot won, and what the others did on average."""
    rng, me = Random(seed), players[seed % len(players)]
    state: State = ok(GAME.setup(options, players, seed.to_bytes(32, "big"), NOW)).state
    while (result := GAME.result(state)) is None:
        for player in players:
            legal = GAME.legal(state, player)
            if legal:
                action = GAME.bot(GAME.view(state, player), legal, rng) if player == me else sample(legal, rng)
                state = ok(GAME.apply(state, player, action, NOW)).state
    score = {row["player"]: row["score"] - state.options.starting_chips for row in result["ranking"]}
    return score[me], sum(score[player] for player in players if player != me) / (len(players) - 1)


@pytest.mark.parametrize(
    ("players", "options"),
    [
        ("AB", {}),
        ("ABCD", {}),
        ("ABCD", {"dealMode": ONE}),
        ("ABCD", {"cardMode": "three"}),
        ("ABCDEFGH", {}),
    ],
)
def test_it_wins_more_than_chance(players: str, options: dict[str, Any]) -> None:
    """In 30 games of 20 hands; more often than not, and more chips on the whole."""
    games = [gain(seed, players, handLimit=20, **options) for seed in range(30)]
    assert sum(mine > others for mine, others in games) > 18
    assert sum(mine for mine, _ in games) > 0 > sum(others for _, others in games)


def answers(state: State, player: str, number: int = 40) -> dict[str, int]:
    """What it does here, asked again and again."""
    counts: dict[str, int] = {}
    for seed in range(number):
        action = GAME.bot(GAME.view(state, player), GAME.legal(state, player), Random(seed))
        counts[action["type"]] = counts.get(action["type"], 0) + 1
    return counts


def test_it_raises_with_the_best_and_dies_with_nothing() -> None:
    """Facing half the pot."""
    best = play(table({"A": "2열 4띠", "B": "3광 8광", "C": "5열 7띠"}, dealMode=ONE), "A half").state
    assert "die" not in answers(best, "B")
    assert answers(best, "B").get("call", 0) < 10
    worst = play(table({"A": "3광 8광", "B": "2열 8띠", "C": "5열 7띠"}, dealMode=ONE), "A half").state
    assert answers(worst, "B") == {"die": 40}


def test_it_never_dies_where_a_check_is_free() -> None:
    """And bets on nothing only now and then."""
    state = table({"A": "2열 8띠", "B": "3광 8광", "C": "5열 7띠"}, dealMode=ONE)
    assert answers(state, "A").get("check", 0) >= 34
    assert "die" not in answers(state, "A")


def test_of_three_cards_it_plays_the_two_that_beat_most() -> None:
    """By what specials can do as well: the automatic choice of 8.5 does not see that (SD-29)."""
    state = checked(table({"A": "1광 8광 4열", "B": "5열 8띠 9띠"}, cardMode="three")).state
    action = GAME.bot(GAME.view(state, "A"), GAME.legal(state, "A"), Random(1))
    assert set(action["cardIds"]) == {one.id for one in cards("1광 8광")}
    state = checked(table({"A": "2열 4띠 9열", "B": "5열 5띠 9띠"}, cardMode="three")).state
    action = GAME.bot(GAME.view(state, "A"), GAME.legal(state, "A"), Random(1))
    assert set(action["cardIds"]) == {one.id for one in cards("4띠 9열")}


def test_new_chips_are_taken_unless_the_last_one_standing_wins() -> None:
    """There once."""
    for end, had, accept in (("hands", 3, True), ("lastStanding", 0, True), ("lastStanding", 1, False)):
        state = table(
            {"A": "10열 10띠", "B": "2열 4띠"},
            stacks={"B": 10},
            dealMode=ONE,
            endCondition=end,
            seats={"B": {"rebuys": had}},
        )
        state = next_hand(state).state
        assert GAME.bot(GAME.view(state, "B"), GAME.legal(state, "B"), Random(1)) == {"type": "rebuy", "accept": accept}


def test_it_comes_back_in_where_it_is_cheap() -> None:
    """Half of a pot of two: a third of what there would be. Not for all of it."""
    hands = {"A": "4띠 9열", "B": "1광 2열", "C": "5열 8띠"}
    for cost, accept in (("half", True), ("full", False)):
        state = play(table(hands, dealMode=ONE, rejoinCost=cost), "A ping", "B call", "C die").state
        action = GAME.bot(GAME.view(state, "C"), GAME.legal(state, "C"), Random(1))
        assert action == {"type": "rejoin", "accept": accept}


def test_it_knows_only_its_view() -> None:
    """The same view, the same answer, whatever the others hold."""
    here = play(table({"A": "2열 4띠", "B": "6열 8광", "C": "5열 7띠"}, dealMode=ONE), "A half").state
    there = play(table({"A": "3광 10열", "B": "6열 8광", "C": "1광 2띠"}, dealMode=ONE), "A half").state
    assert GAME.view(here, "B") == GAME.view(there, "B")
    assert answers(here, "B") == answers(there, "B")


def test_how_good_hands_are_to_it() -> None:
    """38광땡 beats all; a pair more than points; a 구사 is more than the three points that it is."""
    options = Options()

    def worth(faces: str) -> float:
        return strength(tuple(sorted(one.id for one in cards(faces))), options)

    assert worth("3광 8광") == 1.0
    assert worth("3광 8광") > worth("10열 10띠") > worth("5열 5띠") > worth("1광 2열") > worth("2열 8띠")
    assert worth("4띠 9열") > worth("5열 8띠")
    assert worth("3광 7열") > worth("2열 8띠")


def test_one_card_is_worth_what_may_come_of_it() -> None:
    """A 1 is in most of what has a name; and against many the chance of the best counts, not the average."""
    options, light, plain = Options(), (cards("1광")[0].id,), (cards("8띠")[0].id,)
    assert chance(light, True, 1, options) > chance(plain, True, 1, options)
    assert chance(light, True, 3, options) > chance(light, True, 1, options) ** 3
    two = tuple(one.id for one in cards("1광 8광"))
    assert chance(two, False, 1, options) == strength(two, options) <= chance(two, True, 1, options)
