"""What a room process does to itself before it is one; in a process of its own, for it cannot be undone."""

from __future__ import annotations

import subprocess
import sys

CODE = """
from cluster.ray_actors import limit_memory
limit_memory(64 * 2**20)
few = bytearray(16 * 2**20)
try:
    bytearray(128 * 2**20)
except MemoryError:
    print("refused")
print(len(bytearray(16 * 2**20)))
"""


def test_a_process_that_takes_too_much_at_once_is_refused_and_lives() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused", str(16 * 2**20)]
