"""``hanpan gateways``: the gateways, and how many people each has on the line."""

from __future__ import annotations

import argparse
import json
from typing import Any

from ops.admin import Admin
from ops.options import add_admin, add_json
from ops.tables import table

HEAD = ("gateway", "state", "sockets", "limit", "version", "pid")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_admin(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    gateways = Admin(args.url, args.token).get("overview")["gateways"]
    if args.json:
        print(json.dumps({"gateways": gateways}, ensure_ascii=False))
        return 0
    print(table(HEAD, [_line(gateway) for gateway in gateways]))
    return 0


def _line(gateway: dict[str, Any]) -> tuple[object, ...]:
    return gateway["name"], state(gateway), *(gateway.get(name) for name in ("sockets", "limit", "version", "pid"))


def state(gateway: dict[str, Any]) -> str:
    """One that has never said how many sockets it takes is no gateway of players: tools ask the directory so, too."""
    if "limit" not in gateway:
        return "a tool, or just come"
    return "ending" if gateway["draining"] else "open"
