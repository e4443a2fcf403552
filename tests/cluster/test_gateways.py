"""What gateways are told without asking: whether rooms can be made, and which have moved."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from cluster.gateways import Gateways
from cluster.link import Who
from cluster.records import Node
from cluster.registry import Registry
from cluster.roster import Roster
from tests.cluster.test_registry import row


class Told:
    """A gateway's stream, of which only what it is told matters."""

    def __init__(self, name: str, **data: Any) -> None:
        self.who, self.data = Who(kind="gateway", name=name), data or None
        self.told: list[dict[str, Any]] = []

    def notify(self, notice: dict[str, Any]) -> None:
        self.told.append(notice)


def node() -> Node:
    made = Node(SimpleNamespace(open=True), "n")  # type: ignore[arg-type]
    made.status = {"processes": 1}
    return made


def ready(yes: bool) -> dict[str, Any]:
    return {"type": "ready", "ready": yes}


def test_whoever_comes_is_told_how_it_is_and_all_are_told_when_it_changes():
    roster = Roster()
    gateways, early, late = Gateways(roster), Told("early"), Told("late")
    gateways.came(early)  # type: ignore[arg-type]
    roster.came(node())
    gateways.tell_ready()
    gateways.tell_ready()  # nothing new
    gateways.came(late)  # type: ignore[arg-type]
    gateways.went(early)  # type: ignore[arg-type]
    roster.here.clear()
    gateways.tell_ready()
    assert early.told == [ready(False), ready(True)]
    assert late.told == [ready(True), ready(False)]


def test_they_are_told_of_a_room_that_has_another_owner():
    gateways, one = Gateways(Roster()), Told("gw")
    gateways.came(one)  # type: ignore[arg-type]
    record = Registry().add(row(1))
    record.epoch = 3
    gateways.tell_moved(record)
    assert one.told[1:] == [{"type": "moved", "room": "r1", "epoch": 3}]


def test_they_are_listed_by_name_as_they_told_of_themselves_or_without_that():
    gateways = Gateways(Roster())
    for one in (Told("b", sockets=3), Told("a")):
        gateways.came(one)  # type: ignore[arg-type]
    assert gateways.listed() == [{"name": "a"}, {"sockets": 3, "name": "b"}]
