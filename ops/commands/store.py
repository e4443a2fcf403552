"""``hanpan store``: the tables of a PostgreSQL store, and whole stores carried elsewhere."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import gzip
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from ops.options import add_json, option
from ops.problem import Problem
from ops.progress import Progress
from ops.tables import table

if TYPE_CHECKING:
    from cluster.stores.rooms import Movable
    from ops.transfer import Moved

T = TypeVar("T")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(metavar="what", title="what to do", dest="what")

    migrate = what.add_parser("migrate", help="bring a PostgreSQL database's tables up to date")
    check = what.add_parser("check", help="look whether a store is as it should be")
    out = what.add_parser("export", help="write all rooms into a file")
    into = what.add_parser("import", help="take the rooms of a file into a store")
    tidy = what.add_parser("tidy", help="put closed rooms into the archive, and forget old ones")
    for sub in (migrate, check, out, into, tidy):
        default = os.environ.get("HANPAN_STORE")
        sub.add_argument(
            "--store", default=default, help="sqlite:/folder, or postgres://user:password@host/database [HANPAN_STORE]"
        )
        add_json(sub)
    out.add_argument("file", type=Path, help="- for standard output; compressed if it ends with .gz")
    out.add_argument(
        "--live", action="store_true", help="also while hanpan plays: as a backup, without what is played meanwhile"
    )
    into.add_argument("file", type=Path, help="- for standard input")
    option(tidy, "--archive-hours", default=24.0, type=float, help="archive what was closed so long ago")
    option(tidy, "--keep-days", default=None, type=float, help="forget what was closed so long ago; not given: nothing")


def run(args: argparse.Namespace) -> int:
    """1 where something is not as it should be, or a room was not taken in."""
    doing: dict[str, Callable[[argparse.Namespace], Awaitable[int]]] = {
        "migrate": _migrate,
        "check": _check,
        "export": _export,
        "import": _import,
        "tidy": _tidy,
    }
    if args.what is None:
        raise Problem("usage", "say what to do: migrate, check, export, import or tidy", 2)
    if not args.store:
        raise Problem("usage", "say which store: --store, or HANPAN_STORE", 2)
    return asyncio.run(_guarded(doing[args.what], args))


async def _guarded(work: Callable[[argparse.Namespace], Awaitable[int]], args: argparse.Namespace) -> int:
    from cluster.log import Damaged, InUse, Unavailable
    from ops.transfer import BadFile

    try:
        return await work(args)
    except InUse as busy:
        raise Problem("in_use", f"{busy}: end it first") from busy
    except Unavailable as away:
        raise Problem("unavailable", f"{_shown(args.store)}: {away}") from away
    except Damaged as broken:
        raise Problem("damaged", f"{_shown(args.store)}: {broken}", 1) from broken
    except BadFile as bad:
        raise Problem("bad_file", f"{args.file}: {bad}", 1) from bad
    except OSError as fault:
        raise Problem("file", str(fault)) from fault


async def _migrate(args: argparse.Namespace) -> int:
    if not args.store.startswith("postgres"):
        raise Problem("usage", "only a PostgreSQL store has tables to migrate", 2)
    from cluster.stores.schema import VERSION, migrate

    applied = await migrate(args.store)
    if args.json:
        _print({"version": VERSION, "applied": [{"version": one.version, "name": one.name} for one in applied]})
    else:
        for one in applied:
            print(f"applied {one.version:04}: {one.name}")
        print(f"{_shown(args.store)} is at version {VERSION}" + ("" if applied else ", as it was"))
    return 0


async def _check(args: argparse.Namespace) -> int:
    from ops.transfer import check

    async with _rooms(args.store) as store:
        report = await store.check()
        findings, entries = list(report.findings), 0
        with Progress() as progress:
            async for copy, wrong in check(store):
                findings += wrong
                entries += len(copy.entries) if copy else 0
                progress.say(f"{entries} entries")
    facts = {**report.facts, "entries": entries}
    if args.json:
        _print({"store": store.kind, "facts": facts, "findings": findings, "ok": not findings})
    else:
        print(table(("what", "is"), [(name, str(value)) for name, value in facts.items()]))
        print("\n" + ("\n".join(findings) if findings else "all is well"))
    return 1 if findings else 0


async def _export(args: argparse.Namespace) -> int:
    from ops.transfer import export

    async with _rooms(args.store) as store:
        await store.rows()  # is there anything at all?
        async with contextlib.nullcontext() if args.live else store.alone():
            with Progress() as progress, _writing(args.file) as file:
                moved = await export(store, file, progress.say)
    text = f"{moved.rooms} rooms with {moved.entries} entries of {_shown(args.store)} are in {args.file}"
    _say(args, {"rooms": moved.rooms, "entries": moved.entries, "file": str(args.file)}, text)
    return 0


async def _import(args: argparse.Namespace) -> int:
    from ops.transfer import read, take_in

    if args.store.startswith("postgres"):
        from cluster.stores.schema import migrate

        await migrate(args.store)
    async with _rooms(args.store) as store, store.alone():
        with Progress() as progress, _reading(args.file) as file:
            moved = await take_in(store, read(file), progress.say)
    _say(args, _report(moved), _readable(moved, _shown(args.store)))
    return 1 if moved.refused else 0


async def _tidy(args: argparse.Namespace) -> int:
    from cluster.stores import open_store

    store = _opened(functools.partial(open_store, name="hanpan store tidy"), args.store)
    keep = None if args.keep_days is None else float(args.keep_days) * 86400
    archived = forgotten = 0
    try:
        with Progress() as progress:
            while True:
                tidied = await store.tidy(args.archive_hours * 3600, keep)
                if not (tidied.archived or tidied.forgotten):
                    break
                archived, forgotten = archived + tidied.archived, forgotten + tidied.forgotten
                progress.say(f"{archived} archived, {forgotten} forgotten")
    finally:
        await store.close()
    _say(
        args,
        {"archived": archived, "forgotten": forgotten},
        f"{archived} rooms are archived, {forgotten} are forgotten",
    )
    return 0


def _report(moved: Moved) -> dict[str, Any]:
    counts = {name: getattr(moved, name) for name in ("rooms", "entries", "added", "same", "advanced")}
    return {**counts, "refused": moved.refused}


def _readable(moved: Moved, store: str) -> str:
    lines = [
        f"{moved.rooms} rooms with {moved.entries} entries are in {store}: "
        f"{moved.added} came now, {moved.same} were there, {moved.advanced} were there in an earlier state",
        *(f"refused: {why}" for why in moved.refused),
    ]
    return "\n".join(lines)


def _opened(opening: Callable[[str], T], url: str) -> T:
    try:
        return opening(url)
    except ValueError as bad:
        raise Problem("usage", str(bad), 2) from bad


@contextlib.asynccontextmanager
async def _rooms(url: str) -> AsyncIterator[Movable]:
    from cluster.stores import open_rooms

    store = _opened(open_rooms, url)
    try:
        yield store
    finally:
        await store.close()


@contextlib.contextmanager
def _writing(path: Path) -> Any:
    """A file that is there whole or not at all, and that only we may read: it holds the seeds of games."""
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as raw:
            if path.suffix == ".gz":
                with gzip.GzipFile(fileobj=raw, filename="", mode="wb", compresslevel=6) as file:
                    yield file
            else:
                yield raw
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


@contextlib.contextmanager
def _reading(path: Path) -> Any:
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    file: IO[bytes]
    with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as file:  # type: ignore[assignment]
        yield file


def _say(args: argparse.Namespace, report: dict[str, Any], text: str) -> None:
    """Where the file goes to standard output, what is said about it does not."""
    to = sys.stderr if getattr(args, "file", None) == Path("-") and args.what == "export" else sys.stdout
    print(json.dumps(report, ensure_ascii=False) if args.json else text, file=to, flush=True)


def _print(report: dict[str, Any]) -> None:
    print(json.dumps(report, ensure_ascii=False), flush=True)


def _shown(url: str) -> str:
    """Without the password."""
    parts = urlsplit(url)
    return url if parts.password is None else url.replace(f":{parts.password}@", ":…@")
