"""Too many, too idle, too late: what is turned away, with which word, and who goes on meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

import pytest

from cluster.messages import Bye
from gateway.door import TURNED_AWAY
from gateway.limits import Gate, Rate
from gateway.metering import TallyMetrics
from gateway.pressure import BEATS, LATE, Pressure
from gateway.refusals import REFUSALS
from ops.metrics import Tally
from tests.gateway.harness import gateway, until

ROOM = {"game": "ninety-nine"}


# ---------------------------------------------------------------- by person first


def test_who_does_too_much_uses_up_their_own_and_not_their_neighbours():
    """Forty phones behind one carrier's address: one of them asks without end, and the others do not notice."""
    gate = Gate(Rate(1, 5), Rate(10, 100))
    for _ in range(1_000):
        gate.take("greedy", "carrier", 0.0)
    assert gate.take("greedy", "carrier", 0.0) > 0
    assert all(gate.take(f"phone {number}", "carrier", 0.0) == 0.0 for number in range(40))


def test_nobody_counts_as_their_address():
    gate = Gate(Rate(1, 5), Rate(1, 10))
    assert [gate.take(None, "a", 0.0) == 0.0 for _ in range(12)] == [True] * 10 + [False] * 2
    assert gate.take(None, "b", 0.0) == 0.0


def test_to_look_takes_nothing():
    gate = Gate(Rate(1, 1), Rate(1, 10))
    assert gate.wait("a", "x", 0.0) == 0.0
    assert gate.take("a", "x", 0.0) == 0.0
    assert gate.wait("a", "x", 0.0) == 1.0
    assert gate.wait("a", "x", 0.5) == 0.5
    assert gate.wait("a", "x", 9.0) == 0.0


async def test_requests_count_by_their_person_and_then_by_their_address():
    async with gateway(reads_each_rate=0.1, reads_each_burst=3.0, reads_rate=0.1, reads_burst=8.0) as gw:

        async def reads(token: str, times: int) -> list[int]:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            return [(await gw.call("GET", "/api/rooms", headers=headers)).status for _ in range(times)]

        assert await reads(gw.token("g_greedy"), 20) == [200] * 3 + [429] * 17
        assert await reads(gw.token("g_other"), 3) == [200] * 3
        assert await reads("", 3) == [200, 200, 429]  # eight of the address in all
        assert await reads("not a token", 1) == [429]


async def test_one_person_has_so_many_sockets():
    async with gateway(sessions_each=2) as gw:
        rooms = [await gw.room() for _ in range(3)]
        first, second = [await gw.player(room) for room in rooms[:2]]
        third = await gw.client()
        await third.hello(gw.token(), rooms[2].summary.id)
        assert (await third.farewell())[0]["code"] == "flood"
        await gw.player(rooms[2], "g_bob")
        await first.close()
        await until(lambda: gw.hub.caps.open == 2)
        await gw.player(rooms[2])
        await second.close()


async def test_sockets_that_do_not_say_who_they_are_leave_room_for_those_who_do():
    async with gateway(strangers_per_address=3) as gw:
        room = await gw.room()
        silent = [await gw.raw() for _ in range(3)]
        bye, _ = await (await gw.client()).farewell()
        assert (bye["code"], bye["again"]) == ("flood", True)
        silent[0].close()
        await until(lambda: gw.hub.caps.open == 2)
        known = [await gw.player(room, f"g_{number}") for number in range(10)]  # once known they are no strangers
        assert len(room.here) == len(known)
        for client in silent[1:]:
            client.close()


async def test_joins_are_counted_by_person():
    async with gateway(joins_each_rate=0.01, joins_each_burst=3.0) as gw:
        room = await gw.room()
        for _ in range(3):
            await (await gw.player(room)).close()
        client = await gw.client()
        await client.hello(gw.token(), room.summary.id)
        bye, _ = await client.farewell()
        assert bye["code"] == "flood"
        assert bye["after"] > 1_000
        await gw.player(room, "g_bob")


async def test_wrong_passwords_are_counted_and_right_ones_are_not():
    async with gateway(keys_each_rate=0.01, keys_each_burst=3.0) as gw:
        room = await gw.room()
        room.key = "만두"

        async def comes(player: str, key: str) -> dict[str, Any]:
            client = await gw.client()
            await client.hello(gw.token(player), room.summary.id, key=key)
            said = await client.next()
            await client.close()
            return said

        for _ in range(5):
            assert (await comes("g_bob", "만두"))["type"] == "welcome"
        assert (await comes("g_eve", ""))["code"] == "locked"
        assert [(await comes("g_eve", "guess"))["code"] for _ in range(4)] == ["wrong_key"] * 4
        asked = len(room.came)
        said = await comes("g_eve", "만두")  # too many guesses: not even asked
        assert (said["code"], len(room.came)) == ("wrong_key", asked)
        assert (await comes("g_cora", "만두"))["type"] == "welcome"


async def test_what_is_no_move_may_be_said_less_often():
    """Each `ready` may be an entry of a log: somebody who says it without end fills no disk, and can still play."""
    async with gateway(commands_rate=0.01, commands_burst=5.0) as gw:
        room = await gw.room()
        anna = await gw.player(room)
        for number in range(8):
            await anna.say("ready", id=f"r{number}", ready=number % 2 == 0)
        await anna.act("a1", type="play")
        assert await anna.find("ack", id="a1")
        assert [id for _, id, _ in room.heard] == ["r0", "r1", "r2", "r3", "r4", "a1"]


async def test_finished_games_are_shown_only_so_often():
    async with gateway(replays_each_rate=0.01, replays_each_burst=2.0) as gw:
        path = f"/api/rooms/{(await gw.room()).summary.id}/replay?game=0"
        headers = {"Authorization": f"Bearer {gw.token()}"}
        assert [(await gw.call("GET", path, headers=headers)).status for _ in range(3)] == [200, 200, 429]
        other = {"Authorization": f"Bearer {gw.token('g_bob')}"}
        assert (await gw.call("GET", path, headers=other)).status == 200


# ---------------------------------------------------------------- too idle


async def test_a_session_that_does_nothing_for_long_gives_its_place_to_others():
    async with gateway(ping_seconds=0.05, idle_seconds=2.0) as gw:
        room = await gw.room()
        busy, idle = await gw.player(room, "g_busy"), await gw.player(room, "g_idle")

        async def act() -> None:
            for number in range(10_000):
                await busy.act(f"a{number}", type="play")
                await asyncio.sleep(0.02)

        acting = asyncio.create_task(act())
        bye, code = await idle.farewell()
        assert (bye["code"], code) == ("idle", 1008)
        assert not bye.get("again", False)
        assert room.went == ["g_idle"]
        acting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await acting


async def test_heartbeats_alone_are_not_doing_something():
    async with gateway(ping_seconds=0.02, idle_seconds=0.1) as gw:
        room = await gw.room()
        client = await gw.player(room)

        async def ping() -> None:
            with contextlib.suppress(ConnectionError):
                for number in range(10_000):
                    await client.say("ping", t=number)
                    await asyncio.sleep(0.01)

        pinging = asyncio.create_task(ping())
        assert (await client.find("bye"))["code"] == "idle"
        pinging.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await pinging


async def test_a_connection_that_never_finishes_its_request_is_closed():
    """Slow loris: headers byte by byte, for ever."""
    async with gateway(keepalive_seconds=0.3) as gw:
        reader, writer = await asyncio.open_connection(gw.host, gw.port)
        writer.write(b"GET /api/games HTTP/1.1\r\nHost: x\r\n")
        with contextlib.suppress(ConnectionError):
            for number in range(2_000):
                writer.write(b"X-%d: y\r\n" % number if number < 50 else b"Y")
                await writer.drain()
                await asyncio.sleep(0.01)
                if reader.at_eof():
                    break
            else:
                raise AssertionError("was never closed")
        writer.close()
        quiet, closing = await asyncio.open_connection(gw.host, gw.port)
        assert await quiet.read() == b""  # nor does one that says nothing stay
        closing.close()


# ---------------------------------------------------------------- too many at the door


async def test_connections_are_capped_before_they_say_a_word():
    async with gateway(connections=3, connections_per_address=3) as gw:
        held = [await asyncio.open_connection(gw.host, gw.port) for _ in range(3)]
        await until(lambda: gw.caps.open == 3)
        reader, writer = await asyncio.open_connection(gw.host, gw.port)
        assert await reader.read() == TURNED_AWAY
        writer.close()
        assert b"503" in TURNED_AWAY
        assert REFUSALS["overloaded"][1].encode() in TURNED_AWAY
        held[0][1].close()
        await until(lambda: gw.caps.open == 2)
        assert (await gw.call("GET", "/healthz")).status == 200
        for _, other in held:
            other.close()


async def test_behind_a_proxy_peers_are_not_clients():
    async with gateway(connections=100, connections_per_address=1, proxies=1) as gw:
        held = [await asyncio.open_connection(gw.host, gw.port) for _ in range(5)]
        assert (await gw.call("GET", "/healthz")).status == 200
        for _, other in held:
            other.close()


# ---------------------------------------------------------------- too late


def test_late_once_is_an_accident():
    pressure = Pressure(0.5)
    for _ in range(LATE - 1):
        pressure.beat(2.0)
        assert not pressure.overloaded
    pressure.beat(2.0)
    assert pressure.overloaded
    for _ in range(BEATS):
        pressure.beat(0.4)
    assert not pressure.overloaded


def test_without_a_limit_it_is_never_too_late():
    pressure = Pressure(0.0)
    for _ in range(BEATS):
        pressure.beat(60.0)
    assert not pressure.overloaded


async def test_an_overloaded_gateway_takes_nobody_new_and_keeps_those_who_play():
    async with gateway() as gw:
        room = await gw.room()
        anna = await gw.player(room)
        gw.hub.pressure = _Strained()
        for method, path, body in (
            ("POST", "/api/guest", {"name": "a"}),
            ("POST", "/api/rooms", ROOM),
            ("POST", "/api/quick", ROOM),
            ("POST", "/api/join", {"code": room.summary.code}),
            ("GET", "/api/rooms", None),
        ):
            headers = {"Authorization": f"Bearer {gw.token()}"}
            answer = await gw.call(method, path, json=body, headers=headers)
            assert (answer.status, answer.json["code"]) == (503, "overloaded"), path
            assert 1 <= int(answer.headers["Retry-After"]) <= 10
            assert answer.json["message"] == REFUSALS["overloaded"][1]
        assert len(gw.cluster.rooms) == 1
        newcomer = await gw.client()
        await newcomer.hello(gw.token("g_new"), room.summary.id)
        bye, code = await newcomer.farewell()
        assert (bye["code"], bye["again"], code) == ("overloaded", True, 1013)
        assert 2_000 <= bye["after"] <= 10_000
        pretender = await gw.client()
        await pretender.hello(gw.token("g_new"), room.summary.id, seq=0)  # there is no entry 0 to have heard of
        assert (await pretender.farewell())[0]["code"] == "overloaded"
        await anna.act("a1", type="play")
        assert await anna.find("ack", id="a1")
        await gw.player(room, "g_back", seq=room.seq)  # who was here comes back
        for path in ("/healthz", "/readyz", "/metrics"):
            assert (await gw.call("GET", path)).status == 200


class _Strained(Pressure):
    def __init__(self) -> None:
        super().__init__(0.1)

    @property
    def overloaded(self) -> bool:
        return True


async def test_the_last_places_are_for_those_who_come_back():
    async with gateway(sessions=10) as gw:
        room = await gw.room()
        here = [await gw.player(room, f"g_{number}") for number in range(9)]
        newcomer = await gw.client()
        await newcomer.hello(gw.token("g_new"), room.summary.id)
        assert (await newcomer.farewell())[0]["code"] == "overloaded"
        assert (await gw.post("/api/rooms", ROOM, gw.token())).status == 201  # nine are not nearly full
        await newcomer.close()
        await until(lambda: gw.hub.caps.open == 9)
        here.append(await gw.player(room, "g_back", seq=1))
        no = await gw.post("/api/rooms", ROOM, gw.token())
        assert (no.status, no.json["code"]) == (503, "overloaded")


async def test_a_late_loop_is_noticed_and_counted():
    """The heartbeat itself: a loop that is held up is overloaded, and recovers."""
    tally = Tally("gateway")
    async with gateway(lag_seconds=0.2, metrics=TallyMetrics(tally)) as gw:

        async def hold_up() -> None:
            while True:
                time.sleep(0.3)  # noqa: ASYNC251  # on purpose
                await asyncio.sleep(0)

        holding = asyncio.create_task(hold_up())
        await until(lambda: gw.hub.pressure.overloaded)
        holding.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await holding
        assert b"hanpan_gateway_overloaded 1" in tally.exposition()
        await until(lambda: not gw.hub.pressure.overloaded)


@pytest.mark.parametrize("code", ["locked", "wrong_key", "crowded", "overloaded", "idle"])
def test_every_new_good_bye_can_be_said(code: Any):
    assert Bye(code, "…").code == code
