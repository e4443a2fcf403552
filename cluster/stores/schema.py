"""The tables of the PostgreSQL store, and how a database gets from one version of them to the next.

A migration is a file of SQL in ``migrations/``, named by its number. What has been applied is written down in
``schema_versions``. Each is applied in a transaction of its own, one process at a time. Nodes are rolled one by one
*after* the database: so a migration must leave the version of hanpan before it working.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from typing import Any, Final

import asyncpg
import msgspec

from cluster.log import InUse
from cluster.stores.connections import CONNECT_SECONDS, Where, in_our_words

LOCK: Final = 0x68616E70  # an advisory lock, with the schema as its second half. Held shared: a hanpan plays here
_MIGRATING: Final = 0x6D696772

_VERSIONS = """
CREATE TABLE IF NOT EXISTS schema_versions (
    version integer PRIMARY KEY,
    name text NOT NULL,
    applied timestamptz NOT NULL DEFAULT now()
)
"""


class Migration(msgspec.Struct, frozen=True):
    version: int
    name: str
    sql: str


@cache
def migrations() -> tuple[Migration, ...]:
    """All there are, in order, without a gap."""
    found = []
    for file in files(__package__).joinpath("migrations").iterdir():
        if match := re.fullmatch(r"(\d{4})_(\w+)\.sql", file.name):
            found.append(Migration(int(match[1]), match[2].replace("_", " "), file.read_text(encoding="utf-8")))
    found.sort(key=lambda migration: migration.version)
    assert [migration.version for migration in found] == list(range(1, len(found) + 1))
    return tuple(found)


VERSION: Final = 1  # what the code needs; a newer database is fine


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Any]:
    """A connection for an operator's work: without limits on time. Faults are in our words."""
    where = Where.parse(url)
    try:
        db = await asyncpg.connect(
            where.dsn, timeout=CONNECT_SECONDS, server_settings={"search_path": where.schema, "jit": "off"}
        )
        try:
            yield db
        finally:
            await db.close()
    except Exception as fault:
        words = in_our_words(fault)
        if words is fault:
            raise
        raise words from fault


@asynccontextmanager
async def alone(url: str, patience: float = 0.0) -> AsyncIterator[Any]:
    """For as long as the block lasts, no hanpan plays here, and none can begin to.

    Raises `InUse`, after ``patience`` seconds: the server needs a moment to see that one was killed.
    """
    async with connected(url) as db:
        until = time.monotonic() + patience
        while not await db.fetchval("SELECT pg_try_advisory_lock($1, hashtext($2))", LOCK, Where.parse(url).schema):
            if time.monotonic() >= until:
                raise InUse("a hanpan is running on this database")
            await asyncio.sleep(0.1)
        yield db


async def migrate(url: str) -> list[Migration]:
    """Brings the database up to date; what was applied. Raises `Unavailable`."""
    schema = Where.parse(url).schema
    async with connected(url) as db:
        await db.execute("SELECT pg_advisory_lock($1, hashtext($2))", _MIGRATING, schema)
        await db.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
        await db.execute(_VERSIONS)
        known = await db.fetchval("SELECT coalesce(max(version), 0) FROM schema_versions")
        applied = []
        for migration in migrations()[known:]:
            async with db.transaction():
                await db.execute(migration.sql)
                await db.execute(
                    "INSERT INTO schema_versions (version, name) VALUES ($1, $2)", migration.version, migration.name
                )
            applied.append(migration)
        return applied
