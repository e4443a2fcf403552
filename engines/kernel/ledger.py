"""What of a game's chance became known to whom: read off its events, for proofs, and never while a game is played.

A `Ledger` follows one game step by step. It says what each draw was for and which places of which draws lie open, to
their owner or to all. What it does not name stays sealed. The rule for writing one: a place may be opened to a viewer
who already knows what was dealt there, and to all (after the game) where it tells no more than when a shown card came.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import msgspec

from engines.kernel.contract import Event, PlayerId
from engines.kernel.rng import Drawn


class Draw(msgspec.Struct, frozen=True):
    """What a draw was for. ``items`` are the names of what it mixed, None where these are not public."""

    drawn: Drawn
    what: str  # "deck", "seats", "dealer" …; "secret" where it is nobody's business
    items: tuple[str, ...] | None
    at_once: bool = False  # what is open to all is so at once, not only when the game is over


class Opening(msgspec.Struct, frozen=True):
    """One place of one draw, known to a viewer."""

    draw: int
    position: int
    to: PlayerId | None  # None: to all, and where the draw is not `at_once`, when the game is over
    player: PlayerId | None  # whose it is, or was when all saw it
    face: str  # what people call it


class Ledger:
    """Base of all: the bookkeeping. A game's own says what its events mean."""

    def __init__(self) -> None:
        self.draws: dict[int, Draw] = {}
        self.openings: dict[Opening, None] = {}  # in order, each once
        self.taken: dict[int, list[PlayerId | None]] = {}  # of a deck's draw: who got each card off its top, in order
        self._deck: Drawn
        self._lies: dict[str, tuple[int, int]] = {}  # each card's draw and position when it was last mixed

    def step(self, before: Any, draws: Sequence[Drawn], events: Sequence[Event], after: Any) -> None:
        """One step of the game: its draws and events in order. ``before`` is None at setup."""
        for drawn in draws:
            self.secret(drawn)

    # ------------------------------------------------------------ for games

    def secret(self, drawn: Drawn) -> None:
        """A draw of which nothing is ever opened."""
        self.draws[drawn.draw] = Draw(drawn, "secret", None)

    def deck(self, drawn: Drawn, public: bool = True) -> None:
        """Cards are mixed. Where it is not known which they are (``public``), none of this draw is ever opened."""
        assert drawn.items is not None
        self.draws[drawn.draw] = Draw(drawn, "deck", drawn.items if public else None)
        for position, index in enumerate(drawn.order):
            self._lies[drawn.items[index]] = (drawn.draw, position)
        self._deck = drawn

    def take(self, player: PlayerId | None, count: int) -> list[str]:
        """So many cards come off the top of the deck that was mixed last; everybody sees for whom (None: for all)."""
        drawn, taken = self._deck, self.taken.setdefault(self._deck.draw, [])
        assert drawn.items is not None
        names = [drawn.items[index] for index in drawn.order[len(taken) : len(taken) + count]]
        taken += [player] * count
        return names

    def table(self, drawn: Drawn, what: str, items: Sequence[str] | None = None) -> None:
        """Something about the table that everybody sees at once. ``items``: what the numbers of `below` stand for."""
        self.draws[drawn.draw] = Draw(drawn, what, drawn.items if items is None else tuple(items), at_once=True)

    def given(self, drawn: Drawn, what: str) -> None:
        """Something that is given out face down, and is no card."""
        self.draws[drawn.draw] = Draw(drawn, what, drawn.items)

    def show(self, name: object, face: str, player: PlayerId | None, to: PlayerId | None = None) -> None:
        """This card is known to this viewer, or to all."""
        self.place(*self._lies[str(name)], face, player, to)

    def place(self, draw: int, position: int, face: str, player: PlayerId | None, to: PlayerId | None = None) -> None:
        """The same of any place of any draw."""
        if self.draws[draw].items is not None:
            self.openings[Opening(draw, position, to, player, face)] = None


@runtime_checkable
class Provable(Protocol):
    """A game whose deals can be checked card by card. One that is not says so by leaving this out."""

    def ledger(self) -> Ledger: ...


def ledger_of(game: object) -> Ledger:
    """A new ledger for one game; one that opens nothing, where the game has none."""
    return game.ledger() if isinstance(game, Provable) else Ledger()
