"""The page of threats names tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

import gateway
from cluster.link import HELLO_LIMIT

PAGE = (Path(gateway.__file__).parent / "THREATS.md").read_text()
TESTS = Path(__file__).parent.parent


def test_every_test_that_the_page_names_is_there():
    there = {name for file in TESTS.rglob("test_*.py") for name in re.findall(r"def (test_\w+)", file.read_text())}
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 30
    assert named <= there


def test_every_attacker_is_met_by_something():
    rows = [line.split("|")[1:-1] for line in PAGE.splitlines() if line.startswith("| ") and "---" not in line][1:]
    for row in rows:
        assert len(row) == 5
        assert all(cell.strip() for cell in row[1:]), row
        assert "test_" in row[4] or "SECURITY.md" in row[4], row


def test_the_figures_on_the_page_are_those_of_the_code():
    assert "4 KiB are kept" in PAGE
    assert HELLO_LIMIT == 4096
