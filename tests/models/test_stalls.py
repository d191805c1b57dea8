"""Longest write latency: against events counted one by one, printed figures and laws."""

import heapq
import math
import statistics
from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import queueing, stall_exposure, stalls
from models.errors import DomainError

# AnandTech 8319: "worst-case IOPS of around 5K, which translates to latency of 6.4ms", queue depth
# 32, 50K IOPS. The 5 ms erase is typical of MLC flash of that time, not printed there.


def test_aligned_erases_give_the_worst_case_of_the_845dc():
    latency = stalls.aligned_latency_s(32, iops=50e3, erase_s=5e-3, program_s=0.76e-3)
    assert latency == pytest.approx(6.4e-3, rel=1e-9)
    assert queueing.worst_case_iops(32, max_latency_s=latency) == pytest.approx(5e3)
    assert stalls.implied_pause_s(6.4e-3, queue_depth=32, iops=50e3) == pytest.approx(5.76e-3)


# 64 flash pages of 4 host pages, each valid with probability 0.3: operations counted.
def test_clean_time_counts_operations():
    rng = np.random.default_rng(5)
    valid = rng.random((200_000, 4)) < 0.3
    reads, programs = 64 * np.mean(valid.any(axis=1)), 64 * np.mean(valid)
    got = stalls.clean_s(
        0.3,
        pages_per_block=256,
        program_page_s=1.3e-3 / 4,
        copy_page_s=1e-4 * (1 - 0.7**4) / (4 * 0.3),
        erase_s=4e-3,
    )
    assert got == pytest.approx(programs * 1.3e-3 + reads * 1e-4 + 4e-3, rel=5e-3)


@pytest.mark.parametrize(("valid", "copies"), [(0.0, 0), (1.0, 256)])
def test_clean_time_of_empty_and_full_blocks(valid, copies):
    got = stalls.clean_s(
        valid, pages_per_block=256, program_page_s=3e-4, copy_page_s=3e-5, erase_s=4e-3
    )
    assert got == pytest.approx(copies * 3.3e-4 + 4e-3)


def test_incremental_latency_is_the_longest_of_normal_ones():
    """Longest of 50,000 normal latencies: the mean of 300 seconds lies a little above."""
    rng = np.random.default_rng(3)
    mean = 32 / 50e3
    longest = [rng.normal(mean, 0.2 * mean, 50_000).max() for _ in range(300)]
    got = stalls.incremental_latency_s(32, iops=50e3, latency_cv=0.2)
    assert got == pytest.approx(statistics.median(longest), rel=0.02)


@given(st.floats(1, 256), st.floats(0.01, 1e6))
def test_incremental_latency_without_spread_is_the_mean(queue_depth, iops):
    got = stalls.incremental_latency_s(queue_depth, iops=iops, latency_cv=0.0)
    assert got == pytest.approx(queue_depth / iops)


# Events one by one: a host that writes at a steady rate into a buffer, whose flash stops once.


def longest_wait(stall_s, rate, room, drain):
    """Longest time for which a write waits for room; the flash takes `drain` pages a second."""
    leaves = deque()  # times at which buffered pages are on flash
    last, worst = 0.0, 0.0
    for i in range(int(4 * stall_s * rate) + 10 * room + 100):
        now = i / rate
        while leaves and leaves[0] <= now:
            leaves.popleft()
        enters = now if len(leaves) < room else leaves[len(leaves) - room]
        worst = max(worst, enters - now)
        begins = max(enters, last, stall_s)  # the stall begins with the test
        last = begins + 1 / drain
        leaves.append(last)
    return worst


@pytest.mark.parametrize("room", [1, 200, 1024, 2048, 2700, 2800, 4096])
def test_exposed_stall_is_that_of_counted_events(room):
    got = stall_exposure.exposed_stall_s(0.348, iops=8e3, buffer_pages=room)
    truth = longest_wait(0.348, 8e3, room, 80e3)
    assert got == pytest.approx(truth, abs=2 / 8e3)


@given(st.floats(1e-3, 1), st.floats(10, 1e6))
def test_a_stall_is_invisible_from_the_absorbing_buffer_on(stall_s, iops):
    enough = stall_exposure.absorbing_pages(stall_s, iops=iops)
    at = {"stall_s": stall_s, "iops": iops}
    assert stall_exposure.exposed_stall_s(**at, buffer_pages=enough) < 1e-12 * stall_s
    assert stall_exposure.exposed_stall_s(**at, buffer_pages=1.01 * enough) == 0
    less = stall_exposure.exposed_stall_s(**at, buffer_pages=0.5 * enough)
    assert less == pytest.approx(stall_s / 2)


@given(st.floats(1e-3, 1), st.floats(10, 1e6), st.floats(0, 1e5), st.floats(0, 1e5))
def test_a_larger_buffer_never_hurts(stall_s, iops, one, more):
    small = stall_exposure.exposed_stall_s(stall_s, iops=iops, buffer_pages=one)
    large = stall_exposure.exposed_stall_s(stall_s, iops=iops, buffer_pages=one + more)
    assert large <= small <= stall_s


def closed_loop(depth, service_s, stall_s, between_s, count=400_000):
    """Latencies of `depth` writers, mean time between stalls; the server stops for `stall_s`."""
    rng = np.random.default_rng(11)
    waiting = [(0.0, i) for i in range(depth)]
    heapq.heapify(waiting)
    free, pause, count_stalls, latencies = 0.0, rng.exponential(between_s), 0, []
    for i in range(count):
        arrived, _ = heapq.heappop(waiting)
        begins = max(free, arrived)
        if begins >= pause:
            begins += stall_s
            count_stalls += 1
            pause = begins + rng.exponential(between_s)
        free = begins + service_s
        latencies.append(free - arrived)
        heapq.heappush(waiting, (free, i + depth))
    return np.array(latencies), free, free / count_stalls


def test_latency_spread_is_that_of_counted_events():
    service, stall, between = 2e-5, 0.05, 0.25
    latencies, end, interval = closed_loop(32, service, stall, between)
    assert end / interval > 20
    got = stall_exposure.latency_spread_s(
        stall, stall_interval_s=interval, queue_depth=32, iops=latencies.size / end
    )
    assert got == pytest.approx(latencies.std(), rel=0.01)
    assert stalls.implied_pause_s(
        latencies.max(), queue_depth=32, iops=1 / service
    ) == pytest.approx(stall, rel=0.01)


@given(st.floats(1e-3, 1), st.floats(0.01, 1e3), st.floats(1, 256), st.floats(10, 1e6))
def test_latency_spread_is_at_most_half_a_stall(stall_s, between_s, queue_depth, iops):
    got = stall_exposure.latency_spread_s(
        stall_s, stall_interval_s=between_s, queue_depth=queue_depth, iops=iops
    )
    assert 0 <= got <= stall_s / 2


def test_stall_probability_is_that_of_counted_seconds():
    rng = np.random.default_rng(2)
    starts = np.cumsum(rng.exponential(0.8, 100_000))
    seconds = np.unique(starts.astype(int)).size / starts[-1]
    got = stall_exposure.stall_probability(0.8)
    assert got == pytest.approx(seconds, abs=0.005)
    assert stall_exposure.stall_probability(math.inf) == 0


# Laws

depths = st.floats(1, 256)
speeds = st.floats(1e2, 1e6)
pauses = st.floats(1e-4, 1)
rooms = st.floats(0, 1e5)
pieces = st.integers(1, 64)


@given(depths, speeds, pauses, pauses)
def test_implied_pause_inverts_the_aligned_latency(queue_depth, iops, erase_s, program_s):
    latency = stalls.aligned_latency_s(queue_depth, iops=iops, erase_s=erase_s, program_s=program_s)
    got = stalls.implied_pause_s(latency, queue_depth=queue_depth, iops=iops)
    assert got == pytest.approx(erase_s + program_s, rel=1e-6)


@given(depths, speeds, pauses, pieces, rooms)
def test_implied_clean_inverts_the_blocking_latency(queue_depth, iops, clean_s, blocks, room):
    latency = stalls.blocking_latency_s(
        queue_depth, iops=iops, clean_s=clean_s, cleaned_blocks=blocks, buffer_pages=room
    )
    mean = queue_depth / iops
    assert latency >= mean * (1 - 1e-12)
    if latency > mean * (1 + 1e-9):
        got = stalls.implied_clean_s(latency, iops=iops, buffer_pages=room)
        assert got == pytest.approx(blocks * clean_s, rel=1e-9)
    else:
        assert blocks * clean_s - room / iops <= mean * (1 + 1e-9)


@given(depths, depths, speeds, pauses, pieces, rooms)
def test_a_deeper_queue_never_shortens_the_longest_latency(one, other, iops, clean_s, blocks, room):
    low, high = sorted((one, other))

    def each(depth):
        yield stalls.incremental_latency_s(depth, iops=iops, latency_cv=0.2)
        yield stalls.aligned_latency_s(depth, iops=iops, erase_s=clean_s, program_s=1e-3)
        yield stalls.blocking_latency_s(
            depth, iops=iops, clean_s=clean_s, cleaned_blocks=blocks, buffer_pages=room
        )

    assert all(a <= b for a, b in zip(each(low), each(high), strict=True))


@given(depths, speeds, pauses, pieces, rooms, rooms)
def test_worst_case_iops_rise_with_the_buffer(queue_depth, iops, clean_s, blocks, room, more):
    worst = [
        queueing.worst_case_iops(
            queue_depth,
            max_latency_s=stalls.blocking_latency_s(
                queue_depth, iops=iops, clean_s=clean_s, cleaned_blocks=blocks, buffer_pages=pages
            ),
        )
        for pages in (room, room + more)
    ]
    assert worst[0] <= worst[1] <= iops * (1 + 1e-12)


def test_a_latency_below_the_mean_is_refused():
    with pytest.raises(DomainError, match=r"^max_latency_s must be >= queue_depth / iops"):
        stalls.implied_pause_s(1e-4, queue_depth=32, iops=50e3)
