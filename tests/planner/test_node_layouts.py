"""Capacity of clusters against stripes that are laid out one by one."""

import pytest

from models import pools
from planner.scenario.array import Array


def most_stripes(nodes, chunks, width):
    """Count stripes of chunks on different nodes, each of room for so many chunks, as placed."""
    room, placed = [chunks] * nodes, 0
    while True:
        freest = sorted(range(nodes), key=lambda node: -room[node])[:width]
        if len(freest) < width or room[freest[-1]] == 0:
            return placed
        for node in freest:
            room[node] -= 1
        placed += 1


@pytest.mark.parametrize("lost", [0, 1, 2])
@pytest.mark.parametrize("width", [3, 6])
@pytest.mark.parametrize("beyond", [0, 1, 2, 5])
def test_what_is_usable_fits_on_the_nodes_that_are_left_and_no_more_does(lost, width, beyond):
    drives, chunks = 4, 12 * width  # of room on a drive
    array = Array.of_nodes(
        width + beyond, drives, data_members=width - 2, parity_members=2, lost_nodes=lost
    )
    node = pools.node_bytes(chunks, node_members=drives, node_spares=array.node_spares)
    usable = pools.cluster_usable_bytes(
        node, cluster_nodes=array.nodes, data_members=width - 2, parities=2,
        reserve_nodes=array.reserve_nodes, fill_limit=1.0,
    )  # fmt: skip
    left = max(array.nodes - lost, width)  # with fewer than chunks nothing is made again elsewhere
    room = drives - 1 if lost and not beyond else drives
    assert usable / (width - 2) == pytest.approx(most_stripes(left, room * chunks, width))


def test_one_drive_a_node_leaves_nowhere_to_make_it_again():
    assert Array.of_nodes(3, 1, data_members=1, parity_members=2).node_spares == 0
