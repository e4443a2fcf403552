"""The HTTP side: which addresses there are, and how requests become calls and answers.

The table at the end is the whole API. Refusals are JSON, ``{"code", "message"}``, whatever went wrong, in Korean and to
operators in English; only who browses to an address that is none gets a page. Each answer carries the security headers.
"""

from __future__ import annotations

import asyncio
import math
import random
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec
import structlog
from aiohttp import web

from cluster.client import Refused
from cluster.faults import place_of
from gateway.admin import OPERATOR_HEADER, Desk, in_english, operator, read_args
from gateway.auth import Identity
from gateway.config import Settings
from gateway.limits import Gate, Rate, address_key, client_address
from gateway.lobby import Lobby
from gateway.metering import CONTENT_TYPE, GatewayMetrics
from gateway.openapi import DOCUMENT
from gateway.pages import INDEX, LOST, OPS, Page, Pages, answer, page_of, security_headers
from gateway.refusals import REFUSALS, refusal, status_of
from gateway.sockets import Hub, upgrade

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
GateName = Literal["guests", "creates", "codes", "replays", "reads"]

log = structlog.get_logger()
_encode = msgspec.json.Encoder().encode

ADMIN = "/api/admin/"
_UNKEPT = {"Cache-Control": "no-store"}

# What aiohttp itself refuses, as our codes.
_OF_STATUS = {404: "not_found", 405: "method_not_allowed", 413: "too_big", 408: "too_slow"}


class Routes:
    """The handlers, and what they share."""

    def __init__(
        self, lobby: Lobby, desk: Desk, hub: Hub, pages: Pages, settings: Settings, metrics: GatewayMetrics
    ) -> None:
        self._lobby, self._desk, self._hub, self._pages = lobby, desk, hub, pages
        self._settings, self._metrics = settings, metrics
        self._gates: dict[GateName, Gate] = {
            "guests": Gate(
                Rate(settings.guests_each_rate, settings.guests_each_burst),
                Rate(settings.guests_rate, settings.guests_burst),
            ),
            "creates": Gate(
                Rate(settings.creates_each_rate, settings.creates_each_burst),
                Rate(settings.creates_rate, settings.creates_burst),
            ),
            "codes": Gate(
                Rate(settings.codes_each_rate, settings.codes_each_burst),
                Rate(settings.codes_rate, settings.codes_burst),
            ),
            "replays": Gate(
                Rate(settings.replays_each_rate, settings.replays_each_burst),
                Rate(settings.replays_rate, settings.replays_burst),
            ),
            "reads": Gate(
                Rate(settings.reads_each_rate, settings.reads_each_burst),
                Rate(settings.reads_rate, settings.reads_burst),
            ),
        }
        # What can be played here does not change while it runs: zipped once. The page fetches it beside its modules.
        self._games = page_of(".json", _encode({"games": lobby.games}), time.time())
        self._entrance = page_of(".json", _encode(lobby.entrance), time.time())

    # ------------------------------------------------------------ people and games

    async def guest(self, request: web.Request) -> web.Response:
        self._pass("guests", request)
        return _json(self._lobby.guest(await self._body(request), _bearer(request)))

    async def account(self, request: web.Request) -> web.Response:
        self._pass("guests", request)
        return _json(await self._lobby.account(_bearer(request)))

    async def entrance(self, request: web.Request) -> web.Response:
        return self._page(self._entrance, request)

    async def games(self, request: web.Request) -> web.Response:
        return self._page(self._games, request)

    async def openapi(self, request: web.Request) -> web.Response:
        return web.Response(body=DOCUMENT, headers={"Content-Type": "application/json"})

    # ------------------------------------------------------------ rooms

    async def list_rooms(self, request: web.Request) -> web.Response:
        self._pass("reads", request)
        query = request.query
        return _json({"rooms": await self._lobby.rooms(query.get("game"), query.get("limit"))})

    async def create(self, request: web.Request) -> web.Response:
        person = self._creator(request)
        key = request.headers.get("Idempotency-Key")
        return _json(await self._lobby.create(await self._body(request), person, key), 201)

    async def quick(self, request: web.Request) -> web.Response:
        person = self._creator(request)
        return _json(await self._lobby.quick(await self._body(request), person))

    async def join(self, request: web.Request) -> web.Response:
        self._pass("reads", request)
        body = await self._body(request)
        self._count("codes", request)  # before it is looked up: a guess too many must not learn that it was right
        wrong = False
        try:
            return _json(await self._lobby.join(body))
        except Refused as no:
            wrong = no.code == "room_not_found"
            raise
        finally:
            if not wrong:
                self._gates["codes"].give_back(self._lobby.known(_bearer(request)), self._address(request))

    async def room(self, request: web.Request) -> web.Response:
        self._pass("reads", request)
        return _json(await self._lobby.room(request.match_info["room"]))

    async def replay(self, request: web.Request) -> web.Response:
        viewer = self._viewer(request)
        return _json(await self._lobby.replay(request.match_info["room"], request.query.get("game"), viewer))

    async def fairness(self, request: web.Request) -> web.Response:
        viewer = self._viewer(request)
        return _json(await self._lobby.fairness(request.match_info["room"], request.query.get("game"), viewer))

    def _viewer(self, request: web.Request) -> Identity | None:
        """Through whose eyes something past is asked for; None: a spectator's."""
        self._pass("replays", request)
        token = _bearer(request)
        return self._lobby.person(token) if token is not None else None

    def _creator(self, request: web.Request) -> Identity:
        """Who asks for a room, if they have not asked for too many."""
        try:
            person = self._lobby.person(_bearer(request))
        except Refused:
            self._pass("reads", request)  # to guess at tokens is to ask, too
            raise
        self._pass("creates", request)
        return person

    # ------------------------------------------------------------ operators

    async def admin(self, request: web.Request) -> web.Response:
        if self._desk.there:
            self._count("reads", request)
        self._desk.admit(_bearer(request))
        post = request.method == "POST"
        args: dict[str, Any] = dict(request.query)
        if post:
            args |= read_args(await self._body(request))
        by = operator(request.headers.get(OPERATOR_HEADER), self._address(request))
        return _json(await self._desk.ask(request.match_info["what"], args, post=post, by=by))

    async def ops(self, request: web.Request) -> web.Response:
        """The operators' page. It shows nothing to whoever does not have their token."""
        return self._page(self._pages.get(OPS) if self._desk.there else None, request)

    async def healthz(self, request: web.Request) -> web.Response:
        return _json({"ok": True})

    async def readyz(self, request: web.Request) -> web.Response:
        """May people be sent here? Not only while rooms can be made: those that there are go on without the directory,
        and if every gateway were taken out of the balancer with it, nobody could come back to one.
        """
        told = self._readiness()
        return _json(told, 200 if told["ready"] else 503)

    async def readyz_rooms(self, request: web.Request) -> web.Response:
        """Can rooms be made here? For whoever waits for the whole to be up."""
        told = self._readiness()
        return _json(told, 200 if told["ready"] and told["rooms"] else 503)

    def _readiness(self) -> dict[str, bool]:
        hub = self._hub
        return {
            "ready": hub.cluster.joined and not hub.draining,
            "rooms": hub.cluster.ready and not hub.draining,
            "draining": hub.draining,
        }

    async def metrics(self, request: web.Request) -> web.Response:
        self._metrics.tasks(len(asyncio.all_tasks()))  # takes longer the more there are: only when somebody looks
        self._metrics.makes_rooms(self._readiness()["rooms"])
        text = await asyncio.to_thread(self._metrics.exposition)
        return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE})

    # ------------------------------------------------------------ the socket and the page

    async def socket(self, request: web.Request) -> web.StreamResponse:
        if not self._may_connect(request):
            raise refusal("bad_origin")
        return await upgrade(request, self._hub, self._address(request))

    async def index(self, request: web.Request) -> web.Response:
        return self._page(self._pages.get(INDEX), request)

    async def file(self, request: web.Request) -> web.Response:
        return self._page(self._pages.get(request.path), request)

    def _page(self, page: Page | None, request: web.Request) -> web.Response:
        if page is None:
            raise refusal("not_found")
        given = request.headers
        found = answer(
            page,
            accepts=given.get("Accept-Encoding", ""),
            if_none_match=given.get("If-None-Match", ""),
            if_modified_since=given.get("If-Modified-Since", ""),
        )
        return web.Response(status=found.status, body=found.body, headers=found.headers)

    def _may_connect(self, request: web.Request) -> bool:
        """Browsers say which page opens a socket; only our own may. Other programs need not say anything."""
        origin = request.headers.get("Origin")
        if origin is None or origin in self._settings.origins:
            return True
        try:
            page = urlsplit(origin).netloc.lower()
        except ValueError:  # an address that is none
            return False
        return page == request.headers.get("Host", "").lower() != ""

    # ------------------------------------------------------------ for all of them

    def _address(self, request: web.Request) -> str:
        forwarded = ",".join(request.headers.getall("X-Forwarded-For", ()))
        return address_key(client_address(request.remote or "", forwarded, self._settings.proxies))

    def _pass(self, gate: GateName, request: web.Request) -> None:
        """Lets a request in, unless there is too much of them, or too much of everything."""
        hub = self._hub
        if hub.pressure.overloaded or (hub.nearly_full and gate in ("guests", "creates")):
            raise Wait("overloaded", random.uniform(2.0, 10.0))
        self._count(gate, request)

    def _count(self, gate: GateName, request: web.Request) -> None:
        """Counts a request against what its person may, if it shows a token, and its address."""
        person = self._lobby.known(_bearer(request))
        if wait := self._gates[gate].take(person, self._address(request), _now()):
            raise Wait("too_fast", wait)

    async def _body(self, request: web.Request) -> bytes:
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                return await request.read()
        except TimeoutError as late:
            raise refusal("too_slow") from late
        except ConnectionError as gone:  # in the middle of it: nothing is wrong here, and nobody hears the answer
            raise refusal("bad_http") from gone

    @web.middleware
    async def answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Turns refusals into answers, and counts."""
        began = _now()
        try:
            response = await handler(request)
        except Refused as no:
            response = self._refuse(no, request)
        except web.HTTPException as no:
            if no.status < 400:
                raise
            response = self._refuse(refusal(_OF_STATUS.get(no.status, "bad_http")), request, no.headers.get("Allow"))
        except Exception as bug:
            log.error("request_failed", path=request.path[:200], bug=place_of(bug))
            response = self._refuse(refusal("internal"), request)
        resource = request.match_info.route.resource
        self._metrics.http(resource.canonical if resource else "none", response.status, _now() - began)
        return response

    def _refuse(self, no: Refused, request: web.Request, allow: str | None = None) -> web.Response:
        self._metrics.refused(no.code)
        status = status_of(no)
        if request.path.startswith(ADMIN) and self._desk.there:
            no = in_english(no)
        elif no.code == "not_found" and _is_browsing(request) and (lost := self._pages.get(LOST)) is not None:
            return web.Response(status=404, body=lost.body, headers={"Content-Type": lost.type, **_UNKEPT})
        response = _json({"code": no.code, "message": no.message}, status)
        if status in (429, 503):
            response.headers["Retry-After"] = str(math.ceil(no.wait) if isinstance(no, Wait) else 1)
        if status == 401:
            response.headers["WWW-Authenticate"] = "Bearer"
        if status == 426:
            response.headers["Upgrade"] = "websocket"
        if allow is not None:
            response.headers["Allow"] = allow
        return response

    def table(self) -> list[web.RouteDef]:
        """Every address."""
        return [
            web.post("/api/guest", self.guest),
            web.get("/api/account", self.entrance),
            web.post("/api/account", self.account),
            web.get("/api/openapi.json", self.openapi),
            web.get("/api/games", self.games),
            web.get("/api/rooms", self.list_rooms),
            web.post("/api/rooms", self.create),
            web.post("/api/join", self.join),
            web.post("/api/quick", self.quick),
            web.get("/api/rooms/{room}", self.room),
            web.get("/api/rooms/{room}/replay", self.replay),
            web.get("/api/rooms/{room}/fairness", self.fairness),
            web.get(ADMIN + "{what}", self.admin),
            web.post(ADMIN + "{what}", self.admin),
            web.get("/healthz", self.healthz),
            web.get("/readyz", self.readyz),
            web.get("/readyz/rooms", self.readyz_rooms),
            web.get("/metrics", self.metrics),
            web.get("/ws", self.socket, allow_head=False),
            web.get("/", self.index),
            web.get("/r/{code}", self.index),
            web.get("/ops", self.ops),
            web.get("/{file:.+}", self.file),
        ]


class Http(web.RequestHandler):
    """An HTTP connection. What is no request is refused like anything else, counted, and never logged as it came.

    aiohttp would write a traceback with the line that it stumbled over, a token perhaps, for whatever somebody sends.
    """

    __slots__ = ("_metrics",)

    def __init__(self, server: web.Server, metrics: GatewayMetrics, **settings: Any) -> None:
        super().__init__(server, **settings)
        self._metrics = metrics

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        if status >= 500:
            self.log_exception("request", exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionError("half of an answer is on its way")
        code = "internal" if status >= 500 else _OF_STATUS.get(status, "bad_http")
        self._metrics.refused(code)
        self._metrics.http("none", status, 0.0)
        response = _json({"code": code, "message": REFUSALS[code][1]}, status)
        response.headers.update({"Server": "hanpan", **security_headers(())})
        response.force_close()
        return response

    def log_exception(self, *about: Any, exc_info: Any = None, **_: Any) -> None:
        bug = exc_info if isinstance(exc_info, BaseException) else sys.exc_info()[1]
        log.error("http_failed", what=str(about[0])[:40], bug=None if bug is None else place_of(bug))


class Wait(Refused):
    """Not now, and when to ask again."""

    def __init__(self, code: str, wait: float) -> None:
        super().__init__(code, REFUSALS[code][1], retry=True)
        self.wait = wait


def header_adder(elsewhere: Sequence[str]) -> Callable[[web.Request, web.StreamResponse], Awaitable[None]]:
    """Adds what each answer carries. ``elsewhere``: gateways that our pages may be sent to."""
    headers = security_headers(elsewhere)

    async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
        response.headers["Server"] = "hanpan"
        if response.status != 101:
            response.headers.update(headers)

    return add_headers


def _json(value: Any, status: int = 200) -> web.Response:
    return web.Response(body=_encode(value), status=status, headers={"Content-Type": "application/json", **_UNKEPT})


def _is_browsing(request: web.Request) -> bool:
    """Somebody has typed or followed an address: a page is what they can read."""
    wanted = request.headers.get("Accept", "")
    return request.method in ("GET", "HEAD") and "text/html" in wanted and not request.path.startswith("/api/")


def _bearer(request: web.Request) -> str | None:
    """The token of the Authorization header; None where there is none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def _now() -> float:
    return asyncio.get_running_loop().time()
