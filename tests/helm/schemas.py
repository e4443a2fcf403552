"""What the chart may say in resources that Kubernetes itself does not know.

KubeRay's, the Prometheus operator's and the Gateway API's published schemas (a megabyte) are not in this repository:
the chart uses few of their fields, and those stand here, closed, as read from KubeRay 1.7.0 (`raycluster_types.go` in
`apis/ray/v1`, and what its operator refuses beyond the schema: `controllers/ray/utils/validation.go`), from the
Prometheus operator 0.93 (`pkg/apis/monitoring/v1`) and from the Gateway API 1.6 (`apis/v1/httproute_types.go`). Pods
within a RayCluster are checked by Kubernetes' own schema of a pod.

With `HANPAN_CRDS` naming a folder of the published CustomResourceDefinitions, every manifest is held against those too:
the operator's `ray.io_rayclusters.yaml`, `monitoring.coreos.com_*.yaml`, `gateway.networking.k8s.io_httproutes.yaml`.
"""

from __future__ import annotations

import functools
import os
import re
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import yaml

_TEXT: dict[str, Any] = {"type": "string"}
_BOOL: dict[str, Any] = {"type": "boolean"}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_TEXTS: dict[str, Any] = {"type": "object", "additionalProperties": _TEXT}
_ANY: dict[str, Any] = {"type": "object"}


def _closed(required: str = "", /, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item, "minItems": 1}


def _resource(version: str, kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    metadata = _closed("name labels", name=_TEXT, labels=_TEXTS, annotations=_TEXTS)
    fixed = {"apiVersion": {"const": version}, "kind": {"const": kind}}
    return _closed("apiVersion kind metadata spec", **fixed, metadata=metadata, spec=spec)


_GROUP = {"rayStartParams": _TEXTS, "template": _ANY}
_RELABELINGS = _list(_closed("targetLabel replacement", targetLabel=_TEXT, replacement=_TEXT))
_BACKEND = _closed("name port", name=_TEXT, port=_COUNT)
_PATH = _closed("type value", type={"const": "PathPrefix"}, value=_TEXT)
_SCRAPE = {"port": _TEXT, "path": _TEXT, "interval": _TEXT, "honorLabels": _BOOL, "relabelings": _RELABELINGS}
_SELECTOR = _closed("matchLabels", matchLabels=_TEXTS)

SCHEMAS = {
    "RayCluster": _resource(
        "ray.io/v1",
        "RayCluster",
        _closed(
            "rayVersion headGroupSpec workerGroupSpecs authOptions upgradeStrategy",
            rayVersion=_TEXT,
            upgradeStrategy=_closed("type", type={"enum": ["Recreate", "None"]}),
            authOptions=_closed("mode", mode={"enum": ["disabled", "token"]}, secretName=_TEXT),
            gcsFaultToleranceOptions=_closed(
                backend={"enum": ["redis", "rocksdb"]},
                redisAddress=_TEXT,
                redisPassword=_closed(valueFrom=_closed(secretKeyRef=_closed("name key", name=_TEXT, key=_TEXT))),
                storage=_closed(size=_TEXT, storageClassName=_TEXT),
            ),
            enableInTreeAutoscaling=_BOOL,
            autoscalerOptions=_closed(
                version={"enum": ["v1", "v2"]},
                idleTimeoutSeconds=_COUNT,
                resources=_ANY,
                securityContext=_ANY,
                env=_list(_ANY),
                volumeMounts=_list(_ANY),
            ),
            headGroupSpec=_closed("rayStartParams template", **_GROUP),
            workerGroupSpecs=_list(
                _closed(
                    "groupName replicas minReplicas maxReplicas rayStartParams template",
                    groupName=_TEXT,
                    replicas=_COUNT,
                    minReplicas=_COUNT,
                    maxReplicas=_COUNT,
                    **_GROUP,
                )
            ),
        ),
    ),
    "HTTPRoute": _resource(
        "gateway.networking.k8s.io/v1",
        "HTTPRoute",
        _closed(
            "parentRefs hostnames rules",
            parentRefs=_list(_closed("name", name=_TEXT, namespace=_TEXT, sectionName=_TEXT, port=_COUNT)),
            hostnames=_list(_TEXT),
            rules=_list(
                _closed(
                    "matches backendRefs",
                    matches=_list(_closed("path", path=_PATH)),
                    backendRefs=_list(_BACKEND),
                    timeouts=_closed("request", request=_TEXT),
                )
            ),
        ),
    ),
    "ServiceMonitor": _resource(
        "monitoring.coreos.com/v1",
        "ServiceMonitor",
        _closed("selector endpoints", jobLabel=_TEXT, selector=_SELECTOR, endpoints=_list(_closed("port", **_SCRAPE))),
    ),
    "PodMonitor": _resource(
        "monitoring.coreos.com/v1",
        "PodMonitor",
        _closed(
            "selector podMetricsEndpoints",
            jobLabel=_TEXT,
            selector=_SELECTOR,
            podMetricsEndpoints=_list(_closed("port", **_SCRAPE)),
        ),
    ),
    "PrometheusRule": _resource(
        "monitoring.coreos.com/v1",
        "PrometheusRule",
        _closed(
            "groups",
            groups=_list(
                _closed(
                    "name rules",
                    name=_TEXT,
                    interval=_TEXT,
                    limit=_COUNT,
                    labels=_TEXTS,
                    rules=_list(
                        _closed(
                            "expr",
                            expr=_TEXT,
                            record=_TEXT,
                            alert=_TEXT,
                            labels=_TEXTS,
                            annotations=_TEXTS,
                            keep_firing_for=_TEXT,
                            **{"for": _TEXT},
                        )
                    ),
                )
            ),
        ),
    ),
}


def check_custom(manifest: dict[str, Any]) -> None:
    jsonschema.validate(manifest, SCHEMAS[manifest["kind"]])
    if published := _published().get(manifest["kind"]):
        published.validate(manifest)
    if manifest["kind"] == "RayCluster":
        _check_raycluster(manifest)


def _check_raycluster(manifest: dict[str, Any]) -> None:
    """What KubeRay's operator refuses although its schema allows it."""
    spec, name = manifest["spec"], manifest["metadata"]["name"]
    assert len(name) <= 53, name
    assert re.fullmatch("[a-z]([-a-z0-9]*[a-z0-9])?", name), name
    assert tuple(map(int, spec["rayVersion"].split("."))) >= (2, 52, 0)  # token authentication
    groups = [spec["headGroupSpec"], *spec["workerGroupSpecs"]]
    for group in groups:
        template = group["template"]
        pod = {"apiVersion": "v1", "kind": "Pod", **template}
        for version in ("1.29", kubernetes_validate.latest_version()):
            kubernetes_validate.validate(pod, version, strict=True)
        assert "labels" not in group["rayStartParams"]
        assert "redis-password" not in group["rayStartParams"]
        if spec.get("enableInTreeAutoscaling"):
            assert "restartPolicy" not in template["spec"]  # KubeRay sets Never
        variables = {variable["name"] for variable in template["spec"]["containers"][0]["env"]}
        assert not variables & {"RAY_REDIS_ADDRESS", "REDIS_PASSWORD", "RAY_gcs_storage", "RAY_gcs_storage_path"}
    for group in spec["workerGroupSpecs"]:
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]
    options = spec.get("gcsFaultToleranceOptions")
    if options and options.get("backend") == "rocksdb":
        assert not {"redisAddress", "redisPassword"} & set(options)
    elif options:
        assert "storage" not in options


@functools.cache
def _published() -> dict[str, jsonschema.Draft7Validator]:
    """By kind, from the folder `HANPAN_CRDS`, made as strict as an API server: what is not in it would be dropped."""
    folder = os.environ.get("HANPAN_CRDS")
    found = {}
    for path in sorted(Path(folder).glob("*.yaml")) if folder else ():
        crd = yaml.load(path.read_text(), yaml.CSafeLoader)
        version = next(one for one in crd["spec"]["versions"] if one["name"] == "v1")
        found[crd["spec"]["names"]["kind"]] = jsonschema.Draft7Validator(_strict(version["schema"]["openAPIV3Schema"]))
    if folder and not found:
        raise ValueError(f"there are no CustomResourceDefinitions in {folder}")
    return found


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _strict(value) for key, value in schema.items()}
    if made.get("x-kubernetes-int-or-string"):
        made.pop("type", None)
        made["anyOf"] = [{"type": "integer"}, {"type": "string"}]
    names = made.get("properties")
    free = "additionalProperties" in made or made.get("x-kubernetes-preserve-unknown-fields")
    if isinstance(names, dict) and not free:
        made["additionalProperties"] = False
    return made
