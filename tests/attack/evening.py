"""A long evening: all games with people and bots, storms and abusive clients together; and is anything left of it?

    python -m tests.attack.evening [--minutes 120] [--samples evening.jsonl] [--json]

    people        a few tables of each game, ten minutes each; whoever has played is proven against the log, and goes
    newcomers     one after the other sits down with bots, plays as fast as they do, and closes the room
    storms        every quarter of an hour what can be killed or stopped on one machine is, under load, with its proof
    strangers     broken requests, half requests, WebSockets and then anything, silence: a few a second, without end
    insiders      guests with a token who flood, send garbage and giants, never read, guess codes, hoard rooms

Behind one proxy, so that everybody has an address of their own; all limits are as they are by default. Between storms
it is measured what each part holds: memory, files, threads, tasks, disk. At the end the second quarter is held against
the last one. Closed rooms are forgotten after ten minutes, so that the disk can be flat at all.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import re
import secrets
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import msgspec
import uvloop

from cluster.entries import Entry
from engines.catalog import GAMES
from gateway.config import Settings
from ops import proc
from ops.bench.report import told
from ops.bench.rooms import STARTING, part_of
from ops.bench.running import Running, hanpan
from ops.chaos.drill import Drill
from ops.chaos.faults import FAULTS
from ops.chaos.report import Report, is_well
from ops.chaos.site import Given
from ops.chaos.storm import Storm, possible
from ops.load import UNLIMITED, Plan, Table, settle, tables_in, timetable
from ops.player import Player
from ops.player_io import Connection, Lobby
from ops.problem import Problem
from ops.progress import Progress
from ops.stats import summary_ms
from ops.verify import Proof, Witness, prove
from tests.attack.abuse import abuse

PEOPLE = {"ninety-nine": 4, "bang": 5, "seotda": 4, "parlett-ninety-nine": 3}  # players at a table of each game
TABLES = 6  # of each game
PERIOD_MS = 3000  # between a table's turns
TABLE_SECONDS = 600.0
NEWCOMER_SECONDS = 45.0
NEWCOMERS = 2  # at any time
STORM_EVERY = 900.0
STORM_SECONDS = 60.0
STORM_ROOMS = 6
STRANGERS_PER_SECOND = 4.0
INSIDER_EVERY = 3.0
LET_GO_SECONDS = 120.0  # the longest that a gateway bears with a silent stranger, and some more
CALM_SECONDS = 60.0  # after a storm, until what is held counts
SAMPLE_SECONDS = 60.0
AFTER_SECONDS = 90.0  # from the end of everything until all must have been given back
KEEP_DAYS = 600 / 86400
QUIET_SECONDS = 30.0

GROWTH = 0.05  # of memory, from the second quarter to the last one
MEMORY_MIB = 4.0  # that any one part may grow by all the same: allocators
FILES, TASKS, THREADS = 40, 30, 10
DISK_MIB = 20.0

Say = Callable[[str], None]


class Evening:
    """One run, and what it has found so far."""

    def __init__(self, running: Running, minutes: float, samples: Path | None, say: Say) -> None:
        self.running, self.url = running, running.url
        self.seconds, self.samples_file, self.say = minutes * 60, samples, say
        self.began = time.monotonic()
        self.samples: list[dict[str, Any]] = []
        self.latencies: list[float] = []
        self.done: Counter[str] = Counter()
        self.proofs: list[Proof] = []
        self.wrong: Counter[str] = Counter()
        self.storms = Report()
        self.storm_over = -CALM_SECONDS  # when the last one was; while one lasts, infinity

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.began

    @property
    def over(self) -> bool:
        return self.elapsed >= self.seconds

    @property
    def stormy(self) -> bool:
        return time.monotonic() < self.storm_over + CALM_SECONDS

    async def run(self) -> None:
        parts = [self.people(game, number) for number, game in enumerate(PEOPLE)]
        parts += [self.newcomers(number) for number in range(NEWCOMERS)]
        parts += [self.storm(), self.strangers(), self.insiders(), self.look()]
        await asyncio.gather(*parts)

    def plan(self, game: str, rooms: int, players: int, period: int, seed: int) -> Plan:
        return Plan(
            url=self.url,
            game=game,
            rooms=rooms,
            players=players,
            period=period,
            seconds=0,
            seed=seed,
            spectators=True,
        )

    async def guarded(self, what: str, work: Awaitable[None]) -> None:
        """What goes wrong is kept for the report, and the evening goes on."""
        try:
            await work
        except (aiohttp.ClientError, ConnectionError, Problem) as away:
            # A storm kills gateways, and the directory: without it a room cannot be made for a second or two.
            gone = not isinstance(away, Problem) or away.code in ("unreachable", "unavailable")
            if gone and self.stormy:
                self.done["nobody there, in a storm"] += 1
            else:
                self.wrong[f"{what}: {type(away).__name__}: {away}"] += 1
            await asyncio.sleep(1.0)
        except Exception as bug:
            self.wrong[f"{what}: {type(bug).__name__}: {bug}"] += 1
            await asyncio.sleep(1.0)

    # ------------------------------------------------------------ those who play

    async def people(self, game: str, number: int) -> None:
        await asyncio.sleep(number * TABLE_SECONDS / len(PEOPLE) / 4)
        while not self.over:
            await self.guarded(game, self.tables_of(game, f"203.0.113.{number + 1}"))

    async def tables_of(self, game: str, address: str) -> None:
        plan = self.plan(game, TABLES, PEOPLE[game], PERIOD_MS, self.done[game])
        ends = time.monotonic() + min(TABLE_SECONDS, max(20.0, self.seconds - self.elapsed))
        async with lobby_from(self.url, address) as lobby, tables_in(lobby, plan, lambda _: None) as opened:
            for table in opened:
                await table.begin(eager=False)
            async with timetable(opened, plan.period) as keepers:
                await asyncio.wait(keepers, timeout=ends - time.monotonic(), return_when=asyncio.FIRST_COMPLETED)
            if not await settle(opened, QUIET_SECONDS):
                self.wrong[f"{game}: some turns never came to an end"] += 1
            for table in opened:
                await self.proven(table)
        self.done[game] += len(opened)

    async def newcomers(self, number: int) -> None:
        rng = Random(number)
        while not self.over:
            await self.guarded("newcomer", self.newcomer(rng))

    async def newcomer(self, rng: Random) -> None:
        game = GAMES[rng.choice(sorted(PEOPLE))]
        seats = max(game.min_players, min(4, game.max_players))
        async with lobby_from(self.url, any_address(rng)) as lobby:
            token = await lobby.guest("손님")
            room = await lobby.create(token, game=game.id, seats=seats, bots=seats - 1, autoStart=True)
            table = Table(game, room["id"], rng)
            table.eager = True
            table.players.append(Connection(lobby, Player(table.id, token, secrets.token_hex(4)), table.heard))
            try:
                await table.players[0].join()
                await asyncio.sleep(NEWCOMER_SECONDS)
                table.stopped = True
                await settle([table], QUIET_SECONDS)
                await self.proven(table)
            finally:
                await table.close()
        self.done["newcomers"] += 1

    async def proven(self, table: Table) -> None:
        """What everyone at it was told, held against its log as far as they have heard of it."""
        players = [each.player for each in table.players]
        async with asyncio.timeout(QUIET_SECONDS):
            while len({player.seq for player in players}) > 1:  # noqa: ASYNC110  # bots and clocks play on
                await asyncio.sleep(0.05)
        heard = players[0].seq or 0
        witnesses = [
            Witness(player.you.player, dict(player.acks), player.seq, player.view)
            for player in players
            if player.you is not None
        ]
        log = msgspec.convert(await asyncio.to_thread(self.running.admin.log, table.id), list[Entry])
        proof = await asyncio.to_thread(prove, [entry for entry in log if entry.seq <= heard], witnesses)
        self.proofs.append(proof)
        for finding in (*proof.findings, *table.faults()):
            self.wrong[f"{table.id}: {finding}"] += 1
        self.done["turns"] += len(table.latencies)
        self.done["acknowledged"] += sum(len(player.acks) for player in players)
        self.done["slots missed"] += table.missed
        self.done["sockets opened again"] += table.reconnects
        self.latencies.extend(table.latencies)

    # ------------------------------------------------------------ those who break things

    async def storm(self) -> None:
        due = min(STORM_EVERY / 3, self.seconds / 4)
        while due < self.seconds * 0.9:
            await asyncio.sleep(max(0.0, due - self.elapsed))
            self.storm_over = float("inf")
            await self.guarded("storm", self.one_storm(self.done["storms"]))
            self.storm_over = time.monotonic()
            due += STORM_EVERY

    async def one_storm(self, seed: int) -> None:
        site = Given(self.url, None, remote=False)
        can, _ = possible(FAULTS, site.offers)
        plan = self.plan("ninety-nine", STORM_ROOMS, 4, 200, seed)
        drill = Drill(plan, site, self.say, reconnects=200)
        self.storms += await drill.run(Storm(can, seed, STORM_SECONDS), FAULTS["room-killed"])
        self.done["storms"] += 1

    async def strangers(self) -> None:
        where, rng = urlsplit(self.url), Random("strangers")
        assert where.hostname is not None
        assert where.port is not None
        host, port = where.hostname, where.port
        there: set[asyncio.Task[None]] = set()
        while not self.over:
            task = asyncio.create_task(self.guarded("stranger", self.stranger(host, port, rng)))
            there.add(task)
            task.add_done_callback(there.discard)
            await asyncio.sleep(rng.expovariate(STRANGERS_PER_SECOND))
        await asyncio.gather(*there)

    async def stranger(self, host: str, port: int, rng: Random) -> None:
        with contextlib.suppress(ConnectionRefusedError):  # a storm has just killed the gateway
            await abuse(host, port, rng, LET_GO_SECONDS)
            self.done["strangers"] += 1

    async def insiders(self) -> None:
        rng, hoarder = Random("insiders"), ""
        ways = [flood, garbage, giants, deaf, crowd, guesses]
        there: set[asyncio.Task[None]] = set()
        async with lobby_from(self.url, "198.51.100.99") as lobby:
            while not self.over:
                if not hoarder:
                    with contextlib.suppress(Problem):
                        hoarder = await lobby.guest("욕심")
                elif rng.random() < 0.1:
                    await self.guarded("hoard", self.insider(hoard, rng, hoarder))
                task = asyncio.create_task(self.guarded("insider", self.insider(rng.choice(ways), rng)))
                there.add(task)
                task.add_done_callback(there.discard)
                await asyncio.sleep(INSIDER_EVERY)
        await asyncio.gather(*there)

    async def insider(
        self, way: Callable[[Lobby, str, str, Random], Awaitable[None]], rng: Random, token: str = ""
    ) -> None:
        rooms = await asyncio.to_thread(self.running.admin.rooms, state="playing")
        if not rooms:
            return
        async with lobby_from(self.url, any_address(rng)) as lobby:
            try:
                await way(lobby, token or await lobby.guest("봉이"), rng.choice(rooms)["id"], rng)
            except (aiohttp.ClientError, ConnectionError):  # thrown out, or a storm: both are as they should be
                self.done[f"{way.__name__}: thrown out"] += 1
            self.done[f"insiders: {way.__name__}"] += 1

    # ------------------------------------------------------------ what is held

    async def look(self) -> None:
        while not self.over:
            await asyncio.sleep(SAMPLE_SECONDS)
            if not self.stormy:
                await self.guarded("look", self.sample())
            self.say(f"{self.elapsed / 60:.0f} min: {dict(self.done)}; wrong: {dict(self.wrong)}")

    async def sample(self) -> None:
        held = await asyncio.to_thread(holdings, self.running)
        held = {"minute": round(self.elapsed / 60, 1), **held}
        self.samples.append(held)
        if self.samples_file is not None:
            with self.samples_file.open("a") as file:
                file.write(json.dumps(held) + "\n")


# ---------------------------------------------------------------- ways to be a nuisance


async def flood(lobby: Lobby, token: str, room: str, rng: Random) -> None:
    """As many messages as go, until the door closes."""
    async with visit(lobby, token, room) as socket:
        for number in range(3000):
            await socket.send_str(f'{{"type":"action","id":"f.{number}","decision":{number},"action":{{"type":"x"}}}}')
        await until_closed(socket)


async def garbage(lobby: Lobby, token: str, room: str, rng: Random) -> None:
    """No message at all, or not of this protocol."""
    async with visit(lobby, token, room) as socket:
        for _ in range(100):
            await socket.send_str(
                rng.choice(('{"type":"', "[" * 400, '{"type":"no"}', "null", '{"a":' * 90, "\0", '""'))
            )
        await socket.send_bytes(rng.randbytes(3000))
        await until_closed(socket)


async def giants(lobby: Lobby, token: str, room: str, rng: Random) -> None:
    """More than a frame may hold."""
    async with visit(lobby, token, room) as socket:
        await socket.send_str("x" * rng.choice((16_385, 5 << 20)))
        await until_closed(socket)


async def deaf(lobby: Lobby, token: str, room: str, rng: Random) -> None:
    """Comes to watch, and never reads."""
    async with visit(lobby, token, room):
        await asyncio.sleep(60.0)


async def crowd(lobby: Lobby, token: str, room: str, rng: Random) -> None:
    """Forty sockets of one person."""
    async with contextlib.AsyncExitStack() as all_of_them:
        for _ in range(40):
            await all_of_them.enter_async_context(visit(lobby, token, room))
        await asyncio.sleep(5.0)


async def guesses(lobby: Lobby, token: str, room: str, rng: Random) -> None:
    """Looks for a room by trying codes; and asks for everything that others may not have."""
    headers = {"Authorization": f"Bearer {token}"}
    for _ in range(60):
        code = "".join(rng.choices("ABCDEFGHJKMNPQRSTUVWXYZ23456789", k=6))
        async with lobby.http.post(f"{lobby.url}/api/join", json={"code": code}, headers=headers) as answer:
            await answer.read()
    for path in ("/api/admin/rooms", "/api/admin/reveal", f"/api/rooms/{room}/replay?game=0", "/%2e%2e/etc/passwd"):
        async with lobby.http.get(lobby.url + path, headers=headers) as answer:
            await answer.read()


async def hoard(lobby: Lobby, token: str, room: str, rng: Random) -> None:
    """Makes rooms until it may no more."""
    for _ in range(50):
        wish = {"game": "ninety-nine", "seats": 4, "public": True}
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": secrets.token_hex(12)}
        async with lobby.http.post(f"{lobby.url}/api/rooms", json=wish, headers=headers) as answer:
            await answer.read()
            if answer.status != 200:
                return


@asynccontextmanager
async def visit(lobby: Lobby, token: str, room: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    url = lobby.url.replace("http", "ws", 1) + "/ws"
    async with lobby.http.ws_connect(url, compress=0, max_msg_size=1 << 20) as socket:
        await socket.send_json({"type": "hello", "token": token, "room": room, "join": "watch"})
        yield socket


async def until_closed(socket: aiohttp.ClientWebSocketResponse) -> None:
    with contextlib.suppress(TimeoutError):  # nothing it did was bad enough
        async with asyncio.timeout(20.0):
            async for _ in socket:
                pass


@asynccontextmanager
async def lobby_from(url: str, address: str) -> AsyncIterator[Lobby]:
    """The HTTP API for somebody at this address, as the proxy before the gateway would say."""
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=30)
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0), timeout=timeout, headers={"X-Forwarded-For": address}
    ) as http:
        yield Lobby(http, url)


def any_address(rng: Random) -> str:
    return f"198.51.100.{rng.randrange(1, 99)}"


# ---------------------------------------------------------------- what it came to


def holdings(running: Running) -> dict[str, Any]:
    """What each part holds now: MiB of its own (of rooms: the mean of a process), files, threads, tasks; disk."""
    parts: dict[str, list[proc.Usage]] = {}
    for pid in running.pids():
        if (usage := proc.of_process(pid)) is not None:
            parts.setdefault(part_of(pid), []).append(usage)
    held: dict[str, Any] = {}
    for part, each in sorted(parts.items()):
        figure = mean if part == "rooms" else sum
        held[f"{part} MiB"] = round(figure([one.own_mib for one in each]), 2)
        held[f"{part} files"] = round(figure([one.files for one in each]), 1)
        held[f"{part} threads"] = round(figure([one.threads for one in each]), 1)
    held["room processes"] = len(parts.get("rooms", ()))
    pages = {"gateway": f"{running.url}/metrics", "node": f"http://{running.admin.nodes()[0]['metrics']}/metrics"}
    for part, page in pages.items():
        with urllib.request.urlopen(page, timeout=10) as answer:
            found = re.search(r"^hanpan_tasks(?:\{.*\})? (\S+)$", answer.read().decode(), re.MULTILINE)
        if found is not None:
            held[f"{part} tasks"] = float(found[1])
    held["disk MiB"] = round(sum(size(file) for file in running.data.rglob("*")) / 2**20, 1)
    return held


def size(file: Path) -> int:
    try:
        return file.stat().st_blocks * 512 if file.is_file() else 0
    except OSError:  # it has just gone
        return 0


def grown(samples: Sequence[dict[str, Any]], minutes: float) -> tuple[dict[str, list[float | None]], list[str]]:
    """Medians of each quarter by what is held; and what has grown from the second to the last one."""
    quarters = [
        [one for one in samples if quarter / 4 <= one["minute"] / minutes < (quarter + 1) / 4] for quarter in range(4)
    ]
    names = sorted({name for one in samples for name in one} - {"minute"})
    table: dict[str, list[float | None]] = {}
    wrong = []
    for name in names:
        row = [
            round(median(had), 2) if (had := [one[name] for one in part if name in one]) else None for part in quarters
        ]
        table[name] = row
        early, late = row[1], row[3]
        kind = name.rpartition(" ")[2]
        if early is None or late is None or name == "room processes" or name.startswith(STARTING):
            continue  # how many rooms there are, and how many processes start just then, is no growth
        slack = {"MiB": MEMORY_MIB, "files": FILES, "tasks": TASKS, "threads": THREADS}[kind]
        slack = DISK_MIB if name == "disk MiB" else slack
        if late > early * (1 + GROWTH) and late > early + slack:
            wrong.append(f"{name} grew from {early} to {late}")
    return table, wrong


def exceptions(data: Path) -> Counter[str]:
    """What hanpan's own log says of bugs, by event."""
    found: Counter[str] = Counter()
    for file in data.glob("hanpan.log*"):
        for line in file.read_text(errors="replace").splitlines():
            if '"exception"' in line or "Traceback" in line:
                with contextlib.suppress(ValueError):
                    said = json.loads(line)
                    found[f"{said.get('event')}: {str(said.get('exception', ''))[-200:]}"] += 1
    return found


async def evening(running: Running, args: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    before = await asyncio.to_thread(proc.usage, running.pids())
    samples = None if args.samples is None else Path(args.samples)
    one = Evening(running, args.minutes, samples, progress.say)
    await one.run()
    await asyncio.sleep(AFTER_SECONDS)
    after = await asyncio.to_thread(proc.usage, running.pids())
    table, wrong = grown(one.samples, args.minutes)
    storms = one.storms.told(0)
    wrong += [f"{why} ({times} times)" for why, times in one.wrong.items()]
    if not is_well(storms, sockets_were_cut=one.storms.cut):
        wrong.append("a storm was not weathered")
    bugs = exceptions(running.data)
    wrong += [f"in the log: {bug} ({times} times)" for bug, times in bugs.items()]
    return {
        "minutes": args.minutes,
        "done": dict(sorted(one.done.items())),
        "latencyMs": summary_ms(one.latencies, (0.5, 0.95, 0.99)),
        "proofs": len(one.proofs),
        "lost": sum(proof.lost for proof in one.proofs),
        "doubled": sum(proof.doubled for proof in one.proofs),
        "digestMismatches": sum(proof.digest_mismatches for proof in one.proofs),
        "viewMismatches": sum(proof.view_mismatches for proof in one.proofs),
        "storms": storms,
        "quarters": table,
        "before": msgspec.to_builtins(before),
        "after": msgspec.to_builtins(after),
        "wrong": wrong,
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack.evening", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--samples", help="a file for what was measured, line by line, as it comes")
    parser.add_argument("--json", action="store_true", help="on one line")
    args = parser.parse_args()
    by_default = {name: str(getattr(Settings(), name.removeprefix("HANPAN_").lower())) for name in UNLIMITED}
    env = {**by_default, "HANPAN_PROXIES": "1", "HANPAN_KEEP_DAYS": str(KEEP_DAYS)}

    def measured() -> dict[str, Any]:
        with Progress() as progress, hanpan(spares=4, env=env) as running:
            report = uvloop.run(evening(running, args, progress))
        if running.left_behind:
            report["wrong"].append(f"processes left behind after the end: {running.left_behind}")
        return report

    return told(measured, as_json=args.json)


if __name__ == "__main__":
    sys.exit(main())
