"""No secret leaves, over all games, options and viewers: an automatic proof by two worlds.

Random games are played in real rooms. At random moments the room is made a second time, with everything otherwise that
one viewer may not know, and both rooms go through the same. Then that viewer is sent the same bytes:

- players and spectators: the welcome (with what was missed), the update of another's move, of somebody's absence;
- error texts: the refusal of whatever the viewer tries, also of things named that only the deck or another hand holds;
- bots: what the bot in the viewer's seat does, from the same chance;
- replays: step by step what was told when it was played, so that the proof of the one is that of the other;
- lobby lists, operators, metrics, logs: all that a room process says to its agent, counts and logs is the same.

``HANPAN_SOAK=100000`` looks at that many moments of each game; without it, at a sample.

What it cannot say: where a step shows something by rights (`Audit.revealing`), the worlds part, and only what comes
before that is compared; and moves that the clock makes for another are left out, as they show that other's cards.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
import structlog

from cluster import link
from cluster.client import CreateRoom
from cluster.link import Attach
from cluster.link_io import RequestRefused
from cluster.replay import replay_of
from cluster.room.room import Room, Settings
from cluster.running import HostConfig, Own, RunningRoom
from cluster.stores.memory import MemoryStore
from engines.catalog import GAMES
from engines.kernel.contract import Game, Json, PlayerId, Rejected
from engines.kernel.legal import sample
from ops import logs
from ops.metrics import Tally
from tests.cluster.mini import light, mini_cluster, start_game, until
from tests.cluster.worlds import (
    WATCHER,
    Table,
    answer,
    as_loaded,
    elsewhere,
    other_world,
    presence,
    probes,
    step,
    twin,
    welcome,
)
from tests.engines.audits import AUDITS, Audit
from tests.engines.play import Start, random_start

SAMPLE = int(os.environ.get("HANPAN_SOAK", "60"))
A_MOMENT = 0.25  # one in four is looked at: many games show more than many moments of one
MOVES_PLAYED = 400  # of one game: some could go on for a very long time

pytestmark = pytest.mark.timeout(max(120, SAMPLE // 10))


@pytest.fixture(params=sorted(GAMES))
def game(request: pytest.FixtureRequest) -> Game[Any]:
    return GAMES[request.param]


@pytest.fixture
def audit(game: Game[Any]) -> Audit:
    assert game.id in AUDITS, f"{game.id} has no Audit in tests/engines/audits.py"
    return AUDITS[game.id]


def played(game: Game[Any], salt: str) -> Iterator[tuple[Table, Random]]:
    """Random games at real tables, without end; each is given after each of its moves."""
    number = 0
    while True:
        rng = Random(f"{game.id}/{salt}/{number}")
        number += 1
        table = Table(game, random_start(game, rng))
        yield table, rng
        for _ in range(MOVES_PLAYED):
            if not move(table, rng):
                break
            yield table, rng


def move(table: Table, rng: Random) -> bool:
    """One legal move, or at times the deadline's; False where the game is over."""
    if table.lobby.status != "playing":
        return False
    table.now += rng.randint(1, 900)
    deadline = table.room.deadline()
    if rng.random() < 0.03 and deadline is not None:
        table.now = max(table.now, deadline)
    table.due()  # what the clock plays by itself
    if table.lobby.status != "playing":
        return True
    asked = {player: legal for player, legal in table.room.legal.items() if legal}
    player = rng.choice(sorted(asked))
    table.play(player, sample(asked[player], rng))
    return True


def seen_as(viewer: PlayerId) -> PlayerId | None:
    return None if viewer == WATCHER else viewer


def test_two_worlds_send_a_viewer_the_same_bytes(game: Game[Any], audit: Audit) -> None:
    looked = 0
    for table, rng in played(game, "worlds"):
        if rng.random() >= A_MOMENT:
            continue
        viewer = rng.choice(table.viewers())
        if not look(table, game, audit, viewer, rng):
            continue
        looked += 1
        if looked >= SAMPLE:
            return


def look(table: Table, game: Game[Any], audit: Audit, viewer: PlayerId, rng: Random) -> bool:
    """One moment through one viewer's eyes; False where there is no other world to it."""
    dump = game.dump(table.table.state)
    here = as_loaded(table.room)
    there_state = other_world(game, audit, dump, seen_as(viewer), rng, None)
    if there_state is None:
        return False
    there = elsewhere(here, there_state)
    since = rng.randrange(here.seq + 1)
    assert welcome(here, table.audience, viewer, since, table.now) == welcome(
        there, table.audience, viewer, since, table.now
    )
    if table.lobby.status != "playing":
        return True
    # Nothing that is tried tells one world from the other.
    for number, action in enumerate(probes(here, viewer, rng, dump)):
        id = f"probe.{here.seq}.{number}"
        assert answer(here, viewer, action, id, table) == answer(there, viewer, action, id, table), action
    # A bot in this seat does the same.
    if here.legal.get(viewer):
        chance = rng.randbytes(32)
        assert here._bot_choice(viewer, chance) == there._bot_choice(viewer, chance)
    gone(table, audit, here, there, viewer, rng)
    acted(table, game, audit, here, dump, viewer, rng)
    return True


def gone(table: Table, audit: Audit, here: Room, there: Room, viewer: PlayerId, rng: Random) -> None:
    """Another player's absence is told in the same words."""
    player = rng.choice(table.table.players)
    if player == viewer:
        return
    one, two = (presence(twin(room), table.eyes(viewer), player, table) for room in (here, there))
    assert (one is None) == (two is None)
    if one is not None and two is not None:
        same_until_it_shows(one[viewer], two[viewer], audit)


def acted(table: Table, game: Game[Any], audit: Audit, here: Room, dump: Json, viewer: PlayerId, rng: Random) -> None:
    """Another player's move, the same in both worlds, is told in the same words."""
    asked = [player for player, legal in here.legal.items() if legal and player != viewer]
    if not asked:
        return
    who = rng.choice(sorted(asked))
    action = sample(here.legal[who], rng)
    there_state = other_world(game, audit, dump, seen_as(viewer), rng, action)
    if there_state is None:
        return
    one, two = (step(room, table.eyes(viewer), who, action, table) for room in (here, elsewhere(here, there_state)))
    same_until_it_shows(one[viewer], two[viewer], audit)


def same_until_it_shows(one: dict[str, Any], two: dict[str, Any], audit: Audit) -> None:
    """Two updates: the same, or the same up to the event with which what was hidden comes to light."""
    events = one.get("events", [])
    shown = next((i for i, event in enumerate(events) if event["type"] in audit.revealing), None)
    if shown is None:
        assert msgspec.json.encode(one) == msgspec.json.encode(two)
    else:
        assert events[: shown + 1] == two["events"][: shown + 1]


def test_a_replay_shows_what_was_told(game: Game[Any]) -> None:
    """Step by step, each viewer their own; so what holds of what rooms tell holds of 다시 보기."""
    finished = 0
    for number in range(1000):
        rng = Random(f"{game.id}/replays/{number}")
        start = random_start(game, rng)
        viewers = (WATCHER, rng.choice(start.players))
        table = Table(game, start, keeps=viewers)
        while len(table.log) < 3 * MOVES_PLAYED and move(table, rng):
            pass
        if table.lobby.status != "finished":
            continue
        for viewer in viewers:
            try:
                tape = replay_of(table.log, lambda _: game, 0, viewer)
            except RequestRefused as no:  # as its document has it: nobody may look again
                refused = no.refusal.code
            else:
                refused = None
            kept = game.replay_refusal(table.table.state)
            assert refused == (kept and kept.code)
            if refused is not None:
                continue
            shown = {frame["seq"]: frame for frame in tape["frames"]}
            told = {seq: (events, view) for seq, events, view in table.told[viewer] if seq in shown}
            assert told.keys() == shown.keys() & told.keys()
            assert shown.keys() == told.keys()
            for seq, (events, view) in told.items():
                assert shown[seq]["events"] == events
                assert view is None or msgspec.json.decode(msgspec.json.encode(shown[seq]["view"])) == view
        finished += 1
        if finished >= max(1, SAMPLE // 100):
            return
    raise AssertionError("no game came to its end")


def test_the_proof_notices_a_leak(game: Game[Any], audit: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that lets out what the state holds is caught at the first moment that is looked at."""
    real = game.view

    def leaky(state: Any, viewer: PlayerId | None) -> dict[str, Any]:
        return {**real(state, viewer), "leak": game.dump(state)}

    monkeypatch.setattr(type(game), "view", lambda _, state, viewer: leaky(state, viewer))
    table, rng = next(iter(played(game, "leak")))

    def looked_at() -> None:
        for _ in range(20):
            look(table, game, audit, WATCHER, rng)
            move(table, rng)

    with pytest.raises(AssertionError):
        looked_at()


def test_the_proof_notices_a_refusal_that_knows_too_much(game: Game[Any], audit: Audit, monkeypatch: Any) -> None:
    """A refusal whose words depend on what others hold is caught too."""
    real = game.apply

    def telling(self: Any, state: Any, player: PlayerId, action: Any, now: int) -> Any:
        verdict = real(state, player, action, now)
        if isinstance(verdict, Rejected):
            return Rejected(verdict.code, f"{verdict.message} {hash(str(game.dump(state)))}")
        return verdict

    monkeypatch.setattr(type(game), "apply", telling)

    def looked_at() -> None:
        for table, rng in islice(played(game, "refusals"), 500):
            if table.lobby.status == "playing":
                look(table, game, audit, rng.choice(table.table.players), rng)

    with pytest.raises(AssertionError):
        looked_at()


# ---------------------------------------------------------------- all that a process says


class Home:
    """What a running room needs of its process; keeps whatever it is told."""

    def __init__(self) -> None:
        self.config = HostConfig(name="p", secret=b"s" * 32, agent="", host="", settings=Settings(park_after=10**9))
        self.store, self.tally, self.log = MemoryStore(), Tally(), structlog.get_logger()
        self.games = GAMES
        self.notices: list[dict[str, Any]] = []

    def tell_agent(self, notice: dict[str, Any]) -> None:
        self.notices.append(notice)

    async def ask_agent(self, request: dict[str, Any], seconds: float) -> Any:
        raise AssertionError(request)

    def counted(self) -> None:
        return None

    def fatal(self, why: str) -> None:
        raise AssertionError(why)

    async def released(self) -> None:
        raise AssertionError("released")


class Still:
    """A clock for rooms that goes on when it is told to."""

    def __init__(self, now: int) -> None:
        self.time = now

    def now(self) -> int:
        return self.time

    def seconds_until(self, at: int) -> float:
        return 3600.0


class Wire:
    """The room's end of a gateway's link."""

    def __init__(self) -> None:
        self.written = bytearray()

    def write(self, data: bytes) -> None:
        self.written += data

    def told(self, number: int) -> list[bytes]:
        """The messages for one session, in order."""
        found = []
        for kind, body in link.Frames().feed(bytes(self.written)):
            if kind == link.TELL:
                _, numbers, message = link.parse_tell(body)
                found += [message] * numbers.count(number)
            elif kind == link.ANSWER and link.number_of(body) == number:
                found.append(link.parse_answer(body)[2])
            elif kind == link.END and link.number_of(body) == number:
                found.append(body[4:])
        return found


class Process:
    """A room process without Ray and sockets: the whole of `RunningRoom`, and all that comes out of it."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.people = [*start.players, WATCHER]
        self.home, self.wire = Home(), Wire()
        wish = CreateRoom(
            game=start.game, creator=start.players[0], key="k", options=start.options, seats=len(start.players)
        )
        self.running = RunningRoom(self.home, Own(room="r1", epoch=1, code="ABCDEF", wish=wish))
        self._ids = 0

    async def begin(self) -> None:
        await self.running.take_over()
        self.clock = Still(self.running._room.at)
        self.running._clock = self.clock  # type: ignore[assignment]
        self.running.start()
        for number, player in enumerate(self.people):
            self.attach(number, "watch" if player == WATCHER else "seat")
        for number in range(1, len(self.start.players)):
            self.say(number, type="ready")
        self.say(0, type="start")
        await self.rest()

    def attach(self, number: int, join: str, seq: int | None = None) -> None:
        player = self.people[number]
        order = Attach(room="r1", player=player, name=player.title(), join=join, seq=seq)  # type: ignore[arg-type]
        self.running.put(("attach", self.wire, number, msgspec.json.encode(order)))  # type: ignore[arg-type]

    def say(self, number: int, **message: Any) -> None:
        self._ids += 1
        body = msgspec.json.encode({"id": f"m{self._ids}", **message})
        self.running.put(("say", self.wire, number, body))  # type: ignore[arg-type]

    def act(self, player: PlayerId, action: dict[str, Any]) -> None:
        table = self.running._room.state.table
        assert table is not None
        asked = table.questions.get(player)
        self.say(self.people.index(player), type="action", decision=asked.seq if asked else 0, action=action)

    async def rest(self) -> None:
        """Until it has done all that it was given."""
        for _ in range(10_000):
            await asyncio.sleep(0)
            if not self.running._inbox and self.running._woken is not None:
                return
        raise AssertionError("the room does not come to rest")

    def forget(self) -> None:
        self.wire.written.clear()
        self.home.notices.clear()
        self.home.tally.drain()

    def said(self) -> tuple[list[dict[str, Any]], Any]:
        """To its agent, and so to lobbies and operators; and counted, without how long things took."""
        self.running._send_summary()
        counters, histograms, gauges = msgspec.msgpack.decode(self.home.tally.drain(all_gauges=True))
        times = [(name, labels, sum(cell[:-1])) for name, labels, cell in histograms]
        return self.home.notices, (sorted(counters), sorted(times), sorted(gauges))


async def test_all_that_a_process_says_is_the_same_in_both_worlds(
    game: Game[Any], audit: Audit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Frames, notices to the agent (lobby lists and operators' rows are made of nothing else), counts and log lines."""
    monkeypatch.setattr("cluster.running.time.time", lambda: 1_700_000_000.0)
    compared = 0
    for number in range(max(6, SAMPLE // 1000)):
        rng = Random(f"{game.id}/process/{number}")
        start = random_start(game, rng)
        chance = rng.randbytes(32)
        monkeypatch.setattr("cluster.running.os.urandom", lambda size, chance=chance: chance[:size])
        with structlog.testing.capture_logs() as lines:
            one, two = Process(start), Process(start)
            await one.begin()
            await two.begin()
            for _ in range(rng.randrange(1, 40)):
                await both_move(one, two, rng)
            compared += await part(game, audit, one, two, lines, rng)
            for process in (one, two):
                await process.running.let_go()
    assert compared


async def both_move(one: Process, two: Process, rng: Random) -> None:
    asked = {player: legal for player, legal in one.running._room.legal.items() if legal}
    if not asked:
        return
    player = rng.choice(sorted(asked))
    action = sample(asked[player], rng)
    for process in (one, two):
        process.act(player, action)
        await process.rest()
    assert one.running._room.state == two.running._room.state


async def part(game: Game[Any], audit: Audit, one: Process, two: Process, lines: list[Any], rng: Random) -> int:
    """From here on the worlds differ in what one viewer may not know; what comes out must not. 1: it was compared."""
    table = one.running._room.state.table
    assert table is not None
    asked = {player: legal for player, legal in one.running._room.legal.items() if legal}
    viewer = rng.choice(one.people)
    others = sorted(asked.keys() - {viewer})
    if not others:
        return 0
    who = rng.choice(others)
    action = sample(asked[who], rng)
    state = other_world(game, audit, game.dump(table.state), seen_as(viewer), rng, action)
    if state is None:
        return 0
    one.running._room, two.running._room = as_loaded(one.running._room), elsewhere(two.running._room, state)
    number = one.people.index(viewer)
    junk = [*probes(one.running._room, viewer, rng, game.dump(table.state)), {"type": "noSuchAction"}]
    said: list[Any] = []
    for process in (one, two):
        process.forget()
        lines.clear()
        process.attach(number, "watch", seq=1)
        for tried in junk:
            if tried.get("type") == "noSuchAction" or viewer not in asked:
                process.act(viewer, tried)
        process.running.put(("detach", process.wire, number, b""))  # type: ignore[arg-type]
        process.attach(number, "watch")
        await process.rest()
        before = process.wire.told(number)
        process.act(who, action)
        await process.rest()
        logged = [{name: value for name, value in line.items() if name != "seconds"} for line in lines]
        said.append((before, process.said(), logged, process.wire.told(number)[len(before) :]))
    (before, said_one, logged_one, after_one), (before_two, said_two, logged_two, after_two) = said
    assert before == before_two
    assert said_one == said_two
    assert logged_one == logged_two
    for mine, its in zip(after_one, after_two, strict=True):
        same_until_it_shows(msgspec.json.decode(mine), msgspec.json.decode(its), audit)
    return 1


@pytest.mark.parametrize("failing", ["apply", "bot", "timeout"])
async def test_an_engine_that_fails_says_nothing_of_its_state(failing: str) -> None:
    """Whatever stands in an exception's words stays out of refusals, logs and reasons of a death."""
    hand = "the ace of spades"

    def fail(*_: Any) -> Any:
        raise KeyError(hand)

    bots = 1 if failing == "bot" else 0
    rendered: list[bytes] = []

    def keep(_: Any, method: str, event: Any) -> Any:
        rendered.append(logs.render(event, method, logs.Guard()))
        raise structlog.DropEvent

    structlog.configure(processors=[structlog.processors.format_exc_info, keep])
    try:
        async with mini_cluster() as mini:
            room, [anna, *_] = await start_game(
                mini, ("anna",) if bots else ("anna", "bob"), seats=2, bots=bots, options={"seconds": 0, "ms": 150}
            )
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(type(GAMES["lamps"]), failing, fail)
                if failing != "timeout":
                    answer = await light(anna)
                    assert answer.get("code") == (None if bots else "engine_error")
                    assert hand not in str(answer)
                if failing == "bot":
                    await mini.logged(room, "action", 2)
                elif failing == "timeout":
                    await until(lambda: any(b"room_died" in line for line in rendered))
            rows = await mini.gateway.admin("rooms", {})
            assert hand not in str(rows)
    finally:
        structlog.reset_defaults()
    assert any(b"KeyError at" in line for line in rendered)
    assert not any(hand.encode() in line for line in rendered)
