"""The store goes away, and comes back."""

from __future__ import annotations

import asyncio
import os
import shutil

from ops.chaos.fault import Scene, fault
from ops.chaos.site import Need
from ops.postgres import Shutdown

AWAY_SECONDS = 60.0
FULL_SECONDS = 20.0
HOW: tuple[Shutdown, ...] = ("fast", "immediate", "kill")
CHUNK = 64 * 1024


@fault("postgres-restarted", "PostgreSQL is restarted, in peace or not", Need.POSTGRES, brief=True)
async def postgres_restarted(scene: Scene) -> None:
    scene.undo(scene.many.start_postgres)
    scene.strikes(scene.tables)
    await scene.many.stop_postgres(scene.rng.choice(HOW))


@fault("postgres-away", "PostgreSQL is gone for a minute", Need.POSTGRES, weight=1)
async def postgres_away(scene: Scene) -> None:
    scene.undo(scene.many.start_postgres)
    scene.strikes(scene.tables)
    await scene.many.stop_postgres("immediate")
    await scene.hold(AWAY_SECONDS)


@fault("disk-full", "the disk under SQLite is full", Need.SMALL_DISK)
async def disk_full(scene: Scene) -> None:
    """A room notices when its file must grow; so it lasts until one has, and then a while."""
    filler = scene.single.data.parent / "filler"
    pauses = _pauses(scene)
    scene.undo(lambda: filler.unlink(missing_ok=True))
    scene.strikes(scene.tables)
    await asyncio.to_thread(_fill, str(filler))
    await scene.expect(lambda: _pauses(scene) > pauses, "no room noticed that the disk was full", 60)
    await scene.hold(FULL_SECONDS)
    scene.note(
        f"{shutil.disk_usage(filler.parent).free} bytes were free; {_pauses(scene) - pauses} players saw a pause"
    )


def _pauses(scene: Scene) -> int:
    return sum(each.player.pauses for table in scene.tables for each in table.players)


def _fill(path: str) -> None:
    """Writes until nothing more fits."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        size = CHUNK
        while size:
            try:
                os.write(fd, bytes(size))
            except OSError:  # no space left: is there any for less?
                size //= 2
    finally:
        os.close(fd)
