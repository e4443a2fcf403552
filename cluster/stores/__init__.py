"""Where logs are kept. ``open_store`` turns a URL into a store; each kind is imported only when it is asked for."""

from __future__ import annotations

from cluster.log import Store


def open_store(url: str) -> Store:
    """``memory:`` or ``sqlite:/folder``."""
    kind, _, where = url.partition(":")
    if kind == "sqlite":
        from cluster.stores.sqlite import SqliteStore

        return SqliteStore(where)
    if kind == "memory":
        from cluster.stores.memory import MemoryStore

        return MemoryStore()
    raise ValueError(f"no such store: {url!r} (memory: or sqlite:/folder)")
