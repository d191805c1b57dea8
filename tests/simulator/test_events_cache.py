"""Bursts into a cache of one bit per cell, against the arithmetic of rates and sizes.

A program of four pages takes its transfer and its time on one of eight dies with a channel each:
the rates of the cache, of dense cells and of folding are exact. A burst ends when its last page is
accepted, so the buffer of 64 pages shortens it by at most what the buffer holds.
"""

import math

import pytest

from models.simulator.events import Config, SlcCache, run

DIES, UNIT, TX = 8, 4, 2e-6
SLC_S, DENSE_S, READ_S = 250e-6, 900e-6, 40e-6
SLC_RATE = DIES * UNIT / (SLC_S + UNIT * TX)
DENSE_RATE = DIES * UNIT / (DENSE_S + UNIT * TX)
FOLD_RATE = DIES * UNIT / (READ_S + DENSE_S + 2 * UNIT * TX)
CACHE = 60_000
DRIVE = {
    "dies": DIES, "channels": DIES, "read_s": 50e-6, "program_s": DENSE_S, "transfer_s": TX,
    "link_s": 1e-6, "pages_per_program": UNIT, "buffer_pages": 64, "writers": 32,
    "writes": "sequential",
}  # fmt: skip


def bursts(pages, period_s=math.inf, *, seconds=20.0, **cache):
    slc = SlcCache(program_s=SLC_S, read_s=READ_S, **cache)
    return run(
        Config(
            **DRIVE, slc=slc, burst_pages=pages, burst_period_s=period_s, measured_s=seconds,
        )
    )  # fmt: skip


@pytest.mark.parametrize("room", [{"static_pages": CACHE}, {"free_pages": 3 * CACHE}], ids=str)
def test_a_burst_that_fits_runs_at_the_speed_of_the_cache(room):
    result = bursts(50_000, folding="never", **room)
    assert result.bursts_s == pytest.approx([50_000 / SLC_RATE], rel=3e-3)
    assert result.copies == 0
    assert sum(result.die_busy_s["program"]) == 0


def test_what_does_not_fit_goes_to_dense_cells():
    result = bursts(150_000, static_pages=CACHE, folding="never")
    expected = CACHE / SLC_RATE + (150_000 - CACHE) / DENSE_RATE
    assert result.bursts_s == pytest.approx([expected], rel=3e-3)
    programs = result.host_pages / UNIT
    dense = sum(result.die_busy_s["program"]) / (DENSE_S + UNIT * TX)
    slc = sum(result.die_busy_s["slc program"]) / (SLC_S + UNIT * TX)
    assert slc == pytest.approx(CACHE / UNIT, rel=1e-9)
    assert slc + dense == pytest.approx(programs, rel=1e-9)


def test_a_full_fixed_cache_folds_one_page_for_each_that_comes():
    result = bursts(150_000, static_pages=CACHE, folding="never", when_full="fold")
    expected = CACHE / SLC_RATE + (150_000 - CACHE) * (1 / SLC_RATE + 1 / FOLD_RATE)
    assert result.bursts_s == pytest.approx([expected], rel=5e-3)


def test_a_full_cache_in_free_cells_folds_more_pages_than_come():
    """A page folded into a cell of three bits leaves room for two thirds of a page."""
    result = bursts(150_000, free_pages=3 * CACHE, folding="never", when_full="fold")
    late = (150_000 - CACHE) * (1 / SLC_RATE + 1.5 / FOLD_RATE)
    assert result.bursts_s == pytest.approx([CACHE / SLC_RATE + late], rel=5e-3)


def test_idle_folding_empties_the_cache_between_bursts():
    size = 40_000
    period = 1.05 * size * (1 / SLC_RATE + 1 / FOLD_RATE)
    result = bursts(size, period, static_pages=CACHE, seconds=math.floor(20 * period))
    assert len(result.bursts_s) >= 19
    assert result.bursts_s == pytest.approx(size / SLC_RATE, rel=3e-3)
    assert result.copies == pytest.approx(result.host_pages, abs=size)


def test_bursts_that_leave_too_little_time_fill_the_cache():
    """First slow burst, then a steady time with part of each burst in dense cells."""
    size, period = 40_000, 1.35
    assert size * (1 / SLC_RATE + 1 / FOLD_RATE) > period
    net = size - FOLD_RATE * (period - size / SLC_RATE)
    first_slow = math.ceil((CACHE - size) / net) + 1
    result = bursts(size, period, static_pages=CACHE, seconds=54.0)
    slow = result.bursts_s > 1.01 * size / SLC_RATE
    assert slow.tolist().index(True) + 1 == first_slow
    gain = 1 / SLC_RATE - 1 / DENSE_RATE
    steady = (size / DENSE_RATE + FOLD_RATE * period * gain) / (1 + FOLD_RATE * gain)
    assert result.bursts_s[-10:] == pytest.approx(steady, rel=5e-3)


def test_idle_folding_waits_for_the_idle_time():
    copies = [
        bursts(10_000, static_pages=CACHE, idle_s=idle, seconds=10.0).copies for idle in (5.0, 15.0)
    ]
    assert copies == [10_000, 0]


def test_folding_at_any_time_keeps_a_small_cache_free_below_the_sustainable_rate():
    sustainable = 1 / (1 / SLC_RATE + 1 / FOLD_RATE)
    slc = SlcCache(program_s=SLC_S, read_s=READ_S, static_pages=400, folding="always")
    drive = DRIVE | {"writers": 0, "slc": slc, "measured_s": 10.0}
    below, above = (run(Config(**drive, write_iops=share * sustainable)) for share in (0.9, 1.05))
    assert sum(below.die_busy_s["program"]) == 0
    assert below.writes.max_s < 20e-6
    assert sum(above.die_busy_s["program"]) > 1
