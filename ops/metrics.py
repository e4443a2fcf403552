"""Every metric that hanpan has, as one table; and the tally that processes keep of them.

A room process counts in a `Tally`, which is plain Python and imports nothing. Every few seconds it drains what has been
added since, and sends that to its node agent, whose tally merges it and is what ``/metrics`` shows. A room process that
ends takes none of its counters along.

    room process: count, observe ─drain─▶ bytes over the link ─merge─▶ node agent: exposition ─▶ Prometheus

A tally is either drained or shown. Room ids and player ids are never labels; each label's values are a closed set, or
the first so many that come. A value beyond that counts as ``other``.

METRICS.md is made from this table.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from prometheus_client.core import Metric as Family
    from prometheus_client.registry import CollectorRegistry

CONTENT_TYPE = "text/plain; version=1.0.0; charset=utf-8"
OTHER = "other"

Kind = Literal["counter", "gauge", "histogram"]
Part = Literal[
    "node", "gateway"
]  # whose page of metrics; a node's holds what its room processes and the directory count
Labels = tuple[str, ...]


class Label(msgspec.Struct, frozen=True):
    """A label, and the values it can take."""

    name: str
    values: frozenset[str] | int  # a closed set; or: the first so many different ones


class Metric(msgspec.Struct, frozen=True):
    """A row of the catalogue."""

    name: str
    kind: Kind
    help: str
    labels: tuple[Label, ...] = ()
    buckets: tuple[float, ...] = ()  # upper bounds, seconds; +Inf is understood

    @property
    def parts(self) -> tuple[Part, ...]:
        """Who shows it."""
        if self.name.startswith(("hanpan_gateway_", "hanpan_outbox_")):
            return ("gateway",)
        both = self.name.startswith(("hanpan_link", "hanpan_info", "hanpan_tasks"))
        return ("node", "gateway") if both else ("node",)

    def foreseeable(self) -> Iterator[Labels]:
        """All labels that it can have, where that is known: they are shown as zeros before anything has happened.

        A counter that begins at 1 has never risen, for all that Prometheus knows.
        """
        values = [sorted(label.values) for label in self.labels if isinstance(label.values, frozenset)]
        return product(*values) if len(values) == len(self.labels) else iter(())


def _counter(name: str, help: str, *labels: Label) -> Metric:
    return Metric(name, "counter", help, labels)


def _gauge(name: str, help: str, *labels: Label) -> Metric:
    return Metric(name, "gauge", help, labels)


def _histogram(name: str, buckets: tuple[float, ...], help: str, *labels: Label) -> Metric:
    return Metric(name, "histogram", help, labels, buckets)


def _one_of(name: str, values: str) -> Label:
    return Label(name, frozenset(values.split()))


GAME = Label("game", 64)
MODE = Label("mode", 32)  # of a game's rules, where it has several
CODE = Label("code", 96)  # of refusals and byes; games have their own
PHASE = Label("phase", 64)
ROUTE = Label("route", 48)  # the pattern, never the path
STATUS = Label("status", 32)
TYPE = Label("type", 32)
VERSION = Label("version", 8)
OUTCOME = _one_of("outcome", "accepted refused")
GAME_EVENT = _one_of("event", "begun ended")
ROOM_STATE = _one_of("state", "waiting playing finished parked placing stranded quarantined")
REASON = _one_of("reason", "died node hung stopped memory fenced drain move restart woken")
HAND_OVER = _one_of(
    "code",
    "busy cannot_play conflict died full hung internal no_spare node_lost quarantine storage_down unavailable",
)
DEATH = _one_of("reason", "died hung stopped memory fenced spare")
STORE = _one_of("store", "memory sqlite postgres")
LOG_ERROR = _one_of("kind", "conflict unavailable")
ROLE = _one_of("role", "player spectator")
RESUMED = _one_of("kind", "missed fresh")
PEER = _one_of("kind", "gateway room agent directory")
DONE = _one_of("outcome", "ok failed")
MISFIT = _one_of("reason", "undecodable unknown misshapen")
CPU = _one_of("kind", "busy idle waiting")
SIZE = _one_of("kind", "total available")
FOLDER = _one_of("folder", "data logs ray")

# From 0.2 ms, a commit on a good disk, to 10 s, when somebody has given up.
FAST = (0.0002, 0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
RECOVERY = (0.005, 0.01, 0.02, 0.03, 0.04, 0.06, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2.5, 5, 10, 30)
START = (0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60)
PEOPLE = (0.1, 0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 45, 60, 120)

CATALOGUE: tuple[Metric, ...] = (
    # turns
    _histogram("hanpan_turn_seconds", FAST, "From an action's arrival in the room until all are told.", GAME, MODE),
    _histogram("hanpan_turn_decide_seconds", FAST, "The part of a turn in which the engine judges.", GAME),
    _histogram("hanpan_turn_append_seconds", FAST, "The part of a turn in which the log takes the action.", GAME),
    _histogram("hanpan_turn_tell_seconds", FAST, "The part of a turn in which everyone is told.", GAME),
    _histogram("hanpan_player_seconds", PEOPLE, "How long a player took, from the question to the answer.", GAME),
    _counter("hanpan_timeouts_total", "Deadlines that passed.", GAME, MODE, PHASE),
    _counter("hanpan_actions_total", "Actions judged; the code of an accepted one is ok.", GAME, OUTCOME, CODE),
    # games
    _counter("hanpan_games_total", "Games that began, and that came to their end.", GAME, MODE, GAME_EVENT),
    _counter("hanpan_bot_faults_total", "Moves of a game's bot that were none; a legal one was played instead.", GAME),
    # rooms and processes
    _gauge("hanpan_rooms", "Rooms that are not closed; the directory's view.", ROOM_STATE, GAME),
    _gauge(
        "hanpan_rooms_overdue", "Rooms that have waited for a process for more than a minute; the directory's view."
    ),
    _gauge("hanpan_rooms_paused", "Rooms that stand still because the store does not answer."),
    _gauge("hanpan_room_processes", "Room processes that own a room."),
    _gauge("hanpan_spares", "Room processes that are ready to take a room."),
    _gauge("hanpan_spares_wanted", "Spares that the node is to keep; the directory says, by demand."),
    _gauge("hanpan_processes_starting", "Room processes that are being started."),
    _gauge("hanpan_process_limit", "Room processes that the node may have, spares included."),
    _counter("hanpan_process_starts_total", "Room processes that were started, or failed to.", DONE),
    _histogram("hanpan_process_start_seconds", START, "From a process's start until it is ready as a spare."),
    _counter("hanpan_process_deaths_total", "Room processes that ended without being told to.", DEATH),
    _counter("hanpan_spare_waits_total", "Rooms that had to wait because no spare was ready."),
    _histogram("hanpan_placement_seconds", RECOVERY, "From the wish for an owner until a process owns the room."),
    _counter("hanpan_handovers_refused_total", "Hand-overs that did not come about.", HAND_OVER),
    _counter("hanpan_recoveries_total", "Rooms that were brought back.", REASON),
    _histogram("hanpan_recovery_seconds", RECOVERY, "From a room process's death until another owns the room."),
    _histogram("hanpan_takeover_seconds", RECOVERY, "The process's part of that: claim, read the log, replay it."),
    # the log
    _counter("hanpan_log_appends_total", "Appends that the store has taken.", STORE),
    _counter("hanpan_log_errors_total", "Appends, claims and probes that the store has not taken.", STORE, LOG_ERROR),
    _histogram("hanpan_log_append_seconds", FAST, "How long an append took until it was durable.", STORE),
    _counter("hanpan_log_commits_total", "Commits of a node's clerk; several appends can share one.", STORE),
    _gauge("hanpan_store_connections", "Connections of a node's clerk to the store.", STORE),
    _counter("hanpan_log_snapshots_total", "Snapshots that the store has taken.", STORE),
    # people
    _gauge("hanpan_sessions", "Sessions that are connected to a room.", ROLE),
    _counter("hanpan_outbox_drops_total", "Sessions ended because the client did not read."),
    # the gateway
    _gauge("hanpan_gateway_sockets", "WebSockets that are open."),
    _gauge("hanpan_gateway_sockets_limit", "WebSockets that may be open."),
    _gauge("hanpan_gateway_makes_rooms", "1 while rooms can be made: the directory is there, and a node takes them."),
    _gauge("hanpan_gateway_overloaded", "1 while new business is turned away because the event loop is late."),
    _histogram(
        "hanpan_gateway_loop_late_seconds", FAST, "How late the event loop's heartbeat was, ten times a second."
    ),
    _counter("hanpan_gateway_account_keys_total", "Tries to fetch the identity provider's keys.", DONE),
    _counter("hanpan_gateway_handshakes_total", "Hellos, by what came of them: ok, or the code of the Bye.", CODE),
    _counter("hanpan_gateway_resumes_total", "Hellos with a seq: told what was missed, or a fresh view.", RESUMED),
    _counter("hanpan_gateway_byes_total", "Sockets that the server ended, by the code of the Bye.", CODE),
    _counter("hanpan_gateway_messages_in_total", "Messages from clients.", TYPE),
    _counter("hanpan_gateway_messages_out_total", "Messages to clients."),
    _counter("hanpan_gateway_bytes_out_total", "Bytes of messages to clients."),
    _counter("hanpan_gateway_refused_total", "Messages and requests that the gateway itself refused.", CODE),
    _counter("hanpan_gateway_http_requests_total", "HTTP requests.", ROUTE, STATUS),
    _histogram("hanpan_gateway_http_seconds", FAST, "How long HTTP requests took.", ROUTE),
    # the links
    _gauge("hanpan_links", "Links that are open, by who is at the other end.", PEER),
    _counter("hanpan_link_dials_total", "Tries to open a link.", DONE),
    _counter("hanpan_link_auth_failures_total", "Peers that did not know the secret."),
    # the node
    _gauge("hanpan_nodes", "Node agents that are connected to the directory."),
    _gauge("hanpan_gateways", "Gateways that are connected to the directory."),
    _counter("hanpan_node_cpu_seconds_total", "Time of the node's cores; waiting: for disks.", CPU),
    _gauge("hanpan_node_memory_bytes", "Memory of the node, or what its container may have.", SIZE),
    _gauge("hanpan_node_disk_bytes", "The disks under hanpan's folders.", FOLDER, SIZE),
    _gauge("hanpan_process_memory_bytes", "Memory of a room process (PSS), the mean of a sample."),
    _counter(
        "hanpan_ray_log_files_removed_total", "Log files of Ray's that were removed, their processes having ended."
    ),
    _gauge("hanpan_ray_log_files", "Files in Ray's log folder."),
    _gauge("hanpan_ray_log_bytes", "Their size."),
    # hanpan itself
    _gauge("hanpan_tasks", "Tasks of the gateway's event loop; of a node: of its agent's and the directory's."),
    _gauge("hanpan_info", "1, under the version that runs.", VERSION),
    _counter("hanpan_metrics_discarded_total", "Counts of other processes that fit no row of this table.", MISFIT),
)

BY_NAME: Mapping[str, Metric] = {metric.name: metric for metric in CATALOGUE}
_BOUNDS = {metric.name: metric.buckets for metric in CATALOGUE if metric.kind == "histogram"}
_SIZES = {metric.name: len(metric.buckets) + 2 if metric.buckets else 1 for metric in CATALOGUE}

LATER_LIMIT = 512  # observations kept for later

Cells = dict[Labels, list[float]]  # a counter's or gauge's value; a histogram's count for each bucket, and its sum
Row = tuple[str, Labels, list[float]]


class _Delta(msgspec.Struct, frozen=True, array_like=True):
    """What `drain` sends: what was added, and the gauges that changed."""

    counters: list[Row]
    histograms: list[Row]
    gauges: list[Row]


_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(_Delta)


class Tally:
    """Counts, for one process or for a node.

    Used from one thread, the event loop's; `exposition` may be called from any. A counting call costs well under a
    microsecond. A name that is not in the catalogue, or is there as another kind, raises `KeyError`; a wrong number of
    labels raises `ValueError`.
    """

    def __init__(self, part: Part | None = None, node: str = "") -> None:
        """``part``: what it shows, on whose page; nothing where it is only drained. ``node``: a label on all of it."""
        self._part = part
        self._always = {"node": node} if node else {}
        self._counters: dict[str, Cells] = _cells("counter")
        self._histograms: dict[str, Cells] = _cells("histogram")
        self._gauges: dict[str, dict[str, Cells]] = {"": _cells("gauge")}  # by source; our own have none
        self._changed: set[tuple[str, Labels]] = set()  # own gauges, since the last drain
        self._later: list[tuple[str, *tuple[str, ...], float]] = []  # given to `soon`, and not counted yet
        self._seen: dict[tuple[str, str], set[str]] = {}  # the values that an open label has had, by metric and label
        self._registry: CollectorRegistry | None = None

    # ------------------------------------------------------------ counting

    def count(self, name: str, *labels: str, by: float = 1) -> None:
        """Adds to a counter."""
        cells = self._counters[name]
        cell = cells.get(labels)
        if cell is None:
            cell = cells.setdefault(self._fold(name, labels), [0])
        cell[0] += by

    def gauge(self, name: str, *labels: str, value: float) -> None:
        """Sets this process's own value of a gauge."""
        cells = self._gauges[""][name]
        if labels not in cells:
            labels = self._fold(name, labels)
        if cells.get(labels) != [value]:
            cells[labels] = [value]
            self._changed.add((name, labels))

    def observe(self, name: str, *labels_and_value: *tuple[*tuple[str, ...], float]) -> None:
        """Adds a duration in seconds, the last argument, to a histogram."""
        labels: Labels = labels_and_value[:-1]
        value: float = labels_and_value[-1]
        cells, bounds = self._histograms[name], _BOUNDS[name]
        cell = cells.get(labels)
        if cell is None:
            cell = cells.setdefault(self._fold(name, labels), [0] * _SIZES[name])
        cell[bisect_left(bounds, value)] += 1
        cell[-1] += value

    def soon(self, *observed: tuple[str, *tuple[str, ...], float]) -> None:
        """What several calls of `count` (by its last value) and `observe` would do, done at the next `drain`.

        For the path of an action: a process that wakes for one finds its caches cold, and one call costs less than six.
        """
        self._later.extend(observed)
        if len(self._later) > LATER_LIMIT:
            self._settle()

    def _settle(self) -> None:
        later, self._later = self._later, []
        for observed in later:
            if observed[0] in self._histograms:
                self.observe(*observed)
            else:
                self.count(*observed[:-1], by=observed[-1])

    def _fold(self, name: str, labels: Labels) -> Labels:
        """The labels to count under: these, where they are in bounds."""
        wanted = BY_NAME[name].labels
        if len(labels) != len(wanted):
            raise ValueError(f"{name} has the labels {[label.name for label in wanted]}; given {labels!r}")
        return tuple([self._bounded(name, label, value) for label, value in zip(wanted, labels, strict=True)])

    def _bounded(self, name: str, label: Label, value: str) -> str:
        if isinstance(label.values, frozenset):
            return value if value in label.values else OTHER
        seen = self._seen.setdefault((name, label.name), set())
        if value not in seen and len(seen) < label.values and 0 < len(value) <= 64:
            seen.add(value)
        return value if value in seen else OTHER

    # ------------------------------------------------------------ between processes

    def drain(self, *, all_gauges: bool = False) -> bytes:
        """What was counted since the last drain, to be merged elsewhere; ``b""`` if nothing was.

        Gauges come only when they changed. Ask for all of them where the receiver is a new one.
        """
        self._settle()
        own = self._gauges[""]
        delta = _Delta(
            _rows(self._counters),
            _rows(self._histograms),
            [row for row in _rows(own) if all_gauges or row[:2] in self._changed],
        )
        for cells in (*self._counters.values(), *self._histograms.values()):
            cells.clear()
        self._changed.clear()
        return _encode(delta) if delta.counters or delta.histograms or delta.gauges else b""

    def merge(self, delta: bytes, source: str) -> None:
        """Adds what another process drained. Its gauges stay apart, under ``source``, until `forget`.

        Another process may be of another version: what does not fit is left out, and counted as discarded.
        """
        if not source:
            raise ValueError("a source has a name")
        if not delta:
            return
        try:
            said = _decoder.decode(delta)
        except msgspec.MsgspecError:
            self.count("hanpan_metrics_discarded_total", "undecodable")
            return
        for rows, families in ((said.counters, self._counters), (said.histograms, self._histograms)):
            for name, labels, values in rows:
                if (at := self._fitting(families, name, labels, values)) is not None:
                    cell = families[name].get(at, [0] * len(values))
                    families[name][at] = [old + new for old, new in zip(cell, values, strict=True)]
        gauges = self._gauges.setdefault(source, _cells("gauge"))
        for name, labels, values in said.gauges:
            if (at := self._fitting(gauges, name, labels, values)) is not None:
                gauges[name][at] = values

    def _fitting(self, families: Mapping[str, Cells], name: str, labels: Labels, values: list[float]) -> Labels | None:
        """The labels to count under; None where this row is none of ours."""
        if name not in families:
            self.count("hanpan_metrics_discarded_total", "unknown")
            return None
        if len(labels) != len(BY_NAME[name].labels) or len(values) != _SIZES[name]:
            self.count("hanpan_metrics_discarded_total", "misshapen")
            return None
        return self._fold(name, labels)

    def forget(self, source: str) -> None:
        """The source is gone: so are its gauges. What it counted stays."""
        if source:
            self._gauges.pop(source, None)

    # ------------------------------------------------------------ showing

    def standing(self, name: str) -> dict[Labels, tuple[float, ...]]:
        """What stands under this name now: a counter's or gauge's value; a histogram's counts by bucket, and its sum.

        Raises `KeyError` for a name that is not in the catalogue.
        """
        if BY_NAME[name].kind == "gauge":
            return {labels: (value,) for labels, value in self._summed(name).items()}
        family = self._counters if BY_NAME[name].kind == "counter" else self._histograms
        return {labels: tuple(cell) for labels, cell in _copied(family[name])}

    def exposition(self) -> bytes:
        """Everything counted so far, and this process's own vital signs, as Prometheus text."""
        from prometheus_client.exposition import generate_latest

        return generate_latest(self.registry())

    def registry(self) -> CollectorRegistry:
        """This tally as a source for prometheus_client's exposers."""
        if self._registry is None:
            from prometheus_client.process_collector import ProcessCollector
            from prometheus_client.registry import CollectorRegistry

            registry = CollectorRegistry(auto_describe=False)
            ProcessCollector(registry=registry)
            registry.register(_Collector(self._families))
            self._registry = registry
        return self._registry

    def _families(self) -> Iterator[Family]:
        """All metrics, also those without a value yet. Copies each dict in one step, as others may be counting."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        always = tuple(self._always.values())
        for metric in CATALOGUE:
            if self._part is not None and self._part not in metric.parts:
                continue
            names = [*self._always, *(label.name for label in metric.labels)]
            if metric.kind == "counter":
                counter = CounterMetricFamily(metric.name, metric.help, labels=names)
                for labels, cell in _copied(self._counters[metric.name], self._foreseeable(metric)):
                    counter.add_metric(always + labels, cell[0])
                yield counter
            elif metric.kind == "gauge":
                gauge = GaugeMetricFamily(metric.name, metric.help, labels=names)
                for labels, value in self._summed(metric.name).items():
                    gauge.add_metric(always + labels, value)
                yield gauge
            else:
                histogram = HistogramMetricFamily(metric.name, metric.help, labels=names)
                for labels, cell in _copied(self._histograms[metric.name], self._foreseeable(metric)):
                    buckets = _cumulated(metric.buckets, cell[:-1])
                    histogram.add_metric(always + labels, buckets, cell[-1])
                yield histogram

    def _foreseeable(self, metric: Metric) -> Cells:
        """Zeros; only where it is known whose page this is."""
        return {} if self._part is None else {labels: [0] * _SIZES[metric.name] for labels in metric.foreseeable()}

    def _summed(self, gauge: str) -> dict[Labels, float]:
        total: dict[Labels, float] = {}
        for families in list(self._gauges.values()):
            for labels, cell in _copied(families[gauge]):
                total[labels] = total.get(labels, 0) + cell[0]
        return total


class _Collector:
    """What prometheus_client calls a collector."""

    def __init__(self, collect: Callable[[], Iterable[Family]]) -> None:
        self.collect = collect


def _cells(kind: Kind) -> dict[str, Cells]:
    return {metric.name: {} for metric in CATALOGUE if metric.kind == kind}


def _rows(families: Mapping[str, Cells]) -> list[Row]:
    return [(name, labels, cell) for name, cells in families.items() for labels, cell in cells.items()]


def _copied(cells: Cells, zeros: Cells | None = None) -> list[tuple[Labels, list[float]]]:
    return [(labels, list(cell)) for labels, cell in ((zeros or {}) | cells).items()]


def _cumulated(bounds: tuple[float, ...], counts: list[float]) -> list[tuple[str, float]]:
    buckets, total = [], 0.0
    for bound, count in zip([*map(str, bounds), "+Inf"], counts, strict=True):
        total += count
        buckets.append((bound, total))
    return buckets


def serve_metrics(tally: Tally, host: str, port: int) -> tuple[int, Callable[[], None]]:
    """Shows the tally at ``/metrics``, from a thread of its own. Returns the port that was taken, and what stops it."""
    from prometheus_client.exposition import start_http_server

    server, thread = start_http_server(port, host, tally.registry())

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return server.server_port, stop
