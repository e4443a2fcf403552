"""Plain tables for terminals."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns as wide as their widest cell; numbers to the right. Hangul takes two places."""
    cells = [list(head), *([_text(cell) for cell in row] for row in rows)]
    widths = [max(width(row[i]) for row in cells) for i in range(len(head))]
    right = [bool(rows) and all(isinstance(row[i], int | float | None) for row in rows) for i in range(len(head))]
    return "\n".join(
        "  ".join(_padded(*cell) for cell in zip(row, widths, right, strict=True)).rstrip() for row in cells
    )


def width(text: str) -> int:
    """How many places a terminal gives the text."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _text(cell: object) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)


def _padded(text: str, wide: int, right: bool) -> str:
    space = " " * (wide - width(text))
    return space + text if right else text + space
