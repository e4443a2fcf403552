"""Whole games as text to be read: what was put in, what was told, and the digest after each step.

The files in ``golden/`` are the expectation. ``python -m tests.engines.golden`` writes them anew from their own heads
and inputs, after a change that is meant; the diff is then the review. ``--play`` lets bots play the games of `CAST`
once more first, which makes quite other games: for when the rules of play themselves have changed.

A line in a file is a head (``players A B C``), an input (``@1500 A {…} = digest``), or, indented, an event; one that
only some were told has their names before it.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from engines.catalog import GAMES
from engines.kernel import codec
from engines.kernel.contract import Json, Step
from tests.engines.play import Input, Start, askable, begin, do, ok

FOLDER = Path(__file__).parent / "golden"
INPUT = re.compile(r"@(\d+) (?:(begins)|(timeout)|(\S+) leaves|(\S+) (\{.*\})) = ([0-9a-f]+)")


def _seed(text: str) -> str:
    return text.encode().hex().ljust(64, "0")


# Games for bots to play, and after how many inputs to stop.
CAST: dict[str, tuple[Start, int]] = {
    "ninety-nine-usual": (Start("ninety-nine", {}, ("A", "B", "C"), _seed("usual")), 500),
    "ninety-nine-lives": (
        Start("ninety-nine", {"lives": 1, "onTheBoard": "on", "handSize": 3}, tuple("ABC"), _seed("lives")),
        500,
    ),
    "ninety-nine-children": (
        Start(
            "ninety-nine",
            {"jokerRange": "0-99", "floorAtZero": "clamp", "afterElimination": "reset", "refill": "off"},
            tuple("ABC"),
            _seed("children"),
        ),
        500,
    ),
    "ninety-nine-classic": (Start("ninety-nine", {"mode": "classic", "lives": 1}, tuple("ABC"), _seed("K")), 500),
    # A game that began under version 1 and was running when version 2 came.
    "ninety-nine-v1-running": (
        Start("ninety-nine", {"lives": 2}, tuple("ABC"), _seed("v1"), state_version=1),
        40,
    ),
    "parlett-three": (Start("parlett-ninety-nine", {"rounds": 3}, tuple("ABC"), _seed("three 6")), 500),
    "parlett-four": (Start("parlett-ninety-nine", {"rounds": 1}, tuple("ABCD"), _seed("four 5")), 500),
    "parlett-npc": (Start("parlett-ninety-nine", {"rounds": 1}, tuple("AB"), _seed("npc 7")), 500),
    "parlett-two": (Start("parlett-ninety-nine", {"rounds": 1, "twoPlayer": "noNpc"}, tuple("AB"), _seed("two")), 500),
    "parlett-trump": (Start("parlett-ninety-nine", {"rounds": 3, "variant": "trump"}, tuple("ABC"), _seed("♦")), 500),
    "parlett-sphinx": (
        Start("parlett-ninety-nine", {"rounds": 3, "variant": "sphinx"}, tuple("ABC"), _seed("sphinx 127")),
        500,
    ),
    "parlett-unbid": (
        Start("parlett-ninety-nine", {"rounds": 1, "variant": "unbid"}, tuple("ABC"), _seed("unbid 285")),
        500,
    ),
    "seotda-usual": (Start("seotda", {"handLimit": 10}, tuple("ABCD"), _seed("usual 32")), 500),
    "seotda-three": (
        Start("seotda", {"cardMode": "three", "handLimit": 10, "maxRaise": "full"}, tuple("ABC"), _seed("three 0")),
        500,
    ),
    # Three rematches of one hand; who had died comes back in.
    "seotda-rematches": (
        Start(
            "seotda",
            {
                "dealMode": "oneRound",
                "handLimit": 10,
                "mungGusa": "upToJang",
                "ttaengjabi": "loose",
                "rejoinCost": "half",
                "baseUnit": 20,
                "startingChips": 500,
                "schoolUpEvery": 5,
            },
            tuple("ABCDEF"),
            _seed("rematches 141"),
        ),
        500,
    ),
    "seotda-last-standing": (
        Start(
            "seotda",
            {
                "endCondition": "lastStanding",
                "startingChips": 500,
                "baseUnit": 20,
                "rebuy": "limited",
                "maxRaise": "full",
                "dealerRule": "rotate",
                "tieRule": "split",
                "gwangTtaeng": "only38",
                "schoolUpEvery": 5,
            },
            tuple("ABCD"),
            _seed("standing 3"),
        ),
        500,
    ),
    "bang-four": (Start("bang", {}, tuple("ABCD"), _seed("four 8")), 500),
    "bang-six": (
        Start("bang", {"showDistanceHelper": "off", "beginnerHints": "off"}, tuple("ABCDEF"), _seed("six 14")),
        500,
    ),
    # A renegade wins; on the way two are dying of one 인디언!.
    "bang-house-rules": (
        Start(
            "bang",
            {
                "drawBeforeDeath": "on",
                "selfTargetCatBalou": "on",
                "beerAtFullHealth": "on",
                "autoBarrel": "off",
                "autoDefend": "off",
                "names": "original",
            },
            tuple("ABCDE"),
            _seed("five-house 6"),
        ),
        500,
    ),
    "bang-children": (
        Start(
            "bang",
            {"characterDraft": "choose2", "deputyCount7": "on", "names": "children"},
            tuple("ABCDEFG"),
            _seed("seven-children 24"),
        ),
        500,
    ),
}


class Golden:
    """A game in a file: how it begins and what is put in."""

    def __init__(self, start: Start, inputs: list[Input]) -> None:
        self.start, self.inputs = start, inputs
        self.game = GAMES[start.game]

    @classmethod
    def read(cls, text: str) -> Golden:
        """The head and the inputs; events and digests are not looked at."""
        head: dict[str, str] = {}
        inputs = []
        for line in text.splitlines():
            if found := INPUT.fullmatch(line):
                at, begins, timeout, leaves, who, action, _ = found.groups()
                if begins:
                    head["at"] = at
                elif timeout:
                    inputs.append(Input(int(at), None))
                elif leaves:
                    inputs.append(Input(int(at), leaves, left=True))
                else:
                    inputs.append(Input(int(at), who, json.loads(action)))
            elif line and not line.startswith((" ", "@", "#")):
                name, _, value = line.partition(" ")
                head[name] = value
        start = Start(
            head["game"],
            json.loads(head["options"]),
            tuple(head["players"].split()),
            head["seed"],
            int(head["at"]),
            int(head["version"]),
        )
        return cls(start, inputs)

    @classmethod
    def played(cls, start: Start, most: int) -> Golden:
        """Bots play; now and then one of them lets the clock run, and one may leave."""
        golden, rng = cls(start, []), Random(start.seed)
        game, step, now = golden.game, ok(begin(golden.game, start)), start.at
        gone: set[str] = set()
        while game.result(step.state) is None and len(golden.inputs) < most:
            now += rng.randrange(200, 4000)
            asked = askable(game, step.state, start.players).items()
            wishes = ((who, game.bot(game.view(step.state, who), legal, rng)) for who, legal in asked)
            who, action = next((who, action) for who, action in wishes if action is not None)
            due = game.deadline(step.state)
            if due is not None and (due <= now or who in gone or rng.random() < 0.1):
                what = Input(max(now, due), None)
            elif rng.random() < 0.02:
                what = Input(now, rng.choice(start.players), left=True)
                gone.add(what.who or "")
            else:
                what = Input(now, who, action)
            golden.inputs.append(what)
            now, step = what.at, ok(do(game, step.state, what))
        return golden

    def steps(self) -> Iterator[tuple[str, Step[Any]]]:
        """The game, played: each input as it is written, and what came of it."""
        step = ok(begin(self.game, self.start))
        yield f"@{self.start.at} begins", step
        for what in self.inputs:
            step = ok(do(self.game, step.state, what))
            if what.action is not None:
                yield f"@{what.at} {what.who} {_line(what.action)}", step
            else:
                yield f"@{what.at} {f'{what.who} leaves' if what.left else 'timeout'}", step

    def text(self) -> str:
        """The whole file."""
        start, version = self.start, self.start.state_version or self.game.state_version
        lines = [
            f"game {start.game}",
            f"version {version}",
            f"options {_line(start.options)}",
            f"players {' '.join(start.players)}",
            f"seed {start.seed}",
        ]
        result = None
        for said, step in self.steps():
            lines += ["", f"{said} = {codec.digest(step.state)}"]
            for event in step.events:
                fields = {name: value for name, value in event.items() if name not in ("type", "audience")}
                to = f"[{' '.join(event['audience'])}] " if "audience" in event else ""
                lines.append(f"    {to}{event['type']} {_line(fields)}")
            result = self.game.result(step.state)
        lines += ["", "# " + ("not finished" if result is None else f"finished: {_line(result)}")]
        return "\n".join(lines) + "\n"


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def main() -> None:
    """Writes the files anew."""
    parser = argparse.ArgumentParser(description="Writes the golden games anew; review the diff.")
    parser.add_argument("--play", action="store_true", help="let bots play the games again first")
    play = parser.parse_args().play
    for name, (start, most) in CAST.items():
        path = FOLDER / f"{name}.txt"
        golden = Golden.played(start, most) if play or not path.exists() else Golden.read(path.read_text())
        path.write_text(golden.text())


if __name__ == "__main__":
    main()
