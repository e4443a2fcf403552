"""A wire between a client and a server that a test can cut, or hold still in one direction: a proxy for TCP."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit


class Wire:
    """Every connection through it, old and new, does as it is told."""

    def __init__(self, host: str, port: int) -> None:
        self._to = host, port
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._up, self._down = asyncio.Event(), asyncio.Event()
        self.works()
        self.refuses = False
        self.accepted = 0
        self._server: asyncio.Server

    def works(self) -> None:
        """What was held goes on."""
        self._up.set()
        self._down.set()

    def hold_requests(self) -> None:
        """What clients send from now on stays on the way."""
        self._up.clear()

    def hold_answers(self) -> None:
        """What the server says from now on stays on the way."""
        self._down.clear()

    def cut(self) -> None:
        """Every connection ends; what is on the way is lost."""
        for writer in list(self._writers):
            writer.transport.abort()

    @property
    def open(self) -> int:
        """Connections to the server that are open."""
        return len(self._writers) // 2

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        self._server.close()
        self.cut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        if self.refuses:
            writer.transport.abort()
            return
        other_reader, other_writer = await asyncio.open_connection(*self._to)
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
                await gate.wait()
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
    wire = Wire(parts.hostname, parts.port)
    port = await wire.start()
    try:
        yield wire, url.replace(f":{parts.port}/", f":{port}/")
    finally:
        await wire.stop()
