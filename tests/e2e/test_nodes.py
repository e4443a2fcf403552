"""hanpan on several nodes of a real Ray cluster, laid out as KubeRay lays it out: drained, killed, and played on."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ops import postgres as servers
from ops.chaos.nodes import HEAD, Nodes, nodes
from tests.conftest import QUICK
from tests.e2e.running import Phone, alive, called, phones, wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(420)]

ADDRESSES = {"one": "127.0.0.3", "two": "127.0.0.4"}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Nodes]:
    from cluster.stores.schema import migrate

    with servers.postgres(QUICK) as server:
        asyncio.run(migrate(server.url))
        with nodes(server.url) as cluster:
            scaled = {"HANPAN_HEADROOM": "25", "HANPAN_LEAST_NODES": "2", "RAY_enable_autoscaler_v2": "true"}
            cluster.node("head", HEAD, "directory", **scaled)  # the last as KubeRay sets it
            cluster.gateway()
            for name, ip in ADDRESSES.items():
                cluster.node(name, ip)
            cluster.wait_for(*ADDRESSES)
            yield cluster


async def two_at_a_table(a: Phone, b: Phone) -> str:
    room = await a.post("/api/rooms", {"game": "ninety-nine", "seats": 2, "autoStart": True})
    await a.join(room["id"])
    await b.join(room["id"])
    await turns(a, b)
    return str(room["id"])


async def turns(a: Phone, b: Phone, count: int = 3) -> None:
    for _ in range(count):
        mover = await a.until(lambda: next((p for p in (a, b) if p.situation.get("decision")), None), 60)
        answer = await mover.play()
        assert answer["type"] == "ack", answer


async def moved(cluster: Nodes, room: str, to: str) -> None:
    """Until the room is there. Meanwhile its players hear what happens, as turns may time out: that takes a while."""
    await asyncio.to_thread(wait_until, lambda: cluster.room(room)["node"] == to, 90)


def other(name: str) -> str:
    return next(node for node in ADDRESSES if node != name)


async def test_rooms_run_where_gateways_reach_them_and_only_there(cluster: Nodes) -> None:
    """The directory's node has no room process; a room listens on its node's address, in the range that was given."""
    async with phones(cluster.url, "a", "b") as (a, b):
        room = await two_at_a_table(a, b)
        row = cluster.room(room)
        assert row["node"] in ADDRESSES
        listening = ports_of(row["pid"])
        assert [port for port in listening if 20_000 <= port <= 29_999], listening
        assert set(cluster.rows()) == set(ADDRESSES)
        metrics = cluster.rows()[row["node"]]["metrics"]
        assert b"hanpan_spares " in await asyncio.to_thread(page, f"http://{metrics}/metrics")


async def test_room_processes_do_not_have_the_secrets_lying_about(cluster: Nodes) -> None:
    async with phones(cluster.url, "a", "b") as (a, b):
        row = cluster.room(await two_at_a_table(a, b))
        environment = await asyncio.to_thread(Path(f"/proc/{row['pid']}/environ").read_bytes)
        assert b"HANPAN_" not in environment
        assert b"postgres" not in environment
        assert os.getpriority(os.PRIO_PROCESS, row["pid"]) == os.getpriority(os.PRIO_PROCESS, os.getpid())


async def test_a_node_that_is_told_to_end_leaves_its_rooms_to_others_first(cluster: Nodes) -> None:
    """What happens to a pod that is evicted: no socket is closed, no move is lost, and nothing is left behind."""
    async with phones(cluster.url, "a", "b") as (a, b):
        room = await two_at_a_table(a, b)
        node = cluster.room(room)["node"]
        epoch = cluster.room(room)["epoch"]
        leaving = cluster.parts[node]
        leaving.process.send_signal(signal.SIGTERM)
        await moved(cluster, room, other(node))
        await turns(a, b)
        assert leaving.end() == 0  # it is told again, which must not cut short what it does
        assert '"event":"drained"' in leaving.said
        assert f'"process":"agent {node}"' in leaving.said  # its actors' lines are where ours are: kubectl logs
        assert cluster.room(room)["epoch"] == epoch + 1
        for phone in (a, b):
            assert not [m for m in phone.messages if m["type"] == "bye"]
        cluster.node(node, ADDRESSES[node])
        cluster.wait_for(*ADDRESSES)


async def test_a_node_that_ray_is_told_will_go_leaves_its_rooms_to_others_and_ends(cluster: Nodes) -> None:
    """What happens where a machine is taken back: Ray has a notice of that, and starts no process there any more."""
    async with phones(cluster.url, "a", "b") as (a, b):
        room = await two_at_a_table(a, b)
        row = cluster.room(room)
        leaving = cluster.parts[row["node"]]
        [ray_node] = re.findall(r'"ray_node":"(\w+)"', leaving.said)
        words = ["drain-node", "--address", f"{HEAD}:{cluster.gcs}", "--node-id", ray_node]
        words += ["--reason", "DRAIN_NODE_REASON_PREEMPTION", "--reason-message", "taken back"]
        await asyncio.to_thread(ray, cluster, *words, "--deadline-remaining-seconds", "300")
        await moved(cluster, room, other(row["node"]))
        await turns(a, b)
        assert cluster.room(room)["epoch"] == row["epoch"] + 1
        for phone in (a, b):
            assert not [m for m in phone.messages if m["type"] == "bye"]
        wait_until(lambda: leaving.ended, 60)  # as Ray ends there, when nothing is left that it could wait for
        assert '"event":"told_to_go"' in leaving.said
        assert leaving.process.returncode == 0, leaving.said[-2000:]
        cluster.node(row["node"], ADDRESSES[row["node"]])
        cluster.wait_for(*ADDRESSES)


async def test_hanpan_drain_empties_a_node_and_undoes_it(cluster: Nodes, capsys: pytest.CaptureFixture[str]) -> None:
    from ops import cli

    def drain(*words: str) -> int:
        return cli.main(["drain", *words, "--url", cluster.url, "--token", cluster.token])

    async with phones(cluster.url, "a", "b") as (a, b):
        room = await two_at_a_table(a, b)
        node = cluster.room(room)["node"]
        assert drain(node) == 0
        assert capsys.readouterr().out == f"{node} is empty\n"
        assert cluster.room(room)["node"] == other(node)
        wait_until(lambda: cluster.rows()[node]["processes"] == 0, 30)
        assert drain(node, "--undo") == 0
        await asyncio.to_thread(cluster.wait_for, *ADDRESSES)
        await turns(a, b)
        assert drain("nowhere") == 3


def test_rooms_on_other_machines_are_killed_by_their_agents_and_nothing_is_lost(
    cluster: Nodes, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `helm test` does: the very command of its pod."""
    from ops import cli

    words = ["chaos", "kill-rooms", "--remote", "--rooms", "1", "--players", "3", "--kills", "2", "--json"]
    assert cli.main([*words, "--url", cluster.url, "--token", cluster.token]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["kills"], report["lost"], report["doubled"], report["viewMismatches"]) == (2, 0, 0, 0)


async def test_rooms_of_a_node_that_is_gone_come_back_on_another(cluster: Nodes) -> None:
    """The whole node at once, as when a machine fails."""
    async with phones(cluster.url, "a", "b") as (a, b):
        room = await two_at_a_table(a, b)
        node = cluster.room(room)["node"]
        cluster.parts[node].kill()
        await moved(cluster, room, other(node))
        await turns(a, b)
        assert not [m for m in a.messages if m["type"] == "bye"]
        cluster.node(node, ADDRESSES[node])
        cluster.wait_for(*ADDRESSES)


async def test_a_node_whose_ray_ends_ends_with_it(cluster: Nodes) -> None:
    """So that whoever started it, Kubernetes above all, sees that and starts it anew."""
    node = cluster.parts["two"]
    [raylet] = wait_until(lambda: called(node.processes(), "raylet/raylet"))
    os.kill(raylet, signal.SIGKILL)
    assert node.process.wait(60) == 1
    cluster.node("two", ADDRESSES["two"])
    cluster.wait_for(*ADDRESSES)


async def test_ray_ends_where_join_is_killed(cluster: Nodes) -> None:
    """So that no Ray node is left that nobody keeps."""
    node = cluster.parts["two"]
    everything = node.processes()
    node.process.kill()
    node.process.wait(10)
    wait_until(lambda: not alive(everything), 60)
    cluster.node("two", ADDRESSES["two"])
    cluster.wait_for(*ADDRESSES)


async def test_rays_autoscaler_is_told_what_rooms_need_and_sees_a_retired_node_as_idle(cluster: Nodes) -> None:
    """It asks for nodes by what it is told, and takes away what does nothing: an agent must not be there for ever."""

    def asked() -> dict[str, Any]:
        """In a process of its own: Ray reads how to prove who it is but once."""
        code = (
            "import json; from ray.autoscaler.v2.sdk import get_cluster_status as status; "
            f"s = status('{HEAD}:{cluster.gcs}'); ds = s.resource_demands.cluster_constraint_demand; "
            "print(json.dumps({'slots': sum(b.count for d in ds for b in d.bundles_by_count), "
            "'idle': [n.ip_address for n in s.idle_nodes]}))"
        )
        env = {**os.environ, **cluster.common}
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return said

    def enough() -> bool:
        """Rooms that nobody is in are parked meanwhile."""
        return bool(asked()["slots"] == 25 + sum(row["rooms"] for row in cluster.rows().values()))

    wait_until(enough, 90)
    assert ADDRESSES["two"] not in asked()["idle"]
    cluster.admin.change("drain", node="two", retire=True)
    wait_until(lambda: ADDRESSES["two"] in asked()["idle"], 90)
    assert cluster.parts["two"].process.poll() is None  # until it is ended
    assert "two" not in cluster.rows()
    assert cluster.parts["two"].end() == 0


def ray(cluster: Nodes, *words: str) -> None:
    """Ray's own command, by whoever has the cluster's token."""
    command = [str(Path(sys.executable).with_name("ray")), *words]
    done = subprocess.run(command, env={**os.environ, **cluster.common}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def page(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=5) as answer:
        return bytes(answer.read())


def ports_of(pid: int) -> list[int]:
    """The TCP ports on which a process listens."""
    sockets = set()
    for fd in Path(f"/proc/{pid}/fd").iterdir():
        try:
            sockets.add(os.readlink(fd))
        except FileNotFoundError:
            continue
    found: list[Any] = [line.split() for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]]
    return [int(row[1].split(":")[1], 16) for row in found if row[3] == "0A" and f"socket:[{row[9]}]" in sockets]
