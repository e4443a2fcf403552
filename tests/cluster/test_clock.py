"""The room's clock only runs while the room can be played."""

from __future__ import annotations

from cluster.clock import RoomClock


class Monotonic:
    def __init__(self) -> None:
        self.seconds = 5.0

    def __call__(self) -> float:
        return self.seconds


def clock(start: int = 1000) -> tuple[RoomClock, Monotonic]:
    source = Monotonic()
    return RoomClock(source, start), source


def test_it_starts_where_the_log_ends_and_runs_in_milliseconds():
    room, source = clock(1000)
    assert room.now() == 1000
    source.seconds += 1.5
    assert room.now() == 2500


def test_time_of_a_pause_is_given_back():
    room, source = clock(0)
    source.seconds += 1
    room.pause()
    source.seconds += 3600
    assert room.now() == 1000
    assert room.seconds_until(4000) == 3
    room.resume()
    assert room.now() == 1000
    source.seconds += 2
    assert room.now() == 3000
    assert room.seconds_until(4000) == 1


def test_time_since_an_outage_began_unseen_is_given_back_too():
    room, source = clock(0)
    source.seconds += 10
    room.back_to(4000)
    assert room.now() == 4000
    source.seconds += 1
    assert room.now() == 5000
    room.pause()
    room.back_to(4500)
    room.back_to(4800)  # nobody goes forward with it
    source.seconds += 3600
    room.resume()
    assert room.now() == 4500
    room.back_to(9000)
    assert room.now() == 4500


def test_pausing_twice_is_pausing_once_and_so_is_resuming():
    room, source = clock(0)
    room.resume()
    source.seconds += 1
    room.pause()
    source.seconds += 1
    room.pause()
    source.seconds += 1
    room.resume()
    source.seconds += 1
    room.resume()
    assert room.now() == 2000


def test_what_has_passed_is_due_at_once():
    room, source = clock(0)
    source.seconds += 10
    assert room.seconds_until(5000) == 0
