"""The run file: how other commands on this machine find a running ``hanpan up``, and may ask it what operators ask.

It lies where only its owner can look, holds the admin token, and is named after the port. A file or folder that
belongs to somebody else, or that others could read, is refused: it could have been put there for us to find.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from ops import proc


class Untrusted(Exception):
    """A run file, or the folder it is in, is not only ours."""


class Run(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A running hanpan."""

    pid: int
    url: str
    admin_token: str
    data: str
    directory: str  # host:port of the directory


def folder() -> Path:
    """Where run files lie: the user's runtime folder, or one made like it where there is none."""
    given = os.environ.get("XDG_RUNTIME_DIR")
    return Path(given) if given else Path(tempfile.gettempdir()) / f"hanpan-{os.getuid()}"


def path(port: int) -> Path:
    return folder() / f"hanpan-{port}.json"


def write(port: int, fields: Mapping[str, Any]) -> Path:
    """Writes the run file, whole or not at all. Raises `Untrusted`, or `ValueError` where the fields do not fit."""
    run = msgspec.convert(dict(fields), Run)
    place = folder()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    _must_be_ours(place, os.lstat(place), stat.S_ISDIR)
    _sweep(place)
    target = path(port)
    fd, name = tempfile.mkstemp(prefix=f".hanpan-{port}-", dir=place)  # mode 0600
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(msgspec.json.encode(run))
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
    return target


def read(port: int) -> Run | None:
    """The hanpan that runs at this port; None without a run file, or where its process is gone. Raises `Untrusted`."""
    target = path(port)
    try:
        _must_be_ours(target.parent, os.lstat(target.parent), stat.S_ISDIR)
        fd = os.open(target, os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    except OSError as link:
        raise Untrusted(f"{target}: {link.strerror}") from link
    with os.fdopen(fd, "rb") as file:
        _must_be_ours(target, os.fstat(file.fileno()), stat.S_ISREG)
        try:
            run = msgspec.json.decode(file.read(), type=Run)
        except msgspec.MsgspecError as bad:
            raise Untrusted(f"{target}: {bad}") from bad
    return run if proc.alive([run.pid]) else None  # whoever has the port now is not to be told a dead one's token


def remove(port: int) -> None:
    """Our hanpan at this port has ended. Another's run file stays."""
    try:
        run = read(port)
    except Untrusted:
        return
    if run is not None and run.pid == os.getpid():
        path(port).unlink(missing_ok=True)


def _sweep(place: Path) -> None:
    """What was killed could not remove its run file, and that holds a token."""
    for target in place.glob("hanpan-*.json"):
        number = target.stem.removeprefix("hanpan-")
        with contextlib.suppress(Untrusted):  # it is not for us to say
            if number.isdecimal() and read(int(number)) is None:
                target.unlink(missing_ok=True)


def _must_be_ours(place: Path, status: os.stat_result, right_type: Any) -> None:
    if not right_type(status.st_mode):
        raise Untrusted(f"{place} is not what it should be")
    if status.st_uid != os.getuid():
        raise Untrusted(f"{place} belongs to user {status.st_uid}")
    if status.st_mode & 0o077:
        raise Untrusted(f"{place} can be used by others (mode {stat.S_IMODE(status.st_mode):o})")
