"""Sensitivity to uncertain inputs: one at a time, and as shares of the variance.

References:
    .. [1] A. Saltelli, P. Annoni, I. Azzini, F. Campolongo, M. Ratto, S. Tarantola, "Variance Based
       Sensitivity Analysis of Model Output", Computer Physics Communications 181(2), 2010.
    .. [2] I. M. Sobol, "Global Sensitivity Indices for Nonlinear Mathematical Models and Their
       Monte Carlo Estimates", Mathematics and Computers in Simulation 55(1-3), 2001.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.search.uncertainty.answer import LIFE, Uncertain, numbers
from planner.search.uncertainty.draws import checked_samples, values_of
from planner.search.uncertainty.inputs import with_values

Points = NDArray[np.float64]

_LOW, _HIGH = 0.1, 0.9
_EDGE = 2.0**-31


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """One input at its 10 % and 90 % points, the others at their medians, and what comes out.

    `middle` is what comes of all inputs at their medians.
    """

    name: str
    low: float
    high: float
    at_low: float
    at_high: float
    middle: float

    @property
    def log_ratio(self) -> float:
        """Natural logarithm of the result at the high point over that at the low one."""
        if self.at_low == self.at_high:
            return 0.0
        with np.errstate(divide="ignore"):
            return float(np.log(self.at_high) - np.log(self.at_low))


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Of the variance of a number: by this input alone, and with all that it takes part in."""

    name: str
    first: float
    total: float


def tornado(known: Uncertain, key: str = LIFE) -> tuple[Swing, ...]:
    """Return the effect of each input alone on a number, the strongest first.

    None of them where the number is not known: `known.lacking` says why.
    """
    inputs = known.inputs
    count = len(inputs)
    chance = np.full((count, 2 * count + 1), 0.5)
    places = np.arange(count)
    chance[places, 2 * places], chance[places, 2 * places + 1] = _LOW, _HIGH
    draws = values_of(inputs, chance)
    values = numbers(with_values(known.base, draws), key, 2 * count + 1)
    if np.isnan(values).all():
        return ()
    swings = [
        Swing(
            name=name,
            low=float(draws[name][2 * place]),
            high=float(draws[name][2 * place + 1]),
            at_low=float(values[2 * place]),
            at_high=float(values[2 * place + 1]),
            middle=float(values[-1]),
        )
        for place, name in enumerate(inputs)
    ]
    return tuple(sorted(swings, key=lambda swing: (-abs(swing.log_ratio), swing.name)))


def sobol_shares(known: Uncertain, key: str = LIFE, *, samples: int = 1024) -> tuple[Share, ...]:
    """Return first and total Sobol indices of a number, largest total first.

    Of its logarithm; where it is unlimited in some sample of its inverse, and where it may be 0
    of itself. Inputs are assumed to be independent of each other. A number that does not vary, or
    is not known, has none (an empty tuple).
    """
    varied = known.values(key)
    if np.isnan(varied).all():
        return ()
    scale = _scale(varied)
    if np.ptp(scale(varied)) <= 1e-12:
        return ()
    if len(known.inputs) == 1:
        return (Share(name=next(iter(known.inputs)), first=1.0, total=1.0),)

    def output(points: Points) -> Points:
        chance = np.clip(points, _EDGE, 1 - _EDGE).reshape(len(known.inputs), -1)
        asked = with_values(known.base, values_of(known.inputs, chance))
        values = np.asarray(numbers(asked, key, chance.shape[1]), float)
        within = np.clip(values, varied.min(), varied.max())
        return np.asarray(scale(within).reshape((1, *points.shape[1:])))

    from scipy import stats  # noqa: PLC0415 - a third of a second to import

    found = stats.sobol_indices(
        func=output,
        n=checked_samples(samples),
        dists=[stats.uniform()] * len(known.inputs),
        rng=np.random.default_rng(known.seed),
    )
    shares = (
        Share(name=name, first=float(first), total=float(total))
        for name, first, total in zip(
            known.inputs, found.first_order.ravel(), found.total_order.ravel(), strict=True
        )
    )
    return tuple(sorted(shares, key=lambda share: (-share.total, share.name)))


def _scale(values: Points) -> Callable[[Points], Points]:
    """Return the scale on which a number varies mildly."""
    if np.all(values > 0):
        return np.log if np.all(np.isfinite(values)) else lambda x: np.asarray(1e9 / x)
    return np.asarray
