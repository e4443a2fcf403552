"""The node's vital signs are read rightly, in a container too."""

from __future__ import annotations

import os
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
