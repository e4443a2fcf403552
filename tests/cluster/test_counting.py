"""What a whole cluster counts is on its node's page: games, people, links, processes, the store's outages."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import structlog
from prometheus_client.parser import text_string_to_metric_families

from cluster import link_io, process, upkeep
from cluster import running as while_running
from cluster.directory import Directory
from cluster.directory_config import DirectoryConfig
from cluster.link import FRAME_LIMIT, TALLY, Frames, Who
from cluster.link_io import BaseHandler, LinkLost
from cluster.stores import open_store
from ops.metrics import Tally
from tests.cluster.mini import RED, Client, FlakyStore, MiniCluster, light, mini_cluster, start_game, until


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "TALLY_SECONDS", 0.01)
    monkeypatch.setattr(upkeep, "COUNT_SECONDS", 0.01)
    monkeypatch.setattr(while_running, "SUMMARY_SECONDS", 0.01)
    monkeypatch.setattr(while_running, "PROBE_SECONDS", 0.01)


def page(mini: MiniCluster) -> dict[tuple[str, ...], float]:
    """The node's page of metrics: values by name and labels (in their names' order), without the node's own."""
    return {
        (sample.name, *(value for name, value in sorted(sample.labels.items()) if name != "node")): sample.value
        for family in text_string_to_metric_families(mini.agent.tally.exposition().decode())
        for sample in family.samples
    }


async def comes(mini: MiniCluster, *sample: str, value: float) -> None:
    """Waits until the page shows this."""
    await until(lambda: page(mini).get(sample) == value)


async def test_a_room_from_its_beginning_to_its_end():
    async with mini_cluster() as mini:
        _, (anna, bob) = await start_game(mini, options={"lamps": 2})
        watcher = Client(mini, anna.room["id"], "cleo", "watch")
        await watcher.welcome()
        await comes(mini, "hanpan_sessions", "player", value=2)
        await comes(mini, "hanpan_sessions", "spectator", value=1)
        await comes(mini, "hanpan_rooms", "lamps", "playing", value=1)
        await comes(mini, "hanpan_games_total", "begun", "lamps", "none", value=1)
        for client in (anna, bob):
            assert (await light(client))["type"] == "ack"
        await comes(mini, "hanpan_games_total", "ended", "lamps", "none", value=1)
        await comes(mini, "hanpan_turn_seconds_count", "lamps", "none", value=2)
        await comes(mini, "hanpan_rooms", "lamps", "playing", value=0)
        for client in (anna, bob, watcher):
            client.attachment.detach()
        await comes(mini, "hanpan_sessions", "player", value=0)
        await comes(mini, "hanpan_sessions", "spectator", value=0)
        await comes(mini, "hanpan_placement_seconds_count", value=1)
        await comes(mini, "hanpan_takeover_seconds_count", value=1)


async def test_timeouts_of_a_phase_that_is_played_in_begin_at_zero():
    """A counter that begins at 1 has never risen, for Prometheus."""
    async with mini_cluster() as mini:
        _, (anna, _) = await start_game(mini, options={"lamps": 1})
        await comes(mini, "hanpan_timeouts_total", "lamps", "none", "playing", value=0)
        assert (await light(anna))["type"] == "ack"
        await comes(mini, "hanpan_games_total", "ended", "lamps", "none", value=1)
        assert ("hanpan_timeouts_total", "lamps", "none", "finished") not in page(mini)


async def test_a_room_is_overdue_when_it_has_waited_for_long_and_not_because_others_wait(
    monkeypatch: pytest.MonkeyPatch,
):
    async with mini_cluster(limit=1) as mini:
        room = await mini.create()
        await until(lambda: mini.nodes["n"].full)
        late = asyncio.create_task(mini.create())
        await comes(mini, "hanpan_rooms", "lamps", "placing", value=1)
        await comes(mini, "hanpan_rooms_overdue", value=0)
        monkeypatch.setattr(upkeep, "OVERDUE_SECONDS", 0.0)
        await comes(mini, "hanpan_rooms_overdue", value=1)
        await mini.gateway.admin("close", {"room": room.id})
        await late
        await comes(mini, "hanpan_rooms_overdue", value=0)


async def test_processes_their_starts_and_deaths():
    async with mini_cluster(spares=1) as mini:
        room, (anna, _) = await start_game(mini)
        await comes(mini, "hanpan_spares", value=1)
        await comes(mini, "hanpan_process_starts_total", "ok", value=2)
        mini.kill_owner(room)
        await anna.my_turn()
        await comes(mini, "hanpan_process_deaths_total", "died", value=1)
        await comes(mini, "hanpan_recoveries_total", "died", value=1)
        await until(lambda: page(mini)["hanpan_room_processes",] == 1)
        assert page(mini)["hanpan_spares_wanted",] == 1


async def test_a_room_that_finds_no_spare_has_waited():
    async with mini_cluster(spares=1) as mini:
        await asyncio.gather(mini.create(), mini.create())
        await comes(mini, "hanpan_spare_waits_total", value=1)


async def test_an_outage_of_the_store_is_seen_for_as_long_as_it_lasts(tmp_path: Path):
    """Not only at its first append: whoever looks later must see it too."""
    store = FlakyStore(open_store(f"sqlite:{tmp_path}"))
    async with mini_cluster(store=store) as mini:
        _, (anna, _) = await start_game(mini)
        decision = await anna.my_turn()
        store.mode = "refuses"
        sent = anna.say("action", decision=decision, action=RED)
        await comes(mini, "hanpan_rooms_paused", value=1)
        errors = ("hanpan_log_errors_total", "unavailable", "sqlite")
        seen = page(mini)[errors]
        await until(lambda: page(mini)[errors] > seen + 2)
        store.mode = "works"
        await comes(mini, "hanpan_rooms_paused", value=0)
        assert (await anna.answer(sent))["type"] == "ack"  # it was held until it was known what became of it


async def test_the_directorys_gauges_go_with_it_and_come_again_with_the_next():
    async with mini_cluster() as mini:
        await start_game(mini)
        await comes(mini, "hanpan_rooms", "lamps", "playing", value=1)
        await comes(mini, "hanpan_gateways", value=1)
        await comes(mini, "hanpan_links", "directory", value=1)
        await mini.restart_directory()
        await comes(mini, "hanpan_rooms", "lamps", "playing", value=1)
        await comes(mini, "hanpan_nodes", value=1)


async def test_an_absent_directory_is_seen_on_every_page():
    async with mini_cluster() as mini:
        await comes(mini, "hanpan_nodes", value=1)
        mini.directory.stop()
        await comes(mini, "hanpan_links", "directory", value=0)
        assert ("hanpan_nodes",) not in page(mini)


async def test_another_agent_is_told_the_gauges_of_rooms_that_went_on_playing():
    async with mini_cluster() as mini:
        await start_game(mini)
        await comes(mini, "hanpan_sessions", "player", value=2)
        await mini.restart_agent()
        await comes(mini, "hanpan_sessions", "player", value=2)


async def test_a_peer_with_the_wrong_secret_is_counted():
    async with mini_cluster() as mini:
        with pytest.raises((LinkLost, TimeoutError)):
            await link_io.dial(mini.directory.address, b"x" * 32, Who(kind="gateway", name="evil"), BaseHandler())
        await comes(mini, "hanpan_link_auth_failures_total", value=1)


class Pen:
    """The directory's end of a link to an agent, and the page that the agent would show."""

    def __init__(self) -> None:
        self.tally = Tally("node")
        self.data = None

    def write(self, data: bytes) -> None:
        [(kind, body)] = Frames(FRAME_LIMIT).feed(data)
        assert kind == TALLY
        self.tally.merge(body, "directory")

    def notify(self, notice: dict[str, object]) -> None:
        return None

    def nodes(self) -> list[float]:
        return [
            sample.value
            for family in text_string_to_metric_families(self.tally.exposition().decode())
            for sample in family.samples
            if sample.name == "hanpan_nodes"
        ]


async def test_the_directorys_gauges_are_on_one_page_and_move_when_that_one_goes():
    """A sum over all nodes must be right while nodes, or agents of the same node, come and go."""
    one, two, again = Pen(), Pen(), Pen()
    told = Directory(DirectoryConfig(secret=b"s" * 32, address=""), open_store("memory:"))
    counting = asyncio.create_task(told.upkeep.count())
    try:
        for name, pen in (("b", two), ("a", one)):  # the second comes with the smaller name
            told.nodes.came(pen, {"node": name, "rooms": [], "settled": True})
            await until(lambda: two.nodes() or one.nodes())
        await until(lambda: two.nodes() == [2])
        assert one.nodes() == []
        told.nodes.went(told.roster.here["b"], "closed by the peer")
        await until(lambda: one.nodes() == [1])
        told.nodes.came(again, {"node": "a", "rooms": [], "settled": True})
        await until(lambda: again.nodes() == [1])
    finally:
        counting.cancel()
        await told.background.close()


async def test_a_slow_turn_is_logged_with_its_room_and_its_parts(monkeypatch: pytest.MonkeyPatch):
    """The way from a dashboard to the rooms that it is about."""
    monkeypatch.setattr(while_running, "SLOW_TURN_SECONDS", 0.0)
    async with mini_cluster() as mini:
        with structlog.testing.capture_logs() as lines:
            room, (anna, _) = await start_game(mini)
            mini.running(room).logger = structlog.get_logger().bind(room=room, epoch=1)
            answer = await light(anna)
            slow = [line for line in lines if line["event"] == "slow_turn"]
        assert [(line["room"], line["action"], line["log_level"]) for line in slow] == [(room, answer["id"], "warning")]
        parts = slow[0]["waited"] + slow[0]["decide"] + slow[0]["append"] + slow[0]["tell"]
        assert parts == pytest.approx(slow[0]["seconds"], abs=0.001)
