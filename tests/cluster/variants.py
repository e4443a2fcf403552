"""Games that are `lamps` with one thing changed: each is a way in which a game can surprise its room."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from engines.kernel.contract import Rejected, Step
from engines.kernel.rng import Rng
from tests.cluster.lamps import Lamps, State


class CrashingBot(Lamps):
    """Its bot dies of its own bug."""

    def bot(self, view: dict[str, Any], legal: list[dict[str, Any]], rng: Random) -> dict[str, Any]:
        raise IndexError("no idea")


class IllegalBot(Lamps):
    """Its bot plays what may not be played."""

    def bot(self, view: dict[str, Any], legal: list[dict[str, Any]], rng: Random) -> dict[str, Any]:
        return {"type": "light", "colour": "octarine"}


class HopelessBot(CrashingBot):
    """And the first legal action crashes as well."""

    def legal(self, state: State, player: str) -> list[dict[str, Any]]:
        return list(reversed(super().legal(state, player)))


class Stubborn(Lamps):
    """Its timeout leaves everything as it was."""

    def timeout(self, state: State, now: int) -> Step[State]:
        return Step(state, ())


class Fragile(Lamps):
    """Its engine cannot bear anybody's coming or going."""

    def presence(self, state: State, player: str, status: str, now: int) -> Step[State]:
        raise KeyError(player)


class Undealable(Lamps):
    """Its engine dies when a game is to begin."""

    def setup(self, options: Any, players: Any, seed: bytes, now: int, state_version: int | None = None) -> Any:
        raise ZeroDivisionError("no cards")


class Picky(Lamps):
    """Its engine refuses to deal."""

    def setup(self, options: Any, players: Any, seed: bytes, now: int, state_version: int | None = None) -> Any:
        return Rejected("bad_players", "이 사람들과는 못 해요")


class Drawn(Lamps):
    """It draws with the kernel's generator, so that its deals can be sealed."""

    def setup(self, options: Any, players: Any, seed: bytes, now: int, state_version: int | None = None) -> Any:
        Rng(seed).shuffle(players)
        return super().setup(options, players, seed, now, state_version)


class Private(Lamps):
    """Its finished games are not shown again."""

    def replay_refusal(self, state: State) -> Rejected | None:
        return Rejected("replay_refused", "이 게임은 다시 볼 수 없어요")


class Together(Lamps):
    """Everyone is asked at once: a round ends when all have lit a lamp, and the next one asks all again."""

    def legal(self, state: State, player: str) -> list[dict[str, Any]]:
        lit = state.lamps.count(player)
        if state.phase == "finished" or any(state.lamps.count(other) < lit for other in state.players):
            return []
        return [{"type": "light", "colour": "red"}]

    def apply(self, state: State, player: str, action: Any, now: int) -> Any:
        if not self.legal(state, player):
            return Rejected("not_your_turn", "아직 차례가 아니에요")
        return self._light(state, player, now)

    def timeout(self, state: State, now: int) -> Step[State]:
        waited = [player for player in state.players if self.legal(state, player)]
        events: tuple[Any, ...] = ()
        for player in waited:
            if state.phase != "finished":
                step = self._light(state, player, now)
                state, events = step.state, events + step.events
        return Step(state, events)

    def _light(self, state: State, player: str, now: int) -> Step[State]:
        step = super()._light(state, player, now)
        # the deadline is the round's: it moves when everyone has lit
        counts = {step.state.lamps.count(other) for other in state.players}
        deadline = step.state.deadline if len(counts) == 1 else state.deadline
        return Step(msgspec.structs.replace(step.state, deadline=deadline), step.events)


class BrightState(State, frozen=True, rename="camel"):
    """A state of the second version."""

    state_version: int = 2


class Brighter(Lamps):
    """The second version of `lamps`: who lights a lamp lights two. Games of the first keep its rule."""

    state_version = 2

    def setup(self, options: Any, players: Any, seed: bytes, now: int, state_version: int | None = None) -> Any:
        if state_version not in (None, 1, 2):
            raise ValueError(state_version)
        begun = super().setup(options, players, seed, now)
        if state_version == 1 or isinstance(begun, Rejected):
            return begun
        return Step(BrightState(**msgspec.structs.asdict(begun.state)), begun.events)

    def _light(self, state: State, player: str, now: int) -> Step[State]:
        step = super()._light(state, player, now)
        if not isinstance(state, BrightState):
            return step
        lamps = (*step.state.lamps, player)
        phase = "finished" if len(lamps) >= state.options.lamps else "playing"
        return Step(msgspec.structs.replace(step.state, lamps=lamps, phase=phase), step.events)

    def load(self, data: dict[str, Any]) -> State:
        return msgspec.convert(data, BrightState if "stateVersion" in data else State)


BRIGHTER = Brighter()


def as_game(kind: type[Lamps], name: str) -> Lamps:
    """One of them, under a name of its own."""
    game = kind()
    game.id = name
    return game


VARIANTS = {
    name: as_game(kind, name)
    for name, kind in {
        "crashing-bot": CrashingBot,
        "illegal-bot": IllegalBot,
        "hopeless-bot": HopelessBot,
        "stubborn": Stubborn,
        "fragile": Fragile,
        "undealable": Undealable,
        "picky": Picky,
        "drawn": Drawn,
        "private": Private,
        "together": Together,
    }.items()
}


def __getattr__(name: str) -> Lamps:
    """Entry points name their object as an attribute."""
    try:
        return VARIANTS[name]
    except KeyError:
        raise AttributeError(name) from None
