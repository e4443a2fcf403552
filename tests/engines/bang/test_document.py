"""The law and its tests: each ruling, each section of the document and each line of its checklist has its place."""

from __future__ import annotations

import re
from pathlib import Path

import engines.bang

ENGINE = Path(engines.bang.__file__).parent
HERE = Path(__file__).parent
CODE = "\n".join(path.read_text() for path in ENGINE.glob("*.py"))
TESTS = re.findall(r"^def (test_\w+)", "\n".join(path.read_text() for path in HERE.glob("test_*.py")), re.M)
SECTIONS = (
    "2",
    "3_2",
    "3_3",
    "4",
    "5_1",
    "5_2",
    "5_3",
    "5_4",
    "5_5",
    "5_6",
    "6",
    "8_1",
    "8_2",
    "8_3",
    "8_4",
    "8_5",
    "12",
)
# Section 10, line by line, and the tests that prove it.
CHECKLIST: dict[str, tuple[str, ...]] = {
    "덱 생성": ("test_s3_3_s10_the_deck_is_the_documents_table",),
    "역할 분배": ("test_s4_s10_roles_by_head_count", "test_s4_s10_life_and_first_hand"),
    "거리": (
        "test_s5_1_s10_the_dead_are_not_counted",
        "test_s5_1_s10_mustang_and_paul_scope_and_rose_add_up_never_below_1",
    ),
    "뱅! 1회 제한": (
        "test_s10_the_second_bang_of_a_turn_is_refused",
        "test_s10_volcanic_and_willy_have_no_limit",
        "test_s3_2_s10_calamitys_missed_as_bang_counts",
    ),
    "슬랩의 뱅!": ("test_s10_bg_27_slab_needs_two", "test_s10_slab_barrel_and_missed_make_two"),
    "주르도네 + 술통": ("test_s10_bg_28_jourdonnais_with_a_barrel_flips_twice",),
    "다이너마이트": (
        "test_s10_dynamite_goes_off_from_2_to_9_of_spades",
        "test_s10_dynamite_passes_otherwise",
        "test_s10_bg_32_the_jail_is_flipped_after_the_dynamite",
        "test_s10_dynamite_has_no_reward_and_no_penalty",
    ),
    "감옥": (
        "test_s5_3_bg_59_jail",
        "test_s10_a_heart_opens_the_jail",
        "test_s10_bg_34_otherwise_the_whole_turn_is_skipped",
    ),
    "맥주": (
        "test_s10_with_two_left_no_beer_saves",
        "test_s10_as_many_beers_as_the_life_is_short",
        "test_s10_saloon_heals_everybody_also_with_two_left",
    ),
    "결투 왕복": ("test_s10_a_duel_goes_to_and_fro", "test_s10_who_gives_in_first_loses_and_the_other_is_the_killer"),
    "인디언!/개틀링 동시 반응": ("test_s10_simultaneous_windows_are_answered_in_any_order",),
    "잡화점": (
        "test_s10_the_store_goes_round_from_whoever_played_it",
        "test_s10_the_store_at_the_deadline_gives_the_first",
    ),
    "처치 보상/벌칙": (
        "test_s10_three_cards_for_an_outlaw_whoever_it_was",
        "test_s10_bg_14_the_sheriff_who_kills_a_deputy_loses_everything",
    ),
    "벌처 샘": ("test_s10_vulture_takes_all_of_the_dead", "test_s10_bg_13_vulture_and_the_penalty_each_for_itself"),
    "승리 판정": (
        "test_s10_the_renegade_who_kills_the_sheriff_too_early_makes_outlaws_win",
        "test_s10_the_renegade_alone_with_the_sheriff_wins_by_killing_him",
    ),
    "수지 라파예트": ("test_s10_suzy_draws_when_she_duels_away_her_last_bang",),
    "엘 그링고": ("test_s10_el_gringo_robs_the_attacker", "test_s10_el_gringo_and_dynamite"),
    "시간 초과": ("test_s10_the_turn_times_out", "test_s10_auto_defend_plays_the_missed"),
    "연결 끊김": (
        "test_s10_after_120_seconds_away_one_is_played_for_and_back_one_is_not",
        "test_s10_a_returning_player_finds_the_game_as_it_is",
    ),
    "비공개 정보 누출 검사": ("test_s10_nobody_is_shown_or_told_what_is_not_theirs_to_know",),
    "같은 시드 + 같은 액션 로그": ("test_s10_random_games_over_all_options_and_head_counts",),
}


def test_every_ruling_stands_beside_its_code_and_in_the_name_of_its_test() -> None:
    """BG-1 to BG-60."""
    rulings = set(range(1, 61))
    assert {int(number) for number in re.findall(r"BG-(\d+)", CODE)} == rulings
    assert {int(number) for name in TESTS for number in re.findall(r"_bg_(\d+)(?=_)", name)} == rulings


def test_every_section_that_says_a_rule_has_its_tests() -> None:
    """By the number in their names."""
    named = {section for name in TESTS for section in re.findall(r"_s((?:\d+_)+)", name)}
    for section in SECTIONS:
        assert any(found.startswith(f"{section}_") for found in named), section


def test_section_10_line_by_line() -> None:
    """21 lines; every test that is named exists, and no test names section 10 for nothing."""
    assert len(CHECKLIST) == 21
    listed = {name for names in CHECKLIST.values() for name in names}
    assert not listed - {*TESTS}
    assert not {name for name in TESTS if re.search(r"_s10_", name)} - listed - MORE


MORE = {"test_s10_who_is_back_has_the_full_time_for_an_open_window"}
