"""The directory: which rooms there are, which process owns each, at which epoch; and who takes over when one dies.

It decides, node agents carry out, and the log has the last word: a wrong belief here costs a refused claim, never a
second owner. What it must not forget is in the catalogue; where rooms run is told by the agents, also after a restart.

    parked ──attach──▶ placing ──▶ running ──died──▶ placing (next epoch) ──▶ running …
                         │  ▲             └─released─▶ parked | closed
                         │  └─ stranded: no node can play its game, until one comes that can
                         └── three deaths at one entry, or a log that does not replay ─▶ quarantined, for an operator
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterable, Reversible
from heapq import nlargest
from itertools import islice, product, takewhile
from typing import Any

import msgspec
import structlog

from cluster import figures, link, link_io
from cluster.client import CreateRoom, RoomReport, RoomSummary
from cluster.faults import place_of
from cluster.figures import Hour
from cluster.forever import forever
from cluster.inspector import Inspector, Inspects
from cluster.link import Refusal, Who
from cluster.link_io import BaseHandler, LinkCounts, LinkLost, Peer, RequestRefused
from cluster.log import Catalogue, Conflict, Damaged, RoomLog, RoomRow, Store, Tidied, Unavailable, UnknownRoom
from cluster.operators import Operators
from cluster.records import ROOM_STATES, Node, Owner, Record
from cluster.room.decide import Around, created, first_fact
from cluster.spares import Demand, Site, wanted
from cluster.turns import Turns
from engines.catalog import GAMES, BrokenGame, UnknownGame
from engines.kernel.contract import Rejected
from ops.metrics import Tally

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # no 0 O 1 I L: codes are read out loud and typed on phones
CODE_LENGTH = 6
DEATHS_TO_QUARANTINE = 3  # at the same entry
MOVED_AT_ONCE = 4  # rooms that leave a draining node in parallel: each pauses for the blink of its hand-over
PLACED_AT_ONCE = 16  # hand-overs in parallel; the others wait their turn, rooms with people in them first
ADOPTION_SECONDS = 2.0  # after its start, the directory gives agents so long to say what still runs
RETRY_SECONDS = 0.2  # between two tries to hand a room over
LOCATE_SECONDS = 10.0  # so long is a room waited for that must come up; it goes on coming up
OVERDUE_SECONDS = 60.0  # a room that has waited for a process for longer is for an operator to look at
STORE_RETRY_SECONDS = 0.5
CLOSE_TRIES = 3  # a room that nobody needs may be given back before it hears that it is to be closed
HOUSEKEEPING_SECONDS = 60.0
RETURN_SECONDS = 3600.0  # after its start, the directory closes no room for so long: before, nobody could come back
TIDY_SECONDS = 600.0
COUNT_SECONDS = 5.0
COUNTED_AT_ONCE = 5_000  # records, before others get their turn of the loop
SPARES_SECONDS = 5.0  # how often demand is looked at
SPARES_SOON_SECONDS = 0.05  # after a room was placed
STRANDED_SECONDS = 1.0  # how often a node is looked for that can play a room which none can

DOOMS_TO_QUARANTINE = 3  # processes of a room that had to be killed, whatever it wrote between, within
DOOMS_SECONDS = 3600.0

NODE_GONE_SECONDS = 20.0  # an agent that stays away for so long has lost its node, and its rooms with it
PROBE_SECONDS = 1.0  # meanwhile the rooms' own ports are tried: so soon, and an answer must come within as long
PROBE_AGAIN_SECONDS = 5.0
PROBED_AT_ONCE = 32
LISTED_SECONDS = 3.0  # and of a node whose agent has been away for so long, no room is offered to anybody

_encode = msgspec.json.encode


class DirectoryConfig(msgspec.Struct, frozen=True, kw_only=True):
    secret: bytes
    address: str  # host:port to listen on
    expire_hours: float = 24.0  # a parked room that nobody came back to is closed after so long
    archive_hours: float = 24.0  # a closed room's log is put away after so long, where the store has a place for that
    keep_days: float | None = None  # and forgotten after so long; None: kept for ever
    rooms_each: int = 30  # open rooms that one person has made
    reading_most: int = 16  # closed rooms that processes are reading: each keeps one from those who play
    placing_most: int = 200  # rooms that wait for a process; past it no more are made
    hidden_games: tuple[str, ...] = ()
    chaos: bool = False  # operators may kill a room's process, to see that nothing comes of it


class Directory:
    """Runs until `stop`."""

    def __init__(self, config: DirectoryConfig, store: Store, inspector: Inspects | None = None) -> None:
        """``inspector``: what replays logs for operators; None: a process of its own."""
        self.config = config
        self.tally = Tally()
        self.hour = Hour()
        self.address = ""
        self.log = structlog.get_logger().bind(process="directory")
        self._store = store
        self._catalogue: Catalogue
        self._records: dict[str, Record] = {}
        self._by_code: dict[str, Record] = {}
        self._made_by: dict[str, set[Record]] = {}  # by whoever has made them
        self._making: Counter[tuple[str, str]] = Counter()  # creators and keys of wishes that are being written down
        self._nodes: dict[str, Node] = {}
        self._went: dict[str, float] = {}  # nodes whose agents are away, and since when
        self._tasks: set[asyncio.Task[Any]] = set()
        self._owned: dict[str, dict[str, Record]] = {}  # rooms by the node that they run on, there or not
        self._public: dict[str, Record] = {}  # rooms that the lobby shows
        self._turns = Turns(PLACED_AT_ONCE)
        self._demand = Demand()
        self._unplaced: dict[Record, float] = {}  # rooms that are being placed, and since when, the longest first
        self._telling_spares: asyncio.TimerHandle | None = None
        self._gateways: set[Peer] = set()
        self._ready = False
        self._expires_from = 0.0  # monotonic
        self._counted_by = ""  # the node whose page has our counts
        self._games: set[str] = set()  # that were ever counted: a gauge must come down to 0 again
        self._stop = asyncio.Event()
        self.inspector = inspector or Inspector()
        self.operators = Operators(self)

    async def serve(self) -> None:
        rows = await self._read_catalogue()
        while rows:  # each record takes the memory that the line before it has let go of
            self._add(rows.popleft())
        me = Who(kind="directory", name="directory")
        server, self.address = await link_io.listen(
            self.config.address, self.config.secret, me, lambda: _Handler(self), LinkCounts(self.tally)
        )
        self._expires_from = time.monotonic() + RETURN_SECONDS
        self._spawn(self._adopt())
        for work in (self._keep_house, self._keep_store, self._count, self._keep_spares):
            self._spawn(forever(work, self.log))
        self._spawn(link_io.cut_off_the_silent(self._peers))
        self.log.info("directory_ready", address=self.address, rooms=len(self._records))
        try:
            await self._stop.wait()
        finally:
            server.close()
            if self._telling_spares is not None:
                self._telling_spares.cancel()
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self.inspector.close()
            for node in list(self._nodes.values()):
                node.peer.close("the directory ends")
            for peer in list(self._gateways):
                peer.close("the directory ends")
            await self._catalogue.close()

    async def _read_catalogue(self) -> deque[RoomRow]:
        """Every room there is, oldest first; waits for a store that is away."""
        while True:
            try:
                self._catalogue = await self._store.catalogue()
                return deque(await self._catalogue.open_rooms())
            except Unavailable as down:
                self.log.error("store_down", why=str(down))
                await asyncio.sleep(STORE_RETRY_SECONDS)

    def stop(self) -> None:
        self._stop.set()

    def _peers(self) -> list[Peer]:
        return [*(node.peer for node in self._nodes.values()), *self._gateways]

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        return task

    def _task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or isinstance(bug := task.exception(), RequestRefused):  # which is told to whoever asked
            return
        if bug is not None:
            self.log.error("task_failed", exc_info=bug)

    def _add(self, row: RoomRow) -> Record:
        record = Record(row)
        self._records[record.id] = record
        self._by_code[record.code] = record
        self._made_by.setdefault(record.maker.creator, set()).add(record)
        return record

    def _set_owner(self, record: Record, owner: Owner | None) -> None:
        if record.owner is not None and (rooms := self._owned.get(record.owner.node)) is not None:
            rooms.pop(record.id, None)
            if not rooms:
                del self._owned[record.owner.node]
        if owner is not None:
            self._owned.setdefault(owner.node, {})[record.id] = record
        record.set_owner(owner)

    def _rooms_of(self, node: str) -> list[Record]:
        return list(self._owned.get(node, {}).values())

    def _set_summary(self, record: Record, report: RoomReport) -> None:
        summary = record.reported(report)
        if summary.public and summary.online > 0:
            self._public[record.id] = record
        else:
            self._public.pop(record.id, None)

    def _drop(self, record: Record) -> None:
        self._set_owner(record, None)
        self._public.pop(record.id, None)
        self._records.pop(record.id, None)
        creator = record.maker.creator
        if (made := self._made_by.get(creator)) is not None:
            made.discard(record)
            if not made:
                del self._made_by[creator]
        if self._by_code.get(record.code) is record:
            del self._by_code[record.code]

    def _is_kept(self, record: Record) -> bool:
        """It may have been dropped while somebody waited for it: then it is nobody's to place any more."""
        return self._records.get(record.id) is record

    # ------------------------------------------------------------ placing

    def _place(self, record: Record) -> asyncio.Task[None]:
        """Brings the room to a process, if that is not under way already."""
        if record.placing is None:
            self._unplaced[record] = time.monotonic()
            record.placing = self._spawn(self._placing(record))
        return record.placing

    async def _placed(self, record: Record) -> None:
        """Waits until the room has a process, and not for ever: it may have to wait for a node itself.

        Raises `RequestRefused` where there is no room to bring up, and `_NotYet` where it is still being placed.
        """
        placing, deadline = self._place(record), time.monotonic() + LOCATE_SECONDS
        while not placing.done():
            if record.stranded is not None:
                raise _NotYet(_no_node_plays().refusal)
            if (left := deadline - time.monotonic()) <= 0:
                raise _NotYet(_LATE)
            await asyncio.wait([placing], timeout=min(left, 0.25))
        placing.result()

    async def _placing(self, record: Record) -> None:
        began = time.monotonic()
        try:
            while record.quarantine is None and record.owner is None and self._is_kept(record):
                await self._turns.take(record.id, urgent=record.summary.online > 0)
                try:
                    wait = 0.0 if await self._is_hopeless(record) else await self._hand_over(record)
                finally:
                    self._turns.give_back()
                if wait:  # without a turn: others need not wait for this room
                    await asyncio.sleep(wait)
            if record.owner is not None:
                self.tally.observe("hanpan_placement_seconds", time.monotonic() - began)
            if record.owner is not None and record.lost is not None:
                since, reason = record.lost
                record.lost = None
                gap = time.monotonic() - since
                self.tally.count("hanpan_recoveries_total", reason)
                self.tally.observe("hanpan_recovery_seconds", gap)
                self.log.info("recovered", room=record.id, epoch=record.epoch, reason=reason, seconds=round(gap, 4))
        except RequestRefused as no:
            self.log.error("not_placed", room=record.id, why=str(no), seconds=time.monotonic() - began)
            record.refusal = no.refusal
            raise
        finally:
            if record.closed and record.owner is None:
                self._drop(record)  # nobody is shown it
            record.placing = None
            del self._unplaced[record]
            self._tell_spares_soon()

    async def _is_hopeless(self, record: Record) -> bool:
        """Quarantines a room whose last owners all died without having written anything. The log is asked: it knows."""
        count, seq = record.deaths
        if count < DEATHS_TO_QUARANTINE:
            return False
        try:
            async with self.log_of(record.id) as log:
                progress = await log.read(seq)
        except UnknownRoom:  # none of them came so far as to create it
            progress = []
        except Unavailable:
            return False
        except Damaged as broken:
            self._quarantine(record, place_of(broken))
            return True
        if progress:
            record.deaths = (1, progress[-1].seq)
            return False
        self._quarantine(record, f"died {count} times after entry {seq}")
        return True

    async def _hand_over(self, record: Record) -> float:
        """One try; the room is owned then, or quarantined, or to be tried again after so many seconds."""
        if record.parked and not record.closed:
            try:
                await self._catalogue.update(record.id, parked=False)  # first: after a crash it is to be brought back
            except Unavailable as down:
                self.log.warning("store_down", room=record.id, why=str(down))
                return RETRY_SECONDS
            record.parked = False
        await self._any_place()
        if record.owner is not None or not self._is_kept(record):
            return 0.0  # an agent that has come meanwhile has it; or it is closed
        node = self._a_node(record)
        if node is None:
            if record.closed:  # somebody wanted to see its past, and will not wait
                raise _no_node_plays()
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
            self.tally.count("hanpan_handovers_refused_total", "node_lost")
            self.log.warning("node_lost_in_hand_over", room=record.id, node=node.name, why=str(lost))
            record.epoch = epoch
            return 0.0
        except RequestRefused as no:
            return await self._refused(record, node, epoch, no.refusal)
        finally:
            node.handed -= 1
        if not self._is_kept(record):
            node.peer.notify({"type": "stale", "room": record.id, "epoch": epoch})
            return 0.0
        record.epoch, record.seq_heard, record.unable = epoch, answer["seq"], ()
        record.version = answer.get("version", 0)
        if record.seq_heard != record.deaths[1]:  # the last owner had got on: its death is the first at this entry
            record.deaths = (min(record.deaths[0], 1), record.seq_heard)
        owner = Owner(node.name, answer["process"], answer["pid"], answer["address"], epoch)
        self._set_owner(record, owner)
        if record.lost is not None:
            self._tell_moved(record)
        if record.died_early is not None and record.died_early[0] == epoch:
            self.room_died(record.id, *record.died_early)
        record.died_early = None
        return 0.0

    async def _refused(self, record: Record, node: Node, epoch: int, no: Refusal) -> float:
        self.tally.count("hanpan_handovers_refused_total", no.code)
        match no.code:
            case "conflict":  # our number was too low: we do not know every owner there was
                record.epoch = max(epoch, await self._last_epoch(record))
            case "quarantine":
                self._quarantine(record, no.message)
            case "died" | "hung":
                record.epoch = epoch
                self._count_death(record)
            case "cannot_play":  # nothing is wrong with the room: another node may have its game
                self.log.warning("cannot_play", room=record.id, node=node.name, why=no.message)
                record.epoch = epoch
                record.unable = (*(other for other in record.unable if self._is_there(other)), node)
            case "storage_down" | "no_spare" | "full" | "busy" | "unavailable" | "internal":
                self.log.warning("hand_over_refused", room=record.id, code=no.code, why=no.message)
                return RETRY_SECONDS
            case _:  # the wish itself is refused: there is no room to bring up, now or later
                raise RequestRefused(no)
        return 0.0

    async def _last_epoch(self, record: Record) -> int:
        try:
            async with self.log_of(record.id) as log:
                owners = await log.owners()
        except (Unavailable, UnknownRoom) as away:
            self.log.warning("no_owners", room=record.id, why=str(away))
            return record.epoch
        except Damaged as broken:
            self._quarantine(record, place_of(broken))
            return record.epoch
        return max((owner.epoch for owner in owners), default=0)

    async def _any_place(self) -> None:
        """Waits, with the turn, until any node takes rooms: nobody else could be placed either."""
        if self._nodes and not self._open_nodes():
            self.tally.count("hanpan_handovers_refused_total", "full")
        while not self._open_nodes():  # noqa: ASYNC110  # what nodes say of themselves changes all the time
            await asyncio.sleep(0.05)

    def _open_nodes(self) -> list[Node]:
        # A link that is just breaking refuses at once: to ask it again and again would leave nobody else a turn.
        return [node for node in self._nodes.values() if not node.draining and not node.full and node.peer.open]

    def _is_there(self, node: Node) -> bool:
        """An agent that comes anew may have come with other games."""
        return self._nodes.get(node.name) is node

    def _can_play(self, record: Record, node: Node) -> bool:
        return node not in record.unable and node.plays(record.game, record.version)

    def _a_node(self, record: Record) -> Node | None:
        """Of the nodes that can play the room, the one with the most free spares. None: there is none for now."""
        able = [node for node in self._nodes.values() if not node.draining and self._can_play(record, node)]
        aim, record.aim = record.aim, None  # where an operator wants it
        if wanted_there := [node for node in able if node.name == aim]:
            able = wanted_there
        before, record.stranded = record.stranded, None
        if not able:
            version = f" of version {record.version}" if record.version else ""
            record.stranded = f"no node can play {record.game}{version}"
            if before is None:
                self.log.error("stranded", room=record.id, why=record.stranded)
        return max(
            (node for node in able if not node.full and node.peer.open), key=lambda node: node.free, default=None
        )

    # ------------------------------------------------------------ what agents tell

    def node_came(self, peer: Peer, notice: dict[str, Any]) -> None:
        """An agent, new or returned, says what runs on its node."""
        node = Node(peer, notice["node"])
        node.status = {key: value for key, value in notice.items() if key not in ("rooms", "settled")}
        peer.data = node
        self._nodes[node.name] = node
        self._went.pop(node.name, None)
        if self._counted_by == node.name:
            self._counted_by = ""  # a new agent, or a new stream to it: it has none of our gauges
        running = {row["room"] for row in notice["rooms"]}
        for row in notice["rooms"]:
            self.room_runs(node, row)
        for record in self._rooms_of(node.name) if notice["settled"] else ():
            if record.owner is not None and record.id not in running:
                self.room_died(record.id, record.owner.epoch, None, "its node does not know it any more", "node")
        self._tell_spares()
        self._empty_if_draining(node)
        self._tell_ready()

    def node_status(self, node: Node, notice: dict[str, Any]) -> None:
        node.status = {**node.status, **notice}
        self._empty_if_draining(node)
        self._tell_ready()

    def node_told(self, node: Node, diary: str, told: Any) -> None:
        """What was counted there, as far as we have not heard it."""
        if steps := figures.read(told):
            node.vitals = steps[-1].figures.vitals
            self.hour.hear(node.name, diary, steps, time.time())

    # ------------------------------------------------------------ gateways

    def gateway_came(self, peer: Peer) -> None:
        self._gateways.add(peer)
        peer.notify({"type": "ready", "ready": self._ready})

    def gateway_went(self, peer: Peer) -> None:
        self._gateways.discard(peer)

    def _tell_ready(self) -> None:
        """Gateways are to know whether rooms can be made: is there any node that has processes and takes rooms?"""
        ready = any(
            node.status.get("processes", 0) > 0 and not node.draining and not node.full for node in self._nodes.values()
        )
        if ready != self._ready:
            self._ready = ready
            for peer in self._gateways:
                peer.notify({"type": "ready", "ready": ready})

    def _tell_moved(self, record: Record) -> None:
        """Gateways may be linked to an owner before this one, which nobody has closed: it stands still."""
        for peer in self._gateways:
            peer.notify({"type": "moved", "room": record.id, "epoch": record.epoch})

    def node_went(self, node: Node, why: str) -> None:
        """The agent's stream ended. Its rooms may live on: they are believed to, until it is known otherwise."""
        if self._nodes.get(node.name) is node:
            del self._nodes[node.name]
            self._went[node.name] = time.monotonic()
            if self._counted_by == node.name:
                self._counted_by = ""  # it has let go of our gauges; whoever comes next gets all of them
            self.log.warning("node_gone", node=node.name)
            self._spawn(self._look_after(node.name, silent=why == link_io.SILENT))
            self._tell_ready()
            self._tell_spares()

    # ------------------------------------------------------------ emptying a node

    async def drain(self, name: str, on: bool, retire: bool = False) -> dict[str, Any]:
        """Takes a node's rooms elsewhere, a few at a time, and gives it no new ones; or gives it rooms again.

        A node that is to ``retire`` loses its agent, too, when it is empty, and does not come back without a restart.

        The agent keeps it in mind: also a directory that is started meanwhile goes on with it.
        """
        node = self._nodes.get(name)
        if node is None:
            raise RequestRefused(Refusal("no_such_node", f"no node is called {name}"))
        await node.peer.ask({"type": "drain", "on": on, "retire": retire}, 5.0)
        return {"node": name, "draining": on, "rooms": len(self._rooms_of(name))}

    def _empty_if_draining(self, node: Node) -> None:
        if node.draining and node.emptying is None:
            node.emptying = self._spawn(self._empty(node))

    async def _empty(self, node: Node) -> None:
        """Moves rooms away until there are none, or the node is gone or may keep them.

        Only where there are spares, and only to nodes that can play them: a room is better off here than nowhere.
        """
        moving: set[asyncio.Task[None]] = set()
        try:
            while node.draining and self._nodes.get(node.name) is node and (rooms := self._rooms_of(node.name)):
                others = [other for other in self._nodes.values() if not other.draining and other.free > 0]
                free = sum(other.free for other in others)
                movable = [record for record in rooms if any(self._can_play(record, other) for other in others)]
                for record in movable[: min(MOVED_AT_ONCE, free)]:
                    moving.add(self._spawn(self._move(record, node, "drain")))
                if moving:
                    await asyncio.wait(moving)
                    moving.clear()
                else:
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            node.emptying = None

    async def move(self, record: Record, to: str | None) -> None:
        """Moves one room: to this node, or to the one with the most free spares, another one where that can be.

        Refuses ``not_running``, ``no_such_node``, ``draining``, ``cannot_play``, ``no_spare``, or ``not_moved`` where
        it went wrong.
        """
        owner = record.owner
        node = self._nodes.get(owner.node) if owner is not None else None
        if owner is None or node is None:
            raise RequestRefused(Refusal("not_running", "the room runs in no process just now"))
        if to is None:
            others = [other for other in self._open_nodes() if other is not node and self._can_play(record, other)]
            aim = max(others, key=lambda other: other.free, default=node)
            aim = aim if aim.free > 0 else node
        elif (named := self._nodes.get(to)) is None:
            raise RequestRefused(Refusal("no_such_node", f"no node is called {to}"))
        else:
            aim = named
        if aim.draining:
            raise RequestRefused(Refusal("draining", f"{aim.name} is being drained"))
        if not self._can_play(record, aim):
            raise RequestRefused(Refusal("cannot_play", f"{aim.name} does not have {record.game} as the room needs it"))
        if aim.free <= 0:
            raise RequestRefused(Refusal("no_spare", f"{aim.name} has no spare process just now", retry=True))
        record.aim = aim.name
        await self._move(record, node, "move")
        if record.owner is None or record.owner is owner:
            record.aim = None
            raise RequestRefused(Refusal("not_moved", "the room could not be moved; see the log", retry=True))

    async def _move(self, record: Record, node: Node, reason: str) -> None:
        """Ends the room where it is, and hands it to another process. Its players see it pause for that."""
        owner, began = record.owner, time.monotonic()
        if owner is None:
            return  # it has died, or was given back, while others were moved
        try:
            await node.peer.ask({"type": "evict", "room": record.id, "epoch": owner.epoch}, 2 * LOCATE_SECONDS)
        except (LinkLost, TimeoutError, RequestRefused) as no:
            self.log.warning("not_moved", room=record.id, node=node.name, why=str(no))
            await asyncio.sleep(RETRY_SECONDS)
            return
        if record.owner is not owner:
            return  # it was given back, or has died, meanwhile
        record.lost = (began, reason)
        self._set_owner(record, None)
        if record.closed:
            self._drop(record)
            return
        with contextlib.suppress(RequestRefused):  # has been logged, and whoever asks for the room is told
            await self._placed(record)

    # ------------------------------------------------------------ nodes that are lost

    async def _look_after(self, node: str, *, silent: bool) -> None:
        """An agent is gone. Whether its rooms are gone too, their own ports tell; and in the end, time."""
        deadline = time.monotonic() + NODE_GONE_SECONDS
        pause, at_once = PROBE_SECONDS, asyncio.Semaphore(PROBED_AT_ONCE)

        async def probe(record: Record) -> None:
            async with at_once:
                await self._probe(record, silent)

        while (left := deadline - time.monotonic()) > 0:
            await asyncio.sleep(min(pause, left))
            pause = PROBE_AGAIN_SECONDS
            if node in self._nodes:
                return
            await asyncio.gather(*(probe(record) for record in self._rooms_of(node)))
        if node in self._nodes:
            return
        self._went.pop(node, None)
        for record in self._rooms_of(node):
            if record.owner is not None:
                self.room_died(record.id, record.owner.epoch, None, "its node is gone", "node")

    async def _probe(self, record: Record, silent: bool) -> None:
        """A port that is closed, or where nobody is behind it, is a dead process. Where nothing answers, who knows.

        But where its agent has not answered either, it is as good as dead.
        """
        owner = record.owner
        if owner is None:
            return
        me = Who(kind="directory", name="directory")
        try:
            peer = await link_io.dial(owner.address, self.config.secret, me, BaseHandler(), PROBE_SECONDS)
            peer.close("it lives")
        except (ConnectionRefusedError, LinkLost):  # a proxy before the process answers, and hangs up
            if record.owner is owner:
                self.room_died(record.id, owner.epoch, None, "its port is closed", "node")
        except (OSError, TimeoutError) as unknown:
            if silent and record.owner is owner:
                self.room_died(record.id, owner.epoch, None, "neither it nor its agent answers", "node")
                return
            self.log.debug("no_answer", room=record.id, node=owner.node, why=str(unknown))

    def room_runs(self, node: Node, row: dict[str, Any]) -> None:
        record = self._records.get(row["room"])
        if record is None or row["reading"]:
            return
        if row["epoch"] < record.epoch:  # it was given up, and lives: it may not know yet, and has nothing to do
            node.peer.notify({"type": "stale", "room": record.id, "epoch": row["epoch"]})
        else:
            record.epoch = row["epoch"]
            record.version = max(record.version, row.get("version", 0))
            record.seq_heard = max(record.seq_heard, row["seq"])
            self._set_owner(record, Owner(node.name, row["process"], row["pid"], row["address"], row["epoch"]))
            if row["summary"]:
                self._set_summary(record, msgspec.convert(row["summary"], RoomReport))

    def room_died(self, room: str, epoch: int, seq: int | None, why: str, reason: str = "died") -> None:
        """Its process is gone: hand it to another, at the next epoch. ``seq``: its last entry, where it is to blame."""
        record = self._records.get(room)
        if record is None:
            return
        if record.owner is None:  # its hand-over may have succeeded, and the answer to that not yet be read
            record.died_early = (epoch, seq, why, reason)
            return
        if record.owner.epoch != epoch:
            return
        now = time.monotonic()
        record.lost = (now, reason)
        self.log.warning("room_died", room=room, epoch=epoch, seq=seq, reason=reason, why=why)
        self._set_owner(record, None)
        if record.closed:
            self._drop(record)
            return
        if seq is not None:  # a death that came with its node's, or from outside, is not the room's fault
            self._count_death(record)
            if reason in ("hung", "memory") and self._is_doomed(record, now):
                self._quarantine(record, f"hung, or outgrew its memory, {DOOMS_TO_QUARANTINE} times within an hour")
        self._place(record)

    @staticmethod
    def _is_doomed(record: Record, now: float) -> bool:
        """A process had to be killed, again: unlike one that dies, it may have written something each time."""
        record.dooms = (*(doom for doom in record.dooms if now - doom < DOOMS_SECONDS), now)
        return len(record.dooms) >= DOOMS_TO_QUARANTINE

    @staticmethod
    def _count_death(record: Record) -> None:
        count, seq = record.deaths
        record.deaths = (count + 1, seq)

    def _quarantine(self, record: Record, why: str) -> None:
        """Nobody gets the room until an operator has looked at it."""
        self.log.error("quarantined", room=record.id, why=why)
        record.quarantine = why
        self._set_owner(record, None)
        self._spawn(self._note_quarantine(record, why))

    async def _note_quarantine(self, record: Record, why: str) -> None:
        """Must not be lost: after a restart of ours, the room would be handed out again."""
        while record.quarantine == why:
            try:
                await self._catalogue.update(record.id, quarantine=why)
                return
            except Unavailable as down:
                self.log.error("store_down", room=record.id, why=str(down))
                await asyncio.sleep(STORE_RETRY_SECONDS)

    async def released(self, notice: dict[str, Any]) -> None:
        """A process gives a room back. Durable before it may go."""
        record = self._records.get(notice["room"])
        if record is None or self._has_given_back(record, notice["epoch"]):
            return
        owner = record.owner
        if owner is None or owner.epoch != notice["epoch"]:
            raise RequestRefused(_NOT_THE_OWNER)
        if notice["state"] == "reading":
            self._drop(record)
            return
        closed = notice["state"] == "closed"
        now = int(time.time() * 1000)
        report = msgspec.structs.replace(msgspec.convert(notice["summary"], RoomReport), parked=0 if closed else now)
        await self._catalogue.update(
            record.id, epoch=record.epoch, parked=not closed, closed=closed, summary=_encode(report)
        )
        if not self._is_kept(record) or self._has_given_back(record, owner.epoch):
            return
        if record.owner is not owner:  # it has died meanwhile, and is another's: after a crash, too
            await self._catalogue.update(record.id, parked=record.parked, closed=False)
            raise RequestRefused(_NOT_THE_OWNER)
        self._set_summary(record, report)
        record.parked = not closed
        record.closed = closed
        self._set_owner(record, None)
        record.touched = now / 1000
        if closed:
            self._drop(record)

    @staticmethod
    def _has_given_back(record: Record, epoch: int) -> bool:
        """Was it given back before by this owner, and the answer lost, or late?"""
        return record.owner is None and record.parked and record.epoch == epoch

    def summarised(self, notice: dict[str, Any]) -> None:
        record = self._records.get(notice["room"])
        if record is not None and record.owner is not None and record.owner.epoch == notice["epoch"]:
            self._set_summary(record, msgspec.convert(notice["summary"], RoomReport))
            record.seq_heard = notice["seq"]
            record.version = max(record.version, notice.get("version", 0))

    # ------------------------------------------------------------ what gateways ask

    async def create(self, wish: CreateRoom) -> RoomSummary:
        """A new room, or the one that the same request made before. Durable before the answer."""
        self._may_make(wish)
        known = (wish.creator, wish.key)
        self._making[known] += 1
        try:
            row, kept = await self._write_down(wish)
        finally:
            self._making[known] -= 1
            if not self._making[known]:
                del self._making[known]
        record = self._records.get(kept.id)
        if record is None:
            if kept.closed:
                return self._summary_of(kept)
            record = self._add(kept)
            self._demand.came(time.monotonic())
        try:
            await self._placed(record)
        except _NotYet:
            raise
        except RequestRefused:
            if kept is row:  # it never came to be
                await self._catalogue.update(record.id, closed=True)
                self._drop(record)
            raise
        return record.summary

    async def _write_down(self, wish: CreateRoom) -> tuple[RoomRow, RoomRow]:
        """The new room's line of the catalogue, and the one that is there now: another where the wish came before."""
        while True:
            room, code = secrets.token_hex(8), "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            row = RoomRow(
                id=room,
                code=code,
                game=wish.game,
                created=int(time.time() * 1000),
                wish=_encode(wish),
                key=f"{wish.creator}/{wish.key}",
                summary=_encode(self._promise(wish, room, code)),
            )
            try:
                return row, await self._catalogue.add(row)
            except Conflict:
                continue  # the code was taken; there are 887 million
            except Unavailable as down:
                raise RequestRefused(Refusal("unavailable", "지금은 방을 만들 수 없어요", retry=True)) from down

    def _may_make(self, wish: CreateRoom) -> None:
        """Refuses one room too many, of this person or of all; but never one that is there already."""
        made = self._made_by.get(wish.creator, set())
        if self._making[wish.creator, wish.key] or any(record.maker.key == wish.key for record in made):
            return
        making = sum(creator == wish.creator for creator, _ in self._making)
        if len(made) + making >= self.config.rooms_each:
            raise RequestRefused(
                Refusal("too_many_rooms", "만들어 둔 방이 너무 많아요. 쓰지 않는 방을 먼저 닫아 주세요")
            )
        if self._turns.waiting + len(self._making) >= self.config.placing_most:
            raise RequestRefused(
                Refusal("overloaded", "지금은 사람이 너무 많아요. 잠시 뒤에 다시 해 주세요", retry=True)
            )

    def _promise(self, wish: CreateRoom, room: str, code: str) -> RoomReport:
        """The room that this wish will be. Judged as its process will judge it, before anything is written."""
        try:
            game = None if wish.game in self.config.hidden_games else GAMES[wish.game]
        except (UnknownGame, BrokenGame) as why:
            self.log.warning("no_game", game=wish.game, why=str(why))
            game = None
        if game is None:
            raise RequestRefused(Refusal("unknown_game", "그런 게임은 없어요"))
        if self._nodes and not any(node.plays(wish.game) for node in self._nodes.values()):
            self.log.warning("no_game", game=wish.game, why="it is installed on no node")
            raise _no_node_plays()
        fact = first_fact(wish, room, code, game)
        if isinstance(no := created(fact, wish.bots, Around(game, frozenset(), b"")), Rejected):
            raise RequestRefused(Refusal(no.code, no.message))
        return RoomReport(
            id=room,
            code=code,
            game=wish.game,
            status="waiting",
            public=wish.public,
            spectators=wish.spectators,
            seats=fact.seats,
            taken=wish.bots,
            online=0,
            host_name="",
            games=0,
            locked=bool(wish.lock),
        )

    def _summary_of(self, row: RoomRow) -> RoomSummary:
        return Record(row).summary

    async def quick(self, game: str, player: str) -> RoomSummary:
        """A public room of this game that waits for players, or a new one."""
        candidates = [
            record.summary
            for record in self._public.values()
            if record.game == game
            and not record.summary.locked
            and record.summary.status == "waiting"
            and record.summary.taken < record.summary.seats
            and self._is_played(record)
        ]
        if candidates:
            return max(candidates, key=lambda summary: summary.taken)
        return await self.create(CreateRoom(game=game, creator=player, key=secrets.token_hex(8), public=True))

    def find(self, code: str) -> RoomSummary:
        record = self._by_code.get(code.strip().upper())
        if record is None:
            raise _not_found()
        return record.summary

    async def get(self, room: str) -> RoomSummary:
        if (record := self._records.get(room)) is not None:
            return record.summary
        row = await self._catalogue.get(room)
        if row is None:
            raise _not_found()
        return self._summary_of(row)

    def list_public(self, game: str | None, limit: int) -> list[RoomSummary]:
        """Public rooms with somebody in them, newest first."""
        found = [record for record in self._public.values() if game in (None, record.game) and self._is_played(record)]
        return [record.summary for record in nlargest(limit, found, key=lambda record: record.created)]

    def _is_played(self, record: Record) -> bool:
        """Does the room run, as far as anybody can know? If not, it is not shown to people who look for one."""
        if record.owner is None:
            return False
        went = self._went.get(record.owner.node)
        return went is None or time.monotonic() - went < LISTED_SECONDS

    async def locate(self, room: str, not_epoch: int, reading: bool) -> dict[str, Any]:
        """Where the room runs, at an epoch other than ``not_epoch`` if that can be had soon. Wakes a parked room."""
        record = self._records.get(room) or await self._closed_record(room, reading)
        if record.closed and not reading:  # it is only shown to somebody
            raise RequestRefused(_CLOSED)
        record.touched = time.time()
        deadline = time.monotonic() + LOCATE_SECONDS
        suspicious = time.monotonic() + 1.0  # a process that lives and only lost this gateway stays the owner
        while True:
            if record.quarantine is not None:
                raise RequestRefused(_QUARANTINED)
            owner, now = record.owner, time.monotonic()
            if owner is not None and (owner.epoch != not_epoch or now >= suspicious):
                return {"address": owner.address, "epoch": owner.epoch}
            if owner is None and record.stranded is not None:
                raise _no_node_plays()
            if owner is None and record.refusal is not None:
                refusal, record.refusal = record.refusal, None
                raise RequestRefused(refusal)
            if owner is None and record.placing is None:
                if not self._is_kept(record):
                    raise RequestRefused(_CLOSED)
                if record.lost is None:
                    record.lost = (now, "woken")
                    self._demand.came(now)
                self._place(record)
            self._turns.hurry(room)  # somebody waits for it
            if now >= deadline:
                raise RequestRefused(_LATE)
            wait = min(deadline, suspicious if owner is not None else deadline) - now
            await record.change(max(0.01, min(wait, 0.25)))

    async def _closed_record(self, room: str, reading: bool) -> Record:
        """Of a room that is closed and is to be shown again; kept for as long as a process reads it."""
        row = await self._catalogue.get(room)
        if row is None:
            raise _not_found()
        if not (row.closed and reading):
            raise RequestRefused(_CLOSED)
        if row.quarantine is not None:
            raise RequestRefused(_QUARANTINED)
        if (record := self._records.get(room)) is None:
            if sum(record.closed for record in self._records.values()) >= self.config.reading_most:
                raise RequestRefused(
                    Refusal("overloaded", "지금은 다시 보는 사람이 너무 많아요. 잠시 뒤에 다시 해 주세요", retry=True)
                )
            record = self._records[room] = Record(row)
        return record

    # ------------------------------------------------------------ what operators see (`cluster.operators`)

    @property
    def ready(self) -> bool:
        """Can rooms be made?"""
        return self._ready

    def records(self) -> Reversible[Record]:
        """Every room that is not closed, oldest first."""
        return self._records.values()

    def record(self, room: str) -> Record | None:
        """The room of this id or code, if it is not closed."""
        return self._records.get(room) or self._by_code.get(room.strip().upper())

    async def closed_room(self, room: str) -> Record | None:
        """The room of this id, also where it is closed, as the catalogue knows it."""
        row = await self._catalogue.get(room)
        return None if row is None else Record(row)

    async def all_rooms(self) -> list[str]:
        """The ids of all there ever were and that are not forgotten."""
        return [row.id for row in await self._catalogue.all_rooms()]

    @contextlib.asynccontextmanager
    async def log_of(self, room: str) -> AsyncIterator[RoomLog]:
        """Its log, to be read. Raises `UnknownRoom`."""
        log = await self._store.room(room)
        try:
            yield log
        finally:
            await log.close()

    def nodes(self) -> Iterable[Node]:
        """Those whose agents are connected."""
        return self._nodes.values()

    def rooms_on(self, node: str) -> int:
        """How many rooms run there."""
        return len(self._owned.get(node, ()))

    def gateways(self) -> list[dict[str, Any]]:
        """Those that are connected, as they told us last."""
        known = [(peer.who.name if peer.who is not None else "", peer.data or {}) for peer in self._gateways]
        return [{**told, "name": name} for name, told in sorted(known, key=lambda one: one[0])]

    # ------------------------------------------------------------ what operators order

    async def unquarantine(self, record: Record) -> None:
        """Tries a room again. Where nothing was mended it is stopped again."""
        if record.quarantine is None:
            raise RequestRefused(Refusal("not_quarantined", f"the room is {record.state}, not quarantined"))
        await self._catalogue.update(record.id, quarantine="")
        record.quarantine, record.deaths, record.dooms = None, (0, 0), ()
        await self._placed(record)

    async def close(self, record: Record, reason: str) -> None:
        """Closes a room, by an entry of its log.

        One whose log has no writer, quarantined or stranded, is closed in the catalogue alone.
        """
        if record.quarantine is None and (record.owner is not None or record.stranded is None):
            await self._close(record, reason)
            return
        await self._catalogue.update(record.id, closed=True)
        if record.owner is not None:  # a node has come meanwhile that can play it
            await self._close(record, reason)
        else:
            self._drop(record)

    async def _close(self, record: Record, reason: str) -> None:
        for _ in range(CLOSE_TRIES):
            if not self._is_kept(record):
                return  # it has closed itself meanwhile
            if record.owner is None:
                await self._placed(record)
            owner = record.owner
            node = self._nodes.get(owner.node) if owner is not None else None
            if owner is None or node is None:
                continue
            order = {"type": "close", "room": record.id, "epoch": owner.epoch, "reason": reason}
            try:
                await node.peer.ask(order, 10.0)
            except RequestRefused as no:
                if no.refusal.code != "not_here":
                    raise
            else:
                return
        raise RequestRefused(Refusal("unavailable", "the room is not on any node", retry=True))

    async def kill(self, record: Record) -> dict[str, Any]:
        """Kills the process of a room, as a fault would. The room is brought back like any other that has died."""
        if not self.config.chaos:
            raise RequestRefused(Refusal("not_enabled", "this hanpan does not let its rooms be killed"))
        owner = record.owner
        node = self._nodes.get(owner.node) if owner is not None else None
        if owner is None or node is None:
            raise RequestRefused(Refusal("unavailable", "the room is not on any node", retry=True))
        self.log.warning("killed_on_purpose", room=record.id, epoch=owner.epoch, node=owner.node)
        await node.peer.ask({"type": "kill", "room": record.id, "epoch": owner.epoch}, 5.0)
        return {"killed": record.id, "epoch": owner.epoch}

    # ------------------------------------------------------------ between times

    async def _adopt(self) -> None:
        """After a start: what no agent claims, and is not parked, is brought back."""
        await asyncio.sleep(ADOPTION_SECONDS if self._records else 0)
        orphans = [r for r in self._records.values() if r.owner is None and not r.parked and r.quarantine is None]
        for record in sorted(orphans, key=lambda record: record.summary.status != "playing"):
            record.lost = (time.monotonic(), "restart")
            self._place(record)

    async def _count(self) -> None:
        """Hands what was counted here to an agent, for its page of metrics; rooms by state among it."""
        while True:
            await asyncio.sleep(COUNT_SECONDS)
            rooms = await self._count_rooms()
            self._games.update(game for _, game in rooms)
            for state, game in product(ROOM_STATES, sorted(self._games)):
                self.tally.gauge("hanpan_rooms", state, game, value=rooms[state, game])
            self.tally.gauge("hanpan_rooms_overdue", value=self._count_overdue())
            self.tally.gauge("hanpan_tasks", value=len(asyncio.all_tasks()))
            self.tally.gauge("hanpan_nodes", value=len(self._nodes))
            self.tally.gauge("hanpan_gateways", value=len(self._gateways))
            if not self._nodes:
                continue
            node = self._nodes.get(self._counted_by) or self._nodes[min(self._nodes)]  # one of them: nothing twice
            if delta := self.tally.drain(all_gauges=node.name != self._counted_by):
                node.peer.write(link.frame(link.TALLY, delta))
            self._counted_by = node.name

    async def _count_rooms(self) -> Counter[tuple[str, str]]:
        """By state and game; a part at a time, for hand-overs are waiting."""
        rooms: Counter[tuple[str, str]] = Counter()
        records = iter(list(self._records.values()))
        while part := list(islice(records, COUNTED_AT_ONCE)):
            rooms.update((record.state, record.game) for record in part)
            await asyncio.sleep(0)
        return rooms

    def _count_overdue(self) -> int:
        """Rooms that have waited for too long; not those of which we know that no node can play them."""
        since = time.monotonic() - OVERDUE_SECONDS
        overdue = takewhile(lambda waiting: waiting[1] < since, self._unplaced.items())
        return sum(record.state == "placing" for record, _ in overdue)

    async def _keep_spares(self) -> None:
        while True:
            await asyncio.sleep(SPARES_SECONDS)
            self._tell_spares()

    def _tell_spares_soon(self) -> None:
        """Once for many rooms that are placed in a moment."""
        if self._telling_spares is None:
            self._telling_spares = asyncio.get_running_loop().call_later(SPARES_SOON_SECONDS, self._tell_spares)

    def _tell_spares(self) -> None:
        """Each agent is to know how many spares are wanted of its node."""
        if self._telling_spares is not None:
            self._telling_spares.cancel()
            self._telling_spares = None
        sites = [
            Site(
                node.name,
                len(self._owned.get(node.name, ())),
                int(node.status.get("least", 0)),
                float(node.status.get("starts", 1.0)),
            )
            for node in self._nodes.values()
            if not node.draining
        ]
        taking = {site.name for site in sites}
        leaving = sum(len(rooms) for node, rooms in self._owned.items() if node not in taking)
        homeless = leaving + len(self._unplaced)
        for name, count in wanted(sites, self._demand.peak(time.monotonic()), homeless).items():
            node = self._nodes[name]
            if count != node.told_spares:
                node.told_spares = count
                node.peer.notify({"type": "spares", "wanted": count})

    async def _keep_house(self) -> None:
        """Closes rooms that nobody has come back to."""
        while True:
            await asyncio.sleep(HOUSEKEEPING_SECONDS)
            await self._expire()

    async def _expire(self) -> None:
        if time.monotonic() < self._expires_from:
            return
        for record in [record for record in self._records.values() if self._is_expired(record)]:
            if not self._open_nodes():
                return  # a room has to be brought up to be closed, and those that people wait for come first
            if not self._is_expired(record):
                continue  # somebody has come back to it, while others were closed
            try:
                await self.close(record, "expired")
            except (RequestRefused, LinkLost, TimeoutError, Unavailable) as no:
                self.log.warning("not_expired", room=record.id, why=str(no))
            except Exception as bug:  # of this room: the others are closed all the same
                self.log.warning("not_expired", room=record.id, why=place_of(bug))

    def _is_expired(self, record: Record) -> bool:
        """Has nobody come back to it for long? Also not where no node could have played it with them."""
        waits = record.parked or (record.owner is None and record.stranded is not None)
        return waits and record.touched < time.time() - self.config.expire_hours * 3600

    async def _keep_store(self) -> None:
        while True:
            await asyncio.sleep(TIDY_SECONDS)
            await self._tidy()

    async def _tidy(self) -> None:
        """Puts closed rooms away, and forgets old ones; as many as there are, a part at a time."""
        keep = None if self.config.keep_days is None else self.config.keep_days * 86400
        try:
            while (tidied := await self._store.tidy(self.config.archive_hours * 3600, keep)) != Tidied():
                self.log.info("tidied", archived=tidied.archived, forgotten=tidied.forgotten)
        except (Unavailable, Damaged) as no:
            self.log.warning("not_tidied", why=str(no))


class _NotYet(RequestRefused):
    """The room is being placed still, and goes on being placed."""


_NOT_THE_OWNER = Refusal("conflict", "not the owner")
_CLOSED = Refusal("closed", "닫힌 방이에요")
_QUARANTINED = Refusal("quarantined", "문제가 생겨 멈춘 방이에요. 운영자가 살펴보고 있어요")
_LATE = Refusal("unavailable", "방을 되살리는 데 시간이 걸리고 있어요", retry=True)


def _no_node_plays() -> RequestRefused:
    sentence = "지금은 이 게임을 할 수 있는 서버가 없어요. 잠시 뒤에 다시 해 주세요"
    return RequestRefused(Refusal("game_unavailable", sentence, retry=True))


def _not_found() -> RequestRefused:
    return RequestRefused(Refusal("room_not_found", "그런 방이 없어요"))


class _Handler(BaseHandler):
    """One peer of the directory: an agent, a gateway, or an operator's tool."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    def opened(self, peer: Peer) -> None:
        if peer.who is not None and peer.who.kind == "gateway":
            self._directory.gateway_came(peer)

    def noticed(self, peer: Peer, notice: dict[str, Any]) -> None:
        directory, node = self._directory, peer.data
        match notice["type"]:
            case "node":
                directory.node_came(peer, notice)
            case "status" if node is not None:
                directory.node_status(node, notice)
            case "figures" if isinstance(node, Node):
                directory.node_told(node, notice["diary"], notice["steps"])
            case "gateway":
                peer.data = notice
            case "died":
                directory.room_died(notice["room"], notice["epoch"], notice["seq"], notice["why"], notice["reason"])
            case "running" if node is not None:
                directory.room_runs(node, notice)
            case "summary":
                directory.summarised(notice)

    async def asked(self, peer: Peer, request: dict[str, Any]) -> Any:
        try:
            return await self._answer(peer, request)
        except Unavailable as down:
            self._directory.log.error("store_down", request=request["type"], why=str(down))
            raise RequestRefused(
                Refusal("unavailable", "저장소가 잠시 멈췄어요. 잠시 뒤에 다시 해 주세요", retry=True)
            ) from down

    async def _answer(self, peer: Peer, request: dict[str, Any]) -> Any:
        directory = self._directory
        match request["type"]:
            case "create":
                return await directory.create(msgspec.convert(request["wish"], CreateRoom))
            case "quick":
                return await directory.quick(request["game"], request["player"])
            case "find":
                return directory.find(request["code"])
            case "get":
                return await directory.get(request["room"])
            case "list":
                return directory.list_public(request["game"], request["limit"])
            case "locate":
                return await directory.locate(request["room"], request["notEpoch"], request["reading"])
            case "release":
                return await directory.released(request)
            case "heard" if isinstance(peer.data, Node):
                return directory.hour.heard(peer.data.name, request["diary"])
            case "admin":
                return await directory.operators.asked(request["what"], request["args"], str(request.get("by", "")))
            case _:
                return await super().asked(peer, request)

    def closed(self, peer: Peer, why: str) -> None:
        self._directory.gateway_went(peer)
        if isinstance(peer.data, Node):
            self._directory.node_went(peer.data, why)
