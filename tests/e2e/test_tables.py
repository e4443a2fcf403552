"""Each game on its own table, by clicks: to the end, through a kill and a reload, watched, watched again, looked at."""

from __future__ import annotations

import json
import os
import re
import signal

import pytest
from playwright.sync_api import Page

from tests.e2e.browsing import (
    BROWSER_TEST,
    DESKTOP,
    NEEDS_AXE,
    PHONE,
    SMALL,
    Visit,
    close_hints,
    come_in,
    fits,
    is_over,
    no_serious_findings,
    open_room,
    picture,
    pictures,
    play_on,
    small_targets,
)
from tests.e2e.playing import TABLES, begin, mentioned, ninety_nine, room_of
from tests.e2e.running import Hanpan

pytestmark = [*BROWSER_TEST, pytest.mark.slow]


every_table = pytest.mark.parametrize("game", TABLES)


# ---------------------------------------------------------------- whole games


@every_table
def test_a_whole_game_by_clicks_through_a_kill_and_a_reload(visit: Visit, running: Hanpan, game: str) -> None:
    me, table = visit(SMALL), TABLES[game]
    code = begin(me, running, game)
    me.page.locator("main.mine").wait_for()
    room = room_of(running, code)
    os.kill(room["pid"], signal.SIGKILL)
    taps = []

    def tap(page: Page) -> None:
        table.turn(page)
        taps.append(page.url)

    play_on(me.page, tap, lambda: taps)
    me.page.reload()
    me.page.locator(f"{table.board}.mine").wait_for()
    play_on(me.page, table.turn, lambda: is_over(me.page))
    again = room_of(running, code)
    assert again["pid"] != room["pid"]
    assert running.tool("verify", room["id"])[0] == 0
    me.page.get_by_role("button", name="한 판 더").click()
    me.page.locator(f"{table.board}:not(.over)").wait_for()


@every_table
def test_two_people_play_and_a_second_tab_goes_on_where_the_first_was(visit: Visit, running: Hanpan, game: str) -> None:
    host, guest, table = visit(PHONE), visit(DESKTOP), TABLES[game]
    open_room(host.page, running.url, table.title, **table.options)
    come_in(guest.page, host.page.url, to="play")
    host.page.get_by_role("button", name="시작").click()
    for one in (host, guest):
        one.page.locator(table.board).wait_for()
    second = guest.context.new_page()
    guest.listen(second)
    second.goto(host.page.url)
    second.locator(table.board).wait_for()
    guest.page.get_by_text("다른 창에서").first.wait_for()

    play_on((host.page, second), table.turn, lambda: is_over(host.page) and is_over(second))


# ---------------------------------------------------------------- who watches


DRAWN = "[...document.querySelectorAll('#app .pcard[data-face]')].map((card) => card.dataset.face)"


@every_table
def test_a_spectator_never_sees_a_hidden_card(visit: Visit, running: Hanpan, game: str) -> None:
    """Neither in any frame of the socket nor in the document, at any step of a whole game."""
    me, watcher, table = visit(PHONE), visit(DESKTOP), TABLES[game]
    open_room(me.page, running.url, table.title, **table.options)
    me.page.get_by_role("button", name="메뉴").click()  # somebody looks at who is there, meanwhile
    me.page.get_by_role("button", name="닫기", exact=True).click()
    come_in(watcher.page, me.page.url, to="watch")
    me.page.get_by_role("button", name="시작").click()
    watcher.page.locator(table.board).wait_for()
    watcher.page.get_by_text("구경 중").wait_for()
    looked = 0

    def turn(page: Page) -> None:
        nonlocal looked
        looked += 1
        table.turn(page)
        assert watcher.page.locator(".hand button").count() == 0
        assert set(watcher.page.evaluate(DRAWN)) <= set().union(*map(mentioned, watcher.views().values()))

    play_on(me.page, turn, lambda: is_over(me.page))
    watcher.page.locator("main.over").wait_for()
    assert looked > 3
    mine, theirs = me.views(), watcher.views()
    told = {m["seq"]: m for m in watcher.messages if m["type"] == "update"}
    common = mine.keys() & theirs.keys()
    assert len(common) > 5
    secrets: set[str] = set()
    for seq in common:
        assert not theirs[seq].keys() & set(table.hands)
        secret = table.secret(mine[seq])
        secrets |= secret
        assert not secret & mentioned(told.get(seq, theirs[seq])), seq
    assert secrets
    assert not any("legal" in m or m.get("decision") for m in watcher.messages)


# ---------------------------------------------------------------- 다시 보기


def comes_to(page: Page, at: int) -> None:
    """The replay shows this step."""
    page.wait_for_function("(at) => Number(document.querySelector('.deck input').value) === at", arg=at, timeout=3000)


@every_table
def test_a_finished_game_is_watched_again_by_each_as_they_saw_it(visit: Visit, running: Hanpan, game: str) -> None:
    me, table = visit(PHONE), TABLES[game]
    code = begin(me, running, game)
    play_on(me.page, table.turn, lambda: is_over(me.page))
    me.page.get_by_role("button", name="다시 보기").click()
    scene = me.page.get_by_role("slider", name="장면")
    scene.wait_for()
    me.page.get_by_role("button", name="멈추기").click()
    assert me.page.locator(".hand button").count() > 0
    at = int(scene.input_value())
    me.page.get_by_role("button", name="한 장면 앞으로").click()
    comes_to(me.page, at + 1)
    me.page.locator(".deck .eyes").get_by_text("님이 본 대로").wait_for()
    last = int(scene.get_attribute("max") or 0)
    me.page.locator(".deck .said").click()
    me.page.keyboard.press("End")
    comes_to(me.page, last)
    me.page.locator("main.over").wait_for()
    me.page.keyboard.press("ArrowLeft")
    comes_to(me.page, last - 1)
    me.page.get_by_role("combobox", name="어디로 갈까요").select_option("0")
    comes_to(me.page, 0)
    pictures(me.page, f"{game}-replay")
    me.page.get_by_role("button", name=re.compile("빠르기")).click()
    me.page.get_by_role("button", name="재생").click()
    me.page.wait_for_function(
        "(at) => Number(document.querySelector('.deck input').value) > at", arg=int(scene.input_value())
    )

    stranger = visit(PHONE)
    stranger.page.goto(f"{running.url}/r/{code}?replay=0")
    stranger.page.get_by_text("구경한 사람이 본 대로").wait_for()
    assert stranger.page.locator(".hand button").count() == 0
    assert not any("hand" in view for view in stranger.views().values())

    me.page.get_by_role("button", name="다시 보기 끝내기").click()
    me.page.get_by_role("button", name="한 판 더").wait_for()


def test_what_cannot_be_watched_again_says_so(visit: Visit, running: Hanpan) -> None:
    me = visit(PHONE)
    code = begin(me, running, "ninety-nine")
    me.page.goto(f"{running.url}/r/{code}?replay=0")
    me.page.get_by_text("아직 끝나지 않은").first.wait_for()
    me.page.get_by_role("button", name="돌아가기").click()
    me.page.locator("main.nn").wait_for()
    old = {"code": "old_replay", "message": "예전 규칙으로 한 게임이라 다시 볼 수 없어요"}
    me.page.route("**/replay?game=*", lambda route: route.fulfill(status=410, json=old))
    me.page.goto(f"{running.url}/r/{code}?replay=0")
    me.page.get_by_role("alert").get_by_text(old["message"]).wait_for()
    me.faults.clear()  # the console tells of both refusals


# ---------------------------------------------------------------- how it looks and feels


@every_table
def test_pictures_of_the_table(visit: Visit, running: Hanpan, game: str) -> None:
    me, table = visit(PHONE), TABLES[game]
    begin(me, running, game)
    me.page.locator("main.mine").wait_for()
    pictures(me.page, f"{game}-first")
    seen = 0

    def turn(page: Page) -> None:
        nonlocal seen
        seen += 1
        table.turn(page)
        if seen in (4, 9):
            page.locator("main.mine").wait_for(timeout=4000)
            fits(page)
            pictures(page, f"{game}-turn{seen}")

    play_on(me.page, turn, lambda: is_over(me.page))
    me.page.locator(".result").wait_for()
    pictures(me.page, f"{game}-result")


@every_table
@pytest.mark.parametrize("big", [False, True], ids=["usual", "big"])
def test_all_fits_a_small_phone_and_can_be_tapped(visit: Visit, running: Hanpan, game: str, big: bool) -> None:
    me, table = visit(SMALL), TABLES[game]
    me.context.add_init_script(f"localStorage['hanpan.preferences'] = JSON.stringify({{big: {json.dumps(big)}}})")
    begin(me, running, game)
    for n in range(8):
        me.page.locator("main.mine, main.over").wait_for()
        if is_over(me.page):
            break
        picture(me.page, f"{game}-small-{'big' if big else 'usual'}-{n}")
        fits(me.page)
        assert small_targets(me.page) == []
        close_hints(me.page)
        play_on(me.page, table.turn, lambda: not me.page.locator("main.mine").count() or is_over(me.page), 20)


@every_table
@NEEDS_AXE
def test_axe_finds_nothing_serious(visit: Visit, running: Hanpan, game: str) -> None:
    me, table = visit(PHONE), TABLES[game]
    me.page.goto(running.url)
    me.page.locator("article.game").first.wait_for()
    no_serious_findings(me.page)
    open_room(me.page, running.url, table.title, **table.options)
    me.page.get_by_role("button", name="시작").wait_for()
    no_serious_findings(me.page)
    me.page.get_by_role("button", name="시작").click()
    me.page.locator("main.mine").wait_for()
    no_serious_findings(me.page)
    for sheet in ("규칙", "메뉴"):
        me.page.get_by_role("button", name=sheet, exact=True).click()
        me.page.get_by_role("dialog").wait_for()
        no_serious_findings(me.page)
        me.page.keyboard.press("Escape")
    for _ in range(3):
        play_on(me.page, table.turn, lambda: not me.page.locator("main.mine").count() or is_over(me.page), 20)
        me.page.locator("main.mine, main.over").wait_for()
        no_serious_findings(me.page)
    play_on(me.page, table.turn, lambda: is_over(me.page))
    me.page.locator(".result").wait_for()
    no_serious_findings(me.page)
    me.page.get_by_role("button", name="다시 보기").click()
    me.page.get_by_role("button", name="멈추기").click()
    no_serious_findings(me.page)


@pytest.mark.parametrize("game", [game for game in TABLES if game != "bang"])  # 뱅!'s hand is in test_bang_table.py
def test_a_game_can_be_played_by_keyboard_alone(visit: Visit, running: Hanpan, game: str) -> None:
    """Digits and Enter pick and play, the focus goes to what is asked and stays in the hand."""
    me = visit(DESKTOP)
    page = me.page
    begin(me, running, game)
    page.locator("main.mine").wait_for()
    if game == "parlett-ninety-nine":
        for digit in "147":
            page.keyboard.press(digit)
        page.locator(".lay.primary").press("Enter")
        page.locator(".promise button.plain").press("Enter")
        page.locator(".phase-playing.mine").wait_for()
    if game == "seotda":
        seotda_by_keyboard(page)
        return
    before = max(me.views())
    page.locator("main.mine .hand button:not(.dead):enabled").first.press("Enter")
    page.locator(".hand button[aria-pressed=true]").first.wait_for()
    if page.locator(".tray").count():
        page.wait_for_function("() => document.activeElement.closest('.tray') !== null")
        page.locator(".tray button.primary:enabled").first.press("Enter")
    else:
        page.keyboard.press("Enter")
    play_on(page, lambda _: None, lambda: max(me.views()) > before, 20)  # bots may have answered before one looks
    page.locator("main.mine, main.over").wait_for()
    if not is_over(page):
        in_hand = "document.activeElement.closest('.hand') !== null"
        page.wait_for_function(f"() => {in_hand}")
        was = page.evaluate("document.activeElement.getAttribute('aria-label')")
        page.keyboard.press("ArrowRight")
        assert page.evaluate(in_hand)
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == was


def seotda_by_keyboard(page: Page) -> None:
    """Each bet is a digit; whoever has pressed one goes on from there, with arrows if they like."""
    for _ in range(4):
        page.locator("main.mine, main.over").wait_for()
        if page.locator(".bets").count():
            page.keyboard.press("2" if page.locator(".bet-check.open").count() else "4")
        else:
            page.keyboard.press("1")
        was = page.locator("main").inner_text()
        page.wait_for_function("(was) => document.querySelector('main')?.innerText !== was", arg=was)
    page.locator("main.mine .bets").wait_for()
    assert page.evaluate("document.activeElement.closest('.keyed, .hand') !== null")
    at = page.evaluate("document.activeElement.className")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.className") != at


def test_sound_vibration_and_letters_are_this_devices_own_choice(visit: Visit, running: Hanpan) -> None:
    me = visit(PHONE)
    me.context.add_init_script("window.shaken = 0; navigator.vibrate = () => ++window.shaken > 0;")
    begin(me, running, "ninety-nine")
    me.page.locator("main.mine").wait_for()
    assert me.page.evaluate("window.shaken") > 0
    usual = me.page.evaluate("getComputedStyle(document.documentElement).fontSize")
    me.page.get_by_role("button", name="메뉴").click()
    for choice in ("소리", "진동", "큰 글자"):
        me.page.get_by_role("switch", name=choice).click()
    me.page.reload()
    me.page.locator("main.nn").wait_for()
    assert me.page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") > float(usual[:-2])
    play_on(me.page, ninety_nine, lambda: len(me.views()) > 12 or is_over(me.page))
    assert me.page.evaluate("window.shaken") == 0
    kept = json.loads(me.page.evaluate("localStorage['hanpan.preferences']"))
    assert (kept["sound"], kept["vibration"], kept["big"]) == (False, False, True)


def test_reduced_motion_moves_nothing(visit: Visit, running: Hanpan) -> None:
    me = visit(PHONE, reduced_motion="reduce")
    begin(me, running, "ninety-nine")
    me.page.locator("main.mine").wait_for()
    total = me.page.locator(".dial .sum")
    play_on(me.page, ninety_nine, lambda: len(me.views()) > 8 or is_over(me.page))
    longest = me.page.evaluate(
        "Math.max(0, ...document.getAnimations().map((a) => a.effect.getComputedTiming().activeDuration))"
    )
    assert longest <= 1
    me.page.locator("main.mine, main.over").wait_for()
    shown = list(me.views().values())[-1]["total"]
    me.page.wait_for_function(
        "(n) => document.querySelector('.dial .sum').textContent === String(n)", arg=shown, timeout=2000
    )
    assert total.inner_text() == str(shown)


def test_hints_are_read_once(visit: Visit, running: Hanpan) -> None:
    me = visit(PHONE)
    begin(me, running, "ninety-nine")
    coach = me.page.locator(".coach")
    coach.get_by_text("99를 넘기면 안 돼요").wait_for()
    coach.get_by_role("button").click()
    assert not coach.get_by_text("99를 넘기면 안 돼요").count()
    me.page.reload()
    me.page.locator("main.nn").wait_for()
    assert not coach.get_by_text("99를 넘기면 안 돼요").count()


def test_a_first_visit_sends_little(visit: Visit, running: Hanpan) -> None:
    """Up to a game's table, with all that a browser counts."""
    me = visit(PHONE)
    cdp = me.context.new_cdp_session(me.page)
    sizes: list[float] = []
    cdp.send("Network.enable")
    cdp.on("Network.loadingFinished", lambda one: sizes.append(one["encodedDataLength"]))
    begin(me, running, "parlett-ninety-nine")
    assert 30 * 1024 < sum(sizes) <= 200 * 1024
