"""How quick the page is on a slow phone: ``python -m tests.e2e.speed`` prints it. Not a test: a busy machine is slower.

A first visit on 1.6 Mbit/s with 150 ms there and back, and every drawing of a game's turns with its script, styles and
layout, both on a CPU that is slowed four times. The aims are 2 s and 16 ms.
"""

from __future__ import annotations

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.browsing import CHROMIUM, PHONE, QUIET, Visitor, is_over, play_on
from tests.e2e.running import Hanpan, hanpan
from tests.e2e.test_tables import TABLES, begin

SLOW_NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
SLOW_CPU = {"rate": 4}
FRAMES = """
window.drawn = [];
const real = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (then) => real((now) => {
  const began = performance.now();
  then(now);
  document.body.offsetHeight;
  window.drawn.push(performance.now() - began);
});
"""


def first_visit(browser: Browser, url: str) -> str:
    me = Visitor(browser, PHONE)
    cdp = me.context.new_cdp_session(me.page)
    sizes: list[float] = []
    cdp.send("Network.enable")
    cdp.on("Network.loadingFinished", lambda one: sizes.append(one["encodedDataLength"]))
    cdp.send("Network.emulateNetworkConditions", SLOW_NETWORK)
    cdp.send("Emulation.setCPUThrottlingRate", SLOW_CPU)
    me.page.goto(url, wait_until="commit")
    me.page.get_by_role("button", name="빠른 대전").first.wait_for()
    there = me.page.evaluate("performance.now()")
    me.close()
    return f"first visit: {there:.0f} ms, {sum(sizes) / 1024:.0f} KiB"


def drawings(browser: Browser, running: Hanpan, game: str) -> str:
    me, table = Visitor(browser, PHONE), TABLES[game]
    me.context.add_init_script(FRAMES)
    begin(me, running, game)
    me.page.locator("main.mine").wait_for()
    me.context.new_cdp_session(me.page).send("Emulation.setCPUThrottlingRate", SLOW_CPU)
    me.page.evaluate("window.drawn = []")
    play_on(me.page, table.turn, lambda: len(me.views()) > 60 or is_over(me.page))
    took = sorted(me.page.evaluate("window.drawn"))
    me.close()
    return f"{game}: {len(took)} drawings, p50 {took[len(took) // 2]:.1f} ms, p90 {took[len(took) * 9 // 10]:.1f} ms"


def main() -> None:
    with (
        hanpan("--spares", "2", HANPAN_ROOM_SETTINGS='{"bot_delay": [100, 200]}') as running,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        print(first_visit(browser, running.url))
        for game in TABLES:
            print(drawings(browser, running, game))
        browser.close()


if __name__ == "__main__":
    main()
