"""Version 1: games that began under the old rules go on under them (NN-2 … NN-5)."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from engines.kernel import codec
from engines.kernel.contract import Json
from engines.ninety_nine import GAME
from engines.ninety_nine.state import State
from tests.engines.golden import FOLDER, INPUT, Golden
from tests.engines.ninety_nine.positions import NOW, SEED, kinds, new, one, play, position, stepped, why_not

ZERO_STRAY = ("dir_stray", "방향은 0 카드를 낼 때만 고를 수 있어요")


def old(total: int, **how: Any) -> State:
    """A position of version 1."""
    return position(total=total, version=1, **how)


def test_nn_3_absent_state_version_is_1() -> None:
    """A dump as version 1 wrote it, with none of what version 2 added, loads and is played by its rules."""
    dump = GAME.dump(new(version=1, handSize=3, lives=0))
    for added in ("stateVersion", "effective", "eliminatedAtRound", "recentPlays", "missedTurns", "left"):
        del dump[added]
    for absent in ("startTotal",):
        del dump["options"][absent]
    state = GAME.load(dump)
    assert state.state_version == 1
    assert state == new(version=1, handSize=3, lives=0)
    assert GAME.dump(state)["stateVersion"] == 1


def test_nn_2_new_games_are_version_2() -> None:
    """Unless a log of version 1 is replayed."""
    assert GAME.state_version == new().state_version == 2
    assert new(version=1).state_version == 1


@pytest.mark.parametrize("players", ["AB", "ABC", "ABCD"])
@pytest.mark.parametrize("mode", ["kr-product", "classic"])
def test_nn_4_v1_deals_three_and_starts_from_0(players: str, mode: str) -> None:
    """Whatever the head count; lives as ever by mode."""
    state = new(players, version=1, mode=mode)
    assert {len(hand) for hand in state.hands.values()} == {3}
    assert state.total == 0
    assert set(state.lives.values()) == {3 if mode == "classic" else 0}


def test_nn_4_v1_hand_size_as_it_was_chosen() -> None:
    """A stored 4 or 5 stays."""
    assert {len(hand) for hand in new(version=1, handSize=4).hands.values()} == {4}


def test_nn_4_the_old_0_always_turns() -> None:
    """Nothing is chosen and the event has no choice."""
    step = play(old(50, A="1 2 3", B="0 2 3", C="1 2 3", current="B"), "0")
    assert (step.state.direction, step.state.current) == (-1, "A")
    assert "choice" not in one(step.events, "cardPlayed")


@pytest.mark.parametrize("direction", ["keep", "reverse"])
def test_nn_4_dir_on_any_old_card_is_refused(direction: str) -> None:
    """Also on the 0, which is no `zero` card."""
    state = old(50, A="0 8 조커", B="1 2 3")
    assert why_not(state, "0", dir=direction) == ZERO_STRAY
    assert why_not(state, "8", dir=direction) == ZERO_STRAY
    assert why_not(state, "조커", jokerValue=60, dir=direction) == ZERO_STRAY


def test_nn_4_a_timeout_plays_the_old_0_and_the_direction_flips() -> None:
    """[10, 3, 0] on 50."""
    step = GAME.timeout(old(50, A="10 3 0", B="1 2 3", C="1 2 3"), 10**9)
    assert one(step.events, "cardPlayed")["face"] == "0"
    assert one(step.events, "directionChanged") == {"direction": -1}
    assert step.state.current == "C"


@pytest.mark.parametrize("options", [{"lives": 2}, {"afterElimination": "reset"}])
def test_nn_4_a_new_round_deals_the_old_cards_from_0(options: Json) -> None:
    """The same card objects, the stored hand size, no start number by head count."""
    state = old(95, A="4 1 1", B="10 10 10", C="0 1 1", options=options)
    step = play(state, "4")
    assert one(step.events, "roundStarted")["total"] == 0

    def cards(state: State) -> list[Any]:
        piles = (state.draw_pile, state.discard, *state.hands.values())
        return sorted((card.id, card.kind, card.face) for pile in piles for card in pile)

    assert cards(step.state) == cards(state)
    assert {card[1] for card in cards(step.state) if card[2] == "0"} == {"reverse"}
    assert {len(step.state.hands[player]) for player in "AC"} == {3}


def test_nn_3_the_version_decides_not_the_options() -> None:
    """An old game that names handSize 5 and startTotal stays an old game."""
    state = new("AB", version=1, handSize=5, startTotal="auto")
    assert state.total == 0
    assert GAME.view(state, None)["options"]["startTotal"] == "zero"


# ---------------------------------------------------------------- the old log


def running() -> tuple[Golden, list[str]]:
    """The log of a game that was running under version 1, and its digests."""
    text = (FOLDER / "ninety-nine-v1-running.txt").read_text()
    return Golden.read(text), [found[7] for found in map(INPUT.fullmatch, text.splitlines()) if found]


def test_nn_4_an_old_log_replays_to_its_digests() -> None:
    """Every one of them; among its inputs are old 0s, a timeout and a new round from 0."""
    golden, digests = running()
    steps = [step for _, step in golden.steps()]
    assert [codec.digest(step.state) for step in steps] == digests
    events = [event for step in steps for event in step.events]
    assert {"directionChanged", "timedOut", "roundStarted"} <= {event["type"] for event in events}
    assert {event["total"] for event in events if event["type"] == "roundStarted"} == {0}


def test_nn_4_nn_5_an_old_game_is_played_to_its_end_and_not_shown_again() -> None:
    """Bots and timeouts finish it, as version 1, from a saved state; then a replay is refused, with a reason."""
    golden, _ = running()
    *_, (_, step) = golden.steps()
    state, rng, rounds = GAME.load(GAME.dump(step.state)), Random(5), []
    assert GAME.result(state) is None
    while (due := GAME.deadline(state)) is not None:
        who = state.current
        if rng.random() < 0.3:
            step = GAME.timeout(state, due)
        else:
            action = GAME.bot(GAME.view(state, who), GAME.legal(state, who), rng)
            step = stepped(GAME.apply(state, who, action, due - 1))
        assert not any("dir" in action for action in GAME.legal(state, who))
        rounds += [event["total"] for event in step.events if event["type"] == "roundStarted"]
        state = step.state
    assert set(rounds) == {0}
    assert state.state_version == 1
    assert GAME.result(state) is not None
    refusal = GAME.replay_refusal(state)
    assert refusal is not None
    assert refusal.code == "old_version"
    assert re.search("[가-힣]", refusal.message)


def test_nn_5_games_of_version_2_may_be_shown_again() -> None:
    """No refusal."""
    assert GAME.replay_refusal(play(position(A="4", B="10", total=95), "4").state) is None


def test_nn_14_also_under_version_1() -> None:
    """Setup settles whoever cannot begin."""
    for number in range(300):
        state = stepped(GAME.setup({"mode": "classic"}, "AB", number.to_bytes(32, "big"), NOW, 1)).state
        assert GAME.legal(state, state.current)
    assert kinds(stepped(GAME.setup({}, "AB", SEED, NOW, 1)).events) == ["roundStarted"]


# ---------------------------------------------------------------- dumps edited by hand


def test_a_dump_edited_by_hand_loads() -> None:
    """Another total, other hands, another player's turn."""
    dump = GAME.dump(new("AB"))
    dump["hands"]["A"], dump["hands"]["B"] = dump["hands"]["B"], dump["hands"]["A"]
    state = GAME.load(dump | {"total": 60, "current": "B", "direction": -1})
    assert (state.total, state.current, state.direction) == (60, "B", -1)


@pytest.mark.parametrize(
    "changes",
    [
        {"total": 100},
        {"total": -1},
        {"total": "7"},
        {"direction": 0},
        {"current": "Z"},
        {"alive": {"A": True, "B": False}},
        {"hands": {"A": []}},
        {"phase": "finished"},
        {"eliminationOrder": ["A"]},
        {"mode": "classic"},
        {"seats": ["A", "A"]},
        {"stateVersion": 3},
        {"rng": {"seed": "AAAA", "counter": 0}},
        {"hands": {"A": [], "B": []}},
    ],
)
def test_an_inconsistent_dump_does_not(changes: Json) -> None:
    """A `ValueError`, which says what is wrong."""
    dump = GAME.dump(new("AB", lives=0))
    with pytest.raises(ValueError, match=r".+"):
        GAME.load(dump | changes)


def test_a_dump_with_a_card_twice_does_not() -> None:
    """Nor may a card be in two places."""
    dump = GAME.dump(new("AB"))
    dump["discard"] = [dump["drawPile"][0]]
    with pytest.raises(ValueError, match="twice"):
        GAME.load(dump)
