"""What the gateway counts. The numbers' names and meanings are in `ops.metrics`; here is only where they come from."""

from __future__ import annotations

from typing import Protocol

from gateway.refusals import PARTINGS, REFUSALS
from ops.metrics import CONTENT_TYPE, Tally

__all__ = ["CONTENT_TYPE", "GatewayMetrics", "NoMetrics", "TallyMetrics"]


class GatewayMetrics(Protocol):
    """Called on the event loop, also on the path of an action: a call costs about a microsecond."""

    def sockets(self, open: int) -> None:
        """So many WebSockets are open."""

    def handshake(self, code: str) -> None:
        """A hello led to a session (``ok``), or a socket ended before (the code of its Bye; ``gone``)."""

    def resumed(self, missed: bool) -> None:
        """A hello with a seq was answered by what was missed, or by a fresh view."""

    def bye(self, code: str) -> None:
        """The server ended a socket."""

    def outbox_dropped(self) -> None:
        """A client that does not read was sent away."""

    def message_in(self, kind: str) -> None:
        """A client's message was taken."""

    def messages_out(self, count: int, size: int) -> None:
        """Messages, and bytes of them, were written to a client's socket."""

    def refused(self, code: str) -> None:
        """The gateway itself refused a message or a request."""

    def account_keys(self, fetched: bool) -> None:
        """The identity provider's keys were fetched, or could not be."""

    def http(self, route: str, status: int, seconds: float) -> None:
        """An HTTP request was answered."""

    def beat(self, late: float, overloaded: bool) -> None:
        """The event loop's heartbeat came so late, in seconds; and whether new business is turned away."""

    def tasks(self, count: int) -> None:
        """The event loop has so many tasks."""

    def makes_rooms(self, can: bool) -> None:
        """Whether rooms can be made here."""

    def exposition(self) -> bytes:
        """Everything, as Prometheus text. Called off the event loop."""
        ...


class NoMetrics:
    """Counts nothing."""

    def sockets(self, open: int) -> None: ...
    def handshake(self, code: str) -> None: ...
    def resumed(self, missed: bool) -> None: ...
    def bye(self, code: str) -> None: ...
    def outbox_dropped(self) -> None: ...
    def message_in(self, kind: str) -> None: ...
    def messages_out(self, count: int, size: int) -> None: ...
    def refused(self, code: str) -> None: ...
    def account_keys(self, fetched: bool) -> None: ...
    def http(self, route: str, status: int, seconds: float) -> None: ...
    def beat(self, late: float, overloaded: bool) -> None: ...
    def tasks(self, count: int) -> None: ...
    def makes_rooms(self, can: bool) -> None: ...
    def exposition(self) -> bytes:
        return b""


class TallyMetrics:
    """Counts in a tally."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._begin_at_zero()

    def _begin_at_zero(self) -> None:
        """What must be seen at its first time: a counter that begins at 1 has never risen, for Prometheus."""
        for code in ("ok", "gone", *PARTINGS):
            self._tally.count("hanpan_gateway_handshakes_total", code, by=0)
        for code in PARTINGS:
            self._tally.count("hanpan_gateway_byes_total", code, by=0)
        for code in REFUSALS:
            self._tally.count("hanpan_gateway_refused_total", code, by=0)

    def sockets(self, open: int) -> None:
        self._tally.gauge("hanpan_gateway_sockets", value=open)

    def handshake(self, code: str) -> None:
        self._tally.count("hanpan_gateway_handshakes_total", code)

    def resumed(self, missed: bool) -> None:
        self._tally.count("hanpan_gateway_resumes_total", "missed" if missed else "fresh")

    def bye(self, code: str) -> None:
        self._tally.count("hanpan_gateway_byes_total", code)

    def outbox_dropped(self) -> None:
        self._tally.count("hanpan_outbox_drops_total")

    def message_in(self, kind: str) -> None:
        self._tally.count("hanpan_gateway_messages_in_total", kind)

    def messages_out(self, count: int, size: int) -> None:
        self._tally.count("hanpan_gateway_messages_out_total", by=count)
        self._tally.count("hanpan_gateway_bytes_out_total", by=size)

    def refused(self, code: str) -> None:
        self._tally.count("hanpan_gateway_refused_total", code)

    def account_keys(self, fetched: bool) -> None:
        self._tally.count("hanpan_gateway_account_keys_total", "ok" if fetched else "failed")

    def http(self, route: str, status: int, seconds: float) -> None:
        self._tally.count("hanpan_gateway_http_requests_total", route, str(status))
        self._tally.observe("hanpan_gateway_http_seconds", route, seconds)

    def beat(self, late: float, overloaded: bool) -> None:
        self._tally.observe("hanpan_gateway_loop_late_seconds", late)
        self._tally.gauge("hanpan_gateway_overloaded", value=int(overloaded))

    def tasks(self, count: int) -> None:
        self._tally.gauge("hanpan_tasks", value=count)

    def makes_rooms(self, can: bool) -> None:
        self._tally.gauge("hanpan_gateway_makes_rooms", value=int(can))

    def exposition(self) -> bytes:
        return self._tally.exposition()
