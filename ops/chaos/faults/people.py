"""People all come at once."""

from __future__ import annotations

import asyncio
import resource
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cluster.messages import ServerMessage, Welcome
from ops.chaos.fault import Scene, fault
from ops.load import OPENED_AT_ONCE
from ops.player import Player
from ops.player_io import Connection
from ops.problem import Problem

FILES_EACH = 2


class Crowd:
    """Spectators, and how often each has been welcomed."""

    def __init__(self) -> None:
        self.people: list[Connection] = []
        self.welcomes = 0

    async def heard(self, connection: Connection, message: ServerMessage, at: float) -> None:
        self.welcomes += isinstance(message, Welcome)


@asynccontextmanager
async def crowd(scene: Scene, count: int) -> AsyncIterator[Crowd]:
    """So many spectators over all rooms, who go at the end."""
    there, width = Crowd(), asyncio.Semaphore(OPENED_AT_ONCE)

    async def come(number: int) -> None:
        async with width:
            token = await scene.lobby.guest(f"w{number}")
            room = scene.tables[number % len(scene.tables)].id
            one = Connection(scene.lobby, Player(room, token, secrets.token_hex(4), join="watch"), there.heard)
            there.people.append(one)
            try:
                await one.join()
            except Problem as no:
                there.people.remove(one)
                if no.code != "crowded":  # a hanpan that is not ours lets in as many as it does
                    raise

    try:
        await asyncio.gather(*(come(number) for number in range(count)))
        yield there
    finally:
        await asyncio.gather(*(one.close() for one in there.people))


@fault("reconnect-burst", "two thousand sockets break at once, and are opened again", cuts=True, weight=1)
async def reconnect_burst(scene: Scene) -> None:
    _open_files(scene.reconnects * FILES_EACH)
    async with crowd(scene, scene.reconnects) as there:
        everyone = [*there.people, *(each for table in scene.tables for each in table.players)]
        scene.strikes(scene.tables)
        began, before = time.perf_counter(), there.welcomes
        for one in everyone:
            one.cut()
        await scene.expect(lambda: there.welcomes >= before + len(there.people), "not everyone came back", 120)
        scene.note(f"{len(everyone)} sockets were open again after {time.perf_counter() - began:.1f} s")


def _open_files(count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + 1000
    if soft != resource.RLIM_INFINITY and soft < wanted:
        if hard != resource.RLIM_INFINITY and hard < wanted:
            raise Problem("too_few_files", f"{wanted} files must be open at once, and {hard} may be", 2)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
