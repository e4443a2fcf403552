"""The link on real sockets: requests and their limits, peers that do not read, peers that are strangers."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import time
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from cluster import link, link_io
from cluster.link import Refusal, Who
from cluster.link_io import BaseHandler, LinkLost, Peer, RequestRefused, dial, listen
from tests.cluster.mini import until

SECRET = b"s" * 32
ME, YOU = Who(kind="gateway", name="g"), Who(kind="room", name="r")


class Recorder(BaseHandler):
    """Writes down what happens, and answers requests."""

    def __init__(self) -> None:
        self.happened: list[tuple[Any, ...]] = []
        self.peers: list[Peer] = []
        self.hold = asyncio.Event()

    def opened(self, peer: Peer) -> None:
        self.happened.append(("opened", peer.who and peer.who.name))
        self.peers.append(peer)

    def received(self, peer: Peer, kind: int, body: bytes) -> None:
        if kind < link.ATTACH:
            super().received(peer, kind, body)
        self.happened.append((kind, body))

    def flushed(self, peer: Peer) -> None:
        self.happened.append(("flushed",))

    def noticed(self, peer: Peer, notice: dict[str, Any]) -> None:
        self.happened.append(("notice", notice))

    def closed(self, peer: Peer, why: str) -> None:
        self.happened.append(("closed", why))

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        match request["type"]:
            case "echo":
                return request
            case "hold":
                await self.hold.wait()
                return "held"
            case "refuse":
                raise RequestRefused(Refusal("no", "not today", retry=True))
            case "lost":
                raise LinkLost("the one behind us is gone")
            case "large":
                return "x" * (2 * link.FRAME_LIMIT)
            case "strange":
                return object()
            case "crash":
                raise ZeroDivisionError("a bug")
            case _:
                return await super().asked(peer, request)


@contextlib.asynccontextmanager
async def serving(address: str = "127.0.0.1:0", secret: bytes = SECRET) -> AsyncIterator[tuple[Recorder, str]]:
    """A listening end; its handler and address."""
    handler = Recorder()
    server, where = await listen(address, secret, YOU, lambda: handler)
    try:
        yield handler, where
    finally:
        server.close()
        for peer in handler.peers:
            peer.abort("the test is over")


@contextlib.asynccontextmanager
async def linked(address: str = "127.0.0.1:0") -> AsyncIterator[tuple[Peer, Recorder, Recorder]]:
    """A proven link: the dialled end, its handler, and the handler of the other end."""
    async with serving(address) as (theirs, where):
        mine = Recorder()
        peer = await dial(where, SECRET, ME, mine)
        await until(lambda: theirs.peers)
        try:
            yield peer, mine, theirs
        finally:
            peer.abort("the test is over")


@contextlib.contextmanager
def faults() -> Any:
    """What the loop's exception handler hears meanwhile: bugs that would otherwise only be printed."""
    loop, heard = asyncio.get_running_loop(), []
    loop.set_exception_handler(lambda _, context: heard.append(context))
    try:
        yield heard
    finally:
        loop.set_exception_handler(None)


# ---------------------------------------------------------------- requests


@pytest.mark.parametrize("kind", ["tcp", "unix"])
async def test_a_request_is_answered_over_either_kind_of_socket(kind: str, tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("s") / "s"
    async with linked("127.0.0.1:0" if kind == "tcp" else f"unix:{path}") as (peer, _, theirs):
        assert await peer.ask({"type": "echo", "이름": [1, None]}, 5) == {"type": "echo", "이름": [1, None]}
        assert theirs.peers[0].who == ME
        assert peer.who == YOU
        await peer.ping(5)
        if kind == "unix":
            assert os.stat(path).st_mode & 0o777 == 0o600


async def test_requests_are_answered_each_its_own_in_any_order_and_from_both_ends():
    async with linked() as (peer, mine, theirs):
        held = asyncio.create_task(peer.ask({"type": "hold"}, 5))
        back = asyncio.create_task(theirs.peers[0].ask({"type": "hold"}, 5))
        assert await peer.ask({"type": "echo"}, 5) == {"type": "echo"}
        theirs.hold.set()
        mine.hold.set()
        assert await held == await back == "held"


async def test_a_refusal_keeps_its_code_a_lost_link_is_unavailable_and_a_bug_internal(
    capsys: pytest.CaptureFixture[str],
):
    async with linked() as (peer, _, _):
        with pytest.raises(RequestRefused) as refused:
            await peer.ask({"type": "refuse"}, 5)
        assert refused.value.refusal == Refusal("no", "not today", retry=True)
        with pytest.raises(RequestRefused) as unknown:
            await peer.ask({"type": "?"}, 5)
        assert unknown.value.refusal.code == "unknown_request"
        with pytest.raises(RequestRefused) as lost:
            await peer.ask({"type": "lost"}, 5)
        assert (lost.value.refusal.code, lost.value.refusal.retry) == ("unavailable", True)
        with faults() as heard, pytest.raises(RequestRefused) as bug:
            await peer.ask({"type": "crash"}, 5)
        assert bug.value.refusal.code == "internal"
        assert heard == []
        said = capsys.readouterr().out
        assert "ZeroDivisionError at" in said
        assert "a bug" not in said
        for no in (lost, bug):  # what a fault says of itself is for logs: a refusal may go as far as a player
            assert no.value.refusal.message in (link_io.AWAY, link_io.BUG)
        assert peer.open


async def test_what_is_too_large_to_be_sent_is_refused_and_the_link_goes_on():
    """It would be taken for a peer that does not read."""
    async with linked() as (peer, _, theirs):
        held = asyncio.create_task(peer.ask({"type": "hold"}, 5))
        with pytest.raises(RequestRefused) as answer:
            await peer.ask({"type": "large"}, 5)
        with pytest.raises(RequestRefused) as question:
            await peer.ask({"type": "echo", "text": "x" * (2 * link.FRAME_LIMIT)}, 5)
        for no in (answer, question):
            assert (no.value.refusal.code, no.value.refusal.retry) == ("too_large", False)
        large = {"type": "echo", "text": "x" * (link_io.MESSAGE_LIMIT - 100)}
        assert await peer.ask(large, 5) == large
        theirs.hold.set()
        assert await held == "held"


async def test_an_answer_that_cannot_be_written_down_is_a_bug_and_nobody_waits_for_it(
    capsys: pytest.CaptureFixture[str],
):
    async with linked() as (peer, _, _):
        with faults() as heard, pytest.raises(RequestRefused) as no:
            await peer.ask({"type": "strange"}, 5)
        assert no.value.refusal == Refusal("internal", link_io.BUG)
        assert heard == []
        assert "link_request_failed" in capsys.readouterr().out


async def test_a_late_answer_is_dropped_and_the_link_goes_on():
    async with linked() as (peer, _, theirs):
        with pytest.raises(TimeoutError):
            await peer.ask({"type": "hold"}, 0.01)
        assert peer._waiting == {}
        theirs.hold.set()
        assert await peer.ask({"type": "echo"}, 5) == {"type": "echo"}


async def test_one_who_was_asleep_takes_nobody_else_for_dead(monkeypatch: pytest.MonkeyPatch):
    """Time is up when it wakes, and the answer lies there unread."""
    monkeypatch.setattr(link_io, "AWAKE_SECONDS", 5.0)
    async with linked() as (peer, _, theirs):
        hearing = asyncio.create_task(link_io.hear(peer, 0.05))
        await asyncio.sleep(0)
        time.sleep(0.1)  # noqa: ASYNC251  # that is the point
        await hearing
        theirs.peers[0]._transport.pause_reading()
        monkeypatch.setattr(link_io, "AWAKE_SECONDS", 0.05)
        with pytest.raises(TimeoutError):
            await link_io.hear(peer, 0.05)


async def test_a_request_under_way_when_the_stream_ends_is_lost_and_says_so():
    async with linked() as (peer, mine, theirs):
        asking = asyncio.create_task(peer.ask({"type": "hold"}, 5))
        pinging = asyncio.create_task(peer.ping(5))
        await until(lambda: theirs.peers[0]._answering)
        theirs.peers[0].abort("dead")
        with pytest.raises(LinkLost):
            await asking
        with contextlib.suppress(LinkLost):
            await pinging
        with pytest.raises(LinkLost):
            await peer.ask({"type": "echo"}, 5)
        assert [what for what, *_ in mine.happened].count("closed") == 1
        assert not peer.open
        peer.write(b"into the void")
        theirs.hold.set()


# ---------------------------------------------------------------- frames


async def test_frames_arrive_in_order_and_flushed_tells_where_a_piece_ends():
    async with linked() as (peer, _, theirs):
        theirs.happened.clear()
        peer.write(b"".join(link.numbered(link.SAY, n) for n in range(3)))
        peer.notify({"type": "x"})
        await until(lambda: len(theirs.happened) >= 5)
        says = [(link.SAY, n.to_bytes(4, "big")) for n in range(3)]
        assert [what for what in theirs.happened if what != ("flushed",)] == [*says, ("notice", {"type": "x"})]
        assert theirs.happened[-1] == ("flushed",)


@pytest.mark.parametrize(
    "bytes_",
    [
        b"\xff\xff\xff\xff",
        b"\0\0\0\0",
        link.frame(link.NOTIFY, b"not json"),
        link.frame(link.PING, b"1"),
        link.frame(link.NOTIFY, b"[]"),
        link.frame(link.REQUEST, b""),
        link.numbered(link.REQUEST, 1, b"[1]"),
        link.frame(99),
        link.numbered(link.REPLY, 1, b"{"),
    ],
)
async def test_a_peer_that_breaks_the_protocol_is_cut(bytes_: bytes):
    """At once, without a word on the console, and whoever waits for its answer hears of it."""
    async with linked() as (peer, _, theirs):
        asking = asyncio.create_task(theirs.peers[0].ask({"type": "hold"}, 60))  # number 1, for the reply
        await until(lambda: theirs.peers[0]._waiting)
        with faults() as heard:
            if bytes_[4:5] == bytes((99,)):
                theirs.received = lambda *what: BaseHandler.received(theirs, *what)  # type: ignore[method-assign]
            peer.write(bytes_)
            with pytest.raises(LinkLost):
                await asking
            await until(lambda: not peer.open)
        assert heard == []
        assert [what for what, *_ in theirs.happened].count("closed") == 1


async def test_a_peer_that_does_not_read_is_cut_at_the_limit_and_nobody_waits():
    async with linked() as (peer, mine, theirs):
        theirs.peers[0]._transport.pause_reading()  # type: ignore[union-attr]
        peer._outbox = 256 * 1024
        piece = link.frame(link.SAY, b"x" * 65_536)
        for _ in range(1000):
            peer.write(piece)
            if not peer.open:
                break
        assert not peer.open
        await until(lambda: ("closed", "the peer does not read") in mine.happened)


async def test_a_frame_larger_than_any_socket_buffer_arrives_whole():
    async with linked() as (peer, _, theirs):
        body = os.urandom(3_000_000)
        peer.write(link.numbered(link.SAY, 1, body))
        await until(lambda: any(what[0] == link.SAY for what in theirs.happened))
        assert next(what[1] for what in theirs.happened if what[0] == link.SAY)[4:] == body


# ---------------------------------------------------------------- strangers


async def test_whoever_does_not_know_the_secret_gets_no_link_and_opens_nothing():
    async with serving() as (theirs, where):
        with pytest.raises(LinkLost):
            await dial(where, b"wrong" * 8, ME, Recorder())
        assert theirs.happened == []


async def test_a_stranger_who_sends_too_much_or_garbage_is_cut_before_the_proof():
    async with serving() as (theirs, where):
        host, port = where.split(":")
        for garbage in (
            (link.HELLO_LIMIT + 1).to_bytes(4, "big"),
            b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            link.numbered(link.REQUEST, 1, b'{"type":"echo"}'),
        ):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(garbage)
            [(kind, _)] = link.Frames().feed(await reader.read())  # to its end: they hang up
            assert kind == link.HELLO
            writer.close()
        assert theirs.happened == []


async def test_a_stranger_who_says_nothing_is_cut_in_time(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(link_io, "HANDSHAKE_SECONDS", 0.02)
    async with serving() as (theirs, where):
        host, port = where.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        await reader.read()
        writer.close()
        assert theirs.happened == []


async def test_dialling_whoever_never_answers_ends_in_time_and_leaves_no_socket():
    silent = socket.create_server(("127.0.0.1", 0))
    try:
        files = len(os.listdir("/proc/self/fd"))
        with pytest.raises(TimeoutError):
            await dial(f"127.0.0.1:{silent.getsockname()[1]}", SECRET, ME, Recorder(), seconds=0.02)
        await until(lambda: len(os.listdir("/proc/self/fd")) == files)
    finally:
        silent.close()


async def test_a_dial_that_was_given_up_while_the_proof_was_on_its_way_opens_nothing():
    async with serving() as (theirs, where):
        mine = Recorder()
        loop = asyncio.get_running_loop()
        host, _, port = where.rpartition(":")
        with faults() as heard:
            _, peer = await loop.create_connection(lambda: Peer("dial", SECRET, ME, mine), host, int(port))
            peer.ready.cancel()
            await until(lambda: not peer.open)
            await until(lambda: not theirs.peers or not theirs.peers[0].open)
        assert heard == []
        assert mine.happened == []


async def test_a_frame_that_a_handler_cannot_take_costs_its_stream_and_nothing_else(capsys: pytest.CaptureFixture[str]):
    """Also where what is wrong with it is none of the link's own business."""
    async with serving() as (theirs, where):

        def choke(peer: Peer, notice: dict[str, Any]) -> None:
            raise KeyError("what the notice should have had, and perhaps a secret")

        theirs.noticed = choke  # type: ignore[method-assign]
        with faults() as heard:
            mine = Recorder()
            peer = await dial(where, SECRET, ME, mine)
            other = await dial(where, SECRET, ME, Recorder())
            peer.notify({"type": "nonsense"})
            await until(lambda: not peer.open)
            assert other.open
            await other.ping(5)
            other.abort("the test is over")
        assert heard == []
    said = capsys.readouterr().out
    assert "link_failed" in said
    assert "perhaps a secret" not in said


async def test_a_reflecting_proxy_is_refused():
    """Whoever sends our own frames back to us is not believed."""

    async def mirror(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(4096):
            writer.write(data)
        writer.close()

    server = await asyncio.start_server(mirror, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(LinkLost, match="nonce"):
        await dial(f"127.0.0.1:{port}", SECRET, ME, Recorder())
    server.close()


async def test_what_follows_the_proof_in_the_same_piece_is_not_lost():
    async with serving() as (theirs, where):
        host, port = where.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        shake = link.Handshake("dial", SECRET, ME, b"n" * 16)
        writer.write(shake.opening())
        frames, got = link.Frames(), []
        while len(got) < 2:
            got += list(frames.feed(await reader.read(4096)))
        proof = shake.receive(*got[0])
        assert shake.receive(*got[1]) == b""
        big = msgspec.json.encode({"type": "big", "text": "x" * link.HELLO_LIMIT})
        writer.write(proof + link.frame(link.NOTIFY, big))
        await until(lambda: any(what[0] == "notice" for what in theirs.happened))
        writer.close()


def _taken_before_a_free_one(held: contextlib.ExitStack) -> int:
    """A port that somebody listens on, while nobody has the one after it."""
    while True:
        probe = held.enter_context(socket.socket())
        probe.bind(("127.0.0.1", 0))
        probe.listen()
        taken = int(probe.getsockname()[1])
        with contextlib.suppress(OSError), socket.socket() as next_one:
            next_one.bind(("127.0.0.1", taken + 1))
            return taken


async def test_a_range_of_ports_is_used_up_and_then_refused():
    """So that a firewall can name them: whoever listens takes one of these, or none."""
    with contextlib.ExitStack() as held:
        taken = _taken_before_a_free_one(held)
        where = f"127.0.0.1:{taken}-{taken + 1}"
        server, address = await listen(where, SECRET, YOU, Recorder)
        try:
            assert address == f"127.0.0.1:{taken + 1}"
            peer = await dial(address, SECRET, ME, Recorder())
            peer.close()
            with pytest.raises(OSError, match=f"no port of 127.0.0.1 from {taken} to {taken + 1} is free"):
                await listen(where, SECRET, YOU, Recorder)
        finally:
            server.close()


async def test_an_address_that_is_not_ours_is_refused_whatever_the_ports():
    with pytest.raises(OSError, match=r"192\.0\.2\.1|assign"):
        await listen("198.51.100.1:20000-29999", SECRET, YOU, Recorder)
