"""Slices fitted to percentiles: those of a known drive come back, the prior holds where not."""

import numpy as np
import pytest

from models import latency_tail
from models.errors import DomainError
from models.latency_tail import Suspension

US = 1e-6
LEVELS = np.array([0.5, 0.99, 0.999])
PRIOR = latency_tail.typical_suspension(1.2e-3, erase_s=5e-3, programs_per_block=512)
OTHER = Suspension(1.1, 1.8 * PRIOR.slice_s, 0.8, 0.6 * PRIOR.erase_slice_s, PRIOR.erasing_share)


def percentiles(loads, drive, levels=LEVELS):
    return np.array([
        latency_tail.read_latency_beside_writes_s(
            levels, load_fraction=load, unloaded_s=70 * US, suspension=drive
        )
        for load in loads
    ])  # fmt: skip


def fitted(loads, latencies_s, levels=LEVELS, prior=PRIOR):
    return latency_tail.fitted_suspension(
        loads, quantiles=levels, latencies_s=latencies_s, unloaded_s=70 * US, prior=prior
    )


def test_three_loads_give_back_the_percentiles_of_another_drive():
    drive = fitted([0.2, 0.5, 0.9], percentiles([0.2, 0.5, 0.9], OTHER))
    loads = [0.1, 0.3, 0.7, 0.95]
    before = percentiles(loads, PRIOR)[:, 1:] / percentiles(loads, OTHER)[:, 1:]
    after = percentiles(loads, drive)[:, 1:] / percentiles(loads, OTHER)[:, 1:]
    assert np.abs(np.log(before)).max() > 0.4
    assert np.abs(np.log(after)).max() < 0.1


def test_a_measurement_that_agrees_changes_nothing():
    drive = fitted([0.2, 0.8], percentiles([0.2, 0.8], PRIOR))
    np.testing.assert_allclose(drive, PRIOR, rtol=2e-3)


def test_one_percentile_moves_the_slices_towards_it():
    measured = percentiles([0.3], OTHER, [0.99])
    drive = fitted([0.3], measured, [0.99])
    assert drive.slice_s > 1.3 * PRIOR.slice_s
    before, after = (percentiles([0.3], each, [0.99]) for each in (PRIOR, drive))
    assert abs(np.log(after / measured)) < 0.25 * abs(np.log(before / measured))


def test_a_percentile_below_all_waits_says_next_to_nothing():
    drive = fitted([0.05], [[70 * US]], [0.5])
    np.testing.assert_allclose(drive, PRIOR, rtol=1e-6)


@pytest.mark.parametrize(
    ("statement", "loads", "levels", "latencies"),
    [
        ("load_fractions", [0.0], [0.99], [[1e-4]]),
        ("quantile", [0.5], [1.0], [[1e-4]]),
        ("latencies_s", [0.5], [0.99], [[0.0]]),
        ("latencies_s", [0.5, 0.6], [0.99], [[1e-4]]),
    ],
)
def test_names_what_is_wrong_with_a_measurement(statement, loads, levels, latencies):
    with pytest.raises(DomainError, match=rf"^{statement} must be"):
        fitted(loads, latencies, levels)
