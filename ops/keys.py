"""The secrets of a `hanpan up`, in files of its data folder that it makes at its first start, for its user alone."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from pathlib import Path

from ops.problem import Problem

MADE_BYTES = 32
LEAST = 32  # characters of a key that somebody has put there


def kept(path: Path) -> list[str]:
    """The keys in this file, one a line; the first is in use. One is made, at random, where there is no such file.

    The file is there whole or not at all, also where the machine loses power: half a key would be one that can be
    guessed. Raises `Problem` where it holds none, or one that is too short.
    """
    with contextlib.suppress(FileNotFoundError):
        return _read(path)
    _make(path)
    return _read(path)


def _read(path: Path) -> list[str]:
    keys = path.read_text().split()
    if not keys or any(len(key) < LEAST for key in keys):
        raise Problem("bad_secret", f"{path} must hold keys of {LEAST} characters or more, one a line", 2)
    return keys


def _make(path: Path) -> None:
    fd, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # mode 0600
    try:
        with os.fdopen(fd, "w") as file:
            file.write(secrets.token_hex(MADE_BYTES))
            file.flush()
            os.fsync(fd)
        with contextlib.suppress(FileExistsError):  # another was quicker: its key counts
            os.link(name, path)
    finally:
        os.unlink(name)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
