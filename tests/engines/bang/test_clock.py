"""Deadlines, what is played when they pass, who is away (8.5)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.bang import GAME
from engines.bang.clock import AWAY_MS
from engines.bang.state import State
from engines.bang.table import BOT_MS
from tests.engines.bang.positions import (
    NOW,
    SOLO,
    act,
    hit,
    in_front,
    kinds,
    life,
    new,
    one,
    play,
    position,
    respond,
    seat,
    told,
    windows,
)

OFF = {"autoDefend": "off"}


def due(state: State) -> int:
    deadline = GAME.deadline(state)
    assert deadline is not None
    return deadline


def late(state: State) -> Any:
    """The deadline passes."""
    return GAME.timeout(state, due(state))


# ---------------------------------------------------------------- turns


@pytest.mark.parametrize("seconds", [30, 60, 90, 120])
def test_s2_turn_seconds(seconds: int) -> None:
    """One clock for the whole turn, from its start."""
    state = new(turnSeconds=seconds)
    assert due(state) == NOW + seconds * 1000
    drawn = act(state, state.turn.player, "draw", now=NOW + 500).state
    if not drawn.reactions:
        assert due(drawn) == NOW + seconds * 1000


def test_s10_the_turn_times_out() -> None:
    """endPlay, then random cards that are too many are discarded, and the next turn has its own time."""
    state = position("sheriff bart 2: bang bang duel beer", *SOLO)
    step = late(state)
    assert told(step.events, "timedOut", "mustDiscard", "cardsDiscarded", "turnStarted") == [
        "timedOut",
        "mustDiscard",
        "timedOut",
        "cardsDiscarded",
        "turnStarted",
    ]
    assert len(kinds(step.state, "A")) == 2
    assert (step.state.turn.player, due(step.state)) == ("B", NOW + 120_000)


def test_s8_4_what_is_discarded_for_one_is_drawn_by_lot() -> None:
    """Over some states of the generator every card of the hand stays at some time."""
    stays = set()
    for counter in range(30):
        dump = GAME.dump(position("sheriff bart 1: bang duel beer saloon", *SOLO))
        dump["rng"]["counter"] = counter
        stays.update(kinds(late(GAME.load(dump)).state, "A"))
    assert stays == {"bang", "duel", "beer", "saloon"}


def test_s8_5_in_the_draw_phase_two_are_drawn_and_the_turn_is_over() -> None:
    """제시 and 페드로 use no ability; 킷 has no question; 블랙 잭 shows his card, which is no choice."""
    for who, more in (("jesse:", {}), ("pedro:", {"discard": "saloon"}), ("kit:", {}), ("bart:", {})):
        others = ("outlaw paul: bang", "outlaw rose: bang", "renegade sid: bang")
        state = position(f"sheriff {who}", *others, phase="draw", deck="beer duel panic", **more)  # type: ignore[arg-type]
        step = late(state)
        assert (kinds(step.state, "A"), step.state.turn.player) == (["beer", "duel"], "B")
    jack = late(position("sheriff blackJack:", *SOLO, phase="draw", deck="beer 7♦ panic"))
    assert len(kinds(jack.state, "A")) == 3
    assert one(jack.events, "cardShown")["player"] == "A"


def test_not_before_the_deadline() -> None:
    """A millisecond early nothing happens."""
    state = position("sheriff bart:", *SOLO)
    assert GAME.timeout(state, due(state) - 1).state is state


# ---------------------------------------------------------------- windows


@pytest.mark.parametrize("seconds", [8, 15, 25])
def test_s2_reaction_seconds(seconds: int) -> None:
    """Each window by itself, from its opening."""
    state = position("sheriff bart: bang", *SOLO, options={"reactionSeconds": seconds})
    assert due(play(state, "bang", "D").state) == NOW + seconds * 1000


def test_bg_48_the_turns_clock_stands_still_while_a_window_is_open() -> None:
    """Ten seconds of waiting are given back; and so over two windows that follow each other."""
    state = position("sheriff bart: bang", "outlaw paul:", "outlaw rose:", "renegade kit 1: beer")
    state = play(state, "bang", "D").state
    state = act(state, "D", "takeHit", now=NOW + 6_000).state
    assert due(state) == NOW + 6_000 + 15_000
    state = respond(state, "D", "beer", now=NOW + 10_000).state
    assert due(state) == NOW + 60_000 + 10_000
    assert state.turn.paused_at is None


def test_s10_auto_defend_plays_the_missed() -> None:
    """When the time is up; off: the hit is taken."""
    seats = ("sheriff bart: bang", "outlaw sid: missed bang", "outlaw paul:", "renegade kit:")
    assert life(late(play(position(*seats), "bang", "B").state).state, "B") == 4
    assert life(late(play(position(*seats, options=OFF), "bang", "B").state).state, "B") == 3


def test_s8_5_auto_defend_against_indians_and_duel() -> None:
    """One 뱅!; none: the hit. Off: the hit."""
    for name, target in (("indians", None), ("duel", "B")):
        seats = (f"sheriff bart: {name} bang", "outlaw sid: bang", "outlaw paul:", "renegade kit:")
        with_bang = late(play(position(*seats), name, target).state).state
        assert life(with_bang, "B") == 4
        assert kinds(with_bang, "B") == []
        off = late(play(position(*seats, options=OFF), name, target).state).state
        assert (life(off, "B"), kinds(off, "B")) == (3, ["bang"])
    bare = position("sheriff bart: duel", "outlaw sid: missed", "outlaw paul:", "renegade kit:")
    assert life(late(play(bare, "duel", "B").state).state, "B") == 3


def test_s8_5_calamity_is_defended_with_either_her_own_first() -> None:
    """빗나감! against a 뱅!, 뱅! in a duel; the other kind where that is all she has."""
    for hand, kept in (("bang missed", ["bang"]), ("bang", [])):
        state = position("sheriff bart: bang", f"outlaw calamity: {hand}", "outlaw paul:", "renegade kit:")
        assert kinds(late(play(state, "bang", "B").state).state, "B") == kept
    state = position("sheriff bart: duel bang", "outlaw calamity: missed bang", "outlaw paul:", "renegade kit:")
    assert kinds(late(play(state, "duel", "B").state).state, "B") == ["missed"]


def test_bg_27_auto_defend_spends_nothing_that_does_not_help() -> None:
    """One 빗나감! against 슬랩 stays in the hand."""
    state = position("sheriff slab: bang", "outlaw sid: missed", "outlaw paul:", "renegade kit:")
    after = late(play(state, "bang", "B").state).state
    assert (life(after, "B"), kinds(after, "B")) == (3, ["missed"])
    two = position("sheriff slab: bang", "outlaw sid: missed missed", "outlaw paul:", "renegade kit:")
    assert life(late(play(two, "bang", "B").state).state, "B") == 4


def test_bg_29_at_the_deadline_barrels_come_first() -> None:
    """With autoBarrel off too: real one, ability, then the cards; with autoDefend off none of it."""
    seats = ("sheriff bart: bang", "outlaw jourdonnais: missed / barrel", "outlaw paul:", "renegade kit:")
    manual = {"autoBarrel": "off"}
    step = late(play(position(*seats, deck="Q♦ K♦", options=manual), "bang", "B").state)
    assert told(step.events, "checked", "responded") == ["checked", "checked", "responded"]
    lucky = late(play(position(*seats, deck="Q♦ K♥", options=manual), "bang", "B").state)
    assert kinds(lucky.state, "B") == ["missed"]
    off = late(play(position(*seats, deck="Q♥", options=manual | OFF), "bang", "B").state)
    assert (told(off.events, "checked"), life(off.state, "B")) == ([], 3)


def test_s8_5_lucky_picks_what_succeeds() -> None:
    """The heart; of a dynamite's two the one that is no ♠2-9; else the first (BG-30)."""
    shot = position("sheriff bart: bang", "outlaw lucky: / barrel", "outlaw paul:", "renegade kit:", deck="Q♦ Q♥")
    assert late(play(shot, "bang", "B").state).state.reactions == ()
    blast = position("sheriff bart:", "outlaw lucky: / dynamite", "outlaw paul:", "renegade kit:", deck="5♠ 10♠")
    after = late(act(blast, "A", "endPlay").state).state
    assert (life(after, "B"), in_front(after, "C")) == (4, ["dynamite"])
    both = position("sheriff bart:", "outlaw lucky: / dynamite", "outlaw paul:", "renegade kit:", deck="5♠ 6♠")
    assert life(late(act(both, "A", "endPlay").state).state, "B") == 1


def test_s8_5_kit_keeps_the_top_two() -> None:
    """The third goes back."""
    others = ("outlaw paul: bang", "outlaw rose: bang", "renegade sid: bang")
    state = act(position("sheriff kit:", *others, phase="draw", deck="beer duel panic"), "A", "draw").state
    after = late(state).state
    assert (kinds(after, "A"), windows(after), after.turn.player) == (["beer", "duel"], [], "A")


def test_s8_5_the_dying_are_saved_where_they_can_be() -> None:
    """By 맥주; not with two left; else given up."""
    state = position("sheriff bart: bang", "outlaw sid:", "outlaw paul:", "renegade kit 1: beer")
    assert life(late(hit(play(state, "bang", "D").state, "D").state).state, "D") == 1
    bare = position("sheriff bart: bang", "outlaw sid:", "outlaw paul:", "renegade kit 1: bang")
    assert not seat(late(hit(play(bare, "bang", "D").state, "D").state).state, "D").alive
    two = position("sheriff bart: bang", "dead outlaw sid:", "dead outlaw paul:", "renegade kit 1: beer")
    assert late(hit(play(two, "bang", "D").state, "D").state).state.winner == "law"


def dying(hand: str, who: str = "sid") -> State:
    """B is at −1."""
    seats = ("sheriff bart:", f"outlaw {who} 2: {hand} / dynamite", "outlaw paul:", "renegade kit:")
    return act(position(*seats, deck="5♠"), "A", "endPlay").state


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("beer beer bang", ["bang"]),
        ("beer bang duel", []),
        ("bang duel panic saloon", []),
        ("duel bang beer panic", ["duel"]),
    ],
)
def test_bg_5_dying_sid_has_a_plan(hand: str, left: list[str]) -> None:
    """맥주 first as far as they go, pairs of other cards in id order for the rest."""
    after = late(dying(hand)).state
    assert (life(after, "B"), kinds(after, "B")) == (1, left)


@pytest.mark.parametrize("hand", ["beer bang", "bang duel panic", "beer"])
def test_bg_5_without_a_plan_nothing_is_spent(hand: str) -> None:
    """He gives up, and what he held is discarded with him, untouched."""
    step = late(dying(hand))
    assert told(step.events, "responded", "healedByDiscard", "eliminated") == ["eliminated"]
    assert sorted(one(step.events, "cardsDiscarded")["cards"][0]) == ["face", "id"]


def test_bg_5_with_two_left_beers_serve_in_pairs() -> None:
    """As any other card."""
    two = position("sheriff bart: bang", "dead outlaw rose:", "dead outlaw paul:", "renegade sid 1: beer beer")
    after = late(hit(play(two, "bang", "D").state, "D").state).state
    assert (life(after, "D"), kinds(after, "D")) == (1, [])


def test_bg_7_equal_deadlines_are_played_clockwise_from_the_source() -> None:
    """A 개틀링 nobody answers: hits in the order of the seats from the source, C's turn first."""
    seats = ("outlaw sid:", "outlaw paul:", "sheriff bart: gatling", "renegade kit:")
    step = late(play(position(*seats, turn="C"), "gatling").state)
    assert [event["player"] for event in step.events if event["type"] == "lifeLost"] == ["D", "A", "B"]


def test_bg_7_deaths_at_one_deadline_are_clockwise_too() -> None:
    """The renegade's 개틀링: outlaw before sheriff makes the renegade win, sheriff before outlaw does not (BG-10)."""
    ends = {}
    for order in (("outlaw kit 1:", "sheriff paul 1:"), ("sheriff paul 1:", "outlaw kit 1:")):
        state = play(position("renegade rose: gatling", *order, "dead outlaw sid:"), "gatling").state
        ends[order[0][:7]] = late(late(state).state).state.winner
    assert ends == {"outlaw ": "renegade", "sheriff": "outlaws"}


def test_windows_have_their_own_deadlines() -> None:
    """One who is dying has more time than the others of the same 개틀링, who are played for first."""
    seats = ("sheriff bart: gatling", "outlaw sid 1: beer", "outlaw paul:", "renegade kit:")
    state = play(position(*seats), "gatling").state
    state = act(state, "B", "takeHit", now=NOW + 5_000).state
    after = late(state).state
    assert (life(after, "C"), life(after, "D"), windows(after)) == (2, 3, [("dying", "B")])
    assert due(after) == NOW + 20_000


def test_only_the_newest_window_of_a_player_has_a_running_clock() -> None:
    """The shot that waits for 럭키's pick is not due meanwhile."""
    state = position(
        "sheriff bart: bang", "outlaw lucky: missed / barrel", "outlaw paul:", "renegade kit:", deck="Q♦ K♦"
    )
    state = play(state, "bang", "B").state
    once = late(state)
    assert told(once.events, "timedOut", "checked", "responded") == ["timedOut", "checked"]
    assert windows(once.state) == [("bang", "B")]
    assert due(once.state) == NOW + 30_000
    assert told(late(once.state).events, "responded") == ["responded"]


# ---------------------------------------------------------------- away


def away(state: State, player: str, now: int = NOW) -> State:
    return GAME.presence(state, player, "offline", now).state


def test_s10_after_120_seconds_away_one_is_played_for_and_back_one_is_not() -> None:
    """From the two minutes on at once, step by step (BG-50); with the return the full time is there again."""
    state = away(position("sheriff bart:", *SOLO), "B")
    row = GAME.view(state, None)["players"][1]
    assert (row["away"], row["playedFor"]) == (True, False)
    assert due(state) == NOW + 60_000
    state = GAME.timeout(state, NOW + 60_000).state  # A's turn is over
    assert (state.turn.player, due(state)) == ("B", NOW + AWAY_MS)
    step = GAME.timeout(state, NOW + AWAY_MS)
    assert told(step.events, "playedFor", "timedOut") == ["playedFor", "timedOut"]
    assert (step.state.turn.phase, due(step.state)) == ("play", NOW + AWAY_MS + BOT_MS)
    assert GAME.view(step.state, None)["players"][1]["playedFor"] is True
    back = GAME.presence(step.state, "B", "online", NOW + AWAY_MS + 100)
    assert told(back.events) == ["playerBack"]
    assert due(back.state) == NOW + AWAY_MS + 100 + 60_000
    assert (seat(back.state, "B").bot, seat(back.state, "B").away_since) == (False, None)
    assert (late(step.state).state.turn.player, late(back.state).state.turn.player) == ("C", "C")


def test_s10_who_is_back_has_the_full_time_for_an_open_window() -> None:
    """A shot at one who is played for; the return comes before the half second is over."""
    state = GAME.timeout(away(position("sheriff bart: bang", *SOLO), "D", NOW - AWAY_MS), NOW).state
    state = play(state, "bang", "D").state
    assert due(state) == NOW + BOT_MS
    assert due(GAME.presence(state, "D", "online", NOW + 100).state) == NOW + 100 + 15_000


def test_s8_5_a_short_absence_changes_nothing() -> None:
    """Back within two minutes: as if never away."""
    state = position("sheriff bart:", *SOLO)
    gone = away(state, "B")
    back = GAME.presence(gone, "B", "online", NOW + 119_000).state
    assert back == state
    assert GAME.presence(state, "B", "online", NOW).state is state
    assert GAME.presence(gone, "B", "offline", NOW + 1).state is gone


def test_bg_49_only_one_who_is_played_for_is_answered_for_at_once() -> None:
    """A shot at one who has left: half a second, as any of theirs."""
    state = GAME.presence(position("sheriff bart: gatling", *SOLO), "B", "left", NOW).state
    state = play(state, "gatling").state
    waits = {window.asked: window.deadline - NOW for window in state.reactions}
    assert waits == {"B": BOT_MS, "C": 15_000, "D": 15_000}


def test_bg_50_who_leaves_in_the_middle_of_a_window_is_answered_for_soon() -> None:
    """And for good: coming back is not possible; leaving twice changes nothing."""
    state = play(position("sheriff bart: bang", *SOLO), "bang", "D").state
    step = GAME.presence(state, "D", "left", NOW + 2_000)
    assert told(step.events) == ["playerLeft"]
    assert due(step.state) == NOW + 2_000 + BOT_MS
    for status in ("online", "offline", "left"):
        assert GAME.presence(step.state, "D", status, NOW + 3_000).state is step.state


def test_bg_50_leaving_gives_nobody_more_time() -> None:
    """A window, or a turn, that is due sooner than half a second stays due then."""
    state = play(position("sheriff bart: bang", *SOLO), "bang", "D").state
    assert due(GAME.presence(state, "D", "left", NOW + 14_900).state) == NOW + 15_000
    own = position("sheriff bart:", *SOLO)
    assert due(GAME.presence(own, "A", "left", NOW + 59_900).state) == NOW + 60_000
    assert due(GAME.presence(own, "A", "left", NOW + 1_000).state) == NOW + 1_000 + BOT_MS


def test_bg_50_one_step_a_tick_and_a_game_without_anybody_goes_on() -> None:
    """Everybody has left: each timeout plays one step, nobody ever attacks, and nothing is stuck."""
    state = new()
    for player in "ABCD":
        state = GAME.presence(state, player, "left", NOW).state
    before = state
    for _ in range(200):
        step = late(state)
        assert told(step.events, "timedOut") == ["timedOut"]
        assert due(step.state) > due(state)
        state = step.state
    assert state.round > before.round + 5
    assert "bang" not in [event["type"] for event in step.events]


def test_s10_a_returning_player_finds_the_game_as_it_is() -> None:
    """Cards, life and turn are what they became meanwhile; the own view is whole."""
    state = away(position("sheriff bart 3: bang bang bang bang", *SOLO), "A")
    state = GAME.timeout(state, NOW + 60_000).state
    state = GAME.timeout(state, NOW + AWAY_MS).state
    back = GAME.presence(state, "A", "online", NOW + AWAY_MS + 10).state
    assert len(GAME.view(back, "A")["hand"]) == 3
    assert GAME.load(GAME.dump(back)) == back


def test_the_dead_and_strangers_are_not_waited_for() -> None:
    """Whatever their connection does."""
    state = position("sheriff bart:", "dead outlaw paul:", "outlaw rose:", "renegade kit:")
    for player in ("B", "nobody"):
        for status in ("offline", "online", "left"):
            assert GAME.presence(state, player, status, NOW).state is state


def test_one_who_dies_away_is_no_longer_waited_for() -> None:
    """The two minutes of the dead are nobody's deadline, and nobody is shown whether they are there."""
    state = away(position("sheriff bart: bang", "outlaw sid:", "outlaw paul:", "renegade kit 1:"), "D")
    state = act(hit(play(state, "bang", "D").state, "D").state, "D", "giveUp").state
    assert due(state) == NOW + 60_000
    assert "away" not in GAME.view(state, None)["players"][3]
