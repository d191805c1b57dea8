r"""Records of ZFS on RAID-Z and dRAID: operations and bytes of drives for what a host does.

Base units: bytes; counts in sectors and operations. A pool reads and writes whole records: their
checksum is over the whole, and nothing is overwritten in place. A record of d sectors lies in
columns on min(d, k) members, with a column of parity on m more.

References:
    .. [1] OpenZFS, module/zfs/vdev_raidz.c, `vdev_raidz_map_alloc` (columns of a block).
    .. [2] OpenZFS, module/zfs/vdev_draid.c, `vdev_draid_map_alloc_write`: full stripes, empty
       sectors written as zeros.
    .. [3] OpenZFS documentation, "Workload Tuning", record size: a write of a part of a record
       reads it and writes it whole.
"""

import numpy as np

from models import _check


def record_sectors(record_bytes: float, *, sector_bytes: float) -> float:
    r"""Sectors of data in a record.

    .. math:: d = \lceil R / g \rceil

    Args:
        record_bytes: Record as it is stored, R: recordsize or volblocksize without compression.
            [bytes]
        sector_bytes: Sector of the vdev, g: two to the power of its ashift. [bytes]

    Returns:
        Sectors. [1]

    Raises:
        DomainError: Unless record_bytes is > 0 and finite and sector_bytes a whole number >= 1.

    Notes:
        Valid for records of one block; exact. Source: allocation in whole sectors [1]_.

    Examples:
        >>> record_sectors(16384, sector_bytes=4096)
        4.0
    """
    (record,) = _check.finite(record_bytes=record_bytes)
    (sector,) = _check.count(sector_bytes=sector_bytes)
    return _check.plain(np.ceil(record / np.asarray(sector)))


def record_columns(block_sectors: float, *, stripe_members: float, parities: float) -> float:
    r"""Members on which the data of a record lies: those that a read of it occupies.

    .. math:: c = \min(d,\ k), \quad k = w - m

    Args:
        block_sectors: Sectors of data in the record, d. [1]
        stripe_members: Members of a stripe, data and parity, w: all of a RAID-Z vdev, k + m of
            dRAID. [1]
        parities: Parity of the vdev, m. [1]

    Returns:
        Members. [1]

    Raises:
        DomainError: Unless all are whole numbers, parities >= 0, the others >= 1 and
            stripe_members > parities.

    Notes:
        Valid for reads that find every member; parity and empty sectors are not read. Source: [1]_,
        [2]_.

    Examples:
        16 KiB on RAID-Z2 of eight, 128 KiB there:

        >>> [record_columns(sectors, stripe_members=8, parities=2) for sectors in (4, 32)]
        [4.0, 6.0]
    """
    sectors, data, _ = _laid_out(block_sectors, stripe_members, parities)
    return _check.plain(np.minimum(sectors, data))


def written_columns(data_columns: float, *, parities: float) -> float:
    r"""Members that RAID-Z writes for a record: those of its data and of its parity.

    .. math:: n = c + m

    Args:
        data_columns: Members on which the data of a record lies, c. [1]
        parities: Parity of the vdev, m. [1]

    Returns:
        Members. [1]

    Raises:
        DomainError: Unless data_columns is a whole number >= 1 and parities a whole number >= 0.

    Notes:
        Valid for RAID-Z; dRAID writes whole stripes, on k + m members. Source: [1]_.

    Examples:
        >>> written_columns(4, parities=2)
        6.0
    """
    (columns,) = _check.count(data_columns=data_columns)
    (parities,) = _check.whole(parities=parities)
    return columns + parities


def column_bytes(
    record_bytes: float, *, sector_bytes: float, stripe_members: float, parities: float
) -> float:
    r"""Size of what one member reads or writes of a record.

    .. math:: b = g \lceil d / k \rceil

    Args:
        record_bytes: Record as it is stored. [bytes]
        sector_bytes: Sector of the vdev, g. [bytes]
        stripe_members: Members of a stripe, data and parity, k + m. [1]
        parities: Parity of the vdev, m. [1]

    Returns:
        Bytes of one operation of a member. [bytes]

    Raises:
        DomainError: As `record_sectors` and `record_columns`.

    Notes:
        Valid for the longest columns, parity among them; others are one sector shorter. Source:
        [1]_.

    Examples:
        128 KiB on RAID-Z2 of six:

        >>> column_bytes(131072, sector_bytes=4096, stripe_members=6, parities=2)
        32768.0
    """
    sectors = record_sectors(record_bytes, sector_bytes=sector_bytes)
    sectors, data, _ = _laid_out(sectors, stripe_members, parities)
    return _check.plain(np.ceil(sectors / np.asarray(data)) * sector_bytes)


def raidz_written_sectors(block_sectors: float, *, stripe_members: float, parities: float) -> float:
    r"""Sectors that RAID-Z writes for a record: data and parity, not the padding.

    .. math:: b = d + m \lceil d / k \rceil

    Args:
        block_sectors: Sectors of data in the record, d. [1]
        stripe_members: Members of the vdev, k + m. [1]
        parities: Parity of the vdev, m. [1]

    Returns:
        Sectors written. [1]

    Raises:
        DomainError: As `record_columns`.

    Notes:
        Valid for RAID-Z; dRAID fills its stripes with zeros and writes all that it allocates
        (`models.declustered.declustered_sectors`). Exact. Source: [1]_.

    Examples:
        8 KiB on RAID-Z2 of six take six sectors, of which four are written:

        >>> raidz_written_sectors(2, stripe_members=6, parities=2)
        4.0
    """
    sectors, data, parities = _laid_out(block_sectors, stripe_members, parities)
    return _check.plain(sectors + parities * np.ceil(sectors / np.asarray(data)))


def records_per_operation(
    transfer_bytes: float, *, record_bytes: float, sequential_fraction: float
) -> float:
    r"""Mean number of records that an operation of the host reads or writes.

    .. math:: \rho = (1 - s) \lceil r / R \rceil + s\, r / R

    Args:
        transfer_bytes: Size of an operation of the host, r. [bytes]
        record_bytes: Record, R. [bytes]
        sequential_fraction: Share of operations that follow each other in address, s in [0, 1]. [1]

    Returns:
        Records, less than one where several operations fill one. [1]

    Raises:
        DomainError: Unless the sizes are > 0 and finite and the share is in [0, 1].

    Notes:
        Valid for operations that start with a record or lie within one, and where few writes of one
        transaction group fall into the same record; those that do are written once, see
        `models.application.record_bytes_per_s`. Source: a record is written whole [3]_.

    Examples:
        4 KiB in records of 16 KiB, at random and in sequence:

        >>> [records_per_operation(4096, record_bytes=16384, sequential_fraction=s) for s in (0, 1)]
        [1.0, 0.25]
    """
    transfer, record = _check.finite(transfer_bytes=transfer_bytes, record_bytes=record_bytes)
    (share,) = _check.fraction(sequential_fraction=sequential_fraction)
    whole = transfer / np.asarray(record)
    return _check.plain((1 - np.asarray(share)) * np.ceil(whole) + share * whole)


def record_operations(columns: float, *, records_per_operation: float) -> float:
    r"""Operations of members for one operation of the host.

    .. math:: n = \rho\, c

    Args:
        columns: Members that a record occupies, c: `record_columns` of a read, with those of parity
            of a write. [1]
        records_per_operation: Records of an operation of the host, rho. [1]

    Returns:
        Operations of members. [1]

    Raises:
        DomainError: Unless both are > 0 and finite.

    Notes:
        Valid for records on all their members at once. Source: one operation a column [1]_.

    Examples:
        A write of 4 KiB to records of 16 KiB on RAID-Z2 of six: four columns of data and two of
        parity.

        >>> record_operations(6, records_per_operation=1)
        6.0
    """
    columns, records = _check.finite(columns=columns, records_per_operation=records_per_operation)
    return columns * records


def whole_record_reads(
    columns: float, *, transfer_bytes: float, record_bytes: float, sequential_fraction: float
) -> float:
    r"""Member reads before a host write can be written: of the record of which it is a part.

    .. math:: n = (1 - s)\, c \quad (r < R), \qquad 0 \quad (r \ge R)

    Args:
        columns: Members on which the data of a record lies, c. [1]
        transfer_bytes: Size of an operation of the host, r. [bytes]
        record_bytes: Record, R. [bytes]
        sequential_fraction: Share of operations that follow each other in address, s in [0, 1]. [1]

    Returns:
        Reads of members per host write. [1]

    Raises:
        DomainError: Unless columns and the sizes are > 0 and finite and the share is in [0, 1].

    Notes:
        Valid where the record is not in memory: the upper end; no reads where all of it is cached.
        Parity needs no reads. Source: [3]_.

    Examples:
        >>> whole_record_reads(4, transfer_bytes=4096, record_bytes=16384, sequential_fraction=0)
        4.0
    """
    (columns,) = _check.finite(columns=columns)
    transfer, record = _check.finite(transfer_bytes=transfer_bytes, record_bytes=record_bytes)
    (share,) = _check.fraction(sequential_fraction=sequential_fraction)
    is_part = np.asarray(transfer) < record
    return _check.plain(np.where(is_part, (1 - np.asarray(share)) * columns, 0.0))


def written_bytes_per_byte(
    written_sectors: float,
    *,
    sector_bytes: float,
    transfer_bytes: float,
    records_per_operation: float,
) -> float:
    r"""Bytes that all members write per byte of the host.

    .. math:: \bar w = \rho\, b\, g / r

    Args:
        written_sectors: Sectors written for a record, data and parity, b. [1]
        sector_bytes: Sector of the vdev, g. [bytes]
        transfer_bytes: Size of an operation of the host, r. [bytes]
        records_per_operation: Records of an operation of the host, rho. [1]

    Returns:
        Bytes of members per byte of the host. [1]

    Raises:
        DomainError: Unless all are > 0 and finite, sector_bytes a whole number.

    Notes:
        Valid without compression, copies, metadata and the intent log, for which see
        `models.application`. Source: conservation of bytes.

    Examples:
        4 KiB at random in records of 16 KiB on RAID-Z2 of six writes six times its size:

        >>> written_bytes_per_byte(6, sector_bytes=4096, transfer_bytes=4096,
        ...                        records_per_operation=1)
        6.0
    """
    written, transfer, records = _check.finite(
        written_sectors=written_sectors,
        transfer_bytes=transfer_bytes,
        records_per_operation=records_per_operation,
    )
    (sector,) = _check.count(sector_bytes=sector_bytes)
    return records * written * sector / transfer


def _laid_out(
    block_sectors: float, stripe_members: float, parities: float
) -> tuple[float, float, float]:
    """Return the sectors of a record, and the members of a stripe for data and for parity."""
    sectors, members = _check.count(block_sectors=block_sectors, stripe_members=stripe_members)
    (parities,) = _check.whole(parities=parities)
    _check.require(np.asarray(members) > parities, "stripe_members", "> parities", members)
    return sectors, members - parities, parities
