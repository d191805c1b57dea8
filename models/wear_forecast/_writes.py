r"""Level, persistence and noise of host writes, estimated from a history.

The history is cut into blocks of about a week. The logarithm of the rate in block i is

.. math:: y_i = m + \gamma t_i + x_i + e_i

with a level m, a trend that is 0 unless given, a slow part x that forgets with a time constant, and
noise e that does not persist. Time constant, size of the slow part and size of the noise are not
known: each combination on a grid is weighted by how well it explains the blocks, with level and
trend integrated out [1]_.

References:
    .. [1] U. K. Mueller, M. W. Watson, "Measuring Uncertainty about Long-Run Predictions", Review
       of Economic Studies 83 (2016): forecasts of long means where the persistence is not known.
       The grid and its weights are ours.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.units import DAY_S, WEEK_S, YEAR_S

Floats = NDArray[np.float64]

MOST_BLOCKS = 60
LEAST_RATE = 0.05  # of the mean: what a block is raised to before its logarithm is taken
LEAST_NOISE = 0.01  # standard deviation of the noise where the blocks are all alike
# Time constant and standard deviation of the slow part; noise over that of differences of blocks.
CONSTANTS_S = DAY_S * np.array([7.0, 14, 28, 56, 112, 224, 448, 900])
SLOW = np.array([0.0, 0.1, 0.2, 0.35, 0.55, 0.8, 1.1])
SLOW_WEIGHTS = np.array([0.16, 0.14, 0.16, 0.18, 0.18, 0.12, 0.06])
NOISE = np.array([0.5, 0.7, 0.85, 1.0, 1.2, 1.45, 1.8])


@dataclass(frozen=True, slots=True)
class Blocks:
    """Parts of a history, one after the other: how long, when, and the rate of host writes."""

    written_bytes: float  # in the whole history
    span_s: float
    length_s: Floats
    middle_s: Floats  # before the last reading, so below 0
    rate: Floats  # over the mean rate of the history

    @property
    def mean_rate(self) -> float:
        """Mean rate of host writes, in bytes/s."""
        return self.written_bytes / self.span_s

    @property
    def log_rate(self) -> Floats:
        """Logarithm of the rate, bounded below."""
        return np.log(np.maximum(self.rate, LEAST_RATE))


def blocks_of(host_bytes: ArrayLike, *, times_s: ArrayLike) -> Blocks:
    """Cut a history at its readings into blocks of a week, or longer where it has over 60 weeks."""
    (times,) = _check.non_negative(times_s=times_s)  # type: ignore[arg-type]
    (written,) = _check.non_negative(host_bytes=host_bytes)  # type: ignore[arg-type]
    time, byte = np.atleast_1d(times), np.atleast_1d(written)
    _check.require(
        time.size > 2 and bool(np.all(np.diff(time) > 0)), "times_s", "three or more, rising", time
    )
    _check.require(
        byte.shape == time.shape and bool(np.all(np.diff(byte) >= 0)) and byte[-1] > byte[0],
        "host_bytes",
        "one for each of times_s, and rising",
        byte,
    )
    ends = _ends(time, WEEK_S * max(1.0, np.ceil((time[-1] - time[0]) / WEEK_S / MOST_BLOCKS)))
    _check.require(ends.size > 2, "times_s", "apart enough to make two blocks", time)
    length = np.diff(time[ends])
    written, span = float(byte[-1] - byte[0]), float(time[-1] - time[0])
    return Blocks(
        written_bytes=written, span_s=span, length_s=length,
        middle_s=time[ends][:-1] + length / 2 - time[-1],
        rate=np.diff(byte[ends]) / length * (span / written),
    )  # fmt: skip


def _ends(time: Floats, block_s: float) -> NDArray[np.intp]:
    """Return the readings nearest to the ends of blocks that are counted back from the last."""
    number = max(round((time[-1] - time[0]) / block_s), 1)
    marks = time[-1] - block_s * np.arange(number, -1, -1)
    nearest = np.unique(np.searchsorted((time[1:] + time[:-1]) / 2, marks))
    apart = np.diff(time[nearest]) >= block_s / 2
    return np.asarray(nearest[np.append(apart, True)])


@dataclass(frozen=True, slots=True)
class Posterior:
    """Posterior of the parameters, one entry for each combination of the grid.

    Given the combination the slope is normal; given the slope so is the level; given both so is the
    slow part in the last block. `fitted` is what explains each block.
    """

    weight: Floats
    constant_s: Floats
    slow_sd: Floats
    noise_sd: Floats  # of a block of a week
    slope: Floats  # per year, beyond the growth that is given
    slope_sd: Floats
    level: Floats
    level_per_slope: Floats
    level_sd: Floats
    last: Floats  # filtered: of the blocks, of a level of 1, of a slope of 1
    last_sd: Floats
    fitted: Floats  # by combination and block
    trend_per_year: float  # of the logarithm, were it estimated
    trend_sd: float
    trend_level: float  # by how much it would raise the level of today
    trend_is_free: bool  # no growth is given


def posterior_of(blocks: Blocks, *, growth: float, growth_sd: float) -> Posterior:
    """Weigh the grid by the blocks; `growth` is that of the logarithm, per year."""
    constant, slow, ratio = (
        part.ravel() for part in np.meshgrid(CONSTANTS_S, SLOW, NOISE, indexing="ij")
    )
    prior = np.log(SLOW_WEIGHTS / NOISE.size)[np.searchsorted(SLOW, slow)]
    years = blocks.middle_s / YEAR_S
    y = blocks.log_rate - growth * years
    noise = ratio * max(_noise_scale(y, blocks.length_s), LEAST_NOISE)
    columns = np.stack([y, np.ones_like(y), years])
    filtered = _filter(columns, blocks, constant, slow**2, noise**2)
    b, a, c = filtered.white
    aa, ab, ac = ((a * other).sum(axis=0) for other in (a, b, c))
    trend_information = (c * c).sum(axis=0) - ac**2 / aa
    trend_pull = (b * c).sum(axis=0) - ac * ab / aa
    fit = prior - filtered.log_sd - np.log(aa) / 2 - ((b * b).sum(axis=0) - ab**2 / aa) / 2
    slope_var = 1 / (trend_information + (np.inf if growth_sd == 0 else growth_sd**-2))
    known = growth_sd**2 * trend_information
    likelihood = fit - np.log1p(known) / 2 + trend_pull**2 * slope_var / 2
    slope = trend_pull * slope_var
    level = (ab - ac * slope) / aa
    free = _weights(fit - np.log(trend_information) / 2 + trend_pull**2 / trend_information / 2)
    trends = trend_pull / trend_information
    trend, trend_sd = _moments(free, trends, 1 / trend_information)
    return Posterior(
        weight=_weights(likelihood), constant_s=constant, slow_sd=slow, noise_sd=noise,
        slope=slope, slope_sd=np.sqrt(slope_var), level=level, level_per_slope=-ac / aa,
        level_sd=1 / np.sqrt(aa), last=filtered.state[-1], last_sd=np.sqrt(filtered.variance[-1]),
        fitted=level[:, None] + slope[:, None] * years + _smoothed(filtered, level, slope).T,
        trend_per_year=trend, trend_sd=trend_sd, trend_level=float(free @ (-ac / aa * trends)),
        trend_is_free=growth == 0 and growth_sd == 0,
    )  # fmt: skip


def _noise_scale(y: Floats, length_s: Floats) -> float:
    """Return the noise of a block of a week, from differences of neighbours."""
    weeks = WEEK_S / length_s
    return float(np.sqrt(np.mean(np.diff(y) ** 2 / (weeks[1:] + weeks[:-1]))))


@dataclass(frozen=True, slots=True)
class _Filtered:
    """A Kalman filter over the blocks, for each combination of the grid and three columns."""

    white: Floats  # columns x blocks x grid: what is new in a block, over its deviation
    log_sd: Floats
    state: Floats  # blocks x columns x grid
    variance: Floats  # blocks x grid
    kept: Floats  # correlation with the block before
    predicted: Floats  # variance before the block was seen


def _filter(
    columns: Floats, blocks: Blocks, constant: Floats, slow_var: Floats, noise_var: Floats
) -> _Filtered:
    number, grid = columns.shape[1], constant.size
    apart = np.diff(blocks.middle_s, prepend=blocks.middle_s[0])
    kept = np.exp(-apart[:, None] / constant)
    noise = noise_var * (WEEK_S / blocks.length_s)[:, None]
    white, state = np.empty((3, number, grid)), np.empty((number, 3, grid))
    variance, predicted = np.empty((number, grid)), np.empty((number, grid))
    now, spread = np.zeros((3, grid)), slow_var
    for i in range(number):
        now = kept[i] * now
        spread = kept[i] ** 2 * (spread - slow_var) + slow_var
        total = spread + noise[i]
        new = columns[:, i, None] - now
        white[:, i] = new / np.sqrt(total)
        predicted[i] = spread
        now = now + spread / total * new
        spread = spread * noise[i] / total
        state[i], variance[i] = now, spread
    log_sd = np.log(predicted + noise).sum(axis=0) / 2
    return _Filtered(white, log_sd, state, variance, kept, predicted)


def _smoothed(filtered: _Filtered, level: Floats, slope: Floats) -> Floats:
    """Return the slow part in each block, seen from all blocks."""
    seen = filtered.state[:, 0] - level * filtered.state[:, 1] - slope * filtered.state[:, 2]
    for i in range(len(seen) - 2, -1, -1):
        kept, predicted = filtered.kept[i + 1], filtered.predicted[i + 1]
        gain = filtered.variance[i] * kept / np.maximum(predicted, np.finfo(float).tiny)
        seen[i] += gain * (seen[i + 1] - kept * seen[i])
    return np.asarray(seen)


def _weights(log_weight: Floats) -> Floats:
    weight = np.exp(log_weight - log_weight.max())
    return np.asarray(weight / weight.sum())


def _moments(weight: Floats, mean: Floats, variance: Floats) -> tuple[float, float]:
    """Return mean and standard deviation of a mixture."""
    middle = float(weight @ mean)
    return middle, float(np.sqrt(weight @ (variance + (mean - middle) ** 2)))
