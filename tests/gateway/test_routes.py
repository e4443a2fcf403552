"""The lobby's HTTP API, over real sockets, with a cluster in memory."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cluster.client import Refused
from gateway.metering import NoMetrics, TallyMetrics
from gateway.pages import Pages
from ops.metrics import Tally
from tests.gateway.harness import Answer, gateway

ROOM = {"game": "ninety-nine"}


def refused(answer: Answer, status: int, code: str) -> bool:
    """A refusal has its status, its stable code, and a sentence in Korean."""
    body = answer.json
    assert set(body) == {"code", "message"}
    assert any("가" <= letter <= "힣" for letter in body["message"])
    assert (status, code) == (answer.status, body["code"])
    return True


# ---------------------------------------------------------------- people


async def test_a_guest_gets_a_token_that_opens_doors():
    async with gateway() as gw:
        answer = await gw.post("/api/guest", {"name": "  안나 "})
        assert answer.status == 200
        body = answer.json
        assert (body["name"], body["expiresIn"]) == ("안나", 30 * 86_400)
        assert gw.guests.known(body["token"]).player == body["player"]
        assert answer.headers["Cache-Control"] == "no-store"


async def test_renewing_keeps_the_player_and_may_rename():
    async with gateway() as gw:
        first = (await gw.post("/api/guest", {"name": "안나"})).json
        second = (await gw.post("/api/guest", {"name": "한나"}, first["token"])).json
        assert (second["player"], second["name"]) == (first["player"], "한나")
        stranger = (await gw.post("/api/guest", {"name": "안나"}, "nonsense")).json
        assert stranger["player"] != first["player"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "bad_json"),
        (b"{", "bad_json"),
        (b"\xff", "bad_json"),
        (b"[]", "bad_request"),
        (b"{}", "bad_request"),
        (b'{"name":5}', "bad_request"),
        (b'{"name":"a","player":"g_bob"}', "bad_request"),
        (b'{"name":""}', "bad_name"),
        (b'{"name":"a\\u0000b"}', "bad_name"),
        (b'{"name":"\\u202eabc"}', "bad_name"),
        (b'{"name":"' + b"x" * 21 + b'"}', "bad_name"),
        (b"[" * 10_000, "too_deep"),
    ],
)
async def test_bad_guests(body: bytes, code: str):
    async with gateway() as gw:
        answer = await gw.call("POST", "/api/guest", data=body)
        assert refused(answer, 400, code)


# ---------------------------------------------------------------- games


async def test_games_come_with_a_schema_that_a_form_can_be_made_from():
    async with gateway() as gw:
        games = {game["id"]: game for game in (await gw.call("GET", "/api/games")).json["games"]}
        game = games["ninety-nine"]
        assert game["title"] == "구십구"
        assert (game["minPlayers"], game["maxPlayers"]) == (2, 10)
        assert len(game["minutes"]) == 2
        for option in game["options"]["properties"].values():
            assert option["title"]
            assert "default" in option


# ---------------------------------------------------------------- rooms


async def test_a_room_is_made_found_and_listed():
    async with gateway() as gw:
        made = await gw.post("/api/rooms", {**ROOM, "public": True, "seats": 3, "bots": 1}, gw.token())
        assert made.status == 201
        room = made.json
        assert (room["seats"], room["taken"], room["game"]) == (3, 1, "ninety-nine")
        code = room["code"]
        for typed in (code, code.lower(), f" {code[:3]}-{code[3:]} "):
            assert (await gw.post("/api/join", {"code": typed})).json == room
        assert (await gw.call("GET", f"/api/rooms/{room['id']}")).json == room
        assert (await gw.call("GET", "/api/rooms")).json == {"rooms": [room]}
        assert (await gw.call("GET", "/api/rooms?game=ninety-nine&limit=0")).json == {"rooms": []}


async def test_a_create_whose_answer_was_lost_is_repeated_and_makes_one_room():
    async with gateway() as gw:
        first, second = [await gw.post("/api/rooms", ROOM, gw.token(), **{"Idempotency-Key": "once"}) for _ in range(2)]
        other = await gw.post("/api/rooms", ROOM, gw.token("g_bob"), **{"Idempotency-Key": "once"})
        assert first.json == second.json
        assert other.json["id"] != first.json["id"]
        keyless = [await gw.post("/api/rooms", ROOM, gw.token()) for _ in range(2)]
        assert keyless[0].json["id"] != keyless[1].json["id"]


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({}, "bad_request"),
        ({"game": 7}, "bad_request"),
        ({"game": "chess"}, "unknown_game"),
        ({"game": ""}, "bad_request"),
        ({**ROOM, "options": {"handSize": "many"}}, "bad_options"),
        ({**ROOM, "options": {"nonsense": 1}}, "bad_options"),
        ({**ROOM, "options": []}, "bad_request"),
        ({**ROOM, "options": {"a": 10**40}}, "too_deep"),
        ({**ROOM, "seats": 1}, "bad_request"),
        ({**ROOM, "seats": 11}, "too_many_seats"),
        ({**ROOM, "seats": 10**15}, "bad_request"),
        ({**ROOM, "seats": 2, "bots": 2}, "room_full"),
        ({**ROOM, "bots": -1}, "bad_request"),
        ({**ROOM, "public": "yes"}, "bad_request"),
        ({**ROOM, "spectator": True}, "bad_request"),
    ],
)
async def test_bad_wishes_make_no_room(wish: dict[str, Any], code: str):
    async with gateway() as gw:
        assert refused(await gw.post("/api/rooms", wish, gw.token()), 400, code)
        assert gw.cluster.rooms == {}


@pytest.mark.parametrize("key", ["", " ", "x" * 65, "with space", "한글"])
async def test_a_key_that_cannot_be_kept_is_refused(key: str):
    async with gateway() as gw:
        answer = await gw.post("/api/rooms", ROOM, gw.token(), **{"Idempotency-Key": key})
        assert refused(answer, 400, "bad_key")


@pytest.mark.parametrize("path", ["/api/rooms", "/api/quick"])
async def test_rooms_are_for_people_with_a_token(path: str):
    async with gateway() as gw:
        assert refused(await gw.post(path, ROOM), 401, "bad_token")
        assert refused(await gw.post(path, ROOM, "nonsense"), 401, "bad_token")
        basic = await gw.call("POST", path, json=ROOM, headers={"Authorization": f"Basic {gw.token()}"})
        assert refused(basic, 401, "bad_token")
        assert basic.headers["WWW-Authenticate"] == "Bearer"
        assert gw.cluster.rooms == {}


async def test_a_quick_match_is_a_room():
    async with gateway() as gw:
        answer = await gw.post("/api/quick", ROOM, gw.token())
        assert (answer.status, answer.json["public"]) == (200, True)
        assert refused(await gw.post("/api/quick", {"game": "chess"}, gw.token()), 400, "unknown_game")


async def test_rooms_that_are_not_there():
    async with gateway() as gw:
        assert refused(await gw.call("GET", "/api/rooms/none"), 404, "room_not_found")
        assert refused(await gw.post("/api/join", {"code": "NONE22"}), 404, "room_not_found")
        assert refused(await gw.post("/api/join", {"code": " "}), 404, "room_not_found")
        assert refused(await gw.post("/api/join", {"code": "x" * 99}), 400, "bad_request")
        assert refused(await gw.call("GET", "/api/rooms?game=chess"), 400, "unknown_game")
        assert refused(await gw.call("GET", "/api/rooms?limit=-1"), 400, "bad_request")
        assert refused(await gw.call("GET", "/api/rooms?limit=9999999"), 400, "bad_request")


async def test_a_replay_is_for_its_viewer():
    async with gateway() as gw:
        room = (await gw.room()).summary.id
        path = f"/api/rooms/{room}/replay"
        assert (await gw.call("GET", f"{path}?game=0")).json["game"] == 0
        assert (await gw.call("GET", path, headers={"Authorization": f"Bearer {gw.token()}"})).status == 200
        assert gw.cluster.replays == [(room, 0, None), (room, 0, "g_anna")]
        assert refused(await gw.call("GET", f"{path}?game=1"), 409, "not_finished")
        assert refused(await gw.call("GET", f"{path}?game=x"), 400, "bad_request")
        assert refused(await gw.call("GET", path, headers={"Authorization": "Bearer no"}), 401, "bad_token")
        assert refused(await gw.call("GET", "/api/rooms/none/replay"), 404, "room_not_found")


async def test_evidence_of_deals_is_for_its_viewer_too():
    async with gateway() as gw:
        room = (await gw.room()).summary.id
        path = f"/api/rooms/{room}/fairness"
        assert (await gw.call("GET", f"{path}?game=1")).json["number"] == 1
        assert (await gw.call("GET", path, headers={"Authorization": f"Bearer {gw.token()}"})).status == 200
        assert gw.cluster.fairnesses == [(room, 1, None), (room, 0, "g_anna")]
        assert refused(await gw.call("GET", path, headers={"Authorization": "Bearer no"}), 401, "bad_token")
        assert refused(await gw.call("GET", "/api/rooms/none/fairness"), 404, "room_not_found")


# ---------------------------------------------------------------- when things are not as they should be


async def test_a_cluster_that_is_away_is_said_to_be():
    async with gateway() as gw:
        gw.cluster.down = True
        answer = await gw.post("/api/rooms", ROOM, gw.token())
        assert refused(answer, 503, "unavailable")
        assert answer.headers["Retry-After"] == "1"


async def test_refusals_of_rooms_and_games_pass_through(monkeypatch: pytest.MonkeyPatch):
    """Also those whose codes this gateway has never heard of."""
    async with gateway() as gw:
        for no, status in (
            (Refused("closed", "닫힌 방이에요"), 410),
            (Refused("no_such_thing", "그건 안 돼요"), 409),
            (Refused("storage_down", "저장소가 멈췄어요", retry=True), 503),
        ):

            async def get(room: str, no: Refused = no) -> Any:
                raise no

            monkeypatch.setattr(gw.cluster, "get", get)
            assert refused(await gw.call("GET", "/api/rooms/r1"), status, no.code)


async def test_a_bug_is_an_answer_without_its_details(monkeypatch: pytest.MonkeyPatch):
    async with gateway() as gw:

        async def get(room: str) -> Any:
            raise ZeroDivisionError("the seed is 1234")

        monkeypatch.setattr(gw.cluster, "get", get)
        answer = await gw.call("GET", "/api/rooms/r1")
        assert refused(answer, 500, "internal")
        assert b"1234" not in answer.body


async def test_every_refusal_is_json_whatever_went_wrong():
    async with gateway() as gw:
        assert refused(await gw.call("GET", "/nowhere"), 404, "not_found")
        assert refused(await gw.call("GET", "/api/"), 404, "not_found")
        wrong = await gw.call("DELETE", "/api/rooms")
        assert refused(wrong, 405, "method_not_allowed")
        assert wrong.headers["Allow"] == "GET,HEAD,POST"
        assert refused(await gw.call("GET", "/ws"), 426, "upgrade_required")
        bad_key = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "x"}
        assert refused(await gw.call("GET", "/ws", headers=bad_key), 426, "upgrade_required")
        assert refused(await gw.call("POST", "/api/guest", data=b"x" * 70_000), 413, "too_big")


async def test_a_body_that_never_comes_is_not_waited_for():
    async with gateway(body_seconds=0.05) as gw:
        reader, writer = await asyncio.open_connection(gw.host, gw.port)
        writer.write(b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{")
        assert (await reader.readline()).startswith(b"HTTP/1.1 408")
        writer.close()
        await writer.wait_closed()


async def test_too_many_guests_from_one_address_are_told_when_to_come_back():
    async with gateway(guests_rate=0.5, guests_burst=3.0, proxies=1) as gw:

        async def guest(address: str) -> Answer:
            return await gw.post("/api/guest", {"name": "a"}, **{"X-Forwarded-For": address})

        assert [(await guest("192.0.2.1")).status for _ in range(3)] == [200] * 3
        answer = await guest("192.0.2.1")
        assert refused(answer, 429, "too_fast")
        assert answer.headers["Retry-After"] == "2"
        assert (await guest("192.0.2.2")).status == 200
        assert refused(await guest("6.6.6.6, 192.0.2.1"), 429, "too_fast")


async def test_one_person_cannot_fill_the_house():
    async with gateway(creates_each_rate=0.1, creates_each_burst=2.0) as gw:
        statuses = [(await gw.post("/api/rooms", ROOM, gw.token())).status for _ in range(3)]
        assert statuses == [201, 201, 429]
        assert (await gw.post("/api/rooms", ROOM, gw.token("g_bob"))).status == 201


async def test_wrong_codes_are_counted_and_right_ones_are_not():
    async with gateway(codes_rate=0.1, codes_burst=2.0) as gw:
        room = await gw.room()
        for _ in range(5):
            assert (await gw.post("/api/join", {"code": room.summary.code})).status == 200
        statuses = [(await gw.post("/api/join", {"code": "WRONG2"})).status for _ in range(3)]
        assert statuses == [404, 404, 429]
        assert (
            await gw.post("/api/join", {"code": room.summary.code})
        ).status == 429  # nor does it learn of a right one


async def test_guesses_that_come_all_at_once_are_no_more_than_others():
    async with gateway(codes_rate=0.1, codes_burst=2.0) as gw:
        answers = await asyncio.gather(*(gw.post("/api/join", {"code": "WRONG2"}) for _ in range(20)))
        assert sorted(answer.status for answer in answers) == [404] * 2 + [429] * 18


# ---------------------------------------------------------------- for whoever runs it


async def test_health_and_readiness():
    async with gateway() as gw:
        assert (await gw.call("GET", "/healthz")).status == 200
        assert (await gw.call("GET", "/readyz")).json == {"ready": True, "rooms": True, "draining": False}
        assert (await gw.call("GET", "/readyz/rooms")).status == 200
        gw.cluster.ready = False  # the directory is away: who is in a room must be able to come back
        assert (await gw.call("GET", "/readyz")).json == {"ready": True, "rooms": False, "draining": False}
        assert (await gw.call("GET", "/readyz")).status == 200
        assert (await gw.call("GET", "/readyz/rooms")).status == 503
        gw.cluster.joined = False  # it has just started, and knows nobody yet
        assert (await gw.call("GET", "/readyz")).status == 503
        assert (await gw.call("GET", "/healthz")).status == 200


async def test_whoever_is_on_call_sees_whether_rooms_can_be_made():
    async with gateway(metrics=TallyMetrics(Tally("gateway"))) as gw:
        assert b"\nhanpan_gateway_makes_rooms 1.0\n" in (await gw.call("GET", "/metrics")).body
        gw.cluster.ready = False
        assert b"\nhanpan_gateway_makes_rooms 0.0\n" in (await gw.call("GET", "/metrics")).body


async def test_requests_are_counted_by_route_never_by_path():
    class Counting(NoMetrics):
        def __init__(self) -> None:
            self.rows: list[tuple[str, int]] = []

        def http(self, route: str, status: int, seconds: float) -> None:
            assert seconds >= 0
            self.rows.append((route, status))

        def exposition(self) -> bytes:
            return b"counted 1\n"

    counting = Counting()
    async with gateway(metrics=counting) as gw:
        await gw.call("GET", "/api/rooms/secret-room")
        await gw.call("GET", "/api/nothing/at/all")
        await gw.call("DELETE", "/api/rooms")
        answer = await gw.call("GET", "/metrics")
        assert answer.body == b"counted 1\n"
        assert answer.headers["Content-Type"].startswith("text/plain")
    assert counting.rows == [
        ("/api/rooms/{room}", 404),
        ("/{file}", 404),
        ("none", 405),
        ("/metrics", 200),
    ]


async def test_every_answer_has_the_security_headers():
    async with gateway() as gw:
        for path in ("/api/games", "/nowhere", "/healthz", "/ws"):
            headers = (await gw.call("GET", path)).headers
            assert headers["Content-Security-Policy"].startswith("default-src 'none';")
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Referrer-Policy"] == "no-referrer"
            assert headers["Server"] == "hanpan"


async def test_the_page_is_served_where_links_lead(monkeypatch: pytest.MonkeyPatch, tmp_path: Any):
    (tmp_path / "index.html").write_text("<!doctype html>" + " " * 600)
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "api.js").write_text("export {}")
    monkeypatch.setattr("gateway.app.Pages", lambda reload: Pages(tmp_path, reload=reload))
    async with gateway() as gw:
        index = await gw.call("GET", "/")
        assert index.headers["Content-Type"] == "text/html; charset=utf-8"
        assert index.body == (await gw.call("GET", "/r/ABC234")).body == (await gw.call("GET", "/index.html")).body
        script = await gw.call("GET", "/net/api.js")
        assert script.headers["Content-Type"] == "text/javascript; charset=utf-8"
        again = await gw.call("GET", "/net/api.js", headers={"If-None-Match": script.headers["ETag"]})
        assert (again.status, again.body) == (304, b"")
        assert (await gw.call("HEAD", "/net/api.js")).status == 200
        for path in ("/net", "/net/", "/../config.py", "/%2e%2e/config.py", "/net//api.js", "/r/", "/r/a/b"):
            assert (await gw.call("GET", path)).status == 404
