"""A fault: its name, what it needs, and what it does. And the scene on which it does it.

    @fault("directory-killed", "the directory's process is killed", Need.PROCESSES)
    async def directory_killed(scene: Scene) -> None:
        scene.strikes(scene.tables)
        scene.kill("ray::DirectoryActor")

A fault says which rooms it *strikes* just before it does so: from then on their gaps are measured, and everyone there
acts as soon as they are asked. What must be undone it leaves with `undo`; that is done when the function ends, however
it ends. The drill then waits until every room that was struck is played again, and until everything is whole.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, Protocol

import msgspec

from ops import proc
from ops.admin import Admin
from ops.chaos.nodes import signal_all
from ops.chaos.site import Many, Need, Single, Site
from ops.load import Table
from ops.player_io import Lobby
from ops.problem import Problem

JUST_SENT_MS = 4.0  # half of the strikes on one room come within so long after an action was sent
LOOK_SECONDS = 0.02
PLAY_SECONDS = 120.0  # in which somebody must be asked somewhere


class Hit(msgspec.Struct):
    """A room that a fault has struck."""

    table: Table
    moves: bool  # its owner is gone: it is back when a later one has taken an action
    epoch: int  # of the owner that was struck
    at: float  # when; `time.perf_counter` here and below
    over: float | None = None  # when the fault was undone
    moved: float | None = None  # when it was seen that a later owner has the room
    mixed: bool = False  # another fault struck the same room meanwhile
    acks: list[tuple[float, int]] = []  # actions that were acknowledged since: when, and as which entry

    @property
    def back(self) -> bool:
        """Is it played again?"""
        since = self.moved if self.moves else self.over
        return since is not None and any(at > since for at, _ in self.acks)


class Fault(msgspec.Struct, frozen=True):
    """A scenario."""

    name: str
    says: str  # what happens, for --help and reports
    needs: frozenset[Need]
    do: Callable[[Scene], Awaitable[None]]
    cuts: bool = False  # players' sockets, which are opened again
    weight: int = 4  # how often a storm does it, beside the others
    brief: bool = False  # short and cheap enough for a storm of seconds


FAULTS: dict[str, Fault] = {}


def fault(name: str, says: str, *needs: Need, **more: Any) -> Callable[[Callable[[Scene], Awaitable[None]]], Fault]:
    """Enters what follows in the catalogue."""

    def enter(do: Callable[[Scene], Awaitable[None]]) -> Fault:
        FAULTS[name] = Fault(name, says, frozenset(needs), do, **more)
        return FAULTS[name]

    return enter


class Stage(Protocol):
    """What the drill offers to a scene."""

    admin: Admin
    site: Site
    rng: random.Random
    tables: list[Table]
    lobby: Lobby
    remote: bool
    longest: float
    reconnects: int

    @property
    def period(self) -> float: ...

    def hit(self, hit: Hit) -> None: ...

    def found(self, what: str) -> None: ...

    def note(self, what: str) -> None: ...

    async def whole(self) -> bool: ...

    def extra_table(self, game: str | None = None) -> AbstractAsyncContextManager[Table]: ...


class Scene:
    """Where one fault strikes."""

    def __init__(self, stage: Stage, name: str) -> None:
        self._stage, self._name, self._undo = stage, name, AsyncExitStack()
        self.hits: list[Hit] = []  # what it has struck so far
        self.admin, self.site, self.rng, self.tables = stage.admin, stage.site, stage.rng, stage.tables
        self.lobby, self.reconnects = stage.lobby, stage.reconnects
        self._rows: dict[str, dict[str, Any]] = {}

    async def __aenter__(self) -> Scene:
        await self.refresh()
        return self

    async def __aexit__(self, *how: object) -> None:
        await self._undo.aclose()

    # ------------------------------------------------------------ where things are

    async def rows(self) -> dict[str, dict[str, Any]]:
        """All rooms by id, with node, process and epoch."""
        return {row["id"]: row for row in await asyncio.to_thread(self.admin.rooms)}

    async def row(self, table: Table) -> dict[str, Any]:
        row = (await self.rows()).get(table.id)
        if row is None or not row["pid"]:
            raise Problem("no_process", f"room {table.id} has no process")
        return row

    def pid_of(self, table: Table) -> int:
        """Of the process that owned it at the last `refresh`; 0: none."""
        return self._rows.get(table.id, {}).get("pid") or 0

    async def in_play(self) -> Table:
        """One of our tables where somebody is about to act."""
        deadline = time.monotonic() + PLAY_SECONDS
        while (table := self.rng.choice(self.tables)).who_is_asked() is None:
            if time.monotonic() > deadline:
                raise Problem("nobody_plays", f"no room was in play for {PLAY_SECONDS:.0f} s", 1)
            await asyncio.sleep(0.01)
        return table

    async def a_node(self) -> tuple[str, list[Table]]:
        """A node that has rooms of ours, and these."""
        await self.refresh()
        at: dict[str, list[Table]] = {}
        for table in self.tables:
            if (node := self._rows.get(table.id, {}).get("node")) is not None:
                at.setdefault(node, []).append(table)
        name = self.rng.choice(sorted(at))
        return name, at[name]

    @property
    def many(self) -> Many:
        assert isinstance(self.site, Many)
        return self.site

    @property
    def single(self) -> Single:
        assert isinstance(self.site, Single)
        return self.site

    def pids(self, title: str) -> list[int]:
        """Hanpan's processes whose command line, or title, holds this."""
        return [pid for pid in self.site.pids() if title in proc.command(pid)]

    # ------------------------------------------------------------ what is done

    async def refresh(self) -> None:
        self._rows = await self.rows()

    def strikes(self, tables: Sequence[Table], *, moves: bool = False) -> None:
        """It happens now, to these. ``moves``: their owners are lost, and others take over. Look at `refresh` first."""
        now = time.perf_counter()
        for table in tables:
            epoch = self._rows[table.id]["epoch"] if moves else 0
            hit = Hit(table, moves, epoch, now)
            self.hits.append(hit)
            self._stage.hit(hit)

    def over(self) -> None:
        """What it has struck is free of it from now on; at the latest when all is undone."""
        for hit in self.hits:
            if hit.over is None:
                hit.over = time.perf_counter()

    def undo(self, what: Callable[[], object]) -> None:
        """Done at the end, the last first, also where something went wrong. May be a coroutine function."""

        async def do() -> None:
            if asyncio.iscoroutine(done := what()):
                await done

        self._undo.push_async_callback(do)

    def kill(self, title: str) -> None:
        """Kill -9 of one of hanpan's processes that are called so."""
        pids = self.pids(title)
        if not pids:
            raise Problem("no_process", f"no process is called {title!r}")
        signal_all([self.rng.choice(pids)], signal.SIGKILL)

    async def kill_room(self, table: Table) -> None:
        if self._stage.remote:
            await asyncio.to_thread(self.admin.change, "kill", room=table.id)
            return
        pid = self._rows[table.id]["pid"]
        self._must_be_its_own([pid])
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError as gone:
            raise Problem("died_before", f"process {pid} of room {table.id} had ended by itself") from gone

    def _must_be_its_own(self, pids: Sequence[int]) -> None:
        """Hanpan tells us pids; those of another machine are other people's here."""
        for pid in pids:
            if not self.site.has(pid):
                raise Problem("not_its_own", f"process {pid} has ended, or is not of the hanpan at {self.site.url}")

    def stop(self, pids: Sequence[int]) -> None:
        """They stand still, until they are told to go on, or the fault is undone."""
        self._must_be_its_own(pids)
        signal_all(list(pids), signal.SIGSTOP)
        self.undo(lambda: self.go_on(pids))

    def go_on(self, pids: Sequence[int]) -> None:
        signal_all(list(pids), signal.SIGCONT)

    async def hold(self, seconds: float) -> None:
        """It stays so for a while, or for as long as this drill lets anything last."""
        await asyncio.sleep(min(seconds, self._stage.longest))

    async def moment(self, table: Table) -> None:
        """A moment to strike one room: just after somebody has acted there, or any."""
        if self.rng.random() < 0.5:
            if not table.underway and (connection := table.who_is_asked()) is not None:
                await table.act(connection)
            await asyncio.sleep(self.rng.uniform(0, JUST_SENT_MS) / 1000)
        else:
            await asyncio.sleep(self.rng.uniform(0, self._stage.period))

    # ------------------------------------------------------------ what must come of it

    async def moved(self, seconds: float = 90.0) -> None:
        """Until every room that was struck is played by a later owner."""
        await self.expect(lambda: all(hit.back for hit in self.hits), "a room was not taken over", seconds)

    async def expect(self, condition: Callable[[], Any], otherwise: str, seconds: float) -> bool:
        """Waits until it is so; if it never is, that is a finding. The condition may be a coroutine function."""
        deadline = time.monotonic() + seconds
        while True:
            value = condition()
            if asyncio.iscoroutine(value):
                value = await value
            if value:
                return True
            if time.monotonic() > deadline:
                self.must(False, f"{otherwise} within {seconds:.0f} s")
                return False
            await asyncio.sleep(LOOK_SECONDS)

    def must(self, so: bool, otherwise: str) -> None:
        """If it is not so, that is a finding."""
        if not so:
            self._stage.found(f"{self._name}: {otherwise}")

    def note(self, what: str) -> None:
        """Something for the report that is neither right nor wrong."""
        self._stage.note(f"{self._name}: {what}")

    async def whole(self) -> bool:
        """Waits until nodes and spares are as many as at the start; if they never are, that is a finding."""
        return await self._stage.whole()

    def own_room(self, game: str | None = None) -> AbstractAsyncContextManager[Table]:
        """A room of this fault's own, with a game under way in it; what its clients saw is proven afterwards."""
        return self._stage.extra_table(game)
