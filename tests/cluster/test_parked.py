"""Thousands of parked rooms: no process for any of them, little memory, and each is back when somebody comes."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

import pytest

from cluster import upkeep
from cluster.records import Record
from cluster.stores import open_store
from cluster.stores.sqlite import SqliteStore
from ops.bench.parked import entries_of, fill_catalogue, parked_row
from tests.cluster.mini import Client, mini_cluster, until

ROOMS = 5_000
BYTES = 1_200  # of the directory, for each


async def test_thousands_of_parked_rooms_have_no_process_and_each_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(upkeep, "ADOPTION_SECONDS", 0.1)
    rows = await fill_catalogue(str(tmp_path), ROOMS)
    some = rows[::1000]
    for row in some:
        log = await SqliteStore(tmp_path).room(row.id, create=True)
        await log.claim(1, "before", 0)
        await log.append(1, 1, entries_of(row))
        await log.close()
    async with mini_cluster(store=open_store(f"sqlite:{tmp_path}")) as mini:
        await until(lambda: len(mini.agent.pool.spares()) == 2)
        assert {record.state for record in mini.records.values()} == {"parked"}
        assert len(mini.agent.pool.processes) == 2  # the spares
        for row in some:
            welcome = await Client(mini, row.id, "g_bob").welcome()
            assert welcome["you"]["seat"] == 1
            assert mini.records[row.id].epoch == 2
        assert sum(record.state == "parked" for record in mini.records.values()) == ROOMS - len(some)
        found = await mini.gateway.find(rows[-1].code)
        assert found.id == rows[-1].id


def test_a_parked_room_takes_little_memory() -> None:
    """Its record, and what that holds of the catalogue's line."""
    count = 500
    gc.collect()
    tracemalloc.start()
    try:
        records = {row.id: Record(row) for row in map(parked_row, range(count))}
        gc.collect()
        size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(records) == count
    assert size / count < BYTES
