"""What is seen (8.3). That nothing else is, the contract's two-worlds test shows; here is the document's own list."""

from __future__ import annotations

import json

from engines.ninety_nine import GAME
from engines.ninety_nine.rules import BELOW_ZERO, OVER_99
from tests.engines.ninety_nine.positions import NOW, new, play, position

PUBLIC = {
    "mode",
    "options",
    "total",
    "direction",
    "current",
    "seats",
    "handCounts",
    "lives",
    "alive",
    "onBoard",
    "eliminationOrder",
    "drawCount",
    "discardCount",
    "recentPlays",
    "round",
    "phase",
    "deadline",
}


def test_s8_3_everybody_sees_the_table() -> None:
    """The same fields with the same values; a player also the own hand."""
    state = new("ABC")
    spectator = GAME.view(state, None)
    assert spectator.keys() == PUBLIC
    for player in "ABC":
        view = GAME.view(state, player)
        assert {name: view[name] for name in PUBLIC} == spectator
        assert view.keys() - PUBLIC == {"hand"}
    assert GAME.view(state, "a stranger") == spectator
    assert spectator["handCounts"] == {"A": 5, "B": 5, "C": 5}
    assert spectator["drawCount"] == 91 - 15


def test_s8_3_each_card_says_what_it_would_make() -> None:
    """ "±9 → 더하면 104 불가 / 빼면 86", and so for every card, whoever's turn it is."""
    state = position(A="10", B="±9 0 조커 8", total=85)
    hand = {card["face"]: card for card in GAME.view(play(state, "10").state, "B")["hand"]}
    assert hand["±9"]["previews"] == [
        {"sign": "+", "legal": False, "total": 104, "reason": OVER_99.message},
        {"sign": "-", "legal": True, "total": 86},
    ]
    assert hand["0"]["previews"] == [
        {"dir": "keep", "legal": True, "total": 95},
        {"dir": "reverse", "legal": True, "total": 95},
    ]
    whole = {"min": 60, "max": 99}
    assert hand["조커"]["previews"] == [{"jokerValue": whole, "legal": True, "total": whole}]
    assert hand["8"]["previews"] == [{"legal": False, "total": 103, "reason": OVER_99.message}]
    assert {face: card["playable"] for face, card in hand.items()} == {"±9": True, "0": True, "조커": True, "8": False}


def test_s8_3_previews_below_zero_and_of_an_ace() -> None:
    """With the document's reason; and both of an ace's values."""
    low = position(A="±10", B="1", total=5)
    assert GAME.view(low, "A")["hand"][0]["previews"][1] == {
        "sign": "-",
        "legal": False,
        "total": -5,
        "reason": BELOW_ZERO.message,
    }
    ace = position(A="A", B="2", total=90, options={"mode": "classic"})
    assert [(p["aceValue"], p["total"], p["legal"]) for p in GAME.view(ace, "A")["hand"][0]["previews"]] == [
        (1, 91, True),
        (11, 101, False),
    ]


def test_s8_3_a_drawn_card_is_its_drawers_alone() -> None:
    """Everybody is told of the draw; what it was, only who drew."""
    events = play(position(A="8 5 4", B="1 2 3", total=20, draw="10"), "8").events
    public = [event for event in events if "audience" not in event]
    private = [event for event in events if "audience" in event]
    assert {"type": "cardDrawn", "player": "A", "drawCount": 91 - 7} in public
    assert [(event["type"], event["card"]["face"], event["audience"]) for event in private] == [
        ("cardReceived", "10", ["A"])
    ]


def test_s8_3_s10_an_eliminated_hand_is_never_shown() -> None:
    """Not in events, not in any view, not its former owner's; only the count of the discards grows."""
    state = position(A="4 1 1", B="10 10 10", C="0 1 1", total=95)
    gone = [card.id for card in state.hands["B"]]
    step = play(state, "4")
    said = json.dumps([list(step.events), *(GAME.view(step.state, viewer) for viewer in (None, "A", "B", "C"))])
    assert not any(card in said for card in gone)
    assert GAME.view(step.state, "B")["hand"] == []
    assert GAME.view(step.state, "C")["discardCount"] == 4


def test_a_view_is_the_viewers_own() -> None:
    """Whatever is done to it, the state and the next view are as before."""
    state = new()
    before, again = GAME.dump(state), GAME.view(state, "A")
    view = GAME.view(state, "A")
    for value in view.values():
        if isinstance(value, dict | list):
            value.clear()
    for card in GAME.view(state, "A")["hand"]:
        for preview in card["previews"]:
            preview.clear()
    assert GAME.dump(state) == before
    assert GAME.view(state, "A") == again


def test_the_deadline_is_in_the_view() -> None:
    """In the room's own milliseconds; None when the game is over."""
    assert GAME.view(new(), None)["deadline"] == NOW + 15_000
    assert GAME.view(play(position(A="4", B="10", total=95), "4").state, None)["deadline"] is None
