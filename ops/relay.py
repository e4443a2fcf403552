"""Log lines of many processes, from the one file that they append to, onto a standard error that only one of them has.

Room processes must not wait for whoever reads a container's output, and may not even open it: so they write a file, and
this passes on what is there. Writers turn the file over when it has grown (`ops.logs.LogFile`); what one of them still
writes into the old one is read as long as that can be.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from pathlib import Path

READ_SECONDS = 0.2
READ_BYTES = 1 << 20  # at once
OLD_SECONDS = (
    10.0  # a file that was turned over is read for so long; a writer looks at each line which one is to be used
)


class Relay:
    """Passes lines on until it is cancelled, and then what is left."""

    def __init__(self, path: Path, write: Callable[[bytes], object]) -> None:
        self.path, self._write = path, write
        self._files = [os.open(path, os.O_RDONLY | os.O_CREAT, 0o600)]
        self._rest: dict[int, bytes] = {}

    async def run(self) -> None:
        try:
            while True:
                if not await asyncio.to_thread(self._pass_on):
                    await asyncio.sleep(READ_SECONDS)
                self._follow()
        finally:
            while self._pass_on():
                pass
            for file in self._files:
                os.close(file)

    def _pass_on(self) -> bool:
        """Whole lines only, so that those of two files never mix; whether there were any."""
        some = False
        for file in self._files:
            if data := os.read(file, READ_BYTES):
                lines, newline, rest = (self._rest.get(file, b"") + data).rpartition(b"\n")
                self._rest[file] = rest
                self._write(lines + newline)
                some = True
        return some

    def _follow(self) -> None:
        """Takes up the file that has come in the place of the last one."""
        with contextlib.suppress(FileNotFoundError):  # whoever turned it over is about to make the next
            old = self._files[-1]
            if os.stat(self.path).st_ino != os.fstat(old).st_ino:
                self._files.append(os.open(self.path, os.O_RDONLY))
                asyncio.get_running_loop().call_later(OLD_SECONDS, self._forget, old)

    def _forget(self, file: int) -> None:
        """A read may be under way, in another thread: it ends with this file's number still ours."""
        if file in self._files:
            self._files = [each for each in self._files if each != file]
            self._rest.pop(file, None)
            asyncio.get_running_loop().call_later(1.0, os.close, file)
