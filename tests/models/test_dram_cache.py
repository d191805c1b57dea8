"""Cache in memory against exact simulation, a review and its own laws."""

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from models import dram_cache, queueing
from models.errors import DomainError
from models.units import GIB, KIB
from models.write_amplification import zipf_classes
from tests import naive_lru
from tests.published import Printed

# AnandTech 7173, "RAPID": 4 KiB writes at queue depth 1 to 8 GB, at most 1 GB of memory, on the
# 250 GB 840 EVO, which is specified at 66K writes per second.
SPAN, CACHE = 8 * GIB / (4 * KIB), GIB / (4 * KIB)
RAPID_IOPS = 73_466.28


def test_rapid_turns_one_write_at_a_time_into_many():
    uniform = {"request_shares": [1.0], "class_pages": [SPAN]}
    destaged = dram_cache.destage_ratio(CACHE, write_fraction=1.0, **uniform)
    assert destaged == pytest.approx(7 / 8, rel=1e-12)
    got = dram_cache.cached_iops(
        1e6, read_miss_ratio=0.0, destage_ratio=destaged, read_iops=97e3, write_iops=66e3
    )
    assert got == pytest.approx(RAPID_IOPS, rel=0.05)
    assert queueing.latency_s(1, iops=got) == pytest.approx(0.0135e-3, rel=0.05)


def popularity(exponent, pages):
    return {"request_shares": np.arange(1, pages + 1.0) ** -exponent, "class_pages": np.ones(pages)}


# Spread over exponents, cache sizes and write shares; the whole grid is 40 such runs.
SIMULATED = [
    (0.0, 400, 1.0),
    (0.0, 1500, 0.3),
    (0.6, 100, 0.3),
    (0.6, 1500, 1.0),
    (0.99, 250, 0.3),
    (0.99, 1000, 0.7),
    (1.2, 100, 1.0),
    (1.2, 500, 0.3),
]


@pytest.mark.parametrize(("exponent", "cache", "writes"), SIMULATED)
def test_simulated_request_by_request(exponent, cache, writes):
    pages = 5000
    classes = popularity(exponent, pages)
    warmup = int(3 * dram_cache.characteristic_requests(cache, **classes))
    seen = naive_lru.simulate(classes["request_shares"], cache, writes, warmup, 400_000, seed=7)
    hit = dram_cache.hit_ratio(cache, **classes)
    destaged = dram_cache.destage_ratio(cache, write_fraction=writes, **classes)
    dirty = dram_cache.dirty_pages(cache, write_fraction=writes, **classes)
    assert hit == pytest.approx(seen.hit, rel=0.015)
    missed = dram_cache.read_miss_ratio(hit, read_fraction=1 - writes)
    assert missed == pytest.approx(seen.read_missed, rel=0.015, abs=1e-12)
    assert destaged == pytest.approx(seen.destaged, rel=0.015)
    assert dirty == pytest.approx(seen.dirty, rel=0.015)


def test_hits_of_a_simulated_buffer():
    """5 % of the pages cached at 90/10; simulated 0.4371 and 0.0073."""
    hits = dram_cache.class_hit_ratios(500, request_shares=[0.9, 0.1], class_pages=[1000, 9000])
    np.testing.assert_allclose(hits, [0.4371, 0.0073], atol=7e-4)


@pytest.mark.parametrize("exponent", [0.0, 0.6, 0.99, 1.2])
def test_classes_of_a_zipf_law_stand_for_every_page(exponent):
    pages = 100_000
    shares, held = zipf_classes(exponent, pages=pages, classes=3000)
    few = {"request_shares": shares, "class_pages": held * pages}
    every = popularity(exponent, pages)
    caches = pages * np.array([0.0005, 0.02, 0.3, 0.9])
    for formula, options, rel in [
        (dram_cache.hit_ratio, {}, 1e-6),
        (dram_cache.destage_ratio, {"write_fraction": 0.3}, 1e-5),
        (dram_cache.dirty_pages, {"write_fraction": 0.3}, 1e-6),
    ]:
        got = formula(caches, **options, **few)
        np.testing.assert_allclose(got, formula(caches, **options, **every), rtol=rel)


def test_a_terabyte_of_pages_takes_no_longer_than_a_gigabyte():
    shares, held = zipf_classes(0.99, pages=1e12, classes=3000)
    caches = np.geomspace(1, 1e12 * (1 - 1e-9), 200)
    hits = dram_cache.hit_ratio(caches, request_shares=shares, class_pages=held * 1e12)
    assert np.all(np.diff(hits) > 0)
    assert 0 < hits[0] < hits[-1] < 1


def exact_requests(cache, shares, pages):
    """Characteristic time to 20 digits, by halving the interval of its logarithm."""
    with mpmath.workdps(40):
        total = mpmath.fsum(map(mpmath.mpf, shares))
        rates = [mpmath.mpf(r) / total / n for r, n in zip(shares, pages, strict=True)]
        low, high = mpmath.mpf(-40), mpmath.mpf(200)
        for _ in range(75):
            middle = (low + high) / 2
            age = mpmath.exp(middle)
            held = mpmath.fsum(
                -n * mpmath.expm1(-rate * age) for rate, n in zip(rates, pages, strict=True)
            )
            low, high = (middle, high) if held < cache else (low, middle)
        return float(mpmath.exp(low))


def log_floats(low, high):
    return st.floats(low, high).map(lambda power: 10.0**power)


@given(
    st.lists(st.tuples(log_floats(-15, 0), log_floats(0, 12)), min_size=1, max_size=5),
    st.floats(0.01, 0.99) | log_floats(-12, -1) | log_floats(-6, -1).map(lambda x: 1 - x),
)
@example([(1.0, 1.0), (1e-10, 1.0)], 0.5)  # nearly all of one class and none of the other
def test_the_characteristic_time_to_the_last_digits(classes, part):
    shares, pages = map(list, zip(*classes, strict=True))
    cache = part * float(np.sum(pages))
    got = dram_cache.characteristic_requests(cache, request_shares=shares, class_pages=pages)
    assert got == pytest.approx(exact_requests(cache, shares, pages), rel=1e-9, abs=0)


def test_the_characteristic_time_of_classes_ages_apart():
    """28 powers of ten between the shares: many steps of the solver."""
    shares = [2.4e-15, 4.5e-05, 3.5e-28, 1.7e-03, 1.4e-26]
    pages = [55.3, 66.7, 211.0, 18.9, 34.3]
    cache = 0.454 * sum(pages)
    got = dram_cache.characteristic_requests(cache, request_shares=shares, class_pages=pages)
    assert got == pytest.approx(exact_requests(cache, shares, pages), rel=1e-11)


@pytest.mark.parametrize("left_out", [1e-3, 1e-6, 1e-10, 1e-13])
def test_the_characteristic_time_of_a_cache_that_nearly_holds_everything(left_out):
    cache = 1000 * (1 - left_out)
    got = dram_cache.characteristic_requests(
        cache, request_shares=[0.5, 0.5], class_pages=[500, 500]
    )
    assert got == pytest.approx(-1000 * np.log((1000 - cache) / 1000), rel=1e-12)


POPULARITIES = st.lists(
    st.tuples(st.floats(0.001, 1), st.integers(1, 10**6)), min_size=1, max_size=6
).map(
    lambda pairs: dict(
        zip(("request_shares", "class_pages"), zip(*pairs, strict=True), strict=True)
    )
)


@given(POPULARITIES, st.floats(1e-6, 0.999), st.floats(0, 1), st.floats(1, 3))
def test_what_a_cache_does_is_bounded_and_grows_with_it(classes, part, writes, more):
    every = sum(classes["class_pages"])
    caches = np.array([part, min(part * more, 0.9995)]) * every
    small, large = dram_cache.hit_ratio(caches, **classes)
    assert 0 < small <= large * (1 + 1e-12) <= 1 + 1e-12
    assert small >= part * (1 - 1e-9)  # uniform requests hit least
    of = {"write_fraction": writes, **classes}
    less, least = dram_cache.destage_ratio(caches, **of)
    assert 0 <= least <= less * (1 + 1e-9)
    assert less <= min(writes, 1 - small) + 1e-12
    dirty = dram_cache.dirty_pages(caches, **of)
    assert np.all(dirty <= caches * (1 + 1e-12))
    assert np.all(dirty >= writes * caches * (1 - 1e-12))
    assert dirty[0] <= dirty[1] * (1 + 1e-9)


@given(POPULARITIES, st.floats(1e-6, 0.999))
def test_writes_alone_make_every_miss_a_destage(classes, part):
    cache = part * sum(classes["class_pages"])
    hit = dram_cache.hit_ratio(cache, **classes)
    destaged = dram_cache.destage_ratio(cache, write_fraction=1.0, **classes)
    assert destaged == pytest.approx(1 - hit, rel=1e-9, abs=1e-12)
    dirty = dram_cache.dirty_pages(cache, write_fraction=1.0, **classes)
    assert dirty == pytest.approx(cache, rel=1e-9)
    assert dram_cache.destage_ratio(cache, write_fraction=0.0, **classes) == 0
    assert dram_cache.dirty_pages(cache, write_fraction=0.0, **classes) == 0


@given(st.floats(1e-6, 0.999), st.integers(1, 10**9))
def test_uniform_requests_hit_by_the_share_cached(part, pages):
    hit = dram_cache.hit_ratio(part * pages, request_shares=[3.0], class_pages=[pages])
    assert hit == pytest.approx(part, rel=1e-12, abs=0)


@given(POPULARITIES, st.floats(0.01, 0.99), st.integers(2, 5))
def test_splitting_a_class_changes_nothing(classes, part, pieces):
    split = {name: np.repeat(values, pieces) / pieces for name, values in classes.items()}
    split["class_pages"] = np.repeat(classes["class_pages"], pieces)
    cache = part * sum(classes["class_pages"])
    whole = dram_cache.hit_ratio(cache, **classes)
    assert dram_cache.hit_ratio(pieces * cache, **split) == pytest.approx(whole, rel=1e-9)


def test_a_cache_for_everything_hits_always():
    classes = {"request_shares": [0.5, 0.5, 0.0], "class_pages": [10, 20, 1000]}
    assert dram_cache.characteristic_requests(30, **classes) == np.inf
    assert dram_cache.hit_ratio([30, 500], **classes).tolist() == [1, 1]
    np.testing.assert_array_equal(dram_cache.class_hit_ratios(30, **classes), [1, 1, 0])
    for writes, dirty in ((0.0, 0), (0.5, 30)):
        of = {"write_fraction": writes, **classes}
        assert dram_cache.destage_ratio(30, **of) == 0
        assert dram_cache.dirty_pages(30, **of) == dirty


def test_sizes_and_write_shares_broadcast():
    classes = {"request_shares": [0.9, 0.1], "class_pages": [100, 900]}
    caches, writes = np.array([[10.0], [200.0]]), np.array([0.0, 0.3, 1.0])
    for formula in (dram_cache.destage_ratio, dram_cache.dirty_pages):
        got = formula(caches, write_fraction=writes, **classes)
        apart = [[formula(c, write_fraction=w, **classes) for w in writes] for c in caches[:, 0]]
        np.testing.assert_allclose(got, apart, rtol=1e-13)
    assert dram_cache.class_hit_ratios(caches, **classes).shape == (2, 1, 2)


@given(
    st.floats(1e3, 1e7), st.floats(0, 1), st.floats(0, 1), st.floats(1e3, 1e6), st.floats(1e3, 1e6)
)
def test_a_cache_is_bounded_by_memory_and_by_the_drive(memory, misses, destaged, reads, writes):
    got = dram_cache.cached_iops(
        memory, read_miss_ratio=misses, destage_ratio=destaged, read_iops=reads, write_iops=writes
    )
    assert got <= memory * (1 + 1e-12)
    busy = got * (misses / reads + destaged / writes)
    assert busy <= 1 + 1e-12
    assert got == pytest.approx(memory, rel=1e-12) or busy == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("bad", [{"class_pages": [0.5]}, {"class_pages": [1, 2]}])
def test_classes_that_are_none_are_refused(bad):
    with pytest.raises(DomainError, match=r"^class_pages must be"):
        dram_cache.hit_ratio(1, **{"request_shares": [1.0]} | bad)
    with pytest.raises(DomainError, match=r"^request_shares must be positive in sum"):
        dram_cache.hit_ratio(1, request_shares=[0.0], class_pages=[3])
    with pytest.raises(DomainError, match=r"^request_shares must be one number per class"):
        dram_cache.hit_ratio(1, request_shares=[[1.0]], class_pages=[3])


# Write combining


@given(st.integers(1, 40), POPULARITIES)
def test_unique_pages_one_request_at_a_time(requests, classes):
    """E U grows by the share of requests that go to pages not seen yet."""
    shares = np.array(classes["request_shares"]) / sum(classes["request_shares"])
    each = shares / np.array(classes["class_pages"])
    missed = np.ones(shares.size)
    unique = 0.0
    for _ in range(requests):
        unique += shares @ missed
        missed *= 1 - each
    got = dram_cache.unique_pages(requests, **classes)
    assert got == pytest.approx(unique, rel=1e-9)
    ratio = dram_cache.combining_ratio(requests, **classes)
    assert ratio == pytest.approx(requests / unique, rel=1e-9)
    assert ratio >= 1
    assert got <= min(requests, sum(classes["class_pages"])) * (1 + 1e-12)


def test_one_page_combines_everything():
    one = {"request_shares": [1.0], "class_pages": [1]}
    np.testing.assert_array_equal(dram_cache.combining_ratio([1, 50], **one), [1, 50])


@pytest.mark.parametrize("exponent", [0.0, 0.99])
def test_periodic_flushes_simulated(exponent):
    """200 periods of 2,000 requests, half of them writes, to 1,000 pages."""
    classes = popularity(exponent, 1000)
    of = {"write_fraction": 0.5, "flush_s": 4.0, **classes}
    flushed, dirty = naive_lru.flush(classes["request_shares"], 0.5, 2000, 200)
    assert dram_cache.flushed_iops(500.0, **of) * 4.0 == pytest.approx(flushed, rel=0.01)
    assert dram_cache.flushed_dirty_pages(500.0, **of) == pytest.approx(dirty, rel=0.01)


@given(POPULARITIES, log_floats(0, 6), st.floats(0.01, 1), log_floats(-6, 4))
def test_a_flush_writes_each_page_once(classes, rate, writes, period):
    of = {"write_fraction": writes, "flush_s": period, **classes}
    flushed = dram_cache.flushed_iops(rate, **of)
    dirty = dram_cache.flushed_dirty_pages(rate, **of)
    written = rate * writes * period
    assert flushed * period <= min(written, sum(classes["class_pages"])) * (1 + 1e-9)
    assert flushed * period / 2 * (1 - 1e-9) <= dirty <= written / 2 * (1 + 1e-9)
    # Between flushes the flow in is what was written first: d D / d t.
    mean = mpmath.quad(
        lambda t: dram_cache.flushed_iops(rate, **of | {"flush_s": float(t)}) * t,
        [period * 1e-9, period],
    )
    assert dirty == pytest.approx(float(mean) / period, rel=1e-5)


@pytest.mark.parametrize("writes", [1e-9, 1e-6, 9e-5, 1.1e-4, 1e-2, 1.0, 100.0])
def test_dirty_pages_between_flushes_to_the_last_digits(writes):
    got = dram_cache.flushed_dirty_pages(
        writes, write_fraction=1.0, flush_s=1.0, request_shares=[1.0], class_pages=[1.0]
    )
    with mpmath.workdps(40):
        exact = 1 + mpmath.expm1(-mpmath.mpf(writes)) / mpmath.mpf(writes)
    assert got == pytest.approx(float(exact), rel=1e-11, abs=0)


def test_exposure_of_a_cache():
    assert dram_cache.exposed_bytes(1e8, write_bytes_per_s=2e7, flush_s=np.inf) == 1e8
    assert dram_cache.exposed_bytes(1e9, write_bytes_per_s=2e7, flush_s=30) == 3e8
    assert dram_cache.loss_probability(1e-9, crash_interval_s=1.0) == pytest.approx(1e-9)
    loss = dram_cache.lost_bytes_per_s(3e8, crash_interval_s=1.5e7)
    assert Printed("20").admits(loss)


@given(POPULARITIES, log_floats(0, 5), log_floats(-3, 3))
def test_the_bound_of_the_exposure_is_a_bound(classes, rate, period):
    """4 KiB pages, writes only: those that meet in the cache count once."""
    dirty = dram_cache.flushed_dirty_pages(rate, write_fraction=1.0, flush_s=period, **classes)
    every = sum(classes["class_pages"]) * 4096
    bound = dram_cache.exposed_bytes(every, write_bytes_per_s=rate * 4096, flush_s=period)
    assert dirty * 4096 <= bound * (1 + 1e-9)
