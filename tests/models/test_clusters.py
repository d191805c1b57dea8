"""Capacity of clusters against stripes that are laid out one by one."""

import pytest

from models.clusters import cluster_usable_bytes, reserved_members


def most_stripes(servers, chunks, width):
    """Count stripes of chunks on different servers, each of room for so many chunks, as placed."""
    room, placed = [chunks] * servers, 0
    while True:
        freest = sorted(range(servers), key=lambda server: -room[server])[:width]
        if len(freest) < width or room[freest[-1]] == 0:
            return placed
        for server in freest:
            room[server] -= 1
        placed += 1


@pytest.mark.parametrize("lost", [0, 1, 2])
@pytest.mark.parametrize("width", [3, 6])
@pytest.mark.parametrize("beyond", [0, 1, 2, 5])
def test_what_is_usable_fits_on_the_servers_that_are_left_and_no_more_does(lost, width, beyond):
    servers, drives, chunks = width + beyond, 4, 12 * width  # of room on a drive
    reserved = reserved_members(
        servers, server_members=drives, lost_servers=lost, stripe_members=width
    )
    usable = cluster_usable_bytes(
        chunks, members=servers * drives, spares=reserved, data_members=width - 2, parities=2,
        fill_limit=1.0,
    )  # fmt: skip
    left = max(servers - lost, width)  # with fewer than chunks nothing is made again elsewhere
    drives_left = drives - 1 if lost and not beyond else drives
    assert usable / (width - 2) == pytest.approx(most_stripes(left, drives_left * chunks, width))


def test_one_drive_a_server_leaves_nowhere_to_make_it_again():
    assert reserved_members(3, server_members=1, lost_servers=1, stripe_members=3) == 0
