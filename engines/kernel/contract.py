"""What a game is: the contract between a rules engine and everything that runs it.

A game is pure. It reads no clock, draws no randomness of its own, does no I/O and keeps nothing between calls: the
time and the seed come in as arguments, and everything that matters is in the state. So a log of inputs replays to
the same state, byte for byte, on any machine.

The shapes that cross this border are plain JSON values with the documents' own camelCase names:

- an *action* is a flat object with a ``type``; what a player may do now is the list that ``legal`` returns, in which
  a field whose value is a `Range` object (``{"min": 60, "max": 99}``) stands for any integer in it;
- an *event* is a flat object with a ``type``; one that only some may see names them in ``audience``, a list of
  player ids, and whoever delivers events filters by it and drops the field;
- a *view* is what one viewer may see of a state, and nothing else: players, and ``None`` for a spectator.

Times are integer milliseconds on the room's own clock, which never runs backwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

PlayerId = str
Json = dict[str, Any]
Action = Json
Event = Json
Presence = Literal["online", "offline", "left"]
S = TypeVar("S", bound=msgspec.Struct)


class Rejected(msgspec.Struct, frozen=True):
    """A refusal: the state is the same object as before, and nothing was written anywhere.

    ``code`` is stable and in snake_case, for programs; ``message`` is the document's Korean sentence, for people.
    """

    code: str
    message: str


class Step(msgspec.Struct, Generic[S], frozen=True):
    """One accepted move: the state after it and what happened, in order."""

    state: S
    events: tuple[Event, ...]


class Range(msgspec.Struct, frozen=True):
    """In a legal action: any integer from ``min`` to ``max``, both included, fits this field.

    In the action it stands as its JSON object; `engines.kernel.legal` makes and reads those.
    """

    min: int
    max: int


class Game(Protocol[S]):
    """One card game. Implementations are stateless singletons, registered under the entry point ``hanpan.games``."""

    id: str  # stable, in URLs and logs: "ninety-nine"
    title: str  # Korean, for the lobby
    state_version: int  # what a new game is written as; every version ever written is still played
    min_players: int
    max_players: int
    minutes: tuple[int, int]  # a usual game takes from..to minutes
    Options: type[msgspec.Struct]  # frozen; the JSON keys, choices and defaults of the document's section 2
    State: type[S]  # frozen; what dump and load turn into JSON and back

    def setup(
        self,
        options: Mapping[str, Any] | msgspec.Struct,
        players: Sequence[PlayerId],
        seed: bytes,
        now: int,
        state_version: int | None = None,
    ) -> Step[S] | Rejected:
        """Deals a new game for these seats (in clockwise order) from a seed, which is for an `Rng`: 32 bytes, or 66.

        ``state_version`` is given when a log of that version is replayed; None means the current one, and one that
        was never written raises ``ValueError``. Refuses with ``bad_options`` or ``bad_players``.
        """
        ...

    def legal(self, state: S, player: PlayerId) -> list[Action]:
        """Everything the player may do now; empty when nothing is asked of them, and after the game."""
        ...

    def apply(
        self, state: S, player: PlayerId, action: Mapping[str, Any] | msgspec.Struct, now: int
    ) -> Step[S] | Rejected:
        """Judges and carries out one action. An action that is not even of the right shape is ``bad_action``."""
        ...

    def deadline(self, state: S) -> int | None:
        """When the next timeout is due; None when nobody is being waited for."""
        ...

    def timeout(self, state: S, now: int) -> Step[S]:
        """Plays for everyone whose deadline is at or before ``now``, as the document's 8.5 says.

        Before the deadline, and after the game, nothing happens: the same state, no events.
        """
        ...

    def presence(self, state: S, player: PlayerId, status: Presence, now: int) -> Step[S]:
        """Takes note that a player's connection came, went, or that the player left for good.

        Where that means nothing to the game, the same state comes back, with no events.
        """
        ...

    def view(self, state: S, viewer: PlayerId | None) -> Json:
        """What this viewer may see. Never another's hidden cards, the deck's order, the generator or the seed.

        Built anew for each call, so whoever asked may change it. Whoever has no seat sees what ``None`` sees. Where the
        game waits for somebody, ``deadline`` says until when; once it is over, ``result`` is the result.
        """
        ...

    def result(self, state: S) -> Json | None:
        """The document's GameResult once the game is over. Player ids stand in it where names will be shown."""
        ...

    def replay_refusal(self, state: S) -> Rejected | None:
        """Why a finished game may not be shown again, or None where it may."""
        ...

    def bot(self, view: Json, legal: list[Action], rng: Random) -> Action | None:
        """What a sensible player would do, from that player's own view and legal list alone.

        None: nothing for now, where all that is allowed may also be left. It is asked again when the question changes.
        """
        ...

    def dump(self, state: S) -> Json:
        """The whole state as JSON values; ``load(dump(state)) == state``."""
        ...

    def load(self, data: Json) -> S:
        """The state from JSON values, also edited by hand; raises ``ValueError`` where they are inconsistent."""
        ...
