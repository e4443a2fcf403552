"""What may be played (document 5.2), and what it makes of the total.

`offers` is the one check behind every door: the legal list, `apply`, the automatic play and the preview on the
player's screen are all read off what it returns for a card.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

import msgspec

from engines.kernel.contract import Rejected
from engines.ninety_nine.cards import Card, Kind
from engines.ninety_nine.options import Effective

TOP = 99

OVER_99 = Rejected("over_99", "99를 넘어서 낼 수 없어요")
BELOW_ZERO = Rejected("below_zero", "0보다 작아져서 뺄 수 없어요")


class Play(msgspec.Struct, frozen=True, rename="camel", tag_field="type", tag="play", forbid_unknown_fields=True):
    """The one action (document 8.2). A choice that is null is absent (NN-22)."""

    card_id: str
    sign: Literal["+", "-"] | None = None
    ace_value: int | None = None
    joker_value: int | None = None
    dir: Literal["keep", "reverse"] | None = None


Field = Literal["sign", "aceValue", "jokerValue", "dir"]
Choice = str | int | None

# The choice that a kind of card asks for.
ASKS: dict[Kind, Field] = {"plusMinus": "sign", "ace": "aceValue", "joker": "jokerValue", "zero": "dir"}

MISSING: dict[Field, Rejected] = {
    "sign": Rejected("sign_missing", "더하기와 빼기 중 하나를 골라 주세요"),
    "aceValue": Rejected("ace_missing", "A를 얼마로 낼지 골라 주세요"),
    "jokerValue": Rejected("joker_missing", "조커로 만들 숫자를 골라 주세요"),
    "dir": Rejected("dir_missing", "0 카드는 방향을 그대로 둘지 바꿀지 골라 주세요"),
}
STRAY: dict[Field, Rejected] = {  # NN-22; also for the old 0, which asks nothing (NN-4)
    "sign": Rejected("sign_stray", "더하기와 빼기는 ± 카드를 낼 때만 고를 수 있어요"),
    "aceValue": Rejected("ace_stray", "1과 큰 값은 A를 낼 때만 고를 수 있어요"),
    "jokerValue": Rejected("joker_stray", "숫자는 조커를 낼 때만 고를 수 있어요"),
    "dir": Rejected("dir_stray", "방향은 0 카드를 낼 때만 고를 수 있어요"),
}


class Offer(msgspec.Struct, frozen=True):
    """One way to play a card: what is chosen, the total it makes, and why it may not be played, if so."""

    field: Field | None
    choice: Choice
    total: int
    refusal: Rejected | None
    upto: int | None = None  # the joker: any number from ``choice`` to this one, which becomes the total


def offers(card: Card, total: int, rules: Effective) -> tuple[Offer, ...]:
    """Every way to play this card on this total, also those that are refused."""
    return _offers(card.kind, card.v, total, rules.floor_at_zero, rules.ace_high, rules.joker_range)


@lru_cache(maxsize=16384)  # 14 sorts of cards on 100 totals under 8 combinations of the options that matter
def _offers(
    kind: Kind, v: int, total: int, floor: Literal["forbid", "clamp"], ace_high: int, joker: str
) -> tuple[Offer, ...]:
    def offer(after: int, choice: Choice = None) -> Offer:
        refusal = OVER_99 if after > TOP else BELOW_ZERO if after < 0 else None
        return Offer(ASKS.get(kind), choice, after, refusal)

    less = max(0, total - v) if floor == "clamp" else total - v  # NN-20
    match kind:
        case "add":
            return (offer(total + v),)
        case "plusMinus":
            return offer(total + v, "+"), offer(less, "-")
        case "zero":
            return offer(total, "keep"), offer(total, "reverse")
        case "reverse" | "hold":
            return (offer(total),)
        case "minus":
            return (offer(less),)
        case "ace":  # NN-21
            return offer(total + 1, 1), offer(total + ace_high, ace_high)
        case "to99":
            return (offer(TOP),)
        case "joker":
            low, _, high = joker.partition("-")
            return (Offer("jokerValue", int(low), int(low), None, int(high)),)


def judge(card: Card, play: Play, total: int, rules: Effective) -> Offer | Rejected:
    """The offer that this play takes up, or why it may not."""
    asked = ASKS.get(card.kind)
    choices: dict[Field, Choice] = {
        "sign": play.sign,
        "aceValue": play.ace_value,
        "jokerValue": play.joker_value,
        "dir": play.dir,
    }
    said = None if asked is None else choices.pop(asked)
    for field, value in choices.items():
        if value is not None:
            return STRAY[field]
    if asked is not None and said is None:
        return MISSING[asked]
    for offer in offers(card, total, rules):
        if offer.upto is not None:
            return _named(offer.total, offer.upto, play.joker_value)
        if offer.choice == said:
            return offer.refusal or offer
    return Rejected("ace_value", f"A는 1과 {rules.ace_high} 중 하나로만 낼 수 있어요")


def _named(low: int, high: int, number: int | None) -> Offer | Rejected:
    """The joker as this very number, the present total among them (NN-23)."""
    if number is None or not low <= number <= high:
        return Rejected("joker_range", f"조커는 {low}부터 {high} 사이 숫자만 고를 수 있어요")
    return Offer("jokerValue", number, number, None)


def can_play(hand: Iterable[Card], total: int, rules: Effective) -> bool:
    """Whether any card may be played; with an empty hand none can (NN-6)."""
    for card in hand:  # loops, not a generator: this is asked at every turn
        for offer in offers(card, total, rules):
            if offer.refusal is None:
                return True
    return False
