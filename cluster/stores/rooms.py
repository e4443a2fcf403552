"""Whole rooms, as operators carry them from one store to another, or into a file and back."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Literal, Protocol

import msgspec

from cluster.log import Owner, RoomRow, Snapshot


class RoomCopy(msgspec.Struct, frozen=True, kw_only=True):
    """All that a store holds of one room, to be carried to another. ``entries`` is text as it was written."""

    row: RoomRow
    logged: bool = True  # False: its first owner died before there was a log
    owners: list[Owner] = []
    snapshot: Snapshot | None = None
    entries: list[str] = []

    def begins(self, other: RoomCopy) -> bool:
        """Is this what the other was some time ago?"""
        return (
            (self.row.id, self.row.created) == (other.row.id, other.row.created)
            and self.owners == other.owners[: len(self.owners)]
            and self.entries == other.entries[: len(self.entries)]
        )


class StoreReport(msgspec.Struct, frozen=True):
    """``facts`` for people to read; each of ``findings`` is something that is not as it should be."""

    facts: dict[str, str | int]
    findings: list[str]


CopiedIn = Literal["added", "same", "advanced"]  # advanced: an earlier state of it was there


class Movable(Protocol):
    """A store whose rooms can be carried elsewhere, and that can take rooms in. For operators."""

    kind: str

    def alone(self) -> AbstractAsyncContextManager[object]:
        """While the block lasts, no hanpan plays on this store. Raises `InUse`."""
        ...

    async def rows(self) -> list[RoomRow]:
        """The catalogue, oldest first."""
        ...

    async def copy_out(self, row: RoomRow) -> RoomCopy:
        """One room, as it is at one moment. Raises `UnknownRoom`."""
        ...

    async def copy_in(self, copy: RoomCopy) -> CopiedIn:
        """Takes a room in, whole or not at all. Raises `Conflict` where there is another, or a later state."""
        ...

    async def check(self) -> StoreReport:
        """What this kind of store can say of itself, beside its rooms."""
        ...

    async def close(self) -> None: ...
