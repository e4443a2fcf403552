"""Bad input: every refusal there is, by its code and sentence, and the state is the same as before (8.2)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engines.bang import GAME
from engines.bang.refusals import SENTENCES
from engines.bang.state import KitKeep, State, Store
from engines.kernel import codec
from engines.kernel.contract import Json, Rejected
from tests.engines.bang.positions import NOW, SOLO, act, held, hit, lying, new, play, position, refused

ORIGINAL = {"names": "original"}
KIT = ("outlaw paul: bang", "outlaw rose: bang", "renegade sid: bang")
Case = tuple[State, str, Json]  # a position, who, what


def plays(state: State, name: str, target: str | None = None, card: Any = None, **more: Any) -> Case:
    """A play by whoever's turn it is, of a card by its name, at a card by its name or as it is given."""
    who = state.turn.player
    action: Json = {"type": "play", "cardId": held(state, who, name)[0], **more}
    if target is not None:
        action["target"] = target
    if card is not None:
        found = isinstance(card, str) and card != "hand"
        action["targetCard"] = lying(state, target or who, card) if found else card
    return state, who, action


def says(state: State, who: str, kind: str, **fields: Any) -> Case:
    return state, who, {"type": kind, **fields}


def cards(state: State, who: str, kind: str, *names: str) -> Case:
    return says(state, who, kind, cardIds=held(state, who, *names))


def over() -> State:
    state = position("sheriff bart: bang", "dead outlaw rose:", "dead outlaw paul:", "renegade kit 1:")
    return act(hit(play(state, "bang", "D").state, "D").state, "D", "giveUp").state


def mine(hand: str = "", life: str = "", who: str = "bart", **more: Any) -> State:
    """A to play, with this hand, among the usual three, in the original's names."""
    return position(f"sheriff {who}{life}: {hand}", *SOLO, options=ORIGINAL, **more)


def far() -> State:
    seats = ("sheriff bart: bang panic / schofield", "outlaw rose:", "outlaw lucky: / mustang", "renegade kit:")
    return position(*seats, options=ORIGINAL)


def shot(who: str = "kit", hand: str = "", source: str = "bart", **options: str) -> State:
    state = position(
        f"sheriff {source}: bang bang", "outlaw paul:", "outlaw rose:", f"renegade {who}: {hand}", options=options
    )
    return play(state, "bang", "D").state


def shop() -> State:
    return play(position("sheriff bart: generalStore", *SOLO), "generalStore").state


def looking() -> State:
    return act(position("sheriff kit:", *KIT, phase="draw"), "A", "draw").state


def keeps(*at: int) -> Case:
    state = looking()
    window = state.reactions[0]
    assert isinstance(window, KitKeep)
    return says(state, "A", "kitKeep", keep=[window.options[i] for i in at])


def two_left() -> State:
    return position("sheriff bart 1: beer", "dead outlaw rose:", "dead outlaw paul:", "renegade kit: duel")


CASES: dict[str, Callable[[], Case]] = {
    "finished": lambda: says(over(), "A", "endPlay"),
    "not_playing": lambda: says(mine(), "Z", "endPlay"),
    "eliminated": lambda: says(two_left(), "B", "endPlay"),
    "not_your_turn": lambda: says(mine(), "B", "endPlay"),
    "reactions_open": lambda: plays(play(mine("bang beer", " 2"), "bang", "D").state, "beer"),
    "not_asked": lambda: says(mine(), "A", "takeHit"),
    "wrong_phase": lambda: says(mine(phase="draw"), "A", "endPlay"),
    "no_such_card": lambda: says(mine("bang"), "A", "play", cardId=50),
    "same_card_twice": lambda: says(
        (s := mine("bang duel panic", " 1", phase="discard")), "A", "discard", cardIds=held(s, "A", "bang") * 2
    ),
    "not_offered": lambda: says(shop(), "A", "storePick", cardId=0),
    "wrong_count": lambda: cards(mine("bang duel panic", " 1", phase="discard"), "A", "discard", "bang"),
    "missed_is_reaction": lambda: plays(mine("missed"), "missed"),
    "as_not_allowed": lambda: plays(mine("beer", " 2"), "beer", **{"as": "bang"}),
    "bang_used": lambda: plays(hit(play(mine("bang bang"), "bang", "D").state, "D").state, "bang", "D"),
    "out_of_range": lambda: plays(far(), "bang", "C"),
    "too_far": lambda: plays(far(), "panic", "C", "mustang"),
    "target_missing": lambda: plays(mine("duel"), "duel"),
    "target_stray": lambda: plays(mine("beer", " 2"), "beer", "B"),
    "target_self": lambda: plays(mine("duel"), "duel", "A"),
    "target_gone": lambda: plays(mine("duel"), "duel", "Z"),
    "target_card_missing": lambda: plays(mine("catBalou"), "catBalou", "B"),
    "target_card_stray": lambda: plays(mine("duel"), "duel", "B", "hand"),
    "target_has_none": lambda: plays(far_empty(), "catBalou", "B", "hand"),
    "target_hand_empty": lambda: plays(far_empty(), "catBalou", "C", "hand"),
    "target_card_gone": lambda: plays(far_empty(), "catBalou", "C", 79),
    "own_hand": lambda: plays(
        position("sheriff bart: catBalou bang / barrel", *SOLO, options={"selfTargetCatBalou": "on"}),
        "catBalou",
        "A",
        "hand",
    ),
    "jail_sheriff": lambda: plays(
        position("outlaw paul: jail", "sheriff bart:", *SOLO[1:], options=ORIGINAL), "jail", "B"
    ),
    "jailed_already": lambda: plays(
        position("sheriff bart: jail", "outlaw paul: / jail", *SOLO[1:], options=ORIGINAL), "jail", "B"
    ),
    "same_in_play": lambda: plays(position("sheriff bart: barrel / barrel", *SOLO), "barrel"),
    "beer_full": lambda: plays(mine("beer"), "beer"),
    "beer_two_left": lambda: plays(two_left(), "beer"),
    "no_defence": lambda: cards(shot(hand="beer"), "D", "respond", "beer"),
    "barrel_automatic": lambda: says(shot(), "D", "useBarrel"),
    "no_barrel": lambda: says(shot(autoBarrel="off"), "D", "useBarrel"),
    "heal_not_yours": lambda: cards(mine("bang bang", " 2"), "A", "sidHeal", "bang", "bang"),
    "heal_not_now": lambda: cards(mine("bang bang", " 2", "sid", phase="draw"), "A", "sidHeal", "bang", "bang"),
    "heal_full": lambda: cards(mine("bang bang", "", "sid"), "A", "sidHeal", "bang", "bang"),
    "draw_not_yours": lambda: says(mine(phase="draw"), "A", "draw", jesseFrom="B"),
    "discard_empty": lambda: says(mine(phase="draw", who="pedro"), "A", "draw", pedroDiscard=True),
}
WORDS = {
    "reactions_open": "다른 플레이어의 반응을 기다리고 있습니다",
    "wrong_count": "카드를 정확히 2장 골라야 합니다",
    "bang_used": "이번 턴에는 뱅!을 이미 썼습니다",
    "out_of_range": "사거리가 닿지 않습니다(거리 3, 사거리 2)",
    "too_far": "거리 1 이내의 플레이어만 고를 수 있습니다(거리 3)",
    "jail_sheriff": "보안관은 감옥에 넣을 수 없습니다",
    "beer_full": "생명이 가득해서 맥주를 쓸 수 없습니다",
}


def far_empty() -> State:
    return position("sheriff bart: catBalou", "outlaw paul:", "outlaw rose: / barrel", "renegade kit: bang")


def test_s8_2_every_refusal_has_its_case() -> None:
    """No code without an action that brings it."""
    assert CASES.keys() == SENTENCES.keys()


@pytest.mark.parametrize("code", CASES)
def test_s8_2_each_refusal(code: str) -> None:
    """Its code, a Korean sentence (the document's where it gives one), the same state object, nothing changed in it."""
    state, who, action = CASES[code]()
    before, said = codec.digest(state), json.dumps(action)
    found, sentence = refused(GAME.apply(state, who, action, NOW))
    assert found == code
    assert re.search("[가-힣]", sentence)
    assert sentence == WORDS.get(code, sentence)
    assert (codec.digest(state), json.dumps(action)) == (before, said)


def test_s8_2_kit_keeps_exactly_two_different_ones() -> None:
    """Not one, not three, not one twice."""
    for at, code in (
        ((0,), "wrong_count"),
        ((0, 1, 2), "wrong_count"),
        ((1, 1), "same_card_twice"),
        ((), "wrong_count"),
    ):
        assert refused(GAME.apply(*keeps(*at), NOW))[0] == code
    assert not isinstance(GAME.apply(*keeps(2, 0), NOW), Rejected)


def test_s5_4_acting_twice() -> None:
    """A second answer of the same player to the same window, and a second pick from the store."""
    state = play(position("sheriff bart: gatling", *SOLO), "gatling").state
    once = hit(state, "B").state
    assert refused(GAME.apply(once, "B", {"type": "takeHit"}, NOW))[0] == "not_your_turn"
    store = shop()
    window = store.reactions[0]
    assert isinstance(window, Store)
    first, second, *_ = window.revealed
    picked = act(store, "A", "storePick", cardId=first).state
    assert refused(GAME.apply(picked, "A", {"type": "storePick", "cardId": second}, NOW))[0] == "not_asked"
    assert refused(GAME.apply(picked, "B", {"type": "storePick", "cardId": first}, NOW))[0] == "not_offered"
    drawn = act(position("sheriff bart:", *SOLO, phase="draw"), "A", "draw").state
    assert refused(GAME.apply(drawn, "A", {"type": "draw"}, NOW))[0] == "wrong_phase"


WELL: tuple[Json, ...] = (
    {"type": "pickCharacter", "character": "bart"},
    {"type": "draw", "jesseFrom": "B", "pedroDiscard": True},
    {"type": "kitKeep", "keep": [1, 2]},
    {"type": "luckyPick", "cardId": 1},
    {"type": "play", "cardId": 1, "as": "bang", "target": "B", "targetCard": 5},
    {"type": "respond", "cardIds": [1]},
    {"type": "useBarrel"},
    {"type": "takeHit"},
    {"type": "giveUp"},
    {"type": "storePick", "cardId": 1},
    {"type": "sidHeal", "cardIds": [1, 2]},
    {"type": "endPlay"},
    {"type": "discard", "cardIds": [1]},
)
WRONG: tuple[Any, ...] = (
    True,
    False,
    0.0,
    1.5,
    float("nan"),
    "",
    "0",
    b"1",
    [],
    {},
    [[1]],
    [True],
    ["1"],
    {"a": 1},
    -1,
)
FITS = {("jesseFrom", ""), ("jesseFrom", "0"), ("target", ""), ("target", "0"), ("pedroDiscard", True)}


@pytest.mark.parametrize("action", WELL, ids=lambda action: str(action["type"]))
def test_s8_2_of_the_wrong_shape(action: Json) -> None:
    """A bool for a number, a number for a list, one field too many, one missing: never more than a refusal."""
    state = position("sheriff jesse: bang beer", *SOLO)
    before = codec.digest(state)
    assert refused(GAME.apply(state, "A", {**action, "player": "B"}, NOW))[0] == "bad_action"
    for name in action.keys() - {"type"}:
        for wrong in WRONG:
            code = refused(GAME.apply(state, "A", {**action, name: wrong}, NOW))[0]
            fits = any(
                type(one) is type(wrong) and (name, one) == (name, wrong) for field, one in FITS if field == name
            )
            fits |= (
                type(wrong) is int
                or (isinstance(wrong, list) and not wrong)
                or (name, wrong) == ("pedroDiscard", False)
            )
            assert fits or code == "bad_action", (name, wrong, code)
    if action.keys() - {"type", "jesseFrom", "pedroDiscard"}:
        assert refused(GAME.apply(state, "A", {"type": action["type"]}, NOW))[0] == "bad_action"
    assert codec.digest(state) == before


@pytest.mark.parametrize("seed", range(4))
def test_huge_and_foreign_numbers(seed: int) -> None:
    """Whatever number stands for a card, in whatever action: refused, in no time."""
    rng, state = Random(seed), new("ABCDEFG", bytes([seed]) * 32)
    state = act(state, state.turn.player, "draw").state
    who = state.turn.player
    own = next(player for player in state.players if player.id == who).hand
    for number in (80, 79 + 2**8, 2**31, 2**63, 2**64, 10**40, -1, -(10**40)):
        for action in (
            {"type": "play", "cardId": number, "target": rng.choice("ABCDEFG")},
            {"type": "play", "cardId": own[0], "target": "A", "targetCard": number},
            {"type": "respond", "cardIds": [number]},
            {"type": "discard", "cardIds": [*own, number]},
            {"type": "sidHeal", "cardIds": [number, own[0]]},
            {"type": "respond", "cardIds": [number] * 10_000},
        ):
            refused(GAME.apply(state, who, action, NOW))
