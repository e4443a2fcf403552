"""``bench-turn``: the smallest card game that costs what a card game costs, to measure everything around it.

Players act in seat order, each with five hidden cards from a shuffled deck of 52. The one to act plays a card of theirs
and says a number from 0 to 9; it is added to a total, the card goes to the discard pile, another is drawn, and everyone
is told. It goes on until somebody says stop, or until nobody has answered for two rounds.

It is not installed with the other games. Whoever wants it puts ``ops/bench/plugin`` on PYTHONPATH: that registers it as
any package of others would register its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Annotated, Any, Literal, assert_never

import msgspec

from engines.kernel import codec
from engines.kernel.codec import choice
from engines.kernel.contract import Action, Game, Json, PlayerId, Presence, Rejected, Step
from engines.kernel.legal import ranged, sample
from engines.kernel.rng import Rng

DECK = tuple(f"c{number}" for number in range(52))
HAND = 5
BOT_STOPS_AFTER = 300  # plays: a game of bots takes so long
SILENT_ROUNDS = 2

BAD_PLAYERS = Rejected("bad_players", "2명부터 8명까지 할 수 있어요")
FINISHED = Rejected("finished", "이미 끝난 게임이에요")
NOT_PLAYING = Rejected("not_playing", "이 게임을 하고 있지 않아요")
NOT_YOUR_TURN = Rejected("not_your_turn", "아직 내 차례가 아니에요")
NO_SUCH_CARD = Rejected("no_such_card", "손에 없는 카드예요")


class _Action(msgspec.Struct, frozen=True, rename="camel", tag_field="type", forbid_unknown_fields=True):
    """Base of the actions."""


class Play(_Action, tag="play", frozen=True):
    card_id: str
    n: Annotated[int, msgspec.Meta(ge=0, le=9)]


class Stop(_Action, tag="stop", frozen=True):
    """That is enough."""


class TurnOptions(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """How long a turn may take. A measurement does not want to be interrupted: an hour."""

    turn_seconds: Annotated[
        Literal[2, 5, 30, 3600], choice("제한 시간", {2: "2초", 5: "5초", 30: "30초", 3600: "1시간"})
    ] = 30


class TurnState(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One moment of a game. The first card of the pile is its top."""

    options: TurnOptions
    rng: Rng
    seats: tuple[PlayerId, ...]
    hands: dict[PlayerId, tuple[str, ...]]
    pile: tuple[str, ...]
    discard: tuple[str, ...]
    total: int
    seq: int  # plays so far
    next: int  # the seat to act
    silent: int  # turns in a row that nobody answered
    turn_started_at: int
    phase: Literal["playing", "finished"] = "playing"


_replace = msgspec.structs.replace


class BenchTurn:
    """The game. Holds nothing."""

    id = "bench-turn"
    title = "차례 재기"
    state_version = 1
    min_players = 2
    max_players = 8
    minutes = (1, 5)
    Options: type[msgspec.Struct] = TurnOptions
    State: type[TurnState] = TurnState

    def setup(
        self,
        options: Mapping[str, Any] | msgspec.Struct,
        players: Sequence[PlayerId],
        seed: bytes,
        now: int,
        state_version: int | None = None,
    ) -> Step[TurnState] | Rejected:
        chosen = codec.decode_options(TurnOptions, options)
        if isinstance(chosen, Rejected):
            return chosen
        seats = tuple(players)
        if not self.min_players <= len(seats) <= self.max_players or len(set(seats)) < len(seats):
            return BAD_PLAYERS
        if state_version not in (None, self.state_version):
            raise ValueError(f"bench-turn has never been written as version {state_version}")
        cards, rng = Rng(seed).shuffle(DECK)
        hands = {player: cards[seat * HAND : (seat + 1) * HAND] for seat, player in enumerate(seats)}
        state = TurnState(
            options=chosen,
            rng=rng,
            seats=seats,
            hands=hands,
            pile=cards[len(seats) * HAND :],
            discard=(),
            total=0,
            seq=0,
            next=0,
            silent=0,
            turn_started_at=now,
        )
        return Step(state, ({"type": "dealt", "seats": list(seats), "next": 0},))

    def legal(self, state: TurnState, player: PlayerId) -> list[Action]:
        if state.phase == "finished" or player != state.seats[state.next]:
            return []
        plays = [{"type": "play", "cardId": card, "n": ranged(0, 9)} for card in state.hands[player]]
        return [*plays, {"type": "stop"}]

    def apply(
        self, state: TurnState, player: PlayerId, action: Mapping[str, Any] | msgspec.Struct, now: int
    ) -> Step[TurnState] | Rejected:
        said: Play | Stop | Rejected = codec.decode_action(Play | Stop, action)
        if isinstance(said, Rejected):
            return said
        if state.phase == "finished":
            return FINISHED
        if player not in state.seats:
            return NOT_PLAYING
        if player != state.seats[state.next]:
            return NOT_YOUR_TURN
        match said:
            case Stop():
                return _finish(state, {"type": "stopped", "player": player})
            case Play(card_id=card, n=n):
                return _play(_replace(state, silent=0), card, n, now) if card in state.hands[player] else NO_SUCH_CARD
            case _:
                assert_never(said)

    def deadline(self, state: TurnState) -> int | None:
        return None if state.phase == "finished" else state.turn_started_at + 1000 * state.options.turn_seconds

    def timeout(self, state: TurnState, now: int) -> Step[TurnState]:
        """Plays the first card and 0; ends the game after two silent rounds."""
        deadline = self.deadline(state)
        if deadline is None or now < deadline:
            return Step(state, ())
        player = state.seats[state.next]
        if state.silent + 1 >= SILENT_ROUNDS * len(state.seats):
            return _finish(state, {"type": "abandoned", "player": player})
        return _play(_replace(state, silent=state.silent + 1), state.hands[player][0], 0, now)

    def presence(self, state: TurnState, player: PlayerId, status: Presence, now: int) -> Step[TurnState]:
        """Changes nothing: the clock runs on."""
        return Step(state, ())

    def view(self, state: TurnState, viewer: PlayerId | None) -> Json:
        shown: Json = {
            "seats": list(state.seats),
            "handCounts": {player: len(hand) for player, hand in state.hands.items()},
            "pile": len(state.pile),
            "top": state.discard[0] if state.discard else None,
            "total": state.total,
            "seq": state.seq,
            "next": state.next,
            "phase": state.phase,
            "deadline": self.deadline(state),
        }
        if viewer in state.hands:
            shown["hand"] = list(state.hands[viewer])
        if (result := self.result(state)) is not None:
            shown["result"] = result
        return shown

    def result(self, state: TurnState) -> Json | None:
        """Whoever is to act when it ends has won: somebody has to."""
        if state.phase != "finished":
            return None
        order = state.seats[state.next :] + state.seats[: state.next]
        ranking = [{"player": player, "rank": rank} for rank, player in enumerate(order, start=1)]
        return {"ranking": ranking, "winner": [order[0]], "summary": f"{state.seq}번 만에 끝났어요"}

    def replay_refusal(self, state: TurnState) -> Rejected | None:
        return None

    def bot(self, view: Json, legal: list[Action], rng: Random) -> Action:
        plays = legal[:-1] if view["seq"] < BOT_STOPS_AFTER else legal[-1:]
        return sample(plays, rng)

    def dump(self, state: TurnState) -> Json:
        return codec.dump(state)

    def load(self, data: Json) -> TurnState:
        state = codec.load(TurnState, data)
        if wrong := "; ".join(_inconsistencies(state)):
            raise ValueError(f"not a state of bench-turn: {wrong}")
        return state


def _play(state: TurnState, card: str, n: int, now: int) -> Step[TurnState]:
    """The one to act plays this card and draws another."""
    seat = state.next
    player = state.seats[seat]
    pile, discard, rng = state.pile, (card, *state.discard), state.rng
    if not pile:
        pile, rng = rng.shuffle(discard[1:])
        discard = discard[:1]
    hand = (*(held for held in state.hands[player] if held != card), pile[0])
    after = (seat + 1) % len(state.seats)
    state = _replace(
        state,
        rng=rng,
        hands={**state.hands, player: hand},
        pile=pile[1:],
        discard=discard,
        total=state.total + n,
        seq=state.seq + 1,
        next=after,
        turn_started_at=now,
    )
    event = {
        "type": "played",
        "seq": state.seq,
        "player": player,
        "cardId": card,
        "n": n,
        "total": state.total,
        "next": after,
        "nextPlayer": state.seats[after],
        "pile": len(state.pile),
    }
    return Step(state, (event,))


def _finish(state: TurnState, event: Json) -> Step[TurnState]:
    return Step(_replace(state, phase="finished"), (event,))


def _inconsistencies(state: TurnState) -> Iterator[str]:
    if not 2 <= len(set(state.seats)) == len(state.seats) or state.hands.keys() != set(state.seats):
        yield "the seats are not different players, each with a hand"
    cards = [card for cards in (state.pile, state.discard, *state.hands.values()) for card in cards]
    if sorted(cards) != sorted(DECK):
        yield "the cards are not the deck"
    if any(len(hand) != HAND for hand in state.hands.values()):
        yield f"a hand has not {HAND} cards"
    if not 0 <= state.next < len(state.seats):
        yield f"seat {state.next} is to act"


GAME: Game[TurnState] = BenchTurn()
