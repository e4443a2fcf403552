"""Test vectors for whoever checks deals: ``python -m tests.fairness_vectors`` writes ``gateway/vectors/fairness.json``.

`tests/ops/test_fairness.py` and `gateway/web/tests/fair.test.js` hold their checkers to them, and a test says when they
are stale. ``evidence`` is right; each of ``altered`` names a change that makes one of them wrong.
"""

from __future__ import annotations

import json
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import gateway
from cluster.fairness import fairness_of
from engines.catalog import GAMES
from engines.kernel import sealed
from tests.cluster.dealings import number_of, played, started

FILE = Path(gateway.__file__).parent / "vectors" / "fairness.json"
PEOPLE = ("zoe", "안나", "Bob")  # in the order of bytes: Bob, zoe, 안나


def bytes_of(text: str, length: int = 32) -> bytes:
    return sha256(text.encode()).digest()[:length]


def vectors() -> dict[str, Any]:
    numbers = {player: number_of(player) for player in PEOPLE}
    seal, lot = bytes_of("seal").hex(), bytes_of("lot")
    leaves = [sealed.leaf(index, bytes_of(f"salt {index}", 16)) for index in range(7)]
    return {
        "about": "gateway/FAIRNESS.md. Made by python -m tests.fairness_vectors; do not edit.",
        "pledges": [
            {"player": player, "number": number, "pledge": sealed.pledge_of(player, bytes.fromhex(number))}
            for player, number in numbers.items()
        ],
        "lots": [
            {"seal": seal, "numbers": some, "lot": sealed.lot_of(seal, some).hex()} for some in ({}, dict(numbers))
        ],
        "envelopes": [
            {"index": index, "salt": bytes_of(f"salt {index}", 16).hex(), "hash": leaves[index].hex()}
            for index in range(7)
        ],
        "hashes": [
            {"over": [leaf.hex() for leaf in leaves[:many]], "hash": sealed.root(leaves[:many]).hex()}
            for many in range(1, 8)
        ],
        "seals": [
            {
                "width": 5,
                "draws": 3,
                "hash": leaves[0].hex(),
                "pledges": some,
                "seal": sealed.sealed(5, 3, leaves[0], some),
            }
            for some in ({}, dict(numbers))
        ],
        "turns": [
            {"lot": lot.hex(), "draw": draw, "width": width, "turn": sealed.turn(lot, draw, width)}
            for draw, width in ((0, 1), (1, 7), (300, 20))
        ],
        "evidence": evidence(),
        "altered": altered(),
    }


def evidence() -> list[dict[str, Any]]:
    seotda = played(started("seotda", *PEOPLE, options={"handLimit": 10}), Random(3))
    short = played(started("ninety-nine", *PEOPLE, silent=("Bob",)), Random(4), most=9)
    return [
        fairness_of(seotda.log, GAMES.__getitem__, 0, None),
        fairness_of(short.log, GAMES.__getitem__, 0, "안나"),
    ]


def altered() -> list[dict[str, Any]]:
    """Each with why it is wrong: the evidence it is made of, the place in it, and what stands there now."""
    right = evidence()[0]
    deck = next(at for at, draw in enumerate(right["drawn"]) if draw["what"] == "deck" and draw["opened"])
    number, drawn = right["drawn"][deck]["draw"], right["drawn"][deck]
    first, *others = drawn["items"]
    envelope = _first_envelope(right["tree"])
    seats = _draw_of(right, 0)
    empty = next(path for path in _envelopes(seats, []) if _at(seats, path)["index"] >= right["drawn"][0]["count"])
    closed = sealed.leaf(_at(seats, empty)["index"], bytes.fromhex(_at(seats, empty)["salt"])).hex()
    other = bytes_of("other").hex()
    changes: list[tuple[str, list[Any], Any]] = [
        ("a number that nobody pledged", ["numbers", "안나"], other),
        ("a pledge that is another's", ["pledges", "zoe"], right["pledges"]["Bob"]),
        ("a pledge of one who never answered, made up later", ["pledges", "eve"], other),
        ("another lot", ["lot"], other),
        ("another seal", ["seal"], other),
        ("fewer draws than were sealed", ["draws"], right["draws"] - 1),
        ("another version", ["v"], 2),
        ("a card that lay elsewhere", ["drawn", deck, "opened", 0, "item"], _another(drawn)),
        ("a card in another place", ["drawn", deck, "opened", 0, "position"], 19),
        ("a card that came off the deck for another", ["drawn", deck, "opened", 0, "player"], "eve"),
        ("cards that nobody took off the deck", ["drawn", deck, "taken"], []),
        ("an open card that is not told of", ["drawn", deck, "opened"], drawn["opened"][1:]),
        ("the deck in another order", ["drawn", deck, "items"], [*others, first]),
        ("the same card twice", ["drawn", deck, "items"], [first, first, *others[1:]]),
        ("a deck of which nobody may know the cards", ["drawn", deck, "items"], None),
        ("more cards than there were", ["drawn", deck, "count"], drawn["count"] + 1),
        ("another draw", ["drawn", deck, "draw"], number + 1),
        ("another index in an envelope", ["tree", *envelope, "index"], 21),
        ("another salt", ["tree", *envelope, "salt"], bytes_of("other", 16).hex()),
        ("an empty envelope that is closed", ["tree", *_path_of(right["draws"], 0), *empty], closed),
        ("people in another order", ["drawn", 1, "items"], sorted(right["drawn"][1]["items"], reverse=True)),
        ("no tree", ["tree"], []),
    ]
    found = [{"of": 0, "why": why, "at": path, "to": to} for why, path, to in changes]
    theirs = evidence()[1]["drawn"][0]["taken"].index("zoe")
    why = "a card that the viewer was dealt and may not see"
    return [*found, {"of": 1, "why": why, "at": ["drawn", 0, "taken", theirs], "to": "안나"}]


def apply(evidence: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """The evidence with this change."""
    wrong = deepcopy(evidence)
    _at(wrong, change["at"][:-1])[change["at"][-1]] = change["to"]
    return wrong


def _at(tree: Any, path: list[Any]) -> Any:
    for step in path:
        tree = tree[step]
    return tree


def _another(drawn: dict[str, Any]) -> str:
    shown = {one["item"] for one in drawn["opened"]}
    return next(str(item) for item in drawn["items"] if item not in shown)


def _envelopes(tree: Any, path: list[Any]) -> list[list[Any]]:
    if isinstance(tree, dict):
        return [path]
    if isinstance(tree, str):
        return []
    return [found for side in (0, 1) for found in _envelopes(tree[side], [*path, side])]


def _first_envelope(tree: Any) -> list[Any]:
    return _envelopes(tree, [])[0]


def _path_of(many: int, at: int) -> list[int]:
    """The way from the root to leaf ``at`` of so many."""
    if many == 1:
        return []
    left = sealed.split(many)
    return [0, *_path_of(left, at)] if at < left else [1, *_path_of(many - left, at - left)]


def _draw_of(evidence: dict[str, Any], draw: int) -> Any:
    return _at(evidence["tree"], _path_of(evidence["draws"], draw))


def text() -> str:
    return json.dumps(vectors(), ensure_ascii=False, indent=1) + "\n"


def main() -> None:
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(text())


if __name__ == "__main__":
    main()
