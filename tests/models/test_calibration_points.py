"""Points measured on a drive, and the posterior through them."""

import math
from itertools import pairwise

import numpy as np
import pytest

from models import calibration
from models.calibration import IopsPoint, Prior, WaPoint, calibrated
from models.errors import DomainError
from models.units import GIB
from models.write_amplification import fifo, fifo_op_ratio, greedy

NOMINAL = 1024 * GIB
FULL, PART = 894 * GIB, 596 * GIB


def curve(raw, base, cost, scale, span):
    """Write amplification and steady rate of a drive, by their definition."""
    law = fifo(raw / span - 1)
    return base * law, scale / (base * law + cost * (law - 1))


def test_the_posterior_is_that_of_weighted_draws():
    """The same posterior without a grid: drives from the prior, weighted by what they explain."""
    rng, prior = np.random.default_rng(3), Prior()
    raw = NOMINAL * rng.normal(prior.raw_ratio, prior.raw_ratio_sd, 200_000)
    base = rng.normal(prior.base_factor, prior.base_factor_sd, raw.size)
    kept = (raw > 1.01 * FULL) & (base >= 1) & (base <= 1.08)
    raw, base = raw[kept], base[kept]
    cost = prior.copy_cost * np.exp(prior.copy_cost_log_sd * rng.normal(size=raw.size))
    wa, full = curve(raw, base, cost, 1.0, FULL)
    part = curve(raw, base, cost, 1.0, PART)[1]
    points = [WaPoint(3.19, FULL), IopsPoint(94_204, FULL), IopsPoint(225_848, PART)]
    # The scale enters by the ratio of the two rates alone, whose errors add up.
    misses = np.log(3.19 / wa) ** 2 / (0.02**2 + 0.03**2)
    misses += np.log(225_848 / 94_204 * full / part) ** 2 / (2 * (0.03**2 + 0.03**2))
    weight = np.exp(-misses / 2)
    found = calibrated(points, nominal_raw_bytes=NOMINAL)
    assert found.raw_bytes == pytest.approx(np.average(raw, weights=weight), rel=2e-3)
    assert found.base_factor == pytest.approx(np.average(base, weights=weight), rel=1e-3)
    mean_log = np.average(np.log(cost), weights=weight)
    assert math.log(found.copy_cost) == pytest.approx(mean_log, abs=0.03)
    order = np.argsort(raw)
    shares = np.cumsum(weight[order]) / weight.sum()
    for q in (0.05, 0.95):
        assert found.quantile("raw_bytes", q) == pytest.approx(
            np.interp(q, shares, raw[order]), rel=2e-3
        )


def test_a_sharp_reading_is_the_inverse_of_the_law():
    exact = Prior(base_factor=1.03, base_factor_sd=1e-4, law_error=1e-3)
    found = calibrated([WaPoint(3.19, FULL, 1e-3)], nominal_raw_bytes=NOMINAL, prior=exact)
    inverse = FULL * (1 + fifo_op_ratio(3.19 / 1.03))
    assert found.raw_bytes == pytest.approx(inverse, rel=1e-3)


def test_one_steady_rate_identifies_no_curve():
    before = calibrated([], nominal_raw_bytes=NOMINAL)
    found = calibrated([IopsPoint(94_204, FULL)], nominal_raw_bytes=NOMINAL)
    assert not found.identifies_curve
    for name in ("raw_bytes", "copy_cost"):
        assert found.spread(name) == pytest.approx(before.spread(name), rel=5e-3)
    assert found.iops(FULL).typical == pytest.approx(94_204, rel=1e-9)
    assert calibrated([WaPoint(3.19, FULL)], nominal_raw_bytes=NOMINAL).identifies_curve


@pytest.mark.parametrize("seed", range(4))
def test_a_further_point_never_widens_the_interval(seed):
    raw, scatter = 1.02 * NOMINAL, np.random.default_rng(seed).normal(size=3)
    drive = (raw * (1 + 0.04 * scatter[0]), 1.03, 0.25 * math.exp(0.8 * scatter[2]))
    spans = [FULL, PART, 745 * GIB, 447 * GIB]
    points = [IopsPoint(curve(*drive, 3e5, span)[1], span) for span in spans]
    points.append(WaPoint(curve(*drive, 3e5, FULL)[0], FULL))
    widths = []
    for count in range(len(points) + 1):
        low, _, high = calibrated(points[:count], nominal_raw_bytes=NOMINAL).spread("raw_bytes")
        widths.append(high - low)
    assert all(later <= 1.03 * sooner for sooner, later in pairwise(widths))
    assert widths[-1] < 0.5 * widths[0]


def test_points_of_the_curve_are_never_printed_closer_than_the_error_of_the_law():
    spans = np.linspace(300, 890, 12) * GIB
    drive = (1.02 * NOMINAL, 1.03, 0.25)
    points = [IopsPoint(curve(*drive, 3e5, span)[1], span) for span in spans]
    found = calibrated(points, nominal_raw_bytes=NOMINAL)
    for span in spans:
        for low, typical, high in (found.iops(span), found.wa(span)):
            assert low <= max(1.0, 0.95 * typical)
            assert high >= 1.05 * typical


def test_readings_of_one_span_share_the_error_of_the_law():
    """A thousand of them tell as much as one without an error."""
    many = calibrated([WaPoint(3.19, FULL)] * 1000, nominal_raw_bytes=NOMINAL)
    sharp = calibrated([WaPoint(3.19, FULL, 0.0)], nominal_raw_bytes=NOMINAL)
    assert many.spread("raw_bytes") == pytest.approx(sharp.spread("raw_bytes"), rel=1e-3)


def test_the_law_of_small_blocks_is_taken_where_it_is_given():
    def small(op_ratio):
        return greedy(op_ratio, pages_per_block=8)

    got = calibrated([WaPoint(3.0, FULL)], nominal_raw_bytes=NOMINAL, wa_law=small)
    assert got.wa(FULL).typical == pytest.approx(
        got.base_factor * small(got.raw_bytes / FULL - 1), rel=1e-12
    )
    assert got.raw_bytes < calibrated([WaPoint(3.0, FULL)], nominal_raw_bytes=NOMINAL).raw_bytes


@pytest.mark.parametrize(
    ("points", "statement"),
    [
        ([WaPoint(0.9, FULL)], r"^wa must be >= 1, got 0.9"),
        ([WaPoint(3.0, -1.0)], r"^span_bytes must be > 0"),
        ([IopsPoint(math.inf, FULL)], r"^iops must be > 0 and finite"),
        ([WaPoint(3.0, FULL, -0.1)], r"^error must be >= 0"),
        ([WaPoint(3.0, 1400 * GIB)], r"^span_bytes must be < raw_bytes"),
        (
            [WaPoint(3.19, FULL), WaPoint(3.19, PART)],
            r"got write .* 3.19 at 596 GiB, where write .* at 894 GiB makes 1.4\d*: \+12\d % off",
        ),
        (
            [IopsPoint(94_204, FULL), IopsPoint(95_000, PART)],
            r"got 95,000 IOPS at 596 GiB, where 94,204 IOPS at 894 GiB makes 270,\d{3}: -65 % off",
        ),
        (
            [WaPoint(3.19, FULL), WaPoint(4.19, FULL)],
            r"must agree with each other, got .* -24 % off",
        ),
        ([WaPoint(1.3, FULL)], r"points must agree with 1024 GiB of flash, got .* have 2.8"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(points, statement):
    with pytest.raises(DomainError, match=statement):
        calibrated(points, nominal_raw_bytes=NOMINAL)


def test_counters_are_a_reading_with_their_rounding():
    """Every count in the interval of two rounded readings, drawn."""
    rng, unit = np.random.default_rng(1), 32 * GIB
    true_host, true_flash = 40.4 * unit, 119.7 * unit
    starts = rng.uniform(0, unit, (2, 20_000))
    host = np.floor((starts[0] + true_host) / unit) * unit
    flash = np.floor((starts[1] + true_flash) / unit) * unit
    point = calibration.counted_wa(
        flash, host_bytes=host, span_bytes=FULL, flash_unit_bytes=unit, host_unit_bytes=unit
    )
    rounding = np.sqrt(point.error**2 - 0.02**2)
    off = np.log(point.wa / (true_flash / true_host))
    assert np.std(off) < np.mean(rounding) < 2.5 * np.std(off)
    assert np.all(np.abs(off) < np.sqrt(3) * 1.05 * rounding)


def test_a_fitted_drive_is_its_curve():
    raw, base, cost = 1.05 * NOMINAL, 1.03, 0.2
    law = fifo(raw / PART - 1)
    wa, rate = curve(raw, base, cost, 3e5, PART)
    assert calibration.fitted_wa(law, base_factor=base, curve_ratio=1.0) == wa
    assert calibration.fitted_write_iops(
        law, base_factor=base, copy_cost=cost, program_iops=3e5, rate_ratio=1.0
    ) == pytest.approx(rate, rel=1e-15)


@pytest.mark.parametrize(
    ("measured", "here", "there", "expected"),
    [
        (1.89, 3.7, 3.7, 1.89),  # the same spare area
        (1.89, 3.7 * (1 + 1e-15), 3.7, 1.89),  # the same, by other sums
        (2.0, 1.5, 3.0, 1.25),  # a quarter of the copies of the full drive
        (1.5, 1.0, 1.0, 1.5),  # nothing is copied anywhere
        (0.8, 1.5, 3.0, 0.8),  # compressed: the copies are not known
    ],
)
def test_a_measured_workload_follows_the_copies(measured, here, there, expected):
    got = calibration.followed_wa(measured, modelled_wa=here, reference_wa=there)
    assert got == pytest.approx(expected, rel=1e-15)
