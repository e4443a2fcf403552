"""다시 보기: a finished game through the eyes of one viewer."""

from __future__ import annotations

from typing import Any

import pytest

from cluster.link_io import RequestRefused
from cluster.messages import Close, Leave, Ready
from cluster.replay import replay_of
from engines.catalog import GAMES
from tests.cluster.desk import Desk, finished, playing
from tests.cluster.variants import VARIANTS


def replay(desk: Desk, number: int = 0, viewer: str | None = "anna") -> dict[str, Any]:
    return replay_of(desk.log, GAMES.__getitem__, number, viewer)


def refusal(desk: Desk, number: int = 0) -> str:
    with pytest.raises(RequestRefused) as no:
        replay(desk, number)
    assert no.value.refusal.message
    return no.value.refusal.code


def test_a_replay_has_every_step_from_the_deal_to_the_result():
    desk = finished("anna", "bob")
    shown = replay(desk)
    assert [frame["seq"] for frame in shown["frames"]] == list(range(4, 10))
    assert [len(frame["view"]["lamps"]) for frame in shown["frames"]] == [0, 1, 2, 3, 4, 5]
    assert shown["frames"][0]["at"] == 0
    assert [event["type"] for event in shown["frames"][0]["events"]] == ["started", "dealt"]
    assert shown["result"] == {"winner": ["anna"]}
    assert shown["players"] == [
        {"player": "anna", "name": "Anna", "seat": 0, "bot": False},
        {"player": "bob", "name": "Bob", "seat": 1, "bot": False},
    ]
    assert (shown["room"], shown["game"], shown["number"], shown["stateVersion"]) == ("r1", "lamps", 0, 1)


def test_each_viewer_sees_with_their_own_eyes_and_strangers_as_spectators():
    desk = finished("anna", "bob")
    secrets = desk.table.state.secrets
    for viewer in ("anna", "bob"):
        shown = replay(desk, viewer=viewer)
        assert shown["viewer"] == viewer
        assert {frame["view"]["secret"] for frame in shown["frames"]} == {secrets[viewer]}
    for viewer in ("stranger", None):
        shown = replay(desk, viewer=viewer)
        assert shown["viewer"] is None
        assert all("secret" not in frame["view"] for frame in shown["frames"])
    assert replay(desk, viewer="stranger") == replay(desk, viewer=None)


def test_one_who_left_sees_as_a_spectator_from_then_on():
    """As it was when it was played."""
    desk = playing("anna", "bob", "cora")
    desk.play("anna")
    desk.do("bob", Leave)
    while desk.lobby.status == "playing":
        desk.now = desk.room.deadline()
        desk.due()
    views = [frame["view"] for frame in replay(desk, viewer="bob")["frames"]]
    assert ["secret" in view for view in views] == [True, True] + [False] * (len(views) - 2)


def test_the_second_game_of_a_room_is_shown_alone():
    desk = finished("anna", "bob")
    for player in ("anna", "bob"):
        desk.do(player, Ready)
    assert refusal(desk, 1) == "not_finished"
    while desk.lobby.status == "playing":
        desk.now = desk.room.deadline()
        desk.due()
    first, second = replay(desk, 0), replay(desk, 1)
    assert second["number"] == 1
    assert second["frames"][0]["seq"] > first["frames"][-1]["seq"]
    assert len(second["frames"][0]["view"]["lamps"]) == 0


def test_what_cannot_be_shown_is_refused_by_code():
    assert refusal(playing("anna", "bob")) == "not_finished"
    desk = finished("anna", "bob")
    assert [refusal(desk, number) for number in (1, -1, 99)] == ["no_such_game"] * 3
    assert refusal(Desk()) == "no_such_game"
    assert refusal(finished("anna", "bob", game=VARIANTS["private"])) == "replay_refused"
    with pytest.raises(RequestRefused, match="no_such_game"):
        replay_of([], GAMES.__getitem__, 0, None)


def test_a_game_that_a_close_cut_short_was_never_finished():
    desk = playing("anna", "bob")
    desk.do("anna", Close)
    assert refusal(desk) == "not_finished"


def test_a_game_finished_before_the_room_was_closed_is_shown():
    desk = finished("anna", "bob")
    desk.do("anna", Close)
    assert replay(desk)["result"] == {"winner": ["anna"]}


def test_no_frame_tells_a_time_of_the_rooms_clock():
    for frame in replay(finished("anna", "bob"))["frames"]:
        assert "deadline" not in frame["view"]
        assert frame["at"] < 1000
