"""What a player may say (RULES 8.2), and each way in which it may be refused (RULES 9)."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engines.kernel.contract import Rejected
from engines.parlett.cards import CardId, Suit
from engines.parlett.forms import PremiumKind


class Bid(msgspec.Struct, frozen=True, rename="camel", tag_field="type", tag="bid", forbid_unknown_fields=True):
    """Three cards of the hand, in any order."""

    card_ids: tuple[CardId, ...]


class Offering(msgspec.Struct, frozen=True, tag_field="type", tag="premium", forbid_unknown_fields=True):
    """A premium bid, or none; with the number of tricks where the kind says one (Unbid)."""

    kind: PremiumKind
    tricks: int | None = None


class Trump(msgspec.Struct, frozen=True, tag_field="type", tag="trump", forbid_unknown_fields=True):
    """Sphinx: the trump suit, or null for none."""

    suit: Suit | None = None


class Play(msgspec.Struct, frozen=True, rename="camel", tag_field="type", tag="play", forbid_unknown_fields=True):
    """A card for the trick; the NPC's too."""

    card_id: CardId


class Ready(msgspec.Struct, frozen=True, tag_field="type", tag="ready", forbid_unknown_fields=True):
    """The round's score has been seen."""


AnyAction: TypeAlias = Bid | Offering | Trump | Play | Ready

BAD_PLAYERS = Rejected("bad_players", "2명부터 4명까지 할 수 있어요")
NPC_NAMED = Rejected("bad_players", "'npc'는 NPC의 이름이라 쓸 수 없어요")
NO_SPHINX = Rejected("bad_options", "NPC 없는 2인 게임에는 프리미엄 비딩이 없어서 스핑크스를 할 수 없어요")

FINISHED = Rejected("finished", "이미 끝난 게임이에요")
NOT_PLAYING = Rejected("not_in_game", "이 게임을 하고 있지 않아요")
NOT_YOUR_TURN = Rejected("not_your_turn", "아직 내 차례가 아니에요")
NO_SUCH_CARD = Rejected("no_such_card", "손에 없는 카드예요")
NOT_NPCS = Rejected("no_such_card", "NPC가 들고 있지 않은 카드예요")
BID_COUNT = Rejected("bid_count", "비딩 카드는 3장이어야 해요")
BID_REPEATED = Rejected("bid_repeated", "같은 카드를 두 번 고를 수 없어요")
NO_SUCH_PREMIUM = Rejected("no_such_premium", "이 게임에서는 할 수 없는 프리미엄 비딩이에요")
TRICKS_MISSING = Rejected("tricks_missing", "몇 트릭을 가져갈지 말해 주세요")
TRICKS_STRAY = Rejected("tricks_stray", "이 프리미엄 비딩에는 트릭 수를 말하지 않아요")


def must_follow(suit: str) -> Rejected:
    return Rejected("must_follow", f"{suit}를 가지고 있으면 {suit}를 내야 해요")


def tricks_range(most: int) -> Rejected:
    return Rejected("tricks_range", f"트릭 수는 0부터 {most}까지 말할 수 있어요")


# An action at the wrong time, and one that has already been taken.
UNTIMELY: dict[type[AnyAction], Rejected] = {
    Bid: Rejected("not_bidding", "지금은 비딩 카드를 놓을 때가 아니에요"),
    Offering: Rejected("not_premium", "지금은 프리미엄 비딩을 선언할 때가 아니에요"),
    Trump: Rejected("not_trump", "지금은 트럼프 슈트를 정할 때가 아니에요"),
    Play: Rejected("not_trick", "지금은 카드를 낼 때가 아니에요"),
    Ready: Rejected("not_round_end", "라운드가 아직 끝나지 않았어요"),
}
AGAIN: dict[type[AnyAction], Rejected] = {
    Bid: Rejected("already_bid", "이미 비딩 카드를 놓았어요"),
    Offering: Rejected("already_offered", "프리미엄 비딩은 한 번만 선언할 수 있어요"),
    Trump: NOT_YOUR_TURN,
    Play: NOT_YOUR_TURN,
    Ready: Rejected("already_ready", "이미 준비했어요"),
}
