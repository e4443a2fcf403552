"""The golden games: read by people, replayed here to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.golden import CAST, FOLDER, Golden

FILES = sorted(FOLDER.glob("*.txt"))


def test_every_golden_game_has_its_cast() -> None:
    """No file is left over, none is missing."""
    assert [path.stem for path in FILES] == sorted(CAST)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_game(path: Path) -> None:
    """Inputs, events and digests are what they were. A change that is meant: `python -m tests.engines.golden`."""
    text = path.read_text()
    assert Golden.read(text).text() == text
