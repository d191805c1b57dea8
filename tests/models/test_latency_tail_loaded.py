"""Reads of a whole drive beside its writes: limits, Little's law, the simulator, laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import latency_tail, registry
from models.errors import DomainError
from models.latency_tail import FlashGeometry, FlashTimings, Operations, WriteLoad
from models.simulator.events import Config, run
from models.write_amplification import greedy

US = 1e-6
TIMES = {"read_s": 50 * US, "program_s": 700 * US, "erase_s": 4e-3, "transfer_s": 10 * US}
FLASH = FlashTimings(**TIMES, pages_per_read=4, pages_per_program=4, pages_per_block=128)
LEVELS = np.array([0.5, 0.9, 0.99, 0.999])
IDLE = WriteLoad(0.0, 1.0)


def drive(dies=16, channels=16, write_load=IDLE):
    return {"flash": FLASH, "geometry": FlashGeometry(dies, channels), "write_load": write_load}


def test_one_reader_of_an_idle_drive_sees_link_and_read():
    known = {"queue_depth": 1, "link_s": 8 * US, **drive()}
    np.testing.assert_allclose(
        latency_tail.queued_read_latency_s(LEVELS, **known), 68 * US, rtol=1e-9
    )
    assert latency_tail.queued_read_iops(**known) == pytest.approx(1 / (68 * US), rel=1e-6)


@pytest.mark.parametrize("depth", [32, 200])
def test_a_slow_link_gives_the_rate_and_holds_the_readers(depth):
    known = {"queue_depth": depth, "link_s": 100 * US, **drive(dies=64, channels=64)}
    assert latency_tail.queued_read_iops(**known) == pytest.approx(1e4, rel=1e-9)
    median = latency_tail.queued_read_latency_s(0.5, **known)
    assert median == pytest.approx(depth * 100 * US, rel=0.01)


def test_operations_of_a_die_are_those_counted_by_hand():
    """16 dies, 8 channels: 3,200 writes of 2 pages each, four to a program, 128 to a block.

    Each die programs 100 times and erases 3.125 times a second; of 200 pages moved, 3.1 to 4 are
    harvested by one read. The other die of its channel moves as much.
    """
    harvest = latency_tail.background_operations(200.0, wa=2.0, flash=FLASH).rates_per_s[1]
    pages = 200 / harvest
    transfers = Operations([1e3, 100.0, harvest], [10 * US, 40 * US, pages * 10 * US])
    shares = np.asarray(transfers.rates_per_s) * transfers.durations_s
    wait_s = np.sum(shares * transfers.durations_s) / 2 / (1 - np.sum(shares))
    background = Operations(
        [100.0, harvest, 3.125], [740 * US + wait_s, 50 * US + pages * 10 * US + wait_s, 4e-3]
    )
    expected = latency_tail.read_latency_s(
        LEVELS, die_read_iops=1e3, die_read_s=60 * US, background=background, transfers=transfers
    )
    got = latency_tail.loaded_read_latency_s(
        LEVELS, read_iops=16e3, **drive(channels=8, write_load=WriteLoad(3200.0, 2.0))
    )
    np.testing.assert_allclose(got, expected, rtol=1e-9)


@given(st.integers(2, 64), st.floats(0, 5e3), st.floats(0, 300))
@settings(max_examples=20, deadline=None)
def test_twice_the_drive_bears_twice_the_load(dies, die_reads, die_writes):
    one, several = (
        latency_tail.loaded_read_latency_s(
            LEVELS,
            read_iops=count * die_reads,
            **drive(count, count, WriteLoad(count * die_writes, 2.0)),
        )
        for count in (1, dies)
    )
    np.testing.assert_allclose(several, one, rtol=1e-9)


@pytest.mark.parametrize(("depth", "rel"), [(1, 0.01), (4, 0.02), (16, 0.02), (64, 0.02)])
def test_readers_fill_their_queue(depth, rel):
    """Little's law, the quantiles integrated over all levels: level = 1 - exp(-t)."""
    known = {"link_s": 8 * US, **drive(channels=8, write_load=WriteLoad(3e3, 2.0))}
    t = np.linspace(0, 20.5, 2001)
    quantiles = latency_tail.queued_read_latency_s(-np.expm1(-t[1:]), queue_depth=depth, **known)
    mean_s = np.trapezoid(np.append(quantiles[0], quantiles) * np.exp(-t), t)
    assert latency_tail.queued_read_iops(depth, **known) * mean_s == pytest.approx(depth, rel=rel)


def simulated(dies, channels, write_iops, readers, link_s):
    """The rate of readers and their latency, in a drive that cleans page by page."""
    pages, length_s = 60 * dies * 128 / 1.28, 50_000 * 4 * 50 * US / readers
    window_s = length_s / 10
    result = run(
        Config(
            dies=dies, channels=channels, blocks_per_die=62, pages_per_block=128,
            pages_per_program=4, op_ratio=0.28, reserve=2, buffer_pages=16 * dies,
            write_iops=write_iops, readers=readers, link_s=link_s, window_s=window_s,
            warmup_s=window_s * np.ceil(3 * pages / write_iops / window_s),
            measured_s=length_s, seed=1, **TIMES,
        )
    )  # fmt: skip
    windows = len(result.windows.start_s)
    measured = (windows - result.warmup_windows) / windows
    percentiles = np.array([result.reads.percentile(100 * level) for level in LEVELS])
    return result.reads.count / (result.end_s * measured), percentiles


@pytest.mark.parametrize(
    ("dies", "channels", "write_iops", "readers", "link_s"),
    [(16, 16, 4e3, 4, 5 * US), (16, 8, 3e3, 4, 20 * US), (8, 8, 1500.0, 2, 10 * US)],
    ids=str,
)
def test_readers_agree_with_the_simulator(dies, channels, write_iops, readers, link_s):
    """The 90th percentile lies on the step from reads that wait to those that do not."""
    rate, seen = simulated(dies, channels, write_iops, readers, link_s)
    wa = greedy(0.28, pages_per_block=128)
    known = {"link_s": link_s, **drive(dies, channels, WriteLoad(write_iops, wa))}
    got = latency_tail.queued_read_iops(readers, **known)
    assert got == pytest.approx(rate, rel=registry.CHECKED["queued_read_iops"].error)
    got = latency_tail.queued_read_latency_s(LEVELS, queue_depth=readers, **known)
    assert got[0] == pytest.approx(seen[0], rel=0.12)
    np.testing.assert_allclose(
        got[2:], seen[2:], rtol=registry.CHECKED["queued_read_latency_s"].error
    )


@pytest.mark.parametrize("depth", [4, 64])
def test_where_the_writes_leave_no_time_nothing_is_promised(depth):
    known = {"link_s": 8 * US, **drive(write_load=WriteLoad(1e5, 3.0))}
    assert latency_tail.queued_read_iops(depth, **known) == 0
    got = latency_tail.queued_read_latency_s(LEVELS, queue_depth=depth, **known)
    assert got.tolist() == [np.inf] * 4
    assert latency_tail.loaded_read_latency_s(
        0.5, read_iops=1e3, **drive(write_load=WriteLoad(1e5, 3.0))
    ) == pytest.approx(np.inf)


@given(st.sampled_from([1, 4, 16, 40]), st.floats(0, 4e3), st.floats(1.1, 2))
@settings(max_examples=15, deadline=None)
def test_more_readers_do_more_and_more_writes_take_from_them(depth, writes, factor):
    def rate(depth, writes):
        return latency_tail.queued_read_iops(
            depth, link_s=5 * US, **drive(write_load=WriteLoad(writes, 2.0))
        )

    assert rate(2 * depth, writes) > rate(depth, writes)
    assert rate(depth, factor * writes) <= rate(depth, writes) * (1 + 1e-6)


def test_loads_broadcast_with_levels():
    rates, loads = np.array([1e3, 2e4])[:, None], WriteLoad(np.array([0.0, 2e3, 4e3]), 2.0)
    got = latency_tail.loaded_read_latency_s(0.99, read_iops=rates, **drive(write_load=loads))
    assert got.shape == (2, 3)
    one = latency_tail.loaded_read_latency_s(
        0.99, read_iops=2e4, **drive(write_load=WriteLoad(4e3, 2.0))
    )
    assert got[1, 2] == pytest.approx(one, rel=1e-12)


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"queue_depth": 0}, "queue_depth"),
        ({"queue_depth": [1, 2]}, "queue_depth"),
        ({"link_s": 0.0}, "link_s"),
        ({"geometry": FlashGeometry(2.5, 1)}, "dies"),
        ({"geometry": FlashGeometry(16, 0)}, "channels"),
        ({"write_load": WriteLoad(-1.0, 2.0)}, "write_iops"),
        ({"write_load": WriteLoad(np.inf, 2.0)}, "write_iops"),
        ({"write_load": WriteLoad(1.0, 0.5)}, "wa"),
        ({"write_load": WriteLoad(1.0, [2.0, 3.0])}, "wa"),
        ({"quantile": 1.0}, "quantile"),
    ],
)
def test_names_the_argument_outside_its_domain(changed, name):
    known = {"quantile": 0.5, "queue_depth": 4, "link_s": 8 * US, **drive()} | changed
    with pytest.raises(DomainError, match=f"^{name} must be"):
        latency_tail.queued_read_latency_s(**known)
