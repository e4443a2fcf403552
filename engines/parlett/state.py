"""A game as a value (RULES 8.1), and as the sheet on which one step is worked out.

`State` is what is logged, digested and saved. Cards are ids (`cards`); a round's cards are, at every moment, those in
``hands``, ``bids``, ``trick``, ``played`` and ``turnUp``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.kernel.contract import Event, PlayerId, Step
from engines.kernel.rng import Rng
from engines.parlett.cards import CardId, Suit
from engines.parlett.forms import NPC, FormName, Phase, PremiumKind
from engines.parlett.options import Options

VERSION: Literal[1] = 1


class Offer(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A player's answer to the question for premium bids."""

    kind: PremiumKind
    tricks: int | None = None


class Taken(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A premium bid that has taken effect."""

    player: PlayerId
    kind: PremiumKind
    tricks: int | None = None


class Played(msgspec.Struct, frozen=True, gc=False):
    """A card in a trick."""

    player: PlayerId
    card: CardId


class Row(msgspec.Struct, frozen=True, gc=False):
    """One line of a round's score. ``bid`` is None where the bid stays hidden (PN-9)."""

    tricks: int
    made: bool
    bid: int | None
    bonus: int
    premium: int

    @property
    def points(self) -> int:
        return self.tricks + self.bonus + self.premium


class State(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One moment of a game."""

    state_version: Literal[1] = 1
    options: Options
    form: FormName
    rng: Rng
    seats: tuple[PlayerId, ...]
    round: int
    dealer: PlayerId
    phase: Phase
    hands: dict[PlayerId, tuple[CardId, ...]]  # each in the order of ids
    bids: dict[PlayerId, tuple[CardId, ...]]  # only of those who have laid them down
    turn_up: CardId | None
    trump: Suit | None
    offers: dict[PlayerId, Offer]
    premiums: tuple[Taken, ...]
    current: PlayerId | None  # whose card, or trump, is next; the NPC too
    controller: PlayerId | None  # who plays the NPC's cards now
    trick: tuple[Played, ...]
    last_trick: tuple[Played, ...]
    played: tuple[CardId, ...]  # of the finished tricks
    tricks_won: dict[PlayerId, int]
    scores: dict[PlayerId, int]
    round_scores: tuple[dict[PlayerId, int], ...]
    last_round: dict[PlayerId, Row]  # how the last finished round was scored
    streaks: dict[PlayerId, int]  # rounds made in a row
    ready: tuple[PlayerId, ...]
    missed_turns: dict[PlayerId, int] = {}  # deadlines missed in a row; absent: none
    left: tuple[PlayerId, ...] = ()
    asked_at: int
    seq: int


class Draft:
    """One step in the making: starts as the state's own values, is changed in place, and becomes the next state.

    Mappings and tuples are shared with the state, so a change is always a new one. The fields of the state are all that
    is in its ``__dict__``.
    """

    __slots__ = ("__dict__", "events", "now")

    state_version: Literal[1]
    options: Options
    form: FormName
    rng: Rng
    seats: tuple[PlayerId, ...]
    round: int
    dealer: PlayerId
    phase: Phase
    hands: dict[PlayerId, tuple[CardId, ...]]
    bids: dict[PlayerId, tuple[CardId, ...]]
    turn_up: CardId | None
    trump: Suit | None
    offers: dict[PlayerId, Offer]
    premiums: tuple[Taken, ...]
    current: PlayerId | None
    controller: PlayerId | None
    trick: tuple[Played, ...]
    last_trick: tuple[Played, ...]
    played: tuple[CardId, ...]
    tricks_won: dict[PlayerId, int]
    scores: dict[PlayerId, int]
    round_scores: tuple[dict[PlayerId, int], ...]
    last_round: dict[PlayerId, Row]
    streaks: dict[PlayerId, int]
    ready: tuple[PlayerId, ...]
    missed_turns: dict[PlayerId, int]
    left: tuple[PlayerId, ...]
    asked_at: int
    seq: int
    events: list[Event]
    now: int

    def __init__(self, base: State, now: int) -> None:
        self.__dict__ = msgspec.structs.asdict(base)
        self.events = []
        self.now = now

    def tell(self, kind: str, **fields: object) -> None:
        """Something happened."""
        self.events.append({"type": kind, **fields})

    def step(self) -> Step[State]:
        """The state that has been worked out."""
        self.seq += 1
        return Step(State(**self.__dict__), tuple(self.events))


def table(game: State | Draft) -> tuple[PlayerId, ...]:
    """Everyone who has cards, clockwise: the players, and the NPC, which is none."""
    return (*game.seats, NPC) if game.form == "npc" else game.seats


def awaited(game: State | Draft) -> tuple[PlayerId, ...]:
    """The players of whom something is asked now. The NPC's card is asked of whoever plays it (PN-15)."""
    match game.phase:
        case "bidding":
            return tuple([player for player in game.seats if player not in game.bids])
        case "premium":
            return tuple([player for player in game.seats if player not in game.offers])
        case "roundEnd":
            return tuple([player for player in game.seats if player not in game.ready])
        case "trump" | "playing":
            who = game.controller if game.current == NPC else game.current
            assert who is not None
            return (who,)
        case "finished":
            return ()


def clockwise(game: State | Draft, first: PlayerId) -> tuple[PlayerId, ...]:
    """The players, this one first."""
    at = game.seats.index(first)
    return (*game.seats[at:], *game.seats[:at])


def from_dealers_left(game: State | Draft) -> tuple[PlayerId, ...]:
    """The players in the order of their claims: the dealer's left first, the dealer last."""
    dealer, *others = clockwise(game, game.dealer)
    return (*others, dealer)
