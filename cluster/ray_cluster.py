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

# Read by Ray's own processes, which inherit them; each one measured, see README.md.
RAY_ENVIRONMENT = {
    "RAY_AUTH_MODE": "disabled",  # on loopback, for one user; `ray.init` would else write a token to HOME
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",
    "RAY_worker_num_grpc_internal_threads": "1",
    "RAY_core_worker_num_server_call_thread": "1",
    "RAY_task_events_report_interval_ms": "0",
    "RAY_enable_metrics_collection": "0",
    "RAY_event_stats": "0",
    "RAY_start_python_gc_manager_thread": "0",
    "RAY_prestart_worker_first_driver": "0",
    "RAY_worker_register_timeout_seconds": "300",
    "RAY_pop_worker_max_retries": "-1",
    "RAY_memory_monitor_refresh_ms": "0",  # rooms are killed by their agent for a reason, not by age
    "RAY_DEDUP_LOGS": "0",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
}


def start_local(temp: Path, slots: int) -> None:
    """Starts Ray on this machine, for this process and its children. Takes seconds; blocks.

    Must be called before the caller sets its signal handlers: Ray takes SIGTERM over.
    """
    os.environ.update({name: os.environ.get(name, value) for name, value in RAY_ENVIRONMENT.items()})
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


def stop_local() -> None:
    """Ends Ray and every process it started."""
    ray.shutdown()


def node_id() -> str:
    """Ray's id of the node that the caller runs on."""
    return str(ray.get_runtime_context().get_node_id())


def on_node(node: str) -> Any:
    """The scheduling strategy that starts an actor on this node and nowhere else."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return NodeAffinitySchedulingStrategy(node_id=node, soft=False)
