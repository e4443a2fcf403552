"""One of two gateways ends while people play: they go on at the other, and nothing is lost or done twice."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from cluster.connection import ClusterConnection
from cluster.messages import Bye, Ready, ServerMessage
from engines.catalog import GAMES
from gateway.app import HUB, make_app, make_runner
from gateway.config import Settings
from ops.player import Player
from ops.player_io import Connection, Lobby
from ops.verify import Witness, prove
from tests.cluster.mini import SECRET, MiniCluster, mini_cluster, until

KEYS = ("k" * 32,)


class Gateway:
    """One of several, each with a link of its own to the cluster; as `gateway.app.serve` makes it."""

    def __init__(self, mini: MiniCluster, name: str, port: int, **settings: Any) -> None:
        self.settings = Settings(token_keys=KEYS, close_seconds=1.0, drain_spread=0.2, **settings)
        self.cluster = ClusterConnection(mini.directory.address, SECRET, name)
        self.app = make_app(self.cluster, self.settings)
        self.url = f"http://127.0.0.1:{port}"
        self._port = port
        self._runner = make_runner(self.app, self.settings)
        self._ended = False

    async def start(self) -> None:
        await self.cluster.start()
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        await until(lambda: self.cluster.ready)

    async def end(self) -> None:
        """As on SIGTERM."""
        if not self._ended:
            self._ended = True
            self.app[HUB].draining = True
            await self._runner.cleanup()
            await self.cluster.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.asynccontextmanager
async def two_gateways(mini: MiniCluster) -> AsyncIterator[tuple[Gateway, Gateway]]:
    """Each names the other as the place to go to when it ends."""
    ports = free_port(), free_port()
    urls = [f"http://127.0.0.1:{port}" for port in ports]
    a = Gateway(mini, "a", ports[0], drain_to=(urls[1],))
    b = Gateway(mini, "b", ports[1], drain_to=(urls[0],))
    try:
        for gateway in (a, b):
            await gateway.start()
        yield a, b
    finally:
        for gateway in (a, b):
            await gateway.end()


class Person:
    """Plays the first thing that is legal, as soon as they are asked, game after game."""

    def __init__(self, lobby: Lobby, room: str, token: str, prefix: str) -> None:
        self.player = Player(room, token, prefix, join="seat")
        self.connection = Connection(lobby, self.player, self._heard)
        self.byes: list[Bye] = []
        self.resumed = 0
        self.stopped = False

    async def _heard(self, connection: Connection, message: ServerMessage, at: float) -> None:
        if isinstance(message, Bye):
            self.byes.append(message)
        self.resumed += bool(getattr(message, "resumed", False))
        if self.player.wants_rematch and not self.stopped:
            await connection.send(self.player.say(Ready, ready=True)[1])
        if self.player.asked and not self.stopped:
            wish = self.player.legal[0]
            action = {name: value["min"] if isinstance(value, dict) else value for name, value in wish.items()}
            await connection.send(self.player.act(action)[1])

    @property
    def moves(self) -> int:
        return len(self.player.acks)


@pytest.mark.parametrize("leaves", ["a", "b"])
async def test_whoever_played_at_a_gateway_that_ends_plays_on_at_the_other(leaves: str) -> None:
    """Some sit at the one, some at the other, and all at one table."""
    async with mini_cluster() as mini, two_gateways(mini) as gateways, aiohttp.ClientSession() as http:
        ends, stays = gateways if leaves == "a" else reversed(gateways)
        lobby = Lobby(http, ends.url)
        tokens = [await lobby.guest(name) for name in ("안나", "밥", "초아", "도윤")]
        room = (await lobby.create(tokens[0], game="ninety-nine", seats=4, autoStart=True))["id"]
        people = [
            Person(lobby if number % 2 else Lobby(http, stays.url), room, token, f"p{number}")
            for number, token in enumerate(tokens)
        ]
        for person in people:
            await person.connection.join()
        moved, unmoved = people[1::2], people[0::2]
        await until(lambda: sum(person.moves for person in people) > 20)
        await ends.end()
        for person in moved:
            await until(lambda person=person: person.connection.sockets == 2 and person.resumed == 1)
            [bye] = person.byes
            assert (bye.code, bye.again, bye.at) == ("shutdown", True, stays.url)
            assert 0 <= bye.after <= 200
        assert all(person.connection.sockets == 1 for person in unmoved)
        with pytest.raises(aiohttp.ClientConnectorError):  # it has stopped accepting
            await http.get(f"{ends.url}/healthz")
        before = [person.moves for person in people]
        await until(lambda: all(p.moves > n + 3 for p, n in zip(people, before, strict=True)))
        for person in people:
            person.stopped = True
        await until(lambda: not any(person.player.unanswered for person in people))
        log = await mini.log(room)
        await until(lambda: {person.player.seq for person in people} == {log[-1].seq})
        witnesses = []
        for person in people:
            assert person.player.you is not None
            assert person.player.faults == []
            witnesses.append(
                Witness(person.player.you.player, dict(person.player.acks), person.player.seq, person.player.view)
            )
        assert prove(log, witnesses, GAMES.__getitem__).findings == ()
        for person in people:
            await person.connection.close()


async def test_a_gateway_that_is_about_to_end_takes_nobody_in_and_says_where_to_go() -> None:
    """Balancers need a moment to notice: until then, it still listens."""
    async with mini_cluster() as mini, two_gateways(mini) as (a, b), aiohttp.ClientSession() as http:
        a.app[HUB].draining = True
        async with http.get(f"{a.url}/readyz") as answer:
            assert answer.status == 503
        async with http.ws_connect(f"{a.url}/ws") as ws:
            bye = await ws.receive_json(timeout=10)
        assert (bye["code"], bye["at"]) == ("shutdown", b.url)
