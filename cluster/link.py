"""The link: one authenticated byte stream between two processes of a cluster, as frames. No I/O here.

A frame is a 4-byte length (of all that follows), a 1-byte kind, and a body; numbers are big-endian.

    HELLO     16 bytes of nonce, then JSON: who I am              both ends, first thing
    PROOF     32 bytes: HMAC-SHA256 of both nonces and my role    both ends, second thing
    REQUEST   u32 number, JSON                                    answered by one REPLY with that number
    REPLY     u32 number, JSON {"ok": …} or {"refused": …}
    NOTIFY    JSON {"type": …}                                    no answer
    PING/PONG u32
    TALLY     a room process's counts, for its agent

and between gateway and room, where every microsecond is a player's:

    ATTACH    u32 session, JSON `Attach`                          gateway → room
    DETACH    u32 session
    SAY       u32 session, a client's message as it came
    TELL      u32 seq, u16 n, n × u32 sessions, one server message    room → gateway; seq 0: not a step
    ANSWER    u32 session, u8 n, n bytes of id, one server message    an Ack or Reject: the id needs no resending now
    END       u32 session, JSON `Bye`                             the room ends this session
    MOVED     u32 session: this process does not own that room; ask the directory again

Each end proves that it knows the cluster's secret, bound to this connection's nonces and to its own role, so nothing
can be replayed or reflected. An unproven peer can make us buffer HELLO_LIMIT bytes, once, and nothing else.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

HELLO, PROOF, REQUEST, REPLY, NOTIFY, PING, PONG, TALLY = range(1, 9)
ATTACH, DETACH, SAY, TELL, ANSWER, END, MOVED = range(16, 23)

HELLO_LIMIT = 4096  # bytes in one frame before the peer has proved itself
FRAME_LIMIT = 16 * 1024 * 1024  # and after
NONCE = 16
PROOF_SIZE = 32
VERSION = 1

_U32 = struct.Struct(">I")
_HEAD = struct.Struct(">IB")
_HEAD_U32 = struct.Struct(">IBI")
_TELL_HEAD = struct.Struct(">IH")
_TELL_ONE = struct.Struct(">IBIHI")
_ANSWER = struct.Struct(">IBIB")

Role = Literal["dial", "accept"]


class LinkError(Exception):
    """The peer broke the protocol, or does not know the secret. The stream must be closed."""


class WrongSecret(LinkError):
    """The peer does not know the secret."""


class Who(msgspec.Struct, frozen=True, kw_only=True):
    """What a peer says of itself."""

    kind: str  # "gateway", "room", "agent", "directory", "tool"
    name: str
    version: int = VERSION


class Attach(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A session comes to a room, authenticated by its gateway."""

    room: str
    player: str
    name: str
    join: Literal["seat", "watch"] = "watch"
    seq: int | None = None
    key: str = ""  # as in `Hello`
    admitted: bool = False  # was in this room before it moved, and comes again: no key is asked for
    pledge: str | None = None


# ---------------------------------------------------------------- writing


def frame(kind: int, *parts: bytes) -> bytes:
    """One frame with this body."""
    return _HEAD.pack(1 + sum(map(len, parts)), kind) + b"".join(parts)


def numbered(kind: int, number: int, body: bytes = b"") -> bytes:
    """A frame whose body begins with a u32: REQUEST, REPLY, PING, PONG, ATTACH, DETACH, SAY, END."""
    return _HEAD_U32.pack(5 + len(body), kind, number) + body


def tell(seq: int, sessions: Sequence[int], message: bytes) -> bytes:
    """A TELL frame. ``seq`` is the step that the message tells of, for a gateway that must attach again after it."""
    count = len(sessions)
    if count == 1:
        return _TELL_ONE.pack(11 + len(message), TELL, seq, 1, sessions[0]) + message
    return struct.pack(f">IBIH{count}I", 7 + 4 * count + len(message), TELL, seq, count, *sessions) + message


def answer(session: int, id: str, message: bytes) -> bytes:
    """An ANSWER frame."""
    name = id.encode()
    return _ANSWER.pack(6 + len(name) + len(message), ANSWER, session, len(name)) + name + message


# ---------------------------------------------------------------- reading


def number_of(body: bytes) -> int:
    """The u32 that a body begins with. Like the others below, raises `LinkError` where there is none."""
    try:
        return int(_U32.unpack_from(body)[0])
    except struct.error as short:
        raise LinkError("a body without its number") from short


def parse_tell(body: bytes) -> tuple[int, tuple[int, ...], bytes]:
    """Seq, sessions and message of a TELL."""
    try:
        seq, count = _TELL_HEAD.unpack_from(body)
        return seq, struct.unpack_from(f">{count}I", body, 6), body[6 + 4 * count :]
    except struct.error as short:
        raise LinkError("a tell that is none") from short


def parse_answer(body: bytes) -> tuple[int, str, bytes]:
    """Session, id and message of an ANSWER."""
    try:
        size = body[4]
        return number_of(body), body[5 : 5 + size].decode(), body[5 + size :]
    except (IndexError, UnicodeDecodeError) as short:
        raise LinkError("an answer that is none") from short


class Frames:
    """Cuts a byte stream into frames."""

    def __init__(self, limit: int = FRAME_LIMIT) -> None:
        self.limit = limit
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterable[tuple[int, bytes]]:
        """The frames that are complete now, as (kind, body). Raises `LinkError` for one that is too long or empty."""
        buffer = self._buffer
        if buffer:
            buffer += data
            data = bytes(buffer)
            buffer.clear()
        start, end = 0, len(data)
        while end - start >= 5:
            length = int(_U32.unpack_from(data, start)[0])
            if not 1 <= length <= self.limit:
                raise LinkError(f"a frame of {length} bytes")
            stop = start + 4 + length
            if stop > end:
                break
            yield data[start + 4], data[start + 5 : stop]
            start = stop
        if start < end:
            if end - start >= 4 and not 1 <= _U32.unpack_from(data, start)[0] <= self.limit:
                raise LinkError("a frame that is too long")
            buffer += data[start:]


class Handshake:
    """One end's half of proving the secret to each other."""

    def __init__(self, role: Role, secret: bytes, me: Who, nonce: bytes) -> None:
        if len(nonce) != NONCE:
            raise ValueError(f"a nonce has {NONCE} bytes")
        self._role, self._secret, self._nonce = role, secret, nonce
        self._me = me
        self._peer_nonce: bytes | None = None
        self.peer: Who | None = None
        self.done = False

    def opening(self) -> bytes:
        """What to send first."""
        return frame(HELLO, self._nonce, msgspec.json.encode(self._me))

    def receive(self, kind: int, body: bytes) -> bytes:
        """Takes one frame; returns what to send. `done` says when both have proved themselves."""
        if kind == HELLO and self.peer is None and len(body) > NONCE:
            self._peer_nonce = body[:NONCE]
            try:
                self.peer = msgspec.json.decode(body[NONCE:], type=Who)
            except msgspec.MsgspecError as bad:
                raise LinkError(f"a hello that is not one: {bad}") from bad
            if self.peer.version != VERSION:
                raise LinkError(f"the peer speaks version {self.peer.version}, we speak {VERSION}")
            if self._peer_nonce == self._nonce:
                raise LinkError("our own nonce came back")
            return frame(PROOF, self._proof(self._role))
        if kind == PROOF and self._peer_nonce is not None and not self.done:
            other: Role = "accept" if self._role == "dial" else "dial"
            if not hmac.compare_digest(body, self._proof(other)):
                raise WrongSecret("the peer does not know the secret")
            self.done = True
            return b""
        raise LinkError(f"a frame of kind {kind} before the proof")

    def _proof(self, role: Role) -> bytes:
        assert self._peer_nonce is not None
        dial, accept = self._nonce, self._peer_nonce
        if self._role == "accept":
            dial, accept = accept, dial
        text = b"hanpan link %d %s " % (VERSION, role.encode())
        return hmac.new(self._secret, text + dial + accept, hashlib.sha256).digest()


# ---------------------------------------------------------------- requests


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was not carried out."""

    code: str
    message: str
    retry: bool = False


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to a REQUEST: one of the two."""

    ok: Any = None
    refused: Refusal | None = None
