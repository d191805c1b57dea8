"""Readers that wait for their last read before they send the next: rate and percentiles.

Base units: seconds, operations per second; quantiles are fractions. A closed reader meets a long
operation at most once, because it waits there: Q readers see fewer long waits than reads that
arrive at random at the same rate, which `models.latency_tail.read_latency_s` is for. So a
benchmark at a low queue depth leaves out most of what independent users would suffer.

References:
    .. [1] W. Feller, "An Introduction to Probability Theory and Its Applications", vol. 2, 2nd ed.,
       Wiley 1971, chapter XI (renewal theory: residual times and their means).
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.latency_tail._cases import by_case
from models.latency_tail._closed_law import keeps_up, settled, wait_quantiles
from models.latency_tail._law import levels_of
from models.latency_tail.operations import Operations, Streams, _streams

Floats = NDArray[np.float64]


def closed_read_iops(
    queue_depth: float,
    *,
    dies: float,
    die_read_s: float,
    background: Operations,
    host_s: float = 0.0,
) -> float:
    r"""Rate of Q readers in a closed loop: each waits for its last read before the next.

    .. math:: X = \frac{Q}{R}, \quad R = t_h + t_R + \frac{t_R}{2} \sum_{n=1}^{Q-1} P(N \ge n)
              + \frac{D}{X} \sum_i \lambda_i \sum_{k=1}^{Q} E[(d_i + (k-1) t_R - T_k)^+]

    A read that no operation blocks waits for N others, P(N >= n) the product over j up to n of
    (1 - b) (X t_R / D) (Q - j) / Q, where b is the share of reads that are blocked. Operation i
    of one die is met for the k-th time T_k after it began; Q readers come to the die one by one,
    each after an exponential time of mean g_i (D + c_i), with g_i = Q / X less the time blocked
    by the operation and c_i = E[min(R, d_i)^2] / (2 g_i^2) - 1.

    Args:
        queue_depth: Readers, Q, each with one read under way. [1]
        dies: Dies, D, each as likely as the other. [1]
        die_read_s: Time that a read holds its die: sense and transfer, t_R. [s]
        background (Operations, shape (..., K)): Rates lambda and durations d of what else each die
            does. [1]
        host_s: Time of a read outside its die: host, link, wait for the channel, t_h. [s]

    Returns:
        Reads per second; 0 without a steady state, where the dies would be busy for all of the time
            and the writes outrun the drive. [1/s]

    Raises:
        DomainError: Unless queue_depth and dies are whole numbers >= 1, queue_depth <= 2 dies,
            die_read_s is > 0 and finite, host_s >= 0 and finite; operations as in `read_latency_s`.

    Notes:
        Valid for Q <= D / 4, each reader's next die drawn at random, and operations of at most 5 D
        (t_R + t_h): there the rate is within 1.5 % of simulation. With more readers the waits of
        reads for each other come out short: with as many as dies the median was 7 % low in one
        simulated drive, with twice as many 18 % low, p99 1 and 20 %, p99.9 and beyond 1 %. Not for
        collections of whole blocks: behind them readers run in the moments when no die is blocked,
        and the rate comes out up to 70 % low. Readers in step, as on an idle drive whose reads all
        take the same time, wait for each other somewhat differently. Source: Little's law; residual
        times of renewals [1]_, with the first correction for their spread.

    Examples:
        >>> busy = Operations([600.0, 20.0], [740e-6, 4e-3])
        >>> iops = closed_read_iops(4, dies=16, die_read_s=60e-6, background=busy, host_s=5e-6)
        >>> round(iops)
        10940
    """
    numbers, die = _checked(queue_depth, dies, die_read_s, host_s, background)
    return _check.plain(by_case(_iops, np.zeros(()), numbers, die))


def closed_read_latency_s(
    quantile: ArrayLike,
    *,
    queue_depth: float,
    dies: float,
    die_read_s: float,
    background: Operations,
    host_s: float = 0.0,
) -> float:
    r"""Quantile of the latency of Q readers in a closed loop.

    .. math:: P(R > t_h + t_R + y) = \frac{D}{X} \sum_i \lambda_i \sum_{k=1}^{Q}
              P(T_k < d_i + (k-1) t_R - y) + P(U_1 + \dots + U_N > y / t_R)

    with the symbols of `closed_read_iops`, U uniform between 0 and 1; T_k counts from a first
    read that met the operation.

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        queue_depth: Readers, Q, each with one read under way. [1]
        dies: Dies, D, each as likely as the other. [1]
        die_read_s: Time that a read holds its die: sense and transfer, t_R. [s]
        background (Operations, shape (..., K)): Rates lambda and durations d of what else each die
            does. [1]
        host_s: Time of a read outside its die: host, link, wait for the channel, t_h. [s]

    Returns:
        Latency that the reader sees; infinite without a steady state. [s]

    Raises:
        DomainError: Unless quantile is in (0, 1 - 1e-9]; else as `closed_read_iops`.

    Notes:
        Valid where `closed_read_iops` is; for more readers take `read_latency_s` at the rate X / D.
        Against simulation within 6 % from p90 on, mostly 1 %, within 8 % at the median, unless the
        quantile lies on the step between two kinds of operation, where a little more of one moves
        it far. Operations that can be suspended block the die for the time of a suspension, begun
        by a read, and for their last moments. Source: as `closed_read_iops`.

    Examples:
        >>> busy = Operations([600.0, 20.0], [740e-6, 4e-3])
        >>> latency = closed_read_latency_s([0.5, 0.99], queue_depth=4, dies=16, die_read_s=60e-6,
        ...                                 background=busy, host_s=5e-6)
        >>> print((latency * 1e6).round())
        [  96. 3541.]
    """
    levels = levels_of(quantile)
    numbers, die = _checked(queue_depth, dies, die_read_s, host_s, background)
    return _check.plain(by_case(_latency_s, levels, numbers, die))


def _iops(levels: Floats, *case: Any) -> Floats:
    drive, state = settled(*case)
    return np.full_like(levels, state.iops if keeps_up(drive, state) else 0.0)


def _latency_s(levels: Floats, *case: Any) -> Floats:
    drive, state = settled(*case)
    if not keeps_up(drive, state):
        return np.full_like(levels, np.inf)
    return drive.host_s + drive.die_read_s + wait_quantiles(drive, state, levels)


def _checked(
    queue_depth: float, dies: float, die_read_s: float, host_s: float, background: Operations
) -> tuple[tuple[Floats, ...], Streams]:
    readers, dies = _check.count(queue_depth=queue_depth, dies=dies)
    most = 2 * np.asarray(dies)
    _check.require(np.asarray(readers) <= most, "queue_depth", "<= 2 * dies", readers)
    (die_read_s,) = _check.finite(die_read_s=die_read_s)
    (host_s,) = _check.non_negative(host_s=host_s)
    _check.require(np.isfinite(host_s), "host_s", "finite", host_s)
    numbers = tuple(np.asarray(number) for number in (readers, dies, die_read_s, host_s))
    return numbers, _streams("background", background)
