"""Two things at once: a close and a seat, a drain and an action, a death and a vote. Either order must be good."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cluster import agent, pool
from cluster.client import Refused
from cluster.connection import ClusterConnection
from cluster.link import Refusal
from cluster.link_io import RequestRefused
from cluster.stores import open_store
from tests.cluster.mini import (
    QUICK,
    RED,
    SECRET,
    Client,
    FlakyStore,
    MiniCluster,
    light,
    mini_cluster,
    start_game,
    until,
)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "REFILL_SECONDS", 0.01)


@contextlib.asynccontextmanager
async def second_gateway(mini: MiniCluster) -> AsyncIterator[ClusterConnection]:
    other = ClusterConnection(mini.directory.address, SECRET, "gw2")
    await other.start()
    await until(lambda: other.ready)
    try:
        yield other
    finally:
        await other.close()


async def test_a_room_is_closed_while_somebody_takes_a_seat_through_another_gateway():
    """Whoever is late hears that it is closed; whoever was in time has had the seat, and then hears the same."""
    async with mini_cluster(spares=3) as mini, second_gateway(mini) as other:
        seated = []
        for ahead in range(12):
            room = await mini.create(seats=2)
            anna = Client(mini, room.id, "anna")
            await anna.welcome()
            closing = asyncio.create_task(mini.gateway.admin("close", {"room": room.id}))
            for _ in range(ahead):
                await asyncio.sleep(0.0005)
            bob = Client(mini, room.id, "bob", gateway=other)
            await closing
            await until(lambda anna=anna, bob=bob: anna.bye and bob.bye)
            assert (anna.bye.code, bob.bye.code) == ("closed", "closed")
            await until(lambda room=room: room.id not in mini.records)
            kinds = await mini.kinds(room.id)
            assert kinds[-1] == "close"
            seated.append(kinds.count("seat") == 2)
        with pytest.raises(Refused, match="closed"):
            await other.locate(room.id, 0)


async def test_a_hand_over_that_was_refused_leaves_the_directory_with_as_many_spares_as_there_are(tmp_path: Path):
    """Else a node that was asked during an outage would be passed over afterwards, until something happened there."""
    store = FlakyStore(open_store(f"sqlite:{tmp_path}"))
    async with mini_cluster(store=store) as mini, mini.node() as second:
        agents = {"n": mini.agent, "second": second.agent}

        def as_believed() -> bool:
            nodes = mini.nodes
            return all(nodes[name].free == len(agent.pool.spares()) >= 2 for name, agent in agents.items())

        room, (anna, _) = await start_game(mini)
        await until(as_believed)
        store.mode = "refuses"
        mini.kill_owner(room)
        refused = 'hanpan_handovers_refused_total{code="storage_down"}'
        await until(lambda: counted(mini, refused) >= 4)
        store.mode = "works"
        await until(lambda: anna.resumes)
        await until(as_believed)


def counted(mini: MiniCluster, metric: str) -> float:
    lines = mini.directory.tally.exposition().decode().splitlines()
    return next((float(line.rpartition(" ")[2]) for line in lines if line.startswith(metric)), 0.0)


@pytest.mark.parametrize("durable", [True, False])
async def test_a_node_that_is_to_end_does_not_wait_for_a_slow_action_which_is_still_done_once(
    tmp_path: Path, durable: bool
):
    """The log takes ten seconds over it, before or after it is durable. The room moves; the gateway asks again."""
    store = FlakyStore(open_store(f"sqlite:{tmp_path}"))
    async with mini_cluster(store=store) as mini, mini.node():
        room, (anna, bob) = await start_game(mini)
        node = mini.where(room)
        slow = asyncio.Event()

        async def wait(which: str) -> None:
            store.appending = store.appended = lambda _: None
            slow.set()
            await asyncio.sleep(10)

        setattr(store, "appended" if durable else "appending", wait)
        id = anna.say("action", decision=await anna.my_turn(), action=RED)
        await slow.wait()
        assert ("action" in await mini.kinds(room)) is durable
        await mini.gateway.admin("drain", {"node": node})
        answer = await anna.answer(id)
        assert answer["type"] == "ack"
        assert mini.where(room) not in (node, None)
        [entry] = [entry for entry in await mini.log(room) if entry.id == id]
        assert (entry.seq, entry.epoch) == (answer["seq"], 1 if durable else 2)
        assert (await light(bob))["type"] == "ack"


async def test_the_others_and_the_lobby_see_who_has_gone_and_who_is_back_without_anything_else_happening():
    """Whoever comes back is told how things stand in the one answer to their coming."""
    patient = msgspec.structs.replace(QUICK, away_after=60_000, host_away_after=60_000)
    async with mini_cluster(settings=patient) as mini:
        room, (anna, bob) = await start_game(mini)

        def told(online: bool) -> list[Any]:
            return [
                m for m in bob.messages if m["type"] == "presence" and (m["player"], m["online"]) == ("anna", online)
            ]

        record = mini.records[room]
        await until(lambda: record.summary.online == 2)
        entries, mark = len(await mini.log(room)), len(bob.messages)
        anna.attachment.detach()
        await until(lambda: told(False))
        await until(lambda: record.summary.online == 1)
        anna = Client(mini, room, "anna")
        welcome = await anna.welcome()
        assert [seat["online"] for seat in welcome["room"]["seats"]] == [True, True]
        assert anna.messages == [welcome]
        await until(lambda: told(True))
        await until(lambda: record.summary.online == 2)
        assert {m["type"] for m in bob.messages[mark:]} == {"presence"}
        assert len(await mini.log(room)) == entries  # an absence of a moment is nobody's business but theirs


async def test_many_spectators_are_told_of_as_one_and_players_still_each_at_once(monkeypatch: pytest.MonkeyPatch):
    """Each told to each would be thirty squared; a player's absence is not held back by it."""
    monkeypatch.setattr("cluster.running.WATCHING_SECONDS", 3600.0)
    patient = msgspec.structs.replace(QUICK, away_after=60_000, host_away_after=60_000)
    async with mini_cluster(settings=patient) as mini:
        room, (anna, bob) = await start_game(mini, spectators=True)
        crowd = [Client(mini, room, f"eve{number}", join="watch") for number in range(30)]
        counts = [(await eve.welcome())["room"]["watching"] for eve in crowd]
        assert sorted(counts) == list(range(1, 31))  # whoever comes hears at once how many there are

        def told(client: Client) -> list[tuple[str, bool, int]]:
            return [(m["player"], m["online"], m["watching"]) for m in client.messages if m["type"] == "presence"]

        before = len(told(anna)) - 1  # of how bob came at first
        bob.attachment.detach()
        await until(lambda: ("bob", False, 30) in told(anna))
        bob = Client(mini, room, "bob")
        await bob.welcome()
        await until(lambda: ("bob", True, 30) in told(anna))
        assert told(anna)[before:] == [(crowd[0].player, True, 1), ("bob", False, 30), ("bob", True, 30)]
        assert all(len(told(eve)) <= 3 for eve in crowd)

        running = mini.running(room)
        for eve in crowd[:10]:
            eve.attachment.detach()
        await until(lambda: running._audience.watching(running._room.state.lobby) == 20)
        running._watching_timer.cancel()
        running._tell_watching()  # as when its time has come
        await until(lambda: told(anna)[-1] == (crowd[9].player, False, 20))
        await until(lambda: told(crowd[29])[-1] == (crowd[9].player, False, 20))


async def test_spectators_who_leave_are_no_longer_counted():
    """By themselves, or sent away: the others hear how many are left, though no seat changed hands."""
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini, spectators=True)
        eve, _mallory = (Client(mini, room, name, join="watch") for name in ("eve", "mallory"))

        def watching() -> int:
            return next(
                m["watching"] if m["type"] == "presence" else m["room"]["watching"]
                for m in reversed(anna.messages)
                if m["type"] == "presence" or "room" in m
            )

        await until(lambda: watching() == 2)
        eve.say("leave")
        await until(lambda: watching() == 1)
        assert (await anna.do("kick", player="mallory"))["type"] == "ack"
        await until(lambda: watching() == 0)


async def test_a_room_with_spectators_and_an_open_vote_for_a_rematch_comes_back_with_both():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini, options={"lamps": 2}, spectators=True)
        eve = Client(mini, room, "eve", join="watch")
        await eve.welcome()
        await light(anna)
        await light(bob)
        await until(lambda: eve.room["status"] == "finished")
        assert (await anna.do("ready"))["type"] == "ack"
        await until(lambda: eve.room["seats"][0]["ready"])
        seen, steps = eve.view, [m.get("seq") for m in eve.messages if m["type"] == "update"]
        mini.kill_owner(room)
        await until(lambda: all(client.resumes == 1 for client in (anna, bob, eve)))
        late = Client(mini, room, "late", join="watch")
        welcome = await late.welcome()
        assert [seat["ready"] for seat in welcome["room"]["seats"]] == [True, False]
        assert welcome["room"]["watching"] == 2
        assert welcome["view"] == seen
        assert (await bob.do("ready"))["type"] == "ack"
        await until(lambda: all(client.room["status"] == "playing" for client in (anna, bob, eve, late)))
        assert [m["seq"] for m in eve.messages if m["type"] == "update"][: len(steps)] == steps  # nothing told twice
        assert (await light(anna))["type"] == "ack"


async def test_processes_whose_agent_has_died_are_ended_by_the_next_one():
    """It has not started them: what it knows of them is what they say. Their places are given back."""
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        process = mini.process_of(room)
        await mini.restart_agent()
        await until(lambda: process in mini.agent.pool.processes)
        assert (await light(anna))["type"] == "ack"
        mini.kill_owner(room)
        await until(lambda: process not in mini.spawner.processes)  # forgotten, by one that had not spawned it
        assert (await light(bob))["type"] == "ack"
        assert mini.process_of(room) != process


async def test_a_process_whose_agent_dies_while_it_takes_a_room_over_is_given_no_second_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It is no spare until that has come to an end; the next agent hears of it then."""
    monkeypatch.setattr(agent, "SETTLE_SECONDS", 0.1)
    store, go_on, taking = FlakyStore(open_store(f"sqlite:{tmp_path}")), asyncio.Event(), []

    async def slow(room: str) -> None:
        if not taking:
            taking.append(room)
            await go_on.wait()

    store.appending = slow
    async with mini_cluster(store=store, spares=1) as mini:
        [process] = mini.spawner.processes
        creating = asyncio.create_task(mini.create(seats=2))
        await until(lambda: taking)
        await mini.restart_agent()
        room = await creating
        assert mini.process_of(room.id) != process
        assert process not in mini.agent.pool.processes
        go_on.set()
        await until(lambda: process in mini.agent.pool.processes)
        assert mini.agent.pool.processes[process].spare  # the log was not given to it
        assert (await Client(mini, room.id, "anna").welcome())["you"]["seat"] == 0
        assert (await mini.create(seats=2)).status == "waiting"


async def test_one_that_has_taken_it_over_says_so_to_the_agent_that_came_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    store, go_on, taking = FlakyStore(open_store(f"sqlite:{tmp_path}")), asyncio.Event(), []

    async def slow(room: str) -> None:
        taking.append(room)
        await go_on.wait()

    async def full(order: dict[str, Any]) -> None:
        raise RequestRefused(Refusal("full", "no place", retry=True))

    store.appending = slow
    async with mini_cluster(store=store, spares=1) as mini:
        [process] = mini.spawner.processes
        creating = asyncio.create_task(mini.create(seats=2))
        await until(lambda: taking)
        await mini.restart_agent()
        monkeypatch.setattr(mini.agent, "place", full)
        await until(lambda: mini.agent.peers)
        go_on.set()
        room = await creating
        assert mini.process_of(room.id) == process
        assert mini.agent.pool.processes[process].room == room.id
        assert mini.records[room.id].epoch == 1
