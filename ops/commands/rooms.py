"""``hanpan rooms``: which rooms there are, and the process that each runs in.

``seq ≥`` is the last entry that the directory has heard of: a room tells of itself when its summary changes, not with
each entry, and the log may hold more.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from cluster.records import ROOM_STATES
from ops.admin import Admin
from ops.options import add_admin, add_json, positive
from ops.tables import table

HEAD = ("room", "code", "game", "state", "seats", "online", "node", "pid", "epoch", "seq ≥")
FILTERS = {
    "code": "the room with this code",
    "game": "only rooms of this game",
    "player": "only rooms with somebody of this name or id, or a part of it",
    "state": f"only rooms that are {', '.join(ROOM_STATES)}",
    "node": "only rooms on this node",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_admin(parser)
    for name, help in FILTERS.items():
        parser.add_argument(f"--{name}", help=help, choices=ROOM_STATES if name == "state" else None)
    parser.add_argument("--limit", type=positive, metavar="N", help="only the newest so many")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    filters = {name: str(value) for name in (*FILTERS, "limit") if (value := getattr(args, name))}
    found = Admin(args.url, args.token).get("rooms", **filters)
    rooms = found["rooms"]
    if args.json:
        print(json.dumps(found, ensure_ascii=False))
        return 0
    if not rooms:
        print("no room fits" if filters else "there are no rooms")
        return 0
    print(table(HEAD, [_line(room) for room in rooms]))
    if found["total"] > len(rooms):
        print(f"\nand {found['total'] - len(rooms)} older rooms")
    for room in rooms:
        if room["quarantined"]:
            print(f"\n{room['id']} is quarantined: {room['quarantined']}")
        if room["stranded"]:
            print(f"\n{room['id']} is stranded: {room['stranded']}")
    return 0


def _line(room: dict[str, Any]) -> tuple[object, ...]:
    seats = f"{room['taken']}/{room['seats']}"
    words = [room[name] for name in ("id", "code", "game", "state")]
    return (*words, seats, *(room[name] for name in ("online", "node", "pid", "epoch", "seqHeard")))
