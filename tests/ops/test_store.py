"""`hanpan store`: whole stores carried from SQLite to PostgreSQL and back, exactly, however often it is broken off."""

from __future__ import annotations

import asyncio
import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import pytest

from cluster import entries as codec
from cluster.entries import Closed, Entry
from cluster.log import Conflict, RoomRow, Snapshot
from cluster.stores import open_rooms, open_store
from cluster.stores.connections import Where
from cluster.stores.postgres import PostgresStore
from cluster.stores.rooms import RoomCopy
from cluster.stores.sqlite import SqliteStore
from ops import cli
from ops.postgres import Server
from tests.ops.parlour import Parlour

_replace = msgspec.structs.replace


def now(work: Any) -> Any:
    """Runs a coroutine where no loop runs."""
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, work).result()


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    """A command's exit status, and what it said as JSON."""
    status = cli.main([*words, "--json"])
    out = capsys.readouterr().out
    return status, json.loads(out.splitlines()[-1])


def played(turns: int, closed: bool = False) -> list[Entry]:
    parlour = Parlour("AB")
    for _ in range(turns):
        parlour.act()
    entries = list(parlour.entries)
    if closed:
        last = entries[-1]
        entries.append(Entry(last.seq + 1, 1, last.at + 1, Closed("operator"), "0" * 32))
    return entries


async def fill(store: Any, rooms: dict[str, list[Entry]]) -> None:
    """Rooms as a hanpan leaves them: one is closed, one never came to be, one has a snapshot and two owners."""
    catalogue = await store.catalogue()
    for number, (room, entries) in enumerate(rooms.items()):
        closed = bool(entries) and isinstance(entries[-1].fact, Closed)
        row = RoomRow(
            id=room,
            code=f"CODE{number:02}",
            game="bench-turn",
            created=1000 + number,
            wish=b'{"game":"bench-turn"}',
            key=f"anna/{room}",
            epoch=3,
            parked=not closed,
            closed=closed,
            quarantine="why" if number == 1 else None,
            summary="요약".encode(),
        )
        await catalogue.add(row)
        if not entries:
            continue
        log = await store.room(room, create=True)
        await log.claim(1, "n1/안나", 5)
        await log.append(1, 1, entries)
        if number == 1:
            await log.save_snapshot(1, Snapshot(2, b"\x00\xff"))
            await log.claim(3, "n2", 6)
        await log.close()
    await catalogue.close()


@cache
def rooms() -> dict[str, list[Entry]]:
    return {"aa01": played(5), "ab02": played(30), "ba03": played(2, closed=True), "cc04": []}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    now(fill(SqliteStore(folder), rooms()))
    return folder


async def copies(url: str) -> list[RoomCopy]:
    store = open_rooms(url)
    try:
        return [await store.copy_out(row) for row in await store.rows()]
    finally:
        await store.close()


async def sql(url: str, *statements: str) -> None:
    where = Where.parse(url)
    db = await asyncpg.connect(where.dsn, server_settings={"search_path": where.schema})
    for statement in statements:
        await db.execute(statement)
    await db.close()


# ---------------------------------------------------------------- moving


@pytest.mark.parametrize("name", ["rooms.jsonl", "rooms.jsonl.gz"])
def test_every_room_of_a_folder_is_in_postgresql_exactly_and_comes_back_as_it_was(
    folder: Path, tmp_path: Path, postgres_url: str, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Byte for byte, also those that are closed, quarantined, or never had a log."""
    file, back = tmp_path / name, tmp_path / f"back-{name}"
    entries = sum(map(len, rooms().values()))
    status, said = run(capsys, "store", "export", str(file), "--store", f"sqlite:{folder}")
    assert (status, said["rooms"], said["entries"]) == (0, 4, entries)
    assert file.stat().st_mode & 0o777 == 0o600
    status, said = run(capsys, "store", "import", str(file), "--store", postgres_url)
    assert (status, said) == (
        0,
        {"rooms": 4, "entries": entries, "added": 4, "same": 0, "advanced": 0, "refused": []},
    )
    assert now(copies(postgres_url)) == now(copies(f"sqlite:{folder}"))
    status, _ = run(capsys, "store", "export", str(back), "--store", postgres_url)
    read = gzip.decompress if name.endswith(".gz") else bytes
    there, here = read(file.read_bytes()).splitlines(), read(back.read_bytes()).splitlines()
    assert there[1:] == here[1:]
    other = tmp_path / "other"
    assert run(capsys, "store", "import", str(back), "--store", f"sqlite:{other}")[0] == 0
    assert now(copies(f"sqlite:{other}")) == now(copies(f"sqlite:{folder}"))


def test_rooms_go_on_in_postgresql_where_they_stopped(
    folder: Path, tmp_path: Path, postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The next owner claims a higher epoch and writes the next entry; the last one is fenced here too."""
    file = str(tmp_path / "rooms")
    run(capsys, "store", "export", file, "--store", f"sqlite:{folder}")
    run(capsys, "store", "import", file, "--store", postgres_url)

    async def go_on() -> None:
        store = PostgresStore(postgres_url)
        log = await store.room("ab02")
        entries = await log.read()
        assert entries == rooms()["ab02"]
        with pytest.raises(Conflict):
            await log.claim(3, "n3", 0)
        assert await log.claim(4, "n3", 0) == len(entries)
        following = _replace(entries[-1], seq=len(entries) + 1, epoch=4)
        with pytest.raises(Conflict):
            await log.append(3, len(entries) + 1, [following])
        await log.append(4, len(entries) + 1, [following])
        await store.close()

    now(go_on())


def test_an_import_that_was_broken_off_is_done_again_and_takes_in_the_rest(
    folder: Path, tmp_path: Path, postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file, torn = tmp_path / "rooms", tmp_path / "torn"
    run(capsys, "store", "export", str(file), "--store", f"sqlite:{folder}")
    torn.write_bytes(b"\n".join(file.read_bytes().split(b"\n")[:3]) + b"\n")
    status, said = run(capsys, "store", "import", str(torn), "--store", postgres_url)
    assert (status, said["error"]["code"]) == (1, "bad_file")
    assert "cut off after 2 of 4" in said["error"]["message"]
    status, said = run(capsys, "store", "import", str(file), "--store", postgres_url)
    assert (status, said["added"], said["same"]) == (0, 2, 2)
    status, said = run(capsys, "store", "import", str(file), "--store", postgres_url)
    assert (status, said["added"], said["same"]) == (0, 0, 4)
    assert now(copies(postgres_url)) == now(copies(f"sqlite:{folder}"))


def test_a_room_that_is_broken_off_in_the_middle_is_not_there_at_all(
    folder: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = now(copies(f"sqlite:{folder}"))[0]

    async def dies(db: Any, copy: RoomCopy) -> None:
        await put(db, _replace(copy, snapshot=None))
        raise ConnectionResetError("the operator's laptop sleeps")

    from cluster.stores import postgres_upkeep

    put = postgres_upkeep._put
    monkeypatch.setattr(postgres_upkeep, "_put", dies)

    async def take() -> None:
        store = open_rooms(postgres_url)
        with pytest.raises(ConnectionResetError):
            await store.copy_in(room)
        await store.close()

    now(take())
    assert now(copies(postgres_url)) == []


@pytest.mark.parametrize("target", ["postgres", "sqlite"])
def test_a_later_state_replaces_an_earlier_one_and_never_the_other_way_round(
    folder: Path, tmp_path: Path, postgres_url: str, target: str
) -> None:
    """A first copy may be made while hanpan plays; the second brings the rest. An old file undoes nothing."""
    url = postgres_url if target == "postgres" else f"sqlite:{tmp_path}/other"
    early, other = now(copies(f"sqlite:{folder}"))[:2]
    later = _replace(early, row=_replace(early.row, parked=False), entries=[*early.entries, early.entries[-1]])
    another = _replace(early, entries=[*early.entries[:-1], other.entries[-1]])

    async def take() -> list[Any]:
        store = open_rooms(url)
        try:
            came = [await store.copy_in(copy) for copy in (early, early, later, later)]
            for wrong in (early, another, _replace(other, row=_replace(other.row, code=early.row.code))):
                with pytest.raises(Conflict):
                    await store.copy_in(wrong)
            assert await store.copy_out(later.row) == later
            return came
        finally:
            await store.close()

    assert now(take()) == ["added", "same", "advanced", "same"]
    assert now(copies(url)) == [later]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda text: text.replace(b"anna/aa01", b"anna/aa02"), "not what was written"),
        (lambda text: text[:-10], "the last line"),
        (lambda text: text.replace(b'"version":1', b'"version":9'), "version 9"),
        (lambda text: b"", "the first line"),
        (lambda text: b"PK\x03\x04" + text, "the first line"),
        (lambda text: b"\n".join([*text.split(b"\n")[:2], *text.split(b"\n")[3:]]), "it should hold"),
    ],
)
def test_a_file_that_was_changed_is_refused(
    folder: Path, tmp_path: Path, postgres_url: str, capsys: pytest.CaptureFixture[str], spoil: Any, why: str
) -> None:
    file = tmp_path / "rooms"
    run(capsys, "store", "export", str(file), "--store", f"sqlite:{folder}")
    file.write_bytes(spoil(file.read_bytes()))
    status, said = run(capsys, "store", "import", str(file), "--store", postgres_url)
    assert (status, said["error"]["code"]) == (1, "bad_file")
    assert why in said["error"]["message"]


def test_a_room_that_cannot_be_is_not_taken_in_and_the_others_are(
    folder: Path, tmp_path: Path, postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An entry is missing in one room's file."""
    log = SqliteStore(folder).path("aa01")
    import sqlite3

    with sqlite3.connect(log) as db:
        db.execute("DELETE FROM entries WHERE seq = 3")
    file = str(tmp_path / "rooms")
    run(capsys, "store", "export", file, "--store", f"sqlite:{folder}")
    status, said = run(capsys, "store", "import", file, "--store", postgres_url)
    assert (status, said["rooms"], said["refused"]) == (1, 3, ["room aa01: entry 4 stands in place 3"])


# ---------------------------------------------------------------- while hanpan plays


def test_nothing_is_moved_while_a_hanpan_plays(
    folder: Path, tmp_path: Path, postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """On either side; a backup may be taken all the same."""
    from cluster.stores.sqlite_upkeep import only_one

    file = tmp_path / "rooms"
    with only_one(folder):
        status, said = run(capsys, "store", "export", str(file), "--store", f"sqlite:{folder}")
        assert (status, said["error"]["code"]) == (3, "in_use")
        assert not file.exists()
        assert run(capsys, "store", "export", str(file), "--live", "--store", f"sqlite:{folder}")[0] == 0

    async def meanwhile() -> None:
        playing = PostgresStore(postgres_url, present=True)
        await playing.catalogue()
        for words in (["export", str(tmp_path / "back")], ["import", str(file)]):
            status, said = await asyncio.to_thread(run, capsys, "store", *words, "--store", postgres_url)
            assert (status, said["error"]["code"]) == (3, "in_use")
        status, _ = await asyncio.to_thread(
            run, capsys, "store", "export", str(tmp_path / "back"), "--live", "--store", postgres_url
        )
        assert status == 0
        await playing.close()

    now(meanwhile())


# ---------------------------------------------------------------- looking


def test_migrate_says_what_it_did(postgres_server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"{postgres_server.url}?schema=fresh_for_migrate"
    status, said = run(capsys, "store", "migrate", "--store", url)
    assert (status, [one["version"] for one in said["applied"]]) == (0, [1])
    assert run(capsys, "store", "migrate", "--store", url) == (0, {"version": 1, "applied": []})
    assert cli.main(["store", "migrate", "--store", url]) == 0
    out = capsys.readouterr().out
    assert "version 1, as it was" in out
    assert postgres_server.password not in out


def test_check_finds_what_is_wrong_in_a_database(
    folder: Path, tmp_path: Path, postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The tests' own server does without fsync, and is told so."""
    lazy = ["fsync is off: a crash of the machine can lose anything, or everything"]
    file = str(tmp_path / "rooms")
    run(capsys, "store", "export", file, "--store", f"sqlite:{folder}")
    run(capsys, "store", "import", file, "--store", postgres_url)
    status, said = run(capsys, "store", "check", "--store", postgres_url)
    assert (status, said["findings"]) == (1, lazy)
    assert (said["facts"]["schema"], said["facts"]["rooms"], said["facts"]["open"]) == (1, 4, 3)
    now(
        sql(
            postgres_url,
            "UPDATE entries SET entry = replace(entry, '\"seq\":2', '\"seq\":7') WHERE room = 'aa01' AND seq = 2",
            "UPDATE logs SET seq = seq + 1 WHERE room = 'ab02'",
            "UPDATE rooms SET closed = false WHERE id = 'ba03'",
            "INSERT INTO logs (room) VALUES ('orphan')",
        )
    )
    status, said = run(capsys, "store", "check", "--store", postgres_url)
    assert status == 1
    assert sorted(set(said["findings"]) - set(lazy)) == [
        "room aa01: entry 7 stands in place 2",
        f"room ab02: its head says entry {len(rooms()['ab02']) + 1}, its entries end with {len(rooms()['ab02'])}",
        "room ba03: its log is closed, and the catalogue does not say so",
        "room orphan: it has a log, and is not in the catalogue",
    ]


def test_check_finds_what_is_wrong_in_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = run(capsys, "store", "check", "--store", f"sqlite:{folder}")
    assert (status, said["findings"]) == (0, [])
    broken = SqliteStore(folder).path("aa01")
    broken.write_bytes(b"not a database" * 500)
    now(open_store(f"sqlite:{folder}").room("zz99", create=True))
    status, said = run(capsys, "store", "check", "--store", f"sqlite:{folder}")
    assert status == 1
    assert any(finding.startswith("aa01.db: ") for finding in said["findings"])
    assert "room zz99: it has a log, and is not in the catalogue" in said["findings"]
    assert cli.main(["store", "check", "--store", f"sqlite:{folder}"]) == 1
    assert "room zz99" in capsys.readouterr().out


NOWHERE = "postgres://hanpan:geheim@127.0.0.1:1/hanpan"


@pytest.mark.parametrize(
    ("what", "url"),
    [
        ("check", "sqlite:/nowhere/at/all"),
        ("export", "sqlite:/nowhere/at/all"),
        *((what, NOWHERE) for what in ("migrate", "check", "export", "import", "tidy")),
    ],
)
def test_a_store_that_is_not_there_says_so_and_keeps_its_password(
    what: str, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(tmp_path / "file")] if what in ("export", "import") else []
    (tmp_path / "file").write_bytes(b"")
    status = cli.main(["store", what, *words, "--store", url])
    said = capsys.readouterr()
    assert status == 3
    assert "geheim" not in said.out + said.err


def test_called_wrongly_it_says_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "store", "check")[0] == 2
    assert run(capsys, "store", "check", "--store", "mysql:x")[0] == 2
    assert run(capsys, "store", "migrate", "--store", "sqlite:x")[0] == 2


# ---------------------------------------------------------------- tidying


def test_closed_rooms_are_archived_stay_readable_and_are_forgotten_in_the_end(
    folder: Path, tmp_path: Path, postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "rooms")
    run(capsys, "store", "export", file, "--store", f"sqlite:{folder}")
    run(capsys, "store", "import", file, "--store", postgres_url)
    before = now(copies(postgres_url))
    assert run(capsys, "store", "tidy", "--store", postgres_url) == (0, {"archived": 0, "forgotten": 0})
    assert run(capsys, "store", "tidy", "--archive-hours", "0", "--store", postgres_url)[1]["archived"] == 1
    assert now(copies(postgres_url)) == before

    async def the_archived() -> None:
        store = PostgresStore(postgres_url)
        log = await store.room("ba03")
        assert await log.read() == rooms()["ba03"]
        assert await log.read(3) == rooms()["ba03"][3:]
        late = _replace(rooms()["ba03"][-1], seq=len(rooms()["ba03"]) + 1)
        for attempt in (log.append(1, late.seq, [late]), log.claim(9, "n", 0), log.save_snapshot(1, Snapshot(1, b""))):
            with pytest.raises(Conflict):
                await attempt
        again = await store.room("ba03", create=True)
        assert await again.read() == rooms()["ba03"]
        await store.close()

    now(the_archived())
    assert run(capsys, "store", "import", file, "--store", postgres_url)[1]["same"] == 4
    tidied = run(capsys, "store", "tidy", "--keep-days", "0", "--store", postgres_url)[1]
    assert tidied == {"archived": 0, "forgotten": 1}
    assert now(copies(postgres_url)) == [copy for copy in before if copy.row.id != "ba03"]
    _, said = run(capsys, "store", "check", "--store", postgres_url)
    assert [finding for finding in said["findings"] if not finding.startswith("fsync")] == []


def test_a_log_that_moves_while_it_is_put_away_stays_where_it_is(folder: Path, postgres_url: str) -> None:
    """Nobody writes to a closed room; but nothing may be lost if somebody does."""
    from cluster.stores import postgres_upkeep
    from cluster.stores.lines import packed

    async def race() -> None:
        store = open_rooms(postgres_url)
        for copy in await copies(f"sqlite:{folder}"):
            await store.copy_in(copy)
        await store.close()
        writer = PostgresStore(postgres_url)
        entries = rooms()["ba03"]
        log = await writer.room("ba03")
        async with writer._readers.one() as db:
            await log.append(1, len(entries) + 1, [_replace(entries[-1], seq=len(entries) + 1)])
            lines = [codec.encode(entry).decode() for entry in entries]
            assert await db.fetchval(postgres_upkeep._ARCHIVE, "ba03", len(entries), packed(lines)) is None
        assert len(await log.read()) == len(entries) + 1
        await writer.close()

    now(race())


def test_old_closed_rooms_of_a_folder_are_forgotten(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import os

    path = SqliteStore(folder).path("ba03")
    url = f"sqlite:{folder}"
    for file in path.parent.glob("ba03*"):
        os.utime(file, (1, 1))
    assert run(capsys, "store", "tidy", "--store", url) == (0, {"archived": 0, "forgotten": 0})
    assert run(capsys, "store", "tidy", "--keep-days", "1", "--store", url)[1]["forgotten"] == 1
    assert not list(path.parent.glob("ba03*"))
    assert [copy.row.id for copy in now(copies(url))] == ["aa01", "ab02", "cc04"]


def test_verify_reads_any_store(
    folder: Path, tmp_path: Path, postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "rooms")
    run(capsys, "store", "export", file, "--store", f"sqlite:{folder}")
    run(capsys, "store", "import", file, "--store", postgres_url)
    status, said = run(capsys, "verify", "aa01", "ab02", "--store", postgres_url)
    assert (status, [room["ok"] for room in said["rooms"]]) == (0, [True, True])
    now(sql(postgres_url, "UPDATE entries SET entry = replace(entry, 'c', 'd') WHERE room = 'ab02' AND seq = 9"))
    assert run(capsys, "verify", "aa01", "ab02", "--store", postgres_url)[0] == 1
    status, said = run(capsys, "verify", "nobody", "--store", postgres_url)
    assert (status, list(said["unseen"])) == (3, ["nobody"])
