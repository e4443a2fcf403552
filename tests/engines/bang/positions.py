"""Positions of 뱅!, written as one would set them up on a table.

``position("sheriff willy: bang beer / barrel", "outlaw bart 2: missed", …)`` seats A, B, … clockwise: role, character,
the life where it is not full, the hand, and after the slash what lies in front. A is to play, unless another is named.

A card is named by its kind (``bang``), its face (``5♦``), its suit (``♥``), or kind and face (``bang:A♠``). ``deck``
and ``discard`` are written top first; whatever lies nowhere else is at the bottom of the deck, or of the discards.
"""

from __future__ import annotations

from typing import Any

from engines.bang import GAME
from engines.bang.cards import CARDS, KIND, PIPS, CardId
from engines.bang.deal import life_of
from engines.bang.state import Player, State
from engines.kernel.contract import Event, Json, Rejected, Step

SEED = bytes(range(32))
NOW = 1_000_000
SOLO = ("outlaw paul: bang", "outlaw rose: bang", "renegade kit: bang")  # three others, for who needs only that


def new(players: str = "ABCD", seed: bytes = SEED, **options: Any) -> State:
    """A game freshly set up; options by their JSON names."""
    return ok(GAME.setup(options, tuple(players), seed, NOW)).state


def position(
    *seats: str,
    turn: str = "A",
    phase: str = "play",
    deck: str = "",
    discard: str = "",
    rest: str = "deck",
    options: Json | None = None,
    **changes: Any,
) -> State:
    """A state of these seats. ``changes`` go into the turn by their JSON names."""
    left = list(range(len(CARDS)))

    def take(names: str) -> list[CardId]:
        return [left.pop(next(i for i, card in enumerate(left) if called(card, name))) for name in names.split()]

    dump = GAME.dump(new("ABCDEFG"[: len(seats)], **(options or {})))
    players: list[Json] = []
    dead: list[str] = []
    for name, text in zip("ABCDEFG", seats, strict=False):
        who, _, cards = text.partition(":")
        words = who.split()
        if words[0] == "dead":
            dead.append(name)
            words = words[1:]
        full = life_of(words[1], words[0])  # type: ignore[arg-type]
        life = int(words[2]) if len(words) > 2 else 0 if name in dead else full
        hand, _, in_play = cards.partition(" / ") if " / " in cards else (cards, "", "")
        players.append(
            {
                "id": name,
                "seat": len(players),
                "role": words[0],
                "character": words[1],
                "maxLife": full,
                "life": life,
                "alive": name not in dead,
                "hand": take(hand),
                "inPlay": take(in_play),
            }
        )
    on_deck, on_discard = take(deck)[::-1], take(discard)[::-1]
    dump |= {
        "players": players,
        "deck": [*(left if rest == "deck" else []), *on_deck],
        "discard": [*(left if rest == "discard" else []), *on_discard],
        "turn": {"player": turn, "phase": phase, "deadline": NOW + 60_000, **changes},
        "reactions": [],
        "deathOrder": dead,
        "round": 1,
        "log": [],
    }
    return GAME.load(dump)


def called(card: CardId, name: str) -> bool:
    """Whether this card can be called so."""
    kind, _, face = name.rpartition(":")
    found = CARDS[card]
    shown = f"{found.rank}{PIPS[found.suit]}"
    if kind:
        return found.kind == kind and shown == face
    return name in (found.kind, shown, PIPS[found.suit])


# ---------------------------------------------------------------- doing things


def ok(answer: Step[State] | Rejected) -> Step[State]:
    """The step, which must not be a refusal."""
    assert not isinstance(answer, Rejected), answer
    return answer


def act(state: State, who: str, kind: str, now: int = NOW, **fields: Any) -> Step[State]:
    """An action, which must be accepted."""
    return ok(GAME.apply(state, who, {"type": kind, **fields}, now))


def play(state: State, name: str, target: str | None = None, card: str | None = None, **more: Any) -> Step[State]:
    """Whoever's turn it is plays a card of this name, at this player, at this card of theirs."""
    return ok(attempt(state, name, target, card, **more))


def attempt(
    state: State, name: str, target: str | None = None, card: str | None = None, who: str | None = None, **more: Any
) -> Step[State] | Rejected:
    """The same, whatever comes of it."""
    who = who or state.turn.player
    action: Json = {"type": "play", "cardId": held(state, who, name)[0], **more}
    if target is not None:
        action["target"] = target
    if card is not None:
        assert target is not None
        action["targetCard"] = card if card == "hand" else lying(state, target, card)
    return GAME.apply(state, who, action, NOW)


def respond(state: State, who: str, *names: str, now: int = NOW) -> Step[State]:
    """Answers a window with cards of these names."""
    return act(state, who, "respond", now, cardIds=held(state, who, *names))


def hit(state: State, who: str) -> Step[State]:
    """Takes the hit."""
    return act(state, who, "takeHit")


def heal(state: State, who: str, *names: str) -> Step[State]:
    """Two cards for a life."""
    return act(state, who, "sidHeal", cardIds=held(state, who, *names))


def refused(answer: Step[State] | Rejected) -> tuple[str, str]:
    """Code and sentence of a refusal."""
    assert isinstance(answer, Rejected), answer
    return answer.code, answer.message


def why(state: State, who: str, kind: str, **fields: Any) -> str:
    """The code with which this action is refused."""
    return refused(GAME.apply(state, who, {"type": kind, **fields}, NOW))[0]


# ---------------------------------------------------------------- looking


def seat(state: State, who: str) -> Player:
    """One player."""
    return next(player for player in state.players if player.id == who)


def life(state: State, who: str) -> int:
    return seat(state, who).life


def kinds(state: State, who: str) -> list[str]:
    """The kinds in a hand, sorted."""
    return sorted(KIND[card] for card in seat(state, who).hand)


def in_front(state: State, who: str) -> list[str]:
    """The kinds that lie in front of a player, as they came."""
    return [KIND[card] for card in seat(state, who).in_play]


def held(state: State, who: str, *names: str) -> list[CardId]:
    """Different cards of a hand by name."""
    left, found = list(seat(state, who).hand), []
    for name in names:
        found.append(next(card for card in left if called(card, name)))
        left.remove(found[-1])
    return found


def lying(state: State, who: str, name: str) -> CardId:
    """A card in front of a player."""
    return next(card for card in seat(state, who).in_play if called(card, name))


def piled(state: State) -> list[str]:
    """The kinds on the discard pile, top first."""
    return [KIND[card] for card in reversed(state.discard)]


def windows(state: State) -> list[tuple[str, str]]:
    """Kind and player of everything that is asked."""
    return [(GAME.view(state, None)["reactions"][i]["kind"], w.asked) for i, w in enumerate(state.reactions)]


def told(events: tuple[Event, ...], *types: str) -> list[str]:
    """The types of events, in order, of those asked for."""
    return [event["type"] for event in events if not types or event["type"] in types]


def one(events: tuple[Event, ...], kind: str) -> Json:
    """The only event of its type, without the type."""
    (event,) = (event for event in events if event["type"] == kind)
    return {name: value for name, value in event.items() if name != "type"}


def legal_types(state: State, who: str) -> set[str]:
    return {action["type"] for action in GAME.legal(state, who)}
