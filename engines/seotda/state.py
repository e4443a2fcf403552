"""A game of 섯다 as a value (document 8.1), and as the sheet on which one step is worked out.

What differs from 8.1: a discarded card stays in its owner's ``hand``, for ``chosen`` says which it is; what a player
has put in during the hand, and who is ready, stands in the hand, for a rematch leaves players out; and deadlines follow
from ``askedAt`` (see `clock`). The chips on the table are in ``carriedPots``, ``pots`` and ``committedRound``.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from engines.kernel.betting import Bet
from engines.kernel.contract import Event, PlayerId, Step
from engines.kernel.rng import Rng
from engines.seotda.cards import Card
from engines.seotda.hands import Special
from engines.seotda.judge import Reason
from engines.seotda.options import Options

VERSION = 1
LOG_LENGTH = 5  # hands of which everybody still sees how they ended
Status = Literal["playing", "busted", "eliminated", "left"]
Phase = Literal["playing", "rebuy", "finished"]
HandPhase = Literal["dealing", "betting", "choose", "showdown", "rejoin", "handEnd"]


class Seat(msgspec.Struct, frozen=True, rename="camel", kw_only=True, gc=False):
    """A player at the table, for the whole game."""

    id: PlayerId
    seat: int
    stack: int
    rebuys: int = 0
    status: Status = "playing"  # "busted" only while a rebuy is open, or at the end of the game
    away: bool = False
    timeouts_in_row: int = 0
    eliminated_at_hand: int | None = None
    stack_at_hand_start: int = 0


class RoundPlayer(msgspec.Struct, frozen=True, rename="camel", kw_only=True, gc=False):
    """A player in this game of the hand: the hand itself, or one of its rematches."""

    hand: tuple[Card, ...] = ()
    chosen: tuple[int, int] | None = None  # three cards: the ids that are played
    folded: bool = False
    all_in: bool = False
    committed_round: int = 0
    acted_this_round: bool = False
    last_action: Bet | None = None


class Pot(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Chips, and who may still win them."""

    amount: int
    eligible: tuple[PlayerId, ...]
    main: bool = False  # the first pot of the hand, which also decides the next dealer (5.3)
    reason: Literal["gusa", "mungGusa", "tie"] | None = None  # of a carried pot: why it is played for again


class Betting(msgspec.Struct, frozen=True, rename="camel", gc=False):
    """A round of betting. Its order is that of the participants; it is open once ``currentBet`` is not 0."""

    street: int  # 0, 1
    to_act: PlayerId | None
    current_bet: int


class Shown(msgspec.Struct, frozen=True, gc=False):
    """What somebody showed at the showdown: the two cards that count."""

    id: PlayerId
    cards: tuple[Card, Card]
    name: str
    value: int
    special: Special | None


class Outcome(msgspec.Struct, frozen=True, rename="camel", gc=False):
    """What became of one pot."""

    type: Literal["win", "split", "rematch"]
    pot_index: int
    amount: int
    players: tuple[PlayerId, ...]  # who won it, or who plays for it again
    reason: Reason


class Showdown(msgspec.Struct, frozen=True, gc=False):
    """How the last game of this hand was decided. No hands are shown where only one player was left (5.1.8)."""

    hands: tuple[Shown, ...]
    outcomes: tuple[Outcome, ...]


class Hand(msgspec.Struct, frozen=True, rename="camel", kw_only=True, gc=False):
    """One hand (판), its rematches included."""

    hand_no: int
    rematch_no: int = 0
    rematch_reason: Literal["gusa", "mungGusa", "tie"] | None = None
    phase: HandPhase
    stage: int = 0  # of the plan (see `deal.PLANS`)
    dealer_seat: int
    first_dealer_seat: int  # of the hand before its rematches: what the next dealer is counted from (SD-13)
    deck: tuple[Card, ...] = ()
    players: dict[PlayerId, RoundPlayer] = {}
    participants: tuple[PlayerId, ...] = ()  # clockwise, from the dealer
    betting: Betting | None = None
    carried_pots: tuple[Pot, ...] = ()
    pots: tuple[Pot, ...] = ()
    committed_total: dict[PlayerId, int] = {}  # put in during the whole hand, less what came back uncalled
    won: dict[PlayerId, int] = {}  # paid out of pots in this hand
    died: tuple[PlayerId, ...] = ()  # in this hand, and not back in (SD-22)
    main_takers: tuple[PlayerId, ...] = ()
    main_hand: str | None = None  # what took the main pot, if it was shown
    rejoin_pending: tuple[PlayerId, ...] = ()
    rejoin_price: int = 0
    ready_pending: tuple[PlayerId, ...] = ()
    showdown: Showdown | None = None


class HandRecord(msgspec.Struct, frozen=True, rename="camel", gc=False):
    """How a hand ended, as everybody saw it."""

    hand_no: int
    rematches: int
    won: dict[PlayerId, int]
    name: str | None  # what the taker of the main pot showed


class BestHand(msgspec.Struct, frozen=True, rename="camel", gc=False):
    """The highest hand that was shown in this game."""

    player: PlayerId
    name: str
    hand_no: int
    value: int


class BiggestPot(msgspec.Struct, frozen=True, rename="camel", gc=False):
    """The most that a hand has paid out, and to whom."""

    hand_no: int
    amount: int
    winners: tuple[PlayerId, ...]


class State(msgspec.Struct, frozen=True, rename="camel", kw_only=True, gc=False):
    """One moment of a game."""

    state_version: Literal[1] = 1
    options: Options
    rng: Rng
    seats: tuple[Seat, ...]  # clockwise, as drawn at setup
    base_unit: int
    hand: Hand
    hands_played: int = 0
    phase: Phase = "playing"
    rebuy_pending: tuple[PlayerId, ...] = ()
    elimination_seq: tuple[tuple[PlayerId, ...], ...] = ()
    public_log: tuple[HandRecord, ...] = ()
    rematches: int = 0
    best_hand: BestHand | None = None
    biggest_pot: BiggestPot | None = None
    asked_at: int
    seq: int = 0

    def seat(self, player: PlayerId | None) -> Seat | None:
        """The player's seat; None for a stranger."""
        for seat in self.seats:
            if seat.id == player:
                return seat
        return None


class Draft:
    """One step in the making: starts as the state's own values, is changed in place, and becomes the next state.

    ``seats`` and the hand's ``players``, ``committed_total`` and ``won`` are mappings of the draft's own, and changed;
    whatever is in them is frozen, and replaced. So is the rest of the hand, as a whole.
    """

    __slots__ = (
        "_base",
        "asked_at",
        "base_unit",
        "best_hand",
        "biggest_pot",
        "committed_total",
        "elimination_seq",
        "events",
        "hand",
        "hands_played",
        "now",
        "options",
        "phase",
        "players",
        "public_log",
        "rebuy_pending",
        "rematches",
        "rng",
        "seats",
        "won",
    )

    def __init__(self, base: State, now: int) -> None:
        self._base = base
        self.now = now
        self.options = base.options
        self.rng = base.rng
        self.seats = {seat.id: seat for seat in base.seats}
        self.base_unit = base.base_unit
        self.hand = base.hand
        self.players = base.hand.players.copy()
        self.committed_total = base.hand.committed_total.copy()
        self.won = base.hand.won.copy()
        self.hands_played = base.hands_played
        self.phase: Phase = base.phase
        self.rebuy_pending = base.rebuy_pending
        self.elimination_seq = base.elimination_seq
        self.public_log = base.public_log
        self.rematches = base.rematches
        self.best_hand = base.best_hand
        self.biggest_pot = base.biggest_pot
        self.asked_at = base.asked_at
        self.events: list[Event] = []

    def tell(self, kind: str, **fields: object) -> None:
        """Something happened."""
        self.events.append({"type": kind, **fields})

    def set_hand(self, **changes: object) -> None:
        """Changes fields of the hand."""
        self.hand = replace(self.hand, **changes)

    def set_seat(self, player: PlayerId, **changes: object) -> None:
        """Changes fields of a seat."""
        self.seats[player] = replace(self.seats[player], **changes)

    def set_player(self, player: PlayerId, **changes: object) -> None:
        """Changes fields of a player of this hand."""
        self.players[player] = replace(self.players[player], **changes)

    def live(self) -> list[PlayerId]:
        """Who has not died, clockwise from the dealer."""
        players = self.players
        return [player for player in self.hand.participants if not players[player].folded]

    def clockwise(self, seat: int) -> list[Seat]:
        """All seats, from this one on."""
        seats = list(self.seats.values())
        return seats[seat:] + seats[:seat]

    def step(self) -> Step[State]:
        """The state that has been worked out."""
        base = self._base
        state = State(
            state_version=base.state_version,
            options=base.options,
            rng=self.rng,
            seats=tuple(self.seats.values()),
            base_unit=self.base_unit,
            hand=replace(self.hand, players=self.players, committed_total=self.committed_total, won=self.won),
            hands_played=self.hands_played,
            phase=self.phase,
            rebuy_pending=self.rebuy_pending,
            elimination_seq=self.elimination_seq,
            public_log=self.public_log,
            rematches=self.rematches,
            best_hand=self.best_hand,
            biggest_pot=self.biggest_pot,
            asked_at=self.asked_at,
            seq=base.seq + 1,
        )
        return Step(state, tuple(self.events))
