"""Positions of Parlett's Ninety-Nine, written as one would set them up on a table.

Cards are written ``H10``, ``CA``, ``JK``. In `position` everybody holds the cards that are given; bids that are not
given, and everything already played, are made up of the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.kernel.contract import Event, Json, Rejected, Step
from engines.parlett import GAME
from engines.parlett.cards import JOKER, PICTURES, VALUE
from engines.parlett.forms import DECKS, FORMS, form_of
from engines.parlett.options import Options
from engines.parlett.state import State, awaited

SEED = bytes(range(32))
NOW = 1_000_000
RANKS = {name: rank for rank, name in PICTURES.items()}


def card(name: str) -> str:
    """``H10`` to its id."""
    if name == JOKER:
        return JOKER
    suit, rank = name[0], name[1:]
    return f"{VALUE[suit]}{suit}{RANKS.get(rank) or int(rank):02}"  # type: ignore[index]


def cards(names: str) -> list[str]:
    return [card(name) for name in names.split()]


def new(players: str = "ABC", seed: bytes = SEED, **options: Any) -> State:
    """A game freshly dealt; options by their JSON names."""
    return stepped(GAME.setup(options, tuple(players), seed, NOW)).state


def with_turn_up(wanted: str, players: str = "ABC", **options: Any) -> State:
    """A fresh deal in which this card is turned up."""
    for number in range(10_000):
        state = new(players, number.to_bytes(32, "big"), **options)
        if state.turn_up == card(wanted):
            return state
    raise AssertionError(f"{wanted} was never turned up")


def position(
    players: str = "ABC",
    *,
    hands: dict[str, str],
    turn_up: str | None = "H7",
    trump: str | None = "",
    bids: dict[str, str] | None = None,
    won: dict[str, int] | None = None,
    trick: str = "",
    current: str | None = None,
    dealer: str | None = None,
    controller: str | None = None,
    changes: Json | None = None,
    **options: Any,
) -> State:
    """In the middle of a round's play; ``trick`` is ``A:H10 B:H6``. Trumps are the turn-up's suit, if not said."""
    options = {"rounds": 1, **options}
    dump = GAME.dump(new(players, **options))
    form = form_of(Options(two_player=options.get("twoPlayer", "npc")), len(players))
    variant = options.get("variant", "standard")
    table = list(dump["hands"])
    rest = list(DECKS[form, variant])
    tabled = [dict(zip(("player", "card"), (who, card(name)), strict=True)) for who, name in _pairs(trick)]
    held = {who: sorted(cards(names)) for who, names in hands.items()}
    laid = {who: sorted(cards(names)) for who, names in (bids or {}).items()}
    used = [one["card"] for one in tabled] + [c for pile in (*held.values(), *laid.values()) for c in pile]
    for one in used + ([card(turn_up)] if turn_up else []):
        rest.remove(one)
    for who in table:
        if who not in laid and (variant != "unbid" or who == "npc"):
            laid[who], rest = sorted(rest[:3]), rest[3:]
    finished = FORMS[form].tricks - max(len(hand) for hand in held.values())
    if variant == "unbid":
        finished += 3
    dump |= {
        "hands": held,
        "bids": laid,
        "turnUp": card(turn_up) if turn_up else None,
        "trump": (turn_up[0] if turn_up else None) if trump == "" else trump,
        "trick": tabled,
        "played": rest,
        "tricksWon": {who: (won or {table[0]: finished}).get(who, 0) for who in table},
        "phase": "playing",
        "current": current or players[0],
        "controller": (controller or current or players[0]) if form == "npc" else None,
        "dealer": dealer or players[-1],
    }
    return GAME.load(dump | (changes or {}))


def _pairs(trick: str) -> Iterator[tuple[str, str]]:
    for one in trick.split():
        who, _, name = one.partition(":")
        yield who, name


# ---------------------------------------------------------------- doing things


def stepped(answer: Step[State] | Rejected) -> Step[State]:
    """The step, which must not be a refusal."""
    assert not isinstance(answer, Rejected), answer
    return answer


def do(state: State, who: str, action: str, /, now: int = NOW, **fields: Any) -> Step[State]:
    return stepped(GAME.apply(state, who, {"type": action, **fields}, now))


def why_not(state: State, who: str, action: str, /, **fields: Any) -> str:
    """The code with which this is refused; the state stays as it was."""
    before = GAME.dump(state)
    answer = GAME.apply(state, who, {"type": action, **fields}, NOW)
    assert isinstance(answer, Rejected), answer
    assert GAME.dump(state) == before
    return answer.code


def bid(state: State, who: str, names: str | None = None) -> Step[State]:
    """Bids these, or the first three of the hand."""
    return do(state, who, "bid", cardIds=cards(names) if names else list(state.hands[who][:3]))


def all_bid(state: State) -> Step[State]:
    step = Step(state, ())
    for who in state.seats:
        step = bid(step.state, who)
    return step


def offers(state: State, **kinds: str) -> Step[State]:
    """Everybody answers for premium bids; who is not named, with none. ``declare:4`` says a number."""
    step = Step(state, ())
    for who in state.seats:
        kind, _, tricks = kinds.get(who, "none").partition(":")
        step = do(step.state, who, "premium", kind=kind, **({"tricks": int(tricks)} if tricks else {}))
    return step


def play(state: State, names: str) -> Step[State]:
    """These cards one after the other, by whoever has to play each."""
    step = Step(state, ())
    for name in names.split():
        (who,) = awaited(step.state)
        step = do(step.state, who, "play", cardId=card(name))
    return step


def lapse(state: State) -> Step[State]:
    """The next deadline passes."""
    due = GAME.deadline(state)
    assert due is not None
    return GAME.timeout(state, due)


def playable(state: State) -> set[str]:
    """The ids that may be played now."""
    (who,) = awaited(state)
    return {action["cardId"] for action in GAME.legal(state, who)}


def kinds(events: tuple[Event, ...]) -> list[str]:
    """The public events' types, in order."""
    return [event["type"] for event in events if "audience" not in event]


def every(events: tuple[Event, ...], kind: str) -> list[Event]:
    """All events of this type, without it."""
    return [{k: v for k, v in event.items() if k != "type"} for event in events if event["type"] == kind]


def one(events: tuple[Event, ...], kind: str) -> Event:
    """The only event of its type, without the type."""
    (event,) = every(events, kind)
    return event


def over_at_once(seed: int = 1, players: str = "ABC", **options: Any) -> State:
    """A whole game on deadlines alone."""
    state = new(players, seed.to_bytes(32, "big"), **options)
    while (due := GAME.deadline(state)) is not None:
        state = GAME.timeout(state, due).state
    return state
