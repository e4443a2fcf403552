"""The one source of chance in every game.

The generator is a value, ``{seed, counter}``, and lives inside the game state: drawing returns what was drawn and the
generator after it. Another language repeats it from these four rules.

1. Block number ``c`` is ``SHA-256(seed || c)``: the 32 bytes of the seed, then ``c`` as 8 bytes, big-endian. A game's
   first block is number 0, and each block serves one attempt of one draw.
2. An attempt is the block's first 8 bytes as a big-endian integer ``x``, so ``0 <= x < 2**64``.
3. ``below(n)``: where ``x`` is less than the greatest multiple of ``n`` not above ``2**64``, the draw is ``x mod n``;
   otherwise the attempt is thrown away and the next block is tried. So every outcome is exactly as likely as any other.
4. ``shuffle(items)``: for ``i`` from the last index down to 1, swap item ``i`` with item ``below(i + 1)``.

In JSON the seed is base64. Whoever knows seed and counter knows every card to come: neither ever leaves the room.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

import msgspec

T = TypeVar("T")

SEED_BYTES = 32
_SPAN = 1 << 64


class Rng(msgspec.Struct, frozen=True):
    """The generator before its next draw."""

    seed: bytes
    counter: int = 0

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(self.seed)}")
        if self.counter < 0:
            raise ValueError("a counter is not negative")

    def below(self, n: int) -> tuple[int, Rng]:
        """An integer from 0 to ``n - 1``."""
        drawn, counter = _draw(self.seed, self.counter, n)
        return drawn, Rng(self.seed, counter)

    def shuffle(self, items: Sequence[T]) -> tuple[tuple[T, ...], Rng]:
        """The same items in random order."""
        mixed, counter = list(items), self.counter
        seeded = sha256(self.seed)  # written out from `_draw`: a deal is a score of draws
        for i in range(len(mixed) - 1, 0, -1):
            n = i + 1
            fair = _SPAN - _SPAN % n
            x = fair
            while x >= fair:
                block = seeded.copy()
                block.update(counter.to_bytes(8, "big"))
                x = int.from_bytes(block.digest()[:8], "big")
                counter += 1
            j = x % n
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return tuple(mixed), Rng(self.seed, counter)


def _draw(seed: bytes, counter: int, n: int) -> tuple[int, int]:
    """The draw, and the counter after it."""
    if not 0 < n <= _SPAN:
        raise ValueError(f"cannot draw below {n}")
    fair = _SPAN - _SPAN % n
    while True:
        x = int.from_bytes(sha256(seed + counter.to_bytes(8, "big")).digest()[:8], "big")
        counter += 1
        if x < fair:
            return x % n, counter
