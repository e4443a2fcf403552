"""A game of 뱅! as a value (document 8.1).

What the game waits for is data. `State.reactions` holds every open window, an outer one before those nested in it; of
one player's windows only the newest can be answered, and the windows of different players are open side by side
(BG-30). With none open it is the turn's own player who is asked, by its phase.

Beyond 8.1 the state holds the round (BG-53), since when the turn's clock stands still (BG-48), who is away or played
for (8.5), what a loss of life still owes the dying (BG-17, BG-20), who began a duel (BG-17), and the 잡화점 that lies
there while others choose (BG-41).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.bang.cards import CardId
from engines.bang.characters import CHARACTERS, PLAIN, CharacterId, Traits
from engines.bang.options import Options
from engines.kernel.contract import PlayerId
from engines.kernel.rng import Rng

VERSION = 1
LOGGED = 12  # entries of the public log that everyone still sees

Role = Literal["sheriff", "deputy", "outlaw", "renegade"]
Phase = Literal["setup", "start", "draw", "play", "discard"]
Purpose = Literal["dynamite", "jail", "barrel"]
Team = Literal["law", "outlaws", "renegade"]


class Player(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One seat."""

    id: PlayerId
    seat: int
    role: Role
    character: CharacterId | None = None  # None until everybody has chosen (BG-51)
    character_offer: tuple[CharacterId, ...] = ()  # choose2: two, then the chosen one alone
    max_life: int = 0
    life: int = 0
    alive: bool = True
    hand: tuple[CardId, ...] = ()
    in_play: tuple[CardId, ...] = ()
    away_since: int | None = None  # offline, or left
    bot: bool = False  # played for without waiting (8.5)
    left: bool = False  # and will not come back

    @property
    def traits(self) -> Traits:
        """What is special about this player's character."""
        return PLAIN if self.character is None else CHARACTERS[self.character]


# ---------------------------------------------------------------- windows


class _Window(msgspec.Struct, frozen=True, rename="camel", kw_only=True, tag_field="kind"):
    deadline: int

    @property
    def asked(self) -> PlayerId:
        """Who is to answer."""
        raise NotImplementedError


class Shot(_Window, frozen=True, kw_only=True, tag="bang"):
    """A 뱅!, or one shot of a 개틀링."""

    target: PlayerId
    source: PlayerId
    via: Literal["bang", "gatling"]
    needed: int  # 빗나감! effects still to come
    barrel_tried: bool = False
    jour_tried: bool = False  # the barrel that a character always has

    @property
    def asked(self) -> PlayerId:
        return self.target


class Indians(_Window, frozen=True, kw_only=True, tag="indians"):
    """One player's answer to 인디언!."""

    target: PlayerId
    source: PlayerId

    @property
    def asked(self) -> PlayerId:
        return self.target


class Duel(_Window, frozen=True, kw_only=True, tag="duel"):
    """A 결투, waiting for ``actor``."""

    actor: PlayerId
    other: PlayerId
    source: PlayerId  # who began it

    @property
    def asked(self) -> PlayerId:
        return self.actor


class Store(_Window, frozen=True, kw_only=True, tag="store"):
    """A 잡화점."""

    picker: PlayerId
    order: tuple[PlayerId, ...]  # everybody, from whoever played it
    revealed: tuple[CardId, ...]
    card: CardId  # the 잡화점 itself, which is discarded after its effect (BG-41)

    @property
    def asked(self) -> PlayerId:
        return self.picker


class Dying(_Window, frozen=True, kw_only=True, tag="dying"):
    """A life at 0 or below."""

    player: PlayerId
    killer: PlayerId | None
    lost: int = 0  # points for which there will be cards after survival (BG-20)
    source: PlayerId | None = None  # who will be robbed then: whoever played the card (BG-17)

    @property
    def asked(self) -> PlayerId:
        return self.player


class LuckyPick(_Window, frozen=True, kw_only=True, tag="luckyPick"):
    """Two cards were turned over, one of them counts."""

    player: PlayerId
    purpose: Purpose
    options: tuple[CardId, ...]

    @property
    def asked(self) -> PlayerId:
        return self.player


class KitKeep(_Window, frozen=True, kw_only=True, tag="kitKeep"):
    """Three cards were looked at, one goes back."""

    player: PlayerId
    options: tuple[CardId, ...]

    @property
    def asked(self) -> PlayerId:
        return self.player


class Choose2(_Window, frozen=True, kw_only=True, tag="choose2"):
    """A character is to be chosen."""

    player: PlayerId

    @property
    def asked(self) -> PlayerId:
        return self.player


Reaction = Shot | Indians | Duel | Store | Dying | LuckyPick | KitKeep | Choose2


# ---------------------------------------------------------------- the state


class Turn(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Whose turn it is, and how far it has come."""

    player: PlayerId
    phase: Phase
    bangs_played: int = 0
    deadline: int
    paused_at: int | None = None  # since when the turn's clock stands still (BG-48)
    black_jack_reveal: CardId | None = None  # until the end of the turn (BG-45)


class Check(msgspec.Struct, frozen=True, rename="camel"):
    """The last flip, as everybody saw it."""

    player: PlayerId
    card_ids: tuple[CardId, ...]
    purpose: Purpose
    success: bool


class LogEntry(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Something that everybody saw. Names no card that only some may know (BG-57)."""

    type: str
    player: PlayerId
    other: PlayerId | None = None
    cards: tuple[CardId, ...] = ()


class State(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One moment of a game. The top of a pile is its last card."""

    state_version: Literal[1] = 1
    options: Options
    rng: Rng
    players: tuple[Player, ...]  # in seat order, which is clockwise
    deck: tuple[CardId, ...]
    discard: tuple[CardId, ...]
    turn: Turn
    reactions: tuple[Reaction, ...] = ()
    round: int = 0  # turns that the sheriff has begun (BG-53)
    last_check: Check | None = None
    winner: Team | None = None
    death_order: tuple[PlayerId, ...] = ()
    log: tuple[LogEntry, ...] = ()

    @property
    def phase(self) -> str:
        """For whoever watches rooms: the turn's phase, or that it is over."""
        return self.turn.phase if self.winner is None else "finished"
