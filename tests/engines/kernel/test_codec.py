"""States, actions and options as JSON."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec
import pytest

from engines.kernel import codec
from engines.kernel.contract import Rejected


class Lamp(msgspec.Struct, frozen=True, rename="camel"):
    """A state of a game nobody plays."""

    is_on: bool
    by_player: dict[str, int]
    wishes: tuple[str, ...] = ()


class Switch(msgspec.Struct, frozen=True, rename="camel", tag_field="type", tag="switch", forbid_unknown_fields=True):
    lamp_no: int
    dim: bool | None = None


class Wait(msgspec.Struct, frozen=True, tag_field="type", tag="wait", forbid_unknown_fields=True):
    pass


class Options(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    how_many: Annotated[Literal["auto", 3, 10], codec.choice("개수", {"auto": "자동", 3: "셋", 10: "열"})] = "auto"
    colour: Annotated[
        Literal["red", "blue"],
        codec.choice("색", {"red": "빨강", "blue": "파랑"}, about="등의 색", house=True, howMany="auto"),
    ] = "red"


def test_canonical_bytes_do_not_depend_on_the_order_of_a_mapping() -> None:
    """Fields in the order of the type, keys sorted, no spaces, UTF-8 as it is."""
    one = Lamp(True, {"나": 1, "가": 2}, ("켜요",))
    two = Lamp(True, {"가": 2, "나": 1}, ("켜요",))
    assert codec.canonical(one) == '{"isOn":true,"byPlayer":{"가":2,"나":1},"wishes":["켜요"]}'.encode()
    assert codec.canonical(two) == codec.canonical(one)


def test_digest_is_half_a_sha_256_of_them() -> None:
    """As another language would compute it."""
    lamp = Lamp(True, {"A": 1})
    assert codec.canonical(lamp) == b'{"isOn":true,"byPlayer":{"A":1},"wishes":[]}'
    assert codec.digest(lamp) == "7dc4dce1cefdaaa7d877bda6e12e1324"
    assert codec.digest(Lamp(False, {"A": 1})) != codec.digest(lamp)


def test_dump_and_load() -> None:
    """Plain JSON values, there and back."""
    lamp = Lamp(True, {"A": 1}, ("a", "b"))
    assert codec.dump(lamp) == {"isOn": True, "byPlayer": {"A": 1}, "wishes": ["a", "b"]}
    assert codec.load(Lamp, json.loads(json.dumps(codec.dump(lamp)))) == lamp
    misfits: tuple[Any, ...] = ({}, {"isOn": 1, "byPlayer": {}}, [], None)
    for data in misfits:
        with pytest.raises(ValueError, match=r".+"):
            codec.load(Lamp, data)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"type": "switch", "lampNo": 3}, Switch(3)),
        ({"type": "switch", "lampNo": 3, "dim": None}, Switch(3)),
        (MappingProxyType({"type": "switch", "lampNo": 3}), Switch(3)),
        (Switch(3), Switch(3)),
        ({"type": "wait"}, Wait()),
    ],
)
def test_actions_that_fit(data: Any, expected: object) -> None:
    """JSON of any mapping, or typed; null is absent."""
    assert codec.decode_action(Switch | Wait, data) == expected


NOT_ACTIONS = [
    {},
    {"lampNo": 3},
    {"type": "Switch", "lampNo": 3},
    {"type": "switch"},
    {"type": "switch", "lampNo": "3"},
    {"type": "switch", "lampNo": 3.5},
    {"type": "switch", "lampNo": True},
    {"type": "switch", "lampNo": 3, "lamp_no": 3},
    {"type": ["switch"]},
    {"type": "switch", "lampNo": {"a": [{}] * 9}},
    [],
    "switch",
    None,
    Lamp(True, {}),
    Options(),
]


@pytest.mark.parametrize("data", NOT_ACTIONS, ids=str)
def test_actions_that_do_not(data: Any) -> None:
    """Of a wrong type, with fields missing, misspelt, too many: never an exception."""
    assert codec.decode_action(Switch | Wait, data) == Rejected("bad_action", "할 수 없는 행동이에요")
    assert codec.decode_action(Switch, data) == codec.BAD_ACTION


def test_options() -> None:
    """Absent ones are at their defaults; a refusal names the option by its label."""
    assert codec.decode_options(Options, {"howMany": 10}) == Options(10)
    assert codec.decode_options(Options, Options(3)) == Options(3)
    expected = {
        "고를 수 없는 값이에요: 개수": {"howMany": 4},
        "고를 수 없는 값이에요: 색": {"colour": ["red"]},
        "모르는 설정이에요: how_many": {"how_many": 3},
        "설정을 읽을 수 없어요": [],
        "이 게임의 설정이 아니에요": Lamp(True, {}),
    }
    for sentence, data in expected.items():
        assert codec.decode_options(Options, data) == Rejected("bad_options", sentence)  # type: ignore[arg-type]


def test_options_schema() -> None:
    """Choices in the order they were written, each with its label; default, house rule and condition."""
    assert codec.options_schema(Options) == {
        "title": "Options",
        "type": "object",
        "properties": {
            "howMany": {
                "title": "개수",
                "enum": ["auto", 3, 10],
                "oneOf": [
                    {"const": "auto", "title": "자동"},
                    {"const": 3, "title": "셋"},
                    {"const": 10, "title": "열"},
                ],
                "x-house": False,
                "default": "auto",
            },
            "colour": {
                "title": "색",
                "description": "등의 색",
                "enum": ["red", "blue"],
                "oneOf": [{"const": "red", "title": "빨강"}, {"const": "blue", "title": "파랑"}],
                "x-house": True,
                "x-only": {"howMany": "auto"},
                "default": "red",
            },
        },
        "required": [],
        "additionalProperties": False,
    }
