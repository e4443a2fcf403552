"""Positions of 구십구, written as one would set them up on a table.

``position(A="8 5 4", B="1 2 3", total=95)`` is a game in which A is to move. Cards are named by what is printed on
them, in classic by rank alone (``A``, ``10``, ``K``). Whatever no hand holds is in the pile, ``draw`` on top of it.
"""

from __future__ import annotations

from typing import Any

from engines.kernel.contract import Event, Json, Rejected, Step
from engines.ninety_nine import GAME
from engines.ninety_nine.state import State

SEED = bytes(range(32))
NOW = 1_000_000


def new(players: str = "ABC", version: int | None = None, seed: bytes = SEED, **options: Any) -> State:
    """A game freshly dealt; options by their JSON names."""
    return stepped(GAME.setup(options, tuple(players), seed, NOW, version)).state


def position(
    *,
    total: int,
    current: str = "A",
    draw: str = "",
    discard: str = "",
    empty_pile: bool = False,
    version: int | None = None,
    options: Json | None = None,
    changes: Json | None = None,
    **hands: str,
) -> State:
    """A position of these players, in seat order. ``changes`` go into the dump as they are."""
    dump = GAME.dump(new("".join(hands), version, **(options or {})))
    cards = sorted((c for pile in (dump["drawPile"], *dump["hands"].values()) for c in pile), key=lambda c: c["id"])

    def take(faces: str) -> list[Json]:
        return [cards.pop(next(i for i, card in enumerate(cards) if printed(card) == face)) for face in faces.split()]

    dump |= {
        "hands": {player: take(faces) for player, faces in hands.items()},
        "drawPile": take(draw),
        "discard": take(discard),
        "total": total,
        "current": current,
        "direction": 1,
    }
    dump["discard" if empty_pile else "drawPile"] += cards
    return GAME.load(dump | (changes or {}))


def printed(card: Json) -> str:
    """What is printed on a card, without a suit."""
    return str(card["face"]).rstrip("♠♥♦♣")


def play(state: State, face: str, now: int = NOW, **choice: Any) -> Step[State]:
    """The current player plays a card, which must be accepted."""
    return stepped(attempt(state, face, now=now, **choice))


def attempt(state: State, face: str, who: str | None = None, now: int = NOW, **choice: Any) -> Step[State] | Rejected:
    """Somebody, or the current player, tries to play the first such card of the current player's hand."""
    card = next(card for card in state.hands[state.current] if card.face.rstrip("♠♥♦♣") == face)
    return GAME.apply(state, who or state.current, {"type": "play", "cardId": card.id, **choice}, now)


def why_not(state: State, face: str, **choice: Any) -> tuple[str, str]:
    """Code and sentence with which this play is refused."""
    answer = attempt(state, face, **choice)
    assert isinstance(answer, Rejected), answer
    return answer.code, answer.message


def stepped(answer: Step[State] | Rejected) -> Step[State]:
    """The step, which must not be a refusal."""
    assert not isinstance(answer, Rejected), answer
    return answer


def kinds(events: tuple[Event, ...]) -> list[str]:
    """The public events' types, in order."""
    return [event["type"] for event in events if "audience" not in event]


def one(events: tuple[Event, ...], kind: str) -> Event:
    """The only event of its type, without the type."""
    (event,) = (event for event in events if event["type"] == kind)
    return {name: value for name, value in event.items() if name != "type"}


def legal_faces(state: State, player: str | None = None) -> set[str]:
    """What the player (the current one, if not said) may play."""
    player = player or state.current
    faces = {card.id: card.face.rstrip("♠♥♦♣") for card in state.hands[player]}
    return {faces[action["cardId"]] for action in GAME.legal(state, player)}
