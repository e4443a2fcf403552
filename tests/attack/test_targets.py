"""Whatever arrives, nothing raises, nothing is held, and the room plays on: by Hypothesis, a sample.

`tests/attack/million.py` (``make fuzz``) does the same a million times, and under a coverage-guided fuzzer.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.attack.inputs import mutated, seeds
from tests.attack.targets import TARGETS, Target

EXAMPLES = 60


@pytest.fixture(scope="module", params=sorted(TARGETS))
def attacked(request: pytest.FixtureRequest) -> tuple[str, Target]:
    return request.param, TARGETS[request.param]()


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_arrives_does_no_harm(attacked: tuple[str, Target], data: st.DataObject) -> None:
    """Broken things and pure noise, also several one after the other."""
    name, target = attacked
    kinds = seeds(name)
    for _ in range(data.draw(st.integers(1, 4))):
        whole = data.draw(st.sampled_from(kinds))
        seed = data.draw(st.integers(0, 2**32))
        target(data.draw(st.one_of(st.binary(max_size=200), st.just(mutated(whole, Random(seed), kinds)))))
    target.check()


def test_well_formed_things_are_taken(attacked: tuple[str, Target]) -> None:
    """So that an attack does not fail at the first byte: what attacks are made of is understood."""
    name, target = attacked
    for whole in seeds(name):
        target(whole)
    target.check()
