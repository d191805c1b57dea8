"""Fixed slices that together leave what slices of another law leave of themselves.

What is left of a fixed slice at a random moment is uniform. A residual time whose tail is convex
is a mixture of such: the mixture whose tail is straight between given times and right at them.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS, _REACH = 200, 20.0  # pieces of an exponential law, and how many means they reach


def fixed_slices(times: Floats, tail: Floats) -> Floats:
    """Weights of fixed slices of lengths `times`, from the tail at 0 and at these times.

    >>> fixed_slices(np.array([1.0, 2.0]), np.array([1.0, 0.25, 0.0])).tolist()
    [0.5, 0.5]
    """
    slopes = np.diff(tail) / np.diff(times, prepend=0.0)
    return np.asarray(times * np.diff(slopes, append=0.0))


@cache
def exponential_slices() -> tuple[Floats, Floats]:
    """Lengths and weights of fixed slices in place of exponential ones of mean 1."""
    times = np.linspace(0.0, _REACH, _STEPS + 1)
    tail = np.exp(-times) - np.exp(-_REACH)
    return times[1:], fixed_slices(times[1:], tail)
