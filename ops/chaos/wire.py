"""A wire between clients and servers that can be cut, be slow, or be held still in one direction: a proxy for TCP."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

Address = tuple[str, int]


class Wire:
    """Every connection through it, old and new, at whichever of its ends, does as it is told."""

    def __init__(self) -> None:
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._servers: list[asyncio.Server] = []
        self._up, self._down = asyncio.Event(), asyncio.Event()
        self.works()
        self.accepted = 0

    def works(self) -> None:
        """As a wire should. What was held goes on."""
        self.refuses = False  # new connections are ended at once
        self.delay = 0.0  # s: what is sent arrives so much later, in either direction
        self._up.set()
        self._down.set()

    def hold_requests(self) -> None:
        """What clients send from now on stays on the way."""
        self._up.clear()

    def hold_answers(self) -> None:
        """What servers say from now on stays on the way."""
        self._down.clear()

    def hold(self) -> None:
        """Nothing arrives any more, and nobody is told: as where a cable is cut."""
        self.hold_requests()
        self.hold_answers()

    def cut(self) -> None:
        """Every connection ends; what is on the way is lost."""
        for writer in list(self._writers):
            writer.transport.abort()

    @property
    def open(self) -> int:
        """Connections to servers that are open."""
        return len(self._writers) // 2

    async def lay(self, to: Address, at: Address = ("127.0.0.1", 0)) -> int:
        """Who connects ``at`` this address is connected ``to`` that one; the port. `OSError` where it is taken."""

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._accept(to, reader, writer)

        server = await asyncio.start_server(accept, *at)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        for server in self._servers:
            server.close()
        self.cut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, to: Address, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        if self.refuses:
            writer.transport.abort()
            return
        try:
            other_reader, other_writer = await asyncio.open_connection(*to)
        except OSError:  # nobody is there
            writer.transport.abort()
            return
        both = {writer, other_writer}
        self._writers |= both
        for source, target, gate in ((reader, other_writer, self._up), (other_reader, writer, self._down)):
            task = asyncio.create_task(self._carry(source, target, gate, both))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        gate: asyncio.Event,
        both: set[asyncio.StreamWriter],
    ) -> None:
        try:
            while data := await source.read(65536):
                if self.delay:
                    await asyncio.sleep(self.delay)
                await gate.wait()
                if target.is_closing():
                    break
                target.write(data)
        except ConnectionError:
            pass  # cut
        finally:
            await gate.wait()  # what is held is not lost by its sender's death
            self._writers -= both
            for writer in both:
                writer.close()


@contextlib.asynccontextmanager
async def wire_to(url: str) -> AsyncIterator[tuple[Wire, str]]:
    """A wire, and the same URL through it."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    wire = Wire()
    try:
        port = await wire.lay((parts.hostname, parts.port))
        yield wire, url.replace(f":{parts.port}/", f":{port}/")
    finally:
        await wire.stop()
