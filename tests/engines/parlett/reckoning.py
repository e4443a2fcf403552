"""The same rules worked out another way, by hand as it were, from what everybody is told and the cards' faces alone.

Nothing of the engine is used here: neither its tables nor its ids. Tests hold the one against the other.
"""

from __future__ import annotations

from typing import Any

RANKING = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
TRICKS_OF = {"♣": 3, "♥": 2, "♠": 1, "♦": 0}
SIGNS = {"C": "♣", "H": "♥", "S": "♠", "D": "♦", None: None}


def parse(face: str) -> tuple[str, int]:
    """``10♥`` or ``조커(10♥)``: suit and height."""
    face = face.removeprefix("조커(").removesuffix(")")
    return face[-1], RANKING.index(face[:-1])


def taker(trick: list[tuple[str, str]], trump: str | None) -> str:
    """Who takes these (player, face): sort by trump, then by following, then by height."""
    led = parse(trick[0][1])[0]
    ordered = sorted(
        trick, key=lambda one: (parse(one[1])[0] == SIGNS[trump], parse(one[1])[0] == led, parse(one[1])[1])
    )
    return ordered[-1][0]


def may_play(hand: list[str], face: str, led: str | None) -> bool:
    """Whether following is kept to."""
    if led is None or parse(face)[0] == parse(led)[0]:
        return True
    return not any(parse(held)[0] == parse(led)[0] for held in hand)


def bid_of(faces: list[str]) -> int:
    return sum(TRICKS_OF[parse(face)[0]] for face in faces)


PAYS = {"declaration": 30, "revelation": 60, "declare": 30, "reveal": 60, "both": 90}


def score(
    form: str,
    tricks: dict[str, int],
    bids: dict[str, int],
    premiums: list[dict[str, Any]],
    before: dict[str, int],
) -> dict[str, int]:
    """Each one's points of a round; ``before``: how often in a row each had made it until then."""
    made = set()
    for who, bid in bids.items():
        right = [bid]
        if form == "noNpc" or (form == "four" and bid == 0):
            right.append(bid + 10)
        if tricks[who] in right:
            made.add(who)
    points = dict(tricks)
    for who in made:
        if form == "noNpc":
            points[who] += (before[who] + 1) * 10
        elif len(made) < 4:
            points[who] += {1: 30, 2: 20, 3: 10}[len(made)]
    lost = [
        p for p in premiums if p["player"] not in made or p.get("tricks", tricks[p["player"]]) != tricks[p["player"]]
    ]
    losers = {p["player"] for p in lost}
    for premium in premiums:
        if premium["player"] not in losers:
            points[premium["player"]] += PAYS[premium["kind"]]
        else:
            for other in points:
                points[other] += 0 if other in losers else PAYS[premium["kind"]]
    return points
