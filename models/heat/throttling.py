r"""Throttling by temperature: power and speed that a drive sustains at a limit.

Base units: watts and kelvin. A drive that is too hot works slower until it is cool again. All heat
leaves through the body, so over whole cycles of throttling the mean power is the mean difference
of temperature over the thermal resistance, whatever the course within a cycle.

References:
    .. [1] T. L. Bergman et al., "Fundamentals of Heat and Mass Transfer", 7th edition 2011,
       section 5.1 (energy balance of a lumped body).
    .. [2] NVM Express, "Base Specification", revision 1.4, 2019, section 8.4.5 (host controlled
       thermal management: TMT1, TMT2).
    .. [3] W1zzard, "Samsung 970 Pro 512 GB Review", TechPowerUp, 2018, page 7.
"""

import numpy as np

from models import _check


def sustained_power_w(
    full_power_w: float,
    *,
    throttled_power_w: float,
    mean_body_k: float,
    air_k: float,
    air_k_per_w: float,
) -> float:
    r"""Mean power of a drive that throttles to keep its body at a mean temperature.

    .. math:: P_s = \min\left(P, \max\left(P_t, \frac{T_m - T_a}{R_a}\right)\right)

    Args:
        full_power_w: Power at full speed, P. [W]
        throttled_power_w: Power while it throttles, P_t. [W]
        mean_body_k: Mean temperature of the body over a cycle, T_m: between the limit at which the
            drive throttles and the one at which it stops. [K]
        air_k: Temperature of the air around the drive, T_a. [K]
        air_k_per_w: Thermal resistance from the body to the air, R_a. [K/W]

    Returns:
        Mean power; that of full speed where the limit is not reached, that of throttling where the
        drive never cools. [W]

    Raises:
        DomainError: Unless the powers are >= 0, and the others > 0 and finite.

    Notes:
        Valid over whole cycles; exact for the mean temperature of the body, so the two limits
        bound it but for what the body overshoots. Source: energy balance [1]_.

    Examples:
        A drive of 6.2 W at 80 C, in air of 35 C and through 10 K/W, sustains 4.5 W:

        >>> round(sustained_power_w(6.2, throttled_power_w=1.0, mean_body_k=353.15, air_k=308.15,
        ...                         air_k_per_w=10.0), 2)
        4.5
    """
    full, throttled = _check.non_negative(
        full_power_w=full_power_w, throttled_power_w=throttled_power_w
    )
    mean, air, resistance = _check.finite(
        mean_body_k=mean_body_k, air_k=air_k, air_k_per_w=air_k_per_w
    )
    cooled = np.subtract(mean, air) / resistance
    return _check.plain(np.minimum(full, np.maximum(throttled, cooled)))


def full_speed_fraction(
    sustained_power_w: float, *, full_power_w: float, throttled_power_w: float
) -> float:
    r"""Share of the time at full speed, of a drive that throttles.

    .. math:: d = \frac{P_s - P_t}{P - P_t}

    Args:
        sustained_power_w: Mean power, P_s. [W]
        full_power_w: Power at full speed, P. [W]
        throttled_power_w: Power while it throttles, P_t. [W]

    Returns:
        Share of the time, from 0 to 1; 1 where throttling saves no power and none is needed. [1]

    Raises:
        DomainError: Unless every argument is >= 0.

    Notes:
        Valid over whole cycles between two powers. Source: definition of the mean.

    Examples:
        >>> full_speed_fraction(4.5, full_power_w=6.0, throttled_power_w=1.0)
        0.7
    """
    mean, full, throttled = _check.non_negative(
        sustained_power_w=sustained_power_w,
        full_power_w=full_power_w,
        throttled_power_w=throttled_power_w,
    )
    saved = np.subtract(full, throttled)
    share = np.subtract(mean, throttled) / np.where(saved > 0, saved, 1.0)
    cool = np.where(np.less(mean, full), 0.0, 1.0)
    return _check.plain(np.clip(np.where(saved > 0, share, cool), 0.0, 1.0))


def sustained_ratio(full_speed_fraction: float, *, throttled_rate_ratio: float) -> float:
    r"""Mean speed of a drive that throttles, over its full speed.

    .. math:: s = d + (1 - d)\,r

    Args:
        full_speed_fraction: Share of the time at full speed, d in [0, 1]. [1]
        throttled_rate_ratio: Speed while it throttles over full speed, r in [0, 1]. [1]

    Returns:
        Mean speed over full speed. [1]

    Raises:
        DomainError: Unless both are in [0, 1].

    Notes:
        Valid over whole cycles; a host that waits for its operations sees this mean. Source:
        definition of the mean.

    Examples:
        Always throttled from 2 to 1.5 GB/s, as the 970 PRO without a fan [3]_:

        >>> sustained_ratio(0.0, throttled_rate_ratio=0.75)
        0.75
    """
    share, ratio = _check.fraction(
        full_speed_fraction=full_speed_fraction, throttled_rate_ratio=throttled_rate_ratio
    )
    return _check.plain(share + np.subtract(1.0, share) * ratio)
