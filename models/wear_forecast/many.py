"""Remaining life of many drives at once, by quadrature in place of draws.

References
----------
.. [1] U. K. Mueller, M. W. Watson, "Measuring Uncertainty about Long-Run Predictions", Review of
       Economic Studies 83 (2016): forecasts of long means where the persistence is not known.
.. [2] M. Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences" (2018): the sequence
       whose steps are the powers of the root of x^(d+1) = x + 1.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.units import WEEK_S
from models.wear_forecast import _writes
from models.wear_forecast.futures import level_changes

__all__ = ["POINTS", "distances_bytes", "remaining_lives"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]  # of the grid: half of the memory, and time

POINTS = 32  # points of the quadrature, each with a distance, a change of level and a burst
_LEAST_WEAR = 0.3  # points, where the ends of the history cancel all of them
_ROOT = 1.1673039782614187  # of x^5 = x + 1: a sequence in four dimensions
_FINEST = 1.15  # noise is rounded to powers of it, so that drives share their matrices
_SMOOTH = 0.04  # by which each point is widened, so that few points make no steps
_WIDEST = 12.0  # of the logarithm of time, about the first guess
_LONGEST_STEPS = 0.85 ** np.arange(8)  # of Newton's method, of the logarithm; none may cycle
_TOGETHER = 1024  # drives whose arrays fit the caches


def distances_bytes(
    written_bytes: ArrayLike, *, points_used: ArrayLike, points_left: ArrayLike
) -> Floats:
    r"""Equally likely host bytes until an indicator of whole points is used up, for many drives.

    .. math:: L = W \, \frac{p - u_2}{\max(n + u_2 - u_1, 0.3)}

    Parameters
    ----------
    written_bytes : array
        Host bytes written between the first and the last reading, W. [bytes]
    points_used : array
        Whole points used between them, n. [1]
    points_left : array
        Whole points left at the last reading, p. [1]

    Returns
    -------
    array
        Distances, one row for each drive. [bytes]

    Raises
    ------
    DomainError
        Unless every argument is >= 0.

    Notes
    -----
    Valid as `remaining_life`, whose draws u are evenly spread points here. Source: [2]_.

    Examples
    --------
    A year in which 18 points went with 36 TB, and 40 points are left:

    >>> print(np.median(distances_bytes(36e12, points_used=18, points_left=40) / 1e12).round())
    79.0
    """
    written, used, left = (
        np.atleast_1d(value)[:, None]
        for value in _check.non_negative(
            written_bytes=written_bytes,  # type: ignore[arg-type]
            points_used=points_used,  # type: ignore[arg-type]
            points_left=points_left,  # type: ignore[arg-type]
        )
    )
    first, last = (np.arange(POINTS) + 0.5) / POINTS, _spread(1)
    return np.asarray(
        written * np.maximum(left - last, 0.0) / np.maximum(used + last - first, _LEAST_WEAR)
    )


def remaining_lives(
    quantile: ArrayLike, *, written_bytes: ArrayLike, interval_s: float, distance_bytes: ArrayLike
) -> Floats:
    r"""Quantiles of the remaining lives of many drives, from equal blocks of their writes.

    .. math:: q = \frac{1}{k} \sum_{j=1}^{k} \Phi\!\left(\frac{\ln(T r M_j B_j(T) / L_j) + \mu(T)}
              {\sigma(T)}\right)

    `remaining_life` with changes, where the logarithm of the mean rate until T is taken as normal:
    r is the mean rate, and mu and sigma are moments of level, slow part and noise over the same
    grid of time constants and deviations, weighted by the same likelihood of the blocks. The
    distance L, the mean of the noise M with a burst that is not yet seen, and the mean B of the
    level after changes are far from normal, and are k points spread evenly over their
    distributions. T follows by Newton's method.

    Parameters
    ----------
    quantile : float or array
        Probability that the end has come, q, in (0, 1). [1]
    written_bytes : array
        Host bytes of each block, one row for each drive, the last block until now. [bytes]
    interval_s : float
        Length of a block. [s]
    distance_bytes : array
        Equally likely host bytes until the end, one row of `POINTS` for each drive. [bytes]

    Returns
    -------
    array
        Time from now, one row for each quantile and one column for each drive. [s]

    Raises
    ------
    DomainError
        Unless quantile is in (0, 1), written_bytes >= 0 has two columns or more and rows with a
        sum > 0, interval_s > 0, distance_bytes >= 0 has `POINTS` columns and as many rows.

    Notes
    -----
    Valid as `remaining_life`, from which the middle differs by about 3 % and the ends by about 5 %
    in the mean (docs/fleet.md). Source: the model of [1]_ as there, points by [2]_.

    Examples
    --------
    A year at about 100 GB a day in which 18 points of 2 TB went; 40 are left. In days:

    >>> weeks = np.random.default_rng(1).gamma(30, 23.3e9, (1, 52))
    >>> far = distances_bytes(weeks.sum(), points_used=18, points_left=40)
    >>> block = {"written_bytes": weeks, "interval_s": 7 * 86400.0}
    >>> days = remaining_lives([0.05, 0.5, 0.95], **block, distance_bytes=far) / 86400
    >>> print(days[:, 0].round(-1))
    [ 360.  750. 1170.]
    """
    (probability,) = _check.share(quantile=quantile)  # type: ignore[arg-type]
    _check.require(np.asarray(probability) < 1, "quantile", "in (0, 1)", probability)
    (length,) = _check.finite(interval_s=interval_s)
    blocks, far = _checked(written_bytes, distance_bytes)
    levels = np.atleast_1d(np.asarray(probability, float))
    scale = _noise_steps(blocks, length)
    order = np.argsort(scale, kind="stable")
    times = np.empty((levels.size, len(blocks)))
    ends = np.flatnonzero(np.diff(scale[order], append=np.iinfo(np.int64).max)) + 1
    start = 0
    for end in ends:
        for first in range(start, end, _TOGETHER):
            rows = order[first : min(first + _TOGETHER, end)]
            grid = _grid(blocks.shape[1], length, int(scale[rows[0]]))
            times[:, rows] = _lives(levels, blocks[rows], far[rows], grid)
        start = int(end)
    return times


def _checked(written_bytes: ArrayLike, distance_bytes: ArrayLike) -> tuple[Floats, Floats]:
    (written,) = _check.non_negative(written_bytes=written_bytes)  # type: ignore[arg-type]
    (distance,) = _check.non_negative(distance_bytes=distance_bytes)  # type: ignore[arg-type]
    blocks, far = np.atleast_2d(written), np.atleast_2d(distance)
    _check.require(
        blocks.shape[1] > 1 and bool(np.all(blocks.sum(axis=1) > 0)),
        "written_bytes", "two columns or more with rows of a sum > 0", blocks,
    )  # fmt: skip
    _check.require(
        far.shape == (len(blocks), POINTS), "distance_bytes", f"rows of {POINTS} for each drive",
        far,
    )  # fmt: skip
    return blocks, far


def _spread(dimension: int) -> Floats:
    """Return the evenly spread points of one dimension."""
    return np.asarray((0.5 + np.arange(1, POINTS + 1) * _ROOT**-dimension) % 1.0)


def _log_rates(blocks: Floats) -> Floats:
    mean = blocks.mean(axis=1, keepdims=True)
    return np.asarray(np.log(np.maximum(blocks / mean, _writes.LEAST_RATE)))


def _noise_steps(blocks: Floats, length_s: float) -> NDArray[np.int64]:
    """Return the noise of a week of each drive, as a power of `_FINEST`."""
    rough = np.sqrt(np.mean(np.diff(_log_rates(blocks), axis=1) ** 2, axis=1) * length_s / WEEK_S)
    noise = np.maximum(rough / np.sqrt(2), _writes.LEAST_NOISE)
    return np.asarray(np.rint(np.log(noise) / np.log(_FINEST)), np.int64)


@dataclass(frozen=True, slots=True)
class _Constant:
    """What drives with the same blocks share at one time constant: rows are combinations."""

    constant_s: float
    vectors: Singles  # of the correlation of the blocks
    ones: Singles  # a level of 1 in these
    per_var: Singles  # combinations x blocks: one over the variance of each
    gain: Singles  # part of each that is the slow part
    last: Singles  # what each says of the last block's slow part
    information: Singles  # on the level
    prior: Singles
    last_of_one: Singles  # slow part now that a level of 1 takes away
    last_var: Singles
    slow_var: Singles
    noise_var: Singles


@dataclass(frozen=True, slots=True)
class _Grid:
    block_s: float
    parts: tuple[_Constant, ...]


@lru_cache(maxsize=512)
def _grid(blocks: int, block_s: float, noise_step: int) -> _Grid:
    slow, ratio = (part.ravel() for part in np.meshgrid(_writes.SLOW, _writes.NOISE, indexing="ij"))
    noise_var = (ratio * _FINEST**noise_step) ** 2
    prior = np.log(_writes.SLOW_WEIGHTS)[np.searchsorted(_writes.SLOW, slow)]
    apart = np.abs(np.subtract.outer(np.arange(blocks), np.arange(blocks))) * block_s
    parts = []
    for constant_s in _writes.CONSTANTS_S:
        share, vectors = np.linalg.eigh(np.exp(-apart / constant_s))
        ones, slow_part = vectors.sum(axis=0), slow[:, None] ** 2 * share
        total = noise_var[:, None] * (WEEK_S / block_s) + slow_part
        information = (ones**2 / total).sum(axis=1)
        aged = np.exp(-block_s / 2 / constant_s)
        last = slow_part * vectors[-1] / total
        left = slow**2 - (slow_part * vectors[-1] * last).sum(axis=1)
        known = {
            "vectors": vectors, "ones": ones, "per_var": 1 / total, "gain": slow_part / total,
            "last": aged * last, "information": information,
            "prior": prior - np.log(total).sum(axis=1) / 2 - np.log(information) / 2,
            "last_of_one": aged * (last @ ones),
            "last_var": aged**2 * left + slow**2 * (1 - aged**2), "slow_var": slow**2,
            "noise_var": noise_var,
        }  # fmt: skip
        single = {name: np.asarray(value, np.float32) for name, value in known.items()}
        parts.append(_Constant(constant_s=float(constant_s), **single))
    return _Grid(block_s, tuple(parts))


def _lives(levels: Floats, blocks: Floats, far: Floats, grid: _Grid) -> Floats:
    """Return the times of drives whose blocks are of one length, number and noise."""
    log_rate = _log_rates(blocks)
    moments, fitted = _posterior(log_rate, grid)
    rate = blocks.mean(axis=1) / grid.block_s
    with np.errstate(divide="ignore"):
        # logarithms of the time that each distance takes at the mean rate and its noise
        needed = np.log(far / rate[:, None]) - _log_mean_noise(log_rate - fitted)
    span_s = grid.block_s * blocks.shape[1]
    at = np.median(np.maximum(needed, -40.0), axis=1) - moments.level
    times = np.empty((levels.size, len(blocks)))
    for row, level in enumerate(levels):
        times[row] = np.exp(_solved(at + level - 0.5, level, needed, moments, span_s))
    times[:, np.all(far <= 0, axis=1)] = 0.0
    return times


@dataclass(frozen=True, slots=True)
class _Moments:
    """Weighted sums over the combinations of each time constant: time constants x drives.

    The logarithm of the mean rate until T is a + g b + (1 - V) c in the mean, with a the level, b
    the slow part now, c half the variance of the slow part.
    """

    constants_s: Floats
    means: Floats  # 3 x constants x drives: a, b, c
    products: Floats  # 6: aa, ab, ac, bb, bc, cc
    variances: Floats  # 5: of the level, with b, of both; of the slow part now; of the noise

    @property
    def level(self) -> Floats:
        """Mean of the logarithm of the level."""
        return np.asarray(self.means[0].sum(axis=0))

    def at(self, log_time: Floats) -> tuple[Floats, Floats]:
        """Return mean and variance of the logarithm of the mean rate until a time."""
        time = np.exp(log_time)
        ratio = np.maximum(time / self.constants_s[:, None], 1e-4)
        gone = -np.expm1(-ratio)
        g, v = gone / ratio, 2 * (ratio - gone) / ratio**2
        h = 1 - v
        noise = self.variances[4].sum(axis=0) * WEEK_S / np.maximum(time, WEEK_S)
        a, b, c = self.means
        mean = (a + g * b + h * c).sum(axis=0) - noise / 2
        aa, ab, ac, bb, bc, cc = self.products
        second = aa + g * (2 * ab + g * bb) + h * (2 * (ac + g * bc) + h * cc)
        of_level, with_slow, of_both, now, _ = self.variances
        spread = of_level - 2 * g * with_slow + g**2 * (of_both + now) + 2 * c * (v - g**2)
        variance = (second + spread).sum(axis=0) + noise - (mean + noise / 2) ** 2
        return mean, np.maximum(variance, 1e-8)


def _posterior(log_rate: Floats, grid: _Grid) -> tuple[_Moments, Floats]:
    """Weigh the grid by the blocks; return the moments, and what explains each block."""
    turned = [log_rate.astype(np.float32) @ part.vectors for part in grid.parts]
    pulls = [
        (z * p.ones) @ p.per_var.T / p.information for z, p in zip(turned, grid.parts, strict=True)
    ]
    fits = [
        p.prior - (z**2 @ p.per_var.T - level**2 * p.information) / 2
        for z, level, p in zip(turned, pulls, grid.parts, strict=True)
    ]
    best = np.max([fit.max(axis=1) for fit in fits], axis=0)
    weights = [np.exp(fit - best[:, None]) for fit in fits]
    total = sum(weight.sum(axis=1) for weight in weights)
    fitted: Singles = np.zeros(log_rate.shape, np.float32)
    means, products, variances = [], [], []
    for z, level, weight, p in zip(turned, pulls, weights, grid.parts, strict=True):
        weight /= np.asarray(total)[:, None]  # noqa: PLW2901 - in place
        slow = z @ p.last.T - level * p.last_of_one
        by_level, by_slow = weight * level, weight * slow
        half = p.slow_var / 2
        means.append([by_level.sum(axis=1), by_slow.sum(axis=1), weight @ half])
        products.append([
            (by_level * level).sum(axis=1), (by_level * slow).sum(axis=1), by_level @ half,
            (by_slow * slow).sum(axis=1), by_slow @ half, weight @ half**2,
        ])  # fmt: skip
        sd = 1 / p.information
        shared = (sd, sd * p.last_of_one, sd * p.last_of_one**2, p.last_var, p.noise_var)
        variances.append((weight @ np.array(shared, np.float32).T).T)
        fitted += (weight @ p.gain * z - (by_level @ p.gain) * p.ones) @ p.vectors.T
        fitted += by_level.sum(axis=1, keepdims=True)
    moments = _Moments(
        constants_s=np.array([p.constant_s for p in grid.parts]),
        means=np.array(means, float).swapaxes(0, 1),
        products=np.array(products, float).swapaxes(0, 1),
        variances=np.array(variances, float).swapaxes(0, 1),
    )  # fmt: skip
    return moments, np.asarray(fitted, float)


def _log_mean_noise(residual: Floats) -> Floats:
    """Return logarithms of means of the noise: a bootstrap of the blocks, with one not yet seen.

    The unseen one is the greatest seen times a Pareto variable of index 2.
    """
    number = residual.shape[1]
    factors = np.exp(residual)
    mean = factors.mean(axis=1)
    weight = -np.expm1(np.log1p(-_spread(3)) / number)  # of one among n + 1, by its quantiles
    unseen = (factors.max(axis=1) / mean)[:, None] / np.sqrt(1 - _spread(4))
    spread = factors.var(axis=1) / mean**2 / (number + 1)
    log_mean: Floats = np.log(mean)[:, None] + np.log1p(weight * (unseen - 1))
    return np.asarray(log_mean - spread[:, None] / 2)


@lru_cache(maxsize=1)
def _changed() -> tuple[Floats, Floats]:
    """Return logarithms of time over the history, and there quantiles of the mean level's."""
    steps = 0.01 * np.append(1.0, 1.12 ** np.arange(100))
    steps[1:] *= 0.12
    moved = level_changes(steps, 4096, 1.0, np.random.default_rng(7))
    passed = np.cumsum(steps)
    mean = np.log(np.cumsum(np.exp(moved) * steps[:, None], axis=0) / passed[:, None])
    return np.log(passed), np.quantile(mean, _spread(2), axis=1).T


def _solved(
    log_time: Floats, level: float, needed: Floats, moments: _Moments, span_s: float
) -> Floats:
    """Return where the probability rises to a level, by Newton's method."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    nodes, changed = _changed()
    pace = nodes[-1] - nodes[-2]
    low, high = log_time - _WIDEST, log_time + _WIDEST
    for longest in _LONGEST_STEPS:
        mean, variance = moments.at(log_time)
        place = np.clip((log_time - np.log(span_s) - nodes[0]) / pace, 0, nodes.size - 1.001)
        before = place.astype(np.intp)
        rise = changed[before + 1] - changed[before]
        moved = changed[before] + rise * (place - before)[:, None]
        sd = np.sqrt(variance + _SMOOTH**2)[:, None]
        z = ((log_time + mean)[:, None] + moved - needed) / sd
        slope = np.exp(-(z**2) / 2) * ((1 + rise / pace) / (sd * np.sqrt(2 * np.pi)))
        lacking = level - ndtr(z).mean(axis=1)
        low, high = np.where(lacking > 0, log_time, low), np.where(lacking > 0, high, log_time)
        wanted = log_time + np.clip(
            lacking / np.maximum(slope.mean(axis=1), 1e-3), -longest, longest
        )
        inside = (wanted >= low) & (wanted <= high)
        log_time = np.where(inside, wanted, (low + high) / 2)
    return log_time
