"""Section 10's leak check: at every step of random games, for every viewer and every spectator.

``HANPAN_SOAK=10000`` plays that many games. What a viewer may know is reckoned anew here, from the state and from what
was public before; the contract's test with two worlds asks the same question the other way round.
"""

from __future__ import annotations

import os
import re
from typing import Any

import msgspec
import pytest

from engines.bang import GAME
from engines.bang.cards import CardId
from engines.bang.names import FACES
from engines.bang.state import KitKeep, LuckyPick, State, Store
from engines.kernel.contract import Event, Json, PlayerId
from tests.engines.bang.test_properties import game

SAMPLE = int(os.environ.get("HANPAN_SOAK", "10"))
ID = re.compile(rb'"id":(\d+)')
NUMBER = re.compile(rb"\d+")
SAID = re.compile(rb'"id":(\d+)|"(sheriff|deputy|outlaw|renegade)"')

pytestmark = pytest.mark.timeout(max(120, SAMPLE))


def ids(value: Any) -> set[CardId]:
    """Every card in a view or an event, wherever it stands."""
    return {int(number) for number in ID.findall(msgspec.json.encode(value))}


def lying_open(state: State) -> set[CardId]:
    """The cards that 8.3 shows to everybody, reckoned from the state."""
    seen = set(state.discard)
    for player in state.players:
        seen.update(player.in_play)
        if state.winner is not None:
            seen.update(player.hand)
    for window in state.reactions:
        if isinstance(window, Store):
            seen.update(window.revealed)
        elif isinstance(window, LuckyPick):
            seen.update(window.options)
    if state.turn.black_jack_reveal is not None:
        seen.add(state.turn.black_jack_reveal)
    if state.last_check is not None:
        seen.update(state.last_check.card_ids)
    return seen


def own_cards(state: State, viewer: PlayerId | None) -> set[CardId]:
    """Beyond these the own hand, and 킷's three."""
    seen = {card for player in state.players if player.id == viewer for card in player.hand}
    for window in state.reactions:
        if isinstance(window, KitKeep) and window.player == viewer:
            seen.update(window.options)
    return seen


OPEN = frozenset(  # events for everybody that name cards which lie open, if only for a moment
    {
        "cardPlayed",
        "cardShown",
        "cardsDiscarded",
        "checked",
        "discardTaken",
        "flipped",
        "healedByDiscard",
        "penalty",
        "responded",
        "storePicked",
        "storeRevealed",
    }
)
TO_ONE = frozenset({"cardsReceived", "cardsSeen", "charactersOffered", "handDealt", "roleDealt"})


def test_s10_nobody_is_shown_or_told_what_is_not_theirs_to_know() -> None:
    """Other hands, the deck, 킷's three, roles of the living, others' offers: in views, events and legal lists."""
    for n in range(SAMPLE):
        start, played, _ = game("secrets", n)
        faces = FACES[start.options.get("names", "neutral")]
        public: set[str] = set()  # the faces of all cards that ever lay open
        known: dict[PlayerId | None, set[CardId]] = {viewer: set() for viewer in (None, *start.players)}
        for moment in played:
            state = moment.state
            told_of = [(event, ids(event)) for event in moment.events]
            for event, cards in told_of:
                check_event(state, event, cards)
            lying = lying_open(state)
            passing = {card for event, cards in told_of if event["type"] in OPEN for card in cards}
            for viewer, knew in known.items():
                may = lying | own_cards(state, viewer)
                view = GAME.view(state, viewer)
                check_view(state, viewer, view, may)
                mine = {card for event, cards in told_of if viewer in event.get("audience", ()) for card in cards}
                heard = {
                    card for event, cards in told_of if viewer in event.get("audience", (viewer,)) for card in cards
                }
                assert heard <= knew | may | passing | mine
                # What was said to one alone is in the own hand now, or left it in this same step, in the open.
                assert mine <= knew | may | passing
                if viewer is None:
                    public |= {faces[card] for card in may | heard}
                    named = {face for entry in view["log"] for face in entry.get("face", "").split(", ") if face}
                    assert named <= public
                elif state.winner is None:
                    answers = [{**action, "jesseFrom": None, "target": None} for action in GAME.legal(state, viewer)]
                    assert {int(card) for card in NUMBER.findall(msgspec.json.encode(answers))} <= may
                known[viewer] = may


def check_view(state: State, viewer: PlayerId | None, view: Json, may: set[CardId]) -> None:
    """One view: its cards, roles and offers, as they stand in its JSON, wherever that may be."""
    said = msgspec.json.encode(view)
    cards, roles = set[CardId](), list[str]()
    for number, role in SAID.findall(said):
        if number:
            cards.add(int(number))
        else:
            roles.append(role.decode())
    assert cards <= may
    own = next((player for player in state.players if player.id == viewer), None)
    offers = [each["id"] for each in view.get("characterOffer", [])]
    assert offers == (list(own.character_offer) if own else [])
    if state.turn.phase == "setup":
        others = {c for p in state.players if p.id != viewer for c in p.character_offer}
        assert not any(b'"%s"' % character.encode() in said for character in others)
    assert not {"deck", "rng", "seed"} & view.keys()
    if state.winner is not None:
        return
    known = [p.role for p in state.players if p.role == "sheriff" or not p.alive or p is own]
    assert sorted(roles) == sorted(known + ([own.role] if own else []))
    assert [row["handCount"] for row in view["players"]] == [len(player.hand) for player in state.players]
    assert not any("hand" in row for row in view["players"])


def check_event(state: State, event: Event, cards: set[CardId]) -> None:
    """Who is told, and that cards and roles stand only where they may."""
    kind = event["type"]
    assert ("audience" in event) == (kind in TO_ONE or kind == "takenCardSeen")
    if kind in TO_ONE:
        assert event["audience"] == [event["player"]]
    elif kind == "takenCardSeen":
        assert event["audience"] == [event["player"], event["target"]]
    elif cards:
        assert kind in OPEN or (kind == "cardTaken" and event["where"] == "inPlay")  # from a hand it names none (BG-57)
    if kind == "roleRevealed":
        assert not next(player for player in state.players if player.id == event["player"]).alive
    elif kind != "roleDealt":
        assert "role" not in event
