"""A game for tests of the cluster: small, with a secret, a deadline, and a bug on demand.

Everyone holds a secret number. In turn each player switches a lamp on; the fifth lamp of the table wins. A player who
is too slow has one switched on for them.
"""

from __future__ import annotations

from random import Random
from typing import Any, Literal

import msgspec

from engines.kernel import codec
from engines.kernel.contract import Rejected, Step


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lamps: int = 5
    seconds: int = 15
    ms: int = 0  # beside the seconds

    @property
    def patience(self) -> int:
        """How long a turn may take, in ms; 0: for ever."""
        return self.seconds * 1000 + self.ms


class State(msgspec.Struct, frozen=True, rename="camel"):
    players: tuple[str, ...]
    secrets: dict[str, int]
    lamps: tuple[str, ...]
    turn: int
    deadline: int
    options: Options
    away: tuple[str, ...] = ()
    phase: str = "playing"


class Lamps:
    id = "lamps"
    title = "등불"
    state_version = 1
    min_players = 2
    max_players = 4
    minutes = (1, 2)
    Options = Options
    State = State

    def setup(self, options: Any, players: Any, seed: bytes, now: int, state_version: int | None = None) -> Any:
        options = codec.decode_options(Options, options)
        if isinstance(options, Rejected):
            return options
        numbers = Random(seed)
        secrets = {player: numbers.randrange(10**9) for player in players}
        state = State(tuple(players), secrets, (), 0, now + options.patience, options)
        dealt = tuple({"type": "dealt", "secret": secrets[p], "audience": [p]} for p in players)
        return Step(state, ({"type": "started"}, *dealt))

    def legal(self, state: State, player: str) -> list[dict[str, Any]]:
        if state.phase == "finished" or state.players[state.turn] != player:
            return []
        return [{"type": "light", "colour": "red"}, {"type": "light", "colour": "blue"}, {"type": "crash"}]

    def apply(self, state: State, player: str, action: Any, now: int) -> Any:
        if action.get("type") == "crash":
            raise ZeroDivisionError("asked for")
        if action.get("type") != "light" or action.get("colour") not in ("red", "blue"):
            return Rejected("bad_action", "알 수 없는 행동이에요")
        if self.result(state) or state.players[state.turn] != player:
            return Rejected("not_your_turn", "아직 차례가 아니에요")
        return self._light(state, player, now)

    def _light(self, state: State, player: str, now: int) -> Step[State]:
        lamps = (*state.lamps, player)
        phase: Literal["playing", "finished"] = "finished" if len(lamps) >= state.options.lamps else "playing"
        turn = (state.turn + 1) % len(state.players)
        deadline = now + state.options.patience
        after = msgspec.structs.replace(state, lamps=lamps, turn=turn, deadline=deadline, phase=phase)
        return Step(after, ({"type": "lit", "player": player, "lamps": len(lamps)},))

    def deadline(self, state: State) -> int | None:
        return None if state.phase == "finished" or not state.options.patience else state.deadline

    def timeout(self, state: State, now: int) -> Step[State]:
        return self._light(state, state.players[state.turn], now)

    def presence(self, state: State, player: str, status: str, now: int) -> Step[State]:
        away = tuple(p for p in state.away if p != player) + (() if status == "online" else (player,))
        return Step(msgspec.structs.replace(state, away=away), ({"type": status, "player": player},))

    def view(self, state: State, viewer: str | None) -> dict[str, Any]:
        view = {"lamps": list(state.lamps), "turn": state.players[state.turn], "deadline": state.deadline}
        if viewer in state.secrets:
            view["secret"] = state.secrets[viewer]
        return view

    def result(self, state: State) -> dict[str, Any] | None:
        return {"winner": [state.lamps[-1]]} if state.phase == "finished" else None

    def replay_refusal(self, state: State) -> Rejected | None:
        return None

    def bot(self, view: dict[str, Any], legal: list[dict[str, Any]], rng: Random) -> dict[str, Any]:
        return legal[rng.randrange(2)]

    def dump(self, state: State) -> dict[str, Any]:
        return msgspec.to_builtins(state)

    def load(self, data: dict[str, Any]) -> State:
        return msgspec.convert(data, State)


GAME = Lamps()
