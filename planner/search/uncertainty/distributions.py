"""Distributions of numbers that are not known exactly.

A distribution is its quantile function: the value below which the number lies with a given
chance. Three points, low, mid and high, are read as the 10 %, 50 % and 90 % points, which the
distribution meets exactly; see `low_mid_high`. The ends of a uniform, triangular or PERT
distribution are bounds that are never passed.

References:
    .. [1] D. L. Keefer, S. E. Bodily, "Three-Point Approximations for Continuous Random Variables",
       Management Science 29(5), 1983 (10 %, 50 % and 90 % points elicit better than ends).
    .. [2] C. W. Clark, "The PERT Model for the Distribution of an Activity Time", Operations
       Research 10(3), 1962 (beta distribution with the mean (low + 4 mode + high) / 6).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtr, ndtri

from models.errors import DomainError

Points = NDArray[np.float64]

WIDEST_SIGMA = 20.0  # a factor of five hundred million to either side
LEAST_SIGMA = 1e-9  # below it a value is as good as known
_Z90, _Z95 = float(ndtri(0.9)), float(ndtri(0.95))


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """A number that is not known exactly.

    Attributes:
        name: Kind of the distribution, as it is written.
        parameters: In the order in which they are written; base units.
        quantile: Chances in (0, 1) to values: the inverse of the cumulative distribution.
        chance: The cumulative distribution, where its tails have no end; else the parameters bound
            it.
    """

    name: str
    parameters: tuple[float, ...]
    quantile: Callable[[Points], Points]
    chance: Callable[[Points], Points] | None = None

    def at(self, chance: float) -> float:
        """Return one quantile.

        >>> lognormal(3000, sigma=0.4).at(0.5)
        3000.0
        """
        return float(self.quantile(np.asarray(chance, float)))

    def between(self, low: float, high: float) -> "Distribution":
        """Return the same distribution, given that the number lies between two bounds."""
        if self.chance is None:
            return replace(self, quantile=lambda p: np.clip(self.quantile(p), low, high))
        first, last = (float(self.chance(np.asarray(end))) for end in (low, high))
        if last - first < 0.5:
            raise DomainError(f"{self} lies mostly outside {low:g} to {high:g}")
        inside, chance = last - first, self.chance
        return replace(
            self,
            quantile=lambda p: np.clip(self.quantile(first + p * inside), low, high),
            chance=lambda value: np.clip((chance(value) - first) / inside, 0.0, 1.0),
        )

    def __str__(self) -> str:
        """Write the distribution in base units."""
        return f"{self.name}({', '.join(f'{number:g}' for number in self.parameters)})"


def fixed(value: float) -> Distribution:
    """Return a number that is known.

    >>> fixed(3).at(0.9)
    3.0
    """
    _finite("value", value)
    return Distribution(
        name="fixed", parameters=(value,), quantile=lambda p: np.full(np.shape(p), float(value))
    )


def uniform(low: float, high: float) -> Distribution:
    """Return equal chances between two bounds.

    >>> uniform(2, 4).at(0.75)
    3.5
    """
    _rising(low=low, high=high)
    return Distribution(
        name="uniform", parameters=(low, high), quantile=lambda p: low + p * (high - low)
    )


def triangular(low: float, mode: float, high: float) -> Distribution:
    """Return a density that rises straight to the mode and falls straight to the bound.

    >>> triangular(0, 1, 2).at(0.5)
    1.0
    """
    _rising(low=low, mode=mode, high=high)
    width = high - low
    peak = (mode - low) / width if width else 0.5

    def quantile(p: Points) -> Points:
        rising = low + np.sqrt(p * width * (mode - low))
        return np.where(p < peak, rising, high - np.sqrt((1 - p) * width * (high - mode)))

    return Distribution(name="triangular", parameters=(low, mode, high), quantile=quantile)


def pert(low: float, mode: float, high: float) -> Distribution:
    """Return the beta distribution between two bounds with the mean (low + 4 mode + high) / 6 [2]_.

    >>> round(pert(0, 1, 2).at(0.5), 12)
    1.0
    """
    _rising(low=low, mode=mode, high=high)
    width = high - low
    peak = (mode - low) / width if width else 0.5
    return Distribution(
        name="pert",
        parameters=(low, mode, high),
        quantile=lambda p: low + width * betaincinv(1 + 4 * peak, 5 - 4 * peak, p),
    )


def normal(mean: float, *, sd: float) -> Distribution:
    """Return the normal distribution.

    >>> normal(10, sd=2).at(0.5)
    10.0
    """
    _finite("mean", mean)
    _positive("sd", sd)
    return Distribution(
        name="normal",
        parameters=(mean, sd),
        quantile=lambda p: mean + sd * ndtri(p),
        chance=lambda value: np.asarray(ndtr((value - mean) / sd)),
    )


def lognormal(median: float, *, sigma: float) -> Distribution:
    """Return the lognormal distribution; sigma is the standard deviation of the natural logarithm.

    >>> round(lognormal(100, sigma=0.5).at(0.9), 1)
    189.8
    """
    _positive("median", median)
    _positive("sigma", sigma)
    if sigma < LEAST_SIGMA:
        raise DomainError(f"sigma must be at least {LEAST_SIGMA:g}, got {sigma:g}")
    if sigma > WIDEST_SIGMA:
        raise DomainError(f"sigma must be at most {WIDEST_SIGMA:g}, got {sigma:g}")

    def chance(value: Points) -> Points:
        with np.errstate(divide="ignore"):
            beside = np.log(np.maximum(value, 0.0)) - np.log(median)
            return np.asarray(ndtr(beside / sigma))

    return Distribution(
        name="lognormal",
        parameters=(median, sigma),
        quantile=lambda p: median * np.exp(sigma * ndtri(p)),
        chance=chance,
    )


def low_mid_high(
    low: float, mid: float, high: float, *, least: float = 0.0, most: float = np.inf
) -> Distribution:
    """Return a distribution with these 10 %, 50 % and 90 % points, between `least` and `most`.

    Below and above the middle it is half of a normal distribution each: of the logarithm of the
    distance from `least`, so that it is lognormal where low, mid and high are in proportion; of
    the log-odds where there is a `most` as well; and of the number itself where the low point is
    `least`, which then is met with a chance of 10 %, as `most` is by a high point there.

    >>> print(f"{low_mid_high(2000, 3000, 4500).at(0.05):.1f}")  # lognormal
    1782.8
    """
    _rising(low=low, mid=mid, high=high)
    scale = _scale(low, high, least, most)
    bottom, middle, top = (float(scale.into(np.asarray(x, float))) for x in (low, mid, high))

    def quantile(p: Points) -> Points:
        z = ndtri(p) / _Z90
        stretched = middle + z * np.where(z < 0, middle - bottom, top - middle)
        return np.clip(scale.back(stretched), least, most)

    return Distribution(name="low..mid..high", parameters=(low, mid, high), quantile=quantile)


def assumed(low: float, typical: float, high: float) -> Distribution:
    """Return the distribution of a number that is assumed within a range and never outside it.

    On either side of the typical value, which is the median, it is half of a lognormal
    distribution with the end as its 5 % or 95 % point, cut off there; of a normal one where the
    range begins at 0. An end that is the typical value has half of the chances.

    >>> cycles = assumed(1000, 2000, 8000)
    >>> [round(cycles.at(chance)) for chance in (0, 0.25, 0.5, 0.75, 1)]
    [1000, 1555, 2000, 3310, 8000]
    """
    _rising(low=low, typical=typical, high=high)
    least = ndtr(-_Z95)

    def quantile(p: Points) -> Points:
        part = np.clip(ndtri(least + (1 - 2 * least) * np.asarray(p)) / _Z95, -1, 1)
        end, below = np.where(part < 0, low, high), np.abs(part)
        if low <= 0:
            return np.asarray(typical + (end - typical) * below)
        return np.asarray(typical * (end / typical) ** below)

    return Distribution(name="assumed", parameters=(low, typical, high), quantile=quantile)


def in_powers_of_two(known: Distribution) -> Distribution:
    """Return the distribution of the power of two that is nearest, of sizes that are such.

    >>> unit = in_powers_of_two(assumed(4096, 16384, 65536))
    >>> [round(unit.at(chance)) for chance in (0, 0.4, 0.5, 0.7, 1)]
    [4096, 16384, 16384, 32768, 65536]
    """

    def quantile(p: Points) -> Points:
        return np.asarray(2.0 ** np.round(np.log2(known.quantile(p))))

    return Distribution(name=known.name, parameters=known.parameters, quantile=quantile)


@dataclass(frozen=True, slots=True)
class _Scale:
    """A scale on which halves are normal, and the way back."""

    into: Callable[[Points], Points]
    back: Callable[[Points], Points]


def _scale(low: float, high: float, least: float, most: float) -> _Scale:
    if low <= least:
        return _Scale(lambda x: x, lambda t: t)
    if high >= most or np.isinf(most):
        return _Scale(lambda x: np.log(x - least), lambda t: least + np.exp(t))
    return _Scale(
        lambda x: np.log((x - least) / (most - x)),
        lambda t: least + (most - least) / (1 + np.exp(-t)),
    )


def _rising(**named: float) -> None:
    for name, value in named.items():
        _finite(name, value)
    names, values = list(named), list(named.values())
    for place in range(1, len(names)):
        if values[place] < values[place - 1]:
            raise DomainError(
                f"{names[place]} must be >= {names[place - 1]}, "
                f"got {values[place - 1]:g} and {values[place]:g}"
            )


def _finite(name: str, value: float) -> None:
    if not np.isfinite(value):
        raise DomainError(f"{name} must be finite, got {value:g}")


def _positive(name: str, value: float) -> None:
    if not 0 < value < np.inf:
        raise DomainError(f"{name} must be > 0 and finite, got {value:g}")
