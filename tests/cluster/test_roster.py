"""Which nodes are there, and which of them takes a room."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cluster.records import Node, Owner
from cluster.roster import Roster, freest


def node(name: str = "n", *, open: bool = True, **status: Any) -> Node:
    made = Node(SimpleNamespace(open=open), name)  # type: ignore[arg-type]
    made.status = {"spares": 1, "processes": 1, **status}
    return made


def test_an_agent_that_comes_again_is_another_and_the_first_one_s_end_is_not_its_own():
    roster = Roster()
    first, second = node(), node()
    roster.came(first)
    roster.came(second)
    assert roster.is_there(second)
    assert not roster.is_there(first)


def test_a_node_is_away_from_when_its_agent_went_until_it_is_back_or_given_up():
    roster = Roster()
    one = node()
    roster.came(one)
    roster.went_away(one, 7.0)
    assert (roster.here, roster.went) == ({}, {"n": 7.0})
    roster.came(one)
    assert (roster.here, roster.went) == ({"n": one}, {})
    roster.went_away(one, 8.0)
    roster.gave_up("n")
    assert (roster.here, roster.went) == ({}, {})


def test_the_node_of_an_owner_is_none_where_it_is_away():
    roster = Roster()
    one = node()
    roster.came(one)
    assert roster.of(Owner("n", "p", 1, "127.0.0.1:1", 1)) is one
    assert roster.of(Owner("other", "p", 1, "127.0.0.1:1", 1)) is None
    assert roster.of(None) is None


@pytest.mark.parametrize(
    ("status", "takes", "makes"),
    [
        ({}, True, True),
        ({"draining": True}, False, False),
        ({"full": True}, False, False),
        ({"open": False}, False, True),  # the link breaks just now: whoever comes next decides
        ({"processes": 0}, True, False),  # it has not started one yet
    ],
)
def test_who_takes_rooms_and_who_makes_them(status: dict[str, Any], takes: bool, makes: bool):
    roster = Roster()
    roster.came(node(**status))
    assert bool(roster.open()) is takes
    assert roster.makes_rooms() is makes


def test_the_freest_has_the_most_spares_that_are_not_promised():
    busy, idle = node("busy", spares=5), node("idle", spares=3)
    busy.handed = 3
    assert freest([busy, idle]) is idle
    assert freest([]) is None
