"""Where logs are kept. ``open_store`` turns a URL into a store; each kind is imported only when it is asked for."""

from __future__ import annotations

from pathlib import Path

from cluster.log import Store
from cluster.stores.rooms import Movable


def open_store(url: str, *, name: str = "hanpan", present: bool = False) -> Store:
    """``memory:``, ``sqlite:/folder`` or ``postgres://user:password@host/database``.

    ``name`` is what the server's operators see; ``present`` says that a hanpan plays here, and not a tool that looks.
    """
    kind, _, where = url.partition(":")
    if kind in ("postgres", "postgresql"):
        from cluster.stores.postgres import PostgresStore

        return PostgresStore(url, name=name, present=present)
    if kind == "sqlite":
        from cluster.stores.sqlite import SqliteStore

        return SqliteStore(where)
    if kind == "memory":
        from cluster.stores.memory import MemoryStore

        return MemoryStore()
    raise ValueError(f"no such store: {kind}: (memory:, sqlite:/folder or postgres://…)")


def open_rooms(url: str) -> Movable:
    """The same place, as operators see it who carry rooms from one to another."""
    kind, _, where = url.partition(":")
    if kind in ("postgres", "postgresql"):
        from cluster.stores.postgres_upkeep import PostgresRooms

        return PostgresRooms(url)
    if kind == "sqlite":
        from cluster.stores.sqlite_upkeep import SqliteRooms

        return SqliteRooms(Path(where))
    raise ValueError(f"no such store: {kind}: (sqlite:/folder or postgres://…)")
