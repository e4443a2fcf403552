"""Percentiles, as they are reported."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of all values does not exceed (nearest rank)."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def summary_ms(seconds: Sequence[float], shares: Sequence[float]) -> dict[str, float | None]:
    """``{"p50": …, "p99": …, "max": …}`` in milliseconds; None for each where there are no values."""
    ordered = sorted(seconds)
    names = {f"p{share * 100:g}": share for share in shares}
    if not ordered:
        return dict.fromkeys([*names, "max"])
    figures = {name: round(percentile(ordered, share) * 1000, 3) for name, share in names.items()}
    return {**figures, "max": round(ordered[-1] * 1000, 3)}
