"""뱅!'s own table, beyond what every table is held to: what is hidden, what is held, the full table, the keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import (
    BROWSER_TEST,
    DESKTOP,
    PHONE,
    SMALL,
    Visit,
    Visitor,
    close_hints,
    come_in,
    fits,
    is_over,
    no_serious_findings,
    open_room,
    pictures,
    play_on,
    small_targets,
)
from tests.e2e.playing import TABLES, bang
from tests.e2e.running import Hanpan

pytestmark = [*BROWSER_TEST, pytest.mark.slow]

TITLE = TABLES["bang"].title


def begin(visitor: Visitor, running: Hanpan, bots: int = 4, **options: str) -> str:
    """A game with so many bots that has begun; its code."""
    page = visitor.page
    code = open_room(page, running.url, TITLE, bots=bots, selected=options)
    page.get_by_role("button", name="시작").click()
    page.locator("main.bng").wait_for()
    return code


# ---------------------------------------------------------------- what is hidden

OPENLY_TAKEN = {"storePicked", "cardTaken", "discardTaken", "cardShown"}  # these tell everybody of a card of a hand


def cards(value: Any) -> Iterator[int]:
    """The id of every card in a message, at any depth."""
    if isinstance(value, dict):
        if "face" in value and isinstance(value.get("id"), int):
            yield value["id"]
        for inner in value.values():
            yield from cards(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from cards(inner)


def test_a_spectator_is_told_no_hidden_card_and_no_living_role(visit: Visit, running: Hanpan) -> None:
    me, watcher = visit(PHONE), visit(DESKTOP)
    open_room(me.page, running.url, TITLE)
    come_in(watcher.page, me.page.url, to="watch")
    me.page.get_by_role("button", name="시작").click()
    watcher.page.locator("main.bng").wait_for()

    roles: set[str] = set()

    def turn(page: Page) -> None:
        bang(page)
        if not is_over(watcher.page):
            roles.update(watcher.page.locator(SHOWN_ROLE).evaluate_all("(all) => all.map((one) => one.dataset.at)"))

    play_on(me.page, turn, lambda: is_over(me.page), 240)
    watcher.page.locator("main.over").wait_for()
    assert not roles
    mine, theirs = me.views(), watcher.views()
    told = {m["seq"]: m for m in watcher.messages if m["type"] == "update"}
    known: set[int] = set()
    looked = 0
    for seq in sorted(theirs):
        view = theirs[seq]
        known |= {
            event["card"]["id"]
            for event in told.get(seq, {}).get("events", ())
            if event["type"] in OPENLY_TAKEN and "card" in event
        }
        if view["phase"] == "finished":
            continue
        for row in view["players"]:
            assert "role" not in row or row["role"] == "sheriff" or not row["alive"]
            assert "hand" not in row
        assert not {"hand", "role", "me", "kitOptions", "characterOffer"} & view.keys()
        hand = {card["id"] for card in mine.get(seq, {}).get("hand", ())}
        looked += bool(hand)
        assert not (hand - known) & set(cards(told.get(seq, view))), seq
    assert looked > 10


SHOWN_ROLE = ".poster:not(.dead):not(.sheriff):has(.roleof)"


def last(visitor: Visitor) -> dict[str, Any]:
    views = visitor.views()
    return views[max(views)]


# ---------------------------------------------------------------- my role


def test_my_role_is_seen_for_as_long_as_it_is_held(visit: Visit, running: Hanpan) -> None:
    me = visit(PHONE)
    page = me.page
    begin(me, running)
    page.locator(".rolecard").wait_for()
    view = last(me)
    role, name = view["role"], view["roleName"]
    peek = page.locator(".peek")
    if role == "sheriff":
        page.get_by_role("button", name=f"내 역할: {name}").wait_for()
        return
    close_hints(page)
    assert name not in page.locator("main.bng .strip").inner_text()
    box = page.locator(".rolecard").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    peek.get_by_text(name, exact=True).wait_for()
    pictures(page, "bang-role")
    page.mouse.up()
    peek.wait_for(state="detached")
    page.locator(".rolecard").focus()
    page.keyboard.down("Enter")
    peek.get_by_text(name, exact=True).wait_for()
    page.keyboard.up("Enter")
    peek.wait_for(state="detached")


# ---------------------------------------------------------------- the full table


@pytest.mark.timeout(600)
def test_seven_at_the_table_in_children_s_words(visit: Visit, running: Hanpan) -> None:
    """Characters are chosen, 판정 is asked for; all of it fits a small phone, can be tapped and passes axe."""
    me = visit(SMALL)
    page = me.page
    begin(me, running, bots=6, **{"캐릭터 배정": "2장 중 1장 선택", "이름": "어린이 표현"})
    page.locator(".ask .offer").first.wait_for()
    fits(page)
    pictures(page, "bang-characters")
    seen: set[str] = set()

    def moment() -> str:
        for name, where in (
            ("attack", ".ask.attack"),
            ("dying", ".ask.dire"),
            ("choice", ".ask .pick"),
            ("aim", ".poster.aimed"),
            ("turn", ".deeds .end"),
            ("flip", ".flip"),
        ):
            if page.locator(where).count():
                return name
        return ""

    def look(name: str) -> None:
        fits(page)
        assert small_targets(page) == []
        if name != "flip":
            no_serious_findings(page)

    def turn(page: Page) -> None:
        name = moment()
        if name and name not in seen:
            seen.add(name)
            look(name)
            pictures(page, f"bang-seven-{name}")
        bang(page)

    for _ in range(4):  # whoever falls before their first turn sees little of a game
        play_on(page, turn, lambda: is_over(page), 400)
        if {"turn", "aim"} <= seen:
            break
        page.get_by_role("button", name="한 판 더").click()
        page.locator("main.bng:not(.over)").wait_for()
    assert {"turn", "aim"} <= seen
    pictures(page, "bang-seven-over")
    assert all(word not in page.inner_text("main.bng") for word in ("사격", "무법자", "쓰러"))


LONGEST = "Math.max(0, ...document.getAnimations().map((one) => one.effect.getComputedTiming().activeDuration))"


def asked_of_me(visitor: Visitor) -> list[dict[str, Any]]:
    """The windows that wait for me; those of others come and go meanwhile."""
    view = last(visitor)
    return [window for window in view["reactions"] if window["player"] == view["me"]]


def test_an_attack_waits_through_a_reload_and_nothing_moves_for_who_wants_it_still(
    visit: Visit, running: Hanpan
) -> None:
    me = visit(PHONE, reduced_motion="reduce")
    page = me.page
    begin(me, running, bots=6)
    attacked = page.locator(".ask.attack")
    for _ in range(5):  # in one of so many games somebody attacks me
        play_on(page, bang, lambda: attacked.count() or is_over(page), 200)
        if attacked.count():
            break
        page.get_by_role("button", name="한 판 더").click()
        page.locator("main.bng:not(.over)").wait_for()
    before = asked_of_me(me)
    assert before
    page.reload()
    attacked.wait_for()
    assert asked_of_me(me) == before
    page.wait_for_function("() => document.activeElement.classList.contains('ask')")
    expect(page.locator(".ask .clock [data-seconds]")).to_have_text(re.compile(r"^\d+$"))
    page.locator(".ask .suffer").click()
    play_on(page, lambda _: None, lambda: asked_of_me(me) != before, 20)
    assert page.locator(".moving > *").count() == 0
    assert page.evaluate(LONGEST) <= 1


# ---------------------------------------------------------------- keyboard, book, sheets


def test_the_hand_by_keyboard_and_the_sheets(visit: Visit, running: Hanpan) -> None:
    me = visit(DESKTOP)
    page = me.page
    begin(me, running, bots=3)
    page.locator("main.bng .hand .mycard").first.wait_for()
    close_hints(page)
    play_on(
        page,
        lambda one: one.locator(".deeds .draw, .ask button:enabled").first.press("Enter", timeout=500),
        lambda: page.locator("main.mine .deeds .end").count() or is_over(page),
        120,
    )
    usable = page.locator(".mycard:not(.dead):enabled")
    if usable.count():
        usable.first.press("Enter")
        page.locator(".mycard.picked").wait_for()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.closest('.hand') !== null")
        page.keyboard.press("Escape")
        page.locator(".mycard.picked").wait_for(state="detached")
    page.get_by_role("button", name="도감").click()
    page.get_by_role("dialog").get_by_role("button", name="물약").first.click()  # the heap may show one as well
    page.get_by_role("dialog").get_by_text("생명을 1 되찾아요").first.wait_for()
    for tab in ("인물", "역할", "카드"):
        page.get_by_role("tab", name=tab).click()
        no_serious_findings(page)
    pictures(page, "bang-book")
    page.keyboard.press("Escape")
    page.locator(".poster").first.click()
    page.get_by_role("dialog").get_by_text("사거리").first.wait_for()
    pictures(page, "bang-person")
    no_serious_findings(page)
