"""The checker of deals: it passes what is right, and finds whatever was altered."""

from __future__ import annotations

import json
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from ops import fairness
from ops.fairness import check, count
from tests.fairness_vectors import FILE, apply, text

VECTORS: dict[str, Any] = json.loads(FILE.read_text())
ALTERED = VECTORS["altered"]


def test_the_vectors_are_what_the_code_makes() -> None:
    """``python -m tests.fairness_vectors`` writes them anew; a change means that no old evidence can be checked."""
    assert FILE.read_text() == text()


@pytest.mark.parametrize("evidence", VECTORS["evidence"], ids=lambda one: one["game"])
def test_right_evidence_is_right(evidence: dict[str, Any]) -> None:
    assert check(evidence) == []
    assert count(evidence) > 5


@pytest.mark.parametrize("change", ALTERED, ids=[one["why"] for one in ALTERED])
def test_altered_evidence_is_found_out(change: dict[str, Any]) -> None:
    wrong = apply(VECTORS["evidence"][change["of"]], change)
    assert check(wrong) != []


def test_the_small_steps() -> None:
    for one in VECTORS["lots"]:
        assert fairness._lot(one["seal"], one["numbers"]).hex() == one["lot"]
    for one in VECTORS["turns"]:
        assert fairness._turn(bytes.fromhex(one["lot"]), one["draw"], one["width"]) == one["turn"]
    for one in VECTORS["envelopes"]:
        opened: dict[tuple[int, int], int] = {}
        tree = {"index": one["index"], "salt": one["salt"]}
        assert fairness._hash_of_slots(tree, 0, 0, 1, opened).hex() == one["hash"]
        assert opened == {(0, 0): one["index"]}
    for one in VECTORS["hashes"]:
        tree = nested(one["over"])
        assert fairness._hash_of_slots(tree, 0, 0, len(one["over"]), {}).hex() == one["hash"]
    for one in VECTORS["seals"]:
        size = one["width"].to_bytes(4, "big") + one["draws"].to_bytes(4, "big")
        under = b"\2" + size + bytes.fromhex(one["hash"]) + fairness._named(one["pledges"])
        assert sha256(under).hexdigest() == one["seal"]


def nested(over: list[str]) -> Any:
    if len(over) == 1:
        return over[0]
    left = fairness._left(len(over))
    return [nested(over[:left]), nested(over[left:])]


def test_no_single_value_can_be_changed_unnoticed() -> None:
    """Any value that is not a mere caption, at random, becomes another of its type."""
    rng = Random(9)
    for _ in range(400):
        evidence = rng.choice(VECTORS["evidence"])
        path = any_leaf(evidence, rng)
        if path[-1] in ("face", "player", "room", "game", "number", "over", "viewer") or path[0] in ("silent", "names"):
            continue  # captions, which people hold against what they saw
        if "taken" in path:
            continue  # of what is closed it is told, and to be held against the events
        wrong = apply(evidence, {"at": path, "to": another(value_at(evidence, path))})
        if path[-1] == "what" or (path[-1] == "count" and "items" not in evidence["drawn"][path[1]]):
            continue  # "what" is a caption too, but for the names that have an order of their own
        assert check(wrong) != [], path


def value_at(tree: Any, path: list[Any]) -> Any:
    for step in path:
        tree = tree[step]
    return tree


def any_leaf(evidence: Any, rng: Random) -> list[Any]:
    while True:
        tree, path = evidence, []
        while isinstance(tree, (dict, list)) and tree:
            step = rng.choice(list(tree)) if isinstance(tree, dict) else rng.randrange(len(tree))
            tree, path = tree[step], [*path, step]
        if not isinstance(tree, (dict, list)):
            return path


def another(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    return 0


@pytest.mark.parametrize("nonsense", [None, 7, "x", [], {}, {"v": 1}, {"v": 1, "seal": 3, "width": 1, "draws": 1}])
def test_nonsense_is_no_evidence(nonsense: Any) -> None:
    assert check(nonsense) != []
