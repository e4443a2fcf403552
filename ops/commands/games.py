"""``hanpan games``: the games that are installed here, and those that cannot be used."""

from __future__ import annotations

import argparse
import json

from ops.options import add_json
from ops.tables import table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """1 where a registered game cannot be used."""
    from engines.catalog import GAMES

    games, broken = GAMES.working(), GAMES.broken()
    if args.json:
        listed = [
            {
                "id": game.id,
                "title": game.title,
                "players": [game.min_players, game.max_players],
                "minutes": list(game.minutes),
                "stateVersion": game.state_version,
            }
            for game in games
        ]
        print(json.dumps({"games": listed, "broken": broken}, ensure_ascii=False))
    else:
        head = ("game", "title", "players", "minutes", "state version")
        rows = [
            (g.id, g.title, f"{g.min_players}-{g.max_players}", "-".join(map(str, g.minutes)), g.state_version)
            for g in games
        ]
        print(table(head, rows))
        for reason in broken.values():
            print(f"\n{reason}")
    return 1 if broken else 0
