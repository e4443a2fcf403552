"""hanpan on Ray: how the cluster is started on one machine or joined on many, and how processes run inside actors.

Ray starts processes, accounts for them and ends them. Nothing that a player does passes through it. Every actor here
is a plain one that sits in a single long call, ``serve``, with its own uvloop inside: an idle one costs a quarter of
what an asyncio actor costs (see the README for the figures).
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import ray

NAMESPACE = "hanpan"

# Read by Ray's own processes, which inherit them; README.md has what each one saves.
RAY_ENVIRONMENT = {
    "RAY_AUTH_MODE": "token",  # who reaches Ray's ports runs code as us, and other users of the machine reach loopback
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DEDUP_LOGS": "0",
    "RAY_BACKEND_LOG_LEVEL": "error",
    # Room processes are the service, not batch work, and have one thing to do.
    "RAY_worker_niceness": "0",
    "RAY_worker_num_grpc_internal_threads": "1",
    "RAY_core_worker_num_server_call_thread": "1",
    "RAY_start_python_gc_manager_thread": "0",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    # Starts come in storms, and a late one must not destroy its actor.
    "RAY_prestart_worker_first_driver": "0",
    "RAY_worker_register_timeout_seconds": "300",
    "RAY_pop_worker_max_retries": "-1",
    # Rooms are ended by their agent, for a reason; not by age, when memory is short.
    "RAY_memory_monitor_refresh_ms": "0",
    # Nobody reads Ray's own events and metrics here: hanpan has its own.
    "RAY_task_events_report_interval_ms": "0",
    "RAY_enable_metrics_collection": "0",
    "RAY_metrics_report_interval_ms": "60000",
    "RAY_event_stats": "0",
    "RAY_io_context_event_loop_lag_collection_interval_ms": "0",
    "RAY_io_context_monitor_probe_interval_ms": "60000",
    # Whom Ray's head remembers after their death: each room process is an actor and a worker to it, and nobody asks for
    # them. By itself it would keep 100,000 of each. Keep enough for a large node to be lost at once.
    "RAY_maximum_gcs_destroyed_actor_cached_count": "1000",
    "RAY_maximum_gcs_dead_worker_cached_count": "1000",
    # Timers that look for what sockets tell at once, or for objects that rooms do not have.
    "RAY_core_worker_internal_heartbeat_ms": "10000",
    "RAY_raylet_death_check_interval_milliseconds": "10000",
    "RAY_raylet_check_for_unexpected_worker_disconnect_interval_ms": "10000",
    "RAY_grpc_client_check_connection_status_interval_milliseconds": "10000",
    "RAY_free_objects_period_milliseconds": "10000",
    "RAY_report_worker_backlog_interval_ms": "10000",
    "RAY_kill_idle_workers_interval_ms": "5000",
    "RAY_object_manager_timer_freq_ms": "5000",
    "RAY_raylet_report_resources_period_milliseconds": "1000",
    "RAY_raylet_check_gc_period_milliseconds": "10000",
    "RAY_local_fs_monitor_interval_ms": "60000",
    "RAY_gcs_pull_resource_loads_period_milliseconds": "5000",
}


# What is different where Ray's nodes talk over a network. Who may reach them is said by whoever deploys them.
NODES_ENVIRONMENT = {
    **{name: value for name, value in RAY_ENVIRONMENT.items() if name != "RAY_AUTH_MODE"},
    # A node that Ray's head does not hear of is given up after some 10 s, instead of 15 to 65.
    "RAY_health_check_period_ms": "1000",
    "RAY_health_check_timeout_ms": "3000",
    "RAY_health_check_failure_threshold": "5",
    # And a head that is restarted, with its memory kept, is waited for. Playing needs no head.
    "RAY_gcs_rpc_server_reconnect_timeout_s": "300",
}

CONNECT_RETRY_SECONDS = 0.5
LOOPBACK = "127.0.0.1"
TOKEN = "RAY_AUTH_TOKEN"  # noqa: S105  # the name of a variable


def environment(ours: Mapping[str, str], env: Mapping[str, str]) -> dict[str, str]:
    """The environment for Ray's processes: ours, where nothing else is said, and the folder of `sitecustomize`."""
    site = str(Path(__file__).with_name("ray_site"))
    return {**ours, **env, "PYTHONPATH": os.pathsep.join(filter(None, [site, env.get("PYTHONPATH", "")]))}


def start_local(temp: Path, slots: int) -> None:
    """Starts Ray on this machine, for this process and its children, on loopback alone. Takes seconds; blocks.

    Must be called before the caller sets its signal handlers: Ray takes SIGTERM over. From then on our environment
    holds Ray's token (`TOKEN`): without it none of Ray's processes does what it is asked.
    """
    # Given in the environment, as Ray would else write one to HOME, where it outlives us.
    os.environ.update(environment({**RAY_ENVIRONMENT, TOKEN: secrets.token_hex(32)}, os.environ))
    _start_only_what_is_needed()
    _be_here_alone()
    ray.init(
        address="local",  # whatever RAY_ADDRESS says: that is another Ray
        _node_ip_address=LOOPBACK,
        num_cpus=2,
        resources={"room_slot": slots},
        include_dashboard=False,
        object_store_memory=80 * 2**20,
        log_to_driver=False,
        configure_logging=False,
        namespace=NAMESPACE,
        _temp_dir=str(temp),
    )


def join_local(address: str, node_ip: str, seconds: float, still: Callable[[], bool]) -> None:
    """Makes this process a driver of the Ray cluster at ``host:port``, by the Ray node of ``node_ip``, on this machine.

    Waits until that node is there; raises `TimeoutError` if it is not in time, or is ``still`` to come no more. Blocks,
    and takes SIGTERM over.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            ray.init(
                address=address,
                _node_ip_address=node_ip,
                namespace=NAMESPACE,
                log_to_driver=False,
                configure_logging=False,
            )
            return
        except (ConnectionError, RuntimeError, ValueError) as not_yet:  # Ray's ways to say that nobody is there
            if time.monotonic() > deadline or not still():
                raise TimeoutError(f"no Ray node at {node_ip}, of the cluster at {address}: {not_yet}") from not_yet
            ray.shutdown()
            time.sleep(CONNECT_RETRY_SECONDS)


def _start_only_what_is_needed() -> None:
    """Leaves out helpers of Ray that one machine has no use for, and that cost more than fifty idle rooms.

    The log monitor copies workers' output to drivers, the monitor scales clusters, the API server serves pages. A
    multi-node cluster leaves them out by flags of ``ray start``; ``ray.init`` has none for it, hence the private names,
    here and nowhere else.
    """
    from ray._private import worker
    from ray._private.node import Node

    def nothing(*args: Any, **kwargs: Any) -> None:
        return None

    for owner, part in (
        (Node, "start_log_monitor"),
        (Node, "start_monitor"),
        (Node, "start_api_server"),
        (worker, "listen_error_messages"),  # prints each death of a worker on our standard output; the agent logs it
    ):
        if not hasattr(owner, part):
            raise RuntimeError(f"this Ray has no {part}: see cluster/README.md")
        setattr(owner, part, nothing)


def _be_here_alone() -> None:
    """Lets Ray be at a loopback address, where all it starts listens to this machine alone.

    `ray.init` takes ``127.0.0.1`` for a mistake and puts this machine's address in its place, and Ray's processes then
    listen on every interface. And it has read the environment when it was imported, before we had a say in it.
    """
    from ray import _raylet
    from ray._private import services

    compiled: Any = _raylet  # of which the type checker sees nothing
    if not hasattr(services, "resolve_ip_for_localhost"):
        raise RuntimeError("this Ray has no resolve_ip_for_localhost: see cluster/README.md")
    services.resolve_ip_for_localhost = lambda host: host
    compiled.Config.initialize("")


def ask_for_slots(slots: int) -> None:
    """Tells Ray's autoscaler how many room processes there must be a place for, until it is told otherwise."""
    from ray.autoscaler.sdk import request_resources

    request_resources(bundles=[{"room_slot": 1}] * slots)


def stop_local() -> None:
    """Ends Ray and every process it started."""
    ray.shutdown()


def node_id() -> str:
    """Ray's id of the node that the caller runs on."""
    return str(ray.get_runtime_context().get_node_id())


def logs_folder() -> Path:
    """Where Ray's processes on this node write their logs. Ray says it nowhere in public."""
    from ray._private.worker import global_worker

    node: Any = global_worker.node
    return Path(node.get_logs_dir_path())


Standing = Literal["known", "leaving", "unknown"]


def standing(address: str, node: str, seconds: float) -> Standing:
    """What Ray's head at ``host:port`` takes this node for. Blocks; `ConnectionError` where it is silent.

    ``leaving``: the head was told that the node will go (an autoscaler, a machine that is taken back, ``ray
    drain-node``), and starts nothing there any more. ``unknown``: the head was started anew without its memory. What
    was connected to the old one is refused by it like a stranger's, takes that for an outage, and waits: so a new
    client asks.
    """
    from ray._raylet import GcsClient  # type: ignore[attr-defined]  # a C module, of which its types say nothing

    try:
        head = GcsClient(address=address)
        [known] = head.check_alive([ray.NodeID.from_hex(node)], timeout=seconds)
        if not known:
            return "unknown"
        return "leaving" if node in head.get_draining_nodes(timeout=seconds) else "known"
    except (ray.exceptions.RayError, RuntimeError) as silent:
        raise ConnectionError(f"Ray's head at {address}: {silent}") from silent


def on_node(node: str) -> Any:
    """The scheduling strategy that starts an actor on this node and nowhere else."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return NodeAffinitySchedulingStrategy(node_id=node, soft=False)
