"""One client's session, without a socket: text in, what is to be done out.

                     hello                    identity
    WAITING ───────────────────▶ AUTHENTICATING ─────▶ ATTACHED
       │ late, bad_version          │ late, bad_token     │ the room's Bye, flood, bad_message
       └────────────────────────────┴─────────────────────┴──────────▶ ENDED

- Before the hello only a `Ping` is answered. What comes between hello and identity is held, so much and no more, and
  passed on in order once the session is attached: a client need not wait for its `Welcome` to speak.
- A message that does not fit is refused, by its id where it has one, and nothing else happens; a client that sends
  many of them, or far too much of anything, is sent away.
- What passes is passed as it came: the room decodes the same bytes with the same types. Whether the room is there is
  the attachment's business. Whether somebody's other socket stays is the room's: it ends the session as ``replaced``.
- Time is an argument, in monotonic seconds. Stamps that clients send are never looked at.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Literal, assert_never

import msgspec

from cluster.messages import (
    PROTOCOL_VERSION,
    Act,
    Bye,
    ClientMessage,
    Error,
    Hello,
    Id,
    Ping,
    Pong,
    Reject,
)
from gateway.auth import Identity
from gateway.limits import Bucket, Rate
from gateway.refusals import IDLE, REFUSALS, bye, misfit
from gateway.shape import bearable

HELD = 16  # messages that wait for the identity


class Rates(msgspec.Struct, frozen=True):
    """What one session may send."""

    messages: Rate = Rate(20, 60)
    bytes: Rate = Rate(32_768, 131_072)
    refusals: Rate = Rate(2, 60)  # messages over the rate before it is a flood
    strikes: Rate = Rate(0.2, 10)  # messages that could not be understood
    commands: Rate = Rate(2, 30)  # messages that are no move: each may be an entry of a log, at any time


# ---------------------------------------------------------------- what is to be done


class Tell(msgspec.Struct, frozen=True):
    """Send this to the client."""

    message: Pong | Reject | Error


class Authenticate(msgspec.Struct, frozen=True):
    """Find out whose token this is, and say it with `Session.identified`."""

    token: str


class Join(msgspec.Struct, frozen=True):
    """Attach to the room."""

    room: str
    player: str
    name: str
    join: Literal["seat", "watch"]
    seq: int | None
    key: str
    pledge: str | None = None


class Pass(msgspec.Struct, frozen=True):
    """Hand this message to the room; where it takes no more, say so with `Session.refused`."""

    id: str
    kind: str
    data: bytes


class End(msgspec.Struct, frozen=True):
    """Detach, say good-bye and close."""

    bye: Bye


Effect = Tell | Authenticate | Join | Pass | End


class State(Enum):
    WAITING = "waiting"
    AUTHENTICATING = "authenticating"
    ATTACHED = "attached"
    ENDED = "ended"


class _Loose(msgspec.Struct):
    """What can still be made out in a message that does not fit."""

    id: Any = None
    type: Any = None
    v: Any = None


_decode: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ClientMessage)
_decode_loosely = msgspec.json.Decoder(_Loose)
_NOTHING: list[Effect] = []


class Session:
    """From a socket's opening to its end."""

    __slots__ = ("_acted", "_bytes", "_commands", "_held", "_hello", "_messages", "_refusals", "_strikes", "state")

    def __init__(self, rates: Rates, now: float) -> None:
        self.state = State.WAITING
        self._acted = now  # when it last said something that was meant for the room
        self._hello: Hello | None = None
        self._held: list[Pass] = []
        self._messages = Bucket(rates.messages, now)
        self._bytes = Bucket(rates.bytes, now)
        self._commands = Bucket(rates.commands, now)
        self._refusals = Bucket(rates.refusals, now)
        self._strikes = Bucket(rates.strikes, now)

    # ------------------------------------------------------------ from the client

    def received(self, data: bytes, now: float) -> list[Effect]:
        """One text message."""
        if self.state is State.ENDED:
            return _NOTHING
        if not (self._messages.take(now) and self._bytes.take(now, len(data))):
            return self._too_fast(data, now)
        if not bearable(data):
            return self._misread("too_deep", REFUSALS["too_deep"][1], data, now)
        try:
            message: ClientMessage = _decode.decode(data)
        except msgspec.ValidationError as bad:
            return self._misread(*misfit("bad_message", bad), data, now)
        except (msgspec.DecodeError, RecursionError):
            return self._misread("bad_json", REFUSALS["bad_json"][1], data, now)
        match message:
            case Ping(t=t):
                return [Tell(Pong(t))]
            case Hello():
                return self._greeted(message, now)
            case Act():
                return self._said(Pass(message.id, "action", data), now)
            case _ if self._commands.take(now):
                return self._said(Pass(message.id, str(message.__struct_config__.tag), data), now)
            case _:
                return self._too_fast(data, now)

    def binary(self, now: float) -> list[Effect]:
        """A binary message: there is none in this protocol."""
        if self.state is State.ENDED:
            return _NOTHING
        return self._strike(Error("not_text", REFUSALS["not_text"][1]), now)

    def control(self, now: float) -> list[Effect]:
        """A ping or pong of the WebSocket's own: welcome, though not without end."""
        if self.state is State.ENDED or self._messages.take(now) or self._refusals.take(now):
            return _NOTHING
        return self._end("flood")

    def lost(self) -> None:
        """The socket is gone."""
        self.state = State.ENDED
        self._held.clear()

    # ------------------------------------------------------------ from the gateway

    def identified(self, identity: Identity | None) -> list[Effect]:
        """The answer to `Authenticate`. Means nothing to a session that has ended meanwhile."""
        if self.state is not State.AUTHENTICATING:
            return _NOTHING
        if identity is None:
            return self._end("bad_token")
        assert self._hello is not None
        hello, held = self._hello, self._held
        self.state = State.ATTACHED
        self._hello, self._held = None, []
        join = Join(hello.room, identity.player, identity.name, hello.join, hello.seq, hello.key, hello.pledge)
        return [join, *held]

    def late(self) -> list[Effect]:
        """The time for being attached is over."""
        match self.state:
            case State.WAITING:
                return self._end("idle")
            case State.AUTHENTICATING:
                return self._end("unavailable")
            case State.ATTACHED | State.ENDED:
                return _NOTHING
            case _ as never:
                assert_never(never)

    def rests(self, now: float, limit: float) -> list[Effect]:
        """A heartbeat: has somebody done nothing for so long that their place is better given to others?"""
        if self.state is not State.ATTACHED or not limit or now - self._acted < limit:
            return _NOTHING
        return self.parted(IDLE)

    def refused(self, id: str) -> list[Effect]:
        """The attachment takes no more for now."""
        return [_reject(id, "busy")]

    def parted(self, bye: Bye) -> list[Effect]:
        """The room, or the server, ends the session."""
        if self.state is State.ENDED:
            return _NOTHING
        self.lost()
        return [End(bye)]

    # ------------------------------------------------------------

    def _greeted(self, hello: Hello, now: float) -> list[Effect]:
        if hello.v != PROTOCOL_VERSION:
            return self._end("bad_version")
        if self.state is not State.WAITING:
            return self._strike(Error("hello_again", REFUSALS["hello_again"][1]), now)
        self.state = State.AUTHENTICATING
        self._hello = hello
        return [Authenticate(hello.token)]

    def _said(self, message: Pass, now: float) -> list[Effect]:
        self._acted = now
        match self.state:
            case State.ATTACHED:
                return [message]
            case State.AUTHENTICATING if len(self._held) < HELD:
                self._held.append(message)
                return _NOTHING
            case State.AUTHENTICATING:
                return [_reject(message.id, "busy")]
            case _:
                return self._strike(Reject(message.id, "hello_first", REFUSALS["hello_first"][1]), now)

    def _too_fast(self, data: bytes, now: float) -> list[Effect]:
        if not self._refusals.take(now):
            return self._end("flood")
        id = _id_in(_loosely(data))
        return [_reject(id, "too_fast") if id else Tell(Error("too_fast", REFUSALS["too_fast"][1]))]

    def _misread(self, code: str, sentence: str, data: bytes, now: float) -> list[Effect]:
        loose = _loosely(data)
        if loose.type == "hello" and loose.v not in (None, PROTOCOL_VERSION):
            return self._end("bad_version")  # another version's hello may well look different
        id = _id_in(loose)
        return self._strike(Reject(id, code, sentence) if id else Error(code, sentence), now)

    def _strike(self, no: Reject | Error, now: float) -> list[Effect]:
        return [Tell(no)] if self._strikes.take(now) else [Tell(no), *self._end("bad_message")]

    def _end(self, code: str) -> list[Effect]:
        self.lost()
        return [End(bye(code))]


def _reject(id: str, code: str) -> Tell:
    return Tell(Reject(id, code, REFUSALS[code][1], retry=True))


def _loosely(data: bytes) -> _Loose:
    try:
        return _decode_loosely.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return _Loose()


def _id_in(loose: _Loose) -> str | None:
    try:
        return msgspec.convert(loose.id, Id)
    except msgspec.ValidationError:
        return None
