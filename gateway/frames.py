"""WebSocket frames (RFC 6455), the server's side, without a socket: bytes in, what arrived out; and frames to send.

Why this is here at all, though aiohttp has frames of its own: there a message wakes a task, a frame to send is awaited,
and a message over the limit ends the connection before it can be told why. Here a message goes from ``data_received``
to the room in one call, and the last words are ours to choose. (Measured: a ping with its session, limits and answer
costs 17–22 µs of CPU, syscalls included; the bare echo of a decoded message by aiohttp's WebSocketResponse 21–22 µs.)

    header ─▶ length ─▶ mask ─▶ payload ─▶ header …          Broken or Close: nothing more is read

No extension is ever negotiated, so reserved bits are errors. All frames of clients are masked, none of ours is. What
a frame declares is checked before a byte of its payload is kept: at most ``limit`` bytes of one message are held.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct

import msgspec

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
FRAGMENTS = 64  # that one message may come in
AT_ONCE = 1024  # frames that may come in one piece: a read of many small ones must not keep the loop from others

NORMAL, PROTOCOL_ERROR, NOT_TEXT, POLICY, TOO_BIG = 1000, 1002, 1007, 1008, 1009

_pack_medium = Struct("!BBH").pack
_pack_long = Struct("!BBQ").pack


class Text(msgspec.Struct, frozen=True):
    """A whole text message; its bytes are valid UTF-8."""

    data: bytes


class Binary(msgspec.Struct, frozen=True):
    """A whole binary message, whatever was in it."""


class Ping(msgspec.Struct, frozen=True):
    """To be answered with a pong of the same payload."""

    data: bytes


class Pong(msgspec.Struct, frozen=True):
    """The peer is there."""


class Closed(msgspec.Struct, frozen=True):
    """The peer closes; the code is to be sent back."""

    code: int


class Broken(msgspec.Struct, frozen=True):
    """The peer does not keep to the protocol, or to our limit: close with this code."""

    code: int
    why: str


Arrival = Text | Binary | Ping | Pong | Closed | Broken


class FrameReader:
    """Takes a client's bytes in pieces of any size."""

    __slots__ = ("_buffer", "_ended", "_fragments", "_limit", "_need", "_opcode", "_parts")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self._need = 0  # so many bytes are to be there before it is worth looking again
        self._opcode = 0  # of the message whose fragments are coming in
        self._parts = bytearray()
        self._fragments = 0
        self._ended = False

    def feed(self, data: bytes) -> list[Arrival]:
        """What has arrived with these bytes, in order. After `Closed` or `Broken` everything is ignored."""
        if self._ended:
            return []
        if self._is_one_short_text(data):
            whole = _text(unmask(data[2:6], data[6:]))
            self._ended = isinstance(whole, Broken)
            return [whole]
        if self._buffer:
            self._buffer += data
            if len(self._buffer) < self._need:
                return []
            data = bytes(self._buffer)
            self._buffer.clear()
        arrived: list[Arrival] = []
        position = 0
        while True:
            found = self._frame(data, position)
            if isinstance(found, int):  # the rest is the beginning of a frame
                self._need = found
                if position < len(data):
                    self._buffer += data[position:] if position else data
                return arrived
            arrival, position = found
            if arrival is not None:
                if len(arrived) == AT_ONCE:
                    arrival = Broken(POLICY, f"more than {AT_ONCE} frames at once")
                arrived.append(arrival)
                if isinstance(arrival, Closed | Broken):
                    self._ended = True
                    self._parts.clear()
                    return arrived

    def _is_one_short_text(self, data: bytes) -> bool:
        """The usual case, seen at a glance: a whole text message of less than 126 bytes, and nothing else."""
        if len(data) < 6 or data[0] != 0x80 | TEXT or self._buffer or self._opcode:
            return False
        size = data[1] ^ 0x80
        return size < 126 and len(data) == size + 6 and size <= self._limit

    def _frame(self, data: bytes, at: int) -> tuple[Arrival | None, int] | int:
        """One frame from here: what it brought and where it ends; or how many bytes that would take."""
        have = len(data) - at
        if have < 2:
            return 2
        first, second = data[at], data[at + 1]
        fin, opcode, size = first & 0x80, first & 0x0F, second & 0x7F
        if first & 0x70:
            return Broken(PROTOCOL_ERROR, "reserved bits"), at
        if not second & 0x80:
            return Broken(PROTOCOL_ERROR, "not masked"), at
        head = 6
        if opcode >= CLOSE:
            if not fin or size > 125:
                return Broken(PROTOCOL_ERROR, "control frame"), at
        elif size == 126:
            head = 8
            if have < 4:
                return 4
            size = int.from_bytes(data[at + 2 : at + 4], "big")
        elif size == 127:
            head = 14
            if have < 10:
                return 10
            size = int.from_bytes(data[at + 2 : at + 10], "big")
        if opcode < CLOSE and size + len(self._parts) > self._limit:
            return Broken(TOO_BIG, f"over {self._limit} bytes"), at
        end = at + head + size
        if len(data) < end:
            return head + size
        body = unmask(data[at + head - 4 : at + head], data[at + head : end])
        if opcode == TEXT and fin and not self._opcode:
            return _text(body), end
        return (self._control(opcode, body) if opcode >= CLOSE else self._fragment(opcode, bool(fin), body)), end

    def _fragment(self, opcode: int, fin: bool, body: bytes) -> Arrival | None:
        """A message that is not one text frame."""
        if opcode in (TEXT, BINARY):
            if self._opcode:
                return Broken(PROTOCOL_ERROR, "a message within a message")
            self._opcode = opcode
        elif opcode or not self._opcode:
            return Broken(PROTOCOL_ERROR, f"opcode {opcode}")
        self._fragments += 1
        if self._fragments > FRAGMENTS:
            return Broken(POLICY, f"more than {FRAGMENTS} fragments")
        self._parts += body
        if not fin:
            return None
        kind, whole = self._opcode, bytes(self._parts)
        self._opcode, self._fragments = 0, 0
        self._parts.clear()
        return _text(whole) if kind == TEXT else Binary()

    def _control(self, opcode: int, body: bytes) -> Arrival:
        match opcode:
            case 9:
                return Ping(body)
            case 10:
                return Pong()
            case 8 if len(body) == 0:
                return Closed(NORMAL)
            case 8 if len(body) > 1:
                code = int.from_bytes(body[:2], "big")
                return Closed(code) if _may_close(code) else Broken(PROTOCOL_ERROR, f"close code {code}")
            case _:
                return Broken(PROTOCOL_ERROR, f"control frame {opcode}")


def _may_close(code: int) -> bool:
    """Codes that may stand in a frame (7.4); the others only say what happened without one."""
    return 3000 <= code < 5000 or (1000 <= code <= 1014 and code not in (1004, 1005, 1006))


def _text(body: bytes) -> Arrival:
    if not body.isascii():
        try:
            body.decode()
        except UnicodeDecodeError:
            return Broken(NOT_TEXT, "not UTF-8")
    return Text(body)


def unmask(mask: bytes, body: bytes) -> bytes:
    """Takes the client's mask off (5.3): as one big number, which for small messages beats any loop."""
    size = len(body)
    key = int.from_bytes((mask * (size // 4 + 1))[:size], "little")
    return (int.from_bytes(body, "little") ^ key).to_bytes(size, "little")


# ---------------------------------------------------------------- to send


def text_frame(body: bytes) -> bytes:
    return _head(TEXT, len(body)) + body


def text_frames(bodies: Sequence[bytes]) -> bytes:
    """Several text messages, to be written at once."""
    if len(bodies) == 1:
        return _head(TEXT, len(bodies[0])) + bodies[0]
    pieces = []
    for body in bodies:
        pieces.append(_head(TEXT, len(body)))
        pieces.append(body)
    return b"".join(pieces)


def ping_frame(body: bytes = b"") -> bytes:
    return _head(PING, len(body)) + body


def pong_frame(body: bytes) -> bytes:
    return _head(PONG, len(body)) + body


def close_frame(code: int, reason: str = "") -> bytes:
    body = code.to_bytes(2, "big") + reason.encode()[:123]
    return _head(CLOSE, len(body)) + body


def _head(opcode: int, size: int) -> bytes:
    if size < 126:
        return bytes((0x80 | opcode, size))
    if size < 65_536:
        return _pack_medium(0x80 | opcode, 126, size)
    return _pack_long(0x80 | opcode, 127, size)
