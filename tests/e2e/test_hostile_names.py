"""XSS, in a real browser: names that are markup or script are text, and nothing else, wherever a name is shown.

Each page is watched from its first moment: no script of theirs runs, no element or attribute is made of them, and the
page's policy has nothing to refuse. The names are within what the server lets anybody be called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from gateway.auth import clean_name
from tests.e2e.browsing import BROWSER_TEST, DESKTOP, PHONE, Visitor, is_over, open_room, play_on
from tests.e2e.playing import TABLES
from tests.e2e.running import QUICK_BOTS, Hanpan, hanpan
from tests.e2e.test_ops_page import come_in, find_room

pytestmark = [*BROWSER_TEST, pytest.mark.slow]

Visit = Callable[..., Visitor]

# Of the host and of a guest, a game each.
NAMES = {
    "bang": ("<svg/onload=pwn()>", '"><b id=pwn x="'),
    "ninety-nine": ("<img src=x id=pwn>", "' onfocus=pwn() a='"),
    "parlett-ninety-nine": ("&lt;b id=pwn&gt;", "</p><b id=pwn>"),
    "seotda": ("javascript:pwn()", "${pwn()}{{pwn()}}$&"),
}

# What a name would have to bring about to have done harm, looked for in every element that comes into the document.
WATCH = """
window.harm = [];
window.pwn = () => window.harm.push("a script ran");
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
  window.harm.push(`${violatedDirective}: ${blockedURI}`);
});
const READ = ["id", "src", "srcdoc", "href", "action", "style", "class"];
const isEvil = ({ name, value }) => name.startsWith("on") || (READ.includes(name) && /pwn/.test(value));
const judge = (element) => {
  if ([...element.attributes].some(isEvil) || /pwn/.test(element.localName)) {
    window.harm.push(element.outerHTML.slice(0, 200));
  }
};
const look = ({ target, addedNodes }) => {
  for (const node of [target, ...addedNodes]) {
    if (node instanceof Element) [node, ...node.querySelectorAll("*")].forEach(judge);
  }
};
new MutationObserver((changes) => changes.forEach(look)).observe(document, {
  childList: true, subtree: true, attributes: true,
});
"""


@pytest.fixture(scope="module")
def running() -> Iterator[Hanpan]:
    with hanpan("--spares", "3", HANPAN_ROOM_SETTINGS=QUICK_BOTS) as started:
        yield started


def watched(visit: Visit, size: tuple[int, int] = PHONE) -> Visitor:
    visitor = visit(size, reduced_motion="reduce")
    visitor.context.add_init_script(WATCH)
    return visitor


def unharmed(page: Page) -> None:
    assert page.evaluate("window.harm") == []


def shows(page: Page, where: str, *names: str) -> None:
    """These names are there to be read, letter by letter."""
    for name in names:
        page.locator(where).get_by_text(name).first.wait_for()
    unharmed(page)


def call_oneself(page: Page, url: str, name: str) -> None:
    page.goto(url)
    field = page.get_by_label("이름", exact=True)
    field.fill(name)
    field.press("Enter")
    page.wait_for_function("(name) => JSON.parse(localStorage.getItem('hanpan.me') ?? '{}').name === name", arg=name)


def test_these_are_names_that_anybody_may_have() -> None:
    for name in (one for pair in NAMES.values() for one in pair):
        assert clean_name(name) == name


def test_the_watch_notices_what_it_looks_for(visit: Visit, running: Hanpan) -> None:
    """Were a name put into the document as markup, it would be seen."""
    for name, why in (
        ("<svg/onload=pwn()>", "onload"),
        ('"><b id=pwn x="', 'id="pwn"'),
        ("</p><b id=pwn>", 'id="pwn"'),
        ("<img src=x id=pwn>", 'id="pwn"'),
    ):
        me = watched(visit)
        me.page.goto(running.url)
        me.page.locator("article.game").first.wait_for()
        unharmed(me.page)
        markup = f'<p title="{name}">{name}</p>'
        me.page.evaluate("(markup) => document.body.insertAdjacentHTML('beforeend', markup)", markup)
        me.page.wait_for_function("window.harm.length > 0")
        assert why in str(me.page.evaluate("window.harm"))
        me.faults.clear()


@pytest.mark.parametrize("game", TABLES)
def test_names_are_text_in_the_room_at_the_table_and_after_it(visit: Visit, running: Hanpan, game: str) -> None:
    table, (mine, theirs) = TABLES[game], NAMES[game]
    host, guest, watcher = watched(visit, DESKTOP), watched(visit), watched(visit)
    for one, name in ((host, mine), (guest, theirs), (watcher, theirs)):
        call_oneself(one.page, running.url, name)
    everyone = [one.page for one in (host, guest, watcher)]

    # The lobby's list, and coming in by it.
    open_room(host.page, running.url, table.title, **table.options)
    host.page.get_by_role("button", name="바꾸기").click()
    host.page.get_by_role("dialog").get_by_role("switch", name="공개 방").check()
    host.page.get_by_role("button", name="저장").click()
    guest.page.reload()
    shows(guest.page, ".rooms", f"{mine} 님의 방")
    guest.page.locator(".rooms button", has_text=f"{mine} 님의 방").first.click()

    # The waiting room, the host's sheet for a seat, and the menu.
    for page in (host.page, guest.page):
        shows(page, ".waiting", mine, theirs)
    host.page.get_by_role("button", name=f"{theirs} 님 자리 관리").click()
    shows(host.page, "dialog", theirs)
    host.page.keyboard.press("Escape")
    guest.page.get_by_role("button", name="메뉴").click()
    shows(guest.page, "dialog .people", mine, theirs)
    guest.page.keyboard.press("Escape")
    watcher.page.goto(host.page.url)
    watcher.page.get_by_text("빈자리가 없어요. 구경하고 있어요").wait_for()

    # The table, and its log: beside it on a desktop, in a sheet on a phone.
    guest.page.get_by_role("button", name="준비").first.click()
    host.page.get_by_role("button", name="시작").click()
    for page in everyone:
        page.locator(table.board).wait_for()
    shows(watcher.page, table.board, mine, theirs)
    shows(host.page, table.board, theirs)
    shows(guest.page, table.board, mine)
    logged = 0

    def turn(page: Page) -> None:
        nonlocal logged
        table.turn(page)
        logged += any(name in host.page.locator("aside.log").inner_text() for name in (mine, theirs))

    play_on((host.page, guest.page), turn, lambda: is_over(host.page) and is_over(guest.page))
    assert logged
    watcher.page.locator("main.over").wait_for()
    for page in everyone:
        unharmed(page)

    # The result, the sheet of fairness, and the game watched again.
    for page in everyone:
        shows(page, ".result", mine, theirs)
    host.page.locator(".result").get_by_role("button", name="공정성 확인").click()
    host.page.locator(".fair-verdict.good").wait_for()
    shows(host.page, "dialog.fair", mine, theirs)
    host.page.locator("#dialogs").get_by_role("button", name="닫기", exact=True).click()
    watcher.page.locator(".result").get_by_role("button", name="다시 보기").click()
    watcher.page.get_by_role("slider", name="장면").wait_for()
    shows(watcher.page, table.board, mine, theirs)
    watcher.page.keyboard.press("End")
    watcher.page.locator("main.over").wait_for()
    guest.page.locator(".result").get_by_role("button", name="다시 보기").click()
    guest.page.get_by_role("slider", name="장면").wait_for()
    for page in everyone:
        unharmed(page)


def test_names_are_text_on_the_operators_page(visit: Visit, running: Hanpan) -> None:
    """In the list of rooms, in a room and its past, in the audit; and whatever an operator calls themselves."""
    mine, theirs = NAMES["bang"][0], NAMES["parlett-ninety-nine"][1]
    host, guest, operator = watched(visit), watched(visit), watched(visit, DESKTOP)
    call_oneself(host.page, running.url, mine)
    call_oneself(guest.page, running.url, theirs)
    code = open_room(host.page, running.url, "구십구")
    guest.page.goto(host.page.url)
    guest.page.get_by_role("button", name="준비").first.click()
    host.page.get_by_role("button", name="시작").click()
    guest.page.locator("main.nn").wait_for()

    page = operator.page
    come_in(page, running, "<img/src=x/id=pwn>")
    page.get_by_role("link", name="Rooms", exact=True).click()
    shows(page, ".list.rooms", mine, theirs)
    page.keyboard.press("/")
    page.get_by_role("searchbox").fill(mine)
    shows(page, ".list.rooms", mine)
    find_room(page, code)
    shows(page, "ul.people", mine, theirs)
    shows(page, ".entries", mine, theirs)
    page.locator(".lines > li", has=page.locator(".kind.seat")).first.locator(".line").click()
    shows(page, ".lines pre", "name")
    page.get_by_role("button", name="Move…").click()
    page.get_by_role("dialog").get_by_role("button", name="Move it").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_role("link", name="Audit").click()
    shows(page, ".deeds", "<img/src=x/id=pwn>@127.0.0.1")


def test_codes_addresses_and_refusals_are_text(visit: Visit, running: Hanpan) -> None:
    """What comes by a link, what is typed as a code, and what a server says no with."""
    me = watched(visit)
    evil = "<svg/onload=pwn()>"
    me.page.goto(f"{running.url}/r/{quote(evil, safe='')}?replay={quote(evil)}&table={quote(evil)}#{quote(evil)}")
    me.page.get_by_text("없어요").first.wait_for()
    unharmed(me.page)
    me.page.goto("about:blank")
    me.page.goto(f"{running.url}/r/{quote(evil, safe='')}")
    shows(me.page, "dialog", "방에 들어가기")
    me.page.get_by_role("button", name="방에 들어가기").click()
    me.page.get_by_text("없어요").first.wait_for()
    unharmed(me.page)

    me.page.goto(running.url)
    me.page.get_by_label("초대 코드", exact=True).fill("<b id=pwn")
    me.page.get_by_role("button", name="입장").click()
    me.page.get_by_text("없어요").first.wait_for()
    unharmed(me.page)

    me.page.route("**/api/quick", lambda route: route.fulfill(status=409, json={"code": evil, "message": evil}))
    me.page.get_by_role("button", name="빠른 대전").first.click()
    shows(me.page, "#toasts", evil)
    me.faults.clear()  # the console tells of the refusals


def test_what_a_room_says_no_with_is_text(visit: Visit, running: Hanpan) -> None:
    """Options that are none come back named in the server's words, and are shown in them."""
    evil = "<svg/onload=pwn()>"
    me = watched(visit)
    me.page.goto(running.url)
    open_room(me.page, running.url, "구십구", bots=1)
    me.page.get_by_role("button", name="바꾸기").wait_for()
    me.page.evaluate(
        "async (evil) => (await import(document.querySelector('[rel=modulepreload][href$=\"/app.js\"]').href))"
        ".act.say({type: 'options', options: {[evil]: evil, handSize: evil}})",
        evil,
    )
    me.page.locator("#toasts p").first.wait_for()
    rejected = [m for m in me.messages if m["type"] == "reject"]
    assert rejected
    unharmed(me.page)
    me.faults.clear()
