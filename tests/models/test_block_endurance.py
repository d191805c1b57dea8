"""Laws of block endurance: their definitions, their inverses, and drawn blocks."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import block_endurance as law
from models import registry

shares = st.floats(1e-9, 1 - 1e-9)
scales = st.floats(1e2, 1e6)
shapes = st.floats(0.5, 40)


@given(shares, scales, shapes)
def test_weibull_cycles_invert_the_worn_fraction(share, scale, shape):
    known = {"scale_cycles": scale, "weibull_shape": shape}
    cycles = law.weibull_cycles(share, **known)
    assert law.weibull_worn_fraction(cycles, **known) == pytest.approx(share, rel=1e-9)


@given(st.floats(1e-3, 1 - 1e-9), scales, st.floats(0.01, 0.25))
def test_normal_cycles_invert_the_worn_fraction(share, mean, spread):
    known = {"mean_cycles": mean, "endurance_cv": spread}
    cycles = law.normal_cycles(share, **known)
    assert law.normal_worn_fraction(cycles, **known) == pytest.approx(share, rel=1e-9)


@pytest.mark.parametrize("share", [1e-12, 0.02, 0.5, 0.999])
def test_both_laws_by_their_definitions(share):
    with mpmath.workdps(40):
        part = mpmath.mpf(share)
        weibull = 5000 * (-mpmath.log(1 - part)) ** (mpmath.mpf(1) / 8)
        normal = 5000 * (1 + mpmath.mpf("0.1") * mpmath.sqrt(2) * mpmath.erfinv(2 * part - 1))
    got = law.weibull_cycles(share, scale_cycles=5000, weibull_shape=8)
    assert got == pytest.approx(float(weibull), rel=1e-12)
    got = law.normal_cycles(share, mean_cycles=5000, endurance_cv=0.1)
    assert got == pytest.approx(float(normal), rel=1e-9)


def test_two_percent_spare_last_for_two_thirds_of_the_mean():
    """Shape 8: the end of life at 0.65 of the mean, the first of many blocks at a third of it."""
    known = {"scale_cycles": 1, "weibull_shape": 8}
    mean = law.weibull_first_block_cycles(1, weibull_shape=8, blocks=1)
    assert mean == pytest.approx(math.gamma(1.125), rel=1e-14)
    assert law.weibull_cycles(0.02, **known) / mean == pytest.approx(0.65, abs=0.005)
    first = law.weibull_first_block_cycles(1, weibull_shape=8, blocks=[4_096, 16_384])
    assert 0.295 < first[1] / mean < first[0] / mean < 0.36


def test_a_normal_law_has_no_negative_cycles():
    assert law.normal_cycles(1e-6, mean_cycles=5000, endurance_cv=0.5) == 0


def test_all_blocks_are_worn_out_only_after_endless_cycles():
    assert law.weibull_cycles(1, scale_cycles=5000, weibull_shape=8) == math.inf
    assert law.normal_cycles(1, mean_cycles=5000, endurance_cv=0.1) == math.inf


@pytest.mark.parametrize("shape", [8.0, 20.0])
def test_the_first_block_of_drawn_drives(shape):
    entry = registry.CHECKED["weibull_first_block_cycles"]
    draw = np.random.default_rng(3)
    first = np.concatenate([draw.weibull(shape, (10_000, 256)).min(axis=1) for _ in range(4)])
    got = law.weibull_first_block_cycles(1, weibull_shape=shape, blocks=256)
    assert got == pytest.approx(first.mean(), rel=entry.error)
    assert shape in entry.ranges["weibull_shape"]
