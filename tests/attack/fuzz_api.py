"""schemathesis on the HTTP API: every operation of its OpenAPI document, with what fits it and what does not.

Not a part of ``make test``: ``make fuzz`` runs it. The answers must be among those that the document names, of the
types that it names, and never a 5xx that means a bug; what breaks the document must be refused. Behind the gateway is
the real cluster, with a room whose game was played to its end: there is something to be found, and shown again.

``HANPAN_API_CASES`` is how many cases each operation is tried with; what came of them is printed (``-s`` shows it).
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import NamedTuple

import aiohttp
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from engines.kernel.sealed import pledge_of
from gateway.config import Settings
from gateway.openapi import document
from tests.gateway.test_whole import Guest, hanpan

CASES = int(os.environ.get("HANPAN_API_CASES", "500"))
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
    ignored_auth,
)
FREE = {name: 0.0 for name in Settings.__struct_fields__ if name.endswith("_rate")}


class Place(NamedTuple):
    """Where to ask, as whom, and for which room."""

    url: str
    token: str
    room: str
    code: str


async def played_out(guest: Guest) -> None:
    """Plays whatever is asked, until the game is over."""
    status = ""
    while status != "finished":
        if guest.now.get("decision"):
            await guest.play(secrets.token_hex(4))
        else:
            await guest.hear("welcome", "update")
        status = guest.now.get("room", {}).get("status", status)


async def serve(found: Future[tuple[Place, Callable[[], object]]]) -> None:
    """A hanpan, until it is told that it is enough."""
    enough, loop = asyncio.Event(), asyncio.get_running_loop()
    async with hanpan(**FREE) as (url, _), aiohttp.ClientSession() as http:
        anna = Guest(http, url)
        player = await anna.enter("안나")
        room = await anna.post("/api/rooms", game="ninety-nine", seats=2, bots=1, autoStart=True, public=True)
        number = bytes(range(32))
        await anna.come(room["id"], pledge=pledge_of(player, number))
        await anna.say(type="lend", id="lend", number=number.hex())
        await played_out(anna)
        place = Place(url, anna.token, room["id"], room["code"])
        found.set_result((place, lambda: loop.call_soon_threadsafe(enough.set)))
        await enough.wait()


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """A hanpan of its own, in a thread."""
    found: Future[tuple[Place, Callable[[], object]]] = Future()
    with ThreadPoolExecutor(1) as pool:
        serving = pool.submit(asyncio.run, serve(found))
        wait((found, serving), 60, FIRST_COMPLETED)
        if serving.done():
            serving.result()
        there, enough = found.result(0)
        yield there
        enough()
        serving.result(60)


@pytest.fixture(scope="module")
def answers() -> Iterator[Counter[tuple[str, int]]]:
    """How often each operation was answered with which status."""
    counts: Counter[tuple[str, int]] = Counter()
    yield counts
    print()
    for (operation, status), count in sorted(counts.items()):
        print(f"{operation:40} {status} {count:7,}")
    print(f"{sum(counts.values()):,} cases")


schema = schemathesis.openapi.from_dict(document())


def lead(case: schemathesis.Case, place: Place) -> None:
    """To what is there: nobody finds a room or a game by chance."""
    if "room" in (case.path_parameters or {}):
        case.path_parameters["room"] = place.room
    if (case.query or {}).get("game"):
        case.query["game"] = "ninety-nine" if case.operation.path == "/api/rooms" else "0"
    if isinstance(case.body, dict):
        found = {"game": "ninety-nine", "code": place.code, "options": {}, "seats": 4}
        case.body.update({name: value for name, value in found.items() if name in case.body})


@pytest.mark.parametrize("there", [False, True], ids=["anything", "what is there"])
@schema.parametrize()
@settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_operation_is_as_the_document_says(
    case: schemathesis.Case, there: bool, place: Place, answers: Counter[tuple[str, int]]
) -> None:
    if there and case.meta is not None and case.meta.generation.mode.is_positive:
        lead(case, place)
    headers = {"Authorization": f"Bearer {place.token}"}
    response = case.call_and_validate(base_url=place.url, headers=headers, checks=CHECKS)
    answers[case.operation.label, response.status_code] += 1
