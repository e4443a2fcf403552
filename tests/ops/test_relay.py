"""What many processes append to one file comes out of one, in whole lines, also while it is turned over."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ops import relay
from ops.logs import LogFile
from ops.relay import Relay
from tests.cluster.mini import until


async def test_lines_are_passed_on_whole_and_what_is_left_at_the_end(tmp_path: Path):
    path, out = tmp_path / "lines", bytearray()
    task = asyncio.create_task(Relay(path, out.extend).run())
    await asyncio.sleep(0)
    writer = LogFile(path)
    writer.write(b"one\ntw")
    await until(lambda: bytes(out) == b"one\n")
    writer.write(b"o\n")
    await until(lambda: bytes(out) == b"one\ntwo\n")
    writer.write(b"last\n")
    writer.close()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert bytes(out) == b"one\ntwo\nlast\n"


async def test_a_file_that_is_turned_over_is_followed_and_no_line_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """With the log files that hanpan's processes have, which turn theirs over by themselves."""
    monkeypatch.setattr(relay, "READ_SECONDS", 0.001)
    path, out = tmp_path / "lines", bytearray()
    task = asyncio.create_task(Relay(path, out.extend).run())
    await asyncio.sleep(0)
    writers = [LogFile(path, limit=2_000), LogFile(path, limit=2_000)]
    for number in range(400):
        for name, writer in enumerate(writers):
            writer.write(b"%d of %d\n" % (number, name))
        await asyncio.sleep(0.002)
    await until(lambda: out.count(b"\n") == 800)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert sorted(out.splitlines()) == sorted(b"%d of %d" % (n, name) for n in range(400) for name in (0, 1))
    assert (tmp_path / "lines.1").exists()
    for writer in writers:
        writer.close()
