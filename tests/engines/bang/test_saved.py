"""States from JSON: as they were, and never such as cannot be."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from engines.bang import GAME
from engines.bang.cards import IDS
from engines.bang.state import State
from engines.kernel import codec
from engines.kernel.contract import Json
from tests.engines.bang.positions import NOW, SOLO, act, hit, new, play, position, respond, seat, windows


def through_text(state: State) -> State:
    return GAME.load(json.loads(codec.canonical(state)))


FIVE = (
    "sheriff bart: gatling",
    "outlaw lucky 1: beer / barrel",
    "outlaw paul 1: bang",
    "deputy vulture 1:",
    "renegade kit 2: missed",
)


def test_s8_1_a_gatling_with_two_dying_and_a_pick_in_it_goes_on_from_text() -> None:
    """Saved after every step: two dying, a pick inside a shot, a death, loot, a rescue; the same as never saved."""
    steps = (
        ("C", {"type": "takeHit"}),
        ("D", {"type": "takeHit"}),
        ("B", {"type": "luckyPick"}),  # the pick that fails, and then the hit
        ("B", {"type": "takeHit"}),
        ("C", {"type": "giveUp"}),
        ("B", {"type": "respond"}),
        ("E", {"type": "respond"}),
        ("D", {"type": "giveUp"}),
    )
    plain = saved = play(position(*FIVE, deck="5♠ 6♠"), "gatling").state
    assert windows(plain) == [("bang", "B"), ("luckyPick", "B"), ("bang", "C"), ("bang", "D"), ("bang", "E")]
    most_dying = 0
    for who, kind in steps:
        action = next(one for one in GAME.legal(plain, who) if one["type"] == kind["type"])
        fields = {name: value for name, value in action.items() if name != "type"}
        plain = act(plain, who, action["type"], **fields).state
        saved = act(through_text(saved), who, action["type"], **fields).state
        assert codec.digest(saved) == codec.digest(plain)
        most_dying = max(most_dying, sum(kind == "dying" for kind, _ in windows(saved)))
    assert most_dying == 3
    assert windows(saved) == []
    assert [seat(saved, who).alive for who in "ABCDE"] == [True, True, False, False, True]
    play_on = act(saved, "A", "endPlay").state
    assert play_on.turn.player == "B"


def test_s8_1_every_kind_of_window_survives() -> None:
    """Each in turn, open, through JSON text; and it can still be answered."""
    stands = [
        play(position("sheriff bart: bang", *SOLO), "bang", "D").state,
        play(position("sheriff bart: indians", *SOLO), "indians").state,
        respond(play(position("sheriff bart: duel bang", *SOLO), "duel", "B").state, "B", "bang").state,
        play(position("sheriff bart: generalStore", *SOLO), "generalStore").state,
        hit(play(position("sheriff bart: bang", "outlaw rose 1:", *SOLO[::2]), "bang", "B").state, "B").state,
        act(position("sheriff kit:", "outlaw paul:", "outlaw rose:", "renegade sid:", phase="draw"), "A", "draw").state,
        act(position("sheriff bart:", "outlaw lucky: / jail", *SOLO[1:]), "A", "endPlay").state,
        new(characterDraft="choose2"),
    ]
    kinds = {kind for state in stands for kind, _ in windows(state)}
    assert kinds == {"bang", "indians", "duel", "store", "dying", "kitKeep", "luckyPick", "choose2"}
    for state in stands:
        loaded = through_text(state)
        assert loaded == state
        asked = loaded.reactions[0].asked
        assert GAME.apply(loaded, asked, GAME.legal(loaded, asked)[0], NOW) == GAME.apply(
            state, asked, GAME.legal(state, asked)[0], NOW
        )


# ---------------------------------------------------------------- what cannot be


def put(*path: str | int, value: object) -> Callable[[Json], None]:
    def edit(dump: Json) -> None:
        place: object = dump
        for key in path[:-1]:
            place = place[key]  # type: ignore[index]
        place[path[-1]] = value  # type: ignore[index]

    return edit


def shift(dump: Json, card: int, to: list[int]) -> None:
    """One card, wherever it is, somewhere else."""
    piles = [dump["deck"], dump["discard"], *(p[pile] for p in dump["players"] for pile in ("hand", "inPlay"))]
    for pile in piles:
        if card in pile:
            pile.remove(card)
    to.append(card)


def in_front(kind: str, *, count: int = 1, of: int = 1) -> Callable[[Json], None]:
    def edit(dump: Json) -> None:
        for card in sorted(IDS[kind])[:count]:  # type: ignore[index]
            shift(dump, card, dump["players"][of]["inPlay"])

    return edit


def both(*edits: Callable[[Json], None]) -> Callable[[Json], None]:
    def edit(dump: Json) -> None:
        for one in edits:
            one(dump)

    return edit


def window(**fields: object) -> Callable[[Json], None]:
    def edit(dump: Json) -> None:
        dump["reactions"].append({"deadline": 0, **fields})
        for name in ("options", "revealed"):
            for card in fields.get(name, ()):  # type: ignore[attr-defined]
                dump["deck"].remove(card)
        if "card" in fields:
            dump["deck"].remove(fields["card"])

    return edit


WRONG: list[tuple[str, Callable[[Json], None]]] = [
    ("four to seven", put("players", 0, "id", value="B")),
    ("order of their seats", put("players", 0, "seat", value=3)),
    ("the roles are not", put("players", 1, "role", value="deputy")),
    ("80 cards", put("deck", 0, value=1)),
    ("80 cards", put("deck", 0, value=80)),
    ("deathOrder", put("deathOrder", value=["B"])),
    ("a dead player has cards", both(put("players", 1, "alive", value=False), put("deathOrder", value=["B"]))),
    ("not that of a living", put("turn", "player", value="Z")),
    ("does not live", window(kind="indians", target="Z", source="A")),
    ("above its maximum", put("players", 0, "life", value=9)),
    ("can be saved", put("players", 1, "life", value=0)),
    ("can be saved", window(kind="dying", player="B", killer="A")),
    ("does not stay there", in_front("beer")),
    ("two cards of a name", in_front("barrel", count=2)),
    ("two weapons", both(in_front("volcanic"), in_front("winchester"))),
    ("the sheriff is in jail", in_front("jail", of=0)),
    ("from nobody, or is evaded", window(kind="bang", target="B", source="Z", via="bang", needed=1)),
    ("from nobody, or is evaded", window(kind="bang", target="B", source="A", via="bang", needed=0)),
    ("an attack comes from nobody", window(kind="duel", actor="B", other="Z", source="B")),
    ("no place for somebody", window(kind="store", picker="B", order=["A", "C"], revealed=[70], card=54)),
    ("no place for somebody", window(kind="store", picker="B", order=["B", "Z"], revealed=[70], card=54)),
    ("a store is empty", window(kind="store", picker="B", order=["B"], revealed=[], card=54)),
    ("not of two", window(kind="luckyPick", player="B", purpose="jail", options=[70])),
    ("not at three", window(kind="kitKeep", player="B", options=[70, 71])),
    ("none to choose from", window(kind="choose2", player="B")),
    ("dying of nobody", both(put("players", 1, "life", value=0), window(kind="dying", player="B", killer="Z"))),
    (
        "two things at once",
        both(window(kind="indians", target="B", source="A"), window(kind="indians", target="B", source="A")),
    ),
    ("characters are not different", put("players", 1, "character", value="bart")),
    ("characters are not different", put("turn", "phase", value="setup")),
    ("over, and somebody is asked", both(window(kind="indians", target="B", source="A"), put("winner", value="law"))),
    ("not too many cards", put("turn", "phase", value="discard")),
    ("nobody can do anything", put("turn", "phase", value="start")),
]


@pytest.mark.parametrize(("said", "edit"), WRONG)
def test_a_state_that_cannot_be_is_not_loaded(said: str, edit: Callable[[Json], None]) -> None:
    """And it is said what is wrong with it."""
    dump = json.loads(codec.canonical(position("sheriff bart: bang", *SOLO)))
    GAME.load(json.loads(json.dumps(dump)))
    edit(dump)
    with pytest.raises(ValueError, match=said):
        GAME.load(dump)


@pytest.mark.parametrize(
    "edit",
    [
        put("turn", "phase", value="night"),
        put("players", 0, "hand", value=["0"]),
        put("rng", "seed", value="AA=="),
        put("reactions", value=[{"kind": "tickle", "deadline": 0}]),
        put("stateVersion", value=2),
        put("options", "turnSeconds", value=31),
    ],
)
def test_what_does_not_even_fit_is_not_loaded(edit: Callable[[Json], None]) -> None:
    """A ``ValueError`` too."""
    dump = json.loads(codec.canonical(position("sheriff bart: bang", *SOLO)))
    edit(dump)
    with pytest.raises(ValueError, match=r"Invalid|Expected|seed|object"):
        GAME.load(dump)
