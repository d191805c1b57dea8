"""Remaining life of many drives at once, by quadrature in place of draws.

References:
    .. [1] U. K. Mueller, M. W. Watson, "Measuring Uncertainty about Long-Run Predictions", Review
       of Economic Studies 83 (2016): forecasts of long means where the persistence is not known.
    .. [2] I. H. Sloan, S. Joe, "Lattice Methods for Multiple Integration", Oxford 1994: lattices of
       rank 1, shifted.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.units import WEEK_S
from models.wear_forecast import _writes
from models.wear_forecast.futures import _level_changes

Floats = NDArray[np.float64]

# Points of the quadrature, each with a distance, a change of level, a burst, and a combination of
# time constant, slow part and noise.
POINTS = 32
_LEAST_WEAR = 0.3  # points, where the ends of the history cancel all of them
# A shifted lattice: the vector of 440 drawn whose lives are nearest to `remaining_life`.
_LATTICE = ((1, 0.5), (15, 0.75), (19, 0.75), (21, 0.75), (23, 0.25), (7, 0.5))
_FINEST = 1.15  # noise is rounded to powers of it, so that drives share their matrices
_SMOOTH = 0.04  # by which each point is widened at most, so that few points make no steps
_WIDEN, _LEAST_SMOOTH = 0.3, 0.001  # of the deviation of the points, and at least
_NOW = -40.0  # logarithm of a time that is now
_WIDEST = 12.0  # of the logarithm of time, about the first guess
_LONGEST_STEP = 1.0  # of Newton's method, of the logarithm of time
_STEPS = 4
_TOGETHER = 512  # drives whose arrays fit the caches


def distances_bytes(
    written_bytes: ArrayLike, *, points_used: ArrayLike, points_left: ArrayLike
) -> Floats:
    r"""Equally likely host bytes until an indicator of whole points is used up, for many drives.

    .. math:: L = W \, \frac{p - u_2}{\max(n + u_2 - u_1, 0.3)}

    Args:
        written_bytes: Host bytes written between the first and the last reading, W. [bytes]
        points_used: Whole points used between them, n. [1]
        points_left: Whole points left at the last reading, p. [1]

    Returns:
        Distances, one row for each drive. [bytes]

    Raises:
        DomainError: Unless every argument is >= 0.

    Notes:
        Valid as `remaining_life`, whose draws u are evenly spread points here. Source: [2]_.

    Examples:
        A year in which 18 points went with 36 TB, and 40 points are left:

        >>> print(np.median(distances_bytes(36e12, points_used=18, points_left=40) / 1e12).round())
        79.0
    """
    given = {"written_bytes": written_bytes, "points_used": points_used, "points_left": points_left}
    numbers = _check.non_negative(**given)  # type: ignore[arg-type]  # arrays
    columns = _check.together(**dict(zip(given, numbers, strict=True)))
    for name, column in zip(given, columns, strict=True):
        _check.require(np.ndim(column) < 2, name, "a number or a list", np.ravel(column))
    written, used, left = (np.atleast_1d(column)[:, None] for column in columns)
    first, last = _spread(0), _spread(1)
    return np.asarray(
        written * np.maximum(left - last, 0.0) / np.maximum(used + last - first, _LEAST_WEAR)
    )


def remaining_lives(
    quantile: ArrayLike,
    *,
    written_bytes: ArrayLike,
    interval_s: float,
    distance_bytes: ArrayLike,
    changes: bool = True,
) -> Floats:
    r"""Quantiles of the remaining lives of many drives, from equal blocks of their writes.

    .. math:: q = \frac{1}{k} \sum_{j=1}^{k} \left[ (1 - c) \, \Phi(z_j(0)) + c \, \Phi(z_j(B_j))
              \right], \quad c = \frac{T}{T + S}, \quad
              z_j(B) = \frac{\ln(T r M_j e^B / L_j) + \mu_j(T)}{\sigma_j(T)}

    The law of `remaining_life`, where the logarithm of the mean rate until T is assumed to be
    normal for each combination of time constant, slow part and noise: r is the mean rate, and mu
    and sigma are its moments. Each of k points is such a combination, chosen as the blocks weigh
    it, with a distance L and a mean of the noise M (with a burst that is not yet seen), spread
    evenly over their distributions. After a history S the level has changed by T with probability
    c, by a mean B, which is spread alike. T follows by Newton's method.

    Args:
        quantile: Probability that the end has come, q, in (0, 1). [1]
        written_bytes: Host bytes of each block, one row for each drive, the last block until now.
            [bytes]
        interval_s (float): Length of a block. [s]
        distance_bytes: Equally likely host bytes until the end, one row of `POINTS` for each drive.
            [bytes]
        changes: Whether the level of the writes may change as it has not yet, or stays. [1]

    Returns:
        Time from now, one row for each quantile and one column for each drive. [s]

    Raises:
        DomainError: Unless quantile is in (0, 1), written_bytes >= 0 has two columns or more and
            rows with a sum > 0, interval_s > 0, distance_bytes >= 0 has `POINTS` columns and as
            many rows.

    Notes:
        Valid as `remaining_life`, of which 40,000 draws differ by 1 to 2 % in the middle and 2 to 5
        % at the ends (root mean square, docs/reference/fleet.md). Source: the model of [1]_ as
        there, points by [2]_.

    Examples:
        A year at about 100 GB a day in which 18 points of 2 TB went; 40 are left. In days:

        >>> weeks = np.random.default_rng(1).gamma(30, 23.3e9, (1, 52))
        >>> far = distances_bytes(weeks.sum(), points_used=18, points_left=40)
        >>> block = {"written_bytes": weeks, "interval_s": 7 * 86400.0}
        >>> days = remaining_lives([0.05, 0.5, 0.95], **block, distance_bytes=far) / 86400
        >>> print(days[:, 0].round(-1))
        [ 410.  760. 1170.]
    """
    (probability,) = _check.share(quantile=quantile)  # type: ignore[arg-type]
    _check.require(np.asarray(probability) < 1, "quantile", "in (0, 1)", probability)
    _check.require(np.ndim(probability) < 2, "quantile", "a number or a list", probability)
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
            times[:, rows] = _lives(levels, blocks[rows], far[rows], grid, changes=changes)
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
    """Return the points of one dimension, which are even by themselves."""
    step, shift = _LATTICE[dimension]
    return np.asarray((np.arange(POINTS) * step % POINTS + shift) / POINTS)


def _log_rates(blocks: Floats) -> Floats:
    mean = blocks.mean(axis=1, keepdims=True)
    return np.asarray(np.log(np.maximum(blocks / mean, _writes.LEAST_RATE)))


def _noise_steps(blocks: Floats, length_s: float) -> NDArray[np.int64]:
    """Return the noise of a week of each drive, as a power of `_FINEST`."""
    rough = np.sqrt(np.mean(np.diff(_log_rates(blocks), axis=1) ** 2, axis=1) * length_s / WEEK_S)
    noise = np.maximum(rough / np.sqrt(2), _writes.LEAST_NOISE)
    return np.asarray(np.rint(np.log(noise) / np.log(_FINEST)), np.int64)


@dataclass(frozen=True, slots=True)
class _Grid:
    """Values shared by drives with blocks of one length, number and noise.

    Axes of arrays: time constants, combinations of slow part and noise, and that of the name.
    """

    block_s: float
    vectors: Floats  # of the correlation of the blocks
    ones: Floats  # a level of 1 in these
    per_var: Floats  # one over the variance of each
    gain: Floats  # part of each that is the slow part
    last: Floats  # what each says of the last block's slow part
    information: Floats  # on the level
    prior: Floats
    last_of_one: Floats  # slow part now that a level of 1 takes away
    last_var: Floats
    slow_var: Floats
    noise_var: Floats


@lru_cache(maxsize=512)
def _grid(blocks: int, block_s: float, noise_step: int) -> _Grid:
    slow, ratio = (part.ravel() for part in np.meshgrid(_writes.SLOW, _writes.NOISE, indexing="ij"))
    noise_var = (ratio * _FINEST**noise_step) ** 2
    prior = np.log(_writes.SLOW_WEIGHTS)[np.searchsorted(_writes.SLOW, slow)]
    constants = _writes.CONSTANTS_S[:, None, None]
    apart = np.abs(np.subtract.outer(np.arange(blocks), np.arange(blocks))) * block_s
    share, vectors = np.linalg.eigh(np.exp(-apart / constants))
    ones, newest = vectors.sum(axis=1)[:, None], vectors[:, None, -1]
    slow_part = slow[:, None] ** 2 * share[:, None]
    total = noise_var[:, None] * (WEEK_S / block_s) + slow_part
    information = (ones**2 / total).sum(axis=2)
    aged = np.exp(-block_s / 2 / constants)
    last = slow_part * newest / total
    left = slow**2 - (slow_part * newest * last).sum(axis=2)
    shape = information.shape
    return _Grid(
        block_s, vectors, ones, 1 / total, slow_part / total, aged * last, information,
        prior=prior - np.log(total).sum(axis=2) / 2 - np.log(information) / 2,
        last_of_one=(aged * last * ones).sum(axis=2),
        last_var=aged[:, 0] ** 2 * left + slow**2 * (1 - aged[:, 0] ** 2),
        slow_var=np.broadcast_to(slow**2, shape), noise_var=np.broadcast_to(noise_var, shape),
    )  # fmt: skip


def _lives(levels: Floats, blocks: Floats, far: Floats, grid: _Grid, *, changes: bool) -> Floats:
    """Return the times of drives whose blocks are of one length, number and noise."""
    from scipy.special import ndtri  # noqa: PLC0415 - slow to import

    points = _points_of(blocks, far, grid, changes=changes)
    start = np.median(points.needed, axis=1)
    middle, slope = _solved(points, start, 0.0)
    times = np.empty((levels.size, len(blocks)))
    for row, wanted in enumerate(ndtri(levels)):
        start = middle + wanted / slope
        times[row] = np.exp(_solved(points, start, wanted)[0] if wanted else middle)
    times[:, np.all(far <= 0, axis=1)] = 0.0
    return times


@dataclass(frozen=True, slots=True)
class _Points:
    """Points of drives: drives x points.

    With g the mean kept share of the slow part until T, and v the share of its variance, the
    logarithm of the bytes written by T over the distance has the mean ln T - needed + g slow - (v
    slow variance + noise) / 2 and the variance still + g (falling + g bent) + v slow variance +
    noise, as long as the level has not changed.
    """

    constant: NDArray[np.intp]
    needed: Floats  # logarithm of the time at the mean rate of a level, and its noise, that stay
    slow: Floats  # the slow part now
    slow_var: Floats
    noise_var: Floats  # of a week
    still: Floats
    falling: Floats
    bent: Floats
    span_s: float
    changes: bool

    def probit(self, log_time: Floats) -> tuple[Floats, Floats]:
        """Return the probability that the end has come, as a normal deviate, and its slope."""
        from scipy.special import ndtri  # noqa: PLC0415 - slow to import

        time = np.exp(log_time)[:, None]
        ratio = np.maximum(time / _writes.CONSTANTS_S, 1e-4)
        gone = -np.expm1(-ratio)
        g, v = (
            np.take_along_axis(part, self.constant, axis=1)
            for part in (gone / ratio, 2 * (ratio - gone) / ratio**2)
        )
        varied = v * self.slow_var + self.noise_var * (WEEK_S / np.maximum(time, WEEK_S))
        ahead = log_time[:, None] - self.needed + g * self.slow - varied / 2
        variance = self.still + g * (self.falling + g * self.bent) + varied
        chance, density = _chance(ahead, 1 / np.sqrt(variance))
        if self.changes:
            moved, rise = _moved(log_time - np.log(self.span_s))
            other, its_density = _chance(
                ahead + moved, 1 / np.sqrt(variance + _SMOOTH**2), 1 + rise
            )
            share = time[:, 0] / (time[:, 0] + self.span_s)  # whose level has changed
            density += share * (its_density - density + (1 - share) * (other - chance))
            chance += share * (other - chance)
        deviate = ndtri(np.clip(chance, 1e-12, 1 - 1e-12))
        at_it = np.exp(-(deviate**2) / 2) / np.sqrt(2 * np.pi)
        return deviate, np.maximum(density / at_it, 0.05)


def _chance(ahead: Floats, per_sd: Floats, rise: Floats | float = 1.0) -> tuple[Floats, Floats]:
    """Return the mean probability of the points, and its slope."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    z = ahead * per_sd
    density = np.exp(-(z**2) / 2) * per_sd * rise
    return ndtr(z).mean(axis=1), density.mean(axis=1) / np.sqrt(2 * np.pi)


def _moved(log_time: Floats) -> tuple[Floats, Floats]:
    """Return by how much a level that changes raises the logarithm of its mean, and the slope.

    Time is over the history. Between the times of the table it is linear in the logarithm.
    """
    nodes, changed = _changes()
    pace = nodes[-1] - nodes[-2]
    place = np.clip((log_time - nodes[0]) / pace, 0, nodes.size - 1.001)
    before = place.astype(np.intp)
    low = changed[before]
    rise = changed[before + 1] - low
    return low + rise * (place - before)[:, None], rise / pace


def _points_of(blocks: Floats, far: Floats, grid: _Grid, *, changes: bool) -> _Points:
    """Weigh the grid by the blocks, and spread the points over its combinations as they weigh."""
    log_rate = _log_rates(blocks)
    turned = log_rate @ grid.vectors  # time constants x drives x blocks
    per_var, information = grid.per_var.swapaxes(1, 2), grid.information[:, None]
    level = (turned * grid.ones) @ per_var / information
    fit = grid.prior[:, None] - (turned**2 @ per_var - level**2 * information) / 2
    weight = np.exp(fit - fit.max(axis=(0, 2))[:, None])
    weight /= weight.sum(axis=(0, 2))[:, None]
    slow = turned @ grid.last.swapaxes(1, 2) - level * grid.last_of_one[:, None]
    by_level = weight * level
    explained = (weight @ grid.gain) * turned - (by_level @ grid.gain) * grid.ones
    fitted = (explained @ grid.vectors.swapaxes(1, 2)).sum(axis=0)
    fitted += by_level.sum(axis=(0, 2))[:, None]
    log_noise, noise_spread = _log_mean_noise(log_rate - fitted)

    drives = np.arange(len(blocks))[:, None]
    edges = np.cumsum(np.concatenate(list(weight), axis=1), axis=1) + drives
    edges[:, -1] = drives[:, 0] + 1
    at = np.searchsorted(edges.ravel(), (drives + _spread(5)).ravel()).reshape(far.shape)
    at -= drives * edges.shape[1]
    constant, combination = np.divmod(at, grid.information.shape[1])
    shared = constant, combination
    level_var, of_one, slow_var = (
        part[shared] for part in (1 / grid.information, grid.last_of_one, grid.slow_var)
    )
    rate = blocks.mean(axis=1) / grid.block_s
    with np.errstate(divide="ignore"):
        needed = np.log(far / rate[:, None]) - log_noise - level[constant, drives, combination]
    needed, widened = _widened(np.maximum(needed, _NOW) - slow_var / 2)
    return _Points(
        constant=constant, needed=needed, slow=slow[constant, drives, combination],
        slow_var=slow_var, noise_var=grid.noise_var[shared],
        still=level_var + noise_spread[:, None] + widened, falling=-2 * level_var * of_one,
        bent=level_var * of_one**2 + grid.last_var[shared] - slow_var,
        span_s=grid.block_s * blocks.shape[1], changes=changes,
    )  # fmt: skip


def _widened(points: Floats) -> tuple[Floats, Floats]:
    """Widen each point, so that few make no steps, and draw them together by as much variance."""
    mean, variance = (part(axis=1, keepdims=True) for part in (points.mean, points.var))
    widened = np.minimum(_WIDEN**2 * variance, _SMOOTH**2) + _LEAST_SMOOTH**2
    kept = np.sqrt(np.maximum(1 - widened / np.maximum(variance, _LEAST_SMOOTH**2), 0.0))
    return mean + (points - mean) * kept, widened


def _log_mean_noise(residual: Floats) -> tuple[Floats, Floats]:
    """Return logarithms of means of the noise, a row of points for each drive, and their variance.

    A bootstrap of the blocks, with one not yet seen: the greatest seen times a Pareto variable of
    index 2.
    """
    number = residual.shape[1]
    factors = np.exp(residual)
    mean = factors.mean(axis=1)
    weight = -np.expm1(np.log1p(-_spread(3)) / number)  # of one among n + 1, by its quantiles
    unseen = (factors.max(axis=1) / mean)[:, None] / np.sqrt(1 - _spread(4))
    spread = factors.var(axis=1) / mean**2 / (number + 1)
    log_mean: Floats = np.log(mean)[:, None] + np.log1p(weight * (unseen - 1))
    return np.asarray(log_mean - spread[:, None] / 2), spread


@lru_cache(maxsize=1)
def _changes() -> tuple[Floats, Floats]:
    """Return logarithms of time over the history, and there points of the mean level's.

    Of levels that have changed by then.
    """
    steps = 0.01 * np.append(1.0, 0.12 * 1.12 ** np.arange(100))
    moved = _level_changes(steps, 8192, 1.0, np.random.default_rng(7))
    passed = np.cumsum(steps)
    mean = np.log(np.cumsum(np.exp(moved) * steps[:, None], axis=0) / passed[:, None])
    points = [
        np.quantile(row[now], _spread(2))
        for row, now in zip(mean, np.logical_or.accumulate(moved != 0), strict=True)
    ]
    return np.log(passed), np.array(points)


def _solved(points: _Points, log_time: Floats, wanted: float) -> tuple[Floats, Floats]:
    """Return the time at which the probability reaches a level (a normal deviate), and its slope.

    Newton's method, with the slope between the last two times once these are known.
    """
    low, high = log_time - _WIDEST, log_time + _WIDEST
    before = deviate = slope = log_time
    for step in range(_STEPS):
        last, (deviate, slope) = deviate, points.probit(log_time)
        if step:
            with np.errstate(divide="ignore", invalid="ignore"):
                secant = (deviate - last) / (log_time - before)
            slope = np.where((secant > slope / 3) & (secant < 3 * slope), secant, slope)
        lacking = wanted - deviate
        low, high = np.where(lacking > 0, log_time, low), np.where(lacking > 0, high, log_time)
        next_ = log_time + np.clip(lacking / slope, -_LONGEST_STEP, _LONGEST_STEP)
        inside = (next_ >= low) & (next_ <= high)
        before, log_time = log_time, np.where(inside, next_, (low + high) / 2)
    return log_time, slope
