"""The catalogue: lazy, and no game can break another."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from engines.catalog import GAMES, GROUP, BrokenGame, Catalog, UnknownGame
from engines.ninety_nine import GAME


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GROUP)


GOOD = point("ninety-nine", "engines.ninety_nine:GAME")
MISSING = point("missing", "no_such_package_anywhere:GAME")
MISNAMED = point("ninety-eight", "engines.ninety_nine:GAME")
NO_GAME = point("no-game", "engines.kernel.codec:digest")


def test_the_installed_games() -> None:
    """Ours are registered like any other's."""
    assert GAMES["ninety-nine"] is GAME
    assert "ninety-nine" in GAMES
    assert GAMES.broken() == {}


def test_unknown() -> None:
    """A `KeyError`, as of any mapping."""
    with pytest.raises(UnknownGame):
        GAMES["no-such-game"]
    assert GAMES.get("no-such-game") is None
    assert "no-such-game" not in GAMES


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("missing", r"'missing' \(no_such_package_anywhere:GAME\) cannot be imported"),
        ("ninety-eight", r"'ninety-eight' .* calls itself 'ninety-nine'"),
        ("no-game", "calls itself None"),
        ("twice", "more than once: a:GAME, b:GAME"),
    ],
)
def test_a_broken_game_is_named_when_it_is_asked_for(game: str, said: str) -> None:
    """And the others are there all the same."""
    catalog = Catalog([GOOD, MISSING, MISNAMED, NO_GAME, point("twice", "a:GAME"), point("twice", "b:GAME")])
    assert len(catalog) == 5
    with pytest.raises(BrokenGame, match=said):
        catalog[game]
    assert catalog["ninety-nine"] is GAME
    assert catalog.working() == [GAME]
    assert catalog.broken().keys() == {"missing", "ninety-eight", "no-game", "twice"}


def test_a_game_imports_no_other_and_little_else() -> None:
    """A room process holds one game: no other's code, and none of the upper layers."""
    program = """
import sys
from engines.catalog import GAMES
assert not any(name.startswith("engines.ninety_nine") for name in sys.modules), "imported before it was asked for"
GAMES["ninety-nine"]
print(*sorted(sys.modules))
"""
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    games = {name.split(".")[1] for name in loaded if name.startswith("engines.")}
    assert games == {"catalog", "kernel", "ninety_nine"}
    unwanted = {"asyncio", "ray", "aiohttp", "cluster", "gateway", "ops", "dataclasses"}
    assert unwanted.isdisjoint(loaded)
