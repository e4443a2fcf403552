"""How fast a game's engine is on this machine, on one core: ``python -m engines.bench [game] [--json]``.

Some hundred moves of random games are recorded. Then each kind of call is made for all of them, again and again, and
the fastest pass counts, so that other work on the machine does not. A move is what a room does for one: `apply`, and
the `view` of whoever has acted. The digest, which a room also takes of each state, stands apart.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any

import msgspec

from engines.catalog import GAMES
from engines.kernel import codec
from engines.kernel.contract import Action, Game, Json, PlayerId, Rejected
from engines.kernel.legal import sample

LINES = {
    "moves_per_s": "{:>10,.0f} moves a second (apply and view)",
    "apply_us": "{:>10.1f} µs an apply",
    "view_us": "{:>10.1f} µs a view",
    "legal_us": "{:>10.1f} µs a legal list",
    "bot_us": "{:>10.1f} µs a bot's thought",
    "digest_us": "{:>10.1f} µs a digest",
    "state_bytes": "{:>10,.0f} bytes of canonical JSON",
}


class Move(msgspec.Struct):
    """One move of a recorded game."""

    before: Any
    player: PlayerId
    view: Json
    legal: list[Action]
    action: Action
    now: int
    after: Any


def record(game: Game[Any], players: int, moves: int) -> list[Move]:
    """At least so many random moves, of whole games."""
    rng, made, deal = Random(99), list[Move](), 0
    seats = [f"player-{n}" for n in range(players)]
    while len(made) < moves:
        step = game.setup({}, seats, deal.to_bytes(32, "big"), 0)
        assert not isinstance(step, Rejected), step
        state, now, deal = step.state, 0, deal + 1
        while game.result(state) is None:
            now += 1000
            player = next(seat for seat in seats if game.legal(state, seat))
            legal = game.legal(state, player)
            action = sample(legal, rng)
            step = game.apply(state, player, action, now)
            assert not isinstance(step, Rejected), step
            made.append(Move(state, player, game.view(state, player), legal, action, now, step.state))
            state = step.state
    return made


def measure(game: Game[Any], players: int, moves: int, passes: int) -> dict[str, float]:
    """What each call costs in µs, and how many moves a second that makes."""
    made, rng = record(game, players, moves), Random(99)
    calls: dict[str, Callable[[Move], object]] = {
        "apply": lambda move: game.apply(move.before, move.player, move.action, move.now),
        "view": lambda move: game.view(move.after, move.player),
        "legal": lambda move: game.legal(move.before, move.player),
        "bot": lambda move: game.bot(move.view, move.legal, rng),
        "digest": lambda move: codec.digest(move.after),
    }
    costs = {f"{name}_us": min(_pass(call, made) for _ in range(passes)) * 1e6 for name, call in calls.items()}
    size = sum(len(codec.canonical(move.after)) for move in made) / len(made)
    return {"moves_per_s": 1e6 / (costs["apply_us"] + costs["view_us"]), **costs, "state_bytes": size}


def _pass(call: Callable[[Move], object], made: list[Move]) -> float:
    """Seconds a call."""
    start = perf_counter()
    for move in made:
        call(move)
    return (perf_counter() - start) / len(made)


def main() -> None:
    """Prints the figures of one game, or of all."""
    parser = argparse.ArgumentParser(description="How fast the engines are on one core of this machine.")
    parser.add_argument("games", nargs="*", metavar="game", help="ids; all installed games without any")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--passes", type=int, default=100)
    parser.add_argument("--json", action="store_true", help="one JSON object, by game")
    args = parser.parse_args()
    found = {}
    for game in [GAMES[game] for game in args.games] or GAMES.working():
        players = min(max(args.players, game.min_players), game.max_players)
        found[game.id] = {"players": players, **measure(game, players, args.moves, args.passes)}
    if args.json:
        print(json.dumps(found, indent=2))
        return
    for game_id, figures in found.items():
        print(f"{game_id}, {figures['players']:.0f} players")
        for name, line in LINES.items():
            print(line.format(figures[name]))


if __name__ == "__main__":
    main()
