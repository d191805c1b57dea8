"""End of life against drives that are drawn block by block, and against its own laws."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from models import end_of_life, registry
from models.block_endurance import (
    normal_cycles,
    normal_worn_fraction,
    weibull_cycles,
    weibull_worn_fraction,
)
from models.errors import DomainError
from models.write_amplification import fifo

SPARE = (0.02, 0.07, 0.2)


def weibull(cycles, shape=8.0, scale=1.0):
    return weibull_worn_fraction(cycles, scale_cycles=scale, weibull_shape=shape)


def normal(cycles):
    return normal_worn_fraction(cycles, mean_cycles=5000, endurance_cv=0.15)


# Drawn drives ------------------------------------------------------------------------------


@cache
def drawn_lives(shape, blocks, drives):
    """Cycles at which each drawn drive has one worn-out block more than spare ones."""
    endurance = np.random.default_rng(5).weibull(shape, (drives, blocks))
    places = [round(spare * blocks) for spare in SPARE]
    endurance.partition(places, axis=1)
    return dict(zip(SPARE, endurance[:, places].T, strict=True))


DRAWN = [(300, 8_000), (4_000, 2_500)]  # blocks, drives
WEAR_CVS = [0.05, 0.2, 0.3]
OP_RATIOS = [0.07, 0.28, 1.0]


def test_the_drawn_drives_span_what_the_formulas_are_said_to_hold_for():
    stated = {name: registry.CHECKED[name].ranges for name in (
        "end_of_life_cycles", "end_of_life_sd_cycles", "uneven_worn_fraction",
        "shrinking_drive_fills",
    )}  # fmt: skip
    blocks = [blocks for blocks, _ in DRAWN]
    of_blocks = {"spare_block_fraction": ends(SPARE), "blocks": ends(blocks)}
    assert stated["end_of_life_cycles"] == stated["end_of_life_sd_cycles"] == of_blocks
    assert stated["uneven_worn_fraction"] == {"wear_cv": ends(WEAR_CVS)}
    assert stated["shrinking_drive_fills"] == {"op_ratio": ends(OP_RATIOS)}


def ends(values):
    return min(values), max(values)


@pytest.mark.parametrize("spare", SPARE)
@pytest.mark.parametrize(("blocks", "drives"), DRAWN)
def test_quantiles_of_drawn_drives(blocks, drives, spare):
    """The middle to 0.1 %, the ends to what so few drives allow."""
    error = registry.CHECKED["end_of_life_cycles"].error
    lives = drawn_lives(8.0, blocks, drives)[spare]
    low, middle, high = end_of_life.end_of_life_cycles(
        [0.05, 0.5, 0.95], spare_block_fraction=spare, blocks=blocks, block_law=weibull
    )
    assert middle == pytest.approx(np.median(lives), rel=error)
    noise = 4 * np.sqrt(0.05 * 0.95 / drives)
    assert np.mean(lives < low) == pytest.approx(0.05, abs=noise)
    assert np.mean(lives < high) == pytest.approx(0.95, abs=noise)


@pytest.mark.parametrize("spare", SPARE)
def test_many_blocks_end_at_the_share_of_spare_ones(spare):
    lives = drawn_lives(8.0, 4_000, 2_500)[spare]
    got = weibull_cycles(spare, scale_cycles=1, weibull_shape=8)
    assert got == pytest.approx(lives.mean(), rel=0.001)


@pytest.mark.parametrize("spare", SPARE)
@pytest.mark.parametrize(("blocks", "drives"), DRAWN)
def test_spread_of_drawn_drives(blocks, drives, spare):
    entry = registry.CHECKED["end_of_life_sd_cycles"]
    lives = drawn_lives(8.0, blocks, drives)[spare]
    got = end_of_life.end_of_life_sd_cycles(spare, blocks=blocks, block_law=weibull)
    assert got == pytest.approx(lives.std(), rel=entry.error)


@cache
def drawn_uneven_lives(wear_cv, size=3_000_000):
    draw = np.random.default_rng(9)
    wear = np.maximum(draw.normal(1, wear_cv, size), 1e-9)
    return np.sort(draw.weibull(8.0, size) / wear)


@pytest.mark.parametrize("wear_cv", WEAR_CVS)
@pytest.mark.parametrize("spare", SPARE)
def test_uneven_wear_of_drawn_blocks(wear_cv, spare):
    entry = registry.CHECKED["uneven_worn_fraction"]
    lives = drawn_uneven_lives(wear_cv)
    got = end_of_life.cycles_at(
        spare,
        block_law=lambda cycles: end_of_life.uneven_worn_fraction(
            cycles, wear_cv=wear_cv, block_law=weibull
        ),
    )
    assert got == pytest.approx(lives[int(spare * lives.size)], rel=entry.error)


def test_a_spread_of_wear_of_20_percent_costs_a_tenth():
    uneven = end_of_life.cycles_at(
        0.02,
        block_law=lambda cycles: end_of_life.uneven_worn_fraction(
            cycles, wear_cv=0.2, block_law=weibull
        ),
    )
    even = weibull_cycles(0.02, scale_cycles=1, weibull_shape=8)
    assert 1 - uneven / even == pytest.approx(0.10, abs=0.01)


def drawn_shrinking_fills(op_ratio, shape, least, blocks=100_000):
    """Host writes of a drive, from bad block to bad block; one is drawn of each small class."""
    places = (np.arange(blocks) + np.random.default_rng(2).uniform(size=blocks)) / blocks
    endurance = (-np.log1p(-places)) ** (1 / shape)
    left = (1 + op_ratio) * (1 - np.arange(blocks) / blocks)
    alive = left >= 1 + least
    cycles = np.diff(endurance, prepend=0.0)[alive]
    return np.sum(cycles * left[alive] / fifo(left[alive] - 1))


@pytest.mark.parametrize("op_ratio", OP_RATIOS)
@pytest.mark.parametrize("shape", [4.0, 8.0, 16.0])
def test_a_drawn_drive_loses_its_spare_area(op_ratio, shape):
    entry = registry.CHECKED["shrinking_drive_fills"]
    got = end_of_life.shrinking_drive_fills(
        op_ratio, block_law=lambda cycles: weibull(cycles, shape), wa_law=fifo
    )
    assert got == pytest.approx(drawn_shrinking_fills(op_ratio, shape, 0.02), rel=entry.error)


@pytest.mark.parametrize(("op_ratio", "shape"), [(0.07, 8), (0.28, 8), (1.0, 8), (1.0, 16)])
def test_shrinking_costs_6_to_12_percent_of_host_writes(op_ratio, shape):
    def law(cycles):
        return weibull(cycles, shape)

    got = end_of_life.shrinking_drive_fills(op_ratio, block_law=law, wa_law=fifo)
    last = end_of_life.cycles_at((op_ratio - 0.02) / (1 + op_ratio), block_law=law)
    assert 0.06 < 1 - got * fifo(op_ratio) / ((1 + op_ratio) * last) < 0.12


# Laws --------------------------------------------------------------------------------------


@given(st.floats(1e-6, 1 - 1e-6), st.floats(-3, 6), st.floats(1, 30))
@settings(max_examples=50)
def test_bisection_finds_what_the_closed_form_says(share, magnitude, shape):
    scale = 10**magnitude
    got = end_of_life.cycles_at(
        share, block_law=lambda cycles: weibull(cycles, shape=shape, scale=scale)
    )
    exact = weibull_cycles(share, scale_cycles=scale, weibull_shape=shape)
    assert got == pytest.approx(exact, rel=1e-9)


def test_the_inverse_of_the_normal_law():
    shares = np.array([[0.001, 0.02], [0.5, 0.99]])
    got = end_of_life.cycles_at(shares, block_law=normal)
    expected = normal_cycles(shares, mean_cycles=5000, endurance_cv=0.15)
    np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_a_law_that_never_gets_there_takes_for_ever():
    got = end_of_life.cycles_at([0, 0.3, 0.6], block_law=lambda cycles: 0.5 * weibull(cycles))
    assert got[0] == 0
    assert 0 < got[1] < np.inf
    assert got[2] == np.inf


@pytest.mark.parametrize("wear_cv", [0.01, 0.1, 0.25])
@pytest.mark.parametrize("cycles", [2000.0, 4000.0, 5000.0])
def test_uneven_wear_is_the_mean_of_the_law(wear_cv, cycles):
    exact, _ = quad(
        lambda x: normal(cycles * max(0.0, 1 + wear_cv * x)) * norm.pdf(x), -9, 9, epsabs=1e-12,
        limit=400,
    )  # fmt: skip
    got = end_of_life.uneven_worn_fraction(cycles, wear_cv=wear_cv, block_law=normal)
    assert got == pytest.approx(exact, rel=1e-5)


def test_without_spare_blocks_the_first_bad_one_is_the_end():
    """The first of N lasts until E with probability (1 - F(E))^N."""
    got = end_of_life.end_of_life_cycles(
        [0.05, 0.5, 0.95], spare_block_fraction=0, blocks=512, block_law=weibull
    )
    np.testing.assert_allclose(1 - (1 - weibull(got)) ** 512, [0.05, 0.5, 0.95], rtol=1e-9)


@pytest.mark.parametrize(("spare", "blocks", "lost"), [(0.29, 100, 30), (0.07, 100, 8)])
def test_a_share_of_blocks_is_a_whole_number_of_them(spare, blocks, lost):
    """0.29 x 100 is 28.999999999999996: yet 29 blocks may be lost, the 30th ends it."""
    got = end_of_life.end_of_life_cycles(
        0.5, spare_block_fraction=spare, blocks=blocks, block_law=lambda cycles: cycles
    )
    assert got == pytest.approx((lost - 1 / 3) / (blocks + 1 / 3), rel=1e-3)


def test_more_spare_blocks_and_more_quantile_last_longer():
    quantiles, spare = np.array([[0.05], [0.5], [0.95]]), np.linspace(0.01, 0.3, 9)
    got = end_of_life.end_of_life_cycles(
        quantiles, spare_block_fraction=spare, blocks=1000, block_law=weibull
    )
    assert np.all(np.diff(got, axis=0) > 0)
    assert np.all(np.diff(got, axis=1) > 0)


def test_blocks_that_are_alike_lose_nothing_to_shrinking():
    got = end_of_life.shrinking_drive_fills(
        0.28, block_law=lambda cycles: weibull(cycles, shape=1e4), wa_law=fifo
    )
    assert got == pytest.approx(1.28 / fifo(0.28), rel=0.001)


def test_a_drive_without_spare_area_to_lose_is_at_its_end():
    got = end_of_life.shrinking_drive_fills([0.01, 0.28], block_law=weibull, wa_law=fifo)
    assert got[0] == 0 < got[1]


@pytest.mark.parametrize("bad", [0.0, 1.0, 1.5])
def test_quantiles_of_drives_lie_inside(bad):
    with pytest.raises(DomainError, match=r"^quantile must be in "):
        end_of_life.end_of_life_cycles(
            bad, spare_block_fraction=0.02, blocks=100, block_law=weibull
        )
    with pytest.raises(DomainError, match=r"^spare_block_fraction must be in "):
        end_of_life.end_of_life_sd_cycles(bad, blocks=100, block_law=weibull)
