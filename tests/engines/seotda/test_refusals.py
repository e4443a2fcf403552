"""Bad input of every kind, in every phase: a stable code, a Korean sentence, and the state is what it was (8.2)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from engines.kernel import codec
from engines.kernel.contract import Rejected
from engines.kernel.legal import matches
from engines.kernel.rng import Rng
from engines.seotda import GAME
from engines.seotda.actions import Choose, Half, Rejoin
from engines.seotda.options import Options
from engines.seotda.state import State
from tests.engines.seotda.table import NOW, SEED, card, checked, next_hand, play, table, why_not

ABC = {"A": "2열 3광", "B": "5열 8띠", "C": "6열 8광"}
GUSA = {"A": "4띠 9열", "B": "1광 2열", "C": "5열 8띠"}
ONE = "oneRound"

PHASES: dict[str, State] = {
    "betting": table(ABC),
    "facing a bet": play(table(ABC, maxRaise="full"), "A half").state,
    "choose": play(
        checked(table({"A": "1광 8광 4열", "B": "5열 8띠 9띠"}, cardMode="three")).state, "B choose 5열 9띠"
    ).state,
    "rejoin": play(table(GUSA, dealMode=ONE, rejoinCost="half"), "A ping", "B call", "C die").state,
    "handEnd": play(checked(table(ABC, dealMode=ONE)).state, "A ready").state,
    "rebuy": next_hand(table({"A": "10열 10띠", "B": "2열 4띠"}, stacks={"B": 10}, dealMode=ONE)).state,
    "finished": next_hand(checked(table(ABC, dealMode=ONE, hand_no=20)).state).state,
}
HUGE = 10**30
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, HUGE, -HUGE, 0.5, float("nan"), float("inf"), "", "half", "1"),
    *(
        [],
        {},
        [0, 1],
        [0, 2],
        [1, 0],
        [4, 4],
        [True, False],
        [0.0, 2.0],
        ["0", "2"],
        [-1, 20],
        [HUGE, -HUGE],
        [None, None],
    ),
    *([14, 0], [0, 6]),  # A's, in the phase of choosing
    *([0, 2, 4], list(range(20)), [[0], [2]], {"min": 0, "max": 9}),
)
TYPES = ("check", "ping", "call", "ddadang", "quarter", "half", "full", "die", "choose", "rejoin", "ready", "rebuy")
WORSE: tuple[Any, ...] = (
    *({}, [], None, "half", 7, True, b"half", [{"type": "half"}]),
    *({"type": None}, {"type": 7}, {"type": ["half"]}, {"type": {"half": 1}}, {"type": "HALF"}, {"type": "half "}),
    *({"type": "leave"}, {"type": "fold"}, {"type": "Half"}, {"Type": "half"}, {"type": "half", "type ": "half"}),
)


def untyped() -> list[Any]:
    """Every type with every field of any, with every value; and what is not even an action."""
    found: list[Any] = list(WORSE)
    for kind in TYPES:
        found += [{"type": kind}, {"type": kind, "amount": 0}]
        for field in ("cardIds", "accept", "amount", "player", "extra", "card_ids"):
            found += [{"type": kind, field: value} for value in VALUES]
    return found


@pytest.mark.parametrize("phase", PHASES)
def test_whatever_is_not_legal_is_refused_and_changes_nothing(phase: str) -> None:
    """By those who are asked, those who are not, those who died, and strangers."""
    state = replace(PHASES[phase], rng=Rng(SEED))
    before = codec.canonical(state)
    accepted = refused = 0
    for player in ("A", "B", "C", "nobody", ""):
        legal = GAME.legal(state, player)
        for action in untyped():
            answer = GAME.apply(state, player, action, NOW)
            if isinstance(answer, Rejected):
                assert re.fullmatch("[a-z_]+", answer.code)
                assert re.search("[가-힣]", answer.message)
                refused += 1
                said_null = isinstance(action, dict) and None in action.values()
                assert not isinstance(action, dict) or said_null or not matches(legal, action), action
            else:
                accepted += 1
                twisted = dict(action)
                if "cardIds" in twisted:
                    twisted["cardIds"] = sorted(twisted["cardIds"])
                assert matches(legal, twisted), (player, action)
            assert codec.canonical(state) == before
    assert refused > 3000
    assert (accepted > 0) == (phase != "finished")


@pytest.mark.parametrize("amount", [0, 15, -15, HUGE, "15", None, True, 0.5])
def test_the_price_is_not_the_players_to_name(amount: Any) -> None:
    """Not even the right one."""
    answer = GAME.apply(PHASES["betting"], "A", {"type": "half", "amount": amount}, NOW)
    assert answer == Rejected("bad_action", "할 수 없는 행동이에요")


@pytest.mark.parametrize(
    ("phase", "move", "code", "sentence"),
    [
        ("betting", "B half", "not_your_turn", "지금은 내 차례가 아니에요"),
        ("betting", "A call", "nothing_to_call", "아직 아무도 걸지 않아서 콜할 수 없어요"),
        ("betting", "A ddadang", "nothing_to_double", "아직 아무도 걸지 않아서 따당할 수 없어요"),
        ("betting", "A full", "no_full", "하프까지만 걸 수 있어요"),
        ("betting", "A choose 2열 3광", "not_choosing", "지금은 카드를 고를 때가 아니에요"),
        ("betting", "A ready", "hand_not_over", "아직 판이 끝나지 않았어요"),
        ("betting", "A rebuy yes", "no_rebuy", "지금은 칩을 다시 받을 수 없어요"),
        ("betting", "A rejoin yes", "not_rejoining", "지금은 재참가할 수 없어요"),
        ("betting", "nobody half", "not_playing", "이 게임을 하고 있지 않아요"),
        ("facing a bet", "B check", "cannot_check", "누가 이미 걸어서 체크할 수 없어요"),
        ("facing a bet", "B ping", "cannot_ping", "누가 이미 걸어서 삥을 할 수 없어요"),
        ("facing a bet", "A half", "not_your_turn", "지금은 내 차례가 아니에요"),
        ("choose", "A half", "not_betting", "지금은 베팅할 때가 아니에요"),
        ("choose", "B choose 5열 9띠", "already_chosen", "이미 카드를 골랐어요"),
        ("choose", "A choose 5열 9띠", "no_such_card", "손에 없는 카드예요"),
        ("choose", "A choose 1광", "choose_two", "카드 두 장을 골라 주세요"),
        ("rejoin", "A rejoin yes", "not_rejoining", "지금은 재참가할 수 없어요"),
        ("rejoin", "C half", "not_betting", "지금은 베팅할 때가 아니에요"),
        ("handEnd", "A ready", "already_ready", "이미 준비했어요"),
        ("rebuy", "A rebuy yes", "no_rebuy", "지금은 칩을 다시 받을 수 없어요"),
        ("rebuy", "A ready", "hand_not_over", "아직 판이 끝나지 않았어요"),
        ("finished", "A half", "finished", "이미 끝난 게임이에요"),
    ],
)
def test_s8_2_each_refusal_says_why(phase: str, move: str, code: str, sentence: str) -> None:
    assert why_not(PHASES[phase], move) == (code, sentence)


def test_s8_2_acting_twice_is_refused_the_second_time() -> None:
    """A bet, a die, an answer."""
    state = play(table(ABC), "A half").state
    assert why_not(state, "A half")[0] == "not_your_turn"
    state = play(state, "B die").state
    assert why_not(state, "B die") == ("folded", "이번 판은 다이해서 할 수 없어요")
    state = play(PHASES["rejoin"], "C rejoin yes").state
    assert why_not(state, "C rejoin yes") == ("not_rejoining", "지금은 재참가할 수 없어요")
    state = play(PHASES["rebuy"], "B rebuy yes").state
    assert why_not(state, "B rebuy yes") == ("no_rebuy", "지금은 칩을 다시 받을 수 없어요")


def test_s8_2_a_short_stack_may_only_call_or_die() -> None:
    """SD-2."""
    state = play(table(ABC, stacks={"B": 20}), "A half").state
    assert why_not(state, "B half") == ("too_few_chips", "칩이 모자라 올릴 수 없어요(콜 또는 다이)")


def test_typed_actions_are_judged_like_any_others() -> None:
    """What a bot of one's own process may hand in."""
    assert not isinstance(GAME.apply(PHASES["betting"], "A", Half(), NOW), Rejected)
    two = Choose([card("1광").id, card("8광").id])
    assert not isinstance(GAME.apply(PHASES["choose"], "A", two, NOW), Rejected)
    for wrong in (Options(), Choose([99, -1]), Rejoin(True)):
        assert isinstance(GAME.apply(PHASES["betting"], "A", wrong, NOW), Rejected)


def test_beginnings_are_refused_too() -> None:
    """A table with the same player twice; options of another kind."""
    for answer in (
        GAME.setup({}, ["A", "A"], bytes(32), 0),
        GAME.setup({}, [], bytes(32), 0),
        GAME.setup({"handLimit": True}, ["A", "B"], bytes(32), 0),
        GAME.setup({"handLimit": 11}, ["A", "B"], bytes(32), 0),
        GAME.setup({"gusa": 1}, ["A", "B"], bytes(32), 0),
        GAME.setup({"baseUnit": 50, "startingChips": 500}, ["A", "B"], bytes(32), 0),
    ):
        assert isinstance(answer, Rejected)
        assert answer.code in ("bad_options", "bad_players")
        assert re.search("[가-힣]", answer.message)


def test_a_version_that_never_was_is_an_error() -> None:
    with pytest.raises(ValueError, match="version 2"):
        GAME.setup({}, ["A", "B"], bytes(32), 0, state_version=2)
