r"""Maps that do not fit into the memory of a drive: reads that first read the map from flash.

A drive without memory of its own keeps a part of its map in the host's (a host memory buffer of
tens of MiB) or on its controller. A read of an address whose entry is not there reads a page of
the map first.

References:
    .. [1] "NVM Express Base Specification", revision 1.2 and later, Host Memory Buffer.
    .. [2] K. Kim, E. Lee, T. Kim, "HMB-SSD: Framework for Efficient Exploiting of the Host Memory
       Buffer in the NVMe SSD", IEEE Access 7, 2019 (random reads over more than the buffer maps).
"""

import numpy as np

from models import _check


def map_read_fraction(
    map_cache_bytes: float, *, entry_bytes: float, unit_bytes: float, span_bytes: float
) -> float:
    r"""Share of random reads whose entry of the map must be read from flash first.

    .. math:: m = \max\left(0,\, 1 - \frac{M}{e S / I}\right)

    Args:
        map_cache_bytes: Memory that holds a part of the map, M; 0 for none. [bytes]
        entry_bytes: Entry of the map, e: 4 bytes are usual. [bytes]
        unit_bytes: Indirection unit of the drive, I: what an entry maps. [bytes]
        span_bytes: Data that is read at random, S. [bytes]

    Returns:
        Reads of the map per read of the host, from 0 to 1. [1]

    Raises:
        DomainError: Unless map_cache_bytes and entry_bytes are >= 0 and finite, unit_bytes is a
            whole number and span_bytes > 0 and finite.

    Notes:
        Valid for reads that hit all of the span alike, under any rule of replacement; local reads
        miss less. Entries are assumed to be kept one by one; where they are kept by pages of flash,
        and reads are not local, as many are held. Source: share of the entries that are held.

    Examples:
        A buffer of 64 MiB maps 64 GiB; reads over 8 GiB, as tests do, and over 1 TB:

        >>> map_read_fraction(64 * 2**20, entry_bytes=4, unit_bytes=4096,
        ...                   span_bytes=[8 * 2**30, 1e12]).round(3).tolist()
        [0.0, 0.931]
    """
    held, entry = _check.non_negative(map_cache_bytes=map_cache_bytes, entry_bytes=entry_bytes)
    for name, value in (("map_cache_bytes", held), ("entry_bytes", entry)):
        _check.require(np.asarray(value) < np.inf, name, "finite", value)
    (unit,) = _check.count(unit_bytes=unit_bytes)
    (span,) = _check.finite(span_bytes=span_bytes)
    whole = np.asarray(entry * (np.asarray(span) / unit))
    lacking = np.maximum(whole - held, 0.0)
    return _check.plain(lacking / np.where(whole > 0, whole, 1.0))


def mapped_read_iops(iops: float, *, map_read_fraction: float) -> float:
    r"""Random reads per second where a share of them reads the map first.

    .. math:: X' = \frac{X}{1 + m}

    Args:
        iops: Random reads per second with the map in memory, X. [1/s]
        map_read_fraction: Reads of the map per read of the host, m. [1]

    Returns:
        Random reads per second. [1/s]

    Raises:
        DomainError: Unless iops is > 0 and finite and map_read_fraction in [0, 1].

    Notes:
        Valid where reads of the flash limit the drive, at any queue depth: a read of the map takes
        as long as one of data. Where the link or the controller limits it, the loss is smaller.
        Source: flash reads per read of the host.

    Examples:
        >>> mapped_read_iops(500e3, map_read_fraction=0.25)
        400000.0
    """
    (iops,) = _check.finite(iops=iops)
    (missed,) = _check.fraction(map_read_fraction=map_read_fraction)
    return iops / (1 + missed)


def mapped_read_s(read_s: float, *, map_read_fraction: float) -> float:
    r"""Mean time of a random read where a share of them reads the map first.

    .. math:: t' = (1 + m)\, t

    Args:
        read_s: Time of a read with the map in memory, t. [s]
        map_read_fraction: Reads of the map per read of the host, m. [1]

    Returns:
        Mean time of a read. [s]

    Raises:
        DomainError: Unless read_s is > 0 and finite and map_read_fraction in [0, 1].

    Notes:
        Valid in the mean: a read that misses takes two reads of the flash, one that does not takes
        one. The command of the host is counted again with the read of the map, a few microseconds.
        Source: flash reads per read of the host.

    Examples:
        >>> print(f"{1e6 * mapped_read_s(80e-6, map_read_fraction=0.5):.0f} us")
        120 us
    """
    (read,) = _check.finite(read_s=read_s)
    (missed,) = _check.fraction(map_read_fraction=map_read_fraction)
    return read * (1 + missed)
