"""Games that nobody installs: those of measurements and of chaos, which are on the path of whoever is to play them."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def brought(plugin: Path) -> dict[str, str]:
    """The environment in which a process finds the games of this folder, as those of any package.

    This process finds them from now on, too: its own players look them up.
    """
    if str(plugin) not in sys.path:
        sys.path.append(str(plugin))
    return {"PYTHONPATH": os.pathsep.join(filter(None, [str(plugin), os.environ.get("PYTHONPATH", "")]))}
