"""``hanpan verify``: replays the logs of rooms, and says whether every state comes out as it was logged."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ops.admin import Admin
from ops.options import add_admin, add_json
from ops.problem import Problem
from ops.tables import table

if TYPE_CHECKING:
    from cluster.entries import Entry

Read = Callable[[str], "list[Entry]"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("room", nargs="*", help="room ids")
    parser.add_argument("--all", action="store_true", help="every room there ever was")
    parser.add_argument("--data", type=Path, help="read this folder's logs, without asking a running hanpan")
    add_admin(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """1 where a log does not replay."""
    if bool(args.room) == args.all:
        raise Problem("usage", "name rooms, or say --all", status=2)
    if args.data is not None:
        return _verify(*_offline(args), as_json=args.json)
    admin = Admin(args.url, args.token)
    return _verify(admin.every_room() if args.all else args.room, lambda room: _entries(admin.log(room)), args.json)


def _verify(rooms: Iterable[str], read: Read, as_json: bool) -> int:
    from ops.verify import check_log

    verdicts = [(room, check_log(read(room))) for room in rooms]
    bad = sum(not verdict.ok for _, verdict in verdicts)
    if as_json:
        listed = [
            {"room": room, "game": v.game, "entries": v.entries, "replayed": v.replayed, "ok": v.ok, "why": v.why}
            for room, v in verdicts
        ]
        print(json.dumps({"rooms": listed, "mismatches": bad}, ensure_ascii=False))
    else:
        head = ("room", "game", "entries", "verdict")
        print(table(head, [(room, v.game, v.entries, v.why or "every digest equal") for room, v in verdicts]))
        print(f"\n{len(verdicts)} rooms, {bad} of them wrong")
    return 1 if bad else 0


def _entries(raw: list[dict[str, object]]) -> list[Entry]:
    import msgspec

    from cluster.entries import Entry

    return msgspec.convert(raw, list[Entry])


def _offline(args: argparse.Namespace) -> tuple[list[str], Read]:
    from cluster.log import Unavailable, UnknownRoom
    from cluster.stores import open_store

    store = open_store(f"sqlite:{args.data}")

    async def all_rooms() -> list[str]:
        catalogue = await store.catalogue()
        try:
            return [row.id for row in await catalogue.all_rooms()]
        finally:
            await catalogue.close()

    async def read(room: str) -> list[Entry]:
        log = await store.room(room)
        try:
            return await log.read()
        finally:
            await log.close()

    def read_now(room: str) -> list[Entry]:
        try:
            return asyncio.run(read(room))
        except UnknownRoom as unknown:
            raise Problem("room_not_found", f"{args.data} holds no room {room}") from unknown
        except Unavailable as broken:
            raise Problem("unavailable", f"room {room}: {broken}") from broken

    return asyncio.run(all_rooms()) if args.all else args.room, read_now
