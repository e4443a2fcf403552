"""The page in a real browser, as much of it as `make test` has time for.

Each game is played to its end by clicks, in a short form; what else every table is held to is in ``test_tables.py``. Of
the page around the tables: coming by link, a second tab, waiting alone, what a visit fetches, a phone whose clock is
wrong, and axe's findings on all screens.
"""

from __future__ import annotations

import json
import time

import pytest

from tests.e2e.browsing import (
    BROWSER_TEST,
    DESKTOP,
    NEEDS_AXE,
    PHONE,
    SMALL,
    Visit,
    come_in,
    fits,
    is_over,
    no_serious_findings,
    open_room,
    pictures,
    play_on,
    small_targets,
)
from tests.e2e.playing import TABLES
from tests.e2e.running import Hanpan

pytestmark = BROWSER_TEST


SHORT = {"seotda": {"나눠 주는 방식": "2장 한 번에 받고 한 번 베팅"}}


@pytest.mark.parametrize(
    "game", [game if game == "ninety-nine" else pytest.param(game, marks=pytest.mark.slow) for game in TABLES]
)
def test_people_and_bots_play_a_whole_game_by_clicks(visit: Visit, running: Hanpan, game: str) -> None:
    """Two people, one on a phone and one at a desk, and a bot or two; to the result, and on to the next game."""
    table = TABLES[game]
    host, guest = (visit(size, reduced_motion="reduce").page for size in (SMALL, DESKTOP))
    open_room(host, running.url, table.title, house=SHORT.get(game), **table.options)
    come_in(guest, host.url, to="play")
    host.get_by_role("button", name="시작").click()
    for page in (host, guest):
        page.locator(table.board).wait_for()
    play_on((host, guest), table.turn, lambda: is_over(host) and is_over(guest))
    for page in (host, guest):
        page.get_by_role("button", name="한 판 더").click()
    for page in (host, guest):
        page.locator(f"{table.board}:not(.over)").wait_for()


def test_who_waits_alone_in_an_open_room_is_offered_bots(visit: Visit, running: Hanpan) -> None:
    me = visit(PHONE).page
    me.goto(running.url)
    game = me.locator("article.game", has=me.get_by_role("heading", name="구십구", exact=True))
    game.get_by_role("button", name="빠른 대전").click()
    me.get_by_text("같이 할 사람을 찾고 있어요").wait_for()
    me.get_by_role("button", name="봇 2명과 시작").click(timeout=15_000)
    me.locator("main.nn.mine").wait_for()
    assert me.locator(".person").count() == 2


ALL_IS_HERE = """() => ["/play.js", "/ui/screens.js"].every((end) =>
  performance.getEntriesByType("resource").some(({ name }) => name.endsWith(end)))"""


def test_a_second_visit_fetches_nothing_that_it_has(visit: Visit, running: Hanpan) -> None:
    me = visit(PHONE)
    for path in ("", "/"):
        me.page.goto(running.url + path)
        me.page.locator("article.game").first.wait_for()
        me.page.wait_for_function(ALL_IS_HERE)
    fetched = dict(
        me.page.evaluate("performance.getEntriesByType('resource').map((one) => [one.name, one.transferSize])")
    )
    kept = {name: size for name, size in fetched.items() if "/a/" in name}
    assert len(kept) > 20
    assert set(kept.values()) == {0}
    assert {name.removeprefix(running.url) for name in fetched} - {name.removeprefix(running.url) for name in kept} <= {
        "/api/account",
        "/api/games",
        "/api/rooms",
    }


@NEEDS_AXE
@pytest.mark.parametrize("size", [SMALL, pytest.param(DESKTOP, marks=pytest.mark.slow)], ids=["phone", "desktop"])
def test_axe_finds_nothing_serious_around_the_tables(visit: Visit, running: Hanpan, size: tuple[int, int]) -> None:
    me, friend = visit(size), visit(size)
    page = me.page

    def looks_well(name: str) -> None:
        fits(page)
        assert small_targets(page) == []
        no_serious_findings(page)
        if size == SMALL:
            pictures(page, f"page-{name}")

    page.goto(running.url)
    page.locator("article.game").first.wait_for()
    looks_well("lobby")
    page.get_by_role("button", name="설정").click()
    looks_well("settings")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="방 만들기").first.click()
    page.get_by_text("하우스 룰").click()
    looks_well("create")
    page.get_by_role("dialog").get_by_role("button", name="방 만들기").click()
    page.get_by_role("button", name="시작").wait_for()
    looks_well("waiting")
    for button, name in (("초대하기", "invite"), ("바꾸기", "host"), ("메뉴", "menu"), ("규칙", "rules")):
        page.get_by_role("button", name=button, exact=True).click()
        page.get_by_role("dialog").wait_for()
        looks_well(name)
        page.keyboard.press("Escape")
    friend.page.goto(page.url)
    friend.page.get_by_role("button", name="방에 들어가기").wait_for()
    no_serious_findings(friend.page)
    pictures(friend.page, "page-name")
    page.get_by_role("button", name="나가기").first.click()
    looks_well("leave")
    page.get_by_role("dialog").get_by_role("button", name="나가기").click()
    page.locator("article.game").first.wait_for()


def test_a_drawing_moves_nothing_that_stays(visit: Visit, running: Hanpan) -> None:
    """What is drawn again keeps its place in the document: it would lose its focus, and begin its animation anew."""
    page = visit(PHONE).page
    page.goto(running.url)
    page.locator("article.game").first.wait_for()
    moved = page.evaluate(DRAWN_AGAIN)
    assert moved == {
        "removed": ["b"],
        "added": ["e"],
        "focused": "c",
        "order": ["a", "c", "d", "e"],
        "turned": "d c a e",
    }


DRAWN_AGAIN = """async () => {
  const { h, render } = await import(document.querySelector("script[type=module]").src.replace("main.js", "ui/dom.js"));
  const root = document.body.appendChild(document.createElement("ol"));
  const draw = (keys) => render(root, keys.map((key) => h("li", { key, id: key }, h("button", null, key))));
  draw(["a", "b", "c", "d"]);
  document.getElementById("c").firstChild.focus();
  const watch = new MutationObserver(() => {});
  watch.observe(root, { childList: true });
  draw(["a", "c", "d", "e"]);
  const seen = watch.takeRecords();
  const ids = (which) => seen.flatMap((one) => [...one[which]].map((node) => node.id));
  const order = [...root.children].map((node) => node.id);
  const focused = document.activeElement.parentElement.id;
  draw(["d", "c", "a", "e"]);
  const turned = [...root.children].map((node) => node.id).join(" ");
  root.remove();
  return { removed: ids("removedNodes"), added: ids("addedNodes"), focused, order, turned };
}"""


def test_a_friend_comes_by_link_and_both_see_the_same_table(visit: Visit, running: Hanpan) -> None:
    me, friend = visit(SMALL).page, visit(PHONE).page
    open_room(me, running.url, "구십구")
    come_in(friend, me.url, to="play")
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
    shown = 15_000 * float(phone.evaluate("document.querySelector('.dial .lapse').style.getPropertyValue('--left')"))
    at, said = deadlines[-1]
    expected = said - (time.monotonic() - at) * 1000
    assert abs(shown - expected) < 2_000  # a busy machine; a phone's clock would be off by 600,000
