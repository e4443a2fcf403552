"""One player's side of the client protocol, without a socket: what to send, and what was seen.

    hello ─▶ welcome ─▶ update, update …          act ─▶ unanswered ─▶ ack | reject
                ▲  a new socket: hello with the last seq, and every unanswered message again, with its old id

It also is a witness: whatever it was told is kept, so that it can be held against the room's log afterwards.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

import msgspec

from cluster.messages import (
    Ack,
    Act,
    Bye,
    Error,
    Hello,
    Online,
    Pause,
    Pong,
    Ready,
    Reject,
    Resume,
    RoomInfo,
    ServerMessage,
    Situation,
    ToRoom,
    Update,
    Welcome,
    You,
)

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ServerMessage)
_encode = msgspec.json.Encoder().encode


class Player:
    """What one client knows. Ids begin with ``prefix``, which no other client of this player may use."""

    def __init__(self, room: str, token: str, prefix: str, join: Literal["seat", "watch"] = "seat") -> None:
        self._hello = Hello(token, room, join)
        self._prefix = prefix
        self._ids = 0
        # how things stand
        self.you: You | None = None
        self.room: RoomInfo | None = None
        self.seq: int | None = None
        self.view: dict[str, Any] | None = None
        self.legal: list[dict[str, Any]] = []
        self.decision = 0
        self.paused = False
        self.bye: Bye | None = None
        # what is on its way
        self.unanswered: dict[str, ToRoom] = {}
        self._answered = 0  # the last question whose answer was accepted
        # what was seen
        self.acks: dict[str, int] = {}  # actions that were accepted, and the entry said to hold each
        self.refused: Counter[str] = Counter()  # by code
        self.lapsed = 0  # questions that were closed without an answer of ours
        self.pauses = 0
        self.faults: list[str] = []  # what the protocol does not allow

    # ------------------------------------------------------------ sending

    def hello(self) -> bytes:
        """The first message on a socket."""
        return _encode(msgspec.structs.replace(self._hello, seq=self.seq))

    def again(self) -> list[bytes]:
        """What is to be sent on a new socket after its welcome: everything unanswered, in order, under the same ids."""
        return [_encode(said) for said in self.unanswered.values()]

    def act(self, action: dict[str, Any]) -> tuple[str, bytes]:
        """An answer to the question that is open now."""
        return self.say(Act, decision=self.decision, action=action)

    def say(self, kind: type[ToRoom], **fields: Any) -> tuple[str, bytes]:
        """Any message to the room: its new id, and its text."""
        self._ids += 1
        said = kind(id=f"{self._prefix}.{self._ids}", **fields)
        self.unanswered[said.id] = said
        return said.id, _encode(said)

    # ------------------------------------------------------------ standing

    @property
    def asked(self) -> bool:
        """Is there a question for us that we have not answered?"""
        answered = self.decision == self._answered or self.decision in self._answering()
        return bool(self.legal) and not self.paused and not answered

    @property
    def playing(self) -> bool:
        return self.room is not None and self.room.status == "playing"

    @property
    def wants_rematch(self) -> bool:
        """Is the game over, and have we not yet said that we want another?"""
        if self.room is None or self.room.status != "finished" or self.you is None or self.you.seat is None:
            return False
        seat = self.room.seats[self.you.seat]
        said = any(isinstance(said, Ready) for said in self.unanswered.values())
        return seat is not None and not seat.ready and not said

    def _answering(self) -> set[int]:
        return {said.decision for said in self.unanswered.values() if isinstance(said, Act)}

    # ------------------------------------------------------------ hearing

    def received(self, text: bytes | str) -> ServerMessage | None:
        """Takes one message in. None where it is not one that the protocol knows; that is noted as a fault."""
        try:
            message: ServerMessage = _decoder.decode(text)
        except msgspec.MsgspecError as bad:
            self._fault(f"not a message: {bad}")
            return None
        match message:
            case Welcome():
                self.you = message.you
                self.paused = False
                self._stands(message, fresh=True)
            case Update():
                self._stands(message, fresh=False)
            case Ack():
                self._accepted(message)
            case Reject():
                self._rejected(message)
            case Pause():
                self.paused = True
                self.pauses += 1
            case Resume():
                self.paused = False
            case Bye():
                self.bye = message
            case Error():
                self._fault(f"error {message.code}: {message.message}")
            case Online() | Pong():
                pass
        return message

    def lost(self) -> None:
        """The socket is gone."""
        self.paused = False
        self.bye = None

    def _stands(self, now: Situation, *, fresh: bool) -> None:
        if self.seq is not None and (now.seq < self.seq or (now.seq == self.seq and not fresh)):
            self._fault(f"entry {now.seq} was told after {self.seq}")
        before = self.decision
        self.seq = now.seq
        self.room = now.room or self.room
        self.view = self.view if now.view is None else now.view
        self.legal, self.decision = now.legal, now.decision
        over = self.room is not None and self.room.status != "playing"
        if before not in (0, self.decision, self._answered) and not over and before not in self._answering():
            self.lapsed += 1

    def _accepted(self, ack: Ack) -> None:
        said = self.unanswered.pop(ack.id, None)
        if isinstance(said, Act):
            self._answered = said.decision
            self.acks[ack.id] = ack.seq
        elif said is None and self.acks.get(ack.id, ack.seq) != ack.seq:
            self._fault(f"{ack.id} was acknowledged as entry {self.acks[ack.id]}, then as {ack.seq}")

    def _rejected(self, no: Reject) -> None:
        self.refused[no.code] += 1
        if no.retry:
            return  # it stays unanswered, and is sent again
        said = self.unanswered.pop(no.id, None)
        if isinstance(said, Act) and no.code == "stale_decision":
            self.lapsed += 1
        if no.id in self.acks:
            self._fault(f"{no.id} was acknowledged as entry {self.acks[no.id]}, then refused: {no.code}")

    def _fault(self, what: str) -> None:
        if len(self.faults) < 100:
            self.faults.append(what)
