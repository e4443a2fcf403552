"""Replays logs for operators in a process of its own, which is there only while somebody looks.

The directory must not wait for an engine: the rooms that are looked into are those in which something is wrong, and a
broken engine may loop, or eat the memory. The child reads a wish a line, writes an answer a line, and ends with its
parent, or after a minute in which nobody asked. It is nice to the rooms beside it.

    directory ──Look──▶ python -m cluster.inspector ──Inspection──▶
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Protocol

import msgspec

from cluster.entries import Entry
from cluster.inspection import Inspection, inspect
from cluster.link import Refusal
from cluster.link_io import RequestRefused

ANSWER_SECONDS = 20.0
REST_SECONDS = 60.0
WAITING_MOST = 8  # operators, beside the one whose log is being replayed
ANSWER_BYTES = 64 * 1024 * 1024
NICE = 10
MEMORY_BYTES = 2 * 1024**3  # of addresses, for the child

_encode = msgspec.json.encode


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """What the child is asked: the arguments of `inspect`."""

    entries: list[Entry]
    seq: int | None = None
    first: int | None = None
    limit: int = 50


class Inspects(Protocol):
    """Replays a log, somewhere."""

    async def look(self, wish: Look) -> Inspection:
        """Raises `RequestRefused`: ``busy``, or ``replay_failed`` where it does not come to an end."""
        ...

    async def close(self) -> None: ...


class Inspector:
    """The child's side of the directory. One log at a time; those who wait are few, and told so if they are not."""

    def __init__(self, seconds: float = ANSWER_SECONDS, rest: float = REST_SECONDS) -> None:
        self._seconds, self._rest_seconds = seconds, rest
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._child: Process | None = None
        self._rest: asyncio.TimerHandle | None = None

    async def look(self, wish: Look) -> Inspection:
        if self._waiting > WAITING_MOST:
            raise RequestRefused(Refusal("busy", "too many logs are being replayed; try again soon", retry=True))
        self._waiting += 1
        try:
            async with self._turn:
                return await self._ask(_encode(wish) + b"\n")
        finally:
            self._waiting -= 1

    async def _ask(self, wish: bytes) -> Inspection:
        if self._rest is not None:
            self._rest.cancel()
        try:
            async with asyncio.timeout(self._seconds):
                child = await self._the_child()
                assert child.stdin is not None
                assert child.stdout is not None
                child.stdin.write(wish)
                await child.stdin.drain()
                answer = await child.stdout.readline()
                if not answer.endswith(b"\n"):
                    raise ConnectionError("it ended")
        except TimeoutError as late:
            await self._end()
            why = f"the replay did not end within {self._seconds:.0f} s"
            raise RequestRefused(Refusal("replay_failed", why)) from late
        except (OSError, ValueError) as broken:  # it died, or its answer is longer than any should be
            await self._end()
            raise RequestRefused(Refusal("replay_failed", f"the replay broke off: {broken}")) from broken
        except BaseException:  # whoever asked has gone: an answer that comes now would be the next one's
            await self._end()
            raise
        self._rest = asyncio.get_running_loop().call_later(self._rest_seconds, self._let_rest)
        return msgspec.json.decode(answer, type=Inspection)

    async def _the_child(self) -> Process:
        if self._child is None or self._child.returncode is not None:
            ours = {name: value for name, value in os.environ.items() if not name.startswith("HANPAN_")}
            root = str(Path(__file__).parents[1])
            ours["PYTHONPATH"] = os.pathsep.join(filter(None, [root, ours.get("PYTHONPATH", "")]))
            self._child = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "cluster.inspector", stdin=PIPE, stdout=PIPE, env=ours, limit=ANSWER_BYTES
            )
        return self._child

    def _let_rest(self) -> None:
        """It ends by itself where there is nothing more to read."""
        if self._child is not None and self._child.stdin is not None:
            self._child.stdin.close()
        self._child = None

    async def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None and child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()

    async def close(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
        await self._end()


def main() -> None:
    """The child: until there is nothing more to read."""
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # a game that prints must not be taken for an answer
    for line in sys.stdin.buffer:
        wish = msgspec.json.decode(line, type=Look)
        answer = inspect(wish.entries, seq=wish.seq, first=wish.first, limit=wish.limit)
        answers.write(_encode(answer) + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
