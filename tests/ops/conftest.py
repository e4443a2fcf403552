"""These tests play `bench-turn`, which is registered for them alone."""

from importlib.metadata import EntryPoint, entry_points

import pytest

from engines.catalog import GAMES, GROUP


@pytest.fixture(autouse=True)
def _bench_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = EntryPoint("bench-turn", "ops.bench.turn:GAME", GROUP)
    monkeypatch.setattr(GAMES, "_registered", [*entry_points(group=GROUP), bench])
    monkeypatch.setattr(GAMES, "_by_id", None)
