r"""Speed of pools of records at a constant queue depth: whole records on all their members.

Base units: operations per second and seconds; the laws are those of `models.array_speed`.

References:
    .. [1] OpenZFS, zpoolconcepts(7): random reads of a RAID-Z vdev are about those of one member.
"""

from typing import NamedTuple

import numpy as np

from models import _check
from models.array_speed import ArraySpeed, HostOperations, MemberTimes, array_speed


class RecordOperations(NamedTuple):
    """Operations of the host on a pool of records, as numbers or arrays [1].

    A record has `data_columns` on as many of the `group_members` of a vdev, `write_columns` with
    parity. Operations at random are of `random_records` whole records, those in sequence of
    `sequential_records`, less than one where several fill one; `sequential_fraction` are. A write
    of a part of a record reads it before if it `is_part`: 1 or 0.
    """

    group_members: float
    data_columns: float
    write_columns: float
    random_records: float
    sequential_records: float
    sequential_fraction: float
    is_part: float


def record_array_speed(
    queue_depth: float,
    *,
    members: float,
    read_fraction: float,
    times: MemberTimes,
    records: RecordOperations,
) -> ArraySpeed:
    r"""Speed of a pool at a constant queue depth.

    .. math:: X = \left(\frac{1 - s}{X_1} + \frac{s}{X_f}\right)^{-1}, \quad
              R = (1 - s) R_1 + s R_f, \quad U = (1 - s) U_1 + s U_f

    where 1 is `array_speed` of operations at random and f that of those in sequence. An operation
    of rho records waits for min(c ceil(rho), n) members, each of which is busy for rho c operations
    over as many.

    Args:
        queue_depth: Host operations kept outstanding at the pool, Q. [1]
        members: Drives of all vdevs, n. [1]
        read_fraction: Share of host operations that are reads, f in [0, 1]. [1]
        times: Times of one member for one column, in seconds. [1]
        records: Columns of a record, and records of an operation. [1]

    Returns:
        Host IOPS [1/s], mean read and write latency [s], busy share of a member. [1]

    Raises:
        DomainError: As `models.array_speed.array_speed`; also unless the records of an operation
            are > 0 and finite, the share is in [0, 1] and is_part is 0 or 1.

    Notes:
        Valid where `array_speed` is, for records that are not in memory and written one by one: a
        pool that collects writes for some seconds answers them sooner, and is as fast in the long
        run. Deep queues give `models.redundancy.budget_iops`. Source: `array_speed`.

    Examples:
        RAID-Z2 of eight drives, 50 us a column, records read whole at depth 64:

        >>> whole = RecordOperations(8, data_columns=6, write_columns=8, random_records=1,
        ...                          sequential_records=1, sequential_fraction=0, is_part=0)
        >>> speed = record_array_speed(64, members=8, read_fraction=1, records=whole,
        ...                            times=MemberTimes(50e-6, 50e-6))
        >>> print(f"{speed.iops:.0f}")
        26437
    """
    random, sequential = _check.finite(
        random_records=records.random_records, sequential_records=records.sequential_records
    )
    (share,) = _check.fraction(sequential_fraction=records.sequential_fraction)
    part = np.asarray(records.is_part)
    _check.require((part == 0) | (part == 1), "is_part", "0 or 1", records.is_part)
    before = _check.plain(np.where(part == 1, records.data_columns, 0.0))
    apart, in_turn = (
        array_speed(
            queue_depth,
            members=members,
            read_fraction=read_fraction,
            times=_busy(times, records, of),
            host_operations=_branches(records, of, reads),
        )
        for of, reads in ((random, before), (sequential, 0.0))
    )
    rest = 1 - np.asarray(share)
    iops = 1 / (rest / np.asarray(apart.iops) + share / np.asarray(in_turn.iops))
    others = (
        rest * np.asarray(one) + share * np.asarray(other)
        for one, other in zip(apart[1:], in_turn[1:], strict=True)
    )
    return ArraySpeed(*(_check.plain(value) for value in (iops, *others)))


def _branches(records: RecordOperations, of: float, reads_before: float) -> HostOperations:
    """Return the members that an operation of so many records waits for."""
    most, each = np.asarray(records.group_members), np.ceil(of)
    return HostOperations(
        stripe_members=records.group_members,
        reads_per_write=reads_before,
        writes_per_write=_check.plain(np.minimum(records.write_columns * each, most)),
        chunks_per_read=_check.plain(np.minimum(records.data_columns * each, most)),
    )


def _busy(times: MemberTimes, records: RecordOperations, of: float) -> MemberTimes:
    """Return the service time of each drive for its columns of the records."""
    branches = _branches(records, of, 0.0)
    reads = np.asarray(records.data_columns) * of / branches.chunks_per_read
    writes = np.asarray(records.write_columns) * of / branches.writes_per_write
    return times._replace(
        read_s=_check.plain(times.read_s * reads), write_s=_check.plain(times.write_s * writes)
    )
