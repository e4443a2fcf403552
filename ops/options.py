"""The options that several commands share. Most can also come from the environment, as their help says."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Any

from ops.logs import LEVELS
from ops.problem import Problem

ROOM_SETTINGS = "HANPAN_ROOM_SETTINGS"


def option(
    parser: argparse.ArgumentParser,
    name: str,
    *,
    default: str | int | float | None,
    help: str,
    type: Callable[[str], Any] = str,
) -> None:
    """An option ``--some-name`` whose default comes from ``HANPAN_SOME_NAME``, if that is set."""
    variable = "HANPAN_" + name.lstrip("-").replace("-", "_").upper()
    shown = "" if default is None else f"default {default}; "
    given = os.environ.get(variable, None if default is None else str(default))  # argparse turns text into the type
    parser.add_argument(name, default=given, type=type, help=f"{help} [{shown}{variable}]")


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--json", action="store_true", default=os.environ.get("HANPAN_JSON") == "1", help="print JSON [HANPAN_JSON=1]"
    )


def add_url(parser: argparse.ArgumentParser) -> None:
    """Where hanpan is."""
    default = f"http://127.0.0.1:{os.environ.get('HANPAN_PORT', '8080')}"
    option(parser, "--url", default=default, help="hanpan's address; the port alone can come from HANPAN_PORT")


def add_admin(parser: argparse.ArgumentParser, *, named: bool = False) -> None:
    """Where hanpan is, and what proves that we may ask. ``named``: nowhere, unless its address is given as such."""
    if named:
        option(parser, "--url", default=None, help="a hanpan that runs already")
    else:
        add_url(parser)
    parser.add_argument(
        "--admin-token",
        "--token",
        dest="token",
        default=os.environ.get("HANPAN_ADMIN_TOKEN"),
        help="operators' token; not needed beside a `hanpan up` of one's own [HANPAN_ADMIN_TOKEN]",
    )


def add_node(parser: argparse.ArgumentParser, *, limit: int) -> None:
    """What a node may have, and what its directory lets people have."""
    option(parser, "--spares", default=4, type=positive, help="room processes that are ready before they are needed")
    option(
        parser, "--spares-most", default=32, type=positive, help="and at most, where demand or other nodes ask for it"
    )
    option(parser, "--limit", default=limit, type=positive, help="room processes at most: the node's room_slot")
    option(parser, "--room-memory", default=256, type=natural, help="MiB that a room may take for itself; 0: any")
    option(parser, "--keep-days", default=None, type=float, help="closed rooms are forgotten after so long, else never")
    option(parser, "--rooms-each", default=30, type=positive, help="open rooms that one person may have made")
    parser.add_argument(
        "--chaos",
        action="store_true",
        default=os.environ.get("HANPAN_CHAOS") == "1",
        help="let operators kill room processes on purpose [HANPAN_CHAOS=1]",
    )
    option(parser, "--log-level", default="info", type=log_level, help=f"what the log holds: {', '.join(LEVELS)}")


def add_room(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Which room; ``more`` is said of it."""
    parser.add_argument("room", help=f"its id or code, as `hanpan rooms` shows them{more}")


def room_settings() -> dict[str, Any]:
    """How patient rooms are, from the environment alone; refused before a process is started that could not use it."""
    import msgspec

    from cluster.room.room import Settings

    text = os.environ.get(ROOM_SETTINGS, "{}")
    try:
        msgspec.json.decode(text, type=Settings)
    except msgspec.MsgspecError as misfit:
        raise Problem("bad_config", f"{ROOM_SETTINGS}: {misfit}", 2) from misfit
    given: dict[str, Any] = msgspec.json.decode(text)
    return given


def log_level(text: str) -> str:
    if text not in LEVELS:
        raise argparse.ArgumentTypeError(f"{text} is none of {', '.join(LEVELS)}")
    return text


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not above 0")
    return number


def port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{number} is no port: 0 to 65535")
    return number


def natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{number} is below 0")
    return number
