r"""RAID-Z: sectors of a block with parity and padding, usable capacity, random reads.

Base units: bytes, operations per second; counts in sectors. A block of RAID-Z is a stripe of its
own: its sectors lie on as many members as it has, with parity for each row, and it is padded so
that no gap is left that is too small for a block with its parity.

References:
    .. [1] OpenZFS, module/zfs/vdev_raidz.c, `vdev_raidz_asize` and `vdev_raidz_map_alloc`.
    .. [2] OpenZFS documentation, "RAIDZ" (space efficiency) and zpoolconcepts(7).
"""

import numpy as np

from models import _check


def raidz_sectors(block_sectors: float, *, members: float, parities: float) -> float:
    r"""Sectors that a block occupies, with parity and padding.

    .. math:: a = (m + 1) \left\lceil
              \frac{d + m \lceil d / (n - m) \rceil}{m + 1} \right\rceil

    Args:
        block_sectors: Sectors of data in the block, after compression, d. [1]
        members: Members of the vdev, n. [1]
        parities: Parity of the vdev, m: 1 to 3 for RAID-Z1 to Z3, 0 for stripes alone. [1]

    Returns:
        Sectors allocated. [1]

    Raises:
        DomainError: Unless all are whole numbers, block_sectors >= 1, parities >= 0 and members >
            parities.

    Notes:
        Valid for vdevs as they were created, not for blocks from before an expansion; exact. More
        parity may take less: 17 sectors on 20 members are padded to 21 with RAID-Z2, and fill 20
        with RAID-Z3. Source: allocation rule of OpenZFS [1]_.

    Examples:
        Two sectors of 4 KiB on RAID-Z2 of six, 8 KiB of data, take 24 KiB:

        >>> raidz_sectors(2, members=6, parities=2)
        6.0
    """
    (sectors,) = _check.count(block_sectors=block_sectors)
    members, parities = _vdev(members, parities)
    rows = np.ceil(sectors / np.asarray(members - parities))
    unit = parities + 1
    return _check.plain(np.ceil((sectors + parities * rows) / unit) * unit)


def raidz_usable_fraction(
    record_bytes: float, *, sector_bytes: float, members: float, parities: float
) -> float:
    r"""Share of a vdev that is left for data in records of one size.

    .. math:: u = d / a, \quad d = \lceil s / g \rceil

    Args:
        record_bytes: Size of the records as they are stored, s. [bytes]
        sector_bytes: Sector of the vdev, g: two to the power of its ashift. [bytes]
        members: Members of the vdev, n. [1]
        parities: Parity of the vdev, m. [1]

    Returns:
        Bytes of data over bytes allocated. [1]

    Raises:
        DomainError: Unless record_bytes is > 0 and finite, sector_bytes, members and parities are
            whole numbers and members > parities.

    Notes:
        Valid without metadata and the pool's own reserve. Source: `raidz_sectors`, a; a record that
        does not fill its last sector wastes the rest.

    Examples:
        Eight members, RAID-Z1, 4 KiB sectors: records of 8 KiB leave half, 128 KiB most of 7/8.

        >>> for size in (8192, 131072):
        ...     raidz_usable_fraction(size, sector_bytes=4096, members=8, parities=1)
        0.5
        0.8421052631578947
    """
    (record_bytes,) = _check.finite(record_bytes=record_bytes)
    (sector_bytes,) = _check.count(sector_bytes=sector_bytes)
    sectors = _check.plain(np.ceil(record_bytes / np.asarray(sector_bytes)))
    allocated = raidz_sectors(sectors, members=members, parities=parities)
    return record_bytes / (allocated * sector_bytes)


def raidz_usable_bytes(
    member_bytes: float,
    *,
    members: float,
    parities: float,
    record_bytes: float,
    sector_bytes: float,
) -> float:
    r"""Capacity of a vdev for data in records of one size.

    .. math:: U = n\,C\,u

    Args:
        member_bytes: User capacity of one member, C. [bytes]
        members: Members of the vdev, n. [1]
        parities: Parity of the vdev, m. [1]
        record_bytes: Size of the records as they are stored. [bytes]
        sector_bytes: Sector of the vdev. [bytes]

    Returns:
        Usable capacity. [bytes]

    Raises:
        DomainError: As `raidz_usable_fraction`, and unless member_bytes is > 0.

    Notes:
        Valid as `raidz_usable_fraction`; at most (n - m) C. Pools report capacity as if records had
        128 KiB. Source: share of the members' bytes that is data.

    Examples:
        >>> raidz_usable_bytes(4e12, members=8, parities=1, record_bytes=8192, sector_bytes=4096)
        16000000000000.0
    """
    (member_bytes,) = _check.positive(member_bytes=member_bytes)
    members, parities = _vdev(members, parities)
    share = raidz_usable_fraction(
        record_bytes, sector_bytes=sector_bytes, members=members, parities=parities
    )
    return member_bytes * members * share


def raidz_read_iops(
    member_read_iops: float, *, members: float, parities: float, block_sectors: float
) -> float:
    r"""Random reads of whole blocks per second of one vdev at deep queues.

    .. math:: X = X_m \left\lfloor \frac{n}{\min(d,\, n - m)} \right\rfloor

    Args:
        member_read_iops: Random reads per second of one member, X_m. [1/s]
        members: Members of the vdev, n. [1]
        parities: Parity of the vdev, m. [1]
        block_sectors: Sectors of data in a block, d. [1]

    Returns:
        Blocks read per second. [1/s]

    Raises:
        DomainError: Unless the rate is > 0, all counts are whole numbers and members > parities.

    Notes:
        Valid for blocks that are always read whole, and verified. Blocks that span all members give
        about one member's rate, whatever their number, and more vdevs that many times more. Source:
        members that one read of a block occupies [1]_; rounded down as for dRAID [2]_.

    Examples:
        >>> raidz_read_iops(100e3, members=8, parities=2, block_sectors=32)
        100000.0
    """
    (rate,) = _check.positive(member_read_iops=member_read_iops)
    members, parities = _vdev(members, parities)
    (sectors,) = _check.count(block_sectors=block_sectors)
    touched = np.minimum(sectors, np.asarray(members - parities))
    return _check.plain(rate * np.floor(members / touched))


def _vdev(members: float, parities: float) -> tuple[float, float]:
    (members,) = _check.count(members=members)
    (parities,) = _check.whole(parities=parities)
    _check.require(np.asarray(members) > parities, "members", "> parities", members)
    return members, parities
