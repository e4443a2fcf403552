"""The games that are installed: ``GAMES["ninety-nine"]``.

A game is a package that names itself under the entry-point group ``hanpan.games``; nothing else here knows one game
from another. A game is imported when it is first asked for, so a process that plays one game holds one game, and a
game that cannot be imported says so to whoever asks for it and troubles nobody else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from engines.kernel.contract import Game

GROUP = "hanpan.games"


class UnknownGame(KeyError):
    """No game of this id is installed."""


class BrokenGame(Exception):
    """A game is registered but cannot be used. The message names it, and its package."""


class Catalog(Mapping[str, Game[Any]]):
    """Games by id, each imported at most once."""

    def __init__(self, registered: list[EntryPoint] | None = None) -> None:
        self._registered = registered
        self._by_id: dict[str, list[EntryPoint]] | None = None
        self._games: dict[str, Game[Any]] = {}

    def __getitem__(self, game: str) -> Game[Any]:
        """Raises `UnknownGame` or `BrokenGame`."""
        if game not in self._games:
            self._games[game] = self._load(game)
        return self._games[game]

    def __iter__(self) -> Iterator[str]:
        return iter(self._points())

    def __len__(self) -> int:
        return len(self._points())

    def __contains__(self, game: object) -> bool:
        """Whether it is registered: to know whether it works, ask for it."""
        return game in self._points()

    def working(self) -> list[Game[Any]]:
        """Every game that can be played, by id; imports them all."""
        broken = self.broken()
        return [self[game] for game in sorted(self) if game not in broken]

    def broken(self) -> dict[str, str]:
        """Why the others cannot; imports all games."""
        reasons = {}
        for game in self:
            try:
                self[game]
            except BrokenGame as reason:
                reasons[game] = str(reason)
        return reasons

    def _points(self) -> dict[str, list[EntryPoint]]:
        if self._by_id is None:
            self._by_id = {}
            for point in self._registered if self._registered is not None else entry_points(group=GROUP):
                self._by_id.setdefault(point.name, []).append(point)
        return self._by_id

    def _load(self, game: str) -> Game[Any]:
        points = self._points().get(game)
        if points is None:
            raise UnknownGame(game)
        places = sorted({point.value for point in points})
        if len(places) > 1:
            raise BrokenGame(f"game {game!r} is registered more than once: {', '.join(places)}")
        try:
            loaded: Game[Any] = points[0].load()
        except Exception as error:  # whatever a package of others raises while it is imported
            raise BrokenGame(f"game {game!r} ({places[0]}) cannot be imported: {error!r}") from error
        if getattr(loaded, "id", None) != game:
            raise BrokenGame(f"game {game!r} ({places[0]}) calls itself {getattr(loaded, 'id', None)!r}")
        return loaded


GAMES = Catalog()
