"""Dockerfile and compose.yaml: what they name exists, is pinned, and is what the chart and the commands expect."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from ops import cli
from tests.helm.chart import pods
from tests.image.dockerfile import ROOT, environment, packages, stages

COMPOSE: Any = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: Any = COMPOSE["services"]


def pins(name: str) -> dict[str, str]:
    """Exact versions by normalised name."""
    lines = [line for line in (ROOT / name).read_text().splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line) for line in lines)
    return {re.sub("[-_.]+", "-", line.split("==")[0]).lower(): line.split("==")[1] for line in lines}


def test_the_image_has_the_versions_that_are_tested() -> None:
    tested, image = pins("requirements.txt"), pins("requirements-image.txt")
    assert {name: version for name, version in image.items() if name in tested} == {
        name: version for name, version in tested.items() if name in image
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.split("[<>=\\[]", each)[0].lower().replace("_", "-") for each in project["dependencies"]}
    assert needed <= set(image)
    assert not {"pytest", "mypy", "ruff", "playwright", "hypothesis"} & set(image)
    assert f"setuptools=={tested['setuptools']}" in (ROOT / "Dockerfile").read_text()


def test_rays_version_is_one_and_the_same_everywhere() -> None:
    values = yaml.safe_load((ROOT / "helm/values.yaml").read_text())
    assert pins("requirements-image.txt")["ray"] == values["ray"]["version"] == pins("requirements.txt")["ray"]


def test_the_image_is_hanpans_version_for_chart_and_compose() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    chart = yaml.safe_load((ROOT / "helm/Chart.yaml").read_text())
    assert chart["appVersion"] == version
    assert SERVICES["hanpan"]["image"] == f"hanpan:{version}"
    assert {pod["spec"]["containers"][0]["image"] for _, pod in pods()} == {f"hanpan:{version}"}


def test_the_image_runs_as_the_user_that_the_chart_says() -> None:
    user = next(step.rest for step in stages()[-1] if step.word == "USER")
    for _, pod in pods():
        security = pod["spec"]["securityContext"]
        assert f"{security['runAsUser']}:{security['runAsGroup']}" == user


def test_everything_that_is_copied_exists_and_is_let_through() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    copied = [word for stage in stages() for step in stage if step.word == "COPY" for word in step.rest.split()[:-1]]
    ours = [word for word in copied if not word.startswith(("--from", "/"))]
    assert len(ours) >= 6
    for name in ours:
        assert (ROOT / name).exists()
        assert f"!{name}" in ignored
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    folders = {name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert folders <= set(ours)
    assert project["project"]["readme"] in ours


@pytest.mark.skipif(shutil.which("apt-cache") is None, reason="no Debian to ask")
def test_debian_has_the_packages_and_python_is_the_one_of_the_tests() -> None:
    import sys

    assert packages() == {"python3.11", "python3.11-venv", "ca-certificates"}
    for package in packages():
        found = subprocess.run(["apt-cache", "show", package], capture_output=True, check=False)
        installed = subprocess.run(["dpkg", "-s", package], capture_output=True, check=False)
        assert 0 in (found.returncode, installed.returncode), package
    assert f"python{sys.version_info.major}.{sys.version_info.minor}" in packages()


def test_the_image_needs_no_shell_to_start_and_has_what_kuberay_runs_on_its_path() -> None:
    final = stages()[-1]
    assert "ENTRYPOINT" not in [step.word for step in final]  # KubeRay's init container runs bash
    assert environment(final)["PATH"].startswith("/opt/hanpan/bin:")


# ---------------------------------------------------------------- compose.yaml


def test_compose_names_no_image_without_a_version_and_opens_no_port_to_others() -> None:
    for name, service in SERVICES.items():
        assert re.search(r":v?\d+\.\d+", service["image"]), name
        for port in service.get("ports", ()):
            assert port.startswith("127.0.0.1:"), name
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]


def test_compose_mounts_only_what_exists() -> None:
    for service in SERVICES.values():
        for volume in service.get("volumes", ()):
            source, _, rest = volume.partition(":")
            if source.startswith("."):
                assert (ROOT / source).exists(), source
                assert rest.endswith(":ro")
            else:
                assert source in COMPOSE["volumes"]
    assert (ROOT / SERVICES["hanpan"]["build"] / "Dockerfile").exists()


def test_compose_runs_a_command_that_hanpan_understands() -> None:
    program, command, *words = SERVICES["hanpan"]["command"]
    assert program == "hanpan"
    args = cli.make_parser(command).parse_args([command, *words])
    ports = {port.split(":")[2] for port in SERVICES["hanpan"]["ports"]}
    assert str(args.port) in ports
    assert str(args.data) in {volume.partition(":")[2] for volume in SERVICES["hanpan"]["volumes"]}
    scraped = yaml.safe_load((ROOT / "ops/compose/prometheus.yaml").read_text())["scrape_configs"]
    targets = [target for job in scraped for each in job["static_configs"] for target in each["targets"]]
    assert targets == [f"127.0.0.1:{args.port}", f"127.0.0.1:{args.metrics_port}"]
    assert SERVICES["prometheus"]["network_mode"] == "service:hanpan"


def test_compose_database_and_grafana_are_told_the_same_as_those_who_ask_them() -> None:
    postgres = SERVICES["postgres"]["environment"]
    url = SERVICES["hanpan"]["environment"]["HANPAN_STORE"]
    assert (
        url
        == f"postgres://{postgres['POSTGRES_USER']}:{postgres['POSTGRES_PASSWORD']}@postgres/{postgres['POSTGRES_DB']}"
    )
    source = yaml.safe_load((ROOT / "ops/compose/grafana/datasources/prometheus.yaml").read_text())["datasources"][0]
    listen = next(word for word in SERVICES["prometheus"]["command"] if "listen-address" in word)
    assert source["url"] == f"http://hanpan:{listen.rpartition(':')[2]}"
    board = yaml.safe_load((ROOT / "ops/compose/grafana/dashboards/hanpan.yaml").read_text())["providers"][0]
    assert f"./ops/dashboards:{board['options']['path']}:ro" in SERVICES["grafana"]["volumes"]


@pytest.mark.skipif(shutil.which("promtool") is None, reason="no promtool")
def test_compose_prometheus_takes_its_configuration(tmp_path: Path) -> None:
    text = (ROOT / "ops/compose/prometheus.yaml").read_text()
    config = tmp_path / "prometheus.yaml"
    config.write_text(text.replace("/etc/prometheus/alerts", str(ROOT / "ops/alerts")))
    done = subprocess.run(["promtool", "check", "config", str(config)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
