"""What a log shows to whoever looks into a room: how things stood, what happened, whether it replays; and no secret."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence

import msgspec
import pytest

from cluster import inspector
from cluster.entries import Began, Entry, Fact
from cluster.inspection import Inspection, _line, check_log, inspect
from cluster.inspector import Inspector, Look
from cluster.link_io import RequestRefused
from engines.catalog import GAMES
from tests.cluster.mini import Client, light, mini_cluster, start_game, until

find = GAMES.__getitem__


async def played(moves: int = 3) -> tuple[list[Entry], dict[str, int]]:
    """A log of a game of lamps, and the secrets of its players."""
    async with mini_cluster() as mini:
        room, clients = await start_game(mini)
        for _ in range(moves):
            mover: Client = await until(lambda: next((c for c in clients if c.situation.get("decision")), None))
            assert (await light(mover))["type"] == "ack"
        secrets = {client.player: client.view["secret"] for client in clients}
        return await mini.log(room), secrets


async def test_no_secret_is_in_it():
    entries, secrets = await played()
    text = msgspec.json.encode(inspect(entries, find)).decode()
    seed = next(entry.fact.seed for entry in entries if isinstance(entry.fact, Began))
    assert seed not in text
    assert not any(str(secret) in text for secret in secrets.values())
    assert "red" not in text  # a move may be a secret: only its type is shown


async def test_what_was_left_out_is_named():
    entries, _ = await played()
    hidden = {line.kind: line.hidden for line in inspect(entries, find).lines}
    assert hidden["start"] == ["seed"]
    assert hidden["action"] == ["action.colour"]
    assert hidden["seat"] == []


def test_a_field_that_nobody_has_called_public_is_hidden():
    class Locked(Fact, tag="locked", frozen=True):
        player: str
        password_hash: str

    line = _line(Entry(seq=1, epoch=1, at=0, fact=Locked("anna", "5ec2e7"), digest=""), 0, [])  # type: ignore[arg-type]
    assert (line.kind, line.fact, line.hidden) == ("locked", {"player": "anna"}, ["passwordHash"])


async def test_it_shows_what_everyone_was_told():
    entries, _ = await played()
    told = [event["type"] for line in inspect(entries, find).lines for event in line.events or []]
    assert told == ["started", "lit", "lit", "lit"]  # what was dealt to each is theirs


async def test_how_things_stood_at_any_time():
    entries, _ = await played()
    began = next(entry.seq for entry in entries if isinstance(entry.fact, Began))
    early, now = inspect(entries, find, seq=began), inspect(entries, find)
    assert (early.seq, early.view["lamps"]) == (began, [])
    assert (now.seq, len(now.view["lamps"])) == (entries[-1].seq, 3)
    assert now.asked == [now.view["turn"]]
    assert now.deadline_in == 15_000
    first = inspect(entries, find, seq=1)
    assert (first.view, first.at, first.asked) == (None, 0, [])
    assert first.lobby["game"] == "lamps"


@pytest.mark.parametrize(
    ("first", "limit", "listed"),
    [(None, 2, (-2, None)), (2, 2, (1, 3)), (0, 3, (0, 3)), (99, 3, (0, 0)), (1, 0, (0, 0))],
)
async def test_entries_are_listed_in_parts(first: int | None, limit: int, listed: tuple[int, int | None]):
    entries, _ = await played(1)
    seen = inspect(entries, find, first=first, limit=limit)
    assert [line.seq for line in seen.lines] == [entry.seq for entry in entries[slice(*listed)]]


async def test_of_a_log_that_breaks_the_good_part_is_shown():
    entries, _ = await played()
    bad = [*entries[:-1], msgspec.structs.replace(entries[-1], digest="0" * 32)]
    seen = inspect(bad, find)
    assert (seen.verdict.ok, seen.verdict.replayed, seen.seq) == (False, len(bad) - 1, bad[-2].seq)
    assert len(seen.view["lamps"]) == 2
    assert seen.lines[-1].events is None
    assert seen.lines[-2].events
    assert check_log(bad, find) == seen.verdict


def test_an_empty_log_and_one_of_no_game_show_nothing():
    assert inspect([], find).lobby is None
    assert inspect([], find).verdict.why == "the log is empty"


async def test_a_game_that_is_not_installed_is_said_to_be():
    entries, _ = await played(0)
    first = msgspec.structs.replace(entries[0], fact=msgspec.structs.replace(entries[0].fact, game="gone"))
    seen = inspect([first], find)
    assert "gone" in (seen.verdict.why or "")
    assert (seen.seq, seen.lobby) == (0, None)


# ---------------------------------------------------------------- in a process of its own


@pytest.fixture
async def log() -> list[Entry]:
    """The child knows only games that are installed."""
    async with mini_cluster() as mini:
        room = await mini.create("ninety-nine", bots=3, seats=4)
        return await mini.log(room.id)


async def looked(entries: Sequence[Entry], inspector: Inspector) -> Inspection:
    return await inspector.look(Look(entries=list(entries)))


async def test_a_child_replays_and_is_kept_for_the_next(log: list[Entry]):
    child = Inspector()
    try:
        assert msgspec.json.encode(await looked(log, child)) == msgspec.json.encode(inspect(log, find))
        pid = child._child.pid
        assert (await looked(log, child)).verdict.ok
        assert child._child.pid == pid
    finally:
        await child.close()
    assert child._child is None


async def test_a_replay_without_end_is_ended_and_the_next_one_is_not_harmed(log: list[Entry]):
    child = Inspector()
    try:
        await looked(log, child)
        os.kill(child._child.pid, signal.SIGSTOP)
        child._seconds = 0.2
        with pytest.raises(RequestRefused) as no:
            await looked(log, child)
        assert no.value.refusal.code == "replay_failed"
        child._seconds = 20.0
        assert (await looked(log, child)).verdict.ok
    finally:
        await child.close()


async def test_a_child_that_dies_is_followed_by_another(log: list[Entry]):
    child = Inspector()
    try:
        await looked(log, child)
        os.kill(child._child.pid, signal.SIGKILL)
        with pytest.raises(RequestRefused) as no:
            await looked(log, child)
        assert no.value.refusal.code == "replay_failed"
        assert (await looked(log, child)).verdict.ok
    finally:
        await child.close()


async def test_a_child_that_nobody_needs_ends(log: list[Entry]):
    child = Inspector(rest=0.05)
    await looked(log, child)
    process = child._child
    await until(lambda: child._child is None)
    assert await process.wait() == 0
    await child.close()


async def test_those_who_wait_are_few(log: list[Entry], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(inspector, "WAITING_MOST", 0)
    child = Inspector()
    child._waiting = 1
    with pytest.raises(RequestRefused) as no:
        await looked(log, child)
    assert (no.value.refusal.code, no.value.refusal.retry) == ("busy", True)
    await child.close()
