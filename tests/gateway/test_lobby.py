"""What the lobby asks of the cluster. (What it refuses is tested over HTTP, in test_routes.)"""

from __future__ import annotations

import msgspec

from cluster.client import CreateRoom
from engines.catalog import GAMES
from gateway.auth import Guests, Identity
from gateway.lobby import LIST_MOST, Lobby
from tests.gateway.fake import FakeCluster

ANNA = Identity("g_anna", "안나")


class Recording(FakeCluster):
    wish: CreateRoom
    limit: int

    async def create(self, wish: CreateRoom):
        self.wish = wish
        return await super().create(wish)

    async def list(self, game, limit):
        self.limit = limit
        return await super().list(game, limit)


def make() -> tuple[Lobby, Recording]:
    cluster = Recording()
    return Lobby(cluster, Guests(["k" * 32]), {"ninety-nine": GAMES["ninety-nine"]}), cluster


async def test_a_wish_reaches_the_cluster_as_it_was():
    lobby, cluster = make()
    wish = {
        "game": "ninety-nine",
        "options": {"turnSeconds": 30},
        "public": True,
        "spectators": False,
        "autoStart": True,
        "seats": 4,
        "bots": 2,
    }
    await lobby.create(msgspec.json.encode(wish), ANNA, "key-1")
    assert cluster.wish == CreateRoom(
        game="ninety-nine",
        creator="g_anna",
        key="key-1",
        options={"turnSeconds": 30},
        public=True,
        spectators=False,
        auto_start=True,
        seats=4,
        bots=2,
    )


async def test_a_wish_without_a_key_is_given_a_new_one_each_time():
    lobby, cluster = make()
    await lobby.create(b'{"game":"ninety-nine"}', ANNA, None)
    first = cluster.wish
    await lobby.create(b'{"game":"ninety-nine"}', ANNA, None)
    assert first.key != cluster.wish.key
    assert msgspec.structs.replace(first, key="") == CreateRoom(game="ninety-nine", creator="g_anna", key="")


async def test_lists_have_an_end():
    lobby, cluster = make()
    await lobby.rooms(None, "100000")
    assert cluster.limit == LIST_MOST


async def test_a_replay_without_a_number_is_of_the_last_game():
    lobby, cluster = make()
    room = (await lobby.create(b'{"game":"ninety-nine"}', ANNA, None)).id
    place = cluster.rooms[room]
    place.summary = msgspec.structs.replace(place.summary, games=1)
    await lobby.replay(room, None, ANNA)
    assert cluster.replays == [(room, 0, "g_anna")]
