r"""Space of ZFS pools as `zfs list` counts it: labels, metaslabs, parity, padding and slop.

Base units: bytes. Every step is in whole bytes as ZFS takes it, and exact where results are below
2^53 bytes, 9 PB. The parts of a pool are vdevs of equal drives.

References:
    .. [1] OpenZFS, lib/libefi/rdwr_efi.c and cmd/zpool: a drive is given whole as a partition from
       1 MiB on, in whole MiB, less 8 MiB at the end.
    .. [2] OpenZFS, module/zfs/vdev.c, `vdev_open` (labels: 4.5 MiB of each member, in steps of 256
       KiB), `vdev_metaslab_set_size`, `vdev_set_deflate_ratio`.
    .. [3] OpenZFS, module/zfs/vdev_draid.c, `vdev_draid_open` (32 MiB of each member, rows of 16
       MiB, whole groups) and `vdev_draid_metaslab_init`.
    .. [4] OpenZFS, module/zfs/spa_misc.c, `spa_get_slop_space`: 1/32, at most 128 GiB.
    .. [5] openzfs/zfs issue 15467 (a pool draid2:6d:24c:0s of 1 TB: 15,835,678,638,080 bytes).
"""

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.declustered import declustered_usable_bytes
from models.units import GIB, KIB, MIB

Floats = NDArray[np.float64]

_LEAST_BYTES = 64 * MIB
_TABLES_BYTES = 33 * 512.0  # the second copy of the partition table
_BEFORE_BYTES, _AFTER_BYTES = MIB, 8 * MIB
_LABEL_STEP, _LABEL_BYTES = 256 * KIB, 4.5 * MIB
_ROW_BYTES, _RESERVED_BYTES = 16 * MIB, 32 * MIB
_UNIT = 512.0  # in which ZFS counts
_REFERENCE_BYTES = 128 * KIB  # the record for which space is reported
_FEW, _MANY = 16, 200  # metaslabs of a vdev, where their size allows
_USUAL_SLAB, _LEAST_SLAB, _LARGEST_SLAB = 512 * MIB, 16 * MIB, 16 * GIB
_MOST_SLABS = 131_072
_SLOP, _LEAST_SLOP, _MOST_SLOP = 1 / 32, 128 * MIB, 128 * GIB


def partition_bytes(drive_bytes: float) -> float:
    r"""Partition that a pool makes of a whole drive on Linux.

    .. math:: p = \lfloor C - 33 \cdot 512 \rfloor_{1\,\mathrm{MiB}} - 9\,\mathrm{MiB}

    Args:
        drive_bytes: Capacity of the drive, C. [bytes]

    Returns:
        Bytes of the partition. [bytes]

    Raises:
        DomainError: Unless drive_bytes is at least 64 MiB and finite.

    Notes:
        Valid for drives that are given whole; partitions of one's own are what they are. Source:
        [1]_.

    Examples:
        A drive of 3 TB:

        >>> partition_bytes(3_000_592_982_016)
        3000583061504.0
    """
    (drive,) = _large(drive_bytes=drive_bytes)
    whole = np.floor((np.asarray(drive) - _TABLES_BYTES) / MIB) * MIB
    return _check.plain(whole - _BEFORE_BYTES - _AFTER_BYTES)


def raidz_space_bytes(partition_bytes: float, *, members: float) -> float:
    r"""Space of a RAID-Z vdev in whole metaslabs, parity included.

    .. math:: S = M \lfloor n\,(\lfloor p \rfloor_{256\,\mathrm{KiB}} - 4.5\,\mathrm{MiB}) / M
              \rfloor

    Args:
        partition_bytes: What each member gives, p: a partition, a file or a device as it is.
            [bytes]
        members: Members of the vdev, n. [1]

    Returns:
        Space that may be allocated, data, parity and padding. [bytes]

    Raises:
        DomainError: Unless partition_bytes is at least 64 MiB and finite and members is a whole
            number >= 1.

    Notes:
        Valid for vdevs as they are created, with metaslabs of M = 16 GiB from 3 TB on, and for a
        mirror or a single drive as n = 1. Source: [2]_.

    Examples:
        >>> raidz_space_bytes(3_000_583_061_504, members=6) / 2**34
        1047.0
    """
    (members,) = _check.count(members=members)
    vdev = _member_bytes(partition_bytes) * members
    slab = _slab_bytes(vdev)
    return _check.plain(np.floor(vdev / slab) * slab)


def draid_space_bytes(
    partition_bytes: float,
    *,
    members: float,
    spares: float,
    data_members: float,
    parities: float,
    sector_bytes: float,
) -> float:
    r"""Space of a dRAID vdev in whole metaslabs of whole stripes, parity included.

    .. math:: S = \sum_i \left\lfloor M - o_i \right\rfloor_{w g}, \quad
              o_i = -i M \bmod w g, \quad w = k + m

    Args:
        partition_bytes: What each member gives: a partition, a file or a device as it is. [bytes]
        members: Members of the vdev, distributed spares included, n. [1]
        spares: Distributed spares, s. [1]
        data_members: Data chunks of a stripe, k. [1]
        parities: Parity chunks of a stripe, m. [1]
        sector_bytes: Sector of the vdev, g. [bytes]

    Returns:
        Space that may be allocated, data, parity and fill. [bytes]

    Raises:
        DomainError: As `models.declustered.declustered_usable_bytes`, and unless partition_bytes is
            at least 64 MiB and finite and sector_bytes is a whole number >= 1.

    Notes:
        Valid for vdevs as they are created by OpenZFS 2.1 or later; each member keeps 32 MiB for a
        later expansion. Source: [3]_, checked against [5]_.

    Examples:
        24 members of 1 TB, 6 + 2 without spares, make 1,396 metaslabs of 16 GiB:

        >>> draid_space_bytes(1e12, members=24, spares=0, data_members=6, parities=2,
        ...                   sector_bytes=4096) / 2**34
        1396.0
    """
    one = _member_bytes(partition_bytes)
    layout = {"members": members, "spares": spares, "data_members": data_members,
              "parities": parities}  # fmt: skip
    declustered_usable_bytes(_check.plain(one), **layout)  # refuses what cannot be laid out
    (sector,) = _check.count(sector_bytes=sector_bytes)
    rows = np.floor((one - _RESERVED_BYTES) / _ROW_BYTES) * _ROW_BYTES
    width = np.asarray(data_members) + parities
    group = width * _ROW_BYTES
    vdev = np.floor(rows * (np.asarray(members) - spares) / group) * group
    slab = _slab_bytes(vdev)
    return _check.plain(_in_stripes(np.floor(vdev / slab), slab, width, sector))


def deflated_fraction(reference_sectors: float, *, sector_bytes: float) -> float:
    r"""Share of allocated space that a pool reports: of a record of 128 KiB, in steps of 1/512.

    .. math:: \delta = \frac{1}{512} \left\lfloor \frac{2^{17}}{a_{128}\, g / 512} \right\rfloor

    Args:
        reference_sectors: Sectors that a record of 128 KiB occupies, with parity and padding, a.
            [1]
        sector_bytes: Sector of the vdev, g. [bytes]

    Returns:
        Bytes reported over bytes allocated. [1]

    Raises:
        DomainError: Unless both are whole numbers >= 1 that make at least 128 KiB, in whole units
            of 512 bytes.

    Notes:
        Valid for every vdev; a mirror or a single drive has 32 sectors of 4 KiB and reports all.
        Rounded down as ZFS does. Source: [2]_.

    Examples:
        RAID-Z2 of nine members with sectors of 512 bytes, 330 of them for 128 KiB:

        >>> deflated_fraction(330, sector_bytes=512) * 512
        397.0
    """
    sectors, sector = _check.count(reference_sectors=reference_sectors, sector_bytes=sector_bytes)
    units = np.asarray(sectors) * sector / _UNIT
    whole = (units % 1 == 0) & (units * _UNIT >= _REFERENCE_BYTES)
    _check.require(whole, "reference_sectors", "at least 128 KiB in units of 512 bytes", sectors)
    return _check.plain(np.floor(_REFERENCE_BYTES / units) / _UNIT)


def available_bytes(space_bytes: float, *, vdevs: float, deflated_fraction: float) -> float:
    r"""Space that an empty pool reports as available: deflated, less the slop.

    .. math:: A = v\,S\,\delta - \min(v S \delta / 32,\ 128\,\mathrm{GiB})

    Args:
        space_bytes: Space of one vdev in whole metaslabs, S. [bytes]
        vdevs: Equal vdevs of the pool, v. [1]
        deflated_fraction: Share of allocated space that is reported, delta. [1]

    Returns:
        Used and available together, as `zfs list` prints them. [bytes]

    Raises:
        DomainError: Unless space_bytes is >= 16 MiB, vdevs a whole number >= 1 and the share in (0,
            1].

    Notes:
        Valid for OpenZFS 2.1 and later: the slop, at least 128 MiB, is kept for metadata and for
        deleting in a full pool, and contains the metaslab that each vdev keeps for its intent log.
        Before 2.0 there was no upper limit. An empty pool uses a few MB. Source: [4]_, [5]_.

    Examples:
        >>> available_bytes(1396 * 2**34, vdevs=1, deflated_fraction=341 / 512)
        15835678638080.0
    """
    (space,) = _check.finite(space_bytes=space_bytes)
    _check.require(np.asarray(space) >= _LEAST_SLAB, "space_bytes", ">= 16 MiB", space)
    (vdevs,) = _check.count(vdevs=vdevs)
    (share,) = _check.share(deflated_fraction=deflated_fraction)
    reported = np.asarray(space) * share * vdevs
    slop = np.clip(np.floor(reported * _SLOP), np.minimum(_LEAST_SLOP, reported / 2), _MOST_SLOP)
    return _check.plain(reported - slop)


def recorded_bytes(
    available_bytes: float,
    *,
    record_bytes: float,
    allocated_sectors: float,
    sector_bytes: float,
    deflated_fraction: float,
) -> float:
    r"""Capacity of a pool for data in records of one size.

    .. math:: U = A\, \frac{R}{a\, g\, \delta}

    Args:
        available_bytes: Space that the empty pool reports, A. [bytes]
        record_bytes: Record as it is stored, R. [bytes]
        allocated_sectors: Sectors that a record occupies, with parity and padding, a. [1]
        sector_bytes: Sector of the vdev, g. [bytes]
        deflated_fraction: Share of allocated space that is reported, delta. [1]

    Returns:
        Bytes of data. [bytes]

    Raises:
        DomainError: Unless all are > 0 and finite, deflated_fraction at most 1 and the record fits
            its sectors.

    Notes:
        Valid without compression; indirect blocks take up to 256 bytes of each record's space more,
        1.6 % of records of 16 KiB. More than is reported where records are larger than 128 KiB.
        Source: ZFS charges to a block the deflated share of the space that it occupies [2]_.

    Examples:
        Volumes of 8 KiB on RAID-Z2 of six take two bytes of what is reported for each of their own:

        >>> data = recorded_bytes(10e12, record_bytes=8192, allocated_sectors=6, sector_bytes=4096,
        ...                       deflated_fraction=341 / 512)
        >>> print(f"{data / 1e12:.3f}")
        5.005
    """
    available, record = _check.finite(available_bytes=available_bytes, record_bytes=record_bytes)
    sectors, sector = _check.count(allocated_sectors=allocated_sectors, sector_bytes=sector_bytes)
    (share,) = _check.share(deflated_fraction=deflated_fraction)
    occupied = np.asarray(sectors) * sector
    _check.require(occupied >= record, "allocated_sectors", "room for the record", sectors)
    return _check.plain(available * record / (occupied * share))


def _large(**named: float) -> tuple[float, ...]:
    """Return the values if every one is at least the smallest device of a pool, and finite."""
    values = _check.finite(**named)
    for name, value in zip(named, values, strict=True):
        _check.require(np.asarray(value) >= _LEAST_BYTES, name, ">= 64 MiB", value)
    return values


def _member_bytes(partition: float) -> Floats:
    """Return the bytes of a drive without the labels of the pool."""
    (given,) = _large(partition_bytes=partition)
    return np.asarray(np.floor(np.asarray(given) / _LABEL_STEP) * _LABEL_STEP - _LABEL_BYTES)


def _slab_bytes(vdev: Floats) -> Floats:
    """Return the size of the metaslabs of a vdev: about 200, of 16 GiB at most up to 2 PiB."""
    counts = np.floor(vdev / _USUAL_SLAB)
    slab = np.where(counts > _MANY, _power_above(vdev / _MANY), _USUAL_SLAB)
    slab = np.where(counts < _FEW, _power_above(vdev / _FEW), slab)
    capped = np.clip(slab, _LEAST_SLAB, _LARGEST_SLAB)
    is_huge = (slab > _LARGEST_SLAB) & (np.floor(vdev / _LARGEST_SLAB) > _MOST_SLABS)
    return np.where(is_huge, _power_above(vdev / _MOST_SLABS), capped)


def _power_above(size: Floats) -> Floats:
    """Return the smallest power of two that is greater than a size in whole bytes."""
    return np.asarray(2.0 ** (np.floor(np.log2(np.maximum(np.floor(size), 1.0))) + 1))


def _in_stripes(slabs: Floats, slab: Floats, width: Floats, sector: float) -> Floats:
    """Return the space of metaslabs that begin and end with a stripe.

    How far they begin after their own start repeats after as many as a stripe has sectors.
    """
    places = np.arange(int(np.max(width)))
    slabs, slab, width = (each[..., None] for each in np.broadcast_arrays(slabs, slab, width))
    stripe = width * np.asarray(sector)[..., None]
    sizes = np.floor((slab - (-places * slab) % stripe) / stripe) * stripe
    times = np.where(places < width, np.maximum(np.ceil((slabs - places) / width), 0.0), 0.0)
    return np.asarray((times * sizes).sum(axis=-1))
