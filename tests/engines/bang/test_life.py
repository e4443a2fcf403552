"""Losing life, dying, rewards, what is left behind, and winning (5.5, 5.6, 6)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.bang import GAME
from engines.bang.state import State
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
    life,
    piled,
    play,
    position,
    refused,
    respond,
    seat,
    told,
    windows,
)

EARLY = {"drawBeforeDeath": "on"}


def shoot(state: State, target: str) -> State:
    """A's 뱅! at this player, who takes it."""
    return hit(play(state, "bang", target).state, target).state


def kill(state: State, target: str) -> Any:
    """The same at one life, and giving up."""
    return act(shoot(state, target), target, "giveUp")


def blow_up(victim: str, **more: Any) -> Any:
    """B begins a turn with a dynamite that goes off."""
    victim = victim if " / " in victim else f"{victim} / dynamite"
    deck = f"5♠ {more.pop('deck', '')}".strip()
    return act(
        position("sheriff rose: bang", victim, "outlaw paul:", "renegade kit:", deck=deck, **more), "A", "endPlay"
    )


# ---------------------------------------------------------------- 바트, 엘 그링고 (5.5)


def test_s3_2_bart_draws_for_a_life() -> None:
    """One for one."""
    state = shoot(position("sheriff rose: bang", "outlaw bart:", *SOLO[:1], "renegade kit:", deck="beer"), "B")
    assert kinds(state, "B") == ["beer"]


def test_bg_20_bart_draws_every_point_after_survival() -> None:
    """Three for a dynamite, though two were healed; nothing before."""
    step = blow_up("outlaw bart 2: beer beer", deck="duel duel saloon")
    assert (life(step.state, "B"), kinds(step.state, "B")) == (-1, ["beer", "beer"])
    after = respond(step.state, "B", "beer", "beer").state
    assert (life(after, "B"), kinds(after, "B")) == (1, ["duel", "duel", "saloon"])
    alive = blow_up("outlaw bart 4:", deck="duel duel saloon").state
    assert (life(alive, "B"), kinds(alive, "B")) == (1, ["duel", "duel", "saloon"])


def test_s5_5_the_dead_use_no_abilities() -> None:
    """바트 who dies draws nothing."""
    step = kill(position("sheriff rose: bang", "outlaw bart 1:", *SOLO[:1], "renegade kit:", deck="♦ ♦ ♦ beer"), "B")
    assert told(step.events, "cardsDrawn") == ["cardsDrawn"]  # the reward alone


def test_bg_21_draw_before_death_draws_once_and_may_save() -> None:
    """바트 draws the 맥주 that saves him; not again after survival; what he has when he dies anyway is discarded."""
    seats = ("outlaw bart 1:", *SOLO[:1], "renegade kit:")
    state = shoot(position("sheriff rose: bang", *seats, deck="beer duel", options=EARLY), "B")
    assert (kinds(state, "B"), windows(state)) == (["beer"], [("dying", "B")])
    after = respond(state, "B", "beer").state
    assert (life(after, "B"), kinds(after, "B")) == (1, [])
    dead = act(state, "B", "giveUp").state
    assert "beer" in piled(dead)


def test_bg_21_draw_before_death_robs_before_the_window() -> None:
    """엘 그링고 takes the attacker's last card, a 맥주, and lives by it."""
    state = position("sheriff rose: bang beer", "outlaw elGringo 1:", *SOLO[:1], "renegade kit:", options=EARLY)
    state = shoot(state, "B")
    assert (kinds(state, "A"), kinds(state, "B")) == ([], ["beer"])
    assert life(respond(state, "B", "beer").state, "B") == 1


def test_s10_el_gringo_robs_the_attacker() -> None:
    """One random card; only the two see it (BG-57); nothing where the hand is empty."""
    state = play(position("sheriff rose: bang beer", "outlaw elGringo:", *SOLO[:1], "renegade kit:"), "bang", "B").state
    step = hit(state, "B")
    assert (kinds(step.state, "A"), kinds(step.state, "B")) == ([], ["beer"])
    (seen,) = [event for event in step.events if event["type"] == "takenCardSeen"]
    assert seen["audience"] == ["B", "A"]
    empty = shoot(position("sheriff rose: bang", "outlaw elGringo:", *SOLO[:1], "renegade kit:"), "B")
    assert kinds(empty, "B") == []


def test_s10_el_gringo_and_dynamite() -> None:
    """Nobody is robbed."""
    state = blow_up("outlaw elGringo 2: beer beer").state
    after = respond(state, "B", "beer", "beer").state
    assert kinds(after, "A") == ["bang"]


@pytest.mark.parametrize("name", ["gatling", "indians"])
def test_bg_19_el_gringo_robs_once_a_hit_of_any_kind(name: str) -> None:
    """개틀링 and 인디언! too."""
    state = position(f"sheriff rose: {name} beer duel", "outlaw elGringo:", *SOLO[:1], "renegade kit:")
    after = hit(play(state, name).state, "B").state
    assert (len(kinds(after, "A")), len(kinds(after, "B"))) == (1, 1)


def test_bg_17_el_gringo_and_duels() -> None:
    """As target he robs whoever began it; in his own duel nobody."""
    target = position("sheriff rose: duel beer", "outlaw elGringo:", *SOLO[:1], "renegade kit:")
    assert kinds(hit(play(target, "duel", "B").state, "B").state, "B") == ["beer"]
    own = position("outlaw elGringo: duel saloon", "sheriff rose: bang beer", *SOLO[:1], "renegade kit:")
    own = respond(play(own, "duel", "B").state, "B", "bang").state
    step = hit(own, "A")
    after = step.state
    assert (life(after, "A"), kinds(after, "A"), kinds(after, "B")) == (2, ["saloon"], ["beer"])
    assert told(step.events) == ["lifeLost"]  # nor himself


def test_bg_18_el_gringo_robs_suzy_who_draws_again() -> None:
    """She drew when her last 뱅! left the hand; that card is taken, and she draws another."""
    state = position("sheriff suzy: bang", "outlaw elGringo:", *SOLO[:1], "renegade kit:", deck="beer duel")
    state = play(state, "bang", "B").state
    assert kinds(state, "A") == ["beer"]
    after = hit(state, "B").state
    assert (kinds(after, "A"), kinds(after, "B")) == (["duel"], ["beer"])


def test_s5_5_el_gringo_robs_only_when_he_has_survived() -> None:
    """After the 맥주, not before."""
    state = shoot(position("sheriff rose: bang duel", "outlaw elGringo 1: beer", *SOLO[:1], "renegade kit:"), "B")
    assert kinds(state, "B") == ["beer"]
    assert kinds(respond(state, "B", "beer").state, "B") == ["duel"]


# ---------------------------------------------------------------- 수지


def test_s10_suzy_draws_when_she_duels_away_her_last_bang() -> None:
    """At once, while the duel goes on."""
    state = position("sheriff rose: duel bang", "outlaw suzy: bang", *SOLO[:1], "renegade kit:", deck="beer")
    step = respond(play(state, "duel", "B").state, "B", "bang")
    assert (kinds(step.state, "B"), windows(step.state)) == (["beer"], [("duel", "A")])


def test_bg_22_suzy_draws_before_her_last_card_takes_effect() -> None:
    """역마차 as the last card brings three; 잡화점 and 결투 come after the draw."""
    state = position("sheriff suzy: stagecoach", *SOLO, deck="beer duel saloon")
    assert kinds(play(state, "stagecoach").state, "A") == ["beer", "duel", "saloon"]
    store = play(position("sheriff suzy: generalStore", *SOLO, deck="beer duel saloon panic gatling"), "generalStore")
    assert told(store.events, "cardsDrawn", "storeRevealed") == ["cardsDrawn", "storeRevealed"]
    duel = play(position("sheriff suzy: duel", *SOLO, deck="bang"), "duel", "B").state
    assert kinds(duel, "A") == ["bang"]


def test_bg_22_suzy_draws_when_equipment_or_a_response_empties_her_hand() -> None:
    """Whatever takes the last card."""
    equip = play(position("sheriff suzy: barrel", *SOLO, deck="beer"), "barrel").state
    assert (in_front(equip, "A"), kinds(equip, "A")) == (["barrel"], ["beer"])
    state = position("sheriff rose: bang panic", "outlaw suzy: missed", *SOLO[:1], "renegade kit:", deck="beer")
    assert kinds(respond(play(state, "bang", "B").state, "B", "missed").state, "B") == ["beer"]
    robbed = play(state, "panic", "B", "hand").state
    assert (kinds(robbed, "B"), kinds(robbed, "A")) == (["beer"], ["bang", "missed"])


def test_bg_24_suzy_gets_nothing_later_for_what_she_could_not_draw() -> None:
    """With both piles empty it is skipped."""
    dump = GAME.dump(position("sheriff suzy: barrel", *SOLO))
    dump["players"][1]["hand"] += dump["deck"]
    dump["deck"] = []
    state = play(GAME.load(dump), "barrel").state
    assert kinds(state, "A") == []
    after = act(state, "A", "endPlay").state
    assert kinds(after, "A") == []


def test_bg_25_suzy_who_dies_draws_nothing() -> None:
    """Her hand is empty then, and stays so."""
    step = kill(position("sheriff rose: bang", "outlaw suzy 1: duel", *SOLO[:1], "renegade kit:"), "B")
    assert kinds(step.state, "B") == []


def test_bg_26_jesse_takes_suzys_last_card_and_she_draws_first() -> None:
    """The top card is hers, the next one his."""
    state = position(
        "sheriff jesse:", "outlaw suzy: missed", *SOLO[:1], "renegade kit:", phase="draw", deck="beer duel"
    )
    after = act(state, "A", "draw", jesseFrom="B").state
    assert (kinds(after, "B"), kinds(after, "A")) == (["beer"], ["duel", "missed"])


# ---------------------------------------------------------------- rewards and penalties (5.6)


@pytest.mark.parametrize("killer", ["sheriff", "outlaw", "renegade"])
def test_s10_three_cards_for_an_outlaw_whoever_it_was(killer: str) -> None:
    """Also for another outlaw."""
    roles = ["sheriff", "outlaw", "outlaw", "renegade"]
    roles.remove(killer)
    roles.remove("outlaw")
    others = [f"{role} {who}:" for role, who in zip(roles, ("kit", "sid"), strict=True)]
    seats = (f"{killer} rose: bang", "outlaw paul 1:", *others)
    state = kill(position(*seats, deck="beer duel saloon"), "B").state
    assert kinds(state, "A") == ["beer", "duel", "saloon"]


FIVE = ("deputy paul 1: missed", "outlaw kit:", "outlaw lucky:", "renegade sid:")


def test_s10_bg_14_the_sheriff_who_kills_a_deputy_loses_everything() -> None:
    """Hand and all that lies there, a dynamite too."""
    after = kill(position("sheriff rose: bang beer duel / barrel dynamite", *FIVE), "B").state
    assert (kinds(after, "A"), in_front(after, "A")) == ([], [])
    assert set(piled(after)) == {"bang", "beer", "duel", "barrel", "dynamite", "missed"}


@pytest.mark.parametrize("name", ["gatling", "indians", "duel"])
def test_bg_14_with_whatever_card(name: str) -> None:
    """개틀링, 인디언! and 결투 count as much."""
    state = position(f"sheriff rose: {name} beer", *FIVE)
    state = play(state, name, "B" if name == "duel" else None).state
    after = act(hit(state, "B").state, "B", "giveUp").state
    assert kinds(after, "A") == []


def test_s5_6_others_who_kill_a_deputy_lose_nothing_and_gain_nothing() -> None:
    """No reward, no penalty."""
    seats = ("outlaw rose: bang beer", "deputy paul 1:", "sheriff kit:", "outlaw lucky:", "renegade sid:")
    assert kinds(kill(position(*seats), "B").state, "A") == ["beer"]


def test_bg_15_the_penalised_suzy_draws_one() -> None:
    """Before the deputy's cards are looked at."""
    after = kill(position("sheriff suzy: bang duel / schofield", *FIVE, deck="beer"), "B").state
    assert kinds(after, "A") == ["beer"]


def test_s10_dynamite_has_no_reward_and_no_penalty() -> None:
    """An outlaw it kills pays nobody."""
    step = act(blow_up("outlaw bart 2:").state, "B", "giveUp")
    assert told(step.events, "cardsDrawn") == []
    assert [len(kinds(step.state, player)) for player in "ABC"] == [1, 0, 0]


# ---------------------------------------------------------------- 벌처 (5.6.3)


def test_s10_vulture_takes_all_of_the_dead() -> None:
    """Hand and what lies there, into his hand."""
    seats = ("sheriff rose: bang", "outlaw paul 1: beer duel / scope jail", "outlaw vulture: missed", "renegade kit:")
    step = kill(position(*seats), "B")
    assert kinds(step.state, "C") == ["beer", "duel", "jail", "missed", "scope"]
    assert piled(step.state) == ["bang"]
    (seen,) = [event for event in step.events if event["type"] == "cardsReceived" and event["player"] == "C"]
    assert seen["audience"] == ["C"]


def test_s10_bg_13_vulture_and_the_penalty_each_for_itself() -> None:
    """The sheriff's cards are discarded, the deputy's go to 벌처; a sheriff who is 벌처 keeps the deputy's."""
    seats = ("deputy paul 1: missed", "outlaw vulture:", "outlaw lucky:", "renegade sid:")
    after = kill(position("sheriff rose: bang beer / barrel", *seats), "B").state
    assert (kinds(after, "A"), kinds(after, "C")) == ([], ["missed"])
    assert set(piled(after)) == {"bang", "beer", "barrel"}
    own = kill(position("sheriff vulture: bang beer / schofield", *FIVE), "B").state
    assert (kinds(own, "A"), in_front(own, "A")) == (["missed"], [])


def test_bg_11_vulture_loots_at_once_and_may_use_it() -> None:
    """Mid-개틀링: the dead's 빗나감! saves him; dying, the dead's 맥주."""
    seats = ("sheriff rose: gatling", "outlaw paul 1: missed beer", "outlaw vulture 1:", "deputy sid:", "renegade kit:")
    state = play(position(*seats), "gatling").state
    looted = act(hit(state, "B").state, "B", "giveUp").state
    assert life(respond(looted, "C", "missed").state, "C") == 1
    both = hit(hit(state, "B").state, "C").state
    both = act(both, "B", "giveUp").state
    assert windows(both)[0] == ("dying", "C")
    assert life(respond(both, "C", "beer").state, "C") == 1


def test_bg_12_a_dead_vulture_takes_nothing() -> None:
    """His own cards are discarded, and those of the next."""
    seats = ("sheriff rose: gatling", "outlaw vulture 1: beer", "outlaw paul 1: duel", "deputy sid:", "renegade kit:")
    state = hit(hit(play(position(*seats), "gatling").state, "B").state, "C").state
    state = act(act(state, "B", "giveUp").state, "C", "giveUp").state
    assert sorted(piled(state)) == ["beer", "duel", "gatling"]


def test_bg_43_what_the_dead_leave_lies_hand_first() -> None:
    """Each in the order it was held; the last on top."""
    seats = (
        "sheriff rose: bang / schofield",
        "outlaw paul 1: beer duel / scope mustang",
        "outlaw lucky:",
        "renegade kit:",
    )
    assert piled(kill(position(*seats), "B").state) == ["mustang", "scope", "duel", "beer", "bang"]


def test_bg_33_an_exploded_dynamite_is_gone_before_anybody_dies_of_it() -> None:
    """벌처 does not get it."""
    state = position("sheriff rose:", "outlaw paul 2: beer / dynamite", "outlaw vulture:", "renegade kit:", deck="5♠")
    state = act(act(state, "A", "endPlay").state, "B", "giveUp").state
    assert kinds(state, "C") == ["beer"]
    assert "dynamite" in piled(state)
    assert state.turn.player == "C"


# ---------------------------------------------------------------- winning (6)


def test_s6_law_wins_when_outlaws_and_renegade_are_gone() -> None:
    """The dead deputy too; roles and hands are open then, and nothing goes on."""
    seats = ("sheriff rose: bang beer", "outlaw paul 1:", "dead deputy kit:", "dead outlaw sid:", "dead renegade bart:")
    step = kill(position(*seats), "B")
    assert step.state.winner == "law"
    result = GAME.result(step.state)
    assert result is not None
    assert result["winner"] == ["A", "C"]
    assert result["summary"] == "보안관 팀 승리! 1라운드에 무법자와 배신자가 모두 쓰러졌습니다."
    assert refused(GAME.apply(step.state, "A", {"type": "endPlay"}, 0))[0] == "finished"
    assert GAME.legal(step.state, "A") == []


def test_s10_the_renegade_who_kills_the_sheriff_too_early_makes_outlaws_win() -> None:
    """Sheriff, deputy and renegade alive: the outlaws, all of them dead, win."""
    seats = ("renegade rose: bang", "sheriff paul 1:", "deputy kit:", "dead outlaw sid:", "dead outlaw bart:")
    step = kill(position(*seats), "B")
    assert step.state.winner == "outlaws"
    result = GAME.result(step.state)
    assert result is not None
    assert result["winner"] == ["E", "D"]


def test_s10_the_renegade_alone_with_the_sheriff_wins_by_killing_him() -> None:
    """The last one alive."""
    seats = ("renegade rose: bang", "sheriff paul 1:", "dead outlaw sid:", "dead outlaw bart:")
    assert kill(position(*seats), "B").state.winner == "renegade"


def test_s6_outlaws_win_with_the_sheriffs_death() -> None:
    """Whoever is left besides the renegade alone."""
    assert kill(position("outlaw rose: bang", "sheriff paul 1:", "outlaw kit:", "renegade sid:"), "B").state.winner == (
        "outlaws"
    )


def test_bg_9_bg_10_who_is_eliminated_first_decides() -> None:
    """The dying sheriff is alive when law wins; and a renegade's 개틀링 ends as the answers arrive."""
    law = ("deputy rose: gatling", "sheriff paul 1:", "dead outlaw sid:", "outlaw kit 1:", "dead renegade lucky:")
    both = hit(hit(play(position(*law), "gatling").state, "B").state, "D").state
    won = act(both, "D", "giveUp").state
    assert (won.winner, won.reactions, seat(won, "B").alive) == ("law", (), True)
    assert act(both, "B", "giveUp").state.winner == "outlaws"
    state = position("renegade rose: gatling", "sheriff paul 1:", "dead outlaw sid:", "outlaw kit 1:")
    both = hit(hit(play(state, "gatling").state, "B").state, "D").state
    assert act(both, "B", "giveUp").state.winner == "outlaws"
    first = act(both, "D", "giveUp").state
    assert (first.winner, windows(first)) == (None, [("dying", "B")])
    assert act(first, "B", "giveUp").state.winner == "renegade"


def test_bg_8_a_won_game_clears_every_window_and_its_cards() -> None:
    """럭키's two open cards go to the discards; nobody else dies."""
    seats = ("outlaw rose: gatling", "sheriff paul 1:", "outlaw lucky 1: / barrel", "renegade kit 1:")
    state = play(position(*seats, deck="Q♦ K♦"), "gatling").state
    state = hit(hit(state, "B").state, "D").state
    assert ("luckyPick", "C") in windows(state)
    won = act(state, "B", "giveUp").state
    assert (won.winner, won.reactions) == ("outlaws", ())
    assert [seat(won, player).alive for player in "CD"] == [True, True]
    GAME.load(GAME.dump(won))


def test_bg_52_the_ranking() -> None:
    """Winners: the living by seat, then the dead, the later first; losers likewise. deathOrder counts from 1."""
    seats = (
        "outlaw rose: bang",
        "sheriff paul 1:",
        "dead outlaw sid:",
        "dead deputy bart:",
        "dead outlaw suzy:",
        "renegade kit:",
    )
    result = GAME.result(kill(position(*seats), "B").state)
    assert result is not None
    assert [row["player"] for row in result["ranking"]] == ["A", "E", "C", "F", "B", "D"]
    assert [row["rank"] for row in result["ranking"]] == [1, 2, 3, 4, 5, 6]
    assert [row["score"] for row in result["ranking"]] == [1, 1, 1, 0, 0, 0]
    assert {row["id"]: row["deathOrder"] for row in result["players"]} == {
        "A": None,
        "B": 4,
        "C": 1,
        "D": 2,
        "E": 3,
        "F": None,
    }
    assert result["winnerTeam"] == "outlaws"
    assert result["players"][1] == {
        "id": "B",
        "role": "sheriff",
        "character": "paul",
        "alive": False,
        "won": False,
        "deathOrder": 4,
    }


def test_bg_53_the_round_is_the_sheriffs_turn() -> None:
    """It grows when the sheriff's turn begins, with no other; the summary names it."""
    state = position("sheriff paul:", "outlaw rose:", "outlaw kit:", "renegade sid:")
    rounds = []
    for player in "ABCDABCD":
        assert state.turn.player == player
        rounds.append(state.round)
        while state.turn.player == player:
            state = GAME.timeout(state, GAME.deadline(state) or 0).state
    assert rounds == [1, 1, 1, 1, 2, 2, 2, 2]
    dump = GAME.dump(position("outlaw rose: bang", "sheriff paul 1:", "outlaw kit:", "renegade sid:")) | {"round": 3}
    result = GAME.result(kill(GAME.load(dump), "B").state)
    assert result is not None
    assert result["summary"] == "무법자 승리! 보안관이 3라운드에 쓰러졌습니다."


def test_bg_58_everybody_cannot_die() -> None:
    """The 개틀링 that could kill all others, answered in every order, leaves a winner each time."""
    seats = ("renegade rose: gatling", "sheriff paul 1:", "outlaw kit 1:", "outlaw lucky 1:")
    state = play(position(*seats), "gatling").state
    for order in ("BCD", "CBD", "CDB", "DCB"):
        now = state
        for player in order:
            now = hit(now, player).state
        for player in order:
            if now.winner is None:
                now = act(now, player, "giveUp").state
        assert now.winner == ("renegade" if order.endswith("B") else "outlaws")


def test_s3_2_sid_heals_with_two_left() -> None:
    """Which 맥주 does not."""
    state = position("sheriff sid 2: bang beer", "dead outlaw paul:", "dead outlaw rose:", "renegade kit:")
    assert refused(attempt(state, "beer"))[0] == "beer_two_left"
    assert life(heal(state, "A", "bang", "beer").state, "A") == 3
    assert held(state, "A", "beer")


def test_bg_22_what_leaves_a_hand_is_told_before_what_refills_it() -> None:
    """수지's last card: struck by another, or discarded herself; the card first, then that she has drawn."""
    struck = play(position("sheriff bart: catBalou", "outlaw suzy: beer", *SOLO[1:]), "catBalou", "B", "hand")
    assert told(struck.events, "cardStruck", "cardsDiscarded", "cardsDrawn") == [
        "cardStruck",
        "cardsDiscarded",
        "cardsDrawn",
    ]
    shot = play(position("sheriff bart: bang", "outlaw suzy: missed", *SOLO[1:]), "bang", "B").state
    assert told(respond(shot, "B", "missed").events, "responded", "cardsDrawn") == ["responded", "cardsDrawn"]


def test_s5_6_5_with_the_one_whose_turn_it_is_all_that_is_still_asked_is_gone() -> None:
    """A state in which others are asked too: their windows close, the flipped cards in one are discarded."""
    seats = ("outlaw rose: bang", "sheriff bart:", "outlaw lucky: / barrel", "renegade kit:")
    dump = GAME.dump(position(*seats, deck="Q♥ Q♦"))
    dump["players"][0]["life"] = 0
    flipped = [dump["deck"].pop(), dump["deck"].pop()]
    more = {"deadline": NOW + 15_000}
    dump["reactions"] = [
        {"kind": "dying", "player": "A", "killer": "B", **more},
        {"kind": "indians", "target": "B", "source": "A", **more},
        {"kind": "bang", "target": "C", "source": "A", "via": "gatling", "needed": 1, "barrelTried": True, **more},
        {"kind": "luckyPick", "player": "C", "purpose": "barrel", "options": flipped, **more},
    ]
    state = act(GAME.load(dump), "A", "giveUp").state
    assert (state.reactions, state.turn.player, state.turn.phase) == ((), "B", "draw")
    assert {*flipped} < {*state.discard}
