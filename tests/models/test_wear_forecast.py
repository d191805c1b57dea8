"""Inverse Gaussian first passage against scipy, against walks that are walked, and its laws."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import invgauss

from models import registry, wear_forecast
from models.errors import DomainError
from models.units import DAY_S, GB, TB, YEAR_S
from models.wear_forecast import futures
from models.wear_forecast._writes import SLOW, SLOW_WEIGHTS, blocks_of

KNOWN = {"distance_bytes": 50 * TB, "host_bytes_per_s": 100 * GB / DAY_S, "dispersion_bytes": TB}
ERROR = registry.CHECKED["first_passage_s"].error
QUANTILES = np.array([0.001, 0.05, 0.5, 0.95, 0.999])

distances = st.floats(1e10, 1e16)
rates = st.floats(1e3, 1e9)
lumps = st.floats(0.003, 30)


def law(distance_bytes, host_bytes_per_s, dispersion_bytes):
    """The same law by scipy: mean L/mu, shape L^2/(b mu)."""
    mean = distance_bytes / host_bytes_per_s
    shape = distance_bytes**2 / (dispersion_bytes * host_bytes_per_s)
    return invgauss(mean / shape, scale=shape)


@given(distances, rates, lumps)
def test_the_law_is_the_inverse_gaussian(distance_bytes, host_bytes_per_s, share):
    known = {
        "distance_bytes": distance_bytes, "host_bytes_per_s": host_bytes_per_s,
        "dispersion_bytes": share * distance_bytes,
    }  # fmt: skip
    expected = law(**known)
    times = wear_forecast.first_passage_s(QUANTILES, **known)
    np.testing.assert_allclose(times, expected.ppf(QUANTILES), rtol=1e-7)
    middle = expected.mean() * np.array([0.3, 1.0, 2.5])
    found = wear_forecast.first_passage_probability(middle, **known)
    np.testing.assert_allclose(found, expected.cdf(middle), rtol=1e-9, atol=1e-14)


def test_walks_that_are_walked_arrive_when_the_law_says():
    """20,000 random walks of independent days; a day's step is small against the distance."""
    rng = np.random.default_rng(1)
    mean, spread, distance, days = 100 * GB, 300 * GB, 50 * TB, 2_000
    arrived = np.empty(20_000)
    for chunk in range(0, arrived.size, 2_000):
        walks = np.cumsum(rng.normal(mean, spread, (2_000, days)), axis=1)
        arrived[chunk : chunk + 2_000] = (walks >= distance).argmax(axis=1) + 1
    known = {"distance_bytes": distance, "host_bytes_per_s": mean / DAY_S,
             "dispersion_bytes": spread**2 / mean}  # fmt: skip
    assert registry.CHECKED["first_passage_s"].ranges == {"quantile": (0.05, 0.95)}
    expected = wear_forecast.first_passage_s([0.05, 0.5, 0.95], **known) / DAY_S
    np.testing.assert_allclose(np.quantile(arrived, [0.05, 0.5, 0.95]), expected, rtol=ERROR)


@given(st.floats(0.001, 0.999), distances, rates, lumps)
def test_the_time_and_the_probability_invert_each_other(quantile, distance, rate, share):
    known = {"distance_bytes": distance, "host_bytes_per_s": rate,
             "dispersion_bytes": share * distance}  # fmt: skip
    time_s = wear_forecast.first_passage_s(quantile, **known)
    back = wear_forecast.first_passage_probability(time_s, **known)
    assert back == pytest.approx(quantile, rel=1e-9)


def test_writes_that_hardly_vary_end_on_the_day():
    steady = wear_forecast.first_passage_s([0.05, 0.95], **KNOWN | {"dispersion_bytes": 1.0})
    np.testing.assert_allclose(steady, 500 * DAY_S, rtol=1e-5)


def test_what_is_not_known_widens_the_dates_and_one_draw_is_no_mixture():
    alone = wear_forecast.first_passage_s([0.05, 0.5, 0.95], **KNOWN)
    one = wear_forecast.mixed_first_passage_s([0.05, 0.5, 0.95], **KNOWN)
    np.testing.assert_allclose(one, alone, rtol=1e-12)
    several = KNOWN | {"distance_bytes": np.array([30, 50, 70]) * TB}
    early, _, late = wear_forecast.mixed_first_passage_s([0.05, 0.5, 0.95], **several)
    assert early < alone[0] < alone[2] < late
    chance = wear_forecast.mixed_first_passage_probability(early, **several)
    assert chance == pytest.approx(0.05, rel=1e-9)


def test_dispersion_is_the_variance_over_the_mean_of_equal_blocks():
    rng = np.random.default_rng(2)
    written = rng.gamma(2.0, 50e9, 400)
    found = wear_forecast.dispersion_bytes(written, interval_s=DAY_S)
    assert found == pytest.approx(np.var(written, ddof=1) / written.mean(), rel=1e-12)
    assert wear_forecast.dispersion_bytes([5e9, 5e9, 5e9], interval_s=DAY_S) == 0


def test_a_history_may_begin_idle_but_must_write():
    """3 TB in three weeks, none of it in the first: rates of 0, 1 and 2 means."""
    weeks = 7 * DAY_S * np.arange(4)
    blocks = blocks_of([0, 0, TB, 3 * TB], times_s=weeks)
    assert blocks.rate == pytest.approx([0, 1, 2])
    assert blocks.mean_rate == pytest.approx(TB / (7 * DAY_S))
    with pytest.raises(DomainError, match="host_bytes must be one for each of times_s, and rising"):
        blocks_of([TB] * 4, times_s=weeks)


def test_blocks_of_unequal_length_are_weighted():
    """Sums over one to five independent days tell the variance of a day."""
    rng = np.random.default_rng(3)
    lengths = rng.integers(1, 6, 4_000)
    written = rng.normal(100e9 * lengths, 20e9 * np.sqrt(lengths))
    found = wear_forecast.dispersion_bytes(written, interval_s=lengths * DAY_S)
    assert found == pytest.approx(20e9**2 / 100e9, rel=0.05)


def test_the_variance_that_blocks_of_28_days_miss_is_put_back():
    """An AR(1) series of 0.9: its long-run variance is 19 times that of a day.

    Blocks of 28 days show two thirds of it; extrapolated from blocks of 7 days, most.
    """
    rng, correlation, days = np.random.default_rng(4), 0.9, 28 * 4_000
    noise = rng.normal(0, np.sqrt(1 - correlation**2), days)
    series = np.empty(days)
    state = 0.0
    for day in range(days):
        state = correlation * state + noise[day]
        series[day] = state
    written = 100e9 + 5e9 * series
    true = 19 * 5e9**2 / 100e9
    long, short = (
        wear_forecast.dispersion_bytes(
            written.reshape(-1, block).sum(axis=1), interval_s=block * DAY_S
        )
        for block in (28, 7)
    )
    assert long / true == pytest.approx(0.68, abs=0.03)
    whole = wear_forecast.long_run_dispersion_bytes(
        long, short_dispersion_bytes=short, block_ratio=4
    )
    assert whole / true == pytest.approx(0.81, abs=0.04)


def test_two_blocks_have_a_dispersion():
    """One and three bytes in a second each: a variance of 2 over a rate of 2."""
    assert wear_forecast.dispersion_bytes([1.0, 3.0], interval_s=1.0) == 1.0


def test_a_short_history_is_said_to_be_short():
    """Ten weeks and a half of even writes by day; of two years nobody says so."""
    for days, is_short in ((74, True), (730, False)):
        times = np.arange(0, days, 1.0) * DAY_S
        life = wear_forecast.remaining_life(times * 1e6, times, 20, 40, seed=1)
        assert ("they rest on 10 weeks" in " ".join(life.warnings)) == is_short
        assert ("they rest on" in " ".join(life.warnings)) == is_short


@pytest.mark.parametrize(
    ("call", "statement"),
    [
        (lambda: wear_forecast.dispersion_bytes([1.0], interval_s=1.0), "written_bytes must be of"),
        (lambda: wear_forecast.dispersion_bytes([0.0, 0.0], interval_s=1.0), "written_bytes must"),
        (lambda: wear_forecast.first_passage_s(1.0, **KNOWN), "quantile must be in"),
        (lambda: wear_forecast.mixed_first_passage_s(1.0, **KNOWN), "quantile must be in"),
        (
            lambda: wear_forecast.first_passage_s(0.5, **KNOWN | {"distance_bytes": np.inf}),
            "distance_bytes must be > 0 and finite",
        ),
    ],
)
def test_what_no_law_holds_for_is_refused(call, statement):
    with pytest.raises(DomainError, match=statement):
        call()


def test_points_left_follow_the_points_used():
    """T4: an MX500 at 138 to 390 GB a point has 13 to 37 TB left at 6 % used, and not 174."""
    left = wear_forecast.points_left_bytes(94, host_bytes=np.array([138, 390]) * GB, points_used=1)
    np.testing.assert_allclose(left / TB, [12.97, 36.66], rtol=1e-3)


def histories(drives, weeks, seed):
    rng = np.random.default_rng(seed)
    slow = np.cumsum(0.15 * rng.standard_normal((drives, weeks)), axis=1)
    written = np.exp(slow) * rng.gamma(10, 70 * GB / 10, (drives, weeks))
    return written, rng.integers(2, 20, drives), rng.integers(5, 90, drives)


@pytest.mark.parametrize("weeks", [13, 40])
def test_many_drives_at_once_are_as_each_by_itself(weeks):
    """Draws of one drive have a standard error of 3 to 5 % at the ends."""
    written, used, left = histories(16, weeks, seed=weeks)
    quantiles = [0.05, 0.5, 0.95]
    far = wear_forecast.distances_bytes(written.sum(axis=1), points_used=used, points_left=left)
    together = wear_forecast.remaining_lives(
        quantiles, written_bytes=written, interval_s=7 * DAY_S, distance_bytes=far
    )
    times = np.arange(weeks + 1) * 7 * DAY_S
    apart = [
        wear_forecast.remaining_life(
            np.append(0, np.cumsum(bytes_)), times, n, p, seed=1
        ).quantile(quantiles)
        for bytes_, n, p in zip(written, used, left, strict=True)
    ]  # fmt: skip
    off = together / np.transpose(apart) - 1
    assert np.all(np.abs(off).mean(axis=1) < [0.08, 0.06, 0.08])
    assert np.abs(off).max() < 0.25


def test_lives_of_many_drives_scale_with_their_units_and_do_not_depend_on_each_other():
    written, used, left = histories(40, 15, seed=2)
    far = wear_forecast.distances_bytes(written.sum(axis=1), points_used=used, points_left=left)
    far[7] = 0.0

    def lives(rows, scale=1.0, time=1.0):
        return wear_forecast.remaining_lives(
            [0.05, 0.5, 0.95], written_bytes=scale * written[rows], interval_s=7 * DAY_S * time,
            distance_bytes=scale * far[rows],
        )  # fmt: skip

    every = np.arange(40)
    whole = lives(every)
    assert np.all(whole[:, 7] == 0)
    others = np.delete(whole, 7, axis=1)
    assert np.all(np.diff(others, axis=0) > 0)
    np.testing.assert_allclose(lives(every, scale=1e6), whole, rtol=1e-4)
    np.testing.assert_allclose(lives(every[::-1])[:, ::-1], whole, rtol=1e-4)  # single precision
    np.testing.assert_allclose(lives(every[3:4]), whole[:, 3:4], rtol=1e-4)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"distance_bytes": np.ones((2, 5))}, "distance_bytes must be rows of 32"),
        ({"written_bytes": np.zeros((2, 9))}, "written_bytes must be two columns or more"),
        ({"written_bytes": np.ones((2, 1))}, "written_bytes must be two columns or more"),
        ({"quantile": 1.0}, "quantile must be in"),
        ({"interval_s": 0.0}, "interval_s must be > 0"),
    ],
)
def test_lives_of_many_drives_refuse_what_they_cannot_use(changed, sentence):
    known = {
        "quantile": 0.5, "written_bytes": np.ones((2, 9)), "interval_s": DAY_S,
        "distance_bytes": np.ones((2, 32)),
    }  # fmt: skip
    with pytest.raises(DomainError, match=sentence):
        wear_forecast.remaining_lives(**known | changed)


def test_what_is_believed_of_the_slow_part_before_any_reading_adds_up_to_one():
    assert math.fsum(SLOW_WEIGHTS) == pytest.approx(1, abs=1e-15)
    assert SLOW_WEIGHTS.shape == SLOW.shape


def paths(steps, *, draws=200_000, seed=4, **known):
    """Draw paths, all of one kind, and what they start from."""
    rng = np.random.default_rng(seed)
    alike = {
        "rate": 1.0, "constant_s": 112 * DAY_S, "slow_sd": 0.0, "noise_sd": 0.0, "growth": 0.0
    } | known  # fmt: skip
    columns = {name: np.full(draws, value) for name, value in alike.items()}
    start = futures._Starts(slow=rng.standard_normal(draws), **columns)
    return start, futures._paths(start, steps, rng)


@pytest.mark.parametrize("constant_days", [28, 112, 448])
def test_paths_of_a_level_that_stays_keep_the_mean_of_a_log_normal_rate(constant_days):
    """At every step that of the slow part, whatever the noise: 200,000 paths, 0.2 % off."""
    known = {"constant_s": constant_days * DAY_S, "slow_sd": 0.8, "noise_sd": 0.3}
    _, drawn = paths(np.full(10, 28 * DAY_S), **known)
    np.testing.assert_allclose(np.exp(drawn).mean(axis=1), np.exp(0.8**2 / 2), rtol=0.01)


@pytest.mark.parametrize("constant_days", [14, 112, 448])
def test_paths_vary_together_as_means_of_an_ornstein_uhlenbeck_process(constant_days):
    """Variances and covariances of its means over equal intervals, in closed form."""
    _, drawn = paths(np.full(5, 28 * DAY_S), constant_s=constant_days * DAY_S, slow_sd=0.8)
    ratio, apart = 28 / constant_days, np.arange(5)
    known = (math.expm1(-ratio) / ratio) ** 2 * np.exp(-(apart - 1.0) * ratio)
    known[0] = 2 * (ratio + math.expm1(-ratio)) / ratio**2
    expected = 0.8**2 * known[np.abs(np.subtract.outer(apart, apart))]
    np.testing.assert_allclose(np.cov(drawn), expected, rtol=0.01, atol=0.006)


def test_noise_of_weeks_averages_out_and_takes_nothing_from_the_mean_rate():
    """The mean of h weeks has a variance of one h-th: 200,000 paths, 0.3 % off."""
    weeks = np.array([1.0, 4, 9, 16])
    _, drawn = paths(weeks * 7 * DAY_S, noise_sd=0.6)
    np.testing.assert_allclose(np.cov(drawn).diagonal(), 0.36 / weeks, rtol=0.02)
    np.testing.assert_allclose(np.exp(drawn).mean(axis=1), 1, rtol=0.01)


@pytest.mark.parametrize("growth", [-0.2, 0.0, 0.3, 1.0])
def test_paths_without_noise_end_when_the_integral_of_the_growing_rate_says(growth):
    """Rates of 2 exp(g t) have written a distance d at ln(1 + g d / 2) / g.

    Within a step of length h the rate is its mean, by which the end is off by g h^2/8 at most.
    """
    years = np.array([0.1, 0.5, 1.3, 2.9])
    start, drawn = paths(futures._steps(YEAR_S), draws=4, rate=2.0, growth=growth)
    ends = futures._passing(start, futures._steps(YEAR_S), drawn, years * YEAR_S)
    expected = np.log1p(growth * years / 2) / growth if growth else years / 2
    step = np.maximum(28 * DAY_S / YEAR_S, expected / 10)
    off = np.abs(ends / YEAR_S - expected)
    assert np.all(off <= abs(growth) * step**2 / 8 + 3e-4 * expected)


@pytest.mark.parametrize("life_days", [0.0, 46, 47, 100, 365, 1e4, 1e9])
def test_steps_grow_to_a_tenth_of_the_time_passed_and_reach_six_lives(life_days):
    """The least number of them that does, at least 40 weeks, at most 6,000 years."""
    steps = futures._steps(life_days * DAY_S) / DAY_S
    np.testing.assert_array_equal(steps[:10], 28.0)
    passed = np.cumsum(steps)
    np.testing.assert_allclose(steps[10:], (passed[9:-1] + 28) / 10, rtol=1e-12)
    wanted = 6 * min(life_days, 1000 * YEAR_S / DAY_S)
    if wanted <= 280:
        assert steps.size == 10
    else:
        assert max(wanted, 1.1 * wanted - 28 - 1e-6) <= passed[-1] < 1.21 * wanted - 28


def test_a_level_holds_as_much_longer_as_it_has_held_with_a_probability_of_one_half():
    """Two years have passed: it holds for t more with 2/(2 + t), then moves by a factor of two."""
    steps, draws = np.array([0.5, 0.5, 1.0, 2.0, 12.0]) * YEAR_S, 100_000
    rng = np.random.default_rng(5)
    moved = futures._level_changes(steps, draws, 2 * YEAR_S, rng)
    held = np.logical_and.accumulate(moved == 0, axis=0).mean(axis=1)
    np.testing.assert_allclose(held, [0.8, 2 / 3, 1 / 2, 1 / 3, 1 / 9], atol=0.006)
    for at_step in moved:
        assert at_step[at_step != 0].std() == pytest.approx(0.7, rel=0.02)


def test_levels_one_after_the_other_have_nothing_in_common():
    often = futures._level_changes(np.full(4, YEAR_S), 100_000, 1.0, np.random.default_rng(6))
    np.testing.assert_allclose(np.cov(often), 0.49 * np.eye(4), atol=0.01)


def test_other_evidence_leaves_the_draws_whose_distance_it_allows():
    """Both limits are allowed; of the futures without changes the same; all if none is left."""
    known = {"end_s": np.arange(5.0), "weeks": 26.0, "blocks": 26, "warnings": ()}
    unchanged = wear_forecast.Draws(**known, distance_bytes=np.arange(5.0), steady=True)
    life = replace(unchanged, end_s=2 * known["end_s"], steady=False, unchanged=unchanged)
    some = life.within(1.0, 3.0)
    np.testing.assert_array_equal(some.end_s, [2, 4, 6])
    np.testing.assert_array_equal(some.distance_bytes, [1, 2, 3])
    np.testing.assert_array_equal(some.unchanged.end_s, [1, 2, 3])
    assert unchanged.within(1.0, 3.0).unchanged is None
    assert life.within(1.2, 1.8) is life
    np.testing.assert_array_equal(unchanged.probability([-1.0, 1.0, 2.5, 4.0]), [0, 0.4, 0.6, 1])
    assert not life.is_rough
    assert replace(life, weeks=25.9).is_rough


def test_a_trend_is_named_with_the_date_that_it_would_give():
    """Two years of writes that double each year, and four years left at their middle level."""
    times = np.arange(0, 2 * 365.25 + 1, 7) * DAY_S
    written = 1e15 * np.expm1(math.log(2) * times / YEAR_S)
    (statement,) = futures.warnings_of(written, times, 4 * YEAR_S)
    percent, years = map(
        float, re.findall(r"trend of \+(\d+) %.*come after ([\d.]+) ", statement)[0]
    )
    assert percent == pytest.approx(100, abs=2)
    assert years == pytest.approx(math.log2(1 + math.log(2) * 4 / 2), abs=0.06)
    even = futures.warnings_of(1e9 * times, times, 4 * YEAR_S)
    assert even == ()
