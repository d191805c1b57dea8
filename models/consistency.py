"""Performance over time: from host writes to seconds, second by second.

Base units: seconds, operations, operations per second. Write amplification over the writes of a
test is in `models.transient`; here each write gets its time.

References:
    .. [1] A. L. Shimpi, "Samsung SSD 840 EVO Review", AnandTech 7173, 2013, "Performance
       Consistency": sequential fill, then 4 KiB random writes for 2,000 s.
    .. [2] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, "Performance
       Consistency - Average IOPS": instantaneous IOPS every second, steady state from 1,400 s.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.transient import cliff_fills

Floats = NDArray[np.float64]


def cliff_s(
    op_ratio: float, *, user_bytes: float, host_bytes_per_s: float, prefilled_fraction: float = 1.0
) -> float:
    r"""Time until garbage collection starts, at the rate of the fresh drive.

    .. math:: t_c = (1 + p - f)\,U / l

    Args:
        op_ratio: Spare bytes per user byte, p. [1]
        user_bytes: Capacity that the writes go to, U. [bytes]
        host_bytes_per_s: Write rate before the cliff, l. [bytes/s]
        prefilled_fraction: Share of the addresses written before, in sequence, f: 0 is fresh out of
            the box. [1]

    Returns:
        Seconds of random writing. [s]

    Raises:
        DomainError: Unless op_ratio, user_bytes and host_bytes_per_s are > 0 and prefilled_fraction
            is in [0, 1].

    Notes:
        Valid for drives that collect garbage only when they must and use all of their flash; a
        static write cache and other reserves come off the spare area first. Source:
        `transient.cliff_fills` over the rate.

    Examples:
        The 1 TB 840 EVO, 1 TiB of flash, at 90K IOPS of 4 KiB [1]_:

        >>> round(cliff_s(2**40 / 1e12 - 1, user_bytes=1e12, host_bytes_per_s=90e3 * 4096))
        270
    """
    op_ratio, user_bytes, rate = _check.positive(
        op_ratio=op_ratio, user_bytes=user_bytes, host_bytes_per_s=host_bytes_per_s
    )
    (filled,) = _check.fraction(prefilled_fraction=prefilled_fraction)
    return cliff_fills(op_ratio, prefilled_fraction=filled) * user_bytes / rate


def transient_iops(
    wa: float, *, burst_write_iops: float, steady_write_iops: float, steady_wa: float
) -> float:
    r"""Write IOPS at any write amplification, from the fresh and the steady rate of a drive.

    .. math:: \frac{1}{X} = \frac{1}{X_b}
              + \left(\frac{1}{X_s} - \frac{1}{X_b}\right) \frac{A - 1}{A_s - 1}

    Args:
        wa: Write amplification of the moment, A. [1]
        burst_write_iops: Rate without garbage collection, X_b. [1/s]
        steady_write_iops: Rate in steady state, X_s. [1/s]
        steady_wa: Write amplification in steady state, A_s. [1]

    Returns:
        Operations per second. [1/s]

    Raises:
        DomainError: Unless wa >= 1, steady_wa > 1 and 0 < steady_write_iops <= burst_write_iops.

    Notes:
        Valid where one resource does the host's writes and the copies, so that each copy costs the
        same time: near the two rates it is given, exact at them. Where the link holds down the
        fresh rate and the dies the steady one, too fast beyond the steady amplification: by 4 % at
        the peak of a simulated 845DC PRO. `models.write_budget` computes the rate from the flash
        instead, within 1 % there. Source: time per write linear in copies per write.

    Examples:
        90K fresh, 50K steady at 2.03; at the peak of 2.66 after the cliff:

        >>> rates = {"burst_write_iops": 90e3, "steady_write_iops": 50e3, "steady_wa": 2.03}
        >>> round(transient_iops(2.66, **rates))
        39313
    """
    burst, steady = _check.finite(
        burst_write_iops=burst_write_iops, steady_write_iops=steady_write_iops
    )
    (steady_wa,) = _check.above(1, steady_wa=steady_wa)
    (wa,) = _check.finite(wa=wa)
    _check.require(np.asarray(wa) >= 1, "wa", ">= 1", wa)
    _check.require(np.asarray(steady) <= burst, "steady_write_iops", "<= burst_write_iops", steady)
    return 1 / (1 / burst + (1 / steady - 1 / burst) * (wa - 1) / (steady_wa - 1))


def written_s(
    drive_fills: float,
    *,
    flash_fills: float,
    user_pages: float,
    burst_write_iops: float,
    steady_write_iops: float,
    steady_wa: float,
) -> float:
    r"""Time of a write saturation test until a given amount is written.

    .. math:: t = U\left(\frac{w}{X_b}
              + \left(\frac{1}{X_s} - \frac{1}{X_b}\right) \frac{W - w}{A_s - 1}\right)

    Args:
        drive_fills: Host writes so far, in user capacities, w. [1]
        flash_fills: Flash writes so far, W: `transient.greedy_flash_fills`. [1]
        user_pages: Pages of one write in the capacity that is written, U. [1]
        burst_write_iops: Rate without garbage collection, X_b. [1/s]
        steady_write_iops: Rate in steady state, X_s. [1/s]
        steady_wa: Write amplification in steady state, A_s. [1]

    Returns:
        Seconds of random writing. [s]

    Raises:
        DomainError: Unless 0 <= drive_fills <= flash_fills, user_pages > 0, steady_wa > 1 and 0 <
            steady_write_iops <= burst_write_iops.

    Notes:
        Valid where `transient_iops` is: this is its integral over the writes, exact whatever the
        course of write amplification between. Source: time per write linear in copies per write.

    Examples:
        Before the cliff nothing is copied, and only the fresh rate counts:

        >>> t = written_s(0.375, flash_fills=0.375, user_pages=400e9 / 4096, burst_write_iops=90e3,
        ...               steady_write_iops=50e3, steady_wa=2.03)
        >>> round(t)
        407
    """
    (fills,) = _check.non_negative(drive_fills=drive_fills)
    (flash,) = _check.non_negative(flash_fills=flash_fills)
    copies = np.asarray(flash) - fills
    _check.require(copies > -1e-9, "flash_fills", ">= drive_fills", flash)
    (pages,) = _check.finite(user_pages=user_pages)
    burst, steady = _check.finite(
        burst_write_iops=burst_write_iops, steady_write_iops=steady_write_iops
    )
    (steady_wa,) = _check.above(1, steady_wa=steady_wa)
    _check.require(np.asarray(steady) <= burst, "steady_write_iops", "<= burst_write_iops", steady)
    copying = (1 / np.asarray(steady) - 1 / np.asarray(burst)) / (np.asarray(steady_wa) - 1)
    return _check.plain(pages * (fills / np.asarray(burst) + copying * np.maximum(copies, 0.0)))


def elapsed_s(operations: ArrayLike, *, iops: ArrayLike) -> Floats:
    r"""Time at which a test reaches each of its points.

    .. math:: t_i = \sum_{k < i} \frac{n_{k+1} - n_k}{X_k}

    Args:
        operations (sequence of N): Host operations done at each point, not falling. [1]
        iops (sequence of N - 1): Rate from each point to the next. [1/s]

    Returns:
        array of N: Seconds since the first point. [s]

    Raises:
        DomainError: Unless operations are two numbers or more that are >= 0, finite and do not
            fall, and iops are one less, each > 0.

    Notes:
        Valid for any rates; exact where each is constant between its points. With the mean write
        amplification between points (differences of `transient.greedy_flash_fills`) the cliff may
        lie anywhere. Source: sum of work over rate.

    Examples:
        >>> elapsed_s([0, 90e3, 100e3], iops=[90e3, 5e3]).tolist()
        [0.0, 1.0, 3.0]
    """
    done = _rising("operations", operations)
    (rates,) = _check.positive(iops=iops)  # type: ignore[arg-type]  # a sequence
    steps = np.atleast_1d(rates)
    _check.require(steps.shape == np.diff(done).shape, "iops", "one per interval", steps.size)
    return np.concatenate([[0.0], np.cumsum(np.diff(done) / steps)])


def second_iops(times_s: ArrayLike, *, operations: ArrayLike, interval_s: float = 1.0) -> Floats:
    r"""Average IOPS of every second, as test reports plot them.

    .. math:: X_i = \frac{n((i+1)\,\Delta) - n(i\,\Delta)}{\Delta}

    Args:
        times_s (sequence of N): Time of each point, not falling. [s]
        operations (sequence of N): Host operations done at each point, not falling. [1]
        interval_s (float): Length of the intervals. [s]

    Returns:
        Operations per second in each whole interval from time 0 on. [1/s]

    Raises:
        DomainError: Unless both are two numbers or more, as many, >= 0, finite and not falling, and
            interval_s > 0.

    Notes:
        Valid for any curve; operations are spread evenly between points. An average over a second
        hides pauses within it, see `models.stalls`. Source: definition in [2]_.

    Examples:
        >>> second_iops([0.0, 1.5, 3.0], operations=[0, 135e3, 150e3]).tolist()
        [90000.0, 50000.0, 10000.0]
    """
    times, done = _rising("times_s", times_s), _rising("operations", operations)
    _check.require(done.size == times.size, "operations", "as many as times_s", done.size)
    (interval_s,) = _check.finite(interval_s=interval_s)
    whole = int(times[-1] / interval_s * (1 + 1e-12))
    at = np.interp(np.arange(whole + 1) * interval_s, times, done)
    return np.asarray(np.diff(at) / interval_s)


def second_sd_iops(
    queue_depth: float,
    *,
    iops: float,
    latency_cv: float,
    max_latency_s: float,
    member_stall_fraction: float,
) -> float:
    r"""Spread within a second: standard deviation of the IOPS at which operations were served.

    .. math:: \sigma = \sqrt{(1 - \phi) (c Y)^2 + \phi (1 - \phi) \left(Y - \frac{Q}{L}\right)^2},
              \quad Y = \frac{X}{1 - s}, \quad
              \phi = \min\left(1, \frac{Q s}{X (L - Q/Y)}\right)

    Args:
        queue_depth: Operations outstanding, Q. [1]
        iops: Average IOPS of the second, X. [1/s]
        latency_cv: Standard deviation of latency over its mean, between stalls, c. [1]
        max_latency_s: Longest latency of the second, that of operations in a stall, L. [s]
        member_stall_fraction: Share of time in which the drive stalls, s in [0, 1). [1]

    Returns:
        Standard deviation of queue depth over latency. [1/s]

    Raises:
        DomainError: Unless queue_depth, iops and max_latency_s are > 0 and finite, latency_cv is >=
            0 and finite and member_stall_fraction is in [0, 1).

    Notes:
        Valid for saturated tests at a constant queue depth, stalls that do not overlap and a spread
        c below about 0.3, for which the spread of a rate is that of a time. What [2]_ plots as
        minimum is `queueing.worst_case_iops` of the longest latency of the second; the unit of its
        standard deviation is not printed there. A longest latency of no more than Q/Y is no stall.
        Source: two kinds of latency, that of the Q operations of each stall and that of all others.

    Examples:
        50K IOPS at queue depth 32, steady but for 2.4 % of the time, in stalls of 6 ms:

        >>> sd = second_sd_iops(32, iops=50e3, latency_cv=0.2, max_latency_s=6.6e-3,
        ...                     member_stall_fraction=0.024)
        >>> round(sd)
        10499
    """
    depth, rate, longest = _check.finite(
        queue_depth=queue_depth, iops=iops, max_latency_s=max_latency_s
    )
    (spread,) = _check.non_negative(latency_cv=latency_cv)
    _check.require(np.isfinite(spread), "latency_cv", "finite", spread)
    (stalled,) = _check.fraction(member_stall_fraction=member_stall_fraction)
    _check.require(np.asarray(stalled) < 1, "member_stall_fraction", "< 1", stalled)
    between = rate / (1 - np.asarray(stalled))
    stall_s = longest - depth / between
    held = np.where(
        stall_s > 0, depth * stalled / (rate * np.where(stall_s > 0, stall_s, 1.0)), 0.0
    )
    hit = np.minimum(1.0, held)
    fall = between - depth / longest
    return _check.plain(np.sqrt((1 - hit) * (spread * between) ** 2 + hit * (1 - hit) * fall**2))


def interval_sd_iops(
    queue_depth: float,
    *,
    iops: float,
    max_latency_s: float,
    member_stall_fraction: float,
    interval_s: float = 1.0,
) -> float:
    r"""Spread of the seconds of a steady test: standard deviation of their mean rates.

    .. math:: \sigma = X \sqrt{\frac{s (L - Q/Y)}{\Delta}}, \quad Y = \frac{X}{1 - s}

    Args:
        queue_depth: Operations outstanding, Q. [1]
        iops: Average IOPS of the test, X. [1/s]
        max_latency_s: Longest latency, that of operations in a stall, L. [s]
        member_stall_fraction: Share of time in which the drive stalls, s in [0, 1). [1]
        interval_s: Length of an interval whose mean is one value, Delta. [s]

    Returns:
        Standard deviation of the mean rates of the intervals. [1/s]

    Raises:
        DomainError: Unless queue_depth, iops, max_latency_s and interval_s are > 0 and finite and
            member_stall_fraction is in [0, 1).

    Notes:
        Valid for stalls that start at random and are short beside an interval; regular ones spread
        less. A longest latency of no more than Q/Y is no stall. Source: the time spent in one of
        two states that alternate has the variance L^2 W^2 / (L + W)^3 per unit of time, for stalls
        of one length L and times W between them that are exponential (renewal theory).

    Examples:
        50K IOPS at queue depth 32, stalled for 2.4 % of the time, 6 ms each, by the second:

        >>> round(interval_sd_iops(32, iops=50e3, max_latency_s=6.6e-3,
        ...                        member_stall_fraction=0.024))
        599
    """
    depth, rate, longest, length = _check.finite(
        queue_depth=queue_depth, iops=iops, max_latency_s=max_latency_s, interval_s=interval_s
    )
    (stalled,) = _check.fraction(member_stall_fraction=member_stall_fraction)
    _check.require(np.asarray(stalled) < 1, "member_stall_fraction", "< 1", stalled)
    stall_s = np.maximum(longest - depth * (1 - np.asarray(stalled)) / rate, 0.0)
    return _check.plain(rate * np.sqrt(stalled * stall_s / length))


def settled_fraction(test_s: float, *, settling_s: float) -> float:
    r"""Share of a test spent in steady state; 0 means that the test was too short.

    .. math:: 1 - \min(1, t_s / t)

    Args:
        test_s: Length of the test, t. [s]
        settling_s: Time at which write amplification reaches steady state, t_s. [s]

    Returns:
        Share of the test in [0, 1]. [1]

    Raises:
        DomainError: Unless test_s > 0 and finite and settling_s >= 0.

    Notes:
        Valid for any test that writes as its settling time supposes. Source: definition.

    Examples:
        A zoom on 1,400 s to 2,000 s of a drive that settles at 1,500 s [2]_:

        >>> settled_fraction(2000, settling_s=1500)
        0.25
    """
    (test_s,) = _check.finite(test_s=test_s)
    (settling_s,) = _check.non_negative(settling_s=settling_s)
    return _check.plain(1 - np.minimum(1.0, settling_s / test_s))


def _rising(name: str, values: ArrayLike) -> Floats:
    """Check a sequence that does not fall."""
    (given,) = _check.non_negative(**{name: values})  # type: ignore[arg-type]  # a sequence
    array = np.asarray(given)
    _check.require(array.ndim == 1, name, "a sequence of numbers", array.ndim)
    _check.require(array.size > 1, name, "two numbers or more", array.size)
    _check.require(array < np.inf, name, "finite", array)
    _check.require(np.diff(array) >= 0, name, "in rising order", np.diff(array))
    return array
