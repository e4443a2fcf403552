"""A game of 구십구 as a value (document 8.1), and as the sheet on which one step is worked out.

`State` is what is logged, digested and saved. Beyond 8.1 it holds ``stateVersion`` (absent in a dump: 1, NN-3), the
effective options (NN-30), the recent plays (NN-9), the round in which each player went out (NN-29), and who
has been letting the clock run (NN-25) or has left (NN-26).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.kernel.contract import Event, PlayerId, Step
from engines.kernel.rng import Rng
from engines.ninety_nine.cards import Card
from engines.ninety_nine.options import Effective, Mode, Options

VERSION = 2
RECENT = 6  # plays that everyone still sees
Phase = Literal["playing", "finished"]
Direction = Literal[1, -1]


class Played(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True, gc=False):
    """A play that everyone saw. Kept apart from the discard pile, which also holds hidden hands (NN-9)."""

    player: PlayerId
    face: str
    total: int
    round: int
    choice: str | None = None


class State(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One moment of a game. The first card of a pile is its top."""

    state_version: Literal[1, 2] = 1
    mode: Mode
    options: Options
    effective: Effective | None = None  # None only while a dump without it is being loaded
    rng: Rng
    seats: tuple[PlayerId, ...]
    hands: dict[PlayerId, tuple[Card, ...]]
    draw_pile: tuple[Card, ...]
    discard: tuple[Card, ...]
    total: int
    direction: Direction
    current: PlayerId
    alive: dict[PlayerId, bool]
    lives: dict[PlayerId, int]  # all 0 in a game without lives
    on_board: dict[PlayerId, bool]
    elimination_order: tuple[PlayerId, ...]
    eliminated_at_round: dict[PlayerId, int] = {}
    round: int
    phase: Phase
    recent_plays: tuple[Played, ...] = ()
    missed_turns: dict[PlayerId, int] = {}  # deadlines missed in a row; absent: none
    left: tuple[PlayerId, ...] = ()
    turn_started_at: int
    seq: int

    @property
    def rules(self) -> Effective:
        """The effective options."""
        assert self.effective is not None
        return self.effective


class Draft:
    """One step in the making: starts as the state's own values, is changed in place, and becomes the next state.

    Mappings are shared with the state until they are replaced, so a change is always a new mapping. Only ``hands``,
    which every step changes, is copied at the start.
    """

    __slots__ = (
        "_base",
        "alive",
        "current",
        "direction",
        "discard",
        "draw_pile",
        "eliminated_at_round",
        "elimination_order",
        "events",
        "hands",
        "left",
        "lives",
        "missed_turns",
        "now",
        "on_board",
        "phase",
        "recent_plays",
        "rng",
        "round",
        "rules",
        "seats",
        "total",
    )

    def __init__(self, base: State, now: int) -> None:
        self._base = base
        self.rules = base.rules
        self.seats = base.seats
        self.rng = base.rng
        self.hands = base.hands.copy()
        self.draw_pile = base.draw_pile
        self.discard = base.discard
        self.total = base.total
        self.direction: Direction = base.direction
        self.current = base.current
        self.alive = base.alive
        self.lives = base.lives
        self.on_board = base.on_board
        self.elimination_order = base.elimination_order
        self.eliminated_at_round = base.eliminated_at_round
        self.round = base.round
        self.phase: Phase = base.phase
        self.recent_plays = base.recent_plays
        self.missed_turns = base.missed_turns
        self.left = base.left
        self.now = now
        self.events: list[Event] = []

    def tell(self, kind: str, **fields: object) -> None:
        """Something happened."""
        self.events.append({"type": kind, **fields})

    def step(self) -> Step[State]:
        """The state that has been worked out, as the turn of ``current`` that begins now."""
        base = self._base
        state = State(
            state_version=base.state_version,
            mode=base.mode,
            options=base.options,
            effective=base.effective,
            rng=self.rng,
            seats=base.seats,
            hands=self.hands,
            draw_pile=self.draw_pile,
            discard=self.discard,
            total=self.total,
            direction=self.direction,
            current=self.current,
            alive=self.alive,
            lives=self.lives,
            on_board=self.on_board,
            elimination_order=self.elimination_order,
            eliminated_at_round=self.eliminated_at_round,
            round=self.round,
            phase=self.phase,
            recent_plays=self.recent_plays,
            missed_turns=self.missed_turns,
            left=self.left,
            turn_started_at=self.now,
            seq=base.seq + 1,
        )
        return Step(state, tuple(self.events))
