"""The README's table of limits: each number is the one that the code has."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

import ops
from ops.cli import make_parser

ROW = re.compile(r"^\| ([^|]+) \| (\d+) \| [^|]+ \| `([\w.]+) ([\w-]+)` \|$", re.MULTILINE)
LIMITS = ROW.findall(
    Path(ops.__file__).with_name("README.md").read_text().partition("\n## Limits")[2].partition("\n## ")[0]
)


def found(where: str, name: str) -> float:
    """A module's constant, a default of a struct's field, or of a command's option."""
    if name.startswith("--"):
        command = where.rpartition(".")[2]
        return float(make_parser(command).parse_args([command]).__dict__[name[2:]])
    module, _, kind = where.rpartition(".")
    if not kind[0].isupper():
        return float(getattr(import_module(where), name))
    fields = {field.name: field.default for field in msgspec.structs.fields(getattr(import_module(module), kind))}
    return float(fields[name])


@pytest.mark.parametrize(("what", "number", "where", "name"), LIMITS, ids=[row[3] for row in LIMITS])
def test_the_number_is_the_codes(
    what: str, number: str, where: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("HANPAN_LIMIT", "HANPAN_SPARES"):
        monkeypatch.delenv(variable, raising=False)
    assert float(number) == found(where, name), what


def test_every_row_is_read() -> None:
    section = Path(ops.__file__).with_name("README.md").read_text().partition("\n## Limits")[2].partition("\n## ")[0]
    assert len(LIMITS) == sum(line.startswith("| ") for line in section.splitlines()) - 2 > 20
