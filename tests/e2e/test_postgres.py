"""hanpan on PostgreSQL as a whole: real processes, a real server, and both of them killed."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ops import postgres as servers
from ops.postgres import Server
from tests.conftest import QUICK
from tests.e2e.running import QUICK_BOTS, Hanpan, hanpan, phones, two_at_a_table

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """These tests stop it."""
    with servers.postgres(QUICK) as server:
        yield server


@pytest.fixture(scope="module")
def running(server: Server) -> Iterator[Hanpan]:
    """On an empty database: the tables are made by the start."""
    with hanpan("--spares", "2", HANPAN_STORE=server.url, HANPAN_ROOM_SETTINGS=QUICK_BOTS) as started:
        yield started


def sessions(server: Server) -> dict[str, int]:
    """Connections by who holds them."""
    query = "SELECT application_name, count(*) FROM pg_stat_activity WHERE application_name LIKE 'hanpan%' GROUP BY 1"
    lines = server.tool("psql", "-At", "-c", query).splitlines()
    return {name: int(count) for name, _, count in (line.partition("|") for line in lines)}


def tool(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ops.cli", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


async def through(phone: Any, room: dict[str, Any], midway: Any) -> None:
    """Plays the game to its end; after a few turns something happens."""
    await phone.join(room["id"])
    turns = 0
    while True:
        await phone.my_turn()
        if phone.last("room")["status"] == "finished":
            return
        answer = await phone.play()
        if answer["type"] == "reject":
            assert (answer["code"], answer["retry"]) == ("storage_down", True)
            await asyncio.sleep(0.1)
            continue
        turns += 1
        if turns == 1:
            await midway()


async def test_a_game_is_played_to_its_end_through_the_kill_of_its_process(running: Hanpan, server: Server) -> None:
    async with phones(running.url, "지호") as (jiho,):
        room = await jiho.post("/api/rooms", {"game": "ninety-nine", "bots": 2, "seats": 3, "autoStart": True})

        async def kill() -> None:
            os.kill(running.rooms()[room["id"]]["pid"], signal.SIGKILL)

        await through(jiho, room, kill)
        assert jiho.last("view")["result"]["winner"]
        assert [m["type"] for m in jiho.messages].count("bye") == 0
        replay = await jiho.get(f"/api/rooms/{room['id']}/replay?game=0")
        assert replay["frames"][-1]["view"] == jiho.last("view")
    assert sum(sessions(server).values()) <= 7  # four of the clerk, one of its reserve, two of the directory
    status, report = running.tool("verify", "--all")
    assert status == 0, report
    assert report["rooms"]


async def test_a_game_goes_on_through_a_restart_of_postgresql_and_the_kill_of_both_clerks(
    running: Hanpan, server: Server
) -> None:
    """To the players each is a pause; the socket stays open, and what was acknowledged is there."""
    async with phones(running.url, "지호") as (jiho,):
        room = await jiho.post("/api/rooms", {"game": "ninety-nine", "bots": 2, "seats": 3, "autoStart": True})
        epoch = 0

        async def break_things() -> None:
            nonlocal epoch
            epoch = running.rooms()[room["id"]]["epoch"]
            server.stop("immediate")
            await asyncio.sleep(0.5)
            server.start()
            for clerk in running.children("ray::ClerkActor"):
                os.kill(clerk, signal.SIGKILL)

        await through(jiho, room, break_things)
        assert jiho.last("view")["result"]["winner"]
        assert [m["type"] for m in jiho.messages].count("bye") == 0
        assert running.rooms()[room["id"]]["epoch"] == epoch
    status, report = running.tool("verify", room["id"])
    assert status == 0, report


@pytest.mark.slow
def test_chaos_proves_that_nothing_is_lost(running: Hanpan) -> None:
    status, report = running.tool(
        "chaos", "kill-rooms", "--rooms", "2", "--players", "3", "--kills", "4", "--seed", "7"
    )
    assert status == 0, report
    assert [report[name] for name in ("lost", "doubled", "digestMismatches", "viewMismatches")] == [0, 0, 0, 0]


def test_nobody_but_those_who_need_it_knows_the_password(running: Hanpan, server: Server) -> None:
    """Not the gateway, not the log, not the command lines."""
    assert server.password not in running.log()
    gateway = Path(f"/proc/{running.children('ops.cli gateway')[0]}/environ").read_text()
    assert server.password not in gateway
    for pid in running.processes():
        assert server.password not in Path(f"/proc/{pid}/cmdline").read_text()


def test_a_second_hanpan_on_the_same_database_is_refused(running: Hanpan, server: Server, tmp_path: Path) -> None:
    done = tool("up", "--port", "0", "--data", str(tmp_path / "other"), "--store", server.url)
    assert done.returncode == 3
    assert "running on this database" in done.stderr
    done = tool("store", "import", str(tmp_path / "x"), "--store", server.url)
    assert done.returncode == 3


@pytest.mark.slow
@pytest.mark.parametrize("way", ["moved from SQLite", "restored from pg_dump"])
async def test_an_unfinished_game_goes_on_after_its_logs_were_carried_elsewhere(
    server: Server, tmp_path: Path, way: str
) -> None:
    """The same hands, the same table, the same players' tokens; every digest replays."""
    first, second = (f"{server.url}?schema=t_{secrets.token_hex(6)}" for _ in range(2))
    moves = way == "moved from SQLite"
    before = f"sqlite:{tmp_path}/data" if moves else first
    running = Hanpan(tmp_path / "data", "--spares", "1", HANPAN_STORE=before).start()
    try:
        async with phones(running.url, "a", "b") as (a, b):
            room = await two_at_a_table(a, b, 3)
            view, token = a.last("view"), a.token
            await asyncio.to_thread(running.stop)
        if moves:
            file = str(tmp_path / "rooms.jsonl.gz")
            assert tool("store", "export", file, "--store", before).returncode == 0
            assert tool("store", "import", file, "--store", second).returncode == 0
        else:
            second = _dumped_and_restored(server, first, tmp_path)
        running = Hanpan(tmp_path / "data", "--spares", "1", HANPAN_STORE=second).start()
        async with phones(running.url, "x") as (again,):
            again.token = token
            welcome = await again.join(room["id"])
            assert welcome["view"]["total"] == view["total"]
            assert welcome["view"]["hand"] == view["hand"]
        status, report = running.tool("verify", "--all")
        assert status == 0, report
        assert [row["room"] for row in report["rooms"]] == [room["id"]]
    finally:
        running.end()


def _dumped_and_restored(server: Server, url: str, folder: Path) -> str:
    """As ops/README.md says: pg_dump of the schema, into another database. Returns the URL there."""
    schema = url.rpartition("=")[2]
    dump = server.folder / f"{schema}.dump"
    database = f"restored_{secrets.token_hex(4)}"
    server.tool("pg_dump", "-Fc", "-n", schema, "-f", str(dump), servers.USER)
    server.tool("psql", "-c", f"DROP SCHEMA {schema} CASCADE")
    server.tool("createdb", database)
    server.tool("pg_restore", "--exit-on-error", "-d", database, str(dump))
    return server.url.rpartition("/")[0] + f"/{database}?schema={schema}"
