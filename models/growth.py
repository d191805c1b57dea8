"""Growth: host writes by a time, and the time until a limit is written, if the rate changes.

Base units: bytes and seconds. The rate is lambda (1 + g)^(t/Y), times the factors of all past steps
(a merger, a migration), and rises linearly from zero over the phase-in. Smooth growth and phase-in
are expressed by one clock, seconds of writing at today's full rate; steps change the slope of that
clock. Both directions are in closed form except for a time within the phase-in, which is found by
Newton's method. Arrays broadcast; steps are along the last axis of their arrays, in any order.
"""

import numpy as np
from numpy.typing import ArrayLike

from models import _check
from models._growth import Floats, bent, course_of, knots_of, smooth_s, straightened, time_of_s
from models.endurance import lifetime_s


def rate_bytes_per_s(
    time_s: float,
    *,
    host_bytes_per_s: float,
    growth_per_year: float = 0.0,
    step_times_s: ArrayLike = (),
    step_factors: ArrayLike = (),
    phase_in_s: float = 0.0,
) -> float:
    r"""Rate of host writes at a time.

    .. math:: r(t) = \lambda (1 + g)^{t/Y} \min(t/T, 1) \prod_{t_i \le t} f_i

    Args:
        time_s: Time from now, t. [s]
        host_bytes_per_s: Host writes today, as they would be without phase-in. [bytes/s]
        growth_per_year: Growth of the rate per 365-day year, g: 0.2 is 20 % more each year. [1]
        step_times_s (sequence of K, or array with K along the last axis): Times of the steps. [s]
        step_factors (sequence of K, or array with K along the last axis): What the rate is
            multiplied by at each of them. [1]
        phase_in_s: Time over which the rate rises from none to whole, T; 0 is none. [s]

    Returns:
        Rate of host writes, at a step that of after it. [bytes/s]

    Raises:
        DomainError: Unless time_s and phase_in_s are >= 0 and finite, host_bytes_per_s is >= 0,
            growth_per_year > -1 and finite, step_times_s >= 0 and finite, step_factors > 0 and
            finite and as many.

    Notes:
        Valid for smooth compound growth between steps; exact. Source: definition.

    Examples:
        Twice the writes from the second year on, as 20 % a year go on:

        >>> year = 365 * 86400
        >>> rate = rate_bytes_per_s(2 * year, host_bytes_per_s=100, growth_per_year=0.2,
        ...                         step_times_s=[2 * year], step_factors=[2])
        >>> print(f"{rate:.0f}")
        288
    """
    time = _time(time_s)
    (host,) = _check.non_negative(host_bytes_per_s=host_bytes_per_s)
    course = course_of(growth_per_year, step_times_s, step_factors, phase_in_s)
    ramp = np.minimum(time, course.phase_in_s) / np.where(course.phase_in_s, course.phase_in_s, 1)
    come = course.step_times_s <= time[..., None]
    stepped = np.prod(np.where(come, course.step_factors, 1.0), axis=-1)
    with np.errstate(over="ignore"):
        grown = np.exp(course.exponent_per_s * time)
    return _check.plain(host * grown * np.where(course.phase_in_s > 0, ramp, 1.0) * stepped)


def written_bytes(
    time_s: float,
    *,
    host_bytes_per_s: float,
    growth_per_year: float = 0.0,
    step_times_s: ArrayLike = (),
    step_factors: ArrayLike = (),
    phase_in_s: float = 0.0,
) -> float:
    r"""Host bytes written by a time.

    .. math:: W(t) = \int_0^t \lambda (1 + g)^{s/Y} \min(s/T, 1) \prod_{t_i \le s} f_i \, ds

    Args:
        time_s: Time from now, t. [s]
        host_bytes_per_s: Host writes today, as they would be without phase-in. [bytes/s]
        growth_per_year: Growth of the rate per 365-day year, g: 0.2 is 20 % more each year. [1]
        step_times_s (sequence of K, or array with K along the last axis): Times of the steps. [s]
        step_factors (sequence of K, or array with K along the last axis): What the rate is
            multiplied by at each of them. [1]
        phase_in_s: Time over which the rate rises from none to whole, T; 0 is none. [s]

    Returns:
        Host bytes. [bytes]

    Raises:
        DomainError: Unless time_s and phase_in_s are >= 0 and finite, host_bytes_per_s is >= 0,
            growth_per_year > -1 and finite, step_times_s >= 0 and finite, step_factors > 0 and
            finite and as many.

    Notes:
        Valid for smooth compound growth between steps; exact. Source: integral of
        `rate_bytes_per_s`.

    Examples:
        A year as it is and one at three times the rate, in steady years:

        >>> year = 365 * 86400
        >>> written_bytes(2 * year, host_bytes_per_s=1 / year,
        ...               step_times_s=[year], step_factors=[3])
        4.0
    """
    time = _time(time_s)
    (host,) = _check.non_negative(host_bytes_per_s=host_bytes_per_s)
    course = course_of(growth_per_year, step_times_s, step_factors, phase_in_s)
    clock = smooth_s(time, course)
    if course.step_times_s.size:
        clock = bent(clock, *knots_of(course))
    return _check.plain(host * clock)


def growing_lifetime_s(
    limit_bytes: float,
    *,
    host_bytes_per_s: float,
    growth_per_year: float = 0.0,
    step_times_s: ArrayLike = (),
    step_factors: ArrayLike = (),
    phase_in_s: float = 0.0,
) -> float:
    r"""Time until a limit is written at a rate that grows, steps and phases in.

    .. math:: W(t) = L; \quad t = \frac{Y}{\gamma} \ln\left(1 + \frac{\gamma L}{\lambda Y}\right),
              \quad \gamma = \ln(1 + g), \text{ without steps and phase-in}

    Args:
        limit_bytes: Host bytes that may be written. [bytes]
        host_bytes_per_s: Host writes today, as they would be without phase-in. [bytes/s]
        growth_per_year: Growth of the rate per 365-day year, g: 0.2 is 20 % more each year. [1]
        step_times_s (sequence of K, or array with K along the last axis): Times of the steps. [s]
        step_factors (sequence of K, or array with K along the last axis): What the rate is
            multiplied by at each of them. [1]
        phase_in_s: Time over which the rate rises from none to whole, T; 0 is none. [s]

    Returns:
        Time to the limit; inf without writes, and where a shrinking rate never reaches it; 0 where
            nothing may be written any more. [s]

    Raises:
        DomainError: Unless limit_bytes and host_bytes_per_s are >= 0, growth_per_year > -1 and
            finite, phase_in_s and step_times_s are >= 0 and finite, step_factors > 0 and finite and
            as many.

    Notes:
        Valid for smooth compound growth between steps; at g = 0, no steps and no phase-in it is
        `endurance.lifetime_s`. Source: inverse of `written_bytes`.

    Examples:
        >>> day = 86400
        >>> steady = growing_lifetime_s(150e12, host_bytes_per_s=50e9 / day, growth_per_year=0.2)
        >>> round(steady / day)
        1833

        The same with twice the writes after two years:

        >>> stepped = growing_lifetime_s(150e12, host_bytes_per_s=50e9 / day, growth_per_year=0.2,
        ...                              step_times_s=[730 * day], step_factors=[2])
        >>> round(stepped / day)
        1357
    """
    limit, host = _check.non_negative(limit_bytes=limit_bytes, host_bytes_per_s=host_bytes_per_s)
    course = course_of(growth_per_year, step_times_s, step_factors, phase_in_s)
    is_left = np.asarray(limit) > 0
    with np.errstate(over="ignore"):
        steady_s = lifetime_s(_check.plain(np.where(is_left, limit, 1.0)), host_bytes_per_s=host)
    clock = np.asarray(steady_s)
    if course.step_times_s.size:
        clock = straightened(clock, *knots_of(course))
    return _check.plain(np.where(is_left, time_of_s(clock, course), 0.0))


def mean_life_s(horizon_s: float, *, limit_bytes: float, written_bytes: float) -> float:
    r"""Mean time in which each generation of drives writes its limit, within a horizon.

    .. math:: \bar t = H \, L / W(H)

    Args:
        horizon_s: Horizon, H. [s]
        limit_bytes: Host bytes that each drive may be written. [bytes]
        written_bytes: Host bytes written to the drive in service by the horizon, W(H). [bytes]

    Returns:
        Mean life; at a steady rate that of every drive, inf if nothing is written. [s]

    Raises:
        DomainError: Unless horizon_s and limit_bytes are > 0 and written_bytes >= 0.

    Notes:
        Valid where each drive is replaced as it reaches its limit: H over it is how many
        generations are spent by H, whatever the course of the rate. Source: definition.

    Examples:
        Ten years in which drives of 2 PB get 8 PB:

        >>> mean_life_s(10.0, limit_bytes=2e15, written_bytes=8e15)
        2.5
    """
    horizon_s, limit_bytes = _check.positive(horizon_s=horizon_s, limit_bytes=limit_bytes)
    (written_bytes,) = _check.non_negative(written_bytes=written_bytes)
    with np.errstate(divide="ignore"):
        return _check.plain(horizon_s * np.true_divide(limit_bytes, written_bytes))


def _time(time_s: float) -> Floats:
    (time,) = _check.non_negative(time_s=time_s)
    _check.require(np.asarray(time) < np.inf, "time_s", ">= 0 and finite", time)
    return np.asarray(time)
