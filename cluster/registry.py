"""Every room that the directory knows, and whatever a room is looked up by. Pure memory: no I/O, no loop, no clock.

Anybody may read the indexes; they change here alone, together.
"""

from __future__ import annotations

from cluster.client import RoomReport
from cluster.log import RoomRow
from cluster.records import Owner, Record


class Registry:
    """Rooms that are not closed; and those that are, for as long as a process reads them."""

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}  # by id, the oldest first
        self.by_code: dict[str, Record] = {}  # not those that are read: their code may be another's by now
        self.made_by: dict[str, set[Record]] = {}  # by whoever has made them; nor these
        self.running: dict[str, dict[str, Record]] = {}  # by the node that they run on, there or not; then by id
        self.public: dict[str, Record] = {}  # rooms that the lobby shows, by id
        self.unplaced: dict[Record, float] = {}  # rooms that are being placed, and since when, the longest first

    # ------------------------------------------------------------ coming and going

    def add(self, row: RoomRow) -> Record:
        """A room that is not closed."""
        record = self.add_closed(row)
        self.by_code[record.code] = record
        self.made_by.setdefault(record.maker.creator, set()).add(record)
        return record

    def add_closed(self, row: RoomRow) -> Record:
        """A closed room that is to be read: known by its id alone."""
        record = self.records[row.id] = Record(row)
        return record

    def drop(self, record: Record) -> None:
        """It is closed, or read no longer, or never came to be."""
        self.set_owner(record, None)
        self.public.pop(record.id, None)
        self.records.pop(record.id, None)
        creator = record.maker.creator
        if (made := self.made_by.get(creator)) is not None:
            made.discard(record)
            if not made:
                del self.made_by[creator]
        if self.by_code.get(record.code) is record:
            del self.by_code[record.code]

    def is_kept(self, record: Record) -> bool:
        """It may have been dropped while somebody waited for it: then it is nobody's to place any more."""
        return self.records.get(record.id) is record

    # ------------------------------------------------------------ changes

    def set_owner(self, record: Record, owner: Owner | None) -> None:
        """It runs there, or nowhere."""
        if record.owner is not None and (rooms := self.running.get(record.owner.node)) is not None:
            rooms.pop(record.id, None)
            if not rooms:
                del self.running[record.owner.node]
        if owner is not None:
            self.running.setdefault(owner.node, {})[record.id] = record
        record.set_owner(owner)

    def set_summary(self, record: Record, report: RoomReport) -> None:
        """How things stand in the room, as it says itself. The lobby shows those with somebody in them."""
        summary = record.reported(report)
        if summary.public and summary.online > 0:
            self.public[record.id] = record
        else:
            self.public.pop(record.id, None)

    def begin_placing(self, record: Record, now: float) -> None:
        """It waits for a process, from now on (monotonic)."""
        self.unplaced[record] = now

    def end_placing(self, record: Record) -> None:
        """It has one, or will have none."""
        del self.unplaced[record]

    # ------------------------------------------------------------ questions

    def find(self, room: str) -> Record | None:
        """By its id, or by its code as somebody may type it."""
        return self.records.get(room) or self.of_code(room)

    def of_code(self, code: str) -> Record | None:
        return self.by_code.get(code.strip().upper())

    def of_node(self, node: str) -> list[Record]:
        """Those that run there now: what comes of them may change the index."""
        return list(self.running.get(node, {}).values())

    def count_on(self, node: str) -> int:
        """How many run there."""
        return len(self.running.get(node, ()))
