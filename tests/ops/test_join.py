"""`hanpan join` and `hanpan drain`, with nothing started: what they refuse, what they make of KubeRay's command."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from cluster.ray_cluster import NODES_ENVIRONMENT, RAY_ENVIRONMENT, environment
from ops import cli
from ops.commands import join
from ops.commands.join import ray_command
from ops.problem import Problem

GIVEN = {
    "HANPAN_SECRET": "0a" * 32,
    "HANPAN_HOST": "127.0.0.2",
    "HANPAN_DIRECTORY": "127.0.0.2:1",
    "HANPAN_STORE": "postgres://nowhere/hanpan",
    "RAY_ADDRESS": "127.0.0.2:1",
}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"HANPAN_SECRET": ""}, "HANPAN_SECRET must be given"),
        ({"HANPAN_SECRET": "zz-geheim"}, "HANPAN_SECRET is not hexadecimal"),
        ({"HANPAN_SECRET": "0a0a"}, "HANPAN_SECRET must be given"),
        ({"HANPAN_HOST": ""}, "--host must be given"),
        ({"HANPAN_DIRECTORY": ""}, "--directory must be given"),
        ({"HANPAN_STORE": ""}, "--store must be given"),
        ({"HANPAN_STORE": "sqlite:/data"}, "a store that all of them reach"),
        ({"RAY_ADDRESS": ""}, "--ray-address must be given"),
        ({"HANPAN_ROOM_SETTINGS": "{bot_delay"}, "HANPAN_ROOM_SETTINGS: JSON is malformed"),
        ({"HANPAN_ROOM_SETTINGS": '{"bot_delai": [1, 2]}'}, "unknown field `bot_delai`"),
        ({"HANPAN_ROOM_SETTINGS": '{"watchers": "many"}'}, "HANPAN_ROOM_SETTINGS: Expected `int`, got `str`"),
    ],
)
def test_what_cannot_work_is_refused_and_no_secret_is_shown(
    change: dict[str, str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {**GIVEN, **change}.items():
        monkeypatch.setenv(name, value)
    assert cli.main(["join"]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert change.get("HANPAN_SECRET") in ("", None) or change["HANPAN_SECRET"] not in said


def test_rays_command_is_read_as_a_shell_would_and_variables_are_filled_in() -> None:
    text = "ray start  --head  --node-ip-address=$POD_IP  --resources='{\"room_slot\":9}'  --redis-password=$PASSWORD "
    words = ray_command(text, {"POD_IP": "10.0.0.7", "POD": "wrong", "PASSWORD": "a b$c"})
    assert words == [
        *("ray", "start", "--head", "--node-ip-address=10.0.0.7"),
        *('--resources={"room_slot":9}', "--redis-password=a b$c"),
    ]


def test_a_variable_that_nobody_has_set_is_named_and_its_neighbours_are_not_shown() -> None:
    with pytest.raises(Problem, match="--node-ip-address") as no:
        ray_command(
            "ray start --redis-password=$REDIS_PASSWORD --node-ip-address=$POD_IP", {"REDIS_PASSWORD": "geheim"}
        )
    assert "geheim" not in str(no.value)


def test_what_is_said_in_the_environment_goes_before_our_settings_for_ray() -> None:
    env = environment(NODES_ENVIRONMENT, {"RAY_worker_niceness": "7", "PYTHONPATH": "/mine"})
    assert env["RAY_worker_niceness"] == "7"
    assert env["RAY_worker_num_grpc_internal_threads"] == "1"
    assert env["PYTHONPATH"].endswith("ray_site:/mine")


def test_nobody_switches_rays_authentication_off_and_rooms_are_not_nice() -> None:
    assert RAY_ENVIRONMENT["RAY_AUTH_MODE"] == "token"
    assert "RAY_AUTH_MODE" not in NODES_ENVIRONMENT  # whoever lays the nodes out says it, and gives all of them a token
    assert NODES_ENVIRONMENT["RAY_worker_niceness"] == "0"


class Answers:
    """Stands for an operator's connection: a node that empties itself as it is asked; None: it is not listed."""

    up, on_it = 1000, 0  # seconds since the directory's start, rooms that it knows of there

    def __init__(
        self, *rooms: int | None, others: tuple[dict[str, Any], ...] = ({"draining": False, "full": False},)
    ) -> None:
        self.rooms, self.others = list(rooms), others
        self.changes: list[tuple[str, dict[str, Any]]] = []

    def change(self, what: str, **args: Any) -> dict[str, Any]:
        self.changes.append((what, args))
        return {"node": args["node"], "draining": what == "drain", "rooms": self.rooms[0]}

    def get(self, what: str, **args: str) -> dict[str, Any]:
        return {"up": self.up} if what == "overview" else {"total": self.on_it}

    def nodes(self) -> list[dict[str, Any]]:
        if len(self.rooms) > 1:
            self.rooms.pop(0)
        here = [] if self.rooms[0] is None else [{"node": "a", "rooms": self.rooms[0]}]
        return [*here, *({"node": "b", "rooms": 99, **one} for one in self.others)]


@pytest.mark.parametrize(
    ("words", "rooms", "status", "says"),
    [
        (["a"], (2, 1, 0), 0, "a is empty"),
        (["a", "--wait", "0.1"], (2,), 1, "a still has 2 rooms"),
        (["a", "--wait", "0"], (2,), 0, "a still has 2 rooms"),
        (["a", "--undo"], (2,), 0, "a gets rooms again"),
    ],
)
def test_drain_waits_until_the_node_is_empty(
    words: list[str],
    rooms: tuple[int, ...],
    status: int,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from ops.commands import drain

    admin = Answers(*rooms)
    monkeypatch.setattr(drain, "Admin", lambda url, token: admin)
    assert cli.main(["drain", *words]) == status
    assert says in capsys.readouterr().out
    assert admin.changes[0][0] == ("undrain" if "--undo" in words else "drain")


@pytest.mark.parametrize(
    ("words", "up", "on_it", "status"),
    [
        ([], 1000, 0, 1),
        (["--retire"], 1000, 0, 0),
        (["--retire"], 1000, 3, 1),
        (["--retire"], -2, 0, 1),  # another directory, which has been told nothing yet
    ],
)
def test_a_node_that_is_not_listed_is_not_taken_for_an_empty_one(
    words: list[str],
    up: int,
    on_it: int,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The directory may have lost its agent, or been started a moment ago: then it may be full of rooms."""
    from ops.commands import drain

    admin = Answers(2, None)
    admin.up, admin.on_it = up, on_it
    monkeypatch.setattr(drain, "Admin", lambda url, token: admin)
    assert cli.main(["drain", "a", "--wait", "0.1", *words]) == status
    said = capsys.readouterr()
    assert ("a is empty" in said.out) == (status == 0)
    assert ("not known" in said.err) == (status == 1 and not on_it)


@pytest.mark.parametrize(
    ("others", "why"),
    [
        (({"draining": False, "full": False},), "within 0 s\n"),
        (({"draining": True, "full": False}, {"draining": False, "full": True}), "no other node takes rooms"),
        ((), "there is no other node"),
    ],
)
def test_drain_says_where_waiting_longer_is_of_no_use(
    others: tuple[dict[str, Any], ...], why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from ops.commands import drain

    monkeypatch.setattr(drain, "Admin", lambda url, token: Answers(2, others=others))
    assert cli.main(["drain", "a", "--wait", "0.1"]) == 1
    assert why in capsys.readouterr().err


def test_drain_says_it_to_programs_as_well(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from ops.commands import drain

    admin = Answers(1, 0)
    monkeypatch.setattr(drain, "Admin", lambda url, token: admin)
    assert cli.main(["drain", "a", "--retire", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"node": "a", "draining": True, "rooms": 0}
    assert admin.changes == [("drain", {"node": "a", "retire": True})]


class Directory:
    """Stands for a node's connection: how many rooms which nodes have, again and again; the last answer stays."""

    def __init__(self, *answers: dict[str, int]) -> None:
        self.answers = list(answers)
        self.asked = asyncio.Event()

    def __call__(self, *_: Any) -> Directory:
        return self

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def admin(self, what: str, args: dict[str, Any], by: str = "") -> dict[str, Any]:
        if what != "nodes":
            return {}
        self.asked.set()
        rooms = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return {"nodes": [{"node": node, "rooms": count} for node, count in rooms.items()]}


def leaving(tmp_path: Path) -> join._Node:
    return join._Node(argparse.Namespace(name="a", role="rooms", directory="127.0.0.1:1"), b"s" * 32, tmp_path)


async def test_a_node_that_ends_waits_also_while_a_new_directory_does_not_list_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would end with all its rooms on it, just because the directory was started again meanwhile."""
    directory = Directory({"a": 2}, {}, {"b": 0}, {"a": 1}, {"a": 0})
    monkeypatch.setattr("cluster.connection.ClusterConnection", directory)
    await leaving(tmp_path)._drain(60.0)
    assert directory.answers == [{"a": 0}]


async def test_a_node_whose_ray_has_ended_does_not_wait_for_rooms_that_have_ended_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = Directory({"a": 2})
    monkeypatch.setattr("cluster.connection.ClusterConnection", directory)
    dead = asyncio.create_task(directory.asked.wait())
    async with asyncio.timeout(10.0):
        await leaving(tmp_path)._leave(60.0, dead)


async def test_what_goes_wrong_while_rooms_leave_is_not_taken_for_the_end_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cluster.connection.ClusterConnection", Directory())
    with pytest.raises(IndexError):
        await leaving(tmp_path)._leave(60.0, asyncio.create_task(asyncio.Event().wait()))
