"""The operators' desk, over real sockets, with a cluster in memory; and what who browses to nowhere gets."""

from __future__ import annotations

from typing import Any

import pytest

from cluster import admin
from cluster.client import Refused
from gateway.admin import SENTENCES, in_english, operator
from gateway.refusals import REFUSALS
from tests.gateway.harness import ADMIN, Answer, gateway

BEARER = {"Authorization": f"Bearer {ADMIN}"}
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def korean(text: str) -> bool:
    return any("가" <= letter <= "힣" for letter in text)


def refused(answer: Answer, status: int, code: str) -> bool:
    """A refusal of an operator has its status, its stable code, and a sentence in English."""
    body = answer.json
    assert set(body) == {"code", "message"}
    assert body["message"]
    assert not korean(body["message"])
    assert (status, code) == (answer.status, body["code"])
    return True


async def test_operators_ask_with_their_token():
    async with gateway() as gw:
        assert (await gw.call("GET", "/api/admin/rooms?game=x", headers=BEARER)).json == {"rooms": []}
        assert (await gw.post("/api/admin/close", {"room": "r1"}, ADMIN)).status == 200
        assert (await gw.call("POST", "/api/admin/close?room=r2", headers=BEARER)).status == 200
        assert gw.cluster.asked == [("rooms", {"game": "x"}), ("close", {"room": "r1"}), ("close", {"room": "r2"})]


async def test_what_is_asked_in_the_wrong_way_goes_no_further():
    async with gateway() as gw:
        for order in admin.ORDERS:
            answer = await gw.call("GET", f"/api/admin/{order}?room=r1", headers=BEARER)
            assert refused(answer, 405, "method_not_allowed")
        for question in ("rooms", "replay", "nonsense"):
            assert refused(await gw.post(f"/api/admin/{question}", {}, ADMIN), 405, "method_not_allowed")
        assert refused(await gw.post("/api/admin/close", [1], ADMIN), 400, "bad_request")
        assert refused(await gw.call("POST", "/api/admin/close", data=b"{", headers=BEARER), 400, "bad_json")
        assert refused(await gw.call("POST", "/api/admin/close", data=b"[" * 9_999, headers=BEARER), 400, "too_deep")
        assert refused(await gw.call("PUT", "/api/admin/close", headers=BEARER), 405, "method_not_allowed")
        assert refused(await gw.call("POST", "/api/admin/close", data=b"x" * 99_999, headers=BEARER), 413, "too_big")
        assert gw.cluster.asked == []


async def test_others_do_not():
    async with gateway() as gw:
        assert refused(await gw.call("GET", "/api/admin/rooms"), 401, "bad_token")
        player = {"Authorization": f"Bearer {gw.token()}"}
        assert refused(await gw.call("GET", "/api/admin/rooms", headers=player), 401, "bad_token")
        odd = {"Authorization": "Bearer 운영자"}
        assert refused(await gw.call("GET", "/api/admin/rooms", headers=odd), 401, "bad_token")
        assert gw.cluster.asked == []


async def test_the_directory_hears_who_gave_an_order():
    async with gateway() as gw:
        await gw.post("/api/admin/close", {"room": "r"}, ADMIN, **{"X-Hanpan-Operator": "min"})
        await gw.post("/api/admin/close", {"room": "r"}, ADMIN)
        assert gw.cluster.operators == ["min@127.0.0.1", "somebody@127.0.0.1"]


def test_a_name_is_short_and_can_be_read():
    assert operator("a b\tc\x00\u202ed", "10.0.0.7") == "abcd@10.0.0.7"
    assert operator("x" * 99, "10.0.0.7") == "x" * 40 + "@10.0.0.7"


async def test_where_there_are_no_operators_there_is_nothing_to_see():
    async with gateway(admin_token="") as gw:
        nothing = await gw.call("GET", "/api/nothing")
        for token in ("", ADMIN):
            answer = await gw.call("GET", "/api/admin/rooms", headers={"Authorization": f"Bearer {token}"})
            assert (answer.status, answer.body) == (nothing.status, nothing.body)
        assert (await gw.call("GET", "/ops")).status == 404


@pytest.mark.parametrize("code", [*REFUSALS, "some_game_says_no"])
def test_whatever_is_refused_an_operator_reads_it_in_english(code: str):
    no = in_english(Refused(code, "안 돼요", retry=True))
    assert (no.code, no.retry) == (code, True)
    assert no.message == SENTENCES.get(code, no.message)
    assert not korean(no.message)


def test_what_is_english_stays_as_it_was():
    assert in_english(Refused("no_such_node", "no node is called n7")).message == "no node is called n7"


async def test_a_replay_is_asked_of_the_room_as_a_spectator_sees_it(monkeypatch: pytest.MonkeyPatch):
    async with gateway() as gw:
        room = (await gw.room()).summary.id

        async def asked(what: str, args: dict[str, Any], by: str = "") -> Any:
            return {"id": room, "games": 3}

        monkeypatch.setattr(gw.cluster, "admin", asked)
        assert refused(await gw.call("GET", "/api/admin/replay?room=CODE01", headers=BEARER), 409, "not_finished")
        assert (await gw.call("GET", "/api/admin/replay?room=CODE01&game=0", headers=BEARER)).json["game"] == 0
        assert refused(await gw.call("GET", "/api/admin/replay?room=CODE01&game=x", headers=BEARER), 400, "bad_request")
        assert gw.cluster.replays == [(room, 2, None), (room, 0, None)]


# ---------------------------------------------------------------- pages


async def test_the_operators_page_is_a_page_and_its_policy_is_as_strict():
    async with gateway() as gw:
        page = await gw.call("GET", "/ops")
        assert page.status == 200
        assert b"/ops/main.js" in page.body
        assert "script-src 'self'" in page.headers["Content-Security-Policy"]


async def test_who_browses_to_nowhere_gets_a_page_and_programs_get_json():
    async with gateway() as gw:
        for path in ("/nowhere", "/r/", "/ops/nothing", "/deep/down/there"):
            lost = await gw.call("GET", path, headers=BROWSER)
            assert (lost.status, lost.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
            assert korean(lost.body.decode())
            assert lost.headers["Cache-Control"] == "no-store"
            assert "default-src 'none'" in lost.headers["Content-Security-Policy"]
        for path, accept in (
            ("/nowhere", "*/*"),
            ("/nowhere", "application/json"),
            ("/api/nothing", BROWSER["Accept"]),
        ):
            answer = await gw.call("GET", path, headers={"Accept": accept})
            assert (answer.status, answer.json["code"]) == (404, "not_found")
        assert (await gw.call("POST", "/nowhere", headers=BROWSER)).json["code"] == "method_not_allowed"
