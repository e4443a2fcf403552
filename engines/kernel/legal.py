"""Working with lists of legal actions, in which one ranged action stands for many.

``{"type": "play", "cardId": "j-1", "jokerValue": {"min": 60, "max": 99}}`` is forty actions; `choices` writes them
out, `sample` picks one, and `matches` asks whether a concrete action is among those listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, TypeGuard

from engines.kernel.contract import Action, Range

_RANGE = frozenset(Range.__struct_fields__)


def ranged(low: int, high: int) -> dict[str, int]:
    """A `Range` as it stands in an action."""
    return {"min": low, "max": high}


def is_range(value: Any) -> TypeGuard[dict[str, int]]:
    """Whether a field's value stands for many."""
    return isinstance(value, dict) and value.keys() == _RANGE


def choices(action: Action) -> Iterator[Action]:
    """Every concrete action that this one stands for."""
    values = [range(v["min"], v["max"] + 1) if is_range(v) else (v,) for v in action.values()]
    for chosen in product(*values):
        yield dict(zip(action, chosen, strict=True))


def sample(legal: Sequence[Action], rng: Random) -> Action:
    """One concrete action: first any of those listed, then any number of its ranges."""
    action = rng.choice(legal)
    return {name: rng.randint(v["min"], v["max"]) if is_range(v) else v for name, v in action.items()}


def matches(legal: Iterable[Action], action: Mapping[str, Any]) -> bool:
    """Whether a concrete action is one of those listed; a field that is null counts as absent, in both."""
    said = _without_nulls(action)
    for one in map(_without_nulls, legal):
        # Lists may be long, and most have no ranges: what differs is told apart by the first comparison.
        alike = one == said or (one.keys() == said.keys() and any(map(is_range, one.values())))
        if alike and all(_fits(one[name], value) for name, value in said.items()):
            return True
    return False


def _without_nulls(action: Mapping[str, Any]) -> Mapping[str, Any]:
    if None not in action.values():
        return action
    return {name: value for name, value in action.items() if value is not None}


def _fits(listed: Any, value: Any) -> bool:
    if is_range(listed):
        return type(value) is int and listed["min"] <= value <= listed["max"]
    return type(value) is type(listed) and bool(value == listed)
