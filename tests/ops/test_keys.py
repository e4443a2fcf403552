"""The secrets of a `hanpan up`: whole, long enough, for its user alone, and the same from start to start."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from ops.keys import kept
from ops.problem import Problem


def test_a_key_is_made_once_and_is_for_its_user_alone(tmp_path: Path) -> None:
    (key,) = kept(tmp_path / "secret")
    assert len(bytes.fromhex(key)) == 32
    assert kept(tmp_path / "secret") == [key] != kept(tmp_path / "other")
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert sorted(os.listdir(tmp_path)) == ["other", "secret"]


@pytest.mark.parametrize("step", ["fsync", "link"])
def test_a_start_that_is_cut_off_leaves_no_part_of_a_key(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty file would be read as an empty secret at the next start, which anybody knows."""

    def cut(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as power:
        power.setattr(os, step, cut)
        with pytest.raises(KeyboardInterrupt):
            kept(tmp_path / "secret")
    assert not (tmp_path / "secret").exists()
    assert len(kept(tmp_path / "secret")[0]) == 64


def test_what_is_durable_is_the_whole_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    link = os.link

    def linking(name: str, path: Path) -> None:
        seen.append(Path(name).stat().st_size)
        link(name, path)

    monkeypatch.setattr(os, "link", linking)
    kept(tmp_path / "secret")
    assert seen == [64]


@pytest.mark.parametrize("text", ["", " \n", "0a0b", "k" * 31, "k" * 32 + "\nshort"])
def test_a_key_that_can_be_guessed_is_refused_with_its_path_and_not_shown(text: str, tmp_path: Path) -> None:
    (path := tmp_path / "token-key").write_text(text)
    with pytest.raises(Problem, match=str(path)) as no:
        kept(path)
    assert no.value.status == 2
    assert "0a0b" not in str(no.value)
    assert path.read_text() == text


def test_whoever_makes_it_at_the_same_time_gets_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = os.link

    def late(name: str, path: Path) -> None:
        path.write_text("q" * 40)
        link(name, path)

    monkeypatch.setattr(os, "link", late)
    assert kept(tmp_path / "secret") == ["q" * 40]
    assert os.listdir(tmp_path) == ["secret"]
