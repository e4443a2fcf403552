"""A room while it runs: from the hand-over to its release.

    links ──▶ inbox ──▶ one worker: judge, append, commit, tell ──▶ doors ──▶ links
                            ▲ an alarm

Everything that touches the room happens in the worker, one thing after the other. The worker waits for the log, and for
its agent's answer when it gives back a room in which nobody is; writing to a link never waits. Randomness, time and the
store come in from here, and only here.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Sequence, Set
from itertools import islice
from typing import Any, Literal, Protocol
from zlib import crc32

import msgspec

from cluster import link
from cluster.client import CreateRoom, RoomReport, Someone
from cluster.clock import RoomClock
from cluster.counting import RoomCounts
from cluster.doors import Doors, Key
from cluster.entries import Began, Closed, Entry, Kicked, Left, RoomSet, TimedOut
from cluster.faults import place_of
from cluster.link import Attach, Refusal
from cluster.link_io import LinkLost, Peer, RequestRefused
from cluster.log import Conflict, Logs, RoomLog, Snapshot, Unavailable
from cluster.messages import Ack, Act, Bye, Leave, Pause, Reject, Resume, Sit, ToRoom
from cluster.recovery import FindGame, find, recover
from cluster.replay import Shown, shown
from cluster.room.audience import Session, Situation, Telling
from cluster.room.decide import Person, first_fact
from cluster.room.lock import is_invitation, is_password
from cluster.room.refusals import refuse
from cluster.room.room import Decision, Room, Settings
from cluster.room.state import Lobby
from engines.catalog import Catalog
from ops.metrics import Tally

SNAPSHOT_EVERY = 64  # entries at most; a replay of so many costs about as much as reading the snapshot
INBOX_LIMIT = 1024  # messages waiting for the worker; past it they are refused as busy
COMING_LIMIT = 2048  # and past that those who come are asked to come again; after a move everybody comes at once
PAST_LIMIT = 8  # replays and evidence that may be asked for at a time; past it they are refused as busy
RELEASE_AGAIN_SECONDS = 1.0  # a room that nobody takes back (the agent or the directory is away) is offered again
PROBE_SECONDS = 0.25  # how often a silent store is asked again
PREPARE_SECONDS = 1.0  # from the hand-over until the log is made ready: people come in meanwhile, and it takes a while
SLOW_TURN_SECONDS = 0.25  # a turn that took longer is logged, with its parts
SUMMARY_SECONDS = 0.5  # the directory hears of changes at most so often
WATCHING_REPORTED = 50  # spectators that it hears the names of
WATCHING_SECONDS = 0.25  # everybody hears of spectators who come and go at most so often,
WATCHING_TOLD = 50  # and the more people there are, the less often: so many are told of it a second
TRIES, TRIES_SECONDS = 20, 60.0  # wrong passwords of a room in so long; past that nobody's is looked at
REPLAY_IDLE_SECONDS = 10.0  # a process that was only asked to read gives the room back after so long

_encode = msgspec.json.Encoder().encode
_decode_message: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ToRoom)
_decode_attach = msgspec.json.Decoder(Attach)

Past = Callable[[list[Entry], FindGame, int, str | None], dict[str, Any]]
Input = tuple[Literal["attach", "say", "detach", "lost"], Peer, int, bytes]


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
    host: str  # the address to listen on
    found_at: str = ""  # and to be found at by gateways, where that is another: behind a NAT, or a proxy
    ports: str = "0"  # the port there; 0: any, 20000-29999: one of these
    settings: Settings = Settings()


class Home(Protocol):
    """What a room needs of the process that it runs in."""

    config: HostConfig
    store: Logs
    tally: Tally
    games: Catalog
    log: Any

    def tell_agent(self, notice: dict[str, Any]) -> None: ...

    async def ask_agent(self, request: dict[str, Any], seconds: float) -> Any: ...

    def counted(self) -> None:
        """Something was counted: the agent hears of it soon."""

    def fatal(self, why: str) -> None:
        """The room may not go on in this process."""

    async def released(self) -> None:
        """The room is given back."""


class RunningRoom:
    """One room on this process, from the hand-over to its release."""

    def __init__(self, home: Home, order: Own) -> None:
        self._home = home
        self._order = order
        self.room_id = order.room
        self._log: RoomLog
        self._room: Room
        self._clock: RoomClock
        self._doors = Doors()
        self._audience = self._doors.audience
        self._inbox: deque[tuple[float, Input]] = deque()
        self._loop = asyncio.get_running_loop()
        self._woken: asyncio.Future[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._due_at: int | None = 0  # room ms of the room's next own business; 0: not known, look
        self._worker: asyncio.Task[None] | None = None
        self._let_go = False
        self._prepare_at: float | None = self._loop.time() + PREPARE_SECONDS  # the log, for many appends; None: it is
        self._down = False  # the store does not answer
        self._probe_at = 0.0  # and is asked again then
        # What was being written then: it may have happened, and is answered when that is known. Whose, and which id.
        self._held: tuple[float, Input] | None = None
        self._held_of: tuple[str, str] | None = None
        self._summary_timer: asyncio.TimerHandle | None = None
        self._summary_sent = b""
        self._watching_timer: asyncio.TimerHandle | None = None
        self._watching_news: tuple[str, bool] | None = None  # of a spectator, for when it has run out
        self._snapshot_at = 0  # the entry after which the next snapshot is due
        self._lonely_since = self._loop.time()
        self._release_at = 0.0  # not before then is it offered again, where nobody took it back
        self._ever_visited = False
        self._replaying = asyncio.Lock()
        self._tried: deque[float] = deque()  # when wrong passwords came
        self._past_asked = 0
        self._shown: list[Shown] = []  # to whom its games may be shown; the last one perhaps to fewer by now
        self._expiry: tuple[str, asyncio.Future[None]] | None = None
        self.logger = home.log.bind(room=order.room, epoch=order.epoch)
        self._counts = RoomCounts(home.tally, home.store.kind)

    # ------------------------------------------------------------ hand-over

    async def take_over(self) -> int:
        """Claims the epoch, makes the room again from its log, or creates it. Returns the last entry's seq.

        Raises `CannotPlay`, before anything is claimed where the game is not here at all.
        """
        order, home = self._order, self._home
        began = time.perf_counter()
        find(home.games.__getitem__, order.wish.game)
        self._log = await home.store.room(order.room, create=not order.reading)
        try:
            if not order.reading:
                await self._log.claim(order.epoch, home.config.name, int(time.time() * 1000))
            room, unfit = await recover(self._log, home.games.__getitem__, order.epoch, home.config.settings)
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
        # Rooms that began together would all be there together: each has its own first stretch, always the same one.
        self._snapshot_at = room.seq + 1 + crc32(order.room.encode()) % SNAPSHOT_EVERY
        self._clock = RoomClock(self._loop.time, room.at)
        room.everyone_away(room.at)
        assert room.state.lobby is not None
        self._counts.took_over(room.game, room.state.lobby, time.perf_counter() - began)
        self._count_phase()
        self._home.counted()
        return room.seq

    async def _create(self) -> Room:
        order = self._order
        wish = order.wish
        game = self._home.games[wish.game]
        room = Room(game, order.epoch, self._home.config.settings)
        fact = first_fact(wish, order.room, order.code, game)
        now = int(time.time() * 1000)  # the one place where the date enters: where this room's clock starts
        decision = room.create(fact, wish.bots, now, os.urandom(32))
        if isinstance(decision, Reject):
            raise RequestRefused(Refusal(decision.code, decision.message))
        await self._log.append(order.epoch, 1, decision.entries)
        room.commit(decision)
        return room

    def identity(self) -> dict[str, Any]:
        return {
            "room": self.room_id,
            "epoch": self._order.epoch,
            "seq": self._room.seq,
            "version": self.version,
            "reading": self._order.reading,
        }

    @property
    def version(self) -> int:
        """The state version of the game on the table; 0 without one. Who owns the room next must know it."""
        table = self._room.state.table
        return 0 if table is None else table.state_version

    def start(self) -> None:
        self._worker = self._loop.create_task(self._work())
        self._worker.add_done_callback(self._worker_done)
        self._summarise()

    def _worker_done(self, worker: asyncio.Task[None]) -> None:
        if not worker.cancelled() and (bug := worker.exception()) is not None:
            self.logger.error("worker_failed", bug=place_of(bug))
            self._home.fatal(place_of(bug))

    async def let_go(self) -> None:
        """Stops the worker and closes the log. What is in the inbox is left to whoever owns the room next."""
        self._let_go = True
        if self._worker is not None and self._worker is not asyncio.current_task():
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)
        if self._expiry is not None:
            _, done = self._expiry
            _settle(done, _not_here())
            self._expiry = None
        for timer in (self._summary_timer, self._watching_timer, self._alarm):
            if timer is not None:
                timer.cancel()
        self._counts.sessions(None, [])
        self._counts.paused(False)
        await self._log.close()

    # ------------------------------------------------------------ the worker

    def put(self, item: Input) -> None:
        """Gives the worker something to do. Called from the links."""
        if len(self._inbox) >= INBOX_LIMIT and self._turned_away(item):
            return
        self._inbox.append((time.perf_counter(), item))
        self._wake()

    def _wake(self) -> None:
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)

    async def _work(self) -> None:
        while True:
            if not self._inbox:
                self._doors.flush()
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

    @property
    def _writes(self) -> bool:
        """Can it write to the log just now?"""
        return not self._down and not self._order.reading

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
        if not self._audience:
            waits.append(max(0.0, self._rest_due() - self._loop.time()))
        if self._prepare_at is not None and self._writes:
            waits.append(max(0.0, self._prepare_at - self._loop.time()))
        return min(waits, default=None)

    async def _own_business(self) -> None:
        """Timeouts, bots, absences: all that is due, before anything that came later is looked at."""
        room = self._room
        while self._writes:
            now = self._clock.now()
            if self._due_at is None or now < self._due_at:
                return
            decision = room.due(now, self._audience.online, os.urandom(32))
            while room.faults:
                self.logger.warning("bot_fault", what=room.faults.popleft())
                self._counts.bot_fault(room.game.id)
            if decision is None:
                return
            timed_out = self._phase() if isinstance(decision.entries[0].fact, TimedOut) else None
            if await self._write(decision):
                if timed_out is not None:
                    assert room.state.lobby is not None
                    self._counts.timed_out(room.game, room.state.lobby, timed_out)
                self._tell(decision)
                self._after(decision)
            self._doors.flush()

    async def _handle(self, received: float, item: Input) -> None:
        kind, peer, number, body = item
        key = (peer, number)
        self._due_at = 0
        match kind:
            case "say":
                if (session := self._doors.of(key)) is not None:
                    await self._said(session, body, received)
            case "attach":
                try:
                    attach = _decode_attach.decode(body)
                except msgspec.MsgspecError as bad:  # the gateway is broken, or not of our time: not the room's death
                    peer.abort(f"an attach that is none: {bad}")
                else:
                    await self._attach(key, attach)
            case "detach":
                if (session := self._doors.of(key)) is not None:
                    self._detach(session)
            case "lost":
                for session in self._doors.over(peer):
                    self._detach(session)
        self._doors.flush()

    # ------------------------------------------------------------ one message

    async def _said(self, session: Session[Key], body: bytes, received: float) -> None:
        try:
            said: ToRoom = _decode_message.decode(body)
        except msgspec.MsgspecError as bad:  # gateways check first; a message that gets here is their bug
            self.logger.error("undecodable", why=str(bad))
            return
        if self._down:
            if (session.person.player, said.id) == self._held_of:
                self._held = received, ("say", *session.key, body)  # the same again, by a newer session perhaps
                return
            no = refuse("storage_down")
            self._doors.answer(session, Reject(said.id, no.code, no.message, retry=True))
            return
        room = self._room
        began = time.perf_counter()
        answer = self._judge(session.person, said, self._audience.online)
        decided = time.perf_counter()
        if not isinstance(answer, Decision):
            self._doors.answer(session, answer)
            if isinstance(answer, Reject):
                if isinstance(said, Act):
                    self._counts.refused(room.game.id, answer.code)
                    self._home.counted()
            elif isinstance(said, Leave):  # a spectator, or one whose leaving was logged before the room moved
                self._dismiss(session, _LEFT)
            return
        asked_at = self._asked_at(session.person.player)
        if not await self._write(answer):
            self._held_of = session.person.player, said.id
            self._held = received, ("say", *session.key, body)
            return
        appended = time.perf_counter()
        self._doors.answer(session, Ack(said.id, answer.entries[0].seq))
        self._tell(answer)
        self._doors.flush()
        if isinstance(said, Act):
            self._count_turn(said, received, began, decided, appended, asked_at)
        self._after(answer)

    def _judge(self, person: Person, said: ToRoom, online: Set[str]) -> Decision | Ack | Reject:
        """What the message comes to. An engine that crashes over it has written nothing; the message is refused."""
        try:
            chance = b"" if isinstance(said, Act) else os.urandom(32)  # a move begins no game
            return self._room.judge(person, said, self._clock.now(), online, chance)
        except Exception as bug:
            self.logger.error("engine_error", action=said.id, bug=place_of(bug))
            no = refuse("engine_error")
            answer = Reject(said.id, no.code, no.message)
            self._room.refused(person, answer)
            return answer

    def _count_turn(
        self, said: Act, received: float, began: float, decided: float, appended: float, asked_at: int | None
    ) -> None:
        """An accepted action, after everyone was told."""
        room, told = self._room, time.perf_counter()
        assert room.state.lobby is not None
        self._counts.turn(
            room.game,
            room.state.lobby,
            whole=told - received,
            decide=decided - began,
            append=appended - decided,
            tell=told - appended,
            player=None if asked_at is None else max(0, room.at - asked_at) / 1000,
        )
        if told - received > SLOW_TURN_SECONDS:  # the way from a dashboard to the rooms that it is about
            self.logger.warning(
                "slow_turn",
                action=said.id,
                seconds=round(told - received, 4),
                waited=round(began - received, 4),
                decide=round(decided - began, 4),
                append=round(appended - decided, 4),
                tell=round(told - appended, 4),
            )

    def _count_phase(self) -> None:
        room, lobby = self._room, self._room.state.lobby
        if lobby is not None and lobby.status == "playing":
            self._counts.plays_in(room.game, lobby, self._phase())

    def _asked_at(self, player: str) -> int | None:
        table = self._room.state.table
        question = table.questions.get(player) if table is not None else None
        return None if question is None else question.at

    async def _write(self, decision: Decision) -> bool:
        """Into the log, and then into being. False: the store is down, and nothing has happened as far as we know."""
        began = time.perf_counter()
        try:
            await self._log.append(self._order.epoch, decision.entries[0].seq, decision.entries)
        except Conflict as conflict:
            self._counts.store_error("conflict")
            self._home.fatal(f"fenced: {conflict}")
            raise asyncio.CancelledError from conflict
        except Unavailable as down:
            self._store_is_down(str(down), decision.entries[0].at)
            return False
        self._counts.appended(time.perf_counter() - began)
        before = self._room.state
        self._room.commit(decision)
        if decision.lobby_changed:
            self._counts.stepped(self._room.game, before, self._room.state)
        return True

    def _after(self, decision: Decision) -> None:
        self._home.counted()
        self._count_phase()
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
            self._doors.end(key, bye)
            return
        session = Session(key, person)
        if (before := self._doors.enter(session)) is not None:
            self._doors.end(before.key, Bye("replaced", "다른 창에서 이어서 하고 있어요"))
        self._ever_visited = True
        decision = None if self._down else room.came(person, self._clock.now(), self._audience.online, b"")
        if decision is not None and await self._write(decision):
            self._tell(decision, but=session)
        missed = None if attach.seq is None else room.missed(attach.seq)
        self._doors.send([self._audience.welcome(self._situation(), session, missed)])
        if self._down:
            self._doors.send([Telling([session], _encode(_STORAGE_PAUSE))])
        if before is None:
            self._tell_presence(person.player, True)
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
        if lobby.lock and (no := self._locked_out(person, attach)) is not None:
            return no
        if self._crowded(person.player):
            return _CROWDED
        refused = False
        if attach.join == "seat" and lobby.status != "playing":
            if self._down:
                return Bye("unavailable", "방이 잠시 멈췄어요", again=True, after=1000)
            sit = Sit(f"join.{self._order.epoch}.{room.seq}", pledge=attach.pledge)
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

    def _locked_out(self, person: Person, attach: Attach) -> Bye | None:
        """Why somebody without a seat may not come into a locked room, if so."""
        lobby = self._room.state.lobby
        assert lobby is not None
        if attach.admitted or person.player == lobby.creator or is_invitation(lobby.invite, attach.key):
            return None
        if not attach.key:
            return _LOCKED
        now = self._loop.time()
        while self._tried and self._tried[0] <= now - TRIES_SECONDS:
            self._tried.popleft()
        if len(self._tried) >= TRIES:
            return _TRIED_ENOUGH
        if is_password(lobby.lock, attach.key):
            return None
        self._tried.append(now)
        return _WRONG_KEY

    def _crowded(self, player: str) -> bool:
        """Are there as many people without a seat as may be? Whoever is among them only takes over from themselves."""
        lobby = self._room.state.lobby
        assert lobby is not None
        if self._audience.of(player) is not None:
            return False
        return self._audience.watching(lobby) >= self._home.config.settings.watchers

    def _detach(self, session: Session[Key]) -> None:
        if not self._doors.leave(session):
            return
        player = session.person.player
        self._room.went(player, self._clock.now())
        self._tell_presence(player, False)
        if not self._audience:
            self._lonely_since = self._loop.time()
        self._summarise()

    # ------------------------------------------------------------ telling

    def _situation(self) -> Situation:
        room = self._room
        return Situation(room.game, room.state, room.legal, room.seq, self._clock.now())

    def _tell(self, decision: Decision, but: Session[Key] | None = None) -> None:
        if decision.lobby_changed:
            self._send_kicked_away(decision.entries)
            self._send_watchers_away(decision.entries)
        tellings = self._audience.tell_step(
            self._situation(),
            decision.outcome.events,
            lobby_changed=decision.lobby_changed,
            game_changed=decision.game_changed,
        )
        self._doors.send(tellings, but)
        if decision.lobby_changed:
            self._send_away(decision.entries)

    def _tell_presence(self, player: str, online: bool) -> None:
        """To everyone else: this person came, or went.

        At once of whoever has a seat. Of spectators all that matters is how many they are, and each one told to all the
        others would grow with the square of them: of many who come and go, the last one is told for all.
        """
        lobby = self._room.state.lobby
        assert lobby is not None
        if lobby.seat_of(player) is None:
            if self._watching_timer is not None:
                self._watching_news = (player, online)
                return
            rest = max(WATCHING_SECONDS, len(self._audience) / WATCHING_TOLD)
            self._watching_timer = self._loop.call_later(rest, self._tell_watching)
        self._doors.send(self._audience.tell_presence(lobby, player, online))

    def _tell_watching(self) -> None:
        """What was held back of spectators."""
        self._watching_timer = None
        if self._watching_news is not None:
            news, self._watching_news = self._watching_news, None
            self._tell_presence(*news)
            self._doors.flush()

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

    def _send_kicked_away(self, entries: Sequence[Entry]) -> None:
        """Before anybody is told: the room's new invitation is not for them."""
        for entry in entries:
            if isinstance(entry.fact, Kicked) and (session := self._audience.of(entry.fact.player)) is not None:
                self._dismiss(session, _KICKED)

    def _send_away(self, entries: Sequence[Entry]) -> None:
        """Those who left, or whose room was closed, hear their Bye last."""
        for entry in entries:
            match entry.fact:
                case Left(player=player):
                    if (session := self._audience.of(player)) is not None:
                        self._dismiss(session, _LEFT)
                case Closed():
                    for session in self._audience.sessions():
                        self._dismiss(session, Bye("closed", "방이 닫혔어요"))
                case _:
                    pass

    def _dismiss(self, session: Session[Key], bye: Bye) -> None:
        self._doors.leave(session)
        self._doors.end(session.key, bye)
        if not self._closed():  # of a closed room everybody hears the same
            self._tell_presence(session.person.player, False)
        self._summarise()
        if not self._audience:
            self._lonely_since = self._loop.time()

    def _turned_away(self, item: Input) -> bool:
        """The inbox is full: messages are refused, and somewhat later those who come are, too.

        Not so what says that a session or a link is gone: there is one at most for each that was let in.
        """
        kind, peer, number, body = item
        if kind == "attach" and len(self._inbox) >= COMING_LIMIT:
            peer.write(link.numbered(link.END, number, _encode(_TOO_MANY)))
        elif kind != "say":
            return False
        else:
            self._refuse_busy(peer, number, body)
        return True

    def _refuse_busy(self, peer: Peer, number: int, body: bytes) -> None:
        try:
            said = _decode_message.decode(body)
        except msgspec.MsgspecError:
            return
        answer = Reject(said.id, "busy", "방이 바빠요. 잠시 뒤에 다시 해 주세요", retry=True)
        peer.write(link.answer(number, said.id, _encode(answer)))

    # ------------------------------------------------------------ the store is down

    def _store_is_down(self, why: str, since: int) -> None:
        """``since``: the room ms at which the write was decided that came to nothing."""
        self.logger.error("store_down", why=why)
        self._down = True
        self._store_error()
        self._counts.paused(True)
        self._probe_at = self._loop.time() + PROBE_SECONDS
        self._clock.back_to(since)
        self._clock.pause()
        self._doors.send(self._audience.tell_all(_STORAGE_PAUSE))

    def _store_error(self) -> None:
        self._counts.store_error("unavailable")
        self._home.counted()

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
            self._store_error()
            return
        except Conflict as conflict:
            self._counts.store_error("conflict")
            self._home.fatal(f"fenced: {conflict}")
            raise asyncio.CancelledError from conflict
        if self._held is not None:
            self._inbox.appendleft(self._held)  # it did not happen: now it is done, if it can be, before all else
            self._held = self._held_of = None
        self._snapshot_at = room.seq + SNAPSHOT_EVERY
        self._counts.snapshot()
        self._down = False
        self._counts.paused(False)
        self._home.counted()
        self._clock.resume()
        deadline = room.deadline()
        left = None if deadline is None else max(0, deadline - self._clock.now())
        self._doors.send(self._audience.tell_all(Resume(left)))
        self.logger.info("store_back")
        self._doors.flush()

    def _tell_replayed(self, entry: Entry) -> None:
        """An entry that was durable although its append failed: its sender has had no answer yet."""
        room = self._room
        if self._held is not None and (entry.who, entry.id) == self._held_of:
            _, (_, peer, number, _) = self._held
            if (session := self._doors.of((peer, number))) is not None:
                self._doors.answer(session, Ack(str(entry.id), entry.seq))
            self._held = self._held_of = None
        _, events = room.missed(entry.seq - 1)[-1]  # type: ignore[index]
        self._send_kicked_away((entry,))
        self._send_watchers_away((entry,))
        self._doors.send(self._audience.tell_step(self._situation(), events, lobby_changed=True, game_changed=True))
        self._send_away((entry,))
        self._summarise()

    # ------------------------------------------------------------ between times

    async def _may_rest(self) -> bool:
        """Keeps log and snapshot ready, and gives the room back when nobody needs it. True: it is given back."""
        room = self._room
        if self._prepare_at is not None and self._loop.time() >= self._prepare_at and self._writes:
            self._prepare_at, at = None, self._clock.now()
            try:
                await self._log.prepare()
            except Unavailable as down:
                self.logger.warning("not_prepared", why=str(down))
                self._clock.back_to(at)  # who spoke meanwhile is not heard too late for that
        if self._writes and room.seq >= self._snapshot_at:
            self._snapshot_at, at = room.seq + SNAPSHOT_EVERY, self._clock.now()
            try:
                await self._log.save_snapshot(self._order.epoch, Snapshot(room.seq, room.save()))
                self._counts.snapshot()
            except Unavailable as down:
                self.logger.warning("no_snapshot", why=str(down))
                self._clock.back_to(at)
            except Conflict as conflict:
                self._home.fatal(f"fenced: {conflict}")
                return True
        if self._audience or self._inbox or self._down:
            return False
        if self._loop.time() < self._rest_due():
            return False
        return await self._release()

    def _rest_due(self) -> float:
        """When a room in which nobody is may be given back."""
        return max(self._release_at, self._lonely_since + self._rest_after())

    def _rest_after(self) -> float:
        """How long it must have been empty, in seconds."""
        lobby, settings = self._room.state.lobby, self._home.config.settings
        assert lobby is not None
        if self._order.reading:
            return REPLAY_IDLE_SECONDS
        if lobby.status == "closed":
            return 0.0
        if not self._room.can_park():
            # Timeouts alone can keep a game going for thousands of turns, for nobody. Nothing is lost: its clock stands
            # still meanwhile, and the first who comes back finds it as it was (BG-50).
            return settings.abandoned_after / 1000
        unused = not self._ever_visited and not lobby.people()
        return (settings.unused_after if unused else settings.park_after) / 1000

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
            await self._home.ask_agent(request, 5.0)
        except (LinkLost, TimeoutError, RequestRefused) as no:
            if isinstance(no, RequestRefused) and no.refusal.code == "conflict":
                self._home.fatal(f"fenced: {no}")
                return True
            self.logger.warning("not_released", why=str(no))
            self._release_at = self._loop.time() + RELEASE_AGAIN_SECONDS
            return False
        self.logger.info("released", state=state, seq=self._room.seq)
        await self._home.released()
        return True

    def _closed(self) -> bool:
        lobby = self._room.state.lobby
        return lobby is not None and lobby.status == "closed"

    async def expire(self, reason: str) -> None:
        """The cluster closes the room. Whoever asks for it again meanwhile waits for the same.

        Refuses ``storage_down``, or ``not_here`` where the room is given back first. Raises `TimeoutError`: then it may
        still be closed.
        """
        if self._let_go:
            raise _not_here()
        if self._expiry is None:
            self._expiry = (reason, self._loop.create_future())
        _, done = self._expiry
        self._wake()
        async with asyncio.timeout(5):
            await asyncio.shield(done)

    async def _expire(self, reason: str, done: asyncio.Future[None]) -> None:
        if not self._closed():
            decision = self._room.expire(reason, self._clock.now())
            # While the store is down, the log may hold an entry that we do not know of: first `_probe`.
            if self._down or not await self._write(decision):
                self._expiry = None
                _settle(done, RequestRefused(Refusal("storage_down", "the store does not answer", retry=True)))
                return
            self._tell(decision)
            self._doors.flush()
        self._lonely_since = 0.0
        self._expiry = None
        _settle(done)

    async def past(self, tell: Past, game: int, viewer: str | None) -> dict[str, Any]:
        """What the log has to tell this viewer of a game."""
        if not self._audience:
            self._lonely_since = self._loop.time()
        self._must_show(game, viewer)
        if self._past_asked >= PAST_LIMIT:
            raise RequestRefused(Refusal("busy", "방이 바빠요. 잠시 뒤에 다시 해 주세요", retry=True))
        self._past_asked += 1
        try:
            return await self._tell_past(tell, game, viewer)
        finally:
            self._past_asked -= 1

    async def _tell_past(self, tell: Past, game: int, viewer: str | None) -> dict[str, Any]:
        async with self._replaying:  # in a thread: it takes as long as hundreds of turns, and the room plays on
            try:
                entries = await self._log.read()
                self._shown = shown(entries)
                self._must_show(game, viewer)
                told = await asyncio.to_thread(tell, entries, self._home.games.__getitem__, game, viewer)
            except RequestRefused:
                raise
            except Unavailable as down:
                raise RequestRefused(Refusal("storage_down", "잠시 뒤에 다시 해 주세요", retry=True)) from down
            except Exception as bug:
                if self._let_go:  # and its log was closed
                    raise RequestRefused(Refusal("moved", "the room has left", retry=True)) from None
                self.logger.error("replay_failed", game=game, bug=place_of(bug))
                raise RequestRefused(Refusal("internal", "지난 판을 읽지 못했어요")) from None
        if told["viewer"] is None and not self._shown[game].public:  # one who left is a spectator from then on
            raise _not_shown()
        return told

    def _must_show(self, game: int, viewer: str | None) -> None:
        """Refuses what is not there, or not for this viewer, as far as that is known yet: no log is read for it."""
        lobby, table = self._room.state.lobby, self._room.state.table
        assert lobby is not None
        if not 0 <= game < lobby.games:
            raise RequestRefused(Refusal("no_such_game", "그런 게임이 없어요"))
        if game < len(self._shown) and not self._shown[game].to(viewer):
            raise _not_shown()
        closed = lobby.lock or not lobby.spectators
        if closed and table is not None and table.number == game and viewer not in table.players:
            raise _not_shown()

    def _summarise(self) -> None:
        """The directory is to know how things stand, soon."""
        if self._summary_timer is None:
            self._summary_timer = self._loop.call_later(SUMMARY_SECONDS, self._send_summary)

    def summarise_anew(self) -> None:
        """Another agent has come: it knows nothing of the room, and what was told meanwhile nobody has heard."""
        self._summary_sent = b""
        self._summarise()

    def _send_summary(self) -> None:
        self._summary_timer = None
        self._counts.sessions(self._room.state.lobby, [session.person.player for session in self._audience.sessions()])
        self._home.counted()
        summary = self._summary()
        if (text := _encode(summary)) != self._summary_sent:
            self._summary_sent = text
            self._home.tell_agent({"type": "summary", **self.identity(), "summary": summary})

    def _summary(self) -> RoomReport:
        lobby = self._room.state.lobby
        assert lobby is not None
        taken = lobby.taken()
        return RoomReport(
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
            people=self._people(lobby),
            locked=bool(lobby.lock),
        )

    def _people(self, lobby: Lobby) -> tuple[Someone, ...]:
        online = self._audience.online
        seated = [
            Someone(seat.player, seat.name, index, seat.bot, seat.player in online, seat.left)
            for index, seat in enumerate(lobby.seats)
            if seat is not None
        ]
        persons = [session.person for session in self._audience.sessions()]
        watching = (Someone(p.player, p.name, online=True) for p in persons if lobby.seat_of(p.player) is None)
        return (*seated, *islice(watching, WATCHING_REPORTED))

    # ------------------------------------------------------------ counting

    def _phase(self) -> str:
        """The game's phase as its engine calls it; empty where there is none."""
        table = self._room.state.table
        return "" if table is None else str(getattr(table.state, "phase", ""))


def _settle(done: asyncio.Future[None], no: RequestRefused | None = None) -> None:
    """Whoever waits for it, if they still do, hears how it went."""
    if no is None:
        done.set_result(None)
    else:
        done.set_exception(no)
        done.exception()  # it is nobody's loss where all have given up


def _not_here() -> RequestRefused:
    return RequestRefused(Refusal("not_here", "the room has left this process", retry=True))


def _not_shown() -> RequestRefused:
    return RequestRefused(Refusal("not_public", "함께한 사람만 다시 볼 수 있는 방이에요"))


_LEFT = Bye("left", "방에서 나왔어요")
_KICKED = Bye("kicked", "방장이 내보냈어요")
_LOCKED = Bye("locked", "비밀번호가 있어야 들어올 수 있는 방이에요")
_WRONG_KEY = Bye("wrong_key", "비밀번호가 맞지 않아요")
_TRIED_ENOUGH = Bye("wrong_key", "틀린 비밀번호가 너무 많았어요. 잠시 뒤에 다시 해 주세요")
_CROWDED = Bye("crowded", "구경하는 사람이 가득 찼어요. 잠시 뒤에 다시 와 주세요")
_TOO_MANY = Bye("unavailable", "방이 바빠요. 잠시 뒤에 다시 와 주세요", again=True, after=1000)
_NOT_PUBLIC = Bye("not_public", "구경할 수 없는 방이에요")
_STORAGE_PAUSE = Pause("storage", "방이 잠시 멈췄어요. 곧 이어서 할 수 있어요")
