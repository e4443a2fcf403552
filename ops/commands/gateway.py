"""``hanpan gateway``: one gateway, of a hanpan whose directory runs elsewhere."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ops.problem import Problem

if TYPE_CHECKING:
    from gateway.config import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    env = os.environ.get
    parser.add_argument("--host", default=env("HANPAN_HOST"), help="address to listen on [127.0.0.1; HANPAN_HOST]")
    parser.add_argument("--port", type=int, default=env("HANPAN_PORT"), help="port to listen on [8080; HANPAN_PORT]")
    parser.add_argument("--directory", default=env("HANPAN_DIRECTORY"), help="host:port [HANPAN_DIRECTORY]")
    parser.epilog = (
        "Everything else comes from the environment alone, secrets above all: HANPAN_SECRET, HANPAN_TOKEN_KEYS, "
        "HANPAN_ADMIN_TOKEN, and the settings that gateway/README.md lists."
    )


def run(args: argparse.Namespace) -> int:
    """Serves until SIGTERM."""
    from gateway import app
    from ops import logs

    settings = settings_from(os.environ, host=args.host, port=args.port, directory=args.directory)
    logs.configure(process=settings.name, level=settings.log_level, file=settings.log or "")
    return app.run(settings)


def settings_from(env: Mapping[str, str], **given: Any) -> Settings:
    """A gateway's settings, of which it could be made."""
    from gateway.config import ConfigError, check, from_env

    try:
        settings = from_env(env, **given)
        check(settings)
    except ConfigError as wrong:
        raise Problem("bad_config", str(wrong), 2) from wrong
    return settings
