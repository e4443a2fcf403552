"""How a turn begins and what is drawn (5.2, 5.7, 3.2)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.bang import GAME
from engines.bang.cards import CARDS
from engines.bang.state import State
from tests.engines.bang.positions import (
    NOW,
    SOLO,
    act,
    hit,
    in_front,
    kinds,
    legal_types,
    life,
    one,
    piled,
    play,
    position,
    respond,
    seat,
    told,
    why,
    windows,
)


def begins(b: str, deck: str, *others: str, **more: Any) -> Any:
    """A ends the turn; B's begins on this deck."""
    seats = ("sheriff rose:", b, *(others or ("outlaw paul:", "renegade bart:")))
    return act(position(*seats, deck=deck, **more), "A", "endPlay")


# ---------------------------------------------------------------- the dynamite


@pytest.mark.parametrize("top", ["2♠", "5♠", "9♠"])
def test_s10_dynamite_goes_off_from_2_to_9_of_spades(top: str) -> None:
    """Three points; the card is discarded after the flip (BG-43)."""
    step = begins("outlaw sid: / dynamite", top)
    assert life(step.state, "B") == 1
    assert in_front(step.state, "B") == []
    assert piled(step.state)[0] == "dynamite"
    assert (step.state.turn.player, step.state.turn.phase) == ("B", "draw")
    assert one(step.events, "lifeLost") == {"player": "B", "points": 3, "life": 1}


@pytest.mark.parametrize("top", ["10♠", "J♠", "A♠", "5♥", "2♦", "9♣"])
def test_s10_dynamite_passes_otherwise(top: str) -> None:
    """To the next living player clockwise."""
    step = begins("outlaw sid: / dynamite", top, "dead outlaw paul:", "renegade bart:")
    assert (life(step.state, "B"), in_front(step.state, "B"), in_front(step.state, "D")) == (4, [], ["dynamite"])


def test_s10_bg_32_the_jail_is_flipped_after_the_dynamite() -> None:
    """The dynamite passes also where the turn is then skipped; the next player flips it at once (BG-32)."""
    step = begins("outlaw sid: / jail dynamite", "A♦ 2♣ 5♠")
    flips = [(event["player"], event["purpose"]) for event in step.events if event["type"] == "checked"]
    assert flips == [("B", "dynamite"), ("B", "jail"), ("C", "dynamite")]
    assert (step.state.turn.player, life(step.state, "C"), windows(step.state)) == ("C", 0, [("dying", "C")])


def test_bg_32_an_explosion_comes_before_the_jail() -> None:
    """And a dying window before the jail's flip; whoever is saved flips then."""
    step = begins("outlaw sid 3: beer bang bang / dynamite jail", "5♠ Q♥")
    assert (windows(step.state), in_front(step.state, "B")) == ([("dying", "B")], ["jail"])
    after = respond(step.state, "B", "beer")
    assert [event["purpose"] for event in after.events if event["type"] == "checked"] == ["jail"]
    assert (after.state.turn.player, after.state.turn.phase) == ("B", "draw")


def test_s5_2_1_who_dies_of_it_has_no_turn() -> None:
    """The next one has."""
    after = act(begins("outlaw sid 3: / dynamite", "5♠").state, "B", "giveUp").state
    assert (after.turn.player, after.turn.phase) == ("C", "draw")


# ---------------------------------------------------------------- the jail


def test_s10_a_heart_opens_the_jail() -> None:
    """A normal turn; the jail lies on the flipped card (BG-43)."""
    step = begins("outlaw sid: / jail", "Q♥")
    assert (step.state.turn.player, step.state.turn.phase) == ("B", "draw")
    assert piled(step.state)[:2] == ["jail", "bang"]


def test_s10_bg_34_otherwise_the_whole_turn_is_skipped() -> None:
    """No draw, and no discarding though the hand is too big."""
    step = begins("outlaw sid 2: bang bang bang beer / jail", "Q♦")
    assert (step.state.turn.player, len(kinds(step.state, "B")), in_front(step.state, "B")) == ("C", 4, [])
    assert told(step.events, "turnSkipped", "cardsDrawn") == ["turnSkipped"]


def test_s5_3_one_in_jail_is_shot_at_and_answers() -> None:
    """As anybody."""
    state = position("sheriff rose: bang", "outlaw sid: missed / jail", *SOLO[:1], "renegade bart:")
    assert life(respond(play(state, "bang", "B").state, "B", "missed").state, "B") == 4


def test_bg_30_lucky_flips_dynamite_then_jail_each_with_two() -> None:
    """The jail's flip only after the dynamite's pick, and after any dying."""
    step = begins("outlaw lucky 3: beer / dynamite jail", "5♠ 6♠ Q♥ Q♦")
    assert windows(step.state) == [("luckyPick", "B")]
    assert one(step.events, "flipped")["purpose"] == "dynamite"
    spade = GAME.view(step.state, None)["reactions"][0]["options"][0]["id"]
    blown = act(step.state, "B", "luckyPick", cardId=spade)
    assert windows(blown.state) == [("dying", "B")]
    saved = respond(blown.state, "B", "beer")
    assert windows(saved.state) == [("luckyPick", "B")]
    heart = GAME.view(saved.state, None)["reactions"][0]["options"][0]["id"]
    assert CARDS[heart].suit == "H"
    assert act(saved.state, "B", "luckyPick", cardId=heart).state.turn.phase == "draw"


# ---------------------------------------------------------------- drawing


def drawing(who: str, deck: str, **more: Any) -> State:
    """A is to draw."""
    return position(f"sheriff {who}", *(more.pop("others", SOLO)), phase="draw", deck=deck, **more)


def test_s5_2_3_two_from_the_deck() -> None:
    """And on to playing."""
    step = act(drawing("bart:", "beer duel"), "A", "draw")
    assert (kinds(step.state, "A"), step.state.turn.phase) == (["beer", "duel"], "play")
    assert one(step.events, "cardsDrawn") == {"player": "A", "count": 2, "deckCount": len(step.state.deck)}
    assert one(step.events, "cardsReceived")["audience"] == ["A"]


@pytest.mark.parametrize(("second", "number"), [("6♥", 3), ("7♦", 3), ("10♣", 2), ("A♠", 2)])
def test_s3_2_bg_45_black_jack_shows_his_second_card(second: str, number: int) -> None:
    """Red brings a third, which nobody else sees; shown until the end of the turn (BG-45)."""
    step = act(drawing("blackJack:", f"duel {second} panic"), "A", "draw")
    assert len(kinds(step.state, "A")) == number
    shown = one(step.events, "cardShown")["card"]["id"]
    assert step.state.turn.black_jack_reveal == shown
    assert GAME.view(step.state, "D")["blackJackReveal"]["id"] == shown
    for event in step.events:
        if event["type"] == "cardsReceived":
            assert event["audience"] == ["A"]
    assert "blackJackReveal" not in GAME.view(act(step.state, "A", "endPlay").state, None)


def test_s3_2_jesse_draws_from_a_hand() -> None:
    """From any other who has one; the second from the deck; or plainly both."""
    others = ("outlaw paul:", "outlaw rose: missed", "renegade kit:")
    state = drawing("jesse:", "beer duel", others=others)
    assert [action.get("jesseFrom") for action in GAME.legal(state, "A")] == [None, "C"]
    step = act(state, "A", "draw", jesseFrom="C")
    assert (kinds(step.state, "A"), kinds(step.state, "C")) == (["beer", "missed"], [])
    (seen,) = [event for event in step.events if event["type"] == "takenCardSeen"]
    assert seen["audience"] == ["A", "C"]
    assert kinds(act(state, "A", "draw").state, "A") == ["beer", "duel"]
    assert why(state, "A", "draw", jesseFrom="B") == "target_hand_empty"
    assert why(state, "A", "draw", jesseFrom="A") == "target_gone"
    assert why(state, "A", "draw", jesseFrom="nobody") == "target_gone"
    assert why(state, "A", "draw", pedroDiscard=True) == "draw_not_yours"
    assert why(drawing("bart:", "beer"), "A", "draw", jesseFrom="B") == "draw_not_yours"


def test_s3_2_pedro_draws_from_the_discards() -> None:
    """The top one, for everybody to see; the second from the deck."""
    state = drawing("pedro:", "beer duel", discard="saloon panic")
    assert GAME.legal(state, "A") == [{"type": "draw"}, {"type": "draw", "pedroDiscard": True}]
    step = act(state, "A", "draw", pedroDiscard=True)
    assert (kinds(step.state, "A"), piled(step.state)) == (["beer", "saloon"], ["panic"])
    assert "audience" not in one(step.events, "discardTaken")
    empty = drawing("pedro:", "beer duel")
    assert why(empty, "A", "draw", pedroDiscard=True) == "discard_empty"
    assert legal_types(empty, "A") == {"draw"}
    assert why(drawing("bart:", "beer", discard="saloon"), "A", "draw", pedroDiscard=True) == "draw_not_yours"
    assert kinds(act(state, "A", "draw", pedroDiscard=False).state, "A") == ["beer", "duel"]
    assert why(state, "A", "draw", pedroDiscard=True, jesseFrom="B") == "draw_not_yours"


OTHERS = ("outlaw paul: bang", "outlaw rose: bang", "renegade bart: bang")


def test_s3_2_kit_keeps_two_of_three() -> None:
    """He alone sees them; the third goes back on top."""
    state = act(drawing("kit:", "beer duel saloon", others=OTHERS), "A", "draw").state
    assert windows(state) == [("kitKeep", "A")]
    options = [card["id"] for card in GAME.view(state, "A")["kitOptions"]]
    assert [CARDS[card].kind for card in options] == ["beer", "duel", "saloon"]
    for viewer in ("B", "C", "D", None):
        assert "kitOptions" not in GAME.view(state, viewer)
    assert why(state, "A", "kitKeep", keep=options) == "wrong_count"
    assert why(state, "A", "kitKeep", keep=[options[0]] * 2) == "same_card_twice"
    assert why(state, "A", "kitKeep", keep=[options[0], 0]) == "not_offered"
    after = act(state, "A", "kitKeep", keep=[options[0], options[2]]).state
    assert (kinds(after, "A"), after.deck[-1], after.turn.phase) == (["beer", "saloon"], options[1], "play")


@pytest.mark.parametrize("left", [0, 1, 2])
def test_bg_44_kit_with_fewer_than_three_takes_what_there_is(left: int) -> None:
    """Without a question."""
    state = short(drawing("kit:", "", others=OTHERS), left)
    after = act(state, "A", "draw").state
    assert (len(kinds(after, "A")), after.reactions, after.turn.phase) == (left, (), "play")


def short(state: State, left: int) -> State:
    """The same with so many cards in the deck; the others are in B's hand."""
    dump = GAME.dump(state)
    cut = len(dump["deck"]) - left
    dump["players"][1]["hand"] += dump["deck"][:cut]
    dump["deck"] = dump["deck"][cut:]
    return GAME.load(dump)


# ---------------------------------------------------------------- the deck runs out (5.7)


def test_bg_42_the_discards_become_the_deck_as_soon_as_it_is_empty() -> None:
    """Upon the last card, not upon the next draw."""
    state = position("sheriff bart:", *SOLO, phase="draw", deck="beer duel", rest="discard")
    step = act(state, "A", "draw")
    assert kinds(step.state, "A") == ["beer", "duel"]
    assert (step.state.discard, len(step.state.deck)) == ((), 80 - 5)
    assert one(step.events, "reshuffled") == {"deckCount": 75}
    assert set(step.state.deck) == set(state.discard)
    assert step.state.deck != state.discard


def test_bg_42_where_both_were_empty_it_is_tried_again_at_the_next_draw() -> None:
    """One card is drawn and one is left out (5.7); what is discarded then is drawn later."""
    state = act(short(drawing("bart: duel", ""), 1), "A", "draw").state
    assert len(kinds(state, "A")) == 2
    assert (state.deck, state.discard) == ((), ())
    state = hit(play(state, "duel", "D").state, "D").state
    assert len(state.discard) == 1
    state = act(state, "A", "endPlay").state
    state = act(state, "B", "draw").state
    assert (state.deck, state.discard) == ((), ())
    assert "duel" in kinds(state, "B")


def test_s5_2_turns_go_clockwise_over_the_dead() -> None:
    """A, C, D, A."""
    state = position("sheriff bart:", "dead outlaw paul:", "outlaw rose:", "renegade kit:")
    order = []
    for _ in range(4):
        order.append(state.turn.player)
        if state.turn.phase == "draw":
            state = act(state, state.turn.player, "draw").state
            while state.reactions:
                state = GAME.timeout(state, state.reactions[0].deadline).state
        state = act(state, state.turn.player, "endPlay").state
    assert order == ["A", "C", "D", "A"]


def test_the_draw_phase_asks_everybody_for_a_draw() -> None:
    """8.2's `draw`, also where there is no choice."""
    state = act(position("sheriff bart:", *SOLO), "A", "endPlay").state
    assert (state.turn.player, legal_types(state, "B")) == ("B", {"draw"})
    assert seat(state, "B").hand
    assert GAME.deadline(state) == NOW + 60_000
