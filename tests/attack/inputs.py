"""What attacks begin with: for each target, well-formed things to be broken; and how they are broken."""

from __future__ import annotations

import struct
from random import Random
from typing import Any

import msgspec

from cluster import link
from cluster.link import Handshake, Who
from gateway.auth import Guests
from tests.attack.targets import SECRET
from tests.gateway.harness import masked

_json = msgspec.json.encode

TEXTS: list[Any] = [
    {"type": "hello", "token": "eyJh.eyJz.c2ln", "room": "r1", "join": "seat", "seq": 7, "key": "만두"},
    {"type": "action", "id": "a.1", "decision": 4, "action": {"type": "play", "cardId": "03-01", "jokerValue": 61}},
    {"type": "action", "id": "a.2", "decision": 0, "action": {"type": "bid", "cardIds": ["9C", "KH", "2D"]}},
    {"type": "action", "id": "a.3", "decision": 4, "action": {"type": "raise", "amount": 10**15}},
    {"type": "action", "id": "a.4", "decision": 4, "action": {"a": [[[[[[[[{}]]]]]]]]}},
    {"type": "sit", "id": "s", "seat": 2},
    {"type": "stand", "id": "s"},
    {"type": "ready", "id": "s", "ready": False},
    {"type": "start", "id": "s"},
    {"type": "options", "id": "s", "options": {"handSize": 5, "turnSeconds": 15}},
    {"type": "room", "id": "s", "public": True, "seats": 4, "password": "x"},
    {"type": "addBot", "id": "s", "seat": 1},
    {"type": "kick", "id": "s", "player": "bot-1"},
    {"type": "host", "id": "s", "player": "bot-1"},
    {"type": "leave", "id": "s"},
    {"type": "close", "id": "s"},
    {"type": "ping", "t": 1.5},
]
BODIES = (
    b'{"name":"\xec\x95\x88\xeb\x82\x98"}',
    b'{"game":"bang","options":{},"public":true,"seats":4,"bots":1,"autoStart":true,"spectators":false,"password":"x"}',
    b'{"code":"abc-234"}',
    b'{"game":"seotda"}',
)
PATHS = (
    b"/api/guest", b"/api/account", b"/api/rooms", b"/api/quick", b"/api/join", b"/api/games", b"/api/openapi.json",
    b"/api/rooms/room1", b"/api/rooms/room1/replay?game=0", b"/api/admin/rooms", b"/metrics", b"/ws", b"/", b"/r/ABC",
    b"/../config.py", b"/%2e%2e/%2e%2e/etc/passwd", b"/net/..%2f..%2fconfig.py", b"//main.js", b"/main.js%00.css",
)  # fmt: skip
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
)
ODD = (
    b"\x00", b"\xff", b"\r\n", b'"', b"\\", b"{", b"[", b"\xed\xa0\x80", b"\xf0\x9f\x99\x82", b"\xe2\x80\xae", b"null",
    b"-1", b"1e999", b"9" * 40, b"NaN", b"\\u0000", b"\\ud800", b"%00", b"../", b"<img src=x onerror=alert(1)>",
    b"\x1b[2J", b"${jndi:ldap://x}", b"' OR 1=1 --", b"A" * 5_000, b"[" * 500, b'{"a":' * 200,
)  # fmt: skip


def request(method: bytes, path: bytes, body: bytes = b"", more: bytes = b"") -> bytes:
    return b"%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\n%sContent-Length: %d\r\n\r\n%s" % (
        method,
        path,
        more,
        len(body),
        body,
    )


def seeds(target: str) -> list[bytes]:
    """Well-formed attacks on this target."""
    texts = [_json(text) for text in TEXTS]
    match target:
        case "messages":
            return texts
        case "sockets":
            whole = [masked(1, text) for text in texts]
            parts = [masked(1, text[:9], fin=False) + masked(9, b"p") + masked(0, text[9:]) for text in texts[:4]]
            odd = [masked(8, b"\x03\xe8bye"), masked(2, b"x"), masked(10, b""), masked(1, b"", rsv=0x40)]
            return [first + frame for first in (b"\x00", b"\x01", b"\xa1") for frame in (*whole, *parts, *odd)]
        case "requests":
            asked = [request(b"GET", path) for path in PATHS]
            told = [request(b"POST", path, body) for path in PATHS[:5] for body in BODIES]
            odd = [
                UPGRADE + masked(1, texts[0]),
                request(b"POST", PATHS[2], BODIES[1], b"Idempotency-Key: k1\r\nX-Forwarded-For: 1.2.3.4, ::1\r\n"),
                request(b"POST", PATHS[0], BODIES[0], b"Content-Encoding: gzip\r\n"),
                request(b"POST", PATHS[0], b"4\r\nabcd\r\n0\r\n\r\n", b"Transfer-Encoding: chunked\r\n"),
                b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 200,
                asked[0] * 20,
            ]
            return asked + told + odd
        case "bodies":
            return [bytes([number]) + body for number in range(6) for body in (*BODIES, b"", b"{}", b"[]")]
        case "strangers" | "insiders":
            me = Who(kind="gateway", name="gw")
            frames = [Handshake("dial", SECRET, me, bytes(16)).opening(), link.frame(link.PROOF, bytes(32))]
            for what in (
                {"type": "create", "wish": {"game": "bang", "creator": "g", "key": "k"}},
                {"type": "quick", "game": "bang", "player": "g"},
                {"type": "find", "code": "ABC234"},
                {"type": "get", "room": "r1"},
                {"type": "list", "game": None, "limit": 5},
                {"type": "locate", "room": "r1", "notEpoch": 0, "reading": False},
                {"type": "release", "room": "r1", "epoch": 1, "state": "closed", "summary": {}},
                {"type": "replay", "room": "r1", "game": 0, "viewer": None},
                {"type": "admin", "what": "rooms", "args": {}},
                {"type": "admin", "what": "close", "args": {"room": "r1"}},
                {"type": "own", "order": {}},
            ):
                frames.append(link.numbered(link.REQUEST, 7, _json(what)))
            for notice in (
                {"type": "node", "node": "n", "rooms": [], "settled": True},
                {"type": "status", "spares": 3},
                {"type": "died", "room": "r1", "epoch": 1, "seq": 2, "why": "x", "reason": "died"},
                {"type": "running", "room": "r1", "epoch": 1},
                {"type": "summary", "room": "r1", "epoch": 1, "seq": 2, "summary": {}},
                {"type": "ready", "ready": True},
            ):
                frames.append(link.frame(link.NOTIFY, _json(notice)))
            attach = {"room": "r1", "player": "g", "name": "a", "join": "seat"}
            frames += [
                link.numbered(link.REPLY, 1, b'{"ok":1}'),
                link.numbered(link.PING, 3),
                link.numbered(link.PONG, 3),
                link.frame(link.TALLY, msgspec.msgpack.encode([[], [], []])),
                link.numbered(link.ATTACH, 1, _json(attach)),
                link.numbered(link.SAY, 1, texts[1]),
                link.numbered(link.DETACH, 1),
                link.tell(3, (1, 2), texts[0]),
                link.answer(1, "a1", b"{}"),
                link.numbered(link.END, 1, b'{"type":"bye","code":"closed","message":"x"}'),
                link.numbered(link.MOVED, 1),
                struct.pack(">IB", 2**31, link.SAY),
                struct.pack(">I", 0),
            ]
            return [*frames, b"".join(frames[2:8])]
        case "texts":
            token = Guests(["o" * 32]).issue("안나").token.encode()
            return [
                token,
                b"eyJhbGciOiJub25lIn0.e30.",
                "안나 🙂".encode(),
                b"1.2.3.4, ::1%eth0, x",
                b'{"a":[1,2.5,"x"]}',
            ]
        case _:
            raise KeyError(target)


def mutated(data: bytes, rng: Random, others: list[bytes]) -> bytes:
    """Broken in one to six places, as fuzzers do."""
    for _ in range(rng.randint(1, 6)):
        at = rng.randint(0, len(data))
        to = min(len(data), at + rng.randint(1, 8))
        match rng.randrange(9):
            case 0:
                data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
            case 1 if data:
                at = min(at, len(data) - 1)
                data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
            case 2:
                data = data[:at] + data[to:]
            case 3:
                data = data[:at] + rng.choice(ODD) + data[at:]
            case 4:
                data = data[:at] + data[at:to] * rng.randint(2, 9) + data[to:]
            case 5:
                other = rng.choice(others)
                cut = rng.randint(0, len(other))
                data = data[:at] + other[cut:]
            case 6:
                data = data[:at]
            case 7:
                data = data[:at] + rng.randbytes(rng.randint(1, 16)) + data[at:]
            case _:
                data = data + rng.choice(others)
    return data[:100_000]
