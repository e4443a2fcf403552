"""What runs for a test, a measurement or a drill is told nothing of the hanpan that the shell speaks of."""

from __future__ import annotations

import os
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ops.bench.running import hanpan as for_a_measurement
from ops.chaos import site
from ops.chaos.nodes import Part
from ops.environment import of_our_own
from tests.e2e.running import Hanpan

SHELL = {"HANPAN_STORE": "postgres://somebody/else", "HANPAN_KEEP_DAYS": "1", "HANPAN_ADMIN_TOKEN": "theirs"}


class Told(Exception):
    """A process was about to be started with this environment."""


async def for_chaos(folder: Path) -> None:
    async with site.single(spares=1):
        pass


async def for_a_benchmark(folder: Path) -> None:
    with ExitStack() as ends:
        ends.enter_context(for_a_measurement(spares=1))


async def for_a_node(folder: Path) -> None:
    Part("n", folder / "log", "join", HANPAN_NAME="n")


async def for_a_test(folder: Path) -> None:
    Hanpan(folder / "data").start()


async def tool_of_a_test(folder: Path) -> None:
    Hanpan(folder / "data").tool("rooms")


@pytest.mark.parametrize("start", [for_chaos, for_a_benchmark, for_a_node, for_a_test, tool_of_a_test])
async def test_nobodys_store_is_broken_or_measured_by_mistake(
    start: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def popen(*_: Any, env: dict[str, str] | None = None, **__: Any) -> None:
        raise Told(dict(os.environ) if env is None else env)

    for name, value in SHELL.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(site, "_mount", lambda *_: False)
    monkeypatch.setattr(subprocess, "Popen", popen)
    with pytest.raises(Told) as told:
        await start(tmp_path)
    (environment,) = told.value.args
    assert environment["PATH"] == os.environ["PATH"]
    assert SHELL.keys() & environment.keys() == set()


def test_what_is_said_is_told_and_guards_watch_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANPAN_LOG_STRICT", "1")
    monkeypatch.setenv("HANPAN_STORE", "theirs")
    environment = of_our_own(HANPAN_STORE="ours", PATH="p")
    assert {name: value for name, value in environment.items() if name.startswith("HANPAN_")} == {
        "HANPAN_STORE": "ours",
        "HANPAN_LOG_STRICT": "1",
    }
    assert environment["PATH"] == "p"


def test_a_whole_storm_breaks_a_hanpan_of_its_own() -> None:
    makefile = (Path(site.__file__).parents[2] / "Makefile").read_text()
    assert "env -u HANPAN_URL $(HANPAN) chaos storm" in makefile
