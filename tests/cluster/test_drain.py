"""A node is emptied: its rooms go elsewhere while they are played, nothing new comes, and nobody is sent away."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cluster import agent
from cluster.client import Refused
from tests.cluster.mini import Client, MiniCluster, light, mini_cluster, start_game, until

pytestmark = pytest.mark.usefixtures("quick_restarts")


async def move(*clients: Client) -> None:
    """A move of whoever is asked."""
    mover = await until(lambda: next((client for client in clients if client.situation.get("decision")), None))
    assert (await light(mover))["type"] == "ack"


async def row(mini: MiniCluster, node: str) -> dict[str, Any]:
    rows = (await mini.gateway.admin("nodes", {}))["nodes"]
    return next(row for row in rows if row["node"] == node)


async def test_rooms_go_elsewhere_in_mid_game_and_their_players_stay_connected():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        idle = (await mini.create()).id
        async with mini.node():
            said = await mini.gateway.admin("drain", {"node": "n"})
            assert said == {"node": "n", "draining": True, "rooms": 2}
            await until(lambda: mini.where(room) == mini.where(idle) == "second")
            await until(lambda: anna.resumes == bob.resumes == 1)
            await move(anna, bob)
            assert anna.bye is None
            assert bob.bye is None
            assert [mini.records[id].epoch for id in (room, idle)] == [2, 2]
            assert [mini.records[id].deaths[0] for id in (room, idle)] == [0, 0]  # a move is no death
            await until(lambda: not mini.agent.pool.processes)  # its spares have gone as well
            assert (await row(mini, "n"))["draining"]
            assert (await row(mini, "n"))["rooms"] == 0
            assert mini.where((await mini.create()).id) == "second"
            assert b'hanpan_recoveries_total{reason="drain"} 2.0' in mini.directory.tally.exposition()


async def test_an_undrained_node_gets_rooms_again():
    async with mini_cluster() as mini, mini.node(spares=1):
        await mini.gateway.admin("drain", {"node": "n"})
        await until(lambda: not mini.agent.pool.processes)
        assert await mini.gateway.admin("undrain", {"node": "n"}) == {"node": "n", "draining": False, "rooms": 0}
        await until(lambda: mini.nodes["n"].free == 2)
        assert mini.where((await mini.create()).id) == "n"


async def test_rooms_stay_where_they_are_while_there_is_no_other_place_for_them():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        await mini.gateway.admin("drain", {"node": "n"})
        await until(lambda: not mini.gateway.ready)  # no new room can be made: gateways say so
        for _ in range(3):
            await move(anna, bob)
        assert mini.where(room) == "n"
        assert anna.pauses == 0
        async with mini.node():
            await until(lambda: mini.where(room) == "second")
            await move(anna, bob)


async def test_a_directory_that_is_started_meanwhile_goes_on_with_it():
    async with mini_cluster() as mini:
        room = (await mini.create()).id
        await mini.gateway.admin("drain", {"node": "n"})
        await mini.restart_directory()
        await until(lambda: mini.nodes.get("n") and mini.nodes["n"].draining)
        async with mini.node():
            await until(lambda: mini.where(room) == "second")


async def test_a_room_that_will_not_end_is_ended_and_goes_on_elsewhere(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(agent, "END_SECONDS", 0.05)
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        stubborn = mini.spawner.processes[mini.process_of(room)][0]
        monkeypatch.setattr(stubborn, "stop", lambda: None)
        async with mini.node():
            await mini.gateway.admin("drain", {"node": "n"})
            await until(lambda: mini.where(room) == "second")
            await move(anna, bob)
            assert mini.records[room].deaths[0] == 0


async def test_there_must_be_such_a_node():
    async with mini_cluster() as mini:
        with pytest.raises(Refused) as no:
            await mini.gateway.admin("drain", {"node": "nowhere"})
        assert no.value.code == "no_such_node"


async def test_a_room_is_killed_on_purpose_only_where_that_is_allowed():
    async with mini_cluster() as mini:
        room = await mini.create()
        with pytest.raises(Refused) as no:
            await mini.gateway.admin("kill", {"room": room.id})
        assert no.value.code == "not_enabled"
    async with mini_cluster(directory={"chaos": True}) as mini:
        room, (anna, bob) = await start_game(mini)
        assert await mini.gateway.admin("kill", {"room": room}) == {"killed": room, "epoch": 1}
        await until(lambda: anna.resumes == bob.resumes == 1)
        await move(anna, bob)
        assert mini.records[room].deaths[0] == 1


async def test_an_agent_that_is_to_retire_ends_when_its_node_is_empty():
    async with mini_cluster() as mini:
        room, _ = await start_game(mini)
        await mini.gateway.admin("drain", {"node": "n", "retire": True})
        await asyncio.sleep(1.2)
        assert not mini._agent_task.done()  # the room is still there
        async with mini.node():
            await until(mini._agent_task.done)
            assert mini.where(room) == "second"
