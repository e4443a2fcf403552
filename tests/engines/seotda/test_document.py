"""The document's checklist and the rulings: each has its test, each ruling its place in the code."""

from __future__ import annotations

import re
from pathlib import Path

from engines.kernel import betting
from engines.seotda import actions

TESTS = Path(__file__).parent
ENGINE = Path(actions.__file__).parent
KERNEL = Path(betting.__file__).parent
FILES = [*TESTS.glob("test_*.py"), *(TESTS.parent / "kernel").glob("test_*.py")]
TEXT = "\n".join(path.read_text() for path in FILES)
NAMES = set(re.findall(r"^def (test_\w+)", TEXT, re.M))

# Section 10, line by line.
CHECKLIST: dict[str, tuple[str, ...]] = {
    "족보 전수 190": ("s10_all_190_pairs",),
    "1광+3광, 1띠+8광": ("s10_lights_and_what_only_looks_like_them",),
    "6.4 예시 1~12": tuple(f"s6_4_{n:02}" for n in range(1, 13)),
    "땡잡이 strict/loose": (
        "s10_a_plain_3_with_the_7_is_a_ttaengjabi_only_when_loose",
        "s10_a_strict_ttaengjabi_needs_the_light",
    ),
    "loose 땡잡이 2명": ("s10_two_loose_ttaengjabi_are_a_tie", "sd_18_a_carried_pot_that_is_ones_own"),
    "구사 재경기": ("s10_a_gusa_rematch_keeps_the_pot_and_asks_no_school",),
    "rejoinCost=half": (
        "s10_who_died_may_buy_back_in",
        "s10_too_few_chips_to_come_back",
        "s10_no_answer_is_staying_out",
    ),
    "동점 3연속 후 분할": ("s10_sd_23_the_fourth_rematch_is_an_equal_split",),
    "사이드 팟 + 재경기": ("s10_a_side_pot_is_paid_at_once_while_the_main_pot_is_played_again",),
    "5.4 예시 240": ("s5_4_s10_sd_1_the_documents_example_to_the_chip",),
    "체크·콜 후 레이즈, full": (
        "s10_who_has_checked_cannot_raise_in_this_round",
        "s10_full_only_where_it_is_allowed",
    ),
    "2차 첫 행동자": ("s5_1_6_s10_the_second_round_begins_after_a_dealer_who_has_died",),
    "oneRound": ("s10_one_round_deals_two_cards_and_bets_once",),
    "3장: 선택과 버린 카드": (
        "s10_before_the_showdown_others_see_only_that_a_choice_was_made",
        "s10_the_discarded_card_is_never_shown_to_anybody_else",
    ),
    "3장 자동 선택": ("s10_s8_5_time_up_chooses_the_highest_value",),
    "시간 초과, away": (
        "s10_sd_39_time_up_is_a_check_where_it_is_free",
        "s10_two_timeouts_in_a_row_are_being_away",
    ),
    "연결 끊김": ("s8_5_s10_a_lost_connection_waits_for_the_clock_and_comes_back_at_once",),
    "비밀 누출 1,000판": ("s10_s8_3_no_frame_and_no_replay_shows_a_hidden_card",),
    "다이로 끝난 판": ("s5_1_8_s10_who_is_left_alone_takes_the_pot_and_shows_nothing",),
    "리바이·탈락·점수": (
        "s10_s6_6_score_is_chips_less_new_chips",
        "s10_sd_34_last_standing_who_goes_in_the_same_hand",
    ),
    "칩 보존": ("s10_chips_are_conserved_at_every_step",),
    "재현성": ("s10_the_same_seed_and_actions_give_the_same_states",),
}
RULINGS = {f"SD-{n}" for n in range(1, 47)}


def test_every_line_of_section_10_has_its_tests() -> None:
    """22 lines; and what is named here is there."""
    assert len(CHECKLIST) == 22
    for line, tests in CHECKLIST.items():
        for test in tests:
            assert any(name.startswith(f"test_{test}") for name in NAMES), (line, test)


def test_every_section_of_rules_is_named_by_a_test() -> None:
    """2 to 6, 8 and their parts; 1 is the head count, 7 a view on 2, 9 what the view must offer."""
    sections = {"s1", "s2", "s3", "s4", "s9", *(f"s5_{n}" for n in range(1, 8)), *(f"s6_{n}" for n in (1, 3, 4, 5, 6))}
    sections |= {f"s8_{n}" for n in range(1, 7)}
    named = {section for section in sections if any(re.search(rf"_{section}(_|$)", name) for name in NAMES)}
    assert sections - named == set()


def test_every_ruling_is_cited_in_the_code_and_in_a_test() -> None:
    """SD-1 to SD-46: where it branches, and in a test's name or docstring; no other is named."""
    code = "\n".join(path.read_text() for path in (*ENGINE.glob("*.py"), KERNEL / "betting.py", KERNEL / "pots.py"))
    cited = set(re.findall(r"SD-\d+", code))
    tested = {f"SD-{n}" for name in NAMES for n in re.findall(r"sd_(\d+)", name)}
    assert RULINGS - cited == set()
    assert RULINGS - tested == set()
    assert (cited | tested) - RULINGS == set()
