"""What differs between tables and between variants, as tables; the flow of the game reads them and knows neither.

A `Form` follows from the head count (and, for two, from an option), a `Variant` is an option. A `Premium` is a kind of
premium bid.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.parlett.cards import Suit, deck
from engines.parlett.options import Options, VariantName

NPC = "npc"
BID_CARDS = 3

FormName = Literal["npc", "noNpc", "three", "four"]
Phase = Literal["bidding", "premium", "trump", "playing", "roundEnd", "finished"]
PremiumKind = Literal["none", "declaration", "revelation", "declare", "reveal", "both"]


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """A table of so many."""

    lowest: int  # the least rank in the deck
    dealt: int  # cards for each
    levels: int  # how many of a variant's kinds of premium bids there are here
    every_premium: bool = False  # all premium bids take effect, not only the best
    bonus: dict[int, int]  # for each who made it, by how many did; empty: by one's own series (PN-19)
    ten_more: frozenset[int] = frozenset()  # bids for which ten tricks more are right too

    @property
    def tricks(self) -> int:
        return self.dealt - BID_CARDS


FORMS: dict[FormName, Form] = {
    # -카드-, -카드 분배-, -프리미엄 비딩-, [비딩 보너스]; nobody makes it: nothing (PN-8)
    "three": Form(lowest=6, dealt=12, levels=3, bonus={0: 0, 1: 30, 2: 20, 3: 10}),
    # -4인 게임-: 0 can only be bid with three diamonds, which bid 10 as well (PN-11); premium bids as usual (PN-12)
    "four": Form(lowest=2, dealt=13, levels=3, bonus={0: 0, 1: 30, 2: 20, 3: 10, 4: 0}, ten_more=frozenset({0})),
    # -2인 게임 (NPC 포함)-: as for three, the NPC being counted (PN-16); declarations only, also two at once (PN-17)
    "npc": Form(lowest=6, dealt=12, levels=1, every_premium=True, bonus={0: 0, 1: 30, 2: 20, 3: 10}),
    # -2인 게임 (NPC 없음)- (PN-18, PN-19). "2~6 카드를 뺀 32장"
    "noNpc": Form(lowest=7, dealt=16, levels=0, bonus={}, ten_more=frozenset(range(10))),
}


def form_of(options: Options, players: int) -> FormName:
    """The table for so many players."""
    match players:
        case 2:
            return options.two_player
        case 3:
            return "three"
        case _:
            return "four"


class Premium(msgspec.Struct, frozen=True, kw_only=True):
    """What a premium bid is worth, and what it lays open."""

    value: int
    bid: bool = False  # the bid cards
    hand: bool = False  # the hand
    number: bool = False  # the number of tricks, said without cards
    label: str


PREMIUMS: dict[PremiumKind, Premium] = {
    "declaration": Premium(value=30, bid=True, label="디클레이션 (30점): 비딩 카드 공개"),
    "revelation": Premium(value=60, bid=True, hand=True, label="리빌레이션 (60점): 비딩 카드와 손패 공개"),
    # [언비딩 나인티 나인], in the order listed; 30/60/90 (PN-22, an owner may want others)
    "declare": Premium(value=30, number=True, label="트릭 수 선언 (30점)"),
    "reveal": Premium(value=60, hand=True, label="손패 공개 (60점)"),
    "both": Premium(value=90, hand=True, number=True, label="손패 공개와 트릭 수 선언 (90점)"),
}


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """How a round goes."""

    phases: tuple[Phase, ...] = ("bidding", "premium", "playing")
    joker: bool = True  # in the deck, and so a card turned up
    premiums: tuple[PremiumKind, ...] = ("declaration", "revelation")


VARIANTS: dict[VariantName, Variant] = {
    "standard": Variant(),
    "trump": Variant(joker=False),
    "sphinx": Variant(phases=("premium", "trump", "bidding", "playing"), joker=False),  # PN-21
    "unbid": Variant(phases=("premium", "playing"), premiums=("declare", "reveal", "both")),  # PN-22
}

# [트럼프 슈트]: diamonds first, then by how many made it. Four of four: none (PN-20).
FIRST_TRUMP: Suit = "D"
TRUMP_AFTER: dict[int, Suit | None] = {0: "D", 1: "S", 2: "H", 3: "C", 4: None}


def premium_kinds(options: Options, form: FormName) -> tuple[PremiumKind, ...]:
    """What may be answered to the question for premium bids; where it is only "none", nobody is asked."""
    if options.variant == "unbid" and options.unbid_premium == "off":
        return ("none",)
    return ("none", *VARIANTS[options.variant].premiums[: FORMS[form].levels])


DECKS = {
    (name, variant): deck(form.lowest, rules.joker)
    for name, form in FORMS.items()
    for variant, rules in VARIANTS.items()
}
