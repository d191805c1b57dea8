"""Points of a scrambled Sobol sequence as values of inputs, tied by a Gaussian copula.

References:
    .. [1] A. B. Owen, "Scrambled Net Variance for Integrals of Smooth Functions", Annals of
       Statistics 25(4), 1997 (independent scrambles give an error estimate).
    .. [2] P. Glasserman, "Monte Carlo Methods in Financial Engineering", Springer 2004, section 9.3
       (normal copula: correlate normal scores, then map each to its own distribution).
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from models.errors import DomainError
from planner.search.uncertainty.distributions import Distribution

Points = NDArray[np.float64]
Correlations = Mapping[tuple[str, str], float]

SCRAMBLES = 4
MOST_SAMPLES = 2**16
_HALF_STEP = 2.0**-31  # of a point, which has 30 bits: keeps chances off 0 and 1


def checked_samples(samples: int) -> int:
    """Return a number of samples if it is a power of two."""
    if samples % 1 or not 64 <= samples <= MOST_SAMPLES or int(samples) & (int(samples) - 1):
        raise DomainError(
            f"samples must be a power of two from 64 to {MOST_SAMPLES}, got {samples:g}"
        )
    return int(samples)


def chances(inputs: int, *, samples: int, seed: int) -> Points:
    """Return chances in (0, 1), one row per input: as many samples of each of the scrambles.

    >>> chances(2, samples=64, seed=1).shape
    (2, 256)
    """
    from scipy.stats import qmc  # noqa: PLC0415 - a third of a second to import

    streams = np.random.SeedSequence(seed).spawn(SCRAMBLES)
    nets = [
        qmc.Sobol(max(1, inputs), rng=np.random.default_rng(stream)).random(
            checked_samples(samples)
        )
        for stream in streams
    ]
    return np.concatenate(nets).T[:inputs] + _HALF_STEP


def correlated(points: Points, names: Sequence[str], correlations: Correlations) -> Points:
    """Tie chances to each other; `correlations` are those of the normal scores, by pairs."""
    if not correlations:
        return points
    matrix = np.eye(len(names))
    for (one, other), value in correlations.items():
        matrix[_pair(one, other, names)] = matrix[_pair(other, one, names)] = _within(value)
    try:
        root = np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        raise DomainError(
            "correlations must fit each other: no inputs can have all of these at once"
        ) from None
    return np.asarray(np.clip(ndtr(root @ ndtri(points)), _HALF_STEP, 1 - _HALF_STEP))


def values_of(inputs: Mapping[str, Distribution], points: Points) -> dict[str, Points]:
    """Return the values of inputs at chances, one row each."""
    return {
        name: np.asarray(distribution.quantile(row), float)
        for (name, distribution), row in zip(inputs.items(), points, strict=True)
    }


def _pair(one: str, other: str, names: Sequence[str]) -> tuple[int, int]:
    for name in (one, other):
        if name not in names:
            raise DomainError(f"{name} must be uncertain to be correlated")
    if one == other:
        raise DomainError(f"{one} must be correlated with another input")
    return names.index(one), names.index(other)


def _within(value: float) -> float:
    if not -1 < value < 1:
        raise DomainError(f"correlations must be in (-1, 1), got {value:g}")
    return value
