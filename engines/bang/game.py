"""뱅! behind the contract: each method says who may do it, the other modules say what then happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from engines.bang import actions, bot, clock, deal, flow, legal, saved
from engines.bang import view as views
from engines.bang.ledger import BangLedger
from engines.bang.names import NAMES
from engines.bang.options import Options as BangOptions
from engines.bang.refusals import BAD_PLAYERS
from engines.bang.rules import refusal_of
from engines.bang.state import VERSION
from engines.bang.state import State as BangState
from engines.bang.table import Draft, Table
from engines.kernel import codec
from engines.kernel.contract import Action, Json, PlayerId, Presence, Rejected, Step


class Bang:
    """The game. Holds nothing."""

    id = "bang"
    title = NAMES["neutral"].title  # section 12: not the name of the original
    state_version = VERSION
    min_players = 4
    max_players = 7
    minutes = (20, 40)
    Options: type[msgspec.Struct] = BangOptions
    State: type[BangState] = BangState

    def setup(
        self,
        options: Mapping[str, Any] | msgspec.Struct,
        players: Sequence[PlayerId],
        seed: bytes,
        now: int,
        state_version: int | None = None,
    ) -> Step[BangState] | Rejected:
        """Seats, roles and characters; the deal too, unless characters are chosen first (document 4)."""
        chosen = codec.decode_options(BangOptions, options)
        if isinstance(chosen, Rejected):
            return chosen
        if not self.min_players <= len(players) <= self.max_players or len(set(players)) < len(players):
            return BAD_PLAYERS
        if state_version not in (None, VERSION):
            raise ValueError(f"bang has never been written as version {state_version}")
        draft = deal.seat(chosen, players, seed, now)
        flow.settle(draft)
        return draft.step()

    def legal(self, state: BangState, player: PlayerId) -> list[Action]:
        table = Table(state)
        found = table.players.get(player)
        if state.winner is not None or found is None or not found.alive:
            return []
        return legal.legal(table, player)

    def apply(
        self, state: BangState, player: PlayerId, action: Mapping[str, Any] | msgspec.Struct, now: int
    ) -> Step[BangState] | Rejected:
        """A player's own action (8.2)."""
        wanted = codec.decode_action(actions.Action, action)
        if isinstance(wanted, Rejected):
            return wanted
        draft = Draft(state, now)
        if state.winner is not None:
            return draft.no("finished")
        found = draft.players.get(player)
        if found is None or not found.alive:
            return draft.no("not_playing" if found is None else "eliminated")
        refused = refusal_of(draft, player, wanted)
        if refused is not None:
            return refused
        flow.perform(draft, player, wanted)
        return draft.step()

    def deadline(self, state: BangState) -> int | None:
        return clock.deadline(state)

    def timeout(self, state: BangState, now: int) -> Step[BangState]:
        return clock.timeout(state, now)

    def presence(self, state: BangState, player: PlayerId, status: Presence, now: int) -> Step[BangState]:
        return clock.presence(state, player, status, now)

    def view(self, state: BangState, viewer: PlayerId | None) -> Json:
        return views.view(state, viewer)

    def result(self, state: BangState) -> Json | None:
        return None if state.winner is None else views.result(state)

    def replay_refusal(self, state: BangState) -> Rejected | None:
        """Every finished game may be shown again."""
        return None

    def bot(self, view: Json, legal: list[Action], rng: Random) -> Action | None:
        return bot.bot(view, legal, rng)

    def ledger(self) -> BangLedger:
        return BangLedger()

    def dump(self, state: BangState) -> Json:
        return codec.dump(state)

    def load(self, data: Json) -> BangState:
        return saved.load(data)
