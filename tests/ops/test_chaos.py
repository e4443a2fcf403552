"""Chaos's own parts, with nothing broken: what a gap is, which fault comes when, what reports add up to, the wire."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import ops
from ops import proc, runfile
from ops.chaos.fault import FAULTS as BARE
from ops.chaos.fault import Hit, Scene
from ops.chaos.faults import FAULTS
from ops.chaos.gaps import gap
from ops.chaos.inside import GAME
from ops.chaos.nodes import Nodes, Part
from ops.chaos.report import Report, is_well, readable, told_of_kills
from ops.chaos.site import Given, Many, Need, Single, keep
from ops.chaos.storm import BRIEF_SECONDS, MORE_TIME, Repeat, Storm, affordable, possible
from ops.chaos.wire import Wire
from ops.commands import chaos
from ops.load import Table
from ops.problem import Problem
from ops.verify import Proof


def hit(*acks: tuple[float, int], moves: bool, over: float | None = None, moved: float | None = None) -> Hit:
    return Hit(Table(GAME, "r", Random(1)), moves, 3, 10.0, over, moved, acks=list(acks))


# ---------------------------------------------------------------- gaps


def test_after_a_kill_the_gap_ends_with_the_first_action_that_a_later_owner_took() -> None:
    """Not with what the killed one had taken, and only now is heard of; nor with what its log does not hold."""
    struck = hit((10.01, 7), (10.2, 8), (10.3, 9), moves=True)
    assert gap(struck, {7: 3, 8: 4, 9: 4}) == pytest.approx(0.2)
    assert gap(struck, {7: 3, 8: 3}) is None
    assert gap(struck, {}) is None


def test_elsewhere_the_gap_is_the_longest_silence_until_the_fault_was_over() -> None:
    assert gap(hit((10.1, 1), (10.2, 2), (13.0, 3), (13.1, 4), moves=False, over=12.5), {}) == pytest.approx(2.8)
    assert gap(hit((10.1, 1), (10.3, 2), moves=False, over=10.2), {}) == pytest.approx(0.2)
    assert gap(hit((10.1, 1), moves=False, over=10.2), {}) is None
    assert gap(hit((10.1, 1), moves=False), {}) is None  # it lasts


def test_a_room_whose_owner_was_lost_is_back_when_it_is_played_after_another_was_seen_to_own_it() -> None:
    """What is acknowledged before that may be of what the old one had taken."""
    assert not hit((10.1, 1), (10.2, 2), moves=True, over=10.1).back
    assert not hit((10.1, 1), (10.2, 2), moves=True, moved=10.3).back
    assert hit((10.1, 1), (10.4, 2), moves=True, moved=10.3).back


# ---------------------------------------------------------------- what ends is started again


async def test_what_could_not_be_started_again_is_tried_again_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cluster, starts = Nodes(tmp_path, "memory:"), 0

    def ended() -> Part:
        part = Part("gateway", tmp_path / "gateway.log", "--help")
        part.process.wait()
        return part

    def start() -> Part:
        nonlocal starts
        starts += 1
        if starts <= 2:
            raise BlockingIOError("Resource temporarily unavailable")
        cluster.parts["gateway"] = ended()
        if starts == 4:
            raise AssertionError("a bug")
        return cluster.parts["gateway"]

    cluster.parts["gateway"], cluster._starts["gateway"] = ended(), start
    with pytest.raises(
        AssertionError, match="a bug"
    ):  # which is not the world's fault: it ends the keeping, and is told
        await keep(cluster, asyncio.to_thread)
    said = "gateway is not started again: BlockingIOError: Resource temporarily unavailable"
    assert capsys.readouterr().err.splitlines() == [said]  # once, however often it was tried


# ---------------------------------------------------------------- which, and when


def test_every_fault_has_its_place_in_the_readme_and_a_word_for_the_help() -> None:
    text = (Path(ops.__file__).parent / "README.md").read_text()
    assert FAULTS is BARE
    assert [name for name in FAULTS if f"`{name}`" not in text] == []
    assert all(fault.name == name and fault.says for name, fault in FAULTS.items())


def test_a_storm_does_everything_once_and_then_goes_on_until_its_time_is_up() -> None:
    storm = Storm(FAULTS.values(), 7, 500.0)
    first = [storm(0.0) for _ in FAULTS]
    assert {fault.name for fault in first if fault} == set(FAULTS)
    assert storm(499.0) is not None
    assert storm(500.0) is None


@pytest.mark.parametrize(("seconds", "reached"), [(60.0, 1), (500.0, 5), (1e6, 0)])
async def test_a_storm_says_which_faults_its_time_did_not_suffice_for(
    seconds: float, reached: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each takes as long as real ones do; that it can be done is no proof that it was."""

    class Drill:
        async def run(self, script: Storm, also: Any) -> Report:
            report, elapsed = Report(), 0.0
            while len(report.faults) < len(on_many) and (fault := script(elapsed)) is not None:
                report.faults[fault.name] += 1
                elapsed += 100.0
            return report

    on_many, _ = possible(FAULTS, Many.offers)
    monkeypatch.setattr(chaos, "_drill", lambda *_: Drill())
    args: Any = SimpleNamespace(only="", seconds=seconds, seed=7)
    site: Any = SimpleNamespace(offers=Many.offers)
    report = await chaos._storm(args, site, None, seconds)  # type: ignore[arg-type]  # nobody looks on
    assert len(report.faults) == (reached or len(on_many))
    assert report.faults.keys() | report.skipped.keys() == FAULTS.keys()
    assert report.faults.keys() & report.skipped.keys() == set()
    assert report.skipped["disk-full"] == Need.SMALL_DISK.value
    reasons = {why for name, why in report.skipped.items() if name != "disk-full"}
    brief = {f"a storm of {BRIEF_SECONDS:.0f} s or more"} if seconds < BRIEF_SECONDS else set()
    assert reasons == ({MORE_TIME} | brief if reached else set())


@pytest.mark.parametrize(
    ("trouble", "unmet"),
    [
        (None, []),
        (Problem("not_ready", "it does not start"), ["on one machine: it does not start"]),
        (Problem("nothing_to_break", "nothing of that can be broken there"), []),
    ],
)
async def test_what_half_a_storm_has_proved_is_told_whatever_becomes_of_the_other(
    trouble: Problem | None, unmet: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextlib.asynccontextmanager
    async def site(args: Any, *, small_disk: bool) -> AsyncIterator[None]:
        yield

    async def storm(args: Any, site: Any, progress: Any, seconds: float) -> Report:
        if trouble is not None and seconds < 1000:  # the second part
            raise trouble
        return Report(seconds=seconds)

    monkeypatch.setattr(chaos, "_site", site)
    monkeypatch.setattr(chaos, "_storm", storm)
    args: Any = SimpleNamespace(what="storm", url=None, nodes=2, seconds=2000.0)
    report = await chaos._runs(args, None)  # type: ignore[arg-type]  # nobody looks on
    assert report.unmet == unmet
    assert report.seconds == (2000.0 if trouble is None else 1800.0)


def test_a_storms_order_is_its_seeds() -> None:
    def order(seed: int) -> list[Any]:
        storm = Storm(FAULTS.values(), seed, 500.0)
        return [storm(0.0) for _ in range(60)]

    assert order(7) == order(7)
    assert order(7) != order(8)


def test_a_short_storm_leaves_out_what_takes_long() -> None:
    assert all(fault.brief for fault in affordable(FAULTS.values(), BRIEF_SECONDS - 1))
    assert affordable(FAULTS.values(), BRIEF_SECONDS) == list(FAULTS.values())


def test_a_fault_is_repeated_as_often_as_wanted() -> None:
    fault = FAULTS["room-killed"]
    repeat = Repeat(fault, 2)
    assert [repeat(0.0), repeat(0.0), repeat(0.0)] == [fault, fault, None]


def test_everything_can_be_done_somewhere_and_what_cannot_is_told_with_the_reason() -> None:
    on_one, _ = possible(FAULTS, Single.everything)
    on_many, cannot = possible(FAULTS, Many.offers)
    assert {fault.name for fault in (*on_one, *on_many)} == set(FAULTS)
    assert cannot == {"disk-full": Need.SMALL_DISK.value}
    far, _ = possible(FAULTS, Given("http://hanpan.example", "t", remote=False).offers)
    assert [fault.name for fault in far if Need.KILL in fault.needs] == []


# ---------------------------------------------------------------- what is not to be killed


@pytest.fixture
def others() -> Iterator[subprocess.Popen[bytes]]:
    """A process of somebody else's, that has a child."""
    with subprocess.Popen(["sh", "-c", "sleep 600 & wait"], start_new_session=True) as process:
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    """Another one."""
    with subprocess.Popen(["sleep", "600"]) as process:
        try:
            yield process
        finally:
            process.kill()


def leave_run_file(port: int, pid: int) -> None:
    fields = {"url": f"http://127.0.0.1:{port}", "adminToken": "t", "data": "/d", "directory": "127.0.0.1:1"}
    runfile.write(port, {**fields, "pid": pid})


@pytest.fixture
def _runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


@pytest.mark.usefixtures("_runtime")
def test_nothing_is_killed_here_for_an_address_that_only_leads_through_here(others: subprocess.Popen[bytes]) -> None:
    """`kubectl port-forward` listens on this machine, and what it leads to runs on another."""
    assert Given("http://127.0.0.1:9", "t", remote=False).offers == set()
    assert Given("http://127.0.0.1:9", "t", remote=True).offers == {Need.KILL}
    ended = subprocess.Popen(["true"])
    ended.wait()
    leave_run_file(9, ended.pid)
    assert Given("http://127.0.0.1:9", "t", remote=False).offers == set()
    leave_run_file(9, others.pid)
    given = Given("http://127.0.0.1:9", "t", remote=False)
    assert given.offers == {Need.KILL, Need.PROCESSES}
    assert all(given.has(pid) for pid in given.pids())
    assert not given.has(os.getpid())
    assert not given.has(ended.pid)


@pytest.mark.usefixtures("_runtime")
async def test_a_pid_that_is_none_of_that_hanpans_is_neither_killed_nor_stopped(
    others: subprocess.Popen[bytes], stranger: subprocess.Popen[bytes]
) -> None:
    """What hanpan says of its rooms' processes may be of another machine, where pids are others'."""
    leave_run_file(9, others.pid)
    site = Given("http://127.0.0.1:9", "t", remote=False)
    stage: Any = SimpleNamespace(site=site, remote=False, admin=None, rng=None, tables=[], lobby=None, reconnects=0)
    table, scene = Table(GAME, "r", Random(1)), Scene(stage, "room-killed")
    for pid in (stranger.pid, 0):  # 0 would be all of our own group
        scene._rows = {"r": {"pid": pid}}
        with pytest.raises(Problem, match="not of the hanpan"):
            await scene.kill_room(table)
        with pytest.raises(Problem, match="not of the hanpan"):
            scene.stop([pid])
    assert proc.alive([stranger.pid])
    scene._rows = {"r": {"pid": others.pid}}
    await scene.kill_room(table)
    assert others.wait() == -signal.SIGKILL


# ---------------------------------------------------------------- reports


def test_the_reports_of_two_parts_add_up() -> None:
    one = Report(gaps={"a": [0.1]}, proofs=[Proof(1, 0, 0, 0, ("x",))], seconds=2.0, rooms=3, skipped={"b": "why"})
    one.faults["a"] += 1
    two = Report(gaps={"a": [0.3], "b": [1.0]}, cut=True, seconds=3.0, rooms=3, unmet=["b: no"])
    two.faults.update({"a": 2, "b": 1})
    told = (one + two).told(5)
    assert told["faults"] == {"a": 3, "b": 1}
    assert told["gapMs"]["a"] == {"p50": 100.0, "p99": 300.0, "max": 300.0}
    assert (told["lost"], told["seconds"], told["rooms"], told["unmet"], told["seed"]) == (1, 5.0, 6, 1, 5)
    assert (one + two).cut
    assert (one.faults["a"], two.faults["a"]) == (1, 2)
    assert "b: no" in readable(told)


@pytest.mark.parametrize(
    "wrong",
    [
        Report(proofs=[Proof(0, 1, 0, 0, ("x",))]),
        Report(proofs=[Proof(0, 0, 1, 0, ("x",))]),
        Report(proofs=[Proof(0, 0, 0, 1, ("x",))]),
        Report(unmeasured=1),
        Report(unmet=["x"]),
        Report(client_faults=["x"]),
        Report(reconnects=1),
    ],
)
def test_anything_that_anybody_could_notice_is_not_well(wrong: Report) -> None:
    assert not is_well(wrong.told(1), sockets_were_cut=False)
    assert is_well(Report().told(1), sockets_were_cut=False)


def test_sockets_are_opened_again_only_where_they_were_cut() -> None:
    assert is_well(Report(reconnects=1).told(1), sockets_were_cut=True)


def test_kills_alone_are_told_as_they_always_were() -> None:
    report = Report(gaps={"room-killed": [0.1]}, spares=4)
    report.faults["room-killed"] = 2
    told = told_of_kills(report, 1)
    assert (told["kills"], told["gapMs"]["p50"], told["sparesReady"]) == (2, 100.0, 4)
    assert told_of_kills(Report(), 1)["gapMs"]["p50"] is None


# ---------------------------------------------------------------- the wire


async def test_a_wire_carries_cuts_refuses_is_slow_and_works_again() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data)
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    wire = Wire()
    port = await wire.lay(server.sockets[0].getsockname()[:2])

    async def said(text: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(text)
        try:
            return await reader.read(100)
        except ConnectionError:
            return b""
        finally:
            writer.close()

    try:
        assert await said(b"a") == b"a"
        wire.refuses = True
        assert await said(b"b") == b""
        wire.works()
        wire.hold()
        waiting = asyncio.create_task(said(b"c"))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        wire.works()
        assert await waiting == b"c"
        wire.hold_answers()
        waiting = asyncio.create_task(said(b"d"))
        await asyncio.sleep(0.05)
        wire.cut()
        assert await waiting == b""
        wire.works()
        wire.delay = 0.02
        assert await said(b"e") == b"e"
        server.close()
        await server.wait_closed()
        wire.works()
        assert await said(b"f") == b""  # nobody is there
    finally:
        await wire.stop()
        server.close()
