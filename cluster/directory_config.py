"""What a directory is told at its start."""

from __future__ import annotations

import msgspec


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
