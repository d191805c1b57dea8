"""Mixes of operations: shares of operations become shares of time.

Base units: operations per second. A drive that serves 87K reads or 12K writes
does not serve the mean of the two at 50/50: the slow operations take most of
the time, so rates mix harmonically.
"""

import numpy as np
from numpy.typing import ArrayLike

from models import _check


def mixed_iops(read_iops: float, *, write_iops: float, read_fraction: float) -> float:
    r"""IOPS of a mix of reads and writes.

    .. math:: 1/X = f/X_r + (1-f)/X_w

    Args:
        read_iops: Rate when every operation is a read. [1/s]
        write_iops: Rate when every operation is a write. [1/s]
        read_fraction: Share of operations that are reads, in [0, 1]. [1]

    Returns:
        Operations per second of the mix. [1/s]

    Raises:
        DomainError: Unless both rates are > 0 and finite and the share is in [0, 1].

    Notes:
        Valid where both kinds compete for one resource and neither has priority. Source:
        utilisation law, x_r/X_r + x_w/X_w = 1 (P. J. Denning and J. P. Buzen, "The Operational
        Analysis of Queueing Network Models", ACM Computing Surveys 10(3), 1978).

    Examples:
        87K reads and 12K writes at 50/50 are 21.1K, not 49.5K:

        >>> round(mixed_iops(87e3, write_iops=12e3, read_fraction=0.5))
        21091
    """
    read_iops, write_iops = _check.finite(read_iops=read_iops, write_iops=write_iops)
    (read_fraction,) = _check.fraction(read_fraction=read_fraction)
    return 1 / (read_fraction / read_iops + (1 - read_fraction) / write_iops)


def reads_beside_iops(
    host_bytes_per_s: float, *, transfer_bytes: float, read_fraction: float
) -> float:
    r"""Random or sequential reads per second beside writes of this rate.

    .. math:: x_r = \frac{\lambda}{s} \cdot \frac{f}{1 - f}

    Args:
        host_bytes_per_s: Host writes, lambda. [bytes/s]
        transfer_bytes: Size of an operation, s. [bytes]
        read_fraction: Share of operations that are reads, f; < 1. [1]

    Returns:
        Reads per second of the mix. [1/s]

    Raises:
        DomainError: Unless host_bytes_per_s is >= 0 and finite, transfer_bytes > 0 and finite, and
            read_fraction in [0, 1).

    Notes:
        Valid for reads and writes of one size. Source: a ratio.

    Examples:
        >>> reads_beside_iops(4096e3, transfer_bytes=4096, read_fraction=0.75)
        3000.0
    """
    (written,) = _check.from_zero(host_bytes_per_s=host_bytes_per_s)
    (size,) = _check.finite(transfer_bytes=transfer_bytes)
    (share,) = _check.fraction(read_fraction=read_fraction)
    _check.require(np.less(share, 1), "read_fraction", "in [0, 1)", share)
    return written / size * share / (1 - share)


def blended_iops(
    sequential_iops: float, *, random_iops: float, sequential_fraction: float
) -> float:
    r"""IOPS of sequential and random operations of one direction together.

    .. math:: 1/X = s/X_s + (1-s)/X_r

    Args:
        sequential_iops: Rate when every operation is sequential. [1/s]
        random_iops: Rate when every operation is random. [1/s]
        sequential_fraction: Share of operations that are sequential, in [0, 1]. [1]

    Returns:
        Operations per second of the mix. [1/s]

    Raises:
        DomainError: Unless both rates are > 0 and finite and the share is in [0, 1].

    Notes:
        Valid where both kinds compete for one resource. Source: as `mixed_iops`.

    Examples:
        >>> round(blended_iops(129_000, random_iops=92_000, sequential_fraction=0.5))
        107403
    """
    sequential_iops, random_iops = _check.finite(
        sequential_iops=sequential_iops, random_iops=random_iops
    )
    (share,) = _check.fraction(sequential_fraction=sequential_fraction)
    return 1 / (share / sequential_iops + (1 - share) / random_iops)


def class_mix_iops(class_iops: ArrayLike, *, shares: ArrayLike) -> float:
    r"""IOPS of a mix of several classes, such as block sizes.

    .. math:: 1/X = \sum_k f_k / X_k

    Args:
        class_iops (array, shape (..., K)): Rate when every operation is of class k. [1/s]
        shares (array, shape (..., K)): Shares of operations by class; they are divided by their
            sum. [1]

    Returns:
        float or array, shape (...): Operations per second of the mix. [1/s]

    Raises:
        DomainError: Unless every rate is > 0 and finite and every share >= 0 with a positive sum.

    Notes:
        Valid where the classes compete for one resource. Source: as `mixed_iops`.

    Examples:
        Half 4 KiB at 50K, half 64 KiB at 4K:

        >>> round(class_mix_iops([50e3, 4e3], shares=[0.5, 0.5]))
        7407
    """
    (rates,) = _check.finite(class_iops=np.asarray(class_iops, float))  # type: ignore[arg-type]  # reduces the last axis
    (parts,) = _check.non_negative(shares=np.asarray(shares, float))  # type: ignore[arg-type]  # as above
    _check.require(np.less(parts, np.inf), "shares", ">= 0 and finite", parts)
    speeds, weights = np.broadcast_arrays(*_check.together(class_iops=rates, shares=parts))
    total = np.sum(weights, axis=-1)
    _check.require(total > 0, "shares", "positive in sum", total)
    mixed = total / np.sum(weights / speeds, axis=-1)
    return _check.plain(mixed)
