"""Korean pot betting: prices against the document's table (섯다 5.4), refusals, and whose turn it is."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from engines.kernel.betting import (
    CANNOT_CHECK,
    CANNOT_PING,
    LABELS,
    NO_FULL,
    NO_MORE_RAISE,
    NOTHING_TO_CALL,
    NOTHING_TO_DOUBLE,
    TOO_FEW_CHIPS,
    Spot,
    next_to_act,
    price,
    prices,
)


def spot(pot: int = 30, to_call: int = 0, **how: object) -> Spot:
    """An unhurried place in a round: deep stack, base unit 10, every raise allowed."""
    usual = {"opened": to_call > 0, "acted": False, "stack": 1000, "unit": 10, "full": True}
    return Spot(pot, to_call, **{**usual, **how})  # type: ignore[arg-type]


def test_s5_4_prices_before_anybody_has_bet() -> None:
    """Nothing to call or to double; the raises are of the pot, rounded down."""
    assert dict(prices(spot(pot=43))) == {"die": 0, "check": 0, "ping": 10, "quarter": 10, "half": 21, "full": 43}


def test_s5_4_prices_facing_a_bet() -> None:
    """The document's formulas, on pot 75 and 35 to call."""
    assert dict(prices(spot(pot=75, to_call=35))) == {
        "die": 0,
        "call": 35,
        "ddadang": 70,
        "quarter": 35 + 27,
        "half": 35 + 55,
        "full": 35 + 110,
    }


def test_sd_3_every_raise_adds_at_least_the_base_unit() -> None:
    """4 to call: 따당 8 becomes 14. A pot of 20: 쿼터 5 becomes 10."""
    assert price("ddadang", spot(pot=24, to_call=4)) == 14
    assert price("quarter", spot(pot=20)) == 10
    assert price("half", spot(pot=10, to_call=2)) == 2 + 10


def test_sd_2_a_bet_of_the_whole_stack_or_more_is_all_in() -> None:
    """Capped at the stack first: more than what is to call is a raise, however short; no more is only a call."""
    assert dict(prices(spot(pot=200, to_call=50, stack=50))) == {"die": 0, "call": 50}
    assert dict(prices(spot(pot=200, to_call=50, stack=30))) == {"die": 0, "call": 30}
    assert dict(prices(spot(pot=200, to_call=50, stack=51))) == {
        "die": 0,
        "call": 50,
        "ddadang": 51,
        "quarter": 51,
        "half": 51,
        "full": 51,
    }
    assert price("quarter", spot(to_call=50, stack=50)) is TOO_FEW_CHIPS


def test_sd_7_ping_with_less_than_the_base_unit() -> None:
    """All-in for what there is."""
    assert price("ping", spot(stack=7)) == 7


@pytest.mark.parametrize("bet", ["ddadang", "quarter", "half", "full"])
def test_sd_5_one_turn_of_ones_own_in_a_round(bet: str) -> None:
    """Whoever has checked, called, bet or raised may only call or die."""
    assert price(bet, spot(to_call=20, acted=True)) is NO_MORE_RAISE  # type: ignore[arg-type]
    assert [bet for bet, _ in prices(spot(to_call=20, acted=True))] == ["die", "call"]


def test_the_other_refusals() -> None:
    """Each says what is in the way."""
    assert price("check", spot(to_call=10)) is CANNOT_CHECK
    assert price("ping", spot(to_call=10)) is CANNOT_PING
    assert price("call", spot()) is NOTHING_TO_CALL
    assert price("ddadang", spot()) is NOTHING_TO_DOUBLE
    assert price("full", spot(full=False)) is NO_FULL
    assert price("full", spot(to_call=10, full=False, acted=True)) is NO_FULL


def test_sd_46_a_check_needs_that_nobody_has_opened() -> None:
    """Not that nothing is to call: who has bet and is called cannot check after it."""
    assert price("check", spot(to_call=0, opened=True)) is CANNOT_CHECK


def test_sd_45_dying_is_always_free() -> None:
    """Also where a check is."""
    assert price("die", spot()) == 0
    assert next(iter(LABELS)) == "die"


# ---------------------------------------------------------------- turns


class One(NamedTuple):
    folded: bool = False
    all_in: bool = False
    acted_this_round: bool = False
    committed_round: int = 0


OUT, ALL_IN = One(folded=True), One(all_in=True)


def following(start: int, bet: int, **players: One) -> str | None:
    return next_to_act(list(players), start, players, bet)


def test_the_turn_goes_round_from_the_place_given() -> None:
    """Past those who are out or all-in, and back to the first."""
    assert following(0, 0, A=One(), B=One(), C=One()) == "A"
    assert following(1, 0, A=One(), B=OUT, C=One()) == "C"
    assert following(2, 10, A=One(), B=One(acted_this_round=True, committed_round=10), C=ALL_IN) == "A"


def test_a_round_is_over_when_all_have_acted_and_matched() -> None:
    """Nobody follows then; whoever has acted but is behind does."""
    done, behind = One(acted_this_round=True, committed_round=30), One(acted_this_round=True, committed_round=10)
    assert following(0, 30, A=done, B=done, C=OUT) is None
    assert following(0, 30, A=done, B=behind) == "B"


def test_sd_8_who_is_alone_in_being_able_to_act_is_asked_only_when_owing() -> None:
    """Any bet would come back."""
    assert following(0, 0, A=One(), B=ALL_IN, C=OUT) is None
    assert following(0, 20, A=One(), B=ALL_IN) == "A"
    assert following(0, 20, A=One(committed_round=20), B=ALL_IN) is None


def test_nobody_left_to_act() -> None:
    assert following(0, 0, A=ALL_IN, B=ALL_IN) is None
