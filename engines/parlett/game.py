"""Parlett's Ninety-Nine behind the contract: each method says who may do it, the other modules what then happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from engines.kernel import codec
from engines.kernel.contract import Action, Json, PlayerId, Presence, Rejected, Step
from engines.kernel.rng import Rng
from engines.parlett import actions, auto, bot, flow, rules, saved
from engines.parlett import view as views
from engines.parlett.actions import AnyAction
from engines.parlett.forms import FORMS, NPC, form_of
from engines.parlett.ledger import ParlettLedger
from engines.parlett.options import Options as ParlettOptions
from engines.parlett.state import VERSION, Draft, awaited
from engines.parlett.state import State as ParlettState


class ParlettNinetyNine:
    """The game. Holds nothing."""

    id = "parlett-ninety-nine"
    title = "나인티 나인 (Parlett)"
    state_version: int = VERSION
    min_players = 2
    max_players = 4
    minutes = (20, 40)
    Options: type[msgspec.Struct] = ParlettOptions
    State: type[ParlettState] = ParlettState

    def setup(
        self,
        options: Mapping[str, Any] | msgspec.Struct,
        players: Sequence[PlayerId],
        seed: bytes,
        now: int,
        state_version: int | None = None,
    ) -> Step[ParlettState] | Rejected:
        """Draws the first dealer and deals the first round."""
        chosen = codec.decode_options(ParlettOptions, options)
        if isinstance(chosen, Rejected):
            return chosen
        seats = tuple(players)
        if not self.min_players <= len(seats) <= self.max_players or len(set(seats)) < len(seats):
            return actions.BAD_PLAYERS
        if NPC in seats:
            return actions.NPC_NAMED
        if state_version not in (None, VERSION):
            raise ValueError(f"parlett-ninety-nine has never been written as version {state_version}")
        form = form_of(chosen, len(seats))
        if chosen.variant == "sphinx" and not FORMS[form].levels:
            return actions.NO_SPHINX
        table = (*seats, NPC) if form == "npc" else seats
        draft = Draft(
            ParlettState(
                state_version=VERSION,
                options=chosen,
                form=form,
                rng=Rng(seed),
                seats=seats,
                round=1,
                dealer=seats[0],
                phase="bidding",
                hands={},
                bids={},
                turn_up=None,
                trump=None,
                offers={},
                premiums=(),
                current=None,
                controller=None,
                trick=(),
                last_trick=(),
                played=(),
                tricks_won={},
                scores=dict.fromkeys(table, 0),
                round_scores=(),
                last_round={},
                streaks=dict.fromkeys(table, 0),
                ready=(),
                asked_at=now,
                seq=-1,
            ),
            now,
        )
        flow.begin(draft)
        return draft.step()

    def legal(self, state: ParlettState, player: PlayerId) -> list[Action]:
        return rules.legal(state, player)

    def apply(
        self, state: ParlettState, player: PlayerId, action: Mapping[str, Any] | msgspec.Struct, now: int
    ) -> Step[ParlettState] | Rejected:
        """A player's own action."""
        said: AnyAction | Rejected = codec.decode_action(AnyAction, action)
        if isinstance(said, Rejected):
            return said
        refusal = rules.judge(state, player, said)
        if refusal is not None:
            return refusal
        draft = Draft(state, now)
        if player in draft.missed_turns:
            draft.missed_turns = {other: n for other, n in draft.missed_turns.items() if other != player}
        flow.carry_out(draft, player, said)
        flow.proceed(draft)
        return draft.step()

    def deadline(self, state: ParlettState) -> int | None:
        return auto.deadline(state)

    def timeout(self, state: ParlettState, now: int) -> Step[ParlettState]:
        """The automatic action of everyone whose deadline has come (RULES 8.5)."""
        due = [player for player in awaited(state) if auto.deadline_of(state, player) <= now]
        if not due:
            return Step(state, ())
        draft = Draft(state, now)
        for player in due:
            if state.phase != "roundEnd":  # having looked at the score for long is no missed turn
                draft.missed_turns = {**draft.missed_turns, player: draft.missed_turns.get(player, 0) + 1}
            draft.tell("timedOut", player=player)
            flow.carry_out(draft, player, auto.automatic(state, player))
        flow.proceed(draft)
        return draft.step()

    def presence(self, state: ParlettState, player: PlayerId, status: Presence, now: int) -> Step[ParlettState]:
        """A lost connection changes nothing: the clock runs on. Leaving is for good (PN-23)."""
        if status != "left" or state.phase == "finished" or player not in state.seats or player in state.left:
            return Step(state, ())
        left = msgspec.structs.replace(state, left=(*state.left, player), seq=state.seq + 1)
        return Step(left, ({"type": "playerLeft", "player": player},))

    def view(self, state: ParlettState, viewer: PlayerId | None) -> Json:
        return views.view(state, viewer, auto.deadline(state))

    def result(self, state: ParlettState) -> Json | None:
        return views.result(state) if state.phase == "finished" else None

    def replay_refusal(self, state: ParlettState) -> Rejected | None:
        """Every finished game may be shown again."""
        return None

    def bot(self, view: Json, legal: list[Action], rng: Random) -> Action:
        return bot.bot(view, legal, rng)

    def ledger(self) -> ParlettLedger:
        return ParlettLedger()

    def dump(self, state: ParlettState) -> Json:
        return codec.dump(state)

    def load(self, data: Json) -> ParlettState:
        return saved.load(data)
