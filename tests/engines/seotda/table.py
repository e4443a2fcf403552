"""Tables of 섯다 with the cards one wants on them, and moves written in a line.

``table({"A": "3광 8광", "B": "1띠 4열"})`` is a hand in which A deals and these are the cards that will come; further
games are the rematches. Cards are named by what is printed on them; the plain card of 8 is also ``8띠``.
``play(state, "A half", "B call")`` puts moves to the game, each of which must be accepted.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from engines.kernel.contract import Action, Event, Json, Rejected, Step
from engines.seotda import GAME, deal, flow
from engines.seotda.cards import DECK, Card, seen
from engines.seotda.deal import Deal, plan
from engines.seotda.options import Options
from engines.seotda.state import Draft, State

NOW = 1_000_000
SEED = bytes(range(32))
FACES = {str(seen(card)["face"]): card for card in DECK} | {"8띠": DECK[15]}


def card(face: str) -> Card:
    """The card on which this is printed."""
    return FACES[face]


def cards(faces: str) -> tuple[Card, ...]:
    return tuple(card(face) for face in faces.split())


class Rigged:
    """A generator that deals what it has been told to."""

    def __init__(self, decks: list[tuple[Card, ...]]) -> None:
        self.decks = decks

    def shuffle(self, items: Any) -> tuple[tuple[Card, ...], Rigged]:
        if not self.decks:
            return tuple(items), self
        return self.decks[0], Rigged(self.decks[1:])


def stacked(hands: dict[str, str], options: Options) -> tuple[Card, ...]:
    """A deck from which these hands come, if nobody dies before the last card: players in the order of the deal."""
    held = {player: list(cards(faces)) for player, faces in hands.items()}
    top: list[Card] = []
    for stage in plan(options):
        if isinstance(stage, Deal):
            for hand in held.values():
                top += hand[: stage.cards]
                del hand[: stage.cards]
    return (*top, *(one for one in DECK if one not in top))


def opened(
    *games: dict[str, str],
    stacks: dict[str, int] | None = None,
    dealer: str = "A",
    hand_no: int = 1,
    seats: dict[str, Json] | None = None,
    **options: Any,
) -> Step[State]:
    """The step that begins a hand; ``stacks`` are before 학교. The first game names the players, clockwise."""
    players = tuple(sorted(games[0]))
    base = ok(GAME.setup(options, players, SEED, NOW)).state
    chosen = base.options
    seated = tuple(
        replace(
            next(seat for seat in base.seats if seat.id == player),
            seat=n,
            stack=(stacks or {}).get(player, chosen.starting_chips),
            **(seats or {}).get(player, {}),
        )
        for n, player in enumerate(players)
    )
    at = players.index(dealer)
    first = {player: games[0][player] for player in players[at:] + players[:at]}
    rigged: Any = Rigged([stacked(game, chosen) for game in (first, *games[1:])])
    base = replace(
        base,
        seats=seated,
        rng=rigged,
        hands_played=hand_no - 1,
        hand=replace(base.hand, hand_no=hand_no - 1),
        rematches=0,
        best_hand=None,
        biggest_pot=None,
        public_log=(),
    )
    draft = Draft(base, NOW)
    deal.new_hand(draft, at)
    flow.advance(draft)
    return draft.step()


def table(*games: dict[str, str], **how: Any) -> State:
    """The hand that `opened` opens."""
    return opened(*games, **how).state


def ok(step: Step[State] | Rejected) -> Step[State]:
    """The step, which must not be a refusal."""
    assert not isinstance(step, Rejected), step
    return step


def action(words: list[str]) -> Action:
    """ "half", "choose 3광 8광", "rejoin yes", "rebuy no"."""
    match words:
        case ["choose", *faces]:
            return {"type": "choose", "cardIds": [card(face).id for face in faces]}
        case [("rejoin" | "rebuy") as kind, answer]:
            return {"type": kind, "accept": {"yes": True, "no": False}[answer]}
        case [kind]:
            return {"type": kind}
    raise ValueError(words)


def attempt(state: State, move: str, now: int = NOW) -> Step[State] | Rejected:
    """One move: "A half", "A leaves", "timeout"."""
    who, *words = move.split()
    if who == "timeout":
        due = GAME.deadline(state)
        assert due is not None
        return GAME.timeout(state, due)
    if words == ["leaves"]:
        return GAME.presence(state, who, "left", now)
    return GAME.apply(state, who, action(words), now)


def play(state: State, *moves: str, now: int = NOW) -> Step[State]:
    """All these moves; the state after the last, and the events of all."""
    events: tuple[Event, ...] = ()
    for move in moves:
        step = ok(attempt(state, move, now))
        state, events = step.state, events + step.events
    return Step(state, events)


def checked(state: State) -> Step[State]:
    """Everybody checks until nobody is asked to bet any more in this game of the hand."""
    events: tuple[Event, ...] = ()
    game = state.hand.rematch_no
    while state.hand.phase == "betting" and state.hand.rematch_no == game:
        assert state.hand.betting is not None
        step = play(state, f"{state.hand.betting.to_act} check")
        state, events = step.state, events + step.events
    return Step(state, events)


def next_hand(state: State) -> Step[State]:
    """Everybody has seen how the hand ended."""
    return play(state, *(f"{player} ready" for player in state.hand.ready_pending))


def why_not(state: State, move: str) -> tuple[str, str]:
    """Code and sentence with which this move is refused; the state stays what it was."""
    before = msgspec.structs.asdict(state)
    answer = attempt(state, move)
    assert isinstance(answer, Rejected), answer
    assert msgspec.structs.asdict(state) == before
    return answer.code, answer.message


def prices(state: State, player: str | None = None) -> dict[str, int]:
    """What the player (whoever's turn it is) may bet, and what it costs, as the view says."""
    if player is None:
        assert state.hand.betting is not None
        player = state.hand.betting.to_act
    return {one["type"]: one["amount"] for one in GAME.view(state, player)["legalActions"]}


def stacks(state: State) -> dict[str, int]:
    return {seat.id: seat.stack for seat in state.seats}


def pot(state: State) -> int:
    amount: int = GAME.view(state, None)["pot"]
    return amount


def to_act(state: State) -> str | None:
    return None if state.hand.betting is None else state.hand.betting.to_act


def told(step: Step[State], kind: str) -> list[Json]:
    """The events of a type, without it."""
    return [{k: v for k, v in event.items() if k != "type"} for event in step.events if event["type"] == kind]


def one(step: Step[State], kind: str) -> Json:
    """The only event of its type, without it."""
    (event,) = told(step, kind)
    return event


def wins(step: Step[State]) -> list[tuple[int, dict[str, int], str]]:
    """Every pot that was paid, in order: amount, shares, reason."""
    return [(event["amount"], event["shares"], event["reason"]) for event in told(step, "potWon")]
