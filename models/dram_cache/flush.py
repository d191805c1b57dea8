"""Write combining, periodic flushes, and data loss by a crash.

Counts of pages, bytes and seconds. Writes to the same page that meet in memory become one write to
the drive.

References:
    .. [1] A. L. Shimpi, "Samsung SSD 840 EVO Review", AnandTech 7173, 2013, "RAPID: PCIe-like
       Performance from a SATA SSD" (write combining in memory, risk of losing it).
"""

import numpy as np
from numpy.typing import ArrayLike

from models import _check
from models.dram_cache.lru import Floats, _classes


def unique_pages(requests: float, *, request_shares: ArrayLike, class_pages: ArrayLike) -> float:
    r"""Distinct pages among a number of writes.

    .. math:: U = \sum_k N_k \left(1 - (1 - p_k)^M\right)

    Args:
        requests: Writes, M. [1]
        request_shares (sequence of K): Shares of writes by class, r; they are divided by their sum.
            [1]
        class_pages (sequence of K): Pages of each class, N. [1]

    Returns:
        Expected number of different pages, U. [1]

    Raises:
        DomainError: Unless requests is > 0 and finite and the others are K numbers, the shares >=
            0, the pages finite and at least 1.

    Notes:
        Valid for independent requests; exact. Source: a page is missed by all M writes with
        probability (1 - p)^M.

    Examples:
        >>> print(f"{unique_pages(8, request_shares=[1], class_pages=[8]):.4f}")
        5.2511
    """
    (requests,) = _check.finite(requests=requests)
    popularity, pages = _classes(request_shares, class_pages)
    with np.errstate(divide="ignore"):
        missed = np.log1p(-np.minimum(popularity, 1.0))
    return _check.plain(
        -np.sum(pages * np.expm1(np.asarray(requests)[..., None] * missed), axis=-1)
    )


def combining_ratio(requests: float, *, request_shares: ArrayLike, class_pages: ArrayLike) -> float:
    r"""Host writes that become one write to the drive by combining in memory.

    .. math:: \kappa = M/U

    Args:
        requests: Writes that are combined before they go to the drive, M. [1]
        request_shares (sequence of K): Shares of writes by class, r. [1]
        class_pages (sequence of K): Pages of each class, N. [1]

    Returns:
        Host writes per page written, >= 1. [1]

    Raises:
        DomainError: As `unique_pages`.

    Notes:
        Valid as `unique_pages`. Source: definition.

    Examples:
        256 Ki writes to 2 Mi pages, 1 GiB of memory before a span of 8 GiB [1]_:

        >>> print(f"{combining_ratio(2**18, request_shares=[1], class_pages=[2**21]):.4f}")
        1.0638
    """
    unique = unique_pages(requests, request_shares=request_shares, class_pages=class_pages)
    return _check.plain(np.maximum(np.asarray(requests, float) / unique, 1.0))


def flushed_iops(
    request_iops: float,
    *,
    write_fraction: float,
    flush_s: float,
    request_shares: ArrayLike,
    class_pages: ArrayLike,
) -> float:
    r"""Pages written to the drive per second by periodic flushes.

    .. math:: X = \frac{1}{\tau} \sum_k N_k \left(1 - e^{-\lambda p_k w \tau}\right)

    Args:
        request_iops: Requests per second, lambda. [1/s]
        write_fraction: Share of requests that are writes, w. [1]
        flush_s: Time between flushes, tau. [s]
        request_shares (sequence of K): Shares of requests by class, r. [1]
        class_pages (sequence of K): Pages of each class, N. [1]

    Returns:
        Pages written per second, X, at most lambda w. [1/s]

    Raises:
        DomainError: Unless rate and period are > 0 and finite, write_fraction is in [0, 1], and the
            classes are as in `unique_pages`.

    Notes:
        Valid while the pages written between two flushes fit into the cache. Source: writes to a
        page arrive as a Poisson process.

    Examples:
        1,000 requests a second to 1,000 pages, flushed every second:

        >>> x = flushed_iops(1000, write_fraction=1.0, flush_s=1.0, request_shares=[1],
        ...                  class_pages=[1000])
        >>> print(f"{x:.1f}")
        632.1
    """
    writes, pages, period = _writes(
        request_iops, write_fraction, flush_s, request_shares, class_pages
    )
    return _check.plain(-np.sum(pages * np.expm1(-writes), axis=-1) / period)


def flushed_dirty_pages(
    request_iops: float,
    *,
    write_fraction: float,
    flush_s: float,
    request_shares: ArrayLike,
    class_pages: ArrayLike,
) -> float:
    r"""Mean number of dirty pages with periodic flushes.

    .. math:: D = \sum_k N_k \left(1 - \frac{1 - e^{-x_k}}{x_k}\right), \quad
              x_k = \lambda p_k w \tau

    Args:
        request_iops: Requests per second, lambda. [1/s]
        write_fraction: Share of requests that are writes, w. [1]
        flush_s: Time between flushes, tau. [s]
        request_shares (sequence of K): Shares of requests by class, r. [1]
        class_pages (sequence of K): Pages of each class, N. [1]

    Returns:
        Mean number of dirty pages, D, at most lambda w tau / 2. [1]

    Raises:
        DomainError: As `flushed_iops`.

    Notes:
        Valid as `flushed_iops`, for flushes that take no time. Source: mean over the period of the
        probability that a page was written since the last flush.

    Examples:
        >>> d = flushed_dirty_pages(1000, write_fraction=1.0, flush_s=1.0, request_shares=[1],
        ...                         class_pages=[1000])
        >>> print(f"{d:.1f}")
        367.9
    """
    writes, pages, _ = _writes(request_iops, write_fraction, flush_s, request_shares, class_pages)
    small = np.minimum(writes, 1e-4)
    series = small / 2 * (1 - small / 3 * (1 - small / 4))
    large = np.maximum(writes, 1e-4)
    dirty = np.where(writes < 1e-4, series, 1 + np.expm1(-large) / large)
    return _check.plain(np.sum(pages * dirty, axis=-1))


def exposed_bytes(dirty_bytes: float, *, write_bytes_per_s: float, flush_s: float) -> float:
    r"""Upper bound of the bytes lost by a crash at a random moment, with flushes.

    .. math:: E = \min(D,\ W \tau / 2)

    Args:
        dirty_bytes: Dirty bytes without flushes, or the size of the cache, D. [bytes]
        write_bytes_per_s: Bytes that the host writes per second, W. [bytes/s]
        flush_s: Time between flushes, tau; infinite if there are none. [s]

    Returns:
        Mean bytes at risk, E. [bytes]

    Raises:
        DomainError: Unless dirty_bytes is >= 0 and the others are > 0.

    Notes:
        Valid for a cache in the host's memory; a drive with capacitors saves what is in its own. An
        upper bound: writes that meet in the cache count once only, which `flushed_dirty_pages`
        takes into account. Source: the mean time since the last flush is tau / 2.

    Examples:
        1 GiB of memory, 20 MB/s of writes, flushed every 30 s:

        >>> exposed_bytes(2**30, write_bytes_per_s=20e6, flush_s=30.0) / 1e6
        300.0
    """
    (dirty,) = _check.non_negative(dirty_bytes=dirty_bytes)
    rate, period = _check.positive(write_bytes_per_s=write_bytes_per_s, flush_s=flush_s)
    return _check.plain(np.minimum(dirty, rate * period / 2))


def flushed_bytes(dirty_bytes: float, *, write_bytes_per_s: float, flush_s: float) -> float:
    r"""Upper bound of the bytes that a regular flush writes: those of one interval.

    .. math:: D_f = \min(D,\ W \tau)

    Args:
        dirty_bytes: Dirty bytes without flushes, or the size of the cache, D. [bytes]
        write_bytes_per_s: Bytes that the host writes per second, W. [bytes/s]
        flush_s: Time between flushes, tau; infinite if there are none. [s]

    Returns:
        Bytes of one flush, twice those at risk on average. [bytes]

    Raises:
        DomainError: Unless dirty_bytes is >= 0 and the others are > 0.

    Notes:
        Valid as `exposed_bytes`: writes that meet in the cache count once only. Source: definition.

    Examples:
        >>> flushed_bytes(2**30, write_bytes_per_s=20e6, flush_s=30.0) / 1e6
        600.0
    """
    (dirty,) = _check.non_negative(dirty_bytes=dirty_bytes)
    rate, period = _check.positive(write_bytes_per_s=write_bytes_per_s, flush_s=flush_s)
    return _check.plain(np.minimum(dirty, rate * period))


def flush_wait_s(flushed_bytes: float, *, drain_bytes_per_s: float, max_latency_s: float) -> float:
    r"""Longest time that a write waits behind a flush of the cache, or for room in a full one.

    .. math:: R = D / B + R_d

    Args:
        flushed_bytes: Dirty bytes that are written before the write, D. [bytes]
        drain_bytes_per_s: Rate at which the drive takes many pages at once, B. [bytes/s]
        max_latency_s: Longest latency of a write to the drive itself, R_d. [s]

    Returns:
        Latency of the write that waits. [s]

    Raises:
        DomainError: Unless drain_bytes_per_s is > 0 and the others are >= 0.

    Notes:
        Valid where the flush is written as one, in the order of its pages, and the last of its
        writes meets the drive's own longest wait. With nothing flushed it is that of the drive, the
        least; with all of the cache dirty it is the most. Source: definition.

    Examples:
        9 MB at 300 MB/s before a drive whose own writes take 0.75 ms, in ms:

        >>> round(1e3 * flush_wait_s(9e6, drain_bytes_per_s=3e8, max_latency_s=0.75e-3), 2)
        30.75
    """
    flushed_bytes, max_latency_s = _check.non_negative(
        flushed_bytes=flushed_bytes, max_latency_s=max_latency_s
    )
    (drain,) = _check.positive(drain_bytes_per_s=drain_bytes_per_s)
    return _check.plain(flushed_bytes / drain + np.asarray(max_latency_s))


def lost_bytes_per_s(exposed_bytes: float, *, crash_interval_s: float) -> float:
    r"""Bytes lost to crashes in the long run.

    .. math:: \dot{L} = E / t_c

    Args:
        exposed_bytes: Mean bytes at risk, E: dirty bytes in memory that is lost. [bytes]
        crash_interval_s: Mean time between crashes and power failures, t_c. [s]

    Returns:
        Expected bytes lost per second; times the seconds of a year per year. [bytes/s]

    Raises:
        DomainError: Unless exposed_bytes is >= 0 and the interval > 0.

    Notes:
        Valid for crashes that do not depend on the load. Source: rate times mean loss.

    Examples:
        300 MB at risk and two crashes a year, in MB per year:

        >>> from models.units import YEAR_S
        >>> round(lost_bytes_per_s(300e6, crash_interval_s=YEAR_S / 2) * YEAR_S / 1e6)
        600
    """
    (exposed,) = _check.non_negative(exposed_bytes=exposed_bytes)
    (interval,) = _check.positive(crash_interval_s=crash_interval_s)
    return exposed / interval


def loss_probability(horizon_s: float, *, crash_interval_s: float) -> float:
    r"""Probability of at least one crash within a time.

    .. math:: P = 1 - e^{-H/t_c}

    Args:
        horizon_s: Horizon, H. [s]
        crash_interval_s: Mean time between crashes and power failures, t_c. [s]

    Returns:
        Probability; each crash loses whatever is dirty. [1]

    Raises:
        DomainError: Unless both are > 0.

    Notes:
        Valid for crashes at a constant rate, and data that is dirty at all times. Source: Poisson
        process.

    Examples:
        >>> print(f"{loss_probability(1.0, crash_interval_s=2.0):.4f}")
        0.3935
    """
    (horizon,) = _check.finite(horizon_s=horizon_s)
    (interval,) = _check.positive(crash_interval_s=crash_interval_s)
    return _check.plain(-np.expm1(-horizon / interval))


def _writes(
    request_iops: float,
    write_fraction: float,
    flush_s: float,
    request_shares: ArrayLike,
    class_pages: ArrayLike,
) -> tuple[Floats, Floats, float]:
    """Return the writes to a page between two flushes and the pages by class, and the period."""
    rate, period = _check.finite(request_iops=request_iops, flush_s=flush_s)
    (share,) = _check.fraction(write_fraction=write_fraction)
    popularity, pages = _classes(request_shares, class_pages)
    return np.asarray(rate * share * period)[..., None] * popularity, pages, period
