"""The cluster as a gateway sees it: the directory's answers, and rooms to attach sessions to.

Nothing here knows WebSockets, HTTP or Ray. `cluster.connection` is the real one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol

import msgspec

from cluster.messages import Bye


class CreateRoom(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What it takes to make a room. ``key`` + ``creator`` make a repeated request find the same room."""

    game: str
    creator: str  # player id; becomes the host on arrival
    key: str  # the client's idempotency key
    options: dict[str, Any] = {}
    public: bool = False
    spectators: bool = True
    auto_start: bool = False
    seats: int | None = None  # None: the game's maximum
    bots: int = 0  # seats that bots take at once
    lock: str = ""  # `cluster.room.lock.lock_of` a password: the password itself is kept nowhere


class RoomSummary(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A line of the lobby's list."""

    id: str
    code: str
    game: str
    status: Literal["waiting", "playing", "finished", "closed"]
    public: bool
    spectators: bool
    seats: int
    taken: int  # seats taken, bots included
    online: int  # people connected, spectators included
    host_name: str
    games: int  # games begun
    locked: bool = False  # it takes a password, or an invitation, to come in


class Someone(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A person or bot in a room."""

    player: str
    name: str
    seat: int | None = None  # None: watching
    bot: bool = False
    online: bool = False
    left: bool = False  # for good, in mid-game


class RoomReport(RoomSummary, frozen=True, kw_only=True, rename="camel"):
    """What a room tells the directory: also who is in it, which operators ask and the lobby's list does not show."""

    people: tuple[Someone, ...] = ()
    parked: int = 0  # unix ms: since when, as the directory notes it down. 0: it runs; or one that did not note it

    def brief(self) -> RoomSummary:
        """Without that."""
        return RoomSummary(**{name: getattr(self, name) for name in RoomSummary.__struct_fields__})


class Refused(Exception):
    """The cluster said no: a stable code and a Korean sentence, as in Reject."""

    def __init__(self, code: str, message: str, retry: bool = False) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.retry = code, message, retry


class Sink(Protocol):
    """One session's receiving end, given by the gateway. Called from the event loop; must not block or raise."""

    def deliver(self, frames: Sequence[bytes]) -> None:
        """Whole JSON text messages for this session, in order."""

    def paused(self, reason: Literal["recovering"]) -> None:
        """The room is gone for the moment; the cluster is bringing it back."""

    def resumed(self) -> None:
        """The room answers again; its fresh welcome has just been delivered."""

    def closed(self, bye: Bye) -> None:
        """The room ended this session. Nothing follows."""


class Attachment(Protocol):
    """One session's place in one room."""

    def send(self, message: bytes, id: str) -> bool:
        """Passes one client message (its JSON text, already checked) on to the room.

        It is kept until it is answered, and sent again when the room comes back on another process. False: too many
        unanswered ones; refuse it as ``busy``.
        """
        ...

    def detach(self) -> None:
        """The session is gone. No further call to its sink."""
        ...


class Cluster(Protocol):
    """Everything a gateway asks of the cluster. Waits are bounded; `Refused` says no, ``unavailable`` when late."""

    @property
    def ready(self) -> bool:
        """Is the directory connected, and can rooms be created?"""
        ...

    @property
    def joined(self) -> bool:
        """Has the directory ever been connected? Who comes back to a room may then find it, also while that is away."""
        ...

    async def create(self, wish: CreateRoom) -> RoomSummary: ...
    async def quick(self, game: str, player: str) -> RoomSummary: ...
    async def find(self, code: str) -> RoomSummary: ...
    async def get(self, room: str) -> RoomSummary: ...
    async def list(self, game: str | None, limit: int) -> list[RoomSummary]: ...
    async def replay(self, room: str, game: int, viewer: str | None) -> dict[str, Any]: ...
    async def fairness(self, room: str, game: int, viewer: str | None) -> dict[str, Any]: ...
    async def admin(self, what: str, args: dict[str, Any], by: str = "") -> Any:
        """What operators ask (`cluster.admin`), answered by the directory; ``by`` is kept of orders."""
        ...

    def attach(
        self,
        sink: Sink,
        *,
        room: str,
        player: str,
        name: str,
        join: Literal["seat", "watch"],
        seq: int | None,
        key: str = "",
        pledge: str | None = None,
    ) -> Attachment: ...
