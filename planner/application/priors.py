"""Draws of the inputs of an application that are not stated: one set of numbers for all faces."""

import zlib
from collections.abc import Mapping
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DRAWS = 250
SEED = 31
ENDS = (0.05, 0.5, 0.95)
KINDS = ("", "range", "uniform", "log-uniform", "log-normal", "shares")
FLUSH_SPREAD = 0.4  # of the flush time of a drive around its own value, as a standard deviation
_NORMAL_END = NormalDist().inv_cdf(ENDS[-1])


class Prior(NamedTuple):
    """Values of an input that is not stated, with their probabilities.

    `range` has its median at the default and nothing beyond its ends; `uniform` and `log-uniform`
    lie between the ends; `log-normal` has its 5 and 95 % there; `shares` are values or words with a
    probability each. Without a kind the default is the only value.
    """

    kind: str = ""
    low: float = 0.0
    high: float = 0.0
    shares: Mapping[str, float] = {}

    def drawn(self, name: str, default: Any) -> Any:
        """Draw an input as often as all others, each part of its prior once; or its only value.

        >>> len(Prior("range", 1.0, 9.0).drawn("x", 4.0))
        250
        >>> float(np.median(Prior("range", 1.0, 9.0).drawn("x", 4.0)).round(2))
        4.0
        >>> Prior().drawn("x", 4.0)
        4.0
        """
        if not self.kind:
            return default
        return self.at(_parts(name), default)

    def at(self, parts: Floats, default: Any) -> Any:
        """Return the quantiles of the prior."""
        if self.kind == "shares":
            return self._of_shares(parts)
        if self.kind == "log-normal":
            spread = np.log(self.high / self.low) / (2 * _NORMAL_END)
            standard = np.vectorize(NormalDist().inv_cdf)(parts)
            return np.sqrt(self.low * self.high) * np.exp(spread * standard)
        positions = {"range": [0.0, 0.5, 1.0]}.get(self.kind, [0.0, 1.0])
        values = [self.low, default, self.high] if self.kind == "range" else [self.low, self.high]
        in_logarithms = self.kind != "uniform" and min(values) > 0
        known = np.log(values) if in_logarithms else np.asarray(values, float)
        found = np.interp(parts, positions, known)
        return np.exp(found) if in_logarithms else found

    def _of_shares(self, parts: Floats) -> Any:
        ends = np.cumsum([*self.shares.values()])
        values = np.array([*self.shares])
        chosen = values[np.searchsorted(ends / ends[-1], parts)]
        try:
            return chosen.astype(float)
        except ValueError:
            return chosen


def around(value: float, spread: float = FLUSH_SPREAD) -> Prior:
    """Return a prior around a value that is known about, by the spread of its logarithm."""
    factor = np.exp(_NORMAL_END * spread)
    return Prior("log-normal", value / factor, value * factor)


def _parts(name: str) -> Floats:
    """Return the middles of equal parts of a probability, in an order of the input's own."""
    order = np.random.default_rng([SEED, zlib.crc32(name.encode())]).permutation(DRAWS)
    return (order + 0.5) / DRAWS
