"""Log lines say what they must, and never what they may not."""

from __future__ import annotations

import ast
import fcntl
import gc
import io
import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog

from ops import logs
from ops.environment import of_our_own
from ops.logs import REDACTED, Guard, LogFile, SecretInLog, is_secret

SEED = "9f" * 32
TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJl"  # nobody's


@pytest.fixture(autouse=True)
def _reset() -> Iterator[None]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    root.handlers[:], root.level = before


def logged(*, strict: bool = False, level: str = "info") -> tuple[Any, Any]:
    """A logger, and what reads back the lines it wrote."""
    stream = io.BytesIO()
    logs.configure(process="p-1", level=level, stream=stream, strict=strict)
    return structlog.get_logger(), lambda: [json.loads(line) for line in stream.getvalue().splitlines()]


def test_every_line_says_room_epoch_and_action() -> None:
    logger, lines = logged()
    logger.info("started")
    logger.bind(room="r1", epoch=3).warning("slow", action="a.1", seconds=0.5)
    first, second = lines()
    assert list(first) == ["at", "level", "event", "process", "room", "epoch", "action"]
    assert (first["process"], first["room"], first["epoch"], first["action"]) == ("p-1", None, None, None)
    assert (second["level"], second["event"], second["seconds"]) == ("warning", "slow", 0.5)
    assert (second["room"], second["epoch"], second["action"]) == ("r1", 3, "a.1")
    assert second["at"].endswith("Z")


def test_lines_below_the_level_are_not_written() -> None:
    logger, lines = logged(level="warning")
    logger.info("quiet")
    logger.error("loud")
    assert [line["event"] for line in lines()] == ["loud"]
    with pytest.raises(ValueError, match="log level"):
        logs.configure(process="p", level="chatty")


def test_an_exception_is_told_with_its_traceback() -> None:
    logger, lines = logged()
    try:
        raise RuntimeError("no luck")
    except RuntimeError as bug:
        logger.exception("failed")
        logger.error("failed", exc_info=bug)
    for line in lines():
        assert line["level"] == "error"
        assert "RuntimeError: no luck" in line["exception"]


@pytest.mark.parametrize(
    "name",
    [
        "seed",
        "dealSeed",
        "admin_token",
        "token",
        "secret",
        "hand",
        "hands",
        "drawDeck",
        "Authorization",
        "rng",
        "TOKEN",
    ],
)
def test_a_field_that_is_named_like_a_secret_is_redacted(name: str) -> None:
    assert is_secret(name)
    logger, lines = logged()
    logger.info("x", **{name: "visible"}, inner={"list": [{name: ["visible"]}]})
    assert "visible" not in json.dumps(lines())
    assert lines()[0][name] == REDACTED


@pytest.mark.parametrize(
    "name", ["room", "why", "handler", "shorthand", "spares", "seq", "seconds", "discarded", "handed"]
)
def test_other_fields_are_not(name: str) -> None:
    assert not is_secret(name)


@pytest.mark.parametrize("secret", [SEED, SEED.upper(), TOKEN])
def test_a_text_that_looks_like_a_secret_is_redacted(secret: str) -> None:
    """Such as the message of an exception that somebody put it into."""
    logger, lines = logged()
    logger.error("x", why=f"cannot use {secret}: sorry")
    try:
        raise ValueError(secret)
    except ValueError:
        logger.exception("y")
    assert secret not in json.dumps(lines())
    assert lines()[0]["why"] == f"cannot use {REDACTED}: sorry"


def test_ids_and_digests_are_no_secrets() -> None:
    logger, lines = logged(strict=True)
    logger.info("x", room="9f86d081884c7d65", digest="ab" * 16, action="b7f3a1c2.17")
    assert lines()[0]["digest"] == "ab" * 16


def test_tests_hear_of_a_secret_at_once() -> None:
    logger, _ = logged(strict=True)
    with pytest.raises(SecretInLog, match="seed"):
        logger.info("x", seed="visible")
    with pytest.raises(SecretInLog):
        logger.info("x", why=SEED)


class Thing(msgspec.Struct):
    name: str
    seed: str


def test_records_bytes_and_strange_things_can_be_logged() -> None:
    guard = Guard()
    assert guard.clean("x", Thing("a", "visible")) == {"name": "a", "seed": REDACTED}
    assert guard.clean("x", b"\x00" * 32) == "<32 bytes>"
    assert guard.clean(
        "x",
        {
            1: {
                2,
            }
        },
    ) == {"1": [2]}
    assert guard.clean("x", OSError("gone")) == "gone"
    deep: Any = "bottom"
    for _ in range(50):
        deep = [deep]
    assert "bottom" not in json.dumps(guard.clean("x", deep))


def test_other_libraries_lines_come_out_the_same() -> None:
    _, lines = logged()
    logging.getLogger("asyncio").error("Task exception was never %s", "retrieved")
    (line,) = lines()
    assert (line["level"], line["event"], line["logger"]) == ("error", "foreign", "asyncio")
    assert line["text"] == "Task exception was never retrieved"


def test_a_file_that_nobody_else_holds_stays_open(tmp_path: Path) -> None:
    def start() -> None:
        logs.configure(process="p", stream=open(tmp_path / "log", "a", buffering=1, encoding="utf-8"))  # noqa: SIM115

    start()
    gc.collect(1)  # what is this young; of all that the tests before have left it would take seconds
    structlog.get_logger().info("still")
    assert json.loads((tmp_path / "log").read_text())["event"] == "still"


class FullDisk(io.RawIOBase):
    """Takes nothing, until there is room."""

    def __init__(self) -> None:
        self.full = True
        self.taken = b""

    def write(self, data: Any) -> int:
        if self.full:
            raise OSError(28, "No space left on device")
        self.taken += bytes(data)
        return len(data)


def test_a_full_disk_ends_nothing_and_is_told_of_later() -> None:
    disk = FullDisk()
    logs.configure(process="p", stream=disk)  # type: ignore[arg-type]
    logger = structlog.get_logger()
    for _ in range(3):
        logger.info("lost")
    disk.full = False
    logger.info("kept")
    told, kept = [json.loads(line) for line in disk.taken.splitlines()]
    assert (told["event"], told["count"]) == ("log_lines_lost", 3)
    assert kept["event"] == "kept"


# ---------------------------------------------------------------- files that are turned over


def numbers(folder: Path) -> list[int]:
    """Of all lines in all files, oldest file first; a line that is cut does not decode."""
    files = sorted(
        (file for file in folder.glob("log*") if file.suffix != ".lock"), key=lambda file: file.stat().st_mtime_ns
    )
    return [json.loads(line)["number"] for file in files for line in file.read_text().splitlines()]


def test_a_file_that_is_too_long_is_turned_over_and_so_many_are_kept(tmp_path: Path) -> None:
    file = LogFile(tmp_path / "log", limit=100, kept=2)
    for number in range(1000):
        file.write(b'{"number":%d}\n' % number)
    file.close()
    assert {path.name for path in tmp_path.iterdir()} == {"log", "log.1", "log.2", "log.lock"}
    assert all((tmp_path / name).stat().st_size <= 100 + 20 for name in ("log", "log.1", "log.2"))
    assert numbers(tmp_path) == list(range(1000 - len(numbers(tmp_path)), 1000))


def test_of_several_processes_no_line_is_lost_or_cut_while_they_turn_it_over(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from ops.logs import LogFile
first, file = int(sys.argv[1]), LogFile(Path(sys.argv[2]), limit=2000, kept=50)
for number in range(first, first + 500):
    file.write(b'{"number":%d}\\n' % number)
"""
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(first), str(tmp_path / "log")]) for first in (0, 500, 1000)
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    assert sorted(numbers(tmp_path)) == list(range(1500))
    assert len(list(tmp_path.iterdir())) > 3


def test_a_file_that_somebody_else_moved_is_made_anew(tmp_path: Path) -> None:
    """An operator's own logrotate may do so, too."""
    file = LogFile(tmp_path / "log")
    file.write(b"1")
    (tmp_path / "log").rename(tmp_path / "old")
    file.write(b"2")
    file.close()
    assert ((tmp_path / "old").read_text(), (tmp_path / "log").read_text()) == ("1", "2")


def test_who_hangs_while_it_turns_a_file_over_keeps_nobody_from_writing(tmp_path: Path) -> None:
    with open(tmp_path / "log.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        file = LogFile(tmp_path / "log", limit=1)
        file.write(b"1")
        file.write(b"2")
        assert (tmp_path / "log").read_text() == "12"
    file.write(b"3")
    file.close()
    assert (tmp_path / "log.1").read_text() == "123"


# ---------------------------------------------------------------- the list of events


def test_the_page_lists_every_event_with_its_fields_and_no_others() -> None:
    """LOGS.md beside the calls, as they stand in the source."""
    root = Path(logs.__file__).parent.parent
    called: dict[str, tuple[set[str], set[str]]] = {}
    for part in ("cluster", "gateway", "ops"):
        for source in (root / part).rglob("*.py"):
            for event, level, fields in log_calls(ast.parse(source.read_text())):
                levels, known = called.setdefault(event, (set(), set()))
                levels.add(level)
                known |= fields
    assert {event: (levels, fields) for event, levels, fields in listed()} == called


def listed() -> Iterator[tuple[str, set[str], set[str]]]:
    """Event, levels and fields of each row of LOGS.md."""
    page = Path(logs.__file__).parent / "LOGS.md"
    for line in page.read_text().partition("## Events")[2].splitlines():
        if row := re.match(r"\| `(\w+)` \| ([\w, ]+) \| ([^|]*) \|", line):
            yield row[1], set(row[2].split(", ")), set(re.findall(r"`(\w+)`", row[3]))


EVERYWHERE = {"at", "level", "event", "process", "room", "epoch", "action", "node"}  # node: where it is bound


def test_runbooks_ask_for_events_and_fields_that_there_are() -> None:
    fields = {event: known for event, _, known in listed()}
    asked = 0
    for page in (Path(logs.__file__).parent / "alerts" / "runbooks").glob("*.md"):
        for chosen, shown in re.findall(r"select\((\.[^)]+)\)(?: \| \{([^}]*)\})?", page.read_text()):
            events = re.findall(r'\.event == "(\w+)"', chosen)
            assert set(events) <= fields.keys(), page.name
            known = EVERYWHERE.union(*(fields[event] for event in events))
            asked_for = {*re.findall(r"\.(\w+) ==", chosen), *re.findall(r"\w+", shown)}
            assert asked_for <= known, page.name
            asked += 1
    assert asked > 10


def log_calls(tree: ast.AST) -> Iterator[tuple[str, str, set[str]]]:
    """Event, level and fields of each call of a structlog logger."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Name(id=("log" | "logger")) | ast.Attribute(attr=("log" | "_log" | "logger")), attr=level
                ),
                args=[ast.Constant() | ast.IfExp() as named],
            ) if level in (*logs.LEVELS, "exception"):
                fields = {keyword.arg for keyword in node.keywords if keyword.arg is not None}
                names = [one.value for one in ast.walk(named) if isinstance(one, ast.Constant)]
                for event in names:
                    yield (
                        str(event),
                        "error" if level == "exception" else level,
                        fields - {"exc_info", "room", "epoch", "action"},
                    )


CHILD = """
import sys, structlog
from ops import logs
logs.configure(process="p")
structlog.get_logger().error("found", why=sys.argv[1])
"""


@pytest.mark.parametrize("env", [None, of_our_own()])
def test_whatever_tests_start_ends_where_it_would_log_a_secret(env: dict[str, str] | None) -> None:
    """Redacted, the bug would not show."""
    done = subprocess.run([sys.executable, "-c", CHILD, SEED], capture_output=True, text=True, env=env, check=False)
    assert done.returncode != 0
    assert "SecretInLog" in done.stderr
