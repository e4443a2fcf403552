"""JSON that is bearable."""

from __future__ import annotations

import pytest

from gateway.shape import DEPTH, DIGITS, bearable


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[" * DEPTH + "]" * DEPTH,
        '{"a":"' + "[{" * 50 + '"}',  # in a string they are letters
        '{"a":"\\"' + "[" * 50 + '"}',
        "[" + "[]," * 200 + "[]]",  # many, not deep
        "9" * DIGITS,
        '{"id":"' + "1" * 40 + '"}',
        '{"t":1234.5999999999999767}',  # what performance.now() may say
    ],
)
def test_what_can_be_borne(text: str):
    assert bearable(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "[" * (DEPTH + 1),
        '{"a":' * (DEPTH + 1),
        "[" * 16_000,
        "9" * (DIGITS + 1),
        '{"n":-' + "1" * 400 + "}",
        '{"a":"x","n":' + "1" * (DIGITS + 1) + "}",
        '{"a":' + "[" * DEPTH + '"]]]]]]]]]]]]]]]]"',
        "[" * (DEPTH + 1) + '"' + '\\"' * 100_000,  # strings without an end: each quote might begin one
        "[" * (DEPTH + 1) + '"\\' * 100_000,
    ],
)
def test_what_cannot(text: str):
    assert not bearable(text.encode())
