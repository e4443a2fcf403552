"""The directory's memory of rooms: whatever happens to them, each index says what the records say."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from cluster.client import CreateRoom, RoomReport
from cluster.log import RoomRow
from cluster.records import Owner, Record
from cluster.registry import Registry

CREATORS = ("anna", "bob")


def report(number: int, *, public: bool = False, online: int = 0) -> RoomReport:
    return RoomReport(
        id=f"r{number}",
        code=code(number),
        game="lamps",
        status="waiting",
        public=public,
        spectators=True,
        seats=2,
        taken=online,
        online=online,
        host_name="",
        games=0,
    )


def code(number: int) -> str:
    return f"ABCD{number:02d}"


def row(number: int, *, creator: str = "anna", closed: bool = False) -> RoomRow:
    return RoomRow(
        id=f"r{number}",
        code=code(number),
        game="lamps",
        created=number,
        wish=msgspec.json.encode(CreateRoom(game="lamps", creator=creator, key=f"k{number}")),
        summary=msgspec.json.encode(report(number)),
        closed=closed,
    )


def owner(node: str, epoch: int = 1) -> Owner:
    return Owner(node, "p", 1, "127.0.0.1:1", epoch)


def test_a_room_is_found_by_its_id_and_by_its_code_however_that_is_typed():
    registry = Registry()
    record = registry.add(row(1))
    assert registry.find("r1") is record
    assert registry.find(" abcd01 ") is registry.of_code("abcd01\n") is record
    assert registry.find("R1") is registry.of_code("r1") is None


def test_a_room_that_is_dropped_is_found_nowhere_and_leaves_nothing():
    registry = Registry()
    record = registry.add(row(1))
    registry.set_owner(record, owner("n"))
    registry.set_summary(record, report(1, public=True, online=1))
    assert registry.is_kept(record)
    registry.drop(record)
    assert not registry.is_kept(record)
    assert record.owner is None
    assert registry.find("r1") is registry.find(code(1)) is None
    indexes = (registry.records, registry.by_code, registry.made_by, registry.running, registry.public)
    assert all(index == {} for index in indexes)
    registry.drop(record)  # whoever else had waited for it drops it again


def test_a_room_that_came_again_is_not_the_one_that_was_dropped():
    """Somebody may wait for the old one still: it must not take the new one's place, nor its code."""
    registry = Registry()
    old = registry.add(row(1))
    registry.drop(old)
    new = registry.add(row(1))
    assert registry.is_kept(new)
    assert not registry.is_kept(old)


def test_a_closed_room_is_known_by_its_id_alone_and_takes_neither_a_code_nor_a_place_of_its_maker():
    registry = Registry()
    other = registry.add(msgspec.structs.replace(row(2), code=code(1)))  # it has been given the code since
    closed = registry.add_closed(row(1, closed=True))
    assert registry.find("r1") is closed
    assert registry.of_code(code(1)) is other
    assert registry.made_by == {"anna": {other}}
    registry.drop(closed)
    assert registry.of_code(code(1)) is other
    assert registry.made_by == {"anna": {other}}


def test_a_room_is_on_one_node_at_a_time():
    registry = Registry()
    record = registry.add(row(1))
    for node in ("n", "second", "second"):
        registry.set_owner(record, owner(node))
        assert registry.of_node(node) == [record]
        assert registry.count_on(node) == 1
    assert registry.count_on("n") == 0
    registry.set_owner(record, None)
    assert registry.running == {}


def test_the_rooms_of_a_node_may_lose_it_while_they_are_gone_through():
    registry = Registry()
    for number in range(3):
        registry.set_owner(registry.add(row(number)), owner("n"))
    for record in registry.of_node("n"):
        registry.set_owner(record, None)
    assert registry.count_on("n") == 0


def test_rooms_that_are_placed_are_known_longest_first():
    registry = Registry()
    first, second, third = (registry.add(row(number)) for number in range(3))
    for now, record in enumerate((second, first, third)):
        registry.begin_placing(record, float(now))
    registry.end_placing(first)
    assert list(registry.unplaced.items()) == [(second, 0.0), (third, 2.0)]


STEPS = st.lists(
    st.tuples(st.sampled_from(["add", "read", "drop", "run", "stop", "tell"]), st.integers(0, 5), st.integers(0, 3))
)


@given(STEPS)
def test_the_indexes_say_what_the_records_say(steps: list[tuple[str, int, int]]):
    registry = Registry()
    for what, number, which in steps:
        record = registry.records.get(f"r{number}")
        match what:
            case "add" if record is None:
                registry.add(row(number, creator=CREATORS[which % 2]))
            case "read" if record is None:
                registry.add_closed(row(number, closed=True))
            case "drop" if record is not None:
                registry.drop(record)
            case "run" if record is not None:
                registry.set_owner(record, owner(f"n{which % 2}"))
            case "stop" if record is not None:
                registry.set_owner(record, None)
            case "tell" if record is not None:
                registry.set_summary(record, report(number, public=which > 1, online=which % 2))
        as_recorded(registry)


def as_recorded(registry: Registry) -> None:
    records = list(registry.records.values())
    open_ones = [record for record in records if not record.closed]
    assert registry.by_code == {record.code: record for record in open_ones}
    made: dict[str, set[Record]] = {}
    running: dict[str, dict[str, Record]] = {}
    for record in open_ones:
        made.setdefault(record.maker.creator, set()).add(record)
    for record in records:
        if record.owner is not None:
            running.setdefault(record.owner.node, {})[record.id] = record
    assert registry.made_by == made
    assert registry.running == running
    shown = {record.id: record for record in records if record.summary.public and record.summary.online}
    assert registry.public == shown
