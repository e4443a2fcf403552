"""The contract every game passes, over the whole catalogue: the seven points of the project's style, a test each.

``HANPAN_SOAK=10000`` plays that many games instead of a sample.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest

from engines.catalog import GAMES
from engines.kernel import codec
from engines.kernel.contract import Action, Game, Rejected
from engines.kernel.legal import choices, is_range, matches, sample
from tests.engines.audits import AUDITS, Audit
from tests.engines.play import Moment, Start, askable, begin, do, ok, play, random_start, told

SAMPLE = int(os.environ.get("HANPAN_SOAK", "30"))

pytestmark = pytest.mark.timeout(max(120, SAMPLE))


@pytest.fixture(params=sorted(GAMES), scope="module")  # one game after the other, each with all that is asked of it
def game(request: pytest.FixtureRequest) -> Game[Any]:
    return GAMES[request.param]


@pytest.fixture
def audit(game: Game[Any]) -> Audit:
    assert game.id in AUDITS, f"{game.id} has no Audit in tests/engines/audits.py"
    return AUDITS[game.id]


def games(
    game: Game[Any], audit: Audit, salt: str, number: int = SAMPLE
) -> Iterator[tuple[Start, Sequence[Moment], Random]]:
    """Random games over all options and head counts, each with a chance of the test's own."""
    for n in range(number):
        start, moments = random_game(game, n, audit.most_moves)
        yield start, moments, Random(f"{game.id}/{salt}/{n}")


@lru_cache(maxsize=30)
def random_game(game: Game[Any], n: int, most_moves: int) -> tuple[Start, Sequence[Moment]]:
    """The same for all tests that look at it: moments do not change, and playing costs as much as looking."""
    rng = Random(f"{game.id}/{n}")
    start = random_start(game, rng)
    return start, tuple(play(game, start, rng, most_moves))


def some(moments: Sequence[Moment], rng: Random) -> Iterator[Moment]:
    """One moment in five, for what is slow to look at. Many games show more than many moments of one."""
    return (moment for moment in moments if rng.random() < 0.2)


def test_0_the_game_says_who_it_is(game: Game[Any]) -> None:
    """Id, title, head count, minutes; and options a form can be made from: Korean labels, choices, defaults."""
    assert re.fullmatch(r"[a-z0-9-]+", game.id)
    assert korean(game.title)
    assert 1 <= game.min_players <= game.max_players
    assert 0 < game.minutes[0] <= game.minutes[1]
    schema = codec.options_schema(game.Options)
    assert schema["additionalProperties"] is False
    for name, option in schema["properties"].items():
        assert option["title"], name
        assert option["default"] in option["enum"], name
        assert [one["const"] for one in option["oneOf"]] == option["enum"], name
        assert all(one["title"] for one in option["oneOf"]), name
        assert isinstance(option["x-house"], bool), name
    assert json.loads(json.dumps(schema)) == schema


def test_0_bad_beginnings_are_refused(game: Game[Any]) -> None:
    """Options that do not fit, and tables that are too small, too big or have one player twice."""
    seed, enough = bytes(32), "ABCDEFGHIJKLMNOP"[: game.min_players]
    junk: tuple[Any, ...] = ({"noSuchOption": 1}, {"": None}, [], "x", None, 7)
    for options in junk:
        assert refused(game.setup(options, enough, seed, 0)) == "bad_options"
    for name, about in codec.options_schema(game.Options)["properties"].items():
        values: tuple[Any, ...] = ("no such choice", -1, True, None, [], {}, 2.5)
        for value in values:
            if any(value is one for one in about["enum"]):  # a switch is on or off
                continue
            assert refused(game.setup({name: value}, enough, seed, 0)) == "bad_options"
    too_many = [f"p{n}" for n in range(game.max_players + 1)]
    for players in ([], list(enough[:-1]), too_many, ["A"] * game.min_players):
        assert refused(game.setup({}, players, seed, 0)) == "bad_players"


def test_1_every_legal_action_is_accepted_and_others_are_refused(game: Game[Any], audit: Audit) -> None:
    """And a refused one leaves the state the same."""
    for start, moments, rng in games(game, audit, "legal", SAMPLE // 2):
        for moment in moments:
            state, before = moment.state, codec.digest(moment.state)
            asked = askable(game, state, start.players)
            for player, legal in asked.items():
                for listed in legal:
                    for action in sampled(listed, rng):
                        assert matches([listed], action)
                        assert not isinstance(game.apply(state, player, action, moment.now), Rejected), action
                for junk in (*JUNK, *mutations(rng.choice(legal), legal, rng)):
                    refused(game.apply(state, player, junk, moment.now))
            for outsider in {*start.players, "nobody"} - asked.keys():
                for legal in asked.values():
                    refused(game.apply(state, outsider, sample(legal, rng), moment.now))
            assert codec.digest(state) == before


JUNK: tuple[Any, ...] = ({}, [], None, "play", 7, {"type": None}, {"type": "noSuchAction"}, {"type": {"type": []}})


def sampled(listed: Action, rng: Random) -> Iterator[Action]:
    """All that one listed action stands for where they are few, else some, the ends of each range among them."""
    wide = {name: v for name, v in listed.items() if is_range(v) and v["max"] - v["min"] > 4}
    if not wide:
        yield from islice(choices(listed), 50)
        return
    for pick in ("min", "max", "any"):
        yield {
            n: (v[pick] if pick != "any" else rng.randint(v["min"], v["max"])) if n in wide else v
            for n, v in listed.items()
        }


def mutations(listed: Action, legal: list[Action], rng: Random) -> Iterator[Any]:
    """Actions near a legal one that are not legal."""
    action = sample([listed], rng)
    yield {**action, "noSuchField": 1}
    for name, value in action.items():
        for wrong in (None, "no such value", -1, 10**9, 0.5, True, [], {}, [value], {"min": 0, "max": 9}):
            changed = {**action, name: wrong}
            if not matches(legal, changed):
                yield changed
        missing = {other: kept for other, kept in action.items() if other != name}
        if not matches(legal, missing):
            yield missing


def test_2_random_play_ends_with_a_result(game: Game[Any], audit: Audit) -> None:
    """Within the game's bound (which `play` watches); everyone is ranked and somebody has won."""
    for start, moments, _ in games(game, audit, "ends"):
        *_, last = moments
        result = game.result(last.state)
        assert result is not None
        assert {row["player"] for row in result["ranking"]} == set(start.players)
        assert set(result["winner"]) <= set(start.players)
        assert korean(result["summary"])
        assert game.view(last.state, None)["result"] == result


def test_3_cards_and_chips_are_conserved(game: Game[Any], audit: Audit) -> None:
    """At every step there is exactly what there was at the start."""
    for _, moments, _ in games(game, audit, "conserved"):
        there = {audit.conserved(game.dump(moment.state)) for moment in moments}
        assert len(there) == 1


def test_4_two_worlds_look_the_same(game: Game[Any], audit: Audit) -> None:
    """A viewer from whom the worlds' difference is hidden has equal views, is told the same, may do the same."""
    for start, moments, rng in games(game, audit, "worlds"):
        for moment in some(moments, rng):
            viewer = rng.choice((None, *start.players))
            here = game.dump(moment.state)
            try:
                there = game.load(audit.other_world(here, viewer, rng, None))
            except ValueError:  # a world that cannot be, such as one whose current player cannot move
                continue
            assert game.view(there, viewer) == game.view(moment.state, viewer)
            if viewer is not None:
                assert game.legal(there, viewer) == game.legal(moment.state, viewer)
            elsewhere_too(game, audit, moment, start, viewer, rng)


def elsewhere_too(game: Game[Any], audit: Audit, moment: Moment, start: Start, viewer: str | None, rng: Random) -> None:
    """One step of another player, in both worlds."""
    asked = askable(game, moment.state, start.players)
    asked.pop(viewer or "", None)
    if not asked:
        return
    who, legal = rng.choice(list(asked.items()))
    action = sample(legal, rng)
    there = game.load(audit.other_world(game.dump(moment.state), viewer, rng, action))
    one = ok(game.apply(moment.state, who, action, moment.now))
    two = ok(game.apply(there, who, action, moment.now))
    seen_one, seen_two = told(one.events, viewer), told(two.events, viewer)
    revealed = next((i for i, event in enumerate(seen_one) if event["type"] in audit.revealing), None)
    if revealed is None:
        assert seen_two == seen_one
        assert game.view(two.state, viewer) == game.view(one.state, viewer)
    else:
        assert seen_two[: revealed + 1] == seen_one[: revealed + 1]


def test_4_no_view_or_event_names_the_generator(game: Game[Any], audit: Audit) -> None:
    """Neither the seed, in hex or base64, nor anything called so."""
    for start, moments, _ in games(game, audit, "seed", 5):
        seeds = (start.seed, codec.canonical(Seed(bytes.fromhex(start.seed))).decode().split('"')[3])
        for moment in moments:
            said = json.dumps([game.view(moment.state, v) for v in (None, *start.players)] + list(moment.events))
            assert not any(word in said for word in (*seeds, '"rng"', '"seed"', '"counter"'))


class Seed(msgspec.Struct):
    """To see a seed as it stands in a dump."""

    seed: bytes


def test_5_what_crosses_the_border_is_plain_json(game: Game[Any], audit: Audit) -> None:
    """Views, events, legal actions and results come back from JSON text as they were."""
    for start, moments, rng in games(game, audit, "json"):
        for moment in some(moments, rng):
            views = [game.view(moment.state, viewer) for viewer in (None, *start.players)]
            said = [views, list(moment.events), askable(game, moment.state, start.players), game.result(moment.state)]
            assert json.loads(json.dumps(said)) == said


def test_5_states_survive_dump_and_load(game: Game[Any], audit: Audit) -> None:
    """As JSON text too; and the dump is the canonical bytes, read back."""
    for _, moments, rng in games(game, audit, "dump"):
        for moment in some(moments, rng):
            dump = game.dump(moment.state)
            assert dump == json.loads(codec.canonical(moment.state))
            assert game.load(json.loads(json.dumps(dump))) == moment.state
            assert codec.canonical(game.load(dump)) == codec.canonical(moment.state)


def test_5_a_log_replays_to_the_same_digests(game: Game[Any], audit: Audit) -> None:
    """From seed, options, players and what was put in, through JSON; also going on from a saved state half-way."""
    for start, moments, rng in games(game, audit, "replay"):
        log = [(moment.what, codec.digest(moment.state)) for moment in moments]
        step = ok(begin(game, start))
        assert codec.digest(step.state) == log[0][1]
        saved = rng.randrange(len(log))
        for number, (what, expected) in enumerate(log[1:]):
            assert what is not None
            state = game.load(game.dump(step.state)) if number == saved else step.state
            again = json.loads(codec.canonical(what))
            step = ok(do(game, state, msgspec.convert(again, type(what))))
            assert codec.digest(step.state) == expected


def test_6_never_stuck_and_over_when_over(game: Game[Any], audit: Audit) -> None:
    """Always a result, or a deadline and someone with a legal action; after the result nothing more happens."""
    for start, moments, rng in games(game, audit, "stuck"):
        for moment in moments:
            asked = askable(game, moment.state, start.players)
            if game.result(moment.state) is None:
                assert asked
                assert game.deadline(moment.state) is not None
                last = sample(rng.choice(list(asked.values())), rng)
                continue
            assert not asked
            assert game.deadline(moment.state) is None
            for player in start.players:
                refused(game.apply(moment.state, player, last, moment.now))
                assert game.presence(moment.state, player, "left", moment.now).state is moment.state
            assert game.timeout(moment.state, moment.now + 10**9).state is moment.state


def test_7_a_timeout_moves_the_game_on(game: Game[Any], audit: Audit) -> None:
    """Not a millisecond early; at the deadline once, after which a later one is open, or the game is over.

    That a game of timeouts alone ends is not asked: what a document plays for the absent may go on for very long.
    """
    for start, _, _ in games(game, audit, "timeout", SAMPLE // 4):
        state = ok(begin(game, start)).state
        for _ in range(300):
            due = game.deadline(state)
            if due is None:
                assert game.result(state) is not None
                break
            assert game.timeout(state, due - 1).state is state
            moved = game.timeout(state, due)
            assert moved.state != state
            assert moved.events
            state, later = moved.state, game.deadline(moved.state)
            assert later is None or later > due


def test_8_the_bot_plays_from_its_view(game: Game[Any], audit: Audit) -> None:
    """Whole games of bots: every choice is a legal one, with no range left open."""
    for start, _, rng in games(game, audit, "bots", SAMPLE // 4):
        state = ok(begin(game, start)).state
        for now in range(audit.most_moves):
            asked = askable(game, state, start.players)
            if not asked:
                break
            for player in rng.sample(list(asked), len(asked)):
                view = json.loads(json.dumps(game.view(state, player)))
                if (action := game.bot(view, asked[player], rng)) is not None:
                    break
            else:
                raise AssertionError("nobody wants to do anything, and nobody has to")
            assert matches(asked[player], action), action
            state = ok(game.apply(state, player, action, now)).state
        assert game.result(state) is not None


def refused(answer: object) -> str:
    """The refusal's code; it must be one, in snake_case, with a Korean sentence."""
    assert isinstance(answer, Rejected), answer
    assert re.fullmatch(r"[a-z0-9_]+", answer.code)
    assert korean(answer.message)
    return answer.code


def korean(text: str) -> bool:
    return bool(re.search("[가-힣]", text))
