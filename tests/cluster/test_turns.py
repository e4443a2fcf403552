"""Turns: never more than so many, the urgent first, and none is lost."""

from __future__ import annotations

import asyncio

import pytest

from cluster.turns import Turns


class Table:
    """Everyone takes a turn, and keeps it until told to go on."""

    def __init__(self, limit: int) -> None:
        self.turns = Turns(limit)
        self.got: list[str] = []
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def ask(self, name: str, *, urgent: bool = False) -> asyncio.Task[None]:
        async def take() -> None:
            await self.turns.take(name, urgent=urgent)
            self.got.append(name)

        self._tasks[name] = asyncio.create_task(take())
        return self._tasks[name]

    async def settle(self) -> list[str]:
        for _ in range(5):
            await asyncio.sleep(0)
        return self.got


async def test_those_who_ask_together_are_served_by_urgency_and_then_in_order():
    table = Table(2)
    for name, urgent in (("a", False), ("b", False), ("c", True), ("d", False), ("e", True)):
        table.ask(name, urgent=urgent)
    assert await table.settle() == ["c", "e"]
    for _ in range(3):
        table.turns.give_back()
        await table.settle()
    assert table.got == ["c", "e", "a", "b", "d"]


async def test_who_becomes_urgent_overtakes_those_who_are_not():
    table = Table(1)
    for name in "abc":
        table.ask(name)
    assert await table.settle() == ["a"]
    table.turns.hurry("c")
    table.turns.hurry("nobody")
    table.turns.give_back()
    assert await table.settle() == ["a", "c"]


@pytest.mark.parametrize("after", [0, 1, 2, 3])
async def test_who_gives_up_while_waiting_or_just_when_served_leaves_the_turn_to_the_next(after: int):
    table = Table(1)
    first = table.ask("a")
    for _ in range(after):
        await asyncio.sleep(0)
    served = "a" in table.got
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    if served:
        table.turns.give_back()
    table.ask("b")
    assert (await table.settle())[-1] == "b"
    table.ask("c")
    assert "c" not in await table.settle()  # and there is still only one
    table.turns.give_back()
    assert "c" in await table.settle()
