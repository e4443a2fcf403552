"""Many parked rooms, as a log holds them: made without playing them, for measurements of what they cost.

Each is a room in which two people sat down and went away again. What is written is what a room process would have
written, by the same code.
"""

from __future__ import annotations

import os
import time

import msgspec

from cluster.client import CreateRoom, RoomSummary
from cluster.entries import Entry
from cluster.log import RoomRow
from cluster.messages import Sit
from cluster.room.decide import Person, first_fact
from cluster.room.room import Decision, Room
from cluster.stores.sqlite import SqliteCatalogue, SqliteStore, transaction
from engines.catalog import GAMES

GAME = "ninety-nine"
_encode = msgspec.json.encode


def parked_row(number: int) -> RoomRow:
    """A line of the catalogue; the same for the same number, but for its time."""
    room = f"{number:016x}"
    code = f"{number:06d}"
    wish = CreateRoom(game=GAME, creator=f"g_{number:06x}", key=f"k{number}", seats=2)
    summary = RoomSummary(
        id=room,
        code=code,
        game=GAME,
        status="waiting",
        public=False,
        spectators=True,
        seats=2,
        taken=2,
        online=0,
        host_name="안나",
        games=0,
    )
    return RoomRow(
        id=room,
        code=code,
        game=GAME,
        created=int(time.time() * 1000) + number,
        wish=_encode(wish),
        key=f"{wish.creator}/{wish.key}",
        epoch=1,
        parked=True,
        summary=_encode(summary),
    )


def entries_of(row: RoomRow) -> list[Entry]:
    """The log that such a room has: created, and two people who sat down."""
    wish = msgspec.json.decode(row.wish, type=CreateRoom)
    game = GAMES[wish.game]
    room = Room(game, 1)
    now = row.created
    fact = first_fact(wish, row.id, row.code, game)
    decisions = [room.create(fact, 0, now, os.urandom(32))]
    entries: list[Entry] = []
    for player in (None, wish.creator, "g_bob"):
        decision = (
            decisions[0]
            if player is None
            else room.judge(Person(player, player), Sit(f"{player}.1"), now, frozenset({player}), b"")
        )
        assert isinstance(decision, Decision), decision
        room.commit(decision)
        entries += decision.entries
    return entries


async def fill_catalogue(folder: str, count: int) -> list[RoomRow]:
    """The catalogue of a folder, in one transaction; no logs, for who will not look at them."""
    catalogue = await SqliteStore(folder).catalogue()
    rows = [parked_row(number) for number in range(count)]
    _insert(catalogue, rows)
    await catalogue.close()
    return rows


async def fill(folder: str, count: int) -> list[RoomRow]:
    """Catalogue and logs."""
    rows = await fill_catalogue(folder, count)
    store = SqliteStore(folder)
    for row in rows:
        log = await store.room(row.id, create=True)
        await log.claim(1, "bench", 0)
        await log.append(1, 1, entries_of(row))
        await log.close()
    return rows


def _insert(catalogue: SqliteCatalogue, rows: list[RoomRow]) -> None:
    with transaction(catalogue._db):
        for row in rows:
            catalogue._insert(row)
