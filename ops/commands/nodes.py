"""``hanpan nodes``: the nodes, and what runs on each."""

from __future__ import annotations

import argparse
import json
from typing import Any

from ops.admin import Admin
from ops.options import add_admin, add_json
from ops.tables import table

HEAD = (
    *("node", "state", "rooms", "spares", "wanted", "starting", "limit"),
    *("people", "cpu", "memory free", "version", "pid", "metrics"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_admin(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    nodes = Admin(args.url, args.token).nodes()
    if args.json:
        print(json.dumps({"nodes": nodes}, ensure_ascii=False))
        return 0
    print(table(HEAD, [_line(node) for node in nodes]))
    return 0


def _line(node: dict[str, Any]) -> tuple[object, ...]:
    vitals = node["vitals"]
    cpu, free, total = (vitals.get(name) for name in ("cpu", "memoryFree", "memoryTotal"))
    return (
        node["node"],
        state(node),
        *(node[name] for name in ("rooms", "spares", "wanted", "starting", "limit")),
        vitals.get("sessions"),
        None if cpu is None else f"{cpu:.0%}",
        None if free is None or not total else f"{free / 2**30:.1f} GiB, {free / total:.0%}",
        node["version"],
        node["pid"],
        node["metrics"],
    )


def state(node: dict[str, Any]) -> str:
    """Does it take rooms, and why not?"""
    return "draining" if node["draining"] else "full" if node.get("full") else "open"
