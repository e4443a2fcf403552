"""The options (RULES 2)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from engines.kernel.codec import choice

VariantName = Literal["standard", "trump", "sphinx", "unbid"]


class Options(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """What the host chooses."""

    two_player: Annotated[
        Literal["npc", "noNpc"],
        choice("2명이 할 때", {"npc": "NPC를 두고 셋처럼", "noNpc": "NPC 없이 둘이서"}, about="2명일 때만 쓰여요."),
    ] = "npc"
    variant: Annotated[
        VariantName,
        choice(
            "규칙",
            {
                "standard": "기본 규칙",
                "trump": "트럼프 슈트: 앞 라운드에서 성공한 사람 수로",
                "sphinx": "스핑크스: 프리미엄 비딩을 먼저",
                "unbid": "언비딩: 남은 3장이 비딩 카드",
            },
        ),
    ] = "standard"
    unbid_premium: Annotated[
        Literal["on", "off"],
        choice(
            "언비딩의 프리미엄 비딩",
            {"on": "켬", "off": "끔"},
            about="트릭 수 선언 30점, 손패 공개 60점, 둘 다 90점",
            house=True,
            variant="unbid",
        ),
    ] = "on"
    rounds: Annotated[Literal[1, 3, 6, 9, 12], choice("라운드 수", {n: f"{n}라운드" for n in (1, 3, 6, 9, 12)})] = (
        9  # -게임-, PN-10
    )
    turn_seconds: Annotated[
        Literal[10, 15, 20, 30, 60], choice("턴 제한 시간", {n: f"{n}초" for n in (10, 15, 20, 30, 60)})
    ] = 20
