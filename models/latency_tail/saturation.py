r"""Reads beside writes that may be more than a drive takes: a probability, and a mixture of states.

Base units: seconds, operations per second; quantiles are fractions. The rate on a data sheet is no
wall: drives write some per cent more. What a drive takes at most is therefore known as a
distribution. Below it, reads wait as the other formulas say; above it, writes queue, and reads wait
for part of what the writes wait for: no fact says for how much of it.

References:
    .. [1] J. D. C. Little, "A Proof for the Queuing Formula: L = lambda W", Operations Research
       9(3), 1961.
    .. [2] G. Haas, B. Lee, P. Bonnet, V. Leis, "SSD-iq: Uncovering the Hidden Side of SSD
       Performance", PVLDB 18(11), 2025: five data-center drives with 448 writes outstanding;
       aggregates in `data/measured_reads.csv`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from models import _check
from models.latency_tail._law import levels_of
from models.latency_tail.suspended_reads import ReadLoad

Floats = NDArray[np.float64]

# Reads over what Q outstanding writes wait for, Q/X, at quantiles; measured from 0.09 to 0.91, 0.14
# to 1.20, 0.17 to 1.46 on the saturated drives of [2]. Held beyond the last.
LEVELS = (0.5, 0.99, 0.999)
TYPICAL_SHARES = (0.38, 0.6, 0.75)
HIGH_SHARES = (1.1, 1.3, 1.6)
MOST_LOAD = 0.98  # of the time that reads leave: a die with as much to do is hardly ever idle

_HALVINGS = 60
_NO_READS = ReadLoad()
_LATEST = 50.0  # logarithm of the reads per later read at which a law ends


class SaturatedReads(NamedTuple):
    """Percentile of reads while writes queue: low and high ends [s]."""

    low: float
    high: float


def write_limit_iops(
    quantile: ArrayLike,
    *,
    steady_write_iops: float,
    limit_ratio: float,
    limit_sd: float,
    read_load: ReadLoad = _NO_READS,
) -> float:
    r"""Quantile of the random writes per second that a drive takes at most, beside reads.

    .. math:: X_q = X m \left(1 - \frac{r t_R}{D}\right)^+ e^{\sigma \Phi^{-1}(q)}

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.5 for the typical limit. [1]
        steady_write_iops: Steady rate of the data sheet, or of the model, X. [1/s]
        limit_ratio: Median of the true limit over that rate, m. [1]
        limit_sd: Standard deviation of its logarithm, sigma. [1]
        read_load: Reads per second r, dies D and the time t_R for which a read holds its die. [1]

    Returns:
        Writes per second; 0 if reads take all of the time. [1/s]

    Raises:
        DomainError: Unless quantile is in (0, 1 - 1e-9], the rate, limit_ratio, limit_sd and
            die_read_s are > 0 and finite, read_iops >= 0 and finite and dies a whole number.

    Notes:
        Valid for a limit that is lognormal, and reads that go before writes. Source: quantile of
        the lognormal distribution.

    Examples:
        70,000 writes per second on the data sheet, typically 7 % more in truth:

        >>> limit = write_limit_iops([0.05, 0.5, 0.95], steady_write_iops=70e3, limit_ratio=1.07,
        ...                          limit_sd=0.08)
        >>> print(limit.round(-2))
        [65700. 74900. 85400.]
    """
    levels = levels_of(quantile)
    steady, ratio, sd = _check.finite(
        steady_write_iops=steady_write_iops, limit_ratio=limit_ratio, limit_sd=limit_sd
    )
    spread = np.exp(np.asarray(sd) * ndtri(levels))
    return _check.plain(np.asarray(steady) * ratio * _left(read_load) * spread)


def saturation_probability(offered_iops: float, *, limit_iops: float, limit_sd: float) -> float:
    r"""Probability that a drive cannot take the writes that are offered.

    .. math:: P(X_w < \lambda) = \Phi\left(\frac{1}{\sigma} \ln \frac{\lambda}{X_{0.5}}\right)

    Args:
        offered_iops: Random writes per second, lambda. [1/s]
        limit_iops: Median of what the drive takes at most, X_0.5: `write_limit_iops`. [1/s]
        limit_sd: Standard deviation of its logarithm, sigma. [1]

    Returns:
        Probability. [1]

    Raises:
        DomainError: Unless offered_iops and limit_iops are >= 0 and finite and limit_sd > 0 and
            finite.

    Notes:
        Valid for a limit that is lognormal. Source: distribution function of the lognormal
        distribution.

    Examples:
        70,000 writes per second on the data sheet, 74,900 typically in truth:

        >>> probability = saturation_probability([60e3, 70e3, 80e3, 90e3], limit_iops=74.9e3,
        ...                                      limit_sd=0.08)
        >>> print(probability.round(2))
        [0.   0.2  0.79 0.99]
    """
    offered, limit = _check.from_zero(offered_iops=offered_iops, limit_iops=limit_iops)
    (sd,) = _check.finite(limit_sd=limit_sd)
    offered, limit, sd = np.broadcast_arrays(offered, limit, sd)  # type: ignore[assignment]  # arrays
    with np.errstate(divide="ignore", invalid="ignore"):
        places = (np.log(offered) - np.log(limit)) / sd
    return _check.plain(np.where(np.equal(offered, 0), 0.0, ndtr(places)))


def carried_write_iops(
    offered_iops: float, *, steady_write_iops: float, read_load: ReadLoad = _NO_READS
) -> float:
    r"""Random writes per second that load the dies of a drive, of those that are offered.

    .. math:: \min\left(\lambda,\; 0.98 X \left(1 - \frac{r t_R}{D}\right)^+\right)

    Args:
        offered_iops: Random writes per second, lambda. [1/s]
        steady_write_iops: Steady rate of the data sheet, or of the model, X. [1/s]
        read_load: Reads per second r, dies D and the time t_R for which a read holds its die. [1]

    Returns:
        Writes per second. [1/s]

    Raises:
        DomainError: Unless offered_iops and read_iops are >= 0 and finite, steady_write_iops and
            die_read_s > 0 and finite and dies a whole number.

    Notes:
        Valid where reads go before writes, so that writes that outrun the dies fill the time that
        reads leave. The rest of 2 % keeps queues finite. Source: utilisation law.

    Examples:
        >>> carried_write_iops([2e4, 6e4], steady_write_iops=5e4)
        array([20000., 49000.])
    """
    (offered,) = _check.from_zero(offered_iops=offered_iops)
    (steady,) = _check.finite(steady_write_iops=steady_write_iops)
    return _check.plain(np.minimum(offered, MOST_LOAD * np.asarray(steady) * _left(read_load)))


def saturated_read_latency_s(
    quantile: ArrayLike, *, unsaturated_s: float, queue_depth: float, limit_iops: float
) -> float:
    r"""Typical quantile of read latency while the writes of a closed loop queue.

    .. math:: R_q = \max\left(R_q^0,\; s(q)\, \frac{Q}{X_w}\right), \quad
              s = 0.38,\; 0.6,\; 0.75 \text{ at p50, p99, p99.9}

    with s straight in ln(1/(1-q)), from 0 at q = 0 on, and held beyond p99.9.

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        unsaturated_s: The same quantile where writes do not queue, R_q^0, as
            `typical_read_latency_s`. [s]
        queue_depth: Operations that the host leaves outstanding, Q. [1]
        limit_iops: Writes per second that the drive takes at most, X_w. [1/s]

    Returns:
        Latency; infinite if unsaturated_s is, or if limit_iops is 0. [s]

    Raises:
        DomainError: Unless quantile is in (0, 1 - 1e-9], unsaturated_s and queue_depth are > 0 and
            limit_iops >= 0 and finite.

    Notes:
        Valid as a middle between firmwares: some let reads pass the writes, others do not, so that
        on five drives with 448 outstanding [2]_ p50 was 0.09 to 0.91 of Q/X_w, p99 0.14 to 1.20,
        p99.9 0.17 to 1.46; `saturated_read_range_s` holds them all. Few outstanding operations were
        not measured: there reads wait as below saturation. Source: Little's law [1]_; shares near
        the geometric means over the vendors of [2]_, 0.33, 0.61 and 0.74.

    Examples:
        32 outstanding at 75,000 writes per second, in microseconds:

        >>> latency = saturated_read_latency_s([0.5, 0.99, 0.999], queue_depth=32, limit_iops=75e3,
        ...                                    unsaturated_s=[110e-6, 470e-6, 690e-6])
        >>> print((latency * 1e6).round())
        [162. 470. 690.]
    """
    return _check.plain(
        _while_queued(quantile, TYPICAL_SHARES, unsaturated_s, queue_depth, limit_iops)
    )


def saturated_read_range_s(
    quantile: ArrayLike,
    *,
    unsaturated_s: float,
    read_band_ratio: float,
    queue_depth: float,
    limit_iops: float,
) -> SaturatedReads:
    r"""Low and high end of a quantile of read latency while the writes of a closed loop queue.

    .. math:: \left[\frac{R_q^0}{h},\; \max\left(h R_q^0,\; s(q)\, \frac{Q}{X_w}\right)\right],
              \quad s = 1.1,\; 1.3,\; 1.6 \text{ at p50, p99, p99.9}

    with s as in `saturated_read_latency_s`.

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        unsaturated_s: The same quantile at the steady rate if writes did not queue, R_q^0. [s]
        read_band_ratio: Factor within which it is known, h. [1]
        queue_depth: Operations that the host leaves outstanding, Q. [1]
        limit_iops: Writes per second that the drive takes at most, X_w. [1/s]

    Returns:
        Low and high end. [s]

    Raises:
        DomainError: As `saturated_read_latency_s`, and unless read_band_ratio is >= 1.

    Notes:
        Valid as the span of what was measured: every saturated load of the five drives of [2]_ lies
        inside. Source: [2]_.

    Examples:
        PM9A3 960 GB with 448 outstanding, where 4.4 ms was measured [2]_:

        >>> ends = saturated_read_range_s(0.99, unsaturated_s=430e-6, read_band_ratio=2.0,
        ...                               queue_depth=448, limit_iops=76.5e3)
        >>> print(f"{ends.low * 1e3:.2f} to {ends.high * 1e3:.1f} ms")
        0.21 to 7.6 ms
    """
    (error,) = _check.positive(read_band_ratio=read_band_ratio)
    _check.require(np.asarray(error) >= 1, "read_band_ratio", ">= 1", error)
    (below,) = _check.positive(unsaturated_s=unsaturated_s)
    most = _check.plain(np.asarray(below) * error)
    high = _while_queued(quantile, HIGH_SHARES, most, queue_depth, limit_iops)
    low = np.broadcast_to(np.asarray(below) / error, high.shape)
    return SaturatedReads(_check.plain(low), _check.plain(high))


def read_latency_through_limit_s(
    quantile: ArrayLike,
    *,
    unsaturated_s: ArrayLike,
    saturation_probability: float,
    queue_depth: float,
    limit_iops: float,
) -> float:
    r"""Quantiles of read latency where writes are saturated with some probability.

    .. math:: P(R > r) = P_s\, P(R_s > r) + (1 - P_s)\, P(R_0 > r)

    solved for r, with R_0 below saturation, straight in ln(1/(1-q)) between the quantiles given,
    and R_s of `saturated_read_latency_s`.

    Args:
        quantile (array of M): Required quantiles in rising order, each in (0, 1 - 1e-9]. [1]
        unsaturated_s (array of (..., M)): Latency below saturation at each of them, R_0. [s]
        saturation_probability: Probability that the writes are saturated, P_s. [1]
        queue_depth: Operations that the host leaves outstanding, Q. [1]
        limit_iops: Writes per second that the drive takes at most, X_w. [1/s]

    Returns:
        Latency at each quantile, between those of the two states; a case for each load along the
            axes before the last. [s]

    Raises:
        DomainError: Unless the quantiles rise, in (0, 1 - 1e-9], unsaturated_s is > 0, one for
            each, saturation_probability is in [0, 1], queue_depth > 0 and limit_iops >= 0 and
            finite.

    Notes:
        Valid for a read of any drive of the kind: p99.9 is of saturated drives as soon as more than
        one in a thousand is. A drive of [2]_ whose own limit lay above its load ran far below where
        the probability was 0.003 to 0.2, p99.9 a third to a seventh with two of the vendors. Within
        1.2 % of the mixture of the laws themselves with p50, p90, p99 and so on; equal to either
        state where the probability is 0 or 1. It rises with the load through the limit without a
        step. Source: law of total probability.

    Examples:
        A fifth of the drives printed alike is saturated at this load, 448 outstanding; in
        microseconds:

        >>> latency = read_latency_through_limit_s(
        ...     [0.5, 0.9, 0.99, 0.999], unsaturated_s=[110e-6, 270e-6, 470e-6, 690e-6],
        ...     saturation_probability=0.2, queue_depth=448, limit_iops=75e3)
        >>> print((latency * 1e6).round())
        [ 136. 2270. 3043. 3854.]
    """
    levels = np.atleast_1d(levels_of(quantile))
    (below,) = _check.positive(unsaturated_s=unsaturated_s)  # type: ignore[arg-type]  # any array
    (chance,) = _check.fraction(saturation_probability=saturation_probability)
    (depth,) = _check.positive(queue_depth=queue_depth)
    queue = _queue_s(depth, limit_iops)
    rises = levels.ndim == 1 and bool(np.all(np.diff(levels) > 0))
    _check.require(rises, "quantile", "in rising order", levels)
    known = np.atleast_1d(np.asarray(below))
    fits = known.shape[-1] == levels.size
    _check.require(fits, "unsaturated_s", "one for each quantile", below)
    cases = np.broadcast_shapes(known.shape[:-1], np.shape(chance), queue.shape)
    rows = np.broadcast_to(np.maximum.accumulate(known, axis=-1), (*cases, levels.size))
    chances, queues = (np.broadcast_to(each, cases) for each in (chance, queue))
    result = np.empty(rows.shape)
    for case in np.ndindex(cases):
        result[case] = _mixed_s(levels, rows[case], float(chances[case]), float(queues[case]))
    return _check.plain(result if np.ndim(quantile) else result[..., 0])


def _mixed_s(levels: Floats, below_s: Floats, chance: float, queue_s: float) -> Floats:
    """Quantiles of the mixture of one case, between those of the two states."""
    low, high = below_s, np.maximum(below_s, _shares(levels, TYPICAL_SHARES) * queue_s)
    if chance == 0:
        return low
    if chance == 1 or not np.all(np.isfinite(high)):
        return high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below, queued = _reached(middle, levels, below_s), _reached_share(middle / queue_s)
        late = (1 - chance) * np.exp(-below) + chance * np.exp(-np.minimum(below, queued))
        is_low = late > 1 - levels
        low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
    return high


def _reached(latency_s: Floats, levels: Floats, below_s: Floats) -> Floats:
    """ln(1/(1-q)) up to which reads below saturation take at most a latency."""
    places = -np.log1p(-levels)
    if levels.size > 1:
        slope = (below_s[-1] - below_s[-2]) / (places[-1] - places[-2])
        places = np.append(places, _LATEST)
        below_s = np.append(below_s, below_s[-1] + slope * (_LATEST - places[-2]))
    return np.asarray(np.interp(latency_s, below_s, places, left=0.0))


def _reached_share(shares: Floats) -> Floats:
    """ln(1/(1-q)) up to which saturated reads take at most a share of the writes' wait."""
    places = -np.log1p(-np.array(LEVELS))
    return np.asarray(np.interp(shares, (0.0, *TYPICAL_SHARES), (0.0, *places), right=np.inf))


def _shares(levels: Floats, shares: tuple[float, ...]) -> Floats:
    places = -np.log1p(-np.array(LEVELS))
    return np.asarray(np.interp(-np.log1p(-levels), (0.0, *places), (0.0, *shares)))


def _while_queued(
    quantile: ArrayLike,
    shares: tuple[float, ...],
    unsaturated_s: float,
    queue_depth: float,
    limit_iops: float,
) -> Floats:
    levels = levels_of(quantile)
    below, depth = _check.positive(unsaturated_s=unsaturated_s, queue_depth=queue_depth)
    return np.asarray(np.maximum(below, _shares(levels, shares) * _queue_s(depth, limit_iops)))


def _queue_s(depth: float, limit_iops: float) -> Floats:
    """Wait for as many writes as are outstanding; infinite where none is taken."""
    (limit,) = _check.from_zero(limit_iops=limit_iops)
    with np.errstate(divide="ignore"):
        return np.asarray(np.divide(depth, limit))


def _left(read_load: ReadLoad) -> Floats:
    """Share of the time of the dies that reads leave."""
    (rate,) = _check.from_zero(read_iops=read_load.read_iops)
    (dies,) = _check.count(dies=read_load.dies)
    (held,) = _check.finite(die_read_s=read_load.die_read_s)
    return np.asarray(np.maximum(0.0, 1 - np.asarray(rate) * held / dies))
