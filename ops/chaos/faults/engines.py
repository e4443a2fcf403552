"""Games with bugs, and rooms that cannot go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from cluster.messages import Act
from ops.chaos.fault import Scene, fault
from ops.chaos.inside import GAME
from ops.chaos.site import Need
from ops.load import Table
from ops.player_io import Connection

SECONDS = 60.0


@fault("engine-crash", "an engine raises over one action; the room goes on", Need.POISON, brief=True)
async def engine_crash(scene: Scene) -> None:
    async with scene.own_room(GAME.id) as table:
        scene.strikes([table])
        mover = await _asked(scene, table)
        await _say(mover, {"type": "crash"})
        refused = mover.player.refused
        await scene.expect(lambda: refused["engine_error"], "the action was not refused", SECONDS)
        scene.over()


@fault("engine-fatal", "an engine takes its process down over one action, again and again", Need.POISON)
async def engine_fatal(scene: Scene) -> None:
    """It is sent again to each next owner, until the room is quarantined. Then an operator tries the room again."""
    async with scene.own_room(GAME.id) as table:
        mover = await _asked(scene, table)
        id = await _say(mover, {"type": "die"})
        await _quarantined(scene, table)
        del mover.player.unanswered[id]
        await _try_again(scene, table)


@fault("thrice-killed", "a room dies three times at one entry, and is tried again by an operator", Need.KILL)
async def thrice_killed(scene: Scene) -> None:
    async with scene.own_room() as table:
        for _ in range(3):
            row = await _running(scene, table)
            await scene.refresh()
            await scene.kill_room(table)
            await scene.expect(_given_up(scene, table, row["pid"]), "its death was not seen", SECONDS)
        await _quarantined(scene, table)
        await _try_again(scene, table)


async def _asked(scene: Scene, table: Table) -> Connection:
    await scene.expect(table.who_is_asked, "nobody was asked", SECONDS)
    mover = table.who_is_asked()
    assert mover is not None
    return mover


async def _say(mover: Connection, action: dict[str, Any]) -> str:
    id, text = mover.player.say(Act, decision=mover.player.decision, action=action)
    await mover.send(text)
    return id


async def _running(scene: Scene, table: Table) -> dict[str, Any]:
    found: dict[str, Any] = {}

    async def runs() -> bool:
        found.update((await scene.rows()).get(table.id, {}))
        return bool(found.get("pid"))

    await scene.expect(runs, "it had no owner", SECONDS)
    return found


def _given_up(scene: Scene, table: Table, pid: int) -> Callable[[], Awaitable[bool]]:
    """Has it another owner than this process, or none for good?"""

    async def so() -> bool:
        row = (await scene.rows()).get(table.id, {})
        return bool(row.get("quarantined")) or row.get("pid") not in (None, pid)

    return so


async def _quarantined(scene: Scene, table: Table) -> None:
    async def so() -> bool:
        return bool((await scene.rows()).get(table.id, {}).get("quarantined"))

    await scene.expect(so, "it was not quarantined", SECONDS)
    byes = [each.player for each in table.players]
    await scene.expect(
        lambda: all(player.bye is not None and player.bye.code == "quarantined" for player in byes),
        "its people were not told",
        SECONDS,
    )


async def _try_again(scene: Scene, table: Table) -> None:
    await asyncio.to_thread(scene.admin.change, "unquarantine", room=table.id)
    for each in table.players:
        await each.join_again()
