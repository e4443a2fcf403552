"""Whoever falls silent without a word: a node that stands still, a link that is cut, an owner that wakes up late.

No stream is closed in any of these; what is silent here is an end that does not read, as a cut cable would have it.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cluster import link, link_io, nodes, reception
from cluster.link import Attach, Who
from cluster.link_io import BaseHandler, Peer
from tests.cluster.mini import QUICK, SECRET, Client, MiniCluster, light, mini_cluster, start_game, until
from tests.cluster.test_drain import move

# An owner that is given up finds out when it writes; with these settings it has nothing to write.
PATIENT = msgspec.structs.replace(QUICK, away_after=60_000, host_away_after=60_000)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_io, "QUIET_SECONDS", 0.05)
    monkeypatch.setattr(link_io, "SILENT_SECONDS", 0.2)
    monkeypatch.setattr(link_io, "AWAKE_SECONDS", 0.05)


def stand_still(peer: Peer | None) -> None:
    """This end hears nothing any more, and nobody is told."""
    assert peer is not None
    transport: Any = peer._transport
    transport.pause_reading()


def cut_off(mini: MiniCluster) -> None:
    """The node's agent hears nothing from the directory, and does not reach it until `reached_again`."""
    stand_still(mini.agent.reports.peer)
    mini.agent.reports.address = "127.0.0.1:1"


def reached_again(mini: MiniCluster) -> None:
    mini.agent.reports.address = mini.directory.address


def gateway_link(mini: MiniCluster, room: str) -> Peer:
    peer = mini.gateway._rooms[room].peer
    assert peer is not None
    return peer


async def test_a_node_that_falls_silent_is_given_up_and_its_rooms_go_on_elsewhere(monkeypatch: pytest.MonkeyPatch):
    """Its agent's stream stays open; gateways stay linked to the room process there, which is not closed either."""
    monkeypatch.setattr(nodes, "NODE_GONE_SECONDS", 0.1)
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        old = gateway_link(mini, room)
        async with mini.node():
            cut_off(mini)
            await until(lambda: mini.where(room) == "second")
            await move(anna, bob)
            assert anna.bye is bob.bye is None
            assert not old.open
            assert gateway_link(mini, room).open


async def test_a_room_that_is_as_silent_as_its_agent_is_not_waited_for(monkeypatch: pytest.MonkeyPatch):
    """A whole machine that stands still: nothing there closes anything, and nothing answers."""
    real = link_io.dial

    async def dial(address: str, secret: bytes, me: Any, *more: Any, **named: Any) -> Peer:
        if me.kind == "directory":
            raise TimeoutError
        return await real(address, secret, me, *more, **named)

    monkeypatch.setattr(link_io, "dial", dial)
    monkeypatch.setattr(nodes, "PROBE_SECONDS", 0.05)
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        async with mini.node():
            cut_off(mini)
            mini.agent.reports.peer.heard = float("inf")  # it stands still, and does not see that it hears nothing
            await until(lambda: mini.where(room) == "second")
            await move(anna, bob)
            assert mini.records[room].deaths[0] == 0  # a node's death is not the room's fault


async def test_an_agent_that_comes_back_hears_which_of_its_rooms_are_owned_elsewhere_and_ends_them(
    monkeypatch: pytest.MonkeyPatch,
):
    """Such a process may have nothing to write for hours, and would keep its place as long."""
    monkeypatch.setattr(nodes, "NODE_GONE_SECONDS", 0.1)
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        old = mini.process_of(room)
        async with mini.node():
            cut_off(mini)
            await until(lambda: mini.where(room) == "second")
            assert old in mini.agent.pool.processes
            reached_again(mini)
            await until(lambda: "n" in mini.nodes)
            await until(lambda: old not in mini.agent.pool.processes)
            assert mini.where(room) == "second"
            await move(anna, bob)


async def test_a_gateway_whose_link_to_a_room_falls_silent_opens_another():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        silent = gateway_link(mini, room)
        stand_still(silent)
        await until(lambda: gateway_link(mini, room) is not silent if mini.gateway._rooms[room].peer else False)
        await until(lambda: anna.resumes == bob.resumes == 1)
        await move(anna, bob)
        assert mini.records[room].epoch == 1  # the same owner: nobody has died


async def test_whoever_answers_is_never_cut_off_however_quiet_it_is():
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        link = gateway_link(mini, room)
        heard = link.heard
        await until(lambda: link.heard > heard + 4 * link_io.QUIET_SECONDS)
        assert anna.pauses == 0
        assert gateway_link(mini, room) is link


async def test_a_room_whose_agent_is_away_stays_with_its_process_while_a_gateway_reaches_it():
    async with mini_cluster() as mini:
        room, (anna, bob) = await start_game(mini)
        async with mini.node():
            mini.agent.stop()
            await mini._agent_task
            await until(lambda: "n" not in mini.nodes)
            gateway_link(mini, room).abort("cut")
            await until(lambda: anna.resumes == bob.resumes == 1)
            await move(anna, bob)
            assert mini.where(room) == "n"


async def test_the_lobby_offers_no_room_of_a_node_that_is_gone(monkeypatch: pytest.MonkeyPatch):
    """Also while it is not known yet whether its agent will be back; and the room itself once it runs again."""
    monkeypatch.setattr(reception, "LISTED_SECONDS", 0.1)
    async with mini_cluster() as mini:
        summary = await mini.create(public=True, seats=3)
        anna = Client(mini, summary.id, "anna")
        await anna.welcome()

        async def listed() -> list[str]:
            return [room.id for room in await mini.gateway.list("lamps", 10)]

        await until(lambda: mini.records[summary.id].summary.online)
        assert await listed() == [summary.id]
        mini.agent.stop()
        await mini._agent_task

        async def gone() -> bool:
            return await listed() == []

        await until(gone)
        assert mini.records[summary.id].owner is not None  # it has not been given up
        mini.start_agent()

        async def back() -> bool:
            return await listed() == [summary.id]

        await until(back)


async def test_an_old_owner_that_wakes_up_is_not_played_on_by_anybody():
    """The directory has placed the room anew; the gateway is told, and leaves an owner that has closed nothing."""
    async with mini_cluster(settings=PATIENT) as mini:
        room, (anna, bob) = await start_game(mini, options={"seconds": 60})
        old = mini.process_of(room)
        record = mini.records[room]
        record.lost = (0.0, "node")
        record.set_owner(None)
        mini.directory.placement.place(record)
        await until(lambda: anna.resumes == bob.resumes == 1)
        assert (await light(anna))["type"] == "ack"
        assert [entry.epoch for entry in await mini.log(room) if entry.fact.__struct_config__.tag == "action"] == [2]
        assert mini.spawner.processes[old][0].running is not None  # it was not needed that it found out


class _Gateway(BaseHandler):
    """One that is told everything, and answers pings while it reads, as its link does that by itself."""

    def received(self, peer: Peer, kind: int, body: bytes) -> None:
        return None


async def gateway_at(address: str) -> Peer:
    """A gateway's link of which only this end is in the test's hands: nothing here looks whether the other is there."""
    return await link_io.dial(address, SECRET, Who(kind="gateway", name="other"), _Gateway())


async def test_whoever_came_by_a_gateway_that_falls_silent_is_seen_to_be_gone():
    """Its machine lost power: nobody closes the link, and its people come again by another gateway, or not at all."""
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        owner = mini.records[room].owner
        assert owner is not None
        silent = await gateway_at(owner.address)
        watches = Attach(room=room, player="carol", name="Carol")
        silent.write(link.numbered(link.ATTACH, 1, msgspec.json.encode(watches)))
        await until(lambda: "carol" in mini.running(room)._audience.online)
        stand_still(silent)
        await until(lambda: "carol" not in mini.running(room)._audience.online)
        assert {"anna", "bob"} <= mini.running(room)._audience.online
        assert anna.pauses == 0


async def test_a_gateway_that_falls_silent_is_no_gateway_of_the_directory_any_more():
    async with mini_cluster() as mini:
        silent = await gateway_at(mini.directory.address)
        await until(lambda: len(mini.directory.gateways.listed()) == 2)
        stand_still(silent)
        await until(lambda: [gateway["name"] for gateway in mini.directory.gateways.listed()] == ["gw"])


@pytest.mark.parametrize("order", ["kill", "move", "close"])
async def test_an_order_reaches_the_owner_and_not_an_old_one_on_the_same_node(order: str):
    async with mini_cluster(spares=3, settings=PATIENT, directory={"chaos": True}) as mini:
        room, (anna, bob) = await start_game(mini, options={"seconds": 60})
        old = mini.process_of(room)
        record = mini.records[room]
        record.lost = (0.0, "node")
        mini.directory.registry.set_owner(record, None)
        mini.directory.placement.place(record)
        await until(lambda: anna.resumes == bob.resumes == 1)
        await mini.gateway.admin(order, {"room": room})
        if order == "close":
            await until(lambda: anna.bye and bob.bye)
            assert [entry.epoch for entry in await mini.log(room)][-1] == 2
        else:
            await until(lambda: anna.resumes == bob.resumes == 2)
            assert record.epoch == 3
            await move(anna, bob)
        assert mini.spawner.processes[old][0].running is not None
        assert old in mini.agent.pool.processes
