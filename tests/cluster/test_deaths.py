"""Room processes die, hang, and wake up late: the room goes on elsewhere, exactly, or is shown to an operator."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cluster import placement, watch
from cluster.client import Refused
from cluster.link import Refusal
from cluster.link_io import RequestRefused
from cluster.log import Damaged
from cluster.stores import open_store
from tests.cluster.mini import RED, Client, FlakyStore, MiniCluster, light, mini_cluster, start_game, until


async def recovered(mini: MiniCluster, room: str, epoch: int) -> None:
    """The room has an owner of at least this epoch."""
    await until(lambda: mini.records[room].owner and mini.records[room].epoch >= epoch)


# ---------------------------------------------------------------- once, whatever dies when


async def test_killed_after_the_append_before_the_answer_the_resent_id_gets_the_stored_answer(tmp_path: Path):
    """The gateway sends it again by itself; the player gets one answer, and the log holds it once."""
    store = FlakyStore(open_store(f"sqlite:{tmp_path}"))
    async with mini_cluster(store=store) as mini:
        room, (anna, bob) = await start_game(mini)
        decision = await anna.my_turn()

        def kill(which: str) -> None:
            store.appended = lambda _: None
            mini.kill_owner(which)

        store.appended = kill
        answer = await anna.do("action", id="x", decision=decision, action=RED)
        assert answer["type"] == "ack"
        await until(lambda: bob.view["lamps"] == ["anna"])
        [entry] = [e for e in await mini.log(room) if e.id == "x"]
        assert (entry.seq, entry.epoch) == (answer["seq"], 1)
        assert len([m for m in anna.messages if m.get("id") == "x"]) == 1
        assert (await light(bob))["type"] == "ack"
        assert (await mini.log(room))[-1].epoch == 2


async def test_killed_at_every_second_entry_a_game_is_still_each_move_once(tmp_path: Path):
    store = FlakyStore(open_store(f"sqlite:{tmp_path}"))
    async with mini_cluster(store=store, spares=3) as mini:
        room, clients = await start_game(mini, options={"lamps": 8})

        def kill(which: str) -> None:
            store.appended = lambda _: None
            mini.kill_owner(which)

        for turn in range(8):
            player = clients[turn % 2]
            if turn % 2:
                store.appended = kill
            answer = await light(player, id=f"t{turn}")
            assert answer["type"] == "ack"
        await until(lambda: all(client.room["status"] == "finished" for client in clients))
        actions = [e for e in await mini.log(room) if e.fact.__struct_config__.tag == "action"]
        assert [entry.id for entry in actions] == [f"t{turn}" for turn in range(8)]
        assert clients[0].view["lamps"] == clients[1].view["lamps"] == ["anna", "bob"] * 4


async def test_a_recovery_in_mid_turn_times_the_turn_out_exactly_once():
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini, options={"seconds": 0, "ms": 300, "lamps": 2})
        await anna.my_turn()
        mini.kill_owner(room)
        await until(lambda: anna.room["status"] == "finished")
        kinds = await mini.kinds(room)
        assert kinds.count("timeout") == 2
        entries = {entry.fact.__struct_config__.tag: entry for entry in await mini.log(room)}
        assert entries["timeout"].epoch == 2
        assert entries["timeout"].at - entries["start"].at >= 600


async def test_with_all_sessions_gone_the_turns_still_time_out():
    async with mini_cluster() as mini:
        room, clients = await start_game(mini, options={"seconds": 0, "ms": 50, "lamps": 3})
        for client in clients:
            client.attachment.detach()
        await mini.logged(room, "timeout", 3)
        anna = await Client(mini, room, "anna").welcome()
        assert anna["room"]["status"] == "finished"


async def test_an_action_and_the_deadline_together_are_one_entry_each_turn():
    """Players answer just when their time is up: each turn is one action or one timeout, never both."""
    async with mini_cluster() as mini:
        room, clients = await start_game(mini, options={"seconds": 0, "ms": 20, "lamps": 30})
        while clients[0].room["status"] == "playing":
            for client in clients:
                if decision := client.situation.get("decision"):
                    client.say("action", id=f"d{decision}", decision=decision, action=RED)
            await asyncio.sleep(0.019)
        moves = [e for e in await mini.log(room) if e.fact.__struct_config__.tag in ("action", "timeout")]
        assert len(moves) == 30
        answered = [e.fact.decision for e in moves if e.fact.__struct_config__.tag == "action"]
        assert len(answered) == len(set(answered))


# ---------------------------------------------------------------- two owners


async def test_an_old_owner_that_wakes_up_late_is_fenced_and_stops():
    """Somebody else has claimed the room meanwhile; its next append is refused, and it is gone at once."""
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        old = mini.process_of(room)
        log = await mini.make_store().room(room)
        await log.claim(5, "somebody else", 0)
        await log.close()
        answer = await light(anna, id="x")
        assert answer["type"] == "ack"
        assert old not in mini.spawner.processes or mini.spawner.processes[old][1].done()
        assert mini.process_of(room) != old
        entries = await mini.log(room)
        assert [e.epoch for e in entries if e.id == "x"] == [6]
        assert [e.seq for e in entries] == list(range(1, len(entries) + 1))
        assert (await light(bob))["type"] == "ack"


async def test_an_old_owner_with_nothing_to_write_stops_when_it_gives_the_room_back():
    """A node that was cut off comes back with a room that runs elsewhere by now."""
    async with mini_cluster() as mini:
        room = await mini.create(seats=2)
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        old = mini.running(room.id)
        record = mini.records[room.id]
        record.set_owner(None)  # the directory has given its node up
        mini.directory.placement.place(record)
        await recovered(mini, room.id, 2)
        assert mini.running(room.id) is not old
        anna.attachment.detach()
        await until(lambda: not old._audience)
        old._lonely_since = -1e9
        old._wake()
        await until(lambda: old._worker.done())
        assert mini.records[room.id].owner.epoch == 2
        assert await mini.kinds(room.id) == ["created", "seat"]


# ---------------------------------------------------------------- quarantine


async def test_a_room_that_dies_three_times_at_one_entry_is_quarantined_and_its_people_are_told():
    async with mini_cluster(spares=4) as mini:
        room, (anna, bob) = await start_game(mini)
        entries = len(await mini.log(room))
        await until(lambda: mini.records[room].seq_heard == entries)  # or the first death is believed an earlier one's
        for epoch in (1, 2, 3):
            await recovered(mini, room, epoch)
            mini.kill_owner(room)
        await until(lambda: mini.records[room].quarantine)
        await until(lambda: anna.bye and bob.bye)
        assert anna.bye.code == "quarantined"
        late = Client(mini, room, "late")
        await until(lambda: late.bye)
        assert late.bye.code == "quarantined"
        [row] = (await mini.gateway.admin("rooms", {}))["rooms"]
        assert "died 3 times" in row["quarantined"]
        await mini.gateway.admin("unquarantine", {"room": room})
        anna = Client(mini, room, "anna")
        await anna.welcome()
        assert (await light(anna))["type"] == "ack"
        with pytest.raises(Refused, match="not_quarantined"):  # what is played is not to be tried again
            await mini.gateway.admin("unquarantine", {"room": room})


async def test_a_room_that_gets_on_between_its_deaths_is_never_quarantined():
    """Also where nobody has heard of its last entries: the log itself is asked."""
    async with mini_cluster(spares=3) as mini:
        room, clients = await start_game(mini, options={"lamps": 20})
        for turn in range(6):
            await recovered(mini, room, turn + 1)
            if turn % 2:  # each second owner makes a move that no summary tells of before the owner dies
                player, lamps = clients[(turn // 2) % 2], ["anna", "bob", "anna"][: turn // 2]
                await until(lambda p=player, done=lamps: p.view["lamps"] == done and p.situation.get("decision"))
                assert (await light(player))["type"] == "ack"
            mini.kill_owner(room)
            await recovered(mini, room, turn + 2)
        assert mini.records[room].quarantine is None


async def test_a_log_that_does_not_replay_is_quarantined_at_once_and_stays_so_after_a_restart():
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        file = mini.folder / "data" / "rooms" / room[:2] / f"{room}.db"
        with sqlite3.connect(file) as db:
            db.execute("UPDATE entries SET entry = replace(entry, 'digest\":\"', 'digest\":\"f') WHERE seq = 4")
        db.close()
        mini.kill_owner(room)
        await until(lambda: anna.bye)
        assert anna.bye.code == "quarantined"
        await mini.restart_directory()
        await until(lambda: mini.gateway.ready)
        assert "entry 4" in mini.records[room].quarantine
        late = Client(mini, room, "late")
        await until(lambda: late.bye)
        assert late.bye.code == "quarantined"


async def test_a_room_whose_file_is_broken_is_quarantined_and_others_are_created():
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        file = mini.folder / "data" / "rooms" / room[:2] / f"{room}.db"
        mini.kill_owner(room)
        for path in (file, file.with_name(file.name + "-wal")):
            path.write_bytes(b"broken" * 1000)
        await until(lambda: anna.bye)
        assert anna.bye.code == "quarantined"
        assert (await mini.create()).status == "waiting"


@pytest.mark.parametrize("asked", ["read", "owners"])
async def test_a_room_whose_log_the_directory_cannot_read_is_quarantined_and_not_tried_at_each_question(
    asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It reads a log after three deaths, and after a conflict; it lets go of it either way."""
    store = open_store(f"sqlite:{tmp_path}")
    async with mini_cluster(store=store, spares=3) as mini:
        room, (anna, _) = await start_game(mini)
        real, opened, closed = store.room, [], []

        async def damaged(*args: Any) -> Any:
            raise Damaged("as told")

        async def open_room(id: str, *, create: bool = False) -> Any:
            log = await real(id, create=create)
            close = log.close

            async def closing() -> None:
                closed.append(log)
                await close()

            monkeypatch.setattr(log, "close", closing)
            monkeypatch.setattr(log, asked, damaged)
            opened.append(log)
            return log

        monkeypatch.setattr(mini.directory.stored, "store", SimpleNamespace(room=open_room))
        record = mini.records[room]
        if asked == "read":
            record.deaths = (placement.DEATHS_TO_QUARANTINE, 1)
        else:
            log = await real(room)
            await log.claim(5, "somebody", 0)  # of whom the directory knows nothing
            await log.close()
        mini.kill_owner(room)
        await until(lambda: anna.bye)
        assert anna.bye.code == "quarantined"
        assert "Damaged" in record.quarantine
        assert len(opened) == len(closed) == 1
        mini.directory.stored.store = store


async def test_a_game_whose_timeout_has_a_bug_is_quarantined_and_not_tried_for_ever():
    """It dies at once after each hand-over: also where the news of its death come with the hand-over's answer."""
    async with mini_cluster(spares=4) as mini:
        room, (anna, _) = await start_game(mini, game="stubborn", options={"seconds": 0, "ms": 1})
        await until(lambda: anna.bye)
        assert anna.bye.code == "quarantined"
        assert "timeout" not in await mini.kinds(room)


async def test_a_death_that_is_heard_of_before_the_hand_over_is_answered_is_a_death():
    """Both come in one piece of the agent's stream; the room must not be left with a dead owner."""
    async with mini_cluster(spares=3) as mini:
        room = await mini.create(seats=2)
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        real = mini.nodes["n"].peer.ask

        async def ask(request: dict[str, Any], seconds: float) -> Any:
            answer = await real(request, seconds)
            if request["type"] == "place" and request["order"]["epoch"] == 2:
                mini.spawner.kill(answer["process"], 0)
                await until(lambda: answer["process"] not in mini.agent.pool.processes)
                await mini.agent.reports.peer.ping(5)  # the news have come
            return answer

        mini.nodes["n"].peer.ask = ask
        mini.kill_owner(room.id)
        await recovered(mini, room.id, 3)
        await until(lambda: anna.resumes)
        assert (await anna.do("ready"))["type"] == "ack"


async def test_a_room_that_must_wait_does_not_keep_the_others_waiting(monkeypatch: pytest.MonkeyPatch):
    """A hand-over that must wait does not hold a place meanwhile."""
    monkeypatch.setattr(placement, "PLACED_AT_ONCE", 1)
    async with mini_cluster(spares=3) as mini:
        room, _ = await start_game(mini)
        real = mini.nodes["n"].peer.ask

        async def ask(request: dict[str, Any], seconds: float) -> Any:
            if request["type"] == "place" and request["order"]["room"] == room:
                raise RequestRefused(Refusal("storage_down", "for this room alone", retry=True))
            return await real(request, seconds)

        mini.nodes["n"].peer.ask = ask
        mini.kill_owner(room)
        await until(lambda: mini.records[room].placing)
        for _ in range(3):
            assert (await mini.create()).status == "waiting"


async def test_a_process_that_is_deaf_is_killed_and_its_room_goes_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watch, "WATCH_SECONDS", 0.02)
    monkeypatch.setattr(watch, "HANG_SECONDS", 0.05)
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        process, _ = mini.spawner.processes[mini.process_of(room)]
        process._agent._transport.pause_reading()
        await recovered(mini, room, 2)
        await until(lambda: anna.resumes)
        assert (await light(anna))["type"] == "ack"


async def test_a_room_that_cannot_be_reached_is_asked_for_with_a_clear_word():
    async with mini_cluster() as mini:
        with pytest.raises(Refused, match="room_not_found"):
            await mini.gateway.locate("nowhere", 0)
        nowhere = Client(mini, "nowhere", "anna")
        await until(lambda: nowhere.bye)
        assert nowhere.bye.code == "room_not_found"
