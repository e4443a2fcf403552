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

A seed of 66 bytes is *sealed*: `sealed` says how its draws are made, so that they can be checked card by card. Then the
counter numbers draws, `below` is the first index of its draw, and `shuffle` puts the items in the order of their names
before it mixes them, so that what a draw began with says nothing. Games do not notice which kind they were given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from typing import TypeVar

import msgspec

from engines.kernel import sealed

T = TypeVar("T")

SEED_BYTES = 32
_SPAN = 1 << 64


class Rng(msgspec.Struct, frozen=True):
    """The generator before its next draw."""

    seed: bytes
    counter: int = 0

    def __post_init__(self) -> None:
        if len(self.seed) not in (SEED_BYTES, sealed.SEED_BYTES):
            raise ValueError(f"a seed has {SEED_BYTES} or {sealed.SEED_BYTES} bytes, not {len(self.seed)}")
        if self.counter < 0:
            raise ValueError("a counter is not negative")

    def below(self, n: int) -> tuple[int, Rng]:
        """An integer from 0 to ``n - 1``."""
        if len(self.seed) != SEED_BYTES:
            drawn = _sealed_order(self.seed, self.counter, n, None)[0]
            return drawn, Rng(self.seed, self.counter + 1)
        drawn, counter = _draw(self.seed, self.counter, n)
        return drawn, Rng(self.seed, counter)

    def shuffle(self, items: Sequence[T]) -> tuple[tuple[T, ...], Rng]:
        """The same items in random order."""
        if len(self.seed) != SEED_BYTES:
            known = sealed.canonical(items)
            order = _sealed_order(self.seed, self.counter, len(known), known)
            return tuple([known[index] for index in order]), Rng(self.seed, self.counter + 1)
        if (watch := _watch.get()) is not None:
            watch.append(Drawn(self.counter, len(items), None, ()))
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


# ---------------------------------------------------------------- for proofs


class Drawn(msgspec.Struct, frozen=True):
    """A draw that somebody watched. Of a draw from a seed that is not sealed, only its size."""

    draw: int
    count: int
    items: tuple[str, ...] | None  # the names of what was mixed, in the order of names; None: plain numbers
    order: tuple[int, ...]  # indices of ``items``, as they came


_watch: ContextVar[list[Drawn] | None] = ContextVar("watched draws", default=None)


@contextmanager
def watched() -> Iterator[list[Drawn]]:
    """The draws that are made meanwhile, by this thread or task. For what replays a log, never for a game."""
    draws: list[Drawn] = []
    before = _watch.set(draws)
    try:
        yield draws
    finally:
        _watch.reset(before)


def _sealed_order(seed: bytes, draw: int, count: int, items: Sequence[object] | None) -> Sequence[int]:
    """In which order the draw brings the indices below ``count``; for `below` the first is enough."""
    width = sealed.parts_of(seed)[2]
    if count <= width:
        order: Sequence[int] = sealed.dealt(seed, draw, count)
    else:  # wider than anything at setup: it cannot be checked, and is as fair as any other draw
        beyond = Rng(sha256(seed + draw.to_bytes(4, "big")).digest())
        order = [beyond.below(count)[0]] if items is None else beyond.shuffle(range(count))[0]
    if (watch := _watch.get()) is not None:
        names = None if items is None else tuple([sealed.name_of(item) for item in items])
        watch.append(Drawn(draw, count, names, tuple(order)))
    return order
