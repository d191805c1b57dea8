"""Redundancy: capacity, extra operations and the IOPS budget of RAID layouts.

Base units: bytes, operations per second. A layout is two numbers, so that formulas need no name of
a RAID level:

=========== ======== ==========
layout      copies   parities
=========== ======== ==========
RAID 0      1        0
RAID 1, 10  2 (or c) 0
RAID 5      1        1
RAID 6      1        2
k + m       1        m
=========== ======== ==========

RAID 50, 60 and wide k + m are several groups: capacity counts them all, the cost of a write that of
the group that it falls into, whose drives are then the members.

References:
    .. [1] P. M. Chen et al., "RAID: High-Performance, Reliable Secondary Storage", ACM Computing
       Surveys 26(2), 1994, section 3.
"""

import numpy as np
from numpy.typing import ArrayLike

from models import _check


def working_members(members: float, *, spares: float) -> float:
    r"""Drives of an array that hold data: all but the hot spares.

    .. math:: n_w = n - s

    Args:
        members: Drives in the array, n. [1]
        spares: Idle hot spares, s. [1]

    Returns:
        Drives that hold data. [1]

    Raises:
        DomainError: Unless members and spares are whole numbers and spares is >= 0 and < members.

    Notes:
        Valid for spares that replace whole drives; exact. Source: definition.

    Examples:
        >>> working_members(24, spares=2)
        22.0
    """
    (members,) = _check.count(members=members)
    (spares,) = _check.whole(spares=spares)
    _check.require(np.less(spares, members), "spares", "< members", spares)
    return members - spares


def usable_bytes(
    member_bytes: float,
    *,
    members: float,
    copies: float = 1.0,
    parities: float = 0.0,
    groups: float = 1.0,
    spares: float = 0.0,
) -> float:
    r"""Capacity of an array that is left for data.

    .. math:: U = C (n - s - g m) / c

    Args:
        member_bytes: User capacity of one member. [bytes]
        members: Drives in the array, n. [1]
        copies: Copies of each byte, c. [1]
        parities: Members' worth of parity of each group, m. [1]
        groups: Equal groups with parity of their own, g. [1]
        spares: Idle hot spares, s. [1]

    Returns:
        Usable capacity. [bytes]

    Raises:
        DomainError: Unless member_bytes > 0, members, copies and groups are whole numbers >= 1, and
            the members less the spares are equal groups with room for parity and one set of copies.

    Notes:
        Valid for equal members; exact for whole bytes where n C is below 2^53. Source: [1]_.

    Examples:
        >>> usable_bytes(400e9, members=12, parities=1) / 1e12
        4.4

        24 drives as two groups of 9 + 2 with two hot spares:

        >>> usable_bytes(4e12, members=24, parities=2, groups=2, spares=2) / 1e12
        72.0
    """
    (member_bytes,) = _check.positive(member_bytes=member_bytes)
    (members,) = _check.count(members=members)
    (spares,) = _check.whole(spares=spares)
    working = members - spares
    (groups,) = _check.count(groups=groups)
    width = np.asarray(working) / groups
    _check.require(np.floor(width) == width, "members", "equal groups and the spares", members)
    copies, parities = _layout_of(width, members, copies, parities)
    return member_bytes * (working - groups * parities) / copies


def set_members(members: float, *, groups: float) -> float:
    r"""Drives of one of several equal sets, over which a stripe is spread.

    .. math:: w = n / g

    Args:
        members: Drives that hold data, n. [1]
        groups: Equal sets with redundancy of their own, g. [1]

    Returns:
        Drives of one set. [1]

    Raises:
        DomainError: Unless both are whole numbers >= 1 and the sets are equal.

    Notes:
        Valid for equal sets; exact. Source: definition of RAID 50 and 60.

    Examples:
        >>> set_members(24, groups=3)
        8.0
    """
    members, groups = _check.count(members=members, groups=groups)
    width = np.asarray(members) / groups
    _check.require(np.floor(width) == width, "members", "a multiple of groups", members)
    return _check.plain(width)


def reads_per_write(members: float, *, parities: float, chunks: float = 1.0) -> float:
    r"""Member reads that one host write costs before parity can be written.

    .. math:: r = \min(w + m, \, n - m - w) \quad (m > 0)

    Args:
        members: Drives in the array, n. [1]
        parities: Members' worth of parity, m; 0 needs no reads. [1]
        chunks: Data members that the write covers, w. [1]

    Returns:
        Member reads, by read-modify-write or reconstruct-write, whichever is less; 0 for a full
            stripe. [1]

    Raises:
        DomainError: Unless the counts are whole numbers and 1 <= chunks <= members - parities.

    Notes:
        Valid for writes of whole chunks without a cache that merges them. Source: [1]_.

    Examples:
        >>> reads_per_write(12, parities=1), reads_per_write(12, parities=1, chunks=11)
        (2.0, 0.0)
    """
    members, _, parities = _layout(members, 1.0, parities)
    (chunks,) = _check.count(chunks=chunks)
    rest = members - parities - chunks
    _check.require(rest >= 0, "chunks", "<= members - parities", chunks)
    reads = np.where(parities > 0, np.minimum(chunks + parities, rest), 0.0)
    return _check.plain(reads)


def writes_per_write(copies: float, *, parities: float, chunks: float = 1.0) -> float:
    r"""Member writes that one host write costs.

    .. math:: n_w = c \, w + m

    Args:
        copies: Copies of each byte, c. [1]
        parities: Members' worth of parity, m. [1]
        chunks: Data members that the write covers, w. [1]

    Returns:
        Member writes, data and parity. [1]

    Raises:
        DomainError: Unless copies and chunks are whole numbers >= 1 and parities >= 0.

    Notes:
        Valid for writes of whole chunks. Source: [1]_.

    Examples:
        >>> writes_per_write(1, parities=1), writes_per_write(2, parities=0)
        (2.0, 2.0)
    """
    copies, chunks = _check.count(copies=copies, chunks=chunks)
    (parities,) = _check.whole(parities=parities)
    return copies * chunks + parities


def mean_reads_per_write(members: float, *, parities: float, full_stripe_fraction: float) -> float:
    r"""Member reads per host write of one chunk, full stripes among them.

    .. math:: \bar r = (1 - s) \, r

    Args:
        members: Drives in the array, n. [1]
        parities: Members' worth of parity, m. [1]
        full_stripe_fraction: Share of chunks written as full stripes, s in [0, 1]; they need no
            reads. [1]

    Returns:
        Mean member reads. [1]

    Raises:
        DomainError: Unless the layout is possible (see `usable_bytes`) and the share is in [0, 1].

    Notes:
        Valid for writes of one chunk or of whole stripes. Source: [1]_, `reads_per_write`.

    Examples:
        >>> mean_reads_per_write(12, parities=1, full_stripe_fraction=0.25)
        1.5
    """
    reads = reads_per_write(members, parities=parities)
    (stripes,) = _check.fraction(full_stripe_fraction=full_stripe_fraction)
    return _check.plain((1 - np.asarray(stripes)) * reads)


def mean_writes_per_write(
    members: float, *, copies: float, parities: float, full_stripe_fraction: float
) -> float:
    r"""Member writes per host write of one chunk, full stripes among them.

    .. math:: \bar w = c + m (1 - s) + m s / k, \quad k = (n - m)/c

    Args:
        members: Drives in the array, n. [1]
        copies: Copies of each byte, c. [1]
        parities: Members' worth of parity, m. [1]
        full_stripe_fraction: Share of chunks written as full stripes, s in [0, 1]; they share their
            parity. [1]

    Returns:
        Mean member writes, data and parity; also member bytes per host byte. [1]

    Raises:
        DomainError: Unless the layout is possible (see `usable_bytes`) and the share is in [0, 1].

    Notes:
        Valid for writes of one chunk or of whole stripes. Source: [1]_, writes per operation.

    Examples:
        RAID 5 of 12 doubles small writes:

        >>> mean_writes_per_write(12, copies=1, parities=1, full_stripe_fraction=0)
        2.0
    """
    members, copies, parities = _layout(members, copies, parities)
    (stripes,) = _check.fraction(full_stripe_fraction=full_stripe_fraction)
    return copies + parities * ((1 - stripes) + stripes * copies / (members - parities))


def member_write_bytes_per_s(
    host_bytes_per_s: float, *, members: float, writes_per_write: float
) -> float:
    r"""Host bytes that each member receives, parity and copies included.

    .. math:: \lambda_m = \lambda \, \bar w / n

    Args:
        host_bytes_per_s: Writes to the array. [bytes/s]
        members: Drives in the array, n. [1]
        writes_per_write: Member bytes written per host byte, from `mean_writes_per_write`. [1]

    Returns:
        Writes to one member. [bytes/s]

    Raises:
        DomainError: Unless the rate is >= 0, writes_per_write > 0 and members a whole number >= 1.

    Notes:
        Valid for evenly spread data and rotating parity. Source: [1]_.

    Examples:
        >>> member_write_bytes_per_s(12e6, members=12, writes_per_write=2)
        2000000.0
    """
    (host_bytes_per_s,) = _check.non_negative(host_bytes_per_s=host_bytes_per_s)
    (writes_per_write,) = _check.positive(writes_per_write=writes_per_write)
    (members,) = _check.count(members=members)
    return host_bytes_per_s * writes_per_write / members


def array_limit_bytes(
    member_limit_bytes: float, *, members: float, writes_per_write: float
) -> float:
    r"""Host bytes written to an array by the time its members meet their limit.

    .. math:: L = n \, L_m / \bar w

    Args:
        member_limit_bytes: Host bytes that one member may receive. [bytes]
        members: Drives in the array, n. [1]
        writes_per_write: Member bytes written per host byte, from `mean_writes_per_write`. [1]

    Returns:
        Host bytes written to the array. [bytes]

    Raises:
        DomainError: Unless the limit and writes_per_write are > 0 and members is a whole number >=
            1.

    Notes:
        Valid for members that wear alike. Source: inverse of `member_write_bytes_per_s`.

    Examples:
        >>> array_limit_bytes(7_300e12, members=12, writes_per_write=2) / 1e12
        43800.0
    """
    member_limit_bytes, writes_per_write = _check.positive(
        member_limit_bytes=member_limit_bytes, writes_per_write=writes_per_write
    )
    (members,) = _check.count(members=members)
    return member_limit_bytes * members / writes_per_write


def budget_iops(
    read_iops: float,
    *,
    write_iops: float,
    members: float,
    read_fraction: float,
    reads_per_write: float,
    writes_per_write: float,
    reads_per_read: float = 1.0,
) -> float:
    r"""Host IOPS of an array by the members' time: the rate that saturates all of them.

    .. math:: X = \frac{n}{f\,c/X_r + (1 - f)(r/X_r + n_w/X_w)}

    Args:
        read_iops: Rate of one member when every operation is a read. [1/s]
        write_iops: Rate of one member when every operation is a write. [1/s]
        members: Drives in the array, n. [1]
        read_fraction: Share of host operations that are reads, f in [0, 1]. [1]
        reads_per_write: Member reads that a host write costs, r. [1]
        writes_per_write: Member writes that a host write costs, n_w. [1]
        reads_per_read: Member reads that a host read costs, c: one, or the columns of a record. [1]

    Returns:
        Host operations per second with every member busy. [1/s]

    Raises:
        DomainError: Unless the rates, writes_per_write and reads_per_read are > 0 and finite,
            members is a whole number >= 1, the share is in [0, 1] and reads_per_write >= 0.

    Notes:
        Valid as an upper bound, reached at deep queues with load spread evenly. Source: operational
        bound n / (service demand per operation); counts after [1]_.

    Examples:
        8 drives of 500K reads and 100K writes, 70/30, RAID 5:

        >>> round(budget_iops(500e3, write_iops=100e3, members=8, read_fraction=0.7,
        ...                   reads_per_write=2, writes_per_write=2))
        930233
    """
    read_iops, write_iops, writes_per_write = _check.finite(
        read_iops=read_iops, write_iops=write_iops, writes_per_write=writes_per_write
    )
    (members,) = _check.count(members=members)
    (read_fraction,) = _check.fraction(read_fraction=read_fraction)
    (reads_per_write,) = _check.non_negative(reads_per_write=reads_per_write)
    (reads_per_read,) = _check.finite(reads_per_read=reads_per_read)
    write_demand_s = reads_per_write / read_iops + writes_per_write / write_iops
    host_reads = read_fraction * reads_per_read
    return members / (host_reads / read_iops + (1 - read_fraction) * write_demand_s)


def member_read_fraction(
    read_fraction: float,
    *,
    reads_per_write: float,
    writes_per_write: float,
    reads_per_read: float = 1.0,
) -> float:
    r"""Share of the operations on the members that are reads.

    .. math:: f_m = \frac{f\,c + (1-f) r}{f\,c + (1-f)(r + n_w)}

    Args:
        read_fraction: Share of host operations that are reads, f in [0, 1]. [1]
        reads_per_write: Member reads that a host write costs, r. [1]
        writes_per_write: Member writes that a host write costs, n_w. [1]
        reads_per_read: Member reads that a host read costs, c: one, or the columns of a record. [1]

    Returns:
        Share of reads, in [0, 1]. [1]

    Raises:
        DomainError: Unless the share is in [0, 1], reads_per_write >= 0, and writes_per_write and
            reads_per_read are > 0 and finite.

    Notes:
        Valid for operations spread evenly over the members. Source: definition; counts after [1]_.

    Examples:
        RAID 5 reads the old data and parity before it writes both:

        >>> print(f"{member_read_fraction(0.7, reads_per_write=2, writes_per_write=2):.3f}")
        0.684
    """
    reads, writes = _member_operations(
        read_fraction, reads_per_write, writes_per_write, reads_per_read
    )
    return reads / (reads + writes)


def host_iops(
    member_iops: float,
    *,
    members: float,
    read_fraction: float,
    reads_per_write: float,
    writes_per_write: float,
    reads_per_read: float = 1.0,
) -> float:
    r"""Host IOPS of an array whose members each do so many operations of their own mix.

    .. math:: X = \frac{n X_m}{f\,c + (1-f)(r + n_w)}

    Args:
        member_iops: Operations of one member per second, of the mix of `member_read_fraction`.
            [1/s]
        members: Drives in the array, n. [1]
        read_fraction: Share of host operations that are reads, f in [0, 1]. [1]
        reads_per_write: Member reads that a host write costs, r. [1]
        writes_per_write: Member writes that a host write costs, n_w. [1]
        reads_per_read: Member reads that a host read costs, c: one, or the columns of a record. [1]

    Returns:
        Host operations per second. [1/s]

    Raises:
        DomainError: Unless member_iops, writes_per_write and reads_per_read are > 0 and finite,
            members is a whole number >= 1, the share is in [0, 1] and reads_per_write >= 0.

    Notes:
        Valid for operations spread evenly over the members. Source: forced flow law, host
        operations times operations per host operation are those of the members; counts after [1]_.

    Examples:
        8 drives of 217K operations each, 70/30, RAID 5:

        >>> round(host_iops(217e3, members=8, read_fraction=0.7, reads_per_write=2,
        ...                 writes_per_write=2))
        913684
    """
    (member_iops,) = _check.finite(member_iops=member_iops)
    (members,) = _check.count(members=members)
    reads, writes = _member_operations(
        read_fraction, reads_per_write, writes_per_write, reads_per_read
    )
    return members * member_iops / (reads + writes)


def _member_operations(
    read_fraction: float, reads_per_write: float, writes_per_write: float, reads_per_read: float
) -> tuple[float, float]:
    """Give reads and writes of members per host operation."""
    (read_fraction,) = _check.fraction(read_fraction=read_fraction)
    (reads_per_write,) = _check.non_negative(reads_per_write=reads_per_write)
    writes_per_write, reads_per_read = _check.finite(
        writes_per_write=writes_per_write, reads_per_read=reads_per_read
    )
    host_writes = 1 - read_fraction
    host_reads = read_fraction * reads_per_read
    return host_reads + host_writes * reads_per_write, host_writes * writes_per_write


def _layout(members: float, copies: float, parities: float) -> tuple[float, ...]:
    (members,) = _check.count(members=members)
    return (members, *_layout_of(members, members, copies, parities))


def _layout_of(
    width: ArrayLike, members: float, copies: float, parities: float
) -> tuple[float, float]:
    """Check copies and parities against the drives of a group."""
    (copies,) = _check.count(copies=copies)
    (parities,) = _check.whole(parities=parities)
    room = np.asarray(width) - parities >= copies
    _check.require(room, "members", ">= parities + copies", members)
    return copies, parities
