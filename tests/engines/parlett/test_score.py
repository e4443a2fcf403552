"""The score (RULES 6), each case played out on the table."""

from __future__ import annotations

from typing import Any

import pytest

from engines.kernel.contract import Step
from engines.parlett import GAME
from engines.parlett.forms import NPC
from engines.parlett.state import State
from tests.engines.parlett.positions import bid, every, lapse, new, one, over_at_once, play, position

# The suits of a bid that comes to so much.
SUITS = {0: "DDD", 1: "DDS", 2: "DSS", 3: "DDC", 4: "DSC", 5: "DHC", 6: "DCC"}
TRICK = ("C7", "H8", "H9")  # what the last trick is made of, beside the ace of trumps


def three_cards(values: dict[str, int]) -> dict[str, str]:
    """Bids that come to these values, from cards that are of no use otherwise."""
    left = {suit: [f"{suit}{rank}" for rank in ("8", "9", "10", "J", "Q", "K", "A", "7")] for suit in "DSHC"}
    left = {suit: [name for name in names if name not in (*TRICK, "HA", "H7")] for suit, names in left.items()}
    return {who: " ".join(left[suit].pop(0) for suit in SUITS[value]) for who, value in values.items()}


def finish(
    players: str,
    tricks: dict[str, int],
    bids: dict[str, int],
    premiums: dict[str, str] | None = None,
    changes: dict[str, Any] | None = None,
    **options: Any,
) -> Step[State]:
    """The last trick of a round that ends with so many tricks for each; the first named who has any takes it."""
    taker = next(who for who, n in tricks.items() if n and who != NPC)
    table = list(tricks)
    lows = iter(TRICK)
    hands = {who: "HA" if who == taker else next(lows) for who in table}
    at = table.index(taker)
    order = [*table[at:], *table[:at]]
    if NPC in table:
        order = [taker, *(who for who in table if who not in (taker, NPC)), NPC]
    state = position(
        players,
        hands=hands,
        turn_up="H7",
        bids=three_cards(bids),
        won={who: n - (who == taker) for who, n in tricks.items()},
        current=taker,
        controller=taker,
        changes={
            "premiums": [{"player": who, "kind": kind} for who, kind in (premiums or {}).items()],
            **(changes or {}),
        },
        **options,
    )
    return play(state, " ".join(hands[who] for who in order))


def points(step: Step[State]) -> dict[str, int]:
    return step.state.round_scores[-1]


# ---------------------------------------------------------------- three


def test_r6_1_a_point_for_each_trick() -> None:
    """Made or not."""
    step = finish("ABC", {"A": 4, "B": 3, "C": 2}, {"A": 6, "B": 2, "C": 0})
    assert points(step) == {"A": 4, "B": 3, "C": 2}


@pytest.mark.parametrize(
    ("tricks", "bonus"),
    [((4, 3, 2), (10, 10, 10)), ((4, 2, 3), (30, 0, 0)), ((3, 3, 3), (0, 30, 0)), ((5, 3, 1), (0, 30, 0))],
)
def test_r6_2_the_bonus_by_how_many_make_it(tricks: tuple[int, ...], bonus: tuple[int, ...]) -> None:
    """Bids of 4, 3 and 2: ten for each of three, thirty for the only one."""
    won = dict(zip("ABC", tricks, strict=True))
    step = finish("ABC", won, {"A": 4, "B": 3, "C": 2})
    rows = one(step.events, "roundScored")["rows"]
    assert tuple(rows[who]["bonus"] for who in "ABC") == bonus
    assert points(step) == {who: n + b for (who, n), b in zip(won.items(), bonus, strict=True)}


def test_r6_2_twenty_for_each_of_two() -> None:
    """And nothing for the third."""
    step = finish("ABC", {"A": 4, "B": 3, "C": 2}, {"A": 4, "B": 3, "C": 0})
    assert points(step) == {"A": 24, "B": 23, "C": 2}


def test_r6_4_pn_8_nobody_makes_it() -> None:
    """Tricks only, and what a failed premium bid pays."""
    bids = {"A": 5, "B": 0, "C": 4}
    step = finish("ABC", {"A": 6, "B": 2, "C": 1}, bids)
    assert points(step) == {"A": 6, "B": 2, "C": 1}
    step = finish("ABC", {"A": 6, "B": 2, "C": 1}, bids, {"A": "declaration"})
    assert points(step) == {"A": 6, "B": 32, "C": 31}


@pytest.mark.parametrize(("kind", "value"), [("declaration", 30), ("revelation", 60)])
def test_r6_6_pn_7_a_premium_bid(kind: str, value: int) -> None:
    """Kept: its value. Failed: its value to every other, made or not."""
    bids = {"A": 4, "B": 3, "C": 0}
    kept = finish("ABC", {"A": 4, "B": 3, "C": 2}, bids, {"A": kind})
    assert points(kept) == {"A": 4 + 20 + value, "B": 23, "C": 2}
    failed = finish("ABC", {"A": 5, "B": 3, "C": 1}, bids, {"A": kind})
    assert points(failed) == {"A": 5, "B": 3 + 30 + value, "C": 1 + value}


# ---------------------------------------------------------------- four


@pytest.mark.parametrize(
    ("tricks", "bonus"),
    [
        ((4, 3, 2, 1), (0, 0, 0, 0)),
        ((4, 3, 3, 0), (20, 20, 0, 0)),
        ((5, 2, 2, 1), (0, 0, 20, 20)),
        ((4, 2, 3, 1), (20, 0, 0, 20)),
        ((5, 3, 2, 0), (0, 20, 20, 0)),
        ((6, 3, 1, 0), (0, 30, 0, 0)),
        ((5, 4, 1, 0), (0, 0, 0, 0)),
    ],
)
def test_r6_3_pn_11_the_bonus_of_four(tricks: tuple[int, ...], bonus: tuple[int, ...]) -> None:
    """Bids of 4, 3, 2 and 1: nothing when all make it."""
    won = dict(zip("ABCD", tricks, strict=True))
    step = finish("ABCD", won, dict(zip("ABCD", (4, 3, 2, 1), strict=True)))
    assert points(step) == {who: n + b for (who, n), b in zip(won.items(), bonus, strict=True)}


def test_r6_3_three_of_four_have_ten_each() -> None:
    """Bids of 4, 3, 2 and 0, of which the last takes one."""
    bids = dict(zip("ABCD", (4, 3, 2, 0), strict=True))
    assert points(finish("ABCD", {"A": 4, "B": 3, "C": 2, "D": 1}, bids)) == {"A": 14, "B": 13, "C": 12, "D": 1}


def test_r6_5_pn_11_three_diamonds_are_none_and_ten() -> None:
    """Of four players: 0 makes it, 10 makes it, 1 does not. A joker is a diamond where one was turned up."""
    others = {"A": 5, "B": 4, "C": 3}
    assert points(finish("ABCD", {"A": 6, "B": 3, "C": 1, "D": 0}, {**others, "D": 0}))["D"] == 30
    assert points(finish("ABCD", {"A": 6, "B": 3, "C": 0, "D": 1}, {**others, "D": 0}))["D"] == 1
    all_ten = finish("ABCD", {"A": 10, "B": 0, "C": 0, "D": 0}, {"A": 0, "B": 3, "C": 4, "D": 5})
    assert points(all_ten)["A"] == 10 + 30
    state = position(
        "ABCD",
        hands={"A": "CA", "B": "C7", "C": "C6", "D": "C5"},
        turn_up="D9",
        trump=None,
        bids={"A": "JK D6 D7", "B": "C8 C9 C10", "C": "HA HK HQ", "D": "SA SK SQ"},
        won={"A": 9},
    )
    assert points(play(state, "CA C7 C6 C5")) == {"A": 40, "B": 0, "C": 0, "D": 0}


def test_r6_5_three_players_do_not_have_it() -> None:
    """There are no ten tricks; nine are no diamonds."""
    step = finish("ABC", {"A": 9, "B": 0, "C": 0}, {"A": 0, "B": 3, "C": 1})
    assert points(step) == {"A": 9, "B": 0, "C": 0}


def test_r6_6_pn_7_pn_12_four_pay_three_opponents() -> None:
    """Each of them."""
    bids = dict(zip("ABCD", (4, 3, 2, 0), strict=True))
    step = finish("ABCD", {"A": 5, "B": 3, "C": 1, "D": 1}, bids, {"A": "revelation"})
    assert points(step) == {"A": 5, "B": 3 + 30 + 60, "C": 61, "D": 61}


# ---------------------------------------------------------------- two


def test_r6_7_pn_16_the_npc_scores_as_a_third() -> None:
    """It counts among those who made it, and has its tricks and its bonus; it must be exact."""
    bids = {"A": 4, "B": 3, NPC: 2}
    assert points(finish("AB", {"A": 4, "B": 3, NPC: 2}, bids)) == {"A": 14, "B": 13, NPC: 12}
    assert points(finish("AB", {"A": 4, "B": 4, NPC: 1}, bids)) == {"A": 34, "B": 4, NPC: 1}
    assert points(finish("AB", {"A": 5, "B": 2, NPC: 2}, bids)) == {"A": 5, "B": 2, NPC: 32}


@pytest.mark.parametrize(
    ("tricks", "declared", "premium"),
    [
        ((5, 2, 2), "AB", (0, 0, 60)),
        ((4, 2, 3), "AB", (60, 0, 30)),
        ((5, 3, 1), "AB", (0, 60, 30)),
        ((4, 3, 2), "AB", (30, 30, 0)),
        ((5, 2, 2), "A", (0, 30, 30)),
        ((5, 3, 1), "A", (0, 30, 30)),
        ((4, 2, 3), "A", (30, 0, 0)),
    ],
)
def test_r6_8_pn_17_declarations_beside_an_npc(
    tricks: tuple[int, ...], declared: str, premium: tuple[int, ...]
) -> None:
    """Both fail: the NPC alone, 60. One of two fails: 30 + 30 to the other, 30 to the NPC. One alone fails: 30 each."""
    won = dict(zip(("A", "B", NPC), tricks, strict=True))
    bids = {"A": 4, "B": 3, NPC: 2}
    step = finish("AB", won, bids, dict.fromkeys(declared, "declaration"))
    rows = one(step.events, "roundScored")["rows"]
    assert tuple(rows[who]["premium"] for who in won) == premium


@pytest.mark.parametrize(
    ("tricks", "made"),
    [((3, 10), (True, True)), ((2, 11), (False, False)), ((13, 0), (True, True)), ((10, 3), (False, False))],
)
def test_r6_9_pn_19_ten_more_are_right_without_an_npc(tricks: tuple[int, int], made: tuple[bool, bool]) -> None:
    """Bids of 3 and 0: 3 and 10, or 13 and 0, are right."""
    step = finish("AB", {"A": tricks[0], "B": tricks[1]}, {"A": 3, "B": 0}, twoPlayer="noNpc")
    assert tuple(step.state.last_round[who].made for who in "AB") == made


def test_r6_9_pn_19_the_bonus_grows_with_each_in_a_row() -> None:
    """Ten, twenty, thirty; a failure begins anew; the other's luck does not matter."""
    bids = {"A": 3, "B": 0}
    for streak, bonus in ((0, 10), (1, 20), (2, 30)):
        step = finish("AB", {"A": 3, "B": 10}, bids, changes={"streaks": {"A": streak, "B": 0}}, twoPlayer="noNpc")
        assert points(step) == {"A": 3 + bonus, "B": 20}
        assert step.state.streaks == {"A": streak + 1, "B": 1}
    step = finish("AB", {"A": 4, "B": 9}, bids, changes={"streaks": {"A": 2, "B": 5}}, twoPlayer="noNpc")
    assert points(step) == {"A": 4, "B": 9}
    assert step.state.streaks == {"A": 0, "B": 0}


# ---------------------------------------------------------------- what is shown, and the end


def test_r6_10_pn_9_who_made_it_shows_the_bid_and_nobody_else() -> None:
    """Not in events, not in views, whoever looks; one's own stays one's own. A declared one has been seen."""
    bids = {"A": 4, "B": 6, "C": 0}
    step = finish("ABC", {"A": 4, "B": 3, "C": 2}, bids, {"C": "declaration"}, rounds=3)
    assert [event["player"] for event in every(step.events, "bidShown")] == ["A"]
    rows = one(step.events, "roundScored")["rows"]
    assert {who: row["bid"] for who, row in rows.items()} == {"A": 4, "B": None, "C": 0}
    state = step.state
    for _ in range(2):  # at the round's end, and after it
        for viewer in ("A", "C", None):
            shown = GAME.view(state, viewer)["bids"]
            if state.phase == "roundEnd":
                assert shown["B"] == {"hidden": True}
                assert [c["id"] for c in shown["C"]["cards"]] == [*step.state.bids["C"]]
                assert shown["A"]["tricks"] == 4
            assert GAME.view(state, viewer)["lastRound"]["B"]["bid"] is None
        assert state.phase != "roundEnd" or GAME.view(state, "B")["bids"]["B"]["tricks"] == 6
        state = lapse(state).state


def test_r6_10_pn_13_the_npcs_bid_too_only_where_it_was_made() -> None:
    """Shown at the score, or never."""
    bids = {"A": 4, "B": 3, NPC: 2}
    made = finish("AB", {"A": 4, "B": 3, NPC: 2}, bids)
    assert NPC in [event["player"] for event in every(made.events, "bidShown")]
    assert GAME.view(made.state, "A")["bids"][NPC]["tricks"] == 2
    failed = finish("AB", {"A": 4, "B": 4, NPC: 1}, bids)
    assert NPC not in [event["player"] for event in every(failed.events, "bidShown")]
    assert GAME.view(failed.state, "A")["bids"][NPC] == {"hidden": True}


def test_r6_11_pn_10_equal_totals_share_the_win() -> None:
    """And the rank; the next rank is left out."""
    scores = {"A": 0, "B": 20, "C": 10}
    step = finish("ABC", {"A": 4, "B": 3, "C": 2}, {"A": 4, "B": 6, "C": 0}, changes={"scores": scores})
    assert step.state.scores == {"A": 34, "B": 23, "C": 12}
    shared = finish(
        "ABC",
        {"A": 4, "B": 3, "C": 2},
        {"A": 4, "B": 6, "C": 0},
        changes={"scores": {"A": 0, "B": 31, "C": 10}},
    )
    result: Any = GAME.result(shared.state)
    assert result["winner"] == ["A", "B"]
    assert [(row["player"], row["rank"], row["score"]) for row in result["ranking"]] == [
        ("A", 1, 34),
        ("B", 1, 34),
        ("C", 3, 12),
    ]
    assert "함께" in result["summary"]


def test_r6_11_the_npc_does_not_win() -> None:
    """However much it has; its score stands beside the ranking."""
    step = finish(
        "AB",
        {"A": 4, "B": 3, NPC: 2},
        {"A": 4, "B": 3, NPC: 2},
        changes={"scores": {"A": 0, "B": 0, NPC: 500}},
    )
    result: Any = GAME.result(step.state)
    assert result["winner"] == ["A"]
    assert {row["player"] for row in result["ranking"]} == {"A", "B"}
    assert result["npcScore"] == 512


def test_r8_6_1_the_result() -> None:
    """By score; each with its rounds, which add up to it."""
    for players in ("AB", "ABC", "ABCD"):
        state = over_at_once(players=players, rounds=6)
        result: Any = GAME.result(state)
        rows = result["ranking"]
        assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
        assert all(sum(row["rounds"]) == row["score"] and len(row["rounds"]) == 6 for row in rows)
        assert ("npcScore" in result) == (players == "AB")
        assert result["winner"] == [row["player"] for row in rows if row["rank"] == 1]
        assert GAME.result(bid(new(players), "A").state) is None
