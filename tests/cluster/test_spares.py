"""How many spares a node keeps: by its own least number, by demand, and for the loss of another node."""

from __future__ import annotations

from cluster.spares import BACK_SECONDS, LEAD_SECONDS, MEMORY_SECONDS, Demand, Site, wanted


def sites(*rooms: int, least: int = 2, starts: float = 1.0) -> list[Site]:
    return [Site(f"n{i}", count, least, starts) for i, count in enumerate(rooms)]


def test_the_busiest_moment_counts_for_a_while() -> None:
    demand = Demand()
    assert demand.peak(0.0) == 0
    for _ in range(7):
        demand.came(10.0)
    for tenth in range(100):
        demand.came(20.0 + tenth)  # one a second, for long
    assert demand.peak(120.0) == 7
    late = 120.0 + MEMORY_SECONDS - LEAD_SECONDS
    assert demand.peak(late - 50.0) == LEAD_SECONDS
    assert demand.peak(late + 2 * LEAD_SECONDS) == 0


def test_what_is_remembered_does_not_grow_with_demand() -> None:
    demand = Demand()
    for tick in range(100_000):
        demand.came(tick / 10)
    demand.peak(10_000.0)
    assert len(demand._counts) <= MEMORY_SECONDS / LEAD_SECONDS + 2


def test_a_node_keeps_its_least_and_demand_is_shared() -> None:
    assert wanted([], 5) == {}
    assert wanted(sites(0, 0), 0) == {"n0": 2, "n1": 2}
    assert wanted(sites(0, 0, 0), 10) == {"n0": 4, "n1": 4, "n2": 4}


def test_of_two_nodes_each_can_take_over_the_others_rooms_in_time() -> None:
    """60 rooms, of which 8 get a process that is started in the 8 seconds that there are."""
    assert wanted(sites(60, 0), 0) == {"n0": 2, "n1": 60 - BACK_SECONDS}
    assert wanted(sites(60, 60), 0) == {"n0": 52, "n1": 52}


def test_rooms_that_need_a_process_now_are_beyond_the_least_and_shared() -> None:
    """The moment a node is lost, the other must not end the spares that it has kept for that."""
    kept = wanted(sites(60, 0), 0)["n1"]
    assert wanted(sites(0), 0, homeless=60)["n0"] >= kept
    assert wanted(sites(30), 0, homeless=30) == {"n0": 32}  # half of them have used a spare each
    assert wanted(sites(20, 20, 20), 4, homeless=7) == {"n0": 5, "n1": 5, "n2": 5}


def test_many_nodes_share_a_loss_and_need_no_spares_for_it() -> None:
    assert set(wanted(sites(*[60] * 5), 0).values()) == {7}
    assert set(wanted(sites(*[60] * 9), 0).values()) == {2}


def test_a_single_node_keeps_none_for_its_own_loss() -> None:
    assert wanted(sites(500), 0) == {"n0": 2}
