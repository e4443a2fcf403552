"""What the lobby's HTTP API does, without HTTP: bodies in, answers out, `Refused` where the answer is no."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec

from cluster.client import Cluster, CreateRoom, Refused, RoomSummary
from cluster.messages import Id, Password, RoomIdText
from cluster.room.lock import lock_of
from engines.kernel.codec import decode_options, options_schema
from engines.kernel.contract import Game, Rejected
from gateway.accounts import Accounts, is_account
from gateway.auth import Guests, Identity, Issued, clean_name
from gateway.refusals import misfit, refusal
from gateway.shape import bearable

LIST_DEFAULT, LIST_MOST = 50, 200
CODE_LONGEST = 32

_Body = TypeVar("_Body", bound=msgspec.Struct)
_SeatCount = Annotated[int, msgspec.Meta(ge=2, le=32)]
_BotCount = Annotated[int, msgspec.Meta(ge=0, le=31)]
_GameId = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class GuestWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/guest"""

    name: str


class RoomWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """POST /api/rooms"""

    game: _GameId
    options: dict[str, Any] = {}
    public: bool = False
    spectators: bool = True
    auto_start: bool = False
    password: Password = ""  # to come in by; none: whoever knows the room may
    seats: _SeatCount | None = None
    bots: _BotCount = 0


class JoinWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/join"""

    code: Annotated[str, msgspec.Meta(max_length=CODE_LONGEST)]


class QuickWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/quick"""

    game: _GameId


class Entrance(msgspec.Struct, frozen=True, rename="camel"):
    """How people come in here; the answer of GET /api/account."""

    guests: bool  # by a name alone?
    sign_in: str  # where accounts sign in, for the page to go on to; empty: nowhere that it knows of


class GameInfo(msgspec.Struct, frozen=True, rename="camel"):
    """A game that can be played here."""

    id: str
    title: str
    min_players: int
    max_players: int
    minutes: tuple[int, int]
    options: dict[str, Any]  # JSON Schema


class Lobby:
    """The lobby of one gateway."""

    def __init__(
        self,
        cluster: Cluster,
        guests: Guests,
        games: Mapping[str, Game[Any]],
        accounts: Accounts | None = None,
        *,
        open_to_guests: bool = True,
        sign_in: str = "",
    ) -> None:
        self._cluster, self._guests, self._games = cluster, guests, games
        self._accounts = accounts
        self.entrance = Entrance(guests=open_to_guests, sign_in=sign_in)
        self.games = [
            GameInfo(
                game.id,
                game.title,
                game.min_players,
                game.max_players,
                game.minutes,
                options_schema(game.Options),
            )
            for game in games.values()
        ]

    # ------------------------------------------------------------ people

    def guest(self, body: bytes, token: str | None) -> Issued:
        """A new identity, or with a token that is good: the same one, renewed, perhaps under another name."""
        name = clean_name(_read(body, GuestWish).name)
        known = self._guests.known(token) if token is not None else None
        if known is not None and is_account(known.player):
            raise refusal("account_name")
        if not self.entrance.guests:
            raise refusal("accounts_only")
        if name is None:
            raise refusal("bad_name")
        return self._guests.issue(name, known.player if known is not None else None)

    async def account(self, token: str | None) -> Issued:
        """A token of ours for the account whose token this is, good for as long as that."""
        if self._accounts is None:
            raise refusal("not_found")
        account = await self._accounts.known(token) if token is not None else None
        if account is None:
            raise refusal("bad_token")
        return self._guests.issue(account.name, account.player, account.seconds)

    def known(self, token: str | None) -> str | None:
        """The player id of whose token it is; None: nobody's."""
        known = self._guests.known(token) if token is not None else None
        return None if known is None else known.player

    def person(self, token: str | None) -> Identity:
        """Whose token this is."""
        known = self._guests.known(token) if token is not None else None
        if known is None:
            raise refusal("bad_token")
        return known

    # ------------------------------------------------------------ rooms

    async def create(self, body: bytes, person: Identity, key: str | None) -> RoomSummary:
        wish = _read(body, RoomWish)
        game = self._game(wish.game)
        options = decode_options(game.Options, wish.options)
        if isinstance(options, Rejected):
            raise Refused(options.code, options.message)
        seats = game.max_players if wish.seats is None else wish.seats
        if not game.min_players <= seats <= game.max_players:
            raise refusal("too_many_seats")
        if wish.bots >= seats:
            raise refusal("room_full")
        password = wish.password.strip()  # hashed elsewhere: it takes 3 ms on purpose
        lock = await asyncio.to_thread(lock_of, password, secrets.token_bytes(32)) if password else ""
        return await self._cluster.create(
            CreateRoom(
                game=wish.game,
                creator=person.player,
                key=_key(key),
                options=wish.options,
                public=wish.public,
                spectators=wish.spectators,
                auto_start=wish.auto_start,
                seats=wish.seats,
                bots=wish.bots,
                lock=lock,
            )
        )

    async def quick(self, body: bytes, person: Identity) -> RoomSummary:
        return await self._cluster.quick(self._game(_read(body, QuickWish).game).id, person.player)

    async def join(self, body: bytes) -> RoomSummary:
        """The room of a code, as people type codes: in any case, with spaces and hyphens."""
        code = "".join(_read(body, JoinWish).code.split()).replace("-", "").upper()
        if not code:
            raise refusal("room_not_found")
        return await self._cluster.find(code)

    async def rooms(self, game: str | None, limit: str | None) -> list[RoomSummary]:
        if game is not None:
            self._game(game)
        return await self._cluster.list(game, min(_natural(limit, LIST_DEFAULT), LIST_MOST))

    async def room(self, room: str) -> RoomSummary:
        return await self._cluster.get(_room(room))

    async def replay(self, room: str, game: str | None, viewer: Identity | None) -> dict[str, Any]:
        """A finished game; the last one that began where none is named."""
        room = _room(room)
        number = await self._number(room, game)
        return await self._cluster.replay(room, number, viewer.player if viewer is not None else None)

    async def fairness(self, room: str, game: str | None, viewer: Identity | None) -> dict[str, Any]:
        """What this viewer may check of a game's deals, likewise, and also while it is played."""
        room = _room(room)
        number = await self._number(room, game)
        return await self._cluster.fairness(room, number, viewer.player if viewer is not None else None)

    async def _number(self, room: str, game: str | None) -> int:
        number = _natural(game, -1)
        return number if number >= 0 else max(0, (await self._cluster.get(room)).games - 1)

    def _game(self, game: str) -> Game[Any]:
        if game not in self._games:
            raise refusal("unknown_game")
        return self._games[game]


def _read(body: bytes, kind: type[_Body]) -> _Body:
    if not bearable(body):
        raise refusal("too_deep")
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as bad:
        raise refusal(*misfit("bad_request", bad)) from bad
    except (msgspec.DecodeError, RecursionError) as bad:
        raise refusal("bad_json") from bad


def _key(given: str | None) -> str:
    if given is None:
        return secrets.token_hex(12)
    try:
        return msgspec.convert(given, Id)
    except msgspec.ValidationError as bad:
        raise refusal("bad_key") from bad


def _room(given: str) -> str:
    """A room's id as it stands in an address; what cannot be one is not asked for."""
    try:
        return msgspec.convert(given, RoomIdText)
    except msgspec.ValidationError as bad:
        raise refusal("room_not_found") from bad


def _natural(text: str | None, default: int) -> int:
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise refusal("bad_request")
    return int(text)
