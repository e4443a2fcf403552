"""Of Ray's log files, those of the dead go; what the living write, and what is still to be read, stays."""

from __future__ import annotations

import os
from pathlib import Path

from cluster.ray_logs import YOUNG_SECONDS, Swept, lives, sweep

NOW = 1_000_000.0
ID = "ab" * 28


def write(folder: Path, name: str, text: str = "x", age: float = 2 * YOUNG_SECONDS) -> None:
    (folder / name).write_text(text)
    os.utime(folder / name, (NOW - age, NOW - age))


def of_a_process(folder: Path, pid: int, core: str = "what Ray said", age: float = 2 * YOUNG_SECONDS) -> list[str]:
    names = [f"worker-{ID}-01000000-{pid}.out", f"worker-{ID}-01000000-{pid}.err", f"python-core-worker-{ID}_{pid}.log"]
    for name, text in zip(names, ("", "", core), strict=True):
        write(folder, name, text, age)
    return names


def left(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def test_empty_files_of_the_dead_go_and_their_last_words_stay(tmp_path: Path) -> None:
    names = of_a_process(tmp_path, 7)
    assert sweep(tmp_path, lambda pid: False, NOW) == Swept(removed=2, files=1, bytes=len("what Ray said"))
    assert left(tmp_path) == {names[2]}


def test_the_living_the_young_and_everything_else_are_left_alone(tmp_path: Path) -> None:
    kept = of_a_process(tmp_path, 7) + of_a_process(tmp_path, 8, age=YOUNG_SECONDS / 2)
    for name in ("raylet.out", "gcs_server.out", "hanpan.log", "worker-without-a-pid.out", "monitor.log"):
        write(tmp_path, name, "")
        kept.append(name)
    (tmp_path / "events").mkdir()
    assert sweep(tmp_path, lambda pid: pid == 7, NOW).removed == 0
    assert left(tmp_path) == {*kept, "events"}


def test_of_many_dead_the_newest_stay_within_both_bounds(tmp_path: Path) -> None:
    for number in range(10):
        write(tmp_path, f"python-core-worker-{ID}_{number}.log", "x" * 100, age=YOUNG_SECONDS + 10 + number)
    assert sweep(tmp_path, lambda pid: False, NOW, keep_files=6).files == 6
    assert sweep(tmp_path, lambda pid: False, NOW, keep_bytes=350) == Swept(removed=3, files=3, bytes=300)
    assert left(tmp_path) == {f"python-core-worker-{ID}_{number}.log" for number in range(3)}


def test_rotated_parts_count_as_the_processs(tmp_path: Path) -> None:
    write(tmp_path, f"worker-{ID}-01000000-7.out.1", "")
    assert sweep(tmp_path, lambda pid: False, NOW).removed == 1


def test_who_lives() -> None:
    assert lives(os.getpid())
    assert not lives(2**22 + 1)
