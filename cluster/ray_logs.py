"""Clean-up of Ray's log folder: each process that Ray starts leaves about three files there, for ever.

    worker-<id>-<job>-<pid>.out, .err     what it printed; hanpan's processes print nothing
    python-core-worker-<id>_<pid>.log     what Ray's part of it had to say

What a living process writes is left alone. Of the dead, empty files go, and of the others the newest stay: so many
files, so many bytes. They are what Ray has to say about a process that was lost.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import msgspec

KEEP_FILES = 200
KEEP_BYTES = 32 * 1024 * 1024
YOUNG_SECONDS = 60.0  # a process that is just being started may not be seen yet, and its files are

_OF_A_PROCESS = re.compile(r"(?:worker-.*-(\d+)\.(?:out|err)|python-core-(?:worker|driver)-.*_(\d+)\.log)(?:\.\d+)?")


class Swept(msgspec.Struct, frozen=True):
    """What a clean-up removed, and what the folder holds now."""

    removed: int
    files: int
    bytes: int


def sweep(
    folder: Path,
    lives: Callable[[int], bool],
    now: float,
    *,
    keep_files: int = KEEP_FILES,
    keep_bytes: int = KEEP_BYTES,
) -> Swept:
    """Removes what the dead have left and nobody will read. Blocks; a file that goes meanwhile is no error."""
    files = total = removed = 0
    dead: list[tuple[float, int, str]] = []
    for entry in os.scandir(folder):
        try:
            stat = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            continue
        if not entry.is_file(follow_symlinks=False):
            continue
        files, total = files + 1, total + stat.st_size
        named = _OF_A_PROCESS.fullmatch(entry.name)
        if named is not None and now - stat.st_mtime > YOUNG_SECONDS and not lives(int(named[1] or named[2])):
            dead.append((stat.st_mtime, stat.st_size, entry.path))
    kept_files = kept_bytes = 0
    for _, size, path in sorted(dead, reverse=True):
        if size and kept_files < keep_files and kept_bytes + size <= keep_bytes:
            kept_files, kept_bytes = kept_files + 1, kept_bytes + size
            continue
        Path(path).unlink(missing_ok=True)
        files, total, removed = files - 1, total - size, removed + 1
    return Swept(removed, files, total)


def lives(pid: int) -> bool:
    """Is there a process of this number?"""
    return os.path.exists(f"/proc/{pid}")
