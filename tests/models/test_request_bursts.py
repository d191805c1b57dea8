"""Bursts of requests: depths against draws, shared bursts against an event by event run."""

import numpy as np
import pytest

from models import request_bursts


def test_quantile_is_that_of_draws():
    """Depths with a geometric tail of the published share alone and mean."""
    rng, alone, mean = np.random.default_rng(3), 0.59, 4.625
    further = (mean - alone) / (1 - alone) - 1
    depths = np.where(rng.random(10**6) < alone, 1, 1 + rng.geometric(1 / further, 10**6))
    assert depths.mean() == pytest.approx(mean, rel=0.01)
    found = request_bursts.depth_quantile(0.99, alone_fraction=alone, mean_depth=mean)
    assert found == pytest.approx(np.quantile(depths, 0.99), abs=1.01)


def by_events(burst_s, other_s, cycle_s, share, rng):
    """Time of one burst beside the other stream, from a random moment of its cycle."""
    since = rng.uniform(0, cycle_s)
    left, other, until = burst_s, max(other_s - since, 0.0), cycle_s - since
    now = 0.0
    while left > 1e-12:
        pace = 1 - share if other > 0 else 1.0
        step = min(left / pace, until, other / share if other > 0 else np.inf)
        left -= step * pace
        other = max(other - step * share, 0.0) if other > 0 else 0.0
        other = 0.0 if other < 1e-12 else other
        now, until = now + step, until - step
        if until < 1e-12:
            other, until = other + other_s, cycle_s
    return now


@pytest.mark.parametrize(
    ("burst_s", "other_s", "cycle_s", "share"),
    [(0.37, 0.08, 2, 0.5), (0.5, 0.5, 2, 0.5), (1.5, 0.3, 2, 0.5), (0.37, 0.08, 2, 0.8)],
)
def test_shared_burst_is_that_of_events(burst_s, other_s, cycle_s, share):
    rng = np.random.default_rng(7)
    drawn = [by_events(burst_s, other_s, cycle_s, share, rng) for _ in range(4000)]
    found = request_bursts.shared_burst_s(
        burst_s, other_burst_s=other_s, cycle_s=cycle_s, other_share=share
    )
    assert found == pytest.approx(np.mean(drawn), rel=0.01)
