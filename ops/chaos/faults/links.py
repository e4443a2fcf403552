"""Links are cut, slow, or silent, while everything at their ends is well."""

from __future__ import annotations

import asyncio
from itertools import pairwise

from cluster.client import Refused
from cluster.connection import ClusterConnection
from ops.chaos.fault import Scene, fault
from ops.chaos.nodes import HEAD
from ops.chaos.site import Need
from ops.problem import Problem

CUT_SECONDS = 10.0
SILENT_SECONDS = 25.0  # longer than it takes to notice
SLOW_SECONDS = 15.0
DELAY_SECONDS = 0.25


@fault("link-cut", "the gateway does not reach a node's rooms for 10 s; they reach their log", Need.NODES)
async def link_cut(scene: Scene) -> None:
    name, tables = await scene.a_node()
    wire = scene.many.to_rooms[name]
    scene.undo(wire.works)
    scene.strikes(tables)
    wire.refuses = True
    wire.cut()
    await scene.hold(CUT_SECONDS)


@fault("link-silent", "the same for 25 s, but no connection is closed", Need.NODES)
async def link_silent(scene: Scene) -> None:
    name, tables = await scene.a_node()
    wire = scene.many.to_rooms[name]
    scene.undo(wire.works)
    scene.undo(wire.cut)
    scene.strikes(tables)
    wire.hold()
    await scene.hold(SILENT_SECONDS)


@fault("link-slow", "what passes between the gateway and a node's rooms takes 250 ms", Need.NODES, brief=True)
async def link_slow(scene: Scene) -> None:
    name, tables = await scene.a_node()
    wire = scene.many.to_rooms[name]
    scene.undo(wire.works)
    scene.strikes(tables)
    wire.delay = DELAY_SECONDS
    await scene.hold(SLOW_SECONDS)


@fault("create-reply-lost", "a room is made, and the answer to that is lost", Need.NODES, brief=True)
async def create_reply_lost(scene: Scene) -> None:
    """Whoever asked asks again, and gets that room and no other."""
    cluster, wire = scene.many.cluster, scene.many.to_directory
    directory = ClusterConnection(f"{HEAD}:{cluster.directory}", bytes.fromhex(cluster.secret), "chaos")
    await directory.start()

    async def rooms() -> set[str]:
        try:
            return set((await directory.admin("all", {}))["rooms"])
        except Refused as no:
            raise Problem(no.code, f"the directory does not say which rooms there are: {no}") from no

    scene.undo(directory.close)
    scene.undo(wire.works)
    before = await rooms()
    scene.strikes(scene.tables)
    token = await scene.lobby.guest("lost")
    wire.hold_answers()
    asking = asyncio.create_task(scene.lobby.create(token, game="ninety-nine", seats=2))
    scene.undo(asking.cancel)

    async def made() -> bool:
        return await rooms() > before

    await scene.expect(made, "no room was made", 30)
    wire.cut()
    wire.works()
    room = (await asking)["id"]
    after = await rooms()
    scene.must(after - before == {room}, f"{len(after - before)} rooms were made")
    await asyncio.to_thread(scene.admin.change, "close", room=room)


@fault("clocks-apart", "rooms move between nodes whose clocks are five minutes apart", Need.NODES)
async def clocks_apart(scene: Scene) -> None:
    """Nobody's time is up because of that, and none is won."""
    name, tables = await scene.a_node()
    lapsed = [table.lapsed for table in tables]
    scene.undo(lambda: asyncio.to_thread(scene.admin.change, "undrain", node=name))
    scene.strikes(tables, moves=True)
    await asyncio.to_thread(scene.admin.change, "drain", node=name)
    await scene.moved()
    scene.must([table.lapsed for table in tables] == lapsed, "a question lapsed")
    for table in tables:
        entries = await asyncio.to_thread(scene.admin.log, table.id)
        leaps = [later["at"] - at["at"] for at, later in pairwise(entries)]
        scene.must(0 <= min(leaps) <= max(leaps) < 60_000, f"room {table.id}'s own time leapt")
