"""A folder of sockets is for its process alone, and outlives it only until the next start."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ops.scratch import LOCK, scratch

CHILD = """
import os, sys
from ops.scratch import scratch
with scratch() as folder:
    os.mkdir(folder / "ray")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


@contextmanager
def child() -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process that has one."""
    process = subprocess.Popen([sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())


def test_it_is_ours_alone_and_gone_afterwards(place: Path) -> None:
    with scratch() as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    with pytest.raises(RuntimeError, match="whatever"), scratch():
        raise RuntimeError("whatever happens")
    assert os.listdir(place) == []


def test_what_a_killed_process_has_left_goes_with_the_next_start_and_what_a_living_one_has_stays() -> None:
    with child() as (dead, left), child() as (_, kept):
        dead.kill()
        dead.wait()
        with scratch() as ours:
            assert not left.exists()
            assert (kept / "ray").exists()
            assert ours.exists()


def test_what_is_none_of_these_stays(place: Path) -> None:
    (place / "hanpan-1000").mkdir()  # run files
    (place / "hanpan-new").mkdir()  # made a moment ago, and not locked yet
    (elsewhere := place / "elsewhere").mkdir()
    (elsewhere / LOCK).touch()
    (place / "hanpan-link").symlink_to(elsewhere)
    with scratch():
        pass
    assert sorted(os.listdir(place)) == ["elsewhere", "hanpan-1000", "hanpan-link", "hanpan-new"]
    assert (elsewhere / LOCK).exists()
