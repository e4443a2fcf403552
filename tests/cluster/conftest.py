"""The cluster's tests play `lamps` and its variants, which are registered for them alone."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points

import pytest
import structlog

from cluster import agent, moving, placement, pool, upkeep
from engines.catalog import GAMES, GROUP
from tests.cluster.variants import VARIANTS


@pytest.fixture(autouse=True)
def _lamps(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("lamps", "tests.cluster.lamps:GAME", GROUP)]
    points += [EntryPoint(name, f"tests.cluster.variants:{name}", GROUP) for name in VARIANTS]
    monkeypatch.setattr(GAMES, "_registered", [*entry_points(group=GROUP), *points])
    monkeypatch.setattr(GAMES, "_by_id", None)


@pytest.fixture
def quick_restarts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Directories, agents and hand-overs that need not wait for slow machines."""
    monkeypatch.setattr(upkeep, "ADOPTION_SECONDS", 0.3)
    monkeypatch.setattr(placement, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr(moving, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr(agent, "SETTLE_SECONDS", 0.3)
    monkeypatch.setattr(pool, "REFILL_SECONDS", 0.01)


@pytest.fixture(autouse=True)
def _plain_logs() -> Iterator[None]:
    """Without the seconds that pretty tracebacks take: some tests crash rooms on purpose."""
    before = structlog.get_config()
    plain = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.stdlib.add_log_level, plain])
    yield
    structlog.configure(**before)
