"""Options (section 2) and setup (section 4)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.kernel import codec
from engines.kernel.contract import Rejected
from engines.ninety_nine import GAME
from engines.ninety_nine.options import Options
from tests.engines.ninety_nine.positions import NOW, SEED, new, one, stepped

TABLE: dict[str, tuple[list[Any], Any, bool]] = {  # section 2: choices, default; section 7: a house rule
    "mode": (["kr-product", "classic"], "kr-product", False),
    "handSize": (["auto", 3, 4, 5], "auto", True),
    "startTotal": (["auto", "zero"], "auto", True),
    "refill": (["on", "off"], "on", True),
    "lives": (["auto", 0, 1, 2, 3, 5], "auto", True),
    "onTheBoard": (["on", "off"], "off", True),
    "afterElimination": (["continue", "reset"], "continue", True),
    "floorAtZero": (["forbid", "clamp"], "forbid", True),
    "specialCounts": ([2, 3, 4, 5, 6], 4, False),
    "jokerRange": (["60-99", "0-99"], "60-99", True),
    "aceHigh": ([10, 11], 11, True),
    "deckCount": (["auto", 1, 2], "auto", False),
    "turnSeconds": ([10, 15, 20, 30], 15, False),
}


def test_s2_the_options_are_the_documents() -> None:
    """Keys, order, choices and defaults of section 2; house rules of section 7."""
    properties = codec.options_schema(GAME.Options)["properties"]
    assert {k: (p["enum"], p["default"], p["x-house"]) for k, p in properties.items()} == TABLE
    assert list(properties) == list(TABLE)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, row in TABLE.items() for value in row[0]])
def test_s2_every_choice_is_accepted(name: str, value: object) -> None:
    """In both modes: what means nothing in one is ignored there (NN-17)."""
    for mode in ("kr-product", "classic"):
        assert not isinstance(GAME.setup({"mode": mode, name: value}, "AB", SEED, NOW), Rejected)


def test_s2_typed_options_are_as_good_as_json() -> None:
    """The same game comes of both."""
    typed = GAME.setup(Options(mode="classic", hand_size=4), "AB", SEED, NOW)
    assert typed == GAME.setup({"mode": "classic", "handSize": 4}, "AB", SEED, NOW)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"handSize": 6}, "고를 수 없는 값이에요: 손패 장수"),
        ({"lives": 4}, "고를 수 없는 값이에요: 목숨 수"),
        ({"hand_size": 5}, "모르는 설정이에요: hand_size"),
    ],
)
def test_s2_a_refusal_names_the_option(options: Any, sentence: str) -> None:
    """By its Korean label."""
    assert GAME.setup(options, "AB", SEED, NOW) == Rejected("bad_options", sentence)


def test_s1_two_to_ten_players() -> None:
    """NN-1."""
    assert (GAME.min_players, GAME.max_players) == (2, 10)
    for count, fits in ((1, False), (2, True), (10, True), (11, False)):
        players = [f"p{n}" for n in range(count)]
        assert fits != isinstance(GAME.setup({}, players, SEED, NOW), Rejected)


def test_s4_s10_the_same_seed_deals_the_same() -> None:
    """Hands, pile, first player; and another seed deals otherwise."""
    assert new() == new()
    assert new(seed=b"x" * 32).hands != new().hands


def test_s4_the_first_player_is_drawn_and_play_is_clockwise() -> None:
    """Over many seeds everybody starts sometimes, about equally often."""
    firsts = [new("ABCD", seed=n.to_bytes(32, "big")).current for n in range(400)]
    assert all(70 < firsts.count(player) < 130 for player in "ABCD")
    assert new().direction == 1


def test_s4_the_deal_is_told() -> None:
    """The round to everybody, each hand to its owner."""
    step = stepped(GAME.setup({}, "ABC", SEED, NOW))
    state = step.state
    assert one(step.events, "roundStarted") == {"round": 1, "starter": state.current, "total": 20}
    deals = {event["player"]: event for event in step.events if event["type"] == "handDealt"}
    assert deals.keys() == set("ABC")
    for player, deal in deals.items():
        assert deal["audience"] == [player]
        assert [card["id"] for card in deal["cards"]] == [card.id for card in state.hands[player]]


@pytest.mark.parametrize(
    ("options", "size"),
    [({}, 5), ({"mode": "classic"}, 3)]
    + [({"mode": mode, "handSize": n}, n) for mode in ("kr-product", "classic") for n in (3, 4, 5)],
)
def test_s4_s10_hand_size(options: dict[str, Any], size: int) -> None:
    """auto: five in kr-product, three in classic; otherwise as chosen."""
    assert {len(hand) for hand in new(**options).hands.values()} == {size}


@pytest.mark.parametrize(("players", "total"), [("AB", 40), ("ABC", 20), ("ABCD", 0), ("ABCDEFGHIJ", 0)])
def test_s4_s10_start_total(players: str, total: int) -> None:
    """The start card: 40 for two, 20 for three, 0 from four on; startTotal=zero and classic are always 0."""
    assert new(players).total == total
    assert new(players, startTotal="zero").total == 0
    assert new(players, mode="classic").total == 0
    assert new(players, mode="classic", startTotal="auto").total == 0


def test_nn_30_auto_is_resolved_once_and_both_are_kept() -> None:
    """The state holds what was chosen and what it came to; views send the latter."""
    state = new("ABCDEFG", mode="classic")
    dump = GAME.dump(state)
    assert [dump["options"][name] for name in ("handSize", "lives", "deckCount")] == ["auto"] * 3
    assert [dump["effective"][name] for name in ("handSize", "lives", "deckCount")] == [3, 3, 2]
    assert GAME.view(state, None)["options"] == dump["effective"]
    assert GAME.dump(new())["effective"]["lives"] == 0


def test_nn_14_the_first_player_may_lose_at_once() -> None:
    """classic, forbid, total 0: a hand of 10s only cannot be played, and setup settles that in its own events."""
    for number in range(20_000):
        step = stepped(GAME.setup({"mode": "classic"}, "AB", number.to_bytes(32, "big"), NOW))
        lost = [event for event in step.events if event["type"] == "lifeLost"]
        if lost:
            break
    else:
        pytest.fail("no such deal found")
    assert [event["type"] for event in step.events if "audience" not in event] == [
        "roundStarted",
        "lifeLost",
        "roundStarted",
    ]
    assert step.state.round == 2
    assert GAME.legal(step.state, step.state.current)


def test_an_unknown_version_is_no_game() -> None:
    """A log of a version this code never knew is for an operator, not for a guess."""
    with pytest.raises(ValueError, match="version 3"):
        GAME.setup({}, "AB", SEED, NOW, 3)
