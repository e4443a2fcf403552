"""A gateway as a process of its own: what it loads, how it starts without a cluster, and how it ends."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncIterator

import aiohttp
import pytest

from ops.environment import of_our_own
from tests.gateway.harness import until

RULES = "auth config frames limits lobby metering pages refusals schemas session shape"


async def python(code: str) -> str:
    """Runs it in a fresh interpreter; its output."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await child.communicate()
    assert child.returncode == 0, err.decode()
    return out.decode()


async def test_a_gateway_has_no_ray_in_it():
    """It must outlive a head that is gone."""
    assert "False" in await python("import gateway.app, sys; print('ray' in sys.modules)")


async def test_the_rules_have_no_sockets_in_them():
    imports = "; ".join(f"import gateway.{name}" for name in RULES.split())
    assert "False" in await python(f"{imports}; import sys; print('aiohttp' in sys.modules)")


@pytest.fixture
async def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
async def process(port: int) -> AsyncIterator[asyncio.subprocess.Process]:
    environment = of_our_own(
        HANPAN_PORT=str(port),
        HANPAN_DIRECTORY="127.0.0.1:1",  # nobody is there
        HANPAN_SECRET="00" * 32,
        HANPAN_TOKEN_KEYS="k" * 32,
    )
    code = "import os; from gateway import app, config; raise SystemExit(app.run(config.from_env(os.environ)))"
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        code,
        env=environment,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    yield child
    if child.returncode is None:
        child.kill()
        await child.wait()


async def test_it_lives_without_a_cluster_is_not_ready_and_ends_when_told_to(
    port: int, process: asyncio.subprocess.Process
):
    url = f"http://127.0.0.1:{port}"
    async with aiohttp.ClientSession() as http:

        async def status(path: str) -> int:
            try:
                async with http.get(url + path) as answer:
                    return answer.status
            except aiohttp.ClientError:
                return 0

        async with asyncio.timeout(30):
            while not await status("/healthz"):  # noqa: ASYNC110  # another process; it tells by answering
                await asyncio.sleep(0.05)
        assert await status("/healthz") == 200
        assert await status("/readyz") == 503
        assert await status("/metrics") == 200
        async with http.ws_connect(f"{url}/ws") as ws:
            process.send_signal(signal.SIGTERM)
            bye = await ws.receive_json(timeout=10)
            assert (bye["type"], bye["code"], bye["again"]) == ("bye", "shutdown", True)
        assert await process.wait() == 0
    await until(lambda: process.returncode == 0)
