"""Agents are told how many spares are wanted of their nodes, where that is another number than before."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from cluster import supply
from cluster.records import Node
from cluster.registry import Registry
from cluster.roster import Roster
from cluster.supply import Supply
from tests.cluster.test_registry import owner, row


class World:
    """Nodes, rooms, and what each agent is told."""

    def __init__(self) -> None:
        self.registry, self.roster = Registry(), Roster()
        self.supply = Supply(self.registry, self.roster)
        self.told: dict[str, list[int]] = {}

    def node(self, name: str, **status: Any) -> Node:
        told = self.told.setdefault(name, [])
        peer = SimpleNamespace(notify=lambda notice: told.append(notice["wanted"]))
        made = Node(peer, name)  # type: ignore[arg-type]
        made.status = {"least": 1, "starts": 100.0, **status}
        self.roster.came(made)
        return made


def test_an_agent_is_told_once_and_again_when_it_is_another_number():
    world = World()
    node = world.node("n")
    world.supply.tell()
    world.supply.tell()
    node.status["least"] = 3
    world.supply.tell()
    assert world.told == {"n": [1, 3]}


def test_rooms_that_need_another_process_are_asked_for_in_spares():
    """One is being placed, one was on a node that is lost, one is on a node that is to be emptied."""
    world = World()
    world.node("n")
    world.node("leaves", draining=True)
    placed, lost, leaving, stays = (world.registry.add(row(number)) for number in range(4))
    world.registry.begin_placing(placed, 0.0)
    for record, node in ((lost, "gone"), (leaving, "leaves"), (stays, "n")):
        world.registry.set_owner(record, owner(node))
    world.supply.tell()
    assert world.told == {"n": [1 + 3], "leaves": []}


async def test_after_many_rooms_they_are_told_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(supply, "SPARES_SOON_SECONDS", 0.0)
    world = World()
    world.node("n")
    for _ in range(3):
        world.supply.tell_soon()
    assert world.told == {"n": []}
    await asyncio.sleep(0.01)
    assert world.told == {"n": [1]}
    world.node("n", least=2)
    world.supply.tell_soon()
    world.supply.stop()
    await asyncio.sleep(0.01)
    assert world.told == {"n": [1]}
