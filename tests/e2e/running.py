"""A whole hanpan as its users start it: the command, in a process of its own, on a free port and an empty folder."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import aiohttp

from ops import proc
from ops.chaos.nodes import signal_all
from ops.chaos.nodes import wait_until as wait_until  # for all who use what is here
from ops.environment import of_our_own

READY_SECONDS = 120
END_SECONDS = 60
QUICK_BOTS = '{"bot_delay": [20, 60]}'  # as HANPAN_ROOM_SETTINGS


def descendants(pid: int) -> set[int]:
    """All processes below this one, by pid."""
    return set(proc.tree(pid)) - {pid}


def alive(pids: set[int]) -> set[int]:
    """Those of them that still run; a zombie does not."""
    return set(proc.alive(pids))


def called(pids: Iterable[int], words: str) -> list[int]:
    """Those of these processes whose command line holds these words."""
    return [pid for pid in pids if words in proc.command(pid)]


def listening(pids: Iterable[int]) -> list[str]:
    """Where these processes listen for TCP: host:port, the host as IPv4 where it is one."""
    inodes = set()
    for pid in pids:
        with contextlib.suppress(FileNotFoundError):  # it has just ended
            inodes |= {os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()}
    places = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
                digits, _, port = fields[1].partition(":")
                words = [bytes.fromhex(digits[at : at + 8])[::-1] for at in range(0, len(digits), 8)]
                address = ipaddress.ip_address(b"".join(words))
                places.append(f"{getattr(address, 'ipv4_mapped', None) or address}:{int(port, 16)}")
    return sorted(places)


def end_process(process: subprocess.Popen[Any], number: signal.Signals) -> int:
    """Asks a process to end; its exit status, once everything below it is gone."""
    everything = {process.pid} | descendants(process.pid)
    process.send_signal(number)
    status = process.wait(END_SECONDS)
    wait_until(lambda: not alive(everything), END_SECONDS)
    return status


def cut_off(process: subprocess.Popen[Any]) -> None:
    """As if its machine lost power: it and everything below it at once, without a word."""
    everything = {process.pid} | descendants(process.pid)
    signal_all(list(everything), signal.SIGKILL)
    process.wait(END_SECONDS)
    wait_until(lambda: not alive(everything), END_SECONDS)


class Hanpan:
    """``hanpan up``, from its start to its end."""

    def __init__(self, data: Path, *options: str, **environment: str) -> None:
        self.data = data
        self._options = options
        self._environment = environment
        self._process: subprocess.Popen[str]
        self.url = ""

    def start(self) -> Hanpan:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ops.cli", "up", "--port", "0", "--data", str(self.data), *self._options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=of_our_own(**self._environment),
        )
        said: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, args=(said,), daemon=True).start()
        try:
            self.url = said.get(timeout=READY_SECONDS)
        except queue.Empty:
            self.url = ""
        if not self.url:
            self.end()
            raise AssertionError(f"hanpan was not ready: {self.log()[-2000:]}")
        return self

    def _listen(self, said: queue.Queue[str]) -> None:
        """Passes on where it is ready, or nothing where it has ended; and reads on, so that it never waits for us."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                if line.startswith("ready "):
                    said.put(line.split()[1])
        said.put("")

    @property
    def pid(self) -> int:
        return self._process.pid

    def processes(self) -> set[int]:
        return {self.pid} | descendants(self.pid)

    def children(self, words: str) -> list[int]:
        """The processes below it whose command lines hold these words; waits for one."""
        return list(wait_until(lambda: called(self.processes() - {self.pid}, words)))

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Asks it to end; its exit status once everything it started is gone."""
        return end_process(self._process, number)

    def kill(self) -> None:
        """As if the machine lost power: everything at once, without a word."""
        cut_off(self._process)

    def end(self) -> None:
        """For the end of a test, whatever happened in it. What does not end when asked to is ended, and told of."""
        if self._process.poll() is None:
            try:
                self.stop()
            except BaseException:
                self.kill()
                raise

    def log(self) -> str:
        path = self.data / "hanpan.log"
        return path.read_text() if path.exists() else ""

    def tool(self, *words: str, seconds: float = 240) -> tuple[int, Any]:
        """Runs a command of hanpan's against this one: its exit status, and what it said as JSON."""
        done = subprocess.run(
            [sys.executable, "-m", "ops.cli", *words, "--url", self.url, "--json"],
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
            env=of_our_own(),
        )
        lines = done.stdout.strip().splitlines()
        return done.returncode, json.loads(lines[-1]) if lines else done.stderr

    def rooms(self) -> dict[str, dict[str, Any]]:
        return {row["id"]: row for row in self.tool("rooms")[1]["rooms"]}

    def admin(self, what: str, **args: str) -> Any:
        token = (self.data / "admin-token").read_text()
        query = "&".join(f"{name}={value}" for name, value in args.items())
        request = urllib.request.Request(
            f"{self.url}/api/admin/{what}?{query}", headers={"authorization": f"Bearer {token}"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)


@contextlib.contextmanager
def hanpan(*options: str, **environment: str) -> Iterator[Hanpan]:
    """A running hanpan that is gone, with its folder, after the block."""
    with tempfile.TemporaryDirectory(prefix="hanpan-test-") as folder:
        running = Hanpan(Path(folder) / "data", *options, **environment)
        try:
            yield running.start()
        finally:
            running.end()


@contextlib.contextmanager
def loaded(hanpan: Hanpan, *plan: str) -> Iterator[None]:
    """`hanpan load` by this plan, for as long as the block goes on."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ops.cli", "load", "--url", hanpan.url, *plan, "--seconds", "3600"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=of_our_own(),
    )
    try:
        yield
        assert process.poll() is None, "the load ended before the test did"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(END_SECONDS)


class Phone:
    """One person with a phone: a WebSocket, and what came over it."""

    def __init__(self, http: aiohttp.ClientSession, url: str, name: str) -> None:
        self._http, self._url, self.name = http, url, name
        self.token = ""
        self.player = ""
        self.messages: list[dict[str, Any]] = []
        self.socket: aiohttp.ClientWebSocketResponse
        self._reader: asyncio.Task[None]
        self._ids = 0

    async def register(self) -> Phone:
        said = await self.post("/api/guest", {"name": self.name})
        self.token, self.player = said["token"], said["player"]
        return self

    async def post(self, path: str, body: Any) -> Any:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        async with self._http.post(self._url + path, json=body, headers=headers) as answer:
            return await answer.json()

    async def get(self, path: str) -> Any:
        async with self._http.get(self._url + path, headers={"authorization": f"Bearer {self.token}"}) as answer:
            return await answer.json()

    async def join(self, room: str, join: str = "seat", **fields: Any) -> dict[str, Any]:
        """Connects; the welcome."""
        self.socket = await self._http.ws_connect(self._url + "/ws")
        mark = len(self.messages)
        self._reader = asyncio.get_running_loop().create_task(self._read())
        await self.say("hello", token=self.token, room=room, join=join, v=1, id=None, **fields)
        return await self.until(
            lambda: next((m for m in self.messages[mark:] if m["type"] in ("welcome", "bye")), None)
        )

    async def _read(self) -> None:
        async for message in self.socket:
            self.messages.append(json.loads(message.data))

    async def say(self, type_: str, id: str | None = "", **fields: Any) -> str:
        self._ids += 1
        if id == "":
            id = f"{self.player}.{self._ids}"
        said = {"type": type_, **fields, **({} if id is None else {"id": id})}
        await self.socket.send_str(json.dumps(said))
        return id or ""

    async def do(self, type_: str, **fields: Any) -> dict[str, Any]:
        """Says it; the answer."""
        id = await self.say(type_, **fields)
        return await self.until(lambda: next((m for m in self.messages if m.get("id") == id), None))

    async def until(self, condition: Any, seconds: float = 30) -> Any:
        async with asyncio.timeout(seconds):
            while not (value := condition()):  # noqa: ASYNC110  # conditions over messages of all kinds
                await asyncio.sleep(0.002)
        return value

    @property
    def situation(self) -> dict[str, Any]:
        return next((m for m in reversed(self.messages) if m["type"] in ("welcome", "update")), {})

    def last(self, field: str) -> Any:
        return next((m[field] for m in reversed(self.messages) if field in m), None)

    async def my_turn(self) -> dict[str, Any]:
        """The situation in which this player is asked, or in which the game is over."""
        return await self.until(
            lambda: (
                self.situation if self.situation.get("decision") or self.last("room")["status"] == "finished" else None
            )
        )

    async def play(self) -> dict[str, Any]:
        """Does the first thing that may be done, and sees it done; the answer."""
        situation = await self.my_turn()
        action = {
            name: value["min"] if isinstance(value, dict) else value for name, value in situation["legal"][0].items()
        }
        answer = await self.do("action", decision=situation["decision"], action=action)
        if answer["type"] == "ack":
            await self.sees(answer["seq"])
        return answer

    async def sees(self, seq: int) -> None:
        """An answer may come before the update it speaks of, and another's update comes when it comes."""
        await self.until(lambda: self.situation.get("seq", -1) >= seq)

    async def hang_up(self) -> None:
        await self.socket.close()
        await asyncio.gather(self._reader, return_exceptions=True)


@contextlib.asynccontextmanager
async def phones(url: str, *names: str) -> Any:
    """People with phones, each with an identity."""
    async with aiohttp.ClientSession() as http:
        people = [await Phone(http, url, name).register() for name in names]
        try:
            yield people
        finally:
            for person in people:
                if hasattr(person, "socket"):
                    await person.hang_up()


async def two_at_a_table(a: Phone, b: Phone, moves: int) -> dict[str, Any]:
    """A room of these two, in whose game so many moves were made, and seen by both."""
    room: dict[str, Any] = await a.post("/api/rooms", {"game": "ninety-nine", "seats": 2, "autoStart": True})
    await a.join(room["id"])
    await b.join(room["id"])
    for _ in range(moves):
        mover = await a.until(lambda: next((p for p in (a, b) if p.situation.get("decision")), None))
        played = await mover.play()
        for phone in (a, b):
            await phone.sees(played["seq"])
    return room
