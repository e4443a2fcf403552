"""The lobby's HTTP API as an OpenAPI document, made from the types that it is decoded and encoded with.

It is served at ``/api/openapi.json`` and kept in ``gateway/schemas``. Not in it: what is for operators, and the socket.
"""

from __future__ import annotations

from typing import Any

import msgspec

from cluster.client import RoomSummary
from gateway.auth import Issued
from gateway.lobby import CODE_LONGEST, Entrance, GameInfo, GuestWish, JoinWish, QuickWish, RoomWish
from gateway.refusals import REFUSALS

VERSION = "1"
_REF = "#/components/schemas/{name}"


class No(msgspec.Struct, frozen=True):
    """A refusal: a stable code, and a sentence for people."""

    code: str
    message: str


class Games(msgspec.Struct, frozen=True):
    """The games that can be played here."""

    games: list[GameInfo]


class Rooms(msgspec.Struct, frozen=True):
    """Public rooms."""

    rooms: list[RoomSummary]


class Replay(msgspec.Struct, frozen=True):
    """A finished game, step by step, as its viewer saw it."""

    game: str
    frames: list[dict[str, Any]]


class Evidence(msgspec.Struct, frozen=True):
    """What a viewer may check of a game's deals: ``gateway/FAIRNESS.md``."""

    v: int
    game: str
    number: int
    seal: str
    drawn: list[dict[str, Any]]
    tree: Any


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that can be asked."""

    method: str
    path: str
    about: str
    answer: type
    refusals: str  # the statuses of a no, beside those that any request may get
    body: type | None = None
    bearer: str = ""  # "needed", or "may": then it says who looks
    status: int = 200
    parameters: tuple[dict[str, Any], ...] = ()


def _query(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _header(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": False, "schema": schema}


_ROOM = {"name": "room", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
_NUMBER = {"type": "integer", "minimum": 0, "maximum": 999_999}
_KEY = {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[A-Za-z0-9_.:-]+$"}

OPERATIONS = (
    Operation(method="post", path="/api/guest", about="Come in by a name", body=GuestWish, answer=Issued,
              bearer="may", refusals="403 409"),
    Operation(method="get", path="/api/account", about="How people come in here", answer=Entrance, refusals=""),
    Operation(method="post", path="/api/account", about="Come in by the deployment's account, whose token is shown",
              answer=Issued, bearer="needed", refusals="401 404"),
    Operation(method="get", path="/api/games", about="What can be played", answer=Games, refusals=""),
    Operation(method="get", path="/api/openapi.json", about="This document", answer=dict, refusals=""),
    Operation(method="get", path="/api/rooms", about="Public rooms with somebody in them", answer=Rooms,
              parameters=(_query("game", {"type": "string"}), _query("limit", _NUMBER)), refusals=""),
    Operation(method="post", path="/api/rooms", about="Make a room", body=RoomWish, answer=RoomSummary, status=201,
              bearer="needed", parameters=(_header("Idempotency-Key", _KEY),), refusals="401 409 410"),
    Operation(method="post", path="/api/quick", about="A public room that waits for players, or a new one",
              body=QuickWish, answer=RoomSummary, bearer="needed", refusals="401 409"),
    Operation(method="post", path="/api/join", about=f"The room of a code of up to {CODE_LONGEST} letters",
              body=JoinWish, answer=RoomSummary, refusals="404"),
    Operation(method="get", path="/api/rooms/{room}", about="A room", answer=RoomSummary, parameters=(_ROOM,),
              refusals="404 410"),
    Operation(method="get", path="/api/rooms/{room}/replay", about="A finished game again", answer=Replay,
              bearer="may", parameters=(_ROOM, _query("game", _NUMBER)), refusals="401 403 404 409 410"),
    Operation(method="get", path="/api/rooms/{room}/fairness", about="Evidence of a game's deals", answer=Evidence,
              bearer="may", parameters=(_ROOM, _query("game", _NUMBER)), refusals="401 403 404 409 410"),
)  # fmt: skip


def document() -> dict[str, Any]:
    """The whole document, as JSON values."""
    kinds = [kind for one in OPERATIONS for kind in (one.body, one.answer) if kind not in (None, dict)]
    _, components = msgspec.json.schema_components([*kinds, No], ref_template=_REF)
    paths: dict[str, Any] = {}
    for one in OPERATIONS:
        paths.setdefault(one.path, {})[one.method] = _operation(one)
    return {
        "openapi": "3.1.0",
        "info": {"title": "hanpan", "version": VERSION, "description": "The lobby. Rooms are played over /ws."},
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
    }


def _operation(one: Operation) -> dict[str, Any]:
    statuses = {"400", "408", "413", "429", "500", "503", *one.refusals.split()}
    unknown = statuses - {str(status) for status, _ in REFUSALS.values()}
    assert not unknown, f"no refusal has the status {unknown}"
    answers = {str(one.status): {"description": one.about, "content": _json(one.answer)}}
    answers |= {status: {"description": "No", "content": _json(No)} for status in sorted(statuses)}
    said: dict[str, Any] = {
        "summary": one.about,
        "operationId": one.method + one.path.title().translate(str.maketrans("", "", "/{}.")),
        "parameters": list(one.parameters),
        "responses": answers,
    }
    if one.body is not None:
        said["requestBody"] = {"required": True, "content": _json(one.body)}
    if one.bearer:
        said["security"] = [{"token": []}, *([{}] if one.bearer == "may" else [])]
    return said


def _json(kind: type) -> dict[str, Any]:
    schema = {"type": "object"} if kind is dict else {"$ref": _REF.format(name=kind.__name__)}
    return {"application/json": {"schema": schema}}


def written() -> bytes:
    """The document as JSON text; JSON Schema's patterns end as JavaScript's do."""
    return msgspec.json.format(msgspec.json.encode(document()).replace(rb"\\Z", b"$"), indent=2) + b"\n"


DOCUMENT = written()
