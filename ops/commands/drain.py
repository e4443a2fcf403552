"""``hanpan drain``: a node's rooms go elsewhere, and it gets no new ones."""

from __future__ import annotations

import argparse
import json
import time

from ops.admin import Admin
from ops.options import add_admin, add_json, option
from ops.problem import Problem
from ops.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_admin(parser)
    parser.add_argument("node", help="its name, as `hanpan nodes` shows it")
    parser.add_argument(
        "--retire", action="store_true", help="then end its agent as well: for a node that is not to come back"
    )
    parser.add_argument("--undo", action="store_true", help="let rooms come to it again")
    option(parser, "--wait", default=120.0, type=float, help="seconds to wait until it is empty; 0: do not wait")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """1 where rooms are still on the node when the waiting is over."""
    admin = Admin(args.url, args.token)
    said = (
        admin.change("undrain", node=args.node)
        if args.undo
        else admin.change("drain", node=args.node, retire=args.retire)
    )
    deadline = time.monotonic() + (0 if args.undo else args.wait)
    left = int(said["rooms"])
    with Progress() as progress:
        while left and time.monotonic() < deadline:
            progress.say(f"{left} rooms are still on {args.node}")
            time.sleep(0.5)
            left = next((int(node["rooms"]) for node in admin.nodes() if node["node"] == args.node), 0)
    if args.json:
        print(json.dumps({**said, "rooms": left}, ensure_ascii=False))
    elif args.undo:
        print(f"{args.node} gets rooms again")
    else:
        print(f"{args.node} is empty" if not left else f"{args.node} still has {left} rooms; it gets no new ones")
    if left and not args.undo and args.wait and not args.json:
        raise Problem(
            "not_empty", f"{left} rooms did not leave {args.node} within {args.wait:.0f} s{_why(admin, args)}", 1
        )
    return 1 if left and not args.undo and args.wait else 0


def _why(admin: Admin, args: argparse.Namespace) -> str:
    """Where there is nowhere to go, waiting longer is of no use."""
    others = [node for node in admin.nodes() if node["node"] != args.node]
    if any(not node["draining"] and not node["full"] for node in others):
        return ""
    return ": no other node takes rooms" if others else ": there is no other node; they pause with it, and come back"
