"""The chart through the real Helm engine, without a cluster; every manifest is held against Kubernetes' schemas."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import helm_python
import kubernetes_validate.utils
import yaml

CHART = Path(__file__).parents[2] / "helm"
TEMPLATES = CHART / "templates"
KUBERNETES = ("1.29", kubernetes_validate.latest_version())  # the oldest that Chart.yaml takes, to the newest known
CUSTOM = ("ray.io/v1", "monitoring.coreos.com/v1", "gateway.networking.k8s.io/v1")

# It reads ten megabytes of schemas again for each manifest.
kubernetes_validate.utils.schema_contents = functools.cache(kubernetes_validate.utils.schema_contents)

Manifest = dict[str, Any]


def merged(values: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """As Helm merges: maps into each other, everything else replaced."""
    result = copy.deepcopy(values)
    for key, value in more.items():
        old = result.get(key)
        result[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return result


def set_(path: str, value: Any) -> dict[str, Any]:
    """``a.b.c`` as values."""
    for key in reversed(path.split(".")):
        value = {key: value}
    return value  # type: ignore[no-any-return]


def example(name: str) -> dict[str, Any]:
    return yaml.safe_load((CHART / "examples" / f"{name}.yaml").read_text())  # type: ignore[no-any-return]


def rendered(
    values: dict[str, Any] | None = None, *, name: str = "play", chart: Path = CHART, upgrade: bool = False
) -> dict[str, str]:
    """Each template's text, by its path below templates/."""
    render = _rendered_once if chart == CHART else _rendered
    return render(json.dumps(values or {}), name, chart, upgrade)


def _rendered(values: str, name: str, chart: Path, upgrade: bool) -> dict[str, str]:
    with helm_python.Chart.load(chart) as loaded:
        how = {"name": name, "namespace": "games", "is_install": not upgrade, "is_upgrade": upgrade}
        files = loaded.render(json.loads(values), **how)
    return {path.partition("/templates/")[2]: text for path, text in files.items()}


_rendered_once = functools.cache(_rendered)


def manifests(template: str, values: dict[str, Any] | None = None, **how: Any) -> list[Manifest]:
    """What one template makes, each manifest checked; none where it makes nothing."""
    found = [document for document in yaml.load_all(rendered(values, **how)[template], _Strict) if document]
    for manifest in found:
        check(manifest)
    return found


def one(template: str, values: dict[str, Any] | None = None, **how: Any) -> Manifest:
    found = manifests(template, values, **how)
    assert len(found) == 1, [manifest["metadata"]["name"] for manifest in found]
    return found[0]


def all_of(values: dict[str, Any] | None = None, **how: Any) -> list[Manifest]:
    return [
        document
        for path, text in rendered(values, **how).items()
        if path.endswith(".yaml")
        for document in yaml.load_all(text, _Strict)
        if document
    ]


class _Strict(yaml.SafeLoader):
    """Refuses a key that comes twice, as Kubernetes does; PyYAML takes the last."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"a key comes twice: {keys}"
        return super().construct_mapping(node, deep)


def check(manifest: Manifest) -> None:
    """Raises where Kubernetes would refuse it; of others' kinds, at anything that is not known to exist."""
    _check_once(json.dumps(manifest, sort_keys=True))


@functools.cache
def _check_once(text: str) -> None:
    from tests.helm.schemas import check_custom

    manifest = json.loads(text)
    if manifest["apiVersion"] in CUSTOM:
        check_custom(manifest)
        return
    for version in KUBERNETES:
        kubernetes_validate.validate(manifest, version, strict=True)


def pods(values: dict[str, Any] | None = None) -> Iterator[tuple[str, Manifest]]:
    """Every pod that the chart makes, under the name of whoever makes it."""
    for manifest in all_of(values):
        name = manifest["metadata"]["name"]
        match manifest["kind"]:
            case "Pod":
                yield name, manifest
            case "Deployment" | "Job":
                yield name, manifest["spec"]["template"]
            case "RayCluster":
                yield f"{name}/head", manifest["spec"]["headGroupSpec"]["template"]
                for group in manifest["spec"]["workerGroupSpecs"]:
                    yield f"{name}/{group['groupName']}", group["template"]


def environment(container: Manifest) -> dict[str, Any]:
    """Its variables; a reference where it is not a value."""
    names = [variable["name"] for variable in container["env"]]
    assert len(names) == len(set(names)), names
    return {variable["name"]: variable.get("value", variable.get("valueFrom")) for variable in container["env"]}
