"""Every refusal: a stable code, and its sentence in the document's voice (8.2), in the names of the table."""

from __future__ import annotations

from functools import lru_cache

from engines.bang.names import sentence
from engines.bang.options import Names
from engines.kernel.contract import Rejected

SENTENCES: dict[str, str] = {
    "finished": "이미 끝난 게임입니다",
    "not_playing": "이 게임을 하고 있지 않습니다",
    "eliminated": "이미 탈락했습니다",
    "not_your_turn": "내 차례가 아닙니다",
    "reactions_open": "다른 플레이어의 반응을 기다리고 있습니다",
    "not_asked": "지금은 할 수 없는 행동입니다",
    "wrong_phase": "지금 단계에서는 할 수 없는 행동입니다",
    "no_such_card": "손패에 없는 카드입니다",
    "same_card_twice": "같은 카드를 두 번 고를 수 없습니다",
    "not_offered": "고를 수 있는 것 중에 없습니다",
    "wrong_count": "카드를 정확히 {count}장 골라야 합니다",
    # playing
    "missed_is_reaction": "{missed:은} 자기 턴에 낼 수 없습니다",
    "as_not_allowed": "이 카드는 다른 카드로 쓸 수 없습니다",
    "bang_used": "이번 턴에는 {bang:을} 이미 썼습니다",
    "out_of_range": "{reach:이} 닿지 않습니다(거리 {distance}, {reach} {range})",
    "too_far": "거리 1 이내의 플레이어만 고를 수 있습니다(거리 {distance})",
    "target_missing": "대상을 골라 주세요",
    "target_stray": "대상을 고르는 카드가 아닙니다",
    "target_self": "자신을 고를 수 없습니다",
    "target_gone": "게임에 남아 있는 다른 플레이어를 골라 주세요",
    "target_card_missing": "대상의 어느 카드인지 골라 주세요",
    "target_card_stray": "대상의 카드를 고르는 카드가 아닙니다",
    "target_has_none": "대상에게 카드가 없습니다",
    "target_hand_empty": "대상의 손패가 없습니다",
    "target_card_gone": "대상 앞에 없는 카드입니다",
    "own_hand": "내 손패는 고를 수 없습니다",
    "jail_sheriff": "{sheriff:은} {jail}에 넣을 수 없습니다",
    "jailed_already": "이미 {jail}에 갇혀 있습니다",
    "same_in_play": "같은 이름의 카드가 이미 앞에 있습니다",
    "beer_full": "{life:이} 가득해서 {beer:을} 쓸 수 없습니다",
    "beer_two_left": "2명만 남았을 때는 {beer:을} 쓸 수 없습니다",
    # answering
    "no_defence": "이 카드로는 막을 수 없습니다",
    "barrel_automatic": "{flip:이} 자동으로 진행됩니다",
    "no_barrel": "더 뒤집을 {barrel:이} 없습니다",
    "heal_not_yours": "손패를 버려 회복할 수 있는 캐릭터가 아닙니다",
    "heal_not_now": "자기 턴이나 내가 반응할 때만 회복할 수 있습니다",
    "heal_full": "{life:이} 이미 가득합니다",
    # drawing
    "draw_not_yours": "이 캐릭터는 그렇게 뽑을 수 없습니다",
    "discard_empty": "버림 더미가 비어 있습니다",
}
BAD_PLAYERS = Rejected("bad_players", "4명부터 7명까지 할 수 있습니다")


@lru_cache(maxsize=4096)
def refusal(names: Names, code: str, **args: int) -> Rejected:
    """The refusal of this code, its sentence filled in."""
    return Rejected(code, sentence(names, SENTENCES[code], args))
