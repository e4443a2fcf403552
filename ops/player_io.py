"""Players on real sockets: the lobby's HTTP API and the WebSocket, around `ops.player`, with aiohttp."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import secrets
import socket
import time
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp

from cluster.messages import Reject, ServerMessage, Welcome
from ops.player import Player
from ops.problem import Problem

JOIN_SECONDS = 60.0  # a room may have to wait for its process to start
RETRY_SECONDS = 0.1  # before a message that was refused for the moment is sent again
PATIENCE_SECONDS = 120.0  # how long a lobby that says "later" is asked again

Heard = Callable[["Connection", ServerMessage, float], Awaitable[None]]


class Lobby:
    """hanpan's HTTP API, as a client uses it."""

    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        self.http = http
        self.url = url.rstrip("/")
        self.waited = 0  # times that we were told to come later

    async def guest(self, name: str) -> str:
        """A new identity's token."""
        answer = await self._post("/api/guest", {"name": name})
        return str(answer["token"])

    async def create(self, token: str, **wish: Any) -> dict[str, Any]:
        """A new room; the lobby's line about it."""
        return await self._post("/api/rooms", wish, token, secrets.token_hex(12))

    async def _post(self, path: str, body: Any, token: str = "", key: str = "") -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if key:
            headers["Idempotency-Key"] = key
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                async with self.http.post(self.url + path, json=body, headers=headers) as answer:
                    said = await answer.read()
                    status, after = answer.status, answer.headers.get("Retry-After", "1")
            except aiohttp.ClientError as away:
                raise Problem("unreachable", f"{self.url} does not answer: {away}") from away
            try:
                content: dict[str, Any] = json.loads(said)
            except ValueError:
                content = {}
            if status < 300:
                return content
            if status not in (429, 503) or time.monotonic() > deadline:
                code = content.get("code", "refused")
                raise Problem(code, f"{path}: {content.get('message', '')} ({code}, status {status})")
            self.waited += 1
            await asyncio.sleep(float(after) if after.isdigit() else 1.0)


class Connection:
    """One player and their socket, which is opened again whenever it is lost."""

    def __init__(self, lobby: Lobby, player: Player, heard: Heard) -> None:
        self.player = player
        self.sockets = 0  # opened so far
        self.failures = 0  # tries that came to nothing
        self._lobby = lobby
        self._heard = heard
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._url = lobby.url  # a gateway that ends may name another
        self._welcome = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._retrying: asyncio.Task[None] | None = None

    @property
    def reconnects(self) -> int:
        return max(0, self.sockets - 1)

    async def join(self) -> None:
        """Comes in; returns after the first welcome. Raises `Problem` where there is none."""
        self._task = asyncio.create_task(self._run())
        welcome = asyncio.create_task(self._welcome.wait())
        await asyncio.wait({self._task, welcome}, timeout=JOIN_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if self._welcome.is_set():
            return
        welcome.cancel()
        await self.close()
        bye = self.player.bye
        raise Problem(bye.code if bye else "no_welcome", bye.message if bye else "the room did not let us in")

    async def send(self, text: bytes) -> None:
        """Sends, if the socket is open. If it is not: what is unanswered is sent when it is open again."""
        opened = self._socket
        if opened is not None and not opened.closed:
            try:
                await opened.send_frame(text, aiohttp.WSMsgType.TEXT)
            except (ConnectionError, aiohttp.ClientError):
                return  # the reader sees the same, and opens another

    def cut(self) -> None:
        """The socket breaks, as where a network goes; another is opened."""
        if self._socket is not None and (own := self._socket.get_extra_info("socket")) is not None:
            with (
                contextlib.suppress(OSError),
                socket.socket(fileno=os.dup(own.fileno())) as raw,
            ):  # uvloop's only looks it
                raw.shutdown(socket.SHUT_RDWR)

    async def join_again(self) -> None:
        """Comes back after a good-bye that was for good."""
        await self.close()
        self.player.lost()
        self._welcome.clear()
        await self.join()

    async def close(self) -> None:
        for task in (self._task, self._retrying):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def ended(self, seconds: float) -> None:
        """Waits until the server has said good-bye for good, or so long."""
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=seconds)

    async def until(self, answer: asyncio.Future[Any], seconds: float) -> None:
        """Waits for it, for so long, or until no answer can come any more."""
        waits: set[asyncio.Future[Any]] = {answer} if self._task is None else {answer, self._task}
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)

    def crashed(self) -> BaseException | None:
        """The bug that ended this connection, if one did."""
        task = self._task
        return task.exception() if task is not None and task.done() and not task.cancelled() else None

    async def _run(self) -> None:
        pause = 0.05
        while True:
            try:
                url = self._url.replace("http", "ws", 1) + "/ws"
                async with self._lobby.http.ws_connect(url, compress=0, max_msg_size=1 << 20) as opened:
                    self._socket = opened
                    await self._converse(opened)
                pause = 0.05
            except (aiohttp.ClientError, ConnectionError, TimeoutError):
                self.failures += 1
                self._url = self._lobby.url
            self._socket = None
            bye = self.player.bye
            if bye is not None and not bye.again:
                return
            if bye is not None and bye.at:
                self._url = bye.at
            await asyncio.sleep(max(pause, (bye.after if bye else 0) / 1000) * random.uniform(0.5, 1.5))
            pause = min(2 * pause, 2.0)
            self.player.lost()

    async def _converse(self, opened: aiohttp.ClientWebSocketResponse) -> None:
        player = self.player
        self.sockets += 1
        welcomed = False
        await opened.send_frame(player.hello(), aiohttp.WSMsgType.TEXT)
        async for frame in opened:
            at = time.perf_counter()
            if frame.type not in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
                continue
            message = player.received(frame.data)
            if message is None:
                continue
            if isinstance(message, Welcome) and not welcomed:
                welcomed = True
                for text in player.again():
                    await self.send(text)
                self._welcome.set()
            elif isinstance(message, Reject) and message.retry:
                self._retry_soon()
            await self._heard(self, message, at)

    def _retry_soon(self) -> None:
        if self._retrying is None or self._retrying.done():
            self._retrying = asyncio.create_task(self._retry())

    async def _retry(self) -> None:
        await asyncio.sleep(RETRY_SECONDS)
        for text in self.player.again():
            await self.send(text)
