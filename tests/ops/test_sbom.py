"""The bill of materials, and what is pinned."""

from __future__ import annotations

import json
import tomllib
from importlib.metadata import distribution

import pytest

from ops import sbom

PINNED = sbom.pins(sbom.REQUIREMENTS.read_text())


def test_everything_is_pinned_to_one_version() -> None:
    """All that the project names, too, with all that those need."""
    project = tomllib.loads((sbom.ROOT / "pyproject.toml").read_text())["project"]
    named = {sbom.needs_name(line) for line in project["dependencies"]}
    named |= {sbom.needs_name(line) for line in project["optional-dependencies"]["test"]}
    assert named <= PINNED.keys()
    assert {"cryptography", "cffi"} <= PINNED.keys()  # of PyJWT[crypto]


@pytest.mark.parametrize("line", ["ray>=2.60", "ray", "ray==2.*", "git+https://example.org/ray", "-r other.txt"])
def test_what_pins_nothing_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="exact"):
        sbom.pins(line)


def test_the_bill_has_every_package_once_and_its_graph_is_whole() -> None:
    bill = sbom.bill(PINNED)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    rows = {row["bom-ref"]: row for row in bill["components"]}
    assert len(rows) == len(bill["components"]) == len(PINNED)
    assert {row["purl"] for row in rows.values()} == {f"pkg:pypi/{name}@{version}" for name, version in PINNED.items()}
    for link in bill["dependencies"]:
        assert {link["ref"], *link["dependsOn"]} <= rows.keys() | {"hanpan"}
    assert sum("licenses" in row for row in rows.values()) > 0.9 * len(rows)
    assert rows[f"pkg:pypi/msgspec@{PINNED['msgspec']}"]["scope"] == "required"
    assert rows[f"pkg:pypi/cryptography@{PINNED['cryptography']}"]["scope"] == "required"
    assert rows[f"pkg:pypi/pytest@{PINNED['pytest']}"]["scope"] == "excluded"


def test_the_same_installation_gives_the_same_bill() -> None:
    assert json.dumps(sbom.bill(PINNED)) == json.dumps(sbom.bill(PINNED))


def test_what_is_not_as_it_is_pinned_is_said() -> None:
    pinned = {"a": "1", "b": "1", "c": "1"}
    installed = {"a": "1", "b": "2", "d": "1", "pip": "26", "hanpan": "0.1"}
    assert sbom.differences(pinned, installed) == [
        "b: pinned 1, installed 2",
        "c: pinned 1, installed not",
        "d: pinned nowhere, installed 1",
    ]


def test_what_is_pinned_is_what_is_tested() -> None:
    """This very environment."""
    for name in ("msgspec", "aiohttp", "pyjwt", "hypothesis"):
        assert distribution(name).version == PINNED[name]
