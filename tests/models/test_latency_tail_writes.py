"""Writes behind a buffer: flat below saturation, the queue's law above, stalls as they show."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from models import latency_tail, queueing
from models.errors import DomainError
from tests import naive_buffer

FLAT = 20e-6
rates = st.floats(1e2, 1e6)
depths = st.integers(1, 1024)


def usual(offered_iops, write_iops=50e3, queue_depth=32):
    return latency_tail.buffered_write_latency_s(
        offered_iops, write_latency_s=FLAT, write_iops=write_iops, queue_depth=queue_depth
    )


def longest(offered_iops, stall_s, buffer_pages, write_iops=17e3, queue_depth=32):
    return latency_tail.longest_buffered_write_latency_s(
        offered_iops,
        write_latency_s=FLAT,
        write_iops=write_iops,
        queue_depth=queue_depth,
        stall_s=stall_s,
        buffer_pages=buffer_pages,
    )


@given(rates, st.floats(0.0, 0.999999), depths)
def test_latency_does_not_grow_with_the_load_below_saturation(write_iops, share, depth):
    assert usual(max(1e-9, share * write_iops), write_iops, depth) == FLAT


@given(rates, st.floats(1.0, 10.0), depths)
def test_the_queue_of_a_saturated_test_obeys_littles_law(write_iops, share, depth):
    got = usual(share * write_iops, write_iops, depth)
    law = queueing.latency_s(depth, iops=write_iops)
    assert got == pytest.approx(max(law, FLAT), rel=1e-12)
    assert usual(np.inf, write_iops, depth) == got


def at_random(count, rate):
    return np.cumsum(np.random.default_rng(1).exponential(1 / rate, count)).tolist()


STALLS = [(float(begin), begin + 0.348) for begin in range(1, 10)]


# A single server with random service would have 20 us / (1 - 0.95) at the median here.
@pytest.mark.parametrize("load", [0.25, 0.5, 0.75, 0.95])
def test_a_buffer_keeps_the_queue_of_the_flash_from_the_host(load):
    waits = naive_buffer.open_latencies_s(
        at_random(100_000, load * 50e3), write_iops=50e3, buffer_pages=1024
    )
    assert usual(load * 50e3) == FLAT + waits.max()


def test_a_full_queue_in_front_of_a_full_buffer_waits_for_its_turn():
    waits = naive_buffer.closed_latencies_s(
        50_000, queue_depth=32, write_iops=50e3, buffer_pages=1024
    )
    assert usual(np.inf) == pytest.approx(waits[5_000:].mean(), rel=1e-3)


@pytest.mark.parametrize("buffer_pages", [512, 1024, 2048, 2600])
def test_the_longest_latency_is_what_the_buffer_leaves_of_a_stall(buffer_pages):
    """Writes of one page each, 125 us apart: the time to fill the buffer is known to one."""
    waits = naive_buffer.open_latencies_s(
        (np.arange(80_000) / 8e3).tolist(),
        write_iops=17e3,
        buffer_pages=buffer_pages,
        stalls=STALLS,
    )
    assert longest(8e3, 0.348, buffer_pages) == pytest.approx(waits.max() + FLAT, abs=200e-6)


@pytest.mark.parametrize("buffer_pages", [512, 1024, 2048])
def test_writes_at_random_see_the_same_in_the_mean_over_stalls(buffer_pages):
    arrivals = at_random(80_000, 8e3)
    waits = naive_buffer.open_latencies_s(
        arrivals, write_iops=17e3, buffer_pages=buffer_pages, stalls=STALLS
    )
    second = np.array(arrivals).astype(int)
    each = [waits[second == begin].max() for begin in range(1, 10)]
    noise = np.std(each) / np.sqrt(len(each))
    assert longest(8e3, 0.348, buffer_pages) == pytest.approx(np.mean(each), abs=4 * noise)


def test_a_buffer_of_the_stall_times_the_rate_hides_it():
    waits = naive_buffer.open_latencies_s(
        at_random(80_000, 8e3), write_iops=17e3, buffer_pages=4096, stalls=STALLS
    )
    assert waits.max() == 0
    assert longest(8e3, 0.348, 8e3 * 0.348) == pytest.approx(FLAT, rel=1e-9)
    assert longest(8e3, 0.348, 4096) == FLAT
    assert longest(8e3, 0.348, 0) == pytest.approx(0.348 + FLAT, rel=1e-12)


def test_a_saturated_host_fills_the_buffer_at_the_rate_of_the_flash():
    got = longest(np.inf, 0.348, 1024)
    assert got == pytest.approx(0.348 - 1024 / 17e3 + FLAT, rel=1e-12)
    assert longest(1e9, 0.348, 1024) == got
    assert longest(np.inf, 0.01, 4096) == usual(np.inf, 17e3)


@given(rates, st.floats(0.1, 3.0), st.floats(1e-3, 1.0), st.floats(0, 1e5))
def test_the_longest_is_never_shorter_than_the_usual(write_iops, load, stall_s, buffer_pages):
    got = longest(load * write_iops, stall_s, buffer_pages, write_iops)
    assert got >= usual(load * write_iops, write_iops)
    assert got <= stall_s + usual(load * write_iops, write_iops)


def stalled(levels, offered_iops, buffer_pages, write_iops=17e3, queue_depth=32, stall_s=0.348):
    path = latency_tail.WritePath(FLAT, write_iops, buffer_pages, stall_s, 1.0)
    return latency_tail.buffered_write_quantile_s(
        levels, offered_iops=offered_iops, queue_depth=queue_depth, path=path
    )


@pytest.mark.parametrize("load", [4e3, 8e3, 10e3])
def test_writes_behind_a_stall_wait_until_the_flash_has_made_up_for_it(load):
    """Writes at even distances, stalls once a second; the first second has none."""
    count = int(10 * load)
    waits = naive_buffer.open_latencies_s(
        (np.arange(count) / load).tolist(), write_iops=17e3, buffer_pages=512, stalls=STALLS
    )[int(load) :]
    for level in (0.3, 0.6, 0.8, 0.95, 0.999):
        seen = FLAT + np.quantile(waits, level)
        assert stalled(level, load, 512) == pytest.approx(seen, abs=2e-3)


def test_the_last_quantile_is_the_longest_latency():
    assert stalled(1 - 1e-9, 8e3, 1024) == pytest.approx(longest(8e3, 0.348, 1024), rel=1e-6)


def test_in_a_saturated_test_each_stall_holds_up_the_whole_queue():
    rate = 17e3 * (1 - 0.348)
    share = 32 / rate
    usual_s = 32 / 17e3
    assert stalled(1 - share * 1.01, np.inf, 0.0) == pytest.approx(usual_s, rel=1e-12)
    assert stalled(1 - share * 0.99, np.inf, 0.0) == pytest.approx(usual_s + 0.348, rel=1e-12)


def test_without_stalls_writes_are_as_fast_as_the_buffer():
    path = latency_tail.WritePath(FLAT, 17e3)
    got = latency_tail.buffered_write_quantile_s(
        [0.5, 0.9999], offered_iops=16e3, queue_depth=32, path=path
    )
    np.testing.assert_array_equal(got, FLAT)


def bounded(levels, offered_iops, queue_depth):
    path = latency_tail.WritePath(FLAT, 17e3, 0.0, 0.02, 1.0)
    return latency_tail.bounded_write_quantile_s(
        levels, offered_iops=offered_iops, queue_depth=queue_depth, path=path
    )


def windowed(offered_iops, queue_depth, seconds=12):
    """Latency of writes at even distances from a host that leaves so many outstanding at most."""
    done, latencies = [], []
    for number in range(int(seconds * offered_iops)):
        sent = number / offered_iops
        if number >= queue_depth:
            sent = max(sent, done[number - queue_depth])
        served = max(sent, done[-1] if done else 0.0) + 1 / 17e3
        if served % 1.0 < 0.02:  # the flash stalls at the beginning of each second
            served = served // 1.0 + 0.02
        done.append(served)
        latencies.append(served - sent)
    return np.array(latencies) + FLAT


@pytest.mark.parametrize("load", [0.3, 0.8])
def test_a_host_of_few_writes_waits_once_a_stall_for_all_of_them(load):
    seen = windowed(load * 17e3, 32)
    held = 32 / (load * 17e3)  # share of the writes that a stall finds outstanding
    for late in (0.5 * held, 0.9 * held):
        assert bounded(1 - late, load * 17e3, 32) == pytest.approx(
            np.quantile(seen, 1 - late), rel=0.1
        )
    backlog = 0.02 / (1 - load)
    for late in (1.2 * held, 0.8 * backlog):
        assert bounded(1 - late, load * 17e3, 32) == pytest.approx(
            np.quantile(seen, 1 - late), rel=0.1
        )
    assert bounded(1 - 1.2 * backlog, load * 17e3, 32) == FLAT


def test_a_queue_that_holds_what_arrives_in_a_stall_is_no_bound():
    levels = [0.5, 0.9, 0.99, 0.999]
    path = latency_tail.WritePath(FLAT, 17e3, 0.0, 0.02, 1.0)
    free = latency_tail.buffered_write_quantile_s(
        levels, offered_iops=8e3, queue_depth=200, path=path
    )
    np.testing.assert_array_equal(bounded(levels, 8e3, 200), free)


@given(st.floats(0.01, 0.97), st.floats(0.01, 0.97), st.floats(0.01, 150))
@example(0.9, 0.25, 17e3 * 0.25 / 256)
def test_a_bounded_host_never_waits_less_for_more_writes(one, other, late):
    """Of its writes a second the same number is late; a share of more writes is more of them."""
    few, many = sorted((one, other))
    at_few, at_many = (bounded(1 - late / (load * 17e3), load * 17e3, 32) for load in (few, many))
    assert at_few <= at_many * (1 + 1e-9)


def test_stalls_leave_half_of_the_time_at_least():
    assert stalled(0.5, 8e3, 0.0, stall_s=0.5) >= FLAT
    with pytest.raises(DomainError, match=r"^stall_interval_s must be >= 2 stall_s, got 1$"):
        stalled(0.5, 8e3, 0.0, stall_s=0.6)
