"""A gateway put together, and run until it is told to end."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

import structlog
import uvloop
from aiohttp import web

from cluster.client import Cluster
from cluster.connection import ClusterConnection
from engines.catalog import GAMES
from engines.kernel.contract import Game
from gateway.auth import Authenticator, Guests
from gateway.config import ConfigError, Settings
from gateway.lobby import Lobby
from gateway.metering import GatewayMetrics, NoMetrics, TallyMetrics
from gateway.pages import Pages
from gateway.routes import Routes, header_adder
from gateway.sockets import Hub
from ops.metrics import Tally

HUB = web.AppKey("hub", Hub)
BACKLOG = 1024

log = structlog.get_logger()


def make_app(
    cluster: Cluster,
    settings: Settings,
    metrics: GatewayMetrics | None = None,
    *,
    authenticator: Authenticator | None = None,
    games: Mapping[str, Game[Any]] | None = None,
) -> web.Application:
    """The application around a cluster. When it shuts down it says good-bye to all its sockets."""
    metrics = metrics or NoMetrics()
    guests = Guests(settings.token_keys, settings.token_days)
    if games is None:
        games = {game.id: game for game in GAMES.working()}
    hub = Hub(cluster, authenticator or guests, settings, metrics)
    routes = Routes(Lobby(cluster, guests, games), hub, Pages(reload=settings.web_reload), settings, metrics)
    app = web.Application(middlewares=[routes.answer], client_max_size=settings.body_bytes)
    app[HUB] = hub
    app.add_routes(routes.table())
    app.on_response_prepare.append(header_adder(settings.drain_to))

    async def say_good_bye(_: web.Application) -> None:
        await hub.drain()

    app.on_shutdown.append(say_good_bye)
    return app


def make_runner(app: web.Application, settings: Settings) -> web.AppRunner:
    """What runs the application on sockets. Counts are our access log."""
    patience = settings.close_seconds
    return web.AppRunner(app, access_log=None, shutdown_timeout=patience, lingering_time=patience)


async def serve(settings: Settings, *, ready: Callable[[str], None] | None = None) -> None:
    """Runs a gateway until SIGTERM or SIGINT. ``ready`` is told the address once it listens."""
    _check(settings)
    tally = Tally("gateway")
    tally.gauge("hanpan_info", version("hanpan"), value=1)
    tally.gauge("hanpan_gateway_sockets_limit", value=settings.sessions)
    cluster = ClusterConnection(settings.directory, bytes.fromhex(settings.secret), settings.name, tally)
    app = make_app(cluster, settings, TallyMetrics(tally))
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await cluster.start()
    runner = make_runner(app, settings)
    try:
        await runner.setup()
        await web.TCPSite(runner, settings.host, settings.port, backlog=BACKLOG).start()
        host, port = runner.addresses[0][:2]
        log.info("gateway_ready", address=f"{host}:{port}", directory=settings.directory)
        if ready is not None:
            ready(f"http://{host}:{port}")
        await stop.wait()
        app[HUB].draining = True  # /readyz says no from now on
        await asyncio.sleep(settings.drain_wait)
    finally:
        await runner.cleanup()
        await cluster.close()
        log.info("gateway_ended")


def run(settings: Settings) -> int:
    """The whole life of a gateway's process, on uvloop."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(settings))
    return 0


def _check(settings: Settings) -> None:
    """What has no default must be given. Never shows a value."""
    for name in ("directory", "secret", "token_keys"):
        if not getattr(settings, name):
            raise ConfigError(f"HANPAN_{name.upper()} is not set")
    for address in settings.drain_to:
        if not address.startswith(("http://", "https://")):
            raise ConfigError("HANPAN_DRAIN_TO has an address that does not begin with http:// or https://")
    try:
        bytes.fromhex(settings.secret)
    except ValueError as bad:
        raise ConfigError("HANPAN_SECRET is not hexadecimal") from bad
