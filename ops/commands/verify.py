"""``hanpan verify``: replays the logs of rooms, and says whether every state comes out as it was logged."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
from collections.abc import Callable, Iterable, Iterator
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
    parser.add_argument("--store", help="the same for any store: sqlite:/folder, or postgres://…")
    add_admin(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """1 where a log does not replay."""
    if bool(args.room) == args.all:
        raise Problem("usage", "name rooms, or say --all", status=2)
    if args.data is not None or args.store is not None:
        with _offline(args) as (rooms, read):
            return _verify(rooms, read, args.json)
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


@contextlib.contextmanager
def _offline(args: argparse.Namespace) -> Iterator[tuple[list[str], Read]]:
    """The rooms, and how to read one; all in one event loop, which the store's connections belong to."""
    from cluster.log import Damaged, Unavailable, UnknownRoom
    from cluster.stores import open_store

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

    if not args.store and not any((args.data / part).exists() for part in ("catalogue.db", "rooms")):
        raise Problem("no_logs", f"no logs in {args.data}", status=2)  # a green nothing would prove nothing
    try:
        store = open_store(args.store or f"sqlite:{args.data}", name="hanpan verify")
    except ValueError as bad:
        raise Problem("usage", str(bad), status=2) from bad
    with asyncio.Runner() as runner:
        try:
            yield runner.run(all_rooms()) if args.all else args.room, lambda room: runner.run(read(room))
        except UnknownRoom as unknown:
            raise Problem("room_not_found", f"{args.data or 'the store'} holds no room {unknown}") from unknown
        except Damaged as broken:
            raise Problem("damaged", str(broken), status=1) from broken
        except Unavailable as away:
            raise Problem("unavailable", str(away)) from away
        finally:
            runner.run(store.close())
