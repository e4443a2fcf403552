"""The options (document section 2) and what must hold between them (SD-43).

An option that means nothing beside the others is accepted and ignored.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from engines.kernel.codec import BAD_OPTIONS, choice
from engines.kernel.contract import Rejected

SWITCH = {True: "켬", False: "끔"}


def _numbers(*values: int, unit: str) -> dict[int, str]:
    return {n: f"{n}{unit}" for n in values}


class Options(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """What the host chooses. Section 7 says which are house rules."""

    card_mode: Annotated[
        Literal["two", "three"],
        choice("카드 장수", {"two": "2장 섯다", "three": "3장 섯다 (3장 받아 2장 선택)"}, house=True),
    ] = "two"
    deal_mode: Annotated[
        Literal["twoRounds", "oneRound"],
        choice(
            "나눠 주는 방식",
            {"twoRounds": "1장씩 두 번 받고 두 번 베팅", "oneRound": "2장 한 번에 받고 한 번 베팅"},
            house=True,
            cardMode="two",
        ),
    ] = "twoRounds"
    starting_chips: Annotated[
        Literal[500, 1000, 2000, 5000], choice("시작 칩", _numbers(500, 1000, 2000, 5000, unit="칩"))
    ] = 1000
    base_unit: Annotated[
        Literal[2, 10, 20, 50],
        choice(
            "기본 단위 (학교·삥)",
            _numbers(2, 10, 20, 50, unit="칩"),
            about="시작 칩이 기본 단위의 20배 이상이어야 해요.",
        ),
    ] = 10
    max_raise: Annotated[
        Literal["half", "full"], choice("최대 레이즈", {"half": "하프까지", "full": "풀까지"}, house=True)
    ] = "half"
    end_condition: Annotated[
        Literal["hands", "lastStanding"],
        choice("끝나는 방식", {"hands": "정해진 판 수", "lastStanding": "최후의 1인"}),
    ] = "hands"
    hand_limit: Annotated[
        Literal[10, 20, 30, 50],
        choice("판 수", _numbers(10, 20, 30, 50, unit="판"), about="재경기는 세지 않아요.", endCondition="hands"),
    ] = 20
    school_up_every: Annotated[
        Literal[0, 5, 10, 15],
        choice("학교 두 배 올리기", {0: "안 올림", 5: "5판마다", 10: "10판마다", 15: "15판마다"}),
    ] = 0
    rebuy: Annotated[
        Literal["off", "limited", "unlimited"],
        choice("칩 다시 받기", {"off": "없음", "limited": "횟수 제한", "unlimited": "제한 없음"}),
    ] = "unlimited"
    rebuy_limit: Annotated[
        Literal[1, 2, 3], choice("칩 다시 받는 횟수", _numbers(1, 2, 3, unit="번"), rebuy="limited")
    ] = 1
    turn_seconds: Annotated[Literal[15, 20, 30, 60], choice("행동 제한 시간", _numbers(15, 20, 30, 60, unit="초"))] = 20
    dealer_rule: Annotated[
        Literal["winner", "rotate"],
        choice("다음 판의 선", {"winner": "직전 판 승자", "rotate": "시계 방향"}, house=True),
    ] = "winner"
    gwang_ttaeng: Annotated[
        Literal["all", "only38"],
        choice("광땡", {"all": "38·18·13광땡", "only38": "38광땡만"}, house=True),
    ] = "all"
    ttaengjabi: Annotated[
        Literal["off", "strict", "loose"],
        choice("땡잡이", {"off": "없음", "strict": "3월 광 + 7월 열끗", "loose": "3월 + 7월 아무 패"}, house=True),
    ] = "strict"
    amhaeng: Annotated[bool, choice("암행어사 (4월 열끗 + 7월 열끗)", SWITCH, house=True)] = True
    gusa: Annotated[bool, choice("구사 재경기 (49파토)", SWITCH, house=True)] = True
    mung_gusa: Annotated[
        Literal["off", "upTo8", "upTo9", "upToJang"],
        choice(
            "멍텅구리구사 재경기",
            {"off": "일반 구사로 취급", "upTo8": "8땡 이하", "upTo9": "9땡 이하", "upToJang": "장땡 이하"},
            house=True,
            gusa=True,
        ),
    ] = "upTo8"
    tie_rule: Annotated[
        Literal["rematch", "split"],
        choice("같은 족보", {"rematch": "동점자끼리 재경기", "split": "나눠 가짐"}, house=True),
    ] = "rematch"
    rejoin_cost: Annotated[
        Literal["none", "half", "full"],
        choice(
            "구사 재경기 때 다이한 사람",
            {"none": "재참가 불가", "half": "판돈의 절반을 내고 참가", "full": "판돈만큼 내고 참가"},
            house=True,
            gusa=True,
        ),
    ] = "none"
    hints: Annotated[bool, choice("내 족보 이름과 힌트 보기", SWITCH)] = True


LEAST_CHIPS = 20  # base units that the starting chips must be worth
SCHOOL_CAP = 5  # 학교 never rises above this part of the starting chips (5.7)
MIN_PLAYERS, MAX_PLAYERS, MAX_THREE = 2, 10, 6


def player_range(options: Options) -> tuple[int, int]:
    """How many may play: the deck has twenty cards (section 1)."""
    return MIN_PLAYERS, MAX_THREE if options.card_mode == "three" else MAX_PLAYERS


def check(options: Options, players: int) -> Rejected | None:
    """Why these options and head count do not go together (section 2, SD-43)."""
    if options.base_unit * LEAST_CHIPS > options.starting_chips:
        return Rejected(BAD_OPTIONS, f"시작 칩은 기본 단위의 {LEAST_CHIPS}배 이상이어야 해요")
    least, most = player_range(options)
    if not least <= players <= most:
        name = "3장 섯다는 " if options.card_mode == "three" else ""
        return Rejected("bad_players", f"{name}{least}명부터 {most}명까지 할 수 있어요")
    return None


def school(options: Options, hand_no: int) -> int:
    """학교, 삥 and the least raise of hand ``hand_no`` (5.7): doubled every so many hands, up to the cap (SD-30)."""
    if not options.school_up_every:
        return options.base_unit
    risen = options.base_unit << (hand_no - 1) // options.school_up_every
    return min(risen, options.starting_chips // SCHOOL_CAP)
