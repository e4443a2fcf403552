"""What the tests in a real browser share: one browser and one hanpan a module, and the people who use them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.e2e.browsing import CHROMIUM, QUIET, Visit, visitors
from tests.e2e.running import QUICK_BOTS, Hanpan, hanpan

expect.set_options(timeout=30_000)  # as for clicks: the usual 5 s are soon over on a busy machine


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield started
        started.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Makes people with browsers: ``visit(PHONE)``."""
    yield from visitors(browser)


@pytest.fixture(scope="module")
def running() -> Iterator[Hanpan]:
    """A hanpan whose bots do not think for long. A module that wants another one has a fixture of this name."""
    with hanpan("--spares", "2", HANPAN_ROOM_SETTINGS=QUICK_BOTS) as started:
        yield started
