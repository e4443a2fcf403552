"""A room process: it waits as a spare, is handed a room, runs it, and gives it back.

    gateways ──link──▶ inbox ──▶ one worker: judge, append, commit, tell ──▶ link ──▶ gateways
                                     ▲ timers
    node agent ──link (Unix socket)──┘ hand-over, release, counts

Everything that touches the room happens in the worker, one thing after the other. The worker waits for the log and
for nothing else; writing to a link never waits. Randomness, time and the store come in from here, and only here.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Sequence, Set
from typing import Any, Literal

import msgspec
import structlog

from cluster import link, link_io
from cluster.client import CreateRoom, RoomSummary
from cluster.clock import RoomClock
from cluster.entries import Began, Created, Entry, RoomSet, TimedOut
from cluster.link import Attach, Refusal, Who
from cluster.link_io import BaseHandler, LinkLost, Peer, RequestRefused
from cluster.log import Conflict, RoomLog, Snapshot, Store, Unavailable
from cluster.messages import Ack, Act, Bye, Leave, Pause, Reject, Resume, Sit, ToRoom
from cluster.recovery import recover
from cluster.replay import replay_of
from cluster.room.audience import Audience, Session, Situation, Telling
from cluster.room.decide import Person
from cluster.room.refusals import refuse
from cluster.room.room import Decision, DigestMismatch, Room, Settings
from engines.catalog import GAMES
from ops.metrics import Tally

SNAPSHOT_EVERY = 64  # entries; a replay of so many costs about as much as reading the snapshot
INBOX_LIMIT = 1024  # messages waiting for the worker; past it they are refused as busy
RELEASE_AGAIN_SECONDS = 1.0  # a room that nobody takes back (the agent or the directory is away) is offered again
PROBE_SECONDS = 0.25  # how often a silent store is asked again
SUMMARY_SECONDS = 0.5  # the directory hears of changes at most so often
TALLY_SECONDS = 5.0  # and the agent of counts
REPLAY_IDLE_SECONDS = 10.0  # a process that was only asked to read gives the room back after so long

Key = tuple[Peer, int]  # a session's link and its number there
_encode = msgspec.json.Encoder().encode
_decode_message: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ToRoom)
_decode_attach = msgspec.json.Decoder(Attach)


class Own(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The agent's request that makes a spare the owner of a room."""

    room: str
    epoch: int
    code: str
    wish: CreateRoom  # what to create, should the log still be empty
    reading: bool = False  # only to show the past: claims nothing, takes nobody in


class HostConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What a room process is told at its start."""

    name: str  # of this process, for logs and owners
    secret: bytes
    agent: str  # the agent's address: unix:/path
    host: str  # the address to listen on, and to be found at
    settings: Settings = Settings()


class RoomProcess:
    """The process around at most one room at a time."""

    def __init__(self, config: HostConfig, store: Store, die: Callable[[str], None]) -> None:
        self.config = config
        self.store = store
        self.tally = Tally()
        self.log = structlog.get_logger().bind(process=config.name)
        self.running: RunningRoom | None = None
        self._die = die  # ends the process at once: it may not go on
        self._agent: Peer | None = None
        self._gateways: set[Peer] = set()
        self._server: asyncio.Server | None = None
        self._address = ""
        self._stop = asyncio.Event()
        self._tally_timer: asyncio.TimerHandle | None = None
        self._served = 0

    async def serve(self) -> None:
        """Lives until the agent says `stop`, or is gone for a minute."""
        me = Who(kind="room", name=self.config.name)
        gateways = _GatewayHandler(self)
        self._server, self._address = await link_io.listen(
            f"{self.config.host}:0", self.config.secret, me, lambda: gateways
        )
        keep = asyncio.create_task(self._keep_agent(me))
        try:
            await self._stop.wait()
        finally:
            keep.cancel()
            await asyncio.gather(keep, return_exceptions=True)
            await self._close()

    def stop(self) -> None:
        self._stop.set()

    async def _close(self) -> None:
        if self.running is not None:
            await self.running.let_go()
            self.running = None
        for peer in list(self._gateways):
            peer.close("the room process ends")
        if self._server is not None:
            self._server.close()
        if self._agent is not None:
            self.flush_tally()
            self._agent.close()

    async def _keep_agent(self, me: Who) -> None:
        """Finds the agent, again and again; a process that nobody looks after must not stay."""
        missing_since = time.monotonic()
        while True:
            lost = asyncio.Event()
            try:
                handler = _AgentHandler(self, lost)
                self._agent = await link_io.dial(self.config.agent, self.config.secret, me, handler)
                self._register(self._agent)
                await lost.wait()
                missing_since = time.monotonic()
            except (OSError, LinkLost, TimeoutError):
                if time.monotonic() - missing_since > 60:
                    self._die("no node agent for a minute")
                    return
            await asyncio.sleep(0.1)

    def _register(self, agent: Peer) -> None:
        notice: dict[str, Any] = {"type": "process", "pid": os.getpid(), "address": self._address}
        if self.running is not None:
            notice |= self.running.identity()
        agent.notify(notice)

    # ------------------------------------------------------------ for the room

    def tell_agent(self, notice: dict[str, Any]) -> None:
        if self._agent is not None:
            self._agent.notify(notice)

    async def ask_agent(self, request: dict[str, Any], seconds: float) -> Any:
        if self._agent is None:
            raise LinkLost("no agent")
        return await self._agent.ask(request, seconds)

    def counted(self) -> None:
        """Something was counted: the agent hears of it soon."""
        if self._tally_timer is None:
            self._tally_timer = asyncio.get_running_loop().call_later(TALLY_SECONDS, self.flush_tally)

    def flush_tally(self) -> None:
        if self._tally_timer is not None:
            self._tally_timer.cancel()
            self._tally_timer = None
        if self._agent is not None and self._agent.open and (delta := self.tally.drain()):
            self._agent.write(link.frame(link.TALLY, delta))

    def fatal(self, why: str) -> None:
        """The room may not go on in this process, and nothing else is known for sure. The log knows the rest."""
        self.log.error("fatal", why=why)
        self.tell_agent({"type": "fault", "why": why})
        self.flush_tally()
        self._die(why)

    async def released(self) -> None:
        """The room is given back; the process is a spare again."""
        assert self.running is not None
        await self.running.let_go()
        self.running = None
        for peer in list(self._gateways):
            peer.close("the room has left this process")
        self._served += 1
        self.flush_tally()
        self.tell_agent({"type": "process", "pid": os.getpid(), "address": self._address, "served": self._served})

    # ------------------------------------------------------------ for the agent

    async def own(self, order: Own) -> dict[str, Any]:
        """Takes a room over. Refuses with ``conflict``, ``quarantine`` or, to be retried, ``storage_down``."""
        if self.running is not None:
            raise RequestRefused(Refusal("busy", f"owns {self.running.room_id}"))
        running = RunningRoom(self, order)
        try:
            seq = await running.take_over()
        except RequestRefused:
            raise
        except Conflict as conflict:
            raise RequestRefused(Refusal("conflict", str(conflict))) from conflict
        except Unavailable as down:
            raise RequestRefused(Refusal("storage_down", str(down), retry=True)) from down
        except DigestMismatch as wrong:
            raise RequestRefused(Refusal("quarantine", str(wrong))) from wrong
        except Exception as bug:
            self.log.exception("take_over_failed", room=order.room, epoch=order.epoch)
            raise RequestRefused(Refusal("quarantine", f"{type(bug).__name__}: {bug}")) from bug
        self.running = running
        running.start()
        return {"address": self._address, "seq": seq}


class _AgentHandler(BaseHandler):
    def __init__(self, process: RoomProcess, lost: asyncio.Event) -> None:
        self._process = process
        self._lost = lost

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        process = self._process
        match request["type"]:
            case "own":
                return await process.own(msgspec.convert(request["order"], Own))
            case "close":
                if process.running is None:
                    raise RequestRefused(Refusal("not_here", "no room"))
                return await process.running.expire(request["reason"])
            case "stop":
                process.stop()
                return None
            case _:
                return await super().asked(peer, request)

    def closed(self, peer: Peer, why: str) -> None:
        self._lost.set()


class _GatewayHandler(BaseHandler):
    """All gateways' links; what they bring goes into the running room's inbox."""

    def __init__(self, process: RoomProcess) -> None:
        self._process = process

    def opened(self, peer: Peer) -> None:
        self._process._gateways.add(peer)

    def closed(self, peer: Peer, why: str) -> None:
        self._process._gateways.discard(peer)
        if self._process.running is not None:
            self._process.running.put(("lost", peer, 0, b""))

    def received(self, peer: Peer, kind: int, body: bytes) -> None:
        number = link.number_of(body)
        running = self._process.running
        if running is None:
            if kind == link.ATTACH:
                peer.write(link.numbered(link.MOVED, number))
        elif kind == link.SAY:
            running.put(("say", peer, number, body[4:]))
        elif kind == link.ATTACH:
            running.put(("attach", peer, number, body[4:]))
        elif kind == link.DETACH:
            running.put(("detach", peer, number, b""))
        else:
            super().received(peer, kind, body)

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        running = self._process.running
        if request["type"] == "replay" and running is not None and running.room_id == request["room"]:
            return await running.replay(request["game"], request.get("viewer"))
        if request["type"] == "replay":
            raise RequestRefused(Refusal("moved", "the room is not here", retry=True))
        return await super().asked(peer, request)


Input = tuple[Literal["attach", "say", "detach", "lost"], Peer, int, bytes]


class RunningRoom:
    """One room on this process, from the hand-over to its release."""

    def __init__(self, process: RoomProcess, order: Own) -> None:
        self._process = process
        self._order = order
        self.room_id = order.room
        self._log: RoomLog
        self._room: Room
        self._clock: RoomClock
        self._audience: Audience[Key] = Audience()
        self._sessions: dict[Key, Session[Key]] = {}
        self._inbox: deque[tuple[float, Input]] = deque()
        self._out: dict[Peer, list[bytes]] = {}
        self._loop = asyncio.get_running_loop()
        self._woken: asyncio.Future[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._due_at: int | None = 0  # room ms of the room's next own business; 0: not known, look
        self._worker: asyncio.Task[None] | None = None
        self._down = False  # the store does not answer
        self._probe_at = 0.0  # and is asked again then
        self._summary_timer: asyncio.TimerHandle | None = None
        self._summary_sent = b""
        self._snapshot_seq = 0
        self._lonely_since = self._loop.time()
        self._ever_visited = False
        self._expiry: tuple[str, asyncio.Future[None]] | None = None
        self.logger = process.log.bind(room=order.room, epoch=order.epoch)

    # ------------------------------------------------------------ hand-over

    async def take_over(self) -> int:
        """Claims the epoch, makes the room again from its log, or creates it. Returns the last entry's seq."""
        order, process = self._order, self._process
        self._log = await process.store.room(order.room, create=not order.reading)
        try:
            if not order.reading:
                await self._log.claim(order.epoch, process.config.name, int(time.time() * 1000))
            room, unfit = await recover(self._log, GAMES.__getitem__, order.epoch, process.config.settings)
            if unfit is not None:
                self.logger.warning("snapshot_unfit", why=unfit)
            if room is None and order.reading:
                raise RequestRefused(Refusal("no_such_game", "그런 게임이 없어요"))
            if room is None:
                room = await self._create()
        except BaseException:
            await self._log.close()
            raise
        self._room = room
        self._snapshot_seq = room.seq
        self._clock = RoomClock(self._loop.time, room.at)
        room.everyone_away(room.at)
        return room.seq

    async def _create(self) -> Room:
        order = self._order
        wish = order.wish
        game = GAMES[wish.game]
        room = Room(game, order.epoch, self._process.config.settings)
        seats = game.max_players if wish.seats is None else wish.seats
        fact = Created(
            room=order.room,
            code=order.code,
            game=wish.game,
            creator=wish.creator,
            options=wish.options,
            seats=seats,
            public=wish.public,
            spectators=wish.spectators,
            auto_start=wish.auto_start,
        )
        now = int(time.time() * 1000)  # the one place where the date enters: where this room's clock starts
        decision = room.create(fact, wish.bots, now, os.urandom(32))
        if isinstance(decision, Reject):
            raise RequestRefused(Refusal(decision.code, decision.message))
        await self._log.append(order.epoch, 1, decision.entries)
        room.commit(decision)
        return room

    def identity(self) -> dict[str, Any]:
        return {"room": self.room_id, "epoch": self._order.epoch, "seq": self._room.seq, "reading": self._order.reading}

    def start(self) -> None:
        self._worker = self._loop.create_task(self._work())
        self._worker.add_done_callback(self._worker_done)
        self._summarise()

    def _worker_done(self, worker: asyncio.Task[None]) -> None:
        if not worker.cancelled() and (bug := worker.exception()) is not None:
            self.logger.error("worker_failed", exc_info=bug)
            self._process.fatal(f"{type(bug).__name__}: {bug}")

    async def let_go(self) -> None:
        """Stops the worker and closes the log. What is in the inbox is left to whoever owns the room next."""
        if self._worker is not None and self._worker is not asyncio.current_task():
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)
        for timer in (self._summary_timer, self._alarm):
            if timer is not None:
                timer.cancel()
        await self._log.close()

    # ------------------------------------------------------------ the worker

    def put(self, item: Input) -> None:
        """Gives the worker something to do. Called from the links."""
        if item[0] == "say" and len(self._inbox) >= INBOX_LIMIT:
            self._refuse_busy(item)
            return
        self._inbox.append((time.perf_counter(), item))
        self._wake()

    def _wake(self) -> None:
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)

    async def _work(self) -> None:
        while True:
            if not self._inbox:
                self._flush()
                if await self._may_rest():
                    return
                await self._sleep()
            if self._down:
                await self._probe()
            else:
                await self._own_business()
            if self._expiry is not None:
                await self._expire(*self._expiry)
            if self._inbox:
                received, item = self._inbox.popleft()
                await self._handle(received, item)

    async def _sleep(self) -> None:
        """Until there is something in the inbox, or the room has business of its own."""
        if self._inbox or self._expiry is not None:
            return
        self._woken = self._loop.create_future()
        if (seconds := self._seconds_to_wait()) is not None:
            self._set_alarm(self._loop.time() + seconds)
        try:
            await self._woken
        finally:
            self._woken = None

    def _set_alarm(self, at: float) -> None:
        """An alarm that is set for an earlier time is left: deadlines mostly move on, and it costs one look at most."""
        if self._alarm is not None and not self._alarm.cancelled() and self._alarm.when() <= at:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._loop.call_at(at, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self._wake()

    def _seconds_to_wait(self) -> float | None:
        if self._down:
            return max(0.0, self._probe_at - self._loop.time())
        waits = []
        self._due_at = self._room.wake_at(self._audience.online)
        if self._due_at is not None:
            waits.append(self._clock.seconds_until(self._due_at))
        if not self._audience and (rest := self._rest_due()) is not None:
            waits.append(max(0.0, rest - self._loop.time()))
        return min(waits, default=None)

    async def _own_business(self) -> None:
        """Timeouts, bots, absences: all that is due, before anything that came later is looked at."""
        room = self._room
        while not self._down and not self._order.reading:
            now = self._clock.now()
            if self._due_at is None or now < self._due_at:
                return
            decision = room.due(now, self._audience.online, os.urandom(32))
            while room.faults:
                self.logger.warning("bot_fault", what=room.faults.popleft())
            if decision is None:
                return
            if isinstance(decision.entries[0].fact, TimedOut):
                self._count_timeout()
            if await self._write(decision):
                self._tell(decision)
                self._after(decision)
            self._flush()

    async def _handle(self, received: float, item: Input) -> None:
        kind, peer, number, body = item
        key = (peer, number)
        self._due_at = 0
        match kind:
            case "say":
                session = self._sessions.get(key)
                if session is not None:
                    await self._said(session, body, received)
            case "attach":
                try:
                    attach = _decode_attach.decode(body)
                except msgspec.MsgspecError as bad:  # the gateway is broken, or not of our time: not the room's death
                    peer.abort(f"an attach that is none: {bad}")
                else:
                    await self._attach(key, attach)
            case "detach":
                self._detach(self._sessions.pop(key, None))
            case "lost":
                for other in [key for key in self._sessions if key[0] is peer]:
                    self._detach(self._sessions.pop(other))
        self._flush()

    # ------------------------------------------------------------ one message

    async def _said(self, session: Session[Key], body: bytes, received: float) -> None:
        try:
            said: ToRoom = _decode_message.decode(body)
        except msgspec.MsgspecError as bad:  # gateways check first; a message that gets here is their bug
            self.logger.error("undecodable", why=str(bad))
            return
        if self._down:
            no = refuse("storage_down")
            self._answer(session, Reject(said.id, no.code, no.message, retry=True))
            return
        room, tally, game = self._room, self._process.tally, self._room.game.id
        began = time.perf_counter()
        answer = self._judge(session.person, said, self._audience.online)
        decided = time.perf_counter()
        if not isinstance(answer, Decision):
            self._answer(session, answer)
            if isinstance(answer, Reject):
                self._count_action(said, "refused", answer.code)
            elif isinstance(said, Leave):  # a spectator, or one whose leaving was logged before the room moved
                self._dismiss(session, _LEFT)
            return
        asked_at = self._asked_at(session.person.player)
        if not await self._write(answer):
            no = refuse("storage_down")
            self._answer(session, Reject(said.id, no.code, no.message, retry=True))
            return
        appended = time.perf_counter()
        self._answer(session, Ack(said.id, answer.entries[0].seq))
        self._tell(answer)
        self._flush()
        told = time.perf_counter()
        self._count_action(said, "accepted", "ok")
        if isinstance(said, Act):
            tally.observe("hanpan_turn_seconds", game, told - received)
            tally.observe("hanpan_turn_decide_seconds", game, decided - began)
            tally.observe("hanpan_turn_append_seconds", game, appended - decided)
            tally.observe("hanpan_turn_tell_seconds", game, told - appended)
            if asked_at is not None:
                tally.observe("hanpan_player_seconds", game, max(0, room.at - asked_at) / 1000)
        self._after(answer)

    def _judge(self, person: Person, said: ToRoom, online: Set[str]) -> Decision | Ack | Reject:
        """What the message comes to. An engine that crashes over it has written nothing; the message is refused."""
        try:
            chance = b"" if isinstance(said, Act) else os.urandom(32)  # a move begins no game
            return self._room.judge(person, said, self._clock.now(), online, chance)
        except Exception:
            self.logger.exception("engine_error", action=said.id)
            no = refuse("engine_error")
            return Reject(said.id, no.code, no.message)

    def _asked_at(self, player: str) -> int | None:
        table = self._room.state.table
        question = table.questions.get(player) if table is not None else None
        return None if question is None else question.at

    async def _write(self, decision: Decision) -> bool:
        """Into the log, and then into being. False: the store is down, and nothing has happened as far as we know."""
        tally, kind = self._process.tally, self._process.store.kind
        began = time.perf_counter()
        try:
            await self._log.append(self._order.epoch, decision.entries[0].seq, decision.entries)
        except Conflict as conflict:
            tally.count("hanpan_log_errors_total", kind, "conflict")
            self._process.fatal(f"fenced: {conflict}")
            raise asyncio.CancelledError from conflict
        except Unavailable as down:
            tally.count("hanpan_log_errors_total", kind, "unavailable")
            self._store_is_down(str(down))
            return False
        tally.observe("hanpan_log_append_seconds", kind, time.perf_counter() - began)
        tally.count("hanpan_log_appends_total", kind)
        self._room.commit(decision)
        return True

    def _after(self, decision: Decision) -> None:
        self._process.counted()
        if decision.lobby_changed:
            self._summarise()

    # ------------------------------------------------------------ sessions

    async def _attach(self, key: Key, attach: Attach) -> None:
        room, lobby = self._room, self._room.state.lobby
        assert lobby is not None
        person = Person(attach.player, attach.name)
        if attach.room != self.room_id or self._order.reading:
            key[0].write(link.numbered(link.MOVED, key[1]))
            return
        if (bye := await self._admit(person, attach)) is not None:
            self._end(key, bye)
            return
        if (before := self._audience.of(person.player)) is not None:
            del self._sessions[before.key]
            self._end(before.key, Bye("replaced", "다른 창에서 이어서 하고 있어요"))
        session = Session(key, person)
        self._sessions[key] = session
        self._audience.enter(session)
        self._ever_visited = True
        decision = None if self._down else room.came(person, self._clock.now(), self._audience.online, b"")
        if decision is not None and await self._write(decision):
            self._tell(decision, but=session)
        missed = None if attach.seq is None else room.missed(attach.seq)
        self._send([self._audience.welcome(self._situation(), session, missed)])
        if self._down:
            self._send([Telling([session], _encode(_STORAGE_PAUSE))])
        if before is None:
            assert room.state.lobby is not None
            self._send(self._audience.tell_presence(room.state.lobby, person.player, True))
        self._summarise()

    async def _admit(self, person: Person, attach: Attach) -> Bye | None:
        """May this person come in, and with a seat where they want one? Seats them; or says why not."""
        room = self._room
        lobby = room.state.lobby
        assert lobby is not None
        if lobby.status == "closed":
            return Bye("closed", "닫힌 방이에요")
        if person.player in lobby.banned:
            return Bye("banned", "이 방에는 다시 들어올 수 없어요")
        if lobby.seat_of(person.player) is not None:
            return None
        refused = False
        if attach.join == "seat" and lobby.status != "playing":
            if self._down:
                return Bye("unavailable", "방이 잠시 멈췄어요", again=True, after=1000)
            sit = Sit(f"join.{self._order.epoch}.{room.seq}")
            online = self._audience.online | {person.player}
            decision = self._judge(person, sit, online)
            if isinstance(decision, Decision):
                if not await self._write(decision):
                    return Bye("unavailable", "방이 잠시 멈췄어요", again=True, after=1000)
                self._tell(decision)
                self._after(decision)
                return None
            refused = isinstance(decision, Reject)
        if lobby.spectators or (lobby.status != "playing" and not refused):
            return None
        if attach.join == "seat":
            return Bye("room_full", "빈자리가 없어요")
        return _NOT_PUBLIC

    def _detach(self, session: Session[Key] | None) -> None:
        if session is None or not self._audience.leave(session):
            return
        lobby = self._room.state.lobby
        assert lobby is not None
        player = session.person.player
        self._room.went(player, self._clock.now())
        self._send(self._audience.tell_presence(lobby, player, False))
        if not self._audience:
            self._lonely_since = self._loop.time()
        self._summarise()

    # ------------------------------------------------------------ telling

    def _situation(self) -> Situation:
        room = self._room
        return Situation(room.game, room.state, room.legal, room.seq, self._clock.now())

    def _tell(self, decision: Decision, but: Session[Key] | None = None) -> None:
        self._send_watchers_away(decision.entries)
        tellings = self._audience.tell_step(
            self._situation(),
            decision.outcome.events,
            lobby_changed=decision.lobby_changed,
            game_changed=decision.game_changed,
        )
        self._send(tellings, but)
        self._send_away(decision.entries)

    def _send_watchers_away(self, entries: Sequence[Entry]) -> None:
        """In a room without spectators nobody watches a game: they go when it begins, or when the host says so."""
        lobby = self._room.state.lobby
        assert lobby is not None
        if lobby.spectators or lobby.status != "playing":
            return
        if any(isinstance(entry.fact, Began | RoomSet) for entry in entries):
            for session in self._audience.sessions():
                if lobby.seat_of(session.person.player) is None:
                    self._dismiss(session, _NOT_PUBLIC)

    def _send_away(self, entries: Sequence[Entry]) -> None:
        """Those who left, were kicked, or whose room was closed, hear their Bye last."""
        for entry in entries:
            kind = entry.fact.__struct_config__.tag
            if kind in ("leave", "kick"):
                session = self._audience.of(entry.fact.player)  # type: ignore[union-attr]
                if session is not None:
                    self._dismiss(session, _LEFT if kind == "leave" else Bye("kicked", "방장이 내보냈어요"))
            elif kind == "close":
                for session in self._audience.sessions():
                    self._dismiss(session, Bye("closed", "방이 닫혔어요"))

    def _dismiss(self, session: Session[Key], bye: Bye) -> None:
        self._sessions.pop(session.key, None)
        self._audience.leave(session)
        self._end(session.key, bye)
        if not self._audience:
            self._lonely_since = self._loop.time()

    def _send(self, tellings: Sequence[Telling[Key]], but: Session[Key] | None = None) -> None:
        for telling in tellings:
            if len(telling.to) == 1 and telling.to[0] is not but:  # a player's own; by far the most
                peer, number = telling.to[0].key
                self._out.setdefault(peer, []).append(link.tell(telling.seq, (number,), telling.message))
                continue
            numbers: dict[Peer, list[int]] = {}
            for session in telling.to:
                if session is not but:
                    peer, number = session.key
                    numbers.setdefault(peer, []).append(number)
            for peer, group in numbers.items():
                self._out.setdefault(peer, []).append(link.tell(telling.seq, group, telling.message))

    def _answer(self, session: Session[Key], answer: Ack | Reject) -> None:
        peer, number = session.key
        self._out.setdefault(peer, []).append(link.answer(number, answer.id, _encode(answer)))

    def _end(self, key: Key, bye: Bye) -> None:
        peer, number = key
        self._out.setdefault(peer, []).append(link.numbered(link.END, number, _encode(bye)))

    def _flush(self) -> None:
        """One write for each gateway, whatever there is to say."""
        out, self._out = self._out, {}
        for peer, frames in out.items():
            peer.write(frames[0] if len(frames) == 1 else b"".join(frames))

    def _refuse_busy(self, item: Input) -> None:
        _, peer, number, body = item
        try:
            said = _decode_message.decode(body)
        except msgspec.MsgspecError:
            return
        answer = Reject(said.id, "busy", "방이 바빠요. 잠시 뒤에 다시 해 주세요", retry=True)
        peer.write(link.answer(number, said.id, _encode(answer)))

    # ------------------------------------------------------------ the store is down

    def _store_is_down(self, why: str) -> None:
        self.logger.error("store_down", why=why)
        self._down = True
        self._probe_at = self._loop.time() + PROBE_SECONDS
        self._clock.pause()
        self._send(self._audience.tell_all(_STORAGE_PAUSE))

    async def _probe(self) -> None:
        """Is the store back? Then first learn whether it took what we believe it did not."""
        room = self._room
        if self._loop.time() < self._probe_at:
            return
        self._probe_at = self._loop.time() + PROBE_SECONDS
        try:
            for entry in await self._log.read(room.seq):
                room.replay((entry,))
                self._tell_replayed(entry)
            await self._log.save_snapshot(self._order.epoch, Snapshot(room.seq, room.save()))
        except Unavailable:
            return
        except Conflict as conflict:
            self._process.fatal(f"fenced: {conflict}")
            raise asyncio.CancelledError from conflict
        self._snapshot_seq = room.seq
        self._down = False
        self._clock.resume()
        deadline = room.deadline()
        left = None if deadline is None else max(0, deadline - self._clock.now())
        self._send(self._audience.tell_all(Resume(left)))
        self.logger.info("store_back")
        self._flush()

    def _tell_replayed(self, entry: Entry) -> None:
        """An entry that was durable although its append failed: its sender never got an answer, and asks again."""
        room = self._room
        _, events = room.missed(entry.seq - 1)[-1]  # type: ignore[index]
        self._send_watchers_away((entry,))
        self._send(self._audience.tell_step(self._situation(), events, lobby_changed=True, game_changed=True))
        self._send_away((entry,))
        self._summarise()

    # ------------------------------------------------------------ between times

    async def _may_rest(self) -> bool:
        """Keeps the snapshot fresh; and gives the room back when nobody needs it. True: it is given back."""
        room = self._room
        if not self._down and not self._order.reading and room.seq - self._snapshot_seq >= SNAPSHOT_EVERY:
            self._snapshot_seq = room.seq
            try:
                await self._log.save_snapshot(self._order.epoch, Snapshot(room.seq, room.save()))
            except Unavailable as down:
                self.logger.warning("no_snapshot", why=str(down))
            except Conflict as conflict:
                self._process.fatal(f"fenced: {conflict}")
                return True
        if self._audience or self._inbox or self._down:
            return False
        rest = self._rest_due()
        if rest is None or self._loop.time() < rest:
            return False
        return await self._release()

    def _rest_due(self) -> float | None:
        """When a room in which nobody is may be given back."""
        lobby, settings = self._room.state.lobby, self._process.config.settings
        assert lobby is not None
        if self._order.reading:
            return self._lonely_since + REPLAY_IDLE_SECONDS
        if lobby.status == "closed":
            return self._lonely_since
        if not self._room.can_park():
            # Timeouts alone can keep a game going for thousands of turns, for nobody. Nothing is lost: its clock stands
            # still meanwhile, and the first who comes back finds it as it was (BG-50).
            return self._lonely_since + settings.abandoned_after / 1000
        unused = not self._ever_visited and not lobby.people()
        return self._lonely_since + (settings.unused_after if unused else settings.park_after) / 1000

    async def _release(self) -> bool:
        lobby = self._room.state.lobby
        assert lobby is not None
        if lobby.status != "closed" and not lobby.people() and not self._order.reading:
            decision = self._room.expire("empty", self._clock.now())
            if not await self._write(decision):
                return False
        state = "reading" if self._order.reading else "closed" if self._closed() else "parked"
        request = {"type": "release", **self.identity(), "state": state, "summary": self._summary()}
        try:
            await self._process.ask_agent(request, 5.0)
        except (LinkLost, TimeoutError, RequestRefused) as no:
            if isinstance(no, RequestRefused) and no.refusal.code == "conflict":
                self._process.fatal(f"fenced: {no}")
                return True
            self.logger.warning("not_released", why=str(no))
            self._lonely_since = self._loop.time() + RELEASE_AGAIN_SECONDS
            return False
        self.logger.info("released", state=state, seq=self._room.seq)
        await self._process.released()
        return True

    def _closed(self) -> bool:
        lobby = self._room.state.lobby
        return lobby is not None and lobby.status == "closed"

    async def expire(self, reason: str) -> None:
        """The cluster closes the room."""
        done: asyncio.Future[None] = self._loop.create_future()
        self._expiry = (reason, done)
        self._wake()
        async with asyncio.timeout(5):
            await done

    async def _expire(self, reason: str, done: asyncio.Future[None]) -> None:
        self._expiry = None
        if not self._closed():
            decision = self._room.expire(reason, self._clock.now())
            # While the store is down, the log may hold an entry that we do not know of: first `_probe`.
            if self._down or not await self._write(decision):
                if not done.done():
                    done.set_exception(RequestRefused(Refusal("storage_down", "the store does not answer", retry=True)))
                return
            self._tell(decision)
            self._flush()
        self._lonely_since = 0.0
        if not done.done():
            done.set_result(None)

    async def replay(self, game: int, viewer: str | None) -> dict[str, Any]:
        """A finished game, step by step, as this viewer saw it."""
        if not self._audience:
            self._lonely_since = self._loop.time()
        return replay_of(await self._log.read(), GAMES.__getitem__, game, viewer)

    def _summarise(self) -> None:
        """The directory is to know how things stand, soon."""
        if self._summary_timer is None:
            self._summary_timer = self._loop.call_later(SUMMARY_SECONDS, self._send_summary)

    def _send_summary(self) -> None:
        self._summary_timer = None
        summary = self._summary()
        if (text := _encode(summary)) != self._summary_sent:
            self._summary_sent = text
            self._process.tell_agent({"type": "summary", **self.identity(), "summary": summary})

    def _summary(self) -> RoomSummary:
        lobby = self._room.state.lobby
        assert lobby is not None
        taken = lobby.taken()
        return RoomSummary(
            id=lobby.room,
            code=lobby.code,
            game=lobby.game,
            status=lobby.status,
            public=lobby.public,
            spectators=lobby.spectators,
            seats=len(lobby.seats),
            taken=len(taken),
            online=len(self._audience),
            host_name=next((seat.name for seat in taken if seat.player == lobby.host), ""),
            games=lobby.games,
        )

    # ------------------------------------------------------------ counting

    def _count_action(self, said: ToRoom, outcome: str, code: str) -> None:
        if isinstance(said, Act):
            self._process.tally.count("hanpan_actions_total", self._room.game.id, outcome, code)
            self._process.counted()

    def _count_timeout(self) -> None:
        state = self._room.state.table
        phase = getattr(state.state, "phase", "") if state is not None else ""
        self._process.tally.count("hanpan_timeouts_total", self._room.game.id, str(phase))
        self._process.counted()


_LEFT = Bye("left", "방에서 나왔어요")
_NOT_PUBLIC = Bye("not_public", "구경할 수 없는 방이에요")
_STORAGE_PAUSE = Pause("storage", "방이 잠시 멈췄어요. 곧 이어서 할 수 있어요")
