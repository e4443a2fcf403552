"""schemathesis on the HTTP API: every operation of its OpenAPI document, with what fits it and what does not.

Not a part of ``make test``: ``make fuzz`` runs it. The answers must be among those that the document names, of the
types that it names, and never a 5xx; what breaks the document must be refused.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import msgspec
import pytest
import schemathesis
from aiohttp import web
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from gateway.app import make_app, make_runner
from gateway.auth import Guests
from gateway.config import Settings
from gateway.openapi import document
from tests.attack.targets import KEY
from tests.gateway.fake import FakeCluster

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
    ignored_auth,
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A gateway of its own, in a thread."""
    loop = asyncio.new_event_loop()
    free = {name: 0.0 for name in Settings.__struct_fields__ if name.endswith("_rate")}
    settings = msgspec.structs.replace(Settings(token_keys=(KEY,), lag_seconds=0.0), **free)
    runner = make_runner(make_app(FakeCluster(), settings), settings)

    async def start() -> str:
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        return f"http://{host}:{port}"

    address = loop.run_until_complete(start())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield address
    asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(20)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


schema = schemathesis.openapi.from_dict(document())


@schema.parametrize()
def test_every_operation_is_as_the_document_says(case: schemathesis.Case, url: str) -> None:
    token = Guests([KEY]).issue("안나", "g_anna").token
    case.call_and_validate(base_url=url, headers={"Authorization": f"Bearer {token}"}, checks=CHECKS)
