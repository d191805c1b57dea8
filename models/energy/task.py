r"""Energy of a task: bytes moved at a rate, idle time between, and throughput per watt.

Base units: joules, bytes, seconds. Power that is measured while a drive works includes its idle
power; energies of operations and bytes above idle are those of `models.energy.operations`.

References:
    .. [1] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, tables "Samsung SSD
       845DC EVO" and "Samsung SSD 845DC PRO": idle and load power beside rates.
"""

import numpy as np

from models import _check


def reading_power_w(write_power_w: float, *, read_power_ratio: float) -> float:
    r"""Power while reading, from that while writing.

    .. math:: P_r = k P_w

    Args:
        write_power_w: Power while writing, P_w. [W]
        read_power_ratio: Power of reading over that of writing, k. [1]

    Returns:
        Power while reading. [W]

    Raises:
        DomainError: Unless write_power_w is >= 0, and read_power_ratio > 0.

    Notes:
        Valid for drives whose data sheets print one power. Source: definition.

    Examples:
        >>> reading_power_w(4.0, read_power_ratio=0.75)
        3.0
    """
    (power,) = _check.non_negative(write_power_w=write_power_w)
    (ratio,) = _check.positive(read_power_ratio=read_power_ratio)
    return _check.plain(np.multiply(power, ratio))


def moved_j_per_byte(active_power_w: float, *, throughput_bytes_per_s: float) -> float:
    r"""Energy of a drive per byte moved at full rate, its idle power included.

    .. math:: e = P_a / B

    Args:
        active_power_w: Power at the rate, P_a. [W]
        throughput_bytes_per_s: The rate, B. [bytes/s]

    Returns:
        Energy per byte. [J/byte]

    Raises:
        DomainError: Unless active_power_w is >= 0, and throughput_bytes_per_s > 0.

    Notes:
        Valid at the rate to which the power belongs. Source: definition.

    Examples:
        Sequential writes of the 845DC PRO 400 GB, 3.1 W at 460 MB/s [1]_, in kJ per TB:

        >>> print(f"{moved_j_per_byte(3.1, throughput_bytes_per_s=460e6) * 1e9:.2f}")
        6.74
    """
    (power,) = _check.non_negative(active_power_w=active_power_w)
    (rate,) = _check.positive(throughput_bytes_per_s=throughput_bytes_per_s)
    return _check.plain(np.divide(power, rate))


def bytes_per_j(throughput_bytes_per_s: float, *, active_power_w: float) -> float:
    r"""Throughput per watt, as reviews print it: MB/s per W.

    .. math:: \eta = B / P

    Args:
        throughput_bytes_per_s: Throughput, B. [bytes/s]
        active_power_w: Mean power meanwhile, P. [W]

    Returns:
        Bytes moved per joule. [bytes/J]

    Raises:
        DomainError: Unless throughput_bytes_per_s is >= 0, and active_power_w > 0.

    Notes:
        Valid for means over the same time. Source: definition.

    Examples:
        >>> print(f"{bytes_per_j(460e6, active_power_w=3.1) / 1e6:.0f} MB/s per W")
        148 MB/s per W
    """
    (rate,) = _check.non_negative(throughput_bytes_per_s=throughput_bytes_per_s)
    (power,) = _check.positive(active_power_w=active_power_w)
    return _check.plain(np.divide(rate, power))


def task_j(
    idle_power_w: float,
    *,
    time_s: float,
    read_bytes: float,
    written_bytes: float,
    read_j_per_byte: float,
    written_j_per_byte: float,
) -> float:
    r"""Energy of a drive over a task.

    .. math:: E = P_i t + e_r B_r + e_w B_w

    Args:
        idle_power_w: Mean power when idle, P_i. [W]
        time_s: Time of the task, pauses included, t. [s]
        read_bytes: Bytes read, B_r. [bytes]
        written_bytes: Bytes written, B_w. [bytes]
        read_j_per_byte: Energy of a byte read, above idle, e_r. [J/byte]
        written_j_per_byte: Energy of a byte written, above idle, e_w. [J/byte]

    Returns:
        Energy. [J]

    Raises:
        DomainError: Unless every argument is >= 0.

    Notes:
        Valid where the energy of a byte does not depend on the rate. Source: sum of energies.

    Examples:
        10 GB read and 5 GB written within a minute:

        >>> task_j(1.0, time_s=60, read_bytes=10e9, written_bytes=5e9,
        ...        read_j_per_byte=2e-9, written_j_per_byte=4e-9)
        100.0
    """
    idle, time, read, written, of_read, of_written = _check.non_negative(
        idle_power_w=idle_power_w,
        time_s=time_s,
        read_bytes=read_bytes,
        written_bytes=written_bytes,
        read_j_per_byte=read_j_per_byte,
        written_j_per_byte=written_j_per_byte,
    )
    moved = np.multiply(read, of_read) + np.multiply(written, of_written)
    return _check.plain(np.multiply(idle, time) + moved)
