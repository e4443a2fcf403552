"""What proofs of 뱅! open, where cards are mixed that nobody may know of."""

from __future__ import annotations

from random import Random

import msgspec

from engines.bang import GAME
from engines.bang.ledger import BangLedger
from engines.bang.state import State
from engines.kernel.contract import Event
from engines.kernel.rng import Drawn, Rng, watched
from engines.kernel.sealed import seed_of
from tests.engines.bang.positions import NOW, position
from tests.engines.play import askable, ok

GAMES = 12


def sealed_game(players: str, rng: Random) -> tuple[BangLedger, State]:
    """A fresh game whose deals can be proved, and the ledger that has seen its setup."""
    ledger = BangLedger()
    with watched() as draws:
        step = ok(GAME.setup({}, tuple(players), seed_of(rng.randbytes(32), rng.randbytes(32), 80), 0))
    ledger.step(None, draws, step.events, step.state)
    return ledger, step.state


def mistaken(ledger: BangLedger, draws: list[Drawn], events: tuple[Event, ...]) -> list[int]:
    """Draws of this step that pass for the deck, and were no reshuffle."""
    sizes = [event["deckCount"] for event in events if event["type"] == "reshuffled"]
    return [
        drawn.draw
        for drawn in draws
        if (entry := ledger.draws.get(drawn.draw)) is not None and entry.what == "deck" and drawn.count not in sizes
    ]


def test_bg_57_a_hand_that_the_clock_discards_is_not_taken_for_the_deck() -> None:
    """A lets the whole turn pass and must discard what it has just drawn; then B's jail empties the deck."""
    ledger, fresh = sealed_game("ABCD", Random(1))
    state = position(
        "sheriff rose 2: bang bang missed missed",
        "outlaw paul: bang / jail:10♠",
        "outlaw bart: bang",
        "renegade kit: bang",
        phase="draw",
        deck="beer beer saloon",
        rest="discard",
    )
    state = msgspec.structs.replace(state, rng=Rng(fresh.rng.seed, fresh.rng.counter))
    due = GAME.deadline(state)
    assert due is not None
    with watched() as draws:
        step = ok(GAME.timeout(state, due))
    assert [event["type"] for event in step.events].count("reshuffled") == 1
    ledger.step(state, draws, step.events, step.state)
    assert mistaken(ledger, draws, step.events) == []
    assert [drawn.draw for drawn in draws if ledger.draws[drawn.draw].what == "deck"] == [draws[-1].draw]


def test_bg_57_only_reshuffles_are_the_deck_in_games_full_of_timeouts() -> None:
    rng = Random(7)
    for _ in range(GAMES):
        ledger, state = sealed_game("ABCDEFG"[: rng.randint(4, 7)], rng)
        now = NOW
        for _ in range(200):
            if GAME.result(state) is not None:
                break
            due = GAME.deadline(state)
            asked = askable(GAME, state, tuple(player.id for player in state.players))
            with watched() as draws:
                if due is not None and (rng.random() < 0.25 or not asked):
                    now = max(now, due)
                    step = ok(GAME.timeout(state, now))
                else:
                    now += 500
                    who = rng.choice(sorted(asked))
                    kind = rng.choice(sorted({action["type"] for action in asked[who]}))
                    action = rng.choice([action for action in asked[who] if action["type"] == kind])
                    step = ok(GAME.apply(state, who, action, now))
            ledger.step(state, draws, step.events, step.state)
            assert mistaken(ledger, draws, step.events) == []
            state = step.state
