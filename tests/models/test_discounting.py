"""Discounting: printed present values, annuities and their inverses, and what is even."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import cost
from models.errors import DomainError
from models.units import YEAR_S

rates = st.floats(1e-6, 1.0)
years = st.floats(0.1, 40)
amounts = st.floats(0, 1e9)


@given(amounts, rates, st.integers(1, 40))
def test_an_annuity_and_its_present_value_are_inverse(annual, rate, horizon):
    """The same cost at the end of each year, discounted one by one."""
    npv = sum(
        cost.present_usd(annual, discount_rate=rate, time_s=k * YEAR_S)
        for k in range(1, horizon + 1)
    )
    back = cost.equivalent_usd_per_year(npv, discount_rate=rate, horizon_s=horizon * YEAR_S)
    assert back == pytest.approx(annual, rel=1e-9, abs=1e-9)


@given(amounts, years)
def test_without_interest_the_annual_cost_is_the_share_of_a_year(npv, horizon):
    within = {"horizon_s": horizon * YEAR_S}
    flat = cost.equivalent_usd_per_year(npv, discount_rate=0.0, **within)
    assert flat == pytest.approx(npv / horizon, rel=1e-12)
    near = cost.equivalent_usd_per_year(npv, discount_rate=1e-9, **within)
    assert near == pytest.approx(flat, rel=1e-7)
    for rate in (1e-99, 1e-310, 5e-324):
        least = cost.equivalent_usd_per_year(npv, discount_rate=rate, **within)
        assert least == pytest.approx(flat, rel=1e-12)


def test_annuity_factors_of_the_textbooks():
    """(A/P, 8 %, n) of interest tables: 5 years 0.25046, 10 years 0.14903, 20 years 0.10185."""
    for horizon, factor in ((5, 0.25046), (10, 0.14903), (20, 0.10185)):
        got = cost.equivalent_usd_per_year(1.0, discount_rate=0.08, horizon_s=horizon * YEAR_S)
        assert got == pytest.approx(factor, abs=5e-6)


def present_total(costs, *, discount_rate, horizon_s):
    """Discount costs of years in the middle of each, the last of which may be a part."""
    costs = np.asarray(costs)
    years = np.arange(1.0, len(costs) + 1).reshape(-1, *(1,) * (costs.ndim - 1))
    due_s = cost.mid_year_s(years, horizon_s=horizon_s)
    factors = cost.discount_factor(discount_rate, time_s=due_s)
    return cost.present_total_usd(costs, discount_factor=factors)


@given(st.lists(amounts, min_size=1, max_size=12), rates, st.floats(0.01, 1))
def test_the_total_is_the_sum_of_years_due_in_their_middle(costs, rate, last):
    horizon = len(costs) - 1 + last
    due = [k + 0.5 for k in range(len(costs) - 1)] + [len(costs) - 1 + last / 2]
    wanted = math.fsum(cost * (1 + rate) ** -t for cost, t in zip(costs, due, strict=True))
    got = present_total(costs, discount_rate=rate, horizon_s=horizon * YEAR_S)
    assert got == pytest.approx(wanted, rel=1e-11, abs=1e-9)


@given(st.lists(amounts, min_size=3, max_size=3), st.lists(amounts, min_size=3, max_size=3), rates)
def test_present_values_are_linear_in_prices(one, other, rate):
    def total(costs):
        return present_total(costs, discount_rate=rate, horizon_s=3 * YEAR_S)

    both = total(2 * np.array(one) + np.array(other))
    assert both == pytest.approx(2 * total(one) + total(other), rel=1e-12, abs=1e-9)


def test_without_interest_nothing_is_discounted():
    assert cost.present_usd(5.0, discount_rate=0.0, time_s=1e9) == 5.0
    within = {"discount_rate": 0.0, "horizon_s": 2 * YEAR_S}
    assert present_total([1.0, 2.0], **within) == 3.0


def test_years_come_first_and_rates_broadcast_behind_them():
    costs = np.array([[100.0, 1.0], [100.0, 2.0]])
    got = present_total(costs, discount_rate=[0.0, 0.08], horizon_s=2 * YEAR_S)
    assert got[0] == 200.0
    assert got[1] == pytest.approx(1.08**-0.5 + 2 * 1.08**-1.5)


@pytest.mark.parametrize("costs", [[1.0], [1.0, 1.0, 1.0]])
def test_refuses_costs_of_other_years_than_there_are_factors(costs):
    with pytest.raises(DomainError, match=r"^yearly_usd must be of 2 years, got"):
        cost.present_total_usd(costs, discount_factor=[0.96, 0.9])


@given(
    st.floats(1, 1e5), st.floats(1, 1e6), st.floats(0, 1e6), st.floats(0, 1e6), st.floats(0, 1e6)
)
def test_at_the_break_even_price_both_plans_cost_the_same(price, per_drive, rest, other, less):
    """A plan whose annual cost is `rest` and a part in proportion to the price."""
    slope = per_drive / price
    even = cost.break_even_price_usd(
        price,
        equivalent_usd_per_year=rest + per_drive,
        priced_usd_per_year=per_drive,
        other_usd_per_year=other,
    )
    assert rest + slope * even == pytest.approx(other, rel=1e-9, abs=1e-6)
    lower = cost.break_even_price_usd(
        price,
        equivalent_usd_per_year=rest + per_drive + less,
        priced_usd_per_year=per_drive,
        other_usd_per_year=other,
    )
    assert lower <= even + 1e-9


def test_no_price_makes_a_plan_even_whose_other_costs_are_more():
    even = cost.break_even_price_usd(
        960, equivalent_usd_per_year=1000, priced_usd_per_year=100, other_usd_per_year=800
    )
    assert even < 0
