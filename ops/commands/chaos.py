"""``hanpan chaos``: things are broken on purpose, under load, and it is proven that this cost nobody anything."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from ops.commands.load import parsed_options
from ops.options import add_admin, add_json, natural, option, positive
from ops.problem import Problem
from ops.progress import Progress

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

    from ops.chaos.drill import Drill
    from ops.chaos.fault import Fault
    from ops.chaos.report import Report
    from ops.chaos.site import Site
    from ops.load import Plan

NOTHING = "nothing_to_break"
SINGLE_SHARE = 0.1  # of a long storm: on one machine with a small disk, for what cannot happen to many nodes
SINGLE_SECONDS = 600.0  # a storm that lasts so long has such a part


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from ops.chaos.faults import FAULTS

    what = parser.add_subparsers(metavar="what", title="what to break", dest="what")
    kill = what.add_parser("kill-rooms", help="kill -9 room processes of rooms that this run has opened")
    add_admin(kill)
    option(kill, "--kills", default=20, type=positive, help="processes to kill, one after the other")
    _add_play(kill, rooms=8, period=100)
    storm = what.add_parser("storm", help="all of what follows, in an order that the seed decides")
    _add_site(storm)
    option(storm, "--seconds", default=1800.0, type=float, help="how long")
    option(storm, "--only", default="", help="these faults alone: NAME,NAME; else all for which there is the time")
    _add_play(storm, rooms=8, period=200)
    for name, fault in FAULTS.items():
        one = what.add_parser(name, help=fault.says)
        _add_site(one)
        option(one, "--times", default=1, type=positive, help="how often, one after the other")
        _add_play(one, rooms=8, period=200)


def _add_site(parser: argparse.ArgumentParser) -> None:
    add_admin(parser, named=True)  # HANPAN_PORT alone is no wish to have what runs there broken
    option(parser, "--nodes", default=2, type=natural, help="or, how many nodes to start; 0: one machine, with SQLite")
    option(parser, "--spares", default=3, type=positive, help="with how many room processes ready on each")
    option(parser, "--gcs", default="memory", help="where the started Ray keeps what it knows: memory or rocksdb")
    option(parser, "--longest", default=60.0, type=float, help="seconds that any fault may last at most")
    option(parser, "--reconnects", default=2000, type=positive, help="sockets that break at once")


def _add_play(parser: argparse.ArgumentParser, *, rooms: int, period: int) -> None:
    option(parser, "--game", default="ninety-nine", help="the game to play")
    option(parser, "--rooms", default=rooms, type=positive, help="rooms")
    option(parser, "--players", default=4, type=positive, help="players in each room")
    option(parser, "--period", default=period, type=positive, help="ms between a room's turns")
    option(parser, "--options", default="{}", help="the game's options, as JSON")
    parser.add_argument(
        "--remote",
        action="store_true",
        default=os.environ.get("HANPAN_REMOTE") == "1",
        help="let hanpan kill room processes, which must be allowed there: for other machines [HANPAN_REMOTE=1]",
    )
    option(parser, "--seed", default=1, type=int, help="what the choice of rooms and moments comes from")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """1 where anything was lost, doubled or different, a room did not come back, or a socket was closed for nothing."""
    if args.what is None:
        raise Problem("usage", "say what to break: storm, kill-rooms, or one fault", 2)
    import uvloop

    from ops.chaos.report import is_well, readable, told_of_kills

    with Progress() as progress:
        report = uvloop.run(_until_told_to_end(_runs(args, progress)))
    told = report.told(args.seed)
    as_json = told_of_kills(report, args.seed) if args.what == "kill-rooms" else told
    print(json.dumps(as_json, ensure_ascii=False) if args.json else readable(told), flush=True)
    return 0 if is_well(told, sockets_were_cut=report.cut) else 1


async def _until_told_to_end(work: Coroutine[Any, Any, Report]) -> Report:
    """What was started must be ended, and what is broken undone, also where we are told to end (SIGTERM)."""
    task = asyncio.ensure_future(work)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        raise Problem("told_to_end", "it was told to end before it was through") from None


async def _runs(args: argparse.Namespace, progress: Progress) -> Report:
    from ops.chaos.faults import FAULTS
    from ops.chaos.storm import MORE_TIME, Repeat

    if args.what == "kill-rooms":
        from ops.chaos.site import Given

        given = Given(args.url, args.token, args.remote)
        _must_be_possible(FAULTS["room-killed"], given)
        return await _drill(args, given, progress).run(Repeat(FAULTS["room-killed"], args.kills))
    if args.what != "storm":
        async with _site(args, small_disk=bool(FAULTS[args.what].needs & _small_disk())) as site:
            _must_be_possible(FAULTS[args.what], site)
            return await _drill(args, site, progress).run(Repeat(FAULTS[args.what], args.times))
    on_one = SINGLE_SHARE if args.url is None and args.nodes and args.seconds >= SINGLE_SECONDS else 0.0
    report: Report | None = None
    late: dict[str, str] = {}  # could have been done in one of the parts, whatever the other lacks
    for small_disk, seconds in ((False, args.seconds * (1 - on_one)), (True, args.seconds * on_one)):
        if seconds:
            try:
                async with _site(args, small_disk=small_disk) as site:
                    part = await _storm(args, site, progress, seconds)
            except Problem as no:
                if report is None:
                    raise
                if no.code != NOTHING:  # of what was wanted, that is; what the first part proved stands in any case
                    report.unmet.append(f"on one machine: {no}")
                continue
            report = part if report is None else report + part
            late |= {name: why for name, why in part.skipped.items() if why == MORE_TIME}
    assert report is not None
    report.skipped = {name: why for name, why in (report.skipped | late).items() if name not in report.faults}
    return report


async def _storm(args: argparse.Namespace, site: Site, progress: Progress, seconds: float) -> Report:
    from ops.chaos.faults import FAULTS
    from ops.chaos.storm import Storm, affordable, left_out, possible

    only = [name for name in args.only.split(",") if name]
    if unknown := sorted(set(only) - set(FAULTS)):
        raise Problem("usage", f"there is no fault {', '.join(unknown)}", 2)
    wanted = {name: FAULTS[name] for name in only or FAULTS}
    can, cannot = possible(wanted, site.offers)
    if not only:
        can = affordable(can, args.seconds)
    if not can:
        raise Problem(NOTHING, "nothing of that can be broken there", 2)
    report = await _drill(args, site, progress).run(Storm(can, args.seed, seconds), FAULTS["room-killed"])
    report.skipped = left_out(wanted, cannot, can, report.faults.keys())
    return report


def _must_be_possible(fault: Fault, site: Site) -> None:
    if lacking := fault.needs - site.offers:
        raise Problem("not_here", f"{fault.name} needs {'; '.join(need.value for need in lacking)}", 2)


def _small_disk() -> set[Any]:
    from ops.chaos.site import Need

    return {Need.SMALL_DISK}


@asynccontextmanager
async def _site(args: argparse.Namespace, *, small_disk: bool) -> AsyncIterator[Site]:
    """The hanpan that is given, or one of our own."""
    from ops.chaos.site import Given, many, single

    if args.url is not None:
        yield Given(args.url, args.token, args.remote)
        return
    if args.gcs not in ("memory", "rocksdb"):
        raise Problem("usage", "--gcs is memory or rocksdb", 2)
    own: AbstractAsyncContextManager[Site]
    if small_disk or args.nodes == 0:
        own = single(spares=args.spares)
    else:
        own = many(args.nodes, spares=args.spares, gcs=args.gcs)
    async with own as site:
        yield site


def _drill(args: argparse.Namespace, site: Site, progress: Progress) -> Drill:
    from ops.chaos.drill import Drill

    more = {} if args.what == "kill-rooms" else {"longest": args.longest, "reconnects": args.reconnects}
    return Drill(_plan(args, site.url), site, progress.say, remote=args.remote, **more)


def _plan(args: argparse.Namespace, url: str) -> Plan:
    from ops.load import Plan

    return Plan(
        url=url,
        game=args.game,
        rooms=args.rooms,
        players=args.players,
        period=args.period,
        seconds=0,
        seed=args.seed,
        options=parsed_options(args.options),
        spectators=args.what != "kill-rooms",
    )
