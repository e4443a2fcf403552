"""WebSocket frames, without a socket."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway import frames
from gateway.frames import AT_ONCE, Binary, Broken, Closed, FrameReader, Ping, Pong, Text
from tests.gateway.harness import masked

LIMIT = 200


def read(data: bytes, limit: int = LIMIT) -> list[frames.Arrival]:
    return FrameReader(limit).feed(data)


@given(st.lists(st.text(max_size=60)), st.data())
def test_messages_arrive_whole_and_in_order_however_the_bytes_are_cut(messages: list[str], data: st.DataObject):
    stream = b"".join(masked(1, message.encode()) for message in messages)
    reader, arrived = FrameReader(LIMIT), []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        arrived += reader.feed(stream[:size])
        stream = stream[size:]
    assert [Text(message.encode()) for message in messages] == arrived


@given(st.binary(max_size=300), st.binary(min_size=4, max_size=4))
def test_the_mask_is_taken_off(body: bytes, mask: bytes):
    assert bytes(byte ^ mask[i % 4] for i, byte in enumerate(body)) == frames.unmask(mask, body)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536])
def test_every_way_to_write_a_length_is_read(size: int):
    assert [Text(b"x" * size)] == read(masked(1, b"x" * size), limit=70_000)


def test_the_limit_is_exact():
    assert [Text(b"x" * LIMIT)] == read(masked(1, b"x" * LIMIT))
    (broken,) = read(masked(1, b"x" * (LIMIT + 1)))
    assert isinstance(broken, Broken)
    assert broken.code == frames.TOO_BIG


def test_too_much_is_refused_when_it_is_declared_before_it_is_sent():
    (broken,) = read(bytes((0x81, 0x80 | 127)) + (5 * 2**20).to_bytes(8, "big"))
    assert isinstance(broken, Broken)
    assert broken.code == frames.TOO_BIG


def test_fragments_are_put_together_and_pings_may_come_between():
    stream = masked(1, b"ab", fin=False) + masked(9, b"?") + masked(0, b"", fin=False) + masked(0, b"cd")
    assert [Ping(b"?"), Text(b"abcd")] == read(stream + b"")
    assert [Binary()] == read(masked(2, b"ab", fin=False) + masked(0, b"cd"))


def test_fragments_count_together():
    stream = masked(1, b"x" * LIMIT, fin=False) + masked(0, b"x")
    (broken,) = read(stream)
    assert isinstance(broken, Broken)
    assert broken.code == frames.TOO_BIG
    (broken,) = read(masked(1, b"", fin=False) + masked(0, b"", fin=False) * frames.FRAGMENTS)
    assert isinstance(broken, Broken)
    assert broken.code == frames.POLICY


@pytest.mark.parametrize(
    ("stream", "code"),
    [
        (b"\x81\x01x", frames.PROTOCOL_ERROR),  # not masked
        (masked(1, b"x", rsv=0x40), frames.PROTOCOL_ERROR),  # compressed, which was never agreed
        (masked(3, b""), frames.PROTOCOL_ERROR),
        (masked(11, b""), frames.PROTOCOL_ERROR),
        (masked(0, b"x"), frames.PROTOCOL_ERROR),  # continues nothing
        (masked(1, b"x", fin=False) + masked(1, b"y"), frames.PROTOCOL_ERROR),
        (masked(9, b"x" * 126), frames.PROTOCOL_ERROR),
        (masked(9, b"x", fin=False), frames.PROTOCOL_ERROR),
        (masked(8, b"x"), frames.PROTOCOL_ERROR),
        (masked(8, (1005).to_bytes(2, "big")), frames.PROTOCOL_ERROR),
        (masked(8, (2999).to_bytes(2, "big")), frames.PROTOCOL_ERROR),
        (masked(1, b"\xff"), frames.NOT_TEXT),
        (masked(1, "한".encode()[:2]), frames.NOT_TEXT),
    ],
)
def test_what_breaks_the_protocol_ends_it(stream: bytes, code: int):
    reader = FrameReader(LIMIT)
    arrived = reader.feed(stream)
    assert isinstance(arrived[-1], Broken)
    assert code == arrived[-1].code
    assert reader.feed(masked(1, b"more")) == []


def test_control_frames_are_told_apart():
    assert [Pong()] == read(masked(10, b"x"))
    assert [Closed(1000)] == read(masked(8, b""))
    assert [Closed(4001)] == read(masked(8, (4001).to_bytes(2, "big") + "안녕".encode()))


def test_nothing_is_read_after_a_close():
    assert [Closed(1000)] == read(masked(8, b"") + masked(1, b"late"))


def test_a_byte_at_a_time_is_kept_only_once():
    """What a slow sender has sent so far is looked at again when it can be enough, and not before."""
    reader, stream = FrameReader(70_000), masked(1, b"x" * 66_000)
    assert not any(reader.feed(stream[i : i + 1]) for i in range(len(stream) - 1))
    assert [Text(b"x" * 66_000)] == reader.feed(stream[-1:])


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_frames_to_send_are_as_the_standard_has_them(size: int):
    frame = frames.text_frame(b"x" * size)
    assert frame == frames.text_frames([b"x" * size])
    assert frame * 2 == frames.text_frames([b"x" * size] * 2)
    assert frame.endswith(b"x" * size)
    assert frame[0] == 0x81
    assert frame[1] == (size if size < 126 else 126 if size < 65_536 else 127)


def test_a_close_frame_has_its_code_and_no_more_reason_than_fits():
    frame = frames.close_frame(1009, "x" * 200)
    assert frame[:4] == bytes((0x88, 125)) + (1009).to_bytes(2, "big")
    assert len(frame) == 127


def test_a_read_of_many_small_frames_is_too_much_at_once():
    arrived = FrameReader(100).feed(masked(9, b"") * (AT_ONCE + 50))
    assert len(arrived) == AT_ONCE + 1
    assert isinstance(arrived[-1], Broken)
    assert arrived[-1].code == 1008
