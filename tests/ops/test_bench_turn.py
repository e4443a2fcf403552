"""The game that measurements play passes the contract that every game passes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engines.kernel.contract import Action, Json, PlayerId, Rejected
from ops.bench.turn import GAME, SILENT_ROUNDS
from tests.engines import test_contract as contract
from tests.engines.audits import Audit


def _other_world(dump: Json, viewer: PlayerId | None, rng: Random, action: Action | None) -> Json:
    """Nothing is hidden but how many turns in a row nobody answered."""
    return {**dump, "silent": rng.randrange(2) if dump["silent"] < 2 else dump["silent"]}


AUDIT = Audit(
    conserved=lambda dump: tuple(dump["seats"]), other_world=_other_world, revealing=frozenset(), most_moves=2_000
)
LAWS: list[Callable[..., Any]] = [law for name, law in sorted(vars(contract).items()) if name.startswith("test_")]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_contract(law: Callable[..., Any]) -> None:
    takes = law.__code__.co_varnames[: law.__code__.co_argcount]
    law(**{name: {"game": GAME, "audit": AUDIT}[name] for name in takes})


def test_it_ends_when_nobody_is_there() -> None:
    """A room is not kept for ever by a game that nobody plays."""
    step = GAME.setup({"turnSeconds": 2}, ["A", "B"], bytes(32), 0)
    assert not isinstance(step, Rejected)
    state, turns = step.state, 0
    while (deadline := GAME.deadline(state)) is not None:
        state, turns = GAME.timeout(state, deadline).state, turns + 1
    assert turns == SILENT_ROUNDS * 2
