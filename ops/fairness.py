"""Checks evidence of a game's deals (공정성 확인), from ``gateway/FAIRNESS.md`` alone.

Nothing here is shared with the code that makes the evidence: it is written a second time, so that a mistake would have
to be made twice. The page has a third (``gateway/web/fair/check.js``), and all of them pass the same vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

MOST = 65_535  # width and draws; who asks for more wants to see us work


class Unfair(Exception):
    """The evidence does not show what it should; says what is wrong."""


def check(evidence: Any) -> list[str]:
    """What is wrong with the evidence, in words; nothing, where every open card lies where it must."""
    try:
        return list(_check(evidence))
    except Unfair as no:
        return [str(no)]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as misfit:
        return [f"this is no evidence: {type(misfit).__name__}: {misfit}"]


def count(evidence: Mapping[str, Any]) -> int:
    """How many places the evidence opens."""
    return sum(len(draw["opened"]) for draw in evidence["drawn"])


def _check(evidence: Mapping[str, Any]) -> Iterator[str]:
    if evidence["v"] != 1:
        raise Unfair(f"evidence of version {evidence['v']} is not known here")
    seal, width, draws = evidence["seal"], evidence["width"], evidence["draws"]
    if not (0 < width <= MOST and 0 < draws <= MOST):
        raise Unfair("no such size")
    for player, number in evidence["numbers"].items():
        pledge = sha256(b"hanpan pledge 1\0" + player.encode() + b"\0" + _bytes(number, 32)).hexdigest()
        if evidence["pledges"].get(player) != pledge:
            yield f"the number of {player} is not the one that was pledged"
    lot = _lot(seal, evidence["numbers"])
    if evidence["lot"] != lot.hex():
        yield "the lot is not what the numbers come to"
    opened: dict[tuple[int, int], int] = {}  # (draw, slot): index
    over_all = _hash_of_draws(evidence["tree"], 0, draws, width, opened)
    under = b"\2" + _four(width) + _four(draws) + over_all + _named(evidence["pledges"])
    if sha256(under).hexdigest() != seal:
        yield "the envelopes and pledges are not those that were sealed"
    seen, seats = set(), evidence["players"]
    for drawn in evidence["drawn"]:
        number = drawn["draw"]
        if number in seen:
            yield f"draw {number} is there twice"
        seen.add(number)
        slots = {slot: index for (draw, slot), index in opened.items() if draw == number}
        found = _places(drawn, lot, width, slots)
        yield from _check_draw(drawn, width, slots, found, seats, evidence["viewer"])
        if drawn["what"] == "seats":
            seats = [found.get(position) for position in range(drawn["count"])]
    for draw in sorted({draw for draw, _ in opened} - seen):
        yield f"envelopes of draw {draw} are open, which nothing was drawn with"


def _places(drawn: Mapping[str, Any], lot: bytes, width: int, slots: dict[int, int]) -> dict[int, str]:
    """What lies where, by the draw's open envelopes. Empty envelopes hold no place; unopened ones are not empty."""
    many, items = drawn["count"], drawn.get("items")
    found: dict[int, str] = {}
    if items is None or not slots:
        return found
    position = 0
    for slot in _turn(lot, drawn["draw"], width):
        index = slots.get(slot)
        if index is None:
            position += 1
        elif index < many:
            found[position] = items[index]
            position += 1
    return found


def _check_taken(drawn: Mapping[str, Any], viewer: str | None) -> Iterator[str]:
    """Whether the open cards are those that came off the top, for whom they came; and the viewer's are all there."""
    taken = drawn.get("taken")
    if taken is None:
        return
    number, opened = drawn["draw"], {one["position"]: one["player"] for one in drawn["opened"]}
    if any(position >= len(taken) or taken[position] != player for position, player in opened.items()):
        yield f"draw {number}: a card is open that came off the deck for somebody else, or not at all"
    if viewer is not None and any(who == viewer and at not in opened for at, who in enumerate(taken)):
        yield f"draw {number}: a card of the viewer's own is not open"


def _check_draw(
    drawn: Mapping[str, Any],
    width: int,
    slots: dict[int, int],
    found: dict[int, str],
    seats: list[str],
    viewer: str | None,
) -> Iterator[str]:
    """Whether one draw is what it says, and had no choice: what was mixed began in an order that was given."""
    number, many, items = drawn["draw"], drawn["count"], drawn.get("items")
    if items is None:
        if slots or drawn["opened"]:
            yield f"draw {number}: something is open, and nobody may know what was mixed"
        return
    if len(items) != many or (drawn["what"] != "roles" and len(set(items)) != many):
        yield f"draw {number}: what was mixed is not {many} different things"
    if drawn["what"] in ("dealer", "first"):
        order = seats
    else:  # "seats" mixes the players themselves
        order = sorted(seats if drawn["what"] == "seats" else items, key=str.encode)
    if items != order:
        yield f"draw {number}: what was mixed is not in its order"
    if not slots:
        if drawn["opened"] or (viewer is not None and viewer in drawn.get("taken", ())):
            yield f"draw {number}: no envelope is open"
        return
    indices = list(slots.values())
    if len(set(indices)) != len(indices) or not all(0 <= index < width for index in indices):
        yield f"draw {number}: an index is there twice, or is none"
    if sum(index >= many for index in indices) != width - many:
        yield f"draw {number}: not every empty envelope is open"
    yield from _check_taken(drawn, viewer)
    claimed = {one["position"]: one["item"] for one in drawn["opened"]}
    if found != claimed or len(claimed) != len(drawn["opened"]):
        yield f"draw {number}: the open envelopes hold something else than was said"


# ---------------------------------------------------------------- hashes


def _lot(seal: str, numbers: Mapping[str, str]) -> bytes:
    return sha256(b"hanpan lot 1\0" + _bytes(seal, 32) + _named(numbers)).digest()


def _named(hashes: Mapping[str, str]) -> bytes:
    """Each player's, in the order of the players' bytes."""
    players = sorted(hashes, key=str.encode)
    return b"".join([player.encode() + b"\0" + _bytes(hashes[player], 32) for player in players])


def _turn(lot: bytes, draw: int, width: int) -> list[int]:
    return sorted(range(width), key=lambda slot: sha256(b"hanpan turn 1\0" + lot + _four(draw) + _four(slot)).digest())


def _hash_of_draws(tree: Any, first: int, many: int, width: int, opened: dict[tuple[int, int], int]) -> bytes:
    if isinstance(tree, str):
        return _bytes(tree, 32)
    if many == 1:
        return _hash_of_slots(tree, first, 0, width, opened)
    left = _left(many)
    one, other = tree
    return _node(
        _hash_of_draws(one, first, left, width, opened),
        _hash_of_draws(other, first + left, many - left, width, opened),
    )


def _hash_of_slots(tree: Any, draw: int, first: int, many: int, opened: dict[tuple[int, int], int]) -> bytes:
    if isinstance(tree, str):
        return _bytes(tree, 32)
    if many == 1:
        index = tree["index"]
        opened[draw, first] = index
        return sha256(b"\0" + _bytes(tree["salt"], 16) + _four(index)).digest()
    left = _left(many)
    one, other = tree
    return _node(
        _hash_of_slots(one, draw, first, left, opened),
        _hash_of_slots(other, draw, first + left, many - left, opened),
    )


def _left(many: int) -> int:
    """The largest power of two below."""
    left = 1
    while left * 2 < many:
        left *= 2
    return left


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def _four(number: int) -> bytes:
    if type(number) is not int or not 0 <= number < 1 << 32:
        raise Unfair(f"{number!r} is no number of four bytes")
    return number.to_bytes(4, "big")


def _bytes(text: str, length: int) -> bytes:
    if len(text) != 2 * length or text.lower() != text:
        raise Unfair(f"{text[:80]!r} is not {length} bytes in hex")
    return bytes.fromhex(text)
