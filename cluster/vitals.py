"""How a node is: its cores, its memory, its disks, and what its room processes hold. Read from /proc and /sys.

In a container the memory is what the container may have, by the control group's limit.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

SAMPLE = 4  # processes whose memory is read at a time: each costs about a millisecond

_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_CGROUP = Path("/sys/fs/cgroup")


class Vitals(msgspec.Struct, frozen=True, kw_only=True):
    """One reading."""

    cpu: Mapping[str, float]  # seconds since the machine's start: busy, idle, waiting
    memory: Mapping[str, float]  # bytes: total, available
    disks: Mapping[str, Mapping[str, float]]  # by folder; bytes: total, available
    process_memory: float | None  # bytes, the mean of a sample of room processes; None where there are none


def memory() -> dict[str, float]:
    """Bytes of the node, or of its container: total, available. Some 50 µs, and never blocks."""
    return memory_bytes(Path("/proc/meminfo").read_text(), _CGROUP)


def own_memory(pid: int) -> int:
    """Bytes that a process has for itself alone, by proc(5)'s statm; 0 where it has ended. Some 10 µs."""
    try:
        with open(f"/proc/{pid}/statm") as statm:
            _, resident, shared, *_ = statm.read().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return (int(resident) - int(shared)) * _PAGE


def is_stopped(pid: int) -> bool:
    """Has somebody stopped it (SIGSTOP, a debugger, a freezer)? Then it can do nothing, and that is not its fault."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] in ("T", "t")
    except (FileNotFoundError, ProcessLookupError):
        return False


def read(folders: Mapping[str, str], pids: Sequence[int]) -> Vitals:
    """Takes some milliseconds, and may block on a slow disk: not for an event loop."""
    sample = [size for pid in random.sample(pids, min(SAMPLE, len(pids))) if (size := pss(pid)) is not None]
    return Vitals(
        cpu=cpu_seconds(Path("/proc/stat").read_text()),
        memory=memory(),
        disks={name: disk_bytes(path) for name, path in folders.items() if os.path.exists(path)},
        process_memory=sum(sample) / len(sample) if sample else None,
    )


def cpu_seconds(stat: str) -> dict[str, float]:
    """From /proc/stat: proc(5). Guests are counted in user; time that the host stole is not ours to spend: busy."""
    user, nice, system, idle, waiting, irq, soft, steal = [int(ticks) for ticks in stat.split(maxsplit=9)[1:9]]
    busy = user + nice + system + irq + soft + steal
    return {"busy": busy / _TICK, "idle": idle / _TICK, "waiting": waiting / _TICK}


def memory_bytes(meminfo: str, cgroup: Path) -> dict[str, float]:
    """From /proc/meminfo: proc(5); or, where the control group's limit is the closer one, from that (cgroup v2)."""
    lines = dict(line.split(":", 1) for line in meminfo.splitlines())
    total, available = (float(lines[name].split()[0]) * 1024 for name in ("MemTotal", "MemAvailable"))
    limit, used = _number(cgroup / "memory.max"), _number(cgroup / "memory.current")
    if limit is None or used is None or limit >= total:
        return {"total": total, "available": available}
    stat = dict(line.split() for line in (cgroup / "memory.stat").read_text().splitlines())
    cache = float(stat.get("inactive_file", 0))  # the kernel gives it back when it is needed
    return {"total": limit, "available": max(0.0, min(limit - used + cache, available))}


def _number(file: Path) -> float | None:
    """None where there is no such file, or no limit."""
    try:
        text = file.read_text().strip()
    except OSError:
        return None
    return float(text) if text.isdigit() else None


def disk_bytes(path: str) -> dict[str, float]:
    """Of the disk under this folder; available: to us, without what is kept for root."""
    disk = os.statvfs(path)
    return {"total": disk.f_frsize * disk.f_blocks, "available": disk.f_frsize * disk.f_bavail}


def pss(pid: int) -> float | None:
    """Bytes of a process, with its share of what it shares with others. None where it has ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as rollup:
            return next((float(line.split()[1]) * 1024 for line in rollup if line.startswith("Pss:")), None)
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return None
