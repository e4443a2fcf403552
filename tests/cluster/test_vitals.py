"""The node's vital signs are read rightly, in a container too."""

from __future__ import annotations

import mmap
import os
import signal
import subprocess
import sys
from pathlib import Path

from cluster import vitals

MEMINFO = "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    600 kB\n"


def test_cpu_time_is_busy_idle_or_waiting() -> None:
    """Fields of /proc/stat in proc(5): user nice system idle iowait irq softirq steal guest guest_nice."""
    tick = os.sysconf("SC_CLK_TCK")
    ticks = [n * tick for n in (1, 2, 4, 8, 16, 32, 64, 128, 1000, 1000)]
    stat = f"cpu  {' '.join(map(str, ticks))}\ncpu0 1 2 3\n"
    assert vitals.cpu_seconds(stat) == {"busy": 1 + 2 + 4 + 32 + 64 + 128, "idle": 8, "waiting": 16}


def test_memory_is_the_machines_where_no_limit_is_closer(tmp_path: Path) -> None:
    machine = {"total": 1000 * 1024, "available": 600 * 1024}
    assert vitals.memory_bytes(MEMINFO, tmp_path) == machine
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("5\n")
    assert vitals.memory_bytes(MEMINFO, tmp_path) == machine


def test_memory_is_the_containers_where_it_has_a_limit(tmp_path: Path) -> None:
    """What is only cache counts as available: the kernel gives it back."""
    for name, text in {"max": "512000", "current": "400000", "stat": "anon 300000\ninactive_file 50000"}.items():
        (tmp_path / f"memory.{name}").write_text(text + "\n")
    assert vitals.memory_bytes(MEMINFO, tmp_path) == {"total": 512000, "available": 162000}


def test_a_processs_own_memory_grows_with_what_it_takes_and_not_with_what_it_shares() -> None:
    before = vitals.own_memory(os.getpid())
    taken = bytearray(b"x") * (64 * 2**20)
    grown = vitals.own_memory(os.getpid()) - before
    assert 60 * 2**20 < grown < 80 * 2**20
    del taken
    shared = mmap.mmap(-1, 64 * 2**20)
    shared.write(b"x" * len(shared))
    assert vitals.own_memory(os.getpid()) - before < 30 * 2**20
    shared.close()
    assert vitals.own_memory(2**22 + 1) == 0


def test_a_process_that_somebody_has_stopped_is_known() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert not vitals.is_stopped(child.pid)
        child.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOWAIT)
        assert vitals.is_stopped(child.pid)
        child.kill()
    assert not vitals.is_stopped(child.pid)


def test_a_real_reading_is_plausible(tmp_path: Path) -> None:
    gone = 2**22 + 1  # above the kernel's largest pid
    reading = vitals.read({"data": str(tmp_path), "logs": str(tmp_path / "none")}, [os.getpid(), gone])
    assert 0 < reading.memory["available"] <= reading.memory["total"]
    assert set(reading.disks) == {"data"}
    assert 0 < reading.disks["data"]["available"] <= reading.disks["data"]["total"]
    assert reading.process_memory is not None
    assert 5e6 < reading.process_memory < 5e9
    assert reading.cpu["busy"] > 0
    assert vitals.read({}, []).process_memory is None
