"""What operators ask of the directory, answered; and what they order, kept and carried out.

`cluster.admin` lists both.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any, assert_never

import msgspec

from cluster import admin
from cluster.admin import CELLS_MOST, Deed
from cluster.client import CreateRoom
from cluster.entries import Entry
from cluster.figures import Hour
from cluster.gateways import Gateways
from cluster.inspection import Inspection
from cluster.inspector import Inspects, Look
from cluster.link import Refusal
from cluster.link_io import RequestRefused
from cluster.log import Damaged, Owner, UnknownRoom
from cluster.moving import Moving
from cluster.orders import Orders
from cluster.records import Record
from cluster.registry import Registry
from cluster.roster import Roster
from cluster.stored import Stored

DEEDS_KEPT = 200


class Operators:
    """The directory's desk for operators."""

    def __init__(
        self,
        registry: Registry,
        roster: Roster,
        gateways: Gateways,
        moving: Moving,
        orders: Orders,
        stored: Stored,
        hour: Hour,
        inspector: Inspects,
        log: Any,
    ) -> None:
        self._registry, self._roster, self._gateways = registry, roster, gateways  # what is shown
        self._moving, self._orders = moving, orders
        self._stored = stored
        self._hour = hour
        self._inspector = inspector  # what replays logs
        self._log = log
        self._deeds: deque[Deed] = deque(maxlen=DEEDS_KEPT)
        self._began = time.monotonic()
        self._version = version("hanpan")

    async def asked(self, what: str, args: dict[str, Any], by: str) -> Any:
        """The answer, as JSON values. Refuses ``unknown_request``, ``bad_request``, or as the work itself does."""
        if what not in admin.NAMES:
            raise RequestRefused(Refusal("unknown_request", f"there is no request {what!r}"))
        try:
            asked = admin.read(what, args)
        except msgspec.ValidationError as misfit:
            raise RequestRefused(Refusal("bad_request", f"{what}: {misfit}")) from misfit
        if not isinstance(asked, admin.Order):
            return await self._answer(asked)
        deed = self._note(asked, by)
        try:
            done = await self._answer(asked)
        except RequestRefused as no:
            deed.outcome = no.refusal.code
            raise
        except Exception as fault:
            deed.outcome = type(fault).__name__
            raise
        deed.outcome = "done"
        return done

    def _note(self, order: admin.Order, by: str) -> Deed:
        """Before anything is done or shown: whatever comes of it, it is known who gave the order."""
        room, node = getattr(order, "room", None), getattr(order, "node", None)
        if room is not None and (record := self._open(room)) is not None:
            room = record.id
        deed = Deed(int(time.time() * 1000), str(order.__struct_config__.tag), by, room, node)
        last = self._deeds[0] if self._deeds else None
        if last is not None and (last.what, last.by, last.room, last.node) == (deed.what, by, room, node):
            last.at, last.times, last.outcome = deed.at, last.times + 1, deed.outcome
            deed = last
        else:
            self._deeds.appendleft(deed)
        details = {name: getattr(order, name) for name in ("seq", "retire") if getattr(order, name, None)}
        self._log.warning("audit", what=deed.what, by=by, room=room, node=node, details=details)
        return deed

    async def _answer(self, asked: admin.AnyAsked) -> Any:
        match asked:
            case admin.Overview():
                return self._overview()
            case admin.Charts():
                return self._hour.chart(asked.game, asked.minutes, time.time())
            case admin.Rooms():
                return await self._rooms(asked)
            case admin.Nodes():
                return {"nodes": self._nodes()}
            case admin.All():
                return {"rooms": [row.id for row in await self._stored.catalogue.all_rooms()]}
            case admin.OneRoom():
                return await self._room(asked.room)
            case admin.Inspect():
                return await self._inspect(asked.room, asked.seq, asked.first, asked.limit)
            case admin.Verify():
                seen = await self._inspect(asked.room, None, None, 0)
                return {**msgspec.to_builtins(seen.verdict), "room": await self._id(asked.room), "ok": seen.verdict.ok}
            case admin.Audit():
                return {"deeds": list(self._deeds)}
            case admin.Reveal():
                entries = await self._entries(asked.room)
                return {"entries": [entry for entry in entries if asked.seq in (None, entry.seq)]}
            case admin.Move():
                record = self._record(asked.room)
                await self._moving.move(record, asked.node)
                return self._row(record)
            case admin.CloseRoom():
                record = self._record(asked.room)
                await self._orders.close(record, "operator")
                return {"closed": record.id}
            case admin.Unquarantine():
                record = self._record(asked.room)
                await self._orders.unquarantine(record)
                return self._row(record)
            case admin.Drain():
                return await self._moving.drain(asked.node, True, retire=asked.retire)
            case admin.Undrain():
                return await self._moving.drain(asked.node, False)
            case admin.Kill():
                return await self._orders.kill(self._record(asked.room))
            case _:
                assert_never(asked)

    # ------------------------------------------------------------ the whole

    def _overview(self) -> dict[str, Any]:
        """In one go over all rooms: nobody is handed over meanwhile."""
        states, games = Counter[str](), Counter[str]()
        cells: dict[str | None, list[tuple[str, str, int]]] = {}
        online = rooms = 0
        for record in reversed(self._registry.records.values()):
            rooms += 1
            state, here = record.state, record.summary.online
            states[state] += 1
            games[record.game] += 1
            online += here
            if rooms <= CELLS_MOST:
                where = None if record.owner is None else record.owner.node
                cells.setdefault(where, []).append((record.code, state, here))
        return {
            "at": int(time.time() * 1000),
            "up": int(time.monotonic() - self._began),
            "version": self._version,
            "chaos": self._orders.chaos,
            "ready": self._gateways.ready,
            "rooms": rooms,
            "online": online,
            "states": states,
            "games": games,
            "nodes": [{**row, "cells": cells.get(row["node"], [])} for row in self._nodes()],
            "nowhere": cells.get(None, []),
            "cellsLeftOut": max(0, rooms - CELLS_MOST),
            "gateways": self._gateways.listed(),
        }

    def _nodes(self) -> list[dict[str, Any]]:
        return [
            {**node.status, "rooms": self._registry.count_on(node.name), "vitals": msgspec.to_builtins(node.vitals)}
            for node in self._roster.here.values()
        ]

    # ------------------------------------------------------------ rooms

    async def _rooms(self, wish: admin.Rooms) -> dict[str, Any]:
        found = [record for record in reversed(self._registry.records.values()) if _fits(record, wish)]
        if not found and wish.q and (gone := await self._closed(wish.q)) is not None:
            found = [gone]
        part = found[wish.offset : wish.offset + wish.limit]
        return {"rooms": [self._row(record) for record in part], "total": len(found)}

    def _row(self, record: Record) -> dict[str, Any]:
        owner, summary = record.owner, record.summary
        return {
            "id": record.id,
            "code": record.code,
            "game": record.game,
            "state": record.state,
            "status": summary.status,
            "epoch": record.epoch,
            "node": owner.node if owner else None,
            "pid": owner.pid if owner else None,
            "process": owner.process if owner else None,
            "seqHeard": record.seq_heard,
            "seats": summary.seats,
            "taken": summary.taken,
            "online": summary.online,
            "games": summary.games,
            "public": summary.public,
            "host": summary.host_name,
            "people": record.people,
            "created": record.created,
            "parked": record.parked,
            "stranded": record.stranded,
            "quarantined": record.quarantine,
        }

    async def _room(self, room: str) -> dict[str, Any]:
        record = self._open(room) or await self._closed(room)
        if record is None:
            raise _not_found(room)
        options = msgspec.json.decode(record.wish, type=CreateRoom).options
        row = self._row(record) | {"options": options, "fault": None}
        row["seq"] = record.seq_heard
        try:
            async with self._stored.log_of(record.id) as log:
                owners: Iterable[Owner] = await log.owners()
                if entries := await log.read(record.seq_heard):  # of most entries the directory does not hear
                    row["seq"] = entries[-1].seq
        except UnknownRoom:  # its first process has not come so far as to create it
            owners = []
        except Damaged as broken:
            owners, row["fault"] = [], str(broken)
        deaths, entry = record.deaths
        here = deaths if row["seq"] <= entry else 0  # its owner has got on: these deaths will not be counted
        return row | {"owners": owners, "deaths": here}

    async def _inspect(self, room: str, seq: int | None, first: int | None, limit: int) -> Inspection:
        entries = await self._entries(room)
        return await self._inspector.look(Look(entries=entries, seq=seq, first=first, limit=limit))

    async def _entries(self, room: str) -> list[Entry]:
        try:
            async with self._stored.log_of(await self._id(room)) as log:
                return await log.read()
        except UnknownRoom as unknown:
            raise _not_found(room) from unknown
        except Damaged as broken:
            raise RequestRefused(Refusal("damaged", str(broken))) from broken

    async def _id(self, room: str) -> str:
        """Of an open room's code its id; what is none may be a closed room's id."""
        record = self._open(room)
        return room if record is None else record.id

    async def _closed(self, room: str) -> Record | None:
        """The room of this id, also where it is closed, as the catalogue knows it."""
        row = await self._stored.catalogue.get(room)
        return None if row is None else Record(row)

    def _open(self, room: str) -> Record | None:
        return self._registry.find(room)

    def _record(self, room: str) -> Record:
        record = self._open(room)
        if record is None:
            raise _not_found(room)
        return record


def _fits(record: Record, wish: admin.Rooms) -> bool:
    return (
        wish.state in ("", record.state)
        and wish.game in ("", record.game)
        and wish.code.upper() in ("", record.code)
        and (not wish.node or (record.owner is not None and record.owner.node == wish.node))
        and (not wish.player or record.has(wish.player.lower()))
        and (not wish.q or record.found_in(wish.q.strip().lower()))
    )


def _not_found(room: str) -> RequestRefused:
    why = f"there is no room {room}; a closed one is found by its id, and takes no orders"
    return RequestRefused(Refusal("room_not_found", why))
