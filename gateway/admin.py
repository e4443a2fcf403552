"""The operators' desk: who may come to it, and what is said to them, in English.

What they ask is answered by the directory (`cluster.admin` has the list); the gateway only sees to it that they are
operators, that what changes something is a POST, and that the directory hears who gave an order.
"""

from __future__ import annotations

from typing import Any

import msgspec

from cluster import admin
from cluster.client import Cluster, Refused
from gateway.auth import is_same
from gateway.refusals import refusal
from gateway.shape import bearable

OPERATOR_HEADER = "X-Hanpan-Operator"  # whoever asks, as they call themselves; the token alone is proof
NAME_LENGTH = 40

# What the gateway and the directory say to players in Korean, to operators.
SENTENCES = {
    "bad_json": "the body is not JSON",
    "bad_request": "the request does not have the right form",
    "too_deep": "the body is nested too deeply",
    "bad_token": "the admin token is missing, or not the right one",
    "not_found": "there is nothing at this address",
    "room_not_found": "there is no such room",
    "method_not_allowed": "orders are given by POST, questions are asked by GET",
    "too_slow": "the request came too slowly",
    "too_big": "the request is too large",
    "too_large": "the answer is too large to be sent",
    "too_fast": "too many requests; try again in a moment",
    "bad_http": "the request cannot be read",
    "closed": "the room is closed",
    "room_closed": "the room is closed",
    "quarantined": "the room is quarantined",
    "busy": "too much is under way; try again in a moment",
    "internal": "a bug in the gateway; its log says which, and where",
    "unavailable": "the directory, or its store, does not answer just now",
    "overloaded": "too much is under way; try again in a moment",
    "game_unavailable": "no node can play that game just now",
    "unknown_game": "that game is not installed here",
    "not_finished": "that game is not over yet",
    "no_such_game": "the room has had no such game",
    "engine_error": "the game's engine failed; the log says where",
    "storage_down": "the log store does not answer just now",
}


class Desk:
    """What of the gateway is for operators."""

    def __init__(self, cluster: Cluster, token: str) -> None:
        self._cluster, self._token = cluster, token

    @property
    def there(self) -> bool:
        """Without a token set, nobody is an operator here, and nothing looks as if anybody could be."""
        return bool(self._token)

    def admit(self, given: str | None) -> None:
        """Raises `Refused` where this is not the operators' token."""
        if not self.there:
            raise refusal("not_found")
        if given is None or not is_same(given, self._token):
            raise refusal("bad_token")

    async def ask(self, what: str, args: dict[str, Any], *, post: bool, by: str) -> Any:
        """The directory's answer. Raises `Refused`."""
        if post != (what in admin.ORDERS):
            raise refusal("method_not_allowed")
        return await self._replay(args) if what == "replay" else await self._cluster.admin(what, args, by)

    async def _replay(self, args: dict[str, Any]) -> dict[str, Any]:
        """A finished game through a spectator's eyes, the last one where none is named; by the room's own process."""
        row = await self._cluster.admin("room", {"room": str(args.get("room", ""))})
        game = str(args.get("game", max(0, row["games"] - 1)))
        if not (game.isascii() and game.isdigit() and len(game) <= 6):
            raise Refused("bad_request", f"{game} is not the number of a game")
        return await self._cluster.replay(row["id"], int(game), None)


def operator(name: str | None, address: str) -> str:
    """Who gives an order, for the log: ``min@10.0.0.7``. The name is what they say; it proves nothing."""
    said = "".join(char for char in name or "" if char.isprintable() and not char.isspace())[:NAME_LENGTH]
    return f"{said or 'somebody'}@{address}"


def in_english(no: Refused) -> Refused:
    """The same refusal as operators read it. What is said in English already stays as it is."""
    if not any("\uac00" <= letter <= "\ud7a3" for letter in no.message):
        return no
    no.message = SENTENCES.get(no.code, f"refused: {no.code.replace('_', ' ')}")
    return no


def read_args(body: bytes) -> dict[str, Any]:
    """An order's arguments: a JSON object, or nothing."""
    if not body.strip():
        return {}
    if not bearable(body):
        raise refusal("too_deep")
    try:
        return msgspec.json.decode(body, type=dict[str, Any])
    except msgspec.ValidationError as bad:
        raise refusal("bad_request") from bad
    except (msgspec.DecodeError, RecursionError) as bad:
        raise refusal("bad_json") from bad
