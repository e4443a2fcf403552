"""The options (document section 2), and what they come to in a game that begins (NN-30).

An option that means nothing in the chosen mode is accepted and ignored (NN-17).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from engines.kernel.codec import choice

Mode = Literal["kr-product", "classic"]
Switch = Literal["on", "off"]

ON_OFF = {"on": "켬", "off": "끔"}


class Options(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """What the host chooses. Section 7 says which are house rules."""

    mode: Annotated[Mode, choice("규칙", {"kr-product": "구십구 (전용 카드)", "classic": "전통 99 (트럼프)"})] = (
        "kr-product"
    )
    hand_size: Annotated[
        Literal["auto", 3, 4, 5],
        choice("손패 장수", {"auto": "자동 (구십구 5장, 트럼프 3장)", 3: "3장", 4: "4장", 5: "5장"}, house=True),
    ] = "auto"
    start_total: Annotated[
        Literal["auto", "zero"],
        choice(
            "시작 숫자",
            {"auto": "시작 카드 (2명 40, 3명 20, 4명 이상 0)", "zero": "항상 0"},
            house=True,
            mode="kr-product",
        ),
    ] = "auto"
    refill: Annotated[Switch, choice("카드를 낸 뒤 1장 보충", ON_OFF, house=True)] = "on"
    lives: Annotated[
        Literal["auto", 0, 1, 2, 3, 5],
        choice(
            "목숨 수",
            {
                "auto": "자동 (구십구 없음, 트럼프 3개)",
                0: "없음 (바로 탈락)",
                1: "1개",
                2: "2개",
                3: "3개",
                5: "5개",
            },
            house=True,
        ),
    ] = "auto"
    on_the_board: Annotated[
        Switch,
        choice(
            "목숨을 다 잃어도 한 번 더",
            ON_OFF,
            about="목숨이 0이 된 뒤에도 한 번 더 질 때까지 남아요. 목숨을 쓸 때만 쓰여요.",
            house=True,
        ),
    ] = "off"
    after_elimination: Annotated[
        Literal["continue", "reset"],
        choice(
            "탈락 뒤 합계",
            {"continue": "그대로 이어 감", "reset": "시작 숫자로, 다시 나눔"},
            about="목숨이 없을 때만 쓰여요.",
            house=True,
        ),
    ] = "continue"
    floor_at_zero: Annotated[
        Literal["forbid", "clamp"],
        choice("빼서 0보다 작아질 때", {"forbid": "낼 수 없음", "clamp": "0으로 맞춤"}, house=True),
    ] = "forbid"
    special_counts: Annotated[
        Literal[2, 3, 4, 5, 6],
        choice("±9, ±10, 0 카드 장수", {n: f"{n}장씩" for n in (2, 3, 4, 5, 6)}, mode="kr-product"),
    ] = 4
    joker_range: Annotated[
        Literal["60-99", "0-99"],
        choice("조커로 부를 수 있는 수", {"60-99": "60~99 (원작)", "0-99": "0~99"}, house=True, mode="kr-product"),
    ] = "60-99"
    ace_high: Annotated[Literal[10, 11], choice("A의 큰 값", {10: "10", 11: "11"}, house=True, mode="classic")] = 11
    deck_count: Annotated[
        Literal["auto", 1, 2],
        choice("덱 수", {"auto": "자동 (7명부터 2벌)", 1: "1벌", 2: "2벌"}, mode="classic"),
    ] = "auto"
    turn_seconds: Annotated[
        Literal[10, 15, 20, 30], choice("턴 제한 시간", {n: f"{n}초" for n in (10, 15, 20, 30)})
    ] = 15


class Effective(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The options with every "auto" resolved: what the rules ask, and what players are shown."""

    mode: Mode
    hand_size: int
    start_total: Literal["auto", "zero"]  # "auto": by the head count at each round (NN-13)
    refill: Switch
    lives: int
    on_the_board: Switch
    after_elimination: Literal["continue", "reset"]
    floor_at_zero: Literal["forbid", "clamp"]
    special_counts: int
    joker_range: Literal["60-99", "0-99"]
    ace_high: int
    deck_count: int
    turn_seconds: int


# What "auto" means, by mode. An old version is its differences (NN-2, NN-4): three cards, and always from 0.
AUTO_LIVES = {"kr-product": 0, "classic": 3}
AUTO_HAND: dict[int, dict[Mode, int]] = {
    1: {"kr-product": 3, "classic": 3},
    2: {"kr-product": 5, "classic": 3},
}
HAS_START_CARD = {(2, "kr-product")}
TWO_DECKS_FROM = 7  # players


def resolve(options: Options, version: int, players: int) -> Effective:
    """The options of one game, fixed for its whole life by its head count at setup (NN-19, NN-30)."""
    has_start_card = (version, options.mode) in HAS_START_CARD
    return Effective(
        mode=options.mode,
        hand_size=AUTO_HAND[version][options.mode] if options.hand_size == "auto" else options.hand_size,
        start_total=options.start_total if has_start_card else "zero",
        refill=options.refill,
        lives=AUTO_LIVES[options.mode] if options.lives == "auto" else options.lives,
        on_the_board=options.on_the_board,
        after_elimination=options.after_elimination,
        floor_at_zero=options.floor_at_zero,
        special_counts=options.special_counts,
        joker_range=options.joker_range,
        ace_high=options.ace_high,
        deck_count=(2 if players >= TWO_DECKS_FROM else 1) if options.deck_count == "auto" else options.deck_count,
        turn_seconds=options.turn_seconds,
    )


# The start card (document section 4): head count to start number; more players start from 0.
START_CARD = {2: 40, 3: 20}


def start_total(rules: Effective, players: int) -> int:
    """Where a round begins that so many players are still in (NN-13)."""
    return START_CARD.get(players, 0) if rules.start_total == "auto" else 0
