"""Years of a horizon: whole ones, the part of the last, and sums by year."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import cost
from models.errors import DomainError
from models.units import YEAR_S

horizons = st.floats(0.01, 40).map(lambda years: years * YEAR_S)


def years_of(horizon_s):
    return np.arange(1.0, np.ceil(horizon_s / YEAR_S) + 1)


@given(horizons)
def test_parts_add_up_to_the_horizon_and_end_with_it(horizon_s):
    years = years_of(horizon_s)
    length = cost.year_length_s(years, horizon_s=horizon_s)
    assert np.sum(length) == pytest.approx(horizon_s, rel=1e-12)
    end = cost.year_end_s(years, horizon_s=horizon_s)
    np.testing.assert_allclose(end, np.cumsum(length), rtol=1e-12)
    middle = cost.mid_year_s(years, horizon_s=horizon_s)
    np.testing.assert_allclose(middle, end - np.asarray(length) / 2, rtol=1e-9)


def test_of_four_and_a_half_years_the_fifth_counts_half():
    years, horizon_s = np.arange(1.0, 8.0), 4.5 * YEAR_S
    part = cost.year_part(years, horizon_s=horizon_s)
    np.testing.assert_allclose(part, [1, 1, 1, 1, 0.5, 0, 0])
    middle = cost.mid_year_s(years[:5], horizon_s=horizon_s)
    np.testing.assert_allclose(middle / YEAR_S, [0.5, 1.5, 2.5, 3.5, 4.25])


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=20))
def test_increases_by_year_and_the_sum_over_years_are_inverse(numbers):
    rising = np.cumsum(numbers)
    yearly = cost.by_year(rising)
    np.testing.assert_allclose(np.cumsum(yearly), rising, rtol=1e-12)
    assert cost.all_years(yearly) == pytest.approx(rising[-1], rel=1e-12)


def test_what_rounding_takes_off_is_no_cost():
    assert cost.by_year([1.0, 1.0 - 1e-16, 2.0]).tolist() == [1.0, 0.0, 1.0]


def test_years_lie_along_the_first_axis():
    told = np.array([[1.0, 10.0], [3.0, 10.0]])
    np.testing.assert_array_equal(cost.by_year(told), [[1, 10], [2, 0]])
    np.testing.assert_array_equal(cost.all_years(told), [4, 20])


@pytest.mark.parametrize("name", ["by_year", "all_years"])
def test_refuses_what_is_not_finite(name):
    argument = {"by_year": "cumulative", "all_years": "yearly"}[name]
    with pytest.raises(DomainError, match=rf"^{argument} must be finite"):
        getattr(cost, name)([1.0, np.inf])
