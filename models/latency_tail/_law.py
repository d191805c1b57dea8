"""Distributions of waiting times: geometric sums of residual times, and their quantiles.

A time that is uniform up to some length is put on a lattice so that its mean stays exact; sums
become products of Fourier transforms. The error has second order in the step.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check

Floats = NDArray[np.float64]

LAST = 1 - 1e-9  # beyond it rounding errors of the transforms show
_LEFT_OVER = 1e-14
_STEPS_PER_LENGTH = 256
_PARTS, _ROUNDS = 8, 20  # into which a bracket is cut, and how often: 60 halvings


class Law(NamedTuple):
    """A time A >= 0 on a lattice: P(A > x) and E[(A - x)+] at `times`."""

    times: Floats
    beyond: Floats
    excess: Floats

    def tail(self, x: Floats) -> Floats:
        """P(A > x)."""
        return np.interp(x, self.times, self.beyond, left=1.0)

    def excess_over(self, x: Floats) -> Floats:
        """E[(A - x)+], the integral of the tail from x on."""
        return np.where(x < 0, self.excess[0] - x, np.interp(x, self.times, self.excess))


class Stage(NamedTuple):
    """One queue: shares of time that operations take, and how long they last."""

    shares: Floats
    lengths: Floats


def waiting_law(*stages: Stage) -> Law:
    """Law of the sum of the waits in independent M/G/1 queues of operations of fixed lengths.

    Each wait is a geometric sum of residual times, each uniform up to the length of the
    operation that is met (Pollaczek-Khinchine).
    """
    stages = tuple(stage for stage in stages if np.any(stage.shares > 0))
    if not stages:
        return Law(np.array([0.0, 1.0]), np.zeros(2), np.zeros(2))
    longest = [float(np.max(stage.lengths)) for stage in stages]
    busy = [float(np.sum(stage.shares)) for stage in stages]
    terms = [1 + np.log(_LEFT_OVER) / np.log(share) for share in busy]
    reach = float(np.dot(longest, terms))
    wanted = np.ceil(np.log2(_STEPS_PER_LENGTH * reach / min(longest)))
    count = int(2 ** np.clip(wanted, 10, 16))
    step = reach / count
    transform = np.ones(count // 2 + 1, complex)
    for stage, share in zip(stages, busy, strict=True):
        residual = stage.shares @ _uniform(stage.lengths, step, count)
        transform *= (1 - share) / (1 - np.fft.rfft(residual))
    masses = np.fft.irfft(transform, count)
    return _on_lattice(masses, step, atom=float(np.prod(1 - np.array(busy))))


def quantiles(tail: Callable[[Floats], Floats], levels: Floats, longest: float) -> Floats:
    """Smallest x >= 0 with P(X > x) <= 1 - level, for each level, by cutting brackets."""
    low = np.zeros_like(levels)
    high = np.where(tail(low) > 1 - levels, longest, 0.0)
    cuts = np.arange(1, _PARTS)[:, None] / _PARTS
    for _ in range(_ROUNDS):
        part = (high - low) / _PARTS
        inside = low + (high - low) * cuts
        below = (tail(inside.ravel()).reshape(inside.shape) > 1 - levels).sum(0)
        low, high = low + below * part, np.where(below < _PARTS - 1, low + (below + 1) * part, high)
    return high


def levels_of(quantile: ArrayLike) -> Floats:
    """Check quantiles and give them as an array."""
    (levels,) = _check.positive(quantile=quantile)  # type: ignore[arg-type]  # any array
    _check.require(np.asarray(levels) <= LAST, "quantile", "in (0, 1 - 1e-9]", levels)
    return np.asarray(levels)


def _uniform(lengths: Floats, step: float, count: int) -> Floats:
    """Masses on the lattice of times uniform up to each length, one row each."""
    x = step * np.arange(-1, count + 1)
    ends = lengths[:, None]
    below = np.clip(x, 0, ends) ** 2 / (2 * ends) + np.maximum(x - ends, 0)
    return np.asarray(np.diff(below, 2) / step)


def _on_lattice(masses: Floats, step: float, atom: float) -> Law:
    """Tail and excess of lattice masses, of which `atom` is truly at 0, the rest continuous."""
    spread = masses.copy()
    spread[0] -= atom
    from_here = np.cumsum(spread[::-1])[::-1]
    beyond = np.maximum(from_here - spread / 2, 0.0)
    beyond[0] = from_here[0]
    later = np.append(from_here[1:], 0.0)
    excess = step * np.cumsum(later[::-1])[::-1]
    times = np.asarray(step * np.arange(masses.size), float)
    return Law(times, beyond, np.maximum(excess, 0.0))
