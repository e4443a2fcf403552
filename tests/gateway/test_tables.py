"""The tables that others rely on: refusals, good-byes, what is counted, schemas, and the protocol's page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import gateway
from cluster.client import Refused, RoomSummary
from cluster.messages import Bye, ClientMessage, ServerMessage
from gateway import openapi, schemas
from gateway.app import make_app
from gateway.config import Settings
from gateway.lobby import RoomWish
from gateway.metering import GatewayMetrics, NoMetrics, TallyMetrics
from gateway.refusals import PARTINGS, REFUSALS, bye, close_code, misfit, refusal, status_of
from ops.metrics import Tally
from tests.gateway import harness
from tests.gateway.fake import FakeCluster

PAGE = (Path(gateway.__file__).parent / "PROTOCOL.md").read_text()


def bye_codes() -> set[str]:
    """The codes that the protocol's types allow."""
    code = next(field for field in msgspec.structs.fields(Bye) if field.name == "code")
    return set(get_args(code.type))


# ---------------------------------------------------------------- refusals and good-byes


def test_every_refusal_has_a_status_and_a_korean_sentence():
    for code, (status, sentence) in REFUSALS.items():
        assert re.fullmatch(r"[a-z_]+", code)
        assert 400 <= status < 600
        assert any("가" <= letter <= "힣" for letter in sentence), code
        assert status == status_of(refusal(code))


def test_what_may_be_tried_again_says_so():
    for code, (status, _) in REFUSALS.items():
        assert refusal(code).retry == (status in (408, 429, 500, 503)), code


def test_unknown_refusals_have_a_status_too():
    assert status_of(Refused("no_such_card", "그런 카드는 없어요")) == 409
    assert status_of(Refused("storage_down", "저장소가 멈췄어요", retry=True)) == 503


def test_every_bye_has_a_close_code():
    assert set(PARTINGS) == bye_codes()
    for code in PARTINGS:
        assert close_code(code) in (1000, 1001, 1008, 1009, 1013)
        assert len(code.encode()) <= 123  # it is the close frame's reason


def test_the_gateways_own_byes_have_a_sentence():
    rooms = {
        "replaced",
        "kicked",
        "left",
        "closed",
        "room_not_found",
        "room_full",
        "banned",
        "not_public",
        "locked",
        "crowded",
        "quarantined",
    }
    for code in set(PARTINGS) - rooms:
        assert any("가" <= letter <= "힣" for letter in bye(code).message), code


def test_who_is_told_to_come_again_and_who_is_not():
    """A client that would do the same again, and be sent away again, is not told to."""
    again = {code for code in PARTINGS if bye(code, "x").again}
    assert again == {"slow", "flood", "overloaded", "unavailable", "idle", "shutdown"}


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (b'{"game":1}', "game"),
        (b'{"options":{}}', "game"),
        (b'{"game":"x","wat":1}', "wat"),
        (b'{"game":"x","seats":99}', "seats"),
        (b'{"game":"x","autoStart":0}', "autoStart"),
    ],
)
def test_a_misfit_names_its_field(body: bytes, where: str):
    with pytest.raises(msgspec.ValidationError) as bad:
        msgspec.json.decode(body, type=RoomWish)
    code, sentence = misfit("bad_request", bad.value)
    assert code == "bad_request"
    assert sentence.endswith(f": {where}")


# ---------------------------------------------------------------- counts


def test_every_count_has_its_row_in_the_catalogue_of_metrics():
    tally = Tally()
    counted: GatewayMetrics = TallyMetrics(tally)
    for metrics in (counted, NoMetrics()):
        metrics.sockets(3)
        metrics.handshake("ok")
        metrics.resumed(True)
        metrics.resumed(False)
        metrics.bye("slow")
        metrics.outbox_dropped()
        metrics.message_in("action")
        metrics.messages_out(2, 300)
        metrics.refused("bad_json")
        metrics.http("/api/rooms/{room}", 404, 0.01)
        metrics.makes_rooms(True)
    text = counted.exposition().decode()
    for line in (
        "hanpan_gateway_sockets 3.0",
        "hanpan_gateway_makes_rooms 1.0",
        'hanpan_gateway_handshakes_total{code="ok"} 1.0',
        'hanpan_gateway_resumes_total{kind="missed"} 1.0',
        'hanpan_gateway_byes_total{code="slow"} 1.0',
        "hanpan_outbox_drops_total 1.0",
        'hanpan_gateway_messages_in_total{type="action"} 1.0',
        "hanpan_gateway_messages_out_total 2.0",
        "hanpan_gateway_bytes_out_total 300.0",
        'hanpan_gateway_refused_total{code="bad_json"} 1.0',
        'hanpan_gateway_http_requests_total{route="/api/rooms/{room}",status="404"} 1.0',
    ):
        assert line in text
    assert NoMetrics().exposition() == b""


def test_what_the_gateway_says_no_and_good_bye_by_begins_at_zero():
    """A counter that begins at 1 has never risen, for Prometheus: the first refusal of its kind would not be seen."""
    lines = TallyMetrics(Tally("gateway")).exposition().decode().splitlines()
    for metric, codes in (
        ("hanpan_gateway_handshakes_total", {"ok", "gone", *PARTINGS}),
        ("hanpan_gateway_byes_total", {*PARTINGS}),
        ("hanpan_gateway_refused_total", {*REFUSALS}),
    ):
        assert {f'{metric}{{code="{code}"}} 0.0' for code in codes} <= {*lines}


# ---------------------------------------------------------------- schemas and the page


def test_the_schemas_are_those_of_the_types():
    """If not: python -m gateway.schemas"""
    assert {path.name: path.read_bytes() for path in schemas.FOLDER.iterdir()} == schemas.files()


def test_the_schemas_hang_together():
    for content in schemas.schemas().values():
        schema = msgspec.json.decode(content)
        references = set(re.findall(r'"#/\$defs/(\w+)"', content.decode()))
        assert references <= set(schema["$defs"])
        assert {one["$ref"].rpartition("/")[2] for one in schema["anyOf"]} <= references
        assert "\\Z" not in content.decode()  # Python's; JavaScript does not know it


def test_writing_them_again_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(schemas, "FOLDER", tmp_path / "schemas")
    schemas.main()
    assert {path.name: path.read_bytes() for path in schemas.FOLDER.iterdir()} == schemas.files()


def test_the_openapi_document_has_every_address_that_there_is():
    """But for the operators' and the socket; and what it refers to is in it."""
    listed = {(one.method.upper(), one.path) for one in openapi.OPERATIONS}
    app = make_app(FakeCluster(), Settings(token_keys=("k" * 32,)))
    routes = {
        (route.method, route.resource.canonical)
        for route in app.router.routes()
        if route.method != "HEAD" and route.resource is not None
    }
    ours = {(method, path) for method, path in routes if path.startswith("/api/") and "/admin" not in path}
    assert listed == ours
    document = openapi.document()
    text = openapi.DOCUMENT.decode()
    assert set(re.findall(r"#/components/schemas/(\w+)", text)) == set(document["components"]["schemas"])
    assert "\\Z" not in text
    assert len({one["operationId"] for path in document["paths"].values() for one in path.values()}) == len(listed)


async def test_the_openapi_document_is_served():
    async with harness.gateway() as gw:
        answer = await gw.call("GET", "/api/openapi.json")
        assert answer.body == openapi.DOCUMENT
        assert answer.headers["Content-Type"] == "application/json"


EXAMPLES = re.findall(r"^```json (\w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
KINDS: dict[str, Any] = {"client": ClientMessage, "server": ServerMessage, "room": RoomSummary}


@pytest.mark.parametrize(("kind", "text"), EXAMPLES)
def test_the_examples_of_the_protocols_page_are_of_the_protocol(kind: str, text: str):
    msgspec.json.decode(text, type=KINDS[kind])


def test_the_page_shows_every_message():
    shown = {(kind, msgspec.json.decode(text).get("type")) for kind, text in EXAMPLES}
    for kind, union in (("client", ClientMessage), ("server", ServerMessage)):
        for message in get_args(union):
            assert (kind, message.__struct_config__.tag) in shown


def test_the_page_has_every_good_bye_as_it_is():
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (yes)? ?\|", PAGE, re.MULTILINE)
    assert {code: (int(close), bool(again)) for code, close, again in rows} == {
        code: (parting.close, parting.again) for code, parting in PARTINGS.items()
    }


def test_the_page_has_every_refusal_of_a_message():
    section = PAGE.partition("## When the answer is no")[2].partition("## Good-byes")[0]
    named = set(re.findall(r"`([a-z_]+)`", section)) & set(REFUSALS)
    of_the_session = {"hello_first", "hello_again", "too_fast", "busy", "not_text", "too_deep"}
    assert named == {"bad_json", "bad_message", "unknown_type"} | of_the_session
