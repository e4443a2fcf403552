"""Servers that cheat write logs that replay to every digest; what they did is found in the deals."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cluster.entries import Entry
from cluster.fairness import fairness_of
from cluster.inspection import check_log
from cluster.stores import open_store
from engines.catalog import GAMES
from engines.kernel import sealed
from ops.cli import main
from ops.deals import check_deals
from ops.fairness import check
from tests.cluster.dealings import played, started
from tests.fairness_vectors import FILE

PLAYERS = ("anna", "bob")


def game(**kwargs: Any) -> list[Entry]:
    """The log of a short game."""
    return played(started("seotda", *PLAYERS, options={"handLimit": 10}, **kwargs), Random(1)).log


def wrong_for_everyone(log: list[Entry]) -> bool:
    return all(check(fairness_of(log, GAMES.__getitem__, 0, viewer)) for viewer in (None, *PLAYERS))


def test_an_honest_server_has_nothing_against_it() -> None:
    deals = check_deals(game())
    assert (deals.games, deals.sealed, deals.wrong) == (1, 1, ())
    assert check_deals(game(silent=("bob",))).ok


def test_a_server_that_deals_what_it_did_not_seal_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for the numbers, and then takes the secret with which its friend has the better cards."""
    honest = sealed.seed_of
    monkeypatch.setattr(sealed, "seed_of", lambda _, lot, width: honest(bytes(32), lot, width))
    log = game()
    monkeypatch.undo()
    assert check_log(log).ok
    assert any("seed" in what for what in check_deals(log).wrong)
    assert wrong_for_everyone(log)


def test_a_server_that_leaves_numbers_out_of_the_lot_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = sealed.lot_of
    monkeypatch.setattr(sealed, "lot_of", lambda seal, numbers: honest(seal, {}))
    log = game()
    monkeypatch.undo()
    assert check_log(log).ok
    assert not check_deals(log).ok
    assert wrong_for_everyone(log)


def test_a_server_whose_deck_has_cards_more_than_once_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four envelopes hold the same index. Players see equal cards on the table; who has the secret sees it at once."""
    honest = sealed.envelopes

    def twice(secret: bytes, draw: int, width: int) -> tuple[list[int], list[bytes]]:
        inside, salts = honest(secret, draw, width)
        return [index // 4 if draw > 1 else index for index in inside], salts  # seats and dealer come first

    monkeypatch.setattr(sealed, "envelopes", twice)
    log = game()
    monkeypatch.undo()
    assert any("the seal is not that" in what for what in check_deals(log).wrong)


def test_a_seal_that_is_of_something_else_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "seal", lambda *_: "ab" * 32)
    log = game()
    monkeypatch.undo()
    assert check_log(log).ok
    assert any("the seal is not that" in what for what in check_deals(log).wrong)
    assert wrong_for_everyone(log)


# ---------------------------------------------------------------- the command


async def _stored(folder: Path, room: str, log: list[Entry]) -> None:
    opened = await open_store(f"sqlite:{folder}").room(room, create=True)
    await opened.claim(1, "test", 0)
    await opened.append(1, 1, log)
    await opened.close()


def test_verify_fair_tells_cheating_servers_from_honest_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(_stored(tmp_path, "honest", game()))
    monkeypatch.setattr(sealed, "lot_of", lambda *_: bytes(32))
    asyncio.run(_stored(tmp_path, "cheat", game()))
    monkeypatch.undo()
    assert main(["verify", "honest", "cheat", "--data", str(tmp_path)]) == 0
    assert main(["verify", "honest", "--fair", "--data", str(tmp_path)]) == 0
    assert "1 of 1 games sealed, all fair" in capsys.readouterr().out
    assert main(["verify", "honest", "cheat", "--fair", "--data", str(tmp_path), "--json"]) == 1
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert report["mismatches"] == 1
    assert [bool(room["deals"]["wrong"]) for room in report["rooms"]] == [False, True]


def test_verify_evidence_asks_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = json.loads(FILE.read_text())["evidence"][0]
    files = {"right": right, "wrong": {**right, "lot": "ab" * 32}}
    for name, evidence in files.items():
        (tmp_path / name).write_text(json.dumps(evidence))
    (tmp_path / "noise").write_text("{")
    assert main(["verify", "--evidence", str(tmp_path / "right")]) == 0
    assert "all as they were sealed" in capsys.readouterr().out
    assert main(["verify", "--evidence", str(tmp_path / "right"), str(tmp_path / "wrong"), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["evidence"]
    assert [bool(one["wrong"]) for one in found] == [False, True]
    assert main(["verify", "--evidence", str(tmp_path / "noise")]) == 1
    assert main(["verify", "--evidence", str(tmp_path / "none")]) == 2
    assert main(["verify", "--all", "--evidence", str(tmp_path / "right")]) == 2
