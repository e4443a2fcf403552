"""A software bill of materials: everything that hanpan is made of, as a CycloneDX 1.6 document.

    python -m ops.sbom > sbom.json       of what requirements.txt pins, and is installed here
    python -m ops.sbom --check           is what is installed what is pinned? (exit status 1: no)

Made of the packages' own metadata, so without a network; the same installation gives the same bytes. What a deployment
needs is ``required``; what only tests and benchmarks need is ``excluded``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

ROOT = Path(__file__).parent.parent
REQUIREMENTS = ROOT / "requirements.txt"
PROJECT = ROOT / "pyproject.toml"
NAME = "hanpan"
UNPINNED = {"hanpan", "pip", "wheel"}  # ourselves; and what makes an environment, of which nothing is imported


def normal(name: str) -> str:
    """A package's name as all tools compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text: str) -> dict[str, str]:
    """Versions by normal name; `ValueError` for a line that pins nothing exactly."""
    found = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        match = re.fullmatch(r"([A-Za-z0-9._-]+)==([A-Za-z0-9.!+_-]+)", line.strip())
        if match is None:
            raise ValueError(f"not an exact version: {line!r}")
        found[normal(match[1])] = match[2]
    return found


def needs(package: Distribution) -> set[str]:
    """The normal names of what a package asks for without extras, whatever the platform."""
    return {needs_name(line) for line in package.requires or () if "extra ==" not in line}


def with_extras(line: str) -> set[str]:
    """The normal name of what a requirement is about, and of what its extras ask for: ``PyJWT[crypto]``."""
    name, extras = needs_name(line), re.search(r"\[([^]]*)\]", line)
    found = {name}
    for extra in extras[1].split(",") if extras else ():
        asked = re.compile(rf"extra == ['\"]{re.escape(extra.strip())}['\"]")
        found |= {needs_name(one) for one in distribution(name).requires or () if asked.search(one)}
    return found


def needs_name(line: str) -> str:
    """The normal name of the package that a requirement is about."""
    return normal(re.split(r"[\s\[<>=!~;(]", line, maxsplit=1)[0])


def reached(start: set[str], graph: dict[str, set[str]]) -> set[str]:
    """All that these packages need, themselves included."""
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph.get(name, set())
    return found


def bill(pinned: dict[str, str]) -> dict[str, Any]:
    """The document. Raises `PackageNotFoundError` for what is pinned and not installed."""
    packages = {name: distribution(name) for name in sorted(pinned)}
    graph = {name: needs(package) & packages.keys() for name, package in packages.items()}
    project = tomllib.loads(PROJECT.read_text())["project"]
    direct = {name for line in project["dependencies"] for name in with_extras(line)} & packages.keys()
    required = reached(direct, graph)
    components = [_component(name, package, name in required) for name, package in packages.items()]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": NAME,
                "version": project["version"],
                "bom-ref": NAME,
                "description": project["description"],
            }
        },
        "components": components,
        "dependencies": [
            {"ref": NAME, "dependsOn": [_purl(name, pinned[name]) for name in sorted(direct)]},
            *(
                {
                    "ref": _purl(name, pinned[name]),
                    "dependsOn": [_purl(other, pinned[other]) for other in sorted(below)],
                }
                for name, below in graph.items()
            ),
        ],
    }
    return {"serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, json.dumps(document))}", **document}


def _component(name: str, package: Distribution, required: bool) -> dict[str, Any]:
    about = package.metadata
    row: dict[str, Any] = {
        "type": "library",
        "bom-ref": _purl(name, package.version),
        "name": about["Name"],
        "version": package.version,
        "purl": _purl(name, package.version),
        "scope": "required" if required else "excluded",
    }
    if about["Summary"]:
        row["description"] = about["Summary"]
    if licence := _licence(package):
        row["licenses"] = [licence]
    return row


def _licence(package: Distribution) -> dict[str, Any] | None:
    """An SPDX expression where the package has one, else the name that it gives its licence."""
    about = package.metadata
    if "License-Expression" in about:
        return {"expression": about["License-Expression"]}
    kinds = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or () if line.startswith("License ::")]
    name = ", ".join(kinds) or (about.get_all("License") or [""])[0].strip().partition("\n")[0][:80]
    return {"license": {"name": name}} if name else None


def _purl(name: str, version: str) -> str:
    return f"pkg:pypi/{name}@{version}"


def differences(pinned: dict[str, str], installed: dict[str, str]) -> list[str]:
    """What is installed and not as it is pinned, in words."""
    said = []
    for name in sorted((pinned.keys() | installed.keys()) - UNPINNED):
        is_, shall = installed.get(name), pinned.get(name)
        if is_ != shall:
            said.append(f"{name}: pinned {shall or 'nowhere'}, installed {is_ or 'not'}")
    return said


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m ops.sbom", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare what is installed with what is pinned")
    args = parser.parse_args()
    pinned = pins(REQUIREMENTS.read_text())
    if args.check:
        installed = {normal(one.metadata["Name"]): one.version for one in distributions()}
        wrong = differences(pinned, installed)
        print("\n".join(wrong) or f"{len(pinned)} packages, all as they are pinned")
        return 1 if wrong else 0
    try:
        print(json.dumps(bill(pinned), indent=1, ensure_ascii=False))
    except PackageNotFoundError as missing:
        print(f"{missing} is pinned and not installed: make env", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
