"""Busy time and service time against a review, a count of ticks and Little's law."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import service_time
from models.errors import DomainError
from models.units import GB, MB, US
from tests.published import Printed

HEAVY = (2_168_893 + 1_783_447, (48.63 + 106.32) * GB)  # operations, bytes moved
LIGHT = (372_630 + 459_709, (17.97 + 23.25) * GB)

# AnandTech 7173, "RAPID", 840 EVO 250 GB: average data rate in MB/s and service time in us.
RAPID = [
    (HEAVY, 229.6, 1101.0),
    (HEAVY, 307.7, 247.0),
    (LIGHT, 338.3, 331.4),
    (LIGHT, 597.7, 145.4),
]


@pytest.mark.parametrize(("trace", "rate", "service"), RAPID)
def test_published_rates_and_service_times_fit_each_other(trace, rate, service):
    """A busy drive has at least one operation outstanding, and these traces few more."""
    operations, moved = trace
    busy = moved / (rate * MB)
    waited = service_time.waited_s(operations, service_s=service * US)
    assert service_time.data_rate_bytes_per_s(moved, busy_s=busy) == pytest.approx(rate * MB)
    assert 1 < service_time.busy_queue_depth(waited, busy_s=busy) < 7


def test_a_cache_that_shortens_the_queue_shortens_waiting_most():
    """The same four rows: the rate gains a third, the time waited falls to a quarter."""
    (trace, *before), (_, *after) = RAPID[:2]
    gain = 100 * (after[0] / before[0] - 1)
    assert Printed("34.0").admits(gain)
    waits = [service_time.waited_s(trace[0], service_s=row[1] * US) for row in (before, after)]
    assert waits[0] / waits[1] > 4


# PC Perspective, 850 EVO 4TB: ten reads of 200 MB; "around 5 seconds", "mid 6's" at 120 GB.
@pytest.mark.parametrize(("seconds", "megabytes"), [(5.0, "400"), (6.5, "308")])
def test_rates_of_read_bursts(seconds, megabytes):
    rate = service_time.data_rate_bytes_per_s(10 * 200 * MB, busy_s=seconds)
    assert Printed(megabytes).admits(rate / MB)


traces = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), min_size=1, max_size=30)


@given(traces)
def test_busy_time_by_counting_ticks(trace):
    begin = np.array([start for start, _ in trace])
    end = begin + [length for _, length in trace]
    ticks = {t for start, length in trace for t in range(start, start + length)}
    busy = service_time.busy_s(begin, completed_s=end)
    assert busy == len(ticks)
    mean = service_time.mean_service_s(begin, completed_s=end)
    assert mean == pytest.approx(sum(length for _, length in trace) / len(trace), abs=1e-12)
    if busy:
        waited = service_time.waited_s(len(trace), service_s=mean)
        depth = service_time.busy_queue_depth(waited, busy_s=busy)
        outstanding = [np.sum((begin <= t) & (t < end)) for t in ticks]
        assert depth == pytest.approx(np.mean(outstanding), rel=1e-9)


@given(traces, st.integers(1, 50))
def test_idle_time_does_not_count(trace, gap):
    begin = np.sort([start for start, _ in trace]).astype(float)
    apart = begin + gap * 100 * np.arange(begin.size)
    length = np.array([length for _, length in trace], float)
    assert service_time.busy_s(apart, completed_s=apart + length) == length.sum()


def test_what_is_no_trace_is_refused():
    with pytest.raises(DomainError, match=r"^completed_s must be >= submitted_s"):
        service_time.busy_s([1.0], completed_s=[0.5])
    with pytest.raises(DomainError, match=r"^completed_s must be as many"):
        service_time.mean_service_s([1.0], completed_s=[2.0, 3.0])
    with pytest.raises(DomainError, match=r"^submitted_s must be a sequence"):
        service_time.busy_s([], completed_s=[])
    with pytest.raises(DomainError, match=r"^submitted_s must be finite"):
        service_time.busy_s([np.inf], completed_s=[np.inf])
    with pytest.raises(DomainError, match=r"^waited_s must be >= busy_s"):
        service_time.busy_queue_depth(1.0, busy_s=2.0)
