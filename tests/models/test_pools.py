"""Pools: what ZFS reported of real ones, records laid out by hand, bounds of their speed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import pools, raidz, redundancy
from models.array_speed import MemberTimes
from models.errors import DomainError
from tests.published_pools import page, rows

SECTOR = 4096
STORED = Path(__file__).parents[2] / "docs" / "evidence" / "pools.md"
widths, parity = st.integers(2, 24), st.integers(1, 3)
ROWS = {(row.pool, row.figure): row for row in rows()}
EXACT = [row for row in ROWS.values() if not row.why]


@pytest.mark.parametrize("row", EXACT, ids=lambda row: f"{row.pool}, {row.figure}")
def test_the_formula_gives_what_a_pool_reported(row):
    assert row.formula == row.printed


def test_what_differs_is_what_the_pool_uses():
    empty = ROWS["draid1:16d:36c:2s of 18 TB", "available"]
    assert empty.formula - empty.printed == 96 * 17 * SECTOR / 512 * 481
    (full,) = (row for row in ROWS.values() if row.figure == "bytes allocated")
    assert full.printed / full.formula == pytest.approx(1.016, abs=5e-4)
    assert len(EXACT) == len(ROWS) - 2


def test_the_page_is_up_to_date():
    assert STORED.read_text() == page()


# Sizes of metaslabs by the table in vdev.c: 16 of at least 16 MiB, then 512 MiB each, then 200.
@pytest.mark.parametrize(
    ("gib", "slab_mib"), [(4, 512), (50, 512), (1000, 8192), (2900, 16384), (10_000, 16384)]
)
def test_metaslabs_are_as_large_as_zfs_makes_them(gib, slab_mib):
    whole = pools.raidz_space_bytes(gib * 2**30 + 4.5 * 2**20, members=1)
    assert whole % (slab_mib * 2**20) == 0
    assert gib * 2**30 - whole < slab_mib * 2**20


def test_small_vdevs_have_small_metaslabs():
    assert pools.raidz_space_bytes(64 * 2**20, members=1) == 48 * 2**20


# spa_get_slop_space of OpenZFS 2.1: a 32nd, at most 128 GiB, at least 128 MiB or else half.
@pytest.mark.parametrize(
    ("space_mib", "slop_mib"), [(32, 16), (200, 100), (1024, 128), (2**13, 256), (2**23, 2**17)]
)
def test_what_a_pool_keeps_for_itself_is_that_of_zfs(space_mib, slop_mib):
    got = pools.available_bytes(space_mib * 2.0**20, vdevs=1, deflated_fraction=1.0)
    assert got == (space_mib - slop_mib) * 2**20


@given(st.integers(1, 200), st.integers(0, 3), st.integers(1, 24), parity)
def test_metaslabs_of_draid_are_whole_stripes(gib, spares, data, parities):
    members, width = data + parities + spares + 2, data + parities
    got = pools.draid_space_bytes(
        gib * 2.0**30, members=members, spares=spares, data_members=data, parities=parities,
        sector_bytes=SECTOR,
    )  # fmt: skip
    assert got % (width * SECTOR) == 0
    assert got <= (members - spares) * gib * 2**30


def test_stripes_of_metaslabs_one_by_one():
    got = pools.draid_space_bytes(
        1e12, members=20, spares=1, data_members=5, parities=2, sector_bytes=SECTOR
    )
    rows = (1e12 // 2**18 * 2**18 - 4.5 * 2**20 - 2**25) // 2**24 * 2**24
    vdev = rows * 19 // (7 * 2**24) * (7 * 2**24)
    stripe, total = 7 * SECTOR, 0
    for start in range(0, int(vdev // 2**34) * 2**34, 2**34):
        first = -(-start // stripe) * stripe
        total += (start + 2**34 - first) // stripe * stripe
    assert got == total


# openzfs/zfs issue 1807: 8 KiB on RAID-Z2 of six take 24 KiB.
def test_small_records_leave_a_third():
    taken = raidz.raidz_sectors(2, members=6, parities=2)
    held = pools.recorded_bytes(
        1e12, record_bytes=8192, allocated_sectors=taken, sector_bytes=SECTOR, deflated_fraction=1
    )
    assert held == pytest.approx(1e12 / 3)


@given(st.integers(1, 300), widths, parity)
def test_columns_hold_the_record_and_its_parity(sectors, members, parities):
    if members <= parities:
        return
    spread = {"stripe_members": members, "parities": parities}
    columns = pools.record_columns(sectors, **spread)
    longest = pools.column_bytes(sectors * SECTOR, sector_bytes=SECTOR, **spread) / SECTOR
    written = pools.raidz_written_sectors(sectors, **spread)
    assert (longest - 1) * columns < sectors <= longest * columns
    assert written == sectors + parities * longest
    assert written <= raidz.raidz_sectors(sectors, members=members, parities=parities)
    assert pools.written_columns(columns, parities=parities) <= members


@given(
    st.sampled_from([4096, 16384, 131072]), st.sampled_from([4096, 65536, 2**20]), st.floats(0, 1)
)
def test_a_part_of_a_record_is_read_and_written_whole(record, transfer, share):
    sizes = {"record_bytes": record, "sequential_fraction": share}
    per = pools.records_per_operation(transfer, **sizes)
    assert per >= transfer / record * (1 - 1e-12)
    reads = pools.whole_record_reads(4.0, transfer_bytes=transfer, **sizes)
    assert reads == (4.0 * (1 - share) if transfer < record else 0.0)


LOAD = {"members": 12, "times": MemberTimes(2e-5, 5e-5)}


@pytest.mark.parametrize("reads", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_deep_queues_reach_the_time_of_the_members(reads, share):
    records = pools.RecordOperations(6, 4, 6, 1.0, 0.25, share, 1.0)
    got = pools.record_array_speed(4096, read_fraction=reads, records=records, **LOAD)
    per = 1.0 if share == 0 else 0.25
    budget = redundancy.budget_iops(
        1 / 2e-5, write_iops=1 / 5e-5, members=12, read_fraction=reads,
        reads_per_write=4.0 * (share == 0), writes_per_write=6 * per, reads_per_read=4 * per,
    )  # fmt: skip
    assert got.iops == pytest.approx(budget, rel=0.01)
    assert got.utilisation <= 1


def test_one_operation_alone_waits_for_its_longest_column():
    records = pools.RecordOperations(6, 4, 6, 1.0, 1.0, 0.0, 0.0)
    got = pools.record_array_speed(1, read_fraction=1.0, records=records, **LOAD)
    assert got.read_latency_s == pytest.approx(2e-5, rel=0.01)


def test_pools_that_cannot_be_are_refused():
    with pytest.raises(DomainError, match="partition_bytes must be >= 64 MiB"):
        pools.raidz_space_bytes(1e6, members=4)
    with pytest.raises(DomainError, match="stripe_members must be > parities"):
        pools.record_columns(4, stripe_members=2, parities=2)
    with pytest.raises(DomainError, match="members must be >= spares"):
        pools.draid_space_bytes(1e12, members=8, spares=1, data_members=6, parities=2,
                                sector_bytes=4096)  # fmt: skip


@given(
    st.integers(1, 6), st.integers(0, 4), st.integers(0, 3), st.integers(0, 5), st.floats(0.5, 1.0)
)
def test_what_is_left_of_a_cluster_holds_its_data(data, parities, reserve, more, limit):
    """Chunks counted one by one after the losses: the nodes left are as full as is allowed."""
    nodes, node = data + parities + reserve + more, 76.8e12
    layout = {"cluster_nodes": nodes, "reserve_nodes": reserve}
    held = pools.cluster_usable_bytes(
        node, data_members=data, parities=parities, fill_limit=limit, **layout
    )
    stored = sum(held / data for _ in range(data + parities))
    assert stored / (node * (nodes - reserve)) == pytest.approx(limit)
    assert stored / (node * nodes) == pytest.approx(pools.warning_fraction(limit, **layout))


def test_a_cluster_without_a_node_for_each_chunk_is_refused():
    with pytest.raises(
        DomainError, match=r"cluster_nodes must be >= k \+ m \+ reserve_nodes, got 3"
    ):
        pools.cluster_usable_bytes(
            1e12, cluster_nodes=3, data_members=1, parities=2, reserve_nodes=1, fill_limit=0.85
        )


def test_a_rebuild_is_as_long_as_its_slowest_part():
    rates = {"node_read_bytes_per_s": 3e10, "node_write_bytes_per_s": 1e10}
    of = {"cluster_nodes": 6, "data_members": 4, **rates}
    by_drives = pools.node_rebuild_s(5e13, node_link_bytes_per_s=float("inf"), **of)
    assert by_drives == pytest.approx(1e13 * (4 / 3e10 + 1 / 1e10))
    by_link = pools.node_rebuild_s(5e13, node_link_bytes_per_s=1e9, **of)
    assert by_link * 5 * 1e9 == pytest.approx(
        pools.node_rebuild_network_bytes(5e13, data_members=4)
    )
