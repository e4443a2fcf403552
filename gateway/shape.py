"""JSON from outside, before it is decoded: is it of a depth and size of numbers that everything behind can bear?

Decoders have limits of their own, but what passes one may still be too much for the next: a nest of a thousand lists
for whoever walks it, an integer of forty digits for a format that has 64 bits. Nothing that a client has to say comes
near these limits, so nearly always a count of brackets and one search settle it.
"""

from __future__ import annotations

import re

DEPTH = 16
DIGITS = 16  # of an integer: up to 2**53, which is what JavaScript has

# A string that does not end reaches to the end of it all, and nothing is tried twice: else each quote of a hostile text
# would be looked at as the beginning of a string anew.
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_LONG = re.compile(rb"[0-9]{%d}" % (DIGITS + 1))
_LONG_INTEGER = re.compile(rb"(?<![.0-9])[0-9]{%d}" % (DIGITS + 1))


def bearable(data: bytes) -> bool:
    """Whether it is not nested too deeply and has no number that is too long. Says nothing about whether it is JSON."""
    few = data.count(b"[") + data.count(b"{") <= DEPTH
    if few and _LONG.search(data) is None:
        return True
    bare = _STRING.sub(b'""', data)
    return (few or _depth(bare) <= DEPTH) and _LONG_INTEGER.search(bare) is None


def _depth(bare: bytes) -> int:
    depth = deepest = 0
    for byte in bare:
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest
