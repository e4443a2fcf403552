"""What holds in every game, whatever the options, seats, seed and play, beyond the contract's points.

``HANPAN_SOAK=10000`` plays that many games instead of a sample; the secrecy test stops at the 1,000 of section 10.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engines.kernel import codec
from engines.kernel.contract import Event, Json, PlayerId, Step
from engines.kernel.legal import matches
from engines.kernel.rng import Rng
from engines.seotda import GAME
from engines.seotda.actions import asked, table_pot
from engines.seotda.cards import DECK, Card, seen
from engines.seotda.options import school
from engines.seotda.state import State
from tests.engines.audits import AUDITS
from tests.engines.play import Moment, Start, begin, do, ok, play, random_start
from tests.engines.seotda.reckoning import Ledger

SOAK = os.environ.get("HANPAN_SOAK")
GAMES = int(SOAK or 40)
SECRETIVE = min(GAMES, 1000) if SOAK else 4
MOST = AUDITS[GAME.id].most_moves

pytestmark = pytest.mark.timeout(120 + 2 * GAMES)


def games(salt: str, number: int) -> Iterator[tuple[Start, Iterator[Moment], Random]]:
    """Random games over all options and head counts."""
    for n in range(number):
        rng = Random(f"seotda/{salt}/{n}")
        start = random_start(GAME, rng)
        yield start, play(GAME, start, rng, MOST), rng


def test_s10_chips_are_conserved_at_every_step_and_paid_as_a_second_reckoning_pays_them() -> None:
    """Σ stacks + Σ pots + Σ bets of the round = what was given out, rematches and rejoining included.

    And the ledger, which has heard only what a spectator hears, has everybody's chips to the chip at each step.
    """
    seen_hands = seen_rematches = 0
    for _, moments, _ in games("chips", GAMES):
        ledger: Ledger | None = None
        for moment in moments:
            state: State = moment.state
            if ledger is None:
                ledger = Ledger(msgspec.to_builtins(state.options))
            ledger.hear(moment.events)
            assert {seat.id: seat.stack for seat in state.seats} == ledger.stacks
            assert sum(ledger.stacks.values()) + table_pot(state) == ledger.given
            whole(state)
        assert ledger is not None
        seen_hands += ledger.hands
        seen_rematches += ledger.rematches
    assert seen_hands > 5 * GAMES
    assert seen_rematches > GAMES // 4


def whole(state: State) -> None:
    """What every state of a game is."""
    hand = state.hand
    assert state.base_unit == school(state.options, hand.hand_no)
    cards = [*hand.deck, *(card for seated in hand.players.values() for card in seated.hand)]
    assert sorted(cards, key=lambda card: card.id) == list(DECK)
    assert all(seat.stack >= 0 for seat in state.seats)
    assert all(pot.amount > 0 and pot.eligible for pot in (*hand.carried_pots, *hand.pots))
    assert hand.rematch_no <= 3
    live = [player for player, seated in hand.players.items() if not seated.folded]
    assert live
    for pot in hand.pots:
        assert set(pot.eligible) <= set(live)
    now = asked(state)
    assert (now is None) == (state.phase == "finished")
    if now is not None:
        assert now[1]
        assert len(set(now[1])) == len(now[1])
        for player in now[1]:
            seat = state.seat(player)
            assert seat is not None
            assert seat.status not in ("left", "eliminated")
    if now is not None and now[0] in ("bet", "choose"):
        assert len(live) > 1
        assert set(now[1]) <= set(live)
    if hand.betting is not None:
        behind = max(seated.committed_round for seated in hand.players.values())
        assert behind == hand.betting.current_bet
        assert hand.betting.to_act is not None
        assert not hand.players[hand.betting.to_act].all_in


# ---------------------------------------------------------------- secrets


NAMED = re.compile(rb'"id":(\d+)|"cardIds":\[([\d,]+)\]')


def cards_in(value: Any) -> set[int]:
    """The id of every card that is named anywhere in what is sent; nothing else has a number for an id."""
    found = NAMED.findall(msgspec.json.encode(value))
    return {int(id_) for one, some in found for id_ in (one, *some.split(b",")) if id_}


def other_world(state: State, viewer: PlayerId | None, rng: Random) -> State:
    """The same moment, with another card in every place where the viewer cannot look, and another generator."""
    hand = state.hand
    own = hand.players[viewer].hand if viewer in hand.players else ()
    hidden = [card for card in DECK if card not in own]
    by = rng.randrange(1, len(hidden))
    became: dict[Card, Card] = dict(zip(hidden, hidden[by:] + hidden[:by], strict=True))
    players = dict(hand.players)
    for player, seated in hand.players.items():
        if player != viewer:
            chosen: Any = seated.chosen and tuple(became[DECK[card]].id for card in seated.chosen)
            players[player] = replace(seated, hand=tuple(became[card] for card in seated.hand), chosen=chosen)
    deck = tuple(became[card] for card in hand.deck)
    return replace(state, rng=Rng(rng.randbytes(32), rng.randrange(99)), hand=replace(hand, deck=deck, players=players))


class Onlooker:
    """What of the cards has come to light by rights: those of who was in a showdown, until the next one or hand."""

    def __init__(self) -> None:
        self.open: set[int] = set()
        self.live: set[str] = set()

    def hear(self, events: tuple[Event, ...], before: State | None) -> set[int]:
        """The cards that these events may name. Fails where one is shown that must not be."""
        named: set[int] = set()
        for event in events:
            match event["type"]:
                case "handStarted":
                    self.open, self.live, before = set(), set(), None  # other cards from here on
                case "ante":
                    self.live.add(event["player"])
                case "rematchStarted":
                    self.live, before = set(event["participants"]), None
                case "bet" if event["bet"] == "die":
                    self.live.remove(event["player"])
                case "showdown":
                    self.open = set()
                    assert set(event["players"]) == self.live
                    assert len(self.live) > 1
                case "shown":
                    assert event["player"] in self.live
                    ids = {card["id"] for card in event["cards"]}
                    assert len(ids) == 2
                    seated = None if before is None else before.hand.players[event["player"]]
                    if seated is not None and seated.chosen is not None:
                        assert ids == set(seated.chosen)
                    self.open |= ids
                    named |= ids
                case "handEnded" if len(self.live) == 1:  # who is left alone shows nothing
                    self.open = set()
            if event["type"] != "shown":
                assert not cards_in(event)
                assert not FACES & set(strings(event)), event
        return named


FACES = {str(seen(card)[word]) for card in DECK for word in ("face", "label")}


def strings(value: Any) -> Iterator[str]:
    """Every text in JSON."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str):
        yield value


def test_s10_s8_3_no_frame_and_no_replay_shows_a_hidden_card() -> None:
    """Every viewer, every frame: dead hands, discarded cards, the deck and others' cards appear in no view or event.

    A view names only own cards and those of the last showdown; where all other cards are other cards, it is the same to
    the letter. And a replay from the log shows each viewer, also after the end, what they saw in the game.
    """
    frames = revealed = 0
    for start, moments, rng in games("secrets", SECRETIVE):
        viewers, onlooker, before = (None, *start.players), Onlooker(), None
        again = ok(begin(GAME, start))
        for moment in moments:
            state: State = moment.state
            named = onlooker.hear(moment.events, before)
            if moment.what is not None:
                again = ok(do(GAME, again.state, moment.what))
            assert again == Step(moment.state, moment.events)  # so every viewer's replay has the same views
            assert cards_in(moment.events) <= named
            assert not any("audience" in event for event in moment.events)  # nothing is told to some only
            for viewer in viewers:
                view = GAME.view(state, viewer)
                seated = state.hand.players.get(viewer or "")
                own = {card.id for card in seated.hand} if seated is not None else set()
                appear = cards_in(view)
                assert appear <= own | onlooker.open, (start, viewer, state.hand.phase, appear - own - onlooker.open)
                assert GAME.view(other_world(state, viewer, rng), viewer) == view
                frames += 1
                revealed += bool(appear - own)
            before = state
    assert frames > 500 * SECRETIVE
    assert revealed > 0


def test_s10_the_same_seed_and_actions_give_the_same_states() -> None:
    """Digests, also going on from any saved state, through JSON text."""
    for start, moments, rng in games("replay", min(GAMES, 100) // 4):
        step = ok(begin(GAME, start))
        for moment in moments:
            if moment.what is not None:
                state = GAME.load(json.loads(codec.canonical(step.state))) if rng.random() < 0.05 else step.state
                step = ok(do(GAME, state, moment.what))
            assert codec.digest(step.state) == codec.digest(moment.state)


def test_s8_3_offers_are_the_legal_list_with_exact_amounts() -> None:
    """What is on a button is what it costs: the chips that move are the amount in the view."""
    for start, moments, rng in games("offers", max(4, min(GAMES, 200) // 8)):
        for moment in moments:
            if rng.random() > 0.1:
                continue
            state: State = moment.state
            for player in start.players:
                legal = GAME.legal(state, player)
                offers: list[Json] = GAME.view(state, player)["legalActions"]
                assert [matches(legal, _bare(offer)) for offer in offers] == [True] * len(legal)
                for offer in offers:
                    if "amount" in offer and offer["type"] != "rejoin":
                        step = ok(GAME.apply(state, player, _bare(offer), moment.now))
                        assert next(e for e in step.events if e["type"] == "bet")["amount"] == offer["amount"]


def _bare(offer: Json) -> Json:
    return {name: value for name, value in offer.items() if name in ("type", "cardIds", "accept")}
