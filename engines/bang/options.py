"""The options (document sections 2 and 7), and the set of display names (section 12)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from engines.kernel.codec import choice

Switch = Literal["on", "off"]
Names = Literal["neutral", "original", "children"]

ON_OFF = {"on": "켬", "off": "끔"}


def _seconds(*choices: int) -> dict[int, str]:
    return {seconds: f"{seconds}초" for seconds in choices}


class Options(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """What the host chooses."""

    character_draft: Annotated[
        Literal["random", "choose2"],
        choice("캐릭터 배정", {"random": "1장 무작위", "choose2": "2장 중 1장 선택"}),
    ] = "random"
    turn_seconds: Annotated[Literal[30, 60, 90, 120], choice("내 턴 제한 시간", _seconds(30, 60, 90, 120))] = 60
    reaction_seconds: Annotated[
        Literal[8, 15, 25],
        choice("반응 제한 시간", _seconds(8, 15, 25), about="공격을 막거나 잡화점에서 고르는 시간이에요."),
    ] = 15
    auto_defend: Annotated[
        Switch, choice("시간이 지나면 자동 방어", ON_OFF, about="막을 수 있는 카드를 대신 내요.")
    ] = "on"
    auto_barrel: Annotated[Switch, choice("술통 판정 자동", ON_OFF, about="묻지 않고 판정해요.")] = "on"
    reveal_role_on_death: Annotated[Literal["on"], choice("사망 시 역할 공개", {"on": "켬"})] = "on"
    show_distance_helper: Annotated[Switch, choice("거리와 사거리 표시", ON_OFF)] = "on"
    beginner_hints: Annotated[
        Switch, choice("초보자 힌트", ON_OFF, about="카드마다 지금 쓸 수 있는지와 그 이유를 보여 줘요.")
    ] = "on"
    draw_before_death: Annotated[
        Switch,
        choice("쓰러지기 전에 카드 받기", ON_OFF, about="다칠 때 받은 카드로 살아날 수 있어요.", house=True),
    ] = "off"
    beer_at_full_health: Annotated[Switch, choice("생명이 가득해도 맥주 내기", ON_OFF, house=True)] = "off"
    self_target_cat_balou: Annotated[Switch, choice("빼앗고 버리는 카드를 내 장착 카드에도", ON_OFF, house=True)] = (
        "off"
    )
    deputy_count7: Annotated[
        Switch, choice("7인: 부관 1명, 무법자 4명", ON_OFF, about="7명일 때만 쓰여요.", house=True)
    ] = "off"
    names: Annotated[
        Names,
        choice("이름", {"neutral": "기본 이름", "original": "원작 이름", "children": "어린이 표현"}),
    ] = "neutral"
