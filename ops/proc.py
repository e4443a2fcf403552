"""What Linux says about processes: their memory, CPU time, files and threads, from ``/proc``."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec

PROC = Path("/proc")


class Usage(msgspec.Struct, frozen=True):
    """What some processes hold and have used, together."""

    processes: int = 0
    pss_mib: float = 0.0  # each shared page counted once over all that share it, strangers too
    own_mib: float = 0.0  # of that, what no file stands behind: a program's pages are fewer while others run it as well
    cpu_seconds: float = 0.0
    files: int = 0
    threads: int = 0


def tree(pid: int) -> list[int]:
    """The process and all its descendants that are there now."""
    children = [int(child) for task in _tasks(pid) for child in _read(task / "children").split()]
    return [pid, *(below for child in children for below in tree(child))]


def ancestors(pid: int) -> list[int]:
    """The process, its parent, and so on up to the first; none where there is no such process."""
    up = []
    while pid > 0 and (fields := _read(PROC / str(pid) / "stat").rpartition(")")[2].split()):
        up.append(pid)
        pid = int(fields[1])
    return up


def alive(pids: Iterable[int]) -> list[int]:
    """Those that still run; a zombie does not."""
    return [pid for pid in pids if _read(PROC / str(pid) / "stat").rpartition(")")[2].split()[:1] not in ([], ["Z"])]


def usage(pids: Iterable[int]) -> Usage:
    """Of these processes together. One that ends meanwhile counts for nothing."""
    each = [one for pid in pids if (one := of_process(pid)) is not None]
    return Usage(
        processes=len(each),
        pss_mib=sum(one.pss_mib for one in each),
        own_mib=sum(one.own_mib for one in each),
        cpu_seconds=sum(one.cpu_seconds for one in each),
        files=sum(one.files for one in each),
        threads=sum(one.threads for one in each),
    )


def command(pid: int) -> str:
    """Its command line, or the title it has given itself."""
    return _read(PROC / str(pid) / "cmdline").replace("\0", " ").strip()


def of_process(pid: int) -> Usage | None:
    """Of one process; None where there is none."""
    maps = (line.partition(":") for line in _read(PROC / str(pid) / "smaps_rollup").splitlines())
    kib = {name: int(size.split()[0]) for name, _, size in maps if size.endswith("kB")}
    if not kib:
        return None
    return Usage(
        processes=1,
        pss_mib=kib["Pss"] / 1024,
        own_mib=kib["Pss_Anon"] / 1024,
        cpu_seconds=cpu_seconds(pid),
        files=_count(PROC / str(pid) / "fd"),
        threads=len(_tasks(pid)),
    )


def cpu_seconds(pid: int) -> float:
    """CPU time of all its threads, ended ones too, to the nanosecond: an idle room's ticks are too few to count."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # a process's CPU clock: linux/posix-timers.h, CPUCLOCK_SCHED
    except OSError:  # it has just ended
        return 0.0


def _tasks(pid: int) -> list[Path]:
    try:
        return list((PROC / str(pid) / "task").iterdir())
    except OSError:
        return []


def _count(folder: Path) -> int:
    try:
        return len(os.listdir(folder))
    except OSError:
        return 0


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # it has just ended
        return ""
