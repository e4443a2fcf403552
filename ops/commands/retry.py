"""``hanpan retry``: a room that was stopped because something is wrong with it is tried again."""

from __future__ import annotations

import argparse
import json

from ops.admin import Admin
from ops.options import add_admin, add_json, add_room


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_admin(parser)
    add_room(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Once what was wrong has been mended. 1 where it was not: then the room is stopped again, and says why."""
    row = Admin(args.url, args.token).change("unquarantine", room=args.room)
    again = (
        f"{args.room} is stopped again: {row['quarantined']}" if row["quarantined"] else f"{args.room} is played again"
    )
    print(json.dumps(row, ensure_ascii=False) if args.json else again)
    return 1 if row["quarantined"] else 0
