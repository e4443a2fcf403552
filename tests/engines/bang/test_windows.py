"""Reaction windows (5.4): who is asked, with what it is answered, in which order."""

from __future__ import annotations

from itertools import permutations

import pytest

from engines.bang import GAME
from engines.bang.cards import CARDS
from engines.bang.state import Duel, LuckyPick, Shot, State
from tests.engines.bang.positions import (
    NOW,
    SOLO,
    act,
    attempt,
    heal,
    held,
    hit,
    in_front,
    kinds,
    legal_types,
    life,
    one,
    piled,
    play,
    position,
    refused,
    respond,
    seat,
    told,
    why,
    windows,
)

MANUAL = {"autoBarrel": "off"}


def shot(state: State) -> Shot:
    found = state.reactions[0]
    assert isinstance(found, Shot)
    return found


# ---------------------------------------------------------------- 뱅!


def test_s5_3_a_bang_is_evaded_or_hurts() -> None:
    """One 빗나감!, or one life."""
    state = play(
        position("sheriff bart: bang", "outlaw rose: missed", "outlaw paul:", "renegade kit:"), "bang", "B"
    ).state
    assert windows(state) == [("bang", "B")]
    assert legal_types(state, "B") == {"respond", "takeHit"}
    evaded = respond(state, "B", "missed")
    assert (life(evaded.state, "B"), piled(evaded.state)) == (4, ["missed", "bang"])
    assert evaded.state.reactions == ()
    assert life(hit(state, "B").state, "B") == 3


def test_s5_4_nobody_else_moves_meanwhile() -> None:
    """Not the one whose turn it is, nor any who is not asked."""
    state = position("sheriff bart: bang beer", "outlaw rose: missed", "outlaw paul: missed", "renegade kit:")
    state = play(state, "bang", "B").state
    assert why(state, "A", "endPlay") == "reactions_open"
    assert refused(attempt(state, "beer"))[0] == "reactions_open"
    assert why(state, "C", "takeHit") == "not_your_turn"
    assert GAME.legal(state, "A") == GAME.legal(state, "C") == []


def test_bg_60_what_is_no_response() -> None:
    """Nothing, too many, the same twice, another's, the wrong kind."""
    state = position("sheriff bart: bang", "outlaw rose: missed missed bang", "outlaw paul: missed", "renegade kit:")
    state = play(state, "bang", "B").state
    first, second = held(state, "B", "missed", "missed")
    assert why(state, "B", "respond", cardIds=[]) == "wrong_count"
    assert why(state, "B", "respond", cardIds=[first, second]) == "wrong_count"
    assert why(state, "B", "respond", cardIds=[first, first]) == "same_card_twice"
    assert why(state, "B", "respond", cardIds=held(state, "C", "missed")) == "no_such_card"
    assert why(state, "B", "respond", cardIds=held(state, "B", "bang")) == "no_defence"
    assert why(state, "B", "giveUp") == "not_asked"


def test_s3_2_calamity_evades_with_a_bang() -> None:
    """And duels with a 빗나감!; both go the same way on 인디언! (BG-1)."""
    state = position("sheriff bart: bang", "outlaw calamity: bang", "outlaw paul:", "renegade kit:")
    assert life(respond(play(state, "bang", "B").state, "B", "bang").state, "B") == 4


def test_bg_1_calamity_answers_indians_and_duels_with_missed() -> None:
    """Although 8.2's row names only the duel; others may not."""
    state = position("sheriff bart: indians", "outlaw calamity: missed", "outlaw paul: missed", "renegade kit:")
    state = play(state, "indians").state
    assert life(respond(state, "B", "missed").state, "B") == 4
    assert why(state, "C", "respond", cardIds=held(state, "C", "missed")) == "no_defence"
    duel = position("sheriff bart: duel", "outlaw calamity: missed", "outlaw paul:", "renegade kit:")
    assert windows(respond(play(duel, "duel", "B").state, "B", "missed").state) == [("duel", "A")]


# ---------------------------------------------------------------- 슬랩


def test_s10_bg_27_slab_needs_two() -> None:
    """One is refused, two evade; his 개틀링 needs one."""
    state = position("sheriff slab: bang gatling", "outlaw rose: missed missed", "outlaw paul: missed", "renegade kit:")
    slabbed = play(state, "bang", "B").state
    assert shot(slabbed).needed == 2
    one_card = held(slabbed, "B", "missed")
    assert refused(GAME.apply(slabbed, "B", {"type": "respond", "cardIds": one_card}, NOW)) == (
        "wrong_count",
        "카드를 정확히 2장 골라야 합니다",
    )
    after = respond(slabbed, "B", "missed", "missed").state
    assert (life(after, "B"), after.reactions) == (4, ())
    gatling = play(state, "gatling").state
    assert life(respond(gatling, "C", "missed").state, "C") == 3


def test_s10_slab_barrel_and_missed_make_two() -> None:
    """술통 ♥, then one 빗나감!."""
    state = position("sheriff slab: bang", "outlaw rose: missed / barrel", "outlaw paul:", "renegade kit:", deck="Q♥")
    state = play(state, "bang", "B").state
    assert shot(state).needed == 1
    assert life(respond(state, "B", "missed").state, "B") == 4


def test_bg_23_suzy_cannot_pay_slab_in_parts() -> None:
    """Not the one 빗나감! she has, to draw another."""
    state = position("sheriff slab: bang", "outlaw suzy: missed", "outlaw paul:", "renegade kit:", deck="missed")
    state = play(state, "bang", "B").state
    assert why(state, "B", "respond", cardIds=held(state, "B", "missed")) == "wrong_count"
    assert legal_types(state, "B") == {"takeHit"}


def test_slab_shot_with_a_missed_by_nobody_but_calamity_counts_bangs_for_two() -> None:
    """캘러미티 may pay 슬랩 with one of each."""
    state = position("sheriff slab: bang", "outlaw calamity: missed bang", "outlaw paul:", "renegade kit:")
    assert life(respond(play(state, "bang", "B").state, "B", "missed", "bang").state, "B") == 4


# ---------------------------------------------------------------- barrels


@pytest.mark.parametrize(("top", "evaded"), [("Q♥", True), ("Q♦", False)])
def test_s5_3_a_barrel_is_flipped_by_itself(top: str, evaded: bool) -> None:
    """♥: evaded, and no window opens; else the window, for the cards."""
    state = position("sheriff bart: bang", "outlaw rose: / barrel", "outlaw paul:", "renegade kit:", deck=top)
    step = play(state, "bang", "B")
    assert one(step.events, "checked")["success"] is evaded
    assert (step.state.reactions == ()) is evaded
    assert step.state.last_check is not None
    assert step.state.last_check.success is evaded
    assert GAME.view(step.state, None)["lastCheck"]["purpose"] == "barrel"


def test_s10_bg_28_jourdonnais_with_a_barrel_flips_twice() -> None:
    """One card each; the real one first; and not the second where nothing more is needed."""
    seats = ("outlaw jourdonnais: / barrel", "outlaw paul:", "renegade kit:")
    state = position("sheriff bart: bang", *seats, deck="Q♦ K♣")
    step = play(state, "bang", "B")
    assert [len(event["cards"]) for event in step.events if event["type"] == "checked"] == [1, 1]
    assert (shot(step.state).barrel_tried, shot(step.state).jour_tried) == (True, True)
    lucky = play(position("sheriff bart: bang", *seats, deck="Q♥ K♣"), "bang", "B")
    assert told(lucky.events, "checked", "evaded") == ["checked", "evaded"]
    slab = play(position("sheriff slab: bang", *seats, deck="Q♥ K♥"), "bang", "B")
    assert slab.state.reactions == ()


def test_bg_28_every_shot_has_its_own_barrels() -> None:
    """Two shots with a 볼캐닉: two flips."""
    state = position(
        "sheriff bart: bang bang / volcanic", "outlaw rose: / barrel", "outlaw paul:", "renegade kit:", deck="Q♦ Q♥"
    )
    state = hit(play(state, "bang", "B").state, "B").state
    assert play(state, "bang", "B").state.reactions == ()


def test_bg_29_without_auto_barrel_it_is_ones_own_choice() -> None:
    """Real one first, then the ability, then none is left; or cards at once."""
    state = position(
        "sheriff bart: bang",
        "outlaw jourdonnais: missed / barrel",
        "outlaw paul:",
        "renegade kit:",
        deck="Q♦ K♦",
        options=MANUAL,
    )
    state = play(state, "bang", "B").state
    assert legal_types(state, "B") == {"respond", "useBarrel", "takeHit"}
    once = act(state, "B", "useBarrel").state
    assert (shot(once).barrel_tried, shot(once).jour_tried) == (True, False)
    twice = act(once, "B", "useBarrel").state
    assert why(twice, "B", "useBarrel") == "no_barrel"
    assert life(respond(state, "B", "missed").state, "B") == 4
    automatic = position("sheriff bart: bang", "outlaw rose: / barrel", "outlaw paul:", "renegade kit:", deck="Q♦")
    assert why(play(automatic, "bang", "B").state, "B", "useBarrel") == "barrel_automatic"


def test_s5_3_no_barrel_against_indians_and_duel() -> None:
    """Nor any 빗나감!."""
    seats = ("outlaw jourdonnais: missed / barrel", "outlaw paul:", "renegade kit:")
    for name, target in (("indians", None), ("duel", "B")):
        step = play(position("sheriff bart: indians duel", *seats, options=MANUAL), name, target)
        assert "flip" not in told(step.events)
        assert legal_types(step.state, "B") == {"takeHit"}
        assert why(step.state, "B", "useBarrel") == "not_asked"


# ---------------------------------------------------------------- 럭키


def test_bg_30_lucky_picks_one_of_two_in_a_window_of_his_own() -> None:
    """Above the shot, which waits; then the shot has its full time again."""
    state = position("sheriff bart: bang", "outlaw lucky: / barrel", "outlaw paul:", "renegade kit:", deck="Q♦ Q♥")
    state = play(state, "bang", "B").state
    assert windows(state) == [("bang", "B"), ("luckyPick", "B")]
    assert legal_types(state, "B") == {"luckyPick"}
    assert why(state, "B", "takeHit") == "not_asked"
    diamond, heart = GAME.view(state, None)["reactions"][1]["options"]
    evaded = act(state, "B", "luckyPick", cardId=heart["id"])
    assert (evaded.state.reactions, piled(evaded.state)[:3]) == ((), ["bang", "bang", "bang"])
    assert evaded.state.discard[-2:] == (diamond["id"], heart["id"])  # in the order of the turning
    late = act(state, "B", "luckyPick", now=NOW + 9_000, cardId=diamond["id"]).state
    assert windows(late) == [("bang", "B")]
    assert late.reactions[0].deadline == NOW + 9_000 + 15_000
    assert why(state, "B", "luckyPick", cardId=79) == "not_offered"


def test_bg_30_two_hearts_are_one_success() -> None:
    """Against 슬랩 one more is needed."""
    state = position("sheriff slab: bang", "outlaw lucky: / barrel", "outlaw paul:", "renegade kit:", deck="Q♥ K♥")
    state = play(state, "bang", "B").state
    heart = GAME.view(state, None)["reactions"][1]["options"][0]["id"]
    assert shot(act(state, "B", "luckyPick", cardId=heart).state).needed == 1


def test_bg_30_others_windows_stay_live_meanwhile() -> None:
    """A 개틀링 at 럭키 and two others: they answer while he picks."""
    state = position("sheriff bart: gatling", "outlaw lucky: / barrel", "outlaw paul:", "renegade kit:", deck="Q♦ Q♥")
    state = play(state, "gatling").state
    assert windows(state) == [("bang", "B"), ("luckyPick", "B"), ("bang", "C"), ("bang", "D")]
    state = hit(state, "D").state
    assert windows(state) == [("bang", "B"), ("luckyPick", "B"), ("bang", "C")]


def few(deck: str, in_front_of_b: str) -> State:
    """럭키 is to begin a turn; of the deck only this is left, the rest is in C's hand."""
    seats = ("sheriff bart:", f"outlaw lucky: / {in_front_of_b}", "outlaw paul:", "renegade kit:")
    dump = GAME.dump(position(*seats, deck=deck))
    number = len(deck.split())
    rest = len(dump["deck"]) - number
    dump["players"][2]["hand"] += dump["deck"][:rest]
    dump["deck"] = dump["deck"][rest:]
    return act(GAME.load(dump), "A", "endPlay").state


def test_bg_31_lucky_with_one_card_gets_that_one() -> None:
    """No window: the one counts."""
    escaped, jailed = few("Q♥", "jail"), few("Q♦", "jail")
    assert (escaped.turn.player, escaped.turn.phase) == ("B", "draw")
    assert jailed.turn.player == "C"


def test_bg_31_no_card_at_all_satisfies_nothing() -> None:
    """The jail is not escaped; the dynamite does not go off, and passes."""
    assert few("", "jail").turn.player == "C"
    passed = few("", "dynamite")
    assert (in_front(passed, "B"), in_front(passed, "C")) == ([], ["dynamite"])
    assert life(passed, "B") == 4


# ---------------------------------------------------------------- 개틀링, 인디언!


SIX = (
    "sheriff bart: gatling indians bang",
    "outlaw rose: missed bang",
    "outlaw paul 1:",
    "deputy sid: missed bang",
    "outlaw lucky: bang",
    "renegade kit 2:",
)


@pytest.mark.parametrize("order", list(permutations("BCD")))
@pytest.mark.parametrize("name", ["gatling", "indians"])
def test_s10_simultaneous_windows_are_answered_in_any_order(name: str, order: tuple[str, ...]) -> None:
    """Each by itself, as they come; the one whose turn it is may not play before the last."""
    state = position("sheriff willy: gatling indians bang", "outlaw rose: missed bang", "outlaw paul:", "renegade kit:")
    state = play(state, name).state
    assert [player for _, player in windows(state)] == ["B", "C", "D"]
    answers = {"gatling": "missed", "indians": "bang"}
    for number, player in enumerate(order):
        assert refused(attempt(state, "bang", "B"))[0] == "reactions_open"
        state = (respond(state, player, answers[name]) if player == "B" else hit(state, player)).state
        assert [player for _, player in windows(state)] == [p for p in "BCD" if p not in order[: number + 1]]
    assert (life(state, "B"), life(state, "C"), life(state, "D")) == (4, 2, 3)
    assert state.turn.bangs_played == 0
    play(state, "bang", "B")


def test_bg_7_windows_stand_clockwise_from_the_source() -> None:
    """From C's seat: D, E, F, A, B."""
    state = position(*SIX[2:], *SIX[:2], turn="E")
    assert [player for _, player in windows(play(state, "gatling").state)] == ["F", "A", "B", "C", "D"]


def test_bg_8_a_death_in_the_middle_leaves_the_others_open() -> None:
    """C dies of the 개틀링: role, reward and discards at once; the others are still asked."""
    state = play(position(*SIX, deck="beer beer beer"), "gatling").state
    state = hit(state, "C").state
    assert windows(state) == [("bang", "B"), ("dying", "C"), ("bang", "D"), ("bang", "E"), ("bang", "F")]
    step = act(state, "C", "giveUp")
    assert told(step.events, "eliminated", "roleRevealed", "cardsDrawn") == ["eliminated", "roleRevealed", "cardsDrawn"]
    assert kinds(step.state, "A").count("beer") == 3
    assert [player for _, player in windows(step.state)] == ["B", "D", "E", "F"]


def test_s8_a_state_saved_with_two_dying_goes_on() -> None:
    """In the middle of a 개틀링: dump, load, and each of the dying is saved or not, as without."""
    seats = ("sheriff bart: gatling", "outlaw rose 1: beer", "outlaw paul 1:", "deputy sid:", "renegade kit:")
    state = play(position(*seats), "gatling").state
    state = hit(hit(state, "C").state, "B").state
    assert windows(state) == [("dying", "B"), ("dying", "C"), ("bang", "D"), ("bang", "E")]
    loaded = GAME.load(GAME.dump(state))
    assert loaded == state
    loaded = respond(act(loaded, "C", "giveUp").state, "B", "beer").state
    assert (life(loaded, "B"), seat(loaded, "C").alive) == (1, False)
    assert windows(loaded) == [("bang", "D"), ("bang", "E")]


def test_bg_6_whether_beer_saves_can_change_between_two_answers() -> None:
    """Three alive, two of them dying: with the first one gone only two are left, and the 맥주 is worth nothing."""
    seats = ("sheriff bart: gatling", "dead outlaw rose:", "outlaw paul 1: beer", "renegade kit 1: beer")
    state = play(position(*seats), "gatling").state
    state = hit(hit(state, "C").state, "D").state
    assert life(respond(state, "C", "beer").state, "C") == 1
    after = act(state, "D", "giveUp").state
    assert why(after, "C", "respond", cardIds=held(after, "C", "beer")) == "beer_two_left"
    assert legal_types(after, "C") == {"giveUp"}


# ---------------------------------------------------------------- 결투


def duel(state: State) -> Duel:
    found = state.reactions[0]
    assert isinstance(found, Duel)
    return found


def test_s10_a_duel_goes_to_and_fro() -> None:
    """A challenges B: B 뱅!, A 뱅!, B gives in and loses one."""
    state = position("sheriff bart: duel bang", "outlaw rose: bang", "outlaw paul:", "renegade kit:")
    state = play(state, "duel", "B").state
    assert (duel(state).actor, duel(state).other) == ("B", "A")
    assert GAME.legal(state, "A") == []
    state = respond(state, "B", "bang").state
    assert (duel(state).actor, duel(state).other) == ("A", "B")
    state = respond(state, "A", "bang").state
    state = hit(state, "B").state
    assert (life(state, "B"), life(state, "A"), state.reactions) == (3, 5, ())
    assert state.turn.bangs_played == 0


def test_s10_who_gives_in_first_loses_and_the_other_is_the_killer() -> None:
    """Each way round; with each, the winner has the reward or the penalty."""
    seats = ("outlaw paul 1: duel", "sheriff bart: bang", "outlaw rose:", "renegade kit:")
    state = play(position(*seats, deck="beer beer beer"), "duel", "B").state
    state = hit(respond(state, "B", "bang").state, "A").state
    assert windows(state) == [("dying", "A")]
    after = act(state, "A", "giveUp").state  # BG-16: the one who began it dies, and the target is rewarded
    assert kinds(after, "B") == ["beer", "beer", "beer"]
    other = position("sheriff bart: duel", "outlaw paul 1:", "outlaw rose:", "renegade kit:", deck="beer beer beer")
    other = act(hit(play(other, "duel", "B").state, "B").state, "B", "giveUp").state
    assert kinds(other, "A") == ["beer", "beer", "beer"]


def test_bg_16_the_sheriff_as_target_of_a_duel_that_kills_a_deputy_is_penalised() -> None:
    """The deputy challenged and lost: the sheriff discards everything (BG-14)."""
    seats = ("deputy paul 1: duel", "sheriff bart: bang beer / barrel", "outlaw rose:", "outlaw kit:", "renegade sid:")
    state = play(position(*seats), "duel", "B").state
    state = act(hit(respond(state, "B", "bang").state, "A").state, "A", "giveUp").state
    assert (kinds(state, "B"), in_front(state, "B")) == ([], [])


def test_bg_55_the_turn_of_one_who_dies_in_a_duel_is_over() -> None:
    """The next living player's turn begins, after the reward."""
    seats = ("outlaw paul 1: duel", "sheriff bart: bang", "outlaw rose:", "renegade kit:")
    state = play(position(*seats), "duel", "D").state
    state = play(position("outlaw paul 1: duel", "sheriff bart: bang", *seats[2:]), "duel", "B").state
    step = act(hit(respond(state, "B", "bang").state, "A").state, "A", "giveUp")
    assert (step.state.turn.player, step.state.turn.bangs_played, step.state.turn.phase) == ("B", 0, "draw")
    assert told(step.events, "cardsDrawn", "turnStarted") == ["cardsDrawn", "turnStarted"]


# ---------------------------------------------------------------- 잡화점


def test_s10_the_store_goes_round_from_whoever_played_it() -> None:
    """As many cards as are alive; each takes one in turn; the last too is asked (BG-40)."""
    seats = ("sheriff bart: generalStore", "dead outlaw paul:", "outlaw rose:", "renegade kit:")
    state = play(position(*seats, deck="beer duel saloon"), "generalStore").state
    shown = GAME.view(state, None)["reactions"][0]
    assert [card["face"].split()[0] for card in shown["revealed"]] == ["물약", "결투", "모두의"]
    assert shown["order"] == ["A", "C", "D"]
    assert "generalStore" not in piled(state)  # until after its effect (BG-41)
    assert why(state, "C", "storePick", cardId=shown["revealed"][0]["id"]) == "not_your_turn"
    assert why(state, "A", "storePick", cardId=0) == "not_offered"
    for player, name in (("A", "duel"), ("C", "saloon"), ("D", "beer")):
        assert windows(state) == [("store", player)]
        offered = {card["face"].split()[0]: card["id"] for card in GAME.view(state, None)["reactions"][0]["revealed"]}
        word = {"duel": "결투", "saloon": "모두의", "beer": "물약"}[name]
        state = act(state, player, "storePick", cardId=offered[word]).state
    assert [kinds(state, player) for player in "ACD"] == [["duel"], ["saloon"], ["beer"]]
    assert (state.reactions, piled(state)) == ((), ["generalStore"])


def test_s10_the_store_at_the_deadline_gives_the_first() -> None:
    """And the next is asked with full time."""
    state = play(position("sheriff bart: generalStore", *SOLO, deck="beer duel saloon gatling"), "generalStore").state
    due = GAME.deadline(state)
    assert due is not None
    after = GAME.timeout(state, due).state
    assert (kinds(after, "A"), windows(after)) == (["beer"], [("store", "B")])
    assert GAME.deadline(after) == due + 15_000


def test_bg_40_a_store_of_fewer_cards_than_players() -> None:
    """What there is, in order, until none is left; with none at all it is over at once."""
    dump = GAME.dump(position("sheriff bart: generalStore", *SOLO))
    dump["players"][1]["hand"] += dump["deck"][:-2]
    dump["deck"] = dump["deck"][-2:]
    state = play(GAME.load(dump), "generalStore").state
    for player in "AB":
        assert windows(state) == [("store", player)]
        state = act(state, player, "storePick", cardId=state.reactions[0].revealed[0]).state  # type: ignore[union-attr]
    assert (state.reactions, piled(state)) == ((), ["generalStore"])
    dump["players"][1]["hand"] += dump["deck"]
    dump["deck"] = []
    assert play(GAME.load(dump), "generalStore").state.reactions == ()


# ---------------------------------------------------------------- 빈사


def test_s10_as_many_beers_as_the_life_is_short() -> None:
    """At −1 two; neither one nor three."""
    state = dying_by_dynamite("outlaw rose 2: beer beer beer")
    cards = held(state, "B", "beer", "beer", "beer")
    assert life(state, "B") == -1
    assert why(state, "B", "respond", cardIds=cards[:1]) == "wrong_count"
    assert why(state, "B", "respond", cardIds=cards) == "wrong_count"
    after = respond(state, "B", "beer", "beer").state
    assert (life(after, "B"), kinds(after, "B")) == (1, ["beer"])
    assert (after.turn.player, after.turn.phase) == ("B", "draw")


def dying_by_dynamite(victim: str, **more: object) -> State:
    """B is to begin a turn with a dynamite that goes off."""
    cards = victim if " / " in victim else f"{victim} / dynamite"
    state = position("sheriff bart:", cards, "outlaw paul:", "renegade kit:", deck="5♠", **more)  # type: ignore[arg-type]
    return act(state, "A", "endPlay").state


def test_s10_with_two_left_no_beer_saves() -> None:
    """Dying is being eliminated, then."""
    state = position("sheriff bart: bang", "dead outlaw rose:", "dead outlaw paul:", "renegade kit 1: beer")
    state = hit(play(state, "bang", "D").state, "D").state
    assert why(state, "D", "respond", cardIds=held(state, "D", "beer")) == "beer_two_left"
    assert legal_types(state, "D") == {"giveUp"}
    assert act(state, "D", "giveUp").state.winner == "law"


def test_bg_49_every_window_opens_for_its_full_time_whatever_the_hand() -> None:
    """A target without cards is asked like any other; one dying without 맥주 too."""
    full = position("sheriff bart: bang", "outlaw rose 1: missed beer", "outlaw paul:", "renegade kit:")
    empty = position("sheriff bart: bang", "outlaw rose 1:", "outlaw paul:", "renegade kit:")
    for state in (full, empty):
        asked = play(state, "bang", "B").state
        assert GAME.deadline(asked) == NOW + 15_000
        dying = hit(asked, "B").state
        assert (windows(dying), GAME.deadline(dying)) == ([("dying", "B")], NOW + 15_000)


# ---------------------------------------------------------------- 시드


def test_bg_2_where_sid_may_heal() -> None:
    """In his play phase and where he is asked; nowhere else."""
    hurt = "sid 2: bang bang beer"
    own = position(f"sheriff {hurt}", *SOLO)
    assert life(heal(own, "A", "bang", "bang").state, "A") == 3
    two = {"cardIds": held(own, "A", "bang", "beer")}
    for phase in ("draw", "discard"):
        assert why(position(f"sheriff {hurt}", *SOLO, phase=phase), "A", "sidHeal", **two) == "heal_not_now"
    assert why(position("sheriff bart:", f"outlaw {hurt}", *SOLO[1:]), "B", "sidHeal", **two) == "heal_not_now"
    assert why(position("sheriff sid: bang bang", *SOLO), "A", "sidHeal", cardIds=[1, 2]) == "heal_full"
    assert why(own, "B", "sidHeal", **two) == "heal_not_yours"
    assert why(own, "A", "sidHeal", cardIds=two["cardIds"][:1]) == "wrong_count"
    assert why(own, "A", "sidHeal", cardIds=[two["cardIds"][0]] * 2) == "same_card_twice"


def test_bg_2_in_each_kind_of_window_and_only_as_the_one_asked() -> None:
    """뱅!, 인디언!, the duel's actor, the store's picker; not the duel's other."""
    seats = ("outlaw sid 2: bang bang beer", "outlaw paul: bang", "renegade kit:")
    for name, target in (("bang", "B"), ("gatling", None), ("indians", None), ("duel", "B")):
        state = play(position(f"sheriff bart: {name}", *seats), name, target).state
        before = state.reactions
        step = heal(state, "B", "bang", "beer")
        assert (life(step.state, "B"), step.state.reactions) == (3, before)  # neither closed nor longer (BG-3)
    dueling = play(position("sheriff bart: duel bang", *seats), "duel", "B").state
    dueling = respond(dueling, "B", "bang").state
    assert why(dueling, "B", "sidHeal", cardIds=held(dueling, "B", "bang", "beer")) == "heal_not_now"
    store = play(position("sheriff bart: generalStore", *seats), "generalStore").state
    assert why(store, "B", "sidHeal", cardIds=held(store, "B", "bang", "beer")) == "heal_not_now"
    store = act(store, "A", "storePick", cardId=store.reactions[0].revealed[0]).state  # type: ignore[union-attr]
    assert life(heal(store, "B", "bang", "beer").state, "B") == 3


def test_bg_2_sid_heals_in_his_own_play_phase_while_others_are_asked() -> None:
    """8.2 asks for no empty reactions here."""
    state = play(position("sheriff sid 2: bang beer gatling", *SOLO), "gatling").state
    after = heal(state, "A", "bang", "beer").state
    assert (life(after, "A"), len(after.reactions)) == (3, 3)


def test_bg_3_the_missed_he_needed_may_be_gone() -> None:
    """The window stays, without an answer."""
    state = position("sheriff bart: bang", "outlaw sid 2: missed beer", "outlaw paul:", "renegade kit:")
    state = heal(play(state, "bang", "B").state, "B", "missed", "beer").state
    assert legal_types(state, "B") == {"takeHit"}


def test_bg_4_dying_sid_mixes_pairs_and_beers() -> None:
    """At −1: one pair, then exactly one 맥주; and with two left pairs alone work."""
    state = dying_by_dynamite("outlaw sid 2: bang bang beer")
    once = heal(state, "B", "bang", "bang").state
    assert (life(once, "B"), windows(once)) == (0, [("dying", "B")])
    assert life(respond(once, "B", "beer").state, "B") == 1
    two = position("sheriff bart: bang", "dead outlaw rose:", "dead outlaw paul:", "renegade sid 1: beer beer")
    two = hit(play(two, "bang", "D").state, "D").state
    saved = heal(two, "D", "beer", "beer").state
    assert (life(saved, "D"), saved.reactions) == (1, ())


# ---------------------------------------------------------------- in whatever order they come


@pytest.mark.parametrize("order", list(permutations("BCDE")))
def test_bg_10_who_gives_up_first_decides_in_every_order(order: tuple[str, ...]) -> None:
    """The renegade's 개틀링, everybody dying: he wins alone where the sheriff goes last, and else the outlaws do."""
    seats = ("renegade rose: gatling", "outlaw bart 1:", "sheriff kit 1:", "deputy sid 1:", "outlaw paul 1:")
    state = play(position(*seats), "gatling").state
    for player in reversed(order):  # hits in the other order: it is the deaths that count
        state = hit(state, player).state
    assert windows(state) == [("dying", player) for player in "BCDE"]
    for number, player in enumerate(order, start=1):
        step = act(state, player, "giveUp")
        state = step.state
        assert state.death_order == order[:number]
        if player == "C":
            break
    assert state.winner == ("renegade" if order[-1] == "C" else "outlaws")
    assert (state.reactions, GAME.deadline(state)) == ((), None)


@pytest.mark.parametrize("order", list(permutations("BCD")))
def test_bg_11_bg_12_loot_goes_by_the_order_of_deaths(order: tuple[str, ...]) -> None:
    """벌처 (D) dies too: he has what died before him, the discards what dies after him."""
    seats = ("sheriff bart: gatling", "outlaw sid 1: duel", "outlaw kit 1: saloon", "renegade vulture 1: panic")
    state = play(position(*seats), "gatling").state
    for player in order:
        state = act(hit(state, player).state, player, "giveUp").state
        for loot, owner in (("duel", "B"), ("saloon", "C")):
            if player == owner and seat(state, "D").alive:
                assert loot in kinds(state, "D")
    assert state.winner == "law"
    assert sorted(set(piled(state)) - {"gatling"}) == ["duel", "panic", "saloon"]


@pytest.mark.parametrize("order", list(permutations(["pick", "hit C", "miss D"])))
def test_bg_30_a_pick_and_the_others_answers_in_any_order(order: tuple[str, ...]) -> None:
    """럭키's flip lies in his own shot: the others need not wait for it, nor he for them."""
    seats = ("sheriff bart: gatling", "outlaw lucky: / barrel", "outlaw paul:", "renegade kit: missed")
    state = play(position(*seats, deck="Q♥ Q♦"), "gatling").state
    heart = held_back(state)
    for answer in order:
        if answer == "pick":
            state = act(state, "B", "luckyPick", cardId=heart).state
        else:
            state = (hit(state, "C") if answer == "hit C" else respond(state, "D", "missed")).state
    assert (life(state, "B"), life(state, "C"), life(state, "D")) == (4, 2, 4)
    assert state.reactions == ()


def held_back(state: State) -> int:
    """The heart among two flipped cards."""
    (pick,) = (window for window in state.reactions if isinstance(window, LuckyPick))
    return next(card for card in pick.options if CARDS[card].suit == "H")
