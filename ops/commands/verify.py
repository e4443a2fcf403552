"""``hanpan verify``: replays the logs of rooms, and says whether every state comes out as it was logged.

With ``--fair``, also whether every deal is what was sealed before it. ``--evidence`` checks what the page saves of one
game (공정성 확인), and asks nobody.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ops.admin import Admin
from ops.options import add_admin, add_json
from ops.problem import Problem
from ops.tables import table

if TYPE_CHECKING:
    from cluster.entries import Entry

Read = Callable[[str], "list[Entry]"]
NAMED = 5  # rooms that a reason is given for by name
NOBODY_ANSWERS = ("unavailable", "unreachable", "not_allowed")  # no more to the next question than to this one


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("room", nargs="*", help="room ids")
    parser.add_argument("--all", action="store_true", help="every room there ever was")
    parser.add_argument("--fair", action="store_true", help="also check that every deal is what was sealed before it")
    parser.add_argument("--evidence", type=Path, nargs="+", metavar="FILE", help="check saved evidence instead")
    parser.add_argument("--data", type=Path, help="read this folder's logs, without asking a running hanpan")
    parser.add_argument("--store", help="the same for any store: sqlite:/folder, or postgres://…")
    add_admin(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """1 where a log cannot be read or does not replay, or a deal is not what was sealed; 3 where one was not seen."""
    if args.evidence:
        if args.room or args.all or args.fair:
            raise Problem("usage", "--evidence needs no rooms", status=2)
        return _check_evidence(args.evidence, args.json)
    if bool(args.room) == args.all:
        raise Problem("usage", "name rooms, or say --all", status=2)
    if args.data is not None or args.store is not None:
        with _offline(args) as (rooms, read):
            return _tell(*_each(rooms, lambda room: _verdict(room, read(room), args.fair)), args.json)
    admin = Admin(args.url, args.token)
    rooms = admin.every_room() if args.all else args.room
    if args.fair:  # a deal is checked with its seed: an order, which is logged
        return _tell(*_each(rooms, lambda room: _verdict(room, _entries(admin.log(room)), True)), args.json)
    return _tell(*_each(rooms, lambda room: admin.get("verify", room=room)), args.json)


def _each(rooms: list[str], look: Callable[[str], dict[str, Any]]) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The verdicts; and why the other rooms were not looked at, by room. One that cannot be read does not hide another.

    Where nobody answers, the rest is left out: it would be minutes until each of thousands of rooms was found so.
    """
    verdicts: list[dict[str, Any]] = []
    unseen: dict[str, str] = {}
    for number, room in enumerate(rooms):
        try:
            verdicts.append(look(room))
        except Problem as no:
            if no.code == "damaged":
                broken = {"room": room, "game": None, "entries": 0, "replayed": 0, "why": str(no), "ok": False}
                verdicts.append(broken)
            elif no.code in NOBODY_ANSWERS:
                unseen.update(dict.fromkeys(rooms[number:], str(no)))
                break
            else:
                unseen[room] = str(no)
    return verdicts, unseen


def _verdict(room: str, entries: list[Entry], fair: bool) -> dict[str, Any]:
    import msgspec

    from cluster.inspection import check_log

    v = check_log(entries)
    row: dict[str, Any] = {**msgspec.structs.asdict(v), "room": room, "ok": v.ok}
    if fair and v.ok:
        from ops.deals import check_deals

        deals = check_deals(entries)
        row["deals"] = {"games": deals.games, "sealed": deals.sealed, "wrong": list(deals.wrong)}
    return row


def _tell(verdicts: list[dict[str, Any]], unseen: dict[str, str], as_json: bool) -> int:
    bad = sum(not verdict["ok"] or bool(verdict.get("deals", {}).get("wrong")) for verdict in verdicts)
    if as_json:
        print(json.dumps({"rooms": verdicts, "mismatches": bad, "unseen": unseen}, ensure_ascii=False))
    else:
        rows = [(v["room"], v["game"] or "-", v["entries"], _words(v)) for v in verdicts]
        print(table(("room", "game", "entries", "verdict"), rows))
        print(f"\n{len(verdicts)} {'room' if len(verdicts) == 1 else 'rooms'}, {bad or 'none'} of them wrong")
        for why, rooms in _by_reason(unseen):
            print(f"hanpan: not looked at: {rooms}: {why}", file=sys.stderr)
    return 1 if bad else 3 if unseen else 0


def _by_reason(unseen: dict[str, str]) -> list[tuple[str, str]]:
    """Each reason once, with the rooms, or how many they are."""
    found: dict[str, list[str]] = {}
    for room, why in unseen.items():
        found.setdefault(why, []).append(room)
    return [(why, ", ".join(rooms) if len(rooms) <= NAMED else f"{len(rooms)} rooms") for why, rooms in found.items()]


def _words(verdict: dict[str, Any]) -> str:
    replayed = str(verdict["why"] or "every digest equal")
    deals = verdict.get("deals")
    if deals is None:
        return replayed
    fair = f"{deals['sealed']} of {deals['games']} games sealed" + (", all fair" if deals["sealed"] else "")
    return f"{replayed}; " + ("; ".join(deals["wrong"]) or fair)


def _check_evidence(files: list[Path], as_json: bool) -> int:
    from ops.fairness import check, count

    found: list[dict[str, Any]] = []
    for file in files:
        try:
            evidence = json.loads(file.read_bytes())
        except OSError as no:
            raise Problem("no_file", f"{file}: {no.strerror}", status=2) from no
        except ValueError as no:
            raise Problem("no_evidence", f"{file} is not JSON", status=1) from no
        wrong = check(evidence)
        found.append({"file": str(file), "wrong": wrong, "opened": 0 if wrong else count(evidence)})
    if as_json:
        print(json.dumps({"evidence": found}, ensure_ascii=False))
    else:
        for one in found:
            fair = f"{one['opened']} places open, all as they were sealed"
            print(f"{one['file']}: " + ("; ".join(one["wrong"]) or fair))
    return 1 if any(one["wrong"] for one in found) else 0


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
        try:
            log = await store.room(room)
            try:
                return await log.read()
            finally:
                await log.close()
        except UnknownRoom as unknown:
            raise Problem("room_not_found", f"{args.data or 'the store'} holds no such room") from unknown
        except Damaged as broken:
            raise Problem("damaged", str(broken), status=1) from broken
        except Unavailable as away:
            raise Problem("unavailable", str(away)) from away

    if not args.store and not any((args.data / part).exists() for part in ("catalogue.db", "rooms")):
        raise Problem("no_logs", f"no logs in {args.data}", status=2)  # a green nothing would prove nothing
    try:
        store = open_store(args.store or f"sqlite:{args.data}", name="hanpan verify")
    except ValueError as bad:
        raise Problem("usage", str(bad), status=2) from bad
    with asyncio.Runner() as runner:
        try:
            yield runner.run(all_rooms()) if args.all else args.room, lambda room: runner.run(read(room))
        except Damaged as broken:  # the catalogue
            raise Problem("damaged", str(broken), status=1) from broken
        except Unavailable as away:
            raise Problem("unavailable", str(away)) from away
        finally:
            runner.run(store.close())
