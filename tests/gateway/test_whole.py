"""The gateway in front of the real cluster, in one loop: the lobby's answers lead to a game, and the game survives."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import msgspec
from aiohttp import web

from engines.kernel.sealed import pledge_of
from gateway.app import make_app, make_runner
from gateway.config import Settings
from ops.fairness import check
from tests.cluster.mini import MiniCluster, mini_cluster


@contextlib.asynccontextmanager
async def hanpan(**settings_given: Any) -> AsyncIterator[tuple[str, MiniCluster]]:
    settings = Settings(**{"token_keys": ("k" * 32,), "close_seconds": 1.0, "lag_seconds": 0.0, **settings_given})
    async with mini_cluster() as mini:
        runner = make_runner(make_app(mini.gateway, settings), settings)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0]
        try:
            yield f"http://{host}:{port}", mini
        finally:
            await runner.cleanup()


class Guest:
    """A guest, from the lobby to the table."""

    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        self.http, self.url = http, url
        self.ws: aiohttp.ClientWebSocketResponse[bool]
        self.token = ""
        self.now: dict[str, Any] = {}  # the last welcome or update

    async def post(self, path: str, **body: Any) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        async with self.http.post(self.url + path, json=body, headers=headers) as answer:
            said: dict[str, Any] = await answer.json()
            assert answer.status < 300, said
            return said

    async def enter(self, name: str) -> str:
        """A new identity; its player's id."""
        issued = await self.post("/api/guest", name=name)
        self.token = issued["token"]
        return str(issued["player"])

    async def come(self, room: str, **more: Any) -> None:
        self.ws = await self.http.ws_connect(f"{self.url}/ws")
        await self.say(type="hello", token=self.token, room=room, join="seat", **more)
        await self.hear("welcome")

    async def say(self, **message: Any) -> None:
        await self.ws.send_str(msgspec.json.encode(message).decode())

    async def hear(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types."""
        while True:
            message: dict[str, Any] = await self.ws.receive_json(timeout=20)
            assert message["type"] not in ("bye", "error", "reject"), message
            if message["type"] in ("welcome", "update"):
                self.now = message
            if message["type"] in types:
                return message

    async def my_turn(self) -> None:
        while not self.now.get("decision"):
            await self.hear("welcome", "update")

    async def play(self, id: str) -> dict[str, Any]:
        """The first thing that is legal."""
        await self.my_turn()
        wish = self.now["legal"][0]
        action = {name: value["min"] if isinstance(value, dict) else value for name, value in wish.items()}
        decision, self.now = self.now["decision"], {}
        await self.say(type="action", id=id, decision=decision, action=action)
        return await self.hear("ack")


async def public_rooms(http: aiohttp.ClientSession, url: str) -> list[dict[str, Any]]:
    async with http.get(f"{url}/api/rooms") as answer:
        rooms: list[dict[str, Any]] = (await answer.json())["rooms"]
        return rooms


async def test_from_the_lobby_to_the_table_and_through_a_kill():
    async with hanpan() as (url, mini), aiohttp.ClientSession() as http:
        anna = Guest(http, url)
        await anna.enter("안나")
        wish = {"game": "ninety-nine", "seats": 3, "bots": 2, "autoStart": True}
        room = await anna.post("/api/rooms", **wish)
        assert (await anna.post("/api/join", code=room["code"].lower()))["id"] == room["id"]
        await anna.come(room["id"])
        first = await anna.play("a1")

        await anna.my_turn()
        before = anna.now["view"]
        mini.kill_owner(room["id"])
        assert (await anna.hear("pause"))["reason"] == "recovering"
        welcome = await anna.hear("welcome")
        assert welcome["view"]["hand"] == before["hand"]
        await anna.hear("resume")
        second = await anna.play("a2")
        assert second["seq"] > first["seq"]

        await anna.say(type="action", id="a2", decision=1, action={"type": "play"})
        assert await anna.hear("ack") == second  # sent again: the answer of then, whatever it says now
        await anna.ws.close()


async def test_a_number_of_ones_own_is_in_the_deals_and_can_be_proved():
    async with hanpan() as (url, _), aiohttp.ClientSession() as http:
        anna = Guest(http, url)
        player = await anna.enter("안나")
        room = await anna.post("/api/rooms", game="seotda", seats=2, bots=1, autoStart=True)
        number = "5a" * 32
        await anna.come(room["id"], pledge=pledge_of(player, bytes.fromhex(number)))
        deal = anna.now["room"]["deal"]
        assert deal["awaited"] == [player]
        await anna.say(type="lend", id="n", number=number)
        await anna.my_turn()
        headers = {"Authorization": f"Bearer {anna.token}"}
        async with http.get(f"{url}/api/rooms/{room['id']}/fairness", headers=headers) as answer:
            evidence = await answer.json()
        assert check(evidence) == []
        assert evidence["numbers"] == {player: number}
        assert evidence["seal"] == deal["seal"]
        mine = [one["item"] for draw in evidence["drawn"] if draw["what"] == "deck" for one in draw["opened"]]
        assert mine == [str(card["id"]) for card in anna.now["view"]["hand"]]
        async with http.get(f"{url}/api/rooms/{room['id']}/fairness") as answer:
            drawn = (await answer.json())["drawn"]
            assert {draw["what"] for draw in drawn if draw["opened"]} == {"seats", "dealer"}
        await anna.ws.close()


async def test_strangers_meet_in_a_public_room():
    async with hanpan() as (url, _), aiohttp.ClientSession() as http:
        anna, bob = Guest(http, url), Guest(http, url)
        await anna.enter("안나")
        await bob.enter("밥")
        room = await anna.post("/api/quick", game="ninety-nine")
        await anna.come(room["id"])
        async with asyncio.timeout(10):
            while not (listed := await public_rooms(http, url)):  # noqa: ASYNC110  # the directory hears in its own time
                await asyncio.sleep(0.05)
        assert [one["id"] for one in listed] == [room["id"]]
        assert (await bob.post("/api/quick", game="ninety-nine"))["id"] == room["id"]
        await bob.come(room["id"])
        assert bob.now["you"]["seat"] == 1
        await anna.ws.close()
        await bob.ws.close()
