r"""Declustered arrays: stripes of k + m over more members, spare space spread over all of them.

Base units: bytes, operations per second. dRAID of OpenZFS is one; every member holds data, parity
and its part of the spares, so that all of them share reads, writes and rebuilds.

References:
    .. [1] OpenZFS, zpoolconcepts(7), section "dRAID": capacity (N - S) D / (D + P) X, random IOPS
       floor((N - S) / (D + P)) of a drive.
    .. [2] OpenZFS, module/zfs/vdev_draid.c, `vdev_draid_asize`.
    .. [3] P. Desnoyers, "Analytic Models of SSD Write Performance", ACM Transactions on Storage
       10(2), 2014 (write amplification by the share of a drive that holds valid data).
"""

import numpy as np

from models import _check


def declustered_usable_bytes(
    member_bytes: float, *, members: float, spares: float, data_members: float, parities: float
) -> float:
    r"""Capacity of a declustered array with distributed spares.

    .. math:: U = C\,(n - s)\,\frac{k}{k + m}

    Args:
        member_bytes: User capacity of one member, C. [bytes]
        members: Drives in the array, n. [1]
        spares: Members' worth of distributed spare space, s. [1]
        data_members: Data chunks of a stripe, k. [1]
        parities: Parity chunks of a stripe, m. [1]

    Returns:
        Usable capacity. [bytes]

    Raises:
        DomainError: Unless member_bytes is > 0, the counts are whole numbers, members and
            data_members >= 1, spares and parities >= 0 and members - spares at least k + m.

    Notes:
        Valid for blocks of whole stripes; smaller ones see `declustered_sectors`. Source: [1]_.

    Examples:
        dRAID2 of 24 drives of 4 TB with 8 data chunks and 2 spares:

        >>> declustered_usable_bytes(4e12, members=24, spares=2, data_members=8, parities=2) / 1e12
        70.4
    """
    (member_bytes,) = _check.positive(member_bytes=member_bytes)
    working, data, width = _stripes(members, spares, data_members, parities)
    return member_bytes * working * data / width


def declustered_iops(
    iops: float, *, members: float, spares: float, data_members: float, parities: float
) -> float:
    r"""Random IOPS of a declustered array whose operations take a whole stripe.

    .. math:: X = X_m \left\lfloor \frac{n - s}{k + m} \right\rfloor

    Args:
        iops: Random IOPS of one member, X_m. [1/s]
        members: Drives in the array, n. [1]
        spares: Members' worth of distributed spare space, s. [1]
        data_members: Data chunks of a stripe, k. [1]
        parities: Parity chunks of a stripe, m. [1]

    Returns:
        Operations per second. [1/s]

    Raises:
        DomainError: Unless iops is > 0 and the layout is possible (see `declustered_usable_bytes`).

    Notes:
        Valid as an approximation at deep queues, where a read touches all k data chunks; for queue
        depths and reads of single chunks see `models.array_speed`. Source: [1]_.

    Examples:
        >>> declustered_iops(100e3, members=24, spares=2, data_members=8, parities=2)
        200000.0
    """
    (iops,) = _check.positive(iops=iops)
    working, _, width = _stripes(members, spares, data_members, parities)
    return _check.plain(iops * np.floor(working / width))


def declustered_sectors(block_sectors: float, *, data_members: float, parities: float) -> float:
    r"""Sectors that a block occupies in whole stripes.

    .. math:: a = (k + m) \lceil d / k \rceil

    Args:
        block_sectors: Sectors of data in the block, d. [1]
        data_members: Data chunks of a stripe, k. [1]
        parities: Parity chunks of a stripe, m. [1]

    Returns:
        Sectors allocated. [1]

    Raises:
        DomainError: Unless all are whole numbers, block_sectors and data_members >= 1 and
            parities >= 0.

    Notes:
        Valid for dRAID; exact. Source: allocation rule of OpenZFS [2]_.

    Examples:
        One sector on 8 + 2 takes ten:

        >>> declustered_sectors(1, data_members=8, parities=2)
        10.0
    """
    sectors, data = _check.count(block_sectors=block_sectors, data_members=data_members)
    (parities,) = _check.whole(parities=parities)
    return _check.plain(np.ceil(sectors / np.asarray(data)) * (data + parities))


def member_fill_fraction(
    stored_bytes: float, *, member_bytes: float, members: float, writes_per_write: float
) -> float:
    r"""Share of every member that holds data, copies or parity, for its own garbage collection.

    .. math:: f = \frac{V w}{n\,C}

    Args:
        stored_bytes: Data stored in the array, V. [bytes]
        member_bytes: User capacity of one member, C. [bytes]
        members: Drives in the array, distributed spares included, n. [1]
        writes_per_write: Bytes stored per byte of data, w: (k + m)/k, or the number of copies. [1]

    Returns:
        Fill of a member, for `spare_area.effective_op_ratio`. [1]

    Raises:
        DomainError: Unless all are > 0, members a whole number and the data fit.

    Notes:
        Valid for data spread evenly. A full array fills its members whatever its parity; only space
        that is left out (a partition, distributed spares, data not stored) lowers their write
        amplification, while parity raises their writes (`redundancy.mean_writes_per_write`).
        Source: conservation of bytes; effect on write amplification [3]_.

    Examples:
        A full dRAID2 of 24 drives with 8 data chunks and 2 spares leaves 1/12 of each drive empty:

        >>> f = member_fill_fraction(70.4e12, member_bytes=4e12, members=24, writes_per_write=1.25)
        >>> print(f"{f:.4f}")
        0.9167
    """
    stored_bytes, member_bytes, copies = _check.positive(
        stored_bytes=stored_bytes, member_bytes=member_bytes, writes_per_write=writes_per_write
    )
    (members,) = _check.count(members=members)
    fill = np.asarray(stored_bytes * copies / (member_bytes * members))
    _check.require(fill <= 1 + 1e-12, "stored_bytes", "what the members can hold", stored_bytes)
    return _check.plain(np.minimum(fill, 1.0))


def _stripes(
    members: float, spares: float, data_members: float, parities: float
) -> tuple[float, float, float]:
    """Members less spares, data chunks of a stripe, its width."""
    members, data = _check.count(members=members, data_members=data_members)
    spares, parities = _check.whole(spares=spares, parities=parities)
    working, width = members - spares, data + parities
    room = np.asarray(working) >= width
    _check.require(room, "members", ">= spares + data_members + parities", members)
    return working, data, width
