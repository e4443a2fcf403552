"""The run file is for its owner alone, and only believed if it is."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ops import runfile

FIELDS = {"pid": 1, "url": "http://127.0.0.1:9", "adminToken": "t", "data": "/d", "directory": "127.0.0.1:1"}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tmp_path.chmod(0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return tmp_path


def test_what_is_written_can_be_read_by_us_alone() -> None:
    path = runfile.write(9, FIELDS)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    run = runfile.read(9)
    assert run == runfile.Run(pid=1, url="http://127.0.0.1:9", admin_token="t", data="/d", directory="127.0.0.1:1")
    assert os.listdir(path.parent) == [path.name]


def test_a_port_where_nothing_runs_has_none() -> None:
    assert runfile.read(9) is None
    runfile.write(9, {**FIELDS, "pid": os.getpid()})
    runfile.remove(9)
    runfile.remove(9)
    assert runfile.read(9) is None


def test_anothers_run_file_is_not_removed() -> None:
    runfile.write(9, FIELDS)
    runfile.remove(9)
    assert runfile.read(9) is not None


@pytest.fixture
def dead() -> int:
    """The pid of a process that was there a moment ago."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def test_what_a_killed_hanpan_has_left_is_not_believed(dead: int) -> None:
    """It holds a token, which whoever listens at that port now would be told."""
    runfile.write(9, {**FIELDS, "pid": dead})
    assert runfile.read(9) is None


def test_what_killed_ones_have_left_goes_with_the_next_start(dead: int, place: Path) -> None:
    runfile.write(7, FIELDS)
    runfile.write(8, {**FIELDS, "pid": dead})
    runfile.path(6).write_text("{}")
    runfile.path(6).chmod(0o644)
    runfile.write(9, FIELDS)
    assert sorted(os.listdir(place)) == ["hanpan-6.json", "hanpan-7.json", "hanpan-9.json"]


def test_without_a_runtime_folder_one_is_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    (tmp_path / "t").mkdir()
    path = runfile.write(9, FIELDS)
    assert path.parent.name == f"hanpan-{os.getuid()}"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_that_others_can_read_is_refused() -> None:
    runfile.write(9, FIELDS).chmod(0o644)
    with pytest.raises(runfile.Untrusted, match="mode 644"):
        runfile.read(9)


def test_a_folder_that_others_can_use_is_refused(place: Path) -> None:
    runfile.write(9, FIELDS)
    place.chmod(0o777)
    with pytest.raises(runfile.Untrusted):
        runfile.read(9)
    with pytest.raises(runfile.Untrusted):
        runfile.write(9, FIELDS)


def test_what_belongs_to_somebody_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    runfile.write(9, FIELDS)
    me = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: me + 1)
    with pytest.raises(runfile.Untrusted, match="belongs to"):
        runfile.read(9)


def test_a_link_is_not_followed(place: Path) -> None:
    runfile.write(8, FIELDS)
    runfile.path(9).symlink_to(runfile.path(8))
    with pytest.raises(runfile.Untrusted):
        runfile.read(9)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}'])
def test_a_file_that_is_none_of_ours_is_refused(text: str) -> None:
    path = runfile.write(9, FIELDS)
    path.write_text(text)
    with pytest.raises(runfile.Untrusted):
        runfile.read(9)


@pytest.mark.parametrize("wrong", [{}, {**FIELDS, "pid": "one"}])
def test_fields_that_do_not_fit_are_not_written(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"Expected|missing"):
        runfile.write(9, wrong)
    assert runfile.read(9) is None
