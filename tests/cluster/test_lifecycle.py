"""Rooms are created, parked, woken, closed; directory and agent go and come back; nothing is lost or left over."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cluster import link_io, running
from cluster.client import CreateRoom, Refused, RoomSummary
from cluster.connection import ClusterConnection
from cluster.link import Who
from cluster.link_io import BaseHandler, RequestRefused
from cluster.log import RoomRow
from cluster.records import Record
from cluster.stores import open_store
from engines.catalog import GAMES
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

RESTLESS = msgspec.structs.replace(QUICK, park_after=250)


pytestmark = pytest.mark.usefixtures("quick_restarts")


def wish(key: str = "k", **fields: Any) -> CreateRoom:
    return CreateRoom(**{"game": "lamps", "creator": "anna", "key": key, **fields})


async def parked(mini: MiniCluster, room: str) -> None:
    await until(lambda: mini.records[room].parked and mini.records[room].owner is None)


async def finish(mini: MiniCluster, clients: list[Client]) -> None:
    """The game is played to its end by whoever is asked."""
    while clients[0].room["status"] == "playing":
        for client in clients:
            if decision := client.situation.get("decision"):
                await client.do("action", decision=decision, action={"type": "light", "colour": "red"})
        await asyncio.sleep(0)


# ---------------------------------------------------------------- creating


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "no-such-game"}, "unknown_game"),
        ({"game": "broken"}, "unknown_game"),
        ({"options": {"lamps": "many"}}, "bad_options"),
        ({"seats": 99}, "too_many_seats"),
        ({"bots": 4}, "room_full"),
    ],
)
async def test_a_wish_that_cannot_be_is_refused_by_code_and_leaves_nothing(
    fields: dict[str, Any], code: str, monkeypatch: pytest.MonkeyPatch
):
    """No row, no file, no process taken; and the same key may be used again, rightly this time."""
    from importlib.metadata import EntryPoint

    GAMES._registered.append(EntryPoint("broken", "tests.cluster.nowhere:GAME", "hanpan.games"))
    async with mini_cluster() as mini:
        with pytest.raises(Refused) as no:
            await mini.gateway.create(wish(**fields))
        assert no.value.code == code
        assert no.value.message
        assert (await mini.gateway.admin("all", {}))["rooms"] == []
        assert not list((mini.folder / "data" / "rooms").rglob("*"))
        assert (await mini.gateway.create(wish())).status == "waiting"


async def test_the_same_key_is_the_same_room_running_parked_and_closed():
    async with mini_cluster(settings=RESTLESS) as mini:
        first, second = await asyncio.gather(mini.gateway.create(wish()), mini.gateway.create(wish()))
        assert first.id == second.id
        anna = Client(mini, first.id, "anna")
        await anna.welcome()
        assert (await mini.gateway.create(wish())).id == first.id
        anna.attachment.detach()
        await parked(mini, first.id)
        assert (await mini.gateway.create(wish())).id == first.id
        anna = Client(mini, first.id, "anna")
        await anna.welcome()
        await anna.do("close")
        await until(lambda: first.id not in mini.records)
        again = await mini.gateway.create(wish())
        assert (again.id, again.status) == (first.id, "closed")
        assert (await mini.gateway.create(wish(creator="bob"))).id != first.id


async def test_a_create_whose_reply_was_lost_is_found_again_after_a_restart():
    async with mini_cluster() as mini:
        room = await mini.gateway.create(wish())
        await mini.restart_directory()
        await until(lambda: mini.gateway.ready)
        assert (await mini.gateway.create(wish())).id == room.id


async def test_with_too_few_spares_at_hand_creates_wait_for_processes_and_all_come():
    async with mini_cluster(spares=1) as mini:
        rooms = await asyncio.gather(*(mini.create() for _ in range(6)))
        assert len({room.id for room in rooms}) == 6
        assert len({mini.process_of(room.id) for room in rooms}) == 6


async def test_quick_match_fills_public_rooms_that_wait_and_makes_one_where_there_is_none():
    async with mini_cluster() as mini:
        first = await mini.gateway.quick("lamps", "anna")
        anna = Client(mini, first.id, "anna")
        await anna.welcome()
        await until(lambda: mini.records[first.id].summary.online)
        assert (await mini.gateway.quick("lamps", "bob")).id == first.id
        assert [room.id for room in await mini.gateway.list("lamps", 10)] == [first.id]
        assert await mini.gateway.list("ninety-nine", 10) == []
        assert (await mini.gateway.find(first.code.lower() + " ")).id == first.id
        await anna.do("room", public=False)
        await until(lambda: not mini.records[first.id].summary.public)
        assert (await mini.gateway.quick("lamps", "bob")).id != first.id
        with pytest.raises(Refused, match="room_not_found"):
            await mini.gateway.find("NOSUCH")


# ---------------------------------------------------------------- parking


async def test_a_room_with_nobody_and_nothing_to_time_gives_its_process_back_and_returns_whole():
    """Everything is as it was: seats, host, options, the finished game; and the epoch has grown."""
    async with mini_cluster(settings=RESTLESS) as mini:
        room, clients = await start_game(mini, options={"lamps": 2})
        await finish(mini, clients)
        before = clients[0].room
        process = mini.process_of(room)
        for client in clients:
            client.attachment.detach()
        await parked(mini, room)
        await until(lambda: mini.spawner.processes[process][0].running is None)
        assert (await mini.gateway.get(room)).status == "finished"
        anna = Client(mini, room, "anna")
        welcome = await anna.welcome()
        unchanged = ("seats", "host", "options", "games", "status", "code")
        online = [{**seat, "online": seat["player"] == "anna"} for seat in before["seats"]]
        assert {key: welcome["room"][key] for key in unchanged} == {
            **{k: before[k] for k in unchanged},
            "seats": online,
        }
        assert welcome["view"]["lamps"] == ["anna", "bob"]
        assert mini.records[room].epoch == 2


async def test_a_room_in_which_a_turn_runs_is_not_parked():
    async with mini_cluster(settings=RESTLESS) as mini:
        room, clients = await start_game(mini, options={"lamps": 3, "seconds": 0, "ms": 60})
        for client in clients:
            client.attachment.detach()
        await parked(mini, room)
        assert (await mini.kinds(room)).count("timeout") == 3


async def test_a_room_that_nobody_came_to_is_closed():
    async with mini_cluster(settings=msgspec.structs.replace(QUICK, unused_after=1)) as mini:
        room = await mini.create(bots=1)
        await until(lambda: room.id not in mini.records)
        assert (await mini.log(room.id))[-1].fact.reason == "empty"
        assert (await mini.gateway.get(room.id)).status == "closed"
        with pytest.raises(Refused, match="room_not_found"):
            await mini.gateway.find(room.code)


async def test_a_room_whose_process_dies_before_anybody_came_still_waits_for_them():
    async with mini_cluster(settings=msgspec.structs.replace(QUICK, park_after=1)) as mini:
        room = await mini.create()
        mini.kill_owner(room.id)
        await until(lambda: mini.records[room.id].epoch == 2 and mini.records[room.id].owner)
        running = mini.running(room.id)
        running._wake()
        assert running._rest_due() - running._loop.time() > 30
        assert (await Client(mini, room.id, "anna").welcome())["you"]["seat"] == 0


@pytest.mark.parametrize("ticks", [*range(0, 24, 2), 30, 50])
async def test_somebody_who_comes_while_the_room_is_given_back_is_let_in(ticks: int):
    """However far the release has come: the attach may meet a process that is just letting go."""
    async with mini_cluster() as mini:
        room = await mini.create(seats=2)
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        running = mini.running(room.id)
        anna.attachment.detach()
        await until(lambda: not running._audience)
        running._lonely_since = -1e9
        running._wake()
        for _ in range(ticks):
            await asyncio.sleep(0)
        bob = Client(mini, room.id, "bob")
        assert (await bob.welcome())["you"]["seat"] == 1
        assert (await bob.do("ready"))["type"] == "ack"
        assert (await mini.kinds(room.id)).count("seat") == 2


async def test_a_room_that_nobody_took_back_is_offered_again_soon(monkeypatch: pytest.MonkeyPatch):
    """It has been empty for long enough already."""
    monkeypatch.setattr(running, "RELEASE_AGAIN_SECONDS", 0.01)
    async with mini_cluster() as mini:
        room = await mini.create(seats=2)
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        here, tries = mini.running(room.id), 0
        real = here._home.ask_agent

        async def ask(request: dict[str, Any], seconds: float) -> Any:
            nonlocal tries
            tries += 1
            if tries < 3:
                raise link_io.LinkLost("no agent")
            return await real(request, seconds)

        monkeypatch.setattr(here._home, "ask_agent", ask)
        anna.attachment.detach()
        await until(lambda: not here._audience)
        here._lonely_since = -1e9
        here._wake()
        await parked(mini, room.id)
        assert tries == 3


async def test_a_room_that_dies_while_its_giving_back_is_written_down_stays_with_its_next_owner(
    monkeypatch: pytest.MonkeyPatch,
):
    """A catalogue on another machine takes its time; what it then holds is what is so."""
    async with mini_cluster(settings=RESTLESS, spares=3) as mini:
        room = (await mini.create(seats=2)).id
        anna = Client(mini, room, "anna")
        await anna.welcome()
        catalogue = mini.directory.stored.catalogue
        update, writes, answers = catalogue.update, asyncio.Event(), asyncio.Event()

        async def slowly(which: str, **columns: Any) -> None:
            if columns.get("parked"):
                writes.set()
                await answers.wait()
            await update(which, **columns)

        monkeypatch.setattr(catalogue, "update", slowly)
        anna.attachment.detach()
        await writes.wait()
        mini.kill_owner(room)
        bob = Client(mini, room, "bob")
        await bob.welcome()
        answers.set()

        async def written() -> bool:
            row = await catalogue.get(room)
            return row is not None and row.epoch == 1 and not row.parked

        await until(written)
        assert mini.records[room].owner is not None
        assert mini.records[room].state == "waiting"
        assert (await bob.do("ready"))["type"] == "ack"


async def test_a_room_that_is_given_back_twice_at_once_is_given_back(monkeypatch: pytest.MonkeyPatch):
    """Its process has not heard in time, and asks again, while the first time is still being written down."""
    async with mini_cluster(settings=RESTLESS) as mini:
        room = (await mini.create(seats=2)).id
        anna = Client(mini, room, "anna")
        await anna.welcome()
        released = mini.directory.placement.released

        async def twice(notice: dict[str, Any]) -> None:
            await asyncio.gather(released(notice), released(notice))

        monkeypatch.setattr(mini.directory.placement, "released", twice)
        update = mini.directory.stored.catalogue.update

        async def slowly(which: str, **columns: Any) -> None:
            await asyncio.sleep(0)
            await update(which, **columns)

        monkeypatch.setattr(mini.directory.stored.catalogue, "update", slowly)
        anna.attachment.detach()
        await parked(mini, room)
        await until(lambda: len(mini.agent.pool.spares()) == 2)  # its process lives


async def test_a_room_that_is_closed_while_its_agent_is_away_waits_quietly_and_is_given_back_later():
    async with mini_cluster() as mini:
        room = await mini.create(seats=2)
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        running, process = mini.running(room.id), mini.process_of(room.id)
        tries = 0
        real = mini.spawner.processes[process][0].ask_agent

        async def ask(request: dict[str, Any], seconds: float) -> Any:
            nonlocal tries
            tries += 1
            raise link_io.LinkLost("no agent")

        mini.spawner.processes[process][0].ask_agent = ask
        await anna.do("close")
        await until(lambda: tries)
        for _ in range(50):
            await asyncio.sleep(0)
        assert tries == 1
        mini.spawner.processes[process][0].ask_agent = real
        await until(lambda: running._worker.done())
        await until(lambda: room.id not in mini.records)


async def test_a_process_that_only_showed_the_past_is_given_back(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(running, "REPLAY_IDLE_SECONDS", 0.3)
    async with mini_cluster() as mini:
        room, clients = await start_game(mini, options={"lamps": 1})
        await finish(mini, clients)
        await clients[0].do("close")
        await until(lambda: room not in mini.records)
        before = await mini.log(room)
        for _ in range(3):
            assert (await mini.gateway.replay(room, 0, "anna"))["result"] == {"winner": ["anna"]}
        await until(lambda: room not in mini.records)
        await until(lambda: not mini.agent.rooms())
        assert await mini.log(room) == before
        log = await mini.make_store().room(room)
        assert [owner.epoch for owner in await log.owners()] == [1]
        await log.close()


async def test_whoever_comes_to_a_closed_room_that_somebody_is_shown_hears_that_it_is_closed():
    async with mini_cluster() as mini:
        room, clients = await start_game(mini, options={"lamps": 1})
        await finish(mini, clients)
        await clients[0].do("close")
        await until(lambda: room not in mini.records)
        await mini.gateway.replay(room, 0, "anna")
        assert mini.records[room].owner is not None
        late = Client(mini, room, "late")
        await until(lambda: late.bye)
        assert late.bye.code == "closed"
        assert (await mini.gateway.replay(room, 0, "anna"))["viewer"] == "anna"


async def test_a_closed_room_whose_log_cannot_be_read_takes_no_place_from_those_that_can():
    async with mini_cluster(directory={"reading_most": 1}) as mini:
        rooms = []
        for _ in range(2):
            room, clients = await start_game(mini, options={"lamps": 1})
            await finish(mini, clients)
            await clients[0].do("close")
            await until(lambda room=room: room not in mini.records)
            rooms.append(room)
        file = mini.folder / "data" / "rooms" / rooms[0][:2] / f"{rooms[0]}.db"
        file.with_name(f"{file.name}-wal").unlink(missing_ok=True)
        file.write_bytes(b"broken" * 1000)
        for _ in range(2):
            with pytest.raises(Refused, match="quarantined"):
                await mini.gateway.replay(rooms[0], 0, "anna")
        assert (await mini.gateway.replay(rooms[1], 0, "anna"))["viewer"] == "anna"


async def test_a_closed_room_without_a_game_has_nothing_to_show():
    async with mini_cluster() as mini:
        room = await mini.create(seats=2)
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        await anna.do("close")
        await until(lambda: room.id not in mini.records)
        with pytest.raises(Refused, match="no_such_game"):
            await mini.gateway.replay(room.id, 0, "anna")


# ---------------------------------------------------------------- operators


async def test_an_operator_closes_a_room_running_or_parked():
    async with mini_cluster(settings=RESTLESS) as mini:
        room, (anna, bob) = await start_game(mini)
        await mini.gateway.admin("close", {"room": room})
        await until(lambda: anna.bye and bob.bye)
        assert anna.bye.code == "closed"
        other = await mini.create(seats=2)
        client = Client(mini, other.id, "anna")
        await client.welcome()
        client.attachment.detach()
        await parked(mini, other.id)
        await mini.gateway.admin("close", {"room": other.id})
        await until(lambda: other.id not in mini.records)
        assert (await mini.log(other.id))[-1].fact.reason == "operator"
        with pytest.raises(Refused, match="room_not_found"):
            await mini.gateway.admin("close", {"room": other.id})


async def test_those_who_close_a_room_at_the_same_time_all_hear_that_it_is_closed(tmp_path: Path):
    store, go_on, at_work = FlakyStore(open_store(f"sqlite:{tmp_path}")), asyncio.Event(), asyncio.Event()

    async def slowly(_: str) -> None:
        at_work.set()
        await go_on.wait()

    async with mini_cluster(store=store) as mini:
        room, (anna, _) = await start_game(mini)
        running = mini.running(room)
        store.appending = slowly
        anna.say("action", decision=await anna.my_turn(), action=RED)
        await at_work.wait()
        closing = [asyncio.create_task(running.expire("operator")) for _ in range(2)]
        await until(lambda: running._expiry)
        go_on.set()
        closing.append(asyncio.create_task(running.expire("operator")))
        assert await asyncio.gather(*closing) == [None] * 3
        assert (await mini.kinds(room)).count("close") == 1


async def test_who_closes_a_room_that_is_just_being_given_back_hears_at_once_that_it_is_not_here(
    monkeypatch: pytest.MonkeyPatch,
):
    """Then it is looked for again, and closed where it is."""
    async with mini_cluster(settings=RESTLESS) as mini:
        room, (anna, bob) = await start_game(mini)
        running, asked, go_on = mini.running(room), asyncio.Event(), asyncio.Event()
        real = running._home.ask_agent

        async def slowly(request: dict[str, Any], seconds: float) -> Any:
            asked.set()
            await go_on.wait()
            return await real(request, seconds)

        monkeypatch.setattr(running._home, "ask_agent", slowly)
        running._home.config = msgspec.structs.replace(
            running._home.config, settings=msgspec.structs.replace(RESTLESS, abandoned_after=100)
        )
        anna.attachment.detach()
        bob.attachment.detach()
        await asked.wait()
        closing = [asyncio.create_task(running.expire("operator")) for _ in range(2)]
        await until(lambda: running._expiry)
        go_on.set()
        for outcome in await asyncio.gather(*closing, return_exceptions=True):
            assert isinstance(outcome, RequestRefused)
            assert outcome.refusal.code == "not_here"
        with pytest.raises(RequestRefused, match="not_here"):
            await running.expire("operator")


async def test_a_room_that_is_given_back_before_it_hears_of_its_closing_is_closed_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
):
    async with mini_cluster(settings=RESTLESS) as mini:
        room = (await mini.create(seats=2)).id
        client = Client(mini, room, "anna")
        await client.welcome()
        client.attachment.detach()
        await parked(mini, room)
        place, placed = mini.directory.placement.place, []

        def slowly(record: Record) -> asyncio.Task[None]:
            async def placing() -> None:
                await place(record)
                placed.append(record.epoch)
                if len(placed) == 1:
                    await parked(mini, room)  # nobody was there who needed it

            return asyncio.create_task(placing())

        monkeypatch.setattr(mini.directory.placement, "place", slowly)
        await mini.gateway.admin("close", {"room": room})
        await until(lambda: room not in mini.records)
        assert placed == [2, 3]
        assert (await mini.log(room))[-1].fact.reason == "operator"


async def test_a_room_that_closes_itself_while_an_operator_closes_it_is_closed_once_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
):
    """Nobody is given it to read: nothing would ever take it from such an owner, and its node could not be emptied."""
    async with mini_cluster(settings=RESTLESS) as mini:
        room = (await mini.create(seats=2)).id
        anna = Client(mini, room, "anna")
        await anna.welcome()
        peer = mini.nodes["n"].peer
        real, asked = peer.ask, []

        async def ask(request: dict[str, Any], seconds: float) -> Any:
            asked.append(request["type"])
            if request["type"] == "close":
                anna.say("close")
                await until(lambda: room not in mini.records)
                await until(lambda: not mini.agent.rooms())
            return await real(request, seconds)

        monkeypatch.setattr(peer, "ask", ask)
        await mini.gateway.admin("close", {"room": room})
        assert asked == ["close"]
        assert mini.directory.registry.count_on("n") == 0
        assert mini.agent.rooms() == []
        assert (await mini.log(room))[-1].fact.reason == "host"


async def test_a_room_that_is_dropped_while_it_is_handed_over_has_no_owner(monkeypatch: pytest.MonkeyPatch):
    """Its process is told to end: nobody would ever ask for the room there."""
    async with mini_cluster(settings=RESTLESS) as mini:
        room = (await mini.create(seats=2)).id
        anna = Client(mini, room, "anna")
        await anna.welcome()
        anna.attachment.detach()
        await parked(mini, room)
        record = mini.records[room]
        peer = mini.nodes["n"].peer
        real = peer.ask

        async def ask(request: dict[str, Any], seconds: float) -> Any:
            answer = await real(request, seconds)
            mini.directory.registry.drop(record)
            return answer

        monkeypatch.setattr(peer, "ask", ask)
        with pytest.raises(Refused, match="closed"):
            await mini.gateway.locate(room, 0)
        assert mini.directory.registry.count_on("n") == 0
        await until(lambda: not mini.agent.rooms())


async def test_operators_see_rooms_nodes_and_logs():
    async with mini_cluster() as mini:
        room, _ = await start_game(mini)
        [row] = (await mini.gateway.admin("rooms", {}))["rooms"]
        assert (row["id"], row["node"], row["epoch"], row["quarantined"]) == (room, "n", 1, None)
        [node] = (await mini.gateway.admin("nodes", {}))["nodes"]
        assert (node["node"], node["rooms"]) == ("n", 1)
        entries = (await mini.gateway.admin("reveal", {"room": room}))["entries"]
        assert [entry["seq"] for entry in entries] == [1, 2, 3, 4][: len(entries)]
        assert (await mini.gateway.admin("room", {"room": room}))["owners"][0]["epoch"] == 1
        assert (await mini.gateway.admin("all", {}))["rooms"] == [room]
        for what, args in (("reveal", {"room": "nowhere"}), ("unquarantine", {"room": "nowhere"}), ("dance", {})):
            with pytest.raises(Refused):
                await mini.gateway.admin(what, args)


# ---------------------------------------------------------------- directory and agent


async def test_while_the_directory_is_away_rooms_go_on_and_afterwards_it_knows_them_again():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        process = mini.process_of(room)
        await mini.restart_directory()
        assert (await light(anna))["type"] == "ack"
        await until(lambda: mini.records[room].owner)
        assert mini.process_of(room) == process
        assert mini.records[room].epoch == 1
        await until(lambda: mini.gateway.ready)
        await until(lambda: mini.records[room].summary.status == "playing")
        other = await mini.create(seats=2)
        assert (await Client(mini, other.id, "cora").welcome())["you"]["seat"] == 0
        assert (await light(bob))["type"] == "ack"
        assert (anna.pauses, bob.pauses) == (0, 0)


async def test_a_room_that_dies_while_the_directory_is_away_comes_back_with_it():
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        name = mini.process_of(room)
        await mini.restart_directory(between=lambda: mini.spawner.kill(name, 0))
        await until(lambda: anna.resumes)
        assert (await light(anna))["type"] == "ack"
        assert mini.records[room].epoch == 2


async def test_parked_and_closed_rooms_survive_a_restart_of_everything(tmp_path: Path):
    async with mini_cluster(settings=RESTLESS, store=open_store(f"sqlite:{tmp_path}")) as mini:
        open_room, clients = await start_game(mini, options={"lamps": 2})
        await finish(mini, clients)
        closed_room, (cora, _) = await start_game(mini, players=("cora", "dora"))
        await cora.do("close")
        for client in clients:
            client.attachment.detach()
        await parked(mini, open_room)
        await until(lambda: closed_room not in mini.records)
    async with mini_cluster(store=open_store(f"sqlite:{tmp_path}")) as mini:
        assert list(mini.records) == [open_room]
        assert mini.records[open_room].owner is None
        assert (await mini.gateway.replay(open_room, 0, None))["result"] == {"winner": ["bob"]}
        anna = await Client(mini, open_room, "anna").welcome()
        assert anna["room"]["status"] == "finished"
        assert (await mini.gateway.get(closed_room)).status == "closed"


async def test_an_unfinished_game_goes_on_by_itself_after_a_restart_of_everything(tmp_path: Path):
    """Nobody needs to come for it: what is not parked is brought back, and its turns time out."""
    store = open_store(f"sqlite:{tmp_path}")
    async with mini_cluster(store=store) as mini:
        room, _ = await start_game(mini, options={"lamps": 3, "seconds": 0, "ms": 700})
    async with mini_cluster(store=open_store(f"sqlite:{tmp_path}")) as mini:
        await mini.logged(room, "timeout", 3)
        assert mini.records[room].epoch == 2


async def test_a_directory_starts_though_a_game_is_gone(tmp_path: Path):
    """Its rooms wait for a node that has it; all others are as ever."""
    store = open_store(f"sqlite:{tmp_path}")
    catalogue = await store.catalogue()
    lost = CreateRoom(game="gone", creator="anna", key="k")
    summary = RoomSummary(
        id="aa",
        code="AAAAAA",
        game="gone",
        status="playing",
        public=True,
        spectators=True,
        seats=4,
        taken=2,
        online=0,
        host_name="",
        games=1,
    )
    wish, summary_text = msgspec.json.encode(lost), msgspec.json.encode(summary)
    await catalogue.add(RoomRow(id="aa", code="AAAAAA", game="gone", created=1, wish=wish, summary=summary_text))
    await catalogue.close()
    async with mini_cluster(store=store) as mini:
        await until(lambda: mini.records["aa"].state == "stranded")
        assert mini.records["aa"].quarantine is None
        assert (await mini.gateway.get("aa")).game == "gone"
        assert (await mini.create()).status == "waiting"


async def test_what_changes_in_a_room_while_its_agent_is_away_is_known_when_another_has_come():
    async with mini_cluster() as mini:
        room = await mini.create(seats=2, public=True)
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        process, running = mini.process_of(room.id), mini.running(room.id)
        await until(lambda: mini.records[room.id].summary.taken == 1)
        mini.agent.stop()
        await mini._agent_task
        bob = Client(mini, room.id, "bob")
        await bob.welcome()
        await until(lambda: running._summary_timer is None)  # it was said, and nobody heard it
        mini.start_agent()
        await until(lambda: mini.records[room.id].summary.taken == 2)
        assert mini.agent.pool.processes[process].summary["taken"] == 2


async def test_while_the_agent_is_away_rooms_go_on_and_the_next_agent_adopts_them():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        process = mini.process_of(room)
        await mini.restart_agent()
        assert (await light(anna))["type"] == "ack"
        await until(lambda: any(p.room == room for p in mini.agent.pool.processes.values()))
        await until(lambda: mini.agent.settled and "n" in mini.nodes)
        assert mini.process_of(room) == process
        assert (await light(bob))["type"] == "ack"
        assert (anna.pauses, mini.records[room].epoch) == (0, 1)
        mini.kill_owner(room)
        await until(lambda: anna.resumes)
        assert (await light(anna))["type"] == "ack"


async def test_a_room_that_dies_while_the_agent_is_away_comes_back_with_the_next():
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        mini.agent.stop()
        await mini._agent_task
        mini.kill_owner(room)
        mini.start_agent()
        await until(lambda: anna.resumes)
        assert (await light(anna))["type"] == "ack"


@pytest.mark.timeout(30)
async def test_a_link_that_is_just_breaking_does_not_hold_up_the_directory():
    """A room is to be placed in the very turn in which its only node's link is cut: that must not be tried for ever."""
    async with mini_cluster() as mini:
        room = await mini.create()
        record = mini.records[room.id]
        record.set_owner(None)
        mini.directory.placement.place(record)
        mini.nodes["n"].peer.abort("it does not read")
        await until(lambda: record.owner is not None)  # the process that has it, or another
        assert (await mini.gateway.get(room.id)).id == room.id


async def test_readiness_follows_the_nodes():
    async with mini_cluster() as mini:
        assert mini.gateway.ready
        mini.agent.stop()
        await mini._agent_task
        await until(lambda: not mini.gateway.ready)
        mini.start_agent()
        await until(lambda: mini.gateway.ready)


async def test_a_gateway_without_a_directory_says_unavailable_in_time(monkeypatch: pytest.MonkeyPatch):
    from cluster import connection

    monkeypatch.setattr(connection, "DIRECTORY_SECONDS", 0.05)
    alone = ClusterConnection("127.0.0.1:1", SECRET, "alone")
    await alone.start()
    assert not alone.ready
    with pytest.raises(Refused) as no:
        await alone.ask({"type": "get", "room": "r"}, 0.05)
    assert (no.value.code, no.value.retry) == ("unavailable", True)
    await alone.close()


async def test_a_peer_that_asks_what_nobody_knows_is_refused():
    async with mini_cluster() as mini:
        peer = await link_io.dial(mini.directory.address, SECRET, Who(kind="tool", name="t"), BaseHandler())
        with pytest.raises(link_io.RequestRefused, match="unknown_request"):
            await peer.ask({"type": "dance"}, 5)
        peer.close()


async def test_an_outage_of_the_catalogue_refuses_creates_for_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from cluster.log import Unavailable

    async with mini_cluster() as mini:

        async def add(row: RoomRow) -> RoomRow:
            raise Unavailable("as told")

        monkeypatch.setattr(mini.directory.stored.catalogue, "add", add)
        with pytest.raises(Refused) as no:
            await mini.gateway.create(wish())
        assert (no.value.code, no.value.retry) == ("unavailable", True)
        monkeypatch.undo()
        assert (await mini.gateway.create(wish())).status == "waiting"


# ---------------------------------------------------------------- nothing is left over


def things() -> tuple[int, int, int, int]:
    """Open files, tasks, the objects of this project, and Python's blocks of memory."""
    gc.collect()
    # str(): a class made in C may have a descriptor for its __module__.
    ours = sum(str(type(thing).__module__).split(".")[0] in ("cluster", "engines") for thing in gc.get_objects())
    return len(os.listdir("/proc/self/fd")), len(asyncio.all_tasks()), ours, sys.getallocatedblocks()


MANY_ROOMS = 2000 if "HANPAN_SOAK" in os.environ else 120


@pytest.mark.timeout(900)
async def test_many_rooms_created_played_and_closed_leave_nothing_behind(tmp_path: Path):
    """Files, tasks, objects and memory are back to what they were after the first few."""

    async def life(mini: MiniCluster, number: int) -> None:
        room, clients = await start_game(
            mini, players=(f"a{number}", f"b{number}"), options={"lamps": 2, "seconds": 15}
        )
        await finish(mini, clients)
        await clients[0].do("close")
        await until(lambda: all(client.bye for client in clients))
        await until(lambda: room not in mini.records)

    async def lives(mini: MiniCluster, numbers: range) -> None:
        for start in range(numbers.start, numbers.stop, 4):
            await asyncio.gather(*(life(mini, n) for n in range(start, min(start + 4, numbers.stop))))

    async with mini_cluster(spares=4, store=open_store(f"sqlite:{tmp_path}")) as mini:
        await lives(mini, range(20))
        await quiet(mini)
        before = things()
        await lives(mini, range(20, 20 + MANY_ROOMS))
        await quiet(mini)
        after = things()
    assert after[0] <= before[0]
    assert after[1] <= before[1]
    assert after[2] <= before[2] + 50  # some come and go; a leak would be one for each room
    assert after[3] <= before[3] + 5000


async def test_processes_of_rooms_that_ended_serve_the_next_rooms_and_end_when_none_come():
    async def rooms(mini: MiniCluster, round: int) -> None:
        opened = [await start_game(mini, players=(f"{round}a{n}", f"{round}b{n}")) for n in range(4)]
        for _, clients in opened:
            await clients[0].do("close")
        await until(
            lambda: len(mini.agent.pool.spares()) == len(mini.agent.pool.processes) and not mini.agent.pool.starting
        )

    async with mini_cluster(spares=1) as mini:
        await rooms(mini, 1)
        served = set(mini.spawner.processes)
        assert len(served) >= 4
        await rooms(mini, 2)
        now = set(mini.spawner.processes)
        assert served <= now
        assert len(now - served) <= 1  # while all have rooms, the one that is kept ready may be started
        await until(lambda: len(mini.spawner.processes) == 1)
        assert len(mini.agent.pool.spares()) == 1


async def quiet(mini: MiniCluster) -> None:
    """All processes are spares again, as many as are wanted, and nothing is under way."""
    await until(
        lambda: len(mini.agent.pool.spares()) == len(mini.agent.pool.processes) == 4 and not mini.agent.pool.starting
    )
    await until(lambda: len(mini.spawner.processes) == 4)
    assert mini.gateway._rooms == {}
    assert mini.records == mini.directory.registry.by_code == {}
