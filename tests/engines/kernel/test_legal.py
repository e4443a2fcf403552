"""Lists of legal actions, in which one may stand for many."""

from __future__ import annotations

from random import Random

import pytest

from engines.kernel.legal import choices, is_range, matches, ranged, sample

RAISE = {"type": "raise", "by": ranged(2, 4), "side": ranged(0, 1)}
PASS = {"type": "pass"}


def test_choices_writes_them_out() -> None:
    """Every combination; a plain action is itself."""
    assert list(choices(PASS)) == [PASS]
    written = [(action["by"], action["side"]) for action in choices(RAISE)]
    assert written == [(2, 0), (2, 1), (3, 0), (3, 1), (4, 0), (4, 1)]


def test_sample_is_one_of_them() -> None:
    """Ends included, everything at some time."""
    rng = Random(1)
    drawn = [sample([RAISE, PASS], rng) for _ in range(200)]
    everything = [*choices(RAISE), PASS]
    assert all(action in everything for action in drawn)
    assert all(action in drawn for action in everything)


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ({"type": "raise", "by": 4, "side": 0}, True),
        ({"type": "raise", "by": 4, "side": 0, "note": None}, True),
        ({"type": "pass"}, True),
        ({"type": "raise", "by": 5, "side": 0}, False),
        ({"type": "raise", "by": 2.0, "side": 0}, False),
        ({"type": "raise", "by": 3, "side": True}, False),
        ({"type": "raise", "by": 3}, False),
        ({"type": "raise", "by": ranged(2, 4), "side": 0}, False),
        ({"type": "pass", "by": 2}, False),
        ({}, False),
    ],
)
def test_matches(action: dict[str, object], expected: bool) -> None:
    """A concrete action is one of those listed, field by field; null is absent."""
    assert matches([RAISE, PASS], action) is expected


def test_a_listed_null_is_absent_too() -> None:
    """`{"suit": null}`, none of them, is listed as such, and may be said with the null or without."""
    listed = [{"type": "trump", "suit": "S"}, {"type": "trump", "suit": None}]
    assert matches(listed, {"type": "trump", "suit": None})
    assert matches(listed, {"type": "trump"})
    assert not matches(listed, {"type": "trump", "suit": "H"})
    assert not matches(listed[:1], {"type": "trump", "suit": None})


def test_what_is_a_range() -> None:
    """Exactly min and max."""
    assert is_range({"min": 1, "max": 2})
    assert not any(is_range(value) for value in ({"min": 1}, {"min": 1, "max": 2, "step": 1}, [1, 2], 3, None))
