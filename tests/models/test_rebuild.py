"""Rebuilds: what binds, bytes conserved, reads of a degraded array against the simulator."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import rebuild
from models.errors import DomainError
from models.simulator.arrays import Config, run

rates = st.floats(1e6, 1e11)
parts = st.floats(0.01, 1)
BINDING = [
    pytest.param({"spare_write_bytes_per_s": 1e8}, 2e4, id="spare"),
    pytest.param({"member_read_bytes_per_s": 1e8}, 2e4, id="members"),
    pytest.param({"uplink_bytes_per_s": 4e8}, 1e4, id="link, which nothing throttles"),
    pytest.param({"uplink_bytes_per_s": math.inf}, 2e3, id="all alike"),
]


@pytest.mark.parametrize(("slow", "seconds"), BINDING)
def test_the_slowest_of_three_decides(slow, seconds):
    fast = {
        "spare_write_bytes_per_s": 1e9,
        "member_read_bytes_per_s": 1e9,
        "uplink_bytes_per_s": 1e10,
    }
    got = rebuild.rebuild_s(1e12, **fast | slow, data_members=4, rebuild_fraction=0.5)
    assert got == pytest.approx(seconds, rel=1e-12)


@given(st.integers(2, 64), st.integers(1, 32), rates, rates, parts)
def test_a_declustered_rebuild_spends_the_drives_time(members, data, reads, writes, part):
    if members <= data:
        return
    got = rebuild.declustered_rebuild_s(
        1e12,
        members=members,
        data_members=data,
        member_read_bytes_per_s=reads,
        member_write_bytes_per_s=writes,
        rebuild_fraction=part,
    )
    read_s = rebuild.rebuild_read_bytes(1e12, data_members=data) / reads
    each = rebuild.survivor_write_bytes(1e12, members=members)
    assert (members - 1) * part * got == pytest.approx(
        read_s + (members - 1) * each / writes, rel=1e-12
    )


def test_declustering_of_many_drives_rebuilds_faster_than_one_spare_writes():
    speeds = {"member_read_bytes_per_s": 3e9, "data_members": 8, "rebuild_fraction": 0.5}
    spare = rebuild.rebuild_s(
        3.84e12, spare_write_bytes_per_s=1e9, uplink_bytes_per_s=math.inf, **speeds
    )
    spread = rebuild.declustered_rebuild_s(
        3.84e12, members=24, member_write_bytes_per_s=1e9, **speeds
    )
    assert spare == pytest.approx(2 * 3840)
    assert spread == pytest.approx(spare * (8 / 3 + 1) / 23)


@given(st.integers(3, 64))
def test_raid_5_reads_at_half_its_speed(members):
    got = rebuild.degraded_read_iops(1e5, members=members, data_members=members - 1)
    assert got == pytest.approx(1e5 * members / 2, rel=1e-12)


@given(st.integers(2, 64))
def test_mirrors_lose_one_drive(members):
    assert rebuild.degraded_read_iops(1e5, members=members, data_members=1) == pytest.approx(
        1e5 * (members - 1), rel=1e-12
    )


@pytest.mark.parametrize("members", [4, 8, 12])
def test_degraded_reads_of_raid_5_agree_with_the_simulator(members):
    array = {"members": members, "read_s": 1e-5, "write_s": 1e-5, "failed": (2,), "parity": 1}
    result = run(Config(**array, queue_depth=2000, warmup_s=0.1, measured_s=1.0))
    got = rebuild.degraded_read_iops(1e5, members=members, data_members=members - 1)
    assert got == pytest.approx(result.iops, rel=0.02)


def test_a_group_needs_more_members_than_it_reads():
    with pytest.raises(DomainError, match=r"^members must be > data_members, got 8$"):
        rebuild.degraded_reads_per_read(8, data_members=8)
