"""``hanpan rooms``: which rooms there are, and the process that each runs in.

``seq ≥`` is the last entry that the directory has heard of: a room tells of itself when its summary changes, not with
each entry, and the log may hold more.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from ops.admin import Admin
from ops.options import add_admin, add_json
from ops.tables import table

HEAD = ("room", "code", "game", "state", "seats", "online", "node", "pid", "epoch", "seq ≥")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_admin(parser)
    parser.add_argument("--game", help="only rooms of this game")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    rooms = [room for room in Admin(args.url, args.token).rooms() if args.game in (None, room["game"])]
    if args.json:
        print(json.dumps({"rooms": rooms}, ensure_ascii=False))
        return 0
    print(table(HEAD, [_line(room) for room in rooms]))
    for room in rooms:
        if room.get("quarantined"):
            print(f"\n{room['id']} is quarantined: {room['quarantined']}")
        if room.get("stranded"):
            print(f"\n{room['id']} is stranded: {room['stranded']}")
    return 0


def _line(room: dict[str, Any]) -> tuple[object, ...]:
    return (
        room["id"],
        room["code"],
        room["game"],
        state(room),
        f"{room['taken']}/{room['seats']}",
        room["online"],
        room["node"],
        room["pid"],
        room["epoch"],
        room.get("seqHeard"),
    )


def state(room: dict[str, Any]) -> str:
    """The one word that matters most to an operator."""
    if room.get("quarantined"):
        return "quarantined"
    if room.get("parked"):
        return "parked"
    if room.get("stranded"):
        return "stranded"
    return str(room["status"]) if room["pid"] else "placing"
