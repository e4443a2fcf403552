"""Which node a room is given to, what a node may hold, and what comes of a process that takes too much."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cluster import freezer, nodes, placement, supply, vitals, watch
from cluster.client import CreateRoom, Refused
from engines.catalog import GROUP, Catalog
from tests.cluster.mini import QUICK, Client, MiniCluster, light, mini_cluster, start_game, until


@pytest.fixture(autouse=True)
def _quick(quick_restarts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placement, "STRANDED_SECONDS", 0.02)
    monkeypatch.setattr(nodes, "PROBE_SECONDS", 0.1)


def installed(**games: str) -> Catalog:
    """What a node may have: games by id, and where each is."""
    return Catalog([EntryPoint(id, f"tests.cluster.{where}", GROUP) for id, where in games.items()])


ONLY_TOGETHER = installed(together="variants:together")


def state(mini: MiniCluster, room: str) -> str:
    return mini.records[room].state


def metrics(mini: MiniCluster) -> bytes:
    return mini.directory.tally.exposition()


def noted(mini: MiniCluster) -> str:
    """The pids of those that the agent has stopped, for the next one."""
    return Path(mini.agent.freezer.path).read_text()


def recoveries(mini: MiniCluster) -> list[Any]:
    """Samples of the counter, by reason."""
    families = mini.directory.tally.registry().collect()
    found = [sample for family in families for sample in family.samples]
    return [sample for sample in found if sample.name == "hanpan_recoveries_total"]


# ---------------------------------------------------------------- a game is not everywhere


async def test_a_room_is_given_to_a_node_that_has_its_game():
    async with mini_cluster() as mini, mini.node(spares=4, games=ONLY_TOGETHER):
        for _ in range(3):
            assert mini.where((await mini.create(game="lamps")).id) == "n"
        rooms = [(await mini.create(game="together")).id for _ in range(2)]
        assert {mini.where(room) for room in rooms} == {"second"}
        assert b"cannot_play" not in metrics(mini)  # nobody had to say no


async def test_a_node_that_does_not_say_what_it_has_says_no_and_the_room_goes_on_elsewhere():
    """An agent of an earlier version does not tell. The log keeps nothing of it but one more epoch, if that."""
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        async with mini.node(spares=6, games=ONLY_TOGETHER) as silent:
            mini.nodes["second"].plays = lambda game, version=0: True  # type: ignore[method-assign]
            mini.kill_owner(room)
            await until(lambda: anna.resumes == bob.resumes == 1)
            assert (await light(anna))["type"] == "ack"
            assert mini.where(room) == "n"
            assert len(silent.agent.pool.spares()) == 6  # whoever says no is a spare as before
            assert b'hanpan_handovers_refused_total{code="cannot_play"} 1.0' in metrics(mini)
            assert mini.records[room].unable == ()


async def test_a_room_that_no_node_can_play_is_stranded_until_one_comes_that_can():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        async with mini.node(games=ONLY_TOGETHER):
            await until(lambda: mini.records[room].version == 1)  # it comes with the room's next summary
            mini.agent.stop()
            await mini._agent_task
            mini.kill_owner(room)
            await until(lambda: state(mini, room) == "stranded")
            [row] = (await mini.gateway.admin("rooms", {}))["rooms"]
            assert row["stranded"] == "no node can play lamps of version 1"
            assert row["quarantined"] is None
            with pytest.raises(Refused) as no:
                await mini.gateway.locate(room, 0)
            assert (no.value.code, no.value.retry) == ("game_unavailable", True)
            assert anna.bye is None  # its people wait
            mini.start_agent()
            await until(lambda: anna.resumes == bob.resumes == 1)
            assert (await light(anna))["type"] == "ack"
            assert state(mini, room) == "playing"


async def test_an_operator_closes_a_room_that_no_node_can_play():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        mini.nodes["n"].plays = lambda game, version=0: False  # type: ignore[method-assign]
        mini.kill_owner(room)
        await until(lambda: state(mini, room) == "stranded")
        await mini.gateway.admin("close", {"room": room})
        await until(lambda: anna.bye and bob.bye)
        assert anna.bye.code == "closed"
        assert (await mini.gateway.admin("rooms", {}))["rooms"] == []


async def test_a_new_room_of_a_game_that_no_node_has_is_refused_and_leaves_nothing():
    async with mini_cluster() as mini:
        mini.nodes["n"].plays = lambda game, version=0: False  # type: ignore[method-assign]
        with pytest.raises(Refused) as no:
            await mini.gateway.create(CreateRoom(game="lamps", creator="anna", key="k"))
        assert (no.value.code, no.value.retry) == ("game_unavailable", True)
        assert (await mini.gateway.admin("all", {}))["rooms"] == []


async def test_the_past_of_a_room_that_no_node_can_play_is_refused_and_not_waited_for():
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        await anna.do("close")
        await until(lambda: room not in mini.records)
        mini.nodes["n"].plays = lambda game, version=0: False  # type: ignore[method-assign]
        with pytest.raises(Refused) as no:
            await mini.gateway.replay(room, 0, None)
        assert no.value.code == "game_unavailable"
        assert room not in mini.records


async def test_a_drained_node_keeps_what_no_other_can_play():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        async with mini.node(games=ONLY_TOGETHER):
            await mini.gateway.admin("drain", {"node": "n"})
            await asyncio.sleep(0.3)
            assert mini.where(room) == "n"
            assert (await light(anna))["type"] == "ack"
            assert bob.pauses == 0


# ---------------------------------------------------------------- how many a node may have


async def test_a_node_at_its_limit_takes_no_more_and_others_do():
    async with mini_cluster(limit=3) as mini:
        for _ in range(3):
            assert mini.where((await mini.create()).id) == "n"
        await until(lambda: mini.nodes["n"].full)
        async with mini.node(spares=1):
            assert mini.where((await mini.create()).id) == "second"


async def test_where_all_are_full_rooms_wait_for_a_place_and_people_with_one_play_on():
    async with mini_cluster(limit=2) as mini:
        room, (anna, _) = await start_game(mini)
        await mini.create()
        await until(lambda: mini.nodes["n"].full)
        await until(lambda: not mini.gateway.ready)  # who waits for the whole, and who is on call, are told
        late = asyncio.create_task(mini.create())
        await until(lambda: b'hanpan_handovers_refused_total{code="full"} 1.0' in metrics(mini))
        assert (await light(anna))["type"] == "ack"
        await mini.gateway.admin("close", {"room": room})
        assert (await late).status == "waiting"
        assert not mini.gateway.ready
        await mini.gateway.admin("close", {"room": (await late).id})
        await until(lambda: mini.gateway.ready)


async def test_with_little_memory_left_no_process_is_started(monkeypatch: pytest.MonkeyPatch):
    async with mini_cluster(spares=1) as mini:
        monkeypatch.setattr(vitals, "memory", lambda: {"total": 1000 * 2**20, "available": 140 * 2**20})
        room = await mini.create()
        await until(lambda: mini.nodes["n"].full)
        assert len(mini.agent.pool.processes) == 1
        monkeypatch.setattr(vitals, "memory", lambda: {"total": 1000 * 2**20, "available": 160 * 2**20})
        mini.agent.pool.refill()  # as it does with each look at the node's vital signs
        await until(lambda: mini.agent.pool.spares())
        assert mini.where(room.id) == "n"


# ---------------------------------------------------------------- spares


async def test_a_start_that_fails_is_made_again_though_nobody_can_be_told_to_forget_it(monkeypatch: pytest.MonkeyPatch):
    """As while Ray's head is away: then whatever is asked of it raises."""
    async with mini_cluster(spares=1) as mini:
        room = await mini.create()
        await until(lambda: mini.agent.pool.spares())
        spawn, tries = mini.spawner.spawn, []

        def away(*args: Any) -> None:
            raise RuntimeError("the head is away")

        def fails_once(name: str, ended: Callable[[], None]) -> None:
            tries.append(name)
            (spawn if len(tries) > 1 else away)(name, ended)

        monkeypatch.setattr(mini.spawner, "spawn", fails_once)
        monkeypatch.setattr(mini.spawner, "forget", away)
        mini.kill_owner(room.id)
        await until(lambda: len(tries) == 2 and mini.agent.pool.spares())


async def test_a_process_that_dies_before_it_comes_is_replaced_at_once(monkeypatch: pytest.MonkeyPatch):
    """Not when it would be given up: nobody is handed a room meanwhile, as processes start one after the other."""
    async with mini_cluster(spares=1) as mini:
        room = await mini.create()
        await until(lambda: mini.agent.pool.spares())
        spawn, tries = mini.spawner.spawn, []

        def dies_once(name: str, ended: Callable[[], None]) -> None:
            tries.append(name)
            if len(tries) > 1:
                spawn(name, ended)
            else:
                ended()

        monkeypatch.setattr(mini.spawner, "spawn", dies_once)
        mini.kill_owner(room.id)
        await until(lambda: len(tries) == 2 and mini.agent.pool.spares())


async def test_an_agent_that_dies_while_it_notes_whom_it_has_stopped_leaves_the_note_before(
    monkeypatch: pytest.MonkeyPatch,
):
    """The next agent wakes those; whom nobody wakes stands still for ever, and keeps its place."""

    def dies(*paths: object) -> None:
        raise SystemExit

    async with mini_cluster(spares=1) as mini:
        await until(lambda: mini.agent.pool.spares())
        mini.agent.pool.spares()[0].frozen = True
        mini.agent.freezer.note()
        before = noted(mini)
        assert before
        with monkeypatch.context() as dying:
            dying.setattr(freezer.os, "replace", dies)
            with pytest.raises(SystemExit):
                mini.agent.freezer.note()
        assert noted(mini) == before


async def test_spares_follow_demand_and_are_given_back(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(supply, "SPARES_SECONDS", 0.02)
    async with mini_cluster(spares=1, spares_most=4) as mini:
        peak = [3]
        monkeypatch.setattr(mini.directory.supply.demand, "peak", lambda now: peak[0])
        await until(lambda: len(mini.agent.pool.spares()) == 3)
        peak[0] = 6
        await until(lambda: len(mini.agent.pool.spares()) == 4)  # more it may not have
        [row] = (await mini.gateway.admin("nodes", {}))["nodes"]
        assert row["wanted"] == 4  # what the autoscaler is to know
        peak[0] = 0
        await until(lambda: len(mini.agent.pool.spares()) == len(mini.agent.pool.processes) == 1)


async def test_rooms_that_are_made_and_woken_are_demand_and_those_that_are_brought_back_are_none():
    async with mini_cluster(settings=msgspec.structs.replace(QUICK, park_after=50)) as mini:
        room = await mini.create(seats=2)
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        mini.kill_owner(room.id)
        await until(lambda: anna.resumes)
        anna.attachment.detach()
        await until(lambda: state(mini, room.id) == "parked")
        await Client(mini, room.id, "anna").welcome()
        counted = {sample.labels["reason"]: sample.value for sample in recoveries(mini)}
        assert counted["died"] == 1
        assert counted["woken"] >= 1  # more, where a busy machine parks it before anna is back
        assert sum(count for _, count in mini.directory.supply.demand._counts) == 1 + counted["woken"]


async def test_a_node_has_spares_for_the_rooms_of_another(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(supply, "SPARES_SECONDS", 0.02)
    async with mini_cluster(spares=1) as mini:
        for _ in range(5):
            await mini.create()
        async with mini.node(spares=1, spares_most=9) as second:
            second.agent.pool.start_seconds = 1e9  # it would start none in time
            second.agent.status()
            await until(lambda: len(second.agent.pool.spares()) == 5)


async def test_the_spares_for_the_loss_of_a_node_are_there_when_it_is_lost(monkeypatch: pytest.MonkeyPatch):
    """None of them is ended just then, as there is one node fewer to be lost."""
    monkeypatch.setattr(supply, "SPARES_SECONDS", 0.02)
    async with mini_cluster(spares=1, spares_most=20) as mini, mini.node(spares=1) as second:
        monkeypatch.setattr(mini.directory.supply.demand, "peak", lambda now: 0)  # it has been quiet for long
        await mini.gateway.admin("drain", {"node": "n"})
        rooms = [(await mini.create()).id for _ in range(8)]
        await mini.gateway.admin("undrain", {"node": "n"})
        mini.agent.pool.start_seconds = 1e9  # it would start none in time
        mini.agent.status()
        await until(lambda: len(mini.agent.pool.spares()) == 8)
        before = set(mini.agent.pool.processes)
        await second.kill()
        await until(lambda: all(mini.where(room) == "n" for room in rooms))
        assert len(before.intersection(mini.process_of(room) for room in rooms)) >= 7


async def test_a_new_directory_tells_its_agents_anew():
    async with mini_cluster(spares=1, spares_most=3) as mini:
        mini.agent.pool.want(3)
        await until(lambda: len(mini.agent.pool.spares()) == 3)
        await mini.restart_directory()
        await until(lambda: len(mini.agent.pool.spares()) == len(mini.agent.pool.processes) == 1)


# ---------------------------------------------------------------- a process that takes too much, or hangs


async def recovered(mini: MiniCluster, room: str, epoch: int) -> None:
    await until(lambda: mini.records[room].owner and mini.records[room].epoch >= epoch)


async def test_a_room_that_outgrows_its_memory_is_killed_and_goes_on_the_third_time_it_is_quarantined(
    monkeypatch: pytest.MonkeyPatch,
):
    """Also when it was played between: it would be killed for ever."""
    monkeypatch.setattr(watch, "MEMORY_SECONDS", 0.01)
    outgrown: list[int] = []  # what is found the next time
    monkeypatch.setattr(vitals, "own_memory", lambda pid: outgrown.pop() if outgrown else 100)
    async with mini_cluster(room_memory=1000, spares=3) as mini:
        room, (anna, bob) = await start_game(mini, options={"lamps": 9})
        for epoch in (2, 3):
            outgrown.append(1001)
            await recovered(mini, room, epoch)
            mover = await until(lambda: next((c for c in (anna, bob) if c.situation.get("decision")), None))
            assert (await light(mover))["type"] == "ack"
        outgrown.append(1001)
        await until(lambda: anna.bye and bob.bye)
        assert anna.bye.code == "quarantined"
        assert "outgrew its memory" in mini.records[room].quarantine
        assert b'hanpan_process_deaths_total{node="n",reason="memory"} 3.0' in mini.agent.tally.exposition()


@pytest.mark.parametrize("stopped", [False, True])
async def test_a_room_that_hangs_is_killed_and_goes_on_the_third_time_it_is_quarantined(
    stopped: bool, monkeypatch: pytest.MonkeyPatch
):
    """Not where somebody has stopped its process: then it is not to blame, however often."""
    monkeypatch.setattr(watch, "WATCH_SECONDS", 0.02)
    monkeypatch.setattr(watch, "HANG_SECONDS", 0.5)  # a busy machine makes everything in this loop wait a little
    monkeypatch.setattr(vitals, "is_stopped", lambda pid: stopped)
    async with mini_cluster(spares=3) as mini:
        room, (anna, bob) = await start_game(mini, options={"lamps": 9})
        for epoch in (1, 2, 3):
            await recovered(mini, room, epoch)
            mover = await until(lambda: next((c for c in (anna, bob) if c.situation.get("decision")), None))
            assert (await light(mover))["type"] == "ack"
            mini.spawner.processes[mini.process_of(room)][0]._agent._transport.pause_reading()
            await until(lambda epoch=epoch: mini.records[room].epoch > epoch or anna.bye)
        if stopped:
            await recovered(mini, room, 4)
            assert anna.bye is None
        else:
            assert anna.bye.code == "quarantined"
            await mini.gateway.admin("unquarantine", {"room": room})
            await Client(mini, room, "anna").welcome()


# ---------------------------------------------------------------- nodes that are lost


async def test_the_rooms_of_a_dead_node_are_brought_back_as_soon_as_their_ports_are_closed():
    """And not only when their agent has been away for long."""
    async with mini_cluster(spares=3) as mini, mini.node(spares=3) as second:
        await mini.gateway.admin("drain", {"node": "n"})
        room, (anna, bob) = await start_game(mini)
        idle = (await mini.create()).id
        assert mini.where(room) == mini.where(idle) == "second"
        await mini.gateway.admin("undrain", {"node": "n"})
        await until(lambda: mini.nodes["n"].free == 3)
        await second.kill()
        await until(lambda: anna.resumes == bob.resumes == 1)
        await until(lambda: mini.where(idle) == mini.where(room) == "n")
        assert (await light(anna))["type"] == "ack"
        assert b'hanpan_recoveries_total{reason="node"} 2.0' in metrics(mini)
        assert mini.records[room].deaths[0] == 0


async def test_while_only_the_agent_is_dead_rooms_are_left_alone_and_their_players_notice_nothing():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        mini.agent.reports.peer.abort("killed")
        mini.agent.stop()
        await mini._agent_task
        await asyncio.sleep(0.5)  # some probes
        assert (await light(anna))["type"] == "ack"
        mini.start_agent()
        await until(lambda: mini.agent.settled and "n" in mini.nodes)
        assert (await light(bob))["type"] == "ack"
        assert (anna.pauses, mini.records[room].epoch) == (0, 1)


async def test_rooms_with_people_in_them_are_brought_back_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(placement, "PLACED_AT_ONCE", 1)
    async with mini_cluster(spares=1) as mini, mini.node(spares=9) as second:
        await mini.gateway.admin("drain", {"node": "n"})
        rooms = [(await mini.create(seats=2)).id for _ in range(8)]
        clients = [Client(mini, room, "anna") for room in rooms[1::2]]
        for client in clients:
            await client.welcome()
        await until(lambda: all(mini.records[room].summary.online for room in rooms[1::2]))
        await mini.gateway.admin("undrain", {"node": "n"})
        await until(lambda: mini.nodes["n"].free == 1)
        placed: list[str] = []
        real = mini.agent.place

        async def place(order: dict[str, Any]) -> dict[str, Any]:
            placed.append(order["room"])
            return await real(order)

        monkeypatch.setattr(mini.agent, "place", place)
        await second.kill()
        await until(lambda: len(placed) == 8)
        assert set(placed[:4]) == set(rooms[1::2])
        await until(lambda: all(client.resumes for client in clients))
