"""Live progress on stderr: one line that changes on a terminal, now and then a line where it is kept."""

from __future__ import annotations

import sys
import time
from types import TracebackType

KEPT_SECONDS = 10.0  # between lines where stderr is no terminal


class Progress:
    """Says how far things are. Used as a context manager, so that the terminal's line is ended."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._said = False
        self._next = 0.0

    def say(self, text: str) -> None:
        if self._live:
            print(f"\r\x1b[2K{text}", end="", file=sys.stderr, flush=True)
            self._said = True
        elif time.monotonic() >= self._next:
            print(text, file=sys.stderr, flush=True)
            self._next = time.monotonic() + KEPT_SECONDS

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._said:
            print(file=sys.stderr)
