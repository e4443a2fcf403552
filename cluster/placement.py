"""Placement: which process owns each room, at which epoch; who is handed one, and what comes of a death.

It decides, agents carry out, and the log has the last word: a wrong belief here costs a refused claim, never a second
owner.

    parked ──attach──▶ placing ──▶ running ──died──▶ placing (next epoch) ──▶ running …
                         │  ▲             └─released─▶ parked | closed
                         │  └─ stranded: no node can play its game, until one comes that can
                         └── three deaths at one entry, or a log that does not replay ─▶ quarantined, for an operator
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

import msgspec

from cluster.background import Background
from cluster.client import RoomReport
from cluster.faults import place_of
from cluster.gateways import Gateways
from cluster.link import Refusal
from cluster.link_io import LinkLost, RequestRefused
from cluster.log import Damaged, Unavailable, UnknownRoom
from cluster.records import Node, Owner, Record
from cluster.registry import Registry
from cluster.roster import Roster, freest
from cluster.stored import STORE_RETRY_SECONDS, Stored
from cluster.supply import Supply
from cluster.turns import Turns
from ops.metrics import Tally

DEATHS_TO_QUARANTINE = 3  # at the same entry
PLACED_AT_ONCE = 16  # hand-overs in parallel; the others wait their turn, rooms with people in them first
RETRY_SECONDS = 0.2  # between two tries to hand a room over
LOCATE_SECONDS = 10.0  # so long is a room waited for that must come up; it goes on coming up
STRANDED_SECONDS = 1.0  # how often a node is looked for that can play a room which none can

DOOMS_TO_QUARANTINE = 3  # processes of a room that had to be killed, whatever it wrote between, within
DOOMS_SECONDS = 3600.0

LATE = Refusal("unavailable", "방을 되살리는 데 시간이 걸리고 있어요", retry=True)

_NOT_THE_OWNER = Refusal("conflict", "not the owner")

_encode = msgspec.json.encode


class NotYet(RequestRefused):
    """The room is being placed still, and goes on being placed."""


def no_node_plays() -> RequestRefused:
    sentence = "지금은 이 게임을 할 수 있는 서버가 없어요. 잠시 뒤에 다시 해 주세요"
    return RequestRefused(Refusal("game_unavailable", sentence, retry=True))


class Placement:
    """Brings rooms to processes, and hears from agents what became of them."""

    def __init__(
        self,
        registry: Registry,
        roster: Roster,
        gateways: Gateways,
        supply: Supply,
        stored: Stored,
        tally: Tally,
        log: Any,
        background: Background,
    ) -> None:
        self._registry, self._roster = registry, roster
        self._gateways = gateways  # are told of owners that they may not have noticed
        self._supply = supply  # tells agents that spares were used
        self._stored = stored
        self._tally, self._log, self._background = tally, log, background
        self.turns = Turns(PLACED_AT_ONCE)

    # ------------------------------------------------------------ to a process

    def place(self, record: Record) -> asyncio.Task[None]:
        """Brings the room to a process, if that is not under way already."""
        if record.placing is None:
            self._registry.begin_placing(record, time.monotonic())
            record.placing = self._background.spawn(self._placing(record))
        return record.placing

    async def placed(self, record: Record) -> None:
        """Waits until the room has a process, and not for ever: it may have to wait for a node itself.

        Raises `RequestRefused` where there is no room to bring up, and `NotYet` where it is still being placed.
        """
        placing, deadline = self.place(record), time.monotonic() + LOCATE_SECONDS
        while not placing.done():
            if record.stranded is not None:
                raise NotYet(no_node_plays().refusal)
            if (left := deadline - time.monotonic()) <= 0:
                raise NotYet(LATE)
            await asyncio.wait([placing], timeout=min(left, 0.25))
        placing.result()

    async def _placing(self, record: Record) -> None:
        began = time.monotonic()
        try:
            while record.quarantine is None and record.owner is None and self._registry.is_kept(record):
                await self.turns.take(record.id, urgent=record.summary.online > 0)
                try:
                    wait = 0.0 if await self._is_hopeless(record) else await self._hand_over(record)
                finally:
                    self.turns.give_back()
                if wait:  # without a turn: others need not wait for this room
                    await asyncio.sleep(wait)
            if record.owner is not None:
                self._tally.observe("hanpan_placement_seconds", time.monotonic() - began)
            if record.owner is not None and record.lost is not None:
                since, reason = record.lost
                record.lost = None
                gap = time.monotonic() - since
                self._tally.count("hanpan_recoveries_total", reason)
                self._tally.observe("hanpan_recovery_seconds", gap)
                self._log.info("recovered", room=record.id, epoch=record.epoch, reason=reason, seconds=round(gap, 4))
        except RequestRefused as no:
            self._log.error("not_placed", room=record.id, why=str(no), seconds=time.monotonic() - began)
            record.refusal = no.refusal
            raise
        finally:
            if record.closed and record.owner is None:
                self._registry.drop(record)  # nobody is shown it
            record.placing = None
            self._registry.end_placing(record)
            self._supply.tell_soon()

    async def _is_hopeless(self, record: Record) -> bool:
        """Quarantines a room whose last owners all died without having written anything. The log is asked: it knows."""
        count, seq = record.deaths
        if count < DEATHS_TO_QUARANTINE:
            return False
        try:
            async with self._stored.log_of(record.id) as log:
                progress = await log.read(seq)
        except UnknownRoom:  # none of them came so far as to create it
            progress = []
        except Unavailable:
            return False
        except Damaged as broken:
            self.quarantine(record, place_of(broken))
            return True
        if progress:
            record.deaths = (1, progress[-1].seq)
            return False
        self.quarantine(record, f"died {count} times after entry {seq}")
        return True

    async def _hand_over(self, record: Record) -> float:
        """One try; the room is owned then, or quarantined, or to be tried again after so many seconds."""
        if record.parked and not record.closed:
            try:  # first: after a crash it is to be brought back
                await self._stored.catalogue.update(record.id, parked=False)
            except Unavailable as down:
                self._log.warning("store_down", room=record.id, why=str(down))
                return RETRY_SECONDS
            record.parked = False
        await self._any_place()
        if record.owner is not None or not self._registry.is_kept(record):
            return 0.0  # an agent that has come meanwhile has it; or it is closed
        node = self._a_node(record)
        if node is None:
            if record.closed:  # somebody wanted to see its past, and will not wait
                raise no_node_plays()
            return STRANDED_SECONDS
        reading = record.closed
        epoch = record.epoch + (0 if reading else 1)
        order = {
            "room": record.id,
            "epoch": epoch,
            "code": record.code,
            "wish": msgspec.Raw(record.wish),
            "reading": reading,
        }
        node.handed += 1
        try:
            answer = await node.peer.ask({"type": "place", "order": order}, 60.0)
        except (LinkLost, TimeoutError) as lost:
            self._tally.count("hanpan_handovers_refused_total", "node_lost")
            self._log.warning("node_lost_in_hand_over", room=record.id, node=node.name, why=str(lost))
            record.epoch = epoch
            return 0.0
        except RequestRefused as no:
            return await self._refused(record, node, epoch, no.refusal)
        finally:
            node.handed -= 1
        if not self._registry.is_kept(record):
            node.peer.notify({"type": "stale", "room": record.id, "epoch": epoch})
            return 0.0
        record.epoch, record.seq_heard, record.unable = epoch, answer["seq"], ()
        record.version = answer.get("version", 0)
        if record.seq_heard != record.deaths[1]:  # the last owner had got on: its death is the first at this entry
            record.deaths = (min(record.deaths[0], 1), record.seq_heard)
        owner = Owner(node.name, answer["process"], answer["pid"], answer["address"], epoch)
        self._registry.set_owner(record, owner)
        if record.lost is not None:
            self._gateways.tell_moved(record)
        if record.died_early is not None and record.died_early[0] == epoch:
            self.died(record.id, *record.died_early)
        record.died_early = None
        return 0.0

    async def _refused(self, record: Record, node: Node, epoch: int, no: Refusal) -> float:
        self._tally.count("hanpan_handovers_refused_total", no.code)
        match no.code:
            case "conflict":  # our number was too low: we do not know every owner there was
                record.epoch = max(epoch, await self._last_epoch(record))
            case "quarantine":
                self.quarantine(record, no.message)
            case "died" | "hung":
                record.epoch = epoch
                self._count_death(record)
            case "cannot_play":  # nothing is wrong with the room: another node may have its game
                self._log.warning("cannot_play", room=record.id, node=node.name, why=no.message)
                record.epoch = epoch
                record.unable = (*(other for other in record.unable if self._roster.is_there(other)), node)
            case "storage_down" | "no_spare" | "full" | "busy" | "unavailable" | "internal":
                self._log.warning("hand_over_refused", room=record.id, code=no.code, why=no.message)
                return RETRY_SECONDS
            case _:  # the wish itself is refused: there is no room to bring up, now or later
                raise RequestRefused(no)
        return 0.0

    async def _last_epoch(self, record: Record) -> int:
        try:
            async with self._stored.log_of(record.id) as log:
                owners = await log.owners()
        except (Unavailable, UnknownRoom) as away:
            self._log.warning("no_owners", room=record.id, why=str(away))
            return record.epoch
        except Damaged as broken:
            self.quarantine(record, place_of(broken))
            return record.epoch
        return max((owner.epoch for owner in owners), default=0)

    async def _any_place(self) -> None:
        """Waits, with the turn, until any node takes rooms: nobody else could be placed either."""
        if self._roster.here and not self._roster.open():
            self._tally.count("hanpan_handovers_refused_total", "full")
        while not self._roster.open():  # noqa: ASYNC110  # what nodes say of themselves changes all the time
            await asyncio.sleep(0.05)

    def _a_node(self, record: Record) -> Node | None:
        """Of the nodes that can play the room, the one with the most free spares. None: there is none for now."""
        able = [node for node in self._roster.here.values() if not node.draining and node.can_play(record)]
        aim, record.aim = record.aim, None  # where an operator wants it
        if wanted_there := [node for node in able if node.name == aim]:
            able = wanted_there
        before, record.stranded = record.stranded, None
        if not able:
            version = f" of version {record.version}" if record.version else ""
            record.stranded = f"no node can play {record.game}{version}"
            if before is None:
                self._log.error("stranded", room=record.id, why=record.stranded)
        return freest(node for node in able if not node.full and node.peer.open)

    # ------------------------------------------------------------ what agents say of rooms

    def runs(self, node: Node, row: dict[str, Any]) -> None:
        """It has an owner on this node, which nobody here need have known of: so after a start of ours."""
        record = self._registry.records.get(row["room"])
        if record is None or row["reading"]:
            return
        if row["epoch"] < record.epoch:  # it was given up, and lives: it may not know yet, and has nothing to do
            node.peer.notify({"type": "stale", "room": record.id, "epoch": row["epoch"]})
        else:
            record.epoch = row["epoch"]
            record.version = max(record.version, row.get("version", 0))
            record.seq_heard = max(record.seq_heard, row["seq"])
            self._registry.set_owner(record, Owner(node.name, row["process"], row["pid"], row["address"], row["epoch"]))
            if row["summary"]:
                self._registry.set_summary(record, msgspec.convert(row["summary"], RoomReport))

    def died(self, room: str, epoch: int, seq: int | None, why: str, reason: str = "died") -> None:
        """Its process is gone: hand it to another, at the next epoch. ``seq``: its last entry, where it is to blame."""
        record = self._registry.records.get(room)
        if record is None:
            return
        if record.owner is None:  # its hand-over may have succeeded, and the answer to that not yet be read
            record.died_early = (epoch, seq, why, reason)
            return
        if record.owner.epoch != epoch:
            return
        now = time.monotonic()
        record.lost = (now, reason)
        self._log.warning("room_died", room=room, epoch=epoch, seq=seq, reason=reason, why=why)
        self._registry.set_owner(record, None)
        if record.closed:
            self._registry.drop(record)
            return
        if seq is not None:  # a death that came with its node's, or from outside, is not the room's fault
            self._count_death(record)
            if reason in ("hung", "memory") and self._is_doomed(record, now):
                self.quarantine(record, f"hung, or outgrew its memory, {DOOMS_TO_QUARANTINE} times within an hour")
        self.place(record)

    @staticmethod
    def _is_doomed(record: Record, now: float) -> bool:
        """A process had to be killed, again: unlike one that dies, it may have written something each time."""
        record.dooms = (*(doom for doom in record.dooms if now - doom < DOOMS_SECONDS), now)
        return len(record.dooms) >= DOOMS_TO_QUARANTINE

    @staticmethod
    def _count_death(record: Record) -> None:
        count, seq = record.deaths
        record.deaths = (count + 1, seq)

    def quarantine(self, record: Record, why: str) -> None:
        """Nobody gets the room until an operator has looked at it."""
        self._log.error("quarantined", room=record.id, why=why)
        record.quarantine = why
        self._registry.set_owner(record, None)
        self._background.spawn(self._note_quarantine(record, why))

    async def _note_quarantine(self, record: Record, why: str) -> None:
        """Must not be lost: after a restart of ours, the room would be handed out again."""
        while record.quarantine == why:
            try:
                await self._stored.catalogue.update(record.id, quarantine=why)
                return
            except Unavailable as down:
                self._log.error("store_down", room=record.id, why=str(down))
                await asyncio.sleep(STORE_RETRY_SECONDS)

    async def released(self, notice: dict[str, Any]) -> None:
        """A process gives a room back. Durable before it may go."""
        record = self._registry.records.get(notice["room"])
        if record is None or self._has_given_back(record, notice["epoch"]):
            return
        owner = record.owner
        if owner is None or owner.epoch != notice["epoch"]:
            raise RequestRefused(_NOT_THE_OWNER)
        if notice["state"] == "reading":
            self._registry.drop(record)
            return
        closed = notice["state"] == "closed"
        now = int(time.time() * 1000)
        report = msgspec.structs.replace(msgspec.convert(notice["summary"], RoomReport), parked=0 if closed else now)
        await self._stored.catalogue.update(
            record.id, epoch=record.epoch, parked=not closed, closed=closed, summary=_encode(report)
        )
        if not self._registry.is_kept(record) or self._has_given_back(record, owner.epoch):
            return
        if record.owner is not owner:  # it has died meanwhile, and is another's: after a crash, too
            await self._stored.catalogue.update(record.id, parked=record.parked, closed=False)
            raise RequestRefused(_NOT_THE_OWNER)
        self._registry.set_summary(record, report)
        record.parked = not closed
        record.closed = closed
        self._registry.set_owner(record, None)
        record.touched = now / 1000
        if closed:
            self._registry.drop(record)

    @staticmethod
    def _has_given_back(record: Record, epoch: int) -> bool:
        """Was it given back before by this owner, and the answer lost, or late?"""
        return record.owner is None and record.parked and record.epoch == epoch

    def summarised(self, notice: dict[str, Any]) -> None:
        """Its owner tells how things stand."""
        record = self._registry.records.get(notice["room"])
        if record is not None and record.owner is not None and record.owner.epoch == notice["epoch"]:
            self._registry.set_summary(record, msgspec.convert(notice["summary"], RoomReport))
            record.seq_heard = notice["seq"]
            record.version = max(record.version, notice.get("version", 0))
