"""Options, roles, seats, characters and the deal (2, 4, 7)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines.bang import GAME
from engines.bang.characters import CHARACTERS
from engines.bang.deal import roles
from engines.bang.options import Options
from engines.kernel.codec import options_schema
from tests.engines.bang.positions import NOW, act, new, one, seat, told, why, windows

SEEDS = [bytes([n]) * 32 for n in range(40)]


def test_s2_s7_the_options_are_the_documents() -> None:
    """Keys, choices and defaults; which are house rules. `names` is ours (12)."""
    found = {
        name: (about["enum"], about["default"], about["x-house"])
        for name, about in options_schema(Options)["properties"].items()
    }
    switch = ["on", "off"]
    assert found == {
        "characterDraft": (["random", "choose2"], "random", False),
        "turnSeconds": ([30, 60, 90, 120], 60, False),
        "reactionSeconds": ([8, 15, 25], 15, False),
        "autoDefend": (switch, "on", False),
        "autoBarrel": (switch, "on", False),
        "revealRoleOnDeath": (["on"], "on", False),
        "showDistanceHelper": (switch, "on", False),
        "beginnerHints": (switch, "on", False),
        "drawBeforeDeath": (switch, "off", True),
        "beerAtFullHealth": (switch, "off", True),
        "selfTargetCatBalou": (switch, "off", True),
        "deputyCount7": (switch, "off", True),
        "names": (["neutral", "original", "children"], "neutral", False),
    }


@pytest.mark.parametrize(
    ("players", "expected"),
    [(4, (1, 0, 2, 1)), (5, (1, 1, 2, 1)), (6, (1, 1, 3, 1)), (7, (1, 2, 3, 1))],
)
@pytest.mark.parametrize("draft", ["random", "choose2"])
def test_s4_s10_roles_by_head_count(players: int, expected: tuple[int, ...], draft: str) -> None:
    """The table of section 4, whichever way characters are given."""
    for seed in SEEDS[:5]:
        counts = Counter(player.role for player in new("ABCDEFG"[:players], seed, characterDraft=draft).players)
        assert tuple(counts[role] for role in ("sheriff", "deputy", "outlaw", "renegade")) == expected


def test_bg_54_deputy_count_7_means_four_outlaws_at_seven_only() -> None:
    """One deputy and four outlaws; nothing else at fewer."""
    options = Options(deputy_count7="on")
    assert Counter(roles(options, 7)) == {"sheriff": 1, "deputy": 1, "outlaw": 4, "renegade": 1}
    assert roles(options, 6) == roles(Options(), 6)
    assert Counter(player.role for player in new("ABCDEFG", deputyCount7="on").players)["outlaw"] == 4


@pytest.mark.parametrize("players", [4, 5, 6, 7])
def test_s4_s10_life_and_first_hand(players: int) -> None:
    """The character's life, one more for the sheriff; as many cards; all 80 accounted for."""
    for seed in SEEDS[:10]:
        state = new("ABCDEFG"[:players], seed)
        for player in state.players:
            assert player.character is not None
            full = CHARACTERS[player.character].life + (player.role == "sheriff")
            assert (player.max_life, player.life, len(player.hand)) == (full, full, full)
        assert len({player.character for player in state.players}) == players
        assert len(state.deck) == 80 - sum(player.life for player in state.players)
        assert state.discard == ()


def test_s4_seats_roles_and_characters_are_drawn() -> None:
    """Over some seeds everybody has been everywhere, and every character has been seen."""
    states = [new("ABCD", seed) for seed in SEEDS]
    assert {tuple(player.id for player in state.players) for state in states}.__len__() > 10
    assert {player.id for state in states for player in state.players if player.role == "sheriff"} == set("ABCD")
    assert {player.character for state in states for player in state.players} == set(CHARACTERS)


def test_s4_6_the_sheriff_begins() -> None:
    """In the draw phase of round 1, in seat order."""
    for seed in SEEDS[:10]:
        state = new("ABCDE", seed)
        assert seat(state, state.turn.player).role == "sheriff"
        assert (state.turn.phase, state.round) == ("draw", 1)
        assert [player.seat for player in state.players] == list(range(5))


def test_s8_4_the_same_seed_deals_the_same() -> None:
    """And another one another game."""
    assert new() == new()
    assert new(seed=SEEDS[1]) != new(seed=SEEDS[2])


def test_s4_everybody_is_told_what_is_theirs() -> None:
    """The sheriff is public, roles and hands go to their owners alone."""
    events = GAME.setup({}, "ABCD", SEEDS[0], NOW).events  # type: ignore[union-attr]
    state = new(seed=SEEDS[0])
    sheriff = next(player.id for player in state.players if player.role == "sheriff")
    assert one(events, "gameStarted") == {"seats": [player.id for player in state.players], "sheriff": sheriff}
    for player in state.players:
        (role,) = [event for event in events if event["type"] == "roleDealt" and event["player"] == player.id]
        assert (role["role"], role["audience"]) == (player.role, [player.id])
        (hand,) = [event for event in events if event["type"] == "handDealt" and event["player"] == player.id]
        assert ([card["id"] for card in hand["cards"]], hand["audience"]) == (list(player.hand), [player.id])


# ---------------------------------------------------------------- choose2


def chosen(seed: bytes = SEEDS[3], **options: Any) -> Any:
    return new("ABCD", seed, characterDraft="choose2", **options)


def test_s4_3_choose2_offers_two_each_to_everybody_at_once() -> None:
    """Eight different ones; nobody has life or cards yet."""
    state = chosen()
    assert sorted(windows(state)) == [("choose2", player) for player in "ABCD"]
    offers = [character for player in state.players for character in player.character_offer]
    assert len(set(offers)) == 8
    assert all((player.character, player.life, player.hand) == (None, 0, ()) for player in state.players)
    assert (state.turn.phase, len(state.deck)) == ("setup", 80)


def test_bg_51_choices_are_public_when_all_have_chosen_and_then_comes_the_deal() -> None:
    """Nothing of a choice is told before; with the last one come characters, life, hands and the first turn."""
    state = chosen()
    for player in "ABC":
        choice = seat(state, player).character_offer[1]
        step = act(state, player, "pickCharacter", character=choice)
        state = step.state
        assert told(step.events) == ["characterPicked"]
        assert choice not in str(step.events)
        assert choice not in str(GAME.view(state, "D"))
        assert why(state, player, "pickCharacter", character=choice) == "not_asked" or state.turn.player != player
        assert GAME.legal(state, player) == []
    step = act(state, "D", "pickCharacter", character=seat(state, "D").character_offer[0])
    assert told(step.events, "characterRevealed") == ["characterRevealed"] * 4
    done = step.state
    assert seat(done, "A").character == seat(chosen(), "A").character_offer[1]
    assert seat(done, "D").character == seat(chosen(), "D").character_offer[0]
    assert all(len(player.hand) == player.life > 2 for player in done.players)
    assert (done.turn.phase, done.round) == ("draw", 1)


def test_s8_2_only_what_was_offered_can_be_picked() -> None:
    """Not another's, not an unknown one."""
    state = chosen()
    other = seat(state, "B").character_offer[0]
    assert why(state, "A", "pickCharacter", character=other) == "not_offered"
    assert why(state, "A", "pickCharacter", character="nobody") == "bad_action"
    assert why(state, "A", "endPlay") in ("not_your_turn", "reactions_open")


def test_s8_5_choose2_at_the_deadline_is_the_first() -> None:
    """For all who have not chosen, at once."""
    state = act(chosen(), "B", "pickCharacter", character=seat(chosen(), "B").character_offer[1]).state
    due = GAME.deadline(state)
    assert due == NOW + 15_000
    after = GAME.timeout(state, due).state
    for player in "ACD":
        assert seat(after, player).character == seat(state, player).character_offer[0]
    assert seat(after, "B").character == seat(chosen(), "B").character_offer[1]
