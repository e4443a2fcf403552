"""Room processes and Ray: what one does to itself, and what is left of one that dies. Each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

import pytest

from cluster.ray_cluster import RAY_ENVIRONMENT

CODE = """
from cluster.ray_actors import limit_memory
limit_memory(64 * 2**20)
few = bytearray(16 * 2**20)
try:
    bytearray(128 * 2**20)
except MemoryError:
    print("refused")
print(len(bytearray(16 * 2**20)))
"""


def test_a_process_that_takes_too_much_at_once_is_refused_and_lives() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused", str(16 * 2**20)]


ON_RAY = """
import os, signal, sys, time
from pathlib import Path

import msgspec
import ray

from cluster import ray_cluster
from cluster.ray_actors import ProcessConfig, RaySpawner
from ops import proc

folder = Path(sys.argv[1])
ray_cluster.start_local(folder / "ray", slots=2)
node = ray_cluster.node_id()
config = msgspec.msgpack.encode(
    ProcessConfig(
        node="n", ray_node=node, secret=bytes(32), store=f"sqlite:{folder}", directory="127.0.0.1:1",
        socket=f"unix:{folder}/agent.sock", host="127.0.0.1", log=str(folder / "log"),
    )
)


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, "not so in time"
        time.sleep(0.05)
    return value


def rooms():
    return [pid for pid in proc.tree(os.getpid()) if proc.command(pid).startswith("ray::RoomActor")]


def nothing():
    pass


def slots():
    return ray.available_resources().get("room_slot", 0)
"""

DEAD = """
ended = []
RaySpawner(config, node).spawn("p", lambda: ended.append(1))
[pid] = until(rooms)
found = ray.get_actor("p")
os.kill(pid, signal.SIGKILL)
until(lambda: ended)
until(lambda: not proc.alive([pid]))
look_up, ray.get_actor = ray.get_actor, lambda name: found  # as Ray answers while it has not heard of the death
RaySpawner(config, node).forget("p")
ray.get_actor = look_up
RaySpawner(config, node).forget("p")  # by now it has, or has not: it is all the same
until(lambda: slots() == 2)
RaySpawner(config, node).spawn("p", nothing)  # the name is free
[again] = until(rooms)
print(again != pid)
"""

CREATOR = """
@ray.remote(num_cpus=0, max_restarts=0)
class Creator:
    def create(self):
        self.spawner = RaySpawner(config, node)
        self.spawner.spawn("p", nothing)
        return os.getpid()


creator = Creator.remote()
its = ray.get(creator.create.remote())
[pid] = until(rooms)
os.kill(its, signal.SIGKILL)
until(lambda: not proc.alive([its]))
time.sleep(3)  # Ray ends what a dead actor owned within a second; what is detached is nobody's
print(rooms() == [pid])
RaySpawner(config, node).forget("p")  # by one that has not made it
until(lambda: not proc.alive([pid]))
until(lambda: slots() == 2)
print("given back")
"""

UNCALLED = """
from cluster.ray_actors import RoomActor, on_node

where = {"name": "p", "lifetime": "detached", "scheduling_strategy": on_node(node), "resources": {"room_slot": 1}}


@ray.remote(num_cpus=0, max_restarts=0)
class Creator:
    def create(self):
        RoomActor.options(**where).remote(config, "p")  # and dies before it is there to be told anything
        return os.getpid()


creator = Creator.remote()
os.kill(ray.get(creator.create.remote()), signal.SIGKILL)
[pid] = until(rooms)
until(lambda: not proc.alive([pid]))
until(lambda: slots() == 2)
print("given back")
"""


REMEMBERED = """
from ray._private import state
from ray.core.generated.gcs_pb2 import WorkerTableData


def dead_workers():
    rows = state.state._connect_and_get_accessor().get_worker_table()
    return sum(not WorkerTableData.FromString(row).is_alive for row in rows)


for name in ("a", "b", "c", "d", "e"):
    RaySpawner(config, node).spawn(name, nothing)
    [pid] = until(rooms)
    os.kill(pid, signal.SIGKILL)
    until(lambda: not proc.alive([pid]))
    until(lambda: slots() == 2)
until(lambda: len(state.actors()) == 2)
until(lambda: dead_workers() == 3)
print("forgotten")
"""


def said_on_ray(code: str, **environment: str) -> list[str]:
    """The words that this says on a Ray of its own; Ray's environment is ours, where nothing else is said."""
    with tempfile.TemporaryDirectory(prefix="hp-") as folder:  # short: sockets live in it
        words = [sys.executable, "-c", ON_RAY + code, folder]
        env = {**os.environ, **environment}
        done = subprocess.run(words, env=env, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.split()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "says"),
    [(DEAD, ["True"]), (CREATOR, ["True", "given", "back"]), (UNCALLED, ["given", "back"])],
    ids=["dead", "creator", "uncalled"],
)
def test_a_process_is_forgotten_whoever_made_it_and_its_place_is_given_back(code: str, says: list[str]) -> None:
    """Also where a lookup by its name returns a dead actor, and where its creator died, be it before it served."""
    assert said_on_ray(code) == says


@pytest.mark.slow
def test_rays_head_remembers_no_more_dead_processes_than_it_is_told_to() -> None:
    """By the variables that we bound it with, at numbers that five deaths exceed; each is an actor and a worker."""
    actors, workers = (f"RAY_maximum_gcs_{kind}_cached_count" for kind in ("destroyed_actor", "dead_worker"))
    assert {actors, workers} < RAY_ENVIRONMENT.keys()
    assert said_on_ray(REMEMBERED, **{actors: "2", workers: "3"}) == ["forgotten"]
