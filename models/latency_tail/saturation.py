r"""Reads beside writes that may be more than a drive takes: a probability, and two states.

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

from models import _check
from models.latency_tail._law import levels_of
from models.latency_tail.loaded_reads import FlashGeometry, WriteLoad, _busy_share
from models.latency_tail.operations import FlashTimings
from models.latency_tail.suspended_reads import ReadLoad

Floats = NDArray[np.float64]

# Reads over what Q outstanding writes wait for, Q/X, at quantiles; measured from 0.09 to 0.91, 0.14
# to 1.20, 0.17 to 1.46 on the saturated drives of [2]. Held beyond the last.
LEVELS = (0.5, 0.99, 0.999)
TYPICAL_SHARES = (0.38, 0.6, 0.75)
HIGH_SHARES = (1.1, 1.3, 1.6)
ENDS_SD = 1.6449  # standard deviations of a normal distribution to its 95 % point
MOST_LOAD = 0.98  # of the time that reads leave: a die with as much to do is hardly ever idle

_NO_READS = ReadLoad()
_HALVINGS = 50


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
    from scipy.special import ndtri  # noqa: PLC0415 - slow to import

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
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

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


def borne_write_iops(
    offered_iops: float,
    *,
    read_iops: float,
    flash: FlashTimings,
    geometry: FlashGeometry,
    wa: float,
) -> float:
    r"""Random writes per second at which dies and channels of a model still keep up.

    .. math:: \max \{w \le \lambda : \rho(r, w) + u(w) \le 0.98\}

    with the share of time for which a die is busy, `busy_fraction`, waits for channels included.

    Args:
        offered_iops: Random writes per second, lambda. [1/s]
        read_iops: Reads that arrive at the drive per second, r. [1/s]
        flash: Times of one die, and its geometry in pages. [1]
        geometry: Dies and channels. [1]
        wa: Write amplification; >= 1. [1]

    Returns:
        Writes per second; 0 where reads alone fill the time. [1/s]

    Raises:
        DomainError: As `loaded_read_latency_s`.

    Notes:
        Valid where reads go before writes. A drive whose steady rate is known writes more than this
        in the model where transfers wait for each other: its reads then wait as on dies that are
        hardly ever idle. Source: utilisation law.

    Examples:
        >>> flash = FlashTimings(read_s=50e-6, program_s=700e-6, erase_s=4e-3, transfer_s=10e-6,
        ...                      pages_per_read=4, pages_per_program=4, pages_per_block=1024)
        >>> writes = borne_write_iops([5e3, 9e4], read_iops=2e4, flash=flash,
        ...                           geometry=FlashGeometry(16, 8), wa=2.0)
        >>> print(writes.round())
        [ 5000. 35043.]
    """
    (offered,) = _check.from_zero(offered_iops=offered_iops)

    def is_borne(writes: ArrayLike) -> NDArray[np.bool_]:
        load = WriteLoad(_check.plain(writes), wa)
        return np.asarray(_busy_share(read_iops, flash, geometry, load)) <= MOST_LOAD

    fits = is_borne(offered)
    most = np.broadcast_to(np.asarray(offered), fits.shape)
    if np.all(fits):
        return _check.plain(most)
    low, high = np.zeros(fits.shape), np.array(most)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_less = is_borne(middle)
        low, high = np.where(is_less, middle, low), np.where(is_less, high, middle)
    return _check.plain(np.where(fits, most, low))


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
    limit_sd: float = 0.0,
) -> SaturatedReads:
    r"""Low and high end of a quantile of read latency while the writes of a closed loop queue.

    .. math:: \left[\frac{R_q^0}{h},\; \max\left(h R_q^0,\; s e^u \frac{Q}{X_w}\right)\right],
              \quad u = \sqrt{\ln^2(s'/s) + (1.645 \sigma)^2}, \quad
              s' = 1.1,\; 1.3,\; 1.6 \text{ at p50, p99, p99.9}

    with s of `saturated_read_latency_s`, and s' straight between percentiles in the same way.

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        unsaturated_s: The same quantile at the steady rate if writes did not queue, R_q^0. [s]
        read_band_ratio: Factor within which it is known, h. [1]
        queue_depth: Operations that the host leaves outstanding, Q. [1]
        limit_iops: Writes per second that the drive takes at most, typically, X_w. [1/s]
        limit_sd: Standard deviation of its logarithm, sigma; 0 where it is known. [1]

    Returns:
        Low and high end. [s]

    Raises:
        DomainError: As `saturated_read_latency_s`, and unless read_band_ratio is >= 1 and limit_sd
            >= 0 and finite.

    Notes:
        Valid as the span of what was measured: every saturated load of the five drives of [2]_ lies
        inside. The firmware's policy and the limit are independent: both at their ends would be
        rarer than 5 %. Source: [2]_.

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
    (sd,) = _check.from_zero(limit_sd=limit_sd)
    levels = levels_of(quantile)
    share = np.log(_shares(levels, HIGH_SHARES) / _shares(levels, TYPICAL_SHARES))
    slower = np.exp(np.hypot(share, ENDS_SD * np.asarray(sd)) - share)
    high = _while_queued(
        quantile, HIGH_SHARES, most, queue_depth, _check.plain(limit_iops / slower)
    )
    low = np.broadcast_to(np.asarray(below) / error, high.shape)
    return SaturatedReads(_check.plain(low), _check.plain(high))


def read_latency_through_limit_s(
    quantile: ArrayLike,
    *,
    unsaturated_s: float,
    saturation_probability: float,
    queue_depth: float,
    limit_iops: float,
) -> float:
    r"""Typical quantile of read latency where writes are saturated with some probability.

    .. math:: R_q = (R_q^0)^{1-w} (R_q^s)^w, \quad w = \frac{P_s^2}{P_s^2 + (1 - P_s)^2}

    with R_s of `saturated_read_latency_s`.

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        unsaturated_s: The same quantile where writes do not queue, R_q^0. [s]
        saturation_probability: Probability that the writes are saturated, P_s. [1]
        queue_depth: Operations that the host leaves outstanding, Q. [1]
        limit_iops: Writes per second that the drive takes at most, X_w. [1/s]

    Returns:
        Latency, between those of the two states. [s]

    Raises:
        DomainError: Unless quantile is in (0, 1 - 1e-9], unsaturated_s and queue_depth are > 0,
            saturation_probability is in [0, 1] and limit_iops >= 0 and finite.

    Notes:
        Valid as a middle between the two states, of which a drive is in one: its limit is an
        unknown number, not a mixture in time. Where both are likely the middle belongs to neither,
        and the range has to hold both. At 81 loads of [2]_, each vendor left out of constants and
        limit, the root mean square of the logarithm of measured over computed is 0.67, 0.58, 0.60
        at p50, p99, p99.9. A mixture in time has 0.65, 0.79, 0.84: one saturated drive in a hundred
        makes its p99.9, four to nine times too high at loads that three of the drives carried. The
        likelier state alone has 0.73, 0.61, 0.62, and a step; w = P_s 0.67, 0.59, 0.61; powers of 3
        and 4 for 2 the same within 0.02. Source: weight chosen by these.

    Examples:
        A fifth of the drives printed alike is saturated at this load, 448 outstanding; in
        microseconds:

        >>> latency = read_latency_through_limit_s(
        ...     [0.5, 0.9, 0.99, 0.999], unsaturated_s=[110e-6, 270e-6, 470e-6, 690e-6],
        ...     saturation_probability=0.2, queue_depth=448, limit_iops=75e3)
        >>> print((latency * 1e6).round())
        [131. 310. 530. 770.]
    """
    (chance,) = _check.fraction(saturation_probability=saturation_probability)
    saturated = _while_queued(quantile, TYPICAL_SHARES, unsaturated_s, queue_depth, limit_iops)
    odds = np.square(chance), np.square(1 - np.asarray(chance))
    weight = odds[0] / (odds[0] + odds[1])
    below = np.broadcast_to(np.asarray(unsaturated_s, float), saturated.shape)
    with np.errstate(invalid="ignore"):  # the weight is exactly 0 far below the limit
        between = np.exp((1 - weight) * np.log(below) + weight * np.log(saturated))
    return _check.plain(np.select([weight == 0, weight == 1], [below, saturated], between))


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
    """Wait for as many writes as are outstanding; infinite where the limit is 0."""
    (limit,) = _check.from_zero(limit_iops=limit_iops)
    with np.errstate(divide="ignore"):
        return np.asarray(np.divide(depth, limit))


def _left(read_load: ReadLoad) -> Floats:
    """Share of the time of the dies that reads leave."""
    (rate,) = _check.from_zero(read_iops=read_load.read_iops)
    (dies,) = _check.count(dies=read_load.dies)
    (held,) = _check.finite(die_read_s=read_load.die_read_s)
    return np.asarray(np.maximum(0.0, 1 - np.asarray(rate) * held / dies))
