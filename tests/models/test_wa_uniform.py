"""Uniform random writes: high precision, slow twins, simulated drives and laws."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import DomainError
from models.write_amplification import (
    d_choices,
    fifo,
    fifo_op_ratio,
    greedy,
    greedy_op_ratio,
    random_victim,
)
from tests import naive_choices, naive_greedy

ratios = st.floats(-9, 6).map(lambda exponent: 10.0**exponent)
usual_ratios = st.floats(0.01, 3)
block_sizes = st.integers(1, 600)
ROUNDING = 1e-14


def fifo_by_lambert_w(op_ratio: float) -> mpmath.mpf:
    """The defining expression, with 60 digits: near p = 0 it loses twice the digits of p."""
    with mpmath.workdps(60):
        alpha = 1 + mpmath.mpf(op_ratio)
        return alpha / (alpha + mpmath.lambertw(-alpha * mpmath.exp(-alpha), 0).real)


def error(got: float, exact: mpmath.mpf) -> float:
    return float(abs(mpmath.mpf(got) - exact) / exact)


@settings(max_examples=400)
@given(ratios)
def test_fifo_is_its_lambert_w_form_to_1e_13(op_ratio):
    assert error(fifo(op_ratio), fifo_by_lambert_w(op_ratio)) < 1e-13


SEAM = 0.02
GRID = np.concatenate(
    [
        np.geomspace(1e-9, SEAM, 60),
        SEAM * (1 + np.linspace(-1e-2, 1e-2, 41)),
        [np.nextafter(SEAM, 0), np.nextafter(SEAM, 1)],
        np.linspace(0.021, 1, 100),
        np.linspace(1, 40, 200),  # two Newton steps alone are off by 4e-13 near 5
        np.geomspace(40, 1e6, 20),
    ]
)


def test_fifo_holds_1e_13_on_a_grid_through_every_branch():
    errors = [error(got, fifo_by_lambert_w(p)) for p, got in zip(GRID, fifo(GRID), strict=True)]
    assert max(errors) < 1e-13


def test_fifo_passes_the_seam_between_series_and_newton_without_a_step():
    below, above = fifo([np.nextafter(SEAM, 0), SEAM])
    assert above == pytest.approx(below, rel=1e-13)


@given(ratios)
def test_fifo_solves_its_defining_equation(op_ratio):
    alive = 1 - 1 / fifo(op_ratio)  # valid share v of a cleaned block
    with mpmath.workdps(40):
        solved = mpmath.exp(-(1 + mpmath.mpf(op_ratio)) * (1 - mpmath.mpf(alive)))
        assert float(solved) == pytest.approx(alive, abs=1e-13)


@given(st.floats(1.0001, 1e3))
def test_fifo_inverts_the_explicit_spare_area(wa):
    op_ratio = -wa * np.log1p(-1 / wa) - 1
    assert fifo(op_ratio) == pytest.approx(wa, rel=1e-9)


@given(ratios, ratios)
def test_fifo_falls_with_spare_area_and_never_below_one(a, b):
    assert fifo(max(a, b)) <= fifo(min(a, b)) * (1 + 1e-14)
    assert fifo(a) >= 1


def test_fifo_limits():
    assert fifo(1e-9) == pytest.approx(0.5e9, rel=1e-8)
    assert fifo(np.inf) == 1


# The mean field against a page-level simulation of greedy cleaning: 4 million pages, uniform
# random overwrites, one log (batch standard error 1e-4); columns are pages per block.
SIZES = (16, 64, 128, 256, 512)
SIMULATED_GREEDY = {
    0.07: (5.3281, 7.0093, 7.3912, 7.5973, 7.7055),
    0.09: (4.6647, 5.7153, 5.9604, 6.0918, 6.1617),
    0.127: (3.6971, 4.3326, 4.4700, 4.5422, 4.5795),
    0.15: (3.2842, 3.8001, 3.9047, 3.9597, 3.9879),
    0.2: (2.7160, 3.0529, 3.1185, 3.1527, 3.1703),
    0.28: (2.2026, 2.4028, 2.4413, 2.4612, 2.4713),
    0.4: (1.7796, 1.9101, 1.9332, 1.9452, 1.9510),
    0.5: (1.5853, 1.6806, 1.6983, 1.7069, 1.7114),
    1.0: (1.1964, 1.2389, 1.2471, 1.2511, 1.2531),
}
# The same simulation cleaning the oldest block first, 64 pages per block.
SIMULATED_FIFO = {
    0.07: 7.8171,
    0.09: 6.2324,
    0.127: 4.6177,
    0.15: 4.0160,
    0.2: 3.1873,
    0.28: 2.4812,
    0.4: 1.9570,
    0.5: 1.7158,
    1.0: 1.2550,
}


@pytest.mark.parametrize("op_ratio", SIMULATED_GREEDY)
def test_greedy_agrees_with_simulation_to_0_05_percent(op_ratio):
    got = greedy(op_ratio, pages_per_block=SIZES)
    np.testing.assert_allclose(got, SIMULATED_GREEDY[op_ratio], rtol=5e-4)


@pytest.mark.parametrize("op_ratio", SIMULATED_FIFO)
def test_fifo_agrees_with_simulation_to_0_05_percent(op_ratio):
    assert fifo(op_ratio) == pytest.approx(SIMULATED_FIFO[op_ratio], rel=5e-4)


@settings(deadline=None)
@given(st.floats(-4, 1).map(lambda exponent: 10.0**exponent), block_sizes)
def test_greedy_agrees_with_its_slow_twin(op_ratio, pages):
    exact = naive_greedy.write_amplification(op_ratio, pages)
    # 1 + p keeps p to 1e-16 only, so rounding weighs in proportion to WA, near 1/(2p).
    tolerance = 1e-13 + 4e-15 * exact
    assert greedy(op_ratio, pages_per_block=pages) == pytest.approx(exact, rel=tolerance)


@pytest.mark.parametrize("pages", [2048, 4096])
@pytest.mark.parametrize("op_ratio", [0.01, 0.07, 0.28, 1.0])
def test_greedy_agrees_with_its_slow_twin_for_superblocks(op_ratio, pages):
    exact = naive_greedy.write_amplification(op_ratio, pages)
    assert greedy(op_ratio, pages_per_block=pages) == pytest.approx(exact, rel=1e-12)


@given(usual_ratios, block_sizes)
def test_greedy_satisfies_its_equation(op_ratio, pages):
    wa = greedy(op_ratio, pages_per_block=pages)
    valid = pages * (1 - 1 / wa)
    harmonic = np.append(0, np.cumsum(1 / np.arange(1.0, pages + 1)))
    if wa < 1 + ROUNDING:
        assert 1 + op_ratio >= harmonic[-1] * (1 - 1e-12)
        return
    left = harmonic[-1] - np.interp(valid, np.arange(pages + 1), harmonic)
    assert left == pytest.approx((1 + op_ratio) * (1 - valid / pages), rel=1e-9)


@given(usual_ratios, block_sizes)
def test_greedy_is_at_most_fifo(op_ratio, pages):
    assert greedy(op_ratio, pages_per_block=pages) <= fifo(op_ratio) * (1 + 1e-12)


@given(usual_ratios, block_sizes, block_sizes)
def test_greedy_rises_with_the_block(op_ratio, a, b):
    small, large = greedy(op_ratio, pages_per_block=[min(a, b), max(a, b)])
    assert small <= large * (1 + 1e-12)
    if min(a, b) < max(a, b) and small > 1 + ROUNDING:
        assert small < large


@given(usual_ratios, usual_ratios, block_sizes)
def test_greedy_falls_with_spare_area(a, b, pages):
    little, much = greedy([min(a, b), max(a, b)], pages_per_block=pages)
    assert 1 <= much <= little * (1 + 1e-12)
    if max(a, b) > min(a, b) * 1.001 and little > 1 + ROUNDING:
        assert much < little


@pytest.mark.parametrize("op_ratio", [0.07, 0.28, 1.0, 3.0])
def test_greedy_tends_to_fifo_as_blocks_grow(op_ratio):
    gaps = [fifo(op_ratio) - greedy(op_ratio, pages_per_block=2**k) for k in range(4, 19, 2)]
    assert all(gap > 0 for gap in gaps)
    ratios_of_gaps = np.divide(gaps[3:-1], gaps[4:])  # first order in 1/b
    np.testing.assert_allclose(ratios_of_gaps, 4, rtol=0.15)
    assert gaps[-1] < 1e-4 * fifo(op_ratio)


@pytest.mark.parametrize("pages", [1, 2, 3, 16, 64])
def test_greedy_is_one_once_every_victim_is_empty(pages):
    harmonic = sum(1 / n for n in range(1, pages + 1))
    enough = harmonic - 1
    got = greedy([enough + 1e-9, 1e3, np.inf], pages_per_block=pages)
    np.testing.assert_allclose(got, 1, rtol=1e-15)
    if pages > 1:
        assert greedy(0.99 * enough, pages_per_block=pages) > 1


def test_greedy_moves_a_whole_block_where_there_is_no_spare():
    assert greedy(1e-12, pages_per_block=16) == pytest.approx(16, rel=1e-9)


def test_greedy_takes_arrays_of_blocks_and_ratios_together():
    ratios_axis = np.array([[0.07], [0.28], [1.0]])
    sizes_axis = np.array([16, 64, 16])
    got = greedy(ratios_axis, pages_per_block=sizes_axis)
    apart = [[greedy(float(p), pages_per_block=int(b)) for b in sizes_axis] for (p,) in ratios_axis]
    np.testing.assert_allclose(got, apart, rtol=1e-13)


@pytest.mark.parametrize("pages", [1.5, 2**24 + 1, np.inf])
def test_greedy_refuses_blocks_it_cannot_tabulate(pages):
    with pytest.raises(DomainError, match=r"^pages_per_block must be"):
        greedy(0.28, pages_per_block=pages)


# Cleaning a random block, 64 pages; cleaning the emptiest of 10; as the tables above.
SIMULATED_RANDOM = {
    0.07: 15.2872,
    0.09: 12.1134,
    0.127: 8.8732,
    0.15: 7.6619,
    0.2: 6.0029,
    0.28: 4.5695,
    0.4: 3.4988,
    0.5: 3.0001,
    1.0: 2.0019,
}
SIMULATED_TEN_CHOICES = {
    0.07: (5.9218, 7.3226, 7.6490, 7.8293, 7.9219),
    0.09: (4.9864, 5.9441, 6.1558, 6.2705, 6.3292),
    0.127: (3.9223, 4.4869, 4.6056, 4.6660, 4.6991),
    0.15: (3.4930, 3.9308, 4.0191, 4.0660, 4.0901),
    0.2: (2.8681, 3.1495, 3.2050, 3.2335, 3.2486),
    0.28: (2.3003, 2.4708, 2.5040, 2.5200, 2.5281),
    0.4: (1.8562, 1.9588, 1.9780, 1.9880, 1.9928),
    0.5: (1.6449, 1.7215, 1.7351, 1.7426, 1.7455),
    1.0: (1.2273, 1.2611, 1.2674, 1.2704, 1.2719),
}


@pytest.mark.parametrize("op_ratio", SIMULATED_RANDOM)
def test_random_victim_agrees_with_simulation_to_0_1_percent(op_ratio):
    assert random_victim(op_ratio) == pytest.approx(SIMULATED_RANDOM[op_ratio], rel=1e-3)


def test_d_choices_agree_with_simulation_to_0_03_percent():
    got = d_choices(
        np.array(list(SIMULATED_TEN_CHOICES))[:, None], choices=10, pages_per_block=SIZES
    )
    np.testing.assert_allclose(got, list(SIMULATED_TEN_CHOICES.values()), rtol=3.2e-4)


@settings(deadline=None, max_examples=30)
@given(st.floats(0.01, 5), st.integers(1, 60), st.integers(2, 24))
def test_d_choices_agree_with_their_slow_twin(op_ratio, choices, pages):
    exact = naive_choices.write_amplification(op_ratio, choices, pages)
    got = d_choices(op_ratio, choices=choices, pages_per_block=pages)
    assert got == pytest.approx(exact, rel=1e-11)


@pytest.mark.parametrize("op_ratio", [1e-3, 0.07, 0.28, 1.0, 10.0, 1e3])
def test_one_choice_is_random_and_many_are_greedy(op_ratio):
    one, many, more = d_choices(op_ratio, choices=[1, 1e4, 1e300], pages_per_block=64)
    assert one == pytest.approx(random_victim(op_ratio), rel=1e-12)
    assert many == pytest.approx(greedy(op_ratio, pages_per_block=64), rel=1e-5)
    assert more == pytest.approx(greedy(op_ratio, pages_per_block=64), rel=1e-9)


def test_d_choices_of_blocks_of_one_page_are_refused_with_the_number_that_is_needed():
    for pages in (1, [64, 1]):
        with pytest.raises(DomainError, match=r"^pages_per_block must be >= 2, got 1$"):
            d_choices(0.28, choices=10, pages_per_block=pages)


@settings(deadline=None, max_examples=50)
@given(usual_ratios, st.integers(1, 100), st.integers(2, 128))
def test_more_choices_lie_between_random_and_greedy(op_ratio, choices, pages):
    few, many = d_choices(op_ratio, choices=[choices, choices + 1], pages_per_block=pages)
    assert greedy(op_ratio, pages_per_block=pages) <= many * (1 + 1e-12)
    assert many <= few * (1 + 1e-12)
    assert few <= random_victim(op_ratio) * (1 + 1e-12)


@given(ratios.filter(lambda p: p < 1e3))
def test_random_is_never_better_than_fifo(op_ratio):
    assert fifo(op_ratio) <= random_victim(op_ratio)


@given(st.floats(1.0001, 1e6))
def test_fifo_and_its_inverse_agree(wa):
    assert fifo(fifo_op_ratio(wa)) == pytest.approx(wa, rel=1e-9)


@given(st.floats(1.0001, 1e9))
def test_the_inverse_of_fifo_is_exact(wa):
    with mpmath.workdps(60):
        exact = -mpmath.mpf(wa) * mpmath.log(1 - 1 / mpmath.mpf(wa)) - 1
    assert error(fifo_op_ratio(wa), exact) < 1e-12


@given(st.integers(2, 600), st.floats(0, 1, exclude_max=True))
def test_greedy_and_its_inverse_agree(pages, part):
    wa = 1 + part * (pages - 1) * (1 - 1e-9)
    back = greedy(max(greedy_op_ratio(wa, pages_per_block=pages), 1e-300), pages_per_block=pages)
    assert back == pytest.approx(wa, rel=1e-9)


@given(usual_ratios, st.integers(2, 600))
def test_the_inverse_of_greedy_gives_the_least_spare(op_ratio, pages):
    least = greedy_op_ratio(greedy(op_ratio, pages_per_block=pages), pages_per_block=pages)
    assert least <= op_ratio * (1 + 1e-9)


# Spare area for a write amplification, to the digits printed in the theory of the tables above.
@pytest.mark.parametrize(
    ("wa", "spare"),
    [(1.1, 1.638), (1.25, 1.012), (1.5, 0.648), (2, 0.386), (2.5, 0.277), (3, 0.216), (8, 0.068)],
)
def test_spare_area_for_a_target(wa, spare):
    assert fifo_op_ratio(wa) == pytest.approx(spare, abs=5.1e-4)


def test_the_inverses_refuse_what_cannot_be_reached():
    for wa in (0.9, 1.0):
        with pytest.raises(DomainError, match=r"^wa must be > 1"):
            fifo_op_ratio(wa)
    for wa in (0.9, 16.0):
        with pytest.raises(DomainError, match=r"^wa must be in \[1, pages_per_block\)"):
            greedy_op_ratio(wa, pages_per_block=16)
    assert greedy_op_ratio(1.0, pages_per_block=1.0 * 4) == pytest.approx(
        1 + 1 / 2 + 1 / 3 + 1 / 4 - 1
    )
