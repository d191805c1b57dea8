r"""Estimate classes of update frequency from the write counts of pages.

The number of writes of a page scatters around its rate, so raw counts make any workload seem
skewed, and pages that happened not to be written are missing. Rates are therefore estimated as a
mixture of zero-truncated Poisson distributions by maximum likelihood (expectation-maximisation over
a logarithmic grid of rates).

References:
    .. [1] N. Laird, "Nonparametric Maximum Likelihood Estimation of a Mixing Distribution", Journal
       of the American Statistical Association 73(364), 1978.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Floats = NDArray[np.float64]

_SMALL = 40  # counts up to this are unmixed; a larger one is its rate to within a sixth
_LEAST_RATE = 0.25  # writes per trace; pages of lower rates are mostly not seen
_ROUNDS = 2000
_SETTLED = 1e-7


class Classes(NamedTuple):
    """Shares of writes and of pages by class, hottest first, and all pages over pages seen."""

    write_shares: tuple[float, ...]
    page_shares: tuple[float, ...]
    pages_per_seen: float


def classes_as_counted(
    counts: NDArray[np.int64], *, in_use: Floats | None = None, classes: int = 40
) -> Classes:
    """Return classes of pages by their raw write counts.

    `in_use` is the share of the time in which each page holds data, by which pages are weighted.

    >>> classes_as_counted(np.array([8, 1, 1, 1, 1])).write_shares
    (0.6666666666666666, 0.3333333333333333)
    """
    held = np.ones(counts.size) if in_use is None else in_use
    rates, held = counts[counts > 0].astype(float), held[counts > 0]
    return _binned(rates, np.ones(rates.size), rates.size, classes, held)


def estimated_classes(counts: NDArray[np.int64], *, classes: int = 16) -> Classes:
    """Return classes of pages by the write rates estimated from their counts.

    >>> counts = np.random.default_rng(1).poisson(3.0, 100_000)  # every page alike
    >>> found = estimated_classes(counts[counts > 0])
    >>> skew = sum(r * r / f for r, f in zip(found.write_shares, found.page_shares, strict=True))
    >>> round(skew, 1), round(found.pages_per_seen, 2)
    (1.0, 1.05)
    """
    counts = counts[counts > 0]
    seen = np.bincount(np.minimum(counts, _SMALL + 1), minlength=_SMALL + 2)[1 : _SMALL + 1]
    large = counts[counts > _SMALL].astype(float)
    rates, pages = _unmixed(seen.astype(float))
    every = np.concatenate([rates, large]), np.concatenate([pages, np.ones(large.size)])
    return _binned(*every, counts.size, classes)


def _unmixed(seen: Floats) -> tuple[Floats, Floats]:
    """Return rates and the number of pages with each, including unseen pages."""
    if not seen.sum():
        return np.empty(0), np.empty(0)
    count = np.arange(1.0, seen.size + 1)
    rates = np.geomspace(_LEAST_RATE, 1.5 * _SMALL, 100)
    law = count * np.log(rates[:, None]) - rates[:, None] - gammaln(count + 1)
    likely = np.exp(law) / -np.expm1(-rates[:, None])
    weight = np.full(rates.size, 1 / rates.size)
    for _ in range(_ROUNDS):
        expected = weight @ likely
        gain = likely @ (seen / np.maximum(expected, 1e-300)) / seen.sum()
        weight = weight * gain
        if np.max(weight * np.abs(gain - 1)) < _SETTLED:
            break
    kept = weight > 1e-4
    pages = seen.sum() * weight[kept] / -np.expm1(-rates[kept])
    return rates[kept], pages


def _binned(
    rates: Floats, pages: Floats, seen: int, classes: int, in_use: Floats | None = None
) -> Classes:
    """Join rates into at most `classes` bins of equal width in the logarithm of the rate."""
    if not rates.size:
        return Classes((1.0,), (1.0,), 1.0)
    low, high = np.log(rates.min()), np.log(rates.max())
    width = max((high - low) / classes, 1e-9)
    place = np.minimum(((np.log(rates) - low) / width).astype(int), classes - 1)
    writes = np.bincount(place, rates * pages)
    held = np.bincount(place, pages if in_use is None else pages * in_use)
    used = held > 0
    writes, held = writes[used][::-1], held[used][::-1]
    return Classes(
        tuple((writes / writes.sum()).tolist()),
        tuple((held / held.sum()).tolist()),
        float(held.sum() / seen),
    )
