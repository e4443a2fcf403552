"""Percentiles and tables: what reports are made of."""

from __future__ import annotations

import pytest

from ops.stats import percentile, summary_ms
from ops.tables import table


@pytest.mark.parametrize(("share", "expected"), [(0.5, 50), (0.95, 95), (0.99, 99), (1.0, 100), (0.001, 1)])
def test_a_percentile_is_one_of_the_values(share: float, expected: int) -> None:
    """Nearest rank: no figure is reported that was not measured."""
    assert percentile(range(1, 101), share) == expected
    assert percentile([7], share) == 7


def test_a_summary_is_in_milliseconds() -> None:
    assert summary_ms([0.003, 0.001, 0.002], (0.5, 0.99)) == {"p50": 2.0, "p99": 3.0, "max": 3.0}
    assert summary_ms([], (0.5,)) == {"p50": None, "max": None}


def test_columns_line_up_in_hangul_too() -> None:
    lines = table(("game", "n"), [("구십구", 7), ("bench", 12)]).splitlines()
    assert lines == ["game     n", "구십구   7", "bench   12"]
