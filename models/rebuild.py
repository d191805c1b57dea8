r"""Rebuild of a lost member: its time, its reads and writes, and host reads meanwhile.

Base units: bytes, seconds, bytes and operations per second. A rebuild has a share of each drive's
time; the applications have the rest.

References:
    .. [1] P. M. Chen et al., "RAID: High-Performance, Reliable Secondary Storage", ACM Computing
       Surveys 26(2), 1994, section 3 (degraded reads, reconstruction).
    .. [2] M. Holland, G. A. Gibson, "Parity Declustering for Continuous Operation in Redundant Disk
       Arrays", ASPLOS 1992.
"""

import numpy as np

from models import _check


def rebuild_s(
    rebuilt_bytes: float,
    *,
    spare_write_bytes_per_s: float,
    member_read_bytes_per_s: float,
    uplink_bytes_per_s: float,
    data_members: float,
    rebuild_fraction: float,
) -> float:
    r"""Time to rebuild a lost member onto one spare drive.

    .. math:: t = \frac{B}{\min(W f,\; R f,\; L / k)}

    Args:
        rebuilt_bytes: What the lost member held, B: its capacity, or only what is filled. [bytes]
        spare_write_bytes_per_s: Sequential writes of the spare, W. [bytes/s]
        member_read_bytes_per_s: Sequential reads of one member, R. [bytes/s]
        uplink_bytes_per_s: What the drives can send together, L; infinite if nothing is shared.
            [bytes/s]
        data_members: Members read for each byte, k; 1 for mirrors. [1]
        rebuild_fraction: Share of the drives' time for the rebuild, f. [1]

    Returns:
        Time until redundancy is back. [s]

    Raises:
        DomainError: Unless all are > 0, data_members a whole number and rebuild_fraction at most 1.

    Notes:
        Valid for rebuilds in the order of addresses, without the time to notice the failure.
        Source: the slowest of spare, members and link [1]_.

    Examples:
        3.84 TB at half of 1 GB/s:

        >>> t = rebuild_s(3.84e12, spare_write_bytes_per_s=1e9, member_read_bytes_per_s=3e9,
        ...               uplink_bytes_per_s=12e9, data_members=7, rebuild_fraction=0.5)
        >>> print(f"{t / 3600:.2f} h")
        2.13 h
    """
    size, writes, reads, uplink = _check.positive(
        rebuilt_bytes=rebuilt_bytes,
        spare_write_bytes_per_s=spare_write_bytes_per_s,
        member_read_bytes_per_s=member_read_bytes_per_s,
        uplink_bytes_per_s=uplink_bytes_per_s,
    )
    (data,) = _check.count(data_members=data_members)
    (part,) = _check.share(rebuild_fraction=rebuild_fraction)
    drives = np.minimum(writes, reads) * part
    return _check.plain(size / np.minimum(drives, uplink / np.asarray(data)))


def declustered_rebuild_s(
    rebuilt_bytes: float,
    *,
    members: float,
    data_members: float,
    member_read_bytes_per_s: float,
    member_write_bytes_per_s: float,
    rebuild_fraction: float,
) -> float:
    r"""Time to rebuild a lost member into spare space that all others share.

    .. math:: t = \frac{B}{(n - 1) f} \left(\frac{k}{R} + \frac{1}{W}\right)

    Args:
        rebuilt_bytes: What the lost member held, B. [bytes]
        members: Drives in the array, the lost one included, n. [1]
        data_members: Members read for each byte, k. [1]
        member_read_bytes_per_s: Sequential reads of one member, R. [bytes/s]
        member_write_bytes_per_s: Sequential writes of one member, W. [bytes/s]
        rebuild_fraction: Share of the drives' time for the rebuild, f. [1]

    Returns:
        Time until redundancy is back. [s]

    Raises:
        DomainError: Unless all are > 0, members and data_members whole numbers, members >
            data_members and rebuild_fraction at most 1.

    Notes:
        Valid where the work is spread evenly and no link limits it. Source: each byte takes k reads
        and a write of the time of n - 1 drives [2]_.

    Examples:
        3.84 TB over 23 others:

        >>> t = declustered_rebuild_s(3.84e12, members=24, data_members=8,
        ...                           member_read_bytes_per_s=3e9, member_write_bytes_per_s=1e9,
        ...                           rebuild_fraction=0.5)
        >>> print(f"{t / 3600:.2f} h")
        0.34 h
    """
    size, reads, writes = _check.positive(
        rebuilt_bytes=rebuilt_bytes,
        member_read_bytes_per_s=member_read_bytes_per_s,
        member_write_bytes_per_s=member_write_bytes_per_s,
    )
    members, data = _wider(members, data_members)
    (part,) = _check.share(rebuild_fraction=rebuild_fraction)
    return size * (data / reads + 1 / writes) / ((members - 1) * part)


def rebuild_read_bytes(rebuilt_bytes: float, *, data_members: float) -> float:
    r"""Bytes that a rebuild reads, and that must all be readable.

    .. math:: V = k\,B

    Args:
        rebuilt_bytes: What the lost member held, B. [bytes]
        data_members: Members read for each byte, k. [1]

    Returns:
        Bytes read from all members together. [bytes]

    Raises:
        DomainError: Unless rebuilt_bytes is > 0 and data_members a whole number >= 1.

    Notes:
        Valid for codes that read k chunks for each one lost. Source: [1]_.

    Examples:
        >>> rebuild_read_bytes(3.84e12, data_members=7) / 1e12
        26.88
    """
    (size,) = _check.positive(rebuilt_bytes=rebuilt_bytes)
    (data,) = _check.count(data_members=data_members)
    return size * data


def survivor_write_bytes(rebuilt_bytes: float, *, members: float) -> float:
    r"""Bytes that each other member writes in a declustered rebuild.

    .. math:: v = \frac{B}{n - 1}

    Args:
        rebuilt_bytes: What the lost member held, B; onto one spare drive, that writes all of it.
            [bytes]
        members: Drives in the array, the lost one included, n. [1]

    Returns:
        Writes to one member, the wear of the rebuild. [bytes]

    Raises:
        DomainError: Unless rebuilt_bytes is > 0 and members a whole number >= 2.

    Notes:
        Valid where spare space is spread evenly. Source: [2]_.

    Examples:
        >>> round(survivor_write_bytes(3.84e12, members=25) / 1e9)
        160
    """
    (size,) = _check.positive(rebuilt_bytes=rebuilt_bytes)
    members, _ = _wider(members, 1.0)
    return size / (members - 1)


def degraded_reads_per_read(members: float, *, data_members: float) -> float:
    r"""Member reads per host read with one member lost.

    .. math:: r = 1 + \frac{k - 1}{n}

    Args:
        members: Drives of the group, the lost one included, n. [1]
        data_members: Members read for a chunk that is lost, k; 1 for mirrors. [1]

    Returns:
        Mean member reads. [1]

    Raises:
        DomainError: Unless both are whole numbers and members > data_members.

    Notes:
        Valid for reads of single chunks, spread evenly. Source: 1 of n reads meets the lost member
        and takes k others [1]_.

    Examples:
        >>> degraded_reads_per_read(8, data_members=7)
        1.75
    """
    members, data = _wider(members, data_members)
    return 1 + (data - 1) / members


def degraded_read_iops(member_read_iops: float, *, members: float, data_members: float) -> float:
    r"""Random reads per second of a group with one member lost, at deep queues.

    .. math:: X = \frac{(n - 1)\,X_m}{1 + (k - 1)/n}

    Args:
        member_read_iops: Random reads per second of one member, X_m. [1/s]
        members: Drives of the group, the lost one included, n. [1]
        data_members: Members read for a chunk that is lost, k. [1]

    Returns:
        Host reads per second. [1/s]

    Raises:
        DomainError: Unless the rate is > 0, both counts are whole numbers and members >
            data_members.

    Notes:
        Valid as an upper bound by the members' time, before a rebuild takes its share. Source:
        `degraded_reads_per_read` [1]_; half of the whole group for RAID 5.

    Examples:
        >>> round(degraded_read_iops(100e3, members=8, data_members=7))
        400000
    """
    (rate,) = _check.positive(member_read_iops=member_read_iops)
    reads = degraded_reads_per_read(members, data_members=data_members)
    (members,) = _check.count(members=members)
    return rate * (members - 1) / reads


def _wider(members: float, data_members: float) -> tuple[float, float]:
    members, data = _check.count(members=members, data_members=data_members)
    _check.require(np.asarray(members) > data, "members", "> data_members", members)
    return members, data
