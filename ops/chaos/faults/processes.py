"""Processes are killed, or stand still: rooms', nodes', and those that nobody playing may miss."""

from __future__ import annotations

import asyncio
import signal

from ops import proc
from ops.chaos.fault import Scene, fault
from ops.chaos.nodes import signal_all
from ops.chaos.site import Need

PAUSE_SECONDS = 20.0
HEAD_SECONDS = 30.0  # by then nodes have found out whether the new head knows them
TOLD_SECONDS = 10.0  # and so soon a node that stood still is told by Ray's head, if that has given it up meanwhile
SHARE = 0.2  # of all rooms


@fault("room-killed", "the process of a room in mid-game is killed", Need.KILL, weight=10, brief=True)
async def room_killed(scene: Scene) -> None:
    table = await scene.in_play()
    await scene.refresh()
    await scene.moment(table)
    scene.strikes([table], moves=True)
    await scene.kill_room(table)


@fault("rooms-killed", "the processes of a fifth of all rooms are killed at once", Need.KILL, brief=True)
async def rooms_killed(scene: Scene) -> None:
    tables = scene.rng.sample(scene.tables, max(1, round(SHARE * len(scene.tables))))
    scene.strikes(tables, moves=True)
    for table in tables:
        await scene.kill_room(table)


@fault("room-paused", "a room's process stands still for 20 s, and wakes after its successor took over", Need.PROCESSES)
async def room_paused(scene: Scene) -> None:
    table = await scene.in_play()
    pid = (await scene.row(table))["pid"]
    await scene.refresh()
    scene.strikes([table], moves=True)
    scene.stop([pid])
    await scene.hold(PAUSE_SECONDS)
    await scene.moved()
    scene.go_on([pid])
    await scene.expect(lambda: not proc.alive([pid]), "an owner that woke after its successor took over stayed", 30)


@fault("node-paused", "a whole node stands still for 20 s, and wakes after its rooms were taken over", Need.NODES)
async def node_paused(scene: Scene) -> None:
    name, tables = await scene.a_node()
    everything, owners = scene.many.pids_of(name), [scene.pid_of(table) for table in tables]
    scene.strikes(tables, moves=True)
    scene.stop(everything)
    await scene.hold(PAUSE_SECONDS)
    await scene.moved()
    scene.go_on(everything)
    await scene.expect(lambda: not proc.alive(owners), "owners that woke after their successors took over stayed", 60)
    await scene.hold(TOLD_SECONDS)  # it ends then, and is started again: not in the middle of the next fault


@fault("node-killed", "a node's raylet is killed, and its processes with it", Need.NODES)
async def node_killed(scene: Scene) -> None:
    name, tables = await scene.a_node()
    raylets = [pid for pid in scene.many.pids_of(name) if "raylet/raylet" in proc.command(pid)]
    scene.strikes(tables, moves=True)
    signal_all(raylets, signal.SIGKILL)


@fault("node-off", "everything on a node is killed at once, as where a machine loses power", Need.NODES)
async def node_off(scene: Scene) -> None:
    name, tables = await scene.a_node()
    everything = scene.many.pids_of(name)
    scene.strikes(tables, moves=True)
    signal_all(everything, signal.SIGKILL)


@fault("agent-killed", "a node's agent is killed, who started its rooms; they play on", Need.PROCESSES, brief=True)
async def agent_killed(scene: Scene) -> None:
    scene.strikes(scene.tables)
    scene.kill("ray::AgentActor")
    await scene.hold(3.0)


@fault("clerk-killed", "one of the clerks is killed, through whom a node's rooms write", Need.POSTGRES, brief=True)
async def clerk_killed(scene: Scene) -> None:
    scene.strikes(scene.tables)
    scene.kill("ray::ClerkActor")
    await scene.hold(3.0)


@fault("directory-killed", "the directory is killed; rooms play on", Need.PROCESSES, brief=True)
async def directory_killed(scene: Scene) -> None:
    scene.strikes(scene.tables)
    scene.kill("ray::DirectoryActor")
    await scene.hold(3.0)


@fault("gateway-killed", "the gateway is killed; its clients come again", Need.PROCESSES, cuts=True, brief=True)
async def gateway_killed(scene: Scene) -> None:
    scene.strikes(scene.tables)
    scene.kill("ops.cli gateway")


@fault("gcs-paused", "Ray's head answers nobody for 20 s; meanwhile a room is made", Need.NODES, brief=True)
async def gcs_paused(scene: Scene) -> None:
    scene.strikes(scene.tables)
    scene.stop(scene.pids("gcs/gcs_server"))
    async with scene.own_room():
        await scene.hold(PAUSE_SECONDS)


@fault("head-killed", "Ray's head is killed with the directory, and started again", Need.NODES, weight=2)
async def head_killed(scene: Scene) -> None:
    """What survives depends on whether the GCS keeps its memory: it is noted."""
    owners = {table.id: scene.pid_of(table) for table in scene.tables}
    scene.strikes(scene.tables)
    signal_all(scene.many.pids_of("head"), signal.SIGKILL)
    await scene.hold(HEAD_SECONDS)
    await scene.whole()
    await scene.refresh()
    stayed = sum(scene.pid_of(table) == owners[table.id] for table in scene.tables)
    scene.note(f"{stayed} of {len(owners)} rooms kept their processes")
    await _spares_can_be_replaced(scene)


async def _spares_can_be_replaced(scene: Scene) -> None:
    """Rooms go on without Ray's head, and a node that the new one does not know would start nothing ever again."""
    owners = {row["pid"] for row in (await scene.rows()).values()}
    processes = [pid for name in scene.many.names for pid in scene.many.pids_of(name)]
    spares = [pid for pid in processes if "ray::RoomActor" in proc.command(pid) and pid not in owners]
    signal_all(spares, signal.SIGKILL)

    async def missed() -> bool:
        return any(row["spares"] < row["least"] for row in await asyncio.to_thread(scene.admin.nodes))

    await scene.expect(missed, "nobody missed a spare that was killed", 30)
    await scene.whole()
