"""Structured logs: one JSON object a line, through structlog, set up once in each process.

    {"at": "2026-01-31T12:00:00.123Z", "level": "warning", "event": "room_died", "process": "directory",
     "room": "9f86d081884c7d65", "epoch": 3, "action": null, "seq": 41, "why": "…"}

Every line says room, epoch and action, or null where it is about none. ``event`` is a fixed name; what varies stands
in fields. What players may not see may not be logged either: a field whose name says that it is secret, and text that
looks like one, is replaced by ``[redacted]``; under ``strict``, which tests set, it raises `SecretInLog`.

All processes of a node append to one file, and whoever finds it too long turns it over: ``hanpan.log``,
``hanpan.log.1`` … No line is lost or cut by that, whoever else is writing. LOGS.md lists the events.

What the standard library's loggers are told (asyncio's, aiohttp's) comes out as such lines too.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import re
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from structlog.typing import EventDict, WrappedLogger

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40, "critical": 50}
FIRST = ("at", "level", "event", "process", "room", "epoch", "action")  # in every line, in this order
REDACTED = "[redacted]"

# A field is secret when one of the words of its name is one of these: dealSeed, admin_token, hand.
SECRET_WORDS = frozenset(
    """
    authorization cards chance cookie credential deck hand hands hidden invite key keys password rng secret seed
    token tokens view wish
    """.split()  # noqa: SIM905  # as words, it can be read
)
# A seed or secret in hex; a signed token. Both can hide in the text of an exception.
_SECRET_TEXT = re.compile(r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{64}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
DEEPEST = 6
FILE_BYTES = 64 * 1024 * 1024  # where a log file is turned over [HANPAN_LOG_BYTES]
FILES_KEPT = 5  # that were


class SecretInLog(AssertionError):
    """A line was to be logged that holds what nobody may see."""


def configure(
    *,
    process: str,
    level: str = "info",
    file: str | Path = "",
    stream: IO[str] | IO[bytes] | None = None,
    strict: bool | None = None,
) -> None:
    """Sets up this process's logs: into a file, a stream, or stderr. ``strict``: or by HANPAN_LOG_STRICT=1."""
    import structlog

    if level not in LEVELS:
        raise ValueError(f"log level {level!r} is none of {', '.join(LEVELS)}")
    lines = _Lines(LogFile(Path(file)) if file else sys.stderr if stream is None else stream)
    guard = Guard(strict=os.environ.get("HANPAN_LOG_STRICT") == "1" if strict is None else strict)

    def finish(logger: WrappedLogger, method: str, event: EventDict) -> bytes:
        return render({"process": process, **event}, "error" if method == "exception" else method, guard)

    structlog.configure(
        processors=[structlog.processors.format_exc_info, finish],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=lambda *_: _Logger(lines),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(
        handlers=[_Foreign(structlog.get_logger())], level=max(LEVELS[level], logging.WARNING), force=True
    )


def render(event: Mapping[str, Any], level: str, guard: Guard) -> bytes:
    """One line, without its end."""
    now = time.time()
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now))
    line: dict[str, Any] = dict.fromkeys(FIRST)
    line.update({name: guard.clean(name, value) for name, value in event.items()})
    line["at"], line["level"] = f"{stamp}.{int(now * 1000) % 1000:03d}Z", level
    return _encode(line)


class Guard:
    """Keeps secrets out of lines."""

    def __init__(self, *, strict: bool = False) -> None:
        self._strict = strict

    def clean(self, name: str, value: Any, depth: int = 0) -> Any:
        """The value, fit to be logged under this name."""
        if value is None or isinstance(value, bool):
            return value
        if is_secret(name):
            return self._hit(f"the field {name!r}")
        if isinstance(value, int | float):
            return value
        if isinstance(value, str):
            return self._text(name, value)
        if isinstance(value, bytes | bytearray | memoryview):
            return f"<{len(value)} bytes>"
        if depth >= DEEPEST:
            return "…"
        if isinstance(value, msgspec.Struct):
            value = msgspec.structs.asdict(value)
        if isinstance(value, Mapping):
            return {str(key): self.clean(str(key), inner, depth + 1) for key, inner in value.items()}
        if isinstance(value, Sequence | set | frozenset):
            return [self.clean(name, inner, depth + 1) for inner in value]
        return self._text(name, str(value))

    def _text(self, name: str, text: str) -> str:
        if len(text) < 28 or _SECRET_TEXT.search(text) is None:
            return text
        return _SECRET_TEXT.sub(self._hit(f"text in {name!r}"), text)

    def _hit(self, what: str) -> str:
        if self._strict:
            raise SecretInLog(f"{what} looks like a secret")
        return REDACTED


def is_secret(name: str) -> bool:
    """Does a field of this name hold what may not be logged?"""
    return any(word.lower() in SECRET_WORDS for word in _WORDS.findall(name))


_encode = msgspec.json.Encoder(enc_hook=str).encode


class LogFile:
    """A file that several processes append to; it is turned over when it has grown too long.

    Each line is one write to a file that was opened for appending. A process that still holds a file which another has
    just turned over writes into that one, where the line is as safe. Rooms that hang must not keep others from writing:
    the lock is only ever tried.
    """

    def __init__(self, path: Path, limit: int | None = None, kept: int = FILES_KEPT) -> None:
        self.path, self._kept = path, kept
        self._limit = limit or int(os.environ.get("HANPAN_LOG_BYTES", FILE_BYTES))
        self._fd = self._open()
        self._inode = os.fstat(self._fd).st_ino

    def write(self, line: bytes) -> int:
        if self._moved():
            self._reopen()
        written = os.write(self._fd, line)
        if os.fstat(self._fd).st_size >= self._limit:
            self._turn_over()
        return written

    def close(self) -> None:
        os.close(self._fd)

    def _open(self) -> int:
        return os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o640)

    def _moved(self) -> bool:
        try:
            return os.stat(self.path).st_ino != self._inode
        except FileNotFoundError:
            return True

    def _reopen(self) -> None:
        opened = self._open()  # first: where it fails, the old one is still there
        os.close(self._fd)
        self._fd, self._inode = opened, os.fstat(opened).st_ino

    def _turn_over(self) -> None:
        lock = os.open(f"{self.path}.lock", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o640)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return  # another process is at it
        else:
            if not self._moved():
                for number in range(self._kept - 1, 0, -1):
                    with contextlib.suppress(FileNotFoundError):
                        os.rename(f"{self.path}.{number}", f"{self.path}.{number + 1}")
                os.rename(self.path, f"{self.path}.1")
            self._reopen()
        finally:
            os.close(lock)


class _Lines:
    """Writes each line whole, in one write, so that several processes can share a file opened for appending.

    A full disk must not end a game: lines that could not be written are counted, and the next that can says how many.
    """

    def __init__(self, stream: IO[str] | IO[bytes] | LogFile) -> None:
        self._stream = stream  # as long as it is held it stays open
        binary = getattr(stream, "buffer", stream)
        self._file: Any = getattr(binary, "raw", binary)
        self._lost = 0

    def write(self, line: bytes) -> None:
        if self._lost:
            line = _encode({"level": "error", "event": "log_lines_lost", "count": self._lost}) + b"\n" + line
        line += b"\n"
        try:
            written = self._file.write(line)
        except (OSError, ValueError):  # ValueError: the stream was closed, at the process's end
            written = 0
        self._lost = 0 if written == len(line) else self._lost + 1


class _Logger:
    """What structlog calls at the end of its chain."""

    def __init__(self, lines: _Lines) -> None:
        self.debug = self.info = self.warning = self.error = self.critical = self.exception = self.msg = lines.write


class _Foreign(logging.Handler):
    """Passes the standard library's records on to ours."""

    def __init__(self, logger: Any) -> None:
        super().__init__()
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        level = record.levelname.lower()
        tell = getattr(self._logger, level if level in LEVELS else "error")
        tell("foreign", logger=record.name, text=record.getMessage(), exc_info=record.exc_info)
