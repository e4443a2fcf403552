"""Each template of the chart: what it makes, from which values, and when nothing. Tests are named by template."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import helm_python
import pytest
import yaml

from tests.helm.chart import (
    CHART,
    TEMPLATES,
    Manifest,
    all_of,
    environment,
    example,
    manifests,
    merged,
    one,
    pods,
    rendered,
    set_,
)

EXAMPLES = ("small", "large", "no-prometheus")
MONITORED = set_("monitoring.enabled", True)
INGRESS = {"ingress": {"enabled": True, "host": "play.example.org", "tlsSecret": "tls"}}
ROUTE = merged(INGRESS, {"ingress": {"api": "gateway", "parents": [{"name": "public", "namespace": "infra"}]}})
ACCOUNTS = set_("gateway.settings.accounts_jwks", "https://id.example.org/keys")


def test_every_template_has_tests_of_its_own() -> None:
    tests = [name for name in globals() if name.startswith("test_")]
    for path in TEMPLATES.rglob("*.yaml"):
        stem = "test_" + path.relative_to(TEMPLATES).with_suffix("").as_posix().replace("/", "_")
        assert any(name.startswith(stem) for name in tests), f"no {stem}…"


@pytest.mark.parametrize("values", [{}, *map(example, EXAMPLES)], ids=["defaults", *EXAMPLES])
def test_everything_is_as_kubernetes_wants_it(values: Manifest) -> None:
    for template in rendered(values):
        if template.endswith(".yaml"):
            manifests(template, values)
    assert helm_python.lint(CHART, values, strict=True)["errors"] == []
    names = [(manifest["kind"], manifest["metadata"]["name"]) for manifest in all_of(values)]
    assert len(names) == len(set(names))


def test_names_and_labels_come_from_one_place() -> None:
    for manifest in all_of(merged(MONITORED, INGRESS), name="x" * 53):
        name, labels = manifest["metadata"]["name"], manifest["metadata"]["labels"]
        assert name.startswith("x" * 36)
        assert len(name) <= 63
        assert labels["app.kubernetes.io/instance"] == "x" * 53
        assert labels["helm.sh/chart"] == "hanpan-0.1.0"
        assert all(len(value) <= 63 for value in labels.values())


# ---------------------------------------------------------------- config


def test_config_secret_is_made_once() -> None:
    secret = one("config/secret.yaml")
    assert secret["metadata"]["annotations"] == {"helm.sh/resource-policy": "keep"}
    data = {key: decoded(value) for key, value in secret["data"].items()}
    assert len(bytes.fromhex(data["links"])) == 32
    assert len(data["tokenKeys"]) >= 32  # gateways want as many
    assert len(data["adminToken"]) >= 32


def test_config_secret_is_absent_where_one_is_named() -> None:
    values = set_("secrets.existing", "mine")
    assert manifests("config/secret.yaml", values) == []
    named = {ref["name"] for _, pod in pods(values) for ref in secret_refs(pod)}
    assert named == {"mine", "hanpan-store"}


# ---------------------------------------------------------------- raycluster


def test_raycluster_raycluster_has_a_head_with_the_directory_and_groups_with_rooms() -> None:
    cluster = one("raycluster/raycluster.yaml")
    spec = cluster["spec"]
    assert cluster["metadata"]["name"] == "play-hanpan-a"
    assert spec["rayVersion"] == "2.60.0"
    assert spec["authOptions"] == {"mode": "token"}
    assert "gcsFaultToleranceOptions" not in spec
    assert "enableInTreeAutoscaling" not in spec
    head, group = spec["headGroupSpec"], spec["workerGroupSpecs"][0]
    assert head["rayStartParams"]["num-cpus"] == "0"
    assert "resources" not in head["rayStartParams"]  # no room_slot: no room is ever placed there
    assert head["rayStartParams"]["include-dashboard"] == "false"
    assert json.loads(group["rayStartParams"]["resources"].strip("'")) == {"room_slot": 60}
    assert environment(container(group["template"]))["HANPAN_LIMIT"] == "60"
    assert environment(container(head["template"]))["HANPAN_LISTEN"] == "0.0.0.0:7400"


def test_raycluster_raycluster_nodes_may_do_nothing_that_they_need_not() -> None:
    for _, pod in pods(merged(MONITORED, INGRESS)):
        spec = pod["spec"]
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["securityContext"]["runAsUser"] == 10001
        assert spec["automountServiceAccountToken"] is False
        security = container(pod)["securityContext"]
        assert security["readOnlyRootFilesystem"] is True
        assert security["allowPrivilegeEscalation"] is False
        assert security["capabilities"] == {"drop": ["ALL"]}
        assert container(pod)["resources"]["limits"]["memory"]


@pytest.mark.parametrize("drain", [0, 120, 600])
def test_raycluster_raycluster_gives_a_node_the_time_to_drain(drain: int) -> None:
    cluster = one("raycluster/raycluster.yaml", set_("rooms.drainSeconds", drain))
    pod = cluster["spec"]["workerGroupSpecs"][0]["template"]
    assert environment(container(pod))["HANPAN_DRAIN_SECONDS"] == str(drain)
    from ops.commands.join import RAY_STOP_SECONDS

    assert pod["spec"]["terminationGracePeriodSeconds"] >= drain + RAY_STOP_SECONDS + 10


def test_raycluster_raycluster_keeps_what_the_head_knows_in_redis_or_rocksdb() -> None:
    large = one("raycluster/raycluster.yaml", example("large"))["spec"]
    assert large["gcsFaultToleranceOptions"] == {
        "redisAddress": "redis://redis:6379",
        "redisPassword": {"valueFrom": {"secretKeyRef": {"name": "hanpan-redis", "key": "password"}}},
    }
    rocks = one("raycluster/raycluster.yaml", set_("ray.faultTolerance.backend", "rocksdb"))["spec"]
    assert rocks["gcsFaultToleranceOptions"] == {"backend": "rocksdb", "storage": {"size": "10Gi"}}
    with pytest.raises(helm_python.HelmError, match=r"ray\.faultTolerance\.redis\.address is needed"):
        rendered(set_("ray.faultTolerance.backend", "redis"))


def test_raycluster_raycluster_scales_where_told_to() -> None:
    spec = one("raycluster/raycluster.yaml", set_("ray.autoscaling", {"enabled": True, "headroom": 7}))["spec"]
    assert spec["enableInTreeAutoscaling"] is True
    assert spec["autoscalerOptions"]["version"] == "v2"
    assert spec["autoscalerOptions"]["idleTimeoutSeconds"] == 120
    head, worker = spec["headGroupSpec"]["template"], spec["workerGroupSpecs"][0]["template"]
    assert environment(container(head))["HANPAN_HEADROOM"] == "7"
    assert head["spec"]["automountServiceAccountToken"] is True  # the autoscaler asks Kubernetes
    assert worker["spec"]["automountServiceAccountToken"] is False
    assert "HANPAN_HEADROOM" not in environment(container(one_head({})))


def test_raycluster_raycluster_measures_ray_only_where_told_to() -> None:
    assert "RAY_enable_metrics_collection" not in environment(container(one_head({})))
    assert environment(container(one_head(set_("ray.metrics", True))))["RAY_enable_metrics_collection"] == "1"


def test_raycluster_raycluster_takes_more_for_rays_environment_and_each_group_its_own() -> None:
    group = {**default_group(), "name": "big", "slots": 9, "nodeSelector": {"disk": "fast"}, "annotations": {"a": "b"}}
    values = {"ray": {"environment": {"RAY_worker_niceness": "1"}}, "rooms": {"groups": [default_group(), group]}}
    groups = one("raycluster/raycluster.yaml", values)["spec"]["workerGroupSpecs"]
    assert [group["groupName"] for group in groups] == ["rooms", "big"]
    big = groups[1]["template"]
    assert big["spec"]["nodeSelector"] == {"disk": "fast"}
    assert big["metadata"]["annotations"] == {"a": "b"}
    assert environment(container(big))["RAY_worker_niceness"] == "1"
    assert environment(container(big))["HANPAN_LIMIT"] == "9"
    assert "nodeSelector" not in groups[0]["template"]["spec"]


def test_raycluster_raycluster_of_a_new_generation_is_another_and_the_directory_goes_with_it() -> None:
    values = set_("ray.generation", "b")
    assert one("raycluster/raycluster.yaml", values)["metadata"]["name"] == "play-hanpan-b"
    assert one("directory/service.yaml", values)["spec"]["selector"]["ray.io/cluster"] == "play-hanpan-b"
    old, new = (one("network/gateway.yaml", each)["spec"] for each in ({}, values))
    assert old == new  # while one follows the other, gateways reach the rooms of both


def test_raycluster_raycluster_has_a_name_that_kuberay_takes_whatever_the_release_is_called() -> None:
    for name in ("7days", "a" * 53, "hanpan", "my.games"):
        manifests("raycluster/raycluster.yaml", name=name.replace(".", "-"))


def budgets(autoscaling: bool, **sizes: int) -> list[Manifest]:
    groups = {"rooms": {"groups": [{**default_group(), **sizes}]}}
    return manifests("raycluster/pdb.yaml", merged(groups, set_("ray.autoscaling.enabled", autoscaling)))


@pytest.mark.parametrize(
    ("autoscaling", "least", "now", "stay"),
    [
        (False, 5, 5, 4),
        (False, 2, 8, 7),  # KubeRay keeps as many as `replicas` says
        (False, 1, 4, 3),
        (True, 5, 8, 4),  # Ray may have ended all beyond the least: more could never be asked of Kubernetes
    ],
)
def test_raycluster_pdb_keeps_all_rooms_nodes_but_one_that_are_certain_to_be_there(
    autoscaling: bool, least: int, now: int, stay: int
) -> None:
    [budget] = budgets(autoscaling, minReplicas=least, replicas=now, maxReplicas=9)
    assert budget["spec"]["minAvailable"] == stay
    assert "maxUnavailable" not in budget["spec"]  # Kubernetes takes none for pods without a scale
    assert budget["spec"]["selector"]["matchLabels"]["ray.io/group"] == "rooms"


def test_raycluster_pdb_is_absent_where_a_single_node_could_never_be_drained() -> None:
    assert manifests("raycluster/pdb.yaml", example("small")) == []
    assert budgets(True, minReplicas=1, replicas=1, maxReplicas=9) == []


# ---------------------------------------------------------------- directory


def test_directory_service_leads_to_the_head_as_soon_as_it_listens() -> None:
    service = one("directory/service.yaml")
    assert service["spec"]["publishNotReadyAddresses"] is True
    assert selects(
        service["spec"]["selector"], one_head({}), {"ray.io/node-type": "head", "ray.io/cluster": "play-hanpan-a"}
    )
    ports = {port["name"]: port["containerPort"] for port in container(one_head({}))["ports"]}
    assert ports[service["spec"]["ports"][0]["targetPort"]] == 7400
    address = f"play-hanpan-directory.games.svc.cluster.local:{service['spec']['ports'][0]['port']}"
    for name, pod in pods():
        if "HANPAN_DIRECTORY" in environment(container(pod)):
            assert environment(container(pod))["HANPAN_DIRECTORY"] == address, name


# ---------------------------------------------------------------- store


def test_store_migrate_runs_before_each_install_and_upgrade() -> None:
    job = one("store/migrate.yaml")
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    pod = job["spec"]["template"]
    assert container(pod)["command"] == ["hanpan", "store", "migrate"]
    assert environment(container(pod)) == {"HANPAN_STORE": {"secretKeyRef": {"name": "hanpan-store", "key": "url"}}}


def test_store_migrate_is_absent_where_somebody_else_does_it() -> None:
    values = set_("store.migrate.enabled", False)
    assert manifests("store/migrate.yaml", values) == []
    assert [policy["metadata"]["name"] for policy in manifests("network/jobs.yaml", values)] == ["play-hanpan-test"]


# ---------------------------------------------------------------- gateway


def test_gateway_deployment_knows_the_cluster_and_no_ray() -> None:
    pod = one("gateway/deployment.yaml")["spec"]["template"]
    variables = environment(container(pod))
    assert "HANPAN_STORE" not in variables
    assert not [name for name in variables if name.startswith("RAY")]
    assert variables["HANPAN_SECRET"] == {"secretKeyRef": {"name": "play-hanpan-secrets", "key": "links"}}
    assert variables["HANPAN_TOKEN_KEYS"] == {"secretKeyRef": {"name": "play-hanpan-secrets", "key": "tokenKeys"}}
    assert container(pod)["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert container(pod)["livenessProbe"]["httpGet"]["path"] == "/healthz"


def test_gateway_deployment_is_restarted_by_nothing_but_a_change_of_what_it_runs() -> None:
    """What a render looks up in the cluster differs from the first upgrade on: it must not be in a pod."""
    assert "annotations" not in gateway({})["metadata"]
    assert gateway({}) == one("gateway/deployment.yaml", upgrade=True)["spec"]["template"]
    mine = gateway(set_("gateway.annotations", {"a": "b"}))
    assert mine["metadata"]["annotations"] == {"a": "b"}
    looking = {path.name for path in TEMPLATES.rglob("*.*") if "lookup " in path.read_text()}
    assert looking == {"secret.yaml"}


@pytest.mark.parametrize(("wait", "spread"), [(0, 0), (5, 2), (15, 30)])
def test_gateway_deployment_has_the_time_to_say_good_bye(wait: int, spread: int) -> None:
    from gateway.config import Settings

    values = set_("gateway.drain", {"waitSeconds": wait, "spreadSeconds": spread})
    spec = one("gateway/deployment.yaml", values)["spec"]["template"]["spec"]
    assert spec["containers"][0]["lifecycle"]["preStop"]["exec"]["command"] == ["sleep", str(wait)]
    assert environment(spec["containers"][0])["HANPAN_DRAIN_SPREAD"] == str(spread)
    assert spec["terminationGracePeriodSeconds"] >= wait + 2 * Settings().close_seconds + 10


def test_gateway_deployment_takes_settings_and_believes_its_ingress() -> None:
    assert "HANPAN_PROXIES" not in environment(container(gateway({})))
    assert environment(container(gateway(INGRESS)))["HANPAN_PROXIES"] == "1"
    values = merged(INGRESS, {"gateway": {"settings": {"proxies": 2, "sessions": 5_000_000, "origins": "https://a"}}})
    values = merged(values, set_("gateway.settings.messages_rate", 0.5))
    variables = environment(container(gateway(values)))
    assert (variables["HANPAN_PROXIES"], variables["HANPAN_ORIGINS"]) == ("2", "https://a")
    assert variables["HANPAN_SESSIONS"] == "5000000"  # and not 5e+06
    assert variables["HANPAN_MESSAGES_RATE"] == "0.5"  # and not 0, which is no limit


def test_gateway_hpa_is_absent_by_default_and_the_number_stands_in_the_deployment() -> None:
    assert manifests("gateway/hpa.yaml") == []
    assert one("gateway/deployment.yaml")["spec"]["replicas"] == 2
    assert "replicas" not in one("gateway/deployment.yaml", example("large"))["spec"]


def test_gateway_hpa_looks_at_sessions_and_cpu() -> None:
    spec = one("gateway/hpa.yaml", example("large"))["spec"]
    assert spec["scaleTargetRef"]["name"] == one("gateway/deployment.yaml")["metadata"]["name"]
    by_sockets, by_cpu = spec["metrics"]
    from ops.metrics import BY_NAME

    assert by_sockets["pods"]["metric"]["name"] in BY_NAME
    assert by_sockets["pods"]["target"]["averageValue"] == "8000"
    assert by_cpu["resource"]["target"]["averageUtilization"] == 70
    assert [metric["type"] for metric in one("gateway/hpa.yaml", example("no-prometheus"))["spec"]["metrics"]] == [
        "Resource"
    ]
    with pytest.raises(helm_python.HelmError, match="needs something to look at"):
        rendered(set_("gateway.autoscaling", {"enabled": True, "sessions": 0, "cpuPercent": 0}))


def test_gateway_pdb_lets_one_go_at_a_time() -> None:
    budget = one("gateway/pdb.yaml")["spec"]
    assert budget["maxUnavailable"] == 1
    assert budget["unhealthyPodEvictionPolicy"] == "AlwaysAllow"
    assert selects(budget["selector"]["matchLabels"], gateway({}))


def test_gateway_service_leads_to_gateways() -> None:
    service = one("gateway/service.yaml")["spec"]
    assert selects(service["selector"], gateway({}))
    assert service["type"] == "ClusterIP"
    assert "externalTrafficPolicy" not in service
    told = {"type": "LoadBalancer", "externalTrafficPolicy": "Local", "unfiltered": True}
    assert one("gateway/service.yaml", set_("gateway.service", told))["spec"]["externalTrafficPolicy"] == "Local"


@pytest.mark.parametrize("type", ["NodePort", "LoadBalancer"])
def test_gateway_service_shows_operators_paths_to_nobody_outside_who_was_not_told(type: str) -> None:
    """It leads everything to the gateways, metrics and all: unlike an Ingress it knows no paths."""
    values = set_("gateway.service.type", type)
    with pytest.raises(helm_python.HelmError, match=r"gateway\.service\.unfiltered"):
        rendered(values)
    told = merged(values, set_("gateway.service.unfiltered", True))
    assert one("gateway/service.yaml", told)["spec"]["type"] == type
    assert "/metrics" in rendered(told)["NOTES.txt"]
    assert "/metrics" in rendered(merged(INGRESS, set_("ingress.private", ["/ops"])))["NOTES.txt"]
    assert not [values for values in ({}, INGRESS, ROUTE) if "/metrics" in rendered(values)["NOTES.txt"]]


def test_gateway_ingress_is_absent_by_default() -> None:
    assert manifests("gateway/ingress.yaml") == []


def test_gateway_ingress_lets_sockets_live_long_and_keeps_operators_paths_inside() -> None:
    ingress = one("gateway/ingress.yaml", INGRESS)
    assert ingress["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-read-timeout"] == "3600"
    paths = ingress["spec"]["rules"][0]["http"]["paths"]
    leads = {path["path"]: path["backend"]["service"]["name"] for path in paths}
    nowhere = one("gateway/nowhere.yaml", INGRESS)["metadata"]["name"]
    assert leads == {"/metrics": nowhere, "/api/admin": nowhere, "/ops": nowhere, "/": "play-hanpan-gateway"}
    assert {path["pathType"] for path in paths} == {"Prefix"}
    assert ingress["spec"]["tls"] == [{"hosts": ["play.example.org"], "secretName": "tls"}]
    with pytest.raises(helm_python.HelmError, match=r"ingress\.host is needed"):
        rendered(set_("ingress.enabled", True))


@pytest.mark.parametrize(
    ("controller", "annotation", "value"),
    [
        ("haproxy", "haproxy.org/timeout-tunnel", "3600s"),
        ("alb", "alb.ingress.kubernetes.io/load-balancer-attributes", "idle_timeout.timeout_seconds=3600"),
    ],
)
def test_gateway_ingress_of_other_controllers(controller: str, annotation: str, value: str) -> None:
    ingress = one("gateway/ingress.yaml", merged(INGRESS, set_("ingress.controller", controller)))
    assert ingress["metadata"]["annotations"][annotation] == value
    assert not [name for name in ingress["metadata"]["annotations"] if "nginx" in name]


def test_gateway_httproute_is_absent_where_there_is_an_ingress_or_nothing() -> None:
    assert manifests("gateway/httproute.yaml") == manifests("gateway/httproute.yaml", INGRESS) == []
    assert manifests("gateway/ingress.yaml", ROUTE) == []


def test_gateway_httproute_lets_sockets_live_long_and_keeps_operators_paths_inside() -> None:
    spec = one("gateway/httproute.yaml", ROUTE)["spec"]
    assert spec["parentRefs"] == [{"name": "public", "namespace": "infra"}]
    assert spec["hostnames"] == ["play.example.org"]
    private, everything = spec["rules"]
    nowhere, service = one("gateway/nowhere.yaml", ROUTE), one("gateway/service.yaml", ROUTE)
    for rule, leads in ((private, nowhere), (everything, service)):
        port = leads["spec"]["ports"][0]["port"]
        assert rule["backendRefs"] == [{"name": leads["metadata"]["name"], "port": port}]
    assert [match["path"]["value"] for match in private["matches"]] == ["/metrics", "/api/admin", "/ops"]
    assert everything["timeouts"] == {"request": "0s"}
    assert environment(container(gateway(ROUTE)))["HANPAN_PROXIES"] == "1"
    assert len(one("gateway/httproute.yaml", merged(ROUTE, set_("ingress.private", [])))["spec"]["rules"]) == 1
    with pytest.raises(helm_python.HelmError, match=r"ingress\.parents is needed"):
        rendered(merged(ROUTE, set_("ingress.parents", [])))


def test_gateway_nowhere_is_a_service_without_pods_and_absent_without_an_ingress() -> None:
    assert manifests("gateway/nowhere.yaml") == []
    assert manifests("gateway/nowhere.yaml", merged(INGRESS, set_("ingress.private", []))) == []
    assert "selector" not in one("gateway/nowhere.yaml", INGRESS)["spec"]


# ---------------------------------------------------------------- network


def test_network_gateway_leads_to_the_directory_and_to_rooms_and_to_no_port_of_rays() -> None:
    policy = one("network/gateway.yaml")["spec"]
    assert policy["ingress"] == [{"ports": [{"port": "http", "protocol": "TCP"}]}]
    _, directory, rooms = policy["egress"]
    assert directory["ports"] == [{"port": 7400, "protocol": "TCP"}]
    assert rooms["ports"] == [{"port": 20000, "endPort": 29999, "protocol": "TCP"}]
    assert not rays_ports() & ({7400} | set(range(20_000, 30_000)))


def test_network_gateway_leads_to_the_identity_provider_where_there_are_accounts() -> None:
    """Without its keys nobody could sign in."""
    provider = {"to": [{"namespaceSelector": {"matchLabels": {"name": "id"}}}], "port": 8443}
    values = merged(ACCOUNTS, set_("networkPolicy.accounts", provider))
    rule = {"to": provider["to"], "ports": [{"port": 8443, "protocol": "TCP"}]}
    assert one("network/gateway.yaml", values)["spec"]["egress"][-1] == rule
    anywhere = {"ports": [{"port": 443, "protocol": "TCP"}]}
    assert one("network/gateway.yaml", ACCOUNTS)["spec"]["egress"][-1] == anywhere
    assert anywhere not in one("network/gateway.yaml")["spec"]["egress"]


def test_network_gateway_admits_only_whom_it_is_told_and_what_watches_it() -> None:
    peers = one("network/gateway.yaml", example("large"))["spec"]["ingress"]
    assert peers[0]["from"] == [
        {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "ingress-nginx"}}}
    ]
    watchers = peers[1]["from"]
    assert watchers[0]["namespaceSelector"] == {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}
    assert selects(watchers[1]["podSelector"]["matchLabels"], one("tests/play.yaml"))


def test_network_ray_admits_nobody_to_rays_ports_but_rays_own_nodes() -> None:
    """Whoever reaches one of them may run code: a rule that admits others names ports, and none of those is Ray's."""
    policies = {policy["metadata"]["name"]: policy["spec"] for policy in manifests("network/ray.yaml")}
    assert set(policies) == {"play-hanpan-ray", "play-hanpan-directory", "play-hanpan-rooms"}
    ray = {"podSelector": {"matchLabels": {"hanpan/release": "play"}}}
    opened: set[int | str] = set()
    for spec in policies.values():
        for rule in spec["ingress"]:
            if rule["from"] == [ray]:
                continue
            assert rule["ports"]
            for port in rule["ports"]:
                opened |= set(range(port["port"], port["endPort"] + 1)) if "endPort" in port else {port["port"]}
    named = {port["name"]: port["containerPort"] for _, pod in pods() for port in container(pod).get("ports", ())}
    assert {named.get(port, port) if isinstance(port, str) else port for port in opened} & rays_ports() == set()
    assert "metrics" not in opened
    assert all(set(spec["podSelector"]["matchLabels"]) >= {"hanpan/release"} for spec in policies.values())


def test_network_ray_opens_what_redis_the_autoscaler_and_rays_metrics_need() -> None:
    policies = {
        policy["metadata"]["name"]: policy["spec"] for policy in manifests("network/ray.yaml", example("large"))
    }
    ports = [port["port"] for rule in policies["play-hanpan-directory"]["egress"] for port in rule["ports"]]
    assert ports == [6379, 443, 6443]
    assert [port["port"] for rule in policies["play-hanpan-ray"]["ingress"][1:] for port in rule["ports"]] == [
        "metrics"
    ]
    by_default = {policy["metadata"]["name"]: policy["spec"] for policy in manifests("network/ray.yaml")}
    assert by_default["play-hanpan-directory"]["egress"] == []


def test_network_ray_leads_to_the_database_where_that_is() -> None:
    to = [{"ipBlock": {"cidr": "10.1.2.3/32"}}]
    values = set_("networkPolicy.store", {"port": 6432, "to": to})
    rule = {"to": to, "ports": [{"port": 6432, "protocol": "TCP"}]}
    assert rule in manifests("network/ray.yaml", values)[0]["spec"]["egress"]
    assert rule in manifests("network/jobs.yaml", values)[1]["spec"]["egress"]
    assert {"ports": rule["ports"]} not in manifests("network/ray.yaml", values)[0]["spec"]["egress"]


def test_network_jobs_may_only_ask() -> None:
    test, migrate = manifests("network/jobs.yaml")
    job = one("store/migrate.yaml")["metadata"]["annotations"]
    first, then = (int(each["helm.sh/hook-weight"]) for each in (migrate["metadata"]["annotations"], job))
    assert first < then
    assert migrate["metadata"]["annotations"] | {"helm.sh/hook-weight": "0"} == job  # comes and goes with it
    assert "annotations" not in test["metadata"]
    assert test["spec"]["ingress"] == migrate["spec"]["ingress"] == []
    assert selects(test["spec"]["podSelector"]["matchLabels"], one("tests/play.yaml"))
    assert selects(migrate["spec"]["podSelector"]["matchLabels"], one("store/migrate.yaml")["spec"]["template"])


@pytest.mark.parametrize("template", ["network/gateway.yaml", "network/ray.yaml", "network/jobs.yaml"])
def test_network_gateway_ray_and_jobs_are_absent_where_told(template: str) -> None:
    assert manifests(template, set_("networkPolicy.enabled", False)) == []


def test_network_every_pod_is_under_a_policy() -> None:
    policies = [manifest["spec"] for manifest in all_of() if manifest["kind"] == "NetworkPolicy"]
    for name, pod in pods():
        kind = {"ray.io/node-type": "head" if name.endswith("/head") else "worker"} if "/" in name else {}
        mine = [policy for policy in policies if selects(policy["podSelector"]["matchLabels"], pod, kind)]
        types = {each for policy in mine for each in policy["policyTypes"]}
        assert types == {"Ingress", "Egress"}, name


# ---------------------------------------------------------------- monitoring


@pytest.mark.parametrize("template", ["gateways", "nodes", "ray", "rules", "dashboards"])
def test_monitoring_gateways_nodes_ray_rules_and_dashboards_are_absent_by_default(template: str) -> None:
    assert manifests(f"monitoring/{template}.yaml") == []


def test_monitoring_gateways_finds_the_service() -> None:
    monitor = one("monitoring/gateways.yaml", example("large"))
    service = one("gateway/service.yaml", example("large"))
    assert monitor["metadata"]["labels"]["release"] == "kube-prometheus-stack"
    assert monitor["spec"]["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    assert monitor["spec"]["endpoints"][0]["port"] in {port["name"] for port in service["spec"]["ports"]}


def test_monitoring_nodes_finds_the_agents() -> None:
    monitor = one("monitoring/nodes.yaml", MONITORED)
    (pod,) = [pod for name, pod in pods() if name.endswith("/rooms")]
    assert selects(monitor["spec"]["selector"]["matchLabels"], pod, {"ray.io/node-type": "worker"})
    ports = {port["name"]: port["containerPort"] for port in container(pod)["ports"]}
    assert ports[monitor["spec"]["podMetricsEndpoints"][0]["port"]] == default_of("join", "metrics_port")


def test_monitoring_ray_finds_all_of_rays_nodes_where_they_are_measured() -> None:
    assert manifests("monitoring/ray.yaml", MONITORED) == []
    monitor = one("monitoring/ray.yaml", merged(MONITORED, set_("ray.metrics", True)))
    assert selects(monitor["spec"]["selector"]["matchLabels"], one_head({}))


def test_monitoring_rules_are_those_of_ops(tmp_path: Path) -> None:
    chart = chart_with(tmp_path, "alerts/slow.yaml", yaml.safe_dump({"groups": [RULES]}))
    chart_with(tmp_path, "alerts/slow.test.yaml", "rule_files: [slow.yaml]")
    rule = one("monitoring/rules.yaml", MONITORED, chart=chart)
    assert RULES in rule["spec"]["groups"]
    assert all("name" in group for group in rule["spec"]["groups"])
    assert manifests("monitoring/rules.yaml", merged(MONITORED, set_("monitoring.rules", False)), chart=chart) == []


def test_monitoring_rules_lead_to_their_pages_where_it_is_said_where_these_are() -> None:
    values = merged(MONITORED, set_("monitoring.runbooks", "https://git.example.org/hanpan/ops/alerts/runbooks/"))
    groups = one("monitoring/rules.yaml", values)["spec"]["groups"]
    rules = [rule for group in groups for rule in group["rules"] if "alert" in rule]
    assert len(rules) > 20
    for rule in rules:
        url = f"https://git.example.org/hanpan/ops/alerts/runbooks/{rule['alert']}.md"
        assert rule["annotations"]["runbook_url"] == url
    by_default = one("monitoring/rules.yaml", MONITORED)["spec"]["groups"]
    assert not [rule for group in by_default for rule in group["rules"] if "runbook_url" in rule.get("annotations", {})]


def test_monitoring_dashboards_are_those_of_ops(tmp_path: Path) -> None:
    board = {"title": "판", "panels": [{"expr": '{{game}} "x" \\ {{ .Values }}'}]}
    chart = chart_with(
        tmp_path, "dashboards/built/hanpan-Turn_latency.json", json.dumps(board, ensure_ascii=False, indent=1)
    )
    maps = {each["metadata"]["name"]: each for each in manifests("monitoring/dashboards.yaml", MONITORED, chart=chart)}
    turns = maps["play-hanpan-turn-latency"]
    assert json.loads(turns["data"]["hanpan-Turn_latency.json"]) == board
    assert turns["metadata"]["labels"]["grafana_dashboard"] == "1"
    assert set(maps) == {f"play-hanpan-{name}" for name in ("turn-latency", *boards_of_ops())}
    assert all(len(str(each).encode()) < 900_000 for each in maps.values())  # a ConfigMap holds a mebibyte
    values = merged(MONITORED, set_("monitoring.dashboards", False))
    assert manifests("monitoring/dashboards.yaml", values, chart=chart) == []


def test_monitoring_what_makes_dashboards_and_alerts_is_not_in_the_chart() -> None:
    with helm_python.Chart.load(CHART) as chart:
        names = [file["name"] for file in chart.files]
    assert not [name for name in names if name.endswith(".py") or "runbooks" in name or "examples" in name]


# ---------------------------------------------------------------- the test, and what is said


CHAOS = set_("chaos.enabled", True)


def test_tests_play_kills_the_room_that_it_plays_in_where_that_is_allowed() -> None:
    pod = one("tests/play.yaml", CHAOS)
    assert pod["metadata"]["annotations"]["helm.sh/hook"] == "test"
    assert container(pod)["command"] == ["hanpan", "chaos", "kill-rooms", "--remote"]
    assert environment(container(pod))["HANPAN_URL"] == "http://play-hanpan-gateway:80"
    assert environment(container(one_head(CHAOS)))["HANPAN_CHAOS"] == "1"


def test_nobody_may_kill_rooms_unless_they_are_allowed_to() -> None:
    for values in ({}, *map(example, EXAMPLES)):
        assert environment(container(one_head(values)))["HANPAN_CHAOS"] == "0"


@pytest.mark.parametrize("values", [{}, merged(CHAOS, set_("test.kills", 0))], ids=["by default", "no kills"])
def test_tests_play_only_plays_where_rooms_may_not_be_killed(values: Manifest) -> None:
    pod = one("tests/play.yaml", values)
    assert container(pod)["command"] == ["hanpan", "load"]
    assert "HANPAN_ADMIN_TOKEN" not in environment(container(pod))


def test_notes_say_what_to_do_next_and_what_is_not_safe() -> None:
    notes = rendered()["NOTES.txt"]
    assert "port-forward service/play-hanpan-gateway 8080:80" in notes
    assert "helm -n games test play" in notes
    assert "chaos.enabled" in notes
    assert "chaos.enabled" not in rendered(CHAOS)["NOTES.txt"]
    assert "ray.faultTolerance.backend" in notes
    assert "monitoring.enabled" in notes
    assert "NetworkPolicies are off" not in notes
    bare = rendered(merged(set_("networkPolicy.enabled", False), merged(INGRESS, set_("ingress.tlsSecret", ""))))[
        "NOTES.txt"
    ]
    assert "NetworkPolicies are off" in bare
    assert "without TLS" in bare
    large = rendered(example("large"))["NOTES.txt"]
    assert "https://play.example.org" in large
    assert "monitoring.enabled" not in large
    routed = rendered(merged(ROUTE, set_("ingress.tlsSecret", "")))["NOTES.txt"]
    assert "https://play.example.org" in routed
    assert "without TLS" not in routed
    assert not re.search(r"\n\n\n", "".join(map(rendered_notes, ({}, example("large"), example("small")))))


# ---------------------------------------------------------------- of all these

RULES: Any = {
    "name": "slow",
    "rules": [
        {
            "alert": "Slow",
            "expr": "vector(1) > 0",
            "for": "5m",
            "labels": {"severity": "page"},
            "annotations": {"summary": "{{ $labels.game }} is slow: {{ $value | humanizeDuration }}"},
        }
    ],
}


def rendered_notes(values: Manifest) -> str:
    return rendered(values)["NOTES.txt"].strip() + "\n"


def container(pod: Manifest) -> Manifest:
    (only,) = pod["spec"]["containers"]
    return only  # type: ignore[no-any-return]


def one_head(values: Manifest) -> Manifest:
    return one("raycluster/raycluster.yaml", values)["spec"]["headGroupSpec"]["template"]  # type: ignore[no-any-return]


def gateway(values: Manifest) -> Manifest:
    return one("gateway/deployment.yaml", values)["spec"]["template"]  # type: ignore[no-any-return]


def default_group() -> Manifest:
    return yaml.safe_load((CHART / "values.yaml").read_text())["rooms"]["groups"][0]  # type: ignore[no-any-return]


def default_of(command: str, option: str) -> Any:
    from ops import cli

    return getattr(cli.make_parser(command).parse_args([command]), option)


def selects(selector: Manifest, pod: Manifest, more: Manifest | None = None) -> bool:
    """Whether these labels match; ``more`` are those that KubeRay adds."""
    return selector.items() <= {**pod["metadata"]["labels"], **(more or {})}.items()


def rays_ports() -> set[int]:
    """Every port that any node's Ray listens on: named ones, its workers', and the head's."""
    spec = one("raycluster/raycluster.yaml")["spec"]
    found = {6379, 8265, 10001, 8080}
    for group in (spec["headGroupSpec"], *spec["workerGroupSpecs"]):
        params = group["rayStartParams"]
        found |= {int(value) for name, value in params.items() if name.endswith("-port")}
        found |= set(range(int(params["min-worker-port"]), int(params["max-worker-port"]) + 1))
    return found


def secret_refs(pod: Manifest) -> list[Manifest]:
    return [
        value["secretKeyRef"]
        for value in environment(container(pod)).values()
        if isinstance(value, dict) and "secretKeyRef" in value
    ]


def decoded(text: str) -> str:
    import base64

    return base64.b64decode(text).decode()


def boards_of_ops() -> list[str]:
    made = (CHART / "../ops/dashboards").resolve().rglob("*.json")
    return [path.stem.removeprefix("hanpan-").lower().replace("_", "-") for path in made]


def chart_with(folder: Path, name: str, text: str) -> Path:
    """A copy of the chart, with a file more among what ops makes."""
    chart = folder / "hanpan"
    if not chart.exists():
        shutil.copytree(CHART, chart)
    (chart / name).parent.mkdir(exist_ok=True)
    (chart / name).write_text(text)
    return chart
