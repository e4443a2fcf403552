"""A cluster in memory: enough of one for a gateway to be tested against, with knobs for what can go wrong."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any, Literal

import msgspec

from cluster.client import Attachment, Cluster, CreateRoom, Refused, RoomSummary, Sink
from cluster.messages import Ack, Bye, RoomInfo, Update, Welcome, You

_encode = msgspec.json.encode


class FakeRoom:
    """A room that acknowledges whatever it hears, once for each id, and tells everyone."""

    def __init__(self, summary: RoomSummary) -> None:
        self.summary = summary
        self.seats: list[str | None] = [None] * summary.seats
        self.here: list[FakeAttachment] = []
        self.heard: list[tuple[str, str, dict[str, Any]]] = []  # player, id, message: each only once
        self.came: list[str] = []
        self.went: list[str] = []
        self.seq = 1
        self.deaf = False  # hears, and does not answer
        self.full = False  # takes no more
        self.key = ""  # none: it is not locked
        self._answers: dict[tuple[str, str], Ack] = {}

    def attach(self, attachment: FakeAttachment) -> None:
        self.came.append(attachment.player)
        for other in [other for other in self.here if other.player == attachment.player]:
            self.end(other, Bye("replaced", "다른 창에서 들어왔어요"))
        seat = self._sit(attachment.player) if attachment.join == "seat" else None
        self.here.append(attachment)
        you = You(attachment.player, attachment.name, seat)
        resumed = attachment.seq == self.seq
        welcome = Welcome(seq=self.seq, room=self.info(), you=you, resumed=resumed)
        attachment.sink.deliver([_encode(welcome)])

    def _sit(self, player: str) -> int | None:
        if player not in self.seats and None in self.seats:
            self.seats[self.seats.index(None)] = player
        return self.seats.index(player) if player in self.seats else None

    def info(self) -> RoomInfo:
        one = self.summary
        return RoomInfo(
            id=one.id,
            code=one.code,
            game=one.game,
            title="구십구",
            status="waiting",
            public=one.public,
            spectators=one.spectators,
            auto_start=False,
            locked=one.locked,
            invite="",
            options={},
            seats=[],
            min_players=2,
            max_players=one.seats,
            host=None,
            watching=0,
            games=0,
        )

    def say(self, attachment: FakeAttachment, id: str, data: bytes) -> None:
        known = self._answers.get((attachment.player, id))
        if known is None:
            self.heard.append((attachment.player, id, msgspec.json.decode(data)))
            if self.deaf:
                return
            self.seq += 1
            known = self._answers[attachment.player, id] = Ack(id, self.seq)
            self.tell([{"type": "said", "player": attachment.player}])
        attachment.sink.deliver([_encode(known)])

    def tell(self, events: list[dict[str, Any]]) -> None:
        """An update for everyone."""
        update = _encode(Update(seq=self.seq, events=events))
        for attachment in list(self.here):
            attachment.sink.deliver([update])

    def end(self, attachment: FakeAttachment, bye: Bye) -> None:
        self.here.remove(attachment)
        attachment.sink.closed(bye)

    def leave(self, attachment: FakeAttachment) -> None:
        if attachment in self.here:
            self.here.remove(attachment)
            self.went.append(attachment.player)


class FakeAttachment:
    """One session's place in a `FakeRoom`. The room answers on the next turn of the loop, as a link would."""

    def __init__(
        self, room: FakeRoom, sink: Sink, player: str, name: str, join: Literal["seat", "watch"], seq: int | None
    ) -> None:
        self.room, self.sink = room, sink
        self.player, self.name, self.join, self.seq = player, name, join, seq

    def send(self, message: bytes, id: str) -> bool:
        if self.room.full:
            return False
        asyncio.get_running_loop().call_soon(self.room.say, self, id, message)
        return True

    def detach(self) -> None:
        self.room.leave(self)


class FakeCluster:
    """`cluster.client.Cluster`, in memory."""

    def __init__(self) -> None:
        self.ready = True
        self.joined = True
        self.rooms: dict[str, FakeRoom] = {}
        self.asked: list[tuple[str, dict[str, Any]]] = []  # by operators
        self.operators: list[str] = []  # who asked
        self.replays: list[tuple[str, int, str | None]] = []
        self.fairnesses: list[tuple[str, int, str | None]] = []
        self.hold: asyncio.Event | None = None  # answers come when this is set
        self.down = False
        self._keys: dict[tuple[str, str], str] = {}
        self._numbers = itertools.count(1)

    async def _wait(self) -> None:
        if self.hold is not None:
            await self.hold.wait()
        if self.down:
            raise Refused("unavailable", "지금은 서버가 답하지 못해요", retry=True)

    async def create(self, wish: CreateRoom) -> RoomSummary:
        await self._wait()
        number = next(self._numbers)
        room = self._keys.setdefault((wish.creator, wish.key), f"room{number}")
        if room not in self.rooms:
            summary = RoomSummary(
                id=room,
                code=f"CODE{number:02}",
                game=wish.game,
                status="waiting",
                public=wish.public,
                spectators=wish.spectators,
                seats=wish.seats or 4,
                taken=wish.bots,
                online=0,
                host_name="",
                games=0,
                locked=bool(wish.lock),
            )
            self.rooms[room] = FakeRoom(summary)
        return self.rooms[room].summary

    async def quick(self, game: str, player: str) -> RoomSummary:
        return await self.create(CreateRoom(game=game, creator=player, key=f"quick{len(self.rooms)}", public=True))

    async def find(self, code: str) -> RoomSummary:
        await self._wait()
        for room in self.rooms.values():
            if room.summary.code == code:
                return room.summary
        raise Refused("room_not_found", "그런 방은 없어요")

    async def get(self, room: str) -> RoomSummary:
        await self._wait()
        if room not in self.rooms:
            raise Refused("room_not_found", "그런 방은 없어요")
        return self.rooms[room].summary

    async def list(self, game: str | None, limit: int) -> list[RoomSummary]:
        await self._wait()
        found = [
            room.summary for room in self.rooms.values() if room.summary.public and game in (None, room.summary.game)
        ]
        return found[:limit]

    async def replay(self, room: str, game: int, viewer: str | None) -> dict[str, Any]:
        await self.get(room)
        self.replays.append((room, game, viewer))
        if game:
            raise Refused("not_finished", "아직 끝나지 않은 게임이에요")
        return {"game": game, "steps": []}

    async def fairness(self, room: str, game: int, viewer: str | None) -> dict[str, Any]:
        await self.get(room)
        self.fairnesses.append((room, game, viewer))
        return {"v": 1, "game": "ninety-nine", "number": game, "seal": "", "drawn": [], "tree": ""}

    async def admin(self, what: str, args: dict[str, Any], by: str = "") -> Any:
        await self._wait()
        self.asked.append((what, args))
        self.operators.append(by)
        return {what: []}

    def attach(
        self,
        sink: Sink,
        *,
        room: str,
        player: str,
        name: str,
        join: Literal["seat", "watch"],
        seq: int | None,
        key: str = "",
        pledge: str | None = None,
    ) -> Attachment:
        place = self.rooms.get(room)
        if place is None:
            asyncio.get_running_loop().call_soon(sink.closed, Bye("room_not_found", "그런 방은 없어요"))
            return _Nowhere()
        if place.key and key != place.key:
            code: Literal["locked", "wrong_key"] = "wrong_key" if key else "locked"
            asyncio.get_running_loop().call_soon(sink.closed, Bye(code, "비밀번호가 맞지 않아요"))
            return _Nowhere()
        attachment = FakeAttachment(place, sink, player, name, join, seq)
        place.attach(attachment)
        return attachment


class _Nowhere:
    def send(self, message: bytes, id: str) -> bool:
        return True

    def detach(self) -> None:
        return None


_fits: type[Cluster] = FakeCluster  # the fake keeps to the contract
