"""Random games held against `reckoning`: every card, every trick, every score, trumps, who leads, who plays the NPC."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from engines.parlett import GAME
from engines.parlett.cards import faces
from engines.parlett.state import State
from tests.engines.parlett.reckoning import PAYS, SIGNS, bid_of, may_play, score, taker
from tests.engines.play import Moment, Start, play, random_start

SAMPLE = int(os.environ.get("HANPAN_SOAK", "200"))

pytestmark = pytest.mark.timeout(max(120, SAMPLE))


class Witness:
    """Follows one game by its events, knowing the hands as dealt, and reckons along."""

    def __init__(self, start: Start, first: State) -> None:
        self.start, self.state = start, first
        self.tricks = self.rounds = 0
        self.streaks = dict.fromkeys(first.hands, 0)
        self.totals = dict.fromkeys(first.hands, 0)
        self.trump: str | None = None
        self.trick: list[tuple[str, str]] = []
        self.premiums: list[Any] = []
        self.made: int | None = None
        self.dealer: str | None = None

    def named(self, cards: tuple[str, ...]) -> list[str]:
        return [faces(self.state.turn_up)[card] for card in cards]

    def watch(self, moment: Moment) -> None:
        """One step: `self.state` is the state before it."""
        for event in moment.events:
            handle = getattr(self, f"on_{event['type']}", None)
            if handle is not None:
                handle(event, moment.state)
        self.state = moment.state

    # ------------------------------------------------------------ events

    def on_roundStarted(self, event: Any, after: State) -> None:
        seats = self.start.players
        if self.dealer is not None:
            assert event["dealer"] == seats[(seats.index(self.dealer) + 1) % len(seats)]
        self.dealer = event["dealer"]
        self.trick, self.premiums = [], []
        self.won = dict.fromkeys(self.streaks, 0)

    def on_trumpSet(self, event: Any, after: State) -> None:
        variant = self.start.options.get("variant", "standard")
        if variant in ("standard", "unbid"):
            printed = event["turnUp"]["face"]
            expected = None if printed == "조커" or printed.startswith("9") else printed[-1]
        elif variant == "trump":
            expected = "♦" if self.made is None else {0: "♦", 1: "♠", 2: "♥", 3: "♣", 4: None}[self.made]
        else:
            expected = None if self.made is None else SIGNS[self.trump]
        assert SIGNS[event["trump"]] == expected
        self.trump = event["trump"]

    def on_trumpNamed(self, event: Any, after: State) -> None:
        assert event["player"] in [one["player"] for one in self.premiums]
        self.trump = event["trump"]

    def on_premiumsShown(self, event: Any, after: State) -> None:
        seats, offers = self.start.players, event["offers"]
        at = seats.index(self.dealer or "")
        claim = [seats[(at + 1 + i) % len(seats)] for i in range(len(seats))]
        ranked = sorted((p for p in claim if offers[p] != "none"), key=lambda p: (-PAYS[offers[p]], claim.index(p)))
        expected = ranked if "npc" in self.won else ranked[:1]
        self.premiums = event["premiums"]
        assert [(one["player"], one["kind"]) for one in self.premiums] == [(p, offers[p]) for p in expected]

    def on_playStarted(self, event: Any, after: State) -> None:
        seats = self.start.players
        expected = seats[(seats.index(self.dealer or "") + 1) % len(seats)]
        if "npc" in self.won and len(self.premiums) == 1:
            expected = next(player for player in seats if player != self.premiums[0]["player"])
        assert event["leader"] == expected
        self.next_leader, self.master = expected, expected

    def on_cardPlayed(self, event: Any, after: State) -> None:
        who, face = event["player"], event["face"]
        assert who == self.turn()
        assert event.get("by", who) == (self.master if who == "npc" else who)
        hand = self.named(self.state.hands[who])
        assert face in hand
        assert may_play(hand, face, self.trick[0][1] if self.trick else None)
        self.trick.append((who, face))

    def turn(self) -> str:
        """Who must play now."""
        seats = list(self.start.players)
        first = self.trick[0][0] if self.trick else self.next_leader
        if "npc" not in self.won:
            return seats[(seats.index(first) + len(self.trick)) % len(seats)]
        rival = next(player for player in seats if player != self.master)
        return (["npc", rival, self.master] if first == "npc" else [self.master, rival, "npc"])[len(self.trick)]

    def on_trickWon(self, event: Any, after: State) -> None:
        assert len(self.trick) == len(self.won)
        winner = taker(self.trick, self.trump)
        assert event["player"] == winner
        self.won[winner] += 1
        assert event["tricks"] == self.won[winner]
        self.trick, self.next_leader = [], winner
        if winner != "npc":
            self.master = winner
        self.tricks += 1

    def on_roundScored(self, event: Any, after: State) -> None:
        bids = {who: bid_of([faces(after.turn_up)[card] for card in three]) for who, three in after.bids.items()}
        points = score(after.form, self.won, bids, self.premiums, self.streaks)
        rows = event["rows"]
        assert {who: row["points"] for who, row in rows.items()} == points
        self.made = sum(row["made"] for row in rows.values())
        self.streaks = {who: self.streaks[who] + 1 if row["made"] else 0 for who, row in rows.items()}
        self.totals = {who: total + points[who] for who, total in self.totals.items()}
        shown = {one["player"] for one in self.premiums if one["kind"] != "declare"}
        assert {who: row["bid"] for who, row in rows.items()} == {
            who: bid if rows[who]["made"] or who in shown else None for who, bid in bids.items()
        }
        assert after.scores == self.totals
        self.rounds += 1


def test_r5_3_r6_r7_random_games_are_as_reckoned_by_hand() -> None:
    """All tables, all variants; with timeouts and leavers among the inputs."""
    seen: dict[tuple[str, str], int] = {}
    tricks = 0
    for number in range(SAMPLE):
        rng = Random(f"reckoning/{number}")
        start = random_start(GAME, rng)
        moments = play(GAME, start, rng, 1_200)
        first = next(moments)
        witness = Witness(start, first.state)
        witness.watch(first)
        for moment in moments:
            witness.watch(moment)
        assert GAME.result(witness.state) is not None
        assert witness.rounds == witness.state.options.rounds
        key = (witness.state.form, witness.state.options.variant)
        seen[key] = seen.get(key, 0) + 1
        tricks += witness.tricks
    assert len(seen) == 15 or SAMPLE < 200
    assert tricks > 20 * SAMPLE
