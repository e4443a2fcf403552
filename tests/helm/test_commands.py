"""What the chart's pods run: each command and variable is one that hanpan has, each port is where it listens.

Ray's command is put together here as KubeRay 1.7 does it (`convertParamMap` in `controllers/ray/common/pod.go`), and
goes through the code that a pod runs; Ray's own options are asked whether they know each.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from gateway.config import Settings, from_env
from ops import cli
from ops.commands.join import ray_command
from tests.helm.chart import environment, example, merged, one, pods, rendered, set_

BIG = merged(example("large"), set_("rooms.settings", {"bot_delay": [20, 60]}))
EVERYTHING = merged(BIG, {"gateway": {"settings": {"sessions": 9}}, "store": {"keepDays": 30}})


def everyone() -> list[tuple[str, dict[str, Any]]]:
    return [
        (name, pod["spec"]["containers"][0])
        for values in ({}, EVERYTHING, set_("chaos.enabled", True))
        for name, pod in pods(values)
    ]


@pytest.mark.parametrize(("name", "container"), everyone(), ids=[name for name, _ in everyone()])
def test_each_command_is_one_that_hanpan_understands(
    name: str, container: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    program, command, *rest = container["command"] + container.get("args", [])
    assert program == "hanpan"
    for variable, value in environment(container).items():
        monkeypatch.setenv(variable, value if isinstance(value, str) else "0a" * 16)
    args = cli.make_parser(command).parse_args([command, *rest])
    assert callable(args.run)


@pytest.mark.parametrize(("name", "container"), everyone(), ids=[name for name, _ in everyone()])
def test_each_variable_is_one_that_the_command_reads(
    name: str, container: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word for word in container["command"][1:] if not word.startswith("-")]
    with pytest.raises(SystemExit):
        cli.main([*words, "--help"])
    known = set(re.findall(r"HANPAN_\w+", capsys.readouterr().out))
    if words == ["gateway"]:
        known |= {f"HANPAN_{field.upper()}" for field in Settings.__struct_fields__}
    named = {variable for variable in environment(container) if variable.startswith("HANPAN_")}
    assert named <= known


def test_a_gateway_can_be_made_of_what_its_pod_says() -> None:
    for values in ({}, EVERYTHING):
        pod = one("gateway/deployment.yaml", values)["spec"]["template"]
        said = {
            name: value if isinstance(value, str) else "0a" * 16 for name, value in environment(container(pod)).items()
        }
        settings = from_env(said)
        assert settings.host == "0.0.0.0"
        assert settings.port == container(pod)["ports"][0]["containerPort"]
        assert settings.directory == "play-hanpan-directory.games.svc.cluster.local:7400"
    assert (settings.sessions, settings.proxies, settings.drain_spread) == (9, 1, 30)


def kuberays_command(params: dict[str, str], head: bool) -> str:
    """As the operator writes it, its own additions included."""
    params = {**params, "block": "true", "num-cpus": params.get("num-cpus", "2"), "memory": "5368709120"}
    params |= {"dashboard-host": "0.0.0.0"} if head else {"address": "play-head-svc.games.svc.cluster.local:6379"}
    flags = ""
    for name in sorted(params):
        value = params[name]
        if value.lower() in ("true", "false") and name not in ("log-color", "include-dashboard", "include-log-monitor"):
            flags += f" --{name} " if value.lower() == "true" else ""
        else:
            flags += f" --{name}={value} "
    return f"ray start {'--head ' if head else ''}{flags}"


@pytest.mark.parametrize("values", [{}, EVERYTHING], ids=["defaults", "everything"])
def test_rays_command_is_one_that_ray_takes(values: dict[str, Any]) -> None:
    from ray.scripts.scripts import start

    spec = one("raycluster/raycluster.yaml", values)["spec"]
    for group in (spec["headGroupSpec"], *spec["workerGroupSpecs"]):
        head = group is spec["headGroupSpec"]
        text = kuberays_command(group["rayStartParams"], head)
        words = ray_command(text, {"HANPAN_HOST": "10.0.0.7", "HANPAN_HOSTNAME": "wrong"})
        assert words[:2] == ["ray", "start"]
        context = start.make_context("start", words[2:])  # raises at an option that Ray does not have
        assert context.params["node_ip_address"] == "10.0.0.7"
        assert context.params["block"] is True
        assert context.params["include_log_monitor"] is False
        assert context.params["disable_usage_stats"] is True
        if head:
            assert context.params["include_dashboard"] is False
        else:
            assert context.params["resources"] == f'{{"room_slot":{150 if values else 60}}}'


def test_all_of_rays_ports_differ() -> None:
    """Ray ends where two of its parts have one port; and rooms and agents must not find theirs taken."""
    params = one("raycluster/raycluster.yaml")["spec"]["workerGroupSpecs"][0]["rayStartParams"]
    ports = [int(value) for name, value in params.items() if name.endswith("-port") and "worker" not in name]
    workers = range(int(params["min-worker-port"]), int(params["max-worker-port"]) + 1)
    ours = [9640, 7400, *range(20_000, 30_000)]
    assert len({*ports, *workers, *ours}) == len(ports) + len(workers) + len(ours)


def test_named_ports_and_probes_lead_to_ports_that_there_are() -> None:
    probed = set()
    for name, pod in pods(EVERYTHING):
        only = container(pod)
        names = {port["name"] for port in only.get("ports", ())}
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            if probe in only:
                probed.add(name)
                assert only[probe]["httpGet"]["port"] in names, name
    assert probed == {"play-hanpan-gateway"}  # KubeRay adds those of Ray's nodes
    text = "".join(rendered(EVERYTHING).values())
    known = {port["name"] for _, pod in pods(EVERYTHING) for port in container(pod).get("ports", ())}
    assert set(re.findall(r"targetPort: ([a-z-]+)", text)) <= known


def test_secrets_are_never_on_a_command_line() -> None:
    for _, only in everyone():
        assert not re.search("secret|token|postgres", " ".join(only["command"] + only.get("args", [])))


def container(pod: dict[str, Any]) -> dict[str, Any]:
    return pod["spec"]["containers"][0]  # type: ignore[no-any-return]
