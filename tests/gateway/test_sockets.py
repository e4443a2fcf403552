"""Sessions over real sockets, with a cluster in memory."""

from __future__ import annotations

import asyncio

import aiohttp
import msgspec
import pytest

from cluster.messages import Bye
from gateway.auth import Identity
from gateway.frames import FrameReader, close_frame, ping_frame, pong_frame
from gateway.metering import NoMetrics
from tests.gateway.harness import gateway, masked, text, until

FREE = {"messages_rate": 0.0, "bytes_rate": 0.0, "commands_rate": 0.0}  # for tests of something else than rates


class Slow:
    """An authenticator that takes its time."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.asked = 0

    async def identify(self, token: str) -> Identity | None:
        self.asked += 1
        await self.go.wait()
        return Identity(token, "느림보")


class Counting(NoMetrics):
    def __init__(self) -> None:
        self.handshakes: list[str] = []
        self.byes: list[str] = []
        self.refusals: list[str] = []
        self.drops = 0
        self.resumes: list[bool] = []
        self.kinds: list[str] = []
        self.out = 0

    def handshake(self, code: str) -> None:
        self.handshakes.append(code)

    def bye(self, code: str) -> None:
        self.byes.append(code)

    def refused(self, code: str) -> None:
        self.refusals.append(code)

    def outbox_dropped(self) -> None:
        self.drops += 1

    def resumed(self, missed: bool) -> None:
        self.resumes.append(missed)

    def message_in(self, kind: str) -> None:
        self.kinds.append(kind)

    def messages_out(self, count: int, size: int) -> None:
        self.out += count


# ---------------------------------------------------------------- playing


async def test_a_player_comes_acts_and_goes():
    counting = Counting()
    async with gateway(metrics=counting) as gw:
        room = await gw.room()
        anna = await gw.player(room, join="seat")
        await anna.act("a1", type="play")
        assert await anna.find("ack") == {"type": "ack", "id": "a1", "seq": 2}
        assert room.heard == [
            ("g_anna", "a1", {"type": "action", "id": "a1", "decision": 1, "action": {"type": "play"}})
        ]
        await anna.close()
        await until(lambda: room.went == ["g_anna"])
    assert counting.handshakes == ["ok"]
    assert counting.kinds == ["hello", "action"]
    assert counting.out == 3
    assert counting.byes == []


async def test_everyone_is_told():
    async with gateway() as gw:
        room = await gw.room()
        clients = [await gw.player(room, f"g_{i}") for i in range(4)]
        await clients[0].act("a1", type="play")
        for client in clients:
            assert (await client.find("update"))["events"] == [{"type": "said", "player": "g_0"}]


async def test_two_messages_in_one_tick_keep_their_order():
    """Also when they come in one piece together with the hello, before anybody knows who this is."""
    async with gateway() as gw:
        room = await gw.room()
        client = await gw.raw()
        hello = {"type": "hello", "token": gw.token(), "room": room.summary.id}
        acts = [{"type": "action", "id": f"a{i}", "decision": i, "action": {"type": "play"}} for i in range(8)]
        await client.send(b"".join(text(message) for message in (hello, *acts[:4])))
        await until(lambda: len(room.heard) == 4)
        await client.send(text(acts[4]) + text(acts[5]) + text(acts[6]) + text(acts[7]))
        await until(lambda: len(room.heard) == 8)
        assert [f"a{i}" for i in range(8)] == [id for _, id, _ in room.heard]
        client.close()


async def test_a_hello_that_comes_with_the_handshake_is_heard():
    async with gateway() as gw:
        room = await gw.room()
        reader, writer = await asyncio.open_connection(gw.host, gw.port)
        hello = {"type": "hello", "token": gw.token(), "room": room.summary.id}
        shake = (
            f"GET /ws HTTP/1.1\r\nHost: {gw.host}:{gw.port}\r\n"
            "Upgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        writer.write(shake.encode() + text(hello))
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in head  # RFC 6455, 1.3
        await until(lambda: room.came == ["g_anna"])
        writer.close()
        await writer.wait_closed()


async def test_the_same_id_five_times_is_one_message_and_five_equal_answers():
    async with gateway() as gw:
        room = await gw.room()
        anna = await gw.player(room)
        for _ in range(5):
            await anna.act("a1", type="play")
        answers = [await anna.find("ack") for _ in range(5)]
        assert answers == [{"type": "ack", "id": "a1", "seq": 2}] * 5
        assert len(room.heard) == 1


async def test_a_resumed_session_is_counted_as_one():
    counting = Counting()
    async with gateway(metrics=counting) as gw:
        room = await gw.room()
        await gw.player(room, seq=room.seq)
        await gw.player(room, "g_bob", seq=0)
        await gw.player(room, "g_eve")
    assert counting.resumes == [True, False]


async def test_the_rooms_pause_and_resume_are_told():
    async with gateway() as gw:
        room = await gw.room()
        anna = await gw.player(room)
        room.here[0].sink.paused("recovering")
        assert (await anna.next())["reason"] == "recovering"
        room.here[0].sink.resumed()
        assert await anna.next() == {"type": "resume"}


async def test_a_full_room_inbox_is_busy():
    async with gateway() as gw:
        room = await gw.room()
        anna = await gw.player(room)
        room.full = True
        await anna.act("a1", type="play")
        no = await anna.find("reject")
        assert (no["code"], no["retry"]) == ("busy", True)


# ---------------------------------------------------------------- coming and going


async def test_the_second_socket_of_a_player_takes_over():
    async with gateway() as gw:
        room = await gw.room()
        first = await gw.player(room, join="seat")
        second = await gw.player(room, join="seat")
        bye, code = await first.farewell()
        assert bye["code"] == "replaced"
        assert not bye.get("again", False)
        assert code == 1000
        await second.act("a1", type="play")
        assert await second.find("ack", id="a1")
        assert room.seats.count("g_anna") == 1
        assert room.went == []  # it was never away


@pytest.mark.parametrize("how", ["close", "abort"])
async def test_a_socket_that_dies_while_it_is_authenticated_joins_nothing(how: str):
    slow, counting = Slow(), Counting()
    async with gateway(authenticator=slow, metrics=counting) as gw:
        room = await gw.room()
        client = await gw.raw()
        await client.send(text({"type": "hello", "token": "g_x", "room": room.summary.id, "join": "seat"}))
        await until(lambda: slow.asked)
        if how == "close":
            await client.send(masked(8, b""))
        client.close()
        await until(lambda: len(gw.hub) == 0)
        slow.go.set()
        await asyncio.sleep(0.02)
        assert room.came == room.went == []
        assert room.seats == [None] * 4
    assert counting.handshakes == ["gone"]


async def test_a_race_for_the_last_seat_behind_slow_authentication():
    """However many come at once, the room sees each of them once, and the gateway makes up nobody."""
    slow = Slow()
    async with gateway(authenticator=slow) as gw:
        room = await gw.room(seats=2)
        clients = [await gw.client() for _ in range(6)]
        for i, client in enumerate(clients):
            await client.hello(f"g_{i}", room.summary.id, join="seat")
        await until(lambda: slow.asked == 6)
        assert room.came == []
        slow.go.set()
        welcomes = [await client.find("welcome") for client in clients]
        seats = [welcome["you"]["seat"] for welcome in welcomes]
        assert sorted(seat for seat in seats if seat is not None) == [0, 1]
        assert len(room.came) == 6


async def test_slow_work_does_not_delay_pongs():
    """Neither of this socket's own authentication, nor of somebody's request that hangs."""
    slow = Slow()
    async with gateway(authenticator=slow) as gw:
        room = await gw.room()
        gw.cluster.hold = asyncio.Event()
        hanging = asyncio.create_task(gw.post("/api/join", {"code": "CODE01"}))
        client = await gw.client(autoping=False)
        await client.hello("g_x", room.summary.id)
        await until(lambda: slow.asked)
        await client.say("ping", t=5)
        assert await client.next() == {"type": "pong", "t": 5.0}
        await client.ws.ping(b"there?")
        got = await client.ws.receive(timeout=10)
        assert (got.type, got.data) == (aiohttp.WSMsgType.PONG, b"there?")
        assert not hanging.done()
        slow.go.set()
        gw.cluster.hold.set()
        await hanging


async def test_the_gateway_pings_and_a_peer_that_is_silent_is_gone():
    async with gateway(ping_seconds=0.05) as gw:
        room = await gw.room()
        there = await gw.player(room, "g_there")  # aiohttp's client answers pings as it reads
        reading = asyncio.create_task(there.ws.receive())
        silent = await gw.raw()
        await silent.send(text({"type": "hello", "token": gw.token("g_silent"), "room": room.summary.id}))
        await until(lambda: room.went == ["g_silent"])
        assert ping_frame() in await silent.rest()
        assert not reading.done()
        reading.cancel()
        silent.close()


async def test_a_socket_without_a_hello_is_sent_away():
    async with gateway(hello_seconds=0.05) as gw:
        client = await gw.client()
        bye, code = await client.farewell()
        assert bye["code"] == "idle"
        assert code == 1008


async def test_authentication_without_end_has_one():
    async with gateway(hello_seconds=0.05, authenticator=Slow()) as gw:
        room = await gw.room()
        client = await gw.client()
        await client.hello("g_x", room.summary.id)
        bye, _ = await client.farewell()
        assert bye["code"] == "unavailable"
        assert bye["again"]
        assert room.came == []


async def test_an_authenticator_that_fails_ends_this_socket_alone():
    class Failing:
        async def identify(self, token: str) -> Identity | None:
            raise ConnectionError("the service is away")

    async with gateway(authenticator=Failing()) as gw:
        client = await gw.client()
        await client.hello("x", "r1")
        bye, code = await client.farewell()
        assert bye["code"] == "unavailable"
        assert code == 1013


async def test_a_bad_token_and_an_unknown_room():
    async with gateway() as gw:
        room = await gw.room()
        client = await gw.client()
        await client.hello("nonsense", room.summary.id)
        assert (await client.farewell())[0]["code"] == "bad_token"
        client = await gw.client()
        await client.hello(gw.token(), "elsewhere")
        assert (await client.farewell())[0]["code"] == "room_not_found"
        assert room.came == []


async def test_the_rooms_good_bye_closes_the_socket():
    async with gateway() as gw:
        room = await gw.room()
        anna = await gw.player(room)
        room.end(room.here[0], Bye("kicked", "방장이 내보냈어요"))
        bye, code = await anna.farewell()
        assert bye["code"] == "kicked"
        assert code == 1000
        assert room.went == []  # it ended from that side; nothing is to be taken back


# ---------------------------------------------------------------- too much, too big, too odd


@pytest.mark.parametrize("size", [16_385, 5 * 2**20])
async def test_a_message_over_the_limit_is_told_so_and_harms_nobody(size: int):
    counting = Counting()
    async with gateway(metrics=counting) as gw:
        room = await gw.room()
        anna, bob = await gw.player(room), await gw.player(room, "g_bob")
        await anna.ws.send_str("x" * size)
        bye, code = await anna.farewell()
        assert bye["code"] == "too_big"
        assert code == 1009
        await bob.act("b1", type="play")
        assert await bob.find("ack", id="b1")
        assert room.heard[0][0] == "g_bob"
    assert counting.byes[0] == "too_big"


async def test_a_message_of_just_the_limit_is_taken():
    async with gateway() as gw:
        room = await gw.room()
        anna = await gw.player(room)
        frame = msgspec.json.encode({"type": "action", "id": "a1", "decision": 1, "action": {"pad": ""}}).decode()
        frame = frame.replace('"pad":""', f'"pad":"{"x" * (16_384 - len(frame))}"')
        assert len(frame) == 16_384
        await anna.ws.send_str(frame)
        assert await anna.find("ack", id="a1")


async def test_a_declared_length_alone_is_enough_to_be_refused():
    async with gateway() as gw:
        client = await gw.raw()
        await client.send(bytes((0x81, 0xFF)) + (2**63 - 1).to_bytes(8, "big"))
        assert b'"too_big"' in await client.rest()
        client.close()


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"\x81\x02{}", 1002),  # not masked
        (masked(1, b"{}", rsv=0x40), 1002),
        (masked(0, b"x"), 1002),
        (masked(1, b"\xff\xfe"), 1007),
    ],
)
async def test_broken_frames_are_answered_with_their_code(sent: bytes, code: int):
    async with gateway() as gw:
        client = await gw.raw()
        await client.send(sent)
        rest = await client.rest()
        assert b'"bad_message"' in rest
        assert rest.endswith(close_frame(code, "bad_message"))
        client.close()


async def test_what_cannot_be_read_is_refused_and_the_session_goes_on():
    async with gateway() as gw:
        room = await gw.room()
        anna = await gw.player(room)
        await anna.ws.send_str("{")
        assert (await anna.next())["code"] == "bad_json"
        await anna.ws.send_bytes(b"{}")
        assert (await anna.next())["code"] == "not_text"
        await anna.say("action", id="a1", decision="one", action={})
        no = await anna.next()
        assert (no["type"], no["id"], no["code"]) == ("reject", "a1", "bad_message")
        await anna.act("a2", type="play")
        assert await anna.find("ack", id="a2")
        assert [id for _, id, _ in room.heard] == ["a2"]


async def test_a_flood_ends_in_a_good_bye_and_others_do_not_notice():
    async with gateway(messages_rate=1.0, messages_burst=10.0) as gw:
        room = await gw.room()
        flooding, bob = await gw.player(room), await gw.player(room, "g_bob")
        for i in range(200):
            await flooding.act(f"a{i}", type="play")
        bye, code = await flooding.farewell()
        assert bye["code"] == "flood"
        assert code == 1008
        await bob.act("b1", type="play")
        assert await bob.find("ack", id="b1")
        assert len([1 for player, _, _ in room.heard if player == "g_anna"]) < 20


async def test_a_flood_of_pings_is_a_flood():
    async with gateway(messages_rate=1.0, messages_burst=5.0) as gw:
        client = await gw.raw()
        await client.send(masked(9, b"") * 200)
        rest = await client.rest()
        assert rest.startswith(pong_frame(b""))
        assert b'"flood"' in rest
        client.close()


async def test_what_comes_after_the_good_bye_is_not_taken_for_messages(monkeypatch: pytest.MonkeyPatch):
    counting = Counting()
    async with gateway(metrics=counting, messages_rate=1.0, messages_burst=5.0) as gw:
        client = await gw.raw()
        looked: list[int] = []
        feed = FrameReader.feed
        monkeypatch.setattr(FrameReader, "feed", lambda reader, data: looked.append(len(data)) or feed(reader, data))
        for _ in range(40):
            await client.send(masked(9, b"") * 2_000)
        rest = await client.rest()
        assert counting.byes == ["flood"]
        assert rest.count(pong_frame(b"")) < 100  # as many as are allowed, and the strikes; of 80,000
        assert sum(looked) < 2 * 65_536 + 262_144
        client.close()


async def test_a_close_after_the_good_bye_ends_it_at_once():
    async with gateway(close_seconds=3600.0) as gw:
        client = await gw.raw()
        await client.send(text({"type": "hello", "token": "no", "room": "r"}) + masked(9, b"") * 10)
        got = b""
        while close_frame(1008, "bad_token") not in got:
            got += await asyncio.get_running_loop().sock_recv(client.sock, 65_536)
        await client.send(masked(9, b"") * 10 + masked(8, b"\x03\xe8"))
        assert await client.rest() == b""
        await until(lambda: len(gw.hub) == 0)
        client.close()


async def test_a_client_that_stops_reading_is_closed_and_nobody_else_slows():
    counting = Counting()
    async with gateway(metrics=counting, outbox_bytes=65_536, **FREE) as gw:
        room = await gw.room()
        deaf = await gw.raw()
        await deaf.send(text({"type": "hello", "token": gw.token("g_deaf"), "room": room.summary.id}))
        await until(lambda: room.came == ["g_deaf"])
        bob = await gw.player(room, "g_bob")
        told = 0
        while "g_deaf" not in room.went:
            room.tell([{"type": "news", "text": "x" * 20_000}])
            told += 1
            assert (await bob.next())["type"] == "update"  # at once, though the other reads nothing
            assert told < 2_000
        assert counting.drops == 1
        assert counting.byes == ["slow"]
        rest = await deaf.rest()
        assert len(rest) < 20_100 * told
        await bob.act("b1", type="play")
        assert await bob.find("ack", id="b1")
        deaf.close()


async def test_who_reads_again_in_time_gets_the_reason():
    async with gateway(outbox_bytes=65_536, **FREE) as gw:
        room = await gw.room()
        deaf = await gw.raw()
        await deaf.send(text({"type": "hello", "token": gw.token(), "room": room.summary.id}))
        await until(lambda: room.came)
        while room.here:
            room.tell([{"type": "news", "text": "x" * 20_000}])
            await asyncio.sleep(0)
        rest = await deaf.rest()
        assert b'"slow"' in rest
        assert rest.endswith(close_frame(1008, "slow"))
        deaf.close()


# ---------------------------------------------------------------- doors and the end


async def test_pages_of_other_hosts_may_not_connect():
    async with gateway(origins=("https://cards.example",)) as gw:
        for origin in ("https://evil.example", "null", f"http://{gw.host}:1"):
            with pytest.raises(aiohttp.WSServerHandshakeError) as no:
                await gw.client(origin=origin)
            assert no.value.status == 403
        for origin in (gw.url, "https://cards.example", None):
            await (await gw.client(origin=origin)).close()


async def test_sessions_are_capped_in_all_and_for_each_address():
    async with gateway(sessions_per_address=2) as gw:
        room = await gw.room()
        here = [await gw.player(room, f"g_{i}") for i in range(2)]
        bye, _ = await (await gw.client()).farewell()
        assert (bye["code"], bye["again"]) == ("flood", True)
        await here[0].close()
        await until(lambda: len(gw.hub) == 1)
        await gw.player(room, "g_3")
    async with gateway(sessions=1) as gw:
        first = await gw.client()
        bye, code = await (await gw.client()).farewell()
        assert bye["code"] == "overloaded"
        assert bye["after"] > 0
        assert code == 1013
        await first.close()


async def test_a_gateway_that_ends_says_good_bye_to_everyone():
    counting = Counting()
    async with gateway(metrics=counting) as gw:
        room = await gw.room()
        clients = [await gw.player(room, f"g_{i}") for i in range(3)]
        unknown = await gw.client()
        draining = asyncio.create_task(gw.hub.drain())
        for client in (*clients, unknown):
            bye, code = await client.farewell()
            assert (bye["code"], bye["again"]) == ("shutdown", True)
            assert 0 <= bye.get("after", 0) <= 2_000
            assert code == 1001
        await draining
        assert sorted(room.went) == ["g_0", "g_1", "g_2"]
        assert (await gw.call("GET", "/readyz")).status == 503
        bye, _ = await (await gw.client()).farewell()
        assert bye["code"] == "shutdown"
    assert counting.byes == ["shutdown"] * 5


async def test_a_client_that_does_not_close_is_cut_off():
    async with gateway(close_seconds=0.05) as gw:
        room = await gw.room()
        stubborn = await gw.raw()
        await stubborn.send(text({"type": "hello", "token": gw.token(), "room": room.summary.id}))
        await until(lambda: room.came)
        await gw.hub.drain()
        await until(lambda: len(gw.hub) == 0)
        assert b'"shutdown"' in await stubborn.rest()
        stubborn.close()


async def test_a_bug_on_one_socket_stays_there(monkeypatch: pytest.MonkeyPatch):
    async with gateway() as gw:
        room = await gw.room()
        anna, bob = await gw.player(room), await gw.player(room, "g_bob")
        attachment = next(one for one in room.here if one.player == "g_anna")
        monkeypatch.setattr(attachment, "send", lambda message, id: 1 // 0)
        await anna.act("a1", type="play")
        got = await anna.ws.receive(timeout=10)
        assert got.type in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR, aiohttp.WSMsgType.CLOSE)
        await bob.act("b1", type="play")
        assert await bob.find("ack", id="b1")


async def test_many_sessions_leave_nothing_behind():
    """Opened, played, closed in every way; the harness looks for what is left."""
    async with gateway(**FREE) as gw:
        room = await gw.room()
        for round in range(10):
            clients = [await gw.player(room, f"g_{round}_{i}") for i in range(10)]
            for client in clients:
                await client.act("a1", type="play")
            for i, client in enumerate(clients):
                if i % 2:
                    await client.close()
                else:
                    assert client.ws._response.connection is not None
                    client.ws._response.connection.transport.abort()
        await until(lambda: len(gw.hub) == 0)
        assert gw.hub.caps.open == 0
        assert len(room.went) == 100
