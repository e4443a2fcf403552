"""``hanpan chaos``: things are broken on purpose, under load."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from ops.commands.load import parsed_options
from ops.options import add_admin, add_json, option, positive
from ops.problem import Problem
from ops.progress import Progress

NOTHING_LOST = ("lost", "doubled", "digestMismatches", "viewMismatches")
NOBODY_NOTICED = ("unmeasured", "reconnects", "errors")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(metavar="what", title="what to break", dest="what")
    kill = what.add_parser("kill-rooms", help="kill -9 room processes of rooms that this run has opened")
    add_admin(kill)
    option(kill, "--game", default="ninety-nine", help="the game to play")
    option(kill, "--rooms", default=8, type=positive, help="rooms")
    option(kill, "--players", default=4, type=positive, help="players in each room")
    option(kill, "--kills", default=20, type=positive, help="processes to kill, one after the other")
    option(kill, "--period", default=100, type=positive, help="ms between a room's turns")
    option(kill, "--options", default="{}", help="the game's options, as JSON")
    kill.add_argument(
        "--remote",
        action="store_true",
        default=os.environ.get("HANPAN_REMOTE") == "1",
        help="let hanpan kill them, which must be allowed there: for rooms on other machines [HANPAN_REMOTE=1]",
    )
    option(kill, "--seed", default=1, type=int, help="what the choice of rooms and moments comes from")
    add_json(kill)


def run(args: argparse.Namespace) -> int:
    """1 where anything was lost, doubled or different, a socket was closed, or a room did not come back."""
    if args.what is None:
        raise Problem("usage", "say what to break: kill-rooms", 2)
    import uvloop

    from ops.admin import Admin
    from ops.chaos import KillRooms
    from ops.load import Plan

    plan = Plan(
        url=args.url,
        game=args.game,
        rooms=args.rooms,
        players=args.players,
        period=args.period,
        seconds=0,
        seed=args.seed,
        options=parsed_options(args.options),
    )
    with Progress() as progress:
        report = uvloop.run(
            KillRooms(plan, Admin(args.url, args.token), args.kills, progress.say, remote=args.remote).run()
        )
    print(json.dumps(report, ensure_ascii=False) if args.json else _readable(report), flush=True)
    return 1 if any(report[name] for name in NOTHING_LOST + NOBODY_NOTICED) else 0


def _readable(report: dict[str, Any]) -> str:
    gap, never = report["gapMs"], report["unmeasured"]
    lines = [
        f"{report['kills']} room processes killed; {report['rooms']} rooms of {report['players']} "
        f"played {report['turns']} turns meanwhile",
        f"of {report['acknowledged']} acknowledged actions, {report['lost']} lost and {report['doubled']} doubled",
        f"{report['digestMismatches']} digests and {report['viewMismatches']} last views differ from a fresh replay",
        f"kill to next action accepted: p50 {gap['p50']} ms, p99 {gap['p99']} ms, most {gap['max']} ms"
        + (f"; {never} never" if never else ""),
        f"{report['reconnects']} sockets were opened again; {report['errors']} errors",
    ]
    return os.linesep.join(lines + report["findings"] + report["faults"])
