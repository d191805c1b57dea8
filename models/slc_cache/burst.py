"""One burst of writes into a single-level write cache, and the folding behind it.

Base units: bytes and seconds. A burst runs at the rate of the cache until the cache
is full, then at the lower rate of native flash or of folding.

References:
    .. [1] A. L. Shimpi, "Samsung SSD 840 EVO Review", AnandTech 7173, 2013, "TurboWrite: MLC
       Performance on a TLC Drive" (static cache, 15 to 30 s to empty).
    .. [2] "Samsung TurboWrite Adds Up To 3X Speed to 840 EVO SSDs", The SSD Review, 2013 (140 and
       410 MB/s without and with the cache at 120 GB, 270 and 520 at 250 GB).
    .. [3] S. Crisp, "Samsung SSD 870 QVO 4TB Review", KitGuru, page 12 (6 GB static and 72 GB
       dynamic; 486.92 MB/s within the cache, 169.45 MB/s after it).
"""

import numpy as np

from models import _check


def cache_bytes(
    static_cache_bytes: float,
    *,
    free_bytes: float,
    bits_per_cell: float,
    dynamic_limit_bytes: float = np.inf,
) -> float:
    r"""Size of a write cache of a static and a dynamic part.

    .. math:: C = C_s + \min(C_d, F/n)

    Args:
        static_cache_bytes: Cache that is always there, C_s, as it is written. [bytes]
        free_bytes: Free native flash that may be written in single-level mode, F. [bytes]
        bits_per_cell: Bits in a native cell, n: 3 for TLC, 4 for QLC. [1]
        dynamic_limit_bytes: Most that the firmware takes for the dynamic part, C_d. [bytes]

    Returns:
        Bytes that a burst finds, C. [bytes]

    Raises:
        DomainError: Unless both sizes are >= 0 and finite, bits_per_cell is a whole number and the
            limit is >= 0.

    Notes:
        Valid for an empty cache. Source: a cell in single-level mode holds one of its n bits; sizes
        as in [3]_.

    Examples:
        6 GB static, 72 GB at most, on a drive with 288 GB free and on a full one:

        >>> cache_bytes(6e9, free_bytes=[288e9, 0], bits_per_cell=4,
        ...             dynamic_limit_bytes=72e9).tolist()
        [78000000000.0, 6000000000.0]
    """
    static, free = _bounded(static_cache_bytes=static_cache_bytes, free_bytes=free_bytes)
    (limit,) = _check.non_negative(dynamic_limit_bytes=dynamic_limit_bytes)
    (bits,) = _check.count(bits_per_cell=bits_per_cell)
    return _check.plain(static + np.minimum(limit, free / bits))


def program_bytes_per_s(
    dies: float, *, program_bytes: float, program_s: float, link_bytes_per_s: float
) -> float:
    r"""Write rate of a flash array behind a link.

    .. math:: r = \min(L, D\,s/t)

    Args:
        dies: Dies that program at a time, D. [1]
        program_bytes: Bytes that one program operation of one die stores, s: page size times
            planes, times the pages that are programmed at once. [bytes]
        program_s: Time of that operation, t: in single-level or in native mode. [s]
        link_bytes_per_s: Rate of the host interface, L; infinite where it does not matter.
            [bytes/s]

    Returns:
        Sequential write rate, r. [bytes/s]

    Raises:
        DomainError: Unless dies is a whole number and the others are > 0, the first two finite.

    Notes:
        Valid while transfers hide behind programming. Source: utilisation of the dies is 1.

    Examples:
        16 dies that program 16 KiB in 0.4 ms reach 655 MB/s, the link 550:

        >>> program_bytes_per_s(16, program_bytes=16384, program_s=4e-4, link_bytes_per_s=5.5e8)
        550000000.0
    """
    (dies,) = _check.count(dies=dies)
    size, time = _check.finite(program_bytes=program_bytes, program_s=program_s)
    (link,) = _check.positive(link_bytes_per_s=link_bytes_per_s)
    return _check.plain(np.minimum(link, dies * size / time))


def fold_bytes_per_s(
    native_write_bytes_per_s: float, *, cache_read_bytes_per_s: float, fold_wa: float = 1.0
) -> float:
    r"""Rate at which folding empties the cache.

    .. math:: r_f = \frac{1}{A_f\,(1/r_n + 1/r_r)}

    Args:
        native_write_bytes_per_s: Write rate of native flash, r_n. [bytes/s]
        cache_read_bytes_per_s: Rate at which flash is read for folding, r_r; infinite where reads
            cost nothing. [bytes/s]
        fold_wa: Native bytes written per byte that leaves the cache, A_f: garbage collection of
            random data makes it more than 1, data that was overwritten in the cache less. [1]

    Returns:
        Bytes leaving the cache per second, r_f. [bytes/s]

    Raises:
        DomainError: Unless all are > 0, the first and the last finite.

    Notes:
        Valid where reading and programming take turns on the same dies. Source: time per byte is
        the sum of its parts.

    Examples:
        >>> fold_bytes_per_s(270e6, cache_read_bytes_per_s=540e6) / 1e6
        180.0
    """
    native, wa = _check.finite(native_write_bytes_per_s=native_write_bytes_per_s, fold_wa=fold_wa)
    (read,) = _check.positive(cache_read_bytes_per_s=cache_read_bytes_per_s)
    return 1 / (wa * (1 / native + 1 / read))


def forced_fold_bytes_per_s(
    write_bytes_per_s: float, *, fold_bytes_per_s: float, folds_per_byte: float = 1.0
) -> float:
    r"""Host rate when every byte must wait for folding to make room.

    .. math:: r_2 = \frac{1}{1/r_w + \varphi/r_f}

    Args:
        write_bytes_per_s: Rate at which the host's own data is written, r_w, into the cache or into
            native flash. [bytes/s]
        fold_bytes_per_s: Rate at which folding empties the cache, r_f. [bytes/s]
        folds_per_byte: Cached bytes folded per host byte, phi: 1 through a static cache; where a
            dynamic cache took all free flash n/(n - 1) through the cache and 1/(n - 1) into native
            flash, with n bits in a cell. [1]

    Returns:
        Host write rate, r_2. [bytes/s]

    Raises:
        DomainError: Unless all are > 0 and finite.

    Notes:
        Valid as long as there is cached data to fold. Source: folding x bytes of a dynamic cache
        frees n x and takes x of native flash, so that the space balance gives phi.

    Examples:
        >>> round(forced_fold_bytes_per_s(410e6, fold_bytes_per_s=130e6) / 1e6, 1)
        98.7
    """
    write, fold, folds = _check.finite(
        write_bytes_per_s=write_bytes_per_s,
        fold_bytes_per_s=fold_bytes_per_s,
        folds_per_byte=folds_per_byte,
    )
    return 1 / (1 / write + folds / fold)


def burst_s(
    burst_bytes: float,
    *,
    slc_cache_bytes: float,
    cached_write_bytes_per_s: float,
    folded_write_bytes_per_s: float,
    concurrent_fold_bytes_per_s: float = 0.0,
) -> float:
    r"""Time that one burst takes, from an empty cache.

    .. math:: t = \frac{\min(V, C')}{r_1} + \frac{\max(V - C', 0)}{r_2}, \quad
              C' = \frac{C}{1 - r_c/r_1}

    Args:
        burst_bytes: Bytes that the host writes without a pause, V. [bytes]
        slc_cache_bytes: Room in the cache when the burst begins, C. [bytes]
        cached_write_bytes_per_s: Write rate within the cache, r_1. [bytes/s]
        folded_write_bytes_per_s: Write rate once the cache is full, r_2: that of native flash where
            the drive writes past the cache, or `forced_fold_bytes_per_s`. [bytes/s]
        concurrent_fold_bytes_per_s: Folding during the burst, r_c; from r_1 on the cache never
            fills. [bytes/s]

    Returns:
        Duration, t. [s]

    Raises:
        DomainError: Unless the burst and both write rates are > 0 and finite, and cache and
            concurrent folding are >= 0 and finite.

    Notes:
        Valid for sequential writes at constant rates. Source: fluid balance of the cache; the two
        levels are seen in [1]_ and [3]_.

    Examples:
        10 GB to a 120 GB 840 EVO: 3 GB at 410 MB/s, the rest at 140 MB/s [2]_:

        >>> t = burst_s(10e9, slc_cache_bytes=3e9, cached_write_bytes_per_s=410e6,
        ...             folded_write_bytes_per_s=140e6)
        >>> print(f"{t:.2f}")
        57.32
    """
    (burst,) = _check.finite(burst_bytes=burst_bytes)
    full_s, cached, folded = _phases(
        slc_cache_bytes,
        cached_write_bytes_per_s,
        folded_write_bytes_per_s,
        concurrent_fold_bytes_per_s,
    )
    fast_s = np.minimum(burst / cached, full_s)
    return _check.plain(fast_s + np.maximum(burst - fast_s * cached, 0.0) / folded)


def written_bytes(
    elapsed_s: float,
    *,
    slc_cache_bytes: float,
    cached_write_bytes_per_s: float,
    folded_write_bytes_per_s: float,
    concurrent_fold_bytes_per_s: float = 0.0,
) -> float:
    r"""Bytes written so far in a burst: the integral of the curve that reviews plot.

    .. math:: V(t) = r_1 \min(t, t_1) + r_2 \max(t - t_1, 0), \quad t_1 = \frac{C}{r_1 - r_c}

    Args:
        elapsed_s: Time since the burst began, t. [s]
        slc_cache_bytes: Room in the cache when the burst begins, C. [bytes]
        cached_write_bytes_per_s: Write rate within the cache, r_1. [bytes/s]
        folded_write_bytes_per_s: Write rate once the cache is full, r_2. [bytes/s]
        concurrent_fold_bytes_per_s: Folding during the burst, r_c. [bytes/s]

    Returns:
        Bytes written by then, V. [bytes]

    Raises:
        DomainError: Unless the time and both write rates are > 0 and finite, and cache and
            concurrent folding are >= 0 and finite.

    Notes:
        Valid as `burst_s`, of which it is the inverse. Source: as `burst_s`.

    Examples:
        The mean rate of the first minute of the same drive, in MB/s; 180.4 was measured on its
        mSATA version (AnandTech, 840 EVO mSATA review, "Resiliency"):

        >>> v = written_bytes(60, slc_cache_bytes=3e9, cached_write_bytes_per_s=410e6,
        ...                   folded_write_bytes_per_s=140e6)
        >>> print(f"{v / 60 / 1e6:.1f}")
        172.9
    """
    (elapsed,) = _check.finite(elapsed_s=elapsed_s)
    full_s, cached, folded = _phases(
        slc_cache_bytes,
        cached_write_bytes_per_s,
        folded_write_bytes_per_s,
        concurrent_fold_bytes_per_s,
    )
    fast_s = np.minimum(elapsed, full_s)
    return _check.plain(fast_s * cached + (elapsed - fast_s) * folded)


def drain_s(held_bytes: float, *, fold_bytes_per_s: float) -> float:
    r"""Idle time that empties the cache.

    .. math:: t = s / r_f

    Args:
        held_bytes: Bytes in the cache, s. [bytes]
        fold_bytes_per_s: Rate at which folding empties the cache, r_f. [bytes/s]

    Returns:
        Time to empty it without host writes, t. [s]

    Raises:
        DomainError: Unless held_bytes is >= 0 and finite and the rate > 0.

    Notes:
        Valid for folding that starts at once and is not held back. Source: definition; [1]_ saw 15
        to 30 s.

    Examples:
        3 GB of a 250 GB 840 EVO, folded at 180 MB/s:

        >>> round(drain_s(3e9, fold_bytes_per_s=180e6), 1)
        16.7
    """
    (held,) = _bounded(held_bytes=held_bytes)
    (fold,) = _check.positive(fold_bytes_per_s=fold_bytes_per_s)
    return held / fold


def _phases(
    cache: float, cached: float, folded: float, concurrent: float
) -> tuple[float, float, float]:
    """Return the time at which the cache is full, and both rates, checked."""
    cache, concurrent = _bounded(slc_cache_bytes=cache, concurrent_fold_bytes_per_s=concurrent)
    cached, folded = _check.finite(cached_write_bytes_per_s=cached, folded_write_bytes_per_s=folded)
    net = np.asarray(cached - concurrent)
    fills = net > 0
    full_s = np.where(fills, cache / np.where(fills, net, 1.0), np.inf)
    return _check.plain(full_s), cached, folded


def _bounded(**named: float) -> tuple[float, ...]:
    """Return the values if every one is >= 0 and finite."""
    values = _check.non_negative(**named)
    for name, value in zip(named, values, strict=True):
        _check.require(np.asarray(value) < np.inf, name, "finite", value)
    return values
