"""A new version is rolled over the nodes of a real Ray cluster and its gateway, one after the other, under load.

`tests/cluster/test_rolling.py` does the same in one loop. Here a version is what is on the path of a node's processes:
a package that registers `lamps` with its first rules, or with its second.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import msgspec
import pytest

from cluster.entries import Began, Entry
from cluster.stores.schema import migrate
from engines.catalog import GAMES, GROUP
from ops import postgres as servers
from ops.chaos.nodes import HEAD, ROOT, Nodes, nodes
from ops.load import UNLIMITED, Plan, Table, find_game, lobby_at, open_table, settle, tables_in, timetable
from ops.verify import Witness, prove
from tests.conftest import QUICK

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(420)]

OLD, NEW = "tests.cluster.lamps:GAME", "tests.cluster.variants:BRIGHTER"
SPARES = 3
PLAN = Plan(
    url="", game="lamps", rooms=SPARES, players=2, period=100, seconds=0, options={"lamps": 10_000, "seconds": 60}
)


def version_at(folder: Path, game: str) -> dict[str, str]:
    """The environment in which processes find this version of the game installed."""
    info = folder / "hanpan_lamps-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hanpan-lamps\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\nlamps = {game}\n")
    return {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}


@pytest.fixture
def cluster() -> Iterator[Nodes]:
    with servers.postgres(QUICK) as server:
        asyncio.run(migrate(server.url))
        with nodes(server.url, spares=SPARES) as cluster:
            yield cluster


@pytest.fixture(autouse=True)
def _lamps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own players know the game, too."""
    registered = [*entry_points(group=GROUP), EntryPoint("lamps", NEW, GROUP)]
    monkeypatch.setattr(GAMES, "_registered", registered)
    monkeypatch.setattr(GAMES, "_by_id", None)


async def goes_on(playing: list[Table]) -> None:
    """Each is played, and not only kept."""
    moves = [len(table.latencies) for table in playing]
    async with asyncio.timeout(60):
        while any(len(table.latencies) < before + 4 for table, before in zip(playing, moves, strict=True)):  # noqa: ASYNC110  # they hear acks
            await asyncio.sleep(0.05)


async def log_of(cluster: Nodes, table: Table) -> list[Entry]:
    return msgspec.convert(await asyncio.to_thread(cluster.admin.log, table.id), list[Entry])


def versions(log: list[Entry]) -> list[int]:
    return [entry.fact.state_version for entry in log if isinstance(entry.fact, Began)]


async def test_a_new_version_is_rolled_over_nodes_and_gateway_while_everybody_plays(
    cluster: Nodes, tmp_path: Path
) -> None:
    old, new = version_at(tmp_path / "old", OLD), version_at(tmp_path / "new", NEW)
    cluster.node("head", HEAD, "directory", **old)
    cluster.gateway(**UNLIMITED, **old)
    for name, ip in {"one": "127.0.0.3", "two": "127.0.0.4"}.items():
        cluster.node(name, ip, **old)
    cluster.wait_for("one", "two")
    plan = msgspec.structs.replace(PLAN, url=cluster.url)
    async with lobby_at(cluster.url) as lobby, tables_in(lobby, plan, lambda said: None) as playing:
        for table in playing:
            await table.begin(eager=False)
        async with timetable(playing, plan.period):
            await goes_on(playing)
            for leaves, comes, ip in (("one", "one-anew", "127.0.0.5"), ("two", "two-anew", "127.0.0.6")):
                await asyncio.to_thread(cluster.node, comes, ip, **new)
                await asyncio.to_thread(cluster.wait_for, comes)
                assert await asyncio.to_thread(cluster.parts[leaves].end) == 0
                assert '"event":"drained"' in cluster.parts[leaves].said
                await goes_on(playing)
            rows = {row["id"]: row for row in await asyncio.to_thread(cluster.admin.rooms)}
            assert {rows[table.id]["node"] for table in playing} <= {"one-anew", "two-anew"}
            assert [table.reconnects for table in playing] == [0] * len(playing)  # until now nobody's socket was closed

            assert await asyncio.to_thread(cluster.parts["gateway"].end) == 0
            await asyncio.to_thread(cluster.gateway, **UNLIMITED, **new)
            await goes_on(playing)
            assert all(each.reconnects == 1 for table in playing for each in table.players)
        assert await settle(playing)
        for table in playing:
            log = await log_of(cluster, table)
            assert versions(log) == [1]
            assert max(entry.epoch for entry in log) >= 2
            witnesses = [
                Witness(each.player.you.player, dict(each.player.acks), each.player.seq, each.player.view)
                for each in table.players
                if each.player.you is not None
            ]
            assert prove(log, witnesses).findings == ()
            assert table.faults() == []

        opened: list[Table] = []
        anew = await open_table(plan, find_game(plan), lobby, 99, opened)
        await anew.begin(eager=False)
        async with timetable(opened, plan.period):
            await goes_on(opened)
        assert versions(await log_of(cluster, anew)) == [2]
        await anew.close()
