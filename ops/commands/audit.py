"""``hanpan audit``: the last orders of operators since the directory's start. The log has all, as ``audit``."""

from __future__ import annotations

import argparse
import json
import time

from ops.admin import Admin
from ops.options import add_admin, add_json
from ops.tables import table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_admin(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    deeds = Admin(args.url, args.token).get("audit")["deeds"]
    if args.json:
        print(json.dumps({"deeds": deeds}, ensure_ascii=False))
        return 0
    if not deeds:
        print("no orders since the directory's start")
        return 0
    head = ("at", "by", "what", "times", "room", "node", "outcome")
    rows = [(utc(deed["at"]), *(deed[name] for name in head[1:])) for deed in deeds]
    print(table(("UTC", *head[1:]), rows))
    return 0


def utc(at: int) -> str:
    """A time in unix ms, to the second."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(at / 1000))
