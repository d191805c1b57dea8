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
from models.heat.two_nodes import NodeTemperatures, ThermalNodes, crossing_s


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


def sustained_bytes_per_s(
    throughput_bytes_per_s: float, *, full_speed_fraction: float, throttled_rate_ratio: float
) -> float:
    r"""Mean speed of a drive that throttles.

    .. math:: B_s = B\,(d + (1 - d)\,r)

    Args:
        throughput_bytes_per_s: Full speed, B. [bytes/s]
        full_speed_fraction: Share of the time at full speed, d in [0, 1]. [1]
        throttled_rate_ratio: Speed while it throttles over full speed, r in [0, 1]. [1]

    Returns:
        Mean speed. [bytes/s]

    Raises:
        DomainError: Unless throughput_bytes_per_s is >= 0, and the others are in [0, 1].

    Notes:
        Valid over whole cycles; a host that waits for its operations sees this mean. Source:
        definition of the mean.

    Examples:
        Always throttled from 2 GB/s to three quarters, as the 970 PRO without a fan [3]_:

        >>> sustained_bytes_per_s(2e9, full_speed_fraction=0.0, throttled_rate_ratio=0.75)
        1500000000.0
    """
    (rate,) = _check.non_negative(throughput_bytes_per_s=throughput_bytes_per_s)
    share, ratio = _check.fraction(
        full_speed_fraction=full_speed_fraction, throttled_rate_ratio=throttled_rate_ratio
    )
    return _check.plain(rate * (share + np.subtract(1.0, share) * ratio))


def throttled_power_w(
    full_power_w: float, *, idle_power_w: float, throttled_rate_ratio: float
) -> float:
    r"""Power of a drive while it throttles.

    .. math:: P_t = P_i + r \max(P - P_i, 0)

    Args:
        full_power_w: Power at full speed, P. [W]
        idle_power_w: Power when idle and awake, P_i. [W]
        throttled_rate_ratio: Speed while it throttles over full speed, r in [0, 1]. [1]

    Returns:
        Power while it throttles. [W]

    Raises:
        DomainError: Unless the powers are >= 0, and throttled_rate_ratio is in [0, 1].

    Notes:
        Valid where power above idle is in proportion to the rate. Source: energy of a byte above
        idle, as `models.energy.transfer_j_per_byte`.

    Examples:
        >>> throttled_power_w(6.0, idle_power_w=1.0, throttled_rate_ratio=0.5)
        3.5
    """
    full, idle = _check.non_negative(full_power_w=full_power_w, idle_power_w=idle_power_w)
    (ratio,) = _check.fraction(throttled_rate_ratio=throttled_rate_ratio)
    return _check.plain(idle + ratio * np.maximum(np.subtract(full, idle), 0.0))


def mean_body_k(limit_k: float, *, hysteresis_k: float) -> float:
    r"""Mean temperature of the body of a drive that goes between two limits.

    .. math:: T_m = T_l - \Delta T / 2

    Args:
        limit_k: Temperature at which the drive throttles, T_l. [K]
        hysteresis_k: Difference to the temperature at which it stops, Delta T. [K]

    Returns:
        Mean temperature. [K]

    Raises:
        DomainError: Unless limit_k is > 0 and finite, and hysteresis_k is >= 0 and below it.

    Notes:
        Valid for cycles that are nearly straight: exact to half of the hysteresis. Source: middle.

    Examples:
        >>> mean_body_k(353.0, hysteresis_k=5.0)
        350.5
    """
    (limit,) = _check.finite(limit_k=limit_k)
    (below,) = _check.from_zero(hysteresis_k=hysteresis_k)
    _check.require(np.less(below, limit), "hysteresis_k", "below limit_k", below)
    return _check.plain(np.subtract(limit, np.divide(below, 2)))


def warmer_k(air_k: float, *, rise_k: float) -> float:
    r"""Temperature that is some kelvin above another, as air in a computer above the room.

    .. math:: T = T_0 + \Delta T

    Args:
        air_k: Temperature of the air, or of what else is cooler, T_0. [K]
        rise_k: Rise, Delta T. [K]

    Returns:
        Temperature. [K]

    Raises:
        DomainError: Unless air_k is > 0 and finite, and rise_k is >= 0 and finite.

    Notes:
        Valid for a rise that does not depend on the drive itself. Source: definition.

    Examples:
        >>> warmer_k(300.0, rise_k=10.0)
        310.0
    """
    (air,) = _check.finite(air_k=air_k)
    (rise,) = _check.from_zero(rise_k=rise_k)
    return _check.plain(np.add(air, rise))


def controller_rise_k(power_w: float, *, link_k_per_w: float, controller_fraction: float) -> float:
    r"""Temperature of the controller above that of the body.

    .. math:: \Delta T = f P R_l

    Args:
        power_w: Power of the drive, P. [W]
        link_k_per_w: Thermal resistance between the two, R_l. [K/W]
        controller_fraction: Share of the power that heats the controller, f in [0, 1]. [1]

    Returns:
        Difference of temperature. [K]

    Raises:
        DomainError: Unless power_w is >= 0, link_k_per_w is > 0 and finite, and
            controller_fraction is in [0, 1].

    Notes:
        Valid some time constants of the controller after the power has changed. Source: Fourier's
        law between the nodes [1]_.

    Examples:
        >>> controller_rise_k(6.0, link_k_per_w=7.0, controller_fraction=0.5)
        21.0
    """
    (power,) = _check.non_negative(power_w=power_w)
    (link,) = _check.finite(link_k_per_w=link_k_per_w)
    (share,) = _check.fraction(controller_fraction=controller_fraction)
    return _check.plain(np.multiply(power, share) * link)


def throttling_s(
    limit_k: float, *, power_w: float, air_k: float, start: NodeTemperatures, thermal: ThermalNodes
) -> float:
    r"""Time at one power until a drive throttles.

    .. math:: t = \min\{\tau \ge 0: T_b(\tau) \ge T_l\}

    Args:
        limit_k: Temperature of the body at which the drive throttles, T_l. [K]
        power_w: Power of the drive. [W]
        air_k: Temperature of the air around the drive. [K]
        start (NodeTemperatures): Temperatures at the start. [1]
        thermal (ThermalNodes): Heat capacities and thermal resistances of the drive. [1]

    Returns:
        Time; 0 where it starts too hot, inf where it never throttles. [s]

    Raises:
        DomainError: As `models.heat.crossing_s`.

    Notes:
        Valid as `models.heat.crossing_s`. Source: first time at the limit, from below.

    Examples:
        >>> thermal = ThermalNodes(2.0, 12.0, 8.0, 12.0, 0.5)
        >>> for cold in (308.0, 360.0):
        ...     begin = NodeTemperatures(cold, cold)
        ...     round(throttling_s(353.0, power_w=6.0, air_k=308.0, start=begin, thermal=thermal))
        173
        0
    """
    wait = crossing_s(limit_k, power_w=power_w, air_k=air_k, start=start, thermal=thermal)
    return _check.plain(np.where(np.greater_equal(start.body_k, limit_k), 0.0, wait))


def cooling_s(
    limit_k: float, *, power_w: float, air_k: float, start: NodeTemperatures, thermal: ThermalNodes
) -> float:
    r"""Time at one power until the body of a hot drive is cool.

    .. math:: t = \min\{\tau \ge 0: T_b(\tau) \le T_l\}

    Args:
        limit_k: Temperature of the body at which it counts as cool, T_l. [K]
        power_w: Power of the drive. [W]
        air_k: Temperature of the air around the drive. [K]
        start (NodeTemperatures): Temperatures at the start. [1]
        thermal (ThermalNodes): Heat capacities and thermal resistances of the drive. [1]

    Returns:
        Time; 0 where it starts cool, inf where it never gets there. [s]

    Raises:
        DomainError: As `models.heat.crossing_s`.

    Notes:
        Valid as `models.heat.crossing_s`. Source: first time at the limit, from above.

    Examples:
        >>> thermal = ThermalNodes(2.0, 12.0, 8.0, 12.0, 0.5)
        >>> hot = NodeTemperatures(377.0, 353.0)
        >>> round(cooling_s(318.0, power_w=0.6, air_k=308.0, start=hot, thermal=thermal))
        456
    """
    wait = crossing_s(limit_k, power_w=power_w, air_k=air_k, start=start, thermal=thermal)
    return _check.plain(np.where(np.less_equal(start.body_k, limit_k), 0.0, wait))
