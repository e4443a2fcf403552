"""Asking a running hanpan what operators may ask, over HTTP."""

from __future__ import annotations

import getpass
import json
import os
import socket
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from ops import runfile
from ops.problem import Problem

LOOPBACK = {"127.0.0.1", "::1", "localhost"}
TIMEOUT_SECONDS = 40.0  # longer than a gateway waits for the directory


class Admin:
    """Blocking calls; each raises `Problem` where it is not answered."""

    def __init__(self, url: str, token: str | None) -> None:
        self.url = url.rstrip("/")
        self._token = token or ((run := beside(self.url)) and run.admin_token)

    @property
    def page(self) -> str:
        """The address of the operators' page, with what opens it behind the #, which no server hears of."""
        return f"{self.url}/ops" + (f"#token={self._token}" if self._token else "")

    def rooms(self, **filters: str) -> list[dict[str, Any]]:
        """Rooms that are not closed, newest first, each with its process. Filters as in `cluster.admin.Rooms`."""
        rows: list[dict[str, Any]] = self.get("rooms", **filters)["rooms"]
        return rows

    def every_room(self) -> list[str]:
        """The ids of all rooms, closed ones too."""
        ids: list[str] = self.get("all")["rooms"]
        return ids

    def nodes(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.get("nodes")["nodes"]
        return rows

    def log(self, room: str) -> list[dict[str, Any]]:
        """Every entry of the room's log, secrets included: an order, which is logged."""
        entries: list[dict[str, Any]] = self.change("reveal", room=room)["entries"]
        return entries

    def get(self, what: str, **args: str) -> dict[str, Any]:
        return self._ask(f"{what}?{urllib.parse.urlencode(args)}" if args else what)

    def change(self, what: str, **args: Any) -> dict[str, Any]:
        """What changes something, and therefore is a POST."""
        return self._ask(what, json.dumps(args).encode())

    def _ask(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        headers = {"X-Hanpan-Operator": whoami()}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        url = f"{self.url}/api/admin/{path}"
        try:
            request = urllib.request.Request(url, body, headers)  # noqa: S310  # the operator's own address
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
                said: dict[str, Any] = json.loads(answer.read())
                return said
        except urllib.error.HTTPError as no:
            raise self._refused(no) from no
        except (OSError, ValueError) as away:
            raise Problem("unreachable", f"{self.url} does not answer: {getattr(away, 'reason', away)}") from away

    def _refused(self, no: urllib.error.HTTPError) -> Problem:
        try:
            said = json.loads(no.read())
            code, message = str(said["code"]), str(said["message"])
        except (ValueError, KeyError, TypeError):
            code, message = "refused", f"status {no.code}"
        if no.code in (401, 403) or (no.code == 404 and not self._token):
            hint = "give --token" if not self._token else "the token is not the right one"
            return Problem("not_allowed", f"{self.url} does not take us for an operator ({message}): {hint}")
        return Problem(code, message)


def is_ready(url: str) -> bool:
    """Can rooms be made there? Asks the gateway, which needs no token for that."""
    try:
        with urllib.request.urlopen(f"{url}/readyz/rooms", timeout=2) as answer:  # noqa: S310  # as above
            return bool(answer.status == 200)
    except OSError:
        return False


def whoami() -> str:
    """What orders are logged under: HANPAN_OPERATOR, or user and machine."""
    if given := os.environ.get("HANPAN_OPERATOR"):
        return given.encode("ascii", "replace").decode()
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # no such user in this container
        user = str(os.getuid())
    return f"{user}.{socket.gethostname()}".encode("ascii", "replace").decode()


def beside(url: str) -> runfile.Run | None:
    """The `hanpan up` of our own at this address of this machine. Raises `Problem` where it cannot be trusted."""
    parts = urllib.parse.urlsplit(url)
    try:
        number = parts.port or 80
    except ValueError as bad:
        raise Problem("usage", f"{url} is no address: {bad}", status=2) from bad
    if parts.hostname not in LOOPBACK:
        return None
    try:
        return runfile.read(number)
    except runfile.Untrusted as doubt:
        raise Problem("run_file", str(doubt)) from doubt
