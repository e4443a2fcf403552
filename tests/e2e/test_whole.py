"""hanpan as a whole: real processes on Ray, real sockets, real kills. One start serves most of these tests."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ops.admin import is_ready
from tests.e2e.running import QUICK_BOTS, Hanpan, alive, hanpan, listening, phones, two_at_a_table

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def running() -> Iterator[Hanpan]:
    elsewhere = {"RAY_ADDRESS": "127.0.0.1:1"}  # a shell may speak of another Ray
    with hanpan("--spares", "2", HANPAN_ROOM_SETTINGS=QUICK_BOTS, **elsewhere) as started:
        yield started


async def test_a_game_against_bots_is_played_to_its_end_through_a_kill(running: Hanpan) -> None:
    """Done means: play, kill the room's process in mid-turn, go on to the end on the same socket, watch the replay."""
    async with phones(running.url, "지호") as (jiho,):
        room = await jiho.post("/api/rooms", {"game": "ninety-nine", "bots": 2, "seats": 3, "autoStart": True})
        assert (await jiho.join(room["id"]))["you"]["seat"] == 0
        await jiho.my_turn()
        pid = running.rooms()[room["id"]]["pid"]
        os.kill(pid, signal.SIGKILL)
        while jiho.last("room")["status"] != "finished":
            answer = await jiho.play()
            assert answer["type"] == "ack"
            await jiho.my_turn()
        assert jiho.last("view")["result"]["winner"]
        assert [m["type"] for m in jiho.messages].count("bye") == 0
        assert "pause" in {m["type"] for m in jiho.messages}
        assert running.rooms()[room["id"]]["pid"] != pid
        replay = await jiho.get(f"/api/rooms/{room['id']}/replay?game=0")
        assert replay["frames"][-1]["view"] == jiho.last("view")
        status, _ = running.tool("verify", room["id"])
        assert status == 0


def test_nothing_but_the_gateway_can_be_reached_from_other_machines(running: Hanpan) -> None:
    """Whoever reaches a port of Ray's may run code, whoever reaches the metrics reads them."""
    ours = listening(running.processes())
    assert f"127.0.0.1:{running.url.rpartition(':')[2]}" in ours
    assert len(ours) > 5, "directory, metrics, Ray's processes and the rooms' listen as well"
    assert [place for place in ours if not place.startswith("127.0.0.1:")] == []


ASK_RAY = """
import sys
from ray._raylet import GcsClient
from ray.exceptions import AuthenticationError
try:
    print("told", GcsClient(address=sys.argv[1]).internal_kv_keys(b"", b"fun"))
except AuthenticationError:
    print("refused")
"""


def test_another_user_of_the_machine_is_refused_by_ray(running: Hanpan) -> None:
    """Loopback is theirs as well. Asked as Ray's own tools do: with and without the token that our processes have."""
    (gcs,) = running.children("gcs_server")
    places = listening([gcs])
    environ = Path(f"/proc/{gcs}/environ").read_text().split("\0")
    token = next(line.removeprefix("RAY_AUTH_TOKEN=") for line in environ if line.startswith("RAY_AUTH_TOKEN="))
    for given, says in ((token, "told"), ("0" * len(token), "refused")):
        done = subprocess.run(
            [sys.executable, "-c", ASK_RAY, places[0]],
            env={**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": given},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.startswith(says), done.stdout + done.stderr
    (gateway,) = running.children("ops.cli gateway")
    assert token not in Path(f"/proc/{gateway}/environ").read_text()


async def test_an_id_that_was_acknowledged_before_the_kill_gets_the_same_answer_after_it(running: Hanpan) -> None:
    async with phones(running.url, "a", "b") as (a, b):
        room = await a.post("/api/rooms", {"game": "ninety-nine", "seats": 2, "autoStart": True})
        await a.join(room["id"])
        await b.join(room["id"])
        await a.until(lambda: a.situation.get("decision") or b.situation.get("decision"))
        mover = a if a.situation.get("decision") else b
        first = await mover.play()
        os.kill(running.rooms()[room["id"]]["pid"], signal.SIGKILL)
        await mover.until(lambda: any(m["type"] == "resume" for m in mover.messages))
        mark = len(mover.messages)
        await mover.say("action", id=first["id"], decision=1, action={"type": "play", "cardId": "x"})
        again = await mover.until(lambda: next((m for m in mover.messages[mark:] if m.get("id") == first["id"]), None))
        assert again == first


@pytest.mark.slow  # as the short storm kills rooms in test_chaos.py, and this command does in test_postgres.py
def test_chaos_proves_that_nothing_is_lost(running: Hanpan) -> None:
    status, report = running.tool(
        "chaos", "kill-rooms", "--rooms", "2", "--players", "3", "--kills", "4", "--seed", "7"
    )
    assert status == 0, report
    assert report["kills"] == 4
    assert [report[name] for name in ("lost", "doubled", "digestMismatches", "viewMismatches")] == [0, 0, 0, 0]
    assert report["reconnects"] == 0
    reveals = [deed for deed in running.admin("audit")["deeds"] if deed["what"] == "reveal"]
    assert [deed["times"] for deed in reveals] == [1, 1]  # each room's log was looked into once, to be proved
    assert len({deed["room"] for deed in reveals}) == 2


def test_load_plays_and_reports(running: Hanpan) -> None:
    """Whether a slot was missed is for benchmarks to say, not for a test on a busy machine."""
    _, report = running.tool("load", "--rooms", "2", "--players", "3", "--period", "100", "--seconds", "2")
    assert report["errors"] == 0
    assert report["turns"] > 10


async def test_a_dead_gateway_is_replaced_and_clients_resume(running: Hanpan) -> None:
    async with phones(running.url, "a", "b") as (a, b):
        room = await a.post("/api/rooms", {"game": "ninety-nine", "seats": 2, "autoStart": True})
        await a.join(room["id"])
        await b.join(room["id"])
        await a.until(lambda: a.situation.get("decision") or b.situation.get("decision"))
        seen = a.situation["seq"]
        os.kill(running.children("gateway")[0], signal.SIGKILL)
        await a.until(lambda: a.socket.closed)
        await a.until(lambda: is_ready(running.url))
        welcome = await a.join(room["id"], seq=seen)
        assert welcome["resumed"] is True
        await b.join(room["id"])
        mover = await a.until(lambda: next((p for p in (a, b) if p.situation.get("decision")), None))
        assert (await mover.play())["type"] == "ack"


@pytest.mark.parametrize("part", ["DirectoryActor", "AgentActor"])
async def test_rooms_go_on_while_the_directory_or_the_agent_is_replaced(running: Hanpan, part: str) -> None:
    async with phones(running.url, "a", "b") as (a, b):
        room = await a.post("/api/rooms", {"game": "ninety-nine", "seats": 2, "autoStart": True})
        await a.join(room["id"])
        await b.join(room["id"])
        pid = running.rooms()[room["id"]]["pid"]
        os.kill(running.children(part)[0], signal.SIGKILL)
        for _ in range(4):
            mover = await a.until(lambda: next((p for p in (a, b) if p.situation.get("decision")), None))
            assert (await mover.play())["type"] == "ack"
        await a.until(lambda: is_ready(running.url))
        async with asyncio.timeout(60):  # "unavailable" asks to come again: a new agent is on its way
            while "id" not in (other := await a.post("/api/rooms", {"game": "ninety-nine"})):
                assert other["code"] == "unavailable", other
        assert running.rooms()[room["id"]]["pid"] == pid
        assert not [m for m in a.messages if m["type"] in ("pause", "bye")]


@pytest.mark.parametrize(
    "way", [*(pytest.param(way, marks=pytest.mark.slow) for way in ("SIGTERM", "SIGINT")), "power cut"]
)
async def test_a_second_start_on_the_same_folder_continues_every_game(running: Hanpan, way: str) -> None:
    """Here at the end: those who come after it meet another hanpan, with all that was played before."""
    async with phones(running.url, "a", "b") as (a, b):
        room = await two_at_a_table(a, b, 3)
        view = a.last("view")
        token = a.token
        processes = running.processes()
        if way == "power cut":
            running.kill()
        else:
            assert await asyncio.to_thread(running.stop, signal.Signals[way]) == 0
            bye = await a.until(lambda: next((m for m in a.messages if m["type"] == "bye"), None))
            assert (bye["code"], bye["again"]) == ("shutdown", True)
        assert not alive(processes)
    running.start()
    async with phones(running.url, "x") as (again,):
        again.token = token
        welcome = await again.join(room["id"])
        assert welcome["you"]["seat"] is not None
        assert welcome["view"]["total"] == view["total"]
        assert welcome["view"]["hand"] == view["hand"]
