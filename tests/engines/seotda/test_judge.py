"""Who wins (6.3), by the document's examples (6.4) and the rulings."""

from __future__ import annotations

from typing import Any

import pytest

from engines.seotda.hands import Made, evaluate
from engines.seotda.judge import Verdict, resolve
from engines.seotda.options import Options
from tests.engines.seotda.table import cards


def judged(options: dict[str, Any] | None = None, **hands: str) -> Verdict:
    """The verdict on hands that lie on the table."""
    chosen = Options(**(options or {}))
    return resolve({player: evaluate(*cards(pair), chosen) for player, pair in hands.items()}, chosen)


def win(player: str, reason: Any = "normal") -> Verdict:
    return Verdict("win", (player,), reason)


def again(players: str, reason: Any) -> Verdict:
    return Verdict("rematch", tuple(players), reason)


def test_s6_4_01_amhaeng_cannot_catch_38() -> None:
    assert judged(A="3광 8광", B="4열 7열") == win("A")


def test_s6_4_02_amhaeng_catches_13_though_a_jang_ttaeng_is_there() -> None:
    assert judged(A="1광 3광", B="4열 7열", C="10열 10띠") == win("B", "amhaeng")
    assert judged(A="1광 8광", B="4열 7열") == win("B", "amhaeng")
    assert judged({"amhaeng": False}, A="1광 3광", B="4열 7열", C="10열 10띠") == win("A")


def test_s6_4_03_ttaengjabi_catches_nines() -> None:
    assert judged(A="9열 9띠", B="3광 7열", C="1광 2열") == win("B", "ttaengjabi")
    assert judged({"ttaengjabi": "off"}, A="9열 9띠", B="3광 7열", C="1광 2열") == win("A")


def test_s6_4_04_ttaengjabi_cannot_catch_jang_ttaeng() -> None:
    assert judged(A="10열 10띠", B="3광 7열") == win("A")


def test_s6_4_05_ttaengjabi_without_a_pair_is_nothing() -> None:
    assert judged(A="3광 7열", B="1광 2열") == win("B")


def test_s6_4_06_gusa_voids_up_to_ali() -> None:
    assert judged(A="4띠 9열", B="1광 2열") == again("AB", "gusa")


def test_s6_4_07_gusa_does_not_void_a_pair() -> None:
    assert judged(A="4띠 9열", B="1광 1띠") == win("B")


def test_s6_4_08_gusa_that_wins_anyway_wins() -> None:
    assert judged(A="4띠 9열", B="5열 7열", C="2열 8띠") == win("A")


@pytest.mark.parametrize(
    ("mung", "pair", "void"),
    [
        ("off", "1광 2열", True),
        ("off", "1광 1띠", False),
        ("upTo8", "8광 8띠", True),
        ("upTo8", "10열 10띠", False),
        ("upTo9", "8광 8띠", True),
        ("upTo9", "10열 10띠", False),
        ("upToJang", "10열 10띠", True),
        ("upToJang", "1광 3광", False),  # 광땡 always wins
        ("upToJang", "3광 8광", False),
    ],
)
def test_s6_4_09_mung_gusa_voids_up_to_its_limit(mung: str, pair: str, void: bool) -> None:
    """As far as it can be dealt."""
    reason = "gusa" if mung == "off" else "mungGusa"
    assert judged({"mung_gusa": mung}, A="4열 9열", B=pair) == (again("AB", reason) if void else win("B"))


@pytest.mark.parametrize(("mung", "void"), [("upTo8", False), ("upTo9", True), ("upToJang", True)])
def test_s6_4_09_sd_25_mung_gusa_and_nines_which_cannot_meet(mung: Any, void: bool) -> None:
    """On the function alone: who holds a 멍텅구리구사 holds a 9."""
    shown = {"A": Made(3, "멍텅구리구사", "3끗", "mungGusa"), "B": Made(909, "9땡", "9땡")}
    assert resolve(shown, Options(mung_gusa=mung)) == (again("AB", "mungGusa") if void else win("B"))


def test_s6_4_10_equal_hands() -> None:
    assert judged(A="2열 3광", B="6열 9열") == again("AB", "tie")
    assert judged({"tie_rule": "split"}, A="2열 3광", B="6열 9열") == Verdict("split", ("A", "B"), "normal")


def test_s6_4_11_gusa_beside_a_ttaengjabi() -> None:
    assert judged(A="4띠 9열", B="5열 5띠", C="3광 7열") == win("C", "ttaengjabi")
    assert judged(A="4열 9열", B="5열 5띠", C="3광 7열") == again("ABC", "mungGusa")


def test_s10_two_loose_ttaengjabi_are_a_tie() -> None:
    """Both caught the pair; who held it is out of it."""
    loose = {"ttaengjabi": "loose"}
    assert judged(loose, A="3광 7열", B="3띠 7띠", C="5열 5띠") == again("AB", "tie")
    split = Verdict("split", ("A", "B"), "ttaengjabi")
    assert judged(loose | {"tie_rule": "split"}, A="3광 7열", B="3띠 7띠", C="5열 5띠") == split


def test_s10_a_strict_ttaengjabi_needs_the_light() -> None:
    """3띠 7열 catches nothing but with loose."""
    assert judged(A="9열 9띠", B="3띠 7열") == win("A")
    assert judged({"ttaengjabi": "loose"}, A="9열 9띠", B="3띠 7열") == win("B", "ttaengjabi")


def test_sd_24_two_four_nines() -> None:
    """Best together: both win, so there is a tie and no 구사. Beaten: each by its own limit."""
    assert judged(A="4열 9열", B="4띠 9띠", C="2열 8띠") == again("AB", "tie")
    assert judged(A="4열 9열", B="4띠 9띠", C="1광 2열") == again("ABC", "mungGusa")
    assert judged(A="4열 9띠", B="4띠 9열", C="1광 2열") == again("ABC", "gusa")
    assert judged(A="4열 9열", B="4띠 9띠", C="5열 5띠") == again("ABC", "mungGusa")
    assert judged({"mung_gusa": "off"}, A="4열 9열", B="4띠 9띠", C="5열 5띠") == win("C")


def test_sd_27_with_only38_amhaeng_has_nothing_to_catch() -> None:
    """13 is four points then."""
    assert judged({"gwang_ttaeng": "only38"}, A="1광 3광", B="4열 7열") == win("A")


def test_s6_3_the_holder_is_not_among_his_own_opponents() -> None:
    """Only the others' best counts; and 광땡 is above every limit."""
    assert judged({"mung_gusa": "upToJang"}, A="4열 9열", B="4띠 9띠", C="1광 8광") == win("C")


def test_s6_1_a_tie_is_of_value_alone() -> None:
    """1광 2띠 and 1띠 2열 are both 알리; suits decide nothing."""
    assert judged(A="1광 2띠", B="1띠 2열") == again("AB", "tie")


def test_s6_1_three_of_equal_value() -> None:
    """All three play on."""
    assert judged(A="2열 3광", B="6열 9열", C="7열 8띠", D="2띠 10열") == again("ABC", "tie")
