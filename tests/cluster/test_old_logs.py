"""A log that was ever written replays for ever. These were written by the code of their time: never make them anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from cluster.entries import decode
from cluster.fairness import fairness_of
from cluster.inspection import check_log
from cluster.link_io import RequestRefused
from engines.catalog import GAMES
from ops.deals import check_deals

LOGS = Path(__file__).parent / "logs"


@pytest.mark.parametrize("file", sorted(LOGS.glob("*.jsonl")), ids=lambda file: file.stem)
def test_an_old_log_replays_to_every_digest(file: Path):
    entries = [decode(line) for line in file.read_text().splitlines()]
    verdict = check_log(entries)
    assert verdict.ok, verdict.why
    assert verdict.replayed == len(entries) > 50


def test_games_from_before_there_were_seals_have_none():
    entries = [decode(line) for line in (LOGS / "before-seals.jsonl").read_text().splitlines()]
    deals = check_deals(entries)
    assert (deals.games, deals.sealed, deals.wrong) == (2, 0, ())
    with pytest.raises(RequestRefused, match="no_seal"):
        fairness_of(entries, GAMES.__getitem__, 0, "anna")
