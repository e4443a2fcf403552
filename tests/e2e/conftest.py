"""What the tests in a real browser share: one browser a module, and the people who use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.e2e.browsing import CHROMIUM, QUIET, Visitor, visitors

expect.set_options(timeout=30_000)  # as for clicks: the usual 5 s are soon over on a busy machine


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield started
        started.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Visitor]]:
    """Makes people with browsers: ``visit(PHONE)``."""
    yield from visitors(browser)
