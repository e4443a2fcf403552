"""Load: bots that play many rooms over real WebSockets, each from its own view alone, and what that measures.

A *turn* lasts from the sending of an action until the last player of its room has heard of the entry that holds it.
With a period, each room has a timetable, spread evenly over the rooms: at each slot one player who is asked acts. A
slot is *missed* when the turn before it is still under way, or the room is paused; so is a question that the room
answered by itself, because its time was up. Without a period everyone acts as soon as they are asked.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from array import array
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import msgspec

from cluster.messages import Ack, Close, Ready, Reject, Resume, ServerMessage, Start, Update, Welcome
from engines.catalog import GAMES
from engines.kernel.contract import Game
from ops.player import Player
from ops.player_io import Connection, Lobby
from ops.problem import Problem
from ops.stats import summary_ms

OPENED_AT_ONCE = 8
ANSWER_SECONDS = 60.0  # to what must be so before a game can begin, also where its room is brought back meanwhile
BYE_SECONDS = 3.0  # for the rooms to be closed at the end
SETTLE_SECONDS = 15.0  # for turns that are under way when the time is up

# For a gateway that is started for nothing else: bots are faster, and more, than people may be from one address.
UNLIMITED = {
    f"HANPAN_{what}_RATE": "0"
    for what in ("MESSAGES", "BYTES", "COMMANDS", "GUESTS", "CREATES", "CREATES_EACH", "JOINS", "READS")
} | {"HANPAN_STRANGERS_PER_ADDRESS": "20000"}


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played."""

    url: str
    game: str
    rooms: int
    players: int
    period: int  # ms; 0: as fast as possible
    seconds: float
    seed: int = 1
    options: dict[str, Any] = {}
    spectators: bool = False  # may anybody watch?


class Turn:
    """An action on its way to everyone in the room."""

    def __init__(self, sent: float, waiting: set[int]) -> None:
        self.sent = sent
        self.waiting = waiting  # the seats that have not heard of it
        self.seq: int | None = None  # the entry that holds it, once we know
        self.early: list[tuple[int, int, float]] = []  # (seat, seq, at) that came before the acknowledgement


class Table:
    """One room, all its players, and what they measure together."""

    def __init__(self, game: Game[Any], room: str, rng: random.Random) -> None:
        self.id = room
        self.players: list[Connection] = []
        self.eager = False  # everyone acts as soon as they are asked
        self.stopped = False
        self.latencies = array("d")
        self.missed = 0  # slots
        self.due = 0  # slots that came; with no timetable, 1
        self.underway: dict[str, Turn] = {}
        self._passed: dict[Connection, int] = {}  # the last question to which somebody wished to do nothing
        self.on_ack: Callable[[Table, Ack, float], None] = lambda table, ack, at: None
        self._game, self._rng = game, rng
        self._orders: dict[str, asyncio.Future[Reject | None]] = {}  # what was said and is waited for, by its id

    async def heard(self, connection: Connection, message: ServerMessage, at: float) -> None:
        """A player was told something."""
        match message:
            case Update(seq=seq) | Welcome(seq=seq):
                self._arrived(self.players.index(connection), seq, at)
                if connection.player.wants_rematch and not self.stopped:
                    await connection.send(connection.player.say(Ready)[1])
            case Ack(id=id, seq=seq):
                self._answered(id, None)
                self.on_ack(self, message, at)
                if (turn := self.underway.get(id)) is not None:
                    turn.seq = seq
                    for seat, early, when in turn.early:
                        self._reached(id, turn, seat, early, when)
            case Reject(id=id, retry=False):
                self._answered(id, message)
                self.underway.pop(id, None)
            case Resume():
                pass
            case _:
                return
        if self.eager and not self.stopped and connection.player.asked:
            await self.act(connection)

    def _arrived(self, seat: int, seq: int, at: float) -> None:
        for id, turn in list(self.underway.items()):
            if turn.seq is None:
                turn.early.append((seat, seq, at))
            else:
                self._reached(id, turn, seat, seq, at)

    def _reached(self, id: str, turn: Turn, seat: int, seq: int, at: float) -> None:
        if turn.seq is not None and seq >= turn.seq and seat in turn.waiting:
            turn.waiting.remove(seat)
            if not turn.waiting:
                del self.underway[id]
                self.latencies.append(at - turn.sent)

    def who_is_asked(self) -> Connection | None:
        """The first seat that could act now, and would."""
        return next(
            (connection for connection in self.players if connection.player.asked and not self._has_passed(connection)),
            None,
        )

    def _has_passed(self, connection: Connection) -> bool:
        return self._passed.get(connection) == connection.player.decision

    async def act(self, connection: Connection) -> None:
        """This player does what the game's bot would, if anything."""
        player = connection.player
        assert player.view is not None
        action = self._game.bot(player.view, player.legal, self._rng)
        if action is None:
            self._passed[connection] = player.decision
            return
        id, text = player.act(action)
        self.underway[id] = Turn(time.perf_counter(), set(range(len(self.players))))
        await connection.send(text)

    async def slot(self) -> None:
        """Its turn on the timetable has come."""
        self.due += 1
        if self.underway or any(connection.player.paused for connection in self.players):
            self.missed += 1
        elif (connection := self.who_is_asked()) is not None:
            await self.act(connection)

    async def keep_time(self, period: float, offset: float) -> None:
        """Plays a turn at each slot, until it is stopped."""
        due = time.perf_counter() + offset
        while not self.stopped:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if not self.stopped:
                await self.slot()
            due += period

    async def begin(self, *, eager: bool) -> None:
        """The host starts the game. Raises `Problem` where it may not."""
        self.eager = eager
        self.due += eager
        await self.agree(self.players[0], Start)

    async def agree(self, connection: Connection, kind: type[Ready | Start]) -> None:
        """Says this, and waits until it is so: on another socket what needs it would come before it.

        Raises `Problem` where it is refused, or nobody answers. A bug of a bot's is told by `faults`.
        """
        id, text = connection.player.say(kind)
        answer = self._orders[id] = asyncio.get_running_loop().create_future()
        try:
            await connection.send(text)
            await connection.until(answer, ANSWER_SECONDS)
        finally:
            del self._orders[id]
        if not answer.done():
            if connection.crashed() is None:
                raise Problem("no_answer", f"room {self.id} did not answer")
        elif (no := answer.result()) is not None:
            raise Problem(no.code, f"room {self.id}: {no.message}")

    def _answered(self, id: str, no: Reject | None) -> None:
        order = self._orders.get(id)
        if order is not None and not order.done():
            order.set_result(no)

    async def close(self) -> None:
        """The host closes the room; then the sockets go."""
        if self.players:
            host = self.players[0]
            await host.send(host.player.say(Close)[1])
            await asyncio.gather(*(connection.ended(BYE_SECONDS) for connection in self.players))
        for connection in self.players:
            await connection.close()

    # ------------------------------------------------------------ what it came to

    @property
    def lapsed(self) -> int:
        """Questions that the room answered by itself."""
        return sum(connection.player.lapsed for connection in self.players)

    @property
    def reconnects(self) -> int:
        return sum(connection.reconnects for connection in self.players)

    def refused(self) -> Counter[str]:
        return sum((connection.player.refused for connection in self.players), Counter[str]())

    def faults(self) -> list[str]:
        """What was not as the protocol says, and our own bugs."""
        said = [f"{self.id}: {fault}" for connection in self.players for fault in connection.player.faults]
        bugs = [f"{self.id}: {bug!r}" for connection in self.players if (bug := connection.crashed()) is not None]
        byes = [
            f"{self.id}: bye {bye.code}" for connection in self.players if (bye := connection.player.bye) is not None
        ]
        return said + bugs + byes


@asynccontextmanager
async def tables(plan: Plan, say: Callable[[str], None]) -> AsyncIterator[list[Table]]:
    """Opens all rooms and takes all seats; nobody has started a game. Closes the rooms at the end."""
    async with lobby_at(plan.url) as lobby, tables_in(lobby, plan, say) as opened:
        yield opened


@asynccontextmanager
async def lobby_at(url: str) -> AsyncIterator[Lobby]:
    """hanpan's HTTP API, for any number of clients."""
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=30)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout) as http:
        yield Lobby(http, url)


@asynccontextmanager
async def tables_in(lobby: Lobby, plan: Plan, say: Callable[[str], None]) -> AsyncIterator[list[Table]]:
    """As `tables`, beside others in the same lobby."""
    opened: list[Table] = []
    try:
        await _open_all(plan, find_game(plan), lobby, opened, say)
        yield opened
    finally:
        await asyncio.gather(*(table.close() for table in opened))


async def _open_all(plan: Plan, game: Game[Any], lobby: Lobby, opened: list[Table], say: Callable[[str], None]) -> None:
    width = asyncio.Semaphore(OPENED_AT_ONCE)

    async def one(number: int) -> None:
        async with width:
            await open_table(plan, game, lobby, number, opened)
            say(f"{len(opened)} of {plan.rooms} rooms open")

    found: list[BaseException] = []
    try:
        async with asyncio.TaskGroup() as group:
            for number in range(plan.rooms):
                group.create_task(one(number))
    except* Problem as problems:
        found.extend(problems.exceptions)
    if found:  # raised here: what is raised in an except* may come out wrapped in a group again
        raise found[0]


async def open_table(plan: Plan, game: Game[Any], lobby: Lobby, number: int, opened: list[Table]) -> Table:
    """One room with all its players, everyone ready; in the list as soon as there is anything to be closed."""
    tokens = [await lobby.guest(f"b{number}-{seat}") for seat in range(plan.players)]
    wish = {"game": plan.game, "options": plan.options, "seats": plan.players, "spectators": plan.spectators}
    room = await lobby.create(tokens[0], **wish)
    table = Table(game, room["id"], random.Random(f"{plan.seed}/{number}"))
    opened.append(table)
    for token in tokens:
        player = Player(table.id, token, secrets.token_hex(4), join="seat")
        connection = Connection(lobby, player, table.heard)
        table.players.append(connection)
        await connection.join()
        if player.you is None or player.you.seat is None:
            raise Problem("no_seat", f"room {table.id} had no seat for one of its {plan.players} players")
        if len(table.players) > 1:
            await table.agree(connection, Ready)
    return table


def find_game(plan: Plan) -> Game[Any]:
    """The game to play; `Problem` where it cannot be played so."""
    if plan.game not in GAMES:
        raise Problem("unknown_game", f"no game {plan.game!r} is installed; there are {', '.join(sorted(GAMES))}", 2)
    game = GAMES[plan.game]
    if not game.min_players <= plan.players <= game.max_players:
        raise Problem("bad_players", f"{plan.game} is for {game.min_players} to {game.max_players} players", 2)
    return game


async def run_load(
    plan: Plan, say: Callable[[str], None], watch: Callable[[float], Awaitable[None]] | None = None
) -> dict[str, Any]:
    """Plays the plan; the report. ``watch`` is called about once a second, with the seconds of play so far."""
    async with tables(plan, say) as opened:
        await asyncio.gather(*(table.begin(eager=plan.period == 0) for table in opened))
        began = time.perf_counter()
        async with timetable(opened, plan.period) as keepers:
            while (left := began + plan.seconds - time.perf_counter()) > 0:
                await asyncio.sleep(min(1.0, left))
                if any(keeper.done() for keeper in keepers):
                    break  # by a bug: there is no need to go on
                say(_progress(opened, began))
                if watch is not None:
                    await watch(time.perf_counter() - began)
        seconds = time.perf_counter() - began
        turns = sum(len(table.latencies) for table in opened)
        await settle(opened)
        return _report(plan, opened, turns, seconds)


@asynccontextmanager
async def timetable(opened: list[Table], period_ms: int) -> AsyncIterator[list[asyncio.Task[None]]]:
    """The tables keep time within, then stop; raises what a bot raised. With a period of 0 there is no timetable."""
    period = period_ms / 1000
    keepers = [
        asyncio.create_task(table.keep_time(period, period * number / len(opened)))
        for number, table in enumerate(opened)
        if period
    ]
    try:
        yield keepers
    finally:
        for table in opened:
            table.stopped = True
        ends = await asyncio.gather(*keepers, return_exceptions=True)
    if bug := next((end for end in ends if end is not None), None):
        raise bug


async def settle(opened: list[Table], seconds: float = SETTLE_SECONDS) -> bool:
    """Waits until no turn is under way. False: some still are."""
    deadline = time.perf_counter() + seconds
    while any(table.underway for table in opened):
        if time.perf_counter() > deadline:
            return False
        await asyncio.sleep(0.01)
    return True


def _progress(opened: list[Table], began: float) -> str:
    turns = sum(len(table.latencies) for table in opened)
    recent = [latency for table in opened for latency in table.latencies[-20:]]
    figures = summary_ms(recent, (0.5, 0.99))
    missed = sum(table.missed + table.lapsed for table in opened)
    faults = sum(len(table.faults()) for table in opened)
    seconds = time.perf_counter() - began
    return (
        f"{seconds:.0f} s, {turns} turns, {turns / seconds:.1f} a second, recently p50 {figures['p50']} ms and "
        f"p99 {figures['p99']} ms, {missed} missed, {faults} errors"
    )


def _report(plan: Plan, opened: list[Table], turns: int, seconds: float) -> dict[str, Any]:
    latencies = [latency for table in opened for latency in table.latencies]
    unanswered = [f"{table.id}: {len(table.underway)} turns without an end" for table in opened if table.underway]
    idle = [f"{table.id}: nothing was played" for table in opened if table.due and not table.latencies]
    faults = [fault for table in opened for fault in table.faults()] + unanswered + idle
    return {
        "turns": len(latencies),
        "missed": sum(table.missed + table.lapsed for table in opened),
        "errors": len(faults),
        "latencyMs": summary_ms(latencies, (0.5, 0.95, 0.99)),
        "turnsPerSecond": round(turns / seconds, 2),
        "game": plan.game,
        "rooms": plan.rooms,
        "players": plan.players,
        "periodMs": plan.period,
        "seconds": round(seconds, 2),
        "timedOut": sum(table.lapsed for table in opened),
        "pauses": sum(connection.player.pauses for table in opened for connection in table.players),
        "reconnects": sum(table.reconnects for table in opened),
        "refused": dict(sum((table.refused() for table in opened), Counter[str]())),
        "faults": faults[:20],
    }
