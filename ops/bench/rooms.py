"""What room processes cost, how fast they are replaced, and whether many of them run for long without a loss.

    python -m ops.bench.rooms idle      memory and idle CPU of a room process
    python -m ops.bench.rooms cost      CPU time of 1000 turns, by the parts that spend it
    python -m ops.bench.rooms gap       kill -9 to the next accepted action, over 100 kills
    python -m ops.bench.rooms soak      150 rooms of 4 bots, a turn every 2 s, for 10 minutes
    python -m ops.bench.rooms churn     1000 rooms, each played and closed: log files that are left by their processes

Each starts a hanpan of its own, prints what it found, and ends with 1 where something is not as it should be. The
figures are of the machine it runs on, and of a quiet one only: look at ``load`` in each report.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import time
import urllib.request
from statistics import mean, median
from typing import Any

import msgspec
import uvloop

from ops import proc
from ops.bench.report import told
from ops.bench.running import Running, hanpan
from ops.chaos.drill import Drill
from ops.chaos.faults import FAULTS
from ops.chaos.report import told_of_kills
from ops.chaos.site import Given
from ops.chaos.storm import Repeat
from ops.load import Plan, run_load, tables, timetable
from ops.options import add_json, natural, option, positive
from ops.progress import Progress
from ops.stats import summary_ms

SETTLE_SECONDS = 10.0
WARM_UP_SECONDS = 3.0
SAMPLE_SECONDS = 15.0
AFTER_SECONDS = 20.0  # from the end of a soak until everything must have been given back
BATCH = 20  # rooms of a churn at a time
PLAYED_SECONDS = 1.0
CLEAN_SECONDS = 130.0  # after the last: a file must be a minute old, and is looked for once a minute
RAY_FILES = 500  # more are not cleaned up
GROWTH = 0.05  # of memory in the second half of a soak; more is a leak until shown otherwise
SPARE_FILES = 40  # files that may be open more than before, over all processes: caches, log files, Ray's own


async def idle(running: Running, args: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    """Rooms with a game on the table and everyone connected, in which nobody acts."""
    plan = _plan(running, args, options={"turnSeconds": 3600})
    async with tables(plan, progress.say) as opened:
        for table in opened:
            await table.begin(eager=False)
        await asyncio.sleep(SETTLE_SECONDS)
        pids, everything = running.room_pids(), running.pids()
        rooms_before, all_before = _each(pids), proc.usage(everything)
        await asyncio.sleep(args.seconds)
        rooms_after, all_after = _each(pids), proc.usage(everything)
        shares = [
            (after.cpu_seconds - before.cpu_seconds) / args.seconds * 100
            for before, after in zip(rooms_before, rooms_after, strict=True)
        ]
        memory = [one.pss_mib for one in rooms_after]
        return {
            "rooms": len(pids),
            "seconds": args.seconds,
            "pssMiB": {"p50": round(median(memory), 2), "max": round(max(memory), 2)},
            "idleCpuPercent": {"p50": round(median(shares), 3), "max": round(max(shares), 3)},
            "threads": round(mean(one.threads for one in rooms_after), 1),
            "files": round(mean(one.files for one in rooms_after), 1),
            "everything": {
                "processes": all_after.processes,
                "pssMiB": round(all_after.pss_mib),
                "cpuPercent": round((all_after.cpu_seconds - all_before.cpu_seconds) / args.seconds * 100, 1),
            },
            "wrong": [],
        }


async def cost(running: Running, args: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    """Where the CPU time of a turn goes. Spares are ready before it begins, and none is started meanwhile."""
    plan = _plan(running, args, options={"turnSeconds": 3600} if args.game == "bench-turn" else {})
    async with tables(plan, progress.say) as opened:
        await asyncio.to_thread(running.wait_for_spares, args.spares)
        for table in opened:
            await table.begin(eager=plan.period == 0)
        async with timetable(opened, plan.period):
            await asyncio.sleep(WARM_UP_SECONDS)
            pids = running.pids() + running.database_pids()
            turns, before = sum(len(table.latencies) for table in opened), _cpu_by_part(pids)
            began = time.perf_counter()
            await asyncio.sleep(args.seconds)
            after = _cpu_by_part(pids)
            seconds = time.perf_counter() - began
            turns = sum(len(table.latencies) for table in opened) - turns
        latencies = [latency for table in opened for latency in table.latencies[-turns // len(opened) :]]
        each = {part: round((after[part] - before.get(part, 0.0)) / turns * 1000, 3) for part in sorted(after)}
        return {
            "rooms": plan.rooms,
            "players": plan.players,
            "periodMs": plan.period,
            "turnsPerSecond": round(turns / seconds, 1),
            "latencyMs": summary_ms(latencies, (0.5, 0.95, 0.99)),
            "cpuSecondsPer1000Turns": {**each, "all": round(sum(each.values()), 3)},
            "wrong": [f"{table.id}: {fault}" for table in opened for fault in table.faults()],
        }


STARTING = "starting"  # a worker of Ray's that has no actor yet

# What stands in a process's command line, or in the title it has given itself; the first that fits says its part.
PARTS = {
    "ops.cli gateway": "gateway",
    "ray::RoomActor": "rooms",
    "ray::AgentActor": "agent",
    "ray::DirectoryActor": "directory",
    "ray::ClerkActor": "clerk",
    "postgres": "postgres",
    "ops.cli up": "up",
    "gcs_server": "ray gcs",
    "raylet/raylet": "ray raylet",  # before its agents, whose commands it is given
    "ray::DashboardAgent": "ray dashboard agent",
    "dashboard/agent.py": "ray dashboard agent",
    "ray::RuntimeEnvAgent": "ray runtime env agent",
    "runtime_env/agent": "ray runtime env agent",
    "default_worker.py": STARTING,
    "ray::IDLE": STARTING,
}


def part_of(pid: int) -> str:
    """Which part of hanpan this process is, or which of Ray's own; `STARTING`: it will be one of the actors above."""
    title = proc.command(pid)
    return next((name for text, name in PARTS.items() if text in title), "other")


def _cpu_by_part(pids: list[int]) -> dict[str, float]:
    spent: dict[str, float] = {}
    for pid in pids:
        part = part_of(pid)
        spent[part] = spent.get(part, 0.0) + proc.cpu_seconds(pid)
    return spent


async def gap(running: Running, args: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    """As `hanpan chaos kill-rooms`."""
    plan = _plan(running, args)
    drill = Drill(plan, Given(running.url, None, remote=False), progress.say)
    report = told_of_kills(await drill.run(Repeat(FAULTS["room-killed"], args.kills)), plan.seed)
    must_be_zero = ("lost", "doubled", "digestMismatches", "viewMismatches", "unmeasured", "reconnects", "errors")
    return {**report, "wrong": [f"{report[name]} {name}" for name in must_be_zero if report[name]]}


async def soak(running: Running, args: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    """A long time of ordinary play, and what is left of it afterwards."""
    before = proc.usage(running.pids())
    samples: list[tuple[float, proc.Usage]] = []

    async def watch(seconds: float) -> None:
        if seconds >= SAMPLE_SECONDS * (len(samples) + 1):
            samples.append((seconds, await asyncio.to_thread(lambda: proc.usage(running.pids()))))

    report = await run_load(_plan(running, args), progress.say, watch)
    await asyncio.sleep(AFTER_SECONDS)
    after = proc.usage(running.pids())
    half = len(samples) // 2
    early, late = samples[half : half + max(1, half // 4)], samples[-max(1, half // 4) :]
    early_mib, late_mib = (mean(one.own_mib for _, one in part) if part else 0.0 for part in (early, late))
    growth = late_mib / early_mib - 1 if early_mib else 0.0
    wrong = [f"{report[name]} {name}" for name in ("missed", "errors", "reconnects") if report[name]]
    if growth > GROWTH:
        wrong.append(f"memory grew by {growth:.1%} in the second half")
    if after.processes > before.processes:
        wrong.append(f"{after.processes - before.processes} processes more than before")
    if after.files > before.files + SPARE_FILES:
        wrong.append(f"{after.files - before.files} files more than before")
    return {
        **report,
        "memoryMiB": {
            "before": round(before.own_mib),
            "half": round(early_mib),
            "end": round(late_mib),
            "after": round(after.own_mib),
            "growth": round(growth, 4),
        },
        "processes": {"before": before.processes, "most": _most(samples, "processes"), "after": after.processes},
        "files": {"before": before.files, "most": _most(samples, "files"), "after": after.files},
        "threads": {"before": before.threads, "most": _most(samples, "threads"), "after": after.threads},
        "wrong": wrong,
    }


async def churn(running: Running, args: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    """Rooms that are made, played for a moment and closed, some killed, batch after batch; the log files they leave."""
    began, before = time.monotonic(), _node_counts(running)
    most: dict[str, float] = {}
    killed = 0
    for done in range(0, args.rooms, BATCH):
        plan = msgspec.structs.replace(_plan(running, args), rooms=min(BATCH, args.rooms - done))
        async with tables(plan, lambda _: None) as opened:
            for table in opened:
                await table.begin(eager=False)
            async with timetable(opened, args.period):
                await asyncio.sleep(PLAYED_SECONDS / 2)
                for pid in running.room_pids()[: args.kills * (done + plan.rooms) // args.rooms - killed]:
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
                await asyncio.sleep(PLAYED_SECONDS / 2)
        now = await asyncio.to_thread(_node_counts, running)
        most = {name: max(now[name], most.get(name, 0)) for name in ("files", "bytes")}
        progress.say(f"{done + plan.rooms} rooms, {now['files']:.0f} of Ray's log files")
    await asyncio.sleep(CLEAN_SECONDS)
    after = _node_counts(running)
    wrong = [] if after["files"] < RAY_FILES else [f"{after['files']:.0f} of Ray's log files are left"]
    return {
        "rooms": args.rooms,
        "seconds": round(time.monotonic() - began),
        "killed": killed,
        "processesStarted": after["started"] - before["started"],
        "rayLogFiles": {
            "removed": after["removed"] - before["removed"],
            "before": before["files"],
            "most": most["files"],
            "after": after["files"],
        },
        "rayLogBytes": {"before": before["bytes"], "most": most["bytes"], "after": after["bytes"]},
        "hanpanLogBytes": sum(file.stat().st_size for file in running.data.glob("hanpan.log*")),
        "wrong": wrong,
    }


_COUNTS = {
    "started": 'hanpan_process_starts_total{node="local",outcome="ok"}',
    "removed": 'hanpan_ray_log_files_removed_total{node="local"}',
    "files": 'hanpan_ray_log_files{node="local"}',
    "bytes": 'hanpan_ray_log_bytes{node="local"}',
}


def _node_counts(running: Running) -> dict[str, float]:
    """From the node's page of metrics."""
    address = running.admin.nodes()[0]["metrics"]
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=10) as answer:
        page = dict(line.rsplit(" ", 1) for line in answer.read().decode().splitlines() if not line.startswith("#"))
    return {name: float(page.get(sample, 0)) for name, sample in _COUNTS.items()}


def _most(samples: list[tuple[float, proc.Usage]], what: str) -> int:
    return max((getattr(one, what) for _, one in samples), default=0)


def _each(pids: list[int]) -> list[proc.Usage]:
    return [one for pid in pids if (one := proc.of_process(pid)) is not None]


def _plan(running: Running, args: argparse.Namespace, **options: Any) -> Plan:
    return Plan(
        url=running.url,
        game=args.game,
        rooms=args.rooms,
        players=4,
        period=args.period,
        seconds=args.seconds,
        **options,
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m ops.bench.rooms", description=(__doc__ or "").split("\n")[0])
    what = parser.add_subparsers(dest="what", required=True)
    defaults = ((idle, 20, 0, 60), (cost, 20, 200, 15), (gap, 4, 100, 0), (soak, 150, 2000, 600), (churn, 1000, 200, 0))
    for measure, rooms, period, seconds in defaults:
        sub = what.add_parser(measure.__name__, help=(measure.__doc__ or "").strip())
        sub.set_defaults(measure=measure)
        option(
            sub, "--game", default="bench-turn" if measure in (idle, cost) else "ninety-nine", help="the game to play"
        )
        option(sub, "--rooms", default=rooms, type=positive, help="rooms")
        option(sub, "--period", default=period, type=natural, help="ms between a room's turns")
        option(sub, "--seconds", default=seconds, type=natural, help="how long")
        option(sub, "--spares", default=4, type=positive, help="spares kept ready")
        option(sub, "--kills", default=100, type=positive, help="processes to kill")
        option(sub, "--store", default="sqlite", help="sqlite, postgres (a server of its own), or a URL")
        add_json(sub)
    args = parser.parse_args()

    def measured() -> dict[str, Any]:
        chatty = {"HANPAN_LOG_LEVEL": "info"} if args.measure is churn else None
        with Progress() as progress, hanpan(spares=args.spares, store=args.store, env=chatty) as running:
            report: dict[str, Any] = uvloop.run(args.measure(running, args, progress))
        if running.left_behind:
            report["wrong"].append(f"processes left behind after the end: {running.left_behind}")
        return report

    store = args.store.partition(":")[0]  # and not its password
    return told(measured, as_json=args.json, measure=args.what, store=store)


if __name__ == "__main__":
    sys.exit(main())
