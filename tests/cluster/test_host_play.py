"""What people in a room live through: joins, takeovers, ids, order, goodbyes. A whole cluster in one loop."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import msgspec
import pytest

from cluster import link, link_io, process
from cluster.client import Refused
from cluster.connection import ClusterConnection
from cluster.link import Who
from cluster.link_io import BaseHandler
from cluster.running import PAST_LIMIT
from tests.cluster.mini import RED, SECRET, Client, light, mini_cluster, start_game, until

# ---------------------------------------------------------------- joining


@pytest.mark.parametrize("spectators", [True, False])
async def test_joins_that_race_for_the_last_seats_get_exactly_those_there_are(spectators: bool):
    async with mini_cluster() as mini:
        room = await mini.create(seats=3, spectators=spectators)
        clients = [Client(mini, room.id, f"p{n}") for n in range(9)]
        await until(lambda: all(client.bye or client.messages for client in clients))
        seats = {client: await client.welcome() for client in clients if client.bye is None}
        seated = [client for client, welcome in seats.items() if welcome["you"]["seat"] is not None]
        assert sorted(seats[client]["you"]["seat"] for client in seated) == [0, 1, 2]
        others = [client for client in clients if client not in seated]
        assert {client.bye and client.bye.code for client in others} == {None if spectators else "room_full"}
        assert (await mini.kinds(room.id)).count("seat") == 3


async def test_a_join_whose_socket_died_on_the_way_leaves_no_trace():
    """It was detached before the room heard of it: no seat, no entry."""
    async with mini_cluster() as mini:
        room = await mini.create(seats=2)
        gone = Client(mini, room.id, "gone")
        gone.attachment.detach()
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        assert [seat and seat["player"] for seat in anna.room["seats"]] == ["anna", None]
        assert gone.messages == []
        assert await mini.kinds(room.id) == ["created", "seat"]


async def test_a_second_session_takes_over_and_the_first_is_told():
    """Also over another gateway; the person keeps the seat and the game never hears of it."""
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        before = await mini.kinds(room)
        other = ClusterConnection(mini.directory.address, SECRET, "gw2")
        await other.start()
        for gateway in (mini.gateway, other):
            second = Client(mini, room, "anna", "watch", gateway=gateway)
            assert (await second.welcome())["you"]["seat"] == 0
            await until(lambda first=anna: first.bye)
            assert anna.bye.code == "replaced"
            assert not anna.bye.again
            anna = second
        assert (await light(anna))["type"] == "ack"
        assert (await mini.kinds(room))[: len(before)] == before
        assert "presence" not in await mini.kinds(room)
        assert not any(m["type"] == "presence" for m in bob.messages[-2:])
        await other.close()


async def test_a_takeover_is_not_undone_when_the_room_moves():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        second = Client(mini, room, "anna")
        await second.welcome()
        mini.kill_owner(room)
        await until(lambda: second.resumes and bob.resumes)
        assert (await light(second))["type"] == "ack"
        assert (second.bye, anna.bye.code) == (None, "replaced")


async def test_one_who_stood_up_is_not_seated_again_when_the_room_moves():
    """The wish for a seat was granted once; it is not made again by the gateway."""
    async with mini_cluster() as mini:
        room = await mini.create(seats=3)
        anna, bob = Client(mini, room.id, "anna"), Client(mini, room.id, "bob")
        await bob.welcome()
        await bob.do("stand")
        mini.kill_owner(room.id)
        await until(lambda: anna.resumes and bob.resumes)
        assert [seat and seat["player"] for seat in bob.room["seats"]] == ["anna", None, None]


async def test_nobody_watches_a_game_in_a_room_that_has_no_spectators():
    """Whoever waited without a seat is sent away when the game begins."""
    async with mini_cluster() as mini:
        room = await mini.create(seats=2, auto_start=True, spectators=False)
        anna, watcher = Client(mini, room.id, "anna"), Client(mini, room.id, "watcher", "watch")
        await watcher.welcome()
        bob = Client(mini, room.id, "bob")
        await until(lambda: anna.room.get("status") == "playing")
        await until(lambda: watcher.bye)
        assert watcher.bye.code == "not_public"
        assert "view" not in watcher.messages[-1]
        late = Client(mini, room.id, "late", "watch")
        await until(lambda: late.bye)
        assert late.bye.code == "not_public"
        assert (await light(anna))["type"] == "ack"
        assert bob.bye is None


# ---------------------------------------------------------------- ids and order


async def test_the_same_id_five_times_at_once_is_one_entry_and_five_answers():
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        decision, before = await anna.my_turn(), await mini.kinds(room)
        for _ in range(5):
            anna.say("action", id="x", decision=decision, action=RED)
        answers = [await anna.answer("x", count) for count in range(1, 6)]
        assert answers == [{"type": "ack", "id": "x", "seq": len(before) + 1}] * 5
        assert await mini.kinds(room) == [*before, "action"]


async def test_two_ids_for_one_turn_are_one_entry():
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        decision = await anna.my_turn()
        ids = [anna.say("action", decision=decision, action=RED) for _ in range(2)]
        answers = [await anna.answer(id) for id in ids]
        assert [answer["type"] for answer in answers] == ["ack", "reject"]
        assert answers[1]["code"] == "stale_decision"
        assert (await mini.kinds(room)).count("action") == 1


async def test_messages_of_one_tick_are_done_in_their_order():
    async with mini_cluster() as mini:
        room = await mini.create(seats=2)
        anna, bob = Client(mini, room.id, "anna"), Client(mini, room.id, "bob")
        await bob.welcome()
        ids = [bob.say("ready", ready=n % 2 == 0) for n in range(20)]
        await bob.answer(ids[-1])
        assert [entry.id for entry in await mini.log(room.id) if entry.id in ids] == ids
        assert [m["id"] for m in bob.messages if m.get("id") in ids] == ids
        assert anna.room["seats"][1]["ready"] is False


async def test_an_answer_comes_before_what_it_brought_about():
    async with mini_cluster() as mini:
        _, (anna, _) = await start_game(mini)
        answer = await light(anna)
        await until(lambda: anna.view["lamps"])
        told = next(m for m in anna.messages if m.get("seq") == answer["seq"] and m["type"] == "update")
        assert anna.messages.index(answer) < anna.messages.index(told)


async def test_more_unanswered_messages_than_the_limit_are_not_taken():
    """The gateway is told so, and refuses them as busy; nothing is kept without bound."""
    async with mini_cluster() as mini:
        room = await mini.create(seats=2)
        anna = Client(mini, room.id, "anna")
        message = msgspec.json.encode({"type": "ready", "id": "x"})
        taken = [anna.attachment.send(message, f"i{n}") for n in range(40)]
        assert taken == [True] * 32 + [False] * 8
        assert anna.attachment.send(message, "i0")


# ---------------------------------------------------------------- bugs of games


async def test_an_action_that_crashes_the_engine_is_refused_and_the_room_goes_on():
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        answer = await light(anna, action={"type": "crash"})
        assert (answer["type"], answer["code"]) == ("reject", "engine_error")
        assert (await light(anna))["type"] == "ack"
        anna.say("action", id=answer["id"], decision=0, action=RED)
        assert await anna.answer(answer["id"], 2) == answer
        assert (await mini.kinds(room)).count("action") == 1


async def test_a_game_that_cannot_be_dealt_does_not_take_the_room_down_with_it():
    """The last join would begin it: that join finds no seat, and everything else goes on."""
    async with mini_cluster() as mini:
        room = await mini.create(game="undealable", seats=2, auto_start=True)
        anna = Client(mini, room.id, "anna")
        await anna.welcome()
        process = mini.process_of(room.id)
        bob = Client(mini, room.id, "bob")
        assert (await bob.welcome())["you"]["seat"] is None
        assert (await bob.do("sit"))["code"] == "engine_error"
        assert (await anna.do("ready"))["type"] == "ack"
        assert mini.process_of(room.id) == process


async def test_an_attach_that_is_none_cuts_its_gateway_and_not_the_room():
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        process = mini.process_of(room)
        place = await mini.gateway.locate(room, 0)
        stranger = await link_io.dial(place["address"], SECRET, Who(kind="gateway", name="old"), BaseHandler())
        stranger.write(link.numbered(link.ATTACH, 1, b'{"room": 7}'))
        await until(lambda: not stranger.open)
        assert (await light(anna))["type"] == "ack"
        assert mini.process_of(room) == process


# ---------------------------------------------------------------- goodbyes


async def test_one_who_leaves_hears_the_answer_and_then_goodbye():
    async with mini_cluster() as mini:
        room = await mini.create(seats=3)
        anna, bob, cora = (
            Client(mini, room.id, p, j) for p, j in [("anna", "seat"), ("bob", "seat"), ("cora", "watch")]
        )
        await cora.welcome()
        for client in (bob, cora):
            assert (await client.do("leave"))["type"] == "ack"
            await until(lambda c=client: c.bye)
            assert client.bye.code == "left"
        await until(lambda: anna.room["seats"][1] is None)


async def test_a_leave_whose_answer_was_lost_still_ends_with_goodbye():
    """The room dies between the entry and the answer; the gateway attaches the person anew and sends it again."""
    async with mini_cluster() as mini:
        room = await mini.create(seats=3)
        anna, bob = Client(mini, room.id, "anna"), Client(mini, room.id, "bob")
        await bob.welcome()
        running = mini.running(room.id)
        real = running._log.append

        async def append(*args):
            await real(*args)
            mini.kill_owner(room.id)
            await asyncio.sleep(0)

        running._log.append = append
        id = bob.say("leave")
        assert (await bob.answer(id))["type"] == "ack"
        await until(lambda: bob.bye)
        assert bob.bye.code == "left"
        assert (await mini.kinds(room.id)).count("leave") == 1
        assert anna.bye is None


async def test_one_who_is_kicked_is_sent_away_and_stays_out():
    async with mini_cluster() as mini:
        room = await mini.create(seats=3)
        anna, bob = Client(mini, room.id, "anna"), Client(mini, room.id, "bob")
        await bob.welcome()
        await anna.do("kick", player="bob")
        await until(lambda: bob.bye)
        assert bob.bye.code == "kicked"
        again = Client(mini, room.id, "bob", "watch")
        await until(lambda: again.bye)
        assert again.bye.code == "banned"


async def test_a_closed_room_says_goodbye_to_all_takes_nobody_and_shows_its_game():
    async with mini_cluster() as mini:
        room, clients = await start_game(mini, options={"lamps": 1})
        anna, bob = clients
        await light(anna)
        await until(lambda: bob.room["status"] == "finished")
        await anna.do("close")
        await until(lambda: anna.bye and bob.bye)
        assert {anna.bye.code, bob.bye.code} == {"closed"}
        late = Client(mini, room, "late")
        await until(lambda: late.bye)
        assert late.bye.code == "closed"
        await until(lambda: room not in mini.records)
        assert (await mini.gateway.get(room)).status == "closed"
        shown = await mini.gateway.replay(room, 0, "bob")
        assert shown["result"] == {"winner": ["anna"]}
        assert shown["viewer"] == "bob"
        with pytest.raises(Refused, match="no_such_game"):
            await mini.gateway.replay(room, 1, "bob")
        assert (await mini.kinds(room))[-1] == "close"


async def test_a_finished_game_of_an_open_room_is_shown_by_its_own_process():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini, options={"lamps": 2})
        with pytest.raises(Refused, match="not_finished"):
            await mini.gateway.replay(room, 0, "anna")
        await light(anna)
        await light(bob)
        assert len((await mini.gateway.replay(room, 0, "anna"))["frames"]) == 3
        with pytest.raises(Refused, match="room_not_found"):
            await mini.gateway.replay("nowhere", 0, "anna")


@pytest.fixture
def go_on(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Whoever asks for a replay waits until this is set."""
    compute, go_on = process.PASTS["replay"], threading.Event()

    def slow(*args: Any) -> dict[str, Any]:
        assert go_on.wait(10)
        return compute(*args)

    monkeypatch.setitem(process.PASTS, "replay", slow)
    return go_on


async def test_while_the_past_is_computed_the_room_goes_on(go_on: threading.Event):
    """That of a long game takes as long as hundreds of turns."""
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini, options={"lamps": 2})
        await light(anna)
        await light(bob)
        past = asyncio.create_task(mini.gateway.replay(room, 0, "anna"))
        await until(lambda: mini.running(room)._replaying.locked())
        assert (await bob.do("ready", ready=True))["type"] == "ack"
        assert not past.done()
        go_on.set()
        assert len((await past)["frames"]) == 3


async def test_only_so_many_may_wait_for_the_past(go_on: threading.Event):
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini, options={"lamps": 2})
        await light(anna)
        await light(bob)
        pasts = [asyncio.create_task(mini.gateway.replay(room, 0, "anna")) for _ in range(PAST_LIMIT)]
        await until(lambda: mini.running(room)._past_asked == PAST_LIMIT)
        with pytest.raises(Refused, match="busy") as no:
            await mini.gateway.fairness(room, 0, "anna")
        assert no.value.retry
        go_on.set()
        assert all(len(past["frames"]) == 3 for past in await asyncio.gather(*pasts))
        assert len((await mini.gateway.replay(room, 0, "anna"))["frames"]) == 3


# ---------------------------------------------------------------- resuming


async def test_a_client_that_says_what_it_saw_last_is_told_what_it_missed():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        seen = bob.situation["seq"]
        bob.attachment.detach()
        for _ in range(2):
            answer = await light(anna)
            await until(lambda a=answer: anna.situation["seq"] >= a["seq"])
            if anna.view["turn"] == "bob":
                break
        again = Client(mini, room, "bob", "watch", seq=seen)
        welcome = await again.welcome()
        assert welcome["resumed"]
        assert [m["seq"] for m in welcome["missed"]] == list(range(seen + 1, welcome["seq"] + 1))
        assert [event["type"] for event in welcome["missed"][0]["events"]] == ["lit"]
        fresh = await Client(mini, room, "cora", "watch", seq=10_000).welcome()
        assert not fresh.get("resumed")
        assert fresh["view"]["lamps"] == ["anna"]


async def test_a_move_between_processes_costs_the_gateways_clients_no_event():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        await light(anna)
        mini.kill_owner(room)
        await until(lambda: anna.resumes and bob.resumes)
        await light(bob)
        await until(lambda: len(anna.view["lamps"]) == 2)
        told = [e for m in anna.messages if m["type"] == "update" for e in m.get("events", ())]
        told += [e for m in anna.messages for missed in m.get("missed", ()) for e in missed["events"]]
        assert [e["lamps"] for e in told if e["type"] == "lit"] == [1, 2]
