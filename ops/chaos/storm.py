"""Which fault comes when: one again and again, or a storm of all of them, in an order that its seed decides."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Set

from ops.chaos.fault import Fault
from ops.chaos.site import Need

MORE_TIME = "more time: the storm was over before its turn came"
BRIEF_SECONDS = 120.0  # a storm that is shorter leaves out what takes long


class Repeat:
    """One fault, so many times."""

    def __init__(self, fault: Fault, times: int) -> None:
        self._fault, self._left = fault, times

    def __call__(self, elapsed: float) -> Fault | None:
        self._left -= 1
        return self._fault if self._left >= 0 else None


class Storm:
    """Each fault once, in any order; then any of them, by weight. It ends when the time is up, also before each was."""

    def __init__(self, faults: Collection[Fault], seed: int, seconds: float) -> None:
        self._rng = random.Random(f"storm/{seed}")
        self._faults = list(faults)
        self._seconds = seconds
        self._once = list(self._faults)
        self._rng.shuffle(self._once)

    def __call__(self, elapsed: float) -> Fault | None:
        if elapsed >= self._seconds or not self._faults:
            return None
        if self._once:
            return self._once.pop()
        [fault] = self._rng.choices(self._faults, [each.weight for each in self._faults])
        return fault


def affordable(faults: Collection[Fault], seconds: float) -> list[Fault]:
    """Those for which a storm of this length has the time."""
    return [each for each in faults if each.brief or seconds >= BRIEF_SECONDS]


def left_out(
    wanted: Collection[str], cannot: Mapping[str, str], can: Collection[Fault], done: Set[str]
) -> dict[str, str]:
    """Which of the faults that were wanted were not done; and what they would have needed, in the report's words."""
    in_time = {fault.name for fault in can}
    why = {
        name: cannot.get(name) or (MORE_TIME if name in in_time else f"a storm of {BRIEF_SECONDS:.0f} s or more")
        for name in wanted
    }
    return {name: needs for name, needs in why.items() if name not in done}


def possible(faults: Mapping[str, Fault], offers: Set[Need]) -> tuple[list[Fault], dict[str, str]]:
    """What can be done there; and what cannot, with what it lacks."""
    lacking = {name: fault.needs - offers for name, fault in faults.items()}
    can = [fault for name, fault in faults.items() if not lacking[name]]
    return can, {name: "; ".join(sorted(need.value for need in needs)) for name, needs in lacking.items() if needs}
