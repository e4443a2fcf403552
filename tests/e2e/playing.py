"""The games as a browser plays them: each is a row of `TABLES`, with a function that does whatever its table asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from playwright.sync_api import Page

from tests.e2e.browsing import Visitor, open_room
from tests.e2e.running import Hanpan

TAP = 1500  # ms


def ninety_nine(page: Page) -> None:
    """Taps a card that can be played, and then whatever it asks."""
    page.locator("main.mine .nncard:not(.dead):enabled").first.click(timeout=TAP)
    ways = page.locator(".tray button.primary:enabled")
    if ways.count():
        ways.last.click(timeout=TAP)
    else:
        page.locator(".nncard[aria-pressed=true]").click(timeout=TAP)


def parlett(page: Page) -> None:
    """Bids three cards, takes no premium, plays the first card that may be played, and goes on to the next round."""
    for wanted in (".promise button.plain", ".suits button", ".scored button", ".lay.primary"):
        if page.locator(f"main.mine {wanted}:enabled").count():
            return page.locator(wanted).first.click(timeout=TAP)
    picked = page.locator(".hand .held.picked:not(.dead):enabled")
    fresh = page.locator(".hand .held:not(.picked):not(.dead):enabled")
    if picked.count() and not page.locator(".phase-bidding").count():
        return picked.first.click(timeout=TAP)
    return fresh.first.click(timeout=TAP)


def seotda(page: Page) -> None:
    """Says yes to whatever comes between hands, picks what is proposed, never raises, and dies only where it must."""
    choices = (".answers .primary", ".choice .primary", ".choice button")
    for wanted in (*choices, ".bet-check.open", ".bet-call.open", ".bet-die.open"):
        if page.locator(f"main.mine {wanted}:enabled").count():
            page.locator(wanted).first.click(timeout=TAP)
            break


def seotda_secret(view: dict[str, Any]) -> set[str]:
    """What is on my cards, but for those that I have shown: a card is named by what is on it."""
    shown = mentioned(view["showdown"])
    return {card[what] for card in (*view["hand"], *view["discarded"]) for what in ("face", "label")} - shown


def bang(page: Page) -> None:
    """Answers what is asked, draws, plays whatever can be played at whoever can be aimed at, and ends the turn."""
    for wanted in (
        ".ask .answer.primary",
        ".ask .offer",
        ".ask .pick:not(.picked)",
        ".ask .suffer",
        "dialog .pick",
        ".deeds .draw",
        ".deeds .throw.primary",
        ".poster.aimed",
        ".deeds button.primary:not(.end)",
        ".hand .mycard:not(.dead):not(.picked)",
        ".deeds .end",
    ):
        if page.locator(f"main.mine {wanted}:enabled").count():
            return page.locator(f"main.mine {wanted}:enabled").first.click(timeout=TAP)
    return None


class Table(NamedTuple):
    title: str
    board: str  # the table's own main
    turn: Callable[[Page], None]
    options: dict[str, str]
    hands: tuple[str, ...] = ("hand",)  # fields of a view that only its player has
    secret: Callable[[dict[str, Any]], set[str]] = lambda view: {card["id"] for card in view.get("hand", ())}


TABLES = {
    "bang": Table("황야의 총잡이", "main.bng", bang, {}),
    "ninety-nine": Table("구십구", "main.nn", ninety_nine, {}),
    "parlett-ninety-nine": Table("나인티 나인 (Parlett)", "main.prl", parlett, {"라운드 수": "1라운드"}),
    "seotda": Table("섯다", "main.sd", seotda, {"판 수": "10판"}, ("hand", "discarded"), seotda_secret),
}


def begin(visitor: Visitor, running: Hanpan, game: str) -> str:
    """A room of this game whose game has begun; its code."""
    table = TABLES[game]
    code = open_room(visitor.page, running.url, table.title, **table.options)
    visitor.page.get_by_role("button", name="시작").click()
    visitor.page.locator(table.board).wait_for()
    return code


def room_of(running: Hanpan, code: str) -> dict[str, Any]:
    return next(row for row in running.rooms().values() if row["code"] == code)


def mentioned(value: Any) -> set[str]:
    """Every string in a message, at any depth."""
    if isinstance(value, dict):
        return set().union(*map(mentioned, value.values()), {str(key) for key in value})
    if isinstance(value, list):
        return set().union(*map(mentioned, value))
    return {value} if isinstance(value, str) else set()
