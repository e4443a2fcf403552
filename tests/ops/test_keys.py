"""The secrets of a hanpan: whole, long enough, for its user alone, the same from start to start; or as given."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from ops import cli
from ops.commands import up
from ops.keys import VARIABLES, Keys, kept, keys_of
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


# ---------------------------------------------------------------- from the environment

GIVEN = {"HANPAN_SECRET": "0a" * 20, "HANPAN_TOKEN_KEYS": f"{'n' * 32},{'o' * 32}", "HANPAN_ADMIN_TOKEN": "mine"}


def test_what_the_environment_gives_is_used_and_no_file_is_made_for_it(tmp_path: Path) -> None:
    assert keys_of(tmp_path, GIVEN) == Keys(b"\n" * 20, f"{'n' * 32},{'o' * 32}", "mine")
    assert os.listdir(tmp_path) == []
    made = keys_of(tmp_path, dict.fromkeys(GIVEN, ""))
    assert sorted(os.listdir(tmp_path)) == ["admin-token", "secret", "token-key"]
    assert keys_of(tmp_path, {}) == made


def test_a_key_of_tokens_is_rotated_by_a_line_in_front(tmp_path: Path) -> None:
    old = keys_of(tmp_path, {}).tokens
    (tmp_path / "token-key").write_text(f"{'n' * 32}\n{old}\n")
    assert keys_of(tmp_path, {}).tokens == f"{'n' * 32},{old}"


@pytest.mark.parametrize("text", ["zz" * 32, "0a0b"])
def test_a_secret_of_links_that_is_none_is_refused_and_not_shown(text: str, tmp_path: Path) -> None:
    with pytest.raises(Problem, match="HANPAN_SECRET") as no:
        keys_of(tmp_path, {"HANPAN_SECRET": text})
    assert text not in str(no.value)
    if len(text) > 32:
        (tmp_path / "secret").write_text(text)
        with pytest.raises(Problem, match=str(tmp_path / "secret")):
            keys_of(tmp_path, {})


def test_up_gives_them_to_its_gateway_and_not_to_rays_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cluster import ray_cluster

    for name, value in GIVEN.items():
        monkeypatch.setenv(name, value)
    told: list[dict[str, str]] = []
    inherited: list[dict[str, str]] = []
    gateway_environment = up._Up.gateway_environment

    def telling(self: Any) -> dict[str, str]:
        told.append(gateway_environment(self))
        return told[-1]

    def start_local(*_: Any) -> None:
        inherited.append(dict(os.environ))
        raise Problem("enough", "enough is seen")

    monkeypatch.setattr(up._Up, "gateway_environment", telling)
    monkeypatch.setattr("ops.logs.configure", lambda **_: None)  # the logs of this process are the tests'
    monkeypatch.setattr(ray_cluster, "start_local", start_local)
    assert cli.main(["up", "--port", "0", "--data", str(tmp_path / "data")]) == 3
    assert "enough is seen" in capsys.readouterr().err
    assert {name: told[0][name] for name in GIVEN} == GIVEN
    assert inherited[0].keys() & {*VARIABLES, "HANPAN_STORE"} == set()
