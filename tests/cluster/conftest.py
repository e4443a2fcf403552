"""The cluster's tests play `lamps`, which is registered for them alone."""

from importlib.metadata import EntryPoint, entry_points

import pytest

from engines.catalog import GAMES, GROUP


@pytest.fixture(autouse=True)
def _lamps(monkeypatch: pytest.MonkeyPatch) -> None:
    lamps = EntryPoint("lamps", "tests.cluster.lamps:GAME", GROUP)
    monkeypatch.setattr(GAMES, "_registered", [*entry_points(group=GROUP), lamps])
    monkeypatch.setattr(GAMES, "_by_id", None)
