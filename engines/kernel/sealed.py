"""Deals that can be checked: the cards lie sealed before anybody who is not the server has had a say in their order.

A *sealed* seed is 66 bytes: the room's secret (32), the lot that came of the players' numbers (32), and the width (2,
big-endian), which is the most things that any one draw mixes. The draws of a game are numbered 0, 1, 2 … in the order
in which its engine makes them; a draw is one `Rng.shuffle` or one `Rng.below`.

For each draw there are ``width`` envelopes in a row. In each lies a different index below ``width``; which, only the
secret says. The lot says, for everybody to see, in which order the envelopes are taken; those whose index is no index
of what is being mixed are passed over. So the secret alone, fixed and published as a hash (`seal`) before the lot was
known, cannot choose a card, and neither can the lot.

    order of the envelopes   slots sorted by SHA-256("hanpan turn 1\\0" lot draw slot)             public
    what lies in them        slots sorted by the first half of SHAKE-256("hanpan envelopes 1\\0" secret draw)[slot]
    the salt of each         its second half                                                      secret until opened

Numbers are 4 bytes, big-endian. A hash tree of RFC 6962's shape stands over all envelopes of all draws. Opening one
envelope tells its index and salt, and of the others nothing: each has a salt of its own, of 16 bytes.
`gateway/FAIRNESS.md` says what this proves, and has all of it in words that fit any language.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import sha256, shake_256
from typing import Any, TypeVar

T = TypeVar("T")

SECRET_BYTES = LOT_BYTES = 32
SEED_BYTES = SECRET_BYTES + LOT_BYTES + 2
SALT_BYTES = 16
ENVELOPES = 8192  # about so many are sealed for one game, be they few draws of many or many of few
DRAWS_LEAST, DRAWS_MOST = 32, 256

Tree = Any  # a hash in hex | [left, right] | {"index": …, "salt": hex}: an opened envelope


def seed_of(secret: bytes, lot: bytes, width: int) -> bytes:
    """The sealed seed of a game."""
    return secret + lot + width.to_bytes(2, "big")


def parts_of(seed: bytes) -> tuple[bytes, bytes, int]:
    """Secret, lot and width of a sealed seed."""
    return seed[:SECRET_BYTES], seed[SECRET_BYTES:-2], int.from_bytes(seed[-2:], "big")


def draws_of(width: int) -> int:
    """For how many draws envelopes are sealed."""
    return max(DRAWS_LEAST, min(DRAWS_MOST, ENVELOPES // width))


# ---------------------------------------------------------------- what players add


def pledge_of(player: str, number: bytes) -> str:
    """What a player publishes before the seal, so that the number cannot be chosen after it. Hex."""
    return sha256(b"hanpan pledge 1\0" + player.encode() + b"\0" + number).hexdigest()


def lot_of(seal: str, numbers: Mapping[str, str]) -> bytes:
    """What the players' numbers (in hex) come to, for the game with this seal; also of none."""
    hasher = sha256(b"hanpan lot 1\0" + bytes.fromhex(seal))
    for player in sorted(numbers, key=str.encode):
        hasher.update(player.encode() + b"\0" + bytes.fromhex(numbers[player]))
    return hasher.digest()


# ---------------------------------------------------------------- envelopes


def turn(lot: bytes, draw: int, width: int) -> list[int]:
    """The slots in the order in which their envelopes are taken."""
    base = sha256(b"hanpan turn 1\0" + lot + draw.to_bytes(4, "big"))
    tickets = []
    for slot in range(width):
        ticket = base.copy()
        ticket.update(slot.to_bytes(4, "big"))
        tickets.append(ticket.digest())
    return sorted(range(width), key=tickets.__getitem__)


def envelopes(secret: bytes, draw: int, width: int) -> tuple[list[int], list[bytes]]:
    """The index in each slot's envelope, and its salt."""
    stream = shake_256(b"hanpan envelopes 1\0" + secret + draw.to_bytes(4, "big")).digest(2 * SALT_BYTES * width)
    blocks = [stream[at : at + 2 * SALT_BYTES] for at in range(0, len(stream), 2 * SALT_BYTES)]
    return sorted(range(width), key=blocks.__getitem__), [block[SALT_BYTES:] for block in blocks]


def dealt(seed: bytes, draw: int, count: int) -> list[int]:
    """The indices 0 … count-1 in the order in which this draw brings them. ``count`` is at most the seed's width."""
    secret, lot, width = parts_of(seed)
    inside, _ = envelopes(secret, draw, width)
    if count == width:
        return [inside[slot] for slot in turn(lot, draw, width)]
    return [index for slot in turn(lot, draw, width) if (index := inside[slot]) < count]


def canonical(items: Sequence[T]) -> list[T]:
    """Things in the order of their names, which everybody knows who knows which things they are."""
    return sorted(items, key=lambda item: name_of(item).encode())


def name_of(item: Any) -> str:
    """What a thing is called in a proof: its id, or itself."""
    return str(getattr(item, "id", item))


# ---------------------------------------------------------------- the hash tree


def leaf(index: int, salt: bytes) -> bytes:
    """The hash of an envelope."""
    return sha256(b"\0" + salt + index.to_bytes(4, "big")).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash over two."""
    return sha256(b"\1" + left + right).digest()


def split(count: int) -> int:
    """How many of so many leaves are in the left half: the largest power of two below."""
    return 1 << (count - 1).bit_length() - 1


def root(hashes: Sequence[bytes]) -> bytes:
    """The hash over a row of them. Level by level, which for this shape is the same as by halves."""
    row = list(hashes)
    while len(row) > 1:
        above = [node(row[at], row[at + 1]) for at in range(0, len(row) - 1, 2)]
        if len(row) % 2:
            above.append(row[-1])
        row = above
    return row[0]


def draw_root(secret: bytes, draw: int, width: int) -> bytes:
    """The hash over the envelopes of one draw."""
    inside, salts = envelopes(secret, draw, width)
    return root([leaf(index, salt) for index, salt in zip(inside, salts, strict=True)])


def sealed(width: int, draws: int, over_all: bytes, pledges: Mapping[str, str]) -> str:
    """The published seal: the size of what is sealed, the hash over it, and whose numbers will be added. Hex."""
    hasher = sha256(b"\2" + width.to_bytes(4, "big") + draws.to_bytes(4, "big") + over_all)
    for player in sorted(pledges, key=str.encode):
        hasher.update(player.encode() + b"\0" + bytes.fromhex(pledges[player]))
    return hasher.hexdigest()


def seal(secret: bytes, width: int, draws: int, pledges: Mapping[str, str]) -> str:
    """Seals a game: some 20,000 hashes, a hundredth of a second, once before its first card."""
    return sealed(width, draws, root([draw_root(secret, draw, width) for draw in range(draws)]), pledges)


# ---------------------------------------------------------------- opening


def opened(secret: bytes, width: int, draws: int, slots: Mapping[int, Collection[int]]) -> Tree:
    """The tree with these slots' envelopes open, by draw, and of all others no more than the hashes it takes."""

    def of_draw(draw: int) -> Tree:
        inside, salts = envelopes(secret, draw, width)
        wanted = slots[draw]

        def of_slot(slot: int) -> Tree:
            return {"index": inside[slot], "salt": salts[slot].hex()}

        hashes = [leaf(index, salt) for index, salt in zip(inside, salts, strict=True)]
        return _pruned(hashes, 0, width, lambda slot: slot in wanted, of_slot)

    roots = [draw_root(secret, draw, width) for draw in range(draws)]
    return _pruned(roots, 0, draws, lambda draw: bool(slots.get(draw)), of_draw)


def _pruned(
    hashes: Sequence[bytes], start: int, end: int, wanted: Callable[[int], bool], inner: Callable[[int], Tree]
) -> Tree:
    if not any(wanted(at) for at in range(start, end)):
        return root(hashes[start:end]).hex()
    if end - start == 1:
        return inner(start)
    middle = start + split(end - start)
    return [_pruned(hashes, start, middle, wanted, inner), _pruned(hashes, middle, end, wanted, inner)]
