"""How a measurement ends: what it found, with the machine that it was made on; or why it could not be made."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

from ops.problem import Problem


def told(measured: Callable[[], dict[str, Any]], *, as_json: bool, **about: Any) -> int:
    """Makes it and prints the report; the exit status: 1 where its ``wrong`` names anything, or a problem's own."""
    load = os.getloadavg()[0]  # of others, before we are a part of it
    try:
        found = measured()
    except Problem as problem:
        print(f"{problem.code}: {problem}", file=sys.stderr)
        return problem.status
    report = {**about, "cores": os.cpu_count(), "load": round(load, 2), **found}
    print(json.dumps(report, indent=None if as_json else 1, ensure_ascii=False))
    return 1 if found["wrong"] else 0
