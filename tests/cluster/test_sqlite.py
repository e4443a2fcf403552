"""What only a store on disk must bear: other processes, kill -9, full disks, broken files."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cluster.entries import Entry, ReadySet
from cluster.log import Conflict, Damaged, RoomRow, Snapshot, Tidied, Unavailable
from cluster.stores import sqlite
from cluster.stores.sqlite import SqliteCatalogue, SqliteStore


def entry(seq: int, epoch: int = 1, id: str | None = None) -> Entry:
    return Entry(seq, epoch, seq, ReadySet("anna", True), f"{seq:032x}", "anna", id)


def room_file(store: SqliteStore, room: str = "r1") -> Path:
    return store._folder / "rooms" / room[:2] / f"{room}.db"


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path)


async def test_a_long_log_is_read_a_part_at_a_time(store: SqliteStore):
    """The room whose past somebody wants to see is played in the same loop, and its log written between the parts."""
    log = await store.room("r1", create=True)
    await log.claim(1, "a", 0)
    many = 3 * sqlite.PAGE
    await log.append(1, 1, [entry(seq) for seq in range(1, many + 1)])
    reading = asyncio.create_task(log.read())
    await asyncio.sleep(0)
    assert not reading.done()
    await log.append(1, many + 1, [entry(many + 1)])
    assert [entry.seq for entry in await reading] == list(range(1, many + 2))
    assert [entry.seq for entry in await log.read(many - 1)] == [many, many + 1]


# ---------------------------------------------------------------- other processes

_WRITER = """
import asyncio, sys
from tests.cluster.test_sqlite import entry
from cluster.log import Conflict
from cluster.stores.sqlite import SqliteStore

async def main(folder, epoch, name):
    log = await SqliteStore(folder).room("r1", create=True)
    seq = await log.claim(epoch, name, 0)
    for _ in sys.stdin:
        seq += 1
        try:
            await log.append(epoch, seq, [entry(seq, epoch, name)])
        except Conflict:
            print("fenced", flush=True)
            return
        print(seq, flush=True)

asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
"""


class Writer:
    """A process that claims the room, appends once for each line it is given, and says each seq it was promised."""

    def __init__(self, folder: Path, epoch: int, name: str) -> None:
        command = [sys.executable, "-c", _WRITER, str(folder), str(epoch), name]
        root = Path(__file__).parents[2]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root)

    def ask(self, appends: int = 1) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n" * appends)
        self.process.stdin.flush()

    def says(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def append(self) -> str:
        self.ask()
        return self.says()

    def end(self, number: signal.Signals = signal.SIGTERM) -> list[str]:
        """Ends it; what it had said that was not read yet."""
        self.process.send_signal(number)
        rest, _ = self.process.communicate()
        return rest.split()


async def test_kill_9_in_the_middle_of_writing_loses_nothing_acknowledged(store: SqliteStore):
    """Whatever was said is in the log; at most the one append under way is there beside it, whole."""
    doomed = Writer(store._folder, 1, "doomed")
    doomed.ask(10_000)
    said = [doomed.says() for _ in range(20)]
    said += doomed.end(signal.SIGKILL)
    log = await store.room("r1")
    entries = await log.read()
    assert entries == [entry(seq, 1, "doomed") for seq in range(1, len(entries) + 1)]
    assert len(said) <= len(entries) <= len(said) + 1
    assert await log.claim(2, "heir", 0) == len(entries)
    await log.append(2, len(entries) + 1, [entry(len(entries) + 1, 2)])
    await log.close()


async def test_of_two_processes_on_one_file_the_later_claim_writes_and_the_other_is_fenced(store: SqliteStore):
    """The log is one gapless line, first the old owner's entries, then the new one's."""
    old = Writer(store._folder, 1, "old")
    assert [old.append(), old.append()] == ["1", "2"]
    new = Writer(store._folder, 2, "new")
    assert [new.append(), new.append()] == ["3", "4"]
    assert old.append() == "fenced"
    assert new.append() == "5"
    old.end()
    new.end()
    log = await store.room("r1")
    assert [(e.seq, e.epoch, e.id) for e in await log.read()] == [
        (1, 1, "old"),
        (2, 1, "old"),
        (3, 2, "new"),
        (4, 2, "new"),
        (5, 2, "new"),
    ]
    assert [(owner.name, owner.seq) for owner in await log.owners()] == [("old", 0), ("new", 2)]
    await log.close()


async def test_two_processes_that_create_one_room_at_once_make_one(store: SqliteStore):
    logs = await asyncio.gather(
        *(asyncio.to_thread(asyncio.run, SqliteStore(store._folder).room("r1", create=True)) for _ in range(4))
    )
    outcomes = await asyncio.gather(*(log.claim(1, str(n), 0) for n, log in enumerate(logs)), return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict"] * 3 + ["int"]
    assert [path.name for path in room_file(store).parent.glob("*.new")] == []
    for log in logs:
        await log.close()


# ---------------------------------------------------------------- faults


async def test_a_file_that_another_process_holds_locked_is_unavailable_and_then_not(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.01)
    log = await store.room("r1", create=True)
    await log.claim(1, "a", 0)
    other = sqlite3.connect(room_file(store), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for attempt in (log.append(1, 1, [entry(1)]), log.claim(2, "b", 0), log.save_snapshot(1, Snapshot(0, b""))):
        with pytest.raises(Unavailable):
            await attempt
    assert await log.read() == []
    other.execute("ROLLBACK")
    other.close()
    await log.append(1, 1, [entry(1)])
    assert await log.read() == [entry(1)]
    await log.close()


async def test_a_full_disk_is_unavailable_and_what_was_there_stays(store: SqliteStore):
    log = await store.room("r1", create=True)
    await log.claim(1, "a", 0)
    await log.append(1, 1, [entry(1)])
    pages = log._db.execute("PRAGMA page_count").fetchone()[0]
    log._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(Unavailable):
        await log.append(1, 2, [entry(seq) for seq in range(2, 1000)])
    assert await log.read() == [entry(1)]
    log._db.execute("PRAGMA max_page_count = 1000000")
    await log.append(1, 2, [entry(2)])
    assert await log.read() == [entry(1), entry(2)]
    await log.close()


async def test_a_write_that_the_disk_took_in_part_makes_no_room(store: SqliteStore, monkeypatch: pytest.MonkeyPatch):
    """A room file is complete or not there."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, bytes(data)[:100]))
    log = await store.room("r1", create=True)
    assert await log.claim(1, "a", 0) == 0
    await log.close()

    def full(fd: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(Unavailable):
        await store.room("r2", create=True)
    assert not list(store._folder.rglob("r2*.*"))


async def test_a_folder_that_cannot_be_made_is_unavailable(tmp_path: Path):
    (tmp_path / "file").write_text("")
    store = SqliteStore(tmp_path / "file" / "data")
    with pytest.raises(Unavailable):
        await store.room("r1", create=True)
    with pytest.raises(Unavailable):
        await store.catalogue()
    (tmp_path / "catalogue.db").mkdir()
    with pytest.raises(Unavailable):
        await SqliteStore(tmp_path).catalogue()


@pytest.mark.parametrize("garbage", [b"this is not a database, whatever its name says" * 100, None])
async def test_a_file_that_is_broken_is_damaged_not_away(store: SqliteStore, garbage: bytes | None):
    """Waiting will not mend it: it is for an operator, unlike a store that does not answer."""
    log = await store.room("r1", create=True)
    await log.claim(1, "a", 0)
    await log.append(1, 1, [entry(seq) for seq in range(1, 400)])
    await log.close()
    file = room_file(store)
    data = file.read_bytes()
    file.write_bytes(garbage or data[:4096] + b"\xa5" * (len(data) - 4096))

    async def claim() -> None:
        log = await store.room("r1")
        try:
            await log.claim(2, "b", 0)
        finally:
            await log.close()

    with pytest.raises(Damaged):
        await claim()


async def test_an_entry_that_is_no_entry_is_damaged(store: SqliteStore):
    log = await store.room("r1", create=True)
    log._db.execute("INSERT INTO entries VALUES (1, '{\"seq\": 1}')")
    with pytest.raises(Damaged):
        await log.read()
    await log.close()


async def test_a_failed_transaction_leaves_the_connection_usable(store: SqliteStore):
    log = await store.room("r1", create=True)
    await log.claim(1, "a", 0)
    for _ in range(3):
        with pytest.raises(Conflict):
            await log.append(1, 9, [entry(9)])
    await log.append(1, 1, [entry(1)])
    await log.close()
    catalogue = await store.catalogue()
    row = RoomRow(id="r1", code="A", game="g", created=1, wish=b"")
    await catalogue.add(row)
    for _ in range(3):
        with pytest.raises(Conflict):
            await catalogue.add(row)
    await catalogue.update("r1", parked=True)
    await catalogue.close()


async def test_every_commit_is_synced(store: SqliteStore):
    """``synchronous=FULL`` (2) in WAL mode, for rooms and catalogue."""
    log, catalogue = await store.room("r1", create=True), await store.catalogue()
    for db in (log._db, catalogue._db):
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    await log.close()
    await catalogue.close()


async def test_an_owners_wal_is_long_once_it_had_a_moment_and_stays_so_long(store: SqliteStore):
    """A sync inside a file costs half of one that makes it longer."""
    log = await store.room("r1", create=True)
    await log.claim(1, "a", 0)
    wal = room_file(store).with_name("r1.db-wal")
    assert wal.stat().st_size < sqlite.WAL_BYTES
    await log.prepare()
    assert wal.stat().st_size == sqlite.WAL_BYTES
    for seq in range(1, 513):
        await log.append(1, seq, [entry(seq)])
        if seq % 64 == 0:
            await log.save_snapshot(1, Snapshot(seq, bytes(8000)))
    assert wal.stat().st_size == sqlite.WAL_BYTES
    await log.claim(2, "b", 0)
    await log.prepare()
    assert wal.stat().st_size == sqlite.WAL_BYTES
    assert len(await log.read()) == 512
    await log.close()


async def test_a_store_that_is_ready_makes_the_next_rooms_file_with_its_wal(store: SqliteStore):
    await store.ready()
    assert [path for path in store._folder.rglob("*") if path.is_file()] == []  # nothing stays of who ends now
    log = await store.room("r1", create=True)
    wal = room_file(store).with_name("r1.db-wal")
    assert wal.stat().st_size == sqlite.WAL_BYTES
    assert await log.claim(1, "a", 0) == 0
    await log.append(1, 1, [entry(1)])
    assert wal.stat().st_size == sqlite.WAL_BYTES
    another = await store.room("r2", create=True)  # there was only one
    assert await another.claim(1, "a", 0) == 0
    await another.close()
    await log.close()
    again = await store.room("r1")
    assert await again.read() == [entry(1)]
    await again.close()


async def test_of_two_that_were_ready_to_make_one_room_the_second_finds_the_firsts(store: SqliteStore, tmp_path: Path):
    other = SqliteStore(tmp_path)
    await store.ready()
    await other.ready()
    log = await store.room("r1", create=True)
    assert await log.claim(1, "a", 0) == 0
    await log.append(1, 1, [entry(1)])
    other.create(room_file(store))  # it did not see the file just before
    late = await other.room("r1", create=True)
    with pytest.raises(Conflict):
        await late.claim(1, "b", 0)
    assert await late.read() == [entry(1)]
    await late.close()
    await log.close()


async def test_where_files_must_have_names_nobody_is_ready_and_rooms_are_made_all_the_same(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
):
    real = os.open

    def refuses(path: Path, flags: int, *rest: int) -> int:
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(95, "Operation not supported")
        return real(path, flags, *rest)

    monkeypatch.setattr(os, "open", refuses)
    await store.ready()
    log = await store.room("r1", create=True)
    assert await log.claim(1, "a", 0) == 0
    await log.close()


async def test_a_store_that_was_ready_for_nothing_leaves_no_file_open(store: SqliteStore):
    before = len(os.listdir("/proc/self/fd"))
    await store.ready()
    await store.ready()
    await store.close()
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("committed", [0, 1, 40])
async def test_zeros_after_the_wals_frames_are_not_taken_for_frames(store: SqliteStore, tmp_path: Path, committed: int):
    """What a power cut leaves: the file and its WAL as they lie on the disk, read by somebody new."""
    await store.ready()
    log = await store.room("r1", create=True)
    await log.claim(1, "a", 0)
    for seq in range(1, committed + 1):
        await log.append(1, seq, [entry(seq)])
    found = SqliteStore(tmp_path / "found")
    copy = room_file(found)
    copy.parent.mkdir(parents=True)
    for ending in ("", "-wal"):
        copy.with_name(f"r1.db{ending}").write_bytes(room_file(store).with_name(f"r1.db{ending}").read_bytes())
    again = await found.room("r1")
    assert await again.claim(2, "b", 0) == committed
    await again.append(2, committed + 1, [entry(committed + 1, 2)])
    assert [each.seq for each in await again.read()] == list(range(1, committed + 2))
    await again.close()
    await log.close()


async def test_a_claim_where_the_disk_has_no_room_for_zeros_is_a_claim(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
):
    def full(fd: int, data: bytes, offset: int) -> int:
        raise OSError(28, "No space left on device")

    log = await store.room("r1", create=True)
    monkeypatch.setattr(os, "pwrite", full)
    await log.claim(1, "a", 0)
    await log.append(1, 1, [entry(1)])
    assert len(await log.read()) == 1
    await log.close()


async def test_closing_leaves_no_file_open(store: SqliteStore):
    before = len(os.listdir("/proc/self/fd"))
    for number in range(10):
        log = await store.room(f"r{number}", create=True)
        await log.claim(1, "a", 0)
        await log.close()
    assert len(os.listdir("/proc/self/fd")) == before


# ---------------------------------------------------------------- old rooms


async def closed_rooms(store: SqliteStore, *rooms: str, created: int = 1) -> SqliteCatalogue:
    """The catalogue, with these rooms in it; each has a file."""
    catalogue = await store.catalogue()
    for room in rooms:
        await catalogue.add(RoomRow(id=room, code=room.upper(), game="lamps", created=created, wish=b"{}"))
        await catalogue.update(room, closed=True)
        log = await store.room(room, create=True)
        await log.claim(1, "a", 0)
        await log.close()
    return catalogue


async def test_old_rooms_are_forgotten_a_part_at_a_time_and_no_others(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sqlite, "TIDIED_AT_ONCE", 2)
    old = [f"old{number}" for number in range(5)]
    catalogue = await closed_rooms(store, *old, "fresh")
    await catalogue.add(RoomRow(id="open", code="OPEN", game="lamps", created=1, wish=b"{}"))
    with await closed_rooms(store, "young", created=2**50):
        pass  # whatever its files say: nobody can have closed it before it was made
    for room in [*old, "young"]:
        for file in room_file(store, room).parent.glob(f"{room}.db*"):
            os.utime(file, (1, 1))
    done = []
    while (tidied := await store.tidy(0.0, 3600.0)) != Tidied():
        done.append(tidied.forgotten)
    assert done == [2, 2, 1]
    assert {row.id for row in await catalogue.all_rooms()} == {"fresh", "open", "young"}
    assert not [file for room in old for file in room_file(store, room).parent.glob(f"{room}*")]
    assert room_file(store, "fresh").exists()
    await catalogue.close()


async def test_whoever_forgets_rooms_holds_nobody_up(store: SqliteStore, monkeypatch: pytest.MonkeyPatch):
    """The directory answers, and writes the same catalogue, while files are looked at."""
    catalogue = await closed_rooms(store, "r1", "r2")
    looked, go_on = asyncio.Event(), threading.Event()
    loop, age = asyncio.get_running_loop(), store._age

    def slowly(path: Path) -> float:
        loop.call_soon_threadsafe(looked.set)
        assert go_on.wait(10)
        return age(path)

    monkeypatch.setattr(store, "_age", slowly)
    tidying = asyncio.create_task(store.tidy(0.0, 0.0))
    await looked.wait()
    await catalogue.update("r2", epoch=7)
    go_on.set()
    assert await tidying == Tidied(forgotten=2)
    assert await catalogue.all_rooms() == []
    await catalogue.close()
