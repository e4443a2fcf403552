"""The session, without a socket."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cluster.messages import PROTOCOL_VERSION, Bye, Error, Pong, Reject
from gateway.auth import Identity
from gateway.limits import Rate
from gateway.session import HELD, Authenticate, End, Join, Pass, Rates, Session, State, Tell

ANNA = Identity("g_anna", "안나")
HELLO = {"type": "hello", "token": "t", "room": "r1", "join": "seat", "seq": 7}
ENDLESS = Rates(*[Rate(0, 0)] * len(Rates.__struct_fields__))


def raw(message: Any) -> bytes:
    return message if isinstance(message, bytes) else msgspec.json.encode(message)


def act(id: str = "a1", **fields: Any) -> dict[str, Any]:
    return {"type": "action", "id": id, "decision": 3, "action": {"type": "play"}, **fields}


def waiting(rates: Rates = ENDLESS) -> Session:
    return Session(rates, 0.0)


def attached(rates: Rates = ENDLESS) -> Session:
    session = waiting(rates)
    session.received(raw(HELLO), 0.0)
    session.identified(ANNA)
    return session


def test_from_hello_to_the_room():
    session = waiting()
    assert [Authenticate("t")] == session.received(raw(HELLO), 0.0)
    assert [Join("r1", "g_anna", "안나", "seat", 7, "")] == session.identified(ANNA)
    assert [Pass("a1", "action", raw(act()))] == session.received(raw(act()), 0.0)


def test_a_message_is_passed_on_as_it_came():
    """Byte for byte: the room reads what the client wrote."""
    message = b' {"id":"a1" , "type":"sit",\n"seat" : 2}'
    assert [Pass("a1", "sit", message)] == attached().received(message, 0.0)


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "sit"},
        {"type": "stand"},
        {"type": "ready", "ready": False},
        {"type": "start"},
        {"type": "options", "options": {"handSize": 5}},
        {"type": "room", "public": True, "autoStart": False},
        {"type": "addBot", "seat": 3},
        {"type": "kick", "player": "g_bob"},
        {"type": "host", "player": "g_bob"},
        {"type": "leave"},
        {"type": "close"},
    ],
)
def test_every_command_is_passed(fields: dict[str, Any]):
    message = raw({"id": "c1", **fields})
    assert [Pass("c1", fields["type"], message)] == attached().received(message, 0.0)


def test_what_comes_before_the_identity_is_held_in_order_and_not_without_end():
    session = waiting()
    session.received(raw(HELLO), 0.0)
    for number in range(HELD):
        assert session.received(raw(act(f"a{number}")), 0.0) == []
    (told,) = session.received(raw(act("over")), 0.0)
    assert isinstance(told, Tell)
    assert isinstance(told.message, Reject)
    assert (told.message.id, told.message.code, told.message.retry) == ("over", "busy", True)
    joined, *held = session.identified(ANNA)
    assert isinstance(joined, Join)
    assert [f"a{number}" for number in range(HELD)] == [effect.id for effect in held if isinstance(effect, Pass)]


def test_a_ping_is_answered_in_every_state():
    session = waiting()
    ping = raw({"type": "ping", "t": 1.5})
    assert [Tell(Pong(1.5))] == session.received(ping, 0.0)
    session.received(raw(HELLO), 0.0)
    assert [Tell(Pong(1.5))] == session.received(ping, 0.0)
    session.identified(ANNA)
    assert [Tell(Pong(1.5))] == session.received(ping, 0.0)


def test_before_hello_nothing_else_is_taken():
    (told,) = waiting().received(raw(act()), 0.0)
    assert isinstance(told, Tell)
    assert told.message == Reject("a1", "hello_first", "먼저 hello를 보내 주세요")


def test_a_second_hello_is_refused_and_changes_nothing():
    session = attached()
    (told,) = session.received(raw({**HELLO, "room": "r2"}), 0.0)
    assert isinstance(told, Tell)
    assert isinstance(told.message, Error)
    assert told.message.code == "hello_again"
    assert session.state is State.ATTACHED


@pytest.mark.parametrize(
    ("message", "code", "id"),
    [
        (b"", "bad_json", None),
        (b"{", "bad_json", None),
        (b"hello", "bad_json", None),
        (b'{"type":"sit","id":"a1",}', "bad_json", None),
        (b'{"type":"sit","id":"\\ud800"}', "bad_json", None),  # half a character
        (b'\xef\xbb\xbf{"type":"start","id":"a1"}', "bad_json", None),
        (b"[]", "bad_message", None),
        (b"null", "bad_message", None),
        (b"{}", "unknown_type", None),
        ({"type": "dance", "id": "a1"}, "unknown_type", "a1"),
        ({"type": 1, "id": "a1"}, "unknown_type", "a1"),
        ({"type": "welcome", "id": "a1"}, "unknown_type", "a1"),  # what only servers say
        (act(decision="3"), "bad_message", "a1"),
        (act(decision=-1), "bad_message", "a1"),
        (act(decision=1.5), "bad_message", "a1"),
        (act(decision=None), "bad_message", "a1"),
        (act(action=[]), "bad_message", "a1"),
        (act(action=None), "bad_message", "a1"),
        (act(extra=1), "bad_message", "a1"),
        (act(id=""), "bad_message", None),
        (act(id="a" * 65), "bad_message", None),
        (act(id="a b"), "bad_message", None),
        (act(id="a\n"), "bad_message", None),
        (act(id=5), "bad_message", None),
        ({"type": "sit"}, "bad_message", None),
        ({"type": "sit", "id": "a1", "seat": 99}, "bad_message", "a1"),
        ({"type": "sit", "id": "a1", "seat": True}, "bad_message", "a1"),
        ({"type": "room", "id": "a1", "seats": 1}, "bad_message", "a1"),
        ({"type": "kick", "id": "a1", "player": ""}, "bad_message", "a1"),
        ({"type": "ping", "t": "now"}, "bad_message", None),
        ({"type": "hello", "token": "t"}, "bad_message", None),
        ({"type": "hello", "token": "t", "room": "../x"}, "bad_message", None),
        ({"type": "hello", "token": "t" * 3000, "room": "r1"}, "bad_message", None),
        ({**HELLO, "join": "steal"}, "bad_message", None),
        ({**HELLO, "seq": -1}, "bad_message", None),
        (raw(act(action={"n": 10**40})), "too_deep", "a1"),
        (b'{"type":"action","id":"a1","decision":1,"action":{"x":' + b"[" * 40 + b"]" * 40 + b"}}", "too_deep", "a1"),
        (b"[" * 16_000, "too_deep", None),
    ],
)
def test_a_message_that_does_not_fit_is_refused_and_nothing_else_happens(message: Any, code: str, id: str | None):
    session = attached()
    (told,) = session.received(raw(message), 0.0)
    assert isinstance(told, Tell)
    no = told.message
    assert isinstance(no, Reject if id else Error)
    assert code == no.code
    assert id == getattr(no, "id", None)
    assert any("가" <= letter <= "힣" for letter in no.message)
    assert session.state is State.ATTACHED
    assert [Pass("next", "start", raw({"type": "start", "id": "next"}))] == session.received(
        raw({"type": "start", "id": "next"}), 0.0
    )


def test_the_field_that_does_not_fit_is_named():
    (told,) = attached().received(raw(act(decision="3")), 0.0)
    assert isinstance(told, Tell)
    assert isinstance(told.message, Reject)
    assert told.message.message.endswith(": decision")


def test_who_cannot_be_understood_time_and_again_is_sent_away():
    session = attached(msgspec.structs.replace(ENDLESS, strikes=Rate(0.1, 3)))
    for _ in range(3):
        assert len(session.received(b"{", 0.0)) == 1
    told, ended = session.received(b"{", 0.0)
    assert isinstance(told, Tell)
    assert isinstance(ended, End)
    assert ended.bye.code == "bad_message"
    assert session.received(raw(act()), 0.0) == []


def test_strikes_are_forgiven_in_time():
    session = attached(msgspec.structs.replace(ENDLESS, strikes=Rate(0.1, 3)))
    assert all(len(session.received(b"{", now)) == 1 for now in range(0, 600, 15))


def test_binary_messages_are_not_of_this_protocol():
    session = attached()
    (told,) = session.binary(0.0)
    assert isinstance(told, Tell)
    assert isinstance(told.message, Error)
    assert told.message.code == "not_text"


@pytest.mark.parametrize("v", [0, 2, 99, "x"])
def test_another_version_is_told_so(v: Any):
    """Also where the other version's hello has fields that this one does not know."""
    (ended,) = waiting().received(raw({**HELLO, "v": v, "novelty": 1}), 0.0)
    assert isinstance(ended, End)
    assert ended.bye.code == "bad_version"
    (ended,) = waiting().received(raw({**HELLO, "v": PROTOCOL_VERSION + 1}), 0.0)
    assert isinstance(ended, End)
    assert ended.bye.code == "bad_version"


def test_a_token_that_is_nobodys_ends_the_session():
    session = waiting()
    session.received(raw(HELLO), 0.0)
    session.received(raw(act()), 0.0)
    (ended,) = session.identified(None)
    assert isinstance(ended, End)
    assert ended.bye.code == "bad_token"
    assert not ended.bye.again


def test_an_identity_that_comes_too_late_attaches_nobody():
    """The socket died, or the time was over, while it was found out who this is."""
    session = waiting()
    session.received(raw(HELLO), 0.0)
    session.lost()
    assert session.identified(ANNA) == []
    session = waiting()
    session.received(raw(HELLO), 0.0)
    (ended,) = session.late()
    assert isinstance(ended, End)
    assert ended.bye.code == "unavailable"
    assert session.identified(ANNA) == []


def test_who_says_nothing_is_sent_away():
    (ended,) = waiting().late()
    assert isinstance(ended, End)
    assert ended.bye.code == "idle"
    assert attached().late() == []


def test_more_than_the_rate_is_refused_for_now_and_much_more_is_a_flood():
    session = attached(Rates(Rate(1, 5), Rate(0, 0), Rate(1, 3), Rate(0, 0)))
    session.received(raw(act("a0")), 10.0)
    passed = [session.received(raw(act(f"a{i}")), 10.0) for i in range(1, 5)]
    assert all(isinstance(effects[0], Pass) for effects in passed)
    for i in range(3):
        (told,) = session.received(raw(act(f"b{i}")), 10.0)
        assert isinstance(told, Tell)
        assert told.message == Reject(f"b{i}", "too_fast", "너무 빨라요. 잠시 뒤에 다시 해 주세요", retry=True)
    (ended,) = session.received(raw(act("c")), 10.0)
    assert isinstance(ended, End)
    assert ended.bye.code == "flood"


def test_the_rate_counts_what_cannot_be_read_too():
    session = attached(Rates(Rate(1, 2), Rate(0, 0), Rate(1, 3), Rate(0, 0)))
    codes = [effects[-1] for effects in (session.received(b"{", 0.0) for _ in range(5))]
    assert isinstance(codes[-1], End)
    assert codes[-1].bye.code == "flood"


def test_bytes_are_counted():
    session = attached(Rates(Rate(0, 0), Rate(100, 1000), Rate(1, 3), Rate(0, 0)))
    message = raw(act(action={"type": "play", "pad": "x" * 700}))
    assert isinstance(session.received(message, 0.0)[0], Pass)
    assert isinstance(session.received(message, 0.0)[0], Tell)
    assert isinstance(session.received(message, 10.0)[0], Pass)


def test_pings_of_the_socket_itself_are_counted_too():
    session = attached(Rates(Rate(1, 2), Rate(0, 0), Rate(1, 3), Rate(0, 0)))
    effects = [effect for _ in range(10) for effect in session.control(5.0)]
    assert [End] == [type(effect) for effect in effects]


def test_double_clicks_are_within_the_rate():
    """The same id five times in 50 ms: that is for the room to answer, five times the same."""
    session = attached(Rates())
    for i in range(5):
        assert [Pass("a1", "action", raw(act()))] == session.received(raw(act()), i * 0.01)


def test_the_room_takes_no_more():
    (told,) = attached().refused("a1")
    assert isinstance(told, Tell)
    assert isinstance(told.message, Reject)
    assert (told.message.code, told.message.retry) == ("busy", True)


def test_the_rooms_good_bye_is_passed_on_once():
    session, bye = attached(), Bye("replaced", "다른 창에서 들어왔어요")
    assert [End(bye)] == session.parted(bye)
    assert session.parted(bye) == []
    assert session.received(raw(act()), 0.0) == []
    assert session.binary(0.0) == []
    assert session.control(0.0) == []
    assert session.late() == []


def test_what_clients_say_about_the_time_is_not_looked_at():
    """A phone whose clock is ten minutes off, or jumps, is answered like any other."""
    session = attached(Rates())
    for t in (0, -1e9, 1e300, 600_000):
        assert [Tell(Pong(t))] == session.received(raw({"type": "ping", "t": t}), 0.0)
