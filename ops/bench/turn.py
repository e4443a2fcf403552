"""``bench-turn``: the game of the comparison harness as a game of hanpan, to measure everything around it.

Players act in seat order. The one to act plays the card they have and says a number from 0 to 9; it is added to a
total, and everyone is told. Cards come from an endless pack in a known order: nothing is hidden, as in the harness's
own. It goes on until somebody says stop, or until nobody has answered for two rounds.

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

PACK = 52  # cards are c0 … c51, and c0 again
BOT_STOPS_AFTER = 300  # plays: a game of bots takes so long
SILENT_ROUNDS = 2

BAD_PLAYERS = Rejected("bad_players", "2명부터 8명까지 할 수 있어요")
FINISHED = Rejected("finished", "이미 끝난 게임이에요")
NOT_PLAYING = Rejected("not_playing", "이 게임을 하고 있지 않아요")
NOT_YOUR_TURN = Rejected("not_your_turn", "아직 내 차례가 아니에요")
NO_SUCH_CARD = Rejected("no_such_card", "손에 없는 카드예요")
PAD = "x" * 80  # the harness's games send events of about 200 bytes


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
    """One moment of a game."""

    options: TurnOptions
    seats: tuple[PlayerId, ...]
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
        state = TurnState(
            options=chosen,
            seats=seats,
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
        return [{"type": "play", "cardId": _card(state), "n": ranged(0, 9)}, {"type": "stop"}]

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
                return _play(state, n, now, silent=0) if card == _card(state) else NO_SUCH_CARD
            case _:
                assert_never(said)

    def deadline(self, state: TurnState) -> int | None:
        return None if state.phase == "finished" else state.turn_started_at + 1000 * state.options.turn_seconds

    def timeout(self, state: TurnState, now: int) -> Step[TurnState]:
        """Plays the card and 0; ends the game after two silent rounds."""
        deadline = self.deadline(state)
        if deadline is None or now < deadline:
            return Step(state, ())
        player = state.seats[state.next]
        if state.silent + 1 >= SILENT_ROUNDS * len(state.seats):
            return _finish(state, {"type": "abandoned", "player": player})
        return _play(state, 0, now, silent=state.silent + 1)

    def presence(self, state: TurnState, player: PlayerId, status: Presence, now: int) -> Step[TurnState]:
        """Changes nothing: the clock runs on."""
        return Step(state, ())

    def view(self, state: TurnState, viewer: PlayerId | None) -> Json:
        shown: Json = {
            "seats": list(state.seats),
            "total": state.total,
            "seq": state.seq,
            "next": state.next,
            "phase": state.phase,
            "deadline": state.turn_started_at + 1000 * state.options.turn_seconds,
        }
        if state.phase == "finished":
            shown |= {"deadline": None, "result": self.result(state)}
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


def _card(state: TurnState) -> str:
    """The one that can be played now."""
    return f"c{state.seq % PACK}"


def _play(state: TurnState, n: int, now: int, silent: int) -> Step[TurnState]:
    """The one to act plays."""
    seat = state.next
    after = (seat + 1) % len(state.seats)
    total, seq = state.total + n, state.seq + 1
    event = {
        "type": "played",
        "seq": seq,
        "seat": seat,
        "next": after,
        "cardId": _card(state),
        "n": n,
        "total": total,
        "at": now,
        "pad": PAD,
    }
    return Step(_replace(state, total=total, seq=seq, next=after, silent=silent, turn_started_at=now), (event,))


def _finish(state: TurnState, event: Json) -> Step[TurnState]:
    return Step(_replace(state, phase="finished"), (event,))


def _inconsistencies(state: TurnState) -> Iterator[str]:
    if not 2 <= len(set(state.seats)) == len(state.seats):
        yield "the seats are not different players"
    if not 0 <= state.next < len(state.seats):
        yield f"seat {state.next} is to act"


GAME: Game[TurnState] = BenchTurn()
