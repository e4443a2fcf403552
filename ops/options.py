"""The options that several commands share. Each can also come from the environment, as its help says."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Any


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


def add_admin(parser: argparse.ArgumentParser) -> None:
    """Where hanpan is, and what proves that we may ask."""
    add_url(parser)
    parser.add_argument(
        "--admin-token",
        "--token",
        dest="token",
        default=os.environ.get("HANPAN_ADMIN_TOKEN"),
        help="operators' token; not needed beside a `hanpan up` of one's own [HANPAN_ADMIN_TOKEN]",
    )


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
