"""Dumps that somebody has edited (RULES 8.1): what cannot be is refused, and what is not refused plays on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from engines.kernel.codec import options_schema
from engines.kernel.contract import Json, Rejected
from engines.kernel.legal import sample
from engines.parlett import GAME
from engines.parlett.forms import NPC
from engines.parlett.state import State
from tests.engines.parlett.positions import all_bid, lapse, new, offers, play, position
from tests.engines.play import askable, random_start
from tests.engines.play import play as whole_game

SAMPLE = int(os.environ.get("HANPAN_SOAK", "200"))

pytestmark = pytest.mark.timeout(max(120, SAMPLE))

Change = dict[str, Any]


def middle() -> State:
    """Three players, two cards in each hand, one on the table."""
    return play(position(hands={"A": "H10 C6", "B": "H8 C7", "C": "HA C8"}), "H10").state


def beside_npc() -> State:
    """The NPC has taken a trick and is to lead."""
    hands = {"A": "H10 C6 D6", "B": "H8 C7 D7", NPC: "HA C8 D8"}
    return play(position("AB", hands=hands, turn_up="S6", trump=None, current="A"), "H10 H8 HA").state


def first_beside_npc() -> State:
    """Nothing has been played."""
    return offers(all_bid(new("AB")).state).state


def ended() -> State:
    """The score of the first of nine rounds."""
    state = new()
    while state.phase != "roundEnd":
        state = lapse(state).state
    return state


def premium() -> State:
    return all_bid(new()).state


def unbid() -> State:
    return new(variant="unbid")


def asked_trump() -> State:
    return offers(new(variant="sphinx"), B="declaration").state


WRONG: list[tuple[str, Callable[[], State], Change]] = [
    ("not two to four different players", premium, {"seats": ["A", "A", "C"]}),
    ("not two to four different players", first_beside_npc, {"seats": ["A", NPC]}),
    ("do not play four", premium, {"form": "four"}),
    ("do not name the players", premium, {"scores": {"A": 0}}),
    ("roundScores or lastRound do not name", ended, {"lastRound": {}, "roundScores": [{"A": 3}]}),
    ("names somebody who does not play", premium, {"dealer": "D"}),
    ("names somebody who does not play", premium, {"left": [NPC]}),
    ("names somebody who does not play", premium, {"missedTurns": {"D": 1}}),
    ("names somebody who does not play", premium, {"offers": {"D": {"kind": "none"}}}),
    ("names somebody who does not play", middle, {"trick": [{"player": "D", "card": "2H10"}]}),
    ("in round 10 of 9", premium, {"round": 10}),
    ("in round 0 of 9", premium, {"round": 0}),
    ("the phase is finished in round 1 of 9", ended, {"phase": "finished"}),
    ("without a score", premium, {"roundScores": [{"A": 1, "B": 0, "C": 0}]}),
    ("without a score", ended, {"roundScores": []}),
    ("without a score", ended, {"lastRound": {}}),
    ("there is no trump in standard", premium, {"phase": "trump", "current": "A"}),
    ("there is no bidding in unbid", unbid, {"phase": "bidding"}),
    ("0 of 9 tricks have been taken", premium, {"phase": "roundEnd"}),
    ("9 of 9 tricks have been taken", ended, {"phase": "playing"}),
    ("-1 of 9 tricks have been taken", premium, {"tricksWon": {"A": -1, "B": 0, "C": 0}}),
    ("and there are tricks", premium, {"tricksWon": {"A": 1, "B": 0, "C": 0}}),
    ("ready for the next round before", premium, {"ready": ["A"]}),
    ("the cards are not one deck", premium, {"turnUp": "JK"}),
    ("the cards are not one deck", premium, {"turnUp": None}),
    ("the last trick is not among", middle, {"lastTrick": [{"player": "A", "card": "3C06"}]}),
    ("the last trick is not among", middle, {"lastTrick": [{"player": "A", "card": "no card"}]}),
    ("played and tricksWon disagree", middle, {"tricksWon": {"A": 5, "B": 0, "C": 0}}),
    ("and bids are laid by A, B, C", premium, {"options": {"variant": "unbid"}}),
    ("a premium bid that cannot be made", premium, {"offers": {"A": {"kind": "both", "tricks": 3}}}),
    ("a premium bid that cannot be made", unbid, {"offers": {"A": {"kind": "declare"}}}),
    ("a premium bid that cannot be made", unbid, {"offers": {"A": {"kind": "declare", "tricks": 10}}}),
    ("a premium bid that cannot be made", beside_npc, {"premiums": [{"player": "A", "kind": "revelation"}]}),
    ("none, or nobody's", middle, {"premiums": [{"player": "A", "kind": "none"}]}),
    ("none, or nobody's", beside_npc, {"premiums": [{"player": NPC, "kind": "declaration"}]}),
    ("more premium bids", middle, {"premiums": [{"player": who, "kind": "declaration"} for who in "AB"]}),
    ("more premium bids", beside_npc, {"premiums": [{"player": "A", "kind": "declaration"}] * 2}),
    ("and premium bids have been made", premium, {"premiums": [{"player": "A", "kind": "declaration"}]}),
    ("and premium bids have been made", new, {"offers": {"A": {"kind": "none"}}}),
    ("and the current player A", premium, {"current": "A"}),
    ("and the current player None", middle, {"current": None}),
    ("A has no trump to name", asked_trump, {"current": "A"}),
    ("the NPC is played by A", middle, {"controller": "A"}),
    ("the NPC is played by None", beside_npc, {"controller": None}),
    ("the NPC is played by npc", beside_npc, {"controller": NPC}),
    ("B leads, and A plays the NPC", beside_npc, {"current": "B"}),
    ("the NPC leads to the first trick", first_beside_npc, {"current": NPC}),
    ("played by A, A, which is not in turn", middle, {"current": "A"}),
    ("played by A, C, which is not in turn", middle, {"current": "C"}),
    ("nobody is asked anything", premium, {"offers": {who: {"kind": "none"} for who in "ABC"}}),
    ("nobody is asked anything", ended, {"ready": ["A", "B", "C"]}),
]


@pytest.mark.parametrize(("wrong", "made", "change"), WRONG)
def test_r8_1_1_a_dump_that_cannot_be_is_refused(wrong: str, made: Callable[[], State], change: Change) -> None:
    """With the reason; and as it was before it was edited, it is the same state."""
    state = made()
    dump: Json = json.loads(json.dumps(GAME.dump(state)))
    assert GAME.load(dump) == state
    change = {key: {**dump[key], **value} if key == "options" else value for key, value in change.items()}
    with pytest.raises(ValueError, match=wrong):
        GAME.load(dump | change)


def test_r8_1_1_a_dump_with_wrong_hands_or_bids_is_refused() -> None:
    """A card too many in one hand, a bid of two cards, a bid too few, a joker that is nowhere."""
    dump = GAME.dump(middle())
    hands = {**dump["hands"], "A": [*dump["hands"]["A"], dump["hands"]["B"][0]], "B": dump["hands"]["B"][1:]}
    with pytest.raises(ValueError, match="A holds 2 cards, not 1"):
        GAME.load(dump | {"hands": hands})
    short, rest = dump["bids"]["A"][:2], dump["bids"]["A"][2:]
    with pytest.raises(ValueError, match="a bid is not three cards"):
        GAME.load(dump | {"bids": {**dump["bids"], "A": short}, "played": [*dump["played"], *rest]})
    fewer = {who: cards for who, cards in dump["bids"].items() if who != "A"}
    with pytest.raises(ValueError, match="and bids are laid by B, C"):
        GAME.load(dump | {"bids": fewer, "played": [*dump["played"], *dump["bids"]["A"]]})
    for cards in dump["hands"].values():
        cards[:] = ["4X99" if card == cards[0] else card for card in cards]
    with pytest.raises(ValueError, match="not one deck"):
        GAME.load(dump)


def test_r8_1_1_what_can_be_is_loaded_as_it_was_edited() -> None:
    """Scores, trumps, cards that have changed hands."""
    dump = GAME.dump(premium())
    assert GAME.load(dump | {"scores": {"A": 5, "B": 0, "C": 99}}).scores["C"] == 99
    assert GAME.load(dump | {"trump": None}).trump is None
    hands = dump["hands"]
    swapped = {**hands, "A": sorted([*hands["A"][1:], hands["B"][0]]), "B": sorted([*hands["B"][1:], hands["A"][0]])}
    assert hands["B"][0] in GAME.load(dump | {"hands": swapped}).hands["A"]


# ---------------------------------------------------------------- edited at random


def edit(dump: Json, other: Json, rng: Random) -> None:
    """One field is changed somehow; perhaps to what it is in another moment of the game."""
    name = rng.choice([key for key in dump if key not in ("stateVersion", "rng")])
    value, who = dump[name], rng.choice([*dump["seats"], NPC, "Z", None])
    if rng.random() < 0.4:
        dump[name] = other.get(name, value)
    elif name in ("current", "controller", "dealer"):
        dump[name] = who
    elif name == "phase":
        dump[name] = rng.choice(["bidding", "premium", "trump", "playing", "roundEnd", "finished"])
    elif name == "options":
        key = rng.choice(list(value))
        dump[name] = {**value, key: rng.choice(options_schema(GAME.Options)["properties"][key]["enum"])}
    elif name in ("premiums", "offers"):
        said = {"kind": rng.choice(["none", "declaration", "revelation", "declare", "both"])}
        said |= {"tricks": rng.randrange(-1, 12)} if rng.random() < 0.5 else {}
        dump[name] = [{"player": who, **said}] if name == "premiums" else {**value, who or "Z": said}
    elif isinstance(value, int):
        dump[name] = value + rng.choice([-2, -1, 1, 2])
    elif isinstance(value, list):
        dump[name] = value[1:] if value and rng.random() < 0.5 else [*value, *value[:1]]
    elif isinstance(value, dict) and value:
        key = rng.choice(list(value))
        new_value = value[key] + rng.choice([-1, 1]) if isinstance(value[key], int) else value[key]
        new_value = new_value[1:] if isinstance(new_value, list) else new_value
        dump[name] = {k: new_value if k == key else v for k, v in value.items() if k != key or rng.random() < 0.7}
    else:
        dump[name] = rng.choice([None, "H", "JK", "2H10"])


def plays_on(state: State, players: tuple[str, ...], rng: Random) -> None:
    """To the end, by bots, chance and deadlines; every moment of it can be seen, and loaded again."""
    for now in range(10**9, 10**9 + 10**7, 10**4):
        if rng.random() < 0.2:
            for viewer in (*players, None):
                GAME.view(state, viewer)
            assert GAME.load(GAME.dump(state)) == state
        if GAME.result(state) is not None:
            return
        due = GAME.deadline(state)
        assert due is not None
        who, legal = rng.choice(list(askable(GAME, state, players).items()))
        chance = rng.random()
        if chance < 0.1:
            state = GAME.timeout(state, max(now, due)).state
            continue
        action = GAME.bot(GAME.view(state, who), legal, rng) if chance < 0.11 else sample(legal, rng)
        step = GAME.apply(state, who, action, now)
        assert not isinstance(step, Rejected), step
        state = step.state
    raise AssertionError("no end")


def test_r8_1_1_an_edited_dump_is_refused_or_plays_on() -> None:
    """Never anything but ``ValueError`` while it is loaded, and nothing at all later."""
    refused = played = 0
    for number in range(SAMPLE // 10):
        rng = Random(f"edited/{number}")
        start = random_start(GAME, rng)
        moments = [*whole_game(GAME, start, rng, 1_200)]
        for _ in range(8):
            one, other = (GAME.dump(rng.choice(moments).state) for _ in range(2))
            dump = deepcopy(one)
            for _ in range(rng.choice([1, 1, 2])):
                edit(dump, other, rng)
            try:
                state = GAME.load(dump)
            except ValueError:
                refused += 1
                continue
            if dump != one:
                plays_on(state, start.players, rng)
                played += 1
    assert refused > 2 * SAMPLE // 10
    assert played > SAMPLE // 10
