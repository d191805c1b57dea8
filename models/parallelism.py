r"""Dies at work: IOPS of a constant queue depth spread over dies at random.

Base units: operations per second and seconds. Each operation picks a die at random and waits
there first come, first served, so that some dies queue while others idle: at as many operations
as dies, fixed service times keep about 60 % of the dies busy. Mean latency is
`queueing.latency_s` of these IOPS, by Little's law.

References:
    .. [1] M. Reiser and S. S. Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing
       Networks", Journal of the ACM 27(2), 1980.
    .. [2] M. Reiser, "A Queueing Network Analysis of Computer Communication Networks with Window
       Flow Control", IEEE Transactions on Communications 27(8), 1979 (residual service).
    .. [3] L. Kleinrock, "Queueing Systems" 1, Wiley, 1975 (Pollaczek-Khinchine formula).
    .. [4] Microsoft, "NVME_CDW10_CREATE_IO_QUEUE union (nvme.h)": at most 64K entries in a queue.
    .. [5] P. J. Schweitzer, "Approximate Analysis of Multiclass Closed Networks of Queues",
       International Conference on Stochastic Control and Optimization, Amsterdam, 1979.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check

Floats = NDArray[np.float64]

MOST_DEPTH = 2.0**16
# A rate so close to a limit is at it; dies picked at random come to theirs in no finite queue.
_NEAR = np.array([0.95, 1 - 1e-12, 1 - 1e-12])
_ROUNDING = 1e-14  # a wait so small beside the latency is none: rare reads must not bear all of it
BINDINGS = ("queue depth", "dies", "link", "rates")  # what `Point.binding` numbers


class Point(NamedTuple):
    """Operating point of a drive at a queue depth: rates [1/s], mean latencies [s].

    `binding` is the place in `BINDINGS` of what holds the rate down. A latency of a side without
    operations is what one operation alone would take.
    """

    iops: float
    latency_s: float
    read_latency_s: float
    write_latency_s: float
    binding: float


def dies_iops(
    queue_depth: float, *, dies: float, operation_s: float, operation_scv: float = 0.0
) -> float:
    r"""IOPS of equal dies at a constant queue depth.

    .. math:: R_k = S\left[1 + \frac{k-1}{n} - \frac{1-c^2}{2} U_{k-1}\right], \quad
              U_k = \max\left(U_{k-1}, \min\left(1, \frac{k S}{n R_k}\right)\right), \quad
              X = \frac{n U_Q}{S}

    Args:
        queue_depth: Operations kept outstanding, Q. [1]
        dies: Dies, n. [1]
        operation_s: Mean time of an operation on its die, S. [s]
        operation_scv: Squared coefficient of variation of that time: 0 for fixed times, 1 for
            exponential ones; for a mix of operations see `operation_time_moments`. [1]

    Returns:
        Completed operations per second, at most Q/S and n/S. [1/s]

    Raises:
        DomainError: Unless queue_depth is a whole number from 1 to 65,536 [4]_, dies is a whole
            number, operation_s > 0 and finite, and operation_scv >= 0 and finite.

    Notes:
        Valid for operations that choose their die at random; round robin and striping do better.
        Against simulation with fixed times: at most 1.3 % high from 16 dies on, 2.5 % with 8 dies,
        5.1 % with 4, most where the depth is once to twice the dies. With variable times: exact for
        scv = 1; 2 to 3 % low at scv = dies/8, 25 % low at scv = 3 dies. Source: mean-value analysis
        [1]_ with the residual service of the operation found on the die [2]_.

    Examples:
        32 dies of 60 us at queue depth 32, where counting busy dies as balls in bins says 338K:

        >>> round(dies_iops(32, dies=32, operation_s=60e-6))
        318420
    """
    depth, dies, operation_s = _station(queue_depth, dies, operation_s)
    (scv,) = _check.non_negative(operation_scv=operation_scv)
    _check.require(np.asarray(scv) < np.inf, "operation_scv", ">= 0 and finite", scv)
    busy: Floats = np.zeros(np.broadcast_shapes(*map(np.shape, (depth, dies, scv))))
    for held in range(int(np.max(depth))):
        wait = 1 + held / dies - busy * (1 - scv) / 2
        share = np.minimum(1, (held + 1) / (dies * wait))
        busy = np.where(held < depth, np.maximum(busy, share), busy)
    return _check.plain(dies * busy / operation_s)


def many_dies_iops(
    queue_depth: float, *, dies: float, operation_s: float, operation_scv: float = 0.0
) -> float:
    r"""IOPS of very many dies at a constant queue depth, in closed form.

    .. math:: U = \frac{2a}{1 + a + \sqrt{(1+a)^2 - 2a(1 - c^2)}}, \quad a = Q/n, \quad
              X = \frac{n U}{S}

    Args:
        queue_depth: Operations kept outstanding, Q. [1]
        dies: Dies, n. [1]
        operation_s: Mean time of an operation on its die, S. [s]
        operation_scv: Squared coefficient of variation of that time: 0 for fixed times. [1]

    Returns:
        Completed operations per second. [1/s]

    Raises:
        DomainError: Unless queue_depth and operation_s are > 0 and finite, dies is a whole number
            and operation_scv >= 0 and finite.

    Notes:
        Valid for many dies; too low for few: against simulation with fixed times by up to 0.5 %
        with 128 dies, 3.4 % with 16, 13 % with 4. Source: Pollaczek-Khinchine formula for the mean
        number at a die [3]_, set equal to Q/n and solved for the utilisation; for c = 0 it is U =
        1 + a - sqrt(1 + a^2).

    Examples:
        >>> round(many_dies_iops(32, dies=32, operation_s=60e-6))
        312419
    """
    queue_depth, operation_s = _check.finite(queue_depth=queue_depth, operation_s=operation_s)
    (dies,) = _check.count(dies=dies)
    (scv,) = _check.non_negative(operation_scv=operation_scv)
    _check.require(np.asarray(scv) < np.inf, "operation_scv", ">= 0 and finite", scv)
    load = queue_depth / dies
    busy = 2 * load / (1 + load + np.sqrt((1 + load) ** 2 - 2 * load * (1 - scv)))
    return _check.plain(dies * busy / operation_s)


def exponential_dies_iops(queue_depth: float, *, dies: float, operation_s: float) -> float:
    r"""IOPS of equal dies with exponential service times.

    .. math:: X = \frac{n}{S} \, \frac{Q}{n + Q - 1}

    Args:
        queue_depth: Operations kept outstanding, Q. [1]
        dies: Dies, n. [1]
        operation_s: Mean time of an operation on its die, S. [s]

    Returns:
        Completed operations per second. [1/s]

    Raises:
        DomainError: Unless queue_depth is a whole number from 1 to 65,536, dies is a whole number
            and operation_s > 0 and finite.

    Notes:
        Valid, and exact, for exponential times; for the fixed times of flash up to 17 % low.
        Source: mean-value analysis of a balanced network [1]_.

    Examples:
        >>> round(exponential_dies_iops(32, dies=32, operation_s=60e-6))
        270899
    """
    depth, dies, operation_s = _station(queue_depth, dies, operation_s)
    return dies / operation_s * (depth / (dies + depth - 1))


def operation_time_moments(
    class_operation_s: ArrayLike, *, shares: ArrayLike
) -> tuple[float, float]:
    r"""Mean and squared coefficient of variation of the times of a mix of operations.

    .. math:: S = \sum_k f_k s_k, \quad c^2 = \frac{\sum_k f_k (s_k - S)^2}{S^2}

    Args:
        class_operation_s (array, shape (..., K)): Fixed time of an operation of class k on its die.
            [s]
        shares (array, shape (..., K)): Shares of operations by class; they are divided by their
            sum. [1]

    Returns:
        tuple of float or array, shape (...): S [s] and c^2. [1]

    Raises:
        DomainError: Unless every time is > 0 and finite and every share >= 0 with a positive sum.

    Notes:
        Valid for operations in random order. Source: definition of mean and variance.

    Examples:
        Nine reads of 60 us for each program of 700 us:

        >>> mean_s, scv = operation_time_moments([60e-6, 700e-6], shares=[0.9, 0.1])
        >>> print(f"{mean_s * 1e6:.0f} us, {scv:.2f}")
        124 us, 2.40
    """
    (times,) = _check.finite(class_operation_s=np.asarray(class_operation_s, float))  # type: ignore[arg-type]  # reduces the last axis
    (parts,) = _check.non_negative(shares=np.asarray(shares, float))  # type: ignore[arg-type]  # as above
    _check.require(np.less(parts, np.inf), "shares", ">= 0 and finite", parts)
    seconds, weights = np.broadcast_arrays(*_check.together(class_operation_s=times, shares=parts))
    total = np.sum(weights, axis=-1)
    _check.require(total > 0, "shares", "positive in sum", total)
    mean = np.sum(weights * seconds, axis=-1) / total
    spread = np.sum(weights * (seconds - mean[..., None]) ** 2, axis=-1) / total
    return _check.plain(mean), _check.plain(spread / mean**2)


def operating_point(
    queue_depth: float,
    *,
    read_fraction: float,
    dies: float,
    die_read_s: float,
    read_rest_s: float,
    write_accept_s: float,
    read_cap_iops: float = np.inf,
    write_cap_iops: float = np.inf,
    link_iops: float = np.inf,
) -> Point:
    r"""Rate and latencies of a drive at a constant queue depth of reads and buffered writes.

    .. math:: X = \min\left(\frac{2 Q}{R_0 + g + \sqrt{(R_0 - g)^2 + 2 g f t_r}},\,
              \frac{D}{f t_r},\, X_l,\, \left(\frac{f}{X_r} + \frac{1-f}{X_w}\right)^{-1}\right)
    .. math:: R_0 = f (t_h + t_r) + (1-f) t_w, \quad g = \max(Q - 1, 0) \frac{f t_r}{D}, \quad
              R_r = t_h + t_r \frac{1 - v/2}{1 - v}, \quad v = \frac{Q-1}{Q} \frac{f X t_r}{D}

    The first rate solves X = Q / (f R_r + (1-f) t_w). Mean latency is Q / X by Little's law. What
    the operations wait longer than counted is the wait of the writes for room in the buffer where
    the rates bind, of the reads where the dies do or nothing is written, and of both alike at the
    link.

    Args:
        queue_depth: Operations kept outstanding on average, Q; below 1 the drive is idle the rest
            of the time. [1]
        read_fraction: Share of operations that are reads, f. [1]
        dies: Dies, D. [1]
        die_read_s: Time for which a read occupies its die: sense and transfer, t_r. [s]
        read_rest_s: What a read alone takes beside that, t_h. [s]
        write_accept_s: Time until a write is in the buffer that has room, t_w; may be infinite
            where nothing is written. [s]
        read_cap_iops: Reads per second that the drive does at most, X_r. [1/s]
        write_cap_iops: Writes per second that it does at most, X_w: printed, or of `write_budget`.
            [1/s]
        link_iops: What the host link carries of both together, X_l. [1/s]

    Returns:
        IOPS [1/s], mean latency, that of reads and of writes [s], place of what binds. [1]

    Raises:
        DomainError: Unless queue_depth is in (0, 65,536], read_fraction in [0, 1], dies is a whole
            number, the times are > 0 and finite (read_rest_s >= 0, write_accept_s as above) and the
            caps > 0.

    Notes:
        Valid for reads that pick their die at random and writes that return once they are buffered.
        Against simulation of a closed loop, 2 to 64 dies, shares of reads 0.3, 0.7 and 1, depths 2
        to 128: 0.8 % off on average, 3.6 % at worst from 4 dies on, 7.0 % with 2 dies at depth 2.
        Source: Pollaczek-Khinchine formula for fixed times [3]_ with what a read meets scaled by
        (Q - 1)/Q, as in a closed loop an operation never waits for itself [5]_.

    Examples:
        32 dies of 60 us, reads of 71 us alone, writes of 44 us, printed 92K reads and 50K writes:

        >>> drive = {"dies": 32, "die_read_s": 60e-6, "read_rest_s": 11e-6, "write_accept_s": 44e-6,
        ...          "read_cap_iops": 92e3, "write_cap_iops": 50e3}
        >>> for depth in (1, 4, 32):
        ...     got = operating_point(depth, read_fraction=0.7, **drive)
        ...     bound = BINDINGS[int(got.binding)]
        ...     print(f"{got.iops:.0f} IOPS, {1e6 * got.latency_s:.0f} us, {bound}")
        15898 IOPS, 63 us, queue depth
        62237 IOPS, 64 us, queue depth
        73482 IOPS, 435 us, rates
    """
    drive = _drive(
        queue_depth, read_fraction, dies, die_read_s, read_rest_s, write_accept_s,
        read_cap_iops, write_cap_iops, link_iops,
    )  # fmt: skip
    iops, read_s, limits = _closed_loop(drive)
    latency_s, share = drive.depth / iops, drive.read_fraction
    is_free = iops < np.min(limits * _NEAR[:, *[None] * iops.ndim], axis=0)
    binds = np.where(is_free, 0.0, 1 + np.argmin(limits, axis=0))
    at_writes = (binds == BINDINGS.index("rates")) & (share < 1)
    at_both = (binds == BINDINGS.index("link")) & (share > 0) & (share < 1)
    written_s = np.where(share < 1, drive.write_accept_s, 0.0)
    more_s = latency_s - share * read_s - (1 - share) * written_s
    more_s = np.where(np.abs(more_s) > _ROUNDING * latency_s, more_s, 0.0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        reads = np.where(at_writes | (share == 0), 0.0, np.where(at_both, more_s, more_s / share))
        writes = np.where(
            at_both, more_s, np.where(at_writes | (share == 0), more_s / (1 - share), 0.0)
        )
    numbers = (iops, latency_s, read_s + reads, drive.write_accept_s + writes, binds)
    return Point(*map(_check.plain, numbers))


def drive_iops(
    queue_depth: float,
    *,
    read_fraction: float,
    dies: float,
    die_read_s: float,
    read_rest_s: float,
    write_accept_s: float = np.inf,
    read_cap_iops: float = np.inf,
    write_cap_iops: float = np.inf,
    link_iops: float = np.inf,
) -> float:
    r"""IOPS of a drive at a constant queue depth: those of `operating_point` alone.

    .. math:: X = \min\left(\frac{2 Q}{R_0 + g + \sqrt{(R_0 - g)^2 + 2 g f t_r}},\,
              \frac{D}{f t_r},\, X_l,\, \left(\frac{f}{X_r} + \frac{1-f}{X_w}\right)^{-1}\right)
    .. math:: R_0 = f (t_h + t_r) + (1-f) t_w, \quad g = \max(Q - 1, 0) \frac{f t_r}{D}

    Args:
        queue_depth: Operations kept outstanding on average, Q. [1]
        read_fraction: Share of operations that are reads, f. [1]
        dies: Dies, D. [1]
        die_read_s: Time for which a read occupies its die, t_r. [s]
        read_rest_s: What a read alone takes beside that. [s]
        write_accept_s: Time until a write is in the buffer that has room, t_w; may be infinite
            where nothing is written. [s]
        read_cap_iops: Reads per second that the drive does at most, X_r. [1/s]
        write_cap_iops: Writes per second that it does at most, X_w. [1/s]
        link_iops: What the host link carries of both together, X_l. [1/s]

    Returns:
        Completed operations per second. [1/s]

    Raises:
        DomainError: As `operating_point`.

    Notes:
        Valid where `operating_point` is. Source: `operating_point`.

    Examples:
        Reads one at a time, 60 us on the die and 11 us beside it:

        >>> round(drive_iops(1, read_fraction=1, dies=32, die_read_s=60e-6, read_rest_s=11e-6,
        ...                  read_cap_iops=92e3))
        14085
    """
    drive = _drive(
        queue_depth, read_fraction, dies, die_read_s, read_rest_s, write_accept_s,
        read_cap_iops, write_cap_iops, link_iops,
    )  # fmt: skip
    iops, _, _ = _closed_loop(drive)
    return _check.plain(iops)


class _Drive(NamedTuple):
    """The arguments of `operating_point`, all of the shape of the result."""

    depth: Floats
    read_fraction: Floats
    dies: Floats
    die_read_s: Floats
    read_rest_s: Floats
    write_accept_s: Floats
    read_cap_iops: Floats
    write_cap_iops: Floats
    link_iops: Floats


def _drive(queue_depth: float, read_fraction: float, dies: float, *rest: float) -> _Drive:
    die_read_s, read_rest_s, write_accept_s, read_cap, write_cap, link = rest
    (depth,) = _check.positive(queue_depth=queue_depth)
    inside = np.asarray(depth) <= MOST_DEPTH
    _check.require(inside, "queue_depth", f"> 0 and at most {MOST_DEPTH:.0f}", depth)
    (share,) = _check.fraction(read_fraction=read_fraction)
    (dies,) = _check.count(dies=dies)
    (die_read_s,) = _check.finite(die_read_s=die_read_s)
    (rest_s,) = _check.non_negative(read_rest_s=read_rest_s)
    _check.require(np.asarray(rest_s) < np.inf, "read_rest_s", ">= 0 and finite", rest_s)
    (write_s,) = _check.positive(write_accept_s=write_accept_s)
    no_writes = np.equal(share, 1)
    is_finite = np.isfinite(write_s) | no_writes
    _check.require(is_finite, "write_accept_s", "> 0, finite where there are writes", write_s)
    caps = _check.positive(read_cap_iops=read_cap, write_cap_iops=write_cap, link_iops=link)
    numbers = (depth, share, dies, die_read_s, rest_s, write_s, *caps)
    return _Drive(*np.broadcast_arrays(*map(np.asarray, numbers)))


def _closed_loop(drive: _Drive) -> tuple[Floats, Floats, Floats]:
    """Give IOPS, mean time of a read at that rate, and the three limits."""
    share, others = drive.read_fraction, np.maximum(drive.depth - 1, 0.0)
    writes_s = (1 - share) * np.where(share < 1, drive.write_accept_s, 0.0)
    die_s = share * drive.die_read_s
    alone_s, waited_s = share * drive.read_rest_s + die_s + writes_s, others * die_s / drive.dies
    apart_s = np.hypot(alone_s - waited_s, np.sqrt(2 * waited_s * die_s))
    with np.errstate(divide="ignore", over="ignore"):
        by_dies = drive.dies / die_s
        by_rates = 1 / (share / drive.read_cap_iops + (1 - share) / drive.write_cap_iops)
    limits = np.array(np.broadcast_arrays(by_dies, drive.link_iops, by_rates))
    iops = np.minimum(2 * drive.depth / (alone_s + waited_s + apart_s), np.min(limits, axis=0))
    busy = others / np.maximum(drive.depth, 1.0) * (iops / by_dies)
    read_s = drive.read_rest_s + drive.die_read_s * (1 - busy / 2) / (1 - busy)
    return np.asarray(iops), np.asarray(read_s), limits


def _station(queue_depth: float, dies: float, operation_s: float) -> tuple[float, float, float]:
    """Check what every closed queue over dies needs."""
    depth, dies = _check.count(queue_depth=queue_depth, dies=dies)
    inside = np.asarray(depth) <= MOST_DEPTH
    _check.require(inside, "queue_depth", f"a whole number from 1 to {MOST_DEPTH:.0f}", depth)
    (operation_s,) = _check.finite(operation_s=operation_s)
    return depth, dies, operation_s
