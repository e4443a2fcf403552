"""A gateway's connection to the cluster, where what it asks does not answer as it should."""

from __future__ import annotations

import threading

import pytest

from cluster import connection, process
from cluster.client import Refused
from tests.cluster.mini import light, mini_cluster, start_game


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
