"""The random streams: known words, and the shares that a workload asks for."""

import numpy as np
import pytest
from scipy.stats import chisquare, kstest

from models.simulator import (
    Classes,
    Config,
    Mixed,
    Sequential,
    Static,
    Trace,
    Uniform,
    Zipf,
    kernel,
    layout,
)
from tests.naive_simulator import Twin, Words, splitmix

GOOD = {"pages_per_block": 32, "blocks": 40, "op_ratio": 0.28}
DRAWS = 400_000


def drawn(workload, trim=0.0, **changed):
    """Requests of a workload, in order: pages and kinds."""
    config = Config(**GOOD | changed, workload=workload, trim_share=trim, seed=11)
    drive = layout.build(config)
    layout.start_fill(config, drive)
    kernel.advance(config.pages, *drive)
    layout.start_workload(config, drive)
    pages, kinds = [], []
    while len(pages) * kernel.BATCH < DRAWS:
        kernel.advance(1, *drive)  # draws a batch
        pages.append(drive.request[: kernel.BATCH].copy())
        kinds.append(drive.request[kernel.KIND :][: kernel.BATCH].copy())
        while drive.word[kernel.POSITION] < kernel.BATCH:  # carries it out
            kernel.advance(1, *drive)
    return config, np.concatenate(pages), np.concatenate(kinds)


def test_the_words_are_those_of_the_published_generators():
    words = Words([1, 2, 3, 4])
    assert [words.next() for _ in range(4)] == [
        41943041, 58720359, 3588806011781223, 3591011842654386,
    ]  # fmt: skip  # xoshiro256++, reference implementation
    assert next(splitmix(0)) == 0xE220A8397B1DCDAF  # splitmix64, reference implementation


def assert_shares(counts, shares):
    assert chisquare(counts, np.asarray(shares) / np.sum(shares) * np.sum(counts)).pvalue > 1e-3


def test_uniform_writes_are_uniform_and_independent():
    config, pages, _ = drawn(Uniform())
    assert_shares(np.bincount(pages, minlength=config.pages), np.ones(config.pages))
    halves = pages >= config.pages // 2
    pairs = np.bincount(2 * halves[:-1] + halves[1:])
    assert_shares(pairs, np.ones(4))


def test_classes_get_their_writes():
    shares = (0.5, 0.0, 0.3, 0.15, 0.05)
    workload = Classes(write_shares=shares, page_shares=(0.1, 0.2, 0.2, 0.2, 0.3))
    config, pages, kinds = drawn(workload)
    assert_shares(np.bincount(kinds, minlength=5)[[0, 2, 3, 4]], [0.5, 0.3, 0.15, 0.05])
    ends = np.rint(np.cumsum((0.1, 0.2, 0.2, 0.2, 0.3)) * config.pages)
    np.testing.assert_array_equal(kinds, np.searchsorted(ends, pages, side="right"))
    hot = np.bincount(pages[kinds == 0])
    assert_shares(hot, np.ones(hot.size))


@pytest.mark.parametrize("exponent", [0.3, 0.6, 0.99, 1.0, 1.2, 3.0])
def test_zipf_ranks_get_their_writes(exponent):
    config, pages, _ = drawn(Zipf(exponent))
    twin = Twin(config)
    place = [twin.scrambled(rank) for rank in range(config.pages)]
    assert sorted(place) == list(range(config.pages))
    counts = np.bincount(pages, minlength=config.pages)[place]
    shares = np.arange(1.0, config.pages + 1) ** -exponent
    seldom = shares / shares.sum() * pages.size < 20
    counts = np.append(counts[~seldom], counts[seldom].sum())
    shares = np.append(shares[~seldom], shares[seldom].sum())
    assert_shares(counts[shares > 0], shares[shares > 0])


def test_mixed_writes_go_both_ways():
    config, pages, kinds = drawn(Mixed(random_writes=0.3, random_pages=0.6))
    assert_shares(np.bincount(kinds), [0.3, 0.7])
    border = round(0.6 * config.pages)
    assert pages[kinds == 0].max() == border - 1
    stream = pages[kinds == 1]
    length = config.pages - border
    np.testing.assert_array_equal(stream, border + np.arange(stream.size) % length)


def test_sequential_and_trace_go_round():
    config, pages, _ = drawn(Sequential())
    np.testing.assert_array_equal(pages, np.arange(pages.size) % config.pages)
    trace = np.random.default_rng(1).integers(0, 900, 1234)
    _, pages, _ = drawn(Trace(trace))
    np.testing.assert_array_equal(pages, np.resize(trace, pages.size))


def test_static_pages_are_never_written():
    config, pages, _ = drawn(Static(dynamic_pages=0.25))
    border = round(0.25 * config.pages)
    assert_shares(np.bincount(pages, minlength=border), np.ones(border))


def test_trims_take_their_share_of_the_requests():
    _, _, kinds = drawn(Classes(write_shares=(0.7, 0.3), page_shares=(0.5, 0.5)), trim=0.2)
    counts = np.array([np.sum(kinds == kind) for kind in (0, 1, kernel.TRIM, kernel.TRIM + 1)])
    assert_shares(counts, [0.56, 0.24, 0.14, 0.06])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_random_fill_is_in_random_order(seed):
    config = Config(**GOOD, seed=seed)
    drive = layout.build(config)
    layout.start_fill(config, drive)
    kernel.advance(config.pages, *drive)
    order = drive.holds[: config.pages].astype(float)
    assert sorted(order) == list(range(config.pages))
    assert abs(np.corrcoef(order[1:], order[:-1])[0, 1]) < 4 / np.sqrt(config.pages)
    steps = (order[1:] - order[:-1]) % config.pages / config.pages
    assert kstest(steps, "uniform").pvalue > 1e-3


def test_static_pages_are_laid_down_first_or_mixed_in():
    for interleaved in (False, True):
        config = Config(**GOOD, workload=Static(dynamic_pages=0.5, interleaved=interleaved))
        drive = layout.build(config)
        layout.start_fill(config, drive)
        kernel.advance(config.pages, *drive)
        early = drive.holds[: config.pages // 2] >= config.pages // 2
        assert early.mean() == pytest.approx(0.5, abs=0.1) if interleaved else early.all()
