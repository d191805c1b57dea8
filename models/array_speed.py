r"""Speed of an array at a constant queue depth: operations that wait for several members.

Base units: operations per second and seconds. Every member serves its operations one at a time,
first come, first served; a host operation goes to members at random and is done when the last
of them is (fork and join). The operations of members caused by one host operation are three
numbers, so that formulas need no name of a RAID level:

===================== ============== =============== ================
layout                stripe_members reads_per_write writes_per_write
===================== ============== =============== ================
RAID 0                n              0               1
RAID 1, 10, c copies  c              0               c
RAID 5, 6, k + m      k + m          w + m or k - w  w + m
full stripes of k + m k + m          0               k + m
===================== ============== =============== ================

References:
    .. [1] M. Reiser, "A Queueing Network Analysis of Computer Communication Networks with Window
       Flow Control", IEEE Transactions on Communications 27(8), 1979 (residual service).
    .. [2] R. Nelson and A. N. Tantawi, "Approximate Analysis of Fork/Join Synchronization in
       Parallel Queues", IEEE Transactions on Computers 37(6), 1988 (harmonic growth of the join).
    .. [3] P. M. Chen et al., "RAID: High-Performance, Reliable Secondary Storage", ACM Computing
       Surveys 26(2), 1994, section 3 (operations per write).
"""

from collections.abc import Mapping
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check
from models._alike import alike
from models._fork_join import (
    Residual,
    Terms,
    growth_of,
    growth_of_one,
    residual_of,
    residual_s,
    terms_of,
)  # fmt: skip

Floats = NDArray[np.float64]

MOST_DEPTH = 2.0**16
WIDEST = 1024.0
MOST_MEMBERS = 1e12  # of more, the busy share is lost in rounding
_FEW_BRANCHES = 32  # of which the growth is summed one by one
_FEW_LOADS = 16  # that are faster one by one than at once


class MemberTimes(NamedTuple):
    """Times of one member, as numbers or arrays [s].

    `read_s` and `write_s` are the times for which an operation occupies it: one over its IOPS at a
    deep queue. The delays, latency at queue depth 1 less these times, do not occupy it.
    """

    read_s: float
    write_s: float
    read_delay_s: float = 0.0
    write_delay_s: float = 0.0


class HostOperations(NamedTuple):
    """Operations of members caused by one host operation, as numbers or arrays [1].

    They go to members of one group of `stripe_members`. A read waits for `chunks_per_read` reads; a
    write for `reads_per_write` reads, then for `writes_per_write` writes.
    """

    stripe_members: float
    reads_per_write: float
    writes_per_write: float
    chunks_per_read: float = 1.0


class FullStripes(NamedTuple):
    """Host operations that are chunks of full stripes, as numbers or arrays [1].

    `full_stripe_fraction` of the operations are; parity is shared by the chunks of a stripe over
    `code_members` drives, data and parity.
    """

    full_stripe_fraction: float
    code_members: float


class ArraySpeed(NamedTuple):
    """Host operations per second, their mean latencies and the busy share of a member."""

    iops: float
    read_latency_s: float
    write_latency_s: float
    utilisation: float


class _Demands(NamedTuple):
    """One host operation: its latencies on an idle array, its member time, and its branches.

    Along the first axis of `weights` and `branches`: reads of host reads, reads of host writes,
    writes of host writes.
    """

    read_s: Floats
    write_s: Floats
    bare_s: Floats
    member_s: Floats
    residual: Residual
    weights: Floats
    branches: Floats


def array_speed(
    queue_depth: float,
    *,
    members: float,
    read_fraction: float,
    times: MemberTimes,
    host_operations: HostOperations,
) -> ArraySpeed:
    r"""IOPS, mean latencies and utilisation of an array at a constant queue depth.

    .. math:: X_k = \min\left(\frac{k}{R_0 + T_k \sum_p f_p\, G_p},\, \frac{n}{D}\right), \quad
              T_k = U_{k-2} T_{k-1} + t, \quad U_k = X_k D / n, \quad
              G_p = \min\left(\sum_{i=1}^{j_p} \frac{1 - (1-U_{k-1})^i}{i},\;
              H_{k-1} \left(1 - (1-U_{k-1})^{j_p}\right)\right)

    R_0 is the latency of an idle array, D the member time of a host operation, T the mean wait
    of a branch that finds its member busy, t the residual time of the operation in service there.
    The sum is over what a host operation waits for, p: j_p is the number of branches to the power
    1 - rho, where rho is the share of a member's work that another member of its group gets with
    it; so many waits are independent, and at most k - 1 of them differ.

    Args:
        queue_depth: Host operations kept outstanding at the array, Q. [1]
        members: Drives in the array, n. [1]
        read_fraction: Share of host operations that are reads, f in [0, 1]. [1]
        times: Times of one member, in seconds. [1]
        host_operations: Members that reads and writes wait for. [1]

    Returns:
        Host IOPS [1/s], mean read and write latency [s], busy share of a member. [1]

    Raises:
        DomainError: Unless queue_depth is a whole number from 1 to 65,536, the times are > 0 and
            finite, the delays >= 0 and finite, the share in [0, 1], members at most 10^12 and a
            multiple of stripe_members, and the branches of an operation at most stripe_members,
            itself at most 1,024.

    Notes:
        Valid for fixed times, operations spread evenly and at random, and members that do not
        stall; exact at queue depth 1. Against simulation of 14 layouts, 208 cases of depths 1 to
        512, IOPS are off by 0.8 % in the mean and 9 % at most, latencies of half of them by 2.4 %
        and 14 %; IOPS up to 13 % where three drives reconstruct. Waits of single reads among full
        stripes come out up to 70 % too long, and IOPS up to 20 % too low if one time is a hundred
        times the other. Source: mean-value analysis with the residual service of the operation
        found in service [1]_, which is all of it at the member that the last operation has just
        left, and the mean of the largest of j exponential waits [2]_.

    Examples:
        RAID 5 of 8 drives, 50 us per read and per write, 70 % reads, at queue depth 1 and 64, where
        the members' time allows at most 84.2K:

        >>> drive, raid5 = MemberTimes(50e-6, 50e-6), HostOperations(8, 2, 2)
        >>> load = {"members": 8, "read_fraction": 0.7}
        >>> for depth in (1, 64):
        ...     speed = array_speed(depth, **load, times=drive, host_operations=raid5)
        ...     print(f"{speed.iops:.0f} IOPS, reads {speed.read_latency_s * 1e6:.0f} us")
        15385 IOPS, reads 50 us
        79602 IOPS, reads 518 us
    """
    (depth,) = _check.count(queue_depth=queue_depth)
    inside = np.asarray(depth) <= MOST_DEPTH
    _check.require(inside, "queue_depth", f"a whole number from 1 to {MOST_DEPTH:.0f}", depth)
    inputs = _checked(members, read_fraction, times, host_operations)
    shape = np.broadcast_shapes(np.shape(depth), *map(np.shape, inputs))
    depths, sizes, *rest = map(np.ravel, np.broadcast_arrays(depth, *inputs))
    demands = _demands(sizes, *rest)
    limit = sizes / demands.member_s
    iops, tail_s, growth = _climb(depths, limit, demands)
    found = (
        iops,
        demands.read_s + growth[0] * tail_s,
        demands.write_s + (growth[1] + growth[2]) * tail_s,
        iops / limit,
    )
    return ArraySpeed(*(_check.plain(np.reshape(value, shape)) for value in found))


def delay_s(latency_s: float, *, operation_s: float) -> float:
    r"""Part of the latency of an operation in which its member serves others.

    .. math:: d = \max(0,\, R_1 - S)

    Args:
        latency_s: Latency of one operation alone, at queue depth 1, R_1. [s]
        operation_s: Time for which it occupies the member: one over its IOPS at a deep queue, S.
            [s]

    Returns:
        Delay of `MemberTimes`; 0 where rounding makes the latency the shorter. [s]

    Raises:
        DomainError: Unless both are > 0 and finite.

    Notes:
        Valid for members that work on several operations at a time, as drives of many dies do.
        Source: definition.

    Examples:
        A drive of 92K IOPS in a deep queue, whose reads take 50 us at queue depth 1:

        >>> print(f"{delay_s(50e-6, operation_s=1 / 92e3) * 1e6:.1f} us")
        39.1 us
    """
    latency_s, operation_s = _check.finite(latency_s=latency_s, operation_s=operation_s)
    return _check.plain(np.maximum(0.0, latency_s - np.asarray(operation_s)))


def mixed_array_speed(
    queue_depth: float,
    *,
    members: float,
    read_fraction: float,
    times: MemberTimes,
    host_operations: HostOperations,
    full_stripes: FullStripes,
) -> ArraySpeed:
    r"""Speed of an array at a constant queue depth, where some writes fill whole stripes.

    .. math:: X = \left(\frac{1 - s}{X_1} + \frac{s}{X_f}\right)^{-1}, \quad
              R = (1 - s) R_1 + s R_f, \quad U = (1 - s) U_1 + s U_f

    where 1 is `array_speed` of single chunks and f that of chunks of full stripes, which need no
    reads: each is written c times, by operations w / (w - m) times as long, for its share of
    the m chunks of parity. c is the number of copies of an array without reads for writes, else
    1, and m what a single write writes beyond them.

    Args:
        queue_depth: Host operations kept outstanding at the array, Q. [1]
        members: Drives in the array, n. [1]
        read_fraction: Share of host operations that are reads, f in [0, 1]. [1]
        times: Times of one member, in seconds. [1]
        host_operations: Members that reads and writes of single chunks wait for. [1]
        full_stripes: Share of operations in full stripes, s, and drives of a stripe, w. [1]

    Returns:
        Host IOPS [1/s], mean read and write latency [s], busy share of a member. [1]

    Raises:
        DomainError: As `array_speed`; also unless full_stripe_fraction is in [0, 1] and
            code_members is a whole number greater than m.

    Notes:
        Valid where `array_speed` is, for phases of single chunks and of full stripes one after the
        other: IOPS are mixed by time, latencies and utilisation by operation. Deep queues give
        `models.redundancy.budget_iops`. Source: `array_speed`, total time of both phases.

    Examples:
        RAID 5 of 8 drives, 50 us per read and per write, writes alone; a quarter of full stripes:

        >>> drive, raid5 = MemberTimes(50e-6, 50e-6), HostOperations(8, 2, 2)
        >>> for share in (0, 0.25, 1):
        ...     speed = mixed_array_speed(64, members=8, read_fraction=0, times=drive,
        ...                               host_operations=raid5, full_stripes=FullStripes(share, 8))
        ...     print(f"{speed.iops:.0f}")
        37955
        46191
        132360
    """
    (share,) = _check.fraction(full_stripe_fraction=full_stripes.full_stripe_fraction)
    copies, longer = _in_full_stripes(host_operations, full_stripes.code_members)
    load = {"members": members, "read_fraction": read_fraction}
    single = array_speed(queue_depth, **load, times=times, host_operations=host_operations)
    whole = single
    if np.any(share):
        whole = array_speed(
            queue_depth,
            **load,
            times=times._replace(write_s=times.write_s * longer),
            host_operations=host_operations._replace(reads_per_write=0.0, writes_per_write=copies),
        )
    rest = 1 - np.asarray(share)
    mixed_iops = 1 / (rest / np.asarray(single.iops) + share / np.asarray(whole.iops))
    others = (
        rest * np.asarray(one) + share * np.asarray(other)
        for one, other in zip(single[1:], whole[1:], strict=True)
    )
    iops = np.where(np.equal(share, 0), single.iops, mixed_iops)
    return ArraySpeed(*(_check.plain(value) for value in (iops, *others)))


def _in_full_stripes(host_operations: HostOperations, code_members: float) -> tuple[float, float]:
    """Return the copies of a chunk of a full stripe, and its time with its share of parity."""
    (members,) = _check.count(code_members=code_members)
    writes = np.asarray(host_operations.writes_per_write)
    copies = np.where(np.equal(host_operations.reads_per_write, 0), writes, 1.0)
    parities = writes - copies
    _check.require(members > parities, "code_members", "more than its parity", members)
    return _check.plain(copies), _check.plain(members / (members - parities))


def _checked(
    members: float, read_fraction: float, times: MemberTimes, host_operations: HostOperations
) -> tuple[float, ...]:
    """Check the arguments; return them in order."""
    (members,) = _check.count(members=members)
    _check.require(np.asarray(members) <= MOST_MEMBERS, "members", f"<= {MOST_MEMBERS:g}", members)
    (read_fraction,) = _check.fraction(read_fraction=read_fraction)
    service = _check.finite(read_s=times.read_s, write_s=times.write_s)
    delays = _check.non_negative(read_delay_s=times.read_delay_s, write_delay_s=times.write_delay_s)
    for name, delay in zip(("read_delay_s", "write_delay_s"), delays, strict=True):
        _check.require(np.asarray(delay) < np.inf, name, ">= 0 and finite", delay)
    return (members, read_fraction, *service, *delays, *_branches(members, host_operations))


def _branches(members: float, host_operations: HostOperations) -> tuple[float, ...]:
    """Check the branches of host operations against the members of a stripe."""
    width, writes, chunks = _check.count(
        stripe_members=host_operations.stripe_members,
        writes_per_write=host_operations.writes_per_write,
        chunks_per_read=host_operations.chunks_per_read,
    )
    (reads,) = _check.non_negative(reads_per_write=host_operations.reads_per_write)
    _check.require(np.asarray(width) <= WIDEST, "stripe_members", f"<= {WIDEST:.0f}", width)
    whole_groups = np.asarray(members) % width == 0
    _check.require(whole_groups, "stripe_members", "a divisor of members", width)
    _check.require(np.asarray(reads) % 1 == 0, "reads_per_write", "a whole number", reads)
    counts = {"reads_per_write": reads, "writes_per_write": writes, "chunks_per_read": chunks}
    for name, number in counts.items():
        _check.require(np.asarray(number) <= width, name, "<= stripe_members", number)
    return width, reads, writes, chunks


def _demands(members: Floats, read_fraction: Floats, *rest: Floats) -> _Demands:
    read_s, write_s, read_delay_s, write_delay_s, width, reads, writes, chunks = rest
    host_writes, updates = 1 - read_fraction, reads > 0
    branches = np.array([chunks, reads, writes])
    weights = np.array([read_fraction, host_writes * updates, host_writes])
    seconds = np.array([read_s, read_s, write_s])
    visits = weights * branches
    member_s = np.sum(visits * seconds, axis=0)
    together = np.sum(visits * seconds * np.maximum(branches - 1, 0), axis=0)
    shared = together / (member_s * np.maximum(width - 1, 1))
    bare_read = read_s + read_delay_s
    bare_write = write_s + write_delay_s + updates * bare_read
    return _Demands(
        read_s=bare_read,
        write_s=bare_write,
        bare_s=read_fraction * bare_read + host_writes * bare_write,
        member_s=member_s,
        residual=residual_of(members, weights, branches, seconds, shared),
        weights=weights,
        branches=np.where(branches > 0, np.maximum(branches, 1) ** (1 - shared), 0.0),
    )


def _climb(depth: Floats, limit: Floats, demands: _Demands) -> tuple[Floats, Floats, Floats]:
    """Add host operations one by one; return IOPS, the wait if busy and its growth by joins.

    Where the members' time limits IOPS, the waits are what Little's law leaves for them. Elements
    that differ in their depth alone climb once; few climb in plain numbers, which is faster.
    """
    terms = terms_of(demands.branches)
    loads = (limit, demands.bare_s, *demands.weights, *demands.branches)
    same = [places for _, places in alike(*loads, *np.vstack(demands.residual))]
    if len(same) > _FEW_LOADS or len(terms.each) > _FEW_BRANCHES:
        return _climb_of_many(depth, limit, demands, terms)
    iops, tail_s, growth = np.empty(limit.shape), np.empty(limit.shape), np.empty((3, limit.size))
    for places in same:
        load = _load_of(demands, terms, places[0])
        steps = _climb_of_one(depth[places], float(limit[places[0]]), load)
        for place in places:
            iops[place], tail_s[place], growth[:, place] = steps[int(depth[place])]
    return iops, tail_s, growth


def _climb_of_many(
    depth: Floats, limit: Floats, demands: _Demands, terms: Terms
) -> tuple[Floats, Floats, Floats]:
    """Climb for all elements at once."""
    bare_s = demands.bare_s
    iops = np.minimum(1 / bare_s, limit)
    busy, wait_s, harmonic = iops / limit, np.zeros(limit.shape), 0.0
    last = iops.copy(), np.zeros(limit.shape), np.zeros(demands.branches.shape)
    depths = set(np.unique(depth))
    for others in range(1, int(np.max(depth))):
        harmonic += 1 / others
        growth = growth_of(1 - busy, terms, demands.branches, harmonic)
        spread = (demands.weights * growth).sum(0)
        tail_s = wait_s + residual_s(demands.residual, busy, others)
        open_iops = (others + 1) / (bare_s + spread * tail_s)
        iops = np.minimum(np.maximum(iops, open_iops), limit)
        tail_s = ((others + 1) / iops - bare_s) / spread
        wait_s, busy = busy * tail_s, iops / limit
        if others + 1 in depths:
            for reached, now in zip(last, (iops, tail_s, growth), strict=True):
                np.copyto(reached, now, where=depth == others + 1)
    return last


class _Load(NamedTuple):
    """One element of `_Demands` in plain numbers."""

    bare_s: float
    fresh_s: float  # of the residual time, what does not depend on the queue
    halves_s: list[tuple[float, float]]  # the rest, each with its excess
    kinds: list[tuple[list[float], float, float]]  # of branches: terms, their sum, the number
    waits: list[tuple[float, tuple[list[float], float, float]]]  # weight of each kind that occurs


def _load_of(demands: _Demands, terms: Terms, index: int) -> _Load:
    """Take one element out of arrays; kinds of as many branches grow alike."""
    weights, branches = demands.weights[:, index].tolist(), demands.branches[:, index].tolist()
    each = terms.each[:, :, index].T.tolist()
    kinds = list(zip(each, terms.total[:, index].tolist(), branches, strict=True))
    waits = [
        (sum(compress(weights, map(number.__eq__, branches))), kinds[branches.index(number)])
        for number in dict.fromkeys(compress(branches, weights))
    ]
    halves_s, excess, fresh_s = (part[..., index].tolist() for part in demands.residual)
    pairs = list(zip(halves_s, excess, strict=True))
    return _Load(
        bare_s=float(demands.bare_s[index]),
        fresh_s=fresh_s + sum(half_s for half_s, more in pairs if not more),
        halves_s=[(half_s, more) for half_s, more in pairs if half_s and more],
        kinds=kinds,
        waits=waits,
    )


def _climb_of_one(
    depths: Floats, limit: float, load: _Load
) -> Mapping[int, tuple[float, float, list[float]]]:
    """Climb for one load in plain numbers, and return where it is at each of some depths."""
    bare_s, fresh_s, halves_s, kinds, waits = load
    ends = set(depths.tolist())
    iops = min(1 / bare_s, limit)
    busy, wait_s, harmonic = iops / limit, 0.0, 0.0
    steps = {1: (iops, 0.0, [0.0] * len(kinds))}
    for others in range(1, int(max(ends))):
        harmonic += 1 / others
        idle, spread, left_s = 1 - busy, 0.0, fresh_s
        for weight, kind in waits:
            spread += weight * growth_of_one(idle, *kind, harmonic)
        for half_s, more in halves_s:
            left_s += half_s / (1 + busy * more / others)
        iops = min(max(iops, (others + 1) / (bare_s + spread * (wait_s + left_s))), limit)
        tail_s = ((others + 1) / iops - bare_s) / spread
        wait_s, busy = busy * tail_s, iops / limit
        if others + 1 in ends:
            growth = [growth_of_one(idle, *kind, harmonic) for kind in kinds]
            steps[others + 1] = iops, tail_s, growth
    return steps
