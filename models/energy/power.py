"""Energy: the power of drives under their load, the power drawn by a site, and its price.

Base units: watts, joules, seconds. The energies of operations are those of
`models.energy.operations`.
"""

import numpy as np

from models import _check


def sequential_power_w(transfer_j_per_byte: float, *, throughput_bytes_per_s: float) -> float:
    r"""Power above idle of sequential transfers.

    .. math:: P_s = e_s B_s

    Args:
        transfer_j_per_byte: Energy of one byte in sequence, e_s. [J/byte]
        throughput_bytes_per_s: Bytes moved in sequence per second, B_s. [bytes/s]

    Returns:
        Power above idle. [W]

    Raises:
        DomainError: Unless both are >= 0.

    Notes:
        Valid below the drive's rate. Source: definition.

    Examples:
        >>> print(f"{sequential_power_w(4.6e-9, throughput_bytes_per_s=1e8):.2f}")
        0.46
    """
    energy, rate = _check.non_negative(
        transfer_j_per_byte=transfer_j_per_byte, throughput_bytes_per_s=throughput_bytes_per_s
    )
    return energy * rate


def power_w(
    idle_power_w: float,
    *,
    read_j: float,
    read_iops: float,
    write_j: float,
    write_iops: float,
    sequential_power_w: float = 0.0,
) -> float:
    r"""Mean power of one drive under a load.

    .. math:: P = P_i + e_r X_r + e_w X_w + e_s B_s

    Args:
        idle_power_w: Power when idle, P_i. [W]
        read_j: Energy of one read above idle, e_r. [J]
        read_iops: Reads per second, X_r; inf where there are as many as the drive takes. [1/s]
        write_j: Energy of one write above idle, e_w. [J]
        write_iops: Writes per second, X_w. [1/s]
        sequential_power_w: Power above idle of sequential transfers, e_s B_s. [W]

    Returns:
        Mean power; inf where reads are without limit, see `limited_power_w`. [W]

    Raises:
        DomainError: Unless every argument is >= 0.

    Notes:
        Valid for loads that the drive keeps up with. Source: sum of energies.

    Examples:
        The 845DC PRO 400 GB at 10,000 reads and 5,000 writes per second:

        >>> power = power_w(1.0, read_j=7.6e-6, read_iops=1e4, write_j=42e-6, write_iops=5e3)
        >>> print(f"{power:.3f}")
        1.286
    """
    idle, read_j, reads, write_j, writes, in_sequence = _check.non_negative(
        idle_power_w=idle_power_w,
        read_j=read_j,
        read_iops=read_iops,
        write_j=write_j,
        write_iops=write_iops,
        sequential_power_w=sequential_power_w,
    )
    with np.errstate(invalid="ignore"):
        reading, writing = (
            np.where(np.equal(energy, 0), 0.0, np.multiply(energy, rate))
            for energy, rate in ((read_j, reads), (write_j, writes))
        )
    return _check.plain(idle + reading + writing + in_sequence)


def limited_power_w(power_w: float, *, read_power_w: float, write_power_w: float) -> float:
    r"""Power of a drive whose load may exceed what it can serve.

    .. math:: P_b = \min(P, \max(P_r, P_w))

    Args:
        power_w: Power that the load asks for, P. [W]
        read_power_w: Power when reading at full rate, P_r. [W]
        write_power_w: Power when writing at full rate, P_w. [W]

    Returns:
        Power. [W]

    Raises:
        DomainError: Unless every argument is >= 0.

    Notes:
        Valid as the power of a drive that is busy all the time, where the load is beyond it.
        Source: definition.

    Examples:
        >>> limited_power_w(7.5, read_power_w=1.7, write_power_w=3.1)
        3.1
    """
    asked, reading, writing = _check.non_negative(
        power_w=power_w, read_power_w=read_power_w, write_power_w=write_power_w
    )
    return _check.plain(np.minimum(asked, np.maximum(reading, writing)))


def array_power_w(
    power_w: float, *, working_members: float, idle_power_w: float, hot_spares: float
) -> float:
    r"""Power of the drives of an array; hot spares count as idle.

    .. math:: P_t = n P + s P_i

    Args:
        power_w: Power of one working drive, P. [W]
        working_members: Drives that hold data, n. [1]
        idle_power_w: Power when idle, P_i. [W]
        hot_spares: Idle hot spares, s. [1]

    Returns:
        Power of all drives. [W]

    Raises:
        DomainError: Unless the powers and hot_spares are >= 0 and working_members is a whole
            number >= 1.

    Notes:
        Valid for a load that is spread evenly; the enclosure and its controllers are not counted.
        Source: sum.

    Examples:
        >>> array_power_w(1.5, working_members=12, idle_power_w=1.0, hot_spares=1)
        19.0
    """
    power, idle, spares = _check.non_negative(
        power_w=power_w, idle_power_w=idle_power_w, hot_spares=hot_spares
    )
    (working,) = _check.count(working_members=working_members)
    return working * power + spares * idle


def energy_j(power_w: float, *, time_s: float, pue: float) -> float:
    r"""Energy that the site draws for equipment over a time.

    .. math:: E = P \, t \, \mathrm{PUE}

    Args:
        power_w: Mean power, P. [W]
        time_s: Time, t. [s]
        pue: Power of the whole site over that of its equipment, PUE. [1]

    Returns:
        Energy; 1 W over a year of 365 days is 8.76 kWh. [J]

    Raises:
        DomainError: Unless power_w and time_s are >= 0 and pue is >= 1.

    Notes:
        Valid for a mean PUE. Source: definition.

    Examples:
        >>> energy_j(1.0, time_s=365 * 86400, pue=1.0) / 3.6e6  # kWh
        8.76
    """
    power, time = _check.non_negative(power_w=power_w, time_s=time_s)
    (ratio,) = _check.positive(pue=pue)
    _check.require(np.greater_equal(ratio, 1), "pue", ">= 1", ratio)
    return power * time * ratio


def energy_usd(energy_j: float, *, energy_usd_per_j: float) -> float:
    r"""Price of energy.

    .. math:: C = c \, E

    Args:
        energy_j: Energy, E. [J]
        energy_usd_per_j: Price of energy, c. [USD/J]

    Returns:
        Price. [USD]

    Raises:
        DomainError: Unless both are >= 0.

    Notes:
        Valid for a price that time does not change; exact. Source: definition.

    Examples:
        A hundred kWh at 15 cents:

        >>> print(f"{energy_usd(100 * 3.6e6, energy_usd_per_j=0.15 / 3.6e6):.2f}")
        15.00
    """
    energy, price = _check.non_negative(energy_j=energy_j, energy_usd_per_j=energy_usd_per_j)
    return energy * price
