"""The log in memory: the contract in its plainest form. For tests; nothing outlives the process."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cluster.entries import Entry
from cluster.log import Conflict, Owner, RoomRow, Snapshot, Tidied, UnknownRoom


class MemoryRoomLog:
    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._owners: list[Owner] = []
        self._snapshot: Snapshot | None = None

    @property
    def _epoch(self) -> int:
        return self._owners[-1].epoch if self._owners else 0

    async def claim(self, epoch: int, owner: str, wall: int) -> int:
        if epoch <= self._epoch:
            raise Conflict(f"epoch {epoch} after {self._epoch}")
        self._owners.append(Owner(epoch, len(self._entries), wall, owner))
        return len(self._entries)

    async def prepare(self) -> None:
        return None

    async def append(self, epoch: int, expected_seq: int, entries: Sequence[Entry]) -> None:
        if epoch != self._epoch or expected_seq != len(self._entries) + 1:
            raise Conflict(f"epoch {epoch}, seq {expected_seq} at epoch {self._epoch}, seq {len(self._entries)}")
        self._entries.extend(entries)

    async def read(self, after: int = 0) -> list[Entry]:
        return self._entries[after:]

    async def save_snapshot(self, epoch: int, snapshot: Snapshot) -> None:
        if epoch != self._epoch:
            raise Conflict(f"snapshot of epoch {epoch} at epoch {self._epoch}")
        self._snapshot = snapshot

    async def snapshot(self) -> Snapshot | None:
        return self._snapshot

    async def owners(self) -> list[Owner]:
        return list(self._owners)

    async def close(self) -> None:
        return None


class MemoryCatalogue:
    def __init__(self, rows: dict[str, RoomRow]) -> None:
        self._rows = rows

    async def add(self, row: RoomRow) -> RoomRow:
        for other in self._rows.values():
            if row.key is not None and other.key == row.key:
                return other
        for other in self._rows.values():
            if other.id == row.id or (other.code == row.code and not other.closed):
                raise Conflict(f"room {row.id} or code {row.code} is taken")
        self._rows[row.id] = row
        return row

    async def update(
        self,
        room: str,
        *,
        epoch: int | None = None,
        parked: bool | None = None,
        closed: bool | None = None,
        quarantine: str | None = None,
        summary: bytes | None = None,
    ) -> None:
        if room not in self._rows:
            raise UnknownRoom(room)
        given = {"epoch": epoch, "parked": parked, "closed": closed, "summary": summary}
        changes: dict[str, object] = {name: value for name, value in given.items() if value is not None}
        if quarantine is not None:
            changes["quarantine"] = quarantine or None
        self._rows[room] = msgspec.structs.replace(self._rows[room], **changes)

    async def get(self, room: str) -> RoomRow | None:
        return self._rows.get(room)

    async def open_rooms(self) -> list[RoomRow]:
        return [row for row in self._rows.values() if not row.closed]

    async def all_rooms(self) -> list[RoomRow]:
        return list(self._rows.values())

    async def close(self) -> None:
        return None


class MemoryStore:
    """Rooms and catalogue live as long as this object does."""

    kind = "memory"

    def __init__(self) -> None:
        self._rooms: dict[str, MemoryRoomLog] = {}
        self._rows: dict[str, RoomRow] = {}

    async def ready(self) -> None:
        return None

    async def room(self, room: str, *, create: bool = False) -> MemoryRoomLog:
        if room not in self._rooms:
            if not create:
                raise UnknownRoom(room)
            self._rooms[room] = MemoryRoomLog()
        return self._rooms[room]

    async def catalogue(self) -> MemoryCatalogue:
        return MemoryCatalogue(self._rows)

    async def close(self) -> None:
        return None

    async def tidy(self, archive_after: float, keep: float | None) -> Tidied:
        """Memory forgets by itself."""
        return Tidied()
