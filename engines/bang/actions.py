"""What a player can say (document 8.2). A field that is null is absent."""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.bang.cards import CardId
from engines.bang.characters import CharacterId
from engines.kernel.contract import PlayerId


class _Action(msgspec.Struct, frozen=True, rename="camel", tag_field="type", forbid_unknown_fields=True):
    pass


class PickCharacter(_Action, frozen=True, tag="pickCharacter"):
    character: CharacterId


class Draw(_Action, frozen=True, tag="draw"):
    jesse_from: PlayerId | None = None
    pedro_discard: bool | None = None


class KitKeepTwo(_Action, frozen=True, tag="kitKeep"):
    keep: tuple[CardId, ...]


class PickFlip(_Action, frozen=True, tag="luckyPick"):
    card_id: CardId


class Play(_Action, frozen=True, rename={"as_": "as", "card_id": "cardId", "target_card": "targetCard"}, tag="play"):
    card_id: CardId
    as_: Literal["bang", "missed"] | None = None
    target: PlayerId | None = None
    target_card: CardId | Literal["hand"] | None = None


class Respond(_Action, frozen=True, tag="respond"):
    card_ids: tuple[CardId, ...]


class UseBarrel(_Action, frozen=True, tag="useBarrel"):
    pass


class TakeHit(_Action, frozen=True, tag="takeHit"):
    pass


class GiveUp(_Action, frozen=True, tag="giveUp"):
    pass


class StorePick(_Action, frozen=True, tag="storePick"):
    card_id: CardId


class SidHeal(_Action, frozen=True, tag="sidHeal"):
    card_ids: tuple[CardId, ...]


class EndPlay(_Action, frozen=True, tag="endPlay"):
    pass


class Discard(_Action, frozen=True, tag="discard"):
    card_ids: tuple[CardId, ...]


Action = (
    PickCharacter
    | Draw
    | KitKeepTwo
    | PickFlip
    | Play
    | Respond
    | UseBarrel
    | TakeHit
    | GiveUp
    | StorePick
    | SidHeal
    | EndPlay
    | Discard
)
