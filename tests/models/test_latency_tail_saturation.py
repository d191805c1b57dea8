"""Writes that may be more than a drive takes: two states, and what lies between them."""

import math

import numpy as np
import pytest
from scipy import stats

from models import latency_tail
from models.errors import DomainError
from models.latency_tail import FlashGeometry, FlashTimings, ReadLoad, WriteLoad, WriteTimes

US = 1e-6
LEVELS = np.array([0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999])
LIMIT = {"limit_ratio": 1.07, "limit_sd": 0.08}
QUEUE = {"queue_depth": 448, "limit_iops": 75e3}

between = latency_tail.read_latency_through_limit_s
saturated = latency_tail.saturated_read_latency_s


def below(load, levels=LEVELS, unloaded_s=65 * US):
    return latency_tail.typical_read_latency_s(
        levels, load_fraction=load, unloaded_s=unloaded_s,
        write_times=WriteTimes(1170 * US, 3.5e-3, 512), read_load=ReadLoad(5e3, 16, 45 * US),
    )  # fmt: skip


def through(load, *, levels=LEVELS, depth=448, unloaded_s=65 * US, steady=70e3):
    """Percentiles of reads at a load of a drive, through its limit."""
    limit = latency_tail.write_limit_iops(0.5, steady_write_iops=steady, **LIMIT)
    probability = latency_tail.saturation_probability(
        load * steady, limit_iops=limit, limit_sd=LIMIT["limit_sd"]
    )
    return between(levels, unsaturated_s=below(load, levels, unloaded_s), queue_depth=depth,
                 saturation_probability=probability, limit_iops=limit)  # fmt: skip


def test_the_limit_is_lognormal():
    levels = [0.05, 0.5, 0.95]
    got = latency_tail.write_limit_iops(levels, steady_write_iops=70e3, **LIMIT)
    law = stats.lognorm(0.08, scale=1.07 * 70e3)
    np.testing.assert_allclose(got, law.ppf(levels), rtol=1e-12)
    chance = latency_tail.saturation_probability(
        [60e3, 75e3, 9e4], limit_iops=got[1], limit_sd=0.08
    )
    np.testing.assert_allclose(chance, law.cdf([60e3, 75e3, 9e4]), rtol=1e-9)


def test_reads_go_first_and_leave_writes_the_rest_of_the_time():
    def limit(rate):
        return latency_tail.write_limit_iops(
            0.5, steady_write_iops=70e3, **LIMIT, read_load=ReadLoad(rate, 16, 50 * US)
        )

    assert limit(80e3) == pytest.approx(0.75 * limit(0.0), rel=1e-12)
    assert limit(330e3) == 0
    chance = latency_tail.saturation_probability([0.0, 1.0], limit_iops=0.0, limit_sd=0.1)
    assert chance.tolist() == [0, 1]


@pytest.mark.parametrize("share", [0.2, 0.97, 1.0, 3.0])
def test_what_loads_the_dies_is_at_most_what_reads_leave_time_for(share):
    got = latency_tail.carried_write_iops(
        share * 5e4, steady_write_iops=5e4, read_load=ReadLoad(32e3, 16, 50 * US)
    )
    assert got == pytest.approx(5e4 * min(share, 0.98 * 0.9), rel=1e-12)


def on_modelled_dies(offered, reads=2e4):
    flash = FlashTimings(50 * US, 700 * US, 4e-3, 10 * US, 4, 4, 1024)
    drive = {"read_iops": reads, "flash": flash, "geometry": FlashGeometry(16, 8)}
    borne = latency_tail.borne_write_iops(offered, wa=2.0, **drive)
    return borne, latency_tail.loaded_read_latency_s(
        LEVELS[:, None], write_load=WriteLoad(borne, 2.0), **drive
    )


def test_writes_that_modelled_dies_bear_are_all_borne_and_of_others_as_many_as_leave_reads_an_end():
    offered = np.linspace(1e3, 9e4, 60)
    borne, latency = on_modelled_dies(offered)
    np.testing.assert_array_equal(borne[offered < 3.5e4], offered[offered < 3.5e4])
    assert np.ptp(borne[offered > 3.6e4]) < 1e-6
    assert np.all(np.isfinite(latency))
    assert np.all(np.diff(latency, axis=1) >= -1e-9)
    assert on_modelled_dies(9e4, reads=6e5)[0] == 0


@pytest.mark.parametrize("depth", [1, 8, 32, 448])
def test_without_doubt_it_is_either_state(depth):
    known = below(0.9)
    one, other = (
        between(LEVELS, unsaturated_s=known, saturation_probability=chance, queue_depth=depth,
              limit_iops=75e3) for chance in (0, 1)
    )  # fmt: skip
    np.testing.assert_array_equal(one, known)
    state = saturated(LEVELS, unsaturated_s=known, queue_depth=depth, limit_iops=75e3)
    np.testing.assert_allclose(other, state, rtol=1e-12)


@pytest.mark.parametrize(("chance", "odds"), [(0.1, 1 / 81), (0.25, 1 / 9), (0.5, 1), (0.75, 9)])
def test_the_squared_odds_divide_the_way_between_the_states(chance, odds):
    known = below(0.95)
    state = saturated(LEVELS, unsaturated_s=known, **QUEUE)
    got = between(LEVELS, unsaturated_s=known, saturation_probability=chance, **QUEUE)
    np.testing.assert_allclose(np.log(got / known) / np.log(state / got), odds, rtol=1e-9)


@pytest.mark.parametrize("depth", [1, 32, 448])
def test_it_rises_with_load_through_the_limit(depth):
    loads = np.linspace(0.3, 2.0, 69)
    got = np.array([through(load, depth=depth) for load in loads])
    assert np.all(np.diff(got, axis=0) >= -1e-12 * got[1:])
    assert np.all(np.diff(got, axis=1) >= 0)
    np.testing.assert_allclose(got[loads > 1.7], np.tile(got[-1], (12, 1)), rtol=1e-6)


def test_it_has_no_step_at_the_limit():
    """Ten times as many loads, and from one to the next it rises a tenth as much."""
    known, limit = below(1.0), 1.07 * 70e3

    def most_rise(count):
        loads = np.linspace(0.9, 1.4, count + 1) * 70e3
        chances = latency_tail.saturation_probability(loads, limit_iops=limit, limit_sd=0.08)
        got = between(LEVELS, unsaturated_s=known, saturation_probability=chances[:, None],
                      queue_depth=448, limit_iops=limit)  # fmt: skip
        return np.max(np.diff(np.log(got), axis=0))

    assert most_rise(2000) < 0.15 * most_rise(200)


def test_it_rises_with_the_unloaded_latency():
    for load in (0.5, 0.95, 1.07, 1.3):
        slow, fast = through(load, unloaded_s=90 * US), through(load, unloaded_s=60 * US)
        assert np.all(slow >= fast)
    assert np.all(through(0.5, unloaded_s=90 * US) > through(0.5, unloaded_s=60 * US))


def test_the_typical_state_lies_in_its_range():
    levels = np.linspace(0.01, 0.99999, 200)
    for depth in (1, 32, 448):
        given = {"queue_depth": depth, "limit_iops": 75e3, "unsaturated_s": below(1.0, levels)}
        ends = latency_tail.saturated_read_range_s(levels, read_band_ratio=2.0, **given)
        typical = saturated(levels, **given)
        assert np.all(ends.low < typical)
        assert np.all(typical < ends.high)


def test_a_limit_that_is_not_known_adds_to_the_high_end_as_independent_errors_do():
    given = {"queue_depth": 448, "limit_iops": 75e3, "unsaturated_s": 1e-4, "read_band_ratio": 2.0}
    known, open_ = (
        latency_tail.saturated_read_range_s(0.99, **given, limit_sd=sd) for sd in (0.0, 0.2)
    )
    typical = saturated(0.99, unsaturated_s=1e-4, **QUEUE)
    ways = [math.log(each.high / typical) for each in (known, open_)]
    assert ways[1] ** 2 - ways[0] ** 2 == pytest.approx((1.6449 * 0.2) ** 2)
    assert open_.low == known.low


def test_reads_that_never_end_do_not_end_beyond_the_limit_either():
    endless = np.full(LEVELS.shape, np.inf)
    for chance in (0.0, 0.4, 1.0):
        got = between(LEVELS, unsaturated_s=endless, saturation_probability=chance, **QUEUE)
        assert np.all(got == np.inf)
    nothing = {"queue_depth": 8, "limit_iops": 0.0}
    got = between(LEVELS, unsaturated_s=below(1.0), saturation_probability=1.0, **nothing)
    assert np.all(got == np.inf)


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("quantile", {"quantile": [0.9, 1.0]}),
        ("unsaturated_s", {"unsaturated_s": 0.0}),
        ("saturation_probability", {"saturation_probability": 1.5}),
        ("queue_depth", {"queue_depth": 0.0}),
    ],
)
def test_names_what_is_outside_its_domain(name, changed):
    given = {"quantile": [0.5, 0.9], "unsaturated_s": [1e-4, 2e-4], "saturation_probability": 0.5}
    with pytest.raises(DomainError, match=rf"^{name} must be"):
        between(**{**given, **QUEUE, **changed})
