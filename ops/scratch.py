"""A folder for a node's sockets and Ray's files, as short-lived as the process that asks for it, and nobody else's."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

PREFIX = "hanpan-"  # short: a socket's path has 107 bytes
LOCK = "lock"  # in each folder; held by the process that the folder is for


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """One that is gone after the block. Those whose processes were killed, and could not do so, go now.

    Nobody else may enter it (mode 0700): Ray opens its own folder to everybody (0777), so that must be one inside.
    """
    _sweep(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        with open(making := folder / f"{LOCK}.new", "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            making.rename(folder / LOCK)  # nobody ever sees it there and free
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(place: Path) -> None:
    for path in place.glob(f"{PREFIX}*/{LOCK}"):  # one that has none yet is being made; or is none of these
        with contextlib.suppress(OSError):  # held, or somebody else's, or gone
            fd = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
            try:
                folder = os.lstat(path.parent)
                if stat.S_ISDIR(folder.st_mode) and folder.st_uid == os.getuid():
                    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path.parent, ignore_errors=True)
            finally:
                os.close(fd)
