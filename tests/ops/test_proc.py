"""What measurements read from /proc."""

from __future__ import annotations

import mmap
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import pytest

from ops import proc


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """A process with a child of its own; both wait, and neither is left."""
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import sys; sys.stdin.read()'])"
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)
    pids = [process.pid]
    try:
        while len(pids) < 2:
            time.sleep(0.01)
            assert process.poll() is None, "it has ended before it had a child"
            pids = proc.tree(process.pid)
        yield process
    finally:
        for pid in proc.alive(pids):
            os.kill(pid, signal.SIGKILL)
        end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Its child reads to the end of the input, and it ends with its child."""
    assert process.stdin is not None
    process.stdin.close()
    process.wait(30)


def test_a_tree_holds_all_descendants(child: subprocess.Popen[bytes]) -> None:
    pids = proc.tree(child.pid)
    assert pids[0] == child.pid
    assert len(pids) == 2
    assert set(pids) <= set(proc.tree(os.getpid()))
    assert proc.alive(pids) == pids
    end(child)
    assert proc.alive(pids) == []


def test_memory_that_another_process_shares_as_well_is_not_its_own() -> None:
    """A measurement must not see growth where somebody else has only ended what runs the same programs."""
    before = proc.of_process(os.getpid())
    assert before is not None
    with tempfile.TemporaryFile() as file:
        file.truncate(64 * 2**20)
        with mmap.mmap(file.fileno(), 0) as mapped:
            mapped[::4096] = b"x" * (64 * 2**20 // 4096)
            taken = bytearray(os.urandom(16)) * 2**20
            after = proc.of_process(os.getpid())
            assert after is not None
            assert after.pss_mib - before.pss_mib > 70
            assert 12 < after.own_mib - before.own_mib < 40
            del taken


def test_usage_adds_up(child: subprocess.Popen[bytes]) -> None:
    pids = proc.tree(child.pid)
    both, first = proc.usage(pids), proc.usage(pids[:1])
    assert (both.processes, first.processes) == (2, 1)
    assert both.pss_mib > first.pss_mib > first.own_mib > 0.5
    assert both.files > first.files > 2
    assert both.threads == 2
    assert first.cpu_seconds > 0
    end(child)
    assert proc.usage(pids) == proc.Usage()
