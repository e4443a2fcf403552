"""A hanpan in this process: a mini cluster and a gateway in an event loop of their own, on a thread beside the browser.

For what a browser sees when parts of it fail, which can be brought about at the very moment; what takes real processes
is tested on a real one (``running.py``).
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from aiohttp import web

from cluster.connection import ClusterConnection
from cluster.room.room import Settings as RoomSettings
from cluster.stores import open_store
from gateway.app import HUB, make_app, make_runner
from gateway.config import Settings
from tests.cluster.mini import SECRET, FlakyStore, MiniCluster, until

WAIT = 30  # s


class Site:
    """What is started, and the thread it runs on. `do` runs something there and returns what it came to."""

    def __init__(self, settings: RoomSettings) -> None:
        self._settings = settings
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="site", daemon=True)
        self.mini: MiniCluster
        self.store: FlakyStore
        self.url = ""

    def do(self, what: Callable[[], Any]) -> Any:
        """Calls it on the site's loop, and waits for it there where it is to be awaited."""

        async def there() -> Any:
            found = what()
            return await found if asyncio.iscoroutine(found) else found

        future: Future[Any] = asyncio.run_coroutine_threadsafe(there(), self._loop)
        return future.result(WAIT)

    def start(self, folder: Path) -> None:
        self._thread.start()
        self.do(lambda: self._start(folder))

    async def _start(self, folder: Path) -> None:
        self.store = FlakyStore(open_store(f"sqlite:{folder}/data"))
        self.mini = MiniCluster(folder, 3, self._settings, self.store)
        await self.mini.start()
        self._cluster = ClusterConnection(self.mini.directory.address, SECRET, "page")
        await self._cluster.start()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"
        await self._open()
        await until(lambda: self._cluster.ready)

    def open(self) -> None:
        """A gateway at the address where one has ended."""
        self.do(self._open)

    async def _open(self) -> None:
        settings = Settings(token_keys=("k" * 32,), close_seconds=1.0)
        self._app = make_app(self._cluster, settings)
        self._runner = make_runner(self._app, settings)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()

    def drain(self) -> None:
        """The gateway tells everybody that it is being updated, and ends."""
        self.do(self._drain)

    async def _drain(self) -> None:
        self._app[HUB].draining = True
        await self._runner.cleanup()

    def end(self) -> None:
        self.do(self._end)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(WAIT)
        self._loop.close()

    async def _end(self) -> None:
        self.store.mode = "works"
        await self._runner.cleanup()
        await self._cluster.close()
        await self.mini.stop()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


@contextlib.contextmanager
def site(**settings: Any) -> Iterator[Site]:
    """A site that is gone, with its folder, after the block; `settings` are those of its rooms."""
    with tempfile.TemporaryDirectory(prefix="hanpan-site-") as folder:
        started = Site(RoomSettings(**settings))
        started.start(Path(folder))
        try:
            yield started
        finally:
            started.end()
