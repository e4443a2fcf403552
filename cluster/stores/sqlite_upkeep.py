"""What operators do with a folder of SQLite files: carry rooms out and in, and look whether all is well."""

from __future__ import annotations

import contextlib
import fcntl
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from cluster.log import Conflict, InUse, Owner, RoomRow, Snapshot, Unavailable
from cluster.stores.rooms import CopiedIn, RoomCopy, StoreReport
from cluster.stores.sqlite import SqliteStore, connect, faults, transaction


class SqliteRooms:
    """`Movable`."""

    kind = "sqlite"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._store = SqliteStore(folder)

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        with only_one(self._folder):
            yield

    async def rows(self) -> list[RoomRow]:
        if not (self._folder / "catalogue.db").exists():
            raise Unavailable(f"{self._folder} holds no catalogue")
        catalogue = await self._store.catalogue()
        try:
            return sorted(await catalogue.all_rooms(), key=lambda row: (row.created, row.id))
        finally:
            await catalogue.close()

    async def copy_out(self, row: RoomRow) -> RoomCopy:
        path = self._store.path(row.id)
        if not path.exists():
            return RoomCopy(row=row, logged=False)
        with faults(), contextlib.closing(connect(path)) as db:
            return _copied(db, row)

    async def copy_in(self, copy: RoomCopy) -> CopiedIn:
        """First the file, then its line: an import that is broken off in between finds the file as it should be."""
        catalogue = await self._store.catalogue()
        try:
            known = await catalogue.get(copy.row.id)
            path = self._store.path(copy.row.id)
            held = await self.copy_out(known or copy.row)
            if known is not None and held == copy:
                return "same"
            if (known is not None or held.logged) and not held.begins(copy):
                raise Conflict(f"room {copy.row.id}: the store holds another one, or a later state of it")
            if copy.logged:
                with faults():
                    if not path.exists():
                        self._store.create(path)
                    with contextlib.closing(connect(path)) as db, transaction(db):
                        _put(db, copy)
            catalogue.put(copy.row)
            return "added" if known is None else "advanced"
        finally:
            await catalogue.close()

    async def check(self) -> StoreReport:
        findings = []
        files = {path.stem: path for path in self._folder.glob("rooms/*/*.db")}
        rows = {row.id for row in await self.rows()}
        findings += [f"room {room}: it has a log, and is not in the catalogue" for room in sorted(files.keys() - rows)]
        for path in [self._folder / "catalogue.db", *files.values()]:
            try:
                with contextlib.closing(connect(path)) as db:
                    verdict = [text for (text,) in db.execute("PRAGMA integrity_check")]
            except sqlite3.Error as broken:
                verdict = [str(broken)]
            findings += [f"{path.name}: {text}" for text in verdict if text != "ok"]
        return StoreReport({"rooms": len(rows), "files": len(files)}, findings)

    async def close(self) -> None:
        """Each log and catalogue is closed by itself."""


def _copied(db: sqlite3.Connection, row: RoomRow) -> RoomCopy:
    db.execute("BEGIN")  # one moment for all three
    try:
        snapshot = db.execute("SELECT seq, data FROM snapshots ORDER BY seq DESC LIMIT 1").fetchone()
        owners = db.execute("SELECT epoch, seq, wall, name FROM owners ORDER BY epoch").fetchall()
        entries = db.execute("SELECT entry FROM entries ORDER BY seq").fetchall()
    finally:
        db.execute("ROLLBACK")
    return RoomCopy(
        row=row,
        owners=[Owner(*owner) for owner in owners],
        snapshot=Snapshot(*snapshot) if snapshot else None,
        entries=[entry for (entry,) in entries],
    )


def _put(db: sqlite3.Connection, copy: RoomCopy) -> None:
    for table in ("entries", "owners", "snapshots"):
        db.execute(f"DELETE FROM {table}")  # noqa: S608  # names above
    db.executemany("INSERT INTO entries VALUES (?, ?)", enumerate(copy.entries, 1))
    db.executemany("INSERT INTO owners VALUES (?, ?, ?, ?)", map(msgspec.structs.astuple, copy.owners))
    if copy.snapshot is not None:
        db.execute("INSERT INTO snapshots VALUES (?, ?)", (copy.snapshot.seq, copy.snapshot.data))


@contextlib.contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Two hanpans on one folder would fight over every room, epoch after epoch. Raises `InUse`."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InUse(f"a hanpan is running on {folder}") from None
        yield
