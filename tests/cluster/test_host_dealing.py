"""A sealed start in a whole cluster: it survives what kills its process, and waits for nobody for long."""

from __future__ import annotations

from typing import Any

import pytest

from cluster.client import Refused
from ops.deals import check_deals
from ops.fairness import check, count
from tests.cluster.dealings import number_of, pledge_of
from tests.cluster.mini import Client, MiniCluster, mini_cluster, until


async def sealed(mini: MiniCluster, **wish: Any) -> tuple[str, list[Client]]:
    """A room whose last seat has just been taken, and that now waits for numbers."""
    room = await mini.create("seotda", seats=2, auto_start=True, **wish)
    clients = []
    for player in ("anna", "bob"):
        clients.append(Client(mini, room.id, player, pledge=pledge_of(player)))
        await clients[-1].welcome()
    await until(lambda: all(deal(client).get("awaited") == ["anna", "bob"] for client in clients))
    return room.id, clients


def deal(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.room.get("deal") or {}
    return found


async def test_a_sealed_start_whose_process_is_killed_goes_on_under_the_same_seal():
    async with mini_cluster() as mini:
        room, (anna, bob) = await sealed(mini)
        seal = deal(anna)["seal"]
        assert (await anna.do("lend", number=number_of("anna")))["type"] == "ack"
        mini.kill_owner(room)
        assert (await bob.do("lend", number=number_of("bob")))["type"] == "ack"
        await until(lambda: all(client.room["status"] == "playing" for client in (anna, bob)))
        assert deal(bob)["seal"] == seal
        assert deal(bob)["numbers"] == {"anna": number_of("anna"), "bob": number_of("bob")}
        kinds = await mini.kinds(room)
        assert (kinds.count("seal"), kinds.count("start")) == (1, 1)
        assert (await mini.log(room))[-1].epoch == 2
        for viewer in ("anna", None):
            evidence = await mini.gateway.fairness(room, 0, viewer)
            assert check(evidence) == []
            assert evidence["seal"] == seal
            assert count(evidence) == (4 if viewer is not None else 3)  # one card so far; two seats and a dealer
        assert check_deals(await mini.log(room)).ok


async def test_a_client_that_does_not_answer_is_left_out_and_named():
    async with mini_cluster() as mini:
        room, (anna, bob) = await sealed(mini)
        await anna.do("lend", number=number_of("anna"))
        await until(lambda: bob.room["status"] == "playing")
        assert list(deal(bob)["numbers"]) == ["anna"]
        assert set(deal(bob)["pledges"]) == {"anna", "bob"}
        evidence = await mini.gateway.fairness(room, 0, "bob")
        assert evidence["silent"] == ["bob"]
        assert check(evidence) == []


async def test_where_nobody_may_watch_only_players_are_given_evidence():
    async with mini_cluster() as mini:
        room, clients = await sealed(mini, spectators=False)
        for client in clients:
            await client.do("lend", number=number_of(client.player))
        assert check(await mini.gateway.fairness(room, 0, "anna")) == []
        for viewer in (None, "stranger"):
            with pytest.raises(Refused, match="not_public"):
                await mini.gateway.fairness(room, 0, viewer)
