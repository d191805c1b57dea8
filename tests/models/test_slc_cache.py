"""Write cache in single-level flash against reviews, a stepped simulation and its own laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import slc_cache
from models.errors import DomainError
from models.write_amplification import folded_wa
from tests import naive_slc_cache
from tests.published import Printed

GB, MB = 1e9, 1e6

# The SSD Review, "Samsung TurboWrite Adds Up To 3X Speed", 2013: without and with the cache.
EVO_120 = {"cached_write_bytes_per_s": 410 * MB, "folded_write_bytes_per_s": 140 * MB}
EVO_250_NATIVE = 270 * MB


@pytest.mark.parametrize("native", [140 * MB, EVO_250_NATIVE])
def test_turbowrite_is_empty_within_15_to_30_s(native):
    """AnandTech 7173, "TurboWrite"; flash taken to be read for folding as fast as by the host."""
    fold = slc_cache.fold_bytes_per_s(native, cache_read_bytes_per_s=540 * MB)
    assert 15 <= slc_cache.drain_s(3 * GB, fold_bytes_per_s=fold) <= 30


def test_native_writes_scale_with_the_dies():
    """AnandTech 7173, "Inside the Drives": 16 dies at 250 GB, 8 at 120 GB; 270 and 140 MB/s."""
    program_s = 16 * 8192 / EVO_250_NATIVE
    given_dies = {"program_bytes": 8192, "program_s": program_s, "link_bytes_per_s": 540 * MB}
    half = slc_cache.program_bytes_per_s(8, **given_dies)
    assert slc_cache.program_bytes_per_s(16, **given_dies) == pytest.approx(EVO_250_NATIVE)
    assert half == pytest.approx(140 * MB, rel=0.04)
    assert slc_cache.program_bytes_per_s(64, **given_dies) == 540 * MB


def test_the_first_minute_of_an_840_evo():
    """AnandTech, 840 EVO mSATA review, "Resiliency": 180.4 MB/s over 60 s on a clean 120 GB."""
    minute = slc_cache.written_bytes(60, slc_cache_bytes=3 * GB, **EVO_120)
    assert minute / 60 == pytest.approx(180.4 * MB, rel=0.05)


def test_a_long_write_to_an_870_qvo():
    """PCWorld, March 2021, page 70: 450 GB in 2,686 s on 2 TB, 150 MB/s after the cache.

    Cache of 6 + 72 GB, 486.92 MB/s within it (KitGuru, 870 QVO 4TB, page 12).
    """
    room = slc_cache.cache_bytes(
        6 * GB, free_bytes=2000 * GB, bits_per_cell=4, dynamic_limit_bytes=72 * GB
    )
    assert room == 78 * GB
    took = slc_cache.burst_s(
        450 * GB,
        slc_cache_bytes=room,
        cached_write_bytes_per_s=486.92 * MB,
        folded_write_bytes_per_s=150 * MB,
    )
    assert took == pytest.approx(2686, rel=0.02)


def test_an_860_qvo_has_42_or_78_gb():
    """AnandTech 13633, 860 QVO: 6 GB, and 36 or 72 GB more while there is free flash."""
    limits = np.array([36, 72]) * GB
    sizes = slc_cache.cache_bytes(
        6 * GB, free_bytes=4 * limits, bits_per_cell=4, dynamic_limit_bytes=limits
    )
    np.testing.assert_array_equal(sizes, [42 * GB, 78 * GB])
    full = slc_cache.cache_bytes(6 * GB, free_bytes=0, bits_per_cell=4, dynamic_limit_bytes=limits)
    np.testing.assert_array_equal(full, 6 * GB)


# TechPowerUp, "Write Intensive Usage": phases of (bytes, rate), whole capacity, mean rate.
FILLS = {
    "870 EVO 4TB": ([(24, 480), (3976, 400)], "416"),
    "MP700 Elite 2TB": ([(407, 6000), (743, 1400), (850, 700)], "1060"),
}


@pytest.mark.parametrize("name", FILLS)
def test_filling_a_whole_drive(name):
    (first, second, *rest), printed = FILLS[name]
    took = slc_cache.burst_s(
        (first[0] + second[0]) * GB,
        slc_cache_bytes=first[0] * GB,
        cached_write_bytes_per_s=first[1] * MB,
        folded_write_bytes_per_s=second[1] * MB,
    ) + sum(size * GB / (rate * MB) for size, rate in rest)
    size = sum(size for size, _ in FILLS[name][0])
    assert size * GB / took == pytest.approx(float(printed) * MB, rel=0.05)


def test_a_cache_of_407_gb_takes_60_percent_of_2_tb():
    """TechPowerUp, Corsair MP700 Elite 2 TB: 407 GB written in single-level mode."""
    room = slc_cache.cache_bytes(0, free_bytes=0.61 * 2000 * GB, bits_per_cell=3)
    assert room == pytest.approx(407 * GB, rel=0.001)


# PC Perspective, 850 EVO 4TB, "Mixed Burst R/W Throughput": 40 MB every 2 s, to a 120 GB EVO
# that folds at the 130 MB/s of the 840 before it (The SSD Review, 840 EVO, page 4).
def test_a_download_never_fills_the_cache():
    took = slc_cache.demand_s(40 * MB, cached_write_bytes_per_s=410 * MB, fold_bytes_per_s=130 * MB)
    assert Printed("0.405").admits(took)
    assert keeps_up(fold_wa=1.0) == keeps_up(fold_wa=6.1) == (np.inf, 1.0)
    broken, share = keeps_up(fold_wa=6.3)
    assert broken > 100
    assert 0 < share < 1


def keeps_up(fold_wa):
    fold = slc_cache.fold_bytes_per_s(130 * MB, cache_read_bytes_per_s=np.inf, fold_wa=fold_wa)
    given_cycle = {"cycle_s": 2.0, "slc_cache_bytes": 3 * GB, "fold_bytes_per_s": fold}
    rate = {"cached_write_bytes_per_s": 410 * MB}
    return (
        slc_cache.first_slow_burst(40 * MB, **given_cycle, **rate),
        slc_cache.cached_fraction(40 * MB, **given_cycle, **EVO_120),
    )


@pytest.mark.parametrize("bits", [2, 3, 4])
@pytest.mark.parametrize("through_the_cache", [True, False])
def test_folds_per_byte_by_counting_blocks(bits, through_the_cache):
    """All flash is cache: count the blocks folded, n into 1, to write a million blocks."""
    cached, free, folded, written = 10_000_000, 0, 0, 0
    while written < 1_000_000:
        while not free:
            cached, free, folded = cached - bits, free + bits - 1, folded + bits
        free -= 1
        cached += through_the_cache
        written += 1 if through_the_cache else bits
    folds = bits / (bits - 1) if through_the_cache else 1 / (bits - 1)
    assert folded / written == pytest.approx(folds, rel=1e-5)
    forced = slc_cache.forced_fold_bytes_per_s(
        400 * MB, fold_bytes_per_s=100 * MB, folds_per_byte=folds
    )
    assert written / forced == pytest.approx(written / (400 * MB) + folded / (100 * MB), rel=1e-5)


BURSTS = [  # volume, cache, cached, folded, concurrent
    (1, 3, 0.41, 0.14, 0),
    (10, 3, 0.41, 0.14, 0),
    (10, 3, 0.41, 0.14, 0.1),
    (100, 78, 0.53, 0.16, 0.05),
    (100, 0, 0.53, 0.16, 0.05),
    (100, 12, 0.5, 0.4, 0.6),
    (400, 20, 5, 1, 4.5),
]


@pytest.mark.parametrize(("volume", "cache", "cached", "folded", "concurrent"), BURSTS)
def test_a_burst_stepped_through_time(volume, cache, cached, folded, concurrent):
    took = slc_cache.burst_s(
        volume,
        slc_cache_bytes=cache,
        cached_write_bytes_per_s=cached,
        folded_write_bytes_per_s=folded,
        concurrent_fold_bytes_per_s=concurrent,
    )
    stepped = naive_slc_cache.burst(volume, cache, cached, folded, concurrent)
    assert took == pytest.approx(stepped, rel=1e-3)


CYCLES = [  # burst, period, cache, cached, folded, fold
    (0.25, 2, 3, 0.41, 0.14, 0.13),  # from burst 41 on
    (0.24, 2, 3, 0.41, 0.14, 0.13),  # from burst 51 on
    (0.20, 2, 3, 0.41, 0.14, 0.14),  # sustainable
    (4.0, 60, 3, 0.41, 0.14, 0.13),  # larger than the cache, which is empty each time
    (4.0, 30, 3, 0.41, 0.14, 0.07),  # larger than the cache, which is not
    (0.35, 2, 1, 0.41, 0.14, 0.13),  # no idle time once it is slow
    (0.6, 2, 2.5, 1.0, 0.25, 0.4),  # unstable: slow bursts leave no time to fold
    (6.0, 8, 3, 2.0, 0.6, 3.0),  # folds faster than it writes
]


@pytest.mark.parametrize(("burst", "period", "cache", "cached", "folded", "fold"), CYCLES)
def test_a_duty_cycle_stepped_through_time(burst, period, cache, cached, folded, fold):
    cycle = {"cycle_s": period, "slc_cache_bytes": cache, "fold_bytes_per_s": fold}
    rates = {"cached_write_bytes_per_s": cached, "folded_write_bytes_per_s": folded}
    steps = 4_000
    took = naive_slc_cache.cycles(120, burst, period, cache, cached, folded, fold, steps)
    slow = [n for n, t in enumerate(took, 1) if t > burst / cached + 1.5 * period / steps]
    first = slc_cache.first_slow_burst(burst, **cycle, cached_write_bytes_per_s=cached)
    assert first == (slow[0] if slow else np.inf)
    steady = slc_cache.steady_burst_s(burst, **cycle, **rates)
    assert steady == pytest.approx(took[-1], rel=2e-3)


@pytest.mark.parametrize(
    ("period", "first"),
    [(1.0, 11), (0.5, 11), (1.5, 20), (2.0, np.inf)],  # no idle time; less; half; just enough
)
def test_a_burst_that_fills_the_cache_to_the_brim_is_not_slow(period, first):
    """Room for ten bursts of 1 that take 1 to write and 1 to fold."""
    rates = {"cached_write_bytes_per_s": 1.0, "fold_bytes_per_s": 1.0}
    got = slc_cache.first_slow_burst(1.0, cycle_s=period, slc_cache_bytes=10.0, **rates)
    assert got == first


sizes = st.floats(1e6, 1e12)
rates = st.floats(1e6, 1e10)
shares = st.floats(0.01, 1)


@st.composite
def caches(draw):
    cached = draw(rates)
    return {
        "slc_cache_bytes": draw(st.just(0.0) | sizes),
        "cached_write_bytes_per_s": cached,
        "folded_write_bytes_per_s": cached * draw(shares),
    }


@given(sizes, caches(), st.floats(0, 2), st.floats(1, 10))
def test_a_burst_is_bounded_and_longer_bursts_take_longer(volume, cache, concurrent, more):
    cached = cache["cached_write_bytes_per_s"]
    folding = cache | {"concurrent_fold_bytes_per_s": concurrent * cached}
    took = slc_cache.burst_s(volume, **folding)
    assert volume / cached * (1 - 1e-12) <= took
    assert took <= volume / cache["folded_write_bytes_per_s"] * (1 + 1e-12)
    longer = slc_cache.burst_s(volume * more, **folding)
    assert longer >= (took + (more - 1) * volume / cached) * (1 - 1e-12)
    assert took <= slc_cache.burst_s(volume, **cache) * (1 + 1e-12)
    if concurrent >= 1:
        assert took == pytest.approx(volume / cached, rel=1e-12)


@given(caches(), st.floats(0, 0.99))
def test_a_burst_is_continuous_where_the_cache_is_full(cache, concurrent):
    room = cache["slc_cache_bytes"] = max(cache["slc_cache_bytes"], 1e6)
    folding = cache | {
        "concurrent_fold_bytes_per_s": concurrent * cache["cached_write_bytes_per_s"]
    }
    brim = room / (1 - concurrent)
    below, at, above = slc_cache.burst_s(brim * np.array([1 - 1e-9, 1, 1 + 1e-9]), **folding)
    assert below <= at <= above
    assert above - below <= 1e-6 * at


@given(sizes, caches(), st.floats(0, 2))
def test_written_bytes_inverts_the_duration(volume, cache, concurrent):
    folding = cache | {
        "concurrent_fold_bytes_per_s": concurrent * cache["cached_write_bytes_per_s"]
    }
    took = slc_cache.burst_s(volume, **folding)
    assert slc_cache.written_bytes(took, **folding) == pytest.approx(volume, rel=1e-9)


@given(sizes, caches(), st.floats(0.01, 1), st.floats(0.02, 20))
def test_what_is_cached_is_what_the_idle_time_folds(burst, cache, folding, slack):
    cached, folded = cache["cached_write_bytes_per_s"], cache["folded_write_bytes_per_s"]
    fold = folding * folded
    rate = {"cached_write_bytes_per_s": cached, "fold_bytes_per_s": fold}
    needed = slc_cache.demand_s(burst, **rate)
    room = cache["slc_cache_bytes"]
    cycle = {"cycle_s": needed * slack, "fold_bytes_per_s": fold}
    share = slc_cache.cached_fraction(burst, **cycle, **cache)
    took = slc_cache.steady_burst_s(burst, **cycle, **cache)
    first = slc_cache.first_slow_burst(
        burst, **cycle, slc_cache_bytes=room, cached_write_bytes_per_s=cached
    )
    assert took == pytest.approx(burst * (share / cached + (1 - share) / folded), rel=1e-12)
    if abs(slack - 1) > 1e-9 and cached > folded:
        assert (first == np.inf) == (share == 1) == (slack > 1 and burst <= room)
    folds = fold * max(cycle["cycle_s"] - took, 0.0)
    fits = min(burst, room)
    assert share * burst <= fits * (1 + 1e-12)
    assert share * burst == pytest.approx(min(folds, fits), rel=1e-6, abs=1e-6 * burst)


@given(sizes, caches(), st.floats(0.01, 1), st.floats(0.1, 10), st.floats(1, 5))
def test_more_time_between_bursts_never_slows_them(burst, cache, folding, slack, longer):
    fold = folding * cache["folded_write_bytes_per_s"]
    period = slack * slc_cache.demand_s(
        burst, cached_write_bytes_per_s=cache["cached_write_bytes_per_s"], fold_bytes_per_s=fold
    )
    periods = np.array([period, period * longer])
    short, long = slc_cache.steady_burst_s(burst, cycle_s=periods, fold_bytes_per_s=fold, **cache)
    assert long <= short * (1 + 1e-12)


def test_a_native_rate_above_that_of_the_cache_is_refused():
    with pytest.raises(DomainError, match=r"^folded_write_bytes_per_s must be <= cached_write"):
        slc_cache.cached_fraction(
            1.0,
            cycle_s=1.0,
            slc_cache_bytes=1.0,
            cached_write_bytes_per_s=1.0,
            folded_write_bytes_per_s=2.0,
            fold_bytes_per_s=1.0,
        )


@given(sizes, st.floats(0, 1e11), sizes, st.integers(2, 5), rates)
def test_a_burst_fits_until_the_drive_is_too_full(burst, static, free, bits, growth):
    flash = {"static_cache_bytes": static, "bits_per_cell": bits}
    lasts = slc_cache.overflow_s(burst, free_bytes=free, growth_bytes_per_s=growth, **flash)
    if lasts == np.inf:
        assert burst <= static
        return
    assert lasts >= 0
    then = slc_cache.cache_bytes(free_bytes=max(free - lasts * growth, 0.0), **flash)
    if lasts:
        assert then == pytest.approx(burst, rel=1e-6)
    else:
        assert then <= burst * (1 + 1e-12)


@given(st.floats(0.1, 20), st.floats(0, 1), st.floats(0, 1))
def test_counters_see_both_modes(fold_wa, absorbed, cached):
    """Counted in bytes, a single-level cycle of one bit per cell weighs 1/n of a native one."""
    counted = slc_cache.counted_wa(fold_wa, absorbed_fraction=absorbed)
    in_bytes = folded_wa(fold_wa, absorbed_fraction=absorbed, bits_per_cell=4, relative_wear=0.25)
    assert counted == pytest.approx(in_bytes, rel=1e-12)
    mixed = slc_cache.mixed_wa(counted, direct_wa=fold_wa, cached_fraction=cached)
    low, high = sorted((counted, fold_wa))
    assert low * (1 - 1e-12) <= mixed <= high * (1 + 1e-12)


def test_cycles_of_a_static_cache():
    assert slc_cache.cache_cycles(72e12, slc_cache_bytes=3e9, cached_fraction=0.5) == 12_000
    assert slc_cache.counted_wa(1.0, absorbed_fraction=0.0) == 2
    assert slc_cache.counted_wa(3.0, absorbed_fraction=1.0) == 1
