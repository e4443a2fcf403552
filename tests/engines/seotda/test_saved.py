"""States as JSON (8.1): written, edited by hand, and such as cannot be."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from engines.kernel import codec
from engines.kernel.contract import Json
from engines.kernel.rng import Rng
from engines.seotda import GAME
from engines.seotda.state import State
from tests.engines.seotda.table import NOW, SEED, checked, ok, play

Edit = Callable[[Json], Any]


def fresh(players: str = "ABC", **options: Any) -> State:
    return ok(GAME.setup(options, players, SEED, NOW)).state


def test_s8_1_the_names_are_the_documents() -> None:
    """camelCase; cards have id, month and kind."""
    dump = GAME.dump(fresh())
    assert dump["stateVersion"] == 1
    assert {"options", "rng", "seats", "baseUnit", "hand", "handsPlayed", "phase", "rebuyPending"} <= dump.keys()
    assert {"eliminationSeq", "publicLog"} <= dump.keys()
    assert {"id", "seat", "stack", "rebuys", "status", "away", "timeoutsInRow", "eliminatedAtHand"} <= dump["seats"][
        0
    ].keys()
    hand = dump["hand"]
    assert {"handNo", "rematchNo", "phase", "dealerSeat", "deck", "players", "participants"} <= hand.keys()
    assert {"betting", "carriedPots", "pots", "rejoinPending", "showdown"} <= hand.keys()
    assert hand["betting"].keys() == {"street", "toAct", "currentBet"}
    assert hand["deck"][0].keys() == {"id", "month", "kind"}
    for seated in hand["players"].values():
        assert {"hand", "chosen", "folded", "allIn", "committedRound", "actedThisRound"} <= seated.keys()


def edits() -> dict[str, Edit]:
    """Each makes a state that no game is ever in."""

    def first(dump: Json) -> Json:
        seated: Json = dump["hand"]["players"][dump["hand"]["participants"][0]]
        return seated

    return {
        "a chip more": lambda d: d["seats"][0].update(stack=d["seats"][0]["stack"] + 1),
        "a chip less in a pot": lambda d: d["hand"]["pots"][0].update(amount=29),
        "debts": lambda d: (d["seats"][0].update(stack=-10), d["seats"][1].update(stack=1990)),
        "a card twice": lambda d: d["hand"]["deck"].__setitem__(0, d["hand"]["deck"][1]),
        "a card missing": lambda d: d["hand"]["deck"].pop(),
        "a card of no deck": lambda d: d["hand"]["deck"][0].update(month=9, kind="gwang"),
        "somebody twice": lambda d: d["seats"][0].update(id=d["seats"][1]["id"]),
        "one seat": lambda d: d.update(seats=d["seats"][:1]),
        "seats out of order": lambda d: d["seats"].reverse(),
        "a stranger's turn": lambda d: d["hand"]["betting"].update(toAct="X"),
        "nobody's turn": lambda d: d["hand"]["betting"].update(toAct=None),
        "the turn of one who has died": lambda d: first(d).update(folded=True),
        "the turn of one who is all-in": lambda d: first(d).update(allIn=True),
        "the turn of one who has left": lambda d: d["seats"][d["hand"]["dealerSeat"]].update(status="left"),
        "a bet that nobody made": lambda d: d["hand"]["betting"].update(currentBet=10),
        "a card more than were dealt": lambda d: first(d)["hand"].append(d["hand"]["deck"].pop()),
        "a pot for a stranger": lambda d: d["hand"]["pots"][0].update(eligible=["X"]),
        "a pot for nobody": lambda d: d["hand"]["pots"][0].update(eligible=[]),
        "a dealer without a seat": lambda d: d["hand"].update(dealerSeat=3),
        "a player without a place": lambda d: d["hand"]["participants"].pop(),
        "no betting while betting": lambda d: d["hand"].update(betting=None),
        "betting at the end of a hand": lambda d: d["hand"].update(phase="handEnd"),
        "dealing": lambda d: d["hand"].update(phase="dealing", betting=None),
        "in the showdown": lambda d: d["hand"].update(phase="showdown", betting=None),
        "coming back, and nobody asked": lambda d: d["hand"].update(phase="rejoin", betting=None),
        "finished in mid-hand": lambda d: d.update(phase="finished"),
        "new chips in mid-hand": lambda d: d.update(phase="rebuy", rebuyPending=[d["seats"][0]["id"]]),
        "a stage beyond the plan": lambda d: d["hand"].update(stage=7),
        "a stage before it": lambda d: d["hand"].update(stage=-1),
        "another's card chosen": lambda d: first(d).update(chosen=[0, 1]),
        "version 2": lambda d: d.update(stateVersion=2),
        "an option that is none": lambda d: d["options"].update(handLimit=7),
        "no seed": lambda d: d["rng"].update(seed=""),
        "a phase that is none": lambda d: d.update(phase="lunch"),
        "no seats": lambda d: d.pop("seats"),
    }


@pytest.mark.parametrize("name", edits())
def test_what_cannot_be_a_moment_of_a_game_is_refused(name: str) -> None:
    """With ``ValueError``, and nothing else."""
    dump = GAME.dump(fresh())
    assert GAME.load(deepcopy(dump)) is not None
    edits()[name](dump)
    with pytest.raises(ValueError, match=r"\S"):
        GAME.load(dump)


def test_after_the_choice_everybody_who_is_in_has_chosen() -> None:
    """Two cards of their own, and not two others."""
    state = play(checked(fresh(cardMode="three")).state, "timeout").state
    dump = GAME.dump(state)
    assert dump["hand"]["betting"]["street"] == 1
    seated = dump["hand"]["players"]["A"]
    for chosen, wrong in ((None, "has not chosen"), ([seated["chosen"][0]] * 2, "not in the hand")):
        seated["chosen"] = chosen
        with pytest.raises(ValueError, match=wrong):
            GAME.load(dump)


def test_a_consistent_edit_is_taken() -> None:
    """Chips from one to another, two cards that change places; the game goes on from there."""
    dump = GAME.dump(fresh())
    dump["seats"][0]["stack"] += 100
    dump["seats"][1]["stack"] -= 100
    hand = dump["hand"]
    mine = hand["players"]["A"]["hand"]
    mine[0], hand["deck"][0] = hand["deck"][0], mine[0]
    state = GAME.load(json.loads(json.dumps(dump)))
    assert codec.dump(state) == dump
    assert play(state, f"{GAME.view(state, None)['current']} ping").state.seq == state.seq + 1


def test_every_phase_survives_being_saved() -> None:
    """And a saved state goes the same way on."""
    state = fresh(cardMode="three")
    seen = set()
    for _ in range(60):
        again = GAME.load(json.loads(codec.canonical(state)))
        assert again == state
        seen.add(GAME.view(state, None)["phase"])
        due = GAME.deadline(state)
        assert due is not None
        assert codec.canonical(GAME.timeout(again, due).state) == codec.canonical(GAME.timeout(state, due).state)
        state = GAME.timeout(state, due).state
    assert {"betting", "choose", "handEnd"} <= seen


def test_a_state_is_never_changed_in_place() -> None:
    """What an old state was, it is after the game has gone on."""
    state = fresh(dealMode="oneRound")
    before = codec.canonical(state)
    after = checked(state).state
    assert codec.canonical(state) == before
    assert after.seq > state.seq
    assert isinstance(after.rng, Rng)
