"""A gateway's connection to the cluster: one link to the directory, and one to each room that has sessions here.

When a room's link breaks, its sessions stay: they are told to pause, the directory is asked where the room is now, and
everyone is attached again there, with the messages that were never answered. Ids make that safe: what the old process
had already logged is answered, not done twice.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from typing import Any, Literal

import msgspec
import structlog

from cluster import link, link_io
from cluster.client import CreateRoom, Refused, RoomSummary, Sink
from cluster.faults import place_of
from cluster.forever import forever
from cluster.link import Attach, Who
from cluster.link_io import BaseHandler, LinkCounts, LinkLost, Peer, RequestRefused
from cluster.messages import Bye
from ops.metrics import Tally

UNANSWERED_LIMIT = 32  # messages of one session on their way
DIRECTORY_SECONDS = 15.0  # an answer of the directory; it waits itself for a room to come up
ADMIN_SECONDS = 35.0  # the same to operators: a room is moved, or its log replayed
PAST_SECONDS = 15.0  # a replay, or evidence: a whole game is worked out again
GIVE_UP_SECONDS = 60.0  # a room that cannot be reached for so long ends its sessions, to be tried again by the clients

log = structlog.get_logger()
_encode = msgspec.json.encode
_decode_bye = msgspec.json.Decoder(Bye)


class ClusterConnection:
    """The real `cluster.client.Cluster`."""

    def __init__(self, directory: str, secret: bytes, name: str, tally: Tally | None = None) -> None:
        self._address, self._secret = directory, secret
        self._me = Who(kind="gateway", name=name)
        self._counts = None if tally is None else LinkCounts(tally, "directory", "room")
        self._directory: Peer | None = None
        self._connected = asyncio.Event()
        self._ready = False
        self.joined = False
        self._rooms: dict[str, RoomLink] = {}
        self._keepers: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begins to look for the directory, and never stops."""
        watch = link_io.cut_off_the_silent(self._peers)
        self._keepers = [asyncio.create_task(work) for work in (forever(self._keep_directory, log), watch)]

    async def close(self) -> None:
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        for room in list(self._rooms.values()):
            room.close()
        if self._directory is not None:
            self._directory.close()

    @property
    def ready(self) -> bool:
        return self._ready and self._directory is not None and self._directory.open

    def _peers(self) -> list[Peer]:
        rooms = (room.peer for room in self._rooms.values())
        return [peer for peer in (self._directory, *rooms) if peer is not None]

    async def _keep_directory(self) -> None:
        delay = 0.1
        while True:
            lost = asyncio.Event()
            try:
                handler = _DirectoryHandler(self, lost)
                self._directory = await self.dial(self._address, handler)
                self._connected.set()
                self.joined = True
                delay = 0.1
                await lost.wait()
                log.warning("directory_lost")
            except (OSError, LinkLost, TimeoutError) as away:
                delay = min(delay * 1.5, 2.0)
                log.debug("no_directory", why=str(away))
            self._connected.clear()
            await asyncio.sleep(delay)

    def heard(self, notice: dict[str, Any]) -> None:
        match notice["type"]:
            case "ready":
                self._ready = notice["ready"]
            case "moved" if (room := self._rooms.get(notice["room"])) is not None:
                room.moved(notice["epoch"])

    async def ask(self, request: dict[str, Any], seconds: float = DIRECTORY_SECONDS) -> Any:
        """The directory's answer; `Refused` also where it is away."""
        try:
            async with asyncio.timeout(seconds):
                await self._connected.wait()
                assert self._directory is not None
                return await self._directory.ask(request, seconds)
        except RequestRefused as no:
            raise Refused(no.refusal.code, no.refusal.message, no.refusal.retry) from no
        except (LinkLost, TimeoutError) as away:
            raise Refused("unavailable", link_io.AWAY, retry=True) from away

    # ------------------------------------------------------------ the lobby

    async def create(self, wish: CreateRoom) -> RoomSummary:
        return self._summary(await self.ask({"type": "create", "wish": wish}))

    async def quick(self, game: str, player: str) -> RoomSummary:
        return self._summary(await self.ask({"type": "quick", "game": game, "player": player}))

    async def find(self, code: str) -> RoomSummary:
        return self._summary(await self.ask({"type": "find", "code": code}))

    async def get(self, room: str) -> RoomSummary:
        return self._summary(await self.ask({"type": "get", "room": room}))

    async def list(self, game: str | None, limit: int) -> list[RoomSummary]:
        rows = await self.ask({"type": "list", "game": game, "limit": limit})
        return [self._summary(row) for row in rows]

    async def admin(self, what: str, args: dict[str, Any], by: str = "") -> Any:
        return await self.ask({"type": "admin", "what": what, "args": args, "by": by}, ADMIN_SECONDS)

    def report(self, notice: dict[str, Any]) -> None:
        """Tells the directory how this gateway is, if it can be told just now."""
        if self._directory is not None:
            self._directory.notify(notice)

    async def locate(self, room: str, not_epoch: int, reading: bool = False) -> dict[str, Any]:
        answer: dict[str, Any] = await self.ask(
            {"type": "locate", "room": room, "notEpoch": not_epoch, "reading": reading}
        )
        return answer

    async def replay(self, room: str, game: int, viewer: str | None) -> dict[str, Any]:
        return await self._past("replay", room, game, viewer, "지금은 다시 보기를 열 수 없어요")

    async def fairness(self, room: str, game: int, viewer: str | None) -> dict[str, Any]:
        return await self._past("fairness", room, game, viewer, "지금은 공정성을 확인할 수 없어요")

    async def _past(self, what: str, room: str, game: int, viewer: str | None, sorry: str) -> dict[str, Any]:
        """Asks the room's own process, which is woken for it.

        Again where it has gone; not where it is late, as it is still at work on the first question.
        """
        request = {"type": what, "room": room, "game": game, "viewer": viewer}
        for _ in range(3):
            place = await self.locate(room, 0, reading=True)
            try:
                peer = await self.dial(place["address"], BaseHandler())
            except (OSError, LinkLost, TimeoutError) as away:
                log.info("replay_lost", what=what, room=room, why=str(away))
                await asyncio.sleep(0.1)
                continue
            try:
                answer: dict[str, Any] = await peer.ask(request, PAST_SECONDS)
                return answer
            except RequestRefused as no:
                if no.refusal.code != "moved":
                    raise Refused(no.refusal.code, no.refusal.message, no.refusal.retry) from no
            except LinkLost as gone:
                log.info("replay_lost", what=what, room=room, why=str(gone))
            except TimeoutError:
                log.warning("replay_late", what=what, room=room)
                break
            finally:
                peer.close()
            await asyncio.sleep(0.1)
        raise Refused("unavailable", sorry, retry=True)

    @staticmethod
    def _summary(row: Any) -> RoomSummary:
        return msgspec.convert(row, RoomSummary)

    # ------------------------------------------------------------ rooms

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
    ) -> RoomAttachment:
        place = self._rooms.get(room)
        if place is None:
            place = self._rooms[room] = RoomLink(self, room)
        order = Attach(room=room, player=player, name=name, join=join, seq=seq, key=key, pledge=pledge)
        return place.attach(sink, order)

    def forget(self, room: str) -> None:
        self._rooms.pop(room, None)

    async def dial(self, address: str, handler: BaseHandler) -> Peer:
        return await link_io.dial(address, self._secret, self._me, handler, counts=self._counts)


class _DirectoryHandler(BaseHandler):
    def __init__(self, connection: ClusterConnection, lost: asyncio.Event) -> None:
        self._connection = connection
        self._lost = lost

    def noticed(self, peer: Peer, notice: dict[str, Any]) -> None:
        self._connection.heard(notice)

    def closed(self, peer: Peer, why: str) -> None:
        self._lost.set()


class RoomAttachment:
    """One session's place in one room."""

    __slots__ = ("_number", "_room", "_sink", "_unanswered", "order", "paused", "pending", "seen", "welcomed")

    def __init__(self, room: RoomLink, number: int, sink: Sink, order: Attach) -> None:
        self._room, self._number, self._sink = room, number, sink
        self.order = order
        self.seen = order.seq  # the last step it was told of
        self.welcomed = False  # its wish for a seat has been heard, and is not to be made again
        self.paused = False
        self.pending: list[bytes] = []  # to be delivered when the piece of stream at hand is read
        self._unanswered: dict[str, bytes] = {}

    def send(self, message: bytes, id: str) -> bool:
        if len(self._unanswered) >= UNANSWERED_LIMIT and id not in self._unanswered:
            return False
        self._unanswered[id] = message
        self._room.write(link.numbered(link.SAY, self._number, message))
        return True

    def detach(self) -> None:
        self._room.detach(self._number)

    # ------------------------------------------------------------ for its room

    def introduction(self) -> bytes:
        """Frames that attach it, at first and again, and repeat what was never answered."""
        join = "watch" if self.welcomed else self.order.join
        order = msgspec.structs.replace(self.order, seq=self.seen, join=join, admitted=self.welcomed)
        says = [link.numbered(link.SAY, self._number, message) for message in self._unanswered.values()]
        return link.numbered(link.ATTACH, self._number, _encode(order)) + b"".join(says)

    def answered(self, id: str) -> None:
        self._unanswered.pop(id, None)

    def deliver(self) -> None:
        if not self.pending:
            return
        frames, self.pending = self.pending, []
        self._sink.deliver(frames)
        if self.paused:
            self.paused = False
            self._sink.resumed()

    def pause(self) -> None:
        if not self.paused:
            self.paused = True
            self._sink.paused("recovering")

    def end(self, bye: Bye) -> None:
        self.deliver()
        self._sink.closed(bye)


class RoomLink(BaseHandler):
    """This gateway's link to one room, wherever that runs."""

    def __init__(self, connection: ClusterConnection, room: str) -> None:
        self._connection = connection
        self._room = room
        self._sessions: dict[int, RoomAttachment] = {}
        self._numbers = itertools.count(1)
        self.peer: Peer | None = None
        self._epoch = 0  # of the process that the link leads, or led, to
        self._finder: asyncio.Task[None] | None = None
        self._touched: list[RoomAttachment] = []  # those with something pending

    def attach(self, sink: Sink, order: Attach) -> RoomAttachment:
        number = next(self._numbers)
        attachment = RoomAttachment(self, number, sink, order)
        self._sessions[number] = attachment
        if self.peer is not None:
            self.peer.write(attachment.introduction())
        elif self._finder is None:
            self._look_for_it(0)
        return attachment

    def detach(self, number: int) -> None:
        if self._sessions.pop(number, None) is not None:
            self.write(link.numbered(link.DETACH, number))
            self._leave_if_empty()

    def write(self, data: bytes) -> None:
        """Now, if the room can be reached; what is lost here is repeated by the introduction."""
        if self.peer is not None:
            self.peer.write(data)

    def close(self) -> None:
        if self._finder is not None:
            self._finder.cancel()
            self._finder = None
        peer, self.peer = self.peer, None
        if peer is not None:
            peer.close()
        self._connection.forget(self._room)

    def _leave_if_empty(self) -> None:
        if not self._sessions:
            self.close()

    # ------------------------------------------------------------ finding the room

    def _look_for_it(self, not_epoch: int) -> None:
        self._finder = asyncio.create_task(self._find(not_epoch))
        self._finder.add_done_callback(self._looked_for_it)

    def _looked_for_it(self, finder: asyncio.Task[None]) -> None:
        """Nobody may wait for one that has failed: not those who are here, nor those who come."""
        if not finder.cancelled() and (bug := finder.exception()) is not None:
            log.error("finder_failed", room=self._room, bug=place_of(bug))
            self._end_all(_bye(Refused("unavailable", link_io.BUG, retry=True)))

    async def _find(self, not_epoch: int) -> None:
        """Until the room is found and everyone attached, or there is no hope."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + GIVE_UP_SECONDS
        delay = 0.005
        while True:
            try:
                place = await self._connection.locate(self._room, not_epoch)
                peer = await self._connection.dial(place["address"], self)
            except Refused as no:
                if not no.retry or loop.time() > give_up:
                    self._end_all(_bye(no))
                    return
            except (OSError, LinkLost, TimeoutError) as away:
                not_epoch = place["epoch"]
                if loop.time() > give_up:
                    log.warning("room_unreachable", room=self._room, why=str(away))
                    self._end_all(_bye(Refused("unavailable", link_io.AWAY, retry=True)))
                    return
            else:
                break
            await asyncio.sleep(delay * random.uniform(0.5, 1.0))
            delay = min(delay * 2, 1.0)
        self._finder = None
        self.peer, self._epoch = peer, place["epoch"]
        if not peer.open:
            self._lost()
            return
        peer.write(b"".join(attachment.introduction() for attachment in self._sessions.values()))

    def _end_all(self, bye: Bye) -> None:
        self._finder = None
        sessions, self._sessions = self._sessions, {}
        self.close()
        for attachment in sessions.values():
            attachment.end(bye)

    # ------------------------------------------------------------ the link's handler

    def received(self, peer: Peer, kind: int, body: bytes) -> None:
        if kind == link.TELL:
            seq, numbers, message = link.parse_tell(body)
            for number in numbers:
                self._put(number, message, seq)
        elif kind == link.ANSWER:
            number, id, message = link.parse_answer(body)
            if (attachment := self._sessions.get(number)) is not None:
                attachment.answered(id)
                self._put(number, message, 0)
        elif kind == link.END:
            ended = self._sessions.pop(link.number_of(body), None)
            if ended is not None:
                ended.end(_decode_bye.decode(body[4:]))
                self._leave_if_empty()
        elif kind == link.MOVED:
            peer.close("the room has moved")
        else:
            super().received(peer, kind, body)

    def _put(self, number: int, message: bytes, seq: int) -> None:
        attachment = self._sessions.get(number)
        if attachment is None:
            return
        if seq:
            attachment.seen = seq
            attachment.welcomed = True
        if not attachment.pending:
            self._touched.append(attachment)
        attachment.pending.append(message)

    def flushed(self, peer: Peer) -> None:
        touched, self._touched = self._touched, []
        for attachment in touched:
            attachment.deliver()

    def closed(self, peer: Peer, why: str) -> None:
        if self.peer is peer:
            self._lost()

    def moved(self, epoch: int) -> None:
        """Another process owns the room by now. The one that we are linked to may not know yet, or ever."""
        if self.peer is not None and self._epoch < epoch:
            self.peer.abort("the room has moved")

    def _lost(self) -> None:
        """The process is gone, or the room has left it: pause, and look for it."""
        self.peer = None
        for attachment in list(self._sessions.values()):
            attachment.pause()
        if self._sessions and self._finder is None:
            self._look_for_it(self._epoch)


def _bye(no: Refused) -> Bye:
    """A refusal as the end of a session."""
    match no.code:
        case "room_not_found" | "closed" | "quarantined":
            return Bye(no.code, no.message)
        case _:
            return Bye("unavailable", no.message, again=True, after=random.randint(500, 2000))
