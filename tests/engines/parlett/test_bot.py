"""The bot: legal is the contract's business; here, that it bids and plays better than luck, at every table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engines.kernel.legal import sample
from engines.parlett import GAME
from tests.engines.parlett.positions import all_bid, card, new, offers, position, stepped


def played(players: str, seed: int, **options: Any) -> tuple[str, dict[str, list[Any]]]:
    """A game of one bot among players by chance: the bot's seat, and everybody's rows."""
    rng, me = Random(seed), players[seed % len(players)]
    state = new(players, seed.to_bytes(32, "big"), **options)
    rows: dict[str, list[Any]] = {player: [] for player in players}
    while GAME.result(state) is None:
        for player in players:
            legal = GAME.legal(state, player)
            if not legal:
                continue
            action = GAME.bot(GAME.view(state, player), legal, rng) if player == me else sample(legal, rng)
            step = stepped(GAME.apply(state, player, action, 0))
            state = step.state
            for event in step.events:
                if event["type"] == "roundScored":
                    for one in players:
                        rows[one].append(event["rows"][one])
    return me, rows


TABLES: list[tuple[str, dict[str, Any]]] = [
    ("ABC", {}),
    ("ABCD", {}),
    ("AB", {}),
    ("AB", {"twoPlayer": "noNpc"}),
    ("ABC", {"variant": "trump"}),
    ("ABC", {"variant": "sphinx"}),
    ("ABC", {"variant": "unbid"}),
]


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_it_makes_its_bid_twice_as_often_as_chance(players: str, options: dict[str, Any]) -> None:
    """And has more points, over some games of nine rounds."""
    mine: list[Any] = []
    others: list[Any] = []
    for seed in range(10):
        me, rows = played(players, seed, **options)
        for player, made in rows.items():
            (mine if player == me else others).extend(made)
    made, chance = (sum(row["made"] for row in rows) / len(rows) for rows in (mine, others))
    assert made > max(0.22, 1.6 * chance)
    assert sum(row["points"] for row in mine) / len(mine) > sum(row["points"] for row in others) / len(others)


def test_it_bids_what_its_hand_will_take() -> None:
    """Nothing with nothing but low cards; much with aces and trumps."""
    low = GAME.dump(new("ABC"))
    deck = [c for hand in low["hands"].values() for c in hand]
    weak = sorted(deck, key=lambda c: (c == "JK", c[2:]))[:12]
    rest = [c for c in deck if c not in weak]
    state = GAME.load(low | {"hands": {"A": sorted(weak), "B": sorted(rest[:12]), "C": sorted(rest[12:])}})
    action = GAME.bot(GAME.view(state, "A"), GAME.legal(state, "A"), Random(1))
    bid = GAME.apply(state, "A", action, 0).state  # type: ignore[union-attr]
    assert GAME.view(bid, "A")["bids"]["A"]["tricks"] <= 2
    strong = sorted(deck, key=lambda c: (c == "JK", c[2:]))[-13:-1]
    rest = [c for c in deck if c not in strong]
    state = GAME.load(low | {"hands": {"A": sorted(strong), "B": sorted(rest[:12]), "C": sorted(rest[12:])}})
    action = GAME.bot(GAME.view(state, "A"), GAME.legal(state, "A"), Random(1))
    bid = GAME.apply(state, "A", action, 0).state  # type: ignore[union-attr]
    assert GAME.view(bid, "A")["bids"]["A"]["tricks"] >= 5


def test_it_takes_tricks_only_while_it_needs_them() -> None:
    """Last to play, with the trick to be had: taken where one is missing, left where enough are in."""
    hands = {"A": "C7", "B": "C8", "C": "HA H6"}
    for won, expected in ((1, "HA"), (3, "H6")):
        state = position(
            hands=hands,
            turn_up="S6",
            bids={"C": "CA D9 D10"},
            won={"C": won, "A": 7 - won},
            trick="A:H10 B:H9",
            current="C",
        )
        assert GAME.bot(GAME.view(state, "C"), GAME.legal(state, "C"), Random(1))["cardId"] == card(expected)


def test_it_plays_the_npcs_card_for_itself() -> None:
    """The trick is its own as it lies: the NPC wins it where it has enough, and not where it needs it."""
    hands = {"A": "C7", "B": "C8", "npc": "HA H6"}
    for won, expected in ((2, "H6"), (3, "HA")):
        state = position(
            "AB",
            hands=hands,
            turn_up="S6",
            bids={"A": "CA D9 D10"},
            won={"A": won, "B": 7 - won},
            trick="A:H10 B:H9",
            current="npc",
            controller="A",
        )
        assert GAME.bot(GAME.view(state, "A"), GAME.legal(state, "A"), Random(1))["cardId"] == card(expected)


def test_it_seldom_declares() -> None:
    """Only with a bid that looks safe; then without revealing more than it must."""
    declared = 0
    for seed in range(40):
        state = all_bid(new("ABC", seed.to_bytes(32, "big"))).state
        action = GAME.bot(GAME.view(state, "A"), GAME.legal(state, "A"), Random(seed))
        declared += action["kind"] != "none"
    assert declared < 8
    assert offers(all_bid(new()).state).state.phase == "playing"
