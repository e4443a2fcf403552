"""What is seen (8.3), and what helps (2): at every step, for every viewer."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

from engines.bang import GAME
from engines.bang.state import State
from tests.engines.bang.positions import SOLO, act, hit, play, position, windows
from tests.engines.play import play as played
from tests.engines.play import random_start

GAMES = 10


def random_moments() -> Any:
    for n in range(GAMES):
        rng = Random(f"views/{n}")
        start = random_start(GAME, rng)
        yield start.players, played(GAME, start, rng, 3_000)


def test_bg_57_the_log_names_no_card_taken_from_a_hand() -> None:
    """That one was taken, by whom, from whom."""
    state = play(position("sheriff willy: panic catBalou", *SOLO), "panic", "D", "hand").state
    assert GAME.view(state, None)["log"][-1] == {"type": "took", "player": "A", "target": "D"}
    struck = play(position("sheriff willy: catBalou", *SOLO), "catBalou", "D", "hand").state
    assert GAME.view(struck, None)["log"][-1]["face"].startswith("사격")


def test_s8_3_the_public_table() -> None:
    """The same for everybody and for spectators, but for one's own."""
    state = play(position("sheriff willy: bang beer / scope", *SOLO, discard="duel"), "bang", "D").state
    public = GAME.view(state, None)
    assert GAME.view(state, "a stranger") == public
    own = {"me", "role", "roleName", "roleTip", "hand"}
    helpers = {"distance", "inRange", "role", "roleName"}
    for viewer in "ABCD":
        view = GAME.view(state, viewer)
        assert view.keys() - public.keys() == own | ({"labels"} if viewer == "A" else set())
        assert {k: v for k, v in view.items() if k not in own | {"players", "labels"}} == {
            k: v for k, v in public.items() if k != "players"
        }
        for mine, theirs in zip(view["players"], public["players"], strict=True):
            assert {k: v for k, v in mine.items() if k in theirs} == theirs
            assert mine.keys() - theirs.keys() <= helpers
    assert [card["face"] for card in public["discard"]] == ["결투 Q♦", "사격 A♠"]
    row = public["players"][0]
    assert (row["roleName"], row["characterName"], row["handCount"]) == ("보안관", "속사의 소년", 1)
    assert (row["weapon"], row["range"]) == ("기본 권총(사거리 1)", 1)
    assert row["inPlay"] == [{"id": 67, "face": "망원경 A♠", "kind": "scope", "suit": "S", "rank": "A"}]
    assert public["reactions"] == [
        {"kind": "bang", "name": "사격", "player": "D", "source": "A", "via": "bang", "needed": 1}
    ]
    assert (public["phase"], public["phaseName"]) == ("play", "2단계: 카드 내기")


def test_s2_the_distance_helper() -> None:
    """For each other: how far, and whether in range; off, and for spectators and the dead, nothing."""
    seats = ("sheriff willy: / schofield", "outlaw paul:", "outlaw rose:", "renegade kit:")
    rows = GAME.view(position(*seats), "A")["players"]
    assert [(row["weapon"], row["range"]) for row in rows[:2]] == [("권총(사거리 2)", 2), ("기본 권총(사거리 1)", 1)]
    assert [(row.get("distance"), row.get("inRange")) for row in rows] == [
        (None, None),
        (2, True),
        (2, True),
        (1, True),
    ]
    assert [row.get("inRange") for row in GAME.view(position(*seats), "D")["players"]] == [True, False, True, None]
    off = GAME.view(position(*seats, options={"showDistanceHelper": "off"}), "A")["players"]
    assert not any("distance" in row for row in off)
    dead = position("sheriff willy:", "dead outlaw paul:", "outlaw rose:", "renegade kit:")
    assert not any("distance" in row for row in GAME.view(dead, "B")["players"])


def hints(state: State, viewer: str) -> dict[str, tuple[bool, str]]:
    return {card["kind"]: (card["playable"], card["reason"]) for card in GAME.view(state, viewer)["hand"]}


def test_s2_beginner_hints_say_why_and_why_not() -> None:
    """On one's turn by the same check that judges; elsewhere that it is not one's turn."""
    hand = "bang missed beer panic duel barrel jail stagecoach"
    state = position(
        f"sheriff willy: {hand} / barrel", "outlaw paul: / mustang", "outlaw rose:", "renegade sid: / mustang"
    )
    assert hints(state, "A") == {
        "bang": (False, "사거리가 닿지 않습니다(거리 2, 사거리 1)"),
        "missed": (False, "회피는 자기 턴에 낼 수 없습니다"),
        "beer": (False, "생명이 가득해서 물약을 쓸 수 없습니다"),
        "panic": (False, "거리 1 이내의 플레이어만 고를 수 있습니다(거리 2)"),
        "duel": (True, "3명에게 쓸 수 있습니다"),
        "barrel": (False, "같은 이름의 카드가 이미 앞에 있습니다"),
        "jail": (True, "3명에게 쓸 수 있습니다"),
        "stagecoach": (True, "지금 낼 수 있습니다"),
    }
    waiting = position("sheriff willy:", *SOLO)
    assert hints(waiting, "B") == {"bang": (False, "내 차례가 아닙니다")}
    off = position("sheriff willy: bang", *SOLO, options={"beginnerHints": "off"})
    assert not {"playable", "reason"} & GAME.view(off, "A")["hand"][0].keys()
    assert "roleTip" not in GAME.view(off, "A")
    assert "지켜야" in GAME.view(position("deputy willy:", "sheriff bart:", *SOLO), "A")["roleTip"]


def test_s5_4_hints_in_a_window() -> None:
    """What defends, what does not; against 슬랩 that one is not enough; 맥주 when dying."""
    seats = ("sheriff slab: bang", "outlaw sid 1: missed beer", "outlaw paul:", "renegade kit:")
    state = play(position(*seats), "bang", "B").state
    assert hints(state, "B")["missed"] == (False, "카드를 정확히 2장 골라야 합니다")
    assert hints(state, "B")["beer"] == (False, "이 카드로는 막을 수 없습니다")
    dying = hit(state, "B").state
    assert hints(dying, "B")["beer"] == (True, "다시 일어나는 데 쓸 수 있습니다")
    plain = play(position("sheriff bart: bang", *seats[1:]), "bang", "B").state
    assert hints(plain, "B")["missed"] == (True, "막는 데 쓸 수 있습니다")
    two = position("sheriff bart: bang", "dead outlaw sid:", "dead outlaw paul:", "renegade kit 1: beer")
    assert (
        hints(hit(play(two, "bang", "D").state, "D").state, "D")["beer"][1] == "2명만 남았을 때는 물약을 쓸 수 없습니다"
    )
    discarding = act(position("sheriff bart 1: bang beer", *SOLO), "A", "endPlay").state
    assert hints(discarding, "A")["beer"] == (True, "버릴 수 있습니다")
    calamity = position("sheriff calamity: missed", *SOLO)
    assert hints(calamity, "A")["missed"] == (True, "사격으로 낼 수 있습니다")


def test_hints_and_legal_list_agree() -> None:
    """In every state of some games: a card is playable where some legal action names it, and nowhere else."""
    for players, moments in random_moments():
        for moment in moments:
            for viewer in players:
                view = GAME.view(moment.state, viewer)
                if "beginnerHints" not in view["options"] or view["options"]["beginnerHints"] == "off":
                    continue
                if moment.state.winner is not None:
                    continue
                named = set()
                for action in GAME.legal(moment.state, viewer):
                    if action["type"] in ("play", "respond", "discard"):
                        named |= {action.get("cardId"), *action.get("cardIds", ())}
                for card in view["hand"]:
                    assert card["playable"] == (card["id"] in named), (card, windows(moment.state))


def test_s8_3_everything_is_open_when_it_is_over() -> None:
    """Roles of all; and one's own hand still."""
    seats = ("outlaw rose: bang beer", "sheriff paul 1:", "outlaw kit:", "renegade sid: duel")
    over = act(hit(play(position(*seats), "bang", "B").state, "B").state, "B", "giveUp").state
    view = GAME.view(over, None)
    assert [row["role"] for row in view["players"]] == ["outlaw", "sheriff", "outlaw", "renegade"]
    assert [[card["kind"] for card in row["hand"]] for row in view["players"]] == [["beer"], [], [], ["duel"]]
    assert (view["phase"], view["current"], view["deadline"]) == ("finished", None, None)
    assert view["result"] == GAME.result(over)


def test_the_deadline_is_the_viewers_own() -> None:
    """Who is asked sees until when; the others until when somebody is. No other time stands in a view."""
    state = play(position("sheriff bart: gatling", *SOLO), "gatling").state
    state = act(state, "D", "takeHit", now=1_005_000).state
    state = GAME.load(GAME.dump(state))
    assert GAME.view(state, "B")["deadline"] == GAME.view(state, None)["deadline"] == 1_015_000
    dump = json.dumps(GAME.view(state, "B"))
    assert dump.count("10150") == 1
    assert "pausedAt" not in dump


def test_a_view_is_the_viewers_own() -> None:
    """Whatever is done to it, state and next view are as before."""
    state = play(position("sheriff willy: bang beer / scope", *SOLO, discard="duel"), "bang", "D").state

    def spoil(value: Any) -> None:
        for one in list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ():
            spoil(one)
        if isinstance(value, dict | list):
            value.clear()

    before, again = GAME.dump(state), GAME.view(state, "A")
    spoil(GAME.view(state, "A"))
    spoil(GAME.legal(state, "D"))
    assert GAME.dump(state) == before
    assert GAME.view(state, "A") == again


def test_whatever_a_legal_action_names_is_called_something_in_the_view() -> None:
    """So that any table can show it: people's ids aside, every id has a face; everything asked has a name."""
    seen: set[str] = set()
    for players, moments in random_moments():
        for moment in moments:
            for viewer in players:
                legal = GAME.legal(moment.state, viewer)
                if not legal:
                    continue
                view = GAME.view(moment.state, viewer)
                called = faces(view)
                for action in legal:
                    fields = (value for name, value in action.items() if name not in ("type", "target", "jesseFrom"))
                    for value in fields:
                        for one in value if isinstance(value, list) else [value]:
                            assert one is True or re.search("[가-힣]", called[one]), (action, one)
                seen |= {re.sub("[^가-힣 ]", "", window["name"]) for window in view["reactions"]}
                assert re.search("[가-힣]", view["phaseName"])
    assert len(seen) > 12


def faces(value: Any) -> dict[Any, str]:
    """Every id in a view with what it is called there."""
    found: dict[Any, str] = {}
    if isinstance(value, dict):
        if "face" in value and "id" in value:
            found[value["id"]] = value["face"]
        value = [*value.values()]
    for one in value if isinstance(value, list) else ():
        found |= faces(one)
    return found
