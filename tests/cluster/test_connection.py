"""A gateway's connection to the cluster, where what it asks does not answer as it should."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from cluster import connection, process
from cluster.client import Refused
from tests.cluster.mini import Client, light, mini_cluster, start_game, until


@pytest.mark.parametrize("what", ["replay", "fairness"])
async def test_what_is_late_is_not_asked_for_again(what: str, monkeypatch: pytest.MonkeyPatch):
    """The room's thread is still at work on the first question: three of them would be three times the work."""
    go_on = threading.Event()
    monkeypatch.setattr(connection, "PAST_SECONDS", 0.2)
    monkeypatch.setitem(process.PASTS, what, lambda *_: {"viewer": go_on.wait(20)})
    async with mini_cluster() as mini:
        room, (anna, _) = await start_game(mini)
        try:
            with pytest.raises(Refused, match="unavailable") as no:
                await getattr(mini.gateway, what)(room, 0, "anna")
            assert no.value.retry
            assert (await light(anna))["type"] == "ack"  # the room has heard all that was asked before this
            assert mini.running(room)._past_asked == 1
        finally:
            go_on.set()


@pytest.mark.parametrize("when", ["at first", "after a death"])
async def test_where_looking_for_a_room_fails_as_nobody_expected_its_people_are_asked_to_come_again(
    when: str, monkeypatch: pytest.MonkeyPatch
):
    """A directory of another version may answer so. Whoever comes next is looked for anew."""
    locate = connection.ClusterConnection.locate

    async def nonsense(*_: Any) -> dict[str, Any]:
        return {"address": 7}

    async with mini_cluster() as mini:
        room, people = await start_game(mini)
        monkeypatch.setattr(connection.ClusterConnection, "locate", nonsense)
        if when == "at first":
            for client in people:
                client.attachment.detach()
            people = [Client(mini, room, "anna"), Client(mini, room, "bob")]
        else:
            mini.kill_owner(room)
        for client in people:
            await until(lambda client=client: client.bye)
            assert (client.bye.code, client.bye.again) == ("unavailable", True)
        monkeypatch.setattr(connection.ClusterConnection, "locate", locate)
        for player in ("anna", "bob"):
            assert (await Client(mini, room, player).welcome())["you"]["seat"] is not None
