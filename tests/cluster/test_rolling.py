"""A new version is rolled over the cluster, node by node, while everybody plays."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from importlib.metadata import EntryPoint

import pytest

from cluster.entries import Acted, Began
from cluster.inspection import check_log
from engines.catalog import GROUP, Catalog
from tests.cluster.mini import Client, MiniCluster, light, mini_cluster, start_game, until

ROOMS = 5
LAMPS = 10_000  # of each game: it outlasts the roll
NEW = Catalog([EntryPoint("lamps", "tests.cluster.variants:BRIGHTER", GROUP)])


pytestmark = pytest.mark.usefixtures("quick_restarts")


class Table:
    """A room in which people play as fast as they are asked."""

    def __init__(self, room: str, clients: list[Client]) -> None:
        self.room, self.clients = room, clients
        self.acked: list[str] = []  # ids, in order
        self._task = asyncio.create_task(self._play())

    async def _play(self) -> None:
        while True:
            for client in self.clients:
                if client.situation.get("decision"):
                    answer = await light(client)
                    if answer["type"] == "ack":
                        self.acked.append(answer["id"])
            await asyncio.sleep(0.003)

    async def goes_on(self) -> None:
        """It is played, and not only kept."""
        moves = len(self.acked)
        await until(lambda: len(self.acked) >= moves + 4)

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


@contextlib.asynccontextmanager
async def tables(mini: MiniCluster, count: int) -> AsyncIterator[list[Table]]:
    options = {"lamps": LAMPS, "seconds": 60}
    made = []
    for number in range(count):
        made.append(Table(*await start_game(mini, players=(f"a{number}", f"b{number}"), options=options)))
    try:
        yield made
    finally:
        for table in made:
            await table.stop()


async def test_rooms_go_on_by_the_rules_that_they_began_with_and_new_games_have_the_new_ones():
    async with mini_cluster(spares=4) as mini, contextlib.AsyncExitStack() as nodes:
        old = await nodes.enter_async_context(mini.node("old", spares=4))
        async with tables(mini, ROOMS) as playing:
            assert {mini.where(table.room) for table in playing} == {"n", "old"}
            await mini.restart_directory()
            await until(lambda: {"n", "old"} <= mini.nodes.keys())
            for leaves in ("n", "old"):
                await nodes.enter_async_context(mini.node(f"{leaves} anew", spares=4, games=NEW))
                await mini.gateway.admin("drain", {"node": leaves})
                await until(lambda leaves=leaves: not mini.directory.registry.count_on(leaves))
                for table in playing:
                    await table.goes_on()
            mini.agent.stop()
            await mini._agent_task
            await old.stop()
            assert {mini.where(table.room) for table in playing} == {"n anew", "old anew"}
            for table in playing:
                await table.goes_on()
                await table.stop()
        for table in playing:
            log = await mini.log(table.room)
            assert [entry.fact.state_version for entry in log if isinstance(entry.fact, Began)] == [1]
            assert max(entry.epoch for entry in log) >= 2
            ids = [entry.id for entry in log if isinstance(entry.fact, Acted)]
            assert len(set(ids)) == len(ids)
            assert set(table.acked) <= set(ids)
            for games in (NEW, None):  # as either version replays it, every digest is as it was logged
                assert check_log(log, games and games.__getitem__).ok
            lit = max(len(client.view["lamps"]) for client in table.clients)
            assert lit <= len(ids)  # by the first version's rule: one each
            assert all(client.bye is None for client in table.clients)

        _room, (anna, bob) = await start_game(mini, players=("c", "d"))
        assert (await light(anna))["type"] == "ack"
        await until(lambda: bob.view["lamps"] == ["c", "c"])  # by the second's: two


async def test_in_the_middle_of_a_roll_a_game_of_the_new_version_is_not_given_to_an_old_node():
    """However many spares that has; and it is not quarantined for what the old node cannot know."""
    async with mini_cluster(spares=1) as mini, mini.node("new", spares=2, games=NEW):
        await until(lambda: mini.nodes["new"].free == 2)
        room, (anna, bob) = await start_game(mini)
        assert mini.where(room) == "new"
        async with mini.node("old", spares=6):
            for client in (anna, bob):
                resumes = client.resumes
                mini.kill_owner(room)
                await until(lambda client=client, resumes=resumes: client.resumes > resumes)
                assert (await light(client))["type"] == "ack"
                assert mini.where(room) == "new"
            assert mini.records[room].quarantine is None


async def test_a_new_directory_knows_which_version_a_room_needs_and_leaves_it_where_that_is():
    """Its agent says so: the room itself may say nothing for long."""
    async with mini_cluster(spares=1) as mini, mini.node("new", spares=2, games=NEW):
        await until(lambda: mini.nodes["new"].free == 2)
        room, (anna, bob) = await start_game(mini)
        await until(lambda: mini.records[room].version == 2)
        await mini.restart_directory()
        await until(lambda: {"n", "new"} <= mini.nodes.keys())
        assert mini.records[room].version == 2
        await mini.gateway.admin("drain", {"node": "new"})
        await asyncio.sleep(0.3)
        assert mini.where(room) == "new"
        assert (await light(anna))["type"] == "ack"
        assert bob.pauses == 0
