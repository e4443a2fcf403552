"""``hanpan gateway``: one gateway, of a hanpan whose directory runs elsewhere."""

from __future__ import annotations

import argparse
import os

from ops.problem import Problem


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
    from gateway.config import ConfigError, from_env
    from ops import logs

    try:
        settings = from_env(os.environ, host=args.host, port=args.port, directory=args.directory)
        logs.configure(process=settings.name, level=settings.log_level, file=settings.log or "")
        return app.run(settings)
    except ConfigError as wrong:
        raise Problem("bad_config", str(wrong), 2) from wrong
