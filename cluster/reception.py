"""What gateways ask of the directory: a room that is made, found, listed, or brought to where it can be played."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from heapq import nlargest
from typing import Any

import msgspec

from cluster.client import CreateRoom, RoomReport, RoomSummary
from cluster.directory_config import DirectoryConfig
from cluster.link import Refusal
from cluster.link_io import RequestRefused
from cluster.log import Conflict, RoomRow, Unavailable
from cluster.placement import LATE, LOCATE_SECONDS, NotYet, Placement, no_node_plays
from cluster.records import Record
from cluster.registry import Registry
from cluster.room.decide import Around, created, first_fact
from cluster.roster import Roster
from cluster.spares import Demand
from cluster.stored import Stored
from engines.catalog import GAMES, BrokenGame, UnknownGame
from engines.kernel.contract import Rejected

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # no 0 O 1 I L: codes are read out loud and typed on phones
CODE_LENGTH = 6
LISTED_SECONDS = 3.0  # of a node whose agent has been away for so long, no room is offered to anybody

_CLOSED = Refusal("closed", "닫힌 방이에요")
_QUARANTINED = Refusal("quarantined", "문제가 생겨 멈춘 방이에요. 운영자가 살펴보고 있어요")

_encode = msgspec.json.encode


def _not_found() -> RequestRefused:
    return RequestRefused(Refusal("room_not_found", "그런 방이 없어요"))


class Reception:
    """Answers gateways, or refuses in the words that a person is shown."""

    def __init__(
        self,
        config: DirectoryConfig,
        registry: Registry,
        roster: Roster,
        placement: Placement,
        demand: Demand,
        stored: Stored,
        log: Any,
    ) -> None:
        self._config = config  # its limits
        self._registry, self._roster, self._placement = registry, roster, placement
        self._demand = demand  # hears of rooms that are made, or woken
        self._stored = stored
        self._log = log
        self.making: Counter[tuple[str, str]] = Counter()  # creators and keys of wishes that are being written down

    # ------------------------------------------------------------ a new room

    async def create(self, wish: CreateRoom) -> RoomSummary:
        """A new room, or the one that the same request made before. Durable before the answer."""
        self._may_make(wish)
        known = (wish.creator, wish.key)
        self.making[known] += 1
        try:
            row, kept = await self._write_down(wish)
        finally:
            self.making[known] -= 1
            if not self.making[known]:
                del self.making[known]
        record = self._registry.records.get(kept.id)
        if record is None:
            if kept.closed:
                return Record(kept).summary
            record = self._registry.add(kept)
            self._demand.came(time.monotonic())
        try:
            await self._placement.placed(record)
        except NotYet:
            raise
        except RequestRefused:
            if kept is row:  # it never came to be
                await self._stored.catalogue.update(record.id, closed=True)
                self._registry.drop(record)
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
                return row, await self._stored.catalogue.add(row)
            except Conflict:
                continue  # the code was taken; there are 887 million
            except Unavailable as down:
                raise RequestRefused(Refusal("unavailable", "지금은 방을 만들 수 없어요", retry=True)) from down

    def _may_make(self, wish: CreateRoom) -> None:
        """Refuses one room too many, of this person or of all; but never one that is there already."""
        made = self._registry.made_by.get(wish.creator, set())
        if self.making[wish.creator, wish.key] or any(record.maker.key == wish.key for record in made):
            return
        making = sum(creator == wish.creator for creator, _ in self.making)
        if len(made) + making >= self._config.rooms_each:
            raise RequestRefused(
                Refusal("too_many_rooms", "만들어 둔 방이 너무 많아요. 쓰지 않는 방을 먼저 닫아 주세요")
            )
        if self._placement.turns.waiting + len(self.making) >= self._config.placing_most:
            raise RequestRefused(
                Refusal("overloaded", "지금은 사람이 너무 많아요. 잠시 뒤에 다시 해 주세요", retry=True)
            )

    def _promise(self, wish: CreateRoom, room: str, code: str) -> RoomReport:
        """The room that this wish will be. Judged as its process will judge it, before anything is written."""
        try:
            game = None if wish.game in self._config.hidden_games else GAMES[wish.game]
        except (UnknownGame, BrokenGame) as why:
            self._log.warning("no_game", game=wish.game, why=str(why))
            game = None
        if game is None:
            raise RequestRefused(Refusal("unknown_game", "그런 게임은 없어요"))
        if self._roster.here and not any(node.plays(wish.game) for node in self._roster.here.values()):
            self._log.warning("no_game", game=wish.game, why="it is installed on no node")
            raise no_node_plays()
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

    # ------------------------------------------------------------ rooms that are there

    async def quick(self, game: str, player: str) -> RoomSummary:
        """A public room of this game that waits for players, or a new one."""
        candidates = [
            record.summary
            for record in self._registry.public.values()
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
        record = self._registry.of_code(code)
        if record is None:
            raise _not_found()
        return record.summary

    async def get(self, room: str) -> RoomSummary:
        if (record := self._registry.records.get(room)) is not None:
            return record.summary
        row = await self._stored.catalogue.get(room)
        if row is None:
            raise _not_found()
        return Record(row).summary

    def list_public(self, game: str | None, limit: int) -> list[RoomSummary]:
        """Public rooms with somebody in them, newest first."""
        found = [
            record
            for record in self._registry.public.values()
            if game in (None, record.game) and self._is_played(record)
        ]
        return [record.summary for record in nlargest(limit, found, key=lambda record: record.created)]

    def _is_played(self, record: Record) -> bool:
        """Does the room run, as far as anybody can know? If not, it is not shown to people who look for one."""
        if record.owner is None:
            return False
        went = self._roster.went.get(record.owner.node)
        return went is None or time.monotonic() - went < LISTED_SECONDS

    # ------------------------------------------------------------ where a room runs

    async def locate(self, room: str, not_epoch: int, reading: bool) -> dict[str, Any]:
        """Where the room runs, at an epoch other than ``not_epoch`` if that can be had soon. Wakes a parked room."""
        record = self._registry.records.get(room) or await self._closed_record(room, reading)
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
                raise no_node_plays()
            if owner is None and record.refusal is not None:
                refusal, record.refusal = record.refusal, None
                raise RequestRefused(refusal)
            if owner is None and record.placing is None:
                if not self._registry.is_kept(record):
                    raise RequestRefused(_CLOSED)
                if record.lost is None:
                    record.lost = (now, "woken")
                    self._demand.came(now)
                self._placement.place(record)
            self._placement.turns.hurry(room)  # somebody waits for it
            if now >= deadline:
                raise RequestRefused(LATE)
            wait = min(deadline, suspicious if owner is not None else deadline) - now
            await record.change(max(0.01, min(wait, 0.25)))

    async def _closed_record(self, room: str, reading: bool) -> Record:
        """Of a room that is closed and is to be shown again; kept for as long as a process reads it."""
        row = await self._stored.catalogue.get(room)
        if row is None:
            raise _not_found()
        if not (row.closed and reading):
            raise RequestRefused(_CLOSED)
        if row.quarantine is not None:
            raise RequestRefused(_QUARANTINED)
        if (record := self._registry.records.get(room)) is None:
            if sum(record.closed for record in self._registry.records.values()) >= self._config.reading_most:
                raise RequestRefused(
                    Refusal("overloaded", "지금은 다시 보는 사람이 너무 많아요. 잠시 뒤에 다시 해 주세요", retry=True)
                )
            record = self._registry.add_closed(row)
        return record
