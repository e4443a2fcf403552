"""hanpan on Ray: how the cluster is started on one machine, and how its processes run inside actors.

Ray starts processes, accounts for them and ends them. Nothing that a player does passes through it. Every actor here
is a plain one that sits in a single long call, ``serve``, with its own uvloop inside: an idle one costs a quarter of
what an asyncio actor costs (see the README for the figures).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import ray

NAMESPACE = "hanpan"

# Read by Ray's own processes, which inherit them; README.md has what each one saves.
RAY_ENVIRONMENT = {
    "RAY_AUTH_MODE": "disabled",  # on loopback, for one user; `ray.init` would else write a token to HOME
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


def start_local(temp: Path, slots: int) -> None:
    """Starts Ray on this machine, for this process and its children. Takes seconds; blocks.

    Must be called before the caller sets its signal handlers: Ray takes SIGTERM over.
    """
    os.environ.update({name: os.environ.get(name, value) for name, value in RAY_ENVIRONMENT.items()})
    site = str(Path(__file__).with_name("ray_site"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [site, os.environ.get("PYTHONPATH", "")]))
    _start_only_what_is_needed()
    ray.init(
        num_cpus=2,
        resources={"room_slot": slots},
        include_dashboard=False,
        object_store_memory=80 * 2**20,
        log_to_driver=False,
        configure_logging=False,
        namespace=NAMESPACE,
        _temp_dir=str(temp),
    )


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


def on_node(node: str) -> Any:
    """The scheduling strategy that starts an actor on this node and nowhere else."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return NodeAffinitySchedulingStrategy(node_id=node, soft=False)
