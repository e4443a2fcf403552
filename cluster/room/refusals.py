"""Every way in which a room itself says no: the stable code and what a person reads. Games have their own."""

from __future__ import annotations

from engines.kernel.contract import Rejected

_TABLE = {
    "already_playing": "이미 게임이 시작됐어요",
    "already_seated": "이미 자리에 앉아 있어요",
    "bad_number": "약속한 수와 다른 수예요",
    "banned": "이 방에는 다시 들어올 수 없어요",
    "engine_error": "게임이 이 수를 처리하지 못했어요. 다른 수를 내 주세요",
    "no_game": "진행 중인 게임이 없어요",
    "no_such_player": "그런 사람이 방에 없어요",
    "no_such_seat": "없는 자리예요",
    "not_enough_players": "시작하기에는 사람이 부족해요",
    "not_host": "방장만 할 수 있어요",
    "not_playing": "이 게임에 참가하고 있지 않아요",
    "not_ready": "아직 준비하지 않은 사람이 있어요",
    "not_seated": "먼저 자리에 앉아 주세요",
    "room_closed": "닫힌 방이에요",
    "room_full": "빈자리가 없어요",
    "seat_taken": "다른 사람이 앉은 자리예요",
    "seats_in_use": "앉아 있는 사람보다 적은 자리로 줄일 수 없어요",
    "stale_decision": "이미 지나간 차례에 대한 응답이에요",
    "not_asked": "지금은 할 수 있는 행동이 없어요",
    "not_awaited": "지금은 수를 받지 않아요",
    "starting": "곧 시작해요. 잠시만 기다려 주세요",
    "storage_down": "저장소가 잠시 멈췄어요. 잠시 뒤에 다시 해 주세요",
    "too_many_seats": "이 게임에서 쓸 수 없는 자리 수예요",
    "yourself": "자기 자신에게는 할 수 없어요",
}

_REFUSALS = {code: Rejected(code, message) for code, message in _TABLE.items()}


def refuse(code: str) -> Rejected:
    """The refusal with this code; a code that is not in the table is a bug."""
    return _REFUSALS[code]
