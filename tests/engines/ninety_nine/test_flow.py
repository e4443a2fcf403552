"""Turns, losing, rounds and the end (5.1, 5.3, 6)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.kernel.contract import Step
from engines.ninety_nine import GAME
from engines.ninety_nine.state import State
from tests.engines.ninety_nine.positions import NOW, kinds, legal_faces, one, play, position

CLASSIC = {"mode": "classic"}
BIG = "10 10 10 10 10"  # a hand that nothing helps near 99


def lose(**how: Any) -> Step[State]:
    """A plays 4 on 95, and B, who holds tens only, cannot play."""
    hands: dict[str, Any] = {"A": "4 1 1", "B": BIG, "C": "0 조커 ±9", "D": "0 조커 ±9"}
    players: str = how.pop("players", "ABCD")
    return play(position(total=95, **{player: hands[player] for player in players}, **how), "4")


# ---------------------------------------------------------------- turns


def test_s5_1_a_turn_is_play_draw_pass() -> None:
    """The card leaves the hand, the top of the pile comes, and the next player has the turn, clockwise."""
    step = play(position(A="8 5 4", B="1 2 3", C="6 7 8", total=20, draw="10 ±9"), "8", now=NOW + 7)
    state = step.state
    assert [card.face for card in state.hands["A"]] == ["5", "4", "10"]
    assert [card.face for card in state.discard] == ["8"]
    assert (state.total, state.current, state.turn_started_at) == (28, "B", NOW + 7)
    assert kinds(step.events) == ["cardPlayed", "cardDrawn"]


def test_s5_1_without_refill_hands_shrink() -> None:
    """refill=off: nothing is drawn."""
    step = play(position(A="8 5 4", B="1 2 3", total=20, options={"refill": "off"}), "8")
    assert len(step.state.hands["A"]) == 2
    assert kinds(step.events) == ["cardPlayed"]


def test_s10_zero_turns_the_direction_or_not() -> None:
    """Three players, B to move: "reverse" makes A next, "keep" makes C next."""
    state = position(A="1 2 3", B="0 2 3", C="6 7 8", total=20, current="B")
    turned, kept = play(state, "0", dir="reverse"), play(state, "0", dir="keep")
    assert (turned.state.current, turned.state.direction) == ("A", -1)
    assert (kept.state.current, kept.state.direction) == ("C", 1)
    assert one(turned.events, "directionChanged") == {"direction": -1}
    assert "directionChanged" not in kinds(kept.events)
    assert one(turned.events, "cardPlayed")["choice"] == "방향 바꾸기"
    assert one(kept.events, "cardPlayed")["choice"] == "방향 그대로"


def test_s10_the_classic_4_always_turns_and_the_9_never() -> None:
    """Nothing is chosen, and the event has no choice."""
    state = position(A="2 3 5", B="4 9 3", C="6 7 8", total=20, current="B", options=CLASSIC)
    four, nine = play(state, "4"), play(state, "9")
    assert (four.state.current, four.state.direction) == ("A", -1)
    assert (nine.state.current, nine.state.direction) == ("C", 1)
    assert "choice" not in one(four.events, "cardPlayed")


def test_nn_28_with_two_players_turning_is_not_a_skip() -> None:
    """The other one is next either way; the direction has changed all the same."""
    state = position(A="0 2 3", B="1 2 3", total=50)
    for choice, direction in (("keep", 1), ("reverse", -1)):
        after = play(state, "0", dir=choice).state
        assert (after.current, after.direction) == ("B", direction)


def test_nn_28_also_after_dropping_to_two() -> None:
    """B is out; C turns the direction, and A is next."""
    state = play(position(A="4 0 1", B=BIG, C="0 조커", total=95), "4").state
    assert (state.current, state.alive["B"]) == ("C", False)
    assert play(state, "0", dir="reverse").state.current == "A"


def test_nn_10_the_next_player_is_next_in_the_current_direction() -> None:
    """Going backwards, past whoever is out."""
    state = position(A="4 1 1", B="0 1 1", C="0 1 1", D=BIG, total=95, changes={"direction": -1})
    after = play(state, "4").state
    assert after.elimination_order == ("D",)
    assert after.current == "C"


# ---------------------------------------------------------------- the pile


def test_nn_7_s10_the_empty_pile_is_all_discards() -> None:
    """The card just played is shuffled in too; the total stays; the hand keeps its size."""
    state = position(A="8 5 4", B="1 2 3", total=20, discard="10 10", empty_pile=True)
    step = play(state, "8")
    assert kinds(step.events) == ["cardPlayed", "reshuffled", "cardDrawn"]
    assert step.state.discard == ()
    everything = {card.id for card in (*step.state.draw_pile, *step.state.hands["A"][2:])}
    assert {card.id for card in state.discard} | {state.hands["A"][0].id} == everything
    assert one(step.events, "reshuffled") == {"drawCount": len(everything)}
    assert (step.state.total, len(step.state.hands["A"])) == (28, 3)


def test_nn_7_the_player_may_draw_the_card_back() -> None:
    """It is the only one there is."""
    dump = GAME.dump(position(A="8 5 4", B="1 2 3", total=20))
    step = play(GAME.load(dump | {"drawPile": [], "discard": []}), "8")
    assert [card.face for card in step.state.hands["A"]] == ["5", "4", "8"]


def test_nn_8_the_pile_is_remade_only_when_a_card_is_needed() -> None:
    """The last card is drawn without a shuffle."""
    dump = GAME.dump(position(A="8 5 4", B="1 2 3", total=20, discard="10 10"))
    step = play(GAME.load(dump | {"drawPile": dump["drawPile"][:1]}), "8")
    assert kinds(step.events) == ["cardPlayed", "cardDrawn"]
    assert step.state.draw_pile == ()
    assert len(step.state.discard) == 3


# ---------------------------------------------------------------- losing without lives


def test_s5_3_the_loser_is_out_and_the_total_goes_on() -> None:
    """lives=0, continue: the hand goes to the discards unseen, the next one has the turn on the same total."""
    step = lose()
    state = step.state
    assert kinds(step.events) == ["cardPlayed", "cardDrawn", "eliminated"]
    assert one(step.events, "eliminated") == {"player": "B", "round": 1}
    assert (state.total, state.current, state.hands["B"]) == (99, "C", ())
    assert [card.face for card in state.discard] == ["4", *BIG.split()]
    assert (state.alive["B"], state.elimination_order) == (False, ("B",))


def test_s10_two_lose_in_one_step() -> None:
    """On 98 (95 and 3) B and C cannot play: out in this order, in one apply; then it is D's turn."""
    step = play(position(A="3 1 1", B=BIG, C=BIG.replace("10", "8"), D="0 1 1", total=95), "3")
    assert [event["player"] for event in step.events if event["type"] == "eliminated"] == ["B", "C"]
    assert kinds(step.events) == ["cardPlayed", "cardDrawn", "eliminated", "eliminated"]
    assert (step.state.current, step.state.total) == ("D", 98)


def test_s5_4_the_documents_example() -> None:
    """85: A plays 10; B plays ±9 down; C plays 0 and turns; B plays 7; A cannot play and is out; C is next."""
    state = position(A="10 8 10", B="8 7 ±9", C="10 10 0", total=85, draw="7 6 5")
    state = play(state, "10").state
    assert state.total == 95
    assert legal_faces(state) == {"±9"}
    state = play(state, "±9", sign="-").state
    assert (state.total, state.current) == (86, "C")
    state = play(state, "0", dir="reverse").state
    assert (state.total, state.current) == (86, "B")
    assert legal_faces(state) == {"8", "7", "6"}
    step = play(state, "7")
    assert [card.face for card in state.hands["A"]] == ["8", "10", "7"]
    assert step.state.total == 93
    assert one(step.events, "eliminated")["player"] == "A"
    assert step.state.current == "C"


def test_s5_3_reset_deals_anew() -> None:
    """lives=0, reset: from the start number of those left, who are all dealt to; the loser's next begins (NN-16)."""
    step = lose(options={"afterElimination": "reset"})
    state = step.state
    assert kinds(step.events)[2:] == ["eliminated", "roundStarted"]
    assert one(step.events, "roundStarted") == {"round": 2, "starter": "C", "total": 20}
    assert {player: len(hand) for player, hand in state.hands.items()} == {"A": 5, "B": 0, "C": 5, "D": 5}
    assert (state.round, state.total, state.discard) == (2, 20, ())


def test_nn_12_a_new_round_takes_every_card() -> None:
    """Pile, discards, all hands, also the one of who is out."""
    before = position(
        A="4 1 1", B=BIG, C="0 1 1", D="0 1 1", total=95, discard="2 2", options={"afterElimination": "reset"}
    )
    after = play(before, "4").state

    def ids(state: State) -> set[str]:
        return {card.id for pile in (state.draw_pile, state.discard, *state.hands.values()) for card in pile}

    assert ids(after) == ids(before)
    assert len(after.draw_pile) == len(ids(after)) - 15


def test_nn_13_the_start_number_rises_as_players_drop() -> None:
    """Four to three: 20; three to two: 40; startTotal=zero: 0."""
    assert lose(options={"afterElimination": "reset"}).state.total == 20
    assert lose(players="ABC", options={"afterElimination": "reset"}).state.total == 40
    assert lose(players="ABC", options={"afterElimination": "reset", "startTotal": "zero"}).state.total == 0


# ---------------------------------------------------------------- lives


def test_s5_3_s10_a_life_is_lost_and_the_loser_begins() -> None:
    """lives=3: everyone is dealt to again, from the start number (four players: 0)."""
    step = lose(options={"lives": 3})
    assert kinds(step.events)[2:] == ["lifeLost", "roundStarted"]
    assert one(step.events, "lifeLost") == {"player": "B", "left": 2}
    assert one(step.events, "roundStarted") == {"round": 2, "starter": "B", "total": 0}
    assert step.state.lives == {"A": 3, "B": 2, "C": 3, "D": 3}
    assert step.state.current == "B"


def test_s5_3_s10_the_last_life_puts_out_and_the_next_begins() -> None:
    """NN-16, NN-13: three are left, hence 20."""
    step = lose(options={"lives": 1})
    assert kinds(step.events)[2:] == ["lifeLost", "eliminated", "roundStarted"]
    assert one(step.events, "lifeLost") == {"player": "B", "left": 0}
    assert one(step.events, "roundStarted") == {"round": 2, "starter": "C", "total": 20}
    assert step.state.hands["B"] == ()


def test_nn_16_the_next_is_in_the_current_direction() -> None:
    """Backwards, D loses the last life, and C begins."""
    changes = {"direction": -1}
    state = position(A="4 1 1", B="0 1 1", C="0 1 1", D=BIG, total=95, options={"lives": 1}, changes=changes)
    assert one(play(state, "4").events, "roundStarted")["starter"] == "C"


def test_nn_11_a_new_round_keeps_the_direction() -> None:
    """Nobody turns it back to clockwise."""
    state = position(A="4 1 1", B="0 1 1", C=BIG, total=95, options={"lives": 3}, changes={"direction": -1})
    step = play(state, "4")
    assert step.state.round == 2
    assert step.state.direction == -1


def test_nn_18_on_the_board_once_more() -> None:
    """The last life lost keeps the player in, to begin the next round; the next loss puts out, with no lifeLost."""
    options = {"lives": 1, "onTheBoard": "on"}
    step = lose(options=options)
    assert kinds(step.events)[2:] == ["lifeLost", "onTheBoard", "roundStarted"]
    assert one(step.events, "roundStarted")["starter"] == "B"
    assert (step.state.alive["B"], step.state.on_board["B"], step.state.lives["B"]) == (True, True, 0)
    changes = {"lives": {"A": 1, "B": 0, "C": 1}, "onBoard": {"A": False, "B": True, "C": False}}
    again = lose(players="ABC", options=options, changes=changes)
    assert kinds(again.events)[2:] == ["eliminated", "roundStarted"]
    assert again.state.alive["B"] is False


def test_nn_18_lives_lost_counts_tokens() -> None:
    """The loss on the board takes no token: at most `lives` are lost."""
    changes = {"lives": {"A": 2, "B": 0}, "onBoard": {"A": False, "B": True}}
    state = lose(players="AB", options={"lives": 3, "onTheBoard": "on"}, changes=changes).state
    result = GAME.result(state)
    assert result is not None
    assert [(row["player"], row["livesLost"]) for row in result["ranking"]] == [("A", 1), ("B", 3)]


# ---------------------------------------------------------------- the end


def test_s6_the_last_one_wins() -> None:
    """finished: the result, no legal actions, no deadline, no current player in any view."""
    step = lose(players="AB")
    state = step.state
    assert kinds(step.events)[2:] == ["eliminated", "gameFinished"]
    assert GAME.result(state) == {
        "ranking": [
            {"player": "A", "rank": 1, "livesLost": 0, "eliminatedAtRound": None},
            {"player": "B", "rank": 2, "livesLost": 0, "eliminatedAtRound": 1},
        ],
        "winner": ["A"],
        "summary": "끝까지 살아남은 사람은 A 님! 마지막 합계 99",
    }
    assert GAME.legal(state, "A") == GAME.legal(state, "B") == []
    assert GAME.deadline(state) is None
    assert GAME.view(state, "A")["current"] is None


def test_nn_29_ranks_are_the_order_of_going_out_reversed() -> None:
    """Two in one step, and the last: 1 to 4 with no ties."""
    state = play(position(A="4 1 1", B=BIG, C=BIG.replace("10", "8"), D=BIG.replace("10", "7"), total=95), "4").state
    result = GAME.result(state)
    assert result is not None
    assert [(row["player"], row["rank"]) for row in result["ranking"]] == [("A", 1), ("D", 2), ("C", 3), ("B", 4)]


def test_nn_15_the_survivor_is_never_tested() -> None:
    """A, who has just moved, holds nothing that fits 99, and wins."""
    state = play(position(A="4 10 10", B=BIG, total=95, draw="10"), "4").state
    assert {card.face for card in state.hands["A"]} == {"10"}
    assert (state.phase, state.current) == ("finished", "A")


def test_nn_27_the_draw_happens_even_if_the_game_then_ends() -> None:
    """Events in the order of the ruling, with a turned direction among them."""
    state = position(A="0 1 1", B=BIG, total=98, empty_pile=True)
    step = play(state, "0", dir="reverse")
    assert kinds(step.events) == [
        "cardPlayed",
        "reshuffled",
        "cardDrawn",
        "directionChanged",
        "eliminated",
        "gameFinished",
    ]


def test_nn_6_an_empty_hand_loses() -> None:
    """refill=off: all run out, and all but one go out in one step; the last in turn order wins without a card."""
    state = position(A="1", B="", C="", total=20, options={"refill": "off"})
    step = play(state, "1")
    assert [event["player"] for event in step.events if event["type"] == "eliminated"] == ["B", "C"]
    assert (step.state.phase, step.state.current, step.state.hands["A"]) == ("finished", "A", ())


def test_nn_6_with_lives_an_empty_hand_costs_one() -> None:
    """And new hands are dealt."""
    state = position(A="1", B="", C="", total=20, options={"refill": "off", "lives": 2})
    step = play(state, "1")
    assert kinds(step.events) == ["cardPlayed", "lifeLost", "roundStarted"]
    assert len(step.state.hands["B"]) == 5


@pytest.mark.parametrize("options", [{"onTheBoard": "on"}, {"deckCount": 2, "aceHigh": 10}])
def test_nn_17_options_of_another_mode_change_nothing(options: Any) -> None:
    """onTheBoard without lives, and classic's options in kr-product."""
    step, plain = lose(options=options), lose()
    assert step.events == plain.events


def test_nn_17_after_elimination_means_nothing_with_lives() -> None:
    """A lost round is followed by a new one whatever it says."""
    step = lose(options={"lives": 1, "afterElimination": "continue"})
    assert "roundStarted" in kinds(step.events)


def test_nn_9_recent_plays_are_their_own_list() -> None:
    """A hidden hand that went to the discards is not among them, and a reshuffle does not empty them."""
    step = lose()
    assert GAME.view(step.state, None)["recentPlays"] == [{"player": "A", "face": "4", "total": 99, "round": 1}]
    after = play(step.state, "0", dir="keep").state
    assert GAME.view(after, None)["recentPlays"][-1] == {
        "player": "C",
        "face": "0",
        "total": 99,
        "round": 1,
        "choice": "방향 그대로",
    }


def test_the_choices_are_told_in_words() -> None:
    """What everybody reads of a play."""
    kr = position(A="±9 조커 5", B="1 2 3", total=20)
    assert one(play(kr, "±9", sign="-").events, "cardPlayed")["choice"] == "빼기"
    assert one(play(kr, "조커", jokerValue=77).events, "cardPlayed")["choice"] == "77"
    ace = position(A="A 2 3", B="2 3 5", total=20, options=CLASSIC)
    assert one(play(ace, "A", aceValue=11).events, "cardPlayed")["choice"] == "11"
