"""The generator, against vectors another language must reproduce too."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernel.rng import Rng

SEED = bytes(range(32))  # 00 01 02 … 1f


def test_vectors_below() -> None:
    """Block 0 of the seed 00…1f begins with a9d6e500293a88bd, block 1 with 6061c4386d7a1788, and so on."""
    assert Rng(SEED).below(2**64) == (0xA9D6E500293A88BD, Rng(SEED, 1))
    assert Rng(SEED, 1).below(2**64) == (0x6061C4386D7A1788, Rng(SEED, 2))
    drawn, rng = [], Rng(SEED)
    for n in (10, 52, 91, 1):
        number, rng = rng.below(n)
        drawn.append(number)
    assert drawn == [1, 24, 83, 0]
    assert rng.counter == 4


def test_vectors_rejection() -> None:
    """Below 2**63 + 1 the first block is not less than the only fair multiple, so the second is taken."""
    assert Rng(SEED).below(2**63 + 1) == (0x6061C4386D7A1788, Rng(SEED, 2))


def test_vectors_shuffle() -> None:
    """Ten letters: nine draws."""
    assert Rng(SEED).shuffle("ABCDEFGHIJ") == (tuple("DGHEIFACJB"), Rng(SEED, 9))
    assert Rng(SEED).shuffle(()) == ((), Rng(SEED))
    assert Rng(SEED).shuffle("A") == (("A",), Rng(SEED))


def test_json() -> None:
    """As it stands in every state: the seed in base64."""
    text = b'{"seed":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=","counter":7}'
    assert msgspec.json.encode(Rng(SEED, 7)) == text
    assert msgspec.json.decode(text, type=Rng) == Rng(SEED, 7)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**64), st.integers(0, 2**40))
def test_a_draw_is_in_range_and_repeats(seed: bytes, n: int, counter: int) -> None:
    """The generator is a value: drawing twice from one gives the same."""
    rng = Rng(seed, counter)
    number, after = rng.below(n)
    assert 0 <= number < n
    assert after.counter > counter
    assert rng.below(n) == (number, after)


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(), max_size=60))
def test_a_shuffle_keeps_the_items(seed: bytes, items: list[int]) -> None:
    """All of them, as often as they were there."""
    mixed, _ = Rng(seed).shuffle(items)
    assert Counter(mixed) == Counter(items)


def test_every_order_is_equally_likely() -> None:
    """6,000 shuffles of three: each of the six orders about a thousand times (five sigma)."""
    rng, orders = Rng(SEED), Counter[tuple[str, ...]]()
    for _ in range(6_000):
        order, rng = rng.shuffle("ABC")
        orders[order] += 1
    assert orders.keys() == set(permutations("ABC"))
    assert all(abs(times - 1_000) < 145 for times in orders.values())


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_nothing_to_draw_from(n: int) -> None:
    """A bug in the game."""
    with pytest.raises(ValueError, match="cannot draw"):
        Rng(SEED).below(n)


def test_only_whole_seeds() -> None:
    """32 bytes, or 66, also where a state is loaded; no negative counter."""
    with pytest.raises(ValueError, match="32 or 66 bytes"):
        Rng(b"short")
    with pytest.raises(ValueError, match="32 or 66 bytes"):
        msgspec.json.decode(b'{"seed":"AAEC","counter":0}', type=Rng)
    with pytest.raises(ValueError, match="negative"):
        Rng(SEED, -1)
