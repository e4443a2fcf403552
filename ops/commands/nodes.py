"""``hanpan nodes``: the nodes, and what runs on each."""

from __future__ import annotations

import argparse
import json
from typing import Any

from ops.admin import Admin
from ops.options import add_admin, add_json
from ops.tables import table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_admin(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    nodes = Admin(args.url, args.token).nodes()
    if args.json:
        print(json.dumps({"nodes": nodes}, ensure_ascii=False))
        return 0
    head = ("node", "state", "agent pid", "rooms", "spares", "wanted", "processes", "metrics")
    rows = [
        (n["node"], state(n), n["pid"], n["rooms"], n["spares"], n.get("wanted"), n.get("processes"), n.get("metrics"))
        for n in nodes
    ]
    print(table(head, rows))
    return 0


def state(node: dict[str, Any]) -> str:
    """Does it take rooms, and why not?"""
    return "draining" if node.get("draining") else "full" if node.get("full") else "open"
