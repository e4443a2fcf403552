"""Killing room processes under load, and proving afterwards that it cost nobody anything.

A kill strikes a room of this run in mid-game: every other one within a few milliseconds of an action's sending, so that
some strike between the append and the answer; the rest at any time. At once a player acts, and the *gap* is from the
kill until the first action that the room's next owner took is acknowledged. Which owner took it is read from the log's
epochs, not guessed from times.

At the end everyone stops, and what each client was told is held against the rooms' logs (`ops.verify.prove`).
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from cluster.entries import Entry
from cluster.messages import Ack
from ops.admin import LOOPBACK, Admin
from ops.load import Plan, Table, settle, tables, timetable
from ops.player import Player
from ops.problem import Problem
from ops.stats import summary_ms
from ops.verify import Witness, prove

JUST_SENT_MS = 4.0  # half of the kills come within so long after an action was sent
SPARE_SECONDS = 60.0  # to wait for spares before each kill
BACK_SECONDS = 30.0  # in which a room must be back
QUIET_SECONDS = 15.0  # in which everyone must have heard of everything, at the end


class Kill(msgspec.Struct):
    """One kill, and what became of it."""

    room: str
    epoch: int  # of the owner that was killed
    at: float
    acks: list[tuple[float, int]]  # when, and which entry

    def gap(self, entries: Sequence[Entry]) -> float | None:
        """From the kill to the first acknowledged action of a later owner."""
        owner = {entry.seq: entry.epoch for entry in entries}
        return next((at - self.at for at, seq in self.acks if owner.get(seq, 0) > self.epoch), None)


class Seen(msgspec.Struct):
    """A room's log, and what its clients know."""

    entries: list[Entry]
    witnesses: list[Witness]


class KillRooms:
    """One run."""

    def __init__(
        self, plan: Plan, admin: Admin, kills: int, say: Callable[[str], None], *, remote: bool = False
    ) -> None:
        self._plan, self._admin, self._wanted, self._say, self._remote = plan, admin, kills, say, remote
        self._rng = random.Random(f"kills/{plan.seed}")
        self._kills: list[Kill] = []
        self._latest: dict[str, Kill] = {}
        self._spares_at_first = 0

    async def run(self) -> dict[str, Any]:
        if not self._remote and urlsplit(self._admin.url).hostname not in LOOPBACK:
            raise Problem(
                "not_here", "kill-rooms kills processes of this machine: give a loopback address, or --remote", 2
            )
        self._spares_at_first = await self._spares()
        plan = self._plan
        async with tables(plan, self._say) as opened:
            for table in opened:
                table.on_ack = self._acknowledged
                await table.begin(eager=False)
            async with timetable(opened, plan.period):
                await self._kill_all(opened)
            ended = await settle(opened)
            return self._report(opened, await self._quiet(opened), ended)

    def _acknowledged(self, table: Table, ack: Ack, at: float) -> None:
        if (kill := self._latest.get(table.id)) is not None:
            kill.acks.append((at, ack.seq))

    # ------------------------------------------------------------ killing

    async def _kill_all(self, opened: list[Table]) -> None:
        for number in range(self._wanted):
            self._say(
                f"{number} of {self._wanted} killed; {sum(len(table.latencies) for table in opened)} turns played"
            )
            await self._spares_ready()
            table = await self._somewhere(opened)
            await self._kill(table, just_sent=number % 2 == 0)
            await self._back(table)

    async def _spares_ready(self) -> None:
        """Waits until as many spares are ready as were at the start, so that a gap is not the start of a process."""
        deadline = time.monotonic() + SPARE_SECONDS
        while (spares := await self._spares()) < self._spares_at_first:
            if time.monotonic() > deadline:
                raise Problem("no_spare", f"{spares} of {self._spares_at_first} spares within {SPARE_SECONDS:.0f} s")
            await asyncio.sleep(0.05)

    async def _spares(self) -> int:
        return sum(int(node["spares"]) for node in await asyncio.to_thread(self._admin.nodes))

    async def _somewhere(self, opened: list[Table]) -> Table:
        """A table of ours where somebody is about to act."""
        deadline = time.monotonic() + BACK_SECONDS
        while True:
            table = self._rng.choice(opened)
            if table.who_is_asked() is not None:
                return table
            if time.monotonic() > deadline:
                raise Problem("nobody_plays", f"no room was in play for {BACK_SECONDS:.0f} s")
            await asyncio.sleep(0.01)

    async def _kill(self, table: Table, *, just_sent: bool) -> None:
        row = await self._row(table)
        if just_sent:
            await self._act_if_asked(table)
            await asyncio.sleep(self._rng.uniform(0, JUST_SENT_MS) / 1000)
        else:
            await asyncio.sleep(self._rng.uniform(0, max(self._plan.period, 1)) / 1000)
        kill = Kill(table.id, row["epoch"], time.perf_counter(), [])
        await self._strike(table, row)
        self._kills.append(kill)
        self._latest[table.id] = kill
        await self._act_if_asked(table)

    async def _strike(self, table: Table, row: dict[str, Any]) -> None:
        if self._remote:
            await asyncio.to_thread(self._admin.change, "kill", room=table.id)
            return
        try:
            os.kill(row["pid"], signal.SIGKILL)
        except ProcessLookupError as gone:
            raise Problem("died_before", f"process {row['pid']} of room {table.id} had ended by itself") from gone

    async def _row(self, table: Table) -> dict[str, Any]:
        rows = await asyncio.to_thread(self._admin.rooms)
        row = next((row for row in rows if row["id"] == table.id), None)
        if row is None or not row["pid"]:
            raise Problem("no_process", f"room {table.id} has no process")
        return row

    async def _act_if_asked(self, table: Table) -> None:
        """A player acts out of turn with the timetable: now."""
        if not table.underway and (connection := table.who_is_asked()) is not None:
            await table.act(connection)

    async def _back(self, table: Table) -> None:
        """Waits until the room plays again under a new owner; someone acts as soon as anyone can.

        Of the acknowledgements after a kill one may be of what the old owner had still taken. The second one cannot be.
        """
        kill = self._latest[table.id]
        deadline = kill.at + BACK_SECONDS
        while len(kill.acks) < 2 and time.perf_counter() < deadline:
            await self._act_if_asked(table)
            await asyncio.sleep(0.002)

    # ------------------------------------------------------------ proving

    async def _quiet(self, opened: list[Table]) -> dict[str, Seen]:
        """Each room's log and what its clients know, at a moment when they know of its last entry, if that comes."""
        seen: dict[str, Seen] = {}
        deadline = time.monotonic() + QUIET_SECONDS
        for table in opened:
            while True:
                raw = await asyncio.to_thread(self._admin.log, table.id)
                entries = msgspec.convert(raw, list[Entry])
                seen[table.id] = Seen(entries, [_witness(each.player) for each in table.players])
                if all(each.player.seq == entries[-1].seq for each in table.players) or time.monotonic() > deadline:
                    break
                await asyncio.sleep(0.1)
        return seen

    def _report(self, opened: list[Table], seen: dict[str, Seen], ended: bool) -> dict[str, Any]:
        proofs = {room: prove(each.entries, each.witnesses) for room, each in seen.items()}
        gaps = [gap for kill in self._kills if (gap := kill.gap(seen[kill.room].entries)) is not None]
        findings = [f"{room}: {finding}" for room, proof in proofs.items() for finding in proof.findings]
        faults = [fault for table in opened for fault in table.faults()]
        if not ended:
            faults.append("some turns never came to an end")
        return {
            "kills": len(self._kills),
            "lost": sum(proof.lost for proof in proofs.values()),
            "doubled": sum(proof.doubled for proof in proofs.values()),
            "digestMismatches": sum(proof.digest_mismatches for proof in proofs.values()),
            "viewMismatches": sum(proof.view_mismatches for proof in proofs.values()),
            "gapMs": summary_ms(gaps, (0.5, 0.99)),
            "sparesReady": self._spares_at_first,
            "unmeasured": len(self._kills) - len(gaps),
            "acknowledged": sum(len(each.player.acks) for table in opened for each in table.players),
            "turns": sum(len(table.latencies) for table in opened),
            "rooms": len(opened),
            "players": self._plan.players,
            "reconnects": sum(table.reconnects for table in opened),
            "pauses": sum(each.player.pauses for table in opened for each in table.players),
            "errors": len(faults),
            "faults": faults[:20],
            "findings": findings[:20],
        }


def _witness(player: Player) -> Witness:
    assert player.you is not None
    return Witness(player.you.player, dict(player.acks), player.seq, player.view)
