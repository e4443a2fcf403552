"""A person with a phone: a real browser plays a game against bots to its end, through a kill of the room's process."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.running import Hanpan, hanpan

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

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: `make browser` installs it"),
]


@pytest.fixture(scope="module")
def running() -> Iterator[Hanpan]:
    with hanpan("--spares", "2", HANPAN_ROOM_SETTINGS='{"bot_delay": [20, 60]}') as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield started
        started.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A small phone that fails the test for any error on the page, and for any request to another host."""
    context = browser.new_context(viewport={"width": 360, "height": 640}, locale="ko-KR", has_touch=True)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on("request", lambda asked: None if "127.0.0.1" in asked.url else faults.append(asked.url))
    yield page
    context.close()
    assert faults == []


def open_room(phone: Page, running: Hanpan) -> str:
    """Through the lobby's form, with the bots it proposes; the room's code."""
    phone.goto(running.url)
    phone.get_by_role("button", name="방 만들기").first.click()
    dialog = phone.get_by_role("dialog")
    dialog.get_by_text("구십구 방 만들기").wait_for()
    dialog.get_by_role("button", name="방 만들기").click()
    phone.wait_for_url("**/r/*")
    return phone.url.rsplit("/", 1)[1]


def play_a_card(phone: Page) -> None:
    """Taps a card that can be played, and then whatever it asks."""
    phone.locator("main.mine .nncard:not(.dead):enabled").first.click(timeout=500)
    ways = phone.locator(".tray button.primary:enabled")
    if ways.count():
        ways.last.click(timeout=500)
    else:
        phone.locator(".nncard[aria-pressed=true]").click(timeout=500)


def play_to_the_end(phone: Page, seconds: float = 150) -> None:
    end = time.monotonic() + seconds
    while not phone.locator("main.over").count():
        assert time.monotonic() < end, phone.inner_text("body")
        if phone.locator("main.mine").count():
            try:
                play_a_card(phone)
            except Exception:  # the turn has passed between two looks: look again
                continue
        phone.wait_for_timeout(30)


def test_a_game_against_bots_to_its_end_through_a_kill(phone: Page, running: Hanpan) -> None:
    code = open_room(phone, running)
    phone.get_by_role("button", name="시작").click()
    phone.locator("main.mine").wait_for()
    room = next(row for row in running.rooms().values() if row["code"] == code)
    os.kill(room["pid"], signal.SIGKILL)
    play_to_the_end(phone)
    again = next(row for row in running.rooms().values() if row["code"] == code)
    assert again["pid"] != room["pid"]
    assert running.tool("verify", room["id"])[0] == 0
    phone.get_by_role("button", name="한 판 더").click()
    phone.locator("main.nn:not(.over)").wait_for()


def test_a_friend_comes_by_link_and_both_see_the_same_table(phone: Page, browser: Browser, running: Hanpan) -> None:
    open_room(phone, running)
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="ko-KR")
    friend = context.new_page()
    friend.goto(phone.url)
    friend.get_by_role("button", name="방에 들어가기").click()
    friend.get_by_role("button", name="준비").first.click()
    phone.get_by_role("button", name="시작").click()
    for page in (phone, friend):
        page.locator("main.nn").wait_for()
    assert phone.locator(".nncard").count() == friend.locator(".nncard").count() == 5
    context.close()


def test_a_second_tab_takes_over_and_the_first_says_so(phone: Page, running: Hanpan) -> None:
    open_room(phone, running)
    second = phone.context.new_page()
    second.goto(phone.url)
    second.get_by_role("button", name="시작").wait_for()
    phone.get_by_text("다른 창에서").first.wait_for()


CRAZY_CLOCK = """
const real = Date.now.bind(Date);
let jumps = 0;
Date.now = () => real() + 600_000 * (++jumps % 3 - 1);
"""


def test_a_wrong_clock_of_the_phone_changes_no_countdown(phone: Page, running: Hanpan) -> None:
    """Ten minutes off, and jumping: the countdown is what the server said, by the page's own stopwatch."""
    deadlines: list[tuple[float, int]] = []

    def heard(frame: str | bytes) -> None:
        message = json.loads(frame)
        if "deadlineIn" in message:
            deadlines.append((time.monotonic(), message["deadlineIn"]))

    phone.add_init_script(CRAZY_CLOCK)
    phone.on("websocket", lambda socket: socket.on("framereceived", heard))
    open_room(phone, running)
    phone.get_by_role("button", name="시작").click()
    phone.locator("main.mine [data-seconds]").wait_for()
    phone.wait_for_timeout(1200)
    shown = phone.evaluate("parseFloat(document.querySelector('.dial').style.getPropertyValue('--left'))") * 15_000
    at, said = deadlines[-1]
    expected = said - (time.monotonic() - at) * 1000
    assert abs(shown - expected) < 2_000  # a busy machine; a phone's clock would be off by 600,000
