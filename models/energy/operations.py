"""Energy of a drive's operations, calibrated from points of its specification.

Base units: watts, joules, bytes. A specification prints power when idle, reading and writing, and
the rates at which it reads and writes: each operation takes the power above idle over its rate.

References:
    .. [1] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, tables "Samsung SSD
       845DC EVO" and "Samsung SSD 845DC PRO": idle and load power beside rates.
"""

import numpy as np

from models import _check


def operation_j(active_power_w: float, *, idle_power_w: float, iops: float) -> float:
    r"""Energy of one operation above idle, from a point of the specification.

    .. math:: e = \frac{P_a - P_i}{X}

    Args:
        active_power_w: Power at the rate, P_a. [W]
        idle_power_w: Power when idle, P_i. [W]
        iops: The rate, X. [1/s]

    Returns:
        Energy of one operation. [J]

    Raises:
        DomainError: Unless iops > 0, idle_power_w is >= 0 and active_power_w at least as much.

    Notes:
        Valid where power is in proportion to the rate; a drive that sleeps takes less when idle.
        Source: [1]_ for the points.

    Examples:
        Random reads of the 845DC PRO 400 GB, 1.7 W at 92,000 IOPS, in uJ:

        >>> print(f"{operation_j(1.7, idle_power_w=1.0, iops=92e3) * 1e6:.1f}")
        7.6
    """
    (iops,) = _check.positive(iops=iops)
    return _above_idle(active_power_w, idle_power_w) / iops


def transfer_j_per_byte(
    active_power_w: float, *, idle_power_w: float, throughput_bytes_per_s: float
) -> float:
    r"""Energy of one byte in sequence above idle, from a point of the specification.

    .. math:: e_s = \frac{P_a - P_i}{B_s}

    Args:
        active_power_w: Power at the rate, P_a. [W]
        idle_power_w: Power when idle, P_i. [W]
        throughput_bytes_per_s: The rate, B_s. [bytes/s]

    Returns:
        Energy of one byte. [J/byte]

    Raises:
        DomainError: Unless throughput_bytes_per_s > 0, idle_power_w is >= 0 and active_power_w at
            least as much.

    Notes:
        Valid as `operation_j`. Source: [1]_ for the points.

    Examples:
        Sequential writes of the 845DC PRO 400 GB, 3.1 W at 460 MB/s, in mJ/MB:

        >>> joules = transfer_j_per_byte(3.1, idle_power_w=1.0, throughput_bytes_per_s=460e6)
        >>> print(f"{joules * 1e9:.1f}")
        4.6
    """
    (rate,) = _check.positive(throughput_bytes_per_s=throughput_bytes_per_s)
    return _above_idle(active_power_w, idle_power_w) / rate


def program_j(write_j: float, *, wa: float) -> float:
    r"""Energy of one program of a host write's size, without GC writes.

    .. math:: e_p = e_w / A

    Args:
        write_j: Energy of one host write above idle, e_w. [J]
        wa: Write amplification, A. [1]

    Returns:
        Energy of one program, reads of copies and erases inside. [J]

    Raises:
        DomainError: Unless write_j is >= 0 and wa > 0.

    Notes:
        Valid where programs take nearly all energy of writes. Source: definition of write
        amplification.

    Examples:
        42 uJ at a write amplification of 2.04:

        >>> print(f"{program_j(42e-6, wa=2.04) * 1e6:.1f}")
        20.6
    """
    (write_j,) = _check.non_negative(write_j=write_j)
    (wa,) = _check.positive(wa=wa)
    return write_j / wa


def _above_idle(active_power_w: float, idle_power_w: float) -> float:
    active, idle = _check.non_negative(active_power_w=active_power_w, idle_power_w=idle_power_w)
    _check.require(np.greater_equal(active, idle), "active_power_w", ">= idle_power_w", active)
    return _check.plain(np.subtract(active, idle))
