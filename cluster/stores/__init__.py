"""Where logs are kept. ``open_store`` turns a URL into a store; each kind is imported only when it is asked for."""

from __future__ import annotations

from cluster.log import Store


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
