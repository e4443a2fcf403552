"""What an engine adds to the rules: actions, views, chance, time (RULES 8), refusals (RULES 9)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engines.kernel.contract import Rejected
from engines.parlett import GAME
from engines.parlett import actions as said
from engines.parlett.forms import DECKS, NPC
from engines.parlett.state import State, awaited
from tests.engines.parlett.positions import (
    NOW,
    all_bid,
    bid,
    card,
    do,
    kinds,
    lapse,
    new,
    offers,
    one,
    over_at_once,
    play,
    playable,
    position,
    why_not,
)

RULES = Path(said.__file__).with_name("RULES.md").read_text()


# ---------------------------------------------------------------- the state


def test_r8_1_1_the_state_has_the_names_of_the_document() -> None:
    """As JSON; and the cards of a round are in one of five places."""
    dump = GAME.dump(play(offers(all_bid(new()).state).state, "").state)
    named = re.search(r"\*\*8\.1\.1\*\*(.*?)카드는 늘", RULES, re.S)
    assert named
    names = set(re.findall(r"`(\w+)`", named[1])) - {"npc", "bidding", "premium", "playing", "roundEnd", "finished"}
    assert names == dump.keys() - {"stateVersion", "options", "form", "seats"}
    there = [c for pile in (*dump["hands"].values(), *dump["bids"].values()) for c in pile] + [dump["turnUp"]]
    assert sorted(there) == sorted(DECKS["three", "standard"])


# ---------------------------------------------------------------- actions


def test_r8_2_1_who_is_asked_what() -> None:
    """Bids, premium bids and ready of all at once, the others of one; nobody else is asked anything."""
    state = new("ABCD", rounds=3)
    asked: dict[str, set[int]] = {}
    while state.round < 3:
        waiting = [player for player in "ABCD" if GAME.legal(state, player)]
        assert tuple(waiting) == awaited(state)
        (kind,) = {action["type"] for player in waiting for action in GAME.legal(state, player)}
        asked.setdefault(kind, set()).add(len(waiting))
        who = waiting[-1]
        state = GAME.apply(state, who, GAME.legal(state, who)[0], NOW).state  # type: ignore[union-attr]
    assert asked == {"bid": {4, 3, 2, 1}, "premium": {4, 3, 2, 1}, "play": {1}, "ready": {4, 3, 2, 1}}


def test_r8_2_2_all_say_ready_before_the_next_round() -> None:
    """Each once; after the last round there is nothing to be ready for."""
    state = position(hands={"A": "HA", "B": "C7", "C": "D8"}, won={"A": 8}, rounds=3)
    state = play(state, "HA C7 D8").state
    assert state.phase == "roundEnd"
    state = do(state, "B", "ready").state
    assert why_not(state, "B", "ready") == "already_ready"
    state = do(state, "A", "ready").state
    step = do(state, "C", "ready")
    assert kinds(step.events)[:3] == ["playerReady", "roundStarted", "trumpSet"]
    assert (step.state.round, step.state.phase, step.state.tricks_won) == (2, "bidding", {"A": 0, "B": 0, "C": 0})
    assert why_not(step.state, "A", "ready") == "not_round_end"
    last = position(hands={"A": "HA", "B": "C7", "C": "D8"}, won={"A": 8}, rounds=1)
    ended = play(last, "HA C7 D8")
    assert ended.state.phase == "finished"
    assert kinds(ended.events)[-1] == "gameFinished"
    assert not any(GAME.legal(ended.state, player) for player in "ABC")


# ---------------------------------------------------------------- views


def hidden_ids(state: State, viewer: str | None) -> set[str]:
    """Every card id that this viewer may not know, in a plain game without premium bids."""
    return {c for player, hand in state.hands.items() if player != viewer for c in hand} | {
        c for player, three in state.bids.items() if player != viewer for c in three
    }


def test_r8_3_1_a_hand_is_its_owners_alone() -> None:
    """In views and events; what is played and how many are held is everybody's."""
    state = new()
    for _ in range(20):
        due = GAME.deadline(state)
        assert due is not None
        step = GAME.timeout(state, due)
        state = step.state
        for viewer in ("A", "B", "C", None):
            view = GAME.view(state, viewer)
            events = [e for e in step.events if viewer in e.get("audience", (viewer,))]
            text = json.dumps([view, events])
            assert not any(f'"{c}"' in text for c in hidden_ids(state, viewer))
            assert view["handCounts"] == {player: len(hand) for player, hand in state.hands.items()}
            assert len(view["played"]) == len(state.played)
            assert [c["id"] for c in view["trick"]] == [played.card for played in state.trick]
            if viewer is None:
                assert "hand" not in view
            else:
                assert [c["id"] for c in view["hand"]] == [*state.hands[viewer]]
    assert GAME.view(state, "a stranger") == GAME.view(state, None)


@pytest.mark.parametrize("variant", ["standard", "unbid"])
def test_r8_3_2_pn_13_who_is_called_as_the_npc_is_sees_no_more(variant: str) -> None:
    """A spectator may have that name; the NPC's bid is nobody's to see, and nothing is asked of it."""
    state = new("AB", variant=variant)
    while state.phase != "finished":
        assert GAME.view(state, NPC) == GAME.view(state, None)
        assert GAME.legal(state, NPC) == []
        assert GAME.presence(state, NPC, "left", NOW).state is state
        state = lapse(state).state


def test_r8_3_2_a_bid_is_seen_by_who_made_it() -> None:
    """With what it comes to; others see that it lies there."""
    state = bid(new(), "A").state
    assert GAME.view(state, "A")["bids"]["A"]["tricks"] in range(10)
    assert [c["id"] for c in GAME.view(state, "A")["bids"]["A"]["cards"]] == [*state.bids["A"]]
    for viewer in ("B", None):
        assert GAME.view(state, viewer)["bids"] == {"A": {"hidden": True}}


def test_r8_3_3_open_hands_are_open_in_play_only() -> None:
    """In Sphinx a revelation is known before the bids, and the hand not yet."""
    state = do(offers(new(variant="sphinx"), B="revelation").state, "B", "trump", suit="H").state
    assert GAME.view(state, "A")["premiums"] == [{"player": "B", "kind": "revelation"}]
    assert GAME.view(state, "A")["hands"] == {}
    assert GAME.view(all_bid(state).state, "A")["hands"].keys() == {"B"}


def test_r8_3_4_views_hold_nothing_of_chance() -> None:
    """Whatever the generator holds, views are the same."""
    state = all_bid(new()).state
    dump = GAME.dump(state)
    other = GAME.load(dump | {"rng": {"seed": dump["rng"]["seed"][::-1][1:] + "=", "counter": 7}})
    assert other.rng != state.rng
    for viewer in ("A", None):
        assert GAME.view(other, viewer) == GAME.view(state, viewer)


def test_a_view_is_the_viewers_own() -> None:
    """Whatever is done to it, the state and the next view are as before."""
    state = play(offers(all_bid(new("AB")).state, A="declaration").state, "").state
    before, again = GAME.dump(state), GAME.view(state, "A")

    def spoil(value: Any) -> None:
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            spoil(inner)
        if isinstance(value, dict | list):
            value.clear()

    spoil(GAME.view(state, "A"))
    spoil(GAME.legal(new(), "A"))
    assert GAME.dump(state) == before
    assert GAME.view(state, "A") == again


def test_labels_name_what_may_be_chosen() -> None:
    """Kinds of premium bids and suits, as cards with a face, so that a table that knows no game can show them."""
    labels = {one_label["id"]: one_label["face"] for one_label in GAME.view(all_bid(new()).state, "A")["labels"]}
    assert labels.keys() == {action["kind"] for action in GAME.legal(all_bid(new()).state, "A")}
    asked = offers(new(variant="sphinx"), A="declaration").state
    suits = {one_label["id"] for one_label in GAME.view(asked, "A")["labels"]}
    assert suits == {action["suit"] for action in GAME.legal(asked, "A")} - {None}
    assert "labels" not in GAME.view(new(), "A")


# ---------------------------------------------------------------- chance and time


def test_r8_4_1_the_same_seed_is_the_same_game() -> None:
    """Another seed is another; and only the first dealer and the deals draw."""
    assert over_at_once(7) == over_at_once(7)
    assert new(seed=b"x" * 32).hands != new().hands
    state = new()
    counter = state.rng.counter
    while state.round == 1:
        assert state.rng.counter == counter
        state = lapse(state).state
    assert state.rng.counter > counter


@pytest.mark.parametrize("seconds", [10, 15, 20, 30, 60])
def test_r8_5_1_the_time_for_each_phase(seconds: int) -> None:
    """Bids twice as long; twelve seconds for the score; the clock of a phase does not begin anew with each answer."""
    state = new(turnSeconds=seconds)
    assert GAME.deadline(state) == NOW + 2_000 * seconds
    state = do(state, "A", "bid", NOW + 500, cardIds=list(state.hands["A"][:3])).state
    assert GAME.deadline(state) == NOW + 2_000 * seconds
    state = GAME.timeout(state, NOW + 2_000 * seconds).state
    assert (state.phase, GAME.deadline(state)) == ("premium", NOW + 3_000 * seconds)
    options: dict[str, Any] = {"turnSeconds": seconds, "rounds": 3}
    state = position(hands={"A": "HA C6", "B": "C7 C8", "C": "D8 C9"}, won={"A": 7}, **options)
    state = do(state, "A", "play", NOW + 77, cardId=card("HA")).state
    assert GAME.deadline(state) == NOW + 77 + 1_000 * seconds
    state = play(state, "C7 D8 C6 C8 C9").state
    assert (state.phase, GAME.deadline(state)) == ("roundEnd", NOW + 12_000)


def test_r8_5_2_pn_23_what_is_done_for_the_absent() -> None:
    """The three lowest ids; no premium; no trump; the lowest that may be played, the NPC's too; ready."""
    state = new()
    step = lapse(state)
    assert kinds(step.events) == ["timedOut", "bidPlaced"] * 3
    assert step.state.bids == {w: h[:3] for w, h in state.hands.items()}
    step = lapse(step.state)
    assert one(step.events, "premiumsShown")["offers"] == dict.fromkeys("ABC", "none")
    asked = offers(new(variant="sphinx"), A="declaration").state
    assert lapse(asked).state.trump is None
    hands = {"A": "H10 C6", "B": "HA H8 S8", "C": "D6 S7 CA"}
    state = position(hands=hands, turn_up="S6", trick="A:H9", current="B")
    assert one(lapse(state).events, "cardPlayed")["cardId"] == card("H8")
    hands = {"A": "H10 C6", "B": "H8 C7", "npc": "HA H6 D8"}
    state = position("AB", hands=hands, turn_up="S6", trick="A:H9 B:HK", current=NPC, controller="A")
    assert one(lapse(state).events, "cardPlayed")["cardId"] == card("H6")
    ended = play(position(hands={"A": "HA", "B": "C7", "C": "D8"}, won={"A": 8}, rounds=3), "HA C7 D8").state
    assert lapse(ended).state.round == 2


def test_r8_5_2_only_those_whose_time_is_up() -> None:
    """Who has bid keeps the bid; who has time left is still waited for."""
    state = new()
    kept = state.hands["B"][5:8]
    state = do(state, "B", "bid", cardIds=[*kept]).state
    state = GAME.presence(state, "C", "left", NOW).state
    step = GAME.timeout(state, NOW + 1_000)
    assert [e["player"] for e in step.events if e["type"] == "timedOut"] == ["C"]
    assert awaited(step.state) == ("A",)
    assert GAME.timeout(step.state, NOW + 40_000).state.bids["B"] == kept


def test_r8_5_3_three_in_a_row_shorten_the_wait() -> None:
    """Three seconds from then on; an own action ends it; the score's twelve seconds are not counted."""
    state = GAME.load(GAME.dump(new()) | {"missedTurns": {"A": 2, "B": 3}})
    assert GAME.deadline(state) == NOW + 3_000
    state = do(state, "B", "bid", cardIds=list(state.hands["B"][:3])).state
    assert state.missed_turns == {"A": 2}
    state = GAME.timeout(state, 10**9).state
    assert state.missed_turns == {"A": 3, "C": 1}
    assert GAME.deadline(state) == 10**9 + 3_000
    ended = play(position(hands={"A": "HA", "B": "C7", "C": "D8"}, won={"A": 8}, rounds=3), "HA C7 D8").state
    assert lapse(ended).state.missed_turns == {}


def test_r8_5_4_pn_23_who_leaves_is_played_for() -> None:
    """A second's wait, the running question among them; for good; and the game ends also when all have left."""
    state = new()
    for status in ("offline", "online"):
        assert GAME.presence(state, "A", status, NOW).state is state
    step = GAME.presence(state, "A", "left", NOW + 5)
    assert one(step.events, "playerLeft") == {"player": "A"}
    assert GAME.deadline(step.state) == NOW + 1_000
    assert GAME.presence(step.state, "A", "left", NOW).state is step.state
    assert GAME.presence(step.state, "A", "online", NOW).state is step.state
    assert GAME.presence(step.state, "nobody", "left", NOW).state is step.state
    for player in "BC":
        step = GAME.presence(step.state, player, "left", NOW)
    state, steps = step.state, 0
    while (due := GAME.deadline(state)) is not None:
        state, steps = GAME.timeout(state, due).state, steps + 1
    assert len(state.round_scores) == 9
    assert steps == 9 * (1 + 1 + 27) + 8


# ---------------------------------------------------------------- refusals


def test_r9_1_every_refusal_stands_in_the_document() -> None:
    """Code and sentence, both ways."""
    refusals = [value for value in vars(said).values() if isinstance(value, Rejected)]
    refusals += [*said.UNTIMELY.values(), *said.AGAIN.values(), said.must_follow("♥ 하트"), said.tricks_range(9)]
    written = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|$", RULES.partition("## 9.")[2], re.M))
    for refusal in refusals:
        if refusal.code not in ("bad_players", "bad_options"):
            assert refusal.message in written[refusal.code].split(" / ")
    assert written.keys() == {r.code for r in refusals} - {"bad_players", "bad_options"} | {"bad_action"}


def test_r9_1_bad_actions_are_refused_and_change_nothing() -> None:
    """Foreign cards, bids of another size, out of turn, at the wrong time, by strangers; the state is the same."""
    state = new()
    mine, theirs = state.hands["A"], state.hands["B"]
    assert why_not(state, "A", "bid", cardIds=[theirs[0], *mine[:2]]) == "no_such_card"
    assert why_not(state, "A", "bid", cardIds=["3C99", *mine[:2]]) == "no_such_card"
    assert why_not(state, "A", "bid", cardIds=list(mine[:2])) == "bid_count"
    assert why_not(state, "A", "bid", cardIds=list(mine[:4])) == "bid_count"
    assert why_not(state, "A", "bid", cardIds=[mine[0], mine[0], mine[1]]) == "bid_repeated"
    assert why_not(state, "A", "play", cardId=mine[0]) == "not_trick"
    assert why_not(state, "A", "premium", kind="none") == "not_premium"
    assert why_not(state, "A", "trump", suit="H") == "not_trump"
    assert why_not(state, "nobody", "bid", cardIds=list(mine[:3])) == "not_in_game"
    assert why_not(state, NPC, "bid", cardIds=list(mine[:3])) == "not_in_game"
    assert why_not(state, "A", "bid", cardIds="0D06") == "bad_action"
    assert why_not(state, "A", "trump", suit="X") == "bad_action"
    assert why_not(state, "A", "fold") == "bad_action"
    state = offers(all_bid(state).state).state
    first, second = state.current, next(p for p in "ABC" if p != state.current)
    assert first is not None
    assert why_not(state, second, "play", cardId=state.hands[second][0]) == "not_your_turn"
    assert why_not(state, first, "play", cardId=state.hands[second][0]) == "no_such_card"
    assert state.hands[first][0] in playable(state)
    assert why_not(over_at_once(rounds=1), "A", "ready") == "finished"


def test_r9_1_a_suit_that_must_be_followed_is_named() -> None:
    """In the sentence."""
    state = position(hands={"A": "H10 C6", "B": "H8 S7", "C": "D6 S8"}, turn_up="S6")
    answer = GAME.apply(play(state, "H10").state, "B", {"type": "play", "cardId": card("S7")}, NOW)
    assert answer == Rejected("must_follow", "♥ 하트를 가지고 있으면 ♥ 하트를 내야 해요")
