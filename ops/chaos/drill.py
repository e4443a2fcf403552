"""One run: many rooms are played, faults strike one after the other, and at the end it is proven what they cost.

Each client is a witness (`ops.player`). At the end everyone stops, and what each was told is held against the rooms'
logs (`ops.verify.prove`): one proof for all faults.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from cluster.entries import Entry
from cluster.messages import Ack
from ops.chaos.fault import Fault, Hit, Scene
from ops.chaos.gaps import gap
from ops.chaos.report import Report
from ops.chaos.site import Site, admin_of
from ops.load import Plan, Table, find_game, lobby_at, open_table, settle, tables_in, timetable
from ops.player import Player
from ops.player_io import Lobby
from ops.problem import Problem
from ops.verify import Witness, prove

WHOLE_SECONDS = 180.0  # after a fault, for processes and nodes to be as many as before
BACK_SECONDS = 120.0  # in which a room that was struck must be played again
QUIET_SECONDS = 30.0  # in which everyone must have heard of everything, at the end
TRY_SECONDS = 0.002  # so often somebody acts in a room whose owner was lost, to see it come back
LOOK_SECONDS = 0.05
EXTRA_TURNS = 5  # played in a fault's own room before anything happens to it
ALSO = 1 / 3  # of a storm's faults are met by a kill of some room, while they last

AMONG = " during others"  # is added to a fault's name then: its gaps are not its own

Script = Callable[[float], Fault | None]
"""Which fault is next, after so many seconds of the run; None: it is over."""


class Drill:
    """One run."""

    def __init__(
        self,
        plan: Plan,
        site: Site,
        say: Callable[[str], None],
        *,
        remote: bool = False,
        longest: float = float("inf"),
        reconnects: int = 2000,
    ) -> None:
        self.site, self.admin = site, admin_of(site)
        self.rng = random.Random(f"chaos/{plan.seed}")
        self.tables: list[Table] = []
        self.remote, self.longest, self.reconnects = remote, longest, reconnects
        self._plan, self._say = plan, say
        self._hits: dict[str, list[Hit]] = {}  # by kind of fault
        self._so_far = Report()
        self._open: dict[str, list[Hit]] = {}  # by room: those that are not back yet
        self._owners: dict[str, dict[int, int]] = {}  # by room: the epoch of each entry
        self._nodes = 0  # before anything happened
        self.lobby: Lobby

    async def run(self, script: Script, also: Fault | None = None) -> Report:
        """Plays, breaks and proves; the report. ``also`` strikes now and then while another fault lasts."""
        rows = await self._rows()
        self._nodes, self._so_far.spares = len(rows), sum(int(row["spares"]) for row in rows)
        async with lobby_at(self.site.url) as self.lobby, tables_in(self.lobby, self._plan, self._say) as self.tables:
            for table in self.tables:
                await table.begin(eager=False)
                table.on_ack = self._acknowledged
            began = time.monotonic()
            async with timetable(self.tables, self._plan.period):
                while await self.whole() and (fault := script(time.monotonic() - began)) is not None:
                    self._say(f"{time.monotonic() - began:.0f} s: {fault.name} ({self._so_far.faults.total()} done)")
                    await self._strike(fault, also)
            ended = await settle(self.tables)
            seconds = time.monotonic() - began
            for table in self.tables:
                await self._prove(table)
            return self._report(ended, seconds)

    # ------------------------------------------------------------ what faults use (`ops.chaos.fault.Stage`)

    def hit(self, hit: Hit) -> None:
        there = self._open.setdefault(hit.table.id, [])
        there.append(hit)
        for each in there if len(there) > 1 else ():
            each.mixed = True

    def found(self, what: str) -> None:
        self._so_far.unmet.append(what)

    def note(self, what: str) -> None:
        self._so_far.notes.append(what)

    @property
    def period(self) -> float:
        """Seconds between a room's turns."""
        return max(self._plan.period, 1) / 1000

    @asynccontextmanager
    async def extra_table(self, game: str | None = None) -> AsyncIterator[Table]:
        plan = msgspec.structs.replace(self._plan, game=game or self._plan.game)
        opened: list[Table] = []
        try:
            table = await open_table(plan, find_game(plan), self.lobby, self.rng.randrange(10**9), opened)
            table.on_ack = self._acknowledged
            await table.begin(eager=False)
            await self.turns(table, EXTRA_TURNS)
            yield table
            await self.turns(table, EXTRA_TURNS)
            if not await settle([table]):
                self.found(f"{table.id}: some turns never came to an end")
            await self._prove(table)
        finally:
            await asyncio.gather(*(table.close() for table in opened))

    async def turns(self, table: Table, count: int) -> None:
        """So many are played there, as soon as anybody is asked."""
        wanted, deadline = len(table.latencies) + count, time.monotonic() + BACK_SECONDS
        while len(table.latencies) < wanted:
            await _act_if_asked(table)
            if time.monotonic() > deadline:
                raise Problem("not_played", f"room {table.id} was not played for {BACK_SECONDS:.0f} s", 1)
            await asyncio.sleep(TRY_SECONDS)

    # ------------------------------------------------------------ one fault

    async def _strike(self, fault: Fault, also: Fault | None) -> None:
        hits = [asyncio.create_task(self._let(fault))]
        if also is not None and also is not fault and self.rng.random() < ALSO:
            hits.append(asyncio.create_task(self._let(also, among=fault)))
        try:
            await asyncio.gather(*hits)
        finally:
            for task in hits:
                task.cancel()
            await asyncio.gather(*hits, return_exceptions=True)

    async def _let(self, fault: Fault, among: Fault | None = None) -> None:
        """The fault happens, is undone, and every room that it has struck is played again."""
        kind = fault.name if among is None else fault.name + AMONG
        if among is not None:
            await asyncio.sleep(self.rng.uniform(0, 2.0))
        scene = Scene(self, kind)
        hits = scene.hits
        helpers = [asyncio.create_task(work(hits)) for work in (self._hurry, self._look_for_owners)]
        try:
            try:
                async with scene:
                    await fault.do(scene)
            except Problem as no:
                if among is None:  # what has been seen until now is worth its proof, and the rest of a storm its time
                    self.found(f"{kind}: {no}")
                else:
                    self._say(f"{kind}: {no}")  # there is nobody who could be asked, or nothing to be killed, just now
            scene.over()
            self._so_far.cut |= fault.cuts
            if hits or among is None:
                self._so_far.faults[kind] += 1
                self._hits.setdefault(kind, []).extend(hits)
            await self._back(kind, hits)
        finally:
            for helper in helpers:
                helper.cancel()

    def _acknowledged(self, table: Table, ack: Ack, at: float) -> None:
        for hit in self._open.get(table.id, ()):
            hit.acks.append((at, ack.seq))

    async def _hurry(self, hits: list[Hit]) -> None:
        """Where the owner was lost somebody acts as soon as anyone can; elsewhere the timetable is quick enough."""
        while True:
            for hit in hits:
                if hit.moves and not hit.back:
                    await _act_if_asked(hit.table)
            await asyncio.sleep(TRY_SECONDS)

    async def _look_for_owners(self, hits: list[Hit]) -> None:
        """Of an owner that was killed there may be many acknowledgements yet: it is asked who owns the rooms now."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if not any(hit.moves and hit.moved is None and hit.acks for hit in hits):
                continue
            with contextlib.suppress(Problem):  # nobody answers just now
                epochs = {row["id"]: row["epoch"] for row in await asyncio.to_thread(self.admin.rooms) if row["pid"]}
                now = time.perf_counter()
                for hit in hits:
                    if hit.moves and hit.moved is None and epochs.get(hit.table.id, 0) > hit.epoch:
                        hit.moved = now

    async def _back(self, kind: str, hits: list[Hit]) -> None:
        deadline = time.monotonic() + BACK_SECONDS
        while not all(hit.back for hit in hits) and time.monotonic() < deadline:  # noqa: ASYNC110  # they hear acks
            await asyncio.sleep(TRY_SECONDS)
        for hit in (hit for hit in hits if not hit.back):
            self.found(f"{kind}: room {hit.table.id} was not played again within {BACK_SECONDS:.0f} s")
        for hit in hits:
            self._open[hit.table.id].remove(hit)

    # ------------------------------------------------------------ is everything there?

    async def _rows(self) -> list[dict[str, Any]]:
        """The nodes; none where nobody answers."""
        try:
            return await asyncio.to_thread(self.admin.nodes)
        except Problem:
            return []

    async def whole(self) -> bool:
        """Waits until all nodes are there, each with its spares: no gap is to be the start of a process.

        If that never comes it is a finding, and nothing more can be broken.
        """
        deadline = time.monotonic() + WHOLE_SECONDS
        while True:
            rows = await self._rows()
            if len(rows) >= self._nodes and all(row["spares"] >= row["least"] for row in rows):
                return True
            if time.monotonic() > deadline:
                there = "; ".join(
                    f"{row['node']} has {row['spares']} of {row['least']} spares, {row['starting']} coming, and "
                    f"{row['processes']} processes"
                    for row in rows
                )
                self.found(f"not whole after {WHOLE_SECONDS:.0f} s: of {self._nodes} nodes {there or 'none'}")
                return False
            await asyncio.sleep(0.1)

    # ------------------------------------------------------------ the proof

    async def _prove(self, table: Table) -> None:
        """Holds what a room's clients were told against its log, when they know of its last entry, if that comes.

        To see a log is an order, which is kept and logged for good: so it is given once, when the log stands still.
        """
        deadline = time.monotonic() + QUIET_SECONDS
        try:
            while True:
                last = (await asyncio.to_thread(self.admin.get, "room", room=table.id))["seq"]
                late = time.monotonic() > deadline
                if late or _all_know(table, last):
                    entries = msgspec.convert(await asyncio.to_thread(self.admin.log, table.id), list[Entry])
                    if late or _all_know(table, entries[-1].seq):  # a question may have lapsed meanwhile
                        break
                await asyncio.sleep(0.1)
        except Problem as no:
            self.found(f"{table.id}: its log cannot be had: {no}")
            return
        witnesses = [_witness(each.player) for each in table.players]
        self._owners[table.id] = {entry.seq: entry.epoch for entry in entries}
        proof = await asyncio.to_thread(prove, entries, witnesses)
        self._so_far.proofs.append(proof)
        self._so_far.findings += [f"{table.id}: {finding}" for finding in proof.findings]
        self._so_far.client_faults += table.faults()

    def _report(self, ended: bool, seconds: float) -> Report:
        report = self._so_far
        if not ended:
            report.client_faults.append("some turns never came to an end")
        for kind, hits in self._hits.items():
            report.rooms_hit[kind] = len(hits)
            for hit in hits:
                pure = not hit.mixed and not kind.endswith(AMONG)
                if (seconds_away := gap(hit, self._owners.get(hit.table.id, {}))) is not None:
                    report.gaps.setdefault(kind if pure else kind.removesuffix(AMONG) + AMONG, []).append(seconds_away)
                elif pure:
                    report.unmeasured += 1
        report.seconds, report.rooms = seconds, len(self.tables)
        report.turns = sum(len(table.latencies) for table in self.tables)
        report.reconnects = sum(table.reconnects for table in self.tables)
        report.acknowledged = sum(len(each.player.acks) for table in self.tables for each in table.players)
        report.pauses = sum(each.player.pauses for table in self.tables for each in table.players)
        return report


async def _act_if_asked(table: Table) -> None:
    """A player acts out of turn with the timetable: now."""
    if not table.underway and (connection := table.who_is_asked()) is not None:
        await table.act(connection)


def _all_know(table: Table, seq: int) -> bool:
    """Have all its players heard of this entry, and of none after it?"""
    return all(each.player.seq == seq for each in table.players)


def _witness(player: Player) -> Witness:
    assert player.you is not None
    return Witness(player.you.player, dict(player.acks), player.seq, player.view)
