r"""Write IOPS from the time of the dies: cost of one host page with garbage collection.

Base units: seconds, bytes, operations per second. Pages have the size of host writes (4 KiB); a
flash page and a program operation over several planes hold a whole number of them. Under random
writes in steady state, each host page makes A programs, A - 1 reads of valid pages and its share of
erases. The dies do them all, and a write buffer keeps all dies busy, so that the rate is the number
of dies over the die time of a host page. `bottleneck.write_iops` puts the other limits beside it.

References:
    .. [1] P. Desnoyers, "Analytic Models of SSD Write Performance", ACM Transactions on Storage
       10(2), 2014 (write amplification; victims in steady state hold 1 - 1/A of valid pages).
    .. [2] P. J. Denning and J. P. Buzen, "The Operational Analysis of Queueing Network Models", ACM
       Computing Surveys 10(3), 1978 (capacity is servers over demand).
    .. [3] A. L. Shimpi, "Samsung SSD 840 EVO Review", AnandTech 7173, 2013, table "IMFT vs. Samsung
       NAND Comparison": 19 nm TLC has pages of 8 KB, 256 to a block.
"""

import numpy as np

from models import _check
from models.units import KIB

SLOT_BYTES = 4 * KIB  # a host page
_ABOVE_PRINTED = 1.1  # flash bandwidth over a sequential rate that it must carry, at least


def victim_valid_fraction(wa: float) -> float:
    r"""Share of valid pages in the blocks that garbage collection selects, in steady state.

    .. math:: v = 1 - 1/A

    Args:
        wa: Write amplification, A. [1]

    Returns:
        Mean valid share of a victim. [1]

    Raises:
        DomainError: Unless wa >= 1 and finite.

    Notes:
        Valid in steady state for every policy. Source: [1]_; a victim makes room for what is not
        valid in it, so that 1/(1 - v) pages are programmed per page of room.

    Examples:
        >>> victim_valid_fraction(4.0)
        0.75
    """
    (wa,) = _amplification(wa)
    return _check.plain(1 - 1 / np.asarray(wa))


def harvested_pages(wa: float, *, pages_per_read: float) -> float:
    r"""Mean number of valid pages that one read of garbage collection finds.

    .. math:: h = \frac{n v}{1 - (1 - v)^n}, \quad v = 1 - 1/A

    Args:
        wa: Write amplification, A. [1]
        pages_per_read: Host-sized pages in what one read of one die senses, n. [1]

    Returns:
        Mean number of valid pages per read that finds any, from 1 to n. [1]

    Raises:
        DomainError: Unless wa >= 1 and finite and pages_per_read is a whole number.

    Notes:
        Valid for victims whose valid pages lie scattered; pages without any are not read. Source:
        mean of a binomial number that is not 0, with the valid share of a victim of [1]_.

    Examples:
        Flash pages of 16 KiB, half of the data valid:

        >>> print(f"{harvested_pages(2.0, pages_per_read=4):.3f}")
        2.133
    """
    (wa,) = _amplification(wa)
    (pages,) = _check.count(pages_per_read=pages_per_read)
    read = -np.expm1(-pages * np.log(wa))
    valid = pages * victim_valid_fraction(wa)
    return _check.plain(np.where(read > 0, valid / np.where(read > 0, read, 1), 1.0))


def program_page_s(program_s: float, *, transfer_s: float, pages_per_program: float) -> float:
    r"""Die time to program one page, its share of a program operation.

    .. math:: t = (t_P + n t_x) / n

    Args:
        program_s: Time of a program operation after its data has arrived, t_P. [s]
        transfer_s: Time of one page on its channel, t_x. [s]
        pages_per_program: Host-sized pages in a program operation: flash page times planes, n. [1]

    Returns:
        Time that a die spends per page. [s]

    Raises:
        DomainError: Unless both times are > 0 and finite and pages_per_program is a whole number.

    Notes:
        Valid for full program operations whose data is not cached on the die beforehand. Source:
        count of operations.

    Examples:
        >>> t = program_page_s(1.1e-3, transfer_s=10e-6, pages_per_program=4)
        >>> print(f"{t * 1e6:.0f} us")
        285 us
    """
    program_s, transfer_s = _check.finite(program_s=program_s, transfer_s=transfer_s)
    (pages,) = _check.count(pages_per_program=pages_per_program)
    return program_s / pages + transfer_s


def copy_page_s(wa: float, *, read_s: float, transfer_s: float, pages_per_read: float) -> float:
    r"""Die time to read one valid page for garbage collection.

    .. math:: t = t_R / h(A) + t_x

    Args:
        wa: Write amplification, A. [1]
        read_s: Time to sense a flash page, t_R. [s]
        transfer_s: Time of one host-sized page on its channel, t_x. [s]
        pages_per_read: Host-sized pages in what one read of one die senses. [1]

    Returns:
        Time that a die spends per valid page. [s]

    Raises:
        DomainError: Unless wa >= 1 and finite, both times are > 0 and finite and pages_per_read is
            a whole number.

    Notes:
        Valid where only valid pages move over the channel. Source: `harvested_pages`.

    Examples:
        >>> t = copy_page_s(2.0, read_s=50e-6, transfer_s=10e-6, pages_per_read=4)
        >>> print(f"{t * 1e6:.1f} us")
        33.4 us
    """
    read_s, transfer_s = _check.finite(read_s=read_s, transfer_s=transfer_s)
    return read_s / harvested_pages(wa, pages_per_read=pages_per_read) + transfer_s


def host_page_s(
    wa: float, *, program_page_s: float, copy_page_s: float, erase_s: float, pages_per_block: float
) -> float:
    r"""Die time that one host page costs: programs, copies and erases.

    .. math:: T = A\,t_p + (A - 1)\,t_c + A\,t_E / b

    Args:
        wa: Write amplification, A; 1 for a fresh drive. [1]
        program_page_s: Die time to program one page, t_p. [s]
        copy_page_s: Die time to read one valid page for garbage collection, t_c. [s]
        erase_s: Time of one block erase, t_E; 0 for a fresh drive, whose blocks are erased. [s]
        pages_per_block: Host-sized pages in what one erase of one die erases, b. [1]

    Returns:
        Die time per host page. [s]

    Raises:
        DomainError: Unless wa >= 1 and finite, the first two times are > 0 and finite, erase_s >= 0
            and finite, and pages_per_block is a whole number.

    Notes:
        Valid for uniform random writes in steady state, and for wa = 1. Source: count of operations
        per host page; with 16 dies and write amplification 4 the copies and erases left out of
        "sequential rate over A" are a fifth of the time.

    Examples:
        >>> t = host_page_s(2.0, program_page_s=285e-6, copy_page_s=33.4e-6, erase_s=4e-3,
        ...                 pages_per_block=1024)
        >>> print(f"{t * 1e6:.0f} us")
        611 us
    """
    (wa,) = _amplification(wa)
    program_page_s, copy_page_s = _check.finite(
        program_page_s=program_page_s, copy_page_s=copy_page_s
    )
    (erase_s,) = _check.non_negative(erase_s=erase_s)
    _check.require(np.asarray(erase_s) < np.inf, "erase_s", ">= 0 and finite", erase_s)
    (pages,) = _check.count(pages_per_block=pages_per_block)
    return wa * program_page_s + (wa - 1) * copy_page_s + wa * erase_s / pages


def media_write_iops(dies: float, *, host_page_s: float) -> float:
    r"""Host pages that the dies can write per second.

    .. math:: X = D / T

    Args:
        dies: Dies, D. [1]
        host_page_s: Die time per host page, T. [s]

    Returns:
        Writes of one page per second. [1/s]

    Raises:
        DomainError: Unless dies is a whole number and host_page_s > 0 and finite.

    Notes:
        Valid for all dies busy: a write buffer deep enough and writes spread over dies as they come
        free. Source: [2]_.

    Examples:
        >>> round(media_write_iops(32, host_page_s=611e-6))
        52373
    """
    (dies,) = _check.count(dies=dies)
    (host_page_s,) = _check.finite(host_page_s=host_page_s)
    return dies / host_page_s


def pages_under_way(dies: float, *, pages_per_program: float) -> float:
    r"""Host pages in the programs of all dies at once.

    .. math:: N = n D

    Args:
        dies: Dies, D. [1]
        pages_per_program: Host-sized pages of one program, n. [1]

    Returns:
        Pages that are being programmed while every die programs. [1]

    Raises:
        DomainError: Unless both are whole numbers >= 1.

    Notes:
        Valid for all dies busy. Source: a count.

    Examples:
        >>> pages_under_way(32, pages_per_program=4)
        128.0
    """
    dies, pages = _check.count(dies=dies, pages_per_program=pages_per_program)
    return pages * dies


def bus_write_iops(bus_bytes_per_s: float, *, wa: float, transfer_bytes: float) -> float:
    r"""Host writes per second that the buses between controller and flash can carry.

    .. math:: X = \frac{B}{s (2A - 1)}

    Args:
        bus_bytes_per_s: Bytes per second of all flash channels together, B. [bytes/s]
        wa: Write amplification, A. [1]
        transfer_bytes: Size of a host write, s. [bytes]

    Returns:
        Host writes per second. [1/s]

    Raises:
        DomainError: Unless bus_bytes_per_s and transfer_bytes are > 0 and finite and wa >= 1 and
            finite.

    Notes:
        Valid where copies pass the controller: A bytes out and A - 1 back per host byte. Source:
        count of transfers; capacity as in [2]_.

    Examples:
        >>> round(bus_write_iops(800e6, wa=2.0, transfer_bytes=4096))
        65104
    """
    bus_bytes_per_s, transfer_bytes = _check.finite(
        bus_bytes_per_s=bus_bytes_per_s, transfer_bytes=transfer_bytes
    )
    (wa,) = _amplification(wa)
    return bus_bytes_per_s / (transfer_bytes * (2 * wa - 1))


def flash_bytes_per_s(
    channels: float, *, channel_bytes_per_s: float, printed_bytes_per_s: float
) -> float:
    r"""Bandwidth of all flash channels, no less than a printed sequential rate needs.

    .. math:: B = \max(C B_c,\, 1.1 B_p)

    Args:
        channels: Channels, known or assumed, C. [1]
        channel_bytes_per_s: Rate of one of them, B_c. [bytes/s]
        printed_bytes_per_s: Largest printed sequential rate of the drive, reading or writing, B_p.
            [bytes/s]

    Returns:
        Bytes per second between controller and flash. [bytes/s]

    Raises:
        DomainError: Unless channels is a whole number and the rates are > 0 and finite.

    Notes:
        Valid for drives whose channels are not printed: eight of 400 MB/s cannot carry 14 GB/s.
        That a tenth goes for parity and commands is an assumption. Source: conservation of bytes.

    Examples:
        >>> b = flash_bytes_per_s(8, channel_bytes_per_s=400e6, printed_bytes_per_s=14e9)
        >>> print(f"{b / 1e9:.1f} GB/s")
        15.4 GB/s
    """
    (channels,) = _check.count(channels=channels)
    channel_bytes_per_s, printed_bytes_per_s = _check.finite(
        channel_bytes_per_s=channel_bytes_per_s, printed_bytes_per_s=printed_bytes_per_s
    )
    return _check.plain(
        np.maximum(channels * channel_bytes_per_s, _ABOVE_PRINTED * np.asarray(printed_bytes_per_s))
    )


def steady_write_iops(
    wa: float,
    *,
    sequential_write_bytes_per_s: float,
    dies: float,
    read_s: float,
    transfer_s: float,
    slots_per_read: float,
    internal_bytes_per_s: float = np.inf,
) -> float:
    r"""Random writes of 4 KiB per second in steady state, from a data sheet's sequential rate.

    .. math:: X = \min\left(\frac{D}{T},\; \frac{B_i}{s (2A - 1)}\right), \quad
              T = A \frac{D s}{B} + (A - 1) \frac{t_R + h t_x}{h}, \quad
              h = \frac{n v}{1 - (1 - v)^n}, \quad v = 1 - 1/A

    Args:
        wa: Write amplification, A. [1]
        sequential_write_bytes_per_s: Sequential writes, past any write cache, B. [bytes/s]
        dies: Dies, D. [1]
        read_s: Time to sense a flash page, t_R. [s]
        transfer_s: Time of 4 KiB on its channel, t_x. [s]
        slots_per_read: Host pages of 4 KiB in what one read of one die senses, all planes, n. [1]
        internal_bytes_per_s: Bandwidth of the flash channels, `flash_bytes_per_s`, B_i. [bytes/s]

    Returns:
        Host writes of s = 4 KiB per second. [1/s]

    Raises:
        DomainError: Unless wa >= 1 and finite, dies and slots_per_read are whole numbers, the
            others are > 0 and all but internal_bytes_per_s finite.

    Notes:
        Valid for uniform random writes to a full drive. Against three measured drives with 16 slots
        per read and their measured write amplification: +1.3, -0.4 and +1.8 % (PM9A3 960 GB, CM7-R
        3.84 TB, 7450 PRO 960 GB); with 4 slots 13 to 20 % low. Erases are within the sequential
        rate. Source: `harvested_pages`, count of operations, `bus_write_iops`.

    Examples:
        Samsung PM9A3 960 GB, 1,500 MB/s, 16 dies of 512 Gbit, measured write amplification 4.2 and
        76.6K writes per second:

        >>> x = steady_write_iops(4.2, sequential_write_bytes_per_s=1.5e9, dies=16, read_s=45e-6,
        ...                       transfer_s=4096 / 1.2e9, slots_per_read=16)
        >>> print(f"{x / 1e3:.1f}K")
        77.6K
    """
    rate, read_s, transfer_s = _check.finite(
        sequential_write_bytes_per_s=sequential_write_bytes_per_s,
        read_s=read_s,
        transfer_s=transfer_s,
    )
    (wa,) = _amplification(wa)
    dies, slots_per_read = _check.count(dies=dies, slots_per_read=slots_per_read)
    (internal,) = _check.positive(internal_bytes_per_s=internal_bytes_per_s)
    found = harvested_pages(wa, pages_per_read=slots_per_read)
    program_s = wa * (dies * SLOT_BYTES / np.asarray(rate))
    copy_s = (wa - np.asarray(1.0)) * (read_s / found + transfer_s)
    by_channels = internal / (SLOT_BYTES * (2 * wa - np.asarray(1.0)))
    return _check.plain(np.minimum(dies / (program_s + copy_s), by_channels))


def _amplification(wa: float) -> tuple[float, ...]:
    (wa,) = _check.finite(wa=wa)
    _check.require(np.asarray(wa) >= 1, "wa", ">= 1 and finite", wa)
    return (wa,)
