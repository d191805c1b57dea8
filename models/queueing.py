"""Queue depth, latency, IOPS and throughput: conversions by Little's law.

Base units: operations per second, seconds, bytes. All of it is Little's law,
which holds for every closed queue whatever its discipline [1]_.

References:
    .. [1] J. D. C. Little, "A Proof for the Queuing Formula: L = lambda W", Operations Research
       9(3), 1961.
    .. [2] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview: Exploring Worst-Case IOPS", AnandTech 8319,
       2014, "Explaining Throughput, IOPS, and Latency".
"""

import numpy as np

from models import _check


def iops(queue_depth: float, *, latency_s: float) -> float:
    r"""Operations per second of a queue kept at one depth.

    .. math:: X = Q / R

    Args:
        queue_depth: Operations outstanding on average. [1]
        latency_s: Mean time from submission to completion. [s]

    Returns:
        Completed operations per second. [1/s]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for any steady queue; exact. Source: [1]_.

    Examples:
        A 4 KiB random write at 20 us and queue depth 32 would mean [2]_:

        >>> round(iops(32, latency_s=20e-6))
        1600000
    """
    queue_depth, latency_s = _check.positive(queue_depth=queue_depth, latency_s=latency_s)
    return queue_depth / latency_s


def latency_s(queue_depth: float, *, iops: float) -> float:
    r"""Mean latency of a queue kept at one depth.

    .. math:: R = Q / X

    Args:
        queue_depth: Operations outstanding on average. [1]
        iops: Completed operations per second. [1/s]

    Returns:
        Mean time from submission to completion. [s]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for any steady queue; exact. Source: [1]_.

    Examples:
        5K IOPS at queue depth 32 is a latency of 6.4 ms [2]_:

        >>> latency_s(32, iops=5_000)
        0.0064
    """
    queue_depth, iops = _check.positive(queue_depth=queue_depth, iops=iops)
    return queue_depth / iops


def queue_depth(iops: float, *, latency_s: float) -> float:
    r"""Operations outstanding on average.

    .. math:: Q = X R

    Args:
        iops: Completed operations per second. [1/s]
        latency_s: Mean time from submission to completion. [s]

    Returns:
        Mean number outstanding. [1]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for any steady queue; exact. Source: [1]_.

    Examples:
        >>> queue_depth(50_000, latency_s=640e-6)
        32.0
    """
    iops, latency_s = _check.positive(iops=iops, latency_s=latency_s)
    return iops * latency_s


def throughput_bytes_per_s(iops: float, *, transfer_bytes: float) -> float:
    r"""Bytes moved per second.

    .. math:: B = X s

    Args:
        iops: Completed operations per second. [1/s]
        transfer_bytes: Size of one operation. [bytes]

    Returns:
        Throughput. [bytes/s]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for one transfer size, or for the mean size of a mix; exact. Source: [2]_.

    Examples:
        90K IOPS of 4 KiB in MB/s, printed as "~370" [2]_:

        >>> throughput_bytes_per_s(90_000, transfer_bytes=4096) / 1e6
        368.64
    """
    iops, transfer_bytes = _check.positive(iops=iops, transfer_bytes=transfer_bytes)
    return iops * transfer_bytes


def iops_at_throughput(throughput_bytes_per_s: float, *, transfer_bytes: float) -> float:
    r"""Operations per second at a throughput.

    .. math:: X = B / s

    Args:
        throughput_bytes_per_s: Throughput. [bytes/s]
        transfer_bytes: Size of one operation. [bytes]

    Returns:
        Operations per second. [1/s]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for one transfer size, or for the mean size of a mix; exact. Source: [2]_.

    Examples:
        1,000 IOPS of 512 bytes move as much as 125 IOPS of 4 KiB [2]_:

        >>> iops_at_throughput(1_000 * 512, transfer_bytes=4096)
        125.0
    """
    throughput_bytes_per_s, transfer_bytes = _check.positive(
        throughput_bytes_per_s=throughput_bytes_per_s, transfer_bytes=transfer_bytes
    )
    return throughput_bytes_per_s / transfer_bytes


def operation_bytes(throughput_bytes_per_s: float, *, iops: float) -> float:
    r"""Mean size of an operation.

    .. math:: s = B / X

    Args:
        throughput_bytes_per_s: Throughput. [bytes/s]
        iops: Completed operations per second. [1/s]

    Returns:
        Mean size of one operation. [bytes]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for any mix of sizes; exact. Source: [2]_.

    Examples:
        >>> operation_bytes(368.64e6, iops=90_000)
        4096.0
    """
    throughput_bytes_per_s, iops = _check.positive(
        throughput_bytes_per_s=throughput_bytes_per_s, iops=iops
    )
    return throughput_bytes_per_s / iops


def transfer_s(transfer_bytes: float, *, throughput_bytes_per_s: float) -> float:
    r"""Time that a transfer takes on a channel or link.

    .. math:: t = s / B

    Args:
        transfer_bytes: Size of the transfer. [bytes]
        throughput_bytes_per_s: Throughput while it lasts. [bytes/s]

    Returns:
        Time. [s]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for a transfer by itself; exact. Source: definition.

    Examples:
        4 KiB on a channel of 400 MB/s:

        >>> transfer_s(4096, throughput_bytes_per_s=400e6)
        1.024e-05
    """
    transfer_bytes, throughput_bytes_per_s = _check.positive(
        transfer_bytes=transfer_bytes, throughput_bytes_per_s=throughput_bytes_per_s
    )
    return transfer_bytes / throughput_bytes_per_s


def resized_latency_s(
    latency_s: float,
    *,
    rated_transfer_bytes: float,
    transfer_bytes: float,
    throughput_bytes_per_s: float,
) -> float:
    r"""Latency of a single operation at another transfer size than the rated one.

    .. math:: R = R_0 + \frac{\max(s - r, 0)}{B}

    Args:
        latency_s: Latency at the rated size, R_0. [s]
        rated_transfer_bytes: Size at which it is rated, r. [bytes]
        transfer_bytes: Size of the operations, s. [bytes]
        throughput_bytes_per_s: Rate at which further bytes move, B. [bytes/s]

    Returns:
        Latency at that size; of smaller operations as rated. [s]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for an operation by itself whose further bytes move one after the other, as those of
        `resized_iops` do. Source: definition.

    Examples:
        70 us for 4 KiB, 64 KiB at 530 MB/s:

        >>> t = resized_latency_s(70e-6, rated_transfer_bytes=4096, transfer_bytes=65536,
        ...                       throughput_bytes_per_s=530e6)
        >>> print(f"{t * 1e6:.0f} us")
        186 us
    """
    latency_s, rated_transfer_bytes, transfer_bytes, throughput_bytes_per_s = _check.positive(
        latency_s=latency_s,
        rated_transfer_bytes=rated_transfer_bytes,
        transfer_bytes=transfer_bytes,
        throughput_bytes_per_s=throughput_bytes_per_s,
    )
    further = np.maximum(np.asarray(transfer_bytes) - rated_transfer_bytes, 0)
    return _check.plain(latency_s + further / throughput_bytes_per_s)


def worst_case_iops(queue_depth: float, *, max_latency_s: float) -> float:
    r"""Worst-case IOPS as reviews define it: queue depth over longest latency.

    .. math:: X_\mathrm{worst} = Q / R_\mathrm{max}

    Args:
        queue_depth: Queue depth of the saturated test. [1]
        max_latency_s: Longest single latency of the interval. [s]

    Returns:
        Worst-case IOPS; a latency in other words, no rate was measured. [1/s]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for a saturated test at that queue depth; not valid for the latency at a lower load.
        Source: definition in [2]_, "Performance Consistency - Worst-Case IOPS".

    Examples:
        >>> worst_case_iops(32, max_latency_s=6.4e-3)
        5000.0
    """
    queue_depth, max_latency_s = _check.positive(
        queue_depth=queue_depth, max_latency_s=max_latency_s
    )
    return queue_depth / max_latency_s


def resized_iops(
    iops: float,
    *,
    rated_transfer_bytes: float,
    transfer_bytes: float,
    throughput_bytes_per_s: float,
) -> float:
    r"""IOPS of larger transfers: the extra bytes move at a known throughput.

    .. math:: 1/X_s = 1/X_r + \max(0, s - r) / B

    Args:
        iops: Operations per second at the rated size. [1/s]
        rated_transfer_bytes: Size at which `iops` was rated, r. [bytes]
        transfer_bytes: Size of the operations, s; a smaller one takes as long as the rated one.
            [bytes]
        throughput_bytes_per_s: Rate at which the extra bytes move, B: for reads the sequential
            rate, for random writes in steady state the rated IOPS times the rated size. [bytes/s]

    Returns:
        Operations per second at `transfer_bytes`. [1/s]

    Raises:
        DomainError: Unless every argument is > 0 and finite.

    Notes:
        Valid for sizes up to a flash block. With B = iops x r the throughput stays constant, which
        is a lower bound for writes. Source: fixed cost per command plus transfer time, t(s) =
        t_command + s / B, written for two sizes and subtracted.

    Examples:
        100K reads of 4 KiB and 560 MB/s give for 8 KiB:

        >>> round(resized_iops(100e3, rated_transfer_bytes=4096, transfer_bytes=8192,
        ...                    throughput_bytes_per_s=560e6))
        57756
    """
    iops, rated_transfer_bytes, transfer_bytes, throughput_bytes_per_s = _check.finite(
        iops=iops,
        rated_transfer_bytes=rated_transfer_bytes,
        transfer_bytes=transfer_bytes,
        throughput_bytes_per_s=throughput_bytes_per_s,
    )
    extra_bytes = np.maximum(transfer_bytes - rated_transfer_bytes, 0.0)
    return _check.plain(iops / (1 + iops * extra_bytes / throughput_bytes_per_s))
