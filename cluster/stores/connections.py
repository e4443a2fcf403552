"""A bounded number of connections to PostgreSQL: opened when they are needed, dropped at the first sign of trouble.

A connection that timed out, or whose server said good-bye, is cut off and forgotten at once; nothing that was sent over
it is sent again. While the server cannot be reached, one try in `RETRY_SECONDS` is made for everybody.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import asyncpg
import msgspec

from cluster.log import Conflict, Damaged, Unavailable, UnknownRoom

CONNECT_SECONDS = 3.0
COMMAND_SECONDS = 3.0  # what a player waits for; past it the room says that it pauses
LOCK_SECONDS = 1.0  # for a row that somebody holds: a claim or an append takes milliseconds, an operator's psql hours
RETRY_SECONDS = 0.1
SCHEMA = "hanpan"  # the namespace of our tables, unless the URL says ?schema=

# Fails for now, or until an operator has mended it; what is stored is whole. By class or code of SQLSTATE.
_AWAY: Final = (
    "08",  # connection
    "25006",  # a standby: it is being failed over
    "28",  # not allowed in
    "3D",  # no such database
    "3F",  # no such schema
    "40",  # a deadlock, broken for us
    "42501",  # no rights to a table
    "42P01",  # no such table: nobody has migrated it
    "53",  # out of disk, memory or connections
    "55",  # locked
    "57",  # shut down or cancelled
    "58",  # the server's own disk fails
)
_GONE: Final = ("08", "25006", "57P")  # and the connection is of no use: the next one may lead to another server


class Where(msgspec.Struct, frozen=True):
    """What a URL says: ``postgres://user:password@host:port/database?schema=hanpan``, and what asyncpg takes there."""

    dsn: str
    schema: str

    @classmethod
    def parse(cls, url: str) -> Where:
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query))
        schema = query.pop("schema", SCHEMA)
        if not schema.isidentifier() or schema != schema.lower():
            raise ValueError(f"not the name of a schema: {schema!r}")
        return cls(urlunsplit(parts._replace(query=urlencode(query))), schema)


def in_our_words(fault: Exception) -> Exception:
    """PostgreSQL's faults, and its driver's, in the words of `cluster.log`. A bug of ours stays what it is."""
    text = f"{type(fault).__name__}: {fault}"
    if isinstance(fault, asyncpg.PostgresError):
        code = fault.sqlstate or ""
        if code.startswith("42P01"):
            text += " (hanpan store migrate)"
        return Unavailable(text) if code.startswith(_AWAY) else Damaged(text)
    if isinstance(fault, ValueError):  # an argument that does not fit its column
        return fault
    if isinstance(fault, OSError | TimeoutError | asyncpg.InterfaceError | asyncpg.InternalClientError):
        return Unavailable(text)
    return fault


def rolled_back(fault: Exception) -> bool:
    """The server answered that it has not done it, and lives."""
    return isinstance(fault, asyncpg.PostgresError) and not (fault.sqlstate or "").startswith(_GONE)


class Connections:
    """At most ``most`` connections, each made ready by ``prepare``."""

    def __init__(
        self, where: Where, name: str, most: int, prepare: Callable[[Any], Awaitable[None]] | None = None
    ) -> None:
        self._where = where
        self._name = name
        self._prepare = prepare
        self._free = asyncio.Semaphore(most)
        self._idle: list[Any] = []
        self._opening = asyncio.Lock()
        self._away: tuple[float, str] | None = None  # until when nobody need try again, and why
        self._closed = False
        self.open = 0  # connections that are open now

    @asynccontextmanager
    async def one(self) -> AsyncIterator[Any]:
        """A connection for the block alone. What asyncpg raises in it is raised in our words."""
        if self._free.locked():
            try:
                async with asyncio.timeout(COMMAND_SECONDS):
                    await self._free.acquire()
            except TimeoutError as busy:
                raise Unavailable("every connection is busy") from busy
        else:
            await self._free.acquire()
        connection, whole = None, False
        try:
            connection = await self._take()
            yield connection
            whole = True
        except (Conflict, UnknownRoom):  # what the server said was no fault
            whole = True
            raise
        except Exception as fault:
            whole = rolled_back(fault)
            words = in_our_words(fault)
            if words is fault:
                raise
            raise words from fault
        finally:
            self._free.release()
            if connection is not None:
                if whole and not self._closed and not connection.is_closed():
                    self._idle.append(connection)
                else:
                    connection.terminate()

    async def _take(self) -> Any:
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                return connection
        async with self._opening:  # one at a time: a server that comes back is not met by all at once
            if self._away is not None and time.monotonic() < self._away[0]:
                raise Unavailable(self._away[1])
            try:
                connection = await self._open()
            except Exception as fault:
                self._away = time.monotonic() + RETRY_SECONDS, str(in_our_words(fault))
                raise
            self._away = None
            return connection

    async def _open(self) -> Any:
        settings = {
            "application_name": self._name,
            "search_path": self._where.schema,
            "lock_timeout": str(int(LOCK_SECONDS * 1000)),
            "statement_timeout": str(int(2 * COMMAND_SECONDS * 1000)),  # for what nobody waits for any more
            "default_transaction_isolation": "read committed",  # what an append and a claim rely on
            "jit": "off",
        }
        connection = await asyncpg.connect(
            self._where.dsn, timeout=CONNECT_SECONDS, command_timeout=COMMAND_SECONDS, server_settings=settings
        )
        try:
            if self._prepare is not None:
                await self._prepare(connection)
        except BaseException:
            connection.terminate()
            raise
        self.open += 1
        connection.add_termination_listener(self._ended)
        return connection

    def _ended(self, connection: Any) -> None:
        self.open -= 1

    async def close(self) -> None:
        """Ends those that are idle; those in use end when they are given back."""
        self._closed = True
        while self._idle:
            connection = self._idle.pop()
            try:
                await connection.close(timeout=1.0)
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                connection.terminate()
