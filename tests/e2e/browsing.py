"""People with browsers, for tests of tables: what they hear, what they see, and pictures of it.

A table's test takes people and a running hanpan from the fixtures in ``conftest.py``, plays with ``play_on`` and its
game's function of ``playing.py``, and keeps pictures with `picture`.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as PageError
from playwright.sync_api import TimeoutError as PageTimeout

ROOT = Path(__file__).parents[2]
ARTIFACTS = Path(os.environ.get("HANPAN_ARTIFACTS", ROOT / ".artifacts"))
AXE = ROOT / ".node" / "node_modules" / "axe-core" / "axe.min.js"

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = (  # no sandbox inside containers, and no calls home
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
BROWSER_TEST = [
    pytest.mark.e2e,
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: `make browser` installs it"),
]
NEEDS_AXE = pytest.mark.skipif(not AXE.exists(), reason="no axe-core here: `make browser` installs it")

SMALL, PHONE, DESKTOP = (360, 640), (390, 844), (1280, 800)


class Visitor:
    """One person's browser: its page, everything its socket said, and whatever went wrong on it."""

    def __init__(self, browser: Browser, size: tuple[int, int] = PHONE, **context: Any) -> None:
        width, height = size
        touch = width < 700
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, locale="ko-KR", has_touch=touch, **context
        )
        self.page = self.context.new_page()
        self.messages: list[dict[str, Any]] = []
        self.faults: list[str] = []
        self.listen(self.page)

    def listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        page.on("request", lambda asked: None if "127.0.0.1" in asked.url else self.faults.append(asked.url))
        page.on("websocket", lambda socket: socket.on("framereceived", self._heard))

    def _heard(self, frame: str | bytes) -> None:
        self.messages.append(json.loads(frame))

    def views(self) -> dict[int, dict[str, Any]]:
        """What this person was shown after each step of the game, by its seq."""
        return {m["seq"]: m["view"] for m in self.messages if m.get("view") is not None}

    def close(self) -> None:
        self.context.close()
        assert self.faults == [], self.faults  # said here: pytest explains only what stands in a test's own file


Visit = Callable[..., Visitor]  # ``visit(PHONE)``: the fixture


def visitors(browser: Browser) -> Iterator[Visit]:
    """Makes visitors, and closes them; an error on any page, or a request to another host, fails the test."""
    opened: list[Visitor] = []

    def visit(size: tuple[int, int] = PHONE, **context: Any) -> Visitor:
        opened.append(Visitor(browser, size, **context))
        return opened[-1]

    yield visit
    for visitor in opened:
        visitor.close()


def open_room(
    page: Page,
    url: str,
    title: str,
    *,
    bots: int | None = None,
    selected: Mapping[str, str] | None = None,
    house: Mapping[str, str] | None = None,
    **choices: str,
) -> str:
    """Through the lobby's form; the room's code.

    With so many bots and a seat for me, or with those that it proposes; with these choices of options by their buttons,
    these from lists, and these of the house rules, which are folded away.
    """
    page.goto(url)
    game = page.locator("article.game", has=page.get_by_role("heading", name=title, exact=True))
    game.get_by_role("button", name="방 만들기").click()
    dialog = page.get_by_role("dialog")
    if bots is not None:
        for label, wanted in (("자리", bots + 1), ("봇", bots)):
            stepper = dialog.get_by_role("group", name=label, exact=True)
            shown = int(stepper.locator("output").inner_text())
            while shown != wanted:
                stepper.get_by_role("button").nth(int(shown < wanted)).click()
                shown += 1 if shown < wanted else -1
                stepper.get_by_text(str(shown), exact=True).wait_for()
    for label, choice in choices.items():
        dialog.get_by_role("group", name=label).get_by_role("radio", name=choice, exact=True).check()
    if house:
        dialog.get_by_text("하우스 룰").click()
    for label, choice in {**(selected or {}), **(house or {})}.items():
        field = dialog.locator("label.field", has=page.get_by_text(label, exact=True))
        field.locator("select").select_option(label=choice)
    dialog.get_by_role("button", name="방 만들기").click()
    page.wait_for_url("**/r/*")
    return page.url.rsplit("/", 1)[1]


def come_in(page: Page, url: str, to: Literal["sit", "play", "watch"] = "sit") -> None:
    """By the link of a room, with the name that is proposed: to wait on a seat, to be ready on it, or to look on."""
    page.goto(url)
    page.get_by_role("button", name="방에 들어가기").click()
    if to == "play":
        page.get_by_role("button", name="준비").first.click()
    if to == "watch":
        page.get_by_role("button", name="일어나기").click()


def close_hints(page: Page) -> None:
    """Reads whatever a newcomer is told just now. The next one is there only once the page has drawn again."""
    coach = page.locator(".coach")
    while coach.count():
        told = coach.get_by_role("paragraph").inner_text()
        coach.get_by_role("button", name="알겠어요").click()
        coach.filter(has_text=told).wait_for(state="detached")


def play_on(
    pages: Page | Sequence[Page], turn: Callable[[Page], None], until: Callable[[], Any], seconds: float = 150
) -> None:
    """Does whatever the table asks of these people, until something is so. What `turn` asserts is asserted."""
    end = time.monotonic() + seconds
    everyone = [pages] if isinstance(pages, Page) else pages
    while not until():
        assert time.monotonic() < end, "\n\n".join(page.inner_text("body") for page in everyone)
        for page in everyone:
            if page.locator("main.mine").count():
                try:
                    turn(page)
                except PageError:  # the turn has passed between two looks: look again
                    continue
        everyone[0].wait_for_timeout(30)


def is_over(page: Page) -> bool:
    return page.locator("main.over").count() > 0


AT_REST = """() => document.getAnimations().every((one) =>
  one.playState !== "running" || one.effect.getComputedTiming().endTime === Infinity)"""


def rest(page: Page) -> None:
    """Until all that moves by itself has come to rest, or for as long as that may take where the game goes on."""
    page.wait_for_timeout(350)
    with contextlib.suppress(PageTimeout):
        page.wait_for_function(AT_REST, timeout=2500)


def picture(page: Page, name: str) -> Path:
    """Keeps a picture of the page as it is, when it has come to rest."""
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    rest(page)
    size = page.viewport_size
    assert size is not None
    path = ARTIFACTS / f"{name}-{size['width']}x{size['height']}.png"
    page.screenshot(path=path)
    return path


def pictures(page: Page, name: str) -> None:
    """Of the same moment, on a phone and on a desktop."""
    before = page.viewport_size
    for width, height in (PHONE, DESKTOP):
        page.set_viewport_size({"width": width, "height": height})
        picture(page, name)
    if before is not None:
        page.set_viewport_size(before)


def no_serious_findings(page: Page) -> None:
    """axe's check of what is on the page now. It is evaluated from outside, so the page's policy need not allow it.

    Where axe is not installed nothing is checked; tests that are about nothing else are then skipped (`NEEDS_AXE`).
    """
    if not AXE.exists():
        return
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    rest(page)  # a colour in the middle of a transition has the contrast of neither end, and so has a card on its way
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    grave = [
        (one["id"], one["help"], [(node["html"][:160], node["failureSummary"]) for node in one["nodes"]][:3])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert not grave, "\n".join(map(str, grave))


def fits(page: Page) -> None:
    """Nothing sticks out to the side, and on a table nothing below the screen."""
    wide, high, playing = page.evaluate(
        "[document.documentElement.scrollWidth - innerWidth,"
        " Math.max(0, ...[...document.querySelectorAll('.board > *')]"
        ".map((e) => e.getBoundingClientRect().bottom - innerHeight)),"
        " document.querySelector('.room.playing') !== null]"
    )
    assert wide <= 0
    assert not playing or high <= 1


def small_targets(page: Page) -> list[tuple[str, int, int]]:
    """Buttons that are there to be tapped and smaller than a fingertip, 48 × 48. What overlaps a card counts for it."""
    return [
        (name, width, height)
        for name, width, height in page.evaluate(
            "[...document.querySelectorAll('button')].filter((b) => b.checkVisibility() && !b.disabled).map((b) => {"
            " const r = b.getBoundingClientRect();"
            " return [b.getAttribute('aria-label') ?? b.innerText, Math.round(r.width), Math.round(r.height)]; })"
        )
        if width < 48 or height < 48
    ]
