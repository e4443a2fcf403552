"""The cluster's tests play `lamps` and its variants, which are registered for them alone."""

from importlib.metadata import EntryPoint, entry_points

import pytest

from engines.catalog import GAMES, GROUP
from tests.cluster.variants import VARIANTS


@pytest.fixture(autouse=True)
def _lamps(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("lamps", "tests.cluster.lamps:GAME", GROUP)]
    points += [EntryPoint(name, f"tests.cluster.variants:{name}", GROUP) for name in VARIANTS]
    monkeypatch.setattr(GAMES, "_registered", [*entry_points(group=GROUP), *points])
    monkeypatch.setattr(GAMES, "_by_id", None)
