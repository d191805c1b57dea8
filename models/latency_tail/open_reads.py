"""Latency of reads that arrive at random: percentiles behind programs, erases and other reads.

Base units: seconds, operations per second; quantiles are fractions (p99.9 is 0.999). Reads go
before everything that waits for the die, but not before what is in progress, unless that can be
suspended. A read then waits for three things that are independent of each other: the reads before
it as in a queue without anything else, the rest of the operation in progress, the channel.

References:
    .. [1] S. W. Fuhrmann, R. B. Cooper, "Stochastic Decompositions in the M/G/1 Queue with
       Generalized Vacations", Operations Research 33(5), 1985.
    .. [2] O. Kella, U. Yechiali, "Priorities in M/G/1 Queue with Server Vacations", Naval Research
       Logistics 35(1), 1988.
    .. [3] A. Cobham, "Priority Assignment in Waiting Line Problems", Operations Research 2(1),
       1954.
    .. [4] G. Wu, X. He, "Reducing SSD Read Latency via NAND Flash Program and Erase Suspension",
       FAST 2012.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.latency_tail._cases import by_case
from models.latency_tail._law import Stage, levels_of, quantiles, waiting_law
from models.latency_tail.operations import NOTHING, Operations, Streams, _streams
from models.latency_tail.transfers import _channel_wait

Floats = NDArray[np.float64]


class _Pauses(NamedTuple):
    """Shares of time in which a read would wait: uniformly up to a length, or for all of it."""

    uniform: Floats
    fixed: Floats
    lengths: Floats


def read_latency_s(
    quantile: ArrayLike,
    *,
    die_read_iops: float,
    die_read_s: float,
    background: Operations,
    transfers: Operations = NOTHING,
) -> float:
    r"""Quantile of the latency of reads that arrive at random, at one die.

    .. math:: R = W_{M/D/1} + V + C + t_R, \quad
              V \sim \begin{cases} 0 & 1 - u/(1-\rho) \\
              U(0, d_i) & \lambda_i d_i / (1-\rho) \end{cases}

    with rho the share of time for reads and u = sum of lambda_i d_i; C is the wait of M/G/1 for
    the channel. An operation that lets go of the die after t is U(0, t), or t with the weight
    of the time in which it would be suspended.

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        die_read_iops: Reads that arrive at one die per second. [1/s]
        die_read_s: Time that a read holds its die: sense and transfer, t_R. [s]
        background (Operations, shape (..., K)): Rates lambda and durations d of what else the die
            does. [1]
        transfers (Operations, shape (..., K)): Transfers of other dies on the channel; without them
            it is free. [1]

    Returns:
        Latency from arrival at the die; infinite if die or channel would be busy for all of the
            time, when the writes outrun the drive. [s]

    Raises:
        DomainError: Unless quantile is in (0, 1 - 1e-9], die_read_iops is >= 0 and finite,
            die_read_s > 0 and finite, rates >= 0, durations > 0, both finite, suspend_s >= 0 and
            resume_s >= 0.

    Notes:
        Valid for random arrivals and fixed durations; exact for one die without suspension and
        channel, whatever the pattern in which background work arrives; with suspension within 1 %.
        A channel is modelled as a queue of many dies, and the die as held during its mean wait,
        less the share rho^2 of it: dies that read without a break come into step and take turns on
        their channel. From p90 on within 5 %, at the median up to 6 % high where other dies keep
        the channel busy for 0.4 of the time, 14 % at 0.65. Since reads go first, their latency is
        finite up to saturation; beyond, there is no steady state. Times are from a lattice of 1/256
        of `die_read_s`, to 2e-4 relative; 10 ms per case. Source: [1]_ and [2]_ for the
        decomposition; [4]_ for suspension, whose weights follow from [1]_: while a suspension is
        under way, the next reads wait for what is left of it.

    Examples:
        3,000 reads, 600 programs, 20 erases per second on one die, in microseconds:

        >>> busy = Operations([600.0, 20.0], [740e-6, 4e-3])
        >>> latency = read_latency_s([0.5, 0.99], die_read_iops=3e3, die_read_s=60e-6,
        ...                          background=busy)
        >>> print((latency * 1e6).round())
        [ 250. 3657.]
    """
    levels = levels_of(quantile)
    rate, service, die, channel = _checked(die_read_iops, die_read_s, background, transfers)
    return _check.plain(by_case(_latency_s, levels, (rate, service), die, channel))


def mean_read_latency_s(
    die_read_iops: float,
    *,
    die_read_s: float,
    background: Operations,
    transfers: Operations = NOTHING,
) -> float:
    r"""Mean latency of reads that arrive at random, at one die.

    .. math:: E[R] = t_R + \frac{\lambda t_R^2 + \sum_i \lambda_i d_i^2}{2(1-\rho)}

    and the mean wait for the channel; the second term in the square with suspension as in
    `read_latency_s`.

    Args:
        die_read_iops: Reads that arrive at one die per second, lambda. [1/s]
        die_read_s: Time that a read holds its die: sense and transfer, t_R. [s]
        background (Operations, shape (..., K)): Rates and durations of what else the die does. [1]
        transfers (Operations, shape (..., K)): Transfers of other dies on the channel; without them
            it is free. [1]

    Returns:
        Mean latency; infinite as in `read_latency_s`. [s]

    Raises:
        DomainError: As `read_latency_s`.

    Notes:
        Valid where `read_latency_s` is; the mean of its distribution. Source: [3]_; the mean is a
        poor guide here: most reads wait for nothing, a few for an erase.

    Examples:
        >>> busy = Operations([600.0, 20.0], [740e-6, 4e-3])
        >>> mean = mean_read_latency_s(3e3, die_read_s=60e-6, background=busy)
        >>> print(f"{mean * 1e6:.0f} us")
        462 us
    """
    rate, service, die, channel = _checked(die_read_iops, die_read_s, background, transfers)
    wait, load = _channel_wait(channel)
    held = _held_s(rate, service, wait)
    pauses, background_load = _pauses(rate, die)
    left = 1 - rate * held
    slow = np.sum((pauses.uniform / 2 + pauses.fixed) * pauses.lengths, axis=-1)
    ends = (left > background_load) & (load < 1)
    waits = (rate * held**2 / 2 + slow) / np.where(ends, left, 1.0)
    return _check.plain(np.where(ends, service + wait + waits, np.inf))


def busy_fraction(
    die_read_iops: float,
    *,
    die_read_s: float,
    background: Operations,
    transfers: Operations = NOTHING,
) -> float:
    r"""Share of time for which a die is busy: reads, waits for the channel and all else.

    .. math:: \rho + u = \lambda \left(t_R + E[C] (1 - \lambda^2 t_R^2)\right)
              + \sum_i \lambda_i d_i

    Args:
        die_read_iops: Reads that arrive at one die per second, lambda. [1/s]
        die_read_s: Time that a read holds its die: sense and transfer, t_R. [s]
        background (Operations, shape (..., K)): Rates and durations of what else the die does;
            suspensions lengthen them. [1]
        transfers (Operations, shape (..., K)): Transfers of other dies on the channel; without them
            it is free. [1]

    Returns:
        Busy share, infinite if the channel is; from 1 on queues grow without end. [1]

    Raises:
        DomainError: As `read_latency_s`.

    Notes:
        Valid where `read_latency_s` is, which was checked up to 0.9. Source: utilisation law.

    Examples:
        >>> busy = Operations([600.0, 20.0], [740e-6, 4e-3])
        >>> round(busy_fraction(3e3, die_read_s=60e-6, background=busy), 3)
        0.704
    """
    rate, service, die, channel = _checked(die_read_iops, die_read_s, background, transfers)
    wait, channel_load = _channel_wait(channel)
    _, load = _pauses(rate, die)
    held = _held_s(rate, service, wait)
    return _check.plain(np.where(channel_load < 1, rate * held + load, np.inf))


def _checked(
    die_read_iops: float, die_read_s: float, background: Operations, transfers: Operations
) -> tuple[Floats, Floats, Streams, Streams]:
    (rate,) = _check.non_negative(die_read_iops=die_read_iops)
    _check.require(np.isfinite(rate), "die_read_iops", "finite", rate)
    (service,) = _check.finite(die_read_s=die_read_s)
    die, channel = _streams("background", background), _streams("transfers", transfers)
    return np.asarray(rate), np.asarray(service), die, channel


def _latency_s(
    levels: Floats, rate: float, service: float, die: Streams, channel: Streams
) -> Floats:
    wait, channel_load = _channel_wait(channel)
    held = float(_held_s(np.asarray(rate), np.asarray(service), wait))
    pauses, load = _pauses(np.asarray(rate), die)
    left = 1 - rate * held
    if left <= load or channel_load >= 1:
        return np.full_like(levels, np.inf)
    law = waiting_law(
        Stage(np.array([rate * held]), np.array([held])),
        Stage(channel.rates * channel.durations, channel.durations),
    )
    some = pauses.lengths > 0
    lengths, uniform = pauses.lengths[some], pauses.uniform[some] / left
    fixed = pauses.fixed / left
    none = 1 - uniform.sum() - fixed.sum()

    def tail(x: Floats) -> Floats:
        here, earlier = law.excess_over(x)[..., None], x[..., None] - lengths
        met = (law.excess_over(earlier) - here) @ (uniform / lengths)
        late = law.tail(x[..., None] - pauses.lengths) @ fixed
        return np.asarray(none * law.tail(x) + met + late)

    longest = law.times[-1] + np.max(pauses.lengths, initial=0.0)
    return service + quantiles(tail, levels, float(longest))


def _held_s(rate: Floats, service: Floats, wait: Floats) -> Floats:
    """Time for which a read holds its die, with what it waits there for the channel."""
    return np.asarray(service + wait * (1 - np.minimum(1.0, rate * service) ** 2))


def _pauses(rate: Floats, die: Streams) -> tuple[_Pauses, Floats]:
    """Return the operations that block reads on the die, and the share of time that they take.

    Before its last `suspend` seconds an operation is exposed: the first read that arrives waits
    for all of the suspension, those that follow meanwhile for the rest of it.
    """
    lengths = np.minimum(die.suspend, die.durations)
    reads = rate[..., None]
    pace = 1 + reads * (lengths - die.resume)
    early = die.durations - lengths
    stuck = (pace <= 0) & (early > 0) & (die.rates > 0)
    exposed = np.where(pace > 0, early / np.where(pace > 0, pace, 1.0), 0.0)
    fixed = die.rates * exposed
    uniform = (die.rates + reads * fixed) * lengths
    load = np.where(np.any(stuck, axis=-1), np.inf, np.sum(uniform + fixed, axis=-1))
    return _Pauses(uniform, fixed, lengths), load
