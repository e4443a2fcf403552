"""What may be said of an exception: its type and where it was raised, and never its own words.

An engine that fails has a whole state in its hands, and ``KeyError: 'a card that nobody may see'`` would put that
into a log, an operator's page or a refusal. The room's log and the place are enough to see the same failure again.
"""

from __future__ import annotations

import traceback
from pathlib import Path

FRAMES = 8  # the innermost ones


def place_of(bug: BaseException) -> str:
    """``KeyError at engines/bang/rules.py:120 < engines/bang/game.py:71 < …``, the innermost place first."""
    frames = traceback.extract_tb(bug.__traceback__)[-FRAMES:]
    places = " < ".join(f"{_short(frame.filename)}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(bug).__name__} at {places}" if places else type(bug).__name__


def _short(path: str) -> str:
    return "/".join(Path(path).parts[-3:])
