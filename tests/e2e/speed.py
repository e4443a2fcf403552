"""How quick the page is on a slow phone: ``python -m tests.e2e.speed`` prints it. Not a test: a busy machine is slower.

The phone is Lighthouse's mobile one: a network of 1.6 Mbit/s down, 0.75 up and 150 ms there and back ("slow 4G"), and a
CPU slowed four times, which slows the page's own thread and nothing else. The browser's own throttling delays each
request, not each packet, so opening connections costs nothing here; where the browser is started anew it does, once.

A first visit is one by a person who was never here: from the address to a lobby that can be used. The aims are 2 s and
200 KiB. Then every drawing of a game's turns: the aim is a frame within 16 ms. What a drawing sets in motion moves in
frames of its own, which are told beside it ("moving").

Times are noisy where other work runs, so they come with counts that are not: how many requests, and how long the
longest chain of them that waited for each other; how many elements a drawing gave a new style and how many boxes a new
place. `loop` is what a fixed piece of JavaScript took in the same page: where it took longer, so did everything else.
The machine's own speed is told first, unslowed, as Lighthouse's benchmark index: Lighthouse takes a machine below 1000
for too slow to be slowed four times, and a middling phone has 125 to 800.
Nothing of the test's runs in the page while it is measured: the tools that drive a browser would be slowed with it.

With names of games, only these: ``python -m tests.e2e.speed bang``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.browsing import CHROMIUM, PHONE, QUIET, Visitor, is_over, play_on
from tests.e2e.playing import TABLES, begin
from tests.e2e.running import Hanpan, hanpan

SLOW_NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
SLOW_CPU = {"rate": 4}
VISITS = 7
SETTLED = 6000  # ms until a visit has fetched all it ever will
STEPS = 60  # of a game that are drawn
TRACED = ["devtools.timeline"]

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
# Lighthouse's benchmark index: how often in a second a string of 10,000 letters can be put together, and an array of
# 100,000 numbers be copied; the mean of both, over ten.
INDEX = """() => {
  const rate = (once) => {
    const began = performance.now();
    let times = 0;
    while (performance.now() - began < 500 || times % 10) once(times++);
    return times / 10 / ((performance.now() - began) / 1000);
  };
  const letters = () => {
    let text = "";
    for (let i = 0; i < 10_000; i += 1) text += "a";
    window.text = text.length;
  };
  const arrays = [0, 1].map(() => Array.from({ length: 100_000 }, (_, i) => i));
  const copied = (times) => {
    const from = arrays[times % 2], to = arrays[1 - (times % 2)];
    for (let i = 0; i < from.length; i += 1) to[i] = from[i];
  };
  return (rate(letters) + rate(copied)) / 2;
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


class Visit(NamedTuple):
    """A first visit: until the lobby stood, and in the end."""

    stands: float  # ms
    answers: int
    chain: int
    size: float  # KiB
    answers_all: int
    size_all: float
    loop: float  # ms


def first_visit(browser: Browser, url: str) -> Visit:
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
    me.page.wait_for_timeout(SETTLED)
    stands: float = me.page.evaluate("window.stands")
    spans: list[list[float]] = me.page.evaluate(SPANS)
    loop: float = me.page.evaluate(LOOP)
    me.close()
    needed = [size for at, size in answered if (at - began[0]) * 1000 <= stands]
    chain = _chain([(first, last) for first, last in spans if last <= stands])
    everything = sum(size for _, size in answered) / 1024
    return Visit(stands, len(needed), chain, sum(needed) / 1024, len(answered), everything, loop)


def first_visits(browser: Browser, url: str) -> str:
    """The middle one of several. The first of a browser is not among them: it also starts the browser's own helpers."""
    first_visit(browser, url)
    visits = sorted(first_visit(browser, url) for _ in range(VISITS))
    one = visits[VISITS // 2]
    return (
        f"first visit: stands after {one.stands:.0f} ms (middle of {VISITS}: {visits[0].stands:.0f} to "
        f"{visits[-1].stands:.0f}), by then {one.answers} answers, a chain of {one.chain}, {one.size:.0f} KiB; "
        f"in the end {one.answers_all} answers, {one.size_all:.0f} KiB; "
        f"loop {middle([each.loop for each in visits]):.1f}"
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
    begin(me, running, game)
    me.page.locator("main.mine").wait_for()
    me.context.new_cdp_session(me.page).send("Emulation.setCPUThrottlingRate", SLOW_CPU)
    loop: float = me.page.evaluate(LOOP)
    browser.start_tracing(page=me.page, categories=TRACED)
    play_on(me.page, table.turn, lambda: len(me.views()) > STEPS or is_over(me.page))
    frames = frames_of(json.loads(browser.stop_tracing())["traceEvents"])
    me.close()
    drawn = [frame for frame in frames if frame["drawing"] and frame["styled"]]
    moving = [_whole(frame) for frame in frames if not frame["drawing"] and _whole(frame) > 0]
    whole = list(map(_whole, drawn))
    row = [game, str(len(drawn)), f"{middle(whole):.1f}", f"{middle(whole, 0.9):.1f}"]
    row += [f"{middle([frame[part] for frame in drawn]):.1f}" for part in ("script", "style", "layout", "paint")]
    row += [f"{middle([one[what] for one in drawn]):.0f}" for what in ("styled", "placed")]
    return _line([*row, f"{middle(moving):.1f}", f"{loop:.1f}"])


def _whole(frame: dict[str, float]) -> float:
    return sum(frame[part] for part in set(PARTS.values()))


def frames_of(events: list[dict[str, Any]]) -> list[dict[str, float]]:
    """The frames of the page's own thread: ms of each part, elements styled, boxes placed, whether it was a drawing.

    A frame ends when it is made into layers for the compositor; handing them over, 1 ms or so, is not traced. One with
    a script begins with that: what was asked for before, to find out where a tap would go, is none of it. Times are the
    thread's own: what it was slowed is in them, what it waited for a core of the machine is not.
    """
    thread = next((one["pid"], one["tid"]) for one in events if _draws(one))
    mine = sorted((one for one in events if (one["pid"], one["tid"]) == thread), key=lambda one: one["ts"])
    nothing = dict.fromkeys((*PARTS.values(), "styled", "placed", "drawing"), 0.0)
    frames: list[dict[str, float]] = []
    around: list[tuple[float, str]] = []  # the events that the next one lies in: their ends, and their parts
    frame = dict(nothing)
    for event in mine:
        if event["name"] == "FireAnimationFrame" and frame["script"] == 0:
            frame, around = dict(nothing), []
        frame["drawing"] += _draws(event)
        if event["name"] not in PARTS:
            continue
        part, took = PARTS[event["name"]], event.get("tdur", 0)
        while around and around[-1][0] <= event["ts"]:
            around.pop()
        if around:  # a layout that a script asked for is no script
            frame[around[-1][1]] -= took / 1000
        around.append((event["ts"] + event.get("dur", 0), part))
        frame[part] += took / 1000
        said = event.get("args", {})
        if event["name"] == "UpdateLayoutTree":
            frame["styled"] += said.get("elementCount", 0)
        if event["name"] == "Layout":
            frame["placed"] += said.get("beginData", {}).get("dirtyObjects", 0)
        if event["name"] == "Layerize":
            frames.append(frame)
            frame, around = dict(nothing), []
    return frames


def _draws(event: dict[str, Any]) -> bool:
    """Is it the page's `draw`, called for a frame?"""
    called = event.get("args", {}).get("data", {})
    return event["name"] == "FunctionCall" and str(called.get("url", "")).endswith("/main.js")


HEAD = ["game", "drawings", "p50", "p90", "script", "style", "layout", "paint", "styled", "placed", "moving", "loop"]


def _line(cells: Sequence[str]) -> str:
    return f"{cells[0]:<21}" + "".join(f"{cell:>9}" for cell in cells[1:])


def main(games: Sequence[str]) -> None:
    with (
        hanpan("--spares", "2", HANPAN_ROOM_SETTINGS='{"bot_delay": [100, 200]}') as running,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        idle = browser.new_page()
        print(f"this machine: {idle.evaluate(INDEX):.0f} by Lighthouse's benchmark index")
        idle.close()
        if not games:
            print(first_visits(browser, running.url), flush=True)
        print("\nA drawing, in ms on the page's own thread (p50 of each part), and what it touched (p50):")
        print(_line(HEAD), flush=True)
        for game in games or TABLES:
            print(drawings(browser, running, game), flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
