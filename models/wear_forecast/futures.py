"""Remaining life as equally likely futures of the host writes, from a history of readings.

References:
    .. [1] U. K. Mueller, M. W. Watson, "Measuring Uncertainty about Long-Run Predictions", Review
       of Economic Studies 83 (2016): forecasts of long means where the persistence is not known.
    .. [2] D. B. Rubin, "The Bayesian Bootstrap", Annals of Statistics 9 (1981).
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.growth import growing_lifetime_s
from models.units import DAY_S, WEEK_S, YEAR_S
from models.wear_forecast._writes import Blocks, Posterior, blocks_of, posterior_of

Floats = NDArray[np.float64]

SURE_WEEKS = 26.0  # a shorter history is rough
_FIRST_STEP_S = 28 * DAY_S
_LATER_STEPS = 0.1  # of the time passed, once that is longer
_HORIZON = 6.0  # times the life at the rate of today; beyond it the rate stays
_LONGEST_S = 1000 * YEAR_S
_LEAST_WEAR = 0.3  # points, where the ends of the history cancel all of them
_CHANGE_SD = 0.7  # of the logarithm of the level: a factor of 2, up or down
_TREND_SDS = 2.0  # how far from 0 a trend must be to be named


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Equally likely times until the end, with the host bytes that each takes to be left.

    `steady` says that the level of the writes was assumed to stay; where it may change, `unchanged`
    are the same futures without the changes. `weeks` is the length of the history, `blocks` the
    number of its parts that were compared.
    """

    end_s: Floats
    distance_bytes: Floats
    steady: bool
    weeks: float
    blocks: int
    warnings: tuple[str, ...]
    unchanged: "Draws | None" = None

    def quantile(self, probability: ArrayLike) -> Floats:
        """Return the time by which the end has come with a probability, in seconds."""
        return np.asarray(
            np.quantile(self.end_s, np.asarray(probability, float), method="inverted_cdf")
        )

    def probability(self, times_s: ArrayLike) -> Floats:
        """Return the probability that the end has come by each time."""
        return np.searchsorted(np.sort(self.end_s), times_s, side="right") / self.end_s.size

    @property
    def is_rough(self) -> bool:
        """Whether the history is too short for reliable quantiles."""
        return self.weeks < SURE_WEEKS

    def within(self, low_bytes: float, high_bytes: float) -> "Draws":
        """Return the draws whose distance other evidence allows; all where it allows none."""
        kept = (self.distance_bytes >= low_bytes) & (self.distance_bytes <= high_bytes)
        if not kept.any():
            return self
        return replace(
            self, end_s=self.end_s[kept], distance_bytes=self.distance_bytes[kept],
            unchanged=self.unchanged and self.unchanged.within(low_bytes, high_bytes),
        )  # fmt: skip


def remaining_life(
    host_bytes: ArrayLike,
    times_s: ArrayLike,
    points_used: ArrayLike,
    points_left: ArrayLike,
    *,
    growth_per_year: float = 0.0,
    growth_sd: float = 0.0,
    changes: bool = True,
    draws: int = 2000,
    seed: int,
) -> Draws:
    r"""Time until a wear indicator is used up, as draws from its predictive distribution.

    .. math:: \int_0^T e^{m + \gamma t + x(t) + \delta(t)} M \, dt = L, \quad
              L = W \, \frac{p - u_2}{\max(n + u_2 - u_1, 0.3)}

    The history is cut into blocks of a week, 60 at most, whose log rates are a level m, a slow part
    x with a time constant of 7 to 900 days, and noise. Each combination of time constant, size of
    the slow part and size of the noise is drawn as often as it explains the blocks. M is the mean
    of the noise, in which a burst longer than those seen has the weight of one block. With
    `changes` the level moves by delta: at a level that has held for the history, a change within as
    long again is as likely as not.

    Args:
        host_bytes: Host bytes written by each reading, as the counter says; W is their increase.
            [bytes]
        times_s: Time of each reading, rising. [s]
        points_used (float or array of draws): Whole points used between the first and the last
            reading, n. [1]
        points_left (float or array of draws): Whole points left at the last reading, p. [1]
        growth_per_year (float): Growth of the writes per year that is known; the trend of the
            history is not taken. [1]
        growth_sd (float): Standard deviation of that growth, before the history is seen. [1]
        changes: Whether the level of the writes may change as it has not yet ("open"), or stays
            ("steady"). [1]
        draws: Number of futures. [1]
        seed: Seed; both kinds of the same seed differ by the changes alone. [1]

    Returns:
        Times until the end, and what they rest on. [s]

    Raises:
        DomainError: Unless times_s >= 0 rises over three readings or more, of which two blocks can
            be made, host_bytes >= 0 rises with it, points_used and points_left are >= 0 and finite,
            growth_per_year > -1, growth_sd >= 0 and finite, draws a whole number >= 1.

    Notes:
        Valid for an indicator that counts whole points, and wear that follows host writes as it did
        in the history. From half a year on 90 % of either kind covers what
        docs/evidence/validation-forecast.md states; below, it is rough. How often and how far
        levels change (a factor of two) is chosen, not measured. Source: long-run predictions with
        unknown persistence [1]_, the mean of the noise by the Bayesian bootstrap [2]_; the priors
        are ours.

    Examples:
        A year at about 100 GB a day in which 18 points of 2 TB went; 40 are left. In days, if the
        writes stay of their kind, and if they may change:

        >>> days = np.arange(0, 365, 7)
        >>> written = np.cumsum(np.random.default_rng(1).gamma(30, 23.3e9, days.size))
        >>> history = written, days * 86400.0
        >>> for changes in (False, True):
        ...     life = remaining_life(*history, 18, 40, changes=changes, seed=1)
        ...     print((life.quantile([0.05, 0.5, 0.95]) / 86400).round(-1))
        [680. 780. 860.]
        [ 390.  760. 1170.]
    """
    growth, growth_sd = _checked(growth_per_year, growth_sd=growth_sd, draws=draws)
    used, left = _check.non_negative(points_used=points_used, points_left=points_left)  # type: ignore[arg-type]
    blocks = blocks_of(host_bytes, times_s=times_s)
    posterior = posterior_of(blocks, growth=growth, growth_sd=growth_sd)
    rng, of_changes = np.random.default_rng(seed).spawn(2)
    first, last = rng.random((2, draws))
    wear = np.maximum(used + last - first, _LEAST_WEAR)
    distance = blocks.written_bytes * np.maximum(left - last, 0.0) / wear
    start = _starts(posterior, blocks, growth, draws, rng)
    steps = _steps(float(np.median(distance / blocks.mean_rate / start.rate)))
    log_rate = _paths(start, steps, rng)
    at_mean_s = distance / blocks.mean_rate
    end = _passing(start, steps, log_rate, at_mean_s)
    steady = Draws(
        end_s=end, distance_bytes=distance, steady=True, weeks=blocks.span_s / WEEK_S,
        blocks=blocks.rate.size, warnings=_warnings(posterior, blocks, float(np.median(end))),
    )  # fmt: skip
    if not changes:
        return steady
    log_rate += _level_changes(steps, draws, blocks.span_s, of_changes)
    end = _passing(start, steps, log_rate, at_mean_s)
    return replace(steady, end_s=end, steady=False, unchanged=steady)


def warnings_of(host_bytes: ArrayLike, times_s: ArrayLike, middle_s: float) -> tuple[str, ...]:
    """Return the warnings of a history, given the median date."""
    blocks = blocks_of(host_bytes, times_s=times_s)
    return _warnings(posterior_of(blocks, growth=0.0, growth_sd=0.0), blocks, middle_s)


def _checked(growth_per_year: float, *, growth_sd: float, draws: int) -> tuple[float, float]:
    """Return the growth of the logarithm, and its deviation."""
    (growth,) = _check.above(-1, growth_per_year=growth_per_year)
    (deviation,) = _check.non_negative(growth_sd=growth_sd)
    _check.require(growth < np.inf, "growth_per_year", "> -1 and finite", growth)
    _check.require(deviation < np.inf, "growth_sd", ">= 0 and finite", deviation)
    _check.count(draws=draws)
    return float(np.log1p(growth)), deviation


class _Starts(NamedTuple):
    """Starting values of each future."""

    rate: Floats  # of a level that stays, over the mean rate of the history
    slow: Floats  # the slow part now, in standard deviations
    constant_s: Floats
    slow_sd: Floats
    noise_sd: Floats  # of a week
    growth: Floats


def _starts(
    posterior: Posterior, blocks: Blocks, growth: float, draws: int, rng: "np.random.Generator"
) -> _Starts:
    """Draw combinations of the grid as often as they weigh, and what each leaves open."""
    edges = np.cumsum(posterior.weight)
    even = edges[-1] * (np.arange(draws) + rng.random()) / draws
    of = np.minimum(np.searchsorted(edges, even), edges.size - 1)
    by_slope, by_level, by_last, by_age = rng.standard_normal((4, draws))
    moved = posterior.slope_sd[of] * by_slope
    slope = posterior.slope[of] + moved
    level = (
        posterior.level[of] + posterior.level_per_slope[of] * moved
        + posterior.level_sd[of] * by_level
    )  # fmt: skip
    blocks_, ones, years = posterior.last[:, of]
    last = blocks_ - level * ones - slope * years + posterior.last_sd[of] * by_last
    deviation = posterior.slow_sd[of]
    slow = np.divide(last, deviation, out=np.zeros(draws), where=deviation > 0)
    aged = np.exp(blocks.middle_s[-1] / posterior.constant_s[of])
    return _Starts(
        rate=np.exp(level) * _mean_noise(posterior, blocks, of, rng),
        slow=aged * slow + np.sqrt(1 - aged**2) * by_age,
        constant_s=posterior.constant_s[of],
        slow_sd=deviation,
        noise_sd=posterior.noise_sd[of],
        growth=growth + slope,
    )


def _mean_noise(
    posterior: Posterior, blocks: Blocks, of: NDArray[np.intp], rng: "np.random.Generator"
) -> Floats:
    """Draw means of exp(noise): a Bayesian bootstrap of the blocks, with one that is not yet seen.

    The unseen one is the greatest seen times a Pareto variable of index 2.
    """
    factors = np.exp(blocks.log_rate - posterior.fitted)
    unseen = factors.max(axis=1)[of] / np.sqrt(1 - rng.random(of.size))
    weights = rng.standard_exponential((of.size, blocks.rate.size)) * blocks.length_s
    weight = rng.standard_exponential(of.size) * blocks.length_s.mean()
    seen = np.einsum("ij,ij->i", weights, factors[of])
    return np.asarray((seen + weight * unseen) / (weights.sum(axis=1) + weight))


def _steps(life_s: float) -> Floats:
    """Return the lengths of the steps: 28 days, later a tenth of the time that has passed."""
    even = int(np.ceil(1 / _LATER_STEPS))
    ratio = _HORIZON * min(life_s, _LONGEST_S) / (even * _FIRST_STEP_S)
    later = int(np.ceil(np.log(max(ratio, 1.0)) / np.log1p(_LATER_STEPS)))
    return _FIRST_STEP_S * np.append(np.ones(even), (1 + _LATER_STEPS) ** np.arange(1, later + 1))


def _paths(start: _Starts, steps: Floats, rng: "np.random.Generator") -> Floats:
    """Draw the logarithm of the mean rate in each step, over the rate of a level that stays.

    The slow part forgets exponentially; its mean over a step given both ends is normal. What it
    does within the step, and the noise of the weeks, keep the mean rate.
    """
    constants, of = np.unique(start.constant_s, return_inverse=True)
    ratio = steps[:, None] / constants
    kept, news = np.exp(-ratio), np.sqrt(-np.expm1(-2 * ratio))
    ends = np.tanh(ratio / 2) / ratio  # weight of either end in the mean over the step
    between = 2 / ratio * (1 - 2 * ends)  # variance that the ends leave open
    within = 1 - 2 * ends**2 * (1 + kept) - between  # what the mean over the step does not show
    slow_var, noise_var = start.slow_sd**2, start.noise_sd**2
    new, rest = rng.standard_normal((2, steps.size, of.size))
    after = np.cumsum(steps)
    log_rate = np.empty((steps.size, of.size))
    now = start.slow
    for i, step in enumerate(steps):
        before, now = now, kept[i, of] * now + news[i, of] * new[i]
        noise = noise_var * (WEEK_S / step)
        log_rate[i] = (
            start.slow_sd * ends[i, of] * (before + now)
            + np.sqrt(slow_var * between[i, of] + noise) * rest[i]
            + (slow_var * within[i, of] - noise) / 2
            + start.growth * ((after[i] - step / 2) / YEAR_S)
        )
    return log_rate


def _level_changes(steps: Floats, draws: int, span_s: float, rng: "np.random.Generator") -> Floats:
    """Draw how far the level has moved by each step: not before the first change.

    Changes come at a rate that is exponential with mean 1/span, so that the level holds for t more
    with probability span/(span + t).
    """
    per_s = rng.standard_exponential(draws) / span_s
    changed = rng.random((steps.size, draws)) < -np.expm1(-per_s * steps[:, None])
    moved = _CHANGE_SD * rng.standard_normal((steps.size, draws))
    last = np.maximum.accumulate(changed * np.arange(1, steps.size + 1)[:, None])
    return np.where(last > 0, np.take_along_axis(moved, np.maximum(last - 1, 0), axis=0), 0.0)


def _passing(start: _Starts, steps: Floats, log_rate: Floats, distance_s: Floats) -> Floats:
    """Return the time at which each future has covered its distance, in time at the mean rate."""
    went = np.exp(log_rate) * steps[:, None]
    done = np.cumsum(went, axis=0)
    wanted = distance_s / start.rate
    at = np.minimum((done < wanted).sum(axis=0), steps.size - 1)
    which = np.arange(wanted.size)
    more_s = (wanted - done[at, which]) / went[at, which] * steps[at]
    beyond = (more_s > 0) & (start.growth != 0)
    more_s[beyond] = growing_lifetime_s(
        more_s[beyond], host_bytes_per_s=1.0, growth_per_year=np.expm1(start.growth[beyond])
    )
    return np.asarray(np.maximum(np.cumsum(steps)[at] + more_s, 0.0))


def _warnings(posterior: Posterior, blocks: Blocks, middle_s: float) -> tuple[str, ...]:
    """Return warnings about a short history and about a trend."""
    statement = []
    weeks = blocks.span_s / WEEK_S
    if weeks < SURE_WEEKS:
        statement.append(f"The dates are rough: they rest on {int(weeks)} weeks of readings.")
    trend = posterior.trend_per_year
    if posterior.trend_is_free and abs(trend) > _TREND_SDS * posterior.trend_sd and middle_s > 0:
        end_s = growing_lifetime_s(
            middle_s * np.exp(-posterior.trend_level),
            host_bytes_per_s=1.0,
            growth_per_year=np.expm1(trend),
        )
        word = "never come" if np.isinf(end_s) else f"come after {end_s / YEAR_S:.1f} years"
        statement.append(
            f"The writes have a trend of {100 * np.expm1(trend):+.0f} % a year, which is not taken "
            f"into the future: if it went on, the middle date would {word}."
        )
    return tuple(statement)
