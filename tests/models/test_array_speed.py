"""IOPS of arrays at a queue depth: exact cases, the array simulator, laws."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import _fork_join, parallelism, redundancy, registry
from models.array_speed import (
    FullStripes,
    HostOperations,
    MemberTimes,
    array_speed,
    delay_s,
    mixed_array_speed,
)
from models.errors import DomainError
from models.simulator.arrays import Config, run
from tests.published import Printed

US = 1e-6
RAID5_OF_8 = HostOperations(8, 2, 2)
EQUAL = MemberTimes(50 * US, 50 * US)


def speed(depth, members, share, operations, times=EQUAL):
    return array_speed(
        depth, members=members, read_fraction=share, times=times, host_operations=operations
    )


# AnandTech 8319: 12 drives of 50K IOPS have a theoretical 600K, which takes deep queues.
def test_twelve_drives_approach_their_600k():
    drive = MemberTimes(1 / 92e3, 1 / 50e3)
    depths = np.array([12, 48, 384, 16384])
    got = speed(depths, 12, 0.0, HostOperations(1, 0, 1), drive).iops
    assert Printed("600000").admits(round(float(got[-1]), -3))
    assert got[0] < 400e3 < got[1] < 560e3 < got[2] < 600e3


# Web calculators give 2.105M for 8 drives of 500K reads and 100K writes, 70/30, RAID 5: one rate
# for both and no reads for parity. The members' time allows 0.930M at any depth.
def test_no_queue_depth_gives_what_calculators_promise():
    drive = MemberTimes(1 / 500e3, 1 / 100e3)
    got = speed(np.array([1, 32, 512, 16384]), 8, 0.7, RAID5_OF_8, drive).iops
    budget = redundancy.budget_iops(
        500e3, write_iops=100e3, members=8, read_fraction=0.7, reads_per_write=2, writes_per_write=2
    )
    assert np.all(got <= budget * (1 + 1e-12))
    assert got[-1] == pytest.approx(0.930e6, rel=0.005)


times = st.floats(1e-6, 1e-2)
ratios = st.floats(0.1, 10)
shares = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0]))


@st.composite
def arrays(draw):
    width = draw(st.integers(1, 24))
    groups = draw(st.integers(1, 4))
    writes = draw(st.integers(1, width))
    reads = draw(st.sampled_from([0, writes, draw(st.integers(0, width))]))
    chunks = draw(st.sampled_from([1, draw(st.integers(1, width))]))
    return groups * width, HostOperations(width, reads, writes, chunks)


@st.composite
def drives(draw):
    read_s = draw(times)
    delays = draw(st.sampled_from([(0.0, 0.0), (draw(times), draw(times))]))
    return MemberTimes(read_s, read_s * draw(ratios), *delays)


@given(arrays(), drives(), shares)
def test_one_operation_at_a_time_waits_for_nothing(array, drive, share):
    members, operations = array
    got = speed(1, members, share, operations, drive)
    read_s = drive.read_s + drive.read_delay_s
    write_s = (operations.reads_per_write > 0) * read_s + drive.write_s + drive.write_delay_s
    assert got.read_latency_s == pytest.approx(read_s, rel=1e-12)
    assert got.write_latency_s == pytest.approx(write_s, rel=1e-12)
    assert got.iops == pytest.approx(1 / (share * read_s + (1 - share) * write_s), rel=1e-12)


@given(arrays(), drives(), shares, st.integers(1, 80))
def test_little_and_the_members_time_hold(array, drive, share, depth):
    members, operations = array
    got = speed(depth, members, share, operations, drive)
    mean_s = share * got.read_latency_s + (1 - share) * got.write_latency_s
    assert got.iops * mean_s == pytest.approx(depth, rel=1e-9)
    reads = share * operations.chunks_per_read + (1 - share) * operations.reads_per_write
    busy_s = reads * drive.read_s + (1 - share) * operations.writes_per_write * drive.write_s
    assert got.utilisation == pytest.approx(got.iops * busy_s / members, rel=1e-9)
    assert got.utilisation <= 1 + 1e-12


@given(arrays(), drives(), shares)
def test_iops_never_fall_with_queue_depth(array, drive, share):
    members, operations = array
    got = speed(np.arange(1, 60), members, share, operations, drive).iops
    assert np.all(np.diff(got) >= -1e-12 * got[1:])


@given(arrays(), st.floats(0.3, 3), shares, st.integers(1, 60))
def test_iops_never_fall_with_members(array, ratio, share, depth):
    """Of times that are not too far apart: see the validity of `array_speed`."""
    _, operations = array
    drive = MemberTimes(50 * US, 50 * US * ratio)
    groups = operations.stripe_members * np.arange(1, 5)
    got = speed(depth, groups, share, operations, drive).iops
    assert np.all(np.diff(got) >= -1e-12 * got[1:])


@given(st.integers(6, 24), st.integers(1, 64), ratios)
def test_more_parity_never_raises_small_write_iops(members, depth, ratio):
    """Of six drives or more, where all of them read the old chunks; see the next test."""

    def small(parities):
        reads = redundancy.reads_per_write(members, parities=parities)
        writes = redundancy.writes_per_write(1, parities=parities)
        drive = MemberTimes(50 * US, 50 * US * ratio)
        return speed(depth, members, 0.0, HostOperations(members, reads, writes), drive).iops

    assert small(2) <= small(1) * (1 + 1e-9)
    assert small(1) <= small(0) * (1 + 1e-9)


def test_raid_6_of_four_drives_beats_raid_5_as_it_need_not_read_what_it_writes():
    """One read and three writes on four drives, against two of each on the same two."""
    simulated, modelled = [], []
    for parity, update in ((1, "read-modify-write"), (2, "reconstruct-write")):
        array = {"members": 4, "parity": parity, "update": update, "read_s": 5e-5, "write_s": 5e-5}
        load = {"read_fraction": 0.0, "queue_depth": 2, "warmup_s": 0.1, "measured_s": 2.0}
        simulated.append(run(Config(**array, **load)).iops)
        reads = redundancy.reads_per_write(4, parities=parity)
        modelled.append(speed(2, 4, 0.0, HostOperations(4, reads, 1 + parity)).iops)
    assert simulated[1] > 1.1 * simulated[0]
    np.testing.assert_allclose(modelled, simulated, rtol=0.07)


@given(st.integers(1, 40), st.floats(1e-3, 1))
def test_the_largest_of_several_waits_is_the_alternating_sum(branches, busy):
    with mpmath.workdps(60):
        u = mpmath.mpf(busy)
        exact = mpmath.fsum(
            (-1) ** (i + 1) * mpmath.binomial(branches, i) * u**i / i
            for i in range(1, branches + 1)
        )
    count = np.array([float(branches)])
    got = _fork_join.growth_of(1 - np.array([busy]), _fork_join.terms_of(count), count, math.inf)
    assert got[0] == pytest.approx(float(exact), rel=1e-12)


def test_single_operations_agree_with_dies_of_fixed_times():
    """Where members are many, dies of `parallelism` are the same queues."""
    depth = np.array([16, 64, 256])
    got = speed(depth, 64, 1.0, HostOperations(1, 0, 1)).iops
    dies = parallelism.dies_iops(depth, dies=64, operation_s=50 * US)
    np.testing.assert_allclose(got, dies, rtol=0.01)


def test_mirrors_written_alone_are_single_members():
    """Both copies are always busy together: 12 pairs are 12 drives."""
    depth = np.array([1, 8, 64])
    pairs = speed(depth, 24, 0.0, HostOperations(2, 0, 2)).iops
    single = speed(depth, 12, 0.0, HostOperations(1, 0, 1)).iops
    np.testing.assert_allclose(pairs, single, rtol=0.05)


LAYOUTS = {
    "RAID 0": ({}, HostOperations(8, 0, 1)),
    "RAID 10": ({"copies": 2}, HostOperations(2, 0, 2)),
    "RAID 5": ({"parity": 1}, HostOperations(8, 2, 2)),
    "RAID 6": ({"parity": 2}, HostOperations(8, 3, 3)),
    "RAID 50": ({"parity": 1, "groups": 2}, HostOperations(4, 2, 2)),
    "full stripes": (
        {"parity": 2, "read_chunks": 6, "write_chunks": 6},
        HostOperations(8, 0, 8, 6),
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_iops_and_latencies_agree_with_the_simulator(layout):
    """Sizes and times of their own, delays beside the service too."""
    options, operations = LAYOUTS[layout]
    drive = MemberTimes(40 * US, 90 * US, 60 * US, 10 * US)
    errors = []
    for depth, share in ((1, 0.5), (3, 0.0), (6, 0.6), (24, 0.9), (200, 0.3)):
        result = run(
            Config(
                members=8, read_s=drive.read_s, write_s=drive.write_s,
                read_delay_s=drive.read_delay_s, write_delay_s=drive.write_delay_s,
                read_fraction=share, queue_depth=depth, warmup_s=0.1, measured_s=1.0, **options,
            )
        )  # fmt: skip
        got = speed(depth, 8, share, operations, drive)
        errors.append(abs(got.iops / result.iops - 1))
        assert got.write_latency_s == pytest.approx(result.writes.mean_s, rel=0.25)
    checked = registry.CHECKED["array_speed"]
    assert max(errors) <= checked.error
    assert np.mean(errors) <= 0.03


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"host_operations": HostOperations(5, 0, 1)}, "stripe_members"),
        ({"host_operations": HostOperations(2048, 0, 1), "members": 2048}, "stripe_members"),
        ({"host_operations": HostOperations(8, 9, 1)}, "reads_per_write"),
        ({"host_operations": HostOperations(8, 0.5, 1)}, "reads_per_write"),
        ({"host_operations": HostOperations(8, 0, 9)}, "writes_per_write"),
        ({"host_operations": HostOperations(8, 0, 1, 9)}, "chunks_per_read"),
        ({"host_operations": HostOperations(8, 0, 0)}, "writes_per_write"),
        ({"times": MemberTimes(0.0, 1e-5)}, "read_s"),
        ({"times": MemberTimes(1e-5, math.inf)}, "write_s"),
        ({"times": MemberTimes(1e-5, 1e-5, -1.0)}, "read_delay_s"),
        ({"times": MemberTimes(1e-5, 1e-5, 0.0, math.inf)}, "write_delay_s"),
        ({"queue_depth": 65537}, "queue_depth"),
        ({"queue_depth": 0}, "queue_depth"),
        ({"read_fraction": 1.5}, "read_fraction"),
        ({"members": math.nan}, "members"),
    ],
)
def test_impossible_arrays_are_refused(changed, name):
    known = {"queue_depth": 4, "members": 8, "read_fraction": 0.5, "times": EQUAL}
    asked = known | {"host_operations": RAID5_OF_8} | changed
    with pytest.raises(DomainError, match=rf"^{name} must be"):
        array_speed(asked.pop("queue_depth"), **asked)


@given(st.floats(1e-6, 1e-2), st.floats(1e-6, 1e-2))
def test_a_delay_gives_the_latency_of_one_operation_back(latency_s, operation_s):
    """Alone, an operation takes its service and its delay, but never less than the service."""
    delay = delay_s(latency_s, operation_s=operation_s)
    times = MemberTimes(operation_s, operation_s, delay, delay)
    got = speed(1, 4, 1.0, HostOperations(1, 0, 1), times)
    assert got.read_latency_s == pytest.approx(max(latency_s, operation_s), rel=1e-9)


LEVELS = [  # members, copies, parities, drives of a stripe
    pytest.param(8, 1, 0, 8, id="RAID 0"),
    pytest.param(8, 2, 0, 8, id="RAID 10"),
    pytest.param(8, 1, 1, 8, id="RAID 5"),
    pytest.param(24, 1, 2, 12, id="RAID 60"),
    pytest.param(24, 1, 3, 11, id="8+3 over 24 drives"),
]


@pytest.mark.parametrize(("members", "copies", "parities", "code"), LEVELS)
@pytest.mark.parametrize("stripes", [0.0, 0.3, 1.0])
def test_deep_queues_of_mixed_writes_reach_the_budget(members, copies, parities, code, stripes):
    """A budget that counts operations and knows no queue."""
    reads = redundancy.reads_per_write(code, parities=parities)
    writes = redundancy.writes_per_write(copies, parities=parities)
    width = members // 2 if code == 12 else members if parities else copies
    got = mixed_array_speed(
        4096, members=members, read_fraction=0.4, times=MemberTimes(20 * US, 60 * US),
        host_operations=HostOperations(width, reads, writes),
        full_stripes=FullStripes(stripes, code),
    )  # fmt: skip
    counted = {"parities": parities, "full_stripe_fraction": stripes}
    budget = redundancy.budget_iops(
        1 / (20 * US), write_iops=1 / (60 * US), members=members, read_fraction=0.4,
        reads_per_write=redundancy.mean_reads_per_write(code, **counted),
        writes_per_write=redundancy.mean_writes_per_write(code, copies=copies, **counted),
    )  # fmt: skip
    assert got.iops == pytest.approx(budget, rel=0.01)


@given(shares)
def test_one_write_at_a_time_is_single_or_a_chunk_of_a_stripe(stripes):
    """RAID 5 of 8: read and write of 50 us each, or one write with a seventh of the parity."""
    got = mixed_array_speed(
        1, members=8, read_fraction=0.0, times=EQUAL, host_operations=RAID5_OF_8,
        full_stripes=FullStripes(stripes, 8),
    )  # fmt: skip
    mean_s = (1 - stripes) * 100 * US + stripes * 50 * US * 8 / 7
    assert got.write_latency_s == pytest.approx(mean_s, rel=1e-9)
    assert got.iops == pytest.approx(1 / mean_s, rel=1e-9)


def test_stripes_of_arrays_of_cases_give_what_each_gives():
    known = {"members": 12, "read_fraction": 0.5, "times": EQUAL}
    operations = HostOperations(12, np.array([[2.0], [3.0]]), np.array([[2.0], [3.0]]))
    stripes = np.array([0.0, 0.25, 1.0])
    got = mixed_array_speed(
        32, **known, host_operations=operations, full_stripes=FullStripes(stripes, 12)
    )
    for row, parities in enumerate((1, 2)):
        for column, share in enumerate(stripes):
            one = mixed_array_speed(
                32, **known, host_operations=HostOperations(12, parities + 1, parities + 1),
                full_stripes=FullStripes(share, 12),
            )  # fmt: skip
            assert [part[row, column] for part in got] == pytest.approx(list(one), rel=1e-13)
            assert share or one == array_speed(
                32, **known, host_operations=HostOperations(12, parities + 1, parities + 1)
            )


@pytest.mark.parametrize(
    ("stripes", "match"),
    [
        (FullStripes(1.5, 8), r"^full_stripe_fraction must be in \[0, 1\]"),
        (FullStripes(0.5, 1), "^code_members must be more than its parity"),
        (FullStripes(0.5, 2.5), "^code_members must be a whole number"),
    ],
)
def test_impossible_stripes_are_refused(stripes, match):
    with pytest.raises(DomainError, match=match):
        mixed_array_speed(
            4, members=8, read_fraction=0.5, times=EQUAL, host_operations=RAID5_OF_8,
            full_stripes=stripes,
        )  # fmt: skip


def test_arrays_of_cases_give_what_each_gives():
    depth, share = np.array([[1], [7], [64]]), np.array([0.0, 0.4, 1.0])
    width, parities = np.array([4, 8, 2]), np.array([2, 3, 0])
    operations = HostOperations(width, parities, np.array([2, 3, 2]))
    drive = MemberTimes(np.array([1, 2, 3]) * 1e-5, 3e-5)
    together = speed(depth, 8, share, operations, drive)
    for row, column in np.ndindex(3, 3):
        one = HostOperations(*(float(np.broadcast_to(v, 3)[column]) for v in operations))
        alone = MemberTimes(*(float(np.broadcast_to(v, 3)[column]) for v in drive))
        apart = speed(int(depth[row, 0]), 8, float(share[column]), one, alone)
        for whole, part in zip(together, apart, strict=True):
            assert type(part) is float
            assert whole[row, column] == pytest.approx(part, rel=1e-12)


@pytest.mark.parametrize(
    ("members", "operations"), [(12, HostOperations(6, 3, 3)), (48, HostOperations(16, 0, 16, 14))]
)
def test_many_arrays_at_once_are_as_each_by_itself(members, operations):
    """Few loads climb one by one in plain numbers, many all at once.

    Of whole stripes over many drives more operations join than the queue has others to wait for.
    """
    depths, shares = np.array([[1], [2], [7], [64]]), np.linspace(0, 1, 20)
    times = MemberTimes(1e-4, 3e-5, 2e-5, 1e-5)

    def at(depth, share):
        return array_speed(depth, members=members, read_fraction=share, times=times,
                           host_operations=operations)  # fmt: skip

    apart = np.array([[at(depth, share) for share in shares] for depth in depths[:, 0]])
    np.testing.assert_allclose(np.moveaxis(at(depths, shares), 0, -1), apart, rtol=1e-12)
