"""Readers that wait for their last read: limits, Little's law, the naive simulation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import latency_tail, registry
from models.errors import DomainError
from models.latency_tail import Operations, _closed_law
from tests import naive_read_grid as grid

US = 1e-6
READ_S = 60 * US
HOST_S = 5 * US
IDLE = Operations([], [])
BUSY = Operations([600.0, 300.0, 12.0], [740 * US, 70 * US, 4e-3])
SUSPENDED = BUSY._replace(suspend_s=[20 * US, np.inf, 100 * US], resume_s=10 * US)
LEVELS = np.array([0.1, 0.5, 0.9, 0.99, 0.999, 0.9999])


def iops(readers, dies, background=BUSY, host_s=HOST_S):
    return latency_tail.closed_read_iops(
        readers, dies=dies, die_read_s=READ_S, background=background, host_s=host_s
    )


def latency(levels, readers, dies, background=BUSY, host_s=HOST_S):
    return latency_tail.closed_read_latency_s(
        levels,
        queue_depth=readers,
        dies=dies,
        die_read_s=READ_S,
        background=background,
        host_s=host_s,
    )


def test_one_reader_of_an_idle_drive_sees_the_bare_read():
    assert iops(1, 16, IDLE) == pytest.approx(1 / (READ_S + HOST_S), rel=1e-9)
    np.testing.assert_allclose(latency(LEVELS, 1, 16, IDLE), READ_S + HOST_S, rtol=1e-12)
    assert latency_tail.closed_read_iops(
        1, dies=1, die_read_s=READ_S, background=IDLE
    ) == pytest.approx(1 / READ_S, rel=1e-9)


def test_readers_of_an_idle_drive_meet_each_other():
    """Mean wait of two readers: half a read, if the other is on the same of D dies."""
    rate = iops(2, 16, IDLE, host_s=0.0)
    wait = rate * READ_S / 16 * READ_S / 4
    assert 2 / rate == pytest.approx(READ_S + wait, rel=1e-9)


@pytest.mark.parametrize("background", [BUSY, SUSPENDED], ids=["plain", "suspended"])
@pytest.mark.parametrize(("readers", "dies"), [(1, 16), (4, 16), (8, 64)])
def test_the_rate_is_that_of_the_distribution(readers, dies, background):
    """Little's law, with the quantiles integrated over all levels, level = 1 - exp(-t)."""
    t = np.linspace(0, 20.5, 4_001)
    quantiles = latency(-np.expm1(-t[1:]), readers, dies, background)
    integral = np.trapezoid(np.append(quantiles[0], quantiles) * np.exp(-t), t)
    assert readers / integral == pytest.approx(iops(readers, dies, background), rel=1e-3)


@pytest.mark.parametrize("begun", [0, 1])
def test_readers_gather_at_a_blocked_die_one_by_one(begun):
    """Draw when each of five readers comes; count those that wait longer than said.

    A read that was there from the beginning is one of them; else one must come in time.
    """
    length, times = 100 * US, np.array([0.0, 50 * US, 120 * US, 160 * US])
    blocks = _closed_law.Blocks(*(np.array([x]) for x in (1.0, length, begun, 0.0, 0.0)))
    drive = _closed_law.Drive(5, 16, READ_S, 0.0, blocks)
    state = _closed_law.State(1e4, np.array([2000.0]))
    draws = np.random.default_rng(1).exponential(1 / 2000, (400_000, 5))
    draws[:, :begun] = 0.0
    arrivals = np.sort(draws, axis=1)
    waits = length + np.arange(5) * READ_S - arrivals
    waits[arrivals[:, 0] >= length] = 0.0
    counted = [np.count_nonzero(waits > time) / 400_000 for time in times]
    got = _closed_law._met(times, drive, state)[0]
    np.testing.assert_allclose(got, counted, rtol=0.01)


def test_reads_that_nothing_blocks_wait_for_each_other():
    """Draw how many of four others are before a read, then their residual times."""
    blocks = _closed_law.Blocks(*np.zeros((5, 0)))
    drive = _closed_law.Drive(5, 4, READ_S, 0.0, blocks)
    state = _closed_law.State(0.75 * 4 / READ_S, np.zeros(0))
    random, odds = np.random.default_rng(1), 0.75 * 0.8 * np.array([4, 3, 2, 1]) / 5
    more = random.random((400_000, 4)) < odds
    residuals = random.random((400_000, 4)) * np.cumprod(more, axis=1)
    times = READ_S * np.array([0.0, 0.5, 1.2, 2.0, 2.5])
    counted = [np.mean(residuals.sum(axis=1) * READ_S > time) for time in times]
    got = _closed_law._behind(_closed_law._sums(times, drive), drive, state, 0.8)
    np.testing.assert_allclose(got, counted, rtol=0.02, atol=1e-4)


def test_one_reader_of_very_many_dies_is_a_visitor_at_random():
    """It never comes back to a die while an operation lasts."""
    closed = latency(LEVELS, 1, 1_000_000, host_s=0.0)
    visitor = latency_tail.read_latency_s(
        LEVELS, die_read_iops=0.0, die_read_s=READ_S, background=BUSY
    )
    np.testing.assert_allclose(closed, visitor, rtol=1e-3)


@pytest.mark.parametrize(("readers", "dies"), [(1, 16), (4, 16), (8, 32)])
def test_closed_readers_leave_out_long_waits(readers, dies):
    """At the same rate of reads, users who do not wait for each other see more of them."""
    collections = Operations([0.01], [0.1])
    rate = iops(readers, dies, collections)
    visitor = {"die_read_iops": rate / dies, "die_read_s": READ_S, "background": collections}
    assert latency(0.9995, readers, dies, collections) < 5 * READ_S
    assert latency_tail.read_latency_s(0.9995, **visitor) > 45e-3


@pytest.mark.parametrize("background", [BUSY, SUSPENDED], ids=["plain", "suspended"])
def test_more_readers_do_more_and_wait_longer(background):
    rates = iops(np.array([1, 2, 4, 8, 16]), 64, background)
    assert np.all(np.diff(rates) > 0)
    assert np.all(np.diff(rates / [1, 2, 4, 8, 16]) < 0)
    waits = latency(LEVELS[:, None], np.array([1, 2, 4, 8, 16]), 64, background)
    assert np.all(np.diff(waits, axis=1) >= -1e-12)


pairs = st.lists(st.tuples(st.floats(0.01, 0.25), st.floats(1e-5, 1e-2)), min_size=1, max_size=3)
drives = st.sampled_from([(1, 4), (1, 16), (4, 16), (8, 32)])


def operations(some, **suspension):
    share, duration = np.array(some).T
    return Operations(share / duration, duration, **suspension)


@settings(max_examples=30)
@given(drives, pairs, st.sampled_from([np.inf, 20 * US, 200 * US]))
def test_percentiles_are_in_order_and_the_rate_is_below_the_idle_one(drive, some, suspend_s):
    background = operations(some, suspend_s=suspend_s, resume_s=10 * US)
    got = latency(LEVELS, *drive, background)
    assert np.all(np.diff(got) >= 0)
    assert np.all(got >= READ_S + HOST_S)
    assert 0 < iops(*drive, background) < iops(*drive, IDLE)


@settings(max_examples=20)
@given(drives, pairs, st.floats(1.1, 2), st.integers(0, 2))
def test_more_background_means_fewer_reads(drive, some, factor, which):
    more = operations(some)
    more.rates_per_s[which % len(some)] *= factor
    assert iops(*drive, more) < iops(*drive, operations(some))


def test_suspension_that_comes_after_the_end_is_none():
    late = BUSY._replace(suspend_s=BUSY.durations_s, resume_s=1.0)
    assert iops(4, 16, late) == pytest.approx(iops(4, 16), rel=1e-9)
    np.testing.assert_allclose(latency(LEVELS, 4, 16, late), latency(LEVELS, 4, 16), rtol=1e-7)


def test_splitting_an_operation_changes_nothing():
    rates, durations, *_ = BUSY
    split = Operations([rates[0] / 2, rates[0] / 2, *rates[1:]], [durations[0], *durations])
    # Readers that one half holds up are not free of the other any more: a matter of 1/dies.
    assert iops(1, 1_000_000, split) == pytest.approx(iops(1, 1_000_000), rel=1e-5)


@pytest.mark.parametrize(
    "background",
    [
        Operations([300.0], [4e-3]),
        Operations([100.0], [1e-3], 10 * US, 10e-3),  # suspended for ever
    ],
)
def test_without_a_steady_state_nothing_is_promised(background):
    assert iops(4, 16, background) == 0
    assert np.all(latency(LEVELS, 4, 16, background) == np.inf)


def test_an_unsettled_case_is_not_passed_off_as_settled(monkeypatch):
    monkeypatch.setattr(_closed_law, "_ROUNDS", 2)
    monkeypatch.setattr(_closed_law, "_settled", _closed_law._settled.__wrapped__)  # none kept
    assert iops(4, 16) == 0


def test_levels_and_drives_broadcast():
    readers, dies = np.array([1, 2, 4]), np.array([16, 32])[:, None]
    got = latency(np.array([0.5, 0.99])[:, None, None], readers, dies)
    assert got.shape == (2, 2, 3)
    assert iops(readers, dies).shape == (2, 3)
    assert got[1, 1, 2] == pytest.approx(latency(0.99, 4, 32), rel=1e-12)
    assert iops(readers, dies)[1, 2] == pytest.approx(iops(4, 32), rel=1e-12)


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"queue_depth": 0}, "queue_depth"),
        ({"queue_depth": 1.5}, "queue_depth"),
        ({"queue_depth": 33}, "queue_depth"),
        ({"dies": 0}, "dies"),
        ({"dies": np.nan}, "dies"),
        ({"die_read_s": 0.0}, "die_read_s"),
        ({"host_s": -1.0}, "host_s"),
        ({"host_s": np.inf}, "host_s"),
    ],
)
def test_names_the_argument_outside_its_domain(changed, name):
    given_ = {"queue_depth": 4, "dies": 16, "die_read_s": READ_S, "background": BUSY} | changed
    with pytest.raises(DomainError, match=f"^{name} must be"):
        latency_tail.closed_read_latency_s(0.5, **given_)
    depth = given_.pop("queue_depth")
    with pytest.raises(DomainError, match=f"^{name} must be"):
        latency_tail.closed_read_iops(depth, **given_)


TAIL_ERROR = registry.CHECKED["closed_read_latency_s"].error
RATE_ERROR = registry.CHECKED["closed_read_iops"].error


@pytest.mark.parametrize(
    "case",
    [
        grid.Case("plain", 0.7, readers=1, dies=16),
        grid.Case("plain", 0.4, readers=4, dies=16),
        grid.Case("suspend", 0.4, readers=4, dies=16),
        grid.Case("slow suspend", 0.7, readers=8, dies=32),
    ],
    ids=str,
)
def test_closed_readers_agree_with_simulation(case):
    found, noise = grid.errors(*grid.closed_case(case, 60_000))
    assert np.count_nonzero(noise[2:5] <= TAIL_ERROR) >= 2
    assert np.all(np.abs(found[2:5]) <= TAIL_ERROR + noise[2:5]), (found, noise)
    assert abs(found[-1]) <= RATE_ERROR + noise[-1]
