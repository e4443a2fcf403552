"""How many nodes the rooms need; when one goes, and when none may."""

from __future__ import annotations

from cluster.scaling import CALM_SECONDS, Node, Plan, Scaler, nodes_of


def nodes(*rooms: int, limit: int = 10, draining: str = "") -> list[Node]:
    return [Node(f"n{i}", count, limit, f"n{i}" == draining) for i, count in enumerate(rooms)]


def test_there_are_slots_for_the_rooms_that_run_and_so_many_more() -> None:
    scaler = Scaler(headroom=4, least=1)
    assert scaler.plan([], 0) == Plan(4, None)
    assert scaler.plan(nodes(7, 5), 0) == Plan(16, None)


def test_the_emptiest_node_goes_when_there_have_been_too_many_for_a_while() -> None:
    scaler = Scaler(headroom=4, least=1)
    few = nodes(5, 1, 3)  # 9 rooms; without one node 20 slots, and 9 + 2 * 4 are wanted
    assert scaler.plan(few, 0) == Plan(13, None)
    assert scaler.plan(few, CALM_SECONDS - 1) == Plan(13, None)
    assert scaler.plan(few, CALM_SECONDS) == Plan(13, "n1")


def test_one_busy_moment_begins_the_while_anew() -> None:
    scaler = Scaler(headroom=4, least=1)
    scaler.plan(nodes(5, 1, 3), 0)
    assert scaler.plan(nodes(5, 5, 3), 100).retire is None
    scaler.plan(nodes(5, 1, 3), 200)
    assert scaler.plan(nodes(5, 1, 3), CALM_SECONDS + 100).retire is None
    assert scaler.plan(nodes(5, 1, 3), CALM_SECONDS + 200).retire == "n1"


def test_none_goes_while_another_does_and_never_the_last_ones() -> None:
    scaler = Scaler(headroom=1, least=2)
    for now in (0, CALM_SECONDS, 2 * CALM_SECONDS):
        assert scaler.plan(nodes(0, 0, 0, draining="n2"), now).retire is None
        assert scaler.plan(nodes(0, 0), now).retire is None


def test_rooms_of_a_node_that_goes_need_slots_as_well() -> None:
    assert Scaler(headroom=2, least=1).plan(nodes(3, 4, draining="n0"), 0).slots == 9


def test_a_node_that_has_gone_does_not_make_the_next_one_go_at_once() -> None:
    scaler = Scaler(headroom=1, least=1)
    scaler.plan(nodes(0, 0, 0), 0)
    assert scaler.plan(nodes(0, 0, 0), CALM_SECONDS).retire == "n0"
    assert scaler.plan(nodes(0, 0), CALM_SECONDS + 1).retire is None


def test_spares_that_demand_asks_for_are_slots_where_they_are_more_than_the_headroom() -> None:
    calm, busy = Node("a", 5, 60, False, wanted=1), Node("b", 5, 60, False, wanted=9)
    assert Scaler(headroom=4, least=1).plan([calm, calm], 0).slots == 14
    assert Scaler(headroom=4, least=1).plan([calm, busy], 0).slots == 20
    assert Scaler(headroom=4, least=1).plan([calm, busy._replace(draining=True)], 0).slots == 14


def test_what_the_directory_says_of_nodes_is_read() -> None:
    row = {"node": "a", "rooms": 2, "limit": 9, "draining": False, "spares": 4, "wanted": 3, "pid": 1}
    assert nodes_of([row]) == [Node("a", 2, 9, False, 3)]
