"""Commits in groups against a log that is simulated flush by flush."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import latency_tail

FLUSH_S = 1e-3
LEVELS = np.array([0.3, 0.5, 0.9, 0.99, 0.999])


def logged(rate, commits=100_000, flush_s=FLUSH_S):
    """Latency of commits at random, and flushes per second, one flush after the other."""
    times = np.cumsum(np.random.default_rng(5).exponential(1 / rate, commits))
    latencies, first, end, flushes = np.empty(commits), 0, 0.0, 0
    while first < commits:
        begin = max(end, times[first])
        end = begin + flush_s
        last = max(first + 1, int(np.searchsorted(times, begin, side="right")))
        latencies[first:last] = end - times[first:last]
        first, flushes = last, flushes + 1
    return latencies, flushes / end


@pytest.mark.parametrize("load", [0.05, 0.3, 1.0, 3.0, 30.0])
def test_commits_share_flushes(load):
    latencies, flushes = logged(load / FLUSH_S)
    got = latency_tail.commit_latency_s(LEVELS, commit_iops=load / FLUSH_S, flush_s=FLUSH_S)
    np.testing.assert_allclose(got, np.quantile(latencies, LEVELS), rtol=0.01)
    rate = latency_tail.commit_flush_iops(load / FLUSH_S, flush_s=FLUSH_S)
    assert rate == pytest.approx(flushes, rel=0.01)


@given(st.floats(0, 1e7), st.floats(1e-5, 0.1), st.floats(0.001, 0.999999))
def test_a_commit_takes_one_to_two_flushes(rate, flush_s, level):
    got = latency_tail.commit_latency_s(level, commit_iops=rate, flush_s=flush_s)
    assert flush_s <= got <= 2 * flush_s
    assert latency_tail.commit_flush_iops(rate, flush_s=flush_s) <= min(rate, 1 / flush_s) * (
        1 + 1e-12
    )


def test_a_flush_of_a_protected_drive_is_an_answer():
    """Two commands, and without protection the programs of data and map."""
    both = latency_tail.flush_latency_s(15e-6, program_s=4e-4, flush_programs=[0, 2])
    np.testing.assert_allclose(both, [30e-6, 830e-6], rtol=1e-12)
