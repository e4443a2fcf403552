"""1,000,000 broken inputs to everything that can be reached: no exception, nothing held, no growth in memory.

    python -m tests.attack.million [--inputs 1000000] [--seed 1] [--only sockets]

In one process, without sockets; ``test_storm.py`` does it over real ones beside a game. Prints a row for each target,
and ends with 1 where something is not as it should be. A failure says how to repeat it.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from pathlib import Path
from random import Random

from tests.attack.inputs import mutated, seeds
from tests.attack.targets import TARGETS

SHARES = {  # of all inputs; what is slower gets fewer
    "messages": 0.30,
    "sockets": 0.25,
    "texts": 0.20,
    "strangers": 0.10,
    "requests": 0.06,
    "bodies": 0.06,
    "insiders": 0.03,
}
WARM_UP = 0.2  # of a target's inputs, after which memory must not grow
GROWTH_MIB = 6.0  # that allocators, caches and interned strings may still take
CHECKED = 20  # times in a target's course that its world is looked at


def rss_mib() -> float:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20


def attack(name: str, inputs: int, seed: int) -> str | None:
    """Attacks one target; what is wrong with it afterwards, if anything."""
    rng = Random(f"{name}/{seed}")
    kinds = seeds(name)
    target = TARGETS[name]()
    began, before = time.monotonic(), 0.0
    for number in range(inputs):
        if number == int(inputs * WARM_UP):
            before = rss_mib()
        data = mutated(rng.choice(kinds), rng, kinds)
        try:
            target(data)
        except Exception as bug:
            print(f"{name}: input {number} of seed {seed}: {type(bug).__name__}: {bug}\n  {data!r}", file=sys.stderr)
            return f"{name} raised"
        if number % max(1, inputs // CHECKED) == 0:
            target.check()
    target.check()
    growth = rss_mib() - before
    seconds = time.monotonic() - began
    print(f"{name:10} {inputs:9,} inputs  {seconds:7.1f} s  {inputs / seconds:9,.0f}/s  {growth:+6.1f} MiB", flush=True)
    return f"{name} grew by {growth:.1f} MiB" if growth > GROWTH_MIB else None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack.million", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=sorted(SHARES), action="append")
    args = parser.parse_args()
    assert SHARES.keys() == TARGETS.keys()
    wrong = [attack(name, int(args.inputs * SHARES[name]), args.seed) for name in args.only or SHARES]
    for why in filter(None, wrong):
        print(why, file=sys.stderr)
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
