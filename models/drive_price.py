r"""Price of a drive: class, endurance and size, spread of one drive, and what waiting costs.

A drive costs a fixed part, for controller, case and trade, and a price per byte, which follows a
dated index of its class. Endurance, bus and cells are factors on the price per byte, so that of
otherwise equal drives one of more drive writes per day is never cheaper, one of more bits per cell
never dearer, and a larger one never cheaper. Spreads are standard deviations of natural logarithms.

References:
    .. [1] `tests.price_fit`: fit to the dated prices and bands of `data/`; blind errors on
       `docs/evidence/prices.md`.
    .. [2] A. C. Harvey, "Forecasting, Structural Time Series Models and the Kalman Filter",
       Cambridge 1989, section 2.3: a random walk observed with noise, and its prediction.
"""

import numpy as np

from models import _check
from models.errors import DomainError
from models.units import YEAR_S

LEAST_DWPD = 0.1  # below which a rating says nothing of a price
QUARTER_S = YEAR_S / 4


def drive_price(
    user_bytes: float,
    *,
    curve_price_per_user_byte: float,
    rated_dwpd: float,
    class_factor: float = 1.0,
    dwpd_power: float = 0.0,
    fixed_usd: float = 0.0,
) -> float:
    r"""Typical price of one drive of a class.

    .. math:: P = F + p f \max(D, 0.1)^d\, C

    Args:
        user_bytes: User capacity, C. [bytes]
        curve_price_per_user_byte: Price per byte on the day, of a drive of the reference class
            with one drive write per day, p. [USD/byte]
        rated_dwpd: Drive writes per day, D. [1/day]
        class_factor: Factor of bus, cells and segment, f. [1]
        dwpd_power: Power of the drive writes per day, d; 0 says that they cost nothing. [1]
        fixed_usd: Part of the price that no capacity changes, F. [USD]

    Returns:
        Price, which falls with no argument. [USD]

    Raises:
        DomainError: Unless user_bytes, curve_price_per_user_byte and class_factor are > 0 and
            finite, and rated_dwpd, dwpd_power and fixed_usd are >= 0 and finite.

    Notes:
        Valid for new drives bought singly, 120 GB to 61 TB, as in the prices that it was fitted
        to; quantities and contracts are cheaper or dearer by other rules. USD per TB is p f D^d
        and F/C, smooth in C. Source: [1]_.

    Examples:
        The same flash sold for 1 and for 3 drive writes a day:

        >>> one, three = (
        ...     drive_price(1.92e12, curve_price_per_user_byte=2e-10, rated_dwpd=dwpd,
        ...                 dwpd_power=0.2, fixed_usd=20)
        ...     for dwpd in (1, 3))
        >>> print(f"{one:.0f} and {three:.0f} USD")
        404 and 498 USD
    """
    size, per_byte, factor = _check.finite(
        user_bytes=user_bytes,
        curve_price_per_user_byte=curve_price_per_user_byte,
        class_factor=class_factor,
    )
    dwpd, power, fixed = _check.from_zero(
        rated_dwpd=rated_dwpd, dwpd_power=dwpd_power, fixed_usd=fixed_usd
    )
    return _check.plain(fixed + per_byte * factor * np.maximum(dwpd, LEAST_DWPD) ** power * size)


def cell_price_factor(
    bits_per_cell: float, *, four_bit_step: float, two_bit_step: float, one_bit_step: float
) -> float:
    r"""Factor of the cells on the price per byte; three bits per cell are the reference.

    .. math:: f = \exp(-s_4 [b \ge 4] + s_2 [b \le 2] + s_1 [b \le 1])

    Args:
        bits_per_cell: Bits per cell, b. [1]
        four_bit_step: What four bits save on three, s_4, in logarithms. [1]
        two_bit_step: What two bits cost over three, s_2, in logarithms. [1]
        one_bit_step: What one bit costs over two, s_1, in logarithms. [1]

    Returns:
        Factor, which never rises with the bits. [1]

    Raises:
        DomainError: Unless bits_per_cell is a whole number >= 1 and the steps are >= 0 and
            finite.

    Notes:
        Valid for one to four bits; more count as four. Source: [1]_; the step to one bit is hardly
        known from prices.

    Examples:
        >>> steps = {"four_bit_step": 0.2, "two_bit_step": 0.3, "one_bit_step": 0.8}
        >>> print(" ".join(f"{cell_price_factor(bits, **steps):.2f}" for bits in (4, 3, 2, 1)))
        0.82 1.00 1.35 3.00
    """
    (bits,) = _check.count(bits_per_cell=bits_per_cell)
    four, two, one = _check.from_zero(
        four_bit_step=four_bit_step, two_bit_step=two_bit_step, one_bit_step=one_bit_step
    )
    steps = np.multiply(bits <= 2, two) + np.multiply(bits <= 1, one) - np.multiply(bits >= 4, four)
    return _check.plain(np.exp(steps))


def price_spread(
    carried_s: float, *, drive_spread: float, index_spread: float, drift_spread: float = 0.0
) -> float:
    r"""Spread of the price of one drive around a figure that an index carried to another day.

    .. math:: s = \sqrt{\sigma^2 + v^2 + \kappa^2 t / Y}

    Args:
        carried_s: Time over which the price was carried, or over which the index was carried
            past its last observation, t. [s]
        drive_spread: Spread of drives around the figure of their class, or of the offers of one
            drive, sigma. [1]
        index_spread: Spread of the index on these days, v. [1]
        drift_spread: Spread that a year adds, of the drive beside its class, or of the index
            where nothing was observed, kappa. [1]

    Returns:
        Standard deviation of the logarithm of the price, s. [1]

    Raises:
        DomainError: Unless every argument is >= 0 and finite.

    Notes:
        Valid for parts that are independent and an index that walks at random. Source: [2]_.

    Examples:
        An offer of last month and one of two years ago:

        >>> spreads = {"drive_spread": 0.1, "index_spread": 0.05, "drift_spread": 0.2}
        >>> print(" ".join(f"{price_spread(age * 86400, **spreads):.2f}" for age in (30, 730)))
        0.13 0.30
    """
    carried, own, index, drift = _check.from_zero(
        carried_s=carried_s, drive_spread=drive_spread, index_spread=index_spread,
        drift_spread=drift_spread,
    )  # fmt: skip
    return _check.plain(np.sqrt(own**2 + index**2 + drift**2 * carried / YEAR_S))


def offer_weight(offer_spread: float, *, curve_spread: float) -> float:
    r"""Weight of an offer of the drive beside the curve, by inverse variance of logarithms.

    .. math:: w = \frac{s_c^2}{s_o^2 + s_c^2}

    Args:
        offer_spread: Spread of the offer carried to the day, s_o. [1]
        curve_spread: Spread of one drive around the curve, s_c. [1]

    Returns:
        Weight of the logarithm of the offer; the spread of both is s_o times its root. [1]

    Raises:
        DomainError: Unless offer_spread and curve_spread are > 0 and finite.

    Notes:
        Valid for independent errors. Source: mean of least variance of two numbers.

    Examples:
        >>> offer_weight(0.3, curve_spread=0.4)
        0.64
    """
    own, curve = _check.finite(offer_spread=offer_spread, curve_spread=curve_spread)
    return _check.plain(1 / (1 + (np.divide(own, curve)) ** 2))


def waiting_factor(wait_s: float, *, quarter_factor: float, trend_persistence: float) -> float:
    r"""Factor on a price that is expected after waiting, from the change of the last quarter.

    .. math:: f = g^{\phi (1 - \phi^n) / (1 - \phi)}, \quad n = t / Q

    Args:
        wait_s: Time of waiting, t; a quarter of a year is Q. [s]
        quarter_factor: Price over that of a quarter ago, g. [1]
        trend_persistence: Share of a quarter's change that the next one repeats, phi in [0, 1);
            0 is a random walk. [1]

    Returns:
        Expected factor on the price. [1]

    Raises:
        DomainError: Unless wait_s is >= 0 and finite, quarter_factor > 0 and finite and
            trend_persistence in [0, 1).

    Notes:
        Valid for changes whose logarithms follow a first-order autoregression around none.
        Source: [2]_.

    Examples:
        Prices that rose by a fifth in a quarter, of which 0.4 goes on:

        >>> for quarters in (1, 4):
        ...     factor = waiting_factor(quarters * QUARTER_S, quarter_factor=1.2,
        ...                             trend_persistence=0.4)
        ...     print(f"{factor:.3f}")
        1.076
        1.126
    """
    (wait,) = _check.from_zero(wait_s=wait_s)
    (change,) = _check.finite(quarter_factor=quarter_factor)
    (kept,) = _check.fraction(trend_persistence=trend_persistence)
    if not np.all(np.less(kept, 1)):
        raise DomainError("trend_persistence must be in [0, 1), got 1")
    quarters = wait / QUARTER_S
    return _check.plain(change ** (kept * (1 - kept**quarters) / (1 - kept)))
