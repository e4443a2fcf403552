"""Bots play over real sockets on a whole hanpan in one loop: what is lost on the way is not lost."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cluster.entries import Entry
from cluster.messages import Ready
from ops import load
from ops.load import Plan, Table, run_load, settle, tables
from ops.player_io import Connection
from ops.problem import Problem
from ops.verify import Witness, prove
from tests.cluster.mini import MiniCluster, until
from tests.gateway.test_whole import hanpan

pytestmark = pytest.mark.timeout(60)


def plan(url: str, **changes: Any) -> Plan:
    usual: dict[str, Any] = {"game": "bench-turn", "rooms": 2, "players": 3, "period": 5, "seconds": 0.5}
    return Plan(url=url, **(usual | changes))


@asynccontextmanager
async def playing(**changes: Any) -> AsyncIterator[tuple[MiniCluster, Table]]:
    """One room in which everyone acts as soon as they can."""
    async with hanpan() as (url, mini), tables(plan(url, rooms=1, **changes), lambda said: None) as opened:
        (table,) = opened
        await table.begin(eager=True)
        await turns(table, 5)
        yield mini, table


async def turns(table: Table, more: int) -> None:
    """Waits until so many more have been played."""
    wanted = len(table.latencies) + more
    async with asyncio.timeout(20):
        while len(table.latencies) < wanted:  # noqa: ASYNC110  # what is waited for has no event
            await asyncio.sleep(0.005)


async def log_of(mini: MiniCluster, room: str) -> list[Entry]:
    log = await mini.make_store().room(room)
    try:
        return await log.read()
    finally:
        await log.close()


async def nothing_lost(mini: MiniCluster, table: Table) -> None:
    """Everyone stops; then the log and all that the players were told are held against each other."""
    table.stopped = True
    assert await settle([table])
    entries = await log_of(mini, table.id)
    async with asyncio.timeout(10):
        while any(each.player.seq != entries[-1].seq for each in table.players):
            await asyncio.sleep(0.005)
            entries = await log_of(mini, table.id)
    proof = prove(entries, [witness(each.player) for each in table.players])
    assert proof.findings == ()
    assert table.faults() == []


def witness(player: Any) -> Witness:
    return Witness(player.you.player, player.acks, player.seq, player.view)


@pytest.mark.parametrize("period", [0, 5])
async def test_a_report_counts_what_was_played(period: int) -> None:
    async with hanpan() as (url, mini):
        seen: list[float] = []

        async def watch(seconds: float) -> None:
            seen.append(seconds)

        report = await run_load(plan(url, period=period), lambda said: None, watch)
        assert report["turns"] > 10
        assert (report["errors"], report["timedOut"], report["reconnects"]) == (0, 0, 0)
        assert 0 < report["latencyMs"]["p50"] <= report["latencyMs"]["p99"] <= report["latencyMs"]["max"]
        assert seen
        for room in list(mini.records.values()):
            assert room.summary.status in ("closed", "playing", "finished")


async def test_a_game_that_is_over_is_followed_by_another() -> None:
    async with playing(players=2, game="bench-turn") as (mini, table):
        first = table.players[0]
        async with asyncio.timeout(30):
            while first.player.room is None or first.player.room.games < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await nothing_lost(mini, table)


async def test_a_killed_room_process_costs_nothing_and_no_socket() -> None:
    async with playing() as (mini, table):
        for _ in range(5):
            mini.kill_owner(table.id)
            await turns(table, 10)
        await nothing_lost(mini, table)
        assert table.reconnects == 0
        assert len({entry.epoch for entry in await log_of(mini, table.id)}) == 6


async def test_a_lost_socket_is_opened_again_and_nothing_is_sent_twice() -> None:
    async with playing() as (mini, table):
        for each in table.players:
            socket = each._socket
            assert socket is not None
            assert socket._conn is not None
            assert socket._conn.transport is not None
            socket._conn.transport.abort()
            await turns(table, 10)
        await nothing_lost(mini, table)
        assert table.reconnects == 3


async def test_what_cannot_be_played_is_a_problem() -> None:
    async with hanpan() as (url, _):
        for wrong in ({"game": "no-such-game"}, {"players": 99}, {"options": {"turnSeconds": -1}}):
            with pytest.raises(Problem):
                await run_load(plan(url, **wrong), lambda said: None)
    with pytest.raises(Problem, match="does not answer"):
        await run_load(plan("http://127.0.0.1:1"), lambda said: None)


async def test_a_game_that_may_not_begin_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not a run in which nothing went wrong, as nothing was played."""
    monkeypatch.setattr(load, "Ready", functools.partial(Ready, ready=False))
    async with hanpan() as (url, _):
        with pytest.raises(Problem) as no:
            await run_load(plan(url), lambda said: None)
        assert no.value.code == "not_ready"


async def test_a_game_begins_when_all_are_ready_however_slow_their_sockets_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host has a socket of its own, and `start` on it would overtake a `ready` on another."""
    send = Connection.send
    later: set[asyncio.Task[None]] = set()

    async def slow(self: Connection, text: bytes) -> None:
        async def after_a_while() -> None:
            await asyncio.sleep(0.2)
            await send(self, text)

        if b'"type":"ready"' in text:
            later.add(asyncio.create_task(after_a_while()))
        else:
            await send(self, text)

    monkeypatch.setattr(Connection, "send", slow)
    async with hanpan() as (url, _):
        report = await run_load(plan(url), lambda said: None)
    assert (report["errors"], report["refused"]) == (0, {})
    assert report["turns"] > 10


@pytest.mark.parametrize("period", [0, 5])
async def test_a_run_in_which_nothing_was_played_is_an_error(period: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(self: Table, connection: Connection) -> None:
        pass

    monkeypatch.setattr(Table, "act", nothing)
    async with hanpan() as (url, _):
        report = await run_load(plan(url, period=period), lambda said: None)
    assert report["turns"] == 0
    assert report["errors"] > 0
    assert "nothing was played" in report["faults"][-1]


async def test_nothing_is_left_open() -> None:
    async with hanpan() as (url, mini):
        pool = mini.agent.pool
        await until(lambda: len(pool.spares()) == pool.wanted)  # of processes that come, tasks do, too
        before = asyncio.all_tasks()
        await run_load(plan(url), lambda said: None)
        async with asyncio.timeout(10):
            while len(asyncio.all_tasks()) > len(before):  # noqa: ASYNC110  # the gateway's side ends by itself
                await asyncio.sleep(0.01)


async def test_a_bug_of_a_bot_is_an_error_of_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not a run that measures nothing."""

    def crash(*_: Any) -> Any:
        raise RuntimeError("no idea")

    async with hanpan() as (url, _):
        monkeypatch.setattr("ops.bench.turn.BenchTurn.bot", crash)
        with pytest.raises(RuntimeError, match="no idea"):
            await run_load(plan(url), lambda said: None)
        report = await run_load(plan(url, period=0), lambda said: None)
        assert report["errors"] > 0
        assert "no idea" in str(report["faults"])
