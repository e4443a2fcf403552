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
    """1 where rooms are still on the node when the waiting is over, or it is not known whether any are."""
    admin = Admin(args.url, args.token)
    said = (
        admin.change("undrain", node=args.node)
        if args.undo
        else admin.change("drain", node=args.node, retire=args.retire)
    )
    deadline = time.monotonic() + (0 if args.undo else args.wait)
    left: int | None = int(said["rooms"])
    began = time.monotonic()
    with Progress() as progress:
        while left != 0 and time.monotonic() < deadline:
            progress.say(f"{args.node} {_has(left)}")
            time.sleep(0.5)
            left = _left(admin, args, time.monotonic() - began)
    if args.json:
        print(json.dumps({**said, "rooms": left}, ensure_ascii=False))
    elif args.undo:
        print(f"{args.node} gets rooms again")
    else:
        print(f"{args.node} is empty" if left == 0 else f"{args.node} {_has(left)}; it gets no new ones")
    if left == 0 or args.undo or not args.wait:
        return 0
    if args.json:
        return 1
    if left is None:
        raise Problem("not_known", f"whether {args.node} is empty was not known after {args.wait:.0f} s", 1)
    raise Problem("not_empty", f"{left} rooms did not leave {args.node} within {args.wait:.0f} s{_why(admin, args)}", 1)


def _left(admin: Admin, args: argparse.Namespace, since: float) -> int | None:
    """How many rooms are still on it; None: that is not known.

    A directory that has just been started, or whose agent went away, does not list a node that may be full of rooms.
    One that retires goes when it is empty; that counts where the directory, which took our order ``since`` so many
    seconds ago, is still the same, and knows of no room there.
    """
    for node in admin.nodes():
        if node["node"] == args.node:
            return int(node["rooms"])
    if args.retire and admin.get("overview")["up"] + 1 >= since:  # whole seconds
        return int(admin.get("rooms", node=args.node)["total"])
    return None


def _has(left: int | None) -> str:
    return "is not known to the directory now" if left is None else f"still has {left} rooms"


def _why(admin: Admin, args: argparse.Namespace) -> str:
    """Where there is nowhere to go, waiting longer is of no use."""
    others = [node for node in admin.nodes() if node["node"] != args.node]
    if any(not node["draining"] and not node["full"] for node in others):
        return ""
    return ": no other node takes rooms" if others else ": there is no other node; they pause with it, and come back"
