r"""Repeated bursts: whether the write cache keeps up.

Base units: bytes and seconds. B bytes are written every T seconds, and the cache is
folded only while the host is idle. A burst is slow once it does not fit in the space that folding
freed. In the long run the bytes x of each burst that fit are those folded in the idle time,

.. math:: x = r_f\,(T - t_b), \quad t_b = \frac{x}{r_1} + \frac{B - x}{r_2}

and at most the size of the burst and of the cache.

References:
    .. [1] A. Malventano, "Samsung 850 EVO 4TB Review", PC Perspective, 2016, "Mixed Burst R/W
       Throughput" (40 MB of writes every 2 s).
"""

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.slc_cache.burst import _bounded


def demand_s(
    burst_bytes: float, *, cached_write_bytes_per_s: float, fold_bytes_per_s: float
) -> float:
    r"""Time that one burst and the folding of its bytes take together.

    .. math:: t = B\,(1/r_1 + 1/r_f)

    Args:
        burst_bytes: Bytes of one burst, B. [bytes]
        cached_write_bytes_per_s: Write rate within the cache, r_1. [bytes/s]
        fold_bytes_per_s: Rate at which folding empties the cache while the host is idle, r_f.
            [bytes/s]

    Returns:
        Shortest time from burst to burst that keeps every burst in the cache. [s]

    Raises:
        DomainError: Unless all are > 0 and finite.

    Notes:
        Valid for bursts that fit into the cache. Source: fluid balance over one cycle.

    Examples:
        40 MB every 2 s [1]_ on a drive that writes at 410 and folds at 130 MB/s:

        >>> round(demand_s(40e6, cached_write_bytes_per_s=410e6, fold_bytes_per_s=130e6), 3)
        0.405
    """
    burst, cached, fold = _check.finite(
        burst_bytes=burst_bytes,
        cached_write_bytes_per_s=cached_write_bytes_per_s,
        fold_bytes_per_s=fold_bytes_per_s,
    )
    return burst * (1 / cached + 1 / fold)


def first_slow_burst(
    burst_bytes: float,
    *,
    cycle_s: float,
    slc_cache_bytes: float,
    cached_write_bytes_per_s: float,
    fold_bytes_per_s: float,
) -> float:
    r"""First burst that does not fit, counted from 1.

    .. math:: n = \left\lfloor \frac{C - B}{B - r_f \max(T - B/r_1, 0)} \right\rfloor + 2

    infinite if bursts fit and the idle time folds each of them; 1 if B > C.

    Args:
        burst_bytes: Bytes of one burst, B. [bytes]
        cycle_s: Time from burst to burst, T. [s]
        slc_cache_bytes: Size of the cache, C. [bytes]
        cached_write_bytes_per_s: Write rate within the cache, r_1. [bytes/s]
        fold_bytes_per_s: Rate at which folding empties the cache while the host is idle, r_f.
            [bytes/s]

    Returns:
        Number of the first slow burst, n. [1]

    Raises:
        DomainError: Unless all are > 0 and finite; the cache may be 0.

    Notes:
        Valid from an empty cache on. A burst that ends with the cache exactly full is not slow.
        Source: occupancy before burst n is (n - 1) times the growth per cycle.

    Examples:
        250 MB every 2 s on a cache of 3 GB, and 40 MB every 2 s:

        >>> first_slow_burst([250e6, 40e6], cycle_s=2.0, slc_cache_bytes=3e9,
        ...                  cached_write_bytes_per_s=410e6, fold_bytes_per_s=130e6).tolist()
        [41.0, inf]
    """
    burst, cycle, cached, fold = _check.finite(
        burst_bytes=burst_bytes,
        cycle_s=cycle_s,
        cached_write_bytes_per_s=cached_write_bytes_per_s,
        fold_bytes_per_s=fold_bytes_per_s,
    )
    (cache,) = _bounded(slc_cache_bytes=slc_cache_bytes)
    growth = np.asarray(burst - fold * np.maximum(cycle - burst / cached, 0.0))
    grows = growth > 0
    cycles = np.floor((cache - burst) / np.where(grows, growth, 1.0)) + 2
    fits = np.where(grows, cycles, np.inf)
    return _check.plain(np.where(np.asarray(burst) > cache, 1.0, fits))


def cached_fraction(
    burst_bytes: float,
    *,
    cycle_s: float,
    slc_cache_bytes: float,
    cached_write_bytes_per_s: float,
    folded_write_bytes_per_s: float,
    fold_bytes_per_s: float,
) -> float:
    r"""Share of each burst that fits in the cache in the long run.

    .. math:: \frac{x}{B} = \frac{1}{B} \min\left(B,\ C,\
              \frac{r_f\,(T - B/r_2)^+}{1 - r_f\,(1/r_2 - 1/r_1)}\right)

    Args:
        burst_bytes: Bytes of one burst, B. [bytes]
        cycle_s: Time from burst to burst, T. [s]
        slc_cache_bytes: Size of the cache, C. [bytes]
        cached_write_bytes_per_s: Write rate within the cache, r_1. [bytes/s]
        folded_write_bytes_per_s: Write rate once the cache is full, r_2. [bytes/s]
        fold_bytes_per_s: Rate at which folding empties the cache while the host is idle, r_f.
            [bytes/s]

    Returns:
        Share that is written at the rate of the cache, 1 if bursts are sustainable. [1]

    Raises:
        DomainError: Unless all are > 0 and finite, the cache may be 0, and
            folded_write_bytes_per_s <= cached_write_bytes_per_s.

    Notes:
        Valid in the long run from an empty cache. Where folding is so fast that the denominator is
        not positive, shorter bursts leave more time than they need: the share is then all that
        fits, or nothing if that is not folded in time. Where bursts take longer than T the next one
        starts late and the share is 0. Source: fixed point of the balance of one cycle.

    Examples:
        >>> share = cached_fraction(250e6, cycle_s=2.0, slc_cache_bytes=3e9,
        ...                         cached_write_bytes_per_s=410e6, folded_write_bytes_per_s=140e6,
        ...                         fold_bytes_per_s=130e6)
        >>> print(f"{share:.4f}")
        0.2868
    """
    burst, cycle, cached, folded, fold = _check.finite(
        burst_bytes=burst_bytes,
        cycle_s=cycle_s,
        cached_write_bytes_per_s=cached_write_bytes_per_s,
        folded_write_bytes_per_s=folded_write_bytes_per_s,
        fold_bytes_per_s=fold_bytes_per_s,
    )
    (cache,) = _bounded(slc_cache_bytes=slc_cache_bytes)
    slower = np.asarray(folded) <= cached
    _check.require(slower, "folded_write_bytes_per_s", "<= cached_write_bytes_per_s", folded)
    most = np.minimum(burst, cache)
    idle_s = cycle - burst / folded  # if nothing were cached
    gain = 1 / folded - 1 / cached
    return _check.plain(_settled(most, fold * idle_s, fold * gain) / burst)


def steady_burst_s(
    burst_bytes: float,
    *,
    cycle_s: float,
    slc_cache_bytes: float,
    cached_write_bytes_per_s: float,
    folded_write_bytes_per_s: float,
    fold_bytes_per_s: float,
) -> float:
    r"""Time that each burst takes in the long run.

    .. math:: t_b = \frac{x}{r_1} + \frac{B - x}{r_2} = \frac{B/r_2 + r_f T g}{1 + r_f g},
              \quad g = 1/r_1 - 1/r_2

    the second form where x is above 0 and below all that fits.

    Args:
        burst_bytes: Bytes of one burst, B. [bytes]
        cycle_s: Time from burst to burst, T. [s]
        slc_cache_bytes: Size of the cache, C. [bytes]
        cached_write_bytes_per_s: Write rate within the cache, r_1. [bytes/s]
        folded_write_bytes_per_s: Write rate once the cache is full, r_2. [bytes/s]
        fold_bytes_per_s: Rate at which folding empties the cache while the host is idle, r_f.
            [bytes/s]

    Returns:
        Duration of a burst; B / r_1 if bursts are sustainable. [s]

    Raises:
        DomainError: As `cached_fraction`.

    Notes:
        Valid as `cached_fraction`, of which x is the share times B. Source: as `cached_fraction`.

    Examples:
        >>> t = steady_burst_s(250e6, cycle_s=2.0, slc_cache_bytes=3e9,
        ...                    cached_write_bytes_per_s=410e6, folded_write_bytes_per_s=140e6,
        ...                    fold_bytes_per_s=130e6)
        >>> print(f"{t:.4f}")
        1.4484
    """
    share = cached_fraction(
        burst_bytes,
        cycle_s=cycle_s,
        slc_cache_bytes=slc_cache_bytes,
        cached_write_bytes_per_s=cached_write_bytes_per_s,
        folded_write_bytes_per_s=folded_write_bytes_per_s,
        fold_bytes_per_s=fold_bytes_per_s,
    )
    burst, cached, folded = _check.finite(
        burst_bytes=burst_bytes,
        cached_write_bytes_per_s=cached_write_bytes_per_s,
        folded_write_bytes_per_s=folded_write_bytes_per_s,
    )
    return burst * (share / cached + (1 - share) / folded)


def overflow_s(
    burst_bytes: float,
    *,
    static_cache_bytes: float,
    free_bytes: float,
    bits_per_cell: float,
    growth_bytes_per_s: float,
) -> float:
    r"""Time until the drive is so full that a burst no longer fits into its cache.

    .. math:: t = \frac{(F - n\,(B - C_s)^+)^+}{g}

    infinite if the static part alone holds the burst.

    Args:
        burst_bytes: Bytes of the burst, B. [bytes]
        static_cache_bytes: Cache that is always there, C_s. [bytes]
        free_bytes: Free native flash today, F. [bytes]
        bits_per_cell: Bits in a native cell, n. [1]
        growth_bytes_per_s: Net rate at which stored data grows, g. [bytes/s]

    Returns:
        Time until then, 0 if it is past. [s]

    Raises:
        DomainError: Unless burst_bytes and growth_bytes_per_s are > 0 and finite, the other
            sizes >= 0 and finite, and bits_per_cell is a whole number.

    Notes:
        Valid for a dynamic cache without a limit of its own. Source: `cache_bytes` solved for the
        free flash.

    Examples:
        A daily burst of 60 GB on 300 GB free, filling by 1 GB a day, in days:

        >>> t = overflow_s(60e9, static_cache_bytes=6e9, free_bytes=300e9, bits_per_cell=4,
        ...                growth_bytes_per_s=1e9 / 86400)
        >>> round(t / 86400)
        84
    """
    burst, growth = _check.finite(burst_bytes=burst_bytes, growth_bytes_per_s=growth_bytes_per_s)
    static, free = _bounded(static_cache_bytes=static_cache_bytes, free_bytes=free_bytes)
    (bits,) = _check.count(bits_per_cell=bits_per_cell)
    dynamic = np.maximum(burst - np.asarray(static), 0.0)
    room = np.maximum(free - bits * dynamic, 0.0)
    return _check.plain(np.where(dynamic > 0, room / growth, np.inf))


def _settled(most: NDArray[np.float64], start: float, slope: float) -> NDArray[np.float64]:
    """Follow x = start + slope x, kept in [0, most], down from `most` to where it stays."""
    keeps = start + slope * most >= most
    calm = np.asarray(slope) < 1
    below = np.where(calm, start / np.where(calm, 1 - np.asarray(slope), 1.0), 0.0)
    return np.where(keeps, most, np.maximum(below, 0.0))
