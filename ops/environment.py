"""What processes are told that we start ourselves, in tests, measurements and chaos: what we say, and no more."""

from __future__ import annotations

import os

GUARDS = ("HANPAN_LOG_STRICT",)  # these watch whatever runs, and change nothing that it does


def of_our_own(**ours: str) -> dict[str, str]:
    """This process's environment without any setting of hanpan's but these.

    Whoever has `HANPAN_STORE` in their shell, for a deployment of theirs, does not want that broken or measured.
    """
    others = {name: value for name, value in os.environ.items() if name in GUARDS or not name.startswith("HANPAN_")}
    return others | ours
