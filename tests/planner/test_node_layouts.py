"""Capacity of clusters against stripes that are laid out one by one."""

import pytest

from models import pools
from planner.catalogue import find, load
from planner.export.choice_record import choice_record
from planner.export.choice_tables import loss_text, nodes_lines
from planner.scenario.array import Array
from planner.search.choose import choose
from planner.search.choose.request import choice_request


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


def test_loss_of_a_cluster_is_a_lower_bound_beside_what_the_network_makes_of_a_rebuild():
    asked = choice_request(
        [find(load(), "5400 PRO 3.84")], minimise="price", usable="15TB", writes="1TB/day",
        nodes="5", bays="4", drives="4", spare="0%", network="1 Gb/s", today="2026-10-01",
    )  # fmt: skip
    found = choose(**asked, top=1)
    nodes = found.best.nodes
    assert nodes.node_rebuild_s == pytest.approx(4 * nodes.drive_rebuild_s)
    by_link = nodes.held_bytes_per_node / 4 / 4 / (0.5 * 125e6)  # of a drive, by four other nodes
    assert nodes.drive_rebuild_s == pytest.approx(by_link)
    assert nodes.drive_rebuild_s > found.best.data_loss["rebuild_s"].value
    assert loss_text(found.best).startswith("at least ")
    assert "by drives alone" in nodes_lines(found.best)[-1]
    assert choice_record(found)["plans"][0]["loss_is_lower_bound"] is True
