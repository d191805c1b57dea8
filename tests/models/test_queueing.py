"""Queueing formulas against printed figures, then against Little's law itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import queueing
from models.units import MB, MS, US
from tests.published import Printed

depths = st.floats(0.01, 1e5)
latencies = st.floats(1e-7, 1e2)
rates = st.floats(1e-2, 1e8)
sizes = st.floats(1, 1e9)

# AnandTech 8319, "Explaining Throughput, IOPS, and Latency" and "Performance Consistency -
# Worst-Case IOPS": one operation per ms; 20 us at queue depth 32; 5K IOPS means 6.4 ms.
ANANDTECH_8319_IOPS = [(1, 1 * MS, "1000"), (32, 20 * US, "1600000"), (32, 6.4 * MS, "5000")]


@pytest.mark.parametrize(("depth", "latency_s", "printed"), ANANDTECH_8319_IOPS)
def test_iops_reproduce_anandtech_8319(depth, latency_s, printed):
    assert Printed(printed).admits(queueing.iops(depth, latency_s=latency_s))
    assert Printed(printed).admits(queueing.worst_case_iops(depth, max_latency_s=latency_s))


# AnandTech 8319, same sections: the second of two operations waits for the first (2 ms); worst
# case of the 845DC drives; of the M500DC at 2K IOPS (derived).
@pytest.mark.parametrize(
    ("depth", "iops", "printed_ms"), [(2, 1000, "2"), (32, 5000, "6.4"), (32, 2000, "16")]
)
def test_latency_reproduces_anandtech_8319(depth, iops, printed_ms):
    assert Printed(printed_ms).admits(queueing.latency_s(depth, iops=iops) / MS)


# AnandTech 7173, table "840 EVO 250GB - 4K Random Write, QD1, 8GB LBA Space".
@pytest.mark.parametrize(
    ("iops", "printed_mb_s"), [(22769.31, "93.26"), (73466.28, "300.92"), (100_000, "409.6")]
)
def test_throughput_reproduces_anandtech_7173(iops, printed_mb_s):
    got = queueing.throughput_bytes_per_s(iops, transfer_bytes=4096)
    assert Printed(printed_mb_s).admits(got / MB)


# AnandTech 8319: 1,000 IOPS of 512 bytes are only 125 IOPS of 4 KiB.
def test_iops_at_throughput_reproduce_anandtech_8319():
    moved = queueing.throughput_bytes_per_s(1000, transfer_bytes=512)
    assert queueing.iops_at_throughput(moved, transfer_bytes=4096) == 125


@given(depths, latencies)
def test_littles_law_closes(depth, latency_s):
    rate = queueing.iops(depth, latency_s=latency_s)
    assert queueing.queue_depth(rate, latency_s=latency_s) == pytest.approx(depth, rel=1e-12)
    assert queueing.latency_s(depth, iops=rate) == pytest.approx(latency_s, rel=1e-12)


@given(rates, sizes)
def test_throughput_inverts(iops, transfer_bytes):
    moved = queueing.throughput_bytes_per_s(iops, transfer_bytes=transfer_bytes)
    back = queueing.iops_at_throughput(moved, transfer_bytes=transfer_bytes)
    assert back == pytest.approx(iops, rel=1e-12)


@given(rates, sizes, st.floats(0, 1e9), st.floats(1, 1e12))
def test_resized_operations_take_the_rated_time_plus_the_extra_bytes(iops, rated, extra, bandwidth):
    got = queueing.resized_iops(
        iops,
        rated_transfer_bytes=rated,
        transfer_bytes=rated + extra,
        throughput_bytes_per_s=bandwidth,
    )
    moved = (rated + extra) - rated
    assert 1 / got == pytest.approx(1 / iops + moved / bandwidth, rel=1e-12)


@given(rates, sizes, st.floats(0.001, 1), st.floats(1, 1e12))
def test_a_smaller_operation_costs_as_much_as_the_rated_one(iops, rated, share, bandwidth):
    got = queueing.resized_iops(
        iops,
        rated_transfer_bytes=rated,
        transfer_bytes=share * rated,
        throughput_bytes_per_s=bandwidth,
    )
    assert got == iops


@given(rates, sizes, st.floats(1, 1e3))
def test_throughput_stays_constant_where_all_bytes_move_at_the_rated_pace(iops, rated, factor):
    got = queueing.resized_iops(
        iops,
        rated_transfer_bytes=rated,
        transfer_bytes=factor * rated,
        throughput_bytes_per_s=iops * rated,
    )
    assert got * factor * rated == pytest.approx(iops * rated, rel=1e-12)


def test_very_large_operations_move_at_the_bandwidth():
    got = queueing.resized_iops(
        1e6, rated_transfer_bytes=4096, transfer_bytes=1e15, throughput_bytes_per_s=5e8
    )
    assert got * 1e15 == pytest.approx(5e8, rel=1e-9)
