r"""Reads at one die whose programs and erases let them go first at the end of a slice.

Base units: seconds, operations per second; quantiles are fractions. A slice goes on when a read
arrives, and the operation has come so far when it ends, so that a read waits for the rest of a
slice and the operation loses only the time to resume. It uses the law of `open_reads`: what is in
progress becomes slices of fixed lengths.

References:
    .. [1] S. W. Fuhrmann, R. B. Cooper, "Stochastic Decompositions in the M/G/1 Queue with
       Generalized Vacations", Operations Research 33(5), 1985.
    .. [2] G. Wu, X. He, "Reducing SSD Read Latency via NAND Flash Program and Erase Suspension",
       FAST 2012.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.latency_tail._slices import exponential_slices, fixed_slices
from models.latency_tail.open_reads import read_latency_s
from models.latency_tail.operations import Operations, _streams

Floats = NDArray[np.float64]
Part = tuple[float, float]  # operations per second, and for how long they hold the die

_PARTS = 32  # equally likely times of the last suspension that is allowed
_NODES = 200  # times at which a tail is followed exactly


class Slicing(NamedTuple):
    """Suspension points of operations, one number for each kind of operation or one for all.

    `slice_s` is the length of slices, infinite for operations that go on to their end, its mean
    if `varies`: lengths are then exponential. `lead_s` cannot be suspended before the first slice,
    as the transfer before a program; `resume_s` before the slice after a suspension. An operation
    is suspended `max_suspensions` times at most.
    """

    slice_s: ArrayLike
    varies: ArrayLike = False
    lead_s: ArrayLike = 0.0
    resume_s: ArrayLike = 0.0
    max_suspensions: float = np.inf


class _Kind(NamedTuple):
    """One kind of operation: rate, duration, slices."""

    rate: float
    duration: float
    length: float
    varies: bool
    lead: float
    resume: float


def sliced_operations(
    operations: Operations, *, slicing: Slicing, die_read_iops: float
) -> Operations:
    r"""Operations that keep reads waiting as sliced ones do.

    .. math:: P(V > v) = \sum_i u_i \left(1 - \frac{v}{d_i}\right)^+ \quad\text{for}\quad
              P(V > v) = u\,e^{-v/\tau} \left(1 - \frac{v}{d}\right)^+

    Args:
        operations (Operations, shape (K,)): Rates and durations of what else the die does,
            durations without `lead_s`. [1]
        slicing: Slices, what goes before them, and how often an operation is suspended at most. [1]
        die_read_iops (float): Reads that arrive at the die per second. [1/s]

    Returns:
        Operations, shape (N,): Rates and lengths of operations that cannot be suspended, for
            `read_latency_s`. [1]

    Raises:
        DomainError: Unless die_read_iops is a single number >= 0 and finite, rates are >= 0 and
            durations and slices > 0, all but slices finite, lead_s and resume_s >= 0 and finite,
            and max_suspensions >= 0.

    Notes:
        Valid for reads at random. Exact without a limit of suspensions and time to resume, but for
        exponential slices, whose tail is followed at 200 times. The last suspension that is allowed
        is assumed to come after so many intervals of reads and rests of slices. Source: a tail that
        is convex is that of a mixture of fixed slices; [1]_ for the rest of what is in progress.

    Examples:
        200 programs per second of 1.2 ms in slices of 0.5 ms: two slices each, and a shorter one:

        >>> parts = sliced_operations(Operations([200.0], [1.2e-3]), slicing=Slicing(5e-4),
        ...                           die_read_iops=300.0)
        >>> print(parts.rates_per_s, parts.durations_s)
        [400. 200.] [0.0005 0.0002]
    """
    (rate,) = _check.from_zero(die_read_iops=die_read_iops)
    _check.require(np.ndim(rate) == 0, "die_read_iops", "a single number", rate)
    given = _streams("operations", operations)
    (slice_s,) = _check.positive(slice_s=slicing.slice_s)  # type: ignore[arg-type]  # any array
    lead_s, resume_s = _check.from_zero(
        lead_s=slicing.lead_s,  # type: ignore[arg-type]  # any array
        resume_s=slicing.resume_s,  # type: ignore[arg-type]  # any array
    )
    (most,) = _check.non_negative(max_suspensions=slicing.max_suspensions)
    fields = (given.rates, given.durations, slice_s, slicing.varies, lead_s, resume_s)
    kinds = zip(*(np.ravel(field).tolist() for field in np.broadcast_arrays(*fields)), strict=True)
    parts = [part for kind in kinds for part in _parts(_Kind(*kind), rate, most) if part[0] > 0]
    rates, lengths = zip(*parts, strict=True) if parts else ((), ())
    return Operations(np.array(rates), np.array(lengths))


def sliced_read_latency_s(
    quantile: ArrayLike,
    *,
    die_read_iops: float,
    die_read_s: float,
    operations: Operations,
    slicing: Slicing,
) -> float:
    r"""Quantile of the latency of reads at random behind slices of operations.

    .. math:: R = W_{M/D/1} + V + t_R, \quad
              P(V > v) = \frac{1}{1 - \rho} \sum_i u_i \left(1 - \frac{v}{d_i}\right)^+

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        die_read_iops (float): Reads that arrive at the die per second. [1/s]
        die_read_s (float): Time that a read holds its die, t_R. [s]
        operations (Operations, shape (K,)): Rates and durations of what else the die does,
            durations without `lead_s`. [1]
        slicing: Slices, what goes before them, and how often an operation is suspended at most. [1]

    Returns:
        Latency from arrival at the die; infinite if it would be busy for all of the time. [s]

    Raises:
        DomainError: As `sliced_operations` and `read_latency_s`.

    Notes:
        Valid as `read_latency_s` without a channel and `sliced_operations`. Source: [1]_, [2]_.

    Examples:
        Slices of 85 us on average in programs of 1.2 ms, in microseconds:

        >>> latency = sliced_read_latency_s([0.5, 0.999], die_read_iops=300.0, die_read_s=60e-6,
        ...                                 operations=Operations([400.0], [1.2e-3]),
        ...                                 slicing=Slicing(85e-6, varies=True))
        >>> print((latency * 1e6).round())
        [ 60. 543.]
    """
    return read_latency_s(
        quantile,
        die_read_iops=die_read_iops,
        die_read_s=die_read_s,
        background=sliced_operations(operations, slicing=slicing, die_read_iops=die_read_iops),
    )


def _parts(kind: _Kind, reads: float, most: float) -> list[Part]:
    """Return the parts into which suspension divides one kind of operation."""
    if not np.isfinite(kind.length) or (kind.length >= kind.duration and not kind.varies):
        return [(kind.rate, kind.lead + kind.duration)]
    until, paused = _suspendable_s(kind, reads, most)
    open_share = float(np.mean(until < kind.duration))
    locked = [(kind.rate / until.size, kind.duration - t) for t in until if t < kind.duration]
    starts = [(1.0, kind.lead), (paused, kind.resume)]  # for each operation: how often, how long
    slices = _varying if kind.varies else _fixed
    return locked + slices(kind, float(np.mean(until)), open_share, starts)


def _suspendable_s(kind: _Kind, reads: float, most: float) -> tuple[Floats, float]:
    """Return the suspendable time of an operation, in equal parts, and its mean suspensions."""
    from scipy.special import gammaincinv  # noqa: PLC0415 - slow to import

    whole = np.array([kind.duration])
    if reads == 0:
        return whole, 0.0
    rest = kind.length if kind.varies else kind.length / 2
    interval_s = 1 / reads + rest
    if most == np.inf:
        return whole, kind.duration / interval_s
    if most == 0:
        return np.array([0.0]), 0.0
    middles = (np.arange(_PARTS) + 0.5) / _PARTS
    until = np.minimum(kind.duration, gammaincinv(most, middles) / reads + most * rest)
    return until, float(np.mean(until)) / interval_s


def _fixed(kind: _Kind, until: float, locked: float, starts: list[Part]) -> list[Part]:
    """Return fixed slices; that after each start goes with it."""
    whole = np.floor(kind.duration / kind.length * (1 + 1e-9))
    rest = kind.duration - whole * kind.length
    last = (1 - locked) * (rest > 1e-9 * kind.duration)
    slices = (until - last * rest) / kind.length
    begun = [(times, lead) for times, lead in starts if lead > 0]
    free = max(0.0, slices - sum(times for times, _ in begun))
    parts = [(kind.rate * times, lead + kind.length) for times, lead in begun]
    return [*parts, (kind.rate * free, kind.length), (kind.rate * last, max(rest, 1e-300))]


def _varying(kind: _Kind, until: float, locked: float, starts: list[Part]) -> list[Part]:
    """Return fixed slices in place of exponential ones; that after each start goes with it."""
    tau = kind.length
    lengths, weights = exponential_slices()
    begun = [(times, lead) for times, lead in starts if lead > 0]
    free = max(0.0, until - tau * sum(times for times, _ in begun))
    to_its_end = free * (1 - locked)
    times = np.linspace(0, min(kind.duration, tau * lengths[-1]), _NODES + 1)
    tail = np.exp(-times / tau) * (1 - times / kind.duration)
    tail -= tail[-1]
    parts = _mixture(kind.rate * to_its_end, times[1:], fixed_slices(times[1:], tail))
    parts += _mixture(kind.rate * (free - to_its_end), tau * lengths, weights)
    for often, lead in begun:
        nodes = np.append(lead, lead + tau * lengths)
        after = np.append([lead + tau, tau], tau * np.exp(-lengths)) - tau * np.exp(-lengths[-1])
        parts += _mixture(kind.rate * often, nodes, fixed_slices(nodes, after))
    return parts


def _mixture(time_share: float, lengths: Floats, weights: Floats) -> list[Part]:
    """Return operations of these lengths that share the time by weight."""
    rates = time_share * weights / lengths
    return list(zip(rates.tolist(), lengths.tolist(), strict=True))
