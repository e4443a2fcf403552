"""How quick the page is on a slow phone: ``python -m tests.e2e.speed`` prints it. Not a test: a busy machine is slower.

A first visit on 1.6 Mbit/s with 150 ms there and back, and every drawing of a game's turns, both on a CPU that is
slowed four times. The aims are 2 s and 200 KiB, and 16 ms. Times are noisy where other work runs, so they come with
counts that are not: how many requests, and how long the longest chain of them that waited for each other; how many
nodes a drawing changed, how many elements it gave a new style and how many boxes a new place. `loop` is what a fixed
piece of JavaScript took in the same page: where it took longer than elsewhere, so did everything.

With names of games, only these: ``python -m tests.e2e.speed bang``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.browsing import CHROMIUM, PHONE, QUIET, Visitor, is_over, play_on
from tests.e2e.playing import TABLES, begin
from tests.e2e.running import Hanpan, hanpan

SLOW_NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
SLOW_CPU = {"rate": 4}
STEPS = 60  # of a game that are drawn
TRACED = ["devtools.timeline", "blink.user_timing"]

# How many nodes each drawing changed. A number that counts up by itself changes one at a time: that is no drawing.
WATCH = """
window.changed = [];
const real = window.requestAnimationFrame.bind(window);
const watch = new MutationObserver(() => {});
watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
window.requestAnimationFrame = (then) => real((now) => {
  watch.takeRecords();
  then(now);
  const seen = watch.takeRecords();
  const nodes = seen.reduce((sum, one) => sum + Math.max(1, one.addedNodes.length), 0);
  if (nodes > 1) { window.changed.push(nodes); performance.mark("drawing"); }
});
"""
# When the lobby can be used: its first button is there, and painted.
STANDS = """
new MutationObserver((_, watch) => {
  if (!document.querySelector("article.game button")) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => (window.stands = performance.now())));
}).observe(document, { subtree: true, childList: true });
"""
SPANS = """[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .map((one) => [one.startTime, one.responseEnd])"""
LOOP = """() => {
  const took = Array.from({ length: 9 }, () => {
    const began = performance.now();
    const words = Array.from({ length: 6000 }, (_, i) => String((i * 7919) % 6007));
    window.looped = words.sort().map((word) => ({ word, length: word.length })).filter((one) => one.length > 3);
    return performance.now() - began;
  });
  return took.sort((a, b) => a - b)[4];
}"""
# The parts of a frame that the page's own thread has to do, as a trace names them.
PARTS = {
    "FireAnimationFrame": "script",
    "UpdateLayoutTree": "style",
    "Layout": "layout",
    "PrePaint": "paint",
    "Paint": "paint",
    "Layerize": "paint",
}


def middle(values: Sequence[float], part: float = 0.5) -> float:
    """The value below which this part of them lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else float("nan")


def first_visit(browser: Browser, url: str) -> str:
    """From the address to a lobby that can be used; what was fetched until then, and in the end."""
    me = Visitor(browser, PHONE)
    me.context.add_init_script(STANDS)
    cdp = me.context.new_cdp_session(me.page)
    answered: list[tuple[float, float]] = []  # when, by the browser's clock in s, and bytes
    began: list[float] = []
    cdp.send("Network.enable")
    cdp.on("Network.requestWillBeSent", lambda one: began.append(one["timestamp"]))
    cdp.on("Network.loadingFinished", lambda one: answered.append((one["timestamp"], one["encodedDataLength"])))
    cdp.send("Network.emulateNetworkConditions", SLOW_NETWORK)
    cdp.send("Emulation.setCPUThrottlingRate", SLOW_CPU)
    me.page.goto(url, wait_until="commit")
    me.page.wait_for_function("() => window.stands > 0")
    stands: float = me.page.evaluate("window.stands")
    me.page.wait_for_timeout(6000)
    spans: list[list[float]] = me.page.evaluate(SPANS)
    me.close()
    needed = [size for at, size in answered if (at - began[0]) * 1000 <= stands]
    chain = _chain([(first, last) for first, last in spans if last <= stands])
    return (
        f"first visit: stands after {stands:.0f} ms, by then {len(needed)} answers, a chain of {chain}, "
        f"{sum(needed) / 1024:.0f} KiB; in the end {len(answered)} answers, "
        f"{sum(size for _, size in answered) / 1024:.0f} KiB"
    )


def _chain(spans: Sequence[tuple[float, float]]) -> int:
    """The longest chain of requests of which each began only when the one before had been answered."""
    ends: list[tuple[float, int]] = []
    for began, ended in sorted(spans):
        ends.append((ended, 1 + max((length for end, length in ends if end <= began), default=0)))
    return max(length for _, length in ends)


def drawings(browser: Browser, running: Hanpan, game: str) -> str:
    """What the drawings of a game's turns cost the page's own thread."""
    me, table = Visitor(browser, PHONE), TABLES[game]
    me.context.add_init_script(WATCH)
    begin(me, running, game)
    me.page.locator("main.mine").wait_for()
    me.context.new_cdp_session(me.page).send("Emulation.setCPUThrottlingRate", SLOW_CPU)
    loop: float = me.page.evaluate(LOOP)
    me.page.evaluate("window.changed = []")
    browser.start_tracing(page=me.page, categories=TRACED)
    play_on(me.page, table.turn, lambda: len(me.views()) > STEPS or is_over(me.page))
    frames = _frames(json.loads(browser.stop_tracing())["traceEvents"])
    changed: list[float] = me.page.evaluate("window.changed")
    me.close()
    whole = [sum(frame[part] for part in set(PARTS.values())) for frame in frames]
    row = [game, str(len(frames)), f"{middle(whole):.1f}", f"{middle(whole, 0.9):.1f}"]
    row += [f"{middle([frame[part] for frame in frames]):.1f}" for part in ("script", "style", "layout", "paint")]
    row += [
        f"{middle(changed):.0f}",
        *(f"{middle([one[what] for one in frames]):.0f}" for what in ("styled", "placed")),
    ]
    return _line([*row, f"{loop:.1f}"])


def _frames(events: list[dict[str, Any]]) -> list[dict[str, float]]:
    """The frames in which something was drawn: ms of each part, elements styled, boxes placed."""
    drawing = [event for event in events if event["name"] == "drawing"]
    if not drawing:
        return []
    thread = (drawing[0]["pid"], drawing[0]["tid"])
    mine = sorted(
        (event for event in events if (event["pid"], event["tid"]) == thread and event["name"] in (*PARTS, "drawing")),
        key=lambda event: event["ts"],
    )
    frames: list[dict[str, float]] = []
    around: list[tuple[float, str]] = []  # the events that the next one lies in: their ends, and their parts
    for event in mine:
        if event["name"] == "FireAnimationFrame":
            frames.append(dict.fromkeys((*PARTS.values(), "styled", "placed", "drawing"), 0))
        elif not frames:
            continue
        frame = frames[-1]
        if event["name"] == "drawing":
            frame["drawing"] = 1
            continue
        part, took = PARTS[event["name"]], event.get("dur", 0)
        while around and around[-1][0] <= event["ts"]:
            around.pop()
        if around:  # a layout that a script asked for is no script
            frame[around[-1][1]] -= took / 1000
        around.append((event["ts"] + took, part))
        frame[part] += took / 1000
        said = event.get("args", {})
        if event["name"] == "UpdateLayoutTree":
            frame["styled"] += said.get("elementCount", 0)
        if event["name"] == "Layout":
            frame["placed"] += said.get("beginData", {}).get("dirtyObjects", 0)
    return [frame for frame in frames if frame["drawing"]]


HEAD = ["game", "drawings", "p50", "p90", "script", "style", "layout", "paint", "changed", "styled", "placed", "loop"]


def _line(cells: Sequence[str]) -> str:
    return f"{cells[0]:<21}" + "".join(f"{cell:>9}" for cell in cells[1:])


def main(games: Sequence[str]) -> None:
    with (
        hanpan("--spares", "2", HANPAN_ROOM_SETTINGS='{"bot_delay": [100, 200]}') as running,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        if not games:
            print(first_visit(browser, running.url), flush=True)
        print("\nA drawing, in ms on the page's own thread (p50 of each part), and what it touched (p50):")
        print(_line(HEAD), flush=True)
        for game in games or TABLES:
            print(drawings(browser, running, game), flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
