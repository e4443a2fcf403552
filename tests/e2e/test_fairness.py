"""공정성 확인 on the page: one's own cards while a game is played, all that was seen after it, and a lie found out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Route

from ops.fairness import check, count
from tests.e2e.browsing import (
    BROWSER_TEST,
    NEEDS_AXE,
    SMALL,
    Visit,
    fits,
    is_over,
    no_serious_findings,
    pictures,
    play_on,
    small_targets,
)
from tests.e2e.playing import TABLES, begin, room_of
from tests.e2e.running import Hanpan

pytestmark = [*BROWSER_TEST, pytest.mark.slow]


@NEEDS_AXE
@pytest.mark.parametrize("game", TABLES)
def test_the_page_adds_its_number_and_checks_the_deals(
    visit: Visit, running: Hanpan, game: str, tmp_path: Path
) -> None:
    me, table = visit(SMALL), TABLES[game]
    page = me.page
    code = begin(me, running, game)
    page.locator("main.mine").wait_for()
    deal = [m["room"]["deal"] for m in me.messages if m.get("room", {}).get("deal")][-1]
    assert deal["begun"]
    assert len(deal["numbers"]) == 1

    page.get_by_role("button", name="메뉴").click()
    page.get_by_role("button", name="공정성 확인").click()
    page.locator(".fair-verdict.good").wait_for()
    page.get_by_text("지금은 내가 받은 카드와 자리만 펼쳐요").wait_for()
    page.get_by_text("들어갔어요").wait_for()
    page.locator("#dialogs").get_by_role("button", name="닫기", exact=True).click()

    play_on(page, table.turn, lambda: is_over(page))
    page.locator(".result").get_by_role("button", name="공정성 확인").click()
    page.locator(".fair-verdict.good").wait_for()
    page.get_by_text("같아요", exact=True).wait_for()
    pictures(page, f"{game}-fair")
    fits(page)
    no_serious_findings(page)
    assert small_targets(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="증거 저장").click()
    file = tmp_path / "evidence.json"
    download.value.save_as(file)
    evidence = json.loads(file.read_text())
    assert check(evidence) == []
    assert count(evidence) > 5
    assert running.tool("verify", "--evidence", str(file))[0] == 0
    assert running.tool("verify", "--fair", room_of(running, code)["id"])[0] == 0


def test_a_server_that_lies_is_found_out_by_the_page(visit: Visit, running: Hanpan) -> None:
    """The evidence is altered on its way: one card lay elsewhere."""
    me = visit(SMALL)
    begin(me, running, "ninety-nine")
    me.page.locator("main.mine").wait_for()

    def lie(route: Route) -> None:
        evidence = route.fetch().json()
        deck = next(draw for draw in evidence["drawn"] if draw["what"] == "deck")
        first, second = deck["opened"][:2]
        first["item"], second["item"] = second["item"], first["item"]
        route.fulfill(json=evidence)

    me.page.route("**/fairness?game=*", lie)
    me.page.get_by_role("button", name="메뉴").click()
    me.page.get_by_role("button", name="공정성 확인").click()
    me.page.locator(".fair-verdict.bad").wait_for()
    pictures(me.page, "fair-lie")
