"""From a log to a room: exactly, or not at all."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cluster.entries import Entry, TimedOut
from cluster.log import Snapshot
from cluster.recovery import recover, replayed, states
from cluster.room.room import CannotPlay, DigestMismatch
from cluster.stores.memory import MemoryStore
from engines.catalog import GAMES
from tests.cluster.desk import Desk, finished, playing
from tests.cluster.lamps import GAME
from tests.cluster.variants import BRIGHTER


def find(game: str) -> Any:
    return GAMES[game]


async def logged(desk: Desk, snapshot: Snapshot | None = None, entries: int | None = None) -> Any:
    """A log that holds what the desk wrote."""
    log = await MemoryStore().room("r1", create=True)
    await log.claim(1, "a", 0)
    if desk.log[:entries]:
        await log.append(1, 1, desk.log[:entries])
    if snapshot is not None:
        await log.save_snapshot(1, snapshot)
    return log


async def test_an_empty_log_is_no_room_yet():
    log = await MemoryStore().room("r1", create=True)
    assert await recover(log, find, 1) == (None, None)


@pytest.mark.parametrize("at", [1, 3, 5, 7])
async def test_a_snapshot_and_the_entries_after_it_are_the_same_room(at: int):
    """Wherever it was taken, down to the answers that are known and the questions that are open."""
    desk = playing("anna", "bob")
    desk.play("anna", id="a1")
    desk.play("bob", id="b1")
    half = replayed(desk.log[:at], find, 1)
    assert half is not None
    log = await logged(desk, Snapshot(half.seq, half.save()))
    room, unfit = await recover(log, find, 2)
    assert unfit is None
    assert room is not None
    assert (room.state, room.seq, room.at, room.epoch) == (desk.room.state, desk.room.seq, desk.room.at, 2)
    assert room.legal == desk.room.legal
    assert room._answers == {
        player: {id: answer for id, answer in known.items() if isinstance(answer, int)}
        for player, known in desk.room._answers.items()
    }


def unfit_snapshots(desk: Desk) -> dict[str, Snapshot]:
    data, seq = desk.room.save(), desk.room.seq
    doctored = msgspec.json.decode(data)
    doctored["state"]["table"]["state"]["secrets"]["anna"] += 1
    impossible = msgspec.json.decode(data)
    impossible["state"]["table"]["state"] = {"from": "an older version"}
    return {
        "of another seq": Snapshot(seq - 1, data),
        "ahead of the log": Snapshot(seq + 5, data),
        "doctored": Snapshot(seq, msgspec.json.encode(doctored)),
        "of a state that does not load": Snapshot(seq, msgspec.json.encode(impossible)),
        "not json": Snapshot(seq, b"\x00\x01"),
        "of another shape": Snapshot(seq, b'{"game": "lamps"}'),
        "of a game that is gone": Snapshot(seq, data.replace(b'"lamps"', b'"gone"', 1)),
        "empty": Snapshot(seq, b""),
    }


@pytest.mark.parametrize("name", unfit_snapshots(playing("anna", "bob")))
async def test_a_snapshot_that_does_not_fit_is_passed_over_for_the_entries(name: str):
    """It is never the only copy; why it was not used is told."""
    desk = playing("anna", "bob")
    desk.play("anna")
    room, unfit = await recover(await logged(desk, unfit_snapshots(desk)[name]), find, 2)
    assert unfit
    assert room is not None
    assert room.state == desk.room.state


async def test_a_game_whose_load_has_a_bug_recovers_from_the_entries(monkeypatch: pytest.MonkeyPatch):
    desk = playing("anna", "bob")
    log = await logged(desk, Snapshot(desk.room.seq, desk.room.save()))

    def load(data: Any) -> Any:
        raise KeyError("a bug")

    monkeypatch.setattr(GAME, "load", load)
    room, unfit = await recover(log, lambda _: GAME, 2)
    assert unfit
    assert room is not None
    assert room.state == desk.room.state


@pytest.mark.parametrize("victim", range(1, 7))
async def test_a_wrong_digest_anywhere_is_a_mismatch_never_a_guess(victim: int):
    desk = playing("anna", "bob")
    desk.play("anna")
    desk.play("bob")
    index = victim - 1
    desk.log[index] = msgspec.structs.replace(desk.log[index], digest="0" * 32)
    with pytest.raises(DigestMismatch, match=f"entry {victim}"):
        await recover(await logged(desk), find, 2)


async def test_an_entry_of_another_game_state_is_a_mismatch():
    """The same entries with another seed: the digests tell."""
    one, two = playing("anna", "bob"), playing("anna", "bob", chance=b"\1" * 32)
    one.play("anna")
    began = one.kinds().index("start")
    with pytest.raises(DigestMismatch):
        replayed([*one.log[:began], two.log[began], *one.log[began + 1 :]], find, 2)


def test_a_gap_or_a_repetition_in_the_log_is_a_mismatch():
    desk = playing("anna", "bob")
    for entries in (desk.log[:2] + desk.log[3:], desk.log[:2] + desk.log[1:], desk.log[1:]):
        with pytest.raises(DigestMismatch):
            replayed(entries, find, 2)


def test_a_fact_that_the_engine_refuses_is_a_mismatch():
    desk = playing("anna", "bob")
    desk.play("anna")
    last = desk.log[-1]
    with pytest.raises(DigestMismatch, match="refused: not_your_turn"):
        replayed([*desk.log, msgspec.structs.replace(last, seq=last.seq + 1)], find, 2)


def test_a_timeout_of_no_game_does_not_replay():
    desk = finished("anna", "bob")
    extra = Entry(desk.room.seq + 1, 1, desk.now, TimedOut(), "0" * 32)
    with pytest.raises(ValueError, match="no game"):
        replayed([*desk.log, extra], find, 2)


async def test_a_game_that_is_not_installed_is_told_by_its_name():
    desk = playing("anna", "bob")
    first = desk.log[0]
    desk.log[0] = msgspec.structs.replace(first, fact=msgspec.structs.replace(first.fact, game="gone"))
    with pytest.raises(CannotPlay, match="gone"):
        await recover(await logged(desk), find, 2)


async def test_a_game_of_a_later_version_is_not_played_and_not_taken_for_damage():
    """From the log, and from a snapshot that an engine of the first version would even have read."""
    desk = playing("anna", "bob", game=BRIGHTER)
    desk.play("anna")
    with pytest.raises(CannotPlay, match="version 2; 1 is installed"):
        await recover(await logged(desk), find, 2)
    with pytest.raises(CannotPlay, match="version 2; 1 is installed"):
        await recover(await logged(desk, Snapshot(desk.room.seq, desk.room.save())), find, 2)
    room, _ = await recover(await logged(desk), lambda _: BRIGHTER, 2)
    assert room is not None
    assert room.state == desk.room.state


def test_states_gives_the_room_after_each_entry():
    desk = playing("anna", "bob")
    assert [room.seq for room in states(desk.log, find)] == list(range(1, len(desk.log) + 1))
    assert list(states([], find)) == []
