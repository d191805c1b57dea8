"""Remaining life: time until host writes that vary from day to day use up the write limit.

Base units: bytes and seconds. Writes are modelled as a random walk with drift: the bytes written in
a long time have a mean and a variance that grow with the time. The variance over the mean is a
size, `dispersion_bytes`: as if the host wrote in lumps of that size. The time until a given amount
is written is then distributed as the inverse Gaussian [1]_.

References:
    .. [1] R. S. Chhikara, J. L. Folks, "The Inverse Gaussian Distribution", Marcel Dekker 1989:
       first passage of a Brownian motion with drift, its distribution function.
    .. [2] P. W. Glynn, W. Whitt, "Estimating the asymptotic variance with batch means", Operations
       Research Letters 10 (1991): variance of sums over long blocks.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check

Floats = NDArray[np.float64]

_WIDEST = 60.0  # the time sought is within e^60 of the mean to either side
_HALVINGS = 64


def dispersion_bytes(written_bytes: ArrayLike, *, interval_s: ArrayLike) -> float:
    r"""Variance over mean of the bytes written in a long time, from blocks of time.

    .. math:: b = \frac{1}{\mu (k - 1)} \sum_{i=1}^{k} \frac{(x_i - \mu t_i)^2}{t_i},
              \quad \mu = \frac{\sum x_i}{\sum t_i}

    Args:
        written_bytes: Bytes written in each block, x. [bytes]
        interval_s: Length of each block, t; one length or one for each. [s]

    Returns:
        float: Variance over mean, b; 0 for writes that never vary. [bytes]

    Raises:
        DomainError: Unless written_bytes >= 0 has two entries or more and a sum > 0, and
            interval_s > 0.

    Notes:
        Valid for blocks that do not overlap and are long against the time over which writes are
        alike: a block of 28 days measures two thirds of the variance of a series whose days
        correlate by 0.9. Source: batch means [2]_, with blocks weighted by their length.

    Examples:
        >>> print(f"{dispersion_bytes([30e9, 50e9, 40e9], interval_s=86400.0) / 1e9:.3f}")
        2.500
    """
    (written,) = _check.non_negative(written_bytes=written_bytes)  # type: ignore[arg-type]
    (lengths,) = _check.finite(interval_s=interval_s)  # type: ignore[arg-type]
    blocks, length = np.broadcast_arrays(np.atleast_1d(written), lengths)
    _check.require(blocks.size > 1, "written_bytes", "of two blocks or more", blocks)
    _check.require(0 < blocks.sum() < np.inf, "written_bytes", "> 0 and finite in sum", blocks)
    rate = blocks.sum() / length.sum()
    return float(((blocks - rate * length) ** 2 / length).sum() / (blocks.size - 1) / rate)


def long_run_dispersion_bytes(
    dispersion_bytes: float, *, short_dispersion_bytes: float, block_ratio: float
) -> float:
    r"""Dispersion extrapolated to infinitely long blocks, from long and short blocks.

    .. math:: b_\infty = b + \frac{\max(0, b - b_s)}{r - 1}

    Args:
        dispersion_bytes: Variance over mean as seen in long blocks, b. [bytes]
        short_dispersion_bytes: The same as seen in short blocks, b_s. [bytes]
        block_ratio: Length of the long blocks over that of the short, r. [1]

    Returns:
        Variance over mean of what is written in a very long time. [bytes]

    Raises:
        DomainError: Unless both dispersions are >= 0 and block_ratio > 1.

    Notes:
        Valid where days are alike for less time than a short block lasts: what a block misses then
        falls as one over its length. Days that follow each other in opposite ways (a busy day, an
        idle one) are not credited. Source: bias of batch means, of order 1/length [2]_, solved for
        two lengths.

    Examples:
        >>> long_run_dispersion_bytes(1e12, short_dispersion_bytes=0.4e12, block_ratio=4)
        1200000000000.0
    """
    dispersion_bytes, short_dispersion_bytes = _check.non_negative(
        dispersion_bytes=dispersion_bytes, short_dispersion_bytes=short_dispersion_bytes
    )
    (block_ratio,) = _check.above(1, block_ratio=block_ratio)
    missed = np.maximum(np.asarray(dispersion_bytes) - short_dispersion_bytes, 0.0)
    return _check.plain(dispersion_bytes + missed / (block_ratio - 1))


def points_left_bytes(points_left: float, *, host_bytes: float, points_used: float) -> float:
    r"""Host bytes until the remaining points of an indicator are used up, at the rate so far.

    .. math:: L = W \, p / n

    Args:
        points_left: Points of 100 that are left, p. [1]
        host_bytes: Bytes that the host wrote between two readings, W. [bytes]
        points_used: Points used between the two readings, n. [1]

    Returns:
        Host bytes until the indicator is used up. [bytes]

    Raises:
        DomainError: Unless points_left >= 0 and the others are > 0.

    Notes:
        Valid where wear grows with host writes as it did between the readings: at the same write
        amplification, and with no part that time alone adds. Source: proportion.

    Examples:
        >>> points_left_bytes(90, host_bytes=20e12, points_used=10)
        180000000000000.0
    """
    (points_left,) = _check.non_negative(points_left=points_left)
    host_bytes, points_used = _check.positive(host_bytes=host_bytes, points_used=points_used)
    return host_bytes * points_left / points_used


def first_passage_probability(
    time_s: float, *, distance_bytes: float, host_bytes_per_s: float, dispersion_bytes: float
) -> float:
    r"""Probability that a given amount has been written by a given time.

    .. math:: F(t) = \Phi(a) + e^{2 L / b} \, \Phi(-z), \quad
              a, z = \frac{\mu t \mp L}{\sqrt{b \mu t}}

    Args:
        time_s: Time from now, t. [s]
        distance_bytes: Host bytes until the end, L. [bytes]
        host_bytes_per_s: Mean rate of host writes, mu. [bytes/s]
        dispersion_bytes: Variance of what is written in a long time over its mean, b. [bytes]

    Returns:
        Probability that the end has come. [1]

    Raises:
        DomainError: Unless every argument is > 0 and all but time_s are finite.

    Notes:
        Valid for writes that vary independently over long times, around a rate that stays. The
        second term is computed as exp(-a^2/2) erfcx(z/sqrt 2)/2, which cannot overflow. Source:
        [1]_, mean L/mu and shape L^2/(b mu).

    Examples:
        50 TB left at 100 GB a day: half of the drives that write in lumps of 1 TB last 495 days.

        >>> day = 86400.0
        >>> known = {"host_bytes_per_s": 1e11 / day, "dispersion_bytes": 1e12}
        >>> print(f"{first_passage_probability(495 * day, distance_bytes=50e12, **known):.3f}")
        0.500
    """
    (time_s,) = _check.positive(time_s=time_s)
    distance_bytes, host_bytes_per_s, dispersion_bytes = _check.finite(
        distance_bytes=distance_bytes,
        host_bytes_per_s=host_bytes_per_s,
        dispersion_bytes=dispersion_bytes,
    )
    return _check.plain(
        _probability(
            np.asarray(host_bytes_per_s) * time_s / distance_bytes,
            np.asarray(dispersion_bytes) / distance_bytes,
        )
    )


def first_passage_s(
    quantile: float, *, distance_bytes: float, host_bytes_per_s: float, dispersion_bytes: float
) -> float:
    r"""Time by which a given amount has been written with a given probability.

    .. math:: t = F^{-1}(q)

    Args:
        quantile: Probability that the end has come, q, in (0, 1). [1]
        distance_bytes: Host bytes until the end. [bytes]
        host_bytes_per_s: Mean rate of host writes. [bytes/s]
        dispersion_bytes: Variance of what is written in a long time over its mean. [bytes]

    Returns:
        Time from now. [s]

    Raises:
        DomainError: Unless quantile is in (0, 1) and the others are > 0 and finite.

    Notes:
        Valid as `first_passage_probability`, which is solved for t by halving. Source: [1]_.

    Examples:
        >>> day = 86400.0
        >>> known = {"host_bytes_per_s": 1e11 / day, "dispersion_bytes": 1e12}
        >>> days = first_passage_s([0.05, 0.5, 0.95], distance_bytes=50e12, **known) / day
        >>> print(days.round())
        [393. 495. 624.]
    """
    (quantile,) = _check.share(quantile=quantile)
    _check.require(np.asarray(quantile) < 1, "quantile", "in (0, 1)", quantile)
    distance_bytes, host_bytes_per_s, dispersion_bytes = _check.finite(
        distance_bytes=distance_bytes,
        host_bytes_per_s=host_bytes_per_s,
        dispersion_bytes=dispersion_bytes,
    )
    sought, lumps, mean = np.broadcast_arrays(
        quantile,
        np.asarray(dispersion_bytes) / distance_bytes,
        np.asarray(distance_bytes) / host_bytes_per_s,
    )
    times = _solved(lambda time: _probability(time, lumps), sought)
    return _check.plain(times * mean)


def mixed_first_passage_probability(
    time_s: float,
    *,
    distance_bytes: ArrayLike,
    host_bytes_per_s: ArrayLike,
    dispersion_bytes: ArrayLike,
) -> float:
    r"""Probability that the end is reached, over possible amounts, rates and dispersions.

    .. math:: F(t) = \frac{1}{m} \sum_{j=1}^{m} F(t; L_j, \mu_j, b_j)

    Args:
        time_s: Time from now. [s]
        distance_bytes: Equally likely host bytes until the end. [bytes]
        host_bytes_per_s: Mean rates of host writes that go with them. [bytes/s]
        dispersion_bytes: Variance of what is written over its mean, that goes with them. [bytes]

    Returns:
        Probability that the end has come. [1]

    Raises:
        DomainError: As `first_passage_probability`.

    Notes:
        Valid as `first_passage_probability`; draws represent the uncertainty of its arguments.
        Source: total probability.

    Examples:
        >>> day = 86400.0
        >>> known = {"host_bytes_per_s": 1e11 / day, "dispersion_bytes": 1e12}
        >>> known |= {"distance_bytes": [40e12, 60e12]}
        >>> print(f"{mixed_first_passage_probability(495 * day, **known):.3f}")
        0.500
    """
    (time_s,) = _check.positive(time_s=time_s)
    single = first_passage_probability(
        np.asarray(time_s)[..., None],  # type: ignore[arg-type]  # an array
        distance_bytes=np.atleast_1d(distance_bytes),  # type: ignore[arg-type]
        host_bytes_per_s=np.atleast_1d(host_bytes_per_s),  # type: ignore[arg-type]
        dispersion_bytes=np.atleast_1d(dispersion_bytes),  # type: ignore[arg-type]
    )
    return _check.plain(np.mean(single, axis=-1))


def mixed_first_passage_s(
    quantile: float,
    *,
    distance_bytes: ArrayLike,
    host_bytes_per_s: ArrayLike,
    dispersion_bytes: ArrayLike,
) -> float:
    r"""Time by which the end is reached with a given probability, over the unknowns.

    .. math:: t = F^{-1}(q), \quad F(t) = \frac{1}{m} \sum_{j=1}^{m} F(t; L_j, \mu_j, b_j)

    Args:
        quantile: Probability that the end has come, q, in (0, 1). [1]
        distance_bytes: Equally likely host bytes until the end. [bytes]
        host_bytes_per_s: Mean rates of host writes that go with them. [bytes/s]
        dispersion_bytes: Variance of what is written over its mean, that goes with them. [bytes]

    Returns:
        Time from now. [s]

    Raises:
        DomainError: Unless quantile is in (0, 1) and the others are > 0 and finite.

    Notes:
        Valid as `mixed_first_passage_probability`, solved for t by halving. Source: [1]_.

    Examples:
        >>> day = 86400.0
        >>> known = {"host_bytes_per_s": 1e11 / day, "dispersion_bytes": 1e12}
        >>> print(f"{mixed_first_passage_s(0.5, distance_bytes=[40e12, 60e12], **known) / day:.0f}")
        495
    """
    (quantile,) = _check.share(quantile=quantile)
    _check.require(np.asarray(quantile) < 1, "quantile", "in (0, 1)", quantile)
    distances, rates, lumps = (
        np.atleast_1d(value)
        for value in _check.finite(
            distance_bytes=distance_bytes,  # type: ignore[arg-type]
            host_bytes_per_s=host_bytes_per_s,  # type: ignore[arg-type]
            dispersion_bytes=dispersion_bytes,  # type: ignore[arg-type]
        )
    )
    mean = float(np.median(distances / rates))
    per_mean, share = rates * mean / distances, lumps / distances
    times = _solved(
        lambda time: np.mean(_probability(time[..., None] * per_mean, share), axis=-1),
        np.asarray(quantile, float),
    )
    return _check.plain(times * mean)


def _probability(time: Floats, lumps: Floats) -> Floats:
    """Return F where the mean time is 1 and lumps are shares of the distance."""
    from scipy.special import erfcx, ndtr  # noqa: PLC0415 - slow to import

    spread = np.sqrt(lumps * time)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        early, late = (time - 1) / spread, (time + 1) / spread
        found = ndtr(early) + np.exp(-(early**2) / 2) * erfcx(late / np.sqrt(2)) / 2
    return np.asarray(np.where(np.isfinite(time), np.minimum(found, 1.0), 1.0))


def _solved(rising: Callable[[Floats], Floats], sought: Floats) -> Floats:
    """Return the time at which a rising function reaches a value."""
    low = np.full(np.shape(sought), -_WIDEST)
    high = -low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        early = rising(np.exp(middle)) < sought
        low, high = np.where(early, middle, low), np.where(early, high, middle)
    return np.asarray(np.exp((low + high) / 2))
