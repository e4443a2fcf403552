"""How fast a game's engine is on this machine, on one core: ``python -m engines.bench [game] [--json]``.

Random legal games, as a room plays them: for every move `apply`, then the `view` of whoever is next. The digest,
which a room also takes of each state, is measured apart, over the same states.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any, TypeVar

from engines.catalog import GAMES
from engines.kernel import codec
from engines.kernel.contract import Game, Rejected
from engines.kernel.legal import sample

T = TypeVar("T")

LINES = {
    "moves": "{:>12,.0f} moves were made",
    "moves_per_s": "{:>12,.0f} moves a second (apply and view)",
    "apply_us": "{:>12.1f} µs an apply",
    "view_us": "{:>12.1f} µs a view",
    "legal_us": "{:>12.1f} µs a legal list",
    "bot_us": "{:>12.1f} µs a bot's thought",
    "digest_us": "{:>12.1f} µs a digest",
    "state_bytes": "{:>12,.0f} bytes of canonical JSON",
}


class Stopwatch:
    """Adds up what each kind of call took."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def __call__(self, name: str, call: Callable[..., T], *args: Any) -> T:
        start = perf_counter()
        answer = call(*args)
        self.spent[name] = self.spent.get(name, 0.0) + perf_counter() - start
        return answer


def measure(game: Game[Any], players: int, moves: int) -> dict[str, float]:
    """Plays at least so many random moves and says what one costs."""
    watch, rng, made, size, deal = Stopwatch(), Random(99), 0, 0, 0
    seats = [f"player-{n}" for n in range(players)]
    while made < moves:
        step = game.setup({}, seats, deal.to_bytes(32, "big"), 0)
        now, deal = 0, deal + 1
        while not isinstance(step, Rejected) and game.result(step.state) is None:
            state, now = step.state, now + 1000
            player = next(seat for seat in seats if game.legal(state, seat))
            legal = watch("legal", game.legal, state, player)
            watch("bot", game.bot, game.view(state, player), legal, rng)
            step = watch("apply", game.apply, state, player, sample(legal, rng), now)
            assert not isinstance(step, Rejected), step
            watch("view", game.view, step.state, player)
            size += len(codec.canonical(step.state))
            watch("digest", codec.digest, step.state)
            made += 1
    return {
        "moves": made,
        "moves_per_s": made / (watch.spent["apply"] + watch.spent["view"]),
        **{f"{name}_us": seconds / made * 1e6 for name, seconds in watch.spent.items()},
        "state_bytes": size / made,
    }


def main() -> None:
    """Prints the figures of one game, or of all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("games", nargs="*", metavar="game", help="ids; all installed games without any")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--moves", type=int, default=20_000)
    parser.add_argument("--json", action="store_true", help="one JSON object, by game")
    args = parser.parse_args()
    games = [GAMES[game] for game in args.games] or GAMES.working()
    found = {}
    for game in games:
        players = min(max(args.players, game.min_players), game.max_players)
        found[game.id] = {"players": players, **measure(game, players, args.moves)}
    if args.json:
        print(json.dumps(found, indent=2))
        return
    for game_id, figures in found.items():
        print(f"{game_id}, {figures['players']:.0f} players")
        for name, line in LINES.items():
            print(line.format(figures[name]))


if __name__ == "__main__":
    main()
