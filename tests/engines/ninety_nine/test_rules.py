"""What may be played (5.2, 8.2), with the document's sentences where it may not."""

from __future__ import annotations

from typing import Any

import pytest

from engines.kernel.contract import Rejected
from engines.ninety_nine import GAME
from engines.ninety_nine.rules import Play
from engines.ninety_nine.state import State
from tests.engines.ninety_nine.positions import NOW, attempt, legal_faces, play, position, why_not

OVER = ("over_99", "99를 넘어서 낼 수 없어요")
BELOW = ("below_zero", "0보다 작아져서 뺄 수 없어요")
CLASSIC = {"mode": "classic"}


def kr(hand: str, total: int, **options: Any) -> State:
    return position(A=hand, B="1 2 3", total=total, options=options)


def classic(hand: str, total: int, **options: Any) -> State:
    return position(A=hand, B="4 9 K", total=total, options=CLASSIC | options)


def after(state: State, face: str, **choice: Any) -> int:
    """The total that everybody is told."""
    (event,) = (event for event in play(state, face, **choice).events if event["type"] == "cardPlayed")
    total: int = event["total"]
    return total


def test_s5_2_number_cards_add() -> None:
    """1~8 and 10."""
    for value in (1, 2, 3, 4, 5, 6, 7, 8, 10):
        assert after(kr(str(value), 50), str(value)) == 50 + value


def test_s10_at_95_only_the_4_of_8_5_4_fits() -> None:
    """4 makes 99; whoever then holds only 1, 2, 3 is out as their turn begins."""
    state = kr("8 5 4", 95)
    assert legal_faces(state) == {"4"}
    assert why_not(state, "8") == why_not(state, "5") == OVER
    step = play(state, "4")
    assert step.state.total == 99
    assert step.state.elimination_order == ("B",)


def test_s5_2_s10_plus_minus() -> None:
    """±10 on 5: down is refused under forbid and makes 0 under clamp; up makes 15."""
    assert why_not(kr("±10", 5), "±10", sign="-") == BELOW
    assert after(kr("±10", 5, floorAtZero="clamp"), "±10", sign="-") == 0
    assert after(kr("±10", 5), "±10", sign="+") == 15
    assert after(kr("±9", 50), "±9", sign="-") == 41
    assert why_not(kr("±9", 91), "±9", sign="+") == OVER


def test_nn_20_down_to_exactly_zero_is_no_less_than_zero() -> None:
    """±10 and the classic 10 on 10."""
    assert after(kr("±10", 10), "±10", sign="-") == 0
    assert after(classic("10", 10), "10") == 0


def test_s5_2_a_sign_must_be_chosen() -> None:
    """null is as good as nothing (NN-22)."""
    expected = ("sign_missing", "더하기와 빼기 중 하나를 골라 주세요")
    assert why_not(kr("±9", 50), "±9") == why_not(kr("±9", 50), "±9", sign=None) == expected


def test_s5_2_zero_changes_nothing_and_always_fits() -> None:
    """Also on 99; the direction must be chosen."""
    assert after(kr("0", 99), "0", dir="keep") == 99
    expected = ("dir_missing", "0 카드는 방향을 그대로 둘지 바꿀지 골라 주세요")
    assert why_not(kr("0", 50), "0") == expected


def test_s10_joker_names_60_to_99() -> None:
    """On 20 it makes 99; 59 and 100 are refused. The present total may be named (NN-23)."""
    assert after(kr("조커", 20), "조커", jokerValue=99) == 99
    assert after(kr("조커", 80), "조커", jokerValue=80) == 80
    expected = ("joker_range", "조커는 60부터 99 사이 숫자만 고를 수 있어요")
    for value in (59, 100, -1, 10**12):
        assert why_not(kr("조커", 20), "조커", jokerValue=value) == expected
    assert why_not(kr("조커", 20), "조커")[0] == "joker_missing"


def test_s2_joker_range_from_zero() -> None:
    """jokerRange=0-99, also in the sentence."""
    assert after(kr("조커", 20, jokerRange="0-99"), "조커", jokerValue=0) == 0
    sentence = "조커는 0부터 99 사이 숫자만 고를 수 있어요"
    assert why_not(kr("조커", 20, jokerRange="0-99"), "조커", jokerValue=100) == ("joker_range", sentence)


@pytest.mark.parametrize("value", [60.5, "60", True, [60], {"min": 60, "max": 99}])
def test_nn_23_the_joker_takes_integers_only(value: Any) -> None:
    """Anything else is not even an action."""
    assert why_not(kr("조커", 20), "조커", jokerValue=value)[0] == "bad_action"


@pytest.mark.parametrize(
    ("face", "own", "stray", "code"),
    [
        ("8", {}, {"dir": "keep"}, "dir_stray"),
        ("조커", {"jokerValue": 60}, {"dir": "reverse"}, "dir_stray"),
        ("8", {}, {"sign": "+"}, "sign_stray"),
        ("0", {"dir": "keep"}, {"sign": "-"}, "sign_stray"),
        ("±9", {"sign": "-"}, {"aceValue": 1}, "ace_stray"),
        ("±9", {"sign": "-"}, {"jokerValue": 60}, "joker_stray"),
    ],
)
def test_nn_22_stray_choices_are_refused(face: str, own: Any, stray: Any, code: str) -> None:
    """A choice that is not this card's; dir with the document's own sentence. null counts as absent."""
    state = kr("8 0 ±9 조커", 50)
    nothing: dict[str, Any] = dict.fromkeys(stray)
    assert why_not(state, face, **own, **stray)[0] == code
    assert attempt(state, face, **own, **nothing) == attempt(state, face, **own)
    if code == "dir_stray":
        assert why_not(state, face, **own, **stray)[1] == "방향은 0 카드를 낼 때만 고를 수 있어요"


def test_s5_2_classic_cards() -> None:
    """2, 3, 5~8 add; J and Q add ten; 4 and 9 change nothing; 10 takes ten; K makes 99."""
    for face, total in {"2": 52, "3": 53, "5": 55, "6": 56, "7": 57, "8": 58}.items():
        assert after(classic(face, 50), face) == total
    for face, total in {"J": 60, "Q": 60, "4": 50, "9": 50, "10": 40, "K": 99}.items():
        assert after(classic(face, 50), face) == total
    assert after(classic("K", 99), "K") == 99


def test_s5_2_classic_ten_below_zero() -> None:
    """forbid: only from 10 on; clamp: always."""
    state = classic("10 2", 9)
    assert why_not(state, "10") == BELOW
    assert after(classic("10", 9, floorAtZero="clamp"), "10") == 0


def test_nn_21_ace_is_1_or_ace_high() -> None:
    """The value must be one of this game's two, and fit."""
    assert after(classic("A", 88), "A", aceValue=11) == 99
    assert after(classic("A", 50), "A", aceValue=1) == 51
    assert after(classic("A", 50, aceHigh=10), "A", aceValue=10) == 60
    for value in (10, 0, 2, 12, -1):
        assert why_not(classic("A", 50), "A", aceValue=value) == ("ace_value", "A는 1과 11 중 하나로만 낼 수 있어요")
    assert why_not(classic("A", 50, aceHigh=10), "A", aceValue=11)[0] == "ace_value"
    assert why_not(classic("A", 50), "A")[0] == "ace_missing"
    assert why_not(classic("A", 89), "A", aceValue=11) == OVER


def test_s10_after_a_king_only_4_9_10_and_k_fit() -> None:
    """K on 90 makes 99; an ace makes at least 100 and is refused."""
    state = play(position(A="K 2 3", B="A 4 9 10 K", total=90, options=CLASSIC), "K").state
    assert state.total == 99
    assert legal_faces(state) == {"4", "9", "10", "K"}
    assert why_not(state, "A", aceValue=1) == OVER


# ---------------------------------------------------------------- who, and in what shape


def test_s10_not_ones_turn_not_ones_card_twice() -> None:
    """Each refused with its own code; the state stays the same."""
    state = position(A="8 5 4", B="1 2 3", C="6 7 8", total=20)
    before = GAME.dump(state)
    theirs, mine = state.hands["B"][0].id, state.hands["A"][0].id

    def code(who: str, card: str) -> str:
        answer = GAME.apply(state, who, {"type": "play", "cardId": card}, NOW)
        assert isinstance(answer, Rejected)
        return answer.code

    assert code("B", theirs) == "not_your_turn"
    assert code("B", mine) == "not_your_turn"
    assert code("A", theirs) == "no_such_card"
    assert code("A", "no such card") == "no_such_card"
    assert code("Z", mine) == "not_playing"
    assert GAME.dump(state) == before


def test_s10_a_repeated_packet_is_refused() -> None:
    """The card is not in the hand any more, and it is somebody else's turn."""
    state = position(A="8 5 4", B="1 2 3", total=20)
    packet = Play(card_id=state.hands["A"][0].id)
    once = GAME.apply(state, "A", packet, NOW)
    assert not isinstance(once, Rejected)
    assert isinstance(GAME.apply(once.state, "A", packet, NOW), Rejected)


def test_eliminated_and_finished() -> None:
    """Who is out, and a game that is over, have their own sentences."""
    state = play(position(A="4", B="1 2", C="0 1", total=95), "4").state
    assert state.elimination_order == ("B",)
    out = GAME.apply(state, "B", Play(card_id="x"), NOW)
    assert isinstance(out, Rejected)
    assert out.code == "eliminated"
    over = play(position(A="4", B="1 2", total=95), "4").state
    no = GAME.apply(over, "A", Play(card_id="x"), NOW)
    assert no == Rejected("finished", "이미 끝난 게임이에요")


def test_typed_actions_are_as_good_as_json() -> None:
    """`Play` and its JSON come to the same."""
    state = position(A="±9 5 4", B="1 2 3", total=20)
    card = state.hands["A"][0].id
    typed = GAME.apply(state, "A", Play(card_id=card, sign="-"), NOW)
    assert typed == GAME.apply(state, "A", {"type": "play", "cardId": card, "sign": "-"}, NOW)


def test_s8_2_legal_lists_every_choice() -> None:
    """Both signs, both directions, and the joker's numbers as one range."""
    state = kr("±9 0 조커 10", 91)
    plus, zero, joker, ten = (card.id for card in state.hands["A"])
    assert GAME.legal(state, "A") == [
        {"type": "play", "cardId": plus, "sign": "-"},
        {"type": "play", "cardId": zero, "dir": "keep"},
        {"type": "play", "cardId": zero, "dir": "reverse"},
        {"type": "play", "cardId": joker, "jokerValue": {"min": 60, "max": 99}},
    ]
    assert ten not in {action["cardId"] for action in GAME.legal(state, "A")}
    assert GAME.legal(state, "B") == []
