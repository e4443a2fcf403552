"""``hanpan room``: one room, as operators look into it: nothing secret, but with ``--reveal``, which is logged."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from ops.admin import Admin
from ops.commands.audit import utc
from ops.options import add_admin, add_json, add_room, natural
from ops.problem import Problem
from ops.tables import table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_admin(parser)
    add_room(parser, "; a closed room's id")
    parser.add_argument("--seq", type=natural, help="how things stood after this entry, instead of the last one")
    parser.add_argument("--entries", type=natural, default=20, metavar="N", help="list the last N entries [20]")
    parser.add_argument(
        "--reveal", action="store_true", help="entries as they are logged, seeds and hidden moves too; this is logged"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """1 where the room is quarantined, or its log does not replay or cannot be read."""
    admin = Admin(args.url, args.token)
    room = admin.get("room", room=args.room)
    wish = {"room": args.room, "limit": str(args.entries)} | ({} if args.seq is None else {"seq": str(args.seq)})
    seen = None
    try:
        seen = admin.get("inspect", **wish)
    except Problem as no:
        if no.code != "damaged":
            raise
        room["fault"] = str(no)  # who is in it, and who owned it, is known all the same
    revealed = None
    if args.reveal and seen is not None:
        entries = admin.log(args.room)
        revealed = entries[max(0, len(entries) - args.entries) :]
    if args.json:
        print(json.dumps({"room": room, "inspection": seen, "revealed": revealed}, ensure_ascii=False))
    else:
        print("\n\n".join(_parts(room, seen, revealed)))
    return 1 if room["quarantined"] or seen is None or seen["verdict"]["why"] else 0


def _parts(room: dict[str, Any], seen: dict[str, Any] | None, revealed: list[dict[str, Any]] | None) -> Iterator[str]:
    stopped = room["quarantined"] or room["stranded"]
    where = f"pid {room['pid']} on {room['node']} ({room['process']})" if room["pid"] else "in no process"
    facts = [
        ("room", f"{room['id']}, code {room['code']}"),
        ("game", f"{room['game']}, {room['games']} begun"),
        ("state", room["state"] + (f": {stopped}" if stopped else "")),
        ("runs", f"{where}, epoch {room['epoch']}"),
        ("made", f"{utc(room['created'])} UTC, {'public' if room['public'] else 'private'}"),
        ("log", f"cannot be read: {room['fault']}" if seen is None else _replays(seen["verdict"])),
    ]
    if room["deaths"]:
        facts.append(("deaths", f"{room['deaths']} at this entry"))
    yield "\n".join(f"{name:6} {text}" for name, text in facts)
    people = [
        (one.get("seat"), one["name"], one["player"], "bot" if one.get("bot") else one.get("online", False))
        for one in room["people"]
    ]
    yield table(("seat", "name", "player", "online"), people)
    owners = [(one["epoch"], one["seq"], utc(one["wall"]), one["name"]) for one in room["owners"]]
    yield table(("epoch", "after entry", "since (UTC)", "process"), owners)
    if seen is None:
        return
    waits = f"; waits for {', '.join(seen['asked'])}" if seen["asked"] else ""
    due = f", {seen['deadlineIn'] / 1000:.1f} s" if seen["deadlineIn"] is not None else ""
    view = json.dumps(seen["view"], ensure_ascii=False, indent=2) if seen["view"] else "no game has begun"
    yield f"what a spectator sees after entry {seen['seq']}{waits}{due}:\n{view}"
    if revealed is not None:
        yield "\n".join(json.dumps(entry, ensure_ascii=False) for entry in revealed)
    else:
        yield table(("entry", "epoch", "after", "kind", "who", "what everyone was told"), [*map(_line, seen["lines"])])


def _replays(verdict: dict[str, Any]) -> str:
    return verdict["why"] or f"all {verdict['entries']} entries replay to their digests"


def _line(line: dict[str, Any]) -> tuple[object, ...]:
    told = "(does not replay)" if line.get("events") is None else "; ".join(map(event, line["events"]))
    return line["seq"], line["epoch"], f"{line['at'] / 1000:.1f} s", line["kind"], line.get("who"), told


def event(event: dict[str, Any]) -> str:
    """An event on one line: its type, then its fields."""
    fields = [
        f"{name}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in event.items()
        if name != "type"
    ]
    return " ".join([str(event.get("type", "?")), *fields])
