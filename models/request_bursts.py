r"""Bursts of requests: how deep the queue gets, and what two streams in one drive take.

A program asks for several blocks at once and waits; the mean queue depth of a trace hides how deep
the queue is when most of its requests wait. Latency follows by Little's law from the depth of the
moment and from the rate at that depth.

References:
    .. [1] A. L. Shimpi, "Samsung SSD 840 EVO Review", AnandTech 7173, 2013, "AnandTech Storage
       Bench 2011": mean depth 4.625, 59 % of the operations alone.
    .. [2] A. Malventano, "Samsung 850 EVO 4TB Review", PC Perspective, 2016, "Mixed Burst R/W":
       40 MB written every 2 s beside reads of 200 MB.
    .. [3] L. Kleinrock, "Queueing Systems, Volume II", Wiley 1976, 4.4 (processor sharing).
"""

import numpy as np

from models import _check


def depth_quantile(level: float, *, alone_fraction: float, mean_depth: float) -> float:
    r"""Queue depth that a share of the operations of a trace does not exceed.

    .. math:: P(Q > q) = (1 - f)\,\rho^{q - 1}, \quad
              \frac{1}{1 - \rho} = \frac{\bar Q - f}{1 - f} - 1

    Args:
        level: Share of the operations, l. [1]
        alone_fraction: Share of the operations that are outstanding alone, f. [1]
        mean_depth: Mean queue depth, Q. [1]

    Returns:
        The depth, 1 where so many are alone; not rounded to whole operations. [1]

    Raises:
        DomainError: Unless level is in [0, 1), alone_fraction in [0, 1] and mean_depth at least
            2 - alone_fraction, or 1 if all are alone.

    Notes:
        Valid where deeper queues occur with geometric probabilities, the distribution of highest
        entropy that keeps both numbers. Source: mean of that distribution solved for its ratio.

    Examples:
        A trace of mean depth 4.625, 59 % alone: one operation in a hundred waits in a queue of 32.

        >>> print(f"{depth_quantile(0.99, alone_fraction=0.59, mean_depth=4.625):.1f}")
        31.9
    """
    (level,) = _check.fraction(level=level)
    _check.require(np.asarray(level) < 1, "level", "in [0, 1)", level)
    (alone,) = _check.fraction(alone_fraction=alone_fraction)
    (mean,) = _check.finite(mean_depth=mean_depth)
    others = 1 - np.asarray(alone)
    least = np.where(others > 0, 1 + others, 1.0)
    _check.require(
        np.asarray(mean) >= least * (1 - 1e-12), "mean_depth", ">= 2 - alone_fraction", mean
    )
    shared = np.where(others > 0, others, 1.0)
    further = np.maximum((mean - np.asarray(alone)) / shared - 1, 1.0)  # 1 / (1 - ratio)
    ratio = np.maximum(1 - 1 / further, 1e-300)
    tail = np.maximum((1 - np.asarray(level)) / shared, 1e-300)
    depth = np.where(tail < 1, 1 + np.log(np.minimum(tail, 1)) / np.log(ratio), 1.0)
    return _check.plain(np.where(others > 0, np.maximum(depth, 1.0), 1.0))


def shared_burst_s(
    burst_s: float, *, other_burst_s: float, cycle_s: float, other_share: float = 0.5
) -> float:
    r"""Mean time of a burst beside another stream that comes in bursts of its own.

    .. math:: \bar t = t + \frac{1}{T}\left(\int_0^t \min(o, \kappa u)\,du
              + \int_0^o \min(v, \kappa t)\,dv\right), \quad
              \kappa = \frac{\varphi}{1 - \varphi}

    Args:
        burst_s: Time of the burst alone, t. [s]
        other_burst_s: Time of the other stream's burst alone, o. [s]
        cycle_s: Time between the starts of the other stream's bursts, T. [s]
        other_share: Share of the drive's time that the other stream gets while both are there,
            phi. [1]

    Returns:
        Mean time of the burst over all moments at which it may start. [s]

    Raises:
        DomainError: Unless all are > 0 and finite, other_burst_s < cycle_s and other_share is in
            (0, 1).

    Notes:
        Valid where the other stream has idle time left. Exact for bursts that meet one of the
        other stream's at most, t + o < T; longer ones meet as many as start meanwhile, but for the
        delay itself. Source: processor sharing [3]_ of two jobs, over all offsets.

    Examples:
        200 MB read in 0.37 s beside 40 MB written in 0.08 s every 2 s:

        >>> print(f"{shared_burst_s(0.37, other_burst_s=0.08, cycle_s=2):.3f}")
        0.385
    """
    burst, other, cycle = map(
        np.asarray, _check.finite(burst_s=burst_s, other_burst_s=other_burst_s, cycle_s=cycle_s)
    )
    _check.require(other < cycle, "other_burst_s", "< cycle_s", other)
    (share,) = _check.fraction(other_share=other_share)
    inside = (np.asarray(share) > 0) & (np.asarray(share) < 1)
    _check.require(inside, "other_share", "in (0, 1)", share)
    slowed = share / (1 - np.asarray(share))
    full = np.minimum(burst, other / slowed)
    seen = np.minimum(other, slowed * burst)
    starting = slowed * full**2 / 2 + other * (burst - full)
    running = seen**2 / 2 + slowed * burst * (other - seen)
    return _check.plain(burst + (starting + running) / cycle)
