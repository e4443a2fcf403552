"""The store goes away and comes back: rooms pause, nothing is lost, nothing is doubled."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cluster import running as while_running
from cluster.client import Refused
from cluster.clock import RoomClock
from cluster.log import Snapshot, Unavailable
from cluster.messages import Bye
from cluster.stores import open_store
from cluster.stores.sqlite import SqliteRoomLog
from tests.cluster.mini import RED, Client, FlakyStore, MiniCluster, light, mini_cluster, start_game, until


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(while_running, "PROBE_SECONDS", 0.01)


@contextlib.asynccontextmanager
async def flaky_cluster(tmp_path: Path, **kwargs: Any) -> AsyncIterator[tuple[MiniCluster, FlakyStore]]:
    store = FlakyStore(open_store(f"sqlite:{tmp_path}"))
    async with mini_cluster(store=store, **kwargs) as mini:
        yield mini, store


def kinds(client: Client, *types: str) -> list[str]:
    return [m["type"] for m in client.messages if m["type"] in types]


@pytest.mark.parametrize("mode", ["refuses", "does it and says no"])
async def test_an_action_that_meets_a_dead_store_is_answered_once_when_it_is_known_what_became_of_it(
    tmp_path: Path, mode: Any
):
    """A refusal would say that nothing has happened. It is one entry, and everybody is told of it once."""
    async with flaky_cluster(tmp_path) as (mini, store):
        room, (anna, bob) = await start_game(mini)
        decision, before = await anna.my_turn(), await mini.kinds(room)
        store.mode = mode
        anna.say("action", id="x", decision=decision, action=RED)
        await until(lambda: kinds(bob, "pause"))
        assert (await bob.do("ready"))["code"] == "storage_down"  # the room has seen to all that came before this
        assert not kinds(anna, "ack", "reject")
        store.mode = "works"
        assert (await anna.answer("x"))["type"] == "ack"
        await until(lambda: bob.view["lamps"] == ["anna"])
        assert await mini.kinds(room) == [*before, "action"]
        lit = [e for m in bob.messages for e in m.get("events", ()) if e["type"] == "lit"]
        assert len(lit) == 1
        assert kinds(bob, "pause", "resume") == ["pause", "resume"]
        assert (await light(bob))["type"] == "ack"
        assert kinds(anna, "ack", "reject") == ["ack"]


@pytest.mark.parametrize("mode", ["refuses", "does it and says no"])
async def test_it_is_answered_to_whoever_has_sent_it_again_meanwhile(tmp_path: Path, mode: Any):
    """By another session of the same player: that one hears of it."""
    async with flaky_cluster(tmp_path) as (mini, store):
        room, (anna, bob) = await start_game(mini)
        decision, before = await anna.my_turn(), await mini.kinds(room)
        store.mode = mode
        anna.say("action", id="x", decision=decision, action=RED)
        await until(lambda: kinds(bob, "pause"))
        again = Client(mini, room, "anna")
        again.say("action", id="x", decision=decision, action=RED)
        assert (await again.do("ready"))["code"] == "storage_down"
        assert not [m for m in again.messages if m.get("id") == "x"]
        store.mode = "works"
        assert (await again.answer("x"))["type"] == "ack"
        assert await mini.kinds(room) == [*before, "action"]


async def test_timers_stand_still_while_the_store_is_down(tmp_path: Path):
    """Far more time passes than a turn has; no timeout comes of it, and the turn goes on where it was."""
    async with flaky_cluster(tmp_path) as (mini, store):
        room, (anna, _bob) = await start_game(mini)
        running, clock = mini.running(room), mini.running(room)._clock
        store.mode = "refuses"
        decision = await anna.my_turn()
        anna.say("action", id="x", decision=decision, action=RED)
        await until(lambda: running._down)
        stands_at = clock.now()
        hours_pass(clock)
        attempts = store.attempts
        await until(lambda: store.attempts > attempts + 3)
        assert clock.now() == stands_at
        store.mode = "works"
        await until(lambda: kinds(anna, "resume"))
        assert "timeout" not in await mini.kinds(room)
        assert 14_000 < next(m for m in anna.messages if m["type"] == "resume")["deadlineIn"] <= 15_000
        assert (await anna.answer("x"))["type"] == "ack"


async def light_unheard(mini: MiniCluster, room: str, client: Client) -> None:
    """This player's move, which the store does not answer."""
    client.say("action", decision=await client.my_turn(), action=RED)
    await until(lambda: mini.running(room)._down)


def hours_pass(clock: RoomClock, hours: int = 1) -> None:
    real = clock._monotonic
    clock._monotonic = lambda: real() + 3600 * hours


async def test_the_time_in_which_a_store_fails_is_given_back_from_its_first_moment_on(tmp_path: Path):
    """A store may take long to say no. A player who acted in time is not timed out for that."""
    async with flaky_cluster(tmp_path) as (mini, store):
        room, (anna, _bob) = await start_game(mini)
        running = mini.running(room)

        def hangs(_: str) -> None:
            store.appending = lambda _: None
            store.mode = "refuses"
            hours_pass(running._clock)

        store.appending = hangs
        decision = await anna.my_turn()
        anna.say("action", id="x", decision=decision, action=RED)
        await until(lambda: running._down)
        store.mode = "works"
        assert (await anna.answer("x"))["type"] == "ack"
        assert "timeout" not in await mini.kinds(room)


@pytest.mark.parametrize("what", ["save_snapshot", "prepare"])
async def test_so_is_the_time_in_which_it_fails_to_keep_a_snapshot_or_to_get_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
):
    """The room goes on without; and whoever spoke while it waited for that is heard first."""
    async with flaky_cluster(tmp_path) as (mini, _):
        room, (anna, _bob) = await start_game(mini)
        running = mini.running(room)
        decision = await anna.my_turn()

        async def hangs(*_: Any) -> None:
            anna.say("action", id="x", decision=decision, action=RED)
            await until(lambda: running._inbox)
            hours_pass(running._clock)
            raise Unavailable("as told")

        monkeypatch.setattr(running._log, what, hangs, raising=False)
        running._snapshot_at, running._prepare_at = (0, None) if what == "save_snapshot" else (1000, 0.0)
        running._wake()
        assert (await anna.answer("x"))["type"] == "ack"
        assert "timeout" not in await mini.kinds(room)


async def test_every_message_meanwhile_is_refused_as_retryable_and_newcomers_see_the_pause(tmp_path: Path):
    async with flaky_cluster(tmp_path) as (mini, store):
        room, (anna, bob) = await start_game(mini)
        store.mode = "refuses"
        await light_unheard(mini, room, anna)
        answers = [await bob.do(what) for what in ("ready", "leave")]
        assert [(a["code"], a["retry"]) for a in answers] == [("storage_down", True)] * 2
        watcher = Client(mini, room, "cora", "watch")
        await until(lambda: kinds(watcher, "pause"))
        assert kinds(watcher, "welcome", "pause") == ["welcome", "pause"]
        store.mode = "works"
        await until(lambda: kinds(watcher, "resume"))


async def test_of_those_who_come_while_the_room_waits_only_so_many_wait_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Past a first limit messages are refused, past a second one people are asked to come again. Who goes is heard."""
    monkeypatch.setattr(while_running, "INBOX_LIMIT", 4)
    monkeypatch.setattr(while_running, "COMING_LIMIT", 8)
    async with flaky_cluster(tmp_path) as (mini, store):
        room, (anna, bob) = await start_game(mini)
        running, go_on, at_work = mini.running(room), asyncio.Event(), asyncio.Event()

        async def slowly(_: str) -> None:
            at_work.set()
            await go_on.wait()

        store.appending = slowly
        anna.say("action", decision=await anna.my_turn(), action=RED)
        await at_work.wait()
        for _ in range(6):
            bob.say("ready")
        watchers = [Client(mini, room, f"w{n}", "watch") for n in range(20)]
        await until(lambda: [watcher.bye for watcher in watchers].count(None) == 4)
        assert {(w.bye.code, w.bye.again) for w in watchers if w.bye} == {("unavailable", True)}
        assert [m["code"] for m in bob.messages if m["type"] == "reject"] == ["busy"] * 2
        bob.attachment.detach()
        await until(lambda: len(running._inbox) == 9)
        go_on.set()
        for watcher in watchers:
            assert watcher.bye or await watcher.welcome()
        await until(lambda: running._audience.of("bob") is None)


async def test_one_who_wants_a_seat_meanwhile_is_asked_to_come_again(tmp_path: Path):
    async with flaky_cluster(tmp_path) as (mini, store):
        room = await mini.create(seats=2)
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        store.mode = "refuses"
        anna.say("ready")
        await until(lambda: kinds(anna, "pause"))
        bob = Client(mini, room.id, "bob")
        bye: Bye = await until(lambda: bob.bye)
        assert (bye.code, bye.again) == ("unavailable", True)
        store.mode = "works"
        await until(lambda: kinds(anna, "resume"))
        assert (await Client(mini, room.id, "bob").welcome())["you"]["seat"] == 1


async def test_a_return_during_the_outage_is_told_to_the_game_after_it(tmp_path: Path):
    async with flaky_cluster(tmp_path) as (mini, store):
        room, (anna, bob) = await start_game(mini)
        bob.attachment.detach()
        await until(lambda: anna.view and mini.running(room)._room.state.table.presence)
        store.mode = "refuses"
        await light_unheard(mini, room, anna)
        bob = Client(mini, room, "bob")
        await until(lambda: kinds(bob, "pause"))
        assert mini.running(room)._room.state.table.presence == {"bob": "offline"}
        store.mode = "works"
        await until(lambda: not mini.running(room)._room.state.table.presence)
        assert (await mini.kinds(room)).count("presence") == 2


@pytest.mark.parametrize(("who", "what"), [("anna", "close"), ("bob", "leave"), ("anna", "kick")])
async def test_a_goodbye_whose_append_happened_after_all_is_said_after_the_outage(tmp_path: Path, who: str, what: str):
    async with flaky_cluster(tmp_path) as (mini, store):
        room = await mini.create(seats=3)
        clients = {player: Client(mini, room.id, player) for player in ("anna", "bob")}
        await clients["bob"].welcome()
        store.mode = "does it and says no"
        id = clients[who].say(what, **({"player": "bob"} if what == "kick" else {}))
        await until(lambda: mini.running(room.id)._down)
        store.mode = "works"
        assert (await clients[who].answer(id))["type"] == "ack"
        await until(lambda: clients["bob"].bye)
        assert clients["bob"].bye.code == {"close": "closed", "leave": "left", "kick": "kicked"}[what]


async def test_a_timeout_whose_append_is_unknown_happens_once(tmp_path: Path):
    async with flaky_cluster(tmp_path) as (mini, store):
        room, (anna, _) = await start_game(mini, options={"seconds": 0, "ms": 150, "lamps": 100})
        await anna.my_turn()
        store.mode = "does it and says no"
        await until(lambda: mini.running(room)._down)
        store.mode = "works"
        await until(lambda: kinds(anna, "resume"))
        await until(lambda: len(anna.view["lamps"]) >= 3)
        entries = await mini.log(room)
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        at = [entry.at for entry in entries if entry.fact.__struct_config__.tag == "timeout"]
        assert all(later - earlier >= 150 for earlier, later in itertools.pairwise(at))


async def test_a_timeout_that_the_store_refused_is_not_counted(tmp_path: Path):
    async with flaky_cluster(tmp_path) as (mini, store):
        room, (anna, _) = await start_game(mini, options={"seconds": 0, "ms": 100, "lamps": 100})
        await anna.my_turn()
        store.mode = "refuses"
        await until(lambda: mini.running(room)._down)
        store.mode = "works"
        await until(lambda: len(anna.view["lamps"]) >= 3)
        store.mode = "refuses"
        await until(lambda: mini.running(room)._down)
        tally = mini.running(room)._home.tally
        counted = sum(cell[0] for cell in tally._counters["hanpan_timeouts_total"].values())
        assert counted == (await mini.kinds(room)).count("timeout")


async def test_an_operators_close_during_the_outage_is_refused_and_the_room_lives(tmp_path: Path):
    """Its append must not be tried while the log may hold an entry that the room does not know of."""
    async with flaky_cluster(tmp_path) as (mini, store):
        room, (anna, _) = await start_game(mini)
        process = mini.process_of(room)
        store.mode = "does it and says no"
        await light_unheard(mini, room, anna)
        mini.running(room)._probe_at += 3600  # still down, for all the room knows
        store.mode = "works"
        with pytest.raises(Refused):
            await mini.gateway.admin("close", {"room": room})
        mini.running(room)._probe_at = 0.0
        mini.running(room)._wake()
        await until(lambda: kinds(anna, "resume"))
        assert mini.process_of(room) == process
        await mini.gateway.admin("close", {"room": room})
        await until(lambda: anna.bye)


async def test_an_outage_at_the_hand_over_delays_it_and_harms_no_other_room(tmp_path: Path):
    async with flaky_cluster(tmp_path, spares=3) as (mini, store):
        room, (anna, bob) = await start_game(mini)
        store.mode = "refuses"
        mini.kill_owner(room)
        attempts = store.attempts
        await until(lambda: store.attempts > attempts + 2)
        assert anna.paused_now
        store.mode = "works"
        await until(lambda: anna.resumes and bob.resumes)
        assert (await light(anna))["type"] == "ack"
        assert mini.records[room].quarantine is None


async def test_a_store_that_fails_now_and_then_loses_and_doubles_nothing(tmp_path: Path):
    """Two of three appends fail, with or without effect; both players send what they do not hear of again."""
    async with flaky_cluster(tmp_path) as (mini, store):
        room, clients = await start_game(mini, options={"lamps": 12})
        for turn in range(12):
            player = clients[turn % 2]
            decision = await player.my_turn()
            store.mode = ("does it and says no", "refuses", "works")[turn % 3]
            player.say("action", id=f"t{turn}", decision=decision, action=RED)
            if store.mode != "works":
                await until(lambda: mini.running(room)._down)
                player.say("action", id=f"t{turn}", decision=decision, action=RED)
            store.mode = "works"
            assert (await player.answer(f"t{turn}"))["type"] == "ack"
        await until(lambda: clients[1].room["status"] == "finished")
        actions = [e for e in await mini.log(room) if e.fact.__struct_config__.tag == "action"]
        assert [entry.id for entry in actions] == [f"t{turn}" for turn in range(12)]
        assert clients[0].view["lamps"] == ["anna", "bob"] * 6


async def test_a_room_has_a_snapshot_every_so_many_entries_and_not_where_all_others_have_theirs(
    monkeypatch: pytest.MonkeyPatch,
):
    """Rooms that begin together would otherwise all write theirs in the same moment, again and again."""
    every = 32  # a lobby is a few entries: of so many, six rooms do not all end at the same one by chance
    monkeypatch.setattr(while_running, "SNAPSHOT_EVERY", every)
    kept: dict[str, list[int]] = {}
    real = SqliteRoomLog.save_snapshot

    async def saved(log: SqliteRoomLog, epoch: int, snapshot: Snapshot) -> None:
        kept.setdefault(log._wal.name, []).append(snapshot.seq)
        await real(log, epoch, snapshot)

    monkeypatch.setattr(SqliteRoomLog, "save_snapshot", saved)
    async with mini_cluster(spares=6) as mini:
        for _ in range(6):
            _, people = await start_game(mini, options={"seconds": 3600, "lamps": 100})
            for _ in range(every + 2):
                for who in people:
                    await light(who)
    assert len(kept) == 6
    for seqs in kept.values():
        assert seqs[0] <= 2 * every
        assert {later - earlier for earlier, later in itertools.pairwise(seqs)} == {every}
    assert len({seqs[0] for seqs in kept.values()}) > 1
