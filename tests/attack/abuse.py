"""One connection that does its worst to a gateway, in one of many ways, over a real socket."""

from __future__ import annotations

import asyncio
import contextlib
from random import Random

from tests.attack.inputs import UPGRADE, mutated, seeds

LET_GO_SECONDS = 30.0


async def abuse(host: str, port: int, rng: Random, patience: float = LET_GO_SECONDS) -> None:
    """Breaks something, and waits to be let go, or goes. `TimeoutError` where it is still held after ``patience`` s."""
    reader, writer = await asyncio.open_connection(host, port)
    kinds = seeds("requests")
    try:
        match rng.randrange(5):
            case 0:  # a broken request
                writer.write(mutated(rng.choice(kinds), rng, kinds))
            case 1:  # a WebSocket, and then anything
                writer.write(UPGRADE + b"".join(mutated(one, rng, kinds) for one in rng.sample(seeds("sockets"), 3)))
            case 2:  # half a request, and silence
                writer.write(kinds[0][: rng.randint(1, len(kinds[0]) - 1)])
            case 3:  # a WebSocket, and silence
                writer.write(UPGRADE)
            case _:  # gone in the middle of it
                writer.write(UPGRADE + seeds("sockets")[0][: rng.randint(1, 20)])
                writer.transport.abort()
                return
        with contextlib.suppress(ConnectionError):
            await writer.drain()
            if rng.random() < 0.3:
                writer.transport.abort()  # never read what was answered
            else:
                async with asyncio.timeout(patience):
                    while await reader.read(65_536):
                        pass
    except ConnectionError:
        return
    finally:
        writer.transport.abort()
