"""States, actions and options as JSON, the same bytes on every machine.

A game's state is a frozen `msgspec.Struct` with camelCase names, so its JSON is decided by its type alone:
``dump`` and ``load`` need no code of the game's own, and `canonical` is what digests are taken of.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from types import UnionType
from typing import Any, TypeVar, overload

import msgspec

from engines.kernel.contract import Json, Rejected

T = TypeVar("T", bound=msgspec.Struct)

BAD_ACTION = Rejected("bad_action", "할 수 없는 행동이에요")
BAD_OPTIONS = "bad_options"

_encode = msgspec.json.Encoder(order="deterministic").encode


# ---------------------------------------------------------------- states


def canonical(state: msgspec.Struct) -> bytes:
    """The state as JSON: fields in the order of the type, the keys of mappings sorted, no spaces, UTF-8."""
    return _encode(state)


def digest(state: msgspec.Struct) -> str:
    """32 hex digits: the first half of the SHA-256 of the canonical bytes. On the path of every action."""
    return sha256(_encode(state)).hexdigest()[:32]


def dump(state: msgspec.Struct) -> Json:
    """The canonical bytes, read back as plain JSON values."""
    data: Json = msgspec.json.decode(_encode(state))
    return data


def load(kind: type[T], data: Json) -> T:
    """The state from plain JSON values; raises ``ValueError`` where they do not fit the type."""
    return msgspec.convert(data, kind)


# ---------------------------------------------------------------- actions


@overload
def decode_action(kind: type[T], data: Mapping[str, Any] | msgspec.Struct) -> T | Rejected: ...
@overload
def decode_action(kind: UnionType, data: Mapping[str, Any] | msgspec.Struct) -> Any: ...
def decode_action(kind: Any, data: Mapping[str, Any] | msgspec.Struct) -> Any:
    """An action from outside: already typed, or JSON values of any shape at all. ``kind`` may be a union of types."""
    if not isinstance(data, dict):  # most are; to ask whether it is one of a union of types takes longer
        if isinstance(data, kind):
            return data
        if not isinstance(data, Mapping):
            return BAD_ACTION
    if "type" not in data:  # msgspec would let the tag be missing where there is only one type
        return BAD_ACTION
    if isinstance(kind, UnionType):  # msgspec would work the union out anew each time
        tag = data["type"]
        kind = _by_tag(kind).get(tag) if isinstance(tag, str) else None
        if kind is None:
            return BAD_ACTION
    try:
        return msgspec.convert(data, kind)
    except (msgspec.ValidationError, RecursionError):
        return BAD_ACTION


@cache
def _by_tag(kinds: UnionType) -> dict[str, Any]:
    return {kind.__struct_config__.tag: kind for kind in kinds.__args__}


# ---------------------------------------------------------------- options


def choice(
    title: str, labels: Mapping[Any, str], *, about: str = "", house: bool = False, **only: str | bool
) -> msgspec.Meta:
    """What `options_schema` says of an option: its Korean label, a label for each choice, whether it is a house rule.

    ``only`` names the other option, and its value, without which this one is ignored: ``mode="classic"``.
    """
    extra: Json = {
        "oneOf": [{"const": value, "title": label} for value, label in labels.items()],
        "x-house": house,
    }
    if only:
        extra["x-only"] = only
    return msgspec.Meta(title=title, description=about or None, extra_json_schema=extra)


def decode_options(kind: type[T], data: Mapping[str, Any] | msgspec.Struct) -> T | Rejected:
    """A game's options from outside; what is absent is at its default, and unknown keys are refused."""
    if isinstance(data, msgspec.Struct):
        return data if isinstance(data, kind) else Rejected(BAD_OPTIONS, "이 게임의 설정이 아니에요")
    try:
        return msgspec.convert(data, kind)
    except (msgspec.ValidationError, RecursionError) as misfit:
        return Rejected(BAD_OPTIONS, _misfit(kind, data, str(misfit)))


def _misfit(kind: type[msgspec.Struct], data: Any, detail: str) -> str:
    """The sentence for options that do not fit: it names the option where there is one to name."""
    if not isinstance(data, Mapping):
        return "설정을 읽을 수 없어요"
    known = dict(zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True))
    unknown = [str(key) for key in data if key not in known]
    if unknown:
        return f"모르는 설정이에요: {unknown[0][:40]}"
    # msgspec ends its sentence with the path of what it stumbled over: "… - at `$.handSize`"
    name = detail.rpartition("`$.")[2].rstrip("`")
    return f"고를 수 없는 값이에요: {options_schema(kind)['properties'].get(name, {}).get('title', name)}"


def options_schema(kind: type[msgspec.Struct]) -> Json:
    """The options as JSON Schema: enough for a form to be made from it.

    Each property has its Korean ``title``, ``oneOf`` with a ``title`` for each choice, ``enum``, ``default``,
    ``x-house`` (a house rule) and perhaps ``x-only`` (ignored unless that other option has that value).
    """
    (schema,), components = msgspec.json.schema_components([kind], ref_template="{name}")
    found: Json = dict(components[schema["$ref"]])
    found["additionalProperties"] = False
    for option in found["properties"].values():
        if "oneOf" in option:  # msgspec sorts the values; a form shows them as the document does
            option["enum"] = [one["const"] for one in option["oneOf"]]
    return found
