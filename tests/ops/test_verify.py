"""The proof finds what it is there to find: each fault is planted in an honest log, and is found."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cluster.entries import Acted, Entry
from cluster.inspection import check_log
from ops.verify import Witness, prove
from tests.ops.parlour import Parlour

_replace = msgspec.structs.replace


@pytest.fixture
def played() -> Parlour:
    parlour = Parlour("ABC")
    for _ in range(20):
        parlour.act()
    return parlour


def actions(entries: list[Entry]) -> list[int]:
    """The indexes of the entries that hold actions."""
    return [index for index, entry in enumerate(entries) if isinstance(entry.fact, Acted)]


def test_an_honest_room_has_nothing_against_it(played: Parlour) -> None:
    proof = prove(played.entries, played.witnesses())
    assert proof.ok, proof.findings
    assert (proof.lost, proof.doubled, proof.digest_mismatches, proof.view_mismatches) == (0, 0, 0, 0)
    assert sum(len(witness.acks) for witness in played.witnesses()) == 20


def test_a_log_that_went_through_json_is_the_same_log(played: Parlour) -> None:
    """As it comes from the operators' interface."""
    raw: Any = msgspec.json.decode(msgspec.json.encode(played.entries))
    assert check_log(msgspec.convert(raw, list[Entry])).ok


def test_an_acknowledged_action_that_is_not_in_the_log_is_lost(played: Parlour) -> None:
    """Its entry is cut off the end, as a store would that had not synced."""
    played.act()
    proof = prove(played.entries[:-1], played.witnesses())
    assert proof.lost == 1
    assert proof.view_mismatches == 3  # and everyone has heard of an entry that is not there


def test_an_acknowledgement_that_names_another_entry_is_lost(played: Parlour) -> None:
    first, *others = played.witnesses()
    id, seq = next(iter(first.acks.items()))
    moved = Witness(first.player, {**first.acks, id: seq + 1}, first.seq, first.view)
    assert prove(played.entries, [moved, *others]).lost == 1


def test_an_id_that_stands_in_the_log_twice_is_doubled(played: Parlour) -> None:
    first, second, *_ = [i for i in actions(played.entries) if played.entries[i].who == "A"]
    forged = list(played.entries)
    forged[second] = _replace(forged[second], id=forged[first].id)
    assert prove(forged, []).doubled == 1


def test_a_state_that_replays_differently_is_a_digest_mismatch(played: Parlour) -> None:
    index = actions(played.entries)[7]
    forged = list(played.entries)
    forged[index] = _replace(forged[index], digest="0" * 32)
    proof = prove(forged, played.witnesses())
    assert proof.digest_mismatches == 1
    assert check_log(forged).replayed == index


def test_an_entry_whose_action_was_changed_is_a_digest_mismatch(played: Parlour) -> None:
    index = actions(played.entries)[7]
    forged = list(played.entries)
    fact = forged[index].fact
    assert isinstance(fact, Acted)
    forged[index] = _replace(
        forged[index], fact=_replace(fact, action={**fact.action, "n": (fact.action["n"] + 1) % 10})
    )
    assert prove(forged, played.witnesses()).digest_mismatches == 1


def test_a_gap_in_the_log_is_found(played: Parlour) -> None:
    index = actions(played.entries)[7]
    assert check_log(played.entries[:index] + played.entries[index + 1 :]).replayed == index


@pytest.mark.parametrize("change", [{"total": -1}, {"hand": []}, {"seen": "too much"}])
def test_a_view_that_is_not_the_replays_is_found(played: Parlour, change: dict[str, Any]) -> None:
    first, *others = played.witnesses()
    assert first.view is not None
    wrong = Witness(first.player, first.acks, first.seq, {**first.view, **change})
    proof = prove(played.entries, [wrong, *others])
    assert proof.view_mismatches == 1
    assert first.player in proof.findings[0]


def test_a_client_that_was_not_told_of_the_end_is_found(played: Parlour) -> None:
    first, *others = played.witnesses()
    assert first.seq is not None
    behind = Witness(first.player, first.acks, first.seq - 1, first.view)
    assert prove(played.entries, [behind, *others]).view_mismatches == 1


def test_an_empty_log_and_an_unknown_game_are_wrong(played: Parlour) -> None:
    assert not check_log([]).ok
    first = played.entries[0]
    unknown = [_replace(first, fact=_replace(first.fact, game="no-such-game"))]
    assert "no-such-game" in (check_log(unknown).why or "")
