"""섯다's own table, beyond what every table is held to: three cards, ten people, covered cards, bets that cannot be."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import (
    BROWSER_TEST,
    DESKTOP,
    PHONE,
    SMALL,
    Visit,
    Visitor,
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
from tests.e2e.playing import TABLES, mentioned, seotda, seotda_secret
from tests.e2e.running import Hanpan

pytestmark = [*BROWSER_TEST, pytest.mark.slow]

TITLE = TABLES["seotda"].title
THREE = {"카드 장수": "3장 섯다 (3장 받아 2장 선택)"}


def opened(visitor: Visitor, running: Hanpan, bots: int, **house: str) -> Page:
    """A room with so many bots and these house rules, ready to begin."""
    page = visitor.page
    open_room(page, running.url, TITLE, bots=bots, house=house, **{"판 수": "10판"})
    return page


def begin(visitor: Visitor, running: Hanpan, bots: int = 2, **house: str) -> Page:
    page = opened(visitor, running, bots, **house)
    page.get_by_role("button", name="시작").click()
    page.locator("main.sd").wait_for()
    return page


def to_a_bet(page: Page) -> None:
    """On to where I am asked to bet."""
    play_on(page, seotda, lambda: page.locator("main.mine .bets").count() or is_over(page))
    assert not is_over(page)


# ---------------------------------------------------------------- three cards


def test_two_of_three_cards_are_chosen_and_nobody_ever_sees_the_third(visit: Visit, running: Hanpan) -> None:
    me, watcher = visit(PHONE), visit(DESKTOP)
    page = opened(me, running, 2, **THREE)
    come_in(watcher.page, page.url)  # every seat is taken
    watcher.page.get_by_text("구경 중").wait_for()
    page.get_by_role("button", name="시작").click()
    page.locator("main.sd").wait_for()
    chosen = 0

    def turn(page: Page) -> None:
        nonlocal chosen
        held = page.locator(".hand.choosing .mycard")
        if held.count() == 3:
            if page.locator(".mycard.picked").count() < 2:
                held.nth(0).click(timeout=500)
                held.nth(2).click(timeout=500)
            if chosen == 0:
                pictures(page, "seotda-choosing")
            name = page.locator(".choice .primary").inner_text(timeout=500)
            assert page.locator(".myside .made b").inner_text() in name
            chosen += 1
        seotda(page)

    play_on(page, turn, lambda: is_over(page))
    assert chosen > 0
    mine, theirs = me.views(), watcher.views()
    told = {m["seq"]: m for m in watcher.messages if m["type"] == "update"}
    thrown = [seq for seq, view in mine.items() if view.get("discarded")]
    assert thrown
    for seq in mine.keys() & theirs.keys():
        assert "discarded" not in theirs[seq]
        assert not seotda_secret(mine[seq]) & mentioned(told.get(seq, theirs[seq])), seq


# ---------------------------------------------------------------- room for all

CLASHES = """
(() => {
  const boxes = [...document.querySelectorAll('.sitter')]
    .map((one) => [one, one.querySelector('.who').getBoundingClientRect()]);
  return boxes.flatMap(([a, p], i) => boxes.slice(0, i)
    .filter(([, q]) => p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1)
    .map(([b]) => [a.innerText, b.innerText]));
})()
"""


@pytest.mark.parametrize("big", [False, True], ids=["usual", "big"])
def test_ten_people_fit_the_smallest_phone(visit: Visit, running: Hanpan, big: bool) -> None:
    me = visit(SMALL)
    wish = json.dumps({"big": big, "hints": False})
    me.context.add_init_script(f"localStorage['hanpan.preferences'] = {json.dumps(wish)}")
    page = begin(me, running, 9)
    phases: set[str] = set()
    for _ in range(12):
        page.locator("main.mine, main.over").first.wait_for()
        if is_over(page):
            break
        phases.update(re.findall(r"phase-\w+", page.locator("main").get_attribute("class") or ""))
        fits(page)
        assert small_targets(page) == []
        assert page.evaluate(CLASHES) == []
        if page.locator(".hand .mycard").count():
            assert page.locator(".hand .mycard").first.evaluate("(card) => card.offsetHeight") >= 120
        picture(page, f"seotda-ten-{'big' if big else 'usual'}-{'-'.join(sorted(phases))}")
        was = page.locator("main").inner_text()
        play_on(page, seotda, lambda was=was: page.locator("main").inner_text() != was, 20)  # type: ignore[misc]
    assert "phase-betting" in phases


# ---------------------------------------------------------------- bets


def test_a_bet_that_cannot_be_made_says_why_and_one_that_can_shows_what_it_makes(visit: Visit, running: Hanpan) -> None:
    me = visit(DESKTOP)
    page = begin(me, running)
    to_a_bet(page)
    sent = max(me.views())
    shut = page.locator(".bet[aria-disabled=true]").first
    shut.click(force=True)  # it is there to be asked why
    page.locator("#toasts p").first.wait_for()
    assert max(me.views()) == sent
    page.locator(".bet-half.open").hover()
    makes = page.locator(".bet-half.open").get_attribute("aria-label") or ""
    then = page.locator(".pot .then").inner_text()
    assert then.split()[-1] == makes.split()[-1]
    page.keyboard.press("7")
    play_on(page, lambda _: None, lambda: max(me.views()) > sent)
    mine = [event for m in me.messages for event in m.get("events", ()) if event["type"] == "bet"]
    assert "half" in {event["bet"] for event in mine}


def test_dying_for_nothing_is_asked_twice(visit: Visit, running: Hanpan) -> None:
    me = visit(PHONE)
    page = begin(me, running)
    play_on(page, seotda, lambda: page.locator("main.mine .bet-check.open").count() or is_over(page))
    page.locator(".bet-die.open").click()
    expect(page.locator(".bet-die.open")).to_contain_text("정말 다이")
    assert page.locator(".myside.is-die").count() == 0
    page.locator(".bet-die.open").click()
    page.locator(".myside.is-die, .bets").first.wait_for()
    page.locator(".myside.is-die").wait_for(timeout=5000)


# ---------------------------------------------------------------- my cards, and what lies over the table

MY_FACES = "[...document.querySelectorAll('.myside [data-face]')].map((card) => card.dataset.face)"


def test_covered_cards_are_gone_from_the_page(visit: Visit, running: Hanpan) -> None:
    me = visit(PHONE)
    page = begin(me, running)
    to_a_bet(page)
    assert page.evaluate(MY_FACES)
    page.locator(".mycard").first.click()
    expect(page.locator(".made")).to_contain_text("가려 두었어요")
    assert page.evaluate(MY_FACES) == []
    picture(page, "seotda-covered")
    page.locator(".mycard").first.click()
    expect(page.locator(".mycard.covered")).to_have_count(0)
    assert page.evaluate(MY_FACES)


def test_the_table_of_hands_and_the_records_lie_over_the_table(visit: Visit, running: Hanpan) -> None:
    me = visit(PHONE)
    page = begin(me, running)
    play_on(page, seotda, lambda: (page.locator(".made b").count() and page.locator(".bets").count()) or is_over(page))
    mine = page.locator(".made b").inner_text()
    page.get_by_role("button", name="족보").click()
    here = page.get_by_role("dialog").locator("[aria-current=true]")
    assert here.count() == 1
    assert mine == here.locator("strong").inner_text() or "~" in here.locator("strong").inner_text()
    picture(page, "seotda-ranks")
    no_serious_findings(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    play_on(page, seotda, lambda: page.locator(".phase-betting .handno b").inner_text() != "1" or is_over(page))
    page.locator(".handno").click()
    expect(page.get_by_role("dialog")).to_contain_text("1판")
    picture(page, "seotda-records")
    no_serious_findings(page)


def test_reduced_motion_moves_nothing_and_hides_nothing(visit: Visit, running: Hanpan) -> None:
    me = visit(PHONE, reduced_motion="reduce")
    page = begin(me, running)
    longest = "Math.max(0, ...document.getAnimations().map((a) => a.effect.getComputedTiming().endTime))"
    most = 0.0

    def turn(page: Page) -> None:
        nonlocal most
        most = max(most, page.evaluate(longest))
        assert page.locator(".mycard").first.evaluate("(card) => getComputedStyle(card.parentElement).opacity") == "1"
        seotda(page)

    play_on(page, turn, lambda: len(me.views()) > 20 or is_over(page))
    assert most <= 1
