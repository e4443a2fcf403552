"""The page around the tables, in a real browser: coming by link, a second tab, a phone whose clock is wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

import pytest

from tests.e2e.browsing import BROWSER_TEST, PHONE, SMALL, Visitor, open_room
from tests.e2e.running import QUICK_BOTS, Hanpan, hanpan

pytestmark = BROWSER_TEST

Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def running() -> Iterator[Hanpan]:
    with hanpan("--spares", "2", HANPAN_ROOM_SETTINGS=QUICK_BOTS) as started:
        yield started


def test_a_friend_comes_by_link_and_both_see_the_same_table(visit: Visit, running: Hanpan) -> None:
    me, friend = visit(SMALL).page, visit(PHONE).page
    open_room(me, running.url, "구십구")
    friend.goto(me.url)
    friend.get_by_role("button", name="방에 들어가기").click()
    friend.get_by_role("button", name="준비").first.click()
    me.get_by_role("button", name="시작").click()
    for page in (me, friend):
        page.locator("main.nn").wait_for()
    assert me.locator(".nncard").count() == friend.locator(".nncard").count() == 5


def test_a_second_tab_takes_over_and_the_first_says_so(visit: Visit, running: Hanpan) -> None:
    me = visit(SMALL)
    open_room(me.page, running.url, "구십구")
    second = me.context.new_page()
    me.listen(second)
    second.goto(me.page.url)
    second.get_by_role("button", name="시작").wait_for()
    me.page.get_by_text("다른 창에서").first.wait_for()


def test_the_generic_table_plays_any_game(visit: Visit, running: Hanpan) -> None:
    me = visit(PHONE).page
    open_room(me, f"{running.url}/?table=generic", "나인티 나인 (Parlett)")
    me.get_by_role("button", name="시작").click()
    marks = me.locator("main.generic.mine .mark")
    marks.first.wait_for()
    for i in range(3):
        marks.nth(i).click()
    me.locator("main.generic .primary:enabled").click()
    me.locator("main.generic").get_by_text("프리미엄").first.wait_for()


CRAZY_CLOCK = """
const real = Date.now.bind(Date);
let jumps = 0;
Date.now = () => real() + 600_000 * (++jumps % 3 - 1);
"""


def test_a_wrong_clock_of_the_phone_changes_no_countdown(visit: Visit, running: Hanpan) -> None:
    """Ten minutes off, and jumping: the countdown is what the server said, by the page's own stopwatch."""
    phone = visit(SMALL).page
    deadlines: list[tuple[float, int]] = []

    def heard(frame: str | bytes) -> None:
        message = json.loads(frame)
        if "deadlineIn" in message:
            deadlines.append((time.monotonic(), message["deadlineIn"]))

    phone.add_init_script(CRAZY_CLOCK)
    phone.on("websocket", lambda socket: socket.on("framereceived", heard))
    open_room(phone, running.url, "구십구")
    phone.get_by_role("button", name="시작").click()
    phone.locator("main.mine [data-seconds]").wait_for()
    phone.wait_for_timeout(1200)
    shown = phone.evaluate("parseFloat(document.querySelector('.dial').style.getPropertyValue('--left'))") * 15_000
    at, said = deadlines[-1]
    expected = said - (time.monotonic() - at) * 1000
    assert abs(shown - expected) < 2_000  # a busy machine; a phone's clock would be off by 600,000
