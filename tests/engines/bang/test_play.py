"""Distance, range, and what may be played at whom (5.1, 5.2.4, 5.3, 8.2)."""

from __future__ import annotations

import pytest

from engines.bang import GAME
from engines.bang.table import Table
from tests.engines.bang.positions import (
    NOW,
    SOLO,
    act,
    attempt,
    held,
    hit,
    in_front,
    kinds,
    life,
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

FIVE = ("outlaw kit:", "outlaw lucky:", "renegade sid:", "deputy bart:")


def distance(state: object, one: str, other: str) -> int:
    return Table(state).distances(one)[other]  # type: ignore[arg-type]


# ---------------------------------------------------------------- distance (5.1)


def test_s5_1_the_documents_example() -> None:
    """Five players: A→C is 2; with C's mustang 3; with A's scope 2; 레밍턴 reaches 3, 스코필드 does not."""
    assert distance(position("sheriff willy:", *FIVE), "A", "C") == 2
    mustang = ("outlaw kit:", "outlaw lucky: / mustang", *FIVE[2:])
    assert distance(position("sheriff willy:", *mustang), "A", "C") == 3
    assert distance(position("sheriff willy: / scope", *mustang), "A", "C") == 2
    far = position("sheriff willy: bang / schofield", *mustang)
    assert refused(attempt(far, "bang", "C")) == ("out_of_range", "사거리가 닿지 않습니다(거리 3, 사거리 2)")
    play(position("sheriff willy: bang / remington", *mustang), "bang", "C")


def test_s5_1_s10_the_dead_are_not_counted() -> None:
    """With B dead A→C is 1."""
    assert distance(position("sheriff willy:", "dead outlaw kit:", *FIVE[1:]), "A", "C") == 1


def test_s5_1_s10_mustang_and_paul_scope_and_rose_add_up_never_below_1() -> None:
    """+2 for who looks at a 폴 with a 머스탱, −2 for a 로즈 with a 조준경."""
    paul = position("sheriff willy:", "outlaw paul: / mustang", "outlaw rose: / scope", *FIVE[2:])
    assert distance(paul, "A", "B") == 3
    assert distance(paul, "B", "A") == 1
    assert distance(paul, "C", "B") == 1  # 1 + 2 − 2
    assert distance(paul, "C", "A") == 1  # 2 − 2, never below 1


def test_s5_1_the_shorter_way_round() -> None:
    """Seven players: 1, 2, 3, 3, 2, 1."""
    state = position("sheriff willy:", *FIVE, "outlaw vulture:", "deputy slab:")
    assert [distance(state, "A", other) for other in "BCDEFG"] == [1, 2, 3, 3, 2, 1]


def test_s5_3_panic_looks_at_the_distance_whatever_the_weapon() -> None:
    """Within 1; 캣 벌루 and 결투 at any distance."""
    state = position("sheriff willy: panic catBalou duel / winchester", *FIVE[:3], "deputy bart: beer")
    state2 = position("sheriff willy: panic catBalou duel / winchester", "outlaw kit:", "outlaw lucky: beer", *FIVE[2:])
    assert refused(attempt(state2, "panic", "C", "hand")) == (
        "too_far",
        "거리 1 이내의 플레이어만 고를 수 있습니다(거리 2)",
    )
    play(state2, "catBalou", "C", "hand")
    play(state2, "duel", "C")
    play(state, "panic", "E", "hand")


# ---------------------------------------------------------------- 뱅! (5.2.4)


def test_s10_the_second_bang_of_a_turn_is_refused() -> None:
    """With the document's sentence; a new turn begins at none."""
    state = play(position("sheriff bart: bang bang", "outlaw rose:", *SOLO[:1], "renegade kit:"), "bang", "B").state
    state = hit(state, "B").state
    assert refused(attempt(state, "bang", "B")) == ("bang_used", "이번 턴에는 사격을 이미 썼습니다")
    original = position("sheriff bart: bang", *SOLO, options={"names": "original"}, bangsPlayed=1)
    assert refused(attempt(original, "bang", "D")) == ("bang_used", "이번 턴에는 뱅!을 이미 썼습니다")
    assert act(state, "A", "endPlay").state.turn.bangs_played == 0


@pytest.mark.parametrize("who", ["sheriff willy: bang bang", "sheriff bart: bang bang / volcanic"])
def test_s10_volcanic_and_willy_have_no_limit(who: str) -> None:
    """As many as there are."""
    state = position(who, "outlaw rose:", *SOLO[:1], "renegade kit:")
    state = hit(play(state, "bang", "B").state, "B").state
    state = hit(play(state, "bang", "B").state, "B").state
    assert life(state, "B") == 2


def test_bg_47_the_limit_looks_at_what_lies_there_now() -> None:
    """Two shots with the 볼캐닉, then a 스코필드 over it: a third is refused."""
    state = position("sheriff bart: bang bang bang schofield / volcanic", "outlaw rose:", *SOLO[:1], "renegade kit:")
    for _ in range(2):
        state = hit(play(state, "bang", "B").state, "B").state
    state = play(state, "schofield").state
    assert refused(attempt(state, "bang", "B"))[0] == "bang_used"


def test_s3_2_s10_calamitys_missed_as_bang_counts() -> None:
    """It is a shot like any other: one a turn, and after it neither kind."""
    state = position("sheriff calamity: missed missed bang", "outlaw rose:", *SOLO[:1], "renegade kit:")
    step = play(state, "missed", "B", **{"as": "bang"})
    assert windows(step.state) == [("bang", "B")]
    after = hit(step.state, "B").state
    assert after.turn.bangs_played == 1
    assert refused(attempt(after, "missed", "B", **{"as": "bang"}))[0] == "bang_used"
    assert refused(attempt(after, "bang", "B"))[0] == "bang_used"


def test_bg_46_what_as_may_say() -> None:
    """Never `missed`; only a 빗나감! of 캘러미티; and she has to say it."""
    calamity = position("sheriff calamity: missed bang", *SOLO)
    assert refused(attempt(calamity, "missed", "B"))[0] == "missed_is_reaction"
    assert refused(attempt(calamity, "missed", "B", **{"as": "missed"}))[0] == "missed_is_reaction"
    assert refused(attempt(calamity, "bang", "D", **{"as": "missed"}))[0] == "as_not_allowed"
    assert refused(attempt(calamity, "bang", "D", **{"as": "bang"}))[0] == "as_not_allowed"
    other = position("sheriff bart: missed", *SOLO)
    assert refused(attempt(other, "missed", "D", **{"as": "bang"}))[0] == "as_not_allowed"
    assert refused(attempt(other, "missed"))[0] == "missed_is_reaction"
    assert not [action for action in GAME.legal(other, "A") if action["type"] == "play"]


# ---------------------------------------------------------------- targets


def test_s8_2_targets_are_living_others() -> None:
    """Named where one is needed, and not where none is."""
    state = position(
        "sheriff willy: bang beer duel", "dead outlaw paul:", *SOLO[1:], options={"beerAtFullHealth": "on"}
    )
    assert refused(attempt(state, "bang"))[0] == "target_missing"
    assert refused(attempt(state, "bang", "A"))[0] == "target_self"
    assert refused(attempt(state, "bang", "B"))[0] == "target_gone"
    assert refused(attempt(state, "duel", "nobody"))[0] == "target_gone"
    assert refused(attempt(state, "beer", "C"))[0] == "target_stray"
    assert refused(attempt(state, "bang", "C", "hand"))[0] == "target_card_stray"
    assert refused(attempt(state, "beer", targetCard="hand"))[0] == "target_card_stray"


def test_s8_2_only_own_cards_on_own_turn() -> None:
    """Not another's card, not another's turn, not in another phase."""
    state = position("sheriff willy: bang", *SOLO)
    theirs = held(state, "D", "bang")[0]
    assert why(state, "A", "play", cardId=theirs, target="D") == "no_such_card"
    assert why(state, "D", "play", cardId=theirs, target="A") == "not_your_turn"
    drawing = position("sheriff willy: bang", *SOLO, phase="draw")
    assert why(drawing, "A", "play", cardId=held(drawing, "A", "bang")[0], target="D") == "wrong_phase"
    assert why(drawing, "A", "endPlay") == "wrong_phase"
    assert why(state, "A", "draw") == "wrong_phase"


def test_bg_35_panic_and_cat_need_a_card_to_take() -> None:
    """The hand only where there is one; a card that lies there, jail and dynamite too; never somebody else's."""
    others = ("outlaw rose: / jail", "outlaw lucky:", "renegade kit: beer / dynamite")
    state = position("sheriff willy: panic catBalou bang", *others)
    assert refused(attempt(state, "panic", "B", "hand"))[0] == "target_hand_empty"
    assert refused(attempt(state, "panic", "B"))[0] == "target_card_missing"
    assert refused(attempt(state, "catBalou", "C", "hand"))[0] == "target_has_none"
    dynamite = seat(state, "D").in_play[0]
    wrong = {"cardId": held(state, "A", "panic")[0], "target": "B", "targetCard": dynamite}
    assert why(state, "A", "play", **wrong) == "target_card_gone"
    after = play(state, "panic", "B", "jail").state
    assert (in_front(after, "B"), kinds(after, "A")) == ([], ["bang", "catBalou", "jail"])
    after = play(state, "catBalou", "D", "dynamite").state
    assert (in_front(after, "D"), piled(after)) == ([], ["catBalou", "dynamite"])


def test_s5_3_panic_takes_and_cat_discards_a_random_card_of_the_hand() -> None:
    """Over some seeds every card of the hand has been the one."""
    taken, struck = set(), set()
    for n in range(30):
        state = position("sheriff willy: panic catBalou", *SOLO[:2], "renegade kit: bang beer saloon")
        state = GAME.load({**GAME.dump(state), "rng": GAME.dump(state)["rng"] | {"counter": n}})
        (card,) = set(kinds(play(state, "panic", "D", "hand").state, "A")) - {"catBalou"}
        taken.add(card)
        struck.add(piled(play(state, "catBalou", "D", "hand").state)[1])
    assert taken == struck == {"bang", "beer", "saloon"}


def test_s5_3_self_is_no_target_of_panic_and_cat() -> None:
    """By the plain rules."""
    state = position("sheriff willy: panic catBalou / dynamite", *SOLO)
    for name in ("panic", "catBalou"):
        assert refused(attempt(state, name, "A", "dynamite"))[0] == "target_self"


def test_bg_36_self_target_house_rule() -> None:
    """Only what lies in front, never the own hand; 패닉! sees no distance to oneself."""
    options = {"selfTargetCatBalou": "on"}
    state = position("sheriff willy: panic catBalou / dynamite mustang", *SOLO, options=options)
    assert refused(attempt(state, "panic", "A", "hand"))[0] == "own_hand"
    assert in_front(play(state, "catBalou", "A", "dynamite").state, "A") == ["mustang"]
    assert kinds(play(state, "panic", "A", "mustang").state, "A") == ["catBalou", "mustang"]
    bare = position("sheriff willy: panic bang", *SOLO, options=options)
    assert refused(attempt(bare, "panic", "A", "hand"))[0] == "target_has_none"
    assert refused(attempt(state, "panic", "A"))[0] == "target_card_missing"


def test_s5_3_bg_59_jail() -> None:
    """Not the sheriff, not oneself, not one who is jailed; several others may be."""
    state = position("outlaw willy: jail jail", "sheriff paul:", "outlaw rose: / jail", "renegade kit:")
    assert refused(attempt(state, "jail", "B")) == ("jail_sheriff", "보안관은 감옥에 넣을 수 없습니다")
    assert refused(attempt(state, "jail", "C"))[0] == "jailed_already"
    assert refused(attempt(state, "jail", "A"))[0] == "target_self"
    assert in_front(play(state, "jail", "D").state, "D") == ["jail"]


# ---------------------------------------------------------------- blue cards


def test_s5_2_4_one_blue_card_of_a_name() -> None:
    """A second 술통 or 머스탱 is refused, dynamite too."""
    state = position("sheriff willy: barrel mustang scope dynamite / barrel mustang", *SOLO)
    assert refused(attempt(state, "barrel"))[0] == "same_in_play"
    assert refused(attempt(state, "mustang"))[0] == "same_in_play"
    after = play(play(state, "scope").state, "dynamite").state
    assert in_front(after, "A") == ["barrel", "mustang", "scope", "dynamite"]


def test_bg_37_a_new_weapon_replaces_the_old_also_of_the_same_name() -> None:
    """The old one is discarded; other blue cards stay."""
    state = position("sheriff willy: schofield schofield / scope schofield", *SOLO)
    after = play(state, "schofield").state
    assert (in_front(after, "A"), piled(after)) == (["scope", "schofield"], ["schofield"])


# ---------------------------------------------------------------- 맥주, 살롱


def test_s5_2_4_beer_is_blocked_at_full_life_and_with_two_left() -> None:
    """With the reason; it heals one otherwise."""
    assert refused(attempt(position("sheriff willy: beer", *SOLO), "beer")) == (
        "beer_full",
        "생명이 가득해서 물약을 쓸 수 없습니다",
    )
    hurt = position("sheriff willy 3: beer", *SOLO)
    assert life(play(hurt, "beer").state, "A") == 4
    two = position("sheriff willy 3: beer", "dead outlaw paul:", "dead outlaw rose:", "renegade kit:")
    assert refused(attempt(two, "beer"))[0] == "beer_two_left"


def test_bg_38_beer_at_full_health_lifts_only_that_block() -> None:
    """Played for nothing at full life; with two left still not."""
    options = {"beerAtFullHealth": "on"}
    after = play(position("sheriff willy: beer", *SOLO, options=options), "beer").state
    assert (life(after, "A"), piled(after)) == (5, ["beer"])
    dead = ("dead outlaw paul:", "dead outlaw rose:", "renegade kit:")
    assert refused(attempt(position("sheriff willy: beer", *dead, options=options), "beer"))[0] == "beer_two_left"


def test_s10_saloon_heals_everybody_also_with_two_left() -> None:
    """Up to the maximum, the dead not."""
    state = position("sheriff willy 3: saloon", "outlaw paul 1:", "dead outlaw rose:", "renegade kit:")
    after = play(state, "saloon").state
    assert [life(after, player) for player in "ABCD"] == [4, 2, 0, 4]
    two = position("sheriff willy 3: saloon", "dead outlaw paul:", "dead outlaw rose:", "renegade kit 1:")
    assert [life(play(two, "saloon").state, player) for player in "AD"] == [4, 2]


def test_bg_39_saloon_with_nobody_hurt() -> None:
    """Still played."""
    assert piled(play(position("sheriff willy: saloon", *SOLO), "saloon").state) == ["saloon"]


def test_s5_3_stagecoach_and_wells_fargo() -> None:
    """Two and three from the top."""
    state = position("sheriff willy: stagecoach wellsFargo", *SOLO, deck="beer duel saloon gatling panic")
    after = play(state, "stagecoach").state
    assert kinds(after, "A") == ["beer", "duel", "wellsFargo"]
    assert kinds(play(after, "wellsFargo").state, "A") == ["beer", "duel", "gatling", "panic", "saloon"]


# ---------------------------------------------------------------- the discard phase (5.2.5)


def test_s5_2_5_bg_56_the_hand_may_hold_the_life_there_is_now() -> None:
    """At endPlay: what is over is chosen and discarded; exactly so many."""
    state = position("sheriff willy 2: bang beer duel saloon", *SOLO)
    state = act(state, "A", "endPlay").state
    assert state.turn.phase == "discard"
    cards = held(state, "A", "bang", "beer", "duel")
    assert why(state, "A", "discard", cardIds=cards[:1]) == "wrong_count"
    assert why(state, "A", "discard", cardIds=cards) == "wrong_count"
    assert why(state, "A", "discard", cardIds=[cards[0], cards[0]]) == "same_card_twice"
    assert why(state, "A", "discard", cardIds=[cards[0], held(state, "B", "bang")[0]]) == "no_such_card"
    step = act(state, "A", "discard", cardIds=cards[1:])
    assert (kinds(step.state, "A"), step.state.turn.player) == (["bang", "saloon"], "B")
    assert piled(step.state) == ["duel", "beer"]  # in the order said, the last on top (BG-43)
    assert act(position("sheriff willy 2: bang beer", *SOLO), "A", "endPlay").state.turn.player == "B"


def test_s5_2_one_who_heals_may_keep_more() -> None:
    """The life at endPlay counts, not that at the start of the turn."""
    state = play(position("sheriff willy 2: beer bang duel saloon", *SOLO), "beer").state
    assert act(state, "A", "endPlay").state.turn.player == "B"


def test_bg_41_when_a_played_card_is_discarded() -> None:
    """With an empty deck: 역마차 draws from the discards without being among them; a 뱅! is in them at once."""
    state = position("sheriff willy: stagecoach", *SOLO, rest="discard", deck="beer")
    after = play(state, "stagecoach").state
    assert "stagecoach" not in [*kinds(after, "A")]
    assert piled(after) == ["stagecoach"]
    shot = play(position("sheriff suzy: bang", *SOLO, rest="discard", deck="beer"), "bang", "D")
    assert told(shot.events, "cardPlayed", "reshuffled", "cardsDrawn") == ["cardPlayed", "reshuffled", "cardsDrawn"]
    assert piled(shot.state) == []  # the 뱅! was shuffled with the rest: 수지 drew the last card while it lay there


def test_s8_2_responding_when_nobody_asks_is_refused() -> None:
    """With a reason for each."""
    state = position("sheriff willy: bang missed", *SOLO)
    for kind, fields in (
        ("respond", {"cardIds": held(state, "A", "missed")}),
        ("takeHit", {}),
        ("giveUp", {}),
        ("useBarrel", {}),
        ("storePick", {"cardId": 1}),
        ("luckyPick", {"cardId": 1}),
        ("kitKeep", {"keep": [1, 2]}),
        ("pickCharacter", {"character": "bart"}),
    ):
        assert why(state, "A", kind, **fields) == "not_asked"
        assert why(state, "B", kind, **fields) == "not_your_turn"
    assert why(state, "nobody", "endPlay") == "not_playing"
    dead = position("sheriff willy:", "dead outlaw paul:", *SOLO[1:])
    assert why(dead, "B", "endPlay") == "eliminated"


def test_s8_2_a_refused_action_changes_nothing() -> None:
    """The state is as it was, to the byte."""
    state = position("sheriff willy: bang missed", *SOLO)
    before = GAME.dump(state)
    attempt(state, "bang", "C")
    attempt(state, "missed")
    GAME.apply(state, "A", {"type": "respond", "cardIds": []}, NOW)
    assert GAME.dump(state) == before


def test_s5_2_the_response_is_part_of_no_turn() -> None:
    """One who answered with a 뱅! in another's duel has still the own 뱅! to play."""
    state = position("sheriff bart: duel", *SOLO[:2], "renegade kit: bang bang")
    state = play(state, "duel", "D").state
    state = respond(state, "D", "bang").state
    state = hit(state, "A").state
    assert state.turn.bangs_played == 0
