"""After a TRIM: against the blocks of a simulated drive, printed rates and laws."""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import trim_recovery, write_amplification
from models.errors import DomainError
from models.simulator import Config, driver, layout
from models.simulator.kernel import NOWHERE

PAGES = 64


@cache
def dirty_drive(op_ratio, pages_per_block=PAGES):
    """Block of every logical page of a drive dirtied by random writes, and its blocks in use."""
    config = Config(
        pages_per_block=pages_per_block,
        blocks=1_300_000 // pages_per_block,
        op_ratio=op_ratio,
        warmup_overwrites=6,
    )
    run = driver._Run(config, None, driver.CHUNK)
    layout.start_fill(config, run.drive)
    run._advance(config.pages)
    layout.start_workload(config, run.drive)
    run._advance(run.warmup)
    where = run.drive.where.astype(np.int64)
    assert np.all(where != NOWHERE)
    return where >> (pages_per_block - 1).bit_length(), config.blocks - 1


def counted(block_of_page, blocks, pages_per_block=PAGES):
    """Shares of blocks by valid pages; the one in reserve left out."""
    valid = np.bincount(block_of_page, minlength=blocks + 1)
    shares = np.bincount(valid, minlength=pages_per_block + 1).astype(float)
    shares[0] -= 1
    return valid, shares / shares.sum()


@pytest.mark.parametrize("op_ratio", [0.07, 0.28, 1.0])
def test_a_dirty_drive_has_the_blocks_of_the_simulator(op_ratio):
    _, truth = counted(*dirty_drive(op_ratio))
    got = trim_recovery.greedy_block_shares(op_ratio, pages_per_block=PAGES)
    assert np.max(np.abs(np.cumsum(got) - np.cumsum(truth))) < 0.01
    mean = np.arange(PAGES + 1) @ got
    assert mean == pytest.approx(np.arange(PAGES + 1) @ truth, rel=0.002)


# Moved pages and erased blocks for a tenth and a quarter of the flash as room.
@pytest.mark.parametrize("op_ratio", [0.07, 0.28])
@pytest.mark.parametrize("trimmed", [0.2, 0.5])
@pytest.mark.parametrize("freed", [0.1, 0.25])
def test_recovery_is_that_of_a_simulated_drive(op_ratio, trimmed, freed):
    block_of_page, blocks = dirty_drive(op_ratio)
    kept = np.random.default_rng(1).random(block_of_page.size) >= trimmed
    valid, _ = counted(block_of_page[kept], blocks)
    emptiest = np.sort(valid)[1:]  # without the one in reserve
    room = freed * emptiest.size * PAGES
    erased = np.searchsorted(np.cumsum(PAGES - emptiest), room)
    moved = emptiest[:erased].sum()

    shares = trim_recovery.trimmed_block_shares(
        trim_recovery.greedy_block_shares(op_ratio, pages_per_block=PAGES), trimmed_fraction=trimmed
    )
    got = trim_recovery.idle_collection(shares, blocks=emptiest.size, freed_pages=room)
    assert got == pytest.approx((moved, erased), rel=0.01)


@pytest.mark.parametrize("trimmed", [0.0, 0.2, 0.5])
def test_idle_work_is_that_of_a_simulated_drive(trimmed):
    """Every block that is not full of valid pages is collected."""
    block_of_page, blocks = dirty_drive(0.28)
    kept = np.random.default_rng(1).random(block_of_page.size) >= trimmed
    valid, _ = counted(block_of_page[kept], blocks)
    packed = np.sort(valid)[1:]  # without the one in reserve
    packed = packed[packed < PAGES]
    got = trim_recovery.idle_work(
        0.28, pages_per_block=PAGES, user_pages=block_of_page.size, trimmed_fraction=trimmed
    )
    assert got == pytest.approx((packed.sum(), packed.size), rel=0.01)


@settings(max_examples=50)
@given(st.floats(0.01, 5), st.sampled_from([4, 512, 4096, 8192]), st.floats(0, 1))
def test_idle_work_leaves_no_invalid_page(op_ratio, pages, trimmed):
    got = trim_recovery.idle_work(
        op_ratio, pages_per_block=pages, user_pages=1e6, trimmed_fraction=trimmed
    )
    freed = got.erased_blocks * pages - got.moved_pages
    assert freed == pytest.approx(1e6 * (op_ratio + trimmed), rel=1e-6)
    assert 0 <= got.moved_pages <= 1e6 * (1 - trimmed) * (1 + 1e-6)


def test_recovery_index_of_the_840_evo_msata():
    """AnandTech, 840 EVO mSATA, 120 GB: 180.4 clean, 69.3 dirty, 126.2 after TRIM: 51 %."""
    index = trim_recovery.recovery_index(
        126.2e6, dirty_bytes_per_s=69.3e6, clean_bytes_per_s=180.4e6
    )
    assert index == pytest.approx(0.512, abs=5e-4)


@given(st.floats(1, 1e9), st.floats(1.01, 100))
def test_recovery_index_is_none_dirty_and_whole_clean(dirty, factor):
    rates = {"dirty_bytes_per_s": dirty, "clean_bytes_per_s": factor * dirty}
    assert trim_recovery.recovery_index(dirty, **rates) == 0
    assert trim_recovery.recovery_index(factor * dirty, **rates) == 1


def test_recovery_index_needs_a_drive_that_got_slower():
    with pytest.raises(DomainError, match=r"^clean_bytes_per_s must be > dirty_bytes_per_s"):
        trim_recovery.recovery_index(1e8, dirty_bytes_per_s=2e8, clean_bytes_per_s=2e8)


# Laws

ratios = st.floats(0.01, 5)
sizes = st.integers(1, 300)
histograms = st.lists(st.floats(0, 1), min_size=3, max_size=80).filter(lambda s: sum(s) > 0.1)


@given(ratios, sizes)
def test_blocks_hold_all_valid_pages(op_ratio, pages):
    shares = trim_recovery.greedy_block_shares(op_ratio, pages_per_block=pages)
    assert shares.shape == (pages + 1,)
    assert shares.sum() == pytest.approx(1)
    assert np.all(shares >= 0)
    full = np.arange(pages + 1) @ shares / pages
    assert full == pytest.approx(1 / (1 + op_ratio), rel=1e-6)


@given(ratios, st.integers(2, 300))
def test_no_block_is_emptier_than_the_victims(op_ratio, pages):
    shares = trim_recovery.greedy_block_shares(op_ratio, pages_per_block=pages)
    victim = pages * (1 - 1 / write_amplification.greedy(op_ratio, pages_per_block=pages))
    assert np.all(shares[: max(0, math.floor(victim - 1e-6))] == 0)


@given(histograms, st.floats(0, 1))
def test_a_trim_thins_by_its_share(histogram, trimmed):
    left = trim_recovery.trimmed_block_shares(histogram, trimmed_fraction=trimmed)
    shares, valid = np.array(histogram) / sum(histogram), np.arange(len(histogram))
    assert left.sum() == pytest.approx(1)
    assert valid @ left == pytest.approx((1 - trimmed) * (valid @ shares), abs=1e-9)


@given(histograms, st.floats(0, 0.9), st.floats(0, 0.9))
def test_two_trims_are_one(histogram, first, second):
    trim = trim_recovery.trimmed_block_shares
    twice = trim(trim(histogram, trimmed_fraction=first), trimmed_fraction=second)
    at_once = trim(histogram, trimmed_fraction=1 - (1 - first) * (1 - second))
    np.testing.assert_allclose(twice, at_once, atol=1e-9)


def test_a_binomial_by_hand():
    got = trim_recovery.trimmed_block_shares([0, 0, 0, 1], trimmed_fraction=0.2)
    by_hand = [math.comb(3, j) * 0.8**j * 0.2 ** (3 - j) for j in range(4)]
    np.testing.assert_allclose(got, by_hand, rtol=1e-12)


@given(histograms, st.floats(1, 1e6), st.floats(0, 1))
def test_collection_frees_what_was_asked_for(histogram, blocks, share):
    pages = len(histogram) - 1
    shares = np.array(histogram) / sum(histogram)
    invalid = blocks * (pages - np.arange(pages + 1)) @ shares
    moved, erased = trim_recovery.idle_collection(
        histogram, blocks=blocks, freed_pages=share * invalid
    )
    assert erased * pages - moved == pytest.approx(share * invalid, rel=1e-9, abs=1e-9)
    assert 0 <= moved <= erased * pages * (1 + 1e-12)


@settings(max_examples=50)
@given(histograms, st.floats(0.1, 0.9))
def test_no_other_choice_moves_fewer_pages(histogram, share):
    """Against a linear programme over all blocks."""
    from scipy.optimize import linprog

    pages = len(histogram) - 1
    shares, valid = np.array(histogram) / sum(histogram), np.arange(pages + 1.0)
    room = share * (pages - valid) @ shares
    moved, _ = trim_recovery.idle_collection(histogram, blocks=1, freed_pages=room)
    best = linprog(valid, A_ub=[valid - pages], b_ub=[-room], bounds=[(0, s) for s in shares])
    assert moved == pytest.approx(best.fun, rel=1e-6, abs=1e-6)


def test_more_room_than_there_is_cannot_be_made():
    with pytest.raises(DomainError, match=r"^freed_pages must be <= 100, the invalid pages"):
        trim_recovery.idle_collection([0.25, 0.5, 0.25], blocks=100, freed_pages=101)


def test_after_a_full_trim_blocks_are_only_erased():
    """1 TB, 64 dies, 4 MiB blocks, 4 ms: about 16 s."""
    empty = trim_recovery.trimmed_block_shares([0, 0.5, 0.5], trimmed_fraction=1.0)
    blocks = 1024 * 2**30 / (4 * 2**20)
    moved, erased = trim_recovery.idle_collection(empty, blocks=blocks, freed_pages=2 * blocks)
    assert (moved, erased) == (0, blocks)
    seconds = trim_recovery.restore_s(
        moved, program_page_s=3e-4, copy_page_s=3e-5, erased_blocks=erased, erase_s=4e-3, dies=64
    )
    assert seconds == pytest.approx(16.4, abs=0.05)


@given(st.floats(0, 1e8), st.floats(1e-6, 1e-2), st.floats(0, 1e6), st.floats(1e-4, 1e-1))
def test_dies_share_the_work(moved, copy_s, erased, erase_s):
    work = {
        "program_page_s": copy_s,
        "copy_page_s": copy_s / 2,
        "erased_blocks": erased,
        "erase_s": erase_s,
    }
    alone = trim_recovery.restore_s(moved, **work, dies=1)
    assert alone == pytest.approx(moved * 1.5 * copy_s + erased * erase_s)
    assert trim_recovery.restore_s(moved, **work, dies=16) == pytest.approx(alone / 16)


IDLE = {"pages_per_block": 64, "user_pages": 1e6, "trimmed_fraction": 0.5}


@pytest.mark.parametrize(
    ("formula", "first", "rest", "statement"),
    [
        ("greedy_block_shares", 0.28, {"pages_per_block": 5000}, "^pages_per_block must be one"),
        ("greedy_block_shares", 0.0, {"pages_per_block": 64}, "^op_ratio must be > 0"),
        ("greedy_block_shares", 0.28, {"pages_per_block": 1.5}, "^pages_per_block must be a whole"),
        ("trimmed_block_shares", [1.0], {"trimmed_fraction": 0.5}, "^block_shares must be 2 to"),
        ("trimmed_block_shares", [0, 0], {"trimmed_fraction": 0.5}, "^block_shares must be pos"),
        ("trimmed_block_shares", [1, -1], {"trimmed_fraction": 0.5}, "^block_shares must be >= 0"),
        ("trimmed_block_shares", [1, 1], {"trimmed_fraction": 1.5}, "^trimmed_fraction must be"),
        ("idle_collection", [1, 1], {"blocks": 0, "freed_pages": 0}, "^blocks must be > 0"),
        ("idle_work", 0.28, IDLE | {"user_pages": 0}, "^user_pages must be > 0"),
        ("idle_work", 0.28, IDLE | {"pages_per_block": 1.5}, "^pages_per_block must be a whole"),
        ("idle_work", 0.28, IDLE | {"trimmed_fraction": 2}, "^trimmed_fraction must be"),
        ("idle_work", 0, IDLE, "^op_ratio must be > 0"),
        ("idle_collection", [1, 1], {"blocks": 1, "freed_pages": -1}, "^freed_pages must be >= 0"),
    ],
)
def test_names_the_argument_outside_its_domain(formula, first, rest, statement):
    with pytest.raises(DomainError, match=statement):
        getattr(trim_recovery, formula)(first, **rest)
