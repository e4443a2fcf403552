"""JSON Schemas of the client protocol, made from its types: ``python -m gateway.schemas`` writes them.

They are kept in ``gateway/schemas`` for those who write clients in other languages. A test fails when they are stale.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from cluster.client import RoomSummary
from cluster.messages import ClientMessage, ServerMessage
from gateway.auth import Issued
from gateway.lobby import Entrance, GameInfo, GuestWish, JoinWish, QuickWish, RoomWish
from gateway.openapi import DOCUMENT

FOLDER = Path(__file__).parent / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

# file: (what it describes, the types)
FILES: dict[str, tuple[str, Any]] = {
    "client.json": ("What a client may send on the WebSocket", ClientMessage),
    "server.json": ("What a client is sent on the WebSocket", ServerMessage),
    "http.json": (
        "Bodies of the lobby's HTTP API",
        GuestWish | Issued | Entrance | GameInfo | RoomWish | JoinWish | QuickWish | RoomSummary,
    ),
}


def schemas() -> dict[str, bytes]:
    """Each file's name and content."""
    return {name: _written(title, kind) for name, (title, kind) in FILES.items()}


def files() -> dict[str, bytes]:
    """All that is written: the schemas, and the description of the HTTP API."""
    return {**schemas(), "openapi.json": DOCUMENT}


def _written(title: str, kind: Any) -> bytes:
    kinds = list(kind.__args__)
    _, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    schema = {
        "$schema": DIALECT,
        "title": title,
        "anyOf": [{"$ref": f"#/$defs/{one.__name__}"} for one in kinds],
        "$defs": dict(sorted(definitions.items())),
    }
    text = msgspec.json.encode(schema).replace(rb"\\Z", b"$")  # JSON Schema's patterns end as JavaScript's do
    return msgspec.json.format(text, indent=2) + b"\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, content in files().items():
        (FOLDER / name).write_bytes(content)


if __name__ == "__main__":
    main()
