"""Discounting: present value of later costs, and the equivalent annual cost.

Base units: US dollars, seconds; rates per year of 365 days. `models.cost.years` gives the due dates
of the costs of a year.

References:
    .. [1] E. L. Grant, W. G. Ireson, R. S. Leavenworth, "Principles of Engineering Economy", Wiley
       1990: present worth, equivalent annual cost.
"""

import numpy as np
from numpy.typing import ArrayLike

from models import _check
from models.units import YEAR_S

_NO_INTEREST = 1e-100  # rates below it leave 1 / H, and their product with H may have no digits


def discount_factor(discount_rate: float, *, time_s: float) -> float:
    r"""Present value of a cost over the cost.

    .. math:: d = (1 + r)^{-t/Y}

    Args:
        discount_rate: Discount rate per year, r. [1]
        time_s: Time from now at which the cost falls due, t. [s]

    Returns:
        Discount factor. [1]

    Raises:
        DomainError: Unless both are >= 0.

    Notes:
        Valid for compound interest by the year; exact. Source: definition, [1]_.

    Examples:
        >>> print(f"{discount_factor(0.08, time_s=YEAR_S / 2):.6f}")
        0.962250
    """
    rate, time = _check.non_negative(discount_rate=discount_rate, time_s=time_s)
    return _check.plain(np.exp(-np.divide(time, YEAR_S) * np.log1p(rate)))


def present_usd(cost_usd: float, *, discount_rate: float, time_s: float) -> float:
    r"""Present value of a cost.

    .. math:: C_0 = C (1 + r)^{-t/Y}

    Args:
        cost_usd: Cost, C. [USD]
        discount_rate: Discount rate per year, r. [1]
        time_s: Time from now at which it falls due, t. [s]

    Returns:
        Present value. [USD]

    Raises:
        DomainError: Unless every argument is >= 0.

    Notes:
        Valid for compound interest by the year; exact. Source: definition, [1]_.

    Examples:
        >>> print(f"{present_usd(100, discount_rate=0.08, time_s=YEAR_S / 2):.4f}")
        96.2250
    """
    (cost,) = _check.non_negative(cost_usd=cost_usd)
    return _check.plain(cost * np.asarray(discount_factor(discount_rate, time_s=time_s)))


def present_total_usd(yearly_usd: ArrayLike, *, discount_factor: ArrayLike) -> float:
    r"""Present value of the costs of all years.

    .. math:: C_0 = \sum_k C_k d_k

    Args:
        yearly_usd: Costs of year 1, 2 ... along the first axis, C. [USD]
        discount_factor: Discount factor of each year along the first axis, d. [1]

    Returns:
        Present value. [USD]

    Raises:
        DomainError: Unless both are >= 0 and of as many years.

    Notes:
        Valid with d of `discount_factor` at the time at which the costs of a year fall due; exact.
        Source: definition, [1]_.

    Examples:
        Two years whose costs fall due in their middle:

        >>> factors = discount_factor(0.08, time_s=np.array([0.5, 1.5]) * YEAR_S)
        >>> print(f"{present_total_usd([100, 100], discount_factor=factors):.3f}")
        185.322
    """
    yearly, factors = (
        np.atleast_1d(np.asarray(part))
        for part in _check.non_negative(
            yearly_usd=yearly_usd,  # type: ignore[arg-type]
            discount_factor=discount_factor,  # type: ignore[arg-type]
        )
    )
    years = len(factors)
    _check.require(len(yearly) == years, "yearly_usd", f"of {years} years", len(yearly))
    return _check.plain(np.sum(yearly * factors, axis=0))


def equivalent_usd_per_year(npv_usd: float, *, discount_rate: float, horizon_s: float) -> float:
    r"""Equivalent annual cost: the same cost at the end of every year that has this present value.

    .. math:: A = \mathrm{NPV} \frac{r}{1 - (1 + r)^{-H/Y}}

    Args:
        npv_usd: Net present cost, NPV. [USD]
        discount_rate: Discount rate per year, r. [1]
        horizon_s: Horizon, H. [s]

    Returns:
        Cost per year; at a rate of 0 the present value over the years. [USD/year]

    Raises:
        DomainError: Unless npv_usd and discount_rate are >= 0 and horizon_s is > 0.

    Notes:
        Valid to compare plans of different horizons that are repeated; for part of a year by the
        same formula. Source: annuity, [1]_.

    Examples:
        >>> annual = equivalent_usd_per_year(1000, discount_rate=0.08, horizon_s=5 * YEAR_S)
        >>> print(f"{annual:.2f}")
        250.46
    """
    npv, rate = _check.non_negative(npv_usd=npv_usd, discount_rate=discount_rate)
    (horizon,) = _check.positive(horizon_s=horizon_s)
    years = np.divide(horizon, YEAR_S)
    growth = np.log1p(rate)
    with np.errstate(divide="ignore", invalid="ignore"):
        annual = np.divide(rate, -np.expm1(-years * growth))
    return _check.plain(npv * np.where(np.greater(rate, _NO_INTEREST), annual, 1 / years))


def break_even_price_usd(
    price_usd: float,
    *,
    equivalent_usd_per_year: float,
    priced_usd_per_year: float,
    other_usd_per_year: float,
) -> float:
    r"""Price of a drive at which owning it costs as much as another plan.

    .. math:: P^* = P \frac{A' - (A - A_P)}{A_P}

    Args:
        price_usd: Price of one drive, as planned, P. [USD]
        equivalent_usd_per_year: Equivalent annual cost at that price, A. [USD/year]
        priced_usd_per_year: The part of it that is in proportion to the price, A_P: drives at the
            start and for replacements, less what they are still worth. [USD/year]
        other_usd_per_year: Equivalent annual cost of the other plan, A'. [USD/year]

    Returns:
        Price of one drive; 0 or less where no price makes it even. [USD]

    Raises:
        DomainError: Unless price_usd and priced_usd_per_year are > 0 and the others >= 0.

    Notes:
        Valid because the cost of owning is linear in the price of a drive; exact. Source: linear
        equation.

    Examples:
        Drives at 960 USD that make up 900 of 1000 USD a year, beside a plan of 850 USD a year:

        >>> break_even_price_usd(960, equivalent_usd_per_year=1000, priced_usd_per_year=900,
        ...                      other_usd_per_year=850)
        800.0
    """
    price, priced = _check.positive(price_usd=price_usd, priced_usd_per_year=priced_usd_per_year)
    own, other = _check.non_negative(
        equivalent_usd_per_year=equivalent_usd_per_year, other_usd_per_year=other_usd_per_year
    )
    return _check.plain(price * (np.subtract(other, own) + priced) / priced)
