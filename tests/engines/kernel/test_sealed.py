"""Sealed seeds: vectors that another language must reproduce too, and what makes the deals fair."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernel import sealed
from engines.kernel.rng import Drawn, Rng, watched

SECRET, LOT = bytes(range(32)), bytes(range(32, 64))
SEED = sealed.seed_of(SECRET, LOT, 10)


def halves(hashes: list[bytes]) -> bytes:
    """The hash over a row as RFC 6962 has it: by halves, the left a power of two."""
    if len(hashes) == 1:
        return hashes[0]
    left = sealed.split(len(hashes))
    return sealed.node(halves(hashes[:left]), halves(hashes[left:]))


def test_vectors() -> None:
    """Ten letters, in the order of their names before they are mixed; then the next draws of the same seed."""
    mixed, rng = Rng(SEED).shuffle("JIHGFEDCBA")
    assert mixed == tuple(Rng(SEED).shuffle("ABCDEFGHIJ")[0]) == tuple("FCEHBAJIGD")
    assert rng == Rng(SEED, 1)
    assert rng.shuffle("ABCD") == (tuple("BCAD"), Rng(SEED, 2))
    assert rng.below(4) == (1, Rng(SEED, 2))
    assert sealed.seal(SECRET, 10, 32, {}) == "019d6776340798eab658dfc3727221df3cc8b389530e15cf4ed2827ed30780b4"


def test_a_seed_has_two_lengths_and_no_other() -> None:
    Rng(bytes(32))
    Rng(bytes(66))
    for length in (0, 31, 33, 64, 65, 67):
        with pytest.raises(ValueError, match="a seed has"):
            Rng(bytes(length))


@given(st.integers(1, 200))
def test_the_hash_over_a_row_is_that_of_rfc_6962(many: int) -> None:
    leaves = [sha256(bytes([at])).digest() for at in range(many)]
    assert sealed.root(leaves) == halves(leaves)


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32), st.integers(1, 60), st.data())
def test_a_draw_brings_everything_once(secret: bytes, lot: bytes, width: int, data: st.DataObject) -> None:
    """However much less than the width it mixes; and its first is what `below` draws."""
    count = data.draw(st.integers(1, width))
    draw = data.draw(st.integers(0, 2**32 - 1))
    seed = sealed.seed_of(secret, lot, width)
    mixed, after = Rng(seed, draw).shuffle(range(count))
    assert sorted(mixed) == list(range(count))
    assert after.counter == draw + 1
    first, _ = Rng(seed, draw).below(count)
    assert first == sealed.dealt(seed, draw, count)[0]


@pytest.mark.parametrize("random", ["secret", "lot"])
def test_either_half_alone_makes_every_order_equally_likely(random: str) -> None:
    """The other half may be whatever anybody chose: one honest number is enough, and so is an honest server."""
    orders: Counter[tuple[str, ...]] = Counter()
    for n in range(2400):
        honest = sha256(n.to_bytes(4, "big")).digest()
        secret, lot = (honest, LOT) if random == "secret" else (SECRET, honest)
        orders[Rng(sealed.seed_of(secret, lot, 6)).shuffle("ABCD")[0]] += 1
    assert len(orders) == 24
    assert all(60 <= times <= 145 for times in orders.values()), orders  # 100 each; 4.5 standard deviations


def test_what_a_draw_begins_with_does_not_matter() -> None:
    """So the order in which hidden cards were swept up says nothing of where they lie now."""
    assert Rng(SEED).shuffle((3, 1, 2))[0] == Rng(SEED).shuffle((2, 3, 1))[0]


def test_a_draw_wider_than_the_seal_is_still_a_draw() -> None:
    mixed, after = Rng(SEED).shuffle(range(30))
    assert sorted(mixed) == list(range(30))
    assert mixed != tuple(range(30))
    assert after == Rng(SEED, 1)
    assert 0 <= Rng(SEED, 5).below(10**9)[0] < 10**9


def test_an_opened_tree_has_the_seals_hash_and_only_what_was_asked_for() -> None:
    width, draws = 5, 3
    tree = sealed.opened(SECRET, width, draws, {1: {0, 4}})
    inside, salts = sealed.envelopes(SECRET, 1, width)
    assert tree[0][1][1] == {"index": inside[4], "salt": salts[4].hex()}
    assert tree[0][1][0][0][0] == {"index": inside[0], "salt": salts[0].hex()}
    assert isinstance(tree[0][0], str)
    assert isinstance(tree[1], str)
    for slot in (1, 2, 3):
        assert salts[slot].hex() not in str(tree)
    pledges = {"anna": "ab" * 32}
    assert sealed.seal(SECRET, width, draws, pledges) == sealed.sealed(width, draws, hash_of(tree), pledges)
    assert sealed.seal(SECRET, width, draws, {}) != sealed.seal(SECRET, width, draws, pledges)


def hash_of(tree: object) -> bytes:
    match tree:
        case str():
            return bytes.fromhex(tree)
        case {"index": int(index), "salt": str(salt)}:
            return sealed.leaf(index, bytes.fromhex(salt))
        case [left, right]:
            return sealed.node(hash_of(left), hash_of(right))
    raise AssertionError(tree)


def test_draws_can_be_watched_and_are_not_otherwise() -> None:
    with watched() as draws:
        Rng(SEED).shuffle("BA")
        Rng(SEED, 1).below(3)
        Rng(bytes(32)).shuffle("ABC")
        with watched() as inner:
            Rng(SEED, 2).below(2)
    Rng(SEED, 3).below(2)
    assert [drawn.count for drawn in draws] == [2, 3, 3]
    assert draws[0].items == ("A", "B")
    assert [draws[0].items[index] for index in draws[0].order] == list(Rng(SEED).shuffle("AB")[0])
    assert draws[1] == Drawn(1, 3, None, tuple(sealed.dealt(SEED, 1, 3)))
    assert [drawn.draw for drawn in inner] == [2]


def test_about_the_same_work_is_sealed_whatever_the_width() -> None:
    for width in (1, 20, 36, 80, 105, 210, 256):
        assert 32 <= sealed.draws_of(width) <= 256
        assert sealed.draws_of(width) * width <= max(8192, 32 * width)
