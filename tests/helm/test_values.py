"""values.schema.json: it knows every value that there is, and refuses every other, wherever it stands."""

from __future__ import annotations

import json
from typing import Any

import helm_python
import jsonschema
import pytest
import yaml

from tests.helm.chart import CHART, example, merged, rendered, set_

SETTINGS = {".gateway.settings", ".rooms.settings"}  # whose defaults are the code's

SCHEMA: Any = json.loads((CHART / "values.schema.json").read_text())
DEFAULTS: Any = yaml.safe_load((CHART / "values.yaml").read_text())


def test_the_schema_is_one_and_the_defaults_and_examples_fit_it() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    for values in ({}, *map(example, ("small", "large", "no-prometheus"))):
        jsonschema.validate(merged(DEFAULTS, values), SCHEMA)


def test_every_value_with_a_default_is_in_the_schema_and_every_one_of_the_schema_has_a_default() -> None:
    """Except what Helm itself brings, and maps in which the keys are the user's."""

    def compare(schema: Any, values: Any, path: str) -> None:
        assert set(schema["properties"]) - {"global"} == set(values), path
        for name, value in values.items():
            below = schema["properties"][name]
            if below.get("additionalProperties") is False and path + name not in SETTINGS:
                compare(below, value, f"{path}{name}.")

    for name, value in DEFAULTS.items():
        if SCHEMA["properties"][name].get("additionalProperties") is False:
            compare(SCHEMA["properties"][name], value, f".{name}.")
    assert set(SCHEMA["properties"]) - {"global"} == set(DEFAULTS)
    group = SCHEMA["properties"]["rooms"]["properties"]["groups"]["items"]
    compare(group, DEFAULTS["rooms"]["groups"][0], ".rooms.groups[0].")


def every_map(schema: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found = [path] if schema.get("additionalProperties") is False else []
    for name, below in schema.get("properties", {}).items():
        found += every_map(below, (*path, name))
    return found


@pytest.mark.parametrize("path", every_map(SCHEMA), ids=".".join)
def test_an_unknown_key_is_refused_wherever_it_stands(path: tuple[str, ...]) -> None:
    values = set_(".".join((*path, "replcas")), 1)
    with pytest.raises(helm_python.HelmValuesError, match="replcas"):
        rendered(values)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("rooms.groups", []),
        ("rooms.groups", [{**DEFAULTS["rooms"]["groups"][0], "extra": 1}]),
        ("rooms.groups", [{"name": "rooms"}]),
        ("rooms.groups", [{**DEFAULTS["rooms"]["groups"][0], "name": "Rooms_1"}]),
        ("rooms.ports", {"from": 10_002}),  # Ray's workers listen there
        ("directory.port", 6379),
        ("ray.version", "2.60"),
        ("ray.generation", "too-long-a-name"),
        ("ray.faultTolerance.backend", "etcd"),
        ("ray.environment", {"HANPAN_SECRET": "x"}),
        ("gateway.settings", {"secret": "x"}),
        ("gateway.settings", {"sessions": "many"}),
        ("gateway.replicas", 0),
        ("logLevel", "loud"),
        ("rooms.each", 0),
        ("ingress.parents", [{"namespace": "infra"}]),
        ("image.digest", "sha256:abc"),
        ("store.existingSecret", ""),
        ("monitoring.interval", "15"),
        ("gateway.resources.limits.memory", "lots"),
        ("networkPolicy.gatewayFrom", [{"pods": {}}]),
    ],
)
def test_what_cannot_work_is_refused(path: str, value: Any) -> None:
    with pytest.raises(helm_python.HelmValuesError):
        rendered(set_(path, value))
