"""The table as the rules look at it, and as the sheet on which one step is worked out.

`Table` answers questions about one moment; `Draft` is a table that is changed in place and becomes the next state.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engines.bang.cards import BARE_RANGE, IDS, REACH, CardId, CardKind
from engines.bang.names import SEEN
from engines.bang.options import Options
from engines.bang.refusals import refusal
from engines.bang.state import LOGGED, LogEntry, Phase, Player, Reaction, State, Turn
from engines.kernel.contract import Event, PlayerId, Rejected, Step

# How long one who is played for is waited for (BG-50, an owner may want another). "즉시" to people, yet each step has
# its own tick of the room's clock, and a table with nobody at it does not run hot.
BOT_MS = 500


class Table:
    """A moment of a game, ready to be asked about."""

    __slots__ = ("_distances", "base", "discard", "options", "players", "reactions", "turn")

    def __init__(self, state: State) -> None:
        self.base = state
        self.options: Options = state.options
        self.players: dict[PlayerId, Player] = {player.id: player for player in state.players}
        self.discard = state.discard
        self.turn: Turn = state.turn
        self.reactions: list[Reaction] = list(state.reactions)
        self._distances: dict[PlayerId, dict[PlayerId, int]] = {}

    def no(self, code: str, **args: int) -> Rejected:
        """A refusal, in this table's names."""
        return refusal(self.options.names, code, **args)

    # ---------------------------------------------------------------- who is there

    def living(self) -> list[PlayerId]:
        """In seat order. A dying player is alive until eliminated (BG-6)."""
        return [name for name, player in self.players.items() if player.alive]

    def others_from(self, player: PlayerId) -> list[PlayerId]:
        """The other living players, clockwise from this seat, whether its owner is alive or not."""
        names = list(self.players)
        at = names.index(player)
        return [name for name in (*names[at + 1 :], *names[:at]) if self.players[name].alive]

    # ---------------------------------------------------------------- distance and equipment (5.1)

    def has(self, player: PlayerId, kind: CardKind) -> bool:
        """Whether a card of this kind lies in front of this player."""
        return not IDS[kind].isdisjoint(self.players[player].in_play)

    def cover(self, player: PlayerId) -> int:
        """How much farther away this player is for the others."""
        return self.players[player].traits.cover + self.has(player, "mustang")

    def sight(self, player: PlayerId) -> int:
        """How much nearer the others are for this player."""
        return self.players[player].traits.sight + self.has(player, "scope")

    def range_of(self, player: PlayerId) -> int:
        """How far this player's weapon reaches."""
        for card in self.players[player].in_play:
            if card in REACH:
                return REACH[card]
        return BARE_RANGE

    def distances(self, player: PlayerId) -> dict[PlayerId, int]:
        """From this living player to every other one: the shorter way round the living, never below 1."""
        if player not in self._distances:
            self._distances[player] = self.measure(player)
        return self._distances[player]

    def measure(self, player: PlayerId) -> dict[PlayerId, int]:
        """The distances, worked out."""
        living = self.living()
        at, number, sight = living.index(player), len(living), self.sight(player)
        found = {}
        for seat, name in enumerate(living):
            if seat != at:
                steps = abs(seat - at)
                found[name] = max(1, min(steps, number - steps) + self.cover(name) - sight)
        return found

    def shots_unlimited(self, player: PlayerId) -> bool:
        """By what the player has now, not by what lay there at the first shot (BG-47)."""
        return self.players[player].traits.shots_unlimited or self.has(player, "volcanic")

    # ---------------------------------------------------------------- who is asked

    def asked(self) -> dict[PlayerId, int]:
        """The windows that can be answered now: for each player the newest, by its place among all (BG-30)."""
        return {window.asked: at for at, window in enumerate(self.reactions)}

    def window_of(self, player: PlayerId) -> int | None:
        """This player's window that can be answered, by its place."""
        for at in range(len(self.reactions) - 1, -1, -1):
            if self.reactions[at].asked == player:
                return at
        return None


class Draft(Table):
    """One step in the making."""

    __slots__ = ("death_order", "deck", "events", "last_check", "log", "now", "rng", "round", "winner")

    def __init__(self, state: State, now: int) -> None:
        super().__init__(state)
        self.deck = state.deck
        self.rng = state.rng
        self.round = state.round
        self.last_check = state.last_check
        self.winner = state.winner
        self.death_order = state.death_order
        self.log: list[LogEntry] = []
        self.now = now
        self.events: list[Event] = []

    def step(self) -> Step[State]:
        """The state that has been worked out. The turn's clock stands still while a window is open (BG-48)."""
        base, turn = self.base, self.turn
        if self.reactions:
            if turn.paused_at is None:
                turn = replace(turn, paused_at=self.now)
        elif turn.paused_at is not None:
            turn = replace(turn, deadline=turn.deadline + self.now - turn.paused_at, paused_at=None)
        state = State(
            options=base.options,
            rng=self.rng,
            players=tuple(self.players.values()),
            deck=self.deck,
            discard=self.discard,
            turn=turn,
            reactions=tuple(self.reactions),
            round=self.round,
            last_check=self.last_check,
            winner=self.winner,
            death_order=self.death_order,
            log=(*base.log, *self.log)[-LOGGED:] if self.log else base.log,
        )
        return Step(state, tuple(self.events))

    # ---------------------------------------------------------------- changes

    def distances(self, player: PlayerId) -> dict[PlayerId, int]:
        """Nothing is kept of a table that changes."""
        return self.measure(player)

    def set(self, player: PlayerId, **changes: Any) -> None:
        """This player with these fields changed."""
        self.players[player] = replace(self.players[player], **changes)

    def set_phase(self, phase: Phase) -> None:
        """The turn goes on to another phase. Who is played for is waited for anew, others have their turn's time."""
        deadline = self.now + BOT_MS if self.players[self.turn.player].bot else self.turn.deadline
        self.turn = replace(self.turn, phase=phase, deadline=deadline)

    def wait(self, player: PlayerId) -> int:
        """Until when this player may answer a window opened now (5.4)."""
        return self.now + (BOT_MS if self.players[player].bot else self.options.reaction_seconds * 1000)

    # ---------------------------------------------------------------- what is told

    def tell(self, kind: str, **fields: object) -> None:
        """Something happened."""
        self.events.append({"type": kind, **fields})

    def note(self, kind: str, player: PlayerId, other: PlayerId | None = None, *cards: CardId) -> None:
        """Something for the public log."""
        self.log.append(LogEntry(kind, player, other, cards))

    def seen(self, *cards: CardId) -> list[dict[str, Any]]:
        """Cards as whoever may see them sees them."""
        shown = SEEN[self.options.names]
        return [shown[card].copy() for card in cards]
