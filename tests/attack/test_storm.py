"""Abuse over real sockets, beside a game: whatever comes in, the game goes on, and nothing of the abuse is left."""

from __future__ import annotations

import asyncio
import os
import secrets
from random import Random

import aiohttp
import structlog

from tests.attack.abuse import abuse
from tests.gateway.test_whole import Guest, hanpan

SOCKETS = int(os.environ.get("HANPAN_ABUSE", "150"))
AT_ONCE = 25
SPARE_FILES = 5  # that the game itself may have opened meanwhile
MOVES = 8  # of the two together meanwhile: too few to lose five lives


async def a_game(host: Guest, guest: Guest) -> None:
    """A room of these two, in which they play."""
    room = await host.post("/api/rooms", game="ninety-nine", options={"lives": 5}, seats=2, autoStart=True)
    await host.come(room["id"])
    await guest.come(room["id"])


async def is_enough(host: Guest, guest: Guest) -> None:
    """The room is closed, and both have gone."""
    await host.say(type="close", id="enough")
    await host.hear("ack")
    for one in (host, guest):
        await one.ws.close()
        one.now = {}


async def play_on(*guests: Guest, moves: int) -> None:
    """So many moves, each by whom it falls to: a card may give the turn back to who played it."""
    waiting = {asyncio.create_task(guest.my_turn()): guest for guest in guests}
    for _ in range(moves):
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        guest = waiting.pop(done.pop())
        await guest.play(secrets.token_hex(4))
        waiting[asyncio.create_task(guest.my_turn())] = guest
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_a_game_goes_on_through_a_storm():
    """Or many games one after the other, for as long as it lasts: each is made, entered, played and closed in it."""
    with structlog.testing.capture_logs() as lines:
        await play_through(Random(1))
    assert [line for line in lines if line["log_level"] == "error"] == []  # nobody is called for what others do


async def play_through(rng: Random) -> None:
    """Two people play while it storms, and after it; then nothing of the storm is held open."""
    patience = {"keepalive_seconds": 0.5, "hello_seconds": 0.5, "body_seconds": 0.5, "close_seconds": 0.5}
    quick = {"joins_each_rate": 0.0, "creates_each_rate": 0.0}  # of games that take a blink, the two play many
    any_machine = {"lag_seconds": 0.0}
    async with hanpan(**patience, **quick, **any_machine) as (url, _mini), aiohttp.ClientSession() as http:
        host, _, port = url.removeprefix("http://").partition(":")
        anna, bob = Guest(http, url), Guest(http, url)
        await anna.enter("안나")
        await bob.enter("밥")
        await a_game(anna, bob)
        files = len(os.listdir("/proc/self/fd"))
        gate = asyncio.Semaphore(AT_ONCE)

        async def one() -> None:
            async with gate:
                await abuse(host, int(port), rng)

        storm = asyncio.gather(*(one() for _ in range(SOCKETS)))
        while True:
            await play_on(anna, bob, moves=MOVES)
            if storm.done():
                break
            await is_enough(anna, bob)
            await a_game(anna, bob)
        await storm
        await play_on(anna, bob, moves=2)  # and after it
        async with asyncio.timeout(10):
            while len(os.listdir("/proc/self/fd")) > files + SPARE_FILES:  # noqa: ASYNC110  # no event tells of it
                await asyncio.sleep(0.05)
