"""A hanpan for a measurement: started with a data folder of its own, ended, and looked at for what it leaves behind."""

from __future__ import annotations

import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ops import proc
from ops.admin import Admin
from ops.environment import of_our_own
from ops.load import UNLIMITED
from ops.plugins import brought
from ops.postgres import Server, postgres
from ops.problem import Problem

GAMES = brought(Path(__file__).parent / "plugin")
READY_SECONDS = 120.0
SPARES_SECONDS = 600.0
STOP_SECONDS = 30.0


class Running:
    """A hanpan that is up."""

    def __init__(self, process: subprocess.Popen[str], url: str, data: Path) -> None:
        self.process, self.url, self.data = process, url, data
        self.admin = Admin(url, None)
        self.left_behind: list[int] = []  # processes that were still there after its end
        self.database: Server | None = None  # where its logs are, if it has a server of its own

    def pids(self) -> list[int]:
        return proc.tree(self.process.pid)

    def database_pids(self) -> list[int]:
        return proc.tree(self.database.pid) if self.database is not None else []

    def room_pids(self) -> list[int]:
        """The processes that own a room now."""
        return [room["pid"] for room in self.admin.rooms() if room["pid"]]

    def wait_for_spares(self, count: int) -> None:
        """Returns when so many spares are ready."""
        deadline = time.monotonic() + SPARES_SECONDS
        while sum(node["spares"] for node in self.admin.nodes()) < count:
            if time.monotonic() > deadline:
                raise Problem("no_spares", f"not {count} spares within {SPARES_SECONDS:.0f} s")
            time.sleep(0.2)


@contextmanager
def hanpan(
    *,
    spares: int,
    limit: int | None = None,
    store: str = "sqlite",
    env: Mapping[str, str] | None = None,
    prepare: Callable[[Path], None] = lambda data: None,
) -> Iterator[Running]:
    """Runs ``hanpan up`` on a free port for as long as the block does; all spares are ready before it begins.

    ``store``: ``sqlite``, ``postgres`` (a server of its own, on the same disk), or a URL. ``prepare``: what is to be
    in the data folder before.
    """
    with ExitStack() as ends:
        folder = ends.enter_context(tempfile.TemporaryDirectory(prefix="hanpan-bench-", dir="."))  # not in memory
        data = Path(folder).absolute()
        prepare(data)
        database = ends.enter_context(postgres(within=Path().absolute())) if store == "postgres" else None
        if database is not None:
            store = database.url
        options = ["--port", "0", "--data", str(data), "--limit", str(limit or 1000)]
        options += ["--spares", str(spares), "--spares-most", str(spares)]  # as many all the time
        settings = {**UNLIMITED, **GAMES, "HANPAN_LOG_LEVEL": "warning", **(env or {})}
        if store != "sqlite":
            settings["HANPAN_STORE"] = store
        process = subprocess.Popen(  # noqa: S603  # ourselves
            [sys.executable, "-m", "ops.cli", "up", *options],
            env=of_our_own(**settings),
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            running = Running(process, _address(process), data)
            running.database = database
            running.wait_for_spares(spares)
            yield running
            pids = running.pids()
        finally:
            _stop(process)
        time.sleep(1.0)
        running.left_behind = proc.alive(pids)


def _address(process: subprocess.Popen[str]) -> str:
    """What it says when it is ready. Its output goes on being read, so that it never waits for us."""
    said: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.match(r"ready (http\S+)", line):
                said.put(found[1])
        said.put("")

    threading.Thread(target=read, daemon=True).start()
    try:
        address = said.get(timeout=READY_SECONDS)
    except queue.Empty:
        raise Problem("not_ready", f"hanpan was not ready within {READY_SECONDS:.0f} s") from None
    if not address:
        raise Problem("not_ready", f"hanpan ended with status {process.wait()}")
    return address


def _stop(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise Problem("would_not_end", f"hanpan had not ended {STOP_SECONDS:.0f} s after SIGTERM", 1) from None
