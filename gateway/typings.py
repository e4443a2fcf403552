"""TypeScript's view of the client protocol, made from its JSON Schemas: ``python -m gateway.typings`` writes it.

``gateway/web`` is plain JavaScript whose types are checked (``make check``). What comes over the wire is typed by this
one file, so no message is written down a second time. A test fails when it is stale.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gateway.schemas import schemas

FILE = Path(__file__).parent / "web" / "types" / "messages.d.ts"

HEAD = """/**
 * The client protocol's messages and the bodies of the lobby's HTTP API. Made from the server's own types by
 * `python -m gateway.typings`; do not edit. A field with `?` has a default and is left out on the wire where it has it.
 */
"""
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
UNIONS = {"client.json": "ClientMessage", "server.json": "ServerMessage"}


def typings() -> str:
    """The whole file. A type that several schemas hold is the same in all of them."""
    types: dict[str, str] = {}
    unions = []
    for name, content in schemas().items():
        schema = json.loads(content)
        types |= {title: _interface(title, one) for title, one in schema["$defs"].items()}
        if name in UNIONS:
            members = " | ".join(_name(one) for one in schema["anyOf"])
            unions.append(f"export type {UNIONS[name]} = {members};\n")
    return "\n".join([HEAD, *[types[title] for title in sorted(types)], *unions])


def _interface(title: str, schema: dict[str, Any]) -> str:
    about = f"/** {schema['description']} */\n" if "description" in schema else ""
    required = set(schema.get("required", ()))
    fields = [
        f"  {field}{'' if field in required else '?'}: {_type(one)};\n" for field, one in schema["properties"].items()
    ]
    return f"{about}export interface {title} {{\n{''.join(fields)}}}\n"


def _type(schema: dict[str, Any]) -> str:
    """The TypeScript type of whatever `msgspec` writes; raises `KeyError` for what it never wrote so far."""
    if "$ref" in schema:
        return _name(schema)
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(json.dumps(one, ensure_ascii=False) for one in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"], ensure_ascii=False)
    match schema["type"]:
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
        case "array":
            item = _type(schema["items"])
            return f"({item})[]" if "|" in item else f"{item}[]"
        case "object":
            return "Record<string, any>"
        case simple:
            return SIMPLE[simple]


def _name(schema: dict[str, Any]) -> str:
    return str(schema["$ref"]).rsplit("/", 1)[-1]


def main() -> None:
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(typings())


if __name__ == "__main__":
    main()
