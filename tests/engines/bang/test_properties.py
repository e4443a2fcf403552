"""What holds in every game, whatever the options, head count, seed and play: the state machine as a whole.

``HANPAN_SOAK=10000`` plays that many games instead of a sample. Everything that a room can put in is put in: legal
actions of anybody who has one, deadlines that pass, players who go away, come back, leave.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from engines.bang import GAME
from engines.bang.cards import BLUE, CARDS, KIND, WEAPONS
from engines.bang.characters import CHARACTERS
from engines.bang.deal import roles
from engines.bang.legal import MOST
from engines.bang.saved import cards_of
from engines.bang.state import Choose2, Dying, KitKeep, LuckyPick, Reaction, Shot, State, Store
from engines.kernel import codec
from engines.kernel.codec import options_schema
from engines.kernel.contract import Action, Event, PlayerId, Presence, Rejected, Step
from engines.kernel.legal import matches
from tests.engines.bang.positions import SOLO, position
from tests.engines.play import Start, askable, begin, ok, random_start

SAMPLE = int(os.environ.get("HANPAN_SOAK", "40"))
MOST_INPUTS = 3_000  # where everybody has left, a game need not end (BG-50); random play still acts for them

pytestmark = pytest.mark.timeout(max(120, SAMPLE))


class Input(msgspec.Struct, frozen=True):
    """One line of a log: an action, a change of presence, or, of nobody, a timeout."""

    at: int
    who: PlayerId | None = None
    action: Action | None = None
    status: Presence | None = None


class Moment(msgspec.Struct, frozen=True):
    """One step of a game: what was put in (None: the setup), and what came of it."""

    what: Input | None
    state: State
    events: tuple[Event, ...]


def put_in(state: State, what: Input) -> Step[State] | Rejected:
    if what.who is None:
        return GAME.timeout(state, what.at)
    if what.status is not None:
        return GAME.presence(state, what.who, what.status, what.at)
    assert what.action is not None
    return GAME.apply(state, what.who, what.action, what.at)


def any_input(state: State, players: tuple[PlayerId, ...], now: int, rng: Random) -> Input:
    """Mostly somebody's legal action; half the time its kind is chosen first, so that long lists crowd out nothing."""
    chance, due = rng.random(), GAME.deadline(state)
    if chance < 0.003:
        return Input(now, rng.choice(players), status="left")
    if chance < 0.03:
        return Input(now, rng.choice(players), status=rng.choice(("offline", "online")))
    if chance < 0.08 and due is not None:
        return Input(max(now, due))
    who, legal = rng.choice(list(askable(GAME, state, players).items()))
    if rng.random() < 0.5:
        return Input(now, who, rng.choice(legal))
    kind = rng.choice(sorted({action["type"] for action in legal}))
    return Input(now, who, rng.choice([action for action in legal if action["type"] == kind]))


def game(salt: str, n: int) -> tuple[Start, Iterator[Moment], Random]:
    """The nth random game: any options, any head count."""
    rng = Random(f"bang/{salt}/{n}")
    start = random_start(GAME, rng)
    return start, moments(start, rng), rng


def moments(start: Start, rng: Random) -> Iterator[Moment]:
    step, now = ok(begin(GAME, start)), start.at
    yield Moment(None, step.state, step.events)
    for _ in range(MOST_INPUTS):
        if step.state.winner is not None:
            return
        what = any_input(step.state, start.players, now + rng.randint(0, 9_000), rng)
        now, step = what.at, ok(put_in(step.state, what))
        yield Moment(what, step.state, step.events)
    raise AssertionError(f"no end after {MOST_INPUTS} inputs: {start}")


# ---------------------------------------------------------------- the state machine


def test_s10_random_games_over_all_options_and_head_counts() -> None:
    """80 cards, never stuck, always an end, one team wins; the same log is the same game, from a saved state too."""
    seen: Counter[str] = Counter()
    for n in range(SAMPLE):
        start, played, rng = game("machine", n)
        log: list[tuple[Input | None, str]] = []
        before: State | None = None
        for moment in played:
            state = moment.state
            sound(state)
            going(state, start.players)
            if before is not None:
                follows(before, moment)
            log.append((moment.what, codec.digest(state)))
            note(seen, start, moment)
            before = state
        assert before is not None
        finished(before)
        replay(start, log, rng.randrange(len(log)))
    everything_was_there(seen)


def sound(state: State) -> None:
    """What is true of any moment: cards, lives, equipment, windows, and who has won."""
    assert sorted(cards_of(state)) == list(range(80))
    living = [player for player in state.players if player.alive]
    dying = {window.player for window in state.reactions if isinstance(window, Dying)}
    for player in state.players:
        if not player.alive:
            assert not player.hand
            assert not player.in_play
            assert player.life <= 0
            continue
        assert player.life <= player.max_life
        if state.turn.phase != "setup" and state.winner is None:  # BG-9: one may be dying when it is over
            assert (player.life <= 0) == (player.id in dying)
        lying = [KIND[card] for card in player.in_play]
        assert BLUE.issuperset(lying)
        assert max(Counter(lying).values(), default=0) <= 1
        assert sum(kind in WEAPONS for kind in lying) <= 1
        assert not (player.role == "sheriff" and "jail" in lying)
    names = [player.id for player in living]
    for window in state.reactions:
        assert window.asked in names
        nested(state, window)
    assert state.winner == who_has_won([player.role for player in living])
    assert list(state.death_order) == sorted({p.id for p in state.players} - {*names}, key=state.death_order.index)
    assert (state.turn.paused_at is not None) == bool(state.reactions)


def nested(state: State, window: Reaction) -> None:
    """What may lie in what: of one player's windows only a 럭키 pick has another below it, the shot it is for."""
    own = [one for one in state.reactions if one.asked == window.asked]
    assert len(own) <= 2
    if len(own) == 2:
        outer, inner = own
        assert isinstance(outer, Shot)
        assert isinstance(inner, LuckyPick)
        assert inner.purpose == "barrel"
    if isinstance(window, Store | KitKeep) or (isinstance(window, LuckyPick) and window.purpose != "barrel"):
        assert len(state.reactions) == 1
    if isinstance(window, Choose2):
        assert state.turn.phase == "setup"


def who_has_won(living: list[str]) -> str | None:
    """Section 6, as it is written."""
    if "sheriff" in living:
        return None if {"outlaw", "renegade"} & {*living} else "law"
    return "renegade" if living == ["renegade"] else "outlaws"


def going(state: State, players: tuple[PlayerId, ...]) -> None:
    """Either it is over, or somebody can do something and there is a deadline; whoever is asked can answer."""
    asked, due = askable(GAME, state, players), GAME.deadline(state)
    if state.winner is not None:
        assert (asked, due, GAME.result(state) is None) == ({}, None, False)
        return
    assert asked
    assert due is not None
    waited_for = {window.asked for window in state.reactions} or {state.turn.player}
    healers = {player for player, legal in asked.items() if {action["type"] for action in legal} == {"sidHeal"}}
    assert asked.keys() - healers == waited_for
    assert healers <= {state.turn.player}  # BG-2: 시드 in his own play phase, while others are asked


def follows(before: State, moment: Moment) -> None:
    """What one step may and may not change."""
    state, types = moment.state, [event["type"] for event in moment.events]
    assert state.options is before.options or state.options == before.options
    assert state.death_order[: len(before.death_order)] == before.death_order
    dead = len(state.death_order) - len(before.death_order)
    assert types.count("eliminated") == types.count("roleRevealed") == dead
    for old, new in zip(before.players, state.players, strict=True):
        assert (new.id, new.seat, new.role) == (old.id, old.seat, old.role)
        assert old.character in (None, new.character)
        if old.character is not None and not new.hand and new.alive and CHARACTERS[old.character].draws_when_empty:
            # BG-22, BG-24: 수지's hand is empty only where there was nothing to draw.
            assert not old.hand or len(before.deck) + len(before.discard) <= 3
    if state is before:
        assert not moment.events
    else:
        assert moment.events
    if "turnStarted" not in types:
        assert state.turn.bangs_played - before.turn.bangs_played in (0, 1)


def finished(state: State) -> None:
    """One team has won, the dead of it too, and everybody is ranked: winners first, of each the longer-lived first."""
    result = GAME.result(state)
    assert result is not None
    sides = {"sheriff": "law", "deputy": "law", "outlaw": "outlaws", "renegade": "renegade"}
    assert {sides[row["role"]] for row in result["players"] if row["won"]} == {result["winnerTeam"]}
    assert all(row["won"] == (sides[row["role"]] == result["winnerTeam"]) for row in result["players"])
    assert [row["rank"] for row in result["ranking"]] == list(range(1, len(state.players) + 1))
    of = {row["id"]: row for row in result["players"]}
    keys = [(not (r := of[row["player"]])["won"], -(r["deathOrder"] or 99)) for row in result["ranking"]]
    assert keys == sorted(keys)
    dealt = Counter(row["role"] for row in result["players"])
    assert dealt == Counter(roles(state.options, len(state.players)))


def replay(start: Start, log: list[tuple[Input | None, str]], saved: int) -> None:
    """From the beginning, every input through JSON; once the state too, somewhere in the middle."""
    step = ok(begin(GAME, start))
    for number, (what, expected) in enumerate(log):
        if what is not None:
            again = msgspec.convert(json.loads(codec.canonical(what)), Input)
            step = ok(put_in(step.state, again))
        assert codec.digest(step.state) == expected
        if number == saved:
            step = Step(GAME.load(json.loads(codec.canonical(step.state))), ())


def note(seen: Counter[str], start: Start, moment: Moment) -> None:
    """What a game has shown."""
    seen.update(event["type"] for event in moment.events)
    seen.update(type(window).__name__ for window in moment.state.reactions)
    seen.update(player.character for player in moment.state.players if player.character is not None)
    if moment.what is None:
        seen[f"{len(start.players)} players"] += 1
        seen.update(f"{name}={value}" for name, value in start.options.items())
    if moment.state.winner is not None:
        seen[f"won by {moment.state.winner}"] += 1
    if sum(isinstance(window, Dying) for window in moment.state.reactions) > 1:
        seen["two dying"] += 1


def everything_was_there(seen: Counter[str]) -> None:
    """The games went everywhere: every option's choices, head count, character, window, winner and kind of event."""
    for name, about in options_schema(GAME.Options)["properties"].items():
        for value in about["enum"]:
            assert seen[f"{name}={value}"], (name, value)
    expected = {*CHARACTERS, "two dying"} | {f"{count} players" for count in range(4, 8)}
    expected |= {"Shot", "Indians", "Duel", "Store", "Dying", "LuckyPick", "KitKeep", "Choose2"}
    expected |= {f"won by {team}" for team in ("law", "outlaws", "renegade")}
    expected |= {"dynamiteExploded", "dynamitePassed", "jailEscaped", "turnSkipped", "penalty", "looted", "saved"}
    expected |= {"cardShown", "discardTaken", "lookedAt", "healedByDiscard", "reshuffled", "playedFor", "playerBack"}
    assert not expected - seen.keys()


# ---------------------------------------------------------------- the legal list


def test_s8_2_the_legal_list_is_all_that_apply_takes() -> None:
    """Every action there could be, tried at moments of random games: accepted where it is listed, else refused."""
    for n in range(max(8, SAMPLE // 20)):
        start, played, rng = game("legal", n)
        for moment in played:
            if rng.random() < 0.06:
                for player in start.players:
                    compare(moment.state, player, rng)


def compare(state: State, player: PlayerId, rng: Random) -> None:
    legal = GAME.legal(state, player)
    before = codec.digest(state)
    for action in imaginable(state, player, rng):
        answer = GAME.apply(state, player, action, 10**6)
        listed = matches(legal, action)
        assert isinstance(answer, Rejected) != listed, (action, answer if not listed else None)
    assert codec.digest(state) == before


def imaginable(state: State, player: PlayerId, rng: Random) -> Iterator[Action]:
    """Plays of every card of the hand and two others, as anything, at anybody, at any card; sets of cards of all sizes.

    Sets are asked for in the order of the hand, as they are listed (BG-43 makes their order matter).
    """
    found = next(one for one in state.players if one.id == player)
    names = [None, "nobody", *(one.id for one in state.players)]
    strangers = rng.sample([card.id for card in CARDS if card.id not in found.hand], 2)
    hand = [*rng.sample(found.hand, min(6, len(found.hand))), strangers[0]]
    lying = [card for one in state.players for card in one.in_play]
    for card in hand:
        yield {"type": "storePick", "cardId": card}
        yield {"type": "luckyPick", "cardId": card}
        for target in names:
            for at in (None, "hand", strangers[1], *rng.sample(lying, min(2, len(lying)))):
                for played_as in (None, "bang") if at is None else (None,):
                    full = {"type": "play", "cardId": card, "as": played_as, "target": target, "targetCard": at}
                    yield {name: value for name, value in full.items() if value is not None}
        yield {"type": "play", "cardId": card, "as": "missed"}
    for size in range(5):
        for _ in range(3):
            cards = [card for card in found.hand if card in rng.sample(found.hand, min(size, len(found.hand)))]
            if len(found.hand) < 12:  # beyond, a list is a part of all sets: MOST
                for kind, field in (("respond", "cardIds"), ("discard", "cardIds"), ("sidHeal", "cardIds")):
                    yield {"type": kind, field: cards}
            yield {"type": "kitKeep", "keep": cards}
    for window in state.reactions:
        if isinstance(window, KitKeep | LuckyPick):
            yield {"type": "kitKeep", "keep": list(window.options[:2])}
            yield {"type": "kitKeep", "keep": list(window.options)}
            yield {"type": "luckyPick", "cardId": window.options[-1]}
        if isinstance(window, Store):
            yield {"type": "storePick", "cardId": window.revealed[-1]}
    for name in names:
        yield {"type": "draw", **({} if name is None else {"jesseFrom": name})}
    yield {"type": "draw", "pedroDiscard": True}
    yield {"type": "draw", "pedroDiscard": True, "jesseFrom": state.players[0].id}
    for kind in ("useBarrel", "takeHit", "giveUp", "endPlay"):
        yield {"type": kind}
    for character in CHARACTERS:
        yield {"type": "pickCharacter", "character": character}


def test_a_list_of_sets_is_never_longer_than_people_can_look_at() -> None:
    """Of a hand too big to write out all sets, `MOST` of them, all different, and every card in some of them."""
    dump = GAME.dump(position("sheriff bart 1: beer beer", *SOLO, phase="discard"))
    for size in (10, 14, 40):
        big = json.loads(json.dumps(dump))
        big["players"][0]["hand"] += big["deck"][: size - 2]
        big["deck"] = big["deck"][size - 2 :]
        legal = GAME.legal(GAME.load(big), "A")
        sets = {tuple(action["cardIds"]) for action in legal}
        assert len(sets) == len(legal) <= MOST
        assert {card for cards in sets for card in cards} == set(big["players"][0]["hand"])
        for action in legal[:: len(legal) // 8 or 1]:
            assert not isinstance(GAME.apply(GAME.load(big), "A", action, 0), Rejected)
