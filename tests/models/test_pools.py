"""Pools: what ZFS reported of real ones, records laid out by hand, bounds of their speed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import declustered, pools, raidz, redundancy
from models.array_speed import MemberTimes
from models.errors import DomainError

SECTOR, STEP = 4096, 512
widths, parity = st.integers(2, 24), st.integers(1, 3)
TB_3, TB_18 = 3_000_592_982_016, 18_000_207_937_536  # as drives of 3 and 18 TB have them


def raidz_available(drive_bytes, *, members, parities, vdevs=1):
    space = pools.raidz_space_bytes(pools.partition_bytes(drive_bytes), members=members)
    taken = raidz.raidz_sectors(32, members=members, parities=parities)
    share = pools.deflated_fraction(taken, sector_bytes=SECTOR)
    return pools.available_bytes(space, vdevs=vdevs, deflated_fraction=share)


def draid_available(partition, *, data, parities, members, spares):
    code = {"data_members": data, "parities": parities}
    space = pools.draid_space_bytes(
        partition, members=members, spares=spares, sector_bytes=SECTOR, **code
    )
    share = pools.deflated_fraction(
        declustered.declustered_sectors(32, **code), sector_bytes=SECTOR
    )
    return pools.available_bytes(space, vdevs=1, deflated_fraction=share)


# openzfs/zfs issue 15467: draid2:6d:24c:0s of 1 TB, USED + AVAIL of `zfs list -p`.
def test_draid_of_24_reports_what_a_pool_did():
    got = draid_available(1e12, data=6, parities=2, members=24, spares=0)
    assert got == 2_095_104 + 15_835_676_542_976


# openzfs/zfs issue 13727: draid1:16d:36c:2s of 18 TB, `zfs get available -p` of the empty pool;
# what it uses already is 96 stripes of 17 sectors.
def test_draid_of_36_reports_what_a_pool_did():
    got = draid_available(pools.partition_bytes(TB_18), data=16, parities=1, members=36, spares=2)
    stripe = 17 * SECTOR / STEP * 481
    assert got - 574_804_246_033_080 == 96 * stripe


# The same: two vdevs of 17 drives of 18 TB, as `df -h` rounds up.
@pytest.mark.parametrize(("parities", "tib"), [(1, 523), (2, 457)])
def test_two_vdevs_of_17_report_what_pools_did(parities, tib):
    got = raidz_available(TB_18, members=17, parities=parities, vdevs=2)
    assert np.ceil(got / 2**40) == tib


# Labels of two pools as zdb prints them: asize of RAID-Z2 of six drives in partitions, of RAID-Z3
# of eleven drives without (pastebin.com/qXBH51mc, Wj2DnsMm); metaslabs are less than one away.
@pytest.mark.parametrize(
    ("member", "members", "asize"),
    [(pools.partition_bytes(TB_3), 6, 18_003_470_057_472), (TB_3, 11, 33_006_468_464_640)],
)
def test_whole_metaslabs_of_what_labels_leave(member, members, asize):
    got = pools.raidz_space_bytes(member, members=members)
    assert got == asize // 2**34 * 2**34


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


# openzfs/zfs issue 4544: RAID-Z2 of nine with sectors of 512 bytes charges 9,528 bytes to one of 8
# KiB; issue 8163: sectors of 64 KiB on eleven leave a third; issue 1807: 8 KiB on six take 24 KiB.
def test_records_are_charged_as_pools_did():
    share = pools.deflated_fraction(raidz.raidz_sectors(256, members=9, parities=2),
                                    sector_bytes=512)  # fmt: skip
    assert raidz.raidz_sectors(16, members=9, parities=2) * 512 * share == 9528
    taken = raidz.raidz_sectors(2, members=11, parities=2)
    assert pools.deflated_fraction(taken, sector_bytes=65536) == 170 / 512
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
