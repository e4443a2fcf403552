"""``hanpan move``: a room goes to another process while it is played; its players see it pause for a blink."""

from __future__ import annotations

import argparse
import json

from ops.admin import Admin
from ops.options import add_admin, add_json, add_room


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_admin(parser)
    add_room(parser)
    parser.add_argument("--to", metavar="NODE", help="the node it is to go to, else the one with the most spares")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    order = {"room": args.room, **({"node": args.to} if args.to else {})}
    row = Admin(args.url, args.token).change("move", **order)
    said = f"{row['code']} runs on {row['node']}, pid {row['pid']}, at epoch {row['epoch']}"
    print(json.dumps(row, ensure_ascii=False) if args.json else said)
    return 0
