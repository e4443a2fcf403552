"""Every way in which the gateway itself says no, or good-bye: stable codes, and what a person reads.

Rooms and games have their own tables; what they say passes through here unchanged.
"""

from __future__ import annotations

from typing import Any

import msgspec

from cluster.client import Refused
from cluster.messages import Bye

# ---------------------------------------------------------------- refusals: a request, or one message, was not taken

# code: (HTTP status, sentence)
REFUSALS: dict[str, tuple[int, str]] = {
    "bad_json": (400, "JSON으로 읽을 수 없는 내용이에요"),
    "bad_message": (400, "형식에 맞지 않는 메시지예요"),
    "bad_request": (400, "형식에 맞지 않는 요청이에요"),
    "bad_name": (400, "이름은 1~20자로, 보이는 글자만 쓸 수 있어요"),
    "bad_key": (400, "Idempotency-Key는 영문, 숫자, _ . : - 로 64자까지 쓸 수 있어요"),
    "bad_options": (400, "이 게임에서 고를 수 없는 설정이에요"),
    "unknown_game": (400, "그런 게임은 없어요"),
    "unknown_type": (400, "모르는 종류의 메시지예요"),
    "too_deep": (400, "너무 깊이 겹쳐진 내용이에요"),
    "not_text": (400, "글자로 된 메시지만 받을 수 있어요"),
    "too_many_seats": (400, "이 게임에서 쓸 수 없는 자리 수예요"),
    "room_full": (400, "빈자리가 없어요"),
    "unknown_request": (400, "모르는 요청이에요"),
    "bad_token": (401, "입장권이 없거나 만료됐어요. 처음부터 다시 들어와 주세요"),
    "accounts_only": (403, "로그인한 사람만 들어올 수 있어요. 먼저 로그인해 주세요"),
    "bad_origin": (403, "이 주소의 페이지에서는 연결할 수 없어요"),
    "banned": (403, "이 방에는 다시 들어올 수 없어요"),
    "not_public": (403, "구경할 수 없는 방이에요"),
    "not_found": (404, "찾을 수 없어요"),
    "room_not_found": (404, "그런 방은 없어요"),
    "no_such_game": (404, "그런 게임은 없어요"),
    "method_not_allowed": (405, "이 주소에서는 쓸 수 없는 방식이에요"),
    "too_slow": (408, "요청이 너무 늦게 도착했어요"),
    "account_name": (409, "이름은 계정에서 바꿀 수 있어요"),
    "too_many_rooms": (409, "만들어 둔 방이 너무 많아요. 쓰지 않는 방을 먼저 닫아 주세요"),
    "not_finished": (409, "아직 끝나지 않은 게임이에요"),
    "quarantined": (409, "문제가 생겨 멈춘 방이에요. 운영자가 살펴보고 있어요"),
    "closed": (410, "닫힌 방이에요"),
    "room_closed": (410, "닫힌 방이에요"),
    "too_big": (413, "내용이 너무 커요"),
    "upgrade_required": (426, "WebSocket으로 연결해 주세요"),
    "too_fast": (429, "너무 빨라요. 잠시 뒤에 다시 해 주세요"),
    "busy": (429, "아직 답을 기다리는 것이 많아요. 잠시 뒤에 다시 해 주세요"),
    "bad_http": (400, "읽을 수 없는 요청이에요"),
    "hello_first": (409, "먼저 hello를 보내 주세요"),
    "hello_again": (409, "이미 들어와 있어요"),
    "internal": (500, "서버에 문제가 생겼어요. 잠시 뒤에 다시 해 주세요"),
    "overloaded": (503, "지금은 사람이 너무 많아요. 잠시 뒤에 다시 해 주세요"),
    "unavailable": (503, "지금은 서버가 답하지 못해요. 잠시 뒤에 다시 해 주세요"),
}

_RETRIED = frozenset({"too_fast", "busy", "too_slow", "unavailable", "internal", "overloaded"})


def refusal(code: str, message: str = "") -> Refused:
    """The refusal with this code, to be raised; a code that is not in the table is a bug."""
    return Refused(code, message or REFUSALS[code][1], retry=code in _RETRIED)


def status_of(no: Refused) -> int:
    """The HTTP status of any refusal, also of a room's or a game's."""
    known = REFUSALS.get(no.code)
    if known is not None:
        return known[0]
    return 503 if no.retry else 409


def misfit(base: str, error: msgspec.ValidationError) -> tuple[str, str]:
    """Code and sentence for JSON that does not fit its type; names the field where there is one.

    msgspec ends its sentence with the path of what it stumbled over: "… - at `$.decision`".
    """
    detail = str(error)
    where = detail.rpartition("`$.")[2].rstrip("`") if "`$." in detail else ""
    if not where and "`" in detail:  # "Object missing required field `id`", "… contains unknown field `x`"
        where = detail.split("`")[1].lstrip("$")
    if where == "type":
        return "unknown_type", REFUSALS["unknown_type"][1]
    sentence = REFUSALS[base][1]
    return base, f"{sentence}: {where[:40]}" if where else sentence


# ---------------------------------------------------------------- good-byes: the socket is closed


class Parting(msgspec.Struct, frozen=True):
    """How a socket is closed with a `Bye` of some code."""

    close: int  # the WebSocket close code, for those who only look there; its reason is the Bye's code
    again: bool = False  # is it worth to connect anew?
    message: str = ""  # where the gateway is the one to say it


# 1000 it is over, 1001 this server goes away, 1008 you did wrong, 1009 too big, 1013 later
PARTINGS: dict[str, Parting] = {
    "replaced": Parting(1000),
    "kicked": Parting(1000),
    "left": Parting(1000),
    "closed": Parting(1000),
    "slow": Parting(1008, True, "연결이 느려서 소식을 따라오지 못했어요. 다시 연결해 주세요"),
    "flood": Parting(1008, True, "너무 많이 보내서 연결을 끊었어요. 잠시 뒤에 다시 들어와 주세요"),
    "too_big": Parting(1009, False, "메시지가 너무 커요"),
    "bad_message": Parting(1008, False, "알아볼 수 없는 메시지가 계속 와서 연결을 끊었어요"),
    "bad_token": Parting(1008, False, REFUSALS["bad_token"][1]),
    "bad_version": Parting(1008, False, "앱이 오래됐어요. 페이지를 새로 고쳐 주세요"),
    "room_not_found": Parting(1008),
    "room_full": Parting(1008),
    "banned": Parting(1008),
    "not_public": Parting(1008),
    "locked": Parting(1008),
    "wrong_key": Parting(1008, False, "틀린 비밀번호가 너무 많았어요. 잠시 뒤에 다시 해 주세요"),
    "crowded": Parting(1008),
    "overloaded": Parting(1013, True, REFUSALS["overloaded"][1]),
    "quarantined": Parting(1013),
    "unavailable": Parting(1013, True, REFUSALS["unavailable"][1]),
    "idle": Parting(1008, True, "오래 기다렸지만 hello가 오지 않았어요"),
    "shutdown": Parting(1001, True, "서버를 새로 고치고 있어요. 곧 다시 연결돼요"),
}


IDLE = Bye("idle", "오랫동안 아무것도 하지 않아 연결을 끊었어요. 다시 들어오면 이어서 할 수 있어요")


def bye(code: Any, message: str = "", *, after: int = 0, at: str = "") -> Bye:
    """The gateway's own Bye with this code."""
    parting = PARTINGS[code]
    return Bye(code, message or parting.message, parting.again, after, at)


def close_code(code: str) -> int:
    """The WebSocket close code that goes with a Bye."""
    return PARTINGS[code].close
