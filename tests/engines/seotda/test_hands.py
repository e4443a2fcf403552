"""족보 (6.1, 6.2): all 190 pairs under all 96 combinations of the options that matter, by the document's tables."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest

from engines.seotda.cards import DECK, Card, seen
from engines.seotda.hands import RANKING, SPECIAL_NAMES, automatic, evaluate
from engines.seotda.options import Options
from tests.engines.seotda.table import card, cards

# 6.1 as it stands in the document: rank, name, what it is made of, value.
LIGHTS = {"38광땡": ("3광 8광", 1000), "18광땡": ("1광 8광", 990), "13광땡": ("1광 3광", 980)}
PAIRS = {"장땡": (10, 910), "9땡": (9, 909), "8땡": (8, 908), "7땡": (7, 907), "6땡": (6, 906)}
PAIRS |= {"5땡": (5, 905), "4땡": (4, 904), "3땡": (3, 903), "2땡": (2, 902), "삥땡": (1, 901)}
MIXED = {
    "알리": (1, 2, 806),
    "독사": (1, 4, 805),
    "구삥": (1, 9, 804),
    "장삥": (1, 10, 803),
    "장사": (4, 10, 802),
    "세륙": (4, 6, 801),
}
POINTS = {9: "갑오", 0: "망통"} | {n: f"{n}끗" for n in range(1, 9)}

ALL_OPTIONS = [
    Options(gwang_ttaeng=gwang, ttaengjabi=ttaeng, amhaeng=amhaeng, gusa=gusa, mung_gusa=mung)
    for gwang, ttaeng, amhaeng, gusa, mung in product(
        ("all", "only38"),
        ("off", "strict", "loose"),
        (True, False),
        (True, False),
        ("off", "upTo8", "upTo9", "upToJang"),
    )
]


def by_the_table(a: Card, b: Card, options: Options) -> tuple[str, int]:
    """Name and value of 6.1, looked up."""
    for name, (pair, value) in LIGHTS.items():
        if {a, b} == set(cards(pair)) and (name == "38광땡" or options.gwang_ttaeng == "all"):
            return name, value
    for name, (month, value) in PAIRS.items():
        if a.month == b.month == month:
            return name, value
    for name, (low, high, value) in MIXED.items():
        if {a.month, b.month} == {low, high}:
            return name, value
    points = (a.month + b.month) % 10
    return POINTS[points], points


def special_of(a: Card, b: Card, options: Options) -> str | None:
    """6.2, looked up: by what is printed on the two cards."""
    pair = {str(seen(a)["face"]), str(seen(b)["face"])}
    if options.ttaengjabi == "strict" and pair == {"3광", "7열"}:
        return "ttaengjabi"
    if options.ttaengjabi == "loose" and {a.month, b.month} == {3, 7}:
        return "ttaengjabi"
    if options.amhaeng and pair == {"4열", "7열"}:
        return "amhaeng"
    if options.gusa and {a.month, b.month} == {4, 9}:
        return "mungGusa" if pair == {"4열", "9열"} and options.mung_gusa != "off" else "gusa"
    return None


@pytest.mark.parametrize("options", ALL_OPTIONS, ids=str)
def test_s10_all_190_pairs(options: Options) -> None:
    """Name, general value and special of each, whichever card comes first."""
    pairs = list(combinations(DECK, 2))
    assert len(pairs) == 190
    for a, b in pairs:
        made = evaluate(a, b, options)
        assert (made.plain, made.value) == by_the_table(a, b, options)
        assert made.special == special_of(a, b, options)
        assert made.name == (SPECIAL_NAMES[made.special] if made.special else made.plain)
        assert evaluate(b, a, options) == made


def test_s6_1_the_ranking_is_one_table_from_the_top() -> None:
    """In the document's order, every value less than the one above."""
    assert [row.name for row in RANKING] == [*LIGHTS, *PAIRS, *MIXED, *(POINTS[n] for n in range(9, -1, -1))]
    values = [row.value for row in RANKING]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


def test_s6_1_how_often_each_comes() -> None:
    """So many of the 190 pairs, by the document's own months."""
    counts: dict[str, int] = {}
    for a, b in combinations(DECK, 2):
        name = evaluate(a, b, Options()).plain
        counts[name] = counts.get(name, 0) + 1
    assert {name: counts[name] for name in (*LIGHTS, *PAIRS, *MIXED)} == (
        dict.fromkeys((*LIGHTS, *PAIRS), 1) | dict.fromkeys(MIXED, 4)
    )
    assert sum(counts[name] for name in POINTS.values()) == 190 - 13 - 24


@pytest.mark.parametrize(
    ("pair", "options", "name"),
    [
        ("1광 3광", {}, "13광땡"),
        ("1광 3광", {"gwang_ttaeng": "only38"}, "4끗"),  # SD-27
        ("1광 8광", {"gwang_ttaeng": "only38"}, "갑오"),  # SD-27
        ("3광 8광", {"gwang_ttaeng": "only38"}, "38광땡"),
        ("1띠 8광", {}, "갑오"),
        ("3띠 8광", {}, "1끗"),
        ("7열 8띠", {}, "5끗"),
        ("9열 10열", {}, "갑오"),
        ("2열 8띠", {}, "망통"),
    ],
)
def test_s10_lights_and_what_only_looks_like_them(pair: str, options: dict[str, Any], name: str) -> None:
    """6.1's examples and the checklist's."""
    assert evaluate(*cards(pair), Options(**options)).name == name


@pytest.mark.parametrize(("ttaengjabi", "special"), [("strict", None), ("loose", "ttaengjabi"), ("off", None)])
def test_s10_a_plain_3_with_the_7_is_a_ttaengjabi_only_when_loose(ttaengjabi: Any, special: str | None) -> None:
    """Always worth 망통."""
    made = evaluate(*cards("3띠 7열"), Options(ttaengjabi=ttaengjabi))
    assert (made.special, made.value, made.plain) == (special, 0, "망통")


def test_sd_26_without_gusa_a_mung_gusa_is_three_points() -> None:
    """mungGusa is ignored then; and mungGusa=off makes it a plain 구사."""
    pair = cards("4열 9열")
    assert evaluate(*pair, Options(gusa=False, mung_gusa="upToJang")).name == "3끗"
    assert evaluate(*pair, Options(mung_gusa="off")).special == "gusa"


# ---------------------------------------------------------------- the automatic choice (8.5)


def test_s6_4_12_the_best_two_of_three() -> None:
    """1광 8광 4열: 18광땡 before 독사 and 2끗."""
    hand = cards("1광 8광 4열")
    assert set(automatic(hand, Options())) == set(cards("1광 8광"))
    values = {evaluate(a, b, Options()).plain for a, b in combinations(hand, 2)}
    assert values == {"18광땡", "독사", "2끗"}


def test_sd_29_the_automatic_choice_does_not_see_what_a_special_could_do() -> None:
    """3광 7열 2열: nine points, not the 땡잡이."""
    assert set(automatic(cards("3광 7열 2열"), Options())) == set(cards("7열 2열"))


@pytest.mark.parametrize("gwang", ["all", "only38"])
def test_sd_28_of_three_cards_the_best_pair_is_always_one(gwang: Any) -> None:
    """All 1,140 hands: so the tie-breaks of 8.5 are never needed, and the choice is the highest general value."""
    options = Options(gwang_ttaeng=gwang)
    hands = list(combinations(DECK, 3))
    assert len(hands) == 1140
    for hand in hands:
        values = sorted(evaluate(a, b, options).value for a, b in combinations(hand, 2))
        assert values[-1] > values[-2]
        assert evaluate(*automatic(hand, options), options).value == values[-1]


# ---------------------------------------------------------------- the cards (section 3)


def test_s3_the_twenty_cards() -> None:
    """Two of each month; lights of 1, 3, 8, tens of the others; ids as in 8.1."""
    assert [one.id for one in DECK] == list(range(20))
    for one in DECK:
        assert one.id == (one.month - 1) * 2 + (one.kind == "normal")
    assert {one.month for one in DECK if one.kind == "gwang"} == {1, 3, 8}
    assert {one.month for one in DECK if one.kind == "yeol"} == {2, 4, 5, 6, 7, 9, 10}
    assert seen(card("3광")) == {"id": 4, "month": 3, "kind": "gwang", "face": "3광", "label": "3월 벚꽃 광"}
    assert len({seen(one)["face"] for one in DECK}) == 20
