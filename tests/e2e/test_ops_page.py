"""The operators' page in a real browser, on a hanpan that is played on: found, looked into, moved, killed, closed."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ops.chaos.nodes import signal_all
from tests.e2e.browsing import (
    BROWSER_TEST,
    DESKTOP,
    NEEDS_AXE,
    PHONE,
    Visitor,
    fits,
    no_serious_findings,
    open_room,
    picture,
)
from tests.e2e.running import QUICK_BOTS, Hanpan, hanpan, loaded, phones, wait_until

pytestmark = BROWSER_TEST

Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def running() -> Iterator[Hanpan]:
    with hanpan("--spares", "3", HANPAN_ROOM_SETTINGS=QUICK_BOTS, HANPAN_CHAOS="1") as started:
        yield started


def come_in(page: Page, running: Hanpan, name: str = "min") -> None:
    """By the form, as somebody far away would."""
    page.goto(f"{running.url}/ops")
    page.get_by_label("Admin token").fill((running.data / "admin-token").read_text())
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="What runs where").wait_for()


def at_a_table(visit: Visit, running: Hanpan) -> tuple[Page, str]:
    """A player in a game with bots; the room's code."""
    page = visit(PHONE).page
    code = open_room(page, running.url, "구십구", bots=1)
    page.get_by_role("button", name="시작").click()
    page.locator("main.nn").wait_for()
    return page, code


def played_by_nobody_who_looks(running: Hanpan) -> str:
    """A game of which nobody has a page open; the room's code."""

    async def begin() -> str:
        async with phones(running.url, "지호") as (jiho,):
            room = await jiho.post("/api/rooms", {"game": "ninety-nine", "bots": 1, "seats": 2, "autoStart": True})
            await jiho.join(room["id"])
            await jiho.my_turn()
            return str(room["code"])

    with ThreadPoolExecutor(1) as elsewhere:  # the browser has this thread's loop
        return elsewhere.submit(asyncio.run, begin()).result()


def find_room(page: Page, code: str) -> None:
    """By the search, as it is reached with the slash key."""
    page.keyboard.press("/")
    page.get_by_role("searchbox").fill(code.lower())
    page.get_by_role("link", name=code).click()
    page.get_by_role("heading", name="What anybody sees").wait_for()


def say_yes(page: Page, name: str) -> None:
    page.get_by_role("dialog").get_by_role("button", name=name).click()
    page.get_by_role("dialog").wait_for(state="detached")


def row(running: Hanpan, code: str) -> dict[str, Any]:
    [found] = running.admin("rooms", code=code)["rooms"]
    return dict(found)


def test_who_is_no_operator_sees_nothing(visit: Visit, running: Hanpan) -> None:
    me = visit(DESKTOP)
    me.page.goto(f"{running.url}/ops")
    me.page.get_by_label("Admin token").fill("not it")
    me.page.get_by_label("Your name").fill("mallory")
    me.page.get_by_role("button", name="Sign in").click()
    expect(me.page.get_by_role("alert")).to_contain_text("not the right one")
    expect(me.page.get_by_role("heading", name="What runs where")).to_have_count(0)
    assert [fault for fault in me.faults if "401" not in fault] == []
    me.faults.clear()


def test_the_address_that_hanpan_ops_prints_opens_it_and_does_not_stay(visit: Visit, running: Hanpan) -> None:
    page = visit(DESKTOP).page
    page.goto(running.tool("ops")[1]["page"])
    page.get_by_role("heading", name="What runs where").wait_for()
    assert "token" not in page.url
    page.reload()
    page.get_by_role("heading", name="What runs where").wait_for()  # this tab remembers
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Admin token").wait_for()
    page.reload()
    page.get_by_label("Admin token").wait_for()


def test_a_room_is_found_moved_killed_and_closed_while_it_is_played(visit: Visit, running: Hanpan) -> None:
    player, code = at_a_table(visit, running)
    page = visit(DESKTOP).page
    come_in(page, running)
    find_room(page, code)

    page.get_by_role("button", name="Verify").click()
    expect(page.locator(".verdict")).to_contain_text("replay to their digests")

    page.get_by_role("button", name="Move…").click()
    say_yes(page, "Move it")
    wait_until(lambda: row(running, code)["epoch"] == 2)
    expect(page.locator(".owners li")).to_have_count(2)
    player.locator("main.nn").wait_for()

    page.get_by_role("button", name="Kill…").click()
    say_yes(page, "Kill it")
    wait_until(lambda: row(running, code)["epoch"] == 3 and row(running, code)["pid"])
    expect(page.locator(".owners li")).to_have_count(3)
    player.locator("main.nn").wait_for()

    page.get_by_role("button", name="Close…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Close the room")).to_be_disabled()
    dialog.get_by_role("textbox").fill(code)
    say_yes(page, "Close the room")
    player.get_by_text("방이 닫혔어요").first.wait_for()
    wait_until(lambda: not running.admin("rooms", code=code)["rooms"])

    page.get_by_role("link", name="Audit").click()
    expect(page.locator(".deeds tbody tr").first).to_contain_text("close")
    orders = page.locator('.deeds td[data-name="Order"]').all_inner_texts()
    assert orders[:3] == ["close", "kill", "move"]
    assert "min@127.0.0.1" in page.locator(".deeds").inner_text()
    logged = [json.loads(line) for line in running.log().splitlines() if '"event":"audit"' in line]
    assert [line["what"] for line in logged][-3:] == ["move", "kill", "close"]


def test_a_quarantined_room_rings_is_looked_into_and_tried_again(visit: Visit, running: Hanpan) -> None:
    code = played_by_nobody_who_looks(running)
    killed = set()

    def is_quarantined() -> bool:
        """Each of its processes dies before it writes anything."""
        room = row(running, code)
        if room["pid"] and room["process"] not in killed:
            killed.add(room["process"])
            signal_all([room["pid"]], signal.SIGKILL)
        return bool(room["quarantined"])

    wait_until(is_quarantined, 120)
    page = visit(DESKTOP).page
    come_in(page, running)
    rings = page.locator(".attention li", has_text="quarantined")
    expect(rings.get_by_role("button", name="HanpanRoomQuarantined")).to_be_visible()
    rings.get_by_role("link").click()
    page.get_by_role("link", name=code).click()
    expect(page.locator(".stopped")).to_contain_text("died 3 times")
    expect(page.get_by_role("button", name="Move…")).to_have_count(0)
    page.get_by_role("button", name="Try again…").click()
    say_yes(page, "Try again")
    expect(page.locator(".stopped")).to_have_count(0)
    assert row(running, code)["quarantined"] is None


def test_secrets_are_shown_one_by_one_and_logged(visit: Visit, running: Hanpan) -> None:
    code = played_by_nobody_who_looks(running)
    page = visit(DESKTOP).page
    come_in(page, running)
    find_room(page, code)
    deal = page.locator(".lines > li", has=page.locator(".kind.start")).first
    deal.locator(".line").click()
    shown = deal.locator("pre")
    expect(shown).to_contain_text("players")
    assert "seed" not in shown.inner_text()
    seed_like = re.compile(r"[0-9a-f]{64}")
    assert not seed_like.search(page.content())
    before = running.log().count('"what":"reveal"')
    deal.get_by_role("button", name="Reveal secrets…").click()
    say_yes(page, "Show, and log it")
    expect(shown).to_contain_text("seed")
    assert seed_like.search(shown.inner_text())
    assert running.log().count('"what":"reveal"') == before + 1

    # the past: what anybody saw just after the deal
    deal.get_by_role("button", name="How things stood then").click()
    seq = deal.locator(".seq").inner_text()
    expect(page.locator(".moment header")).to_contain_text(f"after entry {seq}")


def test_a_node_is_drained_and_taken_back(visit: Visit, running: Hanpan) -> None:
    page = visit(DESKTOP).page
    come_in(page, running)
    page.get_by_role("button", name="Drain local").click()
    say_yes(page, "Drain it")
    page.get_by_role("button", name="Let rooms come to local again").click()
    expect(page.locator(".attention")).to_contain_text("local is being drained")
    page.keyboard.press("Escape")

    page.get_by_role("button", name="HanpanNoNewRooms").click()  # what rings says what to do
    book = page.get_by_role("dialog", name="HanpanNoNewRooms")
    expect(book.get_by_role("heading", name="What it means")).to_be_visible()
    book.get_by_role("button", name="HanpanNodeFull").click()
    page.get_by_role("dialog", name="HanpanNodeFull").get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.get_by_role("button", name="Let rooms come to local again").click()
    say_yes(page, "Yes")
    page.get_by_role("button", name="Drain local").wait_for()

    def has_its_spares_again() -> bool:
        [node] = running.admin("nodes")["nodes"]
        return bool(node["spares"] >= node["wanted"] > 0)

    wait_until(has_its_spares_again, 120)  # one start after the other, on a busy machine


def test_what_is_old_says_so(visit: Visit, running: Hanpan) -> None:
    me = visit(DESKTOP)
    come_in(me.page, running)
    me.page.route("**/api/admin/**", lambda route: route.abort())
    expect(me.page.get_by_role("alert")).to_contain_text("does not answer")
    assert me.page.get_by_role("heading", name="What runs where").count()
    me.page.unroute("**/api/admin/**")
    expect(me.page.get_by_role("alert")).to_have_count(0)
    me.faults.clear()


@pytest.mark.slow
@NEEDS_AXE
def test_every_page_fits_a_desktop_and_a_phone_and_can_be_read_by_everyone(visit: Visit, running: Hanpan) -> None:
    """While bots play: the charts have something to show."""
    with loaded(running, "--rooms", "4", "--players", "3", "--period", "300"):
        _, code = at_a_table(visit, running)
        page = visit(DESKTOP).page
        come_in(page, running)
        expect(page.locator(".tile", has_text="Turn, p99").locator("b")).to_contain_text("ms")
        assert page.locator(".plot path.line").first.get_attribute("d")
        looked_at(page, "ops-overview")
        page.get_by_role("link", name="Rooms", exact=True).click()
        page.locator(".list.rooms tbody tr").first.wait_for()
        looked_at(page, "ops-rooms")
        find_room(page, code)
        page.locator(".line").first.click()
        looked_at(page, "ops-room")
        page.get_by_role("button", name="Move…").click()
        looked_at(page, "ops-question")
        page.keyboard.press("Escape")
        page.get_by_role("link", name="Audit").click()
        looked_at(page, "ops-audit")
        page.get_by_role("link", name="Overview").click()
        page.get_by_role("button", name="Drain local").click()
        say_yes(page, "Drain it")
        page.get_by_role("button", name="HanpanNoNewRooms").click()
        page.get_by_role("heading", name="What it means").wait_for()
        looked_at(page, "ops-runbook")


def looked_at(page: Page, name: str) -> None:
    for width, height in (PHONE, DESKTOP):
        page.set_viewport_size({"width": width, "height": height})
        picture(page, name)
        fits(page)
        no_serious_findings(page)
