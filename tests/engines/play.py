"""Playing any game of the catalogue at random, from the contract alone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from engines.kernel.codec import options_schema
from engines.kernel.contract import Action, Event, Game, Json, PlayerId, Rejected, Step
from engines.kernel.legal import sample
from engines.kernel.sealed import seed_of

NAMES = tuple("ABCDEFGHIJKLMNOP")
WIDTH = 128  # of sealed seeds: no deck is larger


class Input(msgspec.Struct, frozen=True):
    """One line of a log. Without an action it is a timeout, or where ``left``, a leaving."""

    at: int
    who: PlayerId | None
    action: Action | None = None
    left: bool = False


class Start(msgspec.Struct, frozen=True):
    """What a game begins with."""

    game: str
    options: Json
    players: tuple[PlayerId, ...]
    seed: str  # hex
    at: int = 1_000
    state_version: int | None = None


def ok(step: Step[Any] | Rejected) -> Step[Any]:
    """The step, which must not be a refusal."""
    assert not isinstance(step, Rejected), step
    return step


def random_start(game: Game[Any], rng: Random) -> Start:
    """Any options that the game takes, any head count, either kind of seed."""
    properties = options_schema(game.Options)["properties"]
    while True:
        options = {name: rng.choice(about["enum"]) for name, about in properties.items() if rng.random() < 0.7}
        players = NAMES[: rng.randint(game.min_players, game.max_players)]
        seed = rng.randbytes(32) if rng.random() < 0.5 else seed_of(rng.randbytes(32), rng.randbytes(32), WIDTH)
        start = Start(game.id, options, players, seed.hex())
        if not isinstance(begin(game, start), Rejected):
            return start


def begin(game: Game[Any], start: Start) -> Step[Any] | Rejected:
    """Sets the game up."""
    seed = bytes.fromhex(start.seed)
    return game.setup(start.options, start.players, seed, start.at, start.state_version)


def do(game: Game[Any], state: Any, what: Input) -> Step[Any] | Rejected:
    """Puts one line of a log to the engine."""
    if what.action is not None:
        assert what.who is not None
        return game.apply(state, what.who, what.action, what.at)
    if what.left:
        assert what.who is not None
        return game.presence(state, what.who, "left", what.at)
    return game.timeout(state, what.at)


def askable(game: Game[Any], state: Any, players: tuple[PlayerId, ...]) -> dict[PlayerId, list[Action]]:
    """Who may do something now, and what."""
    return {player: legal for player in players if (legal := game.legal(state, player))}


def random_input(game: Game[Any], state: Any, players: tuple[PlayerId, ...], now: int, rng: Random) -> Input:
    """Mostly somebody's legal action; at times the deadline passes, or somebody leaves."""
    deadline = game.deadline(state)
    chance = rng.random()
    if chance < 0.005:
        return Input(now, rng.choice(players), left=True)
    if chance < 0.05 and deadline is not None:
        return Input(max(now, deadline), None)
    who, legal = rng.choice(list(askable(game, state, players).items()))
    return Input(now, who, sample(legal, rng))


class Moment(msgspec.Struct, frozen=True):
    """One step of a game being played: what was put in (None: the setup), and what came of it."""

    what: Input | None
    state: Any
    events: tuple[Event, ...]
    now: int


def play(game: Game[Any], start: Start, rng: Random, most: int) -> Iterator[Moment]:
    """A whole random game, step by step; fails where it does not end in time."""
    step = ok(begin(game, start))
    now = start.at
    yield Moment(None, step.state, step.events, now)
    for _ in range(most):
        if game.result(step.state) is not None:
            return
        what = random_input(game, step.state, start.players, now + rng.randint(1, 900), rng)
        now = what.at
        step = ok(do(game, step.state, what))
        yield Moment(what, step.state, step.events, now)
    raise AssertionError(f"no end after {most} steps: {start}")


def told(events: tuple[Event, ...], viewer: PlayerId | None) -> list[Event]:
    """What reaches this viewer."""
    return [event for event in events if viewer in event.get("audience", (viewer,))]
