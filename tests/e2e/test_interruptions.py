"""What comes between a player and their game, and what the page says of it: each brought about on purpose."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.e2e.browsing import (
    BROWSER_TEST,
    DESKTOP,
    PHONE,
    SMALL,
    Visit,
    Visitor,
    close_hints,
    come_in,
    no_serious_findings,
    open_room,
    picture,
    play_on,
)
from tests.e2e.playing import TABLES, ninety_nine
from tests.e2e.site import Site, site

pytestmark = [*BROWSER_TEST, pytest.mark.slow]

TITLE = TABLES["ninety-nine"].title


@pytest.fixture
def here() -> Iterator[Site]:
    with site(bot_delay=(20, 60)) as started:
        yield started


def at_my_turn(me: Visitor, here: Site) -> Page:
    open_room(me.page, here.url, TITLE, bots=1)
    me.page.get_by_role("button", name="시작").click()
    me.page.locator("main.nn.mine").wait_for()
    close_hints(me.page)
    return me.page


def seconds_left(page: Page) -> str:
    return page.locator(".dial .seconds").text_content() or ""


def hides_nothing(page: Page) -> None:
    """What is said of an interruption lies in the bar: beside leaving and the menu, and over nothing of the table."""
    usual = page.viewport_size
    assert usual is not None
    for width, height in (SMALL, PHONE, DESKTOP):
        page.set_viewport_size({"width": width, "height": height})
        for big in (True, False):
            page.evaluate("(big) => document.documentElement.classList.toggle('big', big)", big)
            over = page.locator(".banner").bounding_box()
            assert over is not None
            for kept in ("main.table", "[aria-label=나가기]", "[aria-label=메뉴]"):
                under = page.locator(kept).bounding_box()
                assert under is not None
                apart = over["x"] + over["width"] <= under["x"] or under["x"] + under["width"] <= over["x"]
                assert apart or over["y"] + over["height"] <= under["y"], (width, big, over, under)
    page.set_viewport_size(usual)


def test_a_room_whose_storage_is_down_says_so_and_its_clock_stands_still(here: Site, visit: Visit) -> None:
    """And goes on by itself, with the card that was played meanwhile."""
    me = visit(PHONE)
    page = at_my_turn(me, here)
    before = max(me.views())
    here.store.mode = "refuses"
    ninety_nine(page)
    banner = page.get_by_role("status").get_by_text("방이 잠시 멈췄어요")
    banner.wait_for()
    hides_nothing(page)
    picture(page, "page-paused")
    no_serious_findings(page)
    shown = seconds_left(page)
    page.wait_for_timeout(1600)
    assert seconds_left(page) == shown
    assert max(me.views()) == before
    here.store.mode = "works"
    banner.wait_for(state="detached")
    play_on(page, lambda _: None, lambda: max(me.views()) > before, 20)


def test_a_room_that_loses_its_process_goes_on(here: Site, visit: Visit) -> None:
    me = visit(PHONE)
    page = at_my_turn(me, here)
    before = max(me.views())
    room = here.do(lambda: next(iter(here.mini.records)))
    here.do(lambda: here.mini.kill_owner(room))
    play_on(page, ninety_nine, lambda: max(me.views()) > before + 3, 40)


def test_a_card_that_is_refused_falls_back_into_the_hand(here: Site, visit: Visit) -> None:
    """The server's word replaces ours: what was on its way lies there again, and why is said."""
    me = visit(PHONE)
    refusing = True

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def heard(frame: str | bytes) -> None:
            message = json.loads(frame)
            if message["type"] == "action" and refusing:
                refusal = {"type": "reject", "id": message["id"], "code": "too_late", "message": "시간이 지났어요"}
                socket.send(json.dumps(refusal))
            else:
                server.send(frame)

        socket.on_message(heard)

    me.page.route_web_socket("**/ws", between)
    page = at_my_turn(me, here)
    hand = page.locator(".nncard")
    was = hand.all_inner_texts()
    ninety_nine(page)
    page.locator("#toasts").get_by_text("시간이 지났어요").wait_for()
    expect(page.locator(".nncard.flying, .sending")).to_have_count(0)
    assert hand.all_inner_texts() == was
    refusing = False
    ninety_nine(page)
    page.locator("main.nn:not(.mine)").or_(page.locator(".nncard.flying")).first.wait_for()


def test_who_is_put_out_is_told_and_comes_back_no_more(here: Site, visit: Visit) -> None:
    host, guest = visit(PHONE), visit(PHONE)
    open_room(host.page, here.url, TITLE)
    come_in(guest.page, host.page.url)
    name = guest.page.locator(".seat.me strong").inner_text().removesuffix("나").strip()
    host.page.get_by_role("button", name=f"{name} 님 자리 관리").click()
    host.page.get_by_role("button", name="내보내기").click()
    guest.page.get_by_role("alert").get_by_text("방장이 내보냈어요").wait_for()
    picture(guest.page, "page-kicked")
    no_serious_findings(guest.page)
    guest.page.get_by_role("button", name="처음으로").click()
    guest.page.locator("article.game").first.wait_for()
    assert guest.page.get_by_text("하던 방으로 돌아가기").count() == 0
    guest.page.goto(host.page.url)
    guest.page.get_by_role("alert").get_by_text("다시 들어올 수 없어요").wait_for()


def test_a_room_that_is_closed_says_so_to_all_in_it(here: Site, visit: Visit) -> None:
    host, guest = visit(PHONE), visit(PHONE)
    open_room(host.page, here.url, TITLE, bots=1)
    come_in(guest.page, host.page.url)
    host.page.get_by_role("button", name="바꾸기").click()
    host.page.get_by_role("dialog").get_by_role("button", name="방 닫기").click()
    host.page.get_by_role("dialog").get_by_role("button", name="닫기", exact=True).last.click()
    for one in (host.page, guest.page):
        one.get_by_role("alert").get_by_text("방이 닫혔어요").wait_for()
    picture(guest.page, "page-closed")


def test_a_server_that_is_updated_says_so_and_the_table_stays(here: Site, visit: Visit) -> None:
    """The page goes on showing what it knew, and goes on by itself when there is somebody to talk to again."""
    me = visit(PHONE)
    page = at_my_turn(me, here)
    before = max(me.views())
    here.drain()
    banner = page.locator(".banner")
    banner.get_by_text("서버").wait_for()
    assert page.locator("main.nn .nncard").count() > 0
    page.wait_for_timeout(1500)  # each attempt to come back fails
    expect(banner).to_contain_text("서버를 새로 고치고 있어요")
    hides_nothing(page)
    picture(page, "page-updated")
    no_serious_findings(page)
    here.open()
    banner.wait_for(state="detached")
    play_on(page, ninety_nine, lambda: max(me.views()) > before, 40)
    me.faults.clear()  # the console tells of each attempt while nobody was there


def test_a_phone_without_network_says_so_and_loses_nothing(here: Site, visit: Visit) -> None:
    """A card that is played meanwhile is on its way until the network is back, and is then played, once."""
    me = visit(PHONE)
    sockets: list[WebSocketRoute] = []
    cut = False

    def between(socket: WebSocketRoute) -> None:
        if cut:
            return socket.close()
        socket.connect_to_server()
        return sockets.append(socket)

    me.page.route_web_socket("**/ws", between)
    page = at_my_turn(me, here)
    cards = page.locator(".hand li")
    cut = True
    sockets[-1].close()
    banner = page.locator(".banner")
    banner.get_by_text("다시 연결하고 있어요").wait_for()
    ninety_nine(page)
    flying = page.locator(".nncard.flying")
    flying.wait_for()
    face = flying.get_attribute("aria-label")
    count = cards.count()
    picture(page, "page-offline")
    no_serious_findings(page)
    cut = False
    banner.wait_for(state="detached")
    expect(flying).to_have_count(0)
    page.locator("main.nn.mine, main.over").first.wait_for()
    assert face is not None
    assert cards.count() in (count, 0)
    assert len(sockets) == 2
