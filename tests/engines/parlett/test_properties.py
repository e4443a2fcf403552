"""What holds in every game, whatever the options, seats, seed and play, beyond the contract's points."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engines.kernel import codec
from engines.kernel.codec import options_schema
from engines.kernel.contract import Json, PlayerId
from engines.parlett import GAME
from engines.parlett.forms import DECKS, FORMS, NPC
from engines.parlett.state import State, awaited, table
from tests.engines.play import NAMES, Moment, Start, play, told

CHOICES = {name: about["enum"] for name, about in options_schema(GAME.Options)["properties"].items()}
OPTIONS = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in CHOICES.items()})
STARTS = st.builds(
    lambda options, players, seed: Start(GAME.id, options, NAMES[:players], seed.hex(), 0),
    OPTIONS,
    st.integers(2, 4),
    st.binary(min_size=32, max_size=32),
).filter(lambda start: start.options.get("variant") != "sphinx" or len(start.players) > 2 or two(start) == "npc")
some_games = settings(max_examples=30)


def two(start: Start) -> str:
    return str(start.options.get("twoPlayer", "npc"))


def moments(start: Start, chance: int) -> Iterator[Moment]:
    return play(GAME, start, Random(chance), 1_200)


@some_games
@given(STARTS, st.integers(0, 2**32))
def test_r8_1_1_there_is_always_one_deck(start: Start, chance: int) -> None:
    """And each holds as many cards as the tricks that are to come."""
    for moment in moments(start, chance):
        state: State = moment.state
        there = [card for pile in (*state.hands.values(), *state.bids.values()) for card in pile]
        there += [*state.played, *(played.card for played in state.trick), *filter(None, [state.turn_up])]
        assert sorted(there) == sorted(DECKS[state.form, state.options.variant])
        assert sum(state.tricks_won.values()) * len(table(state)) == len(state.played)


@some_games
@given(STARTS, st.integers(0, 2**32))
def test_r4_2_r6_1_a_round_deals_plays_and_scores_all_its_tricks(start: Start, chance: int) -> None:
    """Scores are sums of rounds; a round's tricks are all taken by somebody; seq counts the steps."""
    before = None
    for moment in moments(start, chance):
        state: State = moment.state
        for who in table(state):
            assert state.scores[who] == sum(points[who] for points in state.round_scores)
        if state.phase in ("roundEnd", "finished"):
            assert sum(state.tricks_won.values()) == FORMS[state.form].tricks
            assert len(state.round_scores) == state.round
        if before is not None:
            assert state.seq in (before.seq, before.seq + 1)
            assert (state.seq == before.seq) == (state is before)
        before = state
    assert before is not None
    assert len(before.round_scores) == before.options.rounds


@some_games
@given(STARTS, st.integers(0, 2**32))
def test_r8_2_1_somebody_is_always_asked_and_can_answer(start: Start, chance: int) -> None:
    """Whoever is awaited has a legal action, and nobody else; the NPC's card is asked of a player."""
    for moment in moments(start, chance):
        state: State = moment.state
        waiting = awaited(state)
        assert bool(waiting) == (state.phase != "finished")
        assert NPC not in waiting
        for player in start.players:
            assert bool(GAME.legal(state, player)) == (player in waiting)


def ids(value: object) -> Iterator[str]:
    """Every text in JSON."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from ids(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from ids(inner)
    elif isinstance(value, str):
        yield value


def known(state: State, viewer: PlayerId | None) -> set[str]:
    """The cards that this viewer may know, by the rules as they are told: own, played, turned up, laid open."""
    playing = state.phase in ("playing", "roundEnd", "finished")
    shown = {*state.played, *(one.card for one in (*state.trick, *state.last_trick)), state.turn_up or ""}
    shown |= {*state.hands.get(viewer or "", ()), *state.bids.get(viewer or "", ())}
    for taken in state.premiums if playing else ():
        if taken.kind in ("declaration", "revelation"):
            shown.update(state.bids[taken.player])
        if taken.kind in ("revelation", "reveal", "both"):
            shown.update(state.hands[taken.player], state.bids.get(taken.player, ()))
    if playing and state.form == "npc":
        shown.update(state.hands[NPC])
    if state.phase in ("roundEnd", "finished"):
        for player, row in state.last_round.items():
            shown.update(state.bids[player] if row.made else ())
    return shown


@some_games
@given(STARTS, st.integers(0, 2**32))
def test_r6_10_r8_3_no_card_is_told_to_who_may_not_know_it(start: Start, chance: int) -> None:
    """In no view, no event, no legal list: neither ids nor faces of hidden cards, at any step, to anyone."""
    rng = Random(chance)
    for moment in moments(start, chance):
        if rng.random() < 0.7:
            continue
        state: State = moment.state
        deck = {*DECKS[state.form, state.options.variant]}
        for viewer in (None, *start.players):
            may = known(state, viewer)
            legal = GAME.legal(state, viewer) if viewer else []
            told_now: list[Json] = [GAME.view(state, viewer), *told(moment.events, viewer), *legal]
            named = {text for text in ids(told_now) if text in deck}
            # What a step shows of the round before it, it may: the last trick's cards and the bids that were made.
            if not any(event["type"] == "roundStarted" for event in moment.events):
                assert named <= may, (viewer, state.phase, named - may)


@some_games
@given(STARTS, st.integers(0, 2**32))
def test_r8_4_1_digests_replay_from_any_point(start: Start, chance: int) -> None:
    """Also through JSON text in the middle of a round."""
    played = [*moments(start, chance)]
    rng = Random(chance)
    at = rng.randrange(len(played))
    state = GAME.load(json.loads(codec.canonical(played[at].state)))
    for moment in played[at + 1 :]:
        what = moment.what
        assert what is not None
        if what.action is not None:
            step = GAME.apply(state, what.who or "", what.action, what.at)
        elif what.left:
            step = GAME.presence(state, what.who or "", "left", what.at)
        else:
            step = GAME.timeout(state, what.at)
        state = step.state  # type: ignore[union-attr]
        assert codec.digest(state) == codec.digest(moment.state)
