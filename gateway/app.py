"""A gateway put together, and run until it is told to end."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import structlog
import uvloop
from aiohttp import ClientError, ClientSession, ClientTimeout, web

from cluster.client import Cluster
from cluster.connection import ClusterConnection
from engines.catalog import GAMES
from engines.kernel.contract import Game
from gateway.accounts import DOCUMENT_BYTES, Accounts
from gateway.admin import Desk
from gateway.auth import Authenticator, Guests
from gateway.config import Settings, check
from gateway.door import Doorkeeper
from gateway.limits import Caps
from gateway.lobby import Lobby
from gateway.metering import GatewayMetrics, NoMetrics, TallyMetrics
from gateway.pages import Pages
from gateway.pressure import BEAT_SECONDS
from gateway.routes import Http, Routes, header_adder
from gateway.sockets import Hub
from ops.metrics import Tally

HUB = web.AppKey("hub", Hub)
BACKLOG = 1024
LINGER_SECONDS = 1.0  # for the rest of a body that was refused; a task waits for it though its connection is gone
JWKS_SECONDS = 5.0  # for an identity provider to answer
SPARE_FILES = 500  # beside connections: links, logs, modules
REPORT_SECONDS = 5.0

log = structlog.get_logger()


def make_app(
    cluster: Cluster,
    settings: Settings,
    metrics: GatewayMetrics | None = None,
    *,
    authenticator: Authenticator | None = None,
    accounts: Accounts | None = None,
    games: Mapping[str, Game[Any]] | None = None,
) -> web.Application:
    """The application around a cluster. When it shuts down it says good-bye to all its sockets."""
    metrics = metrics or NoMetrics()
    guests = Guests(settings.token_keys, settings.token_days)
    if games is None:
        games = {game.id: game for game in GAMES.working()}
    hub = Hub(cluster, authenticator or guests, settings, metrics)
    sign_in = settings.accounts_sign_in if accounts is not None else ""
    lobby = Lobby(cluster, guests, games, accounts, open_to_guests=settings.guests, sign_in=sign_in)
    desk, pages = Desk(cluster, settings.admin_token), Pages(reload=settings.web_reload)
    routes = Routes(lobby, desk, hub, pages, settings, metrics)
    app = web.Application(middlewares=[routes.answer], client_max_size=settings.body_bytes)
    app[HUB] = hub
    app.add_routes(routes.table())
    app.on_response_prepare.append(header_adder(settings.drain_to))

    async def say_good_bye(_: web.Application) -> None:
        await hub.drain()

    app.on_shutdown.append(say_good_bye)
    app.cleanup_ctx.append(lambda _: _heartbeat(hub, metrics))
    return app


async def _heartbeat(hub: Hub, metrics: GatewayMetrics) -> AsyncIterator[None]:
    """Tells, for as long as the application runs, how late its event loop is."""
    loop = asyncio.get_running_loop()

    async def beat() -> None:
        while True:
            due = loop.time() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            late = max(0.0, loop.time() - due)
            was = hub.pressure.overloaded
            hub.pressure.beat(late)
            metrics.beat(late, hub.pressure.overloaded)
            if hub.pressure.overloaded != was:
                log.warning("overloaded" if not was else "overload_over", late=round(late, 3), sockets=len(hub))

    heart = loop.create_task(beat())
    yield
    heart.cancel()
    await asyncio.gather(heart, return_exceptions=True)


class Runner(web.AppRunner):
    """Runs the application on sockets, behind a doorkeeper."""

    def __init__(self, app: web.Application, settings: Settings) -> None:
        patience = settings.close_seconds
        super().__init__(app, shutdown_timeout=patience)
        self._http = {
            "access_log": None,  # counts are our access log
            "lingering_time": LINGER_SECONDS,
            "keepalive_timeout": settings.keepalive_seconds,  # also for a head that comes byte by byte
            "auto_decompress": False,  # nobody has so much to say that it must be packed; and a bomb stays one
        }
        self._by_peer = settings.proxies == 0
        of_one = settings.connections_per_address if self._by_peer else settings.connections
        self.caps = Caps(settings.connections, of_one)
        self._metrics = app[HUB].metrics

    @property
    def server(self) -> Any:
        """What makes a protocol for each connection."""
        server = super().server
        if server is None:
            return None
        loop = asyncio.get_running_loop()

        def make() -> Http:
            return Http(server, self._metrics, loop=loop, **self._http)

        return Doorkeeper(make, self.caps, self._metrics, by_peer=self._by_peer)


def make_runner(app: web.Application, settings: Settings) -> Runner:
    """What runs the application on sockets."""
    return Runner(app, settings)


def make_accounts(settings: Settings, http: ClientSession, metrics: GatewayMetrics | None = None) -> Accounts | None:
    """The deployment's accounts, where it has some."""
    if not settings.accounts_jwks:
        return None

    async def fetch() -> bytes:
        if not settings.accounts_jwks.startswith(("https://", "http://")):
            return await asyncio.to_thread(Path(settings.accounts_jwks).read_bytes)
        try:
            timeout = ClientTimeout(total=JWKS_SECONDS)
            async with http.get(settings.accounts_jwks, timeout=timeout, allow_redirects=False) as answer:
                answer.raise_for_status()
                document = bytearray()
                async for piece in answer.content.iter_chunked(16_384):
                    document += piece
                    if len(document) > DOCUMENT_BYTES:  # is refused for that, and the rest need not be read
                        break
                return bytes(document)
        except ClientError as away:
            raise OSError(type(away).__name__) from away

    return Accounts(
        fetch,
        issuer=settings.accounts_issuer,
        audience=settings.accounts_audience,
        name_claim=settings.accounts_name,
        metrics=metrics,
    )


async def serve(settings: Settings, *, ready: Callable[[str], None] | None = None) -> None:
    """Runs a gateway until SIGTERM or SIGINT. ``ready`` is told the address once it listens."""
    check(settings)
    tally = Tally("gateway")
    tally.gauge("hanpan_info", version("hanpan"), value=1)
    tally.gauge("hanpan_gateway_sockets_limit", value=settings.sessions)
    cluster = ClusterConnection(settings.directory, bytes.fromhex(settings.secret), settings.name, tally)
    http = ClientSession()
    metrics = TallyMetrics(tally)
    app = make_app(cluster, settings, metrics, accounts=make_accounts(settings, http, metrics))
    _many_files(settings.connections)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await cluster.start()
    reporting = loop.create_task(_report(cluster, app[HUB], settings))
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
        reporting.cancel()
        await cluster.close()
        await http.close()
        log.info("gateway_ended")


async def _report(cluster: ClusterConnection, hub: Hub, settings: Settings) -> None:
    """Tells the directory now and then how this gateway is, for the operators' page."""
    ours = version("hanpan")
    while True:
        cluster.report(
            {
                "type": "gateway",
                "sockets": len(hub),
                "limit": settings.sessions,
                "draining": hub.draining,
                "pid": os.getpid(),
                "version": ours,
            }
        )
        await asyncio.sleep(REPORT_SECONDS)


def run(settings: Settings) -> int:
    """The whole life of a gateway's process, on uvloop."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(settings))
    return 0


def _many_files(wanted: int) -> None:
    """A connection is an open file, of which a process may have few unless it asks for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted + SPARE_FILES if hard == resource.RLIM_INFINITY else min(hard, wanted + SPARE_FILES)
    if soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < wanted + SPARE_FILES:
        log.warning("few_files", allowed=allowed, connections=wanted)
