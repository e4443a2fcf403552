"""The log in SQLite: the default, embedded, with nothing to set up.

One file a room, so that rooms never wait for each other's locks and a broken file is one broken room; and one file for
the catalogue. ``synchronous=FULL`` in WAL mode: a commit is on the disk (fdatasync) before it returns.

The calls block for a commit (measured: a third of a millisecond) instead of going through a thread: a room process has
one room and nothing better to do meanwhile, and a thread's hand-over costs as much as half the commit.

A new room's file is a ready-made image that is written, synced and linked into place. That costs two syncs instead of
the seven that creating the tables in place costs; one, where `SqliteStore.ready` has written and synced it before.

An owner makes the WAL file long before it is full. A sync of bytes that lie inside a file costs half of one that makes
the file longer, which must write the file system's journal too (measured on ext4: 0.14 ms against 0.25 ms).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import time
from collections.abc import Generator, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from urllib.parse import quote

import msgspec

from cluster import entries as codec
from cluster.entries import Entry
from cluster.log import Conflict, Damaged, Owner, RoomRow, Snapshot, Tidied, Unavailable, UnknownRoom

BUSY_SECONDS = 2.0  # a writer waits so long for another process that is writing the same file (a claim, a backup)

TIDIED_AT_ONCE = 100  # rooms

WAL_BYTES = 384 * 1024  # 64 actions and a snapshot, after which it is written from its start again

_ROOM_SCHEMA = """
CREATE TABLE entries (seq INTEGER PRIMARY KEY, entry TEXT NOT NULL) STRICT;
CREATE TABLE owners (epoch INTEGER PRIMARY KEY, seq INTEGER NOT NULL, wall INTEGER NOT NULL, name TEXT NOT NULL) STRICT;
CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
PRAGMA user_version = 1;
"""

_READ = "SELECT entry FROM entries WHERE seq > ? ORDER BY seq LIMIT ?"
PAGE = 500  # entries that are read at once: 1.5 ms

_CATALOGUE_SCHEMA = """
CREATE TABLE IF NOT EXISTS rooms (
    id TEXT PRIMARY KEY,
    code TEXT NOT NULL,
    game TEXT NOT NULL,
    created INTEGER NOT NULL,
    wish BLOB NOT NULL,
    key TEXT UNIQUE,
    epoch INTEGER NOT NULL DEFAULT 0,
    parked INTEGER NOT NULL DEFAULT 0,
    closed INTEGER NOT NULL DEFAULT 0,
    quarantine TEXT,
    summary BLOB NOT NULL DEFAULT x''
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS open_codes ON rooms (code) WHERE closed = 0;
CREATE INDEX IF NOT EXISTS open_rooms ON rooms (created) WHERE closed = 0;
PRAGMA user_version = 1;
"""


@cache
def _room_image() -> bytes:
    """An empty room file, in WAL mode from its first opening on."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.executescript(_ROOM_SCHEMA)
        image = bytearray(db.serialize())
    image[18] = image[19] = 2  # the header's write and read version: 2 is WAL (sqlite.org/fileformat2.html, 1.3)
    return bytes(image)


def connect(path: Path) -> sqlite3.Connection:
    uri = f"file:{quote(str(path))}?mode=rw"
    db = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA synchronous = FULL")
    except BaseException:
        db.close()
        raise
    return db


@contextlib.contextmanager
def faults() -> Iterator[None]:
    """SQLite's faults in the contract's words."""
    try:
        yield
    except (sqlite3.Error, OSError) as fault:
        raise _in_our_words(fault) from fault


def _in_our_words(fault: Exception) -> Unavailable | Damaged:
    """Locked, disk full, disk I/O error; or a file that is malformed, or no database at all."""
    text = f"{type(fault).__name__}: {fault}"
    return Unavailable(text) if isinstance(fault, sqlite3.OperationalError | OSError) else Damaged(text)


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """BEGIN IMMEDIATE … COMMIT; rolled back on any exception, also on a COMMIT that failed."""
    with faults():
        db.execute("BEGIN IMMEDIATE")
        try:
            yield
            db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            raise


@contextlib.contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    fd = os.open(path, flags | os.O_CLOEXEC, 0o600)
    try:
        yield fd
    finally:
        os.close(fd)


def _lengthen(wal: Path, size: int) -> None:
    """Fills the WAL file up with zeros, which end it as well as its end does: there is no page 0.

    Only inside a write transaction: nobody else writes frames meanwhile, and our own come at its commit. Where the disk
    has no room, the file is only shorter.
    """
    with _opened(wal, os.O_WRONLY) as fd:
        have = os.fstat(fd).st_size
        if have < size:
            with contextlib.suppress(OSError):
                os.pwrite(fd, bytes(size - have), have)
                os.fdatasync(fd)


def _written(fd: int, data: bytes) -> None:
    """Writes all of it, and waits until it is on the disk."""
    rest = memoryview(data)
    while rest:  # a disk that is nearly full takes a part
        rest = rest[os.write(fd, rest) :]
    os.fsync(fd)


class _Blank:
    """A room's file and its WAL, on the disk already, before the room has a name.

    They have no name either (O_TMPFILE: open(2)), so nothing of them stays where their process ends first. The WAL is
    all zeros: one without a commit. (With one in it, which SQLite would not have to begin with a sync of its own, it
    could be laid over a file that others had used meanwhile, were we stopped for long before it is linked.)
    """

    def __init__(self, folder: Path) -> None:
        """Raises `OSError`, also where the file system has no such files."""
        with contextlib.ExitStack() as undo:
            self._fds = [undo.enter_context(_opened(folder, os.O_TMPFILE | os.O_WRONLY)) for _ in range(2)]
            for fd, data in zip(self._fds, (_room_image(), bytes(WAL_BYTES)), strict=True):
                _written(fd, data)
            self._files = undo.pop_all()

    def become(self, name: str, folder: int) -> None:
        """Links them into the folder. Where a room of this name is there already, it stays as it is."""
        with self._files, contextlib.suppress(FileExistsError):
            for fd, suffix in zip(self._fds, ("", "-wal"), strict=True):
                os.link(f"/proc/self/fd/{fd}", f"{name}{suffix}", dst_dir_fd=folder)

    def close(self) -> None:
        self._files.close()


class SqliteRoomLog:
    """One room's file."""

    def __init__(self, path: Path) -> None:
        self._wal = path.with_name(f"{path.name}-wal")
        with faults():
            self._db = connect(path)

    async def claim(self, epoch: int, owner: str, wall: int) -> int:
        with transaction(self._db):
            current, seq = self._position()
            if epoch <= current:
                raise Conflict(f"epoch {epoch} after {current}")
            self._db.execute("INSERT INTO owners VALUES (?, ?, ?, ?)", (epoch, seq, wall, owner))
        return seq

    async def prepare(self) -> None:
        with transaction(self._db):
            _lengthen(self._wal, WAL_BYTES)

    async def append(self, epoch: int, expected_seq: int, entries: Sequence[Entry]) -> None:
        rows = [(entry.seq, codec.encode(entry).decode()) for entry in entries]
        execute = self._db.execute
        try:  # written out, not `with transaction`: this is the path of every action
            execute("BEGIN IMMEDIATE")
            current, seq = self._position()
            if epoch != current or expected_seq != seq + 1:
                execute("ROLLBACK")
                raise Conflict(f"epoch {epoch}, seq {expected_seq} at epoch {current}, seq {seq}")
            for row in rows:
                execute("INSERT INTO entries VALUES (?, ?)", row)
            execute("COMMIT")
        except sqlite3.Error as fault:
            with contextlib.suppress(sqlite3.Error):
                execute("ROLLBACK")
            raise _in_our_words(fault) from fault

    def _position(self) -> tuple[int, int]:
        epoch, seq = self._db.execute(
            "SELECT (SELECT max(epoch) FROM owners), (SELECT max(seq) FROM entries)"
        ).fetchone()
        return epoch or 0, seq or 0

    async def read(self, after: int = 0) -> list[Entry]:
        found: list[Entry] = []
        while True:
            with faults():
                rows = self._db.execute(_READ, (after, PAGE)).fetchall()
            try:
                found += [codec.decode(text) for (text,) in rows]
            except msgspec.MsgspecError as bad:
                raise Damaged(f"an entry after {after} is none: {bad}") from bad
            if len(rows) < PAGE:
                return found
            after = found[-1].seq
            await asyncio.sleep(0)  # a room that is asked for its past is played meanwhile

    async def save_snapshot(self, epoch: int, snapshot: Snapshot) -> None:
        with transaction(self._db):
            current, _ = self._position()
            if epoch != current:
                raise Conflict(f"snapshot of epoch {epoch} at epoch {current}")
            self._db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?)", (snapshot.seq, snapshot.data))
            self._db.execute("DELETE FROM snapshots WHERE seq < ?", (snapshot.seq,))
        # A good moment to move the WAL's pages into the file: it is written from its start again, and stays short.
        with faults():
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    async def snapshot(self) -> Snapshot | None:
        with faults():
            row = self._db.execute("SELECT seq, data FROM snapshots ORDER BY seq DESC LIMIT 1").fetchone()
        return Snapshot(*row) if row else None

    async def owners(self) -> list[Owner]:
        with faults():
            rows = self._db.execute("SELECT epoch, seq, wall, name FROM owners ORDER BY epoch").fetchall()
        return [Owner(*row) for row in rows]

    async def close(self) -> None:
        with faults():
            self._db.close()


_COLUMNS = "id, code, game, created, wish, key, epoch, parked, closed, quarantine, summary"


def _row(columns: tuple[object, ...]) -> RoomRow:
    row = dict(zip(_COLUMNS.split(", "), columns, strict=True))
    row["parked"], row["closed"] = bool(row["parked"]), bool(row["closed"])
    return RoomRow(**row)  # type: ignore[arg-type]  # the columns have the struct's types


class SqliteCatalogue:
    """The catalogue's file."""

    def __init__(self, path: Path) -> None:
        with faults():
            path.touch(exist_ok=True)
            self._db = connect(path)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.executescript(_CATALOGUE_SCHEMA)

    async def add(self, row: RoomRow) -> RoomRow:
        with transaction(self._db):
            if row.key is not None and (known := self._one("key", row.key)):
                return known
            try:
                self._insert(row)
            except sqlite3.IntegrityError as taken:
                raise Conflict(f"room {row.id} or code {row.code} is taken") from taken
        return row

    async def update(
        self,
        room: str,
        *,
        epoch: int | None = None,
        parked: bool | None = None,
        closed: bool | None = None,
        quarantine: str | None = None,
        summary: bytes | None = None,
    ) -> None:
        given = {"epoch": epoch, "parked": parked, "closed": closed, "summary": summary}
        changes: dict[str, object] = {name: value for name, value in given.items() if value is not None}
        if quarantine is not None:
            changes["quarantine"] = quarantine or None
        if not changes:
            return
        columns = ", ".join(f"{name} = ?" for name in changes)
        with transaction(self._db):
            done = self._db.execute(f"UPDATE rooms SET {columns} WHERE id = ?", (*changes.values(), room))  # noqa: S608
            if done.rowcount == 0:
                raise UnknownRoom(room)

    async def get(self, room: str) -> RoomRow | None:
        with faults():
            return self._one("id", room)

    async def open_rooms(self) -> list[RoomRow]:
        return self._select("WHERE closed = 0 ORDER BY created")

    async def all_rooms(self) -> list[RoomRow]:
        return self._select("ORDER BY created")

    async def close(self) -> None:
        with faults():
            self._db.close()

    def put(self, row: RoomRow) -> None:
        """Writes the whole line, over an older one if there is one. Raises `Conflict` if its code or key is taken."""
        with transaction(self._db):
            self._db.execute("DELETE FROM rooms WHERE id = ?", (row.id,))
            try:
                self._insert(row)
            except sqlite3.IntegrityError as taken:
                raise Conflict(f"room {row.id}: its code or its key is another room's") from taken

    def forget(self, *rooms: str) -> None:
        with transaction(self._db):
            self._db.executemany("DELETE FROM rooms WHERE id = ?", [(room,) for room in rooms])

    def closed_rooms(self, created: int) -> Generator[str]:
        """The ids of closed rooms that were made by then (unix ms), read as they are asked for."""
        with faults():
            for (room,) in self._db.execute("SELECT id FROM rooms WHERE closed = 1 AND created <= ?", (created,)):
                yield room

    def __enter__(self) -> SqliteCatalogue:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def _insert(self, row: RoomRow) -> None:
        columns = _COLUMNS.split(", ")
        marks = ", ".join("?" * len(columns))
        values = [getattr(row, name) for name in columns]
        self._db.execute(f"INSERT INTO rooms ({_COLUMNS}) VALUES ({marks})", values)  # noqa: S608

    def _one(self, column: str, value: str) -> RoomRow | None:
        row = self._db.execute(f"SELECT {_COLUMNS} FROM rooms WHERE {column} = ?", (value,)).fetchone()  # noqa: S608
        return _row(row) if row else None

    def _select(self, rest: str) -> list[RoomRow]:
        with faults():
            return [_row(row) for row in self._db.execute(f"SELECT {_COLUMNS} FROM rooms {rest}")]  # noqa: S608


def _files(path: Path) -> Iterator[Path]:
    """All that SQLite makes of a room's file."""
    return (path.with_name(f"{path.name}{suffix}") for suffix in ("", "-wal", "-shm"))


class SqliteStore:
    """A folder: ``catalogue.db`` and ``rooms/<first two letters>/<room>.db``."""

    kind = "sqlite"

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        self._blank: _Blank | None = None

    async def ready(self) -> None:
        rooms = self._folder / "rooms"
        if self._blank is not None:
            return
        with contextlib.suppress(
            OSError, sqlite3.Error
        ):  # no such files here, or no space: rooms only take longer then
            rooms.mkdir(parents=True, exist_ok=True)
            self._blank = _Blank(rooms)

    async def room(self, room: str, *, create: bool = False) -> SqliteRoomLog:
        path = self.path(room)
        with faults():
            if not path.exists():
                if not create:
                    raise UnknownRoom(room)
                self.create(path)
        return SqliteRoomLog(path)

    async def catalogue(self) -> SqliteCatalogue:
        return self._open_catalogue()

    def _open_catalogue(self) -> SqliteCatalogue:
        with faults():
            self._folder.mkdir(parents=True, exist_ok=True)
        return SqliteCatalogue(self._folder / "catalogue.db")

    def create(self, path: Path) -> None:
        """A room's empty file. A link, unlike a rename, never replaces one that another process has made meanwhile."""
        path.parent.mkdir(parents=True, exist_ok=True)
        blank, self._blank = self._blank, None
        with _opened(path.parent, os.O_RDONLY | os.O_DIRECTORY) as folder:
            if blank is not None:
                blank.become(path.name, folder)
            else:
                self._draft(path)
            os.fsync(folder)

    @staticmethod
    def _draft(path: Path) -> None:
        draft = path.with_suffix(f".{os.urandom(4).hex()}.new")
        try:
            with _opened(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as fd:
                _written(fd, _room_image())
            with contextlib.suppress(FileExistsError):
                os.link(draft, path)
        finally:
            draft.unlink(missing_ok=True)

    async def close(self) -> None:
        """Each log and catalogue is closed by itself."""
        if self._blank is not None:
            self._blank.close()
            self._blank = None

    async def tidy(self, archive_after: float, keep: float | None) -> Tidied:
        """There is nothing to put away: a closed room's file is in nobody's way. Forgets it, and its line.

        In a thread: it looks at the files of many rooms, and the directory has others to answer meanwhile.
        """
        return Tidied() if keep is None else Tidied(forgotten=await asyncio.to_thread(self._forget, keep))

    def _forget(self, keep: float) -> int:
        """Those that were not written to for so many seconds, TIDIED_AT_ONCE at most. How many."""
        with self._open_catalogue() as catalogue, faults():
            made = int((time.time() - keep) * 1000)  # what was made later was also closed later
            with contextlib.closing(catalogue.closed_rooms(made)) as rooms:  # read to its end or not, before we write
                old = list(islice((room for room in rooms if self._age(self.path(room)) >= keep), TIDIED_AT_ONCE))
            for room in old:
                for file in _files(self.path(room)):
                    file.unlink(missing_ok=True)
            catalogue.forget(*old)
        return len(old)

    @staticmethod
    def _age(path: Path) -> float:
        """Seconds since the last write; a room that never had a file is as old as can be."""
        writes = []
        for file in _files(path):
            with contextlib.suppress(FileNotFoundError):
                writes.append(file.stat().st_mtime)
        return time.time() - max(writes) if writes else float("inf")

    def path(self, room: str) -> Path:
        return self._folder / "rooms" / room[:2] / f"{room}.db"
