"""What all tests share: one PostgreSQL server for the run, a schema of its own for each test, and no asserted times."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, settings

from ops.postgres import Server, postgres

# Hypothesis fails what takes 0.2 s, or takes long to think of examples: on a busy machine everything does.
settings.register_profile("no times", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no times")

# What a shell says of somebody's hanpan is not for those that tests start, nor for commands that they call.
FOR_TESTS = {"HANPAN_ABUSE", "HANPAN_API_CASES", "HANPAN_ARTIFACTS", "HANPAN_CRDS", "HANPAN_SOAK"}
for name in [name for name in os.environ if name.startswith("HANPAN_") and name not in FOR_TESTS]:
    del os.environ[name]
os.environ["HANPAN_LOG_STRICT"] = "1"  # a secret in a line of any process of theirs ends it, and is not just redacted

# What is on the disk after the machine lost power is PostgreSQL's own business, and not tested here.
QUICK = {"fsync": "off"}


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """Shared: a test that stops it takes one of its own."""
    with postgres(QUICK) as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: Server) -> str:
    """An empty store, migrated."""
    from cluster.stores.schema import migrate

    url = f"{postgres_server.url}?schema=t_{secrets.token_hex(6)}"
    with ThreadPoolExecutor(1) as elsewhere:  # this may be asked for while the test's own loop runs
        elsewhere.submit(asyncio.run, migrate(url)).result()
    return url
