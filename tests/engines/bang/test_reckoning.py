"""Random games held against `reckoning`: every legal list, and the public table as an onlooker keeps it from events."""

from __future__ import annotations

import json
import os
from random import Random

import pytest

from engines.bang import GAME
from engines.bang.legal import MOST
from engines.bang.rules import why_not_target
from engines.bang.state import State
from engines.bang.table import Table
from engines.kernel.contract import Action
from tests.engines.bang.reckoning import Onlooker, distance, may_do
from tests.engines.bang.test_properties import game
from tests.engines.play import told

SAMPLE = int(os.environ.get("HANPAN_SOAK", "25"))

pytestmark = pytest.mark.timeout(max(120, SAMPLE))


def test_s5_s8_2_every_legal_list_is_what_the_tables_say() -> None:
    """At every step, for everybody: the same actions; and the same distances, both ways."""
    for n in range(SAMPLE):
        _, played, rng = game("reckoning", n)
        for moment in played:
            state: State = moment.state
            for player in state.players:
                legal = GAME.legal(state, player.id)
                if len(legal) < MOST:
                    assert same(legal, may_do(state, player)), player.id
            if state.turn.phase != "setup":
                measured(state, rng)


def same(one: list[Action], other: list[Action]) -> bool:
    return sorted(map(json.dumps, map(in_order, one))) == sorted(map(json.dumps, map(in_order, other)))


def in_order(action: Action) -> list[tuple[str, object]]:
    return sorted(action.items())


def measured(state: State, rng: Random) -> None:
    living = [player for player in state.players if player.alive]
    one = rng.choice(living)
    table = Table(state)
    distances = table.distances(one.id)
    assert distances == {other.id: distance(state, one, other) for other in living if other is not one}
    assert all(why_not_target(table, one.id, "duel", other, distances) is None for other in distances)


def test_s8_3_what_everybody_is_told_adds_up_to_the_public_table() -> None:
    """Hands by number, lives, what lies in front, roles, the dead, whose turn it is, who has won: from events alone."""
    for n in range(SAMPLE):
        _, played, _ = game("onlooker", n)
        onlooker = Onlooker()
        for moment in played:
            for event in told(moment.events, None):
                onlooker.hear(event)
            view = GAME.view(moment.state, None)
            rows = view["players"]
            assert [row["id"] for row in rows] == onlooker.seats
            assert {row["id"]: row["handCount"] for row in rows} == onlooker.hands
            assert {row["id"]: row["life"] for row in rows} == onlooker.lives
            lying = {row["id"]: sorted(card["id"] for card in row["inPlay"]) for row in rows}
            assert lying == {who: sorted(cards) for who, cards in onlooker.front.items()}
            if onlooker.winner is None:
                assert {row["id"]: row["role"] for row in rows if "role" in row} == onlooker.roles
                assert view["current"] == onlooker.current or view["phase"] == "setup"
            assert view["deathOrder"] == onlooker.dead
            assert moment.state.winner == onlooker.winner
