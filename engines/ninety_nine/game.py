"""구십구 behind the contract: each method says who may do it, the other modules say what then happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from engines.kernel import codec
from engines.kernel.contract import Action, Json, PlayerId, Presence, Rejected, Step
from engines.kernel.legal import ranged
from engines.kernel.rng import Rng
from engines.ninety_nine import auto, bot, flow, rules, saved
from engines.ninety_nine import view as views
from engines.ninety_nine.cards import Card, deck
from engines.ninety_nine.ledger import NinetyNineLedger
from engines.ninety_nine.options import AUTO_HAND, resolve
from engines.ninety_nine.options import Options as NNOptions
from engines.ninety_nine.rules import Offer, Play
from engines.ninety_nine.state import VERSION, Draft
from engines.ninety_nine.state import State as NinetyNineState

FINISHED = Rejected("finished", "이미 끝난 게임이에요")
NOT_PLAYING = Rejected("not_playing", "이 게임을 하고 있지 않아요")
ELIMINATED = Rejected("eliminated", "이미 탈락해서 낼 수 없어요")
NOT_YOUR_TURN = Rejected("not_your_turn", "아직 내 차례가 아니에요")
NO_SUCH_CARD = Rejected("no_such_card", "손에 없는 카드예요")
BAD_PLAYERS = Rejected("bad_players", "2명부터 10명까지 할 수 있어요")
OLD_REPLAY = Rejected("old_version", "예전 규칙으로 한 게임은 다시 보기를 할 수 없어요")


class NinetyNine:
    """The game. Holds nothing."""

    id = "ninety-nine"
    title = "구십구"
    state_version = VERSION
    min_players = 2
    max_players = 10
    minutes = (5, 15)
    Options: type[msgspec.Struct] = NNOptions
    State: type[NinetyNineState] = NinetyNineState

    def setup(
        self,
        options: Mapping[str, Any] | msgspec.Struct,
        players: Sequence[PlayerId],
        seed: bytes,
        now: int,
        state_version: int | None = None,
    ) -> Step[NinetyNineState] | Rejected:
        """Deals. Under version 1 an absent option means what it meant then (NN-4)."""
        chosen = codec.decode_options(NNOptions, options)
        if isinstance(chosen, Rejected):
            return chosen
        seats = tuple(players)
        if not self.min_players <= len(seats) <= self.max_players or len(set(seats)) < len(seats):
            return BAD_PLAYERS
        version = VERSION if state_version is None else state_version
        if version not in AUTO_HAND:
            raise ValueError(f"ninety-nine has never been written as version {version}")
        effective = resolve(chosen, version, len(seats))
        draft = Draft(
            NinetyNineState(
                state_version=version,  # type: ignore[arg-type]  # 1 or 2, as was just made sure of
                mode=chosen.mode,
                options=chosen,
                effective=effective,
                rng=Rng(seed),
                seats=seats,
                hands=dict.fromkeys(seats, ()),
                draw_pile=deck(effective, version),
                discard=(),
                total=0,
                direction=1,
                current=seats[0],
                alive=dict.fromkeys(seats, True),
                lives=dict.fromkeys(seats, effective.lives),
                on_board=dict.fromkeys(seats, False),
                elimination_order=(),
                round=1,
                phase="playing",
                turn_started_at=now,
                seq=0,
            ),
            now,
        )
        flow.begin(draft)
        return draft.step()

    def legal(self, state: NinetyNineState, player: PlayerId) -> list[Action]:
        """The current player's plays; a joker's numbers as one range."""
        if state.phase == "finished" or player != state.current:
            return []
        total, effective = state.total, state.rules
        return [
            _action(card, offer)
            for card in state.hands[player]
            for offer in rules.offers(card, total, effective)
            if offer.refusal is None
        ]

    def apply(
        self, state: NinetyNineState, player: PlayerId, action: Mapping[str, Any] | msgspec.Struct, now: int
    ) -> Step[NinetyNineState] | Rejected:
        """A player's own play (8.2)."""
        play = codec.decode_action(Play, action)
        if isinstance(play, Rejected):
            return play
        if state.phase == "finished":
            return FINISHED
        if player != state.current:
            return NOT_YOUR_TURN if state.alive.get(player) else ELIMINATED if player in state.alive else NOT_PLAYING
        card = next((held for held in state.hands[player] if held.id == play.card_id), None)
        if card is None:
            return NO_SUCH_CARD
        offer = rules.judge(card, play, state.total, state.rules)
        if isinstance(offer, Rejected):
            return offer
        draft = Draft(state, now)
        if player in draft.missed_turns:  # a play of one's own ends the hurry (NN-25)
            draft.missed_turns = {other: n for other, n in draft.missed_turns.items() if other != player}
        flow.play(draft, card, offer)
        return draft.step()

    def deadline(self, state: NinetyNineState) -> int | None:
        """turnStartedAt + turnSeconds (8.5), or less for someone who is not there."""
        if state.phase == "finished":
            return None
        return state.turn_started_at + auto.turn_ms(state, state.current)

    def timeout(self, state: NinetyNineState, now: int) -> Step[NinetyNineState]:
        """The automatic play, if it is due."""
        deadline = self.deadline(state)
        if deadline is None or now < deadline:
            return Step(state, ())
        card, offer = auto.automatic(state)
        draft = Draft(state, now)
        player = state.current
        draft.missed_turns = {**draft.missed_turns, player: draft.missed_turns.get(player, 0) + 1}
        draft.tell("timedOut", player=player)
        flow.play(draft, card, offer)
        return draft.step()

    def presence(self, state: NinetyNineState, player: PlayerId, status: Presence, now: int) -> Step[NinetyNineState]:
        """A lost connection changes nothing: the clock runs on (8.5). Leaving is for good (NN-26)."""
        if status != "left" or state.phase == "finished" or not state.alive.get(player) or player in state.left:
            return Step(state, ())
        left = msgspec.structs.replace(state, left=(*state.left, player), seq=state.seq + 1)
        return Step(left, ({"type": "playerLeft", "player": player},))

    def view(self, state: NinetyNineState, viewer: PlayerId | None) -> Json:
        return views.view(state, viewer, self.deadline(state))

    def result(self, state: NinetyNineState) -> Json | None:
        return views.result(state) if state.phase == "finished" else None

    def replay_refusal(self, state: NinetyNineState) -> Rejected | None:
        """A game that began under version 1 stays one, also when it ended after version 2 came (NN-5)."""
        return OLD_REPLAY if state.state_version == 1 else None

    def bot(self, view: Json, legal: list[Action], rng: Random) -> Action:
        return bot.bot(view, legal, rng)

    def ledger(self) -> NinetyNineLedger:
        return NinetyNineLedger()

    def dump(self, state: NinetyNineState) -> Json:
        return codec.dump(state)

    def load(self, data: Json) -> NinetyNineState:
        return saved.load(data)


def _action(card: Card, offer: Offer) -> Action:
    action: Action = {"type": "play", "cardId": card.id}
    if offer.upto is not None:
        action["jokerValue"] = ranged(offer.total, offer.upto)
    elif offer.field is not None:
        action[offer.field] = offer.choice
    return action
