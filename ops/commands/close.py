"""``hanpan close``: a room is over, for everyone in it. A quarantined one, too."""

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
    said = Admin(args.url, args.token).change("close", room=args.room)
    print(json.dumps(said) if args.json else f"{args.room} is closed")
    return 0
