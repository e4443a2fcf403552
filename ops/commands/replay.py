"""``hanpan replay``: a finished game, step by step, as a spectator saw it."""

from __future__ import annotations

import argparse
import json

from ops.admin import Admin
from ops.commands.room import event
from ops.options import add_admin, add_json, add_room, natural


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_admin(parser)
    add_room(parser, "; a closed room's id")
    parser.add_argument("--game", type=natural, metavar="N", help="which of the room's games, from 0, else the last")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    which = {} if args.game is None else {"game": str(args.game)}
    tape = Admin(args.url, args.token).get("replay", room=args.room, **which)
    if args.json:
        print(json.dumps(tape, ensure_ascii=False))
        return 0
    names = ", ".join(f"{one['name']} ({one['player']})" for one in tape["players"])
    print(f"{tape['game']}, game {tape['number']} of room {tape['room']}: {names}\n")
    for frame in tape["frames"]:
        told = "\n".join(" " * 20 + event(one) for one in frame["events"]).lstrip()
        print(f"{frame['at'] / 1000:9.1f} s  {frame['seq']:>5}  {told}")
    print(f"\n{json.dumps(tape['result'], ensure_ascii=False, indent=2)}")
    return 0
