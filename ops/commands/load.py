"""``hanpan load``: bots over real WebSockets."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from ops.options import add_json, add_url, natural, option, positive
from ops.problem import Problem
from ops.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_url(parser)
    option(parser, "--game", default="ninety-nine", help="the game to play")
    option(parser, "--rooms", default=20, type=positive, help="rooms")
    option(parser, "--players", default=4, type=positive, help="players in each room")
    option(parser, "--period", default=1000, type=natural, help="ms between a room's turns; 0: as fast as possible")
    option(parser, "--seconds", default=30, type=positive, help="how long to play, once all rooms are open")
    option(parser, "--options", default="{}", help="the game's options, as JSON")
    option(parser, "--seed", default=1, type=int, help="what the bots' choices come from")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """1 where a turn was missed, a room played nothing, or something else went wrong."""
    import uvloop

    from ops.load import Plan, run_load

    plan = Plan(
        url=args.url,
        game=args.game,
        rooms=args.rooms,
        players=args.players,
        period=args.period,
        seconds=args.seconds,
        seed=args.seed,
        options=parsed_options(args.options),
    )
    with Progress() as progress:
        report = uvloop.run(run_load(plan, progress.say))
    print(json.dumps(report, ensure_ascii=False) if args.json else _readable(report), flush=True)
    return 1 if report["missed"] or report["errors"] else 0


def parsed_options(text: str) -> dict[str, Any]:
    try:
        options = json.loads(text)
    except ValueError as bad:
        raise Problem("bad_options", f"--options is not JSON: {bad}", 2) from bad
    if not isinstance(options, dict):
        raise Problem("bad_options", "--options is not a JSON object", 2)
    return options


def _readable(report: dict[str, Any]) -> str:
    latency = report["latencyMs"]
    lines = [
        f"{report['rooms']} rooms of {report['players']} played {report['game']} for {report['seconds']} s",
        f"{report['turns']} turns, {report['turnsPerSecond']} a second; {report['missed']} missed "
        f"({report['timedOut']} of them timed out); {report['errors']} errors; {report['reconnects']} reconnects",
        f"latency: p50 {latency['p50']} ms, p95 {latency['p95']} ms, p99 {latency['p99']} ms, most {latency['max']} ms",
    ]
    lines += [f"refused {count} times: {code}" for code, count in sorted(report["refused"].items())]
    return os.linesep.join(lines + report["faults"])
