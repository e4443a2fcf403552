"""Log lines say what they must, and never what they may not."""

from __future__ import annotations

import gc
import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog

from ops import logs
from ops.logs import REDACTED, Guard, SecretInLog, is_secret

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
    gc.collect()
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
