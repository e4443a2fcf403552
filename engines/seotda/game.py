"""섯다 behind the contract: each method says who may do it, the other modules say what then happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from engines.kernel import codec
from engines.kernel.betting import price
from engines.kernel.contract import Action, Json, PlayerId, Presence, Rejected, Step
from engines.kernel.rng import Rng
from engines.seotda import actions, bets, between, bot, choosing, clock, flow, rejoin, saved
from engines.seotda import result as results
from engines.seotda import view as views
from engines.seotda.ledger import SeotdaLedger
from engines.seotda.options import MAX_PLAYERS, MIN_PLAYERS, check
from engines.seotda.options import Options as SeotdaOptions
from engines.seotda.state import VERSION, Draft, Hand, Seat
from engines.seotda.state import State as SeotdaState

BAD_PLAYERS = Rejected("bad_players", f"{MIN_PLAYERS}명부터 {MAX_PLAYERS}명까지 할 수 있어요")


class Seotda:
    """The game. Holds nothing."""

    id = "seotda"
    title = "섯다"
    state_version = VERSION
    min_players = MIN_PLAYERS
    max_players = MAX_PLAYERS
    minutes = (15, 25)
    Options: type[msgspec.Struct] = SeotdaOptions
    State: type[SeotdaState] = SeotdaState

    def setup(
        self,
        options: Mapping[str, Any] | msgspec.Struct,
        players: Sequence[PlayerId],
        seed: bytes,
        now: int,
        state_version: int | None = None,
    ) -> Step[SeotdaState] | Rejected:
        """Draws the seats, then the dealer, and begins the first hand (document 4, 8.4)."""
        chosen = codec.decode_options(SeotdaOptions, options)
        if isinstance(chosen, Rejected):
            return chosen
        if len(set(players)) < len(players):
            return BAD_PLAYERS
        if (no := check(chosen, len(players))) is not None:
            return no
        if state_version not in (None, VERSION):
            raise ValueError(f"seotda has never been written as version {state_version}")
        order, rng = Rng(seed).shuffle(players)
        base = SeotdaState(
            options=chosen,
            rng=rng,
            seats=tuple([Seat(id=player, seat=n, stack=chosen.starting_chips) for n, player in enumerate(order)]),
            base_unit=chosen.base_unit,
            hand=Hand(hand_no=0, phase="handEnd", dealer_seat=0, first_dealer_seat=0),
            asked_at=now,
        )
        draft = Draft(base, now)
        flow.begin(draft)
        return draft.step()

    def legal(self, state: SeotdaState, player: PlayerId) -> list[Action]:
        """What is asked of the player, answered in every way."""
        return [views.said(offer) for offer in views.offers(state, player)]

    def apply(
        self, state: SeotdaState, player: PlayerId, action: Mapping[str, Any] | msgspec.Struct, now: int
    ) -> Step[SeotdaState] | Rejected:
        """A player's own action (8.2): first whether it answers what is asked, then whether it may be done."""
        said: actions.Action | Rejected = codec.decode_action(actions.Action, action)
        if isinstance(said, Rejected):
            return said
        asked = actions.ASKED_BY[type(said)]
        if actions.question(state, player) != asked:
            return actions.out_of_place(state, player, asked)
        draft = Draft(state, now)
        clock.is_back(draft, player)
        match said:
            case actions.Choose():
                ids = actions.chosen(state, player, said)
                if isinstance(ids, Rejected):
                    return ids
                choosing.choose(draft, player, ids)
            case actions.Rejoin():
                rejoin.answer(draft, player, said.accept)
            case actions.Ready():
                between.ready(draft, player)
            case actions.Rebuy():
                between.rebuy(draft, player, said.accept)
            case _:
                bet = actions.BET_OF[type(said)]
                cost = price(bet, actions.spot(state, player))
                if isinstance(cost, Rejected):
                    return cost
                bets.act(draft, player, bet, cost)
        flow.advance(draft)
        return draft.step()

    def deadline(self, state: SeotdaState) -> int | None:
        return clock.deadline(state)

    def timeout(self, state: SeotdaState, now: int) -> Step[SeotdaState]:
        """The automatic play (8.5) for everybody whose time is up."""
        late = [player for player, due in clock.due(state) if due <= now]
        if not late:
            return Step(state, ())
        draft = Draft(state, now)
        for player in late:
            clock.play_for(state, draft, player)
        flow.advance(draft)
        return draft.step()

    def presence(self, state: SeotdaState, player: PlayerId, status: Presence, now: int) -> Step[SeotdaState]:
        """A lost connection changes nothing: the clock runs on (8.5). Leaving is for good (5.7)."""
        seat = state.seat(player)
        if status != "left" or state.phase == "finished" or seat is None or seat.status in ("left", "eliminated"):
            return Step(state, ())
        draft = Draft(state, now)
        flow.leave(draft, player)
        return draft.step()

    def view(self, state: SeotdaState, viewer: PlayerId | None) -> Json:
        return views.view(state, viewer, clock.deadline(state))

    def result(self, state: SeotdaState) -> Json | None:
        return results.result(state) if state.phase == "finished" else None

    def replay_refusal(self, state: SeotdaState) -> Rejected | None:
        """Every game may be shown again; hidden cards stay hidden in it."""
        return None

    def bot(self, view: Json, legal: list[Action], rng: Random) -> Action:
        return bot.bot(view, legal, rng)

    def ledger(self) -> SeotdaLedger:
        return SeotdaLedger()

    def dump(self, state: SeotdaState) -> Json:
        return codec.dump(state)

    def load(self, data: Json) -> SeotdaState:
        return saved.load(data)
