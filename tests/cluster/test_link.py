"""The link's bytes: frames, the handshake, and what a hostile peer can and cannot do. No sockets here."""

from __future__ import annotations

import contextlib
import itertools

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cluster import link
from cluster.link import Frames, Handshake, LinkError, Who

ME, YOU = Who(kind="gateway", name="g"), Who(kind="room", name="r")
SECRET = b"s" * 32
FUZZ = settings(derandomize=True, max_examples=80)
FRAMES = st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=40)), max_size=8)


def split(data: bytes, cuts: list[int]) -> list[bytes]:
    """The stream in pieces, cut at these places."""
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[start:stop] for start, stop in itertools.pairwise(places)]


# ---------------------------------------------------------------- frames


@FUZZ
@given(FRAMES, st.lists(st.integers(0, 10_000), max_size=30))
def test_any_split_of_a_stream_gives_the_same_frames(frames: list[tuple[int, bytes]], cuts: list[int]):
    data = b"".join(link.frame(kind, body) for kind, body in frames)
    reader = Frames()
    assert [got for piece in split(data, cuts) for got in reader.feed(piece)] == frames


@FUZZ
@given(FRAMES)
def test_a_stream_byte_by_byte_gives_the_same_frames(frames: list[tuple[int, bytes]]):
    data = b"".join(link.frame(kind, body) for kind, body in frames)
    reader = Frames()
    assert [got for byte in data for got in reader.feed(bytes((byte,)))] == frames


@FUZZ
@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=10))
def test_garbage_gives_frames_or_link_error_wherever_it_is_cut(data: bytes, cuts: list[int]):
    """And the same frames before the error, however the garbage came."""

    def read(pieces: list[bytes]) -> tuple[list[tuple[int, bytes]], bool]:
        reader, got = Frames(100), []
        try:
            for piece in pieces:
                for frame in reader.feed(piece):
                    got.append(frame)  # an error may come after some
        except LinkError:
            return got, True
        return got, False

    assert read(split(data, cuts)) == read([data])


@pytest.mark.parametrize("size", [0, 101, 2**31, 2**32 - 1])
def test_a_frame_that_is_empty_or_too_long_is_refused_from_its_length_alone(size: int):
    reader = Frames(100)
    with pytest.raises(LinkError):
        list(reader.feed(size.to_bytes(4, "big")))


def test_a_frame_of_exactly_the_limit_is_taken():
    reader = Frames(100)
    assert list(reader.feed(link.frame(7, b"x" * 99))) == [(7, b"x" * 99)]
    with pytest.raises(LinkError):
        list(reader.feed(link.frame(7, b"x" * 100)))


@FUZZ
@given(st.lists(st.binary(max_size=50), max_size=50))
def test_no_more_than_one_frame_is_ever_buffered(pieces: list[bytes]):
    reader = Frames(100)
    try:
        for piece in pieces:
            list(reader.feed(piece))
            assert len(reader._buffer) <= 104
    except LinkError:
        assert len(reader._buffer) <= 104


def test_the_limit_can_rise_between_two_frames_of_one_piece():
    """The proof and what follows it may come in one piece of the stream."""
    reader = Frames(10)
    got = []
    for kind, body in reader.feed(link.frame(1, b"a") + link.frame(2, b"b" * 50)):
        got.append((kind, body))
        reader.limit = 100
    assert got == [(1, b"a"), (2, b"b" * 50)]


@FUZZ
@given(st.integers(0, 2**32 - 1), st.lists(st.integers(0, 2**32 - 1), max_size=20), st.binary(max_size=50))
def test_tell_and_answer_come_back_as_they_were_written(seq: int, sessions: list[int], message: bytes):
    [(kind, body)] = Frames().feed(link.tell(seq, sessions, message))
    assert (kind, link.parse_tell(body)) == (link.TELL, (seq, tuple(sessions), message))
    [(kind, body)] = Frames().feed(link.answer(seq, "id.1-x", message))
    assert (kind, link.parse_answer(body)) == (link.ANSWER, (seq, "id.1-x", message))
    [(kind, body)] = Frames().feed(link.numbered(link.SAY, seq, message))
    assert (kind, link.number_of(body), body[4:]) == (link.SAY, seq, message)


@FUZZ
@given(st.binary(max_size=30))
def test_a_tell_or_answer_that_is_none_is_a_link_error(body: bytes):
    for parse in (link.parse_tell, link.parse_answer, link.number_of):
        with contextlib.suppress(LinkError):
            parse(body)


# ---------------------------------------------------------------- the handshake


def ends(secret: bytes = SECRET, other: bytes = SECRET) -> tuple[Handshake, Handshake]:
    return Handshake("dial", secret, ME, b"d" * 16), Handshake("accept", other, YOU, b"a" * 16)


def frames(data: bytes) -> list[tuple[int, bytes]]:
    return list(Frames().feed(data))


def exchange(dial: Handshake, accept: Handshake) -> None:
    """Carries frames between the two until nobody has anything to say."""
    to_accept, to_dial = frames(dial.opening()), frames(accept.opening())
    while to_accept or to_dial:
        back = [reply for kind, body in to_accept for reply in frames(accept.receive(kind, body))]
        to_accept = [reply for kind, body in to_dial for reply in frames(dial.receive(kind, body))]
        to_dial = back


def test_two_ends_that_know_the_secret_prove_it_to_each_other():
    dial, accept = ends()
    exchange(dial, accept)
    assert dial.done
    assert accept.done
    assert (dial.peer, accept.peer) == (YOU, ME)


def test_an_end_that_does_not_know_the_secret_is_refused_by_either_side():
    for dial, accept in (ends(other=b"x" * 32), ends(secret=b"")):
        with pytest.raises(LinkError, match="secret"):
            exchange(dial, accept)
        assert not dial.done
        assert not accept.done


def test_a_reflected_hello_is_refused():
    """Whoever only sends back what we say learns nothing and gets nowhere."""
    for end in ends():
        [(kind, body)] = frames(end.opening())
        with pytest.raises(LinkError, match="nonce"):
            end.receive(kind, body)


def test_our_own_proof_sent_back_is_refused():
    """The roles are in the proof: one who reflects it under another nonce has still not made the other role's."""
    dial, _ = ends()
    [(_, proof)] = frames(dial.receive(link.HELLO, b"x" * 16 + msgspec.json.encode(YOU)))
    with pytest.raises(LinkError, match="secret"):
        dial.receive(link.PROOF, proof)


def test_a_recorded_handshake_proves_nothing_on_the_next_connection():
    recorded_dial, recorded_accept = ends()
    hello = frames(recorded_accept.opening())[0]
    [proof] = [frames(recorded_accept.receive(kind, body))[0] for kind, body in frames(recorded_dial.opening())]
    fresh = Handshake("dial", SECRET, ME, b"n" * 16)
    fresh.receive(*hello)
    with pytest.raises(LinkError, match="secret"):
        fresh.receive(*proof)


def test_a_peer_of_another_version_is_refused():
    dial, _ = ends()
    with pytest.raises(LinkError, match="version 99"):
        dial.receive(link.HELLO, b"x" * 16 + msgspec.json.encode(Who(kind="room", name="r", version=99)))


def test_frames_out_of_turn_are_refused():
    """A proof before the hello, a second hello, a request before the proof, anything after."""
    dial, accept = ends()
    with pytest.raises(LinkError):
        dial.receive(link.PROOF, b"x" * 32)
    with pytest.raises(LinkError):
        dial.receive(link.REQUEST, b"\0\0\0\1{}")
    [hello] = frames(accept.opening())
    dial.receive(*hello)
    with pytest.raises(LinkError):
        dial.receive(*hello)
    dial, accept = ends()
    exchange(dial, accept)
    with pytest.raises(LinkError):
        dial.receive(link.PROOF, b"x" * 32)


@FUZZ
@given(st.lists(st.tuples(st.integers(0, 25), st.binary(max_size=80)), min_size=1, max_size=4))
def test_nothing_that_a_stranger_sends_makes_an_end_believe(said: list[tuple[int, bytes]]):
    for end in ends():
        try:
            for kind, body in said:
                end.receive(kind, body)
        except LinkError:
            pass
        assert not end.done


@FUZZ
@given(st.binary(min_size=16, max_size=60))
def test_a_hello_of_garbage_is_a_link_error(body: bytes):
    dial, _ = ends()
    with pytest.raises(LinkError):
        dial.receive(link.HELLO, body)


def test_a_nonce_of_the_wrong_size_is_our_own_bug():
    with pytest.raises(ValueError, match="16"):
        Handshake("dial", SECRET, ME, b"short")
